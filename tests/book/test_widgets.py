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
from test_every_page import AXE, AXE_RUN, LOOK

import vlmbias as vb
from greenhouse import retrained, speech
from greenhouse.world import faces, grammar, grid, pairing
from studies.american_white import placeless, reported
from studies.greenhouse import collection, confounds, explorer, two_networks
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
    keys that change what it shows (control and key, in this order), and the ids of controls that
    the Tab key leads through."""

    name: str
    page: str
    marks: tuple[tuple[str, str], ...]
    still: str
    keys: tuple[tuple[str, str], ...]
    stops: str = ""


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
            (
                ("ap-try-answers-1", "Enter"),
                ("ap-gap", "ArrowLeft"),
                ("ap-way-2", "ArrowUp"),
                ("ap-tab-answers", "ArrowRight"),
                ("ap-group", "ArrowDown"),
            ),
            "ap-network ap-hue ap-group",
        ),
        Thing(
            "collection",
            "notebooks/greenhouse/confounds.html",
            (
                (".play-dot", "backgroundColor"),
                (".play-line", "borderLeftColor"),
                ("line.cl-mean", "stroke"),
            ),
            "#confounds-dial img",
            (("cl-try-0", "Enter"), ("cl-smile", "ArrowLeft")),
            "cl-try-0 cl-try-1 cl-try-2 cl-smile cl-pair cl-dimension cl-world-0",
        ),
        Thing(
            "explorer",
            "book/explorer.html",
            ((".play-lamp.on, .play-bar", "backgroundColor"), (".play-lamp", "borderTopColor")),
            '.play-still[data-of="explorer"] img',
            (("ex-smiling", "ArrowRight"), ("ex-pair", "ArrowDown"), ("ex-network-0", "ArrowDown")),
            "ex-smiling ex-age ex-lighting ex-pose ex-race ex-gender ex-another ex-pair"
            " ex-dimension ex-hundred",
        ),
        Thing(
            "first-look",
            "book/explorer.html",
            ((".play-lamp, .fl-track", "borderTopColor"),),
            '.play-still[data-of="first-look"] img',
            (("fl-switch", "Enter"),),
        ),
        Thing(
            "nine-models",
            "book/index.html",
            (("select", "borderTopColor"),),
            "#nine-models svg",
            (("nm-test", "ArrowDown"),),
        ),
        Thing(
            "shuffle",
            "book/pretraining.html",
            ((".sh-bar, .sh-line, .play-dot", "backgroundColor"), (".sh-strips line", "stroke")),
            '.play-still[data-of="shuffle"] img',
            (("sh-one", "Enter"), ("sh-share", "ArrowRight")),
            "sh-one sh-hundred sh-again sh-fleet-0 sh-share",
        ),
    )
}
SILENT = ("ex-smiling",)  # the lamp and its verdict are about a hundred other faces
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


def table(page, query):
    """The cells of the bodies of tables, row by row."""
    rows = f"[...document.querySelectorAll('{query} tbody tr')]"
    return page.run(f"{rows}.map((row) => [...row.cells].map((cell) => cell.textContent))")


def number(text):
    return float(text.replace("−", "-"))


# `change` sets a slider or a list, as a person does
SCRIPT = """(() => {
  const texts = (query) => [...document.querySelectorAll(query)].map((one) => one.textContent);
  const change = (id, value) => {
    const control = document.getElementById(id);
    control.value = value;
    control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input"));
    return control.value;
  };
  return GIVEN.map(EACH);
})()"""


def each(page, given, function):
    """What a JavaScript function gives of each setting."""
    return page.run(SCRIPT.replace("GIVEN", json.dumps(given)).replace("EACH", function))


def change(page, control, value):
    each(page, [value], f"(value) => change('{control}', value)")


def click(page, control):
    page.run(f"document.getElementById('{control}').click()")


def pressed(page):
    """Which of the buttons "Try this" are shown as pressed."""
    buttons = "[...document.querySelectorAll('.play-tries button[aria-pressed]')]"
    return page.run(f"{buttons}.map((one) => one.ariaPressed === 'true')")


# --- what holds for all of them -------------------------------------------------------------------


@EVERY
def test_it_can_be_heard(browser, site, thing):
    page = opened(browser, site, thing)
    own = f"document.getElementById('{thing.name}')"
    controls = f"[...{own}.querySelectorAll('input, select')]"
    assert page.run(f"{controls}.filter((one) => !one.labels.length).length") == 0
    heard = f"[...{own}.querySelectorAll('[role=status], [aria-live]')]"
    assert page.run(f"{heard}.filter((one) => one.checkVisibility()).length") == 1
    page.run(f"{own}.querySelectorAll('details').forEach((one) => {{ one.open = true; }})")
    page.run(f"(() => {{{AXE.read_text('utf-8')}}})()")
    axe = AXE_RUN.replace("axe.run(document", f"axe.run('#{thing.name}'")
    pictures = f"[...{own}.querySelectorAll('[role=img], canvas, img, svg')]"
    silent = (
        "one.checkVisibility() && !one.ariaLabel && !one.alt && !one.closest('[aria-hidden=true]')"
    )
    for tab in page.run(f"[...{own}.querySelectorAll('[role=tab]')].map((one) => one.id)") or [""]:
        page.run(f"document.getElementById('{tab}')?.click()")
        assert page.run(f"{pictures}.filter((one) => {silent}).length") == 0
        assert page.run(axe) == []
    assert page.errors == []


@EVERY
def test_it_works_by_keyboard(browser, site, thing):
    """Each key changes what is shown and what is told; a slider says its new value in words."""
    page = opened(browser, site, thing)
    own = f"document.getElementById('{thing.name}')"
    heard = f"{own}.querySelector('[role=status], figure:not([hidden]) [aria-live]').textContent"
    value = "document.activeElement.getAttribute('aria-valuetext')"
    for control, key in thing.keys:
        page.run(f"document.getElementById('{control}').focus()")
        shown, told, words = page.run(f"[{own}.innerText, {heard}, {value}]")
        page.press(key)
        page.wait(f"{own}.innerText !== {json.dumps(shown)}", seconds=60)
        if control not in SILENT:
            page.wait(f"{heard} !== {json.dumps(told)}", seconds=60)
        assert words is None or page.run(value) != words, control
    first, *others = thing.stops.split() or [""]
    page.run(f"document.getElementById('{first}')?.focus()")
    for stop in others:
        page.press("Tab")
        assert page.run("document.activeElement.id") == stop


@EVERY
def test_it_is_small_and_asks_for_nothing_else(browser, site, thing):
    page = opened(browser, site, thing)
    own = page.run(
        f"document.getElementById('{thing.name}-data').textContent.length"
        f" + (document.querySelector('{thing.still}').src ?? '').length"
    )
    asked = {one for one in page.requests if not one.startswith(("data:", "about:"))}
    assert not [one for one in asked if not one.startswith(site.as_uri())]
    scripts = [one.rpartition("/")[2] for one in asked if "_static/play/" in one]
    networks = [one for one in scripts if one.startswith("network-")]
    assert len(networks) <= 1  # the others when they are chosen
    sizes = [(site / "_static/play" / one).stat().st_size for one in {*scripts} - {*networks}]
    assert own + sum(sizes) <= 400_000  # with the scripts of what else stands there


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
    cut = "one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1"
    for tab in page.run(f"[...{own}.querySelectorAll('[role=tab]')].map((one) => one.id)") or [""]:
        page.run(f"document.getElementById('{tab}')?.click()")
        assert page.run(LOOK) == [], tab
        squares = f"[...{own}.querySelectorAll('.ap-map span')]"
        assert page.run(f"{squares}.filter((one) => {cut}).length") == 0
        assert contrast(page, thing.name, list(thing.marks)) >= 3, tab
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

SETTINGS = 50
SIDES = ("over", "under")
CENSUS = {"Asian": "asian", "Black": "black", "Latina/o": "latino", "White": "white"}
ANSWERS = """({ pattern, gap, spread, way }) => {
  document.getElementById(`ap-try-answers-${pattern === "printed" ? 0 : 2}`).click();
  const set = [change("ap-gap", gap), change("ap-spread", spread)];
  document.getElementById(`ap-way-${Play.reports.WAYS.indexOf(way)}`).click();
  const own = (query) => texts(`#ap-panel-answers ${query}`);
  const rows = [...document.querySelectorAll("#ap-panel-answers .ap-bars tbody tr")];
  return {
    set, names: [own(".ap-bars tbody th"), own(".ap-strips tbody th")],
    shown: own(".ap-bars .play-number"), means: own(".ap-strips .play-number"),
    bars: rows.map((row) => parseFloat(row.querySelector(".ap-bar").style.width)),
    lines: rows.map((row) => parseFloat(row.querySelector(".ap-line").style.left)),
    dots: own("circle").length, filled: own("circle.yes").length, said: own(".ap-apart")[0],
    slider: own(".play-beside label strong")
      .flatMap((one) => one.replace("around 50", "").match(/\\d+(?=%)/g).map(Number)),
  };
}"""
PLACES = """({ network, hue, group }) => {
  [change("ap-network", network + 1), change("ap-hue", hue), change("ap-group", group)];
  const own = (query) => texts(`#ap-panel-places ${query}`);
  return {
    returned: own(".ap-map span:not(:has(b))"), land: own(".ap-map span:has(b)"),
    said: own(".ap-apart")[0], table: own("details td"),
    over: own(".over").length, under: own(".under").length,
  };
}"""


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
    shown = each(page, settings, ANSWERS)
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
    shown = each(page, settings, PLACES)
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
        words = (
            rf"{own['group']} people .*over\S+ in {over} of the 51 .*under\S+ in {under} of them"
        )
        assert re.search(words, seen["said"])
        assert ("one low share is enough" in seen["said"]) == (under == "all")
        assert ("one high share is enough" in seen["said"]) == (over == "all")


@of("american-play")
def test_what_the_buttons_set_gives_the_printed_answers_twice(page):
    numbers = "[...document.querySelectorAll('.ap-{} .play-number')].map((one) => one.textContent)"
    said = "document.querySelector('#ap-panel-answers .ap-apart').textContent"
    pressed_now = "document.getElementById('ap-try-answers-{}').ariaPressed"
    reports, means, points = [], [], []
    for number in (0, 1):
        click(page, f"ap-try-answers-{number}")
        assert (
            page.run(pressed_now.format(number))
            == "true"
            != page.run(pressed_now.format(1 - number))
        )
        reports.append(page.run(numbers.format("bars")))
        means.append(page.run(numbers.format("strips")))
        points.append([int(one) for one in re.findall(r"(\d+) points", page.run(said))])
    assert points[0][0] == points[1][0] and points[0][1:] == points[1][:0:-1]
    assert reports[0] == reports[1] and means[0] != means[1]
    claims = [vb.ledger.claim(f"vqa.american.{one}.intro").value for one in ("white", "asian")]
    assert [reports[0][0], reports[0][-1]] == [f"{one}%" for one in claims]


# --- a collection of photographs ------------------------------------------------------------------

ROUNDING = 0.005 + 1e-5  # of two decimals, and of what is written into the page
ENDS = "[...document.querySelectorAll('#collection details tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => cell.textContent))"  # noqa: E501
ESTIMATED = "document.querySelector('#collection [role=status]').textContent"
GAPS = "[...document.querySelectorAll('.cl-now tbody .play-number')].map((one) => one.textContent)"
SET = """([pair, world, dimension, stop]) => {
  [change("cl-pair", pair), change("cl-dimension", dimension)];
  document.getElementById(`cl-world-${world}`).click();
  change("cl-smile", stop);
  const lines = [...document.querySelectorAll("#collection line.cl-mean")];
  return [
    ENDS,
    lines.map((one) => [Number(one.getAttribute("y1")), parseFloat(one.getAttribute("x1"))]),
    document.querySelector(".cl-truth").textContent,
  ];
}"""


def pair_names() -> list[str]:
    """The pairs in the order of the page."""
    first = collection.crests()
    return [first, *(pair for pair in confounds.pairs() if pair != first)]


@of("collection")
def test_estimates_are_those_of_python(page):
    rng = np.random.default_rng(6)
    limits = [len(pair_names()), 2, len(collection.DIMENSIONS), len(collection.STOPS)]
    settings = np.column_stack([rng.integers(0, one, SETTINGS) for one in limits]).tolist()
    found = each(page, settings, SET.replace("ENDS", ENDS))
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
    seen = [[number(one) for one in page.run(GAPS)]]
    for which in range(3):
        click(page, f"cl-try-{which}")
        assert pressed(page) == [one == which for one in range(3)]
        said = page.run(ESTIMATED)
        naive, adjusted, _, controlled, all_known = shown = page.run(GAPS)
        seen.append(list(map(number, shown)))
        assert f"is {naive}: off by {naive}." in said  # the truth is zero
        near = abs(number(adjusted)) <= 0.1
        assert ("helps: " + adjusted in said) == near
        assert (f"is not enough: {adjusted}." in said) == (not near)
        assert (f"knew the clothes, too, would find {all_known}." in said) == (not near)
        assert f"The experiment gives {controlled}" in said
        low, high = map(number, page.run(f"{ENDS}[3].slice(1, 3)"))
        assert ("This interval misses the truth" in said) == (low > 0 or high < 0)
    naive, adjusted, _, controlled, all_known = np.array(seen).T
    assert naive[2] < naive[0] < naive[1], "naive: smiles of either group"
    assert np.abs(adjusted[1:3]).max() < 0.05 and np.abs(controlled).max() < 0.1
    assert adjusted[3] > 0.3 and abs(all_known[3]) < 0.05, "clothes, which nobody recorded"


# --- the explorer ---------------------------------------------------------------------------------

FACES = 48
LOOKED = """(async () => {
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
        found = page.run(LOOKED.replace("FACES", json.dumps(own.to_dict("records"))))
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
    assert state.startswith({1: "on: budded", -1: "on: eared", 0: "off"}[one["on"]])


@of("explorer")
def test_a_slider_changes_the_face_alone_and_a_network_is_loaded_when_it_is_chosen(page):
    verdict = "document.querySelector('#explorer .play-said').textContent"
    canvas = "document.querySelector('#explorer canvas')"
    before, face = page.run(f"[{verdict}, {canvas}.toDataURL()]")
    change(page, "ex-smiling", 0.25)
    page.wait(f"{canvas}.toDataURL() !== {json.dumps(face)}")
    assert page.run(verdict) == before
    _choose(page, 4)
    assert page.run(verdict) != before
    asked = {address.rpartition("/")[2] for address in page.requests}
    assert "network-4.js" in asked and "network-3.js" not in asked
    click(page, "ex-network-0")
    page.wait(f"{canvas}.ariaLabel.endsWith('teal, budded.')")


# --- one face, two networks -----------------------------------------------------------------------

LAMPS = "[...document.querySelectorAll('#first-look .play-lamp')].map((one) => one.classList.contains('on'))"  # noqa: E501
FOUND = "document.querySelector('#first-look .play-said').textContent"


@of("first-look")
def test_what_it_says_is_what_was_counted(page):
    """The counts themselves are tested against loops (studies/greenhouse/test_two_networks.py)."""
    question = two_networks.question_shown(two_networks.comparisons(two_networks.scores()))
    names, shown = question.loc[0, ["first", "second"]].tolist(), two_networks.shown(question)
    for state, row in enumerate(shown):
        high, low = names[::-1] if state else names
        n = row["second_higher"] if state else row["first_higher"]
        said = page.run(FOUND)
        assert f"finds {high} faces warmer: of 100 people, {n} score higher in {high}" in said
        assert f"than in {low}" in said and page.run(LAMPS) == [state == 0, state == 1]
        assert (
            page.run("document.getElementById('fl-switch').ariaChecked") == str(state == 1).lower()
        )
        click(page, "fl-switch")
    assert page.run(LAMPS) == [True, False]
    below = " ".join(page.run("document.querySelector('article').textContent").split())
    pairs = two_networks.pairs(question["lamp"])
    assert f"make {pairs['pairs']} pairs. In {pairs['turned']} pairs the lamps contradict" in below
    counts = [(question["lamp"] == one).sum() for one in (1, -1, 0)]
    told = (*(f"find {name} faces warmer" for name in names), "show no")
    assert all(f"{n} {what}" in below for n, what in zip(counts, told, strict=True))
    folded = table(page, "#first-look ~ details table")
    for cells, row in zip(folded, question.itertuples(), strict=True):
        printed = float(cells[2].removeprefix("<"))
        small = cells[2].startswith("<")
        assert row.p < printed if small else row.p == pytest.approx(printed, rel=0.06)
        assert number(cells[1]) == pytest.approx(row.difference, abs=5.1e-5)
        assert cells[3:5] == [str(row.first_higher), str(row.second_higher)]
        assert cells[5] == {1: names[0], 0: "off", -1: names[1]}[row.lamp]
        assert ("shown" in cells[0]) == (row.network in [one["network"] for one in shown])


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


# --- shuffle the families -------------------------------------------------------------------------

DONE = "!document.getElementById('shuffle').hasAttribute('aria-busy')"
COUNTED = "document.querySelector('#shuffle [role=status]').textContent"
COUNTERS = "[...document.querySelectorAll('.sh-counter strong')].map((one) => one.textContent)"
STARS = "[...document.querySelectorAll('.sh-now tbody tr')].map((row) => [...row.querySelectorAll('[role=img]')].map((one) => one.textContent === '★'))"  # noqa: E501
FITTED = """([fleet, stop, number]) => {
  const own = JSON.parse(document.getElementById("shuffle-data").textContent).fleets[fleet];
  const rows = Play.fit.fitted(Play.fit.takenApart(own), number, own.stops[stop]);
  return rows.map((row) => [row.models, row.coef, row.se.published, row.se.networks,
    Number(row.significant.published), Number(row.significant.networks)]);
}"""


def _press(page, name: str) -> None:
    click(page, f"sh-{name}")
    page.wait(DONE)


@of("shuffle")
def test_fits_are_those_of_python(page):
    rng, fleets = np.random.default_rng(4), list(shuffle.fleets().values())
    settings = [
        (which := int(rng.integers(2)), int(rng.integers(len(fleets[which].stops()))), number)
        for number in rng.integers(1, 1001, SETTINGS).tolist()
    ]
    found = each(page, settings, FITTED)
    assert len(found) == SETTINGS
    for (which, stop, number), rows in zip(settings, found, strict=True):
        fleet = fleets[which]
        one = shuffle.fitted(fleet, shuffle.assigned(fleet, number), fleet.stops()[stop])
        expected = [one.models, one.coef, *one.se.values(), *map(one.significant, shuffle.RULES)]
        np.testing.assert_allclose(rows, np.column_stack(expected), rtol=1e-8, atol=1e-9)


@of("shuffle")
def test_what_is_shown_is_what_python_counts(page):
    fleet, stop = list(shuffle.fleets().values())[1], 2
    share, n = fleet.stops()[stop], 201
    click(page, "sh-fleet-1")
    change(page, "sh-share", stop)
    _press(page, "hundred")
    _press(page, "hundred")
    counts = shuffle.some(fleet, share, n)
    assert page.run(COUNTERS) == [f"{counts[rule]} of {n} shuffles" for rule in shuffle.RULES]
    one = shuffle.fitted(fleet, shuffle.assigned(fleet, n), share)
    significant = [one.significant(rule) for rule in shuffle.RULES]
    assert page.run(STARS) == np.column_stack(significant).tolist()
    rows = table(page, "#shuffle details table")
    se = np.column_stack(list(one.se.values())).round(3)
    for k, row in enumerate(rows[: len(significant[0])]):
        assert int(row[1]) == one.models[k] and number(row[2]) == round(one.coef[k], 2)
        assert [float(row[3]), float(row[5])] == se[k].tolist()
        assert [row[4], row[6]] == ["yes" if own[k] else "no" for own in significant]
    tally = shuffle.tally(fleet, share, n)
    for often, *counted in rows[len(significant[0]) :]:
        assert list(map(int, counted)) == [(tally[rule] == int(often)).sum() for rule in tally]
    said = page.run(COUNTED)
    assert f"significant in {counts['published']} of {n} shuffles as published" in said
    assert f"and in {counts['networks']} of {n} if each network counts once" in said


@of("shuffle")
def test_tables_sentences_and_the_still_picture_have_what_python_simulates(page):
    rows = table(page, ".sh-twin")
    for share, row in zip((0.0, 0.01, 0.02, 0.03, 0.05, 0.1), rows, strict=True):
        twin = shuffle.printed_twin(share)
        assert row[0] == f"{twin['alike']:.3f}"
        assert row[1:] == [f"{twin[rule]} of {twin['of']}" for rule in shuffle.RULES]
    published, networks = ([int(row[k].split()[0]) for row in rows] for k in (1, 2))
    said = " ".join(page.run("document.querySelector('article').textContent").split())
    assert (f"finds always {published[0]} of" in said) == (len(set(published)) == 1)
    assert f"it is {max(networks)} to {min(networks)} of" in said
    fleet = shuffle.fleets()["null"]
    at = (0.0, 0.02, fleet.share)  # nothing, the stop nearest to the upper end of real models, own
    none, some, own = (shuffle.some(fleet, share, shuffle.SHUFFLES) for share in at)
    paragraph = said[said.index(f"We shuffled {shuffle.SHUFFLES} times") :]
    counts = [f" {one['published']} " for one in (none, some, own)]
    told = (*counts, f"counts once, it is {own['networks']} in each case.")
    places = [paragraph.index(one) for one in told]
    assert places == sorted(places)
    alt = page.run("document.querySelector('.play-still[data-of=shuffle] img').alt")
    assert f"{own['published']} with" in alt and f"{own['networks']} if each network" in alt


@of("shuffle")
def test_what_to_try_with_shuffles_is_done(page):
    fleet = shuffle.fleets()["null"]
    seen = []
    for number, share in enumerate((0.0, 0.03, fleet.share)):
        _press(page, f"try-{number}")
        counts = shuffle.some(fleet, share, shuffle.SHUFFLES)
        seen.append(page.run(COUNTERS))
        assert pressed(page) == [one == number for one in range(3)]
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
