"""Effect sizes across models (Ghate et al., 2025): the printed cells, and the tests on one model
and on retrained networks."""

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
    X, Y : image or prompt sets.
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


# --- the tests on one model -----------------------------------------------------------------------


def of_kind(images: Any, column: str, level: Any, n: int) -> Any:
    """The first `n` images with this value, taking each hue and crest in turn where there are
    any."""
    kept = images.where(images.table[column] == level)
    groups = [name for name in ("race", "gender") if name in kept.table]
    turn = kept.table.groupby(groups).cumcount() if groups else pd.Series(0, kept.table.index)
    return kept.where(kept.table.index.isin(turn.sort_values(kind="stable").index[:n]))


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
    gap (difference of mean scores, in cosines), p, exact.
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
                    "gap": sign * test.statistic,
                    "p": test.p_value,
                    "exact": test.exact,
                }
            )
    return pd.DataFrame(rows)


def _ended(stimuli: Any, end: str) -> Any:
    """Prompts with this end; images as they are."""
    if "word" not in stimuli.table:
        return stimuli
    return replace(stimuli, table=stimuli.table.assign(text=stimuli.table["text"] + end))


def _units(table: pd.DataFrame) -> np.ndarray:
    """What is drawn anew: the words of prompts, or each image, `(n,)`."""
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


# --- the tests on retrained networks --------------------------------------------------------------


def in_networks(
    vectors: Any,
    targets: tuple[str, np.ndarray, np.ndarray],
    attributes: tuple[str, np.ndarray, np.ndarray],
) -> np.ndarray:
    r"""The effect size of one test in every retrained network (divisor N - 1), `(networks,)`.

    .. math:: s(w) = w \cdot (\operatorname{mean} A - \operatorname{mean} B)

    Parameters
    ----------
    vectors : as `greenhouse.retrained.vectors`.
    targets, attributes : "image" or "text", and the rows of X and Y, of A and B among them.
    """
    of = {"image": vectors.image_vectors, "text": vectors.word_vectors}
    (kind, X, Y), (against, A, B) = targets, attributes
    axis = of[against][:, A].mean(axis=1) - of[against][:, B].mean(axis=1)
    x, y = (np.einsum("kid,kd->ki", of[kind][:, rows], axis) for rows in (X, Y))
    return effect_size(x, y)
