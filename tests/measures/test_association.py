import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import ttest_ind

import vlmbias as vb

from . import oracles


def groups(*sizes, d=6, seed=0, shift=0.4):
    """Vectors of any length; the first two groups lean towards the third and the fourth."""
    rng = np.random.default_rng(seed)
    made = [rng.standard_normal((n, d)) for n in sizes]
    for group, sign in zip(made, (1, -1, 1, -1), strict=False):
        group[:, 0] += sign * shift
    return made


def scores(X, Y, A, B):
    return [oracles.association(x, A, B) for x in X], [oracles.association(y, A, B) for y in Y]


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("sizes", [(5, 5, 4, 3), (4, 7, 3, 6)])
def test_eat_is_its_definition(pooled, ddof, sizes):
    X, Y, A, B = groups(*sizes)
    x, y = scores(X, Y, A, B)
    result = vb.eat(X, Y, A, B, pooled=pooled, ddof=ddof)
    assert_allclose(result.scores, [*x, *y], rtol=1e-12)
    assert_allclose(
        result.effect_size, oracles.effect_size(x, y, pooled=pooled, ddof=ddof), rtol=1e-12
    )
    assert_allclose(result.statistic, np.mean(x) - np.mean(y), rtol=1e-12)
    assert (result.n_x, result.n_y, result.method) == (len(X), len(Y), "permutation")


@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("ddof", [0, 1])
def test_effect_size_is_its_definition_for_one_pair_and_for_many(pooled, ddof):
    rng = np.random.default_rng(2)
    x, y = rng.normal(0.3, 1, (4, 3, 6)), rng.normal(size=(4, 3, 9))
    found = vb.effect_size(x, y, pooled=pooled, ddof=ddof)
    for place in np.ndindex(4, 3):
        expected = oracles.effect_size(x[place], y[place], pooled=pooled, ddof=ddof)
        assert math.isclose(found[place], expected)
        assert math.isclose(vb.effect_size(x[place], y[place], pooled=pooled, ddof=ddof), expected)
    same = np.ones((2, 5))
    assert np.isnan(vb.effect_size(same, same)).all()
    with pytest.raises(ValueError, match="zero variance"):
        vb.effect_size(same[0], same[1])
    with pytest.raises(ValueError, match=r"ddof=1, pooled=True needs more scores; got \(1, 9\)"):
        vb.effect_size([1.0], y[0, 0], pooled=True)


def test_association_scores_are_their_definition():
    W, A, B = groups(5, 4, 7)
    found = vb.association_scores(W, A, B)
    assert_allclose(found, [oracles.association(w, A, B) for w in W], rtol=1e-12)
    with pytest.raises(ValueError, match=r"one dimension d, .* W \(5, 6\), A \(4, 5\), B \(7, 6\)"):
        vb.association_scores(W, A[:, :5], B)


@pytest.mark.parametrize("pooled", [False, True])
def test_sc_eat_is_its_definition(pooled):
    A, B, w = groups(6, 4, 1)
    a, b = ([oracles.cosine(w[0], v) for v in group] for group in (A, B))
    result = vb.sc_eat(w[0], A, B, pooled=pooled, alternative="less")
    assert_allclose(result.effect_size, oracles.effect_size(a, b, pooled=pooled), rtol=1e-12)
    assert_allclose(result.p_value, oracles.exact_p(a, b, "less"))
    assert (result.n_x, result.n_y) == (6, 4)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
@pytest.mark.parametrize("sizes", [(4, 4, 3, 3), (3, 6, 5, 2)])
def test_exact_p_counts_every_split(alternative, sizes):
    X, Y, A, B = groups(*sizes, seed=3)
    result = vb.eat(X, Y, A, B, alternative=alternative)
    assert_allclose(result.p_value, oracles.exact_p(*scores(X, Y, A, B), alternative), rtol=1e-12)
    assert result.exact and result.n_permutations == math.comb(sizes[0] + sizes[1], sizes[0])


def test_the_number_of_splits_decides_between_counting_and_sampling():
    data = groups(5, 5, 3, 3)  # 252 splits
    assert vb.eat(*data, n_permutations=252).exact
    sampled = vb.eat(*data, n_permutations=251)
    assert not sampled.exact and sampled.n_permutations == 251
    assert_allclose(sampled.p_value * 251, round(sampled.p_value * 251))


@pytest.mark.parametrize(
    ("alternative", "sizes"), [("greater", (9, 9, 3, 3)), ("two-sided", (4, 14, 3, 3))]
)
def test_sampled_p_is_near_the_exact_one(alternative, sizes):
    data = groups(*sizes, seed=5, shift=0.15)
    exact = vb.eat(*data, alternative=alternative, n_permutations=50_000).p_value
    draws = [
        vb.eat(*data, alternative=alternative, n_permutations=3_000, seed=s).p_value
        for s in range(8)
    ]
    error = math.sqrt(exact * (1 - exact) / 24_000)
    assert abs(np.mean(draws) - exact) < 4.5 * error + 1 / 3_000
    assert len(set(draws)) > 1


def test_sampled_p_is_reproducible_and_never_zero():
    data = groups(20, 20, 4, 4, shift=3)
    first, again = (vb.eat(*data, n_permutations=500, seed=7).p_value for _ in range(2))
    assert first == again == 1 / 500


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_welch_is_scipys(alternative):
    X, Y, A, B = groups(8, 12, 4, 4, seed=6)
    ours = vb.eat(X, Y, A, B, method="welch", alternative=alternative)
    peer = ttest_ind(*scores(X, Y, A, B), equal_var=False, alternative=alternative)
    assert_allclose(ours.p_value, peer.pvalue, rtol=1e-9)
    assert ours.n_permutations is None and not ours.exact
    inflated = vb.eat(X, Y, A, B, method="welch", ddof=0)  # as of SDs of a population
    assert inflated.p_value < vb.eat(X, Y, A, B, method="welch").p_value


@settings(max_examples=40, deadline=None)
@given(
    st.tuples(*[st.integers(2, 6)] * 4),
    st.integers(0, 10_000),
    st.sampled_from(["permutation", "saddlepoint", "welch"]),
)
def test_invariances(sizes, seed, method):
    X, Y, A, B = groups(*sizes, seed=seed)
    rng = np.random.default_rng(seed)
    result = vb.eat(X, Y, A, B, method=method)
    d, p = result.effect_size, result.p_value

    def check(other, sign, p_other):
        assert_allclose(other.effect_size, sign * d, rtol=1e-9, atol=1e-12)
        assert_allclose(other.p_value, p_other, rtol=1e-6)

    check(vb.eat(*(rng.permutation(g) for g in (X, Y, A, B)), method=method), 1, p)
    stretched = [g * rng.uniform(1e-3, 1e3, (len(g), 1)) for g in (X, Y, A, B)]
    check(vb.eat(*stretched, method=method), 1, p)
    less = vb.eat(X, Y, A, B, method=method, alternative="less").p_value
    check(vb.eat(Y, X, A, B, method=method), -1, less)
    check(vb.eat(X, Y, B, A, method=method), -1, less)
    check(vb.eat(X, Y, np.repeat(A, 3, axis=0), B, method=method), 1, p)
    duplicated = vb.eat(*(np.repeat(g, 2, axis=0) for g in (X, Y, A, B)), ddof=0, method=method)
    assert_allclose(duplicated.effect_size, vb.eat(X, Y, A, B, ddof=0).effect_size, rtol=1e-9)


def test_ties_count_although_rounding_separates_them():
    A, B = np.array([[1.0, 0, 0]]), np.array([[0, 1.0, 0]])
    X, Y = np.array([[0.3, 0.1, 1]] * 3), np.array([[0.9, 0.3, 3]] * 3 + [[0.0, 1, 1]])
    # five of seven scores are equal but for rounding: every split that keeps the last one in Y ties
    assert_allclose(vb.eat(X, Y, A, B).p_value, math.comb(6, 3) / math.comb(7, 3))


def test_lengths_and_kinds_of_numbers_do_not_matter():
    data = groups(4, 4, 3, 3)
    expected = vb.eat(*data).effect_size
    for factor in (1e300, 1e-300):
        assert_allclose(vb.eat(*(g * factor for g in data)).effect_size, expected)
    single = vb.eat(*(g.astype(np.float32).tolist() for g in data))
    assert_allclose(single.effect_size, expected, rtol=1e-5)


def test_confidence_interval_is_as_wide_as_asked_and_the_same_for_a_seed():
    result = vb.eat(*groups(30, 20, 5, 5, seed=8), n_permutations=100)
    low, high = result.confidence_interval(n_resamples=500)
    narrow = result.confidence_interval(confidence_level=0.5, n_resamples=500)
    assert low < narrow[0] < result.effect_size < narrow[1] < high
    assert (low, high) == result.confidence_interval(n_resamples=500)
    assert (low, high) != result.confidence_interval(n_resamples=500, seed=1)


@pytest.mark.parametrize("pooled", [False, True])
def test_an_interval_resamples_each_group_from_itself(pooled):
    """With d near 2, resampling from both together would centre the interval on 0."""
    data = groups(20, 30, 5, 5, seed=8, shift=2)
    rng, (x, y) = np.random.default_rng(9), scores(*data)
    draws = [
        oracles.effect_size(list(rng.choice(x, 20)), list(rng.choice(y, 30)), pooled=pooled)
        for _ in range(2_000)
    ]
    found = vb.eat(*data, n_permutations=100, pooled=pooled).confidence_interval(n_resamples=2_000)
    assert found == pytest.approx(np.quantile(draws, [0.025, 0.975]), rel=0.03) and found[0] > 1


def test_an_interval_uses_the_ddof_of_its_effect():
    data = groups(4, 5, 3, 3, seed=1)
    sample, population = (
        vb.eat(*data, ddof=ddof).confidence_interval(n_resamples=500) for ddof in (1, 0)
    )
    assert np.array(population) == pytest.approx(np.array(sample) * math.sqrt(9 / 8), rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_resamples_without_spread_are_left_out():
    test = vb.eat(*groups(2, 2, 3, 3, seed=1), pooled=True)
    low, high = test.confidence_interval(n_resamples=500)
    assert math.isfinite(low) and math.isfinite(high) and low < high


GOOD = dict(zip("XYAB", groups(4, 5, 3, 3), strict=True))


def spoiled(value):
    vectors = GOOD["Y"].copy()
    vectors[2, 1] = value
    return vectors


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"A": np.ones((3, 5))}, ValueError, ["X (4, 6)", "A (3, 5)"]),
        ({"Y": spoiled(np.nan)}, ValueError, ["Y (5, 6)", "1 of 5 rows: 2", "nan"]),
        ({"B": np.zeros((3, 6))}, ValueError, ["B (3, 6)", "zero vectors", "0, 1, 2"]),
        ({"X": [["a"] * 6]}, TypeError, ["X", "real numbers", "<U1"]),
        ({"B": GOOD["A"][::-1]}, ValueError, ["zero variance", "X: 4, Y: 5"]),
        ({"X": GOOD["X"][:1], "Y": GOOD["Y"][:1], "ddof": 2}, ValueError, ["X: 1, Y: 1", "ddof=2"]),
        ({"X": GOOD["X"][:1], "pooled": True}, ValueError, ["X: 1, Y: 5", "pooled=True"]),
        ({"X": GOOD["X"][:1], "method": "welch"}, ValueError, ["X: 1, Y: 5", "welch"]),
        ({"method": "bootstrap"}, ValueError, ["method", "'saddlepoint'", "'bootstrap'"]),
        ({"n_permutations": 1e4}, ValueError, ["n_permutations", "10000.0"]),
    ],
)
def test_errors_print_shapes_and_values(change, error, words):
    with pytest.raises(error) as raised:
        vb.eat(**{**GOOD, **change})
    for word in words:
        assert word in str(raised.value)


def test_what_else_cannot_be_is_named():
    result, (A, B) = vb.eat(**GOOD), (np.eye(3)[:1], np.eye(3)[1:2])
    constant = np.eye(3)[[0, 0]], np.eye(3)[[1, 1]], A, B
    for call, words in (
        (lambda: vb.sc_eat(GOOD["X"][:1], GOOD["A"], GOOD["B"]), r"w must be .* shape \(1, 6\)"),
        (lambda: result.confidence_interval(confidence_level=95), "between 0 and 1; got 95"),
        (lambda: result.confidence_interval(n_resamples=0), "n_resamples"),
        (lambda: vb.eat(*groups(1, 6, 3, 3)).confidence_interval(), "two items .* got 1 and 6"),
        (lambda: vb.effect_size([1, np.nan], [3.0, 4]), r"x \(2,\) must be finite; .* nan at 1\."),
        (lambda: vb.effect_size([1.0, 2], [[3, 4], [5, -np.inf]]), r"y \(2, 2\) .* -inf at 1, 1"),
        (lambda: vb.eat(*constant, pooled=True), "zero variance: .* lie between -1 and 1"),
        (lambda: vb.eat(*constant, method="welch"), "do not vary within the groups"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
