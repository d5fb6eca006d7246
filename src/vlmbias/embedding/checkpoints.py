"""A checkpoint folder, which may be a stranger's: only the keys listed here are taken from its
configuration, none of which names code, a file or an address; the model is made by open_clip's
classes, not by its loader, which searches the folder; and the shapes must fit the file before
memory is taken for them."""

from pathlib import Path
from typing import Any

import torch

from vlmbias.embedding.published.reading import check_fit, check_plain
from vlmbias.embedding.torchvision_shim import give_to_open_clip
from vlmbias.whole_files import read_json, read_regular

CONFIG, WEIGHTS = "open_clip_config.json", "model.safetensors"
_KEYS = {
    "model_cfg": (
        "embed_dim vision_cfg text_cfg quick_gelu custom_text init_logit_scale init_logit_bias "
        "nonscalar_logit_scale"
    ),
    "vision_cfg": (
        "layers width head_width mlp_ratio patch_size image_size ls_init_value patch_dropout"
        " attentional_pool attn_pooler_queries attn_pooler_heads no_ln_pre pos_embed_type"
        " final_ln_after_pool pool_type qk_norm scaled_cosine_attn scale_heads scale_attn_inner"
        " scale_attn scale_fc block_type timm_model_name timm_model_pretrained timm_pool timm_proj"
        " timm_proj_bias timm_drop timm_drop_path"
    ),
    "text_cfg": (
        "context_length vocab_size width heads layers mlp_ratio ls_init_value embed_cls pad_id"
        " eos_id no_causal_mask final_ln_after_pool pool_type proj_bias proj_type qk_norm"
        " scaled_cosine_attn scale_heads scale_attn_inner scale_attn scale_fc block_type"
    ),
    "preprocess_cfg": "size mode mean std interpolation resize_mode fill_color",
}
# what one picture, one text costs grows with their squares
_MOST = {"image_size": 4096, "context_length": 4096}
_WAYS = {
    "interpolation": ("bicubic", "bilinear", "random"),
    "resize_mode": ("shortest", "longest", "squash"),
    "mode": ("RGB",),
}


def load(folder: Path, *, device: str) -> tuple[Any, dict[str, Any]]:
    """The model of a folder with `open_clip_config.json` and `model.safetensors`, and its
    configuration; a ValueError for a key that is not known, a value that is not plain or too large,
    or weights that do not fit."""
    from open_clip.model import set_model_preprocess_cfg
    from open_clip.transform import PreprocessCfg, merge_preprocess_dict
    from safetensors.torch import load as from_bytes

    read = {"preprocess_cfg": {}} | read_json(folder / CONFIG)
    config, preprocessing = _part(read, "model_cfg"), _part(read, "preprocess_cfg")
    for name in ("vision_cfg", "text_cfg"):
        _check(name, _part(config, name))
    _check("model_cfg", config)
    _check("preprocess_cfg", preprocessing)
    _check_preprocessing(preprocessing)
    weights = from_bytes(read_regular(folder / WEIGHTS))
    if all(name.startswith("module.") for name in weights):
        raise ValueError(
            f"each name in {WEIGHTS} begins with 'module.', which training on several cards puts"
            " there; take it off"
        )
    _check_size(config, weights)
    with torch.random.fork_rng():
        model = _build(config).to(device)
    check_fit(model, weights, source=f"{WEIGHTS}, beside the architecture in {CONFIG},")
    model.load_state_dict(weights)
    shown = merge_preprocess_dict(PreprocessCfg(), preprocessing)
    shown = merge_preprocess_dict(shown, {"size": model.visual.image_size})
    set_model_preprocess_cfg(model, shown)
    return model, config


def card(folder: Path) -> dict[str, Any]:
    """What `card.json` says of a model, of which group names stand for which looks among others;
    empty without one, a ValueError if it is no such card."""
    about = read_json(place) if (place := folder / "card.json").is_file() else {}
    pairing = about.get("pairing") or {}
    if not isinstance(pairing, dict) or not all(
        isinstance(looks, dict) and all(isinstance(look, str) for look in looks.values())
        for looks in pairing.values()
    ):
        raise ValueError(
            f"{place.name}: pairing = {pairing!r:.80} does not say of each grouping which name has"
            " which look"
        )
    return about


def _part(whole: dict[str, Any], name: str) -> dict[str, Any]:
    if not isinstance(part := whole.get(name), dict):
        raise ValueError(
            f"{CONFIG} has no entries under {name}; they say how the model is built: of an"
            " architecture of your own, they are the JSON that it was trained by"
        )
    return part


def _check(name: str, part: dict[str, Any]) -> None:
    """Raise unless a part of the configuration holds known keys with plain values only."""
    allowed = _KEYS[name].split()
    if unknown := [key for key in part if key not in allowed]:
        raise ValueError(
            f"{name} has the key {unknown[0]!r}, which is not taken from a folder; "
            f"known: {', '.join(allowed)}"
        )
    check_plain(name, {key: own for key, own in part.items() if key not in _KEYS}, _MOST)
    architecture = part.get("timm_model_name")
    if architecture is not None:
        import timm

        # a scheme such as "hf-hub:" or "local-dir:" would make timm fetch or search
        if not (
            isinstance(architecture, str)
            and set("/:").isdisjoint(architecture)
            and timm.is_model(architecture)
        ):
            raise ValueError(
                f"{name}: timm_model_name = {architecture!r} is not an architecture of timm"
            )


def _check_preprocessing(part: dict[str, Any]) -> None:
    """Raise unless open_clip has these ways to make a picture smaller, and colours are numbers."""
    for key, known in _WAYS.items():
        if part.get(key) and part[key] not in known:
            raise ValueError(
                f"preprocess_cfg: {key} = {part[key]!r} is not one of {', '.join(known)}"
            )
    for key in ("mean", "std"):
        own = part.get(key) or 0.0
        if not all(
            isinstance(one, int | float)
            for one in (own if isinstance(own, list) and len(own) == 3 else [own])
        ):
            raise ValueError(
                f"preprocess_cfg: {key} = {own!r} is neither a number nor three of them"
            )


_SMALL = {
    "layers": 12,
    "width": 256,
    "image_size": 256,
    "context_length": 256,
    "vocab_size": 50_000,
    "mlp_ratio": 8,
}


def _is_small(config: dict[str, Any]) -> bool:
    """Whether a model of this configuration takes a few hundred megabytes at most: then it needs no
    outline."""
    vision, text = config["vision_cfg"], config["text_cfg"]
    sizes = [(part.get(key, 0), most) for part in (vision, text) for key, most in _SMALL.items()]
    return (
        all(isinstance(size, int | float) and size <= most for size, most in sizes)
        and config["embed_dim"] <= 256
        and {"layers", "width", "patch_size"} <= vision.keys()
    )


def _check_size(config: dict[str, Any], weights: dict[str, torch.Tensor]) -> None:
    """Raise unless names and shapes of the weights are those of the architecture, which takes no
    memory here."""
    for part in ("vision_cfg", "text_cfg"):
        layers = config[part].get("layers", 1)
        if sum(layers if isinstance(layers, list) else [layers]) > len(weights):
            raise ValueError(
                f"{part}: layers = {layers!r} are more than the {len(weights)} arrays of {WEIGHTS}"
            )
    if _is_small(config):
        # made at once and compared then; the outline would import torch's compiler
        return
    with torch.device("meta"):
        check_fit(_build(config), weights, source=WEIGHTS)


def _build(config: dict[str, Any]) -> Any:
    """open_clip's model with random weights, by its class."""
    from open_clip.model import CLIP, CustomTextCLIP

    plain = {key: value for key, value in config.items() if key != "custom_text"}
    plain["vision_cfg"] = {**plain["vision_cfg"], "timm_model_pretrained": False}
    if isinstance(size := plain["vision_cfg"].get("image_size"), list):
        plain["vision_cfg"]["image_size"] = tuple(size)
    if "timm_model_name" in plain["vision_cfg"]:
        give_to_open_clip("timm")
    return (CustomTextCLIP if config.get("custom_text") else CLIP)(**plain)


def untrained(model: Any) -> bool:
    """Whether a network is as it was drawn: every layer normalisation still multiplies by one and
    adds zero."""
    norms = [
        one
        for one in model.modules()
        if isinstance(one, torch.nn.LayerNorm) and one.weight is not None
    ]
    return bool(norms) and all(
        bool((one.weight == 1).all()) and not one.bias.any() for one in norms
    )
