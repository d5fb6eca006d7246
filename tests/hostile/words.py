"""What a reader types or writes down: commands, parameters, settings, recipes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from case import Case

BOMB = "\n".join(
    [
        "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]",
        *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)),
    ]
)
CODE = "!!python/object/apply:os.system ['touch $HOSTILE_CANARY']"
PAGE = "american_white/we_they"


def command(*words: str) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from runner import commands, execute
        from runner.commands import graph

        def begun(*_: Any, **__: Any) -> None:
            raise AssertionError("it started")

        graph.become_snakemake = graph.only_one = execute.run = begun
        return commands.main([word.replace("ROOT", str(root)) for word in words])

    return do


COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("run", "american_white/we_thy"): ("we_thy", "we_they|there are"),
    ("run", "../../etc/passwd"): (r"\.\./\.\./etc/passwd", "there are"),
    ("run", ""): ("''|no notebook", "there are"),
    ("run", PAGE, "-p", "sed=1"): ("sed", "seed"),
    ("run", PAGE, "-p", "seed=one"): ("seed = 'one'", "integer"),
    ("run", PAGE, "-p", "seed=1e400"): ("seed", "1e400", "integer"),
    ("run", PAGE, "-p", "seed=١"): ("seed", "integer"),
    ("run", PAGE, "-p", "model=../../../etc"): (
        r"model = '\.\./\.\./\.\./etc'",
        "model|there are",
    ),
    ("run", PAGE, "-p", "model=hf-hub:evil/model"): ("hf-hub:evil/model",),
    ("run", PAGE, "-p", "model="): ("model = ''",),
    ("run", PAGE, "-p", "stimuli=greenhouse/cdf"): ("greenhouse/cdf", "greenhouse/cfd"),
    ("run", PAGE, "-p", "stimuli=folder"): ("root", "-p root=PATH"),
    ("run", PAGE, "-p", "root=/nowhere"): ("/nowhere", "no such folder|reads no folder"),
    ("run", PAGE, "-p", "root=ROOT"): ("reads no folder", "-p stimuli=folder"),
    ("run", PAGE, "-p", "results=/tmp/x.json"): ("results", "leave it out"),
    ("run", PAGE, "--settings", "papr"): ("papr", "paper"),
    ("run", PAGE, "--settings", "../settings/smoke"): (r"\.\./settings/smoke", "there are"),
    ("run", PAGE, "--seeds", "two"): ("--seeds", "integer"),
    ("run", "american_white/implicit_bias", "-p", "stimuli=folder", "-p", "root=ROOT"): ("folder",),
    ("book", "--settings", "nope"): ("nope", "there are"),
    ("book", "--settings", ""): ("''", "there are"),
    ("book", "--profile", "../default"): (r"\.\./default", "there are"),
    ("book", "_bild/site"): ("_bild/site", "target"),
    ("bok",): ("bok", "book"),
    ("run", "causalface", "-p", "model=nope/none"): ("nope/none",),
    ("run", "causal", "-p", "model=greenhouse"): ("causal", "causalface"),
    ("sources", "--fetch", "fairfce"): ("fairfce", "there are|fairface"),
    ("sources", "--fetch", "cfd"): ("cfd", "cannot be downloaded for you"),
    ("sources", "--check", "cdf"): ("cdf", "cfd"),
    ("sources", "--check", "cfd", "/nowhere"): ("/nowhere", "no folder"),
    ("sources", "--check", "utkface", "ROOT/pipe"): ("utkface", "no folder"),
    ("train", "nope"): ("nope", "there is no recipe", "default"),
    ("train", "default", "--seed", "-1"): ("-1", "seed"),
    ("train", "default", "--b", "nan"): ("nan", "b"),
    ("train", "default", "--b", "1.01"): ("1.01", "b"),
    ("campaign", "paint"): ("name", "paintings"),
    ("campaign", "speakers", "--jobs", "1e3"): ("jobs", "integer"),
    ("campaign", "paintings", "--jobs", "-2"): ("jobs", "equal to 1"),
    ("train-network", "fleet", "../planted-000"): (r"\.\./planted-000", "nobody asked"),
    ("sweep", "--stimuli", "grenhouse"): ("grenhouse", "greenhouse"),
}


def settings(text: str | bytes) -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from runner import plan
        from vlmbias import paths

        real = paths.root()
        (root / "data/settings").mkdir(parents=True)
        (root / "notebooks").symlink_to(real / "notebooks")
        (root / "data/settings/mine.yaml").write_bytes(
            text.encode() if isinstance(text, str) else text
        )
        os.environ["VLMBIAS_ROOT"] = str(root)
        return plan.settings("mine")

    return do


SETTINGS: dict[str | bytes, tuple[str, ...]] = {
    "parameters: {sed: 1}": ("mine.yaml", "'sed'"),
    "parameters: [seed, 1]": ("mine.yaml", "parameters"),
    "parameters: {seed: {deep: 1}}": ("mine.yaml|parameters",),
    "paramters: {seed: 1}": ("mine.yaml", "paramters"),
    "identities: ten": ("mine.yaml", "identities"),
    "identities: .inf": ("mine.yaml", "identities"),
    "identities: true": ("mine.yaml", "identities"),
    "[1, 2]": ("mine.yaml",),
    "just words": ("mine.yaml",),
    "a: b: c": ("mine.yaml:1", "YAML"),
    "identities: 3\nidentities: 4": ("mine.yaml", "given twice"),
    "\tidentities: 3": ("mine.yaml:1", "YAML"),
    f"parameters: {CODE}": ("mine.yaml", "YAML"),
    "parameters: !!python/name:os.system": ("mine.yaml", "YAML"),
    f"parameters:\n  {BOMB.replace(chr(10), chr(10) + '  ')}": ("mine.yaml", "aliases"),
    b"\xff\xfe\x00": ("mine.yaml",),
    bytes(2000): ("mine.yaml",),
    "identities: " + "9" * 5000: ("mine.yaml",),
    "[" * 3000: ("mine.yaml",),
}


def recipe(text: str | bytes, name: str = "mine.yaml") -> Callable[[Path], Any]:
    def do(root: Path) -> Any:
        from greenhouse.train import recipe as recipes

        (root / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return recipes.read(root / name)

    return do


RECIPES: dict[str | bytes, tuple[str, ...]] = {
    "name: ../../x": ("name", r"\.\./\.\./x"),
    "name: /tmp/x": ("name", "/tmp/x"),
    "name: ..": ("name", r"'\.\.'"),
    "name: .hidden": ("name", "hidden"),
    "name: a\\b": ("name",),
    "architecture: {vision: {timm_model_name: 'hf-hub:evil/x'}}": (
        "timm_model_name",
        "hf-hub:evil/x",
    ),
    "architecture: {vision: {timm_model_name: 'local-dir:/tmp'}}": ("timm_model_name", "local-dir"),
    "architecture: {vision: {layers: 1000000}}": ("layers", "1000000"),
    "architecture: {vision: {image_size: 64, patch_size: 7, width: 96, layers: 2}}": (
        "patch_size",
        "7",
    ),
    "architecture: {text: {width: 65, heads: 2}}": ("heads", "65"),
    "architecture: {text: {width: 64.0}}": ("width", "64.0"),
    "architecture: {vision: {code: 'os.system'}}": ("code", "there are"),
    "architecture: {embed_dim: 0}": ("embed_dim", "0"),
    "schedule: {steps: -1}": ("steps", "-1"),
    "schedule: {steps: 1000000000000}": ("steps",),
    "schedule: {steps: 10.5}": ("steps", "10.5"),
    "captions: {b: 2}": ("b", "2"),
    "captions: {b: .nan}": ("b",),
    "captions: {filter: {feature: age}}": ("filter",),
    "pool: {faces: 0}": ("faces", "0"),
    "pool: {shares: {teal: -1}}": ("shares|teal",),
    "pairing: random": ("pairing", "random"),
    "sed: 1": ("sed",),
    "- a\n- b": ("mine.yaml",),
    "schedule: [": ("mine.yaml", "YAML"),
    f"name: {CODE}": ("mine.yaml", "YAML"),
    BOMB: ("mine.yaml",),
    b"\xff\xfe\x00": ("mine.yaml",),
    "name: " + "x" * 100_000: ("name",),
}


def _prepared(do: Callable[[Path], Any]) -> Callable[[Path], Any]:
    def with_pipe(root: Path) -> Any:
        os.mkfifo(root / "pipe")
        return do(root)

    return with_pipe


def cases() -> Iterator[Case]:
    """Words of the command line, settings files, recipes."""
    for words, says in COMMANDS.items():
        yield Case(
            "command line and parameters",
            " ".join(words) or "nothing",
            _prepared(command(*words)),
            says,
        )
    for text, says in SETTINGS.items():
        yield Case("settings", repr(text)[:60], settings(text), says)
    for text, says in RECIPES.items():
        yield Case("recipes", repr(text)[:60], recipe(text), says)
