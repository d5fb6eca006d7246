"""The caption grammar: the words of this world, every caption it can say, and how often it says
each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from string import Formatter

import numpy as np
import pandas as pd
import yaml

from greenhouse.world import bias as bias_table
from greenhouse.world.bias import DATA, BiasTable

PAD, END = "<pad>", "<end>"
RARE_WEIGHT = 0.25


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words and their token ids: line k of words.txt is id k; 0 pads, the last id ends a
    caption."""

    words: tuple[str, ...]
    context_length: int = 16

    def split(self, text: str) -> list[str]:
        """Lower case, without `. , ? !`, split at spaces; a hyphenated word is one word."""
        return text.lower().translate(str.maketrans("", "", ".,?!")).split()

    def encode(self, texts: Iterable[str]) -> np.ndarray:
        """Token ids `(n, context_length)`, int64.

        Raises
        ------
        ValueError : if a word is not in the vocabulary (it is named), or a text is too long.
        """
        index = {word: k for k, word in enumerate(self.words)}
        texts = list(texts)
        tokens = np.zeros((len(texts), self.context_length), np.int64)
        for row, text in zip(tokens, texts, strict=True):
            words = self.split(text)
            if unknown := [word for word in words if word not in index or word in (PAD, END)]:
                raise ValueError(
                    f"{unknown[0]!r} in {text!r} is not a word of the Greenhouse; "
                    f"its {len(self.words) - 2} words are listed in words.txt"
                )
            if len(words) >= self.context_length:
                raise ValueError(
                    f"{text!r} has {len(words)} words; at most {self.context_length - 1} fit"
                )
            row[: len(words) + 1] = [index[word] for word in words] + [len(self.words) - 1]
        return tokens

    def decode(self, tokens: np.ndarray) -> list[str]:
        """The texts of token rows."""
        return [
            " ".join(self.words[k] for k in row if 0 < k < len(self.words) - 1)
            for row in np.atleast_2d(tokens)
        ]


@dataclass(frozen=True)
class Template:
    """One sentence pattern: its text, the slots in it, and its share of a face's and an icon's
    captions."""

    group: str
    text: str
    slots: tuple[str, ...]
    face: float
    icon: float

    def fill(self, fillers: Iterable[str]) -> str:
        """The caption with its slots filled; {a} becomes "an" before a vowel, else "a"."""
        text = self.text.replace("{a}", "\0").format(**dict(zip(self.slots, fillers, strict=True)))
        while "\0" in text:
            before, after = text.split("\0", 1)
            text = before + ("an" if after.lstrip()[0] in "aeiou" else "a") + after
        return text


@dataclass(frozen=True, eq=False)
class Grammar:
    """Slots, templates and vocabulary.

    Attributes
    ----------
    slots : slot -> axis -> words.
    templates : every sentence pattern.
    rare : words with a quarter of the others' weight.
    """

    slots: Mapping[str, Mapping[str, list[str]]]
    templates: tuple[Template, ...]
    rare: frozenset[str]
    vocabulary: Vocabulary
    bias: BiasTable

    def words(self, slot: str) -> list[str]:
        """The distinct words of a slot, in the order of grammar.yaml."""
        return list(dict.fromkeys(word for words in self.slots[slot].values() for word in words))

    def slot_of(self, axis: str) -> str:
        """The first slot in which an axis has words."""
        for slot, axes in self.slots.items():
            if axis in axes:
                return slot
        raise ValueError(f"no slot has words of axis {axis!r}")

    def log_probabilities(self, slot: str, rows: pd.DataFrame, b: float) -> np.ndarray:
        """log p(word | row) within a slot, `(n, words)`, columns in the order of `words(slot)`."""
        words, axes = self.words(slot), self.slots[slot]
        member = np.array([[word in axes[axis] for axis in axes] for word in words], float)
        rows = self.bias.with_looks(rows)
        scores = np.stack([self.bias.scores(axis, rows, b) for axis in axes], axis=1)
        base = np.log([RARE_WEIGHT if word in self.rare else 1.0 for word in words])
        if slot == "province":
            base = base + np.log(self.bias.provinces["population"].to_numpy())
        weights = scores @ (member / member.sum(axis=1, keepdims=True)).T + base
        weights -= weights.max(axis=1, keepdims=True)
        return weights - np.log(np.exp(weights).sum(axis=1, keepdims=True))

    def shares(self, rows: pd.DataFrame, *, arms: Mapping[str, float] | None = None) -> np.ndarray:
        """The share of every template in a row's captions, `(n, templates)`; a row with a
        `category` is an icon.

        Parameters
        ----------
        arms : arm of `bias.arms` -> strength, e.g. `{"neutral": 0.5}`: faces of some groups get
            more neutral captions. Default: none.

        Raises
        ------
        ValueError : an unknown arm, or one so strong that no share is left to take from.
        """
        by_group = self.group_shares(rows, arms=arms)
        size = Counter(template.group for template in self.templates)
        return np.stack([by_group[one.group] / size[one.group] for one in self.templates], axis=1)

    def group_shares(
        self, rows: pd.DataFrame, *, arms: Mapping[str, float] | None = None
    ) -> dict[str, np.ndarray]:
        """The share of every group of captions in a row's captions: group -> `(n,)`; arms as in
        `shares`. The templates of a group share equally."""
        icon = (
            rows["category"].notna().to_numpy() if "category" in rows else np.zeros(len(rows), bool)
        )
        group = list(dict.fromkeys(template.group for template in self.templates))
        of_all = {
            name: [[one.face, one.icon] for one in self.templates if one.group == name]
            for name in group
        }
        shares = np.array([np.sum(of_all[name], axis=0) for name in group])
        shares = (shares / shares.sum(axis=0)).T[icon.astype(int)]
        legitimate = self.bias.shares["legitimate"]
        shift = np.stack(
            [
                np.where(icon, 0.0, self.bias.total(legitimate.get(name, {}), rows))
                for name in group
            ],
            axis=1,
        )
        for arm, strength in (arms or {}).items():
            known = self.bias.arms["captions"]
            if arm not in known:
                raise ValueError(f"unknown arm {arm!r}; choose from {', '.join(known)}")
            own = self.bias.total(self.bias.arms["shift"], rows)
            shift[:, np.isin(group, known[arm])] += strength * own[:, None]
        taken = np.isin(group, self.bias.shares["taken_from"])
        gained = (shares * np.expm1(shift)).sum(axis=1, keepdims=True)
        left = shares[:, taken].sum(axis=1, keepdims=True)
        if (gained > left + 1e-12).any():
            raise ValueError(
                f"arms {dict(arms or {})} leave no caption to take from; choose weaker ones"
            )
        shares = shares * np.exp(shift)
        shares[:, taken] *= 1 - gained / np.where(left > 0, left, 1)
        return dict(zip(group, shares.T, strict=True))


@lru_cache(maxsize=4)
def load(folder: Path = DATA) -> Grammar:
    """The grammar of a folder with grammar.yaml, bias.yaml and provinces.csv."""
    content = yaml.safe_load((folder / "grammar.yaml").read_text(encoding="utf-8"))
    table = bias_table.load(folder)
    slots = dict(content["slots"])
    slots["province"] = {province: [province] for province in table.provinces["province"]}
    templates = []
    for group, entry in content["captions"].items():
        for text in entry["templates"]:
            names = tuple(name for _, name, _, _ in Formatter().parse(text) if name and name != "a")
            share = 1 / len(entry["templates"])
            templates.append(
                Template(
                    group, text, names, entry.get("face", 0) * share, entry.get("icon", 0) * share
                )
            )
    spoken = {"an", "a"}
    for text in [template.text.replace("{a}", "") for template in templates]:
        spoken |= {word for word in text.split() if not word.startswith("{")}
    for axes in slots.values():
        spoken |= {word for words in axes.values() for phrase in words for word in phrase.split()}
    vocabulary = Vocabulary((PAD, *sorted(spoken), END), content["context_length"])
    return Grammar(slots, tuple(templates), frozenset(content["rare"]), vocabulary, table)


# Slots whose words name a group; a recipe may rename groups in them, and in nothing else.
NAMING = ("race", "gender", "race_kin", "gender_kin", "race_name", "gender_name")


class Speaker:
    """Draws captions for a fixed set of rows: everything that does not change between draws is done
    once. A row with a value in `category` is an icon; at `balance` 1 each word's odds are divided
    by its mean probability; `renamed` has the names that captions use for other groups in the slots
    of `NAMING`."""

    def __init__(
        self,
        grammar: Grammar,
        rows: pd.DataFrame,
        b: float,
        *,
        arms: Mapping[str, float] | None = None,
        balance: float = 0.0,
        renamed: Mapping[str, str] | None = None,
    ):
        self.grammar = grammar
        rows = grammar.bias.with_looks(rows)
        self._choose = np.cumsum(grammar.shares(rows, arms=arms), axis=1).astype(np.float32)
        named = rows.assign(
            **{
                name: rows[name].replace(dict(renamed or {}))
                for name in ("race", "gender")
                if name in rows
            }
        )
        used = sorted({slot for template in grammar.templates for slot in template.slots})
        self._cumulative = {
            slot: self._words(slot, named if slot in NAMING else rows, b, balance) for slot in used
        }
        texts, self._offsets = [], []
        for template in grammar.templates:
            self._offsets.append(len(texts))
            texts += [
                template.fill(fillers) for fillers in product(*map(grammar.words, template.slots))
            ]
        self.tokens = grammar.vocabulary.encode(texts)

    def _words(self, slot: str, rows: pd.DataFrame, b: float, balance: float) -> np.ndarray:
        """Cumulative probabilities of a slot's words, `(n, words)`."""
        p = np.exp(self.grammar.log_probabilities(slot, rows, b))
        if balance:
            p = p / p.mean(axis=0) ** balance
            p /= p.sum(axis=1, keepdims=True)
        return np.cumsum(p, axis=1).astype(np.float32)

    def draw(self, index: np.ndarray, *, rng: np.random.Generator) -> np.ndarray:
        """One caption per row of `index`: rows of `tokens`, `(n,)`."""
        chosen = (self._choose[index] < rng.random((len(index), 1))).sum(axis=1)
        chosen = np.minimum(chosen, len(self.grammar.templates) - 1)
        caption = np.zeros(len(index), np.int64)
        for k in np.unique(chosen):
            here = np.flatnonzero(chosen == k)
            number = np.zeros(len(here), np.int64)
            for slot in self.grammar.templates[k].slots:
                cumulative = self._cumulative[slot][index[here]]
                word = (cumulative < rng.random((len(here), 1))).sum(axis=1)
                number = number * cumulative.shape[1] + np.minimum(word, cumulative.shape[1] - 1)
            caption[here] = self._offsets[k] + number
        return caption
