"""VQGAN in taming's file layout, against a forward pass written out from its layers."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import torch
import yaml
from installed import needs
from torch.nn import functional as F

from vlmbias import paths
from vlmbias.generation import vqgan

pytestmark = needs("diffusers")
SMALL = {
    "ch": 32,
    "ch_mult": [1, 2, 2],
    "resolution": 32,
    "attn_resolutions": [8],
    "z_channels": 16,
    "num_res_blocks": 1,
    "in_channels": 3,
    "out_ch": 3,
    "double_z": False,
    "dropout": 0.0,
}
PUBLISHED = SMALL | {
    "ch": 128,
    "ch_mult": [1, 1, 2, 2, 4],
    "resolution": 256,
    "attn_resolutions": [16],
    "z_channels": 256,
    "num_res_blocks": 2,
}


def about(layers=SMALL, codes=64, width=16, target="taming.models.vqgan.VQModel"):
    return {
        "model": {
            "base_learning_rate": 4.5e-6,
            "target": target,
            "params": {
                "embed_dim": width,
                "n_embed": codes,
                "ddconfig": layers,
                "lossconfig": {"target": "x"},
            },
        }
    }


def published(layers=SMALL, codes=64, width=16, seed=2):
    """Random weights under the published names."""
    generator, weights = torch.Generator().manual_seed(seed), {}

    def some(*shape, scale=0.1):
        return torch.randn(shape, generator=generator) * scale

    def norm(name, size):
        weights[f"{name}.weight"], weights[f"{name}.bias"] = 1 + some(size), some(size)

    def conv(name, after, before, edge=3):
        weights[f"{name}.weight"] = some(after, before, edge, edge, scale=1 / (edge * before**0.5))
        weights[f"{name}.bias"] = some(after)

    def block(name, before, after):
        norm(f"{name}.norm1", before), conv(f"{name}.conv1", after, before)
        norm(f"{name}.norm2", after), conv(f"{name}.conv2", after, after)
        if before != after:
            conv(f"{name}.nin_shortcut", after, before, 1)

    def attention(name, size):
        norm(f"{name}.norm", size)
        for part in ("q", "k", "v", "proj_out"):
            conv(f"{name}.{part}", size, size, 1)

    def middle(name, size):
        block(f"{name}.mid.block_1", size, size), attention(f"{name}.mid.attn_1", size)
        block(f"{name}.mid.block_2", size, size)

    widths = [layers["ch"] * times for times in layers["ch_mult"]]
    latent, top = layers["z_channels"], len(widths) - 1
    conv("encoder.conv_in", layers["ch"], 3)
    before = layers["ch"]
    for level, after in enumerate(widths):
        for number in range(layers["num_res_blocks"]):
            block(f"encoder.down.{level}.block.{number}", before, after)
            if layers["resolution"] // 2**level in layers["attn_resolutions"]:
                attention(f"encoder.down.{level}.attn.{number}", after)
            before = after
        if level < top:
            conv(f"encoder.down.{level}.downsample.conv", after, after)
    middle("encoder", before), norm("encoder.norm_out", before)
    conv("encoder.conv_out", latent, before)
    conv("quant_conv", width, latent, 1), conv("post_quant_conv", latent, width, 1)
    weights["quantize.embedding.weight"] = some(codes, width, scale=1)
    conv("decoder.conv_in", widths[-1], latent), middle("decoder", widths[-1])
    before = widths[-1]
    for level in reversed(range(len(widths))):
        for number in range(layers["num_res_blocks"] + 1):
            block(f"decoder.up.{level}.block.{number}", before, widths[level])
            if layers["resolution"] // 2**level in layers["attn_resolutions"]:
                attention(f"decoder.up.{level}.attn.{number}", widths[level])
            before = widths[level]
        if level:
            conv(f"decoder.up.{level}.upsample.conv", before, before)
    norm("decoder.norm_out", before), conv("decoder.conv_out", 3, before)
    return weights


def write(folder, weights, told=None, **more):
    told = about() if told is None else told
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.yaml").write_text(yaml.safe_dump(told))
    weights = weights | {"loss.discriminator.main.0.weight": torch.zeros(2)}
    torch.save({"epoch": 1, "state_dict": weights, **more}, folder / "model.ckpt")
    return str(folder / "model.ckpt")


def norm(x, w, name):
    return F.group_norm(x, 32, w[f"{name}.weight"], w[f"{name}.bias"], 1e-6)


def conv(x, w, name, stride=1, padding=1):
    weight = w[f"{name}.weight"]
    padding = padding if weight.shape[-1] == 3 else 0
    return F.conv2d(x, weight, w[f"{name}.bias"], stride, padding)


def block(x, w, name):
    inner = conv(F.silu(norm(x, w, f"{name}.norm1")), w, f"{name}.conv1")
    inner = conv(F.silu(norm(inner, w, f"{name}.norm2")), w, f"{name}.conv2")
    return inner + (conv(x, w, f"{name}.nin_shortcut") if f"{name}.nin_shortcut.weight" in w else x)


def attention(x, w, name):
    q, k, v = (conv(norm(x, w, f"{name}.norm"), w, f"{name}.{part}").flatten(2) for part in "qkv")
    weight = (q.transpose(1, 2) @ k / q.shape[1] ** 0.5).softmax(-1)
    return x + conv((v @ weight.transpose(1, 2)).view(x.shape), w, f"{name}.proj_out")


def level_of(x, w, name, number):
    x = block(x, w, f"{name}.block.{number}")
    return attention(x, w, f"{name}.attn.{number}") if f"{name}.attn.{number}.q.weight" in w else x


def middle(x, w, name):
    x = attention(block(x, w, f"{name}.mid.block_1"), w, f"{name}.mid.attn_1")
    return block(x, w, f"{name}.mid.block_2")


def nearest(codes, w):
    flat = codes.permute(0, 2, 3, 1)
    apart = (flat[..., None, :] - w["quantize.embedding.weight"]).pow(2).sum(-1)
    return w["quantize.embedding.weight"][apart.argmin(-1)].permute(0, 3, 1, 2)


def encoded_by_hand(x, w, layers=SMALL):
    x = conv(x, w, "encoder.conv_in")
    for level in range(len(layers["ch_mult"])):
        for number in range(layers["num_res_blocks"]):
            x = level_of(x, w, f"encoder.down.{level}", number)
        if level < len(layers["ch_mult"]) - 1:
            x = F.pad(x, (0, 1, 0, 1))
            x = conv(x, w, f"encoder.down.{level}.downsample.conv", stride=2, padding=0)
    x = conv(F.silu(norm(middle(x, w, "encoder"), w, "encoder.norm_out")), w, "encoder.conv_out")
    return nearest(conv(x, w, "quant_conv"), w)


def decoded_by_hand(codes, w, layers=SMALL):
    x = conv(conv(nearest(codes, w), w, "post_quant_conv"), w, "decoder.conv_in")
    x = middle(x, w, "decoder")
    for level in reversed(range(len(layers["ch_mult"]))):
        for number in range(layers["num_res_blocks"] + 1):
            x = level_of(x, w, f"decoder.up.{level}", number)
        if level:
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
            x = conv(x, w, f"decoder.up.{level}.upsample.conv")
    return conv(F.silu(norm(x, w, "decoder.norm_out")), w, "decoder.conv_out")


def test_it_encodes_and_decodes_as_the_layers_say(tmp_path):
    weights = published()
    model = vqgan.load(write(tmp_path, weights), device="cpu")
    pictures = torch.rand((2, 3, 32, 48), generator=torch.Generator().manual_seed(1)) * 2 - 1
    codes = vqgan.encode(model, pictures)
    torch.testing.assert_close(codes, encoded_by_hand(pictures, weights), rtol=1e-5, atol=1e-5)
    assert codes.shape == (2, 16, 8, 12) and vqgan.factor(model) == 4
    other = codes + 0.3 * torch.randn(codes.shape, generator=torch.Generator().manual_seed(2))
    torch.testing.assert_close(
        vqgan.decode(model, other), decoded_by_hand(other, weights), rtol=1e-4, atol=1e-4
    )


def test_gradients_pass_the_codebook(tmp_path):
    model = vqgan.load(write(tmp_path, published()), device="cpu")
    codes = torch.randn((1, 16, 8, 8), generator=torch.Generator().manual_seed(3))
    codes.requires_grad_(True)
    vqgan.decode(model, codes).sum().backward()
    quantised = nearest(codes.detach(), published()).requires_grad_(True)
    vqgan.decode(model, quantised).sum().backward()
    torch.testing.assert_close(codes.grad, quantised.grad, rtol=1e-4, atol=1e-5)


def test_every_published_weight_has_a_place():
    size = {"layers": PUBLISHED, "codes": 16_384, "width": 256}
    with torch.device("meta"):
        weights = published(**size)
        made = vqgan.vq_model()(**vqgan.config_of(about(**size))).state_dict()
    numbers = sum(one.numel() for one in weights.values())
    assert len(weights) == 343 and round(numbers / 1e6, 2) == 76.07
    found = {vqgan.renamed(name, 5): tuple(one.shape) for name, one in weights.items()}
    for name, shape in found.items():
        found[name] = shape[:2] if ".to_" in name else shape  # of attention: (n, n, 1, 1) → (n, n)
    assert found == {name: tuple(one.shape) for name, one in made.items()}


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (about(target="taming.models.vqgan.GumbelVQ"), "GumbelVQ; only .* can be converted"),
        (about(SMALL | {"double_z": True}), "double_z, dropout or attention above"),
        ({"model": {}}, "is no configuration of taming-transformers"),
        (about(codes=32), r"the model has \(32, 16\), the file \(64, 16\)"),
    ],
)
def test_another_model_is_refused(tmp_path, told, message):
    with pytest.raises(ValueError, match=message):
        vqgan.load(write(tmp_path, published(), told), device="cpu")


def test_a_yaml_whose_aliases_stand_for_more_than_a_memory_is_refused_at_once(tmp_path):
    place = write(tmp_path, published())
    lines = [
        "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]",
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)),
    ]
    (tmp_path / "model.yaml").write_text("\n".join(lines))
    with pytest.raises(ValueError, match="stand for more than 1,000,000 values"):
        vqgan.load(place, device="cpu")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers_per_block": 10_000_000}, "layers_per_block = 10000000 is not from"),
        ({"layers_per_block": 900_000}, r"at \d resolutions are more than the \d+ arrays"),
        ({"sample_size": {"a": 1}}, "sample_size = .* is not a number, a word or a list of these"),
    ],
)
def test_a_folder_that_asks_for_too_much_is_refused_before_anything_is_made(
    tmp_path, monkeypatch, change, message
):
    folder = shutil.copytree(paths.data() / "greenhouse/decoder", tmp_path / "decoder")
    config = json.loads((folder / vqgan.CONFIG).read_text()) | change
    (folder / vqgan.CONFIG).write_text(json.dumps(config))
    monkeypatch.setattr(
        "diffusers.models.autoencoders.vq_model.VQModel.__init__", lambda *_, **options: 1 / 0
    )
    with pytest.raises(ValueError, match=message):
        vqgan.load(str(folder), device="cpu")


def test_presence_is_looked_for_without_loading(tmp_path):
    place = write(tmp_path, published())
    assert vqgan.present(str(place)) == hashlib.sha256(Path(place).read_bytes()).hexdigest()
    Path(place).with_suffix(".yaml").unlink()
    with pytest.raises(FileNotFoundError, match="says how the model is built"):
        vqgan.present(str(place))


def test_a_transformers_first_stage_is_the_same_model(tmp_path):
    target = "taming.models.cond_transformer.Net2NetTransformer"
    told = {"model": {"target": target, "params": {"first_stage_config": about()["model"]}}}
    weights = {f"first_stage_model.{name}": one for name, one in published().items()}
    weights["transformer.x"] = torch.zeros(1)
    model = vqgan.load(write(tmp_path, weights, told), device="cpu")
    assert torch.equal(model.quantize.embedding.weight, published()["quantize.embedding.weight"])
