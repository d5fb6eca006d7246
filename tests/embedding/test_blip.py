"""BLIP's own file layout, against a forward pass written out from the paper's layers."""

import json
import math
import shutil

import numpy as np
import pytest
import torch
from PIL import Image

import vlmbias as vb
from embedding import by_hand
from embedding.by_hand import linear, unit
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
    w = by_hand.Weights(seed)
    w.image_tower("visual_encoder", width, size, PATCH, layers)
    if kind != "captions":
        w.bert("text_encoder", width, layers, vocabulary)
    if kind == "retrieval":
        w.linear("vision_proj", together, width)
        w.linear("text_proj", together, width)
        w.linear("itm_head", 2, width)
        w.image_tower("visual_encoder_m", width, size, PATCH, layers)
        w.bert("text_encoder_m", width, layers, vocabulary)
        w.linear("vision_proj_m", together, width)
        w.linear("text_proj_m", together, width)
        w["temp"] = torch.tensor(0.05)
        w["image_queue"], w["text_queue"] = w.some(together, 8), w.some(together, 8)
        w["idx_queue"] = torch.zeros(1, 8, dtype=torch.long)
        w["ptr_queue"] = torch.zeros(1, dtype=torch.long)
    else:
        w.bert("text_decoder.bert", width, layers, vocabulary)
        head = "text_decoder.cls.predictions"
        w.linear(f"{head}.transform.dense", width, width)
        w.norm(f"{head}.transform.LayerNorm", width)
        w[f"{head}.bias"] = w[f"{head}.decoder.bias"] = w.some(vocabulary)
        w[f"{head}.decoder.weight"] = w["text_decoder.bert.embeddings.word_embeddings.weight"]
    return dict(w)


def write(folder, kind, weights):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    torch.save({"model": weights}, folder / PUBLISHED[CALLED[kind]].file)
    return folder / PUBLISHED[CALLED[kind]].file


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write(tmp_path_factory.mktemp("blip"), "retrieval", published("retrieval"))


def image_by_hand(w, pictures):
    return by_hand.image_tower(w, "visual_encoder", pictures, LAYERS)


def bert_by_hand(w, name, tokens, mask, **seen):
    return by_hand.bert(w, name, tokens, mask, LAYERS, **seen)


PICTURES = torch.randn((3, 3, SIZE, SIZE), generator=torch.Generator().manual_seed(0))
TEXTS = ["a photo of a person", "we"]
IDS = torch.tensor([[2, 5, 19, 7, 5, 8, 3], [2, 16, 3, 0, 0, 0, 0]])


def test_both_towers_compute_what_the_layers_say(file):
    encoder, w = vb.encoder(str(file), device="cpu"), published("retrieval")
    assert encoder.dimension == TOGETHER and encoder.image_size == SIZE
    assert encoder.source == "published"
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


def test_a_text_of_more_than_35_tokens_is_refused(file):
    texts = blip.Texts(blip.words(file.parent / blip.WORDS, SIZE_OF_VOCABULARY))
    assert texts(["we " * 33]).shape == (1, 35)  # with the two that mark its ends
    with pytest.raises(ValueError, match=r"36 tokens.*35"):
        texts(["we", "we " * 34])
    assert texts(TEXTS).tolist() == IDS.tolist()


def test_the_published_settings_are_not_the_defaults_of_transformers():
    from transformers import BlipTextConfig, BlipVisionConfig

    with torch.device("meta"):
        theirs = published("answers", width=768, size=480, layers=12, vocabulary=30_524)
    sizes = blip._sizes({blip._renamed(name): tensor for name, tensor in theirs.items()}, {})
    assert sizes["text_config"]["num_attention_heads"] == 12 != BlipTextConfig().num_attention_heads
    assert sizes["vision_config"]["layer_norm_eps"] == 1e-6 != BlipVisionConfig().layer_norm_eps
    assert sizes["vision_config"]["image_size"] == 480
    assert sizes["vision_config"]["num_attention_heads"] == 12


def test_pictures_are_squashed_to_a_square(file):
    encoder = vb.encoder(str(file), device="cpu")
    pixels = np.random.default_rng(0).integers(0, 256, (90, 200, 3), dtype=np.uint8)
    picture = Image.fromarray(pixels)
    squashed = np.asarray(picture.resize((SIZE, SIZE), Image.Resampling.BICUBIC), float) / 255
    mean, sd = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]
    found = encoder.preprocess(picture).permute(1, 2, 0).numpy()
    np.testing.assert_allclose(found, (squashed - mean) / sd, atol=1e-5)


def test_a_folder_of_transformers_gives_the_same_and_its_settings_are_not_believed(file, tmp_path):
    from safetensors.torch import save_file

    model, _ = blip.load(file, "retrieval")
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    save_file(weights, tmp_path / "model.safetensors")
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
