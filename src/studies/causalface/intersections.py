"""Groups whose trajectory is unlike the others': when is one group an outlier among intersections?

A trajectory is what a group's mean does over the levels of an attribute, less its own mean. The
clusters of Figure 4 are in `clusters`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

KINDS = ("three-way", "two-way", "none")
SHAPES = {"slope": 1, "bend": 2}  # coefficients of a quadratic over levels from -1 to 1


def kinds(bias: Any, dimensions: Sequence[str], attribute: str) -> dict[str, str]:
    """What is planted on each dimension besides main effects, as far as the attribute is concerned:
    one of `KINDS`.

    Parameters
    ----------
    bias : the bias table; its `axes` and `features` are read.
    attribute : column of the faces, such as "age".
    """

    def concerned(entry: Mapping[str, Any]) -> bool:
        return any(
            bias.features[name].get("column", name) == attribute for name in entry if name != "who"
        )

    found = {}
    for dimension in dimensions:
        named = [
            len(entry["who"])
            for entry in bias.axes[dimension].get("interactions", ())
            if concerned(entry)
        ]
        found[dimension] = KINDS[2 - max(named)] if named else "none"
    return found


def series(faces: pd.DataFrame, attribute: str, hues: Sequence[str]) -> np.ndarray:
    """Which faces show a group's trajectory over an attribute, `(images,)` bool: its series and
    prototypes, of identities that have the series, in these hues."""
    used = faces["subset"].isin([attribute, "prototype"]) & faces["race"].isin(hues)
    return (used & faces["seed"].isin(faces.loc[faces["subset"] == attribute, "seed"])).to_numpy()


def means(
    values: np.ndarray,
    faces: pd.DataFrame,
    attribute: str,
    *,
    hues: Sequence[str],
    crests: Sequence[str],
) -> np.ndarray:
    """Each group's mean at every level of an attribute.

    Parameters
    ----------
    values : `(networks, images, dimensions)`, in logits.
    faces : one row per image: race, gender, seed, subset and the attribute; see `series` for which
        are used.
    hues, crests : the order of the groups.

    Returns
    -------
    `(networks, dimensions, hues, crests, levels)`

    Raises
    ------
    ValueError : some group has another number of images at some level.
    """
    used = series(faces, attribute, hues)
    own = faces.loc[used]
    order = np.lexsort(
        [
            pd.Categorical(own["gender"], crests).codes,
            pd.Categorical(own["race"], hues).codes,
            own[attribute],
            own["seed"],
        ]
    )
    cells = own.groupby([attribute, "race", "gender"]).size()
    levels = own[attribute].nunique()
    if cells.nunique() != 1 or len(cells) != levels * len(hues) * len(crests):
        raise ValueError(
            f"every group needs as many images at every level of {attribute}; got from"
            f" {cells.min()} to {cells.max()} in {len(cells)} cells"
        )
    chosen = values[:, np.flatnonzero(used)[order]]
    shaped = chosen.reshape(len(values), -1, levels, len(hues), len(crests), values.shape[2])
    return np.moveaxis(shaped.mean(axis=1), (1, 4), (4, 1))


def beyond(paths: np.ndarray) -> np.ndarray:
    """Each group's trajectory less the mean of the others', `(..., hues, crests, levels)` as
    `paths`. It responds to what a hue or a crest does by itself as well."""
    groups = paths.shape[-3] * paths.shape[-2]
    return (groups * paths - paths.sum(axis=(-3, -2), keepdims=True)) / (groups - 1)


def between_crests(paths: np.ndarray) -> np.ndarray:
    """By how much the crests of each hue differ in another way than those of the other hues: with δ
    of a hue its second crest's trajectory less its first's, δ less the mean δ of the other hues.

    A three-way effect and nothing else: whatever a hue or a crest does by itself cancels. With two
    crests it cannot say which of the two is the odd one.

    `(..., hues, 2, levels)` → `(..., hues, levels)`
    """
    between = paths[..., 1, :] - paths[..., 0, :]
    hues = between.shape[-2]
    return (hues * between - between.sum(axis=-2, keepdims=True)) / (hues - 1)


def shaped(contrast: np.ndarray, levels: np.ndarray, signs: np.ndarray, shape: str) -> np.ndarray:
    """The size of one shape in one group's contrast, averaged over dimensions with their signs,
    `(networks,)`.

    Parameters
    ----------
    contrast : `(networks, dimensions, levels)`
    levels : `(levels,)`, the attribute at each; a quadratic is fitted over them, rescaled to run
        from -1 to 1.
    signs : `(dimensions,)`: 1 where the dimension is positive, -1 where it is negative.
    shape : one of `SHAPES`.

    Raises
    ------
    ValueError : an unknown shape.
    """
    if shape not in SHAPES:
        raise ValueError(f"shape={shape!r}; there are {', '.join(SHAPES)}")
    u = 2 * (levels - levels.min()) / np.ptp(levels) - 1
    fit = np.linalg.pinv(np.vander(u, 3, increasing=True))[SHAPES[shape]]
    return np.abs(np.einsum("d,ndl,l->n", signs, contrast, fit)) / len(signs)
