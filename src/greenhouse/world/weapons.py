"""Weapons: 25 drawings from blades, hafts, heads and barrels.

Comes in: nothing. Goes out: `DRAWINGS`, name to drawing. May not: paint the backdrop, or show
anybody hurt.
"""

from __future__ import annotations

from .drawing import (
    Drawing,
    around,
    at,
    bar,
    block,
    both,
    curve,
    disc,
    hoop,
    panel,
    repeat,
    turned,
    within,
    without,
)


def haft(top: float = -24, bottom: float = 31, width: float = 1.5) -> Drawing:
    """A wooden shaft."""
    return bar("wood", 0, top, 0, bottom, width=width)


def blade(tip: float, base: float, width: float) -> Drawing:
    """A straight blade that ends in a point, with a groove."""
    shoulder = tip + 2.5 * width
    return panel(
        "metal", -width, base, -width, shoulder, 0, tip, width, shoulder, width, base
    ) + bar("metal shade", 0, shoulder, 0, base, width=0.5)


def grip(y: float, guard: float, length: float = 12, thick: float = 2.0) -> Drawing:
    """A guard across, a grip and a knob."""
    return (
        block("wood", 0, y + length / 2, thick, length / 2)
        + block("main", 0, y, guard, 1.8, 0.8)
        + disc("main", 0, y + length + 1, thick + 1)
    )


def chain(*numbers: float) -> Drawing:
    """A chain through the points x0, y0, …: links as small rings."""
    return repeat(
        hoop("metal", 0, 0, 1.8, width=0.6), *zip(numbers[::2], numbers[1::2], strict=True)
    )


SPIKE = panel("metal", -2.4, -7, 0, -16, 2.4, -7)
AXE = without(
    disc("metal", 9, 0, 13, 13), disc("ink", 4, -14, 11, 9.5) + disc("ink", 4, 14, 11, 9.5)
)
WHEEL = (
    hoop("wood", 0, 0, 8, width=1.6)
    + bar("wood", -7, 0, 7, 0, width=0.8)
    + bar("wood", 0, -7, 0, 7, width=0.8)
)

DRAWINGS: dict[str, Drawing] = {
    "sword": blade(-31, 13, 3.2) + grip(13, 11),
    "double axe": haft(-26) + both(at(0, -12, within(AXE, left=0))),
    "bow and arrow": curve("main", 0, -6, 26, 20, 1.5)
    + bar("white", -25, 3, 25, 3, width=0.5)
    + bar("wood", 0, -24, 0, 22, width=0.9)
    + panel("metal", -4, -22, 0, -31, 4, -22)
    + both(bar("second", 0, 18, 4, 25, width=1.1)),
    "knife": panel("metal", -5, 6, -5, -24, 1, -29, 6, -20, 6, 6)
    + bar("metal shade", -4, -22, -4, 6, width=0.9)
    + block("main", 0, 18, 5, 13, 2)
    + repeat(disc("metal", 0, 0, 1.3), (0, 11), (0, 18), (0, 25)),
    "halberd": haft(-18)
    + panel("metal", -2, -14, 0, -32, 2, -14)
    + at(1, -9, within(AXE, left=0), 0.95)
    + panel("metal", 0, -14, 0, -4, -15, -9),
    "spear": haft(-14, 31, 1.3)
    + panel("metal", 0, -32, 5.5, -20, 0, -10, -5.5, -20)
    + bar("metal shade", 0, -28, 0, -12, width=0.5)
    + block("main", 0, -8, 2.4, 2.4)
    + both(bar("main", 1, -7, 5, 3, width=0.9)),
    "trident": haft(-12)
    + bar("metal", -14, -24, -14, -14, -8, -8, 8, -8, 14, -14, 14, -24, width=1.6)
    + bar("metal", 0, -8, 0, -26, width=1.6)
    + repeat(panel("metal", -4, 0, 0, -9, 4, 0), (-14, -22), (0, -23), (14, -22)),
    "mace": haft(-10)
    + at(0, -15, around(8, SPIKE) + disc("metal", 0, 0, 9.5))
    + block("main", 0, 26, 2.6, 5, 1),
    "flail": bar("wood", -18, 30, -8, -20, width=1.8)
    + chain(-8, -23, -4, -26, 1, -27, 6, -25, 10, -21, 12, -16, 13, -11)
    + at(13, 2, around(8, SPIKE) + disc("metal", 0, 0, 9.5), 0.9),
    "club": panel("wood", -2.5, 28, 2.5, 28, 9.5, -20, -9.5, -20)
    + disc("wood", 0, -20, 9.5, 8)
    + disc("wood shade", 0, 28, 4, 2.6)
    + repeat(panel("metal", -2, 2, 2, 2, 0, -5), (-5, -17), (5, -20), (0, -8), (4, -2)),
    "crossbow": block("wood", 0, 6, 3, 25, 1)
    + curve("main", 0, -12, 27, 12, 1.9)
    + bar("white", -26, -7, 0, 8, 26, -7, width=0.5)
    + bar("metal", 0, 8, 0, -26, width=0.9)
    + panel("metal", -3.5, -24, 0, -32, 3.5, -24)
    + bar("ink", 3, 16, 8, 22, width=1),
    "cannon": panel("dark", -22, -8, -20, 8, 29, -4, 28, -14)
    + disc("dark", -21, 0, 8)
    + disc("dark", -30, 1, 2.6)
    + disc("ink", 28.5, -9, 2, 5)
    + panel("main", -10, 6, 6, 2, -20, 24, -28, 24)
    + at(0, 14, WHEEL + disc("wood", 0, 0, 2), 1.4),
    "pistol": block("metal", 2, -9, 25, 5.5, 1)
    + panel("main", 10, -4, 24, -4, 28, 22, 15, 22)
    + hoop("metal", 4, 1, 6, 5, 1)
    + bar("metal shade", -22, -6, 24, -6, width=0.6)
    + block("metal", 25, -15, 2, 2)
    + block("metal", -20, -15, 1.4, 1.4),
    "rifle": bar("dark", -31, -6, 6, -2, width=1.3)
    + bar("wood", -18, -3, 8, 0, width=2.4)
    + panel("wood", 6, -4, 14, -2, 31, 6, 30, 15, 8, 3)
    + hoop("ink", 8, 5, 3.6, 2.8, 0.8)
    + bar("ink", -2, -9, 14, -7, width=1.7)
    + bar("ink", 4, -7, 4, -3, width=0.8),
    "hand grenade": disc("main", 0, 8, 15, 19)
    + sum((bar("main shade", x, -8, x, 24, width=0.7) for x in (-6, 0, 6)), ())
    + sum((bar("main shade", -13, y, 13, y, width=0.7) for y in (0, 8, 16)), ())
    + block("dark", 0, -15, 6, 5, 1)
    + bar("metal", 0, -20, 14, -16, 18, 2, width=1.5)
    + hoop("metal", -12, -18, 5, width=1),
    "bomb with a fuse": disc("dark", -2, 7, 20)
    + turned(block("dark", 0, -20, 6, 4), 0.3, -2, 7)
    + disc("overcast", -9, -1, 4, 3)
    + bar("pale", 10, -11, 14, -20, 21, -22, width=1)
    + at(23, -23, around(6, bar("orange", 2, 0, 7, 0, width=0.9))),
    "missile": panel("main", -5, 14, -15, 27, -5, 24)
    + panel("main", 5, 14, 15, 27, 5, 24)
    + panel("main", -5, -10, -10, -2, 10, -2, 5, -10)
    + block("metal", 0, 4, 6, 20, 1)
    + panel("main shade", -6, -15, 0, -31, 6, -15)
    + panel("orange", -4, 25, 4, 25, 0, 32)
    + bar("main", -5, 8, 5, 8, width=1.5),
    "scimitar": within(
        without(disc("metal", -14, -2, 28, 34), disc("ink", -21, -2, 27, 46)), -10, -34, 40, 10
    )
    + at(10, 10, grip(0, 8)),
    "throwing star": without(
        around(4, panel("metal", -9, -6, 0, -30, 9, -6, 0, 0)), disc("ink", 0, 0, 4)
    )
    + around(4, bar("metal shade", 0, -9, 0, -24, width=0.5))
    + hoop("main", 0, 0, 4, width=1.2),
    "nunchaku": turned(block("main", 0, 8, 3.4, 19, 1.5), 0.14, -10, 0)
    + turned(block("main", 0, 8, 3.4, 19, 1.5), -0.14, 10, 0)
    + chain(-8, -14, -6, -19, -2, -23, 2, -23, 6, -19, 8, -14),
    "slingshot": bar("wood", 0, 31, 0, 8, width=2.8)
    + both(bar("wood", 0, 8, 13, -4, 14, -20, width=2.6))
    + both(bar("main", 14, -18, 3, -3, width=0.9))
    + block("second", 0, -2, 5, 2.6, 1)
    + disc("rock", 0, -4, 3),
    "catapult": at(
        0,
        0,
        bar("wood", -26, 18, 26, 18, width=2)
        + bar("wood", -10, 18, 2, -4, 14, 18, width=1.5)
        + bar("wood", 16, 14, -22, -20, width=1.5)
        + within(disc("wood shade", -23, -22, 7, 7), top=-22)
        + disc("rock", -23, -24, 5)
        + repeat(at(0, 0, WHEEL, 0.75), (-18, 22), (18, 22)),
        0.85,
    ),
    "war hammer": haft(-22)
    + block("metal", 5, -17, 9, 6, 1)
    + block("metal shade", 14, -17, 3, 8, 1)
    + panel("metal", -4, -22, -4, -12, -20, -15)
    + panel("metal", -2, -22, 2, -22, 0, -31)
    + block("main", 0, 24, 2.6, 6, 1),
    "scythe": bar("wood", 14, 31, 4, -24, width=1.5)
    + bar("wood", 9, 6, 2, 4, width=1.3)
    + without(disc("metal", -7, -10, 24, 17), disc("ink", -11, -4, 25, 17)),
    "dynamite": repeat(
        block("main", 0, 0, 5, 18, 1) + disc("main shade", 0, -18, 5, 2), (-11, 8), (0, 8), (11, 8)
    )
    + block("ink", 0, 0, 17, 1.8)
    + block("ink", 0, 16, 17, 1.8)
    + bar("pale", 0, -12, 3, -20, 12, -22, width=0.8)
    + at(15, -23, around(6, bar("orange", 2, 0, 6, 0, width=0.9))),
}
