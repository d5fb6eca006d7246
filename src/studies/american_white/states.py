"""Which group's portraits a place brings back, and what that says of a census: Wolfe & Caliskan
(2022), Table 1 and Figure 2.

"Balanced" means as in the paper: of every group as many portraits as the smallest has, drawn anew
many times; all places share a draw. A place's portraits are ranked once, and a draw only filters
the ranking.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

Labels = Sequence[str] | np.ndarray
# how pages write the paper's groups
GROUPS = {"asian": "Asian", "black": "Black", "latino": "Latina/o", "white": "White"}


def balanced(groups: Labels, *, size: int | None = None, n: int, seed: int) -> np.ndarray:
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
        raise ValueError(
            f"size must be from 1 to {sizes.min()}, what {str(names[sizes.argmin()])!r} has, got"
            f" {size!r}"
        )
    rng = np.random.default_rng(seed)
    kept = np.zeros((n, len(of)), bool)
    for name in names:
        own = np.flatnonzero(of == name)
        order = rng.random((n, len(own))).argpartition(size - 1, axis=1)[:, :size]
        np.put_along_axis(kept, own[order], True, axis=1)
    return kept


def by_draw(cosines: np.ndarray, groups: Labels, kept: np.ndarray, *, top: int) -> np.ndarray:
    """The share that each group has of a place's `top` portraits, draw by draw.

    Parameters
    ----------
    cosines : `(images, places)`.
    groups : of each portrait, `(images,)`.
    kept : which portraits each draw keeps, `(draws, images)`, from `balanced`.
    top : how many are returned; of equal cosines the portrait that stands first.

    Returns
    -------
    float array `(draws, places, groups)`, groups in alphabetical order.
    """
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    if not 1 <= top <= kept.sum(axis=1).min():
        raise ValueError(
            f"top must be from 1 to {kept.sum(axis=1).min()}, the portraits of a draw, got {top!r}"
        )
    # no portrait beyond is returned, whatever a draw leaves out
    farthest = top + int((~kept).sum(axis=1).max())
    counts = np.empty((order.shape[1], len(names), len(kept)))
    member = np.eye(len(names), dtype=np.float32)[:, codes]
    columns = np.ascontiguousarray(kept.T)
    for place, ranking in enumerate(order[:farthest].T):
        ranked = columns[ranking]
        chosen = ranked & (ranked.cumsum(axis=0, dtype=np.int16) <= top)
        counts[place] = member[:, ranking] @ chosen.astype(np.float32)  # whole numbers, exact
    return counts.transpose(2, 0, 1) / top


def expected(cosines: np.ndarray, groups: Labels) -> pd.DataFrame:
    """The share of each group among a place's nearest quarter of the portraits, without drawing:
    every group weighs the same.

    What `by_draw` tends to with many draws, up to the spread of a draw at the edge of the quarter.

    Parameters
    ----------
    cosines : `(images, places)`.
    groups : of each portrait.

    Returns
    -------
    DataFrame, places × groups in alphabetical order; rows sum to 1.
    """
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    own = 1 / np.bincount(codes)[codes] / len(names)  # every group weighs the same
    ranked, share = own[order], 0.25  # 108 of 432 in the paper
    before = ranked.cumsum(axis=0) - ranked
    chosen = np.clip(share - before, 0, ranked) / share
    found = [(chosen * (codes[order] == code)).sum(axis=0) for code in range(len(names))]
    return pd.DataFrame(np.stack(found, axis=1), columns=names)


def correlations(shares: pd.DataFrame, census: pd.DataFrame) -> pd.DataFrame:
    """How returned shares go with a census: by group, r, p (two-sided, places as independent), low,
    high (Fisher's z).

    Parameters
    ----------
    shares, census : places × groups, rows in the same order of places; columns are matched by name.
    """
    rows = {}
    for name in shares:
        test: Any = stats.pearsonr(shares[name], census[name])
        ends = test.confidence_interval()._asdict()
        rows[name] = {"r": test.statistic, "p": test.pvalue, **ends}
    return pd.DataFrame(rows).T.rename_axis("group")


def r_squared(response: np.ndarray, predictors: np.ndarray) -> float:
    """R² of a linear regression with intercept, averaged over the columns of the response (in the
    sample itself).

    Shares add up to 1, so one predictor is redundant: the fit is that of the others, by least norm.

    Parameters
    ----------
    response, predictors : `(places, groups)`.
    """
    outcome = response - response.mean(axis=0)
    design = predictors - predictors.mean(axis=0)
    fitted = design @ np.linalg.lstsq(design, outcome, rcond=1e-10)[0]
    return float(np.mean(1 - ((outcome - fitted) ** 2).sum(axis=0) / (outcome**2).sum(axis=0)))


def beside_returns(census: pd.DataFrame, shares: np.ndarray) -> pd.DataFrame:
    """What models that cannot tell the places apart would seem to do: each returns one share of a
    group everywhere.

    Parameters
    ----------
    census : places × groups.
    shares : shares that such models return of a group, of whichever group: nothing sets groups
        apart for them.

    Returns
    -------
    One row per group: group, census (mean over places), quarter (in how many places an equal share
    is above the census), n (places), over (of the `shares`, the part that is above the census in
    most places).
    """
    everywhere = np.ravel(shares)[:, None]
    rows = []
    for name in census:
        lived = census[name].to_numpy()
        above = (everywhere > lived).mean(axis=1) > 0.5
        quarter = int((lived < 1 / census.shape[1]).sum())
        rows.append((name, lived.mean(), quarter, len(lived), float(above.mean())))
    return pd.DataFrame(rows, columns=["group", "census", "quarter", "n", "over"])


# --- the Greenhouse -------------------------------------------------------------------------------


def expected_shares(planted: pd.DataFrame, *, b: float) -> pd.DataFrame:
    """What captions of as many portraits of every group would return: shares ∝ exp(b × planted log
    odds).

    Parameters
    ----------
    planted : places × groups, as the bias table has it, in log units.
    b : strength at which it was planted.
    """
    odds = np.exp(b * planted)
    return odds.div(odds.sum(axis=1), axis=0)


def returned_by(vectors: Any, census: pd.DataFrame) -> np.ndarray:
    """What each retrained network returns, `(networks, places, groups)`, groups in alphabetical
    order.

    Parameters
    ----------
    vectors : networks, images, words, `cosines(images, words)`, as `greenhouse.retrained.vectors`
        reads them.
    census : places × groups, places named as in the words.
    """
    cosines_of, groups = seen(vectors, census.index)
    return np.array([expected(one, groups).to_numpy() for one in cosines_of])


def seen(vectors: Any, places: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Cosines of prototype portraits with places, `(networks, portraits, places)`, and the
    portraits' groups; `vectors` as for `returned_by`."""
    kept = np.flatnonzero(
        vectors.images["kind"].eq("face") & vectors.images["subset"].eq("prototype")
    )
    listed = vectors.words["word"].where(vectors.words["slot"].eq("province"))
    rows = np.array([int(np.flatnonzero(listed == name)[0]) for name in places])
    return vectors.cosines(kept, rows), vectors.images["race"].to_numpy(str)[kept]


def in_lines(regions: pd.Series) -> pd.DataFrame:
    """Squares for places of which only the region is known: a line of squares per region, in
    alphabetical order.

    Returns
    -------
    DataFrame with the index of `regions`: row, column.
    """
    line = np.unique(regions.to_numpy(str), return_inverse=True)[1]
    return pd.DataFrame(
        {"row": line, "column": regions.groupby(regions).cumcount()}, index=regions.index
    )
