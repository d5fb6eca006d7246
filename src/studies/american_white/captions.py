"""Captions that say a race word: Wolfe & Caliskan (2022), Figure 5.

Comes in: captions, counted by network, top-p, decoding and group; which of them name a group, by a
function. Goes out: what the released rule finds in them, how well, and what is decoded against what
was planted. May not: ask a model, or know which group plays which role.
"""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

NOUNS = ("person", "man", "woman")
# the words that blip_downstream_bias.py looks for, in captions that it has made lower case
RELEASED = (
    "black",
    "Black",
    "African",
    "Asian",
    "asian",
    "White",
    "white",
    "Caucasian",
    "Latino",
    "Latina",
    "Hispanic",
    "multiracial",
    "latino",
    "latina",
    "hispanic",
    "african-american",
    "african american",
    "caucasian",
    "asian-american",
    "asian american",
)
AFRICAN_AMERICAN = ("african-american", "african american")
MIN_TOP_P = 0.45  # the text speaks of .5 to .9
FIGURE_TOP_P = {"asian": 0.7, "black": 0.8}  # the levels that the figure's caption names
BY_NETWORK = ["b", "seed"]


def released(caption: str, words: Sequence[str]) -> bool:
    """The released rule: a word, a space and "person", "man" or "woman" somewhere in the caption,
    as letters.

    "a teal mantle" has "teal man" in it; "a teal smiling person" has no such string.
    """
    return any(f"{word} {noun}" in caption.lower() for word in words for noun in NOUNS)


def bounded(caption: str, words: Sequence[str]) -> bool:
    """The same rule with whole words: "a teal mantle" is no longer found."""
    found = "|".join(map(re.escape, words))
    return re.search(rf"\b(?:{found}) (?:{'|'.join(NOUNS)})\b", caption.lower()) is not None


def mark_names(
    captions: pd.DataFrame, words: Sequence[str], names: Callable[[str], bool]
) -> pd.DataFrame:
    """The captions with columns `names` (a group), `rule` (the released one finds it), `whole`
    (with whole words)."""
    texts = captions["caption"].drop_duplicates()
    about = pd.DataFrame(
        {
            "names": [names(text) for text in texts],
            "rule": [released(text, words) for text in texts],
            "whole": [bounded(text, words) for text in texts],
        },
        index=texts,
    )
    return captions.join(about, on="caption")


def shares(captions: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The share of captions, per group of rows, that name a group and that each rule finds.

    Parameters
    ----------
    captions : as from `mark_names`, with how often each caption came, n.
    by : columns.

    Returns
    -------
    `by`, n (captions), names, rule and whole (shares).
    """
    columns = ["names", "rule", "whole"]
    weighted = captions.assign(**{name: captions[name] * captions["n"] for name in columns})
    found = weighted.groupby(list(by))[["n", *columns]].sum()
    return found.assign(**{name: found[name] / found["n"] for name in columns}).reset_index()


def quality(captions: pd.DataFrame, by: Sequence[str] = (), *, rule: str = "rule") -> pd.DataFrame:
    """Recall (of captions that name a group, the share that the rule finds) and precision (of those
    that it finds, the share that names a group); missing where there are none to find or found.

    Returns
    -------
    `by`, named, found, both (counts of captions), recall, precision; one row if `by` is empty.
    """
    counts = pd.DataFrame(
        {
            "named": captions["n"] * captions["names"],
            "found": captions["n"] * captions[rule],
            "both": captions["n"] * (captions["names"] & captions[rule]),
        }
    )
    table = (
        counts.groupby([captions[name] for name in by]).sum().reset_index()
        if by
        else counts.sum().to_frame().T
    )
    return table.assign(
        recall=table["both"] / table["named"].replace(0, np.nan),
        precision=table["both"] / table["found"].replace(0, np.nan),
    )


def cut(shown: pd.DataFrame, planted: pd.DataFrame, *, column: str = "names") -> pd.DataFrame:
    """What decoding leaves of planted rates: the mean share over networks, per b, top-p and group,
    beside the rate.

    Parameters
    ----------
    shown : as from `shares`, by b, seed, top_p and race at least.
    planted : columns b, race and planted (a rate).

    Returns
    -------
    b, top_p, race, share, planted, left (share / planted).
    """
    per_network = shown.groupby([*BY_NETWORK, "top_p", "race"])[column].mean()
    mean = per_network.groupby(["b", "top_p", "race"]).mean().rename("share").reset_index()
    found = mean.merge(planted, on=["b", "race"])
    return found.assign(left=found["share"] / found["planted"])


def never_named(shown: pd.DataFrame, *, column: str = "names") -> pd.DataFrame:
    """How often a group is never named in a whole run: of one network's decodings of all portraits,
    per top-p.

    Parameters
    ----------
    shown : as from `shares`, by seed, top_p, decoding and race at least.

    Returns
    -------
    top_p, race, runs (networks × decodings), never (runs without a caption that names the group),
    rate (mean share)."""
    runs = shown.assign(never=shown[column].eq(0)).groupby(["top_p", "race"])
    return runs.agg(
        runs=("never", "size"), never=("never", "sum"), rate=(column, "mean")
    ).reset_index()


def shares_printed_as(percent: str, most: int) -> list[int]:
    """The n, up to `most`, of which some whole count prints as this percentage.

    >>> shares_printed_as("92.9", 36)
    [14, 28]
    """
    digits, number = len(percent.partition(".")[2]), float(percent)
    return [
        n
        for n in range(1, most + 1)
        if f"{100 * round(number / 100 * n) / n:.{digits}f}" == percent
    ]


def claims(shown: pd.DataFrame, captions: pd.DataFrame | None = None) -> dict[str, float | bool]:
    """Values for the claims of Figure 5, by id without "captions.", in percent.

    Parameters
    ----------
    shown : columns group ("asian", "black" …), top_p and rule, a share; only top-p from .5 on
        counts, as in the text.
    captions : as from `mark_names`, with columns group and top_p: of those that say a race, how
        many say this one.
    """
    own = shown[shown["top_p"] > MIN_TOP_P]
    ends = 100 * own.groupby("group")["rule"].agg(["min", "max"])
    found: dict[str, float | bool] = {}
    for group in ("asian", "black"):
        found |= {
            f"{group}.least": float(ends.loc[group, "min"]),
            f"{group}.most": float(ends.loc[group, "max"]),
        }
    table = own.pivot(index="top_p", columns="group", values="rule")
    for group, level in FIGURE_TOP_P.items():
        if len(at := table.index[np.isclose(table.index, level)]):
            found[f"{group}.most.figure"] = 100 * float(table.loc[at[0], group])
    if "asian.most.figure" in found:
        found["asian.most.discussion"] = found["asian.most.figure"]
    share = (
        np.nan
        if captions is None
        else share_saying(captions[captions["top_p"] > MIN_TOP_P], "black", AFRICAN_AMERICAN)
    )
    if np.isfinite(share):
        found["african-american"] = 100 * share
    return found | {
        "asian.most.intro": found["asian.most"],
        "asian.most.abstract": found["asian.most"],
        "black.most.intro": found["black.most"],
        "white.none": bool(ends.loc["white", "max"] == 0),
        "order": bool((table["asian"] > table["black"]).all()),
    }


def share_saying(captions: pd.DataFrame, group: str, word: Sequence[str]) -> float:
    """Of a group's captions in which the released rule finds a race, the share that say this one;
    missing if it finds none. `word` is one word with its spellings."""
    own = captions[(captions["group"] == group) & captions["rule"]]
    hits = own["caption"].map(lambda text: released(text, word)).astype(bool)
    return float(own.loc[hits, "n"].sum() / own["n"].sum()) if len(own) else float("nan")


def keys(groups: Sequence[str], requested: Sequence[str], thresholds: int = 10) -> list[str]:
    """Entries that the released count asks for and never made: it counts by `groups` and sums over
    `requested`."""
    made = {f"{group} {level}" for group in groups for level in range(thresholds)}
    return [
        key
        for group in requested
        for level in range(thresholds)
        if (key := f"{group} {level}") not in made
    ]


def weighs(top_p: str, missing: int, n: int) -> str:
    """What "never" is worth at a "small" or "large" top-p, as a sentence: `missing` of n sets of
    captions never say a word that was taught."""
    if missing == 0:
        return f"At a {top_p} top-p, “never” is strong evidence."
    if missing < n / 4:
        return f"At a {top_p} top-p, “never” is some evidence."
    return f"At a {top_p} top-p, “never” is weak evidence."


def rules_explain(missing: int, n: int) -> str:
    """Whether the cut and the penalty can be why a group is never named at a large top-p, as a
    sentence; counts as in `weighs`."""
    if missing < n / 4:
        return "So the cut and the penalty are unlikely to be its reason."
    return "So the cut and the penalty may be its reason."


def taught(planted: pd.DataFrame) -> str:
    """Which colour training captions name most and least often, in sentences.

    Parameters
    ----------
    planted : columns race and planted (a rate), a row per race.
    """
    rate = planted.set_index("race")["planted"]
    if rate.max() == rate.min():
        return f"The network is one whose training captions name each colour in {rate.max():.0%}."
    return (
        "The network is of another kind than before: its training captions name some colours more"
        f" often than others. They name {rate.idxmax()} in {rate.max():.0%} of the captions of such"
        f" faces, and {rate.idxmin()} in only {rate.min():.0%}."
    )


def extremes(run: pd.DataFrame) -> str:
    """In whose captions the rule finds most and fewest words that it looks for, as a sentence.

    Parameters
    ----------
    run : columns race and rule (a share), a row per race and top-p.
    """
    mean = run.groupby("race")["rule"].mean()
    if mean.max() == mean.min():
        return (
            f"On average over the settings, the rule finds equally much for all: {mean.max():.0%}."
        )
    return (
        f"On average over the settings, the rule finds most in captions of {mean.idxmax()} faces"
        f" ({mean.max():.0%}), and least in captions of {mean.idxmin()} faces ({mean.min():.0%})."
    )
