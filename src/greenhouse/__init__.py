"""The laboratory: a small world with planted biases (`world`) and the models trained in it
(`train`).

Comes in: settings and seeds. Goes out: pictures, captions, the truth about them, and tiny CLIP
checkpoints.
May not: be imported by the rest of the book's code at import time; `world` imports nothing of ours.
"""
