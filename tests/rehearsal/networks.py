"""Random weights under real names: of the true architectures by hand, of tiny ones in the tests."""

from typing import Any

TEXT = {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 1}
SQUARE = {"image_size": 32, "layers": 1, "width": 32, "patch_size": 16, "head_width": 16}
RESIDUAL = {"image_size": 64, "layers": [1, 1, 1, 1], "width": 8, "patch_size": None}
TINY = {
    name: {"embed_dim": 32, "quick_gelu": True, "vision_cfg": vision, "text_cfg": TEXT}
    for name, vision in (("ViT-B-32-quickgelu", SQUARE), ("RN50-quickgelu", RESIDUAL))
}
REPOSITORIES = {
    "ViT-B-32-quickgelu": ("openai", "timm/vit_base_patch32_clip_224.openai"),
    "RN50-quickgelu": ("cc12m", "timm/resnet50_clip.cc12m"),
}
FILE = "open_clip_model.safetensors"


def content(config: dict[str, Any], seed: int = 0) -> bytes:
    """The weights of a network, drawn at random, as the hub's file of them."""
    import torch
    from safetensors.torch import save

    from vlmbias.embedding.torchvision_shim import import_open_clip

    open_clip = import_open_clip()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = open_clip.CLIP(**config)
    return save({name: tensor.contiguous() for name, tensor in model.state_dict().items()})


def on_the_hub(configs: dict[str, dict[str, Any]]) -> dict[str, bytes]:
    """The files of the hub, by "repository/file"."""
    return {f"{REPOSITORIES[name][1]}/{FILE}": content(config) for name, config in configs.items()}
