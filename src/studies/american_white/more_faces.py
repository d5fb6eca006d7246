"""What more faces do to a test between two groups: Wolfe & Caliskan (2022), Table 2.

Comes in: what retrained networks make of the same people in every group. Goes out: each face's
score, and how often a test over faces is significant in networks that were taught no difference.
May not: know what was taught to whom, or take a network's faces for networks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies import associations
from studies.shown import shown


@dataclass(frozen=True, eq=False)
class Faces:
    """How near each face is to one set of words rather than another, in many networks.

    Attributes
    ----------
    networks : one row per network: b and what else is known of it.
    scores : `(networks, faces)`, log-odds.
    of : group → the columns of its faces, `(people, faces of each)`.
    """

    networks: pd.DataFrame
    scores: np.ndarray
    of: Mapping[str, np.ndarray]

    def where(self, networks: Any) -> "Faces":
        """The networks where a mask, `(networks,)`, is True."""
        kept = np.flatnonzero(networks)
        return Faces(self.networks.iloc[kept].reset_index(drop=True), self.scores[kept], self.of)

    def two_groups(self, first: str, second: str, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Scores of one half of the people in the first group and of the other half in the second,
        one face of each: two arrays `(networks, people // 2)`."""
        rng = np.random.default_rng(seed)
        return associations.different_people(self.scores, self.of[first], self.of[second], rng=rng)

    def gaps(self, first: str, second: str, *, seed: int) -> np.ndarray:
        """By how much each person's faces score higher in the first group than in the second,
        `(networks, people)`; the people in an order drawn from the seed."""
        order = np.random.default_rng(seed).permutation(len(self.of[first]))
        one, other = (
            self.scores[:, self.of[name][order]].mean(axis=-1) for name in (first, second)
        )
        return one - other


def faces(portraits: Any, words: tuple[str, str]) -> Faces:
    """The scores of a panel of `greenhouse.retrained.scores("people")`.

    Parameters
    ----------
    portraits : scores of the same people in every group.
    words : the two sets of words, such as ("we", "they").
    """
    every = np.ones(len(portraits.images), bool)
    seen = shown(portraits, words, networks=portraits.networks["condition"] == "none", images=every)
    scores = associations.scores(seen.logits, [True, False])
    return Faces(seen.networks, scores, associations.people(seen.images))


def significant(
    own: Faces,
    *,
    different: Sequence[int],
    same: Sequence[int],
    n_draws: int,
    seed: int,
    alpha: float = associations.ALPHA,
) -> pd.DataFrame:
    """How often a test of two groups is significant, by how many faces it sees.

    Parameters
    ----------
    own : networks that were taught no difference.
    different : numbers of faces in each group, of different people (Welch's test); at most half as
        many as there are people.
    same : numbers of people who are in both groups, and are compared with themselves (paired test).
        It is as precise as Welch's test with more faces of different people.
    n_draws, seed : how often people are chosen, and from which seed.

    Returns
    -------
    One row per number and kind: kind ("different people" or "same people"), people, n (the faces in
    each group of a Welch's test that is as precise, the mean), rate (the mean over networks, pairs
    of groups and choices), expected (the rate that `associations.Spread.false_positive_rate` gives
    for n) and n_pairs.
    """
    half = len(next(iter(own.of.values()))) // 2
    if max(different, default=0) > half:
        raise ValueError(f"significant: {max(different)} faces of {half} in a group")
    rows, pairs = [], list(combinations(own.of, 2))
    for first, second in pairs:
        spread = associations.Spread.of(own.scores, own.of[first], own.of[second])
        for draw in range(n_draws):
            x, y = own.two_groups(first, second, seed=seed + draw)
            for n in different:
                p = associations.over_faces(x[:, :n], y[:, :n])["p"]
                rows.append(("different people", n, n, (p <= alpha).mean()))
            gap = own.gaps(first, second, seed=seed + draw)
            for n in same:
                p = stats.ttest_1samp(gap[:, :n], 0, axis=1).pvalue
                error = gap[:, :n].var(axis=1, ddof=1).mean() / n
                as_many = (spread.first**2 + spread.second**2) / error
                rows.append(("same people", n, as_many, (p <= alpha).mean()))
    found = pd.DataFrame(rows, columns=["kind", "people", "n", "rate"])
    table = found.groupby(["kind", "people"], sort=False).mean().reset_index()
    spreads = [associations.Spread.of(own.scores, own.of[one], own.of[two]) for one, two in pairs]
    expected = [
        np.mean([one.false_positive_rate(n, n, alpha=alpha) for one in spreads]) for n in table["n"]
    ]
    return table.assign(expected=expected, n_pairs=len(pairs))
