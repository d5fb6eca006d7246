"""BLIP (Li et al. 2022), as transformers' three models: retrieval, answers to questions, captions;
from a `.pth` file of the authors or a folder in transformers' layout, with `vocab.txt` beside.

Settings that would load silently when wrong: the text towers have one head per 64 numbers
(transformers' default for BLIP is 8); the layer norms of the image tower use 1e-6 (the hub's
configurations say 1e-5); pictures are squashed to a square, bicubic, with CLIP's statistics;
questions begin with [ENC], answers and captions with [DEC]; captions are sampled among the 50
likeliest words and with a penalty of 1.1 on repetitions, besides top-p.
"""

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import torch

from vlmbias.embedding.published.reading import check_complete, fit, safe_tensors, tensors
from vlmbias.embedding.torchvision_shim import make_torchvision_importable
from vlmbias.whole_files import read_json, read_regular

CLASSES = {
    "retrieval": "BlipForImageTextRetrieval",
    "answers": "BlipForQuestionAnswering",
    "captions": "BlipForConditionalGeneration",
}
PREPROCESSING = {
    "mean": [0.48145466, 0.4578275, 0.40821073],
    "std": [0.26862954, 0.26130258, 0.27577711],
    "interpolation": "bicubic",
    "resize_mode": "squash",
}
LONGEST = 35  # tokens of a text or question
CONFIG, WEIGHTS, WORDS = "config.json", "model.safetensors", "vocab.txt"
_ROWS_OF_BERT = 30_524  # the 30,522 words of bert-base-uncased, [DEC] and [ENC]
_WORDS_OF_BERT = (  # SHA-256 of its vocab.txt
    "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
)
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")  # how any shorter list begins
_HEAD_WIDTH, _VISION_EPSILON, _TEXT_EPSILON = 64, 1e-6, 1e-12
_TRAINING_ONLY = (
    "visual_encoder_m.",
    "text_encoder_m.",
    "vision_proj_m.",
    "text_proj_m.",
    "image_queue",
    "text_queue",
    "idx_queue",
    "ptr_queue",
    "temp",
)
_VISION = [
    ("visual_encoder.cls_token", "vision_model.embeddings.class_embedding"),
    ("visual_encoder.pos_embed", "vision_model.embeddings.position_embedding"),
    ("visual_encoder.patch_embed.proj.", "vision_model.embeddings.patch_embedding."),
    ("visual_encoder.blocks.", "vision_model.encoder.layers."),
    ("visual_encoder.norm.", "vision_model.post_layernorm."),
    (".attn.qkv.", ".self_attn.qkv."),
    (".attn.proj.", ".self_attn.projection."),
    (".norm1.", ".layer_norm1."),
    (".norm2.", ".layer_norm2."),
]


def load(path: Path, kind: str) -> tuple[Any, Any]:
    """The model of a kind that `CLASSES` names, and transformers' BERT tokenizer.

    `model.temperature` is the one that retrieval was trained with, or NaN; the tokenizer's
    `bos_token_id` is that of [DEC], its `enc_token_id` that of [ENC].
    """
    vocabulary = words_of(path)
    if path.is_dir():
        weights, heads = _from_folder(path)
    else:
        published = tensors(path, under="model")
        weights, heads = {_renamed(name): tensor for name, tensor in published.items()}, {}
    make_torchvision_importable()
    import transformers

    temperature = weights.pop("temp", None)
    weights = {
        name: tensor
        for name, tensor in weights.items()
        if not name.startswith(_TRAINING_ONLY) and not name.endswith("position_ids")
    }
    try:
        sizes = _sizes(weights, heads)
    except KeyError as missing:
        raise ValueError(
            f"{str(path)!r} is no BLIP checkpoint: it has no weights {missing}"
        ) from missing
    _tie(weights, path)
    tokenizer = words(vocabulary, sizes["text_config"]["vocab_size"])
    for part in ("bos_token_id", "sep_token_id", "pad_token_id"):
        sizes["text_config"][part] = getattr(tokenizer, part)
    sizes["text_config"]["eos_token_id"] = tokenizer.sep_token_id
    with torch.random.fork_rng():
        model = getattr(transformers, CLASSES[kind])(transformers.BlipConfig(**sizes))
    model = fit(model, weights, source=repr(str(path)))
    model.temperature = float("nan") if temperature is None else float(temperature)
    return model, tokenizer


def words_of(path: Path) -> Path:
    """The list of words that belongs to a file of weights, or to a folder."""
    folder = path if path.is_dir() else path.parent
    if not (file := folder / WORDS).is_file():
        raise FileNotFoundError(
            f"there is no {WORDS} in {str(folder)!r}: BLIP's texts are cut into the words of "
            "bert-base-uncased; put that model's vocab.txt beside the weights"
        )
    return file


def words(file: Path, rows: int) -> Any:
    """The tokenizer of a `vocab.txt`: BERT's words, a line each, then [DEC] and [ENC], as BLIP adds
    them; `rows` is how many words the model embeds, these two among them."""
    content = read_regular(file).replace(b"\r\n", b"\n")
    listed = content.decode("utf-8", errors="replace").splitlines()
    _check_words(file, listed, rows, hashlib.sha256(content).hexdigest())
    make_torchvision_importable()
    from transformers import BertTokenizer

    tokenizer = BertTokenizer(
        vocab={word: number for number, word in enumerate(listed)}, do_lower_case=True
    )
    tokenizer.add_special_tokens({"bos_token": "[DEC]", "additional_special_tokens": ["[ENC]"]})
    tokenizer.enc_token_id = tokenizer.convert_tokens_to_ids("[ENC]")
    tokenizer.words = listed
    return tokenizer


def _check_words(file: Path, listed: list[str], rows: int, found: str) -> None:
    """Raise unless the list can be the one that the model was trained with."""
    mend = "put the vocab.txt of bert-base-uncased, with which BLIP was trained, in its place"
    if len(listed) + 2 != rows:
        raise ValueError(
            f"{str(file)!r} lists {len(listed):,} words, and the model embeds {rows - 2:,} and its"
            f" own two ([DEC], [ENC]): {mend}"
        )
    if rows == _ROWS_OF_BERT:
        if found != _WORDS_OF_BERT:
            raise ValueError(
                f"{str(file)!r} is not the list of bert-base-uncased: its SHA-256 should be "
                f"{_WORDS_OF_BERT}, and is {found}: {mend}"
            )
        return
    for place, word in enumerate(_SPECIAL):
        if listed[place] != word:
            raise ValueError(
                f"{str(file)!r} has {listed[place][:40]!r} in line {place + 1}, where {word} "
                f"belongs: {mend}"
            )
    if len(set(listed)) < len(listed):
        twice = Counter(listed).most_common(1)[0][0]
        raise ValueError(f"{str(file)!r} lists {twice[:40]!r} twice: {mend}")


def image_size(model: Any) -> int:
    """Edge of the square picture that a model sees, in pixels."""
    return int(model.config.vision_config.image_size)


def _renamed(name: str) -> str:
    if name.startswith("visual_encoder."):
        for theirs, ours in _VISION:
            name = name.replace(theirs, ours, 1)
    return name


def _tie(weights: dict[str, torch.Tensor], path: Path) -> None:
    """Arrays that BLIP has once and a file may list once or twice; transformers would take the last
    one of two."""
    head = "text_decoder.cls.predictions"
    for first, second in (
        ("text_decoder.bert.embeddings.word_embeddings.weight", f"{head}.decoder.weight"),
        (f"{head}.bias", f"{head}.decoder.bias"),
    ):
        if first in weights and not torch.equal(
            weights[first], weights.setdefault(second, weights[first])
        ):
            raise ValueError(
                f"{str(path)!r}: {first} and {second} are one array in BLIP, and differ here"
            )


def _from_folder(folder: Path) -> tuple[dict[str, torch.Tensor], dict[str, int]]:
    """The weights, and how many heads the configuration gives each tower: nothing else in it is
    believed."""
    check_complete(folder, CONFIG, WEIGHTS)
    config, heads = read_json(folder / CONFIG), {}
    for part in ("vision_config", "text_config"):
        own = config.get(part)
        if isinstance(own, dict) and isinstance(number := own.get("num_attention_heads"), int):
            heads[part] = number
    return safe_tensors(folder / WEIGHTS), heads


def _sizes(weights: dict[str, torch.Tensor], heads: dict[str, int]) -> dict[str, Any]:
    """transformers' configuration: sizes are those of the arrays, the rest is what the authors'
    code says."""
    patch = weights["vision_model.embeddings.patch_embedding.weight"].shape[-1]
    places, width = weights["vision_model.embeddings.position_embedding"].shape[1:]
    text = (
        "text_encoder."
        if "text_encoder.embeddings.word_embeddings.weight" in weights
        else "text_decoder.bert."
    )
    vocabulary, text_width = weights[f"{text}embeddings.word_embeddings.weight"].shape
    together = weights["text_proj.weight"].shape[0] if "text_proj.weight" in weights else 256

    def layers(prefix: str) -> int:
        at = prefix.count(".")
        return len({name.split(".")[at] for name in weights if name.startswith(prefix)})

    return {
        "projection_dim": together,
        "image_text_hidden_size": together,
        "vision_config": {
            "hidden_size": width,
            "num_attention_heads": heads.get("vision_config", width // _HEAD_WIDTH),
            "num_hidden_layers": layers("vision_model.encoder.layers."),
            "patch_size": patch,
            "image_size": round((places - 1) ** 0.5) * patch,
            "layer_norm_eps": _VISION_EPSILON,
            "hidden_act": "gelu",
            "intermediate_size": weights["vision_model.encoder.layers.0.mlp.fc1.weight"].shape[0],
        },
        "text_config": {
            "vocab_size": vocabulary,
            "hidden_size": text_width,
            "encoder_hidden_size": width,
            "num_attention_heads": heads.get("text_config", text_width // _HEAD_WIDTH),
            "projection_dim": together,
            "num_hidden_layers": layers(f"{text}encoder.layer."),
            "layer_norm_eps": _TEXT_EPSILON,
            "hidden_act": "gelu",
            "max_position_embeddings": (
                weights[f"{text}embeddings.position_embeddings.weight"].shape[0]
            ),
            "intermediate_size": (
                weights[f"{text}encoder.layer.0.intermediate.dense.weight"].shape[0]
            ),
        },
    }


class Retrieval(torch.nn.Module):
    """A BLIP retrieval model with the methods of open_clip's, so that `Encoder` treats both
    alike."""

    def __init__(self, model: Any):
        from open_clip.transform import PreprocessCfg, merge_preprocess_dict

        super().__init__()
        self.model = model
        preprocessing = merge_preprocess_dict(
            PreprocessCfg(), PREPROCESSING | {"size": image_size(model)}
        )
        self.visual = torch.nn.Module()
        self.visual.preprocess_cfg = preprocessing
        self.logit_scale = torch.tensor(1 / model.temperature).log()

    def encode_image(self, pictures: torch.Tensor) -> torch.Tensor:
        """`(n, 3, size, size)` to `(n, d)`, of any length."""
        states = self.model.vision_model(pixel_values=pictures).last_hidden_state
        return self.model.vision_proj(states[:, 0])

    def encode_text(self, tokens: torch.Tensor) -> torch.Tensor:
        """`(n, length)`, padded, to `(n, d)`, of any length; what pads is masked."""
        pad = self.model.config.text_config.pad_token_id
        found = self.model.text_encoder(input_ids=tokens, attention_mask=(tokens != pad).long())
        return self.model.text_proj(found.last_hidden_state[:, 0])


class Texts:
    """Texts as retrieval takes them: at most 35 tokens, shorter ones padded and masked. Calling it
    gives `(n, length)`; `words` is the vocabulary, on which an embedding depends."""

    def __init__(self, tokenizer: Any):
        self._tokenizer, self.words = tokenizer, tokenizer.words

    def __call__(self, texts: list[str]) -> torch.Tensor:
        return read_whole(self._tokenizer, texts)


def read_whole(tokenizer: Any, texts: list[str]) -> torch.Tensor:
    """The tokens of texts, `(n, length)`; a ValueError for one that BLIP would not read to its
    end."""
    for text in texts:
        if (n := len(tokenizer(text).input_ids)) > LONGEST:
            raise ValueError(
                f"{text[:40]!r}… has {n} tokens, and BLIP reads {LONGEST} of a text or question:"
                " shorten it"
            )
    return tokenizer(texts, padding=True, return_tensors="pt").input_ids
