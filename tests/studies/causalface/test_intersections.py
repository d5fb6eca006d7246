"""Courses of groups, against loops; two statistics on effects that only one of them may answer
to."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import bias
from studies.causalface import intersections
from studies.shown import Shown

HUES, CRESTS = ("teal", "amber", "violet"), ("budded", "eared")


def faces():
    """Two identities with a series of four levels in all six groups, one of them its prototype; a
    third without."""
    rows = [
        (seed, hue, crest, level, "prototype" if level == 2 else "age")
        for level in (4, 1, 2, 3)
        for crest in CRESTS[::-1]
        for hue in HUES
        for seed in (7, 5)
    ]
    rows += [(9, hue, crest, 2, "prototype") for hue in HUES for crest in CRESTS]
    return pd.DataFrame(rows, columns=["seed", "race", "gender", "age", "subset"])


def test_courses_are_means_over_identities_less_the_groups_own():
    table = faces()
    values = np.random.default_rng(1).normal(size=(2, len(table), 3))
    means = intersections.means(values, table, "age", hues=HUES, crests=CRESTS)
    found = intersections.trajectories(means)
    assert found.shape == (2, 3, 3, 2, 4)
    for network, dimension, hue, crest in np.ndindex(2, 3, 3, 2):
        own = (
            (table["race"] == HUES[hue]) & (table["gender"] == CRESTS[crest]) & (table["seed"] != 9)
        )
        slow = pd.Series(values[network, :, dimension])[own].groupby(table.loc[own, "age"]).mean()
        assert np.allclose(means[network, dimension, hue, crest], slow)
        assert np.allclose(found[network, dimension, hue, crest], slow - slow.mean())


def test_a_group_without_an_image_at_some_level_is_an_error():
    table = faces().drop(index=0)
    with pytest.raises(ValueError, match="as many images at every level of age"):
        intersections.means(np.zeros((1, len(table), 1)), table, "age", hues=HUES, crests=CRESTS)


def test_both_statistics_agree_with_loops():
    course = np.random.default_rng(2).normal(size=(3, 2, 5))
    for hue, crest in np.ndindex(3, 2):
        others = np.mean(
            [course[h, c] for h, c in np.ndindex(3, 2) if (h, c) != (hue, crest)], axis=0
        )
        assert np.isclose(
            intersections.deviation(course)[hue, crest],
            np.sqrt(np.mean((course[hue, crest] - others) ** 2)),
        )
        assert np.allclose(intersections.beyond(course)[hue, crest], course[hue, crest] - others)
    for hue in range(3):
        other = np.mean([course[h, 1] - course[h, 0] for h in range(3) if h != hue], axis=0)
        slow = np.sqrt(np.mean((course[hue, 1] - course[hue, 0] - other) ** 2))
        assert np.isclose(intersections.interaction(course)[hue], slow)
        assert np.allclose(
            intersections.between_crests(course)[hue], course[hue, 1] - course[hue, 0] - other
        )


@pytest.mark.parametrize("two_way", ["hue", "crest"])
def test_only_the_interaction_is_silent_on_a_course_of_one_hue_or_one_crest(two_way):
    course, line = np.zeros((3, 2, 5)), np.linspace(-1, 1, 5)
    course[1 if two_way == "hue" else slice(None), slice(None) if two_way == "hue" else 1] = line
    assert intersections.deviation(course).max() > 0.4
    assert np.allclose(intersections.interaction(course), 0)
    course[2, 0] += line**2 - np.mean(line**2)
    assert intersections.interaction(course).argmax() == 2


def test_kinds_follow_from_who_is_named_and_which_column_a_feature_reads():
    axes = {
        "a": {"interactions": [{"who": {"race": "x", "gender": "y"}, "prime": 1, "constant": 2}]},
        "b": {"interactions": [{"who": {"race": "x"}, "age": 1}]},
        "c": {},
    }
    axes["d"] = {"interactions": [*axes["b"]["interactions"], *axes["a"]["interactions"]]}
    table = SimpleNamespace(
        axes=axes, features={"prime": {"column": "age"}, "age": {}, "constant": {}}
    )
    assert intersections.kinds(table, list(axes), "age") == {
        "a": "three-way",
        "b": "two-way",
        "c": "none",
        "d": "three-way",
    }
    assert set(intersections.kinds(table, list(axes), "smiling").values()) == {"none"}


def test_the_bias_table_has_two_way_effects_of_both_attributes():
    own = bias.load()
    for attribute in ("age", "smiling"):
        planted = intersections.kinds(
            own, ["warmth", "competence", "negative_agency", "progressive_belief"], attribute
        )
        assert planted["warmth"] == "three-way" and planted["progressive_belief"] == "none"
        assert list(planted.values()).count("two-way") == 1


def test_a_network_is_judged_without_itself_and_by_the_largest_of_the_others():
    sizes = np.array([[1.0, 0.2], [0.5, 2.0], [0.3, 0.1], [3.0, 0.4], [0.1, 2.5]])
    silent = np.array([True, True, True, False, False])
    found = intersections.rank_sizes(sizes, silent, 0, alpha=0.34)
    # largest of the silent: 1, 2, 0.3; ranks among the others give p
    assert found["p"].tolist() == [2 / 3, 1 / 3, 1.0, 1 / 4, 1 / 4]
    assert found["found"].tolist() == [False, False, False, True, False]
    assert found["another"].tolist() == [False, True, False, False, True]
    assert found["only"].tolist() == [False, False, False, True, False]


def test_found_alone_needs_that_no_other_group_would_be_significant():
    sizes = np.array([[1.0, 0.2], [0.5, 0.9], [0.3, 0.1], [3.0, 2.5]])
    silent = np.array([True, True, True, False])
    row = intersections.rank_sizes(sizes, silent, 0, alpha=0.25).iloc[3]
    assert row["found"] and not row["only"]


def made_up_courses(b, course):
    planted = {"x": "three-way", "y": "two-way", "z": "none"}
    return intersections.Trajectories(course, np.arange(6.0), b, planted, (2, 1))


def rates_of(one, **question):
    return intersections.rates(intersections.passes(one, **question), one.b)


def test_rates_distinguish_a_planted_three_way_effect_from_a_two_way_one():
    rng = np.random.default_rng(3)
    b = np.repeat([0.0, 1.0], [30, 8])
    course = rng.normal(scale=0.1, size=(38, 3, 3, 2, 6))
    line = np.linspace(-1, 1, 6)
    course[b == 1, 0, 2, 1] += line  # three-way: one group
    course[b == 1, 1, 0, :] += line  # two-way: one hue
    one = made_up_courses(b, course)
    table = rates_of(one, shape="slope", positive=["x"])
    names = table[table["question"] == "pre-specified"].set_index(["statistic", "planted", "b"])
    table = table[table["question"] == "exploratory"].set_index(
        ["statistic", "planted", "b", "event"]
    )
    assert table.loc[("interaction", "three-way", 1.0, "the outlier"), "hits"] == 8
    assert table.loc[("interaction", "two-way", 1.0, "some group"), "hits"] <= 2
    assert table.loc[("apart", "two-way", 1.0, "some group"), "hits"] == 8
    assert table.loc[("apart", "two-way", 1.0, "the outlier"), "hits"] == 0
    assert table.loc[("apart", "none", 1.0, "some group"), "hits"] <= 2
    assert (table["n"].xs(0.0, level="b") == 30).all()
    for statistic in ("apart", "interaction"):
        assert names.loc[(statistic, "three-way", 1.0), "hits"] == 8
        assert table.loc[(statistic, "three-way", 1.0, "the outlier"), "hits"] == 8
        assert names.loc[(statistic, "none", 1.0), "hits"] <= 2
        assert names.loc[(statistic, "three-way", 0.0), "n"] == 30
    assert names.loc[("interaction", "two-way", 1.0), "hits"] <= 2


def test_a_course_of_another_group_is_not_the_outlier():
    b = np.repeat([0.0, 1.0], [30, 5])
    course = np.random.default_rng(8).normal(scale=0.1, size=(35, 3, 3, 2, 6))
    course[b == 1, 0, 1, 0] += np.linspace(-1, 1, 6)
    table = rates_of(made_up_courses(b, course), shape="slope", positive=["x"])
    hits = table.query("b == 1 and planted == 'three-way' and question == 'exploratory'").set_index(
        ["statistic", "event"]
    )
    for statistic in ("apart", "interaction"):
        assert (
            hits.loc[(statistic, "some group"), "hits"] == 5
            and hits.loc[(statistic, "the outlier"), "hits"] == 0
        )


def pre_specified(planted, *, positive=("x", "y"), hue=2):
    """Hits of 5 networks, for the pre-specified question, with these `(2 dimensions, hues, crests)`
    times a line."""
    b = np.repeat([0.0, 1.0], [30, 5])
    course = np.random.default_rng(8).normal(scale=0.1, size=(35, 2, 3, 2, 6))
    course[b == 1] += np.asarray(planted, float)[..., None] * np.linspace(-1, 1, 6)
    one = intersections.Trajectories(
        course, np.arange(6.0), b, {"x": "three-way", "y": "three-way"}, (hue, 1)
    )
    table = rates_of(one, shape="slope", positive=positive)
    return (
        table.query("question == 'pre-specified' and b == 1")
        .set_index("statistic")["hits"]
        .to_dict()
    )


def test_pre_specified_a_shape_goes_in_opposite_directions_on_positive_and_negative_dimensions():
    planted = np.zeros((2, 3, 2))
    planted[:, 2, 1] = 1, -1
    assert pre_specified(planted, positive=("x",)) == {"apart": 5, "interaction": 5}
    assert max(pre_specified(planted, positive=("x", "y")).values()) <= 1


def test_pre_specified_the_interaction_is_that_of_the_outliers_hue():
    planted = np.zeros((2, 3, 2))
    planted[:, 0, 1], planted[:, 1, 1] = (
        1,
        -1,
    )  # the third hue's crests differ as the mean of the others' do
    assert (
        pre_specified(planted)["interaction"] <= 1
        and pre_specified(planted, hue=0)["interaction"] == 5
    )


def test_courses_are_read_from_what_networks_were_shown():
    table = faces()
    rng = np.random.default_rng(2)
    networks = pd.DataFrame({"b": [0.0, 0.5]})
    one = Shown(networks, table, rng.normal(size=(2, len(table), 2)), ("warmth", "competence"))
    own = bias.load()
    order = dict(hues=HUES[::-1], crests=CRESTS[::-1])
    found = intersections.trajectories_of(one, "age", own, **order)
    assert np.allclose(found.means, intersections.means(one.logits, table, "age", **order))
    assert np.allclose(found.trajectories, found.means - found.means.mean(axis=-1, keepdims=True))
    assert found.levels.tolist() == [1, 2, 3, 4] and found.b.tolist() == [0.0, 0.5]
    assert found.planted == {"warmth": "three-way", "competence": "two-way"}
    hue, crest = found.outlier
    assert (HUES[::-1][hue], CRESTS[::-1][crest]) == (own.outlier["race"], own.outlier["gender"])
    found = intersections.trajectories_of(one, "age", own, hues=HUES, crests=CRESTS)
    assert (HUES[found.outlier[0]], CRESTS[found.outlier[1]]) == (
        own.outlier["race"],
        own.outlier["gender"],
    )


def test_figures_of_networks_say_what_looks_separate():
    groups = [f"{hue} {crest}" for hue in HUES for crest in CRESTS]
    rng, means = np.random.default_rng(3), np.zeros((2, 2, 3, 2, 6))
    means += rng.normal(scale=0.1, size=means.shape)
    means[1, 0] += np.arange(6).reshape(3, 2, 1) ** 2  # the last group is far away, all are apart
    one = intersections.Trajectories(
        means, np.arange(6.0), np.array([0.0, 1.0]), {"plus": "none", "minus": "none"}, (2, 1)
    )
    table = intersections.figures_of(one, groups, {"agency": ("plus", "minus")})
    assert table["b"].tolist() == [0.0, 1.0] and table["separate"].tolist() == [False, True]
    assert set(table["dimension"]) == {"agency"}


def test_a_shape_is_the_coefficient_of_a_quadratic_signed_by_dimension():
    levels = np.array([0.0, 1.0, 3.0, 4.0])
    contrast = np.random.default_rng(7).normal(size=(2, 3, 4))
    signs = np.array([1, -1, 1])
    for shape, place in (("slope", 1), ("bend", 0)):
        u = levels / 2 - 1
        slow = [
            np.mean(
                [sign * np.polyfit(u, own, 2)[place] for sign, own in zip(signs, one, strict=True)]
            )
            for one in contrast
        ]
        assert np.allclose(intersections.shaped(contrast, levels, signs, shape), np.abs(slow))
    with pytest.raises(ValueError, match="shape='level'; there are slope, bend"):
        intersections.shaped(contrast, levels, signs, "level")
