"""Which models were compared: open_clip's list, with the filters of the authors' script."""

from itertools import product

import pandas as pd

from vlmbias.external.registry import data_of, filter_of

_QUICKGELU = (
    "RN101-quickgelu/yfcc15m",
    "RN50-quickgelu/yfcc15m",
    "RN50-quickgelu/cc12m",
    "RN50-quickgelu/openai",
    "RN101-quickgelu/openai",
    "ViT-B-32-quickgelu/openai",
    "ViT-B-32-quickgelu/laion400m_e32",
)
_ALSO_CHERTI = (
    "ViT-H-14/laion2b_s32b_b79k",
    "ViT-g-14/laion2b_s12b_b42k",
    "ViT-B-16/laion2b_s34b_b88k",
    "ViT-B-16/laion400m_e32",
    "ViT-L-14/laion2b_s32b_b82k",
    "ViT-B-32/laion2b_s34b_b79k",
    "ViT-B-32/laion400m_e32",
    "ViT-L-14/laion400m_e32",
)


def cherti() -> pd.DataFrame:
    """The 29 models of Cherti et al.: three ViTs on three data sets for three numbers of samples,
    and two larger ViTs.

    Returns
    -------
    One row per model: architecture, data, samples.
    """
    runs = [
        *product(
            ("ViT-B-32", "ViT-B-16", "ViT-L-14"),
            ("laion80m", "laion400m", "laion2b"),
            ("3B", "13B", "34B"),
        ),
        ("ViT-H-14", "laion2b", "34B"),
        ("ViT-g-14", "laion2b", "13B"),
    ]
    return pd.DataFrame(runs, columns=["architecture", "data", "samples"])


def kept(weights: pd.DataFrame, *, keep_frozen: bool = True) -> pd.DataFrame:
    """The weights of open_clip after the filters of the authors' script.

    Parameters
    ----------
    weights : columns architecture and tag, as a release lists them.
    keep_frozen : keep the model whose image tower was not trained, which the script drops and the
        counts need.

    Returns
    -------
    The table with data (see `data_of`), filter (see `filter_of`) and left_out: why the script
    leaves the weight out, "" where it stays.
    """
    names, tags = weights["architecture"] + "/" + weights["tag"], weights["tag"]
    reasons = {
        "largest ConvNeXt": weights["architecture"].eq("convnext_xxlarge"),
        "31 epochs": tags.str.endswith("_e31"),
        "frozen": tags.str.contains("frozen") & (not keep_frozen),
        "same weights, QuickGELU": names.isin(_QUICKGELU),
        "also by Cherti et al.": names.isin(_ALSO_CHERTI),
    }
    left_out = pd.Series("", weights.index)
    for reason, mask in reasons.items():
        left_out = left_out.mask(mask & left_out.eq(""), reason)
    own = zip(weights["architecture"], tags, strict=True)
    return weights.assign(
        data=[data_of(*one) for one in own], filter=tags.map(filter_of), left_out=left_out
    )
