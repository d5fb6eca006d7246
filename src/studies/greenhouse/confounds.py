"""Effects and gaps from found photographs, in which attributes go together, four ways, and what was
planted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grid, truth
from greenhouse.world.bias import BiasTable
from greenhouse.world.grammar import Grammar
from studies.shown import Shown, shown

DIMENSIONS = COLUMNS[:8]
EFFECTS = ("age", "smiling")
METHODS = ("controlled", "naive", "adjusted", "matched")
RECORDED = ("age", "smiling", "lighting", "turned")  # beside hue and crest
UNRECORDED = "warm_garment"
HUES = grid.HUES[:3]


def everything(
    portraits: Scores, bias: BiasTable, *, strengths: Sequence[float] = (1.0, 0.0)
) -> Shown:
    """What the networks that were shown every set make of it; faces have a column for each look,
    recorded or not."""
    networks = portraits.networks
    chosen = networks["shows"] & networks["condition"].eq("none") & networks["b"].isin(strengths)
    found = shown(
        portraits, DIMENSIONS, networks=chosen, images=np.ones(len(portraits.images), bool)
    )
    return replace(found, images=bias.with_looks(found.images))


def sample(images: pd.DataFrame, kind: str, *, youngest: float) -> np.ndarray:
    """Which pictures of an uncontrolled sample the paper would use: three hues, nobody younger than
    `youngest`."""
    return (
        (images["set"] == kind) & images["race"].isin(HUES) & (images["years"] >= youngest)
    ).to_numpy()


# --- one effect, four ways ------------------------------------------------------------------------


def slope(values: np.ndarray, columns: Sequence[np.ndarray]) -> np.ndarray:
    """Least squares with a constant: the coefficient of the first column, `(networks, dimensions)`;
    values are `(networks, faces, dimensions)`, columns `(faces,)` each."""
    design = np.column_stack([*columns, np.ones(len(columns[0]))])
    return np.einsum("n,mnd->md", np.linalg.pinv(design)[0], values)


def covariates(rows: pd.DataFrame, bias: BiasTable, *, but: str = "") -> list[np.ndarray]:
    """What a careful analyst adjusts for: every recorded attribute but one, age and smiling also
    squared."""
    bent = [bias.feature(name, rows) ** 2 for name in EFFECTS if name != but]
    return [*(bias.feature(name, rows) for name in RECORDED if name != but), *bent]


def groups(rows: pd.DataFrame) -> list[np.ndarray]:
    """A column for each group of hue and crest but one."""
    return list(
        pd.get_dummies(rows["race"] + " " + rows["gender"], drop_first=True).to_numpy(float).T
    )


def nearest(
    high: np.ndarray, low: np.ndarray, strata: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Every face of two sides with its nearest of the other side and of its own stratum (with
    replacement): positions in the high side, and of their partners in the low one.

    `near`, `(faces, k)`, is what distance is measured in, each column by its standard deviation.
    """
    near, found = near / near.std(axis=0), []
    for stratum in np.unique(strata):
        a, b = (np.flatnonzero(side & (strata == stratum)) for side in (high, low))
        if len(a) and len(b):
            found += [
                (a, b[cKDTree(near[b]).query(near[a])[1]]),
                (a[cKDTree(near[a]).query(near[b])[1]], b),
            ]
    if not found:
        raise ValueError(
            "nearest: no stratum has faces of both sides; take a larger sample or coarser strata"
        )
    up, down = (np.concatenate(side) for side in zip(*found, strict=True))
    return up, down


def effect_estimates(
    values: np.ndarray, rows: pd.DataFrame, bias: BiasTable, name: str
) -> dict[str, np.ndarray]:
    """Every estimate of the effect of an attribute from an uncontrolled sample, logits per half its
    range.

    Parameters
    ----------
    values : `(networks, faces, dimensions)`.
    rows : one per face.

    Returns
    -------
    `(networks, dimensions)` each: "naive" (simple regression); "adjusted" (multiple regression on
    group and `covariates`); "matched" (the highest third against the lowest, nearest faces of one
    group, per unit of what still separates them); "all known" (adjusted for the unrecorded look,
    too, as nobody could).
    """
    x = bias.feature(name, rows)
    known = [*groups(rows), *covariates(rows, bias, but=name)]
    near = np.column_stack([bias.feature(one, rows) for one in RECORDED if one != name])
    third, two_thirds = np.quantile(x, [1 / 3, 2 / 3])
    up, down = nearest(
        x > two_thirds, x < third, (rows["race"] + " " + rows["gender"]).to_numpy(), near
    )
    matched = (values[:, up] - values[:, down]).mean(axis=1) / (x[up] - x[down]).mean()
    return {
        "naive": slope(values, [x]),
        "adjusted": slope(values, [x, *known]),
        "matched": matched,
        "all known": slope(values, [x, *known, bias.feature(UNRECORDED, rows)]),
    }


def log_odds(grammar: Grammar, rows: pd.DataFrame, b: float) -> np.ndarray:
    """What a network that had learnt every face's odds would show (`per_face`),
    `(faces, dimensions)`, in logits."""
    return truth.per_face(grammar, rows, b, axes=DIMENSIONS).to_numpy()


def planted_effect(grammar: Grammar, rows: pd.DataFrame, name: str, b: float) -> np.ndarray:
    """The change of log odds per half range if every face had a little more of one attribute and
    nothing else: the mean over the faces, `(dimensions,)`."""
    step = 0.05  # half the change, in half ranges
    change = step * grammar.bias.features[name]["half_range"]
    more, less = (
        log_odds(grammar, rows.assign(**{name: rows[name] + sign * change}), b) for sign in (1, -1)
    )
    return ((more - less) / (2 * step)).mean(axis=0)


def series(
    images: pd.DataFrame, name: str, *, leak: float = 0.0, others: bool = False
) -> np.ndarray:
    """Which pictures make up the controlled series of an attribute, prototypes among them.

    Parameters
    ----------
    leak : how much the manipulation leaks; 0 for the clean grid.
    others : take the identities that have no leaking series, which show a network's own effects.
    """
    within = (
        images["set"].eq("leak") & np.isclose(images["leak"], leak)
        if leak
        else images["set"].eq("grid")
    )
    leaking = images.loc[images["set"] == "leak", "seed"].unique()
    with_series = images.loc[
        (images["set"] == "grid") & (images["subset"] == name), "seed"
    ].unique()
    who = np.setdiff1d(with_series, leaking) if others else leaking
    return (
        within & images["seed"].isin(who) & images["subset"].isin([name, "prototype"])
    ).to_numpy()


# --- gaps between groups --------------------------------------------------------------------------


def gap_estimates(
    values: np.ndarray, rows: pd.DataFrame, bias: BiasTable, column: str, first: str, second: str
) -> dict[str, np.ndarray]:
    """Every estimate of the gap between two groups, first − second, from an uncontrolled sample;
    see `effect_estimates`. Strata and adjustment are for the other of hue and crest."""
    here = rows[column].isin([first, second]).to_numpy()
    rows, values = rows[here], values[:, here]
    one, other = (rows[column] == first).to_numpy(), rows["gender" if column == "race" else "race"]
    known = [*pd.get_dummies(other, drop_first=True).to_numpy(float).T, *covariates(rows, bias)]
    up, down = nearest(
        one,
        ~one,
        other.to_numpy(),
        np.column_stack([bias.feature(name, rows) for name in RECORDED]),
    )
    return {
        "naive": values[:, one].mean(axis=1) - values[:, ~one].mean(axis=1),
        "adjusted": slope(values, [one.astype(float), *known]),
        "matched": (values[:, up] - values[:, down]).mean(axis=1),
        "all known": slope(values, [one.astype(float), *known, bias.feature(UNRECORDED, rows)]),
    }


def planted_gap(
    grammar: Grammar, rows: pd.DataFrame, column: str, first: str, second: str, b: float
) -> np.ndarray:
    """What a count of captions shows if everybody were of one group, less if everybody were of the
    other."""
    both = pd.concat([rows.assign(**{column: group}) for group in (first, second)])
    counts: Any = truth.counted(grammar, both, column, b, axes=DIMENSIONS)
    # where captions do not differ, sums of many terms may leave 1e-16
    return (counts.loc[first] - counts.loc[second]).round(12).to_numpy() + 0.0


def pairs() -> dict[str, tuple[str, str, str]]:
    """The gaps that are asked for: name → column, first, second."""
    hues = {f"{one} − {other}": ("race", one, other) for one, other in combinations(HUES, 2)}
    return hues | {" − ".join(grid.CRESTS): ("gender", *grid.CRESTS)}
