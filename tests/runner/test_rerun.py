"""A rerun from its command to what it prints; executing is a stand-in, so that no kernel is
started."""

import re
import shlex
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import nbformat
import pytest
import typer
from outputs import glue

from runner import commands, execute, parameters, plan, reruns
from runner.reruns import page, runs
from runner.reruns.compare import BEYOND, FIXED, WITHIN
from vlmbias import paths

PROSE = "# A chapter\n\nA mean of {glue:text}`mean:.2f`. [*Less* than 60.]{.holds #small}"


def executed(record):
    """A copy as a run leaves it: `mean` follows the seed, `fixed` the scale alone."""
    seed, scale = record["parameters"]["seed"], record["parameters"]["scale"]
    values = {"mean": 10 * scale + (seed * 37 % 11) / 10, "fixed": scale, "same": 1}
    values["holds.small"] = scale < 6
    code = "vb.note(mean=10 * scale + seed, fixed=scale, same=1)"
    cell = nbformat.v4.new_code_cell(
        code,
        outputs=[glue(name, value) for name, value in values.items()],
    )
    about = record | {"commit": "abc", "started": "2026-11-22T10:00:00", "seconds": 1.0}
    about |= {"threads": 1, "machine": "one", "versions": {"python": "3.11"}}
    prose = nbformat.v4.new_markdown_cell(PROSE)
    return nbformat.v4.new_notebook(cells=[prose, cell], metadata={"vlmbias": about})


@pytest.fixture
def ran(checkout, monkeypatch):
    """The seeds and scales that were run; the book's own copy is there."""
    source = checkout / "notebooks/paper/chapter.py"
    source.write_text(
        source.read_text()
        .replace("n = 3  # how many", "seed = 3  # of the draws; from 0 to 9")
        .replace("n * scale", "seed * scale")
        .replace("float64(n)", "float64(seed)")
    )
    ran, lock, busy = [], threading.Lock(), []

    def run(record):
        with lock:
            busy.append(1)
            ran.append((record["parameters"]["seed"], record["parameters"]["scale"]))
            assert len(busy) <= 2, "more than two at a time"
        time.sleep(0.02)
        with lock:
            busy.pop()
        if record["parameters"]["seed"] == 5:
            raise execute.NotebookFailed("paper/chapter failed: five")
        runs.folder(record).mkdir(parents=True)
        nbformat.write(executed(record), runs.copy(record))

    monkeypatch.setattr(runs, "one", run)
    monkeypatch.setattr(runs, "ProcessPoolExecutor", lambda most, *_: ThreadPoolExecutor(most))
    record = plan.record(
        "paper/chapter", plan.settings("greenhouse"), files=plan.hashes(plan.INPUTS)
    )
    copy = paths.build() / "executed/paper/chapter.ipynb"
    copy.parent.mkdir(parents=True)
    nbformat.write(executed(record), copy)
    return ran


@pytest.fixture(autouse=True)
def shown(monkeypatch):
    """The pages that were written."""
    shown = []
    monkeypatch.setattr(page, "write", lambda one, at, _: shown.append(one) or at / "page.html")
    return shown


def again(**given):
    options = {name: given.pop(name) for name in ("seeds", "settings") if name in given}
    options = {"settings": "greenhouse", "seeds": 4} | options
    return reruns.rerun("paper/chapter", [given], **options)


def test_the_other_seeds_are_the_next_ones_that_the_parameter_allows():
    def seeds(book, here, n, most=9):
        seed = parameters.Parameter("seed", 3, "x", low=0, high=most)
        return runs.other_seeds(n, seed=seed, book=book, taken={here})

    assert seeds(3, 3, 4) == [4, 5, 6, 7] and seeds(3, 5, 4) == [4, 6, 7, 8]
    assert seeds(8, 8, 3) == [9, 0, 1] and seeds(0, 1, 9, most=2) == [2] and seeds(3, 3, 0) == []


def test_a_rerun_is_held_against_other_seeds_and_says_which_failed(ran, capsys):
    said = again(scale="7")
    assert sorted(ran) == [(3, 7.0), (4, 1.5), (5, 1.5), (6, 1.5), (7, 1.5)]
    lines = [line.split("  ") for line in said.splitlines()]
    assert [row[-1].strip() for row in lines if row[0] == "fixed"] == [FIXED]
    assert [row[-1].strip() for row in lines if row[0] == "mean"] == [BEYOND]
    assert "    A chapter: A mean of [70.10]." in said.splitlines()  # this run's, as on the page
    assert "1 statement of the page no longer holds:\n  – Less than 60.\n" in said
    assert "3 results: 1 changed, as with none of the other seeds; 1 beyond" in said
    assert "Of 4 other seeds 1 failed." in said
    assert "seed 5: paper/chapter failed: five" in capsys.readouterr().out


def test_another_seed_alone_is_within(ran):
    said = again(seed="8")
    assert WITHIN in said and BEYOND not in said and FIXED not in said


def test_what_was_run_is_kept_for_the_next_rerun(ran, capsys):
    again(scale="7")
    ran.clear()
    again(scale="7")
    assert ran == [(5, 1.5)]  # the one that failed is tried again
    assert "run before, and kept" in capsys.readouterr().out
    ran.clear()
    again(scale="8", seeds=2)
    assert sorted(ran) == [(3, 8.0), (5, 1.5)]


@pytest.mark.parametrize("seeds", [0, 2, 4])
def test_the_command_on_the_page_runs_the_same_again(ran, shown, seeds):
    again(scale="7", seeds=seeds)
    (told,) = re.findall(r"\*\*Run:\*\* `vlmbias run (.+?)`", shown[-1].cells[0].source)
    app: Any = typer.main.get_command(commands.app)
    asked = app.commands["run"].make_context("run", shlex.split(told)).params
    assert asked["seeds"] == seeds and asked["parameter"] == ["scale=7"]


def test_no_seeds_no_verdict(ran):
    said = again(scale="7", seeds=0)
    assert ran == [(3, 7.0)] and "Not judged against other seeds (`--seeds 0`)." in said


def test_the_book_may_be_older_than_the_code_or_not_there(ran, checkout):
    (checkout / "src/vlmbias/room.py").write_text("x = 3\n")
    assert "The book's copy was made before `src/vlmbias/room.py` changed" in again(seeds=0)
    (paths.build() / "executed/paper/chapter.ipynb").unlink()
    assert "run `make book` first" in again(seeds=0)


def test_a_run_on_other_pictures_than_the_books_says_what_its_rows_set_side_by_side(ran, checkout):
    source = checkout / "notebooks/paper/chapter.py"
    line = 'stimuli = "ours"  # the pictures\nexact = '
    source.write_text(source.read_text().replace("exact = ", line))
    record = plan.record(
        "paper/chapter", plan.settings("greenhouse"), files=plan.hashes(plan.INPUTS)
    )
    nbformat.write(executed(record), paths.build() / "executed/paper/chapter.ipynb")
    said = "other pictures than the book's"
    assert said in again(stimuli="mine", seeds=0) and said not in again(scale="7", seeds=0)


def test_the_top_of_the_page_says_what_was_changed_and_how_to_repeat_it(ran, checkout, shown):
    (checkout / "data/settings/smoke.yaml").write_text("parameters: {scale: 2.0}\n")
    again(scale="7", seed="8", settings="smoke")
    (paths.build() / "executed/paper/chapter.ipynb").unlink()
    again(scale="7", settings="smoke")
    again(scale="2", settings="smoke")
    beside_the_book, alone, same = (one.cells[0].source for one in shown)
    assert "`scale = 7.0 (the book: 1.5)`; `seed = 8 (the book: 3)`" in beside_the_book
    assert "`settings smoke (the book: greenhouse)`" in beside_the_book
    command = "`vlmbias run paper/chapter -p scale=7 -p seed=8 --settings smoke`, commit `abc`"
    assert command in beside_the_book and "A mean of <mark>71.00</mark>." in beside_the_book
    assert "**Changed:** `scale = 7.0 (settings smoke: 2.0)`." in alone
    assert "**Changed:** nothing" in same


def of(name, *values, **options):
    wanted = [{name: value} for value in values]
    return reruns.rerun("paper/chapter", wanted, settings="greenhouse", **options)


def test_several_values_are_run_once_each_and_stand_side_by_side(ran, shown, capsys):
    said = of("scale", "7", "0.5", seeds=2)
    assert sorted(ran) == [(3, 0.5), (3, 7.0), (4, 1.5), (5, 1.5)]
    assert "scale = 7: done" in capsys.readouterr().out
    lines = {line.split("  ")[0]: line.split("  ") for line in said.splitlines()}
    cells = {name: [one.strip() for one in row if one.strip()] for name, row in lines.items()}
    assert cells["fixed"] == ["fixed", "1.5", "7 *", "0.5 *"]
    assert cells["mean"][:4] == ["mean", "15.1", "70.1 *", "5.1 *"]
    assert "scale = 7: 1 statement of the page no longer holds:\n  – Less than 60.\n" in said
    assert "scale = 0.5: Every statement" in said and f"scale = 0.5: 3 results: 1 {FIXED}" in said
    text = shown[0].cells[0].source
    assert "vlmbias run paper/chapter -p scale=7 -p scale=0.5" in text
    assert '<td data-label="scale = 0.5">5.1 *</td>' in text
    ran.clear()
    of("scale", "7", "0.5", seeds=0)
    assert ran == []


def test_seeds_that_are_asked_for_are_not_held_against_themselves(ran):
    of("seed", "4", "6", seeds=2)
    assert sorted(ran) == [(4, 1.5), (5, 1.5), (6, 1.5), (7, 1.5)]


def test_several_values_say_which_failed(ran, capsys):
    with pytest.raises(ValueError, match=r"paper/chapter failed: five; .* are kept$"):
        of("seed", "5", "6", seeds=0)
    assert "seed = 6: done" in capsys.readouterr().out


def test_several_values_without_the_books_run_are_refused_before_anything(ran, monkeypatch):
    (paths.build() / "executed/paper/chapter.ipynb").unlink()
    for step in ("runner.names.check", "runner.plan.hashes"):
        monkeypatch.setattr(step, lambda *_, **__: pytest.fail("it started"))
    with pytest.raises(SystemExit, match="run `make book` first"):
        commands.main(["run", "paper/chapter", "-p", "seed=6", "-p", "seed=7"])


def test_the_paths_that_are_told_can_be_opened_from_where_the_reader_stands(
    ran, checkout, tmp_path_factory, monkeypatch, capsys
):
    for here in (checkout, tmp_path_factory.mktemp("elsewhere")):
        monkeypatch.chdir(here)
        with pytest.raises(SystemExit):
            commands.main(["run", "paper/chapter", "-p", "scale=7", "--seeds", "0"])
        copy, page = [
            line for line in capsys.readouterr().out.splitlines() if "_build/runs" in line
        ]
        assert (here / copy).is_file() and page.endswith("page.html")
