"""Whether networks share what they show where nothing was planted, and what belongs to one
combination of groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from greenhouse.world import grid, truth
from greenhouse.world.bias import BiasTable

AXES = tuple(truth.CONTRASTS)
DIMENSIONS = tuple(axis for axis, against in truth.CONTRASTS.items() if against is None)
FEATURES = ("constant", "prime", "age", "smiling")  # what a group's readings are taken apart into


# --- where nothing was planted: names of groups are exchanged -------------------------------------


def all_pairs(found: Mapping[str, np.ndarray]) -> np.ndarray:
    """The gaps between all pairs of groups, `(networks, axes × pairs)`: every test that could be
    made."""
    parts = []
    for values in found.values():
        first, second = np.array(list(combinations(range(values.shape[2]), 2))).T
        parts.append((values[..., first] - values[..., second]).reshape(len(values), -1))
    return np.concatenate(parts, axis=1)


def exchanged(
    found: Mapping[str, np.ndarray], *, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """The same with the names of the hues, and of the crests, assigned anew in every network,
    alike on all axes."""
    mixed = {}
    for attribute, values in found.items():
        order = rng.permuted(np.tile(np.arange(values.shape[2]), (len(values), 1)), axis=1)
        mixed[attribute] = np.take_along_axis(values, order[:, None, :], axis=2)
    return mixed


def rejections(gaps: np.ndarray, chosen: np.ndarray, *, alpha: float) -> tuple[float, float]:
    """The share of t-tests over networks that reject, and of the subsets of networks in which
    Holm's correction leaves one: there the smallest p passes Bonferroni's bound.

    `gaps` is `(networks, tests)`, `chosen` bool `(subsets, networks)`, each subset of one size.
    """
    n, weights = int(chosen[0].sum()), chosen.astype(float)
    mean = weights @ gaps / n
    variance = np.maximum(weights @ gaps**2 - n * mean**2, 0) / (n - 1)
    size = np.abs(mean) / np.sqrt(variance / n)
    single, holm = (stats.t.ppf(1 - share / 2, n - 1) for share in (alpha, alpha / gaps.shape[1]))
    return float((size > single).mean()), float((size > holm).any(axis=1).mean())


def false_positive_rates(
    found: Mapping[str, np.ndarray],
    sizes: Sequence[int],
    *,
    seed: int,
    alpha: float = 0.05,
    n_subsets: int = 60,
    n_draws: int = 400,
) -> pd.DataFrame:
    """How often tests over networks alarm where nothing was planted, beside what exchanging names
    gives.

    Parameters
    ----------
    found : kind of group → `(networks, axes, groups)`, what each network shows of each group.
    sizes : numbers of networks that a test uses; random subsets, where there are more.
    n_subsets, n_draws : subsets of each size, and exchanges of names, each with the same subsets.

    Returns
    -------
    One row per size: n, rate (share of tests that reject at `alpha`), low and high (where the rate
    lies in 95 % of the exchanges), expected (its mean over exchanges), holm (share of subsets in
    which Holm's correction rejects something), holm_expected.
    """
    rng, networks = np.random.default_rng(seed), len(next(iter(found.values())))
    subsets = {}
    for n in sizes:
        if not 2 <= n <= networks:
            raise ValueError(
                f"alarm_rates: subsets of {n} networks; from 2 to {networks} can be drawn"
            )
        order = rng.permuted(
            np.tile(np.arange(networks), (1 if n == networks else n_subsets, 1)), axis=1
        )
        subsets[n] = order < n
    seen = {n: rejections(all_pairs(found), chosen, alpha=alpha) for n, chosen in subsets.items()}
    null = {n: np.empty((n_draws, 2)) for n in sizes}
    for draw in range(n_draws):
        gaps = all_pairs(exchanged(found, rng=rng))
        for n, chosen in subsets.items():
            null[n][draw] = rejections(gaps, chosen, alpha=alpha)
    return pd.DataFrame(
        [
            {
                "n": n,
                "rate": seen[n][0],
                "low": np.quantile(null[n][:, 0], 0.025),
                "high": np.quantile(null[n][:, 0], 0.975),
                "expected": null[n][:, 0].mean(),
                "holm": seen[n][1],
                "holm_expected": null[n][:, 1].mean(),
            }
            for n in sizes
        ]
    )


def likeness(found: Mapping[str, np.ndarray], *, seed: int, n_draws: int = 400) -> dict[str, float]:
    """How alike the gaps of two networks are: the mean correlation over all pairs of networks,
    beside exchanged names.

    Returns
    -------
    r; low and high, where it lies in 95 % of the exchanges of names (see `exchanged`).
    """

    def mean_r(levels_of: Mapping[str, np.ndarray]) -> float:
        flat = np.concatenate(
            [values.reshape(len(values), -1) for values in levels_of.values()], axis=1
        )
        r = np.corrcoef(flat)
        return float(r[np.triu_indices(len(r), 1)].mean())

    rng = np.random.default_rng(seed)
    low, high = np.quantile(
        [mean_r(exchanged(found, rng=rng)) for _ in range(n_draws)], [0.025, 0.975]
    )
    return {"r": mean_r(found), "low": float(low), "high": float(high)}


# --- where two things meet ------------------------------------------------------------------------


def three_way(values: np.ndarray, faces: pd.DataFrame, bias: BiasTable) -> np.ndarray:
    r"""What belongs to the outlier's hue h and crest c together: a difference in differences.

    .. math:: [\beta_{hc} - \beta_{hc'}] - \overline{[\beta_{gc} - \beta_{gc'}]}_{g \ne h}

    of the coefficients β of readings on `FEATURES` within each group (least squares). What depends
    on the hue alone cancels in each bracket, what depends on the crest alone between them.

    Parameters
    ----------
    values : `(networks, images, axes)`: what networks show, or a truth as one more network.
    faces : one row per image.

    Returns
    -------
    ndarray, `(networks, axes, features)`.
    """
    design = np.stack([bias.feature(name, faces) for name in FEATURES], axis=1)
    found = np.zeros((len(values), values.shape[2], len(FEATURES)))
    for hue in grid.HUES:
        for crest in grid.CRESTS:
            rows = np.flatnonzero((faces["race"] == hue) & (faces["gender"] == crest))
            weight = 1.0 if hue == bias.outlier["race"] else -1 / (len(grid.HUES) - 1)
            weight *= 1 if crest == bias.outlier["gender"] else -1
            within = np.linalg.pinv(design[rows])
            found += weight * np.einsum("fi,nia->naf", within, values[:, rows])
    return found
