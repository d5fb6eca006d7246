"""The data sets that a reader supplies as folders: what is fixed about each.

A new one is an entry of `SUPPLIED`, a module of its name beside this one, whose `read(root)` gives
a table with a row per file and a `Report`, and an entry in `data/sources/index.yaml`. The module is
imported when the set is asked for: every build imports this one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Supplied:
    """What is fixed about a data set.

    Attributes
    ----------
    called : how the heading of a chapter's second section calls it.
    expected, counted : how many images, or whatever else is counted, the paper used.
    rounded : where the paper prints a rounded number, to how many it seems to be rounded, else 0.
    folder : its usual place below the reader's own data; its name, if this is empty.
    images : whether it is a set of images.
    variants : other image sets from the same files: what stands behind the slash of their names,
        and how a heading calls them; as the set itself, if that is empty.
    source : whether its key in `data/sources/index.yaml` is its name.
    """

    called: str
    expected: int
    counted: str = "images"
    rounded: int = 0
    folder: str = ""
    images: bool = True
    variants: Mapping[str, str] = field(default_factory=dict)
    source: bool = True


SUPPLIED = {
    "causalface": Supplied("CausalFace", 18_000, variants={"uncropped": "CausalFace, uncropped"}),
    "fairface": Supplied(
        "FairFace", 38_744, variants={"all": "", "as-cfd": "FairFace (for comparison)"}
    ),
    "utkface": Supplied("UTKFace", 14_630, folder="UTKFace", variants={"all": ""}),
    "cfd": Supplied("the Chicago Face Database", 597),
    "oasis": Supplied("OASIS", 900),
    # its pictures come with the source ieat-photographs
    "ieat": Supplied("the pictures of the iEAT", 284, source=False),
    "nrc-vad": Supplied("the NRC VAD Lexicon", 20_000, "words", rounded=1_000, images=False),
    "causalface-cosines": Supplied(
        "the released cosines", 18, "tables", folder="results/clip_vit_b_32", images=False
    ),
}
FOLDERS = {name: one.folder or name for name, one in SUPPLIED.items()}
"""The usual place of each below the reader's own data."""
IMAGE_SETS = tuple(
    name if variant is None else f"{name}/{variant}"
    for name, one in SUPPLIED.items()
    if one.images
    for variant in (None, *one.variants)
)
"""The names of the image sets among them, variants too."""


def reader(name: str) -> Any:
    """The module that reads a set, by its name."""
    return import_module(f"vlmbias.stimuli.{name.replace('-', '_')}")
