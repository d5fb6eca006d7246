"""The sides of the 26 tests from made files in the released layouts: who stands on which side, and
how often."""

import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from vlmbias import sources
from vlmbias.battery import listed, seat, sets
from vlmbias.battery.tests import ROWS


def sentences(path, number, files):
    """A file of sentences whose sides are called after their place in it: the first targets, the
    second …"""
    sides = {
        role: {
            "category": f"{role} of {path.stem}",
            "examples": [f"This is the word {files}{role}{number}{k}." for k in range(3 + place)],
        }
        for place, role in enumerate(seat.ROLES)
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(sides))


def picture(path, shade):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 8), (shade % 256, shade // 256, 99)).save(path)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """SEAT's and NRC-VAD's files, 60 rated pictures, and iEAT's photographs in the two copies of
    Ghate et al."""
    root, shade = tmp_path_factory.mktemp("data"), 0
    for number, row in enumerate(ROWS):
        for files in ("seat", "nrc"):
            sentences(root / f"stimuli/data/tests_{files}/{row.sentences}.jsonl", number, files)
    valence = np.random.default_rng(3).permutation(60) / 10 + 1
    table = pd.DataFrame(
        {"Theme": [f"T {k}" for k in range(60)], "Category": "Scene", "Valence_mean": valence}
    )
    for theme in table["Theme"]:
        picture(root / f"oasis/Images/{theme}.jpg", shade := shade + 1)
    table.to_csv(root / "oasis/OASIS.csv", index=False)
    folders = {
        (row.pictures[0], side): 2 + k
        for row in ROWS
        if row.pictures[0]
        for k, side in enumerate(row.pictures[1:])
    }
    for (test, side), n in {
        **folders,
        ("valence", "pleasant"): 4,
        ("valence", "unpleasant"): 5,
    }.items():
        for k in range(n):
            for variant in ("experiments_old", "experiments_oasis"):
                picture(root / f"ieat/{variant}/{test}/{side}/{k}.png", shade := shade + 1)
    return root


pytestmark = pytest.mark.filterwarnings("ignore:oasis in .* of the 900 images expected")


@pytest.fixture
def battery(data, monkeypatch):
    monkeypatch.setenv("VLMBIAS_DATA", str(data))
    monkeypatch.delenv("VLMBIAS_MIRROR", raising=False)
    monkeypatch.setattr(sources, "path", lambda key, file: data / "stimuli" / file)
    monkeypatch.setattr(sources, "available", lambda key: False)

    def of(name):
        with pytest.warns(UserWarning, match="folders that lack pictures"):
            return sets.of(name)

    return of


@pytest.mark.parametrize("name", ["seat-ieat", "nrc-oasis"])
def test_each_study_has_its_own_sentences_and_each_picture_once(battery, name):
    """Files list men first; the documented direction of the test is that women are nearer to
    pleasant. A picture that stands in two copies of the folders is taken once."""
    found, files = battery(name), {"seat-ieat": "seat", "nrc-oasis": "nrc"}[name]
    own = {row.pictures[0]: row for row in reversed(ROWS)}  # the first that has the pictures

    def sides(places, key):
        return [set(one.table[key]) for one in places]

    assert found.left_out == {test: sets.NOT_RELEASED for test in found.left_out}
    assert len(found.left_out) == 2
    for test in listed().itertuples():
        if test.test in found.left_out:
            continue
        X, Y, A, B = found.sides[test.test]
        if test.kind == "text":
            order = (2, 1) if test.category == "gender" else (1, 2)
            wanted = [{f"targ{k} of {test.source}"} for k in order]
            assert sides((X, Y), "dimension") == wanted
            assert [len(X), len(Y)] == [2 + k for k in order]
            assert all(X.table["word"].str.startswith(files))
        else:
            assert sides((X, Y), "category") == [{one} for one in own[test.source].pictures[1:]]
            assert (len(X), len(Y)) == (2, 3) and set(X.table["variant"]) == {"experiments_old"}
        if test.against == "text":
            source = test.source if test.kind == "text" else own[test.source].sentences
            assert sides((A, B), "dimension") == [{f"attr{k} of {source}"} for k in (1, 2)]
            assert (len(A), len(B)) == (5, 6) and all(A.table["word"].str.startswith(files))


def test_pleasant_pictures_are_those_that_were_rated_highest(battery, data):
    ratings = pd.read_csv(data / "oasis/OASIS.csv").sort_values("Valence_mean")["Theme"].tolist()
    for order in ("race/all-image", "race/text-target/names"):
        *_, A, B = battery("nrc-oasis").sides[order]
        assert set(A.table["theme"]) == set(ratings[-25:]) and set(B.table["theme"]) == set(
            ratings[:25]
        )
        assert A.table["valence"].min() > B.table["valence"].max() and len(A) == len(B) == 25


def test_earlier_attributes_are_their_own_pictures_and_pleasant_ones_first(battery):
    *_, A, B = battery("seat-ieat").sides["age/all-image"]
    assert [set(one.table["category"]) for one in (A, B)] == [{"pleasant"}, {"unpleasant"}]
    assert (len(A), len(B)) == (4, 5)


def test_the_greenhouse_has_counterparts_of_every_test():
    found = sets.of("greenhouse")
    assert len(found.sides) == len(listed()) == 26 and not found.left_out
    for row in listed().itertuples():
        X, Y, A, B = found.sides[row.test]
        if row.against == "image":
            assert [set(one.table["category"]) for one in (A, B)] == [{"pleasant"}, {"unpleasant"}]
            assert len(A) == len(B) == 25
        else:
            kinds = [set(one.table["dimension"]) for one in (A, B)]
            assert kinds == [{"pleasant"}, {"unpleasant"}]
        if row.kind == "image":
            assert len(X) == len(Y) > 20
        if row.kind == "image" and row.category in ("race", "gender"):
            first, second = (set(one.table[row.category]) for one in (X, Y))
            assert len(first) == len(second) == 1 and first != second
