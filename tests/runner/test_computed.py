"""Everything that a run computed, with its section and its place."""

import json

import nbformat
import pandas as pd
import pytest

from runner.reruns import computed
from runner.reruns.reach import Reach, reach
from studies import tables

KIND = "application/papermill.record/"


def glue(name, value):
    return nbformat.v4.new_output(
        "display_data",
        {f"{KIND}text/plain": repr(value)},
        metadata={"scrapbook": {"name": name, "mime_prefix": KIND}},
    )


def show(html):
    return nbformat.v4.new_output("display_data", {"text/html": html})


def notebook(*outputs, source="show(x)"):
    new = nbformat.v4
    return new.new_notebook(
        cells=[
            new.new_markdown_cell("# A title\n\n## What the paper reports"),
            new.new_code_cell("1", outputs=[glue("n", 3)]),
            new.new_markdown_cell("## The protocol, run on the Greenhouse"),
            new.new_code_cell(source, outputs=list(outputs)),
        ]
    )


FRAME = pd.DataFrame(
    {"d": [2.461, -0.19], "p": ["< 10⁻⁹", "0.5"], "share": [0.5, 0.25], "n": [18_000, 3]},
    index=pd.MultiIndex.from_product([["lime"], ["described", "released"]]),
)


def test_cells_of_a_table_have_their_rows_and_columns_also_where_a_label_spans_two():
    html = tables.readable(FRAME).format("{:.0%}", subset="share").to_html()
    found = computed.computed(notebook(show(html)), None, Reach(everything=True))
    one = found["The protocol, table 1: lime, released · d"]
    assert (one.value, one.text, one.place, one.quantity) == (-0.19, "−0.19", "lime, released", "d")
    assert found["The protocol, table 1: lime, described · n"].value == 18_000
    share = found["The protocol, table 1: lime, described · share"]
    assert (share.value, share.unit) == (50.0, "%")
    assert found["The protocol, table 1: lime, described · p"].value == "< 10⁻⁹"
    assert len(found) == 9  # eight cells, and what the first section glued


def test_where_rows_have_no_labels_their_first_words_are_these():
    html = tables.readable(FRAME.reset_index()).hide(axis="index").to_html()
    found = computed.computed(notebook(show(html)), None, Reach())
    assert found["The protocol, table 1: lime, released · d"].value == -0.19


def test_a_table_of_what_is_printed_is_none_of_the_run():
    html = FRAME.to_html() + "<table><tr><td>printed</td></tr></table>"
    assert list(computed.computed(notebook(show(html)), None, Reach())) == ["n"]


def test_results_know_section_and_reach():
    can = reach(notebook(source="vb.note(d=model)").cells, ["model"])
    found = computed.computed(notebook(glue("d", 1.5), source="vb.note(d=model)"), None, can)
    assert [(one.key, one.section, one.reached) for one in found.values()] == [
        ("n", "What the paper reports", False),
        ("d", "The protocol", True),
    ]


def test_what_was_recorded_is_called_by_the_claim(tmp_path):
    base = {"protocol": "described", "stimuli": "greenhouse/cfd", "model": "greenhouse"}
    rows = [
        base | {"claim": "we_they.clip.wa.d", "value": 0.0958},
        base | {"claim": "gone.d", "value": True},
        base | {"claim": "we_they.clip.wa.d", "value": 0.1, "protocol": "released"},
    ]
    (tmp_path / "results.json").write_text(json.dumps(rows))
    found = computed.computed(
        notebook(), tmp_path / "results.json", Reach(records={r"we_they\..+"})
    )
    one = found["we_they.clip.wa.d"]
    assert (one.quantity, one.unit, one.text, one.section) == (
        "effect size d",
        "d",
        "0.0958",
        "The protocol",
    )
    assert one.reached and not found["gone.d"].reached and found["gone.d"].text == "holds"
    assert found["we_they.clip.wa.d, as released"].value == 0.1


def test_figures_have_their_words_and_section():
    html = '<figure class="vb-figure" id="one"><img alt="Two dots."/></figure>'
    (one,) = computed.figures(notebook(show(html)), Reach(figures={"one"}))
    assert (one.name, one.alt, one.protocol, one.reached) == ("one", "Two dots.", True, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("−0.50", -0.5),
        ("18,000", 18_000),
        ("12%", 12),
        ("+.3", 0.3),
        ("< 10⁻⁹", None),
        ("–", None),
        ("1 of 3", None),
        ("", None),
    ],
)
def test_a_printed_number_is_read_back(text, value):
    assert computed.number(text) == value
