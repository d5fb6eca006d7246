"""What ships: checkpoints that are what their cards say, and the study's tables, whole and
small."""

import hashlib
import json

import numpy as np
import pytest

from greenhouse import panel, retrained, study
from greenhouse.train import gates, held_out, recipe, saving
from greenhouse.train import model as models
from greenhouse.world import pairing
from greenhouse.world.bias import DATA

pytestmark = pytest.mark.skipif(
    not (retrained.RETRAINED / "study.json").is_file(),
    reason="the study has not been collected: `vlmbias campaign dose-response`",
)
PLAN = study.plan()
LATER = [
    "weakest_phrase_r",
    "weakest_phrase_slope",
]  # gates that were set after the study was trained
CHECKPOINTS = tuple(PLAN.checkpoints)
RESTARTS = tuple(name for name in CHECKPOINTS if "restart" in name)


def card(name):
    return json.loads((DATA / name / "card.json").read_text(encoding="utf-8"))


def kind_of(name):
    return PLAN.kinds[PLAN.checkpoints[name][0]]


@pytest.fixture(scope="module")
def read():
    return retrained.vectors()


@pytest.mark.parametrize(
    "folder", sorted(file.parent for file in DATA.rglob("card.json")), ids=lambda one: one.name
)
def test_weights_that_ship_are_those_of_their_card_small_and_accepted(folder):
    """Encoders, those that answer or describe, the decoder and the fleet alike."""
    about, (weights,) = json.loads((folder / "card.json").read_text()), folder.glob("*.safetensors")
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == about["weights_sha256"]
    assert weights.stat().st_size < 3e6 and about["accepted"] and "people" in about["limits"]


@pytest.mark.parametrize("name", [*CHECKPOINTS, "resnet"])
def test_a_checkpoint_is_of_the_recipe_and_the_table_that_ship(name):
    made = recipe.read(name) if name == "resnet" else kind_of(name).recipe
    about, bias = card(name), (DATA / "bias.yaml").read_bytes()
    assert about["recipe_hash"] == made.hash() and about["b"] == made.captions.b
    assert about["truth"]["bias_sha256"] == hashlib.sha256(bias).hexdigest()
    assert about["training_core_seconds"] > 0
    drawn = name in RESTARTS or made.pairing == "drawn"
    assert pairing.of_record(about["pairing"]).is_plain != drawn


def test_its_gates_come_out_as_printed(spoken):
    name = "default"
    model, vocabulary = models.load(DATA / name)
    assert vocabulary.words == spoken.vocabulary.words
    found = gates.measure(held_out.view(model, spoken, pairing.of_record(card(name)["pairing"])))
    for gate, printed in card(name)["gates"].items():
        assert found[gate] == pytest.approx(printed["value"], abs=1e-3), gate
        assert found[gate] >= printed["threshold"] == gates.THRESHOLDS[gate]
    assert saving.gated(found, gates.THRESHOLDS)["accepted"]


@pytest.mark.parametrize("name", ["default", "b0-restart-1"])
def test_a_shipped_checkpoint_is_the_network_of_the_tables_that_the_plan_names(name, read, spoken):
    """And where its vectors ship, they are those of the checkpoint."""
    kind, place = PLAN.checkpoints[name]
    listed = retrained.networks(pairing=None).query("kind == @kind").reset_index(drop=True)
    assert listed["seed"].iloc[place] == card(name)["seed"]
    row = np.flatnonzero(
        (read.networks["kind"] == kind) & (read.networks["seed"] == card(name)["seed"])
    )
    if not len(row):
        pytest.skip("networks of this kind have no vectors")
    one, model = pairing.of_record(card(name)["pairing"]), models.load(DATA / name)[0]
    some = np.arange(0, len(read.images), 45)
    pictures = panel.pictures(one, models.image_size(model))[some]
    np.testing.assert_allclose(
        models.embed_pictures(model, pictures), read.image_vectors[row[0], some], atol=5e-3
    )
    sentences = panel.words(spoken)[1]
    for k in range(0, len(sentences), 50):
        said = models.embed_tokens(model, spoken.vocabulary.encode(sentences[k])).mean(axis=0)
        np.testing.assert_allclose(said, read.word_vectors[row[0], k], atol=5e-3)


def test_the_study_is_whole_and_small(read, spoken):
    assert sum(path.stat().st_size for path in retrained.RETRAINED.iterdir()) <= 12e6
    networks = retrained.networks(pairing=None)
    assert networks.groupby("kind").size().to_dict() == {
        name: kind.wanted for name, kind in PLAN.kinds.items()
    }
    for kind in PLAN.kinds.values():
        own = networks.query("kind == @kind.name")
        assert (own["b"] == kind.recipe.captions.b).all() and own["shows"].sum() == kind.shows
        strengths = list(kind.recipe.captions.arms.values()) or [0.0]
        assert (own["condition_strength"] == strengths[0]).all()
    assert (
        json.loads((retrained.RETRAINED / "study.json").read_text())["recipe_hash"]
        == PLAN.base.hash()
    )
    np.testing.assert_allclose(np.linalg.norm(read.image_vectors, axis=2), 1, atol=1e-5)
    assert np.array_equal(read.words["word"], panel.words(spoken)[0]["word"])
    assert len(read.images) == len(panel.images())


def test_accepted_means_that_every_gate_was_passed_and_no_seed_was_left_out():
    table = retrained.networks(pairing=None, rejected=True)
    recorded = {
        name: threshold for name, threshold in gates.THRESHOLDS.items() if name not in LATER
    }
    margin = np.min([table[name] - threshold for name, threshold in recorded.items()], axis=0)
    accepted = table["accepted"].to_numpy(bool)
    assert (margin[accepted] >= -5e-5).all() and (
        margin[~accepted] <= 5e-5
    ).all()  # printed with four digits
    for kind in PLAN.kinds.values():
        own = table.query("kind == @kind.name")
        first = kind.seed
        assert own["seed"].tolist() == list(range(first, first + len(own)))
        assert (
            own.loc[own["kept"], "seed"].tolist()
            == own.loc[own["accepted"], "seed"].tolist()[: kind.wanted]
        )
