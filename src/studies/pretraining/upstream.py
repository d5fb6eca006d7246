"""The regression of Ghate et al. (2025), Figures 3 and 6: as published, and with each model counted
once."""

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
    wide = found.pivot(index="term", columns="quantity", values="value")
    return wide.loc[found["term"].unique(), list(QUANTITIES)].rename_axis(columns=None)


# --- the regression -------------------------------------------------------------------------------


def prepared(table: pd.DataFrame) -> pd.DataFrame:
    """A study table (`vlmbias.external.study_table.COLUMNS`) with what the regression needs: group
    (order × category), and natural logarithms of parameters and data size, standardised over rows
    (divisor n). Rows without either size are left out, as in the authors' code."""
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


def published(table: pd.DataFrame) -> Fit:
    """The published specification with the published software: random intercept and both slopes by
    group."""
    return mixed_models.fit(table, design(table), outcome="effect_size", random={"group": NUMBERS})


def fitted(
    table: pd.DataFrame,
    effects: Sequence[str] = (),
    *,
    references: Mapping[str, str] | None = None,
) -> Fit:
    """The published specification with more random intercepts, such as of each model and test.

    A factor named among `effects`, such as "dataset", varies at random instead of having fixed
    coefficients.
    """
    X = design(table, references, factors=[factor for factor in FACTORS if factor not in effects])
    return mixed_models.crossed(
        table, X, outcome="effect_size", random={"group": NUMBERS, **dict.fromkeys(effects, ())}
    )


def share_of_models(fit: Fit) -> float:
    """Of the variance within groups of tests, the share that is the models' own, from a fit with an
    effect of each model. It is what the rows of one model correlate by within a group: the quantity
    of the design effect.
    """
    own = fit.random_covariance["model"].iloc[0, 0]
    return float(own / (own + fit.scale))


def one_row(
    table: pd.DataFrame, references: Mapping[str, str] | None = None
) -> tuple[pd.Series, pd.DataFrame]:
    """One row per model: the mean of its tests, and its row of the design."""
    return clustered.per_cluster(
        table["effect_size"].to_numpy(float), design(table, references), table["model"]
    )


def both_ways(
    table: pd.DataFrame, references: Mapping[str, str] | None = None
) -> dict[str, pd.DataFrame]:
    """How each data family differs from the reference, by family: "published", with all rows, and
    "networks", with each model once."""
    fits = {
        "published": fitted(table, references=references).coefficients,
        "networks": clustered.least_squares(*one_row(table, references)),
    }
    return {
        way: fit.filter(like="dataset[", axis=0).rename(lambda term: term[len("dataset[") : -1])
        for way, fit in fits.items()
    }


def joint(table: pd.DataFrame, *, n_permutations: int = 0, seed: int = 0) -> pd.DataFrame:
    """Whether a factor matters at all, asked alike of both: an F-test with each model once.

    Returns
    -------
    One row per factor: F, p, p_permuted (labels assigned anew over models; NaN without
    permutations)."""
    y, X = one_row(table)
    tests = {
        factor: clustered.joint(
            y,
            X,
            [name for name in X if name.startswith(f"{factor}[")],
            n_permutations=n_permutations,
            seed=seed,
        )
        for factor in FACTORS
    }
    rows = {name: (test.F, test.p_value, test.p_permuted) for name, test in tests.items()}
    return pd.DataFrame(rows, index=["F", "p", "p_permuted"]).T


# --- what the paper prints of it ------------------------------------------------------------------


def estimates(fit: Fit) -> dict[str, float]:
    """The numbers of Figure 6 in a fit with the published random effects, by the claim's id without
    "upstream."."""
    found = {
        f"{claim_of(str(term))}.{name}": row[name]
        for term, row in fit.coefficients.iterrows()
        for name in QUANTITIES
    }
    covariance = fit.random_covariance["group"].to_numpy()
    found |= {f"random.{one}.{other}": covariance[i, j] for i, one, j, other in _pairs()}
    return found | {"scale": fit.scale, "log-likelihood": fit.log_likelihood}


def _pairs() -> list[tuple[int, str, int, str]]:
    """Places and names of the variances and covariances that are printed: the lower triangle."""
    each = list(enumerate(RANDOM))
    return [(i, one, j, other) for i, one in each for j, other in each[: i + 1]]


def claims(fit: Fit, table: pd.DataFrame) -> dict[str, float | bool]:
    """What Figures 3 and 6 and the text say, by the claim's id without "upstream.".

    Parameters
    ----------
    fit : as `published`, of `table`.
    table : as from `prepared`.
    """
    found = estimates(fit)
    errors, lbfgs = fit.random_se["group"].to_numpy(), fit.tried.loc["lbfgs"]  # as published
    rows = table["group"].value_counts()
    once = clustered.least_squares(*one_row(table))
    significant, by_model = (
        int((of.filter(like="dataset[", axis=0)["p"] < ALPHA).sum())
        for of in (fit.coefficients, once)
    )
    return (
        found
        | statements(fit.coefficients)
        | {f"random.{one}.{other}.se": errors[i, j] for i, one, j, other in _pairs()}
        | {f"text.{family}": found[f"dataset.{family}.coef"] for family in NAMED}
        | {
            "text.dfn-intro": found["dataset.dfn.coef"],
            "group-variance-text": found["random.intercept.intercept"],
            "significant-families": significant,
            "significant-families-by-model": by_model,
            "rows": fit.n,
            "groups": len(rows),
            "combinations": len(rows),
            "group-smallest": int(rows.min()),
            "group-largest": int(rows.max()),
            "group-mean": float(rows.mean()),
            "log-likelihood": float(lbfgs["log_likelihood"]),
            "log-likelihood-text": float(lbfgs["log_likelihood"]),
            "converged": bool(lbfgs["converged"]),
            "size-smallest": float(table["dataset_size"].min()),
            "size-largest": float(table["dataset_size"].max()) / 1e3,
        }
    )


def statements(coefficients: pd.DataFrame) -> dict[str, bool]:
    """Which of the paper's sentences on coefficients hold, by the claim's id without
    "upstream."."""
    table = coefficients.set_axis(coefficients.index.map(claim_of))
    towers = table.filter(regex=r"^architecture\.", axis=0)
    named = table.loc[[f"dataset.{family}" for family in NAMED]]
    heuristic = table.loc[["dataset.commonpool", "dataset.datacomp"], "coef"]
    return {
        "dataset-significant": bool(((named["p"] < ALPHA) & (named["coef"] > 0)).all()),
        "marginal": bool(ALPHA <= table.loc["dataset.yfcc15m", "p"] < 0.05),
        "architecture-null": bool((towers["p"] >= ALPHA).all()),
        "architecture-positive": bool((towers["coef"] > 0).all()),
        "numbers-null": bool((table.loc[["log-params", "log-dataset-size"], "p"] >= ALPHA).all()),
        "filters-worse": bool(table.loc["dataset.dfn", "coef"] > heuristic.max()),
    }
