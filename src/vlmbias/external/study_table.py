"""The table of effect sizes that Ghate et al. released, 131 models by 26 tests, as a study table:
with their new attributes, or with those of SEAT and iEAT. No row is dropped, averaged or filled
in."""

from pathlib import Path

import numpy as np
import pandas as pd

from vlmbias import checked, sources

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
_NUMBERS = {
    "nt": (2, 1_000_000),
    "naa": (2, 1_000_000),
    "effect_size": (-2, 2),
    "pvalue": (0, 1),
    "params": (1e5, 1e13),
    "pretraining_dataset_size": (1e3, 1e13),
    "log_params": (-1_000, 1_000),
    "log_dataset_size": (-1_000, 1_000),
    "vtab+": (0, 1),
}
"""The columns of numbers, and within what they lie."""
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
    for start, family in {"coca": "CoCa", "EVA": "EVA", "nllb": "NLLB-CLIP"}.items():
        if name.startswith(start):
            return f"{family} Models"
    if "roberta" in name:
        return "Hybrid Models with Text Encoders"
    if "convnext" in name:
        return "ConvNeXt Models"
    if name.startswith("RN"):
        return "ResNet Models"
    if any(part in name for part in ("SO400M", "SigLIP", "plus")):
        return "Specialized ViT Models"
    return "ViT Models" if name.startswith("ViT") else "Other Models"


def dataset_family(name: str, architecture: str = "", *, rules: str = "released") -> str:
    """The family of a pretraining data set, such as "commonpool_xl_clip_filtered": a keyword, or
    the name itself where none fits.

    Parameters
    ----------
    name : the data set, as in the column `pretraining_dataset`.
    architecture : the model's architecture; only "described" asks for it.
    rules : "released", the authors' code: the first of their keywords that the name contains, so
        that `commonpool_xl_laion_filtered` is LAION, and NLLB-CLIP models count as trained on the
        data of the model that they start from. "described", their text: a filtered CommonPool is a
        CommonPool (A.1.5), and nine models were trained on OpenAI's data (A.1.1), so that the data
        of NLLB-CLIP models, which the text does not name, are "not stated".
    """
    if rules not in ("released", "described"):
        raise ValueError(f"rules must be one of released, described, got {rules!r}")
    if rules == "described" and architecture.startswith("nllb"):
        return "not stated"
    found = [keyword for keyword in KEYWORDS if keyword in name]
    if rules == "described":  # what it is made of, before what filtered it
        found.sort(key=lambda keyword: not name.startswith(keyword))
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
        For a column, model or test that is missing; a row that stands twice; a value that does not
        read or cannot be; a model whose rows disagree about it.
    OSError
        If there is no such file.
    """
    called = repr(str(path))
    text = checked.read(path, [*_TEXT, *_NUMBERS], called=called)
    numbers = {
        name: checked.numbers(
            text[name],
            called,
            *bounds,
            whole=name in ("nt", "naa"),
            missing=checked.BLANK if name == "vtab+" else (),
        )
        for name, bounds in _NUMBERS.items()
    }
    category = checked.known(text["Image Test"], called, CATEGORIES)
    order = checked.known(text["order"], called, ORDERS)
    listed = checked.known(text["text_file"].str.lower(), called, TEXT_FILES)
    for log, of in (("log_params", "params"), ("log_dataset_size", "pretraining_dataset_size")):
        near = (numbers[log] - np.log(numbers[of])).abs() < 1e-6
        checked.hold(near, text[log], called, f"the logarithm of {of}")
    checked.hold(
        category == listed.str[0], text["text_file"], called, "a file of the same Image Test"
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
            "n_x": numbers["nt"],
            "n_y": numbers["nt"],
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
    _whole(table, models, called)
    attributes = numbers["naa"][order.isin(["all-text", "image-target"])].eq(_SENTENCES)
    if attributes.any() and not attributes.all():
        raise ValueError(
            f"{called} mixes the attributes of NRC-VAD with others: {(~attributes).sum():,}"
            f" rows have another number of sentences than {_SENTENCES}"
        )
    mark = f"{SIMULATED}/" if table["model"].str.startswith(SIMULATED).any() else ""
    table["stimuli"] = mark + ("nrc-oasis" if attributes.all() else "seat-ieat")
    return table.assign(p_value=numbers["pvalue"]).reset_index(drop=True)


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


def _whole(table: pd.DataFrame, models: int | None, called: str) -> None:
    """Raise unless every model has each test once, says the same of itself in every row, and there
    are `models`."""
    checked.once(table, ["model", "test"], called)
    tests = table.groupby("model", sort=False)["test"].nunique()
    if table["test"].nunique() != TESTS or (tests < TESTS).any():
        raise ValueError(
            f"{called} must have {TESTS} tests of every model; it has {table['test'].nunique()},"
            f" and {tests.min()} of {tests.idxmin()}"
        )
    if models is not None and len(tests) != models:
        raise ValueError(
            f"{called} must have {models} models, {models * TESTS:,} rows; it has {len(tests)}"
            f" models, {len(table):,} rows"
        )
    for name in _OF_A_MODEL:
        several = table.groupby("model", sort=False)[name].nunique(dropna=False) > 1
        if several.any():
            raise ValueError(f"{called}: rows of {several.idxmax()} disagree about its {name}")
