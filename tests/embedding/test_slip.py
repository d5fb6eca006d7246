"""SLIP's own file layout, against a forward pass written out from the paper's layers."""

import argparse
import math

import numpy as np
import pytest
import torch
from PIL import Image
from torch.nn import functional as F

import vlmbias as vb
from embedding import by_hand
from embedding.by_hand import attend, linear, norm, unit
from vlmbias.embedding.published import slip
from vlmbias.sources.published_weights import PUBLISHED

FILE = PUBLISHED["slip/vitb16-100ep"].file
VOCABULARY, PLACES, TEXT, LAYERS, TOGETHER = 49_408, 77, 64, 1, 16


def published(width=192, image_layers=12, text=TEXT, together=TOGETHER, layers=LAYERS):
    """Random weights under the published names; the defaults are a small SLIP, (768, 12, 512, 512,
    12) is ViT-B."""
    w = by_hand.Weights(3)
    w["image_projection"], w["text_projection"] = w.some(width, together), w.some(text, together)
    w["logit_scale"] = torch.tensor(2.0)
    w["positional_embedding"] = w.some(PLACES, text)
    w["token_embedding.weight"] = w.some(VOCABULARY, text)
    w.image_tower("visual", width, 224, 16, image_layers)
    w.norm("ln_final", text)
    for number in range(layers):
        block = f"transformer.resblocks.{number}"
        w.norm(f"{block}.ln_1", text)
        w.norm(f"{block}.ln_2", text)
        w[f"{block}.attn.in_proj_weight"] = w.some(3 * text, text)
        w[f"{block}.attn.in_proj_bias"] = w.some(3 * text)
        w.linear(f"{block}.attn.out_proj", text, text)
        w.linear(f"{block}.mlp.c_fc", 4 * text, text)
        w.linear(f"{block}.mlp.c_proj", text, 4 * text)
    for number in (1, 2, 3):  # which only training uses
        w[f"image_mlp.layer{number}.weight"] = w.some(4, 4)
    return {f"module.{name}": tensor for name, tensor in w.items()}


def write(path, weights):
    beside = {"epoch": 99, "optimizer": {}, "scaler": {}, "best_acc1": 0.4}
    args = argparse.Namespace(model="SLIP_VITB16")
    torch.save(beside | {"state_dict": weights, "args": args}, path)
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return write(tmp_path_factory.mktemp("slip") / FILE, published())


def images_by_hand(weights, pictures):
    w = {name.removeprefix("module."): tensor for name, tensor in weights.items()}
    return by_hand.image_tower(w, "visual", pictures, 12)[:, 0] @ w["image_projection"]


def texts_by_hand(weights, tokens):
    w = {name.removeprefix("module."): tensor for name, tensor in weights.items()}
    x = w["token_embedding.weight"][tokens] + w["positional_embedding"]
    mask = torch.full((PLACES, PLACES), -torch.inf).triu(1)
    for number in range(LAYERS):
        name = f"transformer.resblocks.{number}"
        inner = F.linear(
            norm(x, w, f"{name}.ln_1", 1e-5),
            w[f"{name}.attn.in_proj_weight"],
            w[f"{name}.attn.in_proj_bias"],
        )
        x = x + linear(attend(*inner.chunk(3, -1), mask), w, f"{name}.attn.out_proj")
        inner = linear(norm(x, w, f"{name}.ln_2", 1e-5), w, f"{name}.mlp.c_fc")
        x = x + linear(inner * torch.sigmoid(1.702 * inner), w, f"{name}.mlp.c_proj")
    x = norm(x, w, "ln_final", 1e-5)[torch.arange(len(tokens)), tokens.argmax(-1)]
    return x @ w["text_projection"]


def test_both_towers_compute_what_the_layers_say(file):
    encoder = vb.encoder(str(file), device="cpu")
    assert encoder.source == "published" and encoder.dimension == TOGETHER
    assert encoder.image_size == 224
    assert encoder.logit_scale == pytest.approx(math.exp(2))
    pictures = torch.randn((3, 3, 224, 224), generator=torch.Generator().manual_seed(0))
    np.testing.assert_allclose(
        encoder.encode_images(pictures), unit(images_by_hand(published(), pictures)), atol=2e-5
    )
    texts = ["a photo of a person", "we"]
    import open_clip

    tokens = open_clip.SimpleTokenizer()(texts)
    np.testing.assert_allclose(
        encoder.encode_texts(texts), unit(texts_by_hand(published(), tokens)), atol=2e-5
    )


def test_pictures_are_shrunk_bilinearly_and_normalised_as_for_imagenet(file):
    encoder = vb.encoder(str(file), device="cpu")
    pixels = np.random.default_rng(0).integers(0, 256, (300, 260, 3), dtype=np.uint8)
    picture = Image.fromarray(pixels)
    shrunk = picture.resize((224, int(224 * 300 / 260)), Image.Resampling.BILINEAR)
    top = round((shrunk.height - 224) / 2)
    expected = np.asarray(shrunk.crop((0, top, 224, top + 224)), float) / 255
    expected = (expected - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    np.testing.assert_allclose(
        encoder.preprocess(picture).permute(1, 2, 0).numpy(), expected, atol=1e-5
    )


def test_the_published_shapes_are_those_of_vit_base():
    with torch.device("meta"):
        theirs = published(768, 12, 512, 512, 12)
    weights = {slip._renamed(name): tensor for name, tensor in theirs.items()}
    # all arrays of the file without those of image_mlp
    assert sum(not name.startswith("image_mlp") for name in weights) == 317 - 16
    config = slip._config(weights)
    assert config["vision_cfg"]["timm_model_name"] == "vit_base_patch16_224"
    assert config["embed_dim"] == 512
    text = {"context_length": 77, "vocab_size": 49_408, "width": 512, "heads": 8, "layers": 12}
    assert config["text_cfg"] == text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"module.visual.norm.bias": None}, r"'visual\.trunk\.norm\.bias': the model has .* none"),
        ({"module.more": torch.zeros(2)}, r"such as 'more': the model has none, the file \(2,\)"),
        ({"module.visual.pos_embed": None}, "this is none: it has no weights"),
        ({"module.visual.pos_embed": torch.zeros(1, 197, 384)}, "SLIP's small one has 12 heads"),
    ],
)
def test_another_file_is_refused_by_its_first_misfit(tmp_path, change, message):
    weights = {name: one for name, one in (published() | change).items() if one is not None}
    with pytest.raises(ValueError, match=message):
        vb.encoder(str(write(tmp_path / FILE, weights)), device="cpu")


def test_a_name_says_where_its_file_belongs(monkeypatch, tmp_path):
    monkeypatch.setenv("VLMBIAS_DATA", str(tmp_path))
    with pytest.raises(
        FileNotFoundError, match=r"weights/slip_base_100ep\.pt.*github\.com/facebookresearch/SLIP"
    ):
        vb.encoder("slip/vitb16-100ep", device="cpu")
    (tmp_path / "weights").mkdir()
    write(tmp_path / "weights" / FILE, published())
    assert vb.encoder("slip/vitb16-100ep", device="cpu").name == "slip/vitb16-100ep"
