"""A sweep over models: measured one by one, cached, and no model's end is another's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from runner.commands import sweep as command
from vlmbias import paths
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
    sizes = table.set_index("test")[["n_x", "n_y"]]
    assert sizes.loc["race/all-text/half of the names"].tolist() == [
        32,
        32,
    ]  # four names in eight sentences
    assert sizes.loc["race/all-text/names"].tolist() == [64, 64] and sizes.loc[
        "age/all-image"
    ].tolist() == [40, 40]


def test_a_value_is_that_of_one_test_done_by_hand(greenhouse):
    values = pd.DataFrame(greenhouse["rows"]).set_index("test")
    names, words = vb.prompts("greenhouse/names"), vb.prompts("greenhouse/valence")
    icons = vb.images("greenhouse/icons")
    encoder = vb.encoder("greenhouse")

    def look(stimuli, column, level, n=None):
        kept = np.flatnonzero(stimuli.table[column] == level)[:n]
        return np.asarray(vb.embed(encoder, stimuli.where(stimuli.table.index.isin(kept))))

    from greenhouse.world import grammar

    plays = grammar.load().bias.roles
    X, Y = (look(names, "dimension", plays[role]) for role in ("favoured", "disfavoured"))
    for order, A, B in (
        ("all-text", *(look(words, "dimension", one) for one in ("pleasant", "unpleasant"))),
        ("text-target", *(look(icons, "category", one, 25) for one in ("pleasant", "unpleasant"))),
    ):
        test = vb.eat(X, Y, A, B, ddof=1, n_permutations=1)
        row = values.loc[f"race/{order}/names"]
        assert np.isclose(row["effect_size"], test.effect_size) and np.isclose(
            row["gap"], test.statistic
        )
    women, men = (look(names, "dimension", plays[role]) for role in ("second", "first"))
    A, B = (look(words, "dimension", one) for one in ("pleasant", "unpleasant"))
    assert np.isclose(
        values.loc["gender/all-text/names", "effect_size"],
        vb.measures.effect_size(*(vb.association_scores(own, A, B) for own in (women, men))),
    )


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
    for name, record in (
        ("greenhouse", greenhouse),
        ("a/b", sweep.failed("a/b", "greenhouse", "unknown model")),
    ):
        place = sweep.record_of("greenhouse", name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(record))
    table, lost = sweep.collect("greenhouse")
    assert len(table) == 26 and lost.values.tolist() == [["a/b", "unknown model"]]
    again = pd.read_csv(build / "sweep/greenhouse.effect_sizes.csv")
    assert (
        np.allclose(again["effect_size"], table["effect_size"])
        and again["dataset_size"].isna().all()
    )
    assert pd.read_csv(build / "sweep/greenhouse.failures.csv")["reason"].tolist() == [
        "unknown model"
    ]


def test_no_end_of_a_process_takes_another_along():
    """As where the memory is full, and the system ends what takes most."""
    assert command.alone(len, "ab") == 2
    with pytest.raises(ValueError, match="invalid literal"):
        command.alone(int, "x")
    with pytest.raises(RuntimeError, match="its process was ended"):
        command.alone(os.abort)


def real_record(model, d, stimuli="seat-ieat"):
    """A record of a model with these effect sizes, by test."""
    tests = listed().set_index("test").loc[d.index]
    rows = tests.reset_index().assign(effect_size=d.to_numpy(), n_x=40, n_y=40)
    rows = rows[["test", "category", "order", "n_x", "n_y", "effect_size"]]
    left = {"instrument-weapon/all-image": sets.NOT_RELEASED}
    return {
        "model": model,
        "stimuli": stimuli,
        "status": "measured",
        "left_out": left,
        "rows": rows.to_dict("records"),
    }


def test_values_stand_beside_those_of_the_same_model_and_the_printed_cells():
    d = pd.Series({"race/all-text/terms": -0.68, "gender/all-text/terms": 0.3})
    old, new = real_record("ViT-B-32-quickgelu/openai", d), real_record("m/n", d, "nrc-oasis")
    check = first_check.check(old, first_check.published("seat-ieat"))
    shown = command.beside_published(old, check)
    assert shown.index.tolist() == listed()["test"].tolist()
    row = shown.loc["race/all-text/terms"]
    assert np.isclose(row["published"], -0.681657) and round(row["difference"], 6) == 0.001657
    assert (row["131 models, mean"], row["131 models, sd"]) == (-0.265, 0.427)
    assert np.isnan(shown.loc["gender/all-text/terms", "published"])
    assert shown.loc["instrument-weapon/all-image", "note"] == "stimuli not listed"
    shown = command.beside_published(new, None)
    assert shown.loc["race/all-text/terms", "131 models, mean"] == 0.265


def test_the_usual_stimuli_are_those_that_a_model_knows():
    assert command.usual(["greenhouse", "data/greenhouse/resnet"]) == "greenhouse"
    assert command.usual(["ViT-B-32-quickgelu/openai"]) == command.usual([]) == "seat-ieat"
    with pytest.raises(ValueError, match="'greenhouse/b0' knows drawings and 'RN50/openai' does"):
        command.usual(["RN50/openai", "greenhouse/b0"])


@pytest.fixture
def place(tmp_path, monkeypatch):
    """This checkout with a build folder of its own."""
    place = tmp_path / "checkout"
    place.mkdir()
    for name in ("src", "data", "profiles", "Snakefile", "notebooks", "requirements.lock"):
        (place / name).symlink_to(ROOT / name)
    monkeypatch.setenv("VLMBIAS_ROOT", str(place))
    return place


def through_the_graph(place, *words):
    return subprocess.run(
        [sys.executable, "-m", "vlmbias", "sweep", *words],
        cwd=place,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_the_graph_asks_for_what_is_missing_and_collects_all(place, greenhouse):
    """A model that was measured before, and one that does not exist."""
    models = ["greenhouse", "ViT-B-32/nonsense"]
    words = ["--stimuli", "greenhouse"]
    command.prepare("greenhouse", models)
    here = sweep.record_of("greenhouse", "greenhouse")
    here.parent.mkdir(parents=True)
    here.write_text(json.dumps(greenhouse))
    done = through_the_graph(place, *models, *words)
    assert done.returncode == 0, done.stdout[-2000:]
    assert done.stdout.count("▸") == 1 and "▸ ViT-B-32/nonsense …" in done.stdout
    assert "1 models measured, 1 failed" in done.stdout
    assert "No values are published for the Greenhouse's stimuli" in done.stdout
    table = pd.read_csv(place / "_build/sweep/greenhouse.effect_sizes.csv")
    lost = pd.read_csv(place / "_build/sweep/greenhouse.failures.csv")
    assert len(table) == 26 and set(table["model"]) == {"greenhouse"}
    assert lost["model"].tolist() == models[1:] and "has no weights 'nonsense'" in lost["reason"][0]
    failed = sweep.record_of("greenhouse", models[1])
    command.prepare("greenhouse", models)
    assert failed.is_file()
    command.prepare("greenhouse", models, retry=True)
    assert here.is_file() and not failed.is_file()
