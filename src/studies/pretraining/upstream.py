"""Upstream factors: Ghate et al. (2025), Figures 3 and 6, and what stays of the coefficients with
models as observations.

Comes in: the printed regression; a study table (`vlmbias.external.study_table.COLUMNS`), released,
simulated or of a fleet. Goes out: fitted models, tables with one row per coefficient, method or
reference. May not: read a file, or say which family should come
out larger.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from audit.printed import parse
from vlmbias.inference import clustered, mixed_models
from vlmbias.inference.mixed_models import Fit

NUMBERS = ("log_params", "log_dataset_size")
FACTORS = ("architecture", "dataset")
ALPHA = 0.01  # what the paper calls significant
QUANTITIES = ("coef", "se", "z", "p", "low", "high")
METHODS = {
    "published": "as published",
    "sandwich": "sandwich",
    "bootstrap": "bootstrap",
    "model": "effect of each model",
    "one-row": "one row per model",
}
CALLED = {
    "CoCa Models": "coca",
    "ConvNeXt Models": "convnext",
    "EVA Models": "eva",
    "Hybrid Models with Text Encoders": "hybrid",
    "NLLB-CLIP Models": "nllb-clip",
    "ResNet Models": "resnet",
    "Specialized ViT Models": "specialized-vit",
    "ViT Models": "vit",
}
"""Families of architectures as claims call them; data families keep their names, with a hyphen for
the low line."""
RANDOM = ("intercept", "log-params", "log-dataset-size")
NAMED = ("dfn", "commonpool", "merged2b", "webli", "datacomp", "openai-wit", "laion", "metaclip")
"""Data families that the text calls significant."""


def claim_of(term: str) -> str:
    """A coefficient as claims call it: "dataset[openai_wit]" is "dataset.openai-wit"."""
    factor, _, level = term.rstrip("]").partition("[")
    own = CALLED.get(level, level).replace("_", "-")
    return f"{factor}.{own}" if level else factor.lower().replace("_", "-")


def printed(claims: pd.DataFrame) -> pd.DataFrame:
    """The printed table of Figure 6.

    Parameters
    ----------
    claims : columns id and value, as `vb.ledger.load("pretraining")`.

    Returns
    -------
    One row per coefficient, named as claims call it (see `claim_of`), in printed order: coef, se,
    z, p, low, high."""
    place = r"^upstream\.(?P<term>(?!random)[a-z0-9.-]+)\.(?P<quantity>coef|se|z|p|low|high)$"
    found = claims[["value"]].join(claims["id"].str.extract(place)).dropna(subset="quantity")
    numbers = [parse(value) for value in found["value"]]
    found = found.assign(value=[one.number if one else np.nan for one in numbers])
    wide = found.pivot(index="term", columns="quantity", values="value").loc[
        found["term"].unique(), list(QUANTITIES)
    ]
    return wide.rename_axis(columns=None)


def printed_covariance(claims: pd.DataFrame) -> pd.DataFrame:
    """The printed covariance of the random effects, 3 × 3, named by `RANDOM`."""
    values = claims.set_index("id")["value"]
    table = pd.DataFrame(0.0, RANDOM, RANDOM)
    for i, one in enumerate(RANDOM):
        for other in RANDOM[: i + 1]:
            number = parse(values[f"upstream.random.{one}.{other}"])
            table.loc[one, other] = table.loc[other, one] = number.number if number else np.nan
    return table


# --- the published specification ------------------------------------------------------------------


def prepared(table: pd.DataFrame) -> pd.DataFrame:
    """The table with what the regression needs: group (order × category), and natural logarithms of
    parameters and data size, standardised over rows (divisor n). Rows without either size are left
    out, as in the authors' code.
    """
    kept = table.dropna(subset=["parameters", "dataset_size"]).reset_index(drop=True)
    return kept.assign(
        group=kept["order"] + "/" + kept["category"],
        log_params=stats.zscore(np.log(kept["parameters"].to_numpy(float))),
        log_dataset_size=stats.zscore(np.log(kept["dataset_size"].to_numpy(float))),
    )


def design(
    table: pd.DataFrame,
    references: Mapping[str, str] | None = None,
    *,
    factors: Sequence[str] = FACTORS,
) -> pd.DataFrame:
    """Fixed effects of a prepared table; the reference of a factor is its first level, as
    published, unless named."""
    return mixed_models.design(
        table, NUMBERS, {factor: (references or {}).get(factor) for factor in factors}
    )


def published(
    table: pd.DataFrame,
    *,
    outcome: str = "effect_size",
    references: Mapping[str, str] | None = None,
) -> Fit:
    """The published specification with the published software: random intercept and both slopes by
    group."""
    return mixed_models.fit(
        table, design(table, references), outcome=outcome, random={"group": NUMBERS}
    )


def fitted(
    table: pd.DataFrame,
    effects: Sequence[str] = (),
    *,
    outcome: str = "effect_size",
    references: Mapping[str, str] | None = None,
) -> Fit:
    """The published specification with more random intercepts, such as of each model and test.

    A factor named among `effects`, such as "dataset", varies at random instead of having fixed
    coefficients.
    """
    X = design(table, references, factors=[factor for factor in FACTORS if factor not in effects])
    return mixed_models.crossed(
        table, X, outcome=outcome, random={"group": NUMBERS, **dict.fromkeys(effects, ())}
    )


def share_of_models(fit: Fit) -> float:
    """Of the variance within groups of tests, the share that is the models' own, from a fit with an
    effect of each model. It is what the rows of one model correlate by within a group: the quantity
    of the design effect.
    """
    own = fit.random_covariance["model"].iloc[0, 0]
    return float(own / (own + fit.scale))


# --- models as observations -----------------------------------------------------------------------


def one_row(
    table: pd.DataFrame,
    *,
    outcome: str = "effect_size",
    references: Mapping[str, str] | None = None,
) -> tuple[pd.Series, pd.DataFrame]:
    """One row per model: the mean of its tests, and its row of the design."""
    return clustered.per_cluster(
        table[outcome].to_numpy(float), design(table, references), table["model"]
    )


def remedies(
    table: pd.DataFrame,
    *,
    outcome: str = "effect_size",
    references: Mapping[str, str] | None = None,
    n_resamples: int = 1_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Every coefficient under each of `METHODS`.

    Parameters
    ----------
    table : as from `prepared`.
    outcome : "effect_size" or "gap".
    references : factor → reference level.
    n_resamples, seed : of the bootstrap over models.

    Returns
    -------
    One row per method and coefficient: method, term, coef, se, p, low, high (95 %), told (share of
    bootstrap draws that hold a model of the term's level and one of the reference; 1 elsewhere).
    The bootstrap has no p; its interval is that of percentiles, over the draws that tell.
    """
    X, y = design(table, references), table[outcome]
    draws = clustered.intervals(
        clustered.bootstrap(y, X, table["model"], n_resamples=n_resamples, seed=seed)
    )
    found = {
        "published": fitted(table, outcome=outcome, references=references).coefficients,
        "sandwich": clustered.least_squares(y, X, clusters=table["model"]),
        "bootstrap": draws.assign(coef=clustered.least_squares(y, X)["coef"], p=np.nan),
        "model": fitted(table, ["model"], outcome=outcome, references=references).coefficients,
        "one-row": clustered.least_squares(*one_row(table, outcome=outcome, references=references)),
    }
    parts = [
        own.assign(method=name).rename_axis("term").reset_index() for name, own in found.items()
    ]
    both = pd.concat(parts, ignore_index=True).fillna({"identified": 1.0})
    return both[["method", "term", "coef", "se", "p", "low", "high", "identified"]]


def factor_of(terms: pd.Series) -> pd.Series:
    """The factor of each coefficient; empty for the intercept and numbers."""
    return terms.str.extract(r"^(\w+)\[", expand=False).fillna("")


def significant_counts(table: pd.DataFrame, *, alpha: float = ALPHA) -> pd.DataFrame:
    """How many coefficients of each factor have p below a level, by method; methods without p are
    left out.

    Returns
    -------
    One row per method and factor: method, factor, below, of.
    """
    own = table.assign(factor=factor_of(table["term"])).query("factor != ''").dropna(subset="p")
    counts = (
        own.assign(below=own["p"] < alpha)
        .groupby(["method", "factor"], sort=False)["below"]
        .agg(["sum", "count"])
    )
    return counts.set_axis(["below", "of"], axis=1).reset_index()


def joint(
    table: pd.DataFrame, *, outcome: str = "effect_size", n_permutations: int = 0, seed: int = 0
) -> pd.DataFrame:
    """Whether a factor matters at all, asked alike of both: F-tests with rows and with models as
    the cases.

    Returns
    -------
    One row per factor and cases ("rows": all rows, means of the groups taken out; "models": one row
    each): factor, cases, F, df, df_rest, p, p_permuted (models alone: labels assigned anew over
    models; NaN without permutations)."""
    groups = pd.get_dummies(table["group"], drop_first=True, dtype=float)
    rows = table[outcome], design(table).join(groups)
    found = []
    for cases, (y, X), n in (
        ("rows", rows, 0),
        ("models", one_row(table, outcome=outcome), n_permutations),
    ):
        for factor in FACTORS:
            columns = [name for name in X if name.startswith(f"{factor}[")]
            test = clustered.joint(y, X, columns, n_permutations=n, seed=seed)
            found.append(
                {
                    "factor": factor,
                    "cases": cases,
                    "F": test.F,
                    "df": test.df[0],
                    "df_rest": test.df[1],
                    "p": test.p_value,
                    "p_permuted": test.p_permuted,
                }
            )
    return pd.DataFrame(found)


def printed_beside(claims: pd.DataFrame) -> pd.Series:
    """What is printed of `beside_printed`: the same rows, from `vb.ledger.load("pretraining")`."""
    covariance, table, values = (
        printed_covariance(claims),
        printed(claims),
        claims.set_index("id")["value"],
    )
    numbers = {name: parse(values[f"upstream.{name}"]) for name in ("scale", "log-likelihood")}
    scale, height = (number.number if number else np.nan for number in numbers.values())
    errors = {
        f"standard error of {claim_of(name)}": table.loc[claim_of(name), "se"] for name in NUMBERS
    }
    return _beside(scale, covariance, errors, height)


def beside_printed(fit: Fit) -> pd.Series:
    """What the printed regression says besides its coefficients of families, of a fit with the
    published random effects: the residual variance, (co)variances of the groups' effects, standard
    errors of both slopes.
    """
    covariance = (
        fit.random_covariance["group"].set_axis(list(RANDOM)).set_axis(list(RANDOM), axis=1)
    )
    errors = {
        f"standard error of {claim_of(name)}": fit.coefficients.loc[name, "se"] for name in NUMBERS
    }
    return _beside(fit.scale, covariance, errors, fit.log_likelihood)


def _beside(
    scale: float, covariance: pd.DataFrame, errors: Mapping[str, float], log_likelihood: float
) -> pd.Series:
    found = {"residual variance": scale}
    for i, one in enumerate(RANDOM):
        for other in RANDOM[: i + 1]:
            name = f"variance of {one}" if one == other else f"covariance of {other} with {one}"
            found[name] = covariance.loc[one, other]
    return pd.Series({**found, **errors, "log-likelihood": log_likelihood}, dtype=float)


# --- the paper's statements -----------------------------------------------------------------------


def claims(fit: Fit, table: pd.DataFrame) -> dict[str, float | bool]:
    """What Figures 3 and 6 and the text say, by the claim's id without "upstream.".

    Parameters
    ----------
    fit : as `published`, of `table`.
    table : as from `prepared`.
    """
    found = _statements(fit) | _sizes(fit, table)
    for term in fit.coefficients.index:
        found |= {
            f"{claim_of(str(term))}.{name}": fit.coefficients.loc[term, name] for name in QUANTITIES
        }
    found |= {f"text.{family}": found[f"dataset.{family}.coef"] for family in NAMED}
    covariance, errors = (
        fit.random_covariance["group"].to_numpy(),
        fit.random_se["group"].to_numpy(),
    )
    for i, one in enumerate(RANDOM):
        for j, other in enumerate(RANDOM[: i + 1]):
            found |= {
                f"random.{one}.{other}": covariance[i, j],
                f"random.{one}.{other}.se": errors[i, j],
            }
    return found | {"text.dfn-intro": found["text.dfn"], "group-variance-text": covariance[0, 0]}


def _sizes(fit: Fit, table: pd.DataFrame) -> dict[str, float | bool]:
    rows, lbfgs = table["group"].value_counts(), fit.tried.loc["lbfgs"]  # the published optimiser
    data, models = (
        of[of.index.str.startswith("dataset[")]
        for of in (fit.coefficients, clustered.least_squares(*one_row(table)))
    )
    return {
        "significant-families": int((data["p"] < ALPHA).sum()),
        "significant-families-by-model": int((models["p"] < ALPHA).sum()),
        "rows": fit.n,
        "groups": len(rows),
        "combinations": len(rows),
        "group-smallest": int(rows.min()),
        "group-largest": int(rows.max()),
        "group-mean": float(rows.mean()),
        "scale": fit.scale,
        "log-likelihood": float(lbfgs["log_likelihood"]),
        "log-likelihood-text": float(lbfgs["log_likelihood"]),
        "converged": bool(lbfgs["converged"]),
        "size-smallest": float(table["dataset_size"].min()),
        "size-largest": float(table["dataset_size"].max()) / 1e3,
    }


def _statements(fit: Fit) -> dict[str, float | bool]:
    table = fit.coefficients.set_axis(fit.coefficients.index.map(claim_of))
    data, towers = (
        table[table.index.str.startswith(f"{factor}.")] for factor in ("dataset", "architecture")
    )
    named, heuristic = (
        data.loc[[f"dataset.{family}" for family in NAMED]],
        ["dataset.commonpool", "dataset.datacomp"],
    )
    return {
        "dataset-significant": bool(((named["p"] < ALPHA) & (named["coef"] > 0)).all()),
        "marginal": bool(ALPHA <= data.loc["dataset.yfcc15m", "p"] < 0.05),
        "architecture-null": bool((towers["p"] >= ALPHA).all()),
        "architecture-positive": bool((towers["coef"] > 0).all()),
        "numbers-null": bool((table.loc[["log-params", "log-dataset-size"], "p"] >= ALPHA).all()),
        "filters-worse": bool(data.loc["dataset.dfn", "coef"] > data.loc[heuristic, "coef"].max()),
    }
