"""What the measures accept: arrays of vectors, scores and options, checked before any work.

Comes in: whatever a caller passed. Goes out: clean arrays (vectors scaled to unit length), or ONE
error that prints the shapes and values, the rule that was broken and the way out.
May not: compute a statistic, repair a bad value or warn instead of raising.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

ALTERNATIVES = ("greater", "less", "two-sided")


def choice(name: str, value: Any, allowed: Iterable[Any]) -> None:
    """Raise unless `value` is one of `allowed`, and list these."""
    allowed = list(allowed)
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {value!r}.")


def count(name: str, value: Any, *, minimum: int) -> int:
    """`value`; raise unless it is a whole number of at least `minimum`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < minimum:
        raise ValueError(f"{name} must be a whole number, at least {minimum}; got {value!r}.")
    return int(value)


def numbers(name: str, value: Any, shape: str) -> np.ndarray:
    """`value` as a non-empty float64 array; `shape`, such as ``"(n, d)"``, sets its number of
    axes."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} cannot be read as an array of shape {shape}: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(
            f"{name} must hold real numbers; got dtype {array.dtype}, shape {array.shape}."
        )
    if array.ndim != shape.count(", ") + 1 or not array.size:
        raise ValueError(
            f"{name} must be a non-empty array of shape {shape}; got shape {array.shape}."
        )
    return array.astype(np.float64, copy=False)


def unit_rows(**groups: Any) -> list[np.ndarray]:
    """Each named `(n, d)` array in float64 with rows of length 1; all must share `d`."""
    arrays = {name: numbers(name, value, "(n, d)") for name, value in groups.items()}
    if len({array.shape[1] for array in arrays.values()}) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(
            f"vectors must share one dimension d, that is, come from one model; got {shapes}."
        )
    return [_unit(name, array) for name, array in arrays.items()]


def _unit(name: str, array: np.ndarray) -> np.ndarray:
    squares = np.einsum("ij,ij->i", array, array)
    if squares.min() > 1e-250 and squares.max() < 1e250:  # as nearly always; not so of NaN
        return array / np.sqrt(squares)[:, None]
    peak = np.abs(array).max(axis=1)  # NaN and inf survive max, and dividing by it avoids overflow
    _refuse(
        name,
        array,
        ~np.isfinite(peak),
        "NaN or infinite values",
        "recompute or leave out these rows",
    )
    _refuse(name, array, peak == 0, "zero vectors, which have no cosine", "leave out these rows")
    scaled = array / peak[:, None]
    return scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]


def _refuse(name: str, array: np.ndarray, bad: np.ndarray, what: str, fix: str) -> None:
    if bad.any():
        rows = np.flatnonzero(bad)
        listed = ", ".join(map(str, rows[:5])) + (" …" if len(rows) > 5 else "")
        values = np.array2string(array[rows[0]], threshold=6, edgeitems=2, precision=4)
        raise ValueError(
            f"{name} {array.shape} has {what} in {len(rows)} of {len(array)} rows: {listed}; "
            f"row {rows[0]} is {values}. Fix: {fix}."
        )


def split(scores: Any, n_x: int, alternative: str) -> tuple[np.ndarray, float, float]:
    """Centred scores `(N,)`, the sum over the first `n_x`, and the width within which sums tie.

    All are in units of the power of two that brings the largest score below 1: which splits are as
    extreme does not depend on it, and neither sums nor squares then leave the range of numbers.
    """
    choice("alternative", alternative, ALTERNATIVES)
    raw = numbers("scores", scores, "(N,)")
    if (bad := np.flatnonzero(~np.isfinite(raw))).size:
        at = int(bad[0])
        raise ValueError(
            f"scores {raw.shape} must be finite; the first that is not is {raw[at]} at {at}."
        )
    if not 1 <= count("n_x", n_x, minimum=1) < len(raw):
        raise ValueError(
            f"n_x must leave both groups at least one score: 1 ≤ n_x < {len(raw)}; got {n_x}."
        )
    raw = np.ldexp(raw, -int(np.frexp(np.abs(raw).max())[1]))
    centred = raw - math.fsum(raw) / len(raw)
    return centred, math.fsum(centred[:n_x]), 1e-12 * float(np.abs(raw).max())
