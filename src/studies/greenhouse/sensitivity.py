"""What is planted between two sets of pictures, what every measure says of it, and from which size
on it is found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize

import vlmbias as vb
from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world.grammar import Grammar

DIMENSIONS = COLUMNS[:8]
MEASURES = (
    *("Δcos", "Δcos in logits", "relative Δcos", "raw cosine", "centred cosine"),
    *("SC-WEAT d", "Skew@k", "MaxSkew@k", "NDKL"),
)


@dataclass(frozen=True)
class Contrast:
    """Two sets of pictures of a subset of the grid that differ in one attribute: its first and its
    second value; the pictures of one hue may be left out."""

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


def _gap(values: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The difference of two means over images, network by network."""
    return values[:, first].mean(axis=1) - values[:, second].mean(axis=1)


def measured(portraits: Scores, effects: Mapping[str, Contrast], *, top: float) -> pd.DataFrame:
    r"""Every measure of every contrast and dimension, for the networks of the dose–response study.

    Differences of means are first − second. SC-WEAT is :math:`d = (\bar s_1 - \bar s_2) / s` with
    the standard deviation (ddof 1) of the raw cosine over both sets. Skew@k is that of the first
    set, with equal desired shares, read at a share `top` of the ranking; a group without any
    picture there counts as having half a one, which keeps the logarithm finite.

    Returns
    -------
    One row per effect, dimension and network: effect, dimension, network, b, and `MEASURES`.
    """
    study = (portraits.networks["condition"] == "none").to_numpy()
    shown = (portraits.images["set"] == "grid").to_numpy()
    images, networks = portraits.images[shown].reset_index(drop=True), portraits.networks[study]
    scores = portraits.scores[np.ix_(study, shown)].astype(float)
    scale = networks["logit_scale"].to_numpy(float)
    neutral, adjectives = (scores[..., COLUMNS.index(one)] for one in ("neutral", "adjectives"))
    parts = []
    for effect, contrast in effects.items():
        first, second = contrast.members(images)
        both = np.sort(np.concatenate([first, second]))
        length = round(top * len(both))
        for dimension in DIMENSIONS:
            raw = scores[..., COLUMNS.index(dimension)]
            gap = partial(_gap, first=first, second=second)
            delta = gap(raw - neutral)
            rankings = vb.rankings(pd.DataFrame(raw[:, both].T), np.isin(both, first))
            skew = rankings.skew_at_k(length, zero=float(np.log(0.5 / length / 0.5)))
            values = (
                *(100 * delta, scale * delta, 100 * gap((raw - neutral) / neutral)),
                *(100 * gap(raw), 100 * gap(raw - adjectives)),
                *(gap(raw) / raw[:, both].std(axis=1, ddof=1), skew[True], skew.max(axis=1)),
                rankings.ndkl(),
            )
            own = {"effect": effect, "dimension": dimension, "network": range(len(networks))}
            own |= {"b": networks["b"].to_numpy(), **dict(zip(MEASURES, values, strict=True))}
            parts.append(pd.DataFrame(own))
    return pd.concat(parts, ignore_index=True)


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


def smallest(
    size: Iterable[float], share: Iterable[float], weight: Iterable[float], *, wanted: float
) -> float:
    """The smallest size from which on the best curve through the shares that never falls (least
    squares) reaches `wanted`; infinite if never.

    Parameters
    ----------
    size, share, weight : `(k,)`: absolute sizes, shares of networks, and how many networks each
        share is of.
    """
    size, share, weight = (np.asarray(one, float) for one in (size, share, weight))
    order = np.argsort(size, kind="stable")
    size = size[order]
    rising = optimize.isotonic_regression(share[order], weights=weight[order]).x
    if rising[-1] < wanted:
        return np.inf
    place = int(np.argmax(rising >= wanted))
    if place == 0:
        return float(size[0])
    below, above = rising[place - 1 : place + 1]
    return float(
        size[place - 1] + (size[place] - size[place - 1]) * (wanted - below) / (above - below)
    )
