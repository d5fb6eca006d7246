"""Where the home, or Python, takes no files, what programs keep goes to the build folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner import surroundings as own


@pytest.fixture
def surroundings(tmp_path, monkeypatch):
    """An environment that names none of the folders, and a build folder of the test's own."""
    for name in (*own.INSTEAD, "HF_HOME"):
        monkeypatch.setenv(name, "")  # so that what the test sets is taken back, too
        monkeypatch.delenv(name)
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    return tmp_path


def test_a_home_that_takes_files_is_left_alone(surroundings, monkeypatch):
    monkeypatch.setenv("HOME", str(surroundings / "home"))
    own.replace_unwritable_home()
    assert not {*own.INSTEAD, "HF_HOME"} & set(os.environ)
    assert (surroundings / "home/.cache").is_dir()


@pytest.mark.parametrize("place", ["/proc/1", "a file"])
def test_a_home_that_takes_none_is_replaced_by_a_folder_of_the_build(
    surroundings, monkeypatch, place
):
    (surroundings / "a file").touch()
    monkeypatch.setenv("HOME", place if place.startswith("/") else str(surroundings / place))
    monkeypatch.setenv("MPLCONFIGDIR", "/chosen")
    own.replace_unwritable_home()
    assert os.environ["MPLCONFIGDIR"] == "/chosen", "what a reader chose stays"
    made = {os.environ[name] for name in (*own.INSTEAD, "HF_HOME") if name != "MPLCONFIGDIR"}
    assert all(Path(folder).is_relative_to(surroundings / "_build/home") for folder in made)
    assert len(made) == len(own.INSTEAD)


def test_weights_in_a_home_that_cannot_be_written_to_are_found(surroundings, monkeypatch):
    monkeypatch.setenv("HOME", str(surroundings / "home"))
    (surroundings / "home/.cache/huggingface").mkdir(parents=True)
    monkeypatch.setattr(own, "_writable", lambda cache: False)
    own.replace_unwritable_home()
    assert os.environ["HF_HOME"] == str(surroundings / "home/.cache/huggingface")


def test_the_graph_starts_where_the_home_takes_no_files(surroundings):
    """Snakemake alone ends without a word where it cannot make its cache."""
    (surroundings / "Snakefile").write_text("rule all:\n    shell: 'true'\n")
    code = (
        "import subprocess, sys; from runner import surroundings as own;"
        " own.replace_unwritable_home();"
        " subprocess.run([sys.executable, '-m', 'snakemake', '-n', '--quiet'], check=True)"
    )
    home = os.environ | {"HOME": "/proc/1"}
    subprocess.run([sys.executable, "-c", code], env=home, cwd=surroundings, check=True)


SAYS = "import os, sys; from runner import surroundings; surroundings.prepare(); import this_one; "
STATE = (
    "print(sys.dont_write_bytecode, sys.pycache_prefix, os.environ.get('PYTHONDONTWRITEBYTECODE'))"
)


@pytest.mark.parametrize(
    ("choices", "says", "kept"),
    [
        ({}, "False None None", "__pycache__"),
        ({"PYTHONDONTWRITEBYTECODE": "1"}, "False {own} None", "_build/cache/bytecode"),
        ({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": "/mine"}, "True /mine 1", None),
    ],
)
def test_compiled_modules_are_kept_where_python_may_write_them(tmp_path, choices, says, kept):
    (tmp_path / "this_one.py").write_text("x = 1\n")
    free = {name: value for name, value in os.environ.items() if not name.startswith("PYTHONPYC")}
    free.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", SAYS + STATE],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        env=free | {"VLMBIAS_ROOT": str(tmp_path)} | choices,
    )
    assert done.stdout.strip() == says.format(own=tmp_path / "_build/cache/bytecode")
    written = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("this_one*.pyc")]
    assert [one.startswith(kept or "/") for one in written] == ([True] if kept else [])
