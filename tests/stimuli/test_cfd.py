"""The Chicago Face Database on disk: the grammar of its names, what is left out and said, and an
export in its layout."""

import numpy as np
import pytest

import vlmbias as vb
from greenhouse import export
from vlmbias.stimuli import cfd


def folder(root, names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"not looked at")
    return root


def whole(flat):
    letters = {"asian": "A", "black": "B", "latino": "L", "white": "W"}
    people = [
        f"{letters[race]}{'FM'[number % 2]}-{number + 200:03d}"
        for race, size in cfd.SIZES.items()
        for number in range(size)
    ]
    return [
        f"{'' if flat else f'CFD/{person}/'}CFD-{person}-{number % 1000:03d}-N.jpg"
        for number, person in enumerate(people)
    ]


@pytest.mark.parametrize("flat", [True, False])
def test_all_597_are_there(tmp_path, flat):
    extra = [
        f"{'' if flat else 'CFD/AF-200/'}CFD-AF-200-001-{expression}.jpg"
        for expression in ("A", "F", "HC", "HO")
    ]
    later = ["CFD-INDIA/CFD-IF-600-001-N.jpg", "CFD-MR/CFD-MF-300-001-N.jpg"]
    faces = vb.images("cfd", root=folder(tmp_path / "cfd", [*whole(flat), *extra, *later]).parent)
    assert len(faces) == 597 and faces.report.clean and faces.source == "cfd"
    assert faces.table["race"].value_counts().to_dict() == {
        "asian": 109,
        "black": 197,
        "latino": 108,
        "white": 183,
    }
    assert faces.report.notes == (
        "4 portraits with another expression are left out, as in the paper",
        "2 neutral portraits of groups that the paper does not use are left out",
    )


def test_a_name_means_race_gender_and_person(tmp_path):
    folder(
        tmp_path,
        [
            "WM-253/CFD-WM-253-119-N.jpg",
            "CFD-LF-200-035-N.JPG",
            "CFD-LF-201-035-N.jpeg",
            "CFD-BF-1-2-N.jpg",
            "readme.txt",
            "copy/CFD-LF-201-035-N.jpeg",
        ],
    )
    with pytest.warns(UserWarning, match="2 of the 597 images expected") as warned:
        faces = vb.images("cfd", root=tmp_path)
    found = faces.table[["file", "race", "gender", "person", "photo", "label_race"]].to_dict(
        "records"
    )
    assert found == [
        {
            "file": "CFD-LF-201-035-N.jpeg",
            "race": "latino",
            "gender": "female",
            "person": "LF-201",
            "photo": "035",
            "label_race": "L",
        },
        {
            "file": "WM-253/CFD-WM-253-119-N.jpg",
            "race": "white",
            "gender": "male",
            "person": "WM-253",
            "photo": "119",
            "label_race": "W",
        },
    ]
    report = faces.report.findings
    assert report["names that do not parse"] == ("CFD-BF-1-2-N.jpg", "CFD-LF-200-035-N.JPG")
    assert report["portraits found twice"] == ("copy/CFD-LF-201-035-N.jpeg",)
    assert "asian: 0, the paper has 109" in report[
        "groups of another size"
    ] and "names that do not parse: 2" in str(warned[0].message)


def test_flat_and_as_distributed_give_the_same_rows_in_the_same_order(tmp_path):
    random = np.random.default_rng(0)
    flat, nested = whole(True), whole(False)
    for names in (flat, nested):
        random.shuffle(names)
    one = vb.images("cfd", root=folder(tmp_path / "a/cfd", flat).parent).table
    two = vb.images("cfd", root=folder(tmp_path / "b/cfd", nested).parent).table
    assert one.drop(columns="file").equals(two.drop(columns="file"))


def test_a_table_beside_the_portraits_stops_nothing(tmp_path):
    folder(tmp_path, whole(True))
    before = vb.images("cfd", root=tmp_path).table
    # as the database's ratings come out of a spreadsheet: lines of explanation, and the header in
    # row 8
    (tmp_path / "CFD Norming Data.csv").write_text(
        "CFD 3.0\n" * 7 + "Model,Race,Attractive\nWF-200,W,3.5\n"
    )
    assert vb.images("cfd", root=tmp_path).table.equals(before)


@pytest.mark.parametrize("flat", [True, False])
def test_an_export_is_known_for_what_it_is(tmp_path, monkeypatch, flat):
    people = export.grid.cfd().groupby(["race", "gender"]).head(2).reset_index(drop=True)
    monkeypatch.setattr(export.grid, "cfd", lambda: people)
    export.portraits(tmp_path / "cfd", size=64, flat=flat)
    faces = vb.images("cfd", root=tmp_path)
    assert faces.source == "greenhouse" and faces.report.from_greenhouse and len(faces) == 16
    assert set(faces.table["race"]) == {"teal", "amber", "violet", "lime"} and set(
        faces.table["label_race"]
    ) == set("ABLW")
    assert faces.decode(0).size == (64, 64)
