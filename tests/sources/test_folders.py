"""Folders that a reader supplies, as sources: usable or not, in words and as an exit status."""

import gzip
import re
from dataclasses import replace

import pytest

from runner import commands
from vlmbias import sources
from vlmbias.sources import folders
from vlmbias.stimuli import causalface_cosines
from vlmbias.stimuli.reader_folders import SUPPLIED

ASKED = {
    "open": False,
    "purpose": "faces.",
    "licence": "Research only.",
    "citation": "Them.",
    "obtain": "Fill in the form, and put it below VLMBIAS_DATA.",
}


@pytest.fixture
def data(tmp_path, monkeypatch, catalogue):
    catalogue(**dict.fromkeys(folders.PLACES, ASKED))
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path / "own"))
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


def photos(folder, *names):
    (folder / "UTKFace").mkdir(exist_ok=True)
    for name in names:
        (folder / "UTKFace" / name).write_text("x")


def status_of(*words):
    with pytest.raises(SystemExit) as ended:
        commands.main(["sources", "--check", *map(str, words)])
    return ended.value.code


def test_a_folder_becomes_available_and_its_fingerprint_follows_names_and_sizes(data):
    missing = sources.state("utkface")
    assert not missing["available"] and "Fill in the form" in missing["note"]
    assert not sources.available("utkface")
    photos(data, "30_0_0_1.jpg", "31_1_2_2.jpg")
    first = sources.state("utkface")
    assert first["available"] and first["note"] == "" and sources.state("utkface") == first
    photos(data, "32_1_1_3.jpg")
    second = sources.state("utkface")
    (data / "UTKFace/30_0_0_1.jpg").write_text("longer")
    third = sources.state("utkface")
    assert len({missing["hash"], first["hash"], second["hash"], third["hash"]}) == 4
    assert sources.status().loc["utkface", "at hand"] == "3 of 14,630"
    assert sources.status().loc["fairface", "at hand"] == "by hand"


def test_a_folder_with_nothing_to_run_on_is_not_available(data):
    photos(data, "3_0_0_1.jpg", "thumbs.db")  # a child, and no photo
    assert not sources.state("utkface")["available"]
    (data / "fairface").mkdir()
    assert not sources.state("fairface")["available"]


def test_check_says_what_there_is_and_ends_with_0_if_it_is_usable(data, capsys, tmp_path):
    photos(data, "30_0_0_1.jpg", "30_0_1.jpg")
    assert status_of("utkface") == 0
    said = capsys.readouterr().out
    assert "1 of the 14,630 images" in said and "do not parse: 1 (30_0_1.jpg)" in said
    assert said.endswith("usable, not whole: no verdicts (1 of 14,630)\n")
    photos(tmp_path / "own", "x")
    assert status_of("utkface", data / "UTKFace") == 0
    (tmp_path / "empty").mkdir()
    assert status_of("causalface", tmp_path / "empty") == 1
    assert "0 of the 18,000 images expected\nnot usable" in capsys.readouterr().out
    assert "no folder of 'fairface': looked for" in status_of("fairface")
    assert "'census' is not supplied as a folder; there are causalface, fairface" in status_of(
        "census", data
    )


def test_what_a_set_lacks_is_said_in_numbers_and_recorded(data, monkeypatch, capsys):
    monkeypatch.setitem(SUPPLIED, "utkface", replace(SUPPLIED["utkface"], expected=2))
    photos(data, "30_0_0_1.jpg")
    state = sources.state("utkface")
    assert state["available"] and not state["whole"] and not state["drawn"]
    assert state["lacks"] == "1 of 2"
    photos(data, "31_0_0_2.jpg")
    assert sources.state("utkface")["whole"] and sources.state("utkface")["lacks"] == ""
    assert status_of("utkface") == 0 and capsys.readouterr().out.endswith("usable\n")
    photos(data, "secret.jpg", "30_0_1.jpg")
    state = sources.state("utkface")  # which names no file of a reader's
    assert state["lacks"] == "names that do not parse: 2" and not state["whole"]
    assert not sources.state("fairface")["whole"]  # not there at all


TABLE = "img_path,race,cossim_<blank>,cossim_warm\n" + "".join(
    f"{n}.png,white,.2,-.3\n" for n in range(8)
)


@pytest.fixture
def cosines(data):
    """Eighteen tables, each with eight images."""
    place = data / "results/clip_vit_b_32"
    place.mkdir(parents=True)
    for names in causalface_cosines.TABLES.values():
        for name in names:
            (place / name).write_text(TABLE)
    return place


def test_released_cosines_are_eighteen_tables(cosines, data, capsys):
    name = "causalface_age_cossim_scm_t2.csv"
    assert len(list(cosines.glob("*_cossim_*_t2.csv"))) == 18
    for where in (cosines, cosines.parent, data):
        assert folders.check("causalface-cosines", where).clean
    (cosines / name).unlink()
    assert status_of("causalface-cosines") == 0
    said = capsys.readouterr().out
    assert f"17 of the 18 tables expected\n- missing tables: 1 ({name})" in said


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


DAMAGED = [
    (POINTER, "no header with img_path"),
    (b"", "No columns"),
    (gzip.compress(TABLE.encode(), mtime=0), "decode"),
    (TABLE.encode()[:41], "no rows"),
    (TABLE[: TABLE.index("3.png")].encode(), "its tables have 3 and 8 rows"),
    (TABLE.replace(".2,", ",").encode(), "no cosine"),
    (TABLE.replace("-.3", "3").encode(), "no cosine"),
    (TABLE.replace("-.3", "x").encode(), "no cosine"),
    (TABLE.replace("1.png", "0.png").encode(), "listed twice"),
]


@pytest.mark.parametrize(("content", "what"), DAMAGED)
def test_a_damaged_table_makes_the_set_unusable_and_is_named(cosines, capsys, content, what):
    min(cosines.iterdir()).write_bytes(content)
    assert status_of("causalface-cosines") == 1
    said = capsys.readouterr().out
    assert "damaged tables" in said and "not usable" in said and re.search(what, said), said
    assert not sources.available("causalface-cosines")


def test_tables_of_fewer_images_are_usable_if_all_have_as_many(cosines):
    for path in cosines.iterdir():
        path.write_text(TABLE[: TABLE.index("3.png")])
    assert status_of("causalface-cosines") == 0


def test_a_file_becomes_available_where_it_is_looked_for(data, catalogue):
    catalogue(census=ASKED, **{"blip-weights": ASKED})
    assert not sources.available("census")
    with pytest.raises(
        sources.SourceUnavailable, match=r"looked for .*sc-est2019-alldata5\.csv\. Fill in the form"
    ):
        sources.supplied("census")
    (data / "sc-est2019-alldata5.csv").write_text("NAME")
    before = sources.state("census")
    assert before["available"] and sources.supplied("census") == data / "sc-est2019-alldata5.csv"
    (data / "sc-est2019-alldata5.csv").write_text("NAME,SEX")
    assert sources.state("census")["hash"] != before["hash"]
    (data / "weights").mkdir()
    (data / "weights/model_base_vqa_capfilt_large.pth").write_text("x")
    assert sources.available("blip-weights")
    assert sources.status().loc["blip-weights", "at hand"] == "1 of 3 files"
    with pytest.raises(
        ValueError, match="'cfd' is not supplied as a file; there are census, map-iat"
    ):
        sources.supplied("cfd")
