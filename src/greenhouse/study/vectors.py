"""Vectors: the pictures and words of which every network of the dose–response study keeps its
embeddings.

Comes in: the grammar; a model and its pairing. Goes out: two tables, and the model's embeddings of
their rows. May not: contain an identity that a model was trained on.

A word is kept as the mean of the unit vectors of its sentences, not renormalised: its dot product
with a picture's unit vector is the cosine averaged over the sentences, as Hausladen et al. average.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.train import model as models
from greenhouse.train.pool import HELD_OUT_EXEMPLAR, HELD_OUT_SEED
from greenhouse.world import faces, grid, icons
from greenhouse.world.grammar import Grammar
from greenhouse.world.groups import THREE
from greenhouse.world.pairing import Pairing

FIRST_SEED, FIRST_EXEMPLAR = HELD_OUT_SEED + 200_000, HELD_OUT_EXEMPLAR + 1_000
PORTRAIT_SEEDS, SERIES_SEEDS, ICONS_PER_KIND = 24, 6, 25
SERIES = ({"age": 0.8}, {"age": 4.4}, {"smiling": 4.0})
SLOTS = (
    "communion",
    "standing",
    "belief",
    "pronoun",
    "someone",
    "citizen",
    "province",
    "race",
    "gender",
    "smile",
    "years",
    "race_kin",
    "gender_kin",
    "race_name",
    "gender_name",
    "age_name",
    "valence",
    "object",
)


@lru_cache(maxsize=1)
def images() -> pd.DataFrame:
    """450 rows: 192 prototypes (24 identities, four hues), 108 of a series (6 of them, three hues),
    150 icons."""
    people = grid.causalface(PORTRAIT_SEEDS, hues=grid.HUES)
    prototypes = people.loc[people["subset"] == "prototype"]
    base = prototypes.loc[(prototypes["seed"] < SERIES_SEEDS) & prototypes["race"].isin(THREE)]
    series = [base.assign(**change, subset=next(iter(change))) for change in SERIES]
    table = pd.concat([prototypes, *series])
    table["seed"] += FIRST_SEED
    things = grid.icons(ICONS_PER_KIND)
    things["exemplar"] += FIRST_EXEMPLAR
    table = pd.concat([table.assign(kind="face"), things.assign(kind="icon")], ignore_index=True)
    return table.astype({"seed": "Int64", "exemplar": "Int64"}).rename_axis("image")


def words(grammar: Grammar) -> tuple[pd.DataFrame, list[list[str]]]:
    """One row per word (and one for the neutral prompts) with its slot and axes, and the sentences
    of each."""
    rows, sentences = [], []
    for slot in SLOTS:
        templates = [template for template in grammar.templates if template.slots == (slot,)]
        for word in grammar.words(slot):
            axes = [axis for axis, listed in grammar.slots[slot].items() if word in listed]
            texts = list(
                dict.fromkeys(
                    template.fill([word]) for template in templates if template.group != "question"
                )
            )
            rows.append(
                {"slot": slot, "axes": ";".join(axes), "word": word, "rare": word in grammar.rare}
            )
            sentences.append(texts)
    rows.append({"slot": "neutral", "axes": "neutral", "word": "", "rare": False})
    sentences.append(
        [template.text for template in grammar.templates if template.group == "neutral"]
    )
    table = pd.DataFrame(rows)
    table["n_sentences"] = [len(texts) for texts in sentences]
    table["first_sentence"] = [texts[0] for texts in sentences]
    return table.rename_axis("word_id"), sentences


def pictures(pairing: Pairing, size: int = 64) -> np.ndarray:
    """The pictures, uint8 (450, size, size, 3), painted as a network with this pairing knows
    them."""
    table = images()
    people = table.query("kind == 'face'").astype({"seed": int})
    things = table.query("kind == 'icon'").astype({"exemplar": int})
    return np.concatenate([faces.render(people, size, pairing=pairing), icons.render(things, size)])


def embed(model: Any, grammar: Grammar, pairing: Pairing) -> dict[str, np.ndarray]:
    """The pictures and words as a model sees them, `packed`: `images`, `words` and their scales."""
    pictures, texts = picture_and_text_vectors(model, grammar, pairing)
    return {**packed("images", pictures), **packed("words", texts)}


def picture_and_text_vectors(
    model: Any, grammar: Grammar, pairing: Pairing
) -> tuple[np.ndarray, np.ndarray]:
    """The pictures and words as a model sees them, float32 `(450, d)` and `(words, d)`."""
    _, sentences = words(grammar)
    lengths = [len(texts) for texts in sentences]
    tokens = grammar.vocabulary.encode([text for texts in sentences for text in texts])
    vectors = models.embed_tokens(model, tokens)
    means = np.stack([part.mean(axis=0) for part in np.split(vectors, np.cumsum(lengths)[:-1])])
    return models.embed_pictures(model, pictures(pairing, models.image_size(model))), means


def packed(name: str, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """Vectors `(n, d)` as int8, and the step of each row: components are off by half a step at
    most."""
    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    return {
        name: np.round(vectors / step).astype(np.int8),
        f"{name}_step": step[:, 0].astype(np.float32),
    }
