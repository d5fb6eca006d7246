"""Sentences of the page on metrics."""

import numpy as np
import pandas as pd
import pytest

from studies.causalface import metrics_words as words


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (52.0, "is still larger in A"),
        (50.9, "is about equal in the two sets"),
        (49.1, "is about equal in the two sets"),
        (48.0, "is larger in B"),
        (np.nan, "not run"),
    ],
)
def test_a_decline_is_larger_only_where_it_is_by_a_point(one, said):
    assert words.larger({"A": one, "B": 50.0}, "A", "B") == said


def test_intervals_around_zero_show_nothing():
    assert [words.not_shown(n, 10) for n in (0, 1, 7, 10)] == [
        "not run",
        "The other one does not show",
        "The other 7 do not show",
        "But this does not show",
    ]


def test_the_widest_interval_is_told_with_its_far_end():
    rows = pd.DataFrame(
        {"subject": ["teal", "amber"], "low": [-0.1, -np.log(2)], "high": [0.2, 0.5]}, index=[4, 7]
    )
    found = words.widest(rows)
    assert found["widest"] == "amber" and found["times"] == pytest.approx(2)
    assert (found["low"], found["high"]) == (-np.log(2), 0.5)
    assert set(words.widest(rows.iloc[:0]).values()) == {"not run"}
