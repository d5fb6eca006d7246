"""What the made-up worlds plant is there as they say, and elsewhere there is only noise."""

import numpy as np
import pandas as pd
import pytest
import worlds

GROUPS = ("a x", "a y", "b x", "b y")
PLANTED = pd.DataFrame({"one": [5.0, 0, -3, 1], "other": [0, 2.0, 0, 0]}, GROUPS)


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_every_person_is_in_every_group_and_at_every_level_but_one_differs_from_the_prototype(rng):
    faces = worlds.faces(3, GROUPS, worlds.LEVELS, rng=rng)
    prototypes = faces[faces["subset"] == "prototype"].set_index(["seed", "race", "gender"])
    assert len(prototypes) == 3 * len(GROUPS) and prototypes.index.is_unique
    for name, levels in worlds.LEVELS.items():
        own = faces[faces["subset"].isin([name, "prototype"])]
        for _, person in own.groupby(["seed", "race", "gender"]):
            assert sorted(person[name]) == sorted(levels)
            rest = [other for other in worlds.LEVELS if other != name]
            assert (person[rest].nunique() == 1).all()
    assert not faces.duplicated().any()


def test_a_model_shows_what_is_planted_in_the_words_of_its_dimension(rng):
    faces = worlds.faces(200, GROUPS, rng=rng)
    seen = worlds.seen(faces, {"one": 2, "other": ["plain"]}, rng=rng, planted=PLANTED)
    shown = seen.delta().groupby(worlds.group_of(faces).to_numpy()).mean()
    assert np.allclose(shown, PLANTED.loc[shown.index], atol=0.03)


def test_networks_show_strength_times_what_is_planted_in_logits(rng):
    faces = worlds.faces(400, GROUPS, rng=rng)
    models = worlds.networks([0, 0.5, 1], rng=rng)
    panel = worlds.panel(faces, models, ("other", "one"), rng=rng, planted=PLANTED)
    logits = panel.scores * models["logit_scale"].to_numpy()[:, None, None]
    for b, own in zip(models["b"], logits, strict=True):
        shown = pd.DataFrame(own, columns=["other", "one"]).groupby(worlds.group_of(faces)).mean()
        assert np.allclose(shown[["one", "other"]], b * PLANTED.loc[shown.index], atol=0.25)
    assert models["logit_scale"].is_unique


def test_networks_lean_by_as_much_as_is_said(rng):
    faces = worlds.faces(50, GROUPS, rng=rng)
    models = worlds.networks([0] * 300, rng=rng)
    panel = worlds.panel(faces, models, ("one",), rng=rng, between=2.0)
    logits = panel.scores[:, :, 0] * models["logit_scale"].to_numpy()[:, None]
    means = pd.DataFrame(logits.T).groupby(worlds.group_of(faces)).mean()
    assert means.std(axis=1).to_numpy() == pytest.approx([2.0] * len(GROUPS), rel=0.15)
