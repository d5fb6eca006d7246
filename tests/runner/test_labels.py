"""What a result is called: the sentence that quotes it."""

import nbformat

from runner.reruns import labels as naming

PROSE = """# A chapter

Opening words, et al. and all, with {glue:text}`opening:.2f` things. A **second** sentence says that $b = 1$ gives
{glue:text}`left` and {glue:text}`right:.0%` of [the rest](../x.md), see {ref}`the figure <one>` {cite}`us2020`.

## Findings

- One item without.
- An item with |t| of {glue:text}`item:+.1f`.

| a | b |
|---|---|
| row | {glue:text}`cell` |
"""  # noqa: E501


def labels(checkout, keys):
    cells = [
        nbformat.v4.new_markdown_cell(PROSE),
        nbformat.v4.new_markdown_cell("Again {glue:text}`left:.3f`."),
    ]
    return naming.labels(nbformat.v4.new_notebook(cells=cells), keys, name="paper/chapter")


def test_a_result_is_called_by_its_sentence_and_section(checkout):
    found = labels(checkout, ["opening", "left", "right", "item", "cell"])
    assert (
        found["opening"].line(0.5)
        == "A chapter: Opening words, et al. and all, with [0.50] things."
    )
    assert (
        found["left"].line("kind", 200)
        == "A chapter: A second sentence says that b = 1 gives [kind] and … of "
        "the rest, see the figure ."
    )
    assert found["right"].before.endswith("gives … and ") and found["right"].printed(0.25) == "25%"
    assert found["item"].line(2) == "Findings: An item with |t| of [+2.0]."
    assert found["cell"].line(3) == "Findings: row · [3]"


def test_a_long_sentence_is_cut_between_words_around_the_place():
    label = naming.Label("S", "one two three four five ", " six seven eight nine ten.", ".1f")
    assert label.line(1.0, 24) == "S: … four five [1.0] six …"


def test_what_no_sentence_quotes_says_who_does(checkout):
    (checkout / "book/findings.md").write_text(
        "# What we found\n\n{result}`paper/chapter::elsewhere:.2f` and\n"
        "{result}`paper/other::nowhere`.\n"
    )
    found = labels(checkout, ["elsewhere", "nowhere"])
    assert found["elsewhere"].line(1.0) == 'quoted on the page "What we found"'
    assert found["nowhere"].line(1.0) == naming.NOT_QUOTED and not found["nowhere"].quoted


def test_a_word_in_the_place_of_a_number_is_printed_as_it_is():
    assert naming.Label("S", "a ", "", ".2f").printed("not run") == "not run"


def test_a_sentence_that_is_printed_only_with_its_result_is_called_by_its_words(checkout):
    text = (
        "# A\n\nBefore.\n[It is {glue:text}`one` (or [two](x)).]{.if-run}\n[It is"
        " unknown.]{.if-not-run} After {glue:text}`two`.\n\n{.if-run}\nOnly {glue:text}`three`.\n"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    found = naming.labels(notebook, ["one", "two", "three"], name="paper/chapter")
    assert [found[key].line(1) for key in ("one", "two", "three")] == [
        "A: It is [1] (or two).",
        "A: After [1].",
        "A: Only [1].",
    ]
