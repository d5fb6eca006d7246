"""Training: the same seed gives the same weights, whatever interrupts it."""

import numpy as np
import pytest
from interrupted import digest, stop_after
from people import TURNED

import vlmbias as vb
from greenhouse.train import fit, pool, recipe, run, warm
from greenhouse.train import model as models
from greenhouse.world import faces
from greenhouse.world.grammar import Speaker
from greenhouse.world.pairing import Pairing


@pytest.fixture(scope="module")
def straight(tiny, spoken, shown):
    """Weights of a run that nothing disturbed."""
    return digest(fit.train(tiny, spoken, shown, seed=3))


def test_what_captions_say_changes_the_losses_from_the_first_step(tiny, spoken, shown):
    def losses(**change):
        found, recipe = [], tiny.but(captions=change)
        fit.train(recipe, spoken, shown, seed=3, progress=lambda *step: found.append(step[-1]))
        return tuple(found)

    changes = [
        {"b": 0.0},
        {"arms": {"neutral": 1.0}},
        {"noise": 0.5},
        {"balance": 1.0},
        {"renamed": {"teal": "amber", "amber": "teal"}},
    ]
    assert len({losses(), *(losses(**change) for change in changes)}) == 1 + len(changes)


@pytest.mark.parametrize("last", [2, 4])
def test_an_interrupted_run_ends_in_the_same_weights(
    tiny, spoken, shown, straight, tmp_path, monkeypatch, last
):
    """Stopped while the image tower stands still, and while it moves."""
    monkeypatch.setattr(run, "CHECKPOINT_EVERY", 2)
    partial, steps = tmp_path / "partial.safetensors", []
    with pytest.raises(KeyboardInterrupt):
        fit.train(tiny, spoken, shown, seed=3, partial=partial, progress=stop_after(last))
    assert partial.exists()
    resumed = fit.train(
        tiny, spoken, shown, seed=3, partial=partial, progress=lambda step, *_: steps.append(step)
    )
    assert steps == list(range(last + 1, tiny.schedule.steps + 1))  # the rest, not the whole
    assert digest(resumed) == straight
    assert list(tmp_path.iterdir()) == [partial]  # until what was trained is kept


def test_the_state_of_another_run_is_not_continued(
    tiny, spoken, shown, straight, tmp_path, monkeypatch
):
    monkeypatch.setattr(run, "CHECKPOINT_EVERY", 2)
    partial = tmp_path / "partial.safetensors"
    with pytest.raises(KeyboardInterrupt):
        fit.train(tiny, spoken, shown, seed=4, partial=partial, progress=stop_after(6))
    assert partial.exists()
    assert digest(fit.train(tiny, spoken, shown, seed=3, partial=partial)) == straight
    assert digest(fit.train(tiny, spoken, shown, seed=4)) != straight


def test_training_lowers_the_loss(tiny, spoken, shown):
    losses = []
    longer = tiny.but(schedule={"steps": 30, "locked_steps": 5, "learning_rate": 1e-2})
    fit.train(longer, spoken, shown, seed=0, progress=lambda step, total, loss: losses.append(loss))
    assert np.mean(losses[-5:]) < 0.98 * np.mean(losses[:5])


def test_the_image_tower_moves_in_the_joint_steps_only(tiny, spoken, shown, monkeypatch):
    seen, update = [], run.Run.update

    def watch(self, loss, step, shares):
        tower = self.modules["model"].visual
        before = digest(tower)
        value = update(self, loss, step, shares)
        seen.append(digest(tower) != before)
        return value

    monkeypatch.setattr(run.Run, "update", watch)
    fit.train(tiny, spoken, shown, seed=3)
    plan = tiny.schedule
    joint = range(plan.locked_steps, plan.locked_steps + plan.joint_steps)
    assert seen == [step in joint for step in range(plan.steps)] and 0 < sum(seen) < len(seen)


def test_a_run_begins_with_the_warm_start_it_is_given(tiny, spoken, shown, elsewhere):
    import torch

    start = warm.load(tiny, 0)
    still = tiny.but(schedule={"joint_steps": 0})
    state = fit.train(still, spoken, shown, seed=3, start=start).visual.state_dict()
    assert all(torch.equal(state[name], value) for name, value in start.items())
    assert digest(fit.train(tiny, spoken, shown, seed=3, start=start)) != digest(
        fit.train(tiny, spoken, shown, seed=3, start=warm.load(tiny, 1))
    )


def test_short_captions_are_encoded_as_if_they_were_padded(tiny, spoken, shown):
    import torch

    model = models.build(
        tiny.model_config_for(len(spoken.vocabulary.words), spoken.vocabulary.context_length)
    )
    tokens = torch.from_numpy(Speaker(spoken, shown.rows.iloc[[0, -1]], 1.0).tokens[::7])
    assert {True, False} == set((tokens.argmax(dim=1) < models.SHORT).tolist())
    with torch.no_grad():
        torch.testing.assert_close(
            models.encode_short(model, tokens), model.encode_text(tokens, normalize=True)
        )


@pytest.fixture(scope="module")
def shown_larger(tiny):
    return pool.make(tiny.pool, Pairing(), seed=3, size=64)


@pytest.mark.parametrize("name", ["resnet", "convnext"])
def test_an_architecture_trains_ships_and_is_read_by_the_package(
    name, spoken, shown_larger, tmp_path
):
    """Two steps with a moving image tower, then from the folder, as a reader would."""
    base = recipe.read(name)
    small = base.but(
        schedule={"steps": 2, "batch": 8, "locked_steps": 0, "joint_steps": 2, "locked_batch": 8}
    )
    trained = fit.train(small, spoken, shown_larger, seed=1)
    folder = tmp_path / "net"
    models.save(trained, folder, recipe=small, vocabulary=spoken.vocabulary, card={})
    pictures = shown_larger.pictures[:6]
    in_memory, loaded = models.embed_pictures(trained, pictures), models.load(folder)[0]
    np.testing.assert_allclose(models.embed_pictures(loaded, pictures), in_memory, atol=5e-3)
    encoder = vb.encoder(str(folder), device="cpu")
    seen = encoder.encode_images(encoder.normalise(pictures))
    np.testing.assert_allclose(seen, in_memory, atol=5e-3)
    texts = ["a warm person", "a photo of a teal person"]
    said = models.embed_tokens(trained, spoken.vocabulary.encode(texts))
    np.testing.assert_allclose(np.asarray(vb.embed(encoder, texts, store=False)), said, atol=5e-3)


def test_a_package_paints_faces_as_the_checkpoint_s_card_says(tiny, spoken, shown_larger, tmp_path):
    """The vectors of a network with another pairing are those of the repainted pictures, and are
    stored apart."""
    vision = tiny.architecture.vision.model_dump() | {
        "image_size": 64
    }  # the size in which sets are rendered
    larger, found = tiny.but(architecture={"vision": vision}), {}
    trained = fit.train(larger, spoken, shown_larger, seed=3)
    images = vb.images("greenhouse/causalface", seed=5, subset="prototype")
    for name, one in (("plain", Pairing()), ("turned", TURNED)):
        card = {"pairing": one.record()}
        models.save(
            trained, tmp_path / name, recipe=larger, vocabulary=spoken.vocabulary, card=card
        )
        encoder = vb.encoder(str(tmp_path / name))
        assert encoder.pairing == (None if one.is_plain else one.record())
        found[name] = vb.embed(
            encoder, images, store=tmp_path / "store"
        )  # one store: the weights are the same
        pictures = faces.render(images.table, 64, pairing=one)
        expected = models.embed_pictures(models.load(tmp_path / name)[0], pictures)
        np.testing.assert_allclose(np.asarray(found[name]), expected, atol=1e-5)
        assert found[name].table["race"].tolist() == images.table["race"].tolist()
    assert np.abs(np.asarray(found["plain"]) - np.asarray(found["turned"])).max() > 1e-3
