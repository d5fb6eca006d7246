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


def why_less_clear(steps: pd.DataFrame) -> dict[str, str]:
    """What fewer faces do to clusters, and what remains at equal numbers.

    Parameters
    ----------
    steps : rows faces and pictures, a column per set of photographs: by how much the silhouette
        changes.

    Returns
    -------
    dict
        fewer, remains and explains, each the end of a sentence.

    Examples
    --------
    >>> steps = pd.DataFrame({"a": [-0.1, 0.0], "b": [-0.2, 0.0]}, index=["faces", "pictures"])
    >>> why_less_clear(steps)["explains"]
    'all'
    """
    fewer, rest = steps.loc["faces"], steps.loc["pictures"]
    lower = int((fewer < -SMALL).sum())
    fewer_words = {len(fewer): "less clear", 0: "no less clear"}
    below, above = rest < -SMALL, rest > SMALL
    if below.all():
        remains = "still less clear"
    elif above.all():
        remains = "even clearer than the controlled ones"
    elif not (below.any() or above.any()):
        remains = "about as clear as the controlled ones"
    else:
        called = {
            "less clear": list(rest.index[below]),
            "clearer": list(rest.index[above]),
            "as clear": list(rest.index[~below & ~above]),
        }
        remains = words.listed(
            f"{name} in the imitation of {words.listed(own)}" for name, own in called.items() if own
        )
    if lower == 0:
        explains = "nothing"
    elif not below.any():
        explains = "all"
    else:
        explains = "a part"
    return {
        "fewer": fewer_words.get(lower, f"less clear in {words.among(lower, len(fewer))}"),
        "remains": remains,
        "explains": explains,
    }


def in_one_network(gap: pd.Series, hue: str) -> str:
    """Whether the gap of the hue with the outlier deviates most from the mean of the other gaps.

    Examples
    --------
    >>> in_one_network(pd.Series({"teal": 1.0, "amber": 0.0, "violet": 0.0}), "teal")
    'No other hue deviates as far.'
    """
    off = gap - (gap.sum() - gap) / (len(gap) - 1)
    rivals = [name for name in off.index if name != hue and abs(off[name]) >= 0.8 * abs(off[hue])]
    if not rivals:
        return "No other hue deviates as far."
    values = words.listed(f"{name} ({off[name]:+.2f})" for name in rivals)
    return f"But {values} deviates about as far or further, though no outlier was planted there."


def naming_in_words(named: Any, searched: Any) -> str:
    """Whether the outlier is found in more networks if it is named, beyond chance.

    Parameters
    ----------
    named, searched : rows with hits and n.

    Examples
    --------
    >>> row = {"hits": 5, "n": 10}
    >>> naming_in_words(row, row)
    'with hue and crest subtracted, too, the two counts may differ by chance (Fisher, p = 1.00)'
    """
    table = [[int(row["hits"]), int(row["n"]) - int(row["hits"])] for row in (named, searched)]
    p = float(stats.fisher_exact(table).pvalue)
    shown = f"(Fisher, p = {p:.2f})" if p >= 0.01 else "(Fisher, p < .01)"
    more = table[0][0] > table[1][0]
    if p < 0.05 and more:
        return f"the difference with hue and crest subtracted is larger than that {shown}"
    return f"with hue and crest subtracted, too, the two counts may differ by chance {shown}"
