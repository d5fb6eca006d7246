"""A set of images: one row of metadata per image, and how to decode row i.

Comes in: a table and either file paths or a renderer. Goes out: an `ImageSet`. May not: hold decoded pictures.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, overload

import numpy as np
import pandas as pd
from PIL import Image

from vlmbias.stimuli.decoding import UndecodableImage, decode

_BLOCK = 256  # pictures rendered at once


@dataclass(frozen=True, eq=False, repr=False)
class ImageSet:
    """Images and what is known about each.

    Attributes
    ----------
    name : the name it was asked for by.
    table : DataFrame, one row per image, index 0..n-1; for faces the columns seed, race, gender, age,
        smiling, lighting, pose (and what else the set records).
    source : ``"greenhouse"`` for rendered sets, else the data set's name.
    paths : one file per row, or None for a rendered set.
    render : for a rendered set, the function from (rows of) the table to uint8 ``(k, size, size, 3)``.
    recipe : for a rendered set, a fingerprint of the renderer: part of every content key.
    """

    name: str
    table: pd.DataFrame
    source: str
    paths: tuple[Path, ...] | None = None
    render: Callable[[pd.DataFrame], np.ndarray] | None = field(default=None)
    recipe: str = ""

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"ImageSet({self.name!r}: {len(self):,} images; columns {', '.join(map(str, self.table.columns))})"

    def where(self, mask: Any) -> ImageSet:
        """The rows where `mask` is True.

        Parameters
        ----------
        mask : `(n,)` booleans, for instance ``images.table["race"] == "teal"``.
        """
        kept = rows_where(mask, len(self))
        paths = None if self.paths is None else tuple(self.paths[row] for row in kept)
        return replace(self, table=self.table.iloc[kept].reset_index(drop=True), paths=paths)

    @overload
    def decode(self, rows: int) -> Image.Image: ...
    @overload
    def decode(self, rows: Iterable[int] | None = None) -> Iterator[Image.Image]: ...
    def decode(self, rows: int | Iterable[int] | None = None) -> Image.Image | Iterator[Image.Image]:
        """Decode one image (an int) or, one after the other, several (default: all), as upright RGB.

        Raises
        ------
        UndecodableImage
            If a file cannot be read; the message names its path.
        """
        if isinstance(rows, int | np.integer):
            return next(self._decoded([int(rows)]))
        return self._decoded(range(len(self)) if rows is None else list(rows))

    def pixels(self, rows: Sequence[int]) -> np.ndarray | None:
        """Rendered pictures as one uint8 array `(k, size, size, 3)`; None for a set of files."""
        return None if self.render is None else self.render(self.table.iloc[list(rows)])

    def keys(self, rows: Iterable[int] | None = None) -> list[str]:
        """What identifies the content of each image: equal keys, equal pictures.

        For a file, the SHA-256 of its bytes; for a rendered image, of its row and the renderer.
        """
        chosen = list(range(len(self)) if rows is None else rows)
        if self.paths is not None:
            return [_file_digest(self.paths[row]) for row in chosen]
        columns = "|".join(map(str, self.table.columns))
        plain = self.table.iloc[chosen].itertuples(index=False, name=None)
        return [hashlib.sha256(f"{self.recipe}|{columns}|{row!r}".encode()).hexdigest() for row in plain]

    def _decoded(self, rows: Sequence[int]) -> Iterator[Image.Image]:
        if self.paths is not None:
            for row in rows:
                yield decode(self.paths[row])
            return
        for start in range(0, len(rows), _BLOCK):
            pictures = self.pixels(rows[start : start + _BLOCK])
            yield from map(Image.fromarray, pictures if pictures is not None else ())


def rows_where(mask: Any, n: int) -> np.ndarray:
    """Positions where a boolean mask of length `n` is True; anything else is an error."""
    flags = np.asarray(mask)
    if flags.dtype != bool or flags.shape != (n,):
        raise ValueError(f"mask must be {n} booleans, got shape {flags.shape} of {flags.dtype}; "
                         "write a comparison such as images.table['race'] == 'teal'")
    return np.flatnonzero(flags)


def filtered(images: ImageSet, filters: dict[str, Any]) -> ImageSet:
    """Keep the rows whose columns have the given values (one value, or a list of them).

    Raises
    ------
    ValueError
        If a column or a value does not occur in the set, listing those that do.
    """
    keep = np.ones(len(images), dtype=bool)
    for column, wanted in filters.items():
        if column not in images.table:
            raise ValueError(f"{images.name!r} has no column {column!r} to filter by; "
                             f"its columns are {', '.join(map(str, images.table.columns))}")
        values = pd.Series(images.table[column])
        many = isinstance(wanted, list | tuple | set | frozenset | range | np.ndarray | pd.Series | pd.Index)
        chosen = list(wanted) if many else [wanted]
        known = values.unique().tolist()
        strangers = [value for value in chosen if value not in known]
        if strangers or not chosen:
            listed = ", ".join(map(repr, known[:20]))
            more = f", … ({len(known):,} in all)" if len(known) > 20 else ""
            found = f"no {column} {strangers[0]!r}" if strangers else f"an empty list for {column}"
            raise ValueError(f"{found} in {images.name!r}; its values are {listed}{more}")
        keep &= values.isin(chosen).to_numpy()
    if filters and not keep.any():
        raise ValueError(f"no image of {images.name!r} has " + " and ".join(f"{k}={v!r}" for k, v in filters.items()))
    return images.where(keep) if filters else images


def _file_digest(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise UndecodableImage(f"cannot read the image {str(path)!r}: {problem.strerror}") from problem
