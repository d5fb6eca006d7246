"""Zero-shot results that others published: of open_clip's models (they ship), and of the models of
the scaling-laws study (a source). A row per trained model, a column per task."""

import pandas as pd

from vlmbias import sources
from vlmbias.external import facts, registry
from vlmbias.external.study_table import architecture_family, dataset_family

TASKS = (
    "Caltech-101",
    "CIFAR-10",
    "CIFAR-100",
    "CLEVR Counts",
    "CLEVR Distance",
    "Describable Textures",
    "EuroSAT",
    "KITTI Vehicle Distance",
    "Oxford-IIIT Pet",
    "Oxford Flowers-102",
    "PatchCamelyon",
    "RESISC45",
    "SUN397",
    "SVHN",
    "ImageNet 1k",
    "ImageNet v2",
    "ImageNet Sketch",
    "ImageNet-A",
    "ImageNet-R",
    "ObjectNet",
    "Pascal VOC 2007",
    "Stanford Cars",
    "FGVC Aircraft",
    "MNIST",
    "STL-10",
    "GTSRB",
    "Country211",
    "Rendered SST2",
)
"""The tasks of VTAB+ that open_clip's table has. The score is accuracy, but in four of them mean
per-class recall, as DataComp's list of tasks says: Caltech-101, Oxford-IIIT Pet, Oxford Flowers-102
and FGVC Aircraft. So it is not the score that `scaling_laws` has for a task of the same name."""
_AVERAGES = ("vtab", "vtab+", "imagenet_robustness")
# the "-quickgelu" entries of these architectures and tags are the same training
_REPEATS = ("RN50", "RN101", "ViT-B-32")
_REPEATED = ("openai", "yfcc15m", "cc12m", "laion400m_e32")
# all its results are those of ViT-B-32/datacomp_s_s13m_b4k; open_clip's docs/datacomp_models.md has
# 4.3 % on ImageNet for it and 3.9 % for that one, the table has 3.9 % for both
_COPIED = "ViT-B-32/commonpool_s_image_s13m_b4k"


def open_clip() -> pd.DataFrame:
    """Zero-shot results of open_clip's models, as its documentation lists them; they ship.

    Left out are checkpoints one epoch before the last (`_e31`) and entries that differ from another
    in the activation alone, as in Ghate et al.'s code; and the one model that has the results of
    another, `_COPIED`.

    Returns
    -------
    model, architecture_name, tag, parameters (millions), dataset_name (as Ghate et al. call it; of
    a filtered small pool the pool), architecture, dataset (families), performance (mean of the 28
    tasks of `TASKS`), then a column per task.
    """
    return trainings(facts.table("open_clip_zero_shot"))


def trainings(table: pd.DataFrame) -> pd.DataFrame:
    """One row per training, as `open_clip`, of a table with architecture, tag, parameters and the
    tasks of `TASKS`."""
    name, tag = table["architecture"], table["tag"]
    plain = name.str.removesuffix("-quickgelu")
    twice = name.ne(plain) & plain.isin(_REPEATS) & tag.isin(_REPEATED)
    copied = (name + "/" + tag).eq(_COPIED)
    kept = table[~(twice | copied | tag.str.endswith("_e31"))].reset_index(drop=True)
    weights = zip(kept["architecture"], kept["tag"], strict=True)
    names = [registry.data_of(*one) or one[1] for one in weights]
    return pd.DataFrame(
        {
            "model": kept["architecture"] + "/" + kept["tag"],
            "architecture_name": kept["architecture"],
            "tag": kept["tag"],
            "parameters": kept["parameters"].astype(float),
            "dataset_name": names,
            "architecture": kept["architecture"].map(architecture_family),
            "dataset": [dataset_family(name) for name in names],
            "performance": kept[list(TASKS)].mean(axis=1),
            **{task: kept[task] for task in TASKS},
        }
    )


def scaling_laws() -> pd.DataFrame:
    """Zero-shot results of the 29 models of Cherti et al.: three to five sizes on three subsets of
    LAION.

    Returns
    -------
    model, architecture_name, parameters (millions), dataset_size (millions of pairs), samples
    (millions seen), published (their own VTAB+), then a column per task with its accuracy.

    Raises
    ------
    SourceUnavailable
        Where a file is not at hand.
    """
    rows = _table("zeroshot_results.csv").query("name != 'openai'")
    sizes = _table("arch_info.csv").set_index("model")["mparams"]
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


def _table(file: str) -> pd.DataFrame:
    """A table of the scaling laws; its checksum is the one in the catalogue, so it is as it was."""
    return pd.read_csv(sources.path("scaling-laws", file))
