"""The released machine at its full size, with random weights: two steps. Only the picture is
smaller, 128 pixels instead of 600, and there are four views of it, so that this takes seconds.
Sizes of both networks are the notebook's."""

import dataclasses

import numpy as np
import pytest
import torch
from installed import needs
from PIL import Image
from test_vqgan import PUBLISHED, about

import vlmbias as vb
from vlmbias.generation import guided, vqgan

pytestmark = needs("diffusers", "kornia")

RECIPE = dataclasses.replace(guided.Recipe(), size=130, last_step=1, every=1)


@pytest.mark.long
def test_two_steps_of_the_released_machine(tmp_path):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        painter = (
            vqgan.vq_model()(**vqgan.config_of(about(PUBLISHED, codes=16_384, width=256)))
            .eval()
            .requires_grad_(False)
        )
    assert sum(value.numel() for value in painter.parameters()) == pytest.approx(76.1e6, rel=0.001)
    assert RECIPE.views == 32 and vqgan.factor(painter) == 16
    guide = vb.encoder("ViT-B-32/random", device="cpu")
    start = Image.fromarray(
        np.random.default_rng(0).integers(0, 256, (200, 180, 3), dtype=np.uint8)
    )
    made = guided.paint(
        start,
        painter=painter,
        guide=guide,
        seed=0,
        folder=tmp_path,
        recipe=dataclasses.replace(RECIPE, views=4),
    )
    assert (
        made.steps.tolist() == [0, 1]
        and made.pictures.shape == (2, 128, 128, 3)
        and len(made.losses) == 2
    )
    assert np.isfinite(made.losses).all() and (made.pictures[0] != made.pictures[1]).any()
