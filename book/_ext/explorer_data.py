"""What the explorer page brings along: `python book/_ext/explorer_data.py FOLDER` writes it.

`world.json` is what the painter and the page need, and the lamps; `network-<k>.js`, one network's
image tower and what it makes of the prompts; `faces.jpg`, a still picture. It imports torch, so it
is not imported while the book is built.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from safetensors.numpy import load_file

import vlmbias as vb
from greenhouse.world import faces, grid, nuisance
from studies.greenhouse import explorer
from vlmbias import paths
from vlmbias.embedding.encoders import checkpoint_folder
from vlmbias.measures import Perception
from vlmbias.whole_files import replacing, write_json

TOWER = "visual."
LABELS = (
    "Default: a bias was planted (b = 1)",
    *(f"Nothing planted (b = 0), start {start}" for start in range(1, 6)),
)
SERIES = ("smiling", "age", "lighting", "pose")
EDGE, GAP = 128, 6


def tower(folder: Path) -> dict[str, Any]:
    """The image side of a checkpoint folder: names and sizes of its arrays, their numbers, and its
    shape in words."""
    weights = load_file(folder / "model.safetensors")
    kept = {
        name.removeprefix(TOWER): array
        for name, array in sorted(weights.items())
        if name.startswith(TOWER)
    }
    if large := [name for name, array in kept.items() if array.dtype != np.float16]:
        raise ValueError(
            f"{folder.name}: {large[0]} is {kept[large[0]].dtype}; the page reads float16 only"
        )
    config = json.loads((folder / "open_clip_config.json").read_text("utf-8"))
    vision, seen = config["model_cfg"]["vision_cfg"], config["preprocess_cfg"]
    return {
        "arrays": [(name, array.size) for name, array in kept.items()],
        "weights": _base64(
            np.concatenate([array.ravel() for array in kept.values()]).astype("<f2")
        ),
        "vision": {
            "size": vision["image_size"],
            "patch": vision["patch_size"],
            "layers": vision["layers"],
            "headWidth": vision["head_width"],
            "mean": seen["mean"],
            "std": seen["std"],
        },
    }


def directions(encoder: Any) -> np.ndarray:
    """The vectors whose products with a picture's unit vector are its Δcos, `(dimensions, d)`.

    Δcos is linear in the picture's vector, so those of the unit vectors along each axis are its
    coefficients.
    """
    words = vb.embed(encoder, vb.prompts("social_perception"))
    return Perception.of(np.eye(encoder.dimension), words).delta().to_numpy().T


def network(name: str, label: str) -> dict[str, Any]:
    """One network as the page runs it."""
    folder, encoder = checkpoint_folder(name), vb.encoder(name)
    assert folder is not None  # the names are those of shipped checkpoints
    card = json.loads((folder / "card.json").read_text("utf-8"))
    return {
        "name": name,
        "label": label,
        "planted": card["b"] > 0,
        "pairing": card["pairing"],
        **tower(folder),
        "directions": _base64(directions(encoder).astype("<f8")),
    }


def world(networks: list[dict[str, Any]], table: pd.DataFrame) -> dict[str, Any]:
    """What the painter and the page need to know besides the networks' weights."""
    listed = ("name", "label", "planted", "pairing")
    rows = table.assign(on=explorer.on(table)).to_dict("records")
    return {
        "nuisance": asdict(nuisance.load()),
        "paints": faces.SKIN,
        "ranges": grid.RANGES,
        "start": grid.NEUTRAL,
        "levels": grid.LEVELS,
        "hues": grid.HUES[:3],
        "crests": grid.CRESTS,
        "identities": explorer.IDENTITIES,
        "dimensions": list(dict.fromkeys(table["dimension"])),
        "pairs": explorer.PAIRS,
        "networks": [{key: one[key] for key in listed} for one in networks],
        "comparisons": [
            {
                key: row[key]
                for key in (
                    "network",
                    "hundred",
                    *explorer.QUESTION,
                    "difference",
                    "p",
                    "p_separate",
                    "on",
                )
            }
            for row in rows
        ],
    }


def still() -> Image.Image:
    """One identity along each series, a series to a row, from its lowest level to its highest."""
    rows = []
    for number, series in enumerate(SERIES):
        levels = np.linspace(*grid.RANGES[series], 5)
        shown = {"seed": number, "race": grid.HUES[number % 3], "gender": grid.CRESTS[number % 2]}
        rows += [{**grid.NEUTRAL, **shown, series: level} for level in levels]
    step = EDGE + GAP
    wall = np.full((len(SERIES) * step - GAP, 5 * step - GAP, 3), 255, np.uint8)
    for place, face in enumerate(faces.render(pd.DataFrame(rows), size=EDGE)):
        top, left = place // 5 * step, place % 5 * step
        wall[top : top + EDGE, left : left + EDGE] = face
    return Image.fromarray(wall)


def _base64(numbers: np.ndarray) -> str:
    return b64encode(numbers.tobytes()).decode("ascii")


def _script(path: Path, packed: Mapping[str, Any]) -> None:
    """Write a network as a script: a page that is opened from a file may load one, but no data."""
    with replacing(path) as temporary:
        text = json.dumps(packed, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        variable = f'Play.networks["{packed["name"]}"]'
        temporary.write_text(f"{variable} = {text};\n", encoding="utf-8")


def write(folder: Path) -> None:
    """Write everything into a folder."""
    table = explorer.comparisons()
    numbers = ["difference", "p", "p_separate"]
    table[numbers] = table[numbers].map(
        lambda value: float(f"{value:.4g}")
    )  # more would differ between machines
    networks = [network(name, label) for name, label in zip(explorer.NETWORKS, LABELS, strict=True)]
    write_json(folder / "world.json", world(networks, table))
    for number, one in enumerate(networks):
        _script(folder / f"network-{number}.js", one)
    with replacing(folder / "faces.jpg") as temporary:
        still().save(temporary, format="JPEG", quality=85)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else paths.build() / "explorer")
