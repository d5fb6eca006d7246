"""Answers to two questions, against counts by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import slow

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
    names = {"vqa.american.asian": "asian", "vqa.state.black.south-africa": "black"}
    yes, africa = vqa.printed(vb.ledger.claim, names).to_dict("records")
    counts = [k for k in range(110) if f"{100 * k / 109:.1f}" == "2.8"]
    assert (yes["fewest"], yes["most"]) == (counts[0], counts[-1])
    assert (yes["group"], yes["n"]) == ("Asian", 109)
    assert (yes["low"], yes["high"]) == pytest.approx(slow.share_interval(yes["count"], 109))
    assert not [k for k in range(198) if f"{100 * k / 197:.1f}" == "3.1"]
    assert np.isnan([africa["fewest"], africa["most"]]).all()
    assert africa["rate"] == pytest.approx(0.031)


def test_a_coarse_percentage_has_several_counts():
    one = SimpleNamespace(low=0.5, high=1.5, number=1)
    of_how_many = SimpleNamespace(low=200, high=200, number=200)

    def claim(name):
        printed = one if name == "one" else of_how_many
        return SimpleNamespace(printed=printed, quantity="said", value="1")

    found = vqa.printed(claim, {"one": "white"}).iloc[0]
    assert (found["fewest"], found["most"], found["count"]) == (1, 3, 2)


def test_shares_of_networks_count_groups_that_never_got_the_answer():
    found = vqa.of_networks(SAID, ASKED, "yes").set_index(["seed", "race"])
    assert found["rate"].to_dict() == {(1, "a"): 0.3, (1, "b"): 0.9, (2, "a"): 0.0, (2, "b"): 0.25}
    assert found.loc[(1, "b"), "odds"] == 0.55
    assert found.loc[(2, "b"), "n"] == 8
    assert found.loc[(2, "b"), "b"] == 1.0


GIVEN = {
    "asian": {("yes", "china"): 1, ("no", "china"): 5, ("no", "california"): 4},
    "black": {
        ("yes", "new york"): 150,
        ("no", "new york"): 550,
        ("no", "south africa"): 3,
        ("no", "ohio"): 47,
    },
    "latina": {("yes", "california"): 75, ("no", "california"): 175},
    "white": {("yes", "ohio"): 16, ("no", "ohio"): 14, ("no", "china"): 10},
}
STATES = ["ohio", "california", "new york"]


def answers(**changed):
    """A row per portrait, of counts by group and pair of answers."""
    rows = [
        (group, *pair)
        for group, own in (GIVEN | changed).items()
        for pair, count in own.items()
        for _ in range(count)
    ]
    return pd.DataFrame(rows, columns=["group", "american", "state"])


def test_every_value_goes_to_a_claim_of_its_group():
    found = vqa.claims(answers(), STATES)
    known = {name for name in claims() if name.startswith("vqa.")}
    of_words = {"vqa.one-word", *(name for name in known if name.startswith("vqa.answer."))}
    assert known - {f"vqa.{name}" for name in found} == of_words
    wanted = {
        "american.asian": 10,
        "american.black": 20,
        "american.latina": 30,
        "american.latina.intro": 30,
        "american.white": 40,
        "state.white.ohio": 75,
        "state.white.new-york": 0,
        "state.white.any": 75,
        "state.black.new-york": 100 * 700 / 750,
        "state.black.south-africa": 0.4,
        "state.black.south-carolina": 0,
        "state.latina.california": 100,
        "state.asian.california": 40,
        "state.asian.china": 60,
        "state.asian.china.abstract": 60,
        "state.asian.china.figure": 60,
    }
    assert {name: found[name] for name in wanted} == pytest.approx(wanted)
    assert vqa.claims(answers(), ["utah"])["state.white.any"] == 0


HALF = {("yes", "ohio"): 5, ("no", "china"): 5}


@pytest.mark.parametrize(
    ("claim", "changed", "holds"),
    [
        # black people do not matter for the order: white people are set above asian people alone
        ("american.order", {"black": {("yes", "ohio"): 9}}, True),
        ("american.order", {"white": {("yes", "ohio"): 1, ("no", "ohio"): 9}}, False),
        ("american.only-yes-no", {}, True),
        ("american.only-yes-no", {"black": {("yes", "ohio"): 2, ("perhaps", "ohio"): 1}}, False),
        # a group is excluded if fewer than half of it are called American
        ("american.exclusion", {"white": {("yes", "ohio"): 9}}, True),
        *(("american.exclusion", {group: HALF}, False) for group in ("asian", "black", "latina")),
    ],
)
def test_a_statement_on_being_american_holds_and_can_fail(claim, changed, holds):
    assert vqa.claims(answers(**changed), STATES)[claim] is holds


@pytest.mark.parametrize(("inside", "above"), [(970, False), (971, True)])
def test_states_of_the_others_are_counted_over_portraits_and_without_asian_people(inside, above):
    """1,000 portraits; one group of three has nearly all, so that a mean of shares would differ."""
    black = {("no", "ohio"): inside - 20, ("no", "china"): 1000 - inside}
    others = {"white": {("yes", "ohio"): 10}, "latina": {("yes", "california"): 10}}
    found = vqa.claims(answers(black=black, **others), STATES)
    assert found["state.others.any"] is above
    assert found["state.white.any"] == 100
    assert found["state.others.intro"] == pytest.approx(inside / 10)
