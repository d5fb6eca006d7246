"""Stimuli to vectors.

Comes in: an `Encoder` and an `ImageSet`, `PromptSet` or list of texts. Goes out: `Embeddings`. May not: hold
more than a few batches of pictures, or embed the same content twice.
"""

from __future__ import annotations

import hashlib
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
from PIL import Image
from tqdm import tqdm

from vlmbias import paths
from vlmbias.embedding.encoders import Encoder
from vlmbias.embedding.store import Store
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
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"Embeddings({len(self):,} × {self.vectors.shape[1]} by {self.model!r}, source {self.source!r}{skipped})"

    def where(self, mask: Any) -> Embeddings:
        """The rows where `mask`, `(n,)` booleans, is True."""
        kept = rows_where(mask, len(self))
        return replace(self, vectors=self.vectors[kept], table=self.table.iloc[kept].reset_index(drop=True))


def embed(encoder: Encoder, stimuli: ImageSet | PromptSet | Sequence[str], *, store: str | Path | bool | None = None,
          batch_size: int | None = None, on_error: str = "raise") -> Embeddings:
    """Embed images or texts: batched, resumable, each distinct content once.

    Pictures are decoded while the model computes, a few batches ahead; memory grows with the number of
    vectors, not of pictures. Batch size moves a vector by about 2e-7.

    Parameters
    ----------
    encoder : an `Encoder`, from ``vb.encoder``.
    stimuli : an `ImageSet`, a `PromptSet`, or a list of texts.
    store : folder of stored embeddings; None for the reader's cache, False for none at all.
    batch_size : images per forward pass; None for 32, or 256 on CUDA and for small pictures.
    on_error : for an image that cannot be decoded, ``"raise"``, or ``"skip"``: leave the row out, and say so.

    Returns
    -------
    Embeddings

    Raises
    ------
    UndecodableImage
        Naming the path, unless ``on_error="skip"``.
    ValueError
        For an unknown option, or if no image could be decoded.
    """
    if on_error not in ("raise", "skip"):
        raise ValueError(f"on_error must be 'raise' or 'skip', got {on_error!r}")
    if batch_size is None:
        batch_size = 256 if encoder.device.startswith("cuda") or encoder.image_size <= 96 else 32
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError(f"batch_size must be a whole number of at least 1, got {batch_size!r}")
    if isinstance(stimuli, ImageSet):
        work = _Images(encoder, stimuli, on_error)
        table, source = stimuli.table, stimuli.source
    else:
        table = stimuli.table if isinstance(stimuli, PromptSet) else pd.DataFrame({"text": _texts(stimuli)})
        work = _Texts(encoder, table["text"].tolist())
        source = stimuli.source if isinstance(stimuli, PromptSet) else "texts"
    if store is True:
        raise ValueError("store=True says nothing; give a folder, None for the default one, or False for none")
    root = paths.cache() / "embeddings" if store is None else Path(store or "")
    shelf = None if store is False else Store(root / encoder.fingerprint[:32], encoder.dimension)
    vectors, done = _fill(work, shelf, encoder.dimension, batch_size)
    if work.failures:
        shown = "; ".join(list(work.failures.values())[:3])
        if not done.any():
            raise ValueError(f"none of the {len(done)} images could be decoded: {shown}")
        warnings.warn(f"skipped {(~done).sum()} of {len(done)} images: {shown}", stacklevel=2)
        vectors, table = vectors[done], table.iloc[np.flatnonzero(done)].reset_index(drop=True)
    return Embeddings(vectors, table, "greenhouse" if encoder.source == "greenhouse" else source, encoder.name,
                      skipped=int((~done).sum()))


def _fill(work: _Images | _Texts, shelf: Store | None, dimension: int, batch_size: int):
    """Vectors `(n, d)` from the store or the model, and which rows have one."""
    positions: dict[str, list[int]] = {}
    for row, key in enumerate(work.keys()):
        positions.setdefault(key, []).append(row)
    positions.pop("", None)
    n = len(work)
    vectors, done = np.empty((n, dimension), np.float32), np.zeros(n, bool)
    with shelf or nullcontext():
        for key, vector in shelf.read() if shelf else ():
            if key in positions:
                vectors[positions[key]], done[positions[key]] = vector, True
        todo = {rows[0]: key for key, rows in positions.items() if not done[rows[0]]}
        progress = tqdm(total=len(todo), desc=f"embedding with {work.encoder.name}", unit=work.unit, delay=2,
                        disable=None, leave=False)
        for rows, computed in work.compute(list(todo), batch_size):
            for row, vector in zip(rows, computed, strict=True):
                vectors[positions[todo[row]]], done[positions[todo[row]]] = vector, True
            if shelf:
                shelf.add([todo[row] for row in rows], computed)
            progress.update(len(rows))
        progress.close()
    return vectors, done


class _Texts:
    unit = "texts"

    def __init__(self, encoder: Encoder, texts: list[str]):
        self.encoder, self.texts, self.failures = encoder, texts, {}

    def __len__(self) -> int:
        return len(self.texts)

    def keys(self) -> list[str]:
        return [hashlib.sha256(f"text|{text}".encode()).hexdigest() for text in self.texts]

    def compute(self, rows: list[int], batch_size: int) -> Iterator[tuple[list[int], np.ndarray]]:
        for chunk in _chunks(rows, max(batch_size, 256)):
            yield chunk, self.encoder.encode_texts([self.texts[row] for row in chunk])


class _Images:
    unit = "images"

    def __init__(self, encoder: Encoder, images: ImageSet, on_error: str):
        self.encoder, self.images, self.on_error = encoder, images, on_error
        self.failures: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.images)

    def keys(self) -> Iterator[str]:
        """The content key of every image, "" where a file cannot be read."""
        if self.images.render is not None:
            return iter(self.images.keys())
        return (self._attempt(row, lambda row: self.images.keys([row])[0]) or "" for row in range(len(self)))

    def compute(self, rows: list[int], batch_size: int) -> Iterator[tuple[list[int], np.ndarray]]:
        for chunk, pixels in _ahead(self._pixels, _chunks(rows, batch_size), self._workers()):
            if chunk:
                yield chunk, self.encoder.encode_images(self.encoder.normalise(pixels))

    def _pixels(self, rows: list[int]) -> tuple[list[int], np.ndarray]:
        """The rows that could be decoded, and their pictures at the model's size."""
        rendered = self.images.pixels(rows)
        if rendered is not None:
            if rendered.shape[1] == self.encoder.image_size:
                return rows, rendered
            return rows, np.array([self.encoder.pixels(Image.fromarray(picture)) for picture in rendered])
        pictures = [self._attempt(row, lambda row: self.encoder.pixels(self.images.decode(row))) for row in rows]
        kept = [row for row, picture in zip(rows, pictures, strict=True) if picture is not None]
        return kept, np.array([picture for picture in pictures if picture is not None])

    def _attempt(self, row: int, work: Callable[[int], Any]) -> Any:
        try:
            return work(row)
        except UndecodableImage as problem:
            if self.on_error == "raise":
                raise
            self.failures[row] = str(problem)
            return None

    def _workers(self) -> int:
        return min(8, os.cpu_count() or 1) if self.encoder.device.startswith("cuda") else 1


def _texts(texts: Any) -> list[str]:
    if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"embed takes an ImageSet, a PromptSet or a list of texts, got {type(texts).__name__}")
    return list(texts)


def _chunks(rows: Sequence[int], size: int) -> Iterator[list[int]]:
    return (list(rows[start : start + size]) for start in range(0, len(rows), size))


def _ahead(function: Callable, items: Iterable, workers: int) -> Iterator:
    """``map(function, items)`` in order, each computed in a thread up to `workers` items before it is asked for."""
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque()
        try:
            for item in items:
                waiting.append(pool.submit(function, item))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
