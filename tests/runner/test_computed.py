"""Everything that a run computed, with its section and its place."""

import json
from pathlib import Path

import nbformat
import pandas as pd
from outputs import figure, glue, show

from runner.glued_values import _value
from runner.reruns import computed
from runner.reruns.runs import Run
from studies import tables


def notebook(*outputs):
    new = nbformat.v4
    return new.new_notebook(
        cells=[
            new.new_markdown_cell("# A title\n\n## What the paper reports"),
            new.new_code_cell("1", outputs=[glue("n", 3)]),
            new.new_markdown_cell("## The protocol, run on the Greenhouse"),
            new.new_code_cell("show(x)", outputs=list(outputs)),
        ]
    )


def results(notebook, recorded="no.json"):
    return computed.results(Run(notebook, Path(recorded)))


FRAME = pd.DataFrame(
    {"d": [2.461, -0.19], "p": ["< 10⁻⁹", "0.5"], "share": [0.5, 0.25], "n": [18_000, 3]},
    index=pd.MultiIndex.from_product([["lime"], ["described", "released"]]),
)


def test_cells_of_a_table_have_their_rows_and_columns_also_where_a_label_spans_two():
    html = tables.readable(FRAME).format("{:.0%}", subset="share").to_html()
    found = results(notebook(show(html)))
    one = found["The protocol, table 1: lime, released · d"]
    assert (one.value, one.text, one.shown()) == (-0.19, "−0.19", "−0.19")
    assert found["The protocol, table 1: lime, described · n"].value == 18_000
    share = found["The protocol, table 1: lime, described · share"]
    assert (share.value, share.text) == (50.0, "50%")
    assert found["The protocol, table 1: lime, described · p"].value == "< 10⁻⁹"
    assert len(found) == 9  # eight cells, and what the first section glued
    html = tables.readable(FRAME.reset_index()).hide(axis="index").to_html()
    found = results(notebook(show(html)))  # without labels, the first words of a row are these
    assert found["The protocol, table 1: lime, released · d"].value == -0.19


def test_a_table_of_what_is_printed_is_none_of_the_run():
    html = FRAME.to_html() + "<table><tr><td>printed</td></tr></table>"
    assert list(results(notebook(show(html)))) == ["n"]


def test_what_was_recorded_is_called_by_the_claim(tmp_path):
    base = {"protocol": "described", "stimuli": "greenhouse/cfd", "model": "greenhouse"}
    rows = [
        base | {"claim": "we_they.clip.wa.d", "value": 0.0958},
        base | {"claim": "gone.d", "value": True},
        base | {"claim": "we_they.clip.wa.d", "value": 0.1, "protocol": "released"},
    ]
    (tmp_path / "results.json").write_text(json.dumps(rows))
    found = results(notebook(), tmp_path / "results.json")
    one = found["we_they.clip.wa.d"]
    assert one.shown() == "0.0958"
    assert one.place == "recorded in the place of the paper's effect size d, CLIP, White − Asian"
    assert found["gone.d"].shown() == "holds"
    assert found["we_they.clip.wa.d, as released"].value == 0.1


def test_figures_have_their_words_and_section():
    ((name, one),) = computed.figures(notebook(figure("one", "Two dots."))).items()
    assert (name, one.alt, one.of_protocol) == ("one", "Two dots.", True)


def test_a_glued_number_is_read_as_one():
    texts = ("np.float64(0.5)", "3", "True", "'kind'", "<Figure>")
    assert [_value(text) for text in texts] == [0.5, 3, True, "kind", "<Figure>"]


def test_a_printed_number_is_read_back():
    texts = ["−0.50", "18,000", "12%", "+.3", "< 10⁻⁹", "–", "1 of 3"]
    numbers = [-0.5, 18_000, 12, 0.3, None, None, None]
    assert [computed.as_number(text) for text in texts] == numbers


PROSE = """# A chapter

Opening words, et al. and all, with {glue:text}`opening:.2f` things. A **second** sentence says that $b = 1$ gives
{glue:text}`left` and {glue:text}`right:.0%` of [the rest](../x.md), see {ref}`the figure <one>` {cite}`us2020`.

## Findings
[Of {glue:text}`many` it holds.]{.holds #many} {glue:text}`word:.2f` begins a sentence.

:::{note}
:class: tip
- One item without.
- An item with |t| of {glue:text}`item:+.1f`.
:::

| a | b |
|---|---|
| row | {glue:text}`cell` |

[It is {glue:text}`one` (or [two](x)).]{.if-run}
[It is unknown.]{.if-not-run} After {glue:text}`two`.
"""  # noqa: E501
VALUES = {"opening": 0.5, "left": "kind", "right": 0.25, "many": 3, "word": "not run"}
VALUES |= {"item": -2.0, "cell": 4, "one": 1, "two": 2, "unquoted": 7}


def quoted():
    cells = [
        nbformat.v4.new_markdown_cell(PROSE),
        nbformat.v4.new_code_cell("1", outputs=[glue(*one) for one in VALUES.items()]),
        nbformat.v4.new_markdown_cell("Again {glue:text}`left`."),
    ]
    found = results(nbformat.v4.new_notebook(cells=cells))
    return {key: (one.place, "|".join(one.quoted)) for key, one in found.items()}


def test_a_glued_value_is_called_by_the_first_sentence_that_quotes_it_as_this_run_prints_it():
    begins = "A second sentence says that b = 1 gives "
    assert quoted() == {
        "opening": ("A chapter", "Opening words, et al. and all, with |0.50| things."),
        "left": ("A chapter", f"{begins}|kind| and 25% of the rest, see the figure ."),
        "right": ("A chapter", f"{begins}kind and |25%| of the rest, see the figure ."),
        "many": ("Findings", "Of |3| it holds."),
        "word": ("Findings", "|not run| begins a sentence."),
        "item": ("Findings", "An item with |t| of |−2.0|."),
        "cell": ("Findings", "row · |4|"),
        "one": ("Findings", "It is |1| (or two)."),
        "two": ("Findings", "After |2|."),
        "unquoted": ("Findings: not quoted on the page", ""),
    }
