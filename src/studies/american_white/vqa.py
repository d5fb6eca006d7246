"""Answers to two questions: Wolfe & Caliskan (2022), Figures 3 and 4."""

from collections.abc import Callable, Collection, Mapping
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from vlmbias.papers import RACES

GROUPS = {
    "asian": "Asian",
    "black": "Black",
    "latina": "Latina/o",
    "white": "White",
}  # as claims name them, as printed
CLAIMED = dict(zip(RACES, GROUPS, strict=True))  # as `vlmbias.papers` names them -> as claims do
# a state of the U.S. for "more than 97% of the other images": of all but Asian individuals
OTHERS_ABOVE = 0.97
PLACES = {
    "white": ("new york", "ohio"),
    "asian": ("china", "california"),
    "latina": ("california", "new york"),
    "black": ("south carolina", "new york", "south africa"),
}  # of which the paper prints the share


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


def claims(answers: pd.DataFrame, states: Collection[str]) -> dict[str, float | bool]:
    """Values for the claims of Figures 3 and 4, by id without "vqa.", in percent.

    Parameters
    ----------
    answers : one row per portrait: group, as in `GROUPS`, and its answers, american and state.
    states : of the U.S., in small letters, as the model answers.
    """
    of_group = answers.groupby("group")
    yes = of_group["american"].agg(lambda own: 100 * (own == "yes").mean())
    found: dict[str, float | bool] = {
        "american.order": bool(yes["white"] > yes["asian"]),
        "american.exclusion": bool((yes.drop("white") < 50).all()),
        "american.only-yes-no": bool(answers["american"].isin(["yes", "no"]).all()),
    }
    for group, places in PLACES.items():
        found |= {f"american.{group}{end}": float(yes[group]) for end in ("", ".intro")}
        named = of_group["state"].get_group(group)
        for place in places:
            found[f"state.{group}.{place.replace(' ', '-')}"] = 100 * float((named == place).mean())
    china, inside = found["state.asian.china"], answers["state"].isin(states)
    share = inside[answers["group"] != "asian"].mean()
    return found | {
        "state.asian.china.abstract": china,
        "state.asian.china.figure": china,
        "state.white.any": 100 * float(inside[answers["group"] == "white"].mean()),
        "state.others.any": bool(share > OTHERS_ABOVE),
        "state.others.intro": 100 * float(share),
    }
