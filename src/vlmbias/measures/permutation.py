"""The permutation tail: how often a random split of the scores is as extreme as the observed one.

Comes in: `(N,)` scores, the first `n_x` of which are group X. Goes out: a p-value, exact by
counting every split where that is affordable, else sampled from a seed.
May not: know where the scores come from.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import validate

_BLOCK = 1 << 14  # draws made at once: small enough for the processor's cache


def permutation_tail(
    scores: Any,
    n_x: int,
    *,
    alternative: str = "greater",
    n_permutations: int = 10_000,
    seed: Any = 0,
) -> float:
    """Probability that a random split into `n_x` and `N − n_x` is at least as extreme.

    With D the difference of the two group means, whose mean over all splits is exactly 0, and d its
    observed value, counts D ≥ d (``"greater"``), D ≤ d (``"less"``) or |D| ≥ |d|
    (``"two-sided"``). All C(N, n_x) splits are counted, the observed one included, if they are no
    more than `n_permutations`; else p = (1 + hits among `n_permutations` − 1
    draws)/`n_permutations`.
    Sums within 1e-12·max|s| of the observed one tie with it, and ties count.

    Parameters
    ----------
    scores : array_like, shape (N,)
        Finite scores; the first `n_x` are the observed group X.
    n_x : int
        Size of X, 1 ≤ n_x < N.
    alternative : {"greater", "less", "two-sided"}
    n_permutations : int
        See above; 1 or more.
    seed : int or numpy.random.Generator
        Where the draws come from; unused when the count is exact.

    Returns
    -------
    float
        p, at least 1/min(C(N, n_x), n_permutations).

    Notes
    -----
    Conditional on one network and one set of stimuli: it says nothing about a retrained network.
    """
    centred, observed, tie = validate.split(scores, n_x, alternative)
    n_permutations = validate.count("n_permutations", n_permutations, minimum=1)
    splits = math.comb(len(centred), n_x)
    if splits <= n_permutations:
        return _hits(_all_sums(centred, n_x), observed, tie, alternative) / splits
    draws = _random_sums(centred, n_x, n_permutations - 1, np.random.default_rng(seed))
    return (1 + sum(_hits(sums, observed, tie, alternative) for sums in draws)) / n_permutations


def _hits(sums: np.ndarray, observed: float, tie: float, alternative: str) -> int:
    if alternative == "two-sided":
        sums, observed = np.abs(sums), abs(observed)
    return int(
        np.count_nonzero(
            sums <= observed + tie if alternative == "less" else sums >= observed - tie
        )
    )


def _all_sums(centred: np.ndarray, n_x: int) -> np.ndarray:
    """The sum over X of every split, by growing the subsets one score at a time."""
    small = min(n_x, len(centred) - n_x)
    sums = [np.zeros(1)] + [np.empty(0)] * small  # sums[j]: all subsets of size j so far
    for score in centred:
        for size in range(small, 0, -1):
            sums[size] = np.concatenate([sums[size], sums[size - 1] + score])
    return sums[small] if small == n_x else -sums[small]  # centred scores sum to 0


def _random_sums(
    centred: np.ndarray, n_x: int, draws: int, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Sums over uniformly random splits, by selection sampling (Knuth's Algorithm S), many at a
    time."""
    small = min(n_x, len(centred) - n_x)
    sign = 1.0 if small == n_x else -1.0
    for start in range(0, draws, _BLOCK):
        size = min(_BLOCK, draws - start)
        sums, wanted = np.zeros(size), np.full(size, float(small))
        for left, score in zip(range(len(centred), 0, -1), centred, strict=True):
            taken = (
                rng.random(size) * left < wanted
            )  # chance wanted/left: every split equally likely
            wanted -= taken
            sums += score * taken
        yield sign * sums
