"""Tables → figures of spread: groups as ellipses."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse

from vlmbias.figures.families import _checked
from vlmbias.figures.styling import COLOURS, colours_for, panels, style

_SHAPES = "os^Dv"


def covariance_ellipse(points: Any, *, sigmas: float = 2.0, **look: Any) -> Ellipse:
    r"""The ellipse :math:`(x - \bar x)^\top S^{-1} (x - \bar x) = \text{sigmas}^2`, S the
    covariance with ddof 1.

    Parameters
    ----------
    points : array_like, shape (n, 2)
        At least two. With three or more that are not in line, the ellipse has an area.
    sigmas : float
        Half-axes, in standard deviations along them. Two hold 86 % of a normal cloud in the plane,
        not 95 %.
    **look
        For the matplotlib patch: edgecolor, alpha …

    Examples
    --------
    >>> ellipse = vb.figures.covariance_ellipse([[0, 0], [2, 0], [0, 1], [2, 1]], sigmas=1.0)
    >>> ellipse.center.tolist(), round(float(ellipse.height), 2)
    ([1.0, 0.5], 2.31)
    """
    cloud = np.asarray(points, dtype=float)
    if cloud.ndim != 2 or cloud.shape[1] != 2 or len(cloud) < 2 or not np.isfinite(cloud).all():
        raise ValueError(
            "covariance_ellipse: needs two or more finite points in the plane, got shape"
            f" {cloud.shape}"
        )
    variances, axes = np.linalg.eigh(np.cov(cloud.T))
    width, height = 2 * sigmas * np.sqrt(np.clip(variances, 0, None))
    return Ellipse(
        cloud.mean(axis=0), width, height, angle=np.degrees(np.arctan2(*axes[::-1, 0])), **look
    )


def ellipses(
    table: pd.DataFrame,
    *,
    x: str,
    y: str,
    colour: str,
    shape: str,
    x_label: str,
    y_label: str,
    panel: str | None = None,
    size: str | None = None,
    columns: int = 1,
) -> Figure:
    """Points of every group with the covariance ellipse around them: Hausladen et al., Fig. 4 and
    S.2.

    Parameters
    ----------
    table : DataFrame
        One row per point. A group is a value of `colour` together with one of `shape`.
    x, y, colour, shape, panel, size : str
        Columns: the two values (same unit: axes are scaled alike, and the line x = y is drawn),
        what gives colour and marker, and (optional) the panel and the marker's area.
    x_label, y_label : str
        Axis labels, with units.
    columns : int
        Panels per row.

    Examples
    --------
    >>> table = pd.DataFrame({"warmth": [0, 1, 2, 3, 4, 6], "power": [0, 2, 1, 3, 5, 4]})
    >>> table["hue"], table["crest"] = ["teal"] * 3 + ["amber"] * 3, "eared"
    >>> axes = {"x": "warmth", "y": "power", "x_label": "warmth", "y_label": "power"}
    >>> figure = vb.figures.ellipses(table, **axes, colour="hue", shape="crest")
    >>> len(figure.axes[0].patches)
    2
    """
    rows = _checked("ellipses", table, [x, y, colour, shape, panel, size])
    parts = list(rows.groupby(panel, sort=False)) if panel else [("", rows)]
    colours = colours_for(rows[colour])
    shapes = dict(zip(rows[shape].unique(), _SHAPES, strict=False))
    if lacking := set(rows[shape]) - set(shapes):
        raise ValueError(
            f"ellipses: {shape!r} has {len(shapes) + len(lacking)} values, {len(_SHAPES)} have a"
            " marker"
        )
    lines = -(-len(parts) // columns)
    with style():
        figure, grid = panels(lines, columns, height=0.6 + 5.8 / columns * lines)
        for axes in grid.flat[len(parts) :]:
            axes.set_axis_off()
        for axes, (title, part) in zip(grid.flat, parts, strict=False):
            axes.axline(
                2 * (part[x].mean(),), slope=1, color=COLOURS["reference"], lw=0.8, ls=":", zorder=0
            )
            for (hue, form), own in part.groupby([colour, shape], sort=False, observed=True):
                ends = np.quantile(part[size], [0, 1]) if size else ()
                area = np.interp(own[size], ends, (8, 60)) if size else 28
                look = {"color": colours[hue], "lw": 0}
                axes.scatter(own[x], own[y], area, marker=shapes[form], alpha=0.8, **look)
                axes.add_patch(covariance_ellipse(own[[x, y]], alpha=0.16, **look))
            axes.set(title=title, xlabel=x_label, ylabel=y_label)
            axes.set_aspect("equal", adjustable="datalim")
        looks = [("o", one, name) for name, one in colours.items()]
        looks += [(one, COLOURS["ink"], name) for name, one in shapes.items()]
        keys = [
            Line2D([], [], marker=marker, ls="", color=ink, label=str(name))
            for marker, ink, name in looks
        ]
        tight = {"handletextpad": 0.1, "columnspacing": 0.9}
        figure.legend(handles=keys, loc="outside upper left", ncols=len(keys), **tight)
    return figure
