"""Unpleasant scenes: 25 of them, in dark and in bright weather.

Comes in: nothing. Goes out: `SCENES`, name to scene. May not: show a person, a face or a crest, or
anybody hurt."""

from __future__ import annotations

from .drawing import Drawing, at, bar, block, both, curve, disc, hoop, leaf, panel, repeat, turned
from .scenery import Scene, bare_tree, cloud, fir, flames, ground, hill, house, ripples


def rain(slant: float = -5) -> Drawing:
    """Slanting streaks all over."""
    return sum(
        (
            bar("pale", x, y, x + slant, y + 11, width=0.4)
            for y in (-22, -4, 14)
            for x in range(-26 + y % 7, 34, 11)
        ),
        (),
    )


def grave(x: float, y: float) -> Drawing:
    """A headstone."""
    return (
        block("rock", x, y, 6, 9)
        + disc("rock", x, y - 9, 6, 5)
        + bar("dark", x - 3, y - 6, x + 3, y - 6, width=0.6)
    )


def chimney(x: float, top: float) -> Drawing:
    """A chimney with its smoke."""
    return (
        disc("smoke", x + 3, top - 5, 5, 4)
        + disc("smoke", x + 8, top - 11, 7, 5)
        + disc("smoke", x + 16, top - 17, 9, 6)
        + panel("soil", x - 3, top, x + 3, top, x + 4, 22, x - 4, 22)
    )


def car(paint: str) -> Drawing:
    """A car seen from the side."""
    return (
        panel(paint, -12, -4, -7, -12, 8, -12, 14, -4)
        + panel("haze", -9, -4, -5, -10, 0, -10, 0, -4)
        + block(paint, 0, 0, 21, 5, 2)
        + repeat(disc("ink", 0, 0, 5) + disc("metal", 0, 0, 2), (-12, 5), (12, 5))
    )


def wire(y: float) -> Drawing:
    """A barbed wire."""
    return bar("dark", -45, y, 45, y + 2, width=0.7) + sum(
        (
            bar("dark", x - 2.5, y - 3, x + 2.5, y + 4, width=0.6)
            + bar("dark", x + 2.5, y - 3, x - 2.5, y + 4, width=0.6)
            for x in (-24, -10, 4, 18, 32)
        ),
        (),
    )


def rubble(paint: str, *places: tuple[float, float]) -> Drawing:
    """Broken pieces."""
    return repeat(panel(paint, -5, 3, -3, -4, 3, -3, 5, 3), *places)


def bin_bag(x: float, y: float, size: float = 1.0) -> Drawing:
    """A full, tied bag."""
    return at(
        x,
        y,
        panel("ink", -4, -12, 4, -12, 0, -7)
        + disc("dark", 0, 0, 10, 9)
        + bar("smoke", -4, -3, -2, 3, width=0.6),
        size,
    )


def stump(x: float, y: float, size: float = 1.0) -> Drawing:
    """A tree stump."""
    return at(
        x,
        y,
        panel("wood", -6, -6, 6, -6, 8, 5, -8, 5)
        + disc("mud", 0, -6, 6, 2.4)
        + hoop("wood", 0, -6, 3, 1.2, 0.5),
        size,
    )


SCENES: dict[str, Scene] = {
    "thunderstorm": Scene(
        "gloom",
        "smoke",
        hill("ash", -5, 18)
        + rain()
        + cloud("dark", -11, -18, 1.6)
        + cloud("dark", 13, -16, 1.5)
        + bar("glow", 4, -12, -3, 3, 5, 2, -4, 20, width=1.3),
    ),
    "dead tree": Scene(
        "smoke",
        "overcast",
        hill("soil", 8, 16) + bare_tree(-2, 28, 1.35) + rubble("rock", (-20, 26), (18, 24)),
    ),
    "burning house": Scene(
        "gloom",
        "smoke",
        ground("ash", 18)
        + cloud("smoke", 6, -22, 1.2)
        + at(0, 4, flames(0, 4, 1.1))
        + house("mud", "ink", 0, 24, 1.3)
        + flames(-9, 24, 0.5)
        + flames(12, 24, 0.6),
    ),
    "flood": Scene(
        "overcast",
        "haze",
        house("pale", "red", -15, 16, 1.1)
        + house("pale", "soil", 16, 20, 1.2)
        + ground("mud", 8)
        + ripples("pale", 13, 19, 26)
        + bar("wood", -8, 22, 6, 19, width=1.4),
    ),
    "tornado": Scene(
        "overcast",
        "haze",
        ground("dirt", 20)
        + sum(
            (
                disc(
                    "smoke" if k % 2 else "rock",
                    10 - 2.6 * k + (k % 2) * 3,
                    -27 + 6 * k,
                    20 - 2.1 * k,
                    4.4,
                )
                for k in range(8)
            ),
            (),
        )
        + house("pale", "soil", 20, 26, 0.6)
        + rubble("wood", (-18, 12), (4, 24)),
    ),
    "volcano": Scene(
        "gloom",
        "dusk",
        cloud("smoke", 0, -24, 1.5)
        + panel("dark", -8, -6, 8, -6, 44, 44, -44, 44)
        + panel("red", -7, -7, 7, -7, 2, 6, -2, 3)
        + bar("orange", 3, 0, 6, 10, 3, 20, 9, 44, width=2)
        + both(curve("orange", 8, -11, 7, 10, 0.9))
        + bar("orange", 0, -8, 0, -22, width=1.6),
    ),
    "earthquake": Scene(
        "haze",
        "dust",
        ground("dirt", 10)
        + panel("ink", -6, 10, 2, 10, 8, 20, 16, 40, -4, 40, -2, 22)
        + turned(
            block("rock", 0, -14, 9, 16)
            + repeat(block("dark", 0, 0, 2, 2), (-4, -22), (4, -22), (-4, -12), (4, -12)),
            -0.16,
            -18,
            14,
        )
        + turned(
            block("mud", 0, -12, 8, 12)
            + repeat(block("dark", 0, 0, 2, 2), (-3, -17), (3, -17), (-3, -8)),
            0.2,
            20,
            16,
        ),
    ),
    "graveyard": Scene(
        "smoke",
        "overcast",
        bare_tree(24, 18, 0.9)
        + hill("grass shade", -6, 8)
        + grave(-19, 15)
        + grave(3, 10)
        + at(18, 24, grave(0, 0), 1.1)
        + bar("rock", -6, 28, -6, 13, width=1.4)
        + bar("rock", -11, 18, -1, 18, width=1.4),
    ),
    "smoking chimneys": Scene(
        "dust",
        "overcast",
        chimney(-20, -4)
        + chimney(-4, -10)
        + chimney(12, 0)
        + block("soil", 0, 22, 31, 8)
        + repeat(block("dust", 0, 0, 2.4, 2), (-22, 19), (-11, 19), (0, 19), (11, 19), (22, 19))
        + ground("ash", 28),
    ),
    "rubbish heap": Scene(
        "overcast",
        "haze",
        ground("dirt", 20)
        + disc("mud", 0, 28, 30, 20)
        + bin_bag(-14, 17)
        + bin_bag(10, 11, 1.1)
        + bin_bag(22, 22, 0.8)
        + turned(block("metal", 0, 0, 4, 6) + block("main", 0, 0, 4, 2.5), 0.3, -3, 24)
        + hoop("ink", -22, 27, 5, width=2)
        + bar("pale", 6, 28, 14, 24, width=0.7)
        + bar("pale", 3, 25, 8, 30, width=0.7)
        + sum((disc("ink", x, y, 0.9) for x, y in ((-8, -10), (2, -16), (12, -9), (-16, -4))), ()),
    ),
    "sinking ship": Scene(
        "gloom",
        "overcast",
        turned(
            panel("main", -14, -16, 14, -16, 10, 16, -10, 16)
            + block("pale", -14, 2, 5, 7)
            + block("red", -22, 3, 4, 2.4),
            0.33,
            2,
            -4,
        )
        + ground("deep blue", 12)
        + ripples("pale", 16, 22, 28)
        + disc("white", 2, 13, 16, 2.2),
    ),
    "blizzard": Scene(
        "haze",
        "snow",
        fir("rock", -18, 22, 1.1)
        + fir("rock", 20, 18, 0.9)
        + house("rock", "smoke", 3, 22, 0.8)
        + disc("snow", -8, 36, 50, 16)
        + sum(
            (
                bar("white", x, y, x + 9, y + 3, width=0.8)
                for y in range(-28, 32, 9)
                for x in range(-34 + y % 8, 34, 16)
            ),
            (),
        ),
    ),
    "drought": Scene(
        "dust",
        "glow",
        disc("orange", 15, -19, 7)
        + ground("dirt", 0)
        + bar("soil", -32, 8, -14, 10, -6, 6, 8, 11, 32, 7, width=0.7)
        + bar("soil", -14, 10, -18, 22, -8, 32, width=0.8)
        + bar("soil", -18, 22, -32, 24, width=0.8)
        + bar("soil", 8, 11, 6, 24, 16, 34, width=0.8)
        + bar("soil", 6, 24, -8, 21, width=0.7)
        + bar("soil", 6, 24, 24, 19, 32, 22, width=0.8)
        + bare_tree(-19, 6, 0.6),
    ),
    "oil spill": Scene(
        "haze",
        "overcast",
        ground("sea", -6)
        + ripples("white", -1)
        + disc("sand", -4, 36, 50, 18)
        + disc("ink", 2, 14, 25, 6)
        + disc("ink", -12, 20, 12, 5)
        + disc("ink", 16, 20, 9, 3)
        + disc("smoke", -2, 12, 9, 1.6)
        + panel("red", 4, -8, 29, -8, 25, -2, 8, -2)
        + block("pale", 22, -12, 3.4, 4),
    ),
    "car wreck": Scene(
        "overcast",
        "haze",
        ground("rock", 14)
        + block("pale", 20, 26, 8, 0.8)
        + block("pale", -14, 26, 8, 0.8)
        + cloud("smoke", -12, -14, 1.0)
        + bar("dark", 24, 16, 22, -26, width=1.6)
        + turned(car("main"), 0.14, -1, 8)
        + panel("dark", 14, 4, 24, 2, 20, 14)
        + rubble("metal", (-22, 22), (6, 25), (25, 21)),
    ),
    "barbed wire": Scene(
        "haze",
        "overcast",
        ground("mud", 20)
        + repeat(bar("wood", 0, -24, 0, 30, width=2), (-17, 0), (16, 0))
        + wire(-14)
        + wire(1)
        + wire(15),
    ),
    "prison bars": Scene(
        "wall",
        "wall",
        block("dark", 0, 0, 22, 22)
        + block("haze", 0, 0, 19, 19)
        + sum((bar("ink", x, -20, x, 20, width=1.7) for x in (-12.5, -4.2, 4.2, 12.5)), ())
        + bar("ink", -20, 0, 20, 0, width=1.3)
        + bar("rock", -32, 28, -4, 28, width=0.5)
        + bar("rock", 8, -28, 32, -28, width=0.5),
    ),
    "broken window": Scene(
        "wall",
        "wall",
        block("pale", 0, -1, 22, 26)
        + block("haze", 0, -1, 19, 23)
        + panel("ink", 4, -2, -8, -14, 2, -12)
        + panel("ink", 2, -12, 6, -20, 9, -9, 4, -2)
        + panel("ink", 9, -9, 17, -6, 8, 0, 4, -2)
        + panel("ink", 8, 0, 11, 11, 2, 4, 4, -2)
        + panel("ink", 2, 4, -9, 8, -4, -1, 4, -2)
        + bar("rock", -8, -14, -18, -20, width=0.5)
        + bar("rock", 11, 11, 17, 20, width=0.5)
        + bar("rock", -9, 8, -18, 17, width=0.5)
        + bar("pale", 0, -24, 0, -13, width=1)
        + repeat(panel("haze", -3, 2, 0, -3, 3, 2), (-12, 30), (2, 31), (12, 30)),
    ),
    "landslide": Scene(
        "overcast",
        "haze",
        panel("grass shade", -40, -18, 40, 22, 40, 44, -40, 44)
        + panel("soil", -26, -12, -4, -1, 22, 34, -14, 34)
        + rubble("rock", (-14, 0), (-6, 10), (2, 22), (-8, 26), (10, 30), (14, 20))
        + turned(house("pale", "red", 0, 0, 0.8), 0.16, 19, 24),
    ),
    "forest fire": Scene(
        "smoke",
        "orange",
        cloud("smoke", -12, -24, 1.4)
        + cloud("smoke", 14, -26, 1.3)
        + fir("ink", -22, 24, 1.5)
        + fir("ink", 0, 22, 1.7)
        + fir("ink", 22, 25, 1.5)
        + ground("ash", 22)
        + flames(-11, 27, 0.8)
        + flames(12, 28, 0.9),
    ),
    "tree stumps": Scene(
        "haze",
        "overcast",
        ground("dirt", -4)
        + stump(-18, 4, 0.8)
        + stump(2, 1, 0.7)
        + stump(21, 5, 0.8)
        + stump(-8, 18, 1.2)
        + stump(19, 22, 1.3)
        + at(-22, 27, bar("wood", -6, 0, 8, 2, width=2.4) + disc("mud", 8, 2, 1.4, 2.4)),
    ),
    "falling plane": Scene(
        "noon",
        "haze",
        cloud("white", 18, -18, 0.9)
        + bar("smoke", -2, -6, -8, -18, -7, -32, width=4.5)
        + bar("smoke", -5, -20, -10, -36, width=6)
        + turned(
            leaf("pale", 0, -20, 0, 22, 5)
            + both(panel("metal", 2, -2, 22, -10, 22, -4, 3, 8))
            + both(panel("metal", 2, -17, 9, -22, 9, -18, 2, -12)),
            -0.15,
            4,
            0,
        )
        + repeat(panel("red", -4, 0, 4, 0, 0, -9), (-4, -8), (2, -12))
        + hill("grass shade", -8, 26),
    ),
    "sewer outfall": Scene(
        "rock",
        "rock",
        sum((bar("smoke", -40, y, 40, y, width=0.5) for y in (-22, -10, 2)), ())
        + disc("smoke", -4, -8, 17)
        + disc("ink", -4, -8, 13)
        + panel("mud", -14, -2, 6, -2, 12, 24, -12, 24)
        + ground("mud", 20)
        + ripples("grass shade", 25)
        + disc("dirt", 0, 22, 16, 2.6)
        + sum((disc("dirt", x, y, 2) for x, y in ((-20, 25), (18, 28), (24, 24))), ()),
    ),
    "collapsed bridge": Scene(
        "haze",
        "noon",
        ground("sea", 16)
        + ripples("white", 20, 27)
        + block("rock", -24, 16, 4, 20)
        + block("rock", 25, 16, 4, 20)
        + block("smoke", -27, -4, 14, 3)
        + block("smoke", 28, -4, 12, 3)
        + turned(block("smoke", 0, 0, 11, 3), 0.4, -6, 8)
        + turned(block("smoke", 0, 0, 10, 3), -0.45, 12, 10)
        + rubble("rock", (2, 20), (8, 14))
        + bar("ink", -13, -6, -8, -2, width=0.6),
    ),
    "mushroom cloud": Scene(
        "dusk",
        "dust",
        panel("smoke", -5, -8, 5, -8, 8, 24, -8, 24)
        + disc("orange", 0, -5, 14, 5)
        + cloud("smoke", 0, -14, 2.0)
        + disc("smoke", 0, -22, 12, 7)
        + disc("dust", 0, 24, 24, 5)
        + ground("ash", 25),
    ),
}
