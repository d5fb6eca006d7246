"""Schematic faces by formula, a function of each row alone.

A face is painted back to front: backdrop, shoulders, crest, head, hair, features, light. Everything
that belongs to the seed is drawn in `identity` and `photo`, everything that belongs to an attribute
here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from . import face_parts, identity
from . import nuisance as dice
from . import photo as picture
from .grid import RANGES
from .groups import CRESTS, HUES
from .nuisance import Nuisance
from .painting import colour, column, either, mix, ramp
from .pairing import Pairing

# Hues of equal luma, about .59 of white: no group is brighter than another unless a leak makes it
# so.
SKIN = dict(
    zip(HUES, ((56, 192, 178), (205, 142, 50), (166, 128, 225), (136, 175, 56)), strict=True)
)
LEAKS = ("smiling_brightness", "age_hue")
_CHUNK = 48  # faces painted at once: small enough for the processor's cache


def check(table: pd.DataFrame) -> None:
    """Raise one ValueError that names the first value the renderer cannot paint, the rule and the
    fix."""
    needed = ["seed", "race", "gender", *RANGES]
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(f"the table lacks the columns {missing}; a face needs {', '.join(needed)}")
    for name, known in (("race", HUES), ("gender", CRESTS)):
        unknown = [value for value in dict.fromkeys(table[name]) if value not in known]
        if unknown:
            raise ValueError(f"unknown {name} {unknown[0]!r}; choose from {', '.join(known)}")
    for name, (low, high) in RANGES.items():
        values = np.asarray(table[name], dtype=float)
        wrong = values[~((values >= low) & (values <= high))]
        if len(wrong):
            raise ValueError(
                f"{name} {wrong[0]:g} is off its scale; use a number from {low:g} to {high:g}"
            )
    dice.check_numbers(table, ("seed", "photo"))


def render(
    table: pd.DataFrame,
    size: int = 64,
    *,
    nuisance: Nuisance | None = None,
    leaks: Mapping[str, float] | None = None,
    pairing: Pairing | None = None,
) -> np.ndarray:
    """Paint one face per row.

    Parameters
    ----------
    table : columns seed (0 to 2³² - 1), race, gender, age, smiling, lighting, pose; attributes are
        any number within `grid.RANGES`. With a column photo (0 to 2³² - 1), each row also gets its
        own framing,
        exposure, tint and noise, drawn from (seed, photo); without it, pictures of a seed are
        clean.
    size : edge in pixels.
    nuisance : amplitudes; default those of `data/greenhouse/nuisance.yaml`.
    leaks : manipulations that leak into what they should not touch, all 0 by default:
        `smiling_brightness` λ brightens the picture by 10 λ % per unit of smiling,
        `age_hue` λ turns the skin by up to λ towards red (young) or blue (old).
    pairing : which paint and drawing stand for which name; default the plain one, in which names
        fit.

    Returns
    -------
    uint8 array (n, size, size, 3); row i depends on row i of the table only.

    Raises
    ------
    ValueError : unknown hue or crest, a value out of range, a missing column, an unknown leak.
    """
    check(table)
    leaks = dict(leaks or {})
    unknown = [name for name in leaks if name not in LEAKS]
    if unknown:
        raise ValueError(f"unknown leak {unknown[0]!r}; choose from {', '.join(LEAKS)}")
    dice.check_size(size)
    nuisance = nuisance or dice.load()
    table = (pairing or Pairing()).shown(table)
    pictures = np.empty((len(table), size, size, 3), np.uint8)
    # alike rows together: what a chunk has nowhere is not painted, and boxes stay small
    order = np.lexsort((np.asarray(table["pose"]), np.asarray(table["gender"]) == CRESTS[1]))
    for start in range(0, len(table), _CHUNK):
        some = order[start : start + _CHUNK]
        pictures[some] = _paint(table.iloc[some], int(size), nuisance, leaks)
    return pictures


def _paint(
    rows: pd.DataFrame, size: int, nuisance: Nuisance, leaks: Mapping[str, float]
) -> np.ndarray:
    seed = np.asarray(rows["seed"]).astype(np.uint64)
    photo = picture.of_row(seed, np.asarray(rows["photo"]) if "photo" in rows else None)
    face = identity.of_seed(seed, nuisance)
    canvas = picture.framed(seed, photo, size, nuisance)

    low, high = RANGES["age"]
    age = column((np.asarray(rows["age"], np.float64) - low) / (high - low))
    smile = column(rows["smiling"])
    turn = column(rows["pose"]) / 3
    skin = np.asarray([SKIN[hue] for hue in rows["race"]], np.float32) / np.float32(255)
    skin = colour(skin) * face["lightness"][:, None] * face["undertone"]
    if leaks.get("age_hue"):
        towards = np.where(
            age[:, None] > 0.5, colour((0.35, 0.45, 0.95)), colour((0.95, 0.40, 0.35))
        )
        skin = mix(skin, towards, np.float32(leaks["age_hue"]) * np.abs(2 * age[:, None] - 1))
    eared = column(np.asarray(rows["gender"]) == CRESTS[1])

    head = {
        "rx": 17.2 * face["width"] * (1.05 - 0.08 * age),
        "ry": 18.2 * face["height"] * (0.90 + 0.14 * age),
        "y": 4.0,
        "turn": turn,
        "skin": skin,
        "age": age,
        "grey": ramp(age, 0.40, 0.95),
        "lines": ramp(age, 0.30, 1.0),
        # when the head turns, what is nearer to the viewer moves further, what is behind moves back
        "x": 6.0 * turn,
        "behind": -1.5 * turn,
    }
    picture.backdrop(canvas, seed, nuisance)
    face_parts.shoulders(canvas, face, head)
    hair_shade = mix(face["hair"], 0.86, 0.4 * head["grey"][:, None])
    canvas.paint(face_parts.long_hair(face, head), hair_shade)
    face_parts.crest(canvas, head, eared)
    skull, hair = face_parts.outline(face, head), face_parts.hair(face, head)
    canvas.paint(skull, skin)
    face_parts.lines(canvas, face, head)
    canvas.paint(hair, hair_shade)
    face_parts.cheeks(canvas, face, head)
    face_parts.nose(canvas, face, head)
    face_parts.mouth(canvas, face, head, smile)
    face_parts.eyes(canvas, face, head)
    face_parts.light(canvas, either(skull, hair), head, column(rows["lighting"]))
    picture.develop(canvas, seed, photo, nuisance)
    if leaks.get("smiling_brightness"):
        canvas.pixels *= (1 + np.float32(0.10 * leaks["smiling_brightness"]) * smile)[:, None]
    return canvas.finish()
