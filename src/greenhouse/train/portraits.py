"""The portraits: what every retrained model makes of the grid, of leaking series and of uncontrolled samples.

Comes in: the grammar; a model. Goes out: one table of pictures, and mean cosines of each with every dimension.
May not: contain an identity that a model was trained on, or drop a row that a paper's filter would drop.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.study import COLUMNS, QUANTUM
from greenhouse.train import model as models
from greenhouse.train.pool import HELD_OUT_SEED
from greenhouse.world import faces, grid, truth
from greenhouse.world.grammar import Grammar

FIRST_SEED = HELD_OUT_SEED + 300_000
GRID_SEEDS, SERIES_SEEDS, LEAK_SEEDS, SAMPLE = 100, 10, 6, 700
LEAKS = {"age": "age_hue", "smiling": "smiling_brightness"}
STRENGTHS = (0.25, 0.5, 1.0)
DIMENSIONS = COLUMNS[:-2]


@lru_cache(maxsize=1)
def images() -> pd.DataFrame:
    """One row per picture: the columns of CausalFace, `set`, `leak` (λ; 0 in the other sets), photo, years, age_bin.

    `grid` has 600 prototypes of 100 seeds, and the complete series of the first ten; `leak` the age series under
    `age_hue` and the smiling series under `smiling_brightness` (each with its prototype as rendered under the leak),
    of the first six seeds, which without leak are in `grid`; `fairface` and `utkface` 700 individuals each.
    """
    people = grid.causalface(GRID_SEEDS)
    whole = people.loc[(people["subset"] == "prototype") | (people["seed"] < SERIES_SEEDS)]
    few = people.loc[people["seed"] < LEAK_SEEDS]
    series = [few.loc[few["subset"].isin(["prototype", name])].assign(subset=name, leak=strength, set="leak")
              for name in LEAKS for strength in STRENGTHS]
    shown = pd.concat([whole.assign(leak=0.0, set="grid"), *series], ignore_index=True)
    shown["seed"] += FIRST_SEED
    samples = [getattr(grid, kind)(SAMPLE).assign(leak=0.0, set=kind) for kind in grid.OBSERVED]
    table = pd.concat([shown, *samples], ignore_index=True)
    return table.astype({"photo": "Int64"}).rename_axis("image")


@lru_cache(maxsize=4)
def pictures(which: str, size: int = 64) -> np.ndarray:
    """The pictures of a set, uint8 `(n, size, size, 3)`, in the order of `images`."""
    table = images().query("set == @which")
    if which != "leak":
        table = table.drop(columns="photo") if which == "grid" else table.astype({"photo": int})
        return faces.render(table, size)
    found = np.empty((len(table), size, size, 3), np.uint8)
    table = table.drop(columns="photo")
    for (subset, leak), strength in product(LEAKS.items(), STRENGTHS):
        place = np.flatnonzero((table["subset"] == subset) & (table["leak"] == strength))
        found[place] = faces.render(table.iloc[place], size, leaks={leak: strength})
    return found


def directions(model: Any, grammar: Grammar) -> np.ndarray:
    """The mean vector of the prompts of each of `COLUMNS`, `(10, d)`."""
    texts = {name: truth.prompts(grammar, name) for name in DIMENSIONS}
    texts["neutral"] = truth.neutral_prompts(grammar)
    texts["adjectives"] = list(dict.fromkeys(text for name in DIMENSIONS for text in texts[name]))
    return np.stack([models.embed_tokens(model, grammar.vocabulary.encode(texts[name])).mean(axis=0)
                     for name in COLUMNS])


def scores(model: Any, grammar: Grammar, which: str) -> np.ndarray:
    """Mean cosines of a set's pictures with each of `COLUMNS`, `(n, 10)`, int16 in units of `QUANTUM`."""
    seen = models.embed_pictures(model, pictures(which, model.visual.image_size[0]))
    return np.round(seen @ directions(model, grammar).T / QUANTUM).astype(np.int16)
