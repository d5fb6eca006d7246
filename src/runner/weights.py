"""Which weights a run uses, and whether they can be had, before any notebook asks for them: states
like those of sources (`vlmbias.sources.state`). A section whose weights are missing becomes a note,
but not if a person named the model: then it is an error of the run."""

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from runner.parameters import Parameter
from vlmbias.sources.published_weights import source_of

# what looks whether the files of a model of each kind are at hand; the kernel that uses it loads it
ROOMS = {
    "model": "vlmbias.embedding",
    "model that answers": "vlmbias.generation.text",
    "model that describes": "vlmbias.generation.text",
    "model that paints": "vlmbias.generation.vqgan",
}
_SHIPPED = ("greenhouse", "data/")  # among the files of a run


@cache
def _state(kind: str, model: str) -> dict[str, Any]:
    try:
        return {"available": True, "note": "", "hash": import_module(ROOMS[kind]).present(model)}
    except FileNotFoundError as missing:
        return {"available": False, "note": str(missing), "hash": ""}


def states(
    known: Mapping[str, Parameter], values: Mapping[str, Any], given: Collection[str] = ()
) -> dict[str, dict[str, Any]]:
    """The state of the weights of every model among these values that is not shipped, by
    `weights of <model>`.

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
