"""The 26 tests of Ghate et al. (2025): which targets, which attributes, in which order of pictures
and sentences.

Their Figure 5 lists eight tests, each with pictures and sentences as targets. In four orders that
makes 32; where the targets are pictures, tests that differ in their sentences only are the same
test, which leaves 26.
"""

from dataclasses import dataclass

import pandas as pd

ORDERS = {
    "all-image": ("image", "image"),
    "all-text": ("text", "text"),
    "image-target": ("image", "text"),
    "text-target": ("text", "image"),
}
"""What the targets are, what the attributes are."""


@dataclass(frozen=True)
class Row:
    """One row of Figure 5: a category, its folder of pictures (test, X, Y) and its file of
    sentences, what these name, and how many sentences there are a side. The first of `pictures` is
    empty where they were not released."""

    category: str
    pictures: tuple[str, str, str]
    sentences: str
    called: str
    n: int


ROWS = (
    Row("flower-insect", ("insect-flower", "flower", "insect"), "sent-weat1", "words", 350),
    Row("instrument-weapon", ("", "instrument", "weapon"), "sent-weat2", "words", 330),
    Row("race", ("race", "european-american", "african-american"), "sent-weat3", "names", 256),
    Row(
        "race",
        ("race", "european-american", "african-american"),
        "sent-weat4",
        "half of the names",
        128,
    ),
    Row("race", ("race", "european-american", "african-american"), "sent-weat3b", "terms", 195),
    Row("gender", ("gender", "female", "male"), "sent-weat11", "names", 64),
    Row("gender", ("gender", "female", "male"), "sent-weat11b", "terms", 80),
    Row("age", ("age", "young", "old"), "sent-weat10", "names", 64),
)
"""X is the group of which the paper expects more pleasantness; of gender, the files have the other
one first."""
TURNED = ("gender",)
"""Categories of which the files list Y before X."""
PICTURES = {"flower-insect": 35, "race": 6, "gender": 40, "age": 6}
"""Pictures a side; those of instruments and weapons were not released, nor is their number
stated."""


def listed() -> pd.DataFrame:
    """Every test once.

    Returns
    -------
    One row per test: test (its name: with its targets only where an order has several tests of the
    category), category, order, targets (what they are), kind and against ("image" or "text", of
    targets and attributes), n (targets a side; missing where not stated), source (the folder or
    file of the targets; empty where not released).
    """
    rows = []
    for order, (kind, against) in ORDERS.items():
        for row in ROWS:
            if kind == "image":
                n, source = PICTURES.get(row.category), row.pictures[0]
                targets = "faces" if row.category in ("race", "gender", "age") else "pictures"
            else:
                n, source, targets = row.n, row.sentences, row.called
            several = kind == "text" and row.category in ("race", "gender")
            rows.append(
                {
                    "test": f"{row.category}/{order}" + several * f"/{targets}",
                    "category": row.category,
                    "order": order,
                    "targets": targets,
                    "kind": kind,
                    "against": against,
                    "n": n,
                    "source": source,
                }
            )
    return pd.DataFrame(rows).drop_duplicates("test", ignore_index=True).astype({"n": "Int64"})
