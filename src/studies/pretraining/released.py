"""What the released tables of effect sizes say of the paper's numbers, claim by claim."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from studies.pretraining.effect_sizes import LARGE, NOT_HUMAN, ORDERS, SMALL

CELL = ["category", "order"]
NEGATIVE = [
    ("age", "all-image"),
    ("race", "image-target"),
    ("age", "image-target"),
]  # named in the paper, and no other


def recomputed(new: pd.DataFrame, old: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Every claim of the chapter that the released tables decide.

    Parameters
    ----------
    new, old : study tables with the column origin, attributes from NRC-VAD and OASIS, and from SEAT
        and iEAT.

    Returns
    -------
    By protocol and by the claim's id without "effect_sizes.". "described" takes words as they stand
    (d ≥ 0.2; a fall "on average … across unimodal and cross-modal tests" is the mean over the
    orders); "released" is what the authors' code computes where that differs (d > 0.2; the fall
    over all rows).
    """
    found: dict[str, Any] = _counts(new)
    for name, table in (("new", new), ("old", old)):
        for (category, order), own in table.groupby(CELL)["effect_size"]:
            found |= {
                f"{name}.{category}.{order}.mean": own.mean(),
                f"{name}.{category}.{order}.sd": own.std(ddof=1),
            }
        found[f"variance-{name}"] = table["effect_size"].var(ddof=1)
        found[f"significant-{name}"] = 100 * (table["effect_size"] >= SMALL).mean()
    for category, own in new.groupby("category")["effect_size"]:
        found |= {f"table2.{category}.mean": own.mean(), f"table2.{category}.sd": own.std(ddof=1)}
    falls = {
        order: _fall(new[new["order"] == order], old[old["order"] == order]) for order in ORDERS
    }
    congruent, overall = 100 * (new["effect_size"] > 0).mean(), _fall(new, old)
    found |= {
        "congruent": congruent,
        "congruent-intro": congruent,
        "variance-fall": overall,
        "variance-fall-text": falls["all-text"],
        "variance-average": np.mean(list(falls.values())),
        **_ordered(new, old),
    }
    above = {
        f"significant-{name}": 100 * (table["effect_size"] > SMALL).mean()
        for name, table in (("new", new), ("old", old))
    }
    return {"described": found, "released": {**above, "variance-average": overall}}


def _fall(new: pd.DataFrame, old: pd.DataFrame) -> float:
    """By how many per cent the variance of d is smaller with the new attributes."""
    return 100 * (1 - new["effect_size"].var(ddof=1) / old["effect_size"].var(ddof=1))


def _counts(new: pd.DataFrame) -> dict[str, int]:
    origin = new.drop_duplicates("model")["origin"]
    written = {"openai": "openai", "cherti": "cherti", "openclip": "open_clip"}
    models = {f"models-{called}": int((origin == name).sum()) for called, name in written.items()}
    architectures = new["architecture_name"].nunique()
    return {
        "models": new["model"].nunique(),
        **models,
        "cases": len(new),
        "datasets": new["dataset_name"].nunique(),
        "architectures": architectures,
        "architectures-conclusion": architectures,
        "bars": len(new[CELL].drop_duplicates()),
    }


def _ordered(new: pd.DataFrame, old: pd.DataFrame) -> dict[str, Any]:
    """The statements about which means and standard deviations are larger, and which are
    negative."""
    mean, sd = (new.groupby(CELL)["effect_size"].agg(how) for how in ("mean", "std"))
    before = old.groupby(CELL)["effect_size"].mean()
    things = mean.index.get_level_values("category").isin(NOT_HUMAN)
    same = np.sign(mean) == np.sign(before.loc[mean.index])
    narrower = all(
        sd[social, order] > sd[thing, order]
        for order in ORDERS
        for social in ("age", "race")
        for thing in NOT_HUMAN
    )
    ranges = mean.groupby(level="category").agg(["min", "max"])
    return {
        "varies": bool((ranges["max"] - ranges["min"] >= SMALL).all()),
        "unaffected": bool(mean[things].min() >= LARGE),
        "positive-cells": int((mean > 0).sum()),
        "negative-cells": bool((mean.loc[NEGATIVE] < 0).all()),
        "largest": bool(mean[things].min() > mean[~things].max()),
        "above-one": mean[things].min(),
        "direction": bool(same.all()),
        "direction-caption": bool(same.mean() > 0.5),
        "lower-variance": narrower,
    }


def beside(values: Mapping[str, Mapping[str, Any]], claim: Callable[[str], Any]) -> pd.DataFrame:
    """Recomputed values beside the printed ones.

    Parameters
    ----------
    values : protocol → the claim's id → value.
    claim : the claim of an id, such as `vb.ledger.claim`.

    Returns
    -------
    One row per claim and protocol: claim, protocol, printed, recomputed, agrees (whether the value
    prints as the paper has it; a statement: whether it is true).
    """
    rows = []
    for protocol, own in values.items():
        for name, value in own.items():
            printed = claim(name).printed
            agrees = bool(value) if printed is None else printed.meets(value, value)
            rows.append(
                {
                    "claim": name,
                    "protocol": protocol,
                    "printed": claim(name).value,
                    "recomputed": value,
                    "agrees": agrees,
                }
            )
    return pd.DataFrame(rows)
