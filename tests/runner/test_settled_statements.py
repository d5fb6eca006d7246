"""Statements: what holds is printed, what does not is marked or an error, what was not run is
not."""

import nbformat
import numpy as np
import pytest
from outputs import glue

import vlmbias as vb
from runner import stage, statements

KNOWN = {"up": True, "down": False, "gone": None, "age.up": True}


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("[It rises.]{.holds #up} So it is.", "It rises. So it is."),
        ("[It falls.]{.holds #down}", "[It falls.]{.does-not-hold}"),
        ("Before. [It is gone.]{.holds #gone} After.", "Before.  After."),
        ("- [Gone.]{.holds #gone}\n- [Up.]{.holds #up}\n", "- Up.\n"),
        ("1. [Gone.]{.holds #gone}\n2. two\n", "2. two\n"),
        ("* - [Gone.]{.holds #gone}\n  -\n  - \n", "* - \n  -\n  - \n"),
        ("- \n-\n", "- \n-\n"),
        (
            "[See [there](x.md), {glue:text}`n:.1f`.]{.holds #up}",
            "See [there](x.md), {glue:text}`n:.1f`.",
        ),
        ("[Of a chapter.]{.holds #age.up}", "Of a chapter."),
        ("[A link](x) and [words]{.else}", "[A link](x) and [words]{.else}"),
    ],
)
def test_a_page_prints_what_holds(text, page):
    found = statements.settled(text, KNOWN)
    assert found.text == page and not found.wrong
    assert found.false == ["It falls."] * text.count("#down")


@pytest.mark.parametrize("strict", [True, False])
def test_a_false_statement_is_an_error_in_continuous_integration_alone(monkeypatch, capsys, strict):
    monkeypatch.setenv("CI", "true" * strict)
    text = "[It rises.]{.holds #up} [It falls.]{.holds #down} [Gone.]{.holds #gone}"
    said = stage._wrong("page", [statements.settled(text, KNOWN)])
    assert said == ["page: the page says what this run does not show: It falls."] * strict
    assert ("page does not hold in this run: It falls.\n" in capsys.readouterr().err) != strict


def test_a_statement_that_nobody_records_is_named():
    (said,) = statements.settled("[It is.]{.holds #other}", KNOWN).wrong
    assert said.startswith("#other: no notebook records this statement")


def executed(prose, **glued):
    """A notebook of one text and of what it glued."""
    code = nbformat.v4.new_code_cell("x", outputs=[glue(*one) for one in glued.items()])
    return nbformat.v4.new_notebook(cells=[code, nbformat.v4.new_markdown_cell(prose)])


def test_an_executed_notebook_is_settled_by_what_it_recorded_itself():
    prose = (
        "[One.]{.holds #one} [*Two* is {glue:text}`n:.1f`.]{.holds #two} [Three.]{.holds #three}"
    )
    notebook = executed(
        prose, **{"holds.one": True, "holds.two": False, "holds.three": None, "n": 0.25}
    )
    page, (found,) = statements.settled_notebook(notebook)
    assert page.cells[1].source == "One. [*Two* is {glue:text}`n:.1f`.]{.does-not-hold} "
    assert notebook.cells[1].source == prose
    assert statements.no_longer(notebook) == [("two", "Two is 0.2.")]
    missing = executed(prose, **{"holds.one": True, "holds.two": False, "holds.three": None})
    assert statements.no_longer(missing) == [("two", "Two is not run.")]
    assert statements.no_longer(missing, {"n": 0.25}) == [("two", "Two is 0.2.")]
    assert statements.no_longer(notebook, {"n": 0.75}) == [("two", "Two is 0.2.")]
    assert found.false == ["*Two* is {glue:text}`n:.1f`."]


def test_prose_of_the_book_names_the_chapter():
    results = {"a/age": {"holds.up": True, "n": 3}, "b/sex": {"holds.up": False}}
    assert statements.of_chapters(results) == {"age.up": True, "sex.up": False}


def test_what_is_no_verdict_is_no_statement(capsys):
    vb.holds(plain=True, numpy=np.float64(2) > 3, missing=None)
    for value in (1, 0.0, "yes", [True], np.array([True])):
        with pytest.raises(TypeError, match=r"holds: wrong is a .*give True, False, or None"):
            vb.holds(wrong=value)
