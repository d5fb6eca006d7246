"""Data that a reader supplies, as a folder or as single files: whether they are there and can be
used, and what tells one state of them from another.

Comes in: the key of such a source, and its folder or the usual place. Goes out: a `Report`, a path,
a fingerprint of names and sizes. May not: read a picture's content beyond what listing the set
takes, or change a file.
"""

import hashlib
from functools import cache
from io import BytesIO
from pathlib import Path

from vlmbias import paths
from vlmbias.sources import published_weights as weights
from vlmbias.stimuli.reader_folders import Report, files, find, listed, of_greenhouse
from vlmbias.stimuli.supplied import FOLDERS, SUPPLIED, reader
from vlmbias.whole_files import read_regular

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


def fingerprint(places: list[Path]) -> str:
    """What changes with the names and sizes of files."""
    sizes = sorted(f"{place.name} {place.stat().st_size}" for place in places)
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
            rows[name] = _rows(folder / name)
        except (OSError, ValueError) as problem:
            damaged[name] = (str(problem).splitlines() or [type(problem).__name__])[0][:90]
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


def _rows(path: Path) -> int:
    """How many images a table of cosines lists; a ValueError says why it is none."""
    import pandas as pd  # here, because every build imports this module and only this reads a table

    table = pd.read_csv(
        BytesIO(read_regular(path)),
        dtype={"img_path": str},
        keep_default_na=False,
        low_memory=False,
    )
    if (
        not (cosines := [name for name in table if name.startswith("cossim_")])
        or "img_path" not in table
    ):
        raise ValueError(f"no header with img_path and cossim_…, but {','.join(table)[:40]!r}")
    numbers = table[cosines].apply(pd.to_numeric, errors="coerce")
    if (
        table.empty
        or not (numbers.abs() <= 1.001).to_numpy().all()
        or table["img_path"].duplicated().any()
    ):
        raise ValueError(
            "no rows" if table.empty else "a value that is no cosine, or an image listed twice"
        )
    return len(table)


def state(key: str) -> tuple[Report | str, str]:
    """The report on a source in its usual place, or why there is none, and a fingerprint of the
    names and sizes."""
    try:
        root = find(key, None)
        sizes = sorted(f"{file} {(root / file).stat().st_size}" for file in files(root))
        digest = hashlib.sha256("\n".join(sizes).encode()).hexdigest()
        return _checked(key, root, digest), digest
    except (OSError, ValueError) as problem:
        return str(problem), ""


@cache
def _checked(key: str, root: Path, digest: str) -> Report:
    return check(key, root)
