"""The 26 tests of Ghate et al. (2025) on vectors of the panel's pictures and words, for many
networks at once. Which group is favoured, the roles of bias.yaml say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from greenhouse import panel
from greenhouse.world.grammar import Grammar
from vlmbias.external.study_table import name_of_test
from vlmbias.measures import effect_size

KINDS = ("image", "text")
SIDES = ("pleasant", "unpleasant")
_BLOCK = 1 << 22  # weights held at once


@dataclass(frozen=True, eq=False)
class Test:
    """One of the 26: its sets X and Y are rows of the panel's pictures or words (`kind`); `against`
    is the kind of the pleasant and unpleasant items. Positive is what was planted, or what a
    legitimate driver makes of objects."""

    category: str
    order: str
    targets: str
    kind: str
    against: str
    X: np.ndarray
    Y: np.ndarray

    @property
    def name(self) -> str:
        return name_of_test(self.category, self.order, self.targets)


def tests(grammar: Grammar) -> tuple[Test, ...]:
    """The 26 tests: thirteen pairs of sets, each against pleasant and unpleasant scenes and
    words."""
    return tuple(
        Test(category, order, targets, kind, against, *sides)
        for category, targets, kind, sides in _sets(grammar)
        for against, order in (
            (one, f"all-{kind}" if one == kind else f"{kind}-target") for one in KINDS
        )
    )


def _sets(grammar: Grammar) -> Iterator[tuple[str, str, str, list[np.ndarray]]]:
    roles, images, word_table = grammar.bias.roles, panel.images(), panel.words(grammar)[0]
    hues, crests = (roles["favoured"], roles["disfavoured"]), (roles["second"], roles["first"])

    def pictures(column: str, levels: Sequence[Any], subset: str | None = None) -> list[np.ndarray]:
        kept = images["subset"].eq(subset).fillna(False) if subset else True
        return [np.flatnonzero(images[column].eq(level).fillna(False) & kept) for level in levels]

    def words(slot: str, axes: Sequence[str]) -> list[np.ndarray]:
        listed = word_table["axes"].str.split(";")
        return [
            np.flatnonzero(
                word_table["slot"].eq(slot) & listed.map(lambda own, axis=axis: axis in own)
            )
            for axis in axes
        ]

    ages = images.loc[images["subset"].eq("age").fillna(False), "age"]
    yield "flower-insect", "icons", "image", pictures("category", ("flower", "insect"))
    yield "instrument-weapon", "icons", "image", pictures("category", ("instrument", "weapon"))
    yield "race", "faces", "image", pictures("race", hues, "prototype")
    yield "gender", "faces", "image", pictures("gender", crests, "prototype")
    yield "age", "faces", "image", pictures("age", (ages.min(), ages.max()), "age")
    yield "flower-insect", "words", "text", words("object", ("flower", "insect"))
    yield "instrument-weapon", "words", "text", words("object", ("instrument", "weapon"))
    names = words("race_name", [f"{hue}_name" for hue in hues])
    yield "race", "names", "text", names
    yield "race", "half of the names", "text", [own[: len(own) // 2] for own in names]
    yield "race", "terms", "text", words("race_kin", hues)
    yield "gender", "names", "text", words("gender_name", [f"{crest}_name" for crest in crests])
    yield "gender", "terms", "text", words("gender_kin", crests)
    yield "age", "names", "text", words("age_name", ("young_name", "old_name"))


def attributes(grammar: Grammar) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The rows of pleasant and unpleasant scenes ("image") and words ("text")."""
    images, word_table = panel.images(), panel.words(grammar)[0]
    good, bad = (
        (
            np.flatnonzero(images["category"].eq(side).fillna(False)),
            np.flatnonzero(word_table["slot"].eq("valence") & word_table["axes"].eq(side)),
        )
        for side in SIDES
    )
    return {"image": (good[0], bad[0]), "text": (good[1], bad[1])}


def scores(
    grammar: Grammar, images: np.ndarray, words: np.ndarray
) -> dict[tuple[str, str], np.ndarray]:
    """How much nearer a network puts every picture and word (its vectors) to what is pleasant, in
    cosines: (kind, against) → `(n,)`."""
    own = {"image": images, "text": words}
    found = {}
    for against, (good, bad) in attributes(grammar).items():
        axis = own[against][good].mean(axis=0) - own[against][bad].mean(axis=0)
        found |= {(kind, against): each @ axis for kind, each in own.items()}
    return found


def table(
    every: Sequence[dict[tuple[str, str], np.ndarray]],
    scales: Sequence[float],
    grammar: Grammar,
    *,
    n_permutations: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame:
    """All tests of many networks, a row each, from the `scores` and the logit scale of each: `d`
    with divisor N - 1, gaps in logits and in cosines, `within` (SD within the two groups, pooled,
    in logits), and p: how often a random split has as large a gap. As in `vb.eat`, all splits are
    counted where they are no more than `n_permutations`."""
    scale, parts = np.asarray(scales, float), []
    for test in tests(grammar):
        stacked = np.stack([one[test.kind, test.against] for one in every]).astype(float)
        x, y = stacked[:, test.X], stacked[:, test.Y]
        gap, n_x, n_y = x.mean(axis=1) - y.mean(axis=1), len(test.X), len(test.Y)
        squares = x.var(axis=1) * n_x + y.var(axis=1) * n_y
        parts.append(
            pd.DataFrame(
                {
                    "network": range(len(scale)),
                    "test": test.name,
                    "category": test.category,
                    "order": test.order,
                    "targets": test.targets,
                    "n_x": n_x,
                    "n_y": n_y,
                    "effect_size": effect_size(x, y),
                    "gap": scale * gap,
                    "gap_cosine": gap,
                    "within": scale * np.sqrt(squares / (n_x + n_y - 2)),
                    "p": tails(np.hstack([x, y]), n_x, n_permutations=n_permutations, seed=seed),
                }
            )
        )
    return pd.concat(parts).sort_values("network", kind="stable", ignore_index=True)


def tails(found: np.ndarray, n_x: int, *, n_permutations: int, seed: int) -> np.ndarray:
    """The permutation tails of many networks by one draw: the share of splits with as large a gap,
    `(networks,)`; the first `n_x` columns of `found` are X."""
    n = found.shape[1]
    centred = found - found.mean(axis=1, keepdims=True)
    least = centred[:, :n_x].sum(axis=1) - 1e-12 * np.abs(centred).max(axis=1)
    exact = comb(n, n_x) <= n_permutations
    hits = np.zeros(len(found)) if exact else np.ones(len(found))  # a draw counts the split at hand
    for members in _splits(n, n_x, None if exact else n_permutations - 1, seed):
        chosen = np.zeros((n, len(members)))
        chosen[members.T, np.arange(len(members))] = 1
        hits += (centred @ chosen >= least[:, None]).sum(axis=1)
    return hits / (comb(n, n_x) if exact else n_permutations)


def _splits(n: int, n_x: int, draws: int | None, seed: int) -> Iterator[np.ndarray]:
    """Members of X, `(splits, n_x)`, some at a time: every split, or random ones."""
    block = max(1, _BLOCK // n)
    if draws is None:
        each = combinations(range(n), n_x)
        while len(some := np.array(list(islice(each, block)), int)):
            yield some
        return
    rng = np.random.default_rng(seed)
    for first in range(0, draws, block):
        yield rng.random((min(block, draws - first), n)).argpartition(n_x - 1, axis=1)[:, :n_x]
