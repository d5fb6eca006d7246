"""Data that a reader supplies, as a folder or as single files: whether they are there and can be
used, told from names and sizes so that it takes seconds, and what tells one state from another."""

import hashlib
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from vlmbias import paths
from vlmbias.sources import published_weights as weights
from vlmbias.stimuli.reader_folders import Report, files, find, listed, of_greenhouse
from vlmbias.stimuli.supplied import FOLDERS, SUPPLIED, reader
from vlmbias.whole_files import read_regular

if TYPE_CHECKING:
    import pandas as pd

PLACES = {name: FOLDERS[name] for name, one in SUPPLIED.items() if one.source}
"""The usual folder of every source that a reader supplies as one."""
FILES = {
    "census": ("sc-est2019-alldata5.csv",),
    "map-iat": ("raceiatdat.csv",),
    **weights.files(),
}
"""Single files below the reader's own data, by source; whoever reads one checks what is in it."""
SETS = (
    "causalface_age",
    "causalface_lighting",
    "causalface_pose",
    "causalface_smiling",
    "fairface",
    "utkface",
)
TABLES = {
    kind: [f"{kind}_cossim_{words}_t2.csv" for words in ("scm", "abc", "control")] for kind in SETS
}
"""The released cosine tables: per set one each with the words of the two models, and with the
control words."""


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
    counts 0.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such folder, or it cannot be listed; if nobody supplies this source as a
        folder.
    """
    if key not in PLACES:
        raise ValueError(f"{key!r} is not supplied as a folder; there are {', '.join(PLACES)}")
    if key != "causalface-cosines":
        return reader(key).read(root)[1]
    folder = find(key, root)
    wanted, there = {name for names in TABLES.values() for name in names}, files(folder)
    rows, damaged = {}, {}
    for name in sorted(wanted & there):
        try:
            rows[name] = len(cosines(folder / name))
        except ValueError as problem:
            damaged[name] = str(problem).splitlines()[0].removeprefix(f"{folder / name}: ")[:90]
    for kind, names in TABLES.items():
        if len(found := {rows[name] for name in names if name in rows}) > 1:
            damaged[f"{kind}_*"] = f"its tables have {' and '.join(map(str, sorted(found)))} rows"
    return Report(
        key,
        folder,
        0 if damaged else len(rows),
        listed(
            missing_tables=wanted - there,
            damaged_tables=(f"{name}: {why}" for name, why in damaged.items()),
        ),
        from_greenhouse=of_greenhouse(folder, wanted),
    )


def cosines(path: Path) -> "pd.DataFrame":
    """A released table of cosines by its img_path, a row per image; what is none is a ValueError
    that names the file, and the value."""
    import pandas as pd  # here, because every build imports this module and only this reads a table

    text = dict.fromkeys(("img_path", "race", "gender", "age"), str)
    try:
        table = pd.read_csv(
            BytesIO(read_regular(path)), dtype=text, keep_default_na=False, low_memory=False
        )
    except (OSError, ValueError) as problem:
        raise ValueError(f"{path}: no table of cosines: {problem}") from None
    words = [name for name in table if name.startswith("cossim_")]
    if not words or "img_path" not in table:
        raise ValueError(
            f"{path}: no header with img_path and cossim_…, but {','.join(table)[:40]!r}"
        )
    table = table.set_index("img_path")
    if table.empty or table.index.has_duplicates:
        raise ValueError(f"{path}: {'no rows' if table.empty else 'an image is listed twice'}")
    table[words] = table[words].apply(pd.to_numeric, errors="coerce")
    wrong = (~(table[words].abs() <= 1.001)).stack()
    if wrong.any():
        image, word = wrong.idxmax()
        raise ValueError(f"{path}: {word} of {image} is no cosine")
    return table


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
