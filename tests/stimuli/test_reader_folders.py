"""Folders of faces that a reader supplies: read as their archives unpack, counted by file lists
alone, and whatever is wrong with them named in one report or one error."""

import warnings
from dataclasses import replace
from hashlib import sha256
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import vlmbias as vb
from vlmbias.sources import folders
from vlmbias.sources.catalogue import catalogue
from vlmbias.stimuli import causalface, cfd, fairface, utkface
from vlmbias.stimuli.decoding import UndecodableImage
from vlmbias.stimuli.reader_folders import FOLDERS, SUPPLIED

PROTOTYPE = {"smiling": 0, "pose": 0.0, "age": 2.6, "lighting": 3}
AXES = causalface.AXES


def causal(root, seeds=(47180, 51355), pictures=True, without=()):
    """CausalFace by names; the first seed's pictures are small: one grey for prototypes, another
    for each other."""
    for series, (_, values, _) in causalface.SERIES.items():
        for seed in seeds:
            (root / f"final_picked_{series}/seed_{seed}").mkdir(parents=True)
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


def touch(root, *names):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


def fair(root, rows, photos=None):
    """FairFace by names: rows of (file, age, gender, race), and the photos there are."""
    names = [row[0] for row in rows] if photos is None else photos
    touch(root / fairface.PHOTOS, "train/.keep", *names)
    table = pd.DataFrame(rows, columns=["file", "age", "gender", "race"]).assign(service_test=False)
    table.to_csv(root / fairface.LABELS, index=False)
    return root


def portraits():
    """The names of a whole Chicago Face Database, flat."""
    letters = {race: letter for letter, race in cfd.RACES.items()}
    groups = [letters[race] + "FM"[n % 2] for race, size in cfd.SIZES.items() for n in range(size)]
    return [f"CFD-{group}-{n % 1000:03d}-{n % 999:03d}-N.jpg" for n, group in enumerate(groups)]


RNG = np.random.default_rng(3)
FAIR = [
    (f"train/{number}.jpg", *labels)
    for number, labels in enumerate(
        zip(
            RNG.choice(
                [*fairface.YEARS], 3_000, p=[0.02, 0.1, 0.1, 0.3, 0.2, 0.14, 0.07, 0.05, 0.02]
            ),
            RNG.choice([*fairface.GENDERS], 3_000),
            RNG.choice([*fairface.RACES], 3_000),
            strict=True,
        ),
        1,
    )
]
UTK = [f"{age}_{age % 2}_{age % 5}_{age:017d}.jpg.chip.jpg" for age in range(1, 101)]


def quietly(name, root):
    """A folder that is whole: no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return vb.images(name, root=root)


def loudly(name, root):
    """A folder that is not: its report is the warning."""
    with pytest.warns(UserWarning) as warned:
        found = vb.images(name, root=root)
    assert str(found.report) in {str(one.message) for one in warned}
    return found


# --- whole sets -----------------------------------------------------------------------------------


def test_fairface_keeps_three_races_of_twenty_and_older(tmp_path, monkeypatch):
    kept = ("White", "Black", "East Asian", "Southeast Asian")
    young = ("0-2", "3-9", "10-19")
    wanted = {name for name, age, _, race in FAIR if age not in young and race in kept}
    monkeypatch.setitem(SUPPLIED, "fairface", replace(SUPPLIED["fairface"], expected=len(wanted)))
    root = fair(tmp_path / "fairface", FAIR)
    kept, everybody = quietly("fairface", tmp_path), quietly("fairface/all", tmp_path)
    names = {path.relative_to(root / fairface.PHOTOS).as_posix() for path in kept.paths}
    assert names == wanted and len(everybody) == len(FAIR) == everybody.table["seed"].nunique()
    by_file = everybody.table.set_index("file")
    for name, age, gender, race in FAIR[::50]:
        row = by_file.loc[f"{fairface.PHOTOS}/{name}"]
        own = (row["years"], row["race"], row["gender"])
        assert own == (fairface.YEARS[age], fairface.RACES[race], gender.lower())
        assert (row["age_bin"], row["label_race"], row["label_gender"]) == (age, race, gender)


def test_utkface_keeps_three_races_of_twenty_and_older(tmp_path, monkeypatch):
    codes = {name: name.split("_") for name in UTK}
    wanted = {name for name, own in codes.items() if int(own[0]) >= 20 and own[2] in "012"}
    monkeypatch.setitem(SUPPLIED, "utkface", replace(SUPPLIED["utkface"], expected=len(wanted)))
    touch(tmp_path / "UTKFace", *UTK)
    kept = quietly("utkface", tmp_path)
    assert {path.name for path in kept.paths} == wanted
    assert len(quietly("utkface/all", tmp_path)) == len(UTK)


def test_portraits_flat_and_in_folders_give_the_same_rows(tmp_path):
    extra = [f"CFD-AF-200-001-{expression}.jpg" for expression in ("A", "F", "HC", "HO")]
    later = ["CFD-INDIA/CFD-IF-600-001-N.jpg", "CFD-MR/CFD-MF-300-001-N.jpg"]
    names = [*portraits(), *extra, *later]
    one = quietly("cfd", touch(tmp_path / "a/cfd", *names).parent)
    nested = [f"CFD/{name[4:10]}/{name}" for name in reversed(names)]
    touch(tmp_path / "b/cfd", "CFD 3.0 Norming Data.csv", *nested)
    two = quietly("cfd", tmp_path / "b")
    assert one.table.drop(columns="file").equals(two.table.drop(columns="file"))
    assert one.table["race"].value_counts().to_dict() == cfd.SIZES
    assert [note.split()[0] for note in one.report.notes] == ["4", "2"]


# --- what is wrong with them ----------------------------------------------------------------------

GONE = "white_male_l_6.png"
WRONG_LABELS = [
    ("train/1.jpg", "20-29", "Male", "White"),
    ("train/2.jpg", "30-39", "Female", "East Asian"),
    ("train/4.jpg", "twenty", "Male", "White"),
    ("train/5.jpg", "20-29", "male", "White"),
    ("train/6.jpg", "40-49", "Male", "Black"),
    ("train/2.jpg", "50-59", "Female", "White"),
    ("val/1.jpg", "20-29", "Male", "White"),
]
STRANGE = ["61_1_20170109142408075.jpg", "53__0_1.jpg", "39_1_7_1.jpg", "24_0_0_1.png", "a.txt"]
WRONG = {  # set, what lies there, how many images are left, and what the report counts
    "causalface, files missing and extra": (
        "causalface",
        lambda root: touch(
            causal(root, without=[GONE]),
            "final_picked_age/seed_47180/asian_male_age_2_o2.png",
            "final_picked_pose/seed_051355/x.png",
            "final_picked_smiling/seed_47180/asian_male_smiling_0_o2.png",  # these two are no
            "final_picked_smiling/seed_47180/asian_male_smiling_0_o2_rm_bg.png",  # surplus
        ),
        358,
        {"missing pictures": 2, "extra files": 2, "second folders of one seed": 1},
    ),
    "fairface, labels and photographs that do not fit": (
        "fairface",
        lambda root: fair(root, WRONG_LABELS, [f"train/{n}.jpg" for n in (1, 2, 4, 5, 9)]),
        2,
        {
            "label rows that do not read": 3,
            "label rows without a photo": 2,
            "second label rows of one photo": 1,
            "photos without a label row": 1,
        },
    ),
    "utkface, names": (
        "utkface",
        lambda root: touch(root, "26_1_2_20170116184024662.jpg.chip.jpg", *STRANGE),
        1,
        {"names that do not parse": len(STRANGE)},
    ),
    "utkface, parts beside photographs": (
        "utkface",
        lambda root: touch(root, "30_0_0_1.jpg", "part1/26_1_2_1.jpg", "part2/26_1_2_1.jpg"),
        1,
        {"names that do not parse": 2},
    ),
    "cfd, names, copies and sizes": (
        "cfd",
        lambda root: touch(
            root, "WM-253/CFD-WM-253-119-N.jpg", "CFD-LF-201-035-N.jpeg", "CFD-BF-1-2-N.jpg",
            "copy/CFD-LF-201-035-N.jpeg", "CFD-LF-200-035-N.JPG", "readme.txt",
        ),
        2,
        {"names that do not parse": 2, "portraits found twice": 1, "groups of another size": 4},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_whatever_is_missing_or_extra_is_counted_and_the_rest_is_read(tmp_path, case):
    name, make, n, counted = WRONG[case]
    make(tmp_path)
    found = loudly(name, tmp_path)
    assert {what: len(which) for what, which in found.report.findings.items()} == counted
    assert len(found) == n and not found.report.clean
    assert all(f"{what}: {number}" in str(found.report) for what, number in counted.items())
    assert all(
        str(tmp_path) not in one for which in found.report.findings.values() for one in which
    )


def unlabelled(root):
    fair(root, FAIR[:3])
    (root / fairface.PHOTOS).rename(root / "fairface-img-margin125-trainval")


def labels(content):
    return lambda root: (root / fairface.LABELS).write_text(content)


REFUSED = {  # set, what lies in its folder, what the error names
    "fairface, nothing": ("fairface", lambda root: None, [fairface.LABELS, "no table"]),
    "fairface, columns": (
        "fairface",
        labels("file,age\n"),
        [fairface.LABELS, "column 'gender'"],
    ),
    "fairface, no photographs": ("fairface", unlabelled, [f"{fairface.PHOTOS}/train"]),
    "fairface, parquet": (
        "fairface",
        lambda root: touch(root, "0.25/train-00000-of-00002.parquet"),
        ["0.25/train-00000", "another distribution", fairface.LABELS, f"{fairface.PHOTOS}.zip"],
    ),
    "utkface, three parts": (
        "utkface",
        lambda root: touch(root, *(f"part{n}/26_1_2_1.jpg" for n in (1, 2, 3))),
        ["in 3 folders", "part1", "part2", "keep one of them"],
    ),
    "cfd, nothing": ("cfd", lambda root: None, ["no image to use", "597"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_folder_that_cannot_be_read_is_one_error_that_says_what_to_do(tmp_path, case):
    name, make, says = REFUSED[case]
    (tmp_path / "set").mkdir()
    make(tmp_path / "set")
    with pytest.raises((ValueError, FileNotFoundError)) as error:
        vb.images(name, root=tmp_path / "set")
    assert all(one in str(error.value) for one in says)
    assert str(tmp_path / "set") in str(error.value)


def test_a_folder_that_is_not_there_says_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    for name in ("causalface", "fairface", "utkface", "cfd"):
        with pytest.raises(FileNotFoundError, match=f"{tmp_path}/{FOLDERS[name]}.*VLMBIAS_DATA"):
            vb.images(name)


# --- where they lie -------------------------------------------------------------------------------


def test_the_default_is_the_readers_own_data_and_a_relative_folder_is_found_from_a_notebook(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path / "data"))
    for n, place in enumerate(("data", "mine", "data/yours"), 1):
        touch(tmp_path / place / "UTKFace", *UTK[30 : 30 + n])
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    found = [len(loudly("utkface/all", root)) for root in (None, "mine", "yours")]
    assert found == [1, 2, 3]


def beside(root):
    """Photographs beside the labels, as FairFace's archive unpacks."""
    (root / fairface.PHOTOS / "train").rename(root / "train")
    touch(root, "val/1.jpg")


def deeper(root):
    """One folder deeper, with what a Macintosh leaves."""
    inside = [path for path in root.iterdir()]
    touch(root, "__MACOSX/._x", "inside/.keep")
    for path in inside:
        path.rename(root / "inside" / path.name)


@pytest.mark.parametrize("move", [lambda root: None, beside, deeper])
def test_sets_are_read_as_their_archives_unpack_and_choose_the_same(tmp_path, monkeypatch, move):
    rows = [(f"train/{n}.jpg", "20-29", "Male", "White") for n in range(1, 401)]
    monkeypatch.setitem(SUPPLIED, "fairface", replace(SUPPLIED["fairface"], expected=400))
    move(fair(tmp_path / "fairface", rows))
    faces = quietly("fairface", tmp_path)
    assert len(faces) == 400 and all(path.is_file() for path in faces.paths)
    chosen = quietly("fairface/as-cfd", tmp_path).table["seed"]
    key = {n: sha256(f"{fairface.PHOTOS}/train/{n}.jpg".encode()).digest() for n in range(1, 401)}
    assert set(chosen) == set(sorted(key, key=key.__getitem__)[: cfd.SIZES["white"]])
    if move is not beside:
        monkeypatch.setitem(SUPPLIED, "utkface", replace(SUPPLIED["utkface"], expected=1))
        move(touch(tmp_path / "UTKFace", "26_1_2_1.jpg"))
        for root in (tmp_path, tmp_path / "UTKFace"):
            assert [path.is_file() for path in quietly("utkface", root).paths] == [True]


def test_beside_portraits_stand_as_many_adults_of_each_group_or_all(tmp_path):
    fair(tmp_path / "fairface", FAIR)
    found = loudly("fairface/as-cfd", tmp_path).table
    adults = [row for row in FAIR if fairface.YEARS[row[1]] >= 20]
    for race, theirs in fairface.BESIDE_PORTRAITS.items():
        there = sum(fairface.RACES[row[3]] == race for row in adults)
        assert (found["race"] == race).sum() == min(there, cfd.SIZES[theirs])
    assert set(found["race"]) == set(fairface.BESIDE_PORTRAITS) and found["years"].min() >= 20


# --- CausalFace: prototypes, crops, correction ----------------------------------------------------


def test_the_prototype_is_found_where_its_picture_is(tmp_path):
    table = loudly("causalface", causal(tmp_path)).table
    prototypes = table[table["subset"] == "prototype"]
    assert (prototypes[[*PROTOTYPE]] == pd.Series(PROTOTYPE)).all(axis=None)
    assert set(prototypes["copies"]) == {4}
    for axis in AXES:  # each series is whole, with the prototype in its place
        series = table[table["subset"].isin([axis, "prototype"])]
        levels = series.groupby(["seed", "race", "gender"])[axis].agg(
            lambda own: tuple(sorted(own))
        )
        assert set(levels) == {causalface.SERIES[axis][1]}
        others = [other for other in PROTOTYPE if other != axis]
        assert (series[others] == pd.Series(PROTOTYPE)[others]).all(axis=None)


def test_a_prototype_that_no_picture_shows_is_left_open(tmp_path):
    """Then the age and lighting series keep all their pictures, and pairs one attribute apart can
    still be drawn."""
    faces = loudly("causalface", causal(tmp_path, pictures=False))
    assert sum("stays unknown" in note for note in faces.report.notes) == 2
    table = faces.table
    assert len(table) == 2 * 6 * (1 + 9 + 4 + 10 + 8) and table["copies"].sum() == 2 * 6 * 33
    prototypes = table[table["subset"] == "prototype"]
    assert prototypes[["age", "lighting"]].isna().all(axis=None)
    assert (prototypes[["smiling", "pose"]] == 0).all(axis=None)
    for axis in AXES:
        pairs = vb.one_apart(faces, by=axis, n=500, seed=1)
        first, second = (
            table.iloc[pairs[side]].reset_index(drop=True) for side in ("first", "second")
        )
        rest = [column for column in vb.measures.image_pairs.ATTRIBUTES if column != axis]
        assert first[rest].equals(second[rest]) and (first[axis] != second[axis]).all()
        assert set(first[axis]) | set(second[axis]) == set(map(float, causalface.SERIES[axis][1]))


def test_uncorrected_smiling_files_say_how_to_correct_them(tmp_path):
    for path in list(causal(tmp_path).glob("final_picked_smiling/*/*_corrected.png")):
        path.rename(path.with_name(path.name.replace("_corrected", "")))
    faces = loudly("causalface", tmp_path)
    assert "correct_smiling" in str(faces.report) and "smiling" not in set(faces.table["subset"])
    assert len(faces.report.findings["missing pictures"]) == 120


@pytest.mark.parametrize(("pose", "left"), [(0, 40), (-1.5, 0), (-3, 0), (1.5, 80), (3, 80)])
def test_the_crop_is_that_of_the_paper(pose, left):
    assert causalface.crop(pose) == (left, 0, left + 432, 432)


def test_pictures_are_cropped_when_decoded_and_the_crop_is_in_their_key(tmp_path):
    causal(tmp_path, seeds=[5], pictures=False)
    columns = np.broadcast_to(np.arange(512) // 2, (512, 512)).astype(np.uint8)
    for pose in (-3.0, 0.0, 3.0):
        Image.fromarray(columns).save(tmp_path / causalface.file(5, "asian", "male", "pose", pose))
    cropped, whole = (loudly(name, tmp_path) for name in ("causalface", "causalface/uncropped"))
    asked = cropped.table.eval("race == 'asian' and gender == 'male' and subset == 'pose'")
    cropped, whole = cropped.where(asked), whole.where(asked)
    keys = set()
    for row, pose in enumerate(cropped.table["pose"]):
        if abs(pose) == 3:
            shown = cropped.decode(row)
            assert shown.size == (432, 432) and whole.decode(row).size == (512, 512)
            assert shown.getpixel((0, 0))[0] == causalface.crop(pose)[0] // 2
            keys |= {*cropped.keys([row]), *whole.keys([row])}
    assert len(keys) == 3  # two equal files in two crops, and as they are
    turned = cropped.where(cropped.table["pose"] > 0)
    assert turned.boxes == (causalface.crop(3.0),) * 2 and set(turned.keys()) & keys


def test_the_correction_gives_a_face_the_brightness_of_its_prototype():
    """The oracle: means over face pixels, by hand."""
    face = np.random.default_rng(0).integers(60, 120, (40, 40, 3)).astype(np.uint8)
    outline = np.zeros((40, 40, 1), bool)
    outline[8:30, 10:30] = True
    bright = np.rint(face * 1.25).astype(np.uint8)
    cut = [Image.fromarray(np.where(outline, picture, np.uint8(255))) for picture in (bright, face)]
    corrected = np.asarray(causalface.corrected(Image.fromarray(bright), *cut)).astype(float)
    assert abs(corrected - face).max() <= 2
    same = causalface.corrected(Image.fromarray(face), cut[1], cut[1])
    assert np.array_equal(np.asarray(same), face)


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


# --- names and labels -----------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
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
    table = utkface.described(pd.Series(names, dtype=str))
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
            assert (row.gender, row.label_race) == (utkface.GENDERS[parts[1]], parts[2])


def test_every_set_that_a_reader_supplies_can_be_asked_for_and_is_told_of():
    assert set(folders.PLACES) <= set(catalogue())
    told = str(vb.images.__doc__)
    assert all(f'"{name}' in told for name, one in SUPPLIED.items() if one.images)
