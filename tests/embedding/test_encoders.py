"""Models by name: what is loaded is what was asked for, and what is not says so."""

import hashlib
import shutil

import numpy as np
import pytest
from PIL import Image
from rehearsal.networks import TINY

import vlmbias as vb
from vlmbias.embedding import checkpoints, encoders

from .conftest import WORDS, change, write_checkpoint


@pytest.fixture
def picture():
    rng = np.random.default_rng(3)
    return Image.fromarray(rng.integers(0, 256, (90, 130, 3), dtype=np.uint8))


def test_it_is_open_clips_model_in_eval_mode(tiny, checkpoint, picture):
    import open_clip
    import torch

    model, _, transform = open_clip.create_model_and_transforms(f"local-dir:{checkpoint}")
    model.eval()
    assert tiny.logit_scale == pytest.approx(model.logit_scale.exp().item(), rel=1e-3)
    batch, tokens = transform(picture)[None], torch.tensor([[1, 8, 5, 9] + [0] * 12])
    assert torch.equal(tiny.preprocess(picture), batch[0])
    with torch.no_grad():
        image = model.encode_image(batch, normalize=True).numpy()
        text = model.encode_text(tokens, normalize=True).numpy()
    np.testing.assert_allclose(tiny.encode_images(batch), image, atol=1e-6)
    np.testing.assert_allclose(tiny.encode_texts(["A warm person."]), text, atol=1e-6)


@pytest.mark.parametrize("resize_mode", ["shortest", "squash", "longest"])
def test_preprocessing_is_open_clips_for_every_way_to_resize(
    checkpoint, tmp_path, picture, resize_mode
):
    import torch
    from open_clip.transform import PreprocessCfg, image_transform_v2

    folder = shutil.copytree(checkpoint, tmp_path / "m")
    new = {"resize_mode": resize_mode, "interpolation": "bilinear"}
    told = change(folder, preprocess_cfg=new)["preprocess_cfg"] | {"size": 64}
    expected = image_transform_v2(PreprocessCfg(**told), is_train=False)(picture)
    assert torch.equal(vb.encoder(str(folder), device="cpu").preprocess(picture), expected)


@pytest.fixture
def loads(monkeypatch):
    """The names of the models that were loaded from their files."""
    names, load = [], encoders._load
    monkeypatch.setattr(
        encoders, "_load", lambda name, *rest: names.append(name) or load(name, *rest)
    )
    return names


def test_a_model_is_loaded_once_and_anew_when_its_files_change(tmp_path, loads):
    folder = write_checkpoint(tmp_path / "m")
    first = vb.encoder(str(folder), device="cpu")
    assert vb.encoder(str(folder), device="cpu") is first and loads == [str(folder)]
    write_checkpoint(tmp_path / "other", seed=9)
    (tmp_path / "other/model.safetensors").replace(folder / "model.safetensors")
    changed = vb.encoder(str(folder), device="cpu")
    fresh = vb.encoder(str(folder), device="cpu", own=True)
    assert changed.fingerprint == fresh.fingerprint != first.fingerprint
    content = (folder / "model.safetensors").read_bytes()
    assert changed.weights == hashlib.sha256(content).hexdigest() != first.weights


def test_one_of_ones_own_is_shared_with_nobody(checkpoint):
    shared, mine = (vb.encoder(str(checkpoint), device="cpu", own=own) for own in (False, True))
    mine.network.train()
    assert vb.encoder(str(checkpoint), device="cpu") is shared and not shared.network.training


def test_dropout_is_off(checkpoint, tmp_path):
    folder = shutil.copytree(checkpoint, tmp_path / "m")
    change(folder, vision_cfg={"patch_dropout": 0.5})
    encoder = vb.encoder(str(folder), device="cpu")
    batch = encoder.normalise(
        np.random.default_rng(0).integers(0, 256, (2, 64, 64, 3), dtype=np.uint8)
    )
    assert np.array_equal(encoder.encode_images(batch), encoder.encode_images(batch))


def test_random_weights_are_the_same_every_time_and_leave_the_generator_alone(monkeypatch):
    import open_clip
    import torch

    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, "RN50-quickgelu", TINY["RN50-quickgelu"])
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first, again = (vb.encoder("RN50-quickgelu/random", device="cpu", own=True) for _ in range(2))
    assert torch.equal(torch.rand(1), expected)
    assert first.fingerprint == again.fingerprint and first.source == "open_clip"
    assert checkpoints.untrained(first.network)
    layer = next(one for one in first.network.modules() if isinstance(one, torch.nn.LayerNorm))
    with torch.no_grad():
        layer.bias[0] = 1e-6
    assert not checkpoints.untrained(first.network)  # whatever its file is called
    assert not checkpoints.untrained(vb.encoder("greenhouse").network)


def test_an_extremely_long_picture_is_no_memory_bomb(tiny):
    stripe = Image.new("RGB", (60_000, 2), "white")
    stripe.paste("black", (0, 0, 30_000, 2))
    # scaled up whole it would be 1.9 million pixels wide
    assert encoders._without_extreme_ends(stripe).size == (32, 2)
    shown = tiny.pixels(stripe)
    assert shown[:, 0].max() < 20 and shown[:, -1].min() > 235  # the middle, black on the left


def test_the_fingerprint_tells_apart_what_changes_an_embedding(tiny, checkpoint, tmp_path):
    def fingerprint(folder):
        return vb.encoder(str(folder), device="cpu").fingerprint

    other = write_checkpoint(tmp_path / "weights", seed=1)
    words = write_checkpoint(tmp_path / "words", words=[*WORDS[:-2], "zinnia", "<end>"])
    scaled = shutil.copytree(checkpoint, tmp_path / "scaled")
    change(scaled, preprocess_cfg={"std": [0.26, 0.25, 0.25]})
    assert len({tiny.fingerprint, *map(fingerprint, (other, words, scaled))}) == 4
    same = shutil.copytree(checkpoint, tmp_path / "same")
    assert fingerprint(same) == tiny.fingerprint


@pytest.mark.parametrize(
    ("name", "device", "says"),
    [
        ("ViT-B-32/openai", "auto", r"QuickGELU.*Use 'ViT-B-32-quickgelu/openai'"),
        ("ViT-b-32/openia", "auto", r"unknown model 'ViT-b-32/openia'; did you mean .*ViT-B-32/op"),
        ("ViT-B-32/laion", "auto", "no weights 'laion'; it has .*laion2b_s34b_b79k"),
        ("greenhouse", "cuda:99", "device 'cuda:99' is not to be had here"),
    ],
)
def test_a_wrong_name_or_option_says_what_to_do(name, device, says):
    with pytest.raises(ValueError, match=says):
        vb.encoder(name, device=device)


def test_what_is_not_a_batch_or_a_list_is_refused(tiny):
    import torch

    with pytest.raises(ValueError, match=r"images must be \(n, 3, 64, 64\), got \(1, 3, 32, 64\)"):
        tiny.encode_images(torch.zeros(1, 3, 32, 64))
    with pytest.raises(ValueError, match=r"write \['teal'\]"):
        tiny.encode_texts("teal")


def test_missing_weights_without_a_network(monkeypatch, tmp_path):
    import socket

    from huggingface_hub import constants

    def no_network(*arguments, **options):
        raise OSError("no network")

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    monkeypatch.setattr("vlmbias.embedding.hub.getproxies", dict)
    with pytest.raises(
        FileNotFoundError, match=r"could not be downloaded .*name a folder.*'RN50-quickgelu/random'"
    ):
        vb.encoder("RN50-quickgelu/openai")
    assert not constants.HF_HUB_OFFLINE


def test_a_text_that_a_model_would_not_read_to_its_end_is_refused(tmp_path):
    folder = write_checkpoint(
        tmp_path / "with CLIP's tokenizer", words=list(map(str, range(49408)))
    )
    (folder / "words.txt").unlink()
    model = vb.encoder(str(folder), device="cpu")
    long = "a photo of a person " * 5
    for text in (long + "who is kind", long + "who is cruel.", "é" * 60, "a " * 14 + "kind"):
        with pytest.raises(ValueError, match="reads no more than 16 tokens"):
            model.encode_texts(["a person", text])
    assert model.encode_texts(["a " * 14, "a photo of a kind person."]).shape[0] == 2
