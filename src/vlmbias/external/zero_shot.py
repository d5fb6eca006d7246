"""Zero-shot results that others published: of open_clip's models, and of the models of the
scaling-laws study.

Comes in: the facts `open_clip_zero_shot`, which ship, and the source `scaling-laws`, which does
not. Goes out: one row per trained model, what it was trained on and one column per task. May not:
average over tasks that are missing, or count weights that stand twice as two models.
"""

import re
from io import BytesIO

import pandas as pd

from vlmbias import sources
from vlmbias.external import facts
from vlmbias.external.study_table import architecture_family, dataset_family
from vlmbias.whole_files import read_regular

ALIKE = {
    "Caltech-101": "vtab/caltech101",
    "CIFAR-10": "vtab/cifar10",
    "CIFAR-100": "vtab/cifar100",
    "CLEVR Counts": "vtab/clevr_count_all",
    "CLEVR Distance": "vtab/clevr_closest_object_distance",
    "Describable Textures": "vtab/dtd",
    "EuroSAT": "vtab/eurosat",
    "KITTI Vehicle Distance": "vtab/kitti_closest_vehicle_distance",
    "Oxford-IIIT Pet": "vtab/pets",
    "Oxford Flowers-102": "vtab/flowers",
    "PatchCamelyon": "vtab/pcam",
    "RESISC45": "vtab/resisc45",
    "SUN397": "sun397",
    "SVHN": "vtab/svhn",
    "ImageNet 1k": "imagenet1k",
    "ImageNet v2": "imagenetv2",
    "ImageNet Sketch": "imagenet_sketch",
    "ImageNet-A": "imagenet-a",
    "ImageNet-R": "imagenet-r",
    "ObjectNet": "objectnet",
    "Pascal VOC 2007": "voc2007",
    "Stanford Cars": "cars",
    "FGVC Aircraft": "fgvc_aircraft",
    "MNIST": "mnist",
    "STL-10": "stl10",
    "GTSRB": "gtsrb",
    "Country211": "country211",
    "Rendered SST2": "renderedsst2",
}
"""The tasks of VTAB+ that both tables have: open_clip's name → the scaling-laws study's."""
_AVERAGES = ("vtab", "vtab+", "imagenet_robustness")
_REPEATS = (
    "RN50",
    "RN101",
    "ViT-B-32",
)  # their "-quickgelu" entries of these data sets are the same training
_REPEATED = ("openai", "yfcc15m", "cc12m", "laion400m_e32")
_POOLS = {"s": "commonpool_s", "m": "commonpool_m", "l": "commonpool_l"}


def open_clip() -> pd.DataFrame:
    """Zero-shot results of open_clip's models, as its documentation lists them; they ship.

    Left out are checkpoints one epoch before the last (`_e31`) and entries that differ from another
    in the activation alone, as in Ghate et al.'s code.

    Returns
    -------
    model, architecture_name, tag, parameters (millions), dataset_name (as Ghate et al. call it; of
    a filtered small pool the pool), architecture, dataset (families), performance (mean of the 28
    tasks of `ALIKE`), then a column per task.
    """
    return trainings(facts.table("open_clip_zero_shot"))


def trainings(table: pd.DataFrame) -> pd.DataFrame:
    """One row per training, as `open_clip`, of a table with architecture, tag, parameters and the
    tasks of `ALIKE`."""
    name, tag = table["architecture"], table["tag"]
    plain = name.str.removesuffix("-quickgelu")
    twice = name.ne(plain) & plain.isin(_REPEATS) & tag.isin(_REPEATED)
    kept = table[~(twice | tag.str.endswith("_e31"))].reset_index(drop=True)
    names = [data_of(*one) for one in zip(kept["tag"], kept["architecture"], strict=True)]
    return pd.DataFrame(
        {
            "model": kept["architecture"] + "/" + kept["tag"],
            "architecture_name": kept["architecture"],
            "tag": kept["tag"],
            "parameters": kept["parameters"].astype(float),
            "dataset_name": names,
            "architecture": kept["architecture"].map(architecture_family),
            "dataset": [dataset_family(name) for name in names],
            "performance": kept[list(ALIKE)].mean(axis=1),
            **{task: kept[task] for task in ALIKE},
        }
    )


def data_of(tag: str, architecture: str) -> str:
    """The data set behind a tag of open_clip, by the names of Ghate et al.; the tag itself where
    none is known.

    >>> data_of("commonpool_m_clip_s128m_b4k", "ViT-B-32")
    'commonpool_m'
    """
    if architecture.startswith("nllb"):
        return "webli" if architecture.endswith("siglip") else "openai_wit"
    if "i18n" in architecture:
        return "webli_multilingual"
    if pool := re.match(r"commonpool_(s|m|l)_", tag):
        return _POOLS[pool[1]]
    if pool := re.match(r"commonpool_xl_(clip|laion)?", tag):
        return f"commonpool_xl_{pool[1]}_filtered" if pool[1] else "commonpool_xl"
    if scale := re.match(
        r"datacomp_(s|m|l)_", tag
    ):  # "datacomp_s34b…" is the large one, trained longer
        return f"datacomp_{scale[1]}"
    rules = {
        r"datacomp": "datacomp1b",
        r"openai": "openai_wit",
        r"(frozen_)?laion5b": "laion5b",
        r"mscoco_finetuned_laion2b": "mscoco_finetuned_laion2b",
    }
    if found := next((name for start, name in rules.items() if re.match(start, tag)), None):
        return found
    named = re.match(
        r"laion_aesthetic|laion\d+[bm]|metaclip_\w+|dfn\d+b|merged2b|webli|yfcc15m|cc12m", tag
    )
    return named[0] if named else tag


def scaling_laws() -> pd.DataFrame:
    """Zero-shot results of the 29 models of Cherti et al.: three to five sizes on three subsets of
    LAION.

    Returns
    -------
    model, architecture_name, parameters (millions), dataset_size (millions of pairs), samples
    (millions seen), published (their own VTAB+), then a column per task with its accuracy.

    Raises
    ------
    SourceUnavailable, ValueError
        Where a file is not at hand, or has no such table.
    """
    columns = ["name", "arch", "samples_seen", "upstream_dataset", "downstream_dataset", "acc1"]
    rows = _table("scaling-laws", "zeroshot_results.csv", columns)
    sizes = _table("scaling-laws", "arch_info.csv", ["model", "mparams"]).set_index("model")[
        "mparams"
    ]
    rows = rows[rows["name"] != "openai"]
    if rows.duplicated(["name", "downstream_dataset"]).any():
        raise ValueError("zeroshot_results.csv: a model has a task twice")
    wide = rows.pivot(index="name", columns="downstream_dataset", values="acc1").dropna(
        axis=1, how="all"
    )
    about = rows.drop_duplicates("name").set_index("name").loc[wide.index]
    units = {"M": 1, "B": 1000}
    pairs = about["upstream_dataset"].str.extract(r"LAION-(?P<n>\d+)(?P<unit>[MB])")
    table = pd.DataFrame(
        {
            "architecture_name": about["arch"],
            "parameters": about["arch"].map(sizes),
            "dataset_size": pairs["n"].astype(float) * pairs["unit"].map(units),
            "samples": about["samples_seen"] / 1e6,
            "published": wide["vtab+"],
        }
    )
    return (
        table.join(wide.drop(columns=list(_AVERAGES), errors="ignore"))
        .rename_axis("model")
        .reset_index()
    )


def scaling_runs() -> pd.DataFrame:
    """The training runs that Cherti et al. list, each once: architecture, data ("laion400m"),
    samples ("13B").

    Raises
    ------
    SourceUnavailable, ValueError
        Where the file is not at hand, or has no such table.
    """
    runs = _table(
        "scaling-laws", "trained_models_info.csv", ["arch", "data", "samples_seen_pretty"]
    )
    data = "laion" + runs["data"].str.lower()
    table = pd.DataFrame(
        {"architecture": runs["arch"], "data": data, "samples": runs["samples_seen_pretty"]}
    )
    return table.drop_duplicates(ignore_index=True)


def _table(key: str, file: str, columns: list[str]) -> pd.DataFrame:
    table = pd.read_csv(BytesIO(read_regular(sources.path(key, file))))
    if missing := [name for name in columns if name not in table]:
        raise ValueError(
            f"{file} of {key!r} has no column {missing[0]!r}; it has"
            f" {', '.join(map(str, table))[:200]}"
        )
    return table
