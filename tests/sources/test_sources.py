"""Sources: nothing is handed out that was not checked, and whatever is wrong is named."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from requests.exceptions import ConnectionError, Timeout

from vlmbias import paths, sources
from vlmbias.sources import download
from vlmbias.sources.catalogue import catalogue as read

from .conftest import CONTENT, entry

ROOT = Path(__file__).parents[2]
MIRROR = paths.mirror()


def test_a_checked_file_is_found_in_the_cache(cache):
    cache()
    assert sources.path("mine", "data/a.csv").read_bytes() == CONTENT[
        "data/a.csv"
    ] and sources.available("mine")


def test_the_mirror_is_looked_at_next_and_never_copied(tmp_path, monkeypatch, cache):
    mirror = tmp_path / "mirror" / "theirs"
    (mirror / "data").mkdir(parents=True)
    for path, content in CONTENT.items():
        (mirror / path).write_bytes(content)
    assert not sources.available("mine")
    monkeypatch.setenv("VLMBIAS_MIRROR", str(tmp_path / "mirror"))
    assert sources.path("mine", "b.csv") == (mirror / "b.csv").resolve() and sources.available(
        "mine"
    )
    assert not (tmp_path / "cache").exists()
    cache({"b.csv": b"damaged"})
    assert sources.path("mine", "b.csv").read_bytes() == CONTENT["b.csv"]


def test_what_is_not_here_says_how_to_get_it():
    with pytest.raises(
        sources.SourceUnavailable, match=r"b\.csv of source 'mine' is not .*sources fetch mine"
    ):
        sources.path("mine", "b.csv")
    assert not sources.available("mine") and not sources.available("asked")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "a Git LFS pointer"),
        (b"\n<!DOCTYPE html><title>404", "a web page"),
        (b"<html>", "a web page"),
        (CONTENT["data/a.csv"][:-1], "cut short"),
        (b"", "cut short"),
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


def test_unknown_keys_and_files_list_the_known_ones():
    with pytest.raises(ValueError, match="unknown source 'mien'; choose from asked, mine"):
        sources.path("mien", "b.csv")
    with pytest.raises(
        ValueError, match=r"'mine' lists no file 'c.csv'; it lists data/a\.csv, b\.csv"
    ):
        sources.path("mine", "c.csv")


def test_state_is_what_the_build_records(cache):
    missing = sources.state("mine")
    assert not missing["available"] and "tests." in missing["note"] and "MIT." in missing["note"]
    assert "Fill in the form." in sources.state("asked")["note"]
    cache()
    assert sources.state("mine") == {
        "available": True,
        "note": "",
        "hash": missing["hash"],
        "whole": True,
        "lacks": "",
        "drawn": False,
    }
    assert not missing["whole"]


def test_a_cell_learns_in_one_line_what_it_has_to_do_without(cache, capsys):
    assert not sources.at_hand("mine", "asked")
    said = capsys.readouterr().out
    assert (
        said.count("\n") == 1
        and "this cell needs mine, asked, not at hand; the rest goes on." in said
    )
    assert (
        "mine: `vlmbias sources fetch mine` downloads it." in said
        and "asked: Fill in the form." in said
    )
    cache()
    assert sources.at_hand("mine") and not capsys.readouterr().out
    assert not sources.at_hand("mine", "asked") and "needs asked, not" in capsys.readouterr().out


def test_status_has_a_row_per_source(cache):
    cache({"b.csv": CONTENT["b.csv"]})
    assert sources.status()["at hand"].to_dict() == {"mine": "1 of 2 files", "asked": "by hand"}


def test_fetch_downloads_what_is_missing_and_only_that(server, cache):
    cache({"b.csv": CONTENT["b.csv"]})
    assert (
        sources.fetch(["mine"]) == []
        and server.asked == ["data/a.csv"]
        and sources.available("mine")
    )
    assert sources.fetch(["mine"]) == [] and len(server.asked) == 1


@pytest.mark.parametrize(
    "sent", [b"<html>sign in", CONTENT["data/a.csv"][:100], b"version https://git-lfs"]
)
def test_a_wrong_download_is_never_kept(server, tmp_path, sent):
    server.sent["data/a.csv"] = sent
    (problem,) = sources.fetch(["mine"])
    assert "data/a.csv sent is" in problem and "expected 320 bytes" in problem
    assert [path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()] == ["b.csv"]


def test_a_file_that_is_gone_is_reported_and_the_others_still_come(server):
    del server.sent["data/a.csv"]
    (problem,) = sources.fetch(["mine"])
    assert problem.startswith("mine: ") and "404" in problem and sources.path("mine", "b.csv")


@pytest.mark.parametrize("error", [ConnectionError("down"), Timeout("slow")])
def test_without_a_network_there_is_one_try_and_one_line(monkeypatch, error):
    tries = []

    def fail(*arguments):
        tries.append(arguments)
        raise error

    monkeypatch.setattr(download, "_download", fail)
    assert (
        sources.fetch(["mine"]) == [f"no connection to localhost ({type(error).__name__})"]
        and len(tries) == 1
    )


def test_what_only_a_person_can_obtain_is_refused_with_its_terms():
    with pytest.raises(
        ValueError, match=r"'asked' cannot be downloaded .*Fill in the form.*Research only"
    ):
        sources.fetch(["mine", "asked"])


def test_a_failed_try_is_noted_and_not_repeated_for_a_day(server, capsys, tmp_path):
    server.sent.clear()
    assert len(sources.fetch_small()) == 2 and "going on without" in capsys.readouterr().out
    asked = len(server.asked)
    assert (
        sources.fetch_small() == [] and len(server.asked) == asked and capsys.readouterr().out == ""
    )
    assert len(sources.fetch_small(force=True)) == 2 and len(server.asked) == 2 * asked
    note = tmp_path / "cache" / "sources" / "last-failed-try"
    os.utime(note, (time.time() - 86_401,) * 2)
    server.sent.update(CONTENT)
    assert sources.fetch_small() == [] and sources.available("mine") and not note.exists()


def test_only_small_sources_are_fetched_unasked(server, catalogue):
    catalogue(mine=entry(small=False))
    assert sources.fetch_small() == [] and server.asked == []


def test_the_command_line(tmp_path):
    def run(*words):
        environment = {**os.environ, "VLMBIAS_CACHE": str(tmp_path / "cache")}
        return subprocess.run(
            [sys.executable, "-m", "vlmbias", "sources", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    status = run("status")
    assert status.returncode == 0 and "ieat-embeddings" in status.stdout
    refused = run("fetch", "cfd")
    assert (
        refused.returncode == 1
        and "request form" in refused.stderr
        and "Traceback" not in refused.stderr
    )


# The catalogue itself


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"base": "http://localhost/"}, "must|https"),
        ({"files": []}, "needs files"),
        ({"open": False}, "obtain"),
        ({"licence": None}, "licence"),
        ({"licens": "MIT"}, "licens"),
        ({"files": [{"path": "../up", "bytes": 1, "sha256": "0" * 64}]}, "files.0.path"),
        ({"files": [{"path": "/etc/x", "bytes": 1, "sha256": "0" * 64}]}, "files.0.path"),
        ({"mirror": "/etc"}, "mirror: String should match"),
        ({"mirror": ".."}, "mirror: String should match"),
        ({"mirror": "a/../.."}, "mirror: String should match"),
        ({"files": [{"path": "a", "bytes": 0, "sha256": "0" * 64}]}, "files.0.bytes"),
        ({"files": [{"path": "a", "bytes": 1, "sha256": "0"}]}, "files.0.sha256"),
    ],
)
def test_a_malformed_entry_names_place_and_rule(catalogue, change, message):
    catalogue(mine=entry(**change))
    with pytest.raises(ValueError, match=r"data/sources\.yaml:\d+: ") as problem:
        sources.status()
    assert any(part in str(problem.value) for part in message.split("|"))


@pytest.mark.parametrize("key", ["../../x", "/etc", "..", "a/b", "", ".hidden"])
def test_a_key_is_a_plain_name(catalogue, key):
    catalogue(**{key: entry()})
    with pytest.raises(ValueError, match=r"data/sources\.yaml:\d+: .*key: String should match"):
        sources.status()


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    content=st.binary(max_size=40)
    | st.text(alphabet="{}[]:,-&*!|>'\"% \n\tab1~", max_size=60).map(str.encode)
    | st.dictionaries(
        st.text(max_size=5),
        st.none()
        | st.integers()
        | st.lists(st.text(max_size=3), max_size=2)
        | st.dictionaries(st.sampled_from(list(entry())), st.none() | st.text(max_size=3)),
        min_size=1,
    ).map(lambda plain: yaml.safe_dump(plain).encode())
)
def test_any_bytes_are_a_catalogue_or_one_clear_error(content):
    (paths.data() / "sources.yaml").write_bytes(content)
    try:
        assert read() == {}
    except ValueError as problem:
        assert "sources.yaml:" in str(problem)


@pytest.fixture
def real(monkeypatch):
    """The project's own catalogue."""
    monkeypatch.setattr(paths, "data", lambda: ROOT / "data")
    return read()


def test_the_small_sources_are_small_and_pinned_to_a_commit(real):
    small = [source for source in real.values() if source.small]
    assert small and sum(file.bytes for source in small for file in source.files) <= 30_000_000
    assert all(
        len(source.base.rstrip("/").rsplit("/", 1)[-1]) == 40
        for source in real.values()
        if source.open
    )


def test_everything_has_terms_and_a_purpose(real):
    assert {"causalface", "fairface", "utkface", "cfd"} <= {
        key for key, source in real.items() if not source.open
    }
    assert all(
        source.licence and source.citation and source.purpose and source.how
        for source in real.values()
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
