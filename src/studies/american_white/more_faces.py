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

from studies import associations
from studies.retrained import shown


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
        return associations.different_people(self.scores, self.of[first], self.of[second], rng)


def faces(panel: Any, words: tuple[str, str]) -> Faces:
    """The scores of a panel of `greenhouse.retrained.scores("people")`.

    Parameters
    ----------
    panel : scores of the same people in every group.
    words : the two sets of words, such as ("we", "they").
    """
    every = np.ones(len(panel.images), bool)
    seen = shown(panel, words, networks=panel.networks["arm"] == "none", images=every)
    scores = associations.scores(seen.logits, [True, False])
    return Faces(seen.networks, scores, associations.people(seen.images))


def significant(
    own: Faces,
    *,
    counted: Sequence[int],
    expected: Sequence[int],
    n_draws: int,
    seed: int,
    level: float = associations.LEVEL,
) -> pd.DataFrame:
    """How often Welch's test of two groups is significant, by the number of faces in each.

    Parameters
    ----------
    own : networks that were taught no difference.
    counted : numbers of faces with which the tests are made; at most half as many as there are
        people.
    expected : numbers of faces for which the share is computed from the spread over networks and
        over faces (`associations.Spread.alarms`).
    n_draws, seed : how often the people are divided between two groups, and from which seed.

    Returns
    -------
    One row per number and kind: n, kind ("counted" or "expected"), rate, the mean over networks,
    pairs of groups and divisions, and n_pairs.
    """
    pairs, rates = list(combinations(own.of, 2)), {n: [] for n in counted}
    for first, second in pairs:
        for draw in range(n_draws):
            x, y = own.two_groups(first, second, seed=seed + draw)
            if max(counted) > x.shape[1]:
                raise ValueError(f"significant: {max(counted)} faces of {x.shape[1]} in a group")
            for n in counted:
                tests = associations.over_faces(x[:, :n], y[:, :n])
                rates[n].append(float((tests["p"] <= level).mean()))
    spreads = [associations.Spread.of(own.scores, own.of[one], own.of[two]) for one, two in pairs]
    rows = [(n, "counted", np.mean(rates[n])) for n in counted]
    rows += [
        (n, "expected", np.mean([spread.alarms(n, n, level=level) for spread in spreads]))
        for n in expected
    ]
    return pd.DataFrame(rows, columns=["n", "kind", "rate"]).assign(n_pairs=len(pairs))


def accident(own: Faces) -> float:
    r"""The typical \|d\| between two groups that training leaves where it was taught none.

    .. math:: \sqrt{\operatorname{mean}_{pairs} \tau^2 / \bar{s}^2}

    with the SD :math:`\tau` of the difference over networks, the noise of faces taken away, and the
    mean variance :math:`\bar{s}^2` of scores within both groups (`associations.Spread`).
    """
    found = [
        associations.Spread.of(own.scores, own.of[one], own.of[two])
        for one, two in combinations(own.of, 2)
    ]
    shares = [one.networks**2 / ((one.first**2 + one.second**2) / 2) for one in found]
    return float(np.sqrt(np.mean(shares)))
