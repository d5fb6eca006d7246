"""UTKFace on disk: photographs whose names say age, gender and race.

Comes in: the folder with `age_gender_race_date.jpg`. Goes out: one row per name that parses, and a
`Report`.
May not: drop a file without a word, or decode a picture.
"""

import re
from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias.stimuli.reader_folders import Report, adults, files, find, listed, marked, unpacked

RACES = dict(zip("01234", ("white", "black", "asian", "indian", "others"), strict=True))
GENDERS = {"0": "male", "1": "female"}
NAME = r"(?P<age>\d{1,3})_(?P<gender>[01])_(?P<race>[0-4])_(?P<date>[^_/]+)\.jpg"


def described(names: Any, ours: dict[str, str]) -> Any:
    """From file names to columns; all are missing where a name does not parse.

    Parameters
    ----------
    names : file names without folder: ``26_1_2_20170116184024662.jpg.chip.jpg``.
    ours : what our values mean in the Greenhouse, where the photographs are an export; else empty.

    Returns
    -------
    DataFrame with race ("asian"), gender ("female"), age and years (a number), label_race and
    label_gender ("2", "1")."""
    parts = names.str.extract(f"^{NAME}$")
    years = parts["age"].astype(float)
    race, gender = (
        parts["race"].map(RACES).replace(ours),
        parts["gender"].map(GENDERS).replace(ours),
    )
    return pd.DataFrame(
        {
            "race": race,
            "gender": gender,
            "age": years,
            "years": years,
            "label_race": parts["race"],
            "label_gender": parts["gender"],
        }
    )


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every photograph of a folder whose name parses, and what is extra.

    Returns
    -------
    table : DataFrame
        The columns of `described`; seed (the photograph's place in the order of names), subset,
        file and used: whether the paper uses it (White, Black or Asian, 20 or older).
    report : Report

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    ValueError
        If the photographs lie in several folders, and not in the one that was looked for.
    """
    root = unpacked(find("utkface", root), re.compile(NAME).fullmatch)
    on_disk = sorted(files(root))
    marker = marked(root, on_disk)
    names = marker.get("names", {})
    table = described(pd.Series(on_disk, dtype=str), names).assign(file=on_disk)
    parsed = table["race"].notna()
    findings = listed(names_that_do_not_parse=table["file"][~parsed])
    table = table[parsed].reset_index(drop=True)
    table = table.assign(seed=table.index, subset="observational", used=adults(table, names))
    return table, Report(
        "utkface", root, int(table["used"].sum()), findings, from_greenhouse=bool(marker)
    )
