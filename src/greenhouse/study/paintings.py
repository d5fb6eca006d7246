"""What networks of the study paint from faces of every hue, step by step, read by the judge and by
a patch.

Comes in: `data/greenhouse/paintings.yaml`, the study's networks in the workshop, the shipped
decoder. Goes out: `data/greenhouse/paintings/`: a table of readings, and a sheet of pictures. May
not: let a guide judge what it painted.

Each run is a folder in the workshop and goes on where it was interrupted.
"""

from __future__ import annotations

import hashlib
import io
import json
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from greenhouse import linear_probe, painted
from greenhouse.study import dose_response, plan
from greenhouse.world import faces, grid, pairing
from greenhouse.world.bias import DATA
from vlmbias import paths
from vlmbias.processes import end_with_parent
from vlmbias.whole_files import read_yaml, replacing

STUDY = DATA / "paintings.yaml"
FIRST_SEED = 40_000_000  # identities that begin a painting, one per network


class Plan(BaseModel):
    """Which networks paint what; see the comments in `data/greenhouse/paintings.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    prompt: str
    networks: dict[str, int] = Field(min_length=1)
    size: int = Field(ge=32)
    last_step: int = Field(ge=1)
    every: int = Field(ge=1)
    views: int = Field(ge=1)
    step_size: float = Field(gt=0)
    patch: tuple[float, float, float, float]
    shown: tuple[int, ...]


def read(file: Path = STUDY) -> Plan:
    """The plan of a YAML file; one that breaks a rule is an error that names file, line and
    rule."""
    return read_yaml(file, Plan.model_validate)


def starts(network: int, pairing: pairing.Pairing, size: int) -> tuple[pd.DataFrame, np.ndarray]:
    """The faces that a network begins with: one identity of its own in every hue, neutral; its
    crest alternates.

    Parameters
    ----------
    network : its place among those that paint.
    pairing : which paint and drawing its names have.

    Returns
    -------
    The table of four faces, and their pictures uint8 `(4, size, size, 3)`.
    """
    table = pd.DataFrame(
        {
            "seed": FIRST_SEED + network,
            "race": grid.HUES,
            "gender": grid.CRESTS[network % 2],
            **grid.NEUTRAL,
        }
    )
    return table, faces.render(table, size, pairing=pairing)


def guides(chosen: Plan) -> pd.DataFrame:
    """The networks that paint, one row each: kind, b, seed, folder.

    Raises
    ------
    ValueError : the workshop lacks one; the message names the command that trains it.
    """
    study = plan.read()
    kinds, rows = {kind.name: kind for kind in study.kinds}, []
    for name, wanted in chosen.networks.items():
        seed, accepted = study.seed_of(kinds[name], 0), 0
        while accepted < wanted:
            folder = dose_response.folder_of(study, kinds[name], seed)
            if not (folder / "card.json").is_file():
                raise ValueError(
                    f"{accepted} of {wanted} networks of kind {name!r} are there; run "
                    "`vlmbias greenhouse dose-response` first"
                )
            card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
            if card["accepted"]:
                rows.append({"kind": name, "b": card["b"], "seed": seed, "folder": str(folder)})
                accepted += 1
            seed += 1
    return pd.DataFrame(rows)


def run(chosen: Plan, *, jobs: int = 2) -> None:
    """Paint everything that is missing, `jobs` networks at a time, and write the table and the
    sheet."""
    from tqdm import tqdm

    table = guides(chosen)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    parts, sheet = [], []
    with ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), end_with_parent
    ) as workers:
        work = [
            workers.submit(_by_one, chosen, place, folder)
            for place, folder in enumerate(table["folder"])
        ]
        for row, future in zip(
            table.to_dict("records"), tqdm(work, desc="networks", unit="network"), strict=True
        ):
            readings, pictures = future.result()
            parts.append(readings.assign(kind=row["kind"], b=row["b"], network=row["seed"]))
            if row["kind"] not in {kind for kind, _ in sheet}:
                sheet.append((row["kind"], pictures))
    found = pd.concat(parts, ignore_index=True)
    first = ["kind", "b", "network", "race", "paint", "step"]
    _write(chosen, found[[*first, *[name for name in found if name not in first]]], sheet)


def _by_one(chosen: Plan, place: int, folder: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The paintings of one network: their readings, and the pictures of the steps to show
    `(4, steps, s, s, 3)`."""
    import vlmbias as vb
    from vlmbias.generation import guided, vqgan

    guide, painter = (
        vb.encoder(folder, device="cpu"),
        vqgan.load("greenhouse/decoder", device="cpu"),
    )
    recipe = guided.Recipe(
        chosen.prompt,
        size=chosen.size,
        last_step=chosen.last_step,
        every=chosen.every,
        views=chosen.views,
        step_size=chosen.step_size,
    )
    look = pairing.of_record(
        json.loads((Path(folder) / "card.json").read_text(encoding="utf-8"))["pairing"]
    )
    table, pictures = starts(place, look, chosen.size)
    parts, shown = [], []
    for (_, face), picture in zip(table.iterrows(), pictures, strict=True):
        made = guided.paint(
            Image.fromarray(picture),
            painter=painter,
            guide=guide,
            seed=place,
            recipe=recipe,
            folder=paths.build() / "greenhouse" / "paintings" / Path(folder).name / face["race"],
        )
        read = painted.readings(
            made.pictures, made.steps, linear_probe.default(), look, chosen.patch
        )
        paint = look.record()["paints"][face["race"]]
        parts.append(read.assign(race=face["race"], paint=paint, loss=made.losses[made.steps]))
        shown.append(made.pictures[np.isin(made.steps, chosen.shown)])
    return pd.concat(parts, ignore_index=True), np.stack(shown)


def _write(chosen: Plan, table: pd.DataFrame, sheet: list[tuple[str, np.ndarray]]) -> None:
    """The readings, the sheet (rows: kind by hue, columns: steps), and what they were made from;
    that is last."""
    from vlmbias.generation import vqgan

    rows = np.concatenate([pictures for _, pictures in sheet])
    image = rows.transpose(0, 2, 1, 3, 4).reshape(len(rows) * chosen.size, -1, 3)
    content = io.BytesIO()
    Image.fromarray(image).save(content, format="PNG", optimize=True)
    weights = (DATA / "decoder" / vqgan.WEIGHTS).read_bytes()
    about = {
        "command": "vlmbias greenhouse paint",
        "plan": chosen.model_dump(mode="json"),
        "sheet": [kind for kind, _ in sheet],
        "decoder_sha256": hashlib.sha256(weights).hexdigest(),
    }
    for name, text in (
        (painted.READINGS, table.to_csv(index=False, float_format="%.5g").encode()),
        (painted.SHEET, content.getvalue()),
        (painted.ABOUT, json.dumps(about, indent=2).encode() + b"\n"),
    ):
        with replacing(painted.PAINTINGS / name) as aside:
            aside.write_bytes(text)
