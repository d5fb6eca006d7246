"""The tables of what there is to render."""

import numpy as np
import pytest

from greenhouse.world import faces, grid


def test_causalface_has_the_papers_size_and_structure():
    table = grid.causalface()
    assert len(table) == 18_000 == len(table.drop(columns="subset").drop_duplicates())
    assert list(table.columns) == ["seed", "race", "gender", "age", "smiling", "lighting", "pose", "subset"]
    assert (table.groupby(["seed", "race", "gender"]).size() == 30).all()
    assert table["subset"].value_counts().to_dict() == {
        "age": 5400, "smiling": 5400, "lighting": 4200, "pose": 2400, "prototype": 600}
    assert set(table["race"]) == {"teal", "amber", "violet"}


def test_each_series_varies_one_attribute_and_shares_the_prototype():
    table = grid.causalface(2)
    for axis, levels in grid.LEVELS.items():
        series = table[table["subset"].isin(["prototype", axis])]
        person = series[(series["seed"] == 1) & (series["race"] == "amber") & (series["gender"] == "eared")]
        assert sorted(person[axis]) == list(levels)
        others = [other for other in grid.LEVELS if other != axis]
        assert all((person[other] == grid.NEUTRAL[other]).all() for other in others)


def test_neutral_values_are_levels():
    assert all(grid.NEUTRAL[axis] in levels for axis, levels in grid.LEVELS.items())
    for axis in ("age", "lighting"):
        levels = grid.LEVELS[axis]
        assert grid.NEUTRAL[axis] == levels[len(levels) // 2 - 1]


def test_portraits():
    table = grid.cfd()
    assert table["race"].value_counts().to_dict() == {"violet": 197, "teal": 183, "amber": 109, "lime": 108}
    assert table["seed"].is_unique and not set(table["seed"]) & set(grid.causalface()["seed"])
    assert (table[list(grid.NEUTRAL)] == list(grid.NEUTRAL.values())).all(axis=None)


def test_icons():
    table = grid.icons(5)
    assert (table.groupby("category").size() == 5).all() and set(table["category"]) == set(grid.CATEGORIES)
    assert table.index.tolist() == list(range(30))


@pytest.mark.parametrize("seeds", [0, -3, 2.5, True, "many"])
def test_seeds_must_be_a_positive_whole_number(seeds):
    with pytest.raises(ValueError, match=f"seeds={seeds!r} must be a whole number"):
        grid.causalface(seeds)


def test_numpy_counts_and_four_hues():
    assert len(grid.causalface(np.int64(1), hues=grid.HUES)) == 240
    with pytest.raises(ValueError, match="unknown hue 'puce'; choose from teal"):
        grid.causalface(1, hues=["teal", "puce"])


@pytest.mark.parametrize("kind", list(grid.OBSERVED))
def test_an_observational_sample_is_uncontrolled_as_written(kind):
    table, made = grid.observational(kind, 6_000, seed=5), grid.OBSERVED[kind]
    assert table["seed"].is_unique and table["seed"].between(0, 2**32 - 1).all()
    for hue, share in made["share"].items():
        own = table[table["race"] == hue]
        assert abs(len(own) / len(table) - share) < 0.03
        assert abs((own["gender"] == "eared").mean() - made["eared"][hue]) < 0.05
    smiles, ages = (table.groupby("gender")[name].mean() for name in ("smiling", "age"))
    assert smiles["budded"] > smiles["eared"] + 0.3 and ages["eared"] > ages["budded"] + 0.2
    light = table.groupby("race")["lighting"].mean()
    assert light["teal"] > light["violet"] + 0.6
    assert all(table[axis].between(low, high).all() for axis, (low, high) in grid.RANGES.items())


def test_observational_samples_repeat_and_differ():
    first = grid.observational("fairface", 50, seed=1)
    assert first.equals(grid.observational("fairface", 50, seed=1))
    assert first.equals(grid.observational("fairface", 80, seed=1).iloc[:50])
    assert not set(first["seed"]) & set(grid.observational("fairface", 50, seed=2)["seed"])
    assert len({picture.tobytes() for picture in faces.render(first, 32)}) == 50
    with pytest.raises(ValueError, match="unknown kind 'imdb'; choose from fairface, utkface"):
        grid.observational("imdb")
    with pytest.raises(ValueError, match="seed=-1 must be a whole number"):
        grid.observational("fairface", seed=-1)
