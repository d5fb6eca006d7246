"""Trajectories over age: Hausladen et al. (2025), Figures 5 and S.3–S.5.

Comes in: perceptions of a set in which age varies alone and of sets of photographs; retrained
networks; roles and truth. Goes out: samples, quadratics with bootstrap draws, tables of curvatures
and tests. May not: name a fictional group, or know what was planted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.roles import Roles
from studies.shown import Shown, shown
from vlmbias.papers import CAUSALFACE

SETS = ("CausalFace", "FairFace", "UTKFace")
CONTROLLED = SETS[0]
# where Figure S.3 has one U among inverse U's
SINGLED_OUT = ("warmth", "positive_agency", "positive_communion")
ADULT = 20  # years
_NORMAL = stats.norm.ppf(0.975)

Span = tuple[float, float] | None
Truth = Callable[[pd.DataFrame], pd.DataFrame]


# --- who is in a sample ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Sample:
    """The images of one set that a protocol uses, group by group over age.

    Attributes
    ----------
    values : one row per image, one column per dimension.
    age : `(n,)`, rendered level or years.
    group : `(n,)`, such as "white female".
    cluster : `(n,)`, the identity or photograph.
    faces : one row per image: what is known of it.
    n_sampled : images sampled, those of other groups included.
    """

    values: pd.DataFrame
    age: np.ndarray
    group: np.ndarray
    cluster: np.ndarray
    faces: pd.DataFrame
    n_sampled: int


def sample(
    faces: pd.DataFrame, values: pd.DataFrame, groups: Sequence[str], *, age: str = "age"
) -> Sample:
    """The rows of the given groups. `faces` has the columns race, gender, seed and `age`; `values`
    has its rows."""
    group = (faces["race"] + " " + faces["gender"]).to_numpy(str)
    kept = np.isin(group, groups)
    own, values = faces[kept].reset_index(drop=True), values[kept].reset_index(drop=True)
    return Sample(
        values, own[age].to_numpy(float), group[kept], own["seed"].to_numpy(), own, len(faces)
    )


def controlled(seen: vb.Perception, groups: Sequence[str], *, scale: float = 100.0) -> Sample:
    """The series in which age varies alone, prototypes included; values are delta-cos times
    `scale`."""
    used = seen.table["subset"].isin(["age", "prototype"]) & seen.table["age"].notna()
    part = seen.where(used)
    return sample(part.table, scale * part.delta(), groups)


def photographs(
    seen: vb.Perception,
    groups: Sequence[str],
    *,
    min_count: int | None,
    seed: int,
    age: str = "years",
    scale: float = 100.0,
) -> Sample:
    """Photographs of adults: all of them, or as many of each age.

    Parameters
    ----------
    min_count : how many an age needs to be used at all; of each such age as many are sampled as the
        rarest has. None for everybody.
    seed : of that sample.
    age : column with the age that the curves are over. Who is an adult, and which ages are rare, is
        judged by `years`.
    """
    rows = np.flatnonzero(seen.table["years"] >= ADULT)
    if min_count is not None:
        rows = rows[equal_per_age(seen.table["years"].iloc[rows], min_count=min_count, seed=seed)]
    faces = seen.table.iloc[rows].reset_index(drop=True)
    return sample(faces, (scale * seen.delta()).iloc[rows].reset_index(drop=True), groups, age=age)


def equal_per_age(years: pd.Series, *, min_count: int, seed: int) -> np.ndarray:
    """Row numbers: of every age with at least `min_count` rows, as many at random as the rarest of
    these ages has."""
    counts = years.value_counts()
    used = sorted(counts.index[counts >= min_count])
    if not used:
        raise ValueError(
            f"no age has {min_count} images; the commonest has {counts.max()}. Lower min_per_age."
        )
    rng, size = np.random.default_rng(seed), counts[used].min()
    return np.sort(
        np.concatenate(
            [rng.choice(np.flatnonzero(years == age), size, replace=False) for age in used]
        )
    )


def balanced(one: Sample) -> bool:
    """Whether every age of a sample has as many images."""
    return len(set(np.unique(one.age, return_counts=True)[1])) == 1


# --- curves ---------------------------------------------------------------------------------------


def curves(one: Sample, *, span: Span = None) -> pd.DataFrame:
    """`vb.trajectories` of a sample's images; a group with fewer than three ages has rows without
    numbers."""
    ages = pd.Series(one.age).groupby(one.group).nunique()
    kept = np.isin(one.group, ages.index[ages > 2])
    fit = vb.trajectories(one.values[kept], one.age[kept], one.group[kept], span=span or _ends(one))
    few = pd.MultiIndex.from_product(
        [ages.index[ages < 3], one.values.columns], names=["group", "dimension"]
    )
    return pd.concat([fit, few.to_frame(index=False)], ignore_index=True)


def bends(fit: pd.DataFrame) -> pd.DataFrame:
    """The curvature of `curves`, `(group × dimension)`."""
    return fit.pivot(index="group", columns="dimension", values="curvature")


def excess(bend: pd.DataFrame, roles: Roles) -> pd.Series:
    """The outlier's curvature minus the mean of the others', per dimension."""
    return bend.loc[roles.outlier] - bend.loc[list(roles.others)].mean()


def figure_data(
    samples: Mapping[str, Sample], dimensions: Sequence[str], *, steps: int = 40
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What Figure 5 draws: the quadratics at `steps` ages, and the means per age; panel, group,
    age, value."""
    lines, dots = [], []
    for name, one in samples.items():
        u, (low, high) = np.linspace(-1, 1, steps), _ends(one)
        for row in curves(one).query("dimension in @dimensions").itertuples():
            y = row.middle + row.slope * u + row.curvature * u**2
            lines.append(
                pd.DataFrame(
                    {
                        "panel": f"{name}: {row.dimension}",
                        "group": row.group,
                        "age": (low + high) / 2 + u * (high - low) / 2,
                        "value": y,
                    }
                )
            )
        means = (
            one.values[list(dimensions)]
            .groupby([one.group, one.age])
            .mean()
            .rename_axis(["group", "age"])
        )
        long = means.melt(ignore_index=False, var_name="dimension").reset_index()
        dots.append(long.assign(panel=f"{name}: " + long["dimension"]).drop(columns="dimension"))
    table = pd.concat(lines, ignore_index=True).dropna()
    return table, pd.concat(dots, ignore_index=True)


@dataclass(frozen=True, eq=False)
class Draws:
    """Quadratics with clusters drawn anew: per group `(1 + n, 3, dimensions)`, the data themselves
    first."""

    dimensions: tuple[str, ...]
    coefficients: Mapping[str, np.ndarray]

    def curvature(self, group: str) -> np.ndarray:
        """One group's curvature, `(1 + n, dimensions)`."""
        return self.coefficients[group][:, 2]


def resampled(one: Sample, *, n: int, seed: int, span: Span = None) -> Draws:
    """The curves of a sample with its clusters drawn anew `n` times.

    Identities that occur in all groups are drawn for all groups at once; photographs for each group
    apart. A draw that leaves a group fewer than three ages has no curve there: NaN.
    """
    shared = len(np.unique(one.cluster)) < len(one.cluster)
    span, found = span or _ends(one), {}
    for number, group in enumerate(dict.fromkeys(one.group)):
        own = np.flatnonzero(one.group == group)
        found[group] = np.full((n + 1, 3, one.values.shape[1]), np.nan)
        if len(own) < 2:
            continue
        weights = vb.cluster_weights(
            one.cluster[own], n_resamples=n, seed=seed if shared else [seed, number]
        )
        weights = np.vstack([np.ones(len(own)), weights])
        enough = (weights @ pd.get_dummies(one.age[own]).to_numpy(float) > 0).sum(axis=1) > 2
        if enough.any():
            found[group][enough] = vb.quadratics(
                one.values.iloc[own], one.age[own], weights=weights[enough], span=span
            )
    return Draws(tuple(one.values.columns), found)


def _ends(one: Sample) -> tuple[float, float]:
    return float(one.age.min()), float(one.age.max())


# --- what a curvature is worth --------------------------------------------------------------------


def curvature(draws: Draws, roles: Roles) -> pd.DataFrame:
    """Curvature of the outlier, the mean of the others, and the difference ("excess"), with
    bootstrap intervals.

    Returns
    -------
    One row per dimension and part ("outlier", "others", "excess"): value, low, high (95 %), se.
    """
    own = draws.curvature(roles.outlier)
    rest = np.mean([draws.curvature(group) for group in roles.others], axis=0)
    rows = []
    for part, values in {"outlier": own, "others": rest, "excess": own - rest}.items():
        low, high = np.nanquantile(values[1:], [0.025, 0.975], axis=0)
        rows.append(
            pd.DataFrame(
                {
                    "dimension": draws.dimensions,
                    "part": part,
                    "value": values[0],
                    "low": low,
                    "high": high,
                    "se": np.nanstd(values[1:], axis=0),
                }
            )
        )
    return pd.concat(rows, ignore_index=True)


def between(tables: Mapping[str, pd.DataFrame], *, reference: str = CONTROLLED) -> pd.DataFrame:
    """The outlier's excess curvature in each set minus that in the reference set, with a 95 %
    interval.

    `tables` is the `curvature` of each set. Sets share no image, so squared standard errors add up.
    """
    own = {
        name: table[table["part"] == "excess"].set_index("dimension")
        for name, table in tables.items()
    }
    rows = []
    for name in [name for name in own if name != reference]:
        gap = own[name]["value"] - own[reference]["value"]
        half = _NORMAL * np.hypot(own[name]["se"], own[reference]["se"])
        rows.append(
            pd.DataFrame(
                {"set": name, "gap": gap, "low": gap - half, "high": gap + half}
            ).reset_index()
        )
    return pd.concat(rows, ignore_index=True)


# --- against what was planted ---------------------------------------------------------------------


def planted(faces: pd.DataFrame, truth: Truth, roles: Roles, *, span: Span = None) -> pd.Series:
    """The excess curvature that the truth has among these faces, per dimension."""
    return excess(bends(curves(sample(faces, truth(faces), roles.groups), span=span)), roles)


# --- retrained networks ---------------------------------------------------------------------------

SET_NAMES = {"CausalFace": "grid", "FairFace": "fairface", "UTKFace": "utkface"}


def retrained(portraits: Any, roles: Roles, networks: Any, *, span: Span) -> pd.DataFrame:
    """The curvatures that retrained networks show, in the controlled series and in both samples of
    photographs.

    Parameters
    ----------
    portraits : see `studies.shown.shown`; its images have the columns set, subset, race,
        gender, age, seed, years.
    networks : mask over its networks: those to use. Networks that were not shown a set are left out
        there.

    Returns
    -------
    One row per set, network and dimension: set, b, network (number within set and b), dimension,
    one column per group, then excess, outlier_u, only_outlier and some_alone (see `lone`).
    """
    parts = []
    for name in SETS:
        chosen = over_age(portraits.images, name, roles)
        one = shown(portraits, CAUSALFACE.dimensions, networks=networks, images=chosen)
        bent = bent_by_network(one, roles.groups, span=span)
        about = one.networks[["b"]].assign(set=name, network=one.networks.groupby("b").cumcount())
        parts.append(about.iloc[bent["row"]].reset_index(drop=True).join(bent.drop(columns="row")))
    table = pd.concat(parts, ignore_index=True)
    return table.join(lone(table, roles))


def over_age(images: pd.DataFrame, name: str, roles: Roles) -> pd.Series:
    """Which of the portraits' pictures show how a judgement goes over age in one of `SETS`: whole
    series, or adults."""
    own = (images["set"] == SET_NAMES[name]) & (images["race"] + " " + images["gender"]).isin(
        roles.groups
    )
    if name != CONTROLLED:
        return own & (images["years"] >= ADULT)
    series = images.loc[own & (images["subset"] == "age"), "seed"].unique()
    return own & images["subset"].isin(["age", "prototype"]) & images["seed"].isin(series)


def bent_by_network(one: Shown, groups: Sequence[str], *, span: Span) -> pd.DataFrame:
    """Curvature over age, logits: one row per network and dimension, with the network's row and a
    column per group."""
    group, age = (
        (one.images["race"] + " " + one.images["gender"]).to_numpy(str),
        one.images["age"].to_numpy(float),
    )
    networks, n, k = one.logits.shape
    values, ends = (
        one.logits.transpose(1, 0, 2).reshape(n, networks * k),
        span or (age.min(), age.max()),
    )
    table = pd.DataFrame(
        {"row": np.repeat(np.arange(networks), k), "dimension": np.tile(one.dimensions, networks)}
    )
    own = {name: group == name for name in groups}
    return table.assign(
        **{name: vb.quadratics(values[rows], age[rows], span=ends)[2] for name, rows in own.items()}
    )


def lone(bent: pd.DataFrame, roles: Roles) -> pd.DataFrame:
    """Who bends alone, row by row of curvatures with a column per group.

    Returns
    -------
    excess (of the outlier over the mean of the others), outlier_u (it bends upwards), only_outlier
    (it and no other), some_alone (exactly one group, whichever, has its sign of curvature).
    """
    up = (bent[list(roles.groups)] > 0).sum(axis=1)
    own = bent[roles.outlier] > 0
    return pd.DataFrame(
        {
            "excess": bent[roles.outlier] - bent[list(roles.others)].mean(axis=1),
            "outlier_u": own,
            "only_outlier": own & (up == 1),
            "some_alone": up.isin([1, len(roles.groups) - 1]),
        }
    )


def lone_rates(found: pd.DataFrame, dimension: str, events: Mapping[str, str]) -> pd.DataFrame:
    """How many networks show each event in one dimension named beforehand, with exact intervals.

    Parameters
    ----------
    found : as from `retrained`.
    events : column of `found` → what to call it.

    Returns
    -------
    One row per event, set and strength: event, set, b, n, hits, rate, low, high.
    """
    parts = []
    for column, called in events.items():
        cases = found[found["dimension"] == dimension].groupby(["set", "b"], sort=False)[column]
        table = vb.networks.rates({key: own.to_numpy(bool) for key, own in cases}).rename_axis(
            ["set", "b"]
        )
        parts.append(table.reset_index().assign(event=called))
    return pd.concat(parts, ignore_index=True)


def detection_rates(
    found: pd.DataFrame, dimension: str, *, b: float = 1.0, alpha: float = 0.05
) -> pd.DataFrame:
    """Each network's excess curvature against the networks in which nothing was planted (b = 0),
    set by set.

    Raises
    ------
    ValueError : a set has too few networks with nothing planted for a p of `alpha`.

    Returns
    -------
    One row per set: set, then as `vb.networks.rates`, of the networks at strength b with a
    one-sided p of at most `alpha`.
    """
    own, hits = found[found["dimension"] == dimension], {}
    for name, part in own.groupby("set", sort=False):
        silent = part["b"] == 0
        if (smallest := 1 / (silent.sum() + 1)) > alpha:
            raise ValueError(
                f"{silent.sum()} networks with nothing planted cannot give {name} a p of {alpha};"
                f" the smallest they allow is {smallest:.3f}"
            )
        p = vb.networks.among_null(part["excess"], silent)
        hits[name] = p[part["b"] == b] <= alpha
    return vb.networks.rates(hits).rename_axis("set").reset_index()
