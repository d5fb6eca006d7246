"""The truth: what captions say of a face, by counting captions and by hand."""

import json

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import bias, grammar, grid, truth

SPOKEN = grammar.load()


def counted(axis, rows, reference, b, draws, rng):
    """log p(word | row) - log p(word), from words drawn one by one with numpy's own generator."""
    slot = SPOKEN.slot_of(axis)
    words = SPOKEN.words(slot)
    chosen = [words.index(word) for word in SPOKEN.slots[slot][axis]]
    table = np.exp(SPOKEN.log_probabilities(slot, pd.concat([rows, reference]), b))
    shares = np.array([np.bincount(rng.choice(len(words), draws, p=p / p.sum()), minlength=len(words)) for p in table])
    shares = shares / draws
    return np.log(shares[: len(rows)] / shares[len(rows) :].mean(axis=0))[:, chosen].mean(axis=1)


@pytest.mark.parametrize("axis", ["warmth", "progressive_belief", "pleasant"])
def test_predictions_are_what_counting_drawn_words_gives(axis):
    rows, reference = truth.population(4, first_seed=70), truth.population(60)
    expected = counted(axis, rows, reference, 1.0, 200_000, np.random.default_rng(1))
    found = truth.predicted(SPOKEN, axis, rows, 1.0, reference=reference)
    np.testing.assert_allclose(found, expected, atol=0.05)
    assert np.ptp(expected) > 0.1


def test_a_word_tells_nothing_where_all_faces_are_alike():
    alike = pd.concat([truth.population(1)] * 5, ignore_index=True)
    for axis in truth.CONTRASTS:
        assert np.allclose(truth.predicted(SPOKEN, axis, alike, 1.0, reference=alike), 0)


@pytest.mark.parametrize("axis", truth.CONTRASTS)
def test_at_b_0_groups_of_the_same_people_do_not_differ(axis):
    people = grid.causalface(2, hues=grid.HUES)
    value = truth.contrast(SPOKEN, axis, people, 0.0)
    for column in ("race", "gender"):
        assert np.ptp(pd.Series(value).groupby(people[column]).mean()) < 1e-9


def test_only_the_listed_axes_differ_between_groups_at_b_1():
    people = grid.causalface(1, hues=grid.HUES)
    for axis in truth.CONTRASTS:
        gaps = pd.Series(truth.contrast(SPOKEN, axis, people, 1.0)).groupby(people["race"]).mean()
        assert (np.ptp(gaps) > 0.1) == (axis not in SPOKEN.bias.unplanted), axis


def test_the_shipped_truth_is_the_one_of_the_shipped_table():
    shipped = json.loads((bias.DATA / "truth.json").read_text(encoding="utf-8"))
    assert shipped == json.loads(json.dumps(truth.statement(SPOKEN)))
    nothing = {axis for axis, entry in shipped["axes"].items() if not entry["planted_anything"]}
    assert nothing == set(SPOKEN.bias.unplanted)


def test_prompts_are_words_of_the_axis_in_the_sentences_of_its_slot():
    texts = truth.prompts(SPOKEN, "competence")
    assert "a photo of a skilled person" in texts and "an intelligent person" not in texts  # the papers keep their "a"
    assert len(texts) == 4 * len(SPOKEN.slots["standing"]["competence"]) == len(set(texts))
    assert SPOKEN.vocabulary.encode([*texts, *truth.neutral_prompts(SPOKEN)]).shape == (len(texts) + 4, 16)


def test_what_is_said_is_the_mean_over_the_words_of_an_axis_and_differs_as_the_prediction_does():
    rows = grid.causalface(2)
    said = truth.said(SPOKEN, ["warmth", "competence"], rows, 1.0)
    assert list(said) == ["warmth", "competence"] and len(said) == len(rows)
    for axis in said:
        slot = SPOKEN.slot_of(axis)
        table = dict(zip(SPOKEN.words(slot), SPOKEN.log_probabilities(slot, rows, 1.0).T, strict=True))
        words = SPOKEN.slots[slot][axis]
        np.testing.assert_allclose(said[axis], sum(table[word] for word in words) / len(words))
        predicted = truth.predicted(SPOKEN, axis, rows, 1.0)
        np.testing.assert_allclose(np.diff(said[axis]), np.diff(predicted), atol=1e-9)
