"""Data that a reader supplies, as a folder or as single files: whether they are there and can be
used, told from names and sizes so that it takes seconds, and what tells one state from another."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from vlmbias import paths
from vlmbias.sources import published_weights as weights
from vlmbias.stimuli.reader_folders import FOLDERS, SUPPLIED, Report, files, find, reader

PLACES = {name: FOLDERS[name] for name, one in SUPPLIED.items() if one.source}
"""The usual folder of every source that a reader supplies as one."""
FILES = {
    "census": ("sc-est2019-alldata5.csv",),
    "map-iat": ("raceiatdat.csv",),
    **weights.files(),
}
"""Single files below the reader's own data, by source; whoever reads one checks what is in it."""


def supplied(key: str) -> list[Path]:
    """The files of a source that a reader has put in their places, of those in `FILES`; none if
    none is there."""
    return [place for name in FILES[key] if (place := paths.reader_data() / name).is_file()]


def fingerprint(places: Mapping[str, Path]) -> str:
    """What changes with the names and sizes of files, each given by the name that it goes by."""
    sizes = sorted(f"{name} {place.stat().st_size}" for name, place in places.items())
    return hashlib.sha256("\n".join(sizes).encode()).hexdigest()


def check(key: str, root: str | Path | None = None) -> Report:
    """What a folder holds of a source, against what the paper used; nothing is usable where it
    counts 0. An error if there is no such folder, or nobody supplies this source as one."""
    if key not in PLACES:
        raise ValueError(f"{key!r} is not supplied as a folder; there are {', '.join(PLACES)}")
    return reader(key).read(root)[1]


def state(key: str) -> tuple[Report | None, str]:
    """The report on a source in its usual place, or None, and a fingerprint of the names and
    sizes."""
    try:
        root = find(key, None)
        digest = fingerprint({file: root / file for file in files(root)})
        return _checked(key, root, digest), digest
    except (OSError, ValueError):
        return None, ""


@cache
def _checked(key: str, root: Path, digest: str) -> Report:
    return check(key, root)
