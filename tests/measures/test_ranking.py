import doctest
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import vlmbias as vb
from vlmbias import paths

from . import oracles

NAMES = "abc"


@st.composite
def rankings(draw, least=2, most=25):
    """Scores with ties, groups that all occur, and shares wanted for them."""
    groups = draw(st.lists(st.sampled_from(NAMES), min_size=least, max_size=most))
    scores = draw(st.lists(st.integers(-4, 4), min_size=len(groups), max_size=len(groups)))
    names = list(dict.fromkeys(groups))
    weights = draw(st.lists(st.integers(1, 9), min_size=len(names), max_size=len(names)))
    return (
        np.array(scores) / 8,
        groups,
        {name: w / sum(weights) for name, w in zip(names, weights, strict=True)},
    )


@settings(deadline=None)
@given(rankings(), st.data())
def test_skew_is_its_definition(ranking, data):
    scores, groups, desired = ranking
    k = data.draw(st.integers(1, len(scores)))
    zero = data.draw(st.sampled_from([-math.inf, -5.0]))
    expected = oracles.skew_at_k(scores, groups, k, desired, zero)
    found = vb.skew_at_k(scores, groups, k, desired=desired, zero=zero)
    assert list(found.index) == list(dict.fromkeys(groups))
    assert_allclose(
        found.to_numpy(), [expected[name] for name in found.index], rtol=1e-12, atol=1e-12
    )
    assert vb.max_skew_at_k(scores, groups, k, desired=desired, zero=zero) == pytest.approx(
        max(expected.values())
    )


@settings(deadline=None)
@given(rankings())
def test_ndkl_is_its_definition(ranking):
    scores, groups, desired = ranking
    assert vb.ndkl(scores, groups, desired=desired) == pytest.approx(
        oracles.ndkl(scores, groups, desired), abs=1e-12
    )


def test_the_default_is_uniform():
    scores, groups = [3.0, 2.0, 1.0, 0.0], ["x", "x", "y", "x"]
    half = {"x": 0.5, "y": 0.5}
    assert (
        vb.ndkl(scores, groups)
        == vb.ndkl(scores, groups, desired=half)
        == pytest.approx(oracles.ndkl(scores, groups, half))
    )
    assert vb.skew_at_k(scores, groups, 2).to_dict() == {
        "x": pytest.approx(math.log(2)),
        "y": -math.inf,
    }


def test_the_primer_is_right():
    """The code of the primer, run as it stands on the page."""
    page = paths.root() / "book" / "primers" / "ranking.md"
    assert doctest.testfile(str(page), module_relative=False) == (0, 8)


def test_of_equal_scores_the_first_come_first():
    groups = ["x", "y", "y", "x", "y"]
    same = np.zeros(5)
    assert vb.skew_at_k(same, groups, 1).to_dict() == {
        "x": pytest.approx(math.log(2)),
        "y": -math.inf,
    }
    assert vb.ndkl(same, groups) == vb.ndkl([5, 4, 3, 2, 1], groups)
    long = np.repeat([1.0, 0.0], 500)  # a quicksort would shuffle these
    labels = np.where(np.arange(1000) % 3 == 0, "x", "y")
    assert vb.ndkl(long, labels) == pytest.approx(vb.ndkl(-np.arange(1000), labels), abs=1e-12)


@settings(deadline=None)
@given(rankings())
def test_names_do_not_matter(ranking):
    scores, groups, desired = ranking
    other = {"a": 7, "b": -1, "c": 3}
    renamed = {other[name]: share for name, share in desired.items()}
    numbers = [other[name] for name in groups]
    assert vb.ndkl(scores, numbers, desired=renamed) == vb.ndkl(scores, groups, desired=desired)
    before = vb.skew_at_k(scores, groups, 2, desired=desired)
    assert vb.skew_at_k(scores, numbers, 2, desired=renamed).to_dict() == {
        other[name]: value for name, value in before.items()
    }


@settings(deadline=None)
@given(rankings(), st.sampled_from([lambda x: 3 * x - 2, np.exp, lambda x: x**3, np.arctan]))
def test_only_the_order_counts(ranking, rising):
    scores, groups, desired = ranking
    assert vb.ndkl(rising(scores), groups, desired=desired) == vb.ndkl(
        scores, groups, desired=desired
    )
    assert vb.skew_at_k(rising(scores), groups, 2).equals(vb.skew_at_k(scores, groups, 2))


@settings(deadline=None)
@given(rankings(), st.randoms())
def test_rows_may_come_in_any_order_unless_they_tie(ranking, random):
    _, groups, desired = ranking
    scores = np.arange(len(groups), dtype=float)
    rows = list(range(len(groups)))
    random.shuffle(rows)
    shuffled = [groups[row] for row in rows]
    assert vb.ndkl(scores[rows], shuffled, desired=desired) == pytest.approx(
        vb.ndkl(scores, groups, desired=desired)
    )
    assert (
        vb.skew_at_k(scores[rows], shuffled, 2).to_dict()
        == vb.skew_at_k(scores, groups, 2).to_dict()
    )


@settings(deadline=None)
@given(rankings(), st.integers(2, 4))
def test_a_data_set_repeated_has_the_skew_of_one(ranking, times):
    _, groups, desired = ranking
    scores, k = np.arange(len(groups), dtype=float), max(1, len(groups) // 2)
    many = vb.skew_at_k(
        np.repeat(scores, times), np.repeat(groups, times), k * times, desired=desired
    )
    assert_allclose(
        many.to_numpy(), vb.skew_at_k(scores, groups, k, desired=desired).to_numpy(), atol=1e-12
    )


@settings(deadline=None)
@given(rankings(), st.data())
def test_shares_as_found_leave_no_skew_among_all(ranking, data):
    scores, groups, _ = ranking
    found = pd.Series(groups).value_counts(normalize=True)
    assert_allclose(
        vb.skew_at_k(scores, groups, len(groups), desired=found).to_numpy(), 0, atol=1e-12
    )
    k = data.draw(st.integers(1, len(groups)))
    each, largest = vb.skew_at_k(scores, groups, k), vb.max_skew_at_k(scores, groups, k)
    assert (each <= largest).all() and largest >= -1e-12


@settings(deadline=None)
@given(rankings())
def test_a_uniform_wish_turns_base_rates_into_skew(ranking):
    """Among all n, whatever the ranking, Skew is ln(base rate / wish): the leak of unbalanced
    sets."""
    scores, groups, _ = ranking
    base = pd.Series(groups).value_counts(normalize=True)
    expected = {name: math.log(share * len(base)) for name, share in base.items()}
    assert vb.skew_at_k(scores, groups, len(groups)).to_dict() == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(rankings())
def test_ndkl_is_positive_unless_there_is_one_group(ranking):
    scores, groups, desired = ranking
    value = vb.ndkl(scores, groups, desired=desired)
    assert value > 0 if len(desired) > 1 else value == pytest.approx(0, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 300), st.integers(0, 10**6))
def test_ndkl_is_largest_when_groups_come_one_after_the_other(n, seed):
    groups = np.array(["x", "y"] * n)
    shuffled = np.random.default_rng(seed).permutation(groups)
    scores = -np.arange(2 * n)
    alternating, random, apart = (
        vb.ndkl(scores, order) for order in (groups, shuffled, np.sort(groups))
    )
    assert alternating <= random + 1e-12 <= apart + 2e-12


def test_a_categorical_gives_its_order_and_no_empty_category():
    groups = pd.Series(pd.Categorical(["b", "a", "b"], categories=["c", "a", "b"]))
    scores = [3, 2, 1]
    assert list(vb.skew_at_k(scores, groups, 2).index) == ["a", "b"]
    assert vb.ndkl(scores, groups) == vb.ndkl(scores, groups.astype(str).to_list())
    assert (
        vb.skew_at_k(scores, groups, 2).to_dict()
        == vb.skew_at_k(scores, groups.astype(str), 2).to_dict()
    )


def test_longer_lists_agree_with_the_definition():
    rng = np.random.default_rng(0)
    groups = rng.choice(["x", "y", "z"], 400, p=[0.6, 0.3, 0.1])
    scores = rng.normal(size=400) + (groups == "z")
    third = dict.fromkeys("xyz", 1 / 3)
    assert vb.ndkl(scores, groups) == pytest.approx(oracles.ndkl(scores, groups, third), rel=1e-12)
    assert vb.skew_at_k(scores, groups, 90).to_dict() == pytest.approx(
        oracles.skew_at_k(scores, groups, 90, third)
    )


@settings(deadline=None)
@given(rankings(), st.data())
def test_many_queries_at_once_are_each_their_definition(ranking, data):
    scores, groups, desired = ranking
    second = data.draw(st.lists(st.integers(-4, 4), min_size=len(groups), max_size=len(groups)))
    table = pd.DataFrame({"first": scores, "second": np.array(second) / 4})
    k = data.draw(st.integers(1, len(groups)))
    zero = data.draw(st.sampled_from([-math.inf, -5.0]))
    lists = vb.rankings(table, groups, desired=desired)
    many, even = lists.skew_at_k(k, zero=zero), lists.ndkl()
    for query, column in table.items():
        assert even[query] == pytest.approx(oracles.ndkl(column, groups, desired), abs=1e-12)
        expected = oracles.skew_at_k(column, groups, k, desired, zero)
        assert many.loc[query].to_dict() == pytest.approx(expected)


def test_strings_and_categories_rank_alike():
    rng = np.random.default_rng(1)
    groups, table = pd.Series(rng.choice(list("xyz"), 300)), pd.DataFrame(rng.normal(size=(300, 4)))
    strings, categories = (vb.rankings(table, one) for one in (groups, groups.astype("category")))
    assert repr(strings) == "Rankings(4 queries × 300 images in 3 groups)"
    pd.testing.assert_series_equal(strings.ndkl(), categories.ndkl())
    found, other = strings.skew_at_k(20), categories.skew_at_k(20)
    assert list(other.columns) == ["x", "y", "z"] and sorted(found.columns) == list(other.columns)
    assert_allclose(found[other.columns], other)


def test_labels_that_change_between_two_calls_are_read_anew():
    scores, groups = np.arange(6.0), pd.Series([*"aabbcc"])
    for place, group in ((5, "a"), (5, "b"), (0, "d"), (1, "d")):
        groups.iloc[place] = group
        found = vb.skew_at_k(scores, groups, 2)
        expected = oracles.skew_at_k(
            scores, list(groups), 2, dict.fromkeys(groups, 1 / groups.nunique())
        )
        assert found.to_dict() == pytest.approx(expected)
        assert vb.ndkl(scores, groups) == vb.ndkl(scores, [*groups])
    labels = np.array([*"aabbcc"], dtype=object)
    before = vb.skew_at_k(scores, labels, 2)
    labels[-2:] = "a"
    assert vb.skew_at_k(scores, labels, 2)["a"] > before["a"] == -np.inf


def test_markedness_counts_strictly():
    assert vb.markedness([1.0, 2.0, 3.0, 4.0], [0.0, 2.0, 4.0, 3.0]) == 50.0
    values = np.random.default_rng(0).normal(size=(2, 77))
    assert vb.markedness(*values) + vb.markedness(*values[::-1]) == pytest.approx(100)


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: vb.markedness([], []),
            r"neutral must be a non-empty array of shape \(n,\); got shape \(0,\)",
        ),
        (
            lambda: vb.markedness([1.0], [1.0, 2.0]),
            r"the same images; got shapes \(1,\) and \(2,\)",
        ),
        (
            lambda: vb.markedness([1.0, math.nan], [1.0, 2.0]),
            "neutral .* must be finite; .* nan at 1",
        ),
        (lambda: vb.markedness([1.0], [math.inf]), "marked .* must be finite"),
        (lambda: vb.skew_at_k([1, 2, 3], "xyy", 2), "same images"),
        (
            lambda: vb.skew_at_k([1, 2, 3], list("xyy"), 4),
            "k must be no more than the number of images, 3; got 4",
        ),
        (
            lambda: vb.skew_at_k([1, 2, 3], list("xyy"), 0),
            "k must be a whole number, at least 1; got 0",
        ),
        (lambda: vb.skew_at_k([1, 2, 3], list("xyy"), 1.5), "k must be a whole number"),
        (
            lambda: vb.ndkl([1, math.nan, 3], list("xyy")),
            r"scores .*finite.* nan at 1",
        ),
        (
            lambda: vb.ndkl([[1.0, 2.0]], list("xy")),
            r"scores must be a non-empty array of shape \(n,\)",
        ),
        (
            lambda: vb.ndkl([1, 2, 3], ["x", None, "y"]),
            "every image needs a group; image 1 has none",
        ),
        (
            lambda: vb.ndkl([1, 2], pd.Categorical(["x", None])),
            "every image needs a group; image 1 has none",
        ),
        (
            lambda: vb.ndkl([1, 2], ["Male", "Female"], desired={"male": 0.5, "female": 0.5}),
            (
                "exactly the groups that occur, 'Male', 'Female'; got 'male', 'female'. Are labels"
                " spelt alike"
            ),
        ),
        (lambda: vb.ndkl([1, 2], ["x", "y"], desired={"x": 1.0}), "exactly the groups that occur"),
        (
            lambda: vb.ndkl([1, 2], ["x", "y"], desired={"x": 0.5, "y": 0.6}),
            r"sum to 1; got .*, sum 1\.1",
        ),
        (lambda: vb.ndkl([1, 2], ["x", "y"], desired={"x": 1.0, "y": 0.0}), "must be positive"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0, 2.0], "must be a DataFrame, images × queries, that is not empty; got list of shape"),
        (pd.DataFrame(index=[0, 1]), "not empty"),
        (pd.DataFrame({"q": ["a", "b"]}), r"scores\['q'\] must hold real numbers"),
    ],
)
def test_many_queries_are_a_table_of_numbers(scores, message):
    with pytest.raises(TypeError, match=message):
        vb.rankings(scores, ["x", "y"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda lists: lists(pd.DataFrame({"q": [1.0, 2.0], "r": [1.0, math.nan]})),
            r"scores\['r'\] .* nan at 1",
        ),
        (lambda lists: lists(pd.DataFrame({"q": [1.0, 2.0, 3.0]})), "same images"),
        (
            lambda lists: lists(pd.DataFrame({"q": [1.0, 2.0]})).skew_at_k(3),
            "no more than the number of images, 2",
        ),
        (lambda lists: lists(pd.DataFrame({"q": [1.0, 2.0]})).skew_at_k(0), "at least 1; got 0"),
    ],
)
def test_what_is_wrong_with_many_queries_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(lambda table: vb.rankings(table, ["x", "y"]))


@pytest.mark.parametrize("desired", [0.5, [0.5, 0.5], "uniform"])
def test_desired_is_a_mapping(desired):
    with pytest.raises(TypeError, match="desired must map group to share; got"):
        vb.ndkl([1, 2], ["x", "y"], desired=desired)


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_a_wish_for_the_groups_found_is_no_wish_for_others(seed):
    """Renaming one group in the wish alone is always an error, never a value."""
    rng = np.random.default_rng(seed)
    groups = rng.choice(list("xy"), 20)
    assume(len(set(groups)) == 2)
    with pytest.raises(ValueError, match="exactly the groups"):
        vb.skew_at_k(rng.normal(size=20), groups, 5, desired={"x": 0.5, "Y": 0.5})
