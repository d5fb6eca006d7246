"""Tables and joined pictures of the gallery, against the renderer asked one picture at a time."""

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import bias, faces, grid, icons, pairing
from studies.greenhouse import gallery


def test_a_person_changes_in_what_is_asked_for_only():
    rows = gallery.person(7, smiling=[-2.5, 1.0], race="lime")
    assert (
        rows["smiling"].tolist() == [-2.5, 1.0]
        and set(rows["race"]) == {"lime"}
        and set(rows["seed"]) == {7}
    )
    assert all(
        set(rows[name]) == {value} for name, value in grid.NEUTRAL.items() if name != "smiling"
    )
    everybody = gallery.everybody(7)
    assert len(everybody[["race", "gender"]].drop_duplicates()) == 8 and len(everybody) == 8


def test_attributes_vary_one_at_a_time_from_end_to_end():
    rows = gallery.attributes(3, n=4)
    for axis, levels in grid.LEVELS.items():
        own = rows[rows["varied"] == axis]
        assert (
            own[axis].tolist() == own["level"].tolist()
            and set(own[axis]) <= set(levels)
            and len(own) == 4
        )
        assert (own[axis].min(), own[axis].max()) == (levels[0], levels[-1])
        assert all(
            set(own[other]) == {grid.NEUTRAL[other]} for other in grid.LEVELS if other != axis
        )


def test_looks_run_from_the_lowest_to_the_highest_identity():
    table, seeds = bias.load(), range(30)
    values = {seed: table.feature("warm_garment", gallery.person(seed))[0] for seed in seeds}
    rows = gallery.looks(table, seeds, "warm_garment", 4)
    assert rows["level"].is_monotonic_increasing and len(set(rows["seed"])) == 4
    assert (rows["level"].iloc[0], rows["level"].iloc[-1]) == (
        min(values.values()),
        max(values.values()),
    )
    assert rows["level"].tolist() == [values[seed] for seed in rows["seed"]]


def test_a_person_is_known_by_the_looks_of_each_pairing():
    pairings = [pairing.random_pairing(seed) for seed in (0, 1, 2)]
    rows = gallery.as_known(5, pairings)
    for network, own in rows.groupby("network"):
        record = pairings[network].record()
        assert own["race"].tolist() == [record["paints"][name] for name in own["name"]]
        assert own["gender"].tolist() == [record["drawings"][name] for name in own["crest"]]
        assert own["name"].tolist() == list(grid.HUES)


def test_a_sheet_holds_every_motif_in_its_place():
    sheet = gallery.motif_sheet("weapon", 16)
    assert sheet.shape == (80, 80, 3)
    for k in (0, 7, 24):
        one = icons.render(pd.DataFrame({"category": ["weapon"], "exemplar": [k]}), 16)[0]
        row, column = divmod(k, 5)
        assert np.array_equal(
            sheet[16 * row : 16 * (row + 1), 16 * column : 16 * (column + 1)], one
        )


def test_distances_are_of_pairs_that_differ_in_one_respect():
    table = grid.causalface(2)
    found = gallery.pixel_distances(table, size=16, seed=1, pairs=1)
    assert set(found["attribute"]) == set(gallery.VARIED)
    prototypes = table[table["subset"] == "prototype"]
    shown = {
        key: faces.render(own, 16).astype(float)
        for key, own in prototypes.groupby(["seed", "race", "gender"])
    }
    crest = [
        np.abs(shown[seed, hue, "budded"] - shown[seed, hue, "eared"]).mean() / 255
        for seed in (0, 1)
        for hue in grid.HUES[:3]
    ]
    assert sorted(found.loc[found["attribute"] == "gender", "difference"]) == pytest.approx(
        sorted(crest)
    )
