"""Bundles of results and claim files that a stranger wrote."""

import copy
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from case import Case

VALUE = {
    "claim": "we_they.clip.wa.d",
    "protocol": "described",
    "value": 0.4612,
    "stimuli": "cfd",
    "model": "ViT-B-32-quickgelu/openai",
}
CHAPTER = {
    "notebook": "american_white/we_they",
    "settings": "paper",
    "commit": "68bf64f0bd",
    "code": "a" * 64,
    "seconds": 15,
    "machine": "Linux x86_64, 2 cores",
    "versions": {"numpy": "2.4.6"},
    "parameters": {"seed": 0},
    "data": {"cfd": {"hash": "b" * 64, "whole": True, "drawn": False}},
    "values": [VALUE],
}
BUNDLE = {
    "format": "vlmbias results 1",
    "paper": "american_white",
    "by": "A. Reader",
    "chapters": [CHAPTER],
}


def _root(root: Path) -> None:
    from vlmbias import paths

    real = paths.root()
    shutil.copytree(real / "data/claims", root / "data/claims")
    shutil.copy(real / "data/sources.yaml", root / "data")
    (root / "data/sources").symlink_to(real / "data/sources")
    (root / "notebooks").symlink_to(real / "notebooks")
    os.environ["VLMBIAS_ROOT"] = str(root)


def bundle(content: Any, name: str = "theirs.json") -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from vlmbias.ledger import bundles

        _root(root)
        path = root / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        try:
            return bundles.add(path)
        finally:
            kept = list((root / "data").glob("contributed/**/*.json"))
            assert all(one.parent == root / "data/contributed/american_white" for one in kept), kept

    return do


def changed(place: str, value: Any) -> dict[str, Any]:
    whole = copy.deepcopy(BUNDLE)
    *way, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
    inside: Any = whole
    for step in way:
        inside = inside[step]
    inside[last] = value
    return whole


CHANGES: list[tuple[str, Any, tuple[str, ...]]] = [
    ("paper", "../../etc", ("paper",)),
    ("paper", "causalface", ("causalface",)),
    ("by", "../../x", ("by", r"\.\./\.\./x")),
    ("by", "\x1b[31mred", ("by",)),
    ("by", "A\n- B", ("by",)),
    ("by", "x" * 300, ("by", "100")),
    ("by", {"name": "A"}, ("by", "string")),
    ("chapters.0.notebook", "american_white/../x", ("notebook",)),
    ("chapters.0.settings", "pa per", ("settings",)),
    ("chapters.0.commit", "HEAD", ("commit",)),
    ("chapters.0.seconds", -1, ("seconds", "greater")),
    ("chapters.0.seconds", "quick", ("seconds", "number")),
    ("chapters.0.machine", "ann@host:/home/ann", ("machine",)),
    ("chapters.0.versions", {"a": 1}, ("versions",)),
    ("chapters.0.parameters", {"root": "/home/ann"}, ("/home/ann", "path")),
    ("chapters.0.parameters", {"x": None}, ("parameters",)),
    (
        "chapters.0.data",
        {"cfd": {"hash": "b" * 63, "whole": True, "drawn": False}},
        ("data.cfd.hash",),
    ),
    ("chapters.0.values.0.value", "0.46", ("value", "number")),
    ("chapters.0.values.0.value", 1e308, ("value",)),
    ("chapters.0.values.0.value", [0.4], ("value",)),
    ("chapters.0.values.0.claim", "we_they.clip.wa", ("no claim",)),
    ("chapters.0.values.0.claim", "__proto__", ("no claim", "__proto__")),
    ("chapters.0.values.0.model", "<script>x</script>/../..", ("model",)),
    ("chapters.0.values.0.stimuli", "", ("stimuli", "1 character")),
    ("chapters.0.values.0.weights", "abc", ("weights",)),
]
RAW: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "nothing": (b"", ("theirs.json",)),
    "zeros": (bytes(500), ("theirs.json",)),
    "UTF-16": (json.dumps(BUNDLE).encode("utf-16-le")[1:], ("theirs.json",)),
    "a pickle": (b"\x80\x04cposix\nsystem\n(S'touch $HOSTILE_CANARY'\ntR.", ("theirs.json",)),
    "a picture": (b"\x89PNG\r\n\x1a\n", ("theirs.json",)),
    "half of it": (json.dumps(BUNDLE).encode()[:300], ("theirs.json",)),
    "two of them": (json.dumps(BUNDLE).encode() * 2, ("theirs.json",)),
    "a million brackets": (b"[" * 1_000_000, ("theirs.json", "recursion")),
    "ten thousand digits": (
        json.dumps(BUNDLE).replace("0.4612", "1" * 10_000).encode(),
        ("theirs.json",),
    ),
    "infinity": (json.dumps(BUNDLE).replace("0.4612", "Infinity").encode(), ("Infinity", "finite")),
    "a key twice": (json.dumps(BUNDLE).replace('"by"', '"by": "B", "by"').encode(), ("twice",)),
    "a web page": (b"<!DOCTYPE html>", ("theirs.json",)),
}
CLAIMS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a value as a number": ("value: '.51'", "value: .51", ("claims/example.yaml:", "string")),
    "an unknown key": ("unit: d", "unti: d", ("claims/example.yaml:", "unit")),
    "code": (
        "citation: An example",
        "citation: !!python/object/apply:os.system ['touch $HOSTILE_CANARY']",
        ("claims/example.yaml:", "YAML"),
    ),
    "a way to another folder": (
        "notebook: example/one",
        "notebook: ../one",
        ("claims/example.yaml:", "notebook"),
    ),
    "an id of HTML": ("id: one.first", "id: <b>", ("claims/example.yaml:", "id")),
    "a line break in a word": (
        "quantity: d",
        'quantity: "d\\n"',
        ("claims/example.yaml:", "quantity"),
    ),
    "zeros": ("citation: An example", "\x00", ("claims/example.yaml:",)),
    "an alias to nothing": ("unit: d", "unit: *d", ("claims/example.yaml:", "alias")),
}
GOOD = (
    "citation: An example\nclaims:\n- id: one.first\n  notebook: example/one\n  where: Table 1\n"
    "  model: none\n"
    "  data: none\n  target: none\n  unit: d\n  quantity: d\n  subject: first\n  value: '.51'\n"
)


def claim(old: str, new: str) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from vlmbias.ledger import claims

        (root / "claims").mkdir()
        assert old in GOOD
        (root / "claims/example.yaml").write_text(GOOD.replace(old, new))
        return claims.read(root / "claims/example.yaml")

    return do


def cases() -> Iterator[Case]:
    """Bundles, then claim files."""
    yield Case("bundles", "a good one", bundle(BUNDLE))
    yield Case("bundles", "a good one by <b>Ann</b>", bundle(changed("by", "<b>Ann<b>")))
    for place, value, says in CHANGES:
        yield Case("bundles", f"{place} = {value!r:.40}", bundle(changed(place, value)), says)
    for name, (content, says) in RAW.items():
        yield Case("bundles", name, bundle(content), says)
    yield Case("claim files", "a good one", claim("unit: d", "unit: d"))
    for name, (old, new, says) in CLAIMS.items():
        yield Case("claim files", name, claim(old, new), says)
