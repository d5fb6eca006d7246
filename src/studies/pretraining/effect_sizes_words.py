"""What the page on effect sizes says, in words that its numbers decide.

Comes in: effect sizes, p-values and shares of `effect_sizes`. Goes out: whole sentences,
for `vb.note`. May not: compute a statistic, or say anything of a value that is missing: that reads
"not run".
"""

from collections.abc import Sequence
from math import isnan

import pandas as pd

from studies import words
from vlmbias.notes import NOT_RUN


def passes(share: float) -> str:
    """Whether tests of groups that captions treat alike often give d above 0.2.

    >>> passes(0.45)
    'Many effect sizes are above 0.2 where no difference was taught.'
    >>> passes(0.04)
    'Few effect sizes are above 0.2 where no difference was taught.'
    """
    if isnan(share):
        return NOT_RUN
    how_many = "Many" if share > 0.25 else "Some" if share > 0.05 else "Few"
    return f"{how_many} effect sizes are above 0.2 where no difference was taught."


def shares_differ(p: float, null: float, others: float) -> str:
    """Whether the mean share above 0.2 differs between null networks and the others, at .05.

    >>> shares_differ(0.016, 0.45, 0.64)
    'On average, the share is larger where captions differ (t-test, p < .05).'
    >>> shares_differ(0.01, 0.64, 0.45)
    'On average, the share is smaller where captions differ (t-test, p < .05).'
    >>> shares_differ(0.3, 0.45, 0.5)
    'On average, no clear difference between the two sets is seen (t-test, p ≥ .05).'
    """
    if isnan(p) or isnan(null) or isnan(others):
        return NOT_RUN
    if p >= 0.05:
        return "On average, no clear difference between the two sets is seen (t-test, p ≥ .05)."
    how = "larger" if others > null else "smaller"
    return f"On average, the share is {how} where captions differ (t-test, p < .05)."


def above_but(d: pd.Series, p: pd.Series) -> str:
    """How many effect sizes above 0.2 have a p-value of .05 or more.

    >>> above_but(pd.Series([0.5, 0.3, 0.1]), pd.Series([0.01, 0.2, 0.4]))
    '1 of them has a p-value of .05 or more.'
    >>> above_but(pd.Series([0.5]), pd.Series([0.01]))
    'All effect sizes above 0.2 have a p-value below .05.'
    """
    above = d > 0.2
    n = int((above & (p >= 0.05)).sum())
    if not above.any():
        return "So no p-value of such a test can be printed here."
    if not n:
        return "All effect sizes above 0.2 have a p-value below .05."
    return f"{n} of them {'has' if n == 1 else 'have'} a p-value of .05 or more."


def off_zero(hits: int, n: int) -> str:
    """For how many rows the mean over null networks differs from zero.

    >>> off_zero(0, 8)
    'In t-tests over null networks, none of the 8 means differs from zero.'
    >>> off_zero(2, 8)
    'In t-tests over null networks, 2 of the 8 means differ from zero.'
    """
    verb = "differs" if hits < 2 else "differ"
    return f"In t-tests over null networks, {words.among(hits, n)} means {verb} from zero."


def found(rows: Sequence[str], agree: float, n: int) -> str:
    """Where the mean over networks whose captions differ is not zero, and how many networks agree
    there.

    >>> found(["hue in All Text", "crest in All Text"], 1.0, 8)
    'Where captions differ, 2 of the 8 means differ from zero: hue in All Text and crest in All Text. There, all networks show the same direction. In the other rows, even the mean does not show the difference; why, we did not examine.'
    >>> found(["hue in All Text", "crest in All Text", "hue in All Image"], 0.9, 3)
    'Where captions differ, all 3 means differ from zero: hue in All Text, crest in All Text and hue in All Image. There, at least 90% of the networks show the same direction.'
    >>> found([], float("nan"), 8)
    'Where captions differ, none of the 8 means differs from zero. So the mean does not show the difference.'
    """  # noqa: E501
    start = f"Where captions differ, {words.among(len(rows), n)} means"
    if not rows:
        return f"{start} differs from zero. So the mean does not show the difference."
    who = "all networks" if agree == 1 else f"at least {agree:.0%} of the networks"
    rest = (
        " In the other rows, even the mean does not show the difference; why, we did not examine."
    )
    return (
        f"{start} {'differs' if len(rows) < min(n, 2) else 'differ'} from zero:"
        f" {words.listed(rows)}. There, {who} show the same direction."
        f"{rest if len(rows) < n else ''}"
    )
