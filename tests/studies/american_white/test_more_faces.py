"""More faces, in made-up networks: each leans its own way, and all were taught the same."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from studies import associations
from studies.american_white import more_faces

GROUPS = ("a", "b", "c")


def made_up(n_networks, lean, rng, *, people=40):
    """Networks in which the groups differ by accidents of training alone, of SD `lean`."""
    rows = np.arange(people * 2 * len(GROUPS)).reshape(len(GROUPS), people, 2)
    scores = rng.normal(size=(n_networks, rows.size))
    for place in rows:
        scores[:, place.ravel()] += lean * rng.normal(size=(n_networks, 1))
    return more_faces.Faces(
        pd.DataFrame({"b": np.zeros(n_networks)}), scores, dict(zip(GROUPS, rows, strict=True))
    )


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_scores_are_the_difference_of_both_sets_of_words(rng):
    images = pd.DataFrame({"seed": [1, 2, 1, 2], "race": ["a", "a", "b", "b"]})
    table = pd.DataFrame(
        {"condition": ["none", "other", "none"], "b": [0, 0, 1], "logit_scale": 10.0}
    )
    values = rng.normal(size=(3, 4, 3))
    panel = SimpleNamespace(
        networks=table, images=images, scores=values, columns=("they", "neutral", "we")
    )
    own = more_faces.faces(panel, ("we", "they"))
    assert own.networks["b"].tolist() == [0, 1]
    assert np.allclose(own.scores, 10 * (values[[0, 2], :, 2] - values[[0, 2], :, 0]))
    assert own.of["b"].tolist() == [[2], [3]]
    assert own.where(own.networks["b"] == 1).scores.tolist() == own.scores[[1]].tolist()


def test_the_two_groups_share_nobody(rng):
    own = made_up(4, 0.0, rng)
    own.scores[:] = np.arange(own.scores.shape[1])  # a score says whose face it is
    x, y = own.two_groups("a", "c", seed=5)
    assert x.shape == y.shape == (4, 20)
    for one, other in zip(x, y, strict=True):
        first = {np.argwhere(own.of["a"] == face)[0][0] for face in one}
        second = {np.argwhere(own.of["c"] == face)[0][0] for face in other}
        assert len(first) == len(second) == 20 and not first & second


def test_people_are_compared_with_themselves(rng):
    own = made_up(3, 0.0, rng)
    own.scores[:] = rng.normal(size=own.scores.shape)
    gap = own.gaps("a", "b", seed=2)
    person = np.random.default_rng(2).permutation(40)[7]
    one, other = (own.scores[1, own.of[name][person]].mean() for name in "ab")
    assert gap[1, 7] == pytest.approx(one - other) and gap.shape == (3, 40)


def test_each_share_is_that_of_tests_one_by_one(rng):
    own = made_up(6, 0.4, rng)
    found = more_faces.significant(own, different=[5, 20], same=[8, 40], n_draws=2, seed=9)
    hits = {key: [] for key in [("different people", 5), ("different people", 20)]}
    hits |= {("same people", 8): [], ("same people", 40): []}
    for first, second in (("a", "b"), ("a", "c"), ("b", "c")):
        for seed in (9, 10):
            x, y = own.two_groups(first, second, seed=seed)
            gap = own.gaps(first, second, seed=seed)
            for (kind, n), each in hits.items():
                for one, other, own_gap in zip(x, y, gap, strict=True):
                    test = (
                        stats.ttest_ind(one[:n], other[:n], equal_var=False)
                        if kind == "different people"
                        else stats.ttest_rel(own_gap[:n], np.zeros(n))
                    )
                    each.append(test.pvalue <= 0.05)
    table = found.set_index(["kind", "people"])
    for key, each in hits.items():
        assert table.loc[key, "rate"] == pytest.approx(np.mean(each))
    assert table.loc[("different people", 5), "n"] == 5 and found["n_pairs"].unique() == [3]
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    spreads = [associations.Spread.of(own.scores, own.of[one], own.of[two]) for one, two in pairs]
    n = table.loc[("same people", 8), "n"]
    assert table.loc[("same people", 8), "expected"] == pytest.approx(
        np.mean([one.false_positive_rate(n, n) for one in spreads])
    )


def test_a_paired_test_counts_as_the_faces_that_are_as_precise(rng):
    # a person's two faces are averaged and nothing else is shared, so 40 people count as 80 faces
    own = made_up(400, 0.0, rng)
    found = more_faces.significant(own, different=[], same=[40], n_draws=1, seed=1)
    assert found["n"].item() == pytest.approx(80, rel=0.05)


def test_more_faces_are_significant_more_often_only_if_networks_lean(rng):
    def shares(lean):
        own = made_up(300, lean, rng)
        found = more_faces.significant(own, different=[5, 20], same=[40], n_draws=1, seed=1)
        return found["rate"].to_numpy()

    few, more, many = shares(0.5)
    assert few < more < many and many > 0.5
    assert np.allclose(shares(0.0), 0.05, atol=0.03)


def test_more_faces_than_there_are_is_an_error(rng):
    with pytest.raises(ValueError, match="41 faces of 20"):
        more_faces.significant(made_up(2, 0, rng), different=[41], same=[], n_draws=1, seed=0)
