"""A tiny random model in the Greenhouse's checkpoint format, and photos of every kind."""

import json

import pytest

WORDS = ["<pad>", "a", "friendly", "high-status", "of", "person", "photo", "teal", "warm", "<end>"]


def text_config(words):
    """The text tower of every tiny model."""
    size = {"context_length": 16, "vocab_size": len(words)}
    return size | {"width": 32, "heads": 2, "layers": 1}


def write_checkpoint(folder, *, seed=0, image_size=64, words=WORDS, dtype=None):
    """An open_clip folder as greenhouse.train writes one, with random weights."""
    import torch
    from safetensors.torch import save_file

    from vlmbias.embedding.torchvision_shim import make_torchvision_importable

    make_torchvision_importable()
    import open_clip

    size = {"image_size": image_size, "patch_size": 16}
    vision = size | {"width": 32, "layers": 1, "head_width": 16}
    config = {"embed_dim": 16, "vision_cfg": vision, "text_cfg": text_config(words)}
    folder.mkdir(parents=True, exist_ok=True)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = open_clip.CLIP(**config)
    weights = {
        name: tensor.to(dtype or torch.float16).contiguous()
        for name, tensor in model.state_dict().items()
    }
    save_file(weights, folder / "model.safetensors")
    preprocessing = {"mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25], "interpolation": "bicubic"}
    (folder / "open_clip_config.json").write_text(
        json.dumps({"model_cfg": config, "preprocess_cfg": preprocessing})
    )
    (folder / "words.txt").write_text("\n".join(words) + "\n")
    (folder / "card.json").write_text("{}")
    return folder


def change(folder, **parts):
    """Edit a folder's configuration: `change(folder, text_cfg={"width": 8})`."""
    path = folder / "open_clip_config.json"
    config = json.loads(path.read_text())
    for name, values in parts.items():
        of = config if name == "preprocess_cfg" else config["model_cfg"]
        of[name] = of.get(name, {}) | values
    path.write_text(json.dumps(config))
    return config


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    return write_checkpoint(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def tiny(checkpoint):
    import vlmbias as vb

    return vb.encoder(str(checkpoint), device="cpu")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path / "cache"))
