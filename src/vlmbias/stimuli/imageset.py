"""A set of images: one row of metadata per image, and how to decode row i."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image

from vlmbias import kept
from vlmbias.rows import rows_where
from vlmbias.stimuli.decoding import UndecodableImage, decode, read
from vlmbias.whole_files import checksum

_BLOCK = 256  # pictures rendered at once
# What counts as an image in a folder. Some of these PIL may not read: they are then named, not
# passed over.
_ENDINGS = (
    "jpg jpeg jfif mpo png gif bmp webp tif tiff ppm pgm pbm tga ico jp2 j2k avif heic heif jxl"
)
SUFFIXES = tuple(f".{ending}" for ending in _ENDINGS.split())


@dataclass(frozen=True, eq=False, repr=False)
class ImageSet:
    """Images and what is known about each.

    Attributes
    ----------
    name : the name it was asked for by.
    table : DataFrame, one row per image, index 0..n-1; for faces the columns seed, race, gender,
        age, smiling, lighting, pose (and what else the set records).
    source : ``"greenhouse"`` for rendered sets, else the data set's name.
    paths : one file per row, or None for a rendered set.
    render : for a rendered set, the function from (rows of) the table to uint8
        ``(k, size, size, 3)``.
    recipe : for a rendered set, a fingerprint of the renderer: part of every content key.
    repaint : for rendered faces, the function from a pairing of names and looks to the renderer
        that uses it.
    boxes : for files of which a part is shown, left, top, right and bottom of it per row, in
        pixels.
    report : for a folder of faces, what it lacks and what it has too much.

    Examples
    --------
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> len(faces), faces.source
    (6, 'greenhouse')
    >>> faces.where(faces.table["race"] == "teal").table[["seed", "race", "gender"]]
       seed  race  gender
    0     0  teal  budded
    1     0  teal   eared
    >>> faces.decode(0).size
    (64, 64)
    """

    name: str
    table: pd.DataFrame
    source: str
    paths: tuple[Path, ...] | None = None
    render: Callable[[pd.DataFrame], np.ndarray] | None = None
    recipe: str = ""
    repaint: Callable[[Any], Callable[[pd.DataFrame], np.ndarray]] | None = None
    boxes: tuple[tuple[int, int, int, int], ...] | None = None
    report: Any = None

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"ImageSet({self.name!r}: {len(self):,} images; columns {', '.join(self.table)})"

    def where(self, mask: Any) -> "ImageSet":
        """The rows where `mask`, `(n,)` booleans such as ``images.table["race"] == "teal"``, is
        True."""
        chosen = rows_where(mask, len(self))
        paths, boxes = (of and tuple(of[row] for row in chosen) for of in (self.paths, self.boxes))
        return replace(
            self, table=self.table.iloc[chosen].reset_index(drop=True), paths=paths, boxes=boxes
        )

    def painted_for(self, pairing: Any) -> "ImageSet":
        """The same faces as a network with another `pairing` of group names and looks (its card)
        knows them."""
        if self.repaint is None or not pairing:
            return self
        recipe = kept.key({"renderer": self.recipe, "pairing": pairing})
        return replace(self, render=self.repaint(pairing), recipe=recipe, repaint=None)

    def decode(self, rows: int | Iterable[int] | None = None) -> Any:
        """Decode images, as upright RGB: one for an int; for several (default: all) an iterator
        over them.

        Raises
        ------
        UndecodableImage
            If a file cannot be read; the message names its path.
        """
        if isinstance(rows, int | np.integer):
            return next(self._decoded([int(rows)]))
        return self._decoded(list(range(len(self)) if rows is None else rows))

    def pixels(self, rows: list[int]) -> np.ndarray | None:
        """Rendered pictures as one uint8 array `(k, size, size, 3)`; None for a set of files."""
        return None if self.render is None else self.render(self.table.iloc[rows])

    def keys(self, rows: Iterable[int] | None = None) -> list[str]:
        """What identifies the content of each image: equal keys, equal pictures.

        For a file, the SHA-256 of its bytes and the part shown; for a rendered image, of its row
        and the renderer."""
        chosen = list(range(len(self)) if rows is None else rows)
        if self.paths is not None:
            return [_file_key(self.paths[row], self._box(row)) for row in chosen]
        table = self.table.iloc[chosen]
        plain = zip(*(table[column].tolist() for column in table), strict=True)
        return [
            kept.key({"renderer": self.recipe, "row": dict(zip(table, row, strict=True))})
            for row in plain
        ]

    def keyed(self, row: int) -> tuple[str, Image.Image]:
        """One picture of a set of files and its key, both from the same reading of the file."""
        assert self.paths is not None, "a rendered picture is a function of its row"
        content = read(self.paths[row])
        digest = hashlib.sha256(content).hexdigest()
        return _key(digest, self._box(row)), self._opened(self.paths[row], self._box(row), content)

    def _decoded(self, rows: list[int]) -> Iterator[Image.Image]:
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            if (pictures := self.pixels(block)) is not None:
                yield from map(Image.fromarray, pictures)
            elif self.paths:
                yield from (self._opened(self.paths[row], self._box(row)) for row in block)

    def _box(self, row: int) -> tuple[int, int, int, int] | None:
        return self.boxes[row] if self.boxes else None

    def _opened(
        self, path: Path, box: tuple[int, int, int, int] | None, content: bytes | None = None
    ) -> Image.Image:
        whole = decode(path, content)
        if box and (whole.width < box[2] or whole.height < box[3]):
            raise UndecodableImage(
                f"{str(path)!r} has {whole.width} × {whole.height} pixels, too few to "
                f"show the part {box} (left, top, right, bottom) of it"
            )
        return whole.crop(box) if box else whole


def filtered(images: ImageSet, filters: dict[str, Any]) -> ImageSet:
    """Keep the rows whose columns have the given values (one value, or a list of them); a
    `ValueError` lists the columns or values that there are."""
    keep = np.ones(len(images), dtype=bool)
    for column, wanted in filters.items():
        if column not in images.table:
            raise ValueError(
                f"{images.name!r} has no column {column!r}; it has {', '.join(images.table)}"
            )
        several = isinstance(wanted, Iterable) and not isinstance(wanted, str)
        chosen = list(wanted) if several else [wanted]
        known = images.table[column].unique().tolist()
        if strangers := [value for value in chosen if value not in known]:
            some = ", ".join(map(repr, known[:20]))
            some += f", … ({len(known):,} in all)" * (len(known) > 20)
            raise ValueError(f"no {column} {strangers[0]!r} in {images.name!r}; it has {some}")
        keep &= images.table[column].isin(chosen).to_numpy()
    if not keep.any():
        raise ValueError(f"no image of {images.name!r} has {filters}")
    return images.where(keep) if filters else images


def _file_key(path: Path, box: tuple[int, ...] | None) -> str:
    try:
        return _key(checksum(path), box)
    except OSError as problem:
        raise UndecodableImage(
            f"cannot read the image {str(path)!r}: {problem.strerror}"
        ) from problem


def _key(digest: str, box: tuple[int, ...] | None) -> str:
    return kept.key({"file": digest, "part": box})
