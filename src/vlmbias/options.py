"""What may stand on the command line for a number: for `type=` of an option of argparse."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable


def whole(minimum: int, maximum: int) -> Callable[[str], int]:
    """A reader of whole numbers from `minimum` to `maximum`, written in digits alone."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        if not (
            digits.isascii()
            and digits.isdecimal()
            and len(digits) < 19
            and minimum <= int(text) <= maximum
        ):
            raise ArgumentTypeError(
                f"must be a whole number from {minimum:,} to {maximum:,}, got {text!r}"
            )
        return int(text)

    return read


def positive(text: str) -> float:
    """A number above 0 that is finite."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0) or "_" in text:
        raise ArgumentTypeError(f"must be a number above 0, got {text!r}")
    return number
