"""The study's plan: which kinds of networks, how many of each, which of them are shipped.

Comes in: `data/greenhouse/study.yaml`. Goes out: frozen records. May not: train.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from greenhouse.train import recipe as recipes
from greenhouse.train.recipe import Recipe
from greenhouse.world.bias import DATA

STUDY = DATA / "study.yaml"
Count = Annotated[int, Field(ge=0)]


class Kind(BaseModel):
    """Networks trained alike: what differs from the study's recipe, and how many accepted ones are
    wanted."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    models: Annotated[int, Field(ge=1, le=1000)]
    shows: Count = 0
    captions: dict[str, Any] = {}
    pool: dict[str, Any] = {}
    schedule: dict[str, Any] = {}
    architecture: dict[str, Any] = {}
    pairing: Literal["drawn", "plain"] = "drawn"

    def recipe(self, base: Recipe) -> Recipe:
        """The recipe of this kind."""
        parts = {
            part: getattr(self, part) for part in ("captions", "pool", "schedule", "architecture")
        }
        return base.but(
            name=self.name,
            pairing=self.pairing,
            **{name: part for name, part in parts.items() if part},
        )


class Plan(BaseModel):
    """A study.

    Attributes
    ----------
    recipe : name of the recipe that kinds change.
    kinds : the i-th network of the k-th one has seed 1000 k + i.
    checkpoints : folder of `data/greenhouse` -> (kind, i): the i-th accepted network of a kind is
        shipped there.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    recipe: str
    kinds: tuple[Kind, ...]
    checkpoints: dict[
        Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")], tuple[str, Count]
    ] = {}

    @model_validator(mode="after")
    def _consistent(self) -> Plan:
        sizes = {kind.name: kind.models for kind in self.kinds}
        if len(sizes) != len(self.kinds):
            raise ValueError("two kinds have the same name")
        for folder, (kind, i) in self.checkpoints.items():
            if kind not in sizes or i >= sizes[kind]:
                raise ValueError(
                    f"checkpoint {folder!r} names network {i} of kind {kind!r}, which is not"
                    " planned"
                )
        return self

    @property
    def base(self) -> Recipe:
        """The recipe that kinds change."""
        return recipes.read(self.recipe)

    def recipe_of(self, kind: Kind) -> Recipe:
        """The recipe of a kind."""
        return kind.recipe(self.base)

    def seed_of(self, kind: Kind, i: int) -> int:
        """The seed of the i-th network of a kind."""
        return 1000 * self.kinds.index(kind) + i


def read(file: Path = STUDY) -> Plan:
    """The plan of a YAML file; every kind's recipe is checked.

    Raises
    ------
    ValueError : an entry breaks a rule; the message names file, entry and rule.
    """
    try:
        plan = Plan.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
        for kind in plan.kinds:
            plan.recipe_of(kind)
        return plan
    except ValidationError as problem:
        first = problem.errors()[0]
        entry, rule = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
        raise ValueError(
            f"{file.name}: {entry or 'plan'}: {rule}, got {first['input']!r:.80}"
        ) from None
