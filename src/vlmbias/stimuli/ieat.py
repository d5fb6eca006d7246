"""Pictures of the image association tests on disk (Steed and Caliskan 2021), a folder per test and
category."""

from pathlib import Path

import pandas as pd

from vlmbias.stimuli.imageset import SUFFIXES
from vlmbias.stimuli.reader_folders import Report, files, find, listed

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
    """Every picture of a folder, and which of those that Ghate et al. (2025) use are missing.

    The folder is the authors' repository, its `data/experiments`, or one of the copies that Ghate
    et al. work with. The table has variant ("experiments", "experiments_old",
    "experiments_oasis"; empty where no folder says so), test, category, name and file.
    """
    root = find("ieat", root)
    names = sorted(name for name in files(root) if Path(name).suffix.lower() in SUFFIXES)
    table = pd.DataFrame(
        [root.resolve().joinpath(name).parts[-4:-1] for name in names],
        columns=["variant", "test", "category"],
        dtype=str,
    ).assign(name=[Path(name).stem for name in names], file=names)
    known = table["variant"].str.fullmatch("experiments(_oasis|_old)?")
    table["variant"] = table["variant"].where(known, "")
    asked = pd.MultiIndex.from_frame(table[["test", "category"]]).isin(SIZES)
    found = table[asked & table["variant"].ne("experiments_oasis")]
    sizes = found.groupby(["test", "category"]).size()
    short = (
        f"{test}/{category}: {sizes.get((test, category), 0)} of {n}"
        for (test, category), n in SIZES.items()
        if sizes.get((test, category), 0) < n
    )
    findings = listed(folders_that_lack_pictures=short)
    return table, Report("ieat", root, int(asked.sum()), findings)
