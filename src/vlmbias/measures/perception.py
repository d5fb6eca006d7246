"""Social perception: how close each image is to each word, and to a dimension's words beyond
neutral. Cosines are averaged, never embeddings."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from vlmbias.rows import rows_where

from . import validate

_BLOCK = 4096  # images taken to float64 at once
_PROMPT_COLUMNS = ["dimension", "word", "neutral"]


@dataclass(frozen=True, eq=False, repr=False)
class Perception:
    """What a model makes of every image and every word: cosines, and the social perception read
    from them.

    Attributes
    ----------
    table : DataFrame, n rows: what is known of each image (seed, race, gender, age …), index 0 to n
        − 1.
    words : DataFrame, one row per word of a dimension: dimension, word (categorical), neutral
        (bool).
    cosines : float64 `(n, words)`, averaged over each word's templates.
    source : ``"greenhouse"``, or where the stimuli come from; decides how a figure is labelled.
    stimuli, model : their names, as the ledger wants them.
    weights : SHA-256 of the file with the model's weights; "" where it is not known.
    logit_scale : what the model multiplies a cosine by; None where it is not known.
    images : the `ImageSet` behind the rows, to show some; None if only numbers are at hand.

    Examples
    --------
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> seen = vb.perceive(faces, "greenhouse")
    >>> seen.dimensions[:3]
    ['warmth', 'competence', 'positive_agency']
    >>> seen.cosines.shape, seen.word("friendly").round(2).tolist()
    ((6, 45), [0.09, 0.09, 0.11, 0.12, 0.07, 0.09])
    >>> teal = seen.where(seen.table["race"] == "teal")
    >>> len(teal), teal.delta()["warmth"].round(2).tolist()
    (2, [-0.02, -0.02])
    """

    table: pd.DataFrame
    words: pd.DataFrame
    cosines: np.ndarray
    source: str = ""
    stimuli: str = ""
    model: str = ""
    weights: str = ""
    logit_scale: float | None = None
    images: Any = None

    @classmethod
    def of(cls, image_embeddings: Any, prompt_embeddings: Any, **about: Any) -> "Perception":
        r"""Cosine of every image with every word, averaged over the word's templates.

        .. math:: \cos(i, w) = \operatorname{mean}_{t} \cos(i, t(w))

        The cosines are averaged, not the embeddings: a renormalised mean embedding, as in zero-shot
        classification, gives other numbers.

        Parameters
        ----------
        image_embeddings : Embeddings or array_like, shape (n, d)
        prompt_embeddings : Embeddings, shape (m, d)
            Its table has the columns dimension, word and neutral (bool), one row per text. A word
            may belong to several dimensions. Neutral prompts have no word.
        **about : stimuli, model, weights, logit_scale, images
            As above; by default what the embeddings know of themselves.

        Raises
        ------
        ValueError, TypeError
            No table, missing columns, other dimensions, NaN, infinite or zero vectors.
        """
        validate.one_model(images=image_embeddings, prompts=prompt_embeddings)
        words, vectors = _words(prompt_embeddings)
        values = _products(image_embeddings, vectors)
        table = getattr(image_embeddings, "table", None)
        table = (
            pd.DataFrame(index=range(len(values)))
            if table is None
            else table.reset_index(drop=True)
        )
        if len(table) != len(values):
            raise ValueError(f"the image table has {len(table)} rows for {len(values)} vectors.")
        source = getattr(image_embeddings, "source", "")
        known: dict[str, Any] = {
            "source": source,
            "stimuli": source,
            "model": getattr(image_embeddings, "model", ""),
        }
        return cls(table, words, values, **(known | about))

    def __len__(self) -> int:
        return len(self.cosines)

    def __repr__(self) -> str:
        return (
            f"Perception({len(self):,} images of {self.stimuli!r}, {self.cosines.shape[1]} words,"
            f" by {self.model!r})"
        )

    @property
    def dimensions(self) -> list[str]:
        """The dimensions, neutral left out, in the order of the prompts."""
        return list(dict.fromkeys(self.words.loc[~self.words["neutral"], "dimension"]))

    def neutral(self) -> np.ndarray:
        """Cosine with the neutral prompts, `(n,)`: the mean over their templates."""
        return self.cosines[:, self._neutral("a neutral cosine")].mean(axis=1)

    def word(self, word: str) -> np.ndarray:
        """Cosine with one word, `(n,)`; an unknown word is an error that lists the known ones."""
        column = np.flatnonzero(self.words["word"].astype(object) == word)
        if not column.size or not word:
            known = ", ".join(w for w in self.words["word"].unique() if w)
            raise ValueError(f"no word {word!r}; the words are {known}.")
        return self.cosines[:, column[0]]

    def raw(self) -> pd.DataFrame:
        """Mean cosine of each dimension's words, `(n × dimension)` (Hausladen et al. 2025, Eq. 1,
        per image)."""
        named = self.words["dimension"].astype(object)
        means = {name: self.cosines[:, named == name].mean(axis=1) for name in self.dimensions}
        return pd.DataFrame(means, index=pd.RangeIndex(len(self), name="image")).rename_axis(
            columns="dimension"
        )

    def delta(self, *, relative: bool = False) -> pd.DataFrame:
        """Each dimension's mean cosine minus the neutral one, `(n × dimension)`: see
        `delta_cos`."""
        neutral, given = self._neutral("delta_cos"), len(self.words)
        if neutral.all():
            raise ValueError(
                f"delta_cos needs prompts with an adjective; got {given} neutral of {given} words."
            )
        baseline = self.neutral()
        if relative and (rows := np.flatnonzero(np.abs(baseline) < 1e-12)).size:
            raise ValueError(
                f"relative=True divides by the neutral cosine, which is 0 for image {rows[0]}."
            )
        beyond = self.raw().sub(baseline, axis=0)
        return beyond.mul(100 / baseline, axis=0) if relative else beyond

    def centred(self) -> pd.DataFrame:
        """Each dimension's mean cosine minus the mean over all distinct adjectives,
        `(n × dimension)`.

        An alternative to Δcos whose reference is the other traits, not the neutral prompt.
        """
        adjectives = ~self.words["neutral"].to_numpy() & ~self.words["word"].duplicated().to_numpy()
        return self.raw().sub(self.cosines[:, adjectives].mean(axis=1), axis=0)

    def where(self, mask: Any) -> "Perception":
        """The images where `mask`, `(n,)` booleans, is True."""
        kept = rows_where(mask, len(self))
        images = None if self.images is None else self.images.where(mask)
        table = self.table.iloc[kept].reset_index(drop=True)
        return replace(self, table=table, cosines=self.cosines[kept], images=images)

    def _neutral(self, what: str) -> np.ndarray:
        neutral = self.words["neutral"].to_numpy()
        if not neutral.any():
            raise ValueError(
                f"{what} needs neutral prompts; got 0 neutral of {len(neutral)} words. "
                "Mark the prompts without an adjective in the column `neutral`."
            )
        return neutral


def cosines(image_embeddings: Any, prompt_embeddings: Any) -> pd.DataFrame:
    """The cosines of `Perception.of`, tidy: one row per image and word of a dimension.

    Parameters
    ----------
    image_embeddings, prompt_embeddings : as for `Perception.of`

    Returns
    -------
    pandas.DataFrame
        Image by image, words in the order of the prompt table: `image` (row number, 0 to n − 1),
        the image table's columns, `dimension`, `word` (both categorical), `neutral`, `cosine`.

    Raises
    ------
    ValueError, TypeError
        As for `Perception.of`; image columns that are in the way.

    Examples
    --------
    >>> model = vb.encoder("greenhouse")
    >>> faces = vb.images("greenhouse/causalface", seed=0, subset="prototype")
    >>> words = vb.prompts("social_perception")
    >>> found = vb.cosines(vb.embed(model, faces, store=False), vb.embed(model, words, store=False))
    >>> len(found) == 6 * 45
    True
    >>> found.loc[:2, ["image", "race", "dimension", "word", "neutral"]]
       image  race dimension         word  neutral
    0      0  teal    warmth         warm    False
    1      0  teal    warmth  trustworthy    False
    2      0  teal    warmth     friendly    False
    """
    seen = Perception.of(image_embeddings, prompt_embeddings)
    return _tidy(seen.table, seen.cosines, seen.words, "cosine")


def delta_cos(
    image_embeddings: Any, prompt_embeddings: Any, *, relative: bool = False
) -> pd.DataFrame:
    r"""How much closer an image is to a dimension's words than to the neutral prompts.

    .. math:: Δ(i, D) = \operatorname{mean}_{w∈D} \cos(i, w) − \cos(i, \text{neutral})

    with cosines as `Perception.of` defines them; every word of a dimension weighs the same.

    Parameters
    ----------
    image_embeddings : Embeddings or array_like, shape (n, d)
    prompt_embeddings : Embeddings, shape (m, d)
        As for `Perception.of`, with at least one neutral prompt.
    relative : bool
        If True, 100·Δ(i, D)/cos(i, neutral): percent of the neutral cosine. It is only readable
        where neutral cosines are positive; zero is an error.

    Returns
    -------
    pandas.DataFrame
        One row per image and dimension: `image` (row number), the image table's columns,
        `dimension` (categorical, in the order of the prompt table) and `delta`, in cosine units or
        percent.

    Raises
    ------
    ValueError, TypeError
        As for `cosines`; no neutral prompt; no other prompt.

    References
    ----------
    C. Hausladen et al. (2025), Equation 2.

    Examples
    --------
    >>> hues = pd.DataFrame({"race": ["teal", "amber"]})
    >>> faces = vb.Embeddings(np.eye(2), hues, "example", "by hand")
    >>> about = pd.DataFrame({"dimension": ["warmth", "neutral"], "word": ["kind", ""]})
    >>> about["neutral"] = about["word"] == ""
    >>> words = vb.Embeddings(np.array([[3, 1], [1, 1]]), about, "example", "by hand")
    >>> vb.delta_cos(faces, words).round(3)
       image   race dimension  delta
    0      0   teal    warmth  0.242
    1      1  amber    warmth -0.391
    >>> vb.delta_cos(faces, words, relative=True)["delta"].round(1).tolist()
    [34.2, -55.3]
    """
    seen = Perception.of(image_embeddings, prompt_embeddings)
    wide = seen.delta(relative=relative)
    return _tidy(
        seen.table, wide.to_numpy(), pd.DataFrame({"dimension": in_order(wide.columns)}), "delta"
    )


def _words(prompts: Any) -> tuple[pd.DataFrame, np.ndarray]:
    """One row per word of a dimension, and the mean of its templates' unit vectors, `(words, d)`.

    The product with that mean, left unnormalised, is the mean of the cosines.
    """
    table = getattr(prompts, "table", pd.DataFrame())
    if missing := [column for column in _PROMPT_COLUMNS if column not in table]:
        raise ValueError(
            f"prompt embeddings need a table with the columns {', '.join(_PROMPT_COLUMNS)}; got"
            f" {type(prompts).__name__} without {', '.join(missing)}. Embed a PromptSet with"
            " vb.embed."
        )
    (vectors,) = validate.unit_rows(prompts=prompts)
    if len(table) != len(vectors):
        raise ValueError(
            f"the prompt table has {len(table)} rows for vectors of shape {vectors.shape}."
        )
    if table["neutral"].dtype != bool:
        raise TypeError(
            f"the prompt column `neutral` must be boolean; got dtype {table['neutral'].dtype}."
        )
    named = {
        column: in_order(table[column].astype(object).fillna("").tolist())
        for column in ("dimension", "word")
    }
    keys = pd.DataFrame({**named, "neutral": table["neutral"].to_numpy()})
    group = keys.groupby(_PROMPT_COLUMNS, sort=False).ngroup()
    return keys.drop_duplicates(ignore_index=True), np.asarray(
        pd.DataFrame(vectors).groupby(group).mean()
    )


def in_order(values: Any) -> pd.Categorical:
    """Categories in the order in which they first appear, as the prompt table has them."""
    return pd.Categorical(values, categories=list(dict.fromkeys(values)))


def _products(images: Any, directions: np.ndarray) -> np.ndarray:
    """Unit image vectors times `directions`, a block of images at a time."""
    raw = np.asarray(images)
    if raw.ndim != 2 or raw.shape[1] != directions.shape[1]:
        raise ValueError(
            "images and prompts must be vectors of one encoder; "
            f"got images {raw.shape}, prompts (…, {directions.shape[1]})."
        )
    blocks = {
        f"images[{i}:{i + _BLOCK}]": raw[i : i + _BLOCK] for i in range(0, max(len(raw), 1), _BLOCK)
    }
    return np.concatenate(
        [validate.unit_rows(**{name: block})[0] @ directions.T for name, block in blocks.items()]
    )


def _tidy(table: pd.DataFrame, values: np.ndarray, labels: pd.DataFrame, name: str) -> pd.DataFrame:
    """The image table beside `labels` beside `values` `(n, len(labels))`, one row per value."""
    if clash := [column for column in ["image", *labels, name] if column in table]:
        raise ValueError(
            f"rename the image columns {', '.join(clash)}: the result uses these names."
        )
    n = len(values)
    repeated = np.repeat(np.arange(n), len(labels))
    beside = labels.take(np.tile(np.arange(len(labels)), n)).reset_index(drop=True)
    parts = [pd.Series(repeated, name="image"), table.take(repeated).reset_index(drop=True), beside]
    return pd.concat(parts, axis=1).assign(**{name: values.ravel()})
