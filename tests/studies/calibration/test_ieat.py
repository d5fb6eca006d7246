"""Made-up values and networks; slow versions compute one test at a time with plain loops."""

import math

import numpy as np
import pandas as pd
import pytest
import worlds

import vlmbias as vb
from greenhouse.retrained import Vectors
from studies.calibration import ieat
from vlmbias.external import facts


def test_the_ceiling_is_the_effect_size_of_two_constants():
    for n in (6, 35, 40):
        assert ieat.ceiling(n) == pytest.approx(vb.effect_size(np.ones(n), np.zeros(n)))
        rng = np.random.default_rng(n)
        apart = [np.sort(rng.normal(size=2 * n)).reshape(2, n) for _ in range(50)]
        assert max(vb.effect_size(high, low) for low, high in apart) < ieat.ceiling(n)


IMAGES = {"Age": 6, "Weapon": 6, "Insect-Flower": 35, "Gender-Career": 40}


def test_what_no_images_can_give_is_seen():
    """A d beyond the largest, and a p that is no whole number of splits."""
    keys = [(test.lower(), network) for test in ieat.TESTS for network in ieat.NETWORKS]
    printed = pd.Series({f"ieat.{network}.{test}.{q}": 0.5 for test, network in keys for q in "dp"})
    printed["ieat.igpt.age.d"], printed["ieat.simclr.age.d"] = -1.92, 1.92
    printed["ieat.igpt.weapon.d"], printed["ieat.simclr.insect-flower.d"] = -1.91, 1.98
    printed["ieat.igpt.weapon.p"], printed["ieat.simclr.insect-flower.p"] = 100 / 924, 0.07315
    printed["ieat.simclr.age.p"] = 100.5 / 924
    table = ieat.limits(printed).set_index(["test", "network"])
    assert table["n"].groupby("test").first().to_dict() == IMAGES
    assert set(table.index[~table["within"]]) == {("Age", "igpt"), ("Age", "simclr")}
    assert set(table.index[~table["whole"]]) == {("Insect-Flower", "simclr"), ("Age", "simclr")}
    assert table.loc[("Weapon", "igpt"), "counted"] == pytest.approx(100)
    assert table.loc[("Gender-Career", "igpt"), ["d", "ceiling"]].tolist() == [
        0.5,
        2 * math.sqrt(79 / 80),
    ]


def test_any_row_is_held_to_its_own_number_of_images():
    rows = pd.DataFrame(
        {
            "n": [4, 4, 4, 6, 40],
            "d": [1.87, 1.88, -1.88, 1.88, 1.98],
            "p": [1 / 70, 0.5 / 70, 1.0, 0.01, 0.01],
        }
    )
    table = ieat.allowed(rows)
    assert table["within"].tolist() == [True, False, False, True, True]  # 2√(7/8) = 1.871
    assert table["whole"].tolist() == [True, False, True, False, True]
    assert [ieat.splits(n) for n in (1, 4, 7, 8, 40)] == [2, 70, 3432, 10_000, 10_000]


def test_the_published_rows_are_possible():
    rows = ieat.allowed(facts.table("ieat_results").rename(columns={"n_target": "n"}))
    assert len(rows) == 117
    assert (rows["within"] & rows["whole"]).all()


def networks(n_null=5, n_planted=3, people=10):
    """Networks in which the red faces lie nearer to the nice scenes at b = 1; one arm must not
    count."""
    rng, n = np.random.default_rng(8), n_null + n_planted + 1
    kinds = ["none"] * (n - 1) + ["marking"]
    table = worlds.networks([0] * n_null + [1] * n_planted + [0], rng=rng, condition=kinds)
    faces = [
        (seed, race, "prototype", "") for seed in range(people) for race in ("red", "blue", "lime")
    ]
    faces += [(seed, race, "smiling", "") for seed in range(people) for race in ("red", "blue")]
    scenes = [(99, "", "", kind) for kind in ["nice", "nasty", "flower"] * 4]
    images = pd.DataFrame(faces + scenes, columns=["seed", "race", "subset", "category"])
    vectors = rng.normal(size=(n, len(images), 6))
    vectors[:, images["category"] == "nice", 0] += 4
    vectors[:, images["category"] == "nasty", 0] -= 4
    vectors[:, images["race"] == "red", 0] += 6 * table["b"].to_numpy()[:, None]
    vectors[:, images["subset"] == "smiling", 0] += 50  # pictures that must not count would be seen
    vectors[-1, images["race"] == "red", 0] -= 50
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    return Vectors(table, images, pd.DataFrame(), vectors, np.empty((n, 0, 6)))


def asked(vectors, sizes, scenes=("nice", "nasty")):
    return ieat.in_networks(vectors, ("red", "blue"), scenes, sizes, n_permutations=500, seed=2)


def test_every_network_is_tested_with_its_own_people():
    vectors = networks()
    table = asked(vectors, [3, 5])
    counts = {(0, 3): 5, (0, 5): 5, (1, 3): 3, (1, 5): 3}
    assert table.groupby(["b", "n"]).size().to_dict() == counts
    planted = table[table["b"] == 1]
    assert (planted["d"] > 1).all()
    assert (planted["p"] <= 0.1).all()
    assert table.loc[table["b"] == 0, "d"].min() < 0
    assert table["d"].nunique() == 16
    turned = asked(vectors, [3, 5], ("nasty", "nice"))
    assert np.allclose(turned["d"], -table["d"])
    assert np.allclose(turned["p"], table["p"])
    with pytest.raises(ValueError, match="a size of 6: with 10 people, at most 5"):
        asked(vectors, [6])


def test_a_network_with_one_possible_sample_has_the_test_of_that_sample(monkeypatch):
    vectors = networks(people=4)
    first = vectors.images.query("subset == 'prototype' and race == 'red'").index[:2]
    second = vectors.images.query("subset == 'prototype' and race == 'blue'").index[2:4]

    def fixed(places, one, other, rng):
        return np.tile(one[:2, 0], (len(places), 1)), np.tile(other[2:4, 0], (len(places), 1))

    monkeypatch.setattr(ieat, "different_people", fixed)
    table = asked(vectors, [2])
    nice, nasty = (np.flatnonzero(vectors.images["category"] == kind) for kind in ("nice", "nasty"))
    for k in range(8):
        seen = vectors.image_vectors[k]
        exact = vb.eat(seen[first], seen[second], seen[nice], seen[nasty], alternative="two-sided")
        assert table.loc[k, ["d", "p"]].tolist() == [exact.effect_size, exact.p_value]
        assert table.loc[k, "b"] == vectors.networks["b"][k]
