"""The two tails: sampled and by saddlepoint, against exact counts and rank sums."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import mannwhitneyu, rankdata

from vlmbias.measures import permutation_tail, saddlepoint_tail

from . import oracles

TAILS = ("greater", "less", "two-sided")
SCORES = [0.9, 0.4, 0.7, 0.2, 0.35, 0.1, 0.3, 0.25, 0.15, 0.5]
pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("draw", ["standard_normal", "random", "standard_exponential"])
@pytest.mark.parametrize(
    ("p_low", "p_high", "typical", "worst"), [(1e-3, 0.5, 0.02, 0.12), (2e-5, 1e-4, 0.25, 0.7)]
)
def test_saddlepoint_is_near_the_exact_count(draw, p_low, p_high, typical, worst):
    """A few percent above 1e-3; near 3e-5, where only six of 184,756 splits count, some 20
    percent."""
    errors = []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        scores = getattr(rng, draw)(20)
        scores[:10] += rng.uniform(0, 2.5) * scores.std()
        if p_low / 3 < saddlepoint_tail(scores, 10) < 3 * p_high:  # not worth counting otherwise
            exact = permutation_tail(scores, 10, n_permutations=200_000)
            if p_low <= exact <= p_high:
                errors.append(abs(math.log(saddlepoint_tail(scores, 10) / exact)))
        if len(errors) == 16:
            break
    assert len(errors) >= 12
    assert np.median(errors) < typical and max(errors) < worst


@pytest.mark.parametrize(("n_x", "n_y"), [(20, 20), (25, 60), (60, 25)])
@pytest.mark.parametrize("shift", [0.5, 2])
def test_far_tails_agree_with_exact_rank_sums(n_x, n_y, shift):
    """Down to 1e-34. Ranks come in whole steps and the approximation is continuous: it meets the
    mid-p-value."""
    rng = np.random.default_rng(n_x + n_y)
    ranks = rankdata(np.concatenate([rng.normal(shift, 1, n_x), rng.normal(0, 1, n_y)]))
    from_y = set(ranks[n_x:])
    i = next(
        i for i in range(n_x) if ranks[i] + 1 in from_y
    )  # one step further: swap two neighbours
    further = np.where(
        ranks == ranks[i], ranks[i] + 1, np.where(ranks == ranks[i] + 1, ranks[i], ranks)
    )
    here, beyond = (
        mannwhitneyu(r[:n_x], r[n_x:], alternative="greater", method="exact")
        for r in (ranks, further)
    )
    ours = saddlepoint_tail(ranks, n_x)
    assert_allclose(ours, (here.pvalue + beyond.pvalue) / 2, rtol=0.02)
    assert beyond.pvalue < ours < here.pvalue


def test_complete_separation_is_exact_however_far():
    for n in (10, 70, 300):
        p = saddlepoint_tail(np.arange(2 * n)[::-1], n)
        assert_allclose(p, 1 / math.comb(2 * n, n), rtol=1e-12)
    tied = [3.0, 2, 2, 2, 1, 0, 2, 0]  # X takes three of the four twos
    assert_allclose(saddlepoint_tail(tied, 4), 4 / math.comb(8, 4))
    assert_allclose(saddlepoint_tail(tied, 4), oracles.exact_p(tied[:4], tied[4:], "greater"))


def test_finite_where_sampling_stops():
    x = np.random.default_rng(1).normal(3, 1, 183)
    y = np.random.default_rng(2).normal(0, 1, 109)
    assert 1e-80 < saddlepoint_tail(np.concatenate([x, y]), 183) < 1e-40
    assert permutation_tail(np.concatenate([x, y]), 183) == 1e-4
    far = np.concatenate(
        [np.random.default_rng(1).normal(3, 1, 3000), np.random.default_rng(2).normal(0, 1, 3000)]
    )
    assert saddlepoint_tail(far, 3000) == pytest.approx(2.2250738585072014e-308)


@pytest.mark.parametrize("n_x", [30, 50])
def test_smooth_through_the_mean(n_x):
    """The formula divides by zero at the mean: p must fall steadily through it all the same."""
    scores = np.random.default_rng(3).exponential(size=80)
    shifts = np.concatenate(
        [np.linspace(-0.02, 0.02, 81), np.logspace(-12, -2, 41), -np.logspace(-12, -2, 41)]
    )
    x, y = scores[:n_x] - scores[:n_x].mean(), scores[n_x:] - scores[n_x:].mean()
    p = np.array(
        [saddlepoint_tail(np.concatenate([x + shift, y]), n_x) for shift in np.sort(shifts)]
    )
    assert np.all(np.diff(p) <= 1e-9) and 0.4 < p.min() < p.max() < 0.6
    middle = saddlepoint_tail(np.concatenate([x, y]), n_x)
    sampled = permutation_tail(np.concatenate([x, y]), n_x, n_permutations=200_000)
    assert abs(middle - sampled) < 0.006


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10_000), st.sampled_from(TAILS))
def test_permutation_is_the_count(n_x, n_y, seed, tail):
    scores = np.random.default_rng(seed).integers(-3, 4, n_x + n_y) / 10
    expected = oracles.exact_p(scores[:n_x].tolist(), scores[n_x:].tolist(), tail)
    assert_allclose(permutation_tail(scores, n_x, alternative=tail), expected)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.floats(-1e3, 1e3, allow_subnormal=False), min_size=2, max_size=14),
    st.integers(1, 13),
    st.sampled_from(TAILS),
)
@example([0.0, 0.0, 1.0], 1, "greater")
@example([1.0, 1.0, 1.0, 1.0], 2, "less")
@example([0.0, 1e-9, 1.0, 1.0, 1.0], 2, "two-sided")
@example([1e3] + [1e-3 * i for i in range(13)], 5, "greater")
def test_saddlepoint_survives_anything_and_keeps_its_bounds(scores, n_x, tail):
    n_x = min(n_x, len(scores) - 1)
    p = saddlepoint_tail(scores, n_x, alternative=tail)
    assert 1 / math.comb(len(scores), n_x) * (1 - 1e-9) <= p <= 1
    if tail == "greater":
        assert_allclose(p, saddlepoint_tail(-np.array(scores), n_x, alternative="less"), rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.integers(5, 40), st.integers(5, 40), st.integers(0, 10_000))
def test_saddlepoint_does_not_depend_on_order_unit_or_origin(n_x, n_y, seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=n_x + n_y)
    p = saddlepoint_tail(scores, n_x)
    shuffled = np.concatenate([rng.permutation(scores[:n_x]), rng.permutation(scores[n_x:])])
    assert_allclose(saddlepoint_tail(shuffled, n_x), p, rtol=1e-7)
    assert_allclose(saddlepoint_tail(5 + 1e-4 * scores, n_x), p, rtol=1e-5)
    swapped = np.concatenate([scores[n_x:], scores[:n_x]])
    assert_allclose(saddlepoint_tail(swapped, n_y, alternative="less"), p, rtol=1e-7)


@pytest.mark.parametrize("n_x", [8, 6])
def test_two_sided_is_both_tails(n_x):
    scores = np.random.default_rng(11).exponential(size=18)
    exact = permutation_tail(scores, n_x, alternative="two-sided", n_permutations=200_000)
    assert_allclose(saddlepoint_tail(scores, n_x, alternative="two-sided"), exact, rtol=0.05)


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


@pytest.mark.parametrize("tail", [permutation_tail, saddlepoint_tail])
@pytest.mark.parametrize(
    ("scores", "n_x", "words"),
    [
        ([1.0, 2.0], 2, "1 ≤ n_x < 2; got 2"),
        ([1.0, 2.0], 0, "at least 1; got 0"),
        ([1.0, np.nan, 2.0], 1, r"scores .*finite.* nan at 1"),
        ([[1.0, 2.0]], 1, r"shape \(1, 2\)"),
    ],
)
def test_errors(tail, scores, n_x, words):
    with pytest.raises(ValueError, match=words):
        tail(scores, n_x)
    with pytest.raises(ValueError, match="'sideways'"):
        tail([1.0, 2.0], 1, alternative="sideways")
