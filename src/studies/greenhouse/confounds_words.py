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
    'This suggests that the unrecorded clothes had pushed the estimate towards the captions.'
    """
    if isnan(before) or isnan(after):
        return None
    if after > before:
        return (
            "This suggests that the unrecorded clothes had pushed the estimate towards the"
            " captions."
        )
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


def as_near(after: float, controlled: float) -> str | None:
    """What it says of the number of pictures if photographs with known clothes are about as near as
    the experiment; nothing where they are not.

    >>> as_near(0.09, 0.08).split(". ")[0]
    'This is about the error of the experiment (0.08)'
    """
    if isnan(after) or isnan(controlled) or after > 1.25 * controlled:
        return None
    return (
        f"This is about the error of the experiment ({controlled:.2f}). So the number of pictures"
        " is hardly what makes the experiment better."
    )


def contain_zero(crests: bool, hues: bool) -> str:
    """Which of two intervals contain zero.

    >>> contain_zero(True, True)
    'Both intervals contain zero.'
    """
    if crests and hues:
        return "Both intervals contain zero."
    if not crests and not hues:
        return "Neither interval contains zero."
    yes, no = ("crests", "hues") if crests else ("hues", "crests")
    return f"The interval for the {yes} contains zero, and the one for the {no} does not."


def clothes_left(crests: tuple[float, float], hues: tuple[float, float]) -> str | None:
    """What is left of a difference in clothes once everything recorded is held constant.

    Parameters
    ----------
    crests, hues : the difference as it is, and what is left of it.

    >>> clothes_left((0.23, 0.02), (0.57, 0.63)).split(". ")[0]
    'Between the crests, almost nothing is left of the difference'
    """
    if any(isnan(value) for value in (*crests, *hues)):
        return None
    recorded = (
        "So whoever adjusts for the recorded attributes takes care of the clothes, too, without"
        " knowing them."
    )
    forms = {
        "none": ("almost nothing is left of the difference", recorded),
        "some": ("a part of the difference is left", "Adjustment cannot reach this part."),
        "all": ("the difference is still there", "Adjustment cannot reach it."),
    }

    def form(before: float, after: float) -> str:
        share = abs(after) / abs(before) if before else float("inf")
        return "none" if share < 0.25 else "some" if share < 0.75 else "all"

    found = form(*crests), form(*hues)
    if found[0] == found[1]:
        what, so = forms[found[0]]
        return f"Between the crests and between the hues, {what}. {so}"
    return " ".join(
        f"Between the {name}, {forms[key][0]}. {forms[key][1]}"
        for name, key in zip(("crests", "hues"), found, strict=True)
    )


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


def meaning(full: float, null: float) -> str | None:
    """Whether the leak into the skin hurts more where the skin means something.

    Parameters
    ----------
    full, null : errors with the strongest leak, of networks with planted differences and of null
        networks.

    >>> meaning(0.22, 0.12).split(": ")[0]
    'The strongest leak into the skin hurts them more'
    """
    if isnan(full) or isnan(null):
        return None
    how = "hurts them more" if full > null else "does not hurt them more"
    return (
        f"The strongest leak into the skin {how}: their error in the effect of age is"
        f" {full:.2f} logits, and {null:.2f} in null networks."
    )


def leaky(hits: int, n: int) -> str | None:
    """How the leaking experiment compares with adjusted photographs.

    Parameters
    ----------
    hits : networks in which the experiment is nearer at every leak tried.
    n : networks.

    >>> leaky(8, 10)
    'At every strength, the experiment is nearer than adjusted photographs in 8 of the 10 networks.'
    """
    if n == 0:
        return None
    nearer = "nearer than adjusted photographs"
    if hits == n:
        return f"Even then, the experiment is {nearer} in {words.among(n, n)} networks."
    if hits == 0:
        return f"In none of the {n} networks is the experiment {nearer} at every strength."
    return f"At every strength, the experiment is {nearer} in {words.among(hits, n)} networks."


def first_leak(values: Collection[float]) -> str | None:
    """In how many networks, and from which leak on, adjusted photographs are nearer than an
    experiment that leaks.

    Parameters
    ----------
    values : the first leak of each network; infinite where the experiment is always nearer.

    >>> first_leak([0.6, 0.8, float("inf")])
    'In 2 of the 3, adjusted photographs are nearer if the leak is strong (λ = 0.60 or more).'
    """
    if not values or any(isnan(value) for value in values):
        return None
    n, found = len(values), [value for value in values if value != float("inf")]
    if not found:
        return f"In {words.among(n, n)}, the experiment is still nearer than adjusted photographs."
    where = f"In {words.among(len(found), n)}, adjusted photographs are nearer"
    if min(found) == 0:
        return f"{where}, in at least one even without a leak."
    return f"{where} if the leak is strong (λ = {min(found):.2f} or more)."


def misses(hits: int, n: int, level: float) -> str | None:
    """How many intervals of the experiment do not hold zero, where nothing was planted.

    >>> misses(1, 32, 0.95).split(", ")[1]
    'the interval misses zero in 1 of the 32 cases'
    """
    if n == 0:
        return None
    allowed = (1 - level) * n
    how = "more often than chance allows" if hits > allowed else "no more often than chance allows"
    return (
        "Over all pairs of groups and all traits, the interval misses zero in"
        f" {words.among(hits, n)} cases, {how}."
    )
