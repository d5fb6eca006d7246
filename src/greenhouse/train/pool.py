"""The training pool: faces and icons rendered once, kept in the cache, shared by every model of a recipe.

Comes in: a recipe. Goes out: the rows and a memory-mapped uint8 array of their pictures.
May not: contain an identity that any evaluation shows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from greenhouse.train.recipe import Recipe
from greenhouse.world import faces, grid, icons, nuisance, truth
from vlmbias import paths
from vlmbias.whole_files import replacing

FIRST_SEED = 10_000_000  # training identities; the image sets use 0 to 99 and 1,000,000 and above
HELD_OUT_SEED = 20_000_000  # identities of gates and of the dose–response panel
FIRST_EXEMPLAR, HELD_OUT_EXEMPLAR = 100_000, 200_000


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows and pictures, the first `n_faces` of them faces, the rest icons."""

    rows: pd.DataFrame
    pictures: np.ndarray
    n_faces: int


def random_icons(n: int, *, first_exemplar: int) -> pd.DataFrame:
    """Icons of all categories in turn. Exemplars count within a category, so every motif comes equally often.

    With n a multiple of 6 x `icons.MOTIFS_PER_CATEGORY` the numbers are equal; else they differ by at most one.
    """
    number = np.arange(n) // len(grid.CATEGORIES)
    return pd.DataFrame({"category": np.resize(grid.CATEGORIES, n), "exemplar": first_exemplar + number})


def load(recipe: Recipe, *, folder: Path | None = None) -> Pool:
    """The pool of a recipe, rendered on first use and kept in `folder` (default: the cache).

    Every second face has the nuisance of a photo on top of that of its identity, as portraits have.
    """
    people = truth.population(recipe.faces, first_seed=FIRST_SEED)
    things = random_icons(recipe.icons, first_exemplar=FIRST_EXEMPLAR)
    rows = pd.concat([people, things], ignore_index=True)
    file = (folder or paths.cache() / "greenhouse") / f"pool-{_key(recipe)}.npy"
    if not file.exists():
        pictures = np.concatenate([render_faces(people, recipe.image_size), icons.render(things, recipe.image_size)])
        with replacing(file) as draft, draft.open("wb") as stream:
            np.save(stream, pictures)
    return Pool(rows, np.load(file, mmap_mode="r", allow_pickle=False), recipe.faces)


def render_faces(people: pd.DataFrame, size: int) -> np.ndarray:
    """Every second face as a photo, the others clean."""
    pictures = np.empty((len(people), size, size, 3), np.uint8)
    pictures[::2] = faces.render(people.iloc[::2], size)
    photos = people.iloc[1::2]
    pictures[1::2] = faces.render(photos.assign(photo=photos["seed"]), size)
    return pictures


def _key(recipe: Recipe) -> str:
    digest = hashlib.sha256(repr((2, recipe.faces, recipe.icons, recipe.image_size, nuisance.load())).encode())
    for module in sorted(Path(faces.__file__).parent.glob("*.py")):
        if module.stem not in ("grammar", "bias", "truth"):
            digest.update(module.read_bytes())
    return digest.hexdigest()[:12]
