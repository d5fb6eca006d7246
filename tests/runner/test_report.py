"""The report of reruns: what stands first, which figures are shown, how several runs stand side by
side."""

from pathlib import Path

import nbformat
import pytest
from outputs import figure, glue

from runner.reruns import compare, report
from runner.reruns.runs import Run

PROSE = "[*Larger*, by {glue:text}`gap:.1f`.]{.holds #larger}"


def run(gap, first=(), protocol=()):
    """A run with one number, one statement, and figures in two sections."""
    new = nbformat.v4
    cells = [
        new.new_markdown_cell(f"# A\n\n## First\n\n{PROSE}"),
        new.new_code_cell("1", outputs=[*first, glue("gap", gap), glue("holds.larger", gap > 0)]),
        new.new_markdown_cell("## The protocol, run on {data}"),
        new.new_code_cell("2", outputs=list(protocol)),
    ]
    return Run(new.new_notebook(cells=cells), Path("no.json"))


def names(book, **runs):
    return list(report.made(book, runs, []).pictures())


def test_the_statements_that_no_longer_hold_come_first_and_those_false_in_the_book_do_not():
    lost = "1 statement of the page no longer holds:\n  – Larger, by −2.0.\n"
    assert report.text(report.made(run(1.0), {"this run": run(-2.0)}, [])).startswith(lost)
    words = "Every statement of the page that holds in the book still holds."
    for book, here in ((1.0, 2.0), (-1.0, -2.0)):
        made = report.made(run(book), {"this run": run(here)}, [])
        assert report.text(made).startswith(words) and words in report.html(made)


def test_figures_of_the_protocol_that_differ_are_shown_else_all_that_do():
    one, other, same = figure("a", "one"), figure("a", "other"), figure("b", "same")
    assert names(run(1.0, [one, same]), here=run(1.0, [other, same])) == ["a"]
    assert names(run(1.0, [one], [same]), here=run(1.0, [other], [figure("b", "x")])) == ["b"]
    assert names(run(1.0, [one]), here=run(1.0)) == ["a"]
    assert names(run(1.0, [figure("a-slide", "one")]), here=run(1.0)) == []
    made = report.made(run(1.0, [one]), {"here": run(1.0, [other]), "there": run(1.0)}, [])
    assert "Figure a\n  the book: one\n  here: other\n  there: not drawn" in report.text(made)
    assert 'id="a"' not in report.html(made) and "does not draw it" in report.html(made)


@pytest.mark.parametrize(("others", "star"), [([1.0, 1.0], " *"), ([0.9, 1.2], ""), ([], "")])
def test_of_several_runs_a_star_marks_what_no_other_seed_gives(others, star):
    runs = {"x = 1": run(1.1), "x = 2": run(1.0)}
    made = report.made(run(1.0), runs, [run(one) for one in others])
    assert made.heads == ["result", "the book", "x = 1", "x = 2", "another seed gives"]
    assert made.row("gap")[:3] == ["1", f"1.1{star}", "1"]
    assert made.changed() == (["gap"], [])


def test_of_one_run_each_result_has_its_verdict_and_its_sentence():
    made = report.made(run(1.0), {"this run": run(1.1)}, [run(0.9), run(1.2)])
    *_, interval, verdict = made.row("gap")
    low, high = compare.interval([1.0, 0.9, 1.2])
    assert interval == f"{low:.3g} to {high:.3g}" and verdict == compare.WITHIN
    assert "    First: Larger, by [1.1]." in report.text(made).splitlines()
    assert "Larger, by <mark>1.1</mark>." in report.html(made)
