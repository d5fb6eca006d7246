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


def run(checkout, **given):
    record = plan.record("paper/chapter", plan.settings("greenhouse"), given=given, files={})
    places = {name: checkout / "_build" / f"{name}.ipynb" for name in ("executed", "working")}
    results = checkout / "_build/results/paper/chapter.json"
    return places, results, lambda: execute.run(record, results=results, **places)


def test_a_run_leaves_its_copy_its_results_and_its_provenance(checkout):
    places, results, go = run(checkout, n="4")
    go()
    assert not places["working"].exists()
    assert glued(nbformat.read(places["executed"], as_version=4)) == {"product": 6.0, "numpy": 4.0}
    about = nbformat.read(places["executed"], as_version=4).metadata["vlmbias"]
    assert about["parameters"]["n"] == 4 and about["changed"] == ["n"]
    assert 0 < about["core_seconds"] < 60 and about["seconds"] > 0
    assert about["versions"]["numpy"] and about["commit"] == "not a git checkout"
    assert json.loads(results.read_text()) == []


def test_a_kernel_has_few_identities_where_the_settings_say_so_and_only_it(checkout, monkeypatch):
    monkeypatch.setenv("VLMBIAS_IDENTITIES", "70")
    notebook = checkout / "notebooks/paper/chapter.py"
    cell = (
        '\n# %%\nimport os\nglue("identities", int(os.environ["VLMBIAS_IDENTITIES"] or 0),'
        " display=False)\n"
    )
    notebook.write_text(notebook.read_text() + cell)
    settings = checkout / "data/settings/smoke.yaml"
    for asked, expected in (("", 0), ("identities: 10\n", 10)):
        settings.write_text("parameters: {}\n" + asked)
        record = plan.record("paper/chapter", plan.settings("smoke"), files={})
        one = checkout / "one.ipynb"
        execute.run(
            record, executed=one, results=checkout / "one.json", working=checkout / "working.ipynb"
        )
        assert glued(nbformat.read(one, as_version=4))["identities"] == expected
    assert os.environ["VLMBIAS_IDENTITIES"] == "70"


def test_what_a_kernel_says_of_a_long_step_is_heard_while_it_runs_and_not_on_the_page(
    checkout, capfd
):
    notebook = checkout / "notebooks/paper/chapter.py"
    cell = (
        "\n# %%\nfrom vlmbias.progress import say\nsay('▸ 18,000 images by X, about 40 minutes')\n"
    )
    notebook.write_text(notebook.read_text() + cell)
    places, _, go = run(checkout)
    go()
    assert "▸ 18,000 images by X, about 40 minutes\n" in capfd.readouterr().out
    assert "18,000" not in str(
        [cell.get("outputs") for cell in nbformat.read(places["executed"], as_version=4).cells]
    )


def test_a_failing_cell_leaves_the_copy_with_the_error_and_no_result(checkout):
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text() + '\n# %%\nraise LookupError("no such hue")\n')
    places, _, go = run(checkout)
    with pytest.raises(NotebookFailed, match="paper/chapter failed: LookupError: no such hue"):
        go()
    assert not places["executed"].exists()
    outputs = [
        o
        for c in nbformat.read(places["working"], as_version=4).cells
        for o in c.get("outputs", [])
    ]
    assert any(o.output_type == "error" and o.ename == "LookupError" for o in outputs)


def added(checkout, cell):
    """Give the chapter two more code cells, this one and another."""
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text() + f"\n# %%\n{cell}\n\n# %%\nlast = 1\n")


def failing(checkout, cell):
    """Run the chapter with such a cell: its places, and what the error says."""
    added(checkout, cell)
    places, _, go = run(checkout)
    with pytest.raises(NotebookFailed) as failed:
        go()
    return places, str(failed.value)


def test_a_kernel_that_dies_is_told_with_chapter_cell_and_what_to_do(checkout):
    """As where the memory is full, and the system kills what takes most."""
    places, said = failing(checkout, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert "paper/chapter" in said and "import os, signal" in said and "of 4" in said
    assert "memory" in said and "--parameters" in said and str(places["working"].name) in said
    assert not places["executed"].exists() and places["working"].exists()


def test_a_cell_that_does_not_end_is_told_where_a_limit_is_set(checkout, monkeypatch):
    monkeypatch.setenv("VLMBIAS_TIMEOUT", "2")
    places, said = failing(checkout, "while True:\n    pass")
    assert "paper/chapter" in said and "while True" in said and "VLMBIAS_TIMEOUT" in said
    assert not places["executed"].exists()


def test_no_kernel_but_this_python_computes(checkout, tmp_path, monkeypatch):
    """Another one on Jupyter's path would be named by this one's commit and versions."""
    other = tmp_path / "jupyter/kernels/python3"
    other.mkdir(parents=True)
    (other / "kernel.json").write_text('{"argv": ["false"], "language": "python"}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    added(checkout, "import sys\nglue('python', sys.executable, display=False)")
    places, _, go = run(checkout)
    go()
    assert glued(nbformat.read(places["executed"], as_version=4))["python"] == sys.executable
    assert os.environ["JUPYTER_PATH"] == str(tmp_path / "jupyter")


def test_a_notebook_that_cannot_be_planned_says_why(checkout):
    with pytest.raises(NotebookFailed, match="paper/chapter cannot run: because"):
        record = {"notebook": "paper/chapter", "error": "because"}
        execute.run(record, executed=checkout, results=checkout, working=checkout)


EDIT = "\n# %%\nglue('product', 99, display=False)\n"


@pytest.mark.parametrize(
    "name", ["notebooks/paper/chapter.py", "src/vlmbias/room.py", "data/stimuli/words.yaml"]
)
def test_a_file_that_is_not_the_planned_one_is_not_run(checkout, name):
    record = plan.record(
        "paper/chapter", plan.settings("greenhouse"), files=plan.hashes(plan.INPUTS)
    )
    (checkout / name).write_text((checkout / name).read_text() + EDIT)
    with pytest.raises(
        NotebookFailed, match=rf"paper/chapter: changed since its run was planned: {name}; run it"
    ):
        execute.run(
            record,
            executed=checkout / "e.ipynb",
            results=checkout / "r.json",
            working=checkout / "w.ipynb",
        )
    assert not (checkout / "e.ipynb").exists() and not (checkout / "w.ipynb").exists()


def test_what_is_parsed_is_what_was_hashed(checkout, monkeypatch):
    """An editor that is quicker than any check: whoever opens the notebook a second time sees
    another text."""
    places, _, go = run(checkout)
    notebook, parse = checkout / "notebooks/paper/chapter.py", notebooks.parse
    edited = notebook.read_text() + EDIT
    monkeypatch.setattr(notebooks, "read", lambda path: parse(edited))
    go()
    assert glued(nbformat.read(places["executed"], as_version=4))["product"] == 4.5


def test_an_edit_while_the_cells_run_is_not_kept(checkout):
    notebook = checkout / "notebooks/paper/chapter.py"
    cell = '\n# %%\nopen("../../src/vlmbias/room.py", "a").write("x = 2")\n'
    notebook.write_text(notebook.read_text() + cell)
    record = plan.record(
        "paper/chapter", plan.settings("greenhouse"), files=plan.hashes(plan.INPUTS)
    )
    with pytest.raises(NotebookFailed, match=r"planned: src/vlmbias/room\.py"):
        execute.run(
            record,
            executed=checkout / "e.ipynb",
            results=checkout / "r.json",
            working=checkout / "w.ipynb",
        )
    assert not (checkout / "e.ipynb").exists()


@pytest.mark.parametrize("lost", [1, 2])
def test_a_kernel_that_lost_its_port_to_another_is_started_once_more(checkout, monkeypatch, lost):
    import papermill

    places, _, go = run(checkout)
    tries, execute_notebook = [], papermill.execute_notebook

    def first_in_vain(*given, **options):
        tries.append(1)
        if len(tries) <= lost:
            raise RuntimeError("Kernel died before replying to kernel_info")
        return execute_notebook(*given, **options)

    monkeypatch.setattr(papermill, "execute_notebook", first_in_vain)
    if lost == 2:
        with pytest.raises(NotebookFailed, match="its kernel did not start"):
            go()
    else:
        go()
        assert places["executed"].exists()
    assert len(tries) == 2


SOLUTION = """

# %% tags=["solution"]
found = n + 1
assert found == 4, "of the book's own n"
"""


@pytest.mark.parametrize("n", ["3", "5"])
def test_a_solution_that_a_readers_values_break_ends_in_a_message(checkout, n):
    notebook = checkout / "notebooks/paper/chapter.py"
    notebook.write_text(notebook.read_text() + SOLUTION)
    record = plan.record("paper/chapter", plan.settings("greenhouse"), given={"n": n}, files={})
    places = {name: checkout / "_build" / f"{name}.ipynb" for name in ("executed", "working")}
    execute.run(record, results=checkout / "r.json", excused=True, **places)
    said = nbformat.read(places["executed"], as_version=4).cells[-1].outputs
    assert ["book's own values" in one["text"] for one in said] == ([] if n == "3" else [True])
    if n == "5":
        assert "AssertionError of the book's own n" in said[0]["text"]
        with pytest.raises(NotebookFailed, match="AssertionError"):
            execute.run(record, results=checkout / "r.json", **places)


def test_results_of_an_earlier_run_do_not_outlive_it(checkout):
    _, results, go = run(checkout)
    results.parent.mkdir(parents=True)
    results.write_text('[{"claim": "old"}]')
    go()
    assert json.loads(results.read_text()) == []


def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="looks for processes in /proc")
def test_a_killed_build_takes_its_runner_and_kernel_along(checkout):
    notebook = checkout / "notebooks/paper/chapter.py"
    cell = '\n# %%\nimport os, time\nopen("pid", "w").write(str(os.getpid()))\ntime.sleep(60)\n'
    notebook.write_text(notebook.read_text() + cell)
    plan.prepare("greenhouse")
    job = [sys.executable, "-m", "vlmbias", "run-notebook", "paper/chapter"]
    code = (
        f"import subprocess; job = subprocess.Popen({job}); print(job.pid, flush=True); job.wait()"
    )
    build = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    runner, note = int(build.stdout.readline()), notebook.with_name("pid")
    until = time.time() + 60
    while not (note.exists() and note.read_text()) and time.time() < until:
        time.sleep(0.2)
    kernel = int(note.read_text())
    assert alive(runner) and alive(kernel)
    os.kill(build.pid, signal.SIGKILL)
    build.wait()
    until = time.time() + 20
    while (alive(runner) or alive(kernel)) and time.time() < until:
        time.sleep(0.2)
    assert not alive(runner) and not alive(kernel)
