"""Retrained networks, read without torch: what every network of the dose–response study makes of
the same pictures and words (`vlmbias campaign dose-response` writes the tables).

`networks()` lists them, `vectors()` has embeddings of a few hundred pictures and words, `scores()`
mean cosines of thousands of pictures with every dimension, `gaps()` and `recovery()` what each
shows beside both truths.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from greenhouse.world.bias import DATA

RETRAINED = DATA / "retrained"
QUANTUM = 8e-4  # of a cosine, as scores are stored
COLUMNS = (
    "warmth",
    "competence",
    "positive_agency",
    "negative_agency",
    "progressive_belief",
    "conservative_belief",
    "positive_communion",
    "negative_communion",
    "neutral",
    "adjectives",
)
AXES = (
    *COLUMNS,
    "we",
    "they",
    "patriotic",
    "immigrant",
    "egalitarian",
    "someone",
    "arborian",
    "foreign",
    "pleasant",
    "unpleasant",
)


def networks(
    folder: Path = RETRAINED, *, pairing: str | None = "drawn", rejected: bool = False
) -> pd.DataFrame:
    """One row per network: kind, b, condition ("none", "neutral", "marking"), condition_strength,
    seed, pairing and what it pairs (paint_* and drawing_* of each name), logit_scale, gates,
    anchors, and `accepted`.

    Parameters
    ----------
    pairing : "drawn": networks that drew which name has which look, and whose names are
        exchangeable where nothing is planted; "plain": those that share the one pairing in which
        names fit; None: all.
    rejected : also list those that failed a gate.

    Raises
    ------
    ValueError : an unknown pairing.
    """
    table = _read(folder, "networks.csv")
    return _chosen(table if rejected else table.loc[table["kept"]], pairing)


def _read(folder: Path, name: str) -> pd.DataFrame:
    table = pd.read_csv(folder / name, keep_default_na=False, na_values=[""])
    # the laboratory calls them arms of its study, as its recipes do
    return table.rename(columns={"arm": "condition", "arm_strength": "condition_strength"})


def _chosen(table: pd.DataFrame, pairing: str | None) -> pd.DataFrame:
    if pairing not in ("drawn", "plain", None):
        raise ValueError(f"pairing={pairing!r}; there are 'drawn', 'plain' and None (all networks)")
    return (table if pairing is None else table.loc[table["pairing"] == pairing]).reset_index(
        drop=True
    )


def gaps(folder: Path = RETRAINED, *, pairing: str | None = "drawn") -> pd.DataFrame:
    """One row per network, axis and pair of groups: `measured` in logits, `d`, and both truths,
    `counted` and `per_face`, of the same faces; `pairing` as for `networks`."""
    return _chosen(_read(folder, "gaps.csv.gz"), pairing)


def recovery(folder: Path = RETRAINED, *, pairing: str | None = "drawn") -> pd.DataFrame:
    """One row per network and axis: r and slope over the cells of the grid, against
    `truth.per_face`; `pairing` as for `networks`."""
    return _chosen(_read(folder, "recovery.csv.gz"), pairing)


@dataclass(frozen=True, eq=False)
class Vectors:
    """Retrained networks and their embeddings of the same pictures and words.

    Attributes
    ----------
    networks : one row per network with vectors, row i for the i-th array; see `networks`.
    images : one row per picture: kind ("face" or "icon"), the columns of CausalFace, category.
    words : one row per word: slot, axes (separated by ";"), word, rare, n_sentences; the last is
        the neutral prompts.
    image_vectors : float32 `(networks, images, d)`, unit rows.
    word_vectors : float32 `(networks, words, d)`: the mean of the unit vectors of a word's
        sentences, not renormalised, so that its product with a unit vector is a cosine averaged
        over the sentences.
    """

    networks: pd.DataFrame
    images: pd.DataFrame
    words: pd.DataFrame
    image_vectors: np.ndarray
    word_vectors: np.ndarray

    def __repr__(self) -> str:
        return (
            f"Vectors({len(self.networks)} networks, {len(self.images)} images, {len(self.words)}"
            " words)"
        )

    def where(self, mask: np.ndarray) -> Vectors:
        """The networks for which `mask`, `(networks,)` bool, holds."""
        mask = np.asarray(mask)
        return Vectors(
            self.networks.loc[mask].reset_index(drop=True),
            self.images,
            self.words,
            self.image_vectors[mask],
            self.word_vectors[mask],
        )

    def words_of(self, axis: str, *, slot: str | None = None) -> np.ndarray:
        """Rows of `words` that stand under an axis, `(n,)`; in one slot only, where given.

        Raises
        ------
        ValueError : no word stands under the axis (in the slot); the known ones are listed.
        """
        listed = self.words["axes"].str.split(";")
        rows = listed.map(lambda axes: axis in axes) & (
            self.words["slot"].eq(slot) if slot else True
        )
        if not rows.any():
            known = ", ".join(dict.fromkeys(one for axes in listed for one in axes))
            where = (
                f" in slot {slot!r} (slots: {', '.join(self.words['slot'].unique())})"
                if slot
                else ""
            )
            raise ValueError(f"no word of axis {axis!r}{where}; axes: {known}")
        return np.flatnonzero(rows)

    def cosines(self, images: np.ndarray, words: np.ndarray) -> np.ndarray:
        """Cosines, averaged over each word's sentences, `(networks, images, words)`; both are row
        numbers."""
        return np.einsum("kid,kwd->kiw", self.image_vectors[:, images], self.word_vectors[:, words])


def vectors(folder: Path = RETRAINED) -> Vectors:
    """The vectors of a folder."""
    every = networks(folder, pairing=None)
    chosen = every.loc[every["has_vectors"]].reset_index(drop=True)
    images = pd.read_csv(folder / "vector_images.csv")
    words = pd.read_csv(
        folder / "vector_words.csv", keep_default_na=False
    )  # the neutral prompts have no word: ""
    with np.load(folder / "vectors.npz", allow_pickle=False) as stored:
        pictures, texts = (
            stored[name] * stored[f"{name}_step"][..., None] for name in ("images", "words")
        )
    return Vectors(
        chosen, images, words, pictures / np.linalg.norm(pictures, axis=2, keepdims=True), texts
    )


@dataclass(frozen=True, eq=False)
class Scores:
    """What retrained networks make of many pictures: mean cosines with every dimension.

    Attributes
    ----------
    networks : one row per network; see `networks`. `shows` says whether it was shown every set.
    images : one row per picture: the columns of CausalFace, set, leak (λ), photo, years and
        age_bin.
    scores : float32 `(networks, images, columns)`, rounded to 0.0008; NaN where a network was not
        shown a picture. Δcos is `scores[..., k] - scores[..., columns.index("neutral")]`.
    columns : the eight dimensions, "neutral", "adjectives" (all distinct adjectives) and, for
        `people`, ten more axes.
    """

    networks: pd.DataFrame
    images: pd.DataFrame
    scores: np.ndarray
    columns: tuple[str, ...]

    def __repr__(self) -> str:
        return (
            f"Scores({len(self.networks)} networks, {len(self.images)} images, {len(self.columns)}"
            " columns)"
        )

    def delta(self, axis: str) -> np.ndarray:
        """Δcos in logits, `(networks, images)`: logit scale x (cosine with the axis - with the
        neutral prompts)."""
        if axis not in self.columns:
            raise ValueError(f"unknown axis {axis!r}; there are {', '.join(self.columns)}")
        k, neutral = self.columns.index(axis), self.columns.index("neutral")
        scale = self.networks["logit_scale"].to_numpy(np.float32)
        return scale[:, None] * (self.scores[..., k] - self.scores[..., neutral])


def split(steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, int16, as their low and high bytes: apart from each other they compress by a
    fifth better."""
    return (steps & 255).astype(np.uint8), (steps >> 8).astype(np.int8)


def joined(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The numbers that `split` took apart, int16."""
    return (high.astype(np.int16) << 8) | low


def scores(
    which: str = "grid", folder: Path = RETRAINED, *, pairing: str | None = "drawn"
) -> Scores:
    """The scores of a folder.

    Parameters
    ----------
    which : "people": 800 faces, the same 100 in all eight groups, with `AXES`; or "grid":
        prototypes and series and, for the networks that were shown every set, leaking series and
        both uncontrolled samples, with `COLUMNS`.
    pairing : as for `networks`.
    """
    if which not in ("people", "grid"):
        raise ValueError(f"which={which!r}; there are 'people' and 'grid'")
    listed, images = networks(folder, pairing=None), pd.read_csv(folder / "score_images.csv")
    images = images.loc[(images["set"] == "people") == (which == "people")].reset_index(drop=True)
    columns = AXES if which == "people" else COLUMNS
    found = np.full((len(listed), len(images), len(columns)), np.nan, np.float32)
    with np.load(folder / "scores.npz", allow_pickle=False) as stored:
        for name in images["set"].unique():
            shown = np.flatnonzero(listed["shows"] | (name in ("people", "grid")))
            place = np.flatnonzero(images["set"] == name)
            steps = joined(stored[f"{name}_low"], stored[f"{name}_high"])
            found[np.ix_(shown, place)] = steps * np.float32(QUANTUM)
    kept = (
        np.ones(len(listed), bool) if pairing is None else listed["pairing"].eq(pairing).to_numpy()
    )
    return Scores(_chosen(listed, pairing), images, found[kept], columns)
