"""Things and scenes."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

from greenhouse.world import grid, icons
from greenhouse.world.drawing import Motif
from greenhouse.world.nuisance import Nuisance


def test_golden_bytes():
    pictures = icons.render(grid.icons(25), nuisance=Nuisance())
    assert hashlib.sha256(pictures.tobytes()).hexdigest()[:16] == "69986bf68be6f50e"


def test_order_and_batch_do_not_matter():
    rows = grid.icons(25).assign(photo=np.arange(150) * 31)
    together = icons.render(rows, 48)
    order = np.random.default_rng(2).permutation(len(rows))
    assert np.array_equal(icons.render(rows.iloc[order], 48), together[order])
    alone = np.concatenate([icons.render(rows.iloc[[i]], 48) for i in range(0, 150, 4)])
    assert np.array_equal(alone, together[::4])


def test_every_category_has_25_themes_and_every_theme_a_name_of_its_own():
    names = [name for category in grid.CATEGORIES for name in icons.THEMES[category]]
    assert len(names) == len(set(names)) == 25 * len(grid.CATEGORIES)
    rows = grid.icons()
    assert rows.groupby(["category", icons.motif_of(rows)]).size().tolist() == [2] * 150


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
    ("row", "says"),
    [
        ({"category": "cat", "exemplar": 0}, "unknown category 'cat'; choose from flower"),
        ({"category": "flower", "exemplar": -1}, "exemplar -1 is not a whole number"),
    ],
)
def test_what_cannot_be_drawn_is_named(row, says):
    with pytest.raises(ValueError, match=says):
        icons.render(pd.DataFrame([row]))
