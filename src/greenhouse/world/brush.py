"""A canvas held at an angle, with an exemplar's own colours and numbers at hand.

Comes in: a canvas and the exemplars' seeds. Goes out: the canvas, painted.
May not: know motifs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import photo as picture
from .nuisance import spread, uniform
from .painting import Canvas, Shape, around, colour, column, direction

INK, WHITE = (0.10, 0.09, 0.12), (0.97, 0.96, 0.92)
_STEP = {6: (0.5, 0.866025), 8: (0.707107, 0.707107)}  # cosine and sine of that part of a full turn


class Brush:
    """A canvas held at an angle, with the exemplar's colours at hand."""

    def __init__(self, canvas: Canvas, seed: np.ndarray):
        self.canvas, self.seed = canvas, seed
        self.upright()

    def upright(self) -> None:
        """Paint what comes next untilted."""
        self.along, self.across = np.float32(1), np.float32(0)

    def turn(self, amount: float = 1.0) -> None:
        """Tilt what is painted next by up to ± 90 degrees × `amount`."""
        self.along, self.across = direction(column(spread(self.seed, "tilt", amount)))

    def number(self, name: str, low: float, high: float) -> np.ndarray:
        """A number of the exemplar in low..high, `(n, 1, 1)`."""
        return column(uniform(self.seed, name)) * np.float32(high - low) + np.float32(low)

    def colour(self, name: str, low: float = 0.1, high: float = 0.95, *, vivid: float = 1.0) -> np.ndarray:
        """A colour of the exemplar, `(n, 3, 1, 1)`, with channels in low..high."""
        return picture.shade(self.seed, name, low, high, 1.0, vivid=vivid)

    def fill(self, shape: Shape, paint, opacity=None) -> None:
        """Paint `shape`, turned about the centre with the canvas; `paint` is a colour or `(n, 3, 1, 1)`."""
        cosine, sine = self.along, self.across
        corners = [(x, y) for x in shape.bounds[::2] for y in shape.bounds[1::2]]
        xs, ys = [x * cosine - y * sine for x, y in corners], [x * sine + y * cosine for x, y in corners]

        def distance(x, y):
            return shape(x * cosine + y * sine, y * cosine - x * sine)
        turned = Shape(distance, around(xs, ys, 0), shape.blur)
        self.canvas.paint(turned, colour(paint) if isinstance(paint, tuple) else paint, opacity)


def directions(number: int) -> Iterator[tuple[float, float]]:
    """`number` directions evenly round the circle."""
    u, v = 1.0, 0.0
    for _ in range(number):
        yield u, v
        u, v = u * _STEP[number][0] - v * _STEP[number][1], u * _STEP[number][1] + v * _STEP[number][0]
