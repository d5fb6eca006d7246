"""What surrounds a subject: how it is framed, what lies behind it, how the picture is developed.

Comes in: a canvas, seeds, photo numbers, amplitudes. Goes out: the canvas, changed.
May not: know what the subject is.
"""

from __future__ import annotations

import numpy as np

from . import nuisance as dice
from .nuisance import Nuisance, spread, tint, uniform
from .painting import Canvas, colour, column, direction, mix, wave


def of_row(seed: np.ndarray, photo: np.ndarray | None) -> np.ndarray | None:
    """One number per picture from (seed, photo), so that equal photo numbers of two seeds are unrelated."""
    if photo is None:
        return None
    return (np.asarray(photo).astype(np.uint64) * np.uint64(2654435761) ^ seed) & np.uint64(0xFFFFFFFF)


def framed(seed: np.ndarray, photo: np.ndarray | None, size: int, nuisance: Nuisance) -> Canvas:
    """An empty canvas with the framing of each seed and, where there is one, of each photo."""
    shift = np.stack([spread(seed, f"shift {axis}", 2.2 * nuisance.framing) for axis in "xy"], axis=1)
    zoom, margin = 1 + spread(seed, "zoom", 0.07 * nuisance.framing), 5 * nuisance.framing
    if photo is not None:
        moved = [spread(photo, f"photo shift {axis}", 1.5 * nuisance.photo_framing) for axis in "xy"]
        shift = shift + np.stack(moved, axis=1)
        zoom = zoom * (1 + spread(photo, "photo zoom", 0.04 * nuisance.photo_framing))
        margin += 3.5 * nuisance.photo_framing
    return Canvas(len(seed), size, shift=shift, zoom=np.maximum(zoom, np.float32(0.5)), margin=margin)


def shade(seed: np.ndarray, name: str, low: float, high: float, amplitude: float) -> np.ndarray:
    """Colours `(n, 3, 1, 1)` around the middle of low..high; amplitude 0 makes them that grey."""
    middle = np.float32((low + high) / 2)
    return colour(mix(middle, tint(seed, name, low, high), np.float32(amplitude)))


def backdrop(canvas: Canvas, seed: np.ndarray, nuisance: Nuisance) -> None:
    """Stripes, dots or a plain gradient between two colours of the seed."""
    amplitude = nuisance.background
    along, across = direction(column(spread(seed, "turn", min(1.0, amplitude))))
    period = 12 + column(spread(seed, "period", min(6.0, 6 * amplitude)))
    style = column(uniform(seed, "style"))
    stripes, dots = style < 0.3, style > 0.7
    u, v = canvas.x * along + canvas.y * across, canvas.y * along - canvas.x * across
    gradient = u * np.float32(1 / 64)
    waves = wave(u / period + column(uniform(seed, "phase"))) * np.float32(0.45)
    pattern = np.where(stripes, waves, np.where(dots, waves * wave(v / period), gradient))
    first, second = (shade(seed, name, 0.10, 0.95, amplitude) for name in ("back", "pattern"))
    canvas.pixels[:] = mix(first, second, np.clip(pattern + np.float32(0.5), 0, 1)[:, None])


def develop(canvas: Canvas, seed: np.ndarray, photo: np.ndarray | None, nuisance: Nuisance) -> None:
    """The grain of the seed; the exposure, tint and noise of the photo."""
    grain = None
    if nuisance.texture:
        grain = dice.noise(seed, "grain", canvas.size) * np.float32(0.02 * nuisance.texture)
    if photo is not None:
        exposure = 1 + column(spread(photo, "exposure", 0.15 * nuisance.photo_exposure))
        cast = 1 + colour(tint(photo, "cast", -0.06, 0.06)) * np.float32(nuisance.photo_tint)
        canvas.pixels *= cast * exposure[:, None]
        noise = dice.noise(photo, "noise", canvas.size) * np.float32(0.04 * nuisance.photo_noise)
        grain = noise if grain is None else grain + noise
    if grain is not None:
        canvas.pixels += grain[:, None]
