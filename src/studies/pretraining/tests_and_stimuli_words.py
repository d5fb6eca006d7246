"""What the page on tests and stimuli says, in words that its numbers decide.

Comes in: counts and effect sizes of `tests_and_stimuli`. Goes out: whole sentences,
for `vb.note`. May not: compute a statistic, or say anything of a value that is missing: that reads
"not run".
"""

from collections.abc import Mapping, Sequence
from math import isnan

from vlmbias.notes import NOT_RUN


def flowers_left(n: int) -> str:
    """Whether the new lists have pictures of flowers or insects, too.

    >>> flowers_left(0)
    'In the new lists none is left.'
    >>> flowers_left(1)
    'In the new lists, 1 is left.'
    """
    if not n:
        return "In the new lists none is left."
    return f"In the new lists, {n} {'is' if n == 1 else 'are'} left."


def two_pictures(changes: Sequence[float]) -> str:
    """In how many tests two replaced pictures move d by the 0.2 that the paper calls significant.

    >>> two_pictures([0.24, 0.16, 0.09, 0.18])
    'Two pictures of 25 moved the effect size by 0.2 in one test of four, and by less in the others.'
    >>> two_pictures([0.24, 0.26, 0.09, 0.18])
    'Two pictures of 25 moved the effect size by 0.2 in 2 tests of 4, and by less in the others.'
    >>> two_pictures([0.24, 0.26])
    'Two pictures of 25 moved the effect size by 0.2 or more in all tests.'
    >>> two_pictures([0.12, 0.02])
    'Two pictures of 25 moved the effect size by less than 0.2 in all tests.'
    """  # noqa: E501
    if any(isnan(change) for change in changes):
        return NOT_RUN
    large, n = sum(change >= 0.2 for change in changes), len(changes)
    start = "Two pictures of 25 moved the effect size by"
    if large == n:
        return f"{start} 0.2 or more in all tests."
    if not large:
        return f"{start} less than 0.2 in all tests."
    counted = f"{large} tests of {n}"
    if large == 1:
        counted = "one test of four" if n == 4 else f"one test of {n}"
    return f"{start} 0.2 in {counted}, and by less in the others."


def choice_or_content(choice: float, content: float) -> str:
    """The spread of d between random choices, against its shift by two pictures of a group.

    >>> choice_or_content(0.43, 0.24)
    'This is more than the two faces moved d. But another choice moves d up or down by chance. Pictures of a group move it, on average, in one direction.'
    >>> choice_or_content(0.1, 0.24)
    'This is less than the two faces moved d.'
    """  # noqa: E501
    if isnan(choice) or isnan(content):
        return NOT_RUN
    if choice < content:
        return "This is less than the two faces moved d."
    return (
        "This is more than the two faces moved d. But another choice moves d up or down by chance."
        " Pictures of a group move it, on average, in one direction."
    )


def both_versions(largest: float) -> str:
    """Whether the protocol of the text and that of the code give the same d.

    >>> both_versions(2e-16)
    'In this network, both versions give the same d.'
    >>> both_versions(0.123)
    'In this network, the two versions differ by up to 0.12 in d.'
    """
    if isnan(largest):
        return NOT_RUN
    if largest < 1e-6:
        return "In this network, both versions give the same d."
    return f"In this network, the two versions differ by up to {largest:.2f} in d."


def pictures_or_words(signal: Mapping[str, float]) -> str:
    """Which attributes tell networks with biased captions from null networks: the shift of mean d,
    in standard deviations of null networks, by the way in which attributes were chosen.

    >>> pictures_or_words({"extreme": 0.4, "mild": 0.3, "random": 0.4, "words": 2.4, "few": 2.4})
    'No, it does not help. In all three choices of pictures, the two sets of networks overlap widely. With words they are far apart.'
    >>> pictures_or_words({"extreme": 2.5, "mild": 0.3, "random": 0.4, "words": 2.4, "few": 2.4})
    'Yes, it helps. With the most extreme pictures, the two sets of networks are far apart; with the others they overlap.'
    >>> pictures_or_words({"extreme": 1.2, "mild": 0.3, "random": 0.4, "words": 2.4, "few": 2.4})
    'It helps a little, but words do better.'
    """  # noqa: E501
    if any(isnan(value) for value in signal.values()):
        return NOT_RUN
    extreme = signal["extreme"]
    others = max(signal["mild"], signal["random"])
    text = min(signal["words"], signal["few"])
    if max(extreme, others) < 1:
        start = (
            "No, it does not help. In all three choices of pictures, the two sets of networks"
            " overlap widely."
        )
        return f"{start} With words they are far apart." if text > 2 else start
    if extreme > 2 and others < 2:
        return (
            "Yes, it helps. With the most extreme pictures, the two sets of networks are far apart;"
            " with the others they overlap."
        )
    if extreme > others:
        return "It helps a little, but words do better." if text > extreme else "It helps a little."
    return "No, it does not help: other pictures do as well."
