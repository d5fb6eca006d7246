"""What retrained models answer and describe, read without torch: their answers, captions and naming
(`vlmbias campaign speakers` writes the tables)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from greenhouse.world.bias import DATA

SPEAKING = DATA / "speaking"
TABLES = {"answers": "answers.csv.gz", "captions": "captions.csv.gz", "naming": "naming.csv"}


def read(which: str, folder: Path = SPEAKING) -> pd.DataFrame:
    """What accepted networks answered or described: b, seed, and the columns of `answers_of`,
    `captions_of` or `naming_of` in `greenhouse.speaking`.

    Parameters
    ----------
    which : of `TABLES`.
    """
    listed = networks(folder)
    good = listed.loc[
        listed["kind"].eq("answers" if which == "answers" else "captions"), ["b", "seed"]
    ]
    table = pd.read_csv(folder / TABLES[which], keep_default_na=False, na_values={"odds": [""]})
    return table.merge(good, on=["b", "seed"])


def networks(folder: Path = SPEAKING, *, rejected: bool = False) -> pd.DataFrame:
    """The accepted networks, one row each: kind, b, seed, warm_start, accepted, paint_of_* (of each
    name), and gates.

    With `rejected`, also those that failed a gate.
    """
    table = pd.read_csv(folder / "networks.csv")
    return table if rejected else table[table["accepted"]].reset_index(drop=True)
