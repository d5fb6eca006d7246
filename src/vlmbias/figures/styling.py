"""The house style: colours that colour-blind readers can tell apart, type that a phone can show.

Comes in: nothing, or names to colour. Goes out: matplotlib settings, colours, empty panels.
May not: change matplotlib for anybody who did not ask.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.figure import Figure

WIDTH = 6.0  # inches; with 12-point type, labels stay legible when the figure shrinks to a phone's width

# Okabe and Ito (2008), darkest and most distinct first
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6B6B6B")

# Names that mean the same in every figure
COLOURS = {
    "teal": "#14807A",
    "amber": "#D98E04",
    "violet": "#7A4FB5",
    "lime": "#8DB600",
    "protected": "#D55E00",
    "unprotected": "#7A6BB0",
    "seed": "#8C8C8C",
    "published": "#222222",
    "recomputed": "#0072B2",
    "planted": "#D55E00",
    "reference": "#8C8C8C",
}

_SETTINGS: Any = {
    "figure.facecolor": "white",
    "axes.facecolor": "none",
    "axes.edgecolor": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.labelsize": 12,
    "axes.axisbelow": True,
    "font.size": 12,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "legend.fontsize": 11,
    "legend.frameon": False,
    "grid.color": "#E4E4E4",
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "svg.fonttype": "path",
    "svg.hashsalt": "vlmbias",
}


class _HouseStyle:
    """House settings from the moment it is made; undone when used as a `with` block."""

    def __init__(self) -> None:
        self._before: Any = {key: mpl.rcParams[key] for key in _SETTINGS}
        mpl.rcParams.update(_SETTINGS)

    def __enter__(self) -> _HouseStyle:
        return self

    def __exit__(self, *_: object) -> None:
        mpl.rcParams.update(self._before)


def style() -> _HouseStyle:
    """Use the house style for a whole notebook, `vb.figures.style()`, or a block, `with vb.figures.style():`.

    The figure families of this room apply it by themselves.
    """
    return _HouseStyle()


def colours_for(names: Iterable[object]) -> dict[object, str]:
    """One colour per distinct name, in order: its fixed colour if it has one, else the next of the palette.

    Raises
    ------
    ValueError
        More distinct names than there are colours to tell them apart.
    """
    distinct = list(dict.fromkeys(names))
    free = [name for name in distinct if str(name) not in COLOURS]
    if len(free) > len(PALETTE):
        raise ValueError(
            f"colours_for: {len(free)} names need a colour, {len(PALETTE)} can be told apart; "
            "group some of them, or use panels"
        )
    given = dict(zip(free, PALETTE, strict=False))
    return {name: given.get(name, COLOURS.get(str(name), "")) for name in distinct}


def panels(
    rows: int = 1, columns: int = 1, *, height: float = 3.4, share_x: bool = False, share_y: bool = False
) -> tuple[Figure, np.ndarray]:
    """An empty figure of the book's width, outside pyplot, so that only `show` displays it.

    Parameters
    ----------
    rows, columns : int
        Number of panels.
    height : float
        Height of the whole figure in inches.
    share_x, share_y : bool
        Whether panels share that axis.

    Returns
    -------
    (Figure, ndarray of Axes, shape `(rows, columns)`)
    """
    with style():
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=False, sharex=share_x, sharey=share_y)
