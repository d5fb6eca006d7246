"""BLIP's own file layout, against a forward pass written out from the paper's layers."""

import json
import math
import shutil

import numpy as np
import pytest
import torch
from PIL import Image
from torch.nn import functional as F

import vlmbias as vb
from vlmbias.embedding.published import blip
from vlmbias.sources.published_weights import PUBLISHED

pytest.importorskip("transformers")
CALLED = {
    "retrieval": "blip/itm-base-coco",
    "answers": "blip/vqa-capfilt-large",
    "captions": "blip/caption-capfilt-large",
}
WIDTH, SIZE, PATCH, LAYERS, TOGETHER = 128, 64, 16, 2, 24
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] a picture of person is this an american ? yes no we they"
WORDS = [*WORDS.split(), "##s", "photo"]
SIZE_OF_VOCABULARY = len(WORDS) + 2


def published(
    kind,
    *,
    width=WIDTH,
    size=SIZE,
    layers=LAYERS,
    together=TOGETHER,
    vocabulary=SIZE_OF_VOCABULARY,
    seed=4,
):
    """Random weights under the published names, what only training uses included."""
    generator, weights = torch.Generator().manual_seed(seed), {}

    def some(*shape, scale=0.05):
        return torch.randn(shape, generator=generator) * scale

    def norm(name, size):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = (
            1 + some(size, scale=0.2),
            some(size, scale=0.2),
        )

    def linear(name, rows, columns):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = some(rows, columns), some(rows)

    def image_tower(name):
        weights[f"{name}.cls_token"] = some(1, 1, width)
        weights[f"{name}.pos_embed"] = some(1, (size // PATCH) ** 2 + 1, width)
        weights[f"{name}.patch_embed.proj.weight"], weights[f"{name}.patch_embed.proj.bias"] = (
            some(width, 3, PATCH, PATCH),
            some(width),
        )
        for number in range(layers):
            block = f"{name}.blocks.{number}"
            norm(f"{block}.norm1", width), linear(f"{block}.attn.qkv", 3 * width, width)
            linear(f"{block}.attn.proj", width, width), norm(f"{block}.norm2", width)
            (
                linear(f"{block}.mlp.fc1", 4 * width, width),
                linear(f"{block}.mlp.fc2", width, 4 * width),
            )
        norm(f"{name}.norm", width)

    def bert(name):
        weights[f"{name}.embeddings.position_ids"] = torch.arange(512)[None]
        weights[f"{name}.embeddings.word_embeddings.weight"] = some(vocabulary, width)
        weights[f"{name}.embeddings.position_embeddings.weight"] = some(512, width)
        norm(f"{name}.embeddings.LayerNorm", width)
        for number in range(layers):
            block = f"{name}.encoder.layer.{number}"
            for which in ("attention", "crossattention"):
                for part in ("query", "key", "value"):
                    linear(f"{block}.{which}.self.{part}", width, width)
                (
                    linear(f"{block}.{which}.output.dense", width, width),
                    norm(f"{block}.{which}.output.LayerNorm", width),
                )
            (
                linear(f"{block}.intermediate.dense", 4 * width, width),
                linear(f"{block}.output.dense", width, 4 * width),
            )
            norm(f"{block}.output.LayerNorm", width)

    image_tower("visual_encoder")
    if kind != "captions":
        bert("text_encoder")
    if kind == "retrieval":
        (
            linear("vision_proj", together, width),
            linear("text_proj", together, width),
            linear("itm_head", 2, width),
        )
        image_tower("visual_encoder_m"), bert("text_encoder_m")
        linear("vision_proj_m", together, width), linear("text_proj_m", together, width)
        weights |= {
            "temp": torch.tensor(0.05),
            "image_queue": some(together, 8),
            "text_queue": some(together, 8),
            "idx_queue": torch.zeros(1, 8, dtype=torch.long),
            "ptr_queue": torch.zeros(1, dtype=torch.long),
        }
    else:
        bert("text_decoder.bert")
        head = "text_decoder.cls.predictions"
        linear(f"{head}.transform.dense", width, width), norm(f"{head}.transform.LayerNorm", width)
        weights[f"{head}.bias"] = weights[f"{head}.decoder.bias"] = some(vocabulary)
        weights[f"{head}.decoder.weight"] = weights[
            "text_decoder.bert.embeddings.word_embeddings.weight"
        ]
    return weights


def write(folder, kind, weights):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    torch.save({"model": weights}, folder / PUBLISHED[CALLED[kind]].file)
    return folder / PUBLISHED[CALLED[kind]].file


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write(tmp_path_factory.mktemp("blip"), "retrieval", published("retrieval"))


def heads_of(x, width=64):
    return x.unflatten(-1, (-1, width)).transpose(1, 2)


def attend(q, k, v, mask=0.0):
    q, k, v = heads_of(q), heads_of(k), heads_of(v)
    mixed = ((q @ k.transpose(-1, -2)) / math.sqrt(64) + mask).softmax(-1) @ v
    return mixed.transpose(1, 2).flatten(2)


def norm(x, w, name, eps):
    return F.layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"], eps)


def linear(x, w, name):
    return F.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])


def image_by_hand(w, pictures, eps=1e-6):
    x = F.conv2d(
        pictures,
        w["visual_encoder.patch_embed.proj.weight"],
        w["visual_encoder.patch_embed.proj.bias"],
        stride=PATCH,
    )
    x = (
        torch.cat(
            [w["visual_encoder.cls_token"].expand(len(x), -1, -1), x.flatten(2).transpose(1, 2)], 1
        )
        + w["visual_encoder.pos_embed"]
    )
    for number in range(LAYERS):
        name = f"visual_encoder.blocks.{number}"
        x = x + linear(
            attend(*linear(norm(x, w, f"{name}.norm1", eps), w, f"{name}.attn.qkv").chunk(3, -1)),
            w,
            f"{name}.attn.proj",
        )
        x = x + linear(
            F.gelu(linear(norm(x, w, f"{name}.norm2", eps), w, f"{name}.mlp.fc1")),
            w,
            f"{name}.mlp.fc2",
        )
    return norm(x, w, "visual_encoder.norm", eps)


def bert_by_hand(w, name, tokens, mask, seen=None, causal=False):
    """`mask`: 1 where a token counts; `seen`: states of the picture or of the question, all of
    which are looked at."""
    x = (
        w[f"{name}.embeddings.word_embeddings.weight"][tokens]
        + w[f"{name}.embeddings.position_embeddings.weight"][: tokens.shape[1]]
    )
    x = norm(x, w, f"{name}.embeddings.LayerNorm", 1e-12)
    hidden = torch.where(mask.bool(), 0.0, -1e30)[:, None, None, :]
    if causal:
        hidden = hidden + torch.full((tokens.shape[1],) * 2, -1e30).triu(1)
    for number in range(LAYERS):
        block = f"{name}.encoder.layer.{number}"
        for which, other, masked in (("attention", x, hidden), ("crossattention", seen, 0.0)):
            if which == "crossattention" and seen is None:
                continue
            other = x if which == "attention" else seen
            q, k, v = (
                linear(one, w, f"{block}.{which}.self.{part}")
                for one, part in ((x, "query"), (other, "key"), (other, "value"))
            )
            x = norm(
                x + linear(attend(q, k, v, masked), w, f"{block}.{which}.output.dense"),
                w,
                f"{block}.{which}.output.LayerNorm",
                1e-12,
            )
        inner = F.gelu(linear(x, w, f"{block}.intermediate.dense"))
        x = norm(
            x + linear(inner, w, f"{block}.output.dense"), w, f"{block}.output.LayerNorm", 1e-12
        )
    return x


def unit(rows):
    return F.normalize(rows, dim=-1).numpy()


PICTURES = torch.randn((3, 3, SIZE, SIZE), generator=torch.Generator().manual_seed(0))
TEXTS = ["a photo of a person", "we"]
IDS = torch.tensor([[2, 5, 19, 7, 5, 8, 3], [2, 16, 3, 0, 0, 0, 0]])


def test_both_towers_compute_what_the_layers_say(file):
    encoder, w = vb.encoder(str(file), device="cpu"), published("retrieval")
    assert (
        encoder.dimension == TOGETHER
        and encoder.image_size == SIZE
        and encoder.source == "published"
    )
    assert encoder.logit_scale == pytest.approx(1 / 0.05)
    expected = unit(linear(image_by_hand(w, PICTURES)[:, 0], w, "vision_proj"))
    np.testing.assert_allclose(encoder.encode_images(PICTURES), expected, atol=2e-6)
    states = bert_by_hand(w, "text_encoder", IDS, IDS != 0)
    np.testing.assert_allclose(
        encoder.encode_texts(TEXTS), unit(linear(states[:, 0], w, "text_proj")), atol=2e-6
    )


def test_what_pads_a_text_does_not_change_it(file):
    encoder = vb.encoder(str(file), device="cpu")
    alone = [encoder.encode_texts([text])[0] for text in TEXTS]
    np.testing.assert_allclose(encoder.encode_texts(TEXTS), alone, atol=2e-6)
    unmasked = unit(
        linear(
            bert_by_hand(published("retrieval"), "text_encoder", IDS, torch.ones_like(IDS))[:, 0],
            published("retrieval"),
            "text_proj",
        )
    )
    assert np.abs(unmasked[1] - alone[1]).max() > 0.01


def test_a_text_of_more_than_35_tokens_is_refused(file):
    texts = blip.Texts(blip.words(file.parent / blip.WORDS, SIZE_OF_VOCABULARY))
    assert texts(["we " * 33]).shape == (1, 35)  # with the two that mark its ends
    with pytest.raises(ValueError, match=r"36 tokens.*35"):
        texts(["we", "we " * 34])
    assert texts(TEXTS).tolist() == IDS.tolist()


def test_the_published_settings_are_not_the_defaults_of_transformers():
    from transformers import BlipTextConfig, BlipVisionConfig

    with torch.device("meta"):
        weights = {
            blip._renamed(name): tensor
            for name, tensor in published(
                "answers", width=768, size=480, layers=12, vocabulary=30_524
            ).items()
        }
    sizes = blip._sizes(weights, {})
    assert sizes["text_config"]["num_attention_heads"] == 12 != BlipTextConfig().num_attention_heads
    assert sizes["vision_config"]["layer_norm_eps"] == 1e-6 != BlipVisionConfig().layer_norm_eps
    assert (
        sizes["vision_config"]["image_size"] == 480
        and sizes["vision_config"]["num_attention_heads"] == 12
    )


def test_pictures_are_squashed_to_a_square(file):
    encoder = vb.encoder(str(file), device="cpu")
    pixels = np.random.default_rng(0).integers(0, 256, (90, 200, 3), dtype=np.uint8)
    squashed = (
        np.asarray(Image.fromarray(pixels).resize((SIZE, SIZE), Image.Resampling.BICUBIC), float)
        / 255
    )
    expected = (squashed - [0.48145466, 0.4578275, 0.40821073]) / [
        0.26862954,
        0.26130258,
        0.27577711,
    ]
    np.testing.assert_allclose(
        encoder.preprocess(Image.fromarray(pixels)).permute(1, 2, 0).numpy(), expected, atol=1e-5
    )


def test_a_folder_of_transformers_gives_the_same_and_its_settings_are_not_believed(file, tmp_path):
    from safetensors.torch import save_file

    model, _ = blip.load(file, "retrieval")
    save_file(
        {name: tensor.clone() for name, tensor in model.state_dict().items()},
        tmp_path / "model.safetensors",
    )
    (tmp_path / "vocab.txt").write_text((file.parent / "vocab.txt").read_text())
    config = {
        "model_type": "blip",
        "vision_config": {"layer_norm_eps": 1e-5, "num_attention_heads": 2},
        "text_config": {"num_attention_heads": 2},
        "auto_map": {"AutoModel": "harm.Model"},
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "harm.py").write_text("raise SystemExit('ran')")
    ours, theirs = vb.encoder(str(file), device="cpu"), vb.encoder(str(tmp_path), device="cpu")
    assert np.array_equal(ours.encode_images(PICTURES), theirs.encode_images(PICTURES))
    assert np.array_equal(ours.encode_texts(TEXTS), theirs.encode_texts(TEXTS))
    assert math.isnan(theirs.logit_scale)  # transformers does not keep the temperature
    (tmp_path / "vocab.txt").unlink()
    with pytest.raises(FileNotFoundError, match=r"no vocab\.txt in .*bert-base-uncased"):
        vb.encoder(str(tmp_path), device="cpu")


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        (
            "retrieval",
            lambda w: w.pop("vision_proj.bias"),
            r"does not fit in 1 of .* 'vision_proj\.bias'",
        ),
        (
            "retrieval",
            lambda w: w.update({"extra.weight": torch.zeros(1)}),
            "such as 'extra.weight': the model has none",
        ),
        ("retrieval", lambda w: w.pop("visual_encoder.pos_embed"), "is no BLIP checkpoint"),
        ("answers", lambda w: None, "does not fit in"),
    ],
)
def test_another_file_is_refused(tmp_path, kind, change, message):
    weights = published(kind)
    change(weights)
    with pytest.raises(ValueError, match=message):
        vb.encoder(str(write(tmp_path, kind, weights)), device="cpu")


HALF, SWAPPED = WORDS[: len(WORDS) // 2], [WORDS[1], WORDS[0], *WORDS[2:]]


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (HALF, "lists 10 words, and the model embeds 20 and its own two"),
        (
            SWAPPED,
            (
                r"has '\[UNK\]' in line 1, where \[PAD\] belongs: put the vocab.txt of"
                r" bert-base-uncased"
            ),
        ),
        ([*WORDS[:-1], "we"], "lists 'we' twice"),
    ],
)
def test_words_that_are_not_the_models_are_refused(file, tmp_path, listed, message):
    folder = tmp_path / "blip"
    shutil.copytree(file.parent, folder)
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in listed))
    with pytest.raises(ValueError, match=message):
        vb.encoder(str(folder / file.name), device="cpu")


def test_the_words_of_bert_are_known_by_their_checksum(tmp_path):
    """A list as long, with every special word at its place, and the others in another order."""
    words = [f"w{number}" for number in range(30_522)]
    for place, word in ((0, "[PAD]"), (100, "[UNK]"), (101, "[CLS]"), (102, "[SEP]")):
        words[place] = word
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n")
    with pytest.raises(
        ValueError, match="is not the list of bert-base-uncased: its SHA-256 should be 07eced375cec"
    ):
        blip.words(tmp_path / "vocab.txt", 30_524)
