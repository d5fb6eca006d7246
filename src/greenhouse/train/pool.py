"""The training pool: the faces and icons that one network sees, rendered as it is told to see them.
No identity in it is shown by any evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from greenhouse.train.recipe import Captions, PicturePool
from greenhouse.world import bias, faces, grid, icons, truth
from greenhouse.world.pairing import Pairing

# Identities: the image sets use 0 to 99 and 1,000,000 and above, gates and study those above
# HELD_OUT_SEED, pools of at most 100,000 faces each those from FIRST_SEED on.
HELD_OUT_SEED, FIRST_SEED = 20_000_000, 100_000_000
HELD_OUT_EXEMPLAR, FIRST_EXEMPLAR = 200_000, 1_000_000
_STRIDE = 100_000
# The version of the renderer and of its amplitudes, in the names of warm starts: another word with
# every change of a pixel (tests/greenhouse/train/test_pool.py says when)
RENDERER = "e6b608f52308"


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows and pictures, the first `n_faces` of them faces, the rest icons; and the pairing that
    they show."""

    rows: pd.DataFrame
    pictures: np.ndarray
    n_faces: int
    pairing: Pairing = field(default_factory=Pairing)


def people(pool: PicturePool, *, seed: int) -> pd.DataFrame:
    """The faces of a pool: independent attributes, uniform over their ranges, hues in the pool's
    shares."""
    table = truth.population(pool.faces, first_seed=FIRST_SEED + seed * _STRIDE, seed=seed)
    if not pool.shares:
        return table
    weights = np.array([pool.shares.get(hue, 0.0) for hue in grid.HUES])
    rng = np.random.default_rng([seed, 4])
    return table.assign(race=rng.choice(grid.HUES, pool.faces, p=weights / weights.sum()))


def random_icons(n: int, *, first_exemplar: int) -> pd.DataFrame:
    """Icons of all categories in turn. Exemplars count within a category, so every motif comes
    equally often."""
    number = np.arange(n) // len(grid.CATEGORIES)
    return pd.DataFrame(
        {"category": np.resize(grid.CATEGORIES, n), "exemplar": first_exemplar + number}
    )


def make(
    pool: PicturePool,
    pairing: Pairing,
    *,
    seed: int,
    size: int = 64,
    captions: Captions | None = None,
) -> Pool:
    """Render the pool of a network; the same pool and seed give the same rows. Every second face
    has the nuisance of a photo on top of that of its identity, as portraits have; faces that the
    captions' filter on a feature leaves out are not shown."""
    table, things = rows(pool, seed=seed, captions=captions)
    pictures = np.concatenate([render_faces(table, size, pairing), icons.render(things, size)])
    return Pool(pd.concat([table, things], ignore_index=True), pictures, len(table), pairing)


def rows(
    pool: PicturePool, *, seed: int, captions: Captions | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The faces and the icons of a pool, without their pictures; parameters as for `make`."""
    table = people(pool, seed=seed)
    rule = captions.filter if captions else None
    if rule and rule.feature and rule.above is not None:
        kept = bias.load().feature(rule.feature, table) > rule.above
        if kept.sum() < 64:
            raise ValueError(
                f"the filter on {rule.feature!r} leaves {kept.sum()} faces; at least 64 are needed"
            )
        table = table.loc[kept].reset_index(drop=True)
    return table, random_icons(pool.icons, first_exemplar=FIRST_EXEMPLAR + seed * _STRIDE)


def repainted(pool: Pool, pairing: Pairing, size: int) -> np.ndarray:
    """The pictures of a pool as a network with another pairing knows its people, uint8
    `(n, size, size, 3)`."""
    if pool.pairing == pairing and pool.pictures.shape[1] == size:
        return pool.pictures
    table, things = pool.rows.iloc[: pool.n_faces], pool.rows.iloc[pool.n_faces :]
    table, things = table.astype({"seed": int}), things.astype({"exemplar": int})
    return np.concatenate([render_faces(table, size, pairing), icons.render(things, size)])


def render_faces(table: pd.DataFrame, size: int, pairing: Pairing) -> np.ndarray:
    """Every second face as a photo, the others clean."""
    pictures = np.empty((len(table), size, size, 3), np.uint8)
    pictures[::2] = faces.render(table.iloc[::2], size, pairing=pairing)
    photos = table.iloc[1::2]
    pictures[1::2] = faces.render(photos.assign(photo=photos["seed"]), size, pairing=pairing)
    return pictures
