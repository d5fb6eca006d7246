"""The released rule on captions that tempt it, and the claims about race words."""

import pandas as pd
import pytest

from studies.american_white import captions

RACES = ("black", "asian", "african-american", "african american")


@pytest.mark.parametrize(
    ("caption", "found"),
    [
        ("A Teal Woman smiling", True),
        ("a teal old person", False),
        ("a person in a teal mantle", True),
        ("a teal budling", False),
        ("a teal persona", True),
        ("a steal man", True),
        ("teal  person", False),
    ],
)
def test_the_rule_looks_at_letters(caption, found):
    assert captions.released(caption, ("teal", "amber")) is found


@pytest.fixture
def share():
    rates = {"asian": [0.0, 0.2, 0.3], "black": [0.9, 0.1, 0.25], "white": [0.4, 0.0, 0.0]}
    return pd.DataFrame(rates, index=[0.0, 0.5, 0.9])


def test_claims_look_at_the_levels_that_the_text_names(share):
    found = captions.claims(share)
    assert {name: found[name] for name in ("asian.least", "asian.most", "black.most")} == (
        pytest.approx({"asian.least": 20, "asian.most": 30, "black.most": 25})
    )
    assert found["order"]
    assert found["white.none"]
    assert found["asian.most.intro"] == found["asian.most.abstract"] == found["asian.most"]
    assert "asian.most.figure" not in found
    assert "african-american" not in found
    share.loc[0.9, "black"] = 0.3
    assert not captions.claims(share)["order"]
    share.loc[0.5, "white"] = 0.01  # one level is enough
    assert not captions.claims(share)["white.none"]


def test_the_figure_is_read_at_its_own_top_p():
    table = pd.DataFrame(0.0, index=[0.6, 0.7, 0.8], columns=["asian", "black", "white"])
    table["asian"] = table["black"] = [0.4, 0.1, 0.3]
    found = captions.claims(table)
    assert (found["asian.most.figure"], found["black.most.figure"]) == pytest.approx((10, 30))
    assert (found["asian.most"], found["black.most.intro"]) == pytest.approx((40, 40))
    assert found["asian.most.discussion"] == found["asian.most.figure"]


def test_african_american_is_counted_among_captions_of_black_people_that_say_a_race(share):
    rows = [
        ("black", 0.5, "an african american man"),
        ("black", 0.5, "a black woman"),
        ("black", 0.9, "an african-american woman"),
        ("black", 0.9, "an african american"),  # no noun: the rule finds no race
        ("black", 0.4, "a black man"),
        ("asian", 0.5, "an african american man"),
    ]
    said = pd.DataFrame(rows, columns=["group", "top_p", "caption"])
    said["rule"] = [captions.released(text, RACES) for text in said["caption"]]
    assert captions.claims(share, said)["african-american"] == pytest.approx(100 * 2 / 3)
    assert "african-american" not in captions.claims(share, said[~said["rule"]])
