"""A small book, in a folder whose name is hard to quote, a source that breaks off; then damaged,
and mended by the same command."""

import json
import os
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest
from small_book import build

from runner import plan, stage
from runner.commands.building import mend


@pytest.fixture(scope="module")
def whole(small):
    assert small.first.returncode == 0, small.first.stdout
    return small.folder


def verdicts(folder):
    ledger = json.loads((folder / "_build/ledger.json").read_text())
    return {claim["id"]: claim["rerun"] for claim in ledger["claims"]}


GOOD = {"one.mean": "reproduced (as described)", "two.mean": "reproduced (as described)"}


def test_a_broken_download_does_not_stop_a_book(small, whole):
    (said,) = (one for one in small.first.stdout.splitlines() if "going on without" in one)
    assert "without cut: " in said and "/a.csv " in said and "sources --fetch" in said
    kept = small.cache / "sources"
    assert sorted(path.name for path in kept.iterdir()) == ["last-failed-try", "whole"]


def test_a_book_is_built_where_the_path_has_a_space_and_other_letters(whole):
    assert verdicts(whole) == GOOD
    page = (whole / "_build/site/_build/html/notebooks/paper/one.html").read_text()
    assert re.search(r"A mean of (<[^>]*>)*3\.0", page)


ONE = "_build/{}/paper/one.{}"
DAMAGE = {
    "truncated notebook": (
        ONE.format("executed", "ipynb"),
        lambda path: path.write_bytes(path.read_bytes()[:-40]),
    ),
    "truncated result": (ONE.format("results", "json"), lambda path: path.write_text("[")),
    "result changed by hand": (
        ONE.format("results", "json"),
        lambda path: path.write_text(path.read_text().replace("3.0", "4.0")),
    ),
}


def test_what_is_damaged_is_made_anew_by_the_same_command(small, whole):
    for place, damage in DAMAGE.values():
        damage(whole / place)
    for note in (whole / ".snakemake/metadata").iterdir():  # Snakemake writes these whole
        note.write_bytes(b"\x00garbage")
    (whole / "_build/results/paper/strangers.json").write_text('[{"claim": "x"}]')
    done = small.build()
    assert done.returncode == 0, done.stdout
    assert "_build/executed/paper/one.ipynb\n  _build/results/paper/one.json" in done.stdout
    assert verdicts(whole) == GOOD
    before = {path: path.stat().st_mtime_ns for path in (whole / "_build/site").rglob("*")}
    again = small.build()
    assert again.returncode == 0 and "nothing to do" in again.stdout and "▸" not in again.stdout
    assert before == {path: path.stat().st_mtime_ns for path in (whole / "_build/site").rglob("*")}
    assert small.asked == ["cut", "whole"]  # within a day there is no second try


@pytest.fixture
def copy(whole, tmp_path, monkeypatch):
    """A copy of the book, in place of it."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path / "copy"))
    return Path(shutil.copytree(whole, tmp_path / "copy", symlinks=True))


@pytest.mark.parametrize("what", DAMAGE)
def test_what_is_damaged_is_removed_and_what_is_whole_stays(copy, what):
    place, damage = DAMAGE[what]
    assert mend(plan.notebooks()) == []
    damage(copy / place)
    before = {path for path in copy.rglob("*") if path.is_file()}
    gone = mend(plan.notebooks())
    assert gone == [ONE.format("executed", "ipynb"), ONE.format("results", "json")]
    left = {path for path in copy.rglob("*") if path.is_file()}
    assert before - left == {copy / name for name in gone}
    assert mend(plan.notebooks()) == []


@pytest.mark.slow
def test_a_build_that_is_told_to_end_ends_and_counts_what_was_killed_as_no_failure(copy):
    """However often it is told: `make` hands on a signal that its whole group had got."""
    for name, line in (("one", "1 / 0"), ("two", "import time; time.sleep(300)")):
        source = copy / f"notebooks/paper/{name}.py"
        source.write_text(source.read_text().replace("from myst_nb", f"{line}\nfrom myst_nb"))
    running, said = build(copy, wait=False), []
    reader = threading.Thread(target=lambda: said.extend(running.stdout))
    reader.start()
    begun = copy / "_build/failed/paper/two.ipynb"
    until = time.monotonic() + 120
    while not (any("paper/one failed" in line for line in said) and begun.exists()):
        assert time.monotonic() < until and running.poll() is None, said
        time.sleep(0.1)
    try:
        for _ in range(100):
            os.killpg(running.pid, signal.SIGTERM)
            time.sleep(0.002)
        running.wait(20)
    except ProcessLookupError:
        running.wait(20)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
        reader.join()
    assert (
        "  _build/failed/paper/one.ipynb\n" in said
        and "  _build/failed/paper/two.ipynb\n" not in said
    )
    assert "the same command resumes here" in said[-1]


def test_a_site_that_a_kill_left_without_successor_comes_back(copy):
    site, last = copy / "_build/site", copy / "_build/site.last"
    site.rename(last)
    mend([])
    assert (site / "_build/html/index.html").is_file() and not last.exists()
    last.mkdir()
    mend([])
    assert (site / "_build/html/index.html").is_file()


def test_a_site_is_swapped_whole(tmp_path, monkeypatch):
    """Whatever moment a kill picks, one of the two places holds the old site or the new one."""

    for name, text in (("site", "old"), ("site.failed", "new")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(text)
    seen = []

    def looking(original):
        def look(self, *arguments, **options):
            seen.append(
                [
                    path.read_text()
                    for name in ("site", "site.last")
                    if (path := tmp_path / name / "index.html").is_file()
                ]
            )
            return original(self, *arguments, **options)

        return look

    monkeypatch.setattr("pathlib.Path.rename", looking(stage.Path.rename))
    monkeypatch.setattr("shutil.rmtree", looking(shutil.rmtree))
    stage._swap(tmp_path / "site.failed", tmp_path / "site")
    assert (tmp_path / "site/index.html").read_text() == "new" and len(seen) == 4 and all(seen)
    assert not (tmp_path / "site.last").exists()


CHANGES = {
    "no site": ("_build/site/built.json", Path.unlink),
    "no pages": ("_build/site/_build/html", shutil.rmtree),
    "no ledger": ("_build/ledger.json", Path.unlink),
    "no results": (ONE.format("results", "json"), Path.unlink),
    "no executed copy": (ONE.format("executed", "ipynb"), Path.unlink),
    "newer results": (ONE.format("results", "json"), lambda path: os.utime(path, (2e9, 2e9))),
    "another record of a notebook": (
        ONE.format("inputs/notebooks", "json"),
        lambda path: path.write_text("{}"),
    ),
    "another page": ("_build/inputs/book.json", lambda path: path.write_text("{}")),
    "another claim": ("_build/inputs/ledger.json", lambda path: path.write_text("{}")),
    "another graph": ("Snakefile", lambda path: path.write_text("# another")),
    "a model asked for": (
        "_build/inputs/models.json",
        lambda path: path.write_text('["m/paper/one"]'),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_graph_is_asked_only_if_something_changed(copy, what):
    place, change = CHANGES[what]
    assert plan.up_to_date()
    change(copy / place)
    assert not plan.up_to_date()
