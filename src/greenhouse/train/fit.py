"""Training: from a warm start of the image tower, contrastive learning from captions. Every step
draws from (seed, step) alone, so it does not matter when a run was interrupted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from greenhouse.train import model as models
from greenhouse.train.batches import Pairs
from greenhouse.train.pool import Pool
from greenhouse.train.recipe import Recipe
from greenhouse.train.run import Progress, Run
from greenhouse.world.grammar import Grammar


def train(
    recipe: Recipe,
    grammar: Grammar,
    pool: Pool,
    *,
    seed: int,
    start: Mapping[str, Any] | None = None,
    partial: Path | None = None,
    progress: Progress | None = None,
) -> Any:
    """Train one model, from the image tower `start` where it is given; `partial` and `progress` as
    for `Run.learn`. The image tower stands still in the first and last steps of the schedule, while
    the text tower finds it (Zhai et al. 2022 call this locked-image tuning), and learns along with
    it in between."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    vocabulary, plan = grammar.vocabulary, recipe.schedule
    model = models.build(
        recipe.model_config_for(len(vocabulary.words), vocabulary.context_length)
    ).train()
    from open_clip.loss import ClipLoss  # now that open_clip is importable

    contrast = ClipLoss()
    if start is not None:
        model.visual.load_state_dict(start)
    image = list(model.visual.parameters())
    seen_there = set(map(id, image))
    text = [parameter for parameter in model.parameters() if id(parameter) not in seen_there]
    run = Run(
        {"model": model},
        [text, image],
        steps=plan.steps,
        rate=plan.learning_rate,
        weight_decay=plan.weight_decay,
        clip_norm=plan.clip_norm,
    )
    about = json.dumps(
        {"recipe": recipe.model_dump(), "hash": recipe.hash(), "seed": seed}, sort_keys=True
    )
    pairs = Pairs(grammar, pool, recipe.captions)
    vectors: np.ndarray | None = None  # of the whole pool, while the image tower stands still

    def loss(step: int) -> Any:
        nonlocal vectors
        rng, locked = np.random.default_rng([seed, step]), plan.locked(step)
        index, caption, _ = pairs.draw(
            plan.locked_batch if locked else plan.batch, plan.icon_share, rng=rng
        )
        distinct, which = np.unique(caption, return_inverse=True)
        if locked:
            vectors = _vectors(model, pool) if vectors is None else vectors
            seen = torch.from_numpy(vectors[index])
        else:
            vectors = None
            seen = model.encode_image(models.to_tensor(pool.pictures[index]), normalize=True)
        texts = models.encode_short(model, torch.from_numpy(pairs.tokens[distinct]))[
            torch.from_numpy(which)
        ]
        return contrast(seen, texts, model.logit_scale.exp())

    run.learn(
        loss,
        partial=partial,
        identity=about,
        progress=progress,
        shares=lambda step: [1.0, 0.0 if plan.locked(step) else plan.image_rate],
    )
    return model.eval()


def _vectors(model: Any, pool: Pool) -> np.ndarray:
    """Unit vectors of all pictures, by the image tower as it stands."""
    found = models.embed_pictures(model, pool.pictures)
    model.train()
    return found
