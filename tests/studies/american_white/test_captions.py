"""Captions that say a race word, against counts by hand."""

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.american_white import captions

HUES = ("teal", "amber")
SAID = pd.DataFrame(
    [(1.0, 1, 0.5, 0, "teal", "a teal person", 4), (1.0, 1, 0.5, 0, "teal", "a teal old person", 2),
     (1.0, 1, 0.5, 0, "teal", "a person in a teal mantle", 3), (1.0, 1, 0.5, 0, "teal", "a person", 11),
     (1.0, 1, 0.5, 0, "amber", "an amber person", 1), (1.0, 1, 0.5, 0, "amber", "a person", 9),
     (1.0, 2, 0.5, 0, "teal", "a person", 10), (1.0, 2, 0.5, 0, "amber", "a person", 10),
     (1.0, 1, 0.9, 0, "teal", "a teal man", 5), (1.0, 1, 0.9, 0, "teal", "a man", 5)],
    columns=["b", "seed", "top_p", "decoding", "race", "caption", "n"])  # fmt: skip


def names(caption):
    return caption.startswith(("a teal ", "an amber "))


@pytest.fixture
def judged():
    return captions.judged(SAID, HUES, names)


@pytest.mark.parametrize(
    ("caption", "rule", "whole"),
    [("a teal person", True, True), ("A Teal Woman smiling", True, True), ("a teal old person", False, False),
     ("a person in a teal mantle", True, False), ("a teal budling", False, False), ("a person", False, False),
     ("a teal persona", True, False), ("a steal man", True, False), ("teal  person", False, False)],
)  # fmt: skip
def test_the_rule_looks_at_letters_and_its_better_half_at_words(caption, rule, whole):
    assert (captions.released(caption, HUES), captions.bounded(caption, HUES)) == (rule, whole)


def test_the_released_words_cannot_find_what_only_a_capital_spells():
    assert captions.released("an asian man", captions.RELEASED)
    assert not captions.released("An African man", captions.RELEASED)
    assert len(captions.RELEASED) == 20


def test_every_caption_is_judged_once_and_counted_as_often_as_it_came(judged):
    assert judged["n"].sum() == SAID["n"].sum() and len(judged) == len(SAID)
    found = captions.shares(judged, ["seed", "top_p", "race"]).set_index(["seed", "top_p", "race"])
    row = found.loc[(1, 0.5, "teal")]
    assert (row["n"], row["names"], row["rule"], row["whole"]) == pytest.approx((20, 6 / 20, 7 / 20, 4 / 20))
    assert found.loc[(1, 0.5, "amber"), "names"] == pytest.approx(0.1) and found.loc[(2, 0.5, "teal"), "rule"] == 0


def test_recall_and_precision_are_counts_over_counts(judged):
    (all_,) = captions.quality(judged).to_dict("records")
    # named 4 + 2 + 1 + 5, found 4 + 3 + 1 + 5, both 4 + 1 + 5
    assert (all_["named"], all_["found"], all_["both"]) == (12, 13, 10)
    assert (all_["recall"], all_["precision"]) == pytest.approx((10 / 12, 10 / 13))
    each = captions.quality(judged, ["seed", "race"], rule="whole").set_index(["seed", "race"])
    assert each.loc[(1, "teal"), "precision"] == 1 and each.loc[(1, "teal"), "recall"] == pytest.approx(9 / 11)
    assert np.isnan(each.loc[(2, "teal"), "recall"]) and np.isnan(each.loc[(2, "teal"), "precision"])


def test_networks_count_alike_whatever_they_said(judged):
    planted = pd.DataFrame({"b": [1.0, 1.0], "race": ["teal", "amber"], "planted": [0.5, 0.2]})
    shown = captions.shares(judged, ["b", "seed", "top_p", "decoding", "race"])
    found = captions.cut(shown, planted).set_index(["top_p", "race"])
    assert found.loc[(0.5, "teal"), "share"] == pytest.approx((6 / 20 + 0) / 2)
    assert found.loc[(0.5, "teal"), "left"] == pytest.approx(0.15 / 0.5)
    assert found.loc[(0.5, "amber"), "left"] == pytest.approx(0.05 / 0.2) and found.loc[(0.9, "teal"), "share"] == 0.5


def test_entries_that_were_never_made():
    assert captions.keys(["A", "B"], ["AF", "AM"], levels=2) == ["AF 0", "AF 1", "AM 0", "AM 1"]
    assert captions.keys(["AF", "B"], ["AF", "AM"], levels=2) == ["AM 0", "AM 1"]


def test_claims_look_at_the_levels_that_the_text_names():
    levels = (0.0, 0.5, 0.9)
    rates = {"asian": (0.0, 0.2, 0.3), "black": (0.9, 0.1, 0.25), "white": (0.4, 0.0, 0.0)}
    rows = [(group, p, rate) for group, own in rates.items() for p, rate in zip(levels, own, strict=True)]
    shown = pd.DataFrame(rows, columns=["group", "top_p", "rule"])
    found = captions.claims(shown)
    for name in found:
        vb.ledger.claim(f"captions.{name}")
    assert (found["asian.least"], found["asian.most"], found["black.most"]) == pytest.approx((20, 30, 25))
    assert found["order"] and found["white.none"] and found["asian.most.intro"] == found["asian.most"]
    other = shown.assign(rule=shown["rule"].where(shown["group"] != "white", 0.01))
    assert not captions.claims(other)["white.none"]
    assert not captions.claims(shown.assign(rule=shown["rule"].where(shown["group"] != "black", 0.25)))["order"]


def test_african_american_is_counted_among_captions_with_a_race_word():
    said = pd.DataFrame({
        "caption": ["an african - american man", "an African American woman", "a black man", "a man", "african"],
        "race": "black", "top_p": [0.5, 0.9, 0.7, 0.7, 0.2], "rule": [True, True, True, False, True]})  # fmt: skip
    assert captions.african_american(said, "black") == pytest.approx(200 / 3)
    assert np.isnan(captions.african_american(said, "white"))
