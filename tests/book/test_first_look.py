"""The explorer's first switch in a real browser: its numbers counted anew from the shipped scores,
by keyboard, from a file, on a phone, and without scripts."""

import re

import numpy as np
import pytest
from devtools import CHROMIUM, contrast
from scipy import stats

from greenhouse import retrained
from greenhouse.world import grid

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

LAMPS = "[...document.querySelectorAll('#first-look .fl-lamp')].map((one) => one.classList.contains('on'))"  # noqa: E501
SAID = "document.querySelector('#first-look .fl-said').textContent"
CONTRAST = (
    "first-look",
    "p, button, figcaption",
    [(".fl-lamp, .fl-track", "borderTopColor")],
)


@pytest.fixture
def page(browser, site):
    """The explorer, freshly opened from its file."""
    browser.requests.clear()
    browser.open((site / "book" / "explorer.html").as_uri())
    browser.wait("!document.getElementById('first-look').hidden")
    return browser


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
    rule = page.run("document.querySelector('.fl-rule').textContent")
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
        said = page.run(SAID)
        assert f"finds {high} faces warmer: of 100 people, {higher} score higher in {high}" in said
        assert f"than in {low}" in said and page.run(LAMPS) == [sign > 0, sign < 0]
        page.run("document.getElementById('fl-switch').click()")
    folded = page.run(
        "[...document.querySelectorAll('details table tbody tr')].map((row) =>"
        " [...row.cells].map((cell) => cell.textContent))"
    )
    assert len(folded) == len(every) == 12
    for row, gap, lamp, one in zip(folded, every, lamps, tests, strict=True):
        below, printed = row[2].startswith("<"), float(row[2].removeprefix("<"))
        assert one.pvalue < printed if below else one.pvalue == pytest.approx(printed, rel=0.06)
        assert float(row[1].replace("−", "-")) == pytest.approx(gap.mean(), abs=5.1e-5)
        assert row[5] == {1: names[0], 0: "off", -1: names[1]}[lamp]
    shown = [number for number, row in enumerate(folded) if "shown" in row[0]]
    assert sorted(shown) == sorted([most, least])


def test_the_switch_works_by_keyboard(page):
    before = page.run(f"[{LAMPS}, {SAID}]")
    page.run("document.querySelector('article h1 a, #first-look').scrollIntoView()")
    page.run("document.getElementById('fl-switch').focus()")
    turned = "document.getElementById('fl-switch').getAttribute('aria-checked')"
    assert page.run(turned) == "false" and page.run("document.activeElement.tabIndex") == 0
    page.press("Enter")
    page.wait(f"{turned} === 'true'")
    after = page.run(f"[{LAMPS}, {SAID}]")
    assert after[0] == [not one for one in before[0]] and after[1] != before[1]
    page.press("Enter")
    page.wait(f"{turned} === 'false'")
    assert page.run(f"[{LAMPS}, {SAID}]") == before


def test_it_can_be_heard(page):
    assert page.run("document.getElementById('fl-switch').getAttribute('role')") == "switch"
    statuses = "document.querySelectorAll('#first-look [role=status]').length"
    assert page.run(SAID) and page.run(statuses) == 1
    alts = page.run("[...document.querySelectorAll('#first-look img')].map((one) => one.alt)")
    assert len(set(alts)) == 2 and all(alts)
    captions = page.run(
        "[...document.querySelectorAll('#first-look figcaption')].map((one) => one.textContent)"
    )
    assert sorted(one.split("lamp ")[1] for one in captions) == ["off", "on"]


def test_it_is_small_and_asks_for_nothing_else(page, site):
    own = page.run(
        "document.getElementById('first-look-data').textContent.length"
        " + document.querySelector('.fl-still').outerHTML.length"
    )
    files = (site / "_static" / "first-look").iterdir()
    assert own + sum(file.stat().st_size for file in files) <= 300_000
    asked = [address for address in page.requests if not address.startswith("data:")]
    assert [address for address in asked if not address.startswith(site.as_uri())] == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_fits_a_phone_and_can_be_read(page, mode):
    for width in (1280, 390):
        page.resize(width)
        page.run(f"document.documentElement.dataset.theme = '{mode}'")
        assert (
            page.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            <= 0
        )
        inside = (
            "[...document.querySelectorAll('#first-look *')].map((one) =>"
            " one.getBoundingClientRect().right)"
        )
        assert page.run(f"Math.max(...{inside})") <= width
        found = contrast(page, *CONTRAST)
        assert found["text"] >= 4.5 and found["marks"] >= 3, found
    page.ask("Emulation.clearDeviceMetricsOverride")


def test_readers_without_scripts_see_both_states(browser, site):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open((site / "book" / "explorer.html").as_uri())
    assert (
        browser.run("document.querySelector('.fl-still img').getBoundingClientRect().width") > 200
    )
    assert browser.run("document.getElementById('first-look').getBoundingClientRect().height") == 0
    alt = browser.run("document.querySelector('.fl-still img').alt")
    assert alt.count("of 100 people, ") == 2 and alt.count("warmer") == 2
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)


def test_the_page_says_how_many_networks_find_what(site):
    by_hand = {"teal": 0, "violet": 0, "neither": 0}
    for means in _counted():
        gap = means["teal"] - means["violet"]
        clear = stats.ttest_1samp(gap, 0).pvalue < 0.05
        by_hand["neither" if not clear else "teal" if gap.mean() > 0 else "violet"] += 1
    page = (site / "book" / "explorer.html").read_text("utf-8")
    said = re.sub(r"<[^>]+>", "", page)
    assert f"We trained {sum(by_hand.values())} such networks." in said
    assert f"{by_hand['teal']} find teal faces warmer" in said
    assert f"{by_hand['violet']} find violet faces warmer" in said
    assert f"{by_hand['neither']} show no significant difference" in said
