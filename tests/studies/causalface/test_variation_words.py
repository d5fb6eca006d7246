"""The sentence in each of its forms."""

import pytest

from studies.causalface.variation_words import places, so


@pytest.mark.parametrize(
    "given, words",
    [
        ((5, 5, 5), "stays number 5, with the threshold and without it"),
        (
            (5, 5, 7),
            "stays number 5 as long as the threshold is kept, and becomes number 7 without it",
        ),
        ((2, 4, 4), "becomes number 4 instead of 2, with the threshold and without it"),
        ((2, 4, 6), "becomes number 4 instead of 2, and number 6 without the threshold"),
    ],
)
def test_places_are_said_in_each_form(given, words):
    assert places(*given) == words


@pytest.mark.parametrize("given", [(5, 5, 7), (2, 4, 4), (2, 4, 6)])
def test_an_order_is_about_its_pairs_only_if_a_place_changed(given):
    assert "fact about the pairs" in so(*given)
    assert "does not depend" in so(5, 5, 5)
