"""A collection of photographs in which smiling goes along with a group as strongly as a dial says.

**The dial.** It is the correlation of smiling with the group in the collection. Every photograph of
the sample is drawn for the collection with a chance that is proportional to

.. math:: w_i = e^{k g_i z_i}

where z is its smile, standardised over the sample, and g is 1 in the first group and -1 in the
second; the groups keep their sizes, and k is such that the correlation is what the dial says.
Estimates are those of a collection that is so large that chance no longer matters: each photograph
counts with its weight. Nothing else is changed. What goes along with smiling, goes along with the
group then, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.spatial import cKDTree

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies.greenhouse import confounds
from studies.overviews.illustration import Illustration
from studies.shown import Shown
from vlmbias.figures import COLOURS, panels, style

SAMPLE, YOUNGEST = "fairface", 20
STOPS = tuple(round(0.1 * k, 1) for k in range(-6, 7))  # correlations of smiling with the group
METHODS = ("naive", "adjusted", "matched", "controlled", "all known")
DIMENSIONS = confounds.DIMENSIONS
STRENGTHS = (0.0, 1.0)
STEEPEST = 6.0  # of k
INK = {method: COLOURS[method] for method in METHODS[:4]}


@dataclass(frozen=True, eq=False)
class Pool:
    """The photographs of two groups, from which collections are drawn.

    Attributes
    ----------
    column, first, second : of the pair.
    rows : one per photograph.
    group : 1 in the first group, 0 in the second, `(n,)`.
    smile : standardised, `(n,)`.
    known, garment : what an analyst adjusts for, `(n, k)`, and what no column records, `(n,)`.
    partner : of each photograph, the nearest one of the other group, `(n,)`.
    """

    column: str
    first: str
    second: str
    rows: pd.DataFrame
    group: np.ndarray
    smile: np.ndarray
    known: np.ndarray
    garment: np.ndarray
    partner: np.ndarray

    def steepness(self, r: float) -> float:
        """The k with which smiling and group correlate by r."""

        def off(k: float) -> float:
            return self.correlation(self.weights(k)) - r

        if off(-STEEPEST) > 0 or off(STEEPEST) < 0:
            raise ValueError(
                f"in no collection of these photographs do smiling and group correlate by {r}"
            )
        return float(brentq(off, -STEEPEST, STEEPEST, xtol=1e-12))

    def weights(self, k: float) -> np.ndarray:
        """How often each photograph is in the collection; the sum is 1, and of a group its share of
        the sample."""
        weights = np.exp(k * (2 * self.group - 1) * self.smile)
        for side in (0, 1):
            own = self.group == side
            weights[own] *= own.mean() / weights[own].sum()
        return weights

    def correlation(self, weights: np.ndarray) -> float:
        """Of smiling with the group, in a collection with these weights."""
        x, g = (own - weights @ own for own in (self.smile, self.group))
        return float(weights @ (x * g) / np.sqrt((weights @ x**2) * (weights @ g**2)))


@cache
def spoken() -> grammar.Grammar:
    return grammar.load()


@cache
def seen() -> Shown:
    """What all networks make of all sets."""
    return confounds.everything(retrained.scores("grid"), spoken().bias)


@cache
def pool(pair: str) -> tuple[Pool, np.ndarray]:
    """The photographs of a pair of `confounds.pairs`, and which of the images of `seen` they
    are."""
    (column, first, second), bias = confounds.pairs()[pair], spoken().bias
    images = seen().images
    chosen = confounds.sample(images, SAMPLE, youngest=YOUNGEST)
    chosen = chosen & images[column].isin([first, second]).to_numpy()
    rows = images[chosen]
    group = (rows[column] == first).to_numpy(float)
    other = rows["gender" if column == "race" else "race"]
    smile = bias.feature("smiling", rows)
    known = [
        *pd.get_dummies(other, drop_first=True).to_numpy(float).T,
        *confounds.covariates(rows, bias),
    ]
    near = np.column_stack([bias.feature(name, rows) for name in confounds.RECORDED])
    return Pool(
        column,
        first,
        second,
        rows,
        group,
        (smile - smile.mean()) / smile.std(),
        np.column_stack(known),
        bias.feature(confounds.UNRECORDED, rows),
        partners(group, other.to_numpy(), near),
    ), np.flatnonzero(chosen)


def partners(group: np.ndarray, strata: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Of each photograph, the nearest of the other group and of its own stratum; see
    `confounds.nearest`."""
    near, found = near / near.std(axis=0), np.full(len(group), -1)
    for stratum in np.unique(strata):
        for side in (0, 1):
            own, others = (
                np.flatnonzero((strata == stratum) & (group == one)) for one in (side, 1 - side)
            )
            found[own] = others[cKDTree(near[others]).query(near[own])[1]]
    return found


# --- estimates ------------------------------------------------------------------------------------


def estimates(own: Pool, values: np.ndarray, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The gap between the groups in a collection, first less second, as in
    `confounds.gap_estimates`.

    Parameters
    ----------
    values : `(networks, n, dimensions)`.
    weights : `(n,)`.

    Returns
    -------
    `(networks, dimensions)` each: naive, adjusted, matched, all known.
    """
    sides = [weights * side / (weights @ side) for side in (own.group, 1 - own.group)]
    across = (2 * own.group - 1)[:, None] * (values - values[:, own.partner])
    columns = np.column_stack([own.group, own.known, np.ones(len(weights))])
    return {
        "naive": np.einsum("n,mnd->md", sides[0] - sides[1], values),
        "adjusted": _slope(values, columns, weights),
        "matched": np.einsum("n,mnd->md", weights / weights.sum(), across),
        "all known": _slope(values, np.column_stack([columns, own.garment]), weights),
    }


def like_for_like(own: Pool, values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The matched estimate, corrected for what is left between partners of all that an analyst
    knows: the intercept of their gaps on these differences, `(networks, dimensions)`."""
    sign = 2 * own.group - 1
    across = sign[:, None] * (values - values[:, own.partner])
    left = sign[:, None] * (own.known - own.known[own.partner])
    return _slope(across, np.column_stack([np.ones(len(weights)), left]), weights)


def _slope(values: np.ndarray, columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted least squares: the coefficient of the first column, `(networks, dimensions)`."""
    root = np.sqrt(weights)
    return np.einsum("n,mnd->md", np.linalg.pinv(columns * root[:, None])[0] * root, values)


@cache
def planted(pair: str, b: float) -> dict[str, np.ndarray]:
    """What captions say of the gap, `(dimensions,)` each: "photographs", of the sample's faces;
    "experiment", of the controlled ones. Neither knows anything of the dial."""
    images = seen().images
    faces = {
        "photographs": pool(pair)[0].rows,
        "experiment": images[images["set"].eq("grid") & images["subset"].eq("prototype")],
    }
    asked = confounds.pairs()[pair]
    return {name: confounds.planted_gap(spoken(), own, *asked, b) for name, own in faces.items()}


@cache
def at(pair: str, b: float, r: float) -> Mapping[str, np.ndarray]:
    """Every estimate of `METHODS` with the dial at r, `(networks, dimensions)`."""
    own, places = pool(pair)
    part = seen().where(seen().networks["b"] == b)
    images = part.images
    prototypes = (images["set"].eq("grid") & images["subset"].eq("prototype")).to_numpy()
    group = images[own.column].to_numpy()[prototypes]
    faces = part.logits[:, prototypes]
    controlled = faces[:, group == own.first].mean(axis=1) - faces[:, group == own.second].mean(
        axis=1
    )
    found = estimates(own, part.logits[:, places], own.weights(own.steepness(r)))
    return {**found, "controlled": controlled}


@cache
def grid(pair: str, b: float, *, confidence_level: float = 0.95) -> pd.DataFrame:
    """Every estimate at every stop.

    Returns
    -------
    One row per dimension, r and method: dimension, r, method, mean, low, high (over networks),
    planted (for the faces that the estimate is about).
    """
    cells = {
        (dimension, r, method): at(pair, b, r)[method][:, k]
        for k, dimension in enumerate(DIMENSIONS)
        for r in STOPS
        for method in METHODS
    }
    table = vb.networks.summary(cells, confidence_level=confidence_level).rename_axis(
        ["dimension", "r", "method"]
    )
    table = table[["mean", "low", "high"]].reset_index()
    truth = planted(pair, b)
    return table.assign(
        planted=[
            truth["experiment" if row.method == "controlled" else "photographs"][
                DIMENSIONS.index(row.dimension)
            ]
            for row in table.itertuples()
        ]
    )


# --- the still picture ----------------------------------------------------------------------------


def crests() -> str:
    """The pair that differs in smiling, of `confounds.pairs`."""
    return list(confounds.pairs())[-1]


def figure(dimension: str = DIMENSIONS[0], b: float = 0.0) -> tuple[pd.DataFrame, Illustration]:
    """The estimates of the gap between crests at every stop, and a figure of them."""
    pair = crests()
    own, _ = pool(pair)
    table = grid(pair, b)
    table = table[(table["dimension"] == dimension) & (table["method"] != "all known")]
    figure, ((axes,),) = panels(height=4.4)
    with style():
        axes.axhline(table["planted"].iloc[0], color="0.2", linestyle="--", linewidth=1.5)
        for method, rows in table.groupby("method", sort=False):
            axes.fill_between(
                rows["r"], rows["low"], rows["high"], color=INK[str(method)], alpha=0.15, lw=0
            )
            axes.plot(rows["r"], rows["mean"], "o-", color=INK[str(method)], label=str(method))
        axes.set(
            xlabel=f"correlation of smiling with “{own.first}”",
            ylabel=f"gap in {dimension}, logits\n{own.first} minus {own.second}",
            xticks=STOPS[::2],
        )
        figure.legend(loc="outside upper left", ncols=2)
    ends = table[table["r"].isin([STOPS[0], STOPS[-1]])]
    told = "; ".join(
        f"{method}: " + " and ".join(f"{value:+.2f}" for value in rows["mean"])
        for method, rows in ends.groupby("method", sort=False)
    )
    return table, Illustration(
        figure,
        f"The gap in {dimension} between {own.first} and {own.second} faces, by four estimates, as"
        f" smiling goes along with the group from {STOPS[0]:+g} to {STOPS[-1]:+g}. At both ends,"
        f" {told}. Planted: {table['planted'].iloc[0]:+.2f}.",
        f"What {len(seen().where(seen().networks['b'] == b).networks)} networks make of collections"
        " of photographs in which smiling goes along with the group more or less. Lines: means over"
        " networks; bands: 95 %. Dashed: what was planted.",
        "greenhouse",
    )
