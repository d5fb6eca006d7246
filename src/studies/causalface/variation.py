"""Pairs of faces that differ in one attribute, and the tests of Hausladen et al. (2025), Figure 2,
and of their earlier Table B.2."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from vlmbias.papers import CAUSALFACE

ATTRIBUTES: Mapping[str, str] = MappingProxyType(
    {
        "seed": "seed",
        "race": "protected",
        "gender": "protected",
        "age": "protected",
        "smiling": "unprotected",
        "lighting": "unprotected",
        "pose": "unprotected",
    }
)
BETWEEN_SERIES = ("seed", "race", "gender")  # a pair of these may be a pair of prototypes
WITH_GAP = ("age", "smiling")  # the paper asks for a smallest difference in these
PAPER_GAP = 1.1  # that difference, on the scale of CausalFace and of the Greenhouse's portraits
COMPARED = (
    *(("seed", other) for other in ATTRIBUTES if other != "seed"),
    ("smiling", "age"),
    ("lighting", "age"),
)
VALENCE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "positive": CAUSALFACE.positive,
        "negative": tuple(
            name for name in CAUSALFACE.dimensions if name not in CAUSALFACE.positive
        ),
    }
)
IN_B2 = (
    ("positive", "pose", "gender"),
    ("positive", "smiling", "gender"),
    ("negative", "pose", "gender"),
    ("negative", "smiling", "gender"),
    ("negative", "lighting", "age"),
)


# --- pairs that differ in one attribute -----------------------------------------------------------

Pairs = Mapping[str, np.ndarray]  # attribute → row numbers, `(n, 2)`


def pairs(
    faces: pd.DataFrame,
    *,
    n: int,
    seed: int,
    min_gap: float | None,
    copies: int = 1,
    attributes: Sequence[str] = tuple(ATTRIBUTES),
    smiles: tuple[float, float] | None = None,
) -> Pairs:
    """Random pairs of faces that differ in one attribute and agree in the rest, attribute by
    attribute.

    Parameters
    ----------
    faces : one row per image: the attributes, and (where there are several copies) subset.
    n : pairs per attribute, drawn with replacement.
    seed : of the draws; each attribute has its own.
    min_gap : by how much two ages or two smiles differ at least; None for any difference.
    copies : how often each prototype stands in the table from which pairs that differ in identity,
        race or gender are drawn: once as described, four times in the authors' code.
    attributes : those to vary.
    smiles : the range of smiles to keep where the smile is varied.
    """
    order, found = list(ATTRIBUTES), {}
    for attribute in attributes:
        rows = np.arange(len(faces))
        if attribute in BETWEEN_SERIES and copies > 1:
            rows = np.concatenate(
                [rows, *[np.flatnonzero(faces["subset"] == "prototype")] * (copies - 1)]
            )
        if attribute == "smiling" and smiles is not None:
            rows = rows[faces["smiling"].between(*smiles)]
        drawn = vb.one_apart(
            faces.iloc[rows],
            by=attribute,
            n=n,
            seed=[seed, order.index(attribute)],
            min_gap=min_gap if attribute in WITH_GAP else None,
        )
        found[attribute] = rows[drawn[["first", "second"]].to_numpy()]
    return found


def differences(
    faces: pd.DataFrame, values: pd.DataFrame, pairs: Pairs, *, scale: float = 100.0
) -> pd.DataFrame:
    """The absolute difference of each pair in each column of `values`, the paper's AbsDiff, times
    `scale`.

    Parameters
    ----------
    faces, values : one row per image; `faces` has the column seed.
    pairs : as from `pairs`.

    Returns
    -------
    One row per attribute, pair and column: attribute, dimension (categorical), difference, first
    and second (the identities of the pair).
    """
    numbers, identity, parts = values.to_numpy(float), faces["seed"].to_numpy(), []
    columns = pd.CategoricalIndex(values.columns, categories=values.columns)
    for attribute, both in pairs.items():
        size = scale * np.abs(numbers[both[:, 0]] - numbers[both[:, 1]])
        first, second = np.repeat(identity[both], len(columns), axis=0).T
        parts.append(
            pd.DataFrame(
                {
                    "attribute": pd.Categorical(
                        [attribute] * size.size, categories=list(ATTRIBUTES)
                    ),
                    "dimension": columns.take(np.tile(np.arange(len(columns)), len(size))),
                    "difference": size.ravel(),
                    "first": first,
                    "second": second,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def medians(table: pd.DataFrame) -> pd.Series:
    """The median difference per attribute, in the order of `ATTRIBUTES`; those that do not occur
    are left out."""
    return table.groupby("attribute", observed=True)["difference"].median()


# --- whose uncertainty ----------------------------------------------------------------------------


def resampled(table: pd.DataFrame, *, n: int, seed: int) -> dict[str, pd.DataFrame]:
    """Bootstrap medians per attribute: of single values drawn anew, and of identities drawn anew.

    Values are drawn for each attribute apart. Identities are drawn once for all attributes: a value
    counts as often as its identity is drawn, one that rests on two identities as often as the
    product says. A draw that leaves an attribute without any value is left out, as may happen where
    identities are few.

    Returns
    -------
    "values" and "identities" → one row per draw, one column per attribute.
    """
    parts = {name: part for name, part in table.groupby("attribute", observed=True)}
    rng = np.random.default_rng(seed)
    values = {
        name: stats.bootstrap(
            (part["difference"].to_numpy(),),
            np.median,
            n_resamples=n,
            batch=50,
            rng=rng,
            method="percentile",
        ).bootstrap_distribution
        for name, part in parts.items()
    }
    identities = np.unique(table[["first", "second"]])
    times = vb.cluster_weights(identities, n_resamples=n, seed=seed)
    weights = {}
    for name, part in parts.items():
        first, second = (
            times[:, np.searchsorted(identities, part[end])] for end in ("first", "second")
        )
        weights[name] = first * second if name == "seed" else first
    whole = np.all([own.any(axis=1) for own in weights.values()], axis=0)
    clusters = {
        name: vb.weighted_medians(parts[name]["difference"], own[whole])
        for name, own in weights.items()
    }
    return {"values": pd.DataFrame(values), "identities": pd.DataFrame(clusters)}


# --- claims ---------------------------------------------------------------------------------------


def claims(table: pd.DataFrame) -> dict[str, bool | float]:
    """What the text says of Figure 2 (rank-sum tests) and the earlier Table B.2 (t-tests by
    valence, each non-protected attribute against each protected one), by the claim's id without
    "variation."; p and t as they are."""
    middle, values = medians(table), _values(table)
    p = {pair: float(stats.mannwhitneyu(*map(values.get, pair)).pvalue) for pair in COMPARED}
    earlier: dict[tuple[str, str, str], Any] = {}
    for valence, dimensions in VALENCE.items():
        own = _values(table[table["dimension"].isin(dimensions)])
        for first in (name for name, kind in ATTRIBUTES.items() if kind == "unprotected"):
            for second in (name for name, kind in ATTRIBUTES.items() if kind == "protected"):
                earlier[valence, first, second] = stats.ttest_ind(own[first], own[second])
    larger, alike = bool(middle["smiling"] > middle["age"]), p["lighting", "age"] > 0.05
    found = {
        "seed-largest": bool((middle.drop("seed") < middle["seed"]).all()),
        "seed-within": bool((middle[["race", "gender"]] < middle["seed"]).all()),
        "seed-p": max(own for (first, _), own in p.items() if first == "seed"),
        "smiling-p": p["smiling", "age"],
        "lighting-p": p["lighting", "age"],
        **dict.fromkeys(("smiling-over-age", "abstract-smiling", "discussion-smiling"), larger),
        **dict.fromkeys(("lighting-as-age", "abstract-lighting", "discussion-lighting"), alike),
        "table_b2.pairs": float(len(earlier)),
        "table_b2.not-significant": float(min(earlier[one].pvalue for one in IN_B2)),
        "table_b2.others": all(
            bool(test.pvalue < 0.05) for one, test in earlier.items() if one not in IN_B2
        ),
    }
    for valence, first, second in IN_B2:
        test, name = earlier[valence, first, second], f"table_b2.{valence}.{first}_{second}"
        found |= {f"{name}.t": float(test.statistic), f"{name}.p": float(test.pvalue)}
    return found


def _values(table: pd.DataFrame) -> dict[str, np.ndarray]:
    """The differences of each attribute."""
    groups = table.groupby("attribute", observed=True)["difference"]
    return {name: own.to_numpy() for name, own in groups}
