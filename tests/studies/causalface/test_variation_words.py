"""The sentence in each of its forms."""

import pytest

from studies.causalface.variation_words import places


@pytest.mark.parametrize(
    "given, words",
    [
        ((5, 5, 5), "stays number 5 both times"),
        ((5, 5, 7), "stays number 5, and then becomes number 7"),
        ((2, 4, 4), "becomes number 4 instead of 2, and stays there"),
        ((2, 4, 6), "becomes number 4 instead of 2, and then number 6"),
    ],
)
def test_places_are_said_in_each_form(given, words):
    assert places(*given) == words
