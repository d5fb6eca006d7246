"""Which models were compared, how they were put into families, and what a family that is not one
thing does.

Comes in: lists of weights, the counts that were printed, networks with a known recipe. Goes out:
tables with one row per weight, family or setting. May not: read a file, or import open_clip.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from vlmbias.external.registry import data_of, filter_of
from vlmbias.external.study_table import KEYWORDS

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


def among_runs(runs: pd.DataFrame) -> pd.Series:
    """How many training runs are listed, and how many of the models of `cherti` are among them.

    Parameters
    ----------
    runs : one row per run: architecture, data, samples.
    """
    listed = set(runs[["architecture", "data", "samples"]].itertuples(index=False, name=None))
    return pd.Series(
        {
            "runs": len(listed),
            "models among the runs": len(listed & set(cherti().itertuples(index=False, name=None))),
        }
    )


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


def families(
    models: pd.DataFrame,
    printed: Mapping[str, int],
    family: Callable[[str], str],
    column: str,
    *,
    tests: int,
) -> pd.DataFrame:
    """Models per family, beside the printed rows.

    Parameters
    ----------
    models : one row per model, with `column`.
    printed : family → rows that were printed, `tests` a model.
    family : from a name in `column` to its family.

    Returns
    -------
    One row per printed family, the largest first: printed (models), here, missing (printed − here).
    """
    here = models[column].map(family).value_counts()
    table = pd.DataFrame({"printed": {name: rows // tests for name, rows in printed.items()}})
    table["here"] = here.reindex(table.index, fill_value=0).astype(int)
    return table.assign(missing=table["printed"] - table["here"]).sort_values(
        "printed", ascending=False, kind="stable"
    )


def ambiguous(names: Iterable[str], keywords: Sequence[str] = KEYWORDS) -> pd.DataFrame:
    """Names that contain more than one keyword, so that the order of the keywords decides.

    Returns
    -------
    One row per such name: name, first (the keyword that comes first in the list), others (listed).
    """
    rows = []
    for name in names:
        found = [one for one in keywords if one in name]
        if len(found) > 1:
            rows.append({"name": name, "first": found[0], "others": ", ".join(found[1:])})
    return pd.DataFrame(rows, columns=["name", "first", "others"])


def alike(models: pd.DataFrame, by: Sequence[str] = ("architecture", "data")) -> pd.Series:
    """How many models share architecture and data with another: models, groups (of two or more),
    largest."""
    sizes = models.groupby(list(by)).size()
    several = sizes[sizes > 1]
    return pd.Series(
        {"models": int(several.sum()), "groups": len(several), "largest": int(sizes.max())}
    )


# --- families of networks whose recipe is known ---------------------------------------------------


def mixed(
    values: pd.DataFrame,
    *,
    size: int,
    shares: Sequence[float],
    draws: int,
    seed: int,
    alpha: float = 0.01,
) -> pd.DataFrame:
    """A family in which only a share of the networks has the recipe that it is named after, against
    one without it.

    Families are drawn from the networks, each without replacement; the difference of means is
    tested by Welch's test.

    Parameters
    ----------
    values : one row per network: b (1: with the recipe; 0: without it), and quantities.
    size : networks in each of the two families.
    shares : of the networks with the recipe, in the family named after it.
    alpha : of the test.

    Returns
    -------
    One row per share and quantity: share, quantity, mean (difference, over the draws), low and high
    (2.5 and 97.5 %), found (share of draws with p below the level).
    """
    rng, rows = np.random.default_rng(seed), []
    pools = [values[values["b"] == b].drop(columns="b").to_numpy(float) for b in (1.0, 0.0)]
    quantities = [name for name in values if name != "b"]
    most = {1.0: round(max(shares) * size), 0.0: size + round((1 - min(shares)) * size)}
    for (b, wanted), pool in zip(most.items(), pools, strict=True):
        if wanted > len(pool):
            raise ValueError(
                f"{wanted} networks with b = {b:g} are needed of {len(pool)}; use smaller families"
            )
    for share in shares:
        n = round(share * size)
        differences, p = [], []
        for _ in range(draws):
            with_it, without = (pool[rng.permutation(len(pool))] for pool in pools)
            family, other = (
                np.concatenate([with_it[:n], without[: size - n]]),
                without[size - n : 2 * size - n],
            )
            differences.append(family.mean(axis=0) - other.mean(axis=0))
            p.append(stats.ttest_ind(family, other, equal_var=False).pvalue)
        low, high = np.quantile(differences, [0.025, 0.975], axis=0)
        for k, name in enumerate(quantities):
            rows.append(
                {
                    "share": share,
                    "quantity": name,
                    "mean": float(np.mean(differences, axis=0)[k]),
                    "low": low[k],
                    "high": high[k],
                    "found": float((np.array(p)[:, k] < alpha).mean()),
                }
            )
    return pd.DataFrame(rows)


def claims(
    models: pd.DataFrame,
    architecture: Callable[[str], str],
    data: Callable[[str], str],
    *,
    tests: int,
) -> dict[str, Any]:
    """What the paper and its notebooks count, by the claim's id without "model_zoo."."""
    kinds = models["architecture"].map(architecture)
    found = {
        "convolutional": int(kinds.isin(["ResNet Models", "ConvNeXt Models"]).sum()),
        "openai-wit": int(models["tag"].eq("openai").sum()),
    }
    for own in (kinds, models["data"].map(data)):
        for name, n in own.value_counts().items():
            place = (
                str(name).removesuffix(" Models").removesuffix(" Models with Text Encoders").lower()
            )
            found[f"rows.{place.replace(' ', '-').replace('_', '-')}"] = int(n) * tests
    return found
