"""The command line: one clear message where something is wrong, and no slow import."""

import os
import subprocess
import sys

import pytest

from runner import commands as cli


def test_help_is_asked_of_no_room():
    slow = {"torch", "pandas", "numpy", "papermill", "jupytext"}
    code = f"import sys; from runner import commands as cli; cli.parser(None); assert not {slow} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_wrong_parameter_is_one_message(checkout):
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "paper/chapter", "-p", "seeds", "3"])
    assert "no such parameter" in str(stop.value) and "scale = 1.5  # times what" in str(stop.value)


def test_pairs_are_written_and_checked(checkout, capsys):
    with pytest.raises(SystemExit, match=r"run `make pair`: chapter.ipynb"):
        cli.main(["pair", "--check"])
    with pytest.raises(SystemExit) as stop:
        cli.main(["pair"])
    assert not stop.value.code
    with pytest.raises(SystemExit) as stop:
        cli.main(["pair", "--check"])
    assert not stop.value.code


def test_a_rerun_says_how_it_differs(checkout, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["run", "paper/chapter", "-p", "n", "4"])
    assert not stop.value.code, stop.value
    assert "run `make book` first" in capsys.readouterr().out
    copy = next((checkout / "_build/runs/paper/chapter").glob("*/notebook.ipynb"))
    place = checkout / "_build/executed/paper/chapter.ipynb"
    place.parent.mkdir(parents=True)
    place.write_bytes(copy.read_bytes())
    with pytest.raises(SystemExit):
        cli.main(["run", "paper/chapter", "-p", "n", "6"])
    out = capsys.readouterr().out
    assert [row.split()[1:] for row in out.splitlines() if row.startswith("product")] == [["6", "9", "+3"]]


def test_a_terminal_that_knows_only_ascii_stops_nothing(checkout):
    """The mark before every job, and the one before every error."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    code = ("from runner import commands; from runner import compare\n"
            "compare.rerun = lambda *_, **__: '▸ done'\ncommands.main(['run', 'paper/chapter'])")
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "? done\n", done.stderr
    wrong = subprocess.run([sys.executable, "-m", "vlmbias", "run", "paper/chaptre"], env=environment,
                           capture_output=True, text=True)
    assert wrong.returncode == 1 and wrong.stderr.startswith("? no notebook 'paper/chaptre'")
