"""A reader's own folder: what its table may say, what each chapter needs of it, and that both are
said in one place."""

import re
import shutil
import unicodedata
from itertools import product

import pandas as pd
import pytest
from PIL import Image

from runner import commands, names, notebooks, parameters, plan
from studies import roles
from studies.causalface import variation
from vlmbias import paths
from vlmbias.papers import CAUSALFACE
from vlmbias.stimuli import own_folder
from vlmbias.stimuli.images import images
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.reader_folders import METADATA

CHAPTERS = own_folder.declared()
ROWS = ["path,seed,race,age", "a/1.png,7,azure,20", "a/2.png,7,azure,30", "b/1.png,8,ochre,25.5"]


@pytest.fixture
def folder(tmp_path):
    """Three pictures, two of one file name, and no table yet."""
    for path in ("a/1.png", "a/2.png", "b/1.png"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 2)).save(tmp_path / path)
    return tmp_path


def say(folder, *rows, encoding="utf-8"):
    (folder / METADATA).write_text("\n".join(rows), encoding)
    return images("folder", folder)


# --- the table ------------------------------------------------------------------------------------


def test_rows_and_pictures_stay_together_in_the_tables_order(folder):
    assert list(images("folder", folder).table) == ["path", "name"]  # without a table
    found = say(folder, ROWS[0], ROWS[3], ROWS[1], ROWS[2] + "\n\n", encoding="utf-8-sig")
    assert found.table.to_dict("list") == {
        "path": ["b/1.png", "a/1.png", "a/2.png"],
        "name": ["1", "1", "2"],
        "seed": [8, 7, 7],
        "race": ["ochre", "azure", "azure"],
        "age": [25.5, 20.0, 30.0],
    }
    assert found.paths == tuple(folder / path for path in found.table["path"])
    assert found.source == "folder"


def test_pictures_may_be_named_and_identities_too(folder):
    (folder / "b/1.png").rename(folder / "b/3.png")
    found = say(folder, "name,seed,worn", "1,Ann,hat", "2.png,Ben,cap", "3,Ann,none").table
    assert found["path"].tolist() == ["a/1.png", "a/2.png", "b/3.png"]
    assert found["seed"].tolist() == [0, 1, 0]
    assert found["identity"].tolist() == ["Ann", "Ben", "Ann"]
    assert found["worn"].tolist() == ["hat", "cap", "none"]


def test_all_that_is_wrong_is_told_in_one_error_up_to_ten(folder, monkeypatch):
    """What else is refused is in `tests/hostile/folders.py`."""
    (folder / "b/1.png").write_bytes(b"<html>")
    faults = (
        ["b/1.png", "a web page"],
        ["no picture for 'gone.png'"],
        ["no row for the picture 'a/2.png'"],
        ["rows 3, 4: race is empty"],
        ["row 2: age = 'old'", "number"],
        ["'worn' is there more than once"],
    )
    rows = ["path,seed,race,age,worn,worn", "a/1.png,7,azure,old,hat,hat", "b/1.png,7,,20,no,no"]
    with pytest.raises(own_folder.Faults) as error:
        say(folder, *rows, "gone.png,7,,20,no,no")
    lines = str(error.value).splitlines()
    assert len(lines) == len(faults)
    for fault in faults:
        assert sum(all(one in line for one in fault) for line in lines) == 1, fault
    many = [f"a/1.png,{n},azure,{n} years,no,no" for n in range(20)]
    with pytest.raises(own_folder.Faults) as error:
        say(folder, rows[0], *many)
    *told, last = str(error.value).splitlines()
    # 20 ages, a column twice, a picture with many rows, pictures without a row, and no picture
    assert (len(told), last.strip()) == (10, "and 14 more")
    monkeypatch.setattr(own_folder, "_LARGEST", 20)
    with pytest.raises(ValueError, match="over 20 bytes"):
        say(folder, *ROWS)


# --- what chapters need ---------------------------------------------------------------------------

LEVELS = {"age": (2, 1, 3), "smiling": (0, -1, 1), "lighting": (1, 0, 2), "pose": (0, -1, 1)}


def grid(races=("azure", "ochre", "plum"), genders=("round", "pointed"), seeds=3, **levels):
    """A whole set of series, as a table: per person a prototype, with the first level of each
    attribute, and a picture for each other level."""
    rows, levels = [], LEVELS | levels
    for seed, race, gender in product(range(seeds), races, genders):
        plain = {name: float(own[0]) for name, own in levels.items()}
        plain |= {"seed": seed, "race": race, "gender": gender, "subset": "prototype"}
        rows.append(plain)
        rows += [
            plain | {name: level, "subset": name} for name in levels for level in levels[name][1:]
        ]
    return pd.DataFrame(rows).assign(path=lambda table: table.index.astype(str))


def changed(**cells):
    """The grid, with some cells of its first picture that varies age changed."""
    table = grid()
    table.loc[1, list(cells)] = list(cells.values())
    return table


def test_a_whole_set_of_series_will_do_and_each_declared_column_is_missed():
    for name, needs in CHAPTERS.items():
        if not needs.why:
            own = grid().drop_duplicates(["race", "seed"]) if needs.single else grid()
            assert not needs.lacks(own), name
            for column in needs.columns:
                (said,) = needs.lacks(own.drop(columns=column))
                assert METADATA in said and own_folder.COLUMNS[column] in said


@pytest.mark.parametrize(
    ("chapter", "table", "says"),
    [
        ("stimuli", grid(races=("azure", "ochre")), ["race has 2 groups", "azure, ochre", "3"]),
        ("stimuli", grid(seeds=2), ["seed has 2", "at least 3"]),
        (
            "stimuli",
            grid().drop(index=9),
            ["identity 0, azure pointed", "no prototype", "17 of 18"],
        ),
        ("stimuli", changed(subset="prototype"), ["identity 0, azure round", "2 prototypes"]),
        ("stimuli", changed(smiling=2.0), ["'1'", "subset age", "differs", "in more"]),
        ("stimuli", changed(age=9.0), ["levels of age", "azure round", "azure pointed"]),
        ("stimuli", grid().query("subset != 'pose'"), ["1 level of pose"]),
        ("stimuli", grid().assign(pose=1.0), ["prototype", "its pose has to be 0"]),
    ],
)
def test_what_a_set_of_series_lacks_is_said(chapter, table, says):
    (said,) = CHAPTERS[f"causalface/{chapter}"].lacks(table)
    assert all(one in said for one in says), said


@pytest.mark.parametrize(
    ("levels", "gap", "says"),
    [
        ({"smiling": (0, 1, 2, 3)}, 1.1, ["smiling", "0, 1, 2, 3", "by 1 at", "-p min_gap=0.5"]),
        ({"smiling": (0, 2, 4, 6)}, 1.1, []),
        ({"smiling": (0, 0.25, 0.5, 0.75, 1)}, 1.1, ["smiling", "-p min_gap=0.25"]),
        ({"smiling": (0, 0.5, 1)}, 0.1, ["smiling", "inner half", "needs two levels"]),
        ({"smiling": (0, 2, 4, 6), "age": (0.5, 0, 1)}, 1.1, ["in age", "1.1", "0, 0.5, 1"]),
    ],
)
def test_levels_closer_than_a_pair_may_be_are_named_with_the_parameter(levels, gap, says):
    table = grid(("azure", "ochre"), **levels)
    said = CHAPTERS["causalface/variation"].lacks(table, {"min_gap": gap})
    assert len(said) == bool(says) and all(one in said[0] for one in says), said
    try:  # the oracle: what the chapter then draws
        low, high = table["smiling"].min(), table["smiling"].max()
        inner = low + (high - low) / 4, high - (high - low) / 4
        for choice in ({}, {"smiles": inner}):
            variation.pairs(
                table, n=5, seed=0, min_gap=gap, attributes=["age", "smiling"], **choice
            )
        assert not said
    except ValueError:
        assert said


def test_declarations_are_of_every_page_and_its_parameters():
    assert set(CHAPTERS) == set(plan.notebooks()), (
        "every notebook has an entry in data/stimuli/own_images.yaml: what it needs of pictures"
    )
    for name, needs in CHAPTERS.items():
        known = parameters.declared(notebooks.read(plan.source(name)), where=name)
        if not needs.why:
            assert known["stimuli"].kind == "image set" and known["root"].kind == "folder", name
        assert all(known[other].kind == "image set" for other in needs.beside), name
        used = {*needs.groups, *needs.series, *needs.gaps, *needs.inner}
        assert used <= set(needs.columns) <= set(own_folder.COLUMNS), name


# --- before a run ---------------------------------------------------------------------------------


def refused(name, **given):
    """The error of a rerun on a folder: a line for each problem, before anything starts."""
    words = [word for pair in given.items() for word in ("-p", "=".join(map(str, pair)))]
    with pytest.raises(SystemExit) as error:
        commands.main(["run", name, *words])
    return str(error.value)


@pytest.fixture
def nothing_starts(monkeypatch):
    for step in ("runner.execute.run", "runner.plan.hashes"):
        monkeypatch.setattr(step, lambda *_, **__: pytest.fail("it started"))


WE_THEY, AGE = "american_white/we_they", "causalface/age"
MEASURE = "greenhouse/measure"
NO_FOLDER = next(name for name, needs in CHAPTERS.items() if needs.why)


@pytest.mark.parametrize(
    ("name", "rows", "given", "says"),
    [
        (WE_THEY, ROWS, {"stimuli": "folder", "root": None}, ["root = ''", "-p root"]),
        (WE_THEY, ROWS, {"stimuli": "folder"}, ["race 'ochre' has 1 picture;", "needs 2"]),
        (AGE, ROWS, {"stimuli": "folder"}, [f"{METADATA} has no column gender"]),
        (  # a column whose name differs in case only is named, and so is the folder
            AGE,
            ["path,seed,race,Gender,age", *(f"{row.rpartition(',')[0]},m,25" for row in ROWS[1:])],
            {"stimuli": "folder"},
            ["has no column gender", "it has 'Gender'", "folder', /"],
        ),
        (  # what is wrong with the table, and what the chapter misses in it
            AGE,
            [*ROWS[:3], "b/1.png,8,deep ochre,25"],
            {"stimuli": "folder"},
            [f"{METADATA} has no column gender", "race = 'deep ochre'", "deep_ochre"],
        ),
        (
            AGE,
            ROWS,
            {"fairface": "folder", "root": None},
            ["fairface = 'folder'", "goes into stimuli"],
        ),
        (WE_THEY, ROWS, {}, ["root = ", "reads no folder", "-p stimuli=folder"]),
        (
            WE_THEY,
            ROWS,
            {"stimuli": "folder", "reference": "teal"},
            ["reference = 'teal'", "one of the groups of the pictures: azure, ochre"],
        ),
        (
            WE_THEY,
            [ROWS[0], ROWS[1], ROWS[2], "b/1.png,7,ochre,25"],
            {"stimuli": "folder"},
            ["1 of 2 people", "7 has 2 in 'azure'"],
        ),
        (MEASURE, ROWS, {"group": "azure", "root": None}, ["group = 'azure'", "teal, amber"]),
        (
            MEASURE,
            ROWS,
            {"stimuli": "folder", "group": "ochre", "other_group": "ochre"},
            ["other_group = 'ochre': is the same as group"],
        ),
        (NO_FOLDER, ROWS, {"stimuli": "folder"}, ["no folder of your own"]),
    ],
)
def test_a_rerun_is_refused_before_it_starts_with_what_is_wrong(
    folder, nothing_starts, name, rows, given, says
):
    if rows:
        (folder / METADATA).write_text("\n".join(rows))
    given = {"root": folder} | given
    said = refused(name, **{key: value for key, value in given.items() if value is not None})
    assert all(one in said for one in says), said


def test_what_a_chapter_needs_is_printed_without_a_built_book(capsys):
    for name in (WE_THEY, NO_FOLDER):
        with pytest.raises(SystemExit):
            commands.main(["run", name, "--parameters"])
        said, needs = capsys.readouterr().out, CHAPTERS[name]
        wanted = [needs.why] if needs.why else [*needs.rules(), own_folder.COLUMNS["race"]]
        assert all(one in said for one in wanted)


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        (MEASURE, {}, "azure − azur"),
        (MEASURE, {"other_group": "ochre"}, "azure − ochre"),
        (WE_THEY, {}, "azure with"),
        (WE_THEY, {"reference": "azur"}, "azur with"),
        (AGE, {}, ""),
    ],
)
def test_the_groups_of_a_folder_are_told_with_their_people_and_which_are_compared(
    folder, name, given, says
):
    """A slip of the pen is a group of its own: it is seen before the run."""
    rows = ["a/1.png,7,azure,20", "a/2.png,8,azur,30", "b/1.png,9,ochre,25"]
    known = parameters.declared(notebooks.read(plan.source(name)), where=name)
    given = {"stimuli": "folder", "root": str(folder), **given}
    for column, each in (("seed", "1 person"), ("worn", "1 picture")):
        say(folder, ROWS[0].replace("seed", column), *rows)
        told = "\n".join(names.own_folder_in_words(name, known, given))
        assert "3 pictures" in told and f"compared: {says}" * bool(says) in told
        assert all(f"{group} ({each})" in told for group in ("azure", "azur", "ochre"))
        assert ("another person" in told) == (column == "worn")
    assert names.own_folder_in_words(name, known, {}) == []
    say(folder, ROWS[0], "a/1.png,Ann,azure,20", "a/2.png,Ann,ochre,30", "b/1.png,Ben,ochre,25")
    given = {"stimuli": "folder", "root": str(folder)}
    told = names.own_folder_in_words(name, known, given)
    assert any("in both: Ann;" in line for line in told) == (name == MEASURE)


@pytest.mark.parametrize(
    ("people", "says"),
    [
        ("a:NS b:NS c:NS", []),
        ("a:N b:N c:S", []),
        ("a:NS b:N c:S d:S", ["in both: a;", "3 people", "another person"]),
        ("a:NS b:NS c:N", ["alone: c;", "2 people", "left out"]),
        ("a:NW b:N c:S", []),  # a group that is not compared
    ],
)
def test_who_is_in_both_groups_or_one_unlike_the_others_is_named_before_the_run(people, says):
    """One wrong cell puts somebody into both groups, and changes what one observation is."""
    shown = [
        (who, group)
        for who, _, own in (one.partition(":") for one in people.split())
        for group in own
    ]
    told = names.partly_in_both(pd.DataFrame(shown, columns=["seed", "race"]), ("N", "S"))
    assert len(told) == bool(says) and all(one in told[0] for one in says), told


@pytest.mark.parametrize(
    ("fairface", "utkface", "says"),
    [
        ("a", "a", []),
        ("a", "b", ["utkface = 'b'", "ochre, plum, teal", "azure, ochre, plum"]),
        ("drawn", "a", ["fairface = 'drawn'", "drawn by the Greenhouse", "another fairface"]),
    ],
)
def test_groups_that_stand_beside_others_are_named_like_these(
    tmp_path, monkeypatch, fairface, utkface, says
):
    shown = {
        str(tmp_path): ImageSet("mine", grid(), "folder"),
        "a": ImageSet("a", grid(), "fairface"),
        "b": ImageSet("b", grid(("teal", "ochre", "plum")), "fairface"),
        "drawn": ImageSet("drawn", grid(), "greenhouse"),
    }
    monkeypatch.setattr(
        "vlmbias.stimuli.images.images", lambda name, root=None: shown[root or name]
    )
    known = parameters.declared(notebooks.read(plan.source(AGE)), where=AGE)
    values = {name: one.default for name, one in known.items()}
    values |= {"stimuli": "folder", "root": str(tmp_path), "fairface": fairface, "utkface": utkface}
    said = names.own_folder_problems(AGE, known, values)
    assert len(said) == bool(says) and all(one in said[0] for one in says), said


def test_a_fault_of_the_table_is_told_once_and_beside_a_wrong_model(folder, nothing_starts):
    (folder / METADATA).write_text("\n".join([*ROWS[:3], "b/1.png,8,deep ochre,25"]))
    given = {"stimuli": "folder", "root": folder, "reference": "teal", "model": "nobody"}
    said = refused(WE_THEY, **given)
    assert said.count("deep ochre") == 1 and "unknown model 'nobody'" in said


@pytest.mark.parametrize(
    ("name", "says"),
    [("epoch_3.pt", "no checkpoint of SLIP|cannot be read"), ("mine", "cannot be read")],
)
def test_a_checkpoint_that_cannot_be_read_is_refused_before_anything_starts(
    tmp_path, nothing_starts, name, says
):
    place = shutil.copytree(paths.data() / "greenhouse/default", tmp_path / "mine")
    weights = (place / "model.safetensors").read_bytes()
    (place / "model.safetensors").write_bytes(weights[:-100])
    (tmp_path / "epoch_3.pt").write_bytes(weights[:100])
    said = refused(WE_THEY, model=tmp_path / name)
    assert "model = " in said and re.search(says, said), said


# --- who plays which part -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("races", "genders", "called"),
    [
        ("azure ochre plum", "round pointed", "azure ochre plum round pointed"),
        ("black white asian", "female male", "white asian black male female"),
        ("teal white plum", "a b", "teal white plum a b"),
    ],
)
def test_own_groups_take_the_places_in_order_and_known_ones_keep_theirs(races, genders, called):
    for source in ("folder", "greenhouse"):
        who = roles.of(ImageSet("folder", grid(races.split(), genders.split()), source), CAUSALFACE)
        assert list(who.called.values()) == called.split() and len(set(who.groups)) == 6
        assert who.outlier == f"{called.split()[2]} {called.split()[4]}"
    layout = roles.of(ImageSet("causalface", grid(), "greenhouse"), CAUSALFACE)
    assert "teal" in layout.called.values()


@pytest.mark.parametrize("name", ["Metadata.csv", "metadata.tsv", "b/metadata.csv"])
def test_a_table_of_another_name_is_not_passed_over(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("path,race\na.png,x\n")
    with pytest.raises(ValueError, match=f"{name}' is not read.*{METADATA}"):
        own_folder.read(tmp_path, ["a.png"])


def test_a_file_name_is_found_in_either_form_of_its_letters(tmp_path):
    """macOS writes é as two signs, a table as one."""
    apart, together = (unicodedata.normalize(form, "Müller.png") for form in ("NFD", "NFC"))
    for on_disk, in_table in ((apart, together), (together, apart)):
        Image.new("RGB", (2, 2)).save(tmp_path / on_disk)
        (tmp_path / METADATA).write_text(f"path,race\n{in_table},x\n", "utf-8")
        assert own_folder.read(tmp_path, [on_disk])["path"].tolist() == [on_disk]


def test_a_chapter_that_counts_people_needs_several_in_each_group():
    """The same ones, or others."""
    measure, own = CHAPTERS["greenhouse/measure"], grid()
    others = own.assign(seed=own.groupby(["race", "seed"]).ngroup())
    assert not measure.lacks(own) and not measure.lacks(others)
    (said,) = measure.lacks(own.query("race == 'azure'"))
    assert "race has 1 group" in said


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_group_of_one_person_is_refused_where_it_is_compared_and_only_there(at):
    """Wherever it comes in the table."""
    measure, races = CHAPTERS["greenhouse/measure"], ["azure", "ochre", "plum"]
    own = grid(races)
    own = own.assign(seed=own["seed"].where(own["race"] != races[at], 0))
    pairs = {(one, other): {"group": one, "other_group": other} for one, other in PAIRS}
    pairs[tuple(races[:2])] = {}
    for pair, given in pairs.items():
        said = "".join(measure.lacks(own, given))
        refused = f"race {races[at]!r} shows 1 identity" in said and "needs 2" in said
        assert refused == (races[at] in pair) and bool(said) == refused
        assert not said or ("-p group=" in said and " − ".join(pair) in said)


PAIRS = [("azure", "plum"), ("plum", "ochre")]


@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        ("", "", "azure ochre"),
        ("plum", "", "plum azure"),
        ("", "azure", "ochre azure"),
        ("ochre", "azure", "ochre azure"),
    ],
)
def test_the_two_groups_are_those_named_else_the_first_of_the_table(first, second, pair):
    assert own_folder.two_groups(grid(), first, second) == tuple(pair.split())
    assert own_folder.two_groups(grid(("azure",))) == ("azure", "azure")  # refused elsewhere


def test_a_chapter_that_takes_a_picture_for_a_person_is_given_one_of_each():
    """The same people may be in several groups; without a column seed, nobody knows."""
    own = grid().drop_duplicates(["race", "seed"])
    for name, needs in CHAPTERS.items():
        assert needs.single == (name.startswith("american_white/") and not needs.why), name
        if needs.single:
            (said,) = needs.lacks(grid().assign(identity="Ann"))
            assert "9 of 9 people" in said and "Ann has 18 in 'azure'" in said
            assert "keep one of each" in said
            assert not needs.lacks(own) and not needs.lacks(grid().drop(columns="seed"))
