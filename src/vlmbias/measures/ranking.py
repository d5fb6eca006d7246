"""Measures of whole rankings: whom a query finds first, and when a group is said without its name.
Images are ranked by one score each, highest first; desired shares are uniform unless given."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import xlogy

from vlmbias.rows import same_rows

from . import validate


def markedness(neutral: Any, marked: Any) -> float:
    r"""Percent of images that are nearer to the neutral prompt than to the prompt that names their
    group.

    .. math:: M\% = \frac{100}{n} \sum_{i=1}^{n} \mathbf 1\{\cos(i, t_n) > \cos(i, t_m)\}

    A group with a high value goes without saying: it is *unmarked*.

    Parameters
    ----------
    neutral, marked : array_like, shape (n,)
        Cosine of each image of one group with the neutral prompt, and with the one that names the
        group.

    Returns
    -------
    float
        Between 0 and 100. An equal pair does not count as a preference for the neutral prompt.

    Raises
    ------
    ValueError, TypeError
        Arrays of different lengths, NaN, or no image at all: an empty group has no percentage, not
        0.

    References
    ----------
    C. Hausladen et al. (2025), Equation 8; after R. Wolfe, A. Caliskan (2022), *FAccT*, 1269–1279.

    Examples
    --------
    Two of four images are nearer to "a person" than to "a teal person":

    >>> vb.markedness(neutral=[0.24, 0.25, 0.22, 0.21], marked=[0.20, 0.26, 0.23, 0.19])
    50.0
    """
    same_rows(neutral=neutral, marked=marked)
    plain = validate.finite("neutral", neutral, "(n,)")
    named = validate.finite("marked", marked, "(n,)")
    if plain.shape != named.shape:
        raise ValueError(
            f"neutral and marked must hold the same images; got shapes {plain.shape} and"
            f" {named.shape}."
        )
    return float(100 * np.mean(plain > named))


def skew_at_k(
    scores: Any, groups: Any, k: int, *, desired: Any = None, zero: float = -np.inf
) -> pd.Series:
    r"""Skew@k of every group: the log of its share among the k highest scores over its desired
    share.

    .. math:: \mathrm{Skew}_A@k = \ln \frac{p_{k,A}}{p_{d,A}}

    Parameters
    ----------
    scores : array_like, shape (n,)
        One per image. The k highest are taken; of equal scores the ones that come first.
    groups : array_like, shape (n,)
        The group of each image: strings, numbers or a categorical, which is fastest (for many
        queries on the same images see `rankings`).
    k : int
        1 to n.
    desired : mapping of group to share, optional
        Positive shares of exactly the groups that occur, with sum 1; default uniform. For shares as
        in all n images pass ``groups.value_counts(normalize=True)``.
    zero : float
        The value for a group with no image among the k, whose logarithm is −∞.

    Returns
    -------
    pandas.Series
        Natural logarithms, indexed by group, in the order in which groups first appear (of a
        categorical: in the order of its categories). Categories that no image has are left out.

    Raises
    ------
    ValueError, TypeError
        Shapes that do not fit, NaN, an image without a group, k outside 1 to n, shares that are not
        positive, do not sum to 1 or are not of exactly the groups that occur.

    References
    ----------
    S. C. Geyik, S. Ambler, K. Kenthapadi (2019), *KDD*, 2221–2231, Definition 2.
    C. Hausladen et al. (2025), Equation 9 (Equation 8 of the earlier appendix).

    Examples
    --------
    >>> hues = ["teal", "teal", "amber", "amber", "teal", "amber"]
    >>> vb.skew_at_k([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], hues, k=3).round(3)
    teal     0.288
    amber   -0.405
    Name: skew@3, dtype: float64

    Violet is not among the first two, and the logarithm of 0 is minus infinity:

    >>> vb.skew_at_k([3, 2, 1], ["teal", "amber", "violet"], k=2, zero=-1.0).round(3).to_dict()
    {'teal': 0.405, 'amber': 0.405, 'violet': -1.0}
    """
    scores, codes, shares = _ranking(scores, groups, desired)
    skew = _skew(_top(scores, codes, len(shares), k), k, shares, zero)
    return pd.Series(skew, index=shares.index, name=f"skew@{k}")


def max_skew_at_k(
    scores: Any, groups: Any, k: int, *, desired: Any = None, zero: float = -np.inf
) -> float:
    r"""MaxSkew@k: the largest Skew@k of any group.

    .. math:: \mathrm{MaxSkew}@k = \max_A \mathrm{Skew}_A@k

    It is never negative, because some group always has at least its desired share among the k, and
    it is 0 only if every group has exactly that.

    Parameters
    ----------
    scores, groups, k, desired, zero
        As in `skew_at_k`.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        As `skew_at_k`.

    References
    ----------
    S. C. Geyik, S. Ambler, K. Kenthapadi (2019), *KDD*, 2221–2231, Definition 3.

    Examples
    --------
    >>> hues = ["teal", "teal", "amber", "amber", "teal", "amber"]
    >>> round(vb.max_skew_at_k([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], hues, k=3), 3)
    0.288
    """
    return float(skew_at_k(scores, groups, k, desired=desired, zero=zero).max())


def ndkl(scores: Any, groups: Any, *, desired: Any = None) -> float:
    r"""NDKL: how far the groups' shares in every top i are from the desired ones, early ranks
    counting most.

    .. math::

        \mathrm{NDKL} = \frac{1}{Z} \sum_{i=1}^{n} \frac{d_{KL}(D_i \,\|\, D)}{\log_2(i + 1)},
        \qquad
        d_{KL}(D_i \,\|\, D) = \sum_A D_i(A) \ln \frac{D_i(A)}{D(A)}, \qquad Z = \sum_{i=1}^{n}
        \frac{1}{\log_2(i + 1)}

    with D_i(A) the share of group A among the i highest scores and 0 ln 0 = 0.

    Parameters
    ----------
    scores, groups, desired
        As in `skew_at_k`; all n ranks are used, equal scores in the order given.

    Returns
    -------
    float
        0 or more, in natural units (nats). With two or more groups it is never 0: the first rank
        holds one image, of one group. Compare it with rankings at random.

    Raises
    ------
    ValueError, TypeError
        As `skew_at_k`.

    References
    ----------
    S. C. Geyik, S. Ambler, K. Kenthapadi (2019), *KDD*, 2221–2231, Definition 4.
    C. Hausladen et al. (2025), Equations 10 and 11 (9 and 10 of the earlier appendix).

    Examples
    --------
    >>> round(vb.ndkl([4, 3, 2, 1], ["teal", "amber", "teal", "amber"]), 3)
    0.282

    All of one hue first:

    >>> round(vb.ndkl([4, 3, 2, 1], ["teal", "teal", "amber", "amber"]), 3)
    0.452
    """
    scores, codes, shares = _ranking(scores, groups, desired)
    return _divergence(scores, codes, _steps(codes, shares))


@dataclass(frozen=True, eq=False, repr=False)
class Rankings:
    """The same images ranked by several queries: what `skew_at_k` and `ndkl` give for each.

    Made by `rankings`. Checks and group names are worked out once, so many queries cost little more
    than sorting them.

    Attributes
    ----------
    scores : float64 `(queries, n)`.
    queries : their names.
    codes : the group of each image as a position in `shares`, `(n,)`.
    shares : the desired share of each group.
    """

    scores: np.ndarray
    queries: pd.Index
    codes: np.ndarray
    shares: pd.Series

    def __repr__(self) -> str:
        return (
            f"Rankings({len(self.queries)} queries × {len(self.codes):,} images in"
            f" {len(self.shares)} groups)"
        )

    def skew_at_k(self, k: int, *, zero: float = -np.inf) -> pd.DataFrame:
        """Skew@k as `vb.skew_at_k` defines it, `(queries × groups)`."""
        counts = [_top(scores, self.codes, len(self.shares), k) for scores in self.scores]
        skew = _skew(np.array(counts), k, self.shares, zero)
        return pd.DataFrame(skew, index=self.queries, columns=self.shares.index)

    def ndkl(self) -> pd.Series:
        """NDKL as `vb.ndkl` defines it, per query."""
        steps = _steps(self.codes, self.shares)
        return pd.Series(
            [_divergence(scores, self.codes, steps) for scores in self.scores], index=self.queries
        )


def rankings(scores: pd.DataFrame, groups: Any, *, desired: Any = None) -> Rankings:
    """Rank the same images by every column of a table, for Skew@k and NDKL of all of them at once.

    Parameters
    ----------
    scores : DataFrame, shape (n × queries)
        One row per image, one column per query.
    groups, desired
        As in `skew_at_k`.

    Returns
    -------
    Rankings
        With `.skew_at_k(k)` and `.ndkl()`.

    Raises
    ------
    ValueError, TypeError
        As `skew_at_k`; for scores that are no table, or a table without a column.

    Examples
    --------
    >>> scores = pd.DataFrame({"a kind person": [4, 3, 2, 1], "a rude person": [1, 4, 2, 3]})
    >>> ranked = vb.rankings(scores, ["teal", "teal", "amber", "amber"])
    >>> ranked
    Rankings(2 queries × 4 images in 2 groups)
    >>> ranked.skew_at_k(2, zero=-1.0).round(2)
                   teal  amber
    a kind person  0.69   -1.0
    a rude person  0.00    0.0
    >>> ranked.ndkl().round(3).to_dict()
    {'a kind person': 0.452, 'a rude person': 0.282}
    """
    if not isinstance(scores, pd.DataFrame) or scores.empty:
        raise TypeError(
            "scores must be a DataFrame, images × queries, that is not empty; got"
            f" {type(scores).__name__} of shape {np.shape(scores)}. For one query use vb.skew_at_k"
            " or vb.ndkl."
        )
    same_rows(scores=scores, groups=groups)
    columns = [
        validate.finite(f"scores[{name!r}]", column, "(n,)") for name, column in scores.items()
    ]
    _, codes, shares = _ranking(columns[0], groups, desired)
    return Rankings(np.array(columns), scores.columns, codes, shares)


def _top(scores: np.ndarray, codes: np.ndarray, n_groups: int, k: Any) -> np.ndarray:
    """Images of each group among the k highest scores, `(groups,)`; of equal scores the first
    count."""
    if validate.count("k", k, minimum=1) > len(scores):
        raise ValueError(f"k must be no more than the number of images, {len(scores)}; got {k}.")
    last = np.partition(scores, len(scores) - k)[len(scores) - k]  # the k-th highest
    counts = np.bincount(codes[scores > last], minlength=n_groups)
    return counts + np.bincount(codes[scores == last][: k - counts.sum()], minlength=n_groups)


def _skew(counts: np.ndarray, k: Any, shares: pd.Series, zero: float) -> np.ndarray:
    """ln(share among the k / desired share) of counts `(…, groups)`, and `zero` where nobody is
    counted."""
    with np.errstate(divide="ignore"):
        return np.where(counts, np.log(counts / k / shares.to_numpy()), zero)


def _steps(codes: np.ndarray, shares: pd.Series) -> list[np.ndarray]:
    """For each group, what each of its images, in the order of their ranks, adds to i·KL_i + i ln
    i.

    That sum is Σ_A c ln(c/D(A)), with c images of A among the first i: a rank changes the term of
    its own group only."""
    counts = (np.arange(size + 1) for size in np.bincount(codes, minlength=len(shares)))
    return [np.diff(xlogy(c, c / share)) for c, share in zip(counts, shares, strict=True)]


def _divergence(scores: np.ndarray, codes: np.ndarray, steps: list[np.ndarray]) -> float:
    """NDKL of one ranking, `steps` from `_steps`: what a rank adds counts from there on."""
    order = np.argsort(-scores)
    ranked = scores[order]
    if (ranked[1:] == ranked[:-1]).any():  # only then does the slower stable sort matter
        order = np.argsort(-scores, kind="stable")
    codes, later, constant = codes[order], *_discounts(len(scores))
    total = sum(
        float(step @ later[np.flatnonzero(codes == group)]) for group, step in enumerate(steps)
    )
    return max(0.0, total - constant)


@lru_cache(maxsize=8)
def _discounts(n: int) -> tuple[np.ndarray, float]:
    """With weights w_i ∝ 1/log2(i + 1): Σ_{j ≥ i} w_j/j for each rank i, `(n,)`, and Σ w_i ln i."""
    rank = np.arange(1, n + 1)
    weight = 1 / np.log2(rank + 1)
    weight /= weight.sum()
    later = np.cumsum((weight / rank)[::-1])[::-1]
    later.flags.writeable = False
    return later, float(weight @ np.log(rank))


def _ranking(scores: Any, groups: Any, desired: Any) -> tuple[np.ndarray, np.ndarray, pd.Series]:
    """Scores `(n,)`, each image's group as a code `(n,)`, and the desired share of each code's
    group."""
    same_rows(scores=scores, groups=groups)
    scores = validate.finite("scores", scores, "(n,)")
    if isinstance(getattr(groups, "dtype", None), pd.CategoricalDtype):
        own = pd.Categorical(groups).remove_unused_categories()
        codes, names = np.asarray(own.codes, np.intp), own.categories
    else:
        labels = np.asarray(groups, dtype=object)
        codes, names = pd.factorize(labels) if labels.ndim == 1 else (labels, labels)
    if codes.shape != scores.shape:
        raise ValueError(
            f"scores and groups must hold the same images; got shapes {scores.shape} and"
            f" {codes.shape}."
        )
    if codes.min() < 0:
        raise ValueError(
            f"every image needs a group; image {codes.argmin()} has none. Leave it out or label it."
        )
    if desired is None:
        return scores, codes, pd.Series(1 / len(names), index=names)
    if not isinstance(desired, Mapping | pd.Series):
        raise TypeError(f"desired must map group to share; got {type(desired).__name__}.")
    shares = pd.Series(dict(desired), dtype=np.float64)
    if set(shares.index) != set(names):
        raise ValueError(
            f"desired must name exactly the groups that occur, {', '.join(map(repr, names))}; "
            f"got {', '.join(map(repr, shares.index)) or 'none'}. Are labels spelt alike?"
        )
    if not (shares > 0).all() or abs(shares.sum() - 1) > 1e-9:
        raise ValueError(
            f"desired shares must be positive and sum to 1; got {dict(shares)}, sum"
            f" {shares.sum():.6g}."
        )
    return scores, codes, shares.loc[names]
