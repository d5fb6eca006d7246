"""What makes a page's code readable: figures shown where they stand, numbers glued by `vb.note`,
enough of it in the open."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from test_house import BY_NAME, CHAPTERS, NOTEBOOKS, code_lines

from runner import notebooks

LEAST_VISIBLE = 30  # lines of a chapter that a reader would type; settings and tables that no
# sentence uses are folded, so an argument from printed numbers needs few


def calls(tree: ast.AST, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(name)
    ]


def cells(path: Path) -> list[tuple[str, set[str]]]:
    """The source and the tags of every code cell."""
    return [
        (cell.source, set(notebooks.tags(cell)))
        for cell in notebooks.read(path).cells
        if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, **BY_NAME)
def test_a_notebook_glues_and_shows_one_thing_at_a_time(path):
    for source, _ in cells(path):
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.For | ast.While | ast.FunctionDef):
                assert not calls(node, "figures.show"), "show each figure by itself"
        glued = [ast.unparse(one.func) for one in calls(tree, "glue")]
        assert "glue" not in glued, "glue with vb.note or vb.holds"


@pytest.mark.parametrize("path", CHAPTERS, **BY_NAME)
def test_a_chapter_shows_code_that_a_reader_would_type(path):
    folded = {"hide-input", "hide-cell", "remove-input", "remove-cell", "parameters", "solution"}
    assert (
        sum(code_lines(source) for source, tags in cells(path) if not tags & folded)
        >= LEAST_VISIBLE
    )
