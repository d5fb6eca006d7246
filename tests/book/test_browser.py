"""The pages in a real browser with no network, where one is installed."""

import json
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from devtools import CHROMIUM, QUIET

HURRIED = "--virtual-time-budget=15000"  # milliseconds that pass at once
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")


class Silent(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing about it."""

    def log_message(self, *_):
        pass


# Opens a page in a frame of a given width, waits for its formulas and figures, and says what it
# sees.
PROBE = """<!doctype html>
<iframe id="frame" src="PAGE" width="WIDTH" height="900"></iframe><pre id="seen"></pre>
<script>
localStorage.setItem("mode", "MODE"); localStorage.setItem("theme", "MODE");
document.getElementById("frame").onload = () => setTimeout(() => {
  const page = document.getElementById("frame").contentDocument, root = page.documentElement;
  const ground = element => getComputedStyle(element).backgroundColor.match(/\\d+/g).slice(0, 3);
  document.getElementById("seen").textContent = JSON.stringify({
    formulas: page.querySelectorAll("mjx-container").length,
    overflow: root.scrollWidth - root.clientWidth,
    theme: root.dataset.theme,
    cards: [...page.querySelectorAll(".vb-card")].map(card => Math.min(...ground(card))),
    image: Math.round(page.querySelector(".vb-card img").getBoundingClientRect().width),
    asked: page.defaultView.performance.getEntriesByType("resource").map(entry => entry.name),
  });
}, 4000);
</script>"""


def dumped(address, folder):
    """The page at an address as a browser leaves it."""
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [CHROMIUM, *QUIET, HURRIED, profile, "--dump-dom", address]
    return subprocess.run(command, capture_output=True, text=True, timeout=180).stdout


@pytest.mark.parametrize(("width", "mode"), [(390, "dark"), (1280, "light")])
def test_page_renders_with_no_network(own_page, tmp_path, width, mode):
    probe = tmp_path / "probe.html"
    probe.write_text(
        PROBE.replace("PAGE", own_page.as_uri()).replace("WIDTH", str(width)).replace("MODE", mode)
    )
    done = dumped(probe.as_uri(), tmp_path)
    text = done.split('<pre id="seen">')[1].split("</pre>")[0]
    seen = json.loads(text.replace("&amp;", "&"))
    assert seen["formulas"] == 1
    assert seen["overflow"] <= 0, "the page scrolls sideways"
    assert seen["theme"] == mode
    assert min(seen["cards"]) > 230, "a figure stands on a dark ground"
    assert 200 < seen["image"] < width
    assert [address for address in seen["asked"] if not address.startswith("file:")] == []


def test_search_finds_a_term_and_its_sentence(site, tmp_path):
    handler = partial(Silent, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/search.html?q=saddlepoint"
        found = dumped(address, tmp_path)
        server.shutdown()
    results = found.split('id="search-results"')[1]
    assert "book/primers/permutation.html" in results
    assert '<p class="context">' in results  # the sentence around it, not only a title
