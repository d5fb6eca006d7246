"""The gates: what sees and knows its words passes; who sees and has its words mixed up, or all
alike, does not."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from greenhouse.train import gates, held_out, saving
from greenhouse.world import grammar, truth

SPOKEN = grammar.load()
TRAIT_SLOTS = ("communion", "standing", "belief")
WORD_GATES = ("traits_r", "weakest_trait_r")
SIGHT = ("group_accuracy", "crest_accuracy", "object_accuracy", "smiling_r", "age_r")


class Ideal(held_out.View):
    """A view whose cosines are the log probabilities themselves, at a strength b."""

    b = 1.0

    def cosines(self, texts, *, of="faces"):
        rows = self.people if of == "faces" else self.things
        total = np.zeros(len(rows))
        for text in texts:
            if text in NEUTRAL:
                continue
            slot, word = SAID[text]
            if (of, slot) not in KEPT:
                KEPT[of, slot] = SPOKEN.log_probabilities(slot, rows, self.b)
            total += KEPT[of, slot][:, SPOKEN.words(slot).index(word)]
        return total / len(texts)


KEPT = {}  # the one table of faces and of things that the tests show, slot by slot
NEUTRAL = set(truth.neutral_prompts(SPOKEN))
SAID = {
    template.fill([word]): (template.slots[0], word)
    for template in SPOKEN.templates
    if len(template.slots) == 1 and template.group != "question"
    for word in SPOKEN.words(template.slots[0])
}
TRAITS = {text: place for text, place in SAID.items() if place[0] in TRAIT_SLOTS}


def passed(values):
    return saving.gated(values, gates.THRESHOLDS)["accepted"]


def attacked(view, rewrite):
    """The same view, where each prompt has the vectors of others: text -> texts."""

    class Attacked(type(view)):
        def cosines(self, texts, *, of="faces"):
            return super().cosines([other for text in texts for other in rewrite(text)], of=of)

    return Attacked(**{field.name: getattr(view, field.name) for field in fields(view)})


def shuffled(seed, slots=TRAIT_SLOTS):
    """The vectors of the words of some slots, assigned anew among them; sentences keep theirs."""
    words = sorted({place for place in SAID.values() if place[0] in slots})
    dealt = [words[k] for k in np.random.default_rng(seed).permutation(len(words))]
    other, of_word = dict(zip(words, dealt, strict=True)), {}
    for text, place in SAID.items():
        of_word.setdefault(place, []).append(text)

    def rewrite(text):
        if text not in SAID or SAID[text][0] not in slots:
            return [text]
        own, new = of_word[SAID[text]], of_word[other[SAID[text]]]
        return [new[own.index(text) % len(new)]]

    return rewrite


def constant(text):
    """One vector for all trait words: that of eight of them, taken together."""
    return sorted(TRAITS)[:: len(TRAITS) // 8] if text in TRAITS else [text]


@pytest.fixture(scope="module", autouse=True)
def few_in_the_population():
    """The base rates of captions cancel within groups: a small population will do."""
    with pytest.MonkeyPatch.context() as patch:
        people = truth.population
        patch.setattr(truth, "population", lambda n=300, **rest: people(n, **rest))
        truth._base.cache_clear()
        yield
    truth._base.cache_clear()


@pytest.fixture(scope="module")
def ideal():
    whole = held_out.table()
    kept = whole["set"].ne("series") | whole["subset"].isin(["smiling", "age"])
    people = whole.loc[kept].reset_index(drop=True)
    people = SPOKEN.bias.with_looks(people)
    things = held_out.things()
    return Ideal(
        None, SPOKEN, people, np.empty((len(people), 0)), things, np.empty((len(things), 0)), 1.0
    )


def test_a_network_that_had_learnt_every_caption_passes(ideal):
    found = gates.measure(ideal)
    assert passed(found) and set(found) == set(gates.THRESHOLDS)
    assert all(found[name] > 0.97 for name in SIGHT) and found["traits_r"] > 0.8


@pytest.mark.parametrize("attack", [shuffled(0), constant], ids=["shuffled", "constant"])
def test_a_network_that_sees_all_and_mixed_up_its_trait_words_is_rejected_by_them_alone(
    ideal, attack
):
    sound, found = gates.measure(ideal), gates.measure(attacked(ideal, attack))
    assert not passed(found)
    assert all(found[name] < gates.THRESHOLDS[name] for name in WORD_GATES)
    assert all(found[name] == sound[name] for name in SIGHT)
    assert found["traits_r"] < 0.5 * sound["traits_r"]


def test_one_axis_of_phrases_without_meaning_is_enough_to_be_rejected(ideal):
    sound, found = gates.measure(ideal), gates.measure(attacked(ideal, shuffled(0, ["valence"])))
    asked = ("weakest_phrase_r", "weakest_phrase_slope")
    others = {name: value for name, value in found.items() if name not in asked}
    assert all(
        value >= gates.THRESHOLDS[name] for name, value in others.items()
    )  # the mean does not see it
    least = gates.THRESHOLDS["weakest_phrase_slope"]
    assert not passed(found) and abs(found["weakest_phrase_slope"]) < least
    assert passed(sound)


def test_words_are_judged_within_groups_by_r_and_by_the_slope_of_least_squares(ideal):
    measured, driven = ideal.measured, truth.per_face(SPOKEN, ideal.people, 0.0)
    found = gates.words(ideal, measured)
    group = ideal.people["race"] + ideal.people["gender"]
    for axis in ("warmth", "pleasant", "immigrant"):
        X = np.column_stack([driven[axis], pd.get_dummies(group).to_numpy(float)])
        slope = np.linalg.lstsq(X, measured[axis], rcond=None)[0][0]
        assert found["slope"][axis] == pytest.approx(slope)
        x, y = (
            one[axis] - one[axis].groupby(group).transform("mean") for one in (driven, measured)
        )
        assert found["r"][axis] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-3)
    lean = group.map({one: 3.0 * k for k, one in enumerate(sorted(set(group)))}).to_numpy()
    pd.testing.assert_frame_equal(
        gates.words(ideal, measured.add(lean, axis=0)), found, atol=1e-9
    )  # blind to what lies between groups
    pd.testing.assert_series_equal(gates.words(ideal, -measured)["r"], -found["r"])
    pd.testing.assert_series_equal(gates.words(ideal, measured / 10)["slope"], found["slope"] / 10)
    assert (gates.words(ideal, measured * 0)[["r", "slope"]] == 0).all(axis=None)


def test_every_gate_must_be_reached():
    assert passed(dict(gates.THRESHOLDS))
    for name, threshold in gates.THRESHOLDS.items():
        assert not passed(gates.THRESHOLDS | {name: threshold - 1e-6})
