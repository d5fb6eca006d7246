"""Pleasant and unpleasant scenes: three motifs each.

Comes in: a brush. Goes out: the brush's canvas, painted all over.
May not: show a person, a face or a crest.
"""

from __future__ import annotations

import numpy as np

from .brush import INK, WHITE, Brush, directions
from .painting import Shape, box, colour, ellipse, mix, ring, segment, triangle, wave


def _soil(brush: Brush) -> np.ndarray:
    return brush.colour("ground", -0.15, 0.15, vivid=0.5)


def _scene(brush: Brush, sky, ground) -> Shape:
    """A sky that changes towards the horizon, and a hill, in the exemplar's own shades; returns the hill."""
    canvas, (sky, ground) = brush.canvas, (colour(sky), colour(ground))
    sky = sky + brush.colour("sky", -0.15, 0.15, vivid=0.5)
    far = np.clip((canvas.y + 32) / 60, 0, 1) * np.ones_like(canvas.x)
    horizon = mix(sky, np.float32(1), brush.number("haze", 0.1, 0.6)[:, None])
    canvas.pixels[:] = mix(sky, horizon, far[:, None])
    broad, height = brush.number("broad", 34, 54), brush.number("height", 15, 24)
    hill = ellipse(brush.number("hill", -18, 18), 38, broad, height)
    brush.fill(hill, ground + _soil(brush))
    return hill


def _rays(brush: Brush, x, y) -> None:
    for u, v in directions(8):
        brush.fill(segment(x + 10.5 * u, y + 10.5 * v, x + 14 * u, y + 14 * v, 0.9), (1.0, 0.86, 0.30))


def meadow(brush: Brush) -> None:
    """The sun over a hill with blossoms."""
    x = brush.number("sun", -12, 12)
    _scene(brush, (0.42, 0.72, 0.96), (0.42, 0.76, 0.30))
    _rays(brush, x, -14)
    brush.fill(ellipse(x, -14, 8, 8), (1.0, 0.84, 0.24))
    for number, (dx, dy) in enumerate(((-18, 22), (-8, 27), (4, 23), (17, 26))):
        dx = dx + brush.number(f"blossom {number}", -4, 4)
        brush.fill(ellipse(dx, dy, 2.2, 2.2), brush.colour("blossom", 0.5, 1.0))
        brush.fill(ellipse(dx, dy, 0.8, 0.8), WHITE)


def rainbow(brush: Brush) -> None:
    """A rainbow between two clouds."""
    meadow = (0.46, 0.78, 0.36)
    hill = _scene(brush, (0.50, 0.78, 0.97), meadow)
    middle, radius = brush.number("middle", -8, 8), brush.number("radius", 22, 29)
    bands = (0.93, 0.30, 0.30), (0.97, 0.65, 0.22), (0.97, 0.92, 0.35), (0.36, 0.76, 0.42), (0.35, 0.50, 0.90)
    for step, paint in enumerate(bands):
        brush.fill(ring(ellipse(middle, 14, radius - 2.6 * step, radius - 2.6 * step), 1.35), paint)
    brush.fill(hill, colour(meadow) + _soil(brush))
    for side in (-1, 1):
        for dx, dy, r in ((0, 0, 4.5), (5, 1, 3.6), (-5, 1, 3.6)):
            brush.fill(ellipse(middle + side * 20 + dx, 8 + dy, r, r), WHITE)


def bay(brush: Brush) -> None:
    """A sail at sunset."""
    sand = (0.95, 0.85, 0.58)
    hill = _scene(brush, (0.97, 0.72, 0.50), sand)
    x = brush.number("sun", -14, 14)
    brush.fill(ellipse(x, 0, 9, 9), (1.0, 0.93, 0.55))
    brush.fill(box(0, 8, 40, 7), (0.24, 0.60, 0.78))
    brush.fill(Shape(lambda x, y: np.abs(y - 8 - wave(x / 14)) - 0.5, (-40, 6, 40, 10)), WHITE, opacity=0.8)
    brush.fill(hill, colour(sand) + _soil(brush))
    sail = brush.number("sail", -16, 16)
    brush.fill(triangle(sail - 7, 4, sail, -11, sail + 1, 4), WHITE)
    brush.fill(box(sail, 6, 8, 1.5, 0.8), brush.colour("hull", 0.1, 0.6))


def _cloud(brush: Brush, paint) -> None:
    x, wide = brush.number("cloud x", -7, 7), brush.number("cloud width", 0.8, 1.3)
    for dx, dy, r in ((-13, -14, 8), (-3, -19, 10), (9, -16, 9), (17, -12, 6)):
        brush.fill(ellipse(x + dx * wide, dy, r * wide, r * 0.85), paint)


def storm(brush: Brush) -> None:
    """Rain, a dark cloud and a bolt."""
    _scene(brush, (0.24, 0.25, 0.31), (0.20, 0.22, 0.18))
    for step in range(-4, 5):
        brush.fill(segment(step * 6, -6, step * 6 - 5, 18, 0.45), (0.55, 0.62, 0.72), opacity=0.8)
    _cloud(brush, brush.colour("cloud", 0.26, 0.46, vivid=0.3))
    x = brush.number("bolt", -10, 10)
    for x0, y0, x1, y1 in ((0, -8, -4, 4), (-4, 4, 3, 3), (3, 3, -3, 18)):
        brush.fill(segment(x + x0, y0, x + x1, y1, 1.2), (1.0, 0.95, 0.50))


def blight(brush: Brush) -> None:
    """A dead tree among stones."""
    _scene(brush, (0.42, 0.38, 0.33), (0.29, 0.24, 0.18))
    x = brush.number("tree", -10, 10)
    lean, spread_out = brush.number("lean", -4, 4), brush.number("spread", 0.7, 1.3)
    branches = ((0, 26, 0, -8, 2.2), (0, 2, -11, -10, 1.2), (0, -3, 10, -14, 1.2), (0, -8, -4, -21, 1.1),
                (-7, -6, -14, -5, 0.8), (6, -10, 13, -8, 0.8))
    for x0, y0, x1, y1, r in branches:
        start, end = (x + lean * (26 - y) / 47 + dx * spread_out for dx, y in ((x0, y0), (x1, y1)))
        brush.fill(segment(start, y0, end, y1, r), INK)
    for dx in (-18, 20):
        brush.fill(triangle(dx - 5, 24, dx, 17, dx + 6, 24), (0.36, 0.34, 0.32))


def fire(brush: Brush) -> None:
    """A burning house."""
    _scene(brush, (0.22, 0.16, 0.18), (0.16, 0.13, 0.12))
    x = brush.number("house", -8, 8)
    for dx, dy, r in ((4, -12, 5), (9, -19, 6), (3, -26, 7)):
        brush.fill(ellipse(x + dx, dy, r, r), (0.38, 0.36, 0.36), opacity=0.85)
    red, orange, yellow = (0.85, 0.25, 0.10), (0.92, 0.38, 0.10), (1.0, 0.70, 0.18)
    for number, (dx, height, paint) in enumerate(
            ((-9, 22, red), (8, 24, red), (0, 32, orange), (-4, 18, yellow), (5, 15, yellow))):
        tip = x + dx + brush.number(f"flicker {number}", -3, 3)
        top = 19 - height * brush.number(f"blaze {number}", 0.75, 1.15)
        brush.fill(triangle(x + dx - 6, 19, tip, top, x + dx + 6, 19, 1.0), paint)
    brush.fill(box(x, 19, 15, 5), INK)
