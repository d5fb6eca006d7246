"""The two tabs of the overview of Wolfe and Caliskan in a real browser: the same numbers as
Python's, by keyboard, from a file, on a phone, and without scripts."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from devtools import CHROMIUM, contrast

import vlmbias as vb
from greenhouse import retrained, speech
from greenhouse.world import grammar
from studies.american_white import placeless, reported
from vlmbias.external import america

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

PLACE = "document.getElementById('american-play')"
AXE = Path(__file__).parent / "axe/axe.min.js"
SETTINGS = 250
SIDES = ("over", "under")
CENSUS = {"Asian": "asian", "Black": "black", "Latina/o": "latino", "White": "white"}
CONTRAST = (
    "american-play",
    "p, button, label, legend, caption, th, td, figcaption, summary, option,"
    " .ap-map span, .ap-map b, .ap-scale span, .ap-part",
    [
        (".ap-bar, .ap-line, .over", "backgroundColor"),
        (".under", "outlineColor"),
        (".ap-mean, .ap-dot.no", "stroke"),
        (".ap-dot.yes", "fill"),
    ],
)
ANSWERS = """(() => {
  const change = (id, value) => {
    const control = document.getElementById(id);
    control.value = value;
    control.dispatchEvent(new Event("input"));
    return control.value;
  };
  const presets = document.querySelectorAll("#ap-panel-answers .ap-preset");
  return SETTINGS.map(({ pattern, gap, spread, way }) => {
    presets[pattern === "printed" ? 0 : 2].click();
    const set = [change("ap-gap", gap), change("ap-spread", spread)];
    document.getElementById(`ap-way-${way}`).click();
    const texts = (query) => [...document.querySelectorAll(`#ap-panel-answers ${query}`)].map((one) => one.textContent);
    const rows = [...document.querySelectorAll("#ap-panel-answers .ap-bars tbody tr")];
    return {
      set, names: [texts(".ap-bars tbody th"), texts(".ap-strips tbody th")],
      shown: texts(".ap-bars .ap-number"), means: texts(".ap-strips .ap-number"),
      bars: rows.map((row) => parseFloat(row.querySelector(".ap-bar").style.width)),
      lines: rows.map((row) => parseFloat(row.querySelector(".ap-line").style.left)),
      dots: document.querySelectorAll("#ap-panel-answers circle").length,
      filled: document.querySelectorAll("#ap-panel-answers circle.yes").length,
      said: texts(".ap-apart")[0],
      slider: texts("p.ap-value").flatMap((one) => one.replace("around 50", "").match(/\\d+(?=%)/g).map(Number)),
    };
  });
})()"""  # noqa: E501
PLACES = """(() => {
  const change = (id, value, event) => {
    const control = document.getElementById(id);
    control.value = value;
    control.dispatchEvent(new Event(event));
  };
  const texts = (query) => [...document.querySelectorAll(`#ap-panel-places ${query}`)].map((one) => one.textContent);
  return SETTINGS.map(({ network, hue, group }) => {
    change("ap-network", network + 1, "input");
    change("ap-hue", hue, "change");
    change("ap-group", group, "change");
    return {
      returned: texts(".ap-map span:not(:has(b))"), land: texts(".ap-map span:has(b)"), said: texts(".ap-apart")[0],
      over: texts(".over").length, under: texts(".under").length, table: texts("details td"),
    };
  });
})()"""  # noqa: E501


@pytest.fixture(scope="module")
def patterns():
    asked, portraits = next(iter(speech.recipe()["questions"])), vb.images("greenhouse/cfd").table
    taught = speech.answer_odds(grammar.load(), asked, portraits, 1.0)["yes"]
    return {
        "printed": reported.printed(vb.ledger.claim),
        "taught": reported.from_probabilities(taught, portraits["race"], seed=reported.SEED),
    }


@pytest.fixture(scope="module")
def returned():
    census = grammar.load().bias.provinces.set_index("province")
    return placeless.returned(retrained.vectors(), census[["amber", "lime", "teal", "violet"]])


@pytest.fixture
def page(browser, site):
    """The overview, freshly opened from its file."""
    browser.requests.clear()
    browser.errors.clear()
    browser.open("about:blank")
    browser.open((site / "book" / "american_white.html").as_uri())
    browser.wait(f"!{PLACE}.hidden")
    return browser


def whole(text):
    """The first number of a cell."""
    return int(re.search(r"\d+", text)[0])


def near(shown, share):
    """Whether a whole per cent is what a share rounds to."""
    return abs(shown - 100 * share) <= 0.5 + 1e-9


def test_answers_are_those_of_python(page, patterns):
    rng = np.random.default_rng(11)
    settings = [
        {
            "pattern": str(rng.choice(list(patterns))),
            "gap": round(reported.STEP * int(rng.integers(0, 161)), 2),
            "spread": round(reported.STEP * int(rng.integers(1, 51)), 2),
            "way": reported.WAYS[number % 3],
        }
        for number in range(SETTINGS)
    ]
    shown = page.run(ANSWERS.replace("SETTINGS", json.dumps(settings)))
    for own, seen in zip(settings, shown, strict=True):
        assert [float(one) for one in seen["set"]] == [own["gap"], own["spread"]]
        table = reported.reported(patterns[own["pattern"]], own["gap"], own["spread"])
        assert seen["names"] == [list(table["group"])] * 2
        for column, cells in ((own["way"], seen["shown"]), ("mean", seen["means"])):
            assert all(map(near, map(whole, cells), table[column])), own
        np.testing.assert_allclose(seen["bars"], 100 * table[own["way"]], rtol=0, atol=1e-3)
        np.testing.assert_allclose(seen["lines"], 100 * table["mean"], rtol=0, atol=1e-3)
        yes = 0 if own["way"] == "mean" else (table[own["way"]] * table["n"]).sum()
        assert seen["dots"] == table["n"].sum() and seen["filled"] == pytest.approx(yes)
        ends = table.iloc[[0, -1]]
        points = [
            abs(int(np.subtract(*map(reported.percent, ends[way])))) for way in (own["way"], "mean")
        ]
        told = [int(one) for one in re.findall(r"(\d+) points", seen["said"])]
        assert told == points[own["way"] == "mean" :], seen["said"]
        assert seen["slider"] == [
            reported.percent(1 / (1 + np.exp(-one)))
            for one in (
                own["gap"] * patterns[own["pattern"]].groups[0].position,
                own["gap"] * patterns[own["pattern"]].groups[-1].position,
                -own["spread"],
                own["spread"],
            )
        ]


def test_places_are_those_of_python(page, returned):
    page.run("document.getElementById('ap-tab-places').click()")
    census, rng = america.released_census(), np.random.default_rng(12)
    land = census.loc[america.tiles().index]
    settings = [
        {
            "network": int(rng.integers(len(returned.counts))),
            "hue": str(rng.choice(returned.groups)),
            "group": str(rng.choice(list(CENSUS))),
        }
        for _ in range(SETTINGS)
    ]
    shown = page.run(PLACES.replace("SETTINGS", json.dumps(settings)))
    for own, seen in zip(settings, shown, strict=True):
        lived = land[CENSUS[own["group"]]].to_numpy()
        found = placeless.beside(returned, own["network"], own["hue"], lived)
        shares = returned.of(own["network"], own["hue"])
        assert len(seen["returned"]) == len(shares) == len(seen["land"]) == 51
        assert all(map(near, map(int, seen["returned"]), shares)), own
        land_shown = [float(re.sub("[A-Z]", "", one)) for one in seen["land"]]
        assert max(abs(np.array(land_shown) - 100 * lived)) <= 0.05 + 1e-9, own
        assert (seen["over"], seen["under"]) == tuple(found[side] for side in SIDES)
        assert all(map(near, map(whole, seen["table"][:51]), shares))
        told = ["over" if one < found["share"] else "under" for one in lived]
        assert [one.split(", ")[1].partition("-")[0] for one in seen["table"][51:]] == told
        share, n, *ends = map(int, re.findall(r"\d+", seen["said"])[:4])
        assert near(share, found["share"]) and n == 51
        assert near(ends[0], found["least"]) and near(ends[1], found["most"])
        over, under = ({0: "none", 51: "all"}.get(found[side], found[side]) for side in SIDES)
        assert (
            f"{own['group']} people would be over-represented in {over} of the 51 places, and"
            f" under-represented in {under} of them: " in seen["said"]
        )
        assert ("one low share is enough" in seen["said"]) == (under == "all")
        assert ("one high share is enough" in seen["said"]) == (over == "all")


def test_what_the_buttons_set_gives_the_printed_answers_twice(page):
    numbers = (
        "['bars', 'strips'].map((name) => [...document.querySelectorAll(`.ap-${name} .ap-number`)]"
        ".map((one) => one.textContent))"
    )
    said = "document.querySelector('#ap-panel-answers .ap-apart').textContent"
    seen, points = [], []
    for number in (0, 1):
        page.run(f"document.querySelectorAll('#ap-panel-answers .ap-preset')[{number}].click()")
        seen.append(page.run(numbers))
        points.append([int(one) for one in re.findall(r"(\d+) points", page.run(said))])
    reports, means = zip(*seen, strict=True)
    assert points[0][0] == points[1][0] and points[0][1:] == points[1][:0:-1]
    assert reports[0] == reports[1] and means[0] != means[1]
    claims = [vb.ledger.claim(f"vqa.american.{one}.intro").value for one in ("white", "asian")]
    assert [reports[0][0], reports[0][-1]] == [f"{one}%" for one in claims]


def test_all_of_it_works_by_keyboard(page):
    focus, numbers = (
        "document.activeElement.id",
        f"{PLACE}.querySelector('.ap-strips tbody').textContent",
    )
    page.run("document.getElementById('ap-tab-answers').focus()")
    before = page.run(numbers)
    page.press("Tab")
    page.press("Tab")
    page.press("Enter")
    page.wait("document.getElementById('ap-spread').value === '2'")
    assert page.run("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert page.run(numbers) != before
    page.press("Tab")
    page.press("Tab")
    assert page.run(focus) == "ap-gap"
    before = page.run(numbers)
    page.press("ArrowLeft")
    page.wait(f"{numbers} !== {json.dumps(before)}")
    page.press("Tab")
    page.press("Tab")
    assert page.run(focus) == "ap-way-likeliest"
    page.press("ArrowUp")
    page.wait(f"{focus} === 'ap-way-sampled'")
    page.run("document.getElementById('ap-tab-answers').focus()")
    page.press("ArrowRight")
    page.wait(f"{focus} === 'ap-tab-places'")
    assert page.run("document.getElementById('ap-panel-answers').hidden")
    visited = []
    while not visited or visited[-1] != "ap-group":
        page.press("Tab")
        visited.append(page.run(focus))
        assert len(visited) < 10, visited
    assert visited[-3:] == ["ap-network", "ap-hue", "ap-group"]
    said = "document.querySelector('#ap-panel-places .ap-apart').textContent"
    before = page.run(said)
    page.press("ArrowDown")
    page.wait(f"{said} !== {json.dumps(before)}")


def test_it_can_be_heard(page):
    live = f"{PLACE}.querySelectorAll('[role=status], [aria-live], output').length"
    assert page.run(live) == 1
    status = f"{PLACE}.querySelector('[role=status]').textContent"
    page.wait(f"{status} !== ''")
    assert "“Yes”: 97% of A" in page.run(status)
    page.run("document.getElementById('ap-tab-places').click()")
    page.wait(f"{status}.includes('over-represented')")
    maps = page.run(
        f"[...{PLACE}.querySelectorAll('[role=img]')].map((one) => one.getAttribute('aria-label'))"
    )
    assert len(maps) == 2 and all("A map" in one and re.search(r"\d", one) for one in maps)
    silent = (
        f"[...{PLACE}.querySelectorAll('input, select')].filter((one) => !one.labels.length).length"
    )
    assert page.run(silent) == 0 and not page.errors


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("tab", ["answers", "places"])
def test_it_fits_a_phone_and_can_be_read(page, tab, mode):
    page.run(f"document.getElementById('ap-tab-{tab}').click()")
    page.run(f"(() => {{{AXE.read_text('utf-8')}}})()")
    page.run(
        "document.head.append(Object.assign(document.createElement('style'),"
        " { textContent: '* { transition: none !important; }' }))"
    )
    for width in (1280, 390):
        page.resize(width, mobile=width < 500)
        page.run(
            "document.documentElement.dataset.theme = document.documentElement.dataset.mode ="
            f" '{mode}'"
        )
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.run(wide) <= 0
        inside = (
            f"Math.max(...[...{PLACE}.querySelectorAll('*')].map((one) =>"
            f" one.getBoundingClientRect().right)) - {PLACE}.getBoundingClientRect().right"
        )
        assert page.run(inside) <= 0.5
        cut = (
            f"[...{PLACE}.querySelectorAll('.ap-map span')].filter((one) => one.scrollWidth >"
            " one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)"
            ".map((one) => one.textContent)"
        )
        assert page.run(cut) == []
        found = contrast(page, *CONTRAST)
        assert found["text"] >= 4.5 and found["marks"] >= 3, (width, found)
        wrong = page.run(
            f"axe.run({PLACE}, {{resultTypes: ['violations']}}).then((found) =>"
            " found.violations.map((one) => [one.id, one.nodes[0].html.slice(0, 120)]))"
        )
        assert wrong == []
    page.ask("Emulation.clearDeviceMetricsOverride")


def test_it_is_small_and_asks_for_nothing_else(page, site):
    own = page.run(
        "document.getElementById('american-play-data').textContent.length"
        " + document.querySelector('.ap-still').outerHTML.length"
    )
    files = (site / "_static" / "american-play").iterdir()
    assert own + sum(file.stat().st_size for file in files) <= 300_000
    asked = [address for address in page.requests if address.startswith(("http", "file"))]
    assert asked and [one for one in asked if not one.startswith(site.as_uri())] == []


def test_readers_without_scripts_see_both_standing_still(browser, site):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open((site / "book" / "american_white.html").as_uri())
    pictures = browser.run(
        "[...document.querySelectorAll('.ap-still img')].map((one) => [one.naturalWidth, one.alt])"
    )
    assert len(pictures) == 2 and all(width > 200 and alt for width, alt in pictures)
    assert "97 %" in pictures[0][1] and "of 51 places" in pictures[1][1]
    assert browser.run(f"{PLACE}.getBoundingClientRect().height") == 0
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
