"""Pairs of images that differ in one attribute only: what moves perception, all else equal."""

from typing import Any

import numpy as np
import pandas as pd

from . import validate

ATTRIBUTES = ("seed", "race", "gender", "age", "smiling", "lighting", "pose")
_SLACK = 1e-9  # a gap that exceeds `min_gap` by rounding alone does not exceed it


def one_apart(
    images: Any, *, by: str, n: int, seed: Any, min_gap: float | None = None
) -> pd.DataFrame:
    """Draw pairs of images that differ in `by` and agree in every other attribute.

    The first image is uniform over the images that have at least one partner; the second is
    uniform over the first one's partners. Draws are independent, so pairs may repeat.

    Parameters
    ----------
    images : ImageSet or pandas.DataFrame
        With `by` among its columns; the attributes are those present of seed, race, gender, age,
        smiling, lighting, pose. Other columns are ignored.
    by : str
        The attribute that differs. Images without a value for it are left out; in the others, two
        missing values agree.
    n : int
        Number of pairs.
    seed : int or numpy.random.Generator
    min_gap : float, optional
        For a numeric `by`, in its unit: the two values differ by strictly more than this.

    Returns
    -------
    pandas.DataFrame
        `n` rows; `first` and `second` are row numbers (0 to len(images) − 1).

    Raises
    ------
    ValueError
        An attribute that is not there, a gap for an attribute without numbers, no pair at all.

    Examples
    --------
    >>> faces = pd.DataFrame({"seed": [0, 0, 1, 1], "smiling": [0.0, 1.0, 0.0, 1.0]})
    >>> pairs = vb.one_apart(faces, by="smiling", n=100, seed=0)

    Rows 0 and 1 differ in smiling alone, as do rows 2 and 3:

    >>> pairs.drop_duplicates().sort_values("first", ignore_index=True)
       first  second
    0      0       1
    1      1       0
    2      2       3
    3      3       2
    """
    table = getattr(images, "table", images)
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"images must be an ImageSet or a DataFrame; got {type(images).__name__}.")
    attributes = [column for column in ATTRIBUTES if column in table]
    validate.choice("by", by, attributes)
    validate.count("n", n, minimum=1)
    low, high, values = _too_close(table.loc[:, by], min_gap)
    others = [column for column in attributes if column != by]
    rows = np.flatnonzero(values >= 0)  # missing values are coded −1
    group, values = _codes(table, others)[rows], values[rows]

    # sort images by group, then by value: a row's partners are its group without one contiguous run
    width = len(low)
    place = group * width + values
    order = np.argsort(place, kind="stable")
    place, rows, group, values = place[order], rows[order], group[order], values[order]
    start, end = (np.searchsorted(place, (group + step) * width) for step in (0, 1))
    run_start = np.searchsorted(place, group * width + low[values])
    run_end = np.searchsorted(place, group * width + high[values])
    partners = (run_start - start) + (end - run_end)
    eligible = np.flatnonzero(partners)
    if not eligible.size:
        gap = "" if min_gap is None else f" by more than {min_gap}"
        raise ValueError(
            f"no two of the {len(table)} images differ in {by!r}{gap} and agree in the rest "
            f"({', '.join(others) or 'no other attribute'}); {by!r} takes {len(low)} values."
        )
    rng = np.random.default_rng(seed)
    first = rng.choice(eligible, n)
    second = start[first] + rng.integers(partners[first])
    second += np.where(second >= run_start[first], run_end[first] - run_start[first], 0)
    return pd.DataFrame({"first": rows[first], "second": rows[second]})


def _too_close(
    column: pd.Series, min_gap: float | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each sorted distinct value, the run [low, high) of values too close to it; each row's
    value."""
    codes, distinct = pd.factorize(column, sort=True)
    if min_gap is None:
        return np.arange(len(distinct)), np.arange(len(distinct)) + 1, codes
    if not pd.api.types.is_numeric_dtype(column):
        raise ValueError(
            f"min_gap={min_gap!r} needs numbers; {column.name!r} has dtype {column.dtype}."
        )
    if not 0 <= min_gap < np.inf:
        raise ValueError(f"min_gap must be 0 or more, and finite; got {min_gap!r}.")
    distinct = np.asarray(distinct, dtype=np.float64)
    reach = min_gap + _SLACK
    low = np.searchsorted(distinct, distinct - reach)
    return low, np.searchsorted(distinct, distinct + reach, side="right"), codes


def _codes(table: pd.DataFrame, columns: list[str]) -> np.ndarray:
    """A whole number per row, equal where the rows agree in all `columns`; a missing value is a
    value."""
    if not columns:
        return np.zeros(len(table), dtype=np.int64)
    return table.groupby(columns, dropna=False, sort=False).ngroup().to_numpy()
