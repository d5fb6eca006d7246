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
from vlmbias.whole_files import read_yaml, replacing, write_json

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


def prepare(chosen: Plan) -> list[str]:
    """Write what the job of each network is made from; the files to ask Snakemake for."""
    targets = []
    for place, folder in enumerate(guides(chosen)["folder"]):
        name, about = Path(folder).name, {"plan": chosen.model_dump(mode="json"), "place": place}
        write_json(_record(name), about | {"decoder_sha256": _decoder_sha256()})
        targets.append(f"_build/greenhouse/paintings/{name}/{grid.HUES[-1]}/losses.json")
    return targets


def requested(name: str) -> dict:
    """What a network's paintings are made from, by its folder's name.

    Raises
    ------
    ValueError : no network of this name is to paint.
    """
    if not _record(name).is_file():
        raise ValueError(f"no network {name!r} is to paint; `vlmbias greenhouse paint` says which")
    return json.loads(_record(name).read_text(encoding="utf-8"))


def paint(name: str) -> None:
    """Let one network paint from every hue, by its folder's name; an interrupted painting goes
    on."""
    about = requested(name)
    paint_with(Plan(**about["plan"]), about["place"], dose_response.workshop() / name)


def paint_with(chosen: Plan, place: int, folder: Path) -> None:
    """Let the network of a folder paint from every hue; `place` is its number among those that
    paint."""
    import vlmbias as vb
    from vlmbias.generation import guided, vqgan

    guide = vb.encoder(str(folder), device="cpu")
    painter = vqgan.load("greenhouse/decoder", device="cpu")
    recipe = guided.Recipe(
        chosen.prompt,
        size=chosen.size,
        last_step=chosen.last_step,
        every=chosen.every,
        views=chosen.views,
        step_size=chosen.step_size,
    )
    table, pictures = starts(place, _look(folder), chosen.size)
    for hue, picture in zip(table["race"], pictures, strict=True):
        guided.paint(
            Image.fromarray(picture),
            painter=painter,
            guide=guide,
            seed=place,
            recipe=recipe,
            folder=_canvas(folder, hue),
        )


def read_painted(chosen: Plan, folder: Path) -> tuple[pd.DataFrame, np.ndarray]:
    """What a network painted: the readings, and the pictures of the steps to show
    `(4, steps, s, s, 3)`."""
    from vlmbias.generation import guided

    look, parts, shown = _look(folder), [], []
    for hue in grid.HUES:
        made = guided.read(_canvas(folder, hue))
        read = painted.readings(
            made.pictures, made.steps, linear_probe.default(), look, chosen.patch
        )
        paint = look.record()["paints"][hue]
        parts.append(read.assign(race=hue, paint=paint, loss=made.losses[made.steps]))
        shown.append(made.pictures[np.isin(made.steps, chosen.shown)])
    return pd.concat(parts, ignore_index=True), np.stack(shown)


def collect(chosen: Plan) -> None:
    """Read what all networks painted, and write the table and the sheet."""
    parts, sheet = [], []
    for row in guides(chosen).to_dict("records"):
        readings, pictures = read_painted(chosen, Path(row["folder"]))
        parts.append(readings.assign(kind=row["kind"], b=row["b"], network=row["seed"]))
        if row["kind"] not in {kind for kind, _ in sheet}:
            sheet.append((row["kind"], pictures))
    found = pd.concat(parts, ignore_index=True)
    first = ["kind", "b", "network", "race", "paint", "step"]
    _write(chosen, found[[*first, *[name for name in found if name not in first]]], sheet)


def _record(name: str) -> Path:
    return paths.build() / "inputs" / "paintings" / f"{name}.json"


def _canvas(folder: Path, hue: str) -> Path:
    """Where a network's painting from a hue is kept."""
    return paths.build() / "greenhouse" / "paintings" / folder.name / hue


def _look(folder: Path) -> pairing.Pairing:
    """The pairing of names and looks that a network knows."""
    return pairing.of_record(json.loads((folder / "card.json").read_text("utf-8"))["pairing"])


def _decoder_sha256() -> str:
    from vlmbias.generation import vqgan

    return hashlib.sha256((DATA / "decoder" / vqgan.WEIGHTS).read_bytes()).hexdigest()


def _write(chosen: Plan, table: pd.DataFrame, sheet: list[tuple[str, np.ndarray]]) -> None:
    """The readings, the sheet (rows: kind by hue, columns: steps), and what they were made from;
    that is last."""
    rows = np.concatenate([pictures for _, pictures in sheet])
    image = rows.transpose(0, 2, 1, 3, 4).reshape(len(rows) * chosen.size, -1, 3)
    content = io.BytesIO()
    Image.fromarray(image).save(content, format="PNG", optimize=True)
    about = {
        "command": "vlmbias greenhouse paint",
        "plan": chosen.model_dump(mode="json"),
        "sheet": [kind for kind, _ in sheet],
        "decoder_sha256": _decoder_sha256(),
    }
    for name, text in (
        (painted.READINGS, table.to_csv(index=False, float_format="%.5g").encode()),
        (painted.SHEET, content.getvalue()),
        (painted.ABOUT, json.dumps(about, indent=2).encode() + b"\n"),
    ):
        with replacing(painted.PAINTINGS / name) as aside:
            aside.write_bytes(text)
