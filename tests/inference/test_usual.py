"""Holm's correction and the p and interval of a correlation: against scipy, pingouin, loops
and by hand."""

import numpy as np
import pingouin
import pytest
import slow
from scipy import stats

from vlmbias.inference import correlations, holm


@pytest.mark.parametrize("tests", [1, 2, 5, 9])
def test_each_family_is_corrected_step_by_step(tests):
    rng = np.random.default_rng(tests)
    p = rng.random((20, tests)) ** 3
    p[rng.random(p.shape) < 0.3] = 0.05  # ties
    expected = [slow.holm(row) for row in p]
    np.testing.assert_allclose(holm(p), expected, rtol=1e-12)
    np.testing.assert_allclose(holm(p[0]), expected[0], rtol=1e-12)


def test_a_missing_p_is_no_test_of_the_family():
    np.testing.assert_allclose(holm([0.01, np.nan, 0.04]), [0.02, np.nan, 0.04])


@pytest.mark.parametrize("n", [4, 10])
def test_a_known_correlation_has_the_p_and_interval_of_scipy(n):
    x, y = np.random.default_rng(n).normal(size=(2, n))
    test = stats.pearsonr(x, y)
    assert correlations.p_value(test.statistic, n) == pytest.approx(test.pvalue, rel=1e-9)
    for level in (0.5, 0.95):
        found = correlations.interval(test.statistic, n, confidence_level=level)
        assert found == pytest.approx(tuple(test.confidence_interval(level)), rel=1e-12)


def test_with_others_held_they_are_those_of_pingouin():
    rng = np.random.default_rng(3)
    table = pingouin.read_dataset("mediation")[["X", "Y", "M"]].sample(40, random_state=rng)
    found = pingouin.partial_corr(table, "X", "Y", covar="M").iloc[0]
    assert correlations.p_value(found["r"], 40, held=1) == pytest.approx(found["p_val"], rel=1e-9)
    low, high = correlations.interval(found["r"], 40, held=1)
    assert (low, high) == pytest.approx(tuple(found["CI95"]), abs=0.006)  # which it rounds


def test_many_at_once_and_perfect_ones():
    r = np.array([-1.0, 0.0, 1.0])
    low, high = correlations.interval(r, 20)
    assert low[[0, 2]].tolist() == high[[0, 2]].tolist() == [-1, 1] and low[1] == -high[1]
    p = correlations.p_value(r, 20)
    assert p[1] == 1 and p[[0, 2]].max() < 1e-100
