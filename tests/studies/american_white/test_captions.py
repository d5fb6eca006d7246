"""Captions that say a race word, against counts by hand."""

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.american_white import captions
from vlmbias.ledger.claims import claims

HUES = ("teal", "amber")
SAID = pd.DataFrame(
    [
        (1.0, 1, 0.5, 0, "teal", "a teal person", 4),
        (1.0, 1, 0.5, 0, "teal", "a teal old person", 2),
        (1.0, 1, 0.5, 0, "teal", "a person in a teal mantle", 3),
        (1.0, 1, 0.5, 0, "teal", "a person", 11),
        (1.0, 1, 0.5, 0, "amber", "an amber person", 1),
        (1.0, 1, 0.5, 0, "amber", "a person", 9),
        (1.0, 2, 0.5, 0, "teal", "a person", 10),
        (1.0, 2, 0.5, 0, "amber", "a person", 10),
        (1.0, 1, 0.9, 0, "teal", "a teal man", 5),
        (1.0, 1, 0.9, 0, "teal", "a man", 5),
    ],
    columns=["b", "seed", "top_p", "decoding", "race", "caption", "n"],
)


def names(caption):
    return caption.startswith(("a teal ", "an amber "))


@pytest.fixture
def judged():
    return captions.mark_names(SAID, HUES, names)


@pytest.mark.parametrize(
    ("caption", "rule", "whole"),
    [
        ("a teal person", True, True),
        ("A Teal Woman smiling", True, True),
        ("a teal old person", False, False),
        ("a person in a teal mantle", True, False),
        ("a teal budling", False, False),
        ("a person", False, False),
        ("a teal persona", True, False),
        ("a steal man", True, False),
        ("teal  person", False, False),
    ],
)
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
    assert (row["n"], row["names"], row["rule"], row["whole"]) == pytest.approx(
        (20, 6 / 20, 7 / 20, 4 / 20)
    )
    assert (
        found.loc[(1, 0.5, "amber"), "names"] == pytest.approx(0.1)
        and found.loc[(2, 0.5, "teal"), "rule"] == 0
    )


def test_recall_and_precision_are_counts_over_counts(judged):
    (all_,) = captions.quality(judged).to_dict("records")
    # named 4 + 2 + 1 + 5, found 4 + 3 + 1 + 5, both 4 + 1 + 5
    assert (all_["named"], all_["found"], all_["both"]) == (12, 13, 10)
    assert (all_["recall"], all_["precision"]) == pytest.approx((10 / 12, 10 / 13))
    each = captions.quality(judged, ["seed", "race"], rule="whole").set_index(["seed", "race"])
    assert each.loc[(1, "teal"), "precision"] == 1 and each.loc[
        (1, "teal"), "recall"
    ] == pytest.approx(9 / 11)
    assert np.isnan(each.loc[(2, "teal"), "recall"]) and np.isnan(
        each.loc[(2, "teal"), "precision"]
    )


def test_networks_count_alike_whatever_they_said(judged):
    planted = pd.DataFrame({"b": [1.0, 1.0], "race": ["teal", "amber"], "planted": [0.5, 0.2]})
    shown = captions.shares(judged, ["b", "seed", "top_p", "decoding", "race"])
    found = captions.cut(shown, planted).set_index(["top_p", "race"])
    assert found.loc[(0.5, "teal"), "share"] == pytest.approx((6 / 20 + 0) / 2)
    assert found.loc[(0.5, "teal"), "left"] == pytest.approx(0.15 / 0.5)
    assert (
        found.loc[(0.5, "amber"), "left"] == pytest.approx(0.05 / 0.2)
        and found.loc[(0.9, "teal"), "share"] == 0.5
    )


def test_a_network_that_was_decoded_twice_counts_once():
    rows = [
        (1.0, 1, 0.5, 0, "teal", 0.2),
        (1.0, 1, 0.5, 1, "teal", 0.4),
        (1.0, 2, 0.5, 0, "teal", 0.9),
    ]
    shown = pd.DataFrame(rows, columns=["b", "seed", "top_p", "decoding", "race", "names"])
    planted = pd.DataFrame({"b": [1.0], "race": ["teal"], "planted": [0.5]})
    assert captions.cut(shown, planted)["share"].tolist() == pytest.approx([(0.3 + 0.9) / 2])


def test_entries_that_were_never_made():
    assert captions.keys(["A", "B"], ["AF", "AM"], thresholds=2) == ["AF 0", "AF 1", "AM 0", "AM 1"]
    assert captions.keys(["AF", "B"], ["AF", "AM"], thresholds=2) == ["AM 0", "AM 1"]


def test_claims_look_at_the_levels_that_the_text_names():
    levels = (0.0, 0.5, 0.9)
    rates = {"asian": (0.0, 0.2, 0.3), "black": (0.9, 0.1, 0.25), "white": (0.4, 0.0, 0.0)}
    rows = [
        (group, p, rate)
        for group, own in rates.items()
        for p, rate in zip(levels, own, strict=True)
    ]
    shown = pd.DataFrame(rows, columns=["group", "top_p", "rule"])
    found = captions.claims(shown)
    for name in found:
        vb.ledger.claim(f"captions.{name}")
    assert (found["asian.least"], found["asian.most"], found["black.most"]) == pytest.approx(
        (20, 30, 25)
    )
    assert (
        found["order"] and found["white.none"] and found["asian.most.intro"] == found["asian.most"]
    )
    other = shown.assign(rule=shown["rule"].where(shown["group"] != "white", 0.01))
    assert not captions.claims(other)["white.none"]
    once = shown.assign(
        rule=shown["rule"].where((shown["group"] != "white") | (shown["top_p"] < 0.9), 0.01)
    )
    assert not captions.claims(once)["white.none"]  # one level is enough
    assert not captions.claims(
        shown.assign(rule=shown["rule"].where(shown["group"] != "black", 0.25))
    )["order"]
    assert "asian.most.figure" not in found and "african-american" not in found


def test_the_figure_is_read_at_its_own_top_p():
    levels = ((0.6, 0.4), (0.7, 0.1), (0.8, 0.3))
    rows = [(group, p, rate) for group in ("asian", "black", "white") for p, rate in levels]
    found = captions.claims(pd.DataFrame(rows, columns=["group", "top_p", "rule"]))
    assert found["asian.most.figure"] == pytest.approx(10) and found["asian.most"] == pytest.approx(
        40
    )
    assert found["black.most.figure"] == pytest.approx(30) and found[
        "black.most.intro"
    ] == pytest.approx(40)
    assert found["asian.most.discussion"] == found["asian.most.figure"]
    assert found["asian.most.abstract"] == found["asian.most"]


def test_african_american_is_counted_among_captions_of_black_individuals_that_say_a_race():
    rows = [
        ("black", 0.5, "an african american man", 6),
        ("black", 0.5, "a black woman", 2),
        ("black", 0.9, "an african-american woman", 3),
        ("black", 0.9, "an african american", 50),
        ("black", 0.4, "a black man", 40),
        ("asian", 0.5, "an african american man", 30),
    ]
    said = captions.mark_names(
        pd.DataFrame(rows, columns=["group", "top_p", "caption", "n"]), captions.RELEASED, names
    )
    shown = pd.DataFrame({"group": ["asian", "black", "white"], "top_p": 0.5, "rule": 0.1})
    assert captions.claims(shown, said)["african-american"] == pytest.approx(100 * 9 / 11)
    assert np.isnan(
        captions.share_saying(said[said["n"] == 50], "black", captions.AFRICAN_AMERICAN)
    )
    assert "african-american" not in captions.claims(shown, said[said["n"] == 50])
    every = set(
        captions.claims(pd.concat([shown.assign(top_p=level) for level in (0.7, 0.8)]), said)
    )
    rest = {name for name in claims() if name.startswith("captions.")} - {
        f"captions.{name}" for name in every
    }
    assert rest == {
        "captions.levels",
        "captions.level.least",
        "captions.level.asian",
        "captions.level.black",
        "captions.always-asian",
        "captions.latina-taken",
    }


def test_runs_in_which_a_group_is_never_named():
    rows = [
        (0.5, 0, 0, "teal", 0.0),
        (0.5, 0, 1, "teal", 0.2),
        (0.5, 1, 0, "teal", 0.0),
        (0.9, 0, 0, "teal", 0.4),
        (0.5, 0, 0, "lime", 0.1),
    ]
    table = pd.DataFrame(rows, columns=["top_p", "seed", "decoding", "race", "names"])
    found = captions.never_named(table).set_index(["top_p", "race"])
    assert found.loc[(0.5, "teal")].to_dict() == pytest.approx(
        {"runs": 3, "never": 2, "rate": 0.2 / 3}
    )
    assert found.loc[(0.9, "teal"), "never"] == 0 and found.loc[(0.5, "lime"), "never"] == 0


def test_whole_counts_that_print_as_a_percentage():
    for text, most in (("92.9", 60), ("50.0", 9), ("33.33", 12)):
        digits = len(text.split(".")[1])
        slow = [
            n
            for n in range(1, most + 1)
            if any(f"{100 * k / n:.{digits}f}" == text for k in range(n + 1))
        ]
        assert captions.shares_printed_as(text, most) == slow and slow


def test_never_weighs_less_the_more_sets_lack_a_word_that_was_taught():
    assert captions.weighs("large", 0, 28) == "At a large top-p, “never” is strong evidence."
    assert captions.weighs("small", 3, 14) == "At a small top-p, “never” is some evidence."
    assert captions.weighs("small", 8, 14) == "At a small top-p, “never” is weak evidence."
    assert "are unlikely" in captions.rules_explain(0, 28)
    assert "may be" in captions.rules_explain(7, 28)


def test_what_training_captions_name_is_told_by_its_ends():
    planted = pd.DataFrame({"race": ["teal", "lime", "amber"], "planted": [0.45, 0.15, 0.06]})
    told = captions.taught(planted)
    assert "teal in 45% of the captions" in told and "amber in only 6%." in told
    assert captions.taught(planted.assign(planted=0.2)).endswith("name each colour in 20%.")


def test_the_groups_with_most_and_fewest_race_words_are_named():
    run = pd.DataFrame({"race": ["a", "a", "b", "b"], "rule": [0.2, 0.4, 0.0, 0.1]})
    said = captions.extremes(run)
    assert "of a faces (30%)" in said and "of b faces (5%)" in said
    assert "equally much for all: 50%" in captions.extremes(run.assign(rule=0.5))
