"""Warm starts as jobs of the graph: the networks of all studies begin from them.

Comes in: an architecture and a number. Goes out: `_build/inputs/warm_starts/<name>.json`, from
which a job knows what to train, and the weights. May not: know which network begins from one.

A warm start is called as its file is, without the ending; the name holds the hash of all that it
depends on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from greenhouse.train import speakers, warm
from greenhouse.train.recipe import Recipe
from vlmbias import paths
from vlmbias.whole_files import write_json


def prepare(recipe: Recipe, number: int) -> str:
    """Write what warm start `number` of a recipe's architecture is made from; its name."""
    parts = recipe.model_dump(mode="json", include={"architecture", "start"})
    return _write(warm.file_of(recipe, number), parts | {"number": number})


def prepare_speaker(recipe: dict[str, Any], number: int) -> str:
    """The same for networks that answer or describe."""
    return _write(speakers.sight_file(recipe, number), {"speakers": recipe, "number": number})


def train(name: str) -> None:
    """Train a warm start that was prepared; at once if it is already there."""
    about = read(name)
    if "speakers" in about:
        speakers.sight(about["speakers"], about["number"])
    else:
        recipe = Recipe().but(architecture=about["architecture"], start=about["start"])
        warm.load(recipe, about["number"])


def read(name: str) -> dict[str, Any]:
    """What a warm start is made from.

    Raises
    ------
    ValueError : none of this name was prepared.
    """
    file = _folder() / f"{name}.json"
    if not file.is_file():
        known = sorted(path.stem for path in _folder().glob("*.json"))
        called = f"; they are called {', '.join(known[:3])}, …" if known else ""
        raise ValueError(f"no network begins from a warm start {name!r}{called}")
    return json.loads(file.read_text(encoding="utf-8"))


def _folder() -> Path:
    return paths.build() / "inputs" / "warm_starts"


def _write(file: Path, about: dict[str, Any]) -> str:
    write_json(_folder() / f"{file.stem}.json", about)
    return file.stem
