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


def test_what_cannot_be_is_refused_with_its_values():
    for hits, n in ((9, 8), (-1, 8), (1, 0)):
        with pytest.raises(ValueError, match=f"{hits} of {n}"):
            words.among(hits, n)
