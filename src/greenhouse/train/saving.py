"""The folder of a trained model: weights in half precision, and a card that says how they came
about; files are written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from vlmbias import paths
from vlmbias.whole_files import write

CARD, PARTIAL = "card.json", "partial.safetensors"  # the state of a run that was interrupted
LIMITS = (
    "A world of our own making: a model of a few million parameters or fewer, a small vocabulary,"
    " independent attributes, and bias placed by us. It says nothing about people, and no rate or"
    " threshold transfers to CLIP."
)


def card_of(folder: Path) -> dict[str, Any]:
    """The card of a folder; empty if there is none."""
    file = folder / CARD
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def write_card(file: Path, content: Any) -> None:
    """Write a card, or what looks like one: JSON whose entries keep their order."""
    write(file, json.dumps(content, indent=2) + "\n")


def half(state: Mapping[str, Any]) -> bytes:
    """Weights as safetensors, in 16 bits where they are floats."""
    from safetensors.torch import save

    return save(
        {
            name: value.detach().half().contiguous()
            if value.is_floating_point()
            else value.clone().contiguous()
            for name, value in state.items()
        }
    )


def of_weights(model: Any, weights: bytes) -> dict[str, Any]:
    """What a card says of a model's weights."""
    return {
        "parameters": sum(value.numel() for value in model.parameters()),
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
    }


def made_by(*packages: str) -> dict[str, Any]:
    """What a card says of the code; call it before training, which takes long."""
    return {
        "commit": _commit(),
        "versions": {name: version(name) for name in ("torch", *packages, "numpy")},
        "limits": LIMITS,
    }


def _commit() -> str:
    """The commit the code is at, `+dirty` if the tree differs from it; "unknown" outside a
    checkout."""

    def git(*words: str) -> str:
        command = ["git", "-C", str(paths.root()), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "src/greenhouse", "data/greenhouse")
        return git("rev-parse", "--short=12", "HEAD") + ("+dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def gated(values: Mapping[str, float], thresholds: Mapping[str, float]) -> dict[str, Any]:
    """What a card says of gates: each value with the least that passes, and whether all passed."""
    return {
        "gates": {
            name: {"value": round(value, 4), "threshold": thresholds[name]}
            for name, value in values.items()
        },
        "accepted": all(values[name] >= least for name, least in thresholds.items()),
    }


def failed(card: Mapping[str, Any]) -> dict[str, float]:
    """The gates that a model failed, each with its value."""
    return {
        name: gate["value"]
        for name, gate in card["gates"].items()
        if gate["value"] < gate["threshold"]
    }
