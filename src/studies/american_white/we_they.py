"""The printed tests of White against other portraits, Wolfe & Caliskan (2022), Tables 2 to 5: what
they print, and which p-values can stand beside each effect size."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from audit.rules import LARGEST_SD_RATIO, welch_p

NETWORKS = ("blip", "clip", "slip")
AT_HAND = ("clip", "blip", "slip")  # in the order in which a reader is likely to have them
# a cell's letter, and the group whose size the claims call so
OTHERS = {"a": "asian", "b": "black", "l": "latina"}
AGAINST = ("Asian", "Black", "Latino")  # as the table of portraits in real models has them
# per reading: the tail for a d below zero and for one above
TAILS = {
    "by its sign": ("less", "greater"),
    "two-sided": ("two-sided",) * 2,
    "always greater": ("greater",) * 2,
}
RATIOS = np.geomspace(1 / LARGEST_SD_RATIO, LARGEST_SD_RATIO, 801)


def printed_cells(claim: Callable[[str], Any], prefix: str) -> pd.DataFrame:
    """The nine cells of one table, White individuals against each other group, in three networks.

    Parameters
    ----------
    claim : `vb.ledger.claim`.
    prefix : of the claims, "<prefix>.<network>.w<letter of the other group>.<d or p>".

    Returns
    -------
    One row per cell: cell, network, n_x, n_y, d (a `Printed`), number (its value), low and high
    (see `implied`), text and p (both as printed), bound (the number that p is printed to lie below;
    missing where none is), power (of ten, of such a bound).
    """
    n_x, rows = int(claim("we_they.n-white").printed.number), []
    for network in NETWORKS:
        for letter, group in OTHERS.items():
            d, p = (claim(f"{prefix}.{network}.w{letter}.{quantity}") for quantity in "dp")
            n_y = int(claim(f"we_they.n-{group}").printed.number)
            low, high = implied(d.printed.number, n_x, n_y)
            row = {"cell": d.subject, "network": network.upper(), "n_x": n_x, "n_y": n_y}
            row |= {"d": d.printed, "number": d.printed.number, "low": low, "high": high}
            row |= {"text": d.value, "p": p.value, "power": p.printed.power}
            rows.append(row | {"bound": p.printed.number if p.printed.relation == "<" else None})
    return pd.DataFrame(rows).astype({"bound": float, "power": float})


def implied(d: float, n_x: int, n_y: int, *, confidence_level: float = 0.95) -> tuple[float, float]:
    r"""The large-sample interval of a standardised difference.

    .. math:: d \pm z \sqrt{\frac{1}{n_x} + \frac{1}{n_y} + \frac{d^2}{2 (n_x + n_y - 2)}}

    References
    ----------
    L. V. Hedges, I. Olkin (1985), *Statistical Methods for Meta-Analysis*, ch. 5.
    """
    half = stats.norm.isf((1 - confidence_level) / 2) * np.sqrt(
        1 / n_x + 1 / n_y + d**2 / (2 * (n_x + n_y - 2))
    )
    return float(d - half), float(d + half)


def readings(cells: pd.DataFrame, *, tails: Mapping[str, tuple[str, str]] = TAILS) -> pd.DataFrame:
    """Whether each printed bound on p can be true together with its d, under each reading of the
    tail.

    Parameters
    ----------
    cells : as from `printed_cells`.
    tails : name of a reading → the tail for a d below zero, and for one above.

    Returns
    -------
    One row per cell and tail: cell, tail, bound, power; low and high, the p-values that d and its
    rounding imply where both groups have one SD, whichever divisors d and the test have; equal (the
    bound holds there), alike (it holds there if d and the test divide by the same, N or N − 1),
    magnitude (10^power is the order of magnitude of a p between low and high); ratio, the SD of the
    first group over that of the second nearest to 1 with which the bound holds, and free (there is
    one, up to `LARGEST_SD_RATIO` either way). Where no bound is printed, none holds.
    """
    rows = []
    for row in cells.itertuples():
        for name, ends in tails.items():
            tail, sizes = ends[int(row.number > 0)], (row.n_x, row.n_y)
            (low,), (high,) = welch_p(row.d, *sizes, tail=tail)
            smallest, _ = welch_p(row.d, *sizes, tail=tail, ratios=RATIOS)
            fits = RATIOS[smallest < row.bound]
            one_divisor = [
                stats.ttest_ind_from_stats(
                    d, 1, row.n_x, 0, 1, row.n_y, equal_var=False, alternative=tail
                ).pvalue
                for d in (row.d.low, row.d.high)
            ]
            found = {"cell": row.cell, "tail": name, "bound": row.bound, "power": row.power}
            found |= {"low": low, "high": high, "equal": bool(low < row.bound)}
            found |= {"alike": bool(min(one_divisor) < row.bound), "free": bool(len(fits))}
            found["ratio"] = fits[np.abs(np.log(fits)).argmin()] if len(fits) else np.nan
            orders = np.floor(np.log10([low, high]))
            rows.append(found | {"magnitude": bool(orders[0] <= row.power <= orders[1])})
    return pd.DataFrame(rows)


def smallest_p(d: float, n_x: int, n_y: int) -> float:
    r"""A bound that Welch's p, one-sided, cannot fall below, given d over the pooled SD and
    whatever the two SDs are.

    With :math:`v_i = \sigma_i^2/\sigma_p^2`, Eq. 4 says
    :math:`(n_x-1)\,v_x + (n_y-1)\,v_y = n_x+n_y-2`, and

    .. math:: t^2 = \frac{d^2}{v_x/n_x + v_y/n_y} \le d^2\,\frac{\max_i n_i(n_i-1)}{n_x+n_y-2},
    \qquad
              \mathrm{df} \le n_x+n_y-2:

    the denominator is linear in the share of the sum of squares that a group holds, and smallest
    where the larger group holds all of it. p falls with both t and df, so p at both largest values
    is a lower bound. No ratio attains it, since df is largest elsewhere. Two-sided, twice as much.

    Parameters
    ----------
    d : over the pooled SD, with the divisors of the test.
    """
    df = n_x + n_y - 2
    t = abs(d) * np.sqrt(max(n_x * (n_x - 1), n_y * (n_y - 1)) / df)
    return float(stats.t.sf(t, df))


def white_minus(valence: pd.DataFrame, unit: str) -> pd.DataFrame:
    """White people's neutral portraits against each other group's, in models that others ran.

    Parameters
    ----------
    valence : `facts.table("cfd_valence")`: n, mean and SD of groups such as "White women".
    unit : of its column `unit`, such as "cosine" or "pleasant words".

    Returns
    -------
    One row per model and other group: model, against, n_x, n_y, d (over the pooled SD, Eq. 4) and p
    (Welch's, two tails). Models that lack a group are left out.
    """
    own = valence[(valence["what"] == "neutral") & (valence["unit"] == unit)]
    race = own["group"].str.split().str[0].rename("race")
    sums = pd.DataFrame({"n": own["n"], "x": own["n"] * own["mean"]})
    sums["xx"] = (own["n"] - 1) * own["sd"] ** 2 + own["n"] * own["mean"] ** 2
    by = sums.groupby([own["model"], race], sort=False).sum()
    by["mean"] = by["x"] / by["n"]
    by["var"] = (by["xx"] - by["n"] * by["mean"] ** 2) / (by["n"] - 1)
    rows = []
    for model, groups in by.groupby(level="model", sort=False):
        groups = groups.droplevel("model")
        if not {"White", *AGAINST} <= set(groups.index):
            continue
        white = groups.loc["White"]
        for against in AGAINST:
            other = groups.loc[against]
            within = (white["n"] - 1) * white["var"] + (other["n"] - 1) * other["var"]
            pooled = np.sqrt(within / (white["n"] + other["n"] - 2))
            test = stats.ttest_ind_from_stats(
                *(white["mean"], np.sqrt(white["var"]), white["n"]),
                *(other["mean"], np.sqrt(other["var"]), other["n"]),
                equal_var=False,
            )
            d = (white["mean"] - other["mean"]) / pooled
            rows.append((model, against, int(white["n"]), int(other["n"]), d, test.pvalue))
    return pd.DataFrame(rows, columns=["model", "against", "n_x", "n_y", "d", "p"])
