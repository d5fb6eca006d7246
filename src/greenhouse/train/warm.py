"""The warm start's task: name the hue, the crest and the motif, and regress attributes and looks.

Comes in: rows of the pool, and the image tower's vectors. Goes out: one loss.
May not: see a caption, a word or b.

Plain contrastive training learns hue, crest and objects and not smiling or age: few captions tell smiles apart.
An image tower that already sees them keeps them. The head that reads its vectors is thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from greenhouse.world import grid

if TYPE_CHECKING:
    import pandas as pd

    from greenhouse.world.bias import BiasTable

MOTIFS = 3  # drawings per category: exemplar k shows motif k mod 3
# Smiling is the smallest in pixels, and needs the most attention; hue and crest come by themselves.
WEIGHTS = {"age": 1.0, "smiling": 5.0, "lighting": 0.5, "pose": 0.5}
NAME_WEIGHT, MOTIF_WEIGHT = 0.3, 1.0
LOOK_WEIGHT = 0.3
LOOKS = ("pale_garment", "warm_garment", "pale_hair", "warm_hair")
OUTPUTS = len(WEIGHTS) + len(LOOKS) + len(grid.HUES) + len(grid.CRESTS) + MOTIFS * len(grid.CATEGORIES)


class Attributes:
    """What is shown in each row: standardised attributes and looks `(n, 8)`, and indices of hue, crest and motif."""

    def __init__(self, rows: pd.DataFrame, bias: BiasTable):
        levels = [(rows[axis].to_numpy(float) - sum(grid.RANGES[axis]) / 2) / np.ptp(grid.RANGES[axis])
                  for axis in WEIGHTS]
        levels = [np.sqrt(12) * level for level in levels] + [1.7 * bias.feature(look, rows) for look in LOOKS]
        self.attributes = np.stack(levels, axis=1).astype(np.float32)
        self.hue = _position(rows["race"], grid.HUES)
        self.crest = _position(rows["gender"], grid.CRESTS)
        exemplar = rows["exemplar"].fillna(0).to_numpy(int)
        self.motif = _position(rows["category"], grid.CATEGORIES) * MOTIFS + exemplar % MOTIFS

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
        cuts = np.cumsum([len(weights), len(grid.HUES), len(grid.CRESTS)])
        faces, icons = answers[:n_faces], answers[n_faces:]
        error = (faces[:, :cuts[0]] - torch.from_numpy(self.attributes[people])).square()
        total = (error * torch.tensor(weights)).mean()
        total = total + NAME_WEIGHT * cross_entropy(faces[:, cuts[0]:cuts[1]], torch.from_numpy(self.hue[people]))
        total = total + NAME_WEIGHT * cross_entropy(faces[:, cuts[1]:cuts[2]], torch.from_numpy(self.crest[people]))
        return total + MOTIF_WEIGHT * cross_entropy(icons[:, cuts[2]:], torch.from_numpy(self.motif[things]))


def _position(values: Any, levels: tuple[str, ...]) -> np.ndarray:
    return values.map({level: k for k, level in enumerate(levels)}).fillna(-1).to_numpy(np.int64)
