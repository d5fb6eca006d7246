"""The Greenhouse's tokenizer: one word, one token; an unknown word is an error."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from vlmbias.whole_files import read_regular

PAD, END = "<pad>", "<end>"
_DROPPED = str.maketrans("", "", ".,?!")


@dataclass(frozen=True)
class WordTokenizer:
    """Texts to token ids, `context_length` of them per text, the end token included.

    `words` is the vocabulary in the order of its ids: padding is 0, and the end token has the
    highest id, because open_clip reads a text's embedding at the position of its highest id.
    """

    words: tuple[str, ...]
    context_length: int = 16

    @classmethod
    def read(cls, path: Path, size: int, context_length: int) -> "WordTokenizer":
        """The tokenizer of a `words.txt` with `size` lines: padding, words in alphabetical order,
        the end token. In another order each word would get the meaning of another, and nothing else
        would show it."""
        words = tuple(read_regular(path).decode("utf-8").splitlines())
        if len(words) != size:
            raise ValueError(f"words.txt has {len(words)} lines for {size} tokens")
        if (words[0], words[-1]) != (PAD, END):
            raise ValueError(
                f"words.txt must begin with {PAD} and end with {END}; got {words[0]!r} and"
                f" {words[-1]!r}"
            )
        if wrong := next((pair for pair in pairwise(words[1:-1]) if not pair[0] < pair[1]), None):
            raise ValueError(
                f"the words of words.txt must be in alphabetical order, each once; {wrong[1]!r}"
                f" stands after {wrong[0]!r}. Restore the file that came with the weights"
            )
        return cls(words, context_length)

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Token ids `(n, context_length)`, int64. Texts are lower-cased, lose ``. , ? !`` and are
        split at spaces; a hyphenated word is one word."""
        ids = {word: index for index, word in enumerate(self.words[:-1]) if index}
        tokens = np.zeros((len(texts), self.context_length), dtype=np.int64)
        for row, text in enumerate(texts):
            words = text.lower().translate(_DROPPED).split()
            if unknown := [word for word in words if word not in ids]:
                near = difflib.get_close_matches(unknown[0], ids, n=3) or ["none"]
                raise ValueError(
                    f"the word {unknown[0]!r} of the prompt {text!r} is not among the {len(ids)}"
                    f" words this model knows (near: {', '.join(near)})"
                )
            if len(words) >= self.context_length:
                raise ValueError(
                    f"the prompt {text!r} has {len(words)} words; "
                    f"this model reads at most {self.context_length - 1}"
                )
            tokens[row, : len(words) + 1] = [*(ids[word] for word in words), len(self.words) - 1]
        return tokens
