r"""The stimuli of association tests: how attributes are chosen, what is in them, and what that does
to an effect size.

Comes in: rated stimuli, lists of words and themes, the vectors of retrained networks. Goes out: the
chosen, tables with one row per set, or per test and network. May not: name a fictional group, or
know what was planted.

An attribute set enters a test only through its mean vector: s(w) = w · (mean A − mean B).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from vlmbias.measures import effect_size

SMALL = 0.2


@dataclass(frozen=True, eq=False)
class Sides:
    """The targets of one test among a panel's pictures or words, and what could stand in an
    attribute set besides.

    Attributes
    ----------
    called : the test.
    kind : "image" or "text".
    X, Y : rows of their images or words.
    strangers : rows of images like those of X that are none of them: for the pleasant set.
    """

    called: str
    kind: str
    X: np.ndarray
    Y: np.ndarray
    strangers: np.ndarray


# --- choosing -------------------------------------------------------------------------------------


def extremes(rated: pd.DataFrame, n: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The `n` highest and the `n` lowest by valence, as the authors' script takes them.

    Sorted from high to low, equal ratings in the order of the table; the first n, the last n.

    Parameters
    ----------
    rated : a column valence.

    Raises
    ------
    ValueError : fewer than 2 n rows, so that the two sets would share some.
    """
    if len(rated) < 2 * n:
        raise ValueError(
            f"{n} from each end of {len(rated)} stimuli would overlap; choose at most"
            f" {len(rated) // 2}"
        )
    ranked = rated.sort_values("valence", ascending=False, kind="stable")
    return ranked.head(n), ranked.tail(n)


def tied(rated: pd.DataFrame, n: int) -> dict[str, int]:
    """How many stimuli outside each set are rated as its mildest one is: there the order of the
    file decides."""
    high, low = extremes(rated, n)
    left = rated.drop(index=[*high.index, *low.index])["valence"]
    return {
        name: int((left == mildest).sum())
        for name, mildest in (
            ("positive", high["valence"].min()),
            ("negative", low["valence"].max()),
        )
    }


def balance(high: pd.DataFrame, low: pd.DataFrame, *, middle: float) -> pd.Series:
    """Mean distance of each set's valence from the middle of the scale, and the difference of the
    two."""
    up, down = float(high["valence"].mean() - middle), float(middle - low["valence"].mean())
    return pd.Series({"positive": up, "negative": down, "difference": up - down})


def middling(rated: pd.DataFrame, n: int, *, middle: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The `n` of each sign nearest to the middle of the scale."""
    ranked = rated.assign(_from=(rated["valence"] - middle).abs()).sort_values(
        "_from", kind="stable"
    )
    return ranked[ranked["valence"] > middle].head(n), ranked[ranked["valence"] < middle].head(n)


def rate(valence: Any, *, raters: int, sd: float, seed: int) -> np.ndarray:
    """Made-up mean ratings from 1 to 7 of stimuli whose valence is known, `(n,)`.

    Each rater rounds 4 + 0.75 × valence + a normal error of their own, and stays within the scale.

    Parameters
    ----------
    valence : logits, `(n,)`.
    raters : how many rate every stimulus.
    sd : of a rater's error, in steps of the scale.
    """
    middle = 4 + 0.75 * np.asarray(valence, float)
    errors = np.random.default_rng(seed).normal(0, sd, (raters, len(middle)))
    return np.clip(np.round(middle + errors), 1, 7).mean(axis=0)


# --- what is in a list ----------------------------------------------------------------------------


def entries(listed: str) -> list[str]:
    """The entries of a printed list."""
    return [one.strip() for one in listed.split(",")]


def theme(name: str) -> str:
    """What a picture shows, by its name: "Lake" of "Lake 12", "lake" of "lake12_google"."""
    return re.sub(r"\s*\d+(_\w+)?$", "", name)


def families(words: Sequence[str]) -> list[list[str]]:
    """Words put together that are forms of each other.

    Two words are where they share their first four letters, or one, less a plural s, begins the
    other; two phrases, where a word of one is a word of the other.
    """
    found: list[list[str]] = []
    for word in words:
        kin = [own for own in found if any(_kin(word, other) for other in own)]
        found = [own for own in found if own not in kin] + [
            [one for own in kin for one in own] + [word]
        ]
    return found


def _kin(one: str, other: str) -> bool:
    first, second = (set(text.split()) for text in (one, other))
    if max(len(first), len(second)) > 1:
        return bool(first & second)
    short, long = sorted((one, other), key=len)
    root = short.removesuffix("s")
    return (len(short) >= 4 and short[:4] == long[:4]) or (len(root) >= 3 and long.startswith(root))


def contents(sets: Mapping[str, Sequence[str]], *, words: Sequence[str] = ()) -> pd.DataFrame:
    """What printed lists hold.

    Parameters
    ----------
    sets : name → entries.
    words : the names of those sets that list words; the others list pictures by theme.

    Returns
    -------
    One row per set: entries, kinds (distinct themes, or families of words), most (the largest kind)
    and of it (its entries).
    """
    rows = {}
    for name, own in sets.items():
        kinds = (
            families(own)
            if name in words
            else [[o for o in own if theme(o) == t] for t in dict.fromkeys(map(theme, own))]
        )
        largest = max(kinds, key=len)
        rows[name] = {
            "entries": len(own),
            "kinds": len(kinds),
            "most": largest[0] if name in words else theme(largest[0]),
            "of it": len(largest),
        }
    return pd.DataFrame(rows).T


def named(sets: Mapping[str, Sequence[str]], about: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Entries whose theme is what a test compares.

    Parameters
    ----------
    sets : name → entries, pictures by theme.
    about : category → themes that belong to one of its sides.

    Returns
    -------
    One row per set and category with any: set, category, entries (listed), n.
    """
    rows = []
    for (name, own), (category, themes) in (
        (one, other) for one in sets.items() for other in about.items()
    ):
        if hits := [entry for entry in own if theme(entry).casefold() in themes]:
            kinds = pd.Series(hits).map(theme).value_counts(sort=False)
            rows.append(
                {
                    "set": name,
                    "category": category,
                    "n": len(hits),
                    "entries": ", ".join(f"{kind} ({n})" for kind, n in kinds.items()),
                }
            )
    return pd.DataFrame(rows, columns=["set", "category", "n", "entries"])


# --- what a choice does ---------------------------------------------------------------------------


def sides(vectors: Any, hues: Sequence[str], crests: Sequence[str]) -> list[Sides]:
    """Tests of hue, crest and age among a panel's faces, and of hue among its names.

    Targets are faces of every second identity; the other identities' are the strangers.
    """
    images = vectors.images
    odd = images["seed"].mod(2).eq(1).fillna(False).astype(bool)
    neutral, series = images["subset"].eq("prototype"), images["subset"].eq("age")
    young, old = (
        series & images["age"].eq(images["age"][series].agg(end)) for end in ("min", "max")
    )
    pairs = {
        "hue": [neutral & images["race"].eq(one) for one in hues],
        "crest": [neutral & images["gender"].eq(one) for one in crests],
        "age": [young, old],
    }
    found = [
        Sides(
            name,
            "image",
            np.flatnonzero(x & ~odd),
            np.flatnonzero(y & ~odd),
            np.flatnonzero(x & odd),
        )
        for name, (x, y) in pairs.items()
    ]
    x, y = (vectors.words_of(f"{one}_name", slot="race_name") for one in hues)
    return [*found, Sides("hue, by names", "text", x, y, found[0].strangers)]


def scored(
    vectors: Any, one: Sides, A: np.ndarray, B: np.ndarray, *, against: str = "image"
) -> tuple[np.ndarray, ...]:
    r"""Every network's effect size (divisor N − 1) and raw gap, in logits, with these attributes.

    .. math:: s(w) = w \cdot (\operatorname{mean} A − \operatorname{mean} B)

    Parameters
    ----------
    vectors : retrained networks with their vectors.
    A, B : rows of their images, or of its words where `against` is "text".

    Returns
    -------
    d and gap, `(networks,)` each.
    """
    both = {"image": vectors.image_vectors, "text": vectors.word_vectors}
    direction = both[against][:, A].mean(axis=1) - both[against][:, B].mean(axis=1)
    x, y = (np.einsum("kid,kd->ki", both[one.kind][:, rows], direction) for rows in (one.X, one.Y))
    gap = vectors.networks["logit_scale"].to_numpy() * (x.mean(axis=1) - y.mean(axis=1))
    return effect_size(x, y), gap


def designs(
    vectors: Any,
    sides: Sequence[Sides],
    chosen: Mapping[str, Sequence[tuple[np.ndarray, np.ndarray]]],
    *,
    against: str = "image",
) -> pd.DataFrame:
    """Tests under several ways to choose the attributes.

    Parameters
    ----------
    chosen : way → draws of (A, B); their effect sizes and gaps are averaged within a network.

    Returns
    -------
    One row per way, test and network: way, test, b, network, d, gap, by_draw (SD of d over the
    draws; NaN of one)."""
    rows = []
    for way, draws in chosen.items():
        for one in sides:
            d, gap = (
                np.stack(own)
                for own in zip(
                    *(scored(vectors, one, A, B, against=against) for A, B in draws), strict=True
                )
            )
            spread = d.std(axis=0, ddof=1) if len(draws) > 1 else np.full(d.shape[1], np.nan)
            rows.append(
                pd.DataFrame(
                    {
                        "way": way,
                        "test": one.called,
                        "b": vectors.networks["b"].to_numpy(),
                        "network": np.arange(d.shape[1]),
                        "d": d.mean(axis=0),
                        "gap": gap.mean(axis=0),
                        "by_draw": spread,
                    }
                )
            )
    return pd.concat(rows, ignore_index=True)


def over_networks(table: pd.DataFrame) -> pd.DataFrame:
    """Means over networks.

    Returns
    -------
    One row per way, test and b: mean and sd of d (divisor n − 1), se (of the mean), gap, gap_sd,
    by_draw (root mean square), n.
    """
    rows = []
    for keys, own in table.groupby(["way", "test", "b"], sort=False):
        d = own["d"]
        rows.append(
            dict(zip(("way", "test", "b"), keys, strict=True))
            | {
                "mean": d.mean(),
                "sd": d.std(ddof=1),
                "se": d.std(ddof=1) / np.sqrt(len(d)),
                "gap": own["gap"].mean(),
                "gap_sd": own["gap"].std(ddof=1),
                "by_draw": float(np.sqrt((own["by_draw"] ** 2).mean())),
                "n": len(d),
            }
        )
    return pd.DataFrame(rows)


def with_strangers(
    vectors: Any,
    one: Sides,
    A: np.ndarray,
    B: np.ndarray,
    counts: Sequence[int],
    *,
    draws: int,
    seed: int,
) -> pd.DataFrame:
    """The same test with some of the pleasant pictures replaced by pictures of what X shows.

    Returns
    -------
    One row per number and network: test, n (replaced), b, network, d (mean over the draws), gap,
    moved (d less that with none replaced). The first of `counts` is 0.
    """
    rng, none = np.random.default_rng(seed), None
    tables = []
    for n in counts:
        sets = [
            (np.concatenate([rng.permutation(A)[n:], rng.permutation(one.strangers)[:n]]), B)
            for _ in range(draws if n else 1)
        ]
        own = designs(vectors, [one], {"": sets}).drop(columns=["way", "by_draw"]).assign(n=n)
        none = own["d"].to_numpy() if none is None else none
        tables.append(own.assign(moved=own["d"] - none))
    return pd.concat(tables, ignore_index=True)


def subsets(
    rows: Sequence[np.ndarray], n: int, *, draws: int, rng: np.random.Generator
) -> list[tuple]:
    """`draws` choices of `n` from each of two sets of rows, without replacement."""
    return [tuple(rng.choice(own, n, replace=False) for own in rows) for _ in range(draws)]


def agreement(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """How alike two sets of attributes judge the same tests.

    Parameters
    ----------
    tables : way → rows with test and d, one per test.

    Returns
    -------
    One row per pair of ways: first, second, tests, r (Pearson), largest (difference of d), turned
    (tests whose sign differs).
    """
    rows = []
    for first, second in combinations(tables, 2):
        x, y = (tables[way].set_index("test")["d"] for way in (first, second))
        both = pd.DataFrame({"x": x, "y": y}).dropna()
        rows.append(
            {
                "first": first,
                "second": second,
                "tests": len(both),
                "r": both["x"].corr(both["y"]),
                "largest": (both["x"] - both["y"]).abs().max(),
                "turned": int((both["x"] * both["y"] < 0).sum()),
            }
        )
    return pd.DataFrame(rows)
