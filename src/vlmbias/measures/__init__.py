"""Vectors → numbers: the papers' statistics, each with its equation, and nothing a library has.

Each statistic has three readings: its equation in the docstring, its fast version here, and its
slow, obvious version in `tests/measures/oracles.py`.
"""

from vlmbias.measures.image_pairs import one_apart

from .association import AssociationTest, association_scores, eat, effect_size, sc_eat
from .perception import Perception, cosines, delta_cos
from .ranking import Rankings, markedness, max_skew_at_k, ndkl, rankings, skew_at_k
from .tails import permutation_tail, saddlepoint_tail
from .trajectories import quadratics, trajectories

__all__ = [
    "AssociationTest",
    "Perception",
    "Rankings",
    "association_scores",
    "cosines",
    "delta_cos",
    "eat",
    "effect_size",
    "markedness",
    "max_skew_at_k",
    "ndkl",
    "one_apart",
    "permutation_tail",
    "quadratics",
    "rankings",
    "saddlepoint_tail",
    "sc_eat",
    "skew_at_k",
    "trajectories",
]
