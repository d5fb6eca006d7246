"""The cosine tables that Hausladen et al. released, on disk: three tables for each of six sets."""

from io import BytesIO
from pathlib import Path

import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find, listed, of_greenhouse
from vlmbias.whole_files import read_regular

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
"""Per set one table each with the words of the two models, and with the control words."""


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Which tables there are, with their number of rows, and which are missing or damaged; none is
    usable where one is damaged."""
    folder = find("causalface-cosines", root)
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
    findings = listed(
        missing_tables=wanted - there,
        damaged_tables=(f"{name}: {why}" for name, why in damaged.items()),
    )
    usable, ours = 0 if damaged else len(rows), of_greenhouse(folder, wanted)
    table = pd.DataFrame({"file": [*rows], "rows": [*rows.values()]})
    return table, Report("causalface-cosines", folder, usable, findings, from_greenhouse=ours)


def cosines(path: Path) -> pd.DataFrame:
    """A released table of cosines by its img_path, a row per image; what is none is a ValueError
    that names the file, and the value."""
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
