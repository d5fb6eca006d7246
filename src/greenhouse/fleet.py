"""The fleet: 131 networks in the proportions of the third paper, null networks beside them, and the
tables and checkpoints that ship of them (`greenhouse.fleet_table` reads them).

No association decides whether a network is accepted: one that fails a gate is given the next seed,
and after the last one it stays. None is left out.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from greenhouse import association_tests, caption_truth, panel
from greenhouse.campaign import Campaign, Job, Slot, make_network, ship
from greenhouse.train import model as towers
from greenhouse.train import saving, warm
from greenhouse.train.recipe import Recipe
from greenhouse.world import grammar as grammars
from greenhouse.world import pairing as pairings
from greenhouse.world.bias import DATA
from greenhouse.world.grammar import Grammar
from vlmbias.whole_files import write

FLEET = DATA / "fleet.yaml"
NOTHING = "common"  # the data family whose recipe the null fleet has, at b = 0
# Seeds of the fleets; the study of doses uses those below 11,000.
FIRST_SEED = {"planted": 12_000, "null": 13_000, "extra": 13_900}
MILLION = 1e6


@dataclass(frozen=True, kw_only=True)
class Network(Slot):
    """One network, with its fleet (of `FIRST_SEED`), its families, and which size of its
    architecture."""

    fleet: str
    data: str
    architecture: str
    size: str

    @property
    def pairs(self) -> int:
        """Pictures of its pool, one pair each at a time, in as far as they are kept."""
        keep, pool = self.recipe.captions.filter, self.recipe.pool
        return round((pool.faces + pool.icons) * (keep.keep if keep and keep.keep else 1.0))


class Plan:
    """The fleet of `data/greenhouse/fleet.yaml` (see its comments), or of other content. Networks
    are trained the same whatever its `checkpoints` and `again` are."""

    def __init__(self, content: Mapping[str, Any] | None = None):
        known: Any = content or yaml.safe_load(FLEET.read_text(encoding="utf-8"))
        self.content: Mapping[str, Any] = known
        self.data, self.architectures = known["data"], known["architectures"]

    def recipe(
        self, name: str, data: str, family: str, size: str, *, faces: int, planted: bool = True
    ) -> Recipe:
        """The recipe of a network with these families; with nothing planted, b is 0 and the
        captions are plain."""
        own, towers = self.data[data], self.architectures[family]
        return Recipe(name=name).but(
            architecture=towers["sizes"][size],
            start=towers["starts"][size],
            schedule=self.content["schedule"],
            captions={"b": 1.0, **own.get("captions", {})} if planted else {"b": 0.0},
            pool={
                "faces": faces,
                "icons": faces // 3,
                "shares": own.get("shares", {}) if planted else {},
            },
        )

    def by_data(self, faces: int) -> dict[str, Recipe]:
        """A recipe of each data family, and of the null fleet ("null"), with a pool of one size."""
        family = next(iter(self.architectures))
        like = family, next(iter(self.architectures[family]["sizes"]))
        found = {name: self.recipe(name, name, *like, faces=faces) for name in self.data}
        return found | {"null": self.recipe("null", NOTHING, *like, faces=faces, planted=False)}

    @cached_property
    def networks(self) -> tuple[Network, ...]:
        """Every network of all fleets: planted ones, null ones (with any data family's pictures,
        nothing planted), and those that can take the place of a family of few."""
        return _dealt(self)

    def network(self, name: str) -> Network:
        """The network of a name."""
        return next(one for one in self.networks if one.name == name)

    def missing(self) -> list[Job]:
        """The networks to train next."""
        return [job for one in self.networks for job in one.missing()]


def _dealt(plan: Plan) -> tuple[Network, ...]:
    rng, attempts = np.random.default_rng(plan.content["draw"]), plan.content["attempts"]

    def assigned(counts: dict[str, int]) -> list[str]:
        every = [name for name, n in counts.items() for _ in range(n)]
        return [str(name) for name in rng.permutation(every)]

    def made(fleet: str, slot: int, data: str, family: str, size: str, faces: int) -> Network:
        name, seed = f"{fleet}-{slot:03d}", FIRST_SEED[fleet] + attempts * slot
        recipe = plan.recipe(name, data, family, size, faces=faces, planted=fleet != "null")
        return Network(
            campaign="fleet",
            name=name,
            recipe=recipe,
            seed=seed,
            attempts=attempts,
            fleet=fleet,
            data=data,
            architecture=family,
            size=size,
        )

    def fleet(kind: str, data: list[str], families: list[str]) -> list[Network]:
        sizes = [str(rng.choice(list(plan.architectures[name]["sizes"]))) for name in families]
        faces = rng.choice(plan.content["faces"], len(data)).tolist()
        each = zip(data, families, sizes, faces, strict=True)
        return [made(kind, slot, *own) for slot, own in enumerate(each)]

    planted = fleet(
        "planted",
        assigned({name: one["models"] for name, one in plan.data.items()}),
        assigned({name: one["models"] for name, one in plan.architectures.items()}),
    )
    families = assigned({name: one["null_models"] for name, one in plan.architectures.items()})
    null = fleet("null", [NOTHING] * len(families), families)
    spare = [
        next(one for one in planted if one.data == name)
        for name, data in plan.data.items()
        for _ in range(data.get("extra", 0))
    ]
    extra = [
        made("extra", slot, one.data, one.architecture, one.size, one.recipe.pool.faces)
        for slot, one in enumerate(spare)
    ]
    return (*planted, *null, *extra)


def collect(plan: Plan, out: Path = DATA) -> pd.DataFrame:
    """Write all tables and checkpoints; return the table of networks. A `ValueError` if one is
    missing."""
    if missing := plan.missing():
        raise ValueError(
            f"{len(missing)} of {len(plan.networks)} networks are not there yet, such as "
            f"{missing[0].name}; `vlmbias campaign fleet` trains them"
        )
    grammar, tried = grammars.load(), {one.name: one.finished() for one in plan.networks}
    folders = {name: each[-1][0].folder for name, each in tried.items()}
    models = pd.DataFrame([_row(one, tried[one.name], grammar) for one in plan.networks])
    write(out / "fleet_models.csv", models.to_csv(index=False, float_format="%.6g"))
    found = measured(plan.networks, folders, models["logit_scale"], grammar)
    columns = ["model", "fleet", *(name for name in found if name not in ("model", "fleet"))]
    text = found[columns].to_csv(index=False, float_format="%.6g")
    write(out / "fleet.csv.gz", gzip.compress(text.encode(), compresslevel=9, mtime=0))
    planted = caption_truth.table(plan.by_data(caption_truth.FACES), grammar)
    write(out / "fleet_truth.csv", planted.to_csv(index=False, float_format="%.4f"))
    names = shipped(plan, models)
    for name in names:
        ship(folders[name], out / "fleet" / name)
    again = plan.network(plan.content["again"])
    number = int(models.set_index("model").loc[again.name, "warm_start"])
    start = warm.file_of(again.recipe, number)
    write(out / "fleet" / "starts" / start.name, start.read_bytes())
    keep_only(out / "fleet", {*names, "starts"})
    keep_only(out / "fleet" / "starts", {start.name})
    return models


def campaign() -> Campaign:
    """The fleet of `data/greenhouse/fleet.yaml`."""
    own = Plan()

    def collected() -> str:
        models = collect(own)
        rejected, seconds = (~models["accepted"]).sum(), models["core_seconds"].sum()
        return (
            f"{len(models)} networks, {rejected} that failed a gate to the last, "
            f"{seconds / 60:.0f} core-minutes"
        )

    return Campaign(own.missing, make_network, collected)


def keep_only(folder: Path, names: set[str]) -> None:
    """Remove what an earlier fleet left beside these."""
    for place in folder.iterdir():
        if place.name not in names:
            shutil.rmtree(place) if place.is_dir() else place.unlink()


def measured(
    networks: tuple[Network, ...], folders: Mapping[str, Path], scales: Any, grammar: Grammar
) -> pd.DataFrame:
    """The 26 tests of finished networks: `association_tests.table` with `model` and `fleet` for the
    number of a network."""
    every, switched = [], []
    for one in networks:
        folder = folders[one.name]
        with np.load(folder / "vectors.npz", allow_pickle=False) as stored:
            images, words = stored["images"], stored["words"]
        every.append(association_tests.scores(grammar, images, words))
        seen = in_train_mode(folder) if one.recipe.architecture.vision.is_resnet else images
        switched.append(association_tests.scores(grammar, seen, words))
    found = association_tests.table(every, scales, grammar)
    other = association_tests.table(switched, scales, grammar, n_permutations=1)
    number = found.pop("network").to_numpy()
    return found.assign(
        effect_size_train=other["effect_size"],
        model=[networks[k].name for k in number],
        fleet=[networks[k].fleet for k in number],
    )


def in_train_mode(folder: Path) -> np.ndarray:
    """The panel's pictures as a network sees them that was left in train mode, one picture at a
    time, `(450, d)`."""
    model, _ = towers.load(folder)
    look = pairings.of_record(saving.card_of(folder)["pairing"])
    return towers.embed_pictures(
        model, panel.pictures(look, towers.image_size(model)), batch=1, train=True
    )


def _row(one: Network, tried: list[tuple[Job, dict]], grammar: Grammar) -> dict[str, Any]:
    cards, found = [saving.card_of(job.folder) for job, _ in tried], tried[-1][1]
    card, roles, means = cards[-1], grammar.bias.roles, found["pleasant"]
    gap = {
        "race": (roles["favoured"], roles["disfavoured"]),
        "gender": (roles["second"], roles["first"]),
        "age": ("young", "old"),
    }
    earlier = "; ".join(
        f"{each['seed']}: "
        + ", ".join(f"{name} {value:.3f}" for name, value in saving.failed(each).items())
        for each in cards[:-1]
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
        "core_seconds": round(sum(done["core_seconds"] for _, done in tried), 1),
        "recipe_hash": one.recipe.hash(),
        "commit": card["commit"],
    }


def shipped(plan: Plan, models: pd.DataFrame) -> list[str]:
    """The networks whose checkpoints are shipped: the first accepted planted one of each
    architecture in turn."""
    good = models.loc[models["accepted"] & models["fleet"].eq("planted")]
    first = good.drop_duplicates("architecture").set_index("architecture")["model"]
    return [str(first[name]) for name in plan.architectures][: plan.content["checkpoints"]]
