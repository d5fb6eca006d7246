"""A sentence whose result is missing is not printed, on pages, in lists and tables, on slides."""

import json
import re
import shutil

import pytest
import small_site
from hypothesis import given
from hypothesis import strategies as st

from vlmbias import paths
from vlmbias.notes import NOT_RUN

REPOSITORY = paths.root()
HERE, GONE = "{result}`calibration/ieat::d:.2f`", "{result}`calibration/ieat::gone:.2f`"


@pytest.fixture(autouse=True)
def extensions(monkeypatch):
    monkeypatch.syspath_prepend(str(REPOSITORY / "book/_ext"))


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Build one page with the result `d` there and `gone` missing: its text, its HTML, the
    warnings."""
    shutil.copytree(
        REPOSITORY / "notebooks", tmp_path / "notebooks", ignore=shutil.ignore_patterns("*.ipynb")
    )
    (tmp_path / "_build").mkdir()
    (tmp_path / "_build/results.json").write_text(json.dumps({"calibration/ieat": {"d": 0.34403}}))
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))

    def page(text):
        source = tmp_path / "page"
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir()
        (source / "index.md").write_text("# A page\n\n" + text, encoding="utf-8")
        small_site.forget("claims_on_pages")
        syntax = ("attrs_block", "attrs_inline", "colon_fence")
        _, warnings = small_site.build(source, "claims_on_pages", "not_run", syntax=syntax)
        html = (source / "html/index.html").read_text(encoding="utf-8")
        body = re.search(r"<h1>.*?</h1>(.*?)</section>", html, re.DOTALL)[1]
        words = " ".join(re.sub(r"<[^>]+>", " ", body).split())
        return words, body, warnings

    return page


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Before. [It is {HERE}.]{{.if-run}} After.", "Before. It is 0.34 . After."),
        (f"Before. [It is {GONE}.]{{.if-run}} After.", "Before. After."),
        (f"[It is {HERE}.]{{.if-run}} [Unknown.]{{.if-not-run}}", "It is 0.34 ."),
        (f"[It is {GONE}.]{{.if-run}} [Unknown.]{{.if-not-run}}", "Unknown."),
        (
            f"[It is {HERE} of {GONE}.]{{.if-run}}\n[Unknown.]{{.if-not-run}} After.",
            "Unknown. After.",
        ),
        (f"A. [It is {GONE}.]{{.if-run}} B. [It is {HERE}.]{{.if-run}}", "A. B. It is 0.34 ."),
        (f"First.\n\n{{.if-run}}\nIt is {GONE}.\nAll of it.\n\nLast.", "First. Last."),
        (
            f"First.\n\n{{.if-run}}\nIt is {GONE}.\n\n{{.if-not-run}}\nUnknown.\n\nLast.",
            "First. Unknown. Last.",
        ),
        (
            f"First.\n\n{{.if-run}}\nIt is {HERE}.\n\n{{.if-not-run}}\nUnknown.\n\nLast.",
            "First. It is 0.34 . Last.",
        ),
        (f":::{{note}}\n:class: if-run\nIt is {GONE}.\n:::\n\nLast.", "Last."),
        (f"See [*outer* with [inner {GONE}]{{.if-run}} left.]{{.if-run}}", "See outer with left."),
    ],
)
def test_a_sentence_or_block_that_says_so_goes_and_its_alternative_comes(build, text, words):
    found, html, warnings = build(text)
    assert found == words and not warnings and "if-run" not in html and "if-not-run" not in html


def test_an_item_of_a_list_that_is_left_empty_goes_and_the_others_are_counted_anew(build):
    found, html, warnings = build(f"1. one\n2. [It is {GONE}.]{{.if-run}}\n3. three\n")
    assert (found, html.count("<li>"), warnings) == ("one three", 2, "")
    assert build(f"- [It is {GONE}.]{{.if-run}}\n\nLast.")[:2][1].count("<ul") == 0


def test_a_row_of_a_table_that_lacks_a_cell_goes_and_the_others_stay(build):
    table = "| a | b |\n|---|---|\n| one | [{}]{{.if-run}} |\n| two | 2 |\n"
    found, html, warnings = build(table.format(GONE))
    assert (found, html.count("<tr"), warnings) == ("a b two 2", 2, "")
    found, html, warnings = build(table.format(HERE))
    assert (found, html.count("<tr"), warnings) == ("a b one 0.34 two 2", 3, "")
    only = f"First.\n\n| a | b |\n|---|---|\n| one | [{GONE}]{{.if-run}} |\n\nLast."
    assert build(only)[0] == "First. Last.", "a table without rows says nothing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"It is {GONE}, and {HERE}.\n\nLast.", "Last."),
        (f"- one\n- It is {GONE}.\n- three", "one three"),
        (f"| a | b |\n|---|---|\n| It is {GONE} | x |\n| two | y |", "a b two y"),
        (f"A. [It is {HERE}.]{{.if-run}} And {GONE}.\n\nLast.", "Last."),
    ],
)
def test_a_sentence_that_says_nothing_is_not_printed_either_and_is_a_warning(build, text, words):
    found, _, warnings = build(text)
    assert found == words
    assert (
        "a result is missing in 'It is" in warnings or "a result is missing in 'A. It" in warnings
    )
    assert "{.if-run}" in warnings and "index" in warnings


def test_with_every_result_no_page_changes(build):
    assert (
        build(f"- one\n- It is {HERE}.\n\n| a |\n|---|\n| {HERE} |")[0] == "one It is 0.34 . a 0.34"
    )


@given(
    st.lists(st.tuples(st.sampled_from(["", "A word. "]), st.booleans(), st.booleans()), max_size=5)
)
def test_plain_markdown_is_settled_as_pages_are(parts):
    import not_run

    text, expected = "", ""
    for word, there, other in parts:
        text += (
            word
            + f"[It is {'HERE' if there else 'GONE'}.]{{.if-run}} "
            + "[Unknown.]{.if-not-run} " * other
        )
        expected += word + ("It is 3. " if there else "Unknown. " * other)
    found = not_run.settled(text, lambda part: part.replace("HERE", "3").replace("GONE", NOT_RUN))
    assert " ".join(found.split()) == " ".join(expected.split())


def test_a_slide_that_lacks_a_result_and_does_not_say_so_is_an_error_that_names_the_line():
    import not_run

    with pytest.raises(
        ValueError, match=r"missing in 'It is not run\.': put the sentence into \[ … \]\{\.if-run\}"
    ):
        not_run.settled("# A\n\nIt is GONE.\n", lambda part: part.replace("GONE", NOT_RUN))
