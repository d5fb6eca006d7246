"""Retrained networks as observations: what holds over networks that were trained alike, not over
images or words of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from vlmbias.inference import holm
from vlmbias.measures import validate


def summary(values: Any, *, confidence_level: float = 0.95) -> pd.DataFrame:
    r"""Mean over networks with its t interval, spread, and how many networks agree on the sign.

    .. math:: \bar v ± t_{n-1,\,(1+\text{level})/2} \; s / \sqrt n, \quad s \text{ with ddof 1}

    Parameters
    ----------
    values : mapping or DataFrame of name → array_like `(n,)`, or one such array
        One value per network; names may have different numbers of networks.
    confidence_level : float
        Of the interval.

    Returns
    -------
    pandas.DataFrame
        One row per name: n, mean, low, high, sd, one_sign (share of the networks that have the more
        common of the two signs; an exact zero has neither). With one network, low, high and sd are
        NaN.

    Raises
    ------
    ValueError, TypeError
        No networks, or a value that is not finite.

    Examples
    --------
    >>> vb.networks.summary({"warmth": [0.1, 0.2, 0.3], "age": [-0.1, 0.1, 0.3]}).round(2)
            n  mean   low  high   sd  one_sign
    warmth  3   0.2 -0.05  0.45  0.1      1.00
    age     3   0.1 -0.40  0.60  0.2      0.67
    """
    validate.fraction("confidence_level", confidence_level)
    return pd.DataFrame(
        {
            name: _summary(validate.finite(str(name), one, "(n,)"), confidence_level)
            for name, one in _named(values).items()
        }
    ).T.astype({"n": int})


def _summary(values: np.ndarray, confidence_level: float) -> dict[str, float]:
    """A row of `summary`."""
    n, mean = len(values), values.mean()
    sd = values.std(ddof=1) if n > 1 else np.nan
    half = stats.t.ppf((1 + confidence_level) / 2, n - 1) * sd / np.sqrt(n) if n > 1 else np.nan
    agree = max((values > 0).mean(), (values < 0).mean())
    return {
        "n": n,
        "mean": mean,
        "low": mean - half,
        "high": mean + half,
        "sd": sd,
        "one_sign": agree,
    }


def rates(hits: Any) -> pd.DataFrame:
    """How often something happens, with exact (Clopper–Pearson) 95 % intervals.

    Parameters
    ----------
    hits : mapping or DataFrame of name → array_like of bool `(n,)`, or one such array
        One value per network (or per independent test): whether it happened.

    Returns
    -------
    pandas.DataFrame
        One row per name: n, hits, rate, low, high. The interval of 6 of 6 has a width: .54 to 1.

    Raises
    ------
    ValueError, TypeError
        Nothing to count, or values that are not boolean.

    Examples
    --------
    >>> vb.networks.rates({"planted": [True] * 6, "nothing planted": [False] * 5 + [True]}).round(2)
                     n  hits  rate   low  high
    planted          6     6  1.00  0.54  1.00
    nothing planted  6     1  0.17  0.00  0.64
    """
    rows = {}
    for name, one in _named(hits).items():
        found = np.asarray(one)
        if found.dtype != bool or found.ndim != 1 or not found.size:
            raise TypeError(
                f"{name}: needs a non-empty vector of True and False, one per network; got shape "
                f"{found.shape}, dtype {found.dtype}."
            )
        n, k = len(found), int(found.sum())
        ends: Any = proportion_confint(k, n, alpha=1 - 0.95, method="beta")
        rows[name] = {
            "n": n,
            "hits": k,
            "rate": k / n,
            "low": float(ends[0]),
            "high": float(ends[1]),
        }
    return pd.DataFrame(rows).T.astype({"n": int, "hits": int})


@dataclass(frozen=True)
class RankPValue:
    """One network's place among `n_null` networks in which nothing was planted: `rank` 1 for the
    most extreme of all, and `p_value`, which is rank / (n_null + 1)."""

    p_value: float
    rank: int
    n_null: int


def rank_p_value(value: float, null: Any, *, alternative: str = "greater") -> RankPValue:
    r"""How extreme one network is among networks trained with nothing planted.

    .. math:: p = \frac{1 + \#\{v_0 ≥ v\}}{n + 1}

    It is exact if, with nothing planted, this network were one more of the others; no p can be
    below 1/(n + 1). Networks that tie with it count against it.

    Parameters
    ----------
    value : float
        Of the network in question.
    null : array_like, shape (n,)
        The same quantity in `n` networks with nothing planted.
    alternative : {"greater", "less", "two-sided"}
        Two-sided compares distances from 0, what a difference of exchangeable groups is expected
        to be.

    Returns
    -------
    RankPValue
        With `p_value`, `rank` and `n_null`.

    Raises
    ------
    ValueError, TypeError
        No null networks, values that are not finite, or an unknown alternative.

    References
    ----------
    B. Phipson, G. K. Smyth (2010), *Statistical Applications in Genetics and Molecular Biology*
    9(1), 39.

    Examples
    --------
    >>> vb.networks.rank_p_value(0.9, [0.1, -0.4, 0.3, 0.2])
    RankPValue(p_value=0.2, rank=1, n_null=4)
    >>> vb.networks.rank_p_value(0.25, [0.1, -0.4, 0.3, 0.2], alternative="two-sided")
    RankPValue(p_value=0.6, rank=3, n_null=4)
    """
    validate.choice("alternative", alternative, validate.ALTERNATIVES)
    others = validate.finite("null", null, "(n,)")
    own = validate.finite("value", [value], "(n,)")[0]
    if alternative == "less":
        others, own = -others, -own
    elif alternative == "two-sided":
        others, own = np.abs(others), abs(own)
    tie = 1e-12 * max(float(np.abs(others).max()), abs(own))
    rank = 1 + int(np.count_nonzero(others >= own - tie))
    return RankPValue(rank / (len(others) + 1), rank, len(others))


def among_null(values: Any, is_null: Any, *, alternative: str = "greater") -> np.ndarray:
    """The p of `rank_p_value` of every network, itself left out of those it is set against.

    Parameters
    ----------
    values : array_like `(n,)`, one per network.
    is_null : array_like of bool `(n,)`, True where nothing was planted: at least two networks.
    alternative : {"greater", "less", "two-sided"}

    Examples
    --------
    >>> vb.networks.among_null([0.9, 0.1, -0.4, 0.3, 0.2], [False, True, True, True, True])
    array([0.2 , 0.75, 1.  , 0.25, 0.5 ])
    """
    numbers, nothing = np.asarray(values, float), np.asarray(is_null, bool)
    place = np.arange(len(numbers))
    null = [numbers[nothing & (place != k)] for k in place]
    return np.array(
        [
            rank_p_value(own, others, alternative=alternative).p_value
            for own, others in zip(numbers, null, strict=True)
        ]
    )


def one_sample(values: Any) -> pd.DataFrame:
    """Student's t-test of a mean over networks against zero, and Holm's correction over all that
    are asked at once.

    Parameters
    ----------
    values : as for `summary`; at least two networks each

    Returns
    -------
    pandas.DataFrame
        The columns of `summary`, with uncorrected 95 % intervals, then t, p (two-sided) and p_holm.

    Examples
    --------
    >>> tests = vb.networks.one_sample({"warmth": [0.1, 0.2, 0.3], "age": [-0.1, 0.1, 0.3]})
    >>> tests[["mean", "t", "p", "p_holm"]].round(3)
            mean      t      p  p_holm
    warmth   0.2  3.464  0.074   0.148
    age      0.1  0.866  0.478   0.478
    """
    table: Any = summary(values)
    if (table["n"] < 2).any():
        raise ValueError(
            f"a t-test needs at least 2 networks; {table.index[table['n'] < 2][0]!r} has 1."
        )
    tests: Any = [stats.ttest_1samp(np.asarray(one, float), 0.0) for one in _named(values).values()]
    table["t"], table["p"] = np.array([(test.statistic, test.pvalue) for test in tests]).T
    return table.assign(p_holm=holm(table["p"]))


def paired(values: Any) -> pd.DataFrame:
    """Every pair of groups compared over networks, by paired t-tests, with Holm's correction over
    all pairs.

    Parameters
    ----------
    values : DataFrame, one row per network, one column per group
        A group's mean in each network.

    Returns
    -------
    pandas.DataFrame
        One row per pair, `n (n − 1) / 2` of them: first, second, and for the difference (first −
        second) the columns of `one_sample`.

    Raises
    ------
    ValueError
        Fewer than two groups or networks, or a value that is not finite.

    Examples
    --------
    >>> means = pd.DataFrame({"teal": [0.3, 0.4, 0.5], "amber": [0.1, 0.3, 0.2]})
    >>> vb.networks.paired(means)[["first", "second", "mean", "t", "p"]].round(3)
      first second  mean      t      p
    0  teal  amber   0.2  3.464  0.074
    """
    table = pd.DataFrame(values)
    if table.shape[1] < 2:
        raise ValueError(f"pairs need at least 2 groups; got {list(table.columns)}.")
    pairs = list(combinations(table.columns, 2))
    gaps = {
        number: table[one].to_numpy(float) - table[other]
        for number, (one, other) in enumerate(pairs)
    }
    names = pd.DataFrame(pairs, columns=["first", "second"])
    return names.join(one_sample(gaps))


def _named(values: Any) -> Mapping[Any, Any]:
    """Values by name; one array alone is called "all"."""
    if isinstance(values, pd.DataFrame):
        return {name: values[name].to_numpy() for name in values}
    return values if isinstance(values, Mapping) else {"all": values}
