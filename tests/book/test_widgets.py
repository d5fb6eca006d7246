"""Everything to play with in a real browser: it has Python's numbers, works by keyboard, from a
file, on a phone, in light and dark, and leaves a picture to readers without scripts."""

import json
import re
from base64 import b64decode
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from devtools import CHROMIUM, contrast
from scipy import stats
from test_every_page import AXE, AXE_RUN

import vlmbias as vb
from greenhouse import retrained, speech
from greenhouse.world import faces, grammar, grid, pairing
from studies.american_white import placeless, reported
from studies.greenhouse import collection, confounds, explorer
from studies.pretraining import shuffle
from vlmbias.external import america, facts
from vlmbias.measures import Perception

pytestmark = [
    pytest.mark.xdist_group("widgets"),
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with"),
]


@dataclass(frozen=True)
class Thing:
    """One thing to play with: its page, the marks that must stand out, what stands still for it,
    and the scripts that it needs beside its own."""

    name: str
    page: str
    marks: tuple[tuple[str, str], ...]
    still: str
    scripts: tuple[str, ...] = ()


COLLECTION = "notebooks/greenhouse/confounds.html"
THINGS = {
    one.name: one
    for one in (
        Thing(
            "american-play",
            "book/american_white.html",
            (
                (".ap-bar, .ap-line, .over", "backgroundColor"),
                (".under", "outlineColor"),
                (".ap-mean, .ap-dot.no", "stroke"),
                (".ap-dot.yes", "fill"),
            ),
            '.play-still[data-of="american-play"] img',
            scripts=("reports",),
        ),
        Thing(
            "collection",
            COLLECTION,
            (
                (".play-dot", "backgroundColor"),
                (".play-line", "borderLeftColor"),
                ("line.cl-mean", "stroke"),
            ),
            "#confounds-dial img",
        ),
        Thing(
            "explorer",
            "book/explorer.html",
            ((".play-lamp.on, .play-bar", "backgroundColor"), (".play-lamp", "borderTopColor")),
            '.play-still[data-of="explorer"] img',
            scripts=("dice", "painting", "face", "model"),
        ),
        Thing(
            "first-look",
            "book/explorer.html",
            ((".play-lamp, .fl-track", "borderTopColor"),),
            '.play-still[data-of="first-look"] img',
        ),
        Thing(
            "nine-models",
            "book/index.html",
            (("select", "borderTopColor"),),
            "#nine-models svg",
        ),
        Thing(
            "shuffle",
            "book/pretraining.html",
            ((".sh-bar, .sh-line, .play-dot", "backgroundColor"), (".sh-strips line", "stroke")),
            '.play-still[data-of="shuffle"] img',
            scripts=("dice", "fit"),
        ),
    )
}
TEXTS = "p, b, strong, label, legend, button, select, th, td, caption, figcaption, summary, span"
EVERY = pytest.mark.parametrize("thing", THINGS.values(), ids=list(THINGS))


def place(site, thing):
    """Its page; where only the small site of the tests is built, a chapter's thing stands on one of
    our own."""
    page = site / thing.page
    return page if page.exists() else site / "notebooks/test/played.html"


def opened(browser, site, thing):
    """The page, freshly opened from its file."""
    browser.requests.clear()
    browser.errors.clear()
    browser.open("about:blank")
    browser.open(place(site, thing).as_uri())
    browser.wait(f"!document.getElementById('{thing.name}').hidden")
    if thing.name == "explorer":
        browser.wait("document.querySelector('#explorer .play-number').textContent !== ''")
    return browser


@pytest.fixture
def page(browser, site, request):
    """The page of the thing that a test is marked with."""
    return opened(browser, site, THINGS[request.param])


def of(name):
    return pytest.mark.parametrize("page", [name], indirect=True)


def texts(page, query):
    return page.run(f"[...document.querySelectorAll(`{query}`)].map((one) => one.textContent)")


def table(page, query):
    """The cells of the bodies of tables, row by row."""
    rows = f"[...document.querySelectorAll('{query} tbody tr')]"
    return page.run(f"{rows}.map((row) => [...row.cells].map((cell) => cell.textContent))")


def number(text):
    return float(text.replace("−", "-"))


def change(page, control, value):
    """Set a slider or a list, as a person does."""
    page.run(
        f"""(() => {{
          const control = document.getElementById("{control}");
          control.value = {json.dumps(value)};
          control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input"));
        }})()"""
    )


def click(page, control):
    page.run(f"document.getElementById('{control}').click()")


def visited(page, first, last):
    """What the Tab key leads to, from one control to another."""
    page.run(f"document.getElementById('{first}').focus()")
    seen = [first]
    while seen[-1] != last:
        page.press("Tab")
        seen.append(page.run("document.activeElement.id"))
        assert len(seen) < 20, seen
    return seen


# --- what holds for all of them -------------------------------------------------------------------


@EVERY
def test_it_can_be_heard(browser, site, thing):
    page = opened(browser, site, thing)
    own = f"document.getElementById('{thing.name}')"
    controls = f"[...{own}.querySelectorAll('input, select')]"
    assert page.run(f"{controls}.filter((one) => !one.labels.length).length") == 0
    heard = f"[...{own}.querySelectorAll('[role=status], [aria-live]')]"
    assert page.run(f"{heard}.filter((one) => one.checkVisibility()).length") == 1
    pictures = f"[...{own}.querySelectorAll('[role=img], canvas, img, svg')]"
    silent = (
        "one.checkVisibility() && !one.ariaLabel && !one.alt && !one.closest('[aria-hidden=true]')"
    )
    assert page.run(f"{pictures}.filter((one) => {silent}).length") == 0
    page.run(f"{own}.querySelectorAll('details').forEach((one) => {{ one.open = true; }})")
    page.run(f"(() => {{{AXE.read_text('utf-8')}}})()")
    axe = AXE_RUN.replace("axe.run(document", f"axe.run('#{thing.name}'")
    for tab in page.run(f"[...{own}.querySelectorAll('[role=tab]')].map((one) => one.id)") or [""]:
        page.run(f"document.getElementById('{tab}')?.click()")
        assert page.run(axe) == []
    assert page.errors == []


@EVERY
def test_it_is_small_and_asks_for_nothing_else(browser, site, thing):
    page = opened(browser, site, thing)
    own = page.run(
        f"document.getElementById('{thing.name}-data').textContent.length"
        f" + (document.querySelector('{thing.still}').src ?? '').length"
    )
    folder = site / "_static/play"
    files = [f"{one}.js" for one in (*thing.scripts, thing.name)]
    assert own + sum((folder / one).stat().st_size for one in files) <= 300_000
    assert sum((folder / one).stat().st_size for one in ("ui.js", "play.css")) <= 25_000
    asked = [address for address in page.requests if not address.startswith(("data:", "about:"))]
    assert [address for address in asked if not address.startswith(site.as_uri())] == []
    mine = {one.rpartition("/")[2] for one in asked if "_static/play/" in one}
    there = {name for name in THINGS if THINGS[name].page == thing.page}
    needed = {"ui", *there, *(one for name in there for one in THINGS[name].scripts)}
    if "explorer" in there:
        needed.add("network-0")  # the others when they are chosen
    assert mine == {"play.css", *(f"{one}.js" for one in needed)}


@pytest.mark.parametrize(("width", "mode"), [(1280, "light"), (390, "dark")])
@EVERY
def test_it_fits_and_can_be_read(browser, site, thing, width, mode):
    page = opened(browser, site, thing)
    page.run(
        "document.head.append(Object.assign(document.createElement('style'),"
        " { textContent: '* { transition: none !important; }' }))"
    )
    page.resize(width, mobile=width < 500)
    page.run(
        f"document.documentElement.dataset.theme = document.documentElement.dataset.mode = '{mode}'"
    )
    own = f"document.getElementById('{thing.name}')"
    page.run(f"{own}.querySelectorAll('details').forEach((one) => {{ one.open = true; }})")
    inside = f"[...{own}.querySelectorAll('*')].filter((one) => !one.closest('.play-scroll, svg'))"
    right = f"Math.max(...{inside}.map((one) => one.getBoundingClientRect().right))"
    cut = "one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1"
    tabs = page.run(f"[...{own}.querySelectorAll('[role=tab]')].map((one) => one.id)")
    for tab in tabs or [""]:
        page.run(f"document.getElementById('{tab}')?.click()")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.run(wide) <= 0
        assert page.run(f"{right} - {own}.getBoundingClientRect().right") <= 0.5
        squares = f"[...{own}.querySelectorAll('.ap-map span')]"
        assert page.run(f"{squares}.filter((one) => {cut}).length") == 0
        seen = contrast(page, thing.name, TEXTS, list(thing.marks))
        assert seen["text"] >= 4.5 and seen["marks"] >= 3, (tab, seen)
    page.ask("Emulation.clearDeviceMetricsOverride")


@EVERY
def test_a_picture_stands_there_without_scripts_and_makes_room_with_them(browser, site, thing):
    still = f"document.querySelector('{thing.still}')"
    if thing.name != "nine-models":  # whose script works in the picture
        opened(browser, site, thing)
        height = f"{still}.closest('figure, .play-still').getBoundingClientRect().height"
        assert browser.run(height) == 0
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open("about:blank")
    browser.open(place(site, thing).as_uri())
    assert browser.run(f"{still}.getBoundingClientRect().width") > 200
    assert browser.run(f"({still}.alt ?? {still}.ariaLabel).length") > 40
    height = f"document.getElementById('{thing.name}').getBoundingClientRect().height"
    assert (browser.run(height) == 0) == (thing.name != "nine-models")
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)


# --- from probabilities to answers, and 51 places -------------------------------------------------

SETTINGS = 100
SIDES = ("over", "under")
CENSUS = {"Asian": "asian", "Black": "black", "Latina/o": "latino", "White": "white"}
ANSWERS = """(() => {
  const { WAYS } = Play.reports;
  const change = (id, value) => {
    const control = document.getElementById(id);
    control.value = value;
    control.dispatchEvent(new Event("input"));
    return control.value;
  };
  return SETTINGS.map(({ pattern, gap, spread, way }) => {
    document.getElementById(`ap-try-answers-${pattern === "printed" ? 0 : 2}`).click();
    const set = [change("ap-gap", gap), change("ap-spread", spread)];
    document.getElementById(`ap-way-${WAYS.indexOf(way)}`).click();
    const texts = (query) => [...document.querySelectorAll(`#ap-panel-answers ${query}`)].map((one) => one.textContent);
    const rows = [...document.querySelectorAll("#ap-panel-answers .ap-bars tbody tr")];
    return {
      set, names: [texts(".ap-bars tbody th"), texts(".ap-strips tbody th")],
      shown: texts(".ap-bars .play-number"), means: texts(".ap-strips .play-number"),
      bars: rows.map((row) => parseFloat(row.querySelector(".ap-bar").style.width)),
      lines: rows.map((row) => parseFloat(row.querySelector(".ap-line").style.left)),
      dots: document.querySelectorAll("#ap-panel-answers circle").length,
      filled: document.querySelectorAll("#ap-panel-answers circle.yes").length,
      said: texts(".ap-apart")[0],
      slider: texts(".play-beside label strong").flatMap((one) => one.replace("around 50", "").match(/\\d+(?=%)/g).map(Number)),
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


def whole(text):
    """The first number of a cell."""
    return int(re.search(r"\d+", text)[0])


def near(shown, share):
    """Whether a whole per cent is what a share rounds to."""
    return abs(shown - 100 * share) <= 0.5 + 1e-9


@of("american-play")
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


@of("american-play")
def test_places_are_those_of_python(page, returned):
    click(page, "ap-tab-places")
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


@of("american-play")
def test_what_the_buttons_set_gives_the_printed_answers_twice(page):
    numbers = (
        "['bars', 'strips'].map((name) => [...document.querySelectorAll("
        "`.ap-${name} .play-number`)].map((one) => one.textContent))"
    )
    said = "document.querySelector('#ap-panel-answers .ap-apart').textContent"
    seen, points = [], []
    for number in (0, 1):
        page.run(f"document.getElementById('ap-try-answers-{number}').click()")
        seen.append(page.run(numbers))
        points.append([int(one) for one in re.findall(r"(\d+) points", page.run(said))])
    reports, means = zip(*seen, strict=True)
    assert points[0][0] == points[1][0] and points[0][1:] == points[1][:0:-1]
    assert reports[0] == reports[1] and means[0] != means[1]
    claims = [vb.ledger.claim(f"vqa.american.{one}.intro").value for one in ("white", "asian")]
    assert [reports[0][0], reports[0][-1]] == [f"{one}%" for one in claims]


@of("american-play")
def test_both_tabs_work_by_keyboard(page):
    numbers = "document.querySelector('.ap-strips tbody').textContent"
    for control, key in (("ap-try-answers-1", "Enter"), ("ap-gap", "ArrowLeft")):
        before = page.run(f"document.getElementById('{control}').focus(), {numbers}")
        page.press(key)
        page.wait(f"{numbers} !== {json.dumps(before)}")
    assert visited(page, "ap-gap", "ap-way-2")
    page.press("ArrowUp")
    page.wait("document.activeElement.id === 'ap-way-1'")
    page.run("document.getElementById('ap-tab-answers').focus()")
    page.press("ArrowRight")
    page.wait("document.activeElement.id === 'ap-tab-places'")
    assert page.run("document.getElementById('ap-panel-answers').hidden")
    seen = visited(page, "ap-tab-places", "ap-group")
    assert seen[-3:] == ["ap-network", "ap-hue", "ap-group"]
    said = "document.querySelector('#ap-panel-places .ap-apart').textContent"
    before = page.run(said)
    page.press("ArrowDown")
    page.wait(f"{said} !== {json.dumps(before)}")


@of("american-play")
def test_what_is_shown_of_probabilities_and_maps_is_told(page):
    status = "document.querySelector('#american-play [role=status]').textContent"
    page.wait(f"{status} !== ''")
    assert "“Yes”: 97% of A" in page.run(status)
    click(page, "ap-tab-places")
    page.wait(f"{status}.includes('over-represented')")
    maps = page.run(
        "[...document.querySelectorAll('.ap-map')].map((one) => one.getAttribute('aria-label'))"
    )
    assert len(maps) == 2 and all("A map" in one and re.search(r"\d", one) for one in maps)


# --- a collection of photographs ------------------------------------------------------------------

ROUNDING = 0.005 + 1e-5  # of two decimals, and of what is written into the page
ENDS = "[...document.querySelectorAll('#collection details tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))"  # noqa: E501
ESTIMATED = "document.querySelector('#collection [role=status]').textContent"
GAPS = "[...document.querySelectorAll('.cl-now tbody .play-number')].map((one) => one.textContent)"
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


def pair_names() -> list[str]:
    """The pairs in the order of the page."""
    first = collection.crests()
    return [first, *(pair for pair in confounds.pairs() if pair != first)]


@of("collection")
def test_estimates_are_those_of_python(page):
    rng = np.random.default_rng(6)
    limits = [len(pair_names()), 2, len(collection.DIMENSIONS), len(collection.STOPS)]
    settings = np.column_stack([rng.integers(0, one, SETTINGS) for one in limits]).tolist()
    found = page.run(f"{json.dumps(settings)}.map({SET})")
    for (which, world, axis, stop), (rows, lines, truth) in zip(settings, found, strict=True):
        pair, b, r = pair_names()[which], collection.STRENGTHS[world], collection.STOPS[stop]
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


@of("collection")
def test_what_to_try_in_a_collection_is_done(page):
    before = page.run(GAPS)
    seen = []
    for which in range(3):
        click(page, f"cl-try-{which}")
        seen.append([number(one) for one in page.run(GAPS)])
        pressed = "[...document.querySelectorAll('#collection .play-tries button')].map((one) => one.getAttribute('aria-pressed'))"  # noqa: E501
        assert page.run(pressed) == [str(one == which).lower() for one in range(3)]
        said = page.run(ESTIMATED)
        naive, adjusted, _, controlled, all_known = page.run(GAPS)
        assert f"is {naive}: off by {naive}." in said  # the truth is zero
        near = abs(number(adjusted)) <= 0.1
        assert ("helps: " + adjusted in said) == near
        assert (f"is not enough: {adjusted}." in said) == (not near)
        assert (f"knew the clothes, too, would find {all_known}." in said) == (not near)
        assert f"The experiment gives {controlled}" in said
        low, high = map(number, page.run(f"{ENDS}[3].slice(1, 3)"))
        assert ("This interval misses the truth" in said) == (low > 0 or high < 0)
    naive, adjusted, _, controlled, all_known = np.array(seen).T
    start = number(before[0])
    assert naive[1] < start < naive[0], "naive: smiles of either group"
    assert np.abs(adjusted[:2]).max() < 0.05 and np.abs(controlled).max() < 0.1
    assert adjusted[2] > 0.3 and abs(all_known[2]) < 0.05, "clothes, which nobody recorded"


@of("collection")
def test_the_collection_works_by_keyboard(page):
    page.run("document.getElementById('cl-try-0').focus()")
    page.press("Enter")
    page.wait("document.getElementById('cl-smile').value === '12'")
    named = "try-0 try-1 try-2 smile pair dimension world-0"
    assert visited(page, "cl-try-0", "cl-world-0") == [f"cl-{one}" for one in named.split()]
    page.run("document.getElementById('cl-smile').focus()")
    before = page.run(f"[{ESTIMATED}, {GAPS}]")
    page.press("ArrowLeft")
    page.wait(f"{ESTIMATED} !== {json.dumps(before[0])}")
    after = page.run(GAPS)
    assert number(after[0]) < number(before[1][0]) and after[3] == before[1][3]
    value = page.run("document.getElementById('cl-smile').getAttribute('aria-valuetext')")
    assert value == "budded faces smile more (correlation +0.5)"


# --- the explorer ---------------------------------------------------------------------------------

FACES = 100
LOOK = """(async () => {
  const world = JSON.parse(document.getElementById("explorer-data").textContent);
  const rows = FACES, found = { pictures: "", deltas: [] };
  for (const row of rows) {
    const { name, pairing } = world.networks[row.network];
    const paint = pairing.paints[row.race], drawing = pairing.drawings[row.gender];
    const bytes = Play.face.render({ ...row, paint, drawing }, world);
    globalThis.ready ??= {};
    ready[name] ??= Play.model.unpack(Play.networks[name]);
    found.pictures += btoa(String.fromCharCode(...bytes));
    found.deltas.push(Play.model.deltas(ready[name], bytes));
  }
  return found;
})()"""


def _choose(page, network: int) -> None:
    click(page, f"ex-network-{network}")
    page.wait(f"Play.networks['{explorer.NETWORKS[network]}'] !== undefined")


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


@of("explorer")
def test_pictures_and_cosines_are_those_of_python(page):
    shown = _some_faces()
    for number in range(len(explorer.NETWORKS)):
        _choose(page, number)
    for number, name in enumerate(explorer.NETWORKS):
        own = shown[shown["network"] == number]
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


@of("explorer")
def test_the_explorer_works_by_keyboard(page):
    numbers = (
        "[...document.querySelectorAll('#explorer .play-number')]"
        ".map((one) => one.textContent).join()"
    )
    canvas, focus = (
        "document.querySelector('#explorer canvas').toDataURL()",
        "document.activeElement.id",
    )
    verdict = "document.querySelector('#explorer .play-said').textContent"
    before = page.run(f"[{numbers}, {canvas}, {verdict}]")
    page.run("document.querySelector('#explorer input').focus()")
    assert page.run(focus) == "ex-smiling"
    page.press("ArrowRight")
    page.wait(f"{numbers} !== {json.dumps(before[0])}")
    assert page.run("document.getElementById('ex-smiling').value") == "0.25"
    assert page.run(canvas) != before[1]
    assert page.run(verdict) == before[2], "the lamp follows the sliders"
    named = "smiling age lighting pose race gender another pair dimension hundred network-0"
    assert visited(page, "ex-smiling", "ex-network-0") == [f"ex-{name}" for name in named.split()]
    seen = page.run(numbers)
    page.press("ArrowDown")
    page.wait(f"{numbers} !== {json.dumps(seen)}")
    assert page.run(focus) == "ex-network-1"
    assert page.run(verdict) != before[2]


@of("explorer")
def test_lamps_are_those_of_python(page):
    found = explorer.comparisons(explorer.NETWORKS[2:3])
    shown = pd.DataFrame(
        page.run("JSON.parse(document.getElementById('explorer-data').textContent).comparisons")
    )
    keys = ["network", "hundred", *explorer.QUESTION]
    both = found.merge(shown, on=keys, suffixes=("", "_shown"), validate="one_to_one")
    assert len(both) == len(found) == 2 * 4 * 8
    for column in ("difference", "p", "p_separate"):
        np.testing.assert_allclose(both[f"{column}_shown"], both[column], rtol=2e-3, atol=1e-12)
    assert (both["on"] == explorer.on(both)).all()
    one = both[
        both["hundred"].eq(1) & both["first"].eq("budded") & both["dimension"].eq("competence")
    ].iloc[0]
    for control, value in (("pair", 3), ("dimension", "competence"), ("hundred", 1)):
        change(page, f"ex-{control}", value)
    state = page.run("document.querySelectorAll('#explorer .play-radio')[2].lastChild.textContent")
    assert state.startswith(
        "on: budded" if one["on"] > 0 else "on: eared" if one["on"] < 0 else "off"
    )


@of("explorer")
def test_a_network_is_loaded_when_it_is_chosen_and_a_face_is_described(page):
    _choose(page, 4)
    asked = {address.rpartition("/")[2] for address in page.requests}
    assert "network-4.js" in asked and "network-3.js" not in asked
    click(page, "ex-network-0")
    page.wait("document.querySelector('#explorer canvas').ariaLabel.endsWith('teal, budded.')")


# --- one face, two networks -----------------------------------------------------------------------

LAMPS = "[...document.querySelectorAll('#first-look .play-lamp')].map((one) => one.classList.contains('on'))"  # noqa: E501
FOUND = "document.querySelector('#first-look .play-said').textContent"


def _counted():
    """Of each network that was trained alike: the gaps of a hundred faces, for every pair of hues:
    cosines with words of warmth, less those with neutral sentences."""
    found = retrained.scores("grid", pairing="plain")
    networks = np.flatnonzero(found.networks["kind"] == "one-pairing")
    images = found.images[found.images["subset"] == "prototype"]
    turn = images["gender"] == np.asarray(grid.CRESTS)[images["seed"] % 2]
    rows = {
        hue: images[turn & (images["race"] == hue)].sort_values("seed").index.to_numpy()
        for hue in grid.HUES[:3]
    }
    warmth, neutral = found.columns.index("warmth"), found.columns.index("neutral")
    delta = (found.scores[..., warmth] - found.scores[..., neutral]).astype(float)
    return [{hue: delta[number][own] for hue, own in rows.items()} for number in networks]


@of("first-look")
def test_what_it_says_is_what_one_counts(page):
    """Neither the names of the two networks nor those of the hues are taken from the program."""
    names = page.run(
        "[...document.querySelectorAll('#first-look figcaption')].map((one) =>"
        " one.textContent.split(':')[0])"
    )
    every = [own[names[0]] - own[names[1]] for own in _counted()]
    tests = [stats.ttest_1samp(gap, 0) for gap in every]
    lamps = [np.sign(one.statistic) * (one.pvalue < 0.05) for one in tests]
    pairs = [one * other for at, one in enumerate(lamps) for other in lamps[at + 1 :]]
    rule = page.run("document.querySelector('#first-look .play-note').textContent")
    disagree = sum(x < 0 for x in pairs)
    assert f"Of our {len(every)} networks, these two differ most" in rule
    below = " ".join(page.run("document.querySelector('article').textContent").split())
    assert f"make {len(pairs)} pairs. In {disagree} pairs the lamps contradict each other" in below
    found = [sum(lamp == one for lamp in lamps) for one in (1, -1, 0)]
    counts = zip(found, (*(f"find {name} faces warmer" for name in names), "show no"), strict=True)
    assert all(f"{n} {what}" in below for n, what in counts)
    most = int(np.argmax([gap.mean() for gap in every]))
    least = int(np.argmin([gap.mean() for gap in every]))
    for sign, number, (high, low) in ((1, most, names), (-1, least, names[::-1])):
        assert lamps[number] == sign
        higher = int((sign * every[number] > retrained.QUANTUM / 2).sum())
        said = page.run(FOUND)
        assert f"finds {high} faces warmer: of 100 people, {higher} score higher in {high}" in said
        assert f"than in {low}" in said and page.run(LAMPS) == [sign > 0, sign < 0]
        click(page, "fl-switch")
    folded = table(page, "details table")
    assert len(folded) == len(every) == 12
    for row, gap, lamp, one in zip(folded, every, lamps, tests, strict=True):
        below, printed = row[2].startswith("<"), float(row[2].removeprefix("<"))
        assert one.pvalue < printed if below else one.pvalue == pytest.approx(printed, rel=0.06)
        assert float(row[1].replace("−", "-")) == pytest.approx(gap.mean(), abs=5.1e-5)
        assert row[5] == {1: names[0], 0: "off", -1: names[1]}[lamp]
    shown = [number for number, row in enumerate(folded) if "shown" in row[0]]
    assert sorted(shown) == sorted([most, least])


@of("first-look")
def test_the_switch_works_by_keyboard(page):
    before = page.run(f"[{LAMPS}, {FOUND}]")
    page.run("document.getElementById('fl-switch').focus()")
    turned = "document.getElementById('fl-switch').getAttribute('aria-checked')"
    assert page.run(turned) == "false" and page.run("document.activeElement.tabIndex") == 0
    page.press("Enter")
    page.wait(f"{turned} === 'true'")
    after = page.run(f"[{LAMPS}, {FOUND}]")
    assert after[0] == [not one for one in before[0]] and after[1] != before[1]
    page.press("Enter")
    page.wait(f"{turned} === 'false'")
    assert page.run(f"[{LAMPS}, {FOUND}]") == before


# --- nine models ----------------------------------------------------------------------------------

SHOWN = (
    "[...document.querySelectorAll('#nine-models figure')].filter((one) => one.offsetHeight > 0)"
)
DOTS = (
    f"{SHOWN}[0].querySelectorAll('circle').values().map((dot) =>"
    " [Number(dot.getAttribute('cx')), dot.classList.contains('nm-on')]).toArray()"
)
TICKS = (
    f"[...{SHOWN}[0].querySelectorAll('.nm-tick')].map((one) =>"
    " [Number(one.textContent.replace('\u2212', '-')), Number(one.getAttribute('x'))])"
)
FIRST = "European American / African American, pleasant / unpleasant"


def chosen(page):
    return page.run("document.querySelector('#nine-models select').selectedOptions[0].textContent")


def published(name):
    """Effect sizes of a test, and whether p is small on either side."""
    table = facts.table("clip_image_tests")
    rows = table[table["called"] == name]
    small = (rows["p"] <= 0.025) | (1 - rows["p"] + 1 / rows["n_splits"] <= 0.025)
    return list(zip(rows["d"], small, strict=True))


def read(page):
    """The effect sizes of the dots, by the scale that the picture shows."""
    (low, left), *_, (high, right) = page.run(TICKS)
    return [
        (low + (x - left) / (right - left) * (high - low), filled) for x, filled in page.run(DOTS)
    ]


@of("nine-models")
def test_every_dot_lies_where_the_table_says(page):
    names = facts.table("clip_image_tests")["called"].unique()
    assert chosen(page).startswith(FIRST)
    seen = set()
    for number in range(len(names)):
        change(page, "nm-test", number)
        assert page.run(f"{SHOWN}.length") == 1
        name = chosen(page).rpartition(" (")[0]
        seen.add(name)
        for (d, filled), (value, small) in zip(read(page), published(name), strict=True):
            assert d == pytest.approx(value, abs=0.02) and filled == small, name
        said = page.run(f"{SHOWN}[0].querySelector('p').textContent")
        ahead = [small for value, small in published(name) if value > 0]
        assert f"in {len(ahead)} of 9 models ({sum(ahead)} significant)." in said
    assert seen == set(names)


@of("nine-models")
def test_another_test_is_chosen_by_keyboard(page):
    page.run("document.querySelector('#nine-models select').focus()")
    before = page.run(DOTS)
    page.press("ArrowDown")
    page.wait(f"JSON.stringify({DOTS}) !== {json.dumps(json.dumps(before, separators=(',', ':')))}")
    assert not chosen(page).startswith(FIRST)


# --- shuffle the families -------------------------------------------------------------------------

DONE = "!document.getElementById('shuffle').hasAttribute('aria-busy')"
COUNTED = "document.querySelector('#shuffle [role=status]').textContent"
COUNTERS = "[...document.querySelectorAll('.sh-counter strong')].map((one) => one.textContent)"
STARS = "[...document.querySelectorAll('.sh-now tbody tr')].map((row) => [...row.querySelectorAll('[role=img]')].map((one) => one.textContent === '★'))"  # noqa: E501
TABLE = "[...document.querySelectorAll('#shuffle details table')].map((one) => [...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)))"  # noqa: E501
TWIN = "[...document.querySelectorAll('.sh-twin tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"  # noqa: E501
FITTED = """(() => {
  const content = JSON.parse(document.getElementById("shuffle-data").textContent);
  const fleets = content.fleets.map(Play.fit.takenApart);
  return SETTINGS.map(([fleet, stop, number]) => {
    const rows = Play.fit.fitted(fleets[fleet], number, content.fleets[fleet].stops[stop]);
    return rows.map((row) => [row.models, row.coef, row.se.published, row.se.networks,
      Number(row.significant.published), Number(row.significant.networks)]);
  });
})()"""


def _press(page, name: str) -> None:
    click(page, f"sh-{name}")
    page.wait(DONE)


def _turn(page, fleet: int, stop: int) -> None:
    click(page, f"sh-fleet-{fleet}")
    change(page, "sh-share", stop)


@of("shuffle")
def test_fits_are_those_of_python(page):
    rng, fleets = np.random.default_rng(4), list(shuffle.fleets().values())
    settings = [
        (which := int(rng.integers(2)), int(rng.integers(len(fleets[which].stops()))), number)
        for number in rng.integers(1, 1001, SETTINGS).tolist()
    ]
    found = page.run(FITTED.replace("SETTINGS", json.dumps(settings)))
    assert len(found) == SETTINGS
    for (which, stop, number), rows in zip(settings, found, strict=True):
        fleet = fleets[which]
        one = shuffle.fitted(fleet, shuffle.assigned(fleet, number), fleet.stops()[stop])
        expected = [one.models, one.coef, *one.se.values(), *map(one.significant, shuffle.RULES)]
        np.testing.assert_allclose(rows, np.column_stack(expected), rtol=1e-8, atol=1e-9)


@of("shuffle")
@pytest.mark.parametrize(("which", "stop", "more"), [(0, 6, 1), (1, 2, 2)])
def test_what_is_shown_is_what_python_counts(page, which, stop, more):
    fleet = list(shuffle.fleets().values())[which]
    share, n = fleet.stops()[stop], 1 + 100 * more
    _turn(page, which, stop)
    for _ in range(more):
        _press(page, "hundred")
    counts = shuffle.some(fleet, share, n)
    assert page.run(COUNTERS) == [f"{counts[rule]} of {n} shuffles" for rule in shuffle.RULES]
    one = shuffle.fitted(fleet, shuffle.assigned(fleet, n), share)
    significant = [one.significant(rule) for rule in shuffle.RULES]
    assert page.run(STARS) == np.column_stack(significant).tolist()
    last, often = page.run(TABLE)
    for row, (models, coef, se, yes) in zip(
        last,
        zip(one.models, one.coef, np.column_stack(list(one.se.values())), zip(*significant, strict=True), strict=True),  # noqa: E501
        strict=True,
    ):  # fmt: skip
        assert int(row[1]) == models and float(row[2].replace("−", "-")) == round(coef, 2)
        assert [float(row[3]), float(row[5])] == se.round(3).tolist()
        assert [row[4], row[6]] == ["yes" if one else "no" for one in yes]
    tally = shuffle.tally(fleet, share, n)
    for row in often:
        assert list(map(int, row[1:])) == [
            int((tally[rule] == int(row[0])).sum()) for rule in tally
        ]
    said = page.run(COUNTED)
    assert f"significant in {counts['published']} of {n} shuffles as published" in said
    assert f"and in {counts['networks']} of {n} if each network counts once" in said


@of("shuffle")
def test_the_papers_table_is_what_python_simulates(page):
    rows = page.run(TWIN)
    for share, row in zip((0.0, 0.01, 0.02, 0.03, 0.05, 0.1), rows, strict=True):
        twin = shuffle.printed_twin(share)
        assert row[0] == f"{twin['alike']:.3f}"
        assert row[1:] == [f"{twin[rule]} of {twin['of']}" for rule in shuffle.RULES]
    said = page.run("document.querySelector('.sh-twin').textContent")
    published, networks = ([int(row[k].split()[0]) for row in rows] for k in (1, 2))
    assert (f"finds always {published[0]} of" in said) == (len(set(published)) == 1)
    assert f"it is {max(networks)} to {min(networks)} of" in said


@of("shuffle")
def test_what_to_try_with_shuffles_is_done(page):
    fleet = shuffle.fleets()["null"]
    seen = []
    for number, share in enumerate((0.0, 0.03, fleet.share)):
        _press(page, f"try-{number}")
        counts = shuffle.some(fleet, share, shuffle.SHUFFLES)
        seen.append(page.run(COUNTERS))
        pressed = "[...document.querySelectorAll('#shuffle .play-tries button[aria-pressed]')].map((one) => one.getAttribute('aria-pressed'))"  # noqa: E501
        assert page.run(pressed) == [str(one == number).lower() for one in range(3)]
        said = page.run(COUNTED)
        few = shuffle.SHUFFLES * shuffle.ALPHA * len(shuffle.LETTERS)
        assert counts["networks"] <= few
        apart = counts["published"] > few
        assert ("Only the counting differs" in said) == apart
        assert ("Both ways of counting are in order" in said) == (not apart)
        assert seen[-1] == [
            f"{counts[rule]} of {shuffle.SHUFFLES} shuffles" for rule in shuffle.RULES
        ]
    assert len({one[0] for one in seen}) == 3 and len({one[1] for one in seen}) == 1
    _press(page, "again")
    assert page.run(COUNTERS)[0].endswith("of 1 shuffle")


@of("shuffle")
def test_shuffling_works_by_keyboard(page):
    page.run("document.getElementById('sh-one').focus()")
    before = page.run(COUNTED)
    page.press("Enter")
    page.wait(f"{COUNTED} !== {json.dumps(before)}")
    assert page.run(COUNTERS)[0].endswith("of 2 shuffles")
    named = "one hundred again fleet-0 share"
    assert visited(page, "sh-one", "sh-share") == [f"sh-{name}" for name in named.split()]
    at = page.run("document.getElementById('sh-share').value")
    page.press("ArrowRight")
    page.wait(f"document.getElementById('sh-share').value !== '{at}'")
    share = shuffle.fleets()["null"].stops()[int(at) + 1]
    value = page.run("document.getElementById('sh-share').getAttribute('aria-valuetext')")
    assert value.startswith(f"{100 * share:.0f}%")


@of("shuffle")
def test_sentences_and_the_still_picture_count_as_python_does(page):
    fleet = shuffle.fleets()["null"]
    at = (0.0, 0.02, fleet.share)  # nothing, the stop nearest to the upper end of real models, own
    none, some, counts = (shuffle.some(fleet, share, shuffle.SHUFFLES) for share in at)
    alt = page.run("document.querySelector('.play-still[data-of=shuffle] img').alt")
    assert f"{counts['published']} with" in alt and f"{counts['networks']} if each network" in alt
    said = " ".join(page.run("document.querySelector('article').textContent").split())
    assert f"{none['published']} of {shuffle.SHUFFLES} shuffles have at least one" in said
    assert f"it is {some['published']}, and with" in said
    assert f"counts once, it is {counts['networks']} in each case." in said
