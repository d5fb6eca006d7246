"""Retrained networks, read from small tables: which are asked for, and rows in their order.

That what was trained is read back is in `test_dose_response.py`."""

import numpy as np
import pandas as pd
import pytest

from greenhouse import retrained


@pytest.fixture
def folder(tmp_path):
    """Four networks, one of them rejected and one of an arm; two pictures; three words and the
    neutral prompts."""
    rng = np.random.default_rng(0)
    networks = pd.DataFrame(
        {
            "kind": ["b0", "b0", "b1", "arm"],
            "b": [0.0, 0.0, 1.0, 0.0],
            "arm": ["none", "none", "none", "neutral"],
            "seed": [5, 6, 7, 8],
            "accepted": [True, False, True, True],
            "logit_scale": [14.0, 15.0, 16.0, 20.0],
            "kept": [True, False, True, True],
            "shows": [True, False, False, False],
            "has_vectors": [True, False, True, False],
            "pairing": ["drawn", "drawn", "drawn", "plain"],
        }
    )
    images = pd.DataFrame({"image": [0, 1], "race": ["teal", None], "kind": ["face", "icon"]})
    words = pd.DataFrame(
        {
            "word_id": range(4),
            "slot": ["communion", "communion", "race_kin", "neutral"],
            "axes": ["warmth", "warmth;positive_communion", "teal", "neutral"],
            "word": ["warm", "sincere", "tealkin", ""],
        }
    )
    for name, table in (
        ("networks", networks),
        ("vector_images", images),
        ("vector_words", words),
    ):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    np.savez(
        tmp_path / "vectors.npz",
        images=rng.integers(-127, 128, (2, 2, 8)).astype(np.int8),
        words=rng.integers(-127, 128, (2, 4, 8)).astype(np.int8),
        images_step=np.full((2, 2), 0.003, np.float32),
        words_step=np.full((2, 4), 0.001, np.float32),
    )
    return tmp_path


def test_networks_are_those_that_were_kept_and_none_is_a_word(folder):
    assert retrained.networks(folder)["seed"].tolist() == [5, 7]
    assert retrained.networks(folder, pairing="plain")["seed"].tolist() == [8]
    assert retrained.networks(folder, pairing=None)["seed"].tolist() == [5, 7, 8]
    assert retrained.networks(folder, pairing=None, rejected=True)["seed"].tolist() == [5, 6, 7, 8]
    conditions = retrained.networks(folder, pairing=None)["condition"].tolist()
    assert conditions == ["none", "none", "neutral"]
    with pytest.raises(ValueError, match=r"pairing='fixed'; there are 'drawn', 'plain' and None"):
        retrained.networks(folder, pairing="fixed")


def test_whole_numbers_come_back_from_their_halves():
    steps = np.array([-32768, -257, -256, -1, 0, 1, 255, 256, 32767], np.int16)
    low, high = retrained.split(steps)
    assert low.dtype == np.uint8 and high.dtype == np.int8
    assert retrained.joined(low, high).dtype == np.int16 and np.array_equal(
        retrained.joined(low, high), steps
    )


@pytest.mark.parametrize(
    ("reader", "file"), [(retrained.gaps, "gaps.csv.gz"), (retrained.recovery, "recovery.csv.gz")]
)
def test_tables_are_read_for_the_pairing_that_is_asked_for(folder, reader, file):
    pd.DataFrame({"seed": [5, 8], "arm": "none", "pairing": ["drawn", "plain"]}).to_csv(
        folder / file, index=False
    )
    found = {
        pairing: reader(folder, pairing=pairing)["seed"].tolist()
        for pairing in ("drawn", "plain", None)
    }
    assert found == {"drawn": [5], "plain": [8], None: [5, 8]}
    assert reader(folder)["seed"].tolist() == [5]


def test_networks_stand_in_the_order_of_their_vectors(folder):
    read = retrained.vectors(folder)
    # neither the rejected one nor the arm has vectors
    assert read.networks["seed"].tolist() == [5, 7]
    assert read.image_vectors.shape == (2, 2, 8) and read.word_vectors.shape == (2, 4, 8)
    one = read.where(read.networks["b"] == 1)
    assert one.networks["seed"].tolist() == [7] and np.array_equal(
        one.word_vectors, read.word_vectors[1:]
    )
    assert np.array_equal(one.image_vectors, read.image_vectors[1:])


def test_cosines_are_dot_products(folder):
    read = retrained.vectors(folder)
    found = read.cosines(np.array([1]), np.array([2, 0]))
    assert found.shape == (2, 1, 2)
    for network in range(2):
        for k, word in enumerate((2, 0)):
            by_hand = sum(
                a * b
                for a, b in zip(
                    read.image_vectors[network, 1], read.word_vectors[network, word], strict=True
                )
            )
            assert found[network, 0, k] == pytest.approx(by_hand, abs=1e-6)


def test_words_are_found_under_every_axis_they_stand_under(folder):
    read = retrained.vectors(folder)
    assert read.words_of("warmth").tolist() == [0, 1] and read.words_of(
        "positive_communion"
    ).tolist() == [1]
    assert read.words_of("teal", slot="race_kin").tolist() == [2]
    assert (
        read.words["word"].iloc[-1] == ""
    )  # the neutral prompts have no word, which is not a missing one
