"""Batched painting: many small pictures at once, one shape and one small patch at a time.

Only + - * / sqrt, comparisons and floor on float32 are used. These are correctly rounded on every
IEEE machine, so the same rows give the same bytes everywhere; sin, exp and sums do not.

Coordinates: the picture spans -32 to 32 in x (to the right) and y (downwards), whatever its size in
pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

HALF = 32.0
Distance = Callable[[np.ndarray, np.ndarray], np.ndarray]
Number = np.ndarray | float
# Cosine and sine of one full turn divided by each number.
STEPS = {
    3: (-0.5, 0.8660254),
    4: (0.0, 1.0),
    5: (0.30901699, 0.95105652),
    6: (0.5, 0.8660254),
    8: (0.70710678, 0.70710678),
    12: (0.8660254, 0.5),
    16: (0.92387953, 0.38268343),
}


def column(values) -> np.ndarray:
    """Per-picture numbers `(n,)` as `(n, 1, 1)`, ready to meet pixels `(n, h, w)`."""
    return np.asarray(values, dtype=np.float32).reshape(-1, 1, 1)


def colour(values) -> np.ndarray:
    """Per-picture colours `(n, 3)` as `(n, 3, 1, 1)`; one colour `(3,)` as `(1, 3, 1, 1)`."""
    return np.asarray(values, dtype=np.float32).reshape(-1, 3, 1, 1)


@dataclass(frozen=True)
class Shape:
    """A signed distance, negative inside, and the box it lies in.

    `bounds` is (left, top, right, bottom), each a number or `(n, 1, 1)`; `blur` is how many pixels
    the edge
    may spread beyond it. The box only saves work: painting the whole canvas gives the same bytes.
    """

    distance: Distance
    bounds: tuple
    blur: Number = 1.0

    def __call__(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.distance(x, y)


class Canvas:
    """`n` square pictures, planar `(n, 3, size, size)` float32 in 0..1, with per-picture framing.

    Parameters
    ----------
    n, size : number of pictures, edge in pixels.
    shift : (n, 2) offset of the drawing, in units of 1/64 of the edge; default none.
    zoom : (n,) magnification about the centre; default 1.
    """

    def __init__(self, n: int, size: int, *, shift=None, zoom=None):
        self.size, self.pixel = size, 2 * HALF / size
        self.shift = (
            np.zeros((n, 2), np.float32) if shift is None else np.asarray(shift, np.float32)
        )
        self.zoom = column(np.ones(n) if zoom is None else zoom)
        steps = np.arange(size, dtype=np.float32) + np.float32(0.5)
        centres = steps * np.float32(self.pixel) - np.float32(HALF)
        self.x = (centres[None, None, :] - column(self.shift[:, 0])) / self.zoom
        self.y = (centres[None, :, None] - column(self.shift[:, 1])) / self.zoom
        self.pixels = np.zeros((n, 3, size, size), np.float32)

    def window(self, shape: Shape) -> tuple[slice, slice]:
        """Rows and columns of pixels outside which `shape` covers nothing, in any picture."""
        edges = []
        for number, bound in enumerate(shape.bounds):
            edges.append(
                (column(self.shift[:, number % 2]) + bound * self.zoom + HALF) / self.pixel
            )
        spread = shape.blur + 1
        low = [max(0, int(np.floor((edge - spread).min()))) for edge in edges[:2]]
        high = [min(self.size, int(np.ceil((edge + spread).max()))) for edge in edges[2:]]
        return slice(low[1], max(low[1], high[1])), slice(low[0], max(low[0], high[0]))

    def coverage(self, shape: Shape, window: tuple[slice, slice]) -> np.ndarray:
        """How much of each pixel of `window` lies inside `shape`, `(n, h, w)` in 0..1."""
        rows, columns = window
        distance = shape(self.x[:, :, columns], self.y[:, rows, :])
        distance *= np.float32(-1 / self.pixel)
        distance += np.float32(0.5)
        return np.clip(distance, 0, 1, out=distance)

    def paint(self, shape: Shape, paint: np.ndarray, opacity=None) -> None:
        """Fill `shape` with colours `(n or 1, 3, 1, 1)`; `opacity` is one number or `(n, 1, 1)`."""
        if opacity is not None and not np.any(opacity):
            return
        rows, columns = window = self.window(shape)
        cover = self.coverage(shape, window)
        if opacity is not None:
            cover *= column(opacity)
        patch = self.pixels[:, :, rows, columns]
        change = paint - patch
        change *= cover[:, None]
        patch += change

    def finish(self) -> np.ndarray:
        """The pictures as bytes, `(n, size, size, 3)` uint8."""
        self.pixels *= np.float32(255)
        self.pixels += np.float32(0.5)
        np.clip(self.pixels, 0, 255, out=self.pixels)
        return self.pixels.astype(np.uint8).transpose(0, 2, 3, 1)


def mix(first, second, share):
    """`first` where `share` is 0, `second` where it is 1."""
    return first + (second - first) * share


def ramp(values, low: float, high: float) -> np.ndarray:
    """0 below `low`, 1 above `high`, smooth in between (3t² - 2t³)."""
    t = np.clip((np.asarray(values, np.float32) - np.float32(low)) / np.float32(high - low), 0, 1)
    return t * t * (3 - 2 * t)


def wave(turns: np.ndarray) -> np.ndarray:
    """A sine-like wave of period 1 and range -1..1, made of two parabolas (see the module
    docstring)."""
    t = turns - np.floor(turns) - np.float32(0.5)
    return 8 * t * (2 * np.abs(t) - 1)


def direction(turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors spread over the half circle as `turn` goes from -1 to 1 (rational, no sine)."""
    bottom = 1 + turn * turn
    return (1 - turn * turn) / bottom, 2 * turn / bottom


def directions(number: int) -> Iterator[tuple[float, float]]:
    """`number` (of `STEPS`) unit vectors evenly round the circle, the first of them (1, 0)."""
    cosine, sine = STEPS[number]
    u, v = 1.0, 0.0
    for _ in range(number):
        yield u, v
        u, v = u * cosine - v * sine, u * sine + v * cosine


def _single(*values) -> list[np.ndarray]:
    return [np.asarray(value, np.float32) for value in values]


def around(xs, ys, reach) -> tuple:
    """The box that holds all points (xs, ys), grown by `reach`."""
    xs, ys = np.stack(np.broadcast_arrays(*xs)), np.stack(np.broadcast_arrays(*ys))
    return xs.min(0) - reach, ys.min(0) - reach, xs.max(0) + reach, ys.max(0) + reach


# Shapes. Arguments are numbers or `(n, 1, 1)`; everything stays float32.


def ellipse(cx, cy, rx, ry) -> Shape:
    """An ellipse; the distance is exact on the outline and close to it."""
    cx, cy, rx, ry = _single(cx, cy, rx, ry)
    short = np.minimum(rx, ry)

    def distance(x, y):
        u, v = (x - cx) / rx, (y - cy) / ry
        far = np.sqrt(u * u + v * v)
        far -= 1
        far *= short
        return far

    return Shape(distance, (cx - rx, cy - ry, cx + rx, cy + ry), np.maximum(rx, ry) / short)


def box(cx, cy, rx, ry, rounding: Number = 0.0) -> Shape:
    """A rectangle of half sizes `rx`, `ry` with rounded corners."""
    cx, cy, rx, ry, rounding = _single(cx, cy, rx, ry, rounding)

    def distance(x, y):
        u, v = np.abs(x - cx) - (rx - rounding), np.abs(y - cy) - (ry - rounding)
        outside_u, outside_v = np.maximum(u, 0), np.maximum(v, 0)
        outside = np.sqrt(outside_u * outside_u + outside_v * outside_v)
        return outside + np.minimum(np.maximum(u, v), 0) - rounding

    return Shape(distance, (cx - rx, cy - ry, cx + rx, cy + ry))


def segment(x0, y0, x1, y1, radius) -> Shape:
    """A line from one point to the other with round ends."""
    x0, y0, x1, y1, radius = _single(x0, y0, x1, y1, radius)
    dx, dy = x1 - x0, y1 - y0
    scale = 1 / (dx * dx + dy * dy)

    def distance(x, y):
        u, v = x - x0, y - y0
        along = np.clip((u * dx + v * dy) * scale, 0, 1)
        u, v = u - along * dx, v - along * dy
        return np.sqrt(u * u + v * v) - radius

    return Shape(distance, around((x0, x1), (y0, y1), radius))


def triangle(ax, ay, bx, by, cx, cy, rounding: Number = 0.0) -> Shape:
    """A triangle (corners in clockwise order as seen), grown by `rounding`; corners may spread a
    little."""
    ax, ay, bx, by, cx, cy, rounding = _single(ax, ay, bx, by, cx, cy, rounding)

    def edge(x0, y0, x1, y1):
        dx, dy = x1 - x0, y1 - y0
        length = np.sqrt(dx * dx + dy * dy)
        return dy / length, dx / length, (y0 * dx - x0 * dy) / length

    sides = edge(ax, ay, bx, by), edge(bx, by, cx, cy), edge(cx, cy, ax, ay)

    def distance(x, y):
        first, second, third = (x * across - y * along + offset for across, along, offset in sides)
        return np.maximum(np.maximum(first, second), third) - rounding

    return Shape(distance, around((ax, bx, cx), (ay, by, cy), 5 * rounding), 5.0)


def arch(cx, cy, half_width, height, thickness) -> Shape:
    """A parabola through (cx ± half_width, cy - height/2) and (cx, cy + height/2), as a stroke."""
    cx, cy, half_width, height, thickness = _single(cx, cy, half_width, height, thickness)

    def distance(x, y):
        u = (x - cx) / half_width
        curve = np.abs(y - (cy + height * (np.float32(0.5) - u * u)))
        return np.maximum(curve - thickness, (np.abs(u) - 1) * half_width)

    reach = np.abs(height) / 2 + thickness
    steep = 1 + np.abs(height) / half_width * 2  # a stroke this steep spreads further up and down
    return Shape(distance, (cx - half_width, cy - reach, cx + half_width, cy + reach), steep)


def ring(shape: Shape, thickness) -> Shape:
    """The outline of `shape`, as a stroke of half width `thickness`."""
    left, top, right, bottom = shape.bounds
    grown = np.asarray(thickness, np.float32) * shape.blur
    return Shape(
        lambda x, y: np.abs(shape(x, y)) - thickness,
        (left - grown, top - grown, right + grown, bottom + grown),
        shape.blur,
    )


def common(first: Shape, second: Distance) -> Shape:
    """What lies inside both; `second` needs no box of its own."""
    return Shape(lambda x, y: np.maximum(first(x, y), second(x, y)), first.bounds, first.blur)


def either(first: Shape, second: Shape) -> Shape:
    """What lies inside at least one of the two."""
    boxes = list(zip(first.bounds, second.bounds, strict=True))
    bounds = (
        np.minimum(*boxes[0]),
        np.minimum(*boxes[1]),
        np.maximum(*boxes[2]),
        np.maximum(*boxes[3]),
    )
    blur = np.maximum(first.blur, second.blur)
    return Shape(lambda x, y: np.minimum(first(x, y), second(x, y)), bounds, blur)
