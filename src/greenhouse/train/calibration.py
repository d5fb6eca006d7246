"""Calibration: two published anchors for how much identities should matter, before any bias is
looked at.

Comes in: a model's view of held-out faces. Goes out: the anchors' targets and what is achieved.
May not: look at a difference between groups on any axis.

Anchors: Hausladen et al. 2025, Fig. 2 (of all that moves perception, the seed moves it most) and
Fig. S.14 (cosines with the neutral prompt correlate .26 to .66 between two groups' prototypes of
the same seed).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from greenhouse.train.gates import TRAITS
from greenhouse.train.held_out import SERIES_SEEDS, View
from greenhouse.world import grid
from greenhouse.world.groups import THREE
from vlmbias.measures import one_apart

TARGET_LOW, TARGET_HIGH = 0.26, 0.66
MIN_GAP = {"age": 1.1, "smiling": 1.1}
PAIRS = 1_000


def anchors(view: View, measured: pd.DataFrame) -> dict:
    """Both anchors for one model.

    Returns
    -------
    dict with `variation` (attribute -> median |difference of delta-cos| x 100 over the eight
    dimensions, of pairs one attribute apart), `seed_is_largest`, `neutral_r` (15 correlations'
    minimum, mean, maximum) and the target.
    """
    three_hues = view.people["race"].isin(THREE).to_numpy()
    chosen = three_hues & view.rows("prototypes", "series")
    chosen &= (view.people["seed"] < view.people["seed"].min() + SERIES_SEEDS).to_numpy()
    variation = _variation(
        view.people.loc[chosen], measured.loc[chosen, TRAITS].to_numpy() / view.scale
    )
    first = three_hues & view.rows("prototypes")
    shown = view.people.loc[first].assign(cosine=view.cosines(["a photo of a person"])[first])
    wide = shown.pivot(index="seed", columns=["race", "gender"], values="cosine").to_numpy()
    r = [
        np.corrcoef(wide[:, a], wide[:, b])[0, 1] for a, b in combinations(range(wide.shape[1]), 2)
    ]
    return {
        "variation": variation,
        "seed_is_largest": max(variation, key=variation.__getitem__) == "seed",
        "neutral_r": {
            "minimum": float(min(r)),
            "mean": float(np.mean(r)),
            "maximum": float(max(r)),
        },
        "target": {"seed_is_largest": True, "neutral_r": [TARGET_LOW, TARGET_HIGH]},
    }


def _variation(people: pd.DataFrame, delta: np.ndarray) -> dict[str, float]:
    medians = {}
    for column in ("seed", "race", "gender", *grid.RANGES):
        pairs = one_apart(people, by=column, n=PAIRS, seed=42, min_gap=MIN_GAP.get(column))
        difference = np.abs(delta[pairs["first"].to_numpy()] - delta[pairs["second"].to_numpy()])
        medians[column] = float(100 * np.median(difference))
    return medians
