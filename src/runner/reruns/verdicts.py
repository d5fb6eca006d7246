"""Whether a difference between two runs is more than another seed would make.

Comes in: the glued values of the book's run, of a rerun, and of the book's run with other seeds.
Goes out: a table, one row per result, the most surprising first; a sentence that counts. May not:
run or read anything.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

CONFIDENCE_LEVEL = 0.95
SAME = "same"
WITHIN = "within what another seed gives"
BEYOND = "beyond what another seed gives"
FIXED = "changed, as with none of the other seeds"
CHANGED = "changed"
ONE_SIDED = "only in one of the two"
ABSENT = "–"
ORDER = (FIXED, BEYOND, ONE_SIDED, CHANGED, WITHIN)
SENTENCES = {
    FIXED: "No other seed changes that.",
    BEYOND: "That is beyond what another seed gives.",
    WITHIN: "Another seed may give that, too.",
    CHANGED: "It was not judged against other seeds.",
    ONE_SIDED: "Only one of the two runs has it.",
}
"""What a verdict says of one change, or of several alike."""


def interval(
    values: Sequence[float], *, confidence_level: float = CONFIDENCE_LEVEL
) -> tuple[float, float]:
    r"""Where one more draw like these will lie, with this probability.

    For n draws from a normal distribution with mean m and standard deviation s,

    .. math:: m \pm t_{n-1}\, s\, \sqrt{1 + 1/n}

    Parameters
    ----------
    values : at least two numbers: the same result, by seed.
    confidence_level : float, default 0.95

    Raises
    ------
    ValueError : fewer than two values.
    """
    if len(values) < 2:
        raise ValueError(
            f"a prediction interval needs at least 2 values, got {len(values)}; try more seeds"
        )
    half = stats.t.ppf((1 + confidence_level) / 2, len(values) - 1) * _spread(values)
    return float(np.mean(values) - half), float(np.mean(values) + half)


def _spread(values: Sequence[float]) -> float:
    """The standard deviation of one more draw around the mean of these."""
    return float(np.std(values, ddof=1) * math.sqrt(1 + 1 / len(values)))


def is_number(value: Any) -> bool:
    """Whether a glued value is a number to reckon with: a word, True and infinity are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, or both not to be had; numbers to nine digits, as machines
    round differently."""
    if is_number(one) and is_number(other):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other or (one != one and other != other)  # two values that could not be had


def _relative(book: Any, here: Any) -> float:
    """How large a change is, as a share of the larger value; of words, 1."""
    if not (is_number(book) and is_number(here)):
        return 1.0
    return abs(here - book) / max(abs(book), abs(here))


def _with_verdict(book: Any, here: Any, others: Sequence[Any]) -> dict[str, Any]:
    """One result: verdict, the interval where there is one, and how surprising it is."""
    drawn = [value for value in others if is_number(value) or not is_number(book)]
    moves = any(not _equal(book, value) for value in drawn)
    low, high, surprise = math.nan, math.nan, math.inf
    if moves and is_number(book):
        low, high = interval([book, *drawn])
        known = [book, *drawn, *([here] if is_number(here) else [])]
        low = (
            max(low, 0.0) if min(known) >= 0 else low
        )  # a size or a share: no run has gone below zero
        high = min(high, 0.0) if max(known) <= 0 else high
    if _equal(book, here):
        verdict, surprise = SAME, -1.0
    elif ABSENT in (book, here):
        verdict = ONE_SIDED
    elif not drawn:
        verdict, surprise = CHANGED, 0.0
    elif not moves:
        verdict = FIXED
    elif is_number(book) and is_number(here):
        surprise = abs(here - float(np.mean([book, *drawn]))) / _spread([book, *drawn])
        verdict = WITHIN if low <= here <= high else BEYOND
    else:
        # words: what some other seed says, too, is no surprise; else it stands where an interval
        # ends
        verdict = WITHIN if here in drawn else BEYOND
        surprise = (
            0.0 if here in drawn else float(stats.t.ppf((1 + CONFIDENCE_LEVEL) / 2, len(drawn)))
        )
    return {"low": low, "high": high, "by_seed": moves, "verdict": verdict, "surprise": surprise}


def compared(
    book: Mapping[str, Any], here: Mapping[str, Any], others: Sequence[Mapping[str, Any]]
) -> pd.DataFrame:
    """Every result of two runs, the most surprising first.

    Parameters
    ----------
    book, here : glued values by key, of the book's run and of the rerun.
    others : the same of the book's run with other seeds; empty, and no difference is judged.

    Returns
    -------
    pd.DataFrame
        Columns `result`, `book`, `here`; `low` and `high`, between which one more seed would lie
        (NaN where there is no such interval); `by_seed`, whether a seed changes it; `verdict`;
        `surprise`, in standard deviations of one more draw (infinite where no seed changes it);
        `relative`, the size of the change.
    """
    rows = []
    for key in dict.fromkeys([*book, *here]):
        old, new = book.get(key, ABSENT), here.get(key, ABSENT)
        drawn = [values[key] for values in others if key in values]
        changed = (
            0.0 if _equal(old, new) or new == ABSENT else _relative(old, new)
        )  # what this run has comes first
        rows.append(
            {
                "result": key,
                "book": old,
                "here": new,
                **_with_verdict(old, new, drawn),
                "relative": changed,
            }
        )
    columns = [
        "result",
        "book",
        "here",
        "low",
        "high",
        "by_seed",
        "verdict",
        "surprise",
        "relative",
    ]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values(
        ["surprise", "relative"], ascending=False, kind="stable", ignore_index=True
    )


def counted(table: pd.DataFrame) -> str:
    """How many results have which verdict, and how many would be beyond by chance."""
    words = {
        FIXED: "changed, as with none of the other seeds",
        BEYOND: BEYOND,
        ONE_SIDED: ONE_SIDED,
        CHANGED: CHANGED,
        WITHIN: WITHIN,
        SAME: "the same",
    }
    found = {verdict: int((table["verdict"] == verdict).sum()) for verdict in words}
    parts = "; ".join(f"{n} {words[verdict]}" for verdict, n in found.items() if n)
    text = f"{len(table)} result{'s' * (len(table) != 1)}: {parts}."
    moved = int(table["low"].notna().sum())
    if moved:
        numbers = f"{moved} numbers" if moved > 1 else "one number"
        text += (
            f" Of the {numbers} that the seed changes, another seed alone would put about"
            f" {(1 - CONFIDENCE_LEVEL) * moved:.1f} beyond (each interval holds one more seed in"
            f" {CONFIDENCE_LEVEL:.0%} of cases); numbers that share their random draws go beyond"
            " together."
        )
    return text
