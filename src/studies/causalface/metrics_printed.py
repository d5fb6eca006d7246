"""What the printed numbers of Table S.1 say of one another: Hausladen et al. (2025).

Comes in: printed values by claim. Goes out: the table as it is printed, and numbers that must agree
within rounding. May not: look at anything that was recomputed, or put a finding into words.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from vlmbias.papers import CAUSALFACE

SETS = {
    "causalface": "CausalFace",
    "fairface": "FairFace",
    "utkface": "UTKFace",
}  # as in claims, as in the paper
PAIRS = (("white", "black"), ("asian", "black"), ("asian", "white"), ("male", "female"))
BLOCKS = ("markedness", "cosine", "sc_weat", "skew", "maxskew", "ndkl")
HALF = 0.005  # half a unit of the last printed digit
ALL_AGES = 6_000  # images of CausalFace in the table, as many in each of six groups


def table(printed: Mapping[str, str]) -> pd.DataFrame:
    """Table S.1 as it is printed.

    Parameters
    ----------
    printed : claim → value; ids such as "metrics.skew.utkface.male".

    Returns
    -------
    One row per metric and subject (a group, a pair, an attribute), one column per set; strings.
    """
    groups = [level for levels in CAUSALFACE.groups.values() for level in levels]
    subjects = {
        "sc_weat": ["_".join(pair) for pair in PAIRS],
        **dict.fromkeys(("maxskew", "ndkl"), CAUSALFACE.groups),
    }
    rows = [(metric, subject) for metric in BLOCKS for subject in subjects.get(metric, groups)]
    cells = {
        name: [printed[f"metrics.{metric}.{key}.{subject}"] for metric, subject in rows]
        for key, name in SETS.items()
    }
    return pd.DataFrame(cells, index=pd.MultiIndex.from_tuples(rows, names=["metric", "subject"]))


def numbers(printed: pd.DataFrame) -> pd.DataFrame:
    """The table as numbers; a minus sign is one, however it is printed."""
    return printed.apply(lambda column: column.str.replace("−", "-").astype(float))


def laws(values: pd.DataFrame) -> pd.DataFrame:
    r"""What must hold between the numbers, whatever the model saw, up to rounding.

    "balanced": in a set of equal groups the mean over races is the mean over genders.
    "shares race", "shares gender": shares among the first k add up to one, so the mean over groups
    of
    :math:`e^{\mathrm{Skew}}` is 1 for one query with uniform desired shares, and at most 1 for
    means over queries. "additive": differences of means add up, white − black plus asian − white is
    asian − black; standardised ones need not.
    "counts": a percentage of n images is a whole number of images; only where n is known.

    Parameters
    ----------
    values : as from `numbers`.

    Returns
    -------
    One row per law and set: found (what should be 0, or at most 1 for the shares), slack (how far
    rounding may move it), holds.
    """
    rows = []
    for name, own in values.items():
        means = {
            axis: own["cosine"][list(levels)].mean() for axis, levels in CAUSALFACE.groups.items()
        }
        rows.append(("balanced", name, means["race"] - means["gender"], 2 * HALF, 0.0))
        rows += [
            (f"shares {axis}", name, np.exp(own["skew"][list(levels)] - HALF).mean(), 0.0, 1.0)
            for axis, levels in CAUSALFACE.groups.items()
        ]
        d = own["sc_weat"]
        rows.append(
            (
                "additive",
                name,
                d["white_black"] + d["asian_white"] - d["asian_black"],
                3 * HALF,
                0.0,
            )
        )
    rows.append(
        (
            "counts",
            SETS["causalface"],
            _from_whole(values[SETS["causalface"]]["markedness"]),
            HALF,
            0.0,
        )
    )
    found = pd.DataFrame(rows, columns=["law", "set", "found", "slack", "bound"])
    beyond = np.where(found["bound"] == 1, found["found"] - 1, found["found"].abs())
    return found.assign(holds=beyond <= found["slack"] + 1e-9).drop(columns="bound")


def counts(markedness: pd.Series) -> pd.Series:
    """The whole numbers of images nearest to percentages of equal groups, per group."""
    sizes = {
        level: ALL_AGES / len(levels) for levels in CAUSALFACE.groups.values() for level in levels
    }
    return (markedness / 100 * pd.Series(sizes)).round().astype(int)[list(markedness.index)]


def _from_whole(markedness: pd.Series) -> float:
    sizes = pd.Series(
        {level: ALL_AGES / len(levels) for levels in CAUSALFACE.groups.values() for level in levels}
    )
    return float((100 * counts(markedness) / sizes - markedness).abs().max())


def decline(markedness: pd.DataFrame) -> pd.DataFrame:
    """How far markedness falls from white to the others: with both genders, and to the two other
    races alone.

    Parameters
    ----------
    markedness : group × set, percent.

    Returns
    -------
    One row per set; columns (others, how) with others "all" or "races" and how "points" (white
    minus the mean of the others) or "times" (white over it).
    """
    races = [level for level in CAUSALFACE.groups["race"] if level != "white"]
    rest = {"all": [*races, *CAUSALFACE.groups["gender"]], "races": races}
    white, found = markedness.loc["white"], {}
    for others, levels in rest.items():
        mean = markedness.loc[levels].mean()
        found[others, "points"], found[others, "times"] = white - mean, white / mean
    return pd.DataFrame(found)
