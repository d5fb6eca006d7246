"""Schematic things and scenes by formula: what faces are compared with, and what they are told
apart from.

Comes in: a table with one row per picture: category and exemplar.
Goes out: pictures, uint8 `(n, size, size, 3)`, a function of each row alone.
May not: show a face or a hue's colour on purpose; colours are drawn from the exemplar.

Each category has 25 motifs; exemplar k shows motif k mod 25, in its own colours, place, turn and
proportions.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from . import flowers, insects, instruments, pleasant, unpleasant, weapons
from . import nuisance as dice
from . import photo as picture
from .brush import Brush
from .drawing import Drawing
from .grid import CATEGORIES
from .nuisance import Nuisance
from .scenery import Scene

_CHUNK = 48
_TURN = 0.3  # things are tilted by up to 33 degrees to either side, alike in every category
MOTIFS_PER_CATEGORY = 25
MOTIFS: dict[str, dict[str, Drawing] | dict[str, Scene]] = {
    "flower": flowers.DRAWINGS,
    "insect": insects.DRAWINGS,
    "instrument": instruments.DRAWINGS,
    "weapon": weapons.DRAWINGS,
    "pleasant": pleasant.SCENES,
    "unpleasant": unpleasant.SCENES,
}
THEMES: dict[str, tuple[str, ...]] = {
    category: tuple(motifs) for category, motifs in MOTIFS.items()
}


def render(table: pd.DataFrame, size: int = 64, *, nuisance: Nuisance | None = None) -> np.ndarray:
    """Paint one thing or scene per row.

    Parameters
    ----------
    table : columns category (one of `grid.CATEGORIES`) and exemplar (0 to 2³² - 1); an optional
        column photo (same range) gives each row its own framing, exposure, tint and noise.
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
            raise ValueError(
                f"the table lacks the column {name!r}; an icon needs category and exemplar"
            )
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
    shown = motif_of(table)
    for kind, motifs in MOTIFS.items():
        for number, motif in enumerate(motifs.values()):
            rows = np.flatnonzero((category == kind) & (shown == number))
            for start in range(0, len(rows), _CHUNK):
                some = rows[start : start + _CHUNK]
                # another category's exemplar of the same number is another picture
                seed = exemplar[some] ^ np.uint64(
                    0x9E3779B9 * (1 + CATEGORIES.index(kind)) & 0xFFFFFFFF
                )
                own = picture.of_row(seed, None if photo is None else photo[some])
                canvas = picture.framed(seed, own, size, nuisance)
                if isinstance(motif, Scene):
                    brush = Brush(canvas, seed)
                    brush.sky(motif.top, motif.bottom)
                    brush.draw(motif.drawing)
                else:
                    picture.backdrop(canvas, seed, nuisance)
                    Brush(canvas, seed, turn=_TURN).draw(motif)
                picture.develop(canvas, seed, own, nuisance)
                pictures[some] = canvas.finish()
    return pictures


def motif_of(table: pd.DataFrame) -> np.ndarray:
    """The motif that each row shows.

    Parameters
    ----------
    table : column exemplar (0 to 2³² - 1).

    Returns
    -------
    int array (n,), 0 to 24: the place of the motif's name in `THEMES[category]`.
    """
    return (
        np.asarray(table["exemplar"]).astype(np.uint64) % np.uint64(MOTIFS_PER_CATEGORY)
    ).astype(int)
