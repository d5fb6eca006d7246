"""Corrections for asking several questions at once.

Comes in: p-values. Goes out: corrected ones. May not: decide what belongs to one family.

statsmodels has Holm's method for one family of tests at a time, and collects garbage at every call:
a tenth of a second or more in a process that holds a network, for every network and draw.
"""

from typing import Any

import numpy as np


def holm(p: Any) -> np.ndarray:
    """Holm's correction of p-values along the last axis.

    Parameters
    ----------
    p : array `(…, tests)`, one family of tests per row.

    Returns
    -------
    array of the same shape: the smallest level at which each test is rejected while its family
    keeps that level (Holm 1979).
    """
    values = np.asarray(p, float)
    order = np.argsort(values, axis=-1)
    stepped = np.take_along_axis(values, order, axis=-1) * np.arange(values.shape[-1], 0, -1)
    corrected = np.empty_like(values)
    np.put_along_axis(
        corrected, order, np.minimum(np.maximum.accumulate(stepped, axis=-1), 1), axis=-1
    )
    return corrected
