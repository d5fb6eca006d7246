"""A checkpoint folder that a stranger made: nothing in it runs, nothing else is opened, nothing is
fetched."""

import json
import pickle
import shutil
import socket
import sys
import types
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import vlmbias as vb
from vlmbias.embedding.torchvision_shim import give_to_open_clip, import_open_clip

from .conftest import WORDS, write_checkpoint


@pytest.fixture
def folder(checkpoint, tmp_path):
    """A copy of the tiny checkpoint; `folder.change(text_cfg={...})` edits its configuration."""
    return shutil.copytree(checkpoint, tmp_path / "stranger")


def change(folder, **parts):
    path = folder / "open_clip_config.json"
    config = json.loads(path.read_text())
    for name, values in parts.items():
        (config if name == "preprocess_cfg" else config["model_cfg"]).setdefault(name, {}).update(
            values
        )
    path.write_text(json.dumps(config))
    return folder


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


@pytest.fixture
def transformers(monkeypatch):
    """A stand-in for `transformers` that, as the real one does, imports a folder's code where it is
    trusted."""
    ran = []

    class AutoTokenizer:
        @staticmethod
        def from_pretrained(source, **options):
            ran.append(options)
            if options.get("trust_remote_code"):
                exec((Path(source) / "tokenization.py").read_text(), {})
            return types.SimpleNamespace(pad_token_id=0)

    module = types.ModuleType("transformers")
    module.AutoTokenizer = AutoTokenizer
    module.__spec__ = None
    monkeypatch.setitem(sys.modules, "transformers", module)
    return ran


def test_a_tokenizer_in_the_folder_does_not_run(folder, transformers, tmp_path):
    (folder / "words.txt").unlink()
    (folder / "tokenization.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    change(
        folder, text_cfg={"hf_tokenizer_name": "x", "tokenizer_kwargs": {"trust_remote_code": True}}
    )
    with pytest.raises(
        ValueError,
        match="text_cfg has the key 'hf_tokenizer_name', which is not taken from a folder",
    ):
        vb.encoder(str(folder), device="cpu")
    assert transformers == [] and not (tmp_path / "ran").exists()


class _Bomb:
    def __reduce__(self):
        return (Path.touch, (self.path,))


@pytest.mark.parametrize(
    "name", ["open_clip_pytorch_model.bin", "open_clip_model.safetensors", "a.safetensors"]
)
def test_only_the_file_that_was_checked_is_loaded(tiny, folder, tmp_path, name):
    if name.endswith(".bin"):
        bomb = _Bomb()
        bomb.path = tmp_path / "ran"
        (folder / name).write_bytes(pickle.dumps(bomb))
    else:
        other = write_checkpoint(tmp_path / "other", seed=99)
        shutil.copy(other / "model.safetensors", folder / name)
    assert vb.encoder(str(folder), device="cpu").fingerprint == tiny.fingerprint
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "architecture", ["hf-hub:timm/vit_tiny_patch16_224", "hf_hub:x/y", "local-dir:/tmp", "nobody"]
)
def test_no_hub_name_in_a_folder_opens_a_socket(folder, no_socket, architecture):
    change(folder, vision_cfg={"timm_model_name": architecture})
    with pytest.raises(
        ValueError, match=f"timm_model_name = '{architecture}' is not an architecture of timm"
    ):
        vb.encoder(str(folder), device="cpu")
    assert no_socket == []


def test_a_whole_folder_opens_no_socket(folder, no_socket):
    assert vb.encoder(str(folder), device="cpu").dimension == 16
    (folder / "words.txt").unlink()
    with pytest.raises(ValueError):
        vb.encoder(str(folder), device="cpu")
    assert no_socket == []


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        (
            "open_clip_config.json",
            "[1]",
            "open_clip_config.json holds a list, not entries with names",
        ),
        (
            "open_clip_config.json",
            '{"model_cfg": ',
            "open_clip_config.json is no JSON, perhaps cut",
        ),
        ("open_clip_config.json", "{}", "open_clip_config.json has no entries under model_cfg"),
        (
            "open_clip_config.json",
            '{"model_cfg": {"vision_cfg": 3}}',
            "open_clip_config.json has no entries under vision",
        ),
        ("card.json", "[]", "card.json holds a list, not entries with names"),
        ("card.json", '{"pairing": ', "card.json is no JSON, perhaps cut short"),
        (
            "card.json",
            '{"pairing": [1]}',
            r"card.json: pairing = \[1\] does not say of each grouping",
        ),
    ],
)
def test_a_file_that_is_no_description_is_named(folder, file, content, message):
    (folder / file).write_text(content)
    with pytest.raises(ValueError, match=f"the checkpoint folder .* cannot be read: {message}"):
        vb.encoder(str(folder), device="cpu")


@pytest.mark.parametrize(
    "name", ["local-dir:{}", "local-dir:{}/openai", "hf-hubs:a/b", "hf_hub:a/b"]
)
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
    assert (
        found.name == "hf-hub:owner/model"
        and found.fingerprint == vb.encoder(str(folder), device="cpu").fingerprint
    )
    change(folder, text_cfg={"hf_model_name": "x"})
    with pytest.raises(ValueError, match="text_cfg has the key 'hf_model_name'"):
        vb.encoder("hf-hub:owner/model", device="cpu", own=True)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", lambda *_, **options: 1 / 0)
    with pytest.raises(
        FileNotFoundError, match="'hf-hub:owner/model' are not on this machine and could not be"
    ):
        vb.encoder("hf-hub:owner/model", device="cpu", own=True)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"vision_cfg": {"act_kwargs": {"x": 1}}}, "vision_cfg has the key 'act_kwargs'"),
        ({"text_cfg": {"width": {"a": 1}}}, "text_cfg: width = .* is not a number"),
        (
            {"text_cfg": {"context_length": 100_000}},
            "context_length = 100000 is not from -1 to 4,096",
        ),
        ({"vision_cfg": {"image_size": 40_000}}, "image_size = 40000 is not from -1 to 4,096"),
        ({"vision_cfg": {"layers": 900_000}}, "layers = 900000 are more than the 38 arrays"),
        ({"vision_cfg": {"layers": [1, 1, 1, 900_000]}}, "are more than the 38 arrays"),
        (
            {"text_cfg": {"vocab_size": 900_000, "width": 900_000}},
            "does not fit in .* weights, such as",
        ),
        ({"preprocess_cfg": {"code": "x"}}, "preprocess_cfg has the key 'code'"),
        (
            {"preprocess_cfg": {"interpolation": "magic"}},
            "interpolation = 'magic' is not one of bicubic, bilinear, random",
        ),
        (
            {"preprocess_cfg": {"resize_mode": "x"}},
            "resize_mode = 'x' is not one of shortest, longest, squash",
        ),
        (
            {"preprocess_cfg": {"mean": "grey"}},
            "mean = 'grey' is neither a number nor three of them",
        ),
        (
            {"preprocess_cfg": {"std": [0.5, 0.5]}},
            r"std = \[0.5, 0.5\] is neither a number nor three of them",
        ),
    ],
)
def test_what_a_configuration_may_not_ask_for(folder, parts, message):
    with pytest.raises(ValueError, match=message):
        vb.encoder(str(change(folder, **parts)), device="cpu")


def test_timm_towers_and_custom_text_are_open_clips(tmp_path):
    """The layout of a SLIP checkpoint, against open_clip's own loader."""
    import torch
    from safetensors.torch import save_file

    config = {
        "embed_dim": 16,
        "quick_gelu": True,
        "custom_text": True,
        "vision_cfg": {
            "timm_model_name": "test_vit",
            "timm_pool": "token",
            "timm_proj": "linear",
            "image_size": 160,
        },
        "text_cfg": {
            "context_length": 16,
            "vocab_size": len(WORDS),
            "width": 32,
            "heads": 2,
            "layers": 1,
        },
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
    batch = ours.normalise(
        np.random.default_rng(0).integers(0, 256, (2, 160, 160, 3), dtype=np.uint8)
    )
    with torch.no_grad():
        assert np.array_equal(
            ours.encode_images(batch), theirs.encode_image(batch, normalize=True).numpy()
        )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (None, "there is no words.txt"),
        (["<pad>", "friendly", "a", *WORDS[3:]], "'a' stands after 'friendly'"),
        ([*WORDS[:2], "a", *WORDS[3:]], "'a' stands after 'a'"),
        (["a", "<pad>", *WORDS[2:]], "must begin with <pad>"),
        ([*WORDS[:-2], "<end>", "warm"], "end with <end>"),
    ],
)
def test_words_that_are_missing_or_in_another_order_are_named(folder, words, message):
    (folder / "words.txt").unlink()
    if words:
        (folder / "words.txt").write_text("\n".join(words) + "\n")
    with pytest.raises(ValueError, match=message):
        vb.encoder(str(folder), device="cpu")


def test_a_pipe_in_place_of_the_weights_is_not_waited_for(folder):
    import os

    (folder / "words.txt").unlink()
    os.mkfifo(folder / "words.txt")
    with pytest.raises(ValueError, match=r"there is no words\.txt"):
        vb.encoder(str(folder), device="cpu")


def test_a_relative_folder_is_the_same_from_a_notebook_as_from_the_root(
    tiny, folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    (tmp_path / "notebooks/paper").mkdir(parents=True)
    for here in (tmp_path, tmp_path / "notebooks/paper"):
        monkeypatch.chdir(here)
        assert vb.encoder(folder.name, device="cpu").fingerprint == tiny.fingerprint
