"""The fleet's 26 tests, against the chapter on effect sizes and against one permutation test at a
time."""

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


def test_the_26_tests_are_those_of_the_chapter_on_effect_sizes(panel, every, spoken):
    found = association_tests.table(every, panel.networks["logit_scale"], spoken)
    roles, keys = spoken.bias.roles, ["network", "category", "order", "targets"]
    sets = effect_sizes.shown(
        panel, (roles["favoured"], roles["disfavoured"]), (roles["second"], roles["first"])
    )
    both = found.merge(
        effect_sizes.by_network(panel, sets),
        on=keys,
        validate="one_to_one",
        suffixes=("", "_other"),
    )
    assert len(both) == len(found) == 26 * len(panel.networks) and found["test"].nunique() == 26
    np.testing.assert_allclose(both["effect_size"], both["d"], atol=1e-5)
    np.testing.assert_allclose(both["gap"], both["gap_other"], atol=1e-5)
    scale = panel.networks["logit_scale"].to_numpy()[found["network"]]
    np.testing.assert_allclose(found["gap"], scale * found["gap_cosine"])
    assert (both["n_x"] == both["n_x_other"]).all() and (both["n_y"] == both["n_y_other"]).all()
    assert set(found["category"]) == set(effect_sizes.CATEGORIES) and set(found["order"]) == set(
        effect_sizes.ORDERS
    )


def test_the_spread_within_groups_is_the_pooled_one(panel, every, spoken):
    found = association_tests.table(every, panel.networks["logit_scale"], spoken).set_index(
        ["network", "test"]
    )
    test = next(
        one
        for one in association_tests.tests(spoken)
        if one.name == "instrument-weapon/text-target"
    )
    own = every[2][test.kind, test.against] * panel.networks["logit_scale"].iloc[2]
    squares = sum(((side - side.mean()) ** 2).sum() for side in (own[test.X], own[test.Y]))
    assert len(test.X) != len(test.Y)
    assert found.loc[(2, test.name), "within"] == pytest.approx(
        (squares / (len(test.X) + len(test.Y) - 2)) ** 0.5
    )


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
