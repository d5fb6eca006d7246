"""Schematic faces by formula.

Comes in: a table with one row per face: seed, race (hue), gender (crest), age, smiling, lighting, pose.
Goes out: pictures, uint8 `(n, size, size, 3)`, a function of each row alone.
May not: keep random state, or let an identity (seed) depend on hue, crest or attributes.

A face is painted back to front: backdrop, shoulders, crest, head, hair, features, light. Everything
that belongs to the seed is drawn in `identity`; everything that belongs to an attribute is in `render`'s parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from . import nuisance as dice
from . import photo as picture
from .grid import CRESTS, HUES, RANGES
from .nuisance import Nuisance, spread, tint, uniform
from .painting import (
    Shape, arch, box, colour, column, common, ellipse, mix, ramp, ring, segment, triangle, wave,
)

# Hues of equal luma (about .59 of white), so that no group is brighter than another unless a leak makes it so.
SKIN = {
    "teal": (56, 192, 178), "amber": (205, 142, 50), "violet": (166, 128, 225), "lime": (136, 175, 56),
}
LEAKS = ("smiling_brightness", "age_hue")
_CHUNK = 48  # faces painted at once: small enough for the processor's cache


def check(table: pd.DataFrame) -> None:
    """Raise one ValueError that names the first value the renderer cannot paint, the rule and the fix."""
    needed = ["seed", "race", "gender", *RANGES]
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(f"the table lacks the columns {missing}; a face needs {', '.join(needed)}")
    for name, known in (("race", HUES), ("gender", CRESTS)):
        unknown = [value for value in pd.unique(table[name]) if value not in known]
        if unknown:
            raise ValueError(f"unknown {name} {unknown[0]!r}; choose from {', '.join(known)}")
    for name, (low, high) in RANGES.items():
        values = np.asarray(table[name], dtype=float)
        wrong = values[~((values >= low) & (values <= high))]
        if len(wrong):
            raise ValueError(f"{name} {wrong[0]:g} is outside {low:g} to {high:g}; keep it within the scale's levels")
    dice.check_numbers(table, ("seed", "photo"))


def render(table: pd.DataFrame, size: int = 64, *, nuisance: Nuisance | None = None,
           leaks: Mapping[str, float] | None = None) -> np.ndarray:
    """Paint one face per row.

    Parameters
    ----------
    table : columns seed (0 to 2³² - 1), race, gender, age, smiling, lighting, pose; attributes are any number
        within `grid.RANGES`. With a column photo (0 to 2³² - 1), each row also gets its own framing,
        exposure, tint and noise, drawn from (seed, photo); without it, pictures of a seed are clean.
    size : edge in pixels.
    nuisance : amplitudes; default those of `data/greenhouse/nuisance.yaml`.
    leaks : manipulations that leak into what they should not touch, all 0 by default:
        `smiling_brightness` λ brightens the picture by 10 λ % per unit of smiling,
        `age_hue` λ turns the skin by up to λ towards red (young) or blue (old).

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
    pictures = np.empty((len(table), size, size, 3), np.uint8)
    # alike rows together: what a chunk has nowhere is not painted, and boxes stay small
    order = np.lexsort((np.asarray(table["pose"]), np.asarray(table["gender"] == "eared")))
    for start in range(0, len(table), _CHUNK):
        some = order[start:start + _CHUNK]
        pictures[some] = _paint(table.iloc[some], int(size), nuisance, leaks)
    return pictures


def identity(seed: np.ndarray, nuisance: Nuisance) -> dict[str, np.ndarray]:
    """What a seed looks like whatever its hue, crest and attributes; numbers `(n, 1, 1)`, colours `(n, 3, 1, 1)`."""
    def vary(name, amount, amplitude=nuisance.proportions):
        return column(spread(seed, name, amount * amplitude))

    def share(name, probability):
        return column(uniform(seed, name) < probability * nuisance.accessories)

    def shade(name, low, high, amplitude):
        return picture.shade(seed, name, low, high, amplitude)

    return {
        "width": 1 + vary("head width", 0.12), "height": 1 + vary("head height", 0.10), "jaw": 0.20 + vary("jaw", 0.12),
        "eye_gap": 1 + vary("eye gap", 0.14), "eye_size": 1 + vary("eye size", 0.16), "eye_line": vary("eye line", 1.6),
        "brow_width": 1 + vary("brow width", 0.35), "brow_tilt": vary("brow tilt", 0.9), "brow_lift": vary("brow lift", 0.8),
        "nose_width": 1 + vary("nose width", 0.30), "nose_length": vary("nose length", 1.2),
        "mouth_width": 1 + vary("mouth width", 0.18), "mouth_line": vary("mouth line", 1.0),
        "lips": 1 + vary("lips", 0.30),
        "lightness": 1 + vary("lightness", 0.10, nuisance.skin),
        "undertone": 1 + colour(tint(seed, "undertone", -0.06, 0.06)) * np.float32(nuisance.skin),
        "iris": shade("iris", 0.10, 0.55, nuisance.hair),
        "hair": shade("hair", 0.08, 0.62, nuisance.hair), "hairline": vary("hairline", 2.6, nuisance.hair),
        "fringe": column(uniform(seed, "fringe") * 3 * nuisance.hair), "locks": 5 + vary("locks", 2.5, nuisance.hair),
        "parting": vary("parting", 0.5, nuisance.hair), "volume": 1.4 + vary("volume", 1.2, nuisance.hair),
        "glasses": share("glasses", 0.35), "square": column(uniform(seed, "square")), "rim": shade("rim", 0.05, 0.5, 1.0),
        "blush": share("blush", 0.5) * 0.5, "freckles": share("freckles", 0.3),
        "garment": shade("garment", 0.08, 0.92, nuisance.garment), "trim": shade("trim", 0.15, 0.95, nuisance.garment),
        "collar": column(uniform(seed, "collar")), "shoulders": 21 + vary("shoulders", 3.5, nuisance.garment),
    }


def _paint(rows: pd.DataFrame, size: int, nuisance: Nuisance, leaks: Mapping[str, float]) -> np.ndarray:
    seed = np.asarray(rows["seed"]).astype(np.uint64)
    photo = picture.of_row(seed, np.asarray(rows["photo"]) if "photo" in rows else None)
    face = identity(seed, nuisance)
    canvas = picture.framed(seed, photo, size, nuisance)

    low, high = RANGES["age"]
    age = column((np.asarray(rows["age"], np.float64) - low) / (high - low))
    smile = column(rows["smiling"])
    turn = column(rows["pose"]) / 3
    skin = np.asarray([SKIN[hue] for hue in rows["race"]], np.float32) / np.float32(255)
    skin = colour(skin) * face["lightness"][:, None] * face["undertone"]
    if leaks.get("age_hue"):
        towards = np.where(age[:, None] > 0.5, colour((0.35, 0.45, 0.95)), colour((0.95, 0.40, 0.35)))
        skin = mix(skin, towards, np.float32(leaks["age_hue"]) * np.abs(2 * age[:, None] - 1))
    eared = column(np.asarray(rows["gender"]) == "eared")

    head = {
        "rx": 17.2 * face["width"] * (1.05 - 0.08 * age), "ry": 18.2 * face["height"] * (0.90 + 0.14 * age), "y": 4.0,
        "turn": turn, "age": age, "skin": skin, "grey": ramp(age, 0.40, 0.95), "lines": ramp(age, 0.30, 1.0),
        # when the head turns, what is nearer to the viewer moves further, what is behind moves back
        "x": 6.0 * turn, "behind": -1.5 * turn,
    }
    picture.backdrop(canvas, seed, nuisance)
    _shoulders(canvas, face, head)
    _crest(canvas, face, head, eared)
    canvas.paint(_outline(face, head), skin)
    _lines(canvas, face, head)
    _hair(canvas, face, head)
    _cheeks(canvas, face, head)
    _nose(canvas, face, head)
    _mouth(canvas, face, head, smile)
    _eyes(canvas, face, head)
    _light(canvas, face, head, column(rows["lighting"]))
    picture.develop(canvas, seed, photo, nuisance)
    if leaks.get("smiling_brightness"):
        canvas.pixels *= (1 + np.float32(0.10 * leaks["smiling_brightness"]) * smile)[:, None]
    return canvas.finish()


def _shoulders(canvas, face, head):
    canvas.paint(box(0, 21, 5.5, 8, 2.0), head["skin"] * 0.80)
    canvas.paint(ellipse(0, 33, face["shoulders"], 9.5), face["garment"])
    vee = face["collar"] < 0.35
    band = (face["collar"] >= 0.35) & (face["collar"] < 0.7)
    canvas.paint(triangle(-5.5, 22, 5.5, 22, 0, 31), head["skin"] * 0.80, vee)
    canvas.paint(ring(ellipse(0, 22, 8.5, 5.5), 1.3), face["trim"], band)
    canvas.paint(box(0, 29.5, 1.1, 6, 0.2), face["trim"], ~(vee | band))


def _crest(canvas, face, head, eared):
    """Budded: two stalks that end in round buds. Eared: two pointed tufts."""
    top, budded = head["y"] - head["ry"], 1 - eared
    dark, pale = head["skin"] * 0.78, mix(head["skin"], 1, 0.45)
    for side in (-1, 1):
        foot, tip = side * 6.0 + head["behind"], side * 9.0 + 1.6 * head["behind"]
        canvas.paint(segment(foot, top + 3, tip, top - 8.5, 1.0), dark, budded)
        canvas.paint(ellipse(tip, top - 9.0, 3.0, 3.0), pale, budded)
        middle = side * 0.66 * head["rx"] + head["behind"]
        for grow, paint in ((1.0, dark), (0.52, pale)):
            left, right = middle - 5.6 * grow, middle + 5.6 * grow
            apex = top + 2 - 10.5 * grow
            canvas.paint(triangle(left, top + 7, middle + side * 3.2, apex, right, top + 7, 0.7), paint, eared)


def _outline(face, head, grow=0.0) -> Shape:
    """The head: an ellipse that narrows towards the chin, less so in the young."""
    rx, ry, y0 = head["rx"] + grow, head["ry"] + grow, head["y"]
    narrowing = face["jaw"] * (0.6 + 0.7 * head["age"])
    short = np.minimum(rx, ry)

    def distance(x, y):
        v = (y - y0) / ry
        below = np.maximum(v, 0)
        u = x / (rx * (1 - narrowing * below * below))
        return (np.sqrt(u * u + v * v) - 1) * short
    return Shape(distance, (-rx, y0 - ry, rx, y0 + ry), 1.5)


def _lines(canvas, face, head):
    """Furrows of the forehead and the folds beside the mouth: they come and deepen with age."""
    crease = head["skin"] * 0.55
    for step, start in enumerate((0.35, 0.52, 0.70)):
        y = head["y"] - 0.40 * head["ry"] - 2.4 * step + 1.2
        canvas.paint(arch(0.7 * head["x"], y, 7.5 - step, -0.9, 0.42), crease,
                     0.85 * ramp(head["age"], start, start + 0.3))
    for side in (-1, 1):
        x = side * 7.4 * face["mouth_width"] + head["x"]
        for x0, y0, x1, y1 in ((side * 4.2 + head["x"], 6.0, x, 8.6), (x, 8.6, x + 0.4 * side, 11.6)):
            canvas.paint(segment(x0, head["y"] + y0, x1, head["y"] + y1, 0.45), crease, 0.8 * head["lines"])


def _hair(canvas, face, head):
    """Hair grows in, greys and recedes with age."""
    thick, receding = ramp(head["age"], 0.0, 0.35), ramp(head["age"], 0.55, 1.0)
    line = head["y"] - 0.80 * head["ry"] + (5.2 + face["hairline"]) * thick - 4.5 * receding
    depth, temples = face["fringe"] * thick, 7.0 * thick * (1 - 0.8 * receding)

    def below_hairline(x, y):
        side = (x - 0.6 * head["x"]) / head["rx"]
        return y - (line + temples * side * side + depth * wave(x / face["locks"] / 2 + face["parting"]))
    scalp = _outline(face, head, face["volume"] * thick)
    left, top, right, _ = scalp.bounds
    scalp = replace(scalp, bounds=(left, top, right, line + 2.5 * temples + depth))
    canvas.paint(common(scalp, below_hairline), mix(face["hair"], 0.86, head["grey"][:, None]))


def _cheeks(canvas, face, head):
    """Blush and freckles of the seed."""
    for side in (-1, 1):
        x, y = side * 0.55 * head["rx"] + 0.9 * head["x"], head["y"] + 7.0
        canvas.paint(ellipse(x, y, 3.6, 2.5), colour((0.93, 0.42, 0.45)), face["blush"])
        for dx, dy in ((-2.2, -0.6), (0.2, 1.0), (2.2, -0.9)):
            canvas.paint(ellipse(x + dx, y + dy, 0.62, 0.62), head["skin"] * 0.55, face["freckles"])


def _eyes(canvas, face, head):
    young = 1 - head["age"]
    scale = face["eye_size"] * (0.86 + 0.52 * young)
    y = head["y"] - 1.2 + face["eye_line"] + 2.6 * (young - 0.5)
    crease, lid = head["skin"] * 0.55, head["skin"] * 0.42
    brow = mix(mix(face["hair"] * 0.75, head["skin"] * 0.6, 0.5 * young[:, None]), 0.90, head["grey"][:, None])
    for side in (-1, 1):
        # the far eye comes closer to the nose and gets narrower
        near = 1 + 0.22 * side * head["turn"]
        x = side * 7.4 * face["eye_gap"] * (1 - 0.16 * np.abs(head["turn"])) + head["x"]
        rx, ry = 3.6 * scale * near, 3.0 * scale * (1 - 0.22 * head["lines"])
        gaze = x + 0.6 * head["turn"]
        canvas.paint(ellipse(x, y, rx, ry), colour((0.97, 0.97, 0.94)))
        canvas.paint(ellipse(gaze, y + 0.2, 0.56 * rx, 0.74 * ry), face["iris"])
        canvas.paint(ellipse(gaze, y + 0.2, 0.30 * rx, 0.40 * ry), colour((0.05, 0.05, 0.07)))
        canvas.paint(ellipse(gaze - 0.22 * rx, y - 0.28 * ry, 0.7, 0.7), colour((1, 1, 1)))
        canvas.paint(arch(x, y - 0.72 * ry, 1.06 * rx, -0.80 * ry, 0.55), lid)
        canvas.paint(arch(x, y + ry + 1.4, 0.95 * rx, 1.3, 0.45), crease, head["lines"])
        outer = x + side * (rx + 0.6)
        for lift in (-1.6, 0.2, 2.0):
            canvas.paint(segment(outer, y + 0.4 * lift, outer + side * 2.6, y + lift, 0.36), crease, 0.9 * head["lines"])
        lift, tilt = y - ry - 2.0 + face["brow_lift"], 0.6 * face["brow_tilt"]
        canvas.paint(segment(x - side * 3.4, lift + tilt, x + side * 3.6, lift - tilt,
                             0.95 * face["brow_width"] * (1.15 - 0.65 * young)), brow)
        frame = box(x, y, 5.0 * near, 4.8, 1.2 + 3.2 * face["square"])
        canvas.paint(ring(frame, 0.6), face["rim"], face["glasses"])
    canvas.paint(segment(-2.6 + head["x"], y, 2.6 + head["x"], y, 0.6), face["rim"], face["glasses"])


def _nose(canvas, face, head):
    x, y = 1.35 * head["x"], head["y"] + 5.2 + 0.6 * face["nose_length"] + 0.8 * head["age"]
    bridge = segment(x - 0.3 * head["x"], y - 4.2 - face["nose_length"], x, y, 0.9)
    canvas.paint(bridge, head["skin"] * 0.88)
    width = 2.4 * face["nose_width"] * (0.85 + 0.3 * head["age"])
    canvas.paint(ellipse(x, y, width, 1.5), head["skin"] * 0.74)


def _mouth(canvas, face, head, smile):
    """One parabola; its corners rise with smiling, and broad smiles open."""
    x0, y0 = 1.05 * head["x"], head["y"] + 10.8 + face["mouth_line"]
    half = 5.6 * face["mouth_width"] * (1 + 0.07 * np.maximum(smile, 0)) * (1 - 0.10 * np.abs(head["turn"]))
    rise, opening = 1.1 * smile, 0.95 * np.maximum(smile - 0.25, 0)
    thick = 0.80 * face["lips"]

    def edges(x):
        u = (x - x0) / half
        bow = np.maximum(1 - u * u, 0)
        upper = y0 + rise * (bow - np.float32(0.5))
        return bow, upper, upper + opening * bow, (np.abs(u) - 1) * half

    def inside(x, y):
        _, upper, lower, beyond = edges(x)
        return np.maximum(np.maximum(upper - y, y - lower), beyond)

    def lips(x, y):
        bow, upper, lower, beyond = edges(x)
        stroke = np.minimum(np.abs(y - upper), np.abs(y - lower)) - thick * (0.55 + 0.45 * bow)
        return np.maximum(stroke, beyond)
    reach = np.abs(rise) / 2 + thick
    bounds = (x0 - half, y0 - reach, x0 + half, y0 + reach + opening)
    canvas.paint(Shape(inside, bounds), colour((0.97, 0.96, 0.93)), opening > 0)
    canvas.paint(Shape(lips, bounds), mix(head["skin"] * 0.35, colour((0.55, 0.10, 0.16)), 0.55))


def _light(canvas, face, head, lighting):
    """Light from the left (-1) to the right (6): a slope of brightness, strongest on the head, level at 2."""
    amount = (lighting - 2) / 4
    outline = _outline(face, head, 1.5)
    rows, columns = window = canvas.window(outline)
    slope = np.clip(canvas.x[:, :, columns] / head["rx"], -1, 1) * amount * np.float32(0.42)
    factor = 1 + slope * canvas.coverage(outline, window)
    canvas.pixels[:, :, rows, columns] *= factor[:, None]
    canvas.pixels *= (1 + np.float32(0.16) * amount * np.clip(canvas.x / 32, -1, 1))[:, None]
