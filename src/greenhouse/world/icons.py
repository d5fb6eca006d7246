"""Schematic things and scenes by formula: what faces are compared with, and what they are told apart from.

Comes in: a table with one row per picture: category and exemplar.
Goes out: pictures, uint8 `(n, size, size, 3)`, a function of each row alone.
May not: show a face or a hue's colour on purpose; colours are drawn from the exemplar.

Each category has three motifs; exemplar k shows motif k mod 3, in its own colours, position and turn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from . import nuisance as dice
from . import objects, scenes
from . import photo as picture
from .brush import Brush
from .grid import CATEGORIES
from .nuisance import Nuisance

_CHUNK = 48
MOTIFS: dict[str, tuple[Callable[[Brush], None], ...]] = {
    "flower": (objects.daisy, objects.tulip, objects.bells),
    "insect": (objects.beetle, objects.butterfly, objects.wasp),
    "instrument": (objects.lute, objects.drum, objects.keys),
    "weapon": (objects.sword, objects.axe, objects.bow),
    "pleasant": (scenes.meadow, scenes.rainbow, scenes.bay),
    "unpleasant": (scenes.storm, scenes.blight, scenes.fire),
}


def render(table: pd.DataFrame, size: int = 64, *, nuisance: Nuisance | None = None) -> np.ndarray:
    """Paint one thing or scene per row.

    Parameters
    ----------
    table : columns category (one of `grid.CATEGORIES`) and exemplar (0 to 2³² - 1); an optional column photo
        (same range) gives each row its own framing, exposure, tint and noise.
    size : edge in pixels.
    nuisance : amplitudes; default those of `data/greenhouse/nuisance.yaml`.

    Returns
    -------
    uint8 array (n, size, size, 3).

    Raises
    ------
    ValueError : unknown category, an exemplar that is no 32-bit number, a missing column.
    """
    for name in ("category", "exemplar"):
        if name not in table:
            raise ValueError(f"the table lacks the column {name!r}; an icon needs category and exemplar")
    unknown = [value for value in dict.fromkeys(table["category"]) if value not in CATEGORIES]
    if unknown:
        raise ValueError(f"unknown category {unknown[0]!r}; choose from {', '.join(CATEGORIES)}")
    dice.check_numbers(table, ("exemplar", "photo"))
    dice.check_size(size)
    nuisance = nuisance or dice.load()
    exemplar = np.asarray(table["exemplar"]).astype(np.uint64)
    photo = np.asarray(table["photo"]).astype(np.uint64) if "photo" in table else None
    category = np.asarray(table["category"])
    pictures = np.empty((len(table), size, size, 3), np.uint8)
    for kind, motifs in MOTIFS.items():
        for number, motif in enumerate(motifs):
            rows = np.flatnonzero((category == kind) & (exemplar % np.uint64(len(motifs)) == number))
            for start in range(0, len(rows), _CHUNK):
                some = rows[start:start + _CHUNK]
                # another category's exemplar of the same number is another picture
                seed = exemplar[some] ^ np.uint64(0x9E3779B9 * (1 + CATEGORIES.index(kind)) & 0xFFFFFFFF)
                own = picture.of_row(seed, None if photo is None else photo[some])
                canvas = picture.framed(seed, own, size, nuisance)
                picture.backdrop(canvas, seed, nuisance)
                motif(Brush(canvas, seed))
                picture.develop(canvas, seed, own, nuisance)
                pictures[some] = canvas.finish()
    return pictures
