"""The model: open_clip's own CLIP class, small; its checkpoint is an ordinary open_clip folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from greenhouse.train import saving
from greenhouse.train.recipe import Recipe
from greenhouse.world.grammar import Vocabulary
from vlmbias.whole_files import write

if TYPE_CHECKING:
    import torch

SHORT = 8  # tokens: most captions are no longer
MEAN, SPREAD = 0.5, 0.25  # of a pixel: pictures are (pixel / 255 - MEAN) / SPREAD


def build(config: dict) -> Any:
    """open_clip's `CLIP` for a `model_cfg`, with fresh weights from torch's global generator."""
    from vlmbias.embedding.torchvision_shim import give_to_open_clip, import_open_clip

    import_open_clip()
    if "timm_model_name" in config["vision_cfg"]:
        give_to_open_clip("timm")
    from open_clip.model import CLIP

    return CLIP(**config)


def image_size(model: Any) -> int:
    """Edge of the square picture that a model sees, in pixels."""
    size = model.visual.image_size
    return int(size if isinstance(size, int) else size[0])


def to_tensor(pictures: np.ndarray) -> torch.Tensor:
    """uint8 `(n, s, s, 3)` to normalised float32 `(n, 3, s, s)`."""
    import torch

    tensor = torch.from_numpy(np.ascontiguousarray(pictures)).permute(0, 3, 1, 2).float()
    return tensor.div_(255 * SPREAD).sub_(MEAN / SPREAD)


def embed_pictures(
    model: Any, pictures: np.ndarray, *, batch: int = 512, train: bool = False
) -> np.ndarray:
    """Unit vectors `(n, d)` of uint8 pictures, float32; in evaluation mode, or as a network left in
    `train` mode."""
    import torch

    model.train(train)
    with torch.inference_mode():
        parts = [
            model.encode_image(to_tensor(pictures[k : k + batch]), normalize=True).numpy()
            for k in range(0, len(pictures), batch)
        ]
    return np.concatenate(parts)


def embed_tokens(model: Any, tokens: np.ndarray, *, batch: int = 512) -> np.ndarray:
    """Unit vectors `(n, d)` of token rows, float32."""
    import torch

    model.eval()
    with torch.inference_mode():
        parts = [
            model.encode_text(torch.from_numpy(tokens[k : k + batch]), normalize=True).numpy()
            for k in range(0, len(tokens), batch)
        ]
    return np.concatenate(parts)


def encode_short(model: Any, tokens: torch.Tensor) -> torch.Tensor:
    """`model.encode_text(tokens, normalize=True)`, quicker: short captions without their padding.
    Attention is causal, so what follows the end token, from which the vector is taken, changes
    nothing."""
    import torch

    length = tokens.argmax(dim=1) + 1
    order, parts = length.argsort(), []
    cut = int((length <= SHORT).sum())
    for rows, longest in ((order[:cut], SHORT), (order[cut:], tokens.shape[1])):
        if len(rows):
            x = model.token_embedding(tokens[rows, :longest]) + model.positional_embedding[:longest]
            x = model.ln_final(model.transformer(x, attn_mask=model.attn_mask[:longest, :longest]))
            x = x[torch.arange(len(rows)), length[rows] - 1] @ model.text_projection
            parts.append(torch.nn.functional.normalize(x, dim=1))
    return torch.cat(parts)[order.argsort()]


def save(
    model: Any, folder: Path, *, recipe: Recipe, vocabulary: Vocabulary, card: dict
) -> dict[str, Any]:
    """Write open_clip_config.json, model.safetensors (fp16), words.txt and card.json; the card,
    with what it says of the weights."""
    weights = saving.half(model.state_dict())
    pixels = {"mean": [MEAN] * 3, "std": [SPREAD] * 3}
    config = {
        "model_cfg": recipe.model_config_for(len(vocabulary.words), vocabulary.context_length),
        "preprocess_cfg": {**pixels, "interpolation": "bicubic", "resize_mode": "squash"},
    }
    card = {**card, **saving.of_weights(model, weights)}
    saving.write_card(folder / "open_clip_config.json", config)
    write(folder / "model.safetensors", weights)
    write(folder / "words.txt", "\n".join(vocabulary.words) + "\n")
    saving.write_card(folder / saving.CARD, card)
    return card


def load(folder: Path) -> tuple[Any, Vocabulary]:
    """The model of a checkpoint folder, in eval mode and float32, and its vocabulary."""
    from safetensors.torch import load_file

    config = json.loads((folder / "open_clip_config.json").read_text(encoding="utf-8"))["model_cfg"]
    model = build(config)
    stored = load_file(folder / "model.safetensors")
    model.load_state_dict(stored)  # into the model's own float32
    words = (folder / "words.txt").read_text(encoding="utf-8").splitlines()
    return model.eval(), Vocabulary(tuple(words), config["text_cfg"]["context_length"])
