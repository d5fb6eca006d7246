"""What models produce, with every decoding setting stated and every draw from a seed: answers to
questions, captions, painted pictures. What was produced is judged in the studies."""

from vlmbias.generation.text import Answerer, Captioner, answerer, captioner

__all__ = ["Answerer", "Captioner", "answerer", "captioner"]
