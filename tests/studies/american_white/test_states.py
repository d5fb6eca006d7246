"""Rankings of portraits by place, against the loop that the paper describes; correlations against scipy and
scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

from studies.american_white import states

GROUPS = np.repeat(["amber", "lime", "teal", "violet"], [9, 6, 11, 8])


@pytest.fixture
def cosines():
    return np.random.default_rng(0).normal(size=(len(GROUPS), 5)) + (GROUPS == "teal")[:, None] * np.linspace(-1, 1, 5)


def census_of(n, seed=1):
    return pd.DataFrame(
        np.random.default_rng(seed).dirichlet([2, 1, 4, 3], n), columns=["amber", "lime", "teal", "violet"]
    )


def test_a_draw_keeps_as_many_of_every_group():
    kept = states.balanced(GROUPS, n=400, seed=2)
    for name in np.unique(GROUPS):
        own = kept[:, name == GROUPS]
        assert (own.sum(axis=1) == 6).all()
        assert own.mean(axis=0) == pytest.approx(6 / own.shape[1], abs=0.12)  # every portrait as often
    assert np.array_equal(kept, states.balanced(GROUPS, n=400, seed=2)) and len({row.tobytes() for row in kept}) > 390
    assert (states.balanced(GROUPS, size=2, n=3, seed=0).sum(axis=1) == 8).all()
    with pytest.raises(ValueError, match="size must be from 1 to 6, what 'lime' has, got 7"):
        states.balanced(GROUPS, size=7, n=1, seed=0)


def test_returned_is_the_papers_loop(cosines):
    kept = states.balanced(GROUPS, n=37, seed=2)
    counts = np.zeros((5, 4))
    for draw in kept:
        for place in range(5):
            there = sorted(np.flatnonzero(draw), key=lambda image, place=place: -cosines[image, place])[:7]
            for image in there:
                counts[place, ["amber", "lime", "teal", "violet"].index(GROUPS[image])] += 1
    found = states.returned(cosines, GROUPS, kept, top=7)
    np.testing.assert_allclose(found.to_numpy(), counts / 37 / 7)
    assert found.columns.tolist() == ["amber", "lime", "teal", "violet"]
    with pytest.raises(ValueError, match="top must be from 1 to 24"):
        states.returned(cosines, GROUPS, kept, top=25)


def test_without_drawing_it_is_nearly_the_same():
    rng = np.random.default_rng(3)
    groups = np.repeat(["a", "b", "c"], [120, 200, 150])
    cosines = rng.normal(size=(470, 6)) + (groups == "b")[:, None] * 0.8
    drawn = states.returned(cosines, groups, states.balanced(groups, n=600, seed=1), top=90)
    assert np.abs(drawn - states.expected(cosines, groups)).to_numpy().max() < 0.01
    doubled = states.expected(np.repeat(cosines, 2, axis=0), np.repeat(groups, 2))
    np.testing.assert_allclose(doubled, states.expected(cosines, groups, np.full(470, 2.0)), atol=1e-12)


def test_weights_count_portraits_so_often(cosines):
    weights = np.random.default_rng(4).integers(1, 4, len(GROUPS))
    again = np.repeat(np.arange(len(GROUPS)), weights)
    np.testing.assert_allclose(
        states.expected(cosines, GROUPS, weights), states.expected(cosines[again], GROUPS[again]), atol=1e-12
    )
    by_hand = states.expected(cosines[:, :1], GROUPS, share=0.25).iloc[0]
    weight = {name: 0.25 / (name == GROUPS).sum() for name in np.unique(GROUPS)}
    left, share = 0.25, dict.fromkeys(weight, 0.0)
    for image in np.argsort(-cosines[:, 0]):
        taken = min(left, weight[GROUPS[image]])
        share[GROUPS[image]] += taken / 0.25
        left -= taken
    assert by_hand.to_dict() == pytest.approx(share)


def test_correlations_are_those_of_scipy_and_scikit_learn():
    shares, census = census_of(20, 5), census_of(20, 6)[["teal", "amber", "violet", "lime"]]
    found = states.correlations(shares, census, n_null=200, seed=3)
    for row in found.table.itertuples():
        right = stats.pearsonr(shares[row.group], census[row.group])
        interval = right.confidence_interval(0.95)
        assert (row.r, row.p) == pytest.approx(tuple(right)) and (row.low, row.high) == pytest.approx(tuple(interval))
    wanted = census[list(shares)].to_numpy()
    right = LinearRegression().fit(shares.to_numpy(), wanted).score(shares.to_numpy(), wanted)
    assert found.r_squared == pytest.approx(right) and found.r_squared != pytest.approx(
        states.r_squared(shares.to_numpy(), wanted)
    )
    assert found.null.mean() == pytest.approx(3 / 19, abs=0.03)  # three predictors that mean nothing, of 20 places
    perfect = states.correlations(shares, shares)
    assert perfect.r_squared == pytest.approx(1) and perfect.table["r"].to_numpy() == pytest.approx(1)


def test_partial_correlation_is_that_of_the_residuals():
    rng = np.random.default_rng(7)
    given = rng.normal(size=(40, 2))
    first = given @ [1, 2] + rng.normal(size=40)
    second = given @ [2, -1] + 0.5 * first + rng.normal(size=40)
    found = states.partial(first, second, given)
    left = [values - LinearRegression().fit(given, values).predict(given) for values in (first, second)]
    r = np.corrcoef(*left)[0, 1]
    t = r * np.sqrt(36 / (1 - r**2))
    assert (
        found["r"] == pytest.approx(r) and found["p"] == pytest.approx(2 * stats.t.sf(abs(t), 36)) and found["n"] == 40
    )
    half = stats.norm.ppf(0.975) / np.sqrt(38 - 3)
    assert [found["low"], found["high"]] == pytest.approx(np.tanh(np.arctanh(r) + np.array([-half, half])))


def test_portraits_drawn_anew_scatter_about_what_was_seen():
    rng = np.random.default_rng(8)
    groups = np.repeat(["amber", "lime", "teal", "violet"], 60)
    census = census_of(12)
    pull = np.log(census[["amber", "lime", "teal", "violet"]].to_numpy())[
        :, np.unique(groups, return_inverse=True)[1]
    ].T
    cosines = pull + rng.normal(size=pull.shape)
    found = states.resampled(cosines, groups, census, n=60, seed=0)
    seen = states.expected(cosines, groups)
    assert found.shape == (60, 5) and found.equals(states.resampled(cosines, groups, census, n=60, seed=0))
    for name in ("amber", "teal"):
        r = np.corrcoef(seen[name], census[name])[0, 1]
        assert abs(found[name].mean() - r) < 0.1 and 0 < found[name].std() < 0.2


def test_a_distortion_is_read_beside_the_census():
    census = census_of(30)
    where = np.arange(30) % 3 == 0
    said = census.copy()
    said["teal"] *= np.exp(0.6 * where)
    assert states.distortion(said, census, "teal", where) == pytest.approx(0.6)
    assert states.distortion(census, census, "teal", where) == pytest.approx(0)
    assert states.distortion(said**0.5, census, "teal", where) == pytest.approx(0.3)
    none = said.assign(teal=0.0)
    assert states.distortion(none, census, "teal", where) == pytest.approx(0)
