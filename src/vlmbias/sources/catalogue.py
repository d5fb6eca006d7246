"""`data/sources.yaml`, read and checked.

Comes in: the file, and the lists of files that it names. Goes out: one `Source` per key. May not:
look for the data."""

import csv
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, model_validator

from vlmbias import paths, whole_files

_PLAIN = r"^[\w-][\w.-]*$"  # a name of a folder, not a way to another


class File(BaseModel, extra="forbid", frozen=True):
    """One file of a source: its path there, its size and its SHA-256."""

    path: str = Field(pattern=r"^[\w-][\w.-]*(/[\w-][\w.-]*)*$")
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Source(BaseModel, extra="forbid", frozen=True):
    """Where data are, on what terms, and what for; the fields are explained at the top of the
    file."""

    key: str = Field(pattern=_PLAIN)
    open: bool
    small: bool = False
    purpose: str
    licence: str
    citation: str
    obtain: str = ""
    base: str = ""
    mirror: str = Field(default="", pattern=f"^$|{_PLAIN}")
    files: tuple[File, ...] = ()

    @model_validator(mode="after")
    def _reachable(self) -> "Source":
        if self.open and not (
            self.files and self.base.startswith("https://") and self.base.endswith("/")
        ):
            raise ValueError(
                "an open source needs files, and a base that starts with https:// and ends with /"
            )
        if not self.open and (self.small or not self.obtain):
            raise ValueError(
                "a source that is not open needs `obtain`, how a person gets it, and is not small"
            )
        return self

    @property
    def how(self) -> str:
        """One sentence: how a reader gets it."""
        return f"`vlmbias sources fetch {self.key}` downloads it." if self.open else self.obtain


def catalogue() -> dict[str, Source]:
    """Every source by its key; a malformed file is an error that names the entry and the rule."""
    place = paths.data() / "sources.yaml"
    about = [
        (path, path.stat()) for path in (place, *sorted((paths.data() / "sources").glob("*.csv")))
    ]
    return dict(
        _read(place, tuple((path, of.st_ino, of.st_size, of.st_mtime_ns) for path, of in about))
    )


@lru_cache(maxsize=4)  # every claim asks
def _read(place: Path, state: tuple) -> dict[str, Source]:
    return whole_files.read_yaml(place, _sources)


def _sources(entries: dict[str, Any]) -> dict[str, Source]:
    complete = {key: {"key": key, **_with_files(one)} for key, one in entries.items()}
    return TypeAdapter(dict[str, Source]).validate_python(complete)


def _with_files(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry that names a CSV in `data/sources` (path, bytes, sha256), with the files that it
    lists."""
    if "listed" not in entry:
        return entry
    if not re.fullmatch(_PLAIN, str(entry["listed"])):
        raise ValueError(f"listed: {entry['listed']!r} is not the name of a table in data/sources")
    with open(paths.data() / "sources" / entry["listed"], newline="", encoding="utf-8") as table:
        return {
            **{name: value for name, value in entry.items() if name != "listed"},
            "files": [*csv.DictReader(table)],
        }


def source(key: str) -> Source:
    """One source; an unknown key is an error that lists the known ones."""
    if key not in (known := catalogue()):
        raise ValueError(f"unknown source {key!r}; choose from {', '.join(known)}")
    return known[key]


def how(key: str) -> str:
    """One sentence: how a reader gets a source."""
    return source(key).how
