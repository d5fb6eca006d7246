"""Each form of the sentences about intersections, against what the numbers say."""

import pandas as pd
import pytest

from studies.causalface import intersections_words as says


@pytest.mark.parametrize(
    ("few", "photographs", "fewer", "remains", "verdict"),
    [
        ((0.5, 0.5), (0.5, 0.45), "less clear", "about as clear as the photographs' own", "alone"),
        ((0.5, 0.5), (0.3, 0.2), "less clear", "still clearer than the photographs' own", "a part"),
        ((0.7, 0.7), (0.4, 0.3), "no less clear", "still clearer than the photographs' own", "not"),
        ((0.5, 0.5), (0.7, 0.8), "less clear", "less clear than the photographs' own", "nothing"),
        (
            (0.5, 0.7),
            (0.5, 0.3),
            "in 1 of the 2 comparisons less clear",
            "about as clear as those of the F and still clearer than those of the U",
            "a part",
        ),
    ],
)
def test_why_less_clear(few, photographs, fewer, remains, verdict):
    middle = pd.Series(few, index=["F", "U"])
    table = pd.DataFrame({"silhouette": middle, "low": middle - 0.1, "high": middle + 0.1})
    found = says.why_less_clear(0.7, table, pd.Series(photographs, index=["F", "U"]))
    assert (found["fewer"], found["remains"]) == (fewer, remains)
    assert f" {verdict} " in found["verdict"]


def test_a_hue_that_deviates_as_far_is_named():
    gaps = pd.Series({"teal": 0.22, "amber": 0.0, "violet": -0.25})
    assert "the gap in violet deviates about as far" in says.in_one_network(gaps, "teal")
    assert "deviates further" in says.in_one_network(gaps * [1, 1, 4], "teal")
    assert says.in_one_network(gaps * [1, 1, 0], "teal").startswith("No other")
    two = pd.Series({"teal": 0.2, "amber": -0.2, "violet": 0.0, "lime": 0.2})
    assert "the gaps in amber and lime deviate" in says.in_one_network(two, "teal")


def test_naming_is_called_better_only_beyond_chance():
    ten = [[k < hits for k in range(10)] for hits in range(11)]
    assert "naming helps, more than chance" in says.naming_in_words(ten[6], ten[0])
    assert "naming hurts, more than chance" in says.naming_in_words(ten[0], ten[6])
    assert "may be chance" in says.naming_in_words(ten[9], ten[7])
    assert "no difference" in says.naming_in_words(ten[7], ten[7])


def test_hits_are_compared_with_the_one_in_twenty_of_chance():
    assert says.beyond_chance({"hits": 6, "n": 10}) == "far more than chance gives"
    assert says.beyond_chance({"hits": 2, "n": 10}) == "which chance can explain"


@pytest.mark.parametrize(
    ("right", "false", "worth"),
    [
        (7, 6, "does not tell"),
        (9, 3, "weak evidence"),
        (6, 1, "evidence, though it does not find every outlier"),
        (10, 0, "is evidence."),
        (1, 0, "hardly ever finds"),
    ],
)
def test_what_a_report_is_worth(right, false, worth):
    assert worth in says.worth_of_a_report({"hits": right, "n": 10}, {"hits": false, "n": 10})
