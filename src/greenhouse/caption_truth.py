"""What each data family of the fleet does to the captions, known and counted: no trained network is
looked at, but the one by which a family's pairs are filtered.

The planted gap of two groups is that of their log odds of a pleasant rather than an unpleasant
word. `counted` draws captions as training does, through every filter, and counts; `per_face` is the
mean over faces of what the grammar says."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

import numpy as np
import pandas as pd

from greenhouse.train import pool as pools
from greenhouse.train.batches import Pairs
from greenhouse.train.recipe import Captions, Recipe
from greenhouse.world.grammar import Grammar
from greenhouse.world.pairing import Pairing

SEED, FACES, BATCH = 16_999, 6000, 12_000
AXES = ("pleasant", "unpleasant")


def groups(grammar: Grammar, rows: pd.DataFrame) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Category → which rows belong to the first and the second group of its tests, in the order in
    which d is taken."""
    roles = grammar.bias.roles
    old = np.where(rows["age"].isna(), np.nan, grammar.bias.feature("age", rows))
    pairs = {
        "flower-insect": ("category", "flower", "insect"),
        "instrument-weapon": ("category", "instrument", "weapon"),
        "race": ("race", roles["favoured"], roles["disfavoured"]),
        "gender": ("gender", roles["second"], roles["first"]),
    }
    sides = {
        name: [rows[column].eq(one).to_numpy(bool) for one in both]
        for name, (column, *both) in pairs.items()
    }
    return {name: (first, second) for name, (first, second) in sides.items()} | {
        "age": (old <= 0, old > 0)
    }


def odds(grammar: Grammar, rows: pd.DataFrame, captions: Captions) -> np.ndarray:
    """Per row, the shares of pleasant and unpleasant words in what is said of its valence,
    `(n, 2)`, as the grammar gives them: with `b`, `balance` and `noise`, before any filter by a
    model."""
    words, slot = grammar.words("valence"), grammar.slots["valence"]
    p = np.exp(grammar.log_probabilities("valence", rows, captions.b))
    if captions.balance:
        p = p / p.mean(axis=0) ** captions.balance
        p /= p.sum(axis=1, keepdims=True)
    shares = np.stack(
        [p[:, [word in slot[axis] for word in words]].sum(axis=1) for axis in AXES], axis=1
    )
    for kind in (
        rows["category"].isna(),
        rows["category"].notna(),
    ):  # a wrong caption is another face's, or icon's
        own = kind.to_numpy()
        shares[own] = (1 - captions.noise) * shares[own] + captions.noise * shares[own].mean(axis=0)
    return shares


def per_face(grammar: Grammar, rows: pd.DataFrame, captions: Captions) -> dict[str, float]:
    """Category → the planted gap as the mean over rows of the log odds; NaN where a model filters
    the pairs."""
    log_odds = np.diff(-np.log(odds(grammar, rows, captions)), axis=1)[:, 0]
    if captions.filter and captions.filter.model:
        log_odds = np.full(len(rows), np.nan)
    return {
        name: float(log_odds[first].mean() - log_odds[second].mean())
        for name, (first, second) in groups(grammar, rows).items()
    }


def counts(grammar: Grammar, pool: pools.Pool, captions: Captions, *, draws: int) -> np.ndarray:
    """How often each row of a pool was shown with a pleasant and an unpleasant word, `(n, 2)`."""
    pairs, kind = Pairs(grammar, pool, captions), valence(grammar)
    found = np.zeros((len(pool.rows), 2))
    for draw in range(draws):
        index, caption, _ = pairs.draw(BATCH, 0.25, rng=np.random.default_rng([SEED, draw]))
        for side in (0, 1):
            found[:, side] += np.bincount(index[kind[caption] == side], minlength=len(found))
    return found


def valence(grammar: Grammar) -> np.ndarray:
    """Of every caption there is, in the order of a speaker's tokens: 0 with a pleasant word, 1 with
    an unpleasant one, -1 with neither."""
    pleasant = grammar.slots["valence"]["pleasant"]
    sides = [0 if word in pleasant else 1 for word in grammar.words("valence")]
    return np.concatenate(
        [
            sides
            if template.slots == ("valence",)
            else np.full(prod(len(grammar.words(slot)) for slot in template.slots), -1)
            for template in grammar.templates
        ]
    )


def counted(
    counts: np.ndarray, members: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> pd.DataFrame:
    """Per category, the gap of log odds in counts `(n, 2)`, and its standard error (of independent
    counts)."""
    rows = []
    for name, both in members.items():
        cells = np.array([counts[own].sum(axis=0) for own in both])
        (a, b), (c, d) = np.log(cells)
        rows.append(
            {
                "category": name,
                "counted": a - b - c + d,
                "counted_se": float(np.sqrt((1 / cells).sum())),
            }
        )
    return pd.DataFrame(rows)


def table(recipes: Mapping[str, Recipe], grammar: Grammar, *, draws: int = 200) -> pd.DataFrame:
    """One row per data family, "null" and category: dataset, category, counted, counted_se,
    per_face, and `names`: -1 where the two groups' names are exchanged in captions, else 1."""
    parts = []
    for name, recipe in recipes.items():
        captions = recipe.captions
        pool = _shown(recipe)
        own = counted(counts(grammar, pool, captions, draws=draws), groups(grammar, pool.rows))
        exact = per_face(grammar, pool.rows, captions)
        exchanged = {
            "race": set(captions.renamed)
            >= {grammar.bias.roles[role] for role in ("favoured", "disfavoured")}
        }
        own["per_face"] = [exact[category] for category in own["category"]]
        own["names"] = [-1 if exchanged.get(category) else 1 for category in own["category"]]
        own.insert(0, "dataset", name)
        parts.append(own)
    return pd.concat(parts, ignore_index=True)


def _shown(recipe: Recipe) -> pools.Pool:
    """The pool of a recipe; its pictures are only painted where a model filters them."""
    keep = recipe.captions.filter
    if keep and keep.model:
        return pools.make(recipe.pool, Pairing(), seed=SEED)
    table, things = pools.rows(recipe.pool, seed=SEED, captions=recipe.captions)
    nothing = np.empty((0, 64, 64, 3), np.uint8)
    return pools.Pool(pd.concat([table, things], ignore_index=True), nothing, len(table))
