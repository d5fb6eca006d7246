"""Facts that others published and that travel with this repository: small tables, each with its
source and its licence.

Comes in: `data/published/index.yaml` and the tables that it describes. Goes out: a table whose
columns, types and number of rows are those that were described, or one error. May not: look
anywhere else, or fill in what is missing."""

from io import BytesIO
from typing import Literal

import numpy as np
import pandas as pd
from pydantic import BaseModel, Field, TypeAdapter, model_validator

from vlmbias import paths
from vlmbias.whole_files import read_regular, read_yaml

Kind = Literal["text", "number", "share", "count"]
"""What a column holds: words, any number, a number from 0 to 1, a whole number above 0."""


class Original(BaseModel, extra="forbid", frozen=True):
    """A file that a table was made from: its path in the repository, and its SHA-256."""

    path: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Facts(BaseModel, extra="forbid", frozen=True):
    """One table: where it is from, on what terms, what was taken and how; the fields are explained
    in its file."""

    citation: str
    repository: str = Field(pattern=r"^github\.com/[\w.-]+/[\w.-]+$")
    commit: str = Field(pattern=r"^[0-9a-f]{40}$")
    mirror: str
    originals: tuple[Original, ...] = Field(min_length=1)
    licence: str
    notice: str = ""
    taken: str
    computed: bool = False
    rows: int = Field(gt=0)
    columns: dict[str, Kind] = Field(min_length=1)

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


def table(name: str) -> pd.DataFrame:
    """One table, as described.

    Raises
    ------
    ValueError
        For an unknown name (the known ones are listed), or a table that is not as described: column
        or row are named.
    """
    if name not in (known := described()):
        raise ValueError(f"no published facts {name!r}; there are {', '.join(known)}")
    about, file = known[name], f"data/published/{name}.csv"
    plain = pd.read_csv(
        BytesIO(read_regular(paths.data() / "published" / f"{name}.csv")),
        dtype=str,
        keep_default_na=False,
    )
    if list(plain) != list(about.columns) or len(plain) != about.rows:
        raise ValueError(
            f"{file} must have {about.rows} rows of {', '.join(about.columns)}; "
            f"it has {len(plain)} of {', '.join(plain)}"
        )
    return pd.DataFrame(
        {
            column: _typed(plain[column], kind, f"{file}: {column}")
            for column, kind in about.columns.items()
        }
    )


def _typed(own: pd.Series, kind: Kind, where: str) -> pd.Series:
    """A column in its type; the first value that does not fit is named with its line."""
    if kind == "text":
        found, good = own, own != ""
    else:
        found = pd.to_numeric(own, errors="coerce").astype(float)
        good = {
            "number": np.isfinite(found),
            "share": found.between(0, 1),
            "count": (found > 0) & (found % 1 == 0),
        }[kind]
    if not good.all():
        line = int((~good).to_numpy().nonzero()[0][0])
        raise ValueError(f"{where} in line {line + 2} is {own.iloc[line]!r}, not a {kind}")
    return found.astype(int) if kind == "count" else found
