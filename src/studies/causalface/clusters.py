"""Groups as clusters of markers: Hausladen et al. (2025), Figures 4 and S.2.

Comes in: perceptions of a set in which age varies alone and of photographs; faces, markers and
figures made from them. Goes out: faces under a protocol, markers, how separate they are in several
senses, and predicates of claims.
May not: draw, name a fictional group, or know what was planted.

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
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import balanced_accuracy_score, silhouette_score
from sklearn.model_selection import GroupKFold, cross_val_predict

import vlmbias as vb
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

POLES = tuple(pole for pair in CAUSALFACE.poles.values() for pole in pair)
AGENCY = CAUSALFACE.poles["agency"]
SETS = ("CausalFace", "FairFace", "UTKFace")
CONTROLLED = SETS[0]
DECADES = (20, 30, 40, 50, 60, 70, np.inf)  # ends of FairFace's age bins from twenty up
_WHO = ["race", "gender", "group"]


# --- faces and markers ----------------------------------------------------------------------------


def faces(seen: vb.Perception, *, relative: bool = False, scale: float = 100.0) -> pd.DataFrame:
    """The faces that the figure uses, see `used`, with their group, age and poles.

    Parameters
    ----------
    relative : if True, the poles are per cent of the neutral cosine; if False, delta-cos times
        `scale`.
    scale : such as the logit scale of a network.

    Returns
    -------
    One row per face: race, gender, group, level (the rendered age, or the number of the decade),
    age, identity, and the six poles.
    """
    table, values = (
        seen.table,
        seen.delta(relative=relative)[list(POLES)] * (1 if relative else scale),
    )
    keys = {
        "race": table["race"],
        "gender": table["gender"],
        "group": table["race"] + " " + table["gender"],
        "level": _levels(table),
        "age": table["age"],
        "identity": table["seed"],
    }
    return pd.DataFrame(keys).join(values.set_axis(table.index))[used(seen)].reset_index(drop=True)


def used(seen: vb.Perception) -> np.ndarray:
    """Which rows the figure uses, `(n,)` bool: series over age with prototypes, or photographs from
    twenty years up."""
    own = _levels(seen.table).notna()
    return (
        own if "years" in seen.table else own & seen.table["subset"].isin(["age", "prototype"])
    ).to_numpy()


def _levels(table: pd.DataFrame) -> Any:
    return (
        pd.cut(table["years"], DECADES, right=False, labels=False)
        if "years" in table
        else table["age"]
    )


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


def protocol(
    seen: Mapping[str, vb.Perception], *, relative: bool, every_race: bool, quotas: bool, seed: int
) -> dict[str, pd.DataFrame]:
    """The faces of the three sets as a protocol has them.

    Parameters
    ----------
    seen : by name of `SETS`, and "FairFace/all" and "UTKFace/all", without the filter on race and
        age.
    relative : see `faces`.
    every_race : whether UTKFace keeps all races.
    quotas : whether FairFace is drawn as `within_quotas` has it.
    seed : of that draw.
    """
    races = sorted(set(seen[CONTROLLED].table["race"]))
    fairface = within_quotas(seen["FairFace/all"], races, seed=seed) if quotas else seen["FairFace"]
    chosen = (seen[CONTROLLED], fairface, seen["UTKFace/all"] if every_race else seen["UTKFace"])
    return {name: faces(own, relative=relative) for name, own in zip(SETS, chosen, strict=True)}


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
    return (
        wide[columns]
        .to_numpy()
        .reshape(len(wide), len(poles), len(groups), -1)
        .transpose(0, 2, 3, 1)
    )


# --- what a figure shows --------------------------------------------------------------------------


def figure_data(figure: Any) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """What a figure of `vb.figures.ellipses` shows, in the units of its axes, group by group.

    Returns
    -------
    The places of each group's markers, `(n, 2)`, and points on the edge of each group's ellipse,
    `(k, 2)`.
    """
    places, edges = [], []
    for axes in figure.axes:
        places += _places(axes)
        for patch in (one for one in axes.patches if isinstance(one, Ellipse)):
            ends = np.asarray(patch.get_path().vertices)[
                ::3
            ]  # of its Bézier curves, which lie on the edge
            edges.append(patch.get_patch_transform().transform(ends))
    return places, edges


def sigmas(figure: Any) -> np.ndarray:
    """How many standard deviations each ellipse of a figure reaches from the mean of its markers,
    `(groups,)`.

    The Mahalanobis distance of its edge under the covariance of the markers, ddof 1; the mean along
    the edge.
    """
    found = []
    for points, edge in zip(*figure_data(figure), strict=True):
        off, inverse = edge - points.mean(axis=0), np.linalg.inv(np.cov(points.T))
        found.append(np.sqrt(np.einsum("ki,ij,kj->k", off, inverse, off)).mean())
    return np.array(found)


def shows_differences(figure: Any, seen: vb.Perception, pairs: Sequence[Sequence[str]]) -> bool:
    """Whether the markers in a figure lie at 100 x (cosine with a pole's words - cosine with the
    neutral prompt).

    Parameters
    ----------
    figure : of `vb.figures.ellipses`, one panel per pair of poles, of the controlled set.
    seen : the controlled set; the difference is taken anew from its cosines.
    pairs : the poles on the axes of each panel, horizontal first.
    """
    named, neutral = seen.words["dimension"].astype(object), seen.words["neutral"].to_numpy()
    table, cosines = seen.table[used(seen)], seen.cosines[used(seen)]
    poles = {
        pole: cosines[:, named == pole].mean(axis=1) - cosines[:, neutral].mean(axis=1)
        for pole in POLES
    }
    means = (
        100
        * pd.DataFrame(poles, index=table.index)
        .groupby([table["race"], table["gender"], table["age"]])
        .mean()
    )
    for axes, pair in zip(
        figure.axes, pairs, strict=False
    ):  # a panel that is not used is an axes, too
        shown, wanted = np.concatenate(_places(axes)), means[list(pair)].to_numpy()
        if shown.shape != wanted.shape or not np.allclose(_sorted(shown), _sorted(wanted)):
            return False
    return True


def _places(axes: Any) -> list[np.ndarray]:
    return [np.asarray(dots.get_offsets()) for dots in axes.collections]


def _sorted(points: np.ndarray) -> np.ndarray:
    return points[np.lexsort(points.T)]


def meanings(
    own: pd.DataFrame, groups: Sequence[str], *, n: int, seed: int
) -> dict[str, np.ndarray]:
    """The points of three ellipses around the same groups on the axes of Agency, each
    `(points, groups, 2)`.

    Returns
    -------
    "ages": a group's means at each age (the paper's); "resampled": its mean with identities drawn
    anew `n` times, each with all of its versions; "faces": its single faces.
    """
    values = cube(own, groups, AGENCY)
    times = vb.cluster_weights(np.arange(len(values)), n_resamples=n, seed=seed) / len(values)
    again = np.einsum("ri,igd->rgd", times, values.mean(axis=2))
    return {
        "ages": values.mean(axis=0).swapaxes(0, 1),
        "resampled": again,
        "faces": values.swapaxes(1, 2).reshape(-1, len(groups), 2),
    }


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


def guessed(
    points: pd.DataFrame, group: pd.Series, left_out: pd.Series, *, folds: int = 10
) -> float:
    """Share of rows whose group a linear discriminant guesses right, each group counting the same.

    Parameters
    ----------
    left_out : what a fold leaves out as a whole, such as an age or an identity.
    folds : at most.
    """
    equal = np.full(group.nunique(), 1 / group.nunique())
    rule, cv = LinearDiscriminantAnalysis(priors=equal), GroupKFold(min(folds, left_out.nunique()))
    return float(
        balanced_accuracy_score(
            group, cross_val_predict(rule, points, group, groups=left_out, cv=cv)
        )
    )


def age_order(table: pd.DataFrame) -> pd.Series:
    """|Kendall's τ| of each group's markers along the long axis of its ellipse in Agency with their
    ages."""
    found = {}
    for group, own in table.groupby("group", sort=False):
        points = own[list(AGENCY)].to_numpy()
        along = points @ np.linalg.eigh(np.cov(points.T))[1][:, -1]
        found[group] = abs(stats.kendalltau(along, own["level"]).statistic)
    return pd.Series(found)


def separation(own: pd.DataFrame) -> dict[str, float]:
    """How separate the groups are in Agency, in four senses, and how well their markers are ordered
    by age.

    Returns
    -------
    overlap and silhouette of the markers; markers_guessed (left out: their age); faces_guessed
    (left out: the identity); order, the mean of `age_order`.
    """
    table, pair = markers(own), list(AGENCY)
    return {
        "overlap": overlap(table),
        "silhouette": silhouette(table),
        "markers_guessed": guessed(table[pair], table["group"], table["level"]),
        "faces_guessed": guessed(own[pair], own["group"], own["identity"]),
        "order": float(age_order(table).mean()),
    }


# --- what the paper reads off its figure ----------------------------------------------------------


def impact(own: pd.DataFrame) -> pd.DataFrame:
    """Whether race, gender and age move the poles, on the same faces: Friedman's test (Wilcoxon's
    for two levels).

    Each identity's values are averaged over the other two attributes.

    Returns
    -------
    One row per attribute and pole: attribute, pole, range (of the level means), p, p_holm (over all
    rows).
    """
    rows = []
    for attribute, column in {"race": "race", "gender": "gender", "age": "level"}.items():
        table = own.groupby(["identity", column])[list(POLES)].mean().unstack().dropna()
        for pole in POLES:
            levels = table[pole].to_numpy().T
            test: Any = (
                stats.wilcoxon(*levels) if len(levels) == 2 else stats.friedmanchisquare(*levels)
            )
            rows.append(
                {
                    "attribute": attribute,
                    "pole": pole,
                    "range": np.ptp(levels.mean(axis=1)),
                    "p": test.pvalue,
                }
            )
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"]))


_CONTROLLED_ALONE = frozenset(
    {"ages", "groups", "separated", "age-order", "systematic", "axes", "sigma-s2"}
)


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
    less_clear = _each_photographs(lambda name: clear[name] < clear[CONTROLLED])
    more_overlap = _each_photographs(lambda name: covered[name] > covered[CONTROLLED])
    moved = impact(sets[CONTROLLED]).groupby("attribute")["p_holm"].agg(lambda p: (p < 0.05).sum())
    return {
        "ages": int(tables[CONTROLLED]["level"].nunique()),
        "groups": int(tables[CONTROLLED]["group"].nunique()),
        "separated": covered[CONTROLLED] < 0.5,
        "less-clear": less_clear,
        "title": less_clear,
        "caption": more_overlap,
        "larger-ellipses": more_overlap
        and _each_photographs(lambda name: size[name] > size[CONTROLLED]),
        "no-longer": _each_photographs(lambda name: covered[name] >= 0.5),
        "age-order": bool(order[CONTROLLED] > 0.9),
        "order-less-evident": _each_photographs(lambda name: order[name] < order[CONTROLLED]),
        "systematic": bool((moved >= len(POLES) / 2).all()),
    }


def _each_photographs(holds: Any) -> bool:
    return all(bool(holds(name)) for name in SETS[1:])
