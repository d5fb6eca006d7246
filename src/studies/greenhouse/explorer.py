"""The same faces in two groups, as each of a few networks sees them: the comparisons behind the explorer's lamp.

Comes in: a network's name. Goes out: per network, pair of groups and dimension, the mean difference and its p-values.
May not: draw, or judge one network by another.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse.world.grid import CRESTS, HUES
from vlmbias.stimuli import ImageSet

NETWORKS = ("greenhouse", "greenhouse/b0", *(f"greenhouse/b0-restart-{start}" for start in range(1, 5)))
PAIRS = (("teal", "amber"), ("teal", "violet"), ("amber", "violet"), ("budded", "eared"))
IDENTITIES = 100
LEVEL = 0.05  # a lamp is on below it


def faces() -> ImageSet:
    """The neutral faces of the identities 0 to 99, each in three hues with both crests."""
    return vb.images("greenhouse/causalface", subset="prototype", seed=list(range(IDENTITIES)))


def members(table: pd.DataFrame, group: str) -> np.ndarray:
    """Which rows show the group, one per identity, `(n,)` booleans.

    Identities take turns in what is not compared: in a group of one hue every second one is eared, in a group of one
    crest every third one is amber. So the same identity differs between two groups in the compared name alone.
    """
    if group in CRESTS:
        compared, other, turns = "gender", "race", HUES[:3]
    else:
        compared, other, turns = "race", "gender", CRESTS
    turn = np.asarray(turns)[table["seed"] % len(turns)]
    return ((table[compared] == group) & (table[other] == turn)).to_numpy()


def compare(delta: pd.DataFrame, table: pd.DataFrame, pairs: Iterable[tuple[str, str]] = PAIRS) -> pd.DataFrame:
    """Two groups of the same identities, pair by pair and dimension by dimension.

    Parameters
    ----------
    delta : `(n × dimension)`, Δcos of one network.
    table : n rows with seed, race and gender, for the rows of `delta`.
    pairs : groups to compare; the first less the second.

    Returns
    -------
    DataFrame
        first, second, dimension; n, identities per group; difference, in Δcos; p, two-sided, of the t-test over
        identities (each is in both groups), and p_separate, of Welch's t-test, which takes the groups for
        different individuals.

    Raises
    ------
    ValueError : the two groups do not show the same identities.
    """
    rows = []
    for pair in pairs:
        shown = [np.flatnonzero(members(table, group)) for group in pair]
        first, second = (at[np.argsort(table["seed"].to_numpy()[at], kind="stable")] for at in shown)
        if table["seed"].to_numpy()[first].tolist() != table["seed"].to_numpy()[second].tolist():
            raise ValueError(f"{pair[0]} and {pair[1]} must show the same identities; give a table with all groups")
        x, y = delta.to_numpy()[first], delta.to_numpy()[second]
        tests = {"p": stats.ttest_rel(x, y).pvalue, "p_separate": stats.ttest_ind(x, y, equal_var=False).pvalue}
        rows.append(pd.DataFrame({"first": pair[0], "second": pair[1], "dimension": list(delta), "n": len(x),
                                  "difference": (x - y).mean(axis=0), **tests}))
    return pd.concat(rows, ignore_index=True)


def comparisons(networks: Iterable[str] = NETWORKS) -> pd.DataFrame:
    """`compare` for each network, which is named in the column network."""
    shown, found = faces(), []
    for network in networks:
        seen = vb.perceive(shown, network)
        found.append(compare(seen.delta(), seen.table).assign(network=network))
    return pd.concat(found, ignore_index=True)


def on(table: pd.DataFrame, test: str = "p") -> pd.Series:
    """The lamp of each comparison: 1, the first group is significantly higher; -1, the second; 0, the lamp is off."""
    return np.sign(table["difference"]).where(table[test] < LEVEL, 0).astype(int)


def summary(table: pd.DataFrame) -> dict[str, int]:
    """How lamps stand over networks that were trained alike.

    Parameters
    ----------
    table : `comparisons` of these networks.

    Returns
    -------
    dict
        lamps: all of them; on and on_separate: those that are on, by either test; questions: pairs × dimensions; flips:
        the questions in which not all lamps stand alike; opposed: those in which one is on for the first group and
        one for the second.
    """
    lamps = table.assign(lamp=on(table)).pivot(index=["first", "second", "dimension"], columns="network", values="lamp")
    low, high = lamps.min(axis=1), lamps.max(axis=1)
    return {"lamps": lamps.size, "on": int(on(table).abs().sum()), "on_separate": int(on(table, "p_separate").abs().sum()),
            "questions": len(lamps), "flips": int((low != high).sum()), "opposed": int((low * high < 0).sum())}
