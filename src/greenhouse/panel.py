"""What is kept of every trained network: vectors of a few hundred pictures and all words, and mean
cosines ("scores") of thousands of pictures with every dimension. No identity of either is one that
a network was trained on.

A word is kept as the mean of the unit vectors of its sentences, not renormalised: its dot product
with a picture's unit vector is the cosine averaged over the sentences, as Hausladen et al. average.

Sets of scores:
`people`   800 faces: 100 identities in all eight groups, with attributes as captions know them;
`grid`     600 prototypes of 100 identities in three hues, and the complete series of the first ten;
`leak`     the age series under `age_hue` and the smiling series under `smiling_brightness`, each
           with its prototype as rendered under the leak, of the first six identities of `grid`;
`fairface`, `utkface`  700 individuals each of the uncontrolled samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.retrained import AXES, COLUMNS, QUANTUM
from greenhouse.train import held_out
from greenhouse.train import model as models
from greenhouse.train.pool import HELD_OUT_EXEMPLAR, HELD_OUT_SEED
from greenhouse.world import faces, grid, icons, truth
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


def vectors(model: Any, grammar: Grammar, pairing: Pairing) -> tuple[np.ndarray, np.ndarray]:
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


# Scores

SCORED_SERIES_SEEDS, LEAK_SEEDS, SAMPLE = 10, 6, 700
LEAKS = {"age": "age_hue", "smiling": "smiling_brightness"}
STRENGTHS = (0.25, 0.5, 1.0)
FINE = 1e-4  # of a cosine: the step in which a single network's scores are kept
SETS = ("people", "grid", "leak", "fairface", "utkface")


@lru_cache(maxsize=1)
def scored_images() -> pd.DataFrame:
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
    series = (table["set"] == "series") & (
        table["seed"] < held_out.FIRST_SEED + SCORED_SERIES_SEEDS
    )
    return (series | ((table["set"] == "prototypes") & table["race"].isin(THREE))).to_numpy()


def scored_pictures(which: str, pairing: Pairing, size: int = 64) -> np.ndarray:
    """The pictures of a set, uint8 `(n, size, size, 3)`, in the order of `scored_images`."""
    table = scored_images().query("set == @which")
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


def scores(view: held_out.View, pairing: Pairing, sets: Sequence[str]) -> dict[str, np.ndarray]:
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
                view.model, scored_pictures(which, pairing, models.image_size(view.model))
            )
        chosen = towards if which == "people" else towards[columns]
        found[which] = np.round(seen @ chosen.T / FINE).astype(np.int16)
    return found


def coarsened(kept: np.ndarray) -> np.ndarray:
    """Scores in units of `FINE` as they are shipped, in units of `QUANTUM`: half a step is .006
    logits."""
    return np.round(kept * (FINE / QUANTUM)).astype(np.int16)
