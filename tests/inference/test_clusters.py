"""Cluster resampling against its slow definition: repeat whole clusters, then take the plain
statistic."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlmbias.inference import cluster_weights, weighted_medians


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 4)), min_size=1, max_size=30).filter(
        lambda rows: any(weight for _, weight in rows)
    )
)
def test_a_weighted_median_is_the_median_of_the_repeated_values(rows):
    values, weights = (np.array(column) for column in zip(*rows, strict=True))
    repeated = np.sort(np.repeat(values, weights))
    assert weighted_medians(values, weights[None])[0] == repeated[(len(repeated) - 1) // 2]


def test_every_value_of_a_cluster_counts_equally_often():
    clusters = np.repeat(["a", "b", "c", "d"], [1, 5, 2, 4])
    weights = cluster_weights(clusters, n_resamples=200, seed=1)
    for name in "abcd":
        own = weights[:, clusters == name]
        assert (own == own[:, :1]).all()
    first = [np.flatnonzero(clusters == name)[0] for name in "abcd"]
    assert (weights[:, first].sum(axis=1) == 4).all() and weights[:, first].std() > 0


def test_a_value_on_two_clusters_counts_as_often_as_their_product():
    pairs = np.array([[0, 1], [1, 2], [0, 2], [0, 0], [1, 1], [2, 2]])
    weights = cluster_weights(pairs, n_resamples=100, seed=3)
    single = np.sqrt(weights[:, 3:])
    assert np.array_equal(weights[:, 0], single[:, 0] * single[:, 1])
    assert np.array_equal(weights[:, 2], single[:, 0] * single[:, 2])


def test_a_draw_that_leaves_no_value_is_drawn_anew():
    """Three identities, and only differences between two of them: one in nine draws would have
    none."""
    weights = cluster_weights([[0, 1], [1, 2], [0, 2]], n_resamples=2_000, seed=5)
    assert weights.any(axis=1).all()
    # given that two identities or more are drawn: 1-1-1 in 6 of 24 cases, else 2-1-0 with one
    # difference of weight 2
    assert abs((weights == 1).all(axis=1).mean() - 6 / 24) < 0.03 and set(weights.max(axis=1)) == {
        1,
        2,
    }


@pytest.mark.parametrize(
    ("clusters", "words"),
    [
        ([], "shape"),
        ([7, 7, 7], "at least 2; all 3 rows are of cluster 7"),
        (["a", "b", np.nan], "such as row 2"),
    ],
)
def test_clusters_that_cannot_be_resampled_are_refused(clusters, words):
    with pytest.raises(ValueError, match=words):
        cluster_weights(clusters)


@pytest.mark.parametrize(
    ("values", "weights", "words"),
    [
        ([1.0, 2.0], [[1, 1, 1]], r"shape \(n_resamples, 2\)"),
        ([1.0, 2.0], [[0, 0]], "positive sum"),
        ([1.0, 2.0], [[2, -1]], "non-negative numbers"),
        ([1.0, np.nan, 2.0], [[1, 1, 1]], "values .*finite.* nan at 1"),
    ],
)
def test_a_median_of_what_is_no_number_is_refused(values, weights, words):
    with pytest.raises(ValueError, match=words):
        weighted_medians(values, weights)
