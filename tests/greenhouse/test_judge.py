"""The judge reads what faces show, and nothing else."""

import numpy as np
import pytest

from greenhouse import judge
from greenhouse.world import faces, grid


@pytest.fixture(scope="module")
def held_out():
    table = judge.sample(200, first_seed=judge.FIRST_SEED + judge.FACES, seed=5)
    return table, judge.rendered(table)


def test_it_reads_faces_that_it_never_saw(held_out):
    found = judge.accuracy(judge.default(), *held_out)
    assert found["hue"] >= 0.97 and found["crest"] >= 0.97 and found["smile_r"] >= 0.8


def test_readings_are_those_of_a_slow_regression():
    """Against the normal equations of the penalised problem with the constant written out, target
    by target."""
    table = judge.sample(24, first_seed=7, seed=1)
    pictures = judge.rendered(table, 32)
    rows, columns = judge.FACE
    whole, face = pictures.reshape(24, -1) / 255, pictures[:, rows, columns].reshape(24, -1) / 255
    asked = [(table["race"] == hue).astype(float) for hue in grid.HUES]
    asked += [np.where(table["gender"] == "budded", 1.0, -1.0), table["smiling"]]
    read = judge.learn(table, pictures).read(pictures)
    for name, y, penalty in zip(
        [*grid.HUES, "budded", "smiling"], asked, [judge.GROUPS] * 5 + [judge.SMILE], strict=True
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
    small = np.stack(
        [
            [
                [picture[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].mean(axis=(0, 1)) for j in range(32)]
                for i in range(32)
            ]
            for picture in large
        ]
    )
    expected = small.reshape(3, -1) / 255 @ judge.default().weights[1:] + judge.default().weights[0]
    np.testing.assert_allclose(
        judge.default().read(large)[[*grid.HUES, "budded", "smiling"]], expected
    )
    with pytest.raises(ValueError, match="edge that 32 divides, got 40"):
        judge.default().read(np.zeros((1, 40, 40, 3), np.uint8))


def test_constant_pictures_are_read_as_nothing(held_out):
    table, pictures = held_out
    found = judge.accuracy(judge.default(), table, np.full_like(pictures, 128))
    assert found["smile_r"] == 0 and found["hue"] < 0.5 and found["crest"] < 0.7


def test_every_second_face_of_a_sample_is_a_photo():
    table = judge.sample(4, first_seed=90, seed=0)
    pictures = judge.rendered(table)
    clean = faces.render(table.drop(columns="photo"))
    assert [np.array_equal(a, b) for a, b in zip(pictures, clean, strict=True)] == [
        True,
        False,
        True,
        False,
    ]
