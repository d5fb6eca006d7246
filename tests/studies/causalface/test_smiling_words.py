"""The words in which the page on smiling counts networks, in all their forms."""

import pytest

from studies.causalface.smiling_words import by_trait
from vlmbias.notes import NOT_RUN


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        ({"warmth": 5, "negative_communion": 10}, "in 5 of the 10 networks for warmth, and in all 10 for negative communion"),  # noqa: E501
        ({"warmth": 6, "competence": 2, "belief": 4}, "in 2 of the 10 networks for competence, and in 6 for warmth"),  # noqa: E501
        ({"warmth": 0, "belief": 3}, "in none of the 10 networks for warmth, and in 3 for belief"),
        ({"warmth": 4, "belief": 4}, "in 4 of the 10 networks, whichever the trait"),
        ({"warmth": 0, "belief": 0}, "in none of the 10 networks, whichever the trait"),
        ({"warmth": 10}, "in all 10 networks"),
        ({}, NOT_RUN),
    ],
)  # fmt: skip
def test_counts_by_trait_read_well_in_all_forms(hits, said):
    assert by_trait(hits, 10) == said
