"""Effects and gaps from found photographs, in which attributes go together, and from controlled
sets, which may leak.

Comes in: what retrained networks make of the grid, of leaking series and of uncontrolled samples;
the grammar with its bias table. Goes out: tables with one row per estimate, network and dimension,
beside what was planted and what the same network shows elsewhere. May not: draw, or take faces of
one network as observations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree

from greenhouse.retrained import COLUMNS, Scores
from greenhouse.world import grid, truth
from greenhouse.world.bias import BiasTable
from greenhouse.world.grammar import Grammar
from studies.shown import Shown, shown

DIMENSIONS = COLUMNS[:8]
EFFECTS = ("age", "smiling")
METHODS = ("controlled", "naive", "adjusted", "matched")
RECORDED = ("age", "smiling", "lighting", "turned")  # beside hue and crest
UNRECORDED = "warm_garment"
HUES = grid.HUES[:3]
TARGETS = ("planted", "own")


def everything(
    portraits: Scores, bias: BiasTable, *, strengths: Sequence[float] = (1.0, 0.0)
) -> Shown:
    """What the networks that were shown every set make of it; faces have a column for each look,
    recorded or not."""
    networks = portraits.networks
    chosen = networks["shows"] & networks["condition"].eq("none") & networks["b"].isin(strengths)
    found = shown(
        portraits, DIMENSIONS, networks=chosen, images=np.ones(len(portraits.images), bool)
    )
    return replace(found, images=bias.with_looks(found.images))


def sample(images: pd.DataFrame, kind: str, *, youngest: float) -> np.ndarray:
    """Which pictures of an uncontrolled sample the paper would use: three hues, nobody younger than
    `youngest`."""
    return (
        (images["set"] == kind) & images["race"].isin(HUES) & (images["years"] >= youngest)
    ).to_numpy()


def correlations(images: pd.DataFrame, bias: BiasTable) -> pd.DataFrame:
    """How attributes go together in a sample: rows age, smiling, lighting, hues, a crest; columns
    age, smiling, and the look that is not recorded."""
    attributes = {name: images[name] for name in ("age", "smiling", "lighting")}
    attributes |= {hue: images["race"].eq(hue).astype(float) for hue in HUES}
    attributes |= {grid.CRESTS[1]: images["gender"].eq(grid.CRESTS[1]).astype(float)}
    columns = {
        **{name: images[name] for name in EFFECTS},
        UNRECORDED: bias.feature(UNRECORDED, images),
    }
    return pd.DataFrame(
        {
            name: {
                row: values.corr(pd.Series(own, images.index)) for row, values in attributes.items()
            }
            for name, own in columns.items()
        }
    )


# --- one effect, four ways ------------------------------------------------------------------------


def slope(values: np.ndarray, columns: Sequence[np.ndarray]) -> np.ndarray:
    """Least squares with a constant: the coefficient of the first column.

    Parameters
    ----------
    values : `(networks, faces, dimensions)`.
    columns : each `(faces,)`.

    Returns
    -------
    ndarray, `(networks, dimensions)`.
    """
    design = np.column_stack([*columns, np.ones(len(columns[0]))])
    return np.einsum("n,mnd->md", np.linalg.pinv(design)[0], values)


def covariates(rows: pd.DataFrame, bias: BiasTable, *, but: str = "") -> list[np.ndarray]:
    """What a careful analyst adjusts for: every recorded attribute but one, age and smiling also
    squared."""
    bent = [bias.feature(name, rows) ** 2 for name in EFFECTS if name != but]
    return [*(bias.feature(name, rows) for name in RECORDED if name != but), *bent]


def groups(rows: pd.DataFrame) -> list[np.ndarray]:
    """A column for each group of hue and crest but one."""
    return list(
        pd.get_dummies(rows["race"] + " " + rows["gender"], drop_first=True).to_numpy(float).T
    )


def nearest(
    high: np.ndarray, low: np.ndarray, strata: np.ndarray, near: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Every face of two sides with its nearest of the other side and of its own stratum (with
    replacement).

    Parameters
    ----------
    high, low : bool `(faces,)`.
    strata : `(faces,)`.
    near : `(faces, k)`: what distance is measured in, each column by its standard deviation.

    Returns
    -------
    Positions in the high side, and of their partners in the low one.
    """
    near, found = near / near.std(axis=0), []
    for stratum in np.unique(strata):
        a, b = (np.flatnonzero(side & (strata == stratum)) for side in (high, low))
        if len(a) and len(b):
            found += [
                (a, b[cKDTree(near[b]).query(near[a])[1]]),
                (a[cKDTree(near[a]).query(near[b])[1]], b),
            ]
    if not found:
        raise ValueError(
            "nearest: no stratum has faces of both sides; take a larger sample or coarser strata"
        )
    up, down = (np.concatenate(side) for side in zip(*found, strict=True))
    return up, down


def effect_estimates(
    values: np.ndarray, rows: pd.DataFrame, bias: BiasTable, name: str
) -> dict[str, np.ndarray]:
    """Every estimate of the effect of an attribute from an uncontrolled sample, logits per half its
    range.

    Parameters
    ----------
    values : `(networks, faces, dimensions)`.
    rows : one per face.

    Returns
    -------
    `(networks, dimensions)` each: "naive" (simple regression); "adjusted" (multiple regression on
    group and `covariates`); "matched" (the highest third against the lowest, nearest faces of one
    group, per unit of what still separates them); "all known" (adjusted for the unrecorded look,
    too, as nobody could).
    """
    x = bias.feature(name, rows)
    known = [*groups(rows), *covariates(rows, bias, but=name)]
    near = np.column_stack([bias.feature(one, rows) for one in RECORDED if one != name])
    third, two_thirds = np.quantile(x, [1 / 3, 2 / 3])
    up, down = nearest(
        x > two_thirds, x < third, (rows["race"] + " " + rows["gender"]).to_numpy(), near
    )
    matched = (values[:, up] - values[:, down]).mean(axis=1) / (x[up] - x[down]).mean()
    return {
        "naive": slope(values, [x]),
        "adjusted": slope(values, [x, *known]),
        "matched": matched,
        "all known": slope(values, [x, *known, bias.feature(UNRECORDED, rows)]),
    }


def log_odds(grammar: Grammar, rows: pd.DataFrame, b: float) -> np.ndarray:
    """What a network that had learnt every face's odds would show (`per_face`),
    `(faces, dimensions)`, in logits."""
    return truth.per_face(grammar, rows, b, axes=DIMENSIONS).to_numpy()


def planted_effect(grammar: Grammar, rows: pd.DataFrame, name: str, b: float) -> np.ndarray:
    """The change of log odds per half range if every face had a little more of one attribute and
    nothing else.

    Returns
    -------
    ndarray, `(dimensions,)`: the mean over the faces.
    """
    step = 0.05  # half the change, in half ranges
    change = step * grammar.bias.features[name]["half_range"]
    more, less = (
        log_odds(grammar, rows.assign(**{name: rows[name] + sign * change}), b) for sign in (1, -1)
    )
    return ((more - less) / (2 * step)).mean(axis=0)


def series(
    images: pd.DataFrame, name: str, *, leak: float = 0.0, others: bool = False
) -> np.ndarray:
    """Which pictures make up the controlled series of an attribute, prototypes among them.

    Parameters
    ----------
    leak : how much the manipulation leaks; 0 for the clean grid.
    others : take the identities that have no leaking series, which show a network's own effects.
    """
    within = (
        images["set"].eq("leak") & np.isclose(images["leak"], leak)
        if leak
        else images["set"].eq("grid")
    )
    leaking = images.loc[images["set"] == "leak", "seed"].unique()
    with_series = images.loc[
        (images["set"] == "grid") & (images["subset"] == name), "seed"
    ].unique()
    who = np.setdiff1d(with_series, leaking) if others else leaking
    return (
        within & images["seed"].isin(who) & images["subset"].isin([name, "prototype"])
    ).to_numpy()


def controlled(seen: Shown, bias: BiasTable, name: str, rows: np.ndarray) -> np.ndarray:
    """The effect of an attribute in a controlled series, `(networks, dimensions)`, logits per half
    range."""
    return slope(seen.logits[:, rows], [bias.feature(name, seen.images[rows])])


def effects(seen: Shown, grammar: Grammar, samples: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Every estimate of the effects of age and smiling, beside both targets.

    Parameters
    ----------
    seen : of `everything`.
    samples : name → mask over its images.

    Returns
    -------
    effect, b, sample, method, network, dimension, estimate, planted (for the faces that the
    estimate is about), own (what the network shows in clean series of other identities).
    """
    bias, parts = grammar.bias, []
    for name in EFFECTS:
        clean, others = (series(seen.images, name, others=one) for one in (False, True))
        for b, part in by_strength(seen):
            own, made = controlled(part, bias, name, others), controlled(part, bias, name, clean)
            aim = planted_effect(grammar, part.images[clean], name, b)
            for kind, rows in samples.items():
                found = effect_estimates(part.logits[:, rows], part.images[rows], bias, name)
                aims = dict.fromkeys(found, planted_effect(grammar, part.images[rows], name, b))
                table = tidy({"controlled": made, **found}, {"controlled": aim, **aims}, own)
                parts.append(table.assign(effect=name, b=b, sample=kind))
    return pd.concat(parts, ignore_index=True)


def leaks(seen: Shown, grammar: Grammar, *, b: float = 1.0) -> pd.DataFrame:
    """The controlled estimates as the manipulation leaks more and more, beside both targets of the
    clean series.

    Returns
    -------
    effect, leak, and as `effects` from method ("controlled") on.
    """
    bias, parts, part = grammar.bias, [], dict(by_strength(seen))[b]
    strengths = [0.0, *np.sort(part.images.loc[part.images["set"] == "leak", "leak"].unique())]
    for name in EFFECTS:
        own = controlled(part, bias, name, series(part.images, name, others=True))
        aim = planted_effect(grammar, part.images[series(part.images, name)], name, b)
        for leak in strengths:
            made = controlled(part, bias, name, series(part.images, name, leak=float(leak)))
            parts.append(
                tidy({"controlled": made}, {"controlled": aim}, own).assign(
                    effect=name, leak=float(leak)
                )
            )
    return pd.concat(parts, ignore_index=True)


# --- gaps between groups --------------------------------------------------------------------------


def gap_estimates(
    values: np.ndarray, rows: pd.DataFrame, bias: BiasTable, column: str, first: str, second: str
) -> dict[str, np.ndarray]:
    """Every estimate of the gap between two groups, first − second, from an uncontrolled sample;
    see `effect_estimates`. Strata and adjustment are for the other of hue and crest."""
    here = rows[column].isin([first, second]).to_numpy()
    rows, values = rows[here], values[:, here]
    one, other = (rows[column] == first).to_numpy(), rows["gender" if column == "race" else "race"]
    known = [*pd.get_dummies(other, drop_first=True).to_numpy(float).T, *covariates(rows, bias)]
    up, down = nearest(
        one,
        ~one,
        other.to_numpy(),
        np.column_stack([bias.feature(name, rows) for name in RECORDED]),
    )
    return {
        "naive": values[:, one].mean(axis=1) - values[:, ~one].mean(axis=1),
        "adjusted": slope(values, [one.astype(float), *known]),
        "matched": (values[:, up] - values[:, down]).mean(axis=1),
        "all known": slope(values, [one.astype(float), *known, bias.feature(UNRECORDED, rows)]),
    }


def planted_gap(
    grammar: Grammar, rows: pd.DataFrame, column: str, first: str, second: str, b: float
) -> np.ndarray:
    """What a count of captions shows if everybody were of one group, less if everybody were of the
    other."""
    both = pd.concat([rows.assign(**{column: group}) for group in (first, second)])
    counts: Any = truth.counted(grammar, both, column, b, axes=DIMENSIONS)
    # where captions do not differ, sums of many terms may leave 1e-16
    return (counts.loc[first] - counts.loc[second]).round(12).to_numpy() + 0.0


def pairs() -> dict[str, tuple[str, str, str]]:
    """The gaps that are asked for: name → column, first, second."""
    hues = {f"{one} − {other}": ("race", one, other) for one, other in combinations(HUES, 2)}
    return hues | {" − ".join(grid.CRESTS): ("gender", *grid.CRESTS)}


def gaps(
    seen: Shown, people: Shown, grammar: Grammar, samples: Mapping[str, np.ndarray]
) -> pd.DataFrame:
    """Every estimate of every gap, beside both targets; columns as of `effects`, with `pair` in
    place of `effect`.

    Parameters
    ----------
    people : the same networks; other identities, the same in all groups, which show a network's own
        gaps.
    """
    if (
        len(people.networks) != len(seen.networks)
        or (people.networks["seed"] != seen.networks["seed"]).any()
    ):
        raise ValueError("gaps: `people` and `seen` must hold the same networks in the same order")
    prototypes = (seen.images["set"].eq("grid") & seen.images["subset"].eq("prototype")).to_numpy()
    parts = []
    for pair, (column, first, second) in pairs().items():
        for b, part in by_strength(seen):
            own = _difference(
                people.where(seen.networks["b"] == b), slice(None), column, first, second
            )
            made, aim = (
                _difference(part, prototypes, column, first, second),
                planted_gap(grammar, part.images[prototypes], column, first, second, b),
            )
            for kind, rows in samples.items():
                found = gap_estimates(
                    part.logits[:, rows], part.images[rows], grammar.bias, column, first, second
                )
                aims = dict.fromkeys(
                    found, planted_gap(grammar, part.images[rows], column, first, second, b)
                )
                table = tidy({"controlled": made, **found}, {"controlled": aim, **aims}, own)
                parts.append(table.assign(pair=pair, b=b, sample=kind))
    return pd.concat(parts, ignore_index=True)


def _difference(seen: Shown, rows: Any, column: str, first: str, second: str) -> np.ndarray:
    values, group = seen.logits[:, rows], seen.images[column].to_numpy()[rows]
    return values[:, group == first].mean(axis=1) - values[:, group == second].mean(axis=1)


# --- errors ---------------------------------------------------------------------------------------


def by_strength(seen: Shown) -> list[tuple[float, Shown]]:
    """The networks of each strength, strongest first."""
    strengths = seen.networks["b"]
    return [
        (float(b), seen.where(strengths == b)) for b in sorted(strengths.unique(), reverse=True)
    ]


def tidy(
    estimates: Mapping[str, np.ndarray], planted: Mapping[str, np.ndarray], own: np.ndarray
) -> pd.DataFrame:
    """One row per method, network and dimension: estimate, planted, own.

    Parameters
    ----------
    estimates : method → `(networks, dimensions)`.
    planted : method → `(dimensions,)`.
    own : `(networks, dimensions)`.
    """
    n = len(own)
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "method": method,
                    "network": np.repeat(range(n), len(DIMENSIONS)),
                    "dimension": DIMENSIONS * n,
                    "estimate": values.ravel(),
                    "planted": np.tile(planted[method], n),
                    "own": own.ravel(),
                }
            )
            for method, values in estimates.items()
        ],
        ignore_index=True,
    )


def errors(table: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    r"""Each network's error against each target, over the dimensions.

    .. math:: \sqrt{\tfrac18 \sum_k (\text{estimate}_k - \text{target}_k)^2}

    Parameters
    ----------
    by : the columns that tell estimates apart.

    Returns
    -------
    `by`, network, target ("planted" or "own"), error (logits).
    """
    keys = [*by, "network"]
    squares = table.assign(**{name: (table["estimate"] - table[name]) ** 2 for name in TARGETS})
    roots = np.sqrt(squares.groupby(keys, sort=False)[list(TARGETS)].mean()).rename_axis(
        columns="target"
    )
    return roots.stack().rename("error").reset_index()


def wrong_signs(table: pd.DataFrame, by: Sequence[str], *, threshold: float) -> pd.Series:
    """Share of networks and dimensions with more than `threshold` planted (absolute) in which an
    estimate has the other sign."""
    clear = table[table["planted"].abs() > threshold]
    return (
        (np.sign(clear["estimate"]) != np.sign(clear["planted"]))
        .groupby([clear[name] for name in by])
        .mean()
    )


def crossings(curves: pd.DataFrame, goal: pd.Series) -> pd.Series:
    """From which leak on, network by network, a leaking series is further off than another
    estimate.

    Parameters
    ----------
    curves : errors of the leaking series, one row per network, one column per leak, ascending.
    goal : `(networks,)`, errors of the other estimate.

    Returns
    -------
    Per network: the first leak at which its error exceeds the goal, on a straight line between two
    that were tried; 0 where it does so without a leak, infinite where it never does.
    """
    leak, found = curves.columns.to_numpy(float), {}
    for network, row in curves.sub(goal, axis=0).iterrows():
        over = row.to_numpy()
        if not (over > 0).any():
            found[network] = np.inf
        elif (place := int(np.argmax(over > 0))) == 0:
            found[network] = 0.0
        else:
            before, after = over[place - 1 : place + 1]
            found[network] = leak[place - 1] + (leak[place] - leak[place - 1]) * before / (
                before - after
            )
    return pd.Series(found)
