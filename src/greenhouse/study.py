"""The dose–response study, read: trained models, each with its vectors of one panel of pictures and words; and
the portraits: what these models, and those of the arms, make of larger sets of pictures.

Comes in: `data/greenhouse/dose_response/` and `portraits/`, as `vlmbias greenhouse dose-response` writes them.
Goes out: tables and arrays. May not: import torch, train or load a
model, or change a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from greenhouse.world.bias import DATA

QUANTUM = 1e-4  # of a cosine, as the portraits are stored
COLUMNS = ("warmth", "competence", "positive_agency", "negative_agency", "progressive_belief", "conservative_belief",
           "positive_communion", "negative_communion", "neutral", "adjectives")
FILES = ("models.csv", "panel_images.csv", "panel_words.csv", "panel.npz")


@dataclass(frozen=True, eq=False)
class Study:
    """Retrained models and what each makes of the same panel.

    Attributes
    ----------
    models : one row per accepted model, row i for the i-th array of vectors: b, seed, logit_scale, gates, gaps …
    images : one row per picture of the panel: kind ("face" or "icon"), the columns of CausalFace, category.
    words : one row per word: slot, axes (separated by ";"), word, rare, n_sentences; the last is the neutral prompts.
    image_vectors : float32 `(models, images, d)`, unit rows.
    word_vectors : float32 `(models, words, d)`: the mean of the unit vectors of a word's sentences, not
        renormalised, so that its product with a unit vector is a cosine averaged over the sentences.
    """

    models: pd.DataFrame
    images: pd.DataFrame
    words: pd.DataFrame
    image_vectors: np.ndarray
    word_vectors: np.ndarray

    def __repr__(self) -> str:
        return f"Study({len(self.models)} models, {len(self.images)} images, {len(self.words)} words)"

    def words_of(self, axis: str, *, slot: str | None = None) -> np.ndarray:
        """Rows of `words` that stand under an axis, `(n,)`; in one slot only, where given.

        Raises
        ------
        ValueError : no word stands under the axis (in the slot); the known ones are listed.
        """
        listed = self.words["axes"].str.split(";")
        rows = listed.map(lambda axes: axis in axes) & (self.words["slot"].eq(slot) if slot else True)
        if not rows.any():
            known = ", ".join(dict.fromkeys(one for axes in listed for one in axes))
            where = f" in slot {slot!r} (slots: {', '.join(self.words['slot'].unique())})" if slot else ""
            raise ValueError(f"no word of axis {axis!r}{where}; axes: {known}")
        return np.flatnonzero(rows)


def load(folder: Path = DATA / "dose_response") -> Study:
    """The study of a folder.

    Raises
    ------
    FileNotFoundError : files are missing; the message names them and the command that writes them.
    ValueError : the tables and the arrays do not belong together; the message gives their sizes.
    """
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        raise FileNotFoundError(f"the dose–response study in {folder} lacks {', '.join(missing)}; "
                                "`vlmbias greenhouse dose-response` writes it")
    models, images = (pd.read_csv(folder / name) for name in FILES[:2])
    words = pd.read_csv(folder / FILES[2], keep_default_na=False)  # the neutral prompts have no word: "", not missing
    models = models.dropna(subset="panel_row").sort_values("panel_row", ignore_index=True)
    with np.load(folder / "panel.npz", allow_pickle=False) as stored:
        seen, said = (stored[name].astype(np.float32) for name in ("images", "words"))
    sizes = (len(models), len(images)), (len(models), len(words))
    if (seen.shape[:2], said.shape[:2]) != sizes:
        raise ValueError(f"the study in {folder} has vectors of shapes {seen.shape} and {said.shape} for "
                         f"{len(models)} models, {len(images)} images and {len(words)} words")
    return Study(models, images, words, seen / np.linalg.norm(seen, axis=2, keepdims=True), said)


@dataclass(frozen=True, eq=False)
class Portraits:
    """What retrained models make of the grid, of leaking series and of uncontrolled samples.

    Attributes
    ----------
    models : one row per model: b, seed, arm ("dose", "neutral" or "marking"; see bias.yaml), arm_strength,
        logit_scale, the gates, and sees_all: whether it was shown every set, or `grid` alone.
    images : one row per picture: the columns of CausalFace, set ("grid", "leak", "fairface" or "utkface"), leak (λ),
        photo, years and age_bin.
    scores : float32 `(models, images, columns)`: mean cosines, rounded to 0.0001; NaN where a model was not shown a
        picture. Delta-cos is `scores[..., k] - scores[..., columns.index("neutral")]`.
    columns : the eight dimensions, "neutral", and "adjectives" (all distinct adjectives).
    """

    models: pd.DataFrame
    images: pd.DataFrame
    scores: np.ndarray
    columns: tuple[str, ...] = COLUMNS

    def __repr__(self) -> str:
        return f"Portraits({len(self.models)} models, {len(self.images)} images, {len(self.columns)} columns)"


def portraits(folder: Path = DATA / "portraits") -> Portraits:
    """The portraits of a folder.

    Raises
    ------
    FileNotFoundError : files are missing; the message names them and the command that writes them.
    ValueError : tables and scores do not belong together; the message gives their sizes.
    """
    if missing := [name for name in ("models.csv", "images.csv", "scores.npz") if not (folder / name).is_file()]:
        raise FileNotFoundError(f"the portraits in {folder} lack {', '.join(missing)}; "
                                "`vlmbias greenhouse dose-response` writes them")
    models, images = (pd.read_csv(folder / name) for name in ("models.csv", "images.csv"))
    scores = np.full((len(models), len(images), len(COLUMNS)), np.nan, np.float32)
    with np.load(folder / "scores.npz", allow_pickle=False) as stored:
        for name in stored.files:
            shown = np.arange(len(models)) if name == "grid" else np.flatnonzero(models["sees_all"])
            place = np.flatnonzero(images["set"] == name)
            if stored[name].shape != (len(shown), len(place), len(COLUMNS)):
                raise ValueError(f"the portraits in {folder} have scores of shape {stored[name].shape} for "
                                 f"{len(shown)} models, {len(place)} pictures of {name} and {len(COLUMNS)} columns")
            scores[np.ix_(shown, place)] = stored[name] * np.float32(QUANTUM)
    return Portraits(models, images, scores)
