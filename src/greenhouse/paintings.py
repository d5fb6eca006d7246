"""What networks of the dose–response study paint from faces of every hue, step by step, read by the
judge and by a patch: no guide judges what it painted. `greenhouse.painted` reads what ships.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from PIL import Image

from greenhouse import linear_probe, painted, study
from greenhouse.campaign import Campaign, Job, named, workshop
from greenhouse.train import saving
from greenhouse.world import faces, grid, pairing
from greenhouse.world.bias import DATA
from vlmbias.whole_files import write

FIRST_SEED = 40_000_000  # identities that begin a painting, one per network


def plan() -> dict[str, Any]:
    """Which networks paint what; see the comments in `data/greenhouse/paintings.yaml`."""
    return yaml.safe_load((DATA / "paintings.yaml").read_text(encoding="utf-8"))


def campaign() -> Campaign:
    """The paintings of `data/greenhouse/paintings.yaml`."""
    chosen = plan()
    return Campaign(lambda: jobs(chosen), make, lambda: collect(chosen))


def starts(network: int, pairing: pairing.Pairing, size: int) -> tuple[pd.DataFrame, np.ndarray]:
    """The faces that the n-th network begins with, as a table of four and their pictures: one
    identity of its own in every hue, neutral; crests alternate."""
    table = pd.DataFrame(
        {
            "seed": FIRST_SEED + network,
            "race": grid.HUES,
            "gender": grid.CRESTS[network % 2],
            **grid.NEUTRAL,
        }
    )
    return table, faces.render(table, size, pairing=pairing)


def jobs(chosen: dict[str, Any]) -> list[Job]:
    """What each network of the plan paints: the first accepted ones of their kinds; a `ValueError`
    if one is not there."""
    kinds, found = study.plan().kinds, []
    for kind, wanted in chosen["networks"].items():
        guides = [job for job, done in kinds[kind].finished() if done["accepted"]][:wanted]
        if len(guides) < wanted:
            raise ValueError(
                f"{len(guides)} of {wanted} networks of kind {kind!r} are there; run "
                f"`{study.COMMAND}` first"
            )
        for guide in guides:
            about = {
                "plan": chosen,
                "place": len(found),
                "kind": kind,
                "guide": guide.name,
                "decoder_sha256": _decoder_sha256(),
            }
            label = f"{kind}-seed{guide.about['seed']}"
            found.append(Job("paintings", named(label, about), about))
    return found


def make(about: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Let one network paint; an interrupted painting goes on."""
    paint(about["plan"], about["place"], workshop("dose-response") / about["guide"], folder)
    return {}


def paint(chosen: dict[str, Any], place: int, guide: Path, folder: Path) -> None:
    """Let the network of the folder `guide` paint from every hue; `place` is its number among those
    that paint."""
    import vlmbias as vb
    from vlmbias.generation import guided, vqgan

    seeing = vb.encoder(str(guide), device="cpu")
    painter = vqgan.load("greenhouse/decoder", device="cpu")
    entries = ("prompt", "size", "last_step", "every", "views", "step_size")
    recipe = guided.Recipe(**{name: chosen[name] for name in entries})
    table, pictures = starts(place, _look(guide), chosen["size"])
    for hue, picture in zip(table["race"], pictures, strict=True):
        guided.paint(
            Image.fromarray(picture),
            painter=painter,
            guide=seeing,
            seed=place,
            recipe=recipe,
            folder=folder / hue,
        )


def read_painted(
    chosen: dict[str, Any], guide: Path, folder: Path
) -> tuple[pd.DataFrame, np.ndarray]:
    """What a network painted: the readings, and the pictures of the steps to show
    `(4, steps, s, s, 3)`."""
    from vlmbias.generation import guided

    look, judge, patch = _look(guide), linear_probe.default(), tuple(chosen["patch"])
    parts, shown = [], []
    for hue in grid.HUES:
        made = guided.read(folder / hue)
        read = painted.readings(made.pictures, made.steps, judge, look, patch)
        paint = look.record()["paints"][hue]
        parts.append(read.assign(race=hue, paint=paint, loss=made.losses[made.steps]))
        shown.append(made.pictures[np.isin(made.steps, chosen["shown"])])
    return pd.concat(parts, ignore_index=True), np.stack(shown)


def collect(chosen: dict[str, Any]) -> str:
    """Read what all networks painted, and write the table and the sheet; where they are."""
    parts, sheet = [], {}
    for job in jobs(chosen):
        guide, kind = workshop("dose-response") / job.about["guide"], job.about["kind"]
        readings, pictures = read_painted(chosen, guide, job.folder)
        card = saving.card_of(guide)
        parts.append(readings.assign(kind=kind, b=card["b"], network=card["seed"]))
        sheet.setdefault(kind, pictures)
    found = pd.concat(parts, ignore_index=True)
    first = ["kind", "b", "network", "race", "paint", "step"]
    ship(chosen, found[[*first, *[name for name in found if name not in first]]], sheet)
    return str(painted.PAINTINGS)


def ship(chosen: dict[str, Any], table: pd.DataFrame, sheet: dict[str, np.ndarray]) -> None:
    """The readings, the sheet (rows: kind by hue, columns: steps), and what they were made from;
    that is last."""
    rows = np.concatenate(list(sheet.values()))
    image = rows.transpose(0, 2, 1, 3, 4).reshape(len(rows) * chosen["size"], -1, 3)
    content = io.BytesIO()
    Image.fromarray(image).save(content, format="PNG", optimize=True)
    about = {
        "plan": chosen,
        "sheet": list(sheet),
        "decoder_sha256": _decoder_sha256(),
    }
    folder = painted.PAINTINGS
    write(folder / painted.READINGS, table.to_csv(index=False, float_format="%.5g"))
    write(folder / painted.SHEET, content.getvalue())
    saving.write_card(folder / painted.ABOUT, about)


def _look(folder: Path) -> pairing.Pairing:
    """The pairing of names and looks that a network knows."""
    return pairing.of_record(saving.card_of(folder)["pairing"])


def _decoder_sha256() -> str:
    from vlmbias.generation import vqgan

    return hashlib.sha256((DATA / "decoder" / vqgan.WEIGHTS).read_bytes()).hexdigest()
