"""The collection with a slider in a real browser: its numbers are Python's, it works by keyboard,
from a file, on a phone, and without scripts."""

import json
import re

import numpy as np
import pytest
from devtools import CHROMIUM
from test_every_page import AXE, AXE_RUN

from studies.greenhouse import collection, confounds

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

SETTINGS = 240
ROUNDING = 0.005 + 1e-5  # of two decimals, and of what is written into the page
ENDS = "[...document.querySelectorAll('#collection details tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))"  # noqa: E501
READY = "!document.getElementById('collection').hidden"
SAID = "document.querySelector('#collection [role=status]').textContent"
SHOWN = "[...document.querySelectorAll('.cl-now tbody .cl-number')].map((one) => one.textContent)"
SET = """(([pair, world, dimension, stop]) => {
  const turned = (id, value, event) => {
    const one = document.getElementById(`cl-${id}`);
    one.value = value;
    one.dispatchEvent(new Event(event));
  };
  turned("pair", pair, "change");
  turned("dimension", dimension, "change");
  document.getElementById(`cl-world-${world}`).click();
  turned("smile", stop, "input");
  return [
    [...document.querySelectorAll("#collection details tbody tr")].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
    [...document.querySelectorAll("#collection line.cl-mean")].map((one) => [Number(one.getAttribute("y1")), parseFloat(one.getAttribute("x1"))]),
    document.querySelector(".cl-truth").textContent,
  ];
})"""  # noqa: E501
CONTRAST = """(() => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((total, part, at) => total + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    const own = getComputedStyle(element).backgroundColor;
    return element.parentElement && /, 0\\)|transparent/.test(own) ? ground(element.parentElement) : own;
  };
  const ratio = (first, second) => (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
  const all = (query) => [...document.querySelectorAll(`#collection :is(${query})`)];
  const behind = (one) => light(ground(one.parentElement));
  return {
    text: Math.min(...all("p, strong, b, label, legend, button, select, th, td, caption, figcaption, summary, .cl-ends span, .cl-axis, .cl-keys, .cl-key")
      .map((one) => ratio(light(getComputedStyle(one).color), light(ground(one))))),
    marks: Math.min(...all(".cl-dot").map((one) => ratio(light(getComputedStyle(one).backgroundColor), behind(one))),
      ...all(".cl-line").map((one) => ratio(light(getComputedStyle(one).borderLeftColor), behind(one))),
      ...all("line.cl-mean").map((one) => ratio(light(getComputedStyle(one).stroke), behind(one)))),
  };
})()"""  # noqa: E501


def place(site):
    """The chapter's page, or where only the small site of the tests is built, one with the same
    parts."""
    chapter = site / "notebooks/greenhouse/confounds.html"
    return chapter if chapter.exists() else site / "notebooks/test/played.html"


@pytest.fixture
def page(browser, site):
    """The page, freshly opened from its file."""
    browser.requests.clear()
    browser.errors.clear()
    browser.open("about:blank")
    browser.open(place(site).as_uri())
    browser.wait(READY)
    return browser


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def names() -> list[str]:
    """The pairs in the order of the page."""
    first = collection.crests()
    return [first, *(pair for pair in confounds.pairs() if pair != first)]


def test_numbers_are_those_of_python(page):
    rng = np.random.default_rng(6)
    limits = [len(names()), 2, len(collection.DIMENSIONS), len(collection.STOPS)]
    settings = np.column_stack([rng.integers(0, one, SETTINGS) for one in limits]).tolist()
    found = page.run(f"{json.dumps(settings)}.map({SET})")
    for (which, world, axis, stop), (rows, lines, truth) in zip(settings, found, strict=True):
        pair, b, r = names()[which], collection.STRENGTHS[world], collection.STOPS[stop]
        dimension = collection.DIMENSIONS[axis]
        table = collection.grid(pair, b)
        own = table[(table["dimension"] == dimension) & (table["r"] == r)].set_index("method")
        expected = own.loc[list(collection.METHODS), ["mean", "low", "high", "planted"]].to_numpy()
        shown = np.array([[number(cell) for cell in row] for row in rows])
        assert np.abs(shown - expected).max() <= ROUNDING
        assert not re.search("−0.00|-", json.dumps(rows))
        planted = own["planted"]
        if abs(planted).max() < 1e-5:
            assert truth.endswith("but the group makes no difference: the true gap is 0.")
        else:
            assert (
                f"{planted['controlled']:+.2f}".replace("-", "−").replace("−0.00", "+0.00") in truth
            )
        # the lines in the picture: means of the two groups as the page itself weighs them
        weighed = _lines(pair, b, axis, r)
        low, high = weighed["ends"]
        level = [low + (high - low) * (210 - y) / 200 for y, _ in lines[::2]]
        assert level == pytest.approx(weighed["levels"], abs=2e-3)
        assert level[0] - level[1] == pytest.approx(own.loc["naive", "mean"], abs=2e-3)
        assert [x for _, x in lines[1::2]] == pytest.approx(weighed["smiles"], abs=0.02)


def _lines(pair: str, b: float, axis: int, r: float) -> dict:
    """Where the lines of the picture are: mean score of either group, mean smile (per cent of the
    width)."""
    own, places = collection.pool(pair)
    seen = collection.seen()
    scores = seen.where(seen.networks["b"] == b).logits[:, places, axis].mean(axis=0)
    weights, smile = own.weights(own.steepness(r)), own.rows["smiling"].to_numpy()
    sides = [own.group == side for side in (1, 0)]
    middles = [np.average(smile[one], weights=weights[one]) for one in sides]
    return {
        "ends": (scores.min(), scores.max()),
        "levels": [np.average(scores[one], weights=weights[one]) for one in sides],
        "smiles": [4 + 92 * (one - smile.min()) / np.ptp(smile) for one in middles],
    }


def test_what_to_try_is_done(page):
    before = page.run(SHOWN)
    seen = []
    for which in range(3):
        page.run(f"document.getElementById('cl-try-{which}').click()")
        seen.append([number(one) for one in page.run(SHOWN)])
        pressed = "[...document.querySelectorAll('.cl-tries button')].map((one) => one.getAttribute('aria-pressed'))"  # noqa: E501
        assert page.run(pressed) == [str(one == which).lower() for one in range(3)]
        said = page.run(SAID)
        naive, adjusted, _, controlled, all_known = page.run(SHOWN)
        assert f"is {naive}: off by {naive}." in said  # the truth is zero
        near = abs(number(adjusted)) <= 0.1
        assert ("helps: " + adjusted in said) == near
        assert (f"is not enough: {adjusted}." in said) == (not near)
        assert (f"knew the clothes, too, would find {all_known}." in said) == (not near)
        assert f"The experiment gives {controlled}" in said
        low, high = map(number, page.run(f"{ENDS}[3].slice(1, 3)"))
        assert ("This interval misses the truth" in said) == (low > 0 or high < 0)
        note = "document.querySelector('.cl-note').hidden"
        assert page.run(note) == (which == 2)
    naive, adjusted, _, controlled, all_known = np.array(seen).T
    start = number(before[0])
    assert naive[1] < start < naive[0], "naive: smiles of either group"
    assert np.abs(adjusted[:2]).max() < 0.05 and np.abs(controlled).max() < 0.1
    assert adjusted[2] > 0.3 and abs(all_known[2]) < 0.05, "clothes, which nobody recorded"


def test_it_works_by_keyboard(page):
    focus, visited = "document.activeElement.id", []
    page.run("document.getElementById('cl-try-0').focus()")
    page.press("Enter")
    page.wait("document.getElementById('cl-smile').value === '12'")
    while not visited or visited[-1] != "cl-world-0":
        visited.append(page.run(focus))
        assert len(visited) < 12, visited
        page.press("Tab")
    named = "try-0 try-1 try-2 smile pair dimension world-0"
    assert visited == [f"cl-{one}" for one in named.split()]
    page.run("document.getElementById('cl-smile').focus()")
    before = page.run(f"[{SAID}, {SHOWN}]")
    page.press("ArrowLeft")
    page.wait(f"{SAID} !== {json.dumps(before[0])}")
    after = page.run(SHOWN)
    assert number(after[0]) < number(before[1][0]) and after[3] == before[1][3]
    value = page.run("document.getElementById('cl-smile').getAttribute('aria-valuetext')")
    assert value == "budded faces smile more (correlation +0.5)"


def test_it_can_be_heard(page):
    silent = "[...document.querySelectorAll('#collection :is(input, select)')].filter((one) => !one.labels.length)"  # noqa: E501
    assert page.run(f"{silent}.length") == 0
    assert page.run("document.querySelectorAll('#collection [role=status]').length") == 1
    page.run("document.querySelector('#collection details').open = true")
    page.run(f"(() => {{{AXE.read_text('utf-8')}}})()")
    assert page.run(AXE_RUN.replace("axe.run(document", "axe.run('#collection'")) == []
    assert page.errors == []


def test_it_is_small_and_asks_for_nothing_else(page, site):
    own = page.run(
        "document.getElementById('collection-data').textContent.length"
        " + document.getElementById('confounds-dial').outerHTML.length"
    )
    files = (site / "_static" / "collection").iterdir()
    assert own + sum(file.stat().st_size for file in files) <= 300_000
    asked = [address for address in page.requests if not address.startswith(("data:", "about:"))]
    assert [address for address in asked if not address.startswith(site.as_uri())] == []


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_can_be_read(page, width, mode):
    page.resize(width)
    page.run(f"document.documentElement.dataset.theme = '{mode}'")
    page.run("document.querySelector('#collection details').open = true")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.run(wide) <= 0
    inside = (
        "[...document.querySelectorAll('#collection *')].filter((one) => !one.closest('.cl-scroll, svg'))"  # noqa: E501
        ".map((one) => one.getBoundingClientRect().right)"
    )
    assert page.run(f"Math.max(...{inside})") <= width
    found = page.run(CONTRAST)
    assert found["text"] >= 4.5 and found["marks"] >= 3, found
    page.ask("Emulation.clearDeviceMetricsOverride")


def test_where_scripts_run_the_still_picture_makes_room(page):
    height = "document.getElementById('confounds-dial').getBoundingClientRect().height"
    assert page.run(height) == 0


def test_readers_without_scripts_see_the_picture_and_the_numbers(browser, site):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open("about:blank")
    browser.open(place(site).as_uri())
    height = "document.querySelector('#confounds-dial').getBoundingClientRect().height"
    assert browser.run(height) > 200
    assert browser.run("document.getElementById('collection').getBoundingClientRect().height") == 0
    table = collection.grid(collection.crests(), 0.0).query("dimension == 'warmth'")
    wide = table.pivot(index="r", columns="method", values="mean")[list(collection.METHODS)]
    folded = "[...document.querySelectorAll('details')].findLast((one) => one.textContent.includes('What the slider changes.'))"  # noqa: E501
    rows = browser.run(
        f"[...{folded}.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"  # noqa: E501
    )
    shown = np.array([[number(cell) for cell in row] for row in rows])
    np.testing.assert_allclose(shown[:, 0], wide.index)
    assert np.abs(shown[:, 1:] - wide.to_numpy()).max() <= ROUNDING
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
