"""The dose–response study: retrain at several strengths of bias, keep every model's result, ship the tables.

Comes in: a recipe, a number of processes. Goes out: `data/greenhouse/dose_response/`, the two default
checkpoints and `truth.json`. May not: look at a bias result to accept a model, or choose a seed afterwards.

Seeds are fixed: the i-th model at the k-th strength has seed 1000 k + i. A model that fails a gate is listed
and replaced by the next seed of its strength.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import shutil
import zipfile
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from greenhouse.train import model as models
from greenhouse.train import one, panel, recovery
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import truth
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.files import replacing

PLAN = {0.0: 39, 0.1: 10, 0.25: 10, 0.5: 10, 1.0: 10}  # strength -> accepted models wanted
STUDY = DATA / "dose_response"


def seed_of(b: float, i: int) -> int:
    """The seed of the i-th model at strength b."""
    return 1000 * list(PLAN).index(b) + i


def workshop(recipe: Recipe) -> Path:
    """Where finished models of a recipe are kept until the study is collected."""
    return paths.build() / "greenhouse" / "dose_response" / recipe.hash()


def _train(recipe: Recipe, b: float, seed: int, folder: Path, code: str) -> dict:
    """One model in a worker process; at once if it is already there."""
    if not (folder / "panel.npz").exists():
        one.produce(recipe, b=b, seed=seed, folder=folder, partial=folder / "partial.safetensors", code=code)
        model, grammar = models.load(folder)[0], grammars.load()
        images, words = panel.embed(model, grammar)
        recovery.gaps(model, grammar).to_csv(folder / "gaps.csv", index=False)
        with replacing(folder / "panel.npz") as draft, draft.open("wb") as stream:
            np.savez(stream, images=images, words=words)
    return json.loads((folder / "card.json").read_text(encoding="utf-8"))


def _order() -> list[float]:
    """The strengths in the order in which models are started: every strength advances at the same pace."""
    return [b for _, b in sorted(((i + 1) / wanted, b) for b, wanted in PLAN.items() for i in range(wanted))]


def run(recipe: Recipe, *, jobs: int = 2) -> None:
    """Train what is missing, `jobs` models at a time, one thread each; then `collect`.

    Every finished model stays: a study that was interrupted resumes, in the middle of a model, too.
    """
    from tqdm import tqdm

    folder, code, queue = workshop(recipe), one.commit(), _order()
    started = dict.fromkeys(PLAN, 0)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with (ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as workers,
          tqdm(total=len(queue), unit="model", desc="dose–response", mininterval=1) as bar):
        running: dict[Future, float] = {}
        while queue or running:
            while queue and len(running) < jobs:
                b = queue.pop(0)
                seed = seed_of(b, started[b])
                started[b] += 1
                running[workers.submit(_train, recipe, b, seed, folder / f"b{b:g}-seed{seed}", code)] = b
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                b, card = running.pop(future), future.result()
                if card["accepted"]:
                    bar.update()
                else:
                    failed = [f"{name} {gate['value']:.3f}" for name, gate in card["gates"].items()
                              if gate["value"] < gate["threshold"]]
                    bar.write(f"rejected: b={b:g} seed={card['seed']} ({', '.join(failed)}); the next seed replaces it")
                    queue.insert(0, b)
    collect(recipe)


def _row(folder: Path, card: dict) -> dict:
    row = {"b": card["b"], "seed": card["seed"], "accepted": card["accepted"], "logit_scale": card["logit_scale"],
           **{name: gate["value"] for name, gate in card["gates"].items()},
           "seed_is_largest": card["calibration"]["seed_is_largest"],
           **{f"neutral_r_{name}": value for name, value in card["calibration"]["neutral_r"].items()},
           "training_core_seconds": card["training_core_seconds"]}
    for found in pd.read_csv(folder / "gaps.csv").to_dict("records"):
        between = f"{found['first']}_{found['second']}_{found['axis']}"
        row |= {f"gap_{between}": found["gap"], f"d_{between}": found["d"]}
    for axis, found in card["recovery"].items():
        row |= {f"r_{axis}": found["r"], f"slope_{axis}": found["slope"]}
    return row


def collect(recipe: Recipe) -> None:
    """Write the study's tables, the two default checkpoints and the truth from what the workshop holds."""
    rows: list[dict] = []
    kept: list[int] = []
    for folder in sorted(workshop(recipe).glob("b*-seed*")):
        if (folder / "panel.npz").exists():
            card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
            rows.append(_row(folder, card) | {"folder": folder})
    if not rows:
        raise ValueError("no model is there; run `vlmbias greenhouse dose-response`")
    table = pd.DataFrame(rows).sort_values(["b", "seed"], ignore_index=True)
    for b, wanted in PLAN.items():
        here = table[(table["b"] == b) & table["accepted"]]
        if len(here) < wanted:
            raise ValueError(f"{len(here)} of {wanted} models at b={b:g} are there; "
                             "run `vlmbias greenhouse dose-response`")
        kept += here.index[:wanted].tolist()
    chosen = table.loc[sorted(kept)]
    table["panel_row"] = pd.Series(range(len(chosen)), index=chosen.index).astype("Int64")
    arrays = [np.load(folder / "panel.npz", allow_pickle=False) for folder in chosen["folder"]]
    _write_npz(STUDY / "panel.npz", {name: np.stack([array[name] for array in arrays]) for name in ("images", "words")})
    grammar = grammars.load()
    _write(STUDY / "panel_images.csv", panel.images().to_csv())
    _write(STUDY / "panel_words.csv", panel.words(grammar)[0].to_csv())
    _write(STUDY / "models.csv", table.drop(columns="folder").to_csv(index=False, float_format="%.6g"))
    _write(DATA / "truth.json", json.dumps(truth.statement(grammar), indent=2) + "\n")
    plan = [{"b": b, "models": wanted, "first_seed": seed_of(b, 0)} for b, wanted in PLAN.items()]
    first = json.loads((chosen["folder"].iloc[0] / "card.json").read_text(encoding="utf-8"))
    _write(STUDY / "recipe.json", json.dumps({
        "command": "vlmbias greenhouse dose-response", "recipe": asdict(recipe), "recipe_hash": recipe.hash(),
        "commit": first["commit"], "versions": first["versions"], "plan": plan,
        "rejected": sum(not row["accepted"] for row in rows),
        "core_seconds": round(sum(row["training_core_seconds"] for row in rows))}, indent=2) + "\n")
    for name, b in (("default", 1.0), ("b0", 0.0)):
        _copy(chosen.loc[chosen["b"] == b, "folder"].iloc[0], DATA / name)


def _copy(source: Path, target: Path) -> None:
    for name in ("open_clip_config.json", "model.safetensors", "words.txt", "card.json"):
        with replacing(target / name) as draft:
            shutil.copyfile(source / name, draft)


def _write(file: Path, text: str) -> None:
    with replacing(file) as draft:
        draft.write_text(text, encoding="utf-8")


def _write_npz(file: Path, arrays: dict[str, np.ndarray]) -> None:
    """A compressed .npz whose bytes depend on the arrays alone, not on the clock."""
    with replacing(file) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getvalue(),
                             compress_type=zipfile.ZIP_DEFLATED)
