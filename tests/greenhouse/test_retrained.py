"""The study, read back: rows in the models' order, unit pictures, means of words left as they are."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from greenhouse import study


@pytest.fixture
def folder(tmp_path):
    """Three models, one of them rejected; two pictures; three words and the neutral prompts."""
    rng = np.random.default_rng(0)
    models = pd.DataFrame({"b": [0.0, 0.0, 1.0], "seed": [5, 6, 7], "accepted": [True, False, True],
                           "logit_scale": [14.0, 15.0, 16.0], "panel_row": [1.0, None, 0.0]})  # fmt: skip
    images = pd.DataFrame({"image": [0, 1], "race": ["teal", None], "kind": ["face", "icon"]})
    words = pd.DataFrame({"word_id": range(4), "slot": ["communion", "communion", "race_kin", "neutral"],
                          "axes": ["warmth", "warmth;positive_communion", "teal", "neutral"],
                          "word": ["warm", "sincere", "tealkin", ""]})  # fmt: skip
    for name, table in (("models", models), ("panel_images", images), ("panel_words", words)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    vectors = {"images": 3 * rng.normal(size=(2, 2, 8)), "words": rng.normal(size=(2, 4, 8))}
    np.savez(tmp_path / "panel.npz", **{name: array.astype(np.float16) for name, array in vectors.items()})
    return tmp_path


def test_models_stand_in_the_order_of_their_vectors(folder):
    read = study.load(folder)
    assert read.models["seed"].tolist() == [7, 5]  # the rejected one has no vectors
    assert read.image_vectors.shape == (2, 2, 8) and read.word_vectors.shape == (2, 4, 8)
    assert "2 models, 2 images, 4 words" in repr(read)


def test_pictures_are_unit_vectors_and_words_are_left_alone(folder):
    read, stored = study.load(folder), np.load(folder / "panel.npz")
    np.testing.assert_allclose(np.linalg.norm(read.image_vectors, axis=2), 1, atol=1e-6)
    raw = stored["images"].astype(float)
    along = (read.image_vectors * raw).sum(axis=2)
    np.testing.assert_allclose(along, np.linalg.norm(raw, axis=2), atol=1e-6)  # the same directions
    assert np.array_equal(read.word_vectors, stored["words"].astype(np.float32))


def test_words_are_found_under_every_axis_they_stand_under(folder):
    read = study.load(folder)
    assert read.words_of("warmth").tolist() == [0, 1] and read.words_of("positive_communion").tolist() == [1]
    assert read.words_of("teal", slot="race_kin").tolist() == [2]
    assert read.words["word"].iloc[-1] == ""  # the neutral prompts have no word, which is not a missing one


def test_an_unknown_axis_or_slot_is_an_error_that_lists_the_known(folder):
    read = study.load(folder)
    with pytest.raises(ValueError, match=r"no word of axis 'joy'; axes: warmth, positive_communion, teal, neutral"):
        read.words_of("joy")
    with pytest.raises(ValueError, match=r"axis 'teal' in slot 'communion' \(slots: communion, race_kin, neutral\)"):
        read.words_of("teal", slot="communion")


def test_missing_files_are_named_with_the_command_that_writes_them(folder):
    (folder / "panel.npz").unlink()
    with pytest.raises(FileNotFoundError, match=r"lacks panel.npz; `vlmbias greenhouse dose-response` writes it"):
        study.load(folder)


def test_tables_that_do_not_fit_the_vectors_are_an_error_with_sizes(folder):
    table = pd.read_csv(folder / "panel_images.csv")
    table.iloc[:1].to_csv(folder / "panel_images.csv", index=False)
    with pytest.raises(ValueError, match=r"\(2, 2, 8\) and \(2, 4, 8\) for 2 models, 1 images and 4 words"):
        study.load(folder)


def test_reading_the_study_needs_no_torch():
    code = "import sys; from greenhouse import study; assert not {'torch', 'vlmbias'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
