"""The families of figures: every value is drawn where it belongs, and bad tables are refused."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlmbias import figures
from vlmbias.figures.showing import to_html


def offsets(axes):
    return np.concatenate(
        [np.asarray(one.get_offsets()) for one in axes.collections if len(one.get_offsets())]
    )


def test_published_vs_recomputed_draws_every_value_and_its_gap():
    rows = [("a", "p", 1.0, 1.0), ("a", "q", 2.0, 2.0), ("b", "p", 3.0, 3.5)]
    table = pd.DataFrame(rows, columns=["label", "net", "published", "recomputed"])
    left, right = figures.published_vs_recomputed(table, group="net").axes
    assert sorted(map(tuple, offsets(left))) == [(1, 1), (2, 2), (3, 3.5)]
    assert sorted(map(tuple, offsets(right))) == [(0, 0), (0, 0), (0.5, -1)]
    assert [label.get_text() for label in right.get_yticklabels()] == ["a", "b"]


def test_published_vs_recomputed_says_the_power_of_ten_of_tiny_gaps():
    table = pd.DataFrame(
        {"label": ["a", "b"], "published": [1.0, 2.0], "recomputed": [1.0 + 3e-12, 2.0]}
    )
    same = figures.published_vs_recomputed(table.assign(recomputed=table["published"])).axes[1]
    assert (offsets(same)[:, 0] == 0).all()
    right = figures.published_vs_recomputed(table).axes[1]
    assert right.get_xlabel() == "× 10⁻¹²"
    assert offsets(right)[:, 0] == pytest.approx([3, 0], abs=1e-3)


def test_boxes_are_ordered_by_median_and_coloured_by_kind():
    table = pd.DataFrame(
        {
            "attribute": np.repeat(["age", "pose", "seed"], 5),
            "v": [*range(5), *range(2, 7), *range(1, 6)],
        }
    )
    kinds = {"age": "protected", "pose": "unprotected", "seed": "seed"}
    columns = {"value": "v", "attribute": "attribute", "value_label": "Δ"}
    (axes,) = figures.box_by_attribute(table, **columns, kinds=kinds).axes
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["pose", "seed", "age"]
    colours = [mpl.colors.to_hex(box.get_facecolor()) for box in axes.patches]
    wanted = [figures.COLOURS[kind].lower() for kind in ("unprotected", "seed", "protected")]
    assert colours == wanted
    with pytest.raises(ValueError, match="kinds has nothing for 'pose', only age"):
        figures.box_by_attribute(table, **columns, kinds={"age": "protected"})


def forest(change=lambda table: table):
    table = pd.DataFrame(
        {"e": [1.0, -1.0], "low": [0.5, -2.0], "high": [2.0, 0.0], "name": ["first", "second"]}
    )
    return figures.forest(
        change(table), estimate="e", low="low", high="high", label="name", value_label="d"
    )


def test_forest_reads_from_top_to_bottom():
    (axes,) = forest().axes
    named = [label.get_text() for label in axes.get_yticklabels()]
    assert dict(zip(named, axes.get_yticks(), strict=True)) == {"first": 1, "second": 0}
    ends = np.concatenate([one.get_segments() for one in axes.collections])
    assert sorted(ends[:, :, 0].tolist()) == [[-2.0, 0.0], [0.5, 2.0]]
    assert axes.get_lines()[-1].get_xydata().tolist() == [[1, 1], [-1, 0]]


def test_a_forest_in_both_units_has_each_interval_in_its_own_panel():
    rows = [("first", 1.0, 0.5, 1.5, 0.1, 0.0, 0.3), ("second", 2.0, 1.5, 2.5, 0.2, 0.1, 0.4)]
    columns = [f"{unit}{end}" for unit in ("d", "difference") for end in ("", "_low", "_high")]
    table = pd.DataFrame(rows, columns=["name", *columns])
    left, right = figures.forest_in_both_units(table, label="name").axes
    for axes, column in ((left, "d"), (right, "difference")):
        (lines,) = axes.collections
        ends = [segment[:, 0].tolist() for segment in lines.get_segments()]
        assert ends == table[[f"{column}_low", f"{column}_high"]].to_numpy().tolist()
        points = axes.get_lines()[-1].get_xydata()
        assert points.tolist() == [[table[column][0], 1], [table[column][1], 0]]
    assert [label.get_text() for label in left.get_yticklabels()] == ["first", "second"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.assign(low=[3.0, -2.0]), "interval of 'first' ends before it begins"),
        (lambda t: t.assign(high=[np.nan, 0.0]), "1 missing values in 'high'; leave those"),
        (lambda t: t.drop(columns="e"), "forest: no column 'e'; the table has low, high, name"),
        (lambda t: t[:0], "forest: the table has no rows to draw"),
    ],
)
def test_forest_refuses_broken_tables(change, message):
    with pytest.raises(ValueError, match=message):
        forest(change)


def test_dose_response_shows_each_model_near_its_dose_and_the_means():
    table = pd.DataFrame(
        {"b": [0, 0, 0, 1, 1], "gap": [0.0, 0.3, -0.6, 2.0, 4.0], "d": [0, 0, 0, 1.0, 1.0]}
    )
    expected = {"gap": {0: 0.0, 1: 2.4}}
    about = {"dose": "b", "responses": {"gap": "gap", "d": "d"}, "dose_label": "b"}
    figure = figures.dose_response(table, **about, expected=expected)
    gap, d = figure.axes
    dots = [line.get_xydata() for line in gap.lines if line.get_linestyle() == "None"]
    points = np.concatenate(dots)
    assert sorted(points[:, 1]) == [-0.6, 0, 0.3, 2, 4]
    assert np.abs(points[:, 0] - np.round(points[:, 0])).max() < 0.35
    (means,) = [line for line in gap.lines if line.get_label() == "mean of models"]
    assert np.allclose(means.get_xydata(), [[0, -0.1], [1, 3]])
    assert offsets(gap).tolist() == [[0, 0], [1, 2.4]] and not d.collections
    assert len(figure.legends) == 1  # beside the panels, over no point


def test_contact_sheet_places_each_picture_under_its_label():
    images = [np.full((4, 4, 3), shade, np.uint8) for shade in (10, 20, 30)]
    sheet = figures.contact_sheet(images, ["a", "b", "c"], columns=2)
    drawn = [axes for axes in sheet.axes if axes.images]
    shown = [(one.get_title(loc="center"), one.images[0].get_array()[0, 0, 0]) for one in drawn]
    assert shown == [("a", 10), ("b", 20), ("c", 30)]
    with pytest.raises(ValueError, match="3 images but 2 labels"):
        figures.contact_sheet(images, ["a", "b"])
    with pytest.raises(ValueError, match="no images"):
        figures.contact_sheet([])


@given(
    st.lists(st.sampled_from(["teal", "violet", "b = 0", "b = 1", "third", "fourth"]), min_size=1)
)
def test_colours_are_distinct_stable_and_fixed_for_known_names(names):
    colours = figures.colours_for(names)
    assert set(colours) == set(names) and len(set(colours.values())) == len(colours)
    assert all(
        colours[name] == figures.COLOURS[name] for name in colours if name in figures.COLOURS
    )
    with pytest.raises(ValueError, match="8 names need a colour, 7 can be told apart"):
        figures.colours_for(range(8))


def test_a_group_may_have_a_dollar_in_its_name():
    """It is drawn as it is, in ticks, titles and legends alike, and is no formula."""
    name = "$x_1$ <b>"
    rows = [(name, name, 1.0, 1.5), ("other", "b", 2.0, 2.0)]
    table = pd.DataFrame(rows, columns=["label", "kind", "published", "recomputed"])
    drawn = figures.published_vs_recomputed(table, group="kind", quantity=name)
    about = {"alt": "Two dots, one of them off the line.", "source": "example"}
    shown = to_html(drawn, caption=name, **about)
    assert shown.count("<img") == 1 and "<b>" not in shown
    texts = [text for text in drawn.findobj(mpl.text.Text) if text.get_text() == name]
    assert len(texts) >= 3 and not any(text.get_parse_math() for text in texts)
