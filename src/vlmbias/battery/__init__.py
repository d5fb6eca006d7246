"""A battery of association tests, the 26 of Ghate et al. (2025): what they are made of, and their
effect sizes for one model."""

from vlmbias.battery.tests import listed

__all__ = ["listed"]
