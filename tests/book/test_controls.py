"""What a reader operates around a page, in a real browser with no network: themes, search, the
switch of programs, the scorecard's folds, paper."""

import re
from base64 import b64decode
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from devtools import CHROMIUM

from vlmbias import ledger

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

BUTTON = "document.querySelector('.article-header-buttons button.vb-programs')"
SEEN = "[...document.querySelectorAll('{}')].map((one) => one.checkVisibility())"


def opened(browser, page, *, width):
    """Open a page anew at a width, as a phone or a desk would."""
    browser.resize(width, height=800, mobile=width < 500)
    browser.open("about:blank")
    browser.open(page.as_uri())
    browser.wait(f"{BUTTON} !== null")


def forget(browser, page):
    """A browser that has never been here."""
    browser.open(page.as_uri())
    browser.run("localStorage.clear()")


SEEN_ON_PAGE = """(() => ({
  formulas: document.querySelectorAll("mjx-container").length,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  theme: document.documentElement.dataset.theme,
  cards: [...document.querySelectorAll(".vb-card")].map((card) =>
    Math.min(...getComputedStyle(card).backgroundColor.match(/\\d+/g).slice(0, 3))),
  image: Math.round(document.querySelector(".vb-card img").getBoundingClientRect().width),
}))()"""


@pytest.mark.parametrize(("width", "mode"), [(390, "dark"), (1280, "light")])
def test_a_page_is_drawn_with_no_network_in_the_reader_s_theme(browser, own_page, width, mode):
    forget(browser, own_page)
    browser.run(f"localStorage.setItem('mode', '{mode}'), localStorage.setItem('theme', '{mode}')")
    browser.requests.clear()
    opened(browser, own_page, width=width)
    browser.wait("document.querySelector('mjx-container') !== null", seconds=60)
    seen = browser.run(SEEN_ON_PAGE)
    assert (seen["formulas"], seen["theme"]) == (1, mode)
    assert seen["overflow"] <= 0, "the page scrolls sideways"
    assert min(seen["cards"]) > 230, "a figure stands on a dark ground"
    assert 200 < seen["image"] < width
    here = ("file:", "data:", "about:")
    assert not [address for address in browser.requests if not address.startswith(here)]
    forget(browser, own_page)


def test_search_finds_a_term_and_its_sentence(browser, site):
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        browser.open(f"http://127.0.0.1:{port}/search.html?q=saddlepoint")
        # the sentence around it, not only a title
        browser.wait("document.querySelector('#search-results p.context') !== null", seconds=60)
        found = browser.run("document.getElementById('search-results').innerHTML")
        server.shutdown()
    assert "book/primers/permutation.html" in found


SOLUTION = (
    '<div class="solution"><div class="cell"><div class="cell_input" id="kept">1</div></div></div>'
)


def test_a_phone_hides_programs_but_for_solutions_and_a_desk_shows_them(browser, own_page):
    forget(browser, own_page)
    for width, shown in ((390, False), (1280, True)):
        opened(browser, own_page, width=width)
        browser.run(
            f"document.querySelector('.bd-article').insertAdjacentHTML('beforeend', `{SOLUTION}`)"
        )
        assert set(browser.run(SEEN.format(".cell_input:not(#kept)"))) == {shown}
        assert browser.run(SEEN.format("#kept")) == [True]
        assert all(browser.run(SEEN.format(".cell_output figure, .cell_output table")))
        assert browser.run(f"{BUTTON}.innerText").split()[-2:] == [
            "Hide" if shown else "Show",
            "programs",
        ]


FOLDED = """<div class="cell tag_hide-cell"><details class="admonition hide above-input">
<summary>Show code cell content</summary><div class="cell_input">1</div>
<div class="cell_output"><figure id="folded">2</figure></div></details></div>"""


def test_a_link_to_what_a_folded_program_shows_leads_there_on_a_phone(browser, own_page):
    forget(browser, own_page)
    opened(browser, own_page, width=390)
    browser.run(
        f"document.querySelector('.bd-article').insertAdjacentHTML('beforeend', `{FOLDED}`)"
    )
    assert browser.run(SEEN.format("#folded")) == [False]
    browser.run("location.hash = 'folded'")
    browser.wait("document.getElementById('folded').checkVisibility()")
    assert browser.run(SEEN.format(".tag_hide-cell .cell_input")) == [False]


def test_the_switch_is_turned_by_key_and_remembered(browser, own_page):
    forget(browser, own_page)
    opened(browser, own_page, width=1280)
    browser.run(f"{BUTTON}.focus()")
    browser.press("Enter")
    browser.wait("document.documentElement.dataset.programs === 'hidden'")
    opened(browser, own_page, width=1280)
    assert not any(browser.run(SEEN.format(".cell_input")))
    assert "hidden" in browser.run("document.querySelector('.vb-programs-line').innerText")
    browser.run("document.querySelector('button.vb-inside').click()")
    assert all(browser.run(SEEN.format(".cell_input"))) and not browser.run(
        "document.querySelector('.vb-programs-line').checkVisibility()"
    )
    forget(browser, own_page)


def test_the_scorecard_opens_short_and_unfolds_where_a_link_leads(browser, site):
    browser.resize(390, mobile=True)
    page = (site / "book/scorecard.html").as_uri()
    browser.open("about:blank")
    browser.open(page)
    assert browser.run("document.querySelectorAll('#records details[open]').length") == 0
    browser.open("about:blank")
    browser.open(f"{page}#record-variation-lighting-p")
    assert browser.run("document.getElementById('record-variation-lighting-p').checkVisibility()")
    browser.open("about:blank")
    browser.open(f"{page}#records-of-causalface-age")  # as the chapter links
    shown = "document.querySelectorAll('#records-of-causalface-age tbody tr[id]')"
    assert browser.run(f"Array.from({shown}).every((row) => row.checkVisibility())")
    assert browser.run(f"{shown}.length") == len(ledger.table("causalface/age"))
    browser.ask("Emulation.clearDeviceMetricsOverride")


SHOWN = "[...document.querySelectorAll('#records tbody tr[id]')].filter((row) => !row.hidden)"
CHOOSE = """(() => {{ const select = document.querySelectorAll('.vb-filter select')[{}];
  select.value = {!r}; select.dispatchEvent(new Event("change")); }})()"""


def test_the_filter_shows_what_is_asked_for_and_counts_it(browser, site):
    """Papers, chapters, verdicts of the audit: the first three choices, in their order."""
    card = ledger.scorecard()
    browser.open("about:blank")
    browser.open((site / "book/scorecard.html").as_uri())

    def shown():
        ids = browser.run(f"{SHOWN}.map((row) => row.id)")
        said = browser.run("document.querySelector('.vb-filter output').textContent")
        folds = "[...document.querySelectorAll('#records details')].filter((one) => !one.hidden)"
        assert said == f"{len(ids)} of {len(card)} records"
        return set(ids), browser.run(f"{folds}.length")

    def asked(rows):
        ids = {f"record-{name.replace('.', '-')}" for name in rows["id"]}
        return ids, rows["notebook"].nunique()

    wrong = card["audit"] == "inconsistent"
    assert shown() == asked(card[wrong])
    browser.run(CHOOSE.format(2, ""))
    assert shown() == asked(card)
    browser.run(CHOOSE.format(0, "Ghate et al. 2025"))
    own = card["paper"] == "pretraining"
    assert shown() == asked(card[own])
    listed = (
        "[...document.querySelectorAll('.vb-filter select')[1].options].map((one) => one.value)"
    )
    assert set(browser.run(listed)) == {"", *card.loc[own, "notebook"]}
    browser.run(CHOOSE.format(2, "inconsistent"))
    assert shown() == asked(card[own & wrong])
    browser.run("location.hash = '#record-we_they-consistently'")  # of another paper
    browser.wait(f"{SHOWN}.length === {len(card)}")
    assert browser.run("document.getElementById('record-we_they-consistently').checkVisibility()")


def pages_on_paper(browser) -> int:
    data = browser.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
    return len(re.findall(rb"/Type\s*/Page\b", b64decode(data)))


@pytest.mark.parametrize("name", ["worksheet-2", "handout-2"])
def test_a_worksheet_is_printed_on_both_sides_of_one_sheet(browser, site, name):
    browser.open((site / f"book/teach/{name}.html").as_uri())
    browser.run("window.MathJax?.startup?.promise")
    assert pages_on_paper(browser) == 2


def test_a_dark_page_is_printed_light(browser, own_page):
    browser.open(own_page.as_uri())
    browser.run("document.documentElement.dataset.theme = 'dark'")
    browser.run(
        "addEventListener('beforeprint', () => { window.printed ="
        " document.documentElement.dataset.theme; })"
    )
    pages_on_paper(browser)
    assert browser.run("[printed, document.documentElement.dataset.theme]") == ["light", "dark"]


def test_on_paper_a_page_begins_with_its_text_and_frames_its_programs(browser, own_page):
    browser.open(own_page.as_uri())
    browser.ask("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.run(SEEN.format("#jb-print-toc")) in ([], [False])
        assert browser.run(SEEN.format(".bd-article h1")) == [True]
        rules = (
            "[...document.querySelectorAll('.cell_input')].map((one) =>"
            " [getComputedStyle(one).breakInside,"
            " getComputedStyle(one.querySelector('pre')).breakInside])"
        )
        assert {tuple(one) for one in browser.run(rules)} == {
            ("avoid", "auto")
        }  # its frame goes with a short program
    finally:
        browser.ask("Emulation.setEmulatedMedia", media="")
