"""Schematic things and scenes: what faces are compared with, and what they are told apart from.

Each category has 25 motifs (`data/greenhouse/icons/`); exemplar k shows motif k mod 25, in its own
colours, place, turn and proportions. Pictures are a function of each row alone.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from . import drawing, painting
from . import nuisance as dice
from . import photo as picture
from .drawing import PAINTS, Motif
from .grid import CATEGORIES
from .nuisance import Nuisance, spread
from .painting import Canvas, Shape, colour, column, direction, mix

_CHUNK = 48
_TURN = 0.3  # things are tilted by up to 33 degrees to either side, alike in every category
SHADE = np.float32(0.65)  # how much of a paint's light its shade keeps
MOTIFS_PER_CATEGORY = 25
MOTIFS: dict[str, dict[str, Motif]] = {
    category: drawing.read(dice.DEFAULT_FILE.parent / "icons" / f"{category}.yaml")
    for category in CATEGORIES
}
THEMES: dict[str, tuple[str, ...]] = {
    category: tuple(motifs) for category, motifs in MOTIFS.items()
}


class Brush:
    """A canvas turned (by up to ± 90 degrees x `turn`, roughly), moved (by up to `drift`) and
    stretched for each exemplar."""

    def __init__(self, canvas: Canvas, seed: np.ndarray, *, turn: float = 0.0, drift: float = 2.5):
        self.canvas, self.seed, self.upright = canvas, seed, turn == 0
        self.along, self.across = direction(column(spread(seed, "tilt", turn)))
        self.place = [column(spread(seed, f"place {axis}", drift)) for axis in "xy"]
        self.stretch = [column(1 + spread(seed, f"stretch {axis}", 0.08)) for axis in "xy"]
        self._mixed: dict[str, np.ndarray] = {}

    def colour(self, paint: str) -> np.ndarray:
        """The exemplars' own tones of a paint, `(n, 3, 1, 1)`."""
        if paint not in self._mixed:
            name = paint.removesuffix(" shade")
            *middle, reach = PAINTS[name]
            tone = np.clip(
                colour(middle) + picture.shade(self.seed, name, -reach, reach, 1.0), 0, 1
            )
            self._mixed[name], self._mixed[name + " shade"] = tone, tone * SHADE
        return self._mixed[paint]

    def sky(self, top: str, bottom: str) -> None:
        """Cover the canvas with one paint that changes into another towards the bottom."""
        far = np.clip((self.canvas.y + 32) / 56, 0, 1) * np.ones_like(self.canvas.x)
        self.canvas.pixels[:] = mix(self.colour(top), self.colour(bottom), far[:, None])

    def show(self, motif: Motif) -> None:
        """Paint the sky of a scene, and the parts of the drawing one over the other."""
        if motif.sky:
            self.sky(*motif.sky)
        for part in motif.drawing:
            self.canvas.paint(self._held(part.shape), self.colour(part.paint))

    def _held(self, shape: Shape) -> Shape:
        """`shape` as each exemplar holds it."""
        (dx, dy), (wide, high), c, s = self.place, self.stretch, self.along, self.across
        if self.upright:
            left, top, right, bottom = shape.bounds
            return Shape(
                lambda x, y: shape((x - dx) / wide, (y - dy) / high),
                (left * wide + dx, top * high + dy, right * wide + dx, bottom * high + dy),
                1.2 * shape.blur,
            )
        corners = [(x * wide, y * high) for x in shape.bounds[::2] for y in shape.bounds[1::2]]
        bounds = painting.around(
            [x * c - y * s + dx for x, y in corners], [x * s + y * c + dy for x, y in corners], 0
        )

        def distance(x, y):
            x, y = x - dx, y - dy
            return shape((x * c + y * s) / wide, (y * c - x * s) / high)

        return Shape(distance, bounds, 1.2 * shape.blur)


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
                if not motif.sky:
                    picture.backdrop(canvas, seed, nuisance)
                Brush(canvas, seed, turn=0.0 if motif.sky else _TURN).show(motif)
                picture.develop(canvas, seed, own, nuisance)
                pictures[some] = canvas.finish()
    return pictures


def motif_of(table: pd.DataFrame) -> np.ndarray:
    """The motif that each row shows by its exemplar, 0 to 24: its place in `THEMES[category]`."""
    return (
        np.asarray(table["exemplar"]).astype(np.uint64) % np.uint64(MOTIFS_PER_CATEGORY)
    ).astype(int)
