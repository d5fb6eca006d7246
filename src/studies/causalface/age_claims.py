"""What Hausladen et al. (2025) read off Figures 5 and S.3–S.5, as predicates.

Comes in: the curves of each image set, as from `age.curves`; roles. Goes out: True or False by the
claim's id without "age.". May not: record anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from studies.causalface import age
from studies.roles import Roles
from vlmbias.papers import CAUSALFACE

NAMES_NO_GROUP = frozenset(
    {"noisy"}
)  # the other claims name groups of people, and are not evaluated on drawings
_ALL_SETS, _PHOTOGRAPHS = (
    frozenset({"caption-title"}),
    frozenset({"not-evident", "noisy", "caption-less-clear"}),
)


def about(claim: str) -> tuple[str, ...]:
    """The sets that a claim is about."""
    if claim in _ALL_SETS:
        return age.SETS
    return age.SETS[1:] if claim in _PHOTOGRAPHS else age.SETS[:1]


@dataclass(frozen=True, eq=False)
class Shapes:
    """The coefficients of one set, each `(dimension × group)`: β₀, β₁ and β₂ of
    `vb.trajectories`."""

    middle: pd.DataFrame
    slope: pd.DataFrame
    curvature: pd.DataFrame

    @classmethod
    def of(cls, fit: pd.DataFrame) -> "Shapes":
        wide = fit.pivot(
            index="dimension", columns="group", values=["middle", "slope", "curvature"]
        )
        return cls(wide["middle"], wide["slope"], wide["curvature"])

    def at(self, u: float) -> pd.DataFrame:
        """The curves' heights, from u = −1 (youngest) over 0 to 1 (oldest)."""
        return self.middle + self.slope * u + self.curvature * u**2

    def u(self, dimension: str, group: str) -> bool:
        """A U: it bends upwards and has its vertex within the ages."""
        bend = self.curvature.loc[dimension, group]
        return bool(bend > 0 and abs(self.slope.loc[dimension, group]) < 2 * bend)

    def hill(self, dimension: str, group: str) -> bool:
        """An inverse U: it bends downwards and has its vertex within the ages."""
        bend = self.curvature.loc[dimension, group]
        return bool(bend < 0 and abs(self.slope.loc[dimension, group]) < -2 * bend)

    def extreme(self, dimension: str, group: str) -> bool:
        """Whether the group's curve is the highest or the lowest of all at the youngest, middle or
        oldest age."""
        heights = [self.at(u).loc[dimension] for u in (-1, 0, 1)]
        return any(own[group] in (own.min(), own.max()) for own in heights)

    def alone(self, dimension: str, roles: Roles) -> bool:
        """Whether the outlier's curve bends upwards and every other one downwards."""
        bend = self.curvature.loc[dimension]
        return bool(bend[roles.outlier] > 0 and (bend[list(roles.others)] < 0).all())


def claims(
    fits: Mapping[str, pd.DataFrame], roles: Roles, *, widths: Mapping[str, float]
) -> dict[str, bool]:
    """What the paper reads off Figures 5 and S.3–S.5, by the claim's id without "age.": does it
    hold here?

    Parameters
    ----------
    fits : the `curves` of each of `age.SETS`.
    widths : per set, how uncertain a curvature of the outlier is (a standard error).
    """
    shapes = {name: Shapes.of(fit) for name, fit in fits.items()}
    return {
        **_warmth(shapes[age.CONTROLLED], roles),
        **_competence(shapes[age.CONTROLLED], roles),
        **_outlier(shapes[age.CONTROLLED], roles),
        **_photographs(shapes, roles, widths),
    }


def _warmth(own: Shapes, roles: Roles) -> dict[str, bool]:
    outlier, white, men = roles.outlier, roles.group("white female"), list(roles.having("male"))
    young, middle, old = (own.at(u).loc["warmth"] for u in (-1, 0, 1))
    return {
        "warmth-u": own.u("warmth", outlier),
        "caption-u": own.u("warmth", outlier),
        "warmth-inverted": own.hill("warmth", white),
        "warmth-black": bool(young[outlier] > middle[outlier] < old[outlier]),
        "warmth-white": bool(young[white] < middle[white] > old[white]),
        "warmth-decline-black": bool(middle[outlier] < young[outlier]),
        "warmth-decline-white": bool(middle[white] >= young[white]),
        "warmth-men": bool((old[men] > young[men]).all()),
    }


def _competence(own: Shapes, roles: Roles) -> dict[str, bool]:
    outlier, white, men = roles.outlier, roles.group("white female"), list(roles.having("male"))
    falls, ages = (
        own.slope.loc["competence"],
        [own.at(u).loc["competence", outlier] for u in (-1, 0, 1)],
    )
    return {
        "u-not-competence": not own.u("competence", outlier),
        "competence-women": bool(falls[outlier] < 0 and falls[white] < 0),
        "competence-steepest": bool(
            falls[outlier] < falls[white] and falls[outlier] == falls.min()
        ),
        "competence-men": bool((falls[men].abs() < abs(falls[outlier]) / 2).all()),
        "caption-decrease": bool(falls[outlier] < 0 and not own.u("competence", outlier)),
        "caption-young": bool(ages[0] == max(ages)),
        "outlier": own.extreme("competence", outlier),
    }


def _outlier(own: Shapes, roles: Roles) -> dict[str, bool]:
    outlier, others = roles.outlier, roles.others
    overall = (own.at(0) - own.at(-1)).loc[list(CAUSALFACE.positive)].mean()
    extremes = ("competence", "negative_communion", "positive_agency", "progressive_belief")
    falls, rise = bool(overall[outlier] < 0), bool((overall[list(others)] > 0).all())
    return {
        "u-extends": own.u("positive_agency", outlier) and own.u("positive_communion", outlier),
        "s3-u": all(own.u(dimension, outlier) for dimension in age.SINGLED_OUT),
        "s3-others": all(
            own.hill(dimension, group) for dimension in age.SINGLED_OUT for group in others
        ),
        "s3-extreme": all(own.extreme(dimension, outlier) for dimension in extremes),
        "caption-extreme": own.extreme("warmth", outlier) and own.extreme("competence", outlier),
        "peculiar": all(own.alone(dimension, roles) for dimension in age.SINGLED_OUT),
        "discussion-black": falls,
        "discussion-others": rise,
        "discussion-one-group": falls and rise,
    }


def _photographs(
    shapes: Mapping[str, Shapes], roles: Roles, widths: Mapping[str, float]
) -> dict[str, bool]:
    there = {
        name: sum(shapes[name].alone(dimension, roles) for dimension in age.SINGLED_OUT)
        for name in age.SETS[1:]
    }
    here = sum(shapes[age.CONTROLLED].u(dimension, roles.outlier) for dimension in age.SINGLED_OUT)
    return {
        "not-evident": not any(there.values()),
        "caption-title": not any(there.values()),
        "caption-less-clear": max(there.values()) < here,
        "noisy": all(widths[name] > widths[age.CONTROLLED] for name in age.SETS[1:]),
    }
