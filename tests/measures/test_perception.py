"""Cosines and their differences to neutral prompts: against loops."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import vlmbias as vb

from . import oracles


class Embedded(SimpleNamespace):
    """What the measures ask of `Embeddings`: an array with a table."""

    def __array__(self, dtype=None, copy=None):
        return self.vectors

    def __len__(self):
        return len(self.vectors)


WORDS = {
    "warmth": ["kind", "sincere"],
    "morality": ["sincere", "honest", "fair"],
    "power": ["strong"],
}
TEMPLATES = ["A photo of a {} person.", "A {} person."]


def prompt_table():
    rows = [
        (d, w, t, t.format(w), False)
        for d, words in WORDS.items()
        for w in words
        for t in TEMPLATES
    ]
    rows += [("neutral", "", t, t.format("").replace("  ", " "), True) for t in TEMPLATES]
    return pd.DataFrame(rows, columns=["dimension", "word", "template", "text", "neutral"])


def embedded(n=5, d=7, seed=0):
    """Images with a table, and prompts in shuffled order; the same text has the same vector."""
    rng = np.random.default_rng(seed)
    table = prompt_table().sample(frac=1, random_state=seed)  # an index that is not 0, 1, 2 …
    texts = {text: rng.standard_normal(d) + 1 for text in table["text"].unique()}
    images = pd.DataFrame(
        {"race": rng.choice(["teal", "amber"], n), "age": rng.random(n)}, index=range(10, 10 + n)
    )
    vectors = (rng.standard_normal((n, d)) + 1).astype(np.float32)
    prompts = np.stack([texts[text] for text in table["text"]])
    return Embedded(vectors=vectors, table=images), Embedded(vectors=prompts, table=table)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 6))
def test_cosines_are_averaged_over_templates(seed, n):
    images, prompts = embedded(n, seed=seed)
    expected = oracles.cosines(images.vectors, prompts.vectors, prompts.table)
    found = vb.cosines(images, prompts)
    assert len(found) == len(expected) == n * 7
    for row in found.itertuples():
        assert_allclose(
            row.cosine, expected[row.image, row.dimension, row.word], rtol=1e-10, atol=1e-12
        )


def test_cosines_carry_the_image_table():
    images, prompts = embedded()
    found = vb.cosines(images, prompts)
    assert list(found.columns) == ["image", "race", "age", "dimension", "word", "neutral", "cosine"]
    assert (found["race"].to_numpy() == images.table["race"].to_numpy()[found["image"]]).all()
    assert set(found.loc[found["word"] == "sincere", "dimension"]) == {"warmth", "morality"}
    assert list(images.table.columns) == ["race", "age"]


@pytest.mark.parametrize("relative", [False, True])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000))
def test_delta_cos_is_its_definition(relative, seed):
    images, prompts = embedded(4, seed=seed)
    expected = oracles.delta_cos(images.vectors, prompts.vectors, prompts.table, relative=relative)
    found = vb.delta_cos(images, prompts, relative=relative)
    assert len(found) == len(expected) == 4 * 3
    for row in found.itertuples():
        assert_allclose(row.delta, expected[row.image, row.dimension], rtol=1e-8, atol=1e-9)


def test_blocks_of_images_change_nothing(monkeypatch):
    images, prompts = embedded(11)
    whole = vb.cosines(images, prompts)
    monkeypatch.setattr("vlmbias.measures.perception._BLOCK", 4)
    pd.testing.assert_frame_equal(vb.cosines(images, prompts), whole, rtol=1e-12)


def broken(**changes):
    images, prompts = embedded()
    for name, change in changes.items():
        whose = images if name.startswith("image") else prompts
        setattr(whose, name.split("_")[1], change(getattr(whose, name.split("_")[1])))
    return images, prompts


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"prompt_table": lambda t: t.assign(neutral="no")}, TypeError, "boolean"),
        ({"prompt_table": lambda t: t.assign(neutral=True)}, ValueError, "7 neutral of 7"),
        ({"prompt_vectors": lambda v: v[:, :6]}, ValueError, r"images \(5, 7\), prompts \(…, 6\)"),
        ({"image_vectors": lambda v: v * np.nan}, ValueError, "images.* NaN"),
        ({"image_table": lambda t: t.assign(delta=1)}, ValueError, "rename .* columns delta"),
        ({"image_table": lambda t: t[:3]}, ValueError, "3 rows for 5 vectors"),
    ],
)
def test_errors_print_what_is_wrong(changes, error, words):
    with pytest.raises(error, match=words):
        vb.delta_cos(*broken(**changes))


def test_relative_refuses_a_neutral_cosine_of_zero():
    table = pd.DataFrame({"dimension": "d", "word": ["w", ""], "neutral": [False, True]})
    with pytest.raises(ValueError, match="which is 0 for image 1"):
        vb.delta_cos(
            np.array([[1.0, 1], [1, 0]]), Embedded(vectors=np.eye(2), table=table), relative=True
        )


def test_a_perception_reads_the_same_cosines_four_ways():
    images, prompts = embedded(n=6)
    seen = vb.Perception.of(images, prompts, stimuli="some", model="one")
    expected = oracles.cosines(images.vectors, prompts.vectors, prompts.table)
    adjectives = {word for words in WORDS.values() for word in words}
    for i in range(6):
        word = {w: expected[i, d, w] for d, words in WORDS.items() for w in words}
        neutral = expected[i, "neutral", ""]
        assert_allclose(seen.neutral()[i], neutral)
        assert_allclose(seen.word("honest")[i], word["honest"])
        for d, words in WORDS.items():
            mean = np.mean([word[w] for w in words])
            assert_allclose(seen.raw().loc[i, d], mean)
            assert_allclose(seen.delta().loc[i, d], mean - neutral, atol=1e-12)
            assert_allclose(
                seen.delta(relative=True).loc[i, d], 100 * (mean - neutral) / neutral, atol=1e-9
            )
            # "sincere" stands under two dimensions and counts once
            assert_allclose(
                seen.centred().loc[i, d], mean - np.mean([word[w] for w in adjectives]), atol=1e-12
            )


def test_a_perception_can_be_narrowed_with_its_pictures():
    images, prompts = embedded(n=6)
    seen = vb.Perception.of(images, prompts)
    kept = images.table["race"].to_numpy() == "teal"
    teal = seen.where(kept)
    assert len(teal) == kept.sum() and set(teal.table["race"]) == {"teal"}
    assert_allclose(teal.neutral(), seen.neutral()[kept])
    faces = vb.images("greenhouse/causalface", seed=[0], race="teal")
    words = pd.DataFrame({"dimension": ["d"], "word": ["w"], "neutral": [False]})
    shown = vb.Perception(faces.table, words, np.arange(float(len(faces)))[:, None], images=faces)
    part = shown.where(shown.table["gender"] == "eared")
    assert 0 < len(part) == len(part.images) < len(faces)
    pd.testing.assert_frame_equal(part.images.table, part.table)
    with pytest.raises(ValueError, match="mask must be 6 booleans"):
        seen.where([True, False, True])
    with pytest.raises(ValueError, match=r"no word 'tall'; the words are .*honest"):
        seen.word("tall")
