"""Made-up faces in which every group and level differs, for the tests of claims and lines."""

import itertools

import numpy as np
import pandas as pd

import vlmbias as vb
from studies import roles
from vlmbias.papers import CAUSALFACE

WHO = roles.named(CAUSALFACE, {})
DIMENSIONS = CAUSALFACE.dimensions
LEVELS = {
    "smiling": (-2.0, -1.0, 0.0, 1.0, 4.0),
    "lighting": (-1.0, 2.0, 3.0, 5.0, 6.0),
    "pose": (-3.0, -1.5, 0.0, 1.5, 3.0),
}
NEUTRAL = {"smiling": 0.0, "lighting": 2.0, "pose": 0.0}


def faces_of(seeds=4, groups=WHO.groups):
    """Prototypes, and a series for each attribute, of every identity in every group."""
    rows = []
    for seed, group in itertools.product(range(seeds), groups):
        person = dict(zip(("race", "gender"), group.split(), strict=True), seed=seed)
        rows.append({**person, **NEUTRAL, "subset": "prototype"})
        rows += [
            {**person, **NEUTRAL, name: level, "subset": name}
            for name, levels in LEVELS.items()
            for level in levels
            if level != NEUTRAL[name]
        ]
    return pd.DataFrame(rows).sample(frac=1, random_state=3, ignore_index=True)


def perception(table, seed=4, scale=3.0):
    """Two words a dimension, "honest" and "dishonest" among them, and the neutral prompt."""
    words = [{"dimension": name, "word": f"{name} {k}"} for name in DIMENSIONS for k in (1, 2)]
    words[0]["word"], words[-1]["word"] = "honest", "dishonest"
    table_of_words = pd.DataFrame([*words, {"dimension": "neutral", "word": ""}])
    table_of_words["neutral"] = table_of_words["word"] == ""
    cosines = np.random.default_rng(seed).uniform(0.1, 0.3, (len(table), len(table_of_words)))
    return vb.Perception(
        table, table_of_words, cosines, "made up", "made up", "made up", logit_scale=scale
    )
