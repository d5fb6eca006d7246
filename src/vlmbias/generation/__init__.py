"""What models produce: answers to questions, captions, painted pictures.

Comes in: an `ImageSet` and the name of a generating model. Goes out: a table with one row per
image, or the pictures of a run. May not: judge what was produced (the studies do), choose decoding
settings silently, or draw without a seed. Beside `embedding`, this room is the only one that
imports torch.
"""

from vlmbias.generation.text import Answerer, Captioner, answerer, captioner

__all__ = ["Answerer", "Captioner", "answerer", "captioner"]
