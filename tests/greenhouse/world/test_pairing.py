"""The pairing of names and looks: every one of 48, drawn evenly, and shown as if the table named
looks."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from people import of_every_group

import vlmbias as vb
from greenhouse.world import faces, grid, pairing
from greenhouse.world.pairing import Pairing

TURNED = Pairing(("amber", "violet", "lime", "teal"), ("eared", "budded"))


def test_all_48_pairings_are_drawn_equally_often():
    """Chi-square with 47 degrees of freedom: 82.7 is its 99.9 % point. Each uses every look
    once."""
    drawn = [pairing.random_pairing(seed) for seed in range(9_600)]
    for one in drawn:
        assert {*one.paints} == {*grid.HUES} and {*one.drawings} == {*grid.CRESTS}
    counts = np.array([*Counter(drawn).values()])
    assert len(counts) == 48 and ((counts - 200) ** 2 / 200).sum() < 82.7


def test_a_pairing_shows_what_the_renamed_table_shows():
    rows = of_every_group()
    paints, drawings = TURNED.record()["paints"], TURNED.record()["drawings"]
    renamed = rows.assign(race=rows["race"].map(paints), gender=rows["gender"].map(drawings))
    pictures = faces.render(rows, 32, pairing=TURNED)
    assert np.array_equal(pictures, faces.render(renamed, 32))
    assert not np.array_equal(pictures, faces.render(rows, 32))
    assert np.array_equal(faces.render(rows, 32, pairing=Pairing()), faces.render(rows, 32))
    assert rows.equals(of_every_group())  # the table is left alone


def test_a_record_comes_back_and_only_names_that_fit_are_plain():
    drawn = [pairing.random_pairing(seed) for seed in range(500)]
    for one in drawn:
        assert pairing.of_record(one.record()) == one
        assert one.is_plain == (one == Pairing())
    assert any(one.is_plain for one in drawn)
    assert TURNED.record() == {
        "paints": {"teal": "amber", "amber": "violet", "violet": "lime", "lime": "teal"},
        "drawings": {"budded": "eared", "eared": "budded"},
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"drawings": {"eared": "eared"}}, "a drawing for each of budded, eared"),
        ({"paints": TURNED.record()["paints"] | {"teal": "lime"}}, "once, got lime"),
        ({"paints": None}, "a pairing records a paint for each"),
    ],
)
def test_a_record_that_is_none_is_an_error_with_the_rule(change, message):
    with pytest.raises(ValueError, match=message):
        pairing.of_record(TURNED.record() | change)


def test_a_set_is_painted_as_a_network_knows_it():
    shown = vb.images("greenhouse/causalface", seed=3, subset="prototype")
    painted = shown.painted_for(TURNED.record())
    pd.testing.assert_frame_equal(painted.table, shown.table)  # names stay
    assert np.array_equal(painted.render(painted.table), faces.render(shown.table, pairing=TURNED))
    assert painted.recipe != shown.recipe != painted.painted_for(None).recipe
    other = shown.painted_for(pairing.random_pairing(1).record())
    assert len({shown.recipe, painted.recipe, other.recipe}) == 3  # stored vectors are kept apart
