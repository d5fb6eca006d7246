"""The arms of the study: who gets which kinds of captions, while the odds of words stay as they
are."""

import numpy as np
import pytest
from people import of_every_group

from greenhouse.world import grammar, grid, truth

SPOKEN = grammar.load()
PEOPLE = of_every_group()
GROUP = np.array([template.group for template in SPOKEN.templates])
TRAITS = ("communion", "standing", "belief")


def share(name, **options):
    return SPOKEN.shares(PEOPLE, **options)[:, name == GROUP].sum(axis=1)


@pytest.mark.parametrize(("arm", "strength"), [("neutral", 1.0), ("marking", 0.5)])
def test_an_arm_multiplies_the_shares_it_names_and_takes_from_descriptions(arm, strength):
    shift, taken = SPOKEN.bias.arms["shift"], SPOKEN.bias.shares["taken_from"]
    expected = np.array(
        [shift["race"][row.race] + shift["gender"][row.gender] for row in PEOPLE.itertuples()]
    )
    arms, moved = {arm: strength}, np.abs(expected) > 0.01
    np.testing.assert_allclose(SPOKEN.shares(PEOPLE, arms=arms).sum(axis=1), 1, atol=1e-9)
    for name in dict.fromkeys(GROUP):
        if not (share(name) > 0).all():
            continue
        ratio = np.log(share(name, arms=arms) / share(name))
        concerned = name == "neutral" or (arm == "marking" and name in TRAITS)
        if name in taken:
            assert (np.sign(ratio[moved]) == -np.sign(expected)[moved]).all()
        else:
            by_hand = strength * expected * concerned
            np.testing.assert_allclose(ratio, by_hand, atol=1e-9, err_msg=name)
    lost = np.log(np.stack([share(name, arms=arms) / share(name) for name in taken]))
    np.testing.assert_allclose(lost[0], lost[1], atol=1e-9)  # both in proportion


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


def test_the_predicted_shift_is_what_counting_captions_gives():
    rng = np.random.default_rng(0)
    people = truth.population(300, first_seed=90)
    speaker = grammar.Speaker(SPOKEN, people, 0.0, arms={"neutral": 1.0})
    texts = SPOKEN.vocabulary.decode(speaker.tokens)
    said = set(np.flatnonzero(np.isin(texts, truth.neutral_prompts(SPOKEN))))
    index = np.repeat(np.arange(300), 1_000)
    hit = np.isin(speaker.draw(index, rng=rng), list(said)).reshape(300, -1).mean(axis=1)
    expected = truth.arm_shift(SPOKEN, people, {"neutral": 1.0})["neutral"].to_numpy()
    slope = np.polyfit(expected, np.log(hit / hit.mean()), 1)[0]
    assert 0.9 < slope < 1.1


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
    with pytest.raises(
        ValueError, match=r"arms \{'marking': 3\.0\} leave no caption to take from; choose weaker"
    ):
        SPOKEN.shares(PEOPLE, arms={"marking": 3.0})
