"""Resampling whole clusters: what a result owes to the identities that happened to be drawn."""

from typing import Any

import numpy as np
import pandas as pd

from vlmbias.measures import validate


def cluster_weights(clusters: Any, *, n_resamples: int = 1_000, seed: Any = 0) -> np.ndarray:
    r"""How often each value counts when its clusters are drawn anew, with replacement.

    .. math:: w_{ri} = \prod_{j} m_{r, c_j(i)}, \quad m_r \sim \text{Multinomial}(C, 1/C)

    A value that rests on two clusters, such as the difference between two identities, counts as
    often as the product of their multiplicities: the bootstrap of a two-sample (U) statistic. With
    few clusters a draw may leave no such value, as when one identity is drawn every time; it is
    then drawn anew.

    Parameters
    ----------
    clusters : array_like, shape (n,) or (n, k)
        The cluster or clusters of each value; labels of any kind, from one common pool.
    n_resamples : int
    seed : int or numpy.random.Generator

    Returns
    -------
    numpy.ndarray of int, shape (n_resamples, n)

    Raises
    ------
    ValueError
        Fewer than two clusters, a missing label, or a wrong shape.

    Examples
    --------
    Four pictures of two people: both pictures of a person are drawn together.

    >>> vb.cluster_weights(["a", "a", "b", "b"], n_resamples=4, seed=1)
    array([[1, 1, 1, 1],
           [2, 2, 0, 0],
           [0, 0, 2, 2],
           [2, 2, 0, 0]])
    """
    labels = kept_missing(clusters)
    if labels.ndim not in (1, 2) or not labels.size:
        raise ValueError(f"clusters must have shape (n,) or (n, k) with n ≥ 1; got {labels.shape}.")
    validate.count("n_resamples", n_resamples, minimum=1)
    codes, names = coded(labels.ravel(), labels.size, min_clusters=2)
    rng = np.random.default_rng(seed)
    weights = np.zeros((n_resamples, len(labels)), dtype=np.int64)
    for _ in range(100):
        if not (empty := ~weights.any(axis=1)).any():
            break
        times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=empty.sum())
        weights[empty] = times[:, codes.reshape(len(labels), -1)].prod(axis=2)
    return weights


def kept_missing(clusters: Any) -> np.ndarray:
    """Labels as an array in which what is missing stays missing: among texts, numpy makes "nan" of
    it."""
    return np.asarray(
        clusters,
        dtype=None if hasattr(clusters, "dtype") or hasattr(clusters, "dtypes") else object,
    )


def coded(
    clusters: Any, n: int, *, min_clusters: int = 1, sort: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The number of each of n rows' cluster, in the order of rows or (`sort`) of labels, and the
    labels; an error if a row has none, or if there are fewer than `min_clusters`."""
    labels = kept_missing(clusters)
    if labels.shape != (n,):
        raise ValueError(
            f"clusters must have a label for each of the {n} rows; got shape {labels.shape}."
        )
    codes, names = pd.factorize(labels, sort=sort)
    if (missing := np.flatnonzero(codes < 0)).size:
        raise ValueError(
            f"every row needs a cluster; {missing.size} of {n} have none, such as row {missing[0]}."
            " Leave them out or label them."
        )
    if len(names) < min_clusters:
        raise ValueError(
            f"what differs between clusters takes at least {min_clusters}; all {n} rows are of"
            f" cluster {names[0]}."
        )
    return codes, np.asarray(names)


def weighted_medians(values: Any, weights: Any) -> np.ndarray:
    """The lower median of the values under each row of weights.

    Parameters
    ----------
    values : array_like, shape (n,)
    weights : array_like of int, shape (n_resamples, n)
        As from `cluster_weights`; non-negative, not all zero in any row.

    Returns
    -------
    numpy.ndarray, shape (n_resamples,)
        For whole-number weights, the lower middle value of the sample in which each value is
        repeated as often as its weight.

    Raises
    ------
    ValueError
        Shapes that do not fit, NaN or infinite values, negative or NaN weights, or a row without
        any weight.

    Examples
    --------
    >>> vb.weighted_medians([1.0, 2.0, 10.0], [[1, 1, 1], [1, 0, 2], [1, 1, 0]])
    array([ 2., 10.,  1.])
    """
    values = validate.finite("values", values, "(n,)")
    weights = np.asarray(weights)
    if weights.ndim != 2 or weights.shape[1] != len(values):
        raise ValueError(
            f"weights must have shape (n_resamples, {len(values)}); got {weights.shape}."
        )
    if (
        not (weights >= 0).all()
        or not np.isfinite(totals := weights.sum(axis=1)).all()
        or not totals.all()
    ):
        raise ValueError("weights must be non-negative numbers, with a positive sum in every row.")
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[:, order], axis=1) >= (totals / 2)[:, None]
    return values[order][reached.argmax(axis=1)]
