"""Tables of what there is to render: the CausalFace grid, the four-hue portraits, the icons.

Comes in: how many. Goes out: tidy DataFrames, one row per picture, index 0..n-1.
May not: render, or draw anything at random; every table is an enumeration.

Columns keep the papers' names (race, gender), their values are fictional. Attribute levels are the scale
values of CausalFace (Hausladen et al. 2025, `precalculate_cossims.py`). The neutral prototype that the four
series of a seed share has smiling 0 and pose 0, and for age and lighting, which have an even number of
levels, the lower of the two middle ones: the release does not say where its prototypes lie.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

HUES = ("teal", "amber", "violet", "lime")
CRESTS = ("budded", "eared")
LEVELS = {
    "age": (0.8, 1.4, 2.0, 2.3, 2.6, 2.9, 3.2, 3.5, 3.8, 4.4),
    "smiling": (-2.5, -1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0),
    "lighting": (-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    "pose": (-3.0, -1.5, 0.0, 1.5, 3.0),
}
NEUTRAL = {"age": 2.6, "smiling": 0.0, "lighting": 2.0, "pose": 0.0}
RANGES = {axis: (levels[0], levels[-1]) for axis, levels in LEVELS.items()}
CATEGORIES = ("flower", "insect", "instrument", "weapon", "pleasant", "unpleasant")

# Portraits per hue and crest: the sizes of the Chicago Face Database's four groups (White 183, Asian 109,
# Black 197, Latino 108; women first). Only the sizes are borrowed; a hue stands for nobody.
PORTRAITS = {"teal": (90, 93), "amber": (57, 52), "violet": (104, 93), "lime": (56, 52)}
_FIRST_PORTRAIT = 1_000_000  # identities no other set uses


def _positive(name: str, value) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r} must be a whole number of at least 1")
    return int(value)


def causalface(seeds: int = 100, *, hues=HUES[:3]) -> pd.DataFrame:
    """Every face of the grid: 30 per seed × hue × crest, each attribute varied alone from one prototype.

    Parameters
    ----------
    seeds : number of identities, seeds 0 to seeds - 1; 100 give the 18,000 of the paper.
    hues : the hues, three as in CausalFace; `HUES` for all four.

    Returns
    -------
    DataFrame with seed, race, gender, age, smiling, lighting, pose and subset ("prototype", or the attribute
    that differs from the prototype). A paper's "age subset" is the rows of subset age AND prototype.
    """
    unknown = [hue for hue in hues if hue not in HUES]
    if unknown:
        raise ValueError(f"unknown hue {unknown[0]!r}; choose from {', '.join(HUES)}")
    variants = [{**NEUTRAL, "subset": "prototype"}]
    for axis, levels in LEVELS.items():
        variants += [{**NEUTRAL, axis: level, "subset": axis} for level in levels if level != NEUTRAL[axis]]
    people = product(range(_positive("seeds", seeds)), hues, CRESTS)
    return pd.DataFrame([{"seed": seed, "race": hue, "gender": crest, **variant}
                         for seed, hue, crest in people for variant in variants])


def cfd() -> pd.DataFrame:
    """Four hues, one neutral photo per individual: 597 rows in the group sizes of `PORTRAITS`.

    The columns of `causalface`, plus `photo`: the number from which the photo's own nuisance is drawn.
    """
    rows = [{"race": hue, "gender": crest}
            for hue, sizes in PORTRAITS.items() for crest, size in zip(CRESTS, sizes, strict=True)
            for _ in range(size)]
    table = pd.DataFrame(rows)
    table.insert(0, "seed", _FIRST_PORTRAIT + np.arange(len(table)))
    return table.assign(**NEUTRAL, subset="prototype", photo=table["seed"])


def icons(per_kind: int = 40) -> pd.DataFrame:
    """`per_kind` exemplars of every category of `CATEGORIES`: columns category and exemplar (0, 1, …)."""
    exemplars = range(_positive("per_kind", per_kind))
    return pd.DataFrame(list(product(CATEGORIES, exemplars)), columns=["category", "exemplar"])
