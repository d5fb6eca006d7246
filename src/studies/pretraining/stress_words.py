"""What the page on the stress test says, in words that its numbers decide.

Comes in: counts, rates and p-values of `stress` and `shuffle`. Goes out: whole sentences,
for `vb.note`. May not: compute a statistic, or say anything of a value that is missing: that reads
"not run".
"""

from math import isnan

import pandas as pd

from studies import words
from studies.pretraining.upstream_words import families
from vlmbias.notes import NOT_RUN


def too_much(one: float, other: float, allowed: float) -> str:
    """Whether the published regression finds more in two sets of networks than chance may give.

    >>> too_much(0.62, 0.5, 0.09)
    'The published regression finds far too much, in both sets of networks.'
    >>> too_much(0.62, 0.05, 0.09)
    'The published regression finds too much in one of the two sets.'
    >>> too_much(0.04, 0.05, 0.09)
    'The published regression does not find more than chance may give.'
    """
    if isnan(one) or isnan(other):
        return NOT_RUN
    start = "The published regression"
    more = int(one > allowed) + int(other > allowed)
    if more == 2:
        far = "far too much" if min(one, other) > 3 * allowed else "too much"
        return f"{start} finds {far}, in both sets of networks."
    if more:
        return f"{start} finds too much in one of the two sets."
    return f"{start} does not find more than chance may give."


def one_assignment(published: int, once: int) -> str:
    """What one random assignment gives, in which the published regression finds something.

    >>> one_assignment(3, 0)
    'The published regression finds 3 significant families. If each network counts once, none is significant.'
    >>> one_assignment(1, 1)
    'The published regression finds 1 significant family. If each network counts once, 1 is significant.'
    """  # noqa: E501
    return _significant(published, once)


def _significant(published: int, once: int) -> str:
    also = "none is" if not once else f"{once} is" if once == 1 else f"{once} are"
    return (
        f"The published regression finds {published or 'no'} significant {families(published)}."
        f" If each network counts once, {also} significant."
    )


def at_nothing(shares: pd.DataFrame) -> str:
    """What is left of the false positives where a network's results have nothing in common; as
    from `shuffle.over_shares`.

    >>> at_nothing(pd.DataFrame({"share": [0.0, 0.1], "published": [2, 48], "networks": [2, 2]}))
    'Where the results of a network have nothing in common, both analyses find a family equally rarely. So the part in common is the reason.'
    >>> at_nothing(pd.DataFrame({"share": [0.0, 0.1], "published": [9, 48], "networks": [2, 2]}))
    'Where the results of a network have nothing in common, the published regression finds less than elsewhere.'
    """  # noqa: E501
    row, most = shares[shares["share"] == 0].iloc[0], shares["published"].max()
    start = "Where the results of a network have nothing in common,"
    if abs(row["published"] - row["networks"]) <= 0.05 * most:
        return (
            f"{start} both analyses find a family equally rarely. So the part in common is the"
            " reason."
        )
    if row["published"] < most:
        return f"{start} the published regression finds less than elsewhere."
    return f"{start} the published regression finds as much as elsewhere."


def misses(published: int, once: int, known: int) -> str:
    """What is found against a reference of one network, where some families differ.

    >>> misses(0, 0, 3)
    'Neither way finds a significant family, although 3 families differ.'
    >>> misses(2, 0, 3)
    'The published regression finds 2 significant families. If each network counts once, none is significant. In truth, 3 families differ.'
    """  # noqa: E501
    if not published and not once:
        return f"Neither way finds a significant family, although {known} families differ."
    return f"{_significant(published, once)} In truth, {known} families differ."


def with_large_reference(rows: list[str], once: list[str], differ: list[str]) -> str:
    """What is found against a reference of many networks, and which of it differs by its
    captions.

    >>> with_large_reference(["curated", "marked"], ["curated"], ["curated", "faint"])
    'Against the largest family, the published regression finds curated and marked; of these, curated is among the families that differ. If each network counts once, curated is found.'
    >>> with_large_reference([], [], ["curated"])
    'Against the largest family, the published regression finds no family. If each network counts once, none is found, either.'
    >>> with_large_reference(["faint"], [], ["faint"])
    'Against the largest family, the published regression finds faint, which is among the families that differ. If each network counts once, none is found.'
    """  # noqa: E501
    start = "Against the largest family, the published regression finds"
    among = "among the families that differ"
    right = [one for one in rows if one in differ]
    if not rows:
        first = f"{start} no family."
    elif len(right) == len(rows):
        first = f"{start} {words.listed(rows)}, which {_is(right)} {among}."
    elif right:
        first = (
            f"{start} {words.listed(rows)}; of these, {words.listed(right)} {_is(right)} {among}."
        )
    else:
        first = f"{start} {words.listed(rows)}, of which none is {among}."
    if once:
        second = f"If each network counts once, {words.listed(once)} {_is(once)} found."
    else:
        second = "If each network counts once, none is found" + (", either." if not rows else ".")
    return f"{first} {second}"


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def still_missed(one: list[str], many: list[str], differ: list[str]) -> str:
    """Whether the reference is why families are missed: what is found against a reference of one
    network, and of many.

    >>> still_missed([], ["curated", "marked", "curated"], ["curated", "faint", "garbled"])
    'So the reference is one reason why families are missed, but not the only one: faint and garbled are found with neither reference.'
    >>> still_missed([], ["curated"], ["curated"])
    'So the reference is the reason why families were missed: with another one, every family that differs is found.'
    >>> still_missed(["curated"], ["curated"], ["curated", "faint"])
    'So another reference does not help: no more of the families that differ are found.'
    """  # noqa: E501
    lost = [name for name in differ if name not in (*one, *many)]
    if not set(many) & set(differ) - set(one):
        return "So another reference does not help: no more of the families that differ are found."
    if not lost:
        return (
            "So the reference is the reason why families were missed: with another one, every"
            " family that differs is found."
        )
    return (
        "So the reference is one reason why families are missed, but not the only one:"
        f" {words.listed(lost)} {_is(lost)} found with neither reference."
    )


def as_a_whole(data: float, architecture: float, alpha: float) -> str:
    """What one test of each factor as a whole says, where data change captions, and architecture
    does not.

    >>> as_a_whole(0.008, 0.41, 0.01)
    'This test finds that data families matter, as they do, and does not find that architectures do.'
    >>> as_a_whole(0.2, 0.41, 0.01)
    'This test finds neither data families nor architectures to matter. Of data families, this is wrong.'
    >>> as_a_whole(0.008, 0.001, 0.01)
    'This test finds that data families matter, as they do, and also that architectures do, which change no caption.'
    """  # noqa: E501
    if isnan(data) or isnan(architecture):
        return NOT_RUN
    if data < alpha <= architecture:
        return (
            "This test finds that data families matter, as they do, and does not find that"
            " architectures do."
        )
    if data < alpha:
        return (
            "This test finds that data families matter, as they do, and also that architectures do,"
            " which change no caption."
        )
    if architecture < alpha:
        return (
            "This test finds that architectures matter, which change no caption, and not that data"
            " families do, which is wrong."
        )
    return (
        "This test finds neither data families nor architectures to matter. Of data families, this"
        " is wrong."
    )


def power(found: int, known: int) -> str:
    """How many of the families that differ are found if each network counts once.

    >>> power(1, 4)
    'So counting each network once misses 3 of the 4 families that differ: few false positives, but also few true findings.'
    >>> power(4, 4)
    'So counting each network once finds all 4 families that differ.'
    """  # noqa: E501
    if found == known:
        return (
            f"So counting each network once finds {words.among(found, known)} families that differ."
        )
    return (
        f"So counting each network once misses {words.among(known - found, known)} families that"
        " differ: few false positives, but also few true findings."
    )


def by_seed(counts: pd.Series) -> str:
    """How the number of significant families depends on which network is the reference.

    >>> by_seed(pd.Series([0, 0, 2]))
    'Depending on which of the 3 networks is the reference, the published regression finds between 0 and 2 significant families.'
    >>> by_seed(pd.Series([1, 3, 1]))
    'Depending on which of the 3 networks is the reference, the published regression finds between 1 and 3 significant families.'
    >>> by_seed(pd.Series([2, 2]))
    'With each of the 2 networks as the reference, the published regression finds 2 significant families.'
    """  # noqa: E501
    low, high, n = int(counts.min()), int(counts.max()), len(counts)
    if low == high:
        return (
            f"With each of the {n} networks as the reference, the published regression finds"
            f" {low or 'no'} significant {families(low)}."
        )
    return (
        f"Depending on which of the {n} networks is the reference, the published regression finds"
        f" between {low} and {high} significant families."
    )


def rejected(n: int) -> str:
    """How many networks did not reach the limit that was set for them.

    >>> rejected(1)
    'One of them did not learn its captions as well as we had asked for; it was kept.'
    >>> rejected(0)
    'All of them learned their captions as well as we had asked for.'
    """
    if not n:
        return "All of them learned their captions as well as we had asked for."
    if n == 1:
        return "One of them did not learn its captions as well as we had asked for; it was kept."
    return f"{n} of them did not learn their captions as well as we had asked for; they were kept."


def divided(gap: float, d: float) -> str:
    """Whether an effect size shows what a difference shows before it is divided: both as what is
    left of them in another family.

    >>> divided(0.46, 0.97)
    'So d shows little of this change.'
    >>> divided(0.46, 0.6)
    'Here, d shows the change, too.'
    >>> divided(0.99, 0.9)
    'Here, the two change alike.'
    """
    if abs(1 - gap) < 0.1:
        return "Here, the two change alike."
    if abs(1 - d) < 0.5 * abs(1 - gap):
        return "So d shows little of this change."
    return "Here, d shows the change, too."
