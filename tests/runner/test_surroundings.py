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
        monkeypatch.setenv(
            name, "to be taken back"
        )  # so that what the test sets is taken back, too
        monkeypatch.delenv(name)
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    return tmp_path


def test_a_home_that_takes_files_is_left_alone(surroundings, monkeypatch):
    monkeypatch.setenv("HOME", str(surroundings / "home"))
    own.replace_unwritable_home()
    assert not {*own.INSTEAD, "HF_HOME"} & set(os.environ)
    assert (surroundings / "home/.cache").is_dir()


def test_a_home_that_takes_none_is_replaced_by_a_folder_of_the_build(surroundings, monkeypatch):
    monkeypatch.setenv("HOME", "/proc/1")
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
    """Snakemake ends without a word where it cannot make its cache."""
    (surroundings / "Snakefile").write_text("rule all:\n    shell: 'true'\n")
    code = (
        "import subprocess, sys; from runner import surroundings; "
        "surroundings.replace_unwritable_home(); "
        "sys.exit(subprocess.call([sys.executable, '-m', 'snakemake', '-n', '--quiet']))"
    )
    environment = os.environ | {"HOME": "/proc/1"}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=surroundings, check=True)


@pytest.mark.parametrize("choices", [{}, {"PYTHONDONTWRITEBYTECODE": "1"}])
def test_compiled_modules_are_kept(tmp_path, choices):
    """Else every kernel compiles what it imports."""
    (tmp_path / "this_one.py").write_text("x = 1\n")
    inner = "import os; assert 'PYTHONDONTWRITEBYTECODE' not in os.environ; import this_one"
    done = (
        "import subprocess, sys; from runner import surroundings; surroundings.prepare();"
        f" subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    )
    environment = os.environ | {"VLMBIAS_ROOT": str(tmp_path)} | choices
    environment.pop("PYTHONPYCACHEPREFIX", None)
    subprocess.run([sys.executable, "-c", done], cwd=tmp_path, check=True, env=environment)
    assert [path.parent.name for path in tmp_path.rglob("this_one*.pyc")] == ["__pycache__"]
