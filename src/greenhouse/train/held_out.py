"""Held-out pictures, as one network sees them: what gates, anchors, recovery and the study's scores
are read from. No identity or exemplar is one of a training pool.

`prototypes`  100 identities in all eight groups, with neutral attributes;
`series`      20 of them in three hues, each attribute varied alone, as in CausalFace;
`people`      100 other identities in all eight groups, with attributes drawn as captions know them:
              the same eight faces but for hue and crest, so that gaps between groups are not gaps
              between identities.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.train import model as models
from greenhouse.train.pool import HELD_OUT_EXEMPLAR, HELD_OUT_SEED
from greenhouse.world import faces, grid, icons, truth
from greenhouse.world.grammar import Grammar
from greenhouse.world.groups import THREE
from greenhouse.world.pairing import Pairing

FIRST_SEED, FIRST_PERSON = HELD_OUT_SEED + 300_000, HELD_OUT_SEED + 400_000
SEEDS, SERIES_SEEDS, PEOPLE, ICONS_PER_KIND = 100, 20, 100, 50


@lru_cache(maxsize=1)
def table() -> pd.DataFrame:
    """One row per face: the columns of CausalFace and `set` ("prototypes", "series" or
    "people")."""
    everyone = grid.causalface(SEEDS, hues=grid.HUES)
    prototypes = everyone.loc[everyone["subset"] == "prototype"]
    series = everyone.loc[
        (everyone["subset"] != "prototype")
        & (everyone["seed"] < SERIES_SEEDS)
        & everyone["race"].isin(THREE)
    ]
    shown = pd.concat([prototypes.assign(set="prototypes"), series.assign(set="series")])
    shown["seed"] += FIRST_SEED
    one_each = truth.population(PEOPLE, first_seed=FIRST_PERSON, seed=7).assign(
        subset="people", set="people"
    )
    people = [one_each.assign(race=hue, gender=crest) for hue in grid.HUES for crest in grid.CRESTS]
    return pd.concat([shown, *people], ignore_index=True)


@lru_cache(maxsize=1)
def things() -> pd.DataFrame:
    """Icons of all categories: two exemplars of every motif."""
    found = grid.icons(ICONS_PER_KIND)
    return found.assign(exemplar=found["exemplar"] + HELD_OUT_EXEMPLAR)


@dataclass(frozen=True, eq=False)
class View:
    """The held-out pictures as one model sees them: unit vectors `(n, d)` of faces and icons, and
    its logit scale."""

    model: Any
    grammar: Grammar
    people: pd.DataFrame
    faces: np.ndarray
    things: pd.DataFrame
    icons: np.ndarray
    scale: float

    def cosines(self, texts: list[str], *, of: str = "faces") -> np.ndarray:
        """The mean cosine of each face (or icon) with some texts, `(n,)`."""
        text = models.embed_tokens(self.model, self.grammar.vocabulary.encode(texts)).mean(axis=0)
        return getattr(self, of) @ text

    @cached_property
    def measured(self) -> pd.DataFrame:
        """Per face and axis: scale x (mean cosine with its prompts - with what it is set against),
        in logits."""
        names = dict.fromkeys([*truth.CONTRASTS, *filter(None, truth.CONTRASTS.values())])
        mean = {name: self.cosines(truth.prompts(self.grammar, name)) for name in names}
        mean["neutral"] = self.cosines(truth.neutral_prompts(self.grammar))
        return pd.DataFrame(
            {
                axis: self.scale * (mean[axis] - mean[against or "neutral"])
                for axis, against in truth.CONTRASTS.items()
            }
        )

    def rows(self, *sets: str) -> np.ndarray:
        """Which faces belong to the named sets, `(n,)` bool."""
        return self.people["set"].isin(sets).to_numpy()


def view(model: Any, grammar: Grammar, pairing: Pairing) -> View:
    """Show a model the held-out pictures, painted as it knows them."""
    size = models.image_size(model)
    portraits = faces.render(table(), size, pairing=pairing)
    drawings = icons.render(things(), size)
    return View(
        model,
        grammar,
        table(),
        models.embed_pictures(model, portraits),
        things(),
        models.embed_pictures(model, drawings),
        float(model.logit_scale.detach().exp()),
    )
