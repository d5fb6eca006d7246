"""Made-up pictures in which every group, seed and level differs; slow versions compare pixel by
pixel."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from studies import roles
from studies.causalface import stimuli
from vlmbias.papers import CAUSALFACE

WHO = roles.named(CAUSALFACE, {})
RACES, GENDERS = ("white", "black", "asian"), ("male", "female")
SIZE = (20, 16)


def grid(seeds=3, ages=(1.0, 2.0, 3.0), smiles=(-1.0, 0.0, 2.0)):
    """Prototypes (age 2, smiling 0) and a series over age and over smiling for every seed and
    group."""
    rows = []
    for seed, race, gender in itertools.product(range(seeds), RACES, GENDERS):
        person = dict(
            seed=seed, race=race, gender=gender, age=2.0, smiling=0.0, lighting=0.0, pose=0.0
        )
        rows.append(person | {"subset": "prototype"})
        rows += [person | {"subset": "age", "age": age} for age in ages if age != 2.0]
        rows += [
            person | {"subset": "smiling", "smiling": smile} for smile in smiles if smile != 0.0
        ]
        rows += [person | {"subset": "pose", "pose": 1.0}]
    return pd.DataFrame(rows)


class Pictures:
    """An image set whose pictures are noise, as drawn (`pixels`) or as files."""

    def __init__(self, table, *, files=False, pictures=None):
        self.table, self.files, self.asked = table, files, []
        noise = np.random.default_rng(3).integers(0, 256, (len(table), *SIZE, 3), dtype=np.uint8)
        self.pictures = noise if pictures is None else pictures

    def pixels(self, rows):
        self.asked.append(len(rows))
        return None if self.files else self.pictures[rows]

    def decode(self, rows):
        if isinstance(rows, int):
            return SimpleNamespace(size=SIZE[::-1])
        return iter(self.pictures[rows])


def slow_grey(pixel):
    return 0.2989 * int(pixel[0]) + 0.587 * int(pixel[1]) + 0.114 * int(pixel[2])


def test_grey_weighs_red_green_and_blue():
    picture = np.random.default_rng(0).integers(0, 256, (2, 3, 4, 3), dtype=np.uint8)
    expected = [slow_grey(pixel) for pixel in picture.reshape(-1, 3)]
    assert stimuli.grey(picture).shape == (2, 3, 4)
    assert stimuli.grey(picture).ravel() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("files", [False, True])
def test_pictures_are_those_of_the_rows_asked_for(files):
    images = Pictures(grid(), files=files)
    assert (stimuli.decoded(images, [5, 2]) == images.pictures[[5, 2]]).all()
    assert (stimuli.in_grey(images, [5, 2]) == stimuli.grey(images.pictures[[5, 2]])).all()


def test_stacked_tables_bring_a_prototype_each():
    table = grid()
    people = 3 * 6
    assert len(table) == people * 6 and stimuli.stacked(table) == people * (
        1 + 2 + 1 + 2 + 1 + 0 + 1 + 1
    )


def test_the_grid_is_counted():
    table = grid(smiles=(-1.0, 0.0, 2.0, 3.0))
    found = stimuli.grid_claims(Pictures(table))
    # race, gender, age, smiling and pose are varied, lighting is not
    assert found == {
        "attributes": 5,
        "attributes-again": 5,
        "groups": 6,
        "gender-values": 2,
        "smiling-values": 4,
        "more-per-seed": False,
        "crop.size": 16,
    }
    for copies, more in ((20, False), (21, True)):  # 6 x 20 = 120 per seed is not more than 120
        person = table[table["subset"] == "prototype"]
        assert stimuli.grid_claims(Pictures(pd.concat([person] * copies)))["more-per-seed"] is more


def test_examples_are_of_one_seed_from_the_lowest_level_to_the_highest():
    table = grid(ages=(1.0, 1.5, 2.0, 3.0, 4.0), smiles=(0.0, 1.0)).sample(frac=1, random_state=1)
    found = stimuli.examples(table, levels=3)
    assert found["seed"].nunique() == 1 and (table.loc[found.index, "age"] == found["age"]).all()
    first = table[table["seed"] == table["seed"].iloc[0]].iloc[0]
    rest = found.iloc[6:]
    assert set(found["label"].iloc[:6]) == {
        f"{race}\n{gender}" for race in RACES for gender in GENDERS
    }
    assert set(rest["race"]) == {first["race"]} and set(rest["gender"]) == {first["gender"]}
    assert rest["label"].tolist() == [
        "age 1",
        "age 2",
        "age 4",
        "smiling 0",
        "smiling 1",
        "lighting 0",
        "pose 0",
        "pose 1",
    ]


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
    found = stimuli.seed_maps(images, subsets=subsets, seeds=[0, 2], block=20)
    assert list(found) == ["male − female", "white − black", "white − asian", "black − asian"]
    assert max(images.asked) <= 20 and sum(images.asked) == 2 * 6 * (1 if len(subsets) == 1 else 3)
    for (name, one), sides in zip(
        found.items(), stimuli.comparisons(images.table).values(), strict=True
    ):
        signs, size, pairs = slow_map(images, subsets, [0, 2], *sides)
        assert one.pairs == pairs, name
        assert np.allclose(one.signs, signs) and np.allclose(one.size, size, atol=1e-3)
        assert np.allclose(one.seen, signs.mean(axis=0)) and one.seen[0, 0] == 0


def test_pictures_of_unknown_age_are_paired_with_each_other():
    table = grid(seeds=1)
    table.loc[table["subset"] == "prototype", "age"] = np.nan
    own = table[table["subset"] == "prototype"]
    both = stimuli.paired(own, "race", "white", "asian")
    assert [
        (table["gender"][a], table["gender"][b])
        for a, b in both[["row_one", "row_other"]].to_numpy()
    ] == [("male", "male"), ("female", "female")]
    assert set(table["race"][both["row_one"]]) == {"white"} and set(
        table["race"][both["row_other"]]
    ) == {"asian"}


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
    # the normal bound of a position: 1.96 standard deviations over all ways
    assert np.allclose(found.single, 1.959964 * np.std(every, axis=0), rtol=1e-5)
    assert stimuli.by_chance(signs, n=40_000, seed=1).anywhere == found.anywhere


def test_readings_count_positions_beyond_three_bounds():
    rng = np.random.default_rng(2)
    signs = rng.choice([-1.0, 1.0], (40, 10, 10))
    signs[:, 0] = 1  # a row that is always brighter
    signs[:, 1] = 0  # a row at which nothing ever differs
    maps = {
        "a − b": stimuli.Maps(signs, signs[0], 160),
        "c − d": stimuli.Maps(0 * signs, signs[0], 9),
    }
    table = stimuli.readings(maps, n=400, seed=3)
    one, seen = table.loc["a − b"], signs.mean(axis=0)
    null = stimuli.by_chance(signs, n=400, seed=3)
    assert (one["pairs"], one["seeds"], one["largest"]) == (160, 40, 1)
    assert one["bound pairs"] == pytest.approx(1.959964 / np.sqrt(160))
    assert one["bound seeds"] == pytest.approx(
        1.959964 / np.sqrt(40), rel=1e-4
    )  # as every sign is 1 or -1
    assert one["bound anywhere"] == null.anywhere
    assert one["beyond pairs"] == np.mean([abs(x) > 1.959964 / np.sqrt(160) for x in seen.ravel()])
    assert one["beyond seeds"] == np.mean([abs(x) > 1.959964 / np.sqrt(40) for x in seen.ravel()])
    assert one["beyond anywhere"] == np.mean([abs(x) > null.anywhere for x in seen.ravel()])
    assert one["beyond pairs"] > one["beyond seeds"] > one["beyond anywhere"] > 0
    assert (
        table.loc["c − d", [name for name in table if "b" in name]] == 0
    ).sum() == 5  # all but the bound of pairs


def test_corners_and_foot_are_regions_of_the_map():
    values = np.arange(320.0).reshape(20, 16) ** 2
    assert stimuli.corners(values) == pytest.approx(
        np.mean([values[y, x] for y in range(5) for x in (0, 1, 14, 15)])
    )
    assert stimuli.foot(values) == pytest.approx(
        np.mean([values[y, x] for y in (18, 19) for x in range(4, 12)])
    )


def shaded(table, corner, foot):
    """Flat grey pictures with another grey in the upper corners and at the foot, per race or
    gender."""
    pictures = np.full((len(table), *SIZE, 3), 100, np.uint8)
    for row, person in enumerate(table.itertuples()):
        pictures[row, :5, :2] = pictures[row, :5, -2:] = (
            100 + corner[person.race] + corner[person.gender]
        )
        pictures[row, -2:, :] = 100 + foot[person.gender]
    return Pictures(table, pictures=pictures)


@pytest.mark.parametrize("order", [GENDERS, GENDERS[::-1]])
def test_captions_of_the_maps_are_read_off_background_and_clothes(order):
    table = (
        grid()
        .sort_values("gender", key=lambda of: of.map(order.index), kind="stable")
        .reset_index(drop=True)
    )
    corner, foot = (
        {"white": -9, "black": 0, "asian": 9, "male": 5, "female": 0},
        {"male": -20, "female": 0},
    )

    def claims(corner, foot):
        maps = stimuli.seed_maps(
            shaded(table, corner, foot), subsets=["prototype"], seeds=[0, 1, 2]
        )
        return stimuli.map_claims(maps, table, WHO)

    found = claims(corner, foot)
    assert found.pop("gender-size") == pytest.approx(100 * 0.9999 * 20 / 255, rel=1e-4)
    assert found == {
        "gender-background": True,
        "gender-clothing": True,
        "race-lightest": True,
        "race-darkest": True,
    }
    found = claims(corner | {"male": -40}, foot | {"male": 20})
    assert found.pop("gender-size") == pytest.approx(100 * 0.9999 * 40 / 255, rel=1e-4)
    assert not found["gender-background"] and not found["gender-clothing"]
    for swapped in ({"black": 20}, {"black": -20}):
        found = claims(corner | swapped, foot)
        assert found["race-lightest"] == (swapped["black"] < 0) and found["race-darkest"] == (
            swapped["black"] > 0
        )


def test_brightness_is_relative_to_the_prototype_of_seed_and_group():
    table = grid()
    rows = table[table["subset"].isin(["prototype", "smiling"])].sample(frac=1, random_state=2)
    images = Pictures(table)
    values = stimuli.brightness(images, rows.index, block=7)
    assert max(images.asked) <= 7
    for row, value in zip(rows.index, values, strict=True):
        pixels = images.pictures[row].reshape(-1, 3)
        assert value == pytest.approx(np.mean([slow_grey(pixel) for pixel in pixels]), rel=1e-5)
    change = stimuli.relative(rows, values)
    by_row = dict(zip(rows.index, values, strict=True))
    for (row, person), value in zip(rows.iterrows(), change, strict=True):
        mine = (rows[["seed", "race", "gender"]] == person[["seed", "race", "gender"]]).all(axis=1)
        (base,) = rows.index[mine & (rows["smiling"] == 0)]
        assert value == pytest.approx(100 * (by_row[row] - by_row[base]) / by_row[base], abs=1e-4)


def test_levels_are_means_over_seeds():
    rows = grid(seeds=4).query("subset in ['prototype', 'smiling']").reset_index(drop=True)
    change = np.random.default_rng(1).normal(size=len(rows))
    table = stimuli.per_level(rows, change)
    assert table["smiling"].tolist() == [-1, 0, 2]
    for one in table.itertuples():
        means = [
            change[(rows["seed"] == seed) & (rows["smiling"] == one.smiling)].mean()
            for seed in range(4)
        ]
        half = 1.959964 * np.std(means, ddof=1) / 2
        assert [one.value, one.low, one.high] == pytest.approx(
            [np.mean(means), np.mean(means) - half, np.mean(means) + half]
        )


def test_what_comes_with_whom_is_the_variance_between_groups():
    rng = np.random.default_rng(6)
    people = pd.DataFrame({"race": rng.choice(RACES, 60), "gender": rng.choice(GENDERS, 60)})
    people = people.assign(
        years=rng.normal(40, 9, 60), age=0.5, smiling=(people["gender"] == "male") * 1.0
    )
    grand = people["years"].mean()
    within = sum(
        ((own - own.mean()) ** 2).sum() for _, own in people.groupby(["race", "gender"])["years"]
    )
    counts = [len(own) for _, own in people.groupby(["race", "gender"])]
    one, two = stimuli.comes_with(
        {"a": people, "b": people.drop(columns=["years"]).assign(age=people["years"])}
    ).to_dict("records")
    share = 1 - within / ((people["years"] - grand) ** 2).sum()
    assert one["age"] == two["age"] == pytest.approx(share) and one["smiling"] == pytest.approx(1)
    assert np.isnan(one["pose"]) and np.isnan(one["lighting"])
    assert (one["set"], one["images"], one["unevenness"]) == ("a", 60, max(counts) / min(counts))


def test_collections_are_counted():
    everyone = pd.DataFrame(
        {
            "race": ["white", "lime", "black", "white"],
            "gender": ["male", "male", "female", "male"],
            "years": [3.0, 25, 40, 30],
        }
    )
    used = everyone[everyone["years"] > 20]
    assert stimuli.collection_claims("utkface", everyone, used) == {
        "utkface.all": 4,
        "utkface.subset": 3,
        "utkface.age": 25,
    }
    assert stimuli.collection_claims("fairface", everyone, used) == {
        "fairface.all": 4,
        "fairface.subset": 3,
        "fairface.age": 25,
        "fairface.races": 3,
        "fairface.genders": 2,
    }
