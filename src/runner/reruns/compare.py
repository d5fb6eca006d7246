"""Two runs compared: which results differ, and would another seed make as much of a difference?"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

CONFIDENCE_LEVEL = 0.95
ABSENT = "–"
FIXED = "changed, as with none of the other seeds"
BEYOND = "beyond what another seed gives"
ONE_SIDED = "only in one of the two"
CHANGED = "changed"
WITHIN = "within what another seed gives"
SAME = "the same"
VERDICTS = (FIXED, BEYOND, ONE_SIDED, CHANGED, WITHIN, SAME)
MORE_THAN_A_SEED = (FIXED, BEYOND)


def interval(values: Sequence[float]) -> tuple[float, float]:
    r"""Where one more draw like these will lie, in 95 % of cases.

    For n draws from a normal distribution with mean m and standard deviation s,

    .. math:: m \pm t_{n-1}\, s\, \sqrt{1 + 1/n}

    Parameters
    ----------
    values : at least two numbers: the same result, by seed.
    """
    half = stats.t.ppf((1 + CONFIDENCE_LEVEL) / 2, len(values) - 1) * _spread(values)
    return float(np.mean(values) - half), float(np.mean(values) + half)


def _spread(values: Sequence[float]) -> float:
    """The standard deviation of one more draw around the mean of these."""
    return float(np.std(values, ddof=1) * math.sqrt(1 + 1 / len(values)))


def is_number(value: Any) -> bool:
    """Whether a value is a number to reckon with: a word, True and infinity are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, or both not to be had; numbers to nine digits, as machines
    round differently.
    """
    if is_number(one) and is_number(other):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other or (one != one and other != other)


def _interval_of_run(book: Any, here: Any, drawn: Sequence[Any]) -> tuple[float, float]:
    """Between which values one more seed lies; of sizes and shares, which no run has below zero,
    it ends there.
    """
    low, high = interval([book, *drawn])
    known = [book, *drawn, *([here] if is_number(here) else [])]
    return max(low, 0.0) if min(known) >= 0 else low, min(high, 0.0) if max(known) <= 0 else high


def _judged(book: Any, here: Any, others: Sequence[Any]) -> dict[str, Any]:
    """One result: verdict, the interval where there is one, and how surprising it is."""
    drawn = [value for value in others if is_number(value) or not is_number(book)]
    moves = any(not _equal(book, value) for value in drawn)
    low, high, surprise = math.nan, math.nan, math.inf
    if moves and is_number(book):
        low, high = _interval_of_run(book, here, drawn)
    if _equal(book, here):
        verdict, surprise = SAME, -1.0
    elif ABSENT in (book, here):
        verdict, surprise = ONE_SIDED, -0.5  # such as a group of another name: nothing to compare
    elif not drawn:
        verdict, surprise = CHANGED, 0.0
    elif not moves:
        verdict = FIXED
    elif is_number(book) and is_number(here):
        surprise = abs(here - float(np.mean([book, *drawn]))) / _spread([book, *drawn])
        verdict = WITHIN if low <= here <= high else BEYOND
    elif here in drawn:  # words: what some other seed says, too, is no surprise
        verdict, surprise = WITHIN, 0.0
    else:  # it stands where an interval ends
        verdict = BEYOND
        surprise = float(stats.t.ppf((1 + CONFIDENCE_LEVEL) / 2, len(drawn)))
    return {"low": low, "high": high, "by_seed": moves, "verdict": verdict, "surprise": surprise}


def _relative(book: Any, here: Any) -> float:
    """How large a change is, as a share of the larger value. Words, such as the name of a group,
    come behind numbers; what this run lacks comes last.
    """
    if _equal(book, here) or here == ABSENT:
        return 0.0
    if is_number(book) and is_number(here):
        return abs(here - book) / max(abs(book), abs(here))
    return float(book == ABSENT)


def compared(
    book: Mapping[str, Any], here: Mapping[str, Any], others: Sequence[Mapping[str, Any]]
) -> pd.DataFrame:
    """Every result of two runs, the most surprising first.

    Parameters
    ----------
    book, here : values by key, of the book's run and of the rerun.
    others : the same of the book's run with other seeds; empty, and no difference is judged.

    Returns
    -------
    pd.DataFrame
        By result: `book`, `here`; `low` and `high`, between which one more seed would lie (NaN
        where there is no such interval); `by_seed`, whether a seed changes it; `verdict`;
        `surprise`, in standard deviations of one more draw (infinite where no seed changes it;
        below 0 where there is nothing to compare); `relative`, the size of the change.
    """
    rows = {}
    for key in dict.fromkeys([*book, *here]):
        old, new = book.get(key, ABSENT), here.get(key, ABSENT)
        judged = _judged(old, new, [values[key] for values in others if key in values])
        rows[key] = {"book": old, "here": new, **judged, "relative": _relative(old, new)}
    columns = ["book", "here", "low", "high", "by_seed", "verdict", "surprise", "relative"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=object)
    table = table.astype(dict.fromkeys(["low", "high", "surprise", "relative"], float))
    return table.sort_values(["surprise", "relative"], ascending=False, kind="stable")


def counted(table: pd.DataFrame) -> str:
    """How many results have which verdict, and how many would be beyond by chance."""
    found = table["verdict"].value_counts()
    parts = "; ".join(f"{found[verdict]} {verdict}" for verdict in VERDICTS if verdict in found)
    text = f"{len(table)} result{'s' * (len(table) != 1)}: {parts}."
    if moved := int(table["low"].notna().sum()):
        numbers = f"{moved} numbers" if moved > 1 else "one number"
        text += (
            f" Of the {numbers} that the seed changes, another seed alone would put about"
            f" {(1 - CONFIDENCE_LEVEL) * moved:.1f} beyond (each interval holds one more seed in"
            f" {CONFIDENCE_LEVEL:.0%} of cases); numbers that share their random draws go beyond"
            " together."
        )
    return text
