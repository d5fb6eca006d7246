"""Whether what a reader named exists: an image set, a prompt set, a model, a folder.

Comes in: the parameters of a notebook and the values of a rerun. Goes out: nothing, or one error that lists every
wrong name. May not: decode a picture, embed, or look at what the settings chose: data they lack become a note.
"""

from collections.abc import Collection, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from runner.notebooks import Parameter
from vlmbias import paths

# what loads a model of each kind: only that shows whether its weights are at hand
_MODELS = {
    "model": ("vlmbias.embedding", "encoder"),
    "model that answers": ("vlmbias.generation", "answerer"),
    "model that describes": ("vlmbias.generation", "captioner"),
    "model that paints": ("vlmbias.generation.vqgan", "load"),
}


def check(known: Mapping[str, Parameter], values: Mapping[str, Any], *, given: Collection[str]) -> None:
    """Raise unless every name that a reader gave stands for something here.

    Parameters
    ----------
    known : the notebook's parameters, by name.
    values : value by name, from the settings and from the reader.
    given : which of them the reader gave.

    Raises
    ------
    ValueError
        With a line per wrong name: parameter, value and what is valid.
    """
    placed = any(known[name].kind == "folder" and any(known[name].named(value)) for name, value in values.items())
    broken = [f"  {name} = {item!r}: {problem}" for name in given for item in known[name].named(values[name])
              if (problem := _problem(known[name].kind, item, placed))]  # fmt: skip
    if "results" in given:
        broken.append(f"  results = {values['results']!r}: a rerun writes into a folder of its own; leave it out")
    if broken:
        raise ValueError("\n".join(["wrong parameters", *broken]))


def _problem(kind: str, name: str, placed: bool) -> str:
    """Why there is no such thing; empty if there is. `placed`: a folder is given, in which a set may lie."""
    try:
        if kind == "image set":
            _image_set(name, placed)
        elif kind == "prompt set":
            from vlmbias.stimuli import prompts

            prompts(name)
        elif kind in _MODELS:
            room, load = _MODELS[kind]
            getattr(import_module(room), load)(name)
        elif kind == "folder":
            _folder(name)
    except (ValueError, OSError) as problem:
        return str(problem)
    return ""


def _image_set(name: str, placed: bool) -> None:
    from vlmbias.reader_folders import find
    from vlmbias.sources.folders import PLACES
    from vlmbias.stimuli.images import GREENHOUSE, SUPPLIED

    if name not in (*GREENHOUSE, *SUPPLIED):
        bare = "; a bare folder has no column that a chapter could use" * (name == "folder")
        raise ValueError(f"must be one of {', '.join((*GREENHOUSE, *SUPPLIED))}{bare}")
    if name in SUPPLIED and not placed:
        kind = name.partition("/")[0]
        find(kind, PLACES[kind], None)


def _folder(name: str) -> None:
    given = Path(name).expanduser()
    places = list(dict.fromkeys([paths.root() / given, paths.reader_data() / given]))
    if not any(place.is_dir() for place in places):
        raise FileNotFoundError(f"no such folder: looked for {' and '.join(map(str, places))}")
