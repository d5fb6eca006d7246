"""Tables of records as HTML: whole, or folded by chapter.

Comes in: rows of cells, and the records that they are about. Goes out: HTML whose cells carry their
column's name, for narrow screens. May not: choose records, or judge one.
"""

from __future__ import annotations

import re
from html import escape

from claims_on_pages import NAMES

from vlmbias import paths


def counted(number: int, one: str, many: str = "") -> str:
    """A number and its noun."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def html_table(
    header: list[str],
    rows: list[list[str]],
    classes: str,
    *,
    marks: list[dict[str, str]] | None = None,
) -> str:
    """A table of cells in HTML; every cell carries its column's name, for narrow screens, every row
    its marks."""
    lines = []
    for row, own in zip(rows, marks or [{}] * len(rows), strict=True):
        cells = (
            f'<td data-label="{column}">{cell}</td>'
            for column, cell in zip(header, row, strict=True)
        )
        attributes = "".join(f' {mark}="{escape(text)}"' for mark, text in own.items())
        lines.append(f"<tr{attributes}>{''.join(cells)}</tr>")
    head = "".join(f"<th>{column}</th>" if column else "<td></td>" for column in header)
    return (
        '<div class="vb-scroll"><table class="table vb-ledger'
        f' {classes}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def title(notebook: str) -> str:
    """The title of a chapter."""
    source = paths.root() / "notebooks" / f"{notebook}.py"
    heading = (
        re.search(r"^# # (.+)$", source.read_text("utf-8"), re.MULTILINE)
        if source.is_file()
        else None
    )
    return heading[1] if heading else notebook


def folded(
    header: list[str],
    rows: list[list[str]],
    card: list[dict],
    *,
    name: str = "",
    marks: list[dict[str, str]] | None = None,
) -> str:
    """The rows of records, folded by chapter in the order in which they come; how many do not hold
    stands outside."""
    parts: dict[str, list[int]] = {}
    for number, row in enumerate(card):
        parts.setdefault(row["notebook"], []).append(number)
    folds = []
    for notebook, own in parts.items():
        failed = sum(card[n]["audit"] == "inconsistent" for n in own)
        shown = html_table(
            header,
            [rows[n] for n in own],
            "vb-cards",
            marks=[marks[n] for n in own] if marks else None,
        )
        paper = NAMES.get(card[own[0]]["paper"], card[own[0]]["paper"])
        where = (
            f"{escape(paper)}, {escape(title(notebook))}: " if notebook else f"{escape(paper)}: "
        )
        held = f"{counted(len(own), 'record')}, {failed or 'none'} inconsistent"
        ident = f' id="{name}-of-{notebook.replace("/", "-")}"' if name else ""
        folds.append(
            f'<details class="vb-chapter-records"{ident}><summary>{where}<span'
            f' class="vb-shown">{held}</span></summary>{shown}</details>'
        )
    ident = f' id="{name}"' if name else ""
    return f'<div class="vb-folds"{ident}>{"".join(folds)}</div>'
