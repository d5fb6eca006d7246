"""Sentences of the chapters on Ghate et al. (2025) that results decide, each written out in all its
forms.

Comes in: counts, rates and p-values, as the studies compute them. Goes out: whole sentences, for
`vb.note`. May not: compute a statistic, or say anything of a value that is missing: that reads "not
run".
"""

from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np
import pandas as pd

from studies import words
from vlmbias.notes import NOT_RUN


def differ(
    significant: pd.Series, what: str, reference: str, coefficients: pd.Series | None = None
) -> str:
    """How many families differ significantly from the reference, and whether all in one direction.

    >>> differ(pd.Series([True, False]), "data families", "CC12M", pd.Series([0.2, 0.1]))
    '1 of the 2 data families differs significantly from CC12M; its d is larger.'
    >>> differ(pd.Series([False, False]), "architecture families", "CoCa")
    'None of the 2 architecture families differs significantly from CoCa.'
    >>> differ(pd.Series([True, True]), "data families", "CC12M", pd.Series([0.2, -0.1]))
    'Both data families differ significantly from CC12M, in different directions.'
    """
    n = int(significant.sum())
    start = words.among(n, len(significant))
    does = "differs" if n < 2 else "differ"
    text = f"{start[0].upper()}{start[1:]} {what} {does} significantly from {reference}"
    if coefficients is None or not n:
        return f"{text}."
    signs = set(np.sign(coefficients[significant]))
    if len(signs) > 1:
        return f"{text}, in different directions."
    size = "larger" if signs == {1.0} else "smaller"
    return f"{text}; {'its' if n == 1 else 'their'} d is {size}."


def grows(none: float, half: float) -> str:
    """Whether false positives become more with what the results of a model have in common.

    >>> grows(0.03, 0.8)
    'The more the results of a model have in common, the more false positives there are with 26 rows for each model.'
    >>> grows(0.03, 0.03)
    'With 26 rows for each model, false positives do not become more when the results have more in common.'
    """  # noqa: E501
    if isnan(none) or isnan(half):
        return NOT_RUN
    if half > none:
        return (
            "The more the results of a model have in common, the more false positives there are"
            " with 26 rows for each model."
        )
    return (
        "With 26 rows for each model, false positives do not become more when the results have"
        " more in common."
    )


def in_each(counts: Sequence[int]) -> str:
    """How many significant families the published regression finds in each of some tables.

    >>> in_each([8, 8])
    'The published regression finds 8 significant families in each of the 2 tables.'
    >>> in_each([7, 9, 8])
    'The published regression finds between 7 and 9 significant families, depending on the table.'
    """
    low, high = min(counts), max(counts)
    if low == high:
        return (
            f"The published regression finds {low} significant families in each of the"
            f" {len(counts)} tables."
        )
    return (
        f"The published regression finds between {low} and {high} significant families, depending"
        " on the table."
    )


def counted_once(counts: pd.Series) -> str:
    """How the number of significant families changes with the share that a model's results have in
    common, when every model counts once; indexed by that share.

    >>> counted_once(pd.Series({0.0: 8, 0.1: 1, 0.25: 0, 0.5: 0}))
    'If every model counts once, it is 8 where nothing is in common, 1 where a tenth is, and none from a quarter on.'
    >>> counted_once(pd.Series({0.0: 8, 0.5: 6}))
    'If every model counts once, it is 8 where nothing is in common, and 6 from one half on.'
    >>> counted_once(pd.Series({0.0: 8, 0.5: 8}))
    'If every model counts once, it is 8, too, whatever is in common.'
    """  # noqa: E501
    start = "If every model counts once, it is"
    number = [str(n) if n else "none" for n in counts]
    if len(set(number)) == 1:
        return f"{start} {number[0]}, too, whatever is in common."
    parts = [f"{number[0]} where nothing is in common"]
    last = len(number) - 1
    while number[last - 1] == number[-1]:
        last -= 1
    called = {0.1: "a tenth", 0.25: "a quarter", 0.5: "one half", 0.75: "three quarters"}
    shares = [called.get(float(share), f"{share:.0%}") for share in counts.index]
    parts += [f"{number[k]} where {shares[k]} is" for k in range(1, last)]
    if last < len(number) - 1:
        parts.append(f"and {number[last]} from {shares[last]} on")
    elif counts.index[-1] == 1:
        parts.append(f"and {number[last]} where all of it is")
    else:
        parts.append(f"and {number[last]} from {shares[last]} on")
    return f"{start} {', '.join(parts)}."


def placed(own: Sequence[float], alike: pd.Series, counts: pd.Series) -> str:
    """Between which simulated tables the correlations of our networks lie, and how many families
    are significant there; both indexed by the share in common.

    >>> alike = pd.Series({0.0: 0.0, 0.1: 0.07, 0.25: 0.19})
    >>> placed([0.13, 0.10], alike, pd.Series({0.0: 8, 0.1: 1, 0.25: 0}))
    'This lies between the tables with 10 % and with 25 % in common, in which 1 family and no family are significant.'
    >>> placed([0.13, 0.04], alike, pd.Series({0.0: 8, 0.1: 1, 0.25: 0}))
    'This lies between the tables with 0 % and with 25 % in common, in which 8 families and no family are significant.'
    """  # noqa: E501
    if any(isnan(one) for one in own):
        return NOT_RUN
    below, above = alike[alike <= min(own)], alike[alike >= max(own)]
    if below.empty or above.empty:
        return "This lies outside the six tables."
    ends = below.idxmax(), above.idxmin()
    shares = [f"{100 * float(one):.0f} %" for one in ends]  # type: ignore[arg-type]
    n = [int(counts[one]) for one in ends]
    called = [f"{k or 'no'} {'families' if k > 1 else 'family'}" for k in n]
    return (
        f"This lies between the tables with {shares[0]} and with {shares[1]} in common, in which"
        f" {called[0]} and {called[1]} are significant."
    )


def over_shares(p: pd.Series, alpha: float) -> str:
    """In which simulated tables a test of all data families together is significant, with one row
    for each model; indexed by the share in common.

    >>> over_shares(pd.Series({0.0: 1e-6, 0.1: 0.03, 0.25: 0.4}), 0.01)
    'With nothing in common, data families as a whole are significant; with 10 % in common and more, they are not.'
    >>> over_shares(pd.Series({0.0: 0.2, 0.1: 0.3}), 0.01)
    'Data families as a whole are significant in none of the tables.'
    >>> over_shares(pd.Series({0.0: 1e-6, 0.1: 0.003, 0.25: 0.4}), 0.01)
    'With up to 10 % in common, data families as a whole are significant; with 25 % in common and more, they are not.'
    >>> over_shares(pd.Series({0.0: 1e-6, 0.1: 0.003}), 0.01)
    'Data families as a whole are significant in all of the tables.'
    """  # noqa: E501
    found = p[p < alpha]
    if found.empty:
        return "Data families as a whole are significant in none of the tables."
    if len(found) == len(p):
        return "Data families as a whole are significant in all of the tables."
    last = float(found.index[-1])  # type: ignore[arg-type]
    start = f"With up to {100 * last:.0f} % in common," if last else "With nothing in common,"
    following = float(p.index[len(found)])  # type: ignore[arg-type]
    return (
        f"{start} data families as a whole are significant; with {100 * following:.0f} % in common"
        " and more, they are not."
    )


def about_fit(heights: pd.Series, remarks: Sequence[str]) -> str:
    """What two optimisers found, in words.

    >>> about_fit(pd.Series({"lbfgs": -20.0, "powell": -20.0}), ())
    'Both optimisers found the same fit.'
    >>> about_fit(pd.Series({"lbfgs": -47.6, "powell": -20.0}), ("at the boundary: a variance",))
    'Here they differ by 27.6, so powell found the better fit, and lbfgs did not find the best one. A variance is estimated as zero.'
    """  # noqa: E501
    apart = float(heights.max() - heights.min())
    if apart < 0.1:
        found = "Both optimisers found the same fit."
    else:
        found = (
            f"Here they differ by {apart:.1f}, so {heights.idxmax()} found the better fit, and"
            f" {heights.idxmin()} did not find the best one."
        )
    zero = any("boundary" in one for one in remarks)
    return f"{found} A variance is estimated as zero." if zero else found


def rarely(highest: float, contrasts: int, alpha: float) -> str:
    """Whether one row for each model keeps false positives as rare as chance alone would, at most
    `contrasts` × `alpha`.

    >>> rarely(0.052, 9, 0.01)
    'With one row for each model, false positives stay rare: at most 5 % of the draws have one.'
    >>> rarely(0.3, 9, 0.01)
    'With one row for each model, up to 30 % of the draws have one, too.'
    """
    if isnan(highest):
        return NOT_RUN
    if highest == 0:
        return "With one row for each model, no draw has one."
    if highest <= contrasts * alpha:
        return (
            "With one row for each model, false positives stay rare: at most"
            f" {100 * highest:.0f} % of the draws have one."
        )
    return f"With one row for each model, up to {100 * highest:.0f} % of the draws have one, too."


def same_errors(one: pd.Series, other: pd.Series) -> str:
    """Whether an effect of each model and one row for each model give the same standard errors.

    >>> same_errors(pd.Series([0.2]), pd.Series([0.2]))
    'An effect of each model and one row for each model give the same standard error.'
    >>> same_errors(pd.Series([0.2]), pd.Series([0.25]))
    'The standard errors with an effect of each model and with one row for each differ by up to 20 %.'
    """  # noqa: E501
    apart = float((one / other - 1).abs().max())
    if apart < 0.01:
        return "An effect of each model and one row for each model give the same standard error."
    return (
        "The standard errors with an effect of each model and with one row for each differ by up"
        f" to {100 * apart:.0f} %."
    )


def references(counts: pd.Series, published: str, names: Mapping[str, str]) -> str:
    """How many families differ significantly from each reference, in the published regression.

    >>> names = {"a": "A", "b": "B", "c": "C"}
    >>> references(pd.Series({"a": 8, "b": 2, "c": 1}), "a", names)
    'With A as the reference, 8 families differ significantly. With any other, 1 or 2 do.'
    >>> references(pd.Series({"a": 8, "b": 7, "c": 1}), "a", names)
    'With A as the reference, 8 families differ significantly. With any other, between 1 and 7 do; most with B.'
    """  # noqa: E501
    own, others = int(counts[published]), counts.drop(published)
    low, high = int(others.min()), int(others.max())
    start = (
        f"With {names[published]} as the reference, {own or 'no'} families differ significantly."
    )
    if low == high:
        return f"{start} With any other, {low or 'none'} {'does' if low == 1 else 'do'}."
    if high - low == 1:
        return f"{start} With any other, {low or 'none'} or {high} do."
    most = words.listed(names[str(name)] for name in others.index[others == high])
    return f"{start} With any other, between {low} and {high} do; most with {most}."


def any_reference(counts: pd.Series) -> str:
    """The same with one row for each model.

    >>> any_reference(pd.Series([0, 0]))
    'With one row for each model, none does, whatever the reference.'
    >>> any_reference(pd.Series([0, 3]))
    'With one row for each model, at most 3 do.'
    """
    most = int(counts.max())
    if not most:
        return "With one row for each model, none does, whatever the reference."
    return f"With one row for each model, at most {most} {'do' if most > 1 else 'does'}."


def whole_factor(p: float, alpha: float) -> str:
    """What a test of all data families together says of differences as large as the printed ones,
    with one row for each model.

    >>> whole_factor(0.38, 0.01)
    'So in this table, differences as large as the printed ones are what chance gives.'
    >>> whole_factor(0.0004, 0.01)
    'So in this table, chance alone would rarely give differences as large as the printed ones.'
    """
    if np.isnan(p):
        return NOT_RUN
    if p < alpha:
        return (
            "So in this table, chance alone would rarely give differences as large as the printed"
            " ones."
        )
    if p < 0.05:
        return "So in this table, the answer depends on the significance level."
    return "So in this table, differences as large as the printed ones are what chance gives."


def passes(share: float) -> str:
    """Whether tests of groups that captions treat alike often give d above 0.2.

    >>> passes(0.45)
    'Many effect sizes are above 0.2 where there is nothing to find.'
    >>> passes(0.04)
    'Few effect sizes are above 0.2 where there is nothing to find.'
    """
    if isnan(share):
        return NOT_RUN
    how_many = "Many" if share > 0.25 else "Some" if share > 0.05 else "Few"
    return f"{how_many} effect sizes are above 0.2 where there is nothing to find."


def intervals(high: float, low: float) -> str:
    """Whether the interval of null networks ends below that of the others; `high` is the upper end
    of the one, `low` the lower end of the other.

    >>> intervals(0.53, 0.51)
    'So the two sets of networks differ less than one may expect; their intervals overlap.'
    >>> intervals(0.4, 0.5)
    'So the share is larger where captions differ, and the intervals do not overlap.'
    """
    if isnan(high) or isnan(low):
        return NOT_RUN
    if low > high:
        return "So the share is larger where captions differ, and the intervals do not overlap."
    return "So the two sets of networks differ less than one may expect; their intervals overlap."


def above_but(d: pd.Series, p: pd.Series) -> str:
    """How many effect sizes above 0.2 have a p-value of .05 or more.

    >>> above_but(pd.Series([0.5, 0.3, 0.1]), pd.Series([0.01, 0.2, 0.4]))
    '1 of them has a p-value of .05 or more.'
    >>> above_but(pd.Series([0.5]), pd.Series([0.01]))
    'All of them have a p-value below .05.'
    """
    above = d > 0.2
    n = int((above & (p >= 0.05)).sum())
    if not above.any():
        return "So no p-value of such a test can be printed here."
    if not n:
        return "All of them have a p-value below .05."
    return f"{n} of them {'has' if n == 1 else 'have'} a p-value of .05 or more."


def off_zero(hits: int, n: int) -> str:
    """For how many pairs of groups the mean over null networks differs from zero at .05.

    >>> off_zero(0, 16)
    'In a t-test over networks, none of the 16 means differs from zero at the level of .05. (By chance, one would expect about 1.)'
    """  # noqa: E501
    chance = max(1, round(0.05 * n))
    return (
        f"In a t-test over networks, {words.among(hits, n)} means"
        f" {'differs' if hits < 2 else 'differ'} from zero at the level of .05. (By chance, one"
        f" would expect about {chance}.)"
    )


# --- stress ---------------------------------------------------------------------------------------


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
    family = "family is" if published == 1 else "families are"
    return f"{published or 'no'} {family} significant; with one row, {also}"


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
            f" {low or 'no'} significant {'family' if low == 1 else 'families'}."
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


# --- tests and stimuli ----------------------------------------------------------------------------


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


def two_pictures(change: float) -> str:
    """How much two replaced pictures do, against the 0.2 that the paper calls significant.

    >>> two_pictures(0.24)
    'Two pictures are enough to move the effect size by 0.2, which the paper calls significant.'
    >>> two_pictures(0.12)
    'Two pictures move the effect size by more than half of what the paper calls significant.'
    >>> two_pictures(0.02)
    'Two pictures hardly move the effect size.'
    """
    if isnan(change):
        return NOT_RUN
    if change >= 0.2:
        return (
            "Two pictures are enough to move the effect size by 0.2, which the paper calls"
            " significant."
        )
    if change >= 0.1:
        return (
            "Two pictures move the effect size by more than half of what the paper calls"
            " significant."
        )
    return "Two pictures hardly move the effect size."


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
    'No, it does not help. However the pictures are chosen, the two sets of networks overlap widely. With words they are far apart.'
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
            "No, it does not help. However the pictures are chosen, the two sets of networks"
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
