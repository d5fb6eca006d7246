"""Second-degree trajectories: how a judgement goes up or down, and bends, along an ordered
attribute."""

import math
from typing import Any

import numpy as np
import pandas as pd

from vlmbias.rows import same_rows

from . import validate

_STRAIGHT = 1e-12  # a curvature below this share of the values is rounding: the line has no vertex


def trajectories(
    values: Any, x: Any, groups: Any = None, *, span: tuple[float, float] | None = None
) -> pd.DataFrame:
    r"""A quadratic by least squares for every group and dimension.

    .. math:: y = β_0 + β_1 u + β_2 u^2, \quad u = \frac{2x - (a + z)}{z - a} ∈ [-1, 1]

    With `u` every coefficient is in the unit of `values`, whatever the scale of `x`: β₀ is the
    value in the middle of the span, β₁ half the change over it, and β₂ by how much the mean of both
    ends lies above the middle. A U has β₂ > 0, an inverse U β₂ < 0, if its vertex lies inside the
    span.

    Parameters
    ----------
    values : DataFrame or array_like, shape (n, k)
        One column per dimension.
    x : array_like, shape (n,)
        Level of the attribute (smiling, age …).
    groups : array_like, shape (n,), optional
        Group labels; by default all rows are one group, ``"all"``.
    span : (a, z), optional
        Ends of the range of `x`; by default the smallest and largest level of all groups.

    Returns
    -------
    pandas.DataFrame
        One row per group and dimension: group, dimension, n, middle (β₀), slope (β₁), curvature
        (β₂), slope_se, curvature_se (ordinary least squares, n − 3 degrees of freedom; NaN where n
        = 3), vertex and vertex_se (in the unit of `x`, the error by the delta method from the
        coefficients' covariance; NaN where nothing bends), r_squared (NaN where nothing varies).

    Raises
    ------
    ValueError
        Shapes that do not fit, missing values, levels or groups, a span that is none, or a group
        with fewer than three distinct levels.

    References
    ----------
    Hausladen et al. (2025), Figures 3, 5 and S.3–S.5: "a second-degree polynomial is fit".

    Examples
    --------
    >>> smiling = [-1, 0, 1, -1, 0, 1]
    >>> warmth = pd.DataFrame({"warmth": [0.0, 1.0, 4.0, 0.2, 1.2, 4.2]})
    >>> bent = vb.trajectories(warmth, smiling)
    >>> bent[["dimension", "n", "middle", "slope", "curvature", "vertex"]].round(2)
      dimension  n  middle  slope  curvature  vertex
    0    warmth  6     1.1    2.0        1.0    -1.0
    """
    same_rows(values=values, x=x, groups=groups)
    table = pd.DataFrame(values).reset_index(drop=True)
    labels = pd.Series(["all"] * len(table) if groups is None else np.asarray(groups))
    u, half, centre = _scaled(x, span, len(table), labels)
    if (without := np.flatnonzero(labels.isna())).size:
        raise ValueError(
            f"every row needs a group; row {without[0]} of {len(labels)} has none. Label it, or"
            " leave it out."
        )
    found = []
    for name, rows in labels.groupby(labels, sort=False).groups.items():
        y, n = table.loc[rows].to_numpy(float), len(rows)
        design = np.vander(u[rows], 3, increasing=True)
        middle, slope, curvature = quadratics(y, u[rows], span=(-1, 1))
        bend = np.where(np.abs(curvature) > _STRAIGHT * np.abs(y).max(axis=0), curvature, np.nan)
        spread = ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        left = ((y - design @ [middle, slope, curvature]) ** 2).sum(axis=0)
        noise, inverse = left / (n - 3 or np.nan), np.linalg.inv(design.T @ design)
        lean = np.stack([-1 / (2 * bend), slope / (2 * bend**2)])  # of the vertex on β₁ and β₂
        off = half * np.sqrt(np.einsum("ik,ij,jk->k", lean, inverse[1:, 1:], lean) * noise)
        about = {"group": name, "dimension": table.columns, "n": n}
        fitted = {"middle": middle, "slope": slope, "curvature": curvature}
        errors = {f"{one}_se": np.sqrt(noise * inverse[k, k]) for k, one in enumerate(fitted) if k}
        vertex = {"vertex": centre - half * slope / (2 * bend), "vertex_se": off}
        share = {"r_squared": 1 - left / np.where(spread > 0, spread, np.nan)}
        found.append(pd.DataFrame(about | fitted | errors | vertex | share))
    return pd.concat(found, ignore_index=True)


def quadratics(
    values: Any, x: Any, *, weights: Any = None, span: tuple[float, float] | None = None
) -> np.ndarray:
    """The three coefficients of `trajectories` alone, for one group, under one or many weightings
    of its rows.

    Parameters
    ----------
    values : DataFrame or array_like, shape (n, k)
    x : array_like, shape (n,)
    weights : array_like, shape (r, n), optional
        Each row counts how often a value is used, as in a bootstrap (see `cluster_weights`).
    span : (a, z), optional
        As in `trajectories`.

    Returns
    -------
    numpy.ndarray, shape (3, k), or (r, 3, k) with `weights`

    Raises
    ------
    ValueError
        As `trajectories`; a weighting that leaves fewer than three distinct levels.

    Examples
    --------
    >>> vb.quadratics([[0.0], [1.0], [4.0]], x=[-1, 0, 1]).round(2)
    array([[1.],
           [2.],
           [1.]])

    With each value counted once, and with the first left out of a bootstrap's draw:

    >>> values, x = [[0.0], [1.0], [4.0], [9.0]], [-1, 0, 1, 2]
    >>> vb.quadratics(values, x, weights=[[1, 1, 1, 1], [0, 2, 1, 1]]).shape
    (2, 3, 1)
    """
    same_rows(values=values, x=x)
    y = validate.finite("values", values, "(n, k)")
    u, *_ = _scaled(x, span, len(y))
    counts = np.ones((1, len(y))) if weights is None else np.asarray(weights, float)
    if counts.ndim != 2 or counts.shape[1] != len(y):
        raise ValueError(f"weights must have shape (r, {len(y)}); got {counts.shape}.")
    design = np.vander(u, 3, increasing=True)
    squares, products = (
        (counts @ (design[:, :, None] * other[:, None]).reshape(len(y), -1)).reshape(-1, 3, width)
        for other, width in ((design, 3), (y, y.shape[1]))
    )
    if (poor := np.flatnonzero(np.linalg.cond(squares) > 1e12)).size:
        raise ValueError(
            f"a quadratic needs at least three distinct levels; weighting {poor[0]} of"
            f" {len(counts)} leaves fewer (levels given: {len(np.unique(u))})."
        )
    return np.linalg.solve(squares, products)[0 if weights is None else slice(None)]


def _scaled(
    x: Any, span: tuple[float, float] | None, n: int, labels: Any = None
) -> tuple[np.ndarray, float, float]:
    """Levels on −1 to 1 over the span, and the span's half width and middle."""
    levels = validate.finite("x", x, "(n,)")
    if {len(levels), n if labels is None else len(labels)} != {n}:
        raise ValueError(
            f"values, x and groups need one row each per image; got {n} rows and {len(levels)}"
            " levels."
        )
    low, high = (levels.min(), levels.max()) if span is None else span
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        must = "span must be (a, z), finite and with a < z"
        whose = "the levels must span a range" if span is None else must
        raise ValueError(f"{whose}; got {low} to {high}.")
    return (2 * levels - low - high) / (high - low), (high - low) / 2, (high + low) / 2
