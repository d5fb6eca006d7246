"""The warm start's task: name hue, crest, both at once and the motif; regress attributes and looks.

Comes in: rows of the pool, and the image tower's vectors. Goes out: one loss.
May not: see a caption, a word or b.

Plain contrastive training learns hue, crest and objects and not smiling or age: few captions tell smiles apart.
An image tower that already sees them keeps them. The head that reads its vectors is thrown away.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from greenhouse.world import grid, icons

if TYPE_CHECKING:
    import pandas as pd

    from greenhouse.world.bias import BiasTable

MOTIFS = icons.MOTIFS_PER_CATEGORY
# Smiling is the smallest in pixels, and needs the most attention; hue and crest come by themselves.
WEIGHTS = {"age": 1.0, "smiling": 14.0, "lighting": 0.5, "pose": 0.5}
NAME_WEIGHT, MOTIF_WEIGHT = 0.3, 1.0
LOOK_WEIGHT = 1.0
# Hue x crest, named jointly, and age and smiling within each group alone: what differs between groups in how it works
# can only be learned from features that tell groups' attributes apart. All groups are treated alike.
GROUPS = tuple(product(grid.HUES, grid.CRESTS))
GATED, GATED_WEIGHT = ("smiling", "age", "prime"), 2.0
LOOKS = ("pale_garment", "warm_garment", "pale_hair", "warm_hair")
PARTS = (len(WEIGHTS) + len(LOOKS), len(GROUPS) * len(GATED), len(grid.HUES), len(grid.CRESTS), len(GROUPS),
         MOTIFS * len(grid.CATEGORIES))
OUTPUTS = sum(PARTS)
# Attributes and looks are read from unit vectors through unit weights times a fixed scale: so they must take up room
# in the vectors, and not only be there. What is tiny in a vector, no caption learns to point at.
LEVEL_SCALE, NAME_SCALE = 5.0, 10.0


class Attributes:
    """What is shown in each row: standardised attributes and looks `(n, 8)`, and indices of hue, crest and motif."""

    def __init__(self, rows: pd.DataFrame, bias: BiasTable):
        levels = [(rows[axis].to_numpy(float) - sum(grid.RANGES[axis]) / 2) / np.ptp(grid.RANGES[axis])
                  for axis in WEIGHTS]
        levels = [np.sqrt(12) * level for level in levels] + [1.7 * bias.feature(look, rows) for look in LOOKS]
        self.attributes = np.stack(levels, axis=1).astype(np.float32)
        features = np.stack([1.7 * bias.feature(name, rows) for name in GATED], axis=1)
        self.group = _position(rows["race"] + " " + rows["gender"], tuple(" ".join(group) for group in GROUPS))
        inside = self.group[:, None] == np.arange(len(GROUPS))
        self.gated = (inside[:, :, None] * features[:, None]).reshape(len(rows), -1).astype(np.float32)
        self.hue = _position(rows["race"], grid.HUES)
        self.crest = _position(rows["gender"], grid.CRESTS)
        exemplar = rows["exemplar"].fillna(0).to_numpy(int)
        self.motif = _position(rows["category"], grid.CATEGORIES) * MOTIFS + exemplar % MOTIFS

    def read(self, head: Any, vectors: Any) -> Any:
        """The answers `(n, OUTPUTS)` that a linear `head` reads from vectors `(n, d)`."""
        import torch
        from torch.nn.functional import linear, normalize

        scale = torch.full((OUTPUTS, 1), NAME_SCALE)
        scale[:PARTS[0] + PARTS[1]] = LEVEL_SCALE
        return linear(normalize(vectors, dim=1), scale * normalize(head.weight, dim=1), head.bias)

    def loss(self, answers: Any, index: np.ndarray, n_faces: int) -> Any:
        """The loss of a batch: its first `n_faces` rows are faces, the rest icons.

        Parameters
        ----------
        answers : tensor (n, OUTPUTS), the head's reading of the image tower's vectors.
        index : (n,) rows of the pool.
        """
        import torch
        from torch.nn.functional import cross_entropy

        people, things = index[:n_faces], index[n_faces:]
        weights = [*WEIGHTS.values(), *[LOOK_WEIGHT] * len(LOOKS)]
        levels, gated, *names, motif = answers.split(PARTS, dim=1)
        error = (levels[:n_faces] - torch.from_numpy(self.attributes[people])).square()
        total = (error * torch.tensor(weights)).mean()
        error = (gated[:n_faces] - torch.from_numpy(self.gated[people])).square()
        total = total + GATED_WEIGHT * len(GROUPS) * error.mean()
        for answer, shown in zip(names, (self.hue, self.crest, self.group), strict=True):
            total = total + NAME_WEIGHT * cross_entropy(answer[:n_faces], torch.from_numpy(shown[people]))
        return total + MOTIF_WEIGHT * cross_entropy(motif[n_faces:], torch.from_numpy(self.motif[things]))


def _position(values: Any, levels: tuple[str, ...]) -> np.ndarray:
    return values.map({level: k for k, level in enumerate(levels)}).fillna(-1).to_numpy(np.int64)
