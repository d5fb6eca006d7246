"""How often a method's own test of one network reports a difference between groups where nothing
was planted, at one number of items in each group: so that methods are compared, and not numbers."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies import associations
from studies.american_white import agreement
from studies.associations import ALPHA


def of_faces(
    portraits: Any, toward: str, against: str = "", *, size: int, draws: int, seed: int
) -> float:
    """The share of pairs of groups and null networks in which Welch's test over faces has p < .05.

    Parameters
    ----------
    portraits, toward, against : as for `agreement.tower`.
    size : faces of each group, of different people.
    draws, seed : how often people are assigned to groups at random; the share is a mean over these.

    Raises
    ------
    ValueError : the panel has fewer than twice `size` people.
    """
    leaning, rows = _null(portraits, toward, against)
    most = len(next(iter(rows.values()))) // 2
    if not 2 <= size <= most:
        raise ValueError(f"size must be from 2 to {most}, half of the panel's people, got {size!r}")
    rng, hits = np.random.default_rng(seed), []
    for _ in range(draws):
        for first, second in combinations(rows, 2):
            x, y = associations.different_people(leaning, rows[first], rows[second], rng=rng)
            hits.append(associations.over_faces(x[:, :size], y[:, :size])["p"] < ALPHA)
    return float(np.mean(hits))


def expected_of_faces(
    portraits: Any, toward: str, against: str = "", *, sizes: Mapping[str, int]
) -> float:
    """The share to expect with so many faces of each group (`Spread.false_positive_rate`), a mean
    over all pairs of groups."""
    leaning, rows = _null(portraits, toward, against)
    each = [
        associations.Spread.of(leaning, rows[first], rows[second]).false_positive_rate(
            sizes[first], sizes[second], alpha=ALPHA
        )
        for first, second in combinations(rows, 2)
    ]
    return float(np.mean(each))


def _null(portraits: Any, toward: str, against: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Of null networks, the log-odds of every face, `(networks, faces)`, and each group's rows."""
    leaning, cases = agreement.leanings(portraits, toward, against)
    return leaning[cases.get_level_values("b") == 0], associations.people(portraits.images)


@lru_cache(maxsize=4)
def _significant(size: int) -> np.ndarray:
    """Whether Fisher's test has p < .05, for each two counts of `size` items: (size + 1)²."""
    found = np.zeros((size + 1, size + 1), bool)
    for a, b in combinations_with_replacement(range(size + 1), 2):
        p = stats.fisher_exact([[a, size - a], [b, size - b]]).pvalue
        found[a, b] = found[b, a] = p < ALPHA
    return found


def of_counts(shares: pd.DataFrame, *, size: int) -> float:
    r"""The share of pairs of groups and null networks in which Fisher's test has p < .05, with
    `size` items a group.

    Items are drawn without replacement from those there are, and every possible pair of counts is
    weighted:

    .. math:: \sum_{a, b} h(a; n_1, k_1, m)\, h(b; n_2, k_2, m)\, [p_{\text{Fisher}}(a, b; m, m) <
    .05]

    with the hypergeometric probabilities h, so that nothing is left to a draw.

    Parameters
    ----------
    shares : b, seed, race, n and count, as from `vqa.of_networks`; networks with b = 0 are taken.
    size : m.

    Raises
    ------
    ValueError : a group has fewer items.
    """
    null = shares[shares["b"] == 0]
    if not 1 <= size <= null["n"].min():
        raise ValueError(
            f"size must be from 1 to {null['n'].min()}, the items of the smallest group, got"
            f" {size!r}"
        )
    found = np.arange(size + 1)
    significant, each = _significant(size), []
    for _, own in null.groupby("seed"):
        chances = [
            stats.hypergeom.pmf(found, n, k, size)
            for n, k in own[["n", "count"]].astype(int).to_numpy()
        ]
        each += [x @ significant @ y for x, y in combinations(chances, 2)]
    return float(np.mean(each))
