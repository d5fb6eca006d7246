"""A miniature fleet: trained, interrupted, gone on with, collected and read."""

import json
from collections import Counter

import pytest
from miniature import SMALL

from greenhouse import fleet_table
from greenhouse.fleet import caption_truth, collect, training
from greenhouse.fleet.plan import Plan
from greenhouse.study import vectors
from greenhouse.train import calibration, gates, held_out, produce, readout, starts
from greenhouse.world import truth

SIZES = [
    (held_out, {"SEEDS": 8, "SERIES_SEEDS": 2, "PEOPLE": 6, "ICONS_PER_KIND": 2}),
    (gates, {"SERIES_SEEDS": 2}),
    (readout, {"SERIES_SEEDS": 2}),
    (calibration, {"SERIES_SEEDS": 2, "PAIRS": 20}),
    (vectors, {"PORTRAIT_SEEDS": 3, "SERIES_SEEDS": 2, "ICONS_PER_KIND": 2}),
]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """Four networks in a folder of their own: the first fails a gate once, the second always; the
    third is interrupted before anything is measured. Yields the plan, the folder, and how often
    each seed was trained."""
    place, people, trained = tmp_path_factory.mktemp("fleet"), truth.population, []
    cached = (held_out.table, held_out.things, held_out._pictures, vectors.images, truth._base)
    with pytest.MonkeyPatch.context() as patch:
        for module, sizes in SIZES:
            for name, size in sizes.items():
                patch.setattr(module, name, size)
        patch.setattr(truth, "population", lambda n=300, **rest: people(n, **rest))
        patch.setattr(caption_truth, "FACES", 450)
        patch.setattr(caption_truth, "BATCH", 600)
        patch.setenv("VLMBIAS_ROOT", str(place))
        for function in cached:
            function.cache_clear()
        small = Plan.model_validate(SMALL)
        failing = {12_000, 12_002, 12_003}
        patch.setattr(gates, "THRESHOLDS", dict.fromkeys(gates.THRESHOLDS, -2.0))
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
        training.prepare(small)
        for name in prepared_starts(place):
            starts.train(name)
        for one in small.networks():
            if one.name == "planted-002":
                with patch.context() as cut:
                    cut.setattr(vectors, "picture_and_text_vectors", _interrupted)
                    with pytest.raises(KeyboardInterrupt):
                        training.train(one, attempts=2)
                assert training.state(one) is None
                with pytest.raises(
                    ValueError, match="2 of 4 networks are not there yet, such as planted-002"
                ):
                    collect.collect(small, place / "data")
            training.train(one, attempts=2)
        collect.collect(small, place / "data")
        yield small, place / "data", trained
    for function in cached:
        function.cache_clear()


def prepared_starts(place):
    return [path.stem for path in (place / "_build/inputs/warm_starts").glob("*.json")]


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


def test_an_interrupted_network_is_done_again_and_a_finished_one_is_not(fleet, monkeypatch):
    small, data, trained = fleet
    assert Counter(trained) == {12_000: 1, 12_001: 1, 12_002: 1, 12_003: 1, 12_004: 2, 13_000: 1}
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    for one in small.networks():
        training.train(one, attempts=2)
    collect.collect(small, data)
    assert len(trained) == 7 and {path: path.read_bytes() for path in before} == before
    names = {path.relative_to(data).as_posix() for path in before}
    assert names == {
        "fleet.csv.gz",
        "fleet_models.csv",
        "fleet_truth.csv",
        *(f"fleet/planted-000/{file}" for file in collect.CHECKPOINT_FILES),
        *(f"fleet/starts/{name}.safetensors" for name in prepared_starts(data.parent)),
    }


def test_records_of_the_graph_change_with_the_recipe_alone(fleet):
    small, data, _ = fleet
    names = training.prepare(small)
    assert names == [one.name for one in small.networks()]
    records = data.parent / "_build" / "inputs"
    times = {path: path.stat().st_mtime_ns for path in records.rglob("*.json")}
    training.prepare(small)
    assert {path: path.stat().st_mtime_ns for path in times} == times and len(times) == 4 + 1
    collected = training.workshop() / "collected.json"
    collected.write_text("{}")
    training.prepare(small)
    assert collected.is_file()
    other = Plan.model_validate(SMALL | {"schedule": SMALL["schedule"] | {"steps": 6}})
    assert all(training.state(one) is None for one in other.networks())
    assert "0 of 4 networks and 0 warm starts" in training.forecast(small, jobs=2)
    assert "4 of 4 networks and 0 warm starts" in training.forecast(other, jobs=2)
    training.prepare(other)
    assert not collected.exists()
    training.prepare(small)


def test_a_study_table_has_every_test_of_every_network_with_its_families(fleet):
    small, data, _ = fleet
    table, models = (
        fleet_table.read("planted", data),
        fleet_table.models("planted", data).set_index("model"),
    )
    assert len(table) == 3 * 26 and len(fleet_table.read("null", data)) == 26
    assert table.groupby("model")["test"].nunique().eq(26).all()
    one = small.network("planted-001")
    card = json.loads((collect.folder_of(one) / "card.json").read_text(encoding="utf-8"))
    row = table[table["model"] == "planted-001"].iloc[0]
    assert (row["dataset"], row["architecture"]) == (one.data, one.architecture)
    assert row["parameters"] == pytest.approx(card["parameters"] / 1e6) and row[
        "dataset_size"
    ] == pytest.approx(6e-4)
    tasks = [name for name in models if name.startswith("zero_shot_")]
    assert len(tasks) == 13 and row["performance"] == pytest.approx(
        models.loc["planted-001", tasks].mean(), abs=1e-5
    )
    with pytest.raises(ValueError, match="fleet='all'; there are planted, null, extra"):
        fleet_table.read("all", data)
    with pytest.raises(
        FileNotFoundError, match=r"lacks fleet_models.csv; `vlmbias fleet` writes it"
    ):
        fleet_table.read("null", data / "elsewhere")
