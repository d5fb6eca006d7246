"""What a run uses: the sources and the weights that its parameters name, and what the heading of
its second section calls them: "the Chicago Face Database, with OpenAI's CLIP (ViT-B-32)".

What the meaning of a parameter begins with "Greenhouse:" is for the laboratory's section, and with
"Words:" for one that compares words alone; both count for nothing here."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from runner.parameters import Parameter
from vlmbias import paths
from vlmbias.sources.folders import FILES, PLACES
from vlmbias.sources.published_weights import source_of
from vlmbias.stimuli.reader_folders import SUPPLIED

ROOMS = {
    "model": "vlmbias.embedding",
    "model that answers": "vlmbias.generation.text",
    "model that describes": "vlmbias.generation.text",
    "model that paints": "vlmbias.generation.vqgan",
}
"""What looks whether the files of a model of each kind are at hand; the kernel that uses it loads
it."""
_SHIPPED = ("greenhouse", "data/")  # among the files of a run
GREENHOUSE = "the Greenhouse"
CALLED = {
    **{name: one.called for name, one in SUPPLIED.items()},
    **{
        f"{name}/{variant}": called
        for name, one in SUPPLIED.items()
        for variant, called in one.variants.items()
        if called
    },
    "folder": "your own folder",
    # tables
    "census-shares": "the released census shares",
    "map-iat": "the IAT by state",
    # models
    "ViT-B-32-quickgelu/openai": "OpenAI's CLIP (ViT-B-32)",
    "RN50-quickgelu/cc12m": "the ResNet trained on CC12M",
    "slip": "SLIP",
    "blip": "BLIP",
    "vqgan": "the VQGAN of WikiArt",
}
"""How a heading calls an image set, a table or a model; of a name with a slash, by what stands
before it, too."""
TABLES = {("places", "released"): "census-shares", ("iat", "file"): "map-iat"}
"""Which table the value of a parameter stands for; the census shares come with the repository."""
ON_A_TABLE = ("pretraining/downstream", "pretraining/upstream")
"""Chapters whose second section needs `clip-bias-results`, and is empty without it."""
APART = ("Greenhouse:", "Words:")
_LITERAL = re.compile(r"""vb\.(?:images|perceive)\(f?["'](greenhouse/[^"']+)["']""")


def named(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, list[str]]:
    """The image sets, tables and models that the second section uses, by kind, each named once.

    Where the released cosines are given they stand for the images, and for a model that would look
    at them.
    """
    everything = {name: values.get(name, one.default) for name, one in known.items()}
    found: dict[str, list[str]] = {"images": [], "tables": [], "models": []}
    for name, one in known.items():
        if one.meaning.startswith(APART):
            continue
        if one.kind == "image set" or one.kind.startswith("model"):
            kind = "images" if one.kind == "image set" else "models"
            found[kind] += [str(item) for item in one.named(everything[name]) if item]
        elif table := TABLES.get((name, str(everything[name]))):
            found["tables"].append(table)
    if everything.get("cosines"):
        found |= {"images": [], "tables": ["causalface-cosines"], "models": []}
    return {kind: list(dict.fromkeys(names)) for kind, names in found.items()}


def in_a_folder(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> bool:
    """Whether a folder is given in which the pictures lie."""
    return any(
        one.kind == "folder" and name != "cosines" and any(one.named(values.get(name, one.default)))
        for name, one in known.items()
    )


def models(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> list[str]:
    """The models of others that the second section runs, by name."""
    return [name for name in named(known, values)["models"] if not _ours(name)]


def sources(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> list[str]:
    """The sources that the values name: sets of images, tables, weights that are files of their
    own.

    A set of which a folder is given lies elsewhere: its usual place says nothing of it.
    """
    used, placed = named(known, values), in_a_folder(known, values)
    sets = (name.partition("/")[0] for name in used["images"])
    keys = [
        *([] if placed else (name for name in sets if name in PLACES)),
        *(name for name in used["tables"] if name in (*PLACES, *FILES)),
        *filter(None, map(source_of, used["models"])),
    ]
    return list(dict.fromkeys(keys))


def weights(
    known: Mapping[str, Parameter], values: Mapping[str, Any], given: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    """The state of the weights of every model among these values that is not shipped, like those of
    sources (`vlmbias.sources.state`), by `weights of <model>`.

    A section whose weights are missing becomes a note, but not if a person named the model: then it
    is an error of the run.

    Parameters
    ----------
    known : the notebook's parameters, by name.
    values : value by name, from the settings and from the reader.
    given : which of them the reader gave; of these only what is there is told, and of models whose
        weights are a source, which says itself that they are missing.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        for model in (str(one) for one in known[name].named(value) if known[name].kind in ROOMS):
            if not model or model.startswith(_SHIPPED):
                continue
            state = _state(known[name].kind, model)
            if state["available"] or not (name in given or source_of(model)):
                found[f"weights of {model}"] = state
    return found


@cache
def _state(kind: str, model: str) -> dict[str, Any]:
    try:
        return {"available": True, "note": "", "hash": import_module(ROOMS[kind]).present(model)}
    except FileNotFoundError as missing:
        return {"available": False, "note": str(missing), "hash": ""}


def label(
    notebook: str,
    known: Mapping[str, Parameter],
    values: Mapping[str, Any],
    *,
    rendered: Iterable[str] = (),
    states: Mapping[str, Mapping[str, Any]],
) -> str:
    """What the second section runs on, in words.

    Parameters
    ----------
    notebook : its name, `<paper>/<name>`.
    known, values : its parameters, and the values that differ from their defaults.
    rendered : sets that its cells name themselves (`rendered_sets`).
    states : of its sources (`vlmbias.sources.state`): a set that is an export of the Greenhouse is
        called that.
    """
    if notebook in ON_A_TABLE:
        there = states.get("clip-bias-results", {}).get("available", False)
        return "the authors’ table" if there else "the authors’ table (not at hand)"
    used = named(known, values)
    sets = [*used["images"], *([] if "causalface-cosines" in used["tables"] else rendered)]
    seen = [_called(name, states) for name in [*sets, *used["tables"]]]
    looking = [GREENHOUSE if _ours(name) else _called(name, {}) for name in used["models"]]
    seen, looking = list(dict.fromkeys(seen)), list(dict.fromkeys(looking))
    if {*seen, *looking} <= {GREENHOUSE}:
        return GREENHOUSE
    images = _listed(f"{GREENHOUSE}'s drawings" if name == GREENHOUSE else name for name in seen)
    models = _listed(f"models of {GREENHOUSE}" if name == GREENHOUSE else name for name in looking)
    return ", with ".join(filter(None, (images, models)))


def rendered_sets(code: str) -> list[str]:
    """The drawn sets that the code of the second section names itself."""
    return _LITERAL.findall(code)


def _called(name: str, states: Mapping[str, Mapping[str, Any]]) -> str:
    first = name.partition("/")[0]
    if first == "greenhouse" or states.get(first, {}).get("drawn"):
        return GREENHOUSE
    return CALLED.get(name) or CALLED.get(first) or f"`{name}`"


def _ours(model: str) -> bool:
    """Whether a model is the Greenhouse's: shipped, or a folder with the words that its training
    leaves."""
    folder = paths.root() / Path(model).expanduser()
    return model.startswith(("greenhouse", "data/greenhouse/")) or (folder / "words.txt").is_file()


def _listed(names: Iterable[str]) -> str:
    words = list(names)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
