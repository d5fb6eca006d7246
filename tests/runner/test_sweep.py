"""A sweep over models: measured one by one, cached, and no model's end is another's."""

import json
import os
from pathlib import Path

import forked
import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from greenhouse.world import grammar
from runner.commands.sweep import alone, beside_published, prepare, usual
from vlmbias import paths, progress
from vlmbias.battery import first_check, listed, sets, sweep
from vlmbias.external.study_table import COLUMNS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "build", lambda: tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def greenhouse():
    return sweep.measured("greenhouse", "greenhouse")


def test_the_greenhouse_has_all_26_tests_in_the_columns_of_a_study_table(greenhouse):
    table = pd.DataFrame(greenhouse["rows"])
    assert table["test"].tolist() == listed()["test"].tolist() and not greenhouse["left_out"]
    assert set(COLUMNS) <= set(sweep.COLUMNS) == set(table) and (table["parameters"] < 1).all()
    assert greenhouse["status"] == "measured" and (table["model"] == "greenhouse").all()
    sizes = table.set_index("test")[["n_x", "n_y"]].T.to_dict("list")
    assert sizes["race/all-text/half of the names"] == [32, 32]  # four names in eight sentences
    assert sizes["race/all-text/names"] == [64, 64] and sizes["age/all-image"] == [40, 40]


def test_a_value_is_that_of_one_test_done_by_hand(greenhouse):
    values = pd.DataFrame(greenhouse["rows"]).set_index("test")
    names, words = vb.prompts("greenhouse/names"), vb.prompts("greenhouse/valence")
    icons, encoder = vb.images("greenhouse/icons"), vb.encoder("greenhouse")
    plays, poles = grammar.load().bias.roles, ("pleasant", "unpleasant")

    def look(stimuli, column, level, n=None):
        kept = np.flatnonzero(stimuli.table[column] == level)[:n]
        return np.asarray(vb.embed(encoder, stimuli.where(stimuli.table.index.isin(kept))))

    X, Y = (look(names, "dimension", plays[role]) for role in ("favoured", "disfavoured"))
    said = [look(words, "dimension", one) for one in poles]
    shown = [look(icons, "category", one, 25) for one in poles]
    for order, (A, B) in (("all-text", said), ("text-target", shown)):
        test = vb.eat(X, Y, A, B, ddof=1, n_permutations=1)
        row = values.loc[f"race/{order}/names"]
        assert np.isclose(row["effect_size"], test.effect_size)
        assert np.isclose(row["gap"], test.statistic)
    women, men = (look(names, "dimension", plays[role]) for role in ("second", "first"))
    scores = [vb.association_scores(own, *said) for own in (women, men)]
    found = values.loc["gender/all-text/names", "effect_size"]
    assert np.isclose(found, vb.measures.effect_size(*scores))


def test_a_long_sweep_says_after_the_first_test_how_long_it_will_take(monkeypatch):
    said = []
    monkeypatch.setattr(progress, "_LONG", 0.0)
    monkeypatch.setattr(progress, "say", said.append)
    monkeypatch.setenv(progress.PLACE, "a file, and no terminal")
    sweep.measured("greenhouse", "greenhouse")
    first, *more = [line for line in said if "tests of greenhouse" in line]
    assert first.startswith("▸ 26 tests of greenhouse, about ") and len(more) == 9


def test_what_cannot_be_run_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("VLMBIAS_CACHE", str(tmp_path))
    monkeypatch.delenv("VLMBIAS_MIRROR", raising=False)
    monkeypatch.delenv("VLMBIAS_DATA", raising=False)
    found = sets.of("seat-ieat")
    assert not found.sides and len(found.left_out) == 26
    assert found.left_out["instrument-weapon/all-image"] == sets.NOT_RELEASED
    assert "sources --fetch ieat-photographs" in found.left_out["race/all-image"]
    assert "sources --fetch clip-bias-stimuli" in found.left_out["race/all-text/names"]
    with pytest.raises(
        ValueError, match="no stimuli 'oasis'; there are greenhouse, seat-ieat, nrc-oasis"
    ):
        sets.of("oasis")
    with pytest.raises(FileNotFoundError, match="no test can be run with 'seat-ieat'"):
        sweep.measured("greenhouse", "seat-ieat")


def test_records_are_collected_and_failures_have_reasons(build, greenhouse):
    for record in (greenhouse, sweep.failed("a/b", "greenhouse", "unknown model")):
        place = sweep.record_of("greenhouse", record["model"])
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(record))
    table, lost = sweep.collect("greenhouse")
    assert len(table) == 26 and lost.values.tolist() == [["a/b", "unknown model"]]
    again = pd.read_csv(build / "sweep/greenhouse.effect_sizes.csv")
    assert np.allclose(again["effect_size"], table["effect_size"])
    assert again["dataset_size"].isna().all()
    assert (
        pd.read_csv(build / "sweep/greenhouse.failures.csv").values.tolist() == lost.values.tolist()
    )


def test_no_end_of_a_process_takes_another_along():
    """As where the memory is full, and the system ends what takes most."""
    assert alone(len, "ab") == 2
    with pytest.raises(ValueError, match="invalid literal"):
        alone(int, "x")
    with pytest.raises(RuntimeError, match="its process was ended"):
        alone(os.abort)


def real_record(model, d, stimuli="seat-ieat"):
    """A record of a model with these effect sizes, by test."""
    rows = listed().set_index("test").loc[d.index, ["category", "order"]].reset_index()
    rows = rows.assign(effect_size=d.to_numpy(), n_x=40, n_y=40).to_dict("records")
    left = {"instrument-weapon/all-image": sets.NOT_RELEASED}
    about = {"model": model, "stimuli": stimuli, "status": "measured", "left_out": left}
    return about | {"rows": rows}


def test_values_stand_beside_those_of_the_same_model_and_the_printed_cells():
    d = pd.Series({"race/all-text/terms": -0.68, "gender/all-text/terms": 0.3})
    old, new = real_record("ViT-B-32-quickgelu/openai", d), real_record("m/n", d, "nrc-oasis")
    check = first_check.check(old, first_check.published("seat-ieat"))
    shown = beside_published(old, check)
    assert shown.index.tolist() == listed()["test"].tolist()
    row = shown.loc["race/all-text/terms"]
    assert np.isclose(row["published"], -0.681657) and round(row["difference"], 6) == 0.001657
    assert (row["131 models, mean"], row["131 models, sd"]) == (-0.265, 0.427)
    assert np.isnan(shown.loc["gender/all-text/terms", "published"])
    assert shown.loc["instrument-weapon/all-image", "note"] == "stimuli not listed"
    shown = beside_published(new, None)
    assert shown.loc["race/all-text/terms", "131 models, mean"] == 0.265


def test_the_usual_stimuli_are_those_that_a_model_knows():
    assert usual(["greenhouse", "data/greenhouse/resnet"]) == "greenhouse"
    assert usual(["ViT-B-32-quickgelu/openai"]) == usual([]) == "seat-ieat"
    with pytest.raises(ValueError, match="'greenhouse/b0' knows drawings and 'RN50/openai' does"):
        usual(["RN50/openai", "greenhouse/b0"])


@pytest.fixture
def place(tmp_path, monkeypatch):
    """This checkout with a build folder of its own."""
    place = tmp_path / "checkout"
    place.mkdir()
    for name in ("src", "data", "profiles", "Snakefile", "notebooks", "requirements.lock"):
        (place / name).symlink_to(ROOT / name)
    monkeypatch.setenv("VLMBIAS_ROOT", str(place))
    return place


def test_the_graph_asks_for_what_is_missing_and_collects_all(place, greenhouse):
    """A model that was measured before, and one that does not exist."""
    models = ["greenhouse", "ViT-B-32/nonsense"]
    prepare("greenhouse", models)
    here = sweep.record_of("greenhouse", "greenhouse")
    here.parent.mkdir(parents=True)
    here.write_text(json.dumps(greenhouse))
    ended, said = forked.vlmbias("sweep", *models, "--stimuli", "greenhouse")
    assert ended == 0, said[-2000:]
    assert said.count("▸") == 1 and "▸ ViT-B-32/nonsense …" in said
    assert "has no weights 'nonsense'; it has" in said and "; 0 models to go" in said
    assert "1 model measured, 1 failed" in said
    assert "No values are published for the Greenhouse's stimuli" in said
    table = pd.read_csv(place / "_build/sweep/greenhouse.effect_sizes.csv")
    lost = pd.read_csv(place / "_build/sweep/greenhouse.failures.csv")
    assert len(table) == 26 and set(table["model"]) == {"greenhouse"}
    assert lost["model"].tolist() == models[1:] and "has no weights 'nonsense'" in lost["reason"][0]
    failed = sweep.record_of("greenhouse", models[1])
    prepare("greenhouse", models)
    assert failed.is_file()
    prepare("greenhouse", models, retry=True)
    assert here.is_file() and not failed.is_file()
