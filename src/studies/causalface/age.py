"""Bends over age: Hausladen et al. (2025), Figures 5 and S.3–S.5.

A table of *pictures* has one row per picture: `group`, `person`, `level` (the age that curves are
over), what else is known of it, and a column for each trait. The *bend* of a curve is the number
before u² of a parabola over ages from -1 to 1.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.roles import Roles
from studies.shown import shown
from vlmbias.papers import CAUSALFACE

# the sets of the paper, and what the retrained networks' pictures call them
SETS = {"CausalFace": "grid", "FairFace": "fairface", "UTKFace": "utkface"}
TRAITS = list(CAUSALFACE.dimensions)
ADULT = 20  # years

Span = tuple[float, float] | None


# --- pictures -------------------------------------------------------------------------------------


def pictures(
    faces: pd.DataFrame, values: pd.DataFrame, groups: Sequence[str], *, over: str = "age"
) -> pd.DataFrame:
    """The pictures of these groups; `faces` and `values` (a column per trait) have the same
    rows."""
    known = faces.assign(
        group=faces["race"] + " " + faces["gender"],
        person=faces["seed"],
        level=faces[over].astype(float),
    )
    table = known.reset_index(drop=True).join(values.reset_index(drop=True))
    return table[table["group"].isin(groups)].reset_index(drop=True)


def controlled(seen: vb.Perception, groups: Sequence[str], *, scale: float = 100.0) -> pd.DataFrame:
    """The series in which age varies alone, prototypes included; traits are Δcos times `scale`."""
    used = seen.table["subset"].isin(["age", "prototype"]) & seen.table["age"].notna()
    part = seen.where(used)
    return pictures(part.table, scale * part.delta(), groups)


def photographs(
    seen: vb.Perception,
    groups: Sequence[str],
    *,
    min_count: int | None,
    seed: int,
    over: str = "years",
    scale: float = 100.0,
) -> pd.DataFrame:
    """Photographs of adults: all of them where `min_count` is None, or as many of each age (see
    `equal_per_age`). Who is an adult, and which ages are rare, is judged by `years`."""
    years = seen.table["years"]
    rows = np.flatnonzero(years >= ADULT)
    if min_count is not None:
        rows = rows[equal_per_age(years.iloc[rows], min_count=min_count, seed=seed)]
    return pictures(seen.table.iloc[rows], scale * seen.delta().iloc[rows], groups, over=over)


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
    drawn = [rng.choice(np.flatnonzero(years == age), size, replace=False) for age in used]
    return np.sort(np.concatenate(drawn))


# --- curves ---------------------------------------------------------------------------------------


def curves(
    table: pd.DataFrame, traits: Sequence[str] = TRAITS, *, span: Span = None
) -> pd.DataFrame:
    """`vb.trajectories` of a table of pictures; a group with fewer than three ages has rows without
    numbers."""
    ages = table.groupby("group")["level"].nunique()
    own = table[table["group"].isin(ages.index[ages > 2])]
    fit = vb.trajectories(own[list(traits)], own["level"], own["group"], span=span or _ends(table))
    few = pd.MultiIndex.from_product(
        [ages.index[ages < 3], traits], names=["group", "dimension"]
    ).to_frame(index=False)
    return pd.concat([fit, few], ignore_index=True)


def bends(
    table: pd.DataFrame, traits: Sequence[str] = TRAITS, *, span: Span = None
) -> pd.DataFrame:
    """The bend of each group's curves, `(trait × group)`; NaN for a group with fewer than three
    ages."""
    ends, level = span or _ends(table), table["level"].to_numpy()
    values, bent = table[list(traits)].to_numpy(float), {}
    for group, rows in table.groupby("group").indices.items():
        enough = len(np.unique(level[rows])) > 2
        bent[group] = vb.quadratics(values[rows], level[rows], span=ends)[2] if enough else np.nan
    return pd.DataFrame(bent, pd.Index(traits, name="dimension")).sort_index()


def excess(bent: pd.DataFrame, group: str) -> pd.Series:
    """A group's bend less the mean of the others', row by row of a table with a column per
    group."""
    return bent[group] - bent.drop(columns=group).mean(axis=1, skipna=False)


def resampled(table: pd.DataFrame, *, n: int, seed: int) -> pd.DataFrame:
    """Bends with people drawn anew, `((draw, trait) × group)`; draw 0 has the pictures themselves.

    People that occur in all groups are drawn for all groups at once; photographs for each group
    apart. A draw that leaves a group fewer than three ages has no bend there: NaN.
    """
    shared = not table["person"].is_unique
    rows = pd.MultiIndex.from_product([range(n + 1), TRAITS], names=["draw", "trait"])
    found = pd.DataFrame(np.nan, rows, list(table["group"].unique()))
    for number, (group, own) in enumerate(table.groupby("group", sort=False)):
        if len(own) < 2:
            continue
        drawn = vb.cluster_weights(
            own["person"], n_resamples=n, seed=seed if shared else [seed, number]
        )
        weights = np.vstack([np.ones(len(own)), drawn])
        ages = weights @ pd.get_dummies(own["level"]).to_numpy(float)
        enough = (ages > 0).sum(axis=1) > 2
        if enough.any():
            bent = vb.quadratics(
                own[TRAITS], own["level"], weights=weights[enough], span=_ends(table)
            )[:, 2]
            found.loc[np.repeat(enough, len(TRAITS)), group] = bent.ravel()
    return found


def _ends(table: pd.DataFrame) -> tuple[float, float]:
    """The youngest and the oldest age of all groups."""
    return float(table["level"].min()), float(table["level"].max())


# --- retrained networks ---------------------------------------------------------------------------


def over_age(images: pd.DataFrame, name: str, groups: Sequence[str]) -> pd.Series:
    """Which of the retrained networks' pictures show how a judgement goes over age in one of
    `SETS`: whole series, or adults."""
    group = images["race"] + " " + images["gender"]
    own = (images["set"] == SETS[name]) & group.isin(groups)
    if name != "CausalFace":
        return own & (images["years"] >= ADULT)
    series = images.loc[own & (images["subset"] == "age"), "seed"].unique()
    return own & images["subset"].isin(["age", "prototype"]) & images["seed"].isin(series)


def in_networks(
    portraits: Any, name: str, groups: Sequence[str], *, networks: Any, span: tuple[float, float]
) -> pd.DataFrame:
    """The bends, in logits, that retrained networks show in one of `SETS`; networks that were not
    shown it are left out.

    Parameters
    ----------
    portraits : see `studies.shown.shown`.
    networks : mask over its networks: those to use.

    Returns
    -------
    One row per network and trait: b, network (number within b), dimension, a column per group.
    """
    one = shown(
        portraits, TRAITS, networks=networks, images=over_age(portraits.images, name, groups)
    )
    group = one.images["race"] + " " + one.images["gender"]
    level, b = one.images["age"].to_numpy(float), one.networks["b"]
    known = pd.DataFrame({"b": b, "network": b.groupby(b).cumcount()})
    table = known.merge(pd.DataFrame({"dimension": TRAITS}), how="cross")
    flat = one.logits.transpose(1, 0, 2).reshape(len(group), -1)  # pictures × (networks, traits)
    for name in groups:
        own = (group == name).to_numpy()
        table[name] = vb.quadratics(flat[own], level[own], span=span)[2]
    return table


# --- from controlled faces to photographs ---------------------------------------------------------

Draw = Callable[[np.random.Generator], pd.DataFrame]


def steps(controlled: pd.DataFrame, photographed: pd.DataFrame, n: int) -> dict[str, Draw]:
    """What draws a set of about `n` pictures, step by step from controlled faces to photographs.

    Ages that no photograph shows are left out. Each step keeps what the one before it changed.
    """
    groups, levels, people = (np.unique(controlled[name]) for name in ("group", "level", "person"))
    adult = levels[levels >= photographed["level"].min()]
    photographed_at = photographed["level"].to_numpy()
    nearest = adult[np.abs(photographed_at[:, None] - adult).argmin(axis=1)]
    group, each = photographed["group"].to_numpy(), np.repeat(groups, n // len(groups))
    other_people = partial(of_other_people, controlled, whereabouts(controlled))

    def same_people(rng: np.random.Generator) -> pd.DataFrame:
        size = min(len(people), n // (len(groups) * len(adult)))
        who = rng.choice(people, size, replace=False)
        return controlled[controlled["person"].isin(who) & controlled["level"].isin(adult)]

    def as_common(rng: np.random.Generator) -> pd.DataFrame:
        pick = rng.choice(len(group), n, replace=False)
        return other_people(group[pick], nearest[pick], rng=rng)

    return {
        "same people at every age": same_people,
        "other people at every age": lambda rng: other_people(
            each, np.resize(adult, len(each)), rng=rng
        ),
        "ages as common as in photographs": as_common,
        "photographs": lambda rng: photographed.iloc[rng.choice(len(group), n, replace=False)],
    }


def whereabouts(controlled: pd.DataFrame) -> pd.MultiIndex:
    """Group, person and level of each row."""
    return pd.MultiIndex.from_frame(controlled[["group", "person", "level"]])


def of_other_people(
    controlled: pd.DataFrame,
    place: pd.MultiIndex,
    group: np.ndarray,
    ages: np.ndarray,
    *,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """For each group and age asked for, somebody at random; within a group nobody comes twice
    before everybody has come once. `place`: the `whereabouts` of `controlled`."""
    people, who = np.unique(controlled["person"]), {}
    for name in np.unique(group):
        who[name] = np.resize(rng.permutation(people), (group == name).sum())
    own = np.concatenate([np.flatnonzero(group == name) for name in who])
    wanted = pd.MultiIndex.from_arrays([group[own], np.concatenate([*who.values()]), ages[own]])
    return controlled.iloc[place.get_indexer(wanted)]


# --- what the paper reads off its figures ---------------------------------------------------------

NAMES_NO_GROUP = {"noisy"}  # the other claims name people, and are not evaluated on drawings
_PHOTOGRAPHS = {"not-evident", "noisy", "caption-less-clear"}  # claims about these
_WITH_U = ["warmth", "positive_agency", "positive_communion"]  # one U among inverse U's: Figure S.3
_EXTREME = ["competence", "negative_communion", "positive_agency", "progressive_belief"]


def about(claim: str) -> tuple[str, ...]:
    """The sets that a claim is about."""
    first, *others = SETS
    if claim == "caption-title":
        return tuple(SETS)
    return tuple(others) if claim in _PHOTOGRAPHS else (first,)


def shapes(fit: pd.DataFrame) -> SimpleNamespace:
    """What can be read off the `curves` of a set, tables `(trait × group)`: young, middle and old
    are heights; slope; bend; u, hill: it bends so, and turns within the ages; extreme: the highest
    or lowest curve of all when young, in the middle or when old."""
    wide = fit.pivot(index="dimension", columns="group", values=["middle", "slope", "curvature"])
    middle, slope, bend = wide["middle"], wide["slope"], wide["curvature"]
    young, old = middle - slope + bend, middle + slope + bend
    turns = slope.abs() < 2 * bend.abs()
    extreme = pd.DataFrame(False, bend.index, bend.columns)
    for at in (young, middle, old):
        extreme |= at.eq(at.max(axis=1), axis=0) | at.eq(at.min(axis=1), axis=0)
    return SimpleNamespace(
        young=young,
        middle=middle,
        old=old,
        slope=slope,
        bend=bend,
        u=turns & (bend > 0),
        hill=turns & (bend < 0),
        extreme=extreme,
    )


def claims(
    fits: Mapping[str, pd.DataFrame], roles: Roles, *, widths: Mapping[str, float]
) -> dict[str, bool]:
    """What the paper reads off Figures 5 and S.3–S.5, by the claim's id without "age.": does it
    hold here?

    Parameters
    ----------
    fits : the `curves` of each of `SETS`.
    widths : per set, how uncertain a bend of the outlier is (a standard error).
    """
    black, white, others = roles.outlier, roles.group("white female"), list(roles.others)
    men = list(roles.having("male"))
    read = {name: shapes(fit) for name, fit in fits.items()}
    own = read["CausalFace"]
    young, middle, old = (one.loc["warmth"] for one in (own.young, own.middle, own.old))
    u, hill, extreme, fall = own.u, own.hill, own.extreme, own.slope.loc["competence"]
    competent = [one.loc["competence", black] for one in (own.young, own.middle, own.old)]
    rise = (own.middle - own.young).loc[list(CAUSALFACE.positive)].mean()
    # traits in which the outlier bends upwards and everybody else downwards
    lone = {
        name: ((one.bend[black] > 0) & (one.bend[others] < 0).all(axis=1)).loc[_WITH_U].sum()
        for name, one in read.items()
    }
    seen = max(lone["FairFace"], lone["UTKFace"])
    found = {
        "warmth-u": u.loc["warmth", black],
        "caption-u": u.loc["warmth", black],
        "warmth-inverted": hill.loc["warmth", white],
        "warmth-black": young[black] > middle[black] < old[black],
        "warmth-white": young[white] < middle[white] > old[white],
        "warmth-decline-black": middle[black] < young[black],
        "warmth-decline-white": middle[white] >= young[white],
        "warmth-men": (old[men] > young[men]).all(),
        "u-not-competence": not u.loc["competence", black],
        "competence-women": fall[black] < 0 and fall[white] < 0,
        "competence-steepest": fall[black] < fall[white] and fall[black] == fall.min(),
        "competence-men": (fall[men].abs() < abs(fall[black]) / 2).all(),
        "caption-decrease": fall[black] < 0 and not u.loc["competence", black],
        "caption-young": competent[0] == max(competent),
        "outlier": extreme.loc["competence", black],
        "u-extends": u.loc[["positive_agency", "positive_communion"], black].all(),
        "s3-u": u.loc[_WITH_U, black].all(),
        "s3-others": hill.loc[_WITH_U, others].all(axis=None),
        "s3-extreme": extreme.loc[_EXTREME, black].all(),
        "caption-extreme": extreme.loc[["warmth", "competence"], black].all(),
        "peculiar": lone["CausalFace"] == len(_WITH_U),
        "discussion-black": rise[black] < 0,
        "discussion-others": (rise[others] > 0).all(),
        "discussion-one-group": rise[black] < 0 and (rise[others] > 0).all(),
        "not-evident": seen == 0,
        "caption-title": seen == 0,
        "caption-less-clear": seen < u.loc[_WITH_U, black].sum(),
        "noisy": min(widths["FairFace"], widths["UTKFace"]) > widths["CausalFace"],
    }
    return {claim: bool(holds) for claim, holds in found.items()}
