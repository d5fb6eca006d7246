"""Rows that belong together by their position: whether what is known of them allows it."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from pandas.core.generic import NDFrame


def same_rows(**named: Any) -> None:
    """Raise where tables or series that are matched by position say by their index that their rows
    differ. An index of 0, 1, 2 … says nothing, unless the other has the same numbers in another
    order."""
    known = {name: one.index for name, one in named.items() if isinstance(one, NDFrame)}
    for (name, one), (other, second) in combinations(known.items(), 2):
        if len(one) != len(second) or one.equals(second):
            continue
        if any(_plain(index) for index in (one, second)) and set(one) != set(second):
            continue
        row = int(np.argmin(np.asarray(one == second)))
        raise ValueError(
            f"{name} and {other} are matched by position, and their indexes differ: in row {row}"
            f" {one[row]!r} and {second[row]!r}. Align them, as with {name}.loc[{other}.index], or"
            " give .to_numpy() if the positions are right."
        )


def _plain(index: pd.Index) -> bool:
    """Whether an index only counts its rows."""
    return index.equals(pd.RangeIndex(len(index)))


def rows_where(mask: Any, n: int) -> np.ndarray:
    """Positions where a boolean mask of length `n` is True; anything else is an error."""
    same_rows(mask=mask, rows=pd.Series(index=range(n)))
    flags = np.asarray(mask)
    if flags.dtype != bool or flags.shape != (n,):
        raise ValueError(
            f"mask must be {n} booleans such as images.table['race'] == 'teal', "
            f"got {flags.dtype} of shape {flags.shape}"
        )
    return np.flatnonzero(flags)
