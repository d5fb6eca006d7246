"""Whether the bias of people in a place goes with what a model returns for it (Wolfe & Caliskan
2022, Figure 2): correlations that share a variable, and scores of which it is known what they
depend on."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from vlmbias.inference import correlations


def simulated(
    drivers: Mapping[str, Any],
    *,
    slopes: Mapping[str, float],
    left: float = 1.0,
    reliability: float = 0.8,
    n: int,
    seed: int,
) -> np.ndarray:
    r"""Mean IAT scores of places that depend on what is stated, and on nothing else, each measured
    with noise.

    .. math:: y = \sum_k \beta_k z_k + \lambda u + e, \quad
              \operatorname{var} e = (\textstyle\operatorname{var}(\sum_k \beta_k z_k) +
              \lambda^2)\,(1 - \rho)/\rho

    with z the drivers in units of their SD over places, u and e independent and standard normal but
    for e's variance.

    Parameters
    ----------
    drivers : of each name, `(places,)`.
    slopes : β of each driver that counts; the others do not.
    left : λ, the SD of what no driver explains.
    reliability : ρ, the share of the variance of y that another measurement of the same places
        would show again.
    n, seed : how many IATs, and their seed.

    Returns
    -------
    float array `(n, places)`, without a unit: the SD of a driver.
    """
    if not 0 < reliability <= 1:
        raise ValueError(f"reliability must be above 0 and at most 1, got {reliability!r}")
    places = len(np.asarray(next(iter(drivers.values()))))
    signal = np.zeros(places)
    for name, slope in slopes.items():
        values = np.asarray(drivers[name], float)
        signal += slope * (values - values.mean()) / values.std()
    error = np.sqrt((signal.var() + left**2) * (1 - reliability) / reliability)
    rng = np.random.default_rng(seed)
    return signal + left * rng.normal(size=(n, places)) + error * rng.normal(size=(n, places))


def compared(one: Any, other: Any, between: Any, *, n: int) -> dict[str, Any]:
    r"""Whether two predictors of one outcome differ in their correlation with it.

    Williams's t with n − 3 df (Steiger 1980, Psychological Bulletin 87, 245, Eq. 7),

    .. math:: t = (r_1 - r_2) \sqrt{\frac{(n - 1)(1 + r_{12})}
                                         {2 \frac{n-1}{n-3} |R| + \bar r^2 (1 - r_{12})^3}},

    and the interval of the difference of Zou (2007, Psychological Methods 12, 399).

    Parameters
    ----------
    one, other : each predictor's r with the outcome, numbers or arrays.
    between : r of the two predictors.
    n : cases.

    Returns
    -------
    value (the difference), low, high (95 %), t, p (two-sided).
    """
    one, other, between = (np.asarray(value, float) for value in (one, other, between))
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    mean = (one + other) / 2
    below = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - between) ** 3
    with np.errstate(invalid="ignore"):  # three r that no data can have give no t
        t = (one - other) * np.sqrt((n - 1) * (1 + between) / below)
    (low_1, high_1), (low_2, high_2) = (correlations.interval(r, n) for r in (one, other))
    joint = (between - one * other / 2) * (1 - one**2 - other**2 - between**2) + between**3
    joint = joint / ((1 - one**2) * (1 - other**2))
    down, up = (
        np.sqrt(a**2 + b**2 - 2 * joint * a * b)
        for a, b in ((one - low_1, high_2 - other), (high_1 - one, other - low_2))
    )
    difference, p = one - other, 2 * stats.t.sf(np.abs(t), n - 3)
    return {"value": difference, "low": difference - down, "high": difference + up, "t": t, "p": p}


def held(one: Any, other: Any, between: Any, *, n: int) -> dict[str, Any]:
    """The first predictor's correlation with the outcome where the other one is held constant, from
    three r.

    Returns
    -------
    value (the partial r), low, high (95 %, Fisher's z with one case less), p (two-sided, n − 3 df).
    """
    one, other, between = (np.asarray(value, float) for value in (one, other, between))
    r = (one - other * between) / np.sqrt((1 - other**2) * (1 - between**2))
    low, high = correlations.interval(r, n, held=1)
    return {"value": r, "low": low, "high": high, "p": correlations.p_value(r, n, held=1)}


def links(returned: Any, census: Any, iats: np.ndarray, *, alpha: float = 0.05) -> float:
    """How often many IATs show a link with what a network returns.

    Parameters
    ----------
    returned, census : shares of one group, `(places,)`.
    iats : `(n, places)`.
    alpha : of the tests, two-sided.

    Returns
    -------
    The share of the IATs that have a positive partial r with the returns where the census is held,
    p at most `alpha`.
    """
    returned, lived = np.asarray(returned, float), np.asarray(census, float)
    r = beyond(iats, returned, lived[:, None])
    p = correlations.p_value(r, len(lived), held=1)
    return float(np.mean((r > 0) & (p <= alpha)))


def beyond(iats: np.ndarray, values: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Partial correlations of each row with `values`, what is in the columns of `given` held
    constant."""
    design = np.column_stack([np.ones(len(values)), given])
    away = np.eye(len(values)) - design @ np.linalg.pinv(design)
    return r_with(iats @ away, away @ values)


def r_with(rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Pearson's r of each row with one vector."""
    left, right = rows - rows.mean(axis=1, keepdims=True), values - values.mean()
    return left @ right / np.sqrt((left**2).sum(axis=1) * (right @ right))
