"""Each form of the sentences about intersections, against what the numbers say."""

import pandas as pd
import pytest

from studies.causalface import intersections_words as says


@pytest.mark.parametrize(
    ("faces", "pictures", "fewer", "remains", "explains"),
    [
        ((-0.1, -0.1), (0.0, 0.01), "less clear", "about as clear as the controlled ones", "all"),
        ((-0.1, -0.1), (-0.1, -0.2), "less clear", "still less clear", "a part"),
        ((0.0, 0.0), (-0.1, -0.2), "no less clear", "still less clear", "nothing"),
        ((-0.1, -0.1), (0.1, 0.2), "less clear", "even clearer than the controlled ones", "all"),
        (
            (-0.1, 0.0),
            (0.1, -0.2),
            "less clear in 1 of the 2",
            "less clear in the imitation of U and clearer in the imitation of F",
            "a part",
        ),
    ],
)
def test_why_less_clear(faces, pictures, fewer, remains, explains):
    steps = pd.DataFrame([faces, pictures], index=["faces", "pictures"], columns=["F", "U"])
    assert says.why_less_clear(steps) == {
        "fewer": fewer,
        "remains": remains,
        "explains": explains,
    }


def test_a_hue_that_deviates_as_far_is_named():
    gaps = pd.Series({"teal": 0.22, "amber": 0.0, "violet": -0.25})
    assert "violet (-0.36)" in says.in_one_network(gaps, "teal").replace("−", "-")
    assert says.in_one_network(gaps * [1, 1, 0], "teal").startswith("No other")


def test_naming_is_called_better_only_beyond_chance():
    ten = [{"hits": hits, "n": 10} for hits in range(11)]
    assert "larger than that" in says.naming_in_words(ten[6], ten[0])
    assert "by chance" in says.naming_in_words(ten[9], ten[7])
    assert "by chance" in says.naming_in_words(ten[0], ten[6])
