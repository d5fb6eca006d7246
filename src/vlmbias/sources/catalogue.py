"""`data/sources/index.yaml`: where data are that the repository does not hold, on what terms."""

import csv
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from vlmbias import paths, whole_files


class File(BaseModel, extra="forbid", frozen=True):
    """One file of a source: its path there, its size and its SHA-256."""

    path: str
    bytes: int
    sha256: str


class Source(BaseModel, extra="forbid", frozen=True):
    """One entry; the fields are explained at the top of the file."""

    key: str
    open: bool
    small: bool = False
    purpose: str
    licence: str
    citation: str
    obtain: str = ""
    base: str = ""
    mirror: str = ""
    files: tuple[File, ...] = ()

    @property
    def how(self) -> str:
        """One sentence: how a reader gets it."""
        return f"`vlmbias sources --fetch {self.key}` downloads it." if self.open else self.obtain


def catalogue() -> dict[str, Source]:
    """Every source by its key."""
    place = paths.data() / "sources" / "index.yaml"
    about = place.stat()
    return dict(_read(place, about.st_mtime_ns, about.st_size))


@lru_cache(maxsize=4)  # every claim asks
def _read(place: Path, *state: int) -> dict[str, Source]:
    return whole_files.read_yaml(place, _sources)


def _sources(entries: dict[str, Any]) -> dict[str, Source]:
    complete = {key: {"key": key, **_with_files(one)} for key, one in entries.items()}
    return TypeAdapter(dict[str, Source]).validate_python(complete)


def _with_files(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry that names a table in `data/sources`, with the files that this lists."""
    if not (listed := entry.pop("listed", "")):
        return entry
    with open(paths.data() / "sources" / listed, newline="", encoding="utf-8") as table:
        return {**entry, "files": [*csv.DictReader(table)]}


def source(key: str) -> Source:
    """One source; an unknown key is an error that lists the known ones."""
    if key not in (known := catalogue()):
        raise ValueError(f"unknown source {key!r}; choose from {', '.join(known)}")
    return known[key]


def how(key: str) -> str:
    """One sentence: how a reader gets a source."""
    return source(key).how
