"""Calibration: two published anchors for how much identities should matter, before any bias is looked at.

Comes in: a model (of b = 0) and held-out identities. Goes out: the anchors' targets and what is achieved.
May not: look at a difference between groups on any axis.

Anchors: Hausladen et al. 2025, Fig. 2 (of all that moves perception, the seed moves it most) and Fig. S.14 (cosines
with the neutral prompt correlate .26 to .66 between two groups' prototypes of the same seed).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.train import model as models
from greenhouse.train.pool import HELD_OUT_SEED
from greenhouse.world import faces, grid, truth
from greenhouse.world.grammar import Grammar

TARGET_LOW, TARGET_HIGH = 0.26, 0.66
DIMENSIONS = [axis for axis, against in truth.CONTRASTS.items() if against is None]
MIN_GAP = {"age": 1.1, "smiling": 1.1}
SEEDS, PAIRS = 40, 1_000


@lru_cache(maxsize=1)
def held_out(size: int = 64) -> tuple[pd.DataFrame, np.ndarray]:
    """The attribute grid of other held-out identities than the gates use, in three hues, and its pictures."""
    people = grid.causalface(SEEDS)
    people["seed"] += HELD_OUT_SEED + 100_000
    return people, faces.render(people, size)


def anchors(model: Any, grammar: Grammar) -> dict:
    """Both anchors for one model.

    Returns
    -------
    dict with `variation` (attribute -> median |difference of delta-cos| x 100 over the eight dimensions, of pairs one
    attribute apart), `seed_is_largest`, `neutral_r` (15 correlations' minimum, mean, maximum) and the target.
    """
    people, portraits = held_out(model.visual.image_size[0])
    vectors = models.embed_pictures(model, portraits)

    def mean_cosine(texts: list[str]) -> np.ndarray:
        return vectors @ models.embed_tokens(model, grammar.vocabulary.encode(texts)).mean(axis=0)

    neutral = mean_cosine(truth.neutral_prompts(grammar))
    delta = np.stack([mean_cosine(truth.prompts(grammar, axis)) - neutral for axis in DIMENSIONS], axis=1)
    variation = _variation(people, delta)
    single = vectors @ models.embed_tokens(model, grammar.vocabulary.encode(["a photo of a person"]))[0]
    prototypes = people["subset"] == "prototype"
    portraits = people.loc[prototypes, ["seed", "race", "gender"]].assign(cosine=single[prototypes])
    wide = portraits.pivot(index="seed", columns=["race", "gender"], values="cosine").to_numpy()
    r = [np.corrcoef(wide[:, a], wide[:, b])[0, 1] for a, b in combinations(range(wide.shape[1]), 2)]
    return {"variation": variation, "seed_is_largest": max(variation, key=variation.__getitem__) == "seed",
            "neutral_r": {"minimum": float(min(r)), "mean": float(np.mean(r)), "maximum": float(max(r))},
            "target": {"seed_is_largest": True, "neutral_r": [TARGET_LOW, TARGET_HIGH]}}


def _variation(people: pd.DataFrame, delta: np.ndarray) -> dict[str, float]:
    """Median |difference| x 100 per attribute, over up to `PAIRS` random pairs that differ in it alone."""
    columns = ["seed", "race", "gender", *grid.RANGES]
    rng = np.random.default_rng(42)
    medians = {}
    for column in columns:
        groups = people.groupby([name for name in columns if name != column]).indices
        groups = [rows for rows in groups.values() if len(rows) > 1]
        differences = []
        for pick in rng.integers(len(groups), size=PAIRS):
            i, j = rng.choice(groups[pick], 2, replace=False)
            if column not in MIN_GAP or abs(people[column].iat[i] - people[column].iat[j]) > MIN_GAP[column]:
                differences.append(np.abs(delta[i] - delta[j]))
        medians[column] = float(100 * np.median(differences))
    return medians
