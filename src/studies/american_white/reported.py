"""What a figure makes of probabilities: the mean, one sampled answer each, or the likeliest one.

A portrait's log odds of "yes" are `gap` × the position of its group + `spread` × its own deviate.
Even odds are zero. So both numbers may change together, and every likeliest answer stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
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

    def log_odds(self, gap: float, spread: float) -> np.ndarray:
        """Log odds of "yes" of each portrait, `(n,)`."""
        return gap * self.position + spread * self.deviates

    def probabilities(self, gap: float, spread: float) -> np.ndarray:
        """Probability of "yes" of each portrait, `(n,)`."""
        return 1 / (1 + np.exp(-self.log_odds(gap, spread)))


@dataclass(frozen=True, eq=False)
class Pattern:
    """Groups, the one with most "yes" first, and the two numbers at which they were found."""

    groups: tuple[Group, ...]
    gap: float
    spread: float


def printed(claim: Callable[[str], Any], *, seed: int = SEED) -> Pattern:
    """Groups as large as the paper's, whose likeliest answers have the shares of its Figure 3,
    whatever the spread: A, B, …, by their share.

    Individuals are spread normally: deviate i of n is the quantile (i − ½) / n. With k of n answers
    "yes" the mean lies Φ⁻¹(k / n) spreads above even odds. `gap` is that at a spread of 1; `seed`
    is of the ranks by which answers are sampled.
    """
    counts = vqa.printed(claim, PRINTED)
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
    """Groups of portraits whose probabilities of "yes" are known, by their mean and under their own
    names.

    At the pattern's `gap` and `spread`, multiples of `STEP`, every portrait has the probability
    that was given, but for the rounding of deviates.
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
    """The nearest multiple of `STEP`."""
    return round(round(value / STEP) * STEP, 2)


def gap_at(pattern: Pattern, spread: float) -> float:
    """How far groups are apart at another spread if every likeliest answer stays: a multiple of
    `STEP`."""
    return _to_step(spread * pattern.gap / pattern.spread)


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
                "sampled": ((one.ranks + 0.5) / len(p) < p).mean(),
                "likeliest": (one.log_odds(gap, spread) > 0).mean(),
            }
        )
    return pd.DataFrame(rows)


def percent(share: float) -> int:
    """A share in whole per cent, a half upwards: as the page rounds."""
    return int(np.floor(100 * share + 0.5))
