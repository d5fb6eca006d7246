"""Which weights open_clip's releases list (`data/sources/open_clip.csv`, read off the registries of
four releases; MIT licence), and what a weight's name says of its training data."""

import pandas as pd

from vlmbias import paths

RELEASES = ("2.16.0", "2.23.0", "2.24.0", "2.26.1")
"""The releases that were looked at, in order; none of them takes back a weight of an earlier
one."""
NLLB = {
    "nllb-clip-base": "openai_wit",
    "nllb-clip-large": "openai_wit",
    "nllb-clip-base-siglip": "webli",
    "nllb-clip-large-siglip": "webli",
}
"""The data that the counts of models allow for these, which continue from another model: inferred
by us."""
_TAGS = {
    "openai": "openai_wit",
    "datacomp_xl": "datacomp1b",
    "datacomp_s34b": "datacomp1b",
    "datacomp1b": "datacomp1b",
    "datacomp_l": "datacomp_l",
    "datacomp_m": "datacomp_m",
    "datacomp_s_": "datacomp_s",
    "laion2b": "laion2b",
    "laion400m": "laion400m",
    "laion_aesthetic": "laion_aesthetic",
    "laion5b": "laion5b",
    "frozen_laion5b": "laion5b",
    "mscoco_finetuned_laion2b": "mscoco_finetuned_laion2b",
    "commonpool_xl_clip": "commonpool_xl_clip_filtered",
    "commonpool_xl_laion": "commonpool_xl_laion_filtered",
    "commonpool_xl": "commonpool_xl",
    "commonpool_l": "commonpool_l",
    "commonpool_m": "commonpool_m",
    "commonpool_s": "commonpool_s",
    "metaclip_400m": "metaclip_400m",
    "metaclip_fullcc": "metaclip_fullcc",
    "dfn2b": "dfn2b",
    "dfn5b": "dfn5b",
    "yfcc15m": "yfcc15m",
    "cc12m": "cc12m",
    "merged2b": "merged2b",
}
# how DataComp's pools were filtered: a part of the tag
FILTERED = ("clip", "laion", "image", "text", "basic")


def listed(release: str) -> pd.DataFrame:
    """The weights that a release of open_clip lists.

    Returns
    -------
    One row per weight, in the registry's order: architecture, tag, first (the earliest of
    `RELEASES` that lists it).

    Raises
    ------
    ValueError : for a release that was not looked at.
    """
    if release not in RELEASES:
        raise ValueError(f"no list of open_clip {release!r}; there are {', '.join(RELEASES)}")
    table = pd.read_csv(paths.data() / "sources" / "open_clip.csv", dtype=str)
    known = RELEASES[: RELEASES.index(release) + 1]
    return table[table["first"].isin(known)].reset_index(drop=True)


def data_of(architecture: str, tag: str) -> str:
    """The pretraining data of a weight, by the names of the released table; "" where the registry
    does not tell.

    A filter of a small pool leaves no trace in that name: `commonpool_s_clip_s13m_b4k` is
    "commonpool_s".
    """
    if architecture in NLLB:
        return NLLB[architecture]
    if tag == "webli":
        return "webli_multilingual" if "i18n" in architecture else "webli"
    fitting = [start for start in _TAGS if tag.startswith(start)]
    return _TAGS[max(fitting, key=len)] if fitting else ""


def filter_of(tag: str) -> str:
    """How the pool of a weight was filtered, read off its tag: "" (not, or not a pool), or one of
    `FILTERED`."""
    parts = tag.split("_")
    return parts[2] if parts[0] == "commonpool" and len(parts) > 2 and parts[2] in FILTERED else ""
