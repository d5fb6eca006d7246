"""Sources: nothing is handed out that was not checked, and whatever is wrong is named."""

import hashlib
import re
from pathlib import Path

import pandas as pd
import pytest

from vlmbias import paths, sources
from vlmbias.sources.catalogue import catalogue as read

from .conftest import CONTENT, entry

ROOT = Path(__file__).parents[2]
MIRROR = paths.mirror()


def test_a_checked_file_is_found_in_the_cache(cache):
    cache()
    assert sources.path("mine", "data/a.csv").read_bytes() == CONTENT["data/a.csv"]
    assert sources.available("mine")


def test_the_mirror_is_looked_at_next_and_never_copied(tmp_path, monkeypatch, cache):
    mirror = tmp_path / "mirror" / "theirs"
    (mirror / "data").mkdir(parents=True)
    for path, content in CONTENT.items():
        (mirror / path).write_bytes(content)
    assert not sources.available("mine")
    monkeypatch.setenv("VLMBIAS_MIRROR", str(tmp_path / "mirror"))
    assert sources.path("mine", "b.csv") == (mirror / "b.csv").resolve()
    assert sources.available("mine")
    assert not (tmp_path / "cache").exists()
    cache({"b.csv": b"damaged"})
    assert sources.path("mine", "b.csv").read_bytes() == CONTENT["b.csv"]


def test_what_is_not_here_says_how_to_get_it():
    with pytest.raises(
        sources.SourceUnavailable, match=r"b\.csv of source 'mine' is not .*sources --fetch mine"
    ):
        sources.path("mine", "b.csv")
    assert not sources.available("mine") and not sources.available("asked")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a Git LFS pointer"),
        (b"\n<!DOCTYPE html><title>404", "a web page"),
        (CONTENT["data/a.csv"][:-1], "cut short"),
        (CONTENT["data/a.csv"].replace(b"1", b"9"), "not the file that was checked"),
    ],
)
def test_a_damaged_file_is_named_for_what_it_is(cache, content, what):
    cache({**CONTENT, "data/a.csv": content})
    with pytest.raises(sources.SourceUnavailable) as problem:
        sources.path("mine", "data/a.csv")
    assert what in str(problem.value) and "a.csv" in str(problem.value)
    right = hashlib.sha256(CONTENT["data/a.csv"]).hexdigest()
    assert f"expected 320 bytes with sha256 {right[:12]}" in str(problem.value)
    assert f"found {len(content)} bytes" in str(problem.value)
    assert not sources.available("mine") and what in sources.status().loc["mine", "damaged"]


def test_state_is_what_the_build_records(cache):
    missing = sources.state("mine")
    assert not missing["available"] and not missing["whole"] and "tests." in missing["note"]
    assert "Fill in the form." in sources.state("asked")["note"]
    cache()
    there = {"available": True, "note": "", "whole": True, "lacks": "", "drawn": False}
    assert sources.state("mine") == there | {"hash": missing["hash"]}


def test_a_cell_learns_in_one_line_what_it_has_to_do_without(cache, capsys):
    assert not sources.at_hand("mine", "asked")
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and "this cell needs mine, asked, not at hand" in said
    for way in ("mine: `vlmbias sources --fetch mine` downloads it.", "asked: Fill in the form."):
        assert way in said
    cache()
    assert sources.at_hand("mine") and not capsys.readouterr().out
    assert not sources.at_hand("mine", "asked") and "needs asked, not" in capsys.readouterr().out


def test_fetch_downloads_what_is_missing_and_only_that(server, cache):
    cache({"b.csv": CONTENT["b.csv"]})
    assert sources.fetch(["mine"]) == [] and server.asked == ["data/a.csv"]
    assert sources.available("mine")
    assert sources.fetch(["mine"]) == [] and len(server.asked) == 1


def test_what_only_a_person_can_obtain_is_refused_with_its_terms():
    with pytest.raises(
        ValueError, match=r"'asked' cannot be downloaded .*Fill in the form.*Research only"
    ):
        sources.fetch(["mine", "asked"])


def test_only_small_sources_are_fetched_unasked(server, catalogue):
    catalogue(mine=entry(small=False))
    assert sources.fetch_small() == [] and server.asked == []


# The catalogue itself


@pytest.fixture
def real(monkeypatch):
    """The project's own catalogue."""
    monkeypatch.setattr(paths, "data", lambda: ROOT / "data")
    return read()


def test_every_entry_is_safe_to_fetch_or_says_how_to_get_it(real):
    for key, one in real.items():
        names = [key, one.mirror or key, *(file.path for file in one.files)]
        assert all(re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)*", name) for name in names)
        assert all(file.bytes > 0 and len(file.sha256) == 64 for file in one.files)
        assert one.open or (one.obtain and not one.small)
        assert not one.open or (one.files and re.fullmatch(r"https://.*/", one.base))


def test_the_small_sources_are_small_and_pinned_to_a_commit(real):
    small = [source for source in real.values() if source.small]
    assert small and sum(file.bytes for source in small for file in source.files) <= 30_000_000
    assert all(
        len(source.base.rstrip("/").rsplit("/", 1)[-1]) == 40
        for source in real.values()
        if source.open
    )


@pytest.mark.mirror
def test_the_real_files_are_what_the_catalogue_says(real, monkeypatch):
    if MIRROR is None:
        pytest.skip("VLMBIAS_MIRROR names no folder: the real files are not here")
    monkeypatch.setenv("VLMBIAS_MIRROR", str(MIRROR))
    assert sources.available("ieat-embeddings") and sources.available("scaling-laws")
    names = [
        file.path for file in real["ieat-embeddings"].files if file.path.startswith("embeddings/")
    ]
    assert len(names) == 28
    table = pd.read_csv(
        sources.path("ieat-embeddings", "embeddings/weapon_tool_igpt_l_32.csv"), index_col=0
    )
    assert table.shape[0] == 7 and table.columns[-1] == "img"
    with pytest.raises(sources.SourceUnavailable, match="Git LFS pointer"):
        sources.path(
            "clip-bias-results", "results/data/cross_modal_nrc_oasis_df_final_to_model_v1.csv"
        )
