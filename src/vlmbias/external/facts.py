"""Facts that others published and that travel with this repository: small tables, each with its
source and its licence, described in `data/published/index.yaml`."""

import ast
from pathlib import Path
from typing import Literal

import pandas as pd
from pydantic import BaseModel, TypeAdapter

from vlmbias import checked, paths
from vlmbias.whole_files import read_yaml

Kind = Literal["text", "number", "share", "count", "whole"]
"""What a column holds: words, any number, a number from 0 to 1, a whole number above 0, one from 0
on."""
_RULES = {
    "number": {},
    "share": {"low": 0, "high": 1},
    "count": {"low": 1, "whole": True},
    "whole": {"low": 0, "whole": True},
}


class Original(BaseModel, extra="forbid", frozen=True):
    """A file that a table was made from: its path in the repository, its SHA-256, and its commit
    where that is not the table's."""

    path: str
    sha256: str
    commit: str = ""


class Facts(BaseModel, extra="forbid", frozen=True):
    """One table: where it is from, on what terms, what was taken and how; the fields are explained
    in its file."""

    citation: str
    repository: str = ""
    commit: str = ""
    mirror: str = ""
    originals: tuple[Original, ...] = ()
    printed: str = ""
    licence: str
    notice: str = ""
    taken: str
    computed: bool = False
    not_cc_by: bool = False
    rows: int
    key: tuple[str, ...]
    columns: dict[str, Kind]


def two_sided(tests: pd.DataFrame) -> pd.Series:
    """The p of tests in both directions, from a published p that asks whether d is larger.

    Twice the smaller tail. The observed split of the photographs is one of the `n_splits`, and
    counts in both tails; ties are not known from a published p, and none are assumed.

    Parameters
    ----------
    tests : one row per test, with `p` (of D ≥ d) and `n_splits`.
    """
    less = 1 - tests["p"] + 1 / tests["n_splits"]
    return (2 * tests["p"].clip(upper=less)).clip(upper=1)


def described() -> dict[str, Facts]:
    """What there is, by name."""
    return read_yaml(
        paths.data() / "published" / "index.yaml", TypeAdapter(dict[str, Facts]).validate_python
    )


def table(name: str, file: str | Path = "") -> pd.DataFrame:
    """One table, as described; or a reader's own with the same columns.

    Parameters
    ----------
    name : a name in `data/published/index.yaml`.
    file : a CSV of the reader's own to take in its place, of any number of rows, relative to the
        repository; "" for the shipped one.

    Raises
    ------
    ValueError
        For an unknown name (the known ones are listed), or a table that is not as described: a
        missing column, a value that is not what its column holds, a row that stands twice.
    """
    if name not in (known := described()):
        raise ValueError(f"no published facts {name!r}; there are {', '.join(known)}")
    own = paths.root() / Path(file).expanduser()  # as every folder that a reader names
    about, here = known[name], own if file else paths.data() / "published" / f"{name}.csv"
    called = str(file) if file else f"data/published/{name}.csv"
    plain = checked.read(here, about.columns, called=called)
    found = pd.DataFrame(
        {column: _typed(plain[column], kind, called) for column, kind in about.columns.items()}
    )
    checked.once(found, about.key, called)
    return found.reset_index(drop=True)


def made_by(name: str) -> str:
    """The program that makes a table of `data/published`: the function of its name in `make.py`."""
    text = (paths.data() / "published" / "make.py").read_text("utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(text, node) or ""
    raise ValueError(f"data/published/make.py has no function {name!r}")


def _typed(own: pd.Series, kind: Kind, called: str) -> pd.Series:
    """A column in its type."""
    if kind == "text":
        checked.hold(own.str.strip() != "", own, called, "a text")
        return own
    return checked.numbers(own, called, **_RULES[kind])
