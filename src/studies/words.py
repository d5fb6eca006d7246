"""Words that a number decides, so that no sentence outlives the data behind it."""

from collections.abc import Iterable
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
