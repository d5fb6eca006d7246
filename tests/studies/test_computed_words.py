"""Words that follow from numbers, at their bounds and where there is no number."""

import math

import pytest

from studies import words
from vlmbias.notes import NOT_RUN

NAN = math.nan


@pytest.mark.parametrize(
    ("value", "above", "expected"),
    [
        (1e-300, 0, "rises"),
        (0.0, 0, "falls"),
        (1.0, 1.0, "falls"),
        (NAN, 0, NOT_RUN),
        (1.0, NAN, NOT_RUN),
    ],
)
def test_a_verb_turns_at_its_bound_and_nowhere_else(value, above, expected):
    assert words.verb(value, above=above, then="rises", else_="falls") == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.1, 9, "more"),
        (-9, -0.1, "less"),
        (-1, 1, "same"),
        (0, 1, "same"),
        (-1, 0, "same"),
        (NAN, 1, NOT_RUN),
        (1, NAN, NOT_RUN),
    ],
)
def test_an_interval_lies_on_a_side_only_if_it_lies_there_wholly(low, high, expected):
    called = {"above": "more", "below": "less", "neither": "same"}
    assert words.side(low, high, **called) == expected
    assert words.side(low + 5, high + 5, of=5, **called) == expected
    assert words.side(0, 1, of=NAN, **called) == NOT_RUN


@pytest.mark.parametrize(
    ("hits", "n", "expected"),
    [
        (0, 8, "none of the 8"),
        (8, 8, "all 8"),
        (7, 8, "7 of the 8"),
        (2, 2, "both"),
        (1, 2, "1 of the 2"),
        (1, 1, "all 1"),
        (0, 0, NOT_RUN),
    ],
)
def test_counts_at_both_ends(hits, n, expected):
    assert words.among(hits, n) == expected


def test_lists_of_none_one_two_and_three():
    assert words.listed([]) == "none"
    assert words.listed([], none="in no set") == "in no set"
    assert words.listed(["positive_agency"]) == "positive agency"
    assert words.listed(["a", "b"]) == "a and b"
    assert words.listed(iter(["a", "b", "c"])) == "a, b and c"


def test_the_extreme_one_and_those_that_tie_for_it():
    names = ["x", "y", "z"]
    assert words.extreme([1, 3, 2], names) == "y"
    assert words.extreme([1, 3, 2], names, largest=False) == "x"
    assert words.extreme([3, 3, 2], names) == "x and y"
    assert words.extreme([1, NAN, 2], names) == words.extreme([], []) == NOT_RUN


def test_what_cannot_be_is_refused_with_its_values():
    for hits, n in ((9, 8), (-1, 8), (1, 0)):
        with pytest.raises(ValueError, match=f"{hits} of {n}"):
            words.among(hits, n)
    with pytest.raises(ValueError, match="2 to 1"):
        words.side(2, 1, above="", below="", neither="")
