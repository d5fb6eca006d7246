"""What statistics accept, checked before any work: clean arrays come out, or ONE error that prints
shapes and values, the rule that was broken and the way out."""

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


def fraction(name: str, value: float) -> None:
    """Raise unless `value` lies strictly between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie between 0 and 1; got {value!r}.")


def one_model(**named: Any) -> None:
    """Raise where embeddings are known to come of different models."""
    models = {name: getattr(one, "model", "") for name, one in named.items()}
    known = {name: model for name, model in models.items() if isinstance(model, str) and model}
    if len(set(known.values())) > 1:
        shown = ", ".join(f"{name} are by {model!r}" for name, model in known.items())
        raise ValueError(
            f"vectors of two models cannot be compared, even with one dimension: {shown}. Embed"
            " all of them with one encoder."
        )


def numbers(name: str, value: Any, shape: str) -> np.ndarray:
    """`value` as a non-empty float64 array; `shape`, such as ``"(n, d)"`` or ``"(…, n)"``, sets its
    number of axes."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(
            f"{name} has {np.ma.count_masked(value)} masked values; leave them out, or fill them."
        )
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} cannot be read as an array of shape {shape}: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(
            f"{name} must hold real numbers; got dtype {array.dtype}, shape {array.shape}."
        )
    axes = shape.count(", ") + 1
    fits = array.ndim >= axes - 1 if "…" in shape else array.ndim == axes
    if not fits or not array.size:
        raise ValueError(
            f"{name} must be a non-empty array of shape {shape}; got shape {array.shape}."
        )
    return array.astype(np.float64, copy=False)


def finite(name: str, value: Any, shape: str) -> np.ndarray:
    """As `numbers`, without NaN and infinity."""
    array = numbers(name, value, shape)
    if (bad := np.argwhere(~np.isfinite(array))).size:
        raise ValueError(
            f"{name} {array.shape} must be finite; {len(bad)} are not, such as"
            f" {array[tuple(bad[0])]} at {', '.join(map(str, bad[0]))}. Leave them out or compute"
            " them anew."
        )
    return array


def unit_rows(**groups: Any) -> list[np.ndarray]:
    """Each named `(n, d)` array in float64 with rows of length 1; all must share `d`."""
    one_model(**groups)
    arrays = {name: numbers(name, value, "(n, d)") for name, value in groups.items()}
    if len({array.shape[1] for array in arrays.values()}) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(
            f"vectors must share one dimension d, that is, come from one model; got {shapes}."
        )
    return [_unit(name, array) for name, array in arrays.items()]


def _unit(name: str, array: np.ndarray) -> np.ndarray:
    """Rows of length 1, however small or large they were."""
    squares = np.einsum("ij,ij->i", array, array)
    if squares.min() > 1e-250 and squares.max() < 1e250:  # as nearly always; not so of NaN
        return array / np.sqrt(squares)[:, None]
    peak = np.abs(array).max(axis=1)  # NaN and inf survive max, and dividing by it avoids overflow
    again = "recompute or leave out these rows"
    _refuse(name, array, ~np.isfinite(peak), "NaN or infinite values", again)
    _refuse(name, array, peak == 0, "zero vectors, which have no cosine", "leave out these rows")
    scaled = array / peak[:, None]
    return scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]


def _refuse(name: str, array: np.ndarray, bad: np.ndarray, what: str, fix: str) -> None:
    """Raise if any row is `bad`, and show the first ones."""
    if bad.any():
        rows = np.flatnonzero(bad)
        listed = ", ".join(map(str, rows[:5])) + (" …" if len(rows) > 5 else "")
        values = np.array2string(array[rows[0]], threshold=6, edgeitems=2, precision=4)
        raise ValueError(
            f"{name} {array.shape} has {what} in {len(rows)} of {len(array)} rows: {listed}; "
            f"row {rows[0]} is {values}. Fix: {fix}."
        )
