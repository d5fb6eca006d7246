"""OASIS on disk (Kurdi et al. 2017): rated pictures of scenes, `OASIS.csv` and `Images/`."""

from pathlib import Path

import pandas as pd

from vlmbias.stimuli.reader_folders import Report, files, find, listed, table_of, unpacked

RATINGS = "OASIS.csv"


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every rated picture of a folder, in the order of the table of ratings, and what is missing or
    extra.

    The table has theme ("Dog 6"), kind (its Category), valence (mean rating, 1 to 7) and file. A
    table of ratings that is missing, is none, or lies in several folders is a `ValueError`.
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
    found = rated[there].reset_index(drop=True)
    return found, Report("oasis", root, len(found), findings)


def _ratings(path: Path) -> pd.DataFrame:
    """The ratings as columns theme, kind and valence."""
    table = table_of(
        path,
        ["Theme", "Valence_mean"],
        is_no="table of ratings with the columns Theme and Valence_mean",
        how=f"; take {RATINGS} from osf.io/6pnd7",
    )
    theme, valence = table["Theme"].str.strip(), pd.to_numeric(table["Valence_mean"], "coerce")
    if table.empty or not valence.between(1, 7).all():
        raise ValueError(f"{str(path)!r}: every Valence_mean should be a number from 1 to 7")
    if (twice := theme.str.casefold().duplicated() | theme.eq("")).any():
        raise ValueError(
            f"{str(path)!r}: the theme {theme[twice].iloc[0]!r} is listed twice or has no name"
        )
    kind = table.get("Category", "")
    return pd.DataFrame({"theme": theme, "kind": kind, "valence": valence.astype(float)})
