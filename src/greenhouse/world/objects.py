"""Flowers, insects, instruments and weapons: three motifs each.

Comes in: a brush. Goes out: the brush's canvas, painted. May not: paint the backdrop.
"""

from __future__ import annotations

import numpy as np

from .brush import INK, WHITE, Brush, directions
from .nuisance import uniform
from .painting import arch, box, column, common, ellipse, ring, segment, triangle, wave


def daisy(brush: Brush) -> None:
    """A round flower with six or eight petals."""
    petal, count = brush.colour("petal", 0.3, 1.0), 6 + 2 * (brush.number("count", 0, 1) > 0.5)
    brush.fill(segment(0, 0, 3, 32, 1.3), (0.16, 0.45, 0.18))
    brush.turn(0.4)
    reach = brush.number("reach", 10, 13)
    for number in (6, 8):
        for u, v in directions(number):
            brush.fill(ellipse(reach * u, reach * v - 4, 6.2, 6.2), petal, count == number)
    brush.fill(ellipse(0, -4, 6.5, 6.5), brush.colour("heart", 0.1, 0.5))


def tulip(brush: Brush) -> None:
    """A cup on a stem with two leaves."""
    petal = brush.colour("petal", 0.3, 1.0)
    brush.fill(segment(0, 0, 1, 32, 1.4), (0.16, 0.45, 0.18))
    brush.fill(ellipse(-7, 21, 2.6, 9), (0.20, 0.52, 0.22))
    brush.fill(ellipse(7, 19, 2.6, 9), (0.20, 0.52, 0.22))
    brush.fill(ellipse(0, -6, 11, 11), petal)
    for x in (-9, 9):
        brush.fill(triangle(x - 5, -8, x, -23, x + 5, -8, 0.8), petal)
    brush.fill(triangle(-6, -6, 0, -21, 6, -6, 0.8), petal * np.float32(0.82))


def bells(brush: Brush) -> None:
    """Three hanging bells."""
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


def beetle(brush: Brush) -> None:
    """A shell, spotted or plain, with six legs."""
    brush.turn()
    shell = brush.colour("shell", 0.1, 0.8)
    _legs(brush, 19)
    brush.fill(ellipse(0, -13, 6, 5), INK)
    brush.fill(ellipse(0, 3, 12.5, 15), shell)
    brush.fill(segment(0, -11, 0, 18, 0.6), INK)
    for x, y in ((-6, -2), (6, -2), (-5, 8), (5, 8)):
        brush.fill(ellipse(x, y, 2.4, 2.4), INK, opacity=column(uniform(brush.seed, "spots") > 0.4))


def butterfly(brush: Brush) -> None:
    """Four wings with eyes."""
    brush.turn()
    wing, spot = brush.colour("wing", 0.2, 1.0), brush.colour("spot")
    for side in (-1, 1):
        brush.fill(ellipse(side * 12.5, -7, 11.5, 10.5), wing)
        brush.fill(ellipse(side * 10, 10, 8.5, 8), wing * np.float32(0.85))
        brush.fill(ellipse(side * 13, -7, 4.5, 4.5), spot)
        brush.fill(ellipse(side * 10, 10, 3, 3), spot)
        brush.fill(segment(0, -11, side * 6, -20, 0.6), INK)
    brush.fill(ellipse(0, 0, 2.4, 13), INK)


def wasp(brush: Brush) -> None:
    """A striped body with two wings."""
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


def lute(brush: Brush) -> None:
    """A waisted body, a neck and strings."""
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


def drum(brush: Brush) -> None:
    """A laced drum with two sticks."""
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


def keys(brush: Brush) -> None:
    """A keyboard."""
    brush.turn(0.5)
    brush.fill(box(0, 0, 27, 15, 2), brush.colour("case", 0.1, 0.8))
    brush.fill(box(0, 2.5, 24, 11, 0.5), WHITE)
    for step in range(-3, 4):
        brush.fill(segment(step * 6.8 + 3.4, -8, step * 6.8 + 3.4, 13.5, 0.4), INK)
        if step not in (-1, 3):
            brush.fill(box(step * 6.8 + 3.4, -2.5, 1.9, 6, 0.3), INK)


def sword(brush: Brush) -> None:
    """A blade, a guard and a grip."""
    brush.turn()
    steel, wide = brush.colour("steel", 0.6, 0.9), brush.number("wide", 2.6, 4.2)
    brush.fill(box(0, -6, wide, 15), steel)
    brush.fill(triangle(-wide, -21, 0, -30, wide, -21), steel)
    brush.fill(segment(0, -27, 0, 9, 0.5), (0.40, 0.41, 0.45))
    brush.fill(box(0, 11, 10, 1.9, 0.8), brush.colour("guard", 0.1, 0.6))
    brush.fill(box(0, 18, 2.2, 6, 0.4), brush.colour("grip", 0.05, 0.45))
    brush.fill(ellipse(0, 26, 3.2, 3.2), brush.colour("guard", 0.1, 0.6))


def axe(brush: Brush) -> None:
    """A shaft with one blade or two."""
    brush.turn()
    steel, double = brush.colour("steel", 0.6, 0.9), column(uniform(brush.seed, "double") > 0.5)
    brush.fill(box(0, 2, 1.8, 27, 0.5), brush.colour("shaft", 0.15, 0.5))
    for side in (-1, 1):
        blade = ellipse(side * 9, -14, 11, 12)
        for y in (-28, 0):
            notch = ellipse(side * 5, y, 9, 8)
            blade = common(blade, lambda x, y, notch=notch: -notch(x, y))
        outer_half = common(blade, box(side * 12, -14, 12, 20))
        brush.fill(outer_half, steel, opacity=None if side < 0 else double)


def bow(brush: Brush) -> None:
    """A drawn bow with its arrow."""
    brush.turn()
    wood = brush.colour("wood", 0.1, 0.5)
    brush.fill(arch(0, -6, 25, -17, 1.4), wood)
    brush.fill(segment(-25, 2, 25, 2, 0.5), WHITE)
    brush.fill(segment(0, -26, 0, 22, 0.9), INK)
    brush.fill(triangle(-4, -22, 0, -31, 4, -22), brush.colour("steel", 0.6, 0.9))
    for side in (-1, 1):
        brush.fill(segment(0, 18, side * 4, 24, 1.1), brush.colour("feather", 0.3, 0.95))
