"""Every page of the whole built book in a real browser, on a desk and on a phone, light and dark.

It looks at `_build/site` if that is newer than the pages it was made from, else at what
`VLMBIAS_SITE` names.
"""

import hashlib
import json
import os
from pathlib import Path

import pytest
from devtools import CHROMIUM, Browser

pytestmark = [
    pytest.mark.xdist_group("every page"),
    pytest.mark.skipif(not CHROMIUM, reason="no Chromium here to open the pages with"),
]

WIDTHS, THEMES = (1280, 390), ("light", "dark")
# axe-core, unchanged: (c) Deque Systems, MPL 2.0; it is a test's, and on no page. Pages of each
# kind are enough for it: contrast and names are looked at on every page by every_page.js
AXE = Path(__file__).parent / "axe/axe.min.js"
AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
AXE_PAGES = (
    "book/index.html",
    "book/explorer.html",
    "book/american_white.html",
    "book/teach/session-2.html",
    "book/teach/worksheet-2.html",
    "book/teach/exercises.html",
    "notebooks/calibration/ieat.html",
    "notebooks/real/same_data.html",
)
AXE_RUN = """axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations.map((one) =>
  [one.id, ...one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120))].join(": ")))"""  # noqa: E501
LOOK = Path(__file__).with_name("every_page.js").read_text("utf-8")
# once per page: wait for formulas, open what is folded, and say what does not depend on
# the width
READY = """(async () => {
  document.head.append(Object.assign(document.createElement("style"), // a colour on its way is none
    { textContent: "*, ::before, ::after { transition: none !important; animation: none !important; }" }));
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
  for (const one of document.querySelectorAll("details")) one.open = true;
  for (const one of document.querySelectorAll(".toggle-hidden, .dropdown.toggle"))
    one.classList.remove("toggle-hidden");
  const said = /\\b\\w*Warning: .*|Traceback \\(most recent call last\\)|\\bUserWarning\\b/g;
  const printed = [...document.querySelectorAll(".cell_output")].map((one) => one.innerText.match(said)?.[0]);
  return {
    warnings: [...printed, ...[...document.querySelectorAll(".output.stderr")].map((one) => one.innerText.trim())]
      .filter(Boolean),
    nameless: [...document.querySelectorAll("button, summary, select, textarea, input:not([type=hidden]), a[href]")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[aria-hidden=true]"))
      .filter((one) => ![one.ariaLabel, one.innerText, one.title, one.placeholder, one.labels?.[0]?.innerText,
        one.querySelector("img")?.alt, one.querySelector("svg title")?.textContent,
        document.getElementById(one.getAttribute("aria-labelledby"))?.innerText]
        .some((name) => name?.trim()))
      .map((one) => one.outerHTML.slice(0, 120)),
    heads: [...document.querySelectorAll("th")].filter((one) => !one.textContent.trim() && !one.children.length).length,
    hyphens: [...document.querySelectorAll(".bd-article :is(p, li, td, figcaption)")]
      .filter((one) => !one.querySelector("pre, code") && !one.closest("pre, code"))
      .map((one) => one.textContent.match(/(^|[\\s(])-\\.?\\d/) && one.textContent.trim().slice(0, 80)).filter(Boolean),
  };
})()"""  # noqa: E501


def pages_of(site: Path) -> list[Path]:
    """Every page of a site, less those that only lead to another."""
    return [
        page
        for page in sorted(site.rglob("*.html"))
        if "_static" not in page.parts
        and 'http-equiv="Refresh"' not in page.read_text("utf-8")[:500]
    ]


def _on(browser: Browser, width: int, theme: str) -> None:
    """Show the open page at this width, in this theme."""
    height, phone = (844, True) if width < 500 else (900, False)
    browser.resize(width, height=height, mobile=phone)
    browser.run(
        "document.documentElement.dataset.theme = document.documentElement.dataset.mode ="
        f" '{theme}'"
    )
    browser.run("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


@pytest.fixture(scope="module")
def seen(whole, browser) -> dict[str, dict]:
    """What the browser saw: by page, its warnings, and what is wrong at each width and theme."""
    found = {}
    for page in pages_of(whole):
        _on(browser, WIDTHS[0], THEMES[0])
        browser.errors.clear()
        browser.open(page.as_uri())
        about = browser.run(READY)
        about["console"] = [*browser.errors]
        about["wrong"], about["axe"] = [], []
        judged = page.relative_to(whole).as_posix() in AXE_PAGES
        if judged:
            browser.run(f"(() => {{{AXE.read_text('utf-8')}}})()")
        for width in WIDTHS:
            for theme in THEMES:
                _on(browser, width, theme)
                about["wrong"] += [
                    f"{width} {theme}: {kind}: {what}" for kind, what in browser.run(LOOK)
                ]
                if judged and (width, theme) != (WIDTHS[1], THEMES[1]):
                    about["axe"] += [f"{width} {theme}: {one}" for one in browser.run(AXE_RUN)]
        found[page.relative_to(whole).as_posix()] = about
    if place := os.environ.get("VLMBIAS_SEEN"):
        Path(place).write_text(json.dumps(found, indent=1, ensure_ascii=False))
    return found


LONG = (
    "a line of words that is far too long for a phone and stays on one line whatever it is shown"
    " on, " * 2
)
FORMULA = (
    "<mjx-container style='display: block; {}'><mjx-math style='display: inline-block;"
    " {}'>x</mjx-math></mjx-container>"
)
FAULTS = {
    "page scrolls sideways": f"<div style='white-space: nowrap'>{LONG}</div>",
    "out of the page": f"<p style='white-space: nowrap'>{LONG}</p>",
    "cut off at the right": f"<div style='overflow-x: hidden; white-space: nowrap'>{LONG}</div>",
    "cut off at the bottom": (
        "<div style='overflow-y: hidden; height: 20px'>one<br>two<br>three</div>"
    ),
    "text too pale for its ground": (
        "<p style='background: #f3f4f5'><a style='color: #176de8'>a link</a></p>"
    ),
    "formula clipped": FORMULA.format(
        "overflow-x: clip; overflow-y: visible; width: 80px", "width: 300px"
    ),
    "formula clipped above or below": FORMULA.format(
        "overflow-y: hidden; height: 12px", "height: 60px"
    ),
    "formula wider than its column": FORMULA.format(
        "overflow-x: auto; width: 80px", "width: 300px"
    ),
}
IN_ORDER = (
    f"<div style='overflow-x: auto; white-space: nowrap'>{LONG}</div><p>Plain words.</p>"
    f"<p style='display: none; color: #fff'>{LONG}</p>"
    + FORMULA.format("overflow: visible", "width: 80px")
)


@pytest.fixture
def wrong(browser, tmp_path):
    """What is said of a small page at a width, by kind."""

    def found(body: str, width: int) -> set[str]:
        place = tmp_path / "page.html"
        place.write_text(
            "<!doctype html><meta charset='utf-8'><meta name='viewport'"
            " content='width=device-width'><body><article class='bd-article'><h1>A"
            f" page</h1>{body}</article>"
        )
        _on(browser, width, "light")
        browser.open("about:blank")
        browser.open(place.as_uri())
        return {kind for kind, _ in browser.run(LOOK)}

    return found


@pytest.mark.parametrize("kind", FAULTS)
def test_a_planted_fault_is_found(wrong, kind):
    width = WIDTHS[0] if kind == "formula wider than its column" else WIDTHS[1]
    assert kind in wrong(FAULTS[kind], width)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_in_order_has_no_finding(wrong, width):
    assert not wrong(IN_ORDER, width)


def test_nothing_leaves_the_page_is_cut_off_or_unreadable(seen):
    assert len(seen) > 40
    wrong = [f"{name} {line}" for name, about in seen.items() for line in about["wrong"]]
    assert not wrong, f"{len(wrong)} findings:\n" + "\n".join(wrong)


@pytest.mark.parametrize("kind", ["warnings", "console", "nameless", "heads", "hyphens"])
def test_no_page_warns_has_a_control_without_a_name_or_a_number_without_its_minus(seen, kind):
    assert {name: about[kind] for name, about in seen.items() if about[kind]} == {}


def test_axe_has_nothing_to_say(seen):
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() == AXE_SHA256
    assert set(AXE_PAGES) <= set(seen)
    assert {name: about["axe"] for name, about in seen.items() if about["axe"]} == {}
