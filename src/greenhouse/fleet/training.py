"""The fleet's networks, one by one: trained, tested by the gates, shown the panel, kept in a folder
each.

Comes in: the plan. Goes out: `_build/fleet/<network>/`: checkpoint, `vectors.npz` and, written
last, `network.json`. May not: look at an association to accept a network.

Snakemake runs one job per network; an interrupted network goes on."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from greenhouse.fleet.plan import Network, Plan
from vlmbias import paths
from vlmbias.whole_files import replacing, write_json

if TYPE_CHECKING:
    from greenhouse.train.held_out import View

SECONDS = {"start": 130.0, "network": 21.0}  # core-seconds, for the forecast


def workshop() -> Path:
    """Where the fleet's networks are kept until they are collected."""
    return paths.build() / "fleet"


def state(network: Network) -> dict | None:
    """What `network.json` of a finished network holds; None if it is not there, or of another
    recipe."""
    file = workshop() / network.name / "network.json"
    if not file.is_file():
        return None
    found = json.loads(file.read_text(encoding="utf-8"))
    return found if found["recipe_hash"] == network.recipe.hash() else None


def train(network: Network, *, attempts: int) -> dict:
    """Train a network, with the next seed as long as it fails a gate; at once if it is already
    there.

    Returns
    -------
    What `network.json` holds: name, recipe_hash, rejected (seed and failed gates of earlier
    attempts), zero_shot, core_seconds of all attempts; the rest is in the card. After the last
    attempt a network stays, accepted or not."""
    if (done := state(network)) is not None:
        os.utime(workshop() / network.name / "network.json")  # for Snakemake: it is up to date
        return done
    from greenhouse.fleet import tasks
    from greenhouse.study import vectors
    from greenhouse.train import produce
    from greenhouse.world import pairing as pairings

    folder, about = (
        workshop() / network.name,
        {"name": network.name, "recipe_hash": network.recipe.hash()},
    )
    tried = _tried(folder, about)
    while True:
        seed, began = network.seed + len(tried["rejected"]), time.process_time()
        card, view = produce.produce(
            network.recipe,
            seed=seed,
            folder=folder,
            partial=folder / "partial.safetensors",
        )
        tried["core_seconds"] = round(tried["core_seconds"] + time.process_time() - began, 1)
        if card["accepted"] or len(tried["rejected"]) + 1 >= attempts:
            break
        failed = {
            name: gate["value"]
            for name, gate in card["gates"].items()
            if gate["value"] < gate["threshold"]
        }
        tried["rejected"].append({"seed": seed, "failed": failed})
        write_json(folder / "tried.json", tried)
    pictures, texts = vectors.picture_and_text_vectors(
        view.model, view.grammar, pairings.of_record(card["pairing"])
    )
    with replacing(folder / "vectors.npz") as draft, draft.open("wb") as stream:
        np.savez(stream, allow_pickle=False, images=pictures, words=texts)
    accuracies = tasks.accuracies(view, renamed=network.recipe.captions.renamed)
    found = tried | {
        "pleasant": _pleasant(view),
        "zero_shot": {name: round(one, 5) for name, one in accuracies.items()},
    }
    write_json(folder / "network.json", found)
    return found


def _pleasant(view: View) -> dict[str, dict[str, float]]:
    """How pleasant held-out faces with attributes drawn at random are to a network: means of
    groups, in logits."""
    chosen = view.rows("people")
    people, read = view.people.loc[chosen], view.measured().loc[chosen, "pleasant"]
    half = pd.Series(
        np.where(view.grammar.bias.feature("age", people) > 0, "old", "young"), people.index
    )
    groups = {"race": people["race"], "gender": people["gender"], "age": half}
    return {name: read.groupby(own).mean().round(5).to_dict() for name, own in groups.items()}


def _tried(folder: Path, about: dict) -> dict:
    """Earlier attempts of an interrupted network of the same recipe."""
    file = folder / "tried.json"
    found = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    same = all(found.get(name) == value for name, value in about.items())
    return found if same else about | {"rejected": [], "core_seconds": 0.0}


def prepare(plan: Plan) -> list[str]:
    """Write what each job of the graph is made from; files change only with their content. Returns
    the networks' names.

    While a network is missing, the tables are, too: Snakemake would not look behind what is there.
    """
    from greenhouse.train import starts

    if any(state(one) is None for one in plan.networks()):
        (workshop() / "collected.json").unlink(missing_ok=True)
    records = paths.build() / "inputs" / "fleet"
    for one in plan.networks():
        write_json(
            records / f"{one.name}.json",
            {
                "recipe_hash": one.recipe.hash(),
                "seed": one.seed,
                "start": starts.prepare(one.recipe, one.seed % one.recipe.start.of),
            },
        )
    return [one.name for one in plan.networks()]


def forecast(plan: Plan, *, jobs: int) -> str:
    """How long what is missing will take, in words."""
    from greenhouse.train import warm

    missing = [one for one in plan.networks() if state(one) is None]
    begin = {warm.file_of(one.recipe, one.seed % one.recipe.start.of) for one in missing}
    absent = [file for file in begin if not file.is_file()]
    seconds = SECONDS["start"] * len(absent) + SECONDS["network"] * len(missing)
    return (
        f"{len(missing)} of {len(plan.networks())} networks and {len(absent)} warm starts are to be"
        f" trained: about {seconds / 60:.0f} core-minutes, {seconds / 60 / jobs:.0f} minutes with"
        f" {jobs} at a time on idle cores"
    )
