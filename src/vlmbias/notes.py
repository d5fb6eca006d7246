"""Numbers, words and checks for the prose: named once in a cell, used where a sentence needs them.

What was not measured is glued as `NOT_RUN`, and its sentence is not printed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

NOT_RUN = "not run"


def note(**values: Any) -> None:
    """Hand values to the prose of the notebook, where `` {glue:text}`name:.2f` `` prints them.

    Parameters
    ----------
    **values : number, string, None, or a mapping or Series of these
        The entry `one` of a mapping `name` is printed by `` {glue:text}`name.one` ``; a tuple as
        key becomes `name.first.second`. None and NaN are glued as `NOT_RUN`: a sentence that asks
        for them is not printed.

    Raises
    ------
    TypeError
        For anything else; a table or an array is no number, and True is no word.

    Examples
    --------
    >>> vb.note(share=0.25, widest="FairFace")

    then, in Markdown, `` {glue:text}`widest`: {glue:text}`share:.0%` ``. A list is no number:

    >>> vb.note(table=[0.2, 0.3])
    Traceback (most recent call last):
        ...
    TypeError: note: table is a list ([0.2, 0.3]); give a number or the words to print
    """
    from myst_nb import glue

    for name, value in flattened(values).items():
        glue(name, value, display=False)


def holds(**statements: Any) -> None:
    """Say which sentences of the page are true; `[The sentence.]{.holds #name}` is checked by it.

    Parameters
    ----------
    **statements : bool or None
        What a sentence claims, computed beside it. True: the page prints the sentence. False: the
        build fails in continuous integration; elsewhere the page marks the sentence. None: what it
        is about was not run, and it is not printed.

    Raises
    ------
    TypeError
        For anything else: a number is no verdict.

    Examples
    --------
    >>> rate = {"one face": 0.2, "many faces": 0.6}
    >>> vb.holds(grows=rate["many faces"] > rate["one face"], unknown=None)

    then, in Markdown, `[More faces give more significant results.]{.holds #grows}`.

    >>> vb.holds(grows=0.4)
    Traceback (most recent call last):
        ...
    TypeError: holds: grows is a float (0.4); give True, False, or None for what was not run
    """
    from myst_nb import glue

    for name, value in statements.items():
        verdict = None if value is pd.NA else value
        if isinstance(verdict, np.bool_):
            verdict = bool(verdict)
        if verdict is not None and not isinstance(verdict, bool):
            raise TypeError(
                f"holds: {name} is a {type(value).__name__} ({value!r}); give True, False, or None"
                " for what was not run"
            )
        glue(f"holds.{name}", verdict, display=False)


def flattened(values: Mapping[Any, Any], prefix: str = "") -> dict[str, Any]:
    """The values by the name that the prose uses, as plain Python numbers and strings."""
    found = {}
    for key, value in values.items():
        name = prefix + ".".join(map(str, key if isinstance(key, tuple) else (key,)))
        if isinstance(value, Mapping | pd.Series):
            found |= flattened(dict(value), f"{name}.")
        else:
            found[name] = plain(name, value)
    return found


def plain(name: str, value: Any) -> int | float | str:
    """A number or a string; `NOT_RUN` for what is missing, and for words in which something is."""
    if value is None or value is pd.NA:
        return NOT_RUN
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(
            f"note: {name} is a {type(value).__name__} ({value!r}); give a number or the words to"
            " print"
        )
    # words with a gap in them are no words
    if isinstance(value, str):
        return NOT_RUN if NOT_RUN in value else value
    return NOT_RUN if isinstance(value, float) and np.isnan(value) else value
