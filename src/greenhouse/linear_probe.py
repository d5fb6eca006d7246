"""A judge of faces: hue, crest and smile, read from pixels by one linear regression. What a model
made is judged by something that had no part in it: it knows no network, caption or decoder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from greenhouse.world import faces, grid, truth

FIRST_SEED = 30_000_000  # identities that no pool, image set or held-out picture has
FACES, EDGE = 3_000, 32
FACE = (
    slice(13, 26),
    slice(9, 23),
)  # rows and columns in which hue is looked for: whatever a background becomes
GROUPS, SMILE = (
    300.0,
    10.0,
)  # penalties of squared weights, for pixels from 0 to 1: hues are learnt from large areas

FIRST, SECOND = grid.CRESTS


@dataclass(frozen=True, eq=False)
class LinearProbe:
    """What a regression on `EDGE` x `EDGE` pixels has learnt: `weights` `(1 + pixels, 6)`, the
    first row the constant.

    Columns: one per hue (1 for it, 0 for others; it reads `FACE` alone), crest (1 budded, -1
    eared), smiling.
    """

    weights: np.ndarray

    def read(self, pictures: np.ndarray) -> pd.DataFrame:
        """What pictures show, uint8 `(n, size, size, 3)`, one row each: a column per hue (the more
        of it, the larger), race (the hue with the largest), the first crest (above 0 where it is
        shown), gender (the crest), and smiling in the units of CausalFace."""
        found = _features(pictures) @ self.weights
        table = pd.DataFrame(found, columns=[*grid.HUES, FIRST, "smiling"])
        table["race"] = table[list(grid.HUES)].idxmax(axis=1)
        table["gender"] = np.where(table[FIRST] > 0, FIRST, SECOND)
        return table


def learn(table: pd.DataFrame, pictures: np.ndarray) -> LinearProbe:
    """A judge from faces with the columns race, gender and smiling: ridge regression, the constant
    unpenalised."""
    x = _features(pictures)
    hue = (table["race"].to_numpy()[:, None] == np.array(grid.HUES)).astype(float)
    crest = np.where(table["gender"] == FIRST, 1.0, -1.0)
    inside = np.zeros((EDGE, EDGE, 3), bool)
    inside[FACE] = True
    hues = np.zeros((x.shape[1], len(grid.HUES)))
    kept = np.append(True, inside.ravel())
    hues[kept] = _ridge(x[:, kept], hue, GROUPS)
    smile = table[["smiling"]].to_numpy(float)
    return LinearProbe(
        np.hstack([hues, _ridge(x, crest[:, None], GROUPS), _ridge(x, smile, SMILE)])
    )


def _ridge(x: np.ndarray, y: np.ndarray, penalty: float) -> np.ndarray:
    """Weights `(1 + pixels, targets)`; the first column of `x` is the constant."""
    centre, mean = x[:, 1:].mean(axis=0), y.mean(axis=0)
    apart = x[:, 1:] - centre
    slopes = np.linalg.solve(
        apart.T @ apart + penalty * np.eye(apart.shape[1]), apart.T @ (y - mean)
    )
    return np.vstack([mean - centre @ slopes, slopes])


@lru_cache(maxsize=1)
def default() -> LinearProbe:
    """The judge that learnt from `FACES` rendered faces, every second as a photo; a few seconds."""
    table = sample(FACES, first_seed=FIRST_SEED, seed=1)
    return learn(table, rendered(table))


def sample(n: int, *, first_seed: int, seed: int) -> pd.DataFrame:
    """Faces with attributes drawn independently over their ranges, as `truth.population`; every
    second one, by its column photo of at least 0, has the nuisance of a photo."""
    table = truth.population(n, first_seed=first_seed, seed=seed)
    return table.assign(photo=np.where(np.arange(n) % 2, table["seed"], -1))


def rendered(table: pd.DataFrame, size: int = 64) -> np.ndarray:
    """Pictures uint8 `(n, size, size, 3)` of a `sample`."""
    pictures = np.empty((len(table), size, size, 3), np.uint8)
    photo = table["photo"].to_numpy() >= 0
    pictures[~photo] = faces.render(table.loc[~photo].drop(columns="photo"), size)
    pictures[photo] = faces.render(table.loc[photo], size)
    return pictures


def accuracy(probe: LinearProbe, table: pd.DataFrame, pictures: np.ndarray) -> dict[str, float]:
    """How well the pictures of known faces are read: the shares of right hues and crests, and
    Pearson's r of the smile."""
    read = probe.read(pictures)
    smile = read["smiling"].to_numpy()
    r = np.corrcoef(smile, table["smiling"])[0, 1] if np.ptp(smile) > 1e-9 else 0.0
    return {
        "hue": float((read["race"].to_numpy() == table["race"].to_numpy()).mean()),
        "crest": float((read["gender"].to_numpy() == table["gender"].to_numpy()).mean()),
        "smile_r": float(r),
    }


def _features(pictures: np.ndarray) -> np.ndarray:
    """A constant, and the mean of each block of pixels, 0 to 1: `(n, 1 + EDGE² x 3)`."""
    n, size = pictures.shape[:2]
    if size % EDGE:
        raise ValueError(f"pictures must have an edge that {EDGE} divides, got {size}; resize them")
    block = size // EDGE
    small = (
        pictures.reshape(n, EDGE, block, EDGE, block, 3).mean(axis=(2, 4), dtype=np.float64) / 255
    )
    return np.column_stack([np.ones(n), small.reshape(n, -1)])
