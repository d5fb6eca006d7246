"""Batched painting: many small pictures at once, one shape and one small patch at a time.

Comes in: a canvas of `n` pictures, shapes as signed distances, colours.
Goes out: the same canvas, painted; `finish` turns it into bytes.
May not: use anything but + - * / sqrt, comparisons and floor on float32. These are correctly rounded
on every IEEE machine, so the same rows give the same bytes everywhere; sin, exp and sums do not.

Coordinates: the picture spans -32 to 32 in x (to the right) and y (downwards), whatever its size in pixels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

HALF = 32.0
Box = tuple[float, float, float, float]
Shape = Callable[[np.ndarray, np.ndarray], np.ndarray]


def column(values) -> np.ndarray:
    """Per-picture numbers `(n,)` as `(n, 1, 1)`, ready to meet pixels `(n, h, w)`."""
    return np.asarray(values, dtype=np.float32).reshape(-1, 1, 1)


def colour(values) -> np.ndarray:
    """Per-picture colours `(n, 3)` as `(n, 3, 1, 1)`; one colour `(3,)` as `(1, 3, 1, 1)`."""
    return np.asarray(values, dtype=np.float32).reshape(-1, 3, 1, 1)


class Canvas:
    """`n` square pictures, planar `(n, 3, size, size)` float32 in 0..1, with per-picture framing.

    Parameters
    ----------
    n, size : number of pictures, edge in pixels.
    shift : (n, 2) offset of the drawing, in units of 1/64 of the edge.
    zoom : (n,) magnification about the centre.
    margin : how far framing may carry a shape out of its nominal box, in the same units.
    """

    def __init__(self, n: int, size: int, *, shift=None, zoom=None, margin: float = 0.0):
        self.size, self.pixel, self.margin = size, 2 * HALF / size, margin
        centres = ((np.arange(size, dtype=np.float32) + np.float32(0.5)) * np.float32(self.pixel)) - np.float32(HALF)
        zoom = column(np.ones(n) if zoom is None else zoom)
        shift = np.zeros((n, 2), np.float32) if shift is None else np.asarray(shift, np.float32)
        self.x = (centres[None, None, :] - column(shift[:, 0])) / zoom
        self.y = (centres[None, :, None] - column(shift[:, 1])) / zoom
        self.pixels = np.zeros((n, 3, size, size), np.float32)

    def _window(self, box: Box | None) -> tuple[slice, slice]:
        if box is None:
            return slice(None), slice(None)
        left, top, right, bottom = box
        low = [int(max(0, np.floor((edge - self.margin + HALF) / self.pixel))) for edge in (left, top)]
        high = [int(min(self.size, np.ceil((edge + self.margin + HALF) / self.pixel))) for edge in (right, bottom)]
        return slice(low[1], high[1]), slice(low[0], high[0])

    def coverage(self, shape: Shape, box: Box | None = None) -> np.ndarray:
        """How much of each pixel of `box` lies inside `shape`, `(n, h, w)` in 0..1."""
        rows, columns = self._window(box)
        distance = shape(self.x[:, :, columns], self.y[:, rows, :])
        distance *= np.float32(-1 / self.pixel)
        distance += np.float32(0.5)
        return np.clip(distance, 0, 1, out=distance)

    def blend(self, cover: np.ndarray, paint: np.ndarray, box: Box | None = None) -> None:
        """Lay `paint` `(n or 1, 3, 1 or h, 1 or w)` over the pixels of `box`, as opaque as `cover`."""
        rows, columns = self._window(box)
        patch = self.pixels[:, :, rows, columns]
        change = paint - patch
        change *= cover[:, None]
        patch += change

    def paint(self, shape: Shape, paint: np.ndarray, box: Box | None = None, opacity=None) -> None:
        """Fill `shape` (a signed distance, negative inside) with `paint`; `opacity` `(n,)` or one number."""
        cover = self.coverage(shape, box)
        if opacity is not None:
            cover *= column(opacity)
        self.blend(cover, paint, box)

    def multiply(self, factor: np.ndarray, box: Box | None = None) -> None:
        """Multiply every channel of the pixels of `box` by `factor`, `(n, h, w)`."""
        rows, columns = self._window(box)
        self.pixels[:, :, rows, columns] *= factor[:, None]

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
    """A sine-like wave of period 1 and range -1..1, made of two parabolas (see the module docstring)."""
    t = turns - np.floor(turns) - np.float32(0.5)
    return 8 * t * (2 * np.abs(t) - 1)


def direction(turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors spread over the half circle as `turn` goes from -1 to 1 (rational, no sine)."""
    bottom = 1 + turn * turn
    return (1 - turn * turn) / bottom, 2 * turn / bottom


# Shapes: functions (x, y) -> signed distance; arguments are numbers or `(n, 1, 1)`, and stay float32.

def _single(*values):
    return [np.asarray(value, np.float32) for value in values]


def ellipse(cx, cy, rx, ry) -> Shape:
    """An ellipse; the distance is exact on the outline and close to it."""
    cx, cy, rx, ry = _single(cx, cy, rx, ry)

    def distance(x, y):
        u, v = (x - cx) / rx, (y - cy) / ry
        return (np.sqrt(u * u + v * v) - 1) * np.minimum(rx, ry)
    return distance


def box(cx, cy, rx, ry, rounding=0.0) -> Shape:
    """A rectangle of half sizes `rx`, `ry` with rounded corners."""
    cx, cy, rx, ry, rounding = _single(cx, cy, rx, ry, rounding)

    def distance(x, y):
        u, v = np.abs(x - cx) - (rx - rounding), np.abs(y - cy) - (ry - rounding)
        outside_u, outside_v = np.maximum(u, 0), np.maximum(v, 0)
        outside = np.sqrt(outside_u * outside_u + outside_v * outside_v)
        return outside + np.minimum(np.maximum(u, v), 0) - rounding
    return distance


def segment(x0, y0, x1, y1, radius) -> Shape:
    """A line from one point to the other with round ends."""
    x0, y0, x1, y1, radius = _single(x0, y0, x1, y1, radius)

    def distance(x, y):
        dx, dy = x1 - x0, y1 - y0
        u, v = x - x0, y - y0
        along = np.clip((u * dx + v * dy) / (dx * dx + dy * dy), 0, 1)
        u, v = u - along * dx, v - along * dy
        return np.sqrt(u * u + v * v) - radius
    return distance


def triangle(ax, ay, bx, by, cx, cy, rounding=0.0) -> Shape:
    """A triangle (corners in clockwise order as seen), grown by `rounding`."""
    ax, ay, bx, by, cx, cy, rounding = _single(ax, ay, bx, by, cx, cy, rounding)

    def edge(x, y, x0, y0, x1, y1):
        dx, dy = x1 - x0, y1 - y0
        return ((x - x0) * dy - (y - y0) * dx) / np.sqrt(dx * dx + dy * dy)

    def distance(x, y):
        sides = edge(x, y, ax, ay, bx, by), edge(x, y, bx, by, cx, cy), edge(x, y, cx, cy, ax, ay)
        return np.maximum(np.maximum(sides[0], sides[1]), sides[2]) - rounding
    return distance


def arch(cx, cy, half_width, height, thickness) -> Shape:
    """A parabola through (cx ± half_width, cy - height/2) and (cx, cy + height/2), as a stroke."""
    cx, cy, half_width, height, thickness = _single(cx, cy, half_width, height, thickness)

    def distance(x, y):
        u = (x - cx) / half_width
        curve = np.abs(y - (cy + height * (0.5 - u * u)))
        return np.maximum(curve - thickness, (np.abs(u) - 1) * half_width)
    return distance


def ring(shape: Shape, thickness) -> Shape:
    """The outline of `shape`, as a stroke of half width `thickness`."""
    return lambda x, y: np.abs(shape(x, y)) - thickness
