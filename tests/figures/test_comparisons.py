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


def test_levels_draws_every_group_in_its_panel_with_its_band(courses):
    drawn = figures.levels(
        courses.sample(frac=1, random_state=1).sort_values("panel"),
        level="age",
        value="y",
        group="group",
        low="low",
        high="high",
        panel="panel",
        heavy=["amber"],
        dashed=["teal"],
        level_label="age",
        value_label="warmth",
    )
    for title, axes in zip(["one", "other"], drawn.axes, strict=True):
        assert axes.get_title(loc="left") == title
        for name, line in lines_of(axes).items():
            own = courses[(courses["panel"] == title) & (courses["group"] == name)]
            assert np.allclose(line.get_xydata(), own[["age", "y"]])
            assert mpl.colors.to_hex(line.get_color()) == figures.COLOURS[name].lower()
        assert lines_of(axes)["amber"].get_linewidth() > lines_of(axes)["teal"].get_linewidth()
        assert lines_of(axes)["teal"].get_linestyle() == "--"
        ends = np.concatenate([one.get_paths()[0].vertices for one in axes.collections])[:, 1]
        own = courses[courses["panel"] == title]
        assert ends.min() == pytest.approx(own["low"].min()) and ends.max() == pytest.approx(
            own["high"].max()
        )


def test_levels_puts_points_beside_their_own_line(courses):
    points = courses[(courses["panel"] == "other") & (courses["group"] == "teal")].assign(y=99.0)
    drawn = figures.levels(
        courses,
        level="age",
        value="y",
        group="group",
        panel="panel",
        points=points,
        columns=1,
        level_label="",
        value_label="",
    )
    dots = [
        [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
        for axes in drawn.axes
    ]
    assert [len(own) for own in dots] == [0, 1]
    assert set(dots[1][0].get_ydata()) == {99.0}
    with pytest.raises(ValueError, match="levels: no column 'sex'"):
        figures.levels(courses, level="age", value="y", group="sex", level_label="", value_label="")


def rates(**changes):
    table = pd.DataFrame(
        {
            "arm": ["a", "a", "b"],
            "b": ["0", "1", "0"],
            "rate": [0.1, 0.9, 0.5],
            "low": [0.0, 0.6, 0.2],
            "high": [0.3, 1.0, 0.8],
        }
    )
    return figures.rates(
        table.assign(**changes),
        rate="rate",
        low="low",
        high="high",
        label="arm",
        group="b",
        nominal=0.05,
        value_label="%",
    )


def test_rates_are_in_percent_on_the_line_of_their_label_beside_the_nominal_level():
    (axes,) = rates().axes
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["a", "b"]
    drawn = lines_of(axes)
    assert list(drawn["5%"].get_xdata()) == [5, 5]
    assert drawn["0"].get_xydata()[:, 0].tolist() == [10, 50] and drawn["1"].get_xydata()[
        :, 0
    ].tolist() == [90]
    assert np.round(drawn["0"].get_ydata()).tolist() == [0, -1]
    assert drawn["0"].get_ydata()[0] != drawn["1"].get_ydata()[0]
    ends = [segment[:, 0].tolist() for one in axes.collections for segment in one.get_segments()]
    assert np.allclose(ends, [[0, 30], [20, 80], [60, 100]])


def test_rates_in_panels_have_each_their_own_lines_and_level_and_one_colour_for_a_kind():
    table = pd.DataFrame(
        {
            "paper": ["one", "one", "two"],
            "case": ["rows", "models", "models"],
            "kind": list("aba"),
            "rate": [0.6, 0.1, 0.2],
            "low": [0.5, 0.0, 0.1],
            "high": [0.7, 0.2, 0.3],
            "level": [0.05, 0.05, 0.09],
        }
    )
    drawn = figures.rates(
        table,
        rate="rate",
        low="low",
        high="high",
        label="case",
        panel="paper",
        group="kind",
        nominal="level",
        value_label="%",
    )
    first, second = drawn.axes
    assert [axes.get_title(loc="left") for axes in drawn.axes] == ["one", "two"]
    labels = [[tick.get_text() for tick in axes.get_yticklabels()] for axes in drawn.axes]
    assert labels == [["rows", "models"], ["models"]]
    assert lines_of(first)["a"].get_xydata().tolist() == [[60, 0]]
    assert lines_of(first)["b"].get_xydata().tolist() == [[10, -1]]
    assert lines_of(second)["a"].get_xydata().tolist() == [[20, 0]]
    assert (
        lines_of(first)["a"].get_color()
        == lines_of(second)["a"].get_color()
        != lines_of(first)["b"].get_color()
    )
    assert [axes.lines[0].get_xdata()[0] for axes in drawn.axes] == [5, 9]
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == ["a", "b"]


@pytest.mark.parametrize(
    "changes", [{"high": [0.05, 1.0, 0.8]}, {"high": [30, 100, 80]}, {"low": [-0.1, 0.6, 0.2]}]
)
def test_rates_refuses_what_is_no_share(changes):
    with pytest.raises(ValueError, match="shares between 0 and 1"):
        rates(**changes)


def test_planted_against_shown_says_the_slope_of_each_panel():
    x = np.array([-1.0, 0.0, 2.0, 3.0])
    table = pd.DataFrame(
        {"p": [*x, *x], "s": [*(0.25 * x + 0.1), *(x**2)], "arm": ["grid"] * 4 + ["photos"] * 4}
    )
    table = table.assign(low=table["s"] - 1, high=table["s"] + 1, word=list("abcdefgh"))
    drawn = figures.planted_against_shown(
        table,
        planted="p",
        shown="s",
        panel="arm",
        low="low",
        high="high",
        unit="logits",
    )
    slope = np.polyfit(x, x**2, 1)[0]
    assert [axes.get_title(loc="left") for axes in drawn.axes] == [
        "grid\nslope 0.25",
        f"photos\nslope {slope:.2f}",
    ]
    for axes, (_, own) in zip(drawn.axes, table.groupby("arm", sort=False), strict=True):
        (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
        assert np.allclose(dots.get_xydata(), own[["p", "s"]])
        assert {
            round(line.get_slope(), 6) for line in axes.lines if isinstance(line, mpl.lines.AxLine)
        } >= {1.0}


def test_tiles_put_every_place_on_its_square_on_one_scale():
    rows = [
        (name, row, column, 10 * row + column + 100 * k, "ab"[k])
        for k, name in enumerate(["one", "other"])
        for row, column in ((0, 0), (0, 2), (1, 1))
    ]
    table = pd.DataFrame(rows, columns=["map", "row", "column", "share", "letter"])
    drawn = figures.tiles(
        table,
        row="row",
        column="column",
        value="share",
        panel="map",
        label="letter",
        value_label="share, %",
    )
    for k, axes in enumerate(drawn.axes[:2]):
        (mesh,) = axes.collections
        squares = np.ma.filled(mesh.get_array().reshape(2, 3).astype(float), np.nan)
        assert np.array_equal(
            squares, np.array([[0, np.nan, 2], [np.nan, 11, np.nan]]) + 100 * k, equal_nan=True
        )
        assert mesh.get_clim() == (0, 111) and axes.yaxis_inverted() and len(axes.texts) == 3
    assert (
        drawn.axes[0].get_title(loc="left") == "one" and drawn.axes[-1].get_xlabel() == "share, %"
    )
    with pytest.raises(ValueError, match="two places at row 1, column 1"):
        figures.tiles(
            pd.concat([table, table.tail(1)]),
            row="row",
            column="column",
            value="share",
            panel="map",
            value_label="share",
        )


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
    broken = styling.upright("trait gap, amber − violet, logits", inches=2.2)
    assert broken.split("\n") == ["trait gap, amber −", "violet, logits"]


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (["hue", "crest", "age", "names"], 4),
        (["one"], 1),
        (["x" * 40] * 3, 1),
        (["published", "one row per model"], 2),
    ],
)
def test_a_legend_has_as_many_columns_as_fit_a_line(labels, columns):
    assert styling.across(labels) == columns
