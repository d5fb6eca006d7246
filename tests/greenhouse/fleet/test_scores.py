"""The portraits: the sets they say they are, and scores that are mean cosines with the truth's own prompts."""

import numpy as np
import pytest

from greenhouse import study
from greenhouse.train import model as models
from greenhouse.train import panel, pool, portraits
from greenhouse.train.study import plan
from greenhouse.world import faces, grid, truth

TABLE = portraits.images()


def test_sets_have_their_sizes_and_nobody_was_trained_on():
    assert TABLE["set"].value_counts().to_dict() == {"grid": 2340, "leak": 2160, "fairface": 700, "utkface": 700}
    grid_set = TABLE.query("set == 'grid'")
    assert (grid_set["subset"] == "prototype").sum() == 600
    assert (grid_set.groupby("seed").size() == 180).sum() == 10
    assert (grid_set["seed"] >= pool.HELD_OUT_SEED).all()
    assert not set(grid_set["seed"]) & set(panel.images()["seed"].dropna())
    leak = TABLE.query("set == 'leak'")
    assert set(leak["seed"]) < set(grid_set["seed"])
    series = leak.groupby(["seed", "race", "gender", "subset", "leak"]).size()
    assert (series == 10).all() and set(leak["subset"]) == {"age", "smiling"} and set(leak["leak"]) == {0.25, 0.5, 1.0}
    assert (TABLE.query("set != 'leak'")["leak"] == 0).all()
    for kind in grid.OBSERVED:
        own, made = TABLE[TABLE["set"] == kind], getattr(grid, kind)(portraits.SAMPLE)
        assert np.array_equal(own[list(made)].drop(columns="seed").dropna(axis=1), made.drop(columns="seed"))


def test_leaking_pictures_are_those_of_the_renderer():
    pictures, table = portraits.pictures("leak"), TABLE.query("set == 'leak'").reset_index(drop=True)
    for k in (0, 1, 700, 1_500, 2_101):
        row = table.drop(columns="photo").iloc[[k]]
        leak = portraits.LEAKS[row["subset"].item()]
        assert np.array_equal(pictures[k], faces.render(row, leaks={leak: row["leak"].item()})[0])
        name = row["subset"].item()
        at_rest = row[name].item() == grid.NEUTRAL[name]  # a leak of age or smiling leaves the prototype alone
        assert np.array_equal(pictures[k], faces.render(row)[0]) == at_rest


def test_scores_are_mean_cosines(tiny, spoken, monkeypatch):
    few = TABLE.iloc[:5].drop(columns="photo")
    monkeypatch.setattr(portraits, "pictures", lambda which, size: faces.render(few, size))
    model = models.build(tiny.model_config(len(spoken.vocabulary.words), spoken.vocabulary.context_length))
    found = portraits.scores(model, spoken, "grid")
    assert found.shape == (5, 10) and found.dtype == np.int16
    seen = models.embed_pictures(model, portraits.pictures("grid", 64))

    def cosine(texts):
        return (seen @ models.embed_tokens(model, spoken.vocabulary.encode(texts)).T).mean(axis=1)

    expected = [cosine(truth.prompts(spoken, axis)) for axis in study.COLUMNS[:8]]
    expected += [cosine([template.text for template in spoken.templates if template.group == "neutral"])]
    words = {word for slot in ("communion", "standing", "belief") for word in spoken.words(slot)}
    sentences = ("a photo of a {} person", "a {} person", "this is a {} person", "cropped face photo of a {} person")
    expected += [cosine([text.format(word) for word in words for text in sentences])]
    np.testing.assert_allclose(found * study.QUANTUM, np.stack(expected, axis=1), atol=study.QUANTUM)


def test_columns_are_the_eight_dimensions():
    assert set(study.COLUMNS[:8]) == {axis for axis, against in truth.CONTRASTS.items() if against is None}


@pytest.mark.skipif(not (study.DATA / "portraits" / "scores.npz").is_file(), reason="not collected")
def test_what_ships_is_small_and_whole():
    folder = study.DATA / "portraits"
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 6e6
    read = study.portraits()
    assert read.models.groupby(["arm", "arm_strength", "b"]).size().sum() == len(read.models) == sum(plan().values())
    assert read.models["sees_all"].sum() == 20 and read.scores.shape == (len(read.models), 5900, 10)
    assert np.isfinite(read.scores[read.models["sees_all"]]).all()


@pytest.mark.skipif(not (study.DATA / "portraits" / "scores.npz").is_file(), reason="not collected")
@pytest.mark.parametrize(("name", "b"), [("default", 1.0), ("b0", 0.0)])
def test_the_shipped_checkpoints_are_the_first_of_their_strength(name, b, spoken, monkeypatch):
    read = study.portraits()
    row = np.flatnonzero((read.models["b"] == b) & (read.models["arm"] == "dose"))[0]
    some = np.flatnonzero(read.images["set"] == "grid")[::97]
    few = read.images.iloc[some].drop(columns="photo")
    monkeypatch.setattr(portraits, "pictures", lambda which, size: faces.render(few, size))
    found = portraits.scores(models.load(study.DATA / name)[0], spoken, "grid")
    np.testing.assert_allclose(found * study.QUANTUM, read.scores[row, some], atol=1.5 * study.QUANTUM)
