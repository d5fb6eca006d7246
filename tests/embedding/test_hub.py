"""Weights from the hub: damaged ones are refused, a full disk is called one, and what takes long is
announced."""

import errno
import hashlib
from types import SimpleNamespace

import huggingface_hub
import numpy as np
import pytest
from huggingface_hub import constants
from huggingface_hub.errors import LocalEntryNotFoundError, RemoteEntryNotFoundError
from rehearsal.networks import TINY

import vlmbias as vb
from vlmbias.embedding import encoders, hub

from .conftest import write_checkpoint

MODEL, REPOSITORY = "RN50-quickgelu/openai", "timm/resnet50_clip.openai"


def cached(
    cache, content, *, repository=REPOSITORY, file="open_clip_model.safetensors", shared=False
):
    """Put a file where the hub's library keeps it; the names of the large ones are their
    SHA-256."""
    home = cache / f"models--{repository.replace('/', '--')}"
    pointer = home / "snapshots" / ("0" * 40) / file
    blob = home / "blobs" / hashlib.sha256(content).hexdigest()
    for folder in (pointer.parent, blob.parent, home / "refs"):
        folder.mkdir(parents=True, exist_ok=True)
    (home / "refs/main").write_text("0" * 40)
    real = cache / "blobs" / "ab" / ("ab" * 32) if shared else blob
    real.parent.mkdir(parents=True, exist_ok=True)
    real.write_bytes(content)
    if shared:
        blob.symlink_to(real)
    pointer.symlink_to(blob)
    return real


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of one's own, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "hub"


@pytest.mark.parametrize(
    "shared", [False, True], ids=["in its repository", "in the store that repositories share"]
)
def test_a_file_whose_content_is_not_what_its_name_says_is_refused(cache, shared):
    blob = cached(cache, b"weights " * 99, shared=shared)
    found = hub.fetched(REPOSITORY, ["open_clip_model.safetensors"], name="m")
    assert found.read_bytes() == b"weights " * 99
    expected = hashlib.sha256(b"weights " * 99).hexdigest()
    damaged = b"weights " * 50 + bytes(8 * 49)
    blob.write_bytes(damaged)
    with pytest.raises(hub.Damaged) as problem:
        hub.fetched(REPOSITORY, ["open_clip_model.safetensors"], name="m")
    named = (str(blob), expected, hashlib.sha256(damaged).hexdigest(), "delete that file")
    assert all(one in str(problem.value) for one in named)
    for look in (vb.encoder, encoders.present):
        with pytest.raises(ValueError, match="is damaged: its SHA-256"):
            look(MODEL)


def test_a_file_that_is_not_named_by_its_content_is_taken(cache):
    blob = cached(cache, b"{}", file="open_clip_config.json")
    pointer = next(cache.rglob("open_clip_config.json"))
    blob.rename(blob.with_name("f" * 40))
    pointer.unlink()
    pointer.symlink_to(blob.with_name("f" * 40))
    assert hub.fetched(REPOSITORY, ["open_clip_config.json"], name="m").read_bytes() == b"{}"


def test_weights_of_the_hub_are_loaded_as_open_clip_does_and_known_by_their_checksum(
    cache, monkeypatch
):
    import open_clip
    import torch
    from safetensors.torch import save

    small = TINY["RN50-quickgelu"]
    monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, "RN50-quickgelu", small)
    with torch.random.fork_rng():
        torch.manual_seed(7)
        plain = open_clip.create_model("RN50-quickgelu", pretrained=None)
    content = save({name: one.contiguous() for name, one in plain.state_dict().items()})
    cached(cache, content)
    expected = open_clip.create_model("RN50-quickgelu", pretrained="openai").eval()
    found = vb.encoder(MODEL, device="cpu", own=True)
    assert found.network.visual.preprocess_cfg == expected.visual.preprocess_cfg
    tokens = open_clip.get_tokenizer("RN50-quickgelu")(["a photo"])
    with torch.no_grad():
        np.testing.assert_allclose(
            found.encode_texts(["a photo"]), expected.encode_text(tokens, normalize=True), atol=1e-6
        )
    assert found.weights == encoders.present(MODEL) == hashlib.sha256(content).hexdigest()


def answering(monkeypatch, error):
    """A hub that has every file, and fails to send it; the names that are asked for."""
    asked = []

    def hf_hub_download(repository, file, dry_run=False):
        if not dry_run:
            raise error
        asked.append(file)
        return SimpleNamespace(will_download=True, file_size=605_000_000)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", hf_hub_download)
    monkeypatch.setattr(hub, "getproxies", lambda: {"https": "there"})
    return asked


def test_a_disk_without_room_is_told_before_the_download(cache, monkeypatch):
    answering(monkeypatch, AssertionError("downloaded"))
    monkeypatch.setattr(hub.shutil, "disk_usage", lambda place: SimpleNamespace(free=120_000_000))
    with pytest.raises(hub.NoRoom, match=r"605 MB .* 120 MB are free; .* HF_HOME"):
        vb.encoder(MODEL)


def test_a_disk_that_fills_up_is_a_full_disk_and_no_missing_file(cache, monkeypatch):
    cache.mkdir()
    error = RuntimeError("Data processing error: No space left on device (os error 28)")
    error.__cause__ = OSError(errno.EIO, "x")
    free = iter([10**12, 5_000_000])
    asked = answering(monkeypatch, error)
    monkeypatch.setattr(hub.shutil, "disk_usage", lambda place: SimpleNamespace(free=next(free)))
    with pytest.raises(hub.NoRoom, match=r"605 MB .* 5 MB are free"):
        vb.encoder(MODEL)
    assert asked == ["open_clip_model.safetensors"], "the other name is not tried"


def test_another_name_is_tried_where_the_repository_has_no_first_one(cache, monkeypatch, tmp_path):
    (tmp_path / "w").write_bytes(b"w")
    answer = SimpleNamespace(headers={}, request=None, status_code=404)

    def hf_hub_download(repository, file, dry_run=False):
        if file.endswith(".safetensors"):
            raise RemoteEntryNotFoundError("no", response=answer)
        return SimpleNamespace(will_download=False, local_path=str(tmp_path / "w"))

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", hf_hub_download)
    assert hub.fetched("a/b", ["m.safetensors", "m.bin"], name="m") == tmp_path / "w"


def test_without_the_hub_the_cache_is_looked_at_for_every_name(cache, monkeypatch):
    names = ["open_clip_model.safetensors", "open_clip_model.bin"]
    with pytest.raises(LocalEntryNotFoundError) as problem:
        hub.fetched(REPOSITORY, names, name="m")
    assert constants.HF_HUB_OFFLINE and names[1] not in str(problem.value), "the first error"
    cached(cache, b"w", file=names[1])
    assert hub.fetched(REPOSITORY, names, name="m").read_bytes() == b"w"


def test_presence_is_looked_for_without_loading(tmp_path, monkeypatch):
    folder = write_checkpoint(tmp_path / "m")
    monkeypatch.setattr(encoders.checkpoints, "load", lambda *_, **options: 1 / 0)
    weights = (folder / "model.safetensors").read_bytes()
    assert encoders.present(str(folder)) == hashlib.sha256(weights).hexdigest()
    assert encoders.present("RN50/random") == ""
    (folder / "model.safetensors").unlink()
    with pytest.raises(FileNotFoundError, match=r"lacks model\.safetensors"):
        encoders.present(str(folder))
    with pytest.raises(ValueError, match="did you mean greenhouse"):
        encoders.present("grenhouse")
