"""Faces of the Greenhouse as files: an example of a reader's own folder, and the portraits in the
layout of the Chicago Face Database, for a dry run before the real ones are requested.

Every picture says so in its comment, and the table beside them in a column; what is read from
either keeps the Greenhouse's names, and the ledger draws no verdict from it. In the second layout
hues and crests stand under letters of races and genders: a mapping of file names, nothing else."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from greenhouse.world import faces, grid
from vlmbias.stimuli import cfd, own_folder
from vlmbias.stimuli.reader_folders import MARK, METADATA, NAMES

NOTE = f"{MARK}, rendered by formula. It shows no person."
SIZES = {"folder": 64, "cfd": 224}  # what can be written, and how many pixels wide
_BLOCK = 60  # pictures rendered at once


def write(kind: str, path: str | Path, *, seeds: int = 3) -> Path:
    """Write faces and `metadata.csv` into a new or empty folder, whole or not at all; its path.
    `kind`: "folder", as a reader's own pictures, of `seeds` identities with 180 each; or "cfd", 597
    portraits in the layout of the Chicago Face Database."""
    if kind not in SIZES:
        raise ValueError(f"{kind!r} is nothing that is written; choose from {', '.join(SIZES)}")
    path = Path(path).absolute()
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise ValueError(f"{path} is there and not an empty folder; give a new one")
    people = grid.causalface(seeds) if kind == "folder" else grid.cfd()
    names = _numbered(people) if kind == "folder" else _portraits(people)
    columns = [name for name in own_folder.COLUMNS if name in people]
    table = people[columns].assign(made_from=NOTE)
    table.insert(0, "path", names)
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as beside:
        new = Path(beside, "new")
        draw([new / name for name in names], people, SIZES[kind])
        table.to_csv(new / METADATA, index=False)
        os.replace(new, path)
    return path


def _numbered(people: Any) -> list[str]:
    return [f"pictures/{number:05d}.png" for number in range(len(people))]


def _portraits(people: Any) -> list[str]:
    """File names of the Chicago Face Database, a folder per person."""
    letter = {NAMES[theirs]: one for one, theirs in (cfd.RACES | cfd.GENDERS).items()}
    groups = people["race"].map(letter) + people["gender"].map(letter)
    persons = [f"{group}-{number:03d}" for number, group in enumerate(groups, 1)]
    return [f"{person}/CFD-{person}-{number:03d}-N.jpg" for number, person in enumerate(persons, 1)]


def draw(places: list[Path], people: Any, size: int) -> None:
    """Render the faces of a table, and save each in its place."""
    for start in range(0, len(people), _BLOCK):
        drawn = faces.render(people.iloc[start : start + _BLOCK], size)
        for place, picture in zip(places[start : start + _BLOCK], drawn, strict=True):
            save(place, picture)


def save(path: Path, picture: np.ndarray) -> None:
    """Save a picture with its comment: a PNG's text, or a JPEG's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = PngInfo()
    text.add_text("Comment", NOTE)
    image = Image.fromarray(picture)
    image.save(path, pnginfo=text, comment=NOTE.encode(), quality=95, compress_level=1)
