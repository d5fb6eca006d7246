"""Which measure shows a planted effect, in which units, and how small the effect can be.

Comes in: what retrained networks make of the pictures of the grid, the grammar with what it plants.
Goes out: tables with one row per network, per contrast or per measure. May not: name a fictional
group, draw, or treat pictures of one network as observations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

import vlmbias as vb
from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grid
from greenhouse.world.grammar import Grammar

DIMENSIONS = COLUMNS[:8]
POSITIVE = ("warmth", "competence", "positive_agency", "progressive_belief", "positive_communion")
UNITS = {
    "Δcos": "cosine × 100",
    "Δcos in logits": "logits",
    "relative Δcos": "percent of neutral",
    "raw cosine": "cosine × 100",
    "centred cosine": "cosine × 100",
    "SC-WEAT d": "standard deviations",
    "Skew@k": "log ratio",
    "MaxSkew@k": "log ratio",
    "NDKL": "nats",
}
UNSIGNED = ("MaxSkew@k", "NDKL")
EFFECTS = ("hue", "crest", "smiling", "age")


@dataclass(frozen=True)
class Contrast:
    """Two sets of pictures that differ in one thing.

    Attributes
    ----------
    name : of the effect.
    subset : of the grid, from which both sets come.
    attribute : the column in which they differ.
    first, second : its two values.
    without : a hue whose pictures are left out; None where all are used.
    """

    name: str
    subset: str
    attribute: str
    first: Any
    second: Any
    without: str | None = None

    def members(self, images: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Positions of the pictures with the first value, and of those with the second."""
        rows = images["subset"].eq(self.subset) & images["race"].ne(self.without)
        one, other = (
            np.flatnonzero(rows & images[self.attribute].eq(value))
            for value in (self.first, self.second)
        )
        return one, other


def contrasts(roles: Mapping[str, str]) -> dict[str, Contrast]:
    """The four effects, and the reference of those that captions name at every strength: turned
    left or right.

    Parameters
    ----------
    roles : of the bias table: which hue is favoured, disfavoured and in the middle, which crest is
        first and second.
    """
    smile, age, pose = (grid.LEVELS[name] for name in ("smiling", "age", "pose"))
    made = [
        Contrast(
            "hue", "prototype", "race", roles["favoured"], roles["disfavoured"], roles["middle"]
        ),
        Contrast("crest", "prototype", "gender", roles["first"], roles["second"], roles["middle"]),
        Contrast("smiling", "smiling", "smiling", smile[-1], smile[0]),
        Contrast("age", "age", "age", age[-1], age[0]),
        Contrast("side", "pose", "pose", pose[-1], pose[0]),
    ]
    return {one.name: one for one in made}


def planted(grammar: Grammar, images: pd.DataFrame, contrast: Contrast, b: float) -> pd.Series:
    r"""The size of a contrast by dimension, in logits, as a count of the captions of both sets
    shows it (`counted`).

    .. math:: \overline{\log \bar p_1(w) - \log \bar p_2(w)} - [\log \bar p_1(0) - \log \bar p_2(0)]

    with means of p over the faces of each set, the mean over the words w of the dimension, and 0
    for a neutral caption. That is the difference of `truth.counted`, in which the odds over all
    faces cancel; they are not worked out here."""
    first, second = contrast.members(images)
    both = images.iloc[np.concatenate([first, second])]
    shares = grammar.group_shares(both)

    def shift(p: np.ndarray) -> np.ndarray:
        return np.log(p[: len(first)].mean(axis=0)) - np.log(p[len(first) :].mean(axis=0))

    slots = {name: grammar.slot_of(name) for name in DIMENSIONS}
    shifted = {
        slot: shift(np.exp(grammar.log_probabilities(slot, both, b)) * shares[slot][:, None])
        for slot in dict.fromkeys(slots.values())
    }
    found = {
        name: shifted[slot][
            [grammar.words(slot).index(word) for word in grammar.slots[slot][name]]
        ].mean()
        for name, slot in slots.items()
    }
    return pd.Series(found) - shift(shares["neutral"])


# --- what every measure says of a contrast --------------------------------------------------------


def measures(
    scores: np.ndarray,
    scale: np.ndarray,
    images: pd.DataFrame,
    contrast: Contrast,
    dimension: str,
    *,
    top: float,
) -> pd.DataFrame:
    r"""Every measure of one contrast on one dimension, network by network.

    Differences of means are first − second. SC-WEAT is :math:`d = (\bar s_1 - \bar s_2) / s` with
    the standard deviation (ddof 1) of the raw cosine over both sets. Skew@k is that of the first
    set, with equal desired shares; a group without any picture in the ranking counts as having half
    a one, which keeps the logarithm finite.

    Parameters
    ----------
    scores : `(networks, images, columns)`, columns as in `COLUMNS`.
    scale : `(networks,)`, what turns a cosine into logits.
    top : share of the ranking at which Skew is read.

    Returns
    -------
    One row per network, one column per measure of `UNITS`.
    """
    first, second = contrast.members(images)
    raw, neutral, adjectives = (
        scores[..., COLUMNS.index(name)] for name in (dimension, "neutral", "adjectives")
    )
    both = np.sort(np.concatenate([first, second]))

    def gap(values: np.ndarray) -> np.ndarray:
        return values[:, first].mean(axis=1) - values[:, second].mean(axis=1)

    delta = gap(raw - neutral)
    rankings = vb.rankings(pd.DataFrame(raw[:, both].T), np.isin(both, first))
    length = round(top * len(both))
    skew = rankings.skew_at_k(length, zero=float(np.log(0.5 / length / 0.5)))
    return pd.DataFrame(
        {
            "Δcos": 100 * delta,
            "Δcos in logits": scale * delta,
            "relative Δcos": 100 * gap((raw - neutral) / neutral),
            "raw cosine": 100 * gap(raw),
            "centred cosine": 100 * gap(raw - adjectives),
            "SC-WEAT d": gap(raw) / raw[:, both].std(axis=1, ddof=1),
            "Skew@k": skew[True],
            "MaxSkew@k": skew.max(axis=1),
            "NDKL": rankings.ndkl(),
        }
    )


def measured(portraits: Scores, effects: Mapping[str, Contrast], *, top: float) -> pd.DataFrame:
    """Every measure of every contrast and dimension, for the networks of the dose–response study.

    Returns
    -------
    One row per effect, dimension and network: effect, dimension, network, b, and the measures of
    `UNITS`.
    """
    study = (portraits.networks["condition"] == "none").to_numpy()
    shown = (portraits.images["set"] == "grid").to_numpy()
    images, networks = portraits.images[shown].reset_index(drop=True), portraits.networks[study]
    scores, scale = (
        portraits.scores[np.ix_(study, shown)].astype(float),
        networks["logit_scale"].to_numpy(float),
    )
    parts = [
        measures(scores, scale, images, contrast, dimension, top=top).assign(
            effect=name,
            dimension=dimension,
            network=range(len(networks)),
            b=networks["b"].to_numpy(),
        )
        for name, contrast in effects.items()
        for dimension in DIMENSIONS
    ]
    return pd.concat(parts, ignore_index=True)


def sizes(portraits: Scores, grammar: Grammar, effects: Mapping[str, Contrast]) -> pd.DataFrame:
    """What was planted, for every strength at which an effect is looked at: effect, dimension, b,
    planted (logits).

    Hue and crest at every strength of the study; smiles and ages, which the captions name at every
    strength, at 0."""
    images = portraits.images[portraits.images["set"] == "grid"].reset_index(drop=True)
    strengths = sorted(
        portraits.networks.loc[portraits.networks["condition"] == "none", "b"].unique()
    )
    parts = [
        planted(grammar, images, effects[name], b)
        .rename("planted")
        .rename_axis("dimension")
        .reset_index()
        .assign(effect=name, b=b)
        for name in EFFECTS
        for b in (strengths if name in ("hue", "crest") else strengths[:1])
    ]
    return pd.concat(parts, ignore_index=True)


# --- found, and visible ---------------------------------------------------------------------------


def departs(values: np.ndarray, reference: np.ndarray, *, alpha: float) -> np.ndarray:
    r"""Which values lie further from the middle of the reference than all but at most `alpha` of
    it.

    .. math:: \frac{1 + \#\{|v_0 - m| ≥ |v - m|\}}{1 + n} ≤ \text{level}, \quad m \text{ the median
    of the reference}

    Parameters
    ----------
    values : `(k,)`, one per network that is asked about.
    reference : `(n,)`, of networks in which nothing was planted.
    """
    middle = np.median(reference)
    as_far = (np.abs(reference - middle) >= np.abs(values - middle)[:, None]).sum(axis=1)
    return (1 + as_far) / (1 + len(reference)) <= alpha


def detected(table: pd.DataFrame, planted_sizes: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """In how many networks an effect is found: by measure, effect, dimension and strength.

    A hue or crest is compared with the same contrast in networks at b = 0; a smile or an age, at b
    = 0, with the effect of turning to one side or the other, of which no caption speaks.

    Parameters
    ----------
    table : of `measured`.
    planted_sizes : of `sizes`.

    Returns
    -------
    effect, dimension, b, planted, measure, and n, hits, rate, low, high of `vb.networks.rates`
    (exact, 95 %).
    """
    values = table.set_index(["effect", "dimension", "b"]).sort_index()
    rows, hits = [], {}
    for row in planted_sizes.to_dict("records"):
        effect, dimension, b = row["effect"], row["dimension"], row["b"]
        within = effect in ("hue", "crest")
        if within and b == 0:
            continue
        own, null = (
            values.loc[key]
            for key in ((effect, dimension, b), (effect if within else "side", dimension, 0.0))
        )
        for measure in UNITS:
            hits[len(rows)] = departs(
                own[measure].to_numpy(), null[measure].to_numpy(), alpha=alpha
            )
            rows.append({**row, "measure": measure})
    return pd.DataFrame(rows).join(vb.networks.rates(hits))


def smallest(
    size: Iterable[float], share: Iterable[float], weight: Iterable[float], *, wanted: float
) -> float:
    """The smallest size from which on the best rising curve through the shares reaches `wanted`;
    infinite if never.

    Parameters
    ----------
    size, share, weight : `(k,)`: absolute sizes, shares of networks, and how many networks each
        share is of.
    """
    size, share, weight = (np.asarray(one, float) for one in (size, share, weight))
    order = np.argsort(size, kind="stable")
    size, rising = size[order], rising_curve(share[order], weight[order])
    if rising[-1] < wanted:
        return np.inf
    place = int(np.argmax(rising >= wanted))
    if place == 0:
        return float(size[0])
    below, above = rising[place - 1 : place + 1]
    return float(
        size[place - 1] + (size[place] - size[place - 1]) * (wanted - below) / (above - below)
    )


def rising_curve(share: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The non-decreasing curve that is nearest to the shares (least squares), both in order of
    size."""
    return optimize.isotonic_regression(share, weights=weight).x


def limits(counts: pd.DataFrame, *, wanted: float) -> pd.DataFrame:
    """The smallest size that is visible by each measure: found in a share `wanted` of the networks.

    The interval is read off the ends of the exact intervals of all shares in the same way as the
    limit off the shares: `low` off the upper ends, `high` off the lower ones.

    Parameters
    ----------
    counts : of `found`.

    Returns
    -------
    effect, measure, limit, low, high (logits; infinite where no size that was planted suffices).
    """
    rows = []
    for (effect, measure), own in counts.groupby(["effect", "measure"], sort=False):
        read = {
            name: smallest(own["planted"].abs(), own[column], own["n"], wanted=wanted)
            for name, column in (("limit", "rate"), ("low", "high"), ("high", "low"))
        }
        rows.append({"effect": effect, "measure": measure, **read})
    return pd.DataFrame(rows)


def curves(counts: pd.DataFrame) -> pd.DataFrame:
    """`found` in order of size, with the rising curve through the shares: `size` (absolute) and
    `rising` are added."""
    parts = []
    for _, own in counts.assign(size=counts["planted"].abs()).groupby(
        ["effect", "measure"], sort=False
    ):
        own = own.sort_values("size", kind="stable")
        parts.append(own.assign(rising=rising_curve(own["rate"].to_numpy(), own["n"].to_numpy())))
    return pd.concat(parts, ignore_index=True)


def visible_from(limit: float) -> str:
    """From which size on an effect is visible, for a sentence.

    >>> visible_from(0.142), visible_from(np.inf)
    ('from 0.14 logits on', 'at no size that was planted')
    """
    return f"from {limit:.2f} logits on" if np.isfinite(limit) else "at no size that was planted"


def which_is_easier(one: Sequence[float], other: Sequence[float]) -> str:
    """Whether the ranges of two limits, (low, high) each, overlap, for a sentence.

    >>> which_is_easier((0.09, 0.26), (0.09, 0.24))
    'Both limits are rough: their ranges overlap, so we do not know which of the two is lower.'
    """
    if one[0] <= other[1] and other[0] <= one[1]:
        return (
            "Both limits are rough: their ranges overlap, so we do not know which of the two is "
            "lower."
        )
    return "The ranges of the two limits do not overlap, so the limits differ."


# --- units ----------------------------------------------------------------------------------------


def worth(table: pd.DataFrame, planted_sizes: pd.DataFrame, *, b: float) -> pd.DataFrame:
    """What one planted logit is worth in each measure, over the contrasts of hue and crest at one
    strength.

    A slope (least squares, with a level) is fitted in every network over all contrasts and
    dimensions; measures without a sign are set against absolute sizes.

    Returns
    -------
    measure, unit; r of the mean over networks with what was planted; n, mean, low, high and sd of
    the slopes over networks (`vb.networks.summary`); cv, the SD by the absolute mean.
    """
    sizes_at_b = planted_sizes[
        (planted_sizes["b"] == b) & planted_sizes["effect"].isin(["hue", "crest"])
    ]
    both = table.merge(sizes_at_b, on=["effect", "dimension", "b"])
    by_cell = both.pivot(
        index=["effect", "dimension", "planted"], columns="network", values=list(UNITS)
    )
    size = by_cell.index.get_level_values("planted").to_numpy(float)
    rows, slopes = {}, {}
    for measure, unit in UNITS.items():
        own, x = by_cell[measure].to_numpy(), np.abs(size) if measure in UNSIGNED else size
        slopes[measure] = np.polyfit(x, own, 1)[0]
        rows[measure] = {"unit": unit, "r": stats.pearsonr(x, own.mean(axis=1)).statistic}
    over = vb.networks.summary(slopes)[["n", "mean", "low", "high", "sd"]]
    found_units = pd.DataFrame(rows).T.astype({"r": float}).join(over)
    return (
        found_units.assign(cv=over["sd"] / over["mean"].abs()).rename_axis("measure").reset_index()
    )


def averaged(
    table: pd.DataFrame, dimensions: Sequence[str], *, names: Sequence[str], alpha: float
) -> pd.DataFrame:
    """Measures averaged over dimensions, as the paper averages its rank measures, and how often
    they find an effect.

    Parameters
    ----------
    table : of `measured`.
    dimensions : over which to average.
    names : the measures.

    Returns
    -------
    effect, measure, b, mean (over networks), and n, hits, rate, low, high of the networks in which
    it is found; at b = 0 each network is compared with the others.
    """
    own = table[table["dimension"].isin(dimensions) & table["effect"].isin(["hue", "crest"])]
    means = own.groupby(["effect", "b", "network"], sort=False)[list(names)].mean()
    rows, hits = [], {}
    for (effect, b), part in means.groupby(level=["effect", "b"], sort=False):
        for measure in names:
            values, null = part[measure].to_numpy(), means.loc[(effect, 0.0), measure].to_numpy()
            hits[len(rows)] = (
                _among_themselves(null, alpha) if b == 0 else departs(values, null, alpha=alpha)
            )
            rows.append({"effect": effect, "measure": measure, "b": b, "mean": values.mean()})
    return pd.DataFrame(rows).join(vb.networks.rates(hits))


def _among_themselves(null: np.ndarray, alpha: float) -> np.ndarray:
    """Which of the reference networks would be found among the others."""
    return np.array(
        [departs(null[[k]], np.delete(null, k), alpha=alpha)[0] for k in range(len(null))]
    )
