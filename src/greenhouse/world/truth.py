"""The truth: what was planted, in the units in which a trained model should show it.

Contrastive training drives logit_scale x cos(image, caption) towards the log probability ratio log
p(caption | image) - log p(caption), the pointwise mutual information, up to a constant per image
(van den Oord et al. 2018, eq. 4-5). So logit_scale x (cos with a word's captions - cos with the
neutral captions) estimates log p(word's captions | image) - log p(neutral captions | image), less
the same of a mean image.

Of a group of faces this can be summarised in two ways, which differ where odds differ a lot between
its faces: `counted` what a count of the group's captions shows: the log of the mean of p.
`per_face` what a network that had learnt every face's odds would show of each: log p; its mean over
a group is what such a network would show of the group on average, and is the more extreme of the
two. Claims about captions and gaps between groups are set against the first, readings of single
faces against the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from greenhouse.world import grid
from greenhouse.world.grammar import Grammar

# What is compared with what: axis -> the axis it is set against, or None for the neutral prompts.
CONTRASTS = {
    "warmth": None,
    "competence": None,
    "positive_agency": None,
    "negative_agency": None,
    "progressive_belief": None,
    "conservative_belief": None,
    "positive_communion": None,
    "negative_communion": None,
    "we": "they",
    "patriotic": "someone",
    "immigrant": "someone",
    "egalitarian": "someone",
    "arborian": "foreign",
    "pleasant": "unpleasant",
}
POPULATION = 60_000


@lru_cache(maxsize=4)
def population(n: int = POPULATION, *, first_seed: int = 0, seed: int = 2026) -> pd.DataFrame:
    """Faces as the training captions know them: independent attributes, uniform over their ranges;
    all groups."""
    rng = np.random.default_rng([seed, n])
    table = pd.DataFrame(
        {
            "seed": first_seed + np.arange(n),
            "race": rng.choice(grid.HUES, n),
            "gender": rng.choice(grid.CRESTS, n),
        }
    )
    for axis, (low, high) in grid.RANGES.items():
        table[axis] = rng.uniform(low, high, n)
    return table


def _captions(
    grammar: Grammar,
    axes: Sequence[str],
    rows: pd.DataFrame,
    b: float,
    arms: Mapping[str, float] | None,
) -> dict[str, np.ndarray]:
    """Per axis, and for "neutral": log p(caption with each of its words | row), `(n, words)`."""
    slots = {axis: grammar.slot_of(axis) for axis in axes}
    shares = {
        name: np.log(np.maximum(share, 1e-300))[:, None]
        for name, share in grammar.group_shares(rows, arms=arms).items()
    }
    spelled = {
        slot: grammar.log_probabilities(slot, rows, b) for slot in dict.fromkeys(slots.values())
    }
    found = {"neutral": shares["neutral"]}
    for axis, slot in slots.items():
        words = grammar.words(slot)
        own = [words.index(word) for word in grammar.slots[slot][axis]]
        found[axis] = spelled[slot][:, own] + shares[slot]
    return found


@lru_cache(maxsize=32)
def _base(grammar: Grammar, b: float, arms: tuple[tuple[str, float], ...]) -> dict[str, np.ndarray]:
    """log p of each caption over the whole population, `(1, words)`."""
    every = dict.fromkeys([*CONTRASTS, *filter(None, CONTRASTS.values())])
    return {
        axis: np.log(np.exp(found).mean(axis=0, keepdims=True))
        for axis, found in _captions(grammar, list(every), population(), b, dict(arms)).items()
    }


def _contrasted(
    grammar: Grammar,
    rows: pd.DataFrame,
    b: float,
    axes: Sequence[str] | None,
    arms: Mapping[str, float] | None,
    summed: Callable[[np.ndarray], np.ndarray] = lambda value: value,
) -> dict[str, np.ndarray]:
    """Per axis: `summed` log p of its captions less that of all, averaged over its words, less the
    same of what `CONTRASTS` sets it against."""
    asked = list(CONTRASTS if axes is None else axes)
    if unknown := [axis for axis in asked if axis not in CONTRASTS]:
        raise ValueError(f"unknown axis {unknown[0]!r}; choose from {', '.join(CONTRASTS)}")
    against = {axis: CONTRASTS[axis] or "neutral" for axis in asked}
    every = [axis for axis in dict.fromkeys([*asked, *against.values()]) if axis != "neutral"]
    base = _base(grammar, b, tuple(sorted((arms or {}).items())))
    mean = {
        axis: (summed(value) - base[axis]).mean(axis=1)
        for axis, value in _captions(grammar, every, rows, b, arms).items()
    }
    return {axis: mean[axis] - mean[against[axis]] for axis in asked}


def per_face(
    grammar: Grammar,
    rows: pd.DataFrame,
    b: float,
    *,
    axes: Sequence[str] | None = None,
    arms: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """What a network that had learnt every face's odds would show, `(n × axis)`, in logits.

    log p(word's captions | row) - log p(word's captions), averaged over the words of an axis, less
    the same of what `CONTRASTS` sets the axis against: the truth of logit_scale x Δcos, picture by
    picture.

    Parameters
    ----------
    rows : faces or icons.
    b : strength of what is planted.
    axes : of `CONTRASTS`; default all.
    arms : arms of the study and their strengths, see `Grammar.shares`.

    Raises
    ------
    ValueError : an unknown axis or arm.
    """
    return pd.DataFrame(_contrasted(grammar, rows, b, axes, arms), rows.index)


def counted(
    grammar: Grammar,
    rows: pd.DataFrame,
    by: str | list[str],
    b: float,
    *,
    axes: Sequence[str] | None = None,
    arms: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """What a count of each group's captions shows, `(group × axis)`, in logits.

    The log of the mean of p(word's captions | row) over the rows of a group, where `per_face` takes
    the mean of logs.

    Parameters
    ----------
    by : column of `rows`, or several, that name its group; they become the index.
    rows, b, axes, arms : as for `per_face`.
    """
    groups = rows.groupby(by, sort=True)
    code, index = groups.ngroup().to_numpy(), groups.size().index
    one_of = (code[:, None] == np.arange(len(index))) / np.bincount(code)
    found = _contrasted(
        grammar, rows, b, axes, arms, lambda value: np.log(one_of.T @ np.exp(value))
    )
    return pd.DataFrame(found, index)


def gaps(table: pd.DataFrame, name: str = "gap") -> pd.DataFrame:
    """All differences between the groups (rows) of a table: columns first, second, axis and `name`,
    first - second."""
    parts = [
        pd.DataFrame(
            {
                "first": first,
                "second": second,
                "axis": table.columns,
                name: (table.loc[first] - table.loc[second]).to_numpy(),
            }
        )
        for first, second in combinations(table.index, 2)
    ]
    return pd.concat(parts, ignore_index=True)


def arm_shift(
    grammar: Grammar,
    rows: pd.DataFrame,
    arms: Mapping[str, float],
    *,
    reference: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """By how much an arm of the study shifts what a model should show of a face, in logits,
    whatever b is: neutral captions, trait captions, their difference (Δcos) and centred traits. An
    arm changes the shares of whole groups of captions and no word's odds: log share(group | row) -
    log share(group), with the arm less without it; shares of all are means over `reference`, by
    default `population`."""
    everyone = population() if reference is None else reference

    def ratio(names: list[str]) -> np.ndarray:
        logs = []
        for given in (arms, None):
            own, base = (
                grammar.group_shares(rows, arms=given),
                grammar.group_shares(everyone, arms=given),
            )
            logs.append(
                np.mean([np.log(own[name]) - np.log(base[name].mean()) for name in names], axis=0)
            )
        return logs[0] - logs[1]

    neutral, trait = ratio(["neutral"]), ratio(["communion"])
    every = ratio(["communion", "standing", "belief"])
    return pd.DataFrame(
        {"neutral": neutral, "trait": trait, "delta": trait - neutral, "centred": trait - every},
        index=rows.index,
    )


def prompts(grammar: Grammar, axis: str) -> list[str]:
    """Every caption that says a word of the axis in the sentences of its own slot."""
    slot = grammar.slot_of(axis)
    texts = [
        template.fill([word])
        for template in grammar.templates
        if template.group == slot
        for word in grammar.slots[slot][axis]
    ]
    return list(dict.fromkeys(texts))


def neutral_prompts(grammar: Grammar) -> list[str]:
    """The neutral prompts of Hausladen et al., Table 1: no adjective in the template."""
    return [template.text for template in grammar.templates if template.group == "neutral"]


def statement(grammar: Grammar) -> dict:
    """The truth as a plain record: per axis its drivers, what is planted, and all gaps between
    groups at b = 1, over `population`, in logits, both as `counted` and as the mean of `per_face`.
    """
    people = population()
    faces = per_face(grammar, people, 1.0)
    pairs: dict[str, dict] = {axis: {} for axis in CONTRASTS}
    for column in ("race", "gender"):
        both = gaps(counted(grammar, people, column, 1.0), "counted")
        means: Any = faces.groupby(people[column]).mean()
        both["per_face"] = gaps(means)["gap"]
        for row in both.to_dict("records"):
            pairs[row["axis"]][f"{row['first']} - {row['second']}"] = {
                name: round(row[name], 4) for name in ("counted", "per_face")
            }
    axes = {
        axis: {
            "against": against or "neutral prompts",
            **grammar.bias.axes[axis],
            "planted_anything": len(grammar.bias.axes[axis]) > 1,
            "gaps": pairs[axis],
        }
        for axis, against in CONTRASTS.items()
    }
    return {
        "unit": "logits: logit_scale x difference of cosines at b = 1",
        "quantities": {
            "counted": "log of the mean probability: what a count of a group's captions shows",
            "per_face": (
                "mean of the log probability: what a network that had learnt every face's odds "
                "would show on average"
            ),
        },
        "faces": len(people),
        "roles": grammar.bias.roles,
        "outlier": dict(grammar.bias.outlier),
        "unplanted": list(grammar.bias.unplanted),
        "axes": axes,
    }
