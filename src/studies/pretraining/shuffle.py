"""Families assigned at random, again and again, with a dial for what the results of one network
have in common.

A shuffle depends on its number alone, so every reader sees the same.

**The dial.** A result of a network is what its architecture, its size and the kind of test lead to
expect, and a rest. The rest has two parts: the network's *own* part, the same in all of its tests,
and what is left in each test. `Fleet.at` multiplies each of the two parts by one number, so that
the own part makes up a given share of the variance, and the variance of both together stays. At the
fleet's own share both numbers are 1. At a share of zero the means of networks vary as much as means
of independent results do.

**The quick fit.** As every network took every test, the coefficients of families are those of least
squares on the networks' means, in the published regression, too; that one only takes a mean of T
results to have the variance σ²/T. With the variances of the groups of tests, relative to σ², as
fitted once without families, generalised least squares gives

.. math:: σ^2 = \\frac{(n - q)\\, σ_0^2 - T (R_0 - R)}{n - p}

with n results, σ₀² from the fit without families, and R₀ and R the residual sums of squares of the
means with the q columns without and the p columns with families. Tests hold this against REML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import fleet_table
from greenhouse.world import nuisance as dice
from studies.overviews.illustration import Illustration
from studies.pretraining import downstream, effect_sizes, twin, upstream
from vlmbias.figures import COLOURS, panels, style
from vlmbias.inference import clustered, mixed_models

ALPHA = upstream.ALPHA
RULES = ("published", "networks")
CALLED = {"published": "26 results of each, as independent", "networks": "each network once"}
INK = {"published": COLOURS["lit"], "networks": COLOURS["controlled"]}
LETTERS = "ABCDEFGHI"  # of the families that are compared with the reference
STOPS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)  # beside the own
NEAR = 0.02  # a stop this near to the fleet's own share is left out
SHUFFLES = 400  # of the still picture


# --- a fleet and its dial -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Fleet:
    """The results of networks, taken apart.

    Attributes
    ----------
    table : as from `upstream.prepared`, ordered by model and test.
    rows : of the design without families, one per network, `(m, q)`.
    results : `(m, T)`.
    own : what the mean of a network's results is beyond what its row leads to expect, `(m,)`.
    rest : what is left of each result, `(m, T)`; its mean over the tests of a network is zero.
    between, within : mean squares of both, in units of one result.
    """

    table: pd.DataFrame
    rows: pd.DataFrame
    results: np.ndarray
    own: np.ndarray
    rest: np.ndarray
    between: float
    within: float

    @property
    def tests(self) -> int:
        return self.results.shape[1]

    @property
    def total(self) -> float:
        """The variance of both parts together."""
        return (self.between - self.within) / self.tests + self.within

    @property
    def share(self) -> float:
        """How much of it is the networks' own: what two results of one network correlate by."""
        return 1 - self.within / self.total

    def factors(self, share: float) -> tuple[float, float]:
        """By what the own part and the rest are multiplied so that the own part has this share."""
        if not 0 <= share <= 1:
            raise ValueError(f"share is a share of a variance, from 0 to 1, got {share}")
        between = self.total * (1 + (self.tests - 1) * share)
        within = self.total * (1 - share)
        return float(np.sqrt(between / self.between)), float(np.sqrt(within / self.within))

    def at(self, share: float) -> np.ndarray:
        """The results with the dial at a share, `(m, T)`."""
        a, c = self.factors(share)
        return self.results + (a - 1) * self.own[:, None] + (c - 1) * self.rest

    def means(self, share: float) -> np.ndarray:
        """The mean of each network's results with the dial at a share, `(m,)`."""
        return self.results.mean(axis=1) + (self.factors(share)[0] - 1) * self.own

    def stops(self) -> list[float]:
        """Where the dial can stand: `STOPS`, and the fleet's own share among them."""
        kept = [one for one in STOPS if abs(one - self.share) > NEAR]
        return sorted([*kept, self.share])

    def variance(self, share: float) -> float:
        """The residual variance of the published regression without families, by REML."""
        return _variance(self, share)


@cache
def _variance(fleet: Fleet, share: float) -> float:
    table = fleet.table.assign(effect_size=fleet.at(share).ravel())
    fit = mixed_models.crossed(
        table,
        upstream.design(table, factors=["architecture"]),
        outcome="effect_size",
        random={"group": upstream.NUMBERS},
    )
    return fit.scale


def taken_apart(table: pd.DataFrame, *, factors: Sequence[str] = ("architecture",)) -> Fleet:
    """The results of a table, taken apart.

    What is expected of a network is least squares of the means on its row; of a kind of test, least
    squares of the deviations from these means on an intercept and both sizes, group by group: what
    the published regression lets vary between groups.

    Parameters
    ----------
    table : as from `upstream.prepared`; every model has the same tests.
    factors : the families that are expected to matter.
    """
    table = table.sort_values(["model", "test"], ignore_index=True)
    _, rows = clustered.per_cluster(
        table["effect_size"], upstream.design(table, factors=list(factors)), table["model"]
    )
    results = table["effect_size"].to_numpy(float).reshape(len(rows), -1)
    groups = table["group"].to_numpy()[: results.shape[1]]
    means = results.mean(axis=1)
    own = means - _projected(rows, means)
    rest = results - means[:, None]
    for group in set(groups):
        same = groups == group
        rest[:, same] -= _projected(
            rows[["Intercept", *upstream.NUMBERS]], rest[:, same].mean(axis=1)
        )[:, None]
    m, tests = results.shape
    left = m * tests - m - (1 + len(upstream.NUMBERS)) * (len(set(groups)) - 1)
    return Fleet(
        table,
        rows,
        results,
        own,
        rest,
        between=tests * float(own @ own) / (m - rows.shape[1]),
        within=float((rest**2).sum()) / left,
    )


def _projected(X: pd.DataFrame, y: np.ndarray) -> np.ndarray:
    return X.to_numpy() @ np.linalg.lstsq(X.to_numpy(), y, rcond=None)[0]


@cache
def counts() -> Mapping[str, int]:
    """How many models each family has where families are real, the reference first."""
    models = fleet_table.models("planted")
    return models["dataset"].value_counts().sort_index().to_dict()


@cache
def fleets() -> Mapping[str, Fleet]:
    """The two fleets of the chapter: "null", with nothing planted; "recipe", the largest family of
    the planted fleet."""
    planted = fleet_table.read("planted")
    tables = {
        "null": fleet_table.read("null"),
        "recipe": planted[planted["dataset"] == max(counts(), key=lambda name: counts()[name])],
    }
    return {name: taken_apart(upstream.prepared(own)) for name, own in tables.items()}


# --- one shuffle ----------------------------------------------------------------------------------


def in_proportion(counts: Sequence[int], n: int) -> list[int]:
    """How many of `n` models each family gets in the proportions of `counts`: at least one each,
    largest remainders.

    A family whose share is below one is given one model, and takes no part in the distribution of
    remainders.

    Raises
    ------
    ValueError : fewer models than families.
    """
    if n < len(counts):
        raise ValueError(
            f"{n} models cannot be shared among {len(counts)} families with one each; take more"
            " models."
        )
    share = np.asarray(counts, float) / sum(counts) * n
    given = np.maximum(np.floor(share), 1).astype(int)
    remainder = np.where(share < 1, -1.0, share - np.floor(share))
    given[np.argsort(-remainder, kind="stable")[: max(0, n - given.sum())]] += 1
    while given.sum() > n:
        given[given.argmax()] -= 1
    return given.tolist()


@cache
def sizes(fleet: Fleet) -> list[int]:
    """How many networks each family gets: the reference, then `LETTERS`."""
    return in_proportion(list(counts().values()), len(fleet.rows))


@cache
def assigned(fleet: Fleet, number: int) -> np.ndarray:
    """Shuffle number `number`: the family of each network, 0 for the reference, `(m,)`.

    The dice of the Greenhouse put the networks in an order; the first are the reference, the next
    family A, and so on. Where a family's only networks are an architecture's only ones, neither has
    a coefficient, and the dice are cast again.
    """
    families, attempt = np.repeat(range(len(sizes(fleet))), sizes(fleet)), 0
    while True:
        cast = dice.uniform(np.arange(len(fleet.rows)), f"shuffle {number} {attempt}")
        found = np.empty(len(cast), int)
        found[np.argsort(cast, kind="stable")] = families
        design = with_families(fleet.rows, found)
        if np.linalg.matrix_rank(design) == design.shape[1]:
            return found
        attempt += 1


def with_families(rows: pd.DataFrame, families: np.ndarray) -> np.ndarray:
    """The design with a column for each family but the reference, `(m, p)`."""
    columns = families[:, None] == np.arange(1, families.max() + 1)
    return np.hstack([rows.to_numpy(), columns.astype(float)])


@dataclass(frozen=True, eq=False)
class Fitted:
    """The families of one shuffle but the reference, in the order of `LETTERS`, all `(k,)`.

    Attributes
    ----------
    models : how many networks.
    coef : the difference from the reference, under both analyses.
    se : by rule.
    critical : by rule, how many standard errors are significant at `LEVEL`.
    """

    models: np.ndarray
    coef: np.ndarray
    se: Mapping[str, np.ndarray]
    critical: Mapping[str, float]

    def significant(self, rule: str) -> np.ndarray:
        return np.abs(self.coef) > self.critical[rule] * self.se[rule]


def fitted(fleet: Fleet, families: np.ndarray, share: float) -> Fitted:
    """One assignment under both analyses, with the dial at a share."""
    known, design = fleet.means(share), with_families(fleet.rows, families)
    (m, p), q, n = design.shape, fleet.rows.shape[1], fleet.results.size
    inverse = np.linalg.inv(design.T @ design)
    coef = inverse @ design.T @ known
    left = float(((known - design @ coef) ** 2).sum())
    before = fleet.factors(share)[0] ** 2 * float(fleet.own @ fleet.own)
    residual = ((n - q) * fleet.variance(share) - fleet.tests * (before - left)) / (n - p)
    spread = np.sqrt(np.diag(inverse)[q:])
    variances = {"published": residual / fleet.tests, "networks": left / (m - p)}
    return Fitted(
        np.bincount(families)[1:],
        coef[q:],
        {rule: np.sqrt(one) * spread for rule, one in variances.items()},
        critical(fleet),
    )


@cache
def critical(fleet: Fleet) -> Mapping[str, float]:
    """How many standard errors are significant: normal, as published; t, over networks."""
    left = len(fleet.rows) - fleet.rows.shape[1] - len(sizes(fleet)) + 1
    return {
        "published": float(stats.norm.isf(ALPHA / 2)),
        "networks": float(stats.t.isf(ALPHA / 2, left)),
    }


@cache
def tally(fleet: Fleet, share: float, shuffles: int) -> pd.DataFrame:
    """How many families are significant in each of the first shuffles: one row per shuffle, one
    column per rule."""
    found = [fitted(fleet, assigned(fleet, k + 1), share) for k in range(shuffles)]
    columns = {rule: [int(one.significant(rule).sum()) for one in found] for rule in RULES}
    return pd.DataFrame(columns, index=pd.RangeIndex(1, shuffles + 1, name="shuffle"))


def some(fleet: Fleet, share: float, shuffles: int) -> dict[str, int]:
    """In how many of the first shuffles at least one family is significant, by rule."""
    counted = (tally(fleet, share, shuffles) > 0).sum()
    return {rule: int(counted[rule]) for rule in RULES}


# --- the printed table's twin ---------------------------------------------------------------------


@cache
def printed_twin(share: float) -> dict[str, float]:
    """What a simulated table with all printed results says, in which the noise of a model's results
    is shared to this extent: see `twin.generate`.

    Returns
    -------
    dict
        published, networks: how many families are significant under each rule; of: how many there
        are; alike: what two results of one model then correlate by, as `Fleet.share`.
    """
    claims = vb.ledger.load("pretraining")
    cells, r = effect_sizes.cells(claims), downstream.printed(claims)["r"].to_dict()
    table = upstream.prepared(twin.generate(cells, r, shared=share))
    found = {
        "published": upstream.fitted(table).coefficients,
        "networks": clustered.least_squares(*upstream.one_row(table)),
    }
    families = {
        rule: own.loc[own.index.str.startswith("dataset["), "p"] for rule, own in found.items()
    }
    return {
        **{rule: int((p < ALPHA).sum()) for rule, p in families.items()},
        "of": len(families["published"]),
        "alike": taken_apart(table, factors=upstream.FACTORS).share,
    }


# --- the still picture ----------------------------------------------------------------------------


def over_shares(fleet: Fleet, shuffles: int = SHUFFLES) -> pd.DataFrame:
    """At each stop of the dial: share, own (whether it is the fleet's), and in how many shuffles
    some family is significant (published, networks)."""
    return pd.DataFrame(
        [
            {"share": share, "own": share == fleet.share, **some(fleet, share, shuffles)}
            for share in fleet.stops()
        ]
    )


def figure(name: str = "null", shuffles: int = SHUFFLES) -> tuple[pd.DataFrame, Illustration]:
    """The table of `over_shares`, and a figure of what the page shows: how many families are
    significant in each shuffle at the fleet's own share; and in how many shuffles some family is,
    at every share."""
    fleet = fleets()[name]
    table, own = over_shares(fleet, shuffles), tally(fleet, fleet.share, shuffles)
    families = len(sizes(fleet)) - 1
    figure, ((above,), (below,)) = panels(2, height=6.0)
    with style():
        for k, rule in enumerate(RULES):
            often = np.bincount(own[rule], minlength=families + 1)
            places = np.arange(families + 1) + 0.4 * k - 0.2
            above.bar(places, often, width=0.38, color=INK[rule], label=CALLED[rule])
            below.plot(
                100 * table["share"], 100 * table[rule] / shuffles, "os"[k] + "-", color=INK[rule]
            )
        above.set(
            xlabel="significant families in a shuffle",
            ylabel="shuffles",
            xticks=range(families + 1),
        )
        below.axvline(100 * fleet.share, color="0.45", linestyle="--", linewidth=1)
        below.annotate(
            "as measured in\nour networks",
            (100 * fleet.share, 18),
            xytext=(6, 0),
            textcoords="offset points",
        )
        below.set(
            xlabel="% that a network’s results have in common",
            ylabel="% of shuffles\nwith a significant family",
            ylim=(-4, 104),
        )
        figure.legend(loc="outside upper left", ncols=1)
    here = table[table["own"]].iloc[0]
    listed = "; ".join(
        f"{100 * row.share:.0f} % in common: {row.published} and {row.networks}"
        for row in table.iloc[[0, int(np.argmax(table["own"])), -1]].itertuples()
    )
    return table, Illustration(
        figure,
        f"Of {shuffles} shuffles of {len(fleet.rows)} networks, those with some significant family:"
        f" {here['published']} with {fleet.tests} results of each network, taken as"
        f" independent, {here['networks']} if each network counts once. By what the results of a"
        f" network have in common: {listed}.",
        f"Families were assigned at random to {len(fleet.rows)} networks, {shuffles} times. Above:"
        f" in how many shuffles none, one, two or more of {families} families are significant at"
        f" {ALPHA:g}. Below: the share of shuffles with at least one significant family. It"
        " depends on how much the results of a network have in common.",
        "greenhouse",
    )
