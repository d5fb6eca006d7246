"""The dose–response study: retrain at several strengths of bias, keep every model's result, ship the tables.

Comes in: a recipe, a number of processes. Goes out: `data/greenhouse/dose_response/` and `portraits/`, the two
default checkpoints and `truth.json`. May not: look at a bias result to accept a model, or choose a seed afterwards.

A kind of model is a strength b, or an arm of the study (see `bias.yaml`), which is trained at b = 0. Seeds are fixed:
the i-th model of the k-th kind has seed 1000 k + i. A model that fails a gate is listed and replaced by the next
seed of its kind.
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
from typing import NamedTuple

import numpy as np
import pandas as pd

from greenhouse.train import model as models
from greenhouse.train import one, panel, portraits, recovery
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import truth
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.whole_files import replacing

PLAN = {0.0: 39, 0.1: 6, 0.25: 6, 0.5: 8, 1.0: 10}  # strength -> accepted models wanted
ARMS = {("neutral", 0.5): 3, ("neutral", 1.0): 3, ("marking", 0.5): 3, ("marking", 1.0): 3}  # arm, strength -> models
SHOWN_ALL = 10  # models at b = 0 and at b = 1 that also see what leaks and what is uncontrolled
STUDY, PORTRAITS = DATA / "dose_response", DATA / "portraits"


class Kind(NamedTuple):
    """What is trained alike: `b`, and an `arm` ("dose": none) at a `strength`."""

    b: float
    arm: str = "dose"
    strength: float = 0.0

    @property
    def arms(self) -> dict[str, float]:
        """As `Grammar.shares` takes it."""
        return {} if self.arm == "dose" else {self.arm: self.strength}


def plan() -> dict[Kind, int]:
    """Every kind, and how many accepted models are wanted of it."""
    return {Kind(b): n for b, n in PLAN.items()} | {Kind(0.0, *arm): n for arm, n in ARMS.items()}


def seed_of(kind: Kind, i: int) -> int:
    """The seed of the i-th model of a kind."""
    return 1000 * list(plan()).index(kind) + i


def folder_of(recipe: Recipe, kind: Kind, seed: int) -> Path:
    """Where a model of the study lies in the workshop."""
    arm = "" if kind.arm == "dose" else f"{kind.arm}{kind.strength:g}-"
    return workshop(recipe) / f"{arm}b{kind.b:g}-seed{seed}"


def workshop(recipe: Recipe) -> Path:
    """Where finished models of a recipe are kept until the study is collected."""
    return paths.build() / "greenhouse" / "dose_response" / recipe.hash()


def _train(recipe: Recipe, kind: Kind, seed: int, code: str) -> dict:
    """One model in a worker process; at once if it is already there."""
    folder = folder_of(recipe, kind, seed)
    if not (folder / "panel.npz").exists():
        one.produce(recipe, b=kind.b, seed=seed, arms=kind.arms, folder=folder,
                    partial=folder / "partial.safetensors", code=code)
        model, grammar = models.load(folder)[0], grammars.load()
        recovery.gaps(model, grammar).to_csv(folder / "gaps.csv", index=False)
        sets = ("grid", "leak", "fairface", "utkface") if _sees_all(kind, seed) else ("grid",)
        _keep(folder / "portraits.npz", {name: portraits.scores(model, grammar, name) for name in sets})
        images, words = panel.embed(model, grammar)
        _keep(folder / "panel.npz", {"images": images, "words": words})
    return json.loads((folder / "card.json").read_text(encoding="utf-8"))


def _sees_all(kind: Kind, seed: int) -> bool:
    """Whether a model may be among the first accepted ones of b = 0 and b = 1, which see every set of portraits."""
    return kind in (Kind(0.0), Kind(1.0)) and seed - seed_of(kind, 0) < 2 * SHOWN_ALL


def _keep(file: Path, arrays: dict[str, np.ndarray]) -> None:
    with replacing(file) as draft, draft.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def _order() -> list[Kind]:
    """The kinds in the order in which models are started: every kind advances at the same pace."""
    return [kind for _, kind in sorted(((i + 1) / n, kind) for kind, n in plan().items() for i in range(n))]


def run(recipe: Recipe, *, jobs: int = 2) -> None:
    """Train what is missing, `jobs` models at a time, one thread each; then `collect`.

    Every finished model stays: a study that was interrupted resumes, in the middle of a model, too.
    """
    from tqdm import tqdm

    code, queue = one.commit(), _order()
    started = dict.fromkeys(plan(), 0)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with (ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as workers,
          tqdm(total=len(queue), unit="model", desc="dose–response", mininterval=1) as bar):
        running: dict[Future, Kind] = {}
        while queue or running:
            while queue and len(running) < jobs:
                kind = queue.pop(0)
                seed = seed_of(kind, started[kind])
                started[kind] += 1
                running[workers.submit(_train, recipe, kind, seed, code)] = kind
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                kind, card = running.pop(future), future.result()
                if card["accepted"]:
                    bar.update()
                else:
                    failed = [f"{name} {gate['value']:.3f}" for name, gate in card["gates"].items()
                              if gate["value"] < gate["threshold"]]
                    bar.write(f"rejected: {kind} seed={card['seed']} ({', '.join(failed)}); the next seed replaces it")
                    queue.insert(0, kind)
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


def _finished(recipe: Recipe) -> pd.DataFrame:
    """One row per finished model with its kind, folder, and `kept`: whether it is among the wanted ones of its kind.

    Raises
    ------
    ValueError : a kind has fewer accepted models than wanted.
    """
    parts = []
    for kind, wanted in plan().items():
        rows = []
        for folder in workshop(recipe).glob(folder_of(recipe, kind, 0).name.removesuffix("0") + "*"):
            if (folder / "panel.npz").exists():
                card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
                rows.append({"arm": kind.arm, "arm_strength": kind.strength, "folder": folder} | _row(folder, card))
        table = pd.DataFrame(rows).sort_values("seed", ignore_index=True) if rows else pd.DataFrame({"accepted": []})
        accepted = table["accepted"].to_numpy(bool)
        if accepted.sum() < wanted:
            what = f"b={kind.b:g}" + ("" if kind.arm == "dose" else f" of arm {kind.arm} at {kind.strength:g}")
            raise ValueError(f"{accepted.sum()} of {wanted} models at {what} are there; "
                             "run `vlmbias greenhouse dose-response`")
        parts.append(table.assign(kept=accepted & (np.cumsum(accepted) <= wanted)))
    return pd.concat(parts, ignore_index=True)


def collect(recipe: Recipe) -> None:
    """Write the study's tables, the two default checkpoints and the truth from what the workshop holds."""
    if not any(workshop(recipe).glob("*/panel.npz")):
        raise ValueError("no model is there; run `vlmbias greenhouse dose-response`")
    finished, grammar = _finished(recipe), grammars.load()
    _collect_portraits(finished)
    table = finished.loc[finished["arm"] == "dose"].sort_values(["b", "seed"], ignore_index=True)
    chosen = table[table["kept"]]
    table["panel_row"] = pd.Series(range(len(chosen)), index=chosen.index).astype("Int64")
    arrays = [np.load(folder / "panel.npz", allow_pickle=False) for folder in chosen["folder"]]
    _write_npz(STUDY / "panel.npz", {name: np.stack([array[name] for array in arrays]) for name in ("images", "words")})
    _write(STUDY / "panel_images.csv", panel.images().to_csv())
    _write(STUDY / "panel_words.csv", panel.words(grammar)[0].to_csv())
    table = table.drop(columns=["arm", "arm_strength", "folder", "kept"])
    _write(STUDY / "models.csv", table.to_csv(index=False, float_format="%.6g"))
    _write(DATA / "truth.json", json.dumps(truth.statement(grammar), indent=2) + "\n")
    planned = [{**kind._asdict(), "models": wanted, "first_seed": seed_of(kind, 0)} for kind, wanted in plan().items()]
    first = json.loads((chosen["folder"].iloc[0] / "card.json").read_text(encoding="utf-8"))
    _write(STUDY / "recipe.json", json.dumps({
        "command": "vlmbias greenhouse dose-response", "recipe": asdict(recipe), "recipe_hash": recipe.hash(),
        "commit": first["commit"], "versions": first["versions"], "plan": planned,
        "rejected": int((~finished["accepted"].to_numpy(bool)).sum()),
        "core_seconds": round(finished["training_core_seconds"].sum())}, indent=2) + "\n")
    for name, b in (("default", 1.0), ("b0", 0.0)):
        _copy(chosen.loc[chosen["b"] == b, "folder"].iloc[0], DATA / name)


def _collect_portraits(finished: pd.DataFrame) -> None:
    """Every kept model's scores: of the grid for all, of the other sets for the first ten at b = 0 and b = 1."""
    chosen = finished[finished["kept"]].reset_index(drop=True)
    place = chosen.loc[chosen["arm"] == "dose"].groupby("b").cumcount().reindex(chosen.index)
    every = place.lt(SHOWN_ALL) & chosen.loc[:, "b"].isin([0.0, 1.0])
    arrays = [np.load(folder / "portraits.npz", allow_pickle=False) for folder in chosen["folder"]]
    found = {"grid": np.stack([array["grid"] for array in arrays])}
    for name in ("leak", "fairface", "utkface"):
        found[name] = np.stack([array[name] for array, shown in zip(arrays, every, strict=True) if shown])
    gates = [name for name in chosen if name.endswith(("_accuracy", "_r"))]
    about = chosen.loc[:, ["b", "seed", "arm", "arm_strength", "logit_scale", *gates]].assign(sees_all=every)
    _write_npz(PORTRAITS / "scores.npz", found)
    _write(PORTRAITS / "models.csv", about.to_csv(index=False, float_format="%.6g"))
    _write(PORTRAITS / "images.csv", portraits.images().to_csv(float_format="%.6g"))


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
