"""Scores: mean cosines of many pictures with every dimension, for every retrained network.

Comes in: a network's view of held-out faces, or the network. Goes out: tables of pictures, and
int16 arrays of cosines. May not: contain an identity that a network was trained on, or drop a row
that a paper's filter would drop.

`people`   800 faces: 100 identities in all eight groups, with attributes as captions know them;
`grid`     600 prototypes of 100 identities in three hues, and the complete series of the first ten;
`leak` the age series under `age_hue` and the smiling series under `smiling_brightness`, each with
its prototype
           as rendered under the leak, of the first six identities, which without leak are in
           `grid`;
`fairface`, `utkface`  700 individuals each of the uncontrolled samples.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.retrained import AXES, COLUMNS, QUANTUM
from greenhouse.train import held_out
from greenhouse.train import model as models
from greenhouse.world import faces, grid, truth
from greenhouse.world.grammar import Grammar
from greenhouse.world.groups import THREE
from greenhouse.world.pairing import Pairing

SERIES_SEEDS, LEAK_SEEDS, SAMPLE = 10, 6, 700
LEAKS = {"age": "age_hue", "smiling": "smiling_brightness"}
STRENGTHS = (0.25, 0.5, 1.0)
FINE = 1e-4  # of a cosine: the step in which a single network's scores are kept
SETS = ("people", "grid", "leak", "fairface", "utkface")


@lru_cache(maxsize=1)
def images() -> pd.DataFrame:
    """One row per picture: the columns of CausalFace, `set`, `leak` (λ; 0 elsewhere), photo, years,
    age_bin."""
    everyone = held_out.table()
    kept = _of_people(everyone), _of_grid(everyone)
    parts = [
        everyone.loc[rows].assign(leak=0.0, set=name)
        for name, rows in zip(SETS, kept, strict=False)
    ]
    first = held_out.FIRST_SEED
    few = parts[1].loc[parts[1]["seed"] < first + LEAK_SEEDS]
    parts += [
        few.loc[few["subset"].isin(["prototype", name])].assign(
            subset=name, leak=strength, set="leak"
        )
        for name in LEAKS
        for strength in STRENGTHS
    ]
    parts += [getattr(grid, kind)(SAMPLE).assign(leak=0.0, set=kind) for kind in grid.OBSERVED]
    return pd.concat(parts, ignore_index=True).astype({"photo": "Int64"}).rename_axis("image")


def _of_people(table: pd.DataFrame) -> np.ndarray:
    return (table["set"] == "people").to_numpy()


def _of_grid(table: pd.DataFrame) -> np.ndarray:
    series = (table["set"] == "series") & (table["seed"] < held_out.FIRST_SEED + SERIES_SEEDS)
    return (series | ((table["set"] == "prototypes") & table["race"].isin(THREE))).to_numpy()


@lru_cache(maxsize=4)
def pictures(which: str, pairing: Pairing, size: int = 64) -> np.ndarray:
    """The pictures of a set, uint8 `(n, size, size, 3)`, in the order of `images`."""
    table = images().query("set == @which")
    if which != "leak":
        table = (
            table.astype({"photo": int}) if which in grid.OBSERVED else table.drop(columns="photo")
        )
        return faces.render(table, size, pairing=pairing)
    found = np.empty((len(table), size, size, 3), np.uint8)
    table = table.drop(columns="photo")
    for (subset, leak), strength in product(LEAKS.items(), STRENGTHS):
        place = np.flatnonzero((table["subset"] == subset) & (table["leak"] == strength))
        found[place] = faces.render(
            table.iloc[place], size, leaks={leak: strength}, pairing=pairing
        )
    return found


def directions(model: Any, grammar: Grammar) -> np.ndarray:
    """The mean vector of the prompts of each of `AXES`, `(20, d)`: its product with a face is a
    mean cosine."""
    texts = {
        name: truth.prompts(grammar, name) for name in AXES if name not in ("neutral", "adjectives")
    }
    texts["neutral"] = truth.neutral_prompts(grammar)
    texts["adjectives"] = list(dict.fromkeys(text for name in COLUMNS[:8] for text in texts[name]))
    return np.stack(
        [
            models.embed_tokens(model, grammar.vocabulary.encode(texts[name])).mean(axis=0)
            for name in AXES
        ]
    )


def scores(view: held_out.View, pairing: Pairing, sets: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Mean cosines of each set's pictures, int16 in units of `FINE`: `people` with `AXES`, others
    with `COLUMNS`."""
    towards, found = directions(view.model, view.grammar), {}
    columns = [AXES.index(name) for name in COLUMNS]
    for which in sets:
        if which in ("people", "grid"):
            seen = view.faces[
                _of_people(view.people) if which == "people" else _of_grid(view.people)
            ]
        else:
            seen = models.embed_pictures(
                view.model, pictures(which, pairing, models.image_size(view.model))
            )
        chosen = towards if which == "people" else towards[columns]
        found[which] = np.round(seen @ chosen.T / FINE).astype(np.int16)
    return found


def coarsened(kept: np.ndarray) -> np.ndarray:
    """Scores in units of `FINE` as they are shipped, in units of `QUANTUM`: half a step is .006
    logits."""
    return np.round(kept * (FINE / QUANTUM)).astype(np.int16)
