"""What a rerun changed, said once, for the terminal and for the page.

Comes in: the executed copies of two runs with what they recorded, and the same of other seeds. Goes
out: a `Report`: what the parameters could change and how much of that did, the largest changes in
words, the figures of the second section before and after, and the table of all results. May not:
run a notebook, or say on the page what the terminal does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
from nbformat import NotebookNode

from runner import statements
from runner.reruns import computed, verdicts
from runner.reruns import largest as changes_of
from runner.reruns.computed import KINDS, Figure, Result
from runner.reruns.labels import Label, labels
from runner.reruns.reach import Reach, reach

OLD, NEW = "the book", "this run"
_HOW = {
    verdicts.FIXED: "as with none of the other seeds",
    verdicts.CHANGED: "not judged against other seeds",
}
_SETTLED = (verdicts.SAME, verdicts.WITHIN)


@dataclass(frozen=True)
class Run:
    """One run: its executed copy, and the file of what it recorded."""

    notebook: NotebookNode
    results: Path | None

    def results_by_key(self, can: Reach) -> dict[str, Result]:
        return computed.computed(self.notebook, self.results, can)


@dataclass(frozen=True)
class Report:
    """What to say of a rerun.

    Attributes
    ----------
    expected : what could change, in sentences.
    happened : how much of that did, and which way.
    largest : the largest changes in words.
    pictures : figures before and after; None where a run does not draw it.
    table : every result, as `verdicts.compared` has it; `was` and `now`, as they are printed in a
        table.
    labels : what each result is called.
    ranked : the quantities that changed, the largest change first.
    """

    expected: list[str]
    happened: list[str]
    largest: list[str]
    pictures: list[tuple[Figure | None, Figure | None]]
    table: pd.DataFrame
    labels: Mapping[str, Label]
    ranked: list[changes_of.Quantity]

    @property
    def lines(self) -> list[str]:
        return [*self.expected, *self.happened]


def made(book: Run, here: Run, others: Sequence[Run], *, name: str, given: Iterable[str]) -> Report:
    """The report of one rerun.

    Parameters
    ----------
    book, here : the two runs.
    others : the book's run with other seeds; empty, and no difference is judged.
    name : `<paper>/<name>`, by which other pages quote the notebook's results.
    given : the parameters in which the two differ.
    """
    given = list(given)
    can, could = reach(here.notebook.cells, given), reach(book.notebook.cells, given)
    old, new = book.results_by_key(could), here.results_by_key(can)
    drawn = [one.results_by_key(could) for one in others]
    table = verdicts.compared(_values(old), _values(new), [_values(one) for one in drawn])
    table = table.assign(
        **{
            column: [own[key].text if key in own else "" for key in table["result"]]
            for column, own in (("was", old), ("now", new))
        }
    )
    known = _labels(old, book.notebook, name) | _labels(new, here.notebook, name)
    pictures = _pairs(computed.figures(book.notebook, could), computed.figures(here.notebook, can))
    differing = changes_of.changes(table, old, new, known)
    before, after = (
        (
            " ".join(one.alt for one in side if one is not None)
            for side in zip(*pictures, strict=True)
        )
        if pictures
        else ("", "")
    )
    counted = [one for one in differing if one.result.reached] or differing
    return Report(
        _expected(old | new, given),
        [*_no_longer(book.notebook, here.notebook), *_happened(differing, old | new)],
        changes_of.sentences(counted, before, after, known),
        pictures,
        table,
        known,
        changes_of.quantities(counted, before, after),
    )


def _values(results: Mapping[str, Result]) -> dict[str, Any]:
    return {key: one.value for key, one in results.items()}


def _labels(results: Mapping[str, Result], notebook: NotebookNode, name: str) -> dict[str, Label]:
    """Of a glued value, its sentence; of others, section, row and column."""
    glued = [key for key, one in results.items() if one.kind == computed.TEXT]
    found = labels(notebook, glued, name=name)
    for key, one in results.items():
        if one.kind == computed.RECORDED:
            found[key] = Label(
                one.section,
                elsewhere=f"recorded in the place of the paper's {one.quantity}, {one.place}",
            )
        elif one.kind == computed.TABLE:
            found[key] = Label(one.section, elsewhere="")
    return found


def _pairs(
    old: Sequence[Figure], new: Sequence[Figure]
) -> list[tuple[Figure | None, Figure | None]]:
    """The figures of the second section that can change; of a notebook without one, all that can
    and did.
    """
    before, after = ({one.name: one for one in figures if one.reached} for figures in (old, new))
    protocol = {name for own in (before, after) for name, one in own.items() if one.protocol}
    names = protocol or {
        name
        for name in before | after
        if name not in before or name not in after or before[name].html != after[name].html
    }
    return [
        (before.get(name), after.get(name))
        for name in dict.fromkeys([*before, *after])
        if name in names
    ]


def _names(given: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in given]
    return " and ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))


def _counts(results: Iterable[Result]) -> str:
    """How many of each kind: "16 recorded, 3 in the text, 54 in tables"."""
    kinds = [one.kind for one in results]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds)


def _sections(results: Iterable[Result]) -> str:
    return ", ".join(f"“{name}”" for name in dict.fromkeys(one.section for one in results) if name)


def _expected(results: Mapping[str, Result], given: Sequence[str]) -> list[str]:
    """What the parameters can change at all, by section."""
    can = [one for one in results.values() if one.reached]
    rest = [one for one in results.values() if not one.reached]
    if not given:
        return ["Nothing was changed: this is the book's run again."]
    if not can:
        return [f"{_names(given)} changes none of the {len(results)} results of this notebook."]
    text = f"{_names(given)} can change {len(can)} of {len(results)} results: {_counts(can)}."
    whole = {one.section for one in can}
    elsewhere = [one for one in rest if one.section not in whole]
    text += f" They stand in {_sections(can)}." if _sections(can) else ""
    if elsewhere:
        return [
            text,
            f"Nothing in {_sections(elsewhere)} depends on {'it' if len(given) == 1 else 'them'}.",
        ]
    return [text]


def _no_longer(book: NotebookNode, here: NotebookNode) -> list[str]:
    """The sentences of the page that hold in the book and not in this run."""
    before = statements.no_longer(book)
    lost = [words for words in statements.no_longer(here) if words not in before]
    count = f"{len(lost)} sentence{'s' * (len(lost) > 1)} of the page"
    return [f"{count} no longer hold{'s' * (len(lost) == 1)}:", *lost] if lost else []


def _happened(differing: Sequence[changes_of.Change], results: Mapping[str, Result]) -> list[str]:
    """How much of what could change did, which way, and beyond what other seeds give."""
    can = sum(one.reached for one in results.values())
    mine = [one for one in differing if one.result.reached]
    lines = []
    if can:
        verdict = {what: sum(one.verdict == what for one in mine) for what in verdicts.ORDER}
        parts = "; ".join(f"{n} {_HOW.get(what, what)}" for what, n in verdict.items() if n)
        lines.append(f"Of these {can}, {len(mine) or 'none'} changed{': ' * bool(parts)}{parts}.")
        lines += _direction([one for one in mine if one.verdict not in _SETTLED])
    if strange := [one for one in differing if not one.result.reached]:
        lines.append(
            f"{len(strange)} more changed that these parameters do not reach, such as "
            f"`{strange[0].result.key}`: "
            "other code or data than the book's copy was made from."
        )
    return lines


def _direction(changed: Sequence[changes_of.Change]) -> list[str]:
    """Whether estimates shrank or grew; p-values and ends of intervals say nothing of that."""
    estimates = [one for one in changed if one.numeric and not one.minor and one.before != 0]
    if len(estimates) < 2:
        return []
    nearer = sum(abs(one.after) < abs(one.before) for one in estimates)
    turned = sum(one.after * one.before < 0 for one in estimates)
    text = (
        "Leaving out p-values, ends of intervals and what other seeds give, "
        f"{nearer} of {len(estimates)} numbers lie nearer to zero than the book's"
    )
    return [text + (f"; {turned} changed their sign." if turned else ".")]


def pictures_html(report: Report) -> str:
    """The figures before and after, side by side."""
    rows = []
    for old, new in report.pictures:
        sides = "".join(
            f'<div><p class="vb-side">{escape(whose)}</p>{shown(one)}</div>'
            for whose, one in ((OLD.capitalize(), old), (NEW.capitalize(), new))
        )
        rows.append(f'<div class="vb-before-after">{sides}</div>')
    return "\n".join([*rows, *["<p>Each figure has a scale of its own.</p>"] * bool(rows)])


def shown(figure: Figure | None) -> str:
    """A figure once more: without its anchor, which the page has further down."""
    if figure is None:
        return "<p>This run does not draw it.</p>"
    return figure.html.replace(f' id="{escape(figure.name)}"', "", 1)


def pictures_text(report: Report) -> list[str]:
    """The figures before and after, in the words that stand for them."""
    lines = []
    for old, new in report.pictures:
        name = (new or old).name  # type: ignore
        alts = [one.alt if one else "not drawn" for one in (old, new)]
        lines.append(f"Figure {name}")
        lines += [f"  {whose}: {alt}" for whose, alt in zip((OLD, NEW), alts, strict=True)]
        lines += ["  (its words are the same; see the picture on the page)"] * (alts[0] == alts[1])
    return lines
