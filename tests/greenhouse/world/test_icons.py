"""Things and scenes."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from greenhouse.world import grid, icons
from greenhouse.world.drawing import Motif
from greenhouse.world.nuisance import Nuisance


def test_golden_bytes():
    pictures = icons.render(grid.icons(25), nuisance=Nuisance())
    assert hashlib.sha256(pictures.tobytes()).hexdigest()[:16] == "69986bf68be6f50e"


def test_order_and_batch_do_not_matter():
    rows = grid.icons(5).assign(photo=np.arange(30) * 31)
    together = icons.render(rows, 48)
    order = np.random.default_rng(2).permutation(len(rows))
    assert np.array_equal(icons.render(rows.iloc[order], 48), together[order])
    alone = np.concatenate([icons.render(rows.iloc[[i]], 48) for i in range(0, 30, 4)])
    assert np.array_equal(alone, together[::4])


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
