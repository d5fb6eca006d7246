"""Every public name shows how it is used, and every example in a docstring of `src` prints what
stands below it."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import vlmbias

ROOT = Path(__file__).parents[1]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WITH_EXAMPLES = [
    path.relative_to(ROOT / "src").with_suffix("").as_posix().replace("/", ".")
    for path in sorted((ROOT / "src").rglob("*.py"))
    if ">>> " in path.read_text("utf-8")
]


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """A reader with the repository's data and nothing else: no build, no cache, no data set."""
    for name in ("data", "notebooks"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    for name in ("VLMBIAS_CACHE", "VLMBIAS_DATA", "VLMBIAS_MIRROR"):
        monkeypatch.delenv(name, raising=False)
    # only a notebook can show what a function displays; glue is loaded before, as it would keep
    # what stands in for `display`, and later notebooks of this process would show nothing
    importlib.import_module("myst_nb.ext.glue")
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: None)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_print_what_stands_below_them(module, reader):
    names = {"np": np, "pd": pd, "vb": vlmbias}
    found = doctest.testmod(importlib.import_module(module), extraglobs=names, optionflags=FLAGS)
    assert found.attempted and not found.failed


def has_examples(public: object) -> bool:
    _, heading, examples = str(inspect.getdoc(public)).partition("\nExamples\n--------\n")
    return bool(heading) and ">>> " in examples


def called_through(module: str) -> set[str]:
    """What notebooks call of a public module, as in `vb.figures.forest(…)`."""
    text = "".join(path.read_text("utf-8") for path in (ROOT / "notebooks").glob("*/*.py"))
    return set(re.findall(rf"\bvb\.{module}\.(\w+)\(", text))


@pytest.mark.parametrize("name", vlmbias.__all__)
def test_a_public_name_and_what_notebooks_call_through_it_show_how_they_are_used(name):
    public = getattr(vlmbias, name)
    called = called_through(name) if inspect.ismodule(public) else ()
    every = [getattr(public, one) for one in called] or [public] * (not inspect.ismodule(public))
    assert all(map(has_examples, every)), f"{name}: no Examples section of one of {called or name}"
