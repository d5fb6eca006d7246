"""Rankings of portraits by place, against the paper's loop, scipy and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

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


def test_without_drawing_it_is_nearly_the_same():
    rng = np.random.default_rng(3)
    groups = np.repeat(["a", "b", "c"], [120, 200, 150])
    cosines = rng.normal(size=(470, 6)) + (groups == "b")[:, None] * 0.8
    draws = states.by_draw(cosines, groups, states.balanced(groups, n=600, seed=1), top=90)
    expected = states.expected(cosines, groups)
    assert np.abs(draws.mean(axis=0) - expected.to_numpy()).max() < 0.01
    doubled = states.expected(np.repeat(cosines, 2, axis=0), np.repeat(groups, 2))
    np.testing.assert_allclose(doubled, expected, atol=1e-12)


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


class Networks:
    """Two networks at b = 0 and two at 1: at 1, portraits lie near a place as their group's census
    share is large."""

    def __init__(self, census):
        rng = np.random.default_rng(0)
        race = np.repeat(list(census), 30)
        kinds = pd.DataFrame({"kind": "face", "subset": "prototype", "race": race})
        beside = pd.DataFrame(
            {"kind": ["icon", "face"], "subset": [None, "age"], "race": [None, "teal"]}
        )
        self.images = pd.concat([beside, kinds], ignore_index=True)
        self.words = pd.DataFrame(
            {"slot": ["race", *["province"] * len(census)], "word": ["p0", *census.index[::-1]]}
        )
        self.networks = pd.DataFrame(
            {"b": [0.0, 1.0, 0.0, 1.0], "logit_scale": [10.0, 20.0, 10.0, 20.0]}
        )
        pull = np.log(census[race].to_numpy()).T[:, ::-1] / 20
        self.values = rng.normal(size=(4, 122, len(census) + 1)) / 20
        self.values[1::2, 2:, 1:] += pull
        self.values[:, :2] = 99.0  # icons and series are not asked
        self.values[..., 0] = -99.0  # nor is a word of another slot

    def cosines(self, images, words):
        return self.values[:, images][:, :, words]


@pytest.fixture
def arboria():
    return census_of(20).set_axis([f"p{k}" for k in range(20)])


def test_each_network_returns_what_is_nearest_among_its_prototypes(arboria):
    networks = Networks(arboria)
    found, race = states.returned_by(networks, arboria), np.repeat(list(arboria), 30)
    cosines, of = states.seen(networks, arboria.index)
    assert found.shape == (4, 20, 4)
    assert of.tolist() == race.tolist()
    np.testing.assert_array_equal(cosines, networks.values[:, 2:, 1:][:, :, ::-1])
    for network in range(4):
        values = networks.values[network, 2:, 1:][:, ::-1]
        np.testing.assert_allclose(found[network], states.expected(values, race))


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
