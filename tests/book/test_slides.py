"""The slides in a real browser with no network: keys, notes, a phone, and one printed page for
each."""

import re
from base64 import b64decode

import pytest
from devtools import CHROMIUM

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the slides with")

SHOWN = (
    "[...document.querySelectorAll('section')].map(one => getComputedStyle(one).display !== 'none')"
)
TOO_LARGE = """[...document.querySelectorAll('section')].filter(one => {
  document.querySelectorAll('section').forEach(other => other.classList.toggle('shown', other === one));
  return one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.id)"""  # noqa: E501


@pytest.fixture
def deck(browser, site):
    """A deck, freshly opened, on a screen of 1280 × 720."""
    browser.resize(1280, height=720)
    browser.requests.clear()
    browser.open("about:blank")
    browser.open((site / "book/teach/slides-2.html").as_uri())
    yield browser
    browser.ask("Emulation.clearDeviceMetricsOverride")


def test_one_slide_is_shown_and_keys_turn_it(deck):
    assert [n for n, shown in enumerate(deck.run(SHOWN)) if shown] == [0]
    deck.press("ArrowRight")
    deck.press("ArrowRight")
    deck.press("ArrowLeft")
    assert [n for n, shown in enumerate(deck.run(SHOWN)) if shown] == [1]
    assert deck.run("location.hash") == "#s2"
    deck.press("Home")
    assert deck.run("document.querySelector('nav output').textContent").startswith("1 / ")
    here = ("file:", "data:", "about:")
    assert not [address for address in deck.requests if not address.startswith(here)]


def test_every_slide_fits_the_screen(deck, site):
    for number in (1, 2, 3):
        deck.open((site / f"book/teach/slides-{number}.html").as_uri())
        assert deck.run(TOO_LARGE) == []


def test_notes_open_for_the_speaker_and_are_printed_on_request_only(deck):
    opened = "[...document.querySelectorAll('.notes')].map((one) => one.open)"
    printed = "[...document.querySelectorAll('.notes')].map((one) => one.checkVisibility())"
    for asked in (False, True):
        assert set(deck.run(opened)) == {asked}
        deck.ask("Emulation.setEmulatedMedia", media="print")
        assert set(deck.run(printed)) == {asked}
        deck.ask("Emulation.setEmulatedMedia", media="")
        deck.run("document.querySelector('[data-notes]').click()")


def test_on_a_phone_all_slides_stand_below_each_other(deck):
    deck.resize(390)
    assert all(deck.run(SHOWN))
    assert deck.run("document.documentElement.scrollWidth") <= 390


def test_a_slide_is_a_printed_page(deck):
    data = deck.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
    pages = len(re.findall(rb"/Type\s*/Page\b", b64decode(data)))
    assert pages == deck.run("document.querySelectorAll('section').length")
