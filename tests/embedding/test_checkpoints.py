"""A checkpoint folder that a stranger made: nothing else is opened, nothing is fetched.

What may be wrong with the folder itself is in `tests/hostile/weights.py`."""

import json
import shutil
import socket
from types import SimpleNamespace

import numpy as np
import pytest
import safetensors.torch

import vlmbias as vb
from vlmbias.embedding.torchvision_shim import give_to_open_clip, import_open_clip

from .conftest import WORDS, change, text_config, write_checkpoint


@pytest.fixture
def folder(checkpoint, tmp_path):
    return shutil.copytree(checkpoint, tmp_path / "stranger")


@pytest.fixture
def no_socket(monkeypatch):
    """Every socket and every look-up is recorded and refused."""
    opened = []

    def refuse(*arguments, **options):
        opened.append(arguments)
        raise OSError("no sockets here")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    return opened


def test_nothing_in_a_folder_opens_a_socket(folder, no_socket):
    assert vb.encoder(str(folder), device="cpu").dimension == 16
    for architecture in ("hf-hub:timm/vit_tiny_patch16_224", "local-dir:/tmp", "nobody"):
        change(folder, vision_cfg={"timm_model_name": architecture})
        with pytest.raises(ValueError, match=f"'{architecture}' is not an architecture of timm"):
            vb.encoder(str(folder), device="cpu")
    assert no_socket == []


@pytest.mark.parametrize("name", ["local-dir:{}", "hf-hubs:a/b"])
def test_a_scheme_that_was_not_asked_for_is_an_unknown_name(folder, no_socket, name):
    with pytest.raises(ValueError, match="unknown model"):
        vb.encoder(name.format(folder), device="cpu")
    assert no_socket == []


def test_a_hub_name_of_the_users_own_fetches_two_files_and_reads_them_like_a_folder(
    folder, tmp_path, monkeypatch
):
    import huggingface_hub

    write_checkpoint(
        folder, words=[str(number) for number in range(49_408)]
    )  # CLIP's own tokenizer
    asked = []

    def download(repository, file, dry_run=False):
        if dry_run:
            return SimpleNamespace(will_download=True, file_size=1)
        asked.append((repository, file))
        return str(folder / file.replace("open_clip_model", "model"))

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    monkeypatch.setattr("vlmbias.embedding.hub.getproxies", lambda: {"https": "there"})
    (folder / "words.txt").unlink()
    found = vb.encoder("hf-hub:owner/model", device="cpu", own=True)
    assert asked == [
        ("owner/model", "open_clip_config.json"),
        ("owner/model", "open_clip_model.safetensors"),
    ]
    assert found.name == "hf-hub:owner/model"
    assert found.fingerprint == vb.encoder(str(folder), device="cpu").fingerprint
    change(folder, text_cfg={"hf_model_name": "x"})
    with pytest.raises(ValueError, match="text_cfg has the key 'hf_model_name'"):
        vb.encoder("hf-hub:owner/model", device="cpu", own=True)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", lambda *_, **options: 1 / 0)
    with pytest.raises(
        FileNotFoundError, match="'hf-hub:owner/model' are not on this machine and could not be"
    ):
        vb.encoder("hf-hub:owner/model", device="cpu", own=True)


def test_timm_towers_and_custom_text_are_open_clips(tmp_path):
    """The layout of a SLIP checkpoint, against open_clip's own loader."""
    import torch
    from safetensors.torch import save_file

    timm = {"timm_model_name": "test_vit", "timm_pool": "token", "timm_proj": "linear"}
    config = {
        "embed_dim": 16,
        "quick_gelu": True,
        "custom_text": True,
        "vision_cfg": timm | {"image_size": 160},
        "text_cfg": text_config(WORDS),
    }
    import_open_clip()
    give_to_open_clip("timm")  # another test of this process may have imported open_clip without it
    import open_clip

    plain = {key: value for key, value in config.items() if key != "custom_text"}
    model = open_clip.CustomTextCLIP(**plain)
    save_file(model.state_dict(), tmp_path / "model.safetensors")
    (tmp_path / "open_clip_config.json").write_text(
        json.dumps({"model_cfg": config, "preprocess_cfg": {}})
    )
    (tmp_path / "words.txt").write_text("\n".join(WORDS) + "\n")
    theirs = open_clip.create_model(f"local-dir:{tmp_path}").eval()
    ours = vb.encoder(str(tmp_path), device="cpu")
    pixels = np.random.default_rng(0).integers(0, 256, (2, 160, 160, 3), dtype=np.uint8)
    batch = ours.normalise(pixels)
    with torch.no_grad():
        expected = theirs.encode_image(batch, normalize=True).numpy()
    assert np.array_equal(ours.encode_images(batch), expected)


def test_a_prefix_of_training_on_several_cards_is_told_as_such(folder):
    weights = safetensors.torch.load_file(folder / "model.safetensors")
    named = {f"module.{name}": tensor for name, tensor in weights.items()}
    safetensors.torch.save_file(named, folder / "model.safetensors")
    with pytest.raises(ValueError, match=r"begins with 'module\.'.*take it off"):
        vb.encoder(str(folder), device="cpu")


def test_weights_of_another_architecture_are_told_by_one_name(folder):
    weights = safetensors.torch.load_file(folder / "model.safetensors")
    weights["visual.proj"] = weights["visual.proj"][:, :-1].contiguous()
    safetensors.torch.save_file(weights, folder / "model.safetensors")
    with pytest.raises(ValueError, match=r"does not fit in 1 of .* such as 'visual.proj'"):
        vb.encoder(str(folder), device="cpu")
