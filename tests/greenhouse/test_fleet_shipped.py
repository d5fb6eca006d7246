"""The fleet that ships: its tables say what its checkpoints show, and one network is trained again
and found."""

import json
import shutil
from collections import Counter

import jobs
import numpy as np
import pandas as pd
import pytest

from greenhouse import association_tests, fleet, fleet_table, panel
from greenhouse.train import gates, warm
from greenhouse.train import model as models
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA

pytestmark = pytest.mark.skipif(
    not (DATA / "fleet.csv.gz").is_file(),
    reason="the fleet has not been collected: `vlmbias campaign fleet`",
)
FOLDERS = sorted(path.parent for path in (DATA / "fleet").glob("*/card.json"))
# What a machine with other instructions changes: cosines by 1.5e-4, on scores whose gaps are .01 to
# .1
TOLERANCE = {"effect_size": 0.05, "gap": 0.03}


@pytest.fixture(scope="module")
def plan():
    return fleet.Plan()


@pytest.fixture(scope="module")
def every():
    return pd.concat([fleet_table.models(own) for own in fleet_table.FLEETS], ignore_index=True)


def shown(folder, spoken):
    """The 26 tests of a checkpoint, by name."""
    model, _ = models.load(folder)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    both = panel.vectors(model, spoken, pairings.of_record(card["pairing"]))
    return association_tests.table(
        [association_tests.scores(spoken, *both)], [card["logit_scale"]], spoken
    ).set_index("test")


def test_the_tables_hold_the_networks_of_the_plan_and_all_26_tests(plan, every):
    assert every["model"].tolist() == [one.name for one in plan.networks]
    for one, row in zip(plan.networks, every.to_dict("records"), strict=True):
        assert (row["fleet"], row["dataset"], row["architecture"], row["size"]) == (
            one.fleet,
            one.data,
            one.architecture,
            one.size,
        )
        assert row["recipe_hash"] == one.recipe.hash() and row["b"] == one.recipe.captions.b
        assert one.seed <= row["seed"] == row["pool_seed"] < one.seed + one.attempts
        earlier = str(row["rejected"]).split("; ") if isinstance(row["rejected"], str) else []
        assert len(earlier) == row["seed"] - one.seed
        passed = all(
            row[name] >= threshold for name, threshold in gates.THRESHOLDS.items() if name in row
        )
        assert row["accepted"] == passed and (passed or len(earlier) == one.attempts - 1)
    for own, n in Counter(every["fleet"]).items():
        table = fleet_table.read(own)
        assert len(table) == 26 * n and table.groupby("model")["test"].nunique().eq(26).all()
        numbers = ["effect_size", "gap", "within", "p", "performance", "effect_size_train"]
        assert np.isfinite(table[numbers]).all(axis=None)
    assert every["warm_start"].nunique() > 1 and every["pool_seed"].is_unique
    assert every["commit"].str.fullmatch(r"[0-9a-f]{12}").all()
    assert every["accepted"].mean() > 0.8


@pytest.mark.parametrize("folder", FOLDERS[:1], ids=lambda folder: folder.name)
def test_a_checkpoint_shows_what_the_table_says(folder, spoken):
    printed = fleet_table.read("planted").query("model == @folder.name").set_index("test")
    found = shown(folder, spoken).loc[printed.index]
    for name in ("effect_size", "gap", "within", "gap_cosine"):
        np.testing.assert_allclose(found[name], printed[name], atol=2e-3, err_msg=name)
    assert (found[["n_x", "n_y"]] == printed[["n_x", "n_y"]]).all(axis=None)


def test_the_shipped_warm_start_is_called_as_it_would_be_today(plan):
    """Else the fleet would train it again: what it is called depends on no Python."""
    recipe = plan.network(plan.content["again"]).recipe
    (shipped,) = (DATA / "fleet" / "starts").iterdir()
    assert warm.file_of(recipe, int(shipped.name.partition("-")[0])).name == shipped.name


@pytest.mark.long
def test_a_network_that_is_trained_again_is_the_one_of_the_table(
    plan, spoken, tmp_path, monkeypatch
):
    """From the shipped warm start: about 20 core-seconds."""
    one = plan.network(plan.content["again"])
    printed = fleet_table.models("planted").set_index("model").loc[one.name]
    monkeypatch.setenv("VLMBIAS_ROOT", str(tmp_path))
    place = warm.file_of(one.recipe, int(printed["warm_start"]))
    place.parent.mkdir(parents=True)
    shutil.copyfile(DATA / "fleet" / "starts" / place.name, place)
    job = one.job(0)
    jobs.run([job])
    found = job.done()
    assert printed["seed"] == one.seed and found["accepted"]
    again = shown(job.folder, spoken)
    table = (
        fleet_table.read("planted").query("model == @one.name").set_index("test").loc[again.index]
    )
    for name, tolerance in TOLERANCE.items():
        np.testing.assert_allclose(again[name], table[name], atol=tolerance, err_msg=name)
    for task, value in found["zero_shot"].items():
        assert value == pytest.approx(printed[f"zero_shot_{task.replace(' ', '_')}"], abs=0.02), (
            task
        )
