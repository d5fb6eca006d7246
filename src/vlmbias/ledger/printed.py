"""A number as it is printed, and the interval of true values that print as it.

Comes in: a printed string (".51", "−.01", "18,000", "36%", "10⁻⁵", "< 0.001", "n.s.").
Goes out: a frozen `Printed` with its interval. May not: know what a claim is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, sqrt

_ASCII = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")
_NUMBER = re.compile(
    r"(?P<relation>[<>≤≥])?\s*(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?)\s*%?"
)
_POWER = re.compile(r"(?P<relation>[<>≤≥])?\s*10\^?(?P<power>-\d{1,3})")
SIGNIFICANT = 0.05  # what "n.s." is measured against where a paper does not say


@dataclass(frozen=True)
class Printed:
    """A printed number: `low` ≤ true value ≤ `high`; `power` is k where it is printed as 10ᵏ."""

    text: str
    number: float
    low: float
    high: float
    power: int | None = None
    n: int | None = None

    def __contains__(self, value: float) -> bool:
        return self.meets(value, value)

    def meets(self, low: float, high: float) -> bool:
        """Whether [low, high] and this interval share a value (up to floating-point noise)."""
        slack = 1e-12 * max(1.0, abs(self.number))
        return low <= self.high + slack and high >= self.low - slack


def parse(
    text: str,
    *,
    relation: str = "=",
    tolerance: float | None = None,
    draws: int | None = None,
    n: int | None = None,
) -> Printed | None:
    """Read a printed number; None where `text` is not one.

    Parameters
    ----------
    text : the printed string; a relation sign printed with it wins over `relation`.
    tolerance : half-width of the interval; default half a unit of the last printed digit.
    draws : number of Monte Carlo draws behind a printed proportion; adds four standard errors.
    n : number of cases behind the number, passed on.
    """
    if text.strip() == "n.s.":
        return Printed(text, SIGNIFICANT, SIGNIFICANT, 1.0, None, n)
    plain = text.strip().translate(_ASCII).lower()
    if found := _POWER.fullmatch(plain):
        power = int(found["power"])
        number, half = 10.0**power, 0.0
    elif (found := _NUMBER.fullmatch(plain)) and re.search(r"\d", found["number"]):
        power, digits = None, found["number"].replace(",", "")
        number = float(digits)
        mantissa, _, exponent = digits.partition("e")
        half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    else:
        return None
    half = half if tolerance is None else tolerance
    if draws:
        half += 4 * sqrt(max(number * (1 - number), 0) / draws)
    relation = found["relation"] or relation
    low = number if relation in ">≥" else -inf if relation in "<≤" else number - half
    high = number if relation in "<≤" else inf if relation in ">≥" else number + half
    return Printed(text, number, low, high, power, n)
