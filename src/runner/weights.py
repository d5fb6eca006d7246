"""Whether the published weights that the settings name can be had, before any notebook asks for them.

Comes in: the parameters of a notebook and the values that its settings give. Goes out: states like those of sources
(`vlmbias.sources.state`), so that a section whose weights are missing becomes a note. May not: look at a model that
a person named: there, missing weights are an error.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from runner.notebooks import Parameter

_OURS = ("greenhouse", "slip/", "blip/", "vqgan/", "data/")  # shipped, or a source of their own


@cache
def _state(model: str) -> dict[str, Any]:
    from vlmbias.embedding import encoder

    try:
        encoder(model)
    except FileNotFoundError as missing:
        return {"available": False, "note": str(missing), "hash": ""}
    return {"available": True, "note": "", "hash": ""}


def states(known: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The state of the weights of every open_clip model among these values, by `weights of <model>`."""
    models = [one for name, value in values.items() if known[name].kind.startswith("model")
              for one in known[name].named(value) if "/" in str(one) and not str(one).startswith(_OURS)]  # fmt: skip
    return {f"weights of {model}": _state(model) for model in dict.fromkeys(models)}
