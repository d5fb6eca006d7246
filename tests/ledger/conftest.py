"""A repository root of its own for every test that writes: the real claims, an empty `_build`."""

import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def root(tmp_path, monkeypatch):
    shutil.copytree(REPOSITORY / "data" / "claims", tmp_path / "data" / "claims")
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    return tmp_path
