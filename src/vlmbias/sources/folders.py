"""Data that a reader supplies as a folder: whether it can be used, and what tells one state of it from another.

Comes in: the key of such a source, and its folder or the usual place. Goes out: a `Report`, a fingerprint of
names and sizes. May not: read a picture's content beyond what listing the set takes, or change a file.
"""

import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path

from vlmbias.reader_folders import Report, files, find, listed

PLACES = {"causalface": "causalface", "fairface": "fairface", "utkface": "UTKFace",
          "causalface-cosines": "results/clip_vit_b_32"}
SETS = ("causalface_age", "causalface_lighting", "causalface_pose", "causalface_smiling", "fairface", "utkface")
TABLES = {kind: [f"{kind}_cossim_{words}_t2.csv" for words in ("scm", "abc", "control")] for kind in SETS}
"""The released cosine tables: per set one each with the words of the two models, and with the control words."""


def check(key: str, root: str | Path | None = None) -> Report:
    """What a folder holds of a source, against what the paper used; nothing is usable where it counts 0.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such folder, or it cannot be listed; if nobody supplies this source as a folder.
    """
    if key not in PLACES:
        raise ValueError(f"{key!r} is no folder of faces or cosines; there are {', '.join(PLACES)}")
    if key != "causalface-cosines":
        return import_module(f"vlmbias.stimuli.{key}").read(root)[1]
    folder = find(key, PLACES[key], root)
    wanted, there = {name for names in TABLES.values() for name in names}, files(folder)
    return Report(key, folder, len(wanted & there), listed(missing_tables=wanted - there))


def state(key: str) -> tuple[Report | str, str]:
    """The report on a source in its usual place, or why there is none, and a fingerprint of the names and sizes."""
    try:
        root = find(key, PLACES[key], None)
        sizes = sorted(f"{file} {(root / file).stat().st_size}" for file in files(root))
        digest = hashlib.sha256("\n".join(sizes).encode()).hexdigest()
        return _checked(key, root, digest), digest
    except (OSError, ValueError) as problem:
        return str(problem), ""


@cache
def _checked(key: str, root: Path, digest: str) -> Report:
    return check(key, root)
