"""Guided painting with a small VQGAN and a small guide: the recipe's steps, resumption, and the
direction it goes in."""

import dataclasses
import math

import numpy as np
import pytest
import test_vqgan as layout
import torch
from embedding.conftest import write_checkpoint
from fake_cuda import FakeCuda
from installed import needs
from PIL import Image
from safetensors.torch import load_file

import vlmbias as vb
from vlmbias.generation import guided, vqgan

pytestmark = needs("diffusers", "kornia")
RECIPE = guided.Recipe("a warm person", size=35, last_step=9, every=4, views=3)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A painter and a guide, each where it lies."""
    folder = tmp_path_factory.mktemp("models")
    guide = str(write_checkpoint(folder / "guide", image_size=32))
    return layout.write(folder / "painter", layout.published()), guide


def loaded(files, device):
    painter, guide = files
    return {
        "painter": vqgan.load(painter, device=device),
        "guide": vb.encoder(guide, device=device, own=True),
    }


@pytest.fixture(scope="module")
def models(files):
    return loaded(files, "cpu")


START = Image.fromarray(np.random.default_rng(0).integers(0, 256, (50, 40, 3), dtype=np.uint8))


def paint(models, folder, recipe=RECIPE, seed=1, start=START):
    return guided.paint(start, folder=folder, recipe=recipe, seed=seed, **models)


def test_pictures_are_kept_before_the_update_of_their_step(models, tmp_path):
    made = paint(models, tmp_path)
    assert made.steps.tolist() == [0, 4, 8] and len(made.losses) == 10
    small = np.asarray(START.resize((32, 32), Image.Resampling.LANCZOS))
    squashed = torch.tensor(small).permute(2, 0, 1)[None].float() / 127.5 - 1
    decoded = vqgan.decode(models["painter"], vqgan.encode(models["painter"], squashed))
    expected = ((decoded + 1) / 2).clamp(0, 1)[0].permute(1, 2, 0).numpy() * 255
    assert made.pictures.shape == (3, 32, 32, 3)
    assert np.array_equal(made.pictures[0], expected.astype(np.uint8))


@pytest.mark.parametrize("at", [3, 9])
def test_a_killed_run_ends_where_an_undisturbed_one_does(models, tmp_path, monkeypatch, at):
    whole, plain, seen = paint(models, tmp_path / "whole"), guided._distance, []

    def dies(*given):
        seen.append(1)
        if len(seen) == at + 1:
            raise KeyboardInterrupt
        return plain(*given)

    monkeypatch.setattr(guided, "_distance", dies)
    with pytest.raises(KeyboardInterrupt):
        paint(models, tmp_path / "cut")
    monkeypatch.undo()
    again = paint(models, tmp_path / "cut")
    assert np.array_equal(again.losses, whole.losses)
    assert np.array_equal(again.pictures, whole.pictures)


def test_seed_prompt_and_start_each_matter_and_a_folder_holds_one_run(models, tmp_path):
    losses = paint(models, tmp_path / "a").losses
    others = {
        "seed": {"seed": 2},
        "prompt": {"recipe": dataclasses.replace(RECIPE, prompt="a friendly person")},
        "start": {"start": START.rotate(90)},
    }
    for name, change in others.items():
        assert not np.allclose(paint(models, tmp_path / name, **change).losses, losses)
        with pytest.raises(ValueError, match="holds another run"):
            paint(models, tmp_path / "a", **change)
    assert np.array_equal(paint(models, tmp_path / "b").losses, losses)


def test_codes_stay_within_the_range_of_the_codebook(models, tmp_path):
    """Steps so large that every code would leave it: each ends at the least or the most of its own
    dimension."""
    paint(models, tmp_path, dataclasses.replace(RECIPE, step_size=1e3))
    code = load_file(tmp_path / guided.STATE)["code"][0].flatten(1)
    book = models["painter"].quantize.embedding.weight.detach()
    least, most = book.amin(0)[:, None], book.amax(0)[:, None]
    assert ((code >= least) & (code <= most)).all()
    assert ((code == least) | (code == most)).float().mean() > 0.9
    assert (code == least).any() and (code == most).any()


def test_it_comes_nearer_to_the_prompt(models, tmp_path):
    recipe = dataclasses.replace(RECIPE, last_step=40, every=40, noise=0.0)
    made = paint(models, tmp_path, recipe)
    assert made.losses[-8:].mean() < made.losses[:8].mean()


def test_the_distance_is_half_the_squared_angle(models):
    views = torch.rand((2, 3, 32, 32), generator=torch.Generator().manual_seed(4))
    target = torch.from_numpy(models["guide"].encode_texts(["a warm person"]))
    vectors = models["guide"].encode_images(models["guide"]._normalise(views))
    angles = np.arccos(vectors @ target.numpy()[0])
    assert float(guided._distance(views, models["guide"], target)) == pytest.approx(
        (angles**2 / 2).mean(), rel=1e-4
    )


def test_views_are_whole_pictures_each_changed_its_own_way(models):
    picture = torch.rand((1, 3, 96, 96), generator=torch.Generator().manual_seed(4))
    plain = dataclasses.replace(RECIPE, views=64, noise=0.0)
    views = guided._views(picture, models["guide"], plain, 0, 0)
    blocks = picture.unfold(2, 3, 3).unfold(3, 3, 3)
    small = (blocks.mean((-1, -2)) + blocks.amax((-1, -2))) / 2
    apart = (views - small).abs().flatten(1).amax(1)
    untouched = float((apart < 1e-5).float().mean())
    # one draw per view, not one for all
    assert len({tuple(view.flatten()[::97].tolist()) for view in views}) > 40
    assert untouched < 0.3**3 + 3 * math.sqrt(0.3**3 / 64)
    loud = dataclasses.replace(plain, noise=0.1)
    noise = (guided._views(picture, models["guide"], loud, 0, 0) - views).std((1, 2, 3))
    assert 0 < float(noise.max()) <= 0.105 and float(noise.min()) < 0.02
    assert torch.equal(views, guided._views(picture, models["guide"], plain, 0, 0))
    assert not torch.equal(views, guided._views(picture, models["guide"], plain, 0, 1))


def test_a_clamped_value_keeps_the_gradients_that_lead_back():
    values = torch.tensor([-1.0, 0.5, 2.0, 2.0], requires_grad=True)
    (guided._Clamp.apply(values) * torch.tensor([1.0, 1.0, 1.0, -1.0])).sum().backward()
    # descending: −1 would fall, 2 with gradient −1 would rise
    assert values.grad.tolist() == [0.0, 1.0, 1.0, 0.0]


def test_on_cuda_the_same_is_painted(files, models, tmp_path):
    short = dataclasses.replace(RECIPE, last_step=4)
    here = paint(models, tmp_path / "here", short)
    with FakeCuda():
        there = paint(loaded(files, "auto"), tmp_path / "there", short)
    assert np.array_equal(here.pictures, there.pictures)
    np.testing.assert_allclose(here.losses, there.losses)
