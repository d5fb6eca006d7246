"""What the page *Measure your own model* computes beside its visible lines.

Comes in: a `Perception`, or a table of one score per picture with the columns seed (whom it shows)
and race (the group); scores of the Greenhouse's retrained networks. Goes out: tables, and one
figure. May not: say what a reader's own result means.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from vlmbias.figures import COLOURS, panels
from vlmbias.measures import Perception
from vlmbias.stimuli.imageset import ImageSet

CAPTIONS = {"differ": "captions differ", "alike": "captions treat all alike"}


def first_two_groups(stimuli: str, root: str = "") -> tuple[str, str]:
    """The first two groups of an image set, in the order of its table.

    Raises
    ------
    ValueError
        If no person is shown in both: the comparison needs pictures that differ in one thing.
    """
    table = vb.images(stimuli, root or None).table
    groups = list(dict.fromkeys(table["race"]))
    if len(groups) < 2:
        raise ValueError(f"{stimuli}: the column race has {groups}; two groups are needed")
    first, second = groups[:2]
    people = [set(table.loc[table["race"] == name, "seed"]) for name in (first, second)]
    if len(people[0] & people[1]) < 2:
        raise ValueError(
            f"{stimuli}: fewer than two values of seed (whom a picture shows) are in both groups,"
            f" {first} and {second}; this page compares each person with themselves"
        )
    return first, second


def scores(seen: Perception, trait: str) -> pd.DataFrame:
    """One row per picture: seed, race, and score, the trait's Δcos in log-odds."""
    table = seen.table[["seed", "race"]]
    return table.assign(score=seen.delta()[trait].to_numpy() * (seen.logit_scale or 1.0))


def differences(table: pd.DataFrame, first: str, second: str) -> pd.Series:
    """Mean score in `first` minus in `second`, one value per person who is shown in both."""
    means = table.pivot_table(index="seed", columns="race", values="score")
    return (means[first] - means[second]).dropna()


def gap(faces: ImageSet, model: str, trait: str, first: str, second: str) -> float:
    """The difference between two groups in one model: the mean of `differences`, in log-odds."""
    return float(differences(scores(vb.perceive(faces, model), trait), first, second).mean())


def gaps_by_word(seen: Perception, trait: str, first: str, second: str) -> pd.DataFrame:
    """The difference between two groups for each word of a trait by itself, in log-odds."""
    named = seen.words["dimension"].astype(object).eq(trait)
    rows = []
    for word in seen.words.loc[named, "word"].astype(str):
        score = (seen.word(word) - seen.neutral()) * (seen.logit_scale or 1.0)
        table = seen.table[["seed", "race"]].assign(score=score)
        rows.append({"word": word, "difference": differences(table, first, second).mean()})
    return pd.DataFrame(rows)


def every_pair(seen: Perception) -> pd.DataFrame:
    """One row per trait and pair of groups: the difference, in log-odds, and the p of a paired
    t-test over people."""
    rows = []
    for trait in seen.dimensions:
        table = scores(seen, trait)
        for first, second in combinations(dict.fromkeys(table["race"]), 2):
            each = differences(table, first, second)
            test = stats.ttest_1samp(each, 0)
            rows.append((trait, f"{first} − {second}", len(each), each.mean(), test.pvalue))
    return pd.DataFrame(rows, columns=["trait", "groups", "people", "difference", "p"])


def standard_error(test: Any, estimate: float) -> float:
    """Of the difference that a t-test of scipy is about: the difference divided by its t."""
    return float(abs(estimate / test.statistic))


def standard_errors(
    table: pd.DataFrame, first: str, second: str, *, pictures: Iterable[int | None], seed: int = 0
) -> pd.DataFrame:
    """The standard error of a difference by pictures and by people, with so many pictures of each
    person in each group.

    Parameters
    ----------
    table : seed, race, score.
    pictures : how many are drawn of each person and group; None for all.
    seed : of the draws.
    """
    rows = []
    for n in pictures:
        of_each = table.groupby(["seed", "race"])
        kept = table if n is None else of_each.sample(n, random_state=seed)
        scores_of = {name: kept.loc[kept["race"] == name, "score"] for name in (first, second)}
        test = stats.ttest_ind(scores_of[first], scores_of[second], equal_var=False)
        apart = scores_of[first].mean() - scores_of[second].mean()
        each = differences(kept, first, second)
        rows.append(
            {
                "pictures of each": "all" if n is None else n,
                "by pictures": standard_error(test, apart),
                "by people": float(each.sem()),
            }
        )
    return pd.DataFrame(rows)


def trained_again(trait: str, first: str, second: str) -> pd.DataFrame:
    """One row per retrained network of the Greenhouse: whether its captions differ between hues
    (b = 1) or treat all alike (b = 0), and the difference between two hues, in log-odds.

    Every network knows the same 800 faces, which have no other difference than hue and crest.
    """
    people = retrained.scores("people")
    score, hue = people.delta(trait), people.images["race"]
    apart = score[:, hue.eq(first)].mean(axis=1) - score[:, hue.eq(second)].mean(axis=1)
    known = people.networks
    named = known["b"].map({1.0: "differ", 0.0: "alike"}).where(known["condition"].eq("none"))
    table = pd.DataFrame({"captions": named, "difference": apart})
    return table.dropna().reset_index(drop=True)


def overlap(planted: pd.Series, alike: pd.Series) -> str:
    """Whether networks whose captions differ show a difference that accident alone can give."""
    hidden = int((planted.abs() <= alike.abs().max()).sum())
    if not hidden:
        return "Every network whose captions differ shows more than that."
    if hidden == len(planted):
        return "No network whose captions differ shows more than that."
    return (
        f"{hidden} of the {len(planted)} networks whose captions differ show no more than that. So"
        " one model with a small difference does not tell what its captions said."
    )


def figure(
    estimates: Mapping[str, tuple[float, tuple[float, float]]], networks: pd.DataFrame
) -> Figure:
    """A difference with its intervals above; below, a dot per retrained network.

    Parameters
    ----------
    estimates : by what counts as one observation: the difference, and the ends of its interval.
    networks : as from `trained_again`.
    """
    fig, ((axis,),) = panels(height=3.4)
    axis.axvline(0, color=COLOURS["reference"], linewidth=1)
    labels = []
    for name, (value, (low, high)) in estimates.items():
        place = -len(labels)
        axis.hlines(place, low, high, color=COLOURS["recomputed"], linewidth=3)
        axis.plot(value, place, "o", color=COLOURS["recomputed"], markersize=6)
        labels.append(f"this model: {name}")
    for kind, colour in (("alike", COLOURS["reference"]), ("differ", COLOURS["planted"])):
        of_kind = networks.loc[networks["captions"] == kind, "difference"].to_numpy()
        aside = (np.arange(len(of_kind)) * 0.618 % 1 - 0.5) * 0.5  # apart, and not at random
        axis.plot(of_kind, -len(labels) + aside, "o", color=colour, alpha=0.6, markersize=5)
        labels.append(f"{len(of_kind)} networks: {CAPTIONS[kind]}")
    axis.set(yticks=-np.arange(len(labels)), yticklabels=labels, xlabel="difference, log-odds")
    return fig


def alternative(
    estimates: Mapping[str, tuple[float, tuple[float, float]]], networks: pd.DataFrame
) -> str:
    """What `figure` shows, in words."""
    of_model = "; ".join(
        f"{name}: {value:+.2f}, from {low:+.2f} to {high:+.2f}"
        for name, (value, (low, high)) in estimates.items()
    )
    spans = networks.groupby("captions")["difference"].agg(["min", "max", "size"])
    of_networks = "; ".join(
        f"{row['size']:.0f} networks whose {CAPTIONS[str(kind)]}: from {row['min']:+.2f} to"
        f" {row['max']:+.2f}"
        for kind, row in spans.iterrows()
    )
    return (
        f"The difference between two groups, in log-odds. In the model: {of_model}. {of_networks}."
    )
