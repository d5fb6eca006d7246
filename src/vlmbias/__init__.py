"""How vision-language models see people: the thin package under the book.

Comes in: stimuli (images, prompts) and models, by name.
Goes out: embeddings, measures, figures and ledger records, one call each.
May not: import torch, read data or touch the network when it is imported; every public name
below is loaded from its room on first use.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# public names by the room that defines them; a room without any is a public name itself
_ROOMS = {
    "stimuli": ["images", "ImageSet", "prompts", "PromptSet"],
    "embedding": ["encoder", "embed", "Embeddings"],
    "measures": ["AssociationTest", "association_scores", "eat", "sc_eat", "Perception", "cosines", "delta_cos",
                 "markedness", "skew_at_k", "max_skew_at_k", "ndkl", "rankings", "one_apart", "cluster_weights",
                 "weighted_medians", "quadratics", "trajectories"],
    "pipeline": ["perceive"],
    "ledger": [], "figures": [], "sources": [],
}  # fmt: skip
_PUBLIC = {name: room for room, names in _ROOMS.items() for name in names or [room]}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'vlmbias' has no attribute {name!r}; public names: {', '.join(__all__)}")
    room = import_module(f"vlmbias.{_PUBLIC[name]}")
    return room if name in _ROOMS else getattr(room, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
