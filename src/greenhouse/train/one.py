"""One model, start to finish: train, save, test what was saved.

Comes in: a recipe, b, a seed, a folder. Goes out: a checkpoint folder with its card, and a row of results.
May not: leave half a folder that looks whole: card.json is written last.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from greenhouse.train import calibration, fit, gates, pool, recovery
from greenhouse.train import model as models
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.whole_files import replacing

LIMITS = ("A world of our own making: a model of a third of a million parameters or fewer, a small vocabulary, "
          "independent attributes, and bias placed by us. It says nothing about people, and no rate or threshold "
          "transfers to CLIP.")


def commit() -> str:
    """The commit the code is at, `+dirty` if the tree differs from it; "unknown" outside a checkout."""
    def git(*words: str) -> str:
        command = ["git", "-C", str(paths.root()), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "src/greenhouse", "data/greenhouse")
        return git("rev-parse", "--short=12", "HEAD") + ("+dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def produce(recipe: Recipe, *, b: float, seed: int, folder: Path, arms: Mapping[str, float] | None = None,
            partial: Path | None = None, progress: Callable[[int, int, float], None] | None = None,
            code: str | None = None) -> dict:
    """Train a model, write its checkpoint folder and return its card.

    Gates, anchors and recovery are measured on the checkpoint as saved (fp16 weights), not on the model in memory.
    """
    began = time.process_time()
    grammar = grammars.load()
    trained = fit.train(recipe, grammar, pool.load(recipe), b=b, seed=seed, arms=arms, partial=partial,
                        progress=progress)
    card = {"name": f"greenhouse b={b:g} seed={seed}", "source": "greenhouse", "b": b, "seed": seed,
            "arms": dict(arms or {}),
            "training_core_seconds": round(time.process_time() - began, 1),
            "recipe": asdict(recipe), "recipe_hash": recipe.hash(), "commit": code or commit(),
            "versions": {name: version(name) for name in ("torch", "open_clip_torch", "numpy")}, "limits": LIMITS}
    models.save(trained, folder, recipe=recipe, vocabulary=grammar.vocabulary, card=card)
    saved, _ = models.load(folder)
    values = gates.measure(saved, grammar)
    recovered = recovery.recovery(saved, grammar, b)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8")) | {
        "logit_scale": float(saved.logit_scale.detach().exp()),
        "gates": {name: {"value": round(value, 4), "threshold": gates.THRESHOLDS[name]}
                  for name, value in values.items()},
        "accepted": gates.passed(values),
        "calibration": calibration.anchors(saved, grammar),
        "truth": {"file": "data/greenhouse/truth.json",
                  "bias_sha256": hashlib.sha256((DATA / "bias.yaml").read_bytes()).hexdigest()},
        "recovery": {found["axis"]: {"r": round(found["r"], 4), "slope": round(found["slope"], 4)}
                     for found in recovered.to_dict("records")},
    }
    with replacing(folder / "card.json") as draft:
        draft.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return card
