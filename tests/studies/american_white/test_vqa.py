"""Answers to two questions, against counts by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import slow
from scipy import stats

import vlmbias as vb
from studies.american_white import vqa
from vlmbias.ledger.claims import claims

ASKED = "is this one?"
SAID = pd.DataFrame(
    [
        (0.0, 1, ASKED, "a", "yes", 3, 0.4),
        (0.0, 1, ASKED, "a", "no", 7, 0.6),
        (0.0, 1, ASKED, "b", "yes", 9, 0.55),
        (0.0, 1, ASKED, "b", "no", 1, 0.45),
        (1.0, 2, ASKED, "a", "no", 8, 0.9),
        (1.0, 2, ASKED, "b", "yes", 2, 0.2),
        (1.0, 2, ASKED, "b", "perhaps", 2, np.nan),
        (1.0, 2, ASKED, "b", "no", 4, 0.8),
        (0.0, 1, "where?", "a", "north", 99, 0.9),
    ],
    columns=["b", "seed", "question", "race", "answer", "n", "odds"],
)


def test_printed_percentages_are_whole_counts_or_none():
    found = vqa.printed(
        vb.ledger.claim, {"vqa.american.asian": "asian", "vqa.state.black.south-africa": "black"}
    )
    yes, africa = found.to_dict("records")
    counts = [k for k in range(110) if f"{100 * k / 109:.1f}" == "2.8"]
    assert (
        (yes["fewest"], yes["most"]) == (counts[0], counts[-1])
        and yes["group"] == "Asian"
        and yes["n"] == 109
    )
    assert (yes["low"], yes["high"]) == pytest.approx(slow.share_interval(yes["count"], 109))
    assert not [k for k in range(198) if f"{100 * k / 197:.1f}" == "3.1"]
    assert (
        np.isnan(africa["fewest"])
        and np.isnan(africa["most"])
        and africa["rate"] == pytest.approx(0.031)
    )


def test_a_coarse_percentage_has_several_counts():
    def claim(name):
        low, high = (0.5, 1.5) if name == "one" else (200, 200)
        number = SimpleNamespace(low=low, high=high, number=1 if name == "one" else 200)
        return SimpleNamespace(printed=number, quantity="said", value="1")

    found = vqa.printed(claim, {"one": "white"}).iloc[0]
    assert (found["fewest"], found["most"], found["count"]) == (1, 3, 2)


def test_no_answer_is_left_out():
    found = vqa.counted(
        ["yes", "no", "perhaps", "yes", "who?"], ["a", "a", "a", "b", "b"], ["yes", "no"]
    )
    table = found.set_index(["group", "answer"])
    assert table["count"].to_dict() == {
        ("a", "yes"): 1,
        ("a", "no"): 1,
        ("a", vqa.OTHER): 1,
        ("b", "yes"): 1,
        ("b", "no"): 0,
        ("b", vqa.OTHER): 1,
    }
    assert table["n"].to_dict() == {key: 3 if key[0] == "a" else 2 for key in table.index}
    for (group, _), row in table.iterrows():
        expected = slow.share_interval(row["count"], {"a": 3, "b": 2}[group])
        assert (row["low"], row["high"]) == pytest.approx(expected)
    z = stats.norm.isf(0.025)
    wilson = vqa.counted(["yes"] * 3 + ["no"] * 7, ["a"] * 10, ["yes", "no"], method="wilson").iloc[
        0
    ]
    centre, half = (
        (0.3 + z**2 / 20) / (1 + z**2 / 10),
        z / (1 + z**2 / 10) * np.sqrt(0.021 + z**2 / 400),
    )
    assert (wilson["low"], wilson["high"]) == pytest.approx((centre - half, centre + half))


def test_shares_of_networks_count_groups_that_never_got_the_answer():
    found = vqa.of_networks(SAID, ASKED, "yes").set_index(["seed", "race"])
    assert found["rate"].to_dict() == {(1, "a"): 0.3, (1, "b"): 0.9, (2, "a"): 0.0, (2, "b"): 0.25}
    assert (
        found.loc[(1, "b"), "odds"] == 0.55
        and found.loc[(2, "b"), "n"] == 8
        and found.loc[(2, "b"), "b"] == 1.0
    )


def test_the_commonest_answer_of_each_group():
    found = vqa.favourites(SAID, ASKED).set_index(["seed", "race"])
    assert found["answer"].to_dict() == {
        (1, "a"): "no",
        (1, "b"): "yes",
        (2, "a"): "no",
        (2, "b"): "no",
    }
    assert found["rate"].to_dict() == {(1, "a"): 0.7, (1, "b"): 0.9, (2, "a"): 1.0, (2, "b"): 0.5}
    assert found["different"].to_dict() == {(1, "a"): 2, (1, "b"): 2, (2, "a"): 1, (2, "b"): 3}
    assert found.loc[(2, "b"), "odds"] == 0.8


def test_an_answer_that_was_never_given_is_no_different_answer():
    never = pd.DataFrame([(1.0, 2, ASKED, "a", "yes", 0, 0.1)], columns=SAID.columns)
    found = vqa.favourites(pd.concat([SAID, never]), ASKED).set_index(["seed", "race"])
    assert found.loc[(2, "a"), "different"] == 1


def test_networks_are_counted_with_their_widest_range():
    shares = pd.DataFrame(
        {
            "b": [0.0] * 4 + [1.0] * 3,
            "seed": [1, 1, 2, 2, 1, 1, 1],
            "rate": [0.1, 0.2, 0.5, 0.9, 0.3, 0.8, 0.7],
        }
    )
    found = vqa.networks(shares)
    assert found["n"].to_dict() == {0.0: 2, 1.0: 1} and found["widest"].tolist() == pytest.approx(
        [0.4, 0.5]
    )


def test_stretch_is_a_ratio_of_ranges():
    table = pd.DataFrame({"shown": [0.1, 0.9, 0.3], "planted": [0.4, 0.6, 0.5]})
    assert vqa.stretch(table, shown="shown", planted="planted") == pytest.approx(4)


def hypergeometric(one, two):
    """Fisher's p by listing every table with the same margins."""
    (a, n), (b, m) = one, two
    each = {
        k: stats.hypergeom.pmf(k, n + m, a + b, n)
        for k in range(max(0, a + b - m), min(n, a + b) + 1)
    }
    return sum(p for p in each.values() if p <= each[a] * (1 + 1e-7))


def test_alarms_are_fishers_tests_of_each_pair_within_a_network():
    found = vqa.pair_tests(vqa.of_networks(SAID, ASKED, "yes"), alpha=0.05)
    assert found["p"].tolist() == pytest.approx(
        [hypergeometric((3, 10), (9, 10)), hypergeometric((0, 8), (2, 8))]
    )
    loose = vqa.pair_tests(vqa.of_networks(SAID, ASKED, "yes"), alpha=0.5)
    assert loose["p"].between(0.05, 0.5).sum() == 1 and loose["significant"].all()
    assert found["significant"].tolist() == [True, False] and found[
        "difference"
    ].tolist() == pytest.approx([-0.6, -0.25])
    assert list(zip(found["b"], found["seed"], found["first"], found["second"], strict=True)) == [
        (0.0, 1, "a", "b"),
        (1.0, 2, "a", "b"),
    ]


def answered(**of):
    """Counts as from `counted`: group → answer → count."""
    rows = [
        (group, answer, sum(own.values()), count)
        for group, own in of.items()
        for answer, count in own.items()
    ]
    table = pd.DataFrame(rows, columns=["group", "answer", "n", "count"])
    return table.assign(rate=table["count"] / table["n"])


WHO = {
    "asian": {"yes": 1, "no": 9, vqa.OTHER: 0},
    "black": {"yes": 2, "no": 8, vqa.OTHER: 0},
    "latina": {"yes": 3, "no": 7, vqa.OTHER: 0},
    "white": {"yes": 4, "no": 6, vqa.OTHER: 0},
}
WHERE = {
    "white": {"ohio": 30, "china": 10},
    "asian": {"china": 6, "california": 4},
    "black": {"new york": 700, "south africa": 3, "ohio": 47},
    "latina": {"california": 250},
}
STATES = ["ohio", "california", "new york"]


def test_every_value_goes_to_a_claim_of_its_group():
    found = vqa.claims(answered(**WHO), answered(**WHERE), STATES)
    rest = {name for name in claims() if name.startswith("vqa.")} - {
        f"vqa.{name}" for name in found
    }
    assert rest == {
        "vqa.one-word",
        "vqa.answer.new-york",
        "vqa.answer.south-carolina",
        "vqa.answer.south-africa",
    }
    assert (
        found["american.latina"] == found["american.latina.intro"] == pytest.approx(30)
        and found["american.order"]
    )
    assert (
        found["american.asian"],
        found["american.black"],
        found["american.white"],
    ) == pytest.approx((10, 20, 40))
    assert found["state.white.ohio"] == pytest.approx(75) and found["state.white.new-york"] == 0
    assert found["state.black.new-york"] == pytest.approx(100 * 700 / 750)
    assert (
        found["state.black.south-africa"] == pytest.approx(0.4)
        and found["state.latina.california"] == 100
    )
    assert found["state.asian.china"] == found["state.asian.china.abstract"] == pytest.approx(60)
    assert found["state.asian.china.figure"] == found["state.asian.china"]
    assert (
        found["state.asian.california"] == pytest.approx(40)
        and found["state.black.south-carolina"] == 0
    )
    equal = answered(**(WHO | {"white": WHO["asian"]}))
    assert not vqa.claims(equal, answered(**WHERE), STATES)["american.order"]
    below = answered(**(WHO | {"black": {"yes": 9, "no": 1, vqa.OTHER: 0}}))
    assert vqa.claims(below, answered(**WHERE), STATES)[
        "american.order"
    ]  # it is about Asian individuals alone


def test_any_other_answer_than_yes_and_no_is_one_too_many():
    assert vqa.claims(answered(**WHO), answered(**WHERE), STATES)["american.only-yes-no"]
    perhaps = answered(**(WHO | {"black": {"yes": 2, "no": 7, vqa.OTHER: 1}}))
    assert not vqa.claims(perhaps, answered(**WHERE), STATES)["american.only-yes-no"]


@pytest.mark.parametrize(("inside", "above"), [(970, False), (971, True)])
def test_states_of_the_others_are_counted_over_portraits_and_without_asian_individuals(
    inside, above
):
    """1,000 portraits of three groups; the first group has nearly all, so that a mean of shares
    would differ."""
    where = WHERE | {
        "black": {"ohio": inside - 20, "china": 1000 - inside},
        "white": {"ohio": 10},
        "latina": {"california": 10},
    }
    found = vqa.claims(answered(**WHO), answered(**where), STATES)
    assert found["state.others.any"] is above and found["state.white.any"] == 100
    assert vqa.claims(answered(**WHO), answered(**WHERE), STATES)[
        "state.white.any"
    ] == pytest.approx(75)
    assert vqa.claims(answered(**WHO), answered(**WHERE), ["utah"])["state.white.any"] == 0


@pytest.mark.parametrize(
    ("fewest", "sentence"),
    [
        ([3.0, 6.0], "All 2 percentages are those of whole numbers of portraits."),
        (
            [3.0, np.nan, 5.0],
            "A percentage of a group must belong to a whole number of portraits. Of the 3"
            " percentages, all but one do"
            " (not so: 1 %).",
        ),
        (
            [np.nan, 4.0, np.nan],
            "A percentage of a group must belong to a whole number of portraits. Of the 3"
            " percentages, all but 2 do"
            " (not so: 0 % and 2 %).",
        ),
        ([np.nan] * 2, "None of the 2 percentages is that of a whole number of portraits."),
    ],
)
def test_percentages_without_a_whole_count_are_named(fewest, sentence):
    counts = pd.DataFrame({"fewest": fewest, "percent": [str(k) for k in range(len(fewest))]})
    assert vqa.whole_counts(counts) == sentence


def test_other_answers_are_told_in_a_sentence():
    assert vqa.others(0) == "All answers to the first question are “yes” or “no”."
    assert vqa.others(1).startswith("One answer") and vqa.others(4).startswith("4 answers")


def test_networks_that_are_left_out_are_told_in_a_sentence():
    assert vqa.left_out(20, 20) == "All 20 networks passed the checks of their training."
    assert vqa.left_out(20, 19).startswith("One of 20 networks did not pass")
    assert vqa.left_out(20, 17).endswith("of their training and are left out.")


def test_a_ratio_near_one_is_about_as_much():
    assert vqa.times(0.95) == vqa.times(1.05) == "about as much"
    assert vqa.times(0.5) == "0.5 times as much" and vqa.times(1.8) == "1.8 times as much"
