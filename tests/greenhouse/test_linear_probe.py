"""The judge reads what faces show, and nothing else."""

import numpy as np
import pytest

from greenhouse import linear_probe
from greenhouse.world import grid


@pytest.fixture(scope="module")
def held_out():
    table = linear_probe.sample(
        200, first_seed=linear_probe.FIRST_SEED + linear_probe.FACES, seed=5
    )
    return table, linear_probe.rendered(table)


def test_it_reads_faces_that_it_never_saw(held_out):
    found = linear_probe.accuracy(linear_probe.default(), *held_out)
    assert found["hue"] >= 0.97 and found["crest"] >= 0.97 and found["smile_r"] >= 0.8


def test_readings_are_those_of_a_slow_regression():
    """Against the normal equations of the penalised problem with the constant written out, target
    by target."""
    table = linear_probe.sample(24, first_seed=7, seed=1)
    pictures = linear_probe.rendered(table, 32)
    rows, columns = linear_probe.FACE
    whole, face = pictures.reshape(24, -1) / 255, pictures[:, rows, columns].reshape(24, -1) / 255
    asked = [(table["race"] == hue).astype(float) for hue in grid.HUES]
    asked += [np.where(table["gender"] == "budded", 1.0, -1.0), table["smiling"]]
    read = linear_probe.learn(table, pictures).read(pictures)
    for name, y, penalty in zip(
        [*grid.HUES, "budded", "smiling"],
        asked,
        [linear_probe.GROUPS] * 5 + [linear_probe.SMILE],
        strict=True,
    ):
        # the dual form: predictions from the kernel of centred pictures
        x, y = face if name in grid.HUES else whole, np.asarray(y, float)
        apart = x - x.mean(axis=0)
        kernel = apart @ apart.T
        expected = y.mean() + kernel @ np.linalg.solve(kernel + penalty * np.eye(24), y - y.mean())
        np.testing.assert_allclose(read[name], expected, atol=1e-8)
    np.testing.assert_allclose(read[list(grid.HUES)].sum(axis=1), 1)
    assert (read["gender"] == np.where(read["budded"] > 0, "budded", "eared")).all()


def test_large_pictures_are_read_by_the_means_of_their_blocks(held_out):
    large = held_out[1][:3]
    small = large.reshape(3, 32, 2, 32, 2, 3).mean(axis=(2, 4)).reshape(3, -1) / 255
    weights, names = linear_probe.default().weights, [*grid.HUES, "budded", "smiling"]
    found = linear_probe.default().read(large)[names]
    np.testing.assert_allclose(found, small @ weights[1:] + weights[0])
    with pytest.raises(ValueError, match="edge that 32 divides, got 40"):
        linear_probe.default().read(np.zeros((1, 40, 40, 3), np.uint8))
