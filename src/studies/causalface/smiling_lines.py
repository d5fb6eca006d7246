"""Lines over smiling, lighting and pose: Table B.1 of the earlier version of Hausladen et al.
(2025).

Comes in: the table's printed numbers, or a perception. Goes out: what the rows of each regression
must have been, and the same regressions over level means, images, and images × words. May not:
judge a claim.

A line with a constant gives away its rows: R² = t²/(t² + n − 2) their number n, and the two
standard errors the predictor's root mean square, se(β₀)/se(β₁) = √mean(x²).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats

import vlmbias as vb
from audit.printed import Printed, parse
from studies.causalface import smiling
from vlmbias.papers import CAUSALFACE

ABC = tuple(pole for poles in CAUSALFACE.poles.values() for pole in poles)
SCM = tuple(name for name in CAUSALFACE.dimensions if name not in ABC)
POSITIVE = CAUSALFACE.positive
NEGATIVE = tuple(name for name in CAUSALFACE.dimensions if name not in POSITIVE)
SMILES = (-2.5, -1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
UNITS = ("level means", "images", "images × words")
PARTS = ("coef", "se", "p", "const.coef", "const.se", "const.p", "r2", "n")


@dataclass(frozen=True)
class Row:
    """One regression of Table B.1, and the reading of it that its numbers allow.

    Attributes
    ----------
    attribute, dimensions, low, high : what is regressed on which levels.
    unit : what its rows were, one of `UNITS`.
    n, levels : how many rows, and the predictor's levels, if so.
    """

    attribute: str
    dimensions: tuple[str, ...]
    unit: str
    n: int
    levels: tuple[float, ...]
    low: float = -inf
    high: float = inf


# 10 levels; 100 identities × 6 groups × levels × the 32 words of ABC
ROWS = {
    "smile_positive": Row("smiling", POSITIVE, UNITS[0], 20, SMILES),  # a mean per level and theory
    "smile_negative": Row(
        "smiling", NEGATIVE, UNITS[0], 10, SMILES
    ),  # only one theory has negative words
    "lighting": Row("lighting", ABC, UNITS[2], 153_600, tuple(range(-1, 7))),
    "pose_left": Row("pose", ABC, UNITS[2], 57_600, (-3, -1.5, 0), high=0),
    "pose_right": Row("pose", ABC, UNITS[2], 57_600, (0, 1.5, 3), low=0),
}


# --- what was printed -----------------------------------------------------------------------------


def rms(x: Sequence[float]) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(x, dtype=float))))


def implied(printed: Mapping[str, str], row: str) -> dict[str, float]:
    """How many rows a regression had, and its predictor's root mean square, from what is printed of
    it.

    Parameters
    ----------
    printed : the ledger's claims by id, as printed; each stands for the interval of numbers that
        round to it.

    Returns
    -------
    n_low, n_high, rms_low, rms_high.
    """
    coefficient, error, constant, fit = (
        _size(printed[f"smiling.table_b1.{row}.{part}"])
        for part in ("coef", "se", "const.se", "r2")
    )
    t = coefficient[0] / error[1], coefficient[1] / error[0]
    return {
        "n_low": t[0] ** 2 * (1 - fit[1]) / fit[1] + 2,
        "n_high": t[1] ** 2 * (1 - fit[0]) / fit[0] + 2,
        "rms_low": constant[0] / error[1],
        "rms_high": constant[1] / error[0],
    }


def audit(printed: Mapping[str, str]) -> pd.DataFrame:
    """What each regression's rows must have been, beside a reading.

    Returns
    -------
    One row per regression: row, unit, n_low, n_high, n (of the reading), n_fits, rms_low, rms_high,
    rms (of the levels), rms_fits.
    """
    rows = []
    for name, reading in ROWS.items():
        found, size = implied(printed, name), rms(reading.levels)
        rows.append(
            {
                "row": name,
                "unit": reading.unit,
                **found,
                "n": reading.n,
                "rms": size,
                "n_fits": found["n_low"] <= reading.n <= found["n_high"],
                "rms_fits": found["rms_low"] <= size <= found["rms_high"],
            }
        )
    return pd.DataFrame(rows)


def cases_that_fit(r: str, p: str, *, most: int = 1_000) -> list[int]:
    """The numbers of pairs for which a printed correlation has the printed two-sided p, from 3 to
    `most`."""
    size, level = _size(r), _parsed(p)
    cases = range(3, most + 1)
    low, high = (vb.correlations.p_value(size[end], np.array(cases)) for end in (1, 0))
    return [n for n, *p in zip(cases, low, high, strict=True) if level.meets(*map(float, p))]


def correlations(printed: Mapping[str, str]) -> pd.DataFrame:
    """Table S.2 with the interval that its number of levels allows.

    Returns
    -------
    attribute, pair, n, r, low, high (95 %, Fisher's z), and fitting: the numbers of pairs that turn
    r into its p, where p is printed as a number; empty where it is not.
    """
    rows = []
    for attribute, n in (("smiling", 10), ("lighting", 8), ("pose", 5)):
        for pair in CAUSALFACE.poles:
            r, p = (printed[f"smiling.table_s2.{attribute}.{pair}.{part}"] for part in ("r", "p"))
            low, high = vb.correlations.interval(_parsed(r).number, n)
            rows.append(
                {
                    "attribute": attribute,
                    "pair": pair,
                    "n": n,
                    "r": _parsed(r).number,
                    "low": low,
                    "high": high,
                    "fitting": tuple(cases_that_fit(r, p)) if _parsed(p).relation == "=" else (),
                }
            )
    return pd.DataFrame(rows)


def _parsed(text: str) -> Printed:
    found = parse(text)
    if found is None:
        raise ValueError(f"{text!r} is printed, and is no number")
    return found


def _size(text: str) -> tuple[float, float]:
    """The interval of sizes, without their sign, that a printed number stands for."""
    one = _parsed(text)
    return (one.low, one.high) if one.number > 0 else (-one.high, -one.low)


# --- the same on what was seen --------------------------------------------------------------------


def line(y: np.ndarray, x: np.ndarray, clusters: np.ndarray | None = None) -> dict[str, float]:
    """A straight line by least squares, in the names of `PARTS`, and `clustered`: the slope's
    standard error with values of one cluster allowed to go together, NaN without clusters."""
    fit = sm.OLS(y, sm.add_constant(np.asarray(x, float))).fit()
    robust = np.nan
    if clusters is not None:
        robust = fit.get_robustcov_results("cluster", groups=pd.factorize(clusters)[0]).bse[1]
    (constant, slope), (constant_se, se), (constant_p, p) = fit.params, fit.bse, fit.pvalues
    values = (slope, se, p, constant, constant_se, constant_p, fit.rsquared)
    return dict(zip(PARTS, map(float, values), strict=False)) | {
        "n": len(y),
        "clustered": float(robust),
    }


def lines(seen: vb.Perception) -> pd.DataFrame:
    """The regressions of Table B.1 on delta-cos, each over level means, over images and over images
    × words.

    The row on lighting is also fitted with the number of the row (image × word) in place of the
    level.

    Returns
    -------
    row, unit, `PARTS`, clustered (standard error of the slope by identity), claimed (whether this
    is the unit of the printed row).
    """
    found = []
    for name, row in ROWS.items():
        used, x, each = _rows(seen, row)
        identity, words = seen.table["seed"].to_numpy()[used], each.shape[1]
        wide = each.ravel(), np.repeat(x, words), np.repeat(identity, words)
        fits = {
            "level means": line(*_level_means(seen, row, used, x)),
            "images": line(each.mean(axis=1), x, identity),
            "images × words": line(*wide),
        }
        if name == "lighting":
            fits["images × words, row number for x"] = line(wide[0], np.arange(each.size), wide[2])
        found += [
            {"row": name, "unit": unit, **fit, "claimed": unit == row.unit}
            for unit, fit in fits.items()
        ]
    return pd.DataFrame(found)


def _rows(seen: vb.Perception, row: Row) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The images of a row in the order of its levels, their levels, and delta-cos with each word,
    `(n, words)`."""
    level = seen.table[row.attribute].to_numpy(float)
    used = np.flatnonzero(
        smiling.series(seen.table, row.attribute) & (level >= row.low) & (level <= row.high)
    )
    used = used[np.argsort(level[used], kind="stable")]
    words = seen.words["dimension"].isin(row.dimensions).to_numpy()
    return used, level[used], seen.cosines[np.ix_(used, words)] - seen.neutral()[used, None]


def _level_means(
    seen: vb.Perception, row: Row, used: np.ndarray, x: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A mean per level for each theory that the row has words of, and the levels."""
    delta, means = seen.delta().iloc[used], []
    for theory in (SCM, ABC):
        if own := [name for name in row.dimensions if name in theory]:
            means.append(delta[own].mean(axis=1).groupby(x).mean())
    both = pd.concat(means)
    return both.to_numpy(), both.index.to_numpy()


def slope(
    own: smiling.Trajectory, dimensions: Sequence[str], *, low: float = -inf, high: float = inf
) -> float:
    """Slope of the straight line through level means from `low` to `high`, the mean over
    dimensions."""
    means = own.mean()[list(dimensions)].mean(axis=1).loc[low:high]
    return float(stats.linregress(means.index.to_numpy(), means.to_numpy()).slope)
