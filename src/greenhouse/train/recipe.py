"""The recipe: every number that a training run depends on, besides b and the seed.

Comes in: nothing. Goes out: a frozen record and its hash. May not: train.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass

from greenhouse.world.bias import DATA


@dataclass(frozen=True)
class Recipe:
    """One way to train a Greenhouse model.

    Attributes
    ----------
    width, image_layers, text_layers, mlp_ratio, embed_dim, patch_size : size of the two towers.
    faces, icons : pictures in the training pool, each of an identity of its own.
    icon_share : share of icons in a batch.
    warm_steps, warm_batch, warm_rate : regression of the attributes by the image tower, before it meets a caption.
    steps, batch : contrastive training.
    locked_steps, joint_steps, image_rate : the image tower stands still for the first `locked_steps` of them, then
        learns for `joint_steps` at `image_rate` of the rate (at the full rate it forgets the warm start before the
        text tower has found it), then stands still again.
    locked_batch : while it stands still, its vectors need no computing, and batches can be larger.
    logit_scale : at the start.
    learning_rate, weight_decay, clip_norm : AdamW; linear warm-up over `ramp` steps, cosine decay to a tenth.
    """

    width: int = 64
    image_layers: int = 3
    text_layers: int = 2
    mlp_ratio: float = 2.0
    embed_dim: int = 64
    patch_size: int = 16
    image_size: int = 64
    faces: int = 16_000
    icons: int = 5_000
    icon_share: float = 0.25
    warm_steps: int = 340
    warm_batch: int = 160
    warm_rate: float = 2e-3
    steps: int = 620
    batch: int = 256
    locked_steps: int = 150
    locked_batch: int = 1024
    joint_steps: int = 120
    image_rate: float = 0.1
    learning_rate: float = 3e-3
    logit_scale: float = 20.0
    weight_decay: float = 0.1
    clip_norm: float = 1.0
    ramp: int = 20

    def locked(self, step: int) -> bool:
        """Whether the image tower stands still in a step of the contrastive training."""
        return not 0 <= step - self.locked_steps < self.joint_steps

    @property
    def total(self) -> int:
        """Steps of both phases."""
        return self.warm_steps + self.steps

    def model_config(self, vocabulary_size: int, context_length: int) -> dict:
        """The `model_cfg` of open_clip's configuration file."""
        heads = max(1, self.width // 32)
        return {
            "embed_dim": self.embed_dim,
            "vision_cfg": {"image_size": self.image_size, "patch_size": self.patch_size, "width": self.width,
                           "layers": self.image_layers, "head_width": 32, "mlp_ratio": self.mlp_ratio},
            "init_logit_scale": math.log(self.logit_scale),
            "text_cfg": {"context_length": context_length, "vocab_size": vocabulary_size, "width": self.width,
                         "heads": heads, "layers": self.text_layers, "mlp_ratio": self.mlp_ratio},
        }

    def hash(self) -> str:
        """Of these numbers and of the world's data files: 12 hexadecimal digits. The code is named by its commit."""
        digest = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode())
        for name in ("bias.yaml", "grammar.yaml", "states.csv", "nuisance.yaml"):
            digest.update(name.encode() + (DATA / name).read_bytes())
        return digest.hexdigest()[:12]
