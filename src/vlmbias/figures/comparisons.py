"""Comparisons that chapters draw: groups over levels, rates against a level, planted against shown,
places as tiles."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from vlmbias.figures.families import _checked
from vlmbias.figures.styling import COLOURS, across, colours_for, long_label, panels, style, upright


def levels(
    table: pd.DataFrame,
    *,
    level: str,
    value: str,
    group: str,
    level_label: str,
    value_label: str,
    low: str | None = None,
    high: str | None = None,
    panel: str | None = None,
    columns: int = 2,
    points: pd.DataFrame | None = None,
    colours: Mapping[Any, str] | None = None,
    heavy: Collection[Any] = (),
    dashed: Collection[Any] = (),
) -> Figure:
    """A line per group over the levels of an attribute, with its uncertainty as a band.

    Parameters
    ----------
    table : DataFrame
        One row per group and level (and panel).
    level, value, group : str
        Columns: where on the horizontal axis, how high, and whose line.
    level_label, value_label : str
        Axis labels, with units.
    low, high : str, optional
        Columns: the ends of the band.
    panel : str, optional
        Column that gives the panel; panels come in the table's order.
    columns : int
        Panels per row.
    points : DataFrame, optional
        Single values or means to draw as dots, with the same columns level, value, group and panel.
    colours : mapping of group to colour, optional
        By default, the house's.
    heavy, dashed : groups to draw in a heavy or dashed line

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20, 40] * 2, "d": [0.0, 0.4, 0.1, 0.9]})
    >>> table["hue"] = ["teal", "teal", "amber", "amber"]
    >>> figure = vb.figures.levels(
    ...     table, level="age", value="d", group="hue", level_label="age", value_label="d"
    ... )
    >>> [line.get_ydata().tolist() for line in figure.axes[0].lines]
    [[0.0, 0.4], [0.1, 0.9]]
    """
    rows = _checked("levels", table, [level, value, group, panel, low, high])
    dots = (
        None
        if points is None
        else _checked("levels (points)", points, [level, value, group, panel])
    )
    shade = colours or colours_for(rows[group])
    with style():
        figure, parts, lines = _by_panel(rows, panel, columns, base=0.6, each=2.6)
        for axes, title, part in parts:
            for name, own in part.groupby(group, sort=False):
                own, strong = own.sort_values(level), name in heavy
                axes.plot(
                    own[level],
                    own[value],
                    color=shade[name],
                    ls="--" if name in dashed else "-",
                    lw=2.6 if strong else 1.1,
                    zorder=3 if strong else 2,
                    label=str(name),
                )
                if low and high:
                    axes.fill_between(
                        own[level], own[low], own[high], color=shade[name], alpha=0.15, lw=0
                    )
                if dots is not None:
                    here = dots[panel].astype(str) == title if panel else True
                    mine = dots[(dots[group] == name) & here]
                    size = 4 if strong else 2.5
                    axes.plot(mine[level], mine[value], "o", ms=size, color=shade[name], alpha=0.7)
            axes.set_title(title)
            axes.grid(axis="y")
        figure.supxlabel(level_label, fontsize=12)
        figure.supylabel(upright(value_label, inches=2.2 * lines), fontsize=12)
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=across(labels))
    return figure


def rates(
    table: pd.DataFrame,
    *,
    rate: str,
    low: str,
    high: str,
    label: str,
    value_label: str,
    group: str | None = None,
    nominal: float | str | None = 0.05,
    panel: str | None = None,
) -> Figure:
    """How often something happens, with intervals, beside how often it should where nothing is
    planted.

    Parameters
    ----------
    table : DataFrame
        One row per rate, top to bottom.
    rate, low, high, label, group : str
        Columns: the share and its interval's ends, between 0 and 1; the line it stands on; and
        (optional) what gives its colour. Rows of one label share a line.
    value_label : str
        What is counted, of how many, and the interval's level.
    nominal : float, str or None
        Where to draw a vertical line: the level of the test, or what chance alone would give. A
        column gives every panel its own.
    panel : str, optional
        Column that gives the panel; panels stand below one another, in the table's order.

    Examples
    --------
    >>> table = vb.networks.rates({"teal": [True] * 6, "amber": [False] * 6}).reset_index()
    >>> columns = {"rate": "rate", "low": "low", "high": "high", "label": "index"}
    >>> figure = vb.figures.rates(table, **columns, value_label="share of 6 networks (95 %)")
    >>> [one.get_text() for one in figure.axes[0].get_yticklabels()]
    ['teal', 'amber']
    """
    column = nominal if isinstance(nominal, str) else None
    rows = _checked("rates", table, [rate, low, high, label, group, panel, column])
    ends = rows[[low, rate, high]].assign(first=0.0, last=1.0)[["first", low, rate, high, "last"]]
    if (bad := (np.diff(ends, axis=1) < 0).any(axis=1)).any():
        one = rows[bad].iloc[0]
        raise ValueError(
            f"rates: {one[label]!r} has the rate {one[rate]} in the interval {one[low]} to"
            f" {one[high]}; these are shares between 0 and 1, in this order"
        )
    place = [label] if panel is None else [panel, label]
    colours = colours_for(rows[group]) if group else {None: COLOURS["recomputed"]}
    # between the rows of one line
    apart = 0.5 / len(colours) if rows.duplicated(place).any() else 0
    most = rows.groupby(panel)[label].nunique().max() if panel else rows[label].nunique()
    tall = 0.3 * most * max(1.2, len(colours) * 0.9 if apart else 0)
    with style():
        figure, parts, _ = _by_panel(rows, panel, 1, base=0.9, each=0.5 + tall, share_x=True)
        for axes, title, part in parts:
            names = list(dict.fromkeys(part[label]))
            if nominal is not None:
                level = part[column].iloc[0] if column else nominal
                axes.axvline(
                    100 * level,
                    color=COLOURS["reference"],
                    lw=1,
                    ls="--",
                    label=None if column else f"{100 * level:.3g}%",
                )
            for k, (name, colour) in enumerate(colours.items()):
                own = part[part[group] == name] if group else part
                heights = apart * ((len(colours) - 1) / 2 - k) - np.array(
                    [names.index(one) for one in own[label]]
                )
                axes.hlines(heights, 100 * own[low], 100 * own[high], color=colour, lw=2.2)
                axes.plot(100 * own[rate], heights, "o", color=colour, label=name)
            axes.set_yticks(-np.arange(len(names)), [str(one) for one in names])
            axes.set(xlim=(-2, 102), ylim=(-len(names) + 0.4, 0.6), title=title)
        long_label(axes, value_label)
        if group or (nominal is not None and not column):
            named = zip(*axes.get_legend_handles_labels(), strict=True)
            shown = [(handle, name) for handle, name in named if not name.startswith("_")]
            figure.legend(*zip(*shown, strict=True), loc="outside upper left", ncols=2)
    return figure


def planted_against_shown(
    table: pd.DataFrame,
    *,
    planted: str,
    shown: str,
    unit: str,
    panel: str | None = None,
    low: str | None = None,
    high: str | None = None,
    columns: int = 3,
) -> Figure:
    """What was planted against what is shown: the identity, the least-squares line and its slope,
    panel by panel.

    Parameters
    ----------
    table : DataFrame
        One row per quantity (and panel).
    planted, shown : str
        Columns, in one unit.
    unit : str
        That unit, for the axis labels.
    panel : str, optional
        Column that gives the panel, such as the yardstick or the arm.
    low, high : str, optional
        Columns: the interval of what is shown.
    columns : int
        Panels per row.

    Examples
    --------
    >>> table = pd.DataFrame({"planted": [0, 1, 2, 3], "shown": [0.1, 0.9, 2.2, 2.8]})
    >>> figure = vb.figures.planted_against_shown(
    ...     table, planted="planted", shown="shown", unit="log odds"
    ... )
    >>> len(figure.axes)
    1
    """
    rows = _checked("planted_against_shown", table, [planted, shown, panel, low, high])
    with style():
        figure, parts, lines = _by_panel(
            rows, panel, columns, base=0.7, each=2.5, share_x=True, share_y=True
        )
        for axes, title, part in parts:
            axes.axhline(0, color=COLOURS["grid"], lw=1, zorder=0)
            axes.axvline(0, color=COLOURS["grid"], lw=1, zorder=0)
            axes.axline((0, 0), slope=1, color=COLOURS["reference"], lw=1, ls="--")
            slope, start = np.polyfit(part[planted], part[shown], 1)
            axes.axline((0, start), slope=slope, color=COLOURS["planted"], lw=1.4)
            if low and high:
                look = {"color": COLOURS["recomputed"], "lw": 1.4, "alpha": 0.6}
                axes.vlines(part[planted], part[low], part[high], **look)
            axes.plot(part[planted], part[shown], "o", color=COLOURS["recomputed"])
            axes.set_title(f"{title}\nslope {slope:.2f}" if title else f"slope {slope:.2f}")
        figure.supxlabel(f"planted, {unit}", fontsize=12)
        figure.supylabel(upright(f"shown, {unit}", inches=2.2 * lines), fontsize=12)
    return figure


def tiles(
    table: pd.DataFrame,
    *,
    row: str,
    column: str,
    value: str,
    panel: str,
    value_label: str,
    label: str | None = None,
    columns: int = 3,
) -> Figure:
    """Places as squares of one size, coloured by a value: one map per panel, all on one scale.

    Parameters
    ----------
    table : DataFrame
        One row per place and panel.
    row, column : str
        Columns: where the place's square stands, whole numbers from the top left.
    value, panel : str
        Columns: what gives the colour, and the map that it belongs to; panels come in the table's
        order.
    value_label : str
        What the colours say, with its unit.
    label : str, optional
        Column with a few letters to write on each square.
    columns : int
        Maps beside one another.

    Raises
    ------
    ValueError
        If two places share a square.

    Examples
    --------
    >>> places = pd.DataFrame({"row": 0, "column": [0, 1], "share": [0.2, 0.7]})
    >>> places["name"], places["map"] = ["ME", "VT"], "2020"
    >>> columns = {"row": "row", "column": "column", "value": "share", "panel": "map"}
    >>> figure = vb.figures.tiles(places, **columns, label="name", value_label="share")
    >>> [one.get_text() for one in figure.axes[0].texts]
    ['ME', 'VT']
    """
    rows = _checked("tiles", table, [row, column, value, panel, label])
    if (twice := rows.duplicated([panel, row, column])).any():
        raise ValueError(
            f"tiles: two places at row {rows[row][twice].iloc[0]}, column"
            f" {rows[column][twice].iloc[0]}"
        )
    across, down = rows[column].max() + 1, rows[row].max() + 1
    low, high = rows[value].min(), rows[value].max()
    with style():
        each = 0.4 + 6.0 / min(columns, rows[panel].nunique()) * down / across
        figure, parts, _ = _by_panel(rows, panel, columns, base=0.9, each=each)
        for axes, title, part in parts:
            squares = np.full((down, across), np.nan)
            squares[part[row], part[column]] = part[value]
            drawn = axes.pcolormesh(
                squares, cmap="cividis", vmin=low, vmax=high, edgecolors="white", linewidth=1.5
            )
            axes.set(aspect="equal", xticks=[], yticks=[])
            axes.set_title(title, loc="left", fontsize=11)
            axes.invert_yaxis()
            axes.spines[:].set_visible(False)
            for place in part.itertuples(index=False) if label else ():
                own = place._asdict()
                ink = "white" if own[value] < (low + high) / 2 else "black"
                look = {"ha": "center", "va": "center", "fontsize": 9, "color": ink}
                axes.text(own[column] + 0.5, own[row] + 0.5, own[label], **look)
        figure.colorbar(
            drawn, ax=figure.axes, location="bottom", shrink=0.7, aspect=40, label=value_label
        )
    return figure


def _by_panel(
    rows: pd.DataFrame, panel: str | None, columns: int, *, base: float, each: float, **shared: bool
) -> tuple[Figure, list[tuple[Any, str, Any]], int]:
    """A figure with a panel for each value of a column, in the table's order, or one without a
    title, `base` and so many lines of `each` inches high: the figure, the axes, title and rows of
    each panel, and the number of lines."""
    parts = (
        {str(name): own for name, own in rows.groupby(panel, sort=False)} if panel else {"": rows}
    )
    lines = -(-len(parts) // columns)
    figure, grid = panels(lines, min(columns, len(parts)), height=base + each * lines, **shared)
    for axes in grid.flat[len(parts) :]:
        axes.set_axis_off()
    shown = zip(grid.flat, parts.items(), strict=False)
    return figure, [(axes, title, part) for axes, (title, part) in shown], lines
