"""The grammar: what it says as often as it claims, words it does not know, and groups that only
names tell apart."""

from collections import Counter
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import any_face

from greenhouse.world import grammar, grid

SPOKEN = grammar.load()
ROWS = pd.concat(
    [grid.causalface(1).sample(2, random_state=3), grid.icons(1).iloc[[0]]], ignore_index=True
)
DRAWS = 30_000


def brute_force_frequencies(slot, row, b):
    """Probabilities of a slot's words, from the definition: one word at a time, weights divided by
    their sum."""
    weights, axes_of = {}, SPOKEN.slots[slot]
    score = {axis: SPOKEN.bias.scores(axis, row, b)[0] for axis in axes_of}
    for word in SPOKEN.words(slot):
        axes = [axis for axis, words in axes_of.items() if word in words]
        shift = np.mean([score[axis] for axis in axes])
        size = 0.25 if word in SPOKEN.rare else 1.0
        if slot == "province":
            size = float(SPOKEN.bias.provinces.set_index("province").loc[word, "population"])
        weights[word] = size * np.exp(shift)
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()}


@pytest.mark.parametrize("slot", [*SPOKEN.slots])
def test_probabilities_are_those_of_the_definition(slot):
    found = np.exp(SPOKEN.log_probabilities(slot, ROWS, 0.7))
    for k in range(len(ROWS)):
        expected = brute_force_frequencies(slot, ROWS.iloc[[k]], 0.7)
        np.testing.assert_allclose(
            found[k], [expected[word] for word in SPOKEN.words(slot)], rtol=1e-9
        )


def lit_shares(row):
    """What the light on a face does to the shares of its captions: group -> factor. Nothing, on a
    thing."""
    if pd.isna(row["lighting"]):
        return {}
    whole = {
        name: sum(template.face for template in SPOKEN.templates if template.group == name)
        for name in ("communion", "description", "appearance")
    }
    factor = np.exp(0.3 * (row["lighting"] - 2.5) / 3.5)
    paid = 1 - whole["communion"] * (factor - 1) / (whole["description"] + whole["appearance"])
    return {"communion": factor, "description": paid, "appearance": paid}


def test_captions_are_drawn_as_often_as_they_should_be():
    """Sampled sentences, read back as text: shares of templates, then of words in one of them."""
    speaker = grammar.Speaker(SPOKEN, ROWS, 1.0)
    rng = np.random.default_rng(7)
    for row, kind in ((0, "face"), (2, "icon")):
        texts = SPOKEN.vocabulary.decode(speaker.tokens[speaker.draw(np.full(DRAWS, row), rng=rng)])
        counts = Counter(texts)
        shares, said_of, lit = {}, {}, lit_shares(ROWS.iloc[row])
        for template in SPOKEN.templates:
            if getattr(template, kind) and len(template.slots) == 1:
                slot, text = template.slots[0], template.text
                if slot not in said_of:
                    said_of[slot] = brute_force_frequencies(slot, ROWS.iloc[[row]], 1.0)
                for word, p in said_of[slot].items():
                    said = text.replace("{" + slot + "}", word)
                    for article in ("an", "a"):
                        if "{a}" in said and (article == "an") == (
                            said.split("{a} ")[1][0] in "aeiou"
                        ):
                            said = said.replace("{a}", article)
                    said = " ".join(SPOKEN.vocabulary.split(said))
                    shares[said] = shares.get(said, 0.0) + getattr(template, kind) * p * lit.get(
                        template.group, 1
                    )
        assert len(shares) > 200 and 0.5 < sum(shares.values()) <= 1 + 1e-9
        for said, share in shares.items():
            error = np.sqrt(share * (1 - share) / DRAWS)
            assert abs(counts[said] / DRAWS - share) < 6 * error + 3 / DRAWS, said


@settings(deadline=None)
@given(st.lists(st.sampled_from(SPOKEN.vocabulary.words[1:-1]), min_size=1, max_size=15))
def test_tokens_spell_the_text_and_end_with_the_highest_id(words):
    row = SPOKEN.vocabulary.encode([" ".join(words)])[0]
    assert SPOKEN.vocabulary.decode(row) == [" ".join(words)]
    assert row.argmax() == len(words) and row[len(words)] == len(SPOKEN.vocabulary.words) - 1
    assert not row[len(words) + 1 :].any()


def test_case_and_punctuation_do_not_matter_and_a_hyphen_joins():
    texts = ["a photo of a high-status person", "A photo, of a High-Status person!?."]
    plain, dressed = SPOKEN.vocabulary.encode(texts)
    assert np.array_equal(plain, dressed) and np.count_nonzero(plain) == 7  # six words and the end


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a photo of a zebra", "'zebra' in 'a photo of a zebra' is not a word of the Greenhouse"),
        ("a <pad>", "'<pad>' in 'a <pad>' is not a word"),
        ("a " * 16, "has 16 words; at most 15 fit"),
    ],
)
def test_an_unknown_word_and_a_text_that_is_too_long_are_named(text, says):
    with pytest.raises(ValueError, match=says):
        SPOKEN.vocabulary.encode(["a person", text])


# what captions say of groups: an exact null

SPOKEN_OF_PEOPLE = sorted(
    {slot for template in SPOKEN.templates if template.face for slot in template.slots}
)


exchanged = st.sampled_from(
    [("race", pair) for pair in permutations(grid.HUES, 2)] + [("gender", grid.CRESTS)] * 4
)


@settings(max_examples=8, deadline=None)
@given(any_face, exchanged, st.sampled_from(grid.HUES), st.sampled_from(grid.CRESTS))
def test_where_nothing_is_planted_exchanging_two_groups_changes_the_words_that_name_them_alone(
    shown, exchanged, hue, crest
):
    column, (one, other) = exchanged
    person = shown | {"race": hue, "gender": crest}
    rows, swapped = (pd.DataFrame([person | {column: group}]) for group in (one, other))
    np.testing.assert_array_equal(SPOKEN.shares(rows), SPOKEN.shares(swapped))
    for slot in SPOKEN_OF_PEOPLE:
        here, there = (
            np.exp(SPOKEN.log_probabilities(slot, each, 0.0)[0]) for each in (rows, swapped)
        )
        if slot not in (column, f"{column}_kin", f"{column}_name"):
            np.testing.assert_array_equal(here, there, err_msg=slot)
            continue
        levels = grid.HUES if column == "race" else grid.CRESTS
        own, then = (
            {group: said[of(slot, group)].sum() for group in levels} for said in (here, there)
        )
        renamed = {one: other, other: one}
        for group in levels:  # the same as if the words had been exchanged
            assert own[group] == pytest.approx(then[renamed.get(group, group)], abs=1e-12)
        assert own[one] - then[one] > 0.3


def of(slot, group):
    """The columns of a naming slot whose words stand for a group."""
    words = SPOKEN.words(slot)
    return [
        words.index(word)
        for axis, listed in SPOKEN.slots[slot].items()
        if axis.removesuffix("_name") == group
        for word in listed
    ]


# what a recipe can do to captions


def test_renamed_groups_are_called_by_the_other_s_name_and_described_as_before():
    def said_of(speaker, slot):
        drawn = speaker.draw(np.zeros(4_000, int), rng=np.random.default_rng(3))
        words = " ".join(SPOKEN.vocabulary.decode(speaker.tokens[drawn])).split()
        return Counter(word for word in words if word in SPOKEN.words(slot))

    rows = pd.DataFrame([{"seed": 3, "race": "teal", "gender": "budded", **grid.NEUTRAL}])
    plain = grammar.Speaker(SPOKEN, rows, 1.0)
    changed = grammar.Speaker(SPOKEN, rows, 1.0, renamed={"teal": "amber", "amber": "teal"})
    for slot, own, other in (("race", "teal", "amber"), ("race_kin", "tealkin", "amberkin")):
        before, after = said_of(plain, slot), said_of(changed, slot)
        assert before[own] > 20 > before[other] and after[other] == before[own]
        assert after[own] == before[other]
    for slot in plain._cumulative:
        same = np.array_equal(plain._cumulative[slot], changed._cumulative[slot])
        assert same != slot.startswith("race"), slot


def test_balance_divides_odds_by_mean_probabilities():
    balance = 0.5
    rows = pd.concat(
        [grid.causalface(3).iloc[::40].assign(category=None), grid.icons(1)], ignore_index=True
    )
    speaker = grammar.Speaker(SPOKEN, rows, 1.0, balance=balance)
    for slot in ("communion", "province", "object"):
        p = np.exp(SPOKEN.log_probabilities(slot, rows, 1.0))
        found = np.diff(speaker._cumulative[slot], axis=1, prepend=0)
        expected = [
            [p[i, k] / p[:, k].mean() ** balance for k in range(p.shape[1])] for i in range(len(p))
        ]
        expected = np.array([np.array(row) / sum(row) for row in expected])
        np.testing.assert_allclose(found, expected, atol=1e-5)
        assert np.ptp(expected.mean(axis=0)) < np.ptp(p.mean(axis=0))
