"""The table of effect sizes that Ghate et al. released: 131 models by 26 tests, as a study table.

Comes in: `cross_modal_nrc_oasis_df_final_to_model_v1.csv` (new attributes), `cross_modal_old_df_final_to_model_v1.csv`
(those of SEAT and iEAT), or a file in the same layout. Goes out: one row per model and test, in the columns of
`COLUMNS`. May not: drop, average or fill in a row, or take what is no such table for one.
"""

COLUMNS = ("model", "test", "category", "order", "targets", "n_x", "n_y", "effect_size", "gap", "architecture",
           "dataset", "parameters", "dataset_size", "performance")  # fmt: skip
"""A study table: one row per model and test. `test` names one of the tests, category and order place it; targets: what
the targets are; n_x, n_y: items a side; effect_size: d, positive where it agrees with the documented direction; gap:
difference of mean scores, NaN where unknown; architecture and dataset: families; parameters: millions; dataset_size:
millions of pairs; performance: VTAB+ from 0 to 1, NaN where unknown."""
SIMULATED = "simulated"
"""What the model names of a simulated table begin with."""
CATEGORIES = {"Insect-Flower/Valence": "flower-insect", "Instrument-Weapon/Valence": "instrument-weapon",
              "Race/Valence": "race", "Gender/Valence": "gender", "Age/Valence": "age"}  # fmt: skip
ORDERS = {"all image": "all-image", "all text": "all-text", "image as target": "image-target",
          "text as target": "text-target"}  # fmt: skip
TEXT_FILES = {
    "sent-weat1.jsonl": ("flower-insect", "words"), "sent-weat2.jsonl": ("instrument-weapon", "words"),
    "sent-weat3.jsonl": ("race", "names"), "sent-weat4.jsonl": ("race", "half of the names"),
    "sent-weat3b.jsonl": ("race", "terms"), "sent-weat11.jsonl": ("gender", "names"),
    "sent-weat11b.jsonl": ("gender", "terms"), "sent-weat10.jsonl": ("age", "names"),
}  # fmt: skip
"""The file of sentences → category, and what its targets are."""
PICTURES = {"flower-insect": "pictures", "instrument-weapon": "pictures", "race": "faces", "gender": "faces",
            "age": "faces"}  # fmt: skip
_KEYWORDS = ("laion", "metaclip", "openai_wit", "datacomp", "webli", "commonpool", "dfn", "yfcc15m", "cc12m",
             "merged2b")  # fmt: skip


def name_of_test(category: str, order: str, targets: str) -> str:
    """The name of a test: with its targets only where a category and order has several."""
    several = category in ("race", "gender") and order in ("all-text", "text-target")
    return f"{category}/{order}/{targets}" if several else f"{category}/{order}"


def architecture_family(name: str) -> str:
    """The family of an architecture of open_clip, such as "ViT-B-32": the first rule of the authors' code that fits."""
    begins, rules = name.startswith, {"coca": "CoCa Models", "EVA": "EVA Models", "nllb": "NLLB-CLIP Models"}
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
    rules : "released", the authors' code: the first of their keywords that the name contains, so that
        `commonpool_xl_laion_filtered` is LAION, and NLLB-CLIP models count as trained on the data of the model that
        they start from. "described", their text: a filtered CommonPool is a CommonPool (A.1.5), and nine models were
        trained on OpenAI's data (A.1.1), so that the data of NLLB-CLIP models, which the text does not name, are
        "not stated".

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
    found = [keyword for keyword in _KEYWORDS if keyword in name]
    if rules == "described":
        found.sort(key=lambda keyword: not name.startswith(keyword))  # what it is made of, before what filtered it
    return found[0] if found else name
