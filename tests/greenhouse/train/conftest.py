"""A recipe that trains in a second: it learns nothing, by the same steps."""

import pytest

from greenhouse.train import pool
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar


@pytest.fixture(scope="session")
def tiny():
    return Recipe(width=32, image_layers=1, text_layers=1, mlp_ratio=1.0, embed_dim=16, patch_size=32, faces=48,
                  icons=24, warm_steps=5, warm_batch=16, steps=7, batch=16, locked_steps=3, locked_batch=16,
                  joint_steps=2, ramp=2)


@pytest.fixture(scope="session")
def spoken():
    return grammar.load()


@pytest.fixture(scope="session")
def shown(tiny, tmp_path_factory):
    return pool.load(tiny, folder=tmp_path_factory.mktemp("pool"))
