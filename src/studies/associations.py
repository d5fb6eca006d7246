"""Tests of groups of faces against words, in one network or in many: who stands in which group,
what counts as one observation, and what can go wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb

ALPHA = 0.05


# --- one network ----------------------------------------------------------------------------------


def with_intervals(
    tests: Mapping[Any, vb.AssociationTest], *, scale: float, n_resamples: int, seed: int
) -> pd.DataFrame:
    """What `vb.eat` or `vb.sc_eat` found, beside the plain difference of means, both with 95 %
    bootstrap intervals.

    Parameters
    ----------
    tests : by name, which becomes the index; a tuple has one level for each of its parts.
    scale : what one cosine is worth, such as a network's logit scale: then `difference` is one of
        log-odds.
    n_resamples, seed : of the percentile intervals. Items are resampled within each group.

    Returns
    -------
    One row per test: d, d_low, d_high, difference, difference_low, difference_high, p.
    """
    rows = {}
    for name, test in tests.items():
        rng = np.random.default_rng(seed)
        means = [
            rng.choice(own, (n_resamples, len(own))).mean(axis=1)
            for own in (test.scores[: test.n_x], test.scores[test.n_x :])
        ]
        low, high = scale * np.quantile(means[0] - means[1], [0.025, 0.975])
        d_low, d_high = test.confidence_interval(n_resamples=n_resamples, seed=seed)
        d = {"d": test.effect_size, "d_low": d_low, "d_high": d_high}
        difference = {"difference": scale * test.statistic, "difference_low": low}
        rows[name] = d | difference | {"difference_high": high, "p": test.p_value}
    return pd.DataFrame.from_dict(rows, orient="index")


def scores(values: Any, toward: Any) -> np.ndarray:
    r"""How much nearer each face is to one set of words than to the other.

    .. math:: s = \operatorname{mean}_{w \in A} v_w − \operatorname{mean}_{w \in B} v_w

    Parameters
    ----------
    values : `(…, faces, words)`, cosines or logits.
    toward : `(words,)`, True for A, False for B.

    Returns
    -------
    ndarray `(…, faces)`, in the unit of the values.
    """
    first = np.asarray(toward, bool)
    return values[..., first].mean(axis=-1) - values[..., ~first].mean(axis=-1)


# --- what is the case: faces, words, or networks --------------------------------------------------


def people(faces: pd.DataFrame, *, by: str = "race") -> dict[str, np.ndarray]:
    """Rows of each group's faces, `(people, faces per person)`: the same people in the same order
    in every group.

    Parameters
    ----------
    faces : one row per face, with the columns `seed` (the person) and `by`.

    Raises
    ------
    ValueError : a person is missing in a group, or has more faces in one.
    """
    counts = faces.groupby(["seed", by]).size().unstack()
    if (
        counts.isna().to_numpy().any()
        or counts.nunique().gt(1).any()
        or counts.iloc[0].nunique() > 1
    ):
        raise ValueError(
            f"every person needs as many faces in every group of {by!r}; the counts go from "
            f"{counts.fillna(0).to_numpy().min():.0f} to {counts.max().max():.0f}"
        )
    each, order = (
        int(counts.iloc[0, 0]),
        faces.reset_index(drop=True).sort_values("seed", kind="stable"),
    )
    return {str(name): own.index.to_numpy().reshape(-1, each) for name, own in order.groupby(by)}


def different_people(
    values: np.ndarray, first: np.ndarray, second: np.ndarray, *, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Two groups as in a database with one photograph of each person: nobody stands in both.

    Parameters
    ----------
    values : `(networks, faces)`.
    first, second : rows of the two groups, of `people`.
    rng : for every network, one half of the people is drawn for the first group and another for the
        second, and one face of each.

    Returns
    -------
    (x, y) : each `(networks, people // 2)`.
    """
    networks, (n, each) = len(values), first.shape
    order = rng.permuted(np.tile(np.arange(n), (networks, 1)), axis=1)
    face = rng.integers(each, size=order.shape)
    half = n // 2
    one, other = (slice(half), slice(half, 2 * half))
    return (
        np.take_along_axis(values, first[order[:, one], face[:, one]], axis=1),
        np.take_along_axis(values, second[order[:, other], face[:, other]], axis=1),
    )


def over_faces(x: np.ndarray, y: np.ndarray) -> pd.DataFrame:
    """Faces as observations, in each network by itself: difference of means, d over the pooled
    SD, and Welch's two-sided p.

    Parameters
    ----------
    x, y : scores of two groups, `(networks, n)`.
    """
    test: Any = stats.ttest_ind(x, y, axis=-1, equal_var=False)
    return pd.DataFrame(
        {
            "difference": x.mean(axis=-1) - y.mean(axis=-1),
            "d": vb.effect_size(x, y, pooled=True),
            "p": test.pvalue,
        }
    )


def over_words(gap: np.ndarray, toward: Any) -> np.ndarray:
    """Words as observations, in each network by itself: the exact two-sided permutation p,
    `(networks,)`.

    Every split of the words into two sets of the given sizes is counted, as by
    `vb.eat(A, B, X, Y)`.

    Parameters
    ----------
    gap : `(networks, words)`, how much nearer each word is to the faces of one group.
    toward : `(words,)`, True for the first set.
    """
    first = np.asarray(toward, bool)
    n, n_first = len(first), int(first.sum())
    chosen = np.zeros((n, len(splits := list(combinations(range(n), n_first)))))
    for column, split in enumerate(splits):
        chosen[list(split), column] = 1.0
    centred = gap - gap.mean(
        axis=-1, keepdims=True
    )  # then the sum over one set tells the difference of both means
    extreme = np.abs(centred[:, first].sum(axis=-1)) - 1e-12 * np.abs(centred).max(axis=-1)
    return (np.abs(centred @ chosen) >= extreme[:, None]).mean(axis=1)


def over_phrases(gap: Any, others: Any) -> np.ndarray:
    r"""One phrase among others, in each network by itself: the two-sided p of its rank.

    .. math:: p = \frac{1 + \#\{k : |g_k - \bar g| ≥ |g - \bar g|\}}{K + 1}

    with the mean :math:`\bar g` over the phrase and all K others, so that no phrase is singled out:
    p is exact if, where nothing is said of the groups, the phrase is one more of the others.

    Parameters
    ----------
    gap : `(networks,)`, the difference between two groups by the phrase in question.
    others : `(networks, K)`, the same by the others.
    """
    every = np.column_stack([gap, others])
    far = np.abs(every - every.mean(axis=1, keepdims=True))
    slack = 1e-12 * far.max(axis=1, keepdims=True)
    return (far >= far[:, :1] - slack).mean(axis=1)


@dataclass(frozen=True)
class Spread:
    """How a difference between two groups varies where nothing was planted: over networks, and over
    faces in one.

    Attributes
    ----------
    networks : SD of the difference over networks, with the noise of the faces taken away.
    first, second : SD of the scores within a group, the root of its mean variance over networks.
    """

    networks: float
    first: float
    second: float

    @classmethod
    def of(cls, values: np.ndarray, first: np.ndarray, second: np.ndarray) -> "Spread":
        """From the scores of the same people in two groups: `values` `(networks, faces)`, rows of
        `people`."""
        one, other = values[:, first].mean(axis=-1), values[:, second].mean(axis=-1)
        noise = (one - other).var(axis=1, ddof=1).mean() / one.shape[1]
        between = max(0.0, (one - other).mean(axis=1).var(ddof=1) - noise)
        within = [values[:, own.ravel()].var(axis=1, ddof=1).mean() for own in (first, second)]
        return cls(float(np.sqrt(between)), *(float(np.sqrt(each)) for each in within))

    def false_positive_rate(
        self, n_first: float, n_second: float, *, alpha: float = ALPHA
    ) -> float:
        r"""The share of networks with nothing planted in which a test over so many faces gives p <
        alpha.

        With :math:`e^2 = s_1^2/n_1 + s_2^2/n_2` and the SD over networks :math:`\tau`, the
        difference is normal with variance :math:`\tau^2 + e^2`, and the test allows for
        :math:`e^2`: :math:`2\,\Phi(-z\,e/\sqrt{\tau^2 + e^2})`."""
        error = self.first**2 / n_first + self.second**2 / n_second
        z = stats.norm.isf(alpha / 2)
        return float(2 * stats.norm.sf(z * np.sqrt(error / (error + self.networks**2))))


def rejected(
    found: pd.DataFrame, strengths: Sequence[float], *, alpha: float = ALPHA
) -> pd.DataFrame:
    """How often a test alarms, per unit and strength: unit, b, then as `vb.networks.rates`.

    `found` has the unit, b and p of each test.
    """
    cases = found[found["b"].isin(strengths)].groupby(["unit", "b"], sort=False)["p"]
    hits = {key: (own <= alpha).to_numpy() for key, own in cases}
    return vb.networks.rates(hits).rename_axis(["unit", "b"]).reset_index()


# --- assumptions, broken one at a time ------------------------------------------------------------


def misfiled(
    x: np.ndarray, y: np.ndarray, shares: Sequence[float], *, n_draws: int, seed: int, pooled: bool
) -> pd.DataFrame:
    """What is left when a share of each group's items is filed under the other: share, difference,
    d.

    Means over `n_draws` random choices of the items. `x`, `y` are scores, `(n,)`.
    """
    rng, rows = np.random.default_rng(seed), []
    for share in shares:
        i, j = round(share * len(x)), round(share * len(y))
        one, other = (rng.permuted(np.tile(own, (n_draws, 1)), axis=1) for own in (x, y))
        filed = np.hstack([one[:, i:], other[:, :j]]), np.hstack([other[:, j:], one[:, :i]])
        rows.append(
            {
                "share": share,
                "difference": (filed[0].mean(axis=1) - filed[1].mean(axis=1)).mean(),
                "d": vb.effect_size(*filed, pooled=pooled).mean(),
            }
        )
    return pd.DataFrame(rows)
