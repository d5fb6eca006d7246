"""What the page on age says, in words that its numbers decide.

Comes in: tables of `age` and `age_precision`. Goes out: sentences for `vb.note`; None where there
is nothing to say. May not: decide what counts as found.
"""

from collections.abc import Mapping

import pandas as pd

from studies import words
from studies.causalface import age, age_precision
from vlmbias.notes import NOT_RUN

LITTLE = 1.25  # ratios of two spreads closer to 1 than this are called little
LIKE = {name: f"the imitation of {name}" for name in age.SETS[1:]}


def called(made: str | None) -> dict[str, str]:
    """What a page calls each of the three sets; `made` is None where none of it was made here.

    >>> called(None)["FairFace"]
    'FairFace'
    """
    photographed = LIKE if made else {name: name for name in age.SETS[1:]}
    return {age.CONTROLLED: "the controlled faces"} | photographed


def bends(
    excess: Mapping[str, Mapping[str, float]], *, group: str, trait: str, called: Mapping[str, str]
) -> str | None:
    """Which way the outlier's curve bends, next to the others', in each of the three sets.

    Parameters
    ----------
    excess : per set, its excess curvature's interval: low, high.
    group, trait : what the curve is of.
    called : what the page calls each set.
    """
    how = {
        name: words.side(
            own["low"],
            own["high"],
            above="bends more upwards than the mean of the others",
            below="bends more downwards than the mean of the others",
            neither="cannot be distinguished from the mean of the others",
        )
        for name, own in excess.items()
    }
    if NOT_RUN in how.values():
        return None
    first, *photographed = (how[name] for name in age.SETS)
    if len({first, *photographed}) == 1:
        return f"In all three sets, the curve of {group} for {trait} {first}."
    begins = f"With {called[age.CONTROLLED]}, the curve of {group} for {trait} {first}."
    if len(set(photographed)) == 1:
        return f"{begins} In both other sets, it {photographed[0]}."
    return " ".join([begins, *(f"In {called[name]}, it {how[name]}." for name in age.SETS[1:])])


def differ(gaps: pd.DataFrame, *, called: Mapping[str, str]) -> str | None:
    """Whether the outlier's excess curvature differs between each set of photographs and the
    controlled set.

    Parameters
    ----------
    gaps : indexed by set: low and high, the interval of the difference.
    """
    how = {
        str(name): words.side(
            row["low"],
            row["high"],
            above="lies above zero",
            below="lies below zero",
            neither="contains zero",
        )
        for name, row in gaps.iterrows()
    }
    if NOT_RUN in how.values():
        return None
    first, second = (how[name] for name in age.SETS[1:])
    if first == second:
        return f"For Warmth, this interval {first} in both sets."
    parts = [f"it {how[name]} for {called[name]}" for name in age.SETS[1:]]
    return f"For Warmth, {parts[0]}, and {parts[1]}."


def found_in_photographs(counts: Mapping[str, str]) -> str:
    """In how many networks something is found, in the two sets of photographs.

    >>> found_in_photographs({"FairFace": "none of the 10", "UTKFace": "none of the 10"})
    'With either imitation of photographs, it is found in none of the 10'
    """
    first, second = (counts[name] for name in age.SETS[1:])
    if first == second:
        return f"With either imitation of photographs, it is found in {first}"
    parts = [f"with {LIKE[name]} in {counts[name]}" for name in age.SETS[1:]]
    return f"It is found {parts[0]}, and {parts[1]}"


def null_bends(over: Mapping[str, Mapping[str, float]]) -> str | None:
    """Where networks in which nothing was planted show a bend on average, in photographs; None
    where they do not.

    Parameters
    ----------
    over : per set, the mean over networks with its interval: mean, low, high.
    """
    clear = [name for name in age.SETS[1:] if over[name]["low"] > 0 or over[name]["high"] < 0]
    if not clear:
        return None
    size = {name: f"{over[name]['mean']:+.2f}".replace("-", "−") for name in clear}
    if len(clear) == 1:
        return f"with {LIKE[clear[0]]}, it is {size[clear[0]]} on average"
    parts = [f"{size[name]} with {LIKE[name]}" for name in clear]
    return f"on average, it is {parts[0]} and {parts[1]}"


def opposite(over: pd.DataFrame) -> str | None:
    """For how many traits the two samples of photographs bend the curve of null networks in
    opposite directions; None where they do so for none.

    Parameters
    ----------
    over : indexed by trait and set, the interval of the mean over networks: low, high.
    """
    side = (over["low"] > 0).astype(int) - (over["high"] < 0).astype(int)
    both = side.unstack("set")[list(age.SETS[1:])]
    hits = int((both.prod(axis=1) < 0).sum())
    if not hits:
        return None
    traits = f"{words.among(hits, len(both))} traits"
    return (
        f"Nor do the two samples agree: for {traits}, they bend the curve in opposite directions."
    )


def rest(spreads: Mapping[str, pd.DataFrame]) -> str:
    """What the photographs' other attributes add to the spread that people and ages make.

    Parameters
    ----------
    spreads : per set of photographs, the `ranges` of `age_precision`.
    """
    *_, ages, photographs = age_precision.STEPS
    ratio = {}
    for name, table in spreads.items():
        sd = table.set_index("step")["sd"]
        ratio[name] = sd[photographs] / sd[ages]
    what = "smile, light and pose, which vary in photographs as well,"
    much = {name: value for name, value in ratio.items() if value >= LITTLE}
    if not much:
        return f"{what} add little to it"
    if len(much) == len(ratio):
        least = min(much.values())
        return f"{what} make the spread at least {least:.1f} times as wide again"
    ((name, value),) = much.items()
    wider = f"make the spread {value:.1f} times as wide again in {LIKE[name]}"
    return f"{what} {wider}, and add little in the other"


def rarer(thrice: int, once: int) -> str:
    """What it says that the only U is seldom the same group's in several traits.

    Parameters
    ----------
    thrice : null networks in which some group is the only U in three traits or more.
    once : null networks in which some group bends against all others, in one trait.

    >>> rarer(1, 15)
    'So a U in three traits says more than one odd curve does.'
    """
    if thrice < once:
        return "So a U in three traits says more than one odd curve does."
    return "So a U in three traits says no more than one odd curve does."
