"""How vision-language models see people: the thin package under the book.

Comes in: stimuli (images, prompts) and models, by name.
Goes out: embeddings, measures, figures and ledger records, one call each.
May not: import torch, read data or touch the network when it is imported; every public name
below is loaded from its room on first use.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# public name -> the module that defines it
_PUBLIC = {
    "images": "vlmbias.stimuli",
    "ImageSet": "vlmbias.stimuli",
    "prompts": "vlmbias.stimuli",
    "PromptSet": "vlmbias.stimuli",
    "encoder": "vlmbias.embedding",
    "embed": "vlmbias.embedding",
    "Embeddings": "vlmbias.embedding",
    "AssociationTest": "vlmbias.measures",
    "eat": "vlmbias.measures",
    "sc_eat": "vlmbias.measures",
    "cosines": "vlmbias.measures",
    "delta_cos": "vlmbias.measures",
    "one_apart": "vlmbias.measures",
    "cluster_weights": "vlmbias.measures",
    "weighted_medians": "vlmbias.measures",
    "ledger": "vlmbias.ledger",
    "figures": "vlmbias.figures",
    "sources": "vlmbias.sources",
}
_ROOMS = {"ledger", "figures", "sources"}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'vlmbias' has no attribute {name!r}; public names: {', '.join(__all__)}")
    module = import_module(_PUBLIC[name])
    return module if name in _ROOMS else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
