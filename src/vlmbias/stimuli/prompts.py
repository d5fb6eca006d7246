"""Prompt sets by name, from `data/stimuli/*.yaml`.

Comes in: a name. Goes out: a `PromptSet`, one row per word and template. May not: know what a prompt is for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from vlmbias import paths
from vlmbias.stimuli.imageset import rows_where

_STRICT = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class _Variant(BaseModel):
    """What one way of asking changes in its set."""

    model_config = _STRICT
    note: str = ""
    templates: list[str] | None = None
    dimensions: dict[str, list[str]] = Field(default_factory=dict)


class _Prompts(BaseModel):
    """One file of `data/stimuli`."""

    model_config = _STRICT
    note: str
    origin: str = Field(alias="from")
    templates: list[str] = Field(default=["{}"], min_length=1)
    neutral: bool = False
    dimensions: dict[str, list[str]] = Field(min_length=1)
    variants: dict[str, _Variant] = Field(default_factory=dict)

    @field_validator("templates")
    @classmethod
    def _one_gap(cls, templates: list[str]) -> list[str]:
        for template in templates:
            if template.count("{}") != 1:
                raise ValueError(f"the template {template!r} must contain {{}} exactly once")
        return templates

    @field_validator("dimensions")
    @classmethod
    def _words(cls, dimensions: dict[str, list[str]]) -> dict[str, list[str]]:
        for dimension, words in dimensions.items():
            if not words or any(not word.strip() for word in words):
                raise ValueError(f"dimension {dimension!r} must list at least one word, and no empty one")
            if repeated := [word for word in words if words.count(word) > 1]:
                raise ValueError(f"dimension {dimension!r} lists {repeated[0]!r} twice")
        return dimensions

    def as_variant(self, name: str) -> _Prompts:
        change = self.variants[name]
        if strangers := set(change.dimensions) - set(self.dimensions):
            raise ValueError(f"variant {name!r} changes {sorted(strangers)[0]!r}, which is no dimension of the set")
        return _Prompts.model_validate({
            "note": change.note or self.note, "from": self.origin, "neutral": self.neutral,
            "templates": change.templates or self.templates, "dimensions": {**self.dimensions, **change.dimensions},
        })


@dataclass(frozen=True, eq=False, repr=False)
class PromptSet:
    """Prompts and what each is for.

    Attributes
    ----------
    name : the name it was asked for by.
    table : DataFrame, index 0..n-1, columns dimension, word, template, text and neutral (bool: no word in it).
    source : ``"greenhouse"`` for the Greenhouse's own words, else where the words come from.
    note : what the file says about them.
    """

    name: str
    table: pd.DataFrame
    source: str
    note: str = ""

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"PromptSet({self.name!r}: {len(self)} prompts; dimensions {', '.join(self.table['dimension'].unique())})"

    def where(self, mask: Any) -> PromptSet:
        """The rows where `mask`, `(n,)` booleans, is True."""
        return replace(self, table=self.table.iloc[rows_where(mask, len(self))].reset_index(drop=True))


def prompts(name: str) -> PromptSet:
    """The prompts of a set: every word of every dimension in every template, and the neutral prompts.

    A neutral prompt is the template with no word and the double space collapsed: "A person."

    Parameters
    ----------
    name : a file of `data/stimuli`, such as ``"social_perception"``, ``"we_they"`` or
        ``"greenhouse/valence"``, or a variant of one: ``"social_perception/released"``.

    Returns
    -------
    PromptSet

    Raises
    ------
    ValueError
        For an unknown name (the known ones are listed) or a malformed file (file and rule are named).
    """
    folder = paths.data() / "stimuli"
    stem, _, variant = name.rpartition("/")
    known = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.yaml"))
    if name in known:
        read = _read(folder / f"{name}.yaml")
    elif stem in known and variant in (whole := _read(folder / f"{stem}.yaml")).variants:
        read = whole.as_variant(variant)
    else:
        variants = [f"{stem}/{each}" for stem in known for each in _read(folder / f"{stem}.yaml").variants]
        raise ValueError(f"unknown prompt set {name!r}; choose from {', '.join(sorted(known + variants))}")
    source = "greenhouse" if name.startswith("greenhouse/") else read.origin
    return PromptSet(name, _table(read), source, read.note)


def _read(file: Path) -> _Prompts:
    try:
        read = _Prompts.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
        for variant in read.variants:
            read.as_variant(variant)
        return read
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{file.name}: {where}: {first['msg']}") from problem
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        raise ValueError(f"{file.name}: {problem}") from problem


def _table(read: _Prompts) -> pd.DataFrame:
    rows = [(dimension, word, template, _fill(template, word), False)
            for dimension, words in read.dimensions.items() for word in words for template in read.templates]
    if read.neutral:
        rows += [("neutral", "", template, " ".join(_fill(template, "").split()), True) for template in read.templates]
    return pd.DataFrame(rows, columns=["dimension", "word", "template", "text", "neutral"])


def _fill(template: str, word: str) -> str:
    """The prompt: {} becomes the word; {a}, where a template has it, the article that agrees with the word."""
    return template.replace("{a}", "an" if word.lower().startswith(tuple("aeiou")) else "a").replace("{}", word)
