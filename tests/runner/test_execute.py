"""Executing one notebook: what is left when it works, when a cell fails, when it is killed."""

import json
import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest

from runner import execute, notebooks, plan
from runner.execute import NotebookFailed
from runner.glued_values import glued


def run(checkout, *, settings="greenhouse", files=(), **given):
    record = plan.record(
        "paper/chapter", plan.settings(settings), given=given, files=plan.hashes(files)
    )
    places = {name: checkout / "_build" / f"{name}.ipynb" for name in ("executed", "working")}
    results = checkout / "_build/results/paper/chapter.json"
    return places, results, lambda **more: execute.run(record, results=results, **places, **more)


def added(checkout, cell):
    """Give the chapter two more code cells, this one and another."""
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text() + f"\n# %%\n{cell}\n\n# %%\nlast = 1\n")


def failing(checkout, cell):
    """Run the chapter with such a cell: its places, and what the error says."""
    added(checkout, cell)
    places, _, go = run(checkout)
    with pytest.raises(NotebookFailed, match="paper/chapter") as failed:
        go()
    assert not places["executed"].exists()
    return places, str(failed.value)


SURROUNDINGS = """
import os, sys
from vlmbias.progress import say
say("▸ 18,000 images by X, about 40 minutes")
glue("identities", os.environ["VLMBIAS_IDENTITIES"], display=False)
glue("python", sys.executable, display=False)"""


def test_a_run_of_this_python_and_of_the_settings_leaves_its_copy_results_and_provenance(
    checkout, monkeypatch, capfd
):
    """Another kernel on Jupyter's path would be named by this one's commit and versions."""
    other = checkout / "jupyter/kernels/python3"
    other.mkdir(parents=True)
    (other / "kernel.json").write_text('{"argv": ["false"], "language": "python"}')
    own = {"JUPYTER_PATH": str(checkout / "jupyter"), "VLMBIAS_IDENTITIES": "70"}
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    (checkout / "data/settings/smoke.yaml").write_text("identities: 10\n")
    added(checkout, SURROUNDINGS)
    places, results, go = run(checkout, settings="smoke", n="4")
    results.parent.mkdir(parents=True)
    results.write_text('[{"claim": "of an earlier run"}]')
    go()
    assert "▸ 18,000 images by X" in capfd.readouterr().out
    assert not places["working"].exists() and json.loads(results.read_text()) == []
    executed = nbformat.read(places["executed"], as_version=4)
    found = {"product": 6.0, "numpy": 4.0, "identities": "10", "python": sys.executable}
    assert glued(executed) == found
    assert "18,000" not in str([cell.get("outputs") for cell in executed.cells])
    assert {name: os.environ[name] for name in own} == own
    about = executed.metadata["vlmbias"]
    assert about["parameters"]["n"] == 4 and about["changed"] == ["n"]
    assert 0 < about["core_seconds"] < 60 and about["seconds"] > 0
    assert about["versions"]["numpy"] and about["commit"] == "not a git checkout"


def test_a_bare_assert_that_fails_is_told_by_its_line(checkout):
    _, said = failing(checkout, "less, more = 2, 1\nassert less < more")
    assert "AssertionError: assert less < more" in said


def test_a_failing_cell_leaves_the_copy_with_the_error_and_no_result(checkout):
    places, said = failing(checkout, 'raise LookupError("no such hue")')
    assert "paper/chapter failed: LookupError: no such hue" in said
    cells = nbformat.read(places["working"], as_version=4).cells
    outputs = [one for cell in cells for one in cell.get("outputs", [])]
    assert any(one.output_type == "error" and one.ename == "LookupError" for one in outputs)


def test_a_kernel_that_dies_is_told_with_its_cell_and_what_to_do(checkout):
    """As where the memory is full, and the system kills what takes most."""
    places, said = failing(checkout, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert "import os, signal" in said and "of 4" in said and "memory" in said
    assert "--parameters" in said and places["working"].name in said
    assert places["working"].exists()


def test_a_cell_that_does_not_end_is_told_where_a_limit_is_set(checkout, monkeypatch):
    monkeypatch.setenv("VLMBIAS_TIMEOUT", "1")
    _, said = failing(checkout, "from time import sleep\nsleep(60)")  # a busy cell costs more
    assert "import sleep" in said and "VLMBIAS_TIMEOUT" in said


def test_a_notebook_that_cannot_be_planned_says_why(checkout):
    with pytest.raises(NotebookFailed, match="paper/chapter cannot run: because"):
        record = {"notebook": "paper/chapter", "error": "because"}
        execute.run(record, executed=checkout, results=checkout, working=checkout)


EDIT = "\n# %%\nglue('product', 99, display=False)\n"


@pytest.mark.parametrize("name", ["notebooks/paper/chapter.py", "data/stimuli/words.yaml"])
def test_a_file_that_is_not_the_planned_one_is_not_run(checkout, name):
    places, _, go = run(checkout, files=plan.INPUTS)
    (checkout / name).write_text((checkout / name).read_text() + EDIT)
    with pytest.raises(NotebookFailed, match=f"changed since its run was planned: {name}"):
        go()
    assert not any(place.exists() for place in places.values())


@pytest.fixture
def instead(monkeypatch):
    """Something that is done with the copy in place of a kernel's work."""
    import papermill

    def replace(work):
        monkeypatch.setattr(papermill, "execute_notebook", lambda path, *_, **__: work(path))

    return replace


def last_cell(path):
    return nbformat.read(path, as_version=4).cells[-1].source


def test_what_is_parsed_is_what_was_hashed(checkout, monkeypatch, instead):
    """An editor that is quicker than any check: whoever opens the notebook a second time sees
    another text. Settings that name no number of identities are not those of whoever calls."""
    monkeypatch.setenv("VLMBIAS_IDENTITIES", "70")
    _, _, go = run(checkout)
    edited = notebooks.parse((checkout / "notebooks/paper/chapter.py").read_text() + EDIT)
    monkeypatch.setattr(notebooks, "read", lambda path: edited)
    seen = []
    instead(lambda path: seen.extend([last_cell(path), os.environ["VLMBIAS_IDENTITIES"]]))
    go()
    assert len(seen) == 2 and "99" not in seen[0] and not seen[1]


def test_an_edit_while_the_cells_run_is_not_kept(checkout, instead):
    places, _, go = run(checkout, files=plan.INPUTS)
    instead(lambda path: (checkout / "src/vlmbias/room.py").write_text("x = 2"))
    with pytest.raises(NotebookFailed, match=r"planned: src/vlmbias/room\.py"):
        go()
    assert not places["executed"].exists()


@pytest.mark.parametrize("lost", [1, 2])
def test_a_kernel_that_lost_its_port_to_another_is_started_once_more(checkout, instead, lost):
    places, _, go = run(checkout)
    tries = []

    def first_in_vain(path):
        tries.append(1)
        if len(tries) <= lost:
            raise RuntimeError("Kernel died before replying to kernel_info")

    instead(first_in_vain)
    if lost == 2:
        with pytest.raises(NotebookFailed, match="its kernel did not start"):
            go()
    else:
        go()
    assert len(tries) == 2 and places["executed"].exists() == (lost == 1)


SOLUTION = """

# %% tags=["solution"]
assert n == 3, "of the book's own n"
"""


def test_only_where_a_reader_gave_values_a_solution_ends_in_a_message(checkout, instead, capsys):
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text() + SOLUTION)
    _, _, go = run(checkout, n="5")
    instead(lambda path: exec(last_cell(path), {"n": 5}))
    go(excused=True)
    assert "AssertionError of the book's own n" in capsys.readouterr().out
    with pytest.raises(AssertionError):
        go()


def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def until(condition, seconds):
    end = time.time() + seconds
    while not condition() and time.time() < end:
        time.sleep(0.2)


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks for processes in /proc")
def test_a_killed_build_takes_its_runner_and_kernel_along(checkout):
    added(checkout, 'import os, time\nopen("pid", "w").write(str(os.getpid()))\ntime.sleep(60)')
    plan.prepare("greenhouse")
    job = [sys.executable, "-m", "vlmbias", "run-notebook", "paper/chapter"]
    code = (
        f"import subprocess; job = subprocess.Popen({job}); print(job.pid, flush=True); job.wait()"
    )
    build = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    runner, note = int(build.stdout.readline()), checkout / "notebooks/paper/pid"
    until(lambda: note.exists() and note.read_text(), 60)
    kernel = int(note.read_text())
    assert alive(runner) and alive(kernel)
    os.kill(build.pid, signal.SIGKILL)
    build.wait()
    until(lambda: not (alive(runner) or alive(kernel)), 20)
    assert not alive(runner) and not alive(kernel)
