"""Correlations that share a variable, against published examples; simulated IATs."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

from studies.american_white import implicit_bias


def left_over(values, given):
    """Residuals of a regression on the columns of `given`."""
    return values - LinearRegression().fit(given, values).predict(given)


def test_scores_depend_on_what_is_stated():
    rng, simulated = np.random.default_rng(0), implicit_bias.simulated
    drivers = {"one": rng.normal(5, 2, 30), "two": rng.normal(size=30), "none": rng.normal(size=30)}
    z = {name: (values - values.mean()) / values.std() for name, values in drivers.items()}
    slopes, told = {"one": 2.0, "two": -1.0}, 2 * z["one"] - z["two"]
    found = simulated(drivers, slopes=slopes, left=1.5, reliability=0.6, n=4_000, seed=1)
    np.testing.assert_allclose(found.mean(axis=0), told, atol=0.25)
    spread = 1.5**2 + (told.var() + 1.5**2) * 0.4 / 0.6
    assert found.var(axis=0).mean() == pytest.approx(spread, rel=0.03)
    exact = simulated(drivers, slopes={"two": 3.0}, left=0.0, reliability=1.0, n=2, seed=1)
    np.testing.assert_allclose(exact, np.tile(3 * z["two"], (2, 1)))
    with pytest.raises(ValueError, match="reliability must be above 0 and at most 1, got 0"):
        simulated(drivers, slopes={}, reliability=0, n=1, seed=0)


def test_two_correlations_are_compared_as_in_the_published_example():
    found = implicit_bias.compared(0.4, 0.5, 0.1, n=103)  # the example of Steiger (1980), p. 247
    assert found["t"] == pytest.approx(-0.89, abs=0.005)
    assert found["p"] == pytest.approx(0.37, abs=0.006)
    assert found["value"] == pytest.approx(-0.1)
    assert found["low"] < -0.1 < 0 < found["high"]
    turned = implicit_bias.compared(0.5, 0.4, 0.1, n=103)
    assert turned["t"] == pytest.approx(-found["t"])
    assert turned["low"] == pytest.approx(-found["high"])


@pytest.mark.parametrize(("one", "other", "between"), [(0.6, 0.6, 0.8), (-0.2, 0.4, 0.1)])
def test_its_interval_and_its_test_keep_their_level(one, other, between):
    rng = np.random.default_rng(5)
    sigma = np.array([[1, one, other], [one, 1, between], [other, between, 1]])
    drawn = rng.multivariate_normal(np.zeros(3), sigma, size=(3_000, 51))
    z = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, keepdims=True)
    r = np.einsum("kni,knj->kij", z, z) / 51
    found = implicit_bias.compared(r[:, 0, 1], r[:, 0, 2], r[:, 1, 2], n=51)
    covered = (found["low"] <= one - other) & (one - other <= found["high"])
    assert covered.mean() == pytest.approx(0.95, abs=0.015)
    if one == other:
        assert (found["p"] <= 0.05).mean() == pytest.approx(0.05, abs=0.013)


def test_what_is_left_where_the_other_is_held():
    rng = np.random.default_rng(6)
    other, noise = rng.normal(size=40), rng.normal(size=(3, 40))
    one = other + noise[0]
    outcome = one + other + noise[1]
    given, two = other[:, None], np.column_stack([other, noise[2]])
    r = np.corrcoef(left_over(outcome, given), left_over(one, given))[0, 1]
    pairs = ((outcome, one), (outcome, other), (one, other))
    found = implicit_bias.held(*(np.corrcoef(*pair)[0, 1] for pair in pairs), n=40)
    assert found["value"] == pytest.approx(r)
    assert found["p"] == pytest.approx(2 * stats.t.sf(abs(r) * np.sqrt(37 / (1 - r**2)), 37))
    ends = np.tanh(np.arctanh(r) + np.array([-1.959964, 1.959964]) / np.sqrt(36))
    assert (found["low"], found["high"]) == pytest.approx(tuple(ends))
    assert implicit_bias.beyond(np.stack([outcome, one]), one, given)[0] == pytest.approx(r)
    r = np.corrcoef(left_over(outcome, two), left_over(one, two))[0, 1]
    assert implicit_bias.beyond(outcome[None], one, two)[0] == pytest.approx(r)


def test_many_iats_are_asked_one_by_one():
    rng = np.random.default_rng(8)
    census = rng.normal(size=30)
    returned = census + 0.3 * rng.normal(size=30)
    iats = returned + 1.2 * rng.normal(size=(50, 30))
    hits, given = 0, census[:, None]
    for scores in iats:
        r = np.corrcoef(left_over(scores, given), left_over(returned, given))[0, 1]
        p = 2 * stats.t.sf(abs(r) * np.sqrt(27 / (1 - r**2)), 27)
        hits += r > 0 and p <= 0.3
    assert implicit_bias.links(returned, census, iats, alpha=0.3) * 50 == pytest.approx(hits)
    assert 0 < hits < 50
