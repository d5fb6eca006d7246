"""From a source's key to files that are what they should be.

Comes in: a key and the path of a file in its source. Goes out: a local path, its checksum verified: in the
cache, else in the mirror. May not: download.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vlmbias import paths
from vlmbias.sources.catalogue import File, Source, catalogue, source

if TYPE_CHECKING:
    import pandas as pd


class SourceUnavailable(FileNotFoundError):
    """A file of a source is not on this machine, or is not what it should be."""


def path(key: str, file: str) -> Path:
    """The checked local copy of one file.

    Parameters
    ----------
    key : key of the source in `data/sources.yaml`.
    file : path of the file within the source.

    Raises
    ------
    SourceUnavailable
        Naming what is missing or damaged (expected against found), and how to get it.
    ValueError
        For a key or file that the catalogue does not list.
    """
    entry = source(key)
    for listed in entry.files:
        if listed.path == file:
            return locate(entry, listed)
    raise ValueError(f"source {key!r} lists no file {file!r}; it lists {', '.join(f.path for f in entry.files) or 'none'}")


def available(key: str) -> bool:
    """Whether every file of a source is at hand, in the cache or the mirror, and right."""
    return state(key)["available"]


def state(key: str) -> dict[str, Any]:
    """Whether a source is at hand, why not if not, and a hash of what it holds, for the build's records.

    Returns
    -------
    dict with ``available`` (bool), ``note`` (Markdown: what is missing and how to get it) and ``hash``.
    """
    entry = source(key)
    contents = hashlib.sha256(" ".join(file.sha256 for file in entry.files).encode()).hexdigest()
    problems = missing(entry)
    note = f"`{key}` ({entry.purpose}) {'is not all here' if entry.files else 'is not here'}. {entry.how} " \
           f"Licence: {entry.licence} Cite: {entry.citation}"
    return {"available": bool(entry.files) and not problems, "note": note if problems or not entry.files else "",
            "hash": contents}


def status() -> pd.DataFrame:
    """One row per source: whether it is at hand, its size, its terms and how to get it."""
    import pandas as pd  # here, so that a build that only asks what is at hand does not wait for it

    rows = []
    for entry in catalogue().values():
        problems = missing(entry)
        found = len(entry.files) - len(problems)
        what = "by hand" if not entry.files else "available" if not problems else f"{found} of {len(entry.files)} files"
        rows.append({"source": entry.key, "state": what, "open": entry.open, "small": entry.small,
                     "megabytes": round(entry.bytes / 1e6, 1), "purpose": entry.purpose, "licence": entry.licence,
                     "problem": problems[0] if problems and "damaged" in problems[0] else "", "how": entry.how})
    return pd.DataFrame(rows).set_index("source")


def cached(entry: Source, file: File) -> Path:
    """Where a download of the file is kept."""
    return paths.cache() / "sources" / entry.key / file.path


def missing(entry: Source) -> list[str]:
    """One message per file that is not at hand."""
    problems = []
    for file in entry.files:
        try:
            locate(entry, file)
        except SourceUnavailable as problem:
            problems.append(str(problem))
    return problems


def locate(entry: Source, file: File) -> Path:
    """The first right copy: cache, then mirror."""
    mirror = paths.mirror()
    places = [cached(entry, file), *([mirror / entry.mirror / file.path] if mirror and entry.mirror else [])]
    damaged = [problem for place in places if place.is_file() and (problem := damage(place, file))]
    for place in places:
        if place.is_file() and not damage(place, file):
            return place
    what = "; ".join(damaged) or f"{file.path} of source {entry.key!r} is not on this machine"
    raise SourceUnavailable(f"{what}. {entry.how}")


def damage(found: Path, file: File) -> str | None:
    """What is wrong with a copy, expected against found; None if nothing. Read before any parser sees it."""
    content = found.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if digest == file.sha256:
        return None
    start = content[:256].lstrip().lower()
    if start.startswith(b"version https://git-lfs"):
        what = "a Git LFS pointer, not the file it points to"
    elif start.startswith((b"<!doctype html", b"<html")):
        what = "a web page (an error message?), not the file"
    else:
        what = "cut short" if len(content) < file.bytes else "not the file that was checked"
    return (f"{found} is damaged: it is {what}; expected {file.bytes:,} bytes with sha256 {file.sha256[:12]}…, "
            f"found {len(content):,} bytes with sha256 {digest[:12]}…")
