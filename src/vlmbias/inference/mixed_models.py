"""Linear mixed models by REML: random slopes by one grouping, and random effects that cross.

Two engines with the same record. `fit` is statsmodels, for one grouping: what published analyses in
Python ran. `crossed` is for any number of groupings, nested or crossed, each with its slopes:
statsmodels has no crossed effects with correlated slopes. It is penalised least squares (Bates et
al. 2015), as in R's lme4; tests hold it against both."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import linalg, optimize, stats
from statsmodels.regression.mixed_linear_model import MixedLM

INTERCEPT = "Intercept"
STATSMODELS, STEPS = ("lbfgs", "powell"), 1_000  # optimisers of `fit`, and most steps of each
SCIPY = {  # those of `crossed`
    "L-BFGS-B": {"ftol": 1e-12, "gtol": 1e-6, "maxiter": 1_000},
    "SLSQP": {"ftol": 1e-10, "maxiter": 1_000},
}
AGREE = 0.01  # log-likelihoods of two optimisers that differ by more are two answers, not one
FLAT = 1e-2  # an effect whose own SD, beside the residual's, is smaller counts as none
# gain of 2ℓ per unit of a relative variance from which on it is tried to climb further
RISES = 0.05
# a log-likelihood that is lower than that of the nearest optimum by more is no optimum
MISSED = 1e-4

# grouping column → columns of the design with a slope of their own in each group
Random = Mapping[str, Sequence[str]]


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted mixed model, and how much to trust the optimum.

    Attributes
    ----------
    coefficients : one row per fixed effect: coef, se, z, p (two-sided, normal), low, high (95 %).
    random_covariance : grouping → covariance of its intercept and slopes.
    random_se : the same shape, of `fit` alone: what statsmodels prints as standard errors of these.
        They are those of the covariance over σ², times σ: of the covariance itself, when times σ
        once more.
    scale : residual variance.
    log_likelihood : the restricted log-likelihood at the better optimum.
    tried : one row per optimiser: log_likelihood, converged (by its own account).
    remarks : what speaks against taking this for the optimum, and whether a combination of random
        effects has (nearly) no variance of its own; empty if nothing does.
    n : rows.
    """

    coefficients: pd.DataFrame
    random_covariance: Mapping[str, pd.DataFrame]
    random_se: Mapping[str, pd.DataFrame]
    scale: float
    log_likelihood: float
    tried: pd.DataFrame
    remarks: tuple[str, ...]
    n: int


def design(
    table: pd.DataFrame,
    numbers: Sequence[str] = (),
    factors: Mapping[str, Any] | Sequence[str] = (),
) -> pd.DataFrame:
    """Columns of fixed effects: an intercept, one column per level of a factor but its reference,
    and numbers.

    Parameters
    ----------
    table : one row per case.
    numbers : columns taken as they are.
    factors : column → reference level, or None for the first in alphabetical order; or column names
        alone.

    Returns
    -------
    DataFrame with columns "Intercept", "factor[level]" …, numbers; the table's index.

    Raises
    ------
    ValueError
        A missing or infinite value, or a reference level that no row has.

    Examples
    --------
    >>> models = pd.DataFrame({"family": ["ViT", "RN", "ViT"], "size": [1.0, 2.0, 3.0]})
    >>> vb.mixed_models.design(models, ["size"], {"family": "ViT"})
       Intercept  family[RN]  size
    0        1.0         0.0   1.0
    1        1.0         1.0   2.0
    2        1.0         0.0   3.0
    """
    references = dict(factors) if isinstance(factors, Mapping) else dict.fromkeys(factors)
    columns: dict[str, Any] = {INTERCEPT: np.ones(len(table))}
    for factor, reference in references.items():
        if (missing := table[factor].isna()).any():
            raise ValueError(
                f"{factor} has no level in row {table.index[missing][0]}; leave such rows out."
            )
        levels = sorted(table[factor].unique())
        if reference is not None and reference not in levels:
            raise ValueError(f"{reference!r} is no level of {factor}; there are {levels}.")
        for level in levels:
            if level != (levels[0] if reference is None else reference):
                columns[f"{factor}[{level}]"] = (table[factor] == level).to_numpy(float)
    for name in numbers:
        values = table[name].to_numpy(float)
        if not np.isfinite(values).all():
            raise ValueError(
                f"{name} is missing or infinite in {(~np.isfinite(values)).sum()} rows; leave them"
                " out."
            )
        columns[name] = values
    return pd.DataFrame(columns, index=table.index)


def independent(X: pd.DataFrame) -> None:
    """Raise where columns of a design follow from others."""
    if (rank := np.linalg.matrix_rank(X.to_numpy(float))) < X.shape[1]:
        raise ValueError(
            f"the {X.shape[1]} columns of the design have rank {rank}: some of {list(X.columns)}"
            " follow from the others; take one out."
        )


def wald(coefficients: Any, covariance: Any, *, df: float = np.inf) -> pd.DataFrame:
    r"""Coefficients with standard errors, z = coef / se, two-sided p and 95 % interval
    coef ± q · se.

    Parameters
    ----------
    coefficients : Series `(p,)`, by name.
    covariance : array `(p, p)`.
    df : degrees of freedom; infinite for the normal distribution.

    Returns
    -------
    One row per coefficient: coef, se, z (t where `df` is finite), p, low, high.

    Examples
    --------
    >>> vb.mixed_models.wald({"size": 0.5}, [[0.04]]).round(3)
          coef   se    z      p    low   high
    size   0.5  0.2  2.5  0.012  0.108  0.892
    """
    coef = pd.Series(coefficients, dtype=float)
    se = np.sqrt(np.diag(np.atleast_2d(np.asarray(covariance, float))).clip(min=0))
    half = stats.t.ppf(0.975, df) * se
    with np.errstate(divide="ignore", invalid="ignore"):
        z = coef.to_numpy() / se
    return pd.DataFrame(
        {
            "coef": coef,
            "se": se,
            "z": z,
            "p": 2 * stats.t.sf(np.abs(z), df),
            "low": coef - half,
            "high": coef + half,
        }
    )


def fit(table: pd.DataFrame, X: pd.DataFrame, *, outcome: str, random: Random) -> Fit:
    r"""A mixed model with one grouping, fitted by statsmodels with REML and Wald z, by two of its
    optimisers: the better log-likelihood is taken.

    .. math:: y_{ij} = x_{ij}^\top β + z_{ij}^\top u_j + ε_{ij}, \quad u_j \sim N(0, Ψ), \; ε_{ij}
    \sim N(0, σ^2)

    Parameters
    ----------
    table : has the outcome and the grouping column; row by row with `X`.
    X : fixed effects, as from `design`; what has a random slope is among them.
    outcome : column of `table`.
    random : one grouping column and its slopes, of about unit scale; an intercept is always among
        its effects.

    Raises
    ------
    ValueError
        More groupings than one or none, a column that is not there, values that are missing, an
        outcome that is constant, columns of `X` that depend on each other.
    """
    y, effects = _checked(table, X, outcome, random)
    if len(effects) != 1:
        raise ValueError(
            f"fit takes one grouping; got {list(random)}. For several there is `crossed`."
        )
    ((labels, Z),) = effects.values()
    model, tried = MixedLM(y, X, groups=labels, exog_re=Z), {}
    for one in STATSMODELS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say is in the record
            tried[one] = model.fit(reml=True, method=one, maxiter=STEPS)
    best = max(tried.values(), key=lambda one: one.llf)
    p, scale = X.shape[1], float(best.scale)
    covariance = np.asarray(best.cov_params())[:p, :p]
    solution = np.asarray(best.fe_params), covariance, scale
    found = {one: (float(result.llf), bool(result.converged)) for one, result in tried.items()}
    record = _record(
        _Problem.of(y, X, effects),
        [_lower(np.asarray(best.cov_re) / scale)],
        solution,
        found,
        X,
        effects,
    )
    lower, errors = np.tril_indices(Z.shape[1]), np.empty((Z.shape[1], Z.shape[1]))
    errors[lower] = errors[lower[::-1]] = np.sqrt(scale) * np.asarray(best.bse)[p:]
    return replace(
        record, random_se={next(iter(effects)): pd.DataFrame(errors, Z.columns, Z.columns)}
    )


def crossed(table: pd.DataFrame, X: pd.DataFrame, *, outcome: str, random: Random) -> Fit:
    r"""A mixed model with any number of groupings, crossed or nested, by penalised least squares
    and REML.

    With :math:`Λ_θ` the relative Cholesky factor of the random effects' covariance, the criterion
    at θ is

    .. math:: -2ℓ = 2\log|L_θ| + 2\log|R_θ| + (n - p)\left(1 + \log\frac{2π r^2_θ}{n - p}\right),
    \quad
        L_θ L_θ^\top = Λ_θ^\top Z^\top Z Λ_θ + I

    (Bates, Mächler, Bolker & Walker 2015, *Journal of Statistical Software* 67(1), eqs. 33–42).
    Coefficients and σ follow from θ in closed form; standard errors are those of generalised least
    squares at the estimated variances. An optimiser can be caught where a variance is zero, as the
    criterion is flat there in θ: from there it is started again in the direction in which the
    likelihood rises with that variance, if there is one. Two optimisers are tried, and the better
    log-likelihood is taken.

    Parameters
    ----------
    table, X, outcome : as for `fit`.
    random : grouping column → its slopes, of about unit scale; each grouping has an intercept, too.
        Effects of one grouping may correlate.

    Raises
    ------
    ValueError
        As `fit`; or a grouping with one group, or with as many as there are rows.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> table = pd.DataFrame({"model": np.repeat(list("abcdefgh"), 6), "test": [*"uvwxyz"] * 8})
    >>> table["size"] = rng.normal(size=48)
    >>> table["d"] = table["size"] / 2 + rng.normal(size=48) / 10
    >>> table["d"] += np.repeat(rng.normal(size=8), 6)
    >>> X = vb.mixed_models.design(table, ["size"])
    >>> fitted = vb.mixed_models.crossed(table, X, outcome="d", random={"model": [], "test": []})
    >>> fitted.coefficients[["coef", "se"]].round(2)
               coef    se
    Intercept -0.35  0.31
    size       0.51  0.02
    >>> fitted.n, fitted.remarks
    (48, ())
    """
    y, effects = _checked(table, X, outcome, random)
    problem = _Problem.of(y, X, effects)
    tried = {one: _minimum(problem, one) for one in SCIPY}
    best = min(tried.values(), key=lambda one: one.fun)
    found = {one: (-float(result.fun) / 2, bool(result.success)) for one, result in tried.items()}
    return _record(problem, problem.factors(best.x), problem.solution(best.x), found, X, effects)


def _minimum(problem: "_Problem", optimiser: str, start: np.ndarray | None = None) -> Any:
    """The optimum; where a variance is caught at zero, the search starts again beside it."""
    result: Any = None
    start = problem.start() if start is None else start
    for _ in range(5):
        result = optimize.minimize(
            problem.gradient,
            start,
            jac=True,
            method=optimiser,
            bounds=problem.bounds(),
            options=SCIPY[optimiser],
        )
        factors, caught = problem.factors(result.x), False
        for number, slope in enumerate(problem.slopes(result.x)[1]):
            falls, direction = np.linalg.eigh(slope)
            if falls[0] < -RISES:
                step, caught = direction[:, :1] / 10, True
                factors[number] = _lower(factors[number] @ factors[number].T + step @ step.T)
        if not caught:
            break
        start = problem.packed(factors)
    return result


def _checked(
    table: pd.DataFrame, X: pd.DataFrame, outcome: str, random: Random
) -> tuple[pd.Series, dict[str, tuple]]:
    """The outcome, and for each grouping its labels and the columns of its effects."""
    if missing := [name for name in (outcome, *random) if name not in table]:
        raise ValueError(f"{missing} are no columns of the table, which has {list(table.columns)}.")
    if missing := [slope for slopes in random.values() for slope in slopes if slope not in X]:
        raise ValueError(
            f"{missing} have a random slope and are no columns of the design, which has {list(X)}."
        )
    if not random:
        raise ValueError(
            "a mixed model needs something that varies at random; name a grouping column in"
            " `random`."
        )
    y = table[outcome].astype(float)
    if not table.index.equals(X.index):
        raise ValueError("table and X must have the same rows in the same order.")
    if not np.isfinite(y).all() or not np.isfinite(X.to_numpy(float)).all():
        raise ValueError(
            f"{outcome} and the design must be finite; leave out rows with missing values."
        )
    if y.nunique() < 2:
        raise ValueError(
            f"{outcome} is {y.iloc[0]:g} in all {len(y)} rows; what does not vary cannot be"
            " explained."
        )
    independent(X)
    effects = {}
    for name, slopes in random.items():
        if table[name].isna().any() or not 1 < table[name].nunique() < len(table):
            raise ValueError(
                f"{name} must name a group for every row, and have more than 1 group and fewer than"
                f" {len(table)}; got {table[name].nunique()}, {table[name].isna().sum()} missing."
            )
        effects[name] = (
            table[name],
            X[list(slopes)].assign(**{INTERCEPT: 1.0})[[INTERCEPT, *slopes]],
        )
    return y, effects


def _record(
    problem: "_Problem",
    factors: list[np.ndarray],
    solution: tuple[np.ndarray, np.ndarray, float],
    found: dict[str, tuple[float, bool]],
    X: pd.DataFrame,
    effects: Mapping[str, tuple],
) -> Fit:
    """What was found, with what speaks against it."""
    coef, covariance, scale = solution
    tried = pd.DataFrame.from_dict(found, orient="index", columns=["log_likelihood", "converged"])
    flat = [
        name for name, L in zip(effects, factors, strict=True) if np.abs(np.diag(L)).min() < FLAT
    ]
    deviance, slopes = problem.slopes(problem.packed(factors))
    rises = [
        name
        for name, slope in zip(effects, slopes, strict=True)
        if np.linalg.eigvalsh(slope)[0] < -RISES
    ]
    missed = (
        (deviance - _minimum(problem, "L-BFGS-B", problem.packed(factors)).fun) / 2
        if rises
        else 0.0
    )
    heights, remarks = tried["log_likelihood"], []
    if not tried.loc[heights.idxmax(), "converged"]:
        remarks.append(f"{heights.idxmax()}, the better optimiser, did not converge")
    if heights.max() - heights.min() > AGREE:
        remarks.append(
            f"the optimisers stopped {heights.max() - heights.min():.2f} apart in log-likelihood"
        )
    if missed > MISSED:
        remarks.append(
            f"no optimum: the log-likelihood is {missed:.2g} higher nearby, with a larger variance"
            f" of {', '.join(rises)}"
        )
    if flat:
        remarks.append(f"at the boundary: a variance of {', '.join(flat)} is estimated as zero")
    random_covariance = {
        name: pd.DataFrame(scale * L @ L.T, Z.columns, Z.columns)
        for (name, (_, Z)), L in zip(effects.items(), factors, strict=True)
    }
    return Fit(
        wald(pd.Series(coef, X.columns), covariance),
        random_covariance,
        {},
        scale,
        float(heights.max()),
        tried,
        tuple(remarks),
        len(X),
    )


def _lower(covariance: np.ndarray) -> np.ndarray:
    """The Cholesky factor of a covariance that may be singular."""
    values, vectors = np.linalg.eigh(covariance)
    R = np.linalg.qr((vectors * np.sqrt(values.clip(min=0))).T).R
    return (R * np.where(np.diag(R) < 0, -1.0, 1.0)[:, None]).T


@dataclass(frozen=True, eq=False)
class _Problem:
    """Cross-products of one data set: all that the criterion needs, whatever θ.

    Columns of Z stand grouping by grouping, within it group by group, within that effect by effect.
    """

    n: int
    p: int
    shapes: tuple[tuple[int, int], ...]  # groups and effects of each grouping
    ZZ: np.ndarray
    ZW: np.ndarray  # W: the design, then the outcome
    WW: np.ndarray

    @classmethod
    def of(
        cls, y: pd.Series, X: pd.DataFrame, effects: Mapping[str, tuple[pd.Series, pd.DataFrame]]
    ) -> "_Problem":
        W, blocks, shapes = np.column_stack([X.to_numpy(float), y]), [], []
        for labels, values in effects.values():
            codes, names = pd.factorize(labels)
            k = values.shape[1]
            Z = np.zeros((len(y), len(names), k))
            Z[np.arange(len(y)), codes] = values
            blocks.append(Z.reshape(len(y), -1))
            shapes.append((len(names), k))
        Z = np.hstack(blocks)
        return cls(len(y), X.shape[1], tuple(shapes), Z.T @ Z, Z.T @ W, W.T @ W)

    def start(self) -> np.ndarray:
        return self.packed([np.eye(k) for _, k in self.shapes])

    def packed(self, factors: list[np.ndarray]) -> np.ndarray:
        """θ: the lower triangles in a row."""
        return np.concatenate([L[np.tril_indices(len(L))] for L in factors])

    def bounds(self) -> list[tuple[float, float]]:
        lows = [
            np.where(np.eye(k, dtype=bool), 0.0, -1e3)[np.tril_indices(k)] for _, k in self.shapes
        ]
        return [(float(low), 1e3) for low in np.concatenate(lows)]

    def factors(self, θ: np.ndarray) -> list[np.ndarray]:
        """The lower triangle of each grouping's relative covariance."""
        found, place = [], 0
        for _, k in self.shapes:
            L, size = np.zeros((k, k)), k * (k + 1) // 2
            L[np.tril_indices(k)] = θ[place : place + size]
            found.append(L)
            place += size
        return found

    def _scaled(self, rows: np.ndarray, factors: list[np.ndarray]) -> np.ndarray:
        """Λᵀ rows, without forming Λ."""
        found, place = np.empty_like(rows), 0
        for (groups, k), L in zip(self.shapes, factors, strict=True):
            end = place + groups * k
            found[place:end] = (L.T @ rows[place:end].reshape(groups, k, -1)).reshape(
                groups * k, -1
            )
            place = end
        return found

    def solved(self, θ: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The factor L, L⁻¹ΛᵀZᵀW, and the upper triangle R with RᵀR = WᵀV⁻¹W (V: covariance of the
        outcome over σ²)."""
        factors = self.factors(θ)
        inner = self._scaled(self._scaled(self.ZZ, factors).T, factors)
        inner[np.diag_indices_from(inner)] += 1.0
        L = linalg.cholesky(inner, lower=True, check_finite=False)
        half = linalg.solve_triangular(
            L, self._scaled(self.ZW, factors), lower=True, check_finite=False
        )
        return L, half, linalg.cholesky(self.WW - half.T @ half, check_finite=False)

    def _deviance(self, L: np.ndarray, R: np.ndarray) -> float:
        df, diagonal = self.n - self.p, np.diag(R)
        return float(
            2 * np.log(np.diag(L)).sum()
            + 2 * np.log(diagonal[:-1]).sum()
            + df * (1 + np.log(2 * np.pi * diagonal[-1] ** 2 / df))
        )

    def slopes(self, θ: np.ndarray) -> tuple[float, list[np.ndarray]]:
        r"""The deviance, and its derivative by each grouping's relative covariance Ψ.

        .. math:: \partial(-2ℓ)/\partialΨ = \sum_g Z_g^\top P Z_g - (n - p) \, Z_g^\top P y \,
        y^\top P Z_g / r^2"""
        L, half, R = self.solved(θ)
        H = linalg.solve_triangular(
            L, self._scaled(self.ZZ, self.factors(θ)), lower=True, check_finite=False
        )
        T = linalg.solve_triangular(
            R, (self.ZW - H.T @ half).T, trans="T", check_finite=False
        )  # its last row: Pᵀy / r
        found, place = [], 0
        for groups, k in self.shapes:
            own = slice(place, place + groups * k)
            blocks = np.diagonal(
                self.ZZ[own, own].reshape(groups, k, groups, k), axis1=0, axis2=2
            ).sum(axis=2)
            h, t = H[:, own].reshape(-1, k), T[:-1, own].reshape(-1, k)
            e = T[-1, own].reshape(-1, k)
            found.append(blocks - h.T @ h - t.T @ t - (self.n - self.p) * e.T @ e)
            place += groups * k
        return self._deviance(L, R), found

    def gradient(self, θ: np.ndarray) -> tuple[float, np.ndarray]:
        """The deviance, and its derivative by θ."""
        value, slopes = self.slopes(θ)
        own = [
            (2 * G @ L)[np.tril_indices(len(L))]
            for G, L in zip(slopes, self.factors(θ), strict=True)
        ]
        return value, np.concatenate(own)

    def solution(self, θ: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Coefficients, their covariance, and the residual variance."""
        R = self.solved(θ)[2]
        p, scale = self.p, float(R[-1, -1] ** 2 / (self.n - self.p))
        inverse = linalg.solve_triangular(R[:p, :p], np.eye(p))
        return inverse @ R[:p, p], scale * inverse @ inverse.T, scale
