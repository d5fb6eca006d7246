"""The plan of the fleet: every network with its data, architecture, size, pool and seed.

Comes in: `data/greenhouse/fleet.yaml`. Goes out: frozen records. May not: train, or assign a
network by what one showed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from greenhouse.train.recipe import Recipe
from greenhouse.world.bias import DATA
from vlmbias.whole_files import read_yaml

FLEET = DATA / "fleet.yaml"
NOTHING = "common"  # the data family whose recipe the null fleet has, at b = 0
# Seeds of the fleets; the study of doses uses those below 11,000.
FIRST_SEED = {"planted": 12_000, "null": 13_000, "extra": 13_900}
Count = Annotated[int, Field(ge=1, le=300)]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z-]*$")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Data(_Part):
    """A data family: how many networks it has, how many spare ones besides, and what its recipe
    changes."""

    models: Count
    extra: Annotated[int, Field(ge=0)] = 0
    captions: dict[str, Any] = {}
    shares: dict[str, float] = {}


class Family(_Part):
    """An architecture family: networks of both fleets, its sizes, and how the image tower of each
    learns to see."""

    models: Count
    null_models: Count
    sizes: dict[Name, dict[str, Any]] = Field(min_length=1)
    starts: dict[Name, dict[str, Any]]

    @model_validator(mode="after")
    def _same(self) -> Family:
        if set(self.sizes) != set(self.starts):
            raise ValueError(
                f"sizes {', '.join(self.sizes)} need a start each; there are"
                f" {', '.join(self.starts)}"
            )
        return self


@dataclass(frozen=True)
class Network:
    """One network of the fleet.

    Attributes
    ----------
    name, fleet, seed : what it is called, one of `FIRST_SEED`, and the first seed that is tried.
    data, architecture, size : its families, and which size of its architecture.
    recipe : how it is trained.
    """

    name: str
    fleet: str
    seed: int
    data: str
    architecture: str
    size: str
    recipe: Recipe

    @property
    def pairs(self) -> int:
        """Pictures of its pool, one pair each at a time, in as far as they are kept."""
        keep = self.recipe.captions.filter
        return round(
            (self.recipe.pool.faces + self.recipe.pool.icons)
            * (keep.keep if keep and keep.keep else 1.0)
        )


class Plan(_Part):
    """The fleet; see the comments in `data/greenhouse/fleet.yaml`. Networks are trained the same
    whatever `checkpoints` and `again` are."""

    draw: Annotated[int, Field(ge=0)]
    schedule: dict[str, Any]
    faces: tuple[Annotated[int, Field(ge=450)], ...] = Field(min_length=1)
    attempts: Annotated[int, Field(ge=1, le=3)]
    data: dict[Name, Data]
    architectures: dict[Name, Family]
    checkpoints: Annotated[int, Field(ge=1, le=10)]
    again: str

    @model_validator(mode="after")
    def _consistent(self) -> Plan:
        data, towers = (
            sum(one.models for one in own.values()) for own in (self.data, self.architectures)
        )
        if data != towers:
            raise ValueError(
                f"the data families have {data} networks and the architectures {towers}; "
                "these must be the same networks"
            )
        if NOTHING not in self.data:
            raise ValueError(
                f"there must be a data family {NOTHING!r}, whose pictures the null fleet has"
            )
        families = [
            (name, size) for name, family in self.architectures.items() for size in family.sizes
        ]
        for name in self.data:
            self.recipe("x", name, *families[0], faces=self.faces[0])
        for name, size in families:
            self.recipe("x", NOTHING, name, size, faces=self.faces[0])
        return self

    def recipe(
        self, name: str, data: str, family: str, size: str, *, faces: int, planted: bool = True
    ) -> Recipe:
        """The recipe of a network with these families; with nothing planted, b is 0 and the
        captions are plain."""
        family_data, towers = self.data[data], self.architectures[family]
        return Recipe(name=name).but(
            architecture=towers.sizes[size],
            start=towers.starts[size],
            schedule=self.schedule,
            captions={"b": 1.0, **family_data.captions} if planted else {"b": 0.0},
            pool={
                "faces": faces,
                "icons": faces // 3,
                "shares": family_data.shares if planted else {},
            },
        )

    def networks(self) -> tuple[Network, ...]:
        """Every network of all fleets: planted ones, null ones (with any data family's pictures,
        nothing planted), and those that can take the place of a family of few."""
        return _networks(self)

    def network(self, name: str) -> Network:
        """The network of a name; an unknown one is an error that says how they are called."""
        found = {one.name: one for one in self.networks()}
        if name not in found:
            raise ValueError(
                f"the fleet has no network {name!r}; they are called"
                f" {', '.join(list(found)[:3])}, …"
            )
        return found[name]


def _networks(plan: Plan) -> tuple[Network, ...]:
    rng = np.random.default_rng(plan.draw)

    def assigned(counts: dict[str, int]) -> list[str]:
        return [
            str(name)
            for name in rng.permutation([name for name, n in counts.items() for _ in range(n)])
        ]

    def made(fleet: str, slot: int, data: str, family: str, size: str, faces: int) -> Network:
        name = f"{fleet}-{slot:03d}"
        recipe = plan.recipe(name, data, family, size, faces=faces, planted=fleet != "null")
        return Network(
            name, fleet, FIRST_SEED[fleet] + plan.attempts * slot, data, family, size, recipe
        )

    def fleet(kind: str, data: list[str], families: list[str]) -> list[Network]:
        sizes = [str(rng.choice(list(plan.architectures[family].sizes))) for family in families]
        faces = rng.choice(plan.faces, len(data)).tolist()
        return [
            made(kind, slot, *each)
            for slot, each in enumerate(zip(data, families, sizes, faces, strict=True))
        ]

    planted = fleet(
        "planted",
        assigned({name: one.models for name, one in plan.data.items()}),
        assigned({name: one.models for name, one in plan.architectures.items()}),
    )
    families = assigned({name: one.null_models for name, one in plan.architectures.items()})
    null = fleet("null", [NOTHING] * len(families), families)
    spare = [
        next(one for one in planted if one.data == name)
        for name, data in plan.data.items()
        for _ in range(data.extra)
    ]
    extra = [
        made("extra", slot, one.data, one.architecture, one.size, one.recipe.pool.faces)
        for slot, one in enumerate(spare)
    ]
    return (*planted, *null, *extra)


def read(file: Path = FLEET) -> Plan:
    """The plan of a YAML file; one that breaks a rule is an error that names file, line and
    rule."""
    return read_yaml(file, Plan.model_validate)
