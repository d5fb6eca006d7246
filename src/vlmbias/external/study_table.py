"""The table of effect sizes that Ghate et al. released: 131 models by 26 tests, as a study table.

Comes in: `cross_modal_nrc_oasis_df_final_to_model_v1.csv` (new attributes),
`cross_modal_old_df_final_to_model_v1.csv` (those of SEAT and iEAT), or a file in the same layout.
Goes out: one row per model and test, in the columns of `COLUMNS`. May not: drop, average or fill in
a row, or take what is no such table for one.
"""

import csv
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from vlmbias import sources
from vlmbias.whole_files import read_regular

COLUMNS = (
    "model",
    "test",
    "category",
    "order",
    "targets",
    "n_x",
    "n_y",
    "effect_size",
    "gap",
    "architecture",
    "dataset",
    "parameters",
    "dataset_size",
    "performance",
)
"""A study table: one row per model and test. `test` names one of the tests, category and order
place it; targets: what the targets are; n_x, n_y: items a side; effect_size: d, positive where it
agrees with the documented direction; gap: difference of mean scores, NaN where unknown;
architecture and dataset: families; parameters: millions; dataset_size: millions of pairs;
performance: VTAB+ from 0 to 1, NaN where unknown."""
SIMULATED = "simulated"
"""What the model names of a simulated table begin with, and what it calls its stimuli."""
KEY = "clip-bias-results"
FILES = {
    "nrc-oasis": "results/data/cross_modal_nrc_oasis_df_final_to_model_v1.csv",
    "seat-ieat": "results/data/cross_modal_old_df_final_to_model_v1.csv",
}
"""The two released files, by their attributes, as records name these; below the source `KEY`."""
MODELS, TESTS = 131, 26
CATEGORIES = {
    "Insect-Flower/Valence": "flower-insect",
    "Instrument-Weapon/Valence": "instrument-weapon",
    "Race/Valence": "race",
    "Gender/Valence": "gender",
    "Age/Valence": "age",
}
ORDERS = {
    "all image": "all-image",
    "all text": "all-text",
    "image as target": "image-target",
    "text as target": "text-target",
}
TEXT_FILES = {
    "sent-weat1.jsonl": ("flower-insect", "words"),
    "sent-weat2.jsonl": ("instrument-weapon", "words"),
    "sent-weat3.jsonl": ("race", "names"),
    "sent-weat4.jsonl": ("race", "half of the names"),
    "sent-weat3b.jsonl": ("race", "terms"),
    "sent-weat11.jsonl": ("gender", "names"),
    "sent-weat11b.jsonl": ("gender", "terms"),
    "sent-weat10.jsonl": ("age", "names"),
}
"""The file of sentences → category, and what its targets are."""
PICTURES = {
    "flower-insect": "pictures",
    "instrument-weapon": "pictures",
    "race": "faces",
    "gender": "faces",
    "age": "faces",
}
_SENTENCES = 150  # on each side of the attributes made from NRC-VAD; SEAT has other numbers
_TEXT = (
    "Image Test",
    "text_file",
    "order",
    "model",
    "architecture",
    "pretraining_dataset",
    "model_source",
)
_NUMBERS = (
    "nt",
    "naa",
    "effect_size",
    "pvalue",
    "params",
    "pretraining_dataset_size",
    "log_params",
    "log_dataset_size",
    "vtab+",
)
_OF_A_MODEL = (
    "architecture_name",
    "dataset_name",
    "origin",
    "parameters",
    "dataset_size",
    "performance",
)
KEYWORDS = (
    "laion",
    "metaclip",
    "openai_wit",
    "datacomp",
    "webli",
    "commonpool",
    "dfn",
    "yfcc15m",
    "cc12m",
    "merged2b",
)
"""What the authors' code looks for in a data set's name, in its order."""


def name_of_test(category: str, order: str, targets: str) -> str:
    """The name of a test: with its targets only where a category and order has several."""
    several = category in ("race", "gender") and order in ("all-text", "text-target")
    return f"{category}/{order}/{targets}" if several else f"{category}/{order}"


def architecture_family(name: str) -> str:
    """The family of an architecture of open_clip, such as "ViT-B-32": the first rule of the
    authors' code that fits."""
    begins, rules = (
        name.startswith,
        {"coca": "CoCa Models", "EVA": "EVA Models", "nllb": "NLLB-CLIP Models"},
    )
    if family := next((family for start, family in rules.items() if begins(start)), None):
        return family
    if "roberta" in name:
        return "Hybrid Models with Text Encoders"
    if "convnext" in name:
        return "ConvNeXt Models"
    if begins("RN"):
        return "ResNet Models"
    if any(part in name for part in ("SO400M", "SigLIP", "plus")):
        return "Specialized ViT Models"
    return "ViT Models" if begins("ViT") else "Other Models"


def dataset_family(name: str, architecture: str = "", *, rules: str = "released") -> str:
    """The family of a pretraining data set, such as "commonpool_xl_clip_filtered".

    Parameters
    ----------
    name : the data set, as in the column `pretraining_dataset`.
    architecture : the model's architecture; only "described" asks for it.
    rules : "released", the authors' code: the first of their keywords that the name contains, so
        that `commonpool_xl_laion_filtered` is LAION, and NLLB-CLIP models count as trained on the
        data of the model that they start from. "described", their text: a filtered CommonPool is a
        CommonPool (A.1.5), and nine models were trained on OpenAI's data (A.1.1), so that the data
        of NLLB-CLIP models, which the text does not name, are "not stated".

    Returns
    -------
    The keyword; the name itself where none fits.

    Raises
    ------
    ValueError
        For other rules.
    """
    if rules not in ("released", "described"):
        raise ValueError(f"rules must be one of released, described, got {rules!r}")
    if rules == "described" and architecture.startswith("nllb"):
        return "not stated"
    found = [keyword for keyword in KEYWORDS if keyword in name]
    if rules == "described":
        found.sort(
            key=lambda keyword: not name.startswith(keyword)
        )  # what it is made of, before what filtered it
    return found[0] if found else name


def read(path: str | Path, *, models: int | None = MODELS, rules: str = "released") -> pd.DataFrame:
    """The released table, or another in its layout, checked and in the columns of a study table.

    Signs are those of the file: the authors turned d for gender before they saved it, and left its
    p as it was. A positive d agrees with the documented direction.

    Parameters
    ----------
    path : the file.
    models : how many models there must be; None for any number.
    rules : which rules name the data families, "released" or "described"; see `dataset_family`.

    Returns
    -------
    One row per model and test, in the file's order: `COLUMNS` (gap is NaN: it was not released),
    then architecture_name, dataset_name, text_file, origin (who released the model), stimuli
    ("nrc-oasis" or "seat-ieat", told by the number of sentences, after "simulated/" where the
    models are called so) and p_value.

    Raises
    ------
    ValueError
        For a Git LFS pointer or a web page in the table's place; for a column, model or test that
        is missing; for rows that stand twice, which are named; for a value that does not read or
        cannot be; for a model whose rows disagree about it.
    OSError
        If there is no such file.
    """
    rows = _rows(path)
    text = {
        name: pd.Series([row[place] for row in rows["rows"]])
        for name, place in rows["place"].items()
    }
    lines = pd.Series(rows["lines"])
    numbers = {
        name: _number(text[name], name, lines, path, blank=name == "vtab+") for name in _NUMBERS
    }
    category = _known(text["Image Test"], "Image Test", CATEGORIES, lines, path)
    order = _known(text["order"], "order", ORDERS, lines, path)
    listed = _known(text["text_file"].str.lower(), "text_file", TEXT_FILES, lines, path)
    for log, of in (("log_params", "params"), ("log_dataset_size", "pretraining_dataset_size")):
        _all(
            (numbers[log] - np.log(numbers[of])).abs() < 1e-6,
            f"{log} is not the logarithm of {of}",
            lines,
            path,
        )
    _all(
        category == listed.str[0], "Image Test and text_file belong to different tests", lines, path
    )
    written = order.isin(["all-text", "text-target"])
    targets = listed.str[1].where(written, category.map(PICTURES)).astype("str")
    table = pd.DataFrame(
        {
            "model": text["model"],
            "test": list(map(name_of_test, category, order, targets)),
            "category": category,
            "order": order,
            "targets": targets,
            "n_x": numbers["nt"].astype(int),
            "n_y": numbers["nt"].astype(int),
            "effect_size": numbers["effect_size"],
            "gap": np.nan,
            "architecture": text["architecture"].map(architecture_family),
            "dataset": [
                dataset_family(name, of, rules=rules)
                for name, of in zip(text["pretraining_dataset"], text["architecture"], strict=True)
            ],
            "parameters": numbers["params"] / 1e6,
            "dataset_size": numbers["pretraining_dataset_size"] / 1e6,
            "performance": numbers["vtab+"],
            "architecture_name": text["architecture"],
            "dataset_name": text["pretraining_dataset"],
            "text_file": text["text_file"].str.lower(),
            "origin": text["model_source"],
        }
    )
    _whole(table, models, path)
    attributes = numbers["naa"][order.isin(["all-text", "image-target"])].eq(_SENTENCES)
    if attributes.any() and not attributes.all():
        raise ValueError(
            f"{str(path)!r} mixes the attributes of NRC-VAD with others: {(~attributes).sum():,}"
            f" rows have another number of sentences than {_SENTENCES}"
        )
    mark = f"{SIMULATED}/" if table["model"].str.startswith(SIMULATED).any() else ""
    return table.assign(
        stimuli=mark + ("nrc-oasis" if attributes.all() else "seat-ieat"), p_value=numbers["pvalue"]
    )


def released(stimuli: str = "nrc-oasis") -> pd.DataFrame:
    """The released table with these attributes, of `FILES`; `SourceUnavailable` where it is not at
    hand."""
    return read(sources.path(KEY, FILES[stimuli]))


def behind(table: pd.DataFrame) -> dict[str, str]:
    """Which stimuli and models a table's values are of, as `vb.ledger.record` asks for them."""
    stimuli = str(table["stimuli"].iloc[0])
    return {
        "stimuli": stimuli,
        "model": SIMULATED if stimuli.startswith(SIMULATED) else f"{MODELS} CLIP models",
    }


def _rows(path: str | Path) -> dict[str, Any]:
    """The rows of the file, the line that each ends on, and the place of each column that is
    needed."""
    content = read_regular(Path(path).expanduser())
    start = content[:256].lstrip().lower()
    if start.startswith(b"version https://git-lfs"):
        raise ValueError(
            f"{str(path)!r} is a Git LFS pointer of {len(content)} bytes, not the table that it"
            f" points to; `vlmbias sources fetch {KEY}` gets the table"
        )
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise ValueError(
            f"{str(path)!r} is a web page, perhaps an error message, and not the table; "
            f"`vlmbias sources fetch {KEY}` gets the table"
        )
    reader, rows, lines = None, [], []
    try:
        reader = csv.reader(StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        header = next(reader, [])
        for row in filter(None, reader):
            rows.append(row)
            lines.append(reader.line_num)
    except (UnicodeDecodeError, csv.Error) as problem:
        at = f" (line {reader.line_num})" if reader else ""
        raise ValueError(f"{str(path)!r} cannot be read as a table{at}: {problem}") from None
    needed = [*_TEXT, *_NUMBERS]
    if wrong := [name for name in needed if header.count(name) != 1]:
        raise ValueError(
            f"{str(path)!r} must have each of its columns once; {wrong[0]!r} is there "
            f"{header.count(wrong[0])} times, among {', '.join(map(repr, header))[:200]}"
        )
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise ValueError(
                f"{str(path)!r}, line {line}: {len(row)} values under {len(header)} columns"
            )
    if not rows:
        raise ValueError(f"{str(path)!r} has a header and no rows")
    return {"rows": rows, "lines": lines, "place": {name: header.index(name) for name in needed}}


def _all(good: pd.Series, problem: str, lines: pd.Series, path: str | Path) -> None:
    """Raise at the first row that is not good."""
    if not (bad := lines[~good]).empty:
        raise ValueError(f"{str(path)!r}, line {bad.iloc[0]}: {problem} ({len(bad):,} rows)")


def _number(
    own: pd.Series, name: str, lines: pd.Series, path: str | Path, *, blank: bool
) -> pd.Series:
    """A column as numbers within the bounds of what it measures."""
    numbers = own.map(_float)
    low, high = {
        "effect_size": (-2, 2),
        "pvalue": (0, 1),
        "vtab+": (0, 1),
        "nt": (2, 1e6),
        "naa": (2, 1e6),
        "params": (1e5, 1e13),
        "pretraining_dataset_size": (1e3, 1e13),
    }.get(name, (-1e3, 1e3))
    good = numbers.between(low, high) & (numbers % 1 == 0 if name in ("nt", "naa") else True)
    wrong = ~(good | (own == "") if blank else good)
    first = own[wrong].iloc[0] if wrong.any() else ""
    whole = "a whole number" if name in ("nt", "naa") else "a number"
    _all(~wrong, f"{name} is {first!r}, not {whole} from {low:g} to {high:g}", lines, path)
    return numbers


def _float(text: str) -> float:
    try:
        return float(text) if "_" not in text else np.nan
    except ValueError:
        return np.nan


def _known(
    own: pd.Series, name: str, known: Mapping[str, Any], lines: pd.Series, path: str | Path
) -> pd.Series:
    """What each value of a column stands for."""
    good = own.isin(list(known))
    first = own[~good].iloc[0] if not good.all() else ""
    _all(good, f"{name} is {first!r}, not one of {', '.join(known)}", lines, path)
    return own.map(dict(known))


def _whole(table: pd.DataFrame, models: int | None, path: str | Path) -> None:
    """Raise unless every model has each test once, says the same of itself in every row, and there
    are `models`."""
    if (twice := table.duplicated(["model", "test"])).any():
        named = "; ".join(f"{row.model} in {row.test}" for row in table[twice].head(3).itertuples())
        raise ValueError(
            f"{str(path)!r}: {twice.sum():,} rows stand twice:"
            f" {named}{'; …' if twice.sum() > 3 else ''}"
        )
    every = pd.MultiIndex.from_product([table["model"].unique(), sorted(table["test"].unique())])
    absent = every.difference(pd.MultiIndex.from_frame(table[["model", "test"]]))
    if table["test"].nunique() != TESTS or len(absent):
        first = f"; {absent[0][0]} lacks {absent[0][1]}" if len(absent) else ""
        raise ValueError(
            f"{str(path)!r} must have {TESTS} tests of every model; it has "
            f"{table['test'].nunique()}{first}"
        )
    if models is not None and (found := table["model"].nunique()) != models:
        raise ValueError(
            f"{str(path)!r} must have {models} models, {models * TESTS:,} rows; it has {found}"
            f" models, {len(table):,} rows"
        )
    for name in _OF_A_MODEL:
        if (several := table.groupby("model", sort=False)[name].nunique(dropna=False) > 1).any():
            raise ValueError(
                f"{str(path)!r}: rows of {several.index[several][0]} disagree about its {name}"
            )
