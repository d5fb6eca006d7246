"""Statements of the book: each name is recorded once and used, no verdict is a literal, and each is
false on some other data."""

from __future__ import annotations

import ast
import json
import re
from functools import cache

import in_process
import pytest
from test_chapters import just_executed, shown
from test_house import NOTEBOOKS, ROOT, calls, cells, code_cells
from worlds import published

from runner import plan, statements
from vlmbias import paths
from vlmbias.external import facts

SHIPPED = facts.table
PAGES = sorted((ROOT / "book").rglob("*.md"))


@cache
def verdicts(path):
    """What a notebook records: every keyword of every `vb.holds(…)`, with its expression."""
    sources = [one.source for one in code_cells(path) if "vb.holds(" in one.source]
    held = [call for source in sources for call in calls(ast.parse(source), "vb.holds")]
    return [(word.arg, word.value) for call in held for word in call.keywords]


def used(text):
    return {one["name"] for one in statements.STATEMENT.finditer(text)}


@cache
def on_pages():
    return set().union(*(used(page.read_text("utf-8")) for page in PAGES))


def test_every_statement_is_recorded_once_and_every_record_used():
    for path in NOTEBOOKS:
        recorded = [name for name, _ in verdicts(path)]
        assert None not in recorded, "name each statement: vb.holds(name=…)"
        assert len(recorded) == len(set(recorded)), path
        here = set().union(*(used(c.source) for c in cells(path) if c.cell_type == "markdown"))
        there = {one.rpartition(".")[2] for one in on_pages() if one.startswith(f"{path.stem}.")}
        assert set(recorded) == here | there, path


def test_pages_name_statements_of_notebooks_that_there_are():
    stems = [path.stem for path in NOTEBOOKS]
    for name in on_pages():
        assert stems.count(name.partition(".")[0]) == 1, f"#{name}: which notebook?"


def test_no_verdict_is_a_literal():
    for path in NOTEBOOKS:
        for name, verdict in verdicts(path):
            assert not isinstance(verdict, ast.Constant), f"{name} is always {ast.unparse(verdict)}"


def test_a_statement_is_written_in_one_way():
    """What looks like one and is none would be printed as it is written."""
    texts = [page.read_text("utf-8") for page in PAGES]
    texts += [cell.source for path in NOTEBOOKS for cell in cells(path)]
    for text in texts:
        written = len(list(statements.STATEMENT.finditer(text)))
        assert len(re.findall(r"\.holds\b *#|\.holds\}", text)) == written, text[:300]


# --- other data -----------------------------------------------------------------------------------


def recorded(cells):
    """The verdicts of a notebook that ran."""
    every = {one["metadata"].get("scrapbook", {}).get("name", ""): one for one in shown(cells)}
    return {
        name.removeprefix(statements.PREFIX): ast.literal_eval(
            one["application/papermill.record/text/plain"]
        )
        for name, one in every.items()
        if name.startswith(statements.PREFIX)
    }


def seen(notebook, monkeypatch, world):
    """The verdicts of a notebook where the tables hold other values; its pictures are not drawn."""
    if world is not None:
        monkeypatch.setattr(
            facts, "table", lambda name, file="": published(name, SHIPPED(name, file), world)
        )
    record = plan.record(notebook, plan.settings("greenhouse"), files={})
    results = paths.build() / "smoke" / f"{notebook}-{world}" / "results.json"
    return recorded(in_process.run(record, results, drawn=False))


@pytest.mark.parametrize(
    "notebook", [name for name in plan.notebooks() if name.startswith("real/")]
)
def test_each_verdict_is_false_on_some_data(notebook, monkeypatch):
    executed = just_executed(notebook)
    shipped = recorded(executed) if executed else seen(notebook, monkeypatch, None)
    assert all(shipped.values()), json.dumps(shipped)
    always = set(shipped)
    for world in (2, 4, 1, 0, 3, 5, 6):  # those first in which most statements are false
        if always:
            found = seen(notebook, monkeypatch, world)
            always = {name for name in always if found.get(name) is not False}
    assert not always, f"true on all data: {sorted(always)}"
