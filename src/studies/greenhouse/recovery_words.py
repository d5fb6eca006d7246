"""What the page on recovery says, in words that its numbers decide.

Comes in: rows of tables of `recovery`. Goes out: sentences for `vb.note`; None where there is
nothing to say. May not: decide what counts as found.
"""

from collections.abc import Mapping
from math import isnan

import pandas as pd

from studies import words
from vlmbias.notes import NOT_RUN

Row = Mapping[str, float]


def _if_run(found: str) -> str | None:
    """What `words` found, but None where its number is missing."""
    return None if found == NOT_RUN else found


def size(row: Row) -> str:
    """Whether a slope's interval lies above 1, below it, or holds it.

    >>> size({"low": 0.95, "high": 1.02})
    'consistent with what was planted'
    """
    return words.side(
        row["low"],
        row["high"],
        of=1,
        above="a little larger than planted" if row["low"] < 1.25 else "larger than planted",
        below="a little smaller than planted" if row["high"] > 0.75 else "smaller than planted",
        neither="consistent with what was planted",
    )


def sizes(hue: Row, crest: Row) -> str | None:
    """What slopes over hues and over crests say, as one sentence."""
    first, second = size(hue), size(crest)
    if NOT_RUN in (first, second):
        return None
    if first == second:
        return f"Differences between hues and differences between crests are both {first}."
    return f"Differences between hues are {first}, and those between crests are {second}."


def _beside_range(row: Row, **forms: str) -> str | None:
    """The form for a rate below, above or within the range of the exchanges (`words.side`)."""
    return _if_run(words.side(row["low"], row["high"], of=row["rate"], **forms))


def share_of_tests(row: Row) -> str | None:
    """Whether tests over null networks are significant as often as exchanged names make them.

    Parameters
    ----------
    row : rate, and low and high, where it lies in 95 % of the exchanges.
    """
    return _beside_range(
        row,
        above="The share that we found lies below this range.",
        below="The share that we found lies above this range: these networks share something.",
        neither="The share that we found lies within this range, so it is consistent with chance.",
    )


def few(row: Row) -> str | None:
    """Whether tests over the few networks that share one pairing show already what they share.

    Parameters
    ----------
    row : rate, and low and high, where it lies in 95 % of the exchanges.
    """
    return _beside_range(
        row,
        above="This is less than chance gives.",
        below="This is more than chance gives: the tests show what these networks share.",
        neither="This is consistent with chance: with so few networks, counting tests does not"
        " show what they have in common.",
    )


def holm(hits: int, n: int, by_chance: float) -> str | None:
    """How many of n tests stay significant after Holm's correction, and what this can mean.

    Parameters
    ----------
    by_chance : share of exchanges of names in which at least one test does.
    """
    if not n or isnan(by_chance):
        return None
    if not hits:
        return f"{words.among(0, n)} tests is significant after it."
    verb = "is" if hits == 1 else "are"
    return (
        f"{words.among(hits, n)} tests {verb} still significant after it. If names are exchanged,"
        f" at least one is in {by_chance:.0%} of cases. So this may be an accident, or a small"
        " difference that the networks share: these tests cannot decide it."
    )


def smile_example(trait: str, group: str, *, everyone: float, own: float) -> str | None:
    """How a smile changes the words for a trait for everyone, and more so for one combination.

    Parameters
    ----------
    everyone, own : shifts of the log weight of the words with a smile: for all groups, and what the
        combination has beyond it.

    >>> smile_example("warmth", "teal eared", everyone=0.4, own=0.5)
    'With a smile, words for warmth become more frequent for everyone, and for teal eared more so.'
    """
    if not everyone * own > 0:
        return None
    way = "more" if own > 0 else "less"
    return (
        f"With a smile, words for {trait} become {way} frequent for everyone, and for {group} more"
        " so."
    )


def exact(slopes: pd.DataFrame, holds: pd.Series) -> str | None:
    """How many of the slopes' intervals contain 1, and which slope lies furthest from it.

    Parameters
    ----------
    slopes : mean, with index (attribute, b).
    holds : bool, the same index: whether the interval contains 1.
    """
    if slopes.empty or slopes["mean"].isna().any():
        return None
    if holds.all():
        return "Every interval contains 1, the value of exact recovery."
    outside = slopes.loc[~holds, "mean"]
    attribute, b = (outside - 1).abs().idxmax()
    found = f"{words.among(int(holds.sum()), len(holds))} intervals"
    return (
        f"{found[0].upper()}{found[1:]} contain 1, the value of exact recovery. Of the others, the"
        f" slope for {attribute}s at b = {b:g} is furthest from 1. We do not know why"
        f" {'it deviates' if len(outside) == 1 else 'these slopes deviate'}."
    )


def passing(hits: Mapping[str, int], n: int) -> str | None:
    """How many of n networks still pass the gates after each attack, as one sentence.

    >>> passing({"first": 0, "second": 0}, 9)
    'No network passes after any of these attacks.'
    """
    if not hits or not n:
        return None
    if not any(hits.values()):
        return "No network passes after any of these attacks."
    counts = words.listed(f"{count} after the {name}" for name, count in hits.items())
    return f"Of the {n}, some still pass after an attack: {counts}."


def alike(row: Row) -> str | None:
    """Whether the differences that two networks show resemble each other more than chance makes
    them.

    Parameters
    ----------
    row : r, and low and high, where it lies in 95 % of the exchanges of names.
    """
    found = words.side(
        row["low"],
        row["high"],
        of=row["r"],
        above="less alike than chance makes them",
        below="more alike than chance makes them",
        neither="no more alike than chance makes them",
    )
    return _if_run(found)


def spread(weak: float, strong: float) -> str | None:
    """How the slopes of single networks vary where little was planted, next to where much was."""
    if words.verb(weak, above=strong, then="", else_="") == NOT_RUN:
        return None
    if weak > strong:
        return "The weaker the planted bias, the more the slopes of single networks differ."
    return "The slopes of single networks differ no more where the planted bias is weak."


def spill(weak: float, strong: float, *, factor: float = 1.5) -> str | None:
    """Whether words on which nothing is planted differ more where others carry a bias.

    Parameters
    ----------
    weak, strong : typical size of differences at b = 0 and at b = 1.
    factor : how many times as large counts as more.
    """
    found = words.verb(
        strong,
        above=factor * weak,
        then="So the bias of other words spills over to them.",
        else_="So the bias of other words does not visibly spill over to them.",
    )
    return _if_run(found)
