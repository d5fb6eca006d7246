"""Gates: does a model see what is shown? Zero-shot through descriptions, never through trait words.

Comes in: a model and held-out identities. Goes out: five numbers and whether each passes.
May not: look at any axis on which something may be planted.
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

THRESHOLDS = {"group_accuracy": 0.97, "crest_accuracy": 0.97, "object_accuracy": 0.97,
              "smiling_r": 0.90, "age_r": 0.80}
PERSON = ("a photo of {} person", "{} person", "this is {} person", "cropped face photo of {} person")
SEEDS, ICONS_PER_KIND = 20, 40
OBJECTS = dict(zip(grid.CATEGORIES, ("flower", "insect", "instrument", "weapon", "pleasant_scene", "unpleasant_scene"),
                   strict=True))


def article(word: str) -> str:
    """The word with "a" or "an" before it."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def describe(words: list[str], templates: tuple[str, ...] = PERSON) -> list[str]:
    """Every word in every template, with its article."""
    return [template.format(article(word)) for word in words for template in templates]


@lru_cache(maxsize=2)
def held_out(size: int = 64) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame, np.ndarray]:
    """The attribute grid of 20 held-out identities in four hues, 240 held-out icons, and their pictures."""
    people = grid.causalface(SEEDS, hues=grid.HUES)
    people["seed"] += HELD_OUT_SEED
    things = grid.icons(ICONS_PER_KIND)
    things["exemplar"] += HELD_OUT_EXEMPLAR
    return people, faces.render(people, size), things, icons.render(things, size)


def mean_cosines(model: Any, grammar: Grammar, vectors: np.ndarray, prompts: dict[str, list[str]]) -> pd.DataFrame:
    """Cosines `(n, len(prompts))`, each averaged over its texts."""
    return pd.DataFrame({name: (vectors @ models.embed_tokens(model, grammar.vocabulary.encode(texts)).T).mean(axis=1)
                         for name, texts in prompts.items()})


def measure(model: Any, grammar: Grammar) -> dict[str, float]:
    """The five gate values of a model.

    Group, crest and object accuracy: the share of pictures whose own description has the highest cosine.
    smiling_r, age_r: Pearson correlation of the level with the cosine difference of opposite descriptions,
    over the series in which it varies.
    """
    people, portraits, things, drawings = held_out(model.visual.image_size[0])
    seen, drawn = models.embed_pictures(model, portraits), models.embed_pictures(model, drawings)
    values = {}
    for name, column, levels in (("group", "race", grid.HUES), ("crest", "gender", grid.CRESTS)):
        cosines = mean_cosines(model, grammar, seen, {level: describe([level]) for level in levels})
        values[f"{name}_accuracy"] = float((cosines.idxmax(axis=1) == people[column]).mean())
    names = {kind: [word for word in grammar.slots["object"][axis] if word not in grammar.rare]
             for kind, axis in OBJECTS.items()}
    prompts = {kind: describe(words, ("a photo of {}", "this is {}")) for kind, words in names.items()}
    cosines = mean_cosines(model, grammar, drawn, prompts)
    values["object_accuracy"] = float((cosines.idxmax(axis=1) == things["category"]).mean())
    for name, slot, high, low in (("smiling", "smile", "smiling", "frowning"), ("age", "years", "old", "young")):
        prompts = {pole: describe(grammar.slots[slot][pole]) for pole in (high, low)}
        cosines = mean_cosines(model, grammar, seen, prompts)
        series = people["subset"].isin([name, "prototype"]).to_numpy()
        values[f"{name}_r"] = float(np.corrcoef((cosines[high] - cosines[low])[series], people[name][series])[0, 1])
    return values


def passed(values: dict[str, float]) -> bool:
    """Whether every gate value reaches its threshold."""
    return all(values[name] >= threshold for name, threshold in THRESHOLDS.items())
