"""What a process keeps: the same answers as without, and nothing that has changed since."""

import hashlib

import numpy as np
import pytest

import vlmbias as vb
from vlmbias.embedding import encoder, encoders, memory, store

from .conftest import write_checkpoint
from .test_store import Store, content, filled


@pytest.fixture
def loads(monkeypatch):
    """The names of the models that were loaded from their files."""
    names, load = [], encoders.encoder

    def counting(name, **options):
        names.append(name)
        return load(name, **options)

    monkeypatch.setattr(encoders, "encoder", counting)
    return names


def test_a_model_is_loaded_once_and_anew_when_its_files_change(tmp_path, loads):
    folder = write_checkpoint(tmp_path / "m")
    first = encoder(str(folder), device="cpu")
    assert encoder(str(folder), device="cpu") is first and loads == [str(folder)]
    write_checkpoint(tmp_path / "other", seed=9)
    (tmp_path / "other/model.safetensors").replace(folder / "model.safetensors")
    changed = encoder(str(folder), device="cpu")
    fresh = encoders.encoder(str(folder), device="cpu")
    assert changed.fingerprint == fresh.fingerprint != first.fingerprint
    assert (
        changed.weights
        == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
        != first.weights
    )


def test_one_of_ones_own_is_shared_with_nobody(checkpoint):
    shared, mine = (vb.encoder(str(checkpoint), device="cpu", own=own) for own in (False, True))
    mine.network.train()
    assert vb.encoder(str(checkpoint), device="cpu") is shared and not shared.network.training


def test_precisions_are_different_models(checkpoint):
    exact, rough = (
        encoder(str(checkpoint), device="cpu", precision=one) for one in ("float32", "bfloat16")
    )
    assert (exact.precision, rough.precision) == ("float32", "bfloat16")


def test_perceiving_twice_loads_one_model(loads):
    memory._loaded.cache_clear()
    few = vb.images("greenhouse/causalface", seed=[0], subset="prototype")
    viewer = vb.encoder("greenhouse")
    seen = [
        vb.perceive(few, "greenhouse", words)
        for words in ("we_they", "social_perception", "we_they")
    ]
    assert loads == ["greenhouse"] and seen[0].weights == viewer.weights
    assert np.array_equal(seen[0].cosines, seen[2].cosines)


def test_every_shard_is_read_once_and_new_ones_are_found(tmp_path, monkeypatch):
    keys, vectors = filled(tmp_path, seed=1)
    opened, read = [], store.read_regular
    monkeypatch.setattr(store, "read_regular", lambda path: opened.append(path) or read(path))
    for _ in range(3):
        known = memory.remembered(Store(tmp_path))
        assert known.keys() == set(keys)
        assert all(
            np.array_equal(known[key], vector) for key, vector in zip(keys, vectors, strict=True)
        )
    assert len(opened) == 1
    more, _ = filled(tmp_path, seed=2)  # as another process would
    assert memory.remembered(Store(tmp_path)).keys() == {*keys, *more} and len(opened) == 2


def test_two_stores_are_kept_apart(tmp_path):
    one, other = filled(tmp_path / "one", seed=1)[0], filled(tmp_path / "other", seed=2)[0]
    assert memory.remembered(Store(tmp_path / "one")).keys() == set(one)
    assert memory.remembered(Store(tmp_path / "other")).keys() == set(other)
    assert not set(content(6, seed=1)[0]) & set(other)
