"""Social perception: how close each image is to each word, and to a dimension's words beyond neutral.

Comes in: image and prompt `Embeddings` of one encoder. Goes out: tidy DataFrames.
May not: average embeddings in place of cosines, or renormalise an average.
"""

from typing import Any

import numpy as np
import pandas as pd

from . import validate

_BLOCK = 4096  # images taken to float64 at once
_PROMPT_COLUMNS = ["dimension", "word", "neutral"]


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
    return _tidy(image_embeddings, _products(image_embeddings, vectors), words, "cosine")


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
        raise ValueError(f"delta_cos needs neutral prompts and others; got {neutral.sum()} neutral of {len(words)} "
                         "words. Mark the prompts without an adjective in the column `neutral`.")
    dimensions = _in_order(words.loc[~neutral, "dimension"].astype(object))
    member = np.eye(len(dimensions.categories))[dimensions.codes]  # (words, dimensions)
    means = [(member / member.sum(axis=0)).T @ vectors[~neutral], vectors[neutral].mean(axis=0, keepdims=True)]
    values = _products(image_embeddings, np.concatenate(means))
    delta, baseline = values[:, :-1] - values[:, -1:], values[:, -1:]
    if relative and (rows := np.flatnonzero(np.abs(baseline) < 1e-12)).size:
        raise ValueError(f"relative=True divides by the neutral cosine, which is 0 for image {rows[0]}.")
    labels = pd.DataFrame({"dimension": _in_order(dimensions.categories)})
    return _tidy(image_embeddings, 100 * delta / baseline if relative else delta, labels, "delta")


def _words(prompts: Any) -> tuple[pd.DataFrame, np.ndarray]:
    """One row per word of a dimension, and the mean of its templates' unit vectors, `(words, d)`.

    The product with that mean, left unnormalised, is the mean of the cosines.
    """
    table = getattr(prompts, "table", pd.DataFrame())
    if missing := [column for column in _PROMPT_COLUMNS if column not in table]:
        raise ValueError(f"prompt embeddings need a table with the columns {', '.join(_PROMPT_COLUMNS)}; "
                         f"got {type(prompts).__name__} without {', '.join(missing)}. Embed a PromptSet with vb.embed.")
    (vectors,) = validate.unit_rows(prompts=prompts)
    if len(table) != len(vectors):
        raise ValueError(f"the prompt table has {len(table)} rows for vectors of shape {vectors.shape}.")
    if table["neutral"].dtype != bool:
        raise TypeError(f"the prompt column `neutral` must be boolean; got dtype {table['neutral'].dtype}.")
    named = {column: _in_order(table[column].astype(object).fillna("").tolist()) for column in ("dimension", "word")}
    keys = pd.DataFrame({**named, "neutral": table["neutral"].to_numpy()})
    group = keys.groupby(_PROMPT_COLUMNS, sort=False).ngroup()
    return keys.drop_duplicates(ignore_index=True), np.asarray(pd.DataFrame(vectors).groupby(group).mean())


def _in_order(values: Any) -> pd.Categorical:
    """Categories in the order in which they first appear, as the prompt table has them."""
    return pd.Categorical(values, categories=list(dict.fromkeys(values)))


def _products(images: Any, directions: np.ndarray) -> np.ndarray:
    """Unit image vectors times `directions`, a block of images at a time."""
    raw = np.asarray(images)
    if raw.ndim != 2 or raw.shape[1] != directions.shape[1]:
        raise ValueError("images and prompts must be vectors of one encoder; "
                         f"got images {raw.shape}, prompts (…, {directions.shape[1]}).")
    blocks = {f"images[{i}:{i + _BLOCK}]": raw[i : i + _BLOCK] for i in range(0, max(len(raw), 1), _BLOCK)}
    return np.concatenate([validate.unit_rows(**{name: block})[0] @ directions.T for name, block in blocks.items()])


def _tidy(images: Any, values: np.ndarray, labels: pd.DataFrame, name: str) -> pd.DataFrame:
    """The image table beside `labels` beside `values` `(n, len(labels))`, one row per value."""
    n = len(values)
    table = getattr(images, "table", None)
    table = pd.DataFrame(index=range(n)) if table is None else table.reset_index(drop=True)
    if len(table) != n:
        raise ValueError(f"the image table has {len(table)} rows for {n} vectors.")
    if clash := [column for column in ["image", *labels, name] if column in table]:
        raise ValueError(f"rename the image columns {', '.join(clash)}: the result uses these names.")
    repeated = np.repeat(np.arange(n), len(labels))
    beside = labels.take(np.tile(np.arange(len(labels)), n)).reset_index(drop=True)
    parts = [pd.Series(repeated, name="image"), table.take(repeated).reset_index(drop=True), beside]
    return pd.concat(parts, axis=1).assign(**{name: values.ravel()})
