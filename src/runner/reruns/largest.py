"""The largest changes between two runs, in words: what a reader is told first.

Comes in: the results of two runs and their verdicts. Goes out: sentences, each about one quantity:
the values before and after, how many went which way, and what other seeds give. May not: judge
whether a change is one.

Quantities that the figure of the second section prints come first, then others by the size of the
change, as a share of the larger of the two values. P-values follow from the rest and come last,
with sizes of samples; ends of intervals and what other seeds give as well are left out where there
is anything else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from runner.reruns import verdicts
from runner.reruns.computed import RECORDED, TEXT, Result
from runner.reruns.labels import Label
from vlmbias import number_signs

MOST, CELLS = 3, 4
_BOUND = re.compile(r"(^|.*\b)(from|to|low|high)$")
_P = re.compile(r"^p\b|.*, p$|^n\b(?!ot)")  # n of a group, too
_NUMBERS = re.compile(r"[+−-]?\d[\d,]*\.?\d*|[+−-]?\.\d+")


@dataclass(frozen=True)
class Change:
    """One result that differs: before and after, as values and as printed, and its verdict."""

    result: Result
    before: Any
    after: Any
    texts: tuple[str, str]
    verdict: str
    interval: tuple[float, float]

    @property
    def numeric(self) -> bool:
        return verdicts.is_number(self.before) and verdicts.is_number(self.after)

    @property
    def minor(self) -> int:
        """0 for an estimate, 1 for a p-value or a size of a sample, 2 for an end of an interval."""
        quantity, unit = self.result.quantity, self.result.unit
        return (
            2
            if _BOUND.fullmatch(quantity)
            else 1
            if _P.match(quantity) or unit in ("p", "count")
            else 0
        )


@dataclass
class Quantity:
    """The changes of one quantity: of a column of a table, of claims that print the same, or of a
    number in a text.
    """

    name: str
    changes: list[Change] = field(default_factory=list)

    @property
    def size(self) -> float:
        """The mean change as a share of the mean of the larger values; of words, the share that
        changed is all.
        """
        numbers = [one for one in self.changes if one.numeric]
        if not numbers:
            return 1.0
        scale = sum(max(abs(one.before), abs(one.after)) for one in numbers)
        return sum(abs(one.after - one.before) for one in numbers) / scale if scale else 0.0

    @property
    def settled(self) -> bool:
        """Whether other seeds give changes like all of these."""
        return all(one.verdict == verdicts.WITHIN for one in self.changes)


def changes(
    table: pd.DataFrame,
    book: Mapping[str, Result],
    here: Mapping[str, Result],
    labels: Mapping[str, Label],
) -> list[Change]:
    """Every result that differs, in the order of the notebook.

    Parameters
    ----------
    table : of `verdicts.compared`.
    book, here : the results of both runs.
    labels : of the glued values, which say how these are printed.
    """
    rows = {row.result: row for row in table.itertuples() if row.verdict != verdicts.SAME}
    found = []
    for key in dict.fromkeys([*book, *here]):
        if row := rows.get(key):
            old, new = (_text(one.get(key), labels.get(key)) for one in (book, here))
            found.append(
                Change(
                    here.get(key) or book[key],
                    row.book,
                    row.here,
                    (old, new),
                    row.verdict,  # type: ignore
                    (row.low, row.high),
                )
            )
    return found


def _text(result: Result | None, label: Label | None) -> str:
    if result is None:
        return verdicts.ABSENT
    return number_signs.in_words(result.text or (label or Label()).printed(result.value))


def quantities(differing: Iterable[Change], before: str, after: str) -> list[Quantity]:
    """The changes by quantity, the largest first.

    Parameters
    ----------
    differing : as `changes` gives them.
    before, after : the words that stand for the figures of the second section, of either run.
    """
    grouped: dict[tuple[str, ...], Quantity] = {}
    for one in differing:
        result = one.result
        table = result.key.partition(": ")[0]
        key = (
            (TEXT, result.key)
            if result.kind == TEXT
            else (
                result.kind,
                result.quantity,
                result.unit,
                "" if result.kind == RECORDED else table,
            )
        )
        grouped.setdefault(key, Quantity(result.quantity)).changes.append(one)

    def rank(own: Quantity) -> tuple[Any, ...]:
        first = own.changes[0]
        return (
            own.settled,
            first.minor,
            not _printed(own, before, after),
            first.result.kind == RECORDED,
            -own.size,
        )

    return sorted(grouped.values(), key=rank)


def _plain(number: str) -> str:
    return number.replace("−", "-").replace(",", "").rstrip(".").lstrip("+")


def _forms(value: Any) -> set[str]:
    """A number as a text may print it."""
    if not verdicts.is_number(value):
        return set()
    return {
        *(f"{value:z.{digits}f}" for digits in (0, 1, 2, 3)),
        f"{100 * value:z.0f}",
        f"{100 * value:z.1f}",
    }


def _shows(one: Change, before: str, after: str) -> bool:
    """Whether one text has the value before, another the value after: words, or numbers, one with
    two digits.
    """
    there = [
        (value, text)
        for value, text in ((one.before, before), (one.after, after))
        if value != verdicts.ABSENT
    ]
    if not all(verdicts.is_number(value) for value, _ in there):
        return len(str(one.before)) > 3 and str(one.before) in before and str(one.after) in after
    found = [_forms(value) & set(map(_plain, _NUMBERS.findall(text))) for value, text in there]
    return all(found) and any(
        len(form.lstrip("-0.").replace(".", "")) > 1 for own in found for form in own
    )


def _printed(own: Quantity, before: str, after: str) -> bool:
    """Whether a text before and one after print a third of the changes of a quantity, or more."""
    return 3 * sum(_shows(one, before, after) for one in own.changes) >= len(own.changes)


def sentences(
    differing: Sequence[Change], before: str, after: str, labels: Mapping[str, Label]
) -> list[str]:
    """What the largest changes are, `MOST` at most: of quantities that say the same, the first."""
    texts: list[str] = []
    reported: list[Change] = []
    ranked = quantities(differing, before, after)
    for own in [one for one in ranked if one.changes[0].minor < 2] or ranked:
        if all(one.texts[0] == one.texts[1] for one in own.changes):  # as printed, nothing changed
            continue
        if 2 * sum(any(_alike(one, other) for other in reported) for one in own.changes) >= len(
            own.changes
        ):
            continue
        reported += own.changes
        texts.append(sentence(own, labels))
        if len(texts) == MOST:
            break
    return texts


def _alike(one: Change, other: Change) -> bool:
    """Whether two changes are the same but for rounding: one number, in two places or by two
    protocols.
    """
    if not (one.numeric and other.numeric):
        return one.texts == other.texts
    return all(
        abs(a - b) <= 0.006 + 0.02 * abs(a)
        for a, b in ((one.before, other.before), (one.after, other.after))
    )


def sentence(own: Quantity, labels: Mapping[str, Label]) -> str:
    """One quantity's changes in words."""
    first = own.changes[0].result
    if first.kind == TEXT:
        text = _in_its_sentence(own.changes[0], labels.get(first.key, Label()))
        return f"{text} {_verdict(own.changes)}"
    shown: list[Change] = []
    for one in own.changes:
        if not any(_alike(one, other) for other in shown):
            shown.append(one)
    listed = sorted(
        sorted(shown, key=_by_size)[:CELLS],
        key=lambda one: (one.after == verdicts.ABSENT, own.changes.index(one)),
    )
    cells = "; ".join(f"{one.result.place}, {_from_to(one)}" for one in listed)
    more = len(own.changes) - len(listed)
    where = "" if first.kind == RECORDED else f" ({first.key.partition(': ')[0]})"
    unit = f", in {first.unit}" if first.unit and first.unit not in first.quantity else ""
    name = first.quantity or first.place
    if first.kind == RECORDED:
        name += ", recorded in the place of the paper's"
    return (
        f"{name[:1].upper() + name[1:] if len(name) > 2 else name}{unit}{where}: {cells}"
        f"{f'; and {more} more' * (more > 0)}. {_direction(own.changes)}{_verdict(own.changes)}"
    )


def _by_size(one: Change) -> float:
    """The largest change first; then what this run has alone, then what the other has."""
    return (
        -abs(one.after - one.before)
        if one.numeric
        else 1.0
        if one.after == verdicts.ABSENT
        else 0.0
    )


def _from_to(one: Change) -> str:
    if one.texts[0] == verdicts.ABSENT:
        return f"{one.texts[1]} (not in the book's run)"
    if one.texts[1] == verdicts.ABSENT:
        return f"{one.texts[0]} (not in this run)"
    return f"from {one.texts[0]} to {one.texts[1]}"


def _in_its_sentence(one: Change, label: Label) -> str:
    if not label.quoted:
        return f"`{one.result.key}` {_from_to(one)}; {label.elsewhere}."
    before, after = label.around(120)
    return f"“{before}[{one.texts[1]}]{after}” stands where the book has {one.texts[0]}."


def _direction(own: Sequence[Change]) -> str:
    numbers = [one for one in own if one.numeric]
    lower = sum(one.after < one.before for one in numbers)
    if len(numbers) < 2:
        return ""
    if lower in (0, len(numbers)):
        every = "Both" if len(numbers) == 2 else f"All {len(numbers)}"
        return f"{every} went {'down' if lower else 'up'}. "
    return f"{lower} of {len(numbers)} went down. "


def _verdict(own: Sequence[Change]) -> str:
    """What other seeds say of these changes."""
    counts = {verdict: sum(one.verdict == verdict for one in own) for verdict in verdicts.ORDER}
    if (
        len(own) == 1
        and own[0].verdict in (verdicts.BEYOND, verdicts.WITHIN)
        and own[0].interval[0] == own[0].interval[0]
    ):
        low, high = own[0].interval
        return f"Another seed gives {low:.3g} to {high:.3g}.".replace("-", "−")
    found = [verdict for verdict, n in counts.items() if n]
    if len(found) == 1:
        return verdicts.SENTENCES[found[0]]
    return "; ".join(f"{counts[one]} {one}" for one in found).capitalize() + "."
