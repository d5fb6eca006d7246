"""One model, start to finish: train, save, test what was saved. `card.json` is written last, so
half a folder does not look whole."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from greenhouse.train import fit, gates, held_out, pool, readout, warm
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.whole_files import replacing

LIMITS = (
    "A world of our own making: a model of a few million parameters or fewer, a small vocabulary,"
    " independent attributes, and bias placed by us. It says nothing about people, and no rate or"
    " threshold transfers to CLIP."
)


def commit() -> str:
    """The commit the code is at, `+dirty` if the tree differs from it; "unknown" outside a
    checkout."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(paths.root()), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "src/greenhouse", "data/greenhouse")
        return git("rev-parse", "--short=12", "HEAD") + ("+dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def produce(
    recipe: Recipe,
    *,
    seed: int,
    folder: Path,
    partial: Path | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> tuple[dict, held_out.View]:
    """Train a model, write its checkpoint folder; return its card, and its view of the held-out
    pictures.

    Gates, anchors and recovery are measured on the checkpoint as saved (fp16 weights), not on the
    model in memory."""
    code, grammar, number = commit(), grammars.load(), seed % recipe.start.of
    start = warm.load(recipe, number)
    began = time.process_time()
    pairing = pairings.random_pairing(seed) if recipe.pairing == "drawn" else pairings.Pairing()
    shown = recipe.pool.seed if isinstance(recipe.pool.seed, int) else seed
    pictures = pool.make(
        recipe.pool,
        pairing,
        seed=shown,
        size=recipe.architecture.vision["image_size"],
        captions=recipe.captions,
    )
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
        "commit": code,
        "versions": {name: version(name) for name in ("torch", "open_clip_torch", "numpy")},
        "limits": LIMITS,
    }
    models.save(trained, folder, recipe=recipe, vocabulary=grammar.vocabulary, card=card)
    if partial:
        partial.unlink(missing_ok=True)
    saved, _ = models.load(folder)
    view = held_out.view(saved, grammar, pairing)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8")) | examined(view, recipe)
    with replacing(folder / "card.json") as draft:
        draft.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return card, view


def examined(view: held_out.View, recipe: Recipe) -> dict:
    """What the card says of a trained model: gates, anchors, recovery, what it mixes up."""
    measured, captions = view.measured(), recipe.captions
    values = gates.measure(view, measured, renamed=captions.renamed)
    return {
        "logit_scale": view.scale,
        "gates": {
            name: {"value": round(value, 4), "threshold": gates.THRESHOLDS[name]}
            for name, value in values.items()
        },
        "accepted": gates.passed(values),
        "calibration": readout.anchors(view, measured),
        "cross_talk": readout.cross_talk(view),
        "decoding_r2": readout.decoding(view),
        "truth": {
            "file": "data/greenhouse/truth.json",
            "bias_sha256": hashlib.sha256((DATA / "bias.yaml").read_bytes()).hexdigest(),
        },
        "recovery_per_face": {
            found["axis"]: {"r": round(found["r"], 4), "slope": round(found["slope"], 4)}
            for found in readout.cells(view, measured, captions.b, captions.arms).to_dict("records")
        },
    }
