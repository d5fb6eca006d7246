"""Inputs that are rare and legal, and single steps of the measures that a plausible slip would
change."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import vlmbias as vb
from vlmbias.inference import cluster_weights
from vlmbias.measures import permutation_tail, saddlepoint_tail

from . import oracles
from .test_association import groups, scores

SCORES = [0.9, 0.4, 0.7, 0.2, 0.35, 0.1, 0.3, 0.25, 0.15, 0.5]


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# Tails


@pytest.mark.parametrize("factor", [1e-320, 1e-160, 1.7e308])
@pytest.mark.parametrize("tail", ["greater", "less", "two-sided"])
def test_p_does_not_depend_on_the_unit_however_small_or_large(factor, tail):
    values = np.round(np.array(SCORES) * 4096) / 4096  # short enough to survive at 1e-320, too
    scaled = values * factor if factor > 1e-310 else values * 2.0**-1062
    for count in (252, 50):
        assert permutation_tail(
            scaled, 5, alternative=tail, n_permutations=count
        ) == permutation_tail(values, 5, alternative=tail, n_permutations=count)
    assert saddlepoint_tail(scaled, 5, alternative=tail) == pytest.approx(
        saddlepoint_tail(values, 5, alternative=tail), rel=1e-9
    )


def test_where_splits_are_as_many_as_permutations_p_is_counted():
    exact = oracles.exact_p(SCORES[:5], SCORES[5:], "greater")
    found = {permutation_tail(SCORES, 5, n_permutations=252, seed=seed) for seed in range(5)}
    assert found == {exact}


@pytest.mark.parametrize("apart", [1e-6, 1e-9])
def test_scores_that_differ_by_more_than_rounding_do_not_tie(apart):
    assert permutation_tail([1 + apart, 1, 1, 1, 1, 1, 1, 1], 1) == 1 / 8
    assert saddlepoint_tail([1 + apart, 1, 1, 1, 1, 1, 1, 1], 1) == 1 / 8


def chernoff(values, n_x):
    """The bound by minimising over both slopes: C(N, n)·P(S ≥ s) ≤ Π(1 + exp(a + b·z)) / exp(a·n +
    b·s)."""
    z = (values - np.mean(values)) / np.std(values)
    found = minimize(
        lambda ab: np.logaddexp(0, ab[0] + ab[1] * z).sum() - ab[0] * n_x - ab[1] * z[:n_x].sum(),
        [0.0, 0.5],
        method="BFGS",
        options={"gtol": 1e-9},
    )
    return math.exp(found.fun) / math.comb(len(z), n_x)


def outlying(seed):
    """Scores of which a few dwarf the others: for some of them the formula alone leaves its
    bounds."""
    rng = np.random.default_rng(seed)
    total = int(rng.integers(4, 40))
    n_x = int(rng.integers(1, total))
    return rng.permutation(rng.standard_cauchy(total) ** 3), n_x


def test_no_tail_is_heavier_than_chernoffs_bound():
    values, n_x = outlying(1226)  # the formula alone gives .79
    assert (
        saddlepoint_tail(values, n_x)
        == pytest.approx(chernoff(values, n_x), rel=1e-4)
        == pytest.approx(0.675, 0.01)
    )


@pytest.mark.parametrize("seed", [127, 134, 147])  # the formula alone gives 1e-34, 4e-9, 4e-4
def test_no_tail_is_lighter_than_one_split(seed):
    values, n_x = outlying(seed)
    assert saddlepoint_tail(values, n_x) == pytest.approx(1 / math.comb(len(values), n_x), rel=1e-9)


# Clusters


def test_a_cluster_is_drawn_as_often_as_any_other_whatever_its_size():
    clusters = np.repeat(["a", "b", "c"], [1, 80, 19])
    weights = cluster_weights(clusters, n_resamples=4_000, seed=2)
    assert weights[:, [0, 1, 99]].mean(axis=0) == pytest.approx([1, 1, 1], abs=0.06)


# Trajectories

X = np.array([0.0, 1, 2, 3, 0, 1, 2, 3])
Y = np.column_stack([X**2, X])


def test_a_row_without_a_group_is_named_not_dropped():
    groups = pd.Series(["a", "a", "a", pd.NA] + ["b"] * 4, dtype=object)
    with pytest.raises(ValueError, match="every row needs a group; row 3 of 8 has none"):
        vb.trajectories(Y, X, groups)


def test_a_span_that_is_none_is_blamed_itself():
    with pytest.raises(ValueError, match=r"span .* got 0 to nan"):
        vb.trajectories(Y, X, span=(0, math.nan))
    with pytest.raises(ValueError, match=r"x .*finite.* nan at 2"):
        vb.trajectories(Y, [0, 1, math.nan, 3, 0, 1, 2, 3], span=(0, 3))


def test_a_straight_line_has_no_vertex_and_a_constant_no_share_explained():
    values = np.column_stack([2 * X - 1, np.zeros(8), -((X - 1) ** 2)])
    found = vb.trajectories(values, X)
    assert (
        found["vertex"].isna().tolist() == [True, True, False] == found["vertex_se"].isna().tolist()
    )
    assert found["vertex"][2] == pytest.approx(1)
    assert found["slope"].tolist() == pytest.approx([3, 0, -1.5]) and found["curvature"][
        0
    ] == pytest.approx(0)
    assert found["r_squared"][0] == pytest.approx(1) and np.isnan(found["r_squared"][1])


# Intervals


def test_an_interval_resamples_each_group_from_itself():
    """With d near 2, resampling from both together would centre the interval on 0."""
    data = groups(20, 30, 5, 5, seed=8, shift=2)
    result = vb.eat(*data, n_permutations=100)
    rng, (x, y) = np.random.default_rng(9), scores(*data)
    draws = [
        oracles.effect_size(list(rng.choice(x, len(x))), list(rng.choice(y, len(y))))
        for _ in range(2_000)
    ]
    found = result.confidence_interval(n_resamples=2_000)
    assert found == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.03) and found[0] > 1


def test_an_interval_uses_the_ddof_of_its_effect():
    data = groups(4, 5, 3, 3, seed=1)
    sample, population = (
        vb.eat(*data, ddof=ddof).confidence_interval(n_resamples=500) for ddof in (1, 0)
    )
    assert np.array(population) == pytest.approx(np.array(sample) * math.sqrt(9 / 8), rel=1e-9)


def test_resamples_without_spread_are_left_out():
    low, high = vb.eat(*groups(2, 2, 3, 3, seed=1), pooled=True).confidence_interval(
        n_resamples=500
    )
    assert math.isfinite(low) and math.isfinite(high) and low < high


def test_one_item_has_no_interval():
    with pytest.raises(ValueError, match="two items in each group; got 1 and 6"):
        vb.eat(*groups(1, 6, 3, 3)).confidence_interval(n_resamples=10)


# Perceptions, effect sizes


def test_a_narrowed_perception_narrows_its_pictures_too():
    faces = vb.images("greenhouse/causalface", seed=[0], race="teal")
    words = pd.DataFrame({"dimension": ["d"], "word": ["w"], "neutral": [False]})
    seen = vb.Perception(
        faces.table, words, np.arange(len(faces), dtype=float)[:, None], images=faces
    )
    part = seen.where(seen.table["gender"] == "eared")
    assert 0 < len(part) == len(part.images) < len(faces)
    pd.testing.assert_frame_equal(part.images.table, part.table)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, np.nan], [3.0, 4, 5], r"x \(2,\) must be finite; .* nan at 1\. Leave"),
        ([1.0, 2], [[3.0, 4], [5, -np.inf]], r"y \(2, 2\) must be finite; .* -inf at 1, 1\."),
    ],
)
def test_an_effect_size_of_what_is_no_number_says_where_it_is(x, y, message):
    with pytest.raises(ValueError, match=message):
        vb.effect_size(x, y)
