"""Pairs of images that differ in one attribute: against a loop, and evenly drawn."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import vlmbias as vb

from . import oracles


def random_images(seed, n=40):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "seed": rng.integers(0, 3, n),
            "race": rng.choice(["teal", "amber"], n),
            "age": rng.choice([0.8, 1.4, 2.0, 3.2], n),
            "smiling": rng.choice([0.0, 1.0], n),
            "subset": rng.choice(["a", "b"], n),  # not an attribute: ignored
        },
        index=rng.permutation(n) + 100,
    )


ATTRIBUTES = ["seed", "race", "age", "smiling"]


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([("seed", None), ("race", None), ("age", None), ("age", 0.6)]),
)
def test_every_pair_is_possible_and_every_possible_first_is_drawn(seed, case):
    by, min_gap = case
    images = random_images(seed)
    possible = {i: oracles.partners(images, i, by, ATTRIBUTES, min_gap) for i in range(len(images))}
    possible = {i: found for i, found in possible.items() if found}
    pairs = vb.one_apart(images, by=by, n=4_000, seed=seed, min_gap=min_gap)
    assert list(pairs.columns) == ["first", "second"] and len(pairs) == 4_000
    drawn = set(zip(pairs["first"], pairs["second"], strict=True))
    assert drawn <= {(i, j) for i, found in possible.items() for j in found}
    assert set(pairs["first"]) == set(possible)


@pytest.mark.parametrize(("by", "min_gap"), [("race", None), ("age", 0.7)])
def test_first_and_second_are_uniform(by, min_gap):
    images = random_images(1)
    pairs = vb.one_apart(images, by=by, n=20_000, seed=3, min_gap=min_gap)
    possible = {i: oracles.partners(images, i, by, ATTRIBUTES, min_gap) for i in range(len(images))}
    possible = {i: found for i, found in possible.items() if found}
    assert chisquare(pairs["first"].value_counts()).pvalue > 1e-4
    observed = pairs.value_counts()
    expected = pd.Series(
        {(i, j): 20_000 / len(possible) / len(f) for i, f in possible.items() for j in f}
    )
    assert chisquare(observed.reindex(expected.index, fill_value=0), expected).pvalue > 1e-4


def test_a_gap_must_be_exceeded_and_rounding_does_not_exceed_it():
    images = pd.DataFrame({"age": [0.1, 1.1, 2.1]})  # 1.1 − 1.0 is 0.10000000000000009 in floats
    pairs = vb.one_apart(images, by="age", n=200, seed=0, min_gap=1.0)
    assert set(zip(pairs["first"], pairs["second"], strict=True)) == {(0, 2), (2, 0)}
    with pytest.raises(ValueError, match=r"differ in 'age' by more than 1\.0"):
        vb.one_apart(images[:2], by="age", n=3, seed=0, min_gap=1.0)


def test_images_without_a_value_are_left_out_and_missing_values_agree():
    images = pd.DataFrame(
        {"seed": [1, 1, 1, 2], "age": [1.0, 2.0, np.nan, 3.0], "pose": [np.nan] * 4}
    )
    pairs = vb.one_apart(images, by="age", n=100, seed=0)
    assert set(zip(pairs["first"], pairs["second"], strict=True)) == {(0, 1), (1, 0)}


def test_image_sets_are_welcome_and_seeds_repeat():
    images = random_images(2)
    first = vb.one_apart(SimpleNamespace(table=images), by="seed", n=50, seed=5)
    pd.testing.assert_frame_equal(first, vb.one_apart(images, by="seed", n=50, seed=5))
    assert not first.equals(vb.one_apart(images, by="seed", n=50, seed=6))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"by": "subset"}, ValueError, "'seed', 'race', 'age', 'smiling'; got 'subset'"),
        ({"by": "race", "min_gap": 1}, ValueError, "min_gap=1 needs numbers; 'race'"),
        ({"by": "age", "min_gap": float("nan")}, ValueError, "got nan"),
    ],
)
def test_errors_name_value_and_rule(change, error, words):
    with pytest.raises(error, match=words):
        vb.one_apart(random_images(0), **{"n": 5, "seed": 0, **change})


def test_no_images_no_pairs():
    with pytest.raises(ValueError, match="no two of the 0 images"):
        vb.one_apart(random_images(0)[:0], by="race", n=1, seed=0)
    with pytest.raises(TypeError, match="got list"):
        vb.one_apart([1, 2], by="race", n=1, seed=0)
