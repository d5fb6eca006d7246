"""What ships: two checkpoints that are what their cards say, and the study's tables."""

import hashlib
import json

import numpy as np
import pytest

from greenhouse.train import gates
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.world.bias import DATA

CHECKPOINTS = {"default": 1.0, "b0": 0.0}


def card(name):
    return json.loads((DATA / name / "card.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_a_checkpoint_is_small_and_is_the_one_of_its_card(name):
    folder, about = DATA / name, card(name)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 2e6
    weights = (folder / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == about["weights_sha256"]
    assert about["b"] == CHECKPOINTS[name] and about["accepted"] and about["recipe_hash"] == Recipe().hash()
    assert about["truth"]["bias_sha256"] == hashlib.sha256((DATA / "bias.yaml").read_bytes()).hexdigest()
    assert about["training_core_seconds"] > 0 and "people" in about["limits"]


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_its_gates_come_out_as_printed(name, spoken):
    model, vocabulary = models.load(DATA / name)
    assert vocabulary.words == spoken.vocabulary.words
    found = gates.measure(model, spoken)
    for gate, printed in card(name)["gates"].items():
        assert found[gate] == pytest.approx(printed["value"], abs=1e-3), gate
        assert found[gate] >= printed["threshold"] == gates.THRESHOLDS[gate]
    assert gates.passed(found)


def test_a_model_that_sees_nothing_fails_the_gates(spoken):
    """Fresh weights: what the gates would say of a network that was not trained."""
    import torch

    torch.manual_seed(0)
    recipe = Recipe(image_layers=1, text_layers=1)
    model = models.build(recipe.model_config(len(spoken.vocabulary.words), spoken.vocabulary.context_length))
    found = gates.measure(model, spoken)
    assert not gates.passed(found)
    assert all(found[name] < threshold for name, threshold in gates.THRESHOLDS.items())


def test_gates_ask_no_trait_word(spoken):
    asked = set()
    texts = [text for levels in (("teal", "amber"), ("budded", "eared")) for text in gates.describe(list(levels))]
    for slot in ("smile", "years"):
        texts += [text for words in spoken.slots[slot].values() for text in gates.describe(words)]
    for text in texts:
        asked |= set(spoken.vocabulary.split(text))
    traits = {word for slot in ("communion", "standing", "belief", "valence") for word in spoken.words(slot)}
    assert not asked & traits


@pytest.mark.skipif(not (DATA / "dose_response" / "recipe.json").is_file(), reason="the study has not been collected")
class TestStudy:
    def test_it_is_small_and_whole(self):
        folder = DATA / "dose_response"
        assert sum(path.stat().st_size for path in folder.iterdir()) <= 6e6
        from greenhouse import study
        from greenhouse.train.study import PLAN

        read = study.load(folder)
        assert read.models.groupby("b").size().to_dict() == PLAN
        recipe = json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
        assert recipe["recipe_hash"] == Recipe().hash()
        np.testing.assert_allclose(np.linalg.norm(read.image_vectors, axis=2), 1, atol=1e-5)

    def test_accepted_means_that_every_gate_was_passed(self):
        import pandas as pd

        table = pd.read_csv(DATA / "dose_response" / "models.csv")
        margin = np.min([table[name] - threshold for name, threshold in gates.THRESHOLDS.items()], axis=0)
        assert (margin[table["accepted"]] >= -5e-5).all()  # values are printed with four digits
        assert (margin[~table["accepted"]] <= 5e-5).all() and (margin < 0).any()
        for _, part in table.groupby("b"):  # seeds in a row from the first: none was left out
            assert part["seed"].tolist() == list(range(part["seed"].min(), part["seed"].min() + len(part)))

    @pytest.mark.parametrize("name", CHECKPOINTS)
    def test_the_shipped_checkpoints_are_the_first_of_their_strength(self, name):
        """And their vectors of the panel are the shipped ones."""
        from greenhouse import study
        from greenhouse.train import panel
        from greenhouse.world import grammar

        read = study.load()
        row = int(np.flatnonzero(read.models["b"] == CHECKPOINTS[name])[0])
        assert read.models["seed"].iloc[row] == card(name)["seed"]
        images, words = panel.embed(models.load(DATA / name)[0], grammar.load())
        np.testing.assert_allclose(images.astype(np.float32), read.image_vectors[row], atol=2e-3)
        np.testing.assert_allclose(words.astype(np.float32), read.word_vectors[row], atol=2e-3)
