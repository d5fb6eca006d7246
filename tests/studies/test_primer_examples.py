"""The worked examples of the pages on methods: by hand, what the pages print."""

from itertools import combinations
from math import log

import numpy as np
import pytest
from scipy import stats

from studies import primer_examples, primers


def test_effect_sizes_follow_from_the_cosines():
    example = primer_examples.example("association")
    cosines = primer_examples.COSINES.to_numpy()
    s = cosines[:, :2].mean(axis=1) - cosines[:, 2:].mean(axis=1)
    x, y = s[:3], s[3:]
    assert example.tables["scores"]["score *s*"].tolist() == [
        "+0.05",
        "+0.02",
        "+0.02",
        "-0.03",
        "-0.01",
        "+0.01",
    ]
    gap = x.mean() - y.mean()
    assert example.values["difference"] == pytest.approx(gap)
    inside = [np.sqrt((x.var(ddof=k) + y.var(ddof=k)) / 2) for k in (1, 0)]
    by_hand = [[gap / s.std(ddof=k) for k in (1, 0)], [gap / one for one in inside]]
    assert example.tables["conventions"].astype(float).to_numpy() == pytest.approx(
        np.array(by_hand), abs=0.005
    )
    assert by_hand[0][1] == pytest.approx(by_hand[1][1] / np.sqrt(1 + by_hand[1][1] ** 2 / 4))
    assert max(by_hand[0]) < 2 < min(by_hand[1]), "the page says that the two differ here"
    love = cosines[:, 0]
    assert example.values["love.d"] == pytest.approx(
        (love[:3].mean() - love[3:].mean()) / love.std(ddof=1)
    )
    for name, n in (("six", 6), ("many", 200)):
        a = np.arange(n) ** 1.5
        assert a.std(ddof=1) / a.std() == pytest.approx(1 + example.values[f"divisor.{name}"] / 100)


def test_a_difference_of_cosines_is_one_of_log_odds():
    example = primer_examples.example("perception")
    assert example.values["logits"] == pytest.approx(1.5)
    assert log((9 / 2) / (2 / 2)) == pytest.approx(example.values["logits"], abs=0.01), (
        "the page's nine captions to two, and two to two"
    )
    assert example.values["times"] == pytest.approx(9 / 2, abs=0.05)


def test_ndkl_is_the_mean_of_the_divergences_in_the_table():
    example = primer_examples.example("ranking")
    shares = np.array([1, 1, 2 / 3, 3 / 4, 3 / 5, 1 / 2])
    other = np.where(shares < 1, 1 - shares, 1)  # 1 · ln 1 = 0, as 0 · ln 0 counts
    divergence = shares * np.log(2 * shares) + np.where(shares < 1, other * np.log(2 * other), 0)
    weight = 1 / np.log2(np.arange(2, 8))
    rows = example.tables["ndkl"].astype(float).to_numpy()
    assert rows == pytest.approx(np.array([shares, 1 - shares, divergence, weight]), abs=0.005)
    assert example.values["ndkl"] == pytest.approx(divergence @ weight / weight.sum())
    assert example.values["sum"] / example.values["weights"] == pytest.approx(
        example.values["ndkl"]
    )


def test_the_ranking_is_placed_among_all_orders():
    example = primer_examples.example("ranking")
    lowest, mean, own, highest = example.tables["orders"]["NDKL"].astype(float)
    assert lowest < mean < own < highest
    assert example.values["orders"] == 20
    assert example.values["reached"] / example.values["orders"] > 0.1, "the page says: not rare"
    longer = np.mean(list(primer_examples.every_order(12, 6).values()))
    assert longer < mean, "the page says that longer lists have a lower mean"


def test_the_larger_skew_in_size_is_not_the_maximum():
    example = primer_examples.example("ranking")
    assert example.values["max"] == example.values["first"] == pytest.approx(log(1.5))
    assert abs(example.values["second"]) > example.values["max"]
    assert example.tables["markedness"]["neutral one nearer?"].str.startswith("yes").sum() == 1


def test_every_method_gives_a_p_of_the_same_size():
    example = primer_examples.example("permutation")
    x, y = map(np.array, primers.SCORES)
    shown = example.tables["scores"]
    assert shown.iloc[:, :-1].astype(float).to_numpy() == pytest.approx(np.array([x, y]))
    both = np.concatenate([x, y])
    sums = np.array([both[list(one)].sum() for one in combinations(range(12), 6)])
    reached = int((sums >= x.sum() - 1e-9).sum())
    assert (reached, len(sums)) == (example.values["reached"], example.values["ways"])
    gaps = abs(sums - both.sum() / 2)
    assert (gaps >= x.sum() - both.sum() / 2 - 1e-9).sum() == example.values["both"]
    assert example.values["p_both"] == pytest.approx(2 * example.values["p"]), "groups of one size"
    twelve, forty = example.tables["methods"].to_numpy().T
    exact, (*_, sampled, formula, welch) = float(twelve[0]), map(float, forty[1:])
    assert float(twelve[4]) < exact and float(twelve[5]) < exact, "the page says: too low"
    assert formula == pytest.approx(sampled, rel=0.03)
    assert welch == pytest.approx(sampled, rel=0.1)
    assert all(0.5 < float(one) / exact < 2 for one in (*twelve[1:3], *twelve[4:]))


def test_the_smallest_mean_has_a_p_of_one_in_twenty():
    example = primer_examples.example("targets")
    for m, (mean, _) in example.tables["needed"].iterrows():
        values = np.linspace(-1, 1, m)
        values += float(mean) * values.std(ddof=1)
        assert stats.ttest_1samp(values, 0).pvalue == pytest.approx(0.05, abs=0.004)
