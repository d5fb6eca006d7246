"""Maps of pictures, pixel by pixel on made-up pictures in which everything differs."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import worlds

from studies.causalface import stimuli

RACES = ("white", "black", "asian")
GROUPS = [f"{race} {gender}" for race in RACES for gender in ("male", "female")]
LEVELS = {"age": (1.0, 2.0, 3.0), "smiling": (-1.0, 0.0, 2.0), "pose": (-1.0, 0.0, 1.0)}
SIZE = (20, 16)


def grid(seeds=3):
    table = worlds.faces(seeds, GROUPS, LEVELS, rng=np.random.default_rng(2))
    return table.sort_values(["race", "gender"], ignore_index=True)


class Pictures:
    """An image set whose pictures are noise, as drawn (`pixels`) or as files."""

    def __init__(self, table, *, files=False):
        self.table, self.files, self.asked = table, files, []
        shape = (len(table), *SIZE, 3)
        self.pictures = np.random.default_rng(3).integers(0, 256, shape, dtype=np.uint8)

    def pixels(self, rows):
        self.asked.append(len(rows))
        return None if self.files else self.pictures[rows]

    def decode(self, rows):
        if isinstance(rows, int):
            return SimpleNamespace(size=SIZE[::-1])
        return iter(self.pictures[rows])


def slow_grey(pixel):
    return 0.2989 * int(pixel[0]) + 0.587 * int(pixel[1]) + 0.114 * int(pixel[2])


@pytest.mark.parametrize("files", [False, True])
def test_pictures_are_those_of_the_rows_asked_for(files):
    images = Pictures(grid(), files=files)
    assert (stimuli.in_grey(images, [5, 2]) == stimuli.grey(images.pictures[[5, 2]])).all()


def slow_map(images, subsets, seeds, column, one, other):
    """Per seed the mean sign, the mean difference over seeds, and the pairs: pixel by pixel."""
    table, signs, sizes, pairs = images.table, [], [], 0
    for seed in seeds:
        own = table[table["subset"].isin(subsets) & (table["seed"] == seed)]
        differences = []
        for (row, a), (number, b) in itertools.product(own.iterrows(), own.iterrows()):
            rest = "gender" if column == "race" else "race"
            if (
                (a[column], b[column]) == (one, other)
                and a[rest] == b[rest]
                and a["age"] == b["age"]
            ):
                here, there = images.pictures[row], images.pictures[number]
                differences.append(
                    [
                        [slow_grey(here[y, x]) - slow_grey(there[y, x]) for x in range(SIZE[1])]
                        for y in range(SIZE[0])
                    ]
                )
        signs.append(np.mean(np.sign(np.round(differences, 3)), axis=0))
        sizes.append(np.mean(differences, axis=0))
        pairs += len(differences)
    return np.array(signs), np.mean(sizes, axis=0), pairs


@pytest.mark.parametrize("subsets", [["prototype"], ["prototype", "age"]])
def test_maps_compare_pictures_that_differ_in_the_group_alone(subsets):
    images = Pictures(grid())
    images.pictures[:, 0, 0] = 7  # a position at which nothing differs
    found = stimuli.seed_maps(images, subsets=subsets, seeds=[100, 102], block=20)
    assert len(found) == 1 + 3
    assert max(images.asked) <= 20
    assert sum(images.asked) == 2 * 6 * (1 if len(subsets) == 1 else 3)
    for (name, one), sides in zip(
        found.items(), stimuli.comparisons(images.table).values(), strict=True
    ):
        signs, size, pairs = slow_map(images, subsets, [100, 102], *sides)
        assert name == " − ".join(sides[1:]) and one.pairs == pairs
        assert np.allclose(one.signs, signs)
        assert np.allclose(one.size, size, atol=1e-3)
        assert np.allclose(one.seen, signs.mean(axis=0))
        assert one.seen[0, 0] == 0


def test_pictures_of_unknown_age_are_paired_with_each_other():
    table = grid(seeds=1)
    table.loc[table["subset"] == "prototype", "age"] = np.nan
    own = table[table["subset"] == "prototype"]
    both = stimuli.paired(own, "race", "white", "asian")
    genders = [table["gender"][both[row]].tolist() for row in ("row_one", "row_other")]
    assert genders[0] == genders[1] and sorted(genders[0]) == ["female", "male"]
    assert set(table["race"][both["row_one"]]) == {"white"}
    assert set(table["race"][both["row_other"]]) == {"asian"}


def test_chance_is_all_ways_to_flip_a_few_seeds():
    signs = np.random.default_rng(5).normal(size=(6, 2, 3))
    every = [
        np.tensordot(np.array(coins), signs, 1) / 6
        for coins in itertools.product([-1, 1], repeat=6)
    ]
    found = stimuli.by_chance(signs, n=40_000, seed=1)
    assert min(np.abs(found.example - one).max() for one in every) < 1e-6
    largest = np.repeat([np.abs(one).max() for one in every], 40_000 // 64)
    assert found.anywhere == pytest.approx(np.quantile(largest, 0.95), abs=1e-3)
    assert stimuli.by_chance(signs, n=40_000, seed=1).anywhere == found.anywhere


def test_brightness_is_relative_to_the_prototype_of_seed_and_group():
    table = grid()
    rows = table[table["subset"].isin(["prototype", "smiling"])].sample(frac=1, random_state=2)
    values = np.random.default_rng(3).uniform(1, 2, len(rows))
    change = stimuli.relative(rows, values)
    by_row = dict(zip(rows.index, values, strict=True))
    for (row, person), value in zip(rows.iterrows(), change, strict=True):
        mine = (rows[["seed", "race", "gender"]] == person[["seed", "race", "gender"]]).all(axis=1)
        (base,) = rows.index[mine & (rows["smiling"] == 0)]
        assert value == pytest.approx(100 * (by_row[row] - by_row[base]) / by_row[base], abs=1e-4)
