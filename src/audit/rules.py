"""Audit rules for tests: do a statistic and its p-value, error and interval belong together?

Every rule tries rounding and each conventional reading before it says `inconsistent`. `RULES` holds
these and those of `arithmetic`, `order` and `wording`, by name."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product as combinations
from math import comb, inf, isfinite, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from audit import arithmetic, order, wording
from audit.arithmetic import Numbers
from audit.findings import Finding, conclude, span
from audit.printed import Printed

TAILS = ("two-sided", "greater", "less")
MAGNITUDE = "the power of ten read as an order of magnitude, not a bound"
# between two groups of like stimuli; a larger one is no conventional reading
LARGEST_SD_RATIO = 4.0
_STEPS = log(LARGEST_SD_RATIO) * np.linspace(0, 1, 101)
# from 1 outwards, above and below in turn
_RATIOS = np.exp(np.column_stack([_STEPS, -_STEPS]).ravel())


def _tail(t: np.ndarray, df: np.ndarray | float, tail: str) -> np.ndarray:
    """p of Student's t."""
    if tail == "two-sided":
        return 2 * stats.t.sf(np.abs(t), df)
    return stats.t.sf(t, df) if tail == "greater" else stats.t.cdf(t, df)


def _p_readings(p: Printed) -> list[tuple[str, float, float]]:
    """A printed p as (reading, low, high): itself; and for "p < 10ᵏ", k as its order of
    magnitude."""
    magnitude = [(MAGNITUDE, p.number, 10 * p.number)]
    return [("", p.low, p.high), *(magnitude if p.power is not None and p.low == -inf else [])]


def welch_p(
    d: Printed, n_x: int, n_y: int, *, tail: str, sd: str = "pooled", ratios: ArrayLike = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest Welch p that a printed d allows.

    Parameters
    ----------
    d : the printed effect size; its rounding interval is used.
    n_x, n_y : group sizes.
    tail : "two-sided", "greater" or "less".
    sd : "pooled" (weighted by n − 1) or "both" (of all values together): what d was divided by.
    ratios : SD of the first group over that of the second, scalar or array `(k,)`.

    Returns
    -------
    (low, high), arrays `(k,)`. The ends allow ddof 0 in d and 1 in the test, and the reverse.
    """
    ends, n = np.array([d.low, d.high]), n_x + n_y
    if sd == "both":
        # d² of all values together = d² pooled / ((N − 2 + d² pooled · n_x n_y / N) / (N − 1))
        left = n - 1 - ends**2 * n_x * n_y / n
        ends = np.where(left > 0, ends * np.sqrt((n - 2) / np.maximum(left, 1e-300)), inf)
    ddof = sqrt(min(n_x, n_y) / (min(n_x, n_y) - 1))
    grid = [*filter(isfinite, [*ends * ddof, *ends / ddof]), *([0.0] if d.low < 0 < d.high else [])]
    weighted = (n_x - 1) * np.atleast_1d(np.asarray(ratios, float)) ** 2
    share = weighted / (weighted + n_y - 1)  # of the sum of squares, held by the first group
    a, b = share / (n_x * (n_x - 1)), (1 - share) / (n_y * (n_y - 1))
    df = (a + b) ** 2 / (a**2 / (n_x - 1) + b**2 / (n_y - 1))
    p = _tail(np.array(grid or [np.nan])[:, None] / np.sqrt((n - 2) * (a + b)), df, tail)
    return p.min(axis=0), p.max(axis=0)


def _d_p_readings(
    d: Printed, p: Printed, n_x: int, n_y: int, sds: Sequence[str] = ("pooled", "both")
) -> list[tuple]:
    """Every reading under which d and p agree, the plainest first: (oddness, tail, words)."""
    found = []
    for reading, sd, tail in combinations(_p_readings(p), sds, TAILS):
        magnitude, low, high = reading
        lowest, highest = welch_p(d, n_x, n_y, tail=tail, sd=sd, ratios=_RATIOS)
        if (fits := (lowest <= high) & (highest >= low)).any():
            ratio = _RATIOS[fits.argmax()]
            over = "d over the SD of both groups together" if sd == "both" else ""
            unequal = "" if fits[0] else f"the first group's SD {ratio:.2f} times the second's"
            side = tail if tail == "two-sided" else f"one-sided ({tail})"
            words = "; ".join(filter(None, (side, unequal, over, magnitude)))
            found.append(((over, magnitude, abs(log(ratio)), TAILS.index(tail)), tail, words))
    return sorted(found)


def d_p(
    d: Printed, *, p: Printed, n_x: Printed, n_y: Printed, pooled: Printed | None = None
) -> Finding:
    """Cohen's d of two groups against the p of Welch's t-test, given the group sizes.

    Tried: rounding of d, either tail or both, ddof 0 or 1, d over the pooled SD or the SD of both
    groups, (not where `pooled` is given: the paper says so), SD ratios of the groups up to
    `LARGEST_SD_RATIO`, and "p < 10ᵏ" as an order of magnitude.
    """
    sizes = int(n_x.number), int(n_y.number)
    readings = _d_p_readings(d, p, *sizes, sds=("pooled",) if pooled else ("pooled", "both"))
    plain = welch_p(d, *sizes, tail="two-sided")
    least = min(welch_p(d, *sizes, tail=tail, ratios=_RATIOS)[0].min() for tail in TAILS)
    words = readings[0][2] if readings else ""
    fits = f"{p.text} fits {words}" if words else f"no reading fits (smallest p: {least:.2g})"
    reason = f"equal SDs give a two-sided p of {span(plain[0][0], plain[1][0])}; printed {fits}"
    return conclude(bool(readings), reason, words)


def _one_tail(about: Numbers, readings: list[list[tuple[str, str]]]) -> Finding:
    """Whether one tail fits all rows of a table, each with its readings (tail, words), the plainest
    first.

    Where it does, the exceptions are the rows in which p is then no bound, but an order of
    magnitude, under the tail that leaves the fewest.
    """
    messages, fitting = [], []
    for tail in TAILS:
        plainest = [
            (str(one), next((words for own, words in found if own == tail), None))
            for one, found in zip(about, readings, strict=True)
        ]
        out = ", ".join(one for one, words in plainest if words is None)
        odd = [
            f"{one} only with {words.partition('; ')[2]}"
            for one, words in plainest
            if words and "; " in words
        ]
        unbound = [one for one, words in plainest if words and MAGNITUDE in words]
        fitting += [] if out else [(len(unbound), "; ".join([tail, *odd]), unbound)]
        messages.append(f"{tail}: " + (f"not {out}" if out else "; ".join(["all fit", *odd])))
    if not fitting:
        return conclude(False, ". ".join(messages))
    _, reading, unbound = min(fitting, key=lambda one: one[0])
    found = conclude(
        not unbound, ". ".join(messages), reading, exceptions=unbound, cases=len(about)
    )
    return replace(found, reading=reading)


def one_tail(
    about: Any, *, d: Numbers, p: Numbers, n_x: Numbers, n_y: Numbers, pooled: Printed | None = None
) -> Finding:
    """Whether one tail, the same for all, can give every bound on p of a table from its d; what
    that takes is said.

    `pooled` as for `d_p`.
    """
    sds = ("pooled",) if pooled else ("pooled", "both")
    rows = zip(d, p, n_x, n_y, strict=True)
    readings = [_d_p_readings(a, b, int(x.number), int(y.number), sds) for a, b, x, y in rows]
    return _one_tail(d, [[(tail, words) for _, tail, words in found] for found in readings])


def one_tail_of_r(about: Any, *, r: Numbers, p: Numbers, n: Printed) -> Finding:
    """Whether one tail, the same for all, can give every bound on p of a table from its r, given
    n."""
    found = [_r_p_readings(a, b, n.number) for a, b in zip(r, p, strict=True)]
    return _one_tail(
        r,
        [[(tail, "; ".join(filter(None, (tail, words)))) for words, tail in own] for own in found],
    )


def permutation_p(
    d: Printed, *, p: Printed, n_x: Printed, n_y: Printed, draws: Printed | None = None
) -> Finding:
    """d over the SD of all scores (ddof 1) against a one-sided permutation p-value.

    z = d·√(n_x·n_y/N) is exact under the permutation distribution; Cantelli's inequality then
    bounds p whatever the scores (p ≤ 1/(1 + z²) for z > 0, p ≥ z²/(1 + z²) for z < 0). An exact p
    is a multiple of 1/C(N, n_x), a sampled one of 1/`draws`. The normal approximation is given for
    orientation.
    """
    x, y = int(n_x.number), int(n_y.number)
    least, most = (end * sqrt(x * y / (x + y)) for end in (d.low, d.high))
    steps = int(draws.number) if draws else comb(x + y, x)
    low = max(1 / steps, most**2 / (1 + most**2) if most < 0 else 0.0)
    high = 1 / (1 + least**2) if least > 0 else 1.0
    multiple = abs(p.number * steps - round(p.number * steps)) < max(1e-6, steps * 1e-12)
    normal = f"(normal approximation {stats.norm.sf((least + most) / 2):.2g})"
    counted = f"{'' if multiple else 'not '}a multiple of 1/{steps:,}"
    return conclude(
        p.meets(low, high) and multiple,
        f"p in {span(low, high)} for any scores {normal}; {counted}",
    )


def _p_of_r(r: Printed, n: float) -> dict[str, tuple[float, float]]:
    """By tail, the smallest and the largest p that a printed r allows."""
    ends = np.clip([r.low, r.high, *([0.0] if r.low < 0 < r.high else [])], -1 + 1e-15, 1 - 1e-15)
    p = {tail: _tail(ends * np.sqrt((n - 2) / (1 - ends**2)), n - 2, tail) for tail in TAILS}
    return {tail: (float(own.min()), float(own.max())) for tail, own in p.items()}


def _r_p_readings(r: Printed, p: Printed, n: float) -> list[tuple[str, str]]:
    """Every reading under which r and p agree, the plainest first: (words on the magnitude,
    tail)."""
    values = _p_of_r(r, n)
    return [
        (magnitude, tail)
        for (magnitude, low, high), tail in combinations(_p_readings(p), TAILS)
        if values[tail][0] <= high and values[tail][1] >= low
    ]


def r_p(r: Printed, *, p: Printed, n: Printed) -> Finding:
    """Pearson's r against its p, given n: t = r·√((n − 2)/(1 − r²)), either tail or both."""
    plain = f"r gives a two-sided p of {span(*_p_of_r(r, n.number)['two-sided'])}"
    for magnitude, tail in _r_p_readings(r, p, n.number):
        words = "; ".join(filter(None, (tail, magnitude)))
        return conclude(True, f"{plain}; printed {p.text} fits {words}", words)
    return conclude(False, f"{plain}; no reading fits {p.text}")


def _ratios(value: Printed, se: Printed) -> tuple[float, float]:
    """Smallest and largest value/se of a printed value and a printed standard error."""
    ratios = [a / b for a in (value.low, value.high) for b in (max(se.low, 1e-300), se.high)]
    return min(ratios), max(ratios)


def _distances(least: float, most: float) -> tuple[float, float]:
    """Smallest and largest distance from zero between two numbers."""
    near, far = sorted((abs(least), abs(most)))
    return (0.0 if least <= 0 <= most else near), far


def coefficient(value: Printed, *, se: Printed, **others: Printed) -> Finding:
    """A coefficient and its standard error against what is printed of `z` = value/se, `p` (normal,
    either
    tail or both) and the ends `low`, `high` of the 95 % interval value ± 1.96·se."""
    least, most = least_z, most_z = _ratios(value, se)
    if "z" in others and others["z"].meets(least, most):  # the printed z is sharper than value/se
        least, most = max(least, others["z"].low), min(most, others["z"].high)
    near, far = _distances(least, most)
    short, long = stats.norm.ppf(0.975) * se.low, stats.norm.ppf(0.975) * se.high
    p = [(k * stats.norm.sf(far), k * stats.norm.sf(near)) for k in (2, 1)]
    ends = {
        "low": [(value.low - long, value.high - short)],
        "high": [(value.low + short, value.high + long)],
    }
    expected: dict[str, Any] = {"z": [(least_z, most_z)], "p": p, **ends}
    words = [
        f"{name} {span(*expected[name][0])}, printed {one.text}" for name, one in others.items()
    ]
    holds = all(any(one.meets(*end) for end in expected[name]) for name, one in others.items())
    return conclude(holds, "value ± se give " + "; ".join(words))


def regression(
    value: Printed, *, se: Printed, p: Printed, n: Printed, r2: Printed | None = None
) -> Finding:
    """A coefficient of a line through n cases: p of t = value/se with n − 2 df, two-sided, and R² =
    t²/(t² + n − 2)."""
    least, most = _ratios(value, se)
    (near, far), df = _distances(least, most), n.number - 2
    p_far, p_near = (float(_tail(np.asarray(t), df, "two-sided")) for t in (far, near))
    expected = {"p": (p, p_far, p_near)}
    expected |= {"R²": (r2, near**2 / (near**2 + df), far**2 / (far**2 + df))} if r2 else {}
    words = "; ".join(
        f"{name} {span(*ends)}, printed {one.text}" for name, (one, *ends) in expected.items()
    )
    holds = all(one.meets(*ends) for one, *ends in expected.values())
    return conclude(holds, f"value/se of {n.text} cases gives {words}")


def predictor(about: Any, *, const: Printed, slope: Printed, levels: Numbers) -> Finding:
    """Standard errors of a line's constant and slope: their ratio is the root mean square of the
    predictor."""
    low, high = const.low / slope.high, const.high / slope.low
    size = float(np.sqrt(np.mean([level.number**2 for level in levels])))
    words = (
        f"the standard errors give a predictor of root mean square {span(low, high)}; these levels"
        f" have {size:.3g}"
    )
    return conclude(low <= size <= high, words)


TESTS = (d_p, one_tail, one_tail_of_r, permutation_p, r_p, coefficient, regression, predictor)
ORDER = (
    order.above,
    order.below,
    order.each_above,
    order.nearer,
    order.same_sign,
    order.gap_above,
    order.narrower,
    order.more_even,
)
WORDS = (wording.same_words, wording.among, wording.count_of, wording.entries, wording.one_word)
RULES = arithmetic.RULES | {rule.__name__: rule for rule in (*TESTS, *ORDER, *WORDS)}
