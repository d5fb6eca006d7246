"""`{play} shuffle`: data families assigned at random, again and again."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd
from claims_on_pages import result
from play import Play, markdown_table, still_figures

from studies.pretraining import shuffle

WIDTH = 4.8  # inches of the still picture
MOST = 1000  # shuffles that the page counts
LABELS = {
    "null": "{n} networks whose captions treat all groups alike",
    "recipe": "{n} networks that all learned one and the same bias",
}
RULES = {
    "published": (
        "have at least one significant family, if the {tests} results of each network are taken as"
        " independent (the paper’s way of counting)"
    ),
    "networks": (
        "have at least one significant family, if each network counts once (with the mean of its"
        " {tests} results)"
    ),
}
SHORT = {"published": "as published", "networks": "each network once"}
RULE = (
    "These are small networks that we trained. Each took {tests} tests, as each model of the paper"
    " did. A shuffle gives every network a data family by chance: A to I, or R. Such a label cannot"
    " matter. So "
)
FALSE = "every significant family is a false positive."
TRIES = (
    ("1. Shuffle {shuffles} times, with nothing in common", 0.0),
    ("2. The same, with 3 % in common", 0.03),
    ("3. The same, with as much in common as our networks have", None),
)
LISTED = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1)  # the shares at which the paper's table is simulated
REAL = "real/same_data::alike"  # what results of one real model have in common
HELD = "real/same_data::after.high"  # the upper end, with architecture and size held constant


def _fleet(name: str) -> dict[str, Any]:
    """One fleet as the page fits it."""
    fleet = shuffle.fleets()[name]
    groups = fleet.table["group"].to_numpy()[: fleet.tests]
    return {
        "label": LABELS[name].format(n=len(fleet.rows)),
        "rows": fleet.rows.to_numpy().tolist(),
        "results": fleet.results.tolist(),
        "groups": pd.factorize(groups)[0].tolist(),
        "sizes": shuffle.sizes(fleet),
        "critical": dict(shuffle.critical(fleet)),
        "own": fleet.stops().index(fleet.share),
        "stops": [
            {
                "share": share,
                "own": share == fleet.share,
                "variance": fleet.variance(share),
            }
            for share in fleet.stops()
        ],
    }


def _nearest(share: float) -> float:
    """The stop of every dial that is nearest to a share."""
    return min(shuffle.STOPS, key=lambda stop: abs(stop - share))


def real() -> dict[str, Any] | None:
    """What real models have in common, and the stops nearest to it and to the upper end of its
    interval; None where the chapter on them was not run."""
    rho, low, high = (result(f"{REAL}.{name}:.6f") for name in ("rho", "low", "high"))
    if rho is None or low is None or high is None:
        return None
    said = [f"{float(one):.2f}".replace("-", "−") for one in (rho, low, high)]
    held = result(f"{HELD}:.3f")
    return {
        "share": _nearest(max(0.0, float(rho))),
        "end": _nearest(max(0.0, float(high))),
        "words": dict(zip(("rho", "low", "high"), said, strict=True)),
        "held": held,
        "below": float(rho) < 0,
    }


@cache
def content() -> dict[str, Any]:
    """Everything that the scripts show."""
    first = next(iter(shuffle.fleets().values()))
    return {
        "real": real(),
        "fleets": [_fleet(name) for name in shuffle.fleets()],
        "letters": list(shuffle.LETTERS),
        "rules": {rule: words.format(tests=first.tests) for rule, words in RULES.items()},
        "short": SHORT,
        "rule": RULE.format(tests=first.tests),
        "false": FALSE,
        "chance": round(100 * shuffle.ALPHA * len(shuffle.LETTERS)),
        "confidence": round(100 * (1 - shuffle.ALPHA)),
        "listed": [{"share": share, **shuffle.printed_twin(share)} for share in LISTED],
        "tests": first.tests,
        "level": f"{shuffle.ALPHA:.2f}".lstrip("0"),
        "most": MOST,
        "tries": [
            {
                "words": words.format(shuffles=shuffle.SHUFFLES),
                "share": share,
                "shuffles": shuffle.SHUFFLES,
            }
            for words, share in TRIES
        ],
    }


def _still() -> str:
    """The figure that is there without scripts, and on paper."""
    _, shown = shuffle.figure()
    shown.figure.set_figwidth(WIDTH)
    return still_figures(shown)


def _numbers() -> str:
    """The folded part: what is assigned, what the dial changes, how it is fitted, and the numbers
    at every stop."""
    fleet = shuffle.fleets()["null"]
    columns = ["in common", "shuffles with a significant family, as published", "each network once"]
    rows = [
        [
            f"{100 * one.share:.0f} %{' (as measured in our networks)' if one.own else ''}",
            one.published,
            one.networks,
        ]
        for one in shuffle.over_shares(fleet).itertuples()
    ]
    sizes = shuffle.sizes(fleet)
    return f"""
Each of the {len(fleet.rows)} networks keeps its {fleet.tests} results, and gets one of {len(sizes)} data families at random, in the proportions of the paper. The reference has {sizes[0]} of them. Both analyses find the same differences between
families; only the standard errors differ.

A result is the sum of three parts: what architecture, size and the kind of test lead one to expect; the network’s own part, the same in all its results; and a rest. The slider enlarges the second part and shrinks the third, or the
reverse. The percentage is the share of the second part in the variance of both. This keeps the networks, but makes their tests alike in a simple way: in our networks as they are, tests of hue go together, and most others hardly do
([Stress](../notebooks/pretraining/stress.ipynb)).

{markdown_table(columns, rows)}

The numbers count shuffles, out of {shuffle.SHUFFLES}. If no family matters, at most {len(sizes) - 1} of 100 are expected by chance. No rate carries over to CLIP.
"""  # noqa: E501


def _row(table: pd.DataFrame, share: float) -> pd.Series:
    return table.loc[(table["share"] - share).abs().idxmin()]


def _sentence() -> str:
    """How often some family is significant, by what counts as one observation, over the dial."""
    fleet = shuffle.fleets()["null"]
    table, of = shuffle.over_shares(fleet), shuffle.SHUFFLES
    none, own, known = _row(table, 0.0), table[table["own"]].iloc[0], real()
    some = _row(table, known["end"] if known else 0.03)
    near = ""
    if known:
        percent = f"{100 * some['share']:.0f} %"
        near = f" ({percent} is near the upper end of the interval of the real models"
        if known["held"]:
            near += (
                ". With architecture and size held constant, this interval ends at"
                f" {100 * float(known['held']):.1f} %"
            )
        near += ".)"
    return (
        f"We shuffled {of} times, and counted the shuffles with at least one significant family."
        f" The published regression takes the {fleet.tests} results of a network as independent."
        f" It finds {none['published']} such shuffles where results have nothing in common"
        f" (by chance, at most {round(of * shuffle.ALPHA * len(shuffle.LETTERS))} are expected),"
        f" {some['published']} with {100 * some['share']:.0f} % in common, and"
        f" {own['published']} with {100 * own['share']:.0f} %, as in our networks as trained. If"
        f" each network counts once, it is {own['networks']} in each case.{near}"
    )


PLAY = Play(
    made_from=("data/greenhouse/fleet*.*", "src/studies/pretraining/shuffle.py"),
    content=content,
    still=_still,
    libraries=("dice", "fit"),
    parts={"numbers": _numbers, "sentence": _sentence},
)
