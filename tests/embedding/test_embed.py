"""Embedding: the same vectors whatever the batch, the order, the store or an interruption."""

import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import vlmbias as vb
from vlmbias.stimuli.decoding import UndecodableImage

from .conftest import write_checkpoint


def one_by_one(encoder, images):
    """The slow, obvious way."""
    shown = (encoder.preprocess(images.decode(row))[None] for row in range(len(images)))
    return np.concatenate([encoder.encode_images(one) for one in shown])


@pytest.fixture
def photos(tmp_path):
    rng = np.random.default_rng(1)
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(11):
        height, width = rng.integers(30, 200, 2)
        Image.fromarray(rng.integers(0, 256, (height, width, 3), dtype=np.uint8)).save(
            folder / f"{number:02}.png"
        )
    (folder / "11.png").write_bytes((folder / "03.png").read_bytes())  # the same picture again
    return vb.images("folder", root=folder)


@pytest.fixture(scope="module")
def faces():
    return vb.images("greenhouse/causalface", seed=0, race="teal")


@pytest.fixture
def counted(tiny, monkeypatch):
    """How many images and texts the model was shown."""
    shown = {"images": 0, "texts": 0}

    def count(kind):
        encode = getattr(tiny, f"encode_{kind}")

        def counting(what):
            shown[kind] += len(what)
            return encode(what)

        monkeypatch.setattr(tiny, f"encode_{kind}", counting)

    count("images")
    count("texts")
    return shown


@pytest.mark.parametrize("batch_size", [5, None])
def test_batches_and_single_pictures_agree(tiny, photos, faces, batch_size):
    for images in (photos, faces):
        embedded = vb.embed(tiny, images, batch_size=batch_size, store=False)
        np.testing.assert_allclose(embedded, one_by_one(tiny, images), atol=1e-6)


def test_repeated_texts_and_pictures_are_embedded_once(tiny, photos, counted):
    texts = ["warm person", "teal", "warm person", "Warm person"]
    embedded = vb.embed(tiny, texts, store=False)
    assert counted["texts"] == 3 and np.array_equal(embedded.vectors[0], embedded.vectors[2])
    np.testing.assert_allclose(embedded, tiny.encode_texts(texts), atol=1e-6)
    vb.embed(tiny, photos, store=False)
    assert counted["images"] == 11 == len(photos) - 1


def test_prompt_sets_keep_their_table(tiny):
    texts = {"text": ["A warm person.", "A person."], "neutral": [False, True]}
    columns = {"dimension": ["x", "neutral"], "word": ["warm", ""], "template": "A {} person."}
    embedded = vb.embed(tiny, vb.PromptSet("mine", pd.DataFrame(columns | texts), "mine"))
    assert embedded.table["neutral"].tolist() == [False, True]
    assert embedded.source == "greenhouse"  # the model is
    np.testing.assert_allclose(embedded, tiny.encode_texts(texts["text"]), atol=1e-6)


def test_the_store_answers_but_for_a_changed_picture_or_model(tiny, photos, counted, tmp_path):
    before = vb.embed(tiny, photos, store=tmp_path / "s")
    again = vb.embed(tiny, photos.where(np.arange(12) > 4), store=tmp_path / "s")
    assert counted["images"] == 11 and np.array_equal(again.vectors, before.vectors[5:])
    Image.new("RGB", (40, 40), "teal").save(photos.paths[0])
    after = vb.embed(tiny, photos, store=tmp_path / "s")
    assert counted["images"] == 12
    assert np.abs(after.vectors[0] - before.vectors[0]).max() > 1e-3
    assert np.array_equal(after.vectors[1:], before.vectors[1:])
    other = vb.encoder(str(write_checkpoint(tmp_path / "m", seed=9)), device="cpu")
    assert (
        np.abs(vb.embed(other, photos, store=tmp_path / "s").vectors - after.vectors).max() > 1e-3
    )


def test_an_interrupted_run_resumes_where_it_stopped(tiny, faces, counted, tmp_path, monkeypatch):
    encode = tiny.encode_images

    def interrupted(batch):
        if counted["images"] >= 40:
            raise KeyboardInterrupt
        return encode(batch)

    with monkeypatch.context() as patch:
        patch.setattr(tiny, "encode_images", interrupted)
        with pytest.raises(KeyboardInterrupt):
            vb.embed(tiny, faces, store=tmp_path, batch_size=10)
    assert counted["images"] == 40
    resumed = vb.embed(tiny, faces, store=tmp_path, batch_size=10)
    assert counted["images"] == len(faces)
    np.testing.assert_allclose(resumed, one_by_one(tiny, faces), atol=1e-6)


def test_an_undecodable_image_is_named(tiny, photos):
    photos.paths[4].write_bytes(photos.paths[4].read_bytes()[:100])
    with pytest.raises(UndecodableImage, match=r"04\.png"):
        vb.embed(tiny, photos)


@pytest.mark.parametrize(
    ("stimuli", "options", "message"),
    [
        (["teal"], {"batch_size": True}, "got True"),
        (["teal"], {"store": True}, "got True"),
        ("teal", {}, "a list of texts, got 'teal'"),
    ],
)
def test_a_wrong_option_is_one_clear_error(tiny, stimuli, options, message):
    with pytest.raises(ValueError, match=message):
        vb.embed(tiny, stimuli, **options)


def test_nothing_gives_nothing(tiny, faces):
    assert vb.embed(tiny, []).vectors.shape == (0, 16)
    assert vb.embed(tiny, faces.where(np.zeros(len(faces), bool))).vectors.shape == (0, 16)


def test_a_file_replaced_between_its_key_and_its_pixels_stores_no_vector(
    tiny, photos, tmp_path, monkeypatch
):
    photos = replace(photos, boxes=((0, 0, 20, 20),) * len(photos))
    expected = vb.embed(tiny, photos, store=False)
    path, other = photos.paths[5], tmp_path / "other.png"
    whole = path.read_bytes()
    Image.new("RGB", (60, 60), "red").save(other)
    keys = vb.ImageSet.keys

    def then_replaced(images, rows=None):
        found = keys(images, rows)
        path.write_bytes(other.read_bytes())
        return found

    with monkeypatch.context() as patch:
        patch.setattr(vb.ImageSet, "keys", then_replaced)
        with pytest.raises(
            UndecodableImage, match=r"05\.png' changed while it was read; embed it again"
        ):
            vb.embed(tiny, photos, store=tmp_path / "s", batch_size=4)
    path.write_bytes(whole)
    after = vb.embed(tiny, photos, store=tmp_path / "s")
    np.testing.assert_allclose(after.vectors, expected.vectors, atol=1e-6)


def test_a_file_replaced_by_one_of_the_same_size_and_date_has_another_key(photos):
    path = photos.paths[0]
    about, whole = path.stat(), path.read_bytes()
    before = photos.keys([0])
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert photos.keys([0]) != before
