"""A number as it is printed, and the interval of true values that print as it.

It is read from ".51", "−.01", "18,000", "36%", "six", "10⁻⁵", "< 0.001", "0.0e+00" or "n.s.".
"""

import re
from dataclasses import dataclass
from math import inf, sqrt

SIGNIFICANT = 0.05  # what "n.s." is measured against where a paper does not say
SMALLEST = 5e-324  # the smallest number above 0 that a program prints; "0.0e+00" lies below it
_ASCII = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "at least": "≥",
    "at most": "≤",
    "more than": ">",
    "less than": "<",
    "up to": "≤",
}
_AFTERWARDS = {
    "or smaller": "≤",
    "or less": "≤",
    "or fewer": "≤",
    "or younger": "≤",
    "or larger": "≥",
    "or more": "≥",
    "or older": "≥",
    "years and older": "≥",
}
_NUMBER = re.compile(
    r"([<>≤≥±]?)\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:(?<=\d)|(?=\.\d))(?:\.\d+)?(?:e[+-]?\d{1,3})?)\s*%?"
)


@dataclass(frozen=True)
class Printed:
    """A printed number: low ≤ true value ≤ high.

    `relation` is the sign printed with it ("=" where there is none; "±4" lies between −4 and 4);
    `power` is k where it is printed as 10ᵏ; `n` is the number of cases behind it, `name` what it is
    about; `last_digit` is the power of ten of the digit that it was rounded to, None where no
    rounding lies between it and the true value."""

    text: str
    number: float
    low: float
    high: float
    power: int | None = None
    n: int | None = None
    name: str = ""
    relation: str = "="
    last_digit: int | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.text})" if self.name else self.text

    def meets(self, low: float, high: float) -> bool:
        """Whether [low, high] and this interval share a value (up to floating-point noise)."""
        slack = 1e-12 * max(1.0, abs(self.number)) if self.number else 0.0
        return low <= self.high + slack and high >= self.low - slack


def parse(
    text: str,
    *,
    tolerance: float | None = None,
    draws: int | None = None,
    n: int | None = None,
    name: str = "",
) -> Printed | None:
    """Read a printed number; None where `text` is not one.

    Parameters
    ----------
    text : the printed string, with its sign of inequality where one is printed.
    tolerance : half-width of the interval; default half a unit of the last printed digit. A zero in
        exponent notation has no last digit: it lies below the smallest number that prints
        otherwise.
    draws : number of Monte Carlo draws behind a printed proportion; adds four standard errors.
    n, name : number of cases behind the number, and what it is about; passed on.
    """
    plain = _with_its_sign(text.strip().translate(_ASCII).lower())
    plain = str(_WORDS.index(plain)) if plain in _WORDS else plain
    if plain == "n.s.":
        return Printed(text, SIGNIFICANT, SIGNIFICANT, 1.0, None, n, name, ">")
    plain, is_power = re.subn(r"\b10\^?(-\d{1,3})$", r"1e\1", plain)
    if not (found := _NUMBER.fullmatch(plain)):
        return None
    number, (mantissa, _, exponent) = float(found[2].replace(",", "")), found[2].partition("e")
    last_digit = int(exponent or 0) - len(mantissa.partition(".")[2])
    half = SMALLEST if exponent and not number else 0.5 * 10.0**last_digit
    half = half if tolerance is None else tolerance
    half += 4 * sqrt(max(number * (1 - number), 0) / draws) if draws else 0
    relation = found[1] or "="
    low, high = {
        "=": (number - half, number + half),
        "±": (-number, number),
        **dict.fromkeys("<≤", (-inf, number)),
        **dict.fromkeys(">≥", (number, inf)),
    }[relation]
    rounded = last_digit if tolerance is None and not draws and relation == "=" else None
    return Printed(
        text, number, low, high, last_digit if is_power else None, n, name, relation, rounded
    )


def _with_its_sign(text: str) -> str:
    """A bound with its sign of inequality in front, however it is worded: "20 or older" is "≥
    20"."""
    for words, sign in _SIGNS.items():
        text = f"{sign} {text.removeprefix(words).strip()}" if text.startswith(words) else text
    for words, sign in _AFTERWARDS.items():
        text = f"{sign} {text.removesuffix(words).strip()}" if text.endswith(words) else text
    return text
