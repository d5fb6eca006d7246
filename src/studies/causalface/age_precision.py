"""How uncertain a curve over age is, step by step from controlled faces to photographs.

Comes in: a controlled sample and one of photographs, as `age.Sample`; roles. Goes out: the
outlier's excess curvature in many small sets of pictures. May not: know what was planted.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from studies.causalface import age
from studies.roles import Roles

STEPS = (
    "same people at every age",
    "other people at every age",
    "ages as common as in photographs",
    "photographs",
)

Rows = Callable[[np.random.Generator], np.ndarray]


def estimates(
    controlled: age.Sample,
    photographed: age.Sample,
    roles: Roles,
    *,
    dimension: str,
    n_pictures: int,
    n_sets: int,
    seed: int,
    span: age.Span,
) -> pd.DataFrame:
    """The outlier's excess curvature from many sets of about as many pictures, step by step from
    controlled faces to photographs.

    Ages that no photograph shows are left out. Each step keeps what the one before it changed. In
    the first, some people are shown at every age; from the second on, every age shows other people;
    then groups and ages are as common as in the photographs; the last step takes the photographs
    themselves, in which all else varies as well.

    Returns
    -------
    One row per step and set: step, pictures, excess.
    """
    rng, found = np.random.default_rng(seed), []
    for step, (one, rows) in _steps(controlled, photographed, n_pictures).items():
        small = replace(one, values=one.values[[dimension]])
        for _ in range(n_sets):
            chosen = rows(rng)
            bend = age.bends(age.curves(taken(small, chosen), span=span))
            found.append((step, len(chosen), age.excess(bend, roles)[dimension]))
    return pd.DataFrame(found, columns=["step", "pictures", "excess"])


def taken(one: age.Sample, rows: np.ndarray) -> age.Sample:
    """The images of a sample in the given rows, which may come more than once."""
    return age.Sample(
        one.values.iloc[rows].reset_index(drop=True),
        one.age[rows],
        one.group[rows],
        one.cluster[rows],
        one.faces.iloc[rows].reset_index(drop=True),
        len(rows),
    )


def _steps(
    controlled: age.Sample, photographed: age.Sample, n: int
) -> dict[str, tuple[age.Sample, Rows]]:
    """Each step's sample, and what draws a set of rows from it."""
    groups, levels = np.unique(controlled.group), np.unique(controlled.age)
    adult = levels[levels >= photographed.age.min()]
    nearest = adult[np.abs(photographed.age[:, None] - adult).argmin(axis=1)]

    def even(ages: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        group = np.repeat(groups, n // len(groups))
        return of_other_people(controlled, group, np.resize(ages, len(group)), rng=rng)

    def as_common(rng: np.random.Generator) -> np.ndarray:
        pick = rng.choice(len(photographed.age), n, replace=False)
        return of_other_people(controlled, photographed.group[pick], nearest[pick], rng=rng)

    draws: tuple[Rows, ...] = (
        lambda rng: of_same_people(controlled, n // (len(groups) * len(adult)), adult, rng=rng),
        lambda rng: even(adult, rng),
        as_common,
    )
    steps = {step: (controlled, rows) for step, rows in zip(STEPS[:-1], draws, strict=True)}
    return steps | {
        STEPS[-1]: (photographed, lambda rng: rng.choice(len(photographed.age), n, replace=False))
    }


def of_same_people(
    one: age.Sample, n: int, ages: np.ndarray, *, rng: np.random.Generator
) -> np.ndarray:
    """Row numbers: n people, each at each of the ages and in every group."""
    own = np.isin(one.cluster, rng.choice(np.unique(one.cluster), n, replace=False))
    return np.flatnonzero(own & np.isin(one.age, ages))


def of_other_people(
    one: age.Sample, group: np.ndarray, ages: np.ndarray, *, rng: np.random.Generator
) -> np.ndarray:
    """Row numbers: for each group and age asked for, somebody at random; within a group nobody
    comes twice before everybody has come once."""
    place = pd.Series(
        np.arange(len(one.age)), index=pd.MultiIndex.from_arrays([one.group, one.cluster, one.age])
    )
    people, rows = np.unique(one.cluster), []
    for name in np.unique(group):
        own = ages[group == name]
        who = np.resize(rng.permutation(people), len(own))
        wanted = pd.MultiIndex.from_arrays([np.repeat(name, len(own)), who, own])
        rows.append(place.loc[wanted].to_numpy())
    return np.concatenate(rows)


def ranges(table: pd.DataFrame) -> pd.DataFrame:
    """Where the middle 95 % of the estimates lie, step by step in their order.

    Returns
    -------
    One row per step: step, pictures (median), middle (median), low, high, sd.
    """
    own = table.groupby("step", sort=False)["excess"]
    return pd.DataFrame(
        {
            "pictures": table.groupby("step", sort=False)["pictures"].median(),
            "middle": own.median(),
            "low": own.quantile(0.025),
            "high": own.quantile(0.975),
            "sd": own.std(ddof=0),
        }
    ).reset_index()
