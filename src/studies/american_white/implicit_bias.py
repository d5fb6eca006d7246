"""Whether the bias of people in a place goes with what a model returns for it (Wolfe & Caliskan
2022, Figure 2).

Comes in: shares that a model returns, a census, regions, mean IAT scores of places, or printed
correlations. Goes out: correlations that share a variable, compared; partial correlations; what
aggregation does; simulated IATs, of which it is known what they depend on. May not: know which
groups or places there are, or read a file.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from studies.words import listed
from vlmbias.inference import correlations


def simulated(
    drivers: Mapping[str, Any],
    *,
    slopes: Mapping[str, float],
    left: float = 1.0,
    reliability: float = 0.8,
    n: int,
    seed: int,
) -> np.ndarray:
    r"""Mean IAT scores of places that depend on what is stated, and on nothing else, each measured
    with noise.

    .. math:: y = \sum_k \beta_k z_k + \lambda u + e, \quad
              \operatorname{var} e = (\textstyle\operatorname{var}(\sum_k \beta_k z_k) +
              \lambda^2)\,(1 - \rho)/\rho

    with z the drivers in units of their SD over places, u and e independent and standard normal but
    for e's variance.

    Parameters
    ----------
    drivers : of each name, `(places,)`.
    slopes : β of each driver that counts; the others do not.
    left : λ, the SD of what no driver explains.
    reliability : ρ, the share of the variance of y that another measurement of the same places
        would show again.
    n, seed : how many IATs, and their seed.

    Returns
    -------
    float array `(n, places)`, without a unit: the SD of a driver.
    """
    if not 0 < reliability <= 1:
        raise ValueError(f"reliability must be above 0 and at most 1, got {reliability!r}")
    places = len(np.asarray(next(iter(drivers.values()))))
    signal = np.zeros(places)
    for name, slope in slopes.items():
        values = np.asarray(drivers[name], float)
        signal += slope * (values - values.mean()) / values.std()
    error = np.sqrt((signal.var() + left**2) * (1 - reliability) / reliability)
    rng = np.random.default_rng(seed)
    return signal + left * rng.normal(size=(n, places)) + error * rng.normal(size=(n, places))


# --- two correlations that share a variable -------------------------------------------------------


def compared(one: Any, other: Any, between: Any, *, n: int) -> dict[str, Any]:
    r"""Whether two predictors of one outcome differ in their correlation with it.

    Williams's t with n − 3 df (Steiger 1980, Psychological Bulletin 87, 245, Eq. 7),

    .. math:: t = (r_1 - r_2) \sqrt{\frac{(n - 1)(1 + r_{12})}
                                         {2 \frac{n-1}{n-3} |R| + \bar r^2 (1 - r_{12})^3}},

    and the interval of the difference of Zou (2007, Psychological Methods 12, 399).

    Parameters
    ----------
    one, other : each predictor's r with the outcome, numbers or arrays.
    between : r of the two predictors.
    n : cases.

    Returns
    -------
    difference, low, high (95 %), t, p (two-sided).
    """
    one, other, between = (np.asarray(value, float) for value in (one, other, between))
    determinant = 1 - one**2 - other**2 - between**2 + 2 * one * other * between
    mean = (one + other) / 2
    below = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - between) ** 3
    with np.errstate(invalid="ignore"):  # three r that no data can have give no t
        t = (one - other) * np.sqrt((n - 1) * (1 + between) / below)
    (low_1, high_1), (low_2, high_2) = (correlations.interval(r, n) for r in (one, other))
    joint = (between - one * other / 2) * (1 - one**2 - other**2 - between**2) + between**3
    joint = joint / ((1 - one**2) * (1 - other**2))
    down, up = (
        _width(one - low_1, high_2 - other, joint),
        _width(high_1 - one, other - low_2, joint),
    )
    return {
        "difference": one - other,
        "low": one - other - down,
        "high": one - other + up,
        "t": t,
        "p": 2 * stats.t.sf(np.abs(t), n - 3),
    }


def _width(one: np.ndarray, other: np.ndarray, joint: np.ndarray) -> np.ndarray:
    return np.sqrt(one**2 + other**2 - 2 * joint * one * other)


def held(one: Any, other: Any, between: Any, *, n: int) -> dict[str, Any]:
    """The first predictor's correlation with the outcome where the other one is held constant, from
    three r.

    Returns
    -------
    r, low, high (95 %, Fisher's z with one case less), p (two-sided, n − 3 df).
    """
    one, other, between = (np.asarray(value, float) for value in (one, other, between))
    r = (one - other * between) / np.sqrt((1 - other**2) * (1 - between**2))
    low, high = correlations.interval(r, n, held=1)
    return {"r": r, "low": low, "high": high, "p": correlations.p_value(r, n, held=1)}


def printed(claim: Callable[[str], Any], *, n: int = 51) -> pd.DataFrame:
    """What the printed correlations say when they are set beside one another: per model, one row
    per question.

    Needed are r of IAT means with the shares returned and with the census (both printed in the
    text), and of these two with each other, which is the Black cell of Table 1.

    Returns
    -------
    model, question ("more than the census", "census held", "model held"), value, low, high, p, then
    p_low and p_high: over all correlations that print as these.
    """
    rows = []
    for model in ("clip", "blip"):
        own = [
            claim(name).printed
            for name in (
                f"implicit_bias.text.{model}",
                "implicit_bias.text.census",
                f"states.{model}.black.r",
            )
        ]
        near = list(product(*((one.low, one.high) for one in own)))
        questions: dict[str, Callable[..., dict[str, Any]]] = {
            "more than the census": lambda a, b, c: compared(a, b, c, n=n),
            "census held": lambda a, b, c: held(a, b, c, n=n),
            "model held": lambda a, b, c: held(b, a, c, n=n),
        }
        for question, ask in questions.items():
            found = ask(*(one.number for one in own))
            p = [float(ask(*ends)["p"]) for ends in near]
            value = found["difference" if "difference" in found else "r"]
            rows.append(
                {
                    "model": model.upper(),
                    "question": question,
                    "value": float(value),
                    "p_low": min(p),
                    "p_high": max(p),
                    **{name: float(found[name]) for name in ("low", "high", "p")},
                }
            )
    return pd.DataFrame(rows)


# --- many IATs at once ----------------------------------------------------------------------------


def over_iats(
    returned: np.ndarray, census: np.ndarray, region: Any, iats: np.ndarray, *, alpha: float = 0.05
) -> dict[str, float]:
    """What a network's returns seem to say of many IATs.

    Parameters
    ----------
    returned, census : shares of one group, `(places,)`.
    region : of each place.
    iats : `(n, places)`.
    alpha : of the tests, two-sided.

    Returns
    -------
    returned, census (mean r with the IATs); and shares of the IATs with: higher (r with the returns
    above that with the census), told (and Williams's p at most `alpha`), beyond (a positive partial
    r with the census held, p at most `alpha`), beyond_region (the census and the region held).
    """
    n = len(census)
    one, other, between = (
        r_with(iats, returned),
        r_with(iats, census),
        r_with(returned[None], census)[0],
    )
    tests = compared(one, other, between, n=n)
    dummies = pd.get_dummies(pd.Series(region), dtype=float).to_numpy()[:, 1:]
    rates = {"higher": one > other, "significant": (one > other) & (tests["p"] <= alpha)}
    for name, given in (
        ("beyond", census[:, None]),
        ("beyond_region", np.column_stack([census, dummies])),
    ):
        part, k = beyond(iats, returned, given), given.shape[1]
        rates[name] = (part > 0) & (correlations.p_value(part, n, held=k) <= alpha)
    return {
        "returned": float(one.mean()),
        "census": float(other.mean()),
        **{name: float(np.mean(hits)) for name, hits in rates.items()},
    }


def in_worlds(
    readers: Mapping[str, Any],
    census: Any,
    region: Any,
    drivers: Mapping[str, Any],
    *,
    worlds: Mapping[str, Mapping[str, float]],
    reliability: float,
    n: int,
    seed: int,
    times: int = 1,
) -> pd.DataFrame:
    """`over_iats` of several readers of the same places, about the same simulated IATs, in worlds
    that differ in what the IATs depend on.

    Parameters
    ----------
    readers : by name, shares of one group, `(places,)`.
    census, region, drivers : of the same places; see `over_iats` and `simulated`.
    worlds : by name, the slopes of the drivers.
    reliability, n, seed : of the IATs.
    times : how often every place stands there: with many, what depends on the number of places is
        gone.

    Returns
    -------
    One row per world and reader: world, reader, then as `over_iats`.
    """
    often = {name: np.tile(np.asarray(values, float), times) for name, values in drivers.items()}
    lived, where, rows = (
        np.tile(np.asarray(census, float), times),
        np.tile(np.asarray(region), times),
        [],
    )
    for world, slopes in worlds.items():
        iats = simulated(often, slopes=slopes, reliability=reliability, n=n, seed=seed)
        rows += [
            {
                "world": world,
                "reader": name,
                **over_iats(np.tile(np.asarray(own, float), times), lived, where, iats),
            }
            for name, own in readers.items()
        ]
    return pd.DataFrame(rows)


def beyond(iats: np.ndarray, values: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Partial correlations of each row with `values`, what is in the columns of `given` held
    constant."""
    design = np.column_stack([np.ones(len(values)), given])
    away = np.eye(len(values)) - design @ np.linalg.pinv(design)
    return r_with(iats @ away, away @ values)


def r_with(rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Pearson's r of each row with one vector."""
    left, right = rows - rows.mean(axis=1, keepdims=True), values - values.mean()
    return left @ right / np.sqrt((left**2).sum(axis=1) * (right @ right))


# --- what the paper says --------------------------------------------------------------------------

OF_PEOPLE = frozenset(
    {"stronger-abstract", "stronger-text", "stronger-figure", "positive", "negative"}
)
"""Statements about the bias of groups of people."""


def about(claim: str) -> str:
    """The model that a claim with one number is about."""
    return "blip" if "blip" in claim else "clip"


def from_census(white: np.ndarray, black_share: np.ndarray) -> dict[str, float]:
    """The correlation of IAT means with the census, which no model enters, by the claim's id
    without "implicit_bias."."""
    r = float(np.corrcoef(white, black_share)[0, 1])
    return {f"{where}.census": r for where in ("abstract", "text", "figure")}


def claims(
    returned: Mapping[str, np.ndarray], census: np.ndarray, white: np.ndarray, black: np.ndarray
) -> dict[str, float | bool]:
    """What the text says of each model at hand, by the claim's id without "implicit_bias.".

    Parameters
    ----------
    returned : by model ("clip", "blip"), the share of portraits of Black individuals for each
        place.
    census : their share of the population.
    white, black : mean IAT scores of White and of Black respondents in each place.
    """
    r = {
        model: (float(np.corrcoef(white, own)[0, 1]), float(np.corrcoef(black, own)[0, 1]))
        for model, own in returned.items()
        if model in ("clip", "blip")
    }
    lived = float(np.corrcoef(white, census)[0, 1])
    values: dict[str, float | bool] = {
        f"{where}.{model}": of_white
        for model, (of_white, _) in r.items()
        for where in ("abstract", "text", "figure")
    }
    values |= {f"text.{model}-black": of_black for model, (_, of_black) in r.items()}
    if len(r) < 2:
        return values
    stronger = min(of_white for of_white, _ in r.values()) > lived
    return values | {
        "stronger-abstract": stronger,
        "stronger-text": stronger,
        "stronger-figure": stronger,
        "positive": min(of_white for of_white, _ in r.values()) > 0,
        "negative": max(of_black for _, of_black in r.values()) < 0,
    }


# --- sentences ------------------------------------------------------------------------------------


def distinguished(p: pd.Series, *, alpha: float = 0.05) -> str:
    """For which models the difference of two correlations is significant, as the beginning of a
    sentence; `p` is indexed by model."""
    clear = [str(name) for name, value in p.items() if value <= alpha]
    if len(clear) == len(p):
        return "The difference is significant in both models"
    if not clear:
        return "The difference is not significant in either model"
    return f"The difference is significant in {clear[0]} only"


def adds(rest: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """For which models the shares returned add something to the census, as a sentence.

    Parameters
    ----------
    rest : indexed by model, the rows "census held" of `printed`; a model is counted only if its
        test is significant for all correlations that print as the paper's.
    """
    clear, possible = _clear(rest, alpha)
    if not (clear | possible).any():
        return "With the census held constant, no significant link remains."
    rounding = "depends on how the printed numbers were rounded"
    if not clear.any():
        return (
            "With the census held constant, a significant link may remain for"
            f" {listed(rest.index[possible])}: this {rounding}."
        )
    text = (
        "With the census held constant, a significant link remains for"
        f" {listed(rest.index[clear])}."
    )
    return (
        f"{text} For {listed(rest.index[possible])}, this {rounding}." if possible.any() else text
    )


def answer(rest: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """The same as `adds`, as an answer to "does the model say something?"."""
    clear, possible = _clear(rest, alpha)
    parts = {"yes": clear, "unclear": possible, "not shown": ~(clear | possible)}
    named = [
        f"{what} for {listed(rest.index[models])}" for what, models in parts.items() if models.any()
    ]
    return f"By the printed numbers: {listed(named)}."


def _clear(rest: pd.DataFrame, alpha: float) -> tuple[pd.Series, pd.Series]:
    """Which models are significant however the printed numbers were rounded, and which others may
    be."""
    clear = rest["p_high"] <= alpha
    return clear, (rest["p_low"] <= alpha) & ~clear


def bends(step: pd.Series, *, chance: float) -> str:
    """Whether a link is found more often than by chance where scores follow a relation that is not
    straight, as a sentence; `step` has low and high, an interval over networks."""
    if step["low"] > chance:
        return "This is more often than by chance, although there is nothing to find."
    if step["high"] < chance:
        return "This is less often than by chance."
    return "This is about as often as by chance."


def as_high(link: float, no_link: float, *, rare: float = 0.02) -> str:
    """What a partial correlation as high as the printed one tells, as sentences; each argument is
    how often simulations reach it, with a true link and without one."""
    counted = f"This happens in {link:.1%} of the simulations with a true link"
    if no_link > rare:
        return (
            f"{counted}, and in up to {no_link:.1%} where scores follow the census in another"
            " shape than a straight line. So such a shape may explain BLIP's result."
        )
    text = (
        f"{counted}, and in at most {no_link:.1%} where scores follow the census in another"
        " shape than a straight line. So none of the shapes that we tried makes such a high value"
        " likely."
    )
    if link > rare:
        return text
    return (
        f"{text} But a true link in our networks does not make it likely, either. So these"
        " simulations cannot say how BLIP's result came about."
    )


def more_places(link: Sequence[float], no_link: Sequence[float]) -> str:
    """What more places do to the question with the census held, as a sentence; each argument is
    how often it gets a yes with few places and with many."""
    if link[1] <= link[0] + 0.05:
        return "With more provinces, the question finds a true link no more often."
    if no_link[1] <= no_link[0] + 0.05:
        return (
            "With more provinces, the question finds the true link more often, and the"
            " false one no more often."
        )
    return (
        "With more provinces, the question finds the true link more often, but also the one"
        " that does not exist."
    )
