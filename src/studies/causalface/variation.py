"""What moves perception: Hausladen et al. (2025), Figure 2, and their earlier Table B.2 and Figure
B.3.

Comes in: faces with their attributes, what a model makes of them, logits of retrained networks,
levels of the truth. Goes out: pairs, differences, tests, bootstrap medians, predicates of claims,
signed gaps between groups.
May not: know at which strength something was planted, or name a group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.shown import Shown
from vlmbias.inference import holm
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
GROUPED_BY = ("race", "gender")
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


def superiority(p: float, n: int, *, confidence_level: float = 0.95) -> tuple[float, float, float]:
    r"""What a rank-sum test with two-sided p says of P(first > second), if all values were
    independent.

    .. math:: \tfrac12 + z_{p/2}\,\sigma ∓ z_{(1-\text{level})/2}\,\sigma, \quad \sigma^2 = \frac{2n
    + 1}{12 n^2}

    Parameters
    ----------
    p : two-sided, of the normal approximation.
    n : values on each side.
    confidence_level : of the interval.

    Returns
    -------
    (estimate, low, high), shares; the estimate is taken above one half, as p does not say on which
    side it lies."""
    error = np.sqrt((2 * n + 1) / (12 * n**2))
    estimate, half = (
        0.5 + stats.norm.isf(p / 2) * error,
        stats.norm.isf((1 - confidence_level) / 2) * error,
    )
    return float(estimate), float(estimate - half), float(estimate + half)


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


def largest_change(before: pd.Series, after: pd.Series) -> float:
    """The largest relative change of any attribute's median."""
    return float((after / before - 1).abs().max())


# --- the published tests --------------------------------------------------------------------------


def rank_sums(table: pd.DataFrame) -> pd.DataFrame:
    """The paper's rank-sum tests, two-sided: first, second, exceeds (how often a value of the first
    is larger, ties by half), p, p_holm (over the eight comparisons)."""
    values = {
        name: part["difference"].to_numpy()
        for name, part in table.groupby("attribute", observed=True)
    }
    rows = []
    for first, second in COMPARED:
        one, other = values[first], values[second]
        test = stats.mannwhitneyu(one, other, alternative="two-sided")
        rows.append((first, second, test.statistic / (len(one) * len(other)), test.pvalue))
    found = pd.DataFrame(rows, columns=["first", "second", "exceeds", "p"])
    return found.assign(p_holm=holm(found["p"]))


def t_tests(table: pd.DataFrame) -> pd.DataFrame:
    """The tests of the earlier Table B.2: each non-protected against each protected attribute, by
    valence, two-sided.

    Returns
    -------
    Indexed by (valence, first, second): difference (of means), t and p over values as if
    independent, as the appendix has them; paired_t and paired_p over identities, one mean per
    identity and attribute (an identity that lacks one of the two is left out; a pair that differs
    in identity counts for its first); p_holm and paired_p_holm.
    """
    kinds = {
        kind: [name for name, own in ATTRIBUTES.items() if own == kind]
        for kind in ("unprotected", "protected")
    }
    rows = {}
    for valence, dimensions in VALENCE.items():
        part = table[table["dimension"].isin(dimensions)]
        values = {
            name: own["difference"].to_numpy()
            for name, own in part.groupby("attribute", observed=True)
        }
        means = part.groupby(["first", "attribute"], observed=True)["difference"].mean().unstack()
        for first in kinds["unprotected"]:
            for second in kinds["protected"]:
                one: Any = stats.ttest_ind(values[first], values[second])
                both = means[[first, second]].dropna()
                other: Any = stats.ttest_rel(both[first], both[second])
                gap = values[first].mean() - values[second].mean()
                rows[valence, first, second] = (
                    gap,
                    one.statistic,
                    one.pvalue,
                    other.statistic,
                    other.pvalue,
                )
    found = pd.DataFrame(rows, index=["difference", "t", "p", "paired_t", "paired_p"]).T
    found.index.names = ["valence", "first", "second"]
    return found.assign(**{f"{name}_holm": holm(found[name]) for name in ("p", "paired_p")})


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


def intervals(
    table: pd.DataFrame, draws: Mapping[str, pd.DataFrame], *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Each attribute's median with both intervals, largest first: attribute, resampled, median,
    low, high, width."""
    ends, rows = [(1 - confidence_level) / 2, (1 + confidence_level) / 2], []
    for attribute, median in medians(table).sort_values(ascending=False).items():
        for unit, own in draws.items():
            low, high = np.quantile(own[attribute], ends)
            rows.append(
                {
                    "attribute": attribute,
                    "resampled": unit,
                    "median": median,
                    "low": low,
                    "high": high,
                }
            )
    return pd.DataFrame(rows).assign(width=lambda found: found["high"] - found["low"])


def widening(lines: pd.DataFrame) -> pd.Series:
    """How many times as wide the interval over identities is as that over values, per attribute."""
    width = lines.pivot(index="attribute", columns="resampled", values="width")
    return width["identities"] / width["values"]


def equivalence(
    draws: Mapping[str, pd.DataFrame], first: str, second: str, *, margin: tuple[float, float]
) -> pd.DataFrame:
    """Whether the ratio of two medians lies within a band that one would call equal: two one-sided
    tests at 5 %.

    Returns
    -------
    Indexed by what was resampled: low, high (90 % interval of the ratio first over second), equal
    (it lies inside)."""
    ends = {
        unit: np.quantile(own[first] / own[second], [0.05, 0.95]) for unit, own in draws.items()
    }
    found = pd.DataFrame(ends, index=["low", "high"]).T
    return found.assign(equal=(found["low"] > margin[0]) & (found["high"] < margin[1]))


def inner_half(levels: Any) -> tuple[float, float]:
    """The middle half of the range of some levels; missing ones are left out."""
    low, high = np.nanmin(np.asarray(levels, float)), np.nanmax(np.asarray(levels, float))
    return float(low + (high - low) / 4), float(high - (high - low) / 4)


# --- claims ---------------------------------------------------------------------------------------


def counts(faces: pd.DataFrame, table: pd.DataFrame, *, n: int, min_gap: float) -> dict[str, float]:
    """The design as the text counts it, by the claim's id without "variation."; nothing where
    subsets are not known."""
    if "subset" not in faces:
        return {}
    kinds, seeds = faces["subset"].value_counts(), faces["seed"].nunique()
    prototypes, attributes = kinds["prototype"], table["attribute"].nunique()
    found = {
        "seeds": seeds,
        "prototypes": prototypes / seeds,
        "races": faces["race"].nunique(),
        "genders": faces["gender"].nunique(),
        "variations": (len(faces) - prototypes) / prototypes,
        "per-prototype": len(faces) / prototypes,
        "per-seed": len(faces) / seeds,
        "images": len(faces),
        "draws": n,
        "dimensions": table["dimension"].nunique(),
        "attributes": attributes,
        "values": len(table) / attributes,
        "gap": min_gap,
    }
    levels = {
        f"{name}-levels": kinds[name] / prototypes
        for name in ("age", "smiling", "lighting", "pose")
    }
    return {name: float(value) for name, value in (found | levels).items()}


def stacked(faces: pd.DataFrame) -> float:
    """How many rows the authors' code has: four tables, one per varied attribute, each with all
    prototypes."""
    return float(len(faces) + 3 * (faces["subset"] == "prototype").sum())


def claims(table: pd.DataFrame) -> dict[str, bool | float]:
    """What the text says of Figure 2 and Table B.2, by the claim's id without "variation."; p and t
    as they are."""
    middle, p = medians(table), rank_sums(table).set_index(["first", "second"])["p"]
    larger, alike = bool(middle["smiling"] > middle["age"]), bool(p["lighting", "age"] > 0.05)
    earlier = t_tests(table)
    found = {
        "seed-largest": bool((middle.drop("seed") < middle["seed"]).all()),
        "seed-within": bool((middle[["race", "gender"]] < middle["seed"]).all()),
        "seed-p": float(p["seed"].max()),
        "smiling-p": float(p["smiling", "age"]),
        "lighting-p": float(p["lighting", "age"]),
        **dict.fromkeys(("smiling-over-age", "abstract-smiling", "discussion-smiling"), larger),
        **dict.fromkeys(("lighting-as-age", "abstract-lighting", "discussion-lighting"), alike),
        "table_b2.pairs": float(len(earlier)),
        "table_b2.not-significant": float(earlier.loc[[*IN_B2], "p"].min()),
        "table_b2.others": bool((earlier["p"].drop([*IN_B2]) < 0.05).all()),
    }
    printed = {
        f"table_b2.{valence}.{first}_{second}.{name}": float(
            earlier.loc[(valence, first, second), name]
        )
        for valence, first, second in IN_B2
        for name in ("t", "p")
    }
    return found | printed


# --- retrained networks ---------------------------------------------------------------------------


def medians_by_network(one: Shown, pairs: Pairs) -> pd.DataFrame:
    """The median difference over pairs and dimensions, logits: one row per network, with b and a
    column per attribute.

    Parameters
    ----------
    pairs : as from `pairs`, over the pictures of `one`.
    """
    found = {
        name: np.median(np.abs(one.logits[:, both[:, 0]] - one.logits[:, both[:, 1]]), axis=(1, 2))
        for name, both in pairs.items()
    }
    return one.networks[["b"]].join(pd.DataFrame(found))


def beyond_null(
    moved: pd.DataFrame, attributes: Sequence[str], *, alpha: float = 0.05
) -> pd.DataFrame:
    """How many networks an attribute moves more than it moves all but a few of those with nothing
    planted.

    Parameters
    ----------
    moved : as `medians_by_network`, with networks of b = 0 and of others.
    attributes : columns of it.
    alpha : of the one-sided rank among the networks of b = 0.

    Returns
    -------
    Index attribute and b (above 0); the columns of `vb.networks.rates`.
    """
    silent, hits = moved["b"] == 0, {}
    for name in attributes:
        found = pd.Series(vb.networks.among_null(moved[name], silent) <= alpha, moved.index)
        for b, own in found[~silent].groupby(moved["b"]):
            hits[name, b] = own.to_numpy()
    return vb.networks.rates(hits).rename_axis(["attribute", "b"])


@dataclass(frozen=True, eq=False)
class Gaps:
    """Signed differences between two groups' pictures of the same identity.

    Attributes
    ----------
    cells : one row per pair of groups and dimension: column (race or gender), first, second, pair,
        dimension.
    values : `(networks, identities, cells)`, first − second, logits.
    """

    cells: pd.DataFrame
    values: np.ndarray

    @property
    def by_network(self) -> pd.DataFrame:
        """The mean over identities: one row per network, one column per row of `cells`."""
        return pd.DataFrame(self.values.mean(axis=1))


def signed_gaps(one: Shown) -> Gaps:
    """Each identity's picture in one group less that in another, averaged over the other attribute,
    for all pairs.

    `one` shows every identity in every group, such as prototypes.
    """
    networks, n, k = one.logits.shape
    table, cells, values = (
        pd.DataFrame(one.logits.transpose(1, 0, 2).reshape(n, networks * k)),
        [],
        [],
    )
    for column in GROUPED_BY:
        means = table.groupby([one.images[column].to_numpy(), one.images["seed"].to_numpy()]).mean()
        for first, second in combinations(sorted(one.images[column].unique()), 2):
            gap = (means.loc[first] - means.loc[second]).to_numpy().reshape(-1, networks, k)
            values.append(gap.transpose(1, 0, 2))
            cells.append(
                pd.DataFrame(
                    {
                        "column": column,
                        "first": first,
                        "second": second,
                        "pair": f"{first} − {second}",
                        "dimension": one.dimensions,
                    }
                )
            )
    return Gaps(pd.concat(cells, ignore_index=True), np.concatenate(values, axis=2))


def called_for(cells: pd.DataFrame, levels: Mapping[str, pd.DataFrame]) -> np.ndarray:
    """The gaps that the truth calls for, `(cells,)`: first − second of each cell.

    Parameters
    ----------
    cells : see `Gaps`.
    levels : per column (race, gender), the truth of its groups, `(group × dimension)`: what a count
        of their captions shows, or the mean over single faces of what a network that had learnt
        every face's odds would show.
    """
    first, second = (
        [levels[row["column"]].at[row[end], row["dimension"]] for row in cells.to_dict("records")]
        for end in ("first", "second")
    )
    return np.array(first) - np.array(second)


def beside_truth(gaps: Gaps, truths: Mapping[str, Mapping[str, pd.DataFrame]]) -> pd.DataFrame:
    """The mean gap over networks with its 95 % interval, beside each truth: one row per cell and
    yardstick.

    Returns
    -------
    The columns of `Gaps.cells`, then those of `vb.networks.one_sample`, planted, and yardstick (a
    key of `truths`)."""
    shown = gaps.cells.join(vb.networks.one_sample(gaps.by_network))
    return pd.concat(
        [
            shown.assign(planted=called_for(gaps.cells, levels), yardstick=name)
            for name, levels in truths.items()
        ],
        ignore_index=True,
    )


def sign_tests(gaps: Gaps) -> np.ndarray:
    """p of Student's t over identities, network by network, `(networks, cells)`: does the gap
    differ from zero?"""
    test: Any = stats.ttest_1samp(gaps.values, 0.0, axis=1)
    return test.pvalue


def race_against_gender(one: Shown, pairs: Pairs) -> pd.DataFrame:
    """In each network, four tests of whether race and gender differ in how far they move
    perception: p, two-sided.

    Parameters
    ----------
    one : see `Shown`; its pictures have the column seed.
    pairs : pairs that differ in race and in gender, as from `pairs`, over these pictures.

    Returns
    -------
    One row per network, one column per test: rank-sum and t over pairs × dimensions, rank-sum over
    pairs, and paired t over the identities that occur in both.
    """
    values = {
        name: np.abs(one.logits[:, both[:, 0]] - one.logits[:, both[:, 1]])
        for name, both in pairs.items()
    }
    race, gender = values["race"], values["gender"]
    networks, pairs_, k = race.shape
    seeds = one.images["seed"].to_numpy()
    own = [
        pd.DataFrame(values[name].mean(axis=2).T).groupby(seeds[pairs[name][:, 0]]).mean()
        for name in GROUPED_BY
    ]
    both = np.intersect1d(own[0].index, own[1].index)
    flat = [part.reshape(networks, -1) for part in (race, gender)]
    single = [part.mean(axis=2) for part in (race, gender)]
    tests: dict[str, Any] = {
        f"rank-sum, {pairs_ * k:,} values (as in 2025)": stats.mannwhitneyu(*flat, axis=1),
        f"t, {pairs_ * k:,} values (as earlier)": stats.ttest_ind(*flat, axis=1),
        f"rank-sum, {pairs_:,} pairs": stats.mannwhitneyu(*single, axis=1),
        f"paired t, {len(both)} identities": stats.ttest_rel(own[0].loc[both], own[1].loc[both]),
    }
    return pd.DataFrame({name: test.pvalue for name, test in tests.items()})
