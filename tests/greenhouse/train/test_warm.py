"""The warm start's targets: right for every row, alike for every group, and blind to captions."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from interrupted import stop_after

from greenhouse.train import pool, run, warm
from greenhouse.world import bias, grid, truth

TABLE = bias.load()
PEOPLE = truth.population(400, first_seed=40)
ROWS = pd.concat([PEOPLE, grid.icons(2)], ignore_index=True)
SHOWN = warm.Attributes(ROWS, TABLE)  # of icons, attributes are missing, and never asked


def test_gated_targets_are_a_group_s_own_attributes_and_nought_elsewhere():
    gated = SHOWN.gated.reshape(len(ROWS), len(warm.GROUPS), len(warm.GATED))
    for k, (hue, crest) in enumerate(warm.GROUPS):
        own = ((ROWS["race"] == hue) & (ROWS["gender"] == crest)).to_numpy()
        assert own.any() and not gated[~own, k].any()
        for j, name in enumerate(warm.GATED):
            np.testing.assert_allclose(
                gated[own, k, j], 1.7 * TABLE.feature(name, ROWS[own]), atol=1e-6
            )


def test_perfect_answers_cost_next_to_nothing_and_each_part_is_asked():
    torch = pytest.importorskip("torch")
    index, n_faces = np.arange(len(ROWS)), len(PEOPLE)

    def one_hot(position, size):
        return 40.0 * np.eye(size)[np.maximum(position, 0)]

    answers = np.concatenate(
        [
            np.nan_to_num(SHOWN.attributes),
            SHOWN.gated,
            one_hot(SHOWN.hue, len(grid.HUES)),
            one_hot(SHOWN.crest, len(grid.CRESTS)),
            one_hot(SHOWN.group, len(warm.GROUPS)),
            one_hot(SHOWN.category, len(grid.CATEGORIES)),
            one_hot(SHOWN.motif, warm.MOTIFS * len(grid.CATEGORIES)),
        ],
        axis=1,
    )
    assert answers.shape == (len(ROWS), warm.OUTPUTS)

    def loss(values):
        return float(SHOWN.loss(torch.from_numpy(np.asarray(values, np.float32)), index, n_faces))

    assert loss(answers) < 1e-6
    edges = np.cumsum([0, *warm.PARTS])
    for start, stop in pairwise(edges):
        spoilt = answers.copy()
        for kind in (slice(0, n_faces), slice(n_faces, None)):
            spoilt[kind, start:stop] = np.roll(spoilt[kind, start:stop], 5, axis=0)
        assert loss(spoilt) > 0.1


def the_same(first, second):
    import torch

    return set(first) == set(second) and all(
        torch.equal(first[name], second[name]) for name in first
    )


def test_a_warm_start_is_trained_once_and_kept(tiny, elsewhere, monkeypatch):
    first, losses = warm.load(tiny, 0), []
    monkeypatch.setattr(warm, "_train", lambda *_: pytest.fail("trained twice"))
    assert the_same(warm.load(tiny, 0, progress=lambda *step: losses.append(step)), first)
    assert not losses
    assert [path.suffix for path in warm.file_of(tiny, 0).parent.iterdir()] == [".safetensors"]


def test_an_interrupted_warm_start_ends_in_the_same_weights(tiny, elsewhere, monkeypatch):
    straight = warm._train(tiny, 1, None, None)
    assert not the_same(straight, warm._train(tiny, 0, None, None))
    monkeypatch.setattr(run, "CHECKPOINT_EVERY", 2)
    with pytest.raises(KeyboardInterrupt):
        warm.load(tiny, 1, progress=stop_after(3))
    partial, steps = warm.file_of(tiny, 1).with_suffix(".partial"), []
    assert partial.exists() and not warm.file_of(tiny, 1).exists()
    assert the_same(warm.load(tiny, 1, progress=lambda step, *_: steps.append(step)), straight)
    assert steps == list(range(3, tiny.start.steps + 1))  # the rest, not the whole
    assert not partial.exists()


def test_a_warm_start_depends_on_looks_and_its_own_plan_and_not_on_captions_or_the_text_tower(tiny):
    own = warm.file_of(tiny, 0)
    same = [
        tiny.but(captions={"b": 0.0}),
        tiny.but(pairing="plain"),
        tiny.but(schedule={"steps": 3}),
        tiny.but(architecture={"text": {"width": 64, "heads": 2, "layers": 1}}),
        tiny.but(start={"of": 5}),
    ]
    other = [tiny.but(start={"steps": 6}), tiny.but(architecture={"embed_dim": 8})]
    assert all(warm.file_of(each, 0) == own for each in same)
    assert len({own, warm.file_of(tiny, 1), *(warm.file_of(each, 0) for each in other)}) == 4


def test_no_network_is_shown_the_pictures_of_a_warm_start(tiny):
    first = {
        seed: set(pool.people(tiny.pool, seed=seed)["seed"]) for seed in (0, warm.FIRST_POOL - 1)
    }
    for number in (0, 899):
        shown = set(pool.people(tiny.start.pool, seed=warm.FIRST_POOL + number)["seed"])
        assert shown and not any(shown & taken for taken in first.values())
        assert max(shown) < 2**32
