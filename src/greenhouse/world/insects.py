"""Insects and other small crawlers: 25 drawings from bodies, wings, legs and feelers.

Comes in: nothing. Goes out: `DRAWINGS`, name to drawing. May not: paint the backdrop.
"""

from __future__ import annotations

from .drawing import Drawing, Part, bar, both, curve, disc, hoop, leaf, panel, repeat, within


def legs(
    reach: float = 19, width: float = 0.9, top: float = -6, step: float = 7, drift: float = 6
) -> Drawing:
    """Three legs on either side, the front ones forwards and the hind ones backwards."""
    return sum(
        (
            both(
                bar(
                    "ink",
                    2,
                    top + k * step,
                    reach * 0.7,
                    top + k * step + (k - 1) * drift * 0.3,
                    reach,
                    top + k * step + (k - 1) * drift + 2,
                    width=width,
                )
            )
            for k in range(3)
        ),
        (),
    )


def feelers(y: float, reach: float = 8, length: float = 9, width: float = 0.6) -> Drawing:
    """Two feelers from the head at `y`."""
    return both(bar("ink", 1, y, reach * 0.5, y - length * 0.7, reach, y - length, width=width))


def stripes(drawing: Drawing, paint: str, *heights: float, width: float = 1.3) -> Drawing:
    """The drawing with bands across at these heights."""
    bands = sum((within(drawing, top=y - width, bottom=y + width) for y in heights), ())
    return drawing + tuple(Part(band.shape, paint) for band in bands)


def wings(paint: str, *lines: tuple[float, float, float, float, float]) -> Drawing:
    """Pairs of wings: (x0, y0, x1, y1, half width) of the right one each."""
    return sum((both(leaf(paint, *line)) for line in lines), ())


GNAT = both(leaf("pale", 0, 0, 5, -4, 1.5)) + disc("ink", 0, 1, 1.4, 3)

DRAWINGS: dict[str, Drawing] = {
    "ladybird": legs(18)
    + disc("ink", 0, -13, 6, 5)
    + feelers(-16, 6, 7)
    + disc("main", 0, 3, 15, 16)
    + bar("ink", 0, -12, 0, 19, width=0.6)
    + both(repeat(disc("ink", 0, 0, 2.8), (7, -4), (5, 10), (11, 5))),
    "butterfly": wings("main", (1, -2, 23, -17, 10), (1, 2, 18, 20, 7.5))
    + both(disc("second", 15, -11, 4.5) + disc("second", 11, 13, 3))
    + feelers(-11, 7, 11)
    + disc("ink", 0, 0, 2.2, 14),
    "wasp": legs(15)
    + wings("pale", (2, -6, 26, 2, 4), (2, -4, 20, 12, 3.2))
    + disc("ink", 0, -17, 5, 4)
    + feelers(-19, 8, 8)
    + disc("main shade", 0, -8, 6, 6)
    + stripes(leaf("main", 0, -2, 0, 27, 7), "ink", 4, 11, 18)
    + bar("ink", 0, 25, 0, 31, width=0.7),
    "ant": bar("ink", -14, 4, -18, 22, -24, 24, width=0.8)
    + bar("ink", -2, 2, -6, 22, -10, 26, width=0.8)
    + bar("ink", 2, 2, 8, 22, 14, 24, width=0.8)
    + bar("ink", -20, -8, -26, -22, width=0.7)
    + bar("ink", -20, -8, -17, -24, width=0.7)
    + disc("main", -19, -4, 7, 6)
    + disc("main shade", -2, 0, 9, 5)
    + bar("main", -18, -2, 12, 0, width=2)
    + disc("main", 19, -3, 11, 8.5),
    "dragonfly": wings("pale", (1, -14, 30, -21, 3.6), (1, -10, 28, -5, 3.6))
    + bar("main", 0, -14, 0, 30, width=1.9)
    + stripes(leaf("main", 0, -20, 0, -4, 4), "ink", -12)
    + both(disc("second", 3, -22, 3.6)),
    "moth": both(panel("main", 0, -14, 28, 12, 16, 20, 0, 10))
    + both(panel("main shade", 0, 2, 16, 20, 7, 27))
    + both(hoop("second", 14, 6, 3.5, width=1.2))
    + disc("wood", 0, 2, 4, 14)
    + both(bar("ink", 1, -12, 10, -24, width=1.3) + bar("ink", 5, -17, 11, -17, width=0.6)),
    "bumblebee": legs(17, 1.1)
    + wings("pale", (4, -6, 25, -14, 6))
    + disc("ink", 0, -15, 7, 5.5)
    + feelers(-18, 7, 7)
    + stripes(disc("main", 0, 3, 14, 18), "ink", -4, 5, 14, width=2.4),
    "grasshopper": bar("ink", -14, 6, -20, 20, width=0.9)
    + bar("ink", -6, 8, -8, 22, width=0.9)
    + leaf("main", -24, -4, 30, 8, 6)
    + leaf("main shade", -10, -4, 30, 2, 3.4)
    + disc("main", -21, -5, 7, 7.5)
    + disc("ink", -23, -7, 1.8)
    + bar("ink", -24, -11, -12, -28, width=0.6)
    + leaf("second", -2, 6, 16, -20, 3)
    + bar("second", 15, -18, 22, 22, 29, 23, width=1.2),
    "mosquito": sum(
        (bar("ink", 0, 0, dx, -14, dx * 1.5, 26, width=0.5) for dx in (-18, -10, 10, 18)), ()
    )
    + wings("pale", (1, -4, 17, 10, 3))
    + bar("main", 0, 0, 0, 20, width=1.8)
    + disc("ink", 0, -4, 4, 5)
    + disc("ink", 0, -11, 2.6)
    + bar("ink", 0, -12, 0, -30, width=0.6),
    "fly": legs(18, 0.8)
    + wings("pale", (2, -2, 19, 23, 6))
    + disc("main", 0, 8, 8, 11)
    + disc("dark", 0, -4, 8, 8)
    + both(disc("red", 5, -15, 5.5, 6)),
    "caterpillar": repeat(
        bar("ink", 0, 0, 0, 11, width=1), (-22, 6), (-13, 0), (-4, -2), (5, 0), (14, 4), (22, 8)
    )
    + repeat(disc("main", 0, 0, 7), (23, 6), (14, 2), (5, -2), (-4, -4), (-13, -1))
    + disc("second", -22, 3, 8)
    + bar("ink", -24, -3, -29, -14, width=0.7)
    + bar("ink", -20, -4, -19, -15, width=0.7),
    "spider": sum(
        (
            both(
                bar("ink", 2, y, 16, y - 7 + k * 4, 25 - abs(k - 1.5) * 2, y - 14 + k * 13, width=1)
            )
            for k, y in enumerate((-6, -4, -2, 0))
        ),
        (),
    )
    + disc("main", 0, 9, 11, 13)
    + disc("main shade", 0, -7, 6.5)
    + panel("second", -3, 4, 3, 4, 0, 9)
    + panel("second", -3, 14, 3, 14, 0, 9),
    "centipede": sum(
        (
            bar("ink", x, y - 8, x - 1, y + 8, width=0.6)
            for x, y in (
                (-24, -10),
                (-18, -14),
                (-12, -12),
                (-6, -6),
                (0, 0),
                (6, 6),
                (12, 10),
                (18, 9),
                (24, 4),
            )
        ),
        (),
    )
    + repeat(
        disc("main", 0, 0, 4.2),
        (-24, -10),
        (-18, -14),
        (-12, -12),
        (-6, -6),
        (0, 0),
        (6, 6),
        (12, 10),
        (18, 9),
        (24, 4),
    )
    + disc("second", -27, -5, 4.5)
    + bar("ink", -28, -3, -30, 9, width=0.5)
    + bar("ink", 26, 2, 31, -8, width=0.6),
    "stag beetle": legs(19, 1.2, -2)
    + disc("main", 0, 10, 11, 17)
    + bar("ink", 0, -4, 0, 26, width=0.6)
    + disc("dark", 0, -7, 10, 6)
    + both(
        bar("dark", 4, -11, 13, -19, 10, -28, 5, -30, width=1.7)
        + bar("dark", 12, -21, 7, -21, width=1.1)
    ),
    "water strider": both(
        bar("ink", 1, -8, 10, -22, width=0.7)
        + bar("ink", 1, -1, 28, -14, width=0.8)
        + bar("ink", 1, 3, 26, 26, width=0.8)
        + hoop("sea", 26, -13, 4, 2.2, 0.7)
        + hoop("sea", 25, 25, 4, 2.2, 0.7)
    )
    + leaf("main", 0, -16, 0, 18, 2.6),
    "mantis": bar("main", 18, 30, 4, 0, -6, -16, width=2.2)
    + leaf("main shade", 26, 30, 2, 0, 4)
    + bar("main", 6, 4, -4, 18, -6, 31, width=0.9)
    + bar("main", 12, 14, 2, 24, 4, 31, width=0.9)
    + bar("main", -4, -12, -18, 2, -14, -16, -20, -12, width=1.8)
    + panel("main", -14, -20, 2, -22, -6, -12)
    + disc("ink", -12, -20, 2)
    + disc("ink", 0, -21, 2)
    + bar("ink", -6, -22, -2, -31, width=0.5),
    "stick insect": bar("main", -2, -30, 0, 0, 2, 30, width=1.3)
    + both(
        bar("main", 0, -18, 12, -28, width=0.7)
        + bar("main", 0, -6, 17, -2, 21, 10, width=0.7)
        + bar("main", 0, 6, 14, 18, 15, 30, width=0.7)
    ),
    "cockroach": legs(20, 0.9, -2, 9, 9)
    + disc("main", 0, 4, 10, 22)
    + bar("ink", 0, -8, 0, 25, width=0.5)
    + disc("main shade", 0, -13, 9, 5.5)
    + disc("ink", 0, -19, 4, 2.6)
    + both(bar("ink", 1, -20, 12, -30, 24, -22, width=0.5) + bar("ink", 3, 24, 7, 31, width=0.7)),
    "weevil": bar("ink", -8, 8, -14, 24, width=1.1)
    + bar("ink", 4, 12, 2, 26, width=1.1)
    + bar("ink", 14, 10, 20, 25, width=1.1)
    + disc("main", 8, 0, 18, 14)
    + sum((curve("main shade", 8, y, 16, 5, 0.6) for y in (-6, 0, 6)), ())
    + disc("main shade", -10, 2, 8)
    + bar("main shade", -14, 0, -25, 6, -28, 18, width=2.2)
    + bar("ink", -26, 10, -31, 2, width=0.6)
    + disc("white", -13, -1, 1.6),
    "earwig": legs(15, 0.9, -12, 8)
    + leaf("main", 0, -8, 0, 17, 5.5)
    + sum((bar("ink", -5, y, 5, y, width=0.4) for y in (0, 5, 10)), ())
    + disc("main shade", 0, -10, 5.5, 6)
    + disc("main", 0, -18, 4.5)
    + feelers(-20, 11, 11)
    + both(bar("dark", 2, 15, 7, 22, 5, 29, 1, 31, width=1.2)),
    "flea": bar("ink", -10, 12, -16, 20, -13, 28, width=0.9)
    + bar("ink", -2, 14, -4, 22, 0, 29, width=0.9)
    + bar("second", 12, 8, 4, 20, 22, 22, 26, 30, width=1.6)
    + disc("main", 2, -2, 15, 17)
    + sum(
        (within(hoop("main shade", 2 - k, -2, 15 - 4 * k, 17, 0.7), left=2) for k in (1, 2, 3)), ()
    )
    + disc("main shade", -13, 4, 7, 6)
    + disc("ink", -15, 3, 1.5)
    + bar("ink", -17, 8, -20, 14, width=0.8),
    "cicada": legs(15, 0.9, -10, 5)
    + disc("main", 0, 6, 8, 20)
    + disc("main shade", 0, -12, 12, 6)
    + both(disc("red", 11, -16, 3))
    + both(panel("pale", 3, -8, 14, -6, 17, 22, 8, 31, 3, 16))
    + both(bar("ink", 5, -6, 10, 27, width=0.4) + bar("ink", 6, 2, 15, 14, width=0.4)),
    "silverfish": panel("main", -8, -18, 8, -18, 2, 22, -2, 22)
    + disc("main", 0, -18, 8, 7)
    + sum(
        (bar("main shade", -7 + k, -14 + 6 * k, 7 - k, -14 + 6 * k, width=0.6) for k in range(6)),
        (),
    )
    + both(bar("ink", 3, -23, 14, -31, width=0.5) + bar("ink", 1, 20, 12, 31, width=0.5))
    + bar("ink", 0, 20, 0, 32, width=0.5)
    + both(bar("ink", 7, -12, 12, -8, width=0.6) + bar("ink", 6, -6, 11, -1, width=0.6)),
    "swarm of gnats": repeat(
        GNAT,
        (-20, -18),
        (0, -23),
        (20, -16),
        (-10, -5),
        (10, -3),
        (-23, 6),
        (24, 10),
        (-9, 17),
        (8, 21),
        scale=1.25,
    ),
    "longhorn beetle": legs(16, 1, -2)
    + leaf("main", 0, -10, 0, 30, 7.5)
    + bar("ink", 0, -6, 0, 28, width=0.5)
    + both(disc("white", 3, 6, 1.6) + disc("white", 3, 18, 1.6))
    + disc("main shade", 0, -9, 5.5, 5)
    + disc("ink", 0, -16, 4)
    + both(bar("ink", 2, -18, 14, -29, 25, -20, 29, 2, 24, 20, width=0.9)),
}
