"""What Hausladen et al. (2025) read off Figures 3, S.1 and B.2 and Table B.1, as predicates.

Comes in: a perception, or its courses over smiling, lighting and pose and its lines of Table B.1.
Goes out: True or False, or the number that is claimed, by the claim's id without "smiling.". May
not: record anything.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.causalface import smiling
from studies.causalface.smiling_lines import NEGATIVE, PARTS, POSITIVE, slope
from studies.roles import Roles

STEEP = (
    "warmth",
    "positive_communion",
    "competence",
    "conservative_belief",
)  # where Black women are the steepest
HIGH = (
    "positive_agency",
    "conservative_belief",
    "negative_communion",
)  # where Asian men are highest
DISHONEST = "negative_communion"
MONOTONE = 0.9  # |Spearman's rho| over levels from which a course has a trend
MIRRORED = 0.9  # r with its mirror image from which a course is symmetric


def about_people(own: smiling.Trajectory, roles: Roles) -> dict[str, bool | float]:
    """Statements that name groups of people.

    Parameters
    ----------
    own : the groups' course over smiling, in delta-cos; its first version is used.
    """
    by = {group: own.mean(group) for group in roles.groups}
    frown, grin, overall = (
        pd.DataFrame({group: take(means) for group, means in by.items()})
        for take in (lambda m: m.iloc[0], lambda m: m.iloc[-1], pd.DataFrame.mean)
    )
    rise = (
        pd.DataFrame(smiling.slopes(own)[0], list(own.groups), list(own.dimensions))
        .loc[list(roles.groups)]
        .T
    )
    return {
        **_levels(frown, grin, roles),
        **_heights(overall, roles),
        **_slopes(rise, own, roles),
        "discussion-extreme": bool((grin - frown).abs().mean().idxmax() == roles.outlier),
    }


def _levels(frown: pd.DataFrame, grin: pd.DataFrame, roles: Roles) -> dict[str, bool]:
    own, lowest = roles.outlier, frown.idxmin(axis=1) == roles.outlier
    place = {
        name: grin.rank(axis=1, ascending=False).loc[name, own]
        for name in ("competence", "positive_communion")
    }
    ends = [
        (table[own] == bound(table))
        for table in (frown, grin)
        for bound in (lambda t: t.max(axis=1), lambda t: t.min(axis=1))
    ]
    best = bool(place["competence"] == 1)
    return {
        "black-women-extremes": bool(np.logical_or.reduce(ends).mean() > 0.5),
        "frowning-lowest": bool(
            lowest.drop("negative_agency").all() and not lowest["negative_agency"]
        ),
        "competence-lowest": bool(lowest["competence"]),
        "smiling-competence": best,
        "competence-highest": best,
        "smiling-communion": bool(place["positive_communion"] == 3),
    }


def _heights(overall: pd.DataFrame, roles: Roles) -> dict[str, bool | float]:
    asian_men, men, women = (
        roles.group("asian male"),
        list(roles.having("male")),
        list(roles.having("female")),
    )
    highest = overall.idxmax(axis=1) == asian_men
    far = {
        group: ((overall[group] - overall.drop(columns=group).mean(axis=1)) ** 2).sum()
        for group in overall
    }
    both = [
        (overall.loc[name, men], overall.loc[name, women])
        for name in ("positive_agency", DISHONEST)
    ]
    apart = [one.min() > other.max() or one.max() < other.min() for one, other in both]
    return {
        "asian-men": bool(highest[list(HIGH)].all()),
        "asian-men-dimensions": int(highest.sum()),
        "outlier": max(far, key=lambda group: far[group]) == roles.outlier,
        "caption-distinct": bool(all(apart)),
    }


def _slopes(rise: pd.DataFrame, own: smiling.Trajectory, roles: Roles) -> dict[str, bool | float]:
    men, women = list(roles.having("male")), list(roles.having("female"))
    white, asian = roles.group("white female"), roles.group("asian female")
    first, signs = rise.idxmax(axis=1) == roles.outlier, np.sign(rise)
    mixed = signs.index[signs.nunique(axis=1) > 1]
    _, lean, bend = vb.quadratics(own.mean(white)[[DISHONEST]], own.levels)[:, 0]
    return {
        "steepest": bool(first[list(STEEP)].all()),
        "steepest-panels": int(
            smiling.steepest(smiling.slopes(own))[0, own.groups.index(roles.outlier)]
        ),
        "one-panel": list(mixed) == [DISHONEST],
        "men-decrease": bool(
            (rise.loc[DISHONEST, men] < 0).all() and (rise.loc[DISHONEST, women] >= 0).all()
        ),
        "women-increase": bool((rise.loc[DISHONEST, [asian, roles.outlier]] > 0).all()),
        "white-women": bool(
            bend > 0 and abs(lean) < 2 * bend
        ),  # a U with its vertex among the levels
        "discussion-black-women": bool(rise.loc[list(POSITIVE)].mean().idxmax() == roles.outlier),
    }


def about_levels(
    delta: Mapping[str, smiling.Trajectory],
    raw: Mapping[str, smiling.Trajectory],
    lines: pd.DataFrame,
) -> dict[str, bool | float]:
    """Statements about all faces together.

    Parameters
    ----------
    delta, raw : attribute → its course without groups, in delta-cos and in raw cosines.
    lines : of `smiling_lines.lines`; the claims about signs of slopes take the units of Table B.1.
    """
    fitted = lines[lines["claimed"]].set_index("row")["coef"]
    r = {attribute: smiling.correlations(delta[attribute]).iloc[0] for attribute in smiling.VARIED}
    return {
        **_light(delta["lighting"]),
        **_turn(delta["pose"], raw["pose"]),
        **_parallel(delta, r),
        **_lines(delta["smiling"], raw, fitted),
    }


def _light(own: smiling.Trajectory) -> dict[str, bool | float]:
    means = own.mean().mean(axis=1)
    order = list(means.sort_values(ascending=False).index)
    return {
        "lighting-order": bool(means[-1] > means[[2, 3]].mean() > means[[5, 6]].mean()),
        "lighting-highest": float(order[0]),
        "lighting-high": set(order[1:3]) == {2, 3},
        "lighting-lowest": set(order[-2:]) == {5, 6},
    }


def _turn(own: smiling.Trajectory, raw: smiling.Trajectory) -> dict[str, bool]:
    means = own.mean()
    ends, front, highest = (
        means.iloc[[0, -1]].mean(axis=None),
        means.loc[0].mean(),
        raw.mean().mean(axis=1).idxmax(),
    )
    mirrored = [np.corrcoef(curve, curve[::-1])[0, 1] > MIRRORED for curve in means.to_numpy().T]
    return {
        "pose-extreme": bool(ends > front),
        "pose-baseline": bool(abs(ends) < abs(front)),
        "pose-mirrored": bool(all(mirrored)),
        "pose-raw": bool(highest == 0),
        "appendix.raw-pose": bool(highest == 0),
        "negative-below": bool(
            (means[list(NEGATIVE)].mean(axis=1) < means[list(POSITIVE)].mean(axis=1)).all()
        ),
    }


def _parallel(
    delta: Mapping[str, smiling.Trajectory], r: Mapping[str, pd.Series]
) -> dict[str, bool | float]:
    together, trend = {}, []
    for attribute in ("lighting", "pose"):
        means = delta[attribute].mean()
        together[attribute] = means.corr().to_numpy()[~np.eye(means.shape[1], dtype=bool)].min() > 0
        trend.append(abs(stats.spearmanr(means.index, means.mean(axis=1)).statistic) > MONOTONE)
    positive = bool(min(r["lighting"].min(), r["pose"].min()) > 0)
    average = {attribute: float(own.mean()) for attribute, own in r.items()}
    return {
        "no-trend": not any(trend),
        "lighting-consistent": bool(together["lighting"]),
        "pose-parallel": bool(together["pose"]),
        "parallel": positive,
        "appendix.same-trend": positive,
        "pose-positive": bool(r["pose"].min() > 0),
        "opposed": bool(r["smiling"].max() < 0),
        "pose-average": average["pose"],
        **{f"{attribute}-r": value for attribute, value in average.items()},
        **{f"table_s2.{attribute}.average": value for attribute, value in average.items()},
    }


def _lines(
    smile: smiling.Trajectory, raw: Mapping[str, smiling.Trajectory], fitted: pd.Series
) -> dict[str, bool]:
    better, worse = bool(fitted["smile_positive"] > 0), bool(fitted["smile_negative"] < 0)
    return {
        "more-positive": better,
        "discussion-smiling": better,
        "less-negative": worse,
        "more-progressive": slope(smile, ["progressive_belief"]) > 0,
        "appendix.grumpy": slope(smile, POSITIVE, high=0) > 0 > slope(smile, NEGATIVE, high=0),
        "appendix.cheerful": max(slope(smile, part, low=0) for part in (POSITIVE, NEGATIVE)) < 0,
        "appendix.lighting-negative": bool(fitted["lighting"] < 0),
        "appendix.pose-rise": bool(fitted["pose_left"] > 0 > fitted["pose_right"]),
        "appendix.raw-smiling": slope(raw["smiling"], POSITIVE)
        > 0
        > slope(raw["smiling"], NEGATIVE),
        "appendix.raw-lighting": slope(raw["lighting"], raw["lighting"].dimensions) > 0,
    }


def recomputed(table_s2: pd.DataFrame, lines: pd.DataFrame) -> dict[str, float]:
    """The numbers of Tables S.2 (from `smiling.poles`) and B.1 (from `smiling_lines.lines`)."""
    found = {
        f"table_s2.{row['attribute']}.{row['pair']}.{part}": row[part]
        for row in table_s2.to_dict("records")
        for part in ("r", "p")
    }
    for row in lines[lines["claimed"]].to_dict("records"):
        found |= {f"table_b1.{row['row']}.{part}": row[part] for part in PARTS}
    return found


def tested(
    table_s2: pd.DataFrame, words: pd.DataFrame, groups: pd.DataFrame
) -> tuple[dict[str, bool], dict[str, bool]]:
    """Statements that need a test, at the 5 % level: those about all faces, and those that name
    groups of people.

    Parameters
    ----------
    table_s2, words, groups : of `smiling.poles`, `smiling.gap_in_words` and `smiling.excess`.
    """
    still = bool((table_s2.loc[table_s2["attribute"] != "smiling", "p_constant_holm"] > 0.05).all())
    differs = words.set_index("of")["differs"]
    return {"legibility": still, "legibility-again": still}, {
        "honesty": not differs["honest"],
        "dishonesty": bool(differs["dishonest"]),
        "caption-women": bool(differs["negative communion"]),
        "different": bool((groups["p_alike_holm"] < 0.05).any()),
    }


def of(
    seen: vb.Perception, roles: Roles, lines: pd.DataFrame, *, n: int, seed: int
) -> tuple[dict[str, bool | float], dict[str, bool | float]]:
    """All that the chapter recomputes, of one perception: what is about all faces, and what names
    groups of people.

    Parameters
    ----------
    lines : of `smiling_lines.lines`, of the same perception.
    n, seed : resamples of the identities, and the seed of their draw.
    """
    varied, beyond = smiling.VARIED, 100 * seen.delta()
    delta = {
        attribute: smiling.trajectory(beyond, seen.table, attribute, n=n, seed=seed)
        for attribute in varied
    }
    raw = {
        attribute: smiling.trajectory(100 * seen.raw(), seen.table, attribute)
        for attribute in varied
    }
    groups = smiling.trajectory(beyond, seen.table, "smiling", groups=roles.groups, n=n, seed=seed)
    table_s2, in_words = smiling.poles(delta), smiling.gap_in_words(seen, roles, n=n, seed=seed)
    of_all, of_people = tested(table_s2, in_words, smiling.excess(groups, roles))
    return (
        of_all | recomputed(table_s2, lines) | about_levels(delta, raw, lines),
        of_people | about_people(groups, roles),
    )
