"""Figures that compare: each line, point and interval is drawn where its row says."""

from functools import partial

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from vlmbias import figures
from vlmbias.figures import styling


def lines_of(axes):
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


@pytest.fixture
def courses():
    rows = [
        (panel, group, age, k + 10 * place + 0.1 * step)
        for place, panel in enumerate(["one", "other"])
        for k, group in enumerate(["teal", "amber"])
        for step, age in enumerate([1.0, 2.0, 3.0])
    ]
    table = pd.DataFrame(rows, columns=["panel", "group", "age", "y"])
    return table.assign(low=table["y"] - 0.05, high=table["y"] + 0.2)


LEVELS = {"level": "age", "value": "y", "group": "group", "level_label": "", "value_label": ""}


def test_levels_draws_every_group_in_its_panel_with_its_band(courses):
    mixed = courses.sample(frac=1, random_state=1).sort_values("panel")
    looks = {"heavy": ["amber"], "dashed": ["teal"]}
    drawn = figures.levels(mixed, **LEVELS, low="low", high="high", panel="panel", **looks)
    for title, axes in zip(["one", "other"], drawn.axes, strict=True):
        assert axes.get_title(loc="left") == title
        panel = courses[courses["panel"] == title]
        for name, line in lines_of(axes).items():
            own = panel[panel["group"] == name]
            assert np.allclose(line.get_xydata(), own[["age", "y"]])
            assert mpl.colors.to_hex(line.get_color()) == figures.COLOURS[name].lower()
        assert lines_of(axes)["amber"].get_linewidth() > lines_of(axes)["teal"].get_linewidth()
        assert lines_of(axes)["teal"].get_linestyle() == "--"
        ends = np.concatenate([one.get_paths()[0].vertices for one in axes.collections])[:, 1]
        assert [ends.min(), ends.max()] == pytest.approx([panel["low"].min(), panel["high"].max()])


def test_levels_puts_points_beside_their_own_line(courses):
    points = courses[(courses["panel"] == "other") & (courses["group"] == "teal")].assign(y=99.0)
    drawn = figures.levels(courses, **LEVELS, panel="panel", points=points, columns=1)
    dots = [
        [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
        for axes in drawn.axes
    ]
    assert [len(own) for own in dots] == [0, 1]
    assert set(dots[1][0].get_ydata()) == {99.0}


def rates(**changes):
    table = pd.DataFrame(
        {
            "paper": ["one", "one", "one", "two"],
            "case": ["rows", "rows", "models", "models"],
            "kind": list("abba"),
            "rate": [0.6, 0.9, 0.1, 0.2],
            "low": [0.5, 0.7, 0.0, 0.1],
            "high": [0.7, 1.0, 0.2, 0.3],
            "level": [0.05, 0.05, 0.05, 0.09],
        }
    )
    ends = {"rate": "rate", "low": "low", "high": "high"}
    names = {"label": "case", "panel": "paper", "group": "kind", "nominal": "level"}
    return figures.rates(table.assign(**changes), **ends, **names, value_label="%")


def test_rates_are_in_percent_on_the_line_of_their_label_beside_the_level_of_their_panel():
    drawn = rates()
    first, second = drawn.axes
    assert [axes.get_title(loc="left") for axes in drawn.axes] == ["one", "two"]
    labels = [[tick.get_text() for tick in axes.get_yticklabels()] for axes in drawn.axes]
    assert labels == [["rows", "models"], ["models"]]
    a, b = lines_of(first)["a"], lines_of(first)["b"]
    assert a.get_xdata().tolist() == [60] and b.get_xdata().tolist() == [90, 10]
    assert lines_of(second)["a"].get_xdata().tolist() == [20]
    assert np.round(b.get_ydata()).tolist() == [0, -1] and a.get_ydata()[0] != b.get_ydata()[0]
    assert a.get_color() == lines_of(second)["a"].get_color() != b.get_color()
    ends = [segment[:, 0].tolist() for one in first.collections for segment in one.get_segments()]
    assert np.allclose(ends, [[50, 70], [70, 100], [0, 20]])
    assert [axes.lines[0].get_xdata()[0] for axes in drawn.axes] == [5, 9]
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == ["a", "b"]


@pytest.mark.parametrize("changes", [{"high": [70, 100, 20, 30]}, {"low": [-0.1, 0.6, 0.0, 0.1]}])
def test_rates_refuses_what_is_no_share(changes):
    with pytest.raises(ValueError, match="shares between 0 and 1"):
        rates(**changes)


def test_planted_against_shown_says_the_slope_of_each_panel():
    x = np.array([-1.0, 0.0, 2.0, 3.0])
    table = pd.DataFrame(
        {"p": [*x, *x], "s": [*(0.25 * x + 0.1), *(x**2)], "arm": ["grid"] * 4 + ["photos"] * 4}
    )
    table = table.assign(low=table["s"] - 1, high=table["s"] + 1, word=list("abcdefgh"))
    columns = {"planted": "p", "shown": "s", "panel": "arm", "low": "low", "high": "high"}
    drawn = figures.planted_against_shown(table, **columns, unit="logits")
    slope = np.polyfit(x, x**2, 1)[0]
    titles = ["grid\nslope 0.25", f"photos\nslope {slope:.2f}"]
    assert [axes.get_title(loc="left") for axes in drawn.axes] == titles
    for axes, (_, own) in zip(drawn.axes, table.groupby("arm", sort=False), strict=True):
        (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
        assert np.allclose(dots.get_xydata(), own[["p", "s"]])
        slopes = [one.get_slope() for one in axes.lines if isinstance(one, mpl.lines.AxLine)]
        assert slopes == pytest.approx([1, np.polyfit(own["p"], own["s"], 1)[0]])
        (bars,) = axes.collections
        ends = [segment[:, 1].tolist() for segment in bars.get_segments()]
        assert np.allclose(ends, own[["low", "high"]])


def test_tiles_put_every_place_on_its_square_on_one_scale():
    rows = [
        (name, row, column, 10 * row + column + 100 * k, "ab"[k])
        for k, name in enumerate(["one", "other"])
        for row, column in ((0, 0), (0, 2), (1, 1))
    ]
    table = pd.DataFrame(rows, columns=["map", "row", "column", "share", "letter"])
    names = {"row": "row", "column": "column", "value": "share", "panel": "map"}
    tiles = partial(figures.tiles, **names, label="letter", value_label="share, %")
    drawn = tiles(table)
    for k, axes in enumerate(drawn.axes[:2]):
        (mesh,) = axes.collections
        squares = np.ma.filled(mesh.get_array().reshape(2, 3).astype(float), np.nan)
        np.testing.assert_array_equal(squares - 100 * k, [[0, np.nan, 2], [np.nan, 11, np.nan]])
        assert mesh.get_clim() == (0, 111) and axes.yaxis_inverted() and len(axes.texts) == 3
    assert drawn.axes[0].get_title(loc="left") == "one"
    with pytest.raises(ValueError, match="two places at row 1, column 1"):
        tiles(pd.concat([table, table.tail(1)]))


def test_a_long_label_ends_with_its_axis_and_an_upright_one_is_broken():
    rows = pd.DataFrame(
        {"e": [1.0], "l": [0.5], "h": [2.0], "n": ["a name that takes half of the figure's width"]}
    )
    said = "share of what only this explains, 95 % interval over networks"
    for label, place in ((said, "right"), ("d", "center")):
        drawn = figures.forest(rows, estimate="e", low="l", high="h", label="n", value_label=label)
        drawn.draw_without_rendering()
        (axes,) = drawn.axes
        assert axes.xaxis.label.get_ha() == place and axes.get_xlabel() == label
        assert axes.xaxis.label.get_window_extent().x1 <= axes.get_window_extent().x1 + 1
    assert "\n" in styling.upright("trait gap, amber − violet, logits", inches=2.2)
