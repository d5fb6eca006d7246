"""Pictures of the image association tests on disk (Steed and Caliskan 2021), a folder per test and
category.

Comes in: their repository, its `data/experiments`, or the copies that Ghate et al. (2025) work with
(`experiments_old`, `experiments_oasis`). Goes out: one row per picture, and a `Report`. May not:
decode a picture."""

from pathlib import Path

import pandas as pd

from vlmbias.stimuli.imageset import SUFFIXES
from vlmbias.stimuli.reader_folders import Report, files, find, listed, marked

# what Ghate et al. use, with the attributes of the earlier study; instruments and weapons were not
# released
SIZES = {
    ("valence", "pleasant"): 55,
    ("valence", "unpleasant"): 55,
    ("insect-flower", "flower"): 35,
    ("insect-flower", "insect"): 35,
    ("race", "european-american"): 6,
    ("race", "african-american"): 6,
    ("gender", "male"): 40,
    ("gender", "female"): 40,
    ("age", "young"): 6,
    ("age", "old"): 6,
}


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every picture of a folder, and which of those that Ghate et al. use are missing.

    Returns
    -------
    table : DataFrame
        variant ("experiments", "experiments_old", "experiments_oasis"; empty where no folder says
        so), test, category, name (of the file, without its ending) and file.
    report : Report

    Raises
    ------
    FileNotFoundError
        If there is no such folder.
    """
    root = find("ieat", root)
    names = sorted(name for name in files(root) if Path(name).suffix.lower() in SUFFIXES)
    above = [root.resolve().joinpath(name).parts for name in names]
    parts = pd.DataFrame(
        [own[-4:-1] for own in above], columns=["variant", "test", "category"], dtype=str
    )
    parts["variant"] = parts["variant"].where(
        parts["variant"].str.fullmatch("experiments(_oasis|_old)?"), ""
    )
    table = parts.assign(name=[Path(name).stem for name in names], file=names)
    asked = pd.MultiIndex.from_frame(table[["test", "category"]]).isin(SIZES)
    found = (
        table[asked & table["variant"].ne("experiments_oasis")].groupby(["test", "category"]).size()
    )
    short = (
        f"{test}/{category}: {found.get((test, category), 0)} of {n}"
        for (test, category), n in SIZES.items()
        if found.get((test, category), 0) < n
    )
    return table, Report(
        "ieat",
        root,
        int(asked.sum()),
        listed(folders_that_lack_pictures=short),
        from_greenhouse=bool(marked(root, names)),
    )
