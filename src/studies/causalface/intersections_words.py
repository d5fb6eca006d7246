"""Sentences of the chapter on outliers among intersections that its results decide.

Comes in: tables and numbers of `studies.causalface.intersections`. Goes out: words, each with
the comparison that decides it. May not: read a file.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy import stats

from studies import words

SMALL = 0.02  # a change of a silhouette below this is called none
ALPHA = 0.05


def why_less_clear(whole: float, few: pd.DataFrame, photographs: pd.Series) -> dict[str, str]:
    """What fewer faces do to clusters, and whether that can explain the photographs' clusters.

    Parameters
    ----------
    whole : silhouette of the controlled set with all its faces.
    few : the same with as few faces as each set of photographs has; a row per set, columns
        silhouette, low and high.
    photographs : silhouette of each set of photographs itself.

    Returns
    -------
    dict
        fewer and remains, each the end of a clause, and verdict, a sentence.

    Examples
    --------
    >>> few = pd.DataFrame({"silhouette": [0.5], "low": [0.4], "high": [0.6]}, index=["photos"])
    >>> why_less_clear(0.7, few, pd.Series({"photos": 0.45}))["remains"]
    "about as clear as the photographs' own"
    """
    lower = int((few["silhouette"] < whole - SMALL).sum())
    fewer = {len(few): "less clear", 0: "no less clear"}
    called = {
        "less clear than": photographs > few["high"],
        "about as clear as": photographs.between(few["low"], few["high"]),
        "still clearer than": photographs < few["low"],
    }
    (first, everywhere), *mixed = [(name, own) for name, own in called.items() if own.any()]
    if mixed:
        remains = words.listed(
            f"{name} those of the {words.listed(own.index[own])}"
            for name, own in [(first, everywhere), *mixed]
        )
    else:
        remains = f"{first} the photographs' own"
    if not (photographs < whole - SMALL).any():
        verdict = (
            "Here, the photographs' clusters are not less clear, so nothing is to be explained."
        )
    elif lower == 0:
        verdict = "So the number of faces does not explain the difference here."
    elif called["still clearer than"].any():
        verdict = "So the number of faces can explain a part of the difference here."
    else:
        verdict = "So the number of faces alone can explain the difference here."
    return {
        "fewer": fewer.get(lower, f"in {words.among(lower, len(few))} comparisons less clear"),
        "remains": remains,
        "verdict": verdict,
    }


def in_one_network(gap: pd.Series, hue: str) -> str:
    """Whether the gap of another hue deviates from the mean of the others' as far as that of `hue`.

    Examples
    --------
    >>> in_one_network(pd.Series({"teal": 1.0, "amber": 0.0, "violet": 0.0}), "teal")
    'No other hue deviates as far.'
    """
    off = gap - (gap.sum() - gap) / (len(gap) - 1)
    size = (off.drop(hue) / off[hue]).abs()
    rivals = list(size.index[size >= 0.8])
    if not rivals:
        return "No other hue deviates as far."
    far = (
        "further" if size[rivals].min() > 1.2 else "about as far" if size.max() <= 1.2 else "as far"
    )
    gaps = (
        f"the gap in {rivals[0]} deviates"
        if len(rivals) == 1
        else (f"the gaps in {words.listed(rivals)} deviate")
    )
    return f"But {gaps} {far}, though no outlier was planted there."


def naming_in_words(named: Any, searched: Any) -> str:
    """Whether more networks pass if the outlier is named, by a sign test on the same networks.

    Parameters
    ----------
    named, searched : for each network, whether it passes.

    Examples
    --------
    >>> naming_in_words([True, False], [True, False])
    'There is no difference between the two.'
    """
    more = int(sum(one and not other for one, other in zip(named, searched, strict=True)))
    fewer = int(sum(other and not one for one, other in zip(named, searched, strict=True)))
    if more == fewer == 0:
        return "There is no difference between the two."
    p = float(stats.binomtest(more, more + fewer).pvalue)
    shown = (
        f"(sign test on the same networks, p = {p:.2f})" if p >= 0.01 else "(sign test, p < .01)"
    )
    if p >= ALPHA:
        return f"This difference between naming and searching may be chance {shown}."
    more_or_less = "helps" if more > fewer else "hurts"
    return f"So naming {more_or_less}, more than chance explains {shown}."


def beyond_chance(row: Any) -> str:
    """Whether more networks pass than the 1 in 20 that pass by chance; the end of a sentence.

    Parameters
    ----------
    row : with hits and n.

    Examples
    --------
    >>> beyond_chance({"hits": 1, "n": 10})
    'which chance can explain'
    """
    p = stats.binomtest(int(row["hits"]), int(row["n"]), ALPHA, alternative="greater").pvalue
    return "which chance can explain" if p >= ALPHA else "far more than chance gives"


def worth_of_a_report(right: Any, false: Any) -> str:
    """What a report of a method is worth: how often it is right, beside how often it is false.

    Parameters
    ----------
    right, false : rows with hits and n: networks in which the planted outlier is reported, and in
        which a group is reported though none was planted.

    Examples
    --------
    >>> worth_of_a_report({"hits": 7, "n": 10}, {"hits": 6, "n": 10})
    'So its report does not tell whether there is an outlier.'
    """
    rarely, by_chance = (
        stats.binomtest(int(row["hits"]), int(row["n"]), ALPHA, alternative="greater").pvalue
        >= ALPHA
        for row in (right, false)
    )
    if rarely:
        return "So it hardly ever finds the outlier."
    if by_chance:
        return (
            "So its report is evidence, though it does not find every outlier."
            if (right["hits"] < right["n"])
            else "So its report is evidence."
        )
    if false["hits"] < right["hits"] / 2:
        return "So its report is weak evidence."
    return "So its report does not tell whether there is an outlier."
