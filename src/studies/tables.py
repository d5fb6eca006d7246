"""Tables as a page shows them: names in words, numbers short, small p-values as bounds, and every
name escaped, as groups are called what a reader's folder calls them.
"""

import re
from collections.abc import Hashable, Mapping
from html import escape
from math import ceil, log10
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

# Labels that many studies share
WORDS = {
    "sd": "SD",
    "se": "SE",
    "b": "strength",
    "p_holm": "p, corrected (Holm)",
    "holm": "p, corrected (Holm)",
    "one_sign": "one sign",
    "per_face": "per face",
    "r_squared": "R²",
    "coef": "coefficient",
    "pos": "positive",
    "neg": "negative",
    "fairface": "FairFace",
    "utkface": "UTKFace",
}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SMALLEST = 1e-4  # a p-value that is smaller is shown as a bound
_NONE = "–"
_WORDS_ONLY = re.compile(
    r"(?:[^\W\d]|[ ,])+"
)  # a name with digits or slashes is a name, such as laion2b_s34b_b79k


class Table(Styler):
    """A pandas Styler in which words are text: those of cells, headers and caption alike."""

    def format(self, *given: Any, **further: Any) -> "Table":
        super().format(*given, **{"escape": "html"} | further)
        return self

    def format_index(self, *given: Any, **further: Any) -> "Table":
        super().format_index(*given, **{"escape": "html"} | further)
        return self

    def set_caption(self, caption: Any) -> "Table":
        super().set_caption(escape(caption))
        return self


def readable(
    table: pd.DataFrame,
    *,
    precision: int = 2,
    signed: bool = False,
    names: Mapping[Hashable, str] | None = None,
) -> Table:
    """A table for readers; what it returns takes further formats, by the names that the columns
    had.

    Parameters
    ----------
    table : DataFrame
        Anything; the names of its columns and rows may be those of the code.
    precision : int
        Decimals of its numbers; counts have none.
    signed : bool
        Whether numbers above zero carry a plus.
    names : mapping, optional
        What a label, a level of labels or a cell reads instead; else `WORDS`, else itself, with
        spaces for underscores if it is words.
    """
    known = WORDS | dict(names or {})

    def label(value: Any) -> str:
        if isinstance(value, Hashable) and value in known:
            return escape(known[value])
        if isinstance(value, Real) and not isinstance(value, Integral):
            return "" if np.isnan(float(value)) else f"{float(value):g}"
        text = str(value)
        return text.replace("_", " ") if _WORDS_ONLY.fullmatch(text) else escape(text)

    def cell(value: Any) -> str:
        if isinstance(value, str):
            return label(value)
        return escape(number(value, precision=precision, signed=signed))

    shown = table.rename_axis(
        index=_label(table.index, label), columns=_label(table.columns, label)
    )
    if (
        shown.index.nlevels == shown.columns.nlevels == 1
        and shown.columns.name is None
        and shown.index.name
    ):
        shown = shown.rename_axis(index=None, columns=shown.index.name)  # one line for all headers
    plain = Table(shown).format(
        cell, escape=None
    )  # `cell` and `label` look names up, and escape what they found
    return plain.format_index(label, axis=0, escape=None).format_index(label, axis=1, escape=None)


def _label(labels: pd.Index, label: Any) -> Any:
    # the papers' column `race` holds hues where the faces are drawn
    names = [
        None if name is None else label("group" if name == "race" else name)
        for name in labels.names
    ]
    return names if labels.nlevels > 1 else names[0]


def number(value: Any, *, precision: int = 2, signed: bool = False) -> str:
    """A number with a true minus and no negative zero, a truth value as a word, a gap as a dash.

    >>> number(-0.001), number(-0.5), number(18000), number(True)
    ('0.00', '−0.50', '18,000', 'yes')
    """
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if not isinstance(value, Real):
        return _NONE if value is None or value is pd.NA else str(value)
    if np.isnan(float(value)):
        return _NONE
    text = (
        f"{int(value):,}"
        if isinstance(value, Integral)
        else f"{float(value):{'+' * signed}z,.{precision}f}"
    )
    return text.replace("-", "−")


def p_value(p: float, *, smallest: float = 1e-9) -> str:
    r"""A p-value with two digits; where it is tiny, the next power of ten above it; and no power
    below `smallest`.

    >>> [p_value(p).replace("\u00a0", " ") for p in (0.0312, 3e-6, 3e-54)]
    ['0.031', '< 10⁻⁵', '< 10⁻⁹']
    """
    if np.isnan(p):
        return _NONE
    if not 0 <= p <= 1:
        raise ValueError(f"p_value: {p} is no probability; give a number from 0 to 1")
    if p >= _SMALLEST:
        return f"{p:.2g}"
    power = ceil(log10(max(p, smallest)))
    return f"<\u00a010{str(power + (p == 10.0**power)).translate(_RAISED)}"


def short(value: float) -> str:
    r"""A number with two digits, and as a power of ten where it is tiny: for columns that span many
    sizes.

    >>> short(0.95), short(-2.5e-8).replace("\u00a0", " ")
    ('0.95', '−2.5 · 10⁻⁸')
    """
    if np.isnan(value):
        return _NONE
    if value == 0 or abs(value) >= 1e-3:
        return f"{value:.2g}".replace("-", "−")
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits}\u00a0·\u00a010{str(int(power)).translate(_RAISED)}".replace("-", "−")
