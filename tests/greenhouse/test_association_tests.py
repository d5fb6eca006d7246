"""The fleet's 26 tests, against their definition and against one permutation test at a time."""

import numpy as np
import pytest

import vlmbias as vb
from greenhouse import association_tests, retrained
from studies.pretraining import effect_sizes


@pytest.fixture(scope="module")
def panel():
    whole = retrained.vectors()
    return whole.where(np.arange(len(whole.networks)) % 13 == 0)


@pytest.fixture(scope="module")
def every(panel, spoken):
    return [
        association_tests.scores(spoken, *both)
        for both in zip(panel.image_vectors, panel.word_vectors, strict=True)
    ]


def called(table, **columns):
    """The rows in which every column has this value."""
    return np.flatnonzero(np.all([table[name] == value for name, value in columns.items()], axis=0))


def test_the_sets_are_what_their_names_say(panel, spoken):
    roles, images, words = spoken.bias.roles, panel.images, panel.words
    hues, crests = (roles["favoured"], roles["disfavoured"]), (roles["second"], roles["first"])
    ages = images.loc[images["subset"] == "age", "age"]

    def of(rows, column, values, **rest):
        return [called(rows, **{column: one}, **rest) for one in values]

    names = of(words, "axes", [f"{hue}_name" for hue in hues], slot="race_name")
    others = of(words, "axes", [f"{crest}_name" for crest in crests], slot="gender_name")
    expected = {
        ("race", "faces"): of(images, "race", hues, subset="prototype"),
        ("gender", "faces"): of(images, "gender", crests, subset="prototype"),
        ("age", "faces"): of(images, "age", (ages.min(), ages.max()), subset="age"),
        ("race", "names"): names,
        ("race", "half of the names"): [own[: len(own) // 2] for own in names],
        ("race", "terms"): of(words, "axes", hues, slot="race_kin"),
        ("gender", "names"): others,
        ("gender", "terms"): of(words, "axes", crests, slot="gender_kin"),
        ("age", "names"): of(words, "axes", ("young_name", "old_name"), slot="age_name"),
    }
    for pair in effect_sizes.NOT_HUMAN:
        expected[pair, "icons"] = of(images, "category", pair.split("-"))
        expected[pair, "words"] = of(words, "axes", pair.split("-"), slot="object")
    every = association_tests.tests(spoken)
    assert len(every) == 26 and {(one.category, one.targets) for one in every} == set(expected)
    for one in every:
        for rows, wanted in zip((one.X, one.Y), expected[one.category, one.targets], strict=True):
            assert rows.tolist() == wanted.tolist() and len(rows)


def test_every_network_has_the_effect_size_of_every_test(panel, every, spoken):
    found = association_tests.table(every, panel.networks["logit_scale"], spoken)
    assert len(found) == 26 * len(panel.networks) and found["test"].nunique() == 26
    assert set(found["category"]) == set(effect_sizes.CATEGORIES)
    assert set(found["order"]) == set(effect_sizes.ORDERS)
    sides = association_tests.attributes(spoken)
    for one in association_tests.tests(spoken):
        own = found[found["test"] == one.name].set_index("network")
        by_chapter = effect_sizes.in_networks(
            panel, (one.kind, one.X, one.Y), (one.against, *sides[one.against])
        )
        np.testing.assert_allclose(own["effect_size"], by_chapter, atol=1e-5)
        of = {"image": panel.image_vectors, "text": panel.word_vectors}
        good, bad = (of[one.against][1, rows].astype(float) for rows in sides[one.against])
        x, y = (
            [np.mean(good @ w) - np.mean(bad @ w) for w in of[one.kind][1, rows]]
            for rows in (one.X, one.Y)
        )
        row, scale = own.loc[1], panel.networks["logit_scale"].iloc[1]
        assert row["gap_cosine"] == pytest.approx(np.mean(x) - np.mean(y), abs=1e-6)
        assert row["gap"] == pytest.approx(scale * row["gap_cosine"])
        assert row["effect_size"] == pytest.approx(vb.effect_size(x, y), abs=1e-4)
        assert (row["n_x"], row["n_y"]) == (len(x), len(y))
        squares = sum(((np.asarray(side) - np.mean(side)) ** 2).sum() for side in (x, y))
        pooled = scale * (squares / (len(x) + len(y) - 2)) ** 0.5
        assert row["within"] == pytest.approx(pooled, rel=1e-3)


def test_one_draw_for_all_networks_gives_each_the_tail_that_it_would_have_alone():
    rng = np.random.default_rng(0)
    for n_x, n_y, exact in ((2, 2, True), (4, 3, True), (8, 8, False), (30, 20, False)):
        scores = rng.normal(size=(6, n_x + n_y)) + np.linspace(0, 0.8, 6)[:, None] * (
            np.arange(n_x + n_y) < n_x
        )
        scores[0, 0] = scores[0, -1]  # a tie
        found = association_tests.tails(scores, n_x, n_permutations=10_000, seed=3)
        alone = [
            vb.measures.permutation_tail(own, n_x, n_permutations=10_000, seed=8) for own in scores
        ]
        np.testing.assert_allclose(found, alone, atol=1e-12 if exact else 0.02)
        assert (
            exact
            or association_tests.tails(scores, n_x, n_permutations=1, seed=3).tolist() == [1.0] * 6
        )
        assert found.min() >= 1 / 10_000 and found[0] != found[-1]
