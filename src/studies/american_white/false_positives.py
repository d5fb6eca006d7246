"""How often the test over faces is significant in one network in which nothing was planted, with
groups of given sizes."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from studies import associations
from studies.american_white import agreement
from studies.associations import ALPHA


def expected_of_faces(
    portraits: Any, toward: str, against: str = "", *, sizes: Mapping[str, int]
) -> float:
    """The share to expect with so many faces of each group (`Spread.false_positive_rate`), a mean
    over all pairs of groups.

    Parameters
    ----------
    portraits, toward, against : as for `agreement.leanings`; networks with b = 0 are taken.
    """
    leaning, cases = agreement.leanings(portraits, toward, against)
    leaning = leaning[cases.get_level_values("b") == 0]
    rows = associations.people(portraits.images)
    each = [
        associations.Spread.of(leaning, rows[first], rows[second]).false_positive_rate(
            sizes[first], sizes[second], alpha=ALPHA
        )
        for first, second in combinations(rows, 2)
    ]
    return float(np.mean(each))
