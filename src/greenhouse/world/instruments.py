"""Musical instruments: 25 drawings from bodies, necks, strings, tubes and skins.

Comes in: nothing. Goes out: `DRAWINGS`, name to drawing. May not: paint the backdrop.
"""

from __future__ import annotations

from .drawing import Drawing, at, bar, block, both, curve, disc, hoop, panel, repeat, turned, within


def neck(top: float, bottom: float, width: float = 2.2, head: float = 3.6) -> Drawing:
    """A dark neck with a head at its top and pegs on both sides."""
    return (
        block("ink", 0, (top + bottom) / 2, width, (bottom - top) / 2)
        + block("wood", 0, top, head, 4, 1)
        + both(
            bar("ink", head, top - 2, head + 2, top - 2)
            + bar("ink", head, top + 2, head + 2, top + 2)
        )
    )


def strings(top: float, bottom: float, *places: float) -> Drawing:
    """Upright strings at x = `places`, and the bridge that holds them."""
    return sum((bar("white", x, top, x, bottom, width=0.35) for x in places), ()) + block(
        "ink", 0, bottom, max(abs(x) for x in places) + 3, 1.1
    )


def drum(x: float, y: float, half_width: float, half_height: float) -> Drawing:
    """An upright drum with a pale skin."""
    return (
        disc("main", x, y + half_height, half_width, half_width / 3)
        + block("main", x, y, half_width, half_height)
        + disc("pale", x, y - half_height, half_width, half_width / 3)
        + hoop("second", x, y - half_height, half_width, half_width / 3, 1)
    )


def stick(x: float, y: float) -> Drawing:
    """A beater whose end lies at the origin and whose handle ends at (x, y)."""
    return bar("ink", 0, 0, x, y, width=1.1) + disc("ink", 0, 0, 2.3)


PIPES = tuple((-21 + 6 * k, 24 - 5 * k) for k in range(8))
BARS = tuple((-24 + 8 * k, 21 - 2 * k) for k in range(7))

DRAWINGS: dict[str, Drawing] = {
    "guitar": neck(-26, 2)
    + disc("main", 0, 2, 10, 8)
    + disc("main", 0, 16, 14, 12)
    + disc("ink", 0, 7, 4.5)
    + strings(-26, 20, -1.2, 1.2),
    "laced drum": drum(0, 9, 20, 13)
    + sum((bar("second", x - 3, 2, x, 25, x + 3, 2, width=0.7) for x in (-14, -5, 5, 14)), ())
    + at(-4, -5, stick(-14, -20))
    + at(4, -5, stick(14, -20)),
    "keyboard": block("main", 0, 0, 29, 15, 2)
    + block("white", 0, 3, 26, 10.5)
    + sum((bar("ink", x, -7, x, 13, width=0.4) for x in (-19, -12, -5, 2, 9, 16, 23)), ())
    + repeat(block("ink", 0, 0, 2, 6), (-19, -1), (-12, -1), (2, -1), (9, -1), (16, -1)),
    "violin": neck(-27, -4, 1.7, 2.4)
    + disc("main", 0, -1, 9, 8)
    + disc("main", 0, 17, 12, 11)
    + block("main", 0, 8, 6.5, 7)
    + both(bar("ink", 4.5, 5, 6, 13, width=0.7))
    + strings(-24, 15, -0.9, 0.9)
    + block("ink", 0, 23, 2, 4)
    + bar("wood", 20, -28, 24, 28, width=1)
    + bar("white", 17, -27, 21, 28, width=0.6),
    "harp": sum(
        (
            bar("white", x, -20 - x * 0.1, x, 25 - (x + 14) * 1.1, width=0.4)
            for x in (-9, -4, 1, 6, 11, 16)
        ),
        (),
    )
    + bar("main", -15, -26, -15, 27, width=2.2)
    + bar("main", -15, 27, 23, -13, width=2.8)
    + bar("main", -15, -24, -6, -18, 6, -19, 14, -25, 22, -22, 23, -13, width=2)
    + block("main shade", -13, 28, 7, 2.5),
    "trumpet": bar("metal", -29, -3, 16, -3, width=1.7)
    + hoop("metal", -1, 2, 15, 6.5, 1.6)
    + panel("metal", 12, -4, 12, -2, 29, 9, 29, -15)
    + disc("metal shade", 29, -3, 2.2, 12)
    + repeat(
        block("main", 0, 0, 1.8, 8) + block("main shade", 0, -9, 2.4, 1.3), (-6, 0), (0, 0), (6, 0)
    )
    + block("metal shade", -29, -3, 1.5, 3.4),
    "flute": bar("metal", -30, 12, 30, -12, width=2.7)
    + repeat(disc("ink", 0, 0, 1.6), (-1, 0.4), (5, -2), (11, -4.4), (17, -6.8), (23, -9.2))
    + disc("ink", -21, 8.4, 2.4, 1.4)
    + bar("metal shade", -12, 1, -10, 8, width=0.8),
    "saxophone": bar("metal", -18, -24, -8, -27, -4, -22, width=1.7)
    + bar("ink", -23, -22, -18, -24, width=1.7)
    + panel("metal", -6, -22, -2, -22, 3, 16, -6, 18)
    + within(hoop("metal", 5, 16, 8, 9, 3.6), top=15)
    + panel("metal", 9, 16, 16, 16, 23, -6, 8, -6)
    + disc("metal shade", 15.5, -6, 8, 2.6)
    + repeat(disc("main", 0, 0, 2), (-3, -12), (-2, -4), (-1, 4), (0, 12)),
    "accordion": block("main", -21, 0, 7, 17, 1)
    + block("main", 21, 0, 7, 17, 1)
    + sum(
        (
            panel(
                "second" if k % 2 else "second shade",
                x - 2,
                -15 + abs(k - 3),
                x + 2,
                -15 + abs(k - 3),
                x + 2,
                15 - abs(k - 3),
                x - 2,
                15 - abs(k - 3),
            )
            for k, x in enumerate(range(-12, 13, 4))
        ),
        (),
    )
    + repeat(
        block("white", 0, 0, 3, 1.6), (22, -12), (22, -7), (22, -2), (22, 3), (22, 8), (22, 13)
    )
    + repeat(
        disc("ink", 0, 0, 1.2),
        (-22, -10),
        (-22, -4),
        (-22, 2),
        (-22, 8),
        (-18, -7),
        (-18, -1),
        (-18, 5),
    ),
    "xylophone": at(
        0,
        0,
        bar("wood", -30, -9, 30, -4, width=1.4)
        + bar("wood", -30, 12, 30, 5, width=1.4)
        + sum(
            (
                block("main" if k % 2 else "second", x, 0, 3.2, height)
                for k, (x, height) in enumerate(BARS)
            ),
            (),
        )
        + at(-2, 6, stick(-10, 24))
        + at(12, 4, stick(12, 22)),
        0.9,
    ),
    "tambourine": hoop("main", 0, 0, 21, width=4)
    + disc("pale", 0, 0, 18)
    + repeat(
        disc("metal", 0, 0, 4, 4) + disc("ink", 0, 0, 1),
        (0, -21),
        (20, -6),
        (12, 17),
        (-12, 17),
        (-20, -6),
    ),
    "cymbals": bar("ink", 0, -18, 0, 14, width=1.1)
    + both(bar("ink", 0, 12, 15, 30, width=1.1))
    + disc("metal", 0, -18, 26, 5)
    + disc("metal shade", 0, -21, 6, 2.6)
    + disc("metal", 0, -8, 20, 4),
    "hand bell": block("wood", 0, -22, 2.6, 8, 1.5)
    + panel("metal", -8, -12, 8, -12, 13, 8, -13, 8)
    + disc("metal", 0, -12, 8, 5)
    + panel("metal", -13, 8, 13, 8, 19, 17, -19, 17)
    + disc("ink", 0, 19, 5, 4.5)
    + block("metal shade", 0, 17, 20, 2, 1),
    "triangle": bar("metal", 6, 22, -25, 22, 0, -22, 24, 20, width=1.8)
    + curve("white", 0, -27, 3, 8, 0.5)
    + bar("wood", 4, 8, 28, -12, width=1.2),
    "banjo": neck(-27, 2, 1.8, 3.2)
    + disc("main", 0, 14, 16)
    + disc("pale", 0, 14, 13)
    + strings(-26, 19, -1.2, 1.2),
    "grand piano": block("dark", -22, 18, 1.6, 10)
    + block("dark", 20, 18, 1.6, 10)
    + block("dark", 0, 20, 1.2, 9)
    + panel("main shade", -26, 2, -24, -27, 10, -22, 26, -4)
    + panel("main", -28, 3, 28, -3, 28, 10, -28, 12)
    + block("white", -18, 8, 10, 2)
    + sum((bar("ink", x, 6, x, 8, width=0.6) for x in (-25, -21, -17, -13)), ())
    + bar("ink", 8, 0, 12, -18, width=0.6),
    "trombone": bar("metal", -28, -4, 10, -4, width=1.1)
    + bar("metal", -8, 8, 30, 8, width=1.1)
    + bar("metal", -20, 17, 30, 17, width=1.1)
    + bar("metal", 30, 8, 31, 12.5, 30, 17, width=1.1)
    + bar("metal", -22, -4, -26, 6, -20, 17, width=1.1)
    + panel("metal", 4, -5, 4, -3, 26, 5, 26, -13)
    + bar("main", -2, 8, -2, 17, width=0.9)
    + block("ink", -8, 8, 1.4, 2.4),
    "tuba": hoop("metal", 0, 8, 14, 19, 3)
    + panel("metal", -3, 14, 5, 14, 18, -26, -16, -26)
    + disc("metal shade", 1, -26, 17, 4)
    + repeat(block("main", 0, 0, 1.6, 8), (-5, 8), (0, 8), (5, 8))
    + bar("metal", -14, -4, -24, -8, width=1.3),
    "French horn": hoop("metal", -4, -3, 16, width=2.2)
    + hoop("metal", -4, -3, 10, width=1.3)
    + panel("metal", -2, 10, 6, 14, 28, 12, 12, 30)
    + turned(disc("metal shade", 0, 0, 13, 3.4), -0.41, 20, 21)
    + bar("metal", -18, -10, -28, -24, width=1.2)
    + repeat(disc("main", 0, 0, 2), (-8, -3), (-3, -3), (2, -3)),
    "panpipes": at(
        0,
        0,
        sum(
            (
                block("main", x, -22 + height, 2.6, height) + disc("ink", x, -22, 1.8, 1)
                for x, height in PIPES
            ),
            (),
        )
        + bar("second", -24, -10, 24, -14, width=1.8),
        0.85,
    ),
    "maracas": bar("wood", -10, -6, 11, 27, width=1.6)
    + bar("wood", 10, -6, -11, 27, width=1.6)
    + turned(disc("main", 0, -20, 9, 12) + bar("second", -8, -19, 8, -19, width=1.6), -0.3, -3, 2)
    + turned(disc("main", 0, -20, 9, 12) + bar("second", -8, -19, 8, -19, width=1.6), 0.3, 3, 2),
    "lyre": both(bar("main", 4, 20, 17, 10, 18, -4, 12, -16, 16, -27, width=2.4))
    + block("main", 0, 22, 12, 5, 2)
    + bar("main shade", -15, -18, 15, -18, width=1.8)
    + strings(-18, 19, -7.5, -2.5, 2.5, 7.5),
    "gong": at(
        0,
        0,
        bar("wood", -26, 30, -26, -26, 26, -26, 26, 30, width=1.8)
        + both(bar("ink", 9, -26, 9, -14, width=0.5))
        + disc("metal", 0, 2, 19)
        + hoop("metal shade", 0, 2, 14, width=0.9)
        + disc("metal shade", 0, 2, 5)
        + at(9, 16, stick(13, 14)),
        0.85,
    ),
    "bongos": drum(-14, 2, 13, 10) + drum(14, 4, 12, 8) + block("ink", 0, 4, 3, 3),
    "balalaika": neck(-28, -10, 1.4, 3)
    + panel("main", 0, -14, 29, 28, -29, 28)
    + disc("ink", 0, 4, 2.6)
    + strings(-28, 21, -1.2, 1.2)
    + both(bar("main shade", 4, -8, 26, 25, width=0.8)),
}
