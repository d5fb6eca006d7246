"""What three ways to report make of the same probabilities, one portrait at a time."""

from math import exp

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from greenhouse import speech
from greenhouse.world import grammar
from studies.american_white import reported

PRINTED = reported.printed(vb.ledger.claim)
CLAIMS = [vb.ledger.claim(f"vqa.american.{one}") for one in ("white", "black", "latina", "asian")]


def slowly(pattern, gap, spread):
    """Portrait by portrait, in plain Python."""
    rows = []
    for one in pattern.groups:
        n, total, sampled, likeliest = len(one.deviates), 0.0, 0, 0
        for deviate, rank in zip(one.deviates.tolist(), one.ranks.tolist(), strict=True):
            p = 1 / (1 + exp(-(gap * one.position + spread * deviate)))
            total += p
            sampled += p > (rank + 0.5) / n
            likeliest += gap * one.position + spread * deviate > 0
        rows.append((one.name, n, total / n, sampled / n, likeliest / n))
    return pd.DataFrame(rows, columns=["group", "n", *reported.WAYS])


@pytest.mark.parametrize(("gap", "spread"), [(0.0, 0.3), (0.75, 0.2), (2.0, 1.1), (8.0, 2.5)])
def test_it_is_counted_portrait_by_portrait(gap, spread):
    found = reported.reported(PRINTED, gap, spread)
    pd.testing.assert_frame_equal(found, slowly(PRINTED, gap, spread))


@pytest.mark.parametrize("spread", [reported.LITTLE, 0.5, 1.0, reported.MUCH])
def test_likeliest_answers_have_the_printed_shares_whatever_the_spread(spread):
    found = reported.reported(PRINTED, reported.gap_at(PRINTED, spread), spread)
    assert [f"{100 * one:.1f}" for one in found["likeliest"]] == [one.value for one in CLAIMS]
    assert list(found["n"]) == [
        int(vb.ledger.claim(f"we_they.n-{one}").value)
        for one in ("white", "black", "latina", "asian")
    ]


def test_at_its_own_numbers_a_taught_pattern_has_the_probabilities_that_were_taught():
    portraits = vb.images("greenhouse/cfd").table
    asked = next(iter(speech.recipe()["questions"]))
    taught = speech.answer_odds(grammar.load(), asked, portraits, 1.0)["yes"]
    pattern = reported.from_probabilities(taught, portraits["race"], seed=0)
    for one in pattern.groups:
        own = np.sort(taught[portraits["race"] == one.name])
        assert one.probabilities(pattern.gap, pattern.spread) == pytest.approx(own, abs=1e-3)
    found = reported.reported(pattern, pattern.gap, pattern.spread).set_index("group")
    assert found["mean"].to_dict() == pytest.approx(
        taught.groupby(portraits["race"]).mean().to_dict(), abs=1e-4
    )
    assert found["mean"].is_monotonic_decreasing
    assert {round(value / reported.STEP, 9) % 1 for value in (pattern.gap, pattern.spread)} == {0}


def test_a_half_is_rounded_upwards():
    assert [reported.percent(one) for one in (0.005, 0.004, 0.125, 1.0)] == [1, 0, 13, 100]
