"""The store: what comes out is what went in, whatever happens to the process or the disk."""

import hashlib
import multiprocessing
import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlmbias.embedding import store


def Store(folder):
    return store.Store(folder, 4)


def content(n, d=4, seed=0):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n, d))
    return [rng.bytes(32).hex() for _ in range(n)], (
        vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    ).astype(np.float32)


def filled(folder, n=6, seed=0):
    keys, vectors = content(n, seed=seed)
    with Store(folder) as one:
        one.add(keys, vectors)
    return keys, vectors


@settings(max_examples=20, deadline=None)
@given(sizes=st.lists(st.integers(0, 5), max_size=4))
def test_what_went_in_comes_out(tmp_path_factory, sizes):
    folder, expected = tmp_path_factory.mktemp("s"), {}
    for seed, size in enumerate(sizes):
        expected.update(zip(*filled(folder, size, seed), strict=True))
    found = Store(folder).read()
    assert found.keys() == expected.keys()
    assert all(np.array_equal(found[key], expected[key]) for key in expected)


def test_every_shard_is_read_once_and_new_ones_are_found(tmp_path, monkeypatch):
    keys, vectors = filled(tmp_path, seed=1)
    opened, read = [], store.read_regular
    monkeypatch.setattr(store, "read_regular", lambda path: opened.append(path) or read(path))
    for _ in range(3):
        known = Store(tmp_path).read()
        assert known.keys() == set(keys)
        assert all(
            np.array_equal(known[key], vector) for key, vector in zip(keys, vectors, strict=True)
        )
    assert len(opened) == 1
    more, _ = filled(tmp_path, seed=2)  # as another process would
    assert Store(tmp_path).read().keys() == {*keys, *more} and len(opened) == 2


def test_shards_are_written_as_rows_come_in(tmp_path, monkeypatch):
    monkeypatch.setattr("vlmbias.embedding.store._ROWS_PER_SHARD", 3)
    keys, vectors = content(7)
    store = Store(tmp_path)  # not closed: what a killed process leaves
    for row in range(7):
        store.add([keys[row]], vectors[row : row + 1])
    assert set(Store(tmp_path).read()) == set(keys[:6])


def test_an_exception_keeps_what_was_done(tmp_path):
    keys, vectors = content(2)
    with pytest.raises(KeyboardInterrupt), Store(tmp_path) as store:
        store.add(keys, vectors)
        raise KeyboardInterrupt
    assert set(Store(tmp_path).read()) == set(keys)


def test_a_shard_of_which_a_byte_is_another_or_gone_is_named_and_dropped(tmp_path):
    kept, _ = filled(tmp_path, seed=1)
    (first,) = tmp_path.glob("*.safetensors")
    filled(tmp_path, 1, seed=2)
    (shard,) = {*tmp_path.glob("*.safetensors")} - {first}
    whole = shard.read_bytes()
    changed = (whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in range(len(whole)))
    for harmed in (whole[:-1], b"", *changed):
        shard.write_bytes(harmed)
        with pytest.warns(UserWarning, match=rf"{shard.name}.* damaged"):
            assert set(Store(tmp_path).read()) == set(kept)
        assert not shard.exists() and first.exists()


def test_where_nothing_can_be_kept_a_warning_says_so_once_and_nothing_is_left(
    tmp_path, monkeypatch
):
    error = OSError(28, "No space left on device")

    def fails(*arguments):
        raise error

    keys, vectors = content(4)
    with (
        monkeypatch.context() as patch,
        pytest.warns(UserWarning, match=rf"cannot be kept in .*{error.strerror}") as said,
    ):
        patch.setattr(os, "replace", fails)
        patch.setattr("vlmbias.embedding.store._ROWS_PER_SHARD", 2)
        with Store(tmp_path) as store:
            store.add(keys[:2], vectors[:2])
            store.add(keys[2:], vectors[2:])
    assert len(said) == 1 and list(tmp_path.iterdir()) == []


def named_by_its_content(folder, arrays):
    from safetensors.numpy import save

    whole = arrays if isinstance(arrays, bytes) else save(arrays)
    path = folder / f"{hashlib.sha256(whole).hexdigest()}.safetensors"
    path.write_bytes(whole)
    return path


KEYS = np.arange(64, dtype=np.uint8).reshape(2, 32)
UNIT = np.eye(2, 4, dtype=np.float32)


@pytest.mark.parametrize(
    ("arrays", "what"),
    [
        (
            {"keys": KEYS, "vectors": np.where(UNIT == 1, np.nan, UNIT).astype(np.float32)},
            "not unit vectors",
        ),
        ({"keys": KEYS, "vectors": UNIT * np.float32(1.001)}, "not unit vectors"),
        ({"keys": KEYS, "vectors": UNIT.astype(np.float64)}, "not 4 float32 per key: float64"),
        ({"keys": KEYS[:, :31].copy(), "vectors": UNIT}, "not 4 float32 per key"),
        ({"keys": KEYS}, "no shard: 'vectors'"),
        (b"anything", "no shard"),
    ],
)
def test_a_shard_whose_name_fits_is_not_trusted_for_that(tmp_path, arrays, what):
    kept, _ = filled(tmp_path)
    forged = named_by_its_content(tmp_path, arrays)
    with pytest.warns(UserWarning, match=rf"{forged.name}.* are damaged \({what}"):
        assert set(Store(tmp_path).read()) == set(kept)
    assert not forged.exists()
    whole = named_by_its_content(tmp_path, {"keys": KEYS, "vectors": UNIT})
    assert len(Store(tmp_path).read()) == len(kept) + 2 and whole.exists()


def test_other_peoples_files_are_left_alone(tmp_path):
    kept, _ = filled(tmp_path)
    for name in (
        "model.safetensors",
        "0" * 63 + ".safetensors",
        "G" * 64 + ".safetensors",
        "notes.txt",
    ):
        (tmp_path / name).write_bytes(b"mine")
    os.mkfifo(tmp_path / ("a" * 64 + ".safetensors"))
    with pytest.warns(UserWarning, match="aaa.*cannot be read") as said:
        assert set(Store(tmp_path).read()) == set(kept)
    assert len(said) == 1 and len(list(tmp_path.iterdir())) == 6


def _write(folder, start):
    keys, vectors = content(60)
    for row in range(start, 60):  # one shard per row, some the same as the other process's
        with Store(folder) as store:
            store.add([keys[row]], vectors[row : row + 1])


def test_processes_that_write_at_once_while_another_reads(tmp_path):
    context = multiprocessing.get_context("fork")  # nothing to import again
    both = [context.Process(target=_write, args=(tmp_path, start)) for start in (0, 20)]
    for process in both:
        process.start()
    expected = dict(zip(*content(60), strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        while any(process.is_alive() for process in both):
            assert all(
                np.array_equal(expected[key], vector)
                for key, vector in Store(tmp_path).read().items()
            )
        assert [process.exitcode for process in both] == [0, 0]
        assert Store(tmp_path).read().keys() == expected.keys()
    assert all(path.suffix == ".safetensors" for path in tmp_path.iterdir())
