"""A battery of association tests: the 26 of Ghate et al. (2025), from files of sentences to one
model's effect sizes.

Comes in: sentences and pictures, and an encoder. Goes out: which tests there are, and a row per
test of one model. May not: choose a model, average over models, or compare with what is printed.
"""

from vlmbias.battery.tests import listed

__all__ = ["listed"]
