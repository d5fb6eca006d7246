"""What the drawings of the Greenhouse show, and how their captions read: the first captions that
the grammar draws."""

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import vlmbias as vb
from greenhouse.world import faces, grammar, grid

SEED = 3  # of the person, and of the captions
_PLAIN = {"age": 2.0, "smiling": 0.0, "lighting": 4.0, "pose": 0.0}
_CHANGES = {
    "older": {"age": 3.5},
    "smiling": {"smiling": 2.0},
    "darker": {"lighting": 1.0},
    "turned": {"pose": 1.0},
}


def shown() -> pd.DataFrame:
    """One row per face: what it shows (label), the columns that the renderer reads, and a caption
    that a network may learn from (`says`)."""
    hues = [(hue, hue, grid.CRESTS[0], {}) for hue in grid.HUES]
    crests = [(f"{hue}, {grid.CRESTS[1]}", hue, grid.CRESTS[1], {}) for hue in grid.HUES]
    changed = [(name, grid.HUES[0], grid.CRESTS[0], one) for name, one in _CHANGES.items()]
    rows = [
        {"label": label, "seed": SEED, "race": hue, "gender": crest} | _PLAIN | change
        for label, hue, crest, change in [*hues, *crests, *changed]
    ]
    rows[: len(hues)] = [
        row | {"label": f"{row['race']}, {row['gender']}"} for row in rows[: len(hues)]
    ]
    table = pd.DataFrame(rows)
    spoken = grammar.load()
    speaker = grammar.Speaker(spoken, table, 1.0)
    drawn = speaker.draw(np.arange(len(table)), rng=np.random.default_rng(SEED))
    return table.assign(says=spoken.vocabulary.decode(speaker.tokens[drawn]))


def figure() -> Figure:
    """The faces, each under its label and its caption."""
    table = shown()
    labels = [
        f"{row['label']}\n“{textwrap.fill(str(row['says']), 17)}”" for _, row in table.iterrows()
    ]
    return vb.figures.contact_sheet(list(faces.render(table, 96)), labels, columns=4)


def alternative() -> str:
    """The figure in words."""
    table = shown()
    read = "; ".join(f"{row['label']}: “{row['says']}”" for _, row in table.iterrows())
    return (
        f"{len(table)} drawn faces of one person. A hue is the colour of the skin, a crest the"
        f" shape on the head. Each face with one caption: {read}."
    )
