"""Least squares when rows come in clusters, such as the tests of one model: what remains with the
clusters as observations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.regression.linear_model import OLS

from vlmbias.inference.mixed_models import independent, wald
from vlmbias.inference.resampling import cluster_weights, coded
from vlmbias.measures import validate
from vlmbias.rows import same_rows


def per_cluster(y: Any, X: pd.DataFrame, clusters: Any) -> tuple[pd.Series, pd.DataFrame]:
    """One row per cluster: the mean of its outcomes, and its row of the design.

    Parameters
    ----------
    y : array_like `(n,)`
    X : design `(n, p)`, the same in all rows of a cluster.
    clusters : array_like `(n,)`

    Raises
    ------
    ValueError
        A row without a cluster, or a column of the design that varies within a cluster.

    Examples
    --------
    >>> table = pd.DataFrame({"model": ["a", "a", "b", "b"], "size": [1.0, 1.0, 2.0, 2.0]})
    >>> X = vb.mixed_models.design(table, ["size"])
    >>> d, X = vb.clustered.per_cluster([0.1, 0.3, 0.5, 0.7], X, table["model"])
    >>> d.round(2).to_dict()
    {'a': 0.2, 'b': 0.6}
    >>> X
       Intercept  size
    a        1.0   1.0
    b        1.0   2.0
    """
    same_rows(y=y, X=X, clusters=clusters)
    codes, names = coded(clusters, len(X), sort=True)
    groups = X.groupby(codes)
    if (varies := (groups.max() - groups.min()).abs().max() > 1e-12).any():
        raise ValueError(
            f"{list(varies[varies].index)} vary within a cluster, so a cluster has no one row; take"
            " them out, or keep all rows."
        )
    rows = groups.first().set_axis(names)
    return pd.Series(np.asarray(y, float)).groupby(codes).mean().set_axis(names), rows


def least_squares(y: Any, X: pd.DataFrame, *, clusters: Any = None) -> pd.DataFrame:
    r"""Least squares with t-tests; with clusters, by the sandwich that lets rows of a cluster
    depend on each other.

    .. math:: \frac{C}{C-1} \frac{n-1}{n-p} (X^\top X)^{-1} \Big(\sum_c X_c^\top e_c e_c^\top
    X_c\Big) (X^\top X)^{-1}

    (CR1, with t on C − 1 degrees of freedom, as Stata has it; statsmodels works it out). A column
    that differs from zero in one cluster alone, such as a level with a single case, is fitted
    without residual there: the sandwich then knows nothing of that cluster's spread, and the
    standard error is far too small.

    Parameters
    ----------
    y : array_like `(n,)`
    X : design `(n, p)`
    clusters : array_like `(n,)`, or None: independent rows, one variance, n − p degrees of freedom.

    Returns
    -------
    As `mixed_models.wald`; `z` is t.

    Raises
    ------
    ValueError
        No more rows than columns, columns that follow from others, a row without a cluster, or one
        cluster only.

    Examples
    --------
    >>> table = pd.DataFrame({"model": list("aabbccdd"), "size": [1.0, 1, 2, 2, 3, 3, 4, 4]})
    >>> d = [0.1, 0.3, 0.4, 0.4, 0.7, 0.5, 0.8, 1.0]
    >>> X = vb.mixed_models.design(table, ["size"])
    >>> vb.clustered.least_squares(d, X, clusters=table["model"])[["coef", "se", "p"]].round(3)
               coef     se      p
    Intercept -0.05  0.032  0.214
    size       0.23  0.014  0.001
    """
    values, design = _prepared(y, X)
    n, p = _more_rows(design)
    model: Any = OLS(values, design)
    if clusters is None:
        fit, df = model.fit(), n - p
    else:
        same_rows(X=X, clusters=clusters)
        codes, names = coded(clusters, n, min_clusters=2)
        fit = model.fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
        df = len(names) - 1
    return wald(pd.Series(fit.params, X.columns), fit.cov_params(), df=df)


def bootstrap(
    y: Any, X: pd.DataFrame, clusters: Any, *, n_resamples: int = 1_000, seed: Any = 0
) -> pd.DataFrame:
    """Coefficients of least squares when the clusters are drawn anew, with replacement.

    Parameters
    ----------
    y, X, clusters : as for `least_squares`.
    n_resamples : int
    seed : int or numpy.random.Generator

    Returns
    -------
    DataFrame `(n_resamples, p)`. A coefficient that a draw cannot tell, as its level or its
    reference level was not drawn, is NaN there.

    Raises
    ------
    ValueError
        As `least_squares`.

    Examples
    --------
    >>> table = pd.DataFrame({"model": list("aabbccdd"), "size": [1.0, 1, 2, 2, 3, 3, 4, 4]})
    >>> d = [0.1, 0.3, 0.4, 0.4, 0.7, 0.5, 0.8, 1.0]
    >>> X = vb.mixed_models.design(table, ["size"])
    >>> vb.clustered.bootstrap(d, X, table["model"], n_resamples=200).shape
    (200, 2)
    """
    values, design = _prepared(y, X)
    codes, names = coded(clusters, len(design), min_clusters=2)
    weights = cluster_weights(np.arange(len(names)), n_resamples=n_resamples, seed=seed)
    p = design.shape[1]
    W = np.column_stack([design, values])
    products = np.array([W[codes == one].T @ W[codes == one] for one in range(len(names))])
    drawn = (weights @ products.reshape(len(names), -1)).reshape(n_resamples, p + 1, p + 1)
    inverse = np.linalg.pinv(drawn[:, :p, :p], rcond=1e-10, hermitian=True)
    identified = np.diagonal(inverse @ drawn[:, :p, :p], axis1=1, axis2=2) > 1 - 1e-6
    coef = (inverse @ drawn[:, :p, p:])[..., 0]
    return pd.DataFrame(np.where(identified, coef, np.nan), columns=X.columns)


def intervals(draws: pd.DataFrame) -> pd.DataFrame:
    """What bootstrap draws say of each coefficient: se, low, high (95 %, percentiles), identified
    (share of draws that tell it).

    Examples
    --------
    >>> vb.clustered.intervals(pd.DataFrame({"size": [0.1, 0.2, 0.3, np.nan]})).round(3)
           se    low   high  identified
    size  0.1  0.105  0.295        0.75
    """
    ends = (1 - 0.95) / 2
    return pd.DataFrame(
        {
            "se": draws.std(),
            "low": draws.quantile(ends),
            "high": draws.quantile(1 - ends),
            "identified": draws.notna().mean(),
        }
    )


@dataclass(frozen=True)
class JointTest:
    """Whether several coefficients are zero together: F with the df of numerator and denominator,
    its p, and the share of permutations with an F as large, the data's own counted among them (NaN
    without any)."""

    F: float
    df: tuple[int, int]
    p_value: float
    p_permuted: float


def joint(
    y: Any, X: pd.DataFrame, columns: Sequence[str], *, n_permutations: int = 0, seed: Any = 0
) -> JointTest:
    r"""F-test that the coefficients of some columns are all zero, and its permutation version.

    .. math:: F = \frac{(\mathrm{RSS}_0 - \mathrm{RSS}) / k}{\mathrm{RSS} / (n - p)}

    What the other columns leave over of the outcome is assigned anew over the rows (Freedman &
    Lane 1983, *Journal of Business & Economic Statistics* 1(4)), which is to permute the labels
    over cases while the other columns stay with theirs. Rows must be cases: use `per_cluster`
    first.

    Parameters
    ----------
    y : array_like `(n,)`
    X : design `(n, p)`
    columns : names of the columns in question.
    n_permutations : int
    seed : int or numpy.random.Generator

    Returns
    -------
    JointTest
    """
    values, design = _prepared(y, X)
    _more_rows(design)
    validate.count("n_permutations", n_permutations, minimum=0)
    chosen = np.asarray(X.columns.isin(columns))
    if chosen.sum() != len(set(columns)) or not chosen.any():
        raise ValueError(
            f"{list(columns)} must be columns of the design, at least one; it has"
            f" {list(X.columns)}."
        )
    full, reduced = (np.linalg.qr(one).Q for one in (design, design[:, ~chosen]))
    df = int(chosen.sum()), len(values) - design.shape[1]

    def F(outcomes: np.ndarray) -> np.ndarray:
        fits = [((one.T @ outcomes) ** 2).sum(axis=0) for one in (reduced, full)]
        return ((fits[1] - fits[0]) / df[0]) / (((outcomes**2).sum(axis=0) - fits[1]) / df[1])

    rest = values - reduced @ (reduced.T @ values)
    own = float(F(rest[:, None])[0])
    p = np.nan
    if n_permutations:
        rng = np.random.default_rng(seed)
        drawn = F(rng.permuted(np.tile(rest, (n_permutations, 1)), axis=1).T)
        p = (1 + int((drawn >= own * (1 - 1e-9)).sum())) / (n_permutations + 1)
    return JointTest(own, df, float(stats.f.sf(own, *df)), p)


def _prepared(y: Any, X: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Outcome and design as arrays; an error unless they are finite and of full rank."""
    same_rows(y=y, X=X)
    values, design = validate.numbers("y", y, "(n,)"), X.to_numpy(float)
    if len(values) != len(design) or not np.isfinite(values).all() or not np.isfinite(design).all():
        raise ValueError(
            f"y and the design must be finite and have as many rows; got {len(values)} and"
            f" {len(design)}."
        )
    independent(X)
    return values, design


def _more_rows(design: np.ndarray) -> tuple[int, int]:
    """How many rows and columns; an error unless some rows are left over, from which errors are
    estimated."""
    n, p = design.shape
    if n <= p:
        raise ValueError(
            f"{n} rows for {p} coefficients leave none to estimate a standard error from; take more"
            " rows or fewer columns."
        )
    return n, p
