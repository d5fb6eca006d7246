"""Shuffle the families in a real browser: its fits are Python's, it works by keyboard, from a file,
on a phone, and without scripts."""

import json

import numpy as np
import pytest
from devtools import CHROMIUM, contrast
from test_every_page import AXE, AXE_RUN

from studies.pretraining import shuffle

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

SETTINGS = 240
READY = "!document.getElementById('shuffle').hidden"
DONE = "!document.getElementById('shuffle').hasAttribute('aria-busy')"
SAID = "document.querySelector('#shuffle [role=status]').textContent"
COUNTERS = "[...document.querySelectorAll('.sh-counter strong')].map((one) => one.textContent)"
STARS = "[...document.querySelectorAll('.sh-now tbody tr')].map((row) => [...row.querySelectorAll('.sh-star')].map((one) => one.textContent === '★'))"  # noqa: E501
TABLE = "[...document.querySelectorAll('#shuffle details table')].map((one) => [...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)))"  # noqa: E501
TWIN = "[...document.querySelectorAll('.sh-twin tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"  # noqa: E501
FITTED = """(() => {
  const content = JSON.parse(document.getElementById("shuffle-data").textContent);
  const fleets = content.fleets.map(Shuffle.fit.takenApart);
  return SETTINGS.map(([fleet, stop, number]) => {
    const rows = Shuffle.fit.fitted(fleets[fleet], number, content.fleets[fleet].stops[stop]);
    return rows.map((row) => [row.models, row.coef, row.se.published, row.se.networks,
      Number(row.significant.published), Number(row.significant.networks)]);
  });
})()"""
CONTRAST = (
    "shuffle",
    "p, strong, label, legend, button, th, td, caption, figcaption, summary, .sh-ends span,"
    " .sh-top, .sh-column",
    [(".sh-bar, .sh-line, .sh-dot", "backgroundColor"), (".sh-strips line", "stroke")],
)


@pytest.fixture
def page(browser, site):
    """The overview, freshly opened from its file."""
    browser.requests.clear()
    browser.errors.clear()
    browser.open((site / "book" / "pretraining.html").as_uri())
    browser.wait(READY)
    return browser


def _press(page, name: str) -> None:
    page.run(f"document.getElementById('sh-{name}').click()")
    page.wait(DONE)


def _turn(page, fleet: int, stop: int) -> None:
    page.run(
        f"""document.getElementById("sh-fleet-{fleet}").click();
        const dial = document.getElementById("sh-share");
        dial.value = {stop};
        dial.dispatchEvent(new Event("input"));"""
    )


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


@pytest.mark.parametrize(("which", "stop", "more"), [(0, 0, 2), (0, 6, 1), (1, 2, 1)])
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
    said = page.run(SAID)
    assert f"significant in {counts['published']} of {n} shuffles as published" in said
    assert f"and in {counts['networks']} of {n} if each network counts once" in said


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


def test_what_to_try_is_done(page):
    fleet = shuffle.fleets()["null"]
    seen = []
    for number, share in enumerate((0.0, 0.03, fleet.share)):
        _press(page, f"try-{number}")
        counts = shuffle.some(fleet, share, shuffle.SHUFFLES)
        seen.append(page.run(COUNTERS))
        pressed = "[...document.querySelectorAll('.sh-tries button')].map((one) => one.getAttribute('aria-pressed'))"  # noqa: E501
        assert page.run(pressed) == [str(one == number).lower() for one in range(3)]
        said = page.run(SAID)
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


def test_it_works_by_keyboard(page):
    focus = "document.activeElement.id"
    page.run("document.getElementById('sh-one').focus()")
    before = page.run(SAID)
    page.press("Enter")
    page.wait(f"{SAID} !== {json.dumps(before)}")
    assert page.run(COUNTERS)[0].endswith("of 2 shuffles")
    visited = [page.run(focus)]
    while visited[-1] != "sh-share":
        page.press("Tab")
        visited.append(page.run(focus))
        assert len(visited) < 12, visited
    named = "one hundred again fleet-0 share"
    assert visited == [f"sh-{name}" for name in named.split()]
    at = page.run("document.getElementById('sh-share').value")
    page.press("ArrowRight")
    page.wait(f"document.getElementById('sh-share').value !== '{at}'")
    share = shuffle.fleets()["null"].stops()[int(at) + 1]
    value = page.run("document.getElementById('sh-share').getAttribute('aria-valuetext')")
    assert value.startswith(f"{100 * share:.0f}%")


def test_it_can_be_heard(page):
    silent = "[...document.querySelectorAll('#shuffle input')].filter((one) => !one.labels.length)"
    assert page.run(f"{silent}.length") == 0
    assert page.run("document.querySelectorAll('#shuffle [role=status]').length") == 1
    page.run("document.querySelector('#shuffle details').open = true")
    page.run(f"(() => {{{AXE.read_text('utf-8')}}})()")
    assert page.run(AXE_RUN.replace("axe.run(document", "axe.run('#shuffle'")) == []
    assert page.errors == []


def test_it_is_small_and_asks_for_nothing_else(page, site):
    own = page.run(
        "document.getElementById('shuffle-data').textContent.length"
        " + document.querySelector('.sh-still').outerHTML.length"
    )
    files = [*(site / "_static" / "shuffle").iterdir(), site / "_static" / "explorer" / "dice.js"]
    assert own + sum(file.stat().st_size for file in files) <= 300_000
    asked = [address for address in page.requests if not address.startswith("data:")]
    assert [address for address in asked if not address.startswith(site.as_uri())] == []
    assert [one for one in asked if "explorer/" in one and not one.endswith("dice.js")] == []


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_can_be_read(page, width, mode):
    page.resize(width)
    page.run(f"document.documentElement.dataset.theme = '{mode}'")
    _press(page, "hundred")
    page.run("document.querySelector('#shuffle details').open = true")
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.run(wide) <= 0
    inside = (
        "[...document.querySelectorAll('#shuffle *')].filter((one) => !one.closest('.sh-scroll'))"
        ".map((one) => one.getBoundingClientRect().right)"
    )
    assert page.run(f"Math.max(...{inside})") <= width
    found = contrast(page, *CONTRAST)
    assert found["text"] >= 4.5 and found["marks"] >= 3, found
    page.ask("Emulation.clearDeviceMetricsOverride")


def test_readers_without_scripts_see_the_picture_and_the_numbers(browser, site):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open((site / "book" / "pretraining.html").as_uri())
    width = "document.querySelector('.sh-still img').getBoundingClientRect().width"
    assert browser.run(width) > 200
    assert browser.run("document.getElementById('shuffle').getBoundingClientRect().height") == 0
    fleet = shuffle.fleets()["null"]
    at = (0.0, 0.02, fleet.share)  # nothing, the stop nearest to the upper end of real models, own
    none, some, counts = (shuffle.some(fleet, share, shuffle.SHUFFLES) for share in at)
    alt = browser.run("document.querySelector('.sh-still img').alt")
    assert f"{counts['published']} with" in alt and f"{counts['networks']} if each network" in alt
    said = " ".join(browser.run("document.querySelector('article').textContent").split())
    assert f"{none['published']} of {shuffle.SHUFFLES} shuffles have at least one" in said
    assert f"it is {some['published']}, and with" in said
    assert f"counts once, it is {counts['networks']} in each case." in said
    folded = "[...document.querySelectorAll('details')].find((one) => one.textContent.includes('What is shuffled,'))"  # noqa: E501
    rows = f"[...{folded}.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"  # noqa: E501
    for row, share in zip(browser.run(rows), fleet.stops(), strict=True):
        own = shuffle.some(fleet, share, shuffle.SHUFFLES)
        assert row[0].startswith(f"{100 * share:.0f}%")
        assert row[1:] == [str(own[rule]) for rule in shuffle.RULES]
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
