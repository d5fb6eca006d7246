"""Sentences, rated pictures and words, and the folders of picture tests: read as they are, or one
clear error."""

import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

import vlmbias as vb
from vlmbias.battery import seat
from vlmbias.stimuli import ieat, nrc_vad, oasis

TEST = {
    "targ1": {"category": "Flowers", "examples": ["This is an aster.", "Asters are things."]},
    "targ2": {"category": "Insects", "examples": ["This is an ant."]},
    "attr1": {
        "category": "Pleasant",
        "examples": ["Those are the word very happy.", "This is joy."],
    },
    "attr2": {"category": "Unpleasant", "examples": ["Here is the word hell"]},
}


def written(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


# --- sentences ------------------------------------------------------------------------------------


def test_a_test_file_becomes_prompts_with_roles(tmp_path):
    prompts = seat.read(written(tmp_path / "sent-weat1.jsonl", TEST))
    rows = prompts.table[["role", "dimension", "word", "template", "text"]].values.tolist()
    assert rows == [
        ["X", "Flowers", "This is an aster.", "{}", "This is an aster."],
        ["X", "Flowers", "Asters are things.", "{}", "Asters are things."],
        ["Y", "Insects", "This is an ant.", "{}", "This is an ant."],
        ["A", "Pleasant", "very happy", "Those are the word {}.", "Those are the word very happy."],
        ["A", "Pleasant", "This is joy.", "{}", "This is joy."],
        ["B", "Unpleasant", "hell", "Here is the word {}", "Here is the word hell"],
    ]
    assert prompts.name == "sent-weat1" and not prompts.table["neutral"].any()
    assert prompts.source == "SEAT"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"targ2": {"category": "Y", "examples": ["one", 2]}}, "targ2.examples.1"),
        ({"targ2": {"category": "Y", "examples": ["one", "one"]}}, "'one' is listed twice"),
    ],
)
def test_what_is_wrong_with_a_test_file_is_named(tmp_path, change, what):
    path = written(tmp_path / "t.jsonl", {**TEST, **change})
    with pytest.raises(ValueError, match=re.escape(what)) as raised:
        seat.read(path)
    assert str(path) in str(raised.value)


def test_combinations_are_words_in_the_six_sentences(tmp_path):
    frames = [
        f"{start} the word"
        for start in ("This is", "That is", "There is", "Here is", "They are", "Those are")
    ]
    sides = {"pleasant_combinations": ["joy", "very good"], "unpleasant_combinations": ["hell"]}
    plain = {
        side: [f"{frame} {word}." for frame in frames for word in own]
        for side, own in sides.items()
    }
    table = seat.combinations(written(tmp_path / "c.json", plain)).table
    assert table.groupby("dimension", sort=False)["word"].unique().map(list).to_dict() == {
        "pleasant": ["joy", "very good"],
        "unpleasant": ["hell"],
    }
    assert table["template"].unique().tolist() == [f"{frame} {{}}." for frame in frames]
    assert len(table) == 18
    plain["pleasant_combinations"].append("This are the word joy.")
    with pytest.raises(ValueError, match=r"'This are the word joy\.' is not a word"):
        seat.combinations(written(tmp_path / "d.json", plain))


# --- rated pictures -------------------------------------------------------------------------------


def rated(folder, rows, pictures=None, header="Theme,Category,Valence_mean"):
    (folder / "Images").mkdir(parents=True)
    (folder / oasis.RATINGS).write_text(
        "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
    )
    for name in [row[0] for row in rows] if pictures is None else pictures:
        Image.new("RGB", (8, 6), "green").save(folder / f"Images/{name}.jpg")
    return folder


def test_rated_pictures_in_the_order_of_the_table(tmp_path):
    root = rated(
        tmp_path / "oasis",
        [("Dog 6", "Animal", 6.5), ("War 1", "Scene", 1.2), ("Lake 9", "Scene", 6.4)],
        pictures=["dog 6", "Lake 9", "Cat 1"],
    )
    with pytest.warns(UserWarning, match="2 of the 900 images expected"):
        images = vb.images("oasis", root=root)
    assert images.table[["theme", "kind", "valence", "file"]].values.tolist() == [
        ["Dog 6", "Animal", 6.5, "Images/dog 6.jpg"],
        ["Lake 9", "Scene", 6.4, "Images/Lake 9.jpg"],
    ]
    assert images.report.findings == {
        "missing pictures": ("War 1",),
        "pictures without a rating": ("Images/Cat 1.jpg",),
    }
    assert images.decode(0).size == (8, 6) and images.source == "oasis"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("Theme,Category,Valence_mean\nDog 1,A,7.5\n", "line 2 is '7.5'.* from 1 to 7"),
        ("Theme,Category,Valence_mean\nDog 1,A,3\ndog 1,A,4\n", "dog 1 stands twice.* line 3"),
        ("Theme,Category,Valence_mean\n ,A,4\n", "Theme in line 2"),
    ],
)
def test_what_is_wrong_with_the_ratings_is_named(tmp_path, content, what):
    (tmp_path / oasis.RATINGS).write_text(content)
    with pytest.raises(ValueError, match=what) as raised:
        oasis.read(tmp_path)
    assert oasis.RATINGS in str(raised.value)


# --- rated words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Word\tValence\tArousal\tDominance\nlove\t1.000\t0.5\t0.6\nnull\t0.25\t0.5\t0.5\n",
            [1.0, 0.25],
        ),
        ("term\tvalence\tarousal\tdominance\nlove\t1\t0\t0\nnull\t-0.5\t0\t0\n", [1.0, 0.25]),
    ],
)
def test_both_editions_of_the_lexicon_are_put_on_one_scale(tmp_path, text, expected):
    written(tmp_path / "NRC-VAD-Lexicon.txt", text)
    table, report = nrc_vad.read(tmp_path)
    assert table["word"].tolist() == ["love", "null"] and table["valence"].tolist() == expected
    assert "2 of the 20,000 words expected" in str(report)


PACKAGE = {  # version 1, as of August 2022
    "NRC-VAD-Lexicon/NRC-VAD-Lexicon-ForVariousLanguages.txt": (
        "English Word\tArabic\tValence\nlove\tحب\t1\n"
    ),
    "NRC-VAD-Lexicon/BipolarScale/NRC-VAD-Lexicon.txt": "love\t1\t0\t0\nhate\t-1\t0\t0\n",
    "NRC-VAD-Lexicon/OneFilePerDimension/NRC-VAD-Lexicon-valence.txt": "love\t1\n",
    "NRC-VAD-Lexicon/OneFilePerLanguage/NRC-VAD-Lexicon-German.txt": "Liebe\t1\t0\t0\n",
    "NRC-VAD-Lexicon/NRC-VAD-Lexicon.txt": (
        "aaaaaaah\t0.479\t0.606\t0.291\nlove\t1.000\t0.519\t0.673\n"
    ),
}


def test_the_lexicon_is_found_among_what_its_package_holds(tmp_path):
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
    table, _ = nrc_vad.read(tmp_path)
    assert table.to_dict("list") == {"word": ["aaaaaaah", "love"], "valence": [0.479, 1.0]}
    (tmp_path / "NRC-VAD-Lexicon/NRC-VAD-Lexicon.txt").unlink()
    with pytest.raises(FileNotFoundError, match="no lexicon in"):
        nrc_vad.read(tmp_path)


def test_a_lexicon_of_about_20000_words_is_whole_and_one_of_half_of_them_is_not(tmp_path):
    """The paper's 20,000 is rounded; later packages lack some words of the first one's 20,007."""
    for n, whole in ((20_007, True), (19_971, True), (10_000, False)):
        written(
            tmp_path / "NRC-VAD-Lexicon.txt",
            "".join(f"w{number}\t0.5\t0.5\t0.5\n" for number in range(n)),
        )
        assert nrc_vad.read(tmp_path)[1].clean == whole, n


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("love\t1\n", "is no lexicon"),
        ("Word\tValence\nlove\t1.2\n", "line 2 is '1.2'.* to 1"),
        ("Word\tValence\nlove\t1\nlove\t0.5\n", "love stands twice.* line 3"),
        ("Word\tValence\n\t1\n", "word in line 2"),
    ],
)
def test_what_is_wrong_with_a_lexicon_is_named(tmp_path, text, what):
    path = written(tmp_path / "NRC-VAD-Lexicon.txt", text)
    with pytest.raises(ValueError, match=what) as raised:
        nrc_vad.read(tmp_path)
    assert str(path) in str(raised.value)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    content=st.binary(max_size=200)
    | st.text(alphabet='WordTheme,Valence_mean\t\n0.5-1"', max_size=200).map(str.encode),
    header=st.sampled_from([b"", b"Word\tValence\n", b"Theme,Category,Valence_mean\n"]),
)
def test_any_bytes_are_ratings_or_one_error(tmp_path, content, header):
    for name, reader in ((oasis.RATINGS, oasis.read), ("NRC-VAD-Lexicon.txt", nrc_vad.read)):
        (tmp_path / name).write_bytes(header + content)
        try:
            table, _ = reader(tmp_path)
            assert np.isfinite(table["valence"]).all()
        except ValueError as problem:
            assert name in str(problem)


# --- picture tests --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "root", "variant"),
    [
        ("data/experiments", "", "experiments"),
        ("data/experiments", "data/experiments", "experiments"),
        ("mine", "mine", ""),
    ],
)
def test_a_folder_per_test_and_category(tmp_path, above, root, variant):
    for (test, category), n in ieat.SIZES.items():
        (folder := tmp_path / above / test / category).mkdir(parents=True)
        for number in range(n):
            (folder / f"{category}{number}.jpg").touch()
    (tmp_path / above / "README.md").touch()
    images = vb.images("ieat", root=tmp_path / root)
    assert len(images) == 284 and images.report.clean and set(images.table["variant"]) == {variant}
    assert images.table.groupby(["test", "category"]).size().to_dict() == ieat.SIZES
    young = vb.images("ieat", root=tmp_path / root, test="age", category="young")
    assert young.table["name"].tolist() == [f"young{number}" for number in range(6)]


def test_what_the_tests_lack_is_listed_and_other_attributes_do_not_count(tmp_path):
    for variant, n in (("experiments_oasis", 55), ("experiments_old", 54)):
        (folder := tmp_path / f"{variant}/valence/pleasant").mkdir(parents=True)
        for number in range(n):
            (folder / f"{number}.webp").touch()
    table, report = ieat.read(tmp_path)
    lacks = report.findings["folders that lack pictures"]
    assert "valence/pleasant: 54 of 55" in lacks and "age/old: 0 of 6" in lacks
    assert len(lacks) == len(ieat.SIZES)
    assert table.groupby("variant").size().to_dict() == {
        "experiments_oasis": 55,
        "experiments_old": 54,
    }
