"""Effect sizes across models: Ghate et al. (2025), Figures 2 and 7, and what their summaries say of
retrained networks.

Comes in: the printed cells, sets of images and sentences with what embeds them, the vectors of
retrained networks. Goes out: tables with one row per cell, test, or network and test. May not: name
a fictional group, or decide which of two groups stands first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from audit.printed import parse
from vlmbias.measures import association_scores, effect_size

CATEGORIES = {
    "flower-insect": "Flower–Insect",
    "instrument-weapon": "Instrument–Weapon",
    "race": "Race",
    "gender": "Gender",
    "age": "Age",
}
NOT_HUMAN = ("flower-insect", "instrument-weapon")
ORDERS = {
    "all-image": "All Image",
    "all-text": "All Text",
    "image-target": "Image as Target",
    "text-target": "Text as Target",
}
# (what the targets are, what the attributes are): order
MODALITIES = {
    ("image", "image"): "all-image",
    ("text", "text"): "all-text",
    ("image", "text"): "image-target",
    ("text", "image"): "text-target",
}
SMALL = 0.2  # an effect size above it counts as "significant" in the paper
LARGE = 0.8


@dataclass(frozen=True, eq=False)
class Targets:
    """The two sets of one test.

    Attributes
    ----------
    category : what is compared, such as a key of `CATEGORIES`.
    kind : "image" or "text".
    called : what the items are, such as "names".
    X, Y : image or prompt sets; or, of retrained networks, row numbers of the panel's images or
        words.
    """

    category: str
    kind: str
    called: str
    X: Any
    Y: Any


# --- the printed cells ----------------------------------------------------------------------------


def cells(claims: pd.DataFrame) -> pd.DataFrame:
    """Mean and SD of d over models, per category and order.

    Parameters
    ----------
    claims : columns id, value and n, as `vb.ledger.load("pretraining")`.

    Returns
    -------
    One row per stimuli ("new", Figure 2; "old", Figure 7), category and order: these, then n, mean,
    sd.
    """
    place = r"^effect_sizes\.(?P<stimuli>new|old)\.(?P<category>[a-z-]+)\.(?P<order>[a-z-]+)\.(?P<quantity>mean|sd)$"  # noqa: E501
    found = claims[["value", "n"]].join(claims["id"].str.extract(place)).dropna(subset="quantity")
    printed = [parse(value) for value in found["value"]]
    found = found.assign(
        value=[one.number if one else np.nan for one in printed], n=found["n"].astype(int)
    )
    keys = ["stimuli", "category", "order", "n"]
    wide = (
        found.pivot(index=keys, columns="quantity", values="value")
        .rename_axis(columns=None)
        .reset_index()
    )
    rank = {name: place for place, name in enumerate([*CATEGORIES, *ORDERS, "new", "old"])}
    return wide.sort_values(
        keys, key=lambda own: own.map(lambda one: rank.get(one, 0)), ignore_index=True
    )


def variance(cells: pd.DataFrame) -> pd.Series:
    r"""The variance of d over all cases, rebuilt from cells, and its two parts.

    .. math:: \frac{\sum_c (n_c - 1) s_c^2 + \sum_c n_c (m_c - \bar m)^2}{N - 1}

    Parameters
    ----------
    cells : columns n, mean, sd (divisor n - 1).

    Returns
    -------
    overall, within (the first sum) and between (the second).
    """
    n, mean, sd = (cells[name].to_numpy(float) for name in ("n", "mean", "sd"))
    within, between = ((n - 1) * sd**2).sum(), (n * (mean - np.average(mean, weights=n)) ** 2).sum()
    return pd.Series({"overall": within + between, "within": within, "between": between}) / (
        n.sum() - 1
    )


def changes(cells: pd.DataFrame) -> pd.DataFrame:
    """What became of the variance and its parts with the new attributes.

    Returns
    -------
    One row per order, and "all": for each part of `variance`, a column of (part, "old"), (part,
    "new") and
    (part, "change"), the last as a share of the old overall variance, so that the parts' changes
    add up.
    """
    rows = {}
    for order in ("all", *ORDERS):
        own = cells if order == "all" else cells[cells["order"] == order]
        old, new = (variance(own[own["stimuli"] == which]) for which in ("old", "new"))
        rows[order] = pd.concat({"old": old, "new": new, "change": (new - old) / old["overall"]})
    order = [
        (part, which)
        for part in ("overall", "within", "between")
        for which in ("old", "new", "change")
    ]
    return pd.DataFrame(rows).T.swaplevel(axis=1)[order]


def ceiling(n_x: int, n_y: int) -> float:
    r"""The largest d that any scores can give with these group sizes:
    :math:`\sqrt{N (N - 1) / (n_x n_y)}`.

    It is reached where the scores do not vary within the groups (SD over both, divisor N - 1).
    """
    n = n_x + n_y
    return float(np.sqrt(n * (n - 1) / (n_x * n_y)))


def spread_by_chance(n_x: Any, n_y: Any) -> Any:
    r"""The SD of d when labels are assigned at random, whatever the scores:
    :math:`\sqrt{1/n_x + 1/n_y}`."""
    return np.sqrt(1 / np.asarray(n_x, float) + 1 / np.asarray(n_y, float))


# --- the tests on one model -----------------------------------------------------------------------


def of_kind(images: Any, column: str, level: Any, n: int) -> Any:
    """The first `n` images with this value, taking each hue and crest in turn where there are
    any."""
    kept = images.where(images.table[column] == level)
    groups = [name for name in ("race", "gender") if name in kept.table]
    turn = kept.table.groupby(groups).cumcount() if groups else pd.Series(0, kept.table.index)
    return kept.where(kept.table.index.isin(turn.sort_values(kind="stable").index[:n]))


def of_age(images: Any, levels: Sequence[float], n: int, *, seed: int) -> Any:
    """One image each, at one of these ages, of `n` identities."""
    kept = images.where(images.table["age"].isin(levels))
    return kept.where(
        kept.table.index.isin(kept.table.groupby("seed").sample(1, random_state=seed).index[:n])
    )


def of_side(prompts: Any, side: str, words: int | None = None) -> Any:
    """The prompts of one side; of its first `words` words only, where given."""
    kept = prompts.where(prompts.table["dimension"] == side)
    return kept.where(kept.table["word"].isin(kept.table["word"].unique()[:words]))


def run(
    targets: Sequence[Targets],
    attributes: Mapping[str, tuple[Any, Any]],
    embed: Callable[[Any], Any],
    *,
    end: str,
    turned: Sequence[str],
    ddof: int,
    n_resamples: int,
    seed: int,
    **options: Any,
) -> pd.DataFrame:
    """Every test whose targets and attributes there are, under one protocol.

    Parameters
    ----------
    targets : the sets X and Y of each test.
    attributes : "image" and "text": the sets A and B.
    embed : stimuli → `Embeddings`, such as ``partial(vb.embed, encoder)``.
    end : what ends every sentence.
    turned : categories whose two groups are exchanged for the test; the signs of d and of the gap
        are turned back afterwards, p is left as it is.
    ddof, **options : of `vb.eat`; n_resamples and seed also of the interval.

    Returns
    -------
    One row per test: category, order, targets, n (items of the smaller side), units (its words, or
    its images), d, low, high (95 % bootstrap interval of d over units; NaN with fewer than five),
    largest (see `ceiling`), gap (difference of mean scores, in cosines), p, exact.
    """
    pairs = {
        kind: tuple(embed(_ended(side, end)) for side in both) for kind, both in attributes.items()
    }
    seen = [
        replace(one, X=embed(_ended(one.X, end)), Y=embed(_ended(one.Y, end))) for one in targets
    ]
    rows = []
    for (shown, kind), order in MODALITIES.items():
        for one in (one for one in seen if one.kind == shown):
            sign, sides = (-1, (one.Y, one.X)) if one.category in turned else (1, (one.X, one.Y))
            test = vb.eat(*sides, *pairs[kind], ddof=ddof, seed=seed, **options)
            scores = [association_scores(side, *pairs[kind]) for side in (one.X, one.Y)]
            units = [_units(side.table) for side in (one.X, one.Y)]
            low, high = interval(scores, units, ddof=ddof, n_resamples=n_resamples, seed=seed)
            rows.append(
                {
                    "category": one.category,
                    "order": order,
                    "targets": one.called,
                    "n": min(len(one.X), len(one.Y)),
                    "units": min(len(set(own)) for own in units),
                    "d": sign * test.effect_size,
                    "low": low,
                    "high": high,
                    "largest": ceiling(len(one.X), len(one.Y)),
                    "gap": sign * test.statistic,
                    "p": test.p_value,
                    "exact": test.exact,
                }
            )
    return pd.DataFrame(rows)


def _ended(stimuli: Any, end: str) -> Any:
    if "word" not in stimuli.table:
        return stimuli
    return replace(stimuli, table=stimuli.table.assign(text=stimuli.table["text"] + end))


def _units(table: pd.DataFrame) -> np.ndarray:
    return table["word"].to_numpy(str) if "word" in table else np.arange(len(table))


def interval(
    scores: Sequence[np.ndarray],
    units: Sequence[np.ndarray],
    *,
    ddof: int,
    n_resamples: int,
    seed: int,
    fewest: int = 5,
) -> tuple[float, float]:
    """95 % bootstrap interval of d: units are drawn anew within X and within Y, each with all its
    items.

    Parameters
    ----------
    scores : of X and of Y, `(n_x,)` and `(n_y,)`.
    units : the word or image of every score, same shapes.
    ddof : of the SD over X and Y.
    fewest : units a side below which no interval is given (NaN): nothing can be resampled from a
        handful.
    """
    if min(len(set(own)) for own in units) < fewest:
        return np.nan, np.nan
    sums = []
    for number, (own, of) in enumerate(zip(scores, units, strict=True)):
        weights = vb.cluster_weights(of, n_resamples=n_resamples, seed=[seed, number])
        sums.append((weights.sum(axis=1), weights @ own, weights @ own**2))
    (n_x, x, xx), (n_y, y, yy) = sums
    n = n_x + n_y
    spread = np.sqrt((xx + yy - (x + y) ** 2 / n) / (n - ddof))
    low, high = np.quantile((x / n_x - y / n_y) / spread, [0.025, 0.975])
    return float(low), float(high)


def that_differ(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The tests that two protocols answer otherwise: category, order, targets, then d and p of each
    protocol."""
    keys = ["category", "order", "targets"]
    both = pd.concat(
        {name: own.set_index(keys)[["d", "p"]] for name, own in tables.items()}, axis=1
    )
    (one, first), (other, second) = ((name, both[name]) for name in tables)
    same = np.isclose(first, second).all(axis=1)
    kept = both[~same]
    kept.columns = [f"{quantity}, {name}" for name, quantity in kept.columns]
    return kept[
        [f"{quantity}, {name}" for quantity in ("d", "p") for name in (one, other)]
    ].reset_index()


# --- the tests on retrained networks --------------------------------------------------------------


def shown(vectors: Any, hues: Sequence[str], crests: Sequence[str]) -> list[Targets]:
    """The counterparts of the paper's sets among the panel's pictures and words; rows of these."""
    faces = vectors.images[vectors.images["kind"] == "face"]
    young, old = faces["age"].min(), faces["age"].max()
    half = [
        rows[: len(rows) // 2]
        for rows in _words(vectors, "race_name", [f"{one}_name" for one in hues])
    ]
    return [
        Targets(
            "flower-insect",
            "image",
            "icons",
            *_pictures(vectors, "category", ["flower", "insect"], None),
        ),
        Targets(
            "instrument-weapon",
            "image",
            "icons",
            *_pictures(vectors, "category", ["instrument", "weapon"], None),
        ),
        Targets("race", "image", "faces", *_pictures(vectors, "race", hues)),
        Targets("gender", "image", "faces", *_pictures(vectors, "gender", crests)),
        Targets("age", "image", "faces", *_pictures(vectors, "age", [young, old], "age")),
        Targets("flower-insect", "text", "words", *_words(vectors, "object", ["flower", "insect"])),
        Targets(
            "instrument-weapon",
            "text",
            "words",
            *_words(vectors, "object", ["instrument", "weapon"]),
        ),
        Targets(
            "race", "text", "names", *_words(vectors, "race_name", [f"{one}_name" for one in hues])
        ),
        Targets("race", "text", "half of the names", *half),
        Targets("race", "text", "terms", *_words(vectors, "race_kin", hues)),
        Targets(
            "gender",
            "text",
            "names",
            *_words(vectors, "gender_name", [f"{one}_name" for one in crests]),
        ),
        Targets("gender", "text", "terms", *_words(vectors, "gender_kin", crests)),
        Targets("age", "text", "names", *_words(vectors, "age_name", ["young_name", "old_name"])),
    ]


def _pictures(
    vectors: Any, column: str, levels: Sequence[Any], subset: str | None = "prototype"
) -> list[np.ndarray]:
    kept = vectors.images["subset"].eq(subset) if subset else True
    return [np.flatnonzero(vectors.images[column].eq(level) & kept) for level in levels]


def _words(vectors: Any, slot: str, axes: Sequence[str]) -> list[np.ndarray]:
    return [vectors.words_of(axis, slot=slot) for axis in axes]


def by_network(vectors: Any, targets: Sequence[Targets]) -> pd.DataFrame:
    """Every test in every retrained network, against pleasant and unpleasant scenes and words.

    Returns
    -------
    One row per test and network: b, network (its row in `vectors`), category, order, targets, n_x,
    n_y, gap (in logits: cosines × the network's scale), d (divisor N - 1).
    """
    both = {"image": vectors.image_vectors, "text": vectors.word_vectors}
    sides = {
        "image": _pictures(vectors, "category", ["pleasant", "unpleasant"], None),
        "text": _words(vectors, "valence", ["pleasant", "unpleasant"]),
    }
    scale, rows = vectors.networks["logit_scale"].to_numpy()[:, None], []
    for (kind, against), order in MODALITIES.items():
        good, bad = (both[against][:, own].mean(axis=1) for own in sides[against])
        scores = scale * np.einsum("kid,kd->ki", both[kind], good - bad)
        for one in (one for one in targets if one.kind == kind):
            x, y = scores[:, one.X], scores[:, one.Y]
            about = vectors.networks[["b"]].assign(
                network=np.arange(len(scores)), category=one.category, order=order
            )
            rows.append(
                about.assign(
                    targets=one.called,
                    n_x=len(one.X),
                    n_y=len(one.Y),
                    gap=x.mean(axis=1) - y.mean(axis=1),
                    d=effect_size(x, y),
                )
            )
    return pd.concat(rows, ignore_index=True)


def over_networks(table: pd.DataFrame) -> pd.DataFrame:
    """The counterpart of Figure 2's cells: mean and SD of d, with the number of items beside them.

    Returns
    -------
    One row per b, category and order: these, tests (how many are pooled), n (the sizes of their
    smaller sides, as "8, 4 and 2"), mean, sd (divisor n - 1, over networks and tests), chance (the
    SD that labels assigned at random would give, root mean square over tests).
    """
    rows = []
    for (b, category, order), own in table.groupby(["b", "category", "order"], sort=False):
        sizes = own.drop_duplicates("targets")
        smaller = np.minimum(sizes["n_x"], sizes["n_y"])
        by_chance = spread_by_chance(sizes["n_x"], sizes["n_y"])
        rows.append(
            {
                "b": b,
                "category": category,
                "order": order,
                "tests": len(sizes),
                "n": ", ".join(map(str, sorted(set(smaller), reverse=True))),
                "mean": own["d"].mean(),
                "sd": own["d"].std(ddof=1),
                "chance": float(np.sqrt((by_chance**2).mean())),
            }
        )
    return pd.DataFrame(rows)


def shares(
    table: pd.DataFrame, kinds: Mapping[str, Sequence[str]], *, above: float = SMALL
) -> pd.DataFrame:
    """The share of tests with d above a bound, network by network, and its mean over networks.

    Parameters
    ----------
    table : as from `by_network`.
    kinds : what to call it → the categories of its tests.

    Returns
    -------
    One row per b and kind: b, tests, then the columns of `vb.networks.summary` (n: networks).
    """
    own = {}
    for called, chosen in kinds.items():
        part = table[table["category"].isin(list(chosen))]
        each = (part["d"] > above).groupby([part["b"], part["network"]]).mean()
        own |= {(b, called): one.to_numpy() for b, one in each.groupby(level="b")}
    return vb.networks.summary(own).rename_axis(["b", "tests"]).reset_index()


def means(table: pd.DataFrame, *, above: float = SMALL) -> pd.DataFrame:
    """Each pair's effect sizes over networks: is their mean zero, and how many exceed a bound?

    Returns
    -------
    One row per category and order: these, n_x, n_y, then as `vb.networks.one_sample` of d (Holm's
    correction over all rows), then above (share of networks with d above the bound) and away (with
    |d| above it).
    """
    keys = ["category", "order"]
    groups = table.groupby(keys, sort=False)["d"]
    tests = vb.networks.one_sample({key: own.to_numpy() for key, own in groups}).rename_axis(keys)
    hits = table.assign(above=table["d"] > above, away=table["d"].abs() > above).groupby(
        keys, sort=False
    )
    return (
        hits[["n_x", "n_y"]].first().join(tests).join(hits[["above", "away"]].mean()).reset_index()
    )


def of_pair(gaps: pd.DataFrame, first: str, second: str, *, axis: str = "pleasant") -> pd.DataFrame:
    """What each network shows of one pair of groups, first − second, whichever way round it is
    listed.

    Parameters
    ----------
    gaps : as `greenhouse.retrained.gaps`.

    Returns
    -------
    One row per network: kind, b, seed, gap (logits), d, counted (what a count of captions shows,
    logits).
    """
    own = gaps[gaps["axis"] == axis].rename(columns={"measured": "gap"})
    sign = {(first, second): 1, (second, first): -1}
    signs = np.array([sign.get(pair, 0) for pair in zip(own["first"], own["second"], strict=True)])
    kept, numbers = own[signs != 0], ["gap", "d", "counted"]
    return (
        kept[["kind", "b", "seed"]]
        .join(kept[numbers].mul(signs[signs != 0], axis=0))
        .reset_index(drop=True)
    )


def claims(table: pd.DataFrame) -> dict[str, float]:
    """The paper's summaries of one strength's effect sizes, by the claim's id without
    "effect_sizes.".

    Parameters
    ----------
    table : rows of `by_network`, of one b.
    """
    cell = over_networks(table)
    found = {
        "models": table["network"].nunique(),
        "cases": len(table),
        "congruent": 100 * (table["d"] > 0).mean(),
        "significant-new": 100 * (table["d"] > SMALL).mean(),
        "positive-cells": int((cell["mean"] > 0).sum()),
        "variance-new": float(table["d"].var(ddof=1)),
    }
    for row in cell.itertuples():
        place = f"new.{row.category}.{row.order}"
        found |= {f"{place}.mean": row.mean, f"{place}.sd": row.sd}
    return found
