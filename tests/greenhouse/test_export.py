"""Exports: the real layout, read back as the Greenhouse's own, and nothing of the reader's is
overwritten."""

import json
import re
import shutil
import warnings

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import vlmbias as vb
from greenhouse import export
from greenhouse.world import grid
from vlmbias.stimuli import causalface, fairface, utkface
from vlmbias.stimuli.reader_folders import MARKER

PERSON = ["seed", "race", "gender"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One identity with a leak, and a few photographs of each kind."""
    place = tmp_path_factory.mktemp("data")
    export.causal(place / "causalface", seeds=1, first=7, leak=0.4, detail=54)
    for kind, name in (("fairface", "fairface"), ("utkface", "UTKFace")):
        export.photographs(kind, place / name, n=40, size=72)
    return place


def read(name, folder, **filters):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an export is whole
        return vb.images(name, root=folder, **filters)


def test_causalface_comes_back_as_the_grid(folder):
    faces, rows = read("causalface", folder), grid.causalface(1).assign(seed=7)
    assert faces.source == "greenhouse" and faces.report.clean and len(faces) == 180
    columns = list(rows)
    pd.testing.assert_frame_equal(
        faces.table[columns].sort_values(columns, ignore_index=True),
        rows.sort_values(columns, ignore_index=True),
        check_dtype=False,
    )
    assert faces.decode(0).size == (432, 432) and read("causalface/uncropped", folder).decode(
        0
    ).size == (512, 512)


def test_the_names_on_disk_are_those_of_the_release(folder):
    names = {
        path.relative_to(folder / "causalface").as_posix()
        for path in folder.glob("causalface/*/*/*")
    }
    for series, (_, values, _) in causalface.SERIES.items():
        assert {
            causalface.file(7, race, gender, series, value)
            for race in causalface.RACES
            for gender in causalface.GENDERS
            for value in values
        } <= names
    assert (
        "final_picked_smiling/seed_7/black_female_smiling_-2.5_o2_rm_bg.png" in names
        and len(names) == 6 * 53
    )
    labels = pd.read_csv(folder / "fairface" / fairface.LABELS)
    assert list(labels) == ["file", "age", "gender", "race", "service_test"] and len(labels) == 40
    assert set(labels["race"]) <= set(fairface.RACES) and set(labels["age"]) <= set(fairface.YEARS)
    assert {"East Asian", "Southeast Asian", "Indian", "Latino_Hispanic"} <= set(labels["race"])
    assert all(re.fullmatch(utkface.NAME, path.name) for path in folder.glob("UTKFace/*.jpg"))


@pytest.mark.parametrize("kind", ["fairface", "utkface"])
def test_photographs_come_back_with_their_own_names(folder, kind):
    rows, everybody = getattr(grid, kind)().iloc[:40], read(f"{kind}/all", folder)
    assert everybody.source == "greenhouse" and len(everybody) == 40
    columns = ["race", "gender", "years"] + ["age_bin"] * (kind == "fairface")
    pd.testing.assert_frame_equal(
        everybody.table[columns].sort_values(columns, ignore_index=True),
        rows[columns].sort_values(columns, ignore_index=True),
        check_dtype=False,
    )
    kept = read(kind, folder)
    wanted = rows[(rows["years"] >= 20) & (rows["race"] != "lime")]
    assert len(kept) == len(wanted) < 40 and kept.report.clean
    assert kept.decode(0).size == (72, 72)


@pytest.mark.parametrize("series", ["lighting", "pose"])
def test_an_exported_face_is_the_rendered_one_and_the_crop_frames_it(folder, series):
    """Shrunk to the encoder's size, the cropped file is close to the picture the Greenhouse renders
    at that size."""
    faces, ours = (
        read("causalface", folder, subset=series),
        vb.images("greenhouse/causalface", seed=7),
    )
    row = faces.table.iloc[3]
    same = np.flatnonzero(
        (
            ours.table[[*PERSON, series, "subset"]] == row[[*PERSON, series, "subset"]].to_numpy()
        ).all(axis=1)
    )
    small = np.asarray(faces.decode(3).resize((64, 64), Image.Resampling.BOX), float)
    rendered = np.asarray(ours.decode(int(same[0])), float)
    other = np.asarray(ours.decode(int(same[0]) + 30), float)  # somebody else
    assert np.abs(small - rendered).mean() < 6 < np.abs(small - other).mean()


def test_the_crop_of_a_turned_head_is_another_part_of_the_file(folder):
    """As in the paper: to the left for a head turned left."""
    cropped, whole = (
        read(name, folder, race="teal", gender="budded", pose=[-3.0, 3.0])
        for name in ("causalface", "causalface/uncropped")
    )
    for row, pose in enumerate(cropped.table["pose"]):
        left = 0 if pose < 0 else 80
        assert np.array_equal(
            np.asarray(cropped.decode(row)), np.asarray(whole.decode(row))[:432, left : left + 432]
        )


def test_the_correction_undoes_a_leak_of_smiling_into_brightness(folder):
    """Face pixels found independently: where the cut-out is not white."""

    def brightness(value, ending):
        path = folder / "causalface" / causalface.file(7, "asian", "male", "smiling", value, ending)
        cut = (
            folder
            / "causalface"
            / causalface.file(7, "asian", "male", "smiling", value, "_o2_rm_bg")
        )
        face = np.asarray(Image.open(cut).convert("L")) < 255
        assert 0.2 < face.mean() < 0.7  # the background is cut out, the person is not
        return np.asarray(Image.open(path).convert("L"), float)[face].mean()

    before = {value: brightness(value, "_o2") / brightness(0, "_o2") for value in (-2.5, 4)}
    after = {
        value: brightness(value, "_o2_corrected") / brightness(0, "_o2") for value in (-2.5, 4)
    }
    assert before[-2.5] < 0.93 and before[4] > 1.10
    assert all(abs(ratio - 1) < 0.015 for ratio in after.values())


def test_corrected_files_made_anew_are_the_exported_ones(folder, tmp_path):
    target = tmp_path / "final_picked_smiling/seed_7"
    target.mkdir(parents=True)
    for path in folder.glob("causalface/final_picked_smiling/seed_7/*_o2*.png"):
        if "corrected" not in path.name:
            (target / path.name).write_bytes(path.read_bytes())
    assert causalface.correct_smiling(tmp_path) == 60
    for path in target.glob("white_*_corrected.png"):
        exported = folder / "causalface/final_picked_smiling/seed_7" / path.name
        assert np.array_equal(np.asarray(Image.open(path)), np.asarray(Image.open(exported)))


def test_every_file_says_what_it_is(folder):
    marker = json.loads((folder / "causalface" / MARKER).read_text())
    assert (
        marker["layout"] == "causalface"
        and marker["names"]["white"] == "teal"
        and marker["options"]["first"] == 7
    )
    assert "schematic" in Image.open(next(folder.glob("causalface/*/*/*.png"))).text["Comment"]
    assert b"schematic" in Image.open(next(folder.glob("UTKFace/*.jpg"))).info["comment"]


@pytest.fixture
def unmarked(folder, tmp_path):
    """The same exports, whose marker files were lost on the way."""
    place = shutil.copytree(folder, tmp_path / "moved")
    for path in place.rglob(MARKER):
        path.unlink()
    return place


@pytest.mark.parametrize("name", ["causalface", "causalface/uncropped", "fairface/all", "utkface"])
def test_an_export_without_its_marker_is_still_the_greenhouses(folder, unmarked, name):
    with pytest.warns(UserWarning, match=r"files carry its mark, though greenhouse\.json is gone"):
        found = vb.images(name, root=unmarked)
    assert found.source == "greenhouse"
    pd.testing.assert_frame_equal(found.table, read(name, folder).table)


def test_one_drawing_among_photographs_makes_a_set_the_greenhouses(unmarked, tmp_path):
    drawing, photograph = (
        sorted((unmarked / "UTKFace").iterdir())[-1],
        tmp_path / "real/UTKFace/20_0_0_1.jpg",
    )
    photograph.parent.mkdir(parents=True)
    Image.effect_noise((64, 64), 50).save(photograph, comment=b"a holiday")
    with pytest.warns(UserWarning):
        assert vb.images("utkface", root=tmp_path / "real").source == "utkface"
    assert vb.images("folder", root=tmp_path / "real").source == "folder"
    shutil.copy(drawing, photograph.with_name(drawing.name))
    with pytest.warns(UserWarning):
        assert vb.images("utkface/all", root=tmp_path / "real").source == "greenhouse"
    assert vb.images("folder", root=tmp_path / "real").source == "greenhouse"


def test_exported_cosines_say_so_themselves(tmp_path):
    export.write("cosines", tmp_path / "ours", seeds=2, n=30)
    (tmp_path / "ours" / MARKER).unlink()
    found = vb.perceive("causalface", words="social_perception/released", cosines=tmp_path / "ours")
    assert (found.source, found.stimuli, found.model) == (
        "greenhouse",
        "greenhouse/causalface",
        "greenhouse",
    )
    assert "teal" in set(found.table["race"])


def test_nothing_but_an_export_is_replaced(folder, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/holiday.jpg").touch()
    with pytest.raises(
        ValueError, match=r"mine is not empty and not an export .*no greenhouse\.json"
    ):
        export.photographs("utkface", tmp_path / "mine", n=2)
    with pytest.raises(ValueError, match=r"holiday\.jpg is a file"):
        export.photographs("utkface", tmp_path / "mine/holiday.jpg", n=2)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["holiday.jpg"]
    export.photographs("utkface", tmp_path / "ours", n=3, size=16)
    export.photographs("utkface", tmp_path / "ours", n=2, size=16)
    assert len(list((tmp_path / "ours").glob("*.jpg"))) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "ours"}


def test_a_failed_export_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(export, "_mark", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export.photographs("utkface", tmp_path / "ours", n=2, size=16)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda at: export.causal(at, detail=100), "detail=100 must be 432 or a whole part"),
        (lambda at: export.causal(at, seeds=0), "seeds=0 must be a whole number of at least 1"),
        (
            lambda at: export.photographs("cfd", at),
            "kind='cfd': there are 'fairface' and 'utkface'",
        ),
        (
            lambda at: export.photographs("fairface", at, n=0),
            "n=0 must be a whole number from 1 to",
        ),
        (lambda at: export.write("faces", at), "unknown export 'faces'; choose from causalface"),
    ],
)
def test_a_wrong_option_is_one_clear_error_before_any_work(tmp_path, call, message):
    with pytest.raises(ValueError, match=message):
        call(tmp_path / "new")
    assert not list(tmp_path.iterdir())
