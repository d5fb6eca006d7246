"""OASIS on disk (Kurdi et al. 2017): rated pictures of scenes, `OASIS.csv` and `Images/`."""

from pathlib import Path

import pandas as pd

from vlmbias import checked
from vlmbias.stimuli.reader_folders import Report, files, find, listed, unpacked

RATINGS = "OASIS.csv"


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every rated picture of a folder, in the order of the table of ratings, and what is missing or
    extra.

    The table has theme ("Dog 6"), kind (its Category), valence (mean rating, 1 to 7) and file. A
    table of ratings that is none, or lies in several folders, is a `ValueError`.
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
    if not path.is_file():
        raise FileNotFoundError(f"no ratings at {str(path)!r}; take {RATINGS} from osf.io/6pnd7")
    table, called = checked.read(path, ["Theme", "Category", "Valence_mean"]), repr(str(path))
    theme = table["Theme"].str.strip()
    checked.hold(theme.ne(""), table["Theme"], called, "a theme")
    checked.once(pd.DataFrame({"theme": theme.str.casefold()}), ["theme"], called)
    valence = checked.numbers(table["Valence_mean"], called, 1, 7)
    return pd.DataFrame({"theme": theme, "kind": table["Category"], "valence": valence})
