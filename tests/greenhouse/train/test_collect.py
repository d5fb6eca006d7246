"""The study's tables: complete or refused, the same bytes each time, rejected models listed."""

import json

import numpy as np
import pandas as pd
import pytest

from greenhouse import study as reader
from greenhouse.train import panel, portraits, study
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar

FILES = ("open_clip_config.json", "model.safetensors", "words.txt", "card.json")


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    """Six finished models, of two strengths and an arm, one of them rejected; what is collected goes elsewhere."""
    rng = np.random.default_rng(0)
    n_images, n_words = len(panel.images()), len(panel.words(grammar.load())[0])
    shown = portraits.images()["set"].value_counts()
    models = (("", 0.0, 0, False), ("", 0.0, 1, True), ("", 0.0, 2, True), ("", 1.0, 1000, True),
              ("neutral0.5-", 0.0, 2000, True), ("neutral0.5-", 0.0, 2001, True))  # fmt: skip
    for arm, b, seed, accepted in models:
        folder = tmp_path / "workshop" / f"{arm}b{b:g}-seed{seed}"
        folder.mkdir(parents=True)
        sets = ["grid"] if arm else list(shown.index)
        found = {name: np.full((shown[name], 10), seed, np.int16) for name in sets}
        np.savez(folder / "portraits.npz", **found)
        card = {"b": b, "seed": seed, "accepted": accepted, "logit_scale": 13.0, "training_core_seconds": 40.5,
                "gates": {"age_r": {"value": 0.9 if accepted else 0.7, "threshold": 0.8}},
                "commit": "abc", "versions": {},
                "calibration": {"seed_is_largest": True, "neutral_r": {"minimum": 0.3, "mean": 0.5, "maximum": 0.6}},
                "recovery": {"warmth": {"r": 0.9, "slope": 0.5}}}  # fmt: skip
        for name in FILES:
            (folder / name).write_text(json.dumps(card) if name == "card.json" else f"{name} of {seed}")
        gap = {"axis": "warmth", "first": "teal", "second": "violet", "gap": b, "d": 2 * b}
        pd.DataFrame([gap]).to_csv(folder / "gaps.csv", index=False)
        arrays = {"images": rng.normal(size=(n_images, 4)), "words": rng.normal(size=(n_words, 4))}
        np.savez(folder / "panel.npz", **{name: array.astype(np.float16) for name, array in arrays.items()})
    monkeypatch.setattr(study, "PLAN", {0.0: 2, 1.0: 1})
    monkeypatch.setattr(study, "ARMS", {("neutral", 0.5): 1})
    monkeypatch.setattr(study, "SHOWN_ALL", 1)
    monkeypatch.setattr(study, "PORTRAITS", tmp_path / "data" / "portraits")
    monkeypatch.setattr(study, "workshop", lambda recipe: tmp_path / "workshop")
    monkeypatch.setattr(study, "DATA", tmp_path / "data")
    monkeypatch.setattr(study, "STUDY", tmp_path / "data" / "dose_response")
    return tmp_path


def test_what_is_collected_reads_back(workshop, tiny):
    study.collect(tiny)
    read = reader.load(workshop / "data" / "dose_response")
    assert read.models["seed"].tolist() == [1, 2, 1000]  # accepted, in order
    for row, seed in enumerate(read.models["seed"]):
        stored = np.load(next((workshop / "workshop").glob(f"b*-seed{seed}")) / "panel.npz")["words"]
        assert np.array_equal(read.word_vectors[row], stored.astype(np.float32))
    table = pd.read_csv(workshop / "data" / "dose_response" / "models.csv")
    assert table["seed"].tolist() == [0, 1, 2, 1000] and table["accepted"].tolist() == [False, True, True, True]
    recipe = json.loads((workshop / "data" / "dose_response" / "recipe.json").read_text())
    assert recipe["rejected"] == 1 and recipe["core_seconds"] == 243


def test_the_defaults_are_the_first_accepted_of_their_strength(workshop, tiny):
    study.collect(tiny)
    assert {path.name for path in (workshop / "data" / "default").iterdir()} == set(FILES)
    assert (workshop / "data" / "default" / "model.safetensors").read_text() == "model.safetensors of 1000"
    assert (workshop / "data" / "b0" / "model.safetensors").read_text() == "model.safetensors of 1"


def test_collecting_twice_writes_the_same_bytes(workshop, tiny):
    written = []
    for _ in range(2):
        study.collect(tiny)
        written.append({path.name: path.read_bytes() for path in (workshop / "data" / "dose_response").iterdir()})
    assert written[0] == written[1]
    assert set(written[0]) == {"models.csv", "panel.npz", "panel_images.csv", "panel_words.csv", "recipe.json"}


@pytest.mark.parametrize("missing", ["b0-seed2/panel.npz", "b1-seed1000/panel.npz"])
def test_an_incomplete_study_is_refused_before_anything_is_written(workshop, tiny, missing):
    (workshop / "workshop" / missing).unlink()
    count, wanted, b = (1, 2, 0) if "b0" in missing else (0, 1, 1)
    with pytest.raises(ValueError, match=f"{count} of {wanted} models at b={b} are there; run `vlmbias greenhouse"):
        study.collect(tiny)
    assert not (workshop / "data").exists()


def test_a_study_that_was_never_run_is_refused(workshop, tiny, monkeypatch):
    monkeypatch.setattr(study, "workshop", lambda recipe: workshop / "nowhere")
    with pytest.raises(ValueError, match="no model is there; run `vlmbias greenhouse dose-response`"):
        study.collect(tiny)


def test_bytes_of_an_archive_depend_on_its_arrays_alone(tmp_path):
    arrays = {"a": np.arange(12.0).reshape(3, 4), "b": np.ones(3, np.float16)}
    for name in ("one", "two"):
        study._write_npz(tmp_path / f"{name}.npz", arrays)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with np.load(tmp_path / "one.npz", allow_pickle=False) as stored:
        assert all(np.array_equal(stored[name], array) for name, array in arrays.items())
    study._write_npz(tmp_path / "two.npz", arrays | {"a": np.zeros((3, 4))})
    assert (tmp_path / "one.npz").read_bytes() != (tmp_path / "two.npz").read_bytes()


def test_seeds_were_fixed_beforehand():
    order, planned = study._order(), study.plan()
    assert sorted(order) == sorted(kind for kind, wanted in planned.items() for _ in range(wanted))
    seeds = {study.seed_of(kind, i) for kind, wanted in planned.items() for i in range(wanted + 20)}
    assert len(seeds) == sum(planned.values()) + 20 * len(planned)  # no seed serves two models
    assert study.seed_of(study.Kind(0.0), 3) == 3 and study.seed_of(study.Kind(1.0), 3) == 4003
    assert study.seed_of(study.Kind(0.0, "neutral", 0.5), 1) == 5001
    assert len({study.folder_of(Recipe(), kind, 7) for kind in planned}) == len(planned)


def test_portraits_read_back_with_nothing_where_a_model_was_not_shown_a_set(workshop, tiny):
    study.collect(tiny)
    read = reader.portraits(workshop / "data" / "portraits")
    assert read.models["seed"].tolist() == [1, 2, 1000, 2000]
    assert read.models["arm"].tolist() == ["dose"] * 3 + ["neutral"]
    assert read.models["sees_all"].tolist() == [True, False, True, False]  # the first of each strength, no arm
    grid = (read.images["set"] == "grid").to_numpy()
    for row, seed in enumerate(read.models["seed"]):
        np.testing.assert_allclose(read.scores[row, grid], seed * reader.QUANTUM, rtol=1e-5)
        rest = read.scores[row, ~grid]
        assert np.isnan(rest).all() != read.models["sees_all"][row]
        assert np.isnan(rest).all() or np.allclose(rest, seed * reader.QUANTUM)
    (workshop / "data" / "portraits" / "images.csv").write_text("image,set\n0,grid\n")
    with pytest.raises(ValueError, match=r"shape \(4, 2340, 10\) for 4 models, 1 pictures of grid and 10 columns"):
        reader.portraits(workshop / "data" / "portraits")
    with pytest.raises(FileNotFoundError, match=r"lack models.csv, images.csv, scores\.npz; `vlmbias greenhouse"):
        reader.portraits(workshop)
