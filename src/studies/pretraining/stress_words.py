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
    'It finds far too much, in both sets of networks.'
    >>> too_much(0.62, 0.05, 0.09)
    'It finds too much in one of the two sets.'
    >>> too_much(0.04, 0.05, 0.09)
    'It does not find more than chance may give.'
    """
    if isnan(one) or isnan(other):
        return NOT_RUN
    more = int(one > allowed) + int(other > allowed)
    if more == 2:
        far = "far too much" if min(one, other) > 3 * allowed else "too much"
        return f"It finds {far}, in both sets of networks."
    if more:
        return "It finds too much in one of the two sets."
    return "It does not find more than chance may give."


def one_assignment(published: int, once: int) -> str:
    """What one random assignment gives, in which the published regression finds something.

    >>> one_assignment(3, 0)
    'With 26 rows for each network, 3 families are significant; with one row, none is.'
    >>> one_assignment(1, 1)
    'With 26 rows for each network, 1 family is significant; with one row, 1 is.'
    """
    return f"With 26 rows for each network, {_significant(published, once)}."


def _significant(published: int, once: int) -> str:
    also = "none is" if not once else f"{once} is" if once == 1 else f"{once} are"
    are = "is" if published == 1 else "are"
    return f"{published or 'no'} {families(published)} {are} significant; with one row, {also}"


def at_nothing(shares: pd.DataFrame) -> str:
    """What is left of the false positives where a network's results have nothing in common; as
    from `shuffle.over_shares`.

    >>> at_nothing(pd.DataFrame({"share": [0.0, 0.1], "published": [2, 48], "networks": [2, 2]}))
    'Where the results of a network have nothing in common, both analyses find a family equally rarely.'
    >>> at_nothing(pd.DataFrame({"share": [0.0, 0.1], "published": [9, 48], "networks": [2, 2]}))
    'Where the results of a network have nothing in common, the published regression finds less than elsewhere.'
    """  # noqa: E501
    row, most = shares[shares["share"] == 0].iloc[0], shares["published"].max()
    start = "Where the results of a network have nothing in common,"
    if abs(row["published"] - row["networks"]) <= 0.05 * most:
        return f"{start} both analyses find a family equally rarely."
    if row["published"] < most:
        return f"{start} the published regression finds less than elsewhere."
    return f"{start} the published regression finds as much as elsewhere."


def misses(published: int, once: int, known: int) -> str:
    """What is found against a reference of one network, where some families differ.

    >>> misses(0, 0, 3)
    'No family is significant, with 26 rows for each network or with one, although 3 families differ.'
    >>> misses(2, 0, 3)
    'With 26 rows for each network, 2 families are significant; with one row, none is. In truth, 3 families differ.'
    """  # noqa: E501
    if not published and not once:
        return (
            "No family is significant, with 26 rows for each network or with one, although"
            f" {known} families differ."
        )
    return (
        f"With 26 rows for each network, {_significant(published, once)}. In truth, {known}"
        " families differ."
    )


def with_large_reference(rows: list[str], once: list[str], differ: list[str]) -> str:
    """What is found against a reference of many networks, and which of it is right.

    >>> with_large_reference(["curated", "marked"], ["curated"], ["curated", "faint"])
    'Against the largest family, the published regression finds curated and marked; of these, curated is right. With one row for each network, curated is found.'
    >>> with_large_reference([], [], ["curated"])
    'Against the largest family, the published regression finds no family. With one row for each network, none is found, either.'
    >>> with_large_reference(["faint"], [], ["faint"])
    'Against the largest family, the published regression finds faint, which is right. With one row for each network, none is found.'
    """  # noqa: E501
    start = "Against the largest family, the published regression finds"
    right = [one for one in rows if one in differ]
    if not rows:
        first = f"{start} no family."
    elif len(right) == len(rows):
        first = f"{start} {words.listed(rows)}, which is right."
    elif right:
        is_ = "is" if len(right) == 1 else "are"
        first = f"{start} {words.listed(rows)}; of these, {words.listed(right)} {is_} right."
    else:
        first = f"{start} {words.listed(rows)}, of which none is right."
    if once:
        is_ = "is" if len(once) == 1 else "are"
        second = f"With one row for each network, {words.listed(once)} {is_} found."
    else:
        second = "With one row for each network, none is found" + (", either." if not rows else ".")
    return f"{first} {second}"


def as_a_whole(data: float, architecture: float, alpha: float) -> str:
    """What one test of each factor as a whole says, where data matter and architecture does not.

    >>> as_a_whole(0.008, 0.41, 0.01)
    'This test gets both right: it finds that data families matter, and does not find that architectures do.'
    >>> as_a_whole(0.2, 0.41, 0.01)
    'This test finds neither data families nor architectures to matter. Of data families, this is wrong.'
    >>> as_a_whole(0.008, 0.001, 0.01)
    'This test finds that data families matter, and also, wrongly, that architectures do.'
    """  # noqa: E501
    if isnan(data) or isnan(architecture):
        return NOT_RUN
    if data < alpha <= architecture:
        return (
            "This test gets both right: it finds that data families matter, and does not find"
            " that architectures do."
        )
    if data < alpha:
        return (
            "This test finds that data families matter, and also, wrongly, that architectures do."
        )
    if architecture < alpha:
        return (
            "This test gets both wrong: it finds that architectures matter, and not data families."
        )
    return (
        "This test finds neither data families nor architectures to matter. Of data families, this"
        " is wrong."
    )


def power(found: int, known: int) -> str:
    """How many of the families that differ one row for each network finds.

    >>> power(1, 4)
    'So one row for each network misses 3 of the 4 families that differ. It is honest, but has little power.'
    >>> power(4, 4)
    'So one row for each network finds all 4 families that differ.'
    """  # noqa: E501
    if found == known:
        return (
            f"So one row for each network finds {words.among(found, known)} families that differ."
        )
    return (
        f"So one row for each network misses {words.among(known - found, known)} families that"
        " differ. It is honest, but has little power."
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
