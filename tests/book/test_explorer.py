"""The explorer in a real browser: the same pictures and cosines as Python's, by keyboard, from a
file, on a phone."""

import json
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest
from devtools import CHROMIUM, contrast

import vlmbias as vb
from greenhouse.world import faces, grid, pairing
from studies.greenhouse import explorer
from vlmbias.measures import Perception

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

FACES = 100
LOOK = """(async () => {
  const rows = FACES, found = { pictures: "", deltas: [] };
  for (const row of rows) {
    const { name, pairing } = Explorer.world.networks[row.network];
    const paint = pairing.paints[row.race], drawing = pairing.drawings[row.gender];
    const bytes = Explorer.face.render({ ...row, paint, drawing }, Explorer.world);
    globalThis.ready ??= {};
    ready[name] ??= Explorer.model.unpack(Explorer.networks[name]);
    found.pictures += btoa(String.fromCharCode(...bytes));
    found.deltas.push(Explorer.model.deltas(ready[name], bytes));
  }
  return found;
})()"""
CONTRAST = (
    "explorer",
    "label, p, td, th, caption, figcaption, select, button, .ex-ends span, .ex-state",
    [(".ex-lamp.on, .ex-bar", "backgroundColor"), (".ex-lamp:not(.on)", "borderTopColor")],
)


@pytest.fixture
def page(browser, site):
    """The page, freshly opened from its file, with the first network ready."""
    browser.requests.clear()
    browser.open((site / "book" / "explorer.html").as_uri())
    browser.wait("document.querySelector('#explorer .ex-number')?.textContent !== ''")
    return browser


def _choose(page, network: int) -> None:
    page.run(f"document.getElementById('ex-network-{network}').click()")
    page.wait(f"Explorer.networks[Explorer.world.networks[{network}].name] !== undefined")


def _some_faces() -> pd.DataFrame:
    """Faces anywhere on the scales, the ends among them, a network for each."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "network": np.arange(FACES) % len(explorer.NETWORKS),
            "seed": rng.integers(0, 2**32, FACES),
            "race": rng.choice(grid.HUES, FACES),
            "gender": rng.choice(grid.CRESTS, FACES),
        }
    )
    for axis, (low, high) in grid.RANGES.items():
        table[axis] = np.clip(
            rng.uniform(1.2 * low - 0.2 * high, 1.2 * high - 0.2 * low, FACES), low, high
        )
    return table


def test_pictures_and_cosines_are_those_of_python(page):
    table = _some_faces()
    for number in range(len(explorer.NETWORKS)):
        _choose(page, number)
    for number, name in enumerate(explorer.NETWORKS):
        own = table[table["network"] == number]
        found = page.run(LOOK.replace("FACES", json.dumps(own.to_dict("records"))))
        pictures = np.frombuffer(b64decode(found["pictures"]), np.uint8).reshape(-1, 64, 64, 3)
        encoder = vb.encoder(name, device="cpu")
        look = pairing.of_record(encoder.pairing) if encoder.pairing else None
        painted = faces.render(own, pairing=look)
        np.testing.assert_array_equal(pictures, painted)
        seen = encoder.encode_images(encoder.normalise(painted))
        words = vb.embed(encoder, vb.prompts("social_perception"), store=False)
        expected = Perception.of(seen, words).delta().to_numpy()
        np.testing.assert_allclose(found["deltas"], expected, rtol=0, atol=1e-5)
        assert expected.std() > 0.01


def test_all_of_it_works_by_keyboard(page):
    numbers = "[...document.querySelectorAll('.ex-number')].map((one) => one.textContent).join()"
    canvas, focus = "document.querySelector('canvas').toDataURL()", "document.activeElement.id"
    verdict = "document.querySelector('.ex-verdict').textContent"
    before = page.run(f"[{numbers}, {canvas}, {verdict}]")
    page.run("document.querySelector('#explorer input').focus()")
    assert page.run(focus) == "ex-smiling"
    page.press("ArrowRight")
    page.wait(f"{numbers} !== {json.dumps(before[0])}")
    assert page.run("document.getElementById('ex-smiling').value") == "0.25"
    assert page.run(canvas) != before[1]
    assert page.run(verdict) == before[2], "the lamp follows the sliders"
    visited = [page.run(focus)]
    while visited[-1] != "ex-network-0":
        page.press("Tab")
        visited.append(page.run(focus))
        assert len(visited) < 15, visited
    named = "smiling age lighting pose race gender another pair dimension hundred network-0"
    assert visited == [f"ex-{name}" for name in named.split()]
    seen = page.run(numbers)
    page.press("ArrowDown")
    page.wait(f"{numbers} !== {json.dumps(seen)}")
    assert page.run(focus) == "ex-network-1"
    assert page.run(verdict) != before[2]


def test_every_control_has_a_name(page):
    silent = (
        "[...document.querySelectorAll('#explorer :is(input, select)')].filter((one) =>"
        " !one.labels.length).length"
    )
    assert page.run(silent) == 0
    assert page.run(
        "document.querySelector('#explorer canvas').getAttribute('aria-label')"
    ).endswith("teal, budded.")
    assert (
        page.run(
            "document.querySelectorAll('#explorer [role=status], #explorer [aria-live]').length"
        )
        == 1
    )


def test_lamps_are_those_of_python(page):
    table = explorer.comparisons(explorer.NETWORKS[2:3])
    shown = pd.DataFrame(page.run("Explorer.world.comparisons"))
    keys = ["network", "hundred", *explorer.QUESTION]
    both = table.merge(shown, on=keys, suffixes=("", "_shown"), validate="one_to_one")
    assert len(both) == len(table) == 2 * 4 * 8
    for column in ("difference", "p", "p_separate"):
        np.testing.assert_allclose(both[f"{column}_shown"], both[column], rtol=2e-3, atol=1e-12)
    assert (both["on"] == explorer.on(both)).all()
    one = both[
        both["hundred"].eq(1) & both["first"].eq("budded") & both["dimension"].eq("competence")
    ].iloc[0]
    page.run(
        """for (const [id, value] of [["ex-pair", 3], ["ex-dimension", "competence"], ["ex-hundred", 1]]) {
      const select = document.getElementById(id);
      select.value = value;
      select.dispatchEvent(new Event("change"));
    }"""  # noqa: E501
    )
    state = page.run("document.querySelectorAll('.ex-state')[2].textContent")
    assert state.startswith(
        "on: budded" if one["on"] > 0 else "on: eared" if one["on"] < 0 else "off"
    )


def test_nothing_is_asked_for_outside_the_folder_of_the_book(page, site):
    _choose(page, 4)
    asked = [address for address in page.requests if not address.startswith("data:")]
    assert any(address.endswith("network-4.js") for address in asked)
    assert not any("network-3.js" in address for address in asked), (
        "a network is loaded before it is chosen"
    )
    assert [address for address in asked if not address.startswith(site.as_uri())] == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_fits_a_phone_and_can_be_read(page, mode):
    page.resize(390)
    page.run(f"document.documentElement.dataset.theme = '{mode}'")
    assert (
        page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    )
    inside = (
        "[...document.querySelectorAll('#explorer *')].map((one) =>"
        " one.getBoundingClientRect().right)"
    )
    assert page.run(f"Math.max(...{inside})") <= 390
    found = contrast(page, *CONTRAST)
    assert found["text"] >= 4.5 and found["marks"] >= 3, found
    page.ask("Emulation.clearDeviceMetricsOverride")


def test_readers_without_scripts_see_a_picture_and_the_numbers(browser, site):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open((site / "book" / "explorer.html").as_uri())
    assert browser.run("document.querySelector('img.ex-still').getBoundingClientRect().width") > 200
    assert browser.run("document.getElementById('explorer').getBoundingClientRect().height") == 0
    own = "document.querySelectorAll('#the-lamps-as-numbers table tbody tr').length"
    assert browser.run(own) == 4 * 8
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
