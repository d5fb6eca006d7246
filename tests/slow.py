"""Slow, obvious versions of what every chapter uses: intervals, p-values, correlations, Holm.

Each is the definition, in loops; those of the measures are in `measures/oracles.py`.
"""

from __future__ import annotations

import math
import statistics

import numpy as np
from measures.oracles import sd
from scipy import optimize, stats


def holm(p):
    """Multiply the smallest p by the number of tests, the next by one less …; never below the one
    before, never above 1."""
    p = list(p)
    order, corrected, reached = sorted(range(len(p)), key=lambda k: p[k]), [0.0] * len(p), 0.0
    for place, k in enumerate(order):
        reached = max(reached, (len(p) - place) * p[k])
        corrected[k] = min(1.0, reached)
    return corrected


def rank_p(value, null, alternative="greater"):
    """One network among those in which nothing was planted; two-sided, by its distance from 0."""
    if alternative == "two-sided":
        value, null = abs(value), [abs(one) for one in null]
    beyond = [one <= value if alternative == "less" else one >= value for one in null]
    return (1 + sum(beyond)) / (1 + len(null))


def among_null(values, is_null, alternative="greater"):
    """`rank_p` of each network, among the null ones but itself."""
    return [
        rank_p(
            value,
            [values[i] for i in range(len(values)) if is_null[i] and i != k],
            alternative,
        )
        for k, value in enumerate(values)
    ]


def mean_interval(values, level=0.95):
    """Student's interval of a mean."""
    n, centre = len(values), statistics.fmean(values)
    half = stats.t.ppf((1 + level) / 2, n - 1) * sd(values, 1) / math.sqrt(n)
    return centre - half, centre + half


def share_interval(hits, n, level=0.95):
    """Clopper–Pearson: the shares that a binomial test of either side just fails to reject."""
    tail = (1 - level) / 2
    low = high = None
    if hits:
        low = optimize.brentq(lambda p: stats.binom.sf(hits - 1, n, p) - tail, 1e-12, 1 - 1e-12)
    if hits < n:
        high = optimize.brentq(lambda p: stats.binom.cdf(hits, n, p) - tail, 1e-12, 1 - 1e-12)
    return low or 0.0, 1.0 if high is None else high


def r(x, y, given=(), times=None):
    """Pearson's r of what other columns (`given`) leave over, each case counted so many times."""
    rows = np.repeat(np.arange(len(x)), 1 if times is None else np.asarray(times, int))
    known = np.column_stack([np.ones(len(rows)), *(np.asarray(one, float)[rows] for one in given)])
    left = []
    for own in (x, y):
        values = np.asarray(own, float)[rows]
        left.append(values - known @ np.linalg.lstsq(known, values, rcond=None)[0])
    products = [a * b for a, b in zip(*left, strict=True)]
    return math.fsum(products) / math.sqrt(
        math.fsum(a * a for a in left[0]) * math.fsum(b * b for b in left[1])
    )
