"""Facts that others published and that travel with this repository: small tables, each with its
source and its licence, described in `data/published/index.yaml`."""

import ast
from io import BytesIO
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import BaseModel, Field, TypeAdapter, model_validator

from vlmbias import paths
from vlmbias.whole_files import read_regular, read_yaml

Kind = Literal["text", "number", "share", "count", "whole"]
"""What a column holds: words, any number, a number from 0 to 1, a whole number above 0, one from 0
on."""
_SAID = {"count": "count (a whole number above 0)", "whole": "whole number from 0 on"}
_SAID |= {"share": "share (a number from 0 to 1)"}


class Original(BaseModel, extra="forbid", frozen=True):
    """A file that a table was made from: its path in the repository, its SHA-256, and its commit
    where that is not the table's."""

    path: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    commit: str = Field(default="", pattern=r"^([0-9a-f]{40})?$")


class Facts(BaseModel, extra="forbid", frozen=True):
    """One table: where it is from, on what terms, what was taken and how; the fields are explained
    in its file."""

    citation: str
    repository: str = Field(default="", pattern=r"^(github\.com/[\w.-]+/[\w.-]+)?$")
    commit: str = Field(default="", pattern=r"^([0-9a-f]{40})?$")
    mirror: str = ""
    originals: tuple[Original, ...] = ()
    printed: str = ""
    licence: str
    notice: str = ""
    taken: str
    computed: bool = False
    not_cc_by: bool = False
    rows: int = Field(gt=0)
    key: tuple[str, ...] = Field(min_length=1)
    columns: dict[str, Kind] = Field(min_length=1)

    @model_validator(mode="after")
    def _from_somewhere(self) -> "Facts":
        if not self.printed and not (self.repository and self.commit and self.originals):
            raise ValueError("name repository, commit and originals, or where it is printed")
        if strangers := set(self.key) - set(self.columns):
            raise ValueError(f"key: there is no column {min(strangers)!r}")
        return self

    @model_validator(mode="after")
    def _with_its_notice(self) -> "Facts":
        if self.licence == "MIT" and not self.notice:
            raise ValueError(
                "the MIT License asks for its notice: name the file of it beside the table"
            )
        return self


def described() -> dict[str, Facts]:
    """What there is, by name; a malformed description is an error that names file, line and
    rule."""
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
    try:
        plain = pd.read_csv(BytesIO(read_regular(here)), dtype=str, keep_default_na=False)
    except ValueError as problem:
        raise ValueError(f"{called} is no table of comma-separated values: {problem}") from None
    columns = ", ".join(about.columns)
    if file and (missing := [one for one in about.columns if one not in plain]):
        raise ValueError(
            f"{called} lacks the column {missing[0]!r}; it needs {columns} (as {name}.csv), and"
            f" has {', '.join(plain)}"
        )
    if not file and (list(plain) != list(about.columns) or len(plain) != about.rows):
        raise ValueError(
            f"{called} must have {about.rows} rows of {columns}; "
            f"it has {len(plain)} of {', '.join(plain)}"
        )
    if not len(plain):
        raise ValueError(f"{called} has no row")
    found = pd.DataFrame(
        {
            column: _typed(plain[column], kind, f"{called}: {column}")
            for column, kind in about.columns.items()
        }
    )
    if (twice := found.duplicated(list(about.key))).any():
        line = int(twice.to_numpy().nonzero()[0][0])
        values = ", ".join(str(found[column].iloc[line]) for column in about.key)
        raise ValueError(
            f"{called}: the row {values} stands twice, again in line {line + 2}; there is one row"
            f" for each {' × '.join(about.key)}"
        )
    return found


def made_by(name: str) -> str:
    """The program that makes a table of `data/published`: the function of its name in `make.py`."""
    text = (paths.data() / "published" / "make.py").read_text("utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(text, node) or ""
    raise ValueError(f"data/published/make.py has no function {name!r}")


def _typed(own: pd.Series, kind: Kind, where: str) -> pd.Series:
    """A column in its type; the first value that does not fit is named with its line."""
    if kind == "text":
        found, good = own, own.str.strip() != ""
    else:
        found = pd.to_numeric(own, errors="coerce").astype(float)
        good = {
            "number": np.isfinite(found),
            "share": found.between(0, 1),
            "count": np.isfinite(found) & (found > 0) & (found % 1 == 0),
            "whole": np.isfinite(found) & (found >= 0) & (found % 1 == 0),
        }[kind]
    if not good.all():
        line = int((~good).to_numpy().nonzero()[0][0])
        raise ValueError(
            f"{where} in line {line + 2} is {own.iloc[line]!r}, not a {_SAID.get(kind, kind)}"
        )
    return found.astype(int) if kind in ("count", "whole") else found
