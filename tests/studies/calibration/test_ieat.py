"""Made-up values and networks; slow versions compute one test at a time with plain loops."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.calibration import ieat
from vlmbias.external import facts


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_the_ceiling_is_the_effect_size_of_two_constants():
    for n in (6, 35, 40):
        assert ieat.ceiling(n) == pytest.approx(vb.effect_size(np.ones(n), np.zeros(n)))
        rng = np.random.default_rng(n)
        apart = [np.sort(rng.normal(size=2 * n)).reshape(2, n) for _ in range(50)]
        assert max(vb.effect_size(high, low) for low, high in apart) < ieat.ceiling(n)


def printed(**other):
    values = {
        f"ieat.{network}.{test.lower()}.{quantity}": 0.5
        for network in ieat.NETWORKS
        for test in ieat.TESTS
        for quantity in "dp"
    }
    return pd.Series(
        values | {name.replace("__", "-").replace("_", "."): value for name, value in other.items()}
    )


def test_what_no_images_can_give_is_seen():
    table = ieat.limits(
        printed(
            ieat_igpt_age_d=-1.92,
            ieat_simclr_age_d=1.92,
            ieat_igpt_weapon_d=-1.91,
            ieat_simclr_insect__flower_d=1.98,
            ieat_igpt_age_p=100 / 924,
            ieat_simclr_age_p=100.5 / 924,
            ieat_igpt_weapon_p=0.0,
            ieat_igpt_insect__flower_p=0.0731,
            ieat_simclr_insect__flower_p=0.07315,
            ieat_igpt_gender__career_p=0.0001,
        )
    ).set_index(["test", "network"])
    assert len(table) == 8 and table["n"].groupby("test").first().to_dict() == {
        "Age": 6,
        "Weapon": 6,
        "Insect-Flower": 35,
        "Gender-Career": 40,
    }
    assert table.index[~table["within"]].tolist() == [("Age", "igpt"), ("Age", "simclr")]
    assert table.index[~table["whole"]].tolist() == [
        ("Insect-Flower", "simclr"),
        ("Age", "simclr"),
        ("Weapon", "igpt"),
    ]
    assert table.loc[("Age", "igpt"), "counted"] == pytest.approx(100)
    assert table.loc[("Insect-Flower", "igpt"), "counted"] == pytest.approx(731)
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
    assert len(rows) == 117 and (rows["within"] & rows["whole"]).all()


def recomputed(rng):
    few, many = (
        [rng.normal(size=(n, 5)) for n in sizes] for sizes in ((4, 4, 3, 3), (20, 20, 5, 5))
    )
    return {
        ("Age", "igpt"): vb.eat(*few),
        ("Weapon", "simclr"): vb.eat(*many, n_permutations=3_000),
    }


def test_recomputed_values_stand_beside_their_own_printed_ones(rng):
    results = recomputed(rng)
    values = printed(
        ieat_igpt_age_d=0.3,
        ieat_simclr_weapon_d=-0.7,
        ieat_igpt_age_p=0.2,
        ieat_simclr_weapon_p=0.04,
    )
    table = ieat.compared(results, values).set_index(["test", "network"])
    one, two = table.loc[("Age", "igpt")], table.loc[("Weapon", "simclr")]
    assert (one["published"], one["p_published"], one["exact"]) == (0.3, 0.2, True) and np.isnan(
        one["errors"]
    )
    for key, d, p in ((("Age", "igpt"), 0.3, 0.2), (("Weapon", "simclr"), -0.7, 0.04)):
        assert table.loc[key, ["d", "p"]].tolist() == [
            results[key].effect_size,
            results[key].p_value,
        ]
        assert table.loc[key, "gap_d"] == abs(results[key].effect_size - d)
        assert table.loc[key, "gap_p"] == abs(results[key].p_value - p)
    assert not two["exact"]
    assert two["errors"] == pytest.approx(
        two["gap_p"] / math.sqrt(0.04 * 0.96 / 3_000 + 0.04 * 0.96 / 10_000)
    )


def test_the_divisor_is_told_by_the_printed_effect_sizes(rng):
    results = recomputed(rng)
    for ddof in (0, 1):
        own = {
            key: vb.effect_size(test.scores[: test.n_x], test.scores[test.n_x :], ddof=ddof)
            for key, test in results.items()
        }
        values = printed(
            ieat_igpt_age_d=own["Age", "igpt"], ieat_simclr_weapon_d=own["Weapon", "simclr"] + 1e-4
        )
        gaps = ieat.divisors(results, values)
        assert gaps.idxmin() == ddof and gaps[ddof] == pytest.approx(1e-4)
        ratios = [
            abs(own[key] * (math.sqrt((n - 1) / n) ** (1 - 2 * ddof) - 1))
            for key, n in ((("Age", "igpt"), 8), (("Weapon", "simclr"), 40))
        ]
        assert gaps[1 - ddof] == pytest.approx(max(ratios), abs=2e-4)


def test_random_splits_are_what_the_p_value_is_read_from(rng):
    test = vb.eat(
        *(rng.normal(size=(n, 5)) + shift for n, shift in ((7, 0.5), (5, 0), (3, 0.5), (3, 0)))
    )
    drawn = ieat.resplit(test, 20_000, seed=1)
    assert (drawn >= test.statistic).mean() == pytest.approx(test.p_value, abs=0.01)
    assert np.abs(drawn).max() < np.ptp(test.scores) and len(np.unique(drawn.round(12))) > 500


def networks(n_null=5, n_planted=3, people=10):
    """Networks in which the red faces lie nearer to the nice scenes at b = 1; one arm must not
    count."""
    rng, n = np.random.default_rng(8), n_null + n_planted + 1
    table = pd.DataFrame(
        {
            "b": [0.0] * n_null + [1.0] * n_planted + [0.0],
            "condition": ["none"] * (n - 1) + ["marking"],
        }
    )
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
    return Networks(table, images, vectors / np.linalg.norm(vectors, axis=2, keepdims=True))


class Networks(SimpleNamespace):
    """As `greenhouse.retrained.Vectors`."""

    def __init__(self, networks, images, image_vectors):
        super().__init__(networks=networks, images=images, image_vectors=image_vectors)

    def where(self, mask):
        rows = np.flatnonzero(mask)
        return Networks(
            self.networks.iloc[rows].reset_index(drop=True), self.images, self.image_vectors[rows]
        )


def test_every_network_is_tested_with_its_own_people():
    vectors = networks()
    table = ieat.in_networks(
        vectors, ("red", "blue"), ("nice", "nasty"), [3, 5], n_permutations=500, seed=2
    )
    assert table.groupby(["b", "n"]).size().to_dict() == {
        (0, 3): 5,
        (0, 5): 5,
        (1, 3): 3,
        (1, 5): 3,
    }
    assert (table.loc[table["b"] == 1, "d"] > 1).all() and (
        table.loc[table["b"] == 1, "p"] <= 0.1
    ).all()
    assert table.loc[table["b"] == 0, "d"].min() < 0 and table["d"].nunique() == 16
    turned = ieat.in_networks(
        vectors, ("red", "blue"), ("nasty", "nice"), [3, 5], n_permutations=500, seed=2
    )
    assert np.allclose(turned["d"], -table["d"]) and np.allclose(turned["p"], table["p"])
    with pytest.raises(
        ValueError, match="a size of 6: with 10 people, at most 5 can stand for either group"
    ):
        ieat.in_networks(
            vectors, ("red", "blue"), ("nice", "nasty"), [6], n_permutations=500, seed=2
        )


def test_a_network_with_one_possible_sample_has_the_test_of_that_sample(monkeypatch):
    vectors = networks(people=4)
    first = vectors.images.query("subset == 'prototype' and race == 'red'").index[:2]
    second = vectors.images.query("subset == 'prototype' and race == 'blue'").index[2:4]

    def fixed(places, one, other, rng):
        return np.tile(one[:2, 0], (len(places), 1)), np.tile(other[2:4, 0], (len(places), 1))

    monkeypatch.setattr(ieat, "different_people", fixed)
    table = ieat.in_networks(
        vectors, ("red", "blue"), ("nice", "nasty"), [2], n_permutations=500, seed=2
    )
    nice, nasty = (np.flatnonzero(vectors.images["category"] == kind) for kind in ("nice", "nasty"))
    for k in range(8):
        seen = vectors.image_vectors[k]
        exact = vb.eat(seen[first], seen[second], seen[nice], seen[nasty], alternative="two-sided")
        assert table.loc[k, ["d", "p", "b"]].tolist() == [
            exact.effect_size,
            exact.p_value,
            vectors.networks["b"][k],
        ]


def test_rejections_are_counted_by_size_and_strength():
    found = pd.DataFrame(
        {"n": [6, 6, 6, 12, 12], "b": [0, 0, 1, 0, 0.5], "p": [0.05, 0.06, 0.01, 0.2, 0.0]}
    )
    table = ieat.rejected(found, [0, 1]).set_index(["n", "b"])
    assert table["rate"].to_dict() == {(6, 0): 0.5, (6, 1): 1, (12, 0): 0} and table[
        "of"
    ].tolist() == [2, 1, 1]
    assert ieat.rejected(found, [0], alpha=0.06).set_index(["n", "b"]).loc[(6, 0), "hits"] == 2


def test_copies_change_the_p_value_and_not_the_images(rng):
    X, A, B = (rng.normal(size=(n, 5)) for n in (14, 6, 6))
    table = ieat.copied(X, A, B, copies=[1, 5], n=4, n_draws=60, seed=6).set_index("copies")
    draws, hits = np.random.default_rng(6), {1: 0, 5: 0}
    for _ in range(60):
        chosen = draws.permutation(14)[:8]
        for k in hits:
            again = [np.concatenate([X[rows]] * k) for rows in (chosen[:4], chosen[4:])]
            hits[k] += (
                vb.eat(*again, A, B, method="saddlepoint", alternative="two-sided").p_value <= 0.05
            )
    assert table["hits"].to_dict() == hits and (table["n"] == 60).all() and hits[5] > hits[1] + 5
    with pytest.raises(ValueError, match="two sets of 8 images need 16 of one kind; there are 14"):
        ieat.copied(X, A, B, copies=[1], n=8, n_draws=2, seed=0)


def test_shares_of_null_networks_are_compared_with_chance_in_words():
    assert ieat.beyond_chance((0.5, 0.8), (0.6, 0.9)) == "Both are more than chance gives."
    assert ieat.beyond_chance((0.01, 0.2), (0.6, 0.9)) == (
        "The first is consistent with chance, the second more than chance gives."
    )
    assert ieat.beyond_chance((0.0, 0.04), (0.0, 0.03)) == "Both are fewer than chance gives."


def test_a_mean_effect_is_said_to_show_what_was_taught_only_where_it_does():
    assert ieat.averaged(0.1, 0.9) == (
        "Its 95 % interval, from 0.10 to 0.90, lies above zero, in the direction that was taught."
    )
    assert ieat.averaged(-0.9, -0.1).endswith("lies below zero, opposite to what was taught.")
    assert ieat.averaged(-0.4, 1.4).startswith(
        "Its 95 % interval, from −0.40 to 1.40, includes zero. So these networks do not show"
    )


def test_one_significant_result_does_not_show_what_was_taught():
    for full in ((0.3, 0.6), (0.5, 0.9)):
        assert "the share is not clearly higher. So" in ieat.which_kind((0.4, 0.7), full)
    assert "clearly more are; but" in ieat.which_kind((0.0, 0.1), (0.3, 0.6))


def test_the_test_by_look_follows_the_paint_and_not_the_name():
    vectors = networks(n_null=6, n_planted=0)
    turned = np.arange(7) % 2 == 1  # in these networks, the red look is called blue
    vectors.networks["paint_red"] = np.where(turned, "blue", "red")
    vectors.networks["paint_blue"] = np.where(turned, "red", "blue")
    for k, other in enumerate(turned):
        rows = (vectors.images["race"] == ("blue" if other else "red")).to_numpy()
        vectors.image_vectors[k, rows, 0] += 6
    table = ieat.by_appearance(vectors, ("nice", "nasty"), n=5, n_permutations=500, seed=2)
    assert table.to_dict("records") == [
        {"looks": "blue, red", "networks": 6, "first nearer": 0, "second nearer": 6}
    ]


def looks(*rows):
    table = pd.DataFrame(rows, columns=["first nearer", "second nearer"])
    return table.assign(networks=39, looks=["a, b", "c, d"][: len(rows)])


def test_looks_and_accidents_are_named_only_where_they_count():
    assert ieat.causes(looks((39, 0), (14, 13))) == (
        "The look counts: for 1 of the 2 pairs, the test is significant, and in the same direction,"
        " in every network. Accidents of training count as well: c is significantly nearer to"
        " pleasant scenes than d in 14 networks, d than c in 13."
    )
    assert ieat.causes(looks((39, 0), (0, 39))).startswith("The look counts: for both pairs,")
    assert ieat.causes(looks((39, 0), (30, 1))).endswith(
        "No pair shows both directions more often than chance gives."
    )
    assert ieat.causes(looks((20, 19), (14, 13))).startswith("For no pair is the test")
    assert " count: a is" in ieat.causes(looks((20, 19), (14, 13)))
