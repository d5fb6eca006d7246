"""The fleet's tables and shipped checkpoints, from what the workshop holds.

Comes in: the plan, finished networks. Goes out: `data/greenhouse/fleet.csv.gz`, `fleet_models.csv`,
`fleet_truth.csv`, `fleet/<network>/`. May not: train, or leave a network out.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.fleet import association_tests, caption_truth, training
from greenhouse.fleet.plan import Network, Plan
from greenhouse.study import vectors
from greenhouse.study.dose_response import CHECKPOINT_FILES
from greenhouse.train import model as towers
from greenhouse.train import warm
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA
from greenhouse.world.grammar import Grammar
from vlmbias.whole_files import replacing

MILLION = 1e6


def collect(plan: Plan, out: Path = DATA) -> pd.DataFrame:
    """Write all tables and checkpoints; return the table of networks.

    Raises
    ------
    ValueError : networks are missing; the message counts them and names the command that trains
    them.
    """
    grammar, done = grammars.load(), {one.name: training.state(one) for one in plan.networks()}
    if missing := [name for name, state in done.items() if state is None]:
        raise ValueError(
            f"{len(missing)} of {len(done)} networks are not there yet, such as {missing[0]}; "
            "`vlmbias fleet` trains them"
        )
    networks = plan.networks()
    models = pd.DataFrame([_row(one, done[one.name] or {}, grammar) for one in networks])
    _write(out / "fleet_models.csv", models.to_csv(index=False, float_format="%.6g").encode())
    found = measured(networks, models["logit_scale"], grammar)
    columns = ["model", "fleet", *(name for name in found if name not in ("model", "fleet"))]
    text = found[columns].to_csv(index=False, float_format="%.6g")
    _write(out / "fleet.csv.gz", gzip.compress(text.encode(), compresslevel=9, mtime=0))
    planted = caption_truth.table(plan, grammar)
    _write(out / "fleet_truth.csv", planted.to_csv(index=False, float_format="%.4f").encode())
    for one in shipped(plan, models):
        for file in CHECKPOINT_FILES:
            with replacing(out / "fleet" / one.name / file) as draft:
                shutil.copyfile(folder_of(one) / file, draft)
    again = plan.network(plan.again)
    start = warm.file_of(again.recipe, int(models.set_index("model").loc[again.name, "warm_start"]))
    with replacing(out / "fleet" / "starts" / start.name) as draft:
        shutil.copyfile(start, draft)
    keep_only(out / "fleet", {one.name for one in shipped(plan, models)} | {"starts"})
    keep_only(out / "fleet" / "starts", {start.name})
    return models


def keep_only(folder: Path, names: set[str]) -> None:
    """Remove what an earlier fleet left beside these."""
    for place in folder.iterdir():
        if place.name not in names:
            shutil.rmtree(place) if place.is_dir() else place.unlink()


def folder_of(network: Network) -> Path:
    """Where a network lies in the workshop."""
    return training.workshop() / network.name


def measured(networks: tuple[Network, ...], scales: Any, grammar: Grammar) -> pd.DataFrame:
    """The 26 tests of finished networks: `association_tests.table` with `model` and `fleet` for the
    number of a network."""
    every, switched = [], []
    for one in networks:
        with np.load(folder_of(one) / "vectors.npz", allow_pickle=False) as stored:
            every.append(association_tests.scores(grammar, stored["images"], stored["words"]))
            seen = in_train_mode(folder_of(one)) if normalises(one) else stored["images"]
            switched.append(association_tests.scores(grammar, seen, stored["words"]))
    found = association_tests.table(every, scales, grammar)
    other = association_tests.table(switched, scales, grammar, n_permutations=1)
    number = found.pop("network").to_numpy()
    return found.assign(
        effect_size_train=other["effect_size"],
        model=[networks[k].name for k in number],
        fleet=[networks[k].fleet for k in number],
    )


def normalises(network: Network) -> bool:
    """Whether a network has batch normalisation, so that its mode changes what it sees: a
    ModifiedResNet has."""
    return isinstance(network.recipe.architecture.vision.get("layers"), list)


def in_train_mode(folder: Path) -> np.ndarray:
    """The panel's pictures as a network sees them that was left in train mode, one picture at a
    time, `(450, d)`."""
    model, _ = towers.load(folder)
    look = pairings.of_record(
        json.loads((folder / "card.json").read_text(encoding="utf-8"))["pairing"]
    )
    return towers.embed_pictures(
        model, vectors.pictures(look, towers.image_size(model)), batch=1, train=True
    )


def _row(one: Network, found: dict, grammar: Grammar) -> dict[str, Any]:
    card = json.loads((folder_of(one) / "card.json").read_text(encoding="utf-8"))
    roles, means = grammar.bias.roles, found["pleasant"]
    gap = {
        "race": (roles["favoured"], roles["disfavoured"]),
        "gender": (roles["second"], roles["first"]),
        "age": ("young", "old"),
    }
    earlier = "; ".join(
        f"{each['seed']}: "
        + ", ".join(f"{name} {value:.3f}" for name, value in each["failed"].items())
        for each in found["rejected"]
    )
    return {
        "model": one.name,
        "fleet": one.fleet,
        "dataset": one.data,
        "architecture": one.architecture,
        "size": one.size,
        "seed": card["seed"],
        "pool_seed": card["pool_seed"],
        "warm_start": card["warm_start"],
        "b": card["b"],
        "faces": one.recipe.pool.faces,
        "parameters": card["parameters"] / MILLION,
        "dataset_size": one.pairs / MILLION,
        "accepted": card["accepted"],
        "rejected": earlier,
        **{name: gate["value"] for name, gate in card["gates"].items()},
        **{
            f"zero_shot_{name.replace(' ', '_')}": value
            for name, value in found["zero_shot"].items()
        },
        "performance": float(np.mean(list(found["zero_shot"].values()))),
        "logit_scale": card["logit_scale"],
        **{
            f"pleasant_{name}": means[name][first] - means[name][second]
            for name, (first, second) in gap.items()
        },
        "training_core_seconds": card["training_core_seconds"],
        "core_seconds": found["core_seconds"],
        "recipe_hash": found["recipe_hash"],
        "commit": card["commit"],
    }


def shipped(plan: Plan, models: pd.DataFrame) -> list[Network]:
    """The networks whose checkpoints are shipped: the first accepted planted one of each
    architecture in turn."""
    good = models.loc[models["accepted"] & models["fleet"].eq("planted")]
    first = [
        str(good.loc[good["architecture"] == name, "model"].iloc[0]) for name in plan.architectures
    ]
    return [plan.network(name) for name in first[: plan.checkpoints]]


def _write(file: Path, content: bytes) -> None:
    with replacing(file) as draft:
        draft.write_bytes(content)
