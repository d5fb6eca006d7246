"""Tests between the groups of Hausladen et al. (2025), Appendix E, and the predicates of its
claims."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.roles import Roles

ALPHA = 0.01  # at which the paper tests


def groups_of(faces: pd.DataFrame) -> pd.Series:
    """Each face's group, such as "white female"."""
    return faces["race"].astype(str) + " " + faces["gender"].astype(str)


def places(faces: pd.DataFrame) -> pd.DataFrame:
    """The row number of each identity's face in each group, `(identities × groups)`; only
    identities that are in all.

    `faces` has one face per seed, race and gender, such as prototypes.
    """
    rows = pd.DataFrame(
        {
            "seed": faces["seed"].to_numpy(),
            "group": groups_of(faces).to_numpy(),
            "row": np.arange(len(faces)),
        }
    )
    return rows.pivot(index="seed", columns="group", values="row").dropna().astype(int)


def by_identity(values: Any, faces: pd.DataFrame) -> pd.DataFrame:
    """Values of faces as `(identities × groups)`."""
    at = places(faces)
    return pd.DataFrame(np.asarray(values)[at.to_numpy()], index=at.index, columns=at.columns)


def unlike_all(p: Any, differences: Any, groups: int, *, alpha: float = ALPHA) -> np.ndarray:
    """Which groups differ from all others in one direction, each time with a p of at most `alpha`.

    Parameters
    ----------
    p, differences : `(..., pairs)`, pairs as `itertools.combinations` orders them; differences are
        first − second.

    Returns
    -------
    `(..., groups)`: 1 where a group is above all others, −1 where it is below, else 0.
    """
    p, differences = np.asarray(p), np.asarray(differences)
    signs = np.zeros((*p.shape[:-1], groups))
    for pair, (first, second) in enumerate(combinations(range(groups), 2)):
        side = np.where(p[..., pair] <= alpha, np.sign(differences[..., pair]), 0)
        signs[..., first] += side
        signs[..., second] -= side
    return np.where(np.abs(signs) == groups - 1, np.sign(signs), 0).astype(int)


def extremes(tests: pd.DataFrame, p: str = "p", *, alpha: float = ALPHA) -> dict[str, list[str]]:
    """The groups that are above, and those that are below, all others in the paired tests of
    `vb.networks.paired`."""
    names = list(dict.fromkeys([*tests["first"], *tests["second"]]))
    side = unlike_all(tests[p], tests["mean"], len(names), alpha=alpha)
    return {
        "above": [name for name, one in zip(names, side, strict=True) if one > 0],
        "below": [name for name, one in zip(names, side, strict=True) if one < 0],
    }


def _right(named: vb.Perception, column: str) -> float:
    """The share of faces whose own label, of one column (race or gender), scores highest."""
    labels = [word for word in named.words["word"].unique() if word in set(named.table[column])]
    scores = np.stack([named.word(word) for word in labels], axis=1)
    own = named.table[column].to_numpy(object)
    return float((np.array(labels, object)[scores.argmax(axis=1)] == own).mean())


OF_PEOPLE = frozenset(
    {"asian-women", "s13-asian-women", "black-men", "s13-black-men", "p", "s13-p", "removed"}
)


def claims(seen: vb.Perception, named: vb.Perception, who: Roles) -> dict[str, bool | float]:
    """What Appendix E says, by the claim's id without "neutral_prompt."; those of `OF_PEOPLE` name
    groups.

    Parameters
    ----------
    seen : prototypes and the dimensions' words.
    named : the same prototypes and the groups' labels.
    """
    wide = by_identity(100 * seen.neutral(), seen.table)
    tests = vb.networks.paired(wide)
    r = np.array([wide[one].corr(wide[other]) for one, other in combinations(wide.columns, 2)])
    high, low = who.group("asian female"), who.group("black male")
    theirs = float(tests.loc[tests[["first", "second"]].isin([high, low]).any(axis=1), "p"].max())
    unlike, gaps, spread = extremes(tests), [], []
    for values in (seen.raw(), seen.delta()):
        by_group = values.groupby(groups_of(seen.table).to_numpy())
        means = by_group.mean()
        gaps.append(float((means.loc[high] - means.loc[low]).abs().mean()))
        spread.append((values - by_group.transform("mean")).std())  # within groups
    right = [_right(named, column) for column in ("race", "gender")]
    return {
        "asian-women": high in unlike["above"],
        "s13-asian-women": high in unlike["above"],
        "black-men": low in unlike["below"],
        "s13-black-men": low in unlike["below"],
        "p": theirs,
        "s13-p": theirs,
        "tests": float(len(tests)),
        "n": float(len(wide)),
        "s12-n": float(len(wide)),
        "groups": float(wide.shape[1]),
        "bias": bool((tests["p_holm"] <= 0.05).any()),
        "across-images": bool(seen.neutral().std() > 1e-4),
        "narrower": bool((spread[1] / spread[0] < 1).all()),
        "classifies": bool(min(right) > 0.9),
        "removed": gaps[1] < gaps[0],
        "small-bias": bool(tests["mean"].abs().max() < np.sqrt(wide.var().mean())),
        "r.smallest": float(r.min()),
        "r.largest": float(r.max()),
        "notable-seed": bool(r.min() > 0 and r.max() < 0.7),
    }
