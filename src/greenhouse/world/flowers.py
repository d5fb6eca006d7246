"""Flowers: 25 drawings from stems, leaves and petals.

Comes in: nothing. Goes out: `DRAWINGS`, name to drawing. May not: paint the backdrop.
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
    leaf,
    panel,
    repeat,
    turned,
)


def stem(top: float = 0, width: float = 1.3) -> Drawing:
    """A straight stem from `top` down."""
    return bar("green", 0, top, 1, 32, width=width)


def leaves(y: float = 24, reach: float = 13, width: float = 3.5) -> Drawing:
    """Two leaves at the stem, spread upwards."""
    return both(leaf("green", 0, y + 5, reach, y - 6, width))


def blades(y: float = 31, reach: float = 11, top: float = 2) -> Drawing:
    """Two long narrow leaves from the ground."""
    return both(leaf("green", 1, y, reach, top, 2.2))


def petals(
    number: int, length: float, width: float, paint: str = "main", inner: float = 0
) -> Drawing:
    """A ring of petals about the origin, one of them pointing up."""
    return around(number, leaf(paint, 0, -inner, 0, -length, width))


def bell(x: float, y: float, scale: float = 1.0) -> Drawing:
    """A hanging bell with a toothed rim."""
    teeth = repeat(panel("main", -2.4, 2, 2.4, 2, 0, 10), (-4, 0), (0, 0), (4, 0))
    return at(x, y, disc("main", 0, 0, 6) + teeth + disc("white", 0, 9, 1.4), scale)


BLOSSOM = petals(5, 6.5, 2.8) + disc("second", 0, 0, 1.8)

DRAWINGS: dict[str, Drawing] = {
    "daisy": stem(-4)
    + bar("green", 0, 24, 9, 17, width=1.2)
    + at(0, -6, petals(12, 20, 2.8, inner=4) + disc("second", 0, 0, 6)),
    "tulip": stem()
    + both(leaf("green", 1, 31, 10, 8, 2.8))
    + disc("main", 0, -8, 11, 12)
    + both(panel("main", 5, -8, 12, -24, 11, -6))
    + panel("main shade", -7, -8, 0, -25, 7, -8),
    "bellflower": bar("green", 0, 32, 0, -26, width=1.2)
    + both(bar("green", 0, -12, 15, -15, 15, -6, width=0.9))
    + bell(0, -20)
    + bell(-15, -3)
    + bell(15, -3),
    "rose": stem(0)
    + both(bar("green", 0, 21, 11, 15, width=0.9) + leaf("green", 9, 17, 20, 11, 3.6))
    + repeat(panel("green", 0, 0, 0, 4, 4, 1), (0, 12), (0, 25))
    + at(
        0,
        -11,
        disc("main", 0, 0, 15, 14)
        + hoop("main shade", 1, 1, 11, 10)
        + hoop("main shade", -1, 0, 7, 6)
        + disc("main shade", 0, 0, 3, 2.5),
    ),
    "sunflower": stem(0, 2)
    + both(leaf("green", 0, 22, 24, 18, 6))
    + at(
        0,
        -9,
        petals(16, 22, 2.8, inner=10)
        + disc("dark", 0, 0, 13)
        + repeat(
            disc("wood", 0, 0, 1.4),
            (0, 0),
            (-6, 0),
            (6, 0),
            (0, -6),
            (0, 6),
            (4, 4),
            (-4, 4),
            (4, -4),
            (-4, -4),
        ),
    ),
    "lily": bar("green", 2, 4, 14, 32, width=1.4)
    + around(6, panel("main", -5.5, -10, 0, -28, 5.5, -10, 0, 0))
    + around(6, bar("ink", 1, -2, 6, -11, width=0.6) + disc("second", 6, -11, 1.6)),
    "poppy": bar("green", -4, -4, -2, 14, 4, 32, width=1.2)
    + bar("green", 16, 32, 20, 8, width=1)
    + leaf("green", 20, 12, 20, -2, 3.4)
    + at(
        -4,
        -8,
        repeat(disc("main", 0, 0, 11, 9), (-9, 0), (9, 0))
        + disc("main shade", 0, -8, 12, 9)
        + disc("main", 0, 7, 13, 8)
        + disc("ink", 0, 0, 4.5),
    ),
    "thistle": stem()
    + both(bar("green", 0, 26, 13, 19, width=1.3) + bar("green", 6, 22, 8, 15, width=1.0))
    + disc("green", 0, 0, 9, 9)
    + repeat(bar("white", -2, -2, 0, 0, 2, -2, width=0.4), (0, 0), (-5, 2), (5, 2), (0, 5))
    + sum(
        (
            panel("main", -3 + dx / 2, -7, 3 + dx / 2, -7, dx * 1.2, -26)
            for dx in (-11, -5, 0, 5, 11)
        ),
        (),
    ),
    "lavender": stem(-20)
    + blades()
    + sum(
        (
            both(disc("main", 3.6, y, 3.6, 2.6)) + disc("main shade", 0, y - 3, 2.6, 2.4)
            for y in (6, 0, -6, -12, -18, -23)
        ),
        (),
    ),
    "dandelion clock": stem(-8, 0.9)
    + at(
        0,
        -8,
        around(16, bar("white", 0, -3, 0, -18, width=0.4) + disc("pale", 0, -18, 2))
        + disc("wood", 0, 0, 3),
    ),
    "water lily": disc("green", 0, 16, 28, 9)
    + panel("sea", 0, 16, 10, 27, 24, 26)
    + sum((turned(leaf("main", 0, 0, 0, -25, 4.5), t, 0, 14) for t in (-0.6, 0.6, -0.3, 0.3)), ())
    + leaf("main shade", 0, 14, 0, -12, 5)
    + both(leaf("main", 0, 15, 12, -1, 3.5)),
    "orchid": curve("green", 0, 12, 22, 40, 1.2)
    + at(0, -6, around(3, leaf("main shade", 0, 0, 0, -19, 3.4)))
    + both(disc("main", 9, -9, 9, 7))
    + panel("second", -6, 8, 6, 8, 3, -4, -3, -4)
    + disc("white", 0, -5, 2.5),
    "iris": stem()
    + blades(top=-4)
    + leaf("main", 0, -4, 0, -28, 5.5)
    + both(leaf("main", 1, -5, 9, -25, 3.6))
    + both(leaf("main shade", 1, -7, 17, 5, 4.6) + bar("sun", 4, -5, 11, 0, width=0.8))
    + leaf("main shade", 0, -7, 0, 12, 5)
    + bar("sun", 0, -4, 0, 4, width=0.9),
    "hibiscus": at(
        0, 2, petals(5, 25, 9.5, inner=2) + around(5, bar("main shade", 0, -4, 0, -17, width=0.6))
    )
    + disc("second", 0, 2, 4)
    + bar("second", 0, 2, 17, -15, width=1.3)
    + repeat(disc("sun", 0, 0, 1.7), (17, -15), (13, -15), (17, -11)),
    "snowdrop": curve("green", -8, 2, 13, 56, 1.2)
    + leaf("green", -18, 31, -24, -2, 2.4)
    + at(
        4,
        -2,
        disc("green", 0, -1, 3, 4)
        + both(leaf("pale", 0, 0, 10, 20, 3.8))
        + leaf("white", 0, 0, 0, 22, 4.2),
    ),
    "crocuses": block("soil", 0, 28, 30, 4, 3)
    + repeat(
        both(leaf("green", 1, 14, 7, -8, 1.2))
        + both(leaf("main", 1, 4, 6, -14, 3.6))
        + leaf("main shade", 0, 5, 0, -15, 3.4),
        (-19, 12),
        (0, 4),
        (19, 13),
    ),
    "daffodil": stem(-6)
    + blades(top=-2, reach=15)
    + at(
        0,
        -8,
        petals(6, 19, 5.5, inner=3)
        + disc("second", 0, 0, 9)
        + hoop("second shade", 0, 0, 9, width=1.3)
        + disc("second shade", 0, 0, 4),
    ),
    "carnation": stem(2)
    + leaves(26, 9, 1.8)
    + panel("green", -4, 2, 4, 2, 2, 12, -2, 12)
    + panel("main", -21, -16, 21, -16, 4, 4, -4, 4)
    + repeat(
        panel("main", -4, 0, 4, 0, 0, -8),
        (-17, -15),
        (-10, -17),
        (-3, -18),
        (4, -18),
        (11, -17),
        (17, -15),
    )
    + both(bar("main shade", 2, 2, 9, -14, width=0.6))
    + both(bar("main shade", 4, 2, 17, -13, width=0.6)),
    "hydrangea": stem()
    + both(leaf("green", 0, 22, 24, 12, 6.5))
    + disc("main shade", 0, -8, 20, 17)
    + repeat(
        petals(4, 5.4, 2.4) + disc("white", 0, 0, 1),
        (-13, -8),
        (0, -8),
        (13, -8),
        (-7, -18),
        (7, -18),
        (-7, 2),
        (7, 2),
    ),
    "foxglove": stem(-30)
    + leaves(27, 16, 4)
    + sum(
        (
            both(
                leaf("main", 1, y, 5 + (y + 32) / 4, y + 7, 2 + (y + 30) / 16)
                + disc("white", 5 + (y + 32) / 4, y + 7, 1.3)
            )
            for y in (-29, -20, -10, 1)
        ),
        (),
    ),
    "calla": stem()
    + leaf("green", 0, 31, 17, 6, 5)
    + panel("pale", -13, -19, 13, -25, 2, 16, -2, 16)
    + disc("pale", 0, -18, 14, 8)
    + disc("overcast", 1, -17, 9, 4.5)
    + bar("sun", 1, -16, 3, -4, width=1.8),
    "bird of paradise": bar("green", -8, 32, -6, 2, width=1.8)
    + panel("green", -10, 6, -8, -1, 28, -4)
    + sum(
        (turned(panel("main", -3.5, 0, 0, -27, 3.5, 0), t, -3, 0) for t in (-0.28, -0.02, 0.26)), ()
    )
    + turned(panel("second", -2, 0, 0, -25, 2, 0), 0.52, -2, 0),
    "cactus flower": block("wood", 0, 26, 13, 6, 1)
    + disc("green", 0, 8, 12, 17)
    + sum((curve("white", x, 8, 1.2, 26, 0.3) for x in (-7, 0, 7)), ())
    + disc("green", 15, -1, 5, 8)
    + at(0, -10, around(8, leaf("main", 0, 0, 0, -11, 2.5)) + disc("second", 0, 0, 3)),
    "cherry branch": bar("wood", -32, 22, -8, 8, 12, 4, 32, -20, width=1.6)
    + bar("wood", -8, 8, -6, -18, width=1.2)
    + repeat(
        BLOSSOM, (-20, 13), (-6, -18), (-9, 1), (9, 5), (20, -8), (27, -20), (4, 20), scale=1.15
    ),
    "wreath": hoop("green", 0, 0, 21, width=2.6)
    + around(8, at(0, -21, BLOSSOM))
    + around(8, leaf("green", 8, -20, 14, -27, 2)),
}
