"""The whole book, as `make book` has just built it, with downloads or without: no sentence of it
prints a result that is missing, and no page its own markup."""

import re

import pytest

SAID = re.compile(r"\b(?:in|of|by|is|at|to|as|with|from|than|and|between|explain|:) not run\b")
MARKED = re.compile(
    r"""class=["'](?:[^"']* )?(?:vb-not-run|pasted-text["']>(?:<[^>]*>)*not run<)"""
)
APART = re.compile(r"<(table|pre|script|style|svg|em)\b.*?</\1>")
MARKUP = re.compile(r"(?:```|:::)+\{|\{[a-z:]+\}`")  # of a directive or a role
WITHIN = re.compile(r"</?(?:a|abbr|b|code|i|small|span|strong|sub|sup)\b[^>]*>")  # a sentence


def broken(text):
    """Where a page prints a missing result: as a result, or in running text."""
    line = " ".join(text.split())
    spoken = WITHIN.sub("", APART.sub("", line))
    return [*MARKED.findall(line), *SAID.findall(re.sub("<[^>]*>", "\n", spoken))]


def test_no_page_prints_a_missing_result_in_a_sentence(whole):
    pages = [path for path in whole.rglob("*.html") if "_static" not in path.parts]
    assert len(pages) > 50, "the book has more pages than that"
    found = {path.relative_to(whole).as_posix(): broken(path.read_text("utf-8")) for path in pages}
    assert {name: places for name, places in found.items() if places} == {}


def test_no_page_prints_its_own_markup(whole):
    pages = [path for path in whole.rglob("*.html") if "_static" not in path.parts]
    text = {
        path.relative_to(whole): APART.sub("", " ".join(path.read_text("utf-8").split()))
        for path in pages
    }
    assert {name: MARKUP.findall(page) for name, page in text.items() if MARKUP.search(page)} == {}


@pytest.mark.parametrize(
    ("page", "places"),
    [
        ("<p>Black individuals in <em class='vb-not-run'>not run</em> places.</p>", 1),
        ("<li>explain <span class='pasted-text'>not run</span> of the variance</li>", 2),
        ("<p>The share, in all: not\nrun.</p>", 1),
        ("<figcaption>between not run and 3</figcaption>", 1),
        ("<p>The verdict on a claim is <em>not run</em>.</p><h2>What was not run</h2>", 0),
        ("<p>There is</p><p>not run</p><table><td>of not run</td></table><pre>is not run</pre>", 0),
        ("<p>a<br>b</p><p>A model that was not run has no row.</p>", 0),
    ],
)
def test_what_is_looked_for_is_found(page, places):
    assert len(broken(page)) == places
