"""Effect sizes and performance: Ghate et al. (2025), Figure 4, and what predicts performance.

Comes in: the printed correlations; a study table (`vlmbias.external.study_table.COLUMNS`),
released, simulated or of a fleet; tables of zero-shot results. Goes out: tables with one row per
cell, factor or resample. May not: read a file, or take a row for a model.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from audit.printed import parse
from studies.pretraining.effect_sizes import NOT_HUMAN, ORDERS
from vlmbias.inference import correlations, holm

CELL = ["category", "order"]
FEWEST = 4  # families below which none are drawn anew
TWICE, OMITTED = "vtab/dsprites_label_x_position", "vtab/smallnorb_label_elevation"
NAMED_NEGATIVE = [("gender", "image-target"), ("gender", "all-text")]  # in the paper's text
REPEATED = [
    *(("text", category, order) for order in ORDERS for category in NOT_HUMAN),
    ("text", "race", "all-image"),
    *((place, *cell) for place in ("text", "discussion", "intro") for cell in NAMED_NEGATIVE),
]
"""Where else the paper prints a correlation of its figure."""


def printed(claims: pd.DataFrame) -> pd.DataFrame:
    """The printed correlations of d and performance.

    Parameters
    ----------
    claims : columns id, value and n, as `vb.ledger.load("pretraining")`.

    Returns
    -------
    One row per cell, index category and order: r, low and high (what prints as r), n (rows behind
    it), starred."""
    place = r"^downstream\.(?P<category>[a-z-]+)\.(?P<order>[a-z-]+)\.(?P<quantity>r|p)$"
    found = claims[["value", "n"]].join(claims["id"].str.extract(place)).dropna(subset="quantity")
    wide = found.pivot(index=["category", "order"], columns="quantity", values="value")
    numbers = [one for value in wide["r"] if (one := parse(value))]
    n = found.groupby(["category", "order"])["n"].first().astype(int)
    ends = [(one.number, one.low, one.high) for one in numbers]
    return pd.DataFrame(ends, wide.index, ["r", "low", "high"]).assign(
        n=n, starred=wide["p"].str.startswith("<")
    )


def corrected(printed: pd.DataFrame, *, models: int = 131, alpha: float = 0.05) -> pd.DataFrame:
    """What the printed correlations alone say with each model counted once, and after Holm's
    correction over the cells.

    Parameters
    ----------
    printed : as `printed`. Of a cell with several tests the printed r is over rows; it stands in
        for the models' own.
    models : how many cases there are then.
    alpha : of the tests and, two-sided, of the intervals.

    Returns
    -------
    The same rows with low and high (Fisher's z), p, p_holm, in place of what prints as r.
    """
    r = printed["r"].to_numpy()
    p = correlations.p_value(r, models)
    low, high = correlations.interval(r, models, confidence_level=1 - alpha)
    return printed.assign(low=low, high=high, p=p, p_holm=holm(p))


# --- correlations ---------------------------------------------------------------------------------


def over_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The correlations as the authors' code has them: every row counts, no correction.

    Parameters
    ----------
    table : a study table; rows without performance are left out.

    Returns
    -------
    Index category and order: r, p (two-sided, t with n − 2 df), n (rows), magnitude (r with the
    absolute value of d)."""
    rows = {}
    for cell, own in table.dropna(subset="performance").groupby(CELL, sort=False):
        r, p = stats.pearsonr(own["effect_size"], own["performance"])
        magnitude = stats.pearsonr(own["effect_size"].abs(), own["performance"])[0]
        rows[cell] = {"r": r, "p": p, "n": len(own), "magnitude": magnitude}
    return pd.DataFrame(rows).T.rename_axis(CELL).astype({"n": int})


def by_model(
    table: pd.DataFrame, outcome: str = "effect_size"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row per model, and one column per cell.

    Returns
    -------
    about : index model: architecture, dataset, performance, log_params, log_dataset_size.
    values : same index; columns (category, order): the mean of the outcome over the cell's tests.
    """
    kept = table.dropna(subset="performance")
    about = kept.drop_duplicates("model").set_index("model")
    values = kept.pivot_table(index="model", columns=CELL, values=outcome, sort=False).loc[
        about.index
    ]
    logs = {
        "log_params": np.log(about["parameters"]),
        "log_dataset_size": np.log(about["dataset_size"]),
    }
    return about[["architecture", "dataset", "performance"]].assign(**logs), values


def r_given(values: Any, performance: Any, given: Any, weights: Any) -> np.ndarray:
    r"""Correlations of several variables with performance, in which others are held constant, under
    weights.

    Residuals of weighted least squares on `given` and a constant are correlated:

    .. math:: r_j = \\frac{S_{jp}}{\\sqrt{S_{jj} S_{pp}}}, \\quad S = Y'WY - Y'WX (X'WX)^{-1} X'WY,
    \\quad Y = [d, p]

    Parameters
    ----------
    values : `(models, variables)`.
    performance : `(models,)`.
    given : `(models, held)`; no columns for plain correlations.
    weights : `(resamples, models)`, how often each model counts.

    Returns
    -------
    `(resamples, variables)`; NaN where nothing is left to correlate.
    """
    y = np.column_stack([values, performance])
    y = (y - y.mean(axis=0)) / y.std(axis=0)
    x, w = np.column_stack([np.ones(len(y)), given]), np.asarray(weights, float)
    xx, xy = np.einsum("rm,mi,mj->rij", w, x, x), np.einsum("rm,mi,mj->rij", w, x, y)
    own = np.einsum("rm,mj,mj->rj", w, y, y)
    explained = np.linalg.pinv(xx, rcond=1e-10, hermitian=True) @ xy
    s_jj = own - (xy * explained).sum(axis=1)
    s_jp = np.einsum("rm,mj,m->rj", w, y, y[:, -1]) - (xy * explained[:, :, -1:]).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = s_jp / np.sqrt(s_jj * s_jj[:, -1:])
    return np.where((s_jj[:, -1:] > 1e-9) & (s_jj > 1e-9), r, np.nan)[:, :-1]


def over_models(
    table: pd.DataFrame,
    *,
    given: Sequence[str] = (),
    n_resamples: int = 1_000,
    seed: int = 0,
    outcome: str = "effect_size",
) -> pd.DataFrame:
    """The correlations with each model counted once, and data families as what could have been
    others.

    Parameters
    ----------
    table : a study table.
    given : what is held constant, of "log_params", "log_dataset_size", "architecture", "dataset".
    n_resamples, seed : of the bootstrap, in which data families are drawn anew, each with all its
        models.
    outcome : "effect_size" or "gap".

    Returns
    -------
    Index category and order: r, p (two-sided, t with models − 2 − held df), p_holm (over the
    cells), low and high (95 %, of data families; of models where there are fewer than `FEWEST`
    families), n (models).
    """
    about, values = by_model(table, outcome)
    held = _columns(about, given)
    performance, n = about["performance"].to_numpy(), len(about)
    (r,) = r_given(values, performance, held, np.ones((1, n)))
    lost = np.linalg.matrix_rank(np.column_stack([np.ones(n), held])) - 1
    p = correlations.p_value(r, n, held=lost)
    drawn = about["dataset"] if about["dataset"].nunique() >= FEWEST else about.index
    draws = r_given(values, performance, held, families(drawn, n_resamples=n_resamples, seed=seed))
    low, high = np.nanquantile(draws, [0.025, 0.975], axis=0)
    return pd.DataFrame(
        {"r": r, "p": p, "p_holm": holm(p), "low": low, "high": high, "n": n}, index=values.columns
    )


def _columns(about: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    """Columns of numbers, with one per category but the first where a column holds words."""
    if not names:
        return np.empty((len(about), 0))
    return pd.get_dummies(about[list(names)], drop_first=True, dtype=float).to_numpy()


def families(names: Any, *, n_resamples: int, seed: int) -> np.ndarray:
    """How often each model counts when families are drawn anew, as `vlmbias.inference.resampling`
    draws them."""
    return vb.cluster_weights(np.asarray(names, str), n_resamples=n_resamples, seed=[seed, 1])


def surviving(
    rows: pd.DataFrame, models: pd.DataFrame, held: pd.DataFrame, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Step by step, how many of the cells stay significant, and with which sign.

    Parameters
    ----------
    rows : as `over_rows`.
    models, held : as `over_models`, without and with what is held constant.

    Returns
    -------
    One row per step: step, positive, negative, of (cells).
    """
    steps = {
        "each result counts": rows["p"] < alpha,
        "each model counts once": models["p"] < alpha,
        "… corrected for the number of cells": models["p_holm"] < alpha,
        "interval over data families": (models["low"] > 0) | (models["high"] < 0),
        "sizes held, corrected": held["p_holm"] < alpha,
        "sizes held, interval over data families": (held["low"] > 0) | (held["high"] < 0),
    }
    used = [rows, models, models, models, held, held]
    return pd.DataFrame(
        [
            {
                "step": step,
                "positive": int((hit & (own["r"] > 0)).sum()),
                "negative": int((hit & (own["r"] < 0)).sum()),
                "of": len(own),
            }
            for (step, hit), own in zip(steps.items(), used, strict=True)
        ]
    )


# --- what predicts performance --------------------------------------------------------------------


def explained(
    table: pd.DataFrame,
    factors: Mapping[str, Sequence[str]],
    *,
    performance: str = "performance",
    n_resamples: int = 0,
    seed: int = 0,
) -> pd.DataFrame:
    """How much of the variance of performance each factor explains.

    Parameters
    ----------
    table : one row per model.
    factors : what to call a factor → its columns; columns of words are taken as categories.
    n_resamples, seed : bootstrap of models; none where 0.

    Returns
    -------
    One row per factor, and "all": factor, alone (R² of it by itself), unique (what R² loses without
    it), df; and unique_low, unique_high (95 %) where models are resampled.
    """
    y = table[performance].to_numpy(float)
    columns = {name: _columns(table, own) for name, own in factors.items()}

    def losses(chosen: np.ndarray) -> dict[str, tuple[float, float]]:
        def r2(names: Iterable[str]) -> float:
            return _r2(
                y[chosen],
                np.column_stack([np.ones(len(chosen)), *(columns[name][chosen] for name in names)]),
            )

        whole = r2(columns)
        return {
            name: (r2([name]), whole - r2([one for one in columns if one != name]))
            for name in columns
        } | {"all": (whole, whole)}

    found = losses(np.arange(len(y)))
    rows = [
        {
            "factor": name,
            "alone": alone,
            "unique": unique,
            "df": sum(own.shape[1] for key, own in columns.items() if name in (key, "all")),
        }
        for name, (alone, unique) in found.items()
    ]
    result, rng = pd.DataFrame(rows), np.random.default_rng(seed)
    if n_resamples:
        drawn = pd.DataFrame(
            [
                {
                    name: unique
                    for name, (_, unique) in losses(rng.integers(0, len(y), len(y))).items()
                }
                for _ in range(n_resamples)
            ]
        )
        low, high = (drawn.quantile(q).to_numpy() for q in (0.025, 0.975))
        result = result.assign(unique_low=low, unique_high=high)
    return result


def adjusted(r_squared: float, *, n: int, df: int) -> float:
    """R² less what as many predictors explain of noise: :math:`1 - (1 - R^2)(n - 1)/(n - df - 1)`.

    Parameters
    ----------
    r_squared : of a regression with an intercept.
    n, df : models, and predictors beside the intercept.
    """
    return 1 - (1 - r_squared) * (n - 1) / (n - df - 1)


def _r2(y: np.ndarray, x: np.ndarray) -> float:
    rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    return float(1 - (rest @ rest) / ((y - y.mean()) @ (y - y.mean())))


def tasks(table: pd.DataFrame) -> list[str]:
    """The columns of a table of `vlmbias.external.zero_shot.scaling_laws` that are accuracies of
    single tasks."""
    about = ["model", "architecture_name", "parameters", "dataset_size", "samples", "published"]
    return [name for name in table.columns[len(about) :] if table[name].between(0, 1).all()]


def averages(table: pd.DataFrame) -> pd.DataFrame:
    """VTAB+ as published, and as the authors' code forms it for open_clip's models.

    That code lists one task of dSprites twice and one of SmallNORB not at all.

    Parameters
    ----------
    table : as `vlmbias.external.zero_shot.scaling_laws`.

    Returns
    -------
    Same rows: published (its column), described (mean of all tasks), released (mean of the code's
    list).
    """
    every = tasks(table)
    code = [task for task in every if task != OMITTED] + [TWICE]
    return table[["model", "published"]].assign(
        described=table[every].mean(axis=1), released=table[code].mean(axis=1)
    )


SCALES = {"data size": ["size"], "parameters": ["width"], "pairs seen": ["seen"]}
"""What differs between the models of the scaling-laws study, and its columns."""


def of_scaling_laws(laws: pd.DataFrame, *, n_resamples: int = 200, seed: int = 0) -> pd.DataFrame:
    """All that this book uses of the scaling-laws models' results, in the form in which it ships.

    Parameters
    ----------
    laws : as `vlmbias.external.zero_shot.scaling_laws`.
    n_resamples, seed : of the intervals in `explained`.

    Returns
    -------
    One row per number: of (a factor of `SCALES`, "all", or what else the number is of), quantity,
    value.
    """
    logs = {
        "size": np.log(laws["dataset_size"]),
        "width": np.log(laws["parameters"]),
        "seen": np.log(laws["samples"]),
    }
    parts = explained(
        laws.assign(**logs), SCALES, performance="published", n_resamples=n_resamples, seed=seed
    )
    means = averages(laws)
    apart = means["released"] - means["published"]
    others = {
        ("models", "number"): len(laws),
        ("tasks", "number"): len(tasks(laws)),
        ("released average", "mean difference"): apart.mean(),
        ("released average", "sd of the difference"): apart.std(),
        ("released average", "r"): means["released"].corr(means["published"]),
        ("described average", "largest difference"): (means["described"] - means["published"])
        .abs()
        .max(),
    }
    rows = [
        {"of": of, "quantity": quantity, "value": float(value)}
        for (of, quantity), value in others.items()
    ]
    return pd.concat(
        [
            parts.rename(columns={"factor": "of"}).melt("of", var_name="quantity"),
            pd.DataFrame(rows),
        ],
        ignore_index=True,
    )


# --- how often something is found where nothing is ------------------------------------------------


def false_positive_rate(
    names: Any,
    *,
    shared: float,
    n_tests: int,
    alike: float = 0.5,
    draws: int = 1_000,
    seed: int = 0,
    n_resamples: int = 200,
) -> dict[str, float]:
    """How often r is significant at .05 where d and performance have nothing to do with each other.

    Each is drawn for itself: a part that models of one family have in common, and a part of each
    model's own; d is measured by several tests of one model.

    Parameters
    ----------
    names : family of each model.
    shared : share of the variance that families have in common, of d and of performance, from 0 to
        1.
    n_tests : tests pooled in a cell.
    alike : share of d's variance that a model's tests have in common.
    draws : simulated cells.
    n_resamples : families drawn anew per cell.

    Returns
    -------
    Share of the draws in which p < .05 over rows ("rows"), over models ("models"), and in which the
    bootstrap interval of families excludes zero ("families").
    """
    rng, codes = np.random.default_rng(seed), pd.factorize(np.asarray(names, str))[0]
    n, n_families = len(codes), codes.max() + 1

    def drawn() -> np.ndarray:
        common, own = rng.normal(size=(n_families, draws))[codes], rng.normal(size=(n, draws))
        return np.sqrt(shared) * common + np.sqrt(1 - shared) * own

    d, performance = drawn(), drawn()
    tests = np.sqrt(alike) * d[:, None] + np.sqrt(1 - alike) * rng.normal(size=(n, n_tests, draws))
    r = _r(tests.reshape(-1, draws), np.repeat(performance, n_tests, axis=0))
    rows = correlations.p_value(r, n * n_tests)
    means = tests.mean(axis=1)
    low, high = np.nanquantile(
        _weighted_r(means, performance, families(names, n_resamples=n_resamples, seed=seed)),
        [0.025, 0.975],
        axis=0,
    )
    return {
        "rows": float((rows < 0.05).mean()),
        "models": float((correlations.p_value(_r(means, performance), n) < 0.05).mean()),
        "families": float(((low > 0) | (high < 0)).mean()),
    }


def common_cause(
    *, through: float, direct: float, models: int = 131, draws: int = 500, seed: int = 0
) -> dict[str, float]:
    """Correlations of d and performance where both depend on a common cause, such as the training
    data, and d perhaps on performance itself.

    Parameters
    ----------
    through : correlation of the cause with performance, and what a standard deviation of it adds to
        d.
    direct : what a standard deviation of performance adds to d.

    Returns
    -------
    Means over draws: r, and held, the correlation with the cause held constant.
    """
    rng = np.random.default_rng(seed)
    cause = rng.normal(size=(models, draws))
    performance = through * cause + np.sqrt(1 - through**2) * rng.normal(size=(models, draws))
    d = through * cause + direct * performance + rng.normal(size=(models, draws))
    r, of_d, of_p = _r(d, performance), _r(d, cause), _r(performance, cause)
    held = (r - of_d * of_p) / np.sqrt((1 - of_d**2) * (1 - of_p**2))
    return {"r": float(r.mean()), "held": float(held.mean())}


def _r(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Pearson's r of the same columns of two arrays."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    return (one * other).sum(axis=0) / np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))


def _weighted_r(one: np.ndarray, other: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Pearson's r of the same columns of two arrays `(models, columns)`, under weights:
    `(resamples, columns)`."""
    share = weights / weights.sum(axis=1, keepdims=True)
    mean, other_mean = share @ one, share @ other
    joint = share @ (one * other) - mean * other_mean
    spread = (share @ one**2 - mean**2) * (share @ other**2 - other_mean**2)
    return np.where(spread > 1e-12, joint / np.sqrt(np.maximum(spread, 1e-12)), np.nan)


# --- claims ---------------------------------------------------------------------------------------


def claims(table: pd.DataFrame) -> dict[str, Any]:
    """The claims that a study table decides, by id without "downstream.", computed as the authors'
    code does."""
    rows = over_rows(table)
    r, starred = rows["r"], rows["p"] < 0.05
    found: dict[str, Any] = {
        f"{category}.{order}.{name}": rows.loc[(category, order), name]
        for category, order in rows.index
        for name in ("r", "p")
    }
    found |= {".".join(claim): r[claim[1:]] for claim in REPEATED}
    non_human = r[r.index.get_level_values("category").isin(NOT_HUMAN)]
    unnamed = r[starred].drop(NAMED_NEGATIVE, errors="ignore")
    of_two = rows.index.get_level_values("category").isin(["race", "age"])
    return found | {
        **{f"aggregate.{category}": r.loc[category].mean() for category in NOT_HUMAN},
        "often": bool((r[starred] > 0.295).mean() > 0.5),
        "higher": bool((r > 0).all()),
        "non-human": bool((non_human > 0).all()),
        "across-the-board": bool(starred.all()),
        "negative": bool((r.loc[NAMED_NEGATIVE] < 0).all() and (unnamed > 0).all()),
        "insignificant": bool(2 * of_two[~starred].sum() > (~starred).sum()),
        "magnitude": bool((rows["magnitude"] - r).abs().max() < 0.005),
    }
