"""Audit rules for order: are printed numbers as large, as near, of the sign that a sentence says?

A rule says no only where rounding leaves no room. The first argument is the claim's own number, or
its words.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import Any

from audit.findings import Finding, conclude, listed, span
from audit.printed import Printed

Numbers = list[Printed]


def _turned(numbers: Iterable[Printed]) -> Numbers:
    """The numbers with their signs reversed."""
    return [replace(one, number=-one.number, low=-one.high, high=-one.low) for one in numbers]


def _sizes(numbers: Iterable[Printed]) -> Numbers:
    """The numbers without their signs."""
    found = []
    for one in numbers:
        near, far = sorted((abs(one.low), abs(one.high)))
        near = 0.0 if one.low < 0 < one.high else near
        found.append(replace(one, number=abs(one.number), low=near, high=far))
    return found


def _beyond(
    words: str, values: Numbers, limits: Numbers, exactly: Printed | None = None
) -> Finding:
    """All `values`, or `exactly` so many, lie above every limit."""
    top = max(limits, key=lambda limit: limit.low)
    out = [one for one in values if one.high <= top.low]
    surely, possibly = sum(one.low > top.low for one in values), len(values) - len(out)
    holds = surely <= exactly.number <= possibly if exactly else not out
    reason = (
        f"{listed(values)} {words} {top.text}: {possibly} of {len(values)} are; not: {listed(out)}"
    )
    return conclude(holds, reason, exceptions=() if exactly else out, cases=len(values))


def above(
    about: Any, *, values: Numbers, limits: Numbers | None = None, exactly: Printed | None = None
) -> Finding:
    """All `values` lie above every limit: the claim itself where it is a lower bound ("> 0.4"),
    else zero."""
    bound = about if isinstance(about, Printed) and about.high == inf else Printed("zero", 0, 0, 0)
    return _beyond("above", values, limits or [bound], exactly)


def below(about: Any, *, values: Numbers, limits: Numbers | None = None) -> Finding:
    """All `values` lie below every limit, by default zero."""
    return _beyond("below", _turned(values), _turned(limits or [Printed("zero", 0, 0, 0)]))


def each_above(about: Any, *, values: Numbers, limits: Numbers) -> Finding:
    """Each of `values` lies above the limit in its own place."""
    pairs = list(zip(values, limits, strict=True))
    out = [(value, limit) for value, limit in pairs if value.high <= limit.low]
    against = ", ".join(f"{value.text} and {limit.text}" for value, limit in out) or "none"
    reason = f"{len(pairs) - len(out)} of {len(pairs)} pairs are in this order; not: {against}"
    return conclude(not out, reason, exceptions=[value for value, _ in out], cases=len(pairs))


def nearer(about: Any, *, values: Numbers, limits: Numbers) -> Finding:
    """All `values` lie nearer to zero than every limit, whatever their signs."""
    return _beyond("nearer to zero than", _turned(_sizes(values)), _turned(_sizes(limits)))


def same_sign(
    about: Any, *, values: Numbers, others: Numbers, at_least: Printed | None = None
) -> Finding:
    """Pairs agree in sign: all of them, or `at_least` so many where the sentence gives a number."""
    pairs = list(zip(values, others, strict=True))
    opposed = [(a, b) for a, b in pairs if a.high < 0 < b.low or b.high < 0 < a.low]
    agree = len(pairs) - len(opposed)
    against = ", ".join(f"{a.text} and {b.text}" for a, b in opposed) or "none"
    holds = agree >= (at_least.number if at_least else len(pairs))
    return conclude(
        holds,
        f"{agree} of {len(pairs)} pairs agree in sign; opposed: {against}",
        exceptions=[a for a, _ in opposed],
        cases=len(pairs),
    )


def gap_above(
    about: Any, *, high: Printed, lows: Numbers, other_high: Printed, other_lows: Numbers
) -> Finding:
    """The gaps from `high` down to each of `lows` are larger than those from `other_high` to each
    of `other_lows`."""
    cases, out, shown = list(zip(lows, other_lows, strict=True)), [], []
    for own, other in cases:
        shown.append(
            f"{high.number - own.number:.4g} against {other_high.number - other.number:.4g}"
        )
        out += [own] if high.high - own.low <= other_high.low - other.high else []
    larger, against = len(cases) - len(out), ", ".join(map(str, out)) or "none"
    reason = f"{', '.join(shown)}: {larger} of {len(cases)} are larger; not: {against}"
    return conclude(not out, reason, exceptions=out, cases=len(cases))


def _range(numbers: Numbers) -> tuple[float, float]:
    """Smallest and largest range that numbers printing like these can have."""
    low = max(one.low for one in numbers) - min(one.high for one in numbers)
    return max(low, 0.0), max(one.high for one in numbers) - min(one.low for one in numbers)


def narrower(about: Any, *, values: Numbers, others: Numbers) -> Finding:
    """`values` lie within a narrower range than `others`."""
    own, other = _range(values), _range(others)
    return conclude(
        own[0] < other[1],
        f"{listed(values)} lie within {span(*own)}; {listed(others)} within {span(*other)}",
    )


def _unevenness(numbers: Numbers) -> tuple[float, float]:
    """Smallest and largest ratio of the widest to the narrowest gap between neighbours."""
    ranked = sorted(numbers, key=lambda one: one.number)
    gaps = [(max(b.low - a.high, 0.0), b.high - a.low) for a, b in pairwise(ranked)]
    lows, highs = zip(*gaps, strict=True)
    return max(lows) / min(highs), max(highs) / min(lows) if min(lows) else inf


def more_even(about: Any, *, values: Numbers, others: Numbers) -> Finding:
    """`values` lie at more even distances from one another than `others`."""
    own, other = _unevenness(values), _unevenness(others)
    reason = (
        f"widest over narrowest gap of {listed(values)}: {span(*own)}; of {listed(others)}:"
        f" {span(*other)}"
    )
    return conclude(own[0] < other[1], reason)
