"""Painted pictures, read without torch: what a patch's colour and the judge say of each kept step
(`vlmbias campaign paintings` writes them)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from greenhouse.linear_probe import LinearProbe
from greenhouse.world import grid
from greenhouse.world.bias import DATA
from greenhouse.world.pairing import Pairing

PAINTINGS = DATA / "paintings"
READINGS, SHEET, ABOUT = "readings.csv", "sheet.png", "paintings.json"


def patch_colour(pictures: np.ndarray, patch: tuple[float, float, float, float]) -> np.ndarray:
    """Mean red, green and blue, `(n, 3)`, of a patch: left, top, right and bottom as shares of the
    edges, each rounded to a whole pixel."""
    height, width = pictures.shape[1:3]
    left, top, right, bottom = (
        round(share * edge) for share, edge in zip(patch, (width, height) * 2, strict=True)
    )
    if not (0 <= left < right <= width and 0 <= top < bottom <= height):
        raise ValueError(
            f"the patch {patch} has no pixel in pictures of {width} x {height}; give left, top,"
            " right and bottom as rising shares from 0 to 1"
        )
    return pictures[:, top:bottom, left:right].mean(axis=(1, 2), dtype=np.float64)


def readings(
    pictures: np.ndarray,
    steps: np.ndarray,
    probe: LinearProbe,
    pairing: Pairing,
    patch: tuple[float, float, float, float],
) -> pd.DataFrame:
    """One row per kept step: the patch's red, green and blue, and the judge's reading of each hue
    name, and smile.

    The judge has learnt paints; `pairing` says which name has which paint for the network that
    painted.
    """
    colour = pd.DataFrame(patch_colour(pictures, patch), columns=["red", "green", "blue"])
    read, paints = probe.read(pictures), pairing.record()["paints"]
    named = pd.DataFrame({name: read[paints[name]] for name in grid.HUES})
    return pd.concat([pd.Series(steps, name="step"), colour, named, read["smiling"]], axis=1)


@dataclass(frozen=True, eq=False)
class Paintings:
    """The shipped paintings.

    Attributes
    ----------
    readings : one row per network, start and kept step: kind, b, network (seed), race and paint of
        the start, step, red, green, blue of the patch, a column per hue name (the judge's),
        smiling, loss.
    sheet : uint8 `(kinds x 4, steps, size, size, 3)`: the first network of each kind, a row per hue
        it began with.
    about : the plan they were made from (its `shown` are the steps of the sheet), and the kinds on
        the sheet.
    """

    readings: pd.DataFrame
    sheet: np.ndarray
    about: dict[str, Any]


def load(folder: Path = PAINTINGS) -> Paintings:
    """The paintings of a folder."""
    about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
    size, steps = about["plan"]["size"], len(about["plan"]["shown"])
    image = np.asarray(Image.open(folder / SHEET).convert("RGB"))
    sheet = image.reshape(-1, size, steps, size, 3).transpose(0, 2, 1, 3, 4)
    return Paintings(pd.read_csv(folder / READINGS), sheet, about)
