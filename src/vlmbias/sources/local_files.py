"""From a source's key to its files on this machine, their checksum verified; never a download."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vlmbias import paths
from vlmbias.sources import folders
from vlmbias.sources.catalogue import File, Source, catalogue, source
from vlmbias.whole_files import checksum, read_regular

if TYPE_CHECKING:
    import pandas as pd


class SourceUnavailable(FileNotFoundError):
    """A file of a source is not on this machine, or is not what it should be."""


def path(key: str, file: str) -> Path:
    """The checked local copy of one file.

    Parameters
    ----------
    key : key of the source in `data/sources/index.yaml`.
    file : path of the file within the source.

    Raises
    ------
    SourceUnavailable
        Naming what is missing or damaged (expected against found), and how to get it.
    ValueError
        For a key or file that the catalogue does not list.

    Examples
    --------
    >>> vb.sources.path("ieat-photographs", "LICENSE")
    Traceback (most recent call last):
        ...
    vlmbias.sources.local_files.SourceUnavailable: LICENSE of source 'ieat-photographs' is ...
    """
    listed = {each.path: each for each in source(key).files}
    if file not in listed:
        raise ValueError(
            f"source {key!r} lists no file {file!r}; it lists {', '.join(listed) or 'none'}"
        )
    found, damaged = right_copy(source(key), listed[file])
    if found is None:
        problem = "; ".join(damaged) or f"{file} of source {key!r} is not on this machine"
        raise SourceUnavailable(f"{problem}. {source(key).how}")
    return found


def available(key: str) -> bool:
    """Whether a source is at hand: every file right, in the cache or the mirror; of a reader's
    folder, anything."""
    return state(key)["available"]


def at_hand(*keys: str) -> bool:
    """Whether all of these sources are at hand; if not, a line says what is missing and that the
    rest goes on.

    A notebook's cells that need a source begin with it, so that whoever runs them all, in Jupyter
    or by papermill, gets to the end. When the book is built, the runner has put a note in the place
    of such cells before.

    Examples
    --------
    >>> if vb.sources.at_hand("cfd"):
    ...     portraits = vb.images("cfd")
    Left out here: this cell needs cfd, not at hand; the rest goes on. cfd: Fill in the ...
    """
    missing = [key for key in keys if not available(key)]
    if missing:
        ways = " ".join(f"{key}: {source(key).how}" for key in missing)
        print(
            f"Left out here: this cell needs {', '.join(missing)}, not at hand; the rest goes on."
            f" {ways}"
        )
    return not missing


def state(key: str) -> dict[str, Any]:
    """Whether a source is at hand, for the records of a build.

    Returns
    -------
    dict with ``available`` (bool), ``note`` (Markdown: if it is not, what it is and how to get it),
    ``hash`` (of the contents it should have; of a reader's folder, of its names and sizes),
    ``whole`` (bool: at hand, and nothing missing or extra), ``lacks`` (what, in numbers) and
    ``drawn`` (bool: an export of the Greenhouse).
    """
    entry, report = source(key), None
    if key in folders.PLACES:
        report, digest = folders.state(key)
        right = bool(report and report.images)
    elif key in folders.FILES:
        there = folders.supplied(key)
        right, digest = bool(there), folders.fingerprint({place.name: place for place in there})
    else:
        right = bool(entry.files) and all(right_copy(entry, file)[0] for file in entry.files)
        digest = hashlib.sha256(" ".join(file.sha256 for file in entry.files).encode()).hexdigest()
    wanted = entry.purpose.rpartition(": ")[2].rstrip(".")
    note = (
        f"This part needs data that were not at hand: {wanted}.\n\n**How to get them.** {entry.how}"
        f"\n\n**Licence and source** of `{key}`. {entry.licence} {entry.citation}"
    )
    lacks = report.lacks if report else ""
    return {
        "available": right,
        "note": "" if right else note,
        "hash": digest,
        "whole": right and not lacks,
        "lacks": lacks,
        "drawn": bool(report and report.from_greenhouse),
    }


def supplied(key: str) -> Path:
    """The first of the files that a reader supplies for a source, such as ``"census"``.

    Raises
    ------
    SourceUnavailable
        If none is there, with the places looked at and how to get it.
    ValueError
        If readers do not supply this source as files; those that they do are listed.

    Examples
    --------
    >>> vb.sources.supplied("census")
    Traceback (most recent call last):
        ...
    vlmbias.sources.local_files.SourceUnavailable: census is not at hand: looked for ...
    """
    if key not in folders.FILES:
        raise ValueError(f"{key!r} is not supplied as a file; there are {', '.join(folders.FILES)}")
    if there := folders.supplied(key):
        return there[0]
    places = " or ".join(str(paths.reader_data() / name) for name in folders.FILES[key])
    raise SourceUnavailable(f"{key} is not at hand: looked for {places}. {source(key).how}")


def status() -> "pd.DataFrame":
    """One row per source: what is at hand, what is damaged, its size, purpose, terms and how to get
    it."""
    import pandas as pd  # here, because every build imports this module and only a reader asks this

    rows = {}
    for key, entry in catalogue().items():
        looked = [right_copy(entry, file) for file in entry.files]
        found = f"{sum(at is not None for at, _ in looked)} of {len(looked)} files"
        if key in folders.FILES:
            found = f"{len(folders.supplied(key))} of {len(folders.FILES[key])} files"
        elif key in folders.PLACES and (report := folders.state(key)[0]):
            found = f"{report.images:,} of {report.expected:,}"
        elif not looked:
            found = "by hand"
        damaged = [problem for at, problems in looked if at is None for problem in problems]
        rows[key] = {
            "at hand": found,
            "open": entry.open,
            "small": entry.small,
            "megabytes": sum(file.bytes for file in entry.files) / 1e6,
            "licence": entry.licence,
            "purpose": entry.purpose,
            "how": entry.how,
            "damaged": "; ".join(damaged),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def cached(entry: Source, file: File) -> Path:
    """Where a download of the file is kept."""
    return paths.cache() / "sources" / entry.key / file.path


def right_copy(entry: Source, file: File) -> tuple[Path | None, list[str]]:
    """The first right copy (cache, then mirror) or None, and what is wrong with the copies before
    it."""
    places, damaged = [cached(entry, file)], []
    if (mirror := paths.mirror()) and entry.mirror:
        places.append(mirror / entry.mirror / file.path)
    for place in filter(Path.is_file, places):
        if not (problem := damage(place, file)):
            return place, damaged
        damaged.append(f"{place} is {problem}")
    return None, damaged


def damage(place: Path, file: File) -> str:
    """What is wrong with a copy, expected against found; empty if nothing. Asked before any parser
    sees it."""
    if (digest := checksum(place)) == file.sha256:
        return ""
    size, start = place.stat().st_size, read_regular(place, 256).lstrip().lower()
    if start.startswith(b"version https://git-lfs"):
        what = "a Git LFS pointer, not the file it points to"
    elif start.startswith((b"<!doctype html", b"<html")):
        what = "a web page (an error message?), not the file"
    else:
        what = "cut short" if size < file.bytes else "not the file that was checked"
    return (
        f"{what}: expected {file.bytes:,} bytes with sha256 {file.sha256[:12]}…, "
        f"found {size:,} bytes with sha256 {digest[:12]}…"
    )
