"""The dose–response study: train every network of the plan, keep each result, write the tables that
are shipped.

Comes in: the plan, a number of processes. Goes out: `data/greenhouse/retrained/`, the shipped
checkpoints and `truth.json`. May not: look at a bias result to accept a network, or choose a seed
afterwards.

A network that fails a gate is listed and replaced by the next seed of its kind.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import shutil
import zipfile
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path

import numpy as np
import pandas as pd

from greenhouse.retrained import RETRAINED, split
from greenhouse.study import scores, vectors
from greenhouse.study.plan import Kind, Plan
from greenhouse.train import produce, readout, warm
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world import truth
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.processes import end_with_parent
from vlmbias.whole_files import replacing

CHECKPOINT_FILES = ("open_clip_config.json", "model.safetensors", "words.txt", "card.json")


def workshop() -> Path:
    """Where finished networks are kept until the study is collected."""
    return paths.build() / "greenhouse" / "dose_response"


def folder_of(plan: Plan, kind: Kind, seed: int) -> Path:
    """Where a network of the study lies in the workshop; its recipe's hash is part of the name."""
    return workshop() / f"{kind.name}-seed{seed}-{plan.recipe_of(kind).hash()}"


def _train(recipe: Recipe, folder: Path, seed: int, sets: tuple[str, ...], code: str) -> dict:
    """One network in a worker process; at once if it is already there."""
    if not (folder / "vectors.npz").exists():
        captions = recipe.captions
        card, view = produce.produce(
            recipe, seed=seed, folder=folder, partial=folder / "partial.safetensors", code=code
        )
        pairing, measured = pairings.of_record(card["pairing"]), view.measured()
        readout.gaps(view, measured, captions.b, captions.arms).to_csv(
            folder / "gaps.csv", index=False
        )
        _keep(folder / "scores.npz", scores.scores(view, pairing, sets))
        _keep(folder / "vectors.npz", vectors.embed(view.model, view.grammar, pairing))
    return json.loads((folder / "card.json").read_text(encoding="utf-8"))


def _start(recipe: Recipe, number: int) -> None:
    """One warm start in a worker process; at once if it is already there."""
    warm.load(recipe, number)


def _sets(plan: Plan, kind: Kind, seed: int) -> tuple[str, ...]:
    """Which sets a network is scored on: all of them, if it may be among the first accepted ones
    that are shown all."""
    return scores.SETS if seed - plan.seed_of(kind, 0) < 2 * kind.shows else scores.SETS[:2]


def _keep(file: Path, arrays: dict[str, np.ndarray]) -> None:
    with replacing(file) as draft, draft.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def run(plan: Plan, *, jobs: int = 2, minutes: float | None = None) -> bool:
    """Train what is missing, `jobs` networks at a time, one thread each; whether all are there.

    Every finished network stays: a study that was interrupted resumes, in the middle of a network,
    too.

    Parameters
    ----------
    minutes : start no network later than this; default none.
    """
    import time

    from tqdm import tqdm

    code, queue, until = produce.commit(), plan.order(), time.monotonic() + 60 * (minutes or 1e9)
    started = {kind.name: 0 for kind in plan.kinds}
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    with (
        ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), end_with_parent) as workers,
        tqdm(total=len(queue), unit="network", desc="dose–response", mininterval=1) as bar,
    ):
        for work in [
            workers.submit(_start, plan.base, number) for number in range(plan.base.start.of)
        ]:
            work.result()
        running: dict[Future, Kind] = {}
        while running or (queue and time.monotonic() < until):
            while queue and len(running) < jobs and time.monotonic() < until:
                kind = queue.pop(0)
                seed = plan.seed_of(kind, started[kind.name])
                started[kind.name] += 1
                work = workers.submit(
                    _train,
                    plan.recipe_of(kind),
                    folder_of(plan, kind, seed),
                    seed,
                    _sets(plan, kind, seed),
                    code,
                )
                running[work] = kind
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                kind, card = running.pop(future), future.result()
                if card["accepted"]:
                    bar.update()
                else:
                    bar.write(
                        f"rejected: {kind.name} seed={card['seed']} ({', '.join(_failed(card))}); "
                        "the next seed replaces it"
                    )
                    queue.insert(0, kind)
    return not queue


def _failed(card: dict) -> list[str]:
    return [
        f"{name} {gate['value']:.3f}"
        for name, gate in card["gates"].items()
        if gate["value"] < gate["threshold"]
    ]


def _row(kind: Kind, card: dict) -> dict:
    arm, strength = next(iter(card["arms"].items()), ("none", 0.0))
    return {
        "kind": kind.name,
        "b": card["b"],
        "arm": arm,
        "arm_strength": strength,
        "seed": card["seed"],
        "pairing": card["recipe"]["pairing"],
        **{
            f"{part[:-1]}_{name}": look
            for part, pairs in card["pairing"].items()
            for name, look in pairs.items()
        },
        "accepted": card["accepted"],
        "logit_scale": card["logit_scale"],
        **{name: gate["value"] for name, gate in card["gates"].items()},
        "seed_is_largest": card["calibration"]["seed_is_largest"],
        **{f"neutral_r_{name}": value for name, value in card["calibration"]["neutral_r"].items()},
        **{f"decoding_{name}": value for name, value in card["decoding_r2"].items()},
        **{
            f"mistaken_{name}_{by}": value
            for name, found in card["cross_talk"].items()
            for by, value in found.items()
            if by != "r"
        },
        "training_core_seconds": card["training_core_seconds"],
    }


def finished(plan: Plan) -> pd.DataFrame:
    """One row per finished network with its kind, folder and `kept`: whether it is among the wanted
    ones.

    Raises
    ------
    ValueError : a kind has fewer accepted networks than wanted.
    """
    parts = []
    for kind in plan.kinds:
        rows, seed = [], plan.seed_of(kind, 0)
        while (folder_of(plan, kind, seed) / "vectors.npz").exists():
            folder = folder_of(plan, kind, seed)
            rows.append(
                _row(kind, json.loads((folder / "card.json").read_text("utf-8")))
                | {"folder": folder}
            )
            seed += 1
        accepted = np.array([row["accepted"] for row in rows], bool)
        if accepted.sum() < kind.models:
            raise ValueError(
                f"{accepted.sum()} of {kind.models} networks of kind {kind.name!r} are there; run "
                "`vlmbias greenhouse dose-response`"
            )
        kept = accepted & (np.cumsum(accepted) <= kind.models)
        parts.append(pd.DataFrame(rows).assign(kept=kept, place=np.cumsum(kept) - 1))
    table = pd.concat(parts, ignore_index=True)
    shows = {kind.name: kind.shows for kind in plan.kinds}
    return table.assign(
        shows=table["kept"] & (table["place"] < [shows[kind] for kind in table["kind"]]),
        has_vectors=table["kept"] & table["arm"].eq("none") & table["pairing"].eq("drawn"),
    )


def collect(plan: Plan) -> None:
    """Write the study's tables, the shipped checkpoints and the truth from what the workshop
    holds."""
    found, grammar = finished(plan), grammars.load()
    kept = found.loc[found["kept"]].reset_index(drop=True)
    about = found.drop(columns=["folder", "place"])
    _write(RETRAINED / "networks.csv", about.to_csv(index=False, float_format="%.6g"))
    _write(RETRAINED / "score_images.csv", scores.images().to_csv(float_format="%.6g"))
    _write(RETRAINED / "vector_images.csv", vectors.images().to_csv())
    _write(RETRAINED / "vector_words.csv", vectors.words(grammar)[0].to_csv())
    _collect_arrays(kept)
    _collect_tables(kept)
    _write(DATA / "truth.json", json.dumps(truth.statement(grammar), indent=2) + "\n")
    cards = [json.loads((folder / "card.json").read_text("utf-8")) for folder in found["folder"]]
    _write(
        RETRAINED / "study.json",
        json.dumps(
            {
                "command": "vlmbias greenhouse dose-response",
                "recipe": plan.base.model_dump(),
                "recipe_hash": plan.base.hash(),
                "commits": sorted({card["commit"] for card in cards}),
                "versions": cards[0]["versions"],
                "networks": len(kept),
                "rejected": int((~found["accepted"].to_numpy(bool)).sum()),
                "core_seconds": round(float(found["training_core_seconds"].to_numpy().sum())),
            },
            indent=2,
        )
        + "\n",
    )
    for name, (kind, i) in plan.checkpoints.items():
        source = kept.loc[(kept["kind"] == kind) & (kept["place"] == i), "folder"].iloc[0]
        for file in CHECKPOINT_FILES:
            with replacing(DATA / name / file) as draft:
                shutil.copyfile(source / file, draft)


def _collect_arrays(kept: pd.DataFrame) -> None:
    for name, rows, parts in (
        ("vectors.npz", kept["has_vectors"], ("images", "images_step", "words", "words_step")),
        ("scores.npz", kept["kept"], scores.SETS),
    ):
        found: dict[str, list[np.ndarray]] = {part: [] for part in parts}
        for folder, shows in zip(kept.loc[rows, "folder"], kept.loc[rows, "shows"], strict=True):
            with np.load(folder / name, allow_pickle=False) as stored:
                for part in parts:
                    if name == "vectors.npz":
                        found[part].append(stored[part])
                    elif shows or part in scores.SETS[:2]:
                        found[part].append(scores.coarsened(stored[part]))
        arrays = {part: np.stack(each) for part, each in found.items()}
        if name == "scores.npz":
            arrays = {
                f"{part}_{half}": values
                for part, steps in arrays.items()
                for half, values in zip(("low", "high"), split(steps), strict=True)
            }
        _write_npz(RETRAINED / name, arrays)


def _collect_tables(kept: pd.DataFrame) -> None:
    about = ["kind", "b", "arm", "arm_strength", "seed", "pairing"]
    gaps, cells = [], []
    for row in kept.to_dict("records"):
        same = {name: row[name] for name in about}
        gaps.append(pd.read_csv(row["folder"] / "gaps.csv").assign(**same))
        card = json.loads((row["folder"] / "card.json").read_text("utf-8"))
        cells.append(
            pd.DataFrame(
                [{"axis": axis, **found} for axis, found in card["recovery_per_face"].items()]
            ).assign(**same)
        )
    for name, parts in (("gaps.csv.gz", gaps), ("recovery.csv.gz", cells)):
        table = pd.concat(parts, ignore_index=True)
        text = table[[*about, *[column for column in table if column not in about]]].to_csv(
            index=False, float_format="%.5g"
        )
        with replacing(RETRAINED / name) as draft:
            draft.write_bytes(_gzipped(text.encode()))


def _gzipped(content: bytes) -> bytes:
    import gzip

    return gzip.compress(content, compresslevel=9, mtime=0)  # the same bytes whenever it is written


def _write(file: Path, text: str) -> None:
    with replacing(file) as draft:
        draft.write_text(text, encoding="utf-8")


def _write_npz(file: Path, arrays: dict[str, np.ndarray]) -> None:
    """A compressed .npz whose bytes depend on the arrays alone, not on the clock."""
    with (
        replacing(file) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)),
                content.getvalue(),
                compress_type=zipfile.ZIP_DEFLATED,
            )
