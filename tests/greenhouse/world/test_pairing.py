"""The pairing of names and looks: every one of 48, drawn evenly, and shown as if the table named
looks."""

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
from people import of_every_group

import vlmbias as vb
from greenhouse.world import faces, grid, pairing
from greenhouse.world.pairing import Pairing

TURNED = Pairing(("amber", "violet", "lime", "teal"), ("eared", "budded"))


@pytest.fixture
def rows():
    return of_every_group()


def test_names_are_those_of_the_sets():
    assert set(pairing.PAINTS) == set(grid.HUES) == set(faces.SKIN) and set(
        pairing.DRAWINGS
    ) == set(grid.CRESTS)


def test_all_48_pairings_are_drawn_equally_often():
    """Chi-square with 47 degrees of freedom: 82.7 is its 99.9 % point. Each uses every look
    once."""
    drawn = [pairing.random_pairing(seed) for seed in range(9_600)]
    assert all(
        sorted(one.paints) == sorted(grid.HUES) and sorted(one.drawings) == sorted(grid.CRESTS)
        for one in drawn
    )
    counts = np.array([*Counter(drawn).values()])
    assert len(counts) == 48 and ((counts - 200) ** 2 / 200).sum() < 82.7
    assert drawn[:50] == [pairing.random_pairing(seed) for seed in range(50)]


def test_only_the_pairing_in_which_names_fit_is_plain():
    assert Pairing().is_plain and not TURNED.is_plain
    plain = [one for one in map(pairing.random_pairing, range(500)) if one.is_plain]
    assert plain and all(one == Pairing() for one in plain)


def test_a_pairing_shows_what_the_renamed_table_shows(rows):
    renamed = rows.assign(
        race=[
            {"teal": "amber", "amber": "violet", "violet": "lime", "lime": "teal"}[hue]
            for hue in rows["race"]
        ],
        gender=[{"budded": "eared", "eared": "budded"}[crest] for crest in rows["gender"]],
    )
    pictures = faces.render(rows, 32, pairing=TURNED)
    assert np.array_equal(pictures, faces.render(renamed, 32))
    assert not np.array_equal(pictures, faces.render(rows, 32))
    assert np.array_equal(faces.render(rows, 32, pairing=Pairing()), faces.render(rows, 32))
    assert rows["race"].tolist() == [
        hue for hue, _ in product(grid.HUES, grid.CRESTS)
    ]  # the table is left alone


def test_an_empty_table_is_shown_as_it_is(rows):
    assert TURNED.shown(rows.iloc[:0]).empty


def test_a_record_comes_back():
    for one in map(pairing.random_pairing, range(100)):
        assert pairing.of_record(one.record()) == one
    assert TURNED.record() == {
        "paints": {"teal": "amber", "amber": "violet", "violet": "lime", "lime": "teal"},
        "drawings": {"budded": "eared", "eared": "budded"},
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda record: record.pop("drawings"),
            "a drawing for each of budded, eared; 'drawings' is missing",
        ),
        (
            lambda record: record["paints"].pop("lime"),
            "a paint for each of teal, amber, violet, lime and .* 'lime' is mis",
        ),
        (
            lambda record: record["paints"].update(teal="lime"),
            "each of teal, amber, violet, lime once, got lime",
        ),
        (
            lambda record: record["drawings"].update(eared="horned"),
            "each of budded, eared once, got eared, horned",
        ),
        (lambda record: record.update(paints=None), "a pairing records a paint for each"),
    ],
)
def test_a_record_that_is_none_is_an_error_with_the_rule(change, message):
    record = TURNED.record()
    change(record)
    with pytest.raises(ValueError, match=message):
        pairing.of_record(record)


def test_a_set_is_painted_as_a_network_knows_it():
    shown = vb.images("greenhouse/causalface", seed=3, subset="prototype")
    painted = shown.painted_for(TURNED.record())
    pd.testing.assert_frame_equal(painted.table, shown.table)  # names stay
    assert np.array_equal(painted.render(painted.table), faces.render(shown.table, pairing=TURNED))
    assert painted.recipe != shown.recipe != painted.painted_for(None).recipe
    other = shown.painted_for(pairing.random_pairing(1).record())
    assert len({shown.recipe, painted.recipe, other.recipe}) == 3  # stored vectors are kept apart


def test_what_has_no_group_is_painted_once_and_for_all():
    icons = vb.images("greenhouse/icons", category="flower")
    assert icons.painted_for(TURNED.record()) is icons
    faces_shown = vb.images("greenhouse/causalface", seed=3, subset="prototype")
    assert (
        faces_shown.painted_for(None) is faces_shown and faces_shown.painted_for({}) is faces_shown
    )
