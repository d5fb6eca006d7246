"""Audit rules for sums: do percentages, counts, means, ranges and signs belong together?

Comes in: printed numbers, each an interval of values that print as it does. Goes out: a `Finding`. May
not: read files or know a paper. The first argument is the claim's own number, None for words.
"""

from collections.abc import Callable
from math import ceil, floor, inf, prod, sqrt

import numpy as np

from audit.printed import Finding, Printed, judge, span

Numbers = list[Printed]


def percent_count(percent: Printed, *, of: Printed) -> Finding:
    """A percentage against an integer count out of `of`: rounded, else cut off after its last digit."""
    cut = percent.number, 2 * percent.high - percent.number
    for reading, (low, high) in {"": (percent.low, percent.high), "digits cut off, not rounded": cut}.items():
        least, most = ceil(of.number * low / 100 - 1e-9), floor(of.number * high / 100 + 1e-9)
        if least <= most:
            return judge(True, f"{span(least, most)} of {of.text} print as {percent.text}", reading)
    return judge(False, f"no count out of {of.text} prints as {percent.text}")


def _weights(parts: Numbers) -> np.ndarray:
    """Numbers of cases behind the parts; equal where they are not all known."""
    return np.array([part.n for part in parts] if all(part.n for part in parts) else [1] * len(parts), float)


def _against(words: str, *readings: tuple[str, Callable]) -> Callable[..., Finding]:
    """A rule that sets a number against a non-decreasing function of its parts and their n."""

    def rule(value: Printed, *, parts: Numbers) -> Finding:
        found, shown = [], ", ".join(part.text for part in parts)
        for reading, function in readings:
            low, high = (function([getattr(p, end) for p in parts], _weights(parts)) for end in ("low", "high"))
            reason = f"{words} {shown}: {span(low, high)}; printed {value.text}"
            found.append(judge(value.meets(low, high), reason, reading))
        return next((one for one in found if one.verdict == "consistent"), found[0])

    return rule


def pooled_variance(means: Numbers, spreads: Numbers) -> Printed:
    """Variance (ddof 1) of all cases from the mean, SD (ddof 1) and n of each part, with its interval.

    Rounding moves the SD between means by at most the largest rounding error (triangle inequality).
    """
    n, centres = _weights(means), np.array([mean.number for mean in means])
    between = sqrt(np.average((centres - np.average(centres, weights=n)) ** 2, weights=n))
    error = max(mean.high - mean.number for mean in means)
    ends = []
    for end, most in (("low", between - error), ("number", between), ("high", between + error)):
        within = np.sum((n - 1) * np.array([max(getattr(spread, end), 0) for spread in spreads]) ** 2)
        ends.append(float(within + n.sum() * max(most, 0) ** 2) / (n.sum() - 1))
    return Printed(span(ends[0], ends[2]), ends[1], ends[0], ends[2])


def _from_parts(words: str, function: Callable[[float], float]) -> Callable[..., Finding]:
    """A rule that sets a variance, or a function of it, over all cases against mean and SD of each part."""

    def rule(value: Printed, *, means: Numbers, spreads: Numbers) -> Finding:
        low, high = (function(getattr(pooled_variance(means, spreads), end)) for end in ("low", "high"))
        return judge(value.meets(low, high), f"{words} from the parts: {span(low, high)}; printed {value.text}")

    return rule


def fall(percent: Printed, *, before: Printed, after: Printed) -> Finding:
    """A percentage decrease against the two numbers it compares."""
    low, high = 100 * (1 - after.high / before.low), 100 * (1 - after.low / before.high)
    words = f"from {before.text} down to {after.text}: {span(low, high)} %; printed {percent.text}"
    return judge(percent.meets(low, high), words)


def variance_fall(percent: Printed, *, means: Numbers, spreads: Numbers, means_before: Numbers,
                  spreads_before: Numbers) -> Finding:
    """A percentage decrease of a variance against the means and SDs of the parts, before and after."""
    return fall(percent, before=pooled_variance(means_before, spreads_before), after=pooled_variance(means, spreads))


def above(about: Printed | None, *, values: Numbers, limits: Numbers | None = None, exactly: Printed | None = None,
          at_least: Printed | None = None) -> Finding:
    """All `values` (or `exactly`, or `at_least` so many) lie above every limit, as far as rounding tells.

    The limit is the claim itself where it is a lower bound ("> 0.4"), else zero.
    """
    bound = about if about and about.high == inf else Printed("zero", 0, 0, 0)
    top = max(limits or [bound], key=lambda limit: limit.low)
    surely, possibly = sum(v.low > top.low for v in values), sum(v.high > top.low for v in values)
    least = exactly.number if exactly else at_least.number if at_least else len(values)
    out = ", ".join(value.text for value in values if value.high <= top.low) or "none"
    holds = possibly >= least and (exactly is None or surely <= exactly.number)
    own = ", ".join(value.text for value in values)
    return judge(holds, f"{own} against {top.text}: {possibly} of {len(values)} above; below: {out}")


def same_sign(about: Printed | None, *, values: Numbers, others: Numbers, at_least: Printed | None = None) -> Finding:
    """Pairs agree in sign: all of them, or `at_least` so many."""
    pairs = list(zip(values, others, strict=True))
    opposed = [f"{a.text} and {b.text}" for a, b in pairs if a.high < 0 < b.low or b.high < 0 < a.low]
    agree = len(pairs) - len(opposed)
    reason = f"{agree} of {len(pairs)} pairs agree in sign; opposed: {', '.join(opposed) or 'none'}"
    return judge(agree >= (at_least.number if at_least else len(pairs)), reason)


def shares(about: Printed | None, *, skews: Numbers) -> Finding:
    """Mean log ratios of an attribute's shares to a uniform share: geometric means of shares sum to at most 1."""
    low, high = (float(np.mean(np.exp([getattr(skew, end) for skew in skews]))) for end in ("low", "high"))
    return judge(low <= 1, f"{', '.join(skew.text for skew in skews)}: shares sum to {span(low, high)}, at most 1")


RULES: dict[str, Callable[..., Finding]] = {
    "total": _against("sum of", ("", lambda ends, n: sum(ends))),
    "product": _against("product of", ("", lambda ends, n: prod(max(end, 0) for end in ends))),
    "mean_of": _against("mean of", ("", lambda ends, n: np.average(ends, weights=n)),
                        ("unweighted", lambda ends, n: np.mean(ends))),
    "smallest": _against("smallest of", ("", lambda ends, n: min(ends))),
    "largest": _against("largest of", ("", lambda ends, n: max(ends))),
    "same": _against("printed again as", ("", lambda ends, n: ends[0])),
    "variance_of": _from_parts("variance", float),
    "spread_of": _from_parts("SD", sqrt),
} | {rule.__name__: rule for rule in (percent_count, fall, variance_fall, above, same_sign, shares)}
