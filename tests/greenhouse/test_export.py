"""Faces written as files: known for drawings by the pictures or by the table beside them, under the
Greenhouse's own names, without a verdict; and nothing of the reader's is overwritten."""

import shutil
import warnings

import exports
import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from greenhouse import export
from greenhouse.world import grid
from vlmbias.stimuli import cfd, reader_folders
from vlmbias.stimuli.reader_folders import METADATA, NAMES


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Two portraits of each group, and one identity in a folder."""
    place, patch = tmp_path_factory.mktemp("data"), pytest.MonkeyPatch()
    people = grid.cfd().groupby(["race", "gender"]).head(2).reset_index(drop=True)
    patch.setattr(export.grid, "cfd", lambda: people)
    export.write("cfd", place / "cfd")
    patch.undo()
    export.write("folder", place / "folder", seeds=1)
    return place


def only(which, folder):
    """What is left when somebody loses the table, or saves the pictures anew; or both."""
    if which in ("table", "nothing"):
        kept = (folder / METADATA).read_bytes()
        exports.unmarked(folder)
        if which == "table":
            (folder / METADATA).write_bytes(kept)
    else:
        (folder / METADATA).unlink()
    return folder


def read(name, root):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 16 portraits are not 597
        return vb.images(name, root=root)


@pytest.mark.parametrize("which", ["table", "pictures", "nothing"])
@pytest.mark.parametrize("kind", ["cfd", "folder"])
def test_drawings_are_known_by_either_mark_and_keep_their_names(written, tmp_path, kind, which):
    found = read(kind, only(which, shutil.copytree(written / kind, tmp_path / kind)))
    assert found.source == (kind if which == "nothing" else "greenhouse")
    if "race" in found.table and which != "nothing":
        assert set(found.table["race"]) <= {"teal", "amber", "violet", "lime"}
        assert set(found.table["gender"]) == {"budded", "eared"}


def test_one_drawing_among_a_hundred_pictures_is_enough_and_of_very_many_few_are_asked(
    written, tmp_path, monkeypatch
):
    names = [f"{number:04d}.png" for number in range(5_000)]
    for name in names[:100]:
        (tmp_path / name).touch()
    assert not reader_folders.of_greenhouse(tmp_path, names[:100])
    shutil.copy(written / "folder/pictures/00007.png", tmp_path / names[37])
    assert reader_folders.of_greenhouse(tmp_path, names[:100])
    asked = []
    monkeypatch.setattr(reader_folders, "marked", asked.append)
    assert not reader_folders.of_greenhouse(tmp_path, names)
    assert 100 <= len(asked) <= 202 and len({*asked}) == len(asked)


def test_the_example_folder_says_what_was_drawn(written):
    shown, ours = read("folder", written / "folder"), vb.images("greenhouse/causalface", seed=0)
    columns = list(ours.table)
    pd.testing.assert_frame_equal(shown.table[columns], ours.table, check_dtype=False)
    assert np.array_equal(np.asarray(shown.decode(7)), np.asarray(ours.decode(7)))


def test_portraits_are_all_there_and_filed_as_the_database_files_its_own(written):
    faces = read("cfd", written)
    assert faces.table.groupby(["race", "gender"]).size().tolist() == [2] * 8
    assert set(faces.table["label_race"]) == set("ABLW") and faces.decode(0).size == (224, 224)
    assert not set(faces.report.findings)
    letters = faces.table.groupby("race")["label_race"].agg(set).to_dict()
    assert letters == {NAMES[theirs]: {letter} for letter, theirs in cfd.RACES.items()}


def test_only_an_empty_folder_is_written_into(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/holiday.jpg").touch()
    for place in ("mine", "mine/holiday.jpg"):
        with pytest.raises(ValueError, match="not an empty folder"):
            export.write("folder", tmp_path / place, seeds=1)
    (tmp_path / "empty").mkdir()
    monkeypatch.setattr(export, "draw", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export.write("folder", tmp_path / "empty", seeds=1)
    with pytest.raises(ValueError, match="seeds=0"):
        export.write("folder", tmp_path / "new", seeds=0)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert left == {"mine", "mine/holiday.jpg", "empty"}
