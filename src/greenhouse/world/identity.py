"""Who a seed is: proportions, hair, glasses, blush, freckles, garment; one identity across groups
and series."""

from __future__ import annotations

import numpy as np

from . import photo as picture
from .nuisance import Nuisance, spread, tint, uniform
from .painting import colour, column


def of_seed(seed: np.ndarray, nuisance: Nuisance) -> dict[str, np.ndarray]:
    """What a seed looks like whatever its hue, crest and attributes: numbers `(n, 1, 1)` and
    colours `(n, 3, 1, 1)` by name, factors around 1 or offsets in 1/64 of the edge."""

    def vary(name, amount, amplitude=nuisance.proportions):
        return column(spread(seed, name, amount * amplitude))

    def share(name, probability):
        return column(uniform(seed, name) < probability * nuisance.accessories)

    def shade(name, low, high, amplitude, vivid=0.8):
        return picture.shade(seed, name, low, high, amplitude, vivid=vivid)

    hair = nuisance.hair
    return {
        "width": 1 + vary("head width", 0.12),
        "height": 1 + vary("head height", 0.10),
        "jaw": 0.20 + vary("jaw", 0.12),
        "eye_gap": 1 + vary("eye gap", 0.14),
        "eye_size": 1 + vary("eye size", 0.16),
        "eye_line": vary("eye line", 1.6),
        "brow_width": 1 + vary("brow width", 0.35),
        "brow_tilt": vary("brow tilt", 0.9),
        "brow_lift": vary("brow lift", 0.8),
        "nose_width": 1 + vary("nose width", 0.30),
        "nose_length": vary("nose length", 1.2),
        "mouth_width": 1 + vary("mouth width", 0.18),
        "mouth_line": vary("mouth line", 1.0),
        "lips": 1 + vary("lips", 0.30),
        "lightness": 1 + vary("lightness", 0.10, nuisance.skin),
        "undertone": 1 + colour(tint(seed, "undertone", -0.06, 0.06)) * np.float32(nuisance.skin),
        "iris": shade("iris", 0.10, 0.55, hair),
        "hair": shade("hair", 0.06, 0.88, hair),
        "hairline": vary("hairline", 2.6, hair),
        "fringe": 1.5 + vary("fringe", 1.5, hair),
        "locks": 5 + vary("locks", 2.5, hair),
        "parting": vary("parting", 0.5, hair),
        "volume": 1.6 + vary("volume", 1.0, hair),
        "length": 9.0 + vary("length", 5.0, hair),
        "glasses": share("glasses", 0.35),
        "square": column(uniform(seed, "square")),
        "rim": shade("rim", 0.05, 0.5, 1.0),
        "blush": share("blush", 0.5) * 0.5,
        "freckles": share("freckles", 0.3),
        "garment": shade("garment", 0.08, 0.92, nuisance.garment),
        "trim": shade("trim", 0.15, 0.95, nuisance.garment),
        "backdrop": picture.backdrop_shade(seed, nuisance),
        "collar": column(uniform(seed, "collar")),
        "shoulders": 21 + vary("shoulders", 3.5, nuisance.garment),
    }
