"""One model, start to finish: train, save, test what was saved."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

from greenhouse.train import fit, gates, held_out, pool, readout, saving, warm
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.train.run import Progress
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA


def produce(
    recipe: Recipe, *, seed: int, folder: Path, progress: Progress | None = None
) -> tuple[dict, held_out.View]:
    """Train a model, write its checkpoint folder; return its card, and its view of the held-out
    pictures.

    An interrupted run resumes from a file in the folder. Gates, anchors and recovery are measured
    on the checkpoint as saved (fp16 weights), not on the model in memory; only then does the card
    say whether it was accepted.
    """
    code, grammar = saving.made_by("open_clip_torch"), grammars.load()
    number = seed % recipe.start.of
    start = warm.load(recipe, number, progress=progress)
    began = time.process_time()
    pairing = pairings.random_pairing(seed) if recipe.pairing == "drawn" else pairings.Pairing()
    shown = recipe.pool.seed if isinstance(recipe.pool.seed, int) else seed
    size = recipe.architecture.vision.image_size
    pictures = pool.make(recipe.pool, pairing, seed=shown, size=size, captions=recipe.captions)
    partial = folder / saving.PARTIAL
    trained = fit.train(
        recipe, grammar, pictures, seed=seed, start=start, partial=partial, progress=progress
    )
    card = {
        "name": f"greenhouse {recipe.name} b={recipe.captions.b:g} seed={seed}",
        "source": "greenhouse",
        "b": recipe.captions.b,
        "seed": seed,
        "arms": recipe.captions.arms,
        "pool_seed": shown,
        "warm_start": number,
        "pairing": pairing.record(),
        "training_core_seconds": round(time.process_time() - began, 1),
        "recipe": recipe.model_dump(),
        "recipe_hash": recipe.hash(),
        **code,
    }
    card = models.save(trained, folder, recipe=recipe, vocabulary=grammar.vocabulary, card=card)
    partial.unlink(missing_ok=True)
    view = held_out.view(models.load(folder)[0], grammar, pairing)
    card |= examined(view, recipe)
    saving.write_card(folder / saving.CARD, card)
    return card, view


def examined(view: held_out.View, recipe: Recipe) -> dict:
    """What the card says of a trained model: gates, anchors, recovery, what it mixes up."""
    captions = recipe.captions
    cells = readout.cells(view, captions.b, captions.arms)
    return {
        "logit_scale": view.scale,
        **saving.gated(gates.measure(view, renamed=captions.renamed), gates.THRESHOLDS),
        "calibration": readout.anchors(view),
        "cross_talk": readout.cross_talk(view),
        "decoding_r2": readout.decoding(view),
        "truth": {
            "file": "data/greenhouse/truth.json",
            "bias_sha256": hashlib.sha256((DATA / "bias.yaml").read_bytes()).hexdigest(),
        },
        "recovery_per_face": {
            found["axis"]: {"r": round(found["r"], 4), "slope": round(found["slope"], 4)}
            for found in cells.to_dict("records")
        },
    }
