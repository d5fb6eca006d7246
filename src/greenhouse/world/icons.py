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
from . import photo as picture
from .grid import CATEGORIES
from .nuisance import Nuisance, spread, uniform
from .painting import (
    Canvas, Shape, arch, around, box, colour, common, column, direction, ellipse, mix, ring, segment, triangle, wave,
)

_CHUNK = 48
_STEP = {5: (0.309017, 0.951057), 6: (0.5, 0.866025), 8: (0.707107, 0.707107)}  # cosine, sine of a turn's part
INK, WHITE = (0.10, 0.09, 0.12), (0.97, 0.96, 0.92)


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
    unknown = [value for value in pd.unique(table["category"]) if value not in CATEGORIES]
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


class Brush:
    """A canvas held at an angle, with the exemplar's colours at hand."""

    def __init__(self, canvas: Canvas, seed: np.ndarray):
        self.canvas, self.seed = canvas, seed
        self.upright()

    def upright(self) -> None:
        self.along, self.across = np.float32(1), np.float32(0)

    def turn(self, amount: float = 1.0) -> None:
        """Tilt what is painted next by up to ± 90 degrees × `amount`."""
        self.along, self.across = direction(column(spread(self.seed, "tilt", amount)))

    def number(self, name: str, low: float, high: float) -> np.ndarray:
        return column(uniform(self.seed, name)) * np.float32(high - low) + np.float32(low)

    def colour(self, name: str, low: float = 0.1, high: float = 0.95) -> np.ndarray:
        return picture.shade(self.seed, name, low, high, 1.0)

    def fill(self, shape: Shape, paint, opacity=None) -> None:
        """Paint `shape`, turned about the centre with the canvas; `paint` is a colour or `(n, 3, 1, 1)`."""
        cosine, sine = self.along, self.across
        corners = [(x, y) for x in shape.bounds[::2] for y in shape.bounds[1::2]]
        xs, ys = [x * cosine - y * sine for x, y in corners], [x * sine + y * cosine for x, y in corners]
        turned = Shape(lambda x, y: shape(x * cosine + y * sine, y * cosine - x * sine), around(xs, ys, 0), shape.blur)
        self.canvas.paint(turned, colour(paint) if isinstance(paint, tuple) else paint, opacity)


def _daisy(brush: Brush) -> None:
    petal, count = brush.colour("petal", 0.3, 1.0), 6 + 2 * (brush.number("count", 0, 1) > 0.5)
    brush.fill(segment(0, 0, 3, 32, 1.3), (0.16, 0.45, 0.18))
    brush.turn(0.4)
    reach = brush.number("reach", 10, 13)
    for number in (6, 8):
        cosine, sine = _STEP[number]
        u, v = 1.0, 0.0
        for _ in range(number):
            brush.fill(ellipse(reach * u, reach * v - 4, 6.2, 6.2), petal, count == number)
            u, v = u * cosine - v * sine, u * sine + v * cosine
    brush.fill(ellipse(0, -4, 6.5, 6.5), brush.colour("heart", 0.1, 0.5))


def _tulip(brush: Brush) -> None:
    petal = brush.colour("petal", 0.3, 1.0)
    brush.fill(segment(0, 0, 1, 32, 1.4), (0.16, 0.45, 0.18))
    brush.fill(ellipse(-7, 21, 2.6, 9), (0.20, 0.52, 0.22))
    brush.fill(ellipse(7, 19, 2.6, 9), (0.20, 0.52, 0.22))
    brush.fill(ellipse(0, -6, 11, 11), petal)
    for x in (-9, 9):
        brush.fill(triangle(x - 5, -8, x, -23, x + 5, -8, 0.8), petal)
    brush.fill(triangle(-6, -6, 0, -21, 6, -6, 0.8), petal * np.float32(0.82))


def _bells(brush: Brush) -> None:
    petal = brush.colour("petal", 0.3, 1.0)
    brush.fill(arch(0, 6, 18, -34, 1.1), (0.16, 0.45, 0.18))
    for x, y in ((-15, -3), (0, -18), (15, -3)):
        brush.fill(ellipse(x, y, 6, 6), petal)
        for dx in (-4.5, 0, 4.5):
            brush.fill(triangle(x + dx - 2.5, y + 2, x + dx + 2.5, y + 2, x + dx, y + 11, 0.6), petal)
        brush.fill(ellipse(x, y + 9, 1.4, 1.4), WHITE)


def _legs(brush: Brush, reach: float) -> None:
    for y, drift in ((-6, -5), (1, 1), (8, 7)):
        for side in (-1, 1):
            brush.fill(segment(side * 5, y, side * reach, y + drift, 0.9), INK)


def _beetle(brush: Brush) -> None:
    brush.turn()
    shell = brush.colour("shell", 0.1, 0.8)
    _legs(brush, 19)
    brush.fill(ellipse(0, -13, 6, 5), INK)
    brush.fill(ellipse(0, 3, 12.5, 15), shell)
    brush.fill(segment(0, -11, 0, 18, 0.6), INK)
    for x, y in ((-6, -2), (6, -2), (-5, 8), (5, 8)):
        brush.fill(ellipse(x, y, 2.4, 2.4), INK, opacity=column(uniform(brush.seed, "spots") > 0.4))


def _butterfly(brush: Brush) -> None:
    brush.turn()
    wing, spot = brush.colour("wing", 0.2, 1.0), brush.colour("spot")
    for side in (-1, 1):
        brush.fill(ellipse(side * 12.5, -7, 11.5, 10.5), wing)
        brush.fill(ellipse(side * 10, 10, 8.5, 8), wing * np.float32(0.85))
        brush.fill(ellipse(side * 13, -7, 4.5, 4.5), spot)
        brush.fill(ellipse(side * 10, 10, 3, 3), spot)
        brush.fill(segment(0, -11, side * 6, -20, 0.6), INK)
    brush.fill(ellipse(0, 0, 2.4, 13), INK)


def _wasp(brush: Brush) -> None:
    brush.turn()
    band = brush.colour("band", 0.4, 1.0)
    _legs(brush, 15)
    for side in (-1, 1):
        brush.fill(ellipse(side * 12, -3, 10, 4.5), (0.86, 0.92, 0.97), opacity=0.85)
    brush.fill(ellipse(0, -15, 5, 4.5), INK)
    brush.fill(ellipse(0, -6, 6, 6.5), band * np.float32(0.7))
    body = ellipse(0, 10, 7.5, 13)
    brush.fill(body, band)
    brush.fill(common(body, lambda x, y: -4 * wave(y / 7)), INK)


def _lute(brush: Brush) -> None:
    brush.turn(0.8)
    wood = brush.colour("wood", 0.2, 0.8)
    brush.fill(box(0, -14, 2.3, 15, 0.5), INK)
    brush.fill(box(0, -27, 4, 3.5, 1), wood * np.float32(0.6))
    brush.fill(ellipse(0, 3, 9, 8), wood)
    brush.fill(ellipse(0, 14, 12.5, 11), wood)
    brush.fill(ellipse(0, 7, 4, 4), INK)
    for x in (-1.2, 1.2):
        brush.fill(segment(x, -26, x, 18, 0.35), WHITE)
    brush.fill(box(0, 18, 5.5, 1.2, 0.3), INK)


def _drum(brush: Brush) -> None:
    brush.turn(0.25)
    side, trim = brush.colour("side"), brush.colour("trim")
    brush.fill(ellipse(0, 17, 18, 6), side)
    brush.fill(box(0, 7, 18, 11), side)
    for x in (-12, -4, 4, 12):
        brush.fill(segment(x - 4, -1, x, 20, 0.7), trim)
        brush.fill(segment(x + 4, -1, x, 20, 0.7), trim)
    brush.fill(ellipse(0, -4, 18, 6.5), WHITE)
    brush.fill(ring(ellipse(0, -4, 18, 6.5), 1.1), trim)
    for way in (-1, 1):
        brush.fill(segment(way * 3, -6, way * 17, -24, 1.1), INK)
        brush.fill(ellipse(way * 3, -6, 2.4, 2.0), INK)


def _keys(brush: Brush) -> None:
    brush.turn(0.5)
    brush.fill(box(0, 0, 27, 15, 2), brush.colour("case", 0.1, 0.8))
    brush.fill(box(0, 2.5, 24, 11, 0.5), WHITE)
    for step in range(-3, 4):
        brush.fill(segment(step * 6.8 + 3.4, -8, step * 6.8 + 3.4, 13.5, 0.4), INK)
        if step not in (-1, 3):
            brush.fill(box(step * 6.8 + 3.4, -2.5, 1.9, 6, 0.3), INK)


def _sword(brush: Brush) -> None:
    brush.turn()
    steel, wide = brush.colour("steel", 0.6, 0.9), brush.number("wide", 2.6, 4.2)
    brush.fill(box(0, -6, wide, 15), steel)
    brush.fill(triangle(-wide, -21, 0, -30, wide, -21), steel)
    brush.fill(segment(0, -27, 0, 9, 0.5), (0.40, 0.41, 0.45))
    brush.fill(box(0, 11, 10, 1.9, 0.8), brush.colour("guard", 0.1, 0.6))
    brush.fill(box(0, 18, 2.2, 6, 0.4), brush.colour("grip", 0.05, 0.45))
    brush.fill(ellipse(0, 26, 3.2, 3.2), brush.colour("guard", 0.1, 0.6))


def _axe(brush: Brush) -> None:
    brush.turn()
    steel = brush.colour("steel", 0.6, 0.9)
    brush.fill(box(0, 2, 1.8, 27, 0.5), brush.colour("shaft", 0.15, 0.5))
    for side in (-1, 1):
        blade = ellipse(side * 9, -14, 11, 12)
        for y in (-28, 0):
            notch = ellipse(side * 5, y, 9, 8)
            blade = common(blade, lambda x, y, notch=notch: -notch(x, y))
        outer_half = common(blade, box(side * 12, -14, 12, 20))
        brush.fill(outer_half, steel, opacity=1.0 if side < 0 else column(uniform(brush.seed, "double") > 0.5))


def _bow(brush: Brush) -> None:
    brush.turn()
    wood = brush.colour("wood", 0.1, 0.5)
    brush.fill(arch(0, -6, 25, -17, 1.4), wood)
    brush.fill(segment(-25, 2, 25, 2, 0.5), WHITE)
    brush.fill(segment(0, -26, 0, 22, 0.9), INK)
    brush.fill(triangle(-4, -22, 0, -31, 4, -22), brush.colour("steel", 0.6, 0.9))
    for side in (-1, 1):
        brush.fill(segment(0, 18, side * 4, 24, 1.1), brush.colour("feather", 0.3, 0.95))


def _scene(brush: Brush, sky, ground) -> None:
    """A sky that pales towards the horizon, and a hill."""
    canvas = brush.canvas
    pale = np.clip((canvas.y + 32) / 60, 0, 1) * np.ones_like(canvas.x)
    canvas.pixels[:] = mix(sky, mix(sky, np.float32(1), np.float32(0.6)), pale[:, None])
    brush.fill(ellipse(brush.number("hill", -14, 14), 38, 46, brush.number("height", 18, 26)), ground)


def _rays(brush: Brush, x, y) -> None:
    for dx, dy in ((1, 0), (0.707, 0.707), (0, 1), (-0.707, 0.707), (-1, 0), (-0.707, -0.707), (0, -1), (0.707, -0.707)):
        brush.fill(segment(x + 10.5 * dx, y + 10.5 * dy, x + 14 * dx, y + 14 * dy, 0.9), (1.0, 0.86, 0.30))


def _meadow(brush: Brush) -> None:
    x = brush.number("sun", -12, 12)
    _scene(brush, colour((0.42, 0.72, 0.96)), brush.colour("ground", -0.08, 0.08) + colour((0.42, 0.76, 0.30)))
    _rays(brush, x, -14)
    brush.fill(ellipse(x, -14, 8, 8), (1.0, 0.84, 0.24))
    for dx, dy in ((-20, 20), (-8, 25), (5, 21), (17, 26)):
        brush.fill(ellipse(dx, dy, 2.2, 2.2), brush.colour("blossom", 0.5, 1.0))
        brush.fill(ellipse(dx, dy, 0.8, 0.8), WHITE)


def _rainbow(brush: Brush) -> None:
    _scene(brush, colour((0.50, 0.78, 0.97)), brush.colour("ground", -0.08, 0.08) + colour((0.46, 0.78, 0.36)))
    for step, paint in enumerate(((0.93, 0.30, 0.30), (0.97, 0.65, 0.22), (0.97, 0.92, 0.35), (0.36, 0.76, 0.42), (0.35, 0.50, 0.90))):
        brush.fill(ring(ellipse(0, 14, 27 - 2.6 * step, 27 - 2.6 * step), 1.35), paint)
    brush.fill(ellipse(brush.number("hill", -14, 14), 38, 46, brush.number("height", 18, 26)),
               brush.colour("ground", -0.08, 0.08) + colour((0.46, 0.78, 0.36)))
    for side in (-1, 1):
        for dx, dy, r in ((0, 0, 4.5), (5, 1, 3.6), (-5, 1, 3.6)):
            brush.fill(ellipse(side * 20 + dx, 8 + dy, r, r), WHITE)


def _bay(brush: Brush) -> None:
    _scene(brush, colour((0.98, 0.72, 0.48)), colour((0.95, 0.85, 0.58)))
    x = brush.number("sun", -14, 14)
    brush.fill(ellipse(x, 0, 9, 9), (1.0, 0.93, 0.55))
    brush.fill(box(0, 8, 40, 7), (0.24, 0.60, 0.78))
    brush.fill(Shape(lambda x, y: np.abs(y - 8 - wave(x / 14)) - 0.5, (-40, 6, 40, 10)), WHITE, opacity=0.8)
    brush.fill(ellipse(brush.number("hill", -14, 14), 38, 46, brush.number("height", 18, 24)), (0.95, 0.85, 0.58))
    sail = brush.number("sail", -16, 16)
    brush.fill(triangle(sail - 7, 4, sail, -11, sail + 1, 4), WHITE)
    brush.fill(box(sail, 6, 8, 1.5, 0.8), brush.colour("hull", 0.1, 0.6))


def _cloud(brush: Brush, paint) -> None:
    for dx, dy, r in ((-13, -14, 8), (-3, -19, 10), (9, -16, 9), (17, -12, 6)):
        brush.fill(ellipse(dx, dy, r, r * 0.85), paint)


def _storm(brush: Brush) -> None:
    _scene(brush, colour((0.20, 0.21, 0.27)), colour((0.20, 0.22, 0.18)))
    for step in range(-4, 5):
        brush.fill(segment(step * 6, -6, step * 6 - 5, 18, 0.45), (0.55, 0.62, 0.72), opacity=0.8)
    _cloud(brush, (0.36, 0.36, 0.41))
    x = brush.number("bolt", -10, 10)
    for x0, y0, x1, y1 in ((0, -8, -4, 4), (-4, 4, 3, 3), (3, 3, -3, 18)):
        brush.fill(segment(x + x0, y0, x + x1, y1, 1.2), (1.0, 0.95, 0.50))


def _blight(brush: Brush) -> None:
    _scene(brush, colour((0.42, 0.38, 0.33)), colour((0.29, 0.24, 0.18)))
    x = brush.number("tree", -10, 10)
    for x0, y0, x1, y1, r in ((0, 26, 0, -8, 2.2), (0, 2, -11, -10, 1.2), (0, -3, 10, -14, 1.2), (0, -8, -4, -21, 1.1),
                              (-7, -6, -14, -5, 0.8), (6, -10, 13, -8, 0.8)):
        brush.fill(segment(x + x0, y0, x + x1, y1, r), INK)
    for dx in (-18, 20):
        brush.fill(triangle(dx - 5, 24, dx, 17, dx + 6, 24), (0.36, 0.34, 0.32))


def _fire(brush: Brush) -> None:
    _scene(brush, colour((0.16, 0.11, 0.13)), colour((0.13, 0.10, 0.09)))
    x = brush.number("house", -8, 8)
    for dx, dy, r in ((4, -12, 5), (9, -19, 6), (3, -26, 7)):
        brush.fill(ellipse(x + dx, dy, r, r), (0.38, 0.36, 0.36), opacity=0.85)
    for dx, height, paint in ((-9, 22, (0.85, 0.25, 0.10)), (8, 24, (0.85, 0.25, 0.10)), (0, 32, (0.92, 0.35, 0.10)),
                              (-4, 18, (1.0, 0.70, 0.18)), (5, 15, (1.0, 0.70, 0.18))):
        brush.fill(triangle(x + dx - 6, 19, x + dx, 19 - height, x + dx + 6, 19, 1.0), paint)
    brush.fill(box(x, 19, 15, 5), INK)


MOTIFS: dict[str, tuple[Callable[[Brush], None], ...]] = {
    "flower": (_daisy, _tulip, _bells),
    "insect": (_beetle, _butterfly, _wasp),
    "instrument": (_lute, _drum, _keys),
    "weapon": (_sword, _axe, _bow),
    "pleasant": (_meadow, _rainbow, _bay),
    "unpleasant": (_storm, _blight, _fire),
}
