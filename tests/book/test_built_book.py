"""The whole book, as `make book` has just built it: no sentence of it prints a result that is
missing.

Whether there were downloads or not: `.ci/run` looks at the pages without them first, then with
them.
"""

import re
from html.parser import HTMLParser

import pytest

SAID = re.compile(r"\b(?:in|of|by|is|at|to|as|with|from|than|and|between|explain|:) not run\b")


class Prose(HTMLParser):
    """The blocks of running text of a page, without tables, code and scripts, and the classes that
    stand in them."""

    BLOCKS = frozenset(
        ("p", "li", "h1", "h2", "h3", "h4", "figcaption", "summary", "dd", "dt", "title")
    )
    APART = frozenset(("table", "pre", "script", "style", "svg", "em"))
    EMPTY = frozenset(("br", "img", "input", "link", "meta", "hr", "source", "wbr", "col"))

    def __init__(self, text):
        super().__init__()
        self.open, self.blocks, self.missing = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag in self.EMPTY:
            return
        self.open.append((tag, dict(attrs).get("class") or ""))
        if tag in self.BLOCKS:
            self.blocks.append("")

    def handle_endtag(self, tag):
        while self.open and tag not in self.EMPTY:
            if self.open.pop()[0] == tag:
                break

    def handle_data(self, data):
        tags, classes = {tag for tag, _ in self.open}, " ".join(kind for _, kind in self.open)
        if "vb-not-run" in classes or ("pasted-text" in classes and data.strip() == "not run"):
            self.missing.append(data)
        if tags & self.BLOCKS and not tags & self.APART and self.blocks:
            self.blocks[-1] += data


def broken(text):
    """The blocks of a page that print a missing result."""
    page = Prose(text)
    spoken = [" ".join(block.split()) for block in page.blocks]
    return [*page.missing, *(block for block in spoken if SAID.search(block))]


def test_no_page_prints_a_missing_result_in_a_sentence(whole):
    pages = [path for path in whole.rglob("*.html") if "_static" not in path.parts]
    assert len(pages) > 50, "the book has more pages than that"
    found = {path.relative_to(whole).as_posix(): broken(path.read_text("utf-8")) for path in pages}
    assert {name: places for name, places in found.items() if places} == {}


@pytest.mark.parametrize(
    ("page", "places"),
    [
        ("<p>Black individuals in <em class='vb-not-run'>not run</em> places.</p>", 1),
        ("<li>explain <span class='pasted-text'>not run</span> of the variance</li>", 2),
        ("<p>The share, in all: not run.</p>", 1),
        ("<figcaption>between not run and 3</figcaption>", 1),
        ("<p>The verdict on a claim is <em>not run</em>.</p><h2>What was not run</h2>", 0),
        ("<table><tr><td><p>differs of not run</p></td></tr></table><pre>is not run</pre>", 0),
        ("<p>a<br>b</p><p>A model that was not run has no row.</p>", 0),
    ],
)
def test_what_is_looked_for_is_found(page, places):
    assert len(broken(page)) == places
