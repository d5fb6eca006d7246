"""Image sets: the tables, filters, keys, and the errors a reader meets."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import vlmbias as vb


@pytest.fixture(scope="module")
def faces():
    return vb.images("greenhouse/causalface")


@pytest.fixture
def folder(tmp_path):
    for name, colour in (("b/two.png", "red"), ("one.JPG", "blue"), ("b/.hidden.png", "black")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (10, 10), colour).save(tmp_path / name, format="PNG")
    for left in (".Trashes/1", "@eaDir", "b/.ipynb_checkpoints", "__MACOSX/b"):
        (tmp_path / left).mkdir(parents=True)
        Image.new("RGB", (10, 10), "white").save(tmp_path / left / "two.png")
    (tmp_path / "notes.txt").write_text("no image")
    return tmp_path


def test_equal_keys_mean_equal_pictures_and_all_keys_differ(faces):
    assert len(set(faces.keys())) == len(faces)
    part = faces.where((faces.table["race"] == "amber").to_numpy())
    original = np.flatnonzero(faces.table["race"] == "amber")[7]
    assert part.keys([7]) == faces.keys([original])
    assert replace(faces, recipe="another renderer").keys([original]) != part.keys([7])
    assert np.array_equal(part.decode(7), faces.decode(int(original)))


def test_decoding_in_blocks_is_decoding_one_by_one(faces, monkeypatch):
    monkeypatch.setattr("vlmbias.stimuli.imageset._BLOCK", 2)
    rows = [17_999, 3, 40, 3, 900]
    together = [np.asarray(picture) for picture in faces.decode(rows)]
    assert all(np.array_equal(a, faces.decode(row)) for a, row in zip(together, rows, strict=True))
    assert np.array_equal(faces.pixels(rows), together)


def test_filters_keep_exactly_the_rows_asked_for(faces):
    kept = vb.images("greenhouse/causalface", race="teal", age=[0.8, 4.4], seed=range(3))
    expected = faces.table.query("race == 'teal' and age in [.8, 4.4] and seed < 3")
    pd.testing.assert_frame_equal(kept.table, expected.reset_index(drop=True))


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"rase": "teal"}, r"no column 'rase'; it has seed, race"),
        ({"race": "green"}, r"no race 'green' in .*; it has 'teal', 'amber', 'violet'"),
        ({"race": []}, "no image of .* has"),
    ],
)
def test_a_wrong_filter_names_what_there_is(filters, message):
    with pytest.raises(ValueError, match=message):
        vb.images("greenhouse/causalface", **filters)


def test_a_folder_lists_every_image_below_it_in_order(folder):
    images = vb.images("folder", root=folder)
    assert images.table.to_dict("list") == {
        "path": ["b/two.png", "one.JPG"],
        "name": ["two", "one"],
    }
    assert np.asarray(images.decode(0))[0, 0].tolist() == [255, 0, 0]
    assert [*map(len, images.keys())] == [64, 64] and images.pixels([0]) is None
    assert len(vb.images("folder", root=folder, name="one")) == 1


@pytest.mark.parametrize(
    ("name", "root", "error", "message"),
    [
        (
            "causalface",
            "nowhere",
            FileNotFoundError,
            r"no folder of 'causalface': looked for .*/nowhere/causalface",
        ),
        ("greenhouse/faces", None, ValueError, "unknown image set 'greenhouse/faces'"),
        ("greenhouse/cfd", "x", ValueError, "a rendered set has none"),
    ],
)
def test_a_wrong_name_or_root_says_what_there_is(name, root, error, message):
    with pytest.raises(error, match=message):
        vb.images(name, root=root)


def test_a_small_grid_is_the_start_of_the_large_one(faces, monkeypatch):
    monkeypatch.setenv("VLMBIAS_IDENTITIES", "2")
    small = vb.images("greenhouse/causalface")
    assert len(small) == 2 * 180 and small.keys([0, 359]) == faces.keys([0, 359])
    assert len(vb.images("greenhouse/cfd")) == 597


def test_linked_folders_are_followed_and_circles_end(tmp_path):
    """As on shared machines: the data lie elsewhere, and links lead there, twice, and back."""
    store, root = tmp_path / "store", tmp_path / "root"
    for folder in (store / "a", store / "b", root):
        folder.mkdir(parents=True)
    Image.new("RGB", (4, 4), "teal").save(store / "a" / "one.png")
    (root / "first").symlink_to(store)
    (root / "second").symlink_to(store / "a")
    (store / "b" / "back").symlink_to(store / "a")
    (store / "a" / "there").symlink_to(store / "b")
    (store / "a" / "up").symlink_to(store)
    found = vb.images("folder", root=root)
    assert {"first/a/one.png", "second/one.png", "first/b/back/one.png"} <= set(found.table["path"])
    assert len(found) < 20 and found.decode(0).size == (4, 4)
