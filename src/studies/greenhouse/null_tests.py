"""What tests of groups say in networks with nothing planted: per picture, per identity, and over
networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grid
from studies.greenhouse import recovery
from studies.greenhouse.sensitivity import DIMENSIONS

POSITIVE = ("warmth", "competence", "positive_agency", "progressive_belief", "positive_communion")
HUES, CRESTS = grid.HUES[:3], grid.CRESTS
SERIES = ("smiling", "age", "lighting", "pose")
OPPOSITES = (
    ("positive_agency", "negative_agency"),
    ("progressive_belief", "conservative_belief"),
    ("positive_communion", "negative_communion"),
)
HALVES = (
    ("smiling", -9, 0),
    ("smiling", 0, 9),
    ("lighting", -9, 9),
    ("pose", -9, 0),
    ("pose", 0, 9),
)  # of Table B.1
UNITS = ("picture", "identity")
KINDS = {
    "group means of Δcos": "means of Δcos",
    "S.13 neutral cosines": "means, neutral sentence (S.13)",
    "Table S.1 SC-WEAT": "association d (Table S.1)",
    "C.5 correlations": "correlations of traits (C.5)",
    "Table S.2 correlations": "correlations in a series (Table S.2)",
    "Table B.1 slopes": "straight slopes (Table B.1)",
    "Fig. 5 quadratics": "curves over age (Fig. 5)",
}  # the names of `ask`, for readers
LARGEST_R = 0.999999  # beyond it Fisher's z has no end


@dataclass(frozen=True, eq=False)
class Pictures:
    """What networks make of pictures, ordered by who and how: cosines of prototypes, `(networks,
    identities, 1, hues, crests, COLUMNS)`, and of each series, with its levels on the third axis;
    the values of these levels."""

    prototypes: np.ndarray
    series: Mapping[str, np.ndarray]
    levels: Mapping[str, np.ndarray]

    def relabelled(self, *, rng: np.random.Generator) -> Pictures:
        """The six labels of every identity assigned anew in every network, alike at all levels."""
        return Pictures(
            _relabelled(self.prototypes, rng),
            {name: _relabelled(one, rng) for name, one in self.series.items()},
            self.levels,
        )


def pictures(portraits: Scores, networks: Any) -> Pictures:
    """The pictures of the grid as the networks of a mask see them."""
    chosen = np.flatnonzero(networks)
    images = portraits.images[portraits.images["set"] == "grid"]
    with_series = images.loc[images["subset"] != "prototype", "seed"].unique()

    def block(rows: pd.DataFrame) -> np.ndarray:  # as `Pictures` orders them
        rows = rows.assign(
            race=pd.Categorical(rows["race"], HUES), gender=pd.Categorical(rows["gender"], CRESTS)
        )
        order = rows.sort_values(["seed", "level", "race", "gender"]).index
        shape = rows["seed"].nunique(), rows["level"].nunique(), len(HUES), len(CRESTS)
        return (
            portraits.scores[np.ix_(chosen, order)]
            .astype(float)
            .reshape(len(chosen), *shape, len(COLUMNS))
        )

    own = {
        name: images[images["subset"].isin(["prototype", name]) & images["seed"].isin(with_series)]
        for name in SERIES
    }
    return Pictures(
        block(images[images["subset"] == "prototype"].assign(level=0.0)),
        {name: block(rows.assign(level=rows[name])) for name, rows in own.items()},
        {name: np.sort(rows[name].unique()) for name, rows in own.items()},
    )


def _relabelled(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One array of `Pictures` with groups in another order for each network and identity."""
    flat = values.reshape(*values.shape[:3], len(HUES) * len(CRESTS), -1)
    order = np.argsort(rng.random((*values.shape[:2], flat.shape[3])), axis=2)
    return np.take_along_axis(flat, order[:, :, None, :, None], axis=3).reshape(values.shape)


@dataclass(frozen=True, eq=False)
class Answers:
    """What one of the paper's tests says: p-values with pictures or identities as cases,
    `(networks, questions × pairs)`; and what each group shows, kind of group → `(networks,
    questions, groups)`, for tests with networks as cases."""

    picture: np.ndarray
    identity: np.ndarray
    levels: Mapping[str, np.ndarray]


Sides = Mapping[
    str, Sequence[np.ndarray]
]  # attribute → one array `(networks, identities, levels, repeats, …)` a group
Pair = Callable[[Any, Any], tuple[np.ndarray, np.ndarray]]


def by_attribute(values: np.ndarray) -> Sides:
    """Each hue with both crests as repeats, and each crest with all hues."""
    return {
        "hue": [values[:, :, :, hue] for hue in range(len(HUES))],
        "crest": [values[:, :, :, :, crest] for crest in range(len(CRESTS))],
    }


def by_group(values: np.ndarray) -> Sides:
    """Each of the six groups."""
    return {
        "group": [
            values[:, :, :, hue, [crest]]
            for hue in range(len(HUES))
            for crest in range(len(CRESTS))
        ]
    }


def compared(
    sides: Sides, summary: Callable[[np.ndarray], Any], own: Callable[[Any], np.ndarray], pair: Pair
) -> Answers:
    """All pairs of groups of each attribute compared.

    `summary` is what the test needs to know of one group's values; `own` makes of it what the group
    shows, and `pair`, of two, p-values per picture and per identity: `(networks, questions)` each.
    """
    p, levels = [], {}
    for attribute, groups in sides.items():
        known = [summary(group) for group in groups]
        levels[attribute] = np.stack([own(one) for one in known], axis=2)
        p += [pair(one, other) for one, other in combinations(known, 2)]
    picture, identity = (np.concatenate(part, axis=1) for part in zip(*p, strict=True))
    return Answers(picture, identity, levels)


def joined(parts: Sequence[Answers]) -> Answers:
    """The answers to several sets of questions as those to one."""
    return Answers(
        np.concatenate([one.picture for one in parts], axis=1),
        np.concatenate([one.identity for one in parts], axis=1),
        {
            name: np.concatenate([one.levels[name] for one in parts], axis=1)
            for name in parts[0].levels
        },
    )


# --- tests of means -------------------------------------------------------------------------------


def means(sides: Sides) -> Answers:
    """t-tests of group means, of values without levels: over pictures (unpaired), over identities
    (paired)."""

    def pair(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        flat = [side.reshape(len(side), -1, side.shape[-1]) for side in (one, other)]
        paired: Any = stats.ttest_rel(one.mean(axis=2), other.mean(axis=2), axis=1)
        return stats.ttest_ind(*flat, axis=1).pvalue, paired.pvalue

    return compared(sides, lambda side: side[:, :, 0], lambda side: side.mean(axis=(1, 2)), pair)


def permuted_means(sides: Sides, *, rng: np.random.Generator, n_permutations: int) -> Answers:
    """The same by permutation, two-sided: pictures relabelled, or the signs of identities'
    differences flipped."""

    def share_as_large(weights: np.ndarray, values: np.ndarray, own: np.ndarray) -> np.ndarray:
        drawn, real = (
            np.abs(np.tensordot(weights, values, (1, 1))),
            np.abs(np.tensordot(own, values, (0, 1))),
        )
        return (1 + (drawn >= real - 1e-12).sum(axis=0)) / (1 + n_permutations)

    def pair(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pooled = np.concatenate(
            [side.reshape(len(side), -1, side.shape[-1]) for side in (one, other)], axis=1
        )
        labels = np.repeat([1.0, -1.0], pooled.shape[1] // 2)
        draws = rng.permuted(np.tile(labels, (n_permutations, 1)), axis=1)
        flips = rng.choice([-1.0, 1.0], (n_permutations, one.shape[1]))
        paired = one.mean(axis=2) - other.mean(axis=2)
        return share_as_large(draws, pooled, labels), share_as_large(
            flips, paired, np.ones(one.shape[1])
        )

    return compared(sides, lambda side: side[:, :, 0], lambda side: side.mean(axis=(1, 2)), pair)


# --- tests of correlations ------------------------------------------------------------------------


def fishers_z(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Fisher's z of correlations over cases, `(resamples, networks, questions)`, of x and y,
    `(networks, cases, questions)`, under weights `(resamples, cases)` whose rows sum to 1."""
    x, y = (
        side - side.mean(axis=1, keepdims=True) for side in (x, y)
    )  # else small variances drown in rounding
    mx, my, mxy, mxx, myy = (
        np.tensordot(weights, one, (1, 1)) for one in (x, y, x * y, x**2, y**2)
    )
    r = (mxy - mx * my) / np.sqrt((mxx - mx**2) * (myy - my**2))
    return np.arctanh(np.clip(r, -LARGEST_R, LARGEST_R))


def correlations(
    sides: Sides, *, rng: np.random.Generator, of_levels: bool, n_resamples: int
) -> Answers:
    """Correlations of positive with negative words, compared between groups by differences of
    Fisher's z.

    Over pictures the difference is set against the standard error for independent cases, √(2 / (n −
    3)); over identities against its spread when they are drawn anew, with one degree of freedom
    less than there are identities.

    The last axis of `sides` has the positive ends of axes, then, in the same order, the negative
    ones. With `of_levels`, the means of levels are correlated (Table S.2), not pictures (C.5).
    """
    people = next(iter(sides.values()))[0].shape[1]
    drawn = rng.multinomial(people, np.full(people, 1 / people), n_resamples) / people

    def summary(side: np.ndarray) -> tuple[np.ndarray, int]:
        weights, half = np.vstack([np.full(people, 1 / people), drawn]), side.shape[-1] // 2
        if of_levels:  # every draw of identities has its own level means: correlate draw by draw
            moved = np.moveaxis(np.tensordot(weights, side.mean(axis=3), (1, 1)), 2, 0)
            n = side.shape[2]
            flat = moved.reshape(n, -1, side.shape[-1]).swapaxes(0, 1)
            z = fishers_z(flat[..., :half], flat[..., half:], np.full((1, n), 1 / n))[0]
            return z.reshape(len(weights), len(side), half), n
        n = people * side.shape[3]
        flat, each = (
            side[:, :, 0].reshape(len(side), n, -1),
            np.repeat(weights, side.shape[3], axis=1) / side.shape[3],
        )
        return fishers_z(flat[..., :half], flat[..., half:], each), n

    def pair(
        one: tuple[np.ndarray, int], other: tuple[np.ndarray, int]
    ) -> tuple[np.ndarray, np.ndarray]:
        gap, n = one[0] - other[0], one[1]
        size, spread = np.abs(gap[0]), gap[1:].std(axis=0, ddof=1)
        return 2 * stats.norm.sf(size / np.sqrt(2 / (n - 3))), 2 * stats.t.sf(
            size / spread, people - 1
        )

    return compared(sides, summary, lambda known: known[0][0], pair)


# --- tests of courses over levels -----------------------------------------------------------------


def coefficients(sides: Sides, levels: np.ndarray, *, order: int) -> Answers:
    """The highest coefficients of polynomials over levels, compared between groups.

    Over pictures: t with the residual variance about the two groups' curves. Over identities: a
    paired t-test of coefficients, one per identity.
    """
    design = np.vander(levels, order + 1)
    highest = np.linalg.pinv(design)[0]
    residual = np.eye(len(levels)) - design @ np.linalg.pinv(design)

    def summary(side: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        people, repeats = side.shape[1], side.shape[3]
        middle = side.mean(axis=(1, 3))
        within = ((side - middle[:, None, :, None]) ** 2).sum(axis=(1, 2, 3))
        about = (np.einsum("lm,nmq->nlq", residual, middle) ** 2).sum(axis=1) * people * repeats
        freedom = people * repeats * len(levels) - order - 1
        variance = (within + about) / freedom * (highest**2).sum() / (people * repeats)
        return np.einsum("l,nilq->niq", highest, side.mean(axis=3)), variance, freedom

    def pair(one: Any, other: Any) -> tuple[np.ndarray, np.ndarray]:
        size = np.abs((one[0] - other[0]).mean(axis=1)) / np.sqrt(one[1] + other[1])
        paired: Any = stats.ttest_rel(one[0], other[0], axis=1)
        return 2 * stats.t.sf(size, one[2] + other[2]), paired.pvalue

    return compared(sides, summary, lambda known: known[0].mean(axis=1), pair)


# --- the paper's tests, asked of groups -----------------------------------------------------------


def _at(names: Sequence[str]) -> list[int]:
    """Places of columns."""
    return [COLUMNS.index(name) for name in names]


def _delta(values: np.ndarray, names: Sequence[str] = DIMENSIONS) -> np.ndarray:
    """Δcos, columns as named."""
    return values[..., _at(names)] - values[..., _at(["neutral"])]


def _valence(values: np.ndarray) -> np.ndarray:
    """Mean delta-cos of the positive and of the negative dimensions."""
    negative = [name for name in DIMENSIONS if name not in POSITIVE]
    return np.stack(
        [_delta(values, names).mean(axis=-1) for names in (POSITIVE, negative)], axis=-1
    )


def ask(
    seen: Pictures, *, seed: int, n_permutations: int = 1_000, n_resamples: int = 100
) -> dict[str, Answers]:
    """Every test of Hausladen et al. that compares groups, or whose question can be asked of them:
    name → its `Answers` about pairs of hues and of crests (S.13: about the fifteen pairs of
    groups). `n_resamples` are draws of identities, for correlations."""
    rng, ends = (
        np.random.default_rng(seed),
        [name for end in zip(*OPPOSITES, strict=True) for name in end],
    )
    halves = []
    for name, low, high in HALVES:
        kept = (seen.levels[name] >= low) & (seen.levels[name] <= high)
        sides = by_attribute(_valence(seen.series[name][:, :, kept]))
        halves.append(coefficients(sides, seen.levels[name][kept], order=1))
    of_series = [
        by_attribute(_delta(seen.series[name], ends)) for name in ("smiling", "lighting", "pose")
    ]
    return {
        "group means of Δcos": means(by_attribute(_delta(seen.prototypes))),
        "S.13 neutral cosines": means(by_group(seen.prototypes[..., _at(["neutral"])])),
        "Table S.1 SC-WEAT": permuted_means(
            by_attribute(seen.prototypes[..., _at(POSITIVE)]),
            rng=rng,
            n_permutations=n_permutations,
        ),
        "C.5 correlations": correlations(
            by_attribute(seen.prototypes[..., _at(ends)]),
            rng=rng,
            of_levels=False,
            n_resamples=n_resamples,
        ),
        "Table S.2 correlations": joined(
            [
                correlations(sides, rng=rng, of_levels=True, n_resamples=n_resamples)
                for sides in of_series
            ]
        ),
        "Table B.1 slopes": joined(halves),
        "Fig. 5 quadratics": coefficients(
            by_attribute(_delta(seen.series["age"])), seen.levels["age"], order=2
        ),
    }


# --- how often ------------------------------------------------------------------------------------


def within_networks(answers: Mapping[str, Answers], *, alpha: float) -> pd.DataFrame:
    """How often tests within one network reject: test, unit ("picture" or "identity"), tests (in
    one network), significant (share of all); and the networks in which Holm's correction leaves
    something (the smallest p passes Bonferroni's bound): n, hits, rate, low, high (exact, 95 %).
    """
    rows, hits = [], {}
    for name, found in answers.items():
        for unit in UNITS:
            p = getattr(found, unit)
            hits[len(rows)] = p.min(axis=1) < alpha / p.shape[1]
            rows.append(
                {
                    "test": name,
                    "unit": unit,
                    "tests": p.shape[1],
                    "significant": float((p < alpha).mean()),
                }
            )
    return pd.DataFrame(rows).join(vb.networks.rates(hits))


def over_networks(
    answers: Mapping[str, Answers], sizes: Sequence[int], *, seed: int, alpha: float, n_draws: int
) -> pd.DataFrame:
    """`recovery.false_positive_rates` of every test, in the column test: how often t-tests with
    networks as observations reject."""
    parts = {
        name: recovery.false_positive_rates(
            found.levels, sizes, seed=seed, alpha=alpha, n_draws=n_draws
        )
        for name, found in answers.items()
    }
    return pd.concat(parts, names=["test"]).reset_index("test").reset_index(drop=True)
