"""One function per figure family: a tidy DataFrame and the names of its columns become a figure for
`show`. No row is dropped silently."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from vlmbias.figures.styling import (
    COLOURS,
    PALETTE,
    WIDTH,
    across,
    colours_for,
    long_label,
    panels,
    style,
)

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _checked(function: str, table: pd.DataFrame, columns: Sequence[str | None]) -> Any:
    """The table itself, once it is known to have rows and the columns asked for, with no gaps in
    them."""
    if not len(table):
        raise ValueError(f"{function}: the table has no rows to draw")
    for column in filter(None, columns):
        if column not in table.columns:
            raise ValueError(
                f"{function}: no column {column!r}; the table has"
                f" {', '.join(map(str, table.columns))}"
            )
        if gaps := np.count_nonzero(table[column].isna()):
            raise ValueError(
                f"{function}: {gaps} missing values in {column!r}; leave those rows out first"
            )
    return table


def _by_group(rows: Any, group: str | None) -> Iterator[tuple[Any, str, Any]]:
    """(name, colour, rows) of each group; of the whole table, without a name, if there are none."""
    if group is None:
        yield None, COLOURS["recomputed"], rows
        return
    for name, colour in colours_for(rows[group]).items():
        yield name, colour, rows[rows[group] == name]


def published_vs_recomputed(
    table: pd.DataFrame,
    *,
    published: str = "published",
    recomputed: str = "recomputed",
    label: str = "label",
    group: str | None = None,
    quantity: str = "effect size d",
) -> Figure:
    """Printed values against ours: points on the identity line, and what is left when it is taken
    away.

    Parameters
    ----------
    table : DataFrame
        One row per value.
    published, recomputed, label, group : str
        Columns: the two values (same unit), the row's name, and (optional) what gives its colour.
        Rows of one name share a line.
    quantity : str
        What the values are, for the titles.

    Returns
    -------
    Figure
        Left, recomputed against published; right, recomputed − published, one line per name.

    Examples
    --------
    >>> table = pd.DataFrame({"label": ["flowers", "weapons"], "published": [1.1, 0.8]})
    >>> figure = vb.figures.published_vs_recomputed(table.assign(recomputed=[1.0, 0.8]))
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['published', 'effect size d']
    """
    rows = _checked("published_vs_recomputed", table, [published, recomputed, label, group])
    names = list(dict.fromkeys(rows[label]))
    ends = [rows[[published, recomputed]].min().min(), rows[[published, recomputed]].max().max()]
    gap = rows[recomputed] - rows[published]
    largest = gap.abs().max()
    power = int(np.floor(np.log10(largest))) if 0 < largest < 0.01 else 0
    with style():
        figure, ((left, right),) = panels(1, 2, height=max(3.3, 1.4 + 0.3 * len(names)))
        left.axline(2 * ends[:1], slope=1, color=COLOURS["reference"], lw=1, zorder=1)
        right.axvline(0, color=COLOURS["reference"], lw=1)
        for name, colour, own in _by_group(rows, group):
            left.scatter(own[published], own[recomputed], color=colour, label=name, zorder=2)
            places = [-names.index(one) for one in own[label]]
            right.scatter(gap[own.index] / 10.0**power, places, color=colour)
        left.set(title=quantity, xlabel="published", ylabel="recomputed", aspect="equal")
        right.set(
            title="recomputed − published",
            xlabel=f"× 10{str(power).translate(_RAISED)}" if power else quantity,
        )
        right.set_yticks(-np.arange(len(names)), [str(one) for one in names])
        right.margins(x=0.15)
        if group:
            figure.legend(loc="outside upper left", ncols=3)
    return figure


def box_by_attribute(
    table: pd.DataFrame, *, value: str, attribute: str, kinds: Mapping[str, str], value_label: str
) -> Figure:
    """Boxes of a value per attribute, ordered by median, triangles for the means: Hausladen et al.,
    Fig. 2.

    Parameters
    ----------
    table : DataFrame
        One row per draw.
    value, attribute : str
        Columns: the number, and which attribute was varied.
    kinds : mapping of attribute to str
        Its kind, which gives its colour: `"protected"`, `"unprotected"` or `"seed"`.
    value_label : str
        Label of the value axis, with its unit.

    Examples
    --------
    >>> draws = pd.DataFrame({"what": ["age", "seed"] * 2, "change": [0.1, 0.6, 0.2, 0.8]})
    >>> figure = vb.figures.box_by_attribute(
    ...     draws,
    ...     value="change",
    ...     attribute="what",
    ...     kinds={"age": "protected", "seed": "seed"},
    ...     value_label="change of the cosine",
    ... )
    >>> [one.get_text() for one in figure.axes[0].get_xticklabels()]
    ['seed', 'age']
    """
    rows = _checked("box_by_attribute", table, [value, attribute])
    if unknown := [name for name in rows[attribute].unique() if name not in kinds]:
        raise ValueError(
            f"box_by_attribute: kinds has nothing for {unknown[0]!r}, only {', '.join(kinds)}"
        )
    order = rows.groupby(attribute)[value].median().sort_values(ascending=False).index
    with style():
        figure, ((axes,),) = panels(height=3.8)
        values = [rows.loc[rows[attribute] == name, value] for name in order]
        means = {"marker": "^"}
        drawn = axes.boxplot(values, tick_labels=list(order), widths=0.6, meanprops=means)
        boxes = drawn["boxes"]
        for box, name in zip(boxes, order, strict=True):
            box.set(facecolor=COLOURS[kinds[name]], alpha=0.75)
        shown = {kinds[name]: box for box, name in zip(boxes, order, strict=True)}
        axes.legend(list(shown.values()), list(shown), loc="upper right")
        axes.grid(axis="y")
        axes.set_ylabel(value_label)
        if len(order) > 5:
            axes.tick_params(axis="x", rotation=30)
    return figure


def forest(
    table: pd.DataFrame,
    *,
    estimate: str,
    low: str,
    high: str,
    label: str,
    value_label: str,
    group: str | None = None,
    reference: float | None = 0.0,
) -> Figure:
    """Estimates with their intervals, one line each, top to bottom in the table's order.

    Parameters
    ----------
    table : DataFrame
        One row per estimate.
    estimate, low, high, label, group : str
        Columns: the estimate, its interval's ends, its name, and (optional) what gives its colour.
    value_label : str
        Label of the axis, with the unit and the interval's level.
    reference : float or None
        Where to draw a vertical line.

    Examples
    --------
    >>> table = vb.networks.summary({"warmth": [0.1, 0.2, 0.3], "age": [-0.1, 0.1, 0.3]})
    >>> columns = {"estimate": "mean", "low": "low", "high": "high", "label": "index"}
    >>> figure = vb.figures.forest(table.reset_index(), **columns, value_label="d (95 %)")
    >>> [one.get_text() for one in figure.axes[0].get_yticklabels()]
    ['warmth', 'age']
    """
    rows = _checked("forest", table, [estimate, low, high, label, group])
    if (bad := rows[low] > rows[high]).any():
        raise ValueError(
            f"forest: interval of {rows.loc[bad, label].iloc[0]!r} ends before it begins"
        )
    places = pd.Series(np.arange(len(rows))[::-1], index=rows.index)
    with style():
        figure, ((axes,),) = panels(height=1.2 + 0.34 * len(rows))
        if reference is not None:
            axes.axvline(reference, color=COLOURS["reference"], lw=1)
        for name, colour, own in _by_group(rows, group):
            axes.hlines(places[own.index], own[low], own[high], color=colour, lw=2.2)
            axes.plot(own[estimate], places[own.index], "o", color=colour, label=name)
        named = rows[label].astype(str)
        named = named[named != ""]  # a line without a name has no tick
        axes.set_yticks(places[named.index], named)
        axes.set_ylim(-0.6, len(rows) - 0.4)
        long_label(axes, value_label)
        if group:
            figure.legend(loc="outside upper left", ncols=across(rows[group].unique(), most=3))
    return figure


def forest_in_both_units(table: pd.DataFrame, *, label: str) -> Figure:
    """Effect sizes and, beside them, differences in log-odds, each with its interval; top to bottom
    as in the table.

    Parameters
    ----------
    table : DataFrame
        One row per comparison, with the columns d, d_low, d_high, difference, difference_low and
        difference_high.
    label : str
        Column with the name of each comparison.

    Examples
    --------
    >>> sizes = {"d": [0.4], "d_low": [0.1], "d_high": [0.7]}
    >>> odds = {"difference": [1.2], "difference_low": [0.3], "difference_high": [2.1]}
    >>> table = pd.DataFrame({"groups": ["teal, amber"], **sizes, **odds})
    >>> figure = vb.figures.forest_in_both_units(table, label="groups")
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['effect size d', 'difference, log-odds']
    """
    units = {"d": "effect size d", "difference": "difference, log-odds"}
    needed = [f"{one}{end}" for one in units for end in ("", "_low", "_high")]
    rows = _checked("forest_in_both_units", table, [label, *needed])
    places = np.arange(len(rows))[::-1]
    with style():
        figure, (line,) = panels(1, 2, height=1.4 + 0.45 * len(rows), share_y=True)
        for axes, (column, unit_label) in zip(line, units.items(), strict=True):
            axes.axvline(0, color=COLOURS["reference"], lw=1)
            axes.hlines(
                places, rows[f"{column}_low"], rows[f"{column}_high"], color=PALETTE[0], lw=2.2
            )
            axes.plot(rows[column], places, "o", color=PALETTE[0])
            axes.set(xlabel=unit_label, ylim=(-0.6, len(rows) - 0.4))
        line[0].set_yticks(places, rows[label].astype(str))
    return figure


def dose_response(
    table: pd.DataFrame,
    *,
    dose: str,
    responses: Mapping[str, str],
    dose_label: str,
    expected: Mapping[str, Mapping[float, float]] | None = None,
) -> Figure:
    """One point per model, a line through the means, one panel per response: raw units beside d.

    Parameters
    ----------
    table : DataFrame
        One row per model.
    dose : str
        Column of the planted strength.
    responses : mapping of column to str
        The responses to draw and their axis labels, in order.
    dose_label : str
        Label of the shared horizontal axis.
    expected : mapping of column to (dose → value), optional
        What was planted, drawn as crosses in that response's panel.

    Examples
    --------
    >>> table = pd.DataFrame({"b": [0, 0, 1, 1], "d": [0.0, 0.1, 0.9, 1.1]})
    >>> figure = vb.figures.dose_response(
    ...     table, dose="b", responses={"d": "effect size d"}, dose_label="planted b"
    ... )
    >>> len(figure.axes)
    1
    """
    rows = _checked("dose_response", table, [dose, *responses])
    doses = np.sort(rows[dose].unique())
    gap = np.diff(doses).min() if len(doses) > 1 else 1.0
    # each model a little aside, so that equal values stay visible
    places = rows[dose] + (rows.groupby(dose).cumcount() * 0.618 % 1 - 0.5) * 0.6 * gap
    with style():
        figure, (line,) = panels(1, len(responses), height=3.4)
        for axes, (column, label) in zip(line, responses.items(), strict=True):
            axes.plot(places, rows[column], "o", color=COLOURS["recomputed"], alpha=0.45, mew=0)
            means = rows.groupby(dose)[column].mean()
            axes.plot(
                means.index, means, color=COLOURS["ink"], marker="_", ms=14, label="mean of models"
            )
            if planted := (expected or {}).get(column):
                crosses = {"marker": "x", "s": 70, "color": COLOURS["planted"], "label": "planted"}
                axes.scatter(list(planted), list(planted.values()), **crosses)
            axes.axhline(0, color=COLOURS["reference"], lw=1, zorder=0)
            axes.set_title(label)
            axes.grid(axis="y")
        figure.supxlabel(dose_label, fontsize=12)  # once: beside one another they would meet
        with_expected = [(expected or {}).get(column) for column in responses]
        if named := [axes for axes, own in zip(line, with_expected, strict=True) if own]:
            figure.legend(*named[0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure


def contact_sheet(
    images: Sequence[Any], labels: Sequence[str] | None = None, *, columns: int = 6
) -> Figure:
    """Pictures in rows, each with its label above; break a long label with a newline.

    Parameters
    ----------
    images : sequence of PIL images or arrays `(height, width, 3)`
        All of one size.
    labels : sequence of str, optional
        One per image.
    columns : int
        Pictures per row.

    Examples
    --------
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> figure = vb.figures.contact_sheet(faces.pixels([0, 1]), ["first", "second"], columns=2)
    >>> [axes.get_title() for axes in figure.axes]
    ['first', 'second']
    """
    pictures = [np.asarray(image) for image in images]
    if not pictures:
        raise ValueError("contact_sheet: no images to draw")
    if labels is not None and len(labels) != len(pictures):
        raise ValueError(
            f"contact_sheet: {len(pictures)} images but {len(labels)} labels; give one each"
        )
    titles = [""] * len(pictures) if labels is None else labels
    columns = min(columns, len(pictures))
    rows, above = -(-len(pictures) // columns), 0 if labels is None else 0.4
    with style():
        figure, grid = panels(rows, columns, height=rows * (WIDTH / columns + above))
        for axes in grid.flat:
            axes.set_axis_off()
        for axes, picture, label in zip(grid.flat, pictures, titles, strict=False):
            axes.imshow(picture, interpolation="lanczos")
            axes.set_title(label, fontsize=10, loc="center")
    return figure
