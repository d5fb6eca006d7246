"""The parts of a face, back to front, from what the seed looks like (`face`) and what hue and
attributes make of it (`head`); nothing is drawn at random."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .painting import (
    Canvas,
    Number,
    Shape,
    arch,
    box,
    colour,
    common,
    ellipse,
    mix,
    ramp,
    ring,
    segment,
    triangle,
    wave,
)

Looks = dict[str, np.ndarray]  # numbers (n, 1, 1) and colours (n, 3, 1, 1), by name


def shoulders(canvas: Canvas, face: Looks, head: Looks) -> None:
    """Neck, garment and its collar."""
    canvas.paint(box(0, 21, 5.5, 8, 2.0), head["skin"] * 0.80)
    canvas.paint(ellipse(0, 33, face["shoulders"], 9.5), face["garment"])
    vee = face["collar"] < 0.35
    band = (face["collar"] >= 0.35) & (face["collar"] < 0.7)
    canvas.paint(triangle(-5.5, 22, 5.5, 22, 0, 31), head["skin"] * 0.80, vee)
    canvas.paint(ring(ellipse(0, 22, 8.5, 5.5), 1.3), face["trim"], band)
    canvas.paint(box(0, 29.5, 1.1, 6, 0.2), face["trim"], ~(vee | band))


def crest(canvas: Canvas, head: Looks, eared: np.ndarray) -> None:
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
            tuft = triangle(left, top + 7, middle + side * 3.2, apex, right, top + 7, 0.7)
            canvas.paint(tuft, paint, eared)


def outline(face: Looks, head: Looks, grow: Number = 0.0) -> Shape:
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


def lines(canvas: Canvas, face: Looks, head: Looks) -> None:
    """Furrows of the forehead and the folds beside the mouth: they come and deepen with age."""
    crease = head["skin"] * 0.55
    for step, start in enumerate((0.35, 0.52, 0.70)):
        y = head["y"] - 0.40 * head["ry"] - 2.4 * step + 1.2
        canvas.paint(
            arch(0.7 * head["x"], y, 7.5 - step, -0.9, 0.42),
            crease,
            0.85 * ramp(head["age"], start, start + 0.3),
        )
    for side in (-1, 1):
        x = side * 7.4 * face["mouth_width"] + head["x"]
        for x0, y0, x1, y1 in (
            (side * 4.2 + head["x"], 6.0, x, 8.6),
            (x, 8.6, x + 0.4 * side, 11.6),
        ):
            canvas.paint(
                segment(x0, head["y"] + y0, x1, head["y"] + y1, 0.45), crease, 0.8 * head["lines"]
            )


def grown(head: Looks) -> np.ndarray:
    """How far hair has grown: short in the young, whole from a third of the age range on."""
    return np.float32(0.4) + np.float32(0.6) * ramp(head["age"], 0.0, 0.35)


def long_hair(face: Looks, head: Looks) -> Shape:
    """Hair behind the head: what shows of it on either side, down to the length of the seed."""
    thick = grown(head)
    wide = head["rx"] + 1.0 + (2.2 + face["volume"]) * thick
    bottom = head["y"] + (2.0 + face["length"]) * thick
    return box(
        head["behind"], (head["y"] - 9.0 + bottom) / 2, wide, (bottom - head["y"] + 9.0) / 2, 6.0
    )


def hair(face: Looks, head: Looks) -> Shape:
    """Hair grows in, greys and recedes with age."""
    thick, receding = grown(head), ramp(head["age"], 0.55, 1.0)
    line = head["y"] - 0.80 * head["ry"] + (5.2 + face["hairline"]) * thick - 4.5 * receding
    depth, temples = face["fringe"] * thick, 7.0 * thick * (1 - 0.8 * receding)

    def below_hairline(x, y):
        side = (x - 0.6 * head["x"]) / head["rx"]
        return y - (
            line + temples * side * side + depth * wave(x / face["locks"] / 2 + face["parting"])
        )

    scalp = outline(face, head, face["volume"] * thick)
    left, top, right, _ = scalp.bounds
    scalp = replace(scalp, bounds=(left, top, right, line + 2.5 * temples + depth))
    return common(scalp, below_hairline)


def cheeks(canvas: Canvas, face: Looks, head: Looks) -> None:
    """Blush and freckles of the seed."""
    for side in (-1, 1):
        x, y = side * 0.55 * head["rx"] + 0.9 * head["x"], head["y"] + 7.0
        canvas.paint(ellipse(x, y, 3.6, 2.5), colour((0.93, 0.42, 0.45)), face["blush"])
        for dx, dy in ((-2.2, -0.6), (0.2, 1.0), (2.2, -0.9)):
            canvas.paint(ellipse(x + dx, y + dy, 0.62, 0.62), head["skin"] * 0.55, face["freckles"])


def eyes(canvas: Canvas, face: Looks, head: Looks) -> None:
    """Eyes, brows and glasses; the young have large eyes and faint brows, the old creases."""
    young = 1 - head["age"]
    scale = face["eye_size"] * (0.86 + 0.52 * young)
    y = head["y"] - 1.2 + face["eye_line"] + 2.6 * (young - 0.5)
    crease, lid = head["skin"] * 0.55, head["skin"] * 0.42
    brow = mix(face["hair"] * 0.75, head["skin"] * 0.6, 0.5 * young[:, None])
    brow = mix(brow, 0.90, head["grey"][:, None])
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
            foot = segment(outer, y + 0.4 * lift, outer + side * 2.6, y + lift, 0.36)
            canvas.paint(foot, crease, 0.9 * head["lines"])
        lift, tilt = y - ry - 2.0 + face["brow_lift"], 0.6 * face["brow_tilt"]
        thick = 0.95 * face["brow_width"] * (1.15 - 0.65 * young)
        canvas.paint(segment(x - side * 3.4, lift + tilt, x + side * 3.6, lift - tilt, thick), brow)
        frame = box(x, y, 5.0 * near, 4.8, 1.2 + 3.2 * face["square"])
        canvas.paint(ring(frame, 0.6), face["rim"], face["glasses"])
    canvas.paint(
        segment(-2.6 + head["x"], y, 2.6 + head["x"], y, 0.6), face["rim"], face["glasses"]
    )


def nose(canvas: Canvas, face: Looks, head: Looks) -> None:
    """A bridge and a tip."""
    x, y = 1.35 * head["x"], head["y"] + 4.9 + 0.6 * face["nose_length"] + 0.6 * head["age"]
    bridge = segment(x - 0.3 * head["x"], y - 4.2 - face["nose_length"], x, y, 0.9)
    canvas.paint(bridge, head["skin"] * 0.88)
    width = 2.4 * face["nose_width"] * (0.85 + 0.3 * head["age"])
    canvas.paint(ellipse(x, y, width, 1.5), head["skin"] * 0.74)


def mouth(canvas: Canvas, face: Looks, head: Looks, smile: np.ndarray) -> None:
    """One parabola; its corners rise with smiling, and broad smiles open."""
    x0, y0 = 1.05 * head["x"], head["y"] + 0.57 * head["ry"] + 0.8 * face["mouth_line"]
    half = (
        6.1
        * face["mouth_width"]
        * (1 + 0.07 * np.maximum(smile, 0))
        * (1 - 0.10 * np.abs(head["turn"]))
    )
    rise, opening = 1.3 * smile, 0.95 * np.maximum(smile, 0)
    thick = 0.85 * face["lips"] * (1 - 0.05 * np.maximum(smile, 0))

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


def light(canvas: Canvas, lit: Shape, head: Looks, lighting: np.ndarray) -> None:
    """Light from the left (-1) to the right (6): a slope of brightness, strongest on the head,
    level at 2."""
    amount = (lighting - 2) / 4
    rows, columns = window = canvas.window(lit)
    slope = np.clip(canvas.x[:, :, columns] / head["rx"], -1, 1) * amount * np.float32(0.42)
    factor = 1 + slope * canvas.coverage(lit, window)
    canvas.pixels[:, :, rows, columns] *= factor[:, None]
    canvas.pixels *= (1 + np.float32(0.16) * amount * np.clip(canvas.x / 32, -1, 1))[:, None]
