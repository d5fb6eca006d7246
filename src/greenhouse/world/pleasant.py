"""Pleasant scenes: 25 of them, by day and by night, outdoors and at home.

Comes in: nothing. Goes out: `SCENES`, name to scene. May not: show a person, a face or a crest.
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
    within,
    without,
)
from .flowers import BLOSSOM
from .scenery import Scene, cloud, fir, ground, hill, house, peak, ripples, stars, tree


def sun(x: float, y: float, radius: float = 8) -> Drawing:
    """The sun with rays."""
    return at(
        x,
        y,
        disc("sun", 0, 0, radius) + around(8, bar("sun", radius + 3, 0, radius + 6, 0, width=0.9)),
    )


def bow(x: float, y: float, radius: float) -> Drawing:
    """A rainbow."""
    paints = ("red", "orange", "sun", "green", "blue")
    return sum(
        (hoop(paint, x, y, radius - 2.6 * k, width=1.4) for k, paint in enumerate(paints)), ()
    )


def balloon(paint: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A toy balloon with its string."""
    return at(
        x,
        y,
        bar("ink", 0, 10, 1, 20, -1, 30, width=0.4)
        + panel(paint, -2, 12, 2, 12, 0, 8)
        + disc(paint, 0, 0, 8, 10)
        + disc("white", -3, -4, 1.6, 2.4),
        size,
    )


def hot_air_balloon(paint: str, second: str) -> Drawing:
    """A striped balloon with a basket."""
    return (
        both(bar("ink", 2.5, 17, 7, 8, width=0.4))
        + panel(paint, -12, 3, 12, 3, 4, 12, -4, 12)
        + disc(paint, 0, -4, 13, 13)
        + disc(second, 0, -4, 5, 13)
        + block("wood", 0, 19, 3.4, 2.8)
    )


def burst(paint: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A firework."""
    return at(x, y, around(12, bar(paint, 4, 0, 12, 0, width=0.7) + disc(paint, 14, 0, 1)), size)


def lantern(paint: str, x: float, y: float) -> Drawing:
    """A round paper lantern with its light."""
    return at(
        x,
        y,
        disc(paint, 0, 0, 8, 7)
        + hoop("glow", 0, 0, 3.5, 7, 0.4)
        + disc("glow", 0, 0, 2, 4)
        + block("ink", 0, -7, 3, 1)
        + block("ink", 0, 7, 3, 1)
        + bar("ink", 0, 8, 0, 13, width=0.5),
    )


def palm(x: float, y: float) -> Drawing:
    """A palm whose top is at (x, y)."""
    return bar("wood", x + 4, 26, x + 2, 10, x, y, width=1.6) + at(
        x,
        y,
        both(leaf("green", 0, 0, 16, 5, 2.4) + leaf("green", 0, 0, 14, -6, 2.4))
        + leaf("green", 0, 1, 3, -13, 2.4),
    )


def duck(paint: str, x: float, y: float, size: float = 1.0) -> Drawing:
    """A swimming duck."""
    return at(
        x,
        y,
        within(disc(paint, 0, 0, 9, 6), bottom=3)
        + panel(paint, -11, -6, -4, 0, -9, 3)
        + bar(paint, 5, 0, 6, -8, width=2)
        + disc(paint, 7, -9, 3.8)
        + panel("orange", 10, -10, 15, -8, 10, -7),
        size,
    )


NIGHT = stars(
    (-27, -26), (-16, -12), (-6, -27), (4, -16), (14, -28), (26, -10), (-25, -3), (28, -25)
)

SCENES: dict[str, Scene] = {
    "sunny meadow": Scene(
        "noon",
        "haze",
        sun(6, -15)
        + hill("grass", -6, 9)
        + repeat(
            disc("main", 0, 0, 2.6) + disc("white", 0, 0, 1),
            (-22, 20),
            (-10, 26),
            (2, 18),
            (12, 27),
            (23, 20),
        ),
    ),
    "rainbow over hills": Scene(
        "noon",
        "haze",
        bow(0, 16, 29)
        + hill("grass", -18, 10, 34)
        + hill("grass shade", 20, 13, 34)
        + cloud("white", -22, 9, 0.8)
        + cloud("white", 22, 9, 0.8),
    ),
    "sail at sunset": Scene(
        "dusk",
        "sun",
        disc("glow", -12, 2, 10)
        + ground("sea", 5)
        + ripples("white", 12, 18, 25)
        + panel("white", 8, 6, 20, 6, 8, -20)
        + panel("pale", 5, 6, 5, -14, -4, 6)
        + panel("main", -6, 8, 22, 8, 17, 14, -2, 14),
    ),
    "moon and stars": Scene(
        "night",
        "deep blue",
        NIGHT
        + without(disc("glow", 8, -10, 12), disc("ink", 14, -13, 11))
        + hill("dark", 14, 16)
        + fir("ash", -20, 27)
        + fir("ash", -8, 29, 0.8),
    ),
    "fireworks": Scene(
        "night",
        "deep blue",
        burst("main", -13, -13, 1.1)
        + burst("sun", 14, -17, 0.8)
        + burst("second", 10, 4)
        + sum(
            (
                block("ink", x, 32 - h, 4.5, h + 4)
                for x, h in ((-27, 8), (-17, 5), (-7, 10), (4, 6), (14, 9), (25, 6))
            ),
            (),
        ),
    ),
    "palm beach": Scene(
        "noon",
        "haze",
        ground("sea", 2)
        + ripples("white", 7)
        + disc("sand", 6, 34, 46, 20)
        + palm(10, -14)
        + disc("sun", -20, -20, 6),
    ),
    "snowy peaks": Scene(
        "noon",
        "haze",
        peak("rock", 16, -14, 30)
        + peak("snow", 16, -14, 11, 0)
        + peak("rock shade", -12, -24, 34)
        + peak("snow", -12, -24, 12.5, 0)
        + ground("grass", 19)
        + fir("green", 20, 26, 0.7)
        + fir("green", 26, 29, 0.7),
    ),
    "waterfall": Scene(
        "haze",
        "noon",
        block("rock", -26, 8, 17, 34)
        + block("rock shade", 26, 4, 17, 34)
        + block("sea", 0, 2, 10, 22)
        + sum((bar("white", x, -18, x, 20, width=0.8) for x in (-6, -1, 4, 8)), ())
        + ground("sea", 22)
        + disc("white", 0, 22, 14, 4)
        + tree("green", -22, -24, 0.7)
        + tree("green", 24, -27, 0.6),
    ),
    "hot-air balloons": Scene(
        "noon",
        "haze",
        hill("grass", 8, 18)
        + at(-10, -8, hot_air_balloon("main", "second"))
        + at(18, -12, hot_air_balloon("second", "sun"), 0.6),
    ),
    "kite": Scene(
        "noon",
        "noon",
        cloud("white", -18, 4)
        + hill("grass", -14, 20)
        + bar("ink", 10, 8, 4, 16, -6, 20, -14, 26, width=0.5)
        + panel("main", 10, -27, 23, -13, 10, 8, -3, -13)
        + panel("second", 10, -27, 23, -13, 10, -13)
        + panel("second", 10, -13, 10, 8, -3, -13)
        + repeat(panel("sun", -3, -2, 3, 2, 3, -2, -3, 2), (4, 16), (-6, 20)),
    ),
    "birthday cake": Scene(
        "wall",
        "wall",
        ground("wood", 20)
        + disc("pale", 0, 22, 26, 4)
        + block("main", 0, 14, 20, 8, 1)
        + block("second", 0, 1, 14, 6, 1)
        + both(curve("white", 5, 8, 4, -5, 1.3) + curve("white", 14, 8, 4, -5, 1.3))
        + sum(
            (
                bar("pale", x, -6, x, -14, width=1) + disc("orange", x, -18, 1.6, 2.8)
                for x in (-9, -3, 3, 9)
            ),
            (),
        ),
    ),
    "tent under the stars": Scene(
        "night",
        "deep blue",
        NIGHT
        + fir("ash", 23, 24, 1.3)
        + ground("grass shade", 18)
        + panel("main", -26, 24, 12, 24, -7, -8)
        + panel("glow", -13, 24, -1, 24, -7, -4)
        + at(20, 26, panel("orange", -4, 0, 4, 0, 0, -10) + bar("wood", -6, 1, 6, 1, width=1.2)),
    ),
    "lighthouse": Scene(
        "dusk",
        "haze",
        panel("glow", 6, -20, 40, -32, 40, -12)
        + ground("sea", 12)
        + ripples("white", 18, 25)
        + disc("rock", 4, 26, 22, 12)
        + panel("white", 0, -16, 10, -16, 13, 18, -3, 18)
        + repeat(panel("red", -5.6, -2.5, 5.6, -2.5, 6, 2.5, -6, 2.5), (5, -8), (5, 3), (5, 13))
        + block("glow", 5, -20, 4, 4)
        + panel("red", -1, -23, 11, -23, 5, -29),
    ),
    "cottage garden": Scene(
        "noon",
        "haze",
        hill("grass", 0, 13)
        + house("pale", "main", -5, 18, 1.4)
        + tree("green", 23, 20, 1.2)
        + repeat(
            at(0, 0, BLOSSOM, 0.55), (-26, 22), (-18, 27), (-4, 26), (8, 23), (16, 28), (26, 26)
        ),
    ),
    "ducks on a pond": Scene(
        "haze",
        "noon",
        ground("grass", -8)
        + disc("sea", 0, 14, 36, 19)
        + ripples("white", 24)
        + duck("pale", -10, 4, 1.2)
        + duck("sun", 14, 17, 0.8)
        + sum(
            (
                bar("green", x, -4, x, -22, width=0.6) + disc("wood", x, -20, 1.4, 4)
                for x in (18, 23, 28)
            ),
            (),
        ),
    ),
    "autumn trees": Scene(
        "haze",
        "dusk",
        hill("dirt", 6, 14)
        + tree("red", -21, 22, 1.3)
        + tree("orange", 1, 20, 1.6)
        + tree("sun", 22, 23, 1.2)
        + repeat(disc("orange", 0, 0, 1.4, 1), (-14, 26), (-6, 28), (10, 27), (15, 25)),
    ),
    "beach parasol": Scene(
        "noon",
        "sea",
        ground("sand", 8)
        + bar("white", 3, 24, -4, -20, width=1)
        + turned(
            within(disc("main", 0, 0, 22, 17), bottom=0)
            + within(disc("white", 0, 0, 9, 17), bottom=0)
            + within(disc("main", 0, 0, 3, 17), bottom=0),
            -0.08,
            -3,
            -6,
        )
        + panel("second", 8, 24, 26, 24, 28, 28, 6, 28)
        + disc("red", -20, 24, 4.5),
    ),
    "present": Scene(
        "wall",
        "wall",
        ground("wood", 18)
        + block("main", 0, 9, 18, 15, 1)
        + block("main shade", 0, -7, 20, 4, 1)
        + block("second", 0, 7, 3.4, 17.5)
        + both(turned(hoop("second", 0, 0, 8, 5, 1.8), -0.25, 9, -16))
        + disc("second", 0, -12, 3.2),
    ),
    "ice cream": Scene(
        "dusk",
        "haze",
        panel("mud", -11, -2, 11, -2, 0, 31)
        + both(bar("soil", 3, 0, -5, 14, width=0.5))
        + disc("main", -7, -7, 9)
        + disc("second", 7, -7, 9)
        + disc("pale", 0, -18, 9)
        + disc("red", 2, -28, 3),
    ),
    "toy balloons": Scene(
        "noon",
        "haze",
        hill("grass", 0, 24)
        + balloon("main", -16, -8, 1.1)
        + balloon("second", 3, -15, 1.2)
        + balloon("red", 20, -3, 1.1),
    ),
    "coral reef": Scene(
        "sea",
        "deep blue",
        ground("sand", 24)
        + repeat(
            bar("main", 0, 0, 0, -16, width=1.8)
            + both(bar("main", 0, -4, 7, -9, 8, -18, width=1.6)),
            (-19, 27),
            (22, 28),
        )
        + at(
            4,
            -2,
            disc("sun", 0, 0, 11, 6.5)
            + panel("sun", 9, 0, 18, -7, 18, 7)
            + bar("second", 0, -6, 0, 6, width=1.4)
            + disc("ink", -6, -1, 1.3),
        )
        + at(-12, -18, disc("second", 0, 0, 7, 4) + panel("second", 6, 0, 11, -4, 11, 4), 1)
        + sum(
            (
                hoop("white", x, y, r, width=0.5)
                for x, y, r in ((20, -22, 2.6), (25, -14, 1.8), (21, -8, 1.4))
            ),
            (),
        ),
    ),
    "northern lights": Scene(
        "night",
        "night",
        NIGHT
        + sum(
            (
                panel(paint, x - 5, 6 + k, x + 5, 6 + k, x + 12, -22 + 3 * k, x + 4, -25 + 2 * k)
                for k, (x, paint) in enumerate(
                    ((-26, "sea"), (-16, "grass"), (-6, "sea"), (4, "grass"), (14, "blue"))
                )
            ),
            (),
        )
        + peak("ash", -18, 2, 28)
        + peak("ash", 20, 6, 30)
        + ground("snow", 22),
    ),
    "bowl of fruit": Scene(
        "wall",
        "wall",
        ground("wood", 17)
        + disc("red", -10, -4, 8)
        + disc("sun", 10, -3, 8)
        + disc("green", 0, -12, 8)
        + turned(disc("orange", 0, 0, 6, 6), 0, 1, 0)
        + bar("wood", 0, -19, 2, -24, width=0.8)
        + within(disc("main", 0, 2, 24, 20), top=2)
        + block("main shade", 0, 22, 9, 2)
        + block("main shade", 0, 2, 25, 1.6, 1),
    ),
    "fountain": Scene(
        "haze",
        "noon",
        ground("grass", 14)
        + both(tree("green", 25, 16, 0.9))
        + disc("rock", 0, 22, 26, 7)
        + disc("sea", 0, 20, 22, 4.6)
        + block("rock", 0, 10, 2.6, 10)
        + disc("rock shade", 0, 2, 11, 3)
        + both(curve("white", 5, -4, 5, 18, 0.9) + curve("white", 9, 4, 9, 26, 0.9))
        + bar("white", 0, 2, 0, -18, width=1),
    ),
    "paper lanterns": Scene(
        "night",
        "deep blue",
        curve("ink", 0, -24, 40, -10, 0.6)
        + lantern("red", -20, -12)
        + lantern("orange", 0, -8)
        + lantern("main", 20, -12)
        + curve("ink", 0, 6, 40, -8, 0.6)
        + lantern("sun", -10, 17)
        + lantern("second", 11, 17),
    ),
}
