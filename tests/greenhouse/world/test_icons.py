"""Things and scenes."""

import hashlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from greenhouse.world import grid, icons, painting
from greenhouse.world.drawing import PAINTS, Motif
from greenhouse.world.icons import SHADE, Brush
from greenhouse.world.nuisance import Nuisance

CLEARLY = 1.25  # how many times as far from another motif's mean outlines as from its own


def test_golden_bytes():
    pictures = icons.render(grid.icons(25), nuisance=Nuisance())
    assert hashlib.sha256(pictures.tobytes()).hexdigest()[:16] == "69986bf68be6f50e"


def test_order_batch_and_boxes_do_not_matter(monkeypatch):
    rows = grid.icons(25).assign(photo=np.arange(150) * 31)
    together = icons.render(rows, 48)
    order = np.random.default_rng(2).permutation(len(rows))
    assert np.array_equal(icons.render(rows.iloc[order], 48), together[order])
    alone = np.concatenate([icons.render(rows.iloc[[i]], 48) for i in range(0, 150, 4)])
    assert np.array_equal(alone, together[::4])
    monkeypatch.setattr(
        painting.Canvas, "window", lambda self, shape: (slice(0, self.size), slice(0, self.size))
    )
    assert np.array_equal(icons.render(rows, 48), together)


def test_every_exemplar_is_another_picture():
    pictures = icons.render(grid.icons(), 32)
    assert len({picture.tobytes() for picture in pictures}) == 300


def test_every_category_has_25_themes_and_every_theme_a_name_of_its_own():
    assert set(icons.THEMES) == set(grid.CATEGORIES)
    names = [name for themes in icons.THEMES.values() for name in themes]
    assert len(names) == len(set(names)) == 25 * len(grid.CATEGORIES)
    assert icons.MOTIFS_PER_CATEGORY == 25 and all(
        len(themes) == 25 for themes in icons.THEMES.values()
    )
    rows = grid.icons()
    assert rows.groupby(["category", icons.motif_of(rows)]).size().tolist() == [2] * 150
    assert icons.motif_of(pd.DataFrame({"exemplar": [0, 24, 25, 200_003, 2**32 - 1]})).tolist() == [
        0,
        24,
        0,
        3,
        20,
    ]


def test_a_row_shows_the_motif_of_its_name(monkeypatch):
    """With every other motif emptied, only the exemplars of the named one still change the
    backdrop."""
    rows = grid.icons(50).query("category == 'instrument'")
    harp = icons.THEMES["instrument"].index("harp")
    whole = icons.render(rows, 32)
    emptied = {
        name: motif if name == "harp" else Motif(())
        for name, motif in icons.MOTIFS["instrument"].items()
    }
    monkeypatch.setitem(icons.MOTIFS, "instrument", emptied)
    same = (icons.render(rows, 32) == whole).all(axis=(1, 2, 3))
    assert np.array_equal(same, icons.motif_of(rows) == harp)


class EqualPaints(Brush):
    """A brush that gives every exemplar the middle colour of a paint."""

    def colour(self, paint):
        tone = np.asarray(PAINTS[paint.removesuffix(" shade")][:3], np.float32)
        return painting.colour(tone * SHADE if paint.endswith("shade") else tone)


def outlines(motif, seeds):
    """Share of edge pixels, 16 x 16 per exemplar: upright, on an even ground, all exemplars in the
    same colours."""
    canvas = painting.Canvas(len(seeds), 64)
    canvas.pixels[:] = 0.5
    brush = EqualPaints(canvas, seeds)
    brush.show(motif)
    steps = [np.abs(np.diff(canvas.pixels, axis=axis)).max(axis=1) for axis in (2, 3)]
    edges = np.zeros((len(seeds), 64, 64), bool)
    edges[:, :-1, :-1] = np.maximum(steps[0][:, :, :-1], steps[1][:, :-1]) > 0.08
    return edges.reshape(len(seeds), 16, 4, 16, 4).mean(axis=(2, 4)).reshape(len(seeds), -1)


def apart(drawn, held_out):
    """Distances of held-out exemplars to every motif's mean outlines, as multiples of that to their
    own motif's."""
    distance = np.linalg.norm(held_out[:, :, None] - drawn.mean(axis=1)[None, None], axis=3)
    own = np.einsum("isi->is", distance)
    return (distance / own[:, :, None]).mean(axis=1)


@pytest.mark.parametrize("category", grid.CATEGORIES)
def test_motifs_of_a_category_differ_in_shape(category):
    seeds = np.arange(24, dtype=np.uint64)
    motifs = list(icons.MOTIFS[category].values())
    drawn = np.stack([outlines(motif, seeds) for motif in motifs])
    ratio = apart(drawn[:, :16], drawn[:, 16:])
    assert ratio[~np.eye(25, dtype=bool)].min() > CLEARLY


def test_a_motif_in_other_colours_is_no_other_motif():
    seeds = np.arange(24, dtype=np.uint64)
    tulip = icons.MOTIFS["flower"]["tulip"]
    recoloured = tuple(
        replace(part, paint=part.paint.replace("main", "second")) for part in tulip.drawing
    )
    drawn = np.stack([outlines(motif, seeds) for motif in (tulip, Motif(recoloured))])
    assert apart(drawn[:, :16], drawn[:, 16:]).max() < CLEARLY


def test_categories_can_be_told_by_their_pixels():
    """The nearest of 75 exemplars of every category, by pixels, is of the same category for most
    others."""
    rows = grid.icons(100)
    pixels = (
        icons.render(rows, 32)
        .reshape(len(rows), 16, 2, 16, 2, 3)
        .mean(axis=(2, 4))
        .reshape(len(rows), -1)
    )
    known, kind = (rows["exemplar"] < 75).to_numpy(), rows["category"].to_numpy()
    found = kind[known][cdist(pixels[~known], pixels[known]).argmin(axis=1)]
    assert (found == kind[~known]).mean() > 0.55  # chance: 1/6
    scenes = np.isin(kind[~known], ["pleasant", "unpleasant"])
    assert (found == kind[~known])[scenes].mean() > 0.9  # chance: 1/2


@pytest.mark.parametrize(
    "pair", [("pleasant", "unpleasant"), ("instrument", "weapon"), ("flower", "insect")]
)
def test_brightness_alone_does_not_tell_categories_apart(pair):
    """The best threshold on mean brightness, chosen after the fact, is right for less than 80 %."""
    rows = grid.icons(100)
    rows = rows[rows["category"].isin(pair)]
    brightness, first = (
        icons.render(rows, 32).mean(axis=(1, 2, 3)),
        (rows["category"] == pair[0]).to_numpy(),
    )
    share = np.array([((brightness > cut) == first).mean() for cut in np.unique(brightness)])
    assert np.ptp(brightness) > 20 and np.maximum(share, 1 - share).max() < 0.8


def test_things_cannot_be_told_by_their_backdrop():
    """Colours of the picture's rim are drawn alike for things of every category."""
    rows = grid.icons(150)
    rim = icons.render(rows, 32)[:, 0, ::4].astype(float).mean(axis=1)
    means = (
        pd.DataFrame(rim)
        .groupby(rows["category"])
        .mean()
        .loc[["flower", "insect", "instrument", "weapon"]]
    )
    assert np.ptp(means.to_numpy(), axis=0).max() < 30


def test_errors():
    with pytest.raises(ValueError, match="unknown category 'cat'; choose from flower"):
        icons.render(pd.DataFrame({"category": ["cat"], "exemplar": [0]}))
    with pytest.raises(ValueError, match="exemplar -1 is not a whole number"):
        icons.render(pd.DataFrame({"category": ["flower"], "exemplar": [-1]}))
    with pytest.raises(ValueError, match="lacks the column 'exemplar'"):
        icons.render(pd.DataFrame({"category": ["flower"]}))
