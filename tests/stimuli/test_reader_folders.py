"""Folders of faces that a reader supplies: counted by file lists alone, whatever is wrong with them
is named."""

import json
import warnings
from hashlib import sha256
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import vlmbias as vb
from vlmbias.sources.catalogue import catalogue
from vlmbias.stimuli import causalface, fairface, utkface
from vlmbias.stimuli.decoding import UndecodableImage
from vlmbias.stimuli.reader_folders import EXPECTED, MARKER
from vlmbias.stimuli.supplied import SUPPLIED, reader

PROTOTYPE = {"smiling": 0, "pose": 0.0, "age": 2.6, "lighting": 3}


def causal(root, seeds=(47180, 51355), pictures=True, without=()):
    """CausalFace by names; the first seed's pictures are small: one grey for prototypes, another
    for each other."""
    for series, (_, values, _) in causalface.SERIES.items():
        for seed in seeds:
            folder = root / f"final_picked_{series}/seed_{seed}"
            folder.mkdir(parents=True)
            for race, gender, (number, value) in product(
                causalface.RACES, causalface.GENDERS, enumerate(values)
            ):
                path = root / causalface.file(seed, race, gender, series, value)
                if path.name in without:
                    continue
                path.touch()
                if pictures and seed == min(seeds):
                    shade = 0 if value == PROTOTYPE[series] else 10 * number + 20
                    Image.new("L", (4, 4), shade + len(series) * (shade > 0)).save(path)
    return root


def fair(root, rows, photos=None):
    """FairFace by names: rows of (file, age, gender, race), and the photos there are."""
    root.mkdir(exist_ok=True, parents=True)
    table = pd.DataFrame(rows, columns=["file", "age", "gender", "race"]).assign(service_test=False)
    table.to_csv(root / "fairface_label_train.csv", index=False)
    (root / fairface.PHOTOS / "train").mkdir(parents=True)
    for file in [row[0] for row in rows] if photos is None else photos:
        (root / fairface.PHOTOS / file).touch()
    return root


def utk(root, names):
    root.mkdir(exist_ok=True)
    for name in names:
        (root / name).touch()
    return root


@pytest.fixture
def quietly():
    """A warning is an error: a clean folder gives none."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# --- CausalFace -----------------------------------------------------------------------------------


def test_the_whole_of_causalface_is_18000_distinct_images(tmp_path, quietly):
    faces = vb.images("causalface", root=causal(tmp_path, seeds=range(1000, 1100)))
    table = faces.table
    assert len(faces) == 18_000 and faces.report.clean and faces.source == "causalface"
    assert (
        set(table.groupby(["seed", "race", "gender"]).size()) == {30}
        and table["copies"].sum() == 19_800
    )
    sizes = table[table["seed"] == 1007].groupby("subset").size().to_dict()
    assert sizes == {"prototype": 6, "age": 54, "smiling": 54, "lighting": 42, "pose": 24}
    assert "18,000 of the 18,000" in str(faces.report)


def test_the_prototype_is_found_where_its_picture_is(tmp_path):
    with pytest.warns(UserWarning, match="360 of the 18,000 images expected"):
        faces = vb.images("causalface", root=causal(tmp_path))
    prototypes = faces.table[faces.table["subset"] == "prototype"]
    assert {axis: set(prototypes[axis]) for axis in PROTOTYPE} == {
        axis: {value} for axis, value in PROTOTYPE.items()
    }
    assert set(prototypes["copies"]) == {4} and all(
        "smiling_0_o2_corrected" in file for file in prototypes["file"]
    )
    for axis, (
        _,
        values,
        _,
    ) in causalface.SERIES.items():  # each series is whole, with the prototype in its place
        series = faces.table[faces.table["subset"].isin([axis, "prototype"])]
        levels = series.groupby(["seed", "race", "gender"])[axis].apply(
            lambda found: tuple(sorted(found))
        )
        assert set(levels) == {values}
        others = [other for other in PROTOTYPE if other != axis]
        assert (series[others] == pd.Series(PROTOTYPE)[others]).all(axis=None)


def test_a_prototype_that_no_picture_shows_is_left_open(tmp_path):
    """Then the age and lighting series keep all their pictures, and pairs one attribute apart can
    still be drawn."""
    with pytest.warns(
        UserWarning, match="no picture of the age series equals the prototype"
    ) as warned:
        faces = vb.images("causalface", root=causal(tmp_path, pictures=False))
    assert "lighting stays unknown" in str(warned[0].message)
    table = faces.table
    assert len(table) == 2 * 6 * (1 + 9 + 4 + 10 + 8) and table["copies"].sum() == 2 * 6 * 33
    prototypes = table[table["subset"] == "prototype"]
    assert prototypes[["age", "lighting"]].isna().all(axis=None)
    assert (prototypes[["smiling", "pose"]] == 0).all(axis=None)
    for axis in PROTOTYPE:
        pairs = vb.one_apart(faces, by=axis, n=500, seed=1)
        first, second = (
            table.iloc[pairs[side]].reset_index(drop=True) for side in ("first", "second")
        )
        rest = [column for column in vb.measures.image_pairs.ATTRIBUTES if column != axis]
        assert first[rest].equals(second[rest]) and (first[axis] != second[axis]).all()
        levels = set(first[axis]) | set(second[axis])
        assert levels == set(map(float, causalface.SERIES[axis][1]))


def test_whatever_is_missing_or_extra_is_named_and_counted(tmp_path):
    gone = {"black_female_smiling_-2.5_o2_corrected.png", "white_male_l_6.png"}
    causal(tmp_path, without=gone)
    extra = tmp_path / "final_picked_age/seed_47180/asian_male_age_2_o2.png"
    extra.touch()
    for ending in (
        "_o2.png",
        "_o2_rm_bg.png",
    ):  # what the corrected ones are made from is no surplus
        (tmp_path / f"final_picked_smiling/seed_47180/asian_male_smiling_0{ending}").touch()
    (tmp_path / "final_picked_pose/seed_051355").mkdir()
    (tmp_path / "final_picked_pose/seed_051355/x.png").touch()
    with pytest.warns(UserWarning, match="missing pictures: 4"):
        faces = vb.images("causalface", root=tmp_path)
    found = faces.report.findings
    assert {path.split("/")[-1] for path in found["missing pictures"]} == gone and len(
        found["missing pictures"]
    ) == 4
    assert found["extra files"] == (
        extra.relative_to(tmp_path).as_posix(),
        "final_picked_pose/seed_051355/x.png",
    )
    assert found["second folders of one seed"] == ("seed_051355",)
    assert len(faces) == 2 * 180 - 4


def test_without_smiling_zero_another_series_shows_the_prototype(tmp_path):
    gone = {
        f"{race}_{gender}_smiling_0_o2_corrected.png"
        for race in causalface.RACES
        for gender in causalface.GENDERS
    }
    with pytest.warns(UserWarning):
        table = vb.images("causalface", root=causal(tmp_path, without=gone)).table
    prototypes = table[table["subset"] == "prototype"]
    assert len(prototypes) == 12 and set(prototypes["copies"]) == {3}
    assert prototypes["file"].str.contains("_y_0.0").all()


def test_uncorrected_smiling_files_say_how_to_correct_them(tmp_path):
    for path in list(causal(tmp_path).glob("final_picked_smiling/*/*_corrected.png")):
        path.rename(path.with_name(path.name.replace("_corrected", "")))
    with pytest.warns(UserWarning, match=r"causalface\.correct_smiling\(root\) does it"):
        faces = vb.images("causalface", root=tmp_path)
    assert (
        "smiling" not in set(faces.table["subset"])
        and len(faces.report.findings["missing pictures"]) == 120
    )


@pytest.mark.parametrize(
    ("pose", "box"),
    [
        (0.0, (40, 0, 472, 432)),
        (-1.5, (0, 0, 432, 432)),
        (-3.0, (0, 0, 432, 432)),
        (1.5, (80, 0, 512, 432)),
        (3.0, (80, 0, 512, 432)),
    ],
)
def test_the_crop_is_that_of_the_paper(pose, box):
    assert causalface.crop(pose) == box


def test_pictures_are_cropped_when_decoded_and_the_crop_is_in_their_key(tmp_path):
    causal(tmp_path, seeds=[5], pictures=False)
    columns = np.broadcast_to(np.arange(512) // 2, (512, 512)).astype(np.uint8)
    for pose in (-3.0, 0.0, 3.0):
        Image.fromarray(columns).save(tmp_path / causalface.file(5, "asian", "male", "pose", pose))
    with pytest.warns(UserWarning):
        cropped, whole = (
            vb.images(name, root=tmp_path, race="asian", gender="male", subset="pose")
            for name in ("causalface", "causalface/uncropped")
        )
    left = {
        row.pose: cropped.decode(row.Index)
        for row in cropped.table.itertuples()
        if abs(row.pose) == 3
    }
    assert {
        pose: (picture.size, picture.getpixel((0, 0))[0]) for pose, picture in left.items()
    } == {-3.0: ((432, 432), 0), 3.0: ((432, 432), 40)}
    last = int(np.flatnonzero(cropped.table["pose"] == 3)[0])
    assert whole.decode(last).size == (512, 512)
    assert (
        len({*cropped.keys(), *whole.keys()}) == 2 * 2 + 2
    )  # two equal files in two crops, and empty ones
    turned = cropped.where(cropped.table["pose"] > 0)
    assert turned.keys([1]) == cropped.keys([last]) and turned.boxes == (causalface.crop(3.0),) * 2


def test_a_picture_too_small_to_crop_is_named(tmp_path):
    with pytest.warns(UserWarning):
        faces = vb.images("causalface", root=causal(tmp_path, seeds=[5]))
    with pytest.raises(
        UndecodableImage, match=r"has 4 × 4 pixels, too few to show the part \(40, 0, 472, 432\)"
    ):
        faces.decode(0)


# --- the smiling correction -----------------------------------------------------------------------


def test_the_correction_gives_a_face_the_brightness_of_its_prototype():
    """The oracle: means over face pixels, by hand."""
    rng = np.random.default_rng(0)
    face = rng.integers(60, 120, (40, 40, 3)).astype(np.uint8)
    outline = np.zeros((40, 40, 1), bool)
    outline[8:30, 10:30] = True
    bright = np.rint(face * 1.25).astype(np.uint8)
    cut = [Image.fromarray(np.where(outline, picture, np.uint8(255))) for picture in (bright, face)]
    corrected = np.asarray(causalface.corrected(Image.fromarray(bright), *cut)).astype(float)
    assert abs(corrected - face).max() <= 2
    assert (
        abs(
            np.asarray(causalface.corrected(Image.fromarray(face), cut[1], cut[1]))
            - face.astype(float)
        ).max()
        == 0
    )


def test_corrected_files_are_made_from_what_is_there(tmp_path):
    folder = tmp_path / "causalface/final_picked_smiling/seed_7"
    folder.mkdir(parents=True)
    for value, shade in ((0, 80), (4, 160), (-2.5, 40)):
        picture, cut_out = Image.new("RGB", (9, 9), (shade,) * 3), Image.new("RGB", (9, 9), "white")
        cut_out.paste((shade,) * 3, (2, 2, 6, 6))
        picture.save(folder / f"white_male_smiling_{value}_o2.png")
        cut_out.save(folder / f"white_male_smiling_{value}_o2_rm_bg.png")
    assert causalface.correct_smiling(tmp_path) == 3 and causalface.correct_smiling(tmp_path) == 0
    made = sorted(path.name for path in folder.glob("*corrected*"))
    assert made == [f"white_male_smiling_{value}_o2_corrected.png" for value in ("-2.5", "0", "4")]
    assert [np.asarray(Image.open(folder / name)).mean() for name in made] == [80, 80, 80]
    (folder / made[2]).unlink()
    (folder / "white_male_smiling_4_o2_rm_bg.png").unlink()
    with pytest.raises(UndecodableImage, match=r"white_male_smiling_4_o2_rm_bg\.png"):
        causalface.correct_smiling(tmp_path)


# --- FairFace -------------------------------------------------------------------------------------


def test_fairface_keeps_three_races_of_twenty_and_older(tmp_path, quietly, monkeypatch):
    """38,744 in the paper: the count is checked against an independent filter, on as many labels as
    the file has."""
    rng = np.random.default_rng(3)
    bins = [*fairface.YEARS]
    share = [0.02, 0.12, 0.10, 0.30, 0.22, 0.12, 0.07, 0.04, 0.01]
    rows = [
        (f"train/{number}.jpg", age, gender, race)
        for number, (age, gender, race) in enumerate(
            zip(
                rng.choice(bins, 86_744, p=share),
                rng.choice(["Male", "Female"], 86_744),
                rng.choice([*fairface.RACES], 86_744),
                strict=True,
            ),
            1,
        )
    ]
    wanted = {
        row[0]
        for row in rows
        if row[1] not in ("0-2", "3-9", "10-19")
        and (row[3] in ("White", "Black") or "Asian" in row[3])
    }
    monkeypatch.setitem(EXPECTED, "fairface", len(wanted))
    fair(tmp_path / "fairface", rows, photos=[])
    monkeypatch.setattr(fairface, "files", lambda folder: {row[0] for row in rows})
    kept, everybody = vb.images("fairface", root=tmp_path), vb.images("fairface/all", root=tmp_path)
    assert kept.report.clean and kept.report.images == len(kept) == len(wanted)
    assert {
        path.relative_to(tmp_path / "fairface" / fairface.PHOTOS).as_posix() for path in kept.paths
    } == wanted
    assert len(everybody) == 86_744 and set(kept.table["race"]) == {"white", "black", "asian"}
    assert set(kept.table["gender"]) == {"male", "female"} and kept.table["years"].min() == 24.5
    assert set(kept.table.loc[kept.table["age_bin"] == "more than 70", "years"]) == {70}
    assert set(kept.table["label_gender"]) == {"Male", "Female"} and "East Asian" in set(
        kept.table["label_race"]
    )
    assert len(set(everybody.table["seed"])) == 86_744


def test_fairface_beside_portraits_has_as_many_adults_of_four_groups(
    tmp_path, quietly, monkeypatch
):
    rng = np.random.default_rng(5)
    rows = [
        (f"train/{number}.jpg", age, "Male", race)
        for number, (age, race) in enumerate(
            zip(
                rng.choice(["10-19", "20-29", "more than 70"], 4_000),
                rng.choice([*fairface.RACES], 4_000),
                strict=True,
            ),
            1,
        )
    ]
    fair(tmp_path / "fairface", rows, photos=[])
    monkeypatch.setattr(fairface, "files", lambda folder: {row[0] for row in rows})
    with pytest.warns(UserWarning, match="of the 38,744 images"):  # that the first paper used
        found = vb.images("fairface/as-cfd", root=tmp_path).table
    assert found["race"].value_counts().to_dict() == {
        "black": 197,
        "white": 183,
        "asian": 109,
        "latino hispanic": 108,
    }
    assert found["years"].min() == 24.5 and {"East Asian", "Southeast Asian"} <= set(
        found["label_race"]
    )
    for race, labels in {"white": {"White"}, "asian": {"East Asian", "Southeast Asian"}}.items():
        adults = [name for name, age, _, label in rows if label in labels and age != "10-19"]
        first = sorted(
            adults, key=lambda name: sha256(f"{fairface.PHOTOS}/{name}".encode()).hexdigest()
        )
        own = found.loc[found["race"] == race, "file"]
        assert set(own) == {f"{fairface.PHOTOS}/{name}" for name in first[: len(own)]}
    few = [row for row in rows if row[3] != "Black"][:400]
    (tmp_path / "few").mkdir()
    fair(tmp_path / "few/fairface", few, photos=[])
    monkeypatch.setattr(fairface, "files", lambda folder: {row[0] for row in few})
    with pytest.warns(UserWarning, match="of the 38,744 images"):
        kept = vb.images("fairface/as-cfd", root=tmp_path / "few").table["race"].value_counts()
    assert "black" not in kept and kept.max() <= 183


def test_the_papers_counts_are_what_is_expected():
    assert [EXPECTED[name] for name in ("causalface", "fairface", "utkface")] == [
        18_000,
        38_744,
        14_630,
    ]


def test_what_is_wrong_with_fairface_is_named(tmp_path):
    rows = [
        ("train/1.jpg", "20-29", "Male", "White"),
        ("train/2.jpg", "30-39", "Female", "East Asian"),
        ("train/3.jpg", "3-9", "Female", "Black"),
        ("train/4.jpg", "twenty", "Male", "White"),
        ("train/5.jpg", "20-29", "male", "White"),
        ("train/6.jpg", "40-49", "Male", "Black"),
        ("train/2.jpg", "50-59", "Female", "White"),
        ("val/1.jpg", "20-29", "Male", "White"),
    ]
    root = fair(
        tmp_path / "fairface", rows, photos=[f"train/{number}.jpg" for number in (1, 2, 3, 4, 5, 9)]
    )
    with pytest.warns(UserWarning, match="2 of the 38,744 images expected") as warned:
        found = vb.images("fairface", root=tmp_path)
    assert found.table["file"].tolist() == [
        f"{fairface.PHOTOS}/train/{number}.jpg" for number in (1, 2)
    ]
    assert found.table["race"].tolist() == ["white", "asian"]
    report = {what: len(which) for what, which in found.report.findings.items()}
    assert report == {
        "label rows that do not read": 3,
        "label rows without a photo": 2,
        "second label rows of one photo": 1,
        "photos without a label row": 1,
    }
    assert "photos without a label row: 1 (train/9.jpg)" in str(warned[0].message)
    with pytest.warns(UserWarning, match="label rows without a photo"):
        assert len(vb.images("fairface/all", root=root).table) == 3


def test_fairface_without_labels_or_columns(tmp_path):
    (tmp_path / "fairface").mkdir()
    for content in (None, "", "file,age\n", '"'):
        if content is not None:
            (tmp_path / "fairface/fairface_label_train.csv").write_text(content)
        with pytest.raises(
            ValueError, match=r"label_train\.csv is no table with file, age, gender and race"
        ):
            vb.images("fairface", root=tmp_path)


def as_unpacked(root, kind, names):
    """Labels, and photographs in one of the places into which the archive is unpacked."""
    rows = [(f"train/{number}.jpg", "20-29", "Male", "White") for number in names]
    fair(root, rows)
    if kind == "beside the labels":
        (root / fairface.PHOTOS / "train").rename(root / "train")
        (root / fairface.PHOTOS).rmdir()
        (root / "val").mkdir()
        (root / "val/1.jpg").touch()
    elif kind == "one folder deeper":
        (root / "FairFace").mkdir()
        for own in (fairface.LABELS, fairface.PHOTOS):
            (root / own).rename(root / "FairFace" / own)
    return root


@pytest.mark.parametrize("kind", ["as described", "beside the labels", "one folder deeper"])
def test_fairface_is_read_as_its_archive_unpacks(tmp_path, quietly, monkeypatch, kind):
    monkeypatch.setitem(EXPECTED, "fairface", 300)
    root = as_unpacked(tmp_path / "fairface", kind, range(1, 301))
    faces = vb.images("fairface", root=tmp_path)
    assert len(faces) == 300 and faces.report.clean and all(path.is_file() for path in faces.paths)
    assert all(path.is_relative_to(root) for path in faces.paths)


def test_the_choice_beside_portraits_does_not_depend_on_where_the_archive_was_unpacked(tmp_path):
    chosen = []
    for kind in ("as described", "beside the labels", "one folder deeper"):
        as_unpacked(tmp_path / kind / "fairface", kind, range(1, 401))
        with pytest.warns(UserWarning, match="400 of the 38,744"):
            chosen.append(vb.images("fairface/as-cfd", root=tmp_path / kind).table["seed"].tolist())
    assert len(chosen[0]) == 183 and chosen[0] == chosen[1] == chosen[2]


def test_fairface_without_photographs_says_where_they_are_looked_for(tmp_path):
    root = fair(tmp_path / "fairface", [("train/1.jpg", "20-29", "Male", "White")])
    (root / fairface.PHOTOS).rename(root / "fairface-img-margin125-trainval")
    with pytest.raises(FileNotFoundError, match="no photographs beside") as raised:
        vb.images("fairface", root=tmp_path)
    assert str(root / fairface.PHOTOS / "train") in str(raised.value) and str(
        root / "train"
    ) in str(raised.value)


def test_fairface_as_parquet_is_told_which_files_are_meant(tmp_path):
    (tmp_path / "fairface/0.25").mkdir(parents=True)
    (tmp_path / "fairface/0.25/train-00000-of-00002.parquet").write_bytes(b"PAR1")
    with pytest.raises(
        ValueError,
        match=r"0\.25/train-00000-of-00002\.parquet is of another distribution: take "
        r"fairface_label_train\.csv and fairface-img-margin025-trainval\.zip",
    ):
        vb.images("fairface", root=tmp_path)


# --- UTKFace --------------------------------------------------------------------------------------


def test_utkface_keeps_14630(tmp_path, quietly):
    names = [
        f"{20 + number % 80}_{number % 2}_{number % 3}_{number:017d}.jpg.chip.jpg"
        for number in range(14_630)
    ]
    others = [f"{number % 20}_0_1_{number:017d}.jpg.chip.jpg" for number in range(500)]
    others += [f"30_1_{3 + number % 2}_{number:017d}.jpg.chip.jpg" for number in range(500)]
    faces = vb.images("utkface", root=utk(tmp_path / "UTKFace", [*names, *others]).parent)
    assert (
        len(faces) == 14_630
        and faces.report.clean
        and {path.name for path in faces.paths} == set(names)
    )
    assert (
        set(faces.table["race"]) == {"white", "black", "asian"}
        and faces.table["years"].between(20, 99).all()
    )
    everybody = vb.images("utkface/all", root=tmp_path)
    assert len(everybody) == 15_630 and set(everybody.table["race"]) >= {"indian", "others"}


def test_utkface_is_read_as_its_archive_unpacks(tmp_path, quietly, monkeypatch):
    monkeypatch.setitem(EXPECTED, "utkface", 3)
    names = [f"26_{number % 2}_{number}_1.jpg.chip.jpg" for number in range(3)]
    (tmp_path / "UTKFace/__MACOSX").mkdir(parents=True)
    (tmp_path / "UTKFace/__MACOSX/._26_1_2_1.jpg").touch()
    utk(tmp_path / "UTKFace/UTKFace", names)
    for root in (tmp_path, tmp_path / "UTKFace"):
        faces = vb.images("utkface", root=root)
        assert (
            len(faces) == 3 and faces.report.clean and all(path.is_file() for path in faces.paths)
        )


def test_utkface_in_several_folders_is_refused_with_their_names(tmp_path):
    """As the other archive unpacks: whole photographs, in three parts."""
    (tmp_path / "UTKFace").mkdir()
    for part in ("part1", "part2", "part3"):
        utk(tmp_path / "UTKFace" / part, ["26_1_2_1.jpg"])
    with pytest.raises(
        ValueError, match=r"in 3 folders below it .*part1.*part2.*; keep one of them, or give it"
    ):
        vb.images("utkface", root=tmp_path)
    utk(
        tmp_path / "UTKFace", ["30_0_0_1.jpg"]
    )  # what lies in the folder itself wins, and the rest is said
    with pytest.warns(UserWarning, match="names that do not parse: 3"):
        assert len(vb.images("utkface", root=tmp_path)) == 1


def test_a_name_means_age_gender_race(tmp_path):
    utk(
        tmp_path,
        [
            "26_1_2_20170116184024662.jpg.chip.jpg",
            "110_0_1_1.jpg",
            "61_1_20170109142408075.jpg.chip.jpg",
            "53__0_20170116184028385.jpg",
            "39_1_7_1.jpg",
            "24_0_0_1.png",
            "readme.txt",
        ],
    )
    with pytest.warns(UserWarning, match="names that do not parse: 5"):
        table = vb.images("utkface", root=tmp_path).table
    found = table[["file", "years", "gender", "race", "label_gender"]].to_dict("records")
    assert found == [
        {
            "file": "110_0_1_1.jpg",
            "years": 110,
            "gender": "male",
            "race": "black",
            "label_gender": "0",
        },
        {
            "file": "26_1_2_20170116184024662.jpg.chip.jpg",
            "years": 26,
            "gender": "female",
            "race": "asian",
            "label_gender": "1",
        },
    ]


# --- any folder -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["causalface", "fairface", "utkface"])
def test_a_folder_that_is_not_there_or_empty(tmp_path, name, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    with pytest.raises(
        FileNotFoundError, match=rf"no folder of '{name}': looked for .*; put it there"
    ):
        vb.images(name)
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        (FileNotFoundError, ValueError),
        match=r"no image to use|fairface_label_train\.csv is no table",
    ):
        vb.images(name, root=tmp_path / "empty")


def test_a_relative_folder_is_found_from_a_notebooks_own_folder(tmp_path, monkeypatch):
    for folder in ("mine", "elsewhere/yours", "notebooks"):
        (tmp_path / folder).mkdir(parents=True)
    utk(tmp_path / "mine/UTKFace", ["26_1_2_1.jpg"])
    utk(tmp_path / "elsewhere/yours/UTKFace", ["26_1_2_1.jpg", "27_1_2_1.jpg"])
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path / "elsewhere"))
    monkeypatch.chdir(tmp_path / "notebooks")
    for root, faces in (("mine", 1), ("yours", 2)):
        with pytest.warns(UserWarning, match=f"{faces} of the 14,630"):
            assert len(vb.images("utkface", root=root)) == faces


def test_the_readers_own_folder_is_the_default(tmp_path, monkeypatch):
    utk(tmp_path / "UTKFace", ["26_1_2_1.jpg"])
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    with pytest.warns(UserWarning, match="1 of the 14,630"):
        assert len(vb.images("utkface")) == 1


def test_a_marked_folder_speaks_the_greenhouses_language(tmp_path, quietly):
    utk(tmp_path, ["26_1_2_1.jpg", "30_0_0_2.jpg", "30_0_3_3.jpg", "8_0_0_4.jpg"])
    names = {
        "white": "teal",
        "asian": "amber",
        "male": "budded",
        "female": "eared",
        "indian": "lime",
    }
    (tmp_path / MARKER).write_text(json.dumps({"names": names, "images": 2}))
    faces = vb.images("utkface", root=tmp_path)
    assert faces.source == "greenhouse" and faces.table["race"].tolist() == ["amber", "teal"]
    assert faces.table["gender"].tolist() == ["eared", "budded"]
    assert vb.images("utkface/all", root=tmp_path).table["race"].tolist() == [
        "amber",
        "teal",
        "lime",
        "teal",
    ]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"names": []}', '{"names": {}, "images": "many"}', "3"]
)
def test_a_broken_marker_is_one_clear_error(tmp_path, content):
    utk(tmp_path, ["26_1_2_1.jpg"])
    (tmp_path / MARKER).write_text(content)
    with pytest.raises(
        ValueError, match=r"greenhouse\.json is not the marker of a Greenhouse export"
    ):
        vb.images("utkface", root=tmp_path)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from("0123456789_.jpgchiné\n"), min_size=1, max_size=30)
        | st.builds(
            "{}_{}_{}_{}.jpg".format,
            st.integers(0, 130),
            st.integers(0, 2),
            st.integers(0, 5),
            st.integers(0),
        ),
        max_size=20,
    )
)
def test_any_name_parses_as_the_authors_code_reads_it_or_not_at_all(names):
    """The oracle: four fields between underscores, a whole number, two known codes."""
    table = utkface.described(pd.Series(names, dtype=str), {})
    for name, row in zip(names, table.itertuples(), strict=True):
        parts = name.split("_")
        good = (
            name.endswith(".jpg")
            and len(parts) == 4
            and parts[0].isascii()
            and parts[0].isdecimal()
            and len(parts[0]) < 4
            and parts[1] in utkface.GENDERS
            and parts[2] in utkface.RACES
            and len(parts[3]) > 4
            and "\n" not in name
        )
        assert pd.notna(row.race) == good == pd.notna(row.years) == pd.notna(row.gender)
        if good:
            assert (row.years, row.race) == (int(parts[0]), utkface.RACES[parts[2]])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "race": st.sampled_from([*fairface.RACES, "white", "", "Asian"])
                | st.text(max_size=6),
                "gender": st.sampled_from(["Male", "Female", "male", ""]) | st.text(max_size=6),
                "age": st.sampled_from([*fairface.YEARS, "20", ""]) | st.text(max_size=6),
            }
        ),
        max_size=12,
    )
)
def test_any_label_is_known_or_missing(rows):
    labels = pd.DataFrame(rows, columns=["race", "gender", "age"], dtype=str)
    found = fairface.described(labels, {"white": "teal"})
    assert found["race"].dropna().isin({"teal", *fairface.RACES.values()} - {"white"}).all()
    assert (found["race"].isna() == ~labels["race"].isin([*fairface.RACES])).all()
    assert (found["years"].isna() == ~labels["age"].isin([*fairface.YEARS])).all()
    assert (found["gender"].isna() == ~labels["gender"].isin(["Male", "Female"])).all()
    assert (found["label_race"] == labels["race"]).all()


def test_every_supplied_set_has_a_reader_a_source_and_a_line_of_documentation():
    for name, one in SUPPLIED.items():
        if name != "causalface-cosines":  # `sources.folders` reads these tables itself
            assert callable(reader(name).read), name
        assert not one.source or name in catalogue(), name
        assert not one.images or f'``"{name}"``' in str(vb.images.__doc__), name
