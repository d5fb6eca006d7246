"""The Chicago Face Database on disk: portraits whose names say race, gender, person, photograph and
expression.

Comes in: the folder with `CFD-WF-001-003-N.jpg` …, flat or as distributed (a folder per person).
Goes out: one row per neutral portrait of the four groups that the paper uses, and a `Report`. May
not: drop a file without a word, or decode one."""

from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find, listed, marked

RACES = {"A": "asian", "B": "black", "L": "latino", "W": "white"}
GENDERS = {"F": "female", "M": "male"}
# how many neutral portraits of each group CFD 3.0 holds, as Wolfe & Caliskan (2022) count them
SIZES = {"asian": 109, "black": 197, "latino": 108, "white": 183}
NAME = (
    r"(?:.*/)?CFD-(?P<race>[A-Z])(?P<gender>[FM])-(?P<person>\d{3})-(?P<photo>\d{3})-"
    r"(?P<expression>N|A|F|HC|HO)\.jpe?g"
)


def described(names: Any, ours: dict[str, str]) -> Any:
    """From file names to columns; all are missing where a name does not parse.

    Parameters
    ----------
    names : file names, with or without folders: ``AF-200/CFD-AF-200-228-N.jpg``.
    ours : what our values mean in the Greenhouse, where the portraits are an export; else empty.

    Returns
    -------
    DataFrame with race ("asian"; missing for a group of a later extension), gender, label_race
    ("A"), person ("AF-200"), photo ("228") and expression ("N").
    """
    parts = names.str.extract(f"^{NAME}$")
    person = parts["race"] + parts["gender"] + "-" + parts["person"]
    race, gender = (
        parts["race"].map(RACES).replace(ours),
        parts["gender"].map(GENDERS).replace(ours),
    )
    return pd.DataFrame(
        {
            "race": race,
            "gender": gender,
            "label_race": parts["race"],
            "person": person,
            "photo": parts["photo"],
            "expression": parts["expression"],
        }
    )


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every neutral portrait of the four groups, and what is missing, extra or left out.

    Returns
    -------
    table : DataFrame
        The columns of `described`; seed (the portrait's place in the order of names), subset and
        file. Tables beside the portraits, such as the database's ratings, are not read.
    report : Report

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    """
    root = find("cfd", root)
    on_disk = sorted(files(root))
    pictures = [name for name in on_disk if Path(name).suffix.lower() in (".jpg", ".jpeg", ".png")]
    marker = marked(root, pictures)
    table = described(pd.Series(pictures, dtype=str), marker.get("names", {})).assign(file=pictures)
    strange, neutral, known = (
        table["person"].isna(),
        table["expression"].eq("N"),
        table["race"].notna(),
    )
    kept = table[neutral & known].assign(
        photograph=lambda rows: rows["person"] + "-" + rows["photo"]
    )
    twice = kept["photograph"].duplicated()
    found = kept[~twice].drop(columns="photograph")
    found = found.sort_values(
        "file", key=lambda own: own.map(lambda name: Path(name).name)
    ).reset_index(drop=True)
    findings = listed(
        names_that_do_not_parse=table["file"][strange], portraits_found_twice=kept["file"][twice]
    )
    if not marker:
        sizes = found["race"].value_counts().reindex(SIZES, fill_value=0)
        findings |= listed(
            groups_of_another_size=(
                f"{race}: {sizes[race]}, the paper has {wanted}"
                for race, wanted in SIZES.items()
                if sizes[race] != wanted
            )
        )
    notes = []
    if others := int((~strange & ~neutral).sum()):
        notes.append(f"{others:,} portraits with another expression are left out, as in the paper")
    if later := int((neutral & ~known).sum()):
        notes.append(
            f"{later:,} neutral portraits of groups that the paper does not use are left out"
        )
    found = found.assign(seed=found.index, subset="prototype")
    return found, Report("cfd", root, len(found), findings, tuple(notes), bool(marker))
