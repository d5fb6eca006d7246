"""What pleasant and unpleasant scenes are put together from: grounds, water, trees, houses, clouds,
flames.

Comes in: places and sizes. Goes out: `Scene`, drawings. May not: show a person, a face or a crest.

Grounds reach beyond the picture, since the brush moves the whole scene.
"""

from __future__ import annotations

from dataclasses import dataclass

from .drawing import Drawing, at, bar, block, curve, disc, panel


@dataclass(frozen=True)
class Scene:
    """A sky that changes from the paint `top` into the paint `bottom`, and what is drawn over
    it."""

    top: str
    bottom: str
    drawing: Drawing


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


def stars(*places: tuple[float, float]) -> Drawing:
    """Small stars."""
    return sum((disc("white", x, y, 0.9) for x, y in places), ())


def flames(x: float, y: float, size: float = 1.0) -> Drawing:
    """A fire on the ground at (x, y)."""
    tongues = (
        ("red", -8, 18, 6),
        ("red", 8, 20, 6),
        ("orange", 0, 27, 7),
        ("orange", -5, 14, 5),
        ("glow", 1, 13, 4),
    )
    return at(
        x,
        y,
        sum(
            (
                panel(paint, dx - half, 0, dx + half, 0, dx + 1, -height)
                for paint, dx, height, half in tongues
            ),
            (),
        ),
        size,
    )
