"""The environment: the right Python or one line, before anything is downloaded; and one process at
a time."""

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from runner import environment

ROOT = Path(__file__).parents[2]
OWN = f"python{sys.version_info.major}.{sys.version_info.minor}"  # a folder of an environment


@pytest.fixture
def root(tmp_path):
    for name in environment.MADE_FROM:
        (tmp_path / name).touch()
    return tmp_path


class Pip:
    """Notes each command; making a folder is what `venv` would do. `fails` counts down to a
    failure."""

    def __init__(self, fails=0):
        self.commands, self.fails = [], fails

    def __call__(self, command, cwd=None):
        self.commands.append(command)
        time.sleep(0.05)
        if "venv" in command:
            if "--clear" in command:
                shutil.rmtree(command[-1], ignore_errors=True)
            (Path(command[-1]) / "lib" / OWN).mkdir(parents=True, exist_ok=True)
        if len(self.commands) == self.fails:
            raise subprocess.CalledProcessError(1, command)


def newer(file):
    os.utime(file, (time.time() + 5,) * 2)


@pytest.mark.parametrize(("home", "writable"), [("home", True), ("requirements.lock", False)])
def test_pip_keeps_nothing_in_a_home_that_cannot_be_written_to(root, monkeypatch, home, writable):
    """A wheel would be built, and then be lost because it cannot be kept: the installation failed
    at its end."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(root / home))  # a folder, or a file where there should be one
    environment.install(str(root), pip := Pip())
    assert ("--no-cache-dir" not in pip.commands[1]) == writable


def test_two_at_once_make_one_environment(root):
    runs = [Pip() for _ in range(4)]
    threads = [threading.Thread(target=environment.install, args=(str(root), run)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(run.commands) for run in runs) == [0, 0, 0, 2]
    assert (root / ".venv/installed").is_file()


@pytest.mark.parametrize(("fails", "before"), [(1, False), (2, False), (2, True)])
def test_an_installation_that_was_cut_short_is_made_anew(root, fails, before):
    if before:  # one that was whole, and is brought up to date
        environment.install(str(root), Pip())
        os.utime(root / ".venv/installed", (0, 0))
    with pytest.raises(subprocess.CalledProcessError):
        environment.install(str(root), Pip(fails))
    assert not (root / ".venv/installed").exists()
    (root / ".venv/left").touch()
    environment.install(str(root), again := Pip())
    assert "--clear" in again.commands[0] and not (root / ".venv/left").exists()
    assert again.commands[1][1:4] == ["-m", "pip", "install"] and environment.fresh(str(root))


@pytest.mark.parametrize("changed", environment.MADE_FROM)
def test_a_changed_lock_adds_to_the_environment_that_is_there(root, changed):
    environment.install(str(root), Pip())
    (root / ".venv/mine").touch()
    environment.install(str(root), idle := Pip())
    assert idle.commands == []
    newer(root / changed)
    environment.install(str(root), again := Pip())
    assert len(again.commands) == 2 and "--clear" not in again.commands[0]
    assert (root / ".venv/mine").exists()


def test_the_environment_of_another_checkout_is_left_alone(root, tmp_path):
    """It was taken down under those who used it, and then could not be made through the link."""
    (tmp_path / "theirs").mkdir()
    (root / ".venv").symlink_to(tmp_path / "theirs")
    environment.install(str(root), idle := Pip())
    assert idle.commands == []


def test_an_environment_of_another_python_is_made_anew(root):
    environment.install(str(root), Pip())
    (root / ".venv/lib" / OWN).rename(root / ".venv/lib/python3.99")
    environment.install(str(root), idle := Pip())
    assert idle.commands == [] and environment.fresh(str(root))  # it does until the lock changes
    newer(root / environment.MADE_FROM[0])
    environment.install(str(root), again := Pip())
    assert "--clear" in again.commands[0] and not (root / ".venv/lib/python3.99").exists()


MAKE = shutil.which("make")


@pytest.mark.skipif(not MAKE, reason="make is not installed here")
@pytest.mark.parametrize(
    ("programs", "chosen"),
    [
        ({"python3.14": "real", "python3.11": "real", "python3": "real"}, "python3.11"),
        ({"python3.13": "real", "python3.12": "broken", "python3": "old"}, "python3.13"),
        ({"python3.11": "broken", "python3": "real"}, "python3"),
        ({"python3.11": "broken", "python3": "old"}, None),
        ({}, None),
    ],
)
def test_make_takes_the_oldest_python_that_works(root, programs, chosen):
    """`broken` is a stand-in as version managers leave them: it is on the path and runs nothing."""
    kinds = {
        "real": f'NAME={{}} exec "{sys.executable}" "$@"',
        "broken": "exit 127",
        "old": "exit 1",
    }
    for name, kind in programs.items():
        path = root / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{kinds[kind].format(name)}\n")
        path.chmod(0o755)
    shutil.copy(ROOT / "Makefile", root)
    script = root / "src/runner/environment.py"
    script.parent.mkdir(parents=True)
    script.write_text("import os; print('made by', os.environ['NAME'])")
    done = subprocess.run(
        [MAKE, "book"], cwd=root, env={"PATH": str(root / "bin")}, capture_output=True, text=True
    )
    assert done.returncode  # there is no environment in either case
    if chosen:
        assert f"made by {chosen}\n" in done.stdout
    else:
        assert "made by" not in done.stdout and done.stdout.count("\n") <= 1
        assert "python3.11" in done.stdout and "PYTHON=/path" in done.stdout


@pytest.mark.skipif(not MAKE, reason="make is not installed here")
def test_a_python_that_was_named_is_asked_itself(root):
    shutil.copy(ROOT / "Makefile", root)
    (root / "src/runner").mkdir(parents=True)
    text = (ROOT / "src/runner/environment.py").read_text()
    (root / "src/runner/environment.py").write_text(
        text.replace("OLDEST = (3, 11)", "OLDEST = (3, 99)")
    )
    done = subprocess.run(
        [MAKE, "book", f"PYTHON={sys.executable}"], cwd=root, capture_output=True, text=True
    )
    named = f"is Python {sys.version_info.major}.{sys.version_info.minor}"
    assert done.returncode and named in done.stderr and not (root / ".venv").exists()
