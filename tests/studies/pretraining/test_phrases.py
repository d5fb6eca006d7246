"""Sentences that results decide: every form is written out here, to be read."""

import doctest

import numpy as np
import pandas as pd
import pytest

from studies.pretraining import phrases
from vlmbias.notes import NOT_RUN


def test_the_forms_in_the_docstrings_are_those_that_are_made():
    found = doctest.testmod(phrases)
    assert found.attempted > 10 and not found.failed


@pytest.mark.parametrize(
    ("counts", "ends"),
    [
        ({0.0: 8, 0.5: 3, 1.0: 0}, "3 where one half is, and none where all of it is."),
        ({0.0: 0, 0.1: 2, 0.25: 2}, "none where nothing is in common, and 2 from a tenth on."),
        ({0.0: 5, 1.0: 0}, "5 where nothing is in common, and none where all of it is."),
        ({0.0: 0, 1.0: 0}, "it is none, too, whatever is in common."),
    ],
)
def test_a_number_of_families_that_falls_is_told_step_by_step(counts, ends):
    assert phrases.counted_once(pd.Series(counts)).endswith(ends)


def test_false_positives_of_no_draw_and_of_missing_draws():
    assert phrases.rarely(0.0, 9, 0.01) == "With one row for each model, no draw has one."
    assert phrases.rarely(float("nan"), 9, 0.01) == NOT_RUN


@pytest.mark.parametrize(
    ("others", "ends"),
    [
        ([1, 1], "With any other, 1 does."),
        ([0, 0], "With any other, none do."),
        ([0, 1], "With any other, none or 1 do."),
        ([3, 6], "With any other, between 3 and 6 do; most with C."),
        ([6, 3, 6], "With any other, between 3 and 6 do; most with B and D."),
    ],
)
def test_other_references(others, ends):
    names = dict(zip("abcd", "ABCD", strict=True))
    counts = pd.Series([8, *others], index=list("abcd")[: len(others) + 1])
    assert phrases.references(counts, "a", names).endswith(ends)


def test_a_single_family_and_none():
    assert phrases.any_reference(pd.Series([1, 0])).endswith("at most 1 does.")
    names = {"a": "A", "b": "B"}
    assert phrases.references(pd.Series({"a": 0, "b": 0}), "a", names).startswith(
        "With A as the reference, no families differ"
    )


def test_a_factor_at_the_edge():
    assert "depends on the significance level" in phrases.whole_factor(0.03, 0.01)
    assert phrases.whole_factor(float("nan"), 0.01) == NOT_RUN


def test_rates_may_be_numbers_of_numpy():
    both = phrases.too_much(np.float64(0.6), np.float64(0.5), 0.09)
    assert both == "It finds far too much, in both sets of networks."
    assert phrases.too_much(0.2, 0.15, 0.09) == "It finds too much, in both sets of networks."
    assert phrases.too_much(0.2, float("nan"), 0.09) == NOT_RUN


def test_families_found_wrongly_are_called_so():
    found = phrases.with_large_reference(["marked"], [], ["faint"])
    assert "of which none is right" in found
    assert "of these, a and b are right" in phrases.with_large_reference(
        list("abc"), [], ["a", "b"]
    )
    assert phrases.with_large_reference(["a"], ["a", "b"], ["a"]).endswith("a and b are found.")


def test_shares_at_which_much_is_found_everywhere():
    shares = pd.DataFrame({"share": [0.0, 0.1], "published": [48, 48], "networks": [2, 2]})
    assert phrases.at_nothing(shares).endswith("finds as much as elsewhere.")


def test_both_factors_wrong_and_networks_left_out():
    assert phrases.as_a_whole(0.2, 0.001, 0.01).startswith("This test gets both wrong")
    assert phrases.rejected(3).startswith("3 of them did not learn")
    assert phrases.by_seed(pd.Series([0, 0])).endswith("finds no significant families.")
