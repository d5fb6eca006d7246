"""A sentence whose result is missing is not printed: on pages, in lists and tables, on slides."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner import statements
from vlmbias.notes import NOT_RUN

OWN = {"d": 0.344, "none": NOT_RUN}
LACKS = statements.lacking(OWN, {"calibration/ieat": OWN})
HERE, GONE = "{result}`calibration/ieat::d:.2f`", "{result}`calibration/ieat::gone:.2f`"


def settled(text):
    found = statements.settled(text, {}, LACKS)
    return " ".join(found.text.split()), found.wrong


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[{glue:text}`none:.1f`.]{.if-run} [{glue:text}`d`.]{.if-run}", "{glue:text}`d`."),
        ("[{glue:text}`never.glued`]{.if-run}", "{glue:text}`never.glued`"),
        (f"[See [a page](x.md), {HERE}.]{{.if-run}}", f"See [a page](x.md), {HERE}."),
        (f"[See [a page](x.md), {GONE}.]{{.if-run}}", ""),
        (
            f"First.\n\n{{.if-run}}\nIt is {GONE}.\n\n{{.if-not-run}}\nUnknown.\n\nLast.",
            "First. Unknown. Last.",
        ),
        (
            f"First.\n\n{{.if-run}}\nIt is {HERE}.\n\n{{.if-not-run}}\nUnknown.\n\nLast.",
            f"First. It is {HERE}. Last.",
        ),
        (f"{{.if-run}}\n:::{{note}}\nIt is {GONE}.\n\nMore.\n:::\n\nLast.", "Last."),
        (f"{{.if-run}}\nAll. [It is {GONE}.]{{.if-run}}\n\nLast.", "All. Last."),
        (f"- one\n- [It is {GONE}.]{{.if-run}}\n- three", "- one - three"),
    ],
)
def test_a_sentence_or_block_that_says_so_goes_and_its_alternative_comes(text, words):
    assert settled(text) == (words, [])


@pytest.mark.parametrize(
    ("text", "words", "named"),
    [
        (f"It is {GONE},\nand {HERE}.\n\nLast.", "Last.", "It is {result}"),
        (f"- one\n- It is {GONE}.\n- three", "- one - three", "- It is"),
        (f"| a |\n|---|\n| {GONE} |\n| two |", "| a | |---| | two |", "| {result}"),
        (f":::{{note}}\nIt is {GONE}.\n:::", f":::{{note}} It is {GONE}. :::", "It is"),
    ],
)
def test_one_that_says_nothing_is_named_and_only_a_directive_is_left(text, words, named):
    found, (told,) = settled(text)
    assert found == words and named in told and "put the sentence into [ … ]{.if-run}" in told


@given(
    st.lists(st.tuples(st.sampled_from(["", "A word. "]), st.booleans(), st.booleans()), max_size=5)
)
def test_any_row_of_sentences_prints_those_whose_results_are_there(parts):
    text, expected = "", ""
    for word, there, other in parts:
        text += f"{word}[It is {HERE if there else GONE}.]{{.if-run}} "
        text += "[Unknown.]{.if-not-run} " * other
        expected += word + (f"It is {HERE}. " if there else "Unknown. " * other)
    assert settled(text) == (" ".join(expected.split()), [])
    assert not re.search("if-(not-)?run", settled(text)[0])
