"""Groups as clusters of markers: Hausladen et al. (2025), Figures 4 and S.2.

A *face* is a row with its group, age and six poles. A *marker* is the mean of one group at one age.
The ellipse that the paper draws around the markers of a group is that of their covariance.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.patches import Ellipse
from matplotlib.path import Path
from scipy import stats
from sklearn.metrics import silhouette_score

import vlmbias as vb
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

POLES = tuple(pole for pair in CAUSALFACE.poles.values() for pole in pair)
AGENCY = CAUSALFACE.poles["agency"]
SETS = ("CausalFace", "FairFace", "UTKFace")
DECADES = (20, 30, 40, 50, 60, 70, np.inf)  # ends of FairFace's age bins from twenty up
_WHO = ["race", "gender", "group"]


# --- faces and markers ----------------------------------------------------------------------------


def faces(seen: vb.Perception, *, relative: bool = False) -> pd.DataFrame:
    """The faces that the figure uses: series over age with prototypes, or photographs from twenty
    years up.

    Parameters
    ----------
    relative : if True, the poles are per cent of the neutral cosine; if False, delta-cos × 100.

    Returns
    -------
    One row per face: race, gender, group, level (the rendered age, or the number of the decade),
    age, identity, and the six poles.
    """
    table, values = seen.table, seen.delta(relative=relative)[list(POLES)]
    if "years" in table:
        level: Any = pd.cut(table["years"], DECADES, right=False, labels=False)
        used = level.notna()
    else:
        level = table["age"]
        used = level.notna() & table["subset"].isin(["age", "prototype"])
    known = table[["race", "gender", "age"]].assign(
        group=table["race"] + " " + table["gender"], level=level, identity=table["seed"]
    )
    values = (values if relative else 100 * values).set_axis(table.index)
    return known.join(values)[used.to_numpy()].reset_index(drop=True)


def within_quotas(seen: vb.Perception, races: Sequence[str], *, seed: int) -> vb.Perception:
    """The draw from FairFace in the released code: one quota per group over all races that there
    are.

    Ages are compared as text, which "3-9" passes; the quota is what each of all groups would have
    if they were equal. Only then are `races` chosen.
    """
    table = seen.table
    adult = table[table["age_bin"] >= "20-29"]
    quota = len(adult) // (adult["race"].nunique() * table["gender"].nunique())
    drawn = [
        own.sample(min(quota, len(own)), random_state=seed).index
        for _, own in adult.groupby(["race", "gender"])
    ]
    return seen.where(
        table.index.isin(np.concatenate(drawn)) & table["race"].isin(races).to_numpy()
    )


def markers(own: pd.DataFrame) -> pd.DataFrame:
    """The mean of every group at every age level: race, gender, group, level, and the six poles."""
    return own.groupby([*_WHO, "level"], sort=False)[list(POLES)].mean().reset_index()


def by_dimension(table: pd.DataFrame, dimensions: Sequence[str]) -> pd.DataFrame:
    """Markers dimension by dimension, with the two poles in the columns `positive` and
    `negative`."""
    pairs = {name: CAUSALFACE.poles[name] for name in dimensions}
    return pd.concat(
        [
            table.assign(dimension=name, positive=table[plus], negative=table[minus])
            for name, (plus, minus) in pairs.items()
        ],
        ignore_index=True,
    )


def cube(own: pd.DataFrame, groups: Sequence[str], poles: Sequence[str] = POLES) -> np.ndarray:
    """Values `(identities, groups, ages, poles)`; identities that lack a face are left out."""
    wide = own.pivot(index="identity", columns=["group", "level"], values=list(poles)).dropna()
    columns = pd.MultiIndex.from_product([poles, groups, np.sort(own["level"].unique())])
    values = wide[columns].to_numpy().reshape(len(wide), len(poles), len(groups), -1)
    return values.transpose(0, 2, 3, 1)


# --- what a figure shows --------------------------------------------------------------------------


def sigmas(figure: Any) -> np.ndarray:
    """How many standard deviations each ellipse of a figure of `vb.figures.ellipses` reaches from
    the mean of its markers, `(groups,)`: the Mahalanobis distance of its edge under the covariance
    of the markers, ddof 1; the mean along the edge."""
    found = []
    for axes in figure.axes:
        patches = [one for one in axes.patches if isinstance(one, Ellipse)]
        for dots, patch in zip(axes.collections, patches, strict=True):
            # of the Bézier curves that draw it, every third vertex lies on the edge
            ends = np.asarray(patch.get_path().vertices)[::3]
            points = np.asarray(dots.get_offsets())
            off = patch.get_patch_transform().transform(ends) - points.mean(axis=0)
            inverse = np.linalg.inv(np.cov(points.T))
            found.append(np.sqrt(np.einsum("ki,ij,kj->k", off, inverse, off)).mean())
    return np.array(found)


def shows(figure: Any, table: pd.DataFrame, pairs: Sequence[Sequence[str]]) -> bool:
    """Whether the panels of a figure of `vb.figures.ellipses` have their dots at these markers, in
    whatever order; `pairs`: the poles on the axes of each panel, horizontal first."""
    # a panel that is not used is an axes, too
    for axes, pair in zip(figure.axes, pairs, strict=False):
        dots = np.concatenate([np.asarray(one.get_offsets()) for one in axes.collections])
        wanted = table[list(pair)].to_numpy()
        one, other = (points[np.lexsort(points.T)] for points in (dots, wanted))
        if one.shape != other.shape or not np.allclose(one, other):
            return False
    return True


def radius(points: np.ndarray) -> float:
    """One standard deviation of a cloud `(n, 2)`, averaged over directions: of a circle with its
    ellipse's area."""
    return float(np.linalg.det(np.cov(points.T)) ** 0.25)


# --- how separate ---------------------------------------------------------------------------------


def overlap(table: pd.DataFrame, pair: Sequence[str] = AGENCY) -> float:
    """Share of the pairs of groups whose ellipses, two standard deviations, overlap."""
    edges = [
        Path(vb.figures.covariance_ellipse(own[list(pair)]).get_verts())
        for _, own in table.groupby("group")
    ]
    return float(np.mean([one.intersects_path(other) for one, other in combinations(edges, 2)]))


def silhouette(table: pd.DataFrame, pair: Sequence[str] = AGENCY) -> float:
    """How much closer markers lie to those of their own group than to those of the nearest other
    (Rousseeuw 1987)."""
    return float(silhouette_score(table[list(pair)], table["group"]))


def age_order(table: pd.DataFrame) -> pd.Series:
    """|Kendall's τ| of each group's markers along the long axis of its ellipse in Agency with their
    ages."""
    found = {}
    for group, own in table.groupby("group", sort=False):
        points = own[list(AGENCY)].to_numpy()
        along = points @ np.linalg.eigh(np.cov(points.T))[1][:, -1]
        found[group] = abs(stats.kendalltau(along, own["level"]).statistic)
    return pd.Series(found)


# --- what the paper reads off its figure ----------------------------------------------------------


def impact(own: pd.DataFrame) -> pd.DataFrame:
    """Whether race, gender and age move the poles, on the same faces, each identity averaged over
    the other two: Friedman's test (Wilcoxon's for two levels). attribute, pole, p, p_holm (over all
    rows)."""
    rows = []
    for attribute, column in {"race": "race", "gender": "gender", "age": "level"}.items():
        table = own.groupby(["identity", column])[list(POLES)].mean().unstack().dropna()
        for pole in POLES:
            levels = table[pole].to_numpy().T
            test: Any = stats.wilcoxon if len(levels) == 2 else stats.friedmanchisquare
            rows.append({"attribute": attribute, "pole": pole, "p": test(*levels).pvalue})
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"]))


_CONTROLLED_ALONE = {"ages", "groups", "separated", "age-order", "systematic", "axes", "sigma-s2"}


def about(claim: str) -> tuple[str, ...]:
    """The sets that a claim is about."""
    return SETS[:1] if claim in _CONTROLLED_ALONE else SETS[1:] if claim == "no-longer" else SETS


def claims(sets: Mapping[str, pd.DataFrame]) -> dict[str, bool | int]:
    """What the paper says of Figure 4, by the claim's id without "intersections.": a count, or does
    it hold here?

    "Clearly separated": fewer than half of the pairs of ellipses overlap; "no longer apparent": at
    least half do in each set of photographs. "Less clear": a lower silhouette. "Almost perfect
    order": a mean |τ| above .9. "Systematically impact": p < .05 (Holm) for at least half of the
    poles, for each attribute.
    """
    tables = {name: markers(own) for name, own in sets.items()}
    covered = {name: overlap(table) for name, table in tables.items()}
    clear = {name: silhouette(table) for name, table in tables.items()}
    order = {name: age_order(table).mean() for name, table in tables.items()}
    size = {
        name: np.mean([radius(own[list(AGENCY)].to_numpy()) for _, own in table.groupby("group")])
        for name, table in tables.items()
    }
    own, *photographs = SETS
    less_clear = all(clear[name] < clear[own] for name in photographs)
    more_overlap = all(covered[name] > covered[own] for name in photographs)
    larger = all(size[name] > size[own] for name in photographs)
    moved = impact(sets[own]).groupby("attribute")["p_holm"].agg(lambda p: (p < 0.05).sum())
    return {
        "ages": int(tables[own]["level"].nunique()),
        "groups": int(tables[own]["group"].nunique()),
        "separated": covered[own] < 0.5,
        "less-clear": less_clear,
        "title": less_clear,
        "caption": more_overlap,
        "larger-ellipses": bool(more_overlap and larger),
        "no-longer": all(covered[name] >= 0.5 for name in photographs),
        "age-order": bool(order[own] > 0.9),
        "order-less-evident": all(order[name] < order[own] for name in photographs),
        "systematic": bool((moved >= len(POLES) / 2).all()),
    }
