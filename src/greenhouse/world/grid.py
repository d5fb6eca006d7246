"""Tables of what there is to render: the CausalFace grid, the four-hue portraits, the icons,
uncontrolled samples.

Columns keep the papers' names (race, gender), their values are fictional. Attribute levels are the
scale values of CausalFace (Hausladen et al. 2025, `precalculate_cossims.py`). The neutral prototype
that the four series of a seed share has smiling 0 and pose 0, and for age and lighting, which have
an even number of levels, the lower of the two middle ones: the release does not say where its
prototypes lie.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from . import bias
from .groups import CRESTS, HUES, THREE
from .nuisance import uniform

LEVELS = {
    "age": (0.8, 1.4, 2.0, 2.3, 2.6, 2.9, 3.2, 3.5, 3.8, 4.4),
    "smiling": (-2.5, -1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0),
    "lighting": (-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0),
    "pose": (-3.0, -1.5, 0.0, 1.5, 3.0),
}
NEUTRAL = {"age": 2.6, "smiling": 0.0, "lighting": 2.0, "pose": 0.0}
RANGES = {axis: (levels[0], levels[-1]) for axis, levels in LEVELS.items()}
CATEGORIES = ("flower", "insect", "instrument", "weapon", "pleasant", "unpleasant")

# Portraits per hue and crest. The totals of the hues are the sizes of the four groups in the
# Chicago Face Database (183, 109, 197, 108); the split between crests is ours. Only the sizes are
# borrowed; a hue stands for nobody.
PORTRAITS = dict(zip(HUES, ((92, 91), (55, 54), (99, 98), (54, 54)), strict=True))
_FIRST_PORTRAIT = 1_000_000  # identities no other set uses


def _positive(name: str, value) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r} must be a whole number of at least 1")
    return int(value)


def causalface(seeds: int = 100, *, hues=THREE) -> pd.DataFrame:
    """Every face of the grid: 30 per seed × hue × crest, each attribute varied alone from one
    prototype.

    Parameters
    ----------
    seeds : number of identities, seeds 0 to seeds - 1; 100 give the 18,000 of the paper.
    hues : the hues, three as in CausalFace; `HUES` for all four.

    Returns
    -------
    DataFrame with seed, race, gender, age, smiling, lighting, pose and subset ("prototype", or the
    attribute
    that differs from the prototype). A paper's "age subset" is the rows of subset age AND
    prototype.
    """
    unknown = [hue for hue in hues if hue not in HUES]
    if unknown:
        raise ValueError(f"unknown hue {unknown[0]!r}; choose from {', '.join(HUES)}")
    variants = [{**NEUTRAL, "subset": "prototype"}]
    for axis, levels in LEVELS.items():
        variants += [
            {**NEUTRAL, axis: level, "subset": axis} for level in levels if level != NEUTRAL[axis]
        ]
    people = product(range(_positive("seeds", seeds)), hues, CRESTS)
    return pd.DataFrame(
        [
            {"seed": seed, "race": hue, "gender": crest, **variant}
            for seed, hue, crest in people
            for variant in variants
        ]
    )


def cfd() -> pd.DataFrame:
    """Four hues, one neutral photo per individual: 597 rows in the group sizes of `PORTRAITS`.

    The columns of `causalface`, plus `photo`: the number from which the photo's own nuisance is
    drawn.
    """
    rows = [
        {"race": hue, "gender": crest}
        for hue, sizes in PORTRAITS.items()
        for crest, size in zip(CRESTS, sizes, strict=True)
        for _ in range(size)
    ]
    table = pd.DataFrame(rows)
    table.insert(0, "seed", _FIRST_PORTRAIT + np.arange(len(table)))
    return table.assign(**NEUTRAL, subset="prototype", photo=table["seed"])


def icons(per_kind: int = 50) -> pd.DataFrame:
    """`per_kind` exemplars of every category of `CATEGORIES`: columns category and exemplar (0, 1,
    …).

    The default shows each of a category's 25 motifs twice.
    """
    exemplars = range(_positive("per_kind", per_kind))
    return pd.DataFrame(list(product(CATEGORIES, exemplars)), columns=["category", "exemplar"])


# How the uncontrolled samples come about. Every number is our invention; only the kind of
# dependence is
# borrowed: in sets of found photographs groups differ in size, age, expression and light, and
# expression goes along with age. Shares of the hues and of the second crest within them; middles of
# the attributes, and what shifts them per hue, per crest, or per unit of the feature `age` (which
# runs from -1 to 1).
# `garment` is recorded nowhere. It is a tendency, cut off at -1 and 1: with probability |tendency|
# x unrecorded the individual is the one of six candidates in the warmest (negative: coldest)
# garment, else the first of them. A warm garment makes communion likelier in captions, at every b,
# and here it goes along with hue, age and smiling.
def _hues(*values: float) -> dict[str, float]:
    """The values of the hues, in their order; a hue without one is left out."""
    return dict(zip(HUES, values, strict=False))


def _crests(*values: float) -> dict[str, float]:
    return dict(zip(CRESTS, values, strict=True))


OBSERVED = {
    "fairface": {
        "share": _hues(0.31, 0.34, 0.26, 0.09),
        "second crest": _hues(0.53, 0.47, 0.50, 0.50),
        "age": {"middle": 2.4, **_hues(0.15, -0.10, -0.05), **_crests(-0.20, 0.20)},
        "smiling": {"middle": 0.8, **_crests(0.45, -0.45), "age": -0.8},
        "lighting": {"middle": 2.4, **_hues(0.5, 0.0, -0.5)},
        "garment": {**_hues(0.4, 0.0, -0.4), "age": -0.6, "smiling": 0.7},
    },
    "utkface": {
        "share": _hues(0.52, 0.18, 0.24, 0.06),
        "second crest": _hues(0.54, 0.45, 0.52, 0.50),
        "age": {"middle": 2.6, **_hues(0.30, -0.35, -0.05), **_crests(-0.25, 0.25)},
        "smiling": {"middle": 0.6, **_crests(0.30, -0.30), "age": -0.8},
        "lighting": {"middle": 2.2, **_hues(0.3, 0.2, -0.7)},
        "garment": {**_hues(0.4, 0.0, -0.4), "age": -0.6, "smiling": 0.7},
    },
}
_SPREAD = {
    "age": 4.5,
    "smiling": 7.0,
    "lighting": 9.0,
    "pose": 8.0,
}  # of the bell below, from end to end
_CANDIDATES = 6
AGE_BINS = {
    "0-2": (0, 1.0),
    "3-9": (3, 6.0),
    "10-19": (10, 14.5),
    "20-29": (20, 24.5),
    "30-39": (30, 34.5),
    "40-49": (40, 44.5),
    "50-59": (50, 54.5),
    "60-69": (60, 64.5),
    "more than 70": (70, 70.0),
}
"""FairFace's bins: the first year of each, and the number that stands for it."""


def years(age) -> np.ndarray:
    """What a level of age would be in years: 1 at the lowest, 20 more per unit, 73 at the
    highest."""
    return 1 + 20 * (np.asarray(age, float) - RANGES["age"][0])


def _bell(people: np.ndarray, name: str) -> np.ndarray:
    """Bell-shaped numbers between -1/2 and 1/2: the mean of four uniform ones, less a half."""
    return (
        np.mean([uniform(people, f"{name} {turn}").astype(float) for turn in range(4)], axis=0)
        - 0.5
    )


def _shift(shifts: dict, table: pd.DataFrame, table_bias: bias.BiasTable) -> np.ndarray:
    """What hue, crest, age and smiling add to something, `(n,)`."""
    hue, crest = (table[name].map(shifts).astype(float).fillna(0.0) for name in ("race", "gender"))
    group = (hue + crest).to_numpy()
    features = [
        shifts[name] * table_bias.feature(name, table)
        for name in ("age", "smiling")
        if name in shifts
    ]
    return group + sum(features, np.zeros(len(table)))


def observational(
    kind: str, n: int = 2_000, seed: int = 0, *, unrecorded: float = 1.0
) -> pd.DataFrame:
    """An uncontrolled sample: one photo each of `n` individuals whose attributes depend on hue and
    crest.

    Parameters
    ----------
    kind : "fairface" (hues of similar sizes) or "utkface" (one hue in the majority); see
        `OBSERVED`.
    n, seed : how many individuals, and which sample; two samples may share a few individuals.
    unrecorded : strength of the confounder that no column records, the colour of the garment; in
        [0, 1].

    Returns
    -------
    The columns of `causalface`, subset "observational", plus `photo`. Attributes are continuous.
    """
    if kind not in OBSERVED:
        raise ValueError(f"unknown kind {kind!r}; choose from {', '.join(OBSERVED)}")
    if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**32:
        raise ValueError(f"seed={seed!r} must be a whole number from 0 to 4294967295")
    if not 0 <= unrecorded <= 1:
        raise ValueError(
            f"unrecorded={unrecorded!r} must be in [0, 1]; 0 leaves no unrecorded confounder"
        )
    made, n, world = OBSERVED[kind], _positive("n", n), bias.load()
    # an odd factor visits every 32-bit number once, so no individual occurs twice in a sample
    first = 2_000_000_000 + list(OBSERVED).index(kind) + int(seed) * 40_503
    steps = np.arange(n, dtype=np.uint64)[:, None] + np.arange(
        _CANDIDATES, dtype=np.uint64
    ) * np.uint64(2**29)
    candidates = np.uint64(first) + steps * np.uint64(2_654_435_761) & np.uint64(0xFFFFFFFF)
    people = candidates[:, 0]
    bounds = np.cumsum(list(made["share"].values()))[:-1]
    hue = np.asarray(list(made["share"]))[
        np.searchsorted(bounds, uniform(people, f"{kind} hue"), side="right")
    ]
    table = pd.DataFrame({"seed": people.astype(np.int64), "race": hue})
    second = np.asarray([made["second crest"][value] for value in hue])
    table["gender"] = np.asarray(CRESTS)[(uniform(people, f"{kind} crest") < second).astype(int)]
    for axis, (low, high) in RANGES.items():
        shifts = made.get(axis, {"middle": NEUTRAL[axis]})
        values = (
            shifts["middle"]
            + _shift(shifts, table, world)
            + _SPREAD[axis] * _bell(people, f"{kind} {axis}")
        )
        table[axis] = np.clip(values, low, high)
    tendency = unrecorded * np.clip(_shift(made["garment"], table, world), -1, 1)
    rows = pd.DataFrame({"seed": candidates.ravel().astype(np.int64)})
    warmth = (
        world.feature("warm_garment", rows).reshape(candidates.shape) * np.sign(tendency)[:, None]
    )
    chosen = np.where(
        uniform(people, f"{kind} garment") < np.abs(tendency), warmth.argmax(axis=1), 0
    )
    table["seed"] = candidates[np.arange(n), chosen].astype(np.int64)
    return table.assign(subset="observational", photo=table["seed"])


def fairface(n: int = 4_000, seed: int = 0, *, unrecorded: float = 1.0) -> pd.DataFrame:
    """`observational("fairface", …)` with age_bin, as FairFace has it, and years, the number that
    stands for the bin.

    Everybody is in it: lime individuals, and those under 20. Whom a study leaves out, it says
    itself.
    """
    table = observational("fairface", n, seed, unrecorded=unrecorded)
    starts, middles = zip(*AGE_BINS.values(), strict=True)
    place = np.searchsorted(starts, np.floor(years(table["age"])), side="right") - 1
    return table.assign(years=np.asarray(middles)[place], age_bin=np.asarray(list(AGE_BINS))[place])


def utkface(n: int = 3_000, seed: int = 0, *, unrecorded: float = 1.0) -> pd.DataFrame:
    """`observational("utkface", …)` with years, whole as in UTKFace; everybody is in it, as in
    `fairface`."""
    table = observational("utkface", n, seed, unrecorded=unrecorded)
    return table.assign(years=np.floor(years(table["age"])))
