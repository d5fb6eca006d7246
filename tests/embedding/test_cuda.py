"""With a GPU: the device that is chosen, the batches, and what goes there and comes back."""

import numpy as np
import pytest
from fake_cuda import FakeCuda, on_cuda

import vlmbias as vb

from .conftest import write_checkpoint


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A model of larger pictures, which on the CPU come in small batches."""
    return str(write_checkpoint(tmp_path_factory.mktemp("large"), image_size=112))


@pytest.fixture(scope="module")
def faces():
    return vb.images("greenhouse/causalface", seed=range(5), race="teal")


def batches(encoder, stimuli):
    """The vectors, and the lengths of the batches that the model was shown."""
    lengths, encode = [], encoder.encode_images
    encoder.encode_images = lambda batch: lengths.append(len(batch)) or encode(batch)
    return vb.embed(encoder, stimuli, store=False).vectors, lengths


def test_auto_takes_the_gpu_where_there_is_one(large):
    assert vb.encoder(large, own=True).device == "cpu"
    with FakeCuda():
        found = vb.encoder(large, own=True)
        assert found.device == "cuda" and all(map(on_cuda, found.network.state_dict().values()))
        assert vb.encoder(large, device="cpu", own=True).device == "cpu"


def test_on_cuda_the_same_vectors_come_back_from_batches_of_256(large, faces):
    assert len(faces) == 300
    here = vb.encoder(large, device="cpu", own=True)
    vectors, lengths = batches(here, faces)
    assert lengths == [32] * 9 + [12]
    with FakeCuda():
        there = vb.encoder(large, own=True)
        found, on_gpu = batches(there, faces)
        assert on_gpu == [256, 44] and there.fingerprint == here.fingerprint
        texts = there.encode_texts(["a warm person", "a photo"])
    np.testing.assert_allclose(found, vectors, atol=1e-6)
    np.testing.assert_allclose(texts, here.encode_texts(["a warm person", "a photo"]), atol=1e-6)
