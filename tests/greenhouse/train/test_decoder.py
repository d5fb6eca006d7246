"""The decoder: same weights for a seed whatever interrupts it, a folder that loads, and gates that
a bad one fails."""

import hashlib
import json
from types import SimpleNamespace

import numpy as np
import pytest
from installed import needs
from interrupted import digest, stop_after

from greenhouse.train import decoder, run
from greenhouse.world.bias import DATA
from vlmbias.generation import vqgan

pytestmark = needs("diffusers")

TINY = decoder.Recipe(
    channels=(8, 8),
    codes=6,
    dimensions=2,
    faces=16,
    steps=6,
    free_steps=3,
    batch=2,
    crop=32,
    learning_rate=0.01,
    edges=1.0,
    commitment=0.5,
)
SHIPPED = DATA / "decoder"


def test_a_seed_fixes_the_weights_and_an_interrupted_run_ends_in_the_same(tmp_path, monkeypatch):
    """Stopped after the codebook begins."""
    straight = digest(decoder.train(TINY, seed=3))
    assert digest(decoder.train(TINY, seed=4)) != straight
    monkeypatch.setattr(run, "CHECKPOINT_EVERY", 2)
    partial, steps = tmp_path / "partial.safetensors", []
    with pytest.raises(KeyboardInterrupt):
        decoder.train(TINY, seed=3, partial=partial, progress=stop_after(4))
    resumed = decoder.train(
        TINY, seed=3, partial=partial, progress=lambda step, *_: steps.append(step)
    )
    assert steps == list(range(5, TINY.steps + 1)) and digest(resumed) == straight
    assert list(tmp_path.iterdir()) == [partial]  # until what was trained is kept


@pytest.fixture
def few_held_out(monkeypatch):
    """Enough for gates that are far from their thresholds."""
    monkeypatch.setattr(decoder, "HELD_OUT", 100)


def test_what_is_written_is_what_is_tested_and_a_decoder_that_learnt_nothing_is_rejected(
    tmp_path, few_held_out
):
    card = decoder.produce(TINY, seed=3, folder=tmp_path / "decoder")
    model = vqgan.load(str(tmp_path / "decoder"), device="cpu")
    assert vqgan.factor(model) == TINY.factor == 2
    assert card == json.loads((tmp_path / "decoder/card.json").read_text())
    assert (
        card["weights_sha256"]
        == hashlib.sha256((tmp_path / "decoder" / vqgan.WEIGHTS).read_bytes()).hexdigest()
    )
    assert not card["accepted"] and card["recipe_hash"] == TINY.hash()
    assert "people" in card["limits"]


def test_constant_pictures_fail_every_gate_and_unchanged_ones_pass(few_held_out):
    bad, good = (
        decoder.examined(lambda batch, keep=keep: SimpleNamespace(sample=batch * keep))
        for keep in (0.0, 1.0)
    )
    assert not bad["accepted"] and good["accepted"]
    assert all(gate["value"] < gate["threshold"] for gate in bad["gates"].values())
    assert good["mean_absolute_error"] == 0 < bad["mean_absolute_error"]
    assert all(gate["value"] == gate["undecoded"] for gate in good["gates"].values())


def test_the_loss_is_pixels_edges_and_the_pull_to_the_codebook():
    import torch

    torch.manual_seed(0)
    model, batch = decoder.build(TINY), torch.rand(2, 3, 64, 64) * 2 - 1
    latents = model.encode(batch).latents
    for free in (True, False):
        near = latents.detach() if free else model.quantize(latents)[0].detach()
        made = model.decode(near, force_not_quantize=True).sample.detach().numpy()
        apart = made - batch.numpy()
        down, right = (
            ((one[1:] - one[:-1]) ** 2).mean()
            for one in (apart.swapaxes(0, 2), apart.swapaxes(0, 3))
        )
        pull = ((near - latents.detach()) ** 2).mean().item() * 1.25
        expected = (apart**2).mean() + TINY.edges * (down + right) + TINY.commitment * pull
        assert decoder._loss(model, batch, TINY, free=free).item() == pytest.approx(
            expected, rel=1e-4
        )


def test_a_crop_is_a_part_of_a_face_at_a_whole_number_of_codes():
    pictures = np.arange(3 * 64 * 64 * 3).reshape(3, 64, 64, 3)
    found = decoder._crops(pictures, TINY, np.random.default_rng(0))
    assert found.shape == (2, 32, 32, 3)
    for part in found:
        row, top, left = np.argwhere((pictures == part[0, 0]).all(axis=3))[0]
        assert np.array_equal(part, pictures[row, top : top + 32, left : left + 32])
        assert top % 2 == left % 2 == 0


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"crop": 33}, "multiple of the 2 pixels that a code stands for, got 33"),
        ({"free_steps": 6}, "must leave steps with a codebook"),
        ({"codes": 20_000}, "more than the places"),
    ],
)
def test_a_recipe_that_cannot_be_trained_is_refused(change, rule, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(json.dumps(TINY.model_dump() | change))
    with pytest.raises(ValueError, match=rule):
        decoder.read(file)


@pytest.mark.skipif(not (SHIPPED / "card.json").is_file(), reason="no decoder is shipped")
def test_the_shipped_decoder_is_small_and_is_the_one_of_its_card():
    card = json.loads((SHIPPED / "card.json").read_text())
    assert card["recipe_hash"] == decoder.read().hash() and card["parameters"] <= 1e6
    found = decoder.examined(vqgan.load("greenhouse/decoder", device="cpu"))
    for name, gate in card["gates"].items():
        assert found["gates"][name]["value"] == pytest.approx(gate["value"], abs=0.01)
        assert gate["value"] >= gate["threshold"] == decoder.THRESHOLDS[name]
