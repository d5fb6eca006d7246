"""A number as it is printed, and the interval of true values that print as it.

Comes in: a printed string (".51", "−.01", "18,000", "36%", "six", "10⁻⁵", "< 0.001", "n.s.").
Goes out: a frozen `Printed` with its interval; a `Finding`, what an audit rule says about some. May not:
know what a claim is.
"""

import re
from dataclasses import dataclass
from math import inf, sqrt

SIGNIFICANT = 0.05  # what "n.s." is measured against where a paper does not say
_ASCII = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_NUMBER = re.compile(
    r"([<>≤≥]?)\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:(?<=\d)|(?=\.\d))(?:\.\d+)?(?:e[+-]?\d{1,3})?)\s*%?"
)


@dataclass(frozen=True)
class Printed:
    """A printed number, low ≤ true value ≤ high, from `n` cases; `power` is k where it is printed as 10ᵏ."""

    text: str
    number: float
    low: float
    high: float
    power: int | None = None
    n: int | None = None

    def meets(self, low: float, high: float) -> bool:
        """Whether [low, high] and this interval share a value (up to floating-point noise)."""
        slack = 1e-12 * max(1.0, abs(self.number))
        return low <= self.high + slack and high >= self.low - slack


def parse(text: str, relation: str = "=", tolerance: float | None = None, draws: int | None = None,
          n: int | None = None) -> Printed | None:
    """Read a printed number; None where `text` is not one.

    Parameters
    ----------
    text : the printed string; a relation sign printed with it wins over `relation`.
    tolerance : half-width of the interval; default half a unit of the last printed digit.
    draws : number of Monte Carlo draws behind a printed proportion; adds four standard errors.
    n : number of cases behind the number, passed on.
    """
    plain = text.strip().translate(_ASCII).lower()
    plain = str(_WORDS.index(plain)) if plain in _WORDS else plain
    if plain == "n.s.":
        return Printed(text, SIGNIFICANT, SIGNIFICANT, 1.0, None, n)
    plain, is_power = re.subn(r"\b10\^?(-\d{1,3})$", r"1e\1", plain)
    if not (found := _NUMBER.fullmatch(plain)):
        return None
    number, (mantissa, _, exponent) = float(found[2].replace(",", "")), found[2].partition("e")
    last_digit = int(exponent or 0) - len(mantissa.partition(".")[2])
    half = 0.5 * 10.0**last_digit if tolerance is None else tolerance
    half += 4 * sqrt(max(number * (1 - number), 0) / draws) if draws else 0
    relation = found[1] or relation
    low = number if relation in ">≥" else -inf if relation in "<≤" else number - half
    high = number if relation in "<≤" else inf if relation in ">≥" else number + half
    return Printed(text, number, low, high, last_digit if is_power else None, n)


@dataclass(frozen=True)
class Finding:
    """What an audit rule found: "consistent" (under `reading`, if not the plain one) or "inconsistent"."""

    verdict: str
    reason: str
    reading: str = ""


def judge(holds: bool, reason: str, reading: str = "") -> Finding:
    """A finding: consistent where it holds."""
    return Finding("consistent" if holds else "inconsistent", reason, reading if holds else "")


def span(low: float, high: float) -> str:
    """An interval in words."""
    return " to ".join(dict.fromkeys(f"{e:,.0f}" if float(e).is_integer() else f"{e:.4g}" for e in (low, high)))
