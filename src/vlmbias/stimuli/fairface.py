"""FairFace on disk: photographs, and what others saw in them."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd

from vlmbias import checked
from vlmbias.stimuli.reader_folders import (
    Report,
    adults,
    files,
    find,
    listed,
    of_greenhouse,
    unpacked,
)

LABELS, PHOTOS = "fairface_label_train.csv", "fairface-img-margin025-trainval"
RACES = {
    "White": "white",
    "Black": "black",
    "East Asian": "asian",
    "Southeast Asian": "asian",
    "Indian": "indian",
    "Middle Eastern": "middle eastern",
    "Latino_Hispanic": "latino hispanic",
}
GENDERS = {"Male": "male", "Female": "female"}
# the middle of each age bin; the open one as in the authors' code
YEARS = {
    "0-2": 1.0,
    "3-9": 6.0,
    "10-19": 14.5,
    "20-29": 24.5,
    "30-39": 34.5,
    "40-49": 44.5,
    "50-59": 54.5,
    "60-69": 64.5,
    "more than 70": 70.0,
}
# race as labelled, and the group of the Chicago Face Database that each is compared with
BESIDE_PORTRAITS = {
    "white": "white",
    "black": "black",
    "asian": "asian",
    "latino hispanic": "latino",
}


def described(labels: Any) -> Any:
    """From FairFace's labels race ("East Asian"), gender ("Female") and age ("20-29") to our
    columns: race ("asian"), gender ("female"), age and years (middle of the bin), and as labelled
    age_bin, label_race and label_gender. A label that FairFace does not have becomes missing."""
    years = labels["age"].map(YEARS)
    return labels.assign(
        race=labels["race"].map(RACES),
        gender=labels["gender"].map(GENDERS),
        age=years,
        years=years,
        age_bin=labels["age"],
        label_race=labels["race"],
        label_gender=labels["gender"],
    )


def read(root: str | Path | None = None) -> tuple[pd.DataFrame, Report]:
    """Every labelled photograph of a folder, and what is missing or extra.

    The folder holds the label file, and beside it `fairface-img-margin025-trainval/train/` or, as
    the archive unpacks, `train/`. The table has the columns of `described`; seed (the photograph's
    number), subset, file and used: whether the paper uses it (White, Black or Asian, 20 or older).
    """
    root = unpacked(find("fairface", root), LABELS.__eq__)
    table = described(_labels(root))
    places = [root / PHOTOS, root]
    photos = next((place for place in places if (place / "train").is_dir()), None)
    if photos is None:
        looked = " and ".join(repr(str(place / "train")) for place in places)
        raise FileNotFoundError(
            f"no photographs beside {str(root / LABELS)!r}: looked for {looked}; unpack "
            f"{PHOTOS}.zip there"
        )
    on_disk = {path for path in files(photos) if path.startswith(("train/", "val/"))}
    known = table[["race", "gender", "years"]].notna().all(axis=1)
    readable = known & table["file"].str.fullmatch(r"train/\d+\.jpg")
    there, repeated = table["file"].isin(on_disk), table["file"].duplicated()
    said = table["file"] + " " + table["age_bin"] + " " + table["label_race"]
    findings = listed(
        label_rows_that_do_not_read=said[~readable],
        label_rows_without_a_photo=table["file"][~there],
        second_label_rows_of_one_photo=table["file"][repeated],
        photos_without_a_label_row={path for path in on_disk if path.startswith("train/")}
        - set(table["file"]),
    )
    table = table[readable & there & ~repeated].reset_index(drop=True)
    table = table.assign(
        seed=table["file"].str.extract(r"(\d+)", expand=False).astype(int),
        subset="observational",
        file=table["file"] if photos == root else f"{PHOTOS}/" + table["file"],
        used=adults(table),
    )
    n, ours = int(table["used"].sum()), of_greenhouse(root, table["file"])
    return table, Report("fairface", root, n, findings, from_greenhouse=ours)


def _labels(root: Path) -> pd.DataFrame:
    """The label file, as text."""
    path = root / LABELS
    if not path.is_file():
        others = sorted(root.rglob("*.parquet"))[:1]
        strange = "".join(f"{one.relative_to(root)} is of another distribution; " for one in others)
        raise FileNotFoundError(
            f"no table {str(path)!r}; {strange}take {LABELS} and {PHOTOS}.zip, which"
            " github.com/joojs/fairface links"
        )
    return checked.read(path, ["file", "age", "gender", "race"])


def as_many_as(portraits: Mapping[str, int], table: pd.DataFrame) -> pd.Series:
    """Which photographs are compared with portraits: of each group as many adults as there are
    portraits, or all.

    Parameters
    ----------
    portraits : group of the portraits ("latino") -> how many there are.
    table : as from `read`.

    Returns
    -------
    `(n,)` bool. The choice is by the digest of the file's name: at random, and the same for every
    reader, wherever the archive was unpacked.
    """
    group = table["label_race"].map(RACES).map(BESIDE_PORTRAITS)
    names = f"{PHOTOS}/train/" + table["file"].map(lambda path: Path(path).name)
    turn = names.map(lambda name: sha256(name.encode()).hexdigest())[table["years"] >= 20]
    return turn.groupby(group).rank().reindex(table.index) <= group.map(portraits)
