"""Skew, NDKL and markedness: against their definitions in loops."""

import doctest
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
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


@settings(max_examples=60, deadline=None)
@given(rankings(), st.data())
def test_skew_and_ndkl_are_their_definitions_for_one_query_and_for_many(ranking, data):
    scores, groups, desired = ranking
    second = data.draw(st.lists(st.integers(-4, 4), min_size=len(groups), max_size=len(groups)))
    table = pd.DataFrame({"first": scores, "second": np.array(second) / 4})
    k = data.draw(st.integers(1, len(groups)))
    zero = data.draw(st.sampled_from([-math.inf, -5.0]))
    lists = vb.rankings(table, groups, desired=desired)
    many, even = lists.skew_at_k(k, zero=zero), lists.ndkl()
    for query, column in table.items():
        expected = oracles.skew_at_k(column, groups, k, desired, zero)
        found = vb.skew_at_k(column, groups, k, desired=desired, zero=zero)
        assert list(found.index) == list(dict.fromkeys(groups))
        assert found.to_dict() == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert many.loc[query].to_dict() == pytest.approx(expected)
        largest = vb.max_skew_at_k(column, groups, k, desired=desired, zero=zero)
        assert largest == pytest.approx(max(expected.values()))
        slow = pytest.approx(oracles.ndkl(column, groups, desired), abs=1e-12)
        assert even[query] == slow and vb.ndkl(column, groups, desired=desired) == slow


def test_the_primer_is_right():
    """The code of the primer, run as it stands on the page."""
    page = paths.root() / "book" / "primers" / "ranking.md"
    assert doctest.testfile(str(page), module_relative=False) == (0, 8)


def test_long_lists_too_and_of_equal_scores_the_first_come_first():
    rng = np.random.default_rng(0)
    groups = rng.choice(["x", "y", "z"], 400, p=[0.6, 0.3, 0.1])
    third = dict.fromkeys("xyz", 1 / 3)  # the default
    # of ties, a quicksort would make another order
    for scores in (rng.normal(size=400) + (groups == "z"), np.repeat([1.0, 0.0], 200)):
        expected = oracles.ndkl(scores, groups, third)
        assert vb.ndkl(scores, groups) == pytest.approx(expected, rel=1e-12)
        expected = oracles.skew_at_k(scores, groups, 90, third)
        assert vb.skew_at_k(scores, groups, 90).to_dict() == pytest.approx(expected)


def test_strings_and_categories_rank_alike_and_an_empty_category_is_no_group():
    rng = np.random.default_rng(1)
    groups, table = pd.Series(rng.choice(list("xyz"), 300)), pd.DataFrame(rng.normal(size=(300, 4)))
    strings = vb.rankings(table, groups)
    categories = vb.rankings(table, groups.astype(pd.CategoricalDtype([*"wzyx"])))
    pd.testing.assert_series_equal(strings.ndkl(), categories.ndkl())
    found, other = strings.skew_at_k(20), categories.skew_at_k(20)
    assert list(other.columns) == [*"zyx"]
    assert_allclose(found[other.columns], other)


def test_labels_that_change_between_two_calls_are_read_anew():
    scores = np.arange(6.0)
    for groups in (pd.Series([*"aabbcc"]), np.array([*"aabbcc"], dtype=object)):
        before = vb.skew_at_k(scores, groups, 2)
        groups[4:] = "a"
        assert before["a"] == -np.inf < vb.skew_at_k(scores, groups, 2)["a"]


def test_markedness_counts_strictly():
    assert vb.markedness([1.0, 2.0, 3.0, 4.0], [0.0, 2.0, 4.0, 3.0]) == 50.0
    values = np.random.default_rng(0).normal(size=(2, 77))
    assert vb.markedness(*values) + vb.markedness(*values[::-1]) == pytest.approx(100)


XY = pd.DataFrame({"q": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vb.markedness([1.0], [1.0, 2.0]), r"same images; got shapes \(1,\) and \(2,\)"),
        (lambda: vb.skew_at_k([1, 2, 3], "xyy", 2), "same images"),
        (lambda: vb.skew_at_k([1, 2, 3], list("xyy"), 4), r"\bk\b.*\b3\b.*\b4\b"),
        (lambda: vb.skew_at_k([1, 2, 3], list("xyy"), 1.5), "k must be a whole number"),
        (lambda: vb.ndkl([1, math.nan, 3], list("xyy")), "scores .*finite.* nan at 1"),
        (lambda: vb.ndkl([[1.0, 2.0]], list("xy")), r"scores .* shape \(n,\)"),
        (lambda: vb.ndkl([1, 2, 3], ["x", None, "y"]), "needs a group; image 1 has none"),
        (
            lambda: vb.ndkl([1, 2], ["Male", "Female"], desired={"male": 0.5, "female": 0.5}),
            "exactly the groups .* 'Male', 'Female'; got 'male', 'female'. Are labels spelt alike",
        ),
        (lambda: vb.ndkl([1, 2], ["x", "y"], desired={"x": 0.5, "y": 0.505}), r"sum to 1; got .*"),
        (lambda: vb.ndkl([1, 2], ["x", "y"], desired=[0.5, 0.5]), "must map group to share; got"),
        (lambda: vb.rankings([1.0, 2.0], ["x", "y"]), "a DataFrame, images × queries, .* got list"),
        (lambda: vb.rankings(pd.DataFrame(index=[0, 1]), ["x", "y"]), "not empty"),
        (lambda: vb.rankings(XY.assign(r=[1, math.nan]), ["x", "y"]), r"scores\['r'\] .* nan at 1"),
        (lambda: vb.rankings(XY, ["x", "y", "y"]), "same images"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
