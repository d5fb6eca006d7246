"""The Chicago Face Database on disk: portraits whose names say race, gender, person, photograph and
expression."""

from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find, listed, of_greenhouse

RACES = {"A": "asian", "B": "black", "L": "latino", "W": "white"}
GENDERS = {"F": "female", "M": "male"}
# how many neutral portraits of each group CFD 3.0 holds, as Wolfe & Caliskan (2022) count them
SIZES = {"asian": 109, "black": 197, "latino": 108, "white": 183}
NAME = (
    r"(?:.*/)?CFD-(?P<race>[A-Z])(?P<gender>[FM])-(?P<person>\d{3})-(?P<photo>\d{3})-"
    r"(?P<expression>N|A|F|HC|HO)\.jpe?g"
)


def described(names: Any) -> Any:
    """From file names, with or without folders (``AF-200/CFD-AF-200-228-N.jpg``), to race (missing
    for a group of a later extension), gender, label_race ("A"), person ("AF-200"), photo ("228")
    and expression ("N"); all are missing where a name does not parse."""
    parts = names.str.extract(f"^{NAME}$")
    return pd.DataFrame(
        {
            "race": parts["race"].map(RACES),
            "gender": parts["gender"].map(GENDERS),
            "label_race": parts["race"],
            "person": parts["race"] + parts["gender"] + "-" + parts["person"],
            "photo": parts["photo"],
            "expression": parts["expression"],
        }
    )


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every neutral portrait of the four groups, and what is missing, extra or left out.

    Portraits lie flat or as distributed, in a folder per person. The table has the columns of
    `described`, seed (the place in the order of names), subset and file. Tables beside the
    portraits, such as the database's ratings, are not read.
    """
    root = find("cfd", root)
    pictures = sorted(
        name for name in files(root) if Path(name).suffix.lower() in (".jpg", ".jpeg", ".png")
    )
    table = described(pd.Series(pictures, dtype=str)).assign(file=pictures)
    strange, neutral = table["person"].isna(), table["expression"].eq("N")
    known = table["race"].notna()
    kept = table[neutral & known]
    twice = kept.duplicated(["person", "photo"])
    found = kept[~twice].sort_values("file", key=lambda own: own.map(lambda name: Path(name).name))
    sizes, ours = found["race"].value_counts(), of_greenhouse(root, found["file"])
    findings = listed(
        names_that_do_not_parse=table["file"][strange],
        portraits_found_twice=kept["file"][twice],
        groups_of_another_size=(
            f"{race}: {sizes.get(race, 0)}, the paper has {wanted}"
            for race, wanted in SIZES.items()
            if sizes.get(race, 0) != wanted and not ours
        ),
    )
    notes = {
        "portraits with another expression are left out, as in the paper": ~strange & ~neutral,
        "neutral portraits of groups that the paper does not use are left out": neutral & ~known,
    }
    found = found.reset_index(drop=True)
    found = found.assign(seed=found.index, subset="prototype")
    said = tuple(f"{own.sum():,} {what}" for what, own in notes.items() if own.any())
    return found, Report("cfd", root, len(found), findings, said, from_greenhouse=ours)
