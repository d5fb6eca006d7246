"""Training: a warm start of the image tower on attributes, then contrastive learning from captions.

Comes in: a recipe, a pool, a seed. Goes out: a trained model. May not: show the warm start a caption or b, or
depend on when it was interrupted: every step draws from (seed, step) alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from greenhouse.train import model as models
from greenhouse.train import warm
from greenhouse.train.pairs import Pairs
from greenhouse.train.pool import Pool
from greenhouse.train.recipe import Recipe, Schedule
from greenhouse.world.grammar import Grammar
from vlmbias.whole_files import replacing

CHECKPOINT_EVERY = 50


def train(recipe: Recipe, grammar: Grammar, pool: Pool, *, seed: int, partial: Path | None = None,
          progress: Callable[[int, int, float], None] | None = None) -> Any:
    """Train one model.

    Parameters
    ----------
    recipe, grammar, pool : what is trained, on what.
    seed : of the weights, the batches and the captions.
    partial : file that holds the run's state every 50 steps and lets it resume; removed at the end.
    progress : called with (step, total, loss).

    Returns
    -------
    open_clip.model.CLIP, in eval mode.
    """
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    vocabulary, plan = grammar.vocabulary, recipe.schedule
    run = _Run(recipe, models.build(recipe.model_config_for(len(vocabulary.words), vocabulary.context_length)))
    identity = _identity(recipe, seed)
    done = run.restore(partial, identity)
    shown, pairs = warm.Attributes(pool.rows, grammar.bias), Pairs(grammar, pool, recipe.captions)
    vectors: np.ndarray | None = None  # of the whole pool, while the image tower stands still
    for step in range(done, plan.total):
        rng = np.random.default_rng([seed, step])
        locked = plan.locked(step - plan.warm_steps)
        if step < plan.warm_steps:
            index, n_faces = _draw(plan, pool, rng)
            loss = run.warm_step(step, models.to_tensor(pool.pictures[index]), shown, index, n_faces)
        else:
            index, caption, _ = pairs.draw(plan.locked_batch if locked else plan.batch, plan.icon_share, rng)
            distinct, which = np.unique(caption, return_inverse=True)
            if locked:
                vectors = run.vectors(pool.pictures) if vectors is None else vectors
                seen = {"vectors": torch.from_numpy(vectors[index])}
            else:
                vectors, seen = None, {"pictures": models.to_tensor(pool.pictures[index])}
            loss = run.contrastive_step(step - plan.warm_steps, pairs.tokens[distinct], which, **seen)
        if progress:
            progress(step + 1, plan.total, loss)
        if partial and (step + 1) % CHECKPOINT_EVERY == 0 and step + 1 < plan.total:
            run.keep(partial, identity, step + 1)
    if partial:
        partial.unlink(missing_ok=True)
    return run.model.eval()


def _draw(plan: Schedule, pool: Pool, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Sorted rows of the pool for a step of the warm start, faces first, and the number of faces."""
    n_faces = plan.warm_batch - round(plan.warm_batch * plan.icon_share)
    index = np.concatenate([rng.integers(0, pool.n_faces, n_faces),
                            rng.integers(pool.n_faces, len(pool.rows), plan.warm_batch - n_faces)])
    return np.sort(index), n_faces


class _Run:
    """A model in training, the warm start's head, and the optimiser of either phase."""

    def __init__(self, recipe: Recipe, model: Any):
        import torch
        from open_clip.loss import ClipLoss

        self.plan, self.model, self.contrast = recipe.schedule, model.train(), ClipLoss()
        self.head = torch.nn.Linear(recipe.architecture.embed_dim, warm.OUTPUTS)
        image = list(model.visual.parameters())
        seen = set(map(id, image))
        text = [parameter for parameter in model.parameters() if id(parameter) not in seen]
        make = {"lr": self.plan.learning_rate, "weight_decay": self.plan.weight_decay, "betas": (0.9, 0.98)}
        self.warm = torch.optim.AdamW([*image, *self.head.parameters()], **make)
        self.main = torch.optim.AdamW([{"params": text}, {"params": image}], **make)

    def warm_step(self, step: int, pictures, shown: warm.Attributes, index: np.ndarray, n_faces: int) -> float:
        rate = self._rate(self.plan.warm_rate, step, self.plan.warm_steps)
        loss = shown.loss(shown.read(self.head, self.model.encode_image(pictures)), index, n_faces)
        return self._update(loss, self.warm, [rate])

    def vectors(self, pictures: np.ndarray) -> np.ndarray:
        """Unit vectors of all pictures, by the image tower as it stands."""
        found = models.embed_pictures(self.model, pictures)
        self.model.train()
        return found

    def contrastive_step(self, step: int, tokens: np.ndarray, which: np.ndarray, *, vectors=None,
                         pictures=None) -> float:
        """One step on captions `which` of `tokens`: with `vectors` the image tower stands still, while the text tower
        finds it (Zhai et al. 2022 call this locked-image tuning); with `pictures` both learn."""
        import torch

        plan, locked = self.plan, vectors is not None
        image = vectors if locked else self.model.encode_image(pictures, normalize=True)
        text = models.encode_short(self.model, torch.from_numpy(tokens))[torch.from_numpy(which)]
        loss = self.contrast(image, text, self.model.logit_scale.exp())
        rate = self._rate(plan.learning_rate, step, plan.steps)
        return self._update(loss, self.main, [rate, 0.0 if locked else rate * plan.image_rate])

    def _rate(self, peak: float, step: int, steps: int) -> float:
        return peak * min(1.0, (step + 1) / self.plan.ramp) * (0.1 + 0.45 * (1 + math.cos(math.pi * step / steps)))

    def _update(self, loss, optimiser, rates: list[float]) -> float:
        import torch

        for group, rate in zip(optimiser.param_groups, rates, strict=True):
            group["lr"] = rate
        optimiser.zero_grad()
        loss.backward()
        moved = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        torch.nn.utils.clip_grad_norm_(moved, self.plan.clip_norm)
        optimiser.step()
        return float(loss.detach())

    def keep(self, file: Path, identity: str, step: int) -> None:
        """Write weights and optimiser states, as safetensors, whole or not at all."""
        from safetensors.torch import save_file

        state = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        state |= {f"head.{name}": value for name, value in self.head.state_dict().items()}
        for name, optimiser in (("warm", self.warm), ("main", self.main)):
            for k, entry in optimiser.state_dict()["state"].items():
                state |= {f"{name}.{k}.{key}": value for key, value in entry.items()}
        with replacing(file) as draft:
            save_file({name: value.contiguous() for name, value in state.items()}, draft,
                      metadata={"run": identity, "step": str(step)})

    def restore(self, file: Path | None, identity: str) -> int:
        """The steps already done by an interrupted run of the same identity; else 0."""
        if file is None or not file.exists():
            return 0
        from safetensors import safe_open

        with safe_open(file, framework="pt") as stored:
            about = stored.metadata()
            if about.get("run") != identity:
                return 0
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 (not a dict)
        self.model.load_state_dict(_under(tensors, "model."))
        self.head.load_state_dict(_under(tensors, "head."))
        for name, optimiser in (("warm", self.warm), ("main", self.main)):
            state: dict[int, dict] = {}
            for key, value in _under(tensors, f"{name}.").items():
                k, _, what = key.partition(".")
                state.setdefault(int(k), {})[what] = value
            optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
        return int(about["step"])


def _under(tensors: dict, prefix: str) -> dict:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _identity(recipe: Recipe, seed: int) -> str:
    return json.dumps({"recipe": recipe.model_dump(), "hash": recipe.hash(), "seed": seed}, sort_keys=True)
