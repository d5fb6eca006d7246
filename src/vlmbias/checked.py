"""Tables that somebody else wrote, read as text: whatever is wrong with one is an error that names
file, line, value and rule."""

import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from vlmbias.whole_files import read_regular

BLANK = ("", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "null", "#NULL!", "None")
"""What programs write where a value is missing."""


def cells(
    path: str | Path,
    called: str = "",
    *,
    latin: bool = False,
    comments: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """Every cell of a table as text, the header's too; missing where a line is short.

    Parameters
    ----------
    path : the file.
    called : how errors call it; by default its path.
    latin : whether it may be in Latin-1 where it is not in UTF-8.
    comments : whether lines before the header that begin with # are passed over; further down, and
        within a line, the sign is a part of a value.
    **options : pandas' own, such as `sep`.

    Returns
    -------
    A row per line of the file, indexed by that line less one.
    """
    content = read_regular(Path(path).expanduser())
    try:
        try:
            words = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            if not latin:
                raise
            words = content.decode("latin-1")
        if comments:  # each becomes a blank line, so that lines are counted
            words = re.sub(r"\A(#.*\n)+", lambda found: "\n" * found[0].count("\n"), words)
        plain = {"header": None, "dtype": str, "keep_default_na": False}
        table = pd.read_csv(StringIO(words), **plain, **options)
        lines = [number for number, line in enumerate(words.splitlines()) if line]
        return table.set_axis(lines) if len(lines) == len(table) else table
    except ValueError as problem:
        reason = str(problem).strip().partition("\n")[0]
        raise ValueError(
            f"{called or repr(str(path))} cannot be read as a table: {reason}"
        ) from None


def read(
    path: str | Path, columns: Iterable[str], *, called: str = "", **options: Any
) -> pd.DataFrame:
    """A table with a header, as `cells`; `columns` are those that it must have, each once, and
    others are left out."""
    columns, called = list(columns), called or repr(str(path))
    table = cells(path, called, **options)
    header = [str(name).strip() for name in table.iloc[0]]
    there = f"it needs {', '.join(columns)}, and has {', '.join(header)[:200]}"
    for name in columns:
        if (times := header.count(name)) != 1:
            some = (
                f"has the column {name!r} {times} times" if times else f"lacks the column {name!r}"
            )
            raise ValueError(f"{called} {some}; {there}")
    table = table[1:].set_axis(header, axis=1)
    if table.empty:
        raise ValueError(f"{called} has no row")
    if (short := table.isna().any(axis=1)).any():
        raise ValueError(
            f"{called}: line {short.idxmax() + 1} has fewer values than the {len(header)} columns"
        )
    return table[columns]


def hold(good: pd.Series, own: pd.Series, called: str, rule: str) -> None:
    """Raise at the first value of a column that is not good."""
    if not good.all():
        line = good.idxmin()
        raise ValueError(f"{called}: {own.name} in line {line + 1} is {own[line]!r}, not {rule}")


def numbers(
    own: pd.Series,
    called: str,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    whole: bool = False,
    missing: Sequence[str] = (),
) -> pd.Series:
    """A column of text as finite numbers from `low` to `high`; NaN where it is one of `missing`."""
    found = own.map(_float)
    good = found.between(low, high) & np.isfinite(found) & ((found % 1 == 0) | (not whole))
    rule = ("a whole number" if whole else "a number") + f" from {low:,}" * (low > -np.inf)
    rule += f" to {high:,}" if high < np.inf else " on" * (low > -np.inf)
    hold(good | own.str.strip().isin(missing), own, called, rule)
    return found.astype(int) if whole else found


def known(own: pd.Series, called: str, values: Mapping[str, Any]) -> pd.Series:
    """What each value of a column stands for."""
    hold(own.isin([*values]), own, called, f"one of {', '.join(values)}")
    return own.map(dict(values))


def once(table: pd.DataFrame, key: Sequence[str], called: str) -> None:
    """Raise where a row stands twice."""
    if (twice := table.duplicated(list(key))).any():
        line = twice.idxmax()
        values = ", ".join(str(table.loc[line, column]) for column in key)
        raise ValueError(
            f"{called}: the row {values} stands twice, again in line {line + 1}; there is one row"
            f" for each {' × '.join(key)}"
        )


def _float(text: str) -> float:
    """A number, or NaN; `1_0`, which Python reads as ten, is none."""
    try:
        return np.nan if "_" in text else float(text)
    except ValueError:
        return np.nan
