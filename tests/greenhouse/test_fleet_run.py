"""A miniature fleet: trained, interrupted, gone on with, collected and read."""

from functools import partial

import jobs
import pytest
from miniature import SMALL, few_pictures

from greenhouse import campaign, caption_truth, fleet_table, panel
from greenhouse import fleet as fleets
from greenhouse.train import produce, saving


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """Four networks in a folder of their own: the first fails a gate once, the second always; the
    third is interrupted before anything is measured. Yields the plan, the folder, and how often
    each seed was trained."""
    place, trained = tmp_path_factory.mktemp("fleet"), []
    with few_pictures() as patch:
        patch.setattr(caption_truth, "FACES", 450)
        patch.setattr(caption_truth, "BATCH", 600)
        patch.setattr(caption_truth, "table", partial(caption_truth.table, draws=20))
        patch.setenv("VLMBIAS_ROOT", str(place))
        small = fleets.Plan(SMALL)
        failing = {12_000, 12_002, 12_003}
        whole = produce.examined

        def examined(view, recipe):
            found = whole(view, recipe)
            if trained[-1] in failing:
                found["gates"]["age_r"]["value"], found["accepted"] = -3.0, False
            return found

        patch.setattr(produce, "examined", examined)
        make = produce.produce

        def counted(recipe, *, seed, **rest):
            trained.append(seed)
            return make(recipe, seed=seed, **rest)

        patch.setattr(produce, "produce", counted)
        jobs.run(small.missing()[:2])
        with patch.context() as cut, pytest.raises(KeyboardInterrupt):
            cut.setattr(panel, "vectors", _interrupted)
            jobs.run([one for one in small.missing() if one.name.startswith("planted-002")])
        with pytest.raises(ValueError, match="networks are not there yet, such as planted-0"):
            fleets.collect(small, place / "data")
        while missing := small.missing():
            jobs.run(missing)
        fleets.collect(small, place / "data")
        yield small, place / "data", trained


def _interrupted(*_):
    raise KeyboardInterrupt


def test_a_network_that_fails_a_gate_is_listed_and_given_the_next_seed_and_the_last_stays(fleet):
    models = fleet_table.models("planted", fleet[1]).set_index("model")
    assert models["seed"].tolist() == [12_001, 12_003, 12_004]
    assert models["accepted"].tolist() == [True, False, True]
    assert models["rejected"].fillna("").tolist() == [
        "12000: age_r -3.000",
        "12002: age_r -3.000",
        "",
    ]
    assert models.loc["planted-001", "age_r"] == -3  # of the last attempt, as it is


def test_no_seed_is_trained_twice_and_what_is_done_is_not_done_again(fleet):
    """The third network was cut off when it was trained, and not yet measured."""
    small, data, trained = fleet
    assert sorted(trained) == [12_000, 12_001, 12_002, 12_003, 12_004, 13_000]
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    jobs.run([job for one in small.networks for job, _ in one.finished()])
    fleets.collect(small, data)
    assert len(trained) == 6 and {path: path.read_bytes() for path in before} == before
    (start,) = {one.job(0).start.name for one in small.networks}
    assert {path.relative_to(data).as_posix() for path in before} == {
        "fleet.csv.gz",
        "fleet_models.csv",
        "fleet_truth.csv",
        *(f"fleet/planted-000/{file}" for file in campaign.CHECKPOINT_FILES),
        f"fleet/starts/{start}.safetensors",
    }


def test_a_study_table_has_every_test_of_every_network_with_its_families(fleet):
    small, data, _ = fleet
    table, models = (
        fleet_table.read("planted", data),
        fleet_table.models("planted", data).set_index("model"),
    )
    assert len(table) == 3 * 26 and len(fleet_table.read("null", data)) == 26
    assert table.groupby("model")["test"].nunique().eq(26).all()
    one = small.network("planted-001")
    card = saving.card_of(one.finished()[-1][0].folder)
    row = table[table["model"] == "planted-001"].iloc[0]
    assert (row["dataset"], row["architecture"]) == (one.data, one.architecture)
    assert row["parameters"] == pytest.approx(card["parameters"] / 1e6)
    assert row["dataset_size"] == pytest.approx(6e-4)
    tasks = [name for name in models if name.startswith("zero_shot_")]
    assert len(tasks) == 13
    assert row["performance"] == pytest.approx(models.loc["planted-001", tasks].mean(), abs=1e-5)
    with pytest.raises(ValueError, match="fleet='all'; there are planted, null, extra"):
        fleet_table.read("all", data)
