"""Every form of the sentences on the page about recovery."""

import math

import pandas as pd
import pytest

from studies.greenhouse import recovery_words

NONE = {"low": math.nan, "high": math.nan, "rate": 0.1, "r": 0.1}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.95, 1.02, "consistent with what was planted"),
        (1.04, 1.14, "a little larger than planted"),
        (1.40, 1.60, "larger than planted"),
        (0.79, 0.84, "a little smaller than planted"),
        (0.20, 0.40, "smaller than planted"),
    ],
)
def test_a_slope_is_compared_with_one(low, high, expected):
    assert recovery_words.size({"low": low, "high": high}) == expected


def test_two_slopes_make_one_sentence():
    like, more = {"low": 0.9, "high": 1.1}, {"low": 1.1, "high": 1.2}
    assert recovery_words.sizes(like, like) == (
        "Differences between hues and differences between crests are both consistent with what was"
        " planted."
    )
    assert recovery_words.sizes(like, more) == (
        "Differences between hues are consistent with what was planted, and those between crests"
        " are a little larger than planted."
    )
    assert recovery_words.sizes(like, NONE) is None


@pytest.mark.parametrize(("rate", "side"), [(0.02, "below"), (0.3, "above")])
def test_a_share_of_tests_is_compared_with_exchanged_names(rate, side):
    row = {"rate": rate, "low": 0.04, "high": 0.1}
    assert f"lies {side} this range" in str(recovery_words.share_of_tests(row))
    assert "consistent with chance" in str(recovery_words.share_of_tests(row | {"rate": 0.05}))
    assert recovery_words.share_of_tests(row | NONE) is None


@pytest.mark.parametrize(("r", "begins"), [(-0.4, "less"), (0.0, "no more"), (0.5, "more")])
def test_networks_are_alike_or_not(r, begins):
    assert str(recovery_words.alike({"r": r, "low": -0.1, "high": 0.1})).startswith(begins)
    assert recovery_words.alike(NONE) is None


def test_spread_and_spill_have_both_forms():
    assert str(recovery_words.spread(0.5, 0.1)).startswith("The weaker")
    assert str(recovery_words.spread(0.1, 0.5)).startswith(
        "The slopes of single networks differ no more"
    )
    assert recovery_words.spread(math.nan, 0.5) is None
    assert "does not visibly" in str(recovery_words.spill(0.04, 0.05))
    assert "spills over" in str(recovery_words.spill(0.04, 0.07))
    assert recovery_words.spill(math.nan, 0.5) is None


def test_networks_that_pass_after_an_attack_are_counted_one_by_one():
    assert recovery_words.passing({"first": 0, "second": 0}, 9) == (
        "No network passes after any of these attacks."
    )
    assert recovery_words.passing({"first": 0, "second": 3}, 9) == (
        "Of the 9, some still pass after an attack: 0 after the first and 3 after the second."
    )
    assert recovery_words.passing({}, 9) is None


def test_few_networks_show_what_they_share_or_do_not():
    row = {"low": 0.04, "high": 0.1}
    assert "more than chance" in str(recovery_words.few(row | {"rate": 0.3}))
    assert "less than chance" in str(recovery_words.few(row | {"rate": 0.01}))
    assert "consistent with chance" in str(recovery_words.few(row | {"rate": 0.05}))
    assert recovery_words.few(NONE) is None


@pytest.mark.parametrize(("everyone", "own", "way"), [(0.4, 0.5, "more"), (-0.4, -0.5, "less")])
def test_a_smile_moves_words_for_everyone_and_more_so_for_one(everyone, own, way):
    found = recovery_words.smile_example("warmth", "teal eared", everyone=everyone, own=own)
    assert found == (
        f"With a smile, words for warmth become {way} frequent for everyone, and for teal eared"
        " more so."
    )


@pytest.mark.parametrize(("everyone", "own"), [(0.4, 0.0), (0.0, 0.4), (0.4, -0.5)])
def test_there_is_no_example_where_a_smile_does_not_do_this(everyone, own):
    found = recovery_words.smile_example("warmth", "teal eared", everyone=everyone, own=own)
    assert found is None


def test_what_stays_after_holm_is_counted_beside_chance():
    assert recovery_words.holm(0, 98, 0.05) == "none of the 98 tests is significant after it."
    assert str(recovery_words.holm(1, 98, 0.05)).startswith(
        "1 of the 98 tests is still significant after it. If names are exchanged, at least"
    )
    assert "4 of the 98 tests are still" in str(recovery_words.holm(4, 98, 0.05))
    assert recovery_words.holm(1, 98, math.nan) is None


@pytest.mark.parametrize(
    ("holds", "begins", "ends"),
    [
        ([True, True], "Every interval contains 1", "recovery."),
        ([True, False], "1 of the 2 intervals contain 1", "We do not know why it deviates."),
        ([False, False], "None of the 2 intervals contain 1", "why these slopes deviate."),
    ],
)
def test_intervals_that_contain_one_are_counted(holds, begins, ends):
    index = pd.MultiIndex.from_tuples([("hue", 0.5), ("crest", 1.0)])
    slopes = pd.DataFrame({"mean": [0.9, 1.3]}, index=index)
    found = str(recovery_words.exact(slopes, pd.Series(holds, index=index)))
    assert found.startswith(begins)
    assert found.endswith(ends)
    assert ("crests at b = 1 is furthest" in found) == (False in holds)
    assert recovery_words.exact(slopes * math.nan, pd.Series(holds, index=index)) is None
