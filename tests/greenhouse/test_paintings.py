"""The painting study: who paints, with what they begin, and a tiny run from plan to shipped
files."""

import json

import numpy as np
import pytest
from installed import needs

from greenhouse import campaign, linear_probe, painted, paintings, study
from greenhouse.world import faces, grid, pairing
from greenhouse.world.bias import DATA

pytestmark = needs("diffusers", "kornia")
PLAN = paintings.plan() | {
    "networks": {"b1": 2},
    "last_step": 2,
    "every": 2,
    "views": 1,
    "shown": [2],
}


def test_a_network_begins_with_one_identity_in_every_hue():
    look = pairing.Pairing(("violet", "teal", "lime", "amber"), ("eared", "budded"))
    table, pictures = paintings.starts(3, look, 64)
    assert table["race"].tolist() == list(grid.HUES) and table["seed"].nunique() == 1
    assert table["gender"].unique().tolist() == ["eared"] and (table["smiling"] == 0).all()
    assert np.array_equal(pictures, faces.render(look.shown(table), 64))
    assert paintings.starts(2, look, 64)[0]["gender"].iloc[0] == "budded"
    assert paintings.starts(2, look, 64)[0]["seed"].iloc[0] != table["seed"].iloc[0]
    assert linear_probe.FIRST_SEED + linear_probe.FACES <= paintings.FIRST_SEED


@pytest.fixture
def guides(tmp_path, monkeypatch):
    """Three networks, of which the second failed a gate."""
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    every = [study.plan().kinds["b1"].job(i) for i in range(3)]
    for job, accepted in zip(every, (True, False, True), strict=True):
        job.folder.mkdir(parents=True)
        (job.folder / campaign.DONE).write_text(json.dumps({"accepted": accepted}))
    return every


def test_the_first_accepted_networks_paint_and_a_missing_one_is_an_error(guides):
    found = paintings.jobs(PLAN)
    assert [job.about["guide"] for job in found] == [guides[0].name, guides[2].name]
    assert [job.about["place"] for job in found] == [0, 1]
    with pytest.raises(ValueError, match=r"2 of 3 networks .*run `vlmbias campaign dose-resp"):
        paintings.jobs(PLAN | {"networks": {"b1": 3}})


@pytest.mark.skipif(not (DATA / "decoder/card.json").is_file(), reason="no decoder is shipped")
def test_a_tiny_study_is_written_whole_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(painted, "PAINTINGS", tmp_path / "paintings")
    paintings.paint(PLAN, 0, DATA / "default", tmp_path)
    readings, pictures = paintings.read_painted(PLAN, DATA / "default", tmp_path)
    assert pictures.shape == (4, 1, 64, 64, 3) and readings["step"].tolist() == [0, 2] * 4
    assert readings["race"].tolist() == [hue for hue in grid.HUES for _ in range(2)]
    assert readings["paint"].equals(readings["race"])  # the default checkpoint's names fit looks
    paintings.ship(PLAN, readings.assign(kind="b1", b=1.0, network=7), {"b1": pictures})
    found = painted.load(tmp_path / "paintings")
    assert np.array_equal(found.sheet, pictures) and len(found.readings) == 8
    assert found.readings["red"].to_numpy() == pytest.approx(readings["red"].to_numpy(), rel=1e-4)
    paintings.paint(
        PLAN, 0, DATA / "default", tmp_path
    )  # a finished run is gone on with at its end
    assert paintings.read_painted(PLAN, DATA / "default", tmp_path)[0].equals(readings)
