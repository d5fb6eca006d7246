"""What a parameter can change at all, read from a notebook's code."""

import ast

import nbformat
import pytest

from runner import notebooks, plan
from runner.reruns.reach import reach, reads


def found(*cells, names=("model",)):
    return reach([nbformat.v4.new_code_cell(source) for source in cells], names)


def test_what_is_made_of_the_parameter_is_reached_and_nothing_else():
    one = found(
        "seen = look(model)\nother = look(planted)",
        "vb.note(a=seen.mean(), b=other, c={'d': seen})",
        "vb.figures.show(draw(seen), name='one')\nvb.figures.show(draw(other), name='two')",
    )
    assert [one.glued(1, key) for key in ("a", "b", "c.d")] == [True, False, True]
    assert one.figure("one") and not one.figure("two") and not one.glued(0, "a")


def test_a_name_that_is_written_anew_is_no_longer_reached():
    one = found("x = look(model)\ny = x\nx = 1\nfor x in range(3):\n    pass", "vb.note(x=x, y=y)")
    assert one.glued(1, "y") and not one.glued(1, "x")


def test_names_inside_comprehensions_and_functions_are_their_own():
    one = found(
        "rows = look(model)\nbest = [row for row in rows]\ndef half(rows):\n    return rows / 2",
        "vb.note(a=[row for row in fixed], b=best, c=half(fixed))",
        "def scored(x):\n    return x @ rows\nvb.note(d=scored(fixed))",
    )
    assert (
        one.glued(1, "b") and one.glued(2, "d") and not one.glued(1, "a") and not one.glued(1, "c")
    )
    assert reads(ast.parse("lambda x: x + y")) == {"y"} and reads(
        ast.parse("{k: v for k, v in z}")
    ) == {"z"}


def test_what_is_changed_in_place_is_reached_with_its_parts():
    one = found(
        "import vb\nfig, (a, b) = vb.panels()\nkept = {}\n"
        "for axes, own in zip((a, b), look(model)):\n"
        "    axes.plot(own)\nkept['x'] = look(model)",
        "vb.figures.show(fig, name='one')\nvb.note(k=kept, n=vb.n)",
    )
    assert one.figure("one") and one.glued(1, "k") and not one.glued(1, "n")


def test_what_depends_on_a_reached_condition_is_reached():
    one = found(
        "if model == 'x':\n    a = 1\nelse:\n    b = 1\nfor n in range(model):\n    c = n",
        "vb.note(a=a, b=b, c=c)",
    )
    assert all(one.glued(1, key) for key in "abc")


def test_records_are_named_by_patterns_and_unpacked_notes_by_the_rest():
    one = found(
        "for name, value in look(model):\n    "
        "vb.ledger.record(f'paper.{name}', value, results=results)\n"
        "vb.ledger.record('paper-n', 5)",
        "vb.note(**look(model), fixed=1)",
    )
    assert one.recorded("paper.d") and not one.recorded("paper-n") and not one.recorded("other.d")
    assert one.glued(1, "any") and not one.glued(1, "fixed")


def test_a_cell_that_cannot_be_read_reaches_everything():
    one = found("%matplotlib inline\nx = 1", "vb.note(x=1)")
    assert one.glued(1, "x") and one.recorded("any") and one.shown(0) and one.figure("any")


@pytest.mark.parametrize("name", [name for name in plan.notebooks() if "greenhouse/" not in name])
def test_the_model_under_test_reaches_the_protocol_alone(name):
    """The laboratory's networks and the audit of what is printed have parameters of their own, or
    none.
    """
    content = notebooks.read(plan.source(name))
    names = [one for one in ("model", "models") if one in notebooks.parameters(content, where=name)]
    if not names or name.startswith("real/"):
        pytest.skip("takes no model, or is about the models of a table")
    one, outside, inside = reach(content.cells, names), set(), False
    for number, cell in enumerate(content.cells):
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            inside = line.startswith(notebooks.SECOND_SECTION) if line.startswith("## ") else inside
        if not inside and (one.shown(number) or any(cell_ == number for cell_, _ in one.keys)):
            outside.add((number, cell.source[:60]))
    assert not one.everything
    assert not outside
