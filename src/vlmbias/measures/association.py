"""Association tests: are X and Y, or A and B, drawn differently to one another's vectors?"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import ttest_ind_from_stats

from . import validate
from .tails import permutation_tail, saddlepoint_tail

METHODS = ("permutation", "saddlepoint", "welch")
_SAME = 1e-12  # cosine scores closer than this are equal but for rounding
_BLOCK = 1 << 20  # resampled scores held at once


@dataclass(frozen=True)
class AssociationTest:
    """The result of `eat` or `sc_eat`.

    Attributes
    ----------
    effect_size : float
        d: `statistic` over the SD of the scores; signed, without unit.
    statistic : float
        Mean score of X (or A) minus mean score of Y (or B), in cosine units.
    p_value : float
        For the chosen alternative; conditional on this network and these stimuli.
    method : {"permutation", "saddlepoint", "welch"}
    n_permutations : int or None
        Splits counted: all C(N, n_x) of them (`exact`), or the sample size; None for other methods.
    n_x, n_y : int
        Group sizes, in this order.
    scores : numpy.ndarray, shape (n_x + n_y,)
        The association score s of every vector, those of X (or A) first, in cosine units.

    Examples
    --------
    >>> flowers, insects = [[3, 1], [2, 1], [5, 2], [4, 1]], [[1, 3], [2, 3], [1, 2], [1, 4]]
    >>> test = vb.eat(flowers, insects, A=[[1, 0], [9, 1]], B=[[0, 1], [1, 9]])
    >>> print(test)
    d = 1.812, statistic = 1.047, p = 0.0143 (greater, all 70 permutations), n = 4 + 4
    >>> round(test.effect_size, 2), test.exact, test.scores.shape
    (1.81, True, (8,))
    >>> low, high = test.confidence_interval(0.9, n_resamples=999)
    >>> round(low, 1), round(high, 1)
    (1.8, 1.9)
    """

    effect_size: float
    statistic: float
    p_value: float
    method: str
    n_permutations: int | None
    n_x: int
    n_y: int
    scores: np.ndarray = field(repr=False, compare=False)
    _alternative: str = field(repr=False, compare=False)
    _pooled: bool = field(repr=False, compare=False)
    _ddof: int = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """True if p counts every split of the scores."""
        return self.n_permutations == math.comb(self.n_x + self.n_y, self.n_x)

    def __str__(self) -> str:
        count = f"{'all' if self.exact else 'sampled,'} {self.n_permutations or 0:,} permutations"
        how = count if self.method == "permutation" else self.method
        return (
            f"d = {self.effect_size:.3f}, statistic = {self.statistic:.4g}, p = {self.p_value:.3g} "
            f"({self._alternative}, {how}), n = {self.n_x} + {self.n_y}"
        )

    def confidence_interval(
        self, confidence_level: float = 0.95, *, n_resamples: int = 9_999, seed: Any = 0
    ) -> tuple[float, float]:
        """Percentile bootstrap interval for the effect size: items are resampled within each group.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        n_resamples : int
        seed : int or numpy.random.Generator

        Returns
        -------
        (low, high) : tuple of float

        Notes
        -----
        It covers other items like these, seen by the same network against the same words or images;
        it says nothing about a retrained network. Resamples whose scores do not vary have no d and
        are left out, which only groups of a few items meet; if none has, the limits are NaN. With
        few items it is too narrow: for 8 + 8 normal scores an interval of level .95 holds the
        effect in .91 of all samples.

        Raises
        ------
        ValueError
            For a confidence level or a number of resamples that is none, or a group of one, whose
            resamples are all the same.
        """
        validate.fraction("confidence_level", confidence_level)
        validate.count("n_resamples", n_resamples, minimum=1)
        if min(self.n_x, self.n_y) < 2:
            raise ValueError(
                f"an interval needs two items in each group; got {self.n_x} and {self.n_y}."
            )
        rng, block, sizes = np.random.default_rng(seed), max(1, _BLOCK // len(self.scores)), []
        for start in range(0, n_resamples, block):
            rows = min(block, n_resamples - start)
            x = rng.choice(self.scores[: self.n_x], (rows, self.n_x))
            y = rng.choice(self.scores[self.n_x :], (rows, self.n_y))
            sizes.append(effect_size(x, y, pooled=self._pooled, ddof=self._ddof))
        low, high = np.nanquantile(
            np.concatenate(sizes), [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
        )
        return float(low), float(high)


def association_scores(W: Any, A: Any, B: Any) -> np.ndarray:
    r"""How much nearer each vector of W is to A than to B: the scores that `eat` compares between X
    and Y.

    .. math:: s(w) = \operatorname{mean}_{a∈A} \cos(w, a) − \operatorname{mean}_{b∈B} \cos(w, b)

    Parameters
    ----------
    W : array_like or Embeddings, shape (n, d)
    A, B : array_like or Embeddings, shapes (n_a, d) and (n_b, d)

    Returns
    -------
    numpy.ndarray, shape (n,)
        In cosine units.

    Raises
    ------
    ValueError, TypeError
        Empty groups, shapes or dimensions that do not fit, NaN, infinite or zero vectors.

    References
    ----------
    A. Caliskan, J. J. Bryson, A. Narayanan (2017), *Science* 356, 183–186.

    Examples
    --------
    >>> pleasant, unpleasant = [[1, 0], [9, 1]], [[0, 1], [1, 9]]
    >>> vb.association_scores([[3, 1], [2, 1], [1, 3]], pleasant, unpleasant).round(2)
    array([ 0.6 ,  0.42, -0.6 ])
    """
    W, A, B = validate.unit_rows(W=W, A=A, B=B)
    return W @ (A.mean(axis=0) - B.mean(axis=0))  # by linearity


def effect_size(x: Any, y: Any, *, ddof: int = 1, pooled: bool = False) -> Any:
    r"""How far two groups of scores lie apart, in standard deviations: the d of `eat` and `sc_eat`.

    .. math:: d = \frac{\bar x − \bar y}{\operatorname{SD}(x ∪ y)}

    Parameters
    ----------
    x, y : array_like, shapes (…, n_x) and (…, n_y)
        Scores; along the last axis, so that many resamples are one call.
    ddof : int
        Of every variance.
    pooled : bool
        Divide by the pooled SD, √[((n_x−1)v_x + (n_y−1)v_y)/(n_x+n_y−2)], instead of the SD over
        both.

    Returns
    -------
    float, or numpy.ndarray of shape (…)
        NaN in an array where scores do not vary.

    Raises
    ------
    ValueError
        Too few scores for `ddof`; a score that is NaN or infinite; two vectors of scores that do
        not vary.

    Examples
    --------
    >>> round(vb.effect_size([3, 4, 5], [1, 2, 3]), 3)
    1.414
    >>> vb.effect_size([3, 4, 5], [1, 2, 3], pooled=True)
    2.0

    Many resamples in one call, along the last axis:

    >>> vb.effect_size([[3, 4, 5], [1, 2, 6]], [[1, 2, 3], [1, 2, 3]]).round(2)
    array([1.41, 0.53])
    """
    x, y = validate.finite("x", x, "(…, n_x)"), validate.finite("y", y, "(…, n_y)")
    sizes, least = (x.shape[-1], y.shape[-1]), max(1, validate.count("ddof", ddof, minimum=0))
    if (min(sizes) if pooled else sum(sizes)) <= least or not min(sizes):
        raise ValueError(
            f"an effect size with ddof={ddof}, pooled={pooled} needs more scores; got {sizes}."
        )
    difference, spread = _difference_and_spread(x, y, pooled, ddof)
    size = difference / np.where(spread > _SAME, spread, np.nan)
    if np.ndim(size):
        return size
    if np.isnan(size):
        raise ValueError(
            f"zero variance: {sum(sizes)} scores around {x.mean():.6g} and {y.mean():.6g} do not"
            " vary."
        )
    return float(size)


def eat(
    X: Any,
    Y: Any,
    A: Any,
    B: Any,
    *,
    method: str = "permutation",
    alternative: str = "greater",
    pooled: bool = False,
    ddof: int = 1,
    n_permutations: int = 10_000,
    seed: Any = 0,
) -> AssociationTest:
    r"""Embedding association test: are targets X closer to A, rather than B, than targets Y are?

    .. math::

        s(w) = \operatorname{mean}_{a∈A} \cos(w, a) − \operatorname{mean}_{b∈B} \cos(w, b), \qquad
        d = \frac{\operatorname{mean}_{x∈X} s(x) − \operatorname{mean}_{y∈Y}
        s(y)}{\operatorname{SD}_{w∈X∪Y} s(w)}

    Parameters
    ----------
    X, Y : array_like or Embeddings, shapes (n_x, d) and (n_y, d)
        Target vectors, of any length: they are scaled to unit length here. Sizes may differ.
    A, B : array_like or Embeddings, shapes (n_a, d) and (n_b, d)
        Attribute vectors.
    method : {"permutation", "saddlepoint", "welch"}
        Where p comes from: X ∪ Y re-split (`permutation_tail`), the same tail approximated
        (`saddlepoint_tail`), or Welch's t-test on s(X) and s(Y).
    alternative : {"greater", "less", "two-sided"}
        The tail, fixed beforehand: statistic ≥, ≤ or, in absolute value, ≥ the observed.
    pooled : bool
        Divide by the pooled SD, √[((n_x−1)v_x + (n_y−1)v_y)/(n_x+n_y−2)], instead of the SD over X
        ∪ Y.
    ddof : int
        Of every variance here: in d, in the pooled v_x and v_y, in Welch's t.
    n_permutations : int
        All C(n_x+n_y, n_x) splits are counted if they are no more than this; else this many are
        sampled.
    seed : int or numpy.random.Generator
        Of the sample.

    Returns
    -------
    AssociationTest

    Raises
    ------
    ValueError, TypeError
        Empty groups, shapes or dimensions that do not fit, NaN, infinite or zero vectors, scores
        without variance, unknown options; the message prints shapes and values.

    Notes
    -----
    p is conditional on this one network and this one set of stimuli. A tiny value is no evidence
    about retrained networks or about the training data: compare retrained models for that.

    References
    ----------
    A. Caliskan, J. J. Bryson, A. Narayanan (2017), *Science* 356, 183–186.
    R. Steed, A. Caliskan (2021), *FAccT*: the image version, ddof = 1.

    Examples
    --------
    Vectors in a plane: flowers point to the right, as what is pleasant does, and insects
    upwards.

    >>> flowers, insects = [[3, 1], [2, 1], [5, 2], [4, 1]], [[1, 3], [2, 3], [1, 2], [1, 4]]
    >>> pleasant, unpleasant = [[1, 0], [9, 1]], [[0, 1], [1, 9]]
    >>> print(vb.eat(flowers, insects, pleasant, unpleasant))
    d = 1.812, statistic = 1.047, p = 0.0143 (greater, all 70 permutations), n = 4 + 4
    >>> vb.eat(flowers, insects, pleasant, unpleasant, method="welch").p_value < 0.001
    True
    """
    X, Y, A, B = validate.unit_rows(X=X, Y=Y, A=A, B=B)
    direction = A.mean(axis=0) - B.mean(axis=0)  # by linearity, s(w) = w · (mean A − mean B)
    return _test(
        "XY", X @ direction, Y @ direction, method, alternative, pooled, ddof, n_permutations, seed
    )


def sc_eat(
    w: Any,
    A: Any,
    B: Any,
    *,
    method: str = "permutation",
    alternative: str = "greater",
    pooled: bool = False,
    ddof: int = 1,
    n_permutations: int = 10_000,
    seed: Any = 0,
) -> AssociationTest:
    r"""Single-category embedding association test: is one vector w closer to A than to B?

    .. math::

        d = \frac{\operatorname{mean}_{a∈A} \cos(w, a) − \operatorname{mean}_{b∈B} \cos(w, b)}
                 {\operatorname{SD}_{v∈A∪B} \cos(w, v)}

    Parameters
    ----------
    w : array_like, shape (d,)
        The one target.
    A, B : array_like or Embeddings, shapes (n_a, d) and (n_b, d)
        Attributes. A ∪ B is permuted, so the result has n_x = n_a and n_y = n_b.
    method, alternative, pooled, ddof, n_permutations, seed
        As in `eat`.

    Returns
    -------
    AssociationTest

    Raises
    ------
    ValueError, TypeError
        As `eat`.

    Notes
    -----
    p is conditional on this one network and this one set of stimuli, as in `eat`.

    References
    ----------
    A. Caliskan, J. J. Bryson, A. Narayanan (2017), *Science* 356, 183–186 (there, "WEFAT").

    Examples
    --------
    >>> pleasant, unpleasant = [[1, 0], [9, 1], [4, 1]], [[0, 1], [1, 9], [1, 4]]
    >>> print(vb.sc_eat([2, 1], pleasant, unpleasant, alternative="two-sided"))
    d = 1.736, statistic = 0.3892, p = 0.1 (two-sided, all 20 permutations), n = 3 + 3
    """
    w, A, B = validate.unit_rows(w=validate.numbers("w", w, "(d,)")[None], A=A, B=B)
    return _test("AB", A @ w[0], B @ w[0], method, alternative, pooled, ddof, n_permutations, seed)


def _test(
    names: str,
    x: np.ndarray,
    y: np.ndarray,
    method: str,
    alternative: str,
    pooled: bool,
    ddof: int,
    n_permutations: int,
    seed: Any,
) -> AssociationTest:
    """The test of scores x against y; `names` are those of the two groups in messages."""
    validate.choice("method", method, METHODS)
    validate.choice("alternative", alternative, validate.ALTERNATIVES)
    validate.choice("pooled", pooled, (False, True))
    least = max(1, validate.count("ddof", ddof, minimum=0))
    n_permutations = validate.count("n_permutations", n_permutations, minimum=1)
    scores, sizes = np.concatenate([x, y]), f"{names[0]}: {len(x)}, {names[1]}: {len(y)}"
    by_group = pooled or method == "welch"
    if (min(len(x), len(y)) if by_group else len(scores)) <= least:
        who = "each group" if by_group else "both groups together"
        raise ValueError(
            f"{who} must hold more than {least} vectors for method={method!r}, pooled={pooled}, "
            f"ddof={ddof}; got {sizes}."
        )
    difference, spread = map(float, _difference_and_spread(x, y, pooled, ddof))
    within = float(_difference_and_spread(x, y, True, ddof)[1]) if by_group else spread
    if min(spread, within) <= _SAME:
        where = " within the groups" if by_group else ""
        raise ValueError(
            f"zero variance: the scores of {sizes} lie between {scores.min():.6g} and"
            f" {scores.max():.6g} and do not vary{where}. Are vectors repeated, or the attributes"
            " the same?"
        )
    splits = None
    if method == "permutation":
        splits = min(math.comb(len(scores), len(x)), n_permutations)
        p = permutation_tail(
            scores, len(x), alternative=alternative, n_permutations=n_permutations, seed=seed
        )
    elif method == "saddlepoint":
        p = saddlepoint_tail(scores, len(x), alternative=alternative)
    else:
        first, second = ((side.mean(), side.std(ddof=ddof), len(side)) for side in (x, y))
        test = ttest_ind_from_stats(*first, *second, equal_var=False, alternative=alternative)
        p = float(test.pvalue)
    found = difference / spread, difference, p, method, splits, len(x), len(y), scores
    return AssociationTest(*found, alternative, pooled, ddof)


def _difference_and_spread(x: Any, y: Any, pooled: bool, ddof: int) -> tuple[Any, Any]:
    """Difference of means, and the SD that d divides it by, along the last axis."""
    difference = x.mean(axis=-1) - y.mean(axis=-1)
    if not pooled:
        return difference, np.concatenate([x, y], axis=-1).std(axis=-1, ddof=ddof)
    n_x, n_y = x.shape[-1], y.shape[-1]
    squares = (n_x - 1) * x.var(axis=-1, ddof=ddof) + (n_y - 1) * y.var(axis=-1, ddof=ddof)
    return difference, np.sqrt(squares / (n_x + n_y - 2))
