"""Stimuli to vectors: models by name, and their embeddings, batched, resumable and kept in a store.

Comes in: an `ImageSet` or `PromptSet` and the name of a model. Goes out: `Embeddings`, float32
`(n, d)` with unit rows and the stimuli's own metadata. May not: know any paper's measure, or import
a later room. This room, `vlmbias.generation` and the Greenhouse's training are the only ones that
import torch.
"""

from vlmbias.embedding.embed import Embeddings, embed
from vlmbias.embedding.encoders import Encoder, present
from vlmbias.embedding.memory import encoder

__all__ = ["Embeddings", "Encoder", "embed", "encoder", "present"]
