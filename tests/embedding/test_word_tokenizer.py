"""The word tokenizer, against the Greenhouse's own and its rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from greenhouse.world import grammar
from vlmbias.embedding.word_tokenizer import WordTokenizer

WORDS = ("<pad>", "a", "photo", "high-status", "person", "<end>")
tokenize = WordTokenizer(WORDS)


def test_words_then_the_end_then_padding():
    assert tokenize(["A high-status, person!"]).tolist() == [[1, 3, 4, 5] + [0] * 12]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a persn", r"'persn' of the prompt 'a persn' is not among the 4 words.*near: person"),
        ("a <pad> person", "'<pad>.*is not among the 4 words"),
        ("a " * 16, "has 16 words; this model reads at most 15"),
    ],
)
def test_what_the_model_does_not_know_is_named(text, says):
    with pytest.raises(ValueError, match=says):
        tokenize([text])


VOCABULARY = grammar.load().vocabulary


@given(st.lists(st.lists(st.sampled_from(VOCABULARY.words[1:-1]), max_size=15), max_size=4))
def test_it_reads_as_the_greenhouse_wrote(texts):
    sentences = [f"{' '.join(words).title()}." for words in texts]
    reader = WordTokenizer(VOCABULARY.words, VOCABULARY.context_length)
    assert np.array_equal(reader(sentences), VOCABULARY.encode(sentences))
