"""What was planted, what retrained networks show of it, and what they show where nothing was
planted.

Comes in: tables, scores and vectors of retrained networks, the grammar with its bias table. Goes
out: tables with one row per network, test or axis. May not: type a role's name, train, or treat
faces of one network as observations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse.retrained import Scores, Vectors
from greenhouse.world import grid, truth
from greenhouse.world.bias import BiasTable
from greenhouse.world.grammar import Grammar

AXES = tuple(truth.CONTRASTS)
DIMENSIONS = tuple(axis for axis, against in truth.CONTRASTS.items() if against is None)
TRUTHS = ("counted", "per_face")
FEATURES = ("constant", "prime", "age", "smiling")  # what a group's readings are taken apart into
LEVELS = {"hue": grid.HUES, "crest": grid.CRESTS}
ATTACKS = ("shuffled", "all the same", "valence shuffled")
VALENCE = ("pleasant", "unpleasant")


# --- what was planted -----------------------------------------------------------------------------


def bias_entries(bias: BiasTable) -> pd.DataFrame:
    """The bias table at b = 1: axis × (part, level or feature); NaN where an axis has no such
    entry.

    Parts are "hue" and "crest" (planted), one per interaction, named by whom it concerns, and
    "legitimate".
    """
    rows: dict[str, dict[tuple[str, str], float]] = {}
    for axis in AXES:
        entry, row = bias.axes[axis], {}
        for part, column in (("hue", "race"), ("crest", "gender")):
            row |= {
                (part, level): effect
                for level, effect in entry.get("planted", {}).get(column, {}).items()
            }
        for each in entry.get("interactions", ()):
            who = " ".join(each["who"].values())
            row |= {(f"only {who}", name): effect for name, effect in each.items() if name != "who"}
        row |= {
            ("legitimate", name): effect
            for name, effect in entry["legitimate"].items()
            if name != "category"
        }
        rows[axis] = row
    table = pd.DataFrame(rows).T
    table.columns = pd.MultiIndex.from_tuples(table.columns)
    order = [
        "hue",
        "crest",
        *sorted(part for part in table.columns.unique(0) if part.startswith("only")),
        "legitimate",
    ]
    return table.reindex(columns=order, level=0)


def both_truths(
    grammar: Grammar, faces: pd.DataFrame, b: float, *, axes: Sequence[str] = AXES
) -> pd.DataFrame:
    r"""Both truths of every pair of hues and of crests, and what tells them apart.

    A count takes the log of a mean, a reading the mean of a log. For any :math:`x`,
    :math:`\log \overline{e^x} - \bar x = \tfrac12 \operatorname{var}(x) + \dots`, so the two gaps
    differ by about half the difference of two variances: of a word's log odds over the faces of
    either group.

    Parameters
    ----------
    faces : the same faces in every group; columns as in CausalFace.
    b : strength of what is planted.

    Returns
    -------
    attribute, first, second, axis; counted and per_face (logits); apart, the second minus the
    first; spread, what half the difference of variances makes of it.
    """
    single, parts = truth.per_face(grammar, faces, b, axes=axes), []
    for attribute, column in (("hue", "race"), ("crest", "gender")):
        both = truth.gaps(truth.counted(grammar, faces, column, b, axes=axes), "counted")
        means: Any = single.groupby(faces[column]).mean()
        both["per_face"] = truth.gaps(means)["gap"]
        both["spread"] = -truth.gaps(_half_variance(grammar, faces, column, b, axes))["gap"]
        parts.append(both.assign(attribute=attribute, apart=both["per_face"] - both["counted"]))
    return pd.concat(parts, ignore_index=True)


def _half_variance(
    grammar: Grammar, faces: pd.DataFrame, by: str, b: float, axes: Sequence[str]
) -> pd.DataFrame:
    """Half the variance of log p over each group's faces, the mean over an axis's words, less that
    of its opposite."""
    shares = grammar.group_shares(faces)

    def of(axis: str) -> pd.Series:
        slot = grammar.slot_of(axis)
        words = grammar.words(slot)
        own = [words.index(word) for word in grammar.slots[slot][axis]]
        odds = grammar.log_probabilities(slot, faces, b)[:, own] + np.log(shares[slot])[:, None]
        return pd.DataFrame(odds).groupby(faces[by].to_numpy()).var(ddof=0).mean(axis=1) / 2

    found = {
        axis: of(axis) - (of(against) if (against := truth.CONTRASTS[axis]) else 0.0)
        for axis in axes
    }
    return pd.DataFrame(
        found
    )  # the neutral captions of a face are as likely in every group: no variance apart


# --- gaps between groups --------------------------------------------------------------------------


def departures(gaps: pd.DataFrame) -> pd.DataFrame:
    """How far each hue lies from the mean of the hues, and each crest from that of the crests,
    network by network.

    A slope over all pairs of groups, through zero, is the slope over these departures.

    Parameters
    ----------
    gaps : `retrained.gaps()`: columns kind, b, seed, first, second, axis, measured, counted,
        per_face.

    Returns
    -------
    kind, b, seed, axis, attribute ("hue" or "crest"), group, measured, counted, per_face.
    """
    values = ["measured", *TRUTHS]
    keys = ["kind", "b", "seed", "axis", "attribute", "group"]
    there = gaps.drop(columns="second").rename(columns={"first": "group"})
    back = gaps.drop(columns="first").rename(columns={"second": "group"})
    back = back.assign(**{name: -back[name] for name in values})
    both = pd.concat([there, back], ignore_index=True)
    both["attribute"] = np.where(both["group"].isin(grid.HUES), "hue", "crest")
    found = both.groupby(keys, sort=False)[values]
    return (
        found.sum().div(found.size() + 1, axis=0).reset_index()
    )  # a group meets all others but itself


def slopes(table: pd.DataFrame, by: Sequence[str], *, threshold: float = 0.01) -> pd.DataFrame:
    r"""The slope of what each network shows on either truth, :math:`\sum m t / \sum t^2` over
    `departures`.

    Parameters
    ----------
    by : columns of `departures` that a slope is asked for each of.
    threshold : root mean square of a truth, in logits, below which no slope is given: there is too
        little to recover.

    Returns
    -------
    One row per network, entry of `by` and truth: seed, `by`, truth, slope.
    """
    parts = []
    for name in TRUTHS:
        products = table.assign(up=table["measured"] * table[name], down=table[name] ** 2)
        each = products.groupby([*by, "seed"], sort=False)
        found = each.agg(up=("up", "sum"), down=("down", "sum"), n=("up", "size"))
        found = found[found["down"] > found["n"] * threshold**2]
        parts.append((found["up"] / found["down"]).rename("slope").reset_index().assign(truth=name))
    return pd.concat(parts, ignore_index=True)


def over_networks(table: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """`vb.networks.summary` of one value per network, for every entry of `by`, which becomes the
    index."""
    keys = list(by) if len(by) > 1 else by[0]  # one name: plain keys, no tuples of one
    values = {key: own.to_numpy() for key, own in table.groupby(keys, sort=False)[value]}
    return vb.networks.summary(values).rename_axis(list(by))


# --- where nothing was planted --------------------------------------------------------------------


def levels(table: pd.DataFrame) -> dict[str, np.ndarray]:
    """The measured departures as arrays: attribute → `(networks, axes, groups)`, groups as in
    `LEVELS`."""
    found = {}
    for attribute, groups in LEVELS.items():
        own = table[table["attribute"] == attribute]
        wide = own.pivot(index=["kind", "seed"], columns=["axis", "group"], values="measured")
        columns = pd.MultiIndex.from_product([list(dict.fromkeys(own["axis"])), groups])
        found[attribute] = wide[columns].to_numpy().reshape(len(wide), -1, len(groups))
    return found


def all_pairs(found: Mapping[str, np.ndarray]) -> np.ndarray:
    """The gaps between all pairs of groups, `(networks, axes × pairs)`: every test that could be
    made."""
    parts = []
    for values in found.values():
        first, second = np.array(list(combinations(range(values.shape[2]), 2))).T
        parts.append((values[..., first] - values[..., second]).reshape(len(values), -1))
    return np.concatenate(parts, axis=1)


def exchanged(
    found: Mapping[str, np.ndarray], *, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """The same with the names of the hues, and of the crests, assigned anew in every network,
    alike on all axes."""
    mixed = {}
    for attribute, values in found.items():
        order = rng.permuted(np.tile(np.arange(values.shape[2]), (len(values), 1)), axis=1)
        mixed[attribute] = np.take_along_axis(values, order[:, None, :], axis=2)
    return mixed


def rejections(gaps: np.ndarray, chosen: np.ndarray, *, alpha: float = 0.05) -> tuple[float, float]:
    """How often t-tests with networks as observations reject, over subsets of networks.

    Parameters
    ----------
    gaps : `(networks, tests)`.
    chosen : bool `(subsets, networks)`, each subset of one size.

    Returns
    -------
    The share of all tests that reject, and the share of subsets in which Holm's correction over all
    tests rejects something: there the smallest p passes Bonferroni's bound.
    """
    n, weights = int(chosen[0].sum()), chosen.astype(float)
    mean = weights @ gaps / n
    variance = np.maximum(weights @ gaps**2 - n * mean**2, 0) / (n - 1)
    size = np.abs(mean) / np.sqrt(variance / n)
    single, holm = (stats.t.ppf(1 - share / 2, n - 1) for share in (alpha, alpha / gaps.shape[1]))
    return float((size > single).mean()), float((size > holm).any(axis=1).mean())


def false_positive_rates(
    found: Mapping[str, np.ndarray],
    sizes: Sequence[int],
    *,
    seed: int,
    alpha: float = 0.05,
    n_subsets: int = 60,
    n_draws: int = 400,
) -> pd.DataFrame:
    """How often tests over networks alarm where nothing was planted, beside what exchanging names
    gives.

    Parameters
    ----------
    found : of `levels`.
    sizes : numbers of networks that a test uses; random subsets, where there are more.
    n_subsets, n_draws : subsets of each size, and exchanges of names, each with the same subsets.

    Returns
    -------
    One row per size: n, rate (share of tests that reject at `alpha`), low and high (where the rate
    lies in 95 % of the exchanges), expected (its mean over exchanges), holm (share of subsets in
    which Holm's correction rejects something), holm_expected.
    """
    rng, networks = np.random.default_rng(seed), len(next(iter(found.values())))
    subsets = {}
    for n in sizes:
        if not 2 <= n <= networks:
            raise ValueError(
                f"alarm_rates: subsets of {n} networks; from 2 to {networks} can be drawn"
            )
        order = rng.permuted(
            np.tile(np.arange(networks), (1 if n == networks else n_subsets, 1)), axis=1
        )
        subsets[n] = order < n
    seen = {n: rejections(all_pairs(found), chosen, alpha=alpha) for n, chosen in subsets.items()}
    null = {n: np.empty((n_draws, 2)) for n in sizes}
    for draw in range(n_draws):
        gaps = all_pairs(exchanged(found, rng=rng))
        for n, chosen in subsets.items():
            null[n][draw] = rejections(gaps, chosen, alpha=alpha)
    return pd.DataFrame(
        [
            {
                "n": n,
                "rate": seen[n][0],
                "low": np.quantile(null[n][:, 0], 0.025),
                "high": np.quantile(null[n][:, 0], 0.975),
                "expected": null[n][:, 0].mean(),
                "holm": seen[n][1],
                "holm_expected": null[n][:, 1].mean(),
            }
            for n in sizes
        ]
    )


def likeness(found: Mapping[str, np.ndarray], *, seed: int, n_draws: int = 400) -> dict[str, float]:
    """How alike the gaps of two networks are: the mean correlation over all pairs of networks,
    beside exchanged names.

    Returns
    -------
    r; low and high, where it lies in 95 % of the exchanges of names (see `exchanged`).
    """

    def mean_r(levels_of: Mapping[str, np.ndarray]) -> float:
        flat = np.concatenate(
            [values.reshape(len(values), -1) for values in levels_of.values()], axis=1
        )
        r = np.corrcoef(flat)
        return float(r[np.triu_indices(len(r), 1)].mean())

    rng = np.random.default_rng(seed)
    low, high = np.quantile(
        [mean_r(exchanged(found, rng=rng)) for _ in range(n_draws)], [0.025, 0.975]
    )
    return {"r": mean_r(found), "low": float(low), "high": float(high)}


def null_tests(gaps: pd.DataFrame) -> pd.DataFrame:
    """`vb.networks.one_sample` of every pair of groups and axis: first, second, axis, n, mean, sd,
    one_sign, p, p_holm.

    `gaps` is `retrained.gaps()` of networks in which nothing was planted.
    """
    keys = ["first", "second", "axis"]
    values = {key: own.to_numpy() for key, own in gaps.groupby(keys, sort=False)["measured"]}
    return vb.networks.one_sample(values).rename_axis(keys).reset_index()


def by_pair(tests: pd.DataFrame, *, alpha: float = 0.05) -> pd.DataFrame:
    """`null_tests` pair by pair: mean |mean|, mean SD, their ratio, largest share of one sign,
    tests below `alpha`."""
    size = tests.assign(
        size=tests["mean"].abs(), significant=tests["p"] < alpha, holm=tests["p_holm"] < alpha
    )
    found = size.groupby(["first", "second"], sort=False).agg(
        axes=("axis", "size"),
        mean=("size", "mean"),
        sd=("sd", "mean"),
        one_sign=("one_sign", "max"),
        significant=("significant", "sum"),
        holm=("holm", "sum"),
    )
    return found.reset_index()


# --- where two things meet ------------------------------------------------------------------------


def logits(scores: Scores, networks: Any, axes: Sequence[str] = DIMENSIONS) -> np.ndarray:
    """What the chosen networks show, `(networks, images, axes)`: logit scale × Δcos."""
    return np.stack([scores.delta(axis)[np.flatnonzero(networks)] for axis in axes], axis=2)


def slopes_within(values: np.ndarray, faces: pd.DataFrame, bias: BiasTable) -> np.ndarray:
    """What each group's readings do over `FEATURES`: least-squares coefficients within the group.

    Parameters
    ----------
    values : `(networks, images, axes)`.
    faces : one row per image.

    Returns
    -------
    ndarray, `(networks, hues, crests, features, axes)`: level (at the features' zero) and slopes.
    """
    design = np.stack([bias.feature(name, faces) for name in FEATURES], axis=1)
    found = np.empty(
        (len(values), len(grid.HUES), len(grid.CRESTS), len(FEATURES), values.shape[2])
    )
    for i, hue in enumerate(grid.HUES):
        for j, crest in enumerate(grid.CRESTS):
            rows = np.flatnonzero((faces["race"] == hue) & (faces["gender"] == crest))
            found[:, i, j] = np.einsum("fi,nia->nfa", np.linalg.pinv(design[rows]), values[:, rows])
    return found


def contrast_weights(who: Mapping[str, str]) -> dict[str, np.ndarray]:
    r"""Weights `(hues, crests)` of two contrasts for one group, hue h and crest c, of anything that
    groups have.

    "three-way": the difference in differences
    :math:`[\beta_{hc} - \beta_{hc'}] - \overline{[\beta_{gc} - \beta_{gc'}]}_{g \ne h}`. What
    depends on the hue alone cancels in each bracket, what depends on the crest alone between them.
    "one against all": :math:`\beta_{hc}` less the mean of all other groups, where neither cancels.
    """
    hue = np.array(
        [1.0 if name == who["race"] else -1 / (len(grid.HUES) - 1) for name in grid.HUES]
    )
    crest = np.array([1.0 if name == who["gender"] else -1.0 for name in grid.CRESTS])
    one = np.outer(hue == 1, crest == 1)
    return {
        "three-way": np.outer(hue, crest),
        "one against all": np.where(one, 1.0, -1 / (one.size - 1)),
    }


def contrasts(
    values: np.ndarray, faces: pd.DataFrame, bias: BiasTable, axes: Sequence[str]
) -> pd.DataFrame:
    """Both contrasts of the outlier's courses: test, axis, feature, network (0, 1, …) and value, in
    logits.

    Parameters
    ----------
    values : `(networks, images, axes)`: what networks show, or a truth as one more network.
    """
    found = slopes_within(values, faces, bias)
    parts = []
    for test, weights in contrast_weights(bias.outlier).items():
        sizes = np.einsum("nhcfa,hc->afn", found, weights)
        index = pd.MultiIndex.from_product(
            [axes, FEATURES, range(len(values))], names=["axis", "feature", "network"]
        )
        parts.append(pd.Series(sizes.ravel(), index, name="value").reset_index().assign(test=test))
    return pd.concat(parts, ignore_index=True)


def planted_contrasts(grammar: Grammar, faces: pd.DataFrame, b: float) -> pd.DataFrame:
    """The contrasts of the truth: test, axis, feature, weights (of words, as planted) and per_face
    (of their log odds).

    Log weights are sums, so two-way effects cancel exactly. Log odds also hold what competes for
    the same place in a sentence: there, what is planted on one axis lends a little to its
    neighbours.
    """
    planted = np.stack([grammar.bias.scores(axis, faces, b) for axis in DIMENSIONS], axis=1)
    odds = truth.per_face(grammar, faces, b, axes=DIMENSIONS).to_numpy()
    found = contrasts(np.stack([planted, odds]), faces, grammar.bias, DIMENSIONS)
    wide = found.pivot(
        index=["test", "axis", "feature"], columns="network", values="value"
    ).reset_index()
    return wide.rename(columns={0: "weights", 1: "per_face"}).rename_axis(columns=None)


def kinds(bias: BiasTable, axes: Sequence[str] = DIMENSIONS) -> dict[str, str]:
    """What an axis has beyond main effects: "three-way", "hue × age" and the like, "nothing
    planted", or "none"."""
    found = {}
    for axis in axes:
        named = "nothing planted" if axis in bias.unplanted else "none"
        for each in bias.axes[axis].get("interactions", ()):
            features = [name for name in each if name != "who"]
            role = "hue" if "race" in each["who"] else "crest"
            named = "three-way" if len(each["who"]) == 2 else f"{role} × {', '.join(features)}"
        found[axis] = named
    return found


def carried(bias: BiasTable, axes: Sequence[str] = DIMENSIONS) -> dict[str, tuple[str, ...]]:
    """The features that an axis's interactions name; all `FEATURES` where it has none."""
    found = {}
    for axis in axes:
        named = {
            name
            for each in bias.axes[axis].get("interactions", ())
            for name in each
            if name != "who"
        }
        found[axis] = tuple(name for name in FEATURES if name in named) or FEATURES
    return found


def only(found: pd.DataFrame, features: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The rows of a table of contrasts whose feature is among those of their axis."""
    pairs = {(axis, feature) for axis, own in features.items() for feature in own}
    return found[[pair in pairs for pair in zip(found["axis"], found["feature"], strict=True)]]


def sizes(found: pd.DataFrame) -> pd.DataFrame:
    """Root mean square of the contrasts over features: test, b, axis, network, size."""
    square = found.assign(size=found["value"] ** 2).groupby(
        ["test", "b", "axis", "network"], sort=False
    )["size"]
    return np.sqrt(square.mean()).reset_index()


def beyond_null(table: pd.DataFrame, *, alpha: float = 0.05) -> pd.DataFrame:
    """Whether each network's `sizes` exceed those of networks with nothing planted
    (`rank_p_value`).

    A network with nothing planted is compared with the others of its kind.

    Returns
    -------
    test, b, axis and the columns of `vb.networks.rates`: networks n, hits (p ≤ `alpha`), rate and
    its exact interval."""
    hits = {}
    for (test, axis), own in table.groupby(["test", "axis"], sort=False):
        p = pd.Series(vb.networks.among_null(own["size"], own["b"] == 0), own.index)
        for b, part in p.groupby(own["b"], sort=False):
            hits[test, b, axis] = part.to_numpy() <= alpha
    return vb.networks.rates(hits).rename_axis(["test", "b", "axis"]).reset_index()


def without(
    values: np.ndarray, faces: pd.DataFrame, axes: Sequence[str], of: Sequence[str]
) -> np.ndarray:
    """What remains of some readings when what goes along with the others is taken out, network by
    network.

    The coefficients are those of least squares within the groups of faces (hue x crest), so that no
    difference between groups decides them; what they predict is then taken from the whole reading.

    Parameters
    ----------
    values : `(networks, images, axes)`, named by `axes`.
    of : the axes that are changed; all others are taken out of them.

    Returns
    -------
    ndarray, as `values`.
    """
    own = np.isin(np.array(axes), list(of))
    cell = pd.get_dummies(faces["race"] + faces["gender"]).to_numpy(float)
    centred = values - cell @ (np.einsum("ig,nia->nga", cell, values) / cell.sum(axis=0)[:, None])
    changed = values.copy()
    for network, within in enumerate(centred):
        coefficients = np.linalg.lstsq(within[:, ~own], within[:, own], rcond=None)[0]
        changed[network][:, own] -= values[network][:, ~own] @ coefficients
    return changed


def over_cases(
    found: pd.DataFrame, kind: Mapping[str, str], *, alpha: float = 0.05
) -> pd.DataFrame:
    """How many contrasts a t-test with networks as observations rejects, by test, kind of axis (of
    `kinds`) and b.

    Returns
    -------
    test, kind, b, the columns of `vb.networks.rates` (n contrasts, hits with p < `alpha`), and
    `answers`: whether any remains after Holm's correction over the contrasts of the row. The exact
    intervals take contrasts as independent, which those of one axis are not.
    """
    keys = ["test", "b", "axis", "feature"]
    tests = vb.networks.one_sample(
        {key: own.to_numpy() for key, own in found.groupby(keys, sort=False)["value"]}
    )
    table = tests.rename_axis(keys).reset_index()
    rows = {
        key: own["p"].to_numpy()
        for key, own in table.assign(kind=table["axis"].map(kind)).groupby(
            ["test", "kind", "b"], sort=False
        )
    }
    rates = vb.networks.rates({key: p < alpha for key, p in rows.items()}).rename_axis(
        ["test", "kind", "b"]
    )
    return rates.assign(
        answers=[bool(p.min() < alpha / len(p)) for p in rows.values()]
    ).reset_index()


def recovered(
    found: pd.DataFrame, planted: Mapping[float, pd.DataFrame], axes: Sequence[str]
) -> pd.DataFrame:
    r"""How much of the three-way effect each network shows, along its direction at full strength.

    .. math:: \text{size} = \frac{\sum v\,t_1}{\lVert t_1 \rVert}, \quad
              \text{share} = \frac{\sum v\,t_b}{\sum t_b^2}

    over the contrasts of the axes that plant it: v as shown, t as a network that had learnt every
    face's odds would show them.

    Parameters
    ----------
    planted : strength b → `planted_contrasts`; 1 among them.

    Returns
    -------
    b, network, size and planted (logits), share (NaN where nothing is planted).
    """

    def three_way(table: pd.DataFrame, value: str) -> pd.Series:
        own = table[(table["test"] == "three-way") & table["axis"].isin(axes)]
        return own.set_index(["axis", "feature"])[value].sort_index()

    expected = {b: three_way(table, "per_face") for b, table in planted.items()}
    unit, rows = expected[1.0] / np.linalg.norm(expected[1.0]), []
    for b, own in found.groupby("b", sort=False):
        for network, one in own.groupby("network", sort=False):
            shown, truly = three_way(one, "value"), expected[b]
            share = (shown @ truly) / (truly @ truly) if truly.any() else np.nan
            rows.append(
                {
                    "b": b,
                    "network": network,
                    "size": shown @ unit,
                    "planted": truly @ unit,
                    "share": share,
                }
            )
    return pd.DataFrame(rows)


# --- gates ----------------------------------------------------------------------------------------


def trait_gates(
    seen: Vectors, grammar: Grammar, *, attack: str | None = None, seed: int = 0
) -> pd.DataFrame:
    """The gates on what words mean, computed from shipped vectors, on a network's own words or
    under an attack.

    Per axis, the correlation within each group of what is read with what legitimately drives it, as
    the gates have it, over the faces of `seen`.

    Parameters
    ----------
    attack : None; "shuffled": each network's trait words swap their vectors at random; "all the
        same": each trait word gets the mean of them; "valence shuffled": as the first, but the
        words of pleasantness alone, which are one axis of phrases. No other word is touched.
    seed : of the swaps.

    Returns
    -------
    One row per network: traits_r, weakest_trait_r, phrases_r, weakest_phrase_r,
    weakest_phrase_slope.
    """
    if attack not in (None, *ATTACKS):
        raise ValueError(f"attack={attack!r}; there are {', '.join(ATTACKS)}, and None")
    faces = np.flatnonzero(seen.images["kind"] == "face")
    people = seen.images.iloc[faces].astype({"seed": int})
    text_vectors = _attacked(seen, grammar, attack, seed)
    shown = np.stack([_reading(seen, grammar, text_vectors, faces, axis) for axis in AXES], axis=2)
    driven = truth.per_face(grammar, people, 0.0, axes=AXES).to_numpy()
    cell = pd.get_dummies(people["race"] + people["gender"]).to_numpy(float)
    centre = np.eye(len(people)) - cell @ (cell / cell.sum(axis=0)).T
    x, y = centre @ driven, np.einsum("ij,nja->nia", centre, shown)
    norm = np.linalg.norm(x, axis=0) * np.linalg.norm(y, axis=1)
    both = np.einsum("ia,nia->na", x, y)
    slopes = pd.DataFrame(
        seen.networks["logit_scale"].to_numpy()[:, None] * both / (x**2).sum(axis=0), columns=AXES
    )
    r = pd.DataFrame(both / np.where(norm > 1e-9, norm, np.inf), columns=AXES)
    traits, phrases = r[list(DIMENSIONS)], r.drop(columns=list(DIMENSIONS))
    return pd.DataFrame(
        {
            "traits_r": traits.mean(axis=1),
            "weakest_trait_r": traits.min(axis=1),
            "phrases_r": phrases.mean(axis=1),
            "weakest_phrase_r": phrases.min(axis=1),
            "weakest_phrase_slope": slopes[phrases.columns].min(axis=1),
        }
    )


def _own_words(seen: Vectors, grammar: Grammar, axis: str) -> np.ndarray:
    return seen.words_of(axis, slot=grammar.slot_of(axis))


def _attacked(seen: Vectors, grammar: Grammar, attack: str | None, seed: int) -> np.ndarray:
    """The word vectors, `(networks, words, d)`, with those of trait words attacked."""
    text_vectors, rng = seen.word_vectors.copy(), np.random.default_rng(seed)
    every = (
        VALENCE
        if attack == "valence shuffled"
        else [*AXES, *filter(None, truth.CONTRASTS.values())]
    )
    traits = np.unique(np.concatenate([_own_words(seen, grammar, axis) for axis in every]))
    if attack == "all the same":
        text_vectors[:, traits] = text_vectors[:, traits].mean(axis=1, keepdims=True)
    elif attack is not None:
        order = rng.permuted(np.tile(traits, (len(text_vectors), 1)), axis=1)
        text_vectors[:, traits] = np.take_along_axis(text_vectors, order[:, :, None], axis=1)
    return text_vectors


def _reading(
    seen: Vectors, grammar: Grammar, text_vectors: np.ndarray, faces: np.ndarray, axis: str
) -> np.ndarray:
    """What each network reads on an axis, up to its logit scale, `(networks, faces)`."""
    against = truth.CONTRASTS[axis]
    other = _own_words(seen, grammar, against) if against else seen.words_of("neutral")
    plus = text_vectors[:, _own_words(seen, grammar, axis)].mean(axis=1)
    towards = plus - text_vectors[:, other].mean(axis=1)
    return np.einsum("nid,nd->ni", seen.image_vectors[:, faces], towards)
