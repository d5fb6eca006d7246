"""What reruns changed, for a terminal and for a page: the statements that no longer hold, the
figure before and after, every result with its verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd

from runner import statements
from runner.glued_values import glued
from runner.reruns import compare
from runner.reruns.computed import Figure, Result, figures, results
from runner.reruns.runs import Run
from vlmbias.number_signs import counted, in_words

IN_TERMINAL, IN_THE_OPEN, WIDTH = 12, 30, 34
MARK = "*"
LEGEND = f"{MARK} {compare.BEYOND}, or {compare.FIXED}"
STYLE = """<style>.vb-before-after { display: grid; break-inside: avoid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0 1rem }
.vb-before-after > div { min-width: 0 }
.vb-before-after .vb-side { margin: 0; font-weight: 600 }
.vb-before-after img { max-width: 100%; height: auto }
article h1, .vb-rerun-report code { overflow-wrap: anywhere }
.search-button, .search-button__wrapper { display: none !important }
@media print {
  #jb-print-toc, .bd-header-article, .bd-sidebar-secondary,
  .toggle-hint { display: none !important }
  .vb-rerun-report tr, figure { break-inside: avoid } }</style>"""


@dataclass(frozen=True)
class Side:
    """A run beside the book's: what it is called, its results and figures, the statements that no
    longer hold in it, and how its results compare.
    """

    title: str
    results: Mapping[str, Result]
    figures: Mapping[str, Figure]
    lost: Sequence[str]
    table: pd.DataFrame


@dataclass(frozen=True)
class Report:
    """The book's run, and the runs beside it: one, or one per value of a parameter."""

    book: Side
    sides: Sequence[Side]

    @property
    def heads(self) -> list[str]:
        verdict = ["verdict"] * (len(self.sides) == 1)
        titles = [side.title for side in self.sides]
        return ["result", self.book.title, *titles, "another seed gives", *verdict]

    def changed(self) -> tuple[list[str], list[str]]:
        """The results in which some run differs from the book's, the most surprising first; and the
        rest.
        """
        tables = pd.concat([side.table for side in self.sides])
        ranks = tables[["surprise", "relative"]].groupby(level=0, sort=False).max()
        ordered = ranks.sort_values(["surprise", "relative"], ascending=False, kind="stable")
        differ = set(tables.index[tables["verdict"] != compare.SAME])
        keys = ordered.index.tolist()
        return [key for key in keys if key in differ], [key for key in keys if key not in differ]

    def row(self, key: str) -> list[str]:
        """A result by run, the book's first; what another seed gives; of one run, the verdict."""
        judged = [side.table.loc[key] if key in side.table.index else None for side in self.sides]
        cells = [_shown(self.book.results, key)]
        for side, one in zip(self.sides, judged, strict=True):
            surprising = one is not None and one.verdict in compare.MORE_THAN_A_SEED
            marked = surprising and len(self.sides) > 1
            cells.append(_shown(side.results, key) + f" {MARK}" * marked)
        first = next(one for one in judged if one is not None)
        cells.append(_interval(first))
        return [*cells, first.verdict] if len(self.sides) == 1 else cells

    def described(self, key: str) -> Result:
        """Where a result stands: in the one run, or in the book, whose sentence has no other value
        than its own.
        """
        sides = [*self.sides, self.book] if len(self.sides) == 1 else [self.book, *self.sides]
        return next(side.results[key] for side in sides if key in side.results)

    def pictures(self) -> dict[str, list[tuple[str, Figure | None]]]:
        """The figures of the paper's protocol that differ, by name, of the book and of each run; of
        a notebook without such, all that differ.
        """
        sides = [self.book, *self.sides]
        names = dict.fromkeys(name for side in sides for name in side.figures)
        found = {name: [(side.title, side.figures.get(name)) for side in sides] for name in names}
        differ = {
            name: own
            for name, own in found.items()
            if len({figure.html if figure else "" for _, figure in own}) > 1
        }
        protocol = {n: own for n, own in differ.items() if any(f and f.of_protocol for _, f in own)}
        return protocol or differ

    def counted(self) -> list[str]:
        """How many results of each run have which verdict."""
        if len(self.sides) == 1:
            return [compare.counted(self.sides[0].table)]
        return [f"{side.title}: {compare.counted(side.table)}" for side in self.sides] + [LEGEND]


def made(book: Run, runs: Mapping[str, Run], others: Sequence[Run]) -> Report:
    """The report of some runs.

    Parameters
    ----------
    book : the book's run.
    runs : those that were asked for, by what they are called.
    others : the book's run with other seeds; empty, and no difference is judged.
    """
    drawn = [_values(results(one)) for one in others]
    own = results(book)
    before = dict(statements.no_longer(book.notebook))

    def side(title: str, run: Run) -> Side:
        found = results(run)
        false = statements.no_longer(run.notebook, glued(book.notebook))
        lost = [words for name, words in false if name not in before]
        table = compare.compared(_values(own), _values(found), drawn)
        return Side(title, found, figures(run.notebook), lost, table)

    return Report(side("the book", book), [side(title, run) for title, run in runs.items()])


def _values(own: Mapping[str, Result]) -> dict[str, object]:
    return {key: one.value for key, one in own.items()}


def _shown(own: Mapping[str, Result], key: str) -> str:
    return own[key].shown() if key in own else compare.ABSENT


def _interval(row: pd.Series) -> str:
    if pd.notna(row.low):
        return f"{row.low:.3g} to {row.high:.3g}".replace("-", "−")
    return "other words" if row.by_seed else ""


def _lost(report: Report, side: Side) -> str:
    n = len(side.lost)
    words = f"{counted(n, 'statement')} of the page no longer hold{'s' * (n == 1)}:"
    if not n:
        words = "Every statement of the page that holds in the book still holds."
    return words if len(report.sides) == 1 else f"{side.title}: {words}"


def text(report: Report) -> str:
    """The report for a terminal."""
    lines = []
    for side in report.sides:
        lines += [_lost(report, side), *(f"  – {words}" for words in side.lost)]
    for name, own in report.pictures().items():
        lines += ["", f"Figure {name}"]
        alts = [(title, in_words(figure.alt) if figure else "not drawn") for title, figure in own]
        lines += [f"  {title}: {alt}" for title, alt in alts]
    changed, _ = report.changed()
    shown = changed[:IN_TERMINAL]
    rows = [
        [key, *(cell if cell in compare.VERDICTS else cell[:WIDTH] for cell in report.row(key))]
        for key in shown
    ]
    heads = [head[:WIDTH] for head in report.heads]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines.append("")
    for n, row in enumerate([heads, *rows] if rows else []):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
        if n and (where := _line(report.described(shown[n - 1]))):
            lines.append(f"    {where}")
    if more := len(changed) - len(shown):
        lines.append(f"… and {counted(more, 'less surprising change')}: on the page")
    return "\n".join([*lines, "", *report.counted()])


def _line(result: Result, most: int = 90) -> str:
    """One line on where a result stands: of a sentence, its words around the value."""
    if not result.quoted:
        return result.place
    before, value, after = result.quoted
    before = _cut(before[::-1], most * 2 // 3)[::-1]
    return f"{result.place}: {before}[{value}]{_cut(after, most // 3)}"


def _cut(words: str, most: int) -> str:
    """The beginning of a text, up to the last whole word."""
    return words if len(words) <= most else words[:most].rpartition(" ")[0].rstrip() + " …"


def html(report: Report) -> str:
    """The report for a page."""
    parts = ['<div class="vb-rerun-report">', STYLE]
    for side in report.sides:
        parts.append(f"<p><strong>{escape(_lost(report, side))}</strong></p>")
        if side.lost:
            items = "".join(f"<li>{escape(words)}</li>" for words in side.lost)
            parts.append(f"<ul>{items}</ul>")
    for own in report.pictures().values():
        each = "".join(
            f'<div><p class="vb-side">{escape(title)}</p>{_drawn(figure)}</div>'
            for title, figure in own
        )
        parts.append(f'<div class="vb-before-after">{each}</div>')
    parts += [f"<p>{escape(line)}</p>" for line in report.counted()]
    changed, same = report.changed()
    parts.append(_table(report, changed[:IN_THE_OPEN]) if changed else "<p>Nothing changed.</p>")
    for keys, what in ((changed[IN_THE_OPEN:], "less surprising"), (same, "did not change")):
        if keys:
            parts.append(
                f'<details class="claims"><summary>{len(keys)} {what}</summary>'
                f"{_table(report, keys)}</details>"
            )
    return "\n".join([*parts, "</div>"])


def _drawn(figure: Figure | None) -> str:
    """A figure once more: without its anchor, which the page has further down."""
    if figure is None:
        return "<p>This run does not draw it.</p>"
    return figure.html.replace(" id=", " data-name=", 1)


def _table(report: Report, keys: Sequence[str]) -> str:
    heads = report.heads
    lines = []
    for key in keys:
        cells = "".join(
            f'<td data-label="{escape(head)}">{escape(cell)}</td>'
            for head, cell in zip(heads[1:], report.row(key), strict=True)
        )
        where = _where(report.described(key))
        lines.append(f"<tr><td><code>{escape(key)}</code> {where}</td>{cells}</tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return (
        '<div class="vb-scroll"><table class="vb-ledger vb-cards vb-rerun">'
        f"<thead><tr>{head}</tr></thead>\n<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _where(result: Result) -> str:
    if not result.quoted:
        return escape(result.place)
    before, value, after = map(escape, result.quoted)
    return f"{escape(result.place)}<br>{before}<mark>{value}</mark>{after}"
