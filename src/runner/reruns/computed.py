"""Everything that a notebook computed: recorded values, glued values, and the cells of its tables.

Comes in: an executed notebook, the results file beside it. Goes out: results by key, each with its
section, what it is a value of, and where it stands. May not: compare two runs, or look at a table
of what a paper prints.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode

from runner import statements
from runner.glued_values import glued
from runner.notebooks import SECOND_SECTION
from runner.reruns.reach import Reach
from vlmbias.ledger.claims import Claim, LedgerError, claim
from vlmbias.ledger.results import read_results

RECORDED, TEXT, TABLE = "recorded", "in the text", "in tables"
KINDS = (RECORDED, TEXT, TABLE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?")
_OF_PROTOCOL = "described"  # the protocol that needs no word


@dataclass(frozen=True)
class Result:
    """One value of a run.

    Attributes
    ----------
    key : its name among the results of its notebook.
    kind : one of `KINDS`.
    value : a number, a truth value or words; of a table's cell, as printed.
    section : the heading under which it was computed.
    quantity : what it is a value of: a claim's quantity, a column's head; empty for a glued value.
    place : of which case: a claim's subject, a row's label.
    unit : of a claim, or "%" in a table.
    text : the value as it is printed; empty where that follows from the sentence that quotes it.
    reached : whether the parameters that the run was given can change it.
    """

    key: str
    kind: str
    value: Any
    section: str
    quantity: str = ""
    place: str = ""
    unit: str = ""
    text: str = ""
    reached: bool = True


@dataclass(frozen=True)
class Figure:
    """One figure of a run: its name, section, HTML and the words that stand for it."""

    name: str
    section: str
    html: str
    alt: str
    protocol: bool
    reached: bool = True


def computed(notebook: NotebookNode, results: Path | None, can: Reach) -> dict[str, Result]:
    """The results of a run, by key, in the order of the notebook; what is recorded comes first.

    Parameters
    ----------
    notebook : the executed copy.
    results : the file of what it recorded; None, or one that is not there, for nothing.
    can : what the rerun's parameters can change.
    """
    found = {one.key: one for one in _recorded(notebook, results, can)}
    counts: Counter[str] = Counter()
    for number, (section, cell) in enumerate(sections(notebook)):
        here = NotebookNode(cells=[cell])
        for key, value in glued(here).items():
            if key.startswith(statements.PREFIX):  # the report lists those that do not hold
                continue
            found[key] = Result(key, TEXT, value, section, reached=can.glued(number, key))
        for table in _tables(cell):
            counts[section] += 1
            name = f"{section}, table {counts[section]}" if section else f"table {counts[section]}"
            for result in _cells(table, name, section, can.shown(number)):
                found.setdefault(result.key, result)
    return found


def figures(notebook: NotebookNode, can: Reach) -> list[Figure]:
    """The figures of a run, in order; those that no `vb.figures.show` named have a number for a
    name.
    """
    found: list[Figure] = []
    for section, cell in sections(notebook):
        for page in _pages(cell):
            for one in page.select("figure.vb-figure"):
                name = str(one.get("id") or f"figure {len(found) + 1}")
                picture = one.select_one("[alt], [aria-label]")
                alt = (
                    "" if picture is None else str(picture.get("alt") or picture.get("aria-label"))
                )
                found.append(
                    Figure(
                        name,
                        section,
                        str(one),
                        alt,
                        section.startswith(_words(SECOND_SECTION)),
                        can.figure(name),
                    )
                )
    return found


def sections(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Every cell with the heading that it stands under; of the first ones, the title."""
    section = ""
    for cell in notebook.cells:
        heads = (
            re.findall(r"^##? +(.+)", cell.source, re.MULTILINE)
            if cell.cell_type == "markdown"
            else []
        )
        section = _words(heads[-1]) if heads else section
        yield section, cell


def _words(heading: str) -> str:
    """A heading's words; of the second section, without what it was run on, which two runs may
    differ in.
    """
    text = re.sub(r"[*`#]", "", heading).strip()
    return re.sub(r"^(The protocol), run on\b.*", r"\1", text)


def _pages(cell: NotebookNode) -> Iterator[BeautifulSoup]:
    for output in cell.get("outputs", ()):
        html = output.get("data", {}).get("text/html", "")
        yield BeautifulSoup("".join(html), "html.parser")


def _tables(cell: NotebookNode) -> Iterator[Tag]:
    """The tables that a study computed; those of the ledger, of what is printed, have no such
    cells.
    """
    for page in _pages(cell):
        yield from (table for table in page.find_all("table") if table.select_one("td.data"))


def _places(table: Tag, kind: str, other: str) -> dict[int, list[str]]:
    """The labels of rows (or columns) by number, the outer level first; one may span several."""
    levels: dict[int, dict[int, str]] = {}
    for head in table.select(f"th.{kind}_heading"):
        marks = " ".join(head.get("class") or ())
        level, number = (int(re.search(rf"\b{word}(\d+)", marks)[1]) for word in ("level", other))  # type: ignore
        for one in range(number, number + int(str(head.get(f"{kind}span") or 1))):
            levels.setdefault(one, {})[level] = _text(head)
    return {one: [text for _, text in sorted(own.items()) if text] for one, own in levels.items()}


def _text(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").split())


def number(text: str) -> float | None:
    """What a printed number says, without its sign for per cent; None for words."""
    plain = text.replace("−", "-").replace(",", "").replace("\u00a0", " ").removesuffix("%").strip()
    return float(plain) if _NUMBER.fullmatch(plain) else None


def _cells(table: Tag, name: str, section: str, reached: bool) -> Iterator[Result]:
    rows, columns = _places(table, "row", "row"), _places(table, "col", "col")
    values: dict[tuple[int, int], str] = {}
    for cell in table.select("td.data"):
        marks = " ".join(cell.get("class") or ())
        row, column = (int(one) for one in re.findall(r"\b(?:row|col)(\d+)", marks))
        values[row, column] = _text(cell)
    numbers = sorted({row for row, _ in values})
    labels = 0 if rows else _leading(values, numbers)
    seen: Counter[str] = Counter()
    for (row, column), text in values.items():
        if column < labels:
            continue
        own = rows.get(row) or [values[row, one] for one in range(labels)] or [f"row {row + 1}"]
        quantity, place = ", ".join(columns.get(column, ())), ", ".join(own)
        key = f"{name}: {place} · {quantity}"
        seen[key] += 1
        key += f" ({seen[key]})" * (seen[key] > 1)
        plain = number(text)
        yield Result(
            key,
            TABLE,
            text if plain is None else plain,
            section,
            quantity,
            place,
            "%" * (plain is not None and text.endswith("%")),
            text,
            reached,
        )


def _leading(values: dict[tuple[int, int], str], rows: Sequence[int]) -> int:
    """Where rows have no labels: how many columns of words at the left tell them apart; 0 if none
    do.
    """
    width = 1 + max(column for _, column in values)
    for labels in range(1, width):
        if any(number(values.get((row, labels - 1), "")) is not None for row in rows):
            return 0
        if len({tuple(values.get((row, one), "") for one in range(labels)) for row in rows}) == len(
            rows
        ):
            return labels
    return 0


def _recorded(notebook: NotebookNode, results: Path | None, can: Reach) -> Iterator[Result]:
    section = next(
        (name for name, _ in sections(notebook) if name.startswith(_words(SECOND_SECTION))), ""
    )
    for one in read_results(results) if results is not None and results.is_file() else ():
        about, how = (
            _claim(one["claim"]),
            "" if one["protocol"] == _OF_PROTOCOL else f", as {one['protocol']}",
        )
        quantity, place, unit = (
            (about.quantity, about.subject, about.unit) if about else ("", one["claim"], "")
        )
        yield Result(
            one["claim"] + how,
            RECORDED,
            one["value"],
            section,
            quantity + how,
            place,
            "" if unit == "statement" else unit,
            as_recorded(one["value"]),
            can.recorded(one["claim"]),
        )


def as_recorded(value: Any) -> str:
    """A recorded value in few letters: a statement holds or does not."""
    if isinstance(value, bool):
        return "holds" if value else "does not hold"
    return f"{value:.3g}".replace("-", "−") if isinstance(value, float) else str(value)


def _claim(name: str) -> Claim | None:
    try:
        return claim(name)
    except LedgerError:
        return None  # since taken out of the ledger
