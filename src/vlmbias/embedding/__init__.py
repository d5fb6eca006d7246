"""Stimuli to vectors: models by name, and their embeddings, batched, resumable and kept in a store.
This room, `vlmbias.generation` and the Greenhouse's training are the only ones that import torch.
"""

from vlmbias.embedding.embed import Embeddings, embed
from vlmbias.embedding.encoders import Encoder, encoder, present

__all__ = ["Embeddings", "Encoder", "embed", "encoder", "present"]
