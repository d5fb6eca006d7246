"""Social perception: how close each image is to each word, and to a dimension's words beyond neutral.

Comes in: image and prompt `Embeddings` of one encoder. Goes out: tidy DataFrames.
May not: average embeddings in place of cosines, or renormalise an average.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from . import validate

_BLOCK = 4096  # images taken to float64 at once
_PROMPT_COLUMNS = ("dimension", "word", "neutral")


def cosines(image_embeddings: Any, prompt_embeddings: Any) -> pd.DataFrame:
    r"""Cosine of every image with every word, averaged over the word's templates.

    .. math:: \cos(i, w) = \operatorname{mean}_{t} \cos(i, t(w))

    The cosines are averaged, not the embeddings: a renormalised mean embedding, as in zero-shot
    classification, gives other numbers.

    Parameters
    ----------
    image_embeddings : Embeddings or array_like, shape (n, d)
        Its table, if it has one, is repeated beside each cosine.
    prompt_embeddings : Embeddings, shape (m, d)
        Its table has the columns dimension, word and neutral (bool), one row per text. A word may
        belong to several dimensions. Neutral prompts have no word.

    Returns
    -------
    pandas.DataFrame
        One row per image and word of a dimension (image by image, words in the order of the
        table): `image` (row number, 0 to n − 1), the image table's columns, `dimension`, `word`
        (both categorical), `neutral`, `cosine`.

    Raises
    ------
    ValueError, TypeError
        No table, columns that are missing or in the way, other dimensions, NaN, infinite or zero vectors.
    """
    words, vectors = _words(prompt_embeddings)
    values = _cosines(image_embeddings, vectors)
    images = _metadata(image_embeddings, len(values), ["dimension", "word", "neutral", "cosine"])
    long = images.loc[images.index.repeat(len(words))].reset_index(drop=True)
    for column in ("dimension", "word"):
        labels = _labels(words[column])
        codes = np.tile(labels.codes, len(values))
        long[column] = pd.Categorical.from_codes(codes, dtype=labels.dtype)
    long["neutral"] = np.tile(words["neutral"].to_numpy(), len(values))
    return long.assign(cosine=values.ravel())


def delta_cos(image_embeddings: Any, prompt_embeddings: Any, *, relative: bool = False) -> pd.DataFrame:
    r"""How much closer an image is to a dimension's words than to the neutral prompts.

    .. math:: Δ(i, D) = \operatorname{mean}_{w∈D} \cos(i, w) − \cos(i, \text{neutral})

    with `cosines` as defined there; every word of a dimension weighs the same.

    Parameters
    ----------
    image_embeddings : Embeddings or array_like, shape (n, d)
    prompt_embeddings : Embeddings, shape (m, d)
        As for `cosines`, with at least one neutral prompt.
    relative : bool
        If True, 100·Δ(i, D)/cos(i, neutral): percent of the neutral cosine. It is only readable where
        neutral cosines are positive; zero is an error.

    Returns
    -------
    pandas.DataFrame
        One row per image and dimension: `image` (row number), the image table's columns, `dimension`
        (categorical, in the order of the prompt table) and `delta`, in cosine units or percent.

    Raises
    ------
    ValueError, TypeError
        As for `cosines`; no neutral prompt; no other prompt.

    References
    ----------
    C. Hausladen et al. (2025), Equation 2.
    """
    words, vectors = _words(prompt_embeddings)
    neutral = words["neutral"].to_numpy()
    if neutral.all() or not neutral.any():
        raise ValueError(
            f"delta_cos needs neutral prompts and others; got {int(neutral.sum())} neutral of {len(words)} words. "
            "Mark the prompts without an adjective in the column `neutral`."
        )
    values = _cosines(image_embeddings, vectors)
    images = _metadata(image_embeddings, len(values), ["dimension", "delta"])
    labels = _labels(words["dimension"].to_numpy()[~neutral])
    weights = np.eye(len(labels.categories))[labels.codes]  # (words, dimensions)
    baseline = values[:, neutral].mean(axis=1, keepdims=True)
    delta = values[:, ~neutral] @ (weights / weights.sum(axis=0)) - baseline
    if relative:
        if (rows := np.flatnonzero(np.abs(baseline) < 1e-12)).size:
            raise ValueError(f"relative=True divides by the neutral cosine, which is 0 for image {rows[0]}.")
        delta = 100 * delta / baseline
    long = images.loc[images.index.repeat(delta.shape[1])].reset_index(drop=True)
    codes = np.tile(np.arange(delta.shape[1]), len(delta))
    long["dimension"] = pd.Categorical.from_codes(codes, dtype=labels.dtype)
    return long.assign(delta=delta.ravel())


def _words(prompts: Any) -> tuple[pd.DataFrame, np.ndarray]:
    """One row per word of a dimension, and the mean of its templates' unit vectors, `(words, d)`.

    A mean of cosines is the cosine-like product with the mean of unit vectors, left unnormalised.
    """
    table = getattr(prompts, "table", None)
    missing = [column for column in _PROMPT_COLUMNS if table is None or column not in table]
    if table is None or missing:
        raise ValueError(
            f"prompt embeddings need a table with the columns {', '.join(_PROMPT_COLUMNS)}; "
            f"got {type(prompts).__name__} without {', '.join(missing)}. Embed a PromptSet with vb.embed."
        )
    (vectors,) = validate.unit_rows(prompts=prompts)
    if len(table) != len(vectors):
        raise ValueError(f"the prompt table has {len(table)} rows for vectors of shape {vectors.shape}.")
    if table["neutral"].dtype != bool:
        raise TypeError(f"the prompt column `neutral` must be boolean; got dtype {table['neutral'].dtype}.")
    keys = table[list(_PROMPT_COLUMNS)].reset_index(drop=True)
    keys[["dimension", "word"]] = keys[["dimension", "word"]].astype(object).fillna("")
    group = keys.groupby(list(_PROMPT_COLUMNS), sort=False).ngroup().to_numpy()
    means = np.zeros((group.max() + 1, vectors.shape[1]))
    np.add.at(means, group, vectors)
    return keys.drop_duplicates(ignore_index=True), means / np.bincount(group)[:, None]


def _cosines(images: Any, words: np.ndarray) -> np.ndarray:
    """`(n, words)`, a block of images at a time."""
    raw = np.asarray(images)
    if raw.ndim != 2 or raw.shape[1] != words.shape[1]:
        raise ValueError(
            f"images and prompts must be embedded by one encoder; got images {raw.shape}, "
            f"prompts (…, {words.shape[1]})."
        )
    blocks = {f"images[{i}:{i + _BLOCK}]": raw[i : i + _BLOCK] for i in range(0, max(len(raw), 1), _BLOCK)}
    return np.concatenate([validate.unit_rows(**{name: block})[0] @ words.T for name, block in blocks.items()])


def _labels(values: Any) -> pd.Categorical:
    """Categories in the order in which they first appear, as the prompt table has them."""
    return pd.Categorical(values, categories=list(dict.fromkeys(values)))


def _metadata(images: Any, n: int, reserved: list[str]) -> pd.DataFrame:
    """The image table with row numbers as the column `image` and as the index."""
    table = getattr(images, "table", None)
    table = pd.DataFrame(index=range(n)) if table is None else table.reset_index(drop=True)
    if len(table) != n:
        raise ValueError(f"the image table has {len(table)} rows for {n} vectors.")
    if clash := [column for column in ["image", *reserved] if column in table]:
        raise ValueError(f"rename the image columns {', '.join(clash)}: the result uses these names.")
    table = table.copy()
    table.insert(0, "image", np.arange(n))
    return table
