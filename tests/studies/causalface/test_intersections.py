"""Courses of groups, against loops; two statistics on effects that only one of them may answer to."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import bias
from studies.causalface import intersections

HUES, CRESTS = ("teal", "amber", "violet"), ("budded", "eared")


def faces():
    """Two identities with a series of four levels in all six groups, one of them its prototype; a third without."""
    rows = [(seed, hue, crest, level, "prototype" if level == 2 else "age")
            for level in (4, 1, 2, 3) for crest in CRESTS[::-1] for hue in HUES for seed in (7, 5)]
    rows += [(9, hue, crest, 2, "prototype") for hue in HUES for crest in CRESTS]
    return pd.DataFrame(rows, columns=["seed", "race", "gender", "age", "subset"])


def test_courses_are_means_over_identities_less_the_groups_own():
    table = faces()
    values = np.random.default_rng(1).normal(size=(2, len(table), 3))
    means = intersections.means(values, table, "age", hues=HUES, crests=CRESTS)
    found = intersections.course(means)
    assert found.shape == (2, 3, 3, 2, 4)
    for network, dimension, hue, crest in np.ndindex(2, 3, 3, 2):
        own = (table["race"] == HUES[hue]) & (table["gender"] == CRESTS[crest]) & (table["seed"] != 9)
        slow = pd.Series(values[network, :, dimension])[own].groupby(table.loc[own, "age"]).mean()
        assert np.allclose(means[network, dimension, hue, crest], slow)
        assert np.allclose(found[network, dimension, hue, crest], slow - slow.mean())


def test_a_table_of_groups_becomes_the_same_array():
    table = faces()
    used = intersections.series(table, "age", HUES)
    assert used.sum() == 2 * 6 * 4
    values = np.random.default_rng(6).normal(size=(1, len(table), 2))
    cells = [table.loc[used, name] for name in ("race", "gender", "age")]
    rows = pd.DataFrame(values[0]).loc[used].groupby(cells).mean()
    shuffled = rows.sample(frac=1, random_state=1)
    assert np.allclose(intersections.of_groups(shuffled, hues=HUES, crests=CRESTS),
                       intersections.means(values, table, "age", hues=HUES, crests=CRESTS))


def test_a_group_without_an_image_at_some_level_is_an_error():
    table = faces().drop(index=0)
    with pytest.raises(ValueError, match="as many images at every level of age"):
        intersections.means(np.zeros((1, len(table), 1)), table, "age", hues=HUES, crests=CRESTS)


def test_both_statistics_agree_with_loops():
    course = np.random.default_rng(2).normal(size=(3, 2, 5))
    for hue, crest in np.ndindex(3, 2):
        others = np.mean([course[h, c] for h, c in np.ndindex(3, 2) if (h, c) != (hue, crest)], axis=0)
        assert np.isclose(intersections.apart(course)[hue, crest], np.sqrt(np.mean((course[hue, crest] - others) ** 2)))
        assert np.allclose(intersections.beyond(course)[hue, crest], course[hue, crest] - others)
    for hue in range(3):
        other = np.mean([course[h, 1] - course[h, 0] for h in range(3) if h != hue], axis=0)
        slow = np.sqrt(np.mean((course[hue, 1] - course[hue, 0] - other) ** 2))
        assert np.isclose(intersections.interaction(course)[hue], slow)


@pytest.mark.parametrize("two_way", ["hue", "crest"])
def test_only_the_interaction_is_silent_on_a_course_of_one_hue_or_one_crest(two_way):
    course, line = np.zeros((3, 2, 5)), np.linspace(-1, 1, 5)
    course[1 if two_way == "hue" else slice(None), slice(None) if two_way == "hue" else 1] = line
    assert intersections.apart(course).max() > 0.4
    assert np.allclose(intersections.interaction(course), 0)
    course[2, 0] += line**2 - np.mean(line**2)
    assert intersections.interaction(course).argmax() == 2


def test_kinds_follow_from_who_is_named_and_which_column_a_feature_reads():
    axes = {"a": {"interactions": [{"who": {"race": "x", "gender": "y"}, "prime": 1, "constant": 2}]},
            "b": {"interactions": [{"who": {"race": "x"}, "age": 1}]}, "c": {}}
    table = SimpleNamespace(axes=axes, features={"prime": {"column": "age"}, "age": {}, "constant": {}})
    assert intersections.kinds(table, list(axes), "age") == {"a": "three-way", "b": "two-way", "c": "none"}
    assert set(intersections.kinds(table, list(axes), "smiling").values()) == {"none"}


def test_the_bias_table_has_foils_of_both_attributes():
    own = bias.load()
    for attribute in ("age", "smiling"):
        planted = intersections.kinds(own, ["warmth", "competence", "negative_agency", "progressive_belief"], attribute)
        assert planted["warmth"] == "three-way" and planted["progressive_belief"] == "none"
        assert list(planted.values()).count("two-way") == 1


def test_a_network_is_judged_without_itself_and_by_the_largest_of_the_others():
    sizes = np.array([[1.0, 0.2], [0.5, 2.0], [0.3, 0.1], [3.0, 0.4], [0.1, 2.5]])
    silent = np.array([True, True, True, False, False])
    found = intersections.judged(sizes, silent, 0, level=0.34)
    # largest of the silent: 1, 2, 0.3; ranks among the others give p
    assert found["p"].tolist() == [2 / 3, 1 / 3, 1.0, 1 / 4, 1 / 4]
    assert found["found"].tolist() == [False, False, False, True, False]
    assert found["another"].tolist() == [False, True, False, False, True]
    assert found["only"].tolist() == [False, False, False, True, False]


def test_found_alone_needs_that_no_other_group_would_be_significant():
    sizes = np.array([[1.0, 0.2], [0.5, 0.9], [0.3, 0.1], [3.0, 2.5]])
    silent = np.array([True, True, True, False])
    row = intersections.judged(sizes, silent, 0, level=0.25).iloc[3]
    assert row["found"] and not row["only"]


def test_rates_and_panels_tell_a_planted_three_way_effect_from_its_foil():
    rng = np.random.default_rng(3)
    b = np.repeat([0.0, 1.0], [30, 8])
    course = rng.normal(scale=0.1, size=(38, 3, 3, 2, 6))
    line = np.linspace(-1, 1, 6)
    course[b == 1, 0, 2, 1] += line  # three-way: one group
    course[b == 1, 1, 0, :] += line  # two-way: one hue
    planted = {"x": "three-way", "y": "two-way", "z": "none"}
    table = intersections.rates(course, planted, b, (2, 1), levels=np.arange(6.0), shape="slope", positive=["x"])
    names = table[table["asked"] == "by name"].set_index(["statistic", "planted", "b"])
    table = table[table["asked"] == "looked up"].set_index(["statistic", "planted", "b", "event"])
    assert table.loc[("interaction", "three-way", 1.0, "the outlier"), "hits"] == 8
    assert table.loc[("interaction", "two-way", 1.0, "some group"), "hits"] <= 2
    assert table.loc[("apart", "two-way", 1.0, "some group"), "hits"] == 8
    assert table.loc[("apart", "two-way", 1.0, "the outlier"), "hits"] == 0
    assert table.loc[("apart", "none", 1.0, "some group"), "hits"] <= 2
    assert (table["n"].xs(0.0, level="b") == 30).all()
    for statistic in ("apart", "interaction"):
        assert names.loc[(statistic, "three-way", 1.0), "hits"] == 8
        assert names.loc[(statistic, "none", 1.0), "hits"] <= 2
        assert names.loc[(statistic, "three-way", 0.0), "n"] == 30
    assert names.loc[("interaction", "two-way", 1.0), "hits"] <= 2
    single = intersections.panels(course, planted, b, (2, 1)).query("statistic == 'interaction' and b == 1")
    assert single.groupby("dimension")["found"].mean().to_dict() == pytest.approx({"x": 1, "y": 0, "z": 0}, abs=0.26)
    assert single["network"].nunique() == 8


def test_the_permutation_test_counts_itself_and_finds_what_is_large():
    rng = np.random.default_rng(4)
    course = rng.normal(size=(20, 3, 2, 5))
    course[:, 1, 0] += 3 * np.linspace(-1, 1, 5)
    assert intersections.permutation_p(course, rng, n=19) == 1 / 20
    assert intersections.permutation_p(rng.normal(size=(20, 3, 2, 5)), np.random.default_rng(5), n=39) > 1 / 40


def test_recovery_is_a_slope_and_says_where_there_is_none():
    said = np.array([[0.0, 1.0], [2.0, 3.0]])
    assert intersections.recovery(said, 0.5 * said + 1) == pytest.approx({"slope": 0.5, "r": 1.0})
    assert np.isnan(intersections.recovery(np.zeros(4), np.arange(4.0))["slope"])


def test_a_shape_is_the_coefficient_of_a_quadratic_signed_by_dimension():
    levels = np.array([0.0, 1.0, 3.0, 4.0])
    contrast = np.random.default_rng(7).normal(size=(2, 3, 4))
    signs = np.array([1, -1, 1])
    for shape, place in (("slope", 1), ("bend", 0)):
        u = levels / 2 - 1
        slow = [np.mean([sign * np.polyfit(u, own, 2)[place] for sign, own in zip(signs, one, strict=True)])
                for one in contrast]
        assert np.allclose(intersections.shaped(contrast, levels, signs, shape), np.abs(slow))
    with pytest.raises(ValueError, match="shape='level'; there are slope, bend"):
        intersections.shaped(contrast, levels, signs, "level")
