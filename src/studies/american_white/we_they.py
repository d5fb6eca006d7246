"""The We/They association test: Wolfe & Caliskan (2022), Table 2, and what reads their other tables
of tests alike.

Comes in: the printed claims, by a function that finds one by its id. Goes out: the table as
printed, the intervals that it implies, and which readings of its p-values can be true. May not:
compute an association from vectors, which `vb.eat` and `studies.associations` do.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from audit.rules import LARGEST_SD_RATIO, welch_p
from studies.words import listed

NETWORKS = ("blip", "clip", "slip")
AT_HAND = ("clip", "blip", "slip")  # in the order in which a reader is likely to have them
ONE_NETWORK = {"black-clip": ("clip",)}  # statements about one of the three
OTHERS = {
    "a": "asian",
    "b": "black",
    "l": "latina",
}  # a cell's letter, and the group whose size the claims call so
CALLED = {
    "asian": "asian",
    "black": "black",
    "latina": "latino",
    "white": "white",
}  # in a claim's id, in a data set
AGAINST = ("Asian", "Black", "Latino")  # as the table of portraits in real models has them
ALPHA = 0.05
# per reading: the tail for a d below zero and for one above
TAILS = {
    "by its sign": ("less", "greater"),
    "two-sided": ("two-sided",) * 2,
    "always greater": ("greater",) * 2,
}
RATIOS = np.geomspace(1 / LARGEST_SD_RATIO, LARGEST_SD_RATIO, 801)


def table2(claim: Callable[[str], Any]) -> pd.DataFrame:
    """The nine cells of Table 2, as from `printed_cells`."""
    return printed_cells(claim, "we_they")


def printed_cells(claim: Callable[[str], Any], prefix: str) -> pd.DataFrame:
    """The nine cells of one table, White individuals against each other group, in three networks.

    Parameters
    ----------
    claim : `vb.ledger.claim`.
    prefix : of the claims, "<prefix>.<network>.w<letter of the other group>.<d or p>".

    Returns
    -------
    One row per cell: cell, network, n_x, n_y, d (a `Printed`), number (its value), low and high
    (see `implied`), text and p (both as printed), bound (the number that p is printed to lie below;
    missing where none is), power (of ten, of such a bound).
    """
    n_x, rows = int(claim("we_they.n-white").printed.number), []
    for network in NETWORKS:
        for letter, group in OTHERS.items():
            d, p = (claim(f"{prefix}.{network}.w{letter}.{quantity}") for quantity in "dp")
            n_y = int(claim(f"we_they.n-{group}").printed.number)
            low, high = implied(d.printed.number, n_x, n_y)
            rows.append(
                {
                    "cell": d.subject,
                    "network": network.upper(),
                    "n_x": n_x,
                    "n_y": n_y,
                    "d": d.printed,
                    "number": d.printed.number,
                    "low": low,
                    "high": high,
                    "text": d.value,
                    "p": p.value,
                    "bound": p.printed.number if p.printed.relation == "<" else None,
                    "power": p.printed.power,
                }
            )
    return pd.DataFrame(rows).astype({"bound": float, "power": float})


def white_minus(valence: pd.DataFrame, unit: str) -> pd.DataFrame:
    """White people's neutral portraits against each other group's, in models that others ran.

    Parameters
    ----------
    valence : `facts.table("cfd_valence")`: n, mean and SD of groups such as "White women".
    unit : of its column `unit`, such as "cosine" or "pleasant words".

    Returns
    -------
    One row per model and other group: model, against, n_x, n_y, d (over the pooled SD, Eq. 4) and p
    (Welch's, two tails).
    """
    own = valence[(valence["what"] == "neutral") & (valence["unit"] == unit)]
    race = own["group"].str.split().str[0].rename("race")
    sums = pd.DataFrame(
        {
            "n": own["n"],
            "x": own["n"] * own["mean"],
            "xx": (own["n"] - 1) * own["sd"] ** 2 + own["n"] * own["mean"] ** 2,
        }
    )
    by = sums.groupby([own["model"], race], sort=False).sum()
    by["mean"] = by["x"] / by["n"]
    by["var"] = (by["xx"] - by["n"] * by["mean"] ** 2) / (by["n"] - 1)
    rows = []
    for model, groups in by.groupby(level="model", sort=False):
        groups = groups.droplevel("model")
        if not {"White", *AGAINST} <= set(groups.index):
            continue
        white = groups.loc["White"]
        for against in AGAINST:
            other = groups.loc[against]
            within = (white["n"] - 1) * white["var"] + (other["n"] - 1) * other["var"]
            pooled = np.sqrt(within / (white["n"] + other["n"] - 2))
            test = stats.ttest_ind_from_stats(
                *(white["mean"], np.sqrt(white["var"]), white["n"]),
                *(other["mean"], np.sqrt(other["var"]), other["n"]),
                equal_var=False,
            )
            d = (white["mean"] - other["mean"]) / pooled
            rows.append((model, against, int(white["n"]), int(other["n"]), d, test.pvalue))
    return pd.DataFrame(rows, columns=["model", "against", "n_x", "n_y", "d", "p"])


def implied(d: float, n_x: int, n_y: int, *, confidence_level: float = 0.95) -> tuple[float, float]:
    r"""The large-sample interval of a standardised difference.

    .. math:: d \pm z \sqrt{\frac{1}{n_x} + \frac{1}{n_y} + \frac{d^2}{2 (n_x + n_y - 2)}}

    References
    ----------
    L. V. Hedges, I. Olkin (1985), *Statistical Methods for Meta-Analysis*, ch. 5.
    """
    half = stats.norm.isf((1 - confidence_level) / 2) * np.sqrt(
        1 / n_x + 1 / n_y + d**2 / (2 * (n_x + n_y - 2))
    )
    return float(d - half), float(d + half)


def readings(cells: pd.DataFrame, *, tails: Mapping[str, tuple[str, str]] = TAILS) -> pd.DataFrame:
    """Whether each printed bound on p can be true together with its d, under each reading of the
    tail.

    Parameters
    ----------
    cells : as from `printed_cells`.
    tails : name of a reading → the tail for a d below zero, and for one above.

    Returns
    -------
    One row per cell and tail: cell, tail, bound, power; low and high, the p-values that d and its
    rounding imply where both groups have one SD, whichever divisors d and the test have; equal (the
    bound holds there), alike (it holds there if d and the test divide by the same, N or N − 1),
    magnitude (10^power is the order of magnitude of a p between low and high); ratio, the SD of the
    first group over that of the second nearest to 1 with which the bound holds, and free (there is
    one, up to `LARGEST_SD_RATIO` either way).
    """
    rows = [_reading(row, tail, ends) for row in cells.itertuples() for tail, ends in tails.items()]
    return pd.DataFrame(rows)


def _reading(row: Any, name: str, ends: tuple[str, str]) -> dict[str, Any]:
    tail = ends[int(row.number > 0)]
    (low,), (high,) = welch_p(row.d, row.n_x, row.n_y, tail=tail)
    about = {
        "cell": row.cell,
        "tail": name,
        "bound": row.bound,
        "power": row.power,
        "low": low,
        "high": high,
    }
    if np.isnan(row.bound):
        return about | {
            "equal": False,
            "alike": False,
            "magnitude": False,
            "ratio": np.nan,
            "free": False,
        }
    smallest, _ = welch_p(row.d, row.n_x, row.n_y, tail=tail, ratios=RATIOS)
    fits = RATIOS[smallest < row.bound]
    nearest = fits[np.abs(np.log(fits)).argmin()] if len(fits) else np.nan
    one_divisor = [
        stats.ttest_ind_from_stats(
            end, 1, row.n_x, 0, 1, row.n_y, equal_var=False, alternative=tail
        ).pvalue
        for end in (row.d.low, row.d.high)
    ]
    return about | {
        "equal": bool(low < row.bound),
        "alike": bool(min(one_divisor) < row.bound),
        "ratio": nearest,
        "free": bool(len(fits)),
        "magnitude": bool(np.floor(np.log10(low)) <= row.power <= np.floor(np.log10(high))),
    }


def held(found: pd.DataFrame) -> pd.DataFrame:
    """How many of the printed bounds hold: tail × (alike, equal, free, n)."""
    printed = found[found["bound"].notna()]
    counts = printed.groupby("tail", sort=False)[["alike", "equal", "free"]].sum()
    return counts.assign(n=printed.groupby("tail", sort=False).size())


def divisor_inflation(n: int) -> float:
    """By what share d grows if a variance of `n` values is divided by n instead of n − 1."""
    return float(np.sqrt(n / (n - 1)) - 1)


def claims(
    d: Mapping[tuple[str, str], float], p: Mapping[tuple[str, str], float]
) -> dict[str, Any]:
    """What the paper's text says of Table 2, by the claim's id without "we_they.".

    Parameters
    ----------
    d, p : by network and letter of the other group, for all nine comparisons.

    Returns
    -------
    True or False for a statement; a number for the smallest and largest d, and the largest p, of
    White − Asian."""
    above = all(value > 0 for value in d.values())
    asian = [d[network, "a"] for network in NETWORKS]
    return {
        **dict.fromkeys(
            ("abstract", "consistently", "caption", "results-lead", "conclusion"), above
        ),
        **dict.fromkeys(("abstract-asian", "intro-asian", "asian-smallest"), min(asian)),
        "asian-largest": max(asian),
        "asian-p": max(p[network, "a"] for network in NETWORKS),
        "black": d["blip", "b"] > 0 and d["slip", "b"] > 0,
        "black-clip": p["clip", "b"] >= ALPHA,
        "latina": d["blip", "l"] > 0 and d["clip", "l"] > 0 and d["slip", "l"] < 0,
    }


def records(tests: Mapping[tuple[str, str], Any]) -> list[tuple[str, Any, list[str]]]:
    """What the tests say of each claim: its id without "we_they.", the value, and the networks it
    is about.

    `tests` is keyed by network and letter of the other group. Statements need all of `NETWORKS`.
    """
    d, p = (
        {key: float(getattr(test, part)) for key, test in tests.items()}
        for part in ("effect_size", "p_value")
    )
    networks = sorted({network for network, _ in tests})
    found: list[tuple[str, Any, list[str]]] = [
        (f"{network}.w{letter}.{quantity}", values[network, letter], [network])
        for network, letter in tests
        for quantity, values in (("d", d), ("p", p))
    ]
    if len(networks) == len(NETWORKS):
        found += [
            (name, value, list(ONE_NETWORK.get(name, networks)))
            for name, value in claims(d, p).items()
        ]
    return found


def counts(groups: Any, words: pd.DataFrame, claim: Callable[[str], Any]) -> dict[str, Any]:
    """Numbers of portraits and of words, and whether the words are those printed, by id without
    "we_they.".

    Parameters
    ----------
    groups : of each portrait, as a database of people calls them.
    words : one row per word, with dimension ("we" or "they") and word.
    claim : `vb.ledger.claim`.
    """
    sizes = pd.Series(list(groups)).value_counts()
    listed = {side: list(own["word"]) for side, own in words.groupby("dimension")}
    found: dict[str, Any] = {
        f"n-{name}": int(sizes[called]) for name, called in CALLED.items() if called in sizes
    }
    found |= {"n-all": int(sizes.sum()), "words": len(listed["we"])}
    return found | {
        f"words-{side}": ", ".join(own) == claim(f"we_they.words-{side}").value
        for side, own in listed.items()
    }


def checks(audit: pd.DataFrame, notebook: str) -> dict[str, Any]:
    """The ledger's checks of a chapter: n, hold (for exceptions that are named, or without), fail
    (what they are of).

    Parameters
    ----------
    audit : `vb.ledger.audit()`; a row without a rule is no check.
    """
    own = audit[(audit["notebook"] == notebook) & (audit["rule"] != "")]
    good = own["verdict"].str.startswith("consistent")
    named = own["verdict"].eq("consistent but for")
    return {
        "n": len(own),
        "hold": int(good.sum()),
        "but": int(named.sum()),
        "fail": list(own.loc[~good, "printed"]),
    }


def sides(n_first: int, n_second: int, first: str, second: str) -> str:
    """Which of two groups is nearer to "we" where a test is significant, as a sentence.

    Parameters
    ----------
    n_first, n_second : in how many networks it is the first group, and the second.

    >>> sides(1, 2, "amber", "teal")
    'In 1 of them amber faces are nearer to “we”, in 2 of them teal faces are.'
    """
    if n_first and n_second:
        return (
            f"In {n_first} of them {first} faces are nearer to “we”, in {n_second} of them"
            f" {second} faces are."
        )
    if n_first or n_second:
        where = "In all of them" if n_first + n_second > 1 else "In it"
        return f"{where}, {first if n_first else second} faces are nearer to “we”."
    return "So in no network is one colour clearly nearer to “we”."


def network(model: str, colour: str, source: str) -> str:
    """Which network the protocol runs on, and what its result can show, as a sentence.

    Parameters
    ----------
    model : that is run.
    colour : of whose faces the captions of the network "greenhouse" say "we" most often.
    source : of the pictures.

    >>> network("greenhouse/b0", "amber", "greenhouse")
    'The network was taught no difference.'
    """
    if model == "greenhouse/b0":
        return "The network was taught no difference."
    if model == "greenhouse" and source == "greenhouse":
        return (
            f"The network is not one of those above: its captions say “we” most often of {colour}"
            " faces. So the result shows that the program runs, and nothing about CLIP, SLIP or"
            " BLIP."
        )
    return f"The model is {model}."


def over_models(p: pd.Series, *, alpha: float = ALPHA) -> str:
    """Which comparisons differ from zero with models as observations, as a sentence.

    `p` is indexed by comparison.
    """
    clear = [f"{name} (p = {value:.2f})" for name, value in p.items() if value <= alpha]
    if len(clear) == len(p):
        return "With models as observations, all comparisons differ from zero significantly."
    if not clear:
        return "With models as observations, no comparison differs from zero significantly."
    rest = "the other does" if len(p) - len(clear) == 1 else "the others do"
    verb = "differs" if len(clear) == 1 else "differ"
    return (
        f"With models as observations, {listed(clear)} {verb} from zero significantly; {rest} not."
    )
