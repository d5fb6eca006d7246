"""The same faces in two groups, as each of a few networks sees them: the comparisons behind the
explorer's lamp."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse.world.groups import CRESTS, THREE
from vlmbias.stimuli.imageset import ImageSet

NETWORKS = (
    "greenhouse",
    "greenhouse/b0",
    *(f"greenhouse/b0-restart-{start}" for start in range(1, 5)),
)
PAIRS = (*combinations(THREE, 2), CRESTS)
IDENTITIES = 100
ALPHA = 0.05  # a lamp is on below it
QUESTION = ["first", "second", "dimension"]


def faces(hundred: int = 0) -> ImageSet:
    """The neutral faces of one hundred of identities, 0 to 99 or a later one, in every group that
    is compared."""
    shown = vb.images("greenhouse/causalface", subset="prototype", seed=list(range(IDENTITIES)))
    shown = replace(
        shown, table=shown.table.assign(seed=shown.table["seed"] + hundred * IDENTITIES)
    )
    return shown.where(
        np.any([members(shown.table, group) for pair in PAIRS for group in pair], axis=0)
    )


def members(table: pd.DataFrame, group: str) -> np.ndarray:
    """Which rows show the group, one per identity, `(n,)` booleans.

    Identities take turns in what is not compared: in a group of one hue every second one is eared,
    in a group of one crest every third one is amber. So the same identity differs between two
    groups in the compared name alone."""
    if group in CRESTS:
        compared, other, turns = "gender", "race", THREE
    else:
        compared, other, turns = "race", "gender", CRESTS
    turn = np.asarray(turns)[table["seed"] % len(turns)]
    return ((table[compared] == group) & (table[other] == turn)).to_numpy()


def compare(delta: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Two groups of the same identities, for each of `PAIRS` and each dimension.

    Parameters
    ----------
    delta : `(n × dimension)`, Δcos of one network.
    table : n rows with seed, race and gender, for the rows of `delta`.

    Returns
    -------
    DataFrame
        first, second, dimension; n, identities per group; difference, the first less the
        second, in Δcos; p, two-sided, of the
        t-test over identities (each is in both groups), and p_separate, of Welch's t-test, which
        takes the groups for different individuals.

    Raises
    ------
    ValueError : the two groups do not show the same identities.
    """
    rows = []
    for pair in PAIRS:
        shown = [np.flatnonzero(members(table, group)) for group in pair]
        first, second = (
            at[np.argsort(table["seed"].to_numpy()[at], kind="stable")] for at in shown
        )
        if table["seed"].to_numpy()[first].tolist() != table["seed"].to_numpy()[second].tolist():
            raise ValueError(
                f"{pair[0]} and {pair[1]} must show the same identities; give a table with all"
                " groups"
            )
        x, y = delta.to_numpy()[first], delta.to_numpy()[second]
        tests = {
            "p": stats.ttest_rel(x, y).pvalue,
            "p_separate": stats.ttest_ind(x, y, equal_var=False).pvalue,
        }
        rows.append(
            pd.DataFrame(
                {
                    "first": pair[0],
                    "second": pair[1],
                    "dimension": list(delta),
                    "n": len(x),
                    "difference": (x - y).mean(axis=0),
                    **tests,
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def comparisons(networks: Iterable[str] = NETWORKS) -> pd.DataFrame:
    """`compare` for each network and the first and second hundred of identities, which are named in
    the columns network and hundred."""
    shown, found = {hundred: faces(hundred) for hundred in (0, 1)}, []
    for network in networks:
        for hundred, images in shown.items():
            seen = vb.perceive(images, network)
            found.append(compare(seen.delta(), seen.table).assign(network=network, hundred=hundred))
    return pd.concat(found, ignore_index=True)


def on(table: pd.DataFrame, test: str = "p") -> pd.Series:
    """The lamp of each comparison: 1, the first group is significantly higher; -1, the second; 0,
    the lamp is off."""
    return np.sign(table["difference"]).where(table[test] < ALPHA, 0).astype(int)


def over_networks(table: pd.DataFrame) -> dict[str, int]:
    """How the lamps of networks that were trained alike stand, on the same faces.

    Parameters
    ----------
    table : `comparisons` of these networks with one hundred of identities.

    Returns
    -------
    dict
        lamps: all of them; on, on_separate: those that are on, by either test; questions: pairs ×
        dimensions; unlike: the questions in which not all lamps stand alike; opposed: those in
        which one is on for the first group and one for the second.
    """
    lamps = table.assign(lamp=on(table)).pivot(index=QUESTION, columns="network", values="lamp")
    low, high = lamps.min(axis=1), lamps.max(axis=1)
    lit, separate = (int(on(table, test).abs().sum()) for test in ("p", "p_separate"))
    return {
        "lamps": lamps.size,
        "on": lit,
        "on_separate": separate,
        "questions": len(lamps),
        "unlike": int((low != high).sum()),
        "opposed": int((low * high < 0).sum()),
    }


def over_faces(table: pd.DataFrame) -> dict[str, int]:
    """What becomes of lamps that are on when the same networks see other faces.

    Parameters
    ----------
    table : `comparisons` with two hundreds of identities, 0 and 1.

    Returns
    -------
    dict
        on: lamps that are on with the first hundred; stay: those of them that are on for the same
        group with the second; opposed: those that are then on for the other group.
    """
    lamps = table.assign(lamp=on(table)).pivot(
        index=[*QUESTION, "network"], columns="hundred", values="lamp"
    )
    product = lamps[0] * lamps[1]
    return {
        "on": int(lamps[0].abs().sum()),
        "stay": int((product > 0).sum()),
        "opposed": int((product < 0).sum()),
    }
