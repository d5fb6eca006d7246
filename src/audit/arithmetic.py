"""Audit rules for sums: do percentages, counts, means and variances belong together?

The first argument is the claim's own number, None for words.
"""

from collections.abc import Callable
from dataclasses import replace
from math import ceil, floor, prod, sqrt

import numpy as np

from audit.findings import Finding, conclude, listed, span
from audit.printed import Printed

Numbers = list[Printed]


def percent_count(percent: Printed, *, of: Printed, again: Numbers | None = None) -> Finding:
    """A percentage, and every other one that is printed of the same (`again`), against one integer
    count out of `of`.

    Digits that are cut off, or rounded twice, are no reading of their own: a paper that rounds its
    other percentages does not print 68.53 as 68.
    """
    places, total = [percent, *(again or [])], of.number
    least = max(0, *(ceil(total * one.low / 100 - 1e-9) for one in places))
    most = min(total, *(floor(total * one.high / 100 + 1e-9) for one in places))
    printed = " and as ".join(dict.fromkeys(one.text for one in places))
    if least <= most:
        return conclude(True, f"{span(least, most)} of {of.text} print as {printed}")
    near = floor(total * min(places, key=lambda one: one.high - one.low).number / 100 + 0.5)
    shown = f"; {near} of {of.text} are {100 * near / total:.4g} %" if near <= total else ""
    return conclude(False, f"no count out of {of.text} prints as {printed}{shown}")


def percent_total(about: Printed | None, *, parts: Numbers) -> Finding:
    """Shares of one whole sum to no more than 100 %."""
    low, high = (sum(getattr(part, end) for part in parts) for end in ("low", "high"))
    return conclude(low <= 100, f"{listed(parts)} % sum to {span(low, high)} %, at most 100 %")


def _weights(parts: Numbers) -> np.ndarray:
    """Numbers of cases behind the parts; equal where they are not all known."""
    return np.array(
        [part.n for part in parts] if all(part.n for part in parts) else [1] * len(parts), float
    )


def _against(words: str, *readings: tuple[str, Callable]) -> Callable[..., Finding]:
    """A rule that sets a number against a non-decreasing function of its parts and their n."""

    def rule(value: Printed, *, parts: Numbers) -> Finding:
        found, shown = [], listed(parts)
        for reading, function in readings:
            low, high = (
                function([getattr(p, end) for p in parts], _weights(parts))
                for end in ("low", "high")
            )
            reason = f"{words} {shown}: {span(low, high)}; printed {value.text}"
            found.append(conclude(value.meets(low, high), reason, reading))
        return next((one for one in found if one.verdict == "consistent"), found[0])

    return rule


def same(value: Printed, *, parts: Numbers) -> Finding:
    """A number that is printed again: to the same last digit the same one; to another, one is the
    other's rounding."""
    (other,) = parts
    alike = value.last_digit is not None and value.last_digit == other.last_digit
    holds = value.number == other.number if alike else value.meets(other.low, other.high)
    return conclude(holds, f"printed {value.text}, and again as {other}")


def ratio(value: Printed, *, parts: Numbers, over: Numbers) -> Finding:
    """A number against the sum of `parts` over the sum of `over`, all of them positive."""
    low, high = (
        sum(getattr(one, end) for one in parts) / sum(getattr(one, other) for one in over)
        for end, other in (("low", "high"), ("high", "low"))
    )
    words = f"{listed(parts)} over {listed(over)}: {span(low, high)}; printed {value.text}"
    return conclude(value.meets(low, high), words)


def equal_means(about: Printed | None, *, parts: Numbers, others: Numbers) -> Finding:
    """One set of cases, divided in two ways into parts of equal size, has one mean."""
    low, high, other_low, other_high = (
        float(np.mean([getattr(one, end) for one in each]))
        for each in (parts, others)
        for end in ("low", "high")
    )
    words = (
        f"mean of {listed(parts)}: {span(low, high)}; of {listed(others)}:"
        f" {span(other_low, other_high)}"
    )
    return conclude(low <= other_high and other_low <= high, words)


def pooled_variance(means: Numbers, spreads: Numbers) -> Printed:
    """Variance (ddof 1) of all cases from the mean, SD (ddof 1) and n of each part, with its
    interval.

    Rounding moves the SD between means by at most the largest rounding error (triangle inequality).
    """
    n, centres = _weights(means), np.array([mean.number for mean in means])
    between = sqrt(np.average((centres - np.average(centres, weights=n)) ** 2, weights=n))
    error = max(mean.high - mean.number for mean in means)
    ends = []
    for end, most in (("low", between - error), ("number", between), ("high", between + error)):
        within = np.sum(
            (n - 1) * np.array([max(getattr(spread, end), 0) for spread in spreads]) ** 2
        )
        ends.append(float(within + n.sum() * max(most, 0) ** 2) / (n.sum() - 1))
    return Printed(span(ends[0], ends[2]), ends[1], ends[0], ends[2])


def _from_parts(words: str, function: Callable[[float], float]) -> Callable[..., Finding]:
    """A rule that sets a variance, or a function of it, over all cases against mean and SD of each
    part."""

    def rule(value: Printed, *, means: Numbers, spreads: Numbers) -> Finding:
        low, high = (
            function(getattr(pooled_variance(means, spreads), end)) for end in ("low", "high")
        )
        return conclude(
            value.meets(low, high),
            f"{words} from the parts: {span(low, high)}; printed {value.text}",
        )

    return rule


def _percent_fall(before: Printed, after: Printed) -> tuple[float, float]:
    """Smallest and largest decrease in per cent."""
    return 100 * (1 - after.high / before.low), 100 * (1 - after.low / before.high)


def fall(percent: Printed, *, before: Printed, after: Printed) -> Finding:
    """A percentage decrease against the two numbers it compares."""
    low, high = _percent_fall(before, after)
    words = f"from {before.text} down to {after.text}: {span(low, high)} %; printed {percent.text}"
    return conclude(percent.meets(low, high), words)


def rise(percent: Printed, *, before: Printed, after: Printed) -> Finding:
    """A percentage increase against the two numbers it compares."""
    low, high = 100 * (after.low / before.high - 1), 100 * (after.high / before.low - 1)
    words = f"from {before.text} up to {after.text}: {span(low, high)} %; printed {percent.text}"
    return conclude(percent.meets(low, high), words)


def _variances(
    means: Numbers, spreads: Numbers, means_before: Numbers, spreads_before: Numbers
) -> tuple[Printed, Printed]:
    """Variances before and after."""
    return pooled_variance(means_before, spreads_before), pooled_variance(means, spreads)


def _rounded(number: Printed, digits: int) -> Printed:
    """The number as a table would have held it."""
    value = round(number.number, digits)
    return replace(number, text=f"{value:.{digits}f}", number=value, low=value, high=value)


def variance_fall(percent: Printed, *, digits: Printed | None = None, **parts: Numbers) -> Finding:
    """A percentage decrease of a variance against means and SDs of its parts, after (`means`,
    `spreads`) and before.

    With `digits`, those of the variances that the paper prints, a second reading: the percentage
    was computed from variances that had been rounded first.
    """
    before, after = _variances(**parts)
    plain = fall(percent, before=before, after=after)
    if plain.verdict == "consistent" or digits is None:
        return plain
    coarse = [_rounded(one, int(digits.number)) for one in (before, after)]
    rounded = fall(percent, before=coarse[0], after=coarse[1])
    words = f"computed from variances rounded to {digits.text} digits"
    return conclude(
        rounded.verdict == "consistent", f"{rounded.reason}; unrounded {plain.reason}", words
    )


def mean_fall(percent: Printed, *, orders: Printed, **parts: Numbers) -> Finding:
    """A percentage decrease of a variance against the mean decrease of `orders` kinds of parts,
    which alternate.

    The exception that is named, where it does not hold, is in how many kinds the variance rises
    instead.
    """
    kinds = int(orders.number)
    pairs = [
        _variances(**{role: own[k::kinds] for role, own in parts.items()}) for k in range(kinds)
    ]
    ends = [_percent_fall(before, after) for before, after in pairs]
    low, high = (float(np.mean(end)) for end in zip(*ends, strict=True))
    falls = [100 * (1 - after.number / before.number) for before, after in pairs]
    each = ", ".join(f"{fall:.1f}" for fall in falls)
    rises = [f"{-fall:.1f} %" for fall in falls if fall < 0]
    holds, by = percent.meets(low, high), ", ".join(rises) or "nothing"
    named = f"{len(rises)} of {kinds} orders, in which the variance rises (by {by})"
    reason = f"falls by order {each} %, on average {span(low, high)} %; printed {percent.text}"
    return conclude(holds, reason, exceptions=() if holds else [named])


def shares(about: Printed | None, *, skews: Numbers) -> Finding:
    """Mean log ratios of an attribute's shares to a uniform share: geometric means of shares sum to
    at most 1."""
    low, high = (
        float(np.mean(np.exp([getattr(skew, end) for skew in skews]))) for end in ("low", "high")
    )
    return conclude(low <= 1, f"{listed(skews)}: shares sum to {span(low, high)}, at most 1")


RULES: dict[str, Callable[..., Finding]] = {
    "total": _against("sum of", ("", lambda ends, n: sum(ends))),
    "product": _against("product of", ("", lambda ends, n: prod(max(end, 0) for end in ends))),
    "mean_of": _against(
        "mean of",
        ("", lambda ends, n: np.average(ends, weights=n)),
        ("unweighted", lambda ends, n: np.mean(ends)),
    ),
    "smallest": _against("smallest of", ("", lambda ends, n: min(ends))),
    "largest": _against("largest of", ("", lambda ends, n: max(ends))),
    "variance_of": _from_parts("variance", float),
    "spread_of": _from_parts("SD", sqrt),
} | {
    rule.__name__: rule
    for rule in (
        percent_count,
        percent_total,
        same,
        ratio,
        equal_means,
        fall,
        rise,
        variance_fall,
        mean_fall,
        shares,
    )
}
