"""Stimuli to vectors: each distinct content once, with no more than a few batches in memory."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image

from vlmbias import kept, paths
from vlmbias.embedding.encoders import Encoder
from vlmbias.embedding.store import Store
from vlmbias.progress import Progress
from vlmbias.rows import rows_where
from vlmbias.stimuli.decoding import UndecodableImage
from vlmbias.stimuli.imageset import ImageSet
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

    Examples
    --------
    >>> hues = pd.DataFrame({"race": ["teal", "amber"]})
    >>> faces = vb.Embeddings(np.eye(2), hues, "example", "by hand")
    >>> faces
    Embeddings(2 × 2 by 'by hand', source 'example')
    >>> np.asarray(faces.where(faces.table["race"] == "amber"))
    array([[0., 1.]])
    """

    vectors: np.ndarray
    table: pd.DataFrame
    source: str
    model: str

    def __len__(self) -> int:
        return len(self.vectors)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.vectors, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        n, d = self.vectors.shape
        return f"Embeddings({n:,} × {d} by {self.model!r}, source {self.source!r})"

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
) -> Embeddings:
    """Embed images or texts: batched, resumable, each distinct content once.

    Pictures are decoded while the model computes, a few batches ahead; memory grows with the number
    of vectors, not of pictures. Batch size moves a vector by about 2e-7.

    Parameters
    ----------
    encoder : an `Encoder`, from ``vb.encoder``.
    stimuli : an `ImageSet`, a `PromptSet`, or a list of texts.
    store : folder of stored embeddings; None for the reader's cache, False for none at all.
    batch_size : images per forward pass; None for 32, or 256 on CUDA and for small pictures.

    Returns
    -------
    Embeddings

    Raises
    ------
    UndecodableImage
        Naming the path.
    ValueError
        For an unknown option.

    Examples
    --------
    >>> model = vb.encoder("greenhouse")
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> vb.embed(model, faces, store=False)
    Embeddings(6 × 64 by 'greenhouse', source 'greenhouse')
    >>> words = vb.embed(model, ["a teal person", "an amber person", "a teal person"], store=False)
    >>> words.vectors.shape, bool((words.vectors[0] == words.vectors[2]).all())
    ((3, 64), True)
    """
    if not hasattr(encoder, "encode_images"):
        raise ValueError(f"encoder must be what vb.encoder(…) returns, got {encoder!r}")
    if batch_size is None:
        batch_size = 256 if encoder.device.startswith("cuda") or encoder.image_size <= 96 else 32
    check_batch_size(batch_size)
    if store is True:
        raise ValueError("store must be a folder, None (the default one) or False (none), got True")
    if isinstance(stimuli, ImageSet):
        stimuli = stimuli.painted_for(encoder.pairing)
        keys = stimuli.keys()
        looked_at = partial(_seen, encoder, stimuli, keys)
    else:
        stimuli = stimuli if isinstance(stimuli, PromptSet) else _listed(stimuli)
        texts = stimuli.table["text"].tolist()
        keys = [kept.key({"text": text}) for text in texts]

        def looked_at(batches: list[list[int]]) -> Iterator[np.ndarray]:
            return (encoder.encode_texts([texts[row] for row in rows]) for rows in batches)

    shelf = None
    if store is not False:
        folder = Path(store) if store else paths.cache() / "embeddings"
        shelf = Store(folder / encoder.fingerprint[:32], encoder.dimension)
    what = f"{'images' if isinstance(stimuli, ImageSet) else 'texts'} by {encoder.name}"
    return Embeddings(
        _filled(keys, looked_at, shelf, encoder.dimension, batch_size, what),
        stimuli.table,
        "greenhouse" if encoder.source == "greenhouse" else stimuli.source,
        encoder.name,
    )


def check_batch_size(batch_size: Any) -> None:
    """Raise a ValueError unless it is a whole number of at least 1."""
    if type(batch_size) is not int or batch_size < 1:
        raise ValueError(f"batch_size must be a whole number of at least 1, got {batch_size!r}")


def _listed(texts: Any) -> PromptSet:
    """A list of texts as a set of prompts; anything else is an error."""
    given = list(texts) if isinstance(texts, Iterable) and not isinstance(texts, str) else [None]
    if not all(isinstance(text, str) for text in given):
        raise ValueError(
            f"stimuli must be an ImageSet, a PromptSet or a list of texts, got {texts!r:.60}"
        )
    return PromptSet("texts", pd.DataFrame({"text": given}, dtype=object), "texts")


def _filled(
    keys: list[str],
    looked_at: Callable,
    shelf: Store | None,
    dimension: int,
    batch_size: int,
    what: str,
) -> np.ndarray:
    """Vectors `(n, d)` of contents with these keys, from the store or from the model, which looks
    at batches of rows."""
    rows_of: dict[str, list[int]] = {}
    for row, key in enumerate(keys):
        rows_of.setdefault(key, []).append(row)
    vectors = np.empty((len(keys), dimension), np.float32)
    with shelf or nullcontext():
        known = shelf.read() if shelf else {}
        for key in rows_of.keys() & known.keys():
            vectors[rows_of[key]] = known[key]
        todo = [rows[0] for key, rows in rows_of.items() if key not in known]
        batches = [todo[start : start + batch_size] for start in range(0, len(todo), batch_size)]
        with Progress(len(todo), what) as progress:
            for rows, computed in zip(batches, looked_at(batches), strict=True):
                for row, vector in zip(rows, computed, strict=True):
                    vectors[rows_of[keys[row]]] = vector
                if shelf:
                    shelf.add([keys[row] for row in rows], computed)
                progress.update(len(rows))
    return vectors


def _seen(
    encoder: Encoder, images: ImageSet, keys: list[str], batches: list[list[int]]
) -> Iterator[np.ndarray]:
    """The vectors of each batch of pictures; while the model looks at one, the next are decoded."""
    # on the CPU, decoding takes its threads from the model
    on_gpu = encoder.device.startswith("cuda")
    threads = (os.cpu_count() or 1) if on_gpu else torch.get_num_threads() // 2
    pixels = partial(_pixels, encoder, images, keys)
    for batch in _ahead(pixels, batches, min(8, max(1, threads))):
        yield encoder.encode_images(encoder.normalise(batch))


def _pixels(encoder: Encoder, images: ImageSet, keys: list[str], rows: list[int]) -> np.ndarray:
    """Pictures as the model sees them, uint8 `(n, size, size, 3)`."""
    rendered = images.pixels(rows)
    if rendered is None:
        return np.array([_of_file(encoder, images, keys, row) for row in rows])
    if rendered.shape[1] == encoder.image_size:
        return rendered
    return np.array([encoder.pixels(Image.fromarray(picture)) for picture in rendered])


def _of_file(encoder: Encoder, images: ImageSet, keys: list[str], row: int) -> np.ndarray:
    """The pixels of one file, if it is still the one whose key is known: they are stored under that
    key."""
    key, picture = images.keyed(row)
    if key != keys[row]:
        raise UndecodableImage(
            f"{str((images.paths or ())[row])!r} changed while it was read; embed it again"
        )
    return encoder.pixels(picture)


def _ahead(function: Callable, items: Iterable, workers: int) -> Iterator:
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
