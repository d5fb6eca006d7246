"""Stimuli to vectors.

Comes in: an `Encoder` and an `ImageSet`, `PromptSet` or list of texts. Goes out: `Embeddings`. May
not: hold
more than a few batches of pictures, or embed the same content twice.
"""

import os
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image

from vlmbias import kept, paths
from vlmbias.embedding.encoders import Encoder
from vlmbias.embedding.memory import remembered
from vlmbias.embedding.store import Store
from vlmbias.progress import Progress
from vlmbias.stimuli.decoding import UndecodableImage
from vlmbias.stimuli.imageset import ImageSet, rows_where
from vlmbias.stimuli.prompts import PromptSet


@dataclass(frozen=True, eq=False, repr=False)
class Embeddings:
    """Vectors and what each is of.

    Attributes
    ----------
    vectors : float32 `(n, d)`, rows of length 1. ``np.asarray(embeddings)`` is this array.
    table : DataFrame of the stimuli's metadata, row i for vector i.
    source : ``"greenhouse"`` if the stimuli or the model are, else the stimuli's own source.
    model : the encoder's name.
    skipped : how many images were left out because they could not be decoded.

    Examples
    --------
    >>> hues = pd.DataFrame({"race": ["teal", "amber"]})
    >>> faces = vb.Embeddings(np.eye(2), hues, "example", "by hand")
    >>> faces
    Embeddings(2 × 2 by 'by hand', source 'example', 0 skipped)
    >>> np.asarray(faces.where(faces.table["race"] == "amber"))
    array([[0., 1.]])
    """

    vectors: np.ndarray
    table: pd.DataFrame
    source: str
    model: str
    skipped: int = 0

    def __len__(self) -> int:
        return len(self.vectors)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.vectors, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        n, d = self.vectors.shape
        return (
            f"Embeddings({n:,} × {d} by {self.model!r}, source {self.source!r}, {self.skipped}"
            " skipped)"
        )

    def where(self, mask: Any) -> "Embeddings":
        """The rows where `mask`, `(n,)` booleans, is True."""
        rows = rows_where(mask, len(self))
        return replace(
            self, vectors=self.vectors[rows], table=self.table.iloc[rows].reset_index(drop=True)
        )


def embed(
    encoder: Encoder,
    stimuli: ImageSet | PromptSet | Sequence[str],
    *,
    store: str | Path | bool | None = None,
    batch_size: int | None = None,
    on_error: str = "raise",
) -> Embeddings:
    """Embed images or texts: batched, resumable, each distinct content once.

    Pictures are decoded while the model computes, a few batches ahead; memory grows with the number
    of
    vectors, not of pictures. Batch size moves a vector by about 2e-7.

    Parameters
    ----------
    encoder : an `Encoder`, from ``vb.encoder``.
    stimuli : an `ImageSet`, a `PromptSet`, or a list of texts.
    store : folder of stored embeddings; None for the reader's cache, False for none at all.
    batch_size : images per forward pass; None for 32, or 256 on CUDA and for small pictures.
    on_error : for an image that cannot be decoded, ``"raise"``, or ``"skip"``: leave the row out,
        and say so.

    Returns
    -------
    Embeddings

    Raises
    ------
    UndecodableImage
        Naming the path, unless ``on_error="skip"``.
    ValueError
        For an unknown option, or if no image could be decoded.

    Examples
    --------
    >>> model = vb.encoder("greenhouse")
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> vb.embed(model, faces, store=False)
    Embeddings(6 × 64 by 'greenhouse', source 'greenhouse', 0 skipped)
    >>> words = vb.embed(model, ["a teal person", "an amber person", "a teal person"], store=False)
    >>> words.vectors.shape, bool((words.vectors[0] == words.vectors[2]).all())
    ((3, 64), True)
    """
    if not hasattr(encoder, "encode_images"):
        raise ValueError(f"encoder must be what vb.encoder(…) returns, got {encoder!r}")
    if on_error not in ("raise", "skip"):
        raise ValueError(f"on_error must be 'raise' or 'skip', got {on_error!r}")
    if batch_size is None:
        batch_size = 256 if encoder.device.startswith("cuda") or encoder.image_size <= 96 else 32
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError(f"batch_size must be a whole number of at least 1, got {batch_size!r}")
    if store is True:
        raise ValueError("store must be a folder, None (the default one) or False (none), got True")
    if isinstance(stimuli, ImageSet):
        stimuli = stimuli.painted_for(encoder.pairing)
        pictures = _Pictures(encoder, stimuli, on_error)
        table, source, failures = stimuli.table, stimuli.source, pictures.failures
        keys, vectors_of = pictures.keys(), pictures.vectors
    else:
        if not isinstance(stimuli, PromptSet):
            given = (
                list(stimuli)
                if isinstance(stimuli, Iterable) and not isinstance(stimuli, str)
                else [None]
            )
            if not all(isinstance(text, str) for text in given):
                raise ValueError(
                    "stimuli must be an ImageSet, a PromptSet or a list of texts, got"
                    f" {stimuli!r:.60}"
                )
            stimuli = PromptSet("texts", pd.DataFrame({"text": given}, dtype=object), "texts")
        table, source, failures = stimuli.table, stimuli.source, {}
        texts = table["text"].tolist()
        keys = [kept.key({"text": text}) for text in texts]

        def vectors_of(batches: Iterator[list[int]]) -> Iterator[tuple[list[int], np.ndarray]]:
            return ((rows, encoder.encode_texts([texts[row] for row in rows])) for rows in batches)

    shelf = None if store is False else _shelf(encoder, store)
    what = "images" if isinstance(stimuli, ImageSet) else "texts"
    vectors, done = _fill(keys, vectors_of, shelf, encoder, batch_size, what)
    if failures:
        shown = "; ".join(list(failures.values())[:3])
        if not done.any():
            raise ValueError(f"none of the {len(done)} images could be decoded: {shown}")
        warnings.warn(f"skipped {(~done).sum()} of {len(done)} images: {shown}", stacklevel=2)
        vectors, table = vectors[done], table.iloc[np.flatnonzero(done)].reset_index(drop=True)
    return Embeddings(
        vectors,
        table,
        "greenhouse" if encoder.source == "greenhouse" else source,
        encoder.name,
        skipped=int((~done).sum()),
    )


def _shelf(encoder: Encoder, store: str | Path | bool | None) -> Store:
    folder = (
        Path(store) if isinstance(store, str | Path) and store else paths.cache() / "embeddings"
    )
    return Store(folder / encoder.fingerprint[:32], encoder.dimension)


def _fill(
    keys: list[str],
    vectors_of: Callable,
    shelf: Store | None,
    encoder: Encoder,
    batch_size: int,
    what: str,
):
    """Vectors `(n, d)`, from the store or the model, and which rows have one (all but those with an
    empty key)."""
    rows_of: dict[str, list[int]] = {}
    for row, key in enumerate(keys):
        rows_of.setdefault(key, []).append(row)
    rows_of.pop("", None)
    vectors, done = np.empty((len(keys), encoder.dimension), np.float32), np.zeros(len(keys), bool)
    with shelf or nullcontext():
        known = remembered(shelf) if shelf else {}
        if at_hand := [row for row, key in enumerate(keys) if key in known]:
            vectors[at_hand], done[at_hand] = [known[keys[row]] for row in at_hand], True
        todo = [rows[0] for rows in rows_of.values() if not done[rows[0]]]
        batches = (todo[start : start + batch_size] for start in range(0, len(todo), batch_size))
        with Progress(len(todo), f"{what} by {encoder.name}") as progress:
            for rows, computed in vectors_of(batches):
                for row, vector in zip(rows, computed, strict=True):
                    vectors[rows_of[keys[row]]], done[rows_of[keys[row]]] = vector, True
                if shelf:
                    shelf.add([keys[row] for row in rows], computed)
                progress.update(len(rows))
    return vectors, done


class _Pictures:
    """An image set on its way through an encoder; `failures` says which rows could not be decoded,
    and why."""

    def __init__(self, encoder: Encoder, images: ImageSet, on_error: str):
        self.encoder, self.images, self.on_error = encoder, images, on_error
        self.failures: dict[int, str] = {}
        self.known: list[str] = []

    def keys(self) -> list[str]:
        """The content key of every image, "" where a file cannot be read."""
        if self.images.paths is None:
            return self.images.keys()
        known = [
            self._attempt(lambda row: self.images.keys([row])[0], row) or ""
            for row in range(len(self.images))
        ]
        self.known = known
        return known

    def vectors(self, batches: Iterator[list[int]]) -> Iterator[tuple[list[int], np.ndarray]]:
        """The rows of each batch that could be decoded, and their vectors."""
        # on the CPU, decoding takes its threads from the model
        threads = (
            (os.cpu_count() or 1)
            if self.encoder.device.startswith("cuda")
            else torch.get_num_threads() // 2
        )
        workers = min(8, max(1, threads))
        for rows, pixels in _ahead(self._pixels, batches, workers):
            if rows:
                yield rows, self.encoder.encode_images(self.encoder.normalise(pixels))

    def _pixels(self, rows: list[int]) -> tuple[list[int], np.ndarray]:
        rendered = self.images.pixels(rows)
        if rendered is not None:
            if rendered.shape[1] != self.encoder.image_size:
                rendered = np.array(
                    [self.encoder.pixels(Image.fromarray(picture)) for picture in rendered]
                )
            return rows, rendered
        found = {row: self._attempt(self._file, row) for row in rows}
        found = {row: picture for row, picture in found.items() if picture is not None}
        return list(found), np.array(list(found.values()))

    def _file(self, row: int) -> np.ndarray:
        """The pixels of one file, if it is still the one whose key is known: they are stored under
        that key."""
        key, picture = self.images.keyed(row)
        if key != self.known[row]:
            raise UndecodableImage(
                f"{str((self.images.paths or ())[row])!r} changed while it was read; embed it again"
            )
        return self.encoder.pixels(picture)

    def _attempt(self, work: Callable[[int], Any], row: int) -> Any:
        try:
            return work(row)
        except UndecodableImage as problem:
            if self.on_error == "raise":
                raise
            self.failures[row] = str(problem)


def _ahead(function: Callable, items: Iterator, workers: int) -> Iterator:
    """``map(function, items)`` in order, computed in threads, up to `workers` items before they are
    asked for."""
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque()
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
