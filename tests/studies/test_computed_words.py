import math

import pytest

from studies import words
from vlmbias.notes import NOT_RUN

NAN = math.nan


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (math.inf, "rises"),
        (1e-300, "rises"),
        (0.0, "falls"),
        (-0.0, "falls"),
        (-math.inf, "falls"),
        (NAN, NOT_RUN),
    ],
)
def test_a_verb_turns_at_its_bound_and_nowhere_else(value, expected):
    assert words.verb(value, above=0, then="rises", else_="falls") == expected


def test_a_verb_without_a_bound_is_not_run():
    assert words.verb(1.0, above=NAN, then="rises", else_="falls") == NOT_RUN
    assert words.verb(1.0, above=1.0, then="rises", else_="falls") == "falls"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.1, 9, "more"),
        (-9, -0.1, "less"),
        (-1, 1, "same"),
        (0, 1, "same"),
        (-1, 0, "same"),
        (0, 0, "same"),
        (-math.inf, math.inf, "same"),
        (math.inf, math.inf, "more"),
        (NAN, 1, NOT_RUN),
        (1, NAN, NOT_RUN),
    ],
)
def test_an_interval_lies_on_a_side_only_if_it_lies_there_wholly(low, high, expected):
    assert words.side(low, high, above="more", below="less", neither="same") == expected
    assert (
        words.side(low + 5, high + 5, of=5, above="more", below="less", neither="same") == expected
    )
    assert words.side(0, 1, of=NAN, above="more", below="less", neither="same") == NOT_RUN


def test_an_interval_that_ends_before_it_begins_is_an_error():
    with pytest.raises(ValueError, match="2 to 1 ends before it begins"):
        words.side(2, 1, above="", below="", neither="")


@pytest.mark.parametrize(
    ("hits", "n", "expected"),
    [
        (0, 8, "none of the 8"),
        (8, 8, "all 8"),
        (1, 8, "1 of the 8"),
        (7, 8, "7 of the 8"),
        (2, 2, "both"),
        (1, 2, "1 of the 2"),
        (1, 1, "all 1"),
        (0, 0, NOT_RUN),
    ],
)
def test_counts_at_both_ends(hits, n, expected):
    assert words.among(hits, n) == expected


@pytest.mark.parametrize(("hits", "n"), [(9, 8), (-1, 8), (1, 0)])
def test_counts_that_cannot_be(hits, n):
    with pytest.raises(ValueError, match=f"{hits} of {n} cannot be"):
        words.among(hits, n)


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
