"""Things and scenes."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import grid, icons, painting
from greenhouse.world.nuisance import Nuisance


def test_golden_bytes():
    pictures = icons.render(grid.icons(6), nuisance=Nuisance())
    assert hashlib.sha256(pictures.tobytes()).hexdigest()[:16] == "1af8b29014561d76"


def test_order_batch_and_boxes_do_not_matter(monkeypatch):
    rows = grid.icons(9).assign(photo=np.arange(54) * 31)
    together = icons.render(rows, 48)
    order = np.random.default_rng(2).permutation(len(rows))
    assert np.array_equal(icons.render(rows.iloc[order], 48), together[order])
    alone = np.concatenate([icons.render(rows.iloc[[i]], 48) for i in range(0, 54, 4)])
    assert np.array_equal(alone, together[::4])
    monkeypatch.setattr(painting.Canvas, "window", lambda self, shape: (slice(0, self.size), slice(0, self.size)))
    assert np.array_equal(icons.render(rows, 48), together)


def test_every_exemplar_is_another_picture():
    pictures = icons.render(grid.icons(40), 32)
    assert len({picture.tobytes() for picture in pictures}) == 240


def test_categories_have_three_motifs_each():
    assert set(icons.MOTIFS) == set(grid.CATEGORIES)
    assert all(len(set(motifs)) == 3 for motifs in icons.MOTIFS.values())


def test_pleasant_scenes_are_brighter():
    rows = grid.icons(12)
    brightness = pd.Series(icons.render(rows).mean(axis=(1, 2, 3))).groupby(rows["category"]).mean()
    assert brightness["pleasant"] > 1.5 * brightness["unpleasant"]


def test_things_cannot_be_told_by_their_backdrop():
    """Colours of the picture's rim are drawn alike for things of every category."""
    rows = grid.icons(150)
    rim = icons.render(rows, 32)[:, 0, ::4].astype(float).mean(axis=1)
    means = pd.DataFrame(rim).groupby(rows["category"]).mean().loc[["flower", "insect", "instrument", "weapon"]]
    assert np.ptp(means.to_numpy(), axis=0).max() < 30


def test_errors():
    with pytest.raises(ValueError, match="unknown category 'cat'; choose from flower"):
        icons.render(pd.DataFrame({"category": ["cat"], "exemplar": [0]}))
    with pytest.raises(ValueError, match="exemplar -1 is not a whole number"):
        icons.render(pd.DataFrame({"category": ["flower"], "exemplar": [-1]}))
    with pytest.raises(ValueError, match="lacks the column 'exemplar'"):
        icons.render(pd.DataFrame({"category": ["flower"]}))
