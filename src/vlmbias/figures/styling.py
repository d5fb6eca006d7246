"""The house style: colours that colour-blind readers can tell apart, type that a phone can show.
matplotlib is changed only for those who ask."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from textwrap import wrap
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from greenhouse.world.groups import HUES

WIDTH = 6.0  # inches
_LINE, _SHORT = 66, 34  # letters: a line of that width, and about half of it
_SETTINGS: Any = mpl.rc_params_from_file(
    Path(__file__).with_name("house.mplstyle"), use_default_template=False
)
PALETTE: list[str] = [
    f"#{one.strip('#')}" for one in _SETTINGS["axes.prop_cycle"].by_key()["color"]
]
HUE_COLOURS = dict(zip(HUES, ("#14807A", "#D98E04", "#7A4FB5", "#8DB600"), strict=True))
INKS = {
    "ink": "#222222",  # what is looked at, where it needs no colour
    "muted": "#555555",  # its spread, notes beside it
    "reference": "#8C8C8C",  # lines to compare with: zero, chance, the diagonal
    "pale": "#C8C8C8",  # bands and bars behind everything
    "grid": f"#{_SETTINGS['grid.color'].strip('#')}",  # lines that only guide the eye
}
# Names that mean the same in every figure
COLOURS = {
    **HUE_COLOURS,
    **INKS,
    "protected": PALETTE[1],
    "unprotected": "#7A6BB0",
    "seed": INKS["reference"],
    "published": INKS["ink"],
    "recomputed": PALETTE[0],
    "planted": PALETTE[1],
    "greenhouse": HUE_COLOURS[HUES[0]],  # the marks on pictures
    "simulated": "#8A4B08",
    "example": INKS["muted"],
    "naive": PALETTE[1],
    "adjusted": "#7A6BB0",
    "matched": HUE_COLOURS[HUES[0]],
    "controlled": PALETTE[0],
    # as on the pages with something to play with (book/static)
    "lit": "#B45309",
    "under": "#2563C9",
    "same": "#6B6B6B",
    "few": "#E3ECF7",
    "many": "#08306B",
}
# for groups of people, in the order of a paper's tables: none of the hues' colours, so that no
# drawn group looks like a real one's stand-in
PEOPLE = (PALETTE[0], PALETTE[3], "#444444", PALETTE[2])


class _Undo(ExitStack):
    """What gives matplotlib its settings back at the end of a `with` block."""

    def _ipython_display_(self) -> None:
        """A cell that ends in it shows nothing."""


def style() -> ExitStack:
    """Use the house style for a whole notebook, `vb.figures.style()`, or a block,
    `with vb.figures.style():`.

    The figure families of this room apply it by themselves.

    Examples
    --------
    >>> with vb.figures.style():
    ...     figure, axes = vb.figures.panels()
    >>> axes.shape
    (1, 1)
    """
    undo = _Undo()  # what it holds is done at the end of a `with` block, and only there
    undo.callback(mpl.rcParams.update, {key: mpl.rcParams[key] for key in _SETTINGS})
    mpl.rcParams.update(_SETTINGS)
    return undo


def colours_for(names: Iterable[object]) -> dict[object, str]:
    """One colour per distinct name, in order: its fixed colour if it has one, else the next of the
    palette.

    Raises
    ------
    ValueError
        More distinct names than there are colours to tell them apart.

    Examples
    --------
    >>> vb.figures.colours_for(["teal", "amber"])
    {'teal': '#14807A', 'amber': '#D98E04'}
    """
    distinct = list(dict.fromkeys(names))
    free = [name for name in distinct if name not in COLOURS]
    if len(free) > len(PALETTE):
        raise ValueError(
            f"colours_for: {len(free)} names need a colour, {len(PALETTE)} can be told apart; "
            "group some of them, or use panels"
        )
    given = dict(zip(free, PALETTE, strict=False))
    return {name: given[name] if name in given else COLOURS[str(name)] for name in distinct}


def panels(
    rows: int = 1,
    columns: int = 1,
    *,
    height: float = 3.4,
    share_x: bool = False,
    share_y: bool = False,
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

    Examples
    --------
    >>> figure, axes = vb.figures.panels(1, 2, height=2.5)
    >>> axes.shape, float(figure.get_figheight())
    ((1, 2), 2.5)
    """
    with style():
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=False, sharex=share_x, sharey=share_y)


def across(labels: Sequence[Any], *, most: int = 4) -> int:
    """How many columns of a legend fit beside one another, each as wide as its key and its
    words."""
    widths = [6 + len(str(one)) for one in labels]
    fitting = [
        n
        for n in range(1, most + 1)
        if sum(max(widths[k::n], default=0) for k in range(n)) <= _LINE
    ]
    return max(1, min(len(widths), max(fitting, default=1)))


def upright(text: str, *, inches: float) -> str:
    """A label for a vertical axis that is so many inches high, broken into lines that fit."""
    return "\n".join(wrap(text, max(12, int(11 * inches))))


def long_label(axes: Any, text: str) -> None:
    """Label the horizontal axis: what is wider than the axis ends with it, and never widens the
    figure."""
    axes.set_xlabel(text, **({"loc": "right"} if len(text) > _SHORT else {}))
