"""Made-up worlds in which the truth is known, small and tidy; whoever asks brings the rng.

`faces()` are pictures, one row each. `networks()` are models that were trained alike, one row each.
`seen()` is what one model, `panel()` what many networks make of faces. What is planted is a table
of groups × dimensions; everything else is noise, in which no two numbers are alike.
"""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd

import vlmbias as vb
from vlmbias.external import facts

LEVELS = {
    "age": (0.0, 1.0, 2.0, 3.0, 4.0),
    "smiling": (-2.0, -1.0, 0.0, 1.0, 4.0),
    "lighting": (-1.0, 0.5, 1.0, 2.0, 3.0, 5.0, 6.0),
    "pose": (-3.0, -1.5, 0.0, 1.5, 3.0),
}


def faces(people, groups, levels=(), *, rng):
    """The layout of CausalFace, shuffled: every person in every group, and around each such
    prototype a series for each attribute.

    Parameters
    ----------
    people : how many; their seeds begin at 100.
    groups : "race gender", or the race alone.
    levels : attribute → its levels, of which the prototype has the middle one; or names in
        `LEVELS`.
    """
    levels = levels if isinstance(levels, dict) else {name: LEVELS[name] for name in levels}
    middle = {name: own[len(own) // 2] for name, own in levels.items()}
    rows = []
    for seed, group in itertools.product(range(100, 100 + people), groups):
        person = dict(zip(("race", "gender"), group.split(), strict=False), seed=seed, **middle)
        rows.append({**person, "subset": "prototype"})
        for name, own in levels.items():
            rows += [{**person, name: one, "subset": name} for one in own if one != middle[name]]
    return pd.DataFrame(rows).sample(frac=1, random_state=rng, ignore_index=True)


def group_of(images):
    """The group of each picture, as `faces` was given it."""
    return images["race"] + (" " + images["gender"] if "gender" in images else "")


def added(images, planted, columns):
    """What is planted, picture by picture: `(images, columns)`, 0 where nothing is."""
    if planted is None:
        return np.zeros((len(images), len(columns)))
    return planted.reindex(index=group_of(images), columns=columns).fillna(0.0).to_numpy()


def seen(images, words, *, rng, planted=None, scale=3.0):
    """A `Perception`: cosines between .1 and .3, and for every word of a dimension what is planted.

    Parameters
    ----------
    words : dimension → its words, or how many; the neutral prompt is added as the last.
    planted : DataFrame, groups × dimensions, in cosine units; without a row or column, nothing.
    """
    about = [
        (name, word)
        for name, own in words.items()
        for word in (own if not isinstance(own, int) else [f"{name} {k}" for k in range(own)])
    ]
    table = pd.DataFrame([*about, ("neutral", "")], columns=["dimension", "word"])
    table["neutral"] = table["dimension"] == "neutral"
    cosines = rng.uniform(0.1, 0.3, (len(images), len(table)))
    cosines += added(images, planted, table["dimension"])
    about = {"source": "made up", "stimuli": "made up", "model": "made up"}
    return vb.Perception(images, table, cosines, **about, logit_scale=scale)


def networks(b, *, rng, condition="none"):
    """One row per network: seed, b, condition, condition_strength and logit_scale, all different.

    Parameters
    ----------
    b : strength of what is planted, network by network.
    condition : of the study, for all or network by network; where it is not "none", its strength
        is 1.
    """
    table = pd.DataFrame({"seed": np.arange(5, 5 + len(b)), "b": np.asarray(b, float)})
    table["condition"] = condition
    table["condition_strength"] = (table["condition"] != "none").astype(float)
    return table.assign(logit_scale=rng.uniform(2, 4, len(b)))


def panel(images, models, columns, *, rng, planted=None, between=0.0):
    """As `greenhouse.retrained.Scores`: networks, images, scores `(networks, images, columns)`.

    At strength b, a network's logits (scale × score) hold b times what is planted, beside noise of
    SD 1 for each picture.

    Parameters
    ----------
    planted : DataFrame, groups × columns, in logits.
    between : SD, in logits, with which each network leans towards each group, whatever its b.
    """
    groups, codes = np.unique(group_of(images), return_inverse=True)
    logits = rng.normal(size=(len(models), len(images), len(columns)))
    logits += between * rng.normal(size=(len(models), len(groups), len(columns)))[:, codes]
    logits += models["b"].to_numpy()[:, None, None] * added(images, planted, columns)
    scores = logits / models["logit_scale"].to_numpy()[:, None, None]
    return SimpleNamespace(networks=models, images=images, scores=scores, columns=tuple(columns))


def published(name, table, world):
    """A shipped table as it might be: turned round (world 0), mixed (1), nearly
    alike (2), drawn at random (3 to 6); its own rng follows from name and world."""
    rng, out = np.random.default_rng([world, *name.encode()]), table.copy()
    kinds = facts.described()[name].columns
    numbers = [column for column in table if kinds[column] == "number"]
    shares = [column for column in table if kinds[column] == "share"]
    whole = [column for column in table if kinds[column] == "whole"]
    if world == 0:  # turned round
        out[numbers], out[shares] = -table[numbers], 1 - table[shares]
        for column in whole:
            out[column] = table["n"] - table[column]
        for low, high in (("low", "high"), ("chance_low", "chance_high")):
            if low in out:
                out[[low, high]] = out[[high, low]].to_numpy()
    elif world == 1:  # mixed
        mixed = rng.permutation(len(table))
        out[numbers + shares] = table[numbers + shares].to_numpy()[mixed]
        for column in whole:
            share = (table[column] / table["n"]).to_numpy()[mixed]
            out[column] = (share * table["n"]).round().astype(int)
    elif world == 2:  # nearly alike
        little = 1 + rng.normal(0, 1e-3, table[numbers].shape)
        out[numbers] = table[numbers].mean().to_numpy() * little
        out[shares] = 0.5
        for column in whole:
            out[column] = (table["n"] * 0.5).astype(int)
    else:  # drawn at random, around zero or far from it
        spread = 1 + table[numbers].std().to_numpy()
        out[numbers] = rng.normal(world - 4, spread, table[numbers].shape)
        out[shares] = rng.uniform(1e-6, 1, table[shares].shape)
        for column in whole:
            out[column] = rng.binomial(table["n"], rng.uniform(0.02, 0.98, len(table)))
        if "n_splits" in out:
            out["n_splits"] = 10_000_000
    if world == 6 and "model" in out:  # each model leans its own way, in everything
        lean = rng.normal(0, 5, table["model"].nunique())
        out[numbers] += lean[table["model"].astype("category").cat.codes.to_numpy()][:, None]
    return out
