"""The sentences in each of their forms."""

import numpy as np
import pandas as pd

from studies.causalface import age_precision, age_words

UP, DOWN, NONE = (
    {"low": 0.1, "high": 0.3},
    {"low": -0.3, "high": -0.1},
    {"low": -0.1, "high": 0.1},
)


def bends(excess):
    called = age_words.called("drawn faces")
    return age_words.bends(excess, group="lime eared", trait="Warmth", called=called)


def in_sets(controlled, fairface, utkface):
    return {"CausalFace": controlled, "FairFace": fairface, "UTKFace": utkface}


def test_bends_in_all_sets_in_both_sets_of_photographs_and_in_each():
    assert bends(in_sets(NONE, NONE, NONE)) == (
        "In all three sets, the curve of lime eared for Warmth cannot be distinguished from the "
        "mean of the others."
    )
    assert bends(in_sets(UP, NONE, NONE)) == (
        "With the controlled faces, the curve of lime eared for Warmth bends more upwards than the "
        "mean of the others. In both "
        "other sets, it cannot be distinguished from the mean of the others."
    )
    assert bends(in_sets(UP, DOWN, UP)).endswith(
        " In the imitation of FairFace, it bends more downwards than the mean of the others. In "
        "the imitation of UTKFace, it bends more upwards than the mean of the others."
    )
    assert bends(in_sets(UP, {"low": np.nan, "high": 1.0}, UP)) is None


def test_what_is_found_in_photographs_is_said_once_where_it_is_the_same():
    said = age_words.found_in_photographs
    assert said({"FairFace": "none of the 10", "UTKFace": "5 of the 10"}) == (
        "It is found with the imitation of FairFace in none of the 10, and with the "
        "imitation of UTKFace in 5 of the 10"
    )
    same = said({"FairFace": "all 10", "UTKFace": "all 10"})
    assert same == "With either imitation of photographs, it is found in all 10"


def test_bends_of_null_networks_are_told_of_the_sets_that_have_one():
    def over(first, second):
        return {"FairFace": first, "UTKFace": second}

    clear, unclear = {"mean": -0.56, "low": -0.6, "high": -0.5}, {"mean": 0, "low": -1, "high": 1}
    up = {"mean": 0.5, "low": 0.4, "high": 0.6}
    assert age_words.null_bends(over(unclear, unclear)) is None
    assert age_words.null_bends(over(clear, unclear)) == (
        "with the imitation of FairFace, it is −0.56 on average"
    )
    assert age_words.null_bends(over(clear, up)) == (
        "on average, it is −0.56 with the imitation of FairFace and +0.50 with the "
        "imitation of UTKFace"
    )


def test_opposite_directions_are_said_of_clear_bends_only():
    def over(*sides):
        names = ["FairFace", "UTKFace"]
        rows = {
            (f"trait {i}", name): one[k]
            for i, one in enumerate(sides)
            for k, name in enumerate(names)
        }
        return pd.DataFrame(rows).T.rename_axis(["trait", "set"])

    assert age_words.opposite(over((UP, UP), (UP, NONE), (DOWN, DOWN))) is None
    assert age_words.opposite(over((UP, DOWN), (DOWN, UP), (UP, NONE))) == (
        "Nor do the two samples agree: for 2 of the 3 traits, they bend the curve in opposite "
        "directions."
    )


def test_what_other_attributes_add_is_little_much_or_different():
    def spreads(*ratios):
        steps = list(age_precision.STEPS)
        return {
            name: pd.DataFrame({"step": steps, "sd": [0.01, 0.1, 0.2, 0.3, 0.3 * ratio]})
            for name, ratio in zip(("FairFace", "UTKFace"), ratios, strict=True)
        }

    start = "smile, light and pose, which vary in photographs as well, "
    assert age_words.rest(spreads(1.0, 0.9)) == start + "add little to it"
    assert age_words.rest(spreads(2.0, 3.0)) == (
        start + "make the spread at least 2.0 times as wide again"
    )
    assert age_words.rest(spreads(1.1, 3.0)) == (
        start + "make the spread 3.0 times as wide again in the imitation of UTKFace, "
        "and add little in the other"
    )


def test_a_difference_between_sets_is_said_for_each_or_for_both():
    called = age_words.called(None)

    def said(first, second):
        gaps = pd.DataFrame([first, second], index=["FairFace", "UTKFace"])
        return age_words.differ(gaps, called=called)

    assert said(NONE, NONE) == "For Warmth, this interval contains zero in both sets."
    assert said(UP, DOWN) == (
        "For Warmth, it lies above zero for FairFace, and it lies below zero for UTKFace."
    )
    assert said(UP, {"low": np.nan, "high": 1.0}) is None


def test_sets_are_called_imitations_where_they_are_drawn():
    assert age_words.called("drawn")["UTKFace"] == "the imitation of UTKFace"
    assert age_words.called(None) == {
        "CausalFace": "the controlled faces",
        "FairFace": "FairFace",
        "UTKFace": "UTKFace",
    }


def test_the_same_group_in_several_traits_is_rarer_or_not():
    assert "says more than one" in age_words.rarer(1, 15)
    assert "says no more than one" in age_words.rarer(15, 15)
