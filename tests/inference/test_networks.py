"""Against scipy and statsmodels called one value at a time, and against counting."""

import itertools

import numpy as np
import pandas as pd
import pytest
import slow
from scipy import stats

import vlmbias as vb


@pytest.fixture
def values():
    rng = np.random.default_rng(3)
    return pd.DataFrame(rng.normal([0.0, 0.4, 1.0], [1, 1, 2], (12, 3)), columns=["a", "b", "c"])


def test_summary_is_scipys_t_interval(values):
    found = vb.networks.summary(values, confidence_level=0.9)
    for name in values:
        own = values[name]
        expected = [own.mean(), *slow.mean_interval(own, 0.9), own.std()]
        assert np.allclose(found.loc[name, ["mean", "low", "high", "sd"]], expected)
        assert found.loc[name, "one_sign"] == max((own > 0).sum(), (own < 0).sum()) / 12
    assert found["n"].tolist() == [12, 12, 12]


def test_summary_of_networks_in_different_numbers_and_of_one():
    found = vb.networks.summary({"two": [1.0, 3.0], "one": [-2.0]})
    assert found.loc["two", "mean"] == 2
    assert found.loc["one", ["n", "mean", "one_sign"]].tolist() == [1, -2, 1]
    assert found.loc["one", ["low", "high", "sd"]].isna().all()


@pytest.mark.parametrize(("hits", "n"), [(0, 6), (6, 6), (3, 11), (1, 40)])
def test_rates_have_the_interval_that_just_fails_to_be_rejected(hits, n):
    row = vb.networks.rates({"x": np.arange(n) < hits}).loc["x"]
    assert (row["n"], row["hits"], row["rate"]) == (n, hits, hits / n)
    assert (row["low"], row["high"]) == pytest.approx(slow.share_interval(hits, n))


def test_the_rank_among_null_networks_is_counted():
    null = np.array([-3.0, -1.0, 0.0, 0.5, 2.0])
    up, down = (
        vb.networks.rank_p_value(1.0, null),
        vb.networks.rank_p_value(1.0, null, alternative="less"),
    )
    assert (up.rank, up.n_null, up.p_value) == (2, 5, 2 / 6)
    assert (down.rank, down.p_value) == (5, 5 / 6)
    assert vb.networks.rank_p_value(-2.5, null, alternative="two-sided").rank == 2
    assert vb.networks.rank_p_value(0.5, null).rank == 3  # a tie counts against it
    assert vb.networks.rank_p_value(9.0, null).p_value == 1 / 6


def test_networks_are_judged_by_those_with_nothing_planted_and_never_by_themselves():
    values, null = np.random.default_rng(2).normal(size=12), np.arange(12) % 4 != 0
    for alternative in ("greater", "less", "two-sided"):
        p = vb.networks.among_null(values, null, alternative=alternative)
        assert p.tolist() == slow.among_null(values, null, alternative)


def test_one_sample_and_paired_are_scipy_and_holm(values):
    table = vb.networks.one_sample(values)
    expected = stats.ttest_1samp(values, 0)
    assert np.allclose(table["t"], expected.statistic) and np.allclose(table["p"], expected.pvalue)
    assert np.allclose(table["p_holm"], slow.holm(expected.pvalue))
    pairs = vb.networks.paired(values)
    p = []
    for row, (one, other) in zip(pairs.itertuples(), itertools.combinations("abc", 2), strict=True):
        test = stats.ttest_rel(values[one], values[other])
        interval = test.confidence_interval()
        assert (row.first, row.second) == (one, other)
        assert np.allclose([row.t, row.p, row.low, row.high], [*test, interval.low, interval.high])
        p.append(test.pvalue)
    assert np.allclose(pairs["p_holm"], slow.holm(p))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: vb.networks.summary({"hue": [1.0, np.nan]}),
            r"hue .*nan at 1",
        ),
        (
            lambda: vb.networks.summary([1.0, 2.0], confidence_level=95),
            "level must lie between 0 and 1; got 95",
        ),
        (lambda: vb.networks.one_sample([1.0]), "at least 2 networks; 'all' has 1"),
        (lambda: vb.networks.paired(pd.DataFrame({"a": [1.0, 2.0]})), "at least 2 groups"),
        (
            lambda: vb.networks.rank_p_value(1.0, [0.0], alternative="up"),
            "alternative must be one of",
        ),
    ],
)
def test_errors_name_the_value_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call()
    with pytest.raises(TypeError, match="True and False"):
        vb.networks.rates([0, 1, 1])
