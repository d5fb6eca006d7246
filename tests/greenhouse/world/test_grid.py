"""The tables of what there is to render."""

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import bias, grid


def test_causalface_has_the_papers_size_and_structure():
    table = grid.causalface()
    assert len(table) == 18_000 == len(table.drop(columns="subset").drop_duplicates())
    assert (table.groupby(["seed", "race", "gender"]).size() == 30).all()
    sizes = {"age": 5400, "smiling": 5400, "lighting": 4200, "pose": 2400, "prototype": 600}
    assert table["subset"].value_counts().to_dict() == sizes
    assert set(table["race"]) == {"teal", "amber", "violet"}


def test_each_series_varies_one_attribute_and_shares_the_prototype():
    table = grid.causalface(2)
    for axis, levels in grid.LEVELS.items():
        series = table[table["subset"].isin(["prototype", axis])]
        person = series[
            (series["seed"] == 1) & (series["race"] == "amber") & (series["gender"] == "eared")
        ]
        assert sorted(person[axis]) == list(levels)
        others = [other for other in grid.LEVELS if other != axis]
        assert all((person[other] == grid.NEUTRAL[other]).all() for other in others)


def test_portraits_are_as_many_of_each_group_as_the_database_has():
    table = grid.cfd()
    sizes = {"violet": 197, "teal": 183, "amber": 109, "lime": 108}
    assert table["race"].value_counts().to_dict() == sizes
    assert table["seed"].is_unique and not set(table["seed"]) & set(grid.causalface()["seed"])
    assert (table[list(grid.NEUTRAL)] == list(grid.NEUTRAL.values())).all(axis=None)


@pytest.mark.parametrize("kind", list(grid.OBSERVED))
def test_an_observational_sample_is_uncontrolled_as_written(kind):
    table, made = grid.observational(kind, 6_000, seed=5), grid.OBSERVED[kind]
    assert table["seed"].is_unique and table["seed"].between(0, 2**32 - 1).all()
    for hue, share in made["share"].items():
        own = table[table["race"] == hue]
        assert abs(len(own) / len(table) - share) < 0.03
        assert abs((own["gender"] == grid.CRESTS[1]).mean() - made["second crest"][hue]) < 0.07
    smiles, ages = (table.groupby("gender")[name].mean() for name in ("smiling", "age"))
    assert smiles["budded"] > smiles["eared"] + 0.3 and ages["eared"] > ages["budded"] + 0.2
    assert table[["age", "smiling"]].corr().iloc[0, 1] < -0.2
    light = table.groupby("race")["lighting"].mean()
    assert light["teal"] > light["violet"] + 0.6
    assert all(table[axis].between(low, high).all() for axis, (low, high) in grid.RANGES.items())


def garment(table):
    return bias.load().feature("warm_garment", table)


@pytest.mark.parametrize("kind", list(grid.OBSERVED))
def test_the_confounder_that_no_column_records_works_as_stated(kind):
    """Per unit of tendency the garment gets warmer by what the best of six adds; at half the
    strength, by half."""
    made, world = grid.OBSERVED[kind]["garment"], bias.load()
    best_of_six = np.sort(
        garment(pd.DataFrame({"seed": np.arange(30_000)})).reshape(-1, 6), axis=1
    )[:, -1].mean()
    for strength in (0.0, 0.5, 1.0):
        table = grid.observational(kind, 4_000, seed=3, unrecorded=strength)
        tendency = table["race"].map(made).fillna(0).to_numpy()
        tendency = tendency + sum(
            made[name] * world.feature(name, table) for name in ("age", "smiling")
        )
        slope = np.polyfit(np.clip(tendency, -1, 1), garment(table), 1)[0]
        assert abs(slope - strength * best_of_six) < 0.06
    assert best_of_six > 0.6


def test_years_follow_age_and_bins_hold_their_years():
    """FairFace's labels, read as text: an independent account of which bin a whole year belongs
    to."""
    assert grid.years([0.8, 4.4]) == pytest.approx([1, 73])
    assert (np.diff(grid.years(np.linspace(0.8, 4.4, 9))) > 0).all()
    table = grid.fairface(2_000)
    whole = np.floor(grid.years(table["age"]))
    for row, year in zip(table.itertuples(), whole, strict=True):
        if row.age_bin == "more than 70":
            assert year >= 70 and row.years == 70
        else:
            low, high = map(int, row.age_bin.split("-"))
            assert low <= year <= high and row.years == (low + high) / 2
    assert set(table["age_bin"]) == set(grid.AGE_BINS)


def test_observational_samples_repeat_and_differ():
    first = grid.observational("fairface", 50, seed=1)
    assert first.equals(grid.observational("fairface", 80, seed=1).iloc[:50])
    assert not set(first["seed"]) & set(grid.observational("fairface", 50, seed=2)["seed"])


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: grid.causalface(0), "seeds=0 must be a whole number"),
        (lambda: grid.causalface(1, hues=["puce"]), "unknown hue 'puce'; choose from teal"),
        (lambda: grid.observational("imdb"), "unknown kind 'imdb'; choose from fairface, utk"),
        (lambda: grid.fairface(unrecorded=2), r"unrecorded=2 must be in \[0, 1\]"),
    ],
)
def test_a_value_that_no_table_has_is_an_error_with_the_rule(ask, says):
    with pytest.raises(ValueError, match=says):
        ask()
