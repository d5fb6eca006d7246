"""Answers to two questions: Wolfe & Caliskan (2022), Figures 3 and 4.

Comes in: the printed claims, by a function that finds one by its id; answers and the odds behind
them, by picture or counted by network; planted odds. Goes out: counts with intervals, what answers
add to odds, how often networks that were told nothing seem to favour a group. May not: ask a model,
or know which group plays which role.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from studies.words import listed
from vlmbias.papers import RACES

GROUPS = {
    "asian": "Asian",
    "black": "Black",
    "latina": "Latina/o",
    "white": "White",
}  # as claims name them, as printed
CLAIMED = dict(zip(RACES, GROUPS, strict=True))  # as `vlmbias.papers` names them -> as claims do
OTHER = "another answer"
# a state of the U.S. for "more than 97% of the other images": of all but Asian individuals
OTHERS_ABOVE = 0.97


def printed(claim: Callable[[str], Any], ids: Mapping[str, str]) -> pd.DataFrame:
    """Printed percentages as counts, with exact intervals.

    Parameters
    ----------
    claim : `vb.ledger.claim`.
    ids : claim of a percentage -> the group it is of, as in `GROUPS`.

    Returns
    -------
    One row per claim: claim, group (as printed), answer (what the percentage is of), percent, n,
    fewest and most (whole counts that print as this percentage, both missing where there is none),
    count (their mean, rounded), rate, low and high (Clopper–Pearson, 95 %; of the count, or of the
    printed share where there is none).
    """
    rows = []
    for name, group in ids.items():
        about, n = claim(name), int(claim(f"we_they.n-{group}").printed.number)
        number = about.printed
        fewest, most = ceil(n * number.low / 100 - 1e-9), floor(n * number.high / 100 + 1e-9)
        whole = fewest <= most
        count = round((fewest + most) / 2) if whole else n * number.number / 100
        low, high = proportion_confint(count, n, method="beta")
        rows.append(
            {
                "claim": name,
                "group": GROUPS[group],
                "answer": about.quantity,
                "percent": about.value,
                "n": n,
                "fewest": fewest if whole else np.nan,
                "most": most if whole else np.nan,
                "count": count,
                "rate": count / n,
                "low": float(low),
                "high": float(high),
            }
        )
    return pd.DataFrame(rows)


def counted(
    answers: Any, groups: Any, kept: Sequence[str], *, method: str = "beta"
) -> pd.DataFrame:
    """How often each group got each answer, with intervals; no answer is left out.

    Parameters
    ----------
    answers, groups : (n,) texts.
    kept : answers with a row of their own; all others are counted as `OTHER`.
    method : of `proportion_confint`: "beta" (Clopper–Pearson, exact) or "wilson".

    Returns
    -------
    One row per group and answer: group, answer, n (of the group), count, rate, low, high (95 %).
    """
    table = pd.DataFrame(
        {"group": list(groups), "answer": [text if text in kept else OTHER for text in answers]}
    )
    found = pd.crosstab(table["group"], table["answer"]).reindex(
        columns=[*kept, OTHER], fill_value=0
    )
    tidy = found.rename_axis(columns="answer").stack().rename("count").reset_index()
    tidy["n"] = tidy["group"].map(found.sum(axis=1))
    low, high = proportion_confint(tidy["count"], tidy["n"], method=method)
    return tidy.assign(
        rate=tidy["count"] / tidy["n"], low=np.clip(low, 0, 1), high=np.clip(high, 0, 1)
    )


def of_networks(answers: pd.DataFrame, question: str, answer: str) -> pd.DataFrame:
    """The share of one answer in what each network said of each group, and the mean odds it had.

    Parameters
    ----------
    answers : counts by b, seed, question, race and answer, with columns n and odds.

    Returns
    -------
    One row per network and group: b, seed, race, n (pictures), count, rate, odds.
    """
    own = answers[answers["question"] == question]
    n = own.groupby(["b", "seed", "race"])["n"].sum()
    one = own[own["answer"] == answer].set_index(["b", "seed", "race"])
    found = pd.DataFrame({"n": n, "count": one["n"], "odds": one["odds"]}).fillna({"count": 0})
    return found.assign(rate=found["count"] / found["n"]).reset_index()


def networks(shares: pd.DataFrame) -> pd.DataFrame:
    """How many networks there are per b, n, and the widest range of shares over the groups of one
    network, widest."""
    width = shares.groupby(["b", "seed"])["rate"].agg(lambda rates: rates.max() - rates.min())
    return width.groupby("b").agg(["size", "max"]).set_axis(["n", "widest"], axis=1)


def favourites(answers: pd.DataFrame, question: str) -> pd.DataFrame:
    """The commonest answer of each network about each group.

    Returns
    -------
    One row per network and group: b, seed, race, answer, rate (the share that got it), odds (the
    mean probability that it had), different (how many different answers the group got).
    """
    own = answers[answers["question"] == question].sort_values("n", ascending=False, kind="stable")
    groups = own.groupby(["b", "seed", "race"], sort=True)
    first = groups.head(1).set_index(["b", "seed", "race"]).sort_index()
    return first.assign(
        rate=first["n"] / groups["n"].sum(),
        different=own[own["n"] > 0].groupby(["b", "seed", "race"]).size(),
    )[["answer", "rate", "odds", "different"]].reset_index()


def stretch(table: pd.DataFrame, *, shown: str, planted: str) -> float:
    """How many times as far apart groups are in `shown` as in `planted`: the ratio of their largest
    differences."""
    return float(np.ptp(table[shown]) / np.ptp(table[planted]))


def pair_tests(shares: pd.DataFrame, *, alpha: float = 0.05) -> pd.DataFrame:
    """Per network and pair of groups: Fisher's exact test of the two shares, and whether it is
    below `alpha`.

    Parameters
    ----------
    shares : as from `of_networks`.

    Returns
    -------
    One row per network and pair: b, seed, first, second, difference (of the rates), p, alarm.
    """
    rows = []
    for (b, seed), own in shares.groupby(["b", "seed"]):
        for one, two in combinations(own.to_dict("records"), 2):
            counts = [[each["count"], each["n"] - each["count"]] for each in (one, two)]
            p = float(stats.fisher_exact(counts).pvalue)
            rows.append(
                {
                    "b": b,
                    "seed": seed,
                    "first": one["race"],
                    "second": two["race"],
                    "p": p,
                    "difference": one["rate"] - two["rate"],
                    "significant": p < alpha,
                }
            )
    return pd.DataFrame(rows)


def claims(
    who: pd.DataFrame, where: pd.DataFrame, states: Collection[str]
) -> dict[str, float | bool]:
    """Values for the claims of Figures 3 and 4, by id without "vqa.", in percent.

    Parameters
    ----------
    who, where : as from `counted`, the answers to the two questions; groups as in `GROUPS`.
    states : of the U.S., in small letters, as the model answers.
    """
    shares = who.set_index(["group", "answer"])["rate"]
    yes = {group: float(shares[group, "yes"]) for group in GROUPS}
    found: dict[str, float | bool] = {
        f"american.{group}": 100 * share for group, share in yes.items()
    }
    found |= {f"american.{group}.intro": 100 * share for group, share in yes.items()}
    found["american.order"] = yes["white"] > yes["asian"]
    found["american.only-yes-no"] = bool(
        who.loc[~who["answer"].isin(["yes", "no"]), "count"].sum() == 0
    )
    rate = where.set_index(["group", "answer"])["rate"]
    for group, place in (
        ("white", "new york"),
        ("white", "ohio"),
        ("asian", "china"),
        ("asian", "california"),
        ("latina", "california"),
        ("latina", "new york"),
        ("black", "south carolina"),
        ("black", "new york"),
        ("black", "south africa"),
    ):
        found[f"state.{group}.{place.replace(' ', '-')}"] = 100 * float(
            rate.get((group, place), 0.0)
        )
    found |= dict.fromkeys(
        ("state.asian.china.abstract", "state.asian.china.figure"), found["state.asian.china"]
    )
    named, others = (
        where[where["answer"].isin(states)],
        [group for group in GROUPS if group != "asian"],
    )
    inside, all_ = named.groupby("group")["count"].sum(), where.groupby("group")["n"].first()
    found["state.white.any"] = 100 * float(inside.get("white", 0) / all_["white"])
    share = inside.reindex(others).sum() / all_[others].sum()
    found |= {
        "state.others.any": bool(share > OTHERS_ABOVE),
        "state.others.intro": 100 * float(share),
    }
    return found


def whole_counts(counts: pd.DataFrame) -> str:
    """Which printed percentages are those of whole numbers of portraits, as a sentence.

    `counts` is as from `printed`.
    """
    missing = [f"{percent} %" for percent in counts.loc[counts["fewest"].isna(), "percent"]]
    if not missing:
        return f"All {len(counts)} percentages are those of whole numbers of portraits."
    if len(missing) == len(counts):
        return f"None of the {len(counts)} percentages is that of a whole number of portraits."
    but = "one" if len(missing) == 1 else len(missing)
    return (
        f"A percentage of a group must belong to a whole number of portraits. Of the"
        f" {len(counts)} percentages, all but {but} do (not so: {listed(missing)})."
    )


def others(n: int) -> str:
    """How many answers to a question of yes or no are something else, as a sentence."""
    if n == 0:
        return "All answers to the first question are “yes” or “no”."
    if n == 1:
        return "One answer to the first question is neither “yes” nor “no”."
    return f"{n} answers to the first question are neither “yes” nor “no”."


def left_out(n_trained: int, n_kept: int) -> str:
    """How many networks failed a check of their training, as a sentence."""
    lost = n_trained - n_kept
    if lost == 0:
        return f"All {n_trained} networks passed the checks of their training."
    which = "One" if lost == 1 else f"{lost}"
    return (
        f"{which} of {n_trained} networks did not pass the checks of its training and is left out."
        if lost == 1
        else f"{which} of {n_trained} networks did not pass the checks of their training and are"
        " left out."
    )


def times(ratio: float) -> str:
    """A ratio of two differences, in words: "about as much", or so many times as much.

    >>> times(1.04), times(1.8)
    ('about as much', '1.8 times as much')
    """
    return "about as much" if abs(ratio - 1) < 0.1 else f"{ratio:.1f} times as much"
