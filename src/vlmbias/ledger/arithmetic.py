"""Audit rules for sums: do percentages, counts, means, ranges and signs belong together?

Comes in: printed numbers, each an interval of values that print as it does. Goes out: a `Finding`. May
not: read files or know a paper. A rule whose first argument is None belongs to a statement in words.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf, prod, sqrt

import numpy as np

from vlmbias.ledger.printed import Finding, Printed, judge, span

Numbers = list[Printed]


def percent_count(percent: Printed, *, of: Printed, count: Printed | None = None) -> Finding:
    """A percentage against an integer count out of `of`: rounded, else cut off after its last digit."""
    cut = percent.number, percent.number + percent.high - percent.low
    for reading, (low, high) in {"": (percent.low, percent.high), "digits cut off, not rounded": cut}.items():
        least, most = ceil(of.number * low / 100 - 1e-9), floor(of.number * high / 100 + 1e-9)
        if least <= most and (count is None or count.meets(least, most)):
            return judge(True, f"{span(least, most)} of {of.text} print as {percent.text}", reading)
    nearest = round(of.number * percent.number / 100)
    return judge(False, f"the nearest count, {nearest} of {of.text}, is {100 * nearest / of.number:.4g} %")


def _weights(parts: Numbers) -> np.ndarray:
    """Numbers of cases behind the parts; equal where they are not all known."""
    return np.array([part.n for part in parts] if all(part.n for part in parts) else [1] * len(parts), float)


def _against(words: str, **readings: Callable) -> Callable[..., Finding]:
    """A rule that sets a number against a non-decreasing function of its parts and their n."""

    def rule(value: Printed, *, parts: Numbers) -> Finding:
        found = []
        for reading, function in readings.items():
            ends = ([part.low for part in parts], [part.high for part in parts])
            low, high = (function(end, _weights(parts)) for end in ends)
            shown = ", ".join(part.text for part in parts)
            reason = f"{words} {shown}: {span(low, high)}; printed {value.text}"
            found.append(judge(value.meets(low, high), reason, "" if reading == "plain" else reading))
        return next((one for one in found if one.verdict == "consistent"), found[0])

    return rule


def pooled_variance(means: Numbers, spreads: Numbers) -> tuple[float, float]:
    """Smallest and largest variance (ddof 1) of all cases, from the mean, SD (ddof 1) and n of each part.

    Rounding moves the SD between means by at most the largest rounding error (triangle inequality).
    """
    n, centres = _weights(means), np.array([mean.number for mean in means])
    between = sqrt(np.average((centres - np.average(centres, weights=n)) ** 2, weights=n))
    error = max(mean.high - mean.number for mean in means)
    ends = []
    for end, most in (("low", between - error), ("high", between + error)):
        within = np.sum((n - 1) * np.array([max(getattr(spread, end), 0) for spread in spreads]) ** 2)
        ends.append(float(within + n.sum() * max(most, 0) ** 2) / (n.sum() - 1))
    return ends[0], ends[1]


def spread_of(spread: Printed, *, means: Numbers, spreads: Numbers) -> Finding:
    """An SD over all cases against the mean and SD of each part."""
    low, high = map(sqrt, pooled_variance(means, spreads))
    return judge(spread.meets(low, high), f"the parts have an SD of {span(low, high)}, printed {spread.text}")


def variance_of(variance: Printed, *, means: Numbers, spreads: Numbers) -> Finding:
    """A variance over all cases against the mean and SD of each part."""
    ends = pooled_variance(means, spreads)
    reason = f"the parts have a variance of {span(*ends)}, printed {variance.text}"
    return judge(variance.meets(*ends), reason)


def _fall(percent: Printed, before: tuple[float, float], after: tuple[float, float]) -> Finding:
    low, high = (100 * (1 - a / b) for a, b in ((after[1], before[0]), (after[0], before[1])))
    reason = f"from {span(*before)} down to {span(*after)} is {span(low, high)} %, printed {percent.text}"
    return judge(percent.meets(low, high), reason)


def fall(percent: Printed, *, before: Printed, after: Printed) -> Finding:
    """A percentage decrease against the two printed numbers it compares."""
    return _fall(percent, (before.low, before.high), (after.low, after.high))


def variance_fall(
    percent: Printed, *, means: Numbers, spreads: Numbers, means_before: Numbers, spreads_before: Numbers
) -> Finding:
    """A percentage decrease of a variance against the means and SDs of the parts, before and after."""
    return _fall(percent, pooled_variance(means_before, spreads_before), pooled_variance(means, spreads))



def bounds(limit: Printed, *, values: Numbers) -> Finding:
    """A bound ("> 0.4", "≤ 10⁻³") against every value it is said of."""
    out = [value.text for value in values if not limit.meets(value.low, value.high)]
    within = f"{len(values) - len(out)} of {len(values)} lie within"
    return judge(not out, f"{within}; outside: {', '.join(out) or 'none'}")


def positive(
    about: Printed | None, *, values: Numbers, exactly: Printed | None = None, at_least: Printed | None = None
) -> Finding:
    """Signs: all `values` (or `exactly`, or `at_least` so many) are above zero, as far as rounding tells."""
    surely, possibly = sum(value.low > 0 for value in values), sum(value.high > 0 for value in values)
    least = exactly.number if exactly else at_least.number if at_least else len(values)
    below = ", ".join(value.text for value in values if value.high <= 0) or "none"
    holds = possibly >= least and surely <= (exactly.number if exactly else inf)
    return judge(holds, f"{surely} of {len(values)} are above zero; below: {below}")


def same_sign(
    about: Printed | None, *, values: Numbers, others: Numbers, at_least: Printed | None = None
) -> Finding:
    """Pairs agree in sign: all of them, or `at_least` so many."""
    pairs = list(zip(values, others, strict=True))
    opposed = [f"{a.text} and {b.text}" for a, b in pairs if a.high < 0 < b.low or b.high < 0 < a.low]
    agree = len(pairs) - len(opposed)
    reason = f"{agree} of {len(pairs)} pairs agree in sign; opposed: {', '.join(opposed) or 'none'}"
    return judge(agree >= (at_least.number if at_least else len(pairs)), reason)


def ordered(about: Printed | None, *, lower: Numbers, higher: Numbers) -> Finding:
    """Every value of `lower` is below every value of `higher`, as far as rounding tells."""
    top, bottom = max(lower, key=lambda one: one.low), min(higher, key=lambda one: one.high)
    return judge(top.low < bottom.high, f"the lower reach up to {top.text}, the higher down to {bottom.text}")


RULES: dict[str, Callable[..., Finding]] = {
    "total": _against("sum of", plain=lambda ends, n: sum(ends)),
    "product": _against("product of", plain=lambda ends, n: prod(max(end, 0) for end in ends)),
    "mean_of": _against(
        "mean of", plain=lambda ends, n: np.average(ends, weights=n), unweighted=lambda ends, n: np.mean(ends)
    ),
    "smallest": _against("smallest of", plain=lambda ends, n: min(ends)),
    "largest": _against("largest of", plain=lambda ends, n: max(ends)),
    "same": _against("printed again as", plain=lambda ends, n: ends[0]),
    **{r.__name__: r for r in (percent_count, spread_of, variance_of, fall, variance_fall)},
    **{r.__name__: r for r in (bounds, positive, same_sign, ordered)},
}
