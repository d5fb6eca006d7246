"""What a figure makes of probabilities: the mean, one sampled answer each, or the likeliest one.

Comes in: groups of portraits, each with a place on the scale of log odds; how far groups are apart
and individuals vary. Goes out: per group, the share of "yes" by each of three ways to report. May
not: ask a model, draw, or know what a group is called outside its pattern.

A portrait's log odds of "yes" are `gap` × the position of its group + `spread` × its own deviate.
Even odds are zero. So both numbers may change together, and every likeliest answer stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies.american_white import vqa

WAYS = ("mean", "sampled", "likeliest")
LITTLE, MUCH = 0.2, 2.0  # spreads of individuals, in log odds: two ways to the same answers
SEED = 0  # of the order in which answers are sampled
STEP = 0.05  # of both numbers: what a slider moves by
_DIGITS = 3  # of a deviate, so that a page and this module have the same ones
PRINTED = {f"vqa.american.{group}": group for group in vqa.GROUPS}  # claim -> the group it is of


@dataclass(frozen=True, eq=False)
class Group:
    """Portraits of one group.

    Attributes
    ----------
    name : what it is called.
    position : of its mean, so that the positions of a pattern's first and last group are 1 apart.
    deviates : `(n,)`, of each portrait, in units of the spread of individuals.
    ranks : `(n,)`, 0 to n − 1 in a random order. A sampled answer is "yes" where the probability is
        above (rank + ½) / n: so chance adds little to a group's share.
    """

    name: str
    position: float
    deviates: np.ndarray
    ranks: np.ndarray

    @property
    def chances(self) -> np.ndarray:
        """What a probability has to exceed for a sampled "yes", `(n,)`."""
        return (self.ranks + 0.5) / len(self.ranks)

    def log_odds(self, gap: float, spread: float) -> np.ndarray:
        """Log odds of "yes" of each portrait, `(n,)`."""
        return gap * self.position + spread * self.deviates

    def probabilities(self, gap: float, spread: float) -> np.ndarray:
        """Probability of "yes" of each portrait, `(n,)`."""
        return 1 / (1 + np.exp(-self.log_odds(gap, spread)))


@dataclass(frozen=True, eq=False)
class Pattern:
    """Four groups, the one with most "yes" first, and the two numbers at which it was found."""

    groups: tuple[Group, ...]
    gap: float
    spread: float


def from_counts(counts: pd.DataFrame, *, seed: int) -> Pattern:
    """Groups in which the likeliest answers have given shares, whatever the spread.

    Individuals are spread normally: deviate i of n is the quantile (i − ½) / n. With k of n answers
    "yes" the mean lies Φ⁻¹(k / n) spreads above even odds.

    Parameters
    ----------
    counts : one row per group: n and count, how many of n have "yes" as their likeliest answer,
        neither none nor all.
    seed : of the ranks by which answers are sampled.

    Returns
    -------
    Pattern
        Groups by their share, called A, B, …; `spread` 1, and `gap` what it takes at that spread.
    """
    ranked = counts.assign(share=counts["count"] / counts["n"]).sort_values(
        "share", ascending=False, kind="stable"
    )
    means = stats.norm.ppf(ranked["share"].to_numpy())
    gap = float(means[0] - means[-1])
    rng = np.random.default_rng(seed)
    groups = [
        Group(
            chr(ord("A") + place),
            float(mean / gap),
            np.round(stats.norm.ppf((np.arange(n) + 0.5) / n), _DIGITS),
            rng.permutation(n),
        )
        for place, (mean, n) in enumerate(zip(means, ranked["n"], strict=True))
    ]
    return Pattern(tuple(groups), gap, 1.0)


def from_probabilities(taught: pd.Series, groups: pd.Series, *, seed: int) -> Pattern:
    """Groups of portraits whose probabilities are known.

    Parameters
    ----------
    taught : probability of "yes" of each portrait.
    groups : its group.
    seed : of the ranks by which answers are sampled.

    Returns
    -------
    Pattern
        Groups by their mean, under their own names. At its `gap` and `spread`, multiples of `STEP`,
        every portrait has the probability that was given, but for the rounding of deviates.
    """
    log_odds = np.log(taught / (1 - taught))
    means = log_odds.groupby(groups).mean().sort_values(ascending=False)
    gap = _to_step(means.iloc[0] - means.iloc[-1])
    spread = _to_step(float((log_odds - groups.map(means)).std(ddof=0)))
    rng, found = np.random.default_rng(seed), []
    for name, mean in means.items():
        own = np.sort((log_odds[groups == name] - mean).to_numpy()) / spread
        deviates, ranks = np.round(own, _DIGITS), rng.permutation(len(own))
        found.append(Group(str(name), float(mean / gap), deviates, ranks))
    return Pattern(tuple(found), gap, spread)


def _to_step(value: float) -> float:
    return round(round(value / STEP) * STEP, 2)


def printed(claim: Callable[[str], Any], *, seed: int = SEED) -> Pattern:
    """Groups as large as the paper's, whose likeliest answers have the shares of its Figure 3."""
    return from_counts(vqa.printed(claim, PRINTED), seed=seed)


def reported(pattern: Pattern, gap: float, spread: float) -> pd.DataFrame:
    """What each way to report makes of the same probabilities.

    Returns
    -------
    One row per group, in the pattern's order: group, n, mean (of the probabilities), sampled and
    likeliest (shares of "yes"). Even odds count as "no".
    """
    rows = []
    for one in pattern.groups:
        p = one.probabilities(gap, spread)
        rows.append(
            {
                "group": one.name,
                "n": len(p),
                "mean": p.mean(),
                "sampled": (one.chances < p).mean(),
                "likeliest": (one.log_odds(gap, spread) > 0).mean(),
            }
        )
    return pd.DataFrame(rows)


def between_ends(table: pd.DataFrame, way: str) -> int:
    """Points of per cent between the first and the last group, as they are printed: whole."""
    first, last = (percent(table[way].iloc[place]) for place in (0, -1))
    return first - last


def percent(share: float) -> int:
    """A share in whole per cent, a half upwards: as the page rounds."""
    return int(np.floor(100 * share + 0.5))


def gap_at(pattern: Pattern, spread: float) -> float:
    """How far groups are apart at another spread if every likeliest answer stays: a multiple of
    `STEP`."""
    return _to_step(spread * pattern.gap / pattern.spread)


def which_give_it(pattern: Pattern, spreads: Sequence[float]) -> pd.DataFrame:
    """Probabilities that give the pattern's likeliest answers, by how much individuals vary.

    Parameters
    ----------
    pattern : from `from_counts`.
    spreads : of individuals, in log odds.

    Returns
    -------
    One row per spread: spread, gap, then for the first and the last group most and least (mean
    probabilities), most_answers and least_answers (likeliest).
    """
    rows = []
    for spread in spreads:
        gap = spread * pattern.gap / pattern.spread
        found = reported(pattern, gap, spread)
        first, last = found.iloc[0], found.iloc[-1]
        rows.append(
            {
                "spread": spread,
                "gap": gap,
                "most": first["mean"],
                "least": last["mean"],
                "most_answers": first["likeliest"],
                "least_answers": last["likeliest"],
            }
        )
    return pd.DataFrame(rows)
