"""A canvas as an exemplar sees it: its own turn, place and proportions, and its own colours.

Comes in: a canvas, the exemplars' seeds, drawings. Goes out: the canvas, painted.
May not: know motifs.
"""

from __future__ import annotations

import numpy as np

from . import photo as picture
from .drawing import PAINTS, Drawing
from .nuisance import spread
from .painting import Canvas, Shape, around, colour, column, direction, mix

SHADE = np.float32(0.65)  # how much of a paint's light its shade keeps


class Brush:
    """A canvas turned, moved and stretched for each exemplar.

    Parameters
    ----------
    canvas : of n pictures.
    seed : (n,) exemplars.
    turn : tilt by up to ± 90 degrees x `turn` (roughly; see `painting.direction`).
    drift : largest move along x and y, in units of 1/64 of the edge.
    """

    def __init__(self, canvas: Canvas, seed: np.ndarray, *, turn: float = 0.0, drift: float = 2.5):
        self.canvas, self.seed, self.upright = canvas, seed, turn == 0
        self.along, self.across = direction(column(spread(seed, "tilt", turn)))
        self.place = [column(spread(seed, f"place {axis}", drift)) for axis in "xy"]
        self.stretch = [column(1 + spread(seed, f"stretch {axis}", 0.08)) for axis in "xy"]
        self._mixed: dict[str, np.ndarray] = {}

    def colour(self, paint: str) -> np.ndarray:
        """The exemplars' own tones of a paint, `(n, 3, 1, 1)`."""
        if paint not in self._mixed:
            name = paint.removesuffix(" shade")
            *middle, reach = PAINTS[name]
            tone = np.clip(
                colour(middle) + picture.shade(self.seed, name, -reach, reach, 1.0), 0, 1
            )
            self._mixed[name], self._mixed[name + " shade"] = tone, tone * SHADE
        return self._mixed[paint]

    def sky(self, top: str, bottom: str) -> None:
        """Cover the canvas with one paint that changes into another towards the bottom."""
        far = np.clip((self.canvas.y + 32) / 56, 0, 1) * np.ones_like(self.canvas.x)
        self.canvas.pixels[:] = mix(self.colour(top), self.colour(bottom), far[:, None])

    def draw(self, drawing: Drawing) -> None:
        """Paint the parts of a drawing, one over the other."""
        for part in drawing:
            self.canvas.paint(self._held(part.shape), self.colour(part.paint))

    def _held(self, shape: Shape) -> Shape:
        """`shape` as each exemplar holds it."""
        (dx, dy), (wide, high), c, s = self.place, self.stretch, self.along, self.across
        if self.upright:
            left, top, right, bottom = shape.bounds
            return Shape(
                lambda x, y: shape((x - dx) / wide, (y - dy) / high),
                (left * wide + dx, top * high + dy, right * wide + dx, bottom * high + dy),
                1.2 * shape.blur,
            )
        corners = [(x * wide, y * high) for x in shape.bounds[::2] for y in shape.bounds[1::2]]
        bounds = around(
            [x * c - y * s + dx for x, y in corners], [x * s + y * c + dy for x, y in corners], 0
        )

        def distance(x, y):
            x, y = x - dx, y - dy
            return shape((x * c + y * s) / wide, (y * c - x * s) / high)

        return Shape(distance, bounds, 1.2 * shape.blur)
