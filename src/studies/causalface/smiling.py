"""Perception over smiling, lighting and pose: Hausladen et al. (2025), Figures 3 and S.1, Table
S.2, and Table B.1 of an earlier version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats

import vlmbias as vb
from audit.printed import Printed, parse
from studies.roles import Roles
from studies.shown import shown
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

VARIED = ("smiling", "lighting", "pose")
SMILES = (-2.5, -1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)  # the paper's levels
SIDES = tuple(side for sides in CAUSALFACE.poles.values() for side in sides)
OTHERS = tuple(name for name in CAUSALFACE.dimensions if name not in SIDES)
POSITIVE = list(CAUSALFACE.positive)
NEGATIVE = [name for name in CAUSALFACE.dimensions if name not in POSITIVE]
_STILL = 1e-12  # a sum of squares below this is rounding: the side does not move
_FLAT = 1e-10  # a direction with less than this share of the largest variance is rounding


# --- level means ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Means per group, level and dimension over the levels of one attribute, in many versions.

    Attributes
    ----------
    values : `(versions, groups, levels, dimensions)`. The versions are the data themselves and then
        the same with people drawn anew; or retrained networks.
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
        own = self.values[0, self.groups.index(group)]
        return pd.DataFrame(own, self.levels, list(self.dimensions))

    def of(self, dimension: str) -> np.ndarray:
        """One dimension, `(versions, groups, levels)`."""
        return self.values[..., self.dimensions.index(dimension)]


def series(faces: pd.DataFrame, attribute: str) -> np.ndarray:
    """Which faces show what an attribute does, `(n,)` bool: the series in which it varies alone and
    the prototypes, of people who have such a series."""
    own = faces["subset"].isin([attribute, "prototype"]) & faces[attribute].notna()
    people = faces.loc[faces["subset"] == attribute, "seed"]
    return (own & faces["seed"].isin(people)).to_numpy(bool)


def trajectory(
    values: pd.DataFrame,
    faces: pd.DataFrame,
    attribute: str,
    *,
    groups: Sequence[str] | None = None,
    n: int = 0,
    seed: int = 0,
) -> Trajectory:
    """Level means of what one model saw, and the same with people drawn anew `n` times.

    Whoever is drawn counts in all groups and at all levels at once. A draw that leaves a group
    without any image at a level has no mean there: NaN.

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
    person, people = pd.factorize(faces["seed"].iloc[used])
    y, size, n_people = values.iloc[used].to_numpy(float), len(names) * len(levels), len(people)
    # sums and counts of each person and cell; a draw weighs the people
    place = person * size + cell
    counts = np.bincount(place, minlength=n_people * size).reshape(n_people, size)
    sums = np.stack([np.bincount(place, one, counts.size) for one in y.T], axis=1)
    weights = np.ones((1, n_people))
    if n:
        drawn = vb.cluster_weights(np.arange(n_people), n_resamples=n, seed=seed)
        weights = np.vstack([weights, drawn])
    totals = (weights @ sums.reshape(n_people, -1)).reshape(len(weights), size, -1)
    shares = (weights @ counts)[:, :, None]
    means = np.divide(totals, shares, out=np.full_like(totals, np.nan), where=shares > 0)
    shape = (len(weights), len(names), len(levels), -1)
    return Trajectory(means.reshape(shape), levels, names, tuple(values.columns))


def of_networks(
    portraits: Any, attribute: str, networks: Any, *, groups: Sequence[str] | None = None
) -> Trajectory:
    """What retrained networks show over an attribute, in logits; each version is a network.

    Parameters
    ----------
    portraits : see `studies.shown.shown`; its images have a column `set`, and those of "grid"
        are used.
    networks : mask over its networks.
    """
    chosen = portraits.images["set"].eq("grid").to_numpy().copy()
    chosen[chosen] = series(portraits.images[chosen], attribute)
    one = shown(portraits, CAUSALFACE.dimensions, networks=networks, images=chosen)
    cell, levels, names = _cells(one.images, attribute, groups)
    share = (cell == np.arange(len(names) * len(levels))[:, None]).astype(float)
    means = np.einsum("ci,nik->nck", share / share.sum(axis=1, keepdims=True), one.logits)
    shape = (len(means), len(names), len(levels), -1)
    return Trajectory(means.reshape(shape), levels, names, one.dimensions)


def _cells(
    faces: pd.DataFrame, attribute: str, groups: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Each face's cell, group by group and level by level (-1 for another group), the levels, and
    the groups."""
    level, levels = pd.factorize(faces[attribute], sort=True)
    if groups is None:
        return level, np.asarray(levels, float), ("all",)
    group = pd.Index(groups).get_indexer(faces["race"] + " " + faces["gender"])
    cell = np.where(group >= 0, group * len(levels) + level, -1)
    return cell, np.asarray(levels, float), tuple(groups)


# --- the two sides of a trait ---------------------------------------------------------------------


def correlations(own: Trajectory) -> pd.DataFrame:
    """r between the two sides of each trait over level means, one row per version; NaN where a side
    does not move."""
    found = {}
    for pair, sides in CAUSALFACE.poles.items():
        x, y = (own.of(name)[:, 0] for name in sides)
        x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
        size = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
        r = np.full(len(x), np.nan)
        found[pair] = np.divide((x * y).sum(axis=1), size, out=r, where=size > _STILL)
    return pd.DataFrame(found)


def contrasts(own: Trajectory) -> dict[str, np.ndarray]:
    """Positive minus negative side of each trait, less its mean over the levels:
    `(versions, levels)`. Whatever is subtracted from both sides of an image cancels."""
    gaps = {
        pair: (own.of(one) - own.of(other))[:, 0] for pair, (one, other) in CAUSALFACE.poles.items()
    }
    return {pair: gap - gap.mean(axis=1, keepdims=True) for pair, gap in gaps.items()}


def ranges(own: Trajectory) -> pd.DataFrame:
    """By how much the contrast of each trait differs between its highest and lowest level, one row
    per version."""
    return pd.DataFrame({pair: np.ptp(gap, axis=1) for pair, gap in contrasts(own).items()})


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
    """Table S.2 and what it leaves out, attribute by attribute and trait by trait.

    Parameters
    ----------
    trajectories : attribute → its course without groups, with people drawn anew.

    Returns
    -------
    attribute, pair, n (levels); r with its 95 % interval over people (low, high), p as the paper
    takes it, over levels, and p_holm; range (of the contrast), p_constant (Wald test over people
    that it is the same at every level), p_constant_holm.
    """
    rows = []
    for attribute, own in trajectories.items():
        r, gaps, reach = correlations(own), contrasts(own), ranges(own)
        for pair in CAUSALFACE.poles:
            row = {"attribute": attribute, "pair": pair, "n": len(own.levels), "r": r[pair][0]}
            row["low"], row["high"] = np.nanquantile(r[pair][1:], [0.025, 0.975])
            row["p"] = float(vb.correlations.p_value(r[pair][0], len(own.levels)))
            row |= {"range": reach[pair][0], "p_constant": alike(gaps[pair])}
            rows.append(row)
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


def excess(own: Trajectory, group: str) -> pd.DataFrame:
    """Whether an attribute works differently for groups, and for one of them.

    Parameters
    ----------
    own : a course with groups, and with people drawn anew.

    Returns
    -------
    One row per dimension: dimension; slope of the group minus the mean of the others with a 95 %
    interval (value, low, high), two-sided p by its bootstrap standard error, p_holm; p_alike,
    p_alike_holm (Wald test that all groups have one slope).
    """
    slope, k = slopes(own), own.groups.index(group)
    gap = slope[:, k] - np.delete(slope, k, axis=1).mean(axis=1)
    low, high = np.quantile(gap[1:], [0.025, 0.975], axis=0)
    p = {
        "p": 2 * stats.norm.sf(np.abs(gap[0]) / gap[1:].std(axis=0)),
        "p_alike": np.array([alike(one) for one in np.moveaxis(slope, 2, 0)]),
    }
    corrected = {f"{name}_holm": holm(one) for name, one in p.items()}
    return pd.DataFrame(
        {"dimension": own.dimensions, "value": gap[0], "low": low, "high": high, **p, **corrected}
    )


def women_beyond_men(seen: vb.Perception, roles: Roles, *, n: int, seed: int) -> pd.DataFrame:
    """Smiling slope of women minus that of men, in delta-cos × 100, with a 95 % interval: value,
    low, high of honest, dishonest and negative_communion."""
    values = pd.DataFrame(
        {word: seen.word(word) - seen.neutral() for word in ("honest", "dishonest")}
    )
    values = 100 * values.assign(negative_communion=seen.delta()["negative_communion"])
    own = trajectory(values, seen.table, "smiling", groups=roles.groups, n=n, seed=seed)
    slope = slopes(own)
    women, men = (
        slope[:, [own.groups.index(name) for name in roles.having(level)]].mean(axis=1)
        for level in ("female", "male")
    )
    gap = women - men
    low, high = np.quantile(gap[1:], [0.025, 0.975], axis=0)
    return pd.DataFrame({"value": gap[0], "low": low, "high": high}, list(values))


# --- what was printed -----------------------------------------------------------------------------

# A line with a constant gives away its predictor's root mean square: se(constant)/se(slope).


def rms(x: Sequence[float]) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(x, dtype=float))))


def implied(printed: Mapping[str, str], row: str) -> dict[str, float]:
    """The bounds of the root mean square of a regression's predictor, rms_low and rms_high, from
    what Table B.1 prints of it. `printed`: the ledger's claims by id; each number stands for all
    that round to it."""
    error, constant = (
        _size(printed[f"smiling.table_b1.{row}.{part}"]) for part in ("se", "const.se")
    )
    return {"rms_low": constant[0] / error[1], "rms_high": constant[1] / error[0]}


def cases_that_fit(r: str, p: str, *, most: int = 1_000) -> list[int]:
    """The numbers of pairs for which a printed correlation has the printed two-sided p, from 3 to
    `most`."""
    size, level = _size(r), _parsed(p)
    cases = range(3, most + 1)
    low, high = (vb.correlations.p_value(size[end], np.array(cases)) for end in (1, 0))
    return [n for n, *p in zip(cases, low, high, strict=True) if level.meets(*map(float, p))]


def _parsed(text: str) -> Printed:
    found = parse(text)
    if found is None:
        raise ValueError(f"{text!r} is printed, and is no number")
    return found


def _size(text: str) -> tuple[float, float]:
    """The interval of sizes, without their sign, that a printed number stands for."""
    one = _parsed(text)
    return (one.low, one.high) if one.number > 0 else (-one.high, -one.low)


# --- the lines of Table B.1 -----------------------------------------------------------------------


# attribute, dimensions, levels from and to, and whether a row is a mean per level (and theory), or
# a word of an image: the printed errors show which
LINES = {
    "smile_positive": ("smiling", POSITIVE, -inf, inf, "means"),
    "smile_negative": ("smiling", NEGATIVE, -inf, inf, "means"),
    "lighting": ("lighting", SIDES, -inf, inf, "words"),
    "pose_left": ("pose", SIDES, -inf, 0, "words"),
    "pose_right": ("pose", SIDES, 0, inf, "words"),
}


def lines(seen: vb.Perception) -> pd.DataFrame:
    """The regressions of Table B.1 on delta-cos: one row each, with what the table prints of it."""
    found = {}
    for name, (attribute, dimensions, low, high, unit) in LINES.items():
        level = seen.table[attribute].to_numpy(float)
        used = np.flatnonzero(series(seen.table, attribute) & (level >= low) & (level <= high))
        if unit == "means":
            delta = seen.delta().iloc[used]
            theories = [[one for one in part if one in dimensions] for part in (OTHERS, SIDES)]
            means = [delta[own].mean(axis=1).groupby(level[used]).mean() for own in theories if own]
            both = pd.concat(means)
            found[name] = line(both.to_numpy(), both.index)
        else:
            words = seen.words["dimension"].isin(dimensions).to_numpy()
            each = seen.cosines[np.ix_(used, words)] - seen.neutral()[used, None]
            found[name] = line(each.ravel(), np.repeat(level[used], each.shape[1]))
    return pd.DataFrame(found).T


def line(y: np.ndarray, x: Any) -> dict[str, float]:
    """A straight line by least squares, in the parts that Table B.1 prints."""
    fit = sm.OLS(y, sm.add_constant(np.asarray(x, float))).fit()
    found = {"r2": fit.rsquared, "n": len(y)}
    for k, prefix in enumerate(("const.", "")):
        found |= {f"{prefix}coef": fit.params[k], f"{prefix}se": fit.bse[k]}
        found |= {f"{prefix}p": fit.pvalues[k]}
    return found


def slope(
    own: Trajectory, dimensions: Sequence[str], *, low: float = -inf, high: float = inf
) -> float:
    """Slope of the straight line through level means from `low` to `high`, the mean over
    dimensions."""
    means = own.mean()[list(dimensions)].mean(axis=1).loc[low:high]
    return float(stats.linregress(means.index.to_numpy(), means.to_numpy()).slope)


# --- what the paper reads off its figures, by the claim's id without "smiling." -------------------

STEEP = ["warmth", "positive_communion", "competence", "conservative_belief"]  # for Black women
HIGH = ["positive_agency", "conservative_belief", "negative_communion"]  # for Asian men
DISHONEST = "negative_communion"
MONOTONE = 0.9  # |Spearman's rho| over levels from which a course has a trend
MIRRORED = 0.9  # r with its mirror image from which a course is symmetric


def claims(
    seen: vb.Perception, roles: Roles, *, n: int, seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """All that the chapter recomputes, of one perception: what is about all faces, and what names
    groups of people. `n`, `seed`: how often people are drawn anew, and the seed of it."""
    draw: dict[str, Any] = dict(n=n, seed=seed)
    values, raw = 100 * seen.delta(), 100 * seen.raw()
    delta = {name: trajectory(values, seen.table, name, **draw) for name in VARIED}
    cosines = {name: trajectory(raw, seen.table, name) for name in VARIED}
    groups = trajectory(values, seen.table, "smiling", groups=roles.groups, **draw)
    pairs, fitted = poles(delta), lines(seen)
    of_all, of_people = tested(
        pairs, women_beyond_men(seen, roles, **draw), excess(groups, roles.outlier)
    )
    for row in pairs.itertuples():
        name = f"table_s2.{row.attribute}.{row.pair}"
        of_all |= {f"{name}.r": row.r, f"{name}.p": row.p}
    for name, parts in fitted.iterrows():
        of_all |= {f"table_b1.{name}.{part}": value for part, value in parts.items()}
    of_all |= about_levels(delta, cosines, fitted["coef"])
    return of_all, of_people | about_people(groups, roles)


def tested(
    pairs: pd.DataFrame, words: pd.DataFrame, groups: pd.DataFrame
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Statements that need a test, at the 5 % level: those about all faces, and those that name
    groups; of `poles`, `women_beyond_men` and `excess`."""
    still = bool((pairs.loc[pairs["attribute"] != "smiling", "p_constant_holm"] > 0.05).all())
    differs = (words["low"] > 0) | (words["high"] < 0)
    return {"legibility": still, "legibility-again": still}, {
        "honesty": not differs["honest"],
        "dishonesty": bool(differs["dishonest"]),
        "caption-women": bool(differs[DISHONEST]),
        "different": bool((groups["p_alike_holm"] < 0.05).any()),
    }


def about_people(own: Trajectory, roles: Roles) -> dict[str, Any]:
    """Statements that name groups, from their course over the smile (its first version)."""
    black, men, women = roles.outlier, list(roles.having("male")), list(roles.having("female"))
    white, asian, asian_men = map(roles.group, ("white female", "asian female", "asian male"))
    frown, grin, overall, rise = (
        pd.DataFrame(values.T, list(own.dimensions), list(own.groups))
        for values in (
            own.values[0, :, 0],
            own.values[0, :, -1],
            own.values[0].mean(axis=1),
            slopes(own)[0],
        )
    )
    lowest, place = frown.idxmin(axis=1) == black, grin.rank(axis=1, ascending=False)[black]
    edges = [
        table[black] == edge
        for table in (frown, grin)
        for edge in (table.min(axis=1), table.max(axis=1))
    ]
    highest = overall.idxmax(axis=1) == asian_men
    far = {
        group: ((overall[group] - overall.drop(columns=group).mean(axis=1)) ** 2).sum()
        for group in overall
    }
    apart = [
        one.min() > other.max() or one.max() < other.min()
        for one, other in (
            (overall.loc[name, men], overall.loc[name, women])
            for name in ("positive_agency", DISHONEST)
        )
    ]
    first, mixed = rise.idxmax(axis=1) == black, np.sign(rise).nunique(axis=1) > 1
    dishonest = rise.loc[DISHONEST]
    _, lean, bend = vb.quadratics(own.mean(white)[[DISHONEST]], own.levels)[:, 0]
    found = {
        "black-women-extremes": np.logical_or.reduce(edges).mean() > 0.5,
        "frowning-lowest": lowest.drop("negative_agency").all() and not lowest["negative_agency"],
        "competence-lowest": lowest["competence"],
        "smiling-competence": place["competence"] == 1,
        "competence-highest": place["competence"] == 1,
        "smiling-communion": place["positive_communion"] == 3,
        "asian-men": highest[HIGH].all(),
        "outlier": max(far, key=lambda group: far[group]) == black,
        "caption-distinct": all(apart),
        "steepest": first[STEEP].all(),
        "one-panel": list(mixed.index[mixed]) == [DISHONEST],
        "men-decrease": (dishonest[men] < 0).all() and (dishonest[women] >= 0).all(),
        "women-increase": (dishonest[[asian, black]] > 0).all(),
        "white-women": bend > 0 and abs(lean) < 2 * bend,  # a U with its vertex among the levels
        "discussion-black-women": rise.loc[POSITIVE].mean().idxmax() == black,
        "discussion-extreme": (grin - frown).abs().mean().idxmax() == black,
    }
    counted = {"steepest-panels": int(first.sum()), "asian-men-dimensions": int(highest.sum())}
    return {name: bool(holds) for name, holds in found.items()} | counted


def about_levels(
    delta: Mapping[str, Trajectory], raw: Mapping[str, Trajectory], fitted: pd.Series
) -> dict[str, Any]:
    """Statements about all faces together.

    Parameters
    ----------
    delta, raw : attribute → its course without groups, in delta-cos and in raw cosines.
    fitted : slopes of Table B.1, as in `lines`.
    """
    light, turn = delta["lighting"].mean(), delta["pose"].mean()
    bright = light.mean(axis=1)
    order = list(bright.sort_values(ascending=False).index)
    ends, front = turn.iloc[[0, -1]].mean(axis=None), turn.loc[0].mean()
    mirrored = [np.corrcoef(curve, curve[::-1])[0, 1] > MIRRORED for curve in turn.to_numpy().T]
    apart = ~np.eye(len(CAUSALFACE.dimensions), dtype=bool)  # a dimension with itself left out
    trends = [
        abs(stats.spearmanr(means.index, means.mean(axis=1)).statistic) for means in (light, turn)
    ]
    at_front = raw["pose"].mean().mean(axis=1).idxmax() == 0
    r = {name: correlations(delta[name]).iloc[0] for name in VARIED}
    average = {name: float(own.mean()) for name, own in r.items()}
    parallel = min(r["lighting"].min(), r["pose"].min()) > 0
    better = fitted["smile_positive"] > 0
    own, of_raw = delta["smiling"], raw["smiling"]
    grumpy = slope(own, POSITIVE, high=0), slope(own, NEGATIVE, high=0)
    cheerful = slope(own, POSITIVE, low=0), slope(own, NEGATIVE, low=0)
    found = {
        "lighting-order": bright[-1] > bright[[2, 3]].mean() > bright[[5, 6]].mean(),
        "lighting-high": set(order[1:3]) == {2, 3},
        "lighting-lowest": set(order[-2:]) == {5, 6},
        "pose-extreme": ends > front,
        "pose-baseline": abs(ends) < abs(front),
        "pose-mirrored": all(mirrored),
        "pose-raw": at_front,
        "appendix.raw-pose": at_front,
        "negative-below": (turn[NEGATIVE].mean(axis=1) < turn[POSITIVE].mean(axis=1)).all(),
        "no-trend": max(trends) <= MONOTONE,
        "lighting-consistent": light.corr().to_numpy()[apart].min() > 0,
        "pose-parallel": turn.corr().to_numpy()[apart].min() > 0,
        "parallel": parallel,
        "appendix.same-trend": parallel,
        "pose-positive": r["pose"].min() > 0,
        "opposed": r["smiling"].max() < 0,
        "more-positive": better,
        "discussion-smiling": better,
        "less-negative": fitted["smile_negative"] < 0,
        "more-progressive": slope(own, ["progressive_belief"]) > 0,
        "appendix.grumpy": grumpy[0] > 0 > grumpy[1],
        "appendix.cheerful": max(cheerful) < 0,
        "appendix.lighting-negative": fitted["lighting"] < 0,
        "appendix.pose-rise": fitted["pose_left"] > 0 > fitted["pose_right"],
        "appendix.raw-smiling": slope(of_raw, POSITIVE) > 0 > slope(of_raw, NEGATIVE),
        "appendix.raw-lighting": slope(raw["lighting"], CAUSALFACE.dimensions) > 0,
    }
    return {name: bool(holds) for name, holds in found.items()} | {
        "lighting-highest": float(order[0]),
        "pose-average": average["pose"],
        **{f"{name}-r": value for name, value in average.items()},
        **{f"table_s2.{name}.average": value for name, value in average.items()},
    }
