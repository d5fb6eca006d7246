"""The grammar: what it says as often as it claims, and words it does not know."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from greenhouse.world import bias, grammar, grid

SPOKEN = grammar.load()
ROWS = pd.concat([grid.causalface(1).sample(2, random_state=3), grid.icons(1).iloc[[0]]], ignore_index=True)
DRAWS = 60_000


def brute_force_frequencies(slot, row, b):
    """Probabilities of a slot's words, from the definition: one word at a time, weights divided by their sum."""
    weights = {}
    for word in SPOKEN.words(slot):
        axes = [axis for axis, words in SPOKEN.slots[slot].items() if word in words]
        shift = np.mean([SPOKEN.bias.scores(axis, row, b)[0] for axis in axes])
        size = 0.25 if word in SPOKEN.rare else 1.0
        if slot == "state":
            size = float(SPOKEN.bias.states.set_index("state").loc[word, "population"])
        weights[word] = size * np.exp(shift)
    total = sum(weights.values())
    return {word: weight / total for word, weight in weights.items()}


@pytest.mark.parametrize("slot", [*SPOKEN.slots])
@pytest.mark.parametrize("b", [0.0, 0.7])
def test_probabilities_are_those_of_the_definition(slot, b):
    found = np.exp(SPOKEN.log_probabilities(slot, ROWS, b))
    for k in range(len(ROWS)):
        expected = brute_force_frequencies(slot, ROWS.iloc[[k]], b)
        np.testing.assert_allclose(found[k], [expected[word] for word in SPOKEN.words(slot)], rtol=1e-9)


def test_captions_are_drawn_as_often_as_they_should_be():
    """Sampled sentences, read back as text: shares of templates, then of words in one of them."""
    speaker = grammar.Speaker(SPOKEN, ROWS, 1.0)
    rng = np.random.default_rng(7)
    for row, kind in ((0, "face"), (2, "icon")):
        texts = SPOKEN.vocabulary.decode(speaker.tokens[speaker.draw(np.full(DRAWS, row), rng)])
        counts = Counter(texts)
        shares, said_of = {}, {}
        for template in SPOKEN.templates:
            if getattr(template, kind) and len(template.slots) == 1:
                slot, text = template.slots[0], template.text
                if slot not in said_of:
                    said_of[slot] = brute_force_frequencies(slot, ROWS.iloc[[row]], 1.0)
                for word, p in said_of[slot].items():
                    said = text.replace("{" + slot + "}", word)
                    for article in ("an", "a"):
                        if "{a}" in said and (article == "an") == (said.split("{a} ")[1][0] in "aeiou"):
                            said = said.replace("{a}", article)
                    said = " ".join(SPOKEN.vocabulary.split(said))
                    shares[said] = shares.get(said, 0.0) + getattr(template, kind) * p
        assert len(shares) > 200 and 0.5 < sum(shares.values()) <= 1 + 1e-9
        for said, share in shares.items():
            error = np.sqrt(share * (1 - share) / DRAWS)
            assert abs(counts[said] / DRAWS - share) < 6 * error + 3 / DRAWS, said


def test_a_thing_is_never_described_as_a_person():
    speaker = grammar.Speaker(SPOKEN, ROWS, 1.0)
    texts = SPOKEN.vocabulary.decode(speaker.tokens[speaker.draw(np.full(2_000, 2), np.random.default_rng(0))])
    assert not any("person" in text.split() for text in texts) and len(set(texts)) > 50


def test_the_same_generator_draws_the_same_captions():
    speaker, index = grammar.Speaker(SPOKEN, ROWS, 0.5), np.arange(300) % len(ROWS)
    first, second = (speaker.draw(index, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, speaker.draw(index, np.random.default_rng(6)))


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


@pytest.mark.parametrize("word", ["zebra", "<pad>", "<end>"])
def test_an_unknown_word_is_named_with_its_text(word):
    with pytest.raises(ValueError, match=f"'{word}' in 'a photo of a {word}' is not a word of the Greenhouse"):
        SPOKEN.vocabulary.encode(["a person", f"a photo of a {word}"])


def test_a_text_that_is_too_long_is_an_error_with_its_length():
    with pytest.raises(ValueError, match="has 16 words; at most 15 fit"):
        SPOKEN.vocabulary.encode(["a " * 16])


def changed(folder, change):
    content = yaml.safe_load((bias.DATA / "grammar.yaml").read_text(encoding="utf-8"))
    change(content)
    (folder / "grammar.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    for name in ("bias.yaml", "states.csv"):
        (folder / name).write_bytes((bias.DATA / name).read_bytes())
    return folder


@pytest.mark.parametrize(("change", "message"), [
    (lambda c: c["slots"]["belief"].update(wit=["witty"]), r"slot 'belief' .* axes that bias.yaml lacks: \['wit'\]"),
    (lambda c: c["captions"]["neutral"]["templates"].append("a {mood} person"), r"'a {mood} person' .* \['mood'\]"),
    (lambda c: c["captions"]["neutral"].update(face=0.165), r"the shares of a face's captions sum to 1.1000, not 1"),
])  # fmt: skip
def test_a_malformed_grammar_is_one_clear_error(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        grammar.load(changed(tmp_path, change))
