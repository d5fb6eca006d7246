"""Weights that a stranger sends: checkpoints of every loader, cut, exchanged, with code inside."""

import io
import json
import os
import pickle
import shutil
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from case import Case


class _Code:
    """A pickle that runs a command."""

    def __reduce__(self) -> Any:
        return os.system, ('touch "$HOSTILE_CANARY"',)


class _Import:
    def __reduce__(self) -> Any:
        return __import__, ("antigravity",)


def _folder(root: Path, change: Callable[[Path], Any]) -> Any:
    """A copy of the shipped model with something changed, loaded, and one picture embedded."""
    import vlmbias as vb
    from vlmbias import paths

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
        from safetensors.torch import load_file, save_file

        weights = load_file(place / "model.safetensors")
        change(weights)
        save_file(
            {name: one.contiguous() for name, one in weights.items()}, place / "model.safetensors"
        )

    return do


def _nan(weights: dict[str, Any]) -> None:
    weights["visual.conv1.weight"][0] = float("nan")


def _words(change: Callable[[list[str]], list[str]]) -> Callable[[Path], Any]:
    def do(place: Path) -> None:
        lines = (place / "words.txt").read_text().splitlines()
        (place / "words.txt").write_text("\n".join(change(lines)) + "\n")

    return do


CHECKPOINTS: dict[str, tuple[Callable[[Path], Any], tuple[str, ...]]] = {
    "as it is": (lambda place: None, ()),
    "weights of zero bytes": (_cut("model.safetensors", 0), (r"model\.safetensors|model",)),
    "half of the weights": (_cut("model.safetensors", 0.5), (r"model",)),
    "a pickle in their place": (_write("model.safetensors", pickle.dumps(_Code())), ("model",)),
    "a web page in their place": (_write("model.safetensors", b"<!DOCTYPE html>" * 99), ("model",)),
    "no weights": (lambda place: (place / "model.safetensors").unlink(), (r"model\.safetensors",)),
    "weights that are a pipe": (
        lambda place: (
            (place / "model.safetensors").unlink(),
            os.mkfifo(place / "model.safetensors"),
        ),
        ("model", "regular|there is no|lacks"),
    ),
    "NaN in the weights": (_weights(_nan), ("NaN|finite",)),
    "an array too few": (_weights(lambda w: w.pop("logit_scale")), ("logit_scale",)),
    "an array too many": (_weights(lambda w: w.update(more=w["logit_scale"].clone())), ("more",)),
    "an array of another shape": (
        _weights(lambda w: w.update({"text_projection": w["text_projection"][:3]})),
        ("text_projection",),
    ),
    "code among the keys": (
        _config("vision_cfg", trust_remote_code=True),
        ("trust_remote_code", "known"),
    ),
    "a model from a hub": (_config("vision_cfg", timm_model_name="hf-hub:x/y"), ("hf-hub:x/y",)),
    "a tokenizer from a hub": (
        _config("text_cfg", hf_tokenizer_name="x/y"),
        ("hf_tokenizer_name",),
    ),
    "ten thousand layers": (_config("vision_cfg", layers=10_000), ("layers = 10000",)),
    "a width of nothing": (_config("vision_cfg", width=0), ("width|shape|fit|model",)),
    "a context of a billion": (_config("text_cfg", context_length=10**9), ("context_length",)),
    "an interpolation that is none": (
        _config("preprocess_cfg", interpolation="magic"),
        ("interpolation", "magic"),
    ),
    "a mean of words": (_config("preprocess_cfg", mean="grey"), ("mean",)),
    "a configuration that is a list": (
        _write("open_clip_config.json", b"[1]"),
        (r"open_clip_config\.json",),
    ),
    "a configuration cut short": (_cut("open_clip_config.json", 0.5), (r"open_clip_config\.json",)),
    "a configuration without a model": (
        _write("open_clip_config.json", b"{}"),
        (r"open_clip_config\.json",),
    ),
    "half of the words": (_words(lambda lines: lines[: len(lines) // 2]), ("words",)),
    "words in another order": (
        _words(lambda lines: [lines[0], *lines[1:-1][::-1], lines[-1]]),
        ("words", "stands after"),
    ),
    "a card that is a list": (_write("card.json", b"[]"), (r"card\.json",)),
    "a card cut short": (_write("card.json", b'{"pairing": '), (r"card\.json",)),
    "another pickle beside": (_write("open_clip_pytorch_model.bin", pickle.dumps(_Code())), ()),
}


def _zip(content: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, own in content.items():
            archive.writestr(name, own)
    return stream.getvalue()


def _torch(thing: Any, **options: Any) -> bytes:
    import torch

    stream = io.BytesIO()
    torch.save(thing, stream, **options)
    return stream.getvalue()


FILES: dict[str, tuple[Callable[[], bytes], tuple[str, ...]]] = {
    "zero bytes": (lambda: b"", ("empty",)),
    "a web page": (lambda: b"<html>", ("torch",)),
    "a bare pickle with code": (lambda: pickle.dumps(_Code()), ("torch|tensor",)),
    "an import in a pickle": (lambda: pickle.dumps(_Import()), ("torch|tensor",)),
    "code under the weights' key": (
        lambda: _torch({"model": _Code(), "state_dict": _Code()}),
        ("tensor|code",),
    ),
    "code beside the weights": (
        lambda: _torch({"model": {}, "state_dict": {}, "args": _Code()}),
        ("tensor|code",),
    ),
    "code in the legacy form": (
        lambda: _torch({"model": _Code()}, _use_new_zipfile_serialization=False),
        ("tensor|code",),
    ),
    "an archive without a pickle": (lambda: _zip({"a/b": b"x"}), ("torch",)),
    "an archive with a way upwards": (
        lambda: _zip({"../../executed": b"x", "archive/data.pkl": b"\x80\x02N."}),
        (r"\.p|\.ckpt",),
    ),
    "no weights at all": (lambda: _torch({"epoch": 1}), ("no weights under", "epoch")),
    "a list": (lambda: _torch([1, 2]), ("no weights under", "list")),
    "words for weights": (
        lambda: _torch({"model": {"a": "b"}, "state_dict": {"a": "b"}}),
        ("no weights under",),
    ),
}
LOADERS = ("answers", "captions", "retrieval", "slip", "vqgan")


def _load(loader: str, content: bytes, root: Path) -> Any:
    import vlmbias as vb
    from vlmbias.generation import vqgan

    name = {"vqgan": "model.ckpt", "slip": "SLIP.pt"}.get(loader, f"blip_{loader}.pth")
    (root / name).write_bytes(content)
    (root / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n")
    if loader == "vqgan":
        import test_vqgan
        import yaml

        (root / "model.yaml").write_text(yaml.safe_dump(test_vqgan.about()))
        return vqgan.load(str(root / name), device="cpu")
    makes = {"answers": vb.answerer, "captions": vb.captioner}.get(loader, vb.encoder)
    return makes(str(root / name), device="cpu")


def _speaker(kind: str, name: str, content: bytes, root: Path) -> Any:
    """A copy of a shipped speaker or decoder with one file exchanged."""
    import vlmbias as vb
    from vlmbias import paths
    from vlmbias.generation import vqgan

    shutil.copytree(paths.data() / "greenhouse" / kind, root / "model")
    (root / "model" / name).write_bytes(content)
    return {"answers": vb.answerer, "captions": vb.captioner, "decoder": vqgan.load}[kind](
        str(root / "model")
    )


SPOKEN: list[tuple[str, str, bytes]] = [
    *(
        (kind, "config.json", content)
        for kind in ("answers", "captions", "decoder")
        for content in (b"[1]", b'{"a": ', b"")
    ),
    *(
        (kind, "card.json", content)
        for kind in ("answers", "captions")
        for content in (b"[]", b"{", b'{"pairing": 3}')
    ),
    *(
        (kind, "vocab.txt", content)
        for kind in ("answers", "captions")
        for content in (b"", b"<html>", b"[PAD]\na\n")
    ),
]


def cases() -> Iterator[Case]:
    """Folders in the Greenhouse's layout, then single files for every other loader."""
    for name, (change, says) in CHECKPOINTS.items():
        yield Case(
            "checkpoint folders", name, lambda root, change=change: _folder(root, change), says
        )
    for kind, name, content in SPOKEN:
        yield Case(
            "speakers and painters",
            f"{kind}: {name} is {content!r}",
            partial(_speaker, kind, name, content),
            (name.replace(".", r"\."),),
        )
    for name, (make, says) in FILES.items():
        for loader in LOADERS:
            yield Case(
                "weights",
                f"{loader}: {name}",
                lambda root, loader=loader, make=make: _load(loader, make(), root),
                says,
            )
