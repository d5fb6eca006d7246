"""Weights that a stranger sends: checkpoints of every loader, cut, exchanged, with code inside."""

import io
import json
import os
import pickle
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
import yaml
from case import Case
from safetensors.torch import load_file, save_file

import vlmbias as vb
from vlmbias import paths
from vlmbias.generation import vqgan

sys.path.append(str(Path(__file__).parents[1] / "generation"))
from test_vqgan import about


class _Code:
    """A pickle that runs a command."""

    def __reduce__(self) -> Any:
        return os.system, ('touch "$HOSTILE_CANARY"',)


def _folder(change: Callable[[Path], Any], root: Path) -> Any:
    """A copy of the shipped model with something changed, loaded, and one picture embedded."""
    place = root / "model"
    shutil.copytree(paths.data() / "greenhouse/default", place)
    change(place)
    encoder = vb.encoder(str(place), device="cpu")
    faces = vb.images("greenhouse/cfd")
    return vb.embed(encoder, faces.where(faces.table.index < 2), store=False).vectors.shape


def _config(part: str, **new: Any) -> Callable[[Path], Any]:
    def change(place: Path) -> None:
        file = place / "open_clip_config.json"
        content = json.loads(file.read_text())
        (content["model_cfg"][part] if part in content["model_cfg"] else content[part]).update(new)
        file.write_text(json.dumps(content))

    return change


def _write(name: str, content: bytes) -> Callable[[Path], Any]:
    return lambda place: (place / name).write_bytes(content)


def _cut(name: str, share: float) -> Callable[[Path], Any]:
    return lambda place: (place / name).write_bytes(
        (place / name).read_bytes()[: int((place / name).stat().st_size * share)]
    )


def _weights(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], Any]:
    def do(place: Path) -> None:
        weights = load_file(place / "model.safetensors")
        change(weights)
        save_file(
            {name: one.contiguous() for name, one in weights.items()}, place / "model.safetensors"
        )

    return do


def _nan(weights: dict[str, Any]) -> None:
    weights["visual.conv1.weight"][0] = float("nan")


WORDS = (paths.data() / "greenhouse/default/words.txt").read_text().splitlines()


def _words(*words: str) -> Callable[[Path], Any]:
    return _write("words.txt", "\n".join(words).encode())


def _gone(name: str) -> Callable[[Path], Any]:
    return lambda place: (place / name).unlink()


def _pipe(place: Path) -> None:
    (place / "model.safetensors").unlink()
    os.mkfifo(place / "model.safetensors")


CONFIG = (r"open_clip_config\.json",)
CHECKPOINTS: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "as it is": (lambda place: None, ()),
    "half of the weights": (_cut("model.safetensors", 0.5), ("cannot be read", "model")),
    "a pickle in their place": (_write("model.safetensors", pickle.dumps(_Code())), ("model",)),
    "another pickle beside": (_write("open_clip_pytorch_model.bin", pickle.dumps(_Code())), ()),
    "no weights": (_gone("model.safetensors"), (r"lacks model\.safetensors",)),
    "weights that are a pipe": (_pipe, ("model", "regular|there is no|lacks")),
    "NaN in the weights": (_weights(_nan), ("not finite", "NaN", "fetch it again")),
    "an array too few": (_weights(lambda w: w.pop("logit_scale")), ("logit_scale",)),
    "an array too many": (_weights(lambda w: w.update(more=w["logit_scale"].clone())), ("more",)),
    "an array of another shape": (
        _weights(lambda w: w.update({"text_projection": w["text_projection"][:3]})),
        ("text_projection",),
    ),
    "code among the keys": (_config("vision_cfg", act_kwargs={"x": 1}), ("the key 'act_kwargs'",)),
    "a model from a hub": (_config("vision_cfg", timm_model_name="hf-hub:x/y"), ("hf-hub:x/y",)),
    "a tokenizer from a hub": (_config("text_cfg", hf_tokenizer_name="x/y"), ("not taken from",)),
    "a width that is none": (_config("text_cfg", width={"a": 1}), ("width = .* is not a number",)),
    "ten thousand layers": (_config("vision_cfg", layers=10_000), ("are more than the .* arrays",)),
    "layers in stages": (_config("vision_cfg", layers=[1, 1, 1, 900_000]), ("are more than",)),
    "a context of a billion": (
        _config("text_cfg", context_length=10**9),
        ("context_length = .* is not from -1 to 4,096",),
    ),
    "an interpolation that is none": (
        _config("preprocess_cfg", interpolation="magic"),
        ("interpolation = 'magic' is not one of",),
    ),
    "a way to resize that is none": (
        _config("preprocess_cfg", resize_mode="x"),
        ("resize_mode = 'x' is not one of shortest, longest, squash",),
    ),
    "a deviation of two": (
        _config("preprocess_cfg", std=[0.5, 0.5]),
        ("neither a number nor three of them",),
    ),
    "another key of preprocessing": (_config("preprocess_cfg", code="x"), ("the key 'code'",)),
    "no configuration": (_gone("open_clip_config.json"), ("lacks open_clip_config",)),
    "a configuration that is a list": (
        _write("open_clip_config.json", b"[1]"),
        ("holds a list, not entries with names",),
    ),
    "a configuration cut short": (_cut("open_clip_config.json", 0.5), (*CONFIG, "perhaps cut")),
    "a configuration without a model": (
        _write("open_clip_config.json", b"{}"),
        ("has no entries under model_cfg",),
    ),
    "no words": (_gone("words.txt"), (r"there is no words\.txt",)),
    "half of the words": (_words(*WORDS[: len(WORDS) // 2]), ("words",)),
    "words that are no text": (_write("words.txt", b"\xff\xfe"), ("cannot be read",)),
    "words in another order": (_words(WORDS[0], *WORDS[-2:0:-1], WORDS[-1]), ("stands after",)),
    "words that begin otherwise": (_words(*WORDS[1::-1], *WORDS[2:]), ("must begin with <pad>",)),
    "words that end otherwise": (_words(*WORDS[:-2], *WORDS[:-3:-1]), ("end with <end>",)),
    "a card that is a list": (_write("card.json", b"[]"), (r"card\.json holds a list",)),
    "a card of another pairing": (
        _write("card.json", b'{"pairing": [1]}'),
        (r"pairing = \[1\] does not say of each grouping",),
    ),
}


def _zip(content: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, own in content.items():
            archive.writestr(name, own)
    return stream.getvalue()


def _torch(thing: Any, **options: Any) -> bytes:
    stream = io.BytesIO()
    torch.save(thing, stream, **options)
    return stream.getvalue()


FILES: dict[str, tuple[Callable[[], bytes], tuple[str, ...]]] = {
    "zero bytes": (lambda: b"", ("empty", "cut short")),
    "a web page": (lambda: b"<html>", ("torch", "6 bytes begin with b'<html>'")),
    "a bare pickle with code": (lambda: pickle.dumps(_Code()), ("torch|tensor",)),
    "code in the legacy form": (
        lambda: _torch({"state_dict": _Code()}, _use_new_zipfile_serialization=False),
        ("is no tensor",),
    ),
    "an archive with a way upwards": (
        lambda: _zip({"../../executed": b"x", "archive/data.pkl": b"\x80\x02N."}),
        (r"\.p|\.ckpt",),
    ),
    "a list": (lambda: _torch([1, 2]), ("no weights under", "list")),
    "words for weights": (lambda: _torch({"state_dict": {"a": "b"}}), ("no weights under",)),
}
OF_EACH: dict[str, tuple[Callable[[], bytes], tuple[str, ...]]] = {
    "code beside the weights": (
        lambda: _torch({"model": {}, "state_dict": {}, "args": _Code()}),
        ("is no tensor",),
    ),
}
LOADERS = ("answers", "captions", "retrieval", "slip", "vqgan")


def _load(loader: str, content: bytes, root: Path) -> Any:
    name = {"vqgan": "model.ckpt", "slip": "SLIP.pt"}.get(loader, f"blip_{loader}.pth")
    (root / name).write_bytes(content)
    (root / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n")
    if loader == "vqgan":
        (root / "model.yaml").write_text(yaml.safe_dump(about()))
        return vqgan.load(str(root / name), device="cpu")
    makes = {"answers": vb.answerer, "captions": vb.captioner}.get(loader, vb.encoder)
    return makes(str(root / name), device="cpu")


def _speaker(kind: str, name: str, content: bytes, root: Path) -> Any:
    """A copy of a shipped speaker or decoder with one file exchanged."""
    shutil.copytree(paths.data() / "greenhouse" / kind, root / "model")
    (root / "model" / name).write_bytes(content)
    return {"answers": vb.answerer, "captions": vb.captioner, "decoder": vqgan.load}[kind](
        str(root / "model")
    )


SPOKEN = [
    ("answers", "config.json", b'{"a": '),
    ("decoder", "config.json", b"[1]"),
    ("answers", "card.json", b'{"pairing": 3}'),
    ("captions", "vocab.txt", b""),
    ("captions", "model.safetensors", b"\x08\0\0\0\0\0\0\0{"),
    ("decoder", "diffusion_pytorch_model.safetensors", b"cut"),
]


def cases() -> Iterator[Case]:
    """Folders in the Greenhouse's layout, then single files for every other loader."""
    for name, (change, says) in CHECKPOINTS.items():
        yield Case(f"a folder: {name}", partial(_folder, change), says)
    for kind, name, content in SPOKEN:
        do = partial(_speaker, kind, name, content)
        yield Case(f"{kind}: {name} is {content!r}", do, (name.replace(".", r"\."),))
    for loader in LOADERS:
        for name, (make, says) in (OF_EACH | (FILES if loader == "slip" else {})).items():
            yield Case(f"{loader}: {name}", partial(_load, loader, make()), says)
