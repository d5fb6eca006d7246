"""A recipe that trains in a second: it learns nothing, by the same steps."""

import pytest
from tiny_networks import ARCHITECTURE, START

from greenhouse.train import pool, warm
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar
from greenhouse.world.pairing import Pairing

TINY = {
    "name": "tiny",
    "architecture": ARCHITECTURE,
    "pool": {"faces": 64, "icons": 150},
    "start": START | {"of": 2, "steps": 5},
    "schedule": {"steps": 7, "batch": 16, "locked_steps": 3, "locked_batch": 16, "joint_steps": 2},
}


@pytest.fixture(scope="session")
def tiny():
    return Recipe().but(**TINY)


@pytest.fixture(scope="session")
def spoken():
    return grammar.load()


@pytest.fixture(scope="session")
def shown(tiny):
    return pool.make(tiny.pool, Pairing(), seed=3, size=32)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Warm starts are kept in a folder of this test's own."""
    monkeypatch.setattr(warm.paths, "build", lambda: tmp_path / "_build")
    return tmp_path
