"""The cosine tables that Hausladen et al. released: perception without a picture and without a
model.

A table has one row per file: img_path, what is known of it, and per word the cosine averaged over
the four released templates (`cossim_warm`; `cossim_<blank>` without an adjective). What a file
shows is read off its path as the loaders do; FairFace's labels stand beside it.
"""

import warnings
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from vlmbias.measures.perception import Perception, in_order
from vlmbias.stimuli import causalface, fairface, utkface
from vlmbias.stimuli.causalface_cosines import TABLES, cosines
from vlmbias.stimuli.prompts import prompts
from vlmbias.stimuli.reader_folders import (
    NAMES,
    SUPPLIED,
    adults,
    find,
    of_greenhouse,
    own_names,
)

MODEL = "ViT-B-32-quickgelu/openai"
_LABELS = ("race", "gender", "age")
_CAUSAL = (
    r"final_picked_(?P<subset>[a-z]+)[/\\]seed_(?P<seed>\d+)[/\\](?P<race>[a-z]+)_(?P<gender>male|female)"
    r"_(?:age|l|y|smiling)_(?P<value>-?\d+(?:\.\d+)?)(?:_o2\w*)?\.png$"
)


def read(folder: str | Path, stimuli: str, words: str) -> Perception:
    """What the authors' model made of every image of a set and every word of a prompt set.

    Parameters
    ----------
    folder : where the tables lie, or a folder above (`results/clip_vit_b_32`); also relative to
        ``VLMBIAS_DATA``.
    stimuli : "causalface", "fairface", "utkface"; the last two also with "/all".
    words : a prompt set whose words were released: "social_perception/released" or "labels".

    Returns
    -------
    Perception
        Its table has the columns of the image set, its logit scale is unknown. With a warning, if
        there are more or fewer images than in the paper.

    Raises
    ------
    ValueError
        For another set; for a table, column or value that is missing or does not read.
    FileNotFoundError
        If there is no such folder.
    """
    kind, _, everybody = stimuli.partition("/")
    if not (kinds := [name for name in TABLES if name.split("_")[0] == kind]) or everybody not in (
        "",
        "all",
    ):
        raise ValueError(
            f"no cosines of {stimuli!r} were released; there are causalface, fairface and utkface"
        )
    root = find("causalface-cosines", folder)
    ours = of_greenhouse(root, chain(*TABLES.values()))
    filed = {hue: theirs for theirs, hue in NAMES.items()} if ours else {}
    asked = (
        prompts(words).table[["dimension", "word", "neutral"]].drop_duplicates(ignore_index=True)
    )
    columns = ["cossim_" + (filed.get(word, word) or "<blank>") for word in asked["word"]]
    values = pd.concat([_joined(root, name, set(columns), words) for name in kinds])
    table = _described(kind, values)
    table = own_names(table) if ours else table
    kept = table["used"] if "used" in table and not everybody else np.ones(len(table), bool)
    table = table[kept].reset_index(drop=True)
    expected = SUPPLIED[kind].expected
    if not (everybody or ours) and len(table) != expected:
        warnings.warn(
            f"cosines of {len(table):,} images of {kind}; the paper used {expected:,}",
            stacklevel=2,
        )
    about = asked.assign(dimension=in_order(asked["dimension"]), word=in_order(asked["word"]))
    source = "greenhouse" if ours else kind
    return Perception(
        table,
        about,
        values.loc[table["file"], columns].to_numpy(),
        source,
        stimuli=f"greenhouse/{stimuli}" if ours else stimuli,
        model="greenhouse" if ours else MODEL,
    )


def _joined(root: Path, kind: str, columns: set[str], words: str) -> pd.DataFrame:
    """The wanted columns of a set's three tables beside each other, and its labels; one row per
    img_path."""
    parts, wanted = [], set(columns)
    for path in (root / name for name in TABLES[kind]):
        part = cosines(path)
        if parts and set(part.index) != set(parts[0].index):
            raise ValueError(
                f"{path} must list each image once, the same ones as {TABLES[kind][0]}"
            )
        labels = [] if parts else [name for name in _LABELS if name in part]
        parts.append(part[[*labels, *sorted(wanted & set(part))]])
        wanted -= set(part)
    if wanted:
        raise ValueError(
            f"the tables of {kind} in {root} have no {', '.join(sorted(wanted))}, which the prompts"
            f" {words!r} need; the released words are those of 'social_perception/released' and"
            " 'labels'"
        )
    return pd.concat(parts, axis=1)


def _described(kind: str, values: Any) -> Any:
    """What each distinct image shows, in the columns of its image set; file is its img_path."""
    paths_of = values.index.to_series().reset_index(drop=True)
    if kind == "utkface":
        table = utkface.described(paths_of.str.extract(r"([^/\\]*)$", expand=False))
        table = table.assign(file=paths_of)
        table = table.sort_values("file", ignore_index=True).assign(seed=lambda rows: rows.index)
    elif kind == "fairface":
        labels = values.reindex(columns=["race", "gender", "age"]).reset_index(drop=True)
        table = fairface.described(labels.assign(file=paths_of))
        table = table.assign(seed=pd.to_numeric(paths_of.str.extract(r"(\d+)\.jpg$", expand=False)))
    else:
        table = (
            paths_of.str.extract(_CAUSAL)
            .assign(file=paths_of)
            .astype({"seed": float, "value": float})
        )
    if len(unread := table["file"][table.isna().any(axis=1)]):
        raise ValueError(
            f"{len(unread)} rows of {kind} do not say what they show, such as {unread.iloc[0]}"
        )
    if kind == "causalface":
        look = values.select_dtypes("number").round(6)
        prototype = causalface.prototype(table, lambda path: look.loc[path].to_numpy().tobytes())
        return causalface.distinct(table, prototype).astype({"seed": int})
    return table.assign(subset="observational", used=adults(table))
