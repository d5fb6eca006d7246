"""Transformers layer by layer, as the papers of SLIP and BLIP have them, and random weights under
the names of their files."""

import math

import torch
from torch.nn import functional as F

HEAD = 64  # the width of a head of attention


class Weights(dict):
    """Random arrays by name."""

    def __init__(self, seed):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def some(self, *shape, scale=0.05):
        return torch.randn(shape, generator=self.generator) * scale

    def norm(self, name, size):
        self[f"{name}.weight"] = 1 + self.some(size, scale=0.2)
        self[f"{name}.bias"] = self.some(size, scale=0.2)

    def linear(self, name, rows, columns):
        self[f"{name}.weight"], self[f"{name}.bias"] = self.some(rows, columns), self.some(rows)

    def image_tower(self, name, width, size, patch, layers):
        self[f"{name}.cls_token"] = self.some(1, 1, width)
        self[f"{name}.pos_embed"] = self.some(1, (size // patch) ** 2 + 1, width)
        self[f"{name}.patch_embed.proj.weight"] = self.some(width, 3, patch, patch)
        self[f"{name}.patch_embed.proj.bias"] = self.some(width)
        for number in range(layers):
            block = f"{name}.blocks.{number}"
            self.norm(f"{block}.norm1", width)
            self.linear(f"{block}.attn.qkv", 3 * width, width)
            self.linear(f"{block}.attn.proj", width, width)
            self.norm(f"{block}.norm2", width)
            self.linear(f"{block}.mlp.fc1", 4 * width, width)
            self.linear(f"{block}.mlp.fc2", width, 4 * width)
        self.norm(f"{name}.norm", width)

    def bert(self, name, width, layers, vocabulary):
        self[f"{name}.embeddings.position_ids"] = torch.arange(512)[None]
        self[f"{name}.embeddings.word_embeddings.weight"] = self.some(vocabulary, width)
        self[f"{name}.embeddings.position_embeddings.weight"] = self.some(512, width)
        self.norm(f"{name}.embeddings.LayerNorm", width)
        for number in range(layers):
            block = f"{name}.encoder.layer.{number}"
            for which in ("attention", "crossattention"):
                for part in ("query", "key", "value"):
                    self.linear(f"{block}.{which}.self.{part}", width, width)
                self.linear(f"{block}.{which}.output.dense", width, width)
                self.norm(f"{block}.{which}.output.LayerNorm", width)
            self.linear(f"{block}.intermediate.dense", 4 * width, width)
            self.linear(f"{block}.output.dense", width, 4 * width)
            self.norm(f"{block}.output.LayerNorm", width)


def attend(q, k, v, mask=0.0):
    q, k, v = (one.unflatten(-1, (-1, HEAD)).transpose(1, 2) for one in (q, k, v))
    mixed = ((q @ k.transpose(-1, -2)) / math.sqrt(HEAD) + mask).softmax(-1) @ v
    return mixed.transpose(1, 2).flatten(2)


def norm(x, w, name, eps):
    return F.layer_norm(x, x.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"], eps)


def linear(x, w, name):
    return F.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])


def image_tower(w, name, pictures, layers, eps=1e-6):
    """The states of every place, `(n, places, width)`; the first is that of the class token."""
    patches = w[f"{name}.patch_embed.proj.weight"]
    x = F.conv2d(pictures, patches, w[f"{name}.patch_embed.proj.bias"], stride=patches.shape[-1])
    x = torch.cat([w[f"{name}.cls_token"].expand(len(x), -1, -1), x.flatten(2).mT], 1)
    x = x + w[f"{name}.pos_embed"]
    for number in range(layers):
        block = f"{name}.blocks.{number}"
        inner = linear(norm(x, w, f"{block}.norm1", eps), w, f"{block}.attn.qkv")
        x = x + linear(attend(*inner.chunk(3, -1)), w, f"{block}.attn.proj")
        inner = linear(norm(x, w, f"{block}.norm2", eps), w, f"{block}.mlp.fc1")
        x = x + linear(F.gelu(inner), w, f"{block}.mlp.fc2")
    return norm(x, w, f"{name}.norm", eps)


def bert(w, name, tokens, mask, layers, seen=None, causal=False, eps=1e-12):
    """`mask`: 1 where a token counts; `seen`: states of the picture or of the question, all of
    which are looked at."""
    x = w[f"{name}.embeddings.word_embeddings.weight"][tokens]
    x = x + w[f"{name}.embeddings.position_embeddings.weight"][: tokens.shape[1]]
    x = norm(x, w, f"{name}.embeddings.LayerNorm", eps)
    hidden = torch.where(mask.bool(), 0.0, -1e30)[:, None, None, :]
    if causal:
        hidden = hidden + torch.full((tokens.shape[1],) * 2, -1e30).triu(1)
    for number in range(layers):
        block = f"{name}.encoder.layer.{number}"
        for which, masked in (("attention", hidden), ("crossattention", 0.0)):
            other = x if which == "attention" else seen
            if other is None:
                continue
            q, k, v = (
                linear(one, w, f"{block}.{which}.self.{part}")
                for one, part in ((x, "query"), (other, "key"), (other, "value"))
            )
            x = x + linear(attend(q, k, v, masked), w, f"{block}.{which}.output.dense")
            x = norm(x, w, f"{block}.{which}.output.LayerNorm", eps)
        inner = F.gelu(linear(x, w, f"{block}.intermediate.dense"))
        x = norm(x + linear(inner, w, f"{block}.output.dense"), w, f"{block}.output.LayerNorm", eps)
    return x


def unit(rows):
    return F.normalize(rows, dim=-1).numpy()
