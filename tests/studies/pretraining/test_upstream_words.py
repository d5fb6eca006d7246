"""Sentences that results decide: every form is written out here, to be read."""

import doctest

import pandas as pd
import pytest

from studies.pretraining import upstream_words
from vlmbias.notes import NOT_RUN


def test_the_forms_in_the_docstrings_are_those_that_are_made():
    found = doctest.testmod(upstream_words)
    assert found.attempted > 5 and not found.failed


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
    assert upstream_words.counted_once(pd.Series(counts)).endswith(ends)


def test_false_positives_of_no_draw_and_of_missing_draws():
    assert upstream_words.rarely(0.0, 9, 0.01) == "With one row for each model, no draw has one."
    assert upstream_words.rarely(float("nan"), 9, 0.01) == NOT_RUN


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
    assert upstream_words.references(counts, "a", names).endswith(ends)


def test_a_single_family_and_none():
    assert upstream_words.any_reference(pd.Series([1, 0])).endswith("at most 1 does.")
    names = {"a": "A", "b": "B"}
    assert upstream_words.references(pd.Series({"a": 0, "b": 0}), "a", names).startswith(
        "With A as the reference, no families differ"
    )


def test_a_factor_at_the_edge():
    assert "depends on the significance level" in upstream_words.whole_factor(0.03, 0.01)
    assert upstream_words.whole_factor(float("nan"), 0.01) == NOT_RUN
