"""The two things to play with on the overview of Wolfe and Caliskan, standing still, with the
values that the page begins with.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb, to_rgba

from studies.american_white import placeless, reported, states
from studies.overviews.illustration import Illustration
from vlmbias.external import america
from vlmbias.figures import COLOURS, PALETTE, panels, style

INK, PALE = PALETTE[0], COLOURS["same"]
# a network returns more than the census share, less, or the same: as the page's style has them
BESIDE = {1: COLOURS["lit"], -1: COLOURS["under"], 0: COLOURS["same"]}
SHADES, DARKEST = (COLOURS["few"], COLOURS["many"]), 0.6  # of the shares that a network returns
BELOW = -2  # the depth at which hundreds of dots are drawn as pixels
_LANE = (np.sqrt(5) - 1) / 2  # steps that spread dots evenly over the height of a strip
TITLES = {reported.LITTLE: "probabilities close together", reported.MUCH: "far apart"}


def answers(pattern: reported.Pattern) -> Illustration:
    """The same likeliest answers from two sets of probabilities."""
    settings = {spread: reported.gap_at(pattern, spread) for spread in TITLES}
    figure, grid = panels(2, len(settings), height=5.2)
    listed = []
    with style():
        for place, (spread, gap) in enumerate(settings.items()):
            table = reported.reported(pattern, gap, spread)
            _strips(grid[0][place], pattern, gap, spread)
            _bars(grid[1][place], table, labelled=place == 0)
            grid[0][place].set_title(TITLES[spread], fontsize=11)
            means = ", ".join(f"{reported.percent(one)} %" for one in table["mean"])
            listed.append(f"{TITLES[spread].capitalize()}: the mean probabilities are {means}")
        for axes in grid[0]:
            axes.set_xlabel("probability of “yes”, %", fontsize=11)
        for axes in grid[1]:
            axes.set_xlabel("answered “yes”, %", fontsize=11)
        grid[0][0].set_yticks(range(len(pattern.groups)), [one.name for one in pattern.groups])
        grid[0][1].set_yticks([])
        grid[1][1].set_yticks([])
    shares = ", ".join(f"{reported.percent(one)} %" for one in table["likeliest"])
    return Illustration(
        figure,
        f"Two sets of portraits in four groups. In both, the likeliest answer is “yes” for {shares}"
        f" of the portraits. {'. '.join(listed)}.",
        "Above, a dot for each portrait: filled where the model would answer “yes”. Below, the"
        " share of portraits with this answer; the line is the mean probability of “yes”. The"
        " probabilities are made up so that the likeliest answers have the printed shares.",
        "simulated",
    )


def _strips(axes: Any, pattern: reported.Pattern, gap: float, spread: float) -> None:
    for place, one in enumerate(pattern.groups):
        p, yes = one.probabilities(gap, spread), one.log_odds(gap, spread) > 0
        height = place + 0.62 * (np.arange(len(p)) * _LANE % 1 - 0.5)
        dots: Any = {"s": 9, "zorder": BELOW}
        axes.scatter(100 * p[yes], height[yes], color=INK, linewidth=0, **dots)
        axes.scatter(100 * p[~yes], height[~yes], facecolor="none", edgecolor=PALE, lw=0.7, **dots)
        axes.vlines(100 * p.mean(), place - 0.44, place + 0.44, color="black", lw=2)
    axes.axvline(50, color=PALE, lw=1, ls="--")
    axes.set_rasterization_zorder(BELOW + 1)
    axes.set(xlim=(-3, 120), ylim=(len(pattern.groups) - 0.4, -0.6), xticks=range(0, 101, 25))


def _bars(axes: Any, table: pd.DataFrame, *, labelled: bool) -> None:
    heights = np.arange(len(table))
    axes.barh(heights, 100 * table["likeliest"], height=0.6, color=INK)
    for place, row in zip(heights, table.itertuples(), strict=True):
        axes.vlines(100 * row.mean, place - 0.42, place + 0.42, color="white", lw=5)
        axes.vlines(100 * row.mean, place - 0.42, place + 0.42, color="black", lw=2)
        axes.text(119, place, f"{reported.percent(row.likeliest)} %", ha="right", va="center")
    axes.set(xlim=(-3, 120), ylim=(len(table) - 0.4, -0.6), xticks=range(0, 101, 25))
    if labelled:
        axes.set_yticks(heights, table["group"])


def places(
    found: placeless.Returned, regions: pd.Series, census: pd.DataFrame, groups: tuple[str, str]
) -> Illustration:
    """What one network returns that cannot tell places apart, and two columns of a census beside
    it.

    Parameters
    ----------
    found : what such networks return.
    regions : of the Greenhouse's places.
    census : places × groups, the states as `vlmbias.external.america.tiles` places them.
    groups : the two columns.
    """
    network, group = placeless.most_even(found)
    own, squares, land = found.of(network, group), states.in_lines(regions), america.tiles()
    figure, grid = panels(3, height=7.4)
    share, listed = reported.percent(own.mean()), []
    with style():
        _map(grid[0][0], squares, [_shade(one) for one in own], map(reported.percent, own))
        grid[0][0].set_title(
            f"What network {network + 1} returns: % {group} in {len(own)} provinces", fontsize=11
        )
        for (axes,), name in zip(grid[1:], groups, strict=True):
            counted = placeless.beside(found, network, group, census[name])
            above = np.sign(counted["share"] - census.loc[land.index, name])
            _map(axes, land, [BESIDE[one] for one in above], land["letters"])
            axes.set_title(
                f"{name.capitalize()} share of the population below {share} %: {counted['over']} of"
                f" {counted['n']} places",
                fontsize=11,
            )
            listed.append(
                f"the {name.capitalize()} share of the population is below it in"
                f" {counted['over']} of {counted['n']} places"
            )
    return Illustration(
        figure,
        f"Maps of squares. A network that cannot tell places apart returns about {share} % {group}"
        f" portraits whatever the place. In the United States, {', and '.join(listed)}.",
        f"First map: the share of {group} faces, one of four groups, among the picks of a network"
        f" of the Greenhouse, for {len(own)} invented provinces. Its training captions said nothing"
        " of who lives where. Other maps: where in the United States this share would"
        " over-represent a group (orange) or under-represent it (blue).",
        ("greenhouse", "published:census_shares"),
    )


def _map(axes: Any, squares: pd.DataFrame, fills: Iterable[Any], texts: Iterable[Any]) -> None:
    """Squares at their rows and columns, each with a fill and a short text."""
    rows, columns = squares["row"].to_numpy(), squares["column"].to_numpy()
    cells = np.zeros((rows.max() + 1, columns.max() + 1, 4))
    for row, column, fill, text in zip(rows, columns, fills, texts, strict=True):
        cells[row, column] = to_rgba(fill)
        ink = "black" if _light(fill) > 0.18 else "white"
        axes.text(column, row, str(text), ha="center", va="center", fontsize=10, color=ink)
    axes.imshow(cells, interpolation="nearest", aspect="auto")
    edges: Any = {"color": "white", "lw": 2.5}
    axes.hlines(np.arange(len(cells) + 1) - 0.5, -0.5, columns.max() + 0.5, **edges)
    axes.vlines(np.arange(columns.max() + 2) - 0.5, -0.5, rows.max() + 0.5, **edges)
    axes.set_axis_off()


def _shade(share: float) -> Any:
    """From pale to dark, the darker the larger the share."""
    pale, dark = (np.array(to_rgb(one)) for one in SHADES)
    return tuple(pale + (dark - pale) * min(share / DARKEST, 1))


def _light(fill: Any) -> float:
    """Relative luminance, as contrast is reckoned by."""
    parts = np.array(to_rgb(fill))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])
