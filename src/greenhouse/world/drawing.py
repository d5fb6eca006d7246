"""Drawings: named paints, a few kinds of part, ways to copy, move and cut them, and the reader of
the lists in `data/greenhouse/icons/`, which say in these words what each icon shows.

Coordinates are those of `painting`: -32 to 32, y downwards. A drawing is a tuple of parts, painted
one over the other; colours, place, turn and proportions of an exemplar are the brush's (`icons`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from . import painting
from .painting import Shape, common, direction, either

# Each paint is a middle colour (red, green, blue) and how far an exemplar's own colour may lie from
# it, per channel.
PAINTS: dict[str, tuple[float, float, float, float]] = {
    "main": (0.62, 0.62, 0.62, 0.36),
    "second": (0.52, 0.52, 0.52, 0.42),
    "metal": (0.70, 0.70, 0.70, 0.24),
    "wood": (0.40, 0.36, 0.32, 0.20),
    "dark": (0.20, 0.20, 0.20, 0.12),
    "pale": (0.90, 0.90, 0.90, 0.08),
    "ink": (0.10, 0.09, 0.12, 0.0),
    "white": (0.97, 0.96, 0.92, 0.0),
    "green": (0.18, 0.48, 0.20, 0.06),
    # skies
    "noon": (0.42, 0.72, 0.96, 0.12),
    "haze": (0.80, 0.86, 0.90, 0.10),
    "dusk": (0.93, 0.58, 0.44, 0.12),
    "night": (0.08, 0.10, 0.24, 0.06),
    "deep blue": (0.12, 0.28, 0.52, 0.08),
    "gloom": (0.24, 0.25, 0.31, 0.10),
    "overcast": (0.62, 0.64, 0.66, 0.14),
    "dust": (0.82, 0.70, 0.50, 0.12),
    "smoke": (0.38, 0.36, 0.36, 0.08),
    "wall": (0.56, 0.52, 0.48, 0.24),
    # grounds
    "grass": (0.38, 0.66, 0.28, 0.10),
    "sand": (0.90, 0.80, 0.56, 0.08),
    "sea": (0.22, 0.54, 0.74, 0.10),
    "snow": (0.92, 0.94, 0.97, 0.05),
    "rock": (0.48, 0.46, 0.46, 0.10),
    "soil": (0.40, 0.31, 0.22, 0.10),
    "ash": (0.22, 0.20, 0.19, 0.07),
    "mud": (0.50, 0.42, 0.30, 0.08),
    "dirt": (0.62, 0.56, 0.40, 0.08),
    # lights
    "sun": (1.0, 0.84, 0.26, 0.05),
    "red": (0.86, 0.22, 0.16, 0.07),
    "orange": (0.95, 0.52, 0.12, 0.05),
    "blue": (0.30, 0.46, 0.88, 0.06),
    "glow": (1.0, 0.94, 0.60, 0.05),
}


@dataclass(frozen=True)
class Part:
    """A shape in one paint: a name of `PAINTS`, or that name with " shade" after it for a darker
    tone."""

    shape: Shape
    paint: str


Drawing = tuple[Part, ...]


# Parts. Every one takes the paint first.


def disc(paint: str, x: float, y: float, rx: float, ry: float | None = None) -> Drawing:
    """A disc or an upright ellipse about (x, y)."""
    return (Part(painting.ellipse(x, y, rx, rx if ry is None else ry), paint),)


def block(paint: str, x: float, y: float, rx: float, ry: float, rounding: float = 0.4) -> Drawing:
    """A rectangle about (x, y) of half sizes rx, ry."""
    return (Part(painting.box(x, y, rx, ry, rounding), paint),)


def bar(paint: str, *numbers: float, width: float = 0.9) -> Drawing:
    """A line x0, y0, x1, y1, … through two or more points, `width` to either side."""
    points = list(zip(numbers[::2], numbers[1::2], strict=True))
    strokes = [painting.segment(*start, *end, width) for start, end in pairwise(points)]
    return (Part(reduce(either, strokes), paint),)


def panel(paint: str, *numbers: float) -> Drawing:
    """A convex polygon with corners x0, y0, x1, y1, …"""
    corners = np.asarray(numbers, np.float32).reshape(-1, 2)
    steps = np.roll(corners, -1, axis=0) - corners
    if (corners[:, 0] * steps[:, 1] - corners[:, 1] * steps[:, 0]).sum() < 0:
        corners, steps = corners[::-1], -np.roll(steps[::-1], -1, axis=0)
    along = steps / np.sqrt(steps[:, :1] ** 2 + steps[:, 1:] ** 2)
    sides = [(v, -u, u * y - v * x) for (x, y), (u, v) in zip(corners, along, strict=True)]

    def distance(x, y):
        return reduce(
            np.maximum, (x * across + y * down + offset for across, down, offset in sides)
        )

    return (Part(Shape(distance, (*corners.min(0), *corners.max(0)), 8.0), paint),)


def leaf(paint: str, x0: float, y0: float, x1: float, y1: float, width: float) -> Drawing:
    """An ellipse from one point to the other, `width` to either side: a leaf, a petal, a wing."""
    length = math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    lying = painting.ellipse(0, 0, length / 2, width)
    return _turned(
        lying, (x1 - x0) / length, (y1 - y0) / length, (x0 + x1) / 2, (y0 + y1) / 2, paint
    )


def curve(
    paint: str, x: float, y: float, half_width: float, height: float, width: float = 1.0
) -> Drawing:
    """A parabola as a stroke: a bump, or with negative `height` a sag; (x, y) is the middle of its
    box."""
    return (Part(painting.arch(x, y, half_width, -height, width), paint),)


def hoop(
    paint: str, x: float, y: float, rx: float, ry: float | None = None, width: float = 1.0
) -> Drawing:
    """The outline of a disc as a stroke."""
    return (
        Part(painting.ring(painting.ellipse(x, y, rx, rx if ry is None else ry), width), paint),
    )


# Scenery: grounds reach beyond the picture, since the brush moves the whole scene.


def ground(paint: str, top: float) -> Drawing:
    """Flat ground or still water from `top` down."""
    return block(paint, 0, top + 30, 60, 30)


def hill(paint: str, x: float, top: float, half_width: float = 45) -> Drawing:
    """A round hill with its top at (x, top)."""
    return disc(paint, x, top + 24, half_width, 24) + ground(paint, top + 22)


def peak(paint: str, x: float, top: float, half_width: float, bottom: float = 40) -> Drawing:
    """A mountain."""
    return panel(paint, x, top, x + half_width, bottom, x - half_width, bottom)


def ripples(paint: str, *heights: float) -> Drawing:
    """Short waves on water, alternately left and right."""
    return sum(
        (
            curve(paint, x + (6 if k % 2 else -8), y, 7, 2.4, 0.5)
            for k, y in enumerate(heights)
            for x in (-20, 12)
        ),
        (),
    )


def cloud(paint: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A cloud of three puffs."""
    return (
        disc(paint, x - 6 * size, y, 6 * size, 4 * size)
        + disc(paint, x, y - 2.5 * size, 7 * size, 6 * size)
        + disc(paint, x + 7 * size, y, 6 * size, 4 * size)
    )


def tree(paint: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A round tree that stands at (x, y)."""
    return bar("wood", x, y, x, y - 10 * size, width=1.4 * size) + disc(
        paint, x, y - 15 * size, 7 * size, 9 * size
    )


def fir(paint: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A fir that stands at (x, y)."""
    return (
        bar("wood", x, y, x, y - 5 * size, width=1.2 * size)
        + panel(paint, x - 8 * size, y - 4 * size, x + 8 * size, y - 4 * size, x, y - 18 * size)
        + panel(paint, x - 6 * size, y - 12 * size, x + 6 * size, y - 12 * size, x, y - 25 * size)
    )


def bare_tree(x: float, y: float, size: float = 1.0) -> Drawing:
    """A tree without leaves that stands at (x, y)."""
    k = size
    return (
        bar("ink", x, y, x, y - 26 * k, x - 5 * k, y - 38 * k, width=1.6 * k)
        + bar("ink", x, y - 14 * k, x + 11 * k, y - 26 * k, x + 12 * k, y - 35 * k, width=1.0 * k)
        + bar("ink", x, y - 11 * k, x - 11 * k, y - 20 * k, x - 17 * k, y - 22 * k, width=1.0 * k)
        + bar("ink", x + 6 * k, y - 21 * k, x + 16 * k, y - 23 * k, width=0.8 * k)
    )


def house(wall: str, roof: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A house with a door and a window; the middle of its floor is (x, y)."""
    k = size
    return (
        block(wall, x, y - 6 * k, 10 * k, 6 * k)
        + panel(roof, x - 13 * k, y - 11 * k, x + 13 * k, y - 11 * k, x, y - 22 * k)
        + block("dark", x - 4 * k, y - 4 * k, 2.2 * k, 4 * k)
        + block("glow", x + 4.5 * k, y - 6 * k, 2.4 * k, 2.2 * k)
    )


def flames(x: float, y: float, size: float = 1.0) -> Drawing:
    """A fire on the ground at (x, y)."""
    tongues = (
        ("red", -8, 18, 6),
        ("red", 8, 20, 6),
        ("orange", 0, 27, 7),
        ("orange", -5, 14, 5),
        ("glow", 1, 13, 4),
    )
    fire = sum(
        (
            panel(paint, dx - half, 0, dx + half, 0, dx + 1, -height)
            for paint, dx, height, half in tongues
        ),
        (),
    )
    return at(fire, x, y, size)


# Ways to copy, move and cut.


def both(drawing: Drawing) -> Drawing:
    """The drawing, which lies to the right of the middle, and its mirror image to the left."""

    def fold(shape: Shape) -> Shape:
        left, top, right, bottom = shape.bounds
        far = np.maximum(np.abs(left), np.abs(right))
        return Shape(lambda x, y: shape(np.abs(x), y), (-far, top, far, bottom), shape.blur)

    return tuple(replace(part, shape=fold(part.shape)) for part in drawing)


def at(drawing: Drawing, x: float, y: float, scale: float = 1.0) -> Drawing:
    """The drawing, `scale` times as large, with its origin moved to (x, y)."""
    dx, dy, k = np.float32(x), np.float32(y), np.float32(scale)

    def move(shape: Shape) -> Shape:
        left, top, right, bottom = shape.bounds
        return Shape(
            lambda x, y: shape((x - dx) / k, (y - dy) / k) * k,
            (left * k + dx, top * k + dy, right * k + dx, bottom * k + dy),
            shape.blur,
        )

    return tuple(replace(part, shape=move(part.shape)) for part in drawing)


def repeat(drawing: Drawing, *numbers: float, scale: float = 1.0) -> Drawing:
    """One copy of the drawing at each place x0, y0, x1, y1, …"""
    places = zip(numbers[::2], numbers[1::2], strict=True)
    return sum((at(drawing, x, y, scale) for x, y in places), ())


def turned(drawing: Drawing, amount: float, x: float, y: float) -> Drawing:
    """The drawing turned clockwise about its origin, -1 to 1 for half a circle, then moved to (x,
    y)."""
    cosine, sine = direction(np.asarray(amount, np.float32))
    return sum((_turned(part.shape, cosine, sine, x, y, part.paint) for part in drawing), ())


def around(drawing: Drawing, number: float) -> Drawing:
    """`number` (of `painting.STEPS`) copies evenly round the origin; copies of a part are painted
    as one."""
    turns = list(painting.directions(int(number)))

    def copies(part: Part) -> Shape:
        return reduce(either, (_turned(part.shape, u, v, 0, 0, "")[0].shape for u, v in turns))

    return tuple(Part(copies(part), part.paint) for part in drawing)


def within(
    drawing: Drawing, left: float = -60, top: float = -60, right: float = 60, bottom: float = 60
) -> Drawing:
    """What of the drawing lies in a rectangle."""
    frame = painting.box(
        (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
    )
    return tuple(replace(part, shape=common(part.shape, frame)) for part in drawing)


def banded(drawing: Drawing, paint: str, *heights: float, width: float = 1.3) -> Drawing:
    """The drawing with bands across at these heights, `width` to either side."""
    bands = sum((within(drawing, top=y - width, bottom=y + width) for y in heights), ())
    return drawing + tuple(replace(band, paint=paint) for band in bands)


def without(drawing: Drawing, hole: Drawing) -> Drawing:
    """What of the drawing lies outside every part of `hole`."""
    gap = reduce(either, (part.shape for part in hole))
    return tuple(
        replace(part, shape=common(part.shape, lambda x, y: -gap(x, y))) for part in drawing
    )


def _turned(shape: Shape, cosine, sine, x, y, paint: str) -> Drawing:
    """`shape` turned about the origin by an angle of that cosine and sine, then moved to (x, y)."""
    c, s, dx, dy = (np.float32(value) for value in (cosine, sine, x, y))
    corners = [(u, v) for u in shape.bounds[::2] for v in shape.bounds[1::2]]
    bounds = painting.around(
        [u * c - v * s + dx for u, v in corners], [u * s + v * c + dy for u, v in corners], 0
    )
    return (
        Part(
            Shape(
                lambda x, y: shape((x - dx) * c + (y - dy) * s, (y - dy) * c - (x - dx) * s),
                bounds,
                shape.blur,
            ),
            paint,
        ),
    )


# Display lists.

WORDS: dict[str, Callable[..., Drawing]] = {
    one.__name__.replace("_", "-"): one
    for one in (
        *(disc, block, bar, panel, leaf, curve, hoop),
        *(ground, hill, peak, ripples, cloud, tree, fir, bare_tree, house, flames),
    )
}
WAYS: dict[str, Callable[..., Drawing]] = {
    one.__name__: one for one in (both, at, repeat, turned, around, within, banded)
}


@dataclass(frozen=True)
class Motif:
    """What an icon shows; a scene has a sky that changes from one paint into another."""

    drawing: Drawing
    sky: tuple[str, str] | None = None


def read(file: Path) -> dict[str, Motif]:
    """The motifs of a family, by name, from a file of `data/greenhouse/icons/`."""
    content = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
    parts = {name: _drawn(lines, {}) for name, lines in content.get("parts", {}).items()}
    return {
        name: Motif(_drawn(about["drawn"], parts), tuple(about["sky"]))
        if "sky" in about
        else Motif(_drawn(about, parts))
        for name, about in content["drawings"].items()
    }


def _drawn(lines: Any, parts: dict[str, Drawing]) -> Drawing:
    """The drawing of one line or several; a line is a part, a named part of the file, or a way with
    the lines that it copies, moves or cuts."""
    if isinstance(lines, list):
        return sum((_drawn(line, parts) for line in lines), ())
    if isinstance(lines, str):
        word, paints, numbers, named = _spelt(lines)
        if word in WORDS:
            return WORDS[word](*paints, *numbers, **named)
        return tuple(
            replace(part, paint=part.paint.replace("own", paints[0])) if paints else part
            for part in parts[word]
        )
    if "without" in lines:
        whole, hole = (_drawn(lines["without"][name], parts) for name in ("of", "hole"))
        return without(whole, hole)
    ((line, inner),) = lines.items()
    word, paints, numbers, named = _spelt(line)
    return WAYS[word](_drawn(inner, parts), *paints, *numbers, **named)


def _spelt(line: str) -> tuple[str, list[str], list[float], dict[str, float]]:
    """The first word of a line, its paints (more than one with a comma between), its numbers, and
    those with a name (`width=0.5`)."""
    word, *rest = line.split()
    named = [one for one in rest if "=" in one]
    numbers = [one for one in rest if one[-1].isdigit() and one not in named]
    paints = " ".join(one for one in rest if one not in (*named, *numbers))
    return (
        word,
        paints.split(", ") if paints else [],
        [float(one) for one in numbers],
        {name: float(value) for name, value in (one.split("=") for one in named)},
    )
