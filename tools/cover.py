"""The picture of the README, the PDF and link previews: `python tools/cover.py` paints it anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from greenhouse.world import faces
from greenhouse.world.grid import CRESTS, HUES, LEVELS, NEUTRAL

ROWS, COLUMNS, EDGE, GAP = 2, 9, 144, 6
TARGET = Path(__file__).parents[1] / "book/static/cover.png"


def main() -> None:
    """A wall of faces, no two of one identity, each attribute level shown somewhere."""
    table = pd.DataFrame(
        {
            **NEUTRAL,
            "seed": seed,
            "race": HUES[(seed + seed // COLUMNS) % 3],
            "gender": CRESTS[(seed // 3 + seed // COLUMNS) % 2],
            "age": LEVELS["age"][3 * seed % 10],
            "smiling": LEVELS["smiling"][(7 * seed + 3) % 10],
            "pose": LEVELS["pose"][(2 * seed + 2) % 5],
        }
        for seed in range(ROWS * COLUMNS)
    )
    step = EDGE + GAP
    wall = np.full((ROWS * step - GAP, COLUMNS * step - GAP, 3), 255, np.uint8)
    for place, face in enumerate(faces.render(table, size=EDGE)):
        top, left = place // COLUMNS * step, place % COLUMNS * step
        wall[top : top + EDGE, left : left + EDGE] = face
    Image.fromarray(wall).quantize(128, dither=Image.Dither.NONE).save(TARGET, optimize=True)


if __name__ == "__main__":
    main()
