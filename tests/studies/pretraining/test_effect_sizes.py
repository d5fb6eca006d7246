"""Effect sizes, one score at a time on made-up vectors in which everything differs."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.pretraining import effect_sizes as study
from studies.pretraining.effect_sizes import Targets
from vlmbias.embedding.embed import Embeddings
from vlmbias.stimuli.imageset import ImageSet


def d_of(x, y):
    """The effect size, from its definition."""
    both = [*x, *y]
    centre = sum(both) / len(both)
    spread = math.sqrt(sum((one - centre) ** 2 for one in both) / (len(both) - 1))
    return (sum(x) / len(x) - sum(y) / len(y)) / spread


def test_cells_are_the_printed_ones_in_the_figures_order():
    rows = [
        ("old.race.all-text.mean", "−.265", 393),
        ("old.race.all-text.sd", ".427", 393),
        ("new.race.text-target.sd", ".450", 393),
        ("new.race.text-target.mean", ".242", 393),
        ("new.age.all-image.mean", "-.368", 131),
        ("new.age.all-image.sd", ".797", 131),
        ("models", "131", None),
        ("table2.age.mean", "0.007", None),
    ]
    claims = pd.DataFrame(rows, columns=["id", "value", "n"])
    claims["id"] = "effect_sizes." + claims["id"]
    assert study.cells(claims).values.tolist() == [
        ["new", "race", "text-target", 393, 0.242, 0.450],
        ["new", "age", "all-image", 131, -0.368, 0.797],
        ["old", "race", "all-text", 393, -0.265, 0.427],
    ]


def stimuli(table):
    return ImageSet("made up", table, "made up")


def embed(of):
    """Vectors that depend on the text (or the name) alone."""
    names = of.table["text"] if "text" in of.table else of.table["name"]
    seeds = [[*str(name).encode()] for name in names]
    vectors = np.array([np.random.default_rng(own).normal(size=4) for own in seeds])
    return Embeddings(vectors, of.table, "made up", "made up")


def sentences(side, n_words, n_sentences=2):
    rows = [
        (side, f"{side}{word}", f"{side}{word} {k}")
        for word in range(n_words)
        for k in range(n_sentences)
    ]
    return stimuli(pd.DataFrame(rows, columns=["dimension", "word", "text"]))


def pictures(side, n):
    return stimuli(pd.DataFrame({"name": [f"{side}{k}" for k in range(n)]}))


ATTRIBUTES = {
    "image": (pictures("fair", 3), pictures("foul", 4)),
    "text": (sentences("good", 2), sentences("bad", 3)),
}
TARGETS = [
    Targets("race", "image", "faces", pictures("x", 6), pictures("y", 7)),
    Targets("gender", "text", "names", sentences("she", 6), sentences("he", 5)),
    Targets("gender", "text", "terms", sentences("her", 2), sentences("him", 3)),
]


def scored(side, attributes, end=""):
    """s of every item, from cosines one at a time."""

    def vectors(one):
        text = "text" in one.table
        return np.asarray(
            embed(stimuli(one.table.assign(text=one.table["text"] + end)) if text else one)
        )

    def cosine(a, b):
        return a @ b / np.sqrt((a @ a) * (b @ b))

    W, A, B = map(vectors, (side, *attributes))
    return [np.mean([cosine(w, a) for a in A]) - np.mean([cosine(w, b) for b in B]) for w in W]


def asked(targets=TARGETS, **choices):
    """All tests on made-up stimuli; what is not chosen is as in the paper."""
    plain = dict(end="", turned=(), ddof=1, n_resamples=50, seed=3, alternative="greater")
    return study.run(targets, ATTRIBUTES, embed, **plain | {"n_permutations": 300} | choices)


@pytest.mark.parametrize("end", ["", "."])
def test_every_test_is_the_papers_formula_in_all_four_orders(end):
    found = asked(end=end)
    orders = ["all-image", "all-text", "all-text", "image-target", "text-target", "text-target"]
    assert found["order"].tolist() == orders
    targets = {one.called: one for one in TARGETS}
    for row in found.itertuples():
        against = "image" if row.order in ("all-image", "text-target") else "text"
        target = targets[row.targets]
        x, y = (scored(side, ATTRIBUTES[against], end) for side in (target.X, target.Y))
        assert row.d == pytest.approx(d_of(x, y))
        assert row.gap == pytest.approx(np.mean(x) - np.mean(y))
        assert row.category == target.category
    assert found["n"].tolist() == [6, 10, 4] * 2
    assert found["units"].tolist() == [6, 5, 2] * 2
    assert np.isnan(found["low"]).tolist() == [False, False, True] * 2
    given = found.dropna()
    assert (given["low"] < given["d"]).all()
    assert (given["d"] < given["high"]).all()


def test_a_turned_test_keeps_d_and_has_the_p_of_the_other_tail():
    plain, turned, other = asked(), asked(turned=("gender",)), asked(alternative="less")
    for name in ("d", "gap", "low", "high"):
        np.testing.assert_allclose(turned[name], plain[name])
    exact = plain["exact"] & (plain["category"] == "gender")
    assert exact.any()
    assert turned.loc[exact, "p"].tolist() == pytest.approx(other.loc[exact, "p"].tolist())
    of_gender = [one.category == "gender" for one in TARGETS]
    swapped = [
        replace(one, X=one.Y, Y=one.X) if turn else one
        for one, turn in zip(TARGETS, of_gender, strict=True)
    ]
    assert turned["p"].tolist() == asked(swapped)["p"].tolist()


def test_the_divisor_is_the_one_asked_for():
    n = np.array([13, 22, 10] * 2)
    np.testing.assert_allclose(asked(ddof=0)["d"] / asked()["d"], np.sqrt(n / (n - 1)))


def test_an_interval_draws_units_with_all_their_items():
    rng = np.random.default_rng(2)
    scores, units = (
        [rng.normal(1, 1, 12), rng.normal(0, 1, 10)],
        [np.repeat(range(6), 2), np.repeat(range(5), 2)],
    )
    drawn = [vb.cluster_weights(own, n_resamples=80, seed=[7, k]) for k, own in enumerate(units)]
    slow = [
        d_of(np.repeat(scores[0], x), np.repeat(scores[1], y)) for x, y in zip(*drawn, strict=True)
    ]
    found = study.interval(scores, units, ddof=1, n_resamples=80, seed=7)
    assert found == pytest.approx(tuple(np.quantile(slow, [0.025, 0.975])))
    assert np.isnan(study.interval(scores, units, ddof=1, n_resamples=80, seed=7, fewest=6)).all()


def test_images_are_taken_in_turn():
    rows = [
        (seed, race, gender, age)
        for race in "ab"
        for gender in "mf"
        for seed in range(3)
        for age in (1, 2, 3)
    ]
    faces = stimuli(pd.DataFrame(rows, columns=["seed", "race", "gender", "age"]))
    taken = study.of_kind(faces, "race", "a", 5).table
    assert set(taken["race"]) == {"a"}
    assert sorted(taken["gender"].value_counts()) == [2, 3]
    assert len(study.of_kind(faces, "race", "a", 99)) == 18
    plain = stimuli(pd.DataFrame({"category": ["flower", "insect"] * 4, "number": range(8)}))
    assert study.of_kind(plain, "category", "insect", 3).table["number"].tolist() == [1, 3, 5]


def test_prompts_of_one_side_or_of_its_first_words():
    both = stimuli(
        pd.concat([sentences("she", 3).table, sentences("he", 4).table], ignore_index=True)
    )
    assert len(study.of_side(both, "he")) == 8
    assert study.of_side(both, "he", 2).table["word"].unique().tolist() == ["he0", "he1"]


@pytest.mark.parametrize("kind", ["image", "text"])
@pytest.mark.parametrize("against", ["image", "text"])
def test_each_network_has_the_effect_size_of_its_own_cosines(kind, against):
    rng = np.random.default_rng(4)
    images, words = (rng.normal(size=(5, n, 6)) for n in (14, 12))
    panel = SimpleNamespace(image_vectors=images, word_vectors=words)
    X, Y, A, B = [0, 3], [5, 8, 9], [1, 2, 6], [4, 7]
    found = study.in_networks(panel, (kind, X, Y), (against, A, B))
    assert found.shape == (5,)
    for k, d in enumerate(found):
        own = {"image": images[k], "text": words[k]}
        good, bad = (own[against][rows] for rows in (A, B))
        s = [np.mean([w @ a for a in good]) - np.mean([w @ b for b in bad]) for w in own[kind]]
        assert d == pytest.approx(d_of([s[x] for x in X], [s[y] for y in Y]))
