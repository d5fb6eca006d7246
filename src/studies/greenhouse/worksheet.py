"""The data of the worksheets for teaching, and what is computed from them; networks are the first
of the list, none is chosen for its result."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from greenhouse.retrained import Scores
from greenhouse.world import groups

INVENTED = {  # in hundredths of a cosine: with pleasant words, with unpleasant words
    "flower": {"rose": (25, 20), "tulip": (23, 20), "daisy": (24, 20), "lily": (22, 18)},
    "insect": {"ant": (20, 19), "wasp": (22, 19), "beetle": (21, 19), "moth": (23, 21)},
}
NETWORKS, HUES, CREST = 8, groups.HUES[:2], groups.CRESTS[1]
PICTURES = {  # subset of the grid, and which of its levels
    "neutral": ("prototype", None),
    "frown": ("smiling", "min"),
    "smile": ("smiling", "max"),
    "young": ("age", "min"),
    "old": ("age", "max"),
}
DIMENSIONS = ("warmth", "competence")
CODEBOOK = {
    "network": (
        f"1 to {NETWORKS}: networks trained in the same way, on captions that say the same of all"
        " hues. They differ in their random starts, in the pictures that they learned from, and in"
        " the colours that the names of hues stand for"
    ),
    "identity": "1 to 10: the person whom the picture shows",
    "hue": (
        f"{HUES[0]} or {HUES[1]}: the name of the face's colour, an invented group. Which colour"
        " has the name is the same within a network, and can be another in the next network"
    ),
    "picture": (
        "neutral; frown or smile: the least and the most smiling; young or old: the lowest and the"
        " highest age"
    ),
    **{
        name: (
            f"Δcos × 100: cosine with the words of {name}, minus the cosine with neutral words,"
            " times 100"
        )
        for name in DIMENSIONS
    },
}
MISPRINT = ("ieat.simclr.age.p", (3, 4))  # the digits after the point that change places
CHANGES = {"smile": ("frown", "smile"), "age": ("young", "old")}


def by_hand() -> dict[str, float]:
    """The association test of the eight invented scores.

    Returns
    -------
    dict
        mean_x, mean_y; sd_all and d, over all eight with the divisor N − 1; sd_within and d_within,
        over the pooled spread inside the groups; splits, hits and p: of all ways to split them in
        half, those that differ as much.
    """
    x, y = (np.array([a - b for a, b in words.values()], float) for words in INVENTED.values())
    every, observed = np.concatenate([x, y]), x.sum()
    sd_all, sd_within = every.std(ddof=1), np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    sums = [every[list(chosen)].sum() for chosen in combinations(range(len(every)), len(x))]
    hits = sum(one >= observed - 1e-9 for one in sums)
    gap = x.mean() - y.mean()
    found = {
        "mean_x": x.mean(),
        "mean_y": y.mean(),
        "sd_all": sd_all,
        "d": gap / sd_all,
        "sd_within": sd_within,
        "d_within": gap / sd_within,
        "splits": len(sums),
        "hits": hits,
        "p": hits / len(sums),
    }
    return {name: float(value) for name, value in found.items()}


def misprinted(value: float) -> float:
    """A printed p after two of its digits, those of `MISPRINT`, have changed places.

    Examples
    --------
    >>> misprinted(0.123456)
    0.123546
    """
    digits = list(f"{value:.6f}".removeprefix("0."))
    one, two = MISPRINT[1]
    digits[one], digits[two] = digits[two], digits[one]
    return float("0." + "".join(digits))


def perceptions(portraits: Scores) -> pd.DataFrame:
    """What the first networks with nothing planted make of ten individuals in two hues: the columns
    of `CODEBOOK`.

    Parameters
    ----------
    portraits : as `greenhouse.retrained.scores("grid")` returns it.
    """
    networks = portraits.networks
    chosen = np.flatnonzero((networks["condition"] == "none") & (networks["b"] == 0))[:NETWORKS]
    images = portraits.images
    grid = images[
        (images["set"] == "grid") & (images["gender"] == CREST) & images["race"].isin(HUES)
    ]
    people = np.sort(grid.loc[grid["subset"] == "smiling", "seed"].unique())
    parts = []
    for picture, (subset, end) in PICTURES.items():
        own = grid[(grid["subset"] == subset) & grid["seed"].isin(people)]
        own = own if end is None else own[own[subset] == own[subset].agg(end)]
        parts.append(own.assign(picture=picture))
    shown = pd.concat(parts)
    neutral = portraits.columns.index("neutral")
    seen = portraits.scores[chosen][:, shown.index].astype(float)
    plain = pd.DataFrame(
        {
            "identity": np.searchsorted(people, shown["seed"]) + 1,
            "hue": shown["race"].to_numpy(),
            "picture": shown["picture"].to_numpy(),
        }
    )
    tables = []
    for network, own in enumerate(seen, start=1):
        delta = {
            name: 100 * (own[:, portraits.columns.index(name)] - own[:, neutral])
            for name in DIMENSIONS
        }
        tables.append(
            plain.assign(network=network, **{name: value.round(2) for name, value in delta.items()})
        )
    order = ["network", "identity", "hue", "picture"]
    table = pd.concat(tables).assign(
        picture=lambda all_: pd.Categorical(all_["picture"], list(PICTURES))
    )
    return table.sort_values(order, ignore_index=True)[list(CODEBOOK)].astype({"picture": str})


def differences(table: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """One attribute changes, everything else stays: network, identity, change (smile, age, hue) and
    the difference."""
    wide = table.pivot(index=["network", "identity", "hue"], columns="picture", values=dimension)
    parts = [
        (wide[after] - wide[before]).rename("difference").reset_index().assign(change=name)
        for name, (before, after) in CHANGES.items()
    ]
    hues = wide["neutral"].unstack("hue")
    parts.append(
        (hues[HUES[1]] - hues[HUES[0]]).rename("difference").reset_index().assign(change="hue")
    )
    return pd.concat(parts, ignore_index=True)[["network", "identity", "change", "difference"]]


def _in_one(table: pd.DataFrame, dimension: str) -> Any:
    """The differences of each change in the first network."""
    one = differences(table, dimension).query("network == 1")
    return one.groupby("change", sort=False)["difference"]


def in_one_network(table: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """Per change: pairs, the median without sign (AbsDiff) and the mean with sign, in one
    network; and in how many pairs the score goes up or down, as the sheet prints them."""
    own = _in_one(table, dimension)
    return pd.DataFrame(
        {
            "pairs": own.size(),
            "absdiff": own.apply(lambda d: d.abs().median()),
            "signed": own.mean(),
            "up": own.apply(lambda d: (d.round(2) > 0).sum()),
            "down": own.apply(lambda d: (d.round(2) < 0).sum()),
        }
    )


def sheet(table: pd.DataFrame, dimension: str) -> dict[str, list[float]]:
    """Per change, its differences in one network, the smallest first whatever their sign: what is
    read in print."""
    return {
        str(change): sorted(one.round(2), key=lambda value: (abs(value), value))
        for change, one in _in_one(table, dimension)
    }


def over_identities(table: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """Per network: the mean difference between the hues, and p of the paired t-test over its
    identities."""
    hues = differences(table, dimension).query("change == 'hue'")
    groups = hues.groupby("network")["difference"]
    return pd.DataFrame(
        {
            "difference": groups.mean(),
            "p": groups.agg(lambda own: stats.ttest_1samp(own, 0).pvalue),
            "identities": groups.size(),
        }
    ).reset_index()


def interval_over_networks(table: pd.DataFrame, dimension: str) -> tuple[float, float]:
    """The 95 % interval of the mean over networks."""
    means = over_identities(table, dimension)["difference"]
    low, high = stats.t.interval(0.95, len(means) - 1, means.mean(), stats.sem(means))
    return float(low), float(high)


def all_in_one(table: pd.DataFrame, dimension: str) -> float:
    """The p of the mistake that the notes name: every person of every network in one test, as if
    there were so many persons."""
    hues = differences(table, dimension).query("change == 'hue'")
    return float(stats.ttest_1samp(hues["difference"], 0).pvalue)


def over_networks(table: pd.DataFrame, dimension: str) -> tuple[float, float]:
    """Mean of the networks' differences between the hues, and p of the t-test over networks."""
    means = over_identities(table, dimension)["difference"]
    return float(means.mean()), float(stats.ttest_1samp(means, 0).pvalue)
