"""Stress: the regression of Ghate et al. (2025) and its readings, put to networks of which the
truth is known.

Comes in: study tables of fleets (`greenhouse.fleet_table`), of which one has nothing planted; what
each data family does to captions. Goes out: rates of false positives, coefficients under each
remedy and reference, tables of what was recovered. May not: read a file, or name a fictional group
or family.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from studies.pretraining import upstream
from vlmbias.inference import clustered, mixed_models
from vlmbias.inference.mixed_models import Fit

ALPHA = upstream.ALPHA
RULES = {
    "published": "rows independent, as published",
    "sandwich": "rows in clusters: sandwich",
    "model": "with an effect of each model",
    "one-row": "one row per model",
}


# --- families that do nothing ---------------------------------------------------------------------


def sizes(counts: Sequence[int], n: int) -> list[int]:
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


def random_labels(
    models: Sequence[str], counts: Mapping[str, int], *, rng: np.random.Generator
) -> dict[str, str]:
    """Family labels assigned at random: model → family, in the proportions of `counts`."""
    own = sizes(list(counts.values()), len(models))
    labels = rng.permutation([name for name, n in zip(counts, own, strict=True) for _ in range(n)])
    return dict(zip(models, map(str, labels), strict=True))


def assign_families(
    rows: pd.DataFrame,
    counts: Mapping[str, int],
    reference: str,
    *,
    rng: np.random.Generator,
    everything: bool = False,
) -> tuple[dict[str, str], pd.DataFrame]:
    """Families assigned at random so that the design can tell them apart, and the design with them.

    Where a family's only models are an architecture's only ones, neither has a coefficient, and it
    is assigned again.

    Parameters
    ----------
    rows : of the design without families, one per model.
    counts : family → how many models it has where families are real.
    reference : the family without a column.
    everything : assign whole rows, too, so that architectures and sizes belong to other models.
    """
    while True:
        if everything:
            rows = rows.iloc[rng.permutation(len(rows))].set_axis(rows.index)
        families = random_labels(list(rows.index), counts, rng=rng)
        design = with_families(rows, families, reference)
        if np.linalg.matrix_rank(design.to_numpy(float)) == design.shape[1]:
            return families, design


@dataclass(frozen=True, eq=False)
class Weighed:
    """A study table whose rows' covariance V is taken as known, summed up by model: for quick fits
    of many designs whose columns are the same in all rows of a model.

    Attributes
    ----------
    models : names, in the order of the rest.
    rows : of the design without families, one per model, `(m, q)`.
    A : :math:`M^\\top V^{-1} M`, `(m, m)`, with M the membership of rows in models.
    b : :math:`M^\\top V^{-1} y`, `(m,)`.
    means : of the outcome, one per model.
    n : rows per model.
    """

    models: tuple[str, ...]
    rows: pd.DataFrame
    A: np.ndarray
    b: np.ndarray
    means: np.ndarray
    n: int


def weighed(
    table: pd.DataFrame,
    fit: Fit,
    *,
    factors: Sequence[str] = ("architecture",),
    outcome: str = "effect_size",
) -> Weighed:
    """The table with the covariance of a fit: random effects of its groupings, and its residual
    variance.

    Parameters
    ----------
    table : as from `upstream.prepared`; every model has the same number of rows.
    fit : a mixed model of the same rows.
    factors : the families that keep their labels.
    """
    X = upstream.design(table, factors=list(factors))
    V = np.eye(len(table)) * fit.scale
    for grouping, covariance in fit.random_covariance.items():
        Z = X.reindex(columns=covariance.columns).to_numpy()
        same = table[grouping].to_numpy()[:, None] == table[grouping].to_numpy()
        V += same * (Z @ covariance.to_numpy() @ Z.T)
    codes, names = pd.factorize(table["model"])
    M = (codes[:, None] == np.arange(len(names))).astype(float)
    counts = M.sum(axis=0)
    if counts.min() < counts.max():
        raise ValueError(
            f"models have {counts.min():.0f} to {counts.max():.0f} rows; all must have the same"
            " tests."
        )
    half = np.linalg.solve(V, M)
    y = table[outcome].to_numpy(float)
    rows = X.groupby(codes).first().set_axis(names)
    return Weighed(
        tuple(map(str, names)), rows, M.T @ half, half.T @ y, M.T @ y / counts, int(counts[0])
    )


def with_families(rows: pd.DataFrame, families: Mapping[str, str], reference: str) -> pd.DataFrame:
    """A design, one row per model, with a column for each family but the reference."""
    labels = pd.Series(families).loc[list(rows.index)].to_numpy()
    levels = [name for name in sorted(set(labels)) if name != reference]
    return rows.assign(**{f"dataset[{name}]": (labels == name).astype(float) for name in levels})


def generalised(known: Weighed, design: pd.DataFrame) -> pd.DataFrame:
    """Coefficients and z of generalised least squares with V as known: coef, se, p by term."""
    D = design.to_numpy()
    covariance = np.linalg.inv(D.T @ known.A @ D)
    coef, se = covariance @ (D.T @ known.b), np.sqrt(np.diag(covariance))
    return pd.DataFrame(
        {"coef": coef, "se": se, "p": 2 * stats.norm.sf(np.abs(coef / se))}, index=design.columns
    )


def sandwich(known: Weighed, design: pd.DataFrame) -> pd.DataFrame:
    """Least squares of all rows with the sandwich over models (CR1), from the models' means alone:
    as `generalised`."""
    D, m = design.to_numpy(), len(design)
    inverse = np.linalg.inv(D.T @ D)
    coef = inverse @ D.T @ known.means
    scores = D * (known.means - D @ coef)[:, None]
    factor = m / (m - 1) * (m * known.n - 1) / (m * known.n - D.shape[1])
    # a sum of squares: rounding leaves none negative
    se = np.sqrt(factor * np.sum((inverse @ scores.T) ** 2, axis=1))
    return pd.DataFrame(
        {"coef": coef, "se": se, "p": 2 * stats.t.sf(np.abs(coef / se), m - 1)},
        index=design.columns,
    )


def weights_of(table: pd.DataFrame) -> tuple[dict[str, Weighed], Fit]:
    """The table weighed by a fit without and with an effect of each model ("published", "model");
    the latter fit.

    Parameters
    ----------
    table : as from `upstream.prepared`, of models between which data families make no difference.
    """
    design, found, fit = upstream.design(table, factors=["architecture"]), {}, None
    for name, more in (("published", ()), ("model", ("model",))):
        random = {"group": upstream.NUMBERS, **dict.fromkeys(more, ())}
        fit = mixed_models.crossed(table, design, outcome="effect_size", random=random)
        found[name] = weighed(table, fit)
    return found, fit


def random_assignments(
    weights: Mapping[str, Weighed],
    counts: Mapping[str, int],
    *,
    n_assignments: int,
    seed: int,
    everything: bool = False,
) -> pd.DataFrame:
    """Families assigned at random over the models of a fleet, again and again, under each rule.

    Parameters
    ----------
    weights : "published" and "model" → the fleet with the covariance of a fit without and with an
        effect of each model.
    counts : family → how many models it has where families are real; the first name is the
        reference.
    n_assignments, seed : how many, and of the random numbers.
    everything : assign architectures and sizes, too; there is then a row for each of their
        coefficients.

    Returns
    -------
    One row per assignment, rule and family: assignment, rule, term, models (of a family), coef, z,
    p.
    """
    rng, reference, parts = np.random.default_rng(seed), next(iter(counts)), []
    known = weights["published"]
    for number in range(n_assignments):
        _, design = assign_families(known.rows, counts, reference, rng=rng, everything=everything)
        found = {
            "published": generalised(known, design),
            "model": generalised(weights["model"], design),
            "sandwich": sandwich(known, design),
            "one-row": clustered.least_squares(known.means, design),
        }
        for rule, own in found.items():
            own = own.drop("Intercept") if everything else own[own.index.str.startswith("dataset[")]
            parts.append(
                own[["coef", "se", "p"]]
                .assign(assignment=number, rule=rule)
                .rename_axis("term")
                .reset_index()
            )
    table = pd.concat(parts, ignore_index=True)
    n = dict(zip(counts, sizes(list(counts.values()), len(known.models)), strict=True))
    return table.assign(
        models=[n.get(term[8:-1]) for term in table["term"]], z=table["coef"] / table["se"]
    )


def rate(hits: np.ndarray) -> pd.Series:
    """A share with its exact 95 % interval (Clopper and Pearson): rate, low, high, n."""
    test = stats.binomtest(int(np.sum(hits)), len(hits))
    low, high = test.proportion_ci(0.95)
    return pd.Series({"rate": float(np.mean(hits)), "low": low, "high": high, "n": len(hits)})


def false_positive_rates(table: pd.DataFrame, *, alpha: float = ALPHA) -> pd.DataFrame:
    """How often families that do nothing are called significant.

    Returns
    -------
    One row per rule: rate, low, high, n (of assignments in which some family has p below alpha),
    each (share of all coefficients), several (as rate, of families with two models or more),
    positive (share of assignments in which at least one is, with a positive coefficient), needed
    (the |z| that the largest of all families exceeds in a share `alpha` of the assignments).
    """
    rows = {}
    for rule, own in table.groupby("rule", sort=False):
        hit = own.assign(
            hit=own["p"] < alpha, positive=(own["p"] < alpha) & (own["coef"] > 0)
        ).groupby("assignment")
        several = ((own["p"] < alpha) & (own["models"] > 1)).groupby(own["assignment"]).any()
        largest = own["z"].abs().groupby(own["assignment"]).max()
        rows[rule] = pd.concat(
            [
                rate(hit["hit"].any().to_numpy()),
                pd.Series(
                    {
                        "each": float((own["p"] < alpha).mean()),
                        "several": float(several.mean()),
                        "positive": float(hit["positive"].any().mean()),
                        "needed": float(largest.quantile(1 - alpha)),
                    }
                ),
            ]
        )
    return pd.DataFrame(rows).T


def agreement(
    table: pd.DataFrame, weights: Weighed, counts: Mapping[str, int], *, assignments: int, seed: int
) -> pd.DataFrame:
    """The published specification refitted by REML on a few assignments, beside the quick fit:
    assignment, term, z, z_quick."""
    rng, reference, parts = np.random.default_rng(seed), next(iter(counts)), []
    for number in range(assignments):
        families, design = assign_families(weights.rows, counts, reference, rng=rng)
        quick = generalised(weights, design)
        own = table.assign(dataset=table["model"].map(families))
        exact = upstream.fitted(own, references={"dataset": reference}).coefficients
        both = quick[["coef", "se"]].join(exact[["coef", "se"]].add_suffix("_exact"))
        both = both[both.index.str.startswith("dataset[")]
        z = {"z": both["coef_exact"] / both["se_exact"], "z_quick": both["coef"] / both["se"]}
        parts.append(pd.DataFrame({"assignment": number, **z}).rename_axis("term").reset_index())
    return pd.concat(parts, ignore_index=True)


# --- remedies and references ----------------------------------------------------------------------


def significant(
    table: pd.DataFrame, factor: str = "dataset", *, alpha: float = ALPHA
) -> pd.DataFrame:
    """Per method of `upstream.remedies`: how many coefficients of a factor have p below the level,
    or, of methods without p, an interval without zero at the interval's own level (`of`: how many
    there are)."""
    own = table[upstream.factor_of(table["term"]) == factor]
    found = np.where(own["p"].notna(), own["p"] < alpha, (own["low"] > 0) | (own["high"] < 0))
    grouped = own.assign(found=found).groupby("method", sort=False)["found"]
    return grouped.agg(["sum", "count"]).set_axis(["found", "of"], axis=1)


def references(planted: pd.DataFrame, extra: pd.DataFrame, factor: str = "dataset") -> pd.DataFrame:
    """The families against a reference family of one model, and against other seeds of that model
    in its place.

    Returns
    -------
    One row per model that stands for the reference: model, rows and cases (families with p below
    the level under the published specification, and with one row per model), mean (its mean d),
    median (of the families' coefficients), se (median standard error of the published
    coefficients).
    """
    level = sorted(planted[factor].unique())[0]
    first, found = planted[planted[factor] == level], []
    for _, own in [*first.groupby("model"), *extra.groupby("model")]:
        table = upstream.prepared(
            pd.concat([planted[planted[factor] != level], own], ignore_index=True)
        )
        rows = upstream.fitted(table).coefficients
        cases = clustered.least_squares(*upstream.one_row(table))
        mine, other = (one[one.index.str.startswith(f"{factor}[")] for one in (rows, cases))
        found.append(
            {
                "model": own["model"].iloc[0],
                "rows": int((mine["p"] < ALPHA).sum()),
                "cases": int((other["p"] < ALPHA).sum()),
                "of": len(mine),
                "mean": own["effect_size"].mean(),
                "median": mine["coef"].median(),
                "se": mine["se"].median(),
            }
        )
    return pd.DataFrame(found)


# --- what was planted -----------------------------------------------------------------------------


def recovered(
    models: pd.DataFrame, truth: pd.DataFrame, base: str, *, n_resamples: int, seed: int
) -> pd.DataFrame:
    """By how much each family's networks differ from those of the base family, beside what was
    planted.

    Parameters
    ----------
    models : one row per network, with dataset and `pleasant_` + category, the gap it shows, in
        logits.
    truth : dataset, category, counted, per_face; as `greenhouse.fleet_table.truth`.
    base : the family that the others are compared with.

    Returns
    -------
    One row per family and category: dataset, category, models, shown (difference of mean gaps),
    low, high (95 %, networks drawn anew; NaN for a family of one), planted (difference of
    `counted`).
    """
    rng, rows = np.random.default_rng(seed), []
    expected = truth.set_index(["dataset", "category"])["counted"]
    for name in [one for one in models["dataset"].unique() if one != base]:
        for category in ("race", "gender", "age"):
            own, other = (
                models.loc[models["dataset"] == one, f"pleasant_{category}"].to_numpy()
                for one in (name, base)
            )
            drawn = [
                rng.choice(each, (n_resamples, len(each))).mean(axis=1) for each in (own, other)
            ]
            low, high = (
                np.quantile(drawn[0] - drawn[1], [0.025, 0.975])
                if len(own) > 1
                else (np.nan, np.nan)
            )
            rows.append(
                {
                    "dataset": name,
                    "category": category,
                    "models": len(own),
                    "shown": own.mean() - other.mean(),
                    "low": low,
                    "high": high,
                    "planted": expected[name, category] - expected[base, category],
                }
            )
    return pd.DataFrame(rows)


def line(
    models: pd.DataFrame,
    truth: pd.DataFrame,
    base: str,
    *,
    without: Sequence[str] = (),
    fewest: int = 3,
    n_resamples: int,
    seed: int,
) -> pd.Series:
    """The line of what is shown on what was planted (as `recovered`), over families and the three
    categories.

    Parameters
    ----------
    models, truth, base : as for `recovered`.
    without : families that are left out.
    fewest : networks below which a family is left out.
    n_resamples, seed : of the intervals; networks are drawn anew within each family.

    Returns
    -------
    families, points, slope, slope_low, slope_high, r, r_low, r_high (95 %, percentiles).
    """
    categories, rng = ["race", "gender", "age"], np.random.default_rng(seed)
    n = models["dataset"].value_counts()
    kept = [name for name in n.index if n[name] >= fewest and name not in (base, *without)]
    planted = truth.pivot(index="dataset", columns="category", values="counted")[categories]
    x = (planted.loc[kept] - planted.loc[base]).to_numpy().ravel()
    own = {
        name: (
            models.loc[
                models["dataset"] == name, [f"pleasant_{one}" for one in categories]
            ].to_numpy()
        )
        for name in (base, *kept)
    }

    def means(resampled: bool) -> np.ndarray:
        found = {
            name: (rng.choice(each, len(each)) if resampled else each).mean(axis=0)
            for name, each in own.items()
        }
        return np.concatenate([found[name] - found[base] for name in kept])

    def both(y: np.ndarray) -> tuple[float, float]:
        return float(np.cov(x, y)[0, 1] / x.var(ddof=1)), float(np.corrcoef(x, y)[0, 1])

    slope, r = both(means(False))
    ends = np.quantile([both(means(True)) for _ in range(n_resamples)], [0.025, 0.975], axis=0)
    return pd.Series(
        {
            "families": len(kept),
            "points": len(x),
            "slope": slope,
            "slope_low": ends[0, 0],
            "slope_high": ends[1, 0],
            "r": r,
            "r_low": ends[0, 1],
            "r_high": ends[1, 1],
        }
    )


def outcomes(
    table: pd.DataFrame,
    planted: pd.Series,
    base: str,
    *,
    without: Sequence[str] = (),
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """How well two outcomes of the same tests and families go along with what was planted: gap, and
    d.

    Parameters
    ----------
    table : as from `upstream.prepared`.
    planted : by family, one number each, to be correlated with the family's coefficient (one row
        per model).
    base : the family that the others are compared with.
    without : families that are left out of the correlation.
    confidence_level : of Fisher's interval, in which families are the cases.

    Returns
    -------
    Index outcome ("gap", "effect_size"): families, r, low, high.
    """
    kept = [name for name in planted.index if name not in (base, *without)]
    width, rows = (
        stats.norm.ppf([(1 - confidence_level) / 2, (1 + confidence_level) / 2])
        / np.sqrt(len(kept) - 3),
        {},
    )
    for outcome in ("gap", "effect_size"):
        fit = clustered.least_squares(
            *upstream.one_row(table, outcome=outcome, references={"dataset": base})
        )
        shown = fit.loc[[f"dataset[{name}]" for name in kept], "coef"].to_numpy()
        r = float(np.corrcoef(planted.loc[kept], shown)[0, 1])
        low, high = np.tanh(np.arctanh(r) + width)
        rows[outcome] = {"families": len(kept), "r": r, "low": low, "high": high}
    return pd.DataFrame(rows).T.astype({"families": int})


# --- d, from its parts ----------------------------------------------------------------------------


def from_parts(gap: np.ndarray, within: np.ndarray, n_x: np.ndarray, n_y: np.ndarray) -> np.ndarray:
    r"""The d of a gap g and a pooled SD s within groups:
    :math:`g / \sqrt{((N-2) s^2 + g^2 n_x n_y / N) / (N-1)}`."""
    n = n_x + n_y
    return gap / np.sqrt(((n - 2) * within**2 + gap**2 * n_x * n_y / n) / (n - 1))
