"""VQGAN (Esser et al. 2021), as diffusers' `VQModel`, from a checkpoint of taming-transformers with
its yaml or a folder in diffusers' layout; a model that quantises otherwise is refused."""

import re
from pathlib import Path
from typing import Any

import torch
import yaml

from vlmbias import paths
from vlmbias.embedding.encoders import device_named
from vlmbias.embedding.published.reading import (
    check_complete,
    check_plain,
    fit,
    safe_tensors,
    shell,
    tensors,
)
from vlmbias.embedding.torchvision_shim import make_torchvision_importable
from vlmbias.sources import published_weights as weights
from vlmbias.whole_files import checksum, plain_yaml, read_json, read_regular

NAMES = weights.of_family("vqgan")
_GREENHOUSE = {"greenhouse/decoder": "decoder"}
CONFIG, WEIGHTS = "config.json", "diffusion_pytorch_model.safetensors"
# what Lightning writes beside the weights; an empty shell stands for it
_LIGHTNING = tuple(
    shell(f"{package}.callbacks.model_checkpoint.ModelCheckpoint")
    for package in ("pytorch_lightning", "lightning.pytorch")
)
_MOST = {
    "sample_size": 4096,
    "block_out_channels": 8192,
    "latent_channels": 8192,
    "vq_embed_dim": 8192,
}
_AT_LEVEL = {
    "block": "resnets",
    "attn": "attentions",
    "downsample": "downsamplers.0",
    "upsample": "upsamplers.0",
}
_ATTENTION = {"norm": "group_norm", "q": "to_q", "k": "to_k", "v": "to_v", "proj_out": "to_out.0"}
_KEYS = {
    "in_channels",
    "out_channels",
    "down_block_types",
    "up_block_types",
    "block_out_channels",
    "layers_per_block",
    "act_fn",
    "latent_channels",
    "sample_size",
    "num_vq_embeddings",
    "norm_num_groups",
    "vq_embed_dim",
    "scaling_factor",
    "norm_type",
    "mid_block_add_attention",
    "lookup_from_codebook",
    "force_upcast",
}


def load(name: str, *, device: str = "auto") -> Any:
    """The `VQModel` of a name, in eval mode.

    Parameters
    ----------
    name : ``"vqgan/wikiart-f16-16384"``, whose two files lie in `weights` below `VLMBIAS_DATA`; the
        path of a `.ckpt` with a `.yaml` of the same name beside it; ``"greenhouse/decoder"``, or a
        folder in diffusers' layout.
    device : ``"auto"`` (CUDA where there is one), ``"cpu"`` …

    Raises
    ------
    FileNotFoundError, ValueError
        For files that are not there, a configuration of another model, or weights that do not fit
        it.
    """
    place = _place(name)
    sizes, weights = _from_folder(place) if place.is_dir() else _from_taming(place)
    _check_sizes(place, sizes, len(weights))
    with torch.random.fork_rng():
        model = vq_model()(**sizes)
    return fit(model, weights, source=repr(str(place))).to(device_named(device))


def present(name: str) -> str:
    """The SHA-256 of the file with a model's weights, which are not loaded; errors as of `load`."""
    place = _place(name)
    if not place.is_dir():
        _description(place)
        return checksum(place)
    check_complete(place, CONFIG, WEIGHTS)
    return checksum(place / WEIGHTS)


def vq_model() -> Any:
    """diffusers' class, imported beside any build of torchvision."""
    make_torchvision_importable()
    from diffusers.models.autoencoders.vq_model import VQModel

    return VQModel


def encode(model: Any, pictures: torch.Tensor) -> torch.Tensor:
    """Quantised codes `(n, channels, height / f, width / f)` of pictures from −1 to 1, as taming's
    `encode` gives them; diffusers' own `encode` stops before the codebook."""
    return model.quantize(model.encode(pictures).latents)[0]


def decode(model: Any, codes: torch.Tensor) -> torch.Tensor:
    """Pictures from −1 to 1; codes are first set to the nearest entries of the codebook, gradients
    pass straight through."""
    return model.decode(codes).sample


def factor(model: Any) -> int:
    """How many pixels one code stands for, along an edge."""
    return 2 ** (len(model.config.block_out_channels) - 1)


def config_of(about: dict[str, Any]) -> dict[str, Any]:
    """diffusers' configuration of a model that taming's yaml describes; a ValueError if diffusers'
    `VQModel` cannot be it."""
    described = about["model"]
    if described["target"].endswith("Net2NetTransformer"):
        described = described["params"]["first_stage_config"]
    target, parameters = described["target"], described["params"]
    if not target.endswith("vqgan.VQModel"):
        raise ValueError(
            f"its yaml says {target}; only taming.models.vqgan.VQModel can be converted (GumbelVQ "
            "quantises in another way)"
        )
    layers = parameters["ddconfig"]
    channels = [layers["ch"] * times for times in layers["ch_mult"]]
    attends = [
        layers["resolution"] // 2**level in layers["attn_resolutions"]
        for level in range(len(channels))
    ]
    if layers.get("double_z", False) or layers.get("dropout", 0.0) or any(attends[:-1]):
        raise ValueError(
            "double_z, dropout or attention above the lowest resolution: diffusers' VQModel has"
            " none of these"
        )
    last = "Attn" if attends[-1] else ""
    return {
        "in_channels": layers["in_channels"],
        "out_channels": layers["out_ch"],
        "block_out_channels": tuple(channels),
        "down_block_types": (
            ("DownEncoderBlock2D",) * (len(channels) - 1) + (f"{last}DownEncoderBlock2D",)
        ),
        "up_block_types": (
            (f"{last}UpDecoderBlock2D",) + ("UpDecoderBlock2D",) * (len(channels) - 1)
        ),
        "layers_per_block": layers["num_res_blocks"],
        "latent_channels": layers["z_channels"],
        "num_vq_embeddings": parameters["n_embed"],
        "vq_embed_dim": parameters["embed_dim"],
        "sample_size": layers["resolution"],
        "norm_num_groups": 32,
        "mid_block_add_attention": True,
    }


def renamed(name: str, levels: int) -> str:
    """diffusers' name of a weight that taming calls `name`, in a model of so many resolutions."""

    def at_level(at: re.Match) -> str:
        place = int(at[2]) if at[1] == "down" else levels - 1 - int(at[2])
        return f".{at[1]}_blocks.{place}.{_AT_LEVEL[at[3]]}."

    kinds = "|".join(_AT_LEVEL)
    name = re.sub(rf"\.(down|up)\.(\d+)\.({kinds})\.", at_level, name)
    name = name.replace(".mid.attn_1.", ".mid_block.attentions.0.")
    name = re.sub(r"\.mid\.block_(\d)\.", lambda at: f".mid_block.resnets.{int(at[1]) - 1}.", name)
    name = name.replace(".nin_shortcut.", ".conv_shortcut.").replace(
        ".norm_out.", ".conv_norm_out."
    )
    return re.sub(
        r"(attentions\.\d+)\.(norm|q|k|v|proj_out)\.",
        lambda at: f"{at[1]}.{_ATTENTION[at[2]]}.",
        name,
    )


def _place(name: str) -> Path:
    if name in _GREENHOUSE:
        return paths.data() / "greenhouse" / _GREENHOUSE[name]
    if name in NAMES:
        return weights.place(name)
    for place in paths.meant_by(name):
        if place.is_dir() or (place.is_file() and place.suffix == ".ckpt"):
            return place
    raise ValueError(
        f"no generator {name!r}; there are {', '.join([*NAMES, *_GREENHOUSE])}, and paths of .ckpt"
        " files"
    )


def _check_sizes(place: Path, sizes: dict[str, Any], arrays: int) -> None:
    """Raise unless a model of these sizes can be the one of so many arrays: before memory is taken
    for it."""
    check_plain(repr(str(place)), sizes, _MOST)
    levels, layers = len(sizes.get("block_out_channels", ())), sizes.get("layers_per_block", 1)
    if levels * layers > arrays:
        raise ValueError(
            f"{str(place)!r}: layers_per_block = {layers!r} at {levels} resolutions are more than"
            f" the {arrays} arrays of its weights"
        )


def _description(place: Path) -> Path:
    beside = place.with_suffix(".yaml")
    if not beside.is_file():
        raise FileNotFoundError(
            f"there is no {str(beside)!r}: the yaml beside a checkpoint says how the model is built"
        )
    return beside


def _from_taming(place: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    beside = _description(place)
    try:
        sizes = config_of(plain_yaml(read_regular(beside)))
    except (KeyError, TypeError, RecursionError, yaml.YAMLError) as problem:
        raise ValueError(
            f"{str(beside)!r} is no configuration of taming-transformers: {problem!r}"
        ) from problem
    weights = {
        name.removeprefix("first_stage_model."): tensor
        for name, tensor in tensors(place, under="state_dict", allowed=_LIGHTNING).items()
        if not name.startswith(("transformer.", "cond_stage_model."))
    }
    levels = len(sizes["block_out_channels"])
    found = {
        renamed(name, levels): tensor
        for name, tensor in weights.items()
        if not name.startswith("loss.")
    }
    return sizes, {
        name: tensor[..., 0, 0] if ".to_" in name and tensor.dim() == 4 else tensor
        for name, tensor in found.items()
    }


def _from_folder(folder: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    check_complete(folder, CONFIG, WEIGHTS)
    config = read_json(folder / CONFIG)
    plain = {key: value for key, value in config.items() if not key.startswith("_")}
    if unknown := plain.keys() - _KEYS:
        raise ValueError(
            f"{str(folder / CONFIG)!r} has the key {min(unknown)!r}, which is not taken from a"
            " folder"
        )
    return plain, safe_tensors(folder / WEIGHTS)
