"""Effect sizes and performance: Ghate et al. (2025), Figure 4, and what predicts performance.

Comes in: the printed correlations; a study table (`vlmbias.external.effect_sizes.COLUMNS`), released, simulated or of a
fleet; tables of zero-shot results. Goes out: tables with one row per cell, factor or resample. May not: read a file, or
take a row for a model.
"""

import pandas as pd

from audit.printed import parse


def printed(claims: pd.DataFrame) -> pd.DataFrame:
    """The printed correlations of d and performance.

    Parameters
    ----------
    claims : columns id, value and n, as `vb.ledger.load("pretraining")`.

    Returns
    -------
    One row per cell, index category and order: r, low and high (what prints as r), n (rows behind it), starred.
    """
    place = r"^downstream\.(?P<category>[a-z-]+)\.(?P<order>[a-z-]+)\.(?P<quantity>r|p)$"
    found = claims[["value", "n"]].join(claims["id"].str.extract(place)).dropna(subset="quantity")
    wide = found.pivot(index=["category", "order"], columns="quantity", values="value")
    numbers = [parse(value) for value in wide["r"]]
    n = found.groupby(["category", "order"])["n"].first().astype(int)
    ends = [(one.number, one.low, one.high) for one in numbers]
    return pd.DataFrame(ends, wide.index, ["r", "low", "high"]).assign(n=n, starred=wide["p"].str.startswith("<"))
