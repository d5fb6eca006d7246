"""The permutation tail: how often a random split of the scores is as extreme as the observed one,
counted or sampled; and the same tail by a double saddlepoint approximation, which is deterministic
and meaningful far below what sampling can reach."""

import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import expit, ndtr

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
    observed value, counts D ≥ d (``"greater"``), D ≤ d (``"less"``) or |D| ≥ |d| (``"two-sided"``).
    All C(N, n_x) splits are counted, the observed one included, if they are no more than
    `n_permutations`; else p = (1 + hits among `n_permutations` − 1 draws)/`n_permutations`. Sums
    within 1e-12·max|s| of the observed one tie with it, and ties count.

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
    centred, observed, tie = _split(scores, n_x, alternative)
    n_permutations = validate.count("n_permutations", n_permutations, minimum=1)
    splits = math.comb(len(centred), n_x)
    if splits <= n_permutations:
        return _hits(_all_sums(centred, n_x), observed, tie, alternative) / splits
    draws = _random_sums(centred, n_x, n_permutations - 1, np.random.default_rng(seed))
    return (1 + sum(_hits(sums, observed, tie, alternative) for sums in draws)) / n_permutations


def _hits(sums: np.ndarray, observed: float, tie: float, alternative: str) -> int:
    """How many sums are as extreme as the observed one."""
    if alternative == "two-sided":
        sums, observed = np.abs(sums), abs(observed)
    extreme = sums <= observed + tie if alternative == "less" else sums >= observed - tie
    return int(np.count_nonzero(extreme))


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
            # chance wanted/left: every split equally likely
            taken = rng.random(size) * left < wanted
            wanted -= taken
            sums += score * taken
        yield sign * sums


def saddlepoint_tail(scores: Any, n_x: int, *, alternative: str = "greater") -> float:
    r"""Permutation p-value of the difference of two group means, by saddlepoint approximation.

    The sum over a random X of `n_x` scores is the sum S = Σ Iᵢ sᵢ of independent Bernoulli-weighted
    scores, given their count M = Σ Iᵢ = n_x. With K(a, b) = Σ log(1 + exp(a + b sᵢ)), the
    saddlepoint (a, b) solves ∂K/∂a = n_x and ∂K/∂b = S(observed), and

    .. math:: p ≈ 1 − Φ(r^*), \qquad r^* = r + \log(u/r)/r,

    where r = sign(b)·√(2[a n_x + b S − K(a, b) − max_a(a n_x − K(a, 0))]) and
    u = b·√(det K″(a, b) / K″_aa(a₀, 0)).

    Parameters
    ----------
    scores : array_like, shape (N,)
        Finite scores; the first `n_x` are the observed group X.
    n_x : int
        Size of X, 1 ≤ n_x < N; the groups may differ in size.
    alternative : {"greater", "less", "two-sided"}
        D ≥ d, D ≤ d or |D| ≥ |d|, as in `permutation_tail`.

    Returns
    -------
    float
        p. Where no split exceeds the observed one it is exact: (tied splits)/C(N, n_x). It is
        never below 1/C(N, n_x), because the observed split counts, nor below the smallest normal
        float (2.2e-308), which therefore reads "at most".

    Notes
    -----
    Scores are treated as continuous and comparable in size. With heavily tied scores the result is
    closer to a mid-p-value; where one score dwarfs all others it can be far off; where only a
    handful of splits are as extreme, two bounds that always hold (1/C(N, n_x) below, Chernoff's
    above) limit the error. Where C(N, n_x) is small, count: `permutation_tail`.

    Conditional on one network and one set of stimuli. Values of 1e-20 serve to audit printed ones;
    they are never the strength of evidence about a model family or its training.

    References
    ----------
    J. Robinson (1982), *J. R. Statist. Soc. B* 44, 91–101.
    I. M. Skovgaard (1987), *J. Appl. Prob.* 24, 875–887: r and u; the tail 1 − Φ(r) + φ(r)(1/u −
    1/r).
    O. E. Barndorff-Nielsen (1986), *Biometrika* 73, 307–322: the equivalent form r*, always inside
    (0, 1) and steadier for a few outlying scores.
    """
    centred, observed, tie = _split(scores, n_x, alternative)
    if alternative == "greater":
        p = _upper(centred, n_x, observed, tie)
    elif alternative == "less":
        p = _upper(-centred, n_x, -observed, tie)
    else:
        p = sum(_upper(side, n_x, abs(observed), tie) for side in (centred, -centred))
    return min(1.0, max(p, 1 / math.comb(len(centred), n_x), sys.float_info.min))


def _upper(scores: np.ndarray, n_x: int, target: float, tie: float) -> float:
    """P(sum over a random X ≥ target), for centred scores."""
    total = len(scores)
    ordered = np.sort(scores)[::-1]
    top, bottom = math.fsum(ordered[:n_x]), math.fsum(ordered[-n_x:])
    if target > top + tie:
        return 0.0
    if target <= bottom + tie:
        return 1.0
    if target >= top - tie:
        level = np.abs(ordered - ordered[n_x - 1]) <= tie
        return math.comb(int(level.sum()), int(level[:n_x].sum())) / math.comb(total, n_x)
    scale = float(np.sqrt(np.mean(scores**2)))
    z, target = scores / scale, target / scale
    spread = math.sqrt(n_x * (total - n_x) / (total - 1))  # SD of the sum of n_x scores z
    near = min(0.1 * spread, top / scale / 2, -bottom / scale / 2)
    exponent, r, correction = _expansion(z, n_x, target)
    if abs(target) < near:
        # at the mean r and u vanish; their correction does not, so take it from either side
        sides = [_expansion(z, n_x, at)[2] for at in (-near, near)]
        correction = float(np.interp(target, [-near, near], sides))
    chernoff = _entropy(total, n_x) - math.log(math.comb(total, n_x)) - exponent if r > 0 else 0.0
    return min(float(ndtr(-r - correction)), math.exp(min(chernoff, 0.0)))


def _entropy(total: int, n_x: int) -> float:
    """−max_a(a n_x − K(a, 0)): minus the log-likelihood of n_x successes at their own rate."""
    return -n_x * math.log(n_x / total) - (total - n_x) * math.log1p(-n_x / total)


def _expansion(z: np.ndarray, n_x: int, target: float) -> tuple[float, float, float]:
    """r²/2, r, and r* − r, where the saddlepoint reaches `target`."""
    share = n_x / len(z)
    b, gain, determinant = _solve(z, n_x, target)
    exponent = max(gain + _entropy(len(z), n_x), 0.0)
    r = math.copysign(math.sqrt(2 * exponent), b)
    u = b * math.sqrt(determinant / (n_x * (1 - share)))
    return exponent, r, math.log(u / r) / r if u and r else 0.0


def _solve(z: np.ndarray, n_x: int, target: float) -> tuple[float, float, float]:
    """b, maximum and det K″ where a·n_x + b·target − K(a, b), which is concave, is largest:
    Newton's method."""

    def gain(a: float, b: float) -> float:
        return a * n_x + b * target - float(np.logaddexp(0, a + b * z).sum())

    a, b = math.log(n_x / (len(z) - n_x)), 0.0
    best = gain(a, b)
    while True:
        weight = expit(a + b * z)
        variance = weight * (1 - weight)
        k_aa = float(variance.sum())
        middle = float(variance @ z) / k_aa
        k_bb = float(variance @ (z - middle) ** 2)  # what is left of K_bb once a follows b
        slope_a, slope_b = n_x - float(weight.sum()), target - float(weight @ z)
        step_b = (slope_b - middle * slope_a) / k_bb
        step_a = slope_a / k_aa - middle * step_b
        promise, length = step_a * slope_a + step_b * slope_b, 1.0
        while (
            better := gain(a + length * step_a, b + length * step_b)
        ) < best + 0.1 * length * promise:
            length /= 2
            if length < 1e-9:
                break
        if promise < 1e-13 or not better > best:  # as far as rounding lets it go
            return b, best, k_aa * k_bb
        a, b, best = a + length * step_a, b + length * step_b, better


def _split(scores: Any, n_x: int, alternative: str) -> tuple[np.ndarray, float, float]:
    """Centred scores `(N,)`, the sum over the first `n_x`, and the width within which sums tie.

    All are in units of the power of two that brings the largest score below 1: which splits are as
    extreme does not depend on it, and neither sums nor squares then leave the range of numbers.
    """
    validate.choice("alternative", alternative, validate.ALTERNATIVES)
    raw = validate.finite("scores", scores, "(N,)")
    if not 1 <= validate.count("n_x", n_x, minimum=1) < len(raw):
        raise ValueError(
            f"n_x must leave both groups at least one score: 1 ≤ n_x < {len(raw)}; got {n_x}."
        )
    raw = np.ldexp(raw, -int(np.frexp(np.abs(raw).max())[1]))
    centred = raw - math.fsum(raw) / len(raw)
    return centred, math.fsum(centred[:n_x]), 1e-12 * float(np.abs(raw).max())
