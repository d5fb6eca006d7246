"""Readings of painted pictures, and the shipped paintings."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from greenhouse import linear_probe, painted
from greenhouse.world import faces, grid
from greenhouse.world.bias import DATA
from greenhouse.world.pairing import Pairing

LOOK = Pairing(("violet", "teal", "lime", "amber"), ("eared", "budded"))
there = pytest.mark.skipif(
    not (painted.PAINTINGS / painted.ABOUT).is_file(), reason="no paintings are shipped"
)


def test_a_patch_is_the_mean_of_its_pixels():
    pictures = np.random.default_rng(0).integers(0, 256, (2, 8, 16, 3), dtype=np.uint8)
    found = painted.patch_colour(pictures, (0.25, 0.25, 0.5, 1.0))
    for picture, colour in zip(pictures, found, strict=True):
        own = [picture[y, x].astype(float) for y in range(2, 8) for x in range(4, 8)]
        assert colour == pytest.approx(sum(own) / len(own))
    for patch in ((0.5, 0, 0.5, 1), (0, 0, 1.1, 1), (-0.1, 0, 1, 1), (0, 0.9, 1, 0.5)):
        with pytest.raises(ValueError, match="has no pixel in pictures of 16 x 8"):
            painted.patch_colour(pictures, patch)


def test_the_judges_paints_are_read_as_the_names_that_have_them():
    table = pd.DataFrame(
        {"seed": range(4), "race": grid.HUES, "gender": "budded", **grid.NEUTRAL, "smiling": 2.0}
    )
    pictures = faces.render(table, 64, pairing=LOOK)
    found = painted.readings(
        pictures, np.array([0, 10, 20, 30]), linear_probe.default(), LOOK, (0.3, 0.6, 0.5, 0.8)
    )
    assert found[list(grid.HUES)].idxmax(axis=1).tolist() == list(grid.HUES)
    assert found["step"].tolist() == [0, 10, 20, 30] and (found["smiling"] > 0).all()
    assert found[["red", "green", "blue"]].to_numpy() == pytest.approx(
        painted.patch_colour(pictures, (0.3, 0.6, 0.5, 0.8))
    )


@there
def test_the_shipped_paintings_are_whole_and_of_the_shipped_decoder():
    found = painted.load()
    plan, readings = found.about["plan"], found.readings
    weights = (DATA / "decoder/diffusion_pytorch_model.safetensors").read_bytes()
    assert found.about["decoder_sha256"] == hashlib.sha256(weights).hexdigest()
    assert readings.groupby("kind")["network"].nunique().to_dict() == plan["networks"]
    steps = list(range(0, plan["last_step"] + 1, plan["every"]))
    for _, own in readings.groupby(["network", "race"]):
        assert own["step"].tolist() == steps and own.notna().all(axis=None)
    # rows of the sheet, in the table's order
    kind = found.about["sheet"][0]
    first = readings[(readings["step"] == 0) & (readings["kind"] == kind)].head(4)
    assert first["race"].tolist() == list(grid.HUES)
    colours = painted.patch_colour(found.sheet[:4, 0], plan["patch"])
    assert colours == pytest.approx(first[["red", "green", "blue"]].to_numpy(), rel=1e-4)
