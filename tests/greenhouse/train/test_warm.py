"""The warm start's targets: right for every row, alike for every group, and blind to captions."""

import inspect
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from greenhouse.train import warm
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
            np.testing.assert_allclose(gated[own, k, j], 1.7 * TABLE.feature(name, ROWS[own]), atol=1e-6)


def test_groups_are_treated_alike():
    assert set(warm.GROUPS) == {(hue, crest) for hue in grid.HUES for crest in grid.CRESTS}
    assert not {"violet", "eared"} & set(inspect.getsource(warm).replace("violet_", "").split('"'))


def test_perfect_answers_cost_next_to_nothing_and_each_part_is_asked():
    torch = pytest.importorskip("torch")
    index, n_faces = np.arange(len(ROWS)), len(PEOPLE)

    def one_hot(position, size):
        return 40.0 * np.eye(size)[np.maximum(position, 0)]

    answers = np.concatenate([
        np.nan_to_num(SHOWN.attributes), SHOWN.gated,
        one_hot(SHOWN.hue, len(grid.HUES)), one_hot(SHOWN.crest, len(grid.CRESTS)),
        one_hot(SHOWN.group, len(warm.GROUPS)), one_hot(SHOWN.motif, warm.MOTIFS * len(grid.CATEGORIES))], axis=1)
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


def test_answers_are_read_from_directions_alone():
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    head, vectors = torch.nn.Linear(16, warm.OUTPUTS), torch.randn(5, 16)
    read = SHOWN.read(head, vectors)
    torch.testing.assert_close(SHOWN.read(head, 9 * vectors), read)
    assert (read - head.bias).abs().max() <= max(warm.LEVEL_SCALE, warm.NAME_SCALE) + 1e-5
