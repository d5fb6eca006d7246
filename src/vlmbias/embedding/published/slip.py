"""SLIP (Mu et al. 2021), as open_clip's `CLIP` with a timm image tower; a width whose number of
attention heads differs between SLIP and timm is refused.

Settings that would load silently when wrong: the image tower keeps the class token (`pool = token`;
open_clip's default averages, cosine .70 with the truth); the text tower uses QuickGELU while the
image tower uses GELU; `image_projection` is stored transposed and `text_projection`, square, is
not; pictures are resized bilinearly and normalised with the statistics of ImageNet, not with those
of CLIP.
"""

from pathlib import Path
from typing import Any

import torch

from vlmbias.embedding.published.reading import NAMESPACE, fit, tensors
from vlmbias.embedding.torchvision_shim import give_to_open_clip

PREPROCESSING = {
    "mean": [0.485, 0.456, 0.406],
    "std": [0.229, 0.224, 0.225],
    "interpolation": "bilinear",
    "resize_mode": "shortest",
}
_TOWERS = {
    768: "vit_base_patch16_224",
    1024: "vit_large_patch16_224",
    192: "vit_tiny_patch16_224",
}  # by width
_HEAD_WIDTH = 64  # of the text tower, as in CLIP


def load(path: Path) -> tuple[Any, dict[str, Any]]:
    """The model of a SLIP file, and its configuration in open_clip's words; a ValueError if weights
    are missing, left over or of another shape."""
    from open_clip.model import CLIP, set_model_preprocess_cfg
    from open_clip.transform import PreprocessCfg, merge_preprocess_dict

    published = tensors(path, under="state_dict", allowed=(NAMESPACE,))
    weights = {
        _renamed(name): tensor
        for name, tensor in published.items()
        if not name.startswith("module.image_mlp.")
    }
    try:
        config = _config(weights)
        weights["visual.head.proj.weight"] = weights["visual.head.proj.weight"].T.contiguous()
    except KeyError as missing:
        raise ValueError(
            f"{str(path)!r}: a file is read as a checkpoint of SLIP, and this is none: it has no"
            f" weights {missing}. A model that was trained with open_clip is given as a folder:"
            " save its state_dict as model.safetensors, beside open_clip_config.json; the page on"
            " reruns (book/rerun.md) has the lines for it"
        ) from missing
    give_to_open_clip("timm")
    model = fit(CLIP(**config), weights, source=repr(str(path)))
    preprocessing = merge_preprocess_dict(
        PreprocessCfg(), PREPROCESSING | {"size": config["vision_cfg"]["image_size"]}
    )
    set_model_preprocess_cfg(model, preprocessing)
    return model, config


def _renamed(name: str) -> str:
    name = name.removeprefix("module.")
    if name == "image_projection":
        return "visual.head.proj.weight"
    return name.replace("visual.", "visual.trunk.", 1) if name.startswith("visual.") else name


def _config(weights: dict[str, torch.Tensor]) -> dict[str, Any]:
    """Sizes are those of the arrays; what no array tells is what the authors' code says."""
    width = weights["visual.trunk.pos_embed"].shape[-1]
    if width not in _TOWERS:
        raise ValueError(
            f"its image tower is {width} wide; only {', '.join(map(str, _TOWERS))} have the same"
            " number of attention heads in SLIP and in timm (SLIP's small one has 12 heads,"
            " timm's 6)"
        )
    places, text_width = weights["positional_embedding"].shape
    layers = {name.split(".")[2] for name in weights if name.startswith("transformer.resblocks.")}
    return {
        "embed_dim": weights["text_projection"].shape[1],
        "quick_gelu": True,  # of the text tower; timm's keeps its own GELU
        "vision_cfg": {
            "timm_model_name": _TOWERS[width],
            "timm_model_pretrained": False,
            "timm_pool": "token",
            "timm_proj": "linear",
            "timm_proj_bias": False,
            "image_size": 224,
        },
        "text_cfg": {
            "context_length": places,
            "vocab_size": weights["token_embedding.weight"].shape[0],
            "width": text_width,
            "heads": text_width // _HEAD_WIDTH,
            "layers": len(layers),
        },
    }
