"""The Greenhouse's tokenizer: one word, one token.

Comes in: `words.txt`, line k the word of token k. Goes out: token ids. May not: pass over an unknown word.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

_DROPPED = str.maketrans("", "", ".,?!")


class WordTokenizer:
    """Texts to token ids, word by word.

    Id 0 is padding, the words follow, and the end token has the highest id, because open_clip reads a text's
    embedding at the position of its highest id.

    Parameters
    ----------
    words : every entry of the vocabulary in the order of its ids, padding and end included.
    context_length : tokens per text, the end token included.
    """

    def __init__(self, words: Sequence[str], context_length: int = 16):
        self.words = list(words)
        if len(self.words) < 3 or len(set(self.words)) < len(self.words):
            raise ValueError("a word list needs <pad>, at least one word and <end>, each on one line only")
        self.context_length = context_length
        self._ids = {word: index for index, word in enumerate(self.words)}

    @classmethod
    def from_file(cls, path: Path, text_config: Mapping[str, Any]) -> WordTokenizer:
        """Read a `words.txt` for a model whose text tower has open_clip's `text_config`."""
        words = path.read_text(encoding="utf-8").splitlines()
        if len(words) != text_config["vocab_size"]:
            raise ValueError(f"{path.name} has {len(words)} words, the model {text_config['vocab_size']}")
        return cls(words, text_config["context_length"])

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Token ids `(n, context_length)`, int64.

        Texts are lower-cased, lose ``. , ? !`` and are split at spaces; a hyphenated word is one word.

        Raises
        ------
        ValueError
            If a word is not in the vocabulary (it is named, with near ones), or a text is too long.
        """
        tokens = np.zeros((len(texts), self.context_length), dtype=np.int64)
        for row, text in enumerate(texts):
            words = text.lower().translate(_DROPPED).split()
            if len(words) >= self.context_length:
                raise ValueError(f"the prompt {text!r} has {len(words)} words; "
                                 f"this model reads at most {self.context_length - 1}")
            tokens[row, : len(words)] = [self._id(word, text) for word in words]
            tokens[row, len(words)] = len(self.words) - 1
        return tokens

    def _id(self, word: str, text: str) -> int:
        known = self.words[1:-1]
        if word not in self._ids or word not in known:
            near = difflib.get_close_matches(word, known, n=3)
            hint = f"; near: {', '.join(near)}" if near else ""
            raise ValueError(f"the word {word!r} of the prompt {text!r} is not among the {len(known)} words "
                             f"this model knows{hint}")
        return self._ids[word]
