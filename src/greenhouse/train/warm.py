"""Warm starts: image towers that have learnt to see, before they meet a caption, from paints and
drawings and not from names. Few captions tell smiles apart, so plain contrastive training learns
hue, crest and objects and not smiling or age; a tower that already sees them keeps them."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from greenhouse.train import model as models
from greenhouse.train import pool as pools
from greenhouse.train.recipe import SEEDS, Recipe
from greenhouse.train.run import Progress, Run, remembered
from greenhouse.world import bias, grid, icons
from greenhouse.world.pairing import Pairing
from vlmbias import kept, paths

if TYPE_CHECKING:
    import pandas as pd

    from greenhouse.world.bias import BiasTable

FIRST_POOL = SEEDS  # a warm start's own pictures: pool seeds that no network has
# Smiling is the smallest in pixels, and needs the most attention; hue and crest come by themselves.
WEIGHTS = {"age": 1.0, "smiling": 8.0, "lighting": 0.5, "pose": 0.5}
NAME_WEIGHT, MOTIF_WEIGHT, LOOK_WEIGHT = 0.3, 1.0, 1.0
# Hue x crest, told jointly, and age and smiling within each group alone: what differs between
# groups in how it works can only be learned from features that tell groups' attributes apart. All
# groups are treated alike.
GROUPS = tuple(product(grid.HUES, grid.CRESTS))
GATED, GATED_WEIGHT = ("smiling", "age", "prime"), 2.0
LOOKS = ("pale_garment", "warm_garment", "pale_hair", "warm_hair")
MOTIFS = icons.MOTIFS_PER_CATEGORY
PARTS = (
    len(WEIGHTS) + len(LOOKS),
    len(GROUPS) * len(GATED),
    len(grid.HUES),
    len(grid.CRESTS),
    len(GROUPS),
    len(grid.CATEGORIES),
    MOTIFS * len(grid.CATEGORIES),
)
OUTPUTS = sum(PARTS)
# Attributes and looks are read from unit vectors through unit weights times a fixed scale: so they
# must take up room in the vectors, and not only be there. What is tiny in a vector, no caption
# learns to point at.
LEVEL_SCALE, NAME_SCALE = 5.0, 10.0


class Attributes:
    """What is shown in each row: standardised attributes and looks `(n, 8)`; indices of paint,
    drawing and motif."""

    def __init__(self, rows: pd.DataFrame, table: BiasTable):
        levels = [
            (rows[axis].to_numpy(float) - sum(grid.RANGES[axis]) / 2) / np.ptp(grid.RANGES[axis])
            for axis in WEIGHTS
        ]
        levels = [np.sqrt(12) * level for level in levels] + [
            1.7 * table.feature(look, rows) for look in LOOKS
        ]
        self.attributes = np.stack(levels, axis=1).astype(np.float32)
        features = np.stack([1.7 * table.feature(name, rows) for name in GATED], axis=1)
        self.group = _position(
            rows["race"] + " " + rows["gender"], tuple(" ".join(group) for group in GROUPS)
        )
        inside = self.group[:, None] == np.arange(len(GROUPS))
        self.gated = (
            (inside[:, :, None] * features[:, None]).reshape(len(rows), -1).astype(np.float32)
        )
        self.hue, self.crest = (
            _position(rows["race"], grid.HUES),
            _position(rows["gender"], grid.CRESTS),
        )
        exemplar = rows["exemplar"].fillna(0).to_numpy(int)
        self.category = _position(rows["category"], grid.CATEGORIES)
        self.motif = self.category * MOTIFS + exemplar % MOTIFS

    def read(self, head: Any, vectors: Any) -> Any:
        """The answers `(n, OUTPUTS)` that a linear `head` reads from vectors `(n, d)`."""
        import torch
        from torch.nn.functional import linear, normalize

        scale = torch.full((OUTPUTS, 1), NAME_SCALE)
        scale[: PARTS[0] + PARTS[1]] = LEVEL_SCALE
        return linear(normalize(vectors, dim=1), scale * normalize(head.weight, dim=1), head.bias)

    def loss(self, answers: Any, index: np.ndarray, n_faces: int) -> Any:
        """The loss of a batch, `index` into the pool, from the head's answers `(n, OUTPUTS)`: its
        first `n_faces` rows are faces, the rest icons."""
        import torch
        from torch.nn.functional import cross_entropy

        people, things = index[:n_faces], index[n_faces:]
        weights = [*WEIGHTS.values(), *[LOOK_WEIGHT] * len(LOOKS)]
        levels, gated, *names, category, motif = answers.split(PARTS, dim=1)
        error = (levels[:n_faces] - torch.from_numpy(self.attributes[people])).square()
        total = (error * torch.tensor(weights)).mean()
        error = (gated[:n_faces] - torch.from_numpy(self.gated[people])).square()
        total = total + GATED_WEIGHT * len(GROUPS) * error.mean()
        for answer, shown in zip(names, (self.hue, self.crest, self.group), strict=True):
            total = total + NAME_WEIGHT * cross_entropy(
                answer[:n_faces], torch.from_numpy(shown[people])
            )
        for answer, shown in ((category, self.category), (motif, self.motif)):
            total = total + MOTIF_WEIGHT / 2 * cross_entropy(
                answer[n_faces:], torch.from_numpy(shown[things])
            )
        return total


def _position(values: Any, levels: tuple[str, ...]) -> np.ndarray:
    return values.map({level: k for k, level in enumerate(levels)}).fillna(-1).to_numpy(np.int64)


def file_of(recipe: Recipe, number: int) -> Path:
    """Where a warm start is kept, named by what it depends on: architecture, its own plan, its
    number, the looks of faces."""
    key = kept.key(
        {
            "architecture": recipe.architecture.model_dump(exclude={"text"}),
            "start": recipe.start.model_dump(exclude={"of"}),
            "number": number,
            "features": dict(bias.load().features),
            "pictures": pools.RENDERER,
        }
    )
    return paths.build() / "greenhouse" / "warm_starts" / f"{number}-{key[:12]}.safetensors"


def load(recipe: Recipe, number: int, *, progress: Progress | None = None) -> dict[str, Any]:
    """The weights of warm start `number` of a recipe's architecture; trained and kept, if it is not
    there."""
    return remembered(
        file_of(recipe, number), lambda partial: _train(recipe, number, partial, progress)
    )


def _train(
    recipe: Recipe, number: int, partial: Path | None, progress: Progress | None
) -> dict[str, Any]:
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(number)
    plan = recipe.start
    size = recipe.architecture.vision.image_size
    pool = pools.make(plan.pool, Pairing(), seed=FIRST_POOL + number, size=size)
    # the text tower is made and thrown away: only the image tower's weights are asked for
    tower = models.build(recipe.model_config_for(8, 8)).visual.train()
    head = torch.nn.Linear(recipe.architecture.embed_dim, OUTPUTS)
    run = Run(
        {"tower": tower, "head": head},
        [[*tower.parameters(), *head.parameters()]],
        steps=plan.steps,
        rate=plan.rate,
        weight_decay=plan.weight_decay,
        clip_norm=1.0,
    )
    shown, about = Attributes(pool.rows, bias.load()), file_of(recipe, number).name
    n_icons = round(plan.batch * plan.icon_share)

    def loss(step: int) -> Any:
        rng = np.random.default_rng([number, step])
        index = np.concatenate(
            [
                np.sort(rng.integers(0, pool.n_faces, plan.batch - n_icons)),
                np.sort(rng.integers(pool.n_faces, len(pool.rows), n_icons)),
            ]
        )
        answers = shown.read(head, tower(models.to_tensor(pool.pictures[index])))
        return shown.loss(answers, index, plan.batch - n_icons)

    run.learn(loss, partial=partial, identity=about, progress=progress)
    return tower.state_dict()
