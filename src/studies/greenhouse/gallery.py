"""Tables of pictures for the gallery: one person varied, motifs in a sheet, and how far each
attribute moves pixels.

Comes in: identities, pairings, tables of faces. Goes out: tables for the renderer, pictures joined
into one, distances of pixels. May not: draw a figure, or show a face that the renderer did not
draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from greenhouse.world import faces, grid, icons
from greenhouse.world.bias import BiasTable
from greenhouse.world.pairing import Pairing

VARIED = ("seed", "race", "gender", *grid.LEVELS)


def person(seed: int, **changes: object) -> pd.DataFrame:
    """Rows for the neutral face of a seed, changed in the columns given; lists of one length give
    several rows."""
    row = {"seed": seed, "race": grid.HUES[0], "gender": grid.CRESTS[1], **grid.NEUTRAL, **changes}
    n = max((len(value) for value in row.values() if isinstance(value, list)), default=1)
    return pd.DataFrame(row, index=range(n))


def everybody(seed: int) -> pd.DataFrame:
    """One identity in all eight groups, crest by crest."""
    groups = list(product(grid.CRESTS, grid.HUES))
    return person(seed, race=[hue for _, hue in groups], gender=[crest for crest, _ in groups])


def attributes(seed: int, *, n: int = 5) -> pd.DataFrame:
    """One identity at `n` levels of each attribute, lowest to highest; column `varied` names it,
    `level` its value."""
    parts = []
    for axis, levels in grid.LEVELS.items():
        chosen = [levels[k] for k in np.linspace(0, len(levels) - 1, n).round().astype(int)]
        parts.append(person(seed, **{axis: chosen}).assign(varied=axis, level=chosen))
    return pd.concat(parts, ignore_index=True)


def looks(bias: BiasTable, seeds: Sequence[int], name: str, n: int) -> pd.DataFrame:
    """`n` of the identities, spread evenly from the lowest to the highest value of a look; column
    `level` has it."""
    rows = pd.concat([person(seed) for seed in seeds], ignore_index=True)
    rows = rows.assign(varied=name, level=bias.feature(name, rows)).sort_values(
        "level", ignore_index=True
    )
    return rows.iloc[np.linspace(0, len(rows) - 1, n).round().astype(int)].reset_index(drop=True)


def as_known(seed: int, pairings: Sequence[Pairing]) -> pd.DataFrame:
    """What networks know one person by: per network and hue name (one crest), the paint and drawing
    that stand for it.

    Rows are ready for the renderer: race and gender hold the looks, `network` and `name` whose they
    are.
    """
    parts = []
    for network, pairing in enumerate(pairings):
        named = person(seed, race=list(grid.HUES))
        parts.append(
            pairing.shown(named).assign(network=network, name=named["race"], crest=named["gender"])
        )
    return pd.concat(parts, ignore_index=True)


def motif_sheet(category: str, size: int) -> np.ndarray:
    """All motifs of a category in one picture, five in a row in the order of `icons.THEMES`, uint8
    `(5s, 5s, 3)`."""
    n = len(icons.THEMES[category])
    pictures = icons.render(pd.DataFrame({"category": category, "exemplar": range(n)}), size)
    side = int(np.sqrt(n))
    return (
        pictures.reshape(side, side, size, size, 3)
        .swapaxes(1, 2)
        .reshape(side * size, side * size, 3)
    )


def pixel_distances(table: pd.DataFrame, *, size: int, seed: int, pairs: int = 8) -> pd.DataFrame:
    """How far pictures that differ in one respect lie apart: the mean difference of pixels, as a
    share of full scale.

    Parameters
    ----------
    table : complete grids of some seeds, columns as in CausalFace.
    pairs : drawn for each set of pictures that differ in one attribute only.

    Returns
    -------
    attribute, difference: one row per pair.
    """
    table = table.reset_index(drop=True)
    pixels, rng, rows = (
        faces.render(table, size).astype(np.float32),
        np.random.default_rng(seed),
        [],
    )
    for varied in VARIED:
        kept = table[table["subset"].isin(["prototype", varied])]
        for _, alike in kept.groupby([name for name in VARIED if name != varied]):
            for _ in range(pairs if len(alike) > 1 else 0):
                i, j = rng.choice(alike.index, size=2, replace=False)
                rows.append(
                    {"attribute": varied, "difference": np.abs(pixels[i] - pixels[j]).mean() / 255}
                )
    return pd.DataFrame(rows)
