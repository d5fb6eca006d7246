"""A reader's own folder: what its table may say, what each chapter needs of it, and that both are
said in one place."""

import re
import shutil
from itertools import product

import pandas as pd
import pytest
from PIL import Image

from runner import commands, notebooks, plan
from runner.commands import named
from studies import roles
from studies.causalface import variation
from vlmbias.papers import CAUSALFACE
from vlmbias.stimuli import own_folder
from vlmbias.stimuli.images import images
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.reader_folders import MARK, MARKER

CHAPTERS = own_folder.declared()
TAKE = [name for name, needs in CHAPTERS.items() if not needs.why]
ROWS = ["path,seed,race,age", "a/1.png,7,azure,20", "a/2.png,7,azure,30", "b/1.png,8,ochre,25.5"]


@pytest.fixture
def folder(tmp_path):
    """Three pictures, two of one file name, and no table yet."""
    for path in ("a/1.png", "a/2.png", "b/1.png"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 2)).save(tmp_path / path)
    return tmp_path


def say(folder, *rows, encoding="utf-8"):
    (folder / own_folder.TABLE).write_text("\n".join(rows), encoding)
    return images("folder", folder)


# --- the table ------------------------------------------------------------------------------------


def test_rows_and_pictures_stay_together_in_the_tables_order(folder):
    found = say(folder, ROWS[0], ROWS[3], ROWS[1], ROWS[2] + "\n\n", encoding="utf-8-sig")
    assert found.table.to_dict("list") == {
        "path": ["b/1.png", "a/1.png", "a/2.png"],
        "name": ["1", "1", "2"],
        "seed": [8, 7, 7],
        "race": ["ochre", "azure", "azure"],
        "age": [25.5, 20.0, 30.0],
    }
    assert [path.relative_to(folder).as_posix() for path in found.paths] == list(
        found.table["path"]
    )
    assert found.source == "folder"


def test_without_a_table_a_folder_is_what_it_was(folder):
    assert list(images("folder", folder).table) == ["path", "name"]


def test_pictures_may_be_named_and_identities_too(folder):
    (folder / "b/1.png").rename(folder / "b/3.png")
    found = say(folder, "name,seed,worn", "1,Ann,hat", "2.png,Ben,cap", "3,Ann,none").table
    assert found["path"].tolist() == ["a/1.png", "a/2.png", "b/3.png"]
    assert found["seed"].tolist() == [0, 1, 0] and found["identity"].tolist() == [
        "Ann",
        "Ben",
        "Ann",
    ]
    assert found["worn"].tolist() == ["hat", "cap", "none"]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([ROWS[0]], "has no rows; the first line names the columns"),
        ([*ROWS, ROWS[1]], "more than one row for 'a/1.png'; a picture has one row"),
        (ROWS[:3], "no row for the picture 'b/1.png'; add its row, or take it out"),
        (
            [*ROWS, "c.png,1,plum,3"],
            "no picture for 'c.png'; write the path as it is in the folder",
        ),
        ([*ROWS[:3], "b/1.png,8,,25"], "row 4: race is empty; every cell has a value"),
        (
            [*ROWS[:3], "b/1.png,8,ochre"],
            "row 4: has 3 cells for 4 columns; separate cells by commas",
        ),
        ([row.replace(",", ";") for row in ROWS], "exactly one of path and name"),
        ([*ROWS[:3], "b/1.png,8,ochre,old"], "row 4: age = 'old': must be a number"),
        ([*ROWS[:3], "b/1.png,8,ochre,nan"], "row 4: age = 'nan': must be a number"),
        ([*ROWS[:3], "b/1.png,8,ochre,1_0"], "row 4: age = '1_0': must be a number"),
        (
            [*ROWS[:3], "b/1.png,8,dark ochre,2"],
            "race = 'dark ochre': a group is one word without blanks; write 'dark_och",
        ),
        ([ROWS[0].replace("age", "race"), *ROWS[1:]], "the column 'race' is there twice"),
        (
            [ROWS[0].replace("age", "delta"), *ROWS[1:]],
            "the column 'delta' has a name that the measures use; rename it",
        ),
        (
            [ROWS[0].replace("age", "subset"), *ROWS[1:]],
            "subset = '20': must be one of prototype, age, smiling, lighting",
        ),
        (
            [ROWS[0].replace("path", "name"), *(row.partition("/")[2] for row in ROWS[1:])],
            "'1.png', '1.png' could be",
        ),
        (
            ["path,name", "a/1.png,1", "a/2.png,2", "b/1.png,1"],
            "has the columns path, name; exactly one of path and name",
        ),
        ([*ROWS[:3], '"b/1.png,8,ochre,2'], "is no table: "),
    ],
)
def test_a_broken_table_is_one_error_that_names_value_rule_and_fix(folder, rows, says):
    with pytest.raises(ValueError, match=re.escape(says)) as error:
        say(folder, *rows)
    assert str(error.value).startswith(own_folder.TABLE) and "\n" not in str(error.value)


def test_a_table_that_is_no_text_is_refused(folder):
    (folder / own_folder.TABLE).write_bytes(b"\xff\xfe\x00path")
    with pytest.raises(ValueError, match="save it as comma-separated text in UTF-8"):
        images("folder", folder)
    (folder / own_folder.TABLE).unlink()
    (folder / own_folder.TABLE).mkdir()
    with pytest.raises(ValueError, match=r"metadata.csv: cannot be read \(not a regular file"):
        images("folder", folder)


def test_an_export_stays_drawn_with_its_marker_or_with_the_marks_inside(folder):
    assert say(folder, *ROWS).source == "folder"
    (folder / "a/2.png").write_bytes(MARK)
    assert say(folder, *ROWS).source == "greenhouse"
    Image.new("RGB", (2, 2)).save(folder / "a/2.png")
    assert say(folder, *ROWS).source == "folder"
    (folder / MARKER).write_text('{"names": {}, "images": 3}')
    assert say(folder, *ROWS).source == "greenhouse"


# --- what chapters need ---------------------------------------------------------------------------


def grid(races=("azure", "ochre", "plum"), genders=("round", "pointed"), seeds=3):
    """A whole set of series, as a table: per person a prototype, and two more levels of each of
    four attributes."""
    rows = []
    for seed, race, gender in product(range(seeds), races, genders):
        person = {"seed": seed, "race": race, "gender": gender}
        plain = {"age": 2.0, "smiling": 0.0, "lighting": 1.0, "pose": 0.0}
        rows.append(person | plain | {"subset": "prototype"})
        rows += [
            person | plain | {name: plain[name] + step, "subset": name}
            for name in plain
            for step in (1, -1)
        ]
    return pd.DataFrame(rows).assign(path=lambda table: table.index.astype(str))


@pytest.mark.parametrize("name", TAKE)
def test_a_whole_set_of_series_will_do_for_every_chapter_that_takes_a_folder(name):
    assert not CHAPTERS[name].lacks(grid())


def test_every_page_has_a_sentence_that_names_what_is_checked():
    for name, needs in CHAPTERS.items():
        said = needs.sentence()
        assert said.endswith(f"{needs.why}." if needs.why else "What is needed:"), name
        assert bool(needs.why) != bool(needs.rules()), name
        assert all(f"`{column}`" in said for column in needs.columns) and (
            needs.why or "-p stimuli folder" in said
        )
    assert CHAPTERS["causalface/neutral_prompt"].rules()[2] == "everybody once as prototype"
    assert (
        CHAPTERS["causalface/smiling"]
        .rules()[2]
        .endswith("the same levels of smiling, lighting and pose")
    )


@pytest.mark.parametrize("name", TAKE)
def test_a_column_that_a_chapter_declares_is_missed(name):
    for column in CHAPTERS[name].columns:
        (said,) = CHAPTERS[name].lacks(grid().drop(columns=column))
        assert said.startswith(f"metadata.csv has no column {column}, ")


def changed(**cells):
    """The grid, with some cells of its first picture that varies age changed."""
    table = grid()
    for column, value in cells.items():
        table.loc[1, column] = value
    return table


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (
            grid(races=("azure", "ochre")),
            "race has 2 groups (azure, ochre); the chapter compares 3 groups",
        ),
        (
            grid(seeds=2),
            "seed has 2 different values; the chapter resamples identities, at least 3",
        ),
        (grid().drop(index=9), "identity 0, azure pointed has no prototype: 17 of 18 are there"),
        (changed(subset="prototype"), "identity 0, azure round has 2 prototypes; mark one"),
        (changed(smiling=2.0), "'1' is of subset age and differs from its prototype in more"),
        (changed(age=9.0), "has 3 levels of age"),
        (
            grid().drop(index=1),
            "identity 0, azure round has 2 levels of age, identity 0, azure pointed has 3",
        ),
        (grid().query("subset != 'pose'"), "has 1 levels of pose"),
        (
            grid().assign(pose=lambda table: table["pose"] + 1),
            "azure round is a prototype, so its pose has to be 0",
        ),
    ],
)
def test_what_a_set_of_series_lacks_is_said(table, says):
    (said,) = CHAPTERS["causalface/stimuli"].lacks(table)
    assert says in said


def smiles(*levels, ages=(1.0, 2.0, 3.0)):
    """A whole set of series with other levels of smiling (the first is neutral) and of age."""
    rows = []
    for seed, race, gender in product(range(3), ("azure", "ochre"), ("round", "pointed")):
        plain = {
            "seed": seed,
            "race": race,
            "gender": gender,
            "age": ages[1],
            "smiling": 0.0,
            "lighting": 1.0,
            "pose": 0.0,
            "subset": "prototype",
        }
        rows += [plain, *(plain | {"smiling": level, "subset": "smiling"} for level in levels[1:])]
        rows += [plain | {"age": age, "subset": "age"} for age in (ages[0], *ages[2:])]
        rows += [
            plain | {name: plain[name] + by, "subset": name}
            for name in ("lighting", "pose")
            for by in (1, -1)
        ]
    return pd.DataFrame(rows).assign(path=lambda table: table.index.astype(str))


@pytest.mark.parametrize(
    ("table", "gap", "says"),
    [
        (
            smiles(0, 1, 2, 3),
            1.1,
            (
                "smiling by more than min_gap = 1.1; the levels are 0, 1, 2, 3, and in the inner"
                " half of their range they differ by 1 at most: give a min_gap that is less, as `-p"
                " min_gap 0.5`"
            ),
        ),
        (smiles(0, 1, 2, 3), 0.5, ""),
        (smiles(0, 2, 4, 6), 1.1, ""),
        (smiles(0, 0.25, 0.5, 0.75, 1), 1.1, "give a min_gap that is less, as `-p min_gap 0.25`"),
        (smiles(0, 0.25, 0.5, 0.75, 1), 0.1, ""),
        (
            smiles(0, 0.5, 1),
            0.1,
            (
                "it needs two levels in the inner half of their range, as of five that are evenly"
                " spaced"
            ),
        ),
        (
            smiles(0, 2, 4, 6, ages=(0, 0.5, 1)),
            1.1,
            (
                "age by more than min_gap = 1.1; the levels are 0, 0.5, 1, and they "
                "differ by 1 at most"
            ),
        ),
    ],
)
def test_levels_closer_than_a_pair_may_be_are_named_with_the_parameter(table, gap, says):
    said = CHAPTERS["causalface/variation"].lacks(table, {"min_gap": gap})
    assert len(said) == bool(says) and says in "".join(said)
    try:  # the oracle: what the chapter then draws
        for choice in ({}, {"smiles": variation.inner_half(table["smiling"])}):
            variation.pairs(
                table, n=5, seed=0, min_gap=gap, attributes=["age", "smiling"], **choice
            )
        assert not said
    except ValueError:
        assert said


@pytest.mark.parametrize("name", ["causalface/neutral_prompt", "causalface/text_geometry"])
def test_prototypes_of_everybody_are_asked_for_where_only_these_are_used(name):
    alone = grid().query("subset == 'prototype'")
    assert not CHAPTERS[name].lacks(alone)
    (said,) = CHAPTERS[name].lacks(alone.iloc[1:])
    assert "identity 0, azure round has no prototype: 17 of 18 are there" in said


def test_a_group_with_too_few_pictures_is_named():
    people = pd.DataFrame({"race": ["azure", "azure", "ochre"]})
    assert CHAPTERS["american_white/we_they"].lacks(people) == [
        "race 'ochre' has 1 pictures; the chapter needs 2 of each group"
    ]


def test_declarations_are_of_every_page_and_its_parameters():
    assert set(CHAPTERS) == set(plan.notebooks()), (
        "every notebook has an entry in data/own_images.yaml: what it needs of a reader's pictures"
    )
    for name, needs in CHAPTERS.items():
        known = notebooks.parameters(notebooks.read(plan.source(name)), where=name)
        if not needs.why:
            assert known["stimuli"].kind == "image set" and known["root"].kind == "folder", name
        assert all(known[other].kind == "image set" for other in needs.beside), name


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"why": "x", "columns": ["race"]},
        {"columns": ["hue"]},
        {"columns": ["race"], "groups": {"gender": [2, 2]}},
        {"columns": ["race", "age"], "series": ["age"]},
        {"columns": ["race"], "more": 1},
    ],
)
def test_a_declaration_that_contradicts_itself_is_refused(entry):
    with pytest.raises(ValueError, match="validation error"):
        own_folder.Needs.model_validate(entry)


# --- before a run ---------------------------------------------------------------------------------


def refused(name, **given):
    """The error of a rerun on a folder, before anything starts."""
    with pytest.raises(SystemExit) as error:
        commands.main(
            ["run", name, *(word for pair in given.items() for word in ("-p", *map(str, pair)))]
        )
    return str(error.value)


@pytest.fixture
def nothing_starts(monkeypatch):
    for step in ("runner.execute.run", "runner.plan.hashes"):
        monkeypatch.setattr(step, lambda *_, **__: pytest.fail("it started"))


def test_a_rerun_is_refused_before_it_starts_with_what_is_missing(folder, nothing_starts):
    assert "root = '': stimuli = 'folder' needs the folder" in refused(
        "american_white/we_they", stimuli="folder"
    )
    said = refused("american_white/we_they", stimuli="folder", root=folder)
    assert said.splitlines()[1:] == [
        "  stimuli = 'folder': metadata.csv has no column race, the group, in your words: one word"
        " without blanks"
    ]
    say(folder, *ROWS)
    assert "race 'ochre' has 1 pictures" in refused(
        "american_white/we_they", stimuli="folder", root=folder
    )
    assert "metadata.csv has no column gender" in refused(
        "causalface/age", stimuli="folder", root=folder
    )
    assert "fairface = 'folder': your own folder goes into stimuli" in refused(
        "causalface/age", fairface="folder"
    )
    (folder / own_folder.TABLE).write_text("\n".join(ROWS[:3]))
    assert "no row for the picture 'b/1.png'" in refused(
        "american_white/we_they", stimuli="folder", root=folder
    )


def test_levels_too_close_are_said_before_anything_starts(folder, nothing_starts):
    table = smiles(0, 1, 2, 3).assign(path=lambda table: table["path"] + ".png")
    for path in ("a", "b"):
        shutil.rmtree(folder / path)
    for path in table["path"]:
        Image.new("RGB", (2, 2)).save(folder / path)
    table.to_csv(folder / own_folder.TABLE, index=False)
    said = refused("causalface/variation", stimuli="folder", root=folder)
    assert (
        "stimuli = 'folder': the chapter draws pairs that differ in smiling by more than min_gap"
        " = 1.1" in said
    )
    with pytest.raises(pytest.fail.Exception, match="it started"):
        refused("causalface/variation", stimuli="folder", root=folder, min_gap=0.5)


def test_a_folder_that_nothing_reads_is_said_before_anything_starts(folder, nothing_starts):
    said = refused("american_white/we_they", root=folder)
    assert said.splitlines()[1:] == [
        f"  root = {str(folder)!r}: stimuli = 'greenhouse/cfd' is drawn and reads no folder; for"
        " pictures of your own add `-p stimuli folder`, for one of the data sets its name"
    ]


@pytest.mark.parametrize("name", [name for name in CHAPTERS if CHAPTERS[name].why])
def test_a_page_that_takes_none_says_why(name, folder, nothing_starts):
    said = refused(name, stimuli="folder", root=folder)
    assert (
        f"takes no folder of your own: {CHAPTERS[name].why}" in said and len(said.splitlines()) == 2
    )


def test_groups_that_stand_beside_others_are_named_like_these(monkeypatch):
    shown = {
        name: ImageSet(name, table, source)
        for name, table, source in (
            ("mine", grid(), "folder"),
            ("a", grid(), "fairface"),
            ("b", grid(races=("teal", "ochre", "plum")), "fairface"),
            ("drawn", grid(), "greenhouse"),
        )
    }
    monkeypatch.setattr(
        "vlmbias.stimuli.images.images", lambda name, root=None: shown[root or name]
    )
    known = notebooks.parameters(notebooks.read(plan.source("causalface/age")), where="age")
    values = {name: one.default for name, one in known.items()} | {
        "stimuli": "folder",
        "root": "mine",
    }
    alike = named._own_folder("causalface/age", known, values | {"fairface": "a", "utkface": "a"})
    (unlike,) = named._own_folder(
        "causalface/age", known, values | {"fairface": "a", "utkface": "b"}
    )
    (drawn,) = named._own_folder(
        "causalface/age", known, values | {"fairface": "drawn", "utkface": "a"}
    )
    assert (
        "beside fairface = 'drawn', and one of the two is drawn by the Greenhouse: choose another"
        " fairface" in drawn
    )
    assert (
        not alike
        and "beside utkface = 'b', whose groups are ochre, plum, teal and pointed, round" in unlike
    )


def test_a_group_to_compare_with_is_one_of_the_pictures(folder):
    say(folder, *ROWS)
    said = refused("american_white/we_they", stimuli="folder", root=folder, reference="teal")
    assert "reference = 'teal': must be one of the groups of the pictures: azure, ochre" in said
    assert "teal, " in refused("american_white/we_they", reference="azure")


# --- who plays which part -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("races", "genders", "called"),
    [
        (
            ("azure", "ochre", "plum"),
            ("round", "pointed"),
            ["azure", "ochre", "plum", "round", "pointed"],
        ),
        (
            ("black", "white", "asian"),
            ("female", "male"),
            ["white", "asian", "black", "male", "female"],
        ),
        (
            ("amber", "teal", "violet"),
            ("eared", "budded"),
            ["teal", "violet", "amber", "eared", "budded"],
        ),
        (("teal", "white", "plum"), ("a", "b"), ["teal", "white", "plum", "a", "b"]),
    ],
)
def test_own_groups_take_the_places_in_order_and_known_ones_keep_theirs(races, genders, called):
    for source in ("folder", "greenhouse"):
        faces = ImageSet("folder", grid(races, genders), source)
        who = roles.of(faces, CAUSALFACE)
        assert list(who.called.values()) == called and len(set(who.groups)) == 6
        assert who.outlier == f"{called[2]} {called[4]}"
    assert (
        "teal" in roles.of(ImageSet("causalface", grid(), "greenhouse"), CAUSALFACE).called.values()
    )
