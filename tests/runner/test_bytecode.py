"""Compiled modules are kept where Python may write them, and nowhere else."""

import os
import subprocess
import sys

import pytest

SAYS = "import os, sys; from runner import bytecode; bytecode.keep(); import this_one; "
STATE = (
    "print(sys.dont_write_bytecode, sys.pycache_prefix, os.environ.get('PYTHONDONTWRITEBYTECODE'))"
)


@pytest.fixture
def python(tmp_path):
    (tmp_path / "this_one.py").write_text("x = 1\n")

    def run(**choices):
        free = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
        }
        done = subprocess.run(
            [sys.executable, "-c", SAYS + STATE],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
            env=free | {"VLMBIAS_ROOT": str(tmp_path)} | choices,
        )
        written = sorted(
            path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("this_one*.pyc")
        )
        return done.stdout.split(), written

    return run


def test_where_bytecode_is_forbidden_it_is_kept_below_build(python, tmp_path):
    said, written = python(PYTHONDONTWRITEBYTECODE="1")
    assert said == ["False", str(tmp_path / "_build/cache/bytecode"), "None"]
    assert len(written) == 1 and written[0].startswith("_build/cache/bytecode/")


def test_a_place_that_the_reader_chose_stays(python, tmp_path):
    said, written = python(PYTHONDONTWRITEBYTECODE="1", PYTHONPYCACHEPREFIX=str(tmp_path / "mine"))
    assert said == ["True", str(tmp_path / "mine"), "1"] and written == []


def test_elsewhere_nothing_changes(python):
    said, written = python()
    assert said == ["False", "None", "None"]
    assert len(written) == 1 and written[0].startswith("__pycache__/")
