"""Recovery: what a model shows, axis by axis, beside what the truth predicts.

Comes in: a model, and pictures of known attributes. Goes out: measured values in logits, group gaps, r and slopes.
May not: decide whether a model is accepted (gates do), or be used to tune one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from greenhouse.train import gates
from greenhouse.train import model as models
from greenhouse.world import truth
from greenhouse.world.grammar import Grammar

CELL = ["race", "gender", "subset", "age", "smiling", "lighting", "pose"]


def measured(model: Any, grammar: Grammar, vectors: np.ndarray) -> pd.DataFrame:
    """Per image and axis: logit_scale x (mean cosine with its prompts - mean cosine with what it is set against)."""
    scale = float(model.logit_scale.detach().exp())
    mean: dict[str, np.ndarray] = {}

    def cosine(name: str) -> np.ndarray:
        if name not in mean:
            texts = truth.neutral_prompts(grammar) if name == "neutral" else truth.prompts(grammar, name)
            mean[name] = vectors @ models.embed_tokens(model, grammar.vocabulary.encode(texts)).mean(axis=0)
        return mean[name]

    return pd.DataFrame({axis: scale * (cosine(axis) - cosine(against or "neutral"))
                         for axis, against in truth.CONTRASTS.items()})


def predicted(grammar: Grammar, rows: pd.DataFrame, b: float) -> pd.DataFrame:
    """The same table as `measured`, as the truth predicts it."""
    return pd.DataFrame({axis: truth.contrast(grammar, axis, rows, b) for axis in truth.CONTRASTS})


def recovery(model: Any, grammar: Grammar, b: float) -> pd.DataFrame:
    """Per axis: r and slope of measured on predicted, over the means of the cells of the held-out grid."""
    people, portraits, _, _ = gates.held_out(model.visual.image_size[0])
    found = measured(model, grammar, models.embed_pictures(model, portraits))
    expected = predicted(grammar, people, b)
    cell = people.groupby(CELL).ngroup().to_numpy()
    rows = []
    for axis in truth.CONTRASTS:
        x, y = (np.bincount(cell, table[axis]) / np.bincount(cell) for table in (expected, found))
        rows.append({"axis": axis, "r": np.corrcoef(x, y)[0, 1], "slope": np.polyfit(x, y, 1)[0],
                     "predicted_sd": x.std()})
    return pd.DataFrame(rows)


def gaps(model: Any, grammar: Grammar) -> pd.DataFrame:
    """Per axis and pair of groups: the gap in logits and Cohen's d over the held-out grid's images."""
    people, portraits, _, _ = gates.held_out(model.visual.image_size[0])
    found = measured(model, grammar, models.embed_pictures(model, portraits))
    rows = []
    for column, first, second in (("race", "teal", "violet"), ("gender", "budded", "eared")):
        a, b = found[people[column] == first], found[people[column] == second]
        both = pd.concat([a, b])
        for axis in found:
            gap = a[axis].mean() - b[axis].mean()
            rows.append({"axis": axis, "first": first, "second": second, "gap": gap, "d": gap / both[axis].std(ddof=1)})
    return pd.DataFrame(rows)
