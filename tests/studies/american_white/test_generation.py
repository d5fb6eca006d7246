"""The claims about painted pictures, on made-up readings in which they hold and in others."""

import numpy as np
import pandas as pd
import pytest

from studies.american_white import generation
from vlmbias.ledger.claims import claims

GROUPS = ("asian", "black", "latino", "white")
OF_PICTURES = {
    *("edge", "iterations", "crop", "intro-crop", "checkpoint", "checkpoint-figure"),
    *("steps-figure1", "steps-figure7", "rises-from-20"),
}


@pytest.fixture
def mean():
    steps = pd.Index(range(0, 210, 10), name="step")
    rows = {}
    for group, start in zip(GROUPS, (150.0, 100.0, 140.0, 180.0), strict=True):
        rows[group] = start + np.sin(np.pi * steps / 160) * (8 + len(group)) - 4 * (steps == 10)
    return pd.DataFrame(rows, index=steps).T


def test_rises_are_those_at_step_80_or_at_the_highest_mean(mean):
    said = generation.claims(mean)
    assert said["black-start"] == mean.loc["black", 0]
    assert said["black-80"] == mean.loc["black", 80]
    for name in ("black", "abstract", "intro", "caption", "discussion"):
        assert said[f"{name}-rise"] == pytest.approx(mean.loc["black", 80] - 100)
    top = {
        group: max(100 * (value / own[0] - 1) for value in own) for group, own in mean.iterrows()
    }
    assert said["least-rise"] == pytest.approx(min(top.values()))
    top.pop("black")
    assert {group: said[f"{group}-rise"] for group in top} == pytest.approx(top)
    known = {
        name.removeprefix("generation.") for name in claims() if name.startswith("generation.")
    }
    assert known - set(said) == OF_PICTURES, "of the pictures' own size, and of what was shown"


@pytest.mark.parametrize(
    ("claim", "group", "step", "value"),
    [
        ("falls-after-100", "white", 200, 999),
        ("falls-after-100", "asian", 100, 1),  # it is from 100 on, not from 80
        ("first-ten-fall", "black", 10, 101),  # one group of two is not both
        ("first-ten-fall", "asian", 10, 151),
        ("peak-at-80", "black", 50, 999),
        ("all-lighten", "latino", slice(None), 100),
    ],
)
def test_a_statement_holds_on_some_readings_and_not_on_others(mean, claim, group, step, value):
    assert generation.claims(mean)[claim] is True
    mean.loc[group, step] = value
    assert generation.claims(mean)[claim] is False
