"""The dose–response study: train every network of the plan, keep each result, write the tables that
are shipped.

Comes in: the plan. Goes out: a folder per network in the workshop; of all of them,
`data/greenhouse/retrained/`, the shipped checkpoints and `truth.json`. May not: look at a bias
result to accept a network, or choose a seed afterwards.

A network that fails a gate is listed and replaced by the next seed of its kind: Snakemake is asked
for the first n seeds of each kind, then for as many more as failed, until `missing` is empty.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd

from greenhouse.retrained import RETRAINED, split
from greenhouse.study import scores, vectors
from greenhouse.study.plan import Kind, Plan
from greenhouse.train import held_out, produce, readout, starts
from greenhouse.train import model as models
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world import truth
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.whole_files import replacing, write_json

LAST = "vectors.npz"  # what is written last of a network: where it is, the network is finished
CHECKPOINT_FILES = ("open_clip_config.json", "model.safetensors", "words.txt", "card.json")


def workshop() -> Path:
    """Where finished networks are kept until the study is collected."""
    return paths.build() / "greenhouse" / "dose_response"


def folder_of(plan: Plan, kind: Kind, seed: int) -> Path:
    """Where a network of the study lies in the workshop; its recipe's hash is part of the name."""
    return workshop() / f"{kind.name}-seed{seed}-{plan.recipe_of(kind).hash()}"


def network_of(plan: Plan, name: str) -> tuple[Kind, int]:
    """The kind and the seed of a network, by its folder's name.

    Raises
    ------
    ValueError : the study has no such network.
    """
    kind_name, _, rest = name.rpartition("-seed")
    seed = rest.partition("-")[0]
    for kind in plan.kinds:
        alike = kind.name == kind_name and seed.isdecimal()
        if alike and folder_of(plan, kind, int(seed)).name == name:
            return kind, int(seed)
    first = folder_of(plan, plan.kinds[0], plan.seed_of(plan.kinds[0], 0))
    raise ValueError(f"the study has no network {name!r}; the first is called {first.name}")


def missing(plan: Plan) -> list[str]:
    """The networks to train next, by their folders' names.

    Of each kind these are its next seeds, as many as accepted networks are wanting: at first as
    many as are wanted at all, afterwards one for each that failed a gate.
    """
    found = []
    for kind in plan.kinds:
        seed, wanted = plan.seed_of(kind, 0), kind.models
        while wanted:
            folder = folder_of(plan, kind, seed)
            if not (folder / LAST).is_file():
                found.append(folder.name)
                wanted -= 1
            elif _card(folder)["accepted"]:
                wanted -= 1
            seed += 1
    return found


def prepare(plan: Plan) -> list[str]:
    """Write what the jobs of the missing networks are made from; the files to ask Snakemake for."""
    names = missing(plan)
    for name in names:
        kind, seed = network_of(plan, name)
        recipe = plan.recipe_of(kind)
        write_json(
            paths.build() / "inputs" / "dose_response" / f"{name}.json",
            {"start": starts.prepare(recipe, seed % recipe.start.of)},
        )
    return [f"_build/greenhouse/dose_response/{name}/{LAST}" for name in names]


def train(plan: Plan, name: str) -> dict:
    """One network, by its folder's name; at once if it is already there. Returns its card.

    It goes on where it was interrupted: within the training, and after it, too.
    """
    kind, seed = network_of(plan, name)
    recipe, folder = plan.recipe_of(kind), folder_of(plan, kind, seed)
    if (folder / LAST).is_file():
        os.utime(folder / LAST)  # for Snakemake: it is up to date
        return _card(folder)
    card = _card(folder)
    if "accepted" in card:  # trained and tested, but not all was kept
        look = pairings.of_record(card["pairing"])
        view = held_out.view(models.load(folder)[0], grammars.load(), look)
    else:
        card, view = produce.produce(
            recipe, seed=seed, folder=folder, partial=folder / "partial.safetensors"
        )
        look = pairings.of_record(card["pairing"])
    gaps = readout.gaps(view, view.measured(), recipe.captions.b, recipe.captions.arms)
    gaps.to_csv(folder / "gaps.csv", index=False)
    _keep(folder / "scores.npz", scores.scores(view, look, _sets(plan, kind, seed)))
    _keep(folder / LAST, vectors.embed(view.model, view.grammar, look))
    return card


def failed(card: dict) -> list[str]:
    """The gates that a network failed, each with its value."""
    return [
        f"{name} {gate['value']:.3f}"
        for name, gate in card["gates"].items()
        if gate["value"] < gate["threshold"]
    ]


def _card(folder: Path) -> dict:
    """A network's card; empty if it is not there."""
    file = folder / "card.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _sets(plan: Plan, kind: Kind, seed: int) -> tuple[str, ...]:
    """Which sets a network is scored on: all of them, if it may be among the first accepted ones
    that are shown all."""
    return scores.SETS if seed - plan.seed_of(kind, 0) < 2 * kind.shows else scores.SETS[:2]


def _keep(file: Path, arrays: dict[str, np.ndarray]) -> None:
    with replacing(file) as draft, draft.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


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
        while ((folder := folder_of(plan, kind, seed)) / LAST).exists():
            rows.append(_row(kind, _card(folder)) | {"folder": folder})
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
        card = _card(row["folder"])
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
