"""What counts as one observation, and what is usual once that is settled: identities drawn anew,
networks trained anew, models that took the same tests; p and interval of a correlation."""

from typing import Any

import numpy as np

from vlmbias.inference.resampling import cluster_weights, weighted_medians

__all__ = ["cluster_weights", "holm", "weighted_medians"]


def holm(p: Any) -> np.ndarray:
    """Holm's correction of p-values along the last axis, by pingouin; NaN counts as no test.

    Parameters
    ----------
    p : array `(…, tests)`, one family of tests per row.

    Returns
    -------
    array of the same shape: the smallest level at which each test is rejected while its family
    keeps that level (Holm 1979).
    """
    import pingouin  # a second or so, so not before it is needed

    def corrected(family: np.ndarray) -> np.ndarray:
        return pingouin.multicomp(family, method="holm")[1]

    return np.apply_along_axis(corrected, -1, np.asarray(p, float))
