"""The first page's nine real models in a real browser: dots against the published table, by
keyboard, from a file, on a phone, and without scripts."""

import json

import pytest
from devtools import CHROMIUM, contrast

from vlmbias.external import facts

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with")

SHOWN = (
    "[...document.querySelectorAll('#nine-models .nm-test')].filter((one) => one.offsetHeight > 0)"
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


@pytest.fixture
def page(browser, site):
    browser.requests.clear()
    browser.open((site / "book" / "index.html").as_uri())
    browser.wait("document.querySelector('#nine-models select')")
    return browser


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


def test_every_dot_lies_where_the_table_says(page):
    names = facts.table("clip_image_tests")["called"].unique()
    assert chosen(page).startswith(FIRST)
    seen = set()
    for number in range(len(names)):
        page.run(
            f"(document.querySelector('#nine-models select').selectedIndex = {number},"
            " document.querySelector('#nine-models select').dispatchEvent(new Event('change')))"
        )
        assert page.run(f"{SHOWN}.length") == 1
        name = chosen(page).rpartition(" (")[0]
        seen.add(name)
        for (d, filled), (value, small) in zip(read(page), published(name), strict=True):
            assert d == pytest.approx(value, abs=0.02) and filled == small, name
        said = page.run(f"{SHOWN}[0].querySelector('p').textContent")
        ahead = [small for value, small in published(name) if value > 0]
        assert f"in {len(ahead)} of 9 models ({sum(ahead)} significant)." in said
    assert seen == set(names)


def test_another_test_is_chosen_by_keyboard(page):
    page.run("document.querySelector('#nine-models select').focus()")
    before = page.run(DOTS)
    page.press("ArrowDown")
    page.wait(f"JSON.stringify({DOTS}) !== {json.dumps(json.dumps(before, separators=(',', ':')))}")
    assert not chosen(page).startswith(FIRST)


def test_it_asks_for_nothing_and_can_be_heard(page, site):
    asked = [address for address in page.requests if not address.startswith("data:")]
    assert [address for address in asked if not address.startswith(site.as_uri())] == []
    label = page.run(f"{SHOWN}[0].querySelector('svg').getAttribute('aria-label')")
    assert label.count(";") == 8 and "ViT-B/32" in label
    assert page.run("document.querySelector('#nine-models label').textContent").startswith("Pick")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_fits_a_phone_and_the_way_to_ones_own_model_is_on_the_first_screen(page, mode):
    for width in (1280, 390):
        page.resize(width)
        page.run(f"document.documentElement.dataset.theme = '{mode}'")
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.run(wider) <= 0
        inside = (
            "[...document.querySelectorAll('#nine-models *')].map((one) =>"
            " one.getBoundingClientRect().right)"
        )
        assert page.run(f"Math.max(...{inside})") <= width
        found = contrast(page, "nine-models", "p, label, select", [("select", "borderTopColor")])
        assert found["text"] >= 4.5 and found["marks"] >= 3, found
        button = "document.querySelector('.measure-button').getBoundingClientRect().bottom"
        assert page.run(f"{button} + scrollY") <= 844
    page.ask("Emulation.clearDeviceMetricsOverride")


def test_readers_without_scripts_see_every_test(browser, site):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    browser.open((site / "book" / "index.html").as_uri())
    assert browser.run(f"{SHOWN}.length") == facts.table("clip_image_tests")["called"].nunique()
    assert browser.run(f"{SHOWN}[3].querySelector('figcaption').offsetHeight") > 0
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
