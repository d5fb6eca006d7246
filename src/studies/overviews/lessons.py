"""What a reader takes home: one figure of each paper's chapters, of the values that these hand to
their prose; None where one is missing.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

import vlmbias as vb
from studies.overviews.illustration import Illustration
from vlmbias.figures import COLOURS, panels, style
from vlmbias.notes import NOT_RUN

Results = Mapping[str, Mapping[str, Any]]
SPOKEN = ("favoured", "disfavoured", "gap_mean", "gap_mean_half")
FLEETS = {
    "": "{n} null networks",
    "second.": "{n} equally biased networks",
}
RULES = {
    "published": "26 results of each,\nas independent",
    "one-row": "one result of each",
}
ANSWERS = {"planted": "in training", "odds": "computed", "rate": "answered"}


def accidents(results: Results) -> Illustration | None:
    """The difference between two groups in each of many networks whose captions hold none."""
    notes = results.get("greenhouse/sensitivity", {})
    n = notes.get("n_null", NOT_RUN)
    if n == NOT_RUN:
        return None
    keys = [f"{stem}.{k}" for stem in ("gap", "gap_half") for k in range(int(n))]
    if any(notes.get(key, NOT_RUN) == NOT_RUN for key in (*keys, *SPOKEN)):
        return None
    table = pd.DataFrame(
        {"gap": [notes[key] for key in keys[: int(n)]], "half": [notes[k] for k in keys[int(n) :]]}
    ).sort_values("gap", ignore_index=True)
    first, second = notes["favoured"], notes["disfavoured"]
    clear = table["gap"].abs() > table["half"]
    kinds = {
        f"{first} higher": (clear & (table["gap"] > 0), COLOURS[first]),
        f"{second} higher": (clear & (table["gap"] < 0), COLOURS[second]),
        "not significant": (~clear, COLOURS["reference"]),
    }
    figure, ((axes,),) = panels(height=3.6)
    with style():
        for label, (chosen, colour) in kinds.items():
            own = table[chosen]
            axes.errorbar(
                own.index, own["gap"], own["half"], fmt="o", ms=4, lw=1.5, color=colour, label=label
            )
        axes.errorbar(
            [len(table) + 1.5],
            [notes["gap_mean"]],
            [notes["gap_mean_half"]],
            fmt="D",
            ms=7,
            lw=2.5,
            color="black",
            label="mean of all",
        )
        axes.axhline(0, color="0.5", lw=1, zorder=0)
        axes.set(
            xticks=[], xlabel="one dot: one null network", ylabel=f"{first} − {second}, score × 100"
        )
        figure.legend(loc="outside upper left", ncols=2)
    return Illustration(
        figure,
        f"Difference between {first} and {second} faces in each of {n} null networks."
        f" Significant: {first} higher in {(clear & (table['gap'] > 0)).sum()}, {second} in"
        f" {(clear & (table['gap'] < 0)).sum()}. Mean over networks: {notes['gap_mean']:+.2f} ±"
        f" {notes['gap_mean_half']:.2f}.",
        "The networks are in the order of their differences. Lines: 95 % intervals (of a network:"
        " over people; of the mean: over networks).",
        "greenhouse",
    )


def assigned(results: Results) -> Illustration | None:
    """How often families that do nothing are significant, by the unit of analysis."""
    notes = results.get("pretraining/stress", {})
    rows = []
    for stem, title in FLEETS.items():
        for rule, label in RULES.items():
            ends = {
                end: notes.get(f"{stem}{end}.{rule}", NOT_RUN) for end in ("rate", "low", "high")
            }
            if NOT_RUN in ends.values():
                return None
            n = notes["fleet"] if stem == "" else notes["recipe"]
            rows.append({"fleet": title.format(n=n), "rule": label, **ends})
    table = pd.DataFrame(rows)
    figure = vb.figures.rates(
        table,
        rate="rate",
        low="low",
        high="high",
        label="rule",
        panel="fleet",
        group="rule",
        nominal=None,
        value_label="% of assignments with a significant family",
    )
    for legend in figure.legends:  # the lines are named where they stand
        legend.remove()
    listed = "; ".join(
        f"{row.fleet}, {' '.join(row.rule.split())}: {row.rate:.1%}" for row in table.itertuples()
    )
    return Illustration(
        figure,
        f"How often a family assigned at random is called significant at .01. {listed}.",
        f"How often at least one of {notes['contrasts']} families was significant at .01, in"
        f" {notes['assignments']} random assignments. Lines: 95 % intervals.",
        "greenhouse",
    )


def answers(results: Results) -> Illustration | None:
    """The same difference between two groups in captions, in probabilities and in answers."""
    notes = results.get("american_white/vqa", {})
    keys = [f"{end}.{kind}" for kind in ANSWERS for end in ("most", "least")]
    if any(notes.get(key, NOT_RUN) == NOT_RUN for key in [*keys, "top", "bottom"]):
        return None
    figure, ((axes,),) = panels(height=2.9)
    with style():
        for place, kind in enumerate(ANSWERS):
            most, least = (100 * notes[f"{end}.{kind}"] for end in ("most", "least"))
            axes.hlines(-place, least, most, color=COLOURS["reference"], lw=2)
            for value, hue in ((most, notes["top"]), (least, notes["bottom"])):
                label = f"{hue} faces" if place == 0 else None
                axes.plot(value, -place, "o", color=COLOURS[hue], label=label, markersize=10)
            axes.text((most + least) / 2, -place + 0.12, f"{most - least:.0f} points", ha="center")
        axes.set_yticks([0, -1, -2], list(ANSWERS.values()))
        axes.set(xlim=(-3, 103), ylim=(-2.5, 0.6), xlabel="per cent “yes”")
        figure.legend(loc="outside upper left", ncols=2)
    listed = "; ".join(
        f"{shown}: {notes['top']} {notes[f'most.{kind}']:.0%}, {notes['bottom']}"
        f" {notes[f'least.{kind}']:.0%}"
        for kind, shown in ANSWERS.items()
    )
    return Illustration(
        figure,
        f"How often “yes”, for two groups of drawn faces. {listed}.",
        "Two groups of drawn faces: the share of “yes” in the answers from which the networks"
        " learned, the probability of “yes” that the networks compute, and the share of “yes” in"
        " their own answers. Means over"
        f" {notes['networks']} networks of the Greenhouse.",
        "greenhouse",
    )
