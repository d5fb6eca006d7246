"""The word tokenizer, against the Greenhouse's own and its rules."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlmbias.embedding.word_tokenizer import WordTokenizer

WORDS = ("<pad>", "a", "photo", "high-status", "person", "<end>")
tokenize = WordTokenizer(WORDS)


def test_words_then_the_end_then_padding():
    assert tokenize(["A high-status, person!"]).tolist() == [[1, 3, 4, 5] + [0] * 12]


@given(st.lists(st.lists(st.sampled_from(WORDS[1:-1]), max_size=15), max_size=4))
def test_tokens_spell_the_text_and_pool_at_its_end(texts):
    tokens = tokenize([" ".join(words) for words in texts])
    assert tokens.shape == (len(texts), 16) and tokens.dtype == np.int64
    for words, row in zip(texts, tokens, strict=True):
        assert [WORDS[token] for token in row[: len(words)]] == words
        assert row.argmax() == len(words) and not row[len(words) + 1 :].any()


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


def test_it_reads_as_the_greenhouse_wrote():
    vocabulary = pytest.importorskip("greenhouse.world.grammar").load().vocabulary
    texts = ["A photo of a high-status person.", "this is the word love", "we"]
    assert np.array_equal(
        WordTokenizer(vocabulary.words, vocabulary.context_length)(texts), vocabulary.encode(texts)
    )
