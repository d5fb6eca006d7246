"""What the page on metrics says, in words that its numbers decide.

Comes in: declines of markedness, differences with intervals. Goes out: words for `vb.note`. May
not: compute a metric or an interval.
"""

from collections.abc import Mapping
from math import isnan

import numpy as np
import pandas as pd

from vlmbias.notes import NOT_RUN

EQUAL = 1.0  # points; a smaller difference is not worth a word


def larger(decline: Mapping[str, float], one: str, other: str) -> str:
    """Whether a decline is still larger in one set than in another.

    >>> larger({"A": 50.2, "B": 50.6}, "A", "B")
    'is about equal in the two sets'
    """
    gap = decline[one] - decline[other]
    if isnan(gap):
        return NOT_RUN
    if abs(gap) < EQUAL:
        return "is about equal in the two sets"
    return f"is still larger in {one}" if gap > 0 else f"is larger in {other}"


def not_shown(unclear: int, of: int) -> str:
    """The subject of "… that values are alike": the intervals that include zero.

    >>> not_shown(7, 10)
    'The other 7 do not show'
    """
    if unclear == 0:
        return NOT_RUN
    if unclear == of:
        return "But this does not show"
    return "The other one does not show" if unclear == 1 else f"The other {unclear} do not show"


def widest(unclear: pd.DataFrame) -> dict[str, str | float]:
    """The widest of the intervals of a logarithm that include zero.

    Parameters
    ----------
    unclear : one row per interval: subject, low, high.

    Returns
    -------
    widest (its subject), low, high and times (how many times as large at its far end); all "not
    run" where there is no interval.
    """
    if unclear.empty:
        return dict.fromkeys(("widest", "low", "high", "times"), NOT_RUN)
    row = unclear.loc[(unclear["high"] - unclear["low"]).idxmax()]
    low, high = float(row["low"]), float(row["high"])
    far = float(np.exp(max(-low, high)))
    return {"widest": str(row["subject"]), "low": low, "high": high, "times": far}
