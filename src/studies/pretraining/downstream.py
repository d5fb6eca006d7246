"""Effect sizes and performance (Ghate et al., 2025): the printed correlations, those over models,
and what predicts performance."""

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


def by_model(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row per model, and one column per cell.

    Returns
    -------
    about : index model: architecture, dataset, performance, log_params, log_dataset_size.
    values : same index; columns (category, order): mean d over the cell's tests.
    """
    kept = table.dropna(subset="performance")
    about = kept.drop_duplicates("model").set_index("model")
    values = kept.pivot_table(index="model", columns=CELL, values="effect_size", sort=False)
    logs = {
        "log_params": np.log(about["parameters"]),
        "log_dataset_size": np.log(about["dataset_size"]),
    }
    return about[["architecture", "dataset", "performance"]].assign(**logs), values.loc[about.index]


def r_given(values: Any, performance: Any, given: Any, weights: Any) -> np.ndarray:
    r"""Correlations of several variables with performance, in which others are held constant, under
    weights.

    Residuals of weighted least squares on `given` and a constant are correlated:

    .. math:: r_j = \frac{S_{jp}}{\sqrt{S_{jj} S_{pp}}}, \quad S = Y'WY - Y'WX (X'WX)^{-1} X'WY,
    \quad Y = [d, p]

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
) -> pd.DataFrame:
    """The correlations with each model counted once, and data families as what could have been
    others.

    Parameters
    ----------
    table : a study table.
    given : what is held constant, of "log_params", "log_dataset_size", "architecture", "dataset".
    n_resamples, seed : of the bootstrap, in which data families are drawn anew, each with all its
        models.

    Returns
    -------
    Index category and order: r, p (two-sided, t with models − 2 − held df), p_holm (over the
    cells), low and high (95 %, of data families; of models where there are fewer than `FEWEST`
    families), n (models).
    """
    about, values = by_model(table)
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


# --- what predicts performance --------------------------------------------------------------------


def explained(
    table: pd.DataFrame,
    factors: Mapping[str, Sequence[str]],
    *,
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
    y = table["performance"].to_numpy(float)
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


def _r2(y: np.ndarray, x: np.ndarray) -> float:
    """R² of least squares of y on the columns of x."""
    rest = y - x @ np.linalg.lstsq(x, y, rcond=None)[0]
    return float(1 - (rest @ rest) / ((y - y.mean()) @ (y - y.mean())))


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
