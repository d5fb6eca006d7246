"""What surrounds a subject: how it is framed, what lies behind it, how the picture is developed."""

from __future__ import annotations

import numpy as np

from . import nuisance as dice
from .nuisance import Nuisance, spread, tint, uniform
from .painting import Canvas, colour, column, direction, mix, wave


def of_row(seed: np.ndarray, photo: np.ndarray | None) -> np.ndarray | None:
    """One number per picture from (seed, photo), so that equal photo numbers of two seeds are
    unrelated."""
    if photo is None:
        return None
    return (np.asarray(photo).astype(np.uint64) * np.uint64(2654435761) ^ seed) & np.uint64(
        0xFFFFFFFF
    )


def framed(seed: np.ndarray, photo: np.ndarray | None, size: int, nuisance: Nuisance) -> Canvas:
    """An empty canvas with the framing of each seed and, where there is one, of each photo."""
    shift = np.stack(
        [spread(seed, f"shift {axis}", 2.2 * nuisance.framing) for axis in "xy"], axis=1
    )
    zoom = 1 + spread(seed, "zoom", 0.07 * nuisance.framing)
    if photo is not None:
        moved = [
            spread(photo, f"photo shift {axis}", 1.5 * nuisance.photo_framing) for axis in "xy"
        ]
        shift = shift + np.stack(moved, axis=1)
        zoom = zoom * (1 + spread(photo, "photo zoom", 0.04 * nuisance.photo_framing))
    return Canvas(len(seed), size, shift=shift, zoom=np.maximum(zoom, np.float32(0.5)))


def shade(
    seed: np.ndarray, name: str, low: float, high: float, amplitude: float, *, vivid: float = 1.0
) -> np.ndarray:
    """Colours `(n, 3, 1, 1)` with channels in low..high, drawn towards their own grey as `vivid`
    falls to 0.

    Amplitude 0 makes all of them the middle grey.
    """
    drawn = tint(seed, name, low, high)
    grey = (drawn[:, :1] + drawn[:, 1:2] + drawn[:, 2:]) / 3
    drawn = mix(grey, drawn, np.float32(vivid))
    return colour(mix(np.float32((low + high) / 2), drawn, np.float32(amplitude)))


def backdrop_shade(seed: np.ndarray, nuisance: Nuisance) -> np.ndarray:
    """The first of a backdrop's two colours, `(n, 3, 1, 1)`."""
    return shade(seed, "back", 0.12, 0.95, nuisance.background, vivid=0.65)


def backdrop(canvas: Canvas, seed: np.ndarray, nuisance: Nuisance) -> None:
    """Stripes, dots or a plain gradient between two colours of the seed."""
    amplitude = nuisance.background
    along, across = direction(column(spread(seed, "turn", min(1.0, amplitude))))
    period = 12 + column(spread(seed, "period", min(6.0, 6 * amplitude)))
    phase, style = column(uniform(seed, "phase")), uniform(seed, "style")
    first = backdrop_shade(seed, nuisance)
    second = shade(seed, "pattern", 0.12, 0.95, amplitude, vivid=0.65)

    def paint(rows, pattern):
        if rows.any():
            x, y, c, s = canvas.x[rows], canvas.y[rows], along[rows], across[rows]
            share = pattern(x * c + y * s, y * c - x * s, period[rows], phase[rows])
            share = np.clip(share + np.float32(0.5), 0, 1)
            canvas.pixels[rows] = mix(first[rows], second[rows], share[:, None])

    contrast = np.float32(0.40)
    paint(style < 0.3, lambda u, v, period, phase: contrast * wave(u / period + phase))
    paint(
        style > 0.7,
        lambda u, v, period, phase: contrast * wave(u / period + phase) * wave(v / period),
    )
    paint((style >= 0.3) & (style <= 0.7), lambda u, v, period, phase: u * np.float32(1 / 64))


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
