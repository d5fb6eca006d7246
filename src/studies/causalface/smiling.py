"""Perception over smiling, lighting and pose: Hausladen et al. (2025), Figures 3 and S.1, Table
S.2.

Comes in: a perception of a set in which each attribute varies alone, or retrained networks; roles
and truth. Goes out: level means with bootstrap draws, and tables of correlations, contrasts, slopes
and rates. May not: name a fictional group, or know what was planted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.roles import Roles
from studies.shown import shown
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

VARIED = ("smiling", "lighting", "pose")
_NORMAL = stats.norm.ppf(0.975)
_STILL = 1e-12  # a sum of squares below this is rounding: the pole does not move
_FLAT = 1e-10  # a direction with less than this share of the largest variance is rounding

Truth = Callable[[pd.DataFrame], pd.DataFrame]


# --- level means ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Trajectory:
    """What judgements do over the levels of one attribute: one mean per group, level and dimension,
    in many versions.

    Attributes
    ----------
    values : `(versions, groups, levels, dimensions)`. The versions are the data themselves and then
        the same with identities drawn anew; or retrained networks.
    levels : `(levels,)`, ascending.
    groups : names; ("all",) where groups are not told apart.
    dimensions : names.
    """

    values: np.ndarray
    levels: np.ndarray
    groups: tuple[str, ...]
    dimensions: tuple[str, ...]

    def mean(self, group: str = "all") -> pd.DataFrame:
        """One group's means in the first version, `(level × dimension)`."""
        return pd.DataFrame(
            self.values[0, self.groups.index(group)], self.levels, list(self.dimensions)
        )

    def of(self, dimension: str) -> np.ndarray:
        """One dimension, `(versions, groups, levels)`."""
        return self.values[..., self.dimensions.index(dimension)]


def series(faces: pd.DataFrame, attribute: str) -> np.ndarray:
    """Which faces show what an attribute does, `(n,)` bool: the series in which it varies alone and
    the prototypes, of identities that have such a series."""
    own = faces["subset"].isin([attribute, "prototype"]) & faces[attribute].notna()
    return (own & faces["seed"].isin(faces.loc[faces["subset"] == attribute, "seed"])).to_numpy(
        bool
    )


def trajectory(
    values: pd.DataFrame,
    faces: pd.DataFrame,
    attribute: str,
    *,
    groups: Sequence[str] | None = None,
    n: int = 0,
    seed: int = 0,
) -> Trajectory:
    """Level means of what one model saw, and the same with identities drawn anew `n` times.

    An identity that is drawn counts in all groups and at all levels at once. A draw that leaves a
    group without any image at a level has no mean there: NaN.

    Parameters
    ----------
    values : one row per image, one column per dimension.
    faces : one row per image: seed, subset, race, gender and the attribute; see `series` for which
        are used.
    groups : such as "white female"; by default, groups are not told apart.
    """
    used = np.flatnonzero(series(faces, attribute))
    cell, levels, names = _cells(faces.iloc[used], attribute, groups)
    used, cell = used[cell >= 0], cell[cell >= 0]
    identity, identities = pd.factorize(faces["seed"].iloc[used])
    y, size = values.iloc[used].to_numpy(float), len(names) * len(levels)
    place = identity * size + cell
    counts = np.bincount(place, minlength=len(identities) * size).reshape(len(identities), size)
    sums = np.stack([np.bincount(place, one, counts.size) for one in y.T], axis=1).reshape(
        len(identities), -1
    )
    weights = np.ones((1, len(identities)))
    if n:
        drawn = vb.cluster_weights(np.arange(len(identities)), n_resamples=n, seed=seed)
        weights = np.vstack([weights, drawn])
    totals, shares = (
        (weights @ sums).reshape(len(weights), size, -1),
        (weights @ counts)[:, :, None],
    )
    means = np.divide(totals, shares, out=np.full_like(totals, np.nan), where=shares > 0)
    return Trajectory(
        means.reshape(len(weights), len(names), len(levels), -1),
        levels,
        names,
        tuple(values.columns),
    )


def _cells(
    faces: pd.DataFrame, attribute: str, groups: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Each face's cell, group by group and level by level (-1 for another group), the levels, and
    the groups."""
    level, levels = pd.factorize(faces[attribute], sort=True)
    if groups is None:
        return level, np.asarray(levels, float), ("all",)
    group = (
        (faces["race"] + " " + faces["gender"])
        .map({name: k for k, name in enumerate(groups)})
        .fillna(-1)
    )
    cell = np.where(group >= 0, group * len(levels) + level, -1).astype(int)
    return cell, np.asarray(levels, float), tuple(groups)


# --- the poles of a pair --------------------------------------------------------------------------


def correlations(own: Trajectory, group: int = 0) -> pd.DataFrame:
    """r between the two poles of each pair over level means, one row per version; NaN where a pole
    does not move."""
    found = {}
    for pair, (one, other) in CAUSALFACE.poles.items():
        x, y = (own.of(name)[:, group] for name in (one, other))
        x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
        size = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
        found[pair] = np.divide(
            (x * y).sum(axis=1), size, out=np.full(len(x), np.nan), where=size > _STILL
        )
    return pd.DataFrame(found)


def contrasts(own: Trajectory, group: int = 0) -> dict[str, np.ndarray]:
    """Positive minus negative pole of each pair, less its mean over the levels:
    `(versions, levels)`.

    Whatever is subtracted from both poles of an image, a neutral cosine or a mean over adjectives,
    cancels.
    """
    gaps = {
        pair: (own.of(one) - own.of(other))[:, group]
        for pair, (one, other) in CAUSALFACE.poles.items()
    }
    return {pair: gap - gap.mean(axis=1, keepdims=True) for pair, gap in gaps.items()}


def ranges(own: Trajectory, group: int = 0) -> pd.DataFrame:
    """By how much the contrast of each pair differs between its highest and lowest level, one row
    per version."""
    return pd.DataFrame({pair: np.ptp(gap, axis=1) for pair, gap in contrasts(own, group).items()})


def alike(draws: np.ndarray) -> float:
    """p of a Wald test that k quantities are one and the same.

    Parameters
    ----------
    draws : `(1 + n, k)`, the data themselves first, then resamples, whose covariance is taken as
        that of the data.
    """
    gaps = draws[:, :-1] - draws[:, -1:]
    covariance = np.atleast_2d(np.cov(gaps[1:], rowvar=False))
    variances, directions = np.linalg.eigh(covariance)
    kept = variances > _FLAT * variances.max()
    wald = ((gaps[0] @ directions[:, kept]) ** 2 / variances[kept]).sum()
    return float(stats.chi2.sf(wald, kept.sum()))


def poles(trajectories: Mapping[str, Trajectory]) -> pd.DataFrame:
    """Table S.2 and what it leaves out, attribute by attribute and pair by pair.

    Parameters
    ----------
    trajectories : attribute → its course without groups, with resampled identities.

    Returns
    -------
    attribute, pair, n (levels); r with its 95 % interval over identities (low, high), p as the
    paper takes it, over levels, and p_holm; range (of the contrast), p_constant (Wald test over
    identities that it is the same at every level), p_constant_holm.
    """
    rows = []
    for attribute, own in trajectories.items():
        r, gaps, reach = correlations(own), contrasts(own), ranges(own)
        for pair in CAUSALFACE.poles:
            low, high = np.nanquantile(r[pair][1:], [0.025, 0.975])
            rows.append(
                {
                    "attribute": attribute,
                    "pair": pair,
                    "n": len(own.levels),
                    "r": r[pair][0],
                    "low": low,
                    "high": high,
                    "p": float(vb.correlations.p_value(r[pair][0], len(own.levels))),
                    "range": reach[pair][0],
                    "p_constant": alike(gaps[pair]),
                }
            )
    table = pd.DataFrame(rows)
    corrected = {f"{name}_holm": holm(table[name]) for name in ("p", "p_constant")}
    return table.assign(**corrected)


# --- groups ---------------------------------------------------------------------------------------


def slopes(own: Trajectory) -> np.ndarray:
    """The linear coefficient of a quadratic through each group's level means,
    `(versions, groups, dimensions)`.

    In the unit of the values per half range of the attribute (β₁ of `vb.trajectories`).
    """
    versions, groups, levels, dimensions = own.values.shape
    y = own.values.transpose(2, 0, 1, 3).reshape(levels, -1)
    return vb.quadratics(y, own.levels)[1].reshape(versions, groups, dimensions)


def beyond(slope: np.ndarray, groups: Sequence[str], group: str) -> np.ndarray:
    """One group's slope minus the mean of the others', `(versions, dimensions)`, of `slopes`."""
    k = list(groups).index(group)
    return slope[:, k] - np.delete(slope, k, axis=1).mean(axis=1)


def steepest(slope: np.ndarray) -> np.ndarray:
    """In how many dimensions each group has the largest slope, `(versions, groups)`."""
    first = slope.argmax(axis=1)
    return (first[:, None, :] == np.arange(slope.shape[1])[:, None]).sum(axis=2)


def excess(own: Trajectory, roles: Roles) -> pd.DataFrame:
    """Whether the attribute works differently for groups, and for the outlier.

    Parameters
    ----------
    own : a course with groups and resampled identities.

    Returns
    -------
    One row per dimension: dimension; slope of the outlier minus the mean of the others with a 95 %
    interval (value, low, high), two-sided p by its bootstrap standard error, p_holm; p_alike,
    p_alike_holm (Wald test that all groups have one slope).
    """
    slope = slopes(own)
    gap = beyond(slope, own.groups, roles.outlier)
    low, high = np.quantile(gap[1:], [0.025, 0.975], axis=0)
    p = {
        "p": 2 * stats.norm.sf(np.abs(gap[0]) / gap[1:].std(axis=0)),
        "p_alike": np.array([alike(one) for one in np.moveaxis(slope, 2, 0)]),
    }
    corrected = {f"{name}_holm": holm(one) for name, one in p.items()}
    return pd.DataFrame(
        {"dimension": own.dimensions, "value": gap[0], "low": low, "high": high, **p, **corrected}
    )


def gap_in_words(seen: vb.Perception, roles: Roles, *, n: int, seed: int) -> pd.DataFrame:
    """Smiling slope of women minus that of men, in delta-cos × 100, for honesty and dishonesty.

    The last row adds up the first two: were "dishonest" the opposite of "honest" and nothing else,
    it would be 0.

    Returns
    -------
    of ("honest", "dishonest", "negative communion", "honest + dishonest"), value, low, high (95 %),
    differs.
    """
    words = {word: seen.word(word) - seen.neutral() for word in ("honest", "dishonest")}
    values = 100 * pd.DataFrame(words | {"negative communion": seen.delta()["negative_communion"]})
    own = trajectory(values, seen.table, "smiling", groups=roles.groups, n=n, seed=seed)
    means = {
        level: slopes(own)[:, [own.groups.index(name) for name in roles.having(level)]].mean(axis=1)
        for level in ("female", "male")
    }
    gap = means["female"] - means["male"]
    gap = np.column_stack([gap, gap[:, 0] + gap[:, 1]])
    low, high = np.quantile(gap[1:], [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {
            "of": [*values.columns, "honest + dishonest"],
            "value": gap[0],
            "low": low,
            "high": high,
            "differs": (low > 0) | (high < 0),
        }
    )


def figure_data(own: Trajectory, *, steps: int = 40) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What Figure 3 draws: a quadratic per group and dimension at `steps` levels, and the means;
    panel (the dimension, in words), group, level, value."""
    u, half = np.linspace(-1, 1, steps), np.ptp(own.levels) / 2
    x, design = own.levels.min() + half * (u + 1), np.vander(u, 3, increasing=True)
    lines, dots = [], []
    for group in own.groups:
        means = own.mean(group)
        fit = pd.DataFrame(design @ vb.quadratics(means, own.levels), x, means.columns)
        for part, table in ((lines, fit), (dots, means)):
            named = (
                table.rename(columns=lambda name: name.replace("_", " "))
                .rename_axis("level")
                .reset_index()
            )
            part.append(named.melt("level", var_name="panel").assign(group=group))
    return pd.concat(lines, ignore_index=True), pd.concat(dots, ignore_index=True)


# --- retrained networks, and what captions show ---------------------------------------------------


def of_networks(
    portraits: Any, attribute: str, networks: Any, *, groups: Sequence[str] | None = None
) -> tuple[pd.DataFrame, Trajectory]:
    """What retrained networks show over an attribute, in logits.

    Parameters
    ----------
    portraits : see `studies.shown.shown`; its images have a column `set`, and those of "grid"
        are used.
    networks : mask over its networks.

    Returns
    -------
    (networks, course) : one row per network, and the course whose versions they are.
    """
    chosen = portraits.images["set"].eq("grid").to_numpy().copy()
    chosen[chosen] = series(portraits.images[chosen], attribute)
    one = shown(portraits, CAUSALFACE.dimensions, networks=networks, images=chosen)
    cell, levels, names = _cells(one.images, attribute, groups)
    share = (cell == np.arange(len(names) * len(levels))[:, None]).astype(float)
    means = np.einsum("ci,nik->nck", share / share.sum(axis=1, keepdims=True), one.logits)
    return one.networks, Trajectory(
        means.reshape(len(means), len(names), len(levels), -1), levels, names, one.dimensions
    )


def of_truth(
    faces: pd.DataFrame, truth: Truth, attribute: str, *, groups: Sequence[str] | None = None
) -> Trajectory:
    """The course that a truth has among these faces.

    Parameters
    ----------
    truth : from faces to logits, with one row per level (or per group and level): what a count of
        captions shows, in the index the attribute, or race, gender and the attribute.
    """
    table = truth(faces.loc[series(faces, attribute)])[list(CAUSALFACE.dimensions)]
    own = table.index.to_frame(index=False)
    cell, levels, names = _cells(own, attribute, groups)
    values = np.full((len(names) * len(levels), table.shape[1]), np.nan)
    values[cell[cell >= 0]] = table.to_numpy()[cell >= 0]
    return Trajectory(
        values.reshape(1, len(names), len(levels), -1), levels, names, CAUSALFACE.dimensions
    )


def poles_by_network(found: Mapping[str, tuple[pd.DataFrame, Trajectory]]) -> pd.DataFrame:
    """Table S.2 in every network.

    Parameters
    ----------
    found : attribute → its networks (with b) and their course without groups, as from
        `of_networks`.

    Returns
    -------
    attribute, pair, b, r, significant (its p over levels is below .05), range (of the contrast, in
    logits).
    """
    parts = []
    for attribute, (networks, own) in found.items():
        r, reach = (
            table.melt(var_name="pair", ignore_index=False)
            for table in (correlations(own), ranges(own))
        )
        parts.append(
            pd.DataFrame(
                {
                    "attribute": attribute,
                    "pair": r["pair"].to_numpy(),
                    "b": networks["b"].to_numpy()[r.index],
                    "r": r["value"].to_numpy(),
                    "significant": vb.correlations.p_value(r["value"], len(own.levels)) < 0.05,
                    "range": reach["value"].to_numpy(),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def beside_counts(
    found: pd.DataFrame, counted: pd.DataFrame, *, clear: float = 0.01
) -> pd.DataFrame:
    """Table S.2 in networks beside what a count of captions shows.

    Parameters
    ----------
    found, counted : of `poles_by_network`; the second has one row per attribute and pair.
    clear : range in logits up to which captions do not set the poles apart.

    Returns
    -------
    attribute, pair; medians over networks: r, range; significant: its n, hits, rate, low, high
    (exact 95 %); counted_r, counted_range; apart (captions set the poles apart).
    """
    keys = ["attribute", "pair"]
    own = found.groupby(keys, sort=False)
    rates = vb.networks.rates(
        {key: cell.to_numpy(bool) for key, cell in own["significant"]}
    ).rename_axis(keys)
    truth = counted.set_index(keys)[["r", "range"]].add_prefix("counted_")
    table = own[["r", "range"]].median().join(rates).join(truth)
    return table.assign(apart=table["counted_range"] > clear).reset_index()
