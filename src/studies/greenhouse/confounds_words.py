"""What the page on found photographs says, in words that its numbers decide.

Comes in: errors of estimates, and counts of networks. Goes out: sentences for `vb.note`; None where
a number is missing. May not: decide which estimate is shown, or say more than how far off it is.
"""

from collections.abc import Collection
from math import isnan

from studies import words

NEARLY = 0.1  # of an error: one that changes by no more is called nearly as large


def repaired(naive: float, adjusted: float, matched: float) -> str | None:
    """Whether adjustment and matching remove more than half of the error of photographs as they
    are, some of it, or next to nothing.

    >>> repaired(0.4, 0.1, 0.1)
    'adjustment and matching both remove more than half of the error'
    """
    if any(isnan(value) for value in (naive, adjusted, matched)):
        return None
    done = {"adjustment": adjusted < naive / 2, "matching": matched < naive / 2}
    if all(done.values()):
        return "adjustment and matching both remove more than half of the error"
    if not any(done.values()):
        left = adjusted / naive, matched / naive
        if all(abs(share - 1) <= NEARLY for share in left):
            return "the error stays nearly as large, both after adjustment and after matching"
        if all(share < 1 for share in left):
            return "adjustment and matching make the error smaller, but leave half of it or more"
        return "adjustment and matching leave half of the error or more"
    good, bad = sorted(done, key=lambda name: not done[name])
    return f"{good} removes more than half of the error, and {bad} does not"


def of_both(age: str | None, smiling: str | None) -> str | None:
    """What `repaired` says of the effects of age and of a smile, as sentences.

    >>> of_both("adjustment removes it", "adjustment removes it")
    'For age and for the smile, adjustment removes it.'
    """
    if age is None or smiling is None:
        return None
    if age == smiling:
        return f"For age and for the smile, {age}."
    return f"For age, {age}. For the smile, {smiling}."


def one_case(naive: float, adjusted: float) -> str | None:
    """Whether adjustment brings one network's photographs nearer to its experiment.

    Parameters
    ----------
    naive, adjusted : each estimate less the experiment's.

    >>> one_case(0.3, 0.02)
    'Adjustment brings the estimate much nearer to that of the experiment.'
    """
    if isnan(naive) or isnan(adjusted):
        return None
    if abs(adjusted) < abs(naive) / 2:
        return "Adjustment brings the estimate much nearer to that of the experiment."
    if abs(adjusted) < abs(naive):
        return "Adjustment brings the estimate a little nearer to that of the experiment."
    return "Adjustment does not bring the estimate nearer to that of the experiment."


def with_clothes(before: float, after: float) -> str | None:
    """What adjustment for the clothes, too, does to an error: the sentence, without the numbers.

    >>> with_clothes(0.36, 0.09)
    'Adjusting for clothes, too, removes more than half of the error'
    """
    if isnan(before) or isnan(after):
        return None
    if after < before / 2:
        return "Adjusting for clothes, too, removes more than half of the error"
    if after < before:
        return "Adjusting for clothes, too, makes the error smaller, but by less than half"
    return "Adjusting for clothes, too, does not make the error smaller"


def clothes_of_both(age: str | None, smiling: str | None) -> str | None:
    """What `with_clothes` says of the effects of age and of a smile, as sentences.

    >>> clothes_of_both("Then it is gone", "Then it is gone")
    'Then it is gone, for age and for the smile alike.'
    """
    if age is None or smiling is None:
        return None
    if age == smiling:
        return f"{age}, for age and for the smile alike."
    return f"For age: {age[0].lower()}{age[1:]}. For the smile: {smiling[0].lower()}{smiling[1:]}."


def pushed(before: float, after: float) -> str | None:
    """What it says of an estimate's nearness to the captions that it is so far off once clothes
    are known.

    >>> pushed(0.13, 0.16)
    'So the unrecorded clothes had pushed the estimate towards the captions.'
    """
    if isnan(before) or isnan(after):
        return None
    if after > before:
        return "So the unrecorded clothes had pushed the estimate towards the captions."
    return "So the unrecorded clothes are not what brought the estimate near the captions."


def cause(before: float, after: float) -> str | None:
    """What follows for the cause of an error; see `with_clothes`.

    >>> cause(0.36, 0.09)
    'So most of this error came from the clothes'
    """
    if isnan(before) or isnan(after):
        return None
    if after < before / 2:
        return "So most of this error came from the clothes"
    if after < before:
        return "So the clothes are one cause of this error among others"
    return "So the clothes do not explain this error"


def grows(without: float, strongest: float) -> str | None:
    """How the error of an experiment changes with the leak.

    >>> grows(0.04, 0.2)
    'grows'
    """
    if isnan(without) or isnan(strongest):
        return None
    return "grows" if strongest > without else "does not grow"


def photographs_nearer(hits: int, n: int, what: str) -> str | None:
    """In how many networks an analysis of photographs comes nearer to the captions than a clean
    experiment, for an effect.

    >>> photographs_nearer(7, 10, "smiling")
    'For smiling, adjusted photographs are nearer to the captions in 7 of the 10 networks.'
    """
    if n == 0:
        return None
    if hits == 0:
        return (
            f"For {what}, the experiment is nearer to the captions in {words.among(n, n)} networks."
        )
    return (
        f"For {what}, adjusted photographs are nearer to the captions in"
        f" {words.among(hits, n)} networks."
    )


def leaky(counts: Collection[int], n: int) -> str | None:
    """How the leaking experiment compares with adjusted photographs, in one sentence.

    Parameters
    ----------
    counts : of each effect, networks in which the experiment is nearer at every leak tried.
    n : networks.

    >>> leaky([8, 10], 10)
    'Even a leaking experiment is mostly nearer to the right answer than adjusted photographs.'
    """
    if n == 0 or not counts:
        return None
    nearer = "nearer to the right answer than adjusted photographs"
    if all(count == n for count in counts):
        return f"Even with the strongest leak we tried, the experiment is always {nearer}."
    if all(count > n / 2 for count in counts):
        return f"Even a leaking experiment is mostly {nearer}."
    if all(count == 0 for count in counts):
        return f"With a strong enough leak, the experiment is no longer {nearer}."
    return f"A leaking experiment is sometimes {nearer}, and sometimes not."


def first_leak(values: Collection[float]) -> str | None:
    """The first leak at which a network's experiment is no better than adjusted photographs, over
    networks; None where none was strong enough, or one is missing.

    >>> first_leak([0.6, 0.8])
    'Adjusted photographs can be nearer if the leak is strong: at λ = 0.60 or more.'
    """
    found = [value for value in values if value != float("inf")]
    if not found or any(isnan(value) for value in found):
        return None
    first = min(found)
    if first == 0:
        return "In at least one network, adjusted photographs are nearer even without a leak."
    return f"Adjusted photographs can be nearer if the leak is strong: at λ = {first:.2f} or more."


def misses(hits: int, n: int, level: float) -> str | None:
    """How many intervals of the experiment do not hold zero, where nothing was planted.

    >>> misses(5, 32, 0.95)
    'The interval over networks misses zero in 5 of the 32 cases; chance allows about 1.6.'
    """
    if n == 0:
        return None
    allowed = (1 - level) * n
    return (
        f"The interval over networks misses zero in {words.among(hits, n)} cases; chance allows"
        f" about {allowed:.1f}."
    )
