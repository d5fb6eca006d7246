"""OASIS on disk (Kurdi et al. 2017): rated pictures of scenes.

Comes in: the folder with `OASIS.csv` and `Images/<Theme>.jpg`. Goes out: one row per rated picture
that is there, and a `Report`. May not: drop a picture without a word, or decode one.
"""

from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find, listed, marked, unpacked
from vlmbias.whole_files import read_regular

RATINGS = "OASIS.csv"


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every rated picture of a folder, in the order of the table of ratings, and what is missing or
    extra.

    Returns
    -------
    table : DataFrame
        theme ("Dog 6"), kind (the table's Category), valence (mean rating, 1 to 7) and file.
    report : Report

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    ValueError
        For a table of ratings that is missing, is none, or lies in several folders.
    """
    root = unpacked(find("oasis", root), RATINGS.__eq__)
    on_disk = sorted(name for name in files(root) if Path(name).suffix.lower() in (".jpg", ".jpeg"))
    place = {Path(name).stem.casefold().strip(): name for name in reversed(on_disk)}
    rated = _ratings(root / RATINGS)
    rated["file"] = rated["theme"].str.casefold().map(place)
    there = rated["file"].notna()
    findings = listed(
        missing_pictures=rated["theme"][~there],
        pictures_without_a_rating=set(on_disk) - {*rated["file"]},
    )
    return rated[there].reset_index(drop=True), Report(
        "oasis", root, int(there.sum()), findings, from_greenhouse=bool(marked(root, on_disk))
    )


def _ratings(path: Path) -> pd.DataFrame:
    """The ratings as columns theme, kind and valence."""
    try:
        table = pd.read_csv(BytesIO(read_regular(path)), dtype=str, keep_default_na=False)
        valence = pd.to_numeric(table["Valence_mean"], errors="coerce").to_numpy(float)
        kind = table.get("Category", "")
        found = pd.DataFrame(
            {"theme": table["Theme"].str.strip(), "kind": kind, "valence": valence}
        )
    except (OSError, ValueError, KeyError) as problem:
        reason = str(problem).partition("\n")[0][:200]
        raise ValueError(
            f"{str(path)!r} is no table of ratings with the columns Theme and Valence_mean"
            f" ({reason}); take {RATINGS} from osf.io/6pnd7"
        ) from None
    if found.empty or not np.all((found["valence"] >= 1) & (found["valence"] <= 7)):
        raise ValueError(f"{str(path)!r}: every Valence_mean should be a number from 1 to 7")
    if (twice := found["theme"].str.casefold().duplicated() | found["theme"].eq("")).any():
        raise ValueError(
            f"{str(path)!r}: the theme {found['theme'][twice].iloc[0]!r} is listed twice or has no"
            " name"
        )
    return found
