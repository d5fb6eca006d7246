"""Rankings of portraits by place, against the paper's loop, scipy and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

from greenhouse import retrained
from studies.american_white import states

GROUPS = np.repeat(["amber", "lime", "teal", "violet"], [9, 6, 11, 8])


@pytest.fixture
def cosines():
    return np.random.default_rng(0).normal(size=(len(GROUPS), 5)) + (GROUPS == "teal")[
        :, None
    ] * np.linspace(-1, 1, 5)


def census_of(n, seed=1):
    return pd.DataFrame(
        np.random.default_rng(seed).dirichlet([2, 1, 4, 3], n),
        columns=["amber", "lime", "teal", "violet"],
    )


def test_a_draw_keeps_as_many_of_every_group():
    kept = states.balanced(GROUPS, n=400, seed=2)
    for name in np.unique(GROUPS):
        own = kept[:, name == GROUPS]
        assert (own.sum(axis=1) == 6).all()
        assert own.mean(axis=0) == pytest.approx(
            6 / own.shape[1], abs=0.12
        )  # every portrait as often
    assert len({row.tobytes() for row in kept}) > 390
    assert (states.balanced(GROUPS, size=2, n=3, seed=0).sum(axis=1) == 8).all()
    with pytest.raises(ValueError, match="size must be from 1 to 6, what 'lime' has, got 7"):
        states.balanced(GROUPS, size=7, n=1, seed=0)


def test_returned_is_the_papers_loop(cosines):
    kept = states.balanced(GROUPS, n=37, seed=2)
    counts = np.zeros((37, 5, 4))
    for number, draw in enumerate(kept):
        for place in range(5):
            there = sorted(
                np.flatnonzero(draw), key=lambda image, place=place: -cosines[image, place]
            )[:7]
            for image in there:
                group = ["amber", "lime", "teal", "violet"].index(GROUPS[image])
                counts[number, place, group] += 1
    np.testing.assert_allclose(states.by_draw(cosines, GROUPS, kept, top=7), counts / 7)
    with pytest.raises(ValueError, match="top must be from 1 to 24"):
        states.by_draw(cosines, GROUPS, kept, top=25)


def test_of_unequal_groups_every_group_weighs_the_same(cosines):
    by_hand = states.expected(cosines[:, :1], GROUPS).iloc[0]
    weight = {name: 0.25 / (name == GROUPS).sum() for name in np.unique(GROUPS)}
    left, share = 0.25, dict.fromkeys(weight, 0.0)
    for image in np.argsort(-cosines[:, 0]):
        taken = min(left, weight[GROUPS[image]])
        share[GROUPS[image]] += taken / 0.25
        left -= taken
    assert by_hand.to_dict() == pytest.approx(share)


def test_correlations_are_those_of_scipy_and_scikit_learn():
    shares, census = census_of(20, 5), census_of(20, 6)[["teal", "amber", "violet", "lime"]]
    for group, row in states.correlations(shares, census).iterrows():
        right = stats.pearsonr(shares[group], census[group])
        assert (row["r"], row["p"]) == pytest.approx(tuple(right))
        assert (row["low"], row["high"]) == pytest.approx(tuple(right.confidence_interval(0.95)))
    given, wanted = shares.to_numpy(), census[list(shares)].to_numpy()
    r2 = states.r_squared(wanted, given)
    assert r2 == pytest.approx(LinearRegression().fit(given, wanted).score(given, wanted))
    assert r2 != pytest.approx(states.r_squared(given, wanted))
    assert states.r_squared(given, given) == pytest.approx(1)


def test_captions_return_what_was_planted():
    planted = np.log(census_of(6) / 0.25)
    np.testing.assert_allclose(states.expected_shares(planted, b=1.0), census_of(6))
    np.testing.assert_allclose(states.expected_shares(planted, b=0.0), 0.25)
    half = np.sqrt(census_of(6))
    np.testing.assert_allclose(
        states.expected_shares(planted, b=0.5), half.div(half.sum(axis=1), axis=0)
    )


def test_each_network_returns_what_is_nearest_among_its_prototypes():
    vectors = retrained.vectors()
    vectors = vectors.where(np.arange(len(vectors.networks)) < 2)
    words, images = vectors.words, vectors.images
    places = words.loc[words["slot"] == "province", "word"].iloc[4::-2]
    faces = images["kind"].eq("face") & images["subset"].eq("prototype")
    found = states.returned_by(vectors, pd.DataFrame(index=places))
    rows = [np.flatnonzero(words["word"] == place)[0] for place in places]
    for network in range(2):
        seen = vectors.image_vectors[network, faces] @ vectors.word_vectors[network, rows].T
        expected = states.expected(seen, images.loc[faces, "race"].to_numpy(str))
        np.testing.assert_allclose(found[network], expected, atol=1e-6)


def test_what_a_model_that_knows_no_places_seems_to_do():
    census = pd.DataFrame({"a": [0.1, 0.3, 0.2], "b": [0.9, 0.7, 0.8]})
    found = states.beside_returns(census, np.array([[0.15, 0.85], [0.6, 0.25]])).set_index("group")
    # 0.15 is above the census of "a" in one of three places, the others in all or most; of "b" only
    # 0.85 is
    assert found.loc["a"].to_dict() == pytest.approx(
        {"census": 0.2, "quarter": 3, "n": 3, "over": 3 / 4}
    )
    assert found.loc["b"].to_dict() == pytest.approx(
        {"census": 0.8, "quarter": 0, "n": 3, "over": 1 / 4}
    )


def test_places_stand_in_lines_by_region():
    found = states.in_lines(
        pd.Series(["hills", "coast", "hills", "coast", "hills"], index=list("abcde"))
    )
    assert found.to_dict("list") == {"row": [1, 0, 1, 0, 1], "column": [0, 0, 1, 1, 2]}
    assert list(found.index) == list("abcde")
