"""Training: the same seed gives the same weights, whatever interrupts it."""

import hashlib

import numpy as np
import pytest

from greenhouse.train import fit, pool
from greenhouse.train import model as models
from greenhouse.world import faces


def digest(model):
    state = model.state_dict()
    return hashlib.sha256(b"".join(state[name].numpy().tobytes() for name in sorted(state))).hexdigest()


@pytest.fixture(scope="module")
def straight(tiny, spoken, shown):
    """Weights of a run that nothing disturbed."""
    return digest(fit.train(tiny, spoken, shown, b=1.0, seed=3))


def test_a_seed_fixes_the_weights(tiny, spoken, shown, straight):
    assert digest(fit.train(tiny, spoken, shown, b=1.0, seed=3)) == straight
    assert digest(fit.train(tiny, spoken, shown, b=1.0, seed=4)) != straight


def test_b_changes_only_what_captions_say(tiny, spoken, shown, straight):
    """The warm start sees no b: up to its end two strengths share their image tower; after it they part."""
    assert digest(fit.train(tiny, spoken, shown, b=0.0, seed=3)) != straight
    losses = {b: [] for b in (0.0, 1.0)}
    for b, seen in losses.items():
        fit.train(tiny, spoken, shown, b=b, seed=3, progress=lambda step, total, loss, seen=seen: seen.append(loss))
    assert losses[0.0][: tiny.warm_steps] == losses[1.0][: tiny.warm_steps]
    assert losses[0.0][tiny.warm_steps :] != losses[1.0][tiny.warm_steps :]


@pytest.mark.parametrize("last", [4, 9, 11])
def test_an_interrupted_run_ends_in_the_same_weights(tiny, spoken, shown, straight, tmp_path, monkeypatch, last):
    """Stopped in the warm start, in the contrastive phase, and just before the end."""
    monkeypatch.setattr(fit, "CHECKPOINT_EVERY", 3)
    partial, steps = tmp_path / "partial.safetensors", []

    def stop(step, total, loss):
        if step == last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit.train(tiny, spoken, shown, b=1.0, seed=3, partial=partial, progress=stop)
    assert partial.exists()
    resumed = fit.train(tiny, spoken, shown, b=1.0, seed=3, partial=partial,
                        progress=lambda step, *_: steps.append(step))
    assert steps[0] == (last - 1) // 3 * 3 + 1 and steps[-1] == tiny.total  # the rest, not the whole
    assert digest(resumed) == straight
    assert not list(tmp_path.iterdir())  # nothing half-written stays


def test_the_state_of_another_run_is_not_continued(tiny, spoken, shown, straight, tmp_path, monkeypatch):
    monkeypatch.setattr(fit, "CHECKPOINT_EVERY", 3)
    partial = tmp_path / "partial.safetensors"

    def stop(step, total, loss):
        if step == 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit.train(tiny, spoken, shown, b=1.0, seed=4, partial=partial, progress=stop)
    assert digest(fit.train(tiny, spoken, shown, b=1.0, seed=3, partial=partial)) == straight


def test_training_lowers_both_losses(tiny, spoken, shown):
    from dataclasses import replace

    losses = []
    longer = replace(tiny, warm_steps=30, steps=40, locked_steps=5, learning_rate=1e-2)
    fit.train(longer, spoken, shown, b=1.0, seed=0, progress=lambda step, total, loss: losses.append(loss))
    warm, contrastive = losses[: longer.warm_steps], losses[longer.warm_steps :]
    assert np.mean(warm[-5:]) < 0.9 * np.mean(warm[:5])
    assert np.mean(contrastive[-5:]) < 0.98 * np.mean(contrastive[:5])


def test_the_pool_is_rendered_once_and_shows_its_rows(tiny, tmp_path, monkeypatch):
    first = pool.load(tiny, folder=tmp_path)
    assert first.pictures.shape == (72, 64, 64, 3) and first.rows["category"].isna().sum() == first.n_faces == 48
    assert np.array_equal(first.pictures[[0, 2]], faces.render(first.rows.iloc[[0, 2]].drop(columns=["category"])))
    assert first.rows["seed"].min() >= pool.FIRST_SEED and first.rows["seed"].max() < pool.HELD_OUT_SEED
    monkeypatch.setattr(pool, "render_faces", lambda *_: pytest.fail("the pool was rendered twice"))
    assert np.array_equal(pool.load(tiny, folder=tmp_path).pictures, first.pictures)


def test_a_checkpoint_comes_back_as_it_was_but_for_half_precision(tiny, spoken, shown, tmp_path):
    trained = fit.train(tiny, spoken, shown, b=1.0, seed=3)
    models.save(trained, tmp_path, recipe=tiny, vocabulary=spoken.vocabulary, card={"b": 1.0})
    loaded, vocabulary = models.load(tmp_path)
    assert vocabulary.words == spoken.vocabulary.words and not loaded.training
    before, after = (models.embed_pictures(model, shown.pictures[:8]) for model in (trained, loaded))
    np.testing.assert_allclose(after, before, atol=5e-3)
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), 1, atol=1e-5)
    files = {"open_clip_config.json", "model.safetensors", "words.txt", "card.json"}
    assert {path.name for path in tmp_path.iterdir()} == files


def test_short_captions_are_encoded_as_if_they_were_padded(tiny, spoken, shown):
    import torch

    from greenhouse.world.grammar import Speaker

    model = models.build(tiny.model_config(len(spoken.vocabulary.words), spoken.vocabulary.context_length))
    tokens = torch.from_numpy(Speaker(spoken, shown.rows, 1.0).tokens)
    assert {True, False} == set((tokens.argmax(dim=1) < models.SHORT).tolist())
    with torch.no_grad():
        torch.testing.assert_close(models.encode_short(model, tokens), model.encode_text(tokens, normalize=True))


def test_the_image_tower_moves_in_the_joint_steps_only(tiny, spoken, shown, monkeypatch):
    seen, step_of = [], fit._Run.contrastive_step

    def watch(self, step, *args, **options):
        before = models.to_tensor(shown.pictures[:2])
        first = self.model.encode_image(before).detach().clone()
        loss = step_of(self, step, *args, **options)
        seen.append(not bool((self.model.encode_image(before) == first).all()))
        return loss

    monkeypatch.setattr(fit._Run, "contrastive_step", watch)
    fit.train(tiny, spoken, shown, b=1.0, seed=3)
    joint = range(tiny.locked_steps, tiny.locked_steps + tiny.joint_steps)
    assert seen == [step in joint for step in range(tiny.steps)] and 0 < sum(seen) < len(seen)


def test_an_arm_changes_the_captions_and_not_the_warm_start(tiny, spoken, shown, straight):
    losses = {}
    for name, arms in (("none", None), ("neutral", {"neutral": 1.0})):
        losses[name] = []
        fit.train(tiny, spoken, shown, b=0.0, seed=3, arms=arms,
                  progress=lambda step, total, loss, kept=losses[name]: kept.append(loss))  # fmt: skip
    assert losses["none"][: tiny.warm_steps] == losses["neutral"][: tiny.warm_steps]
    assert losses["none"][tiny.warm_steps :] != losses["neutral"][tiny.warm_steps :]
