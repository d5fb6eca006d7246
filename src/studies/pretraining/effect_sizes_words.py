"""What the page on effect sizes says, in words that its numbers decide.

Comes in: effect sizes, p-values and shares of `effect_sizes`. Goes out: whole sentences,
for `vb.note`. May not: compute a statistic, or say anything of a value that is missing: that reads
"not run".
"""

from math import isnan

import pandas as pd

from studies import words
from vlmbias.notes import NOT_RUN


def passes(share: float) -> str:
    """Whether tests of groups that captions treat alike often give d above 0.2.

    >>> passes(0.45)
    'Many effect sizes are above 0.2 where there is nothing to find.'
    >>> passes(0.04)
    'Few effect sizes are above 0.2 where there is nothing to find.'
    """
    if isnan(share):
        return NOT_RUN
    how_many = "Many" if share > 0.25 else "Some" if share > 0.05 else "Few"
    return f"{how_many} effect sizes are above 0.2 where there is nothing to find."


def intervals(high: float, low: float) -> str:
    """Whether the interval of null networks ends below that of the others; `high` is the upper end
    of the one, `low` the lower end of the other.

    >>> intervals(0.53, 0.51)
    'The intervals of the two sets overlap. So the share hardly tells them apart.'
    >>> intervals(0.4, 0.5)
    'So the share is larger where captions differ, and the intervals do not overlap.'
    """
    if isnan(high) or isnan(low):
        return NOT_RUN
    if low > high:
        return "So the share is larger where captions differ, and the intervals do not overlap."
    return "The intervals of the two sets overlap. So the share hardly tells them apart."


def above_but(d: pd.Series, p: pd.Series) -> str:
    """How many effect sizes above 0.2 have a p-value of .05 or more.

    >>> above_but(pd.Series([0.5, 0.3, 0.1]), pd.Series([0.01, 0.2, 0.4]))
    '1 of them has a p-value of .05 or more.'
    >>> above_but(pd.Series([0.5]), pd.Series([0.01]))
    'All of them have a p-value below .05.'
    """
    above = d > 0.2
    n = int((above & (p >= 0.05)).sum())
    if not above.any():
        return "So no p-value of such a test can be printed here."
    if not n:
        return "All of them have a p-value below .05."
    return f"{n} of them {'has' if n == 1 else 'have'} a p-value of .05 or more."


def off_zero(hits: int, n: int) -> str:
    """For how many pairs of groups the mean over null networks differs from zero at .05.

    >>> off_zero(0, 16)
    'In a t-test over networks, none of the 16 means differs from zero at the level of .05. (By chance, one would expect about 1.)'
    """  # noqa: E501
    chance = max(1, round(0.05 * n))
    return (
        f"In a t-test over networks, {words.among(hits, n)} means"
        f" {'differs' if hits < 2 else 'differ'} from zero at the level of .05. (By chance, one"
        f" would expect about {chance}.)"
    )
