"""Groups whose trajectory is unlike the others': when is one group an outlier among intersections?
Hausladen et al. (2025).

Comes in: logits of faces in which one attribute varies, by network; the bias table; which networks
are null networks. Goes out: trajectories, two statistics of them, and how often networks in which
something was planted exceed the null networks. May not: name a group, or know at which strength
something was planted. The clusters of Figure 4 are in `clusters`.

A trajectory is what a group's mean does over the levels of an attribute, less its own mean. `apart`
asks of every group whether its trajectory differs from the others'; it responds to an effect of one
hue or one crest as well. `interaction` asks of every hue whether its two crests differ in another
way than those of the other hues: a three-way effect and nothing else. With two crests it cannot say
which of the two is the odd one.

Either question comes in two forms. *Exploratory*: does any group deviate, in whatever way?
*Pre-specified*: does one group, named beforehand, deviate in one shape, named beforehand, and in
opposite directions on positive and negative dimensions?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.causalface import clusters
from studies.shown import Shown

KINDS = ("three-way", "two-way", "none")
SHAPES = {"slope": 1, "bend": 2}  # coefficients of a quadratic over levels from -1 to 1


@dataclass(frozen=True, eq=False)
class Trajectories:
    """How each group's mean goes over the levels of one attribute, in each network.

    Attributes
    ----------
    means : `(networks, dimensions, hues, crests, levels)`, in logits.
    levels : `(levels,)`, the attribute at each.
    b : `(networks,)`, the strength of what was planted; those with 0 are the reference.
    planted : dimension → one of `KINDS`, in the order of the axis of dimensions; see `kinds`.
    outlier : places of the outlier's hue and crest.
    """

    means: np.ndarray
    levels: np.ndarray
    b: np.ndarray
    planted: Mapping[str, str]
    outlier: tuple[int, int]

    @property
    def trajectories(self) -> np.ndarray:
        """The means less each group's own mean over the levels."""
        return trajectories(self.means)


def trajectories_of(
    one: Shown, attribute: str, bias: Any, *, hues: Sequence[str], crests: Sequence[str]
) -> Trajectories:
    """The trajectories that networks show over one attribute; who is the outlier, and what is
    planted, is in `bias`."""
    used = series(one.images, attribute, hues)
    return Trajectories(
        means(one.logits, one.images, attribute, hues=hues, crests=crests),
        np.sort(one.images.loc[used, attribute].unique()),
        one.networks["b"].to_numpy(),
        kinds(bias, one.dimensions, attribute),
        (list(hues).index(bias.outlier["race"]), list(crests).index(bias.outlier["gender"])),
    )


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


def trajectories(means: np.ndarray) -> np.ndarray:
    """Each group's means over the levels less their own mean, `(..., levels)`."""
    return means - means.mean(axis=-1, keepdims=True)


def deviation(paths: np.ndarray) -> np.ndarray:
    """By how much each group's trajectory differs from the mean of the others', root mean square
    over levels.

    Parameters
    ----------
    paths : `(..., hues, crests, levels)`

    Returns
    -------
    `(..., hues, crests)`
    """
    return _size(beyond(paths))


def beyond(paths: np.ndarray) -> np.ndarray:
    """Each group's trajectory less the mean of the others', of the shape of `paths`,
    `(..., hues, crests, levels)`."""
    groups = paths.shape[-3] * paths.shape[-2]
    return (groups * paths - paths.sum(axis=(-3, -2), keepdims=True)) / (groups - 1)


def interaction(paths: np.ndarray) -> np.ndarray:
    """By how much the crests of each hue differ in another way than those of the other hues: a
    three-way effect.

    With δ of a hue its second crest's trajectory less its first's, the root mean square over levels
    of δ less the mean δ of the other hues. Whatever a hue or a crest does by itself cancels.

    Parameters
    ----------
    paths : `(..., hues, 2, levels)`

    Returns
    -------
    `(..., hues)`
    """
    return _size(between_crests(paths))


def between_crests(paths: np.ndarray) -> np.ndarray:
    """What `interaction` is the size of, `(..., hues, levels)`: δ of each hue less the mean δ of
    the others."""
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


def _size(values: np.ndarray) -> np.ndarray:
    return np.sqrt((values**2).mean(axis=-1))


def pooled(sizes: np.ndarray) -> np.ndarray:
    """One size for several dimensions, their root mean square: `(networks, dimensions, groups)` →
    two axes."""
    return np.sqrt((sizes**2).mean(axis=1))


def rank_sizes(
    sizes: np.ndarray, is_null: np.ndarray, outlier: int, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Every network's largest size beside the largest of the null networks, itself left out.

    Parameters
    ----------
    sizes : `(networks, groups)`
    is_null : `(networks,)` bool.
    outlier : which group was planted.
    alpha : of the test.

    Returns
    -------
    DataFrame, one row per network: p, `found` (significant, and the outlier's size is the largest),
    `another` (significant, and another's is), `only` (found, and no other group's size alone would
    be significant).
    """
    largest, rows = sizes.max(axis=1), []
    for number, own in enumerate(sizes):
        null = largest[is_null & (np.arange(len(sizes)) != number)]
        p = [vb.networks.rank_p_value(size, null).p_value for size in own]
        first = int(own.argmax())
        significant = p[first] <= alpha
        found = significant and first == outlier
        rows.append(
            {
                "p": p[first],
                "found": found,
                "another": significant and not found,
                "only": found and sum(one <= alpha for one in p) == 1,
            }
        )
    return pd.DataFrame(rows)


def passes(
    one: Trajectories, *, shape: str, positive: Sequence[str], alpha: float = 0.05
) -> pd.DataFrame:
    """Which networks exceed the null networks, by statistic and by what is planted.

    All dimensions of one kind are tested together: one test per network, statistic, kind and form
    of the question.

    Parameters
    ----------
    shape : of the pre-specified question, see `shaped`.
    positive : the dimensions of which a high value is good.
    alpha : of the test.

    Returns
    -------
    DataFrame of bool, one row per network; columns: question ("pre-specified", "exploratory"),
    statistic ("apart", "interaction"), planted, event ("some group", "the outlier").
    """
    kind, b = np.array(list(one.planted.values())), one.b
    signs = np.array([1 if name in positive else -1 for name in one.planted])
    named = {
        "apart": beyond(one.trajectories)[:, :, *one.outlier],
        "interaction": between_crests(one.trajectories)[:, :, one.outlier[0]],
    }
    found = {}
    for statistic, sizes, place in _statistics(one):
        for each in dict.fromkeys(kind):
            own = kind == each
            explored = rank_sizes(pooled(sizes[:, own]), b == 0, place, alpha=alpha)
            size = shaped(named[statistic][:, own], one.levels, signs[own], shape)
            specified = rank_sizes(size[:, None], b == 0, 0, alpha=alpha)
            found["exploratory", statistic, each, "some group"] = (
                explored["found"] | explored["another"]
            )
            found["exploratory", statistic, each, "the outlier"] = explored["found"]
            found["pre-specified", statistic, each, "the outlier"] = specified["found"]
    return pd.DataFrame(found).rename_axis(columns=["question", "statistic", "planted", "event"])


def rates(passed: pd.DataFrame, b: np.ndarray) -> pd.DataFrame:
    """How often networks exceed the null networks, with exact intervals.

    Parameters
    ----------
    passed : see `passes`.
    b : `(networks,)`, the strength of what was planted.

    Returns
    -------
    DataFrame with columns question, statistic, planted, event, b, n, hits, rate, low, high.
    """
    table = vb.networks.rates(
        {
            (*key, strength): hits[b == strength].to_numpy(bool)
            for key, hits in passed.items()
            for strength in np.unique(b)
        }
    )
    table.index = pd.MultiIndex.from_tuples(table.index, names=[*passed.columns.names, "b"])
    return table.reset_index()


def _statistics(one: Trajectories) -> list[tuple[str, np.ndarray, int]]:
    """Name, sizes `(networks, dimensions, groups or hues)`, and the outlier's place among these."""
    hue, crest = one.outlier
    each = deviation(one.trajectories)
    return [
        ("apart", each.reshape(*each.shape[:2], -1), hue * each.shape[-1] + crest),
        ("interaction", interaction(one.trajectories), hue),
    ]


def figures_of(
    one: Trajectories, groups: Sequence[str], pairs: Mapping[str, Sequence[str]]
) -> pd.DataFrame:
    """Figure 4 as each retrained network would have it: do the groups look separate?

    Parameters
    ----------
    groups : names, hue by hue, each of two words.
    pairs : dimension → its two poles.

    Returns
    -------
    One row per network and dimension: b, dimension, separate (fewer than half of the pairs of
    ellipses overlap).
    """
    names, rows = list(one.planted), []
    base = pd.DataFrame({"group": np.repeat(list(groups), len(one.levels))})
    for own, b in zip(one.means, one.b, strict=True):
        for dimension, pair in pairs.items():
            view = base.assign(**{pole: own[names.index(pole)].ravel() for pole in pair})
            separate = clusters.overlap(view, pair) < 0.5
            rows.append({"b": b, "dimension": dimension, "separate": separate})
    return pd.DataFrame(rows)
