"""Words that a number decides, so that no sentence outlives the data behind it."""

from collections.abc import Collection, Iterable
from math import isnan

from vlmbias.notes import NOT_RUN


def verb(value: float, *, above: float, then: str, else_: str) -> str:
    """`then` where the value is strictly above the bound, `else_` where it is not, "not run" where
    there is none.

    >>> verb(0.3, above=0, then="rises", else_="does not rise")
    'rises'
    """
    if isnan(value) or isnan(above):
        return NOT_RUN
    return then if value > above else else_


def side(low: float, high: float, *, of: float = 0.0, above: str, below: str, neither: str) -> str:
    """Where an interval lies: wholly above `of`, wholly below it, or neither; "not run" where an
    end is missing.

    >>> side(-0.1, 0.4, above="more", below="less", neither="about as much")
    'about as much'
    """
    if isnan(low) or isnan(high) or isnan(of):
        return NOT_RUN
    if low > high:
        raise ValueError(f"side: the interval {low} to {high} ends before it begins")
    return above if low > of else below if high < of else neither


def among(hits: int, n: int) -> str:
    """How many of how many: "none of the 8", "all 8", "both", "3 of the 8"; "not run" where there
    are none.

    >>> among(3, 8)
    '3 of the 8'
    """
    if not 0 <= hits <= n:
        raise ValueError(f"among: {hits} of {n} cannot be")
    if n == 0 or hits == 0:
        return f"none of the {n}" if n else NOT_RUN
    return f"{hits} of the {n}" if hits < n else "both" if n == 2 else f"all {n}"


def listed(names: Iterable[object], *, none: str = "none") -> str:
    """Names as a sentence lists them, underscores as spaces: "warmth, competence and positive
    agency".

    >>> listed(["warmth", "positive_agency"])
    'warmth and positive agency'
    """
    words = [str(name).replace("_", " ") for name in names]
    return (
        none
        if not words
        else " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    )


def extreme(values: Collection[float], names: Collection[str], *, largest: bool = True) -> str:
    """The name of the largest (or smallest) value; all of those that tie for it, "not run" where a
    value is missing.

    >>> extreme([1.0, 3.0], ["the grid", "photographs"])
    'photographs'
    """
    numbers = list(values)
    if not numbers or any(isnan(value) for value in numbers):
        return NOT_RUN
    best = max(numbers) if largest else min(numbers)
    return listed(name for value, name in zip(numbers, names, strict=True) if value == best)
