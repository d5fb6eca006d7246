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


@pytest.fixture(params=[1, 2])
def deck(browser, site, request):
    """A deck, freshly opened, on a screen of 1280 × 720."""
    browser.resize(1280, height=720)
    browser.requests.clear()
    browser.open("about:blank")
    browser.open((site / f"book/teach/slides-{request.param}.html").as_uri())
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
    assert [
        address for address in deck.requests if not address.startswith(("file:", "data:", "about:"))
    ] == []


def test_every_slide_fits_the_screen(deck):
    assert deck.run(TOO_LARGE) == []


def test_notes_open_for_the_speaker(deck):
    closed = "[...document.querySelectorAll('.notes')].every(one => one.open)"
    assert deck.run(closed) is False
    deck.run("document.querySelector('[data-notes]').click()")
    assert deck.run(closed) is True


def test_notes_are_printed_on_request_only(deck):
    printed = "[...document.querySelectorAll('.notes')].map((one) => one.checkVisibility())"
    deck.ask("Emulation.setEmulatedMedia", media="print")
    try:
        assert not any(deck.run(printed))
        deck.run("document.querySelector('[data-notes]').click()")
        assert all(deck.run(printed))
    finally:
        deck.ask("Emulation.setEmulatedMedia", media="")


def test_on_a_phone_all_slides_stand_below_each_other(deck):
    deck.resize(390)
    assert all(deck.run(SHOWN))
    assert deck.run("document.documentElement.scrollWidth") <= 390


def test_a_slide_is_a_printed_page(deck):
    data = deck.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
    pages = len(re.findall(rb"/Type\s*/Page\b", b64decode(data)))
    assert pages == deck.run("document.querySelectorAll('section').length")
