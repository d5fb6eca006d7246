"""Which group's portraits a place brings back (Wolfe & Caliskan 2022, Table 1 and Figure 2), and what that says of a
census.

Comes in: cosines of portraits with prompts that name places, the portraits' groups, shares of a census. Goes out:
shares of portraits returned, correlations with intervals, R² against a null, and what networks recover of a census
that was planted. May not: know which groups or places there are.

"Balanced" means as in the paper: of every group as many portraits as the smallest has, drawn anew many times; all
places share a draw. A place's portraits are ranked once, and a draw only filters the ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats


@dataclass(frozen=True)
class Correlations:
    """Pearson's r of returned and census shares, per group.

    Attributes
    ----------
    table : group, r, p (two-sided, places as independent), low, high (Fisher's z), n.
    r_squared : of four census shares by four returned shares, averaged over the four (as released).
    null : the same R² with the places of the census exchanged at random, `(n,)`.
    """

    table: pd.DataFrame
    r_squared: float
    null: np.ndarray


def balanced(groups: Sequence[str], *, size: int | None = None, n: int, seed: int) -> np.ndarray:
    """Which portraits each draw keeps: `size` of every group, without replacement.

    Parameters
    ----------
    groups : of each portrait, `(images,)`.
    size : portraits kept of a group; by default as many as the smallest has.
    n, seed : how many draws, and their seed.

    Returns
    -------
    bool array `(n, images)`.

    Raises
    ------
    ValueError
        If a group has fewer than `size`.
    """
    of = np.asarray(groups)
    names, sizes = np.unique(of, return_counts=True)
    size = int(sizes.min()) if size is None else size
    if not 1 <= size <= sizes.min():
        raise ValueError(f"size must be from 1 to {sizes.min()}, what {str(names[sizes.argmin()])!r} has, got {size!r}")
    rng = np.random.default_rng(seed)
    kept = np.zeros((n, len(of)), bool)
    for name in names:
        own = np.flatnonzero(of == name)
        order = rng.random((n, len(own))).argpartition(size - 1, axis=1)[:, :size]
        np.put_along_axis(kept, own[order], True, axis=1)
    return kept


def returned(cosines: np.ndarray, groups: Sequence[str], kept: np.ndarray, *, top: int) -> pd.DataFrame:
    """The mean share that each group has of a place's `top` portraits, over draws.

    Parameters
    ----------
    cosines : `(images, places)`.
    groups : of each portrait, `(images,)`.
    kept : which portraits each draw keeps, `(draws, images)`, from `balanced`.
    top : how many are returned; of equal cosines the portrait that stands first.

    Returns
    -------
    DataFrame, places × groups; rows sum to 1.
    """
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    if not 1 <= top <= kept.sum(axis=1).min():
        raise ValueError(f"top must be from 1 to {kept.sum(axis=1).min()}, the portraits of a draw, got {top!r}")
    farthest = top + int((~kept).sum(axis=1).max())  # no portrait beyond is returned, whatever a draw leaves out
    counts = np.zeros((order.shape[1], len(names)))
    columns = np.ascontiguousarray(kept.T)
    for place, ranking in enumerate(order[:farthest].T):
        ranked = columns[ranking]
        chosen = ranked & (ranked.cumsum(axis=0, dtype=np.int16) <= top)
        counts[place] = np.bincount(codes[ranking], np.count_nonzero(chosen, axis=1), minlength=len(names))
    return pd.DataFrame(counts / (len(kept) * top), columns=names)


def expected(
    cosines: np.ndarray, groups: Sequence[str], weights: np.ndarray | None = None, *, share: float = 0.25
) -> pd.DataFrame:
    """The share of each group among a place's nearest portraits, without drawing: every group weighs the same.

    What `returned` tends to with many draws, up to the spread of a draw at the edge of the first `share`; it takes
    weights, so that portraits can be drawn anew.

    Parameters
    ----------
    cosines : `(images, places)`.
    groups : of each portrait.
    weights : how often each portrait counts; by default once.
    share : of the total weight that is returned (108 of 432 in the paper).

    Returns
    -------
    DataFrame, places × groups; rows sum to 1.
    """
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    own = np.ones(len(codes)) if weights is None else np.asarray(weights, float)
    own = own / np.bincount(codes, own, minlength=len(names))[codes] / len(names)
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    ranked = own[order]
    before = ranked.cumsum(axis=0) - ranked
    chosen = np.clip(share - before, 0, ranked) / share
    found = np.stack([(chosen * (codes[order] == code)).sum(axis=0) for code in range(len(names))], axis=1)
    return pd.DataFrame(found, columns=names)


def correlations(shares: pd.DataFrame, census: pd.DataFrame, *, n_null: int = 999, seed: int = 0) -> Correlations:
    """How returned shares go with a census.

    Parameters
    ----------
    shares, census : places × groups, rows in the same order of places; columns are matched by name.
    n_null, seed : orders of the places in which the census is set beside the same returns.
    """
    census = census[list(shares)]
    rows = [{"group": name, **_pearson(shares[name].to_numpy(), census[name].to_numpy())} for name in shares]
    returns, wanted = shares.to_numpy(), census.to_numpy()
    rng = np.random.default_rng(seed)
    null = np.array([r_squared(wanted[rng.permutation(len(wanted))], returns) for _ in range(n_null)])
    return Correlations(pd.DataFrame(rows), r_squared(wanted, returns), null)


def r_squared(response: np.ndarray, predictors: np.ndarray) -> float:
    """R² of a linear regression with intercept, averaged over the columns of the response (in the sample itself).

    Shares add up to 1, so one predictor is redundant: the fit is that of the others, by least norm.

    Parameters
    ----------
    response, predictors : `(places, groups)`.
    """
    outcome = response - response.mean(axis=0)
    design = predictors - predictors.mean(axis=0)
    fitted = design @ np.linalg.lstsq(design, outcome, rcond=1e-10)[0]
    return float(np.mean(1 - ((outcome - fitted) ** 2).sum(axis=0) / (outcome**2).sum(axis=0)))


def partial(first: np.ndarray, second: np.ndarray, given: np.ndarray) -> dict[str, float]:
    """Correlation of what is left of two variables after a regression on others: r, p, low, high, n.

    Parameters
    ----------
    first, second : `(places,)`.
    given : `(places, k)`: what is held constant; the degrees of freedom shrink by k.
    """
    design = np.column_stack([np.ones(len(first)), given])
    left = [values - design @ np.linalg.lstsq(design, values, rcond=1e-10)[0] for values in (first, second)]
    return _pearson(*left, held=np.linalg.matrix_rank(design) - 1)


def resampled(
    cosines: np.ndarray, groups: Sequence[str], census: pd.DataFrame, *, n: int, seed: int, share: float = 0.25
) -> pd.DataFrame:
    """Each group's r with portraits drawn anew within groups: n rows, one column per group, and `r_squared`."""
    of = np.asarray(groups)
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        weights = np.zeros(len(of))
        for name in np.unique(of):
            own = np.flatnonzero(of == name)
            weights[own] = np.bincount(rng.integers(0, len(own), len(own)), minlength=len(own))
        found = expected(cosines, groups, weights, share=share)
        wanted = census[list(found)]
        own_r = {name: np.corrcoef(found[name], wanted[name])[0, 1] for name in found}
        rows.append(own_r | {"r_squared": r_squared(wanted.to_numpy(), found.to_numpy())})
    return pd.DataFrame(rows)


def distortion(shares: pd.DataFrame, census: pd.DataFrame, group: str, where: np.ndarray) -> float:
    """How much likelier a group is returned in some places than its census share there explains, in log units.

    The coefficient of `where` in a regression of the log returned share, against the mean place, on the log census
    share. Where a planted distortion multiplies captions by e^c in these places, a model that returned what captions
    say shows c.

    Parameters
    ----------
    shares, census : places × groups.
    group : a column of both.
    where : bool `(places,)`.
    """
    least = 0.5 / 1_000  # so that a place that returns nobody has a logarithm
    outcome = np.log(np.maximum(shares[group].to_numpy(), least))
    design = np.column_stack([np.ones(len(outcome)), np.log(census[group].to_numpy()), np.asarray(where, float)])
    return float(np.linalg.lstsq(design, outcome, rcond=None)[0][2])


def _pearson(first: np.ndarray, second: np.ndarray, held: int = 0) -> dict[str, float]:
    n = len(first) - held
    r = float(np.corrcoef(first, second)[0, 1])
    t = r * np.sqrt((n - 2) / max(1 - r * r, 1e-300))
    low, high = np.tanh(
        np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15)) + np.array([-1, 1]) * stats.norm.ppf(0.975) / np.sqrt(n - 3)
    )
    return {"r": r, "p": float(2 * stats.t.sf(abs(t), n - 2)), "low": float(low), "high": float(high), "n": len(first)}
