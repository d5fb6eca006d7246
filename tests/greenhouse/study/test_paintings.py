"""The painting study: who paints, with what they begin, and a tiny run from plan to shipped
files."""

import json
from pathlib import Path

import numpy as np
import pytest
from installed import needs

from greenhouse import linear_probe, painted
from greenhouse.study import dose_response, paintings, plan
from greenhouse.world import faces, grid, pairing
from greenhouse.world.bias import DATA

pytestmark = needs("diffusers", "kornia")
PLAN = paintings.read().model_copy(
    update={"networks": {"b1": 2}, "last_step": 2, "every": 2, "views": 1, "shown": (2,)}
)


def test_the_plan_is_read_and_names_kinds_of_the_study():
    chosen, study = paintings.read(), plan.read()
    sizes = {kind.name: kind.models for kind in study.kinds}
    assert all(count <= sizes[kind] for kind, count in chosen.networks.items())
    assert all(step % chosen.every == 0 and step <= chosen.last_step for step in chosen.shown)


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
def workshop(tmp_path, monkeypatch):
    """Three networks, of which the second failed a gate."""
    study = plan.read()
    kind = next(kind for kind in study.kinds if kind.name == "b1")
    monkeypatch.setattr(dose_response.paths, "build", lambda: tmp_path / "_build")
    for i, accepted in enumerate((True, False, True)):
        folder = dose_response.folder_of(study, kind, study.seed_of(kind, i))
        folder.mkdir(parents=True)
        card = json.loads((DATA / "default/card.json").read_text()) | {"accepted": accepted}
        (folder / "card.json").write_text(json.dumps(card))
    return study.seed_of(kind, 0)


def test_the_first_accepted_networks_paint_and_a_missing_one_is_an_error(workshop):
    found = paintings.guides(PLAN)
    assert found["seed"].tolist() == [workshop, workshop + 2] and (found["b"] == 1).all()
    with pytest.raises(
        ValueError,
        match="2 of 3 networks of kind 'b1' are there; run `vlmbias greenhouse dose-resp",
    ):
        paintings.guides(PLAN.model_copy(update={"networks": {"b1": 3}}))


def test_every_network_is_a_job_that_knows_its_place(workshop, tmp_path):
    targets = paintings.prepare(PLAN)
    names = [Path(folder).name for folder in paintings.guides(PLAN)["folder"]]
    assert targets == [
        f"_build/greenhouse/paintings/{name}/{grid.HUES[-1]}/losses.json" for name in names
    ]
    assert [paintings.requested(name)["place"] for name in names] == [0, 1]
    assert all(paintings.Plan(**paintings.requested(name)["plan"]) == PLAN for name in names)
    with pytest.raises(ValueError, match="no network 'b1-seed4001-x' is to paint"):
        paintings.paint("b1-seed4001-x")


@pytest.mark.skipif(not (DATA / "decoder/card.json").is_file(), reason="no decoder is shipped")
def test_a_tiny_study_is_written_whole_and_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(paintings.paths, "build", lambda: tmp_path / "_build")
    monkeypatch.setattr(painted, "PAINTINGS", tmp_path / "paintings")
    paintings.paint_with(PLAN, 0, DATA / "default")
    readings, pictures = paintings.read_painted(PLAN, DATA / "default")
    assert pictures.shape == (4, 1, 64, 64, 3) and readings["step"].tolist() == [0, 2] * 4
    assert readings["race"].tolist() == [hue for hue in grid.HUES for _ in range(2)]
    assert readings["paint"].equals(readings["race"])  # the default checkpoint's names fit looks
    paintings._write(PLAN, readings.assign(kind="b1", b=1.0, network=7), [("b1", pictures)])
    found = painted.load(tmp_path / "paintings")
    assert np.array_equal(found.sheet, pictures) and len(found.readings) == 8
    assert found.readings["red"].to_numpy() == pytest.approx(readings["red"].to_numpy(), rel=1e-4)
    paintings.paint_with(PLAN, 0, DATA / "default")  # a finished run is gone on with at its end
    assert paintings.read_painted(PLAN, DATA / "default")[0].equals(readings)
