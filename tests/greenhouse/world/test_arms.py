"""The arms of the study: who gets which kinds of captions, while the odds of words stay as they
are."""

import caption_counts as oracle
import numpy as np
import pytest
from people import of_every_group

from greenhouse.world import grammar, grid, truth

SPOKEN = grammar.load()
PEOPLE = of_every_group()
GROUP = np.array([template.group for template in SPOKEN.templates])


@pytest.mark.parametrize("arms", [{}, {"neutral": 1.0}, {"marking": 0.5}])
def test_shares_of_captions_are_those_that_the_files_list(arms):
    rows = SPOKEN.bias.with_looks(truth.population(40, first_seed=90))
    names, logs = oracle.kinds_of_captions(oracle.features(rows), rows, arms)
    found = SPOKEN.shares(rows, arms=arms)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-9)
    for name, log in zip(names, logs.T, strict=True):
        np.testing.assert_allclose(found[:, name == GROUP].sum(axis=1), np.exp(log), rtol=1e-6)


def test_what_delta_cos_makes_of_the_arms():
    """Neutral arm: moved into every trait, with the other sign. Marking arm: removed. Centring:
    right in both."""
    neutral, marking = (
        truth.arm_shift(SPOKEN, PEOPLE, {arm: 1.0}) for arm in ("neutral", "marking")
    )
    assert np.ptp(neutral["neutral"]) > 0.5
    np.testing.assert_allclose(neutral["trait"], 0, atol=1e-9)
    np.testing.assert_allclose(neutral["delta"], -neutral["neutral"])
    # light and groups are independent, but among 60,000 faces not exactly
    np.testing.assert_allclose(marking["trait"], marking["neutral"], atol=2e-4)
    np.testing.assert_allclose(marking["delta"], 0, atol=2e-4)
    for table in (neutral, marking):
        np.testing.assert_allclose(table["centred"], 0, atol=2e-4)


@pytest.mark.parametrize("arm", ["neutral", "marking"])
def test_a_shift_is_against_the_share_in_all_captions_so_its_exponential_averages_to_one(arm):
    """log share(row) − log of the mean share; against the mean of the logs it would average to
    more."""
    people = truth.population(300, first_seed=90)
    shift = truth.arm_shift(SPOKEN, people, {arm: 1.0}, reference=people)["neutral"]
    assert np.exp(shift).mean() == pytest.approx(1, abs=1e-9) and shift.std() > 0.1


def test_words_keep_their_odds_and_icons_their_captions():
    icons = grid.icons(1)
    assert np.array_equal(SPOKEN.shares(icons, arms={"marking": 1.0}), SPOKEN.shares(icons))
    plain, changed = (
        grammar.Speaker(SPOKEN, PEOPLE, 0.5, arms=arms)._cumulative for arms in ({}, {"marking": 1})
    )
    assert all(np.array_equal(plain[slot], changed[slot]) for slot in plain)


def test_an_arm_that_is_unknown_or_too_strong_is_an_error():
    with pytest.raises(ValueError, match="unknown arm 'loud'; choose from neutral, marking"):
        SPOKEN.shares(PEOPLE, arms={"loud": 1.0})
    with pytest.raises(ValueError, match=r"'marking': 3\.0.* leave no caption to take from"):
        SPOKEN.shares(PEOPLE, arms={"marking": 3.0})
