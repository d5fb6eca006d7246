"""The permutation tail without permutations: a double saddlepoint approximation.

Comes in: `(N,)` scores, the first `n_x` of which are group X. Goes out: an approximate permutation
p-value, deterministic and meaningful far below what sampling can reach.
May not: sample, or know where the scores come from.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from scipy.special import erfcx, expit, xlogy

from . import validate


def saddlepoint_tail(scores: Any, n_x: int, *, alternative: str = "greater") -> float:
    r"""Permutation p-value of the difference of two group means, by saddlepoint approximation.

    The sum over a random X of `n_x` scores is the sum S = Σ Iᵢ sᵢ of independent Bernoulli-weighted
    scores, given their count M = Σ Iᵢ = n_x. With K(a, b) = Σ log(1 + exp(a + b sᵢ)), the saddlepoint
    (a, b) solves ∂K/∂a = n_x and ∂K/∂b = S(observed), and

    .. math:: p ≈ 1 − Φ(r) + φ(r)\,(1/u − 1/r),

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
    The score distribution is treated as continuous: with heavily tied scores the result is closer to
    a mid-p-value. Two bounds that always hold (1/C(N, n_x) below, Chernoff's above) limit the error
    where only a handful of splits are as extreme.

    Conditional on one network and one set of stimuli. Values of 1e-20 serve to audit printed ones;
    they are never the strength of evidence about a model family or its training.

    References
    ----------
    J. Robinson (1982), *J. R. Statist. Soc. B* 44, 91–101.
    I. M. Skovgaard (1987), *J. Appl. Prob.* 24, 875–887.
    """
    centred, observed, tie = validate.split(scores, n_x, alternative)
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
    if target < 0:
        return 1 - _upper(-scores, n_x, -target, tie)
    scale = float(np.sqrt(np.mean(scores**2)))
    spread = math.sqrt(n_x * (total - n_x) / (total - 1))  # SD of the sum, in units of scale
    tail = _Tail(scores / scale, n_x)
    target /= scale
    near = min(0.1 * spread, top / scale / 2, -bottom / scale / 2)
    if target >= near:
        r, correction = tail.at(target)
    else:  # r and u both vanish at the mean, their correction does not: take it from either side
        r, _ = tail.at(target)
        above, below = tail.at(near)[1], tail.at(-near)[1]
        correction = ((near + target) * above + (near - target) * below) / (2 * near)
    mills = math.sqrt(math.pi / 2) * float(erfcx(r / math.sqrt(2)))
    density = math.exp(-r * r / 2)
    return min(density * max(mills + correction, 0) / math.sqrt(2 * math.pi), density / tail.binomial, 1.0)


class _Tail:
    """Signed roots and corrections of the tail of a sum of `n_x` out of the standardised scores."""

    def __init__(self, scores: np.ndarray, n_x: int) -> None:
        share = n_x / len(scores)
        self.scores, self.n_x = scores, n_x
        self.start = math.log(share / (1 - share))
        self.entropy = -len(scores) * float(xlogy(share, share) + xlogy(1 - share, 1 - share))
        self.information = len(scores) * share * (1 - share)
        log_choose = math.lgamma(len(scores) + 1) - math.lgamma(n_x + 1) - math.lgamma(len(scores) - n_x + 1)
        self.binomial = math.exp(log_choose - self.entropy)  # P(M = n_x)

    def at(self, target: float) -> tuple[float, float]:
        """r, and 1/u − 1/r."""
        b, gain, determinant = self._solve(target)
        r = math.copysign(math.sqrt(max(2 * (gain + self.entropy), 0)), b)
        u = b * math.sqrt(determinant / self.information)
        return r, (1 / u - 1 / r if u and r else 0.0)

    def _gain(self, a: float, b: float, target: float) -> float:
        return a * self.n_x + b * target - float(np.logaddexp(0, a + b * self.scores).sum())

    def _solve(self, target: float) -> tuple[float, float, float]:
        """Maximise a·n_x + b·target − K(a, b), which is concave, by Newton steps, halved where too long."""
        a, b = self.start, 0.0
        gain = self._gain(a, b, target)
        while True:
            weight = expit(a + b * self.scores)
            variance = weight * (1 - weight)
            k_aa = float(variance.sum())
            middle = float(variance @ self.scores) / k_aa
            k_bb = float(variance @ (self.scores - middle) ** 2)  # what remains of K_bb once a is fitted
            slope_a, slope_b = self.n_x - float(weight.sum()), target - float(weight @ self.scores)
            step_b = (slope_b - middle * slope_a) / k_bb
            step_a = slope_a / k_aa - middle * step_b
            promise, length = step_a * slope_a + step_b * slope_b, 1.0
            better = self._gain(a + step_a, b + step_b, target)
            while not better > gain + 0.1 * length * promise and length > 1e-9:
                length /= 2
                better = self._gain(a + length * step_a, b + length * step_b, target)
            if promise < 1e-13 or not better > gain:  # as far as rounding lets it go
                return b, gain, k_aa * k_bb
            a, b, gain = a + length * step_a, b + length * step_b, better
