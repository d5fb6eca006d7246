"""Audit rules: are printed numbers consistent with each other?

Comes in: a claim's printed number and those it is set against, each an interval of values that print as
it does. Goes out: a `Finding`. May not: read files or know a paper. Every rule is a pure function that
tries rounding and each conventional reading before it says `inconsistent`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product as combinations
from math import ceil, comb, floor, inf, sqrt

import numpy as np
from scipy import stats

from vlmbias.ledger.printed import Printed

TAILS = ("two-sided", "greater", "less")


@dataclass(frozen=True)
class Finding:
    """`verdict` is consistent, inconsistent or not checkable; `reading` is the one under which it holds."""

    verdict: str
    reason: str
    reading: str = ""


def _judge(holds: bool, reason: str, reading: str = "") -> Finding:
    return Finding("consistent" if holds else "inconsistent", reason, reading if holds else "")


def _range(low: float, high: float) -> str:
    return f"{low:.4g}" if f"{low:.4g}" == f"{high:.4g}" else f"{low:.4g} to {high:.4g}"


def _tail(t: np.ndarray, df: np.ndarray | float, tail: str) -> np.ndarray:
    if tail == "two-sided":
        return 2 * stats.t.sf(np.abs(t), df)
    return stats.t.sf(t, df) if tail == "greater" else stats.t.cdf(t, df)


def _p_readings(p: Printed) -> list[tuple[str, float, float]]:
    """A printed p as (reading, low, high): itself and, for "p < 10ᵏ", k as its order of magnitude."""
    readings = [("", p.low, p.high)]
    if p.power is not None and p.low == -inf:
        readings.append(("10ᵏ read as the order of magnitude, not as a bound", p.number, 10 * p.number))
    return readings


# d and p ----------------------------------------------------------------------------------------------
def _welch_p(d: float, n_x: int, n_y: int, shares: np.ndarray, tail: str) -> np.ndarray:
    """Welch p for d = difference / pooled SD, the first group holding `shares` of the sum of squares."""
    a, b = shares / (n_x * (n_x - 1)), (1 - shares) / (n_y * (n_y - 1))
    t = d / np.sqrt((n_x + n_y - 2) * (a + b))
    return _tail(t, (a + b) ** 2 / (a**2 / (n_x - 1) + b**2 / (n_y - 1)), tail)


def _pooled(d: float, n_x: int, n_y: int) -> float:
    """d over the SD of both groups together, as d over the pooled SD; ±inf where it cannot be."""
    left = n_x + n_y - 1 - d**2 * n_x * n_y / (n_x + n_y)
    return d * sqrt((n_x + n_y - 2) / left) if left > 0 else inf * np.sign(d)


def d_p_range(
    d: Printed, n_x: int, n_y: int, *, tail: str, spread: str = "equal", sd: str = "pooled"
) -> tuple[float, float]:
    """Smallest and largest Welch p that a printed d allows.

    `spread="equal"` gives both groups one SD, `"any"` every split of the variance between them; `sd` is
    what d was divided by; the ends allow ddof 0 in d and 1 in the test, and the reverse.
    """
    if sd == "both":
        ends = [_pooled(end, n_x, n_y) for end in (d.low, d.high)]
    else:
        ends = [d.low, d.high]
    smaller = min(n_x, n_y)
    ends = [end * sqrt(smaller / (smaller - 1)) ** sign for end in ends for sign in (-1, 1)]
    if min(ends) < 0 < max(ends):
        ends.append(0.0)
    shares = np.linspace(0, 1, 101) if spread == "any" else np.array([(n_x - 1) / (n_x + n_y - 2)])
    values = np.array([_welch_p(end, n_x, n_y, shares, tail) for end in ends if np.isfinite(end)] or [[0.0]])
    return float(values.min()), float(values.max())


def _d_p_holds(d: Printed, p: Printed, n_x: int, n_y: int, tails: Sequence[str]) -> Iterator[tuple[str, ...]]:
    readings = combinations(_p_readings(p), ("equal", "any"), ("pooled", "both"), tails)
    for (magnitude, low, high), spread, sd, tail in readings:
        lowest, highest = d_p_range(d, n_x, n_y, tail=tail, spread=spread, sd=sd)
        if lowest <= high and highest >= low:
            yield tail, f"SDs {spread}" if spread == "equal" else "SDs free", f"d over the SD of {sd}", magnitude


def permutation_p(d: Printed, *, p: Printed, n_x: Printed, n_y: Printed, draws: Printed | None = None) -> Finding:
    """d over the SD of all scores (ddof 1) against a one-sided permutation p-value.

    z = d·√(n_x·n_y/N) is exact under the permutation distribution; Cantelli's inequality then bounds p
    whatever the scores (p ≤ 1/(1 + z²) for z > 0, p ≥ z²/(1 + z²) for z < 0). An exact p is a multiple of
    1/C(N, n_x), a sampled one of 1/`draws`. The normal approximation is given for orientation.
    """
    x, y = int(n_x.number), int(n_y.number)
    z = np.array([d.low, d.high]) * sqrt(x * y / (x + y))
    steps = comb(x + y, x) if draws is None else int(draws.number)
    low = max(1 / steps, z[0] ** 2 / (1 + z[0] ** 2) if z[1] < 0 else 0)
    high = 1 / (1 + z[0] ** 2) if z[0] > 0 else 1.0
    exact = abs(p.number * steps - round(p.number * steps)) < max(1e-6, steps * 1e-12)
    reason = (
        f"p lies in {_range(low, high)} for any scores (normal approximation {stats.norm.sf(z.mean()):.3g}); "
        f"it is {'' if exact else 'not '}a multiple of 1/{steps:,}"
    )
    return _judge(p.meets(low, high) and exact, reason)


RULES = {rule.__name__: rule for rule in (permutation_p,)}
