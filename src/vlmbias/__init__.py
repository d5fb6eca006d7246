"""How vision-language models see people: the thin package under the book.

Comes in: stimuli (images, prompts) and models, by name.
Goes out: embeddings, measures, figures and ledger records, one call each.
May not: import torch, read data or touch the network when it is imported; every public name
below is loaded from its room on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for editors and type checkers; a test compares these with the table below
    from vlmbias import figures, ledger, papers, sources
    from vlmbias.embedding import Embeddings, embed, encoder
    from vlmbias.generation import answerer, captioner
    from vlmbias.inference import (
        cluster_weights,
        clustered,
        mixed_models,
        networks,
        weighted_medians,
    )
    from vlmbias.measures import (
        AssociationTest,
        Perception,
        association_scores,
        cosines,
        delta_cos,
        eat,
        effect_size,
        markedness,
        max_skew_at_k,
        ndkl,
        one_apart,
        quadratics,
        rankings,
        sc_eat,
        skew_at_k,
        trajectories,
    )
    from vlmbias.notes import note
    from vlmbias.pipeline import perceive
    from vlmbias.stimuli.images import images
    from vlmbias.stimuli.imageset import ImageSet
    from vlmbias.stimuli.prompts import PromptSet, prompts

__version__ = "0.1.0"

# public names by the module that defines them; one without any is a public name itself
_MODULES = {
    "stimuli.images": ["images"],
    "stimuli.imageset": ["ImageSet"],
    "stimuli.prompts": ["prompts", "PromptSet"],
    "embedding": ["encoder", "embed", "Embeddings"],
    "generation": ["answerer", "captioner"],
    "measures": [
        "AssociationTest",
        "association_scores",
        "eat",
        "sc_eat",
        "effect_size",
        "Perception",
        "cosines",
        "delta_cos",
        "markedness",
        "skew_at_k",
        "max_skew_at_k",
        "ndkl",
        "rankings",
        "one_apart",
        "quadratics",
        "trajectories",
    ],
    "inference": ["cluster_weights", "weighted_medians"],
    "inference.networks": [],
    "inference.clustered": [],
    "inference.mixed_models": [],
    "pipeline": ["perceive"],
    "notes": ["note"],
    "ledger": [],
    "figures": [],
    "sources": [],
    "papers": [],
}
_PUBLIC = {
    name: module
    for module, names in _MODULES.items()
    for name in names or [module.rpartition(".")[2]]
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(
            f"module 'vlmbias' has no attribute {name!r}; public names: {', '.join(__all__)}"
        )
    module = import_module(f"vlmbias.{_PUBLIC[name]}")
    return getattr(module, name) if _MODULES[_PUBLIC[name]] else module


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
