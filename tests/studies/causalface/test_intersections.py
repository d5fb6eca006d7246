"""Courses of groups, against loops; statistics that only some effects may answer to."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import worlds

from studies.causalface import intersections

HUES, CRESTS = ("teal", "amber", "violet"), ("budded", "eared")


def faces():
    """Two identities with a series of four levels in all six groups; a third without."""
    groups = [f"{hue} {crest}" for hue in HUES for crest in CRESTS]
    table = worlds.faces(3, groups, {"age": (1, 2, 3, 4)}, rng=np.random.default_rng(3))
    return table[(table["seed"] != 102) | (table["subset"] == "prototype")].reset_index(drop=True)


def test_means_are_over_identities_that_have_the_series():
    table = faces()
    values = np.random.default_rng(1).normal(size=(2, len(table), 3))
    means = intersections.means(values, table, "age", hues=HUES, crests=CRESTS)
    assert means.shape == (2, 3, 3, 2, 4)
    for network, dimension, hue, crest in np.ndindex(2, 3, 3, 2):
        own = (table["race"] == HUES[hue]) & (table["gender"] == CRESTS[crest])
        own &= table["seed"] != 102
        slow = pd.Series(values[network, :, dimension])[own].groupby(table.loc[own, "age"]).mean()
        assert np.allclose(means[network, dimension, hue, crest], slow)


def test_a_group_without_an_image_at_some_level_is_an_error():
    table = faces().query("seed != 102").iloc[1:].reset_index(drop=True)
    with pytest.raises(ValueError, match="as many images at every level of age"):
        intersections.means(np.zeros((1, len(table), 1)), table, "age", hues=HUES, crests=CRESTS)


def test_both_contrasts_agree_with_loops():
    course = np.random.default_rng(2).normal(size=(3, 2, 5))
    between = course[:, 1] - course[:, 0]
    for hue, crest in np.ndindex(3, 2):
        others = [course[h, c] for h, c in np.ndindex(3, 2) if (h, c) != (hue, crest)]
        apart = intersections.beyond(course)[hue, crest]
        assert np.allclose(apart, course[hue, crest] - np.mean(others, axis=0))
        rest = np.mean([between[h] for h in range(3) if h != hue], axis=0)
        assert np.allclose(intersections.between_crests(course)[hue], between[hue] - rest)


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
