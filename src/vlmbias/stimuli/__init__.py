"""What is shown to a model: image sets and prompt sets, as tables.

Comes in: the name of a set, where it lies, and filters. Goes out: `ImageSet` and `PromptSet`: one
row of
metadata per image or prompt, and how to decode image i. May not: load a model, compute a measure or
touch the network. Pictures are decoded only when asked for, a few at a time.
"""

from vlmbias.stimuli.images import images
from vlmbias.stimuli.imageset import ImageSet
from vlmbias.stimuli.prompts import PromptSet, prompts

__all__ = ["ImageSet", "PromptSet", "images", "prompts"]
