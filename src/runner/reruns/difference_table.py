"""The table of differences, short for a terminal and whole for a page.

Comes in: the table of `verdicts.compared`, the label of each result. Goes out: text, or HTML; in
either, a sentence has this run's value marked. May not: judge.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

import pandas as pd

from runner.reruns import verdicts
from runner.reruns.labels import Label
from runner.reruns.verdicts import is_number

IN_TERMINAL, IN_THE_OPEN = 12, 10
HEADS = ("result", "the book's", "this run", "another seed gives", "verdict")


def value(one: Any) -> str:
    """A value in few letters."""
    return (f"{one:.4g}" if isinstance(one, float) else str(one)).replace(
        "-", "−" if is_number(one) else "-"
    )


def interval(row: Any) -> str:
    """What another seed gives: an interval, or words."""
    if pd.notna(row.low):
        return f"{row.low:.3g} to {row.high:.3g}".replace("-", "−")
    return "other words" if row.by_seed else ""


def _cells(row: Any) -> list[str]:
    """What a row shows: a cell of a notebook's table as it is printed there."""
    return [row.was or value(row.book), row.now or value(row.here), interval(row), row.verdict]


def text(table: pd.DataFrame, labels: Mapping[str, Label]) -> str:
    """The results that changed, two lines each: the values, and the sentence that quotes them."""
    changed = table[table["verdict"] != verdicts.SAME]
    shown = list(changed.head(IN_TERMINAL).itertuples())
    rows = [[row.result, *(cell[:34] for cell in _cells(row)[:-1]), row.verdict] for row in shown]
    widths = [max(len(row[n]) for row in [HEADS, *rows]) for n in range(len(HEADS))]
    lines = []
    for n, row in enumerate([HEADS, *rows] if rows else []):
        lines.append(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
        if n:
            line = labels[row[0]].line(shown[n - 1].here)
            lines += [f"    {line}"] * bool(line)
    if len(changed) > len(shown):
        lines.append(f"… and {len(changed) - len(shown)} less surprising changes: on the page")
    return "\n".join(lines)


def html(table: pd.DataFrame, labels: Mapping[str, Label]) -> str:
    """Every result, the first in the open, the rest and what did not change folded."""
    changed, same = (
        table[(table["verdict"] == verdicts.SAME) == is_same] for is_same in (False, True)
    )
    first, rest = changed.head(IN_THE_OPEN), changed.iloc[IN_THE_OPEN:]
    parts = [_table(first, labels)] if len(first) else ["<p>Nothing changed.</p>"]
    for some, what in ((rest, "less surprising changes"), (same, "did not change")):
        if len(some):
            parts.append(
                f'<details class="claims"><summary>{len(some)} {what}</summary>\n'
                f"{_table(some, labels)}\n</details>"
            )
    return "\n".join(parts)


def _table(rows: pd.DataFrame, labels: Mapping[str, Label]) -> str:
    head = "".join(f"<th>{name}</th>" for name in HEADS)
    lines = []
    for row in rows.itertuples():
        cells = zip(HEADS[1:], _cells(row), strict=True)
        shown = "".join(
            f'<td data-label="{escape(name)}">{escape(cell)}</td>' for name, cell in cells
        )
        lines.append(f"<tr><td>{_sentence(labels[str(row.result)], row)}</td>{shown}</tr>")
    body = f"<thead><tr>{head}</tr></thead>\n<tbody>{''.join(lines)}</tbody>"
    return f'<div class="vb-scroll"><table class="vb-ledger vb-cards vb-rerun">{body}</table></div>'


def _sentence(label: Label, row: Any) -> str:
    """The key, and the sentence with this run's value in its place."""
    if not label.quoted:
        return f"<code>{escape(row.result)}</code><br>{escape(label.elsewhere)}"
    before, after = label.around(260)
    words = f"{escape(before)}<mark>{escape(label.printed(row.here))}</mark>{escape(after)}"
    return f"<code>{escape(row.result)}</code> {escape(label.section)}<br>{words}"
