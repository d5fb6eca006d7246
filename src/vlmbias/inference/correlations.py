"""p and interval of a correlation that is already known: printed, or one of thousands of draws.

From two columns of values, use `scipy.stats.pearsonr`, which gives both. pingouin has these
formulas for one number at a time, and rounds the interval.
"""

from typing import Any

import numpy as np
from scipy import stats


def interval(
    r: Any, n: Any, *, held: int = 0, confidence_level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    r"""Fisher's interval of a correlation.

    .. math:: \tanh\left(\operatorname{artanh} r ∓ z / \sqrt{n - 3 - \text{held}}\right)

    Parameters
    ----------
    r : correlation, a number or an array.
    n : cases, more than 3 + `held`.
    held : how many other variables are held constant; r is then a partial correlation.
    confidence_level : of the interval.

    Returns
    -------
    (low, high), each of the shape of r; both are r where that is 1 or −1.

    Examples
    --------
    >>> low, high = vb.correlations.interval(0.5, 28)
    >>> round(float(low), 3), round(float(high), 3)
    (0.156, 0.736)
    """
    half = stats.norm.ppf((1 + confidence_level) / 2) / np.sqrt(n - 3 - held)
    with np.errstate(divide="ignore"):
        z = np.arctanh(r)
    return np.tanh(z - half), np.tanh(z + half)


def p_value(r: Any, n: Any, *, held: int = 0) -> np.ndarray:
    r"""Two-sided p of a correlation: Student's t with n − 2 − held degrees of freedom.

    .. math:: t = r \sqrt{\text{df} / (1 - r^2)}

    Parameters
    ----------
    r, n, held : as for `interval`.

    Examples
    --------
    >>> round(float(vb.correlations.p_value(0.5, 28)), 4)
    0.0067
    """
    df = n - 2 - held
    unexplained = np.maximum(1 - np.asarray(r, float) ** 2, 1e-300)
    return 2 * stats.t.sf(np.abs(r) * np.sqrt(df / unexplained), df)
