"""What the page on upstream factors says, in words that its numbers decide.

Comes in: counts, rates and p-values of `upstream` and `twin`. Goes out: whole sentences,
for `vb.note`. May not: compute a statistic, or say anything of a value that is missing: that reads
"not run".
"""

from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np
import pandas as pd

from studies import words
from vlmbias.notes import NOT_RUN


def families(n: int) -> str:
    """The noun after a number.

    >>> [f"{n} {families(n)}" for n in (1, 8)]
    ['1 family', '8 families']
    """
    return "family" if n == 1 else "families"


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
    called = [f"{k} {families(k)}" if k else "no family" for k in n]
    return (
        f"This lies between the tables with {shares[0]} and with {shares[1]} in common, in which"
        f" {called[0]} and {called[1]} are significant."
    )


def over_shares(p: pd.Series, alpha: float) -> str:
    """In which simulated tables a test of all data families together is significant, with one row
    for each model; indexed by the share in common.

    >>> over_shares(pd.Series({0.0: 1e-6, 0.1: 0.03, 0.25: 0.4}), 0.01)
    'With nothing in common, data families as a whole are significant at .01; with 10 % in common and more, they are not.'
    >>> over_shares(pd.Series({0.0: 0.2, 0.1: 0.3}), 0.01)
    'Data families as a whole are significant at .01 in none of the tables.'
    >>> over_shares(pd.Series({0.0: 1e-6, 0.1: 0.003, 0.25: 0.4}), 0.01)
    'With up to 10 % in common, data families as a whole are significant at .01; with 25 % in common and more, they are not.'
    >>> over_shares(pd.Series({0.0: 1e-6, 0.1: 0.003}), 0.01)
    'Data families as a whole are significant at .01 in all of the tables.'
    """  # noqa: E501
    found, level = p[p < alpha], f"{alpha:g}".removeprefix("0")
    if found.empty:
        return f"Data families as a whole are significant at {level} in none of the tables."
    if len(found) == len(p):
        return f"Data families as a whole are significant at {level} in all of the tables."
    last = float(found.index[-1])  # type: ignore[arg-type]
    start = f"With up to {100 * last:.0f} % in common," if last else "With nothing in common,"
    following = float(p.index[len(found)])  # type: ignore[arg-type]
    return (
        f"{start} data families as a whole are significant at {level}; with"
        f" {100 * following:.0f} % in common and more, they are not."
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
