"""UTKFace on disk: photographs whose names say age, gender and race."""

import re
from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias.stimuli.reader_folders import (
    Report,
    adults,
    files,
    find,
    listed,
    of_greenhouse,
    unpacked,
)

RACES = dict(zip("01234", ("white", "black", "asian", "indian", "others"), strict=True))
GENDERS = {"0": "male", "1": "female"}
NAME = r"(?P<age>\d{1,3})_(?P<gender>[01])_(?P<race>[0-4])_(?P<date>[^_/]+)\.jpg"


def described(names: Any) -> Any:
    """From file names without folder (``26_1_2_20170116184024662.jpg.chip.jpg``) to race, gender,
    age, years, label_race and label_gender; all are missing where a name does not parse."""
    parts = names.str.extract(f"^{NAME}$")
    years = parts["age"].astype(float)
    return pd.DataFrame(
        {
            "race": parts["race"].map(RACES),
            "gender": parts["gender"].map(GENDERS),
            "age": years,
            "years": years,
            "label_race": parts["race"],
            "label_gender": parts["gender"],
        }
    )


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every photograph of a folder whose name parses, and what is extra.

    The table has the columns of `described`, seed (the place in the order of names), subset, file,
    and used: whether the paper uses it (White, Black or Asian, 20 or older). Photographs in several
    folders below the one that was looked for are a `ValueError`.
    """
    root = unpacked(find("utkface", root), re.compile(NAME).fullmatch)
    on_disk = sorted(files(root))
    table = described(pd.Series(on_disk, dtype=str)).assign(file=on_disk)
    parsed = table["race"].notna()
    findings = listed(names_that_do_not_parse=table["file"][~parsed])
    table = table[parsed].reset_index(drop=True)
    table = table.assign(seed=table.index, subset="observational", used=adults(table))
    n, ours = int(table["used"].sum()), of_greenhouse(root, table["file"])
    return table, Report("utkface", root, n, findings, from_greenhouse=ours)
