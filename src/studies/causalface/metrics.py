"""Six bias metrics on three data sets: Hausladen et al. (2025), Appendix A and Table S.1.

Comes in: perceptions of a generated set and of photographs, with the prompts that name groups;
roles. Goes out: who is in a list, the values of Table S.1 with bootstrap draws, differences between
sets, tests, and predicates of claims. May not: name a fictional group, or know what was planted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.causalface.metrics_printed import PAIRS
from studies.roles import Roles
from vlmbias.measures import saddlepoint_tail
from vlmbias.papers import CAUSALFACE

RULES = ("all", "equal", "quota")
ADULT = 20  # years
# as a reader knows them; markedness is a plain word
CALLED = {
    "cosine": "mean cosine × 100",
    "sc_weat": "SC-WEAT",
    "skew": "Skew@k",
    "maxskew": "MaxSkew@k",
    "ndkl": "NDKL",
}


# --- what is looked at ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Looked:
    """What the six metrics need of one set.

    Attributes
    ----------
    raw : `(n × dimension)`, mean cosine with each dimension's words.
    words : `(n, texts)`, cosine with every word.
    dimension : `(texts,)`, whose word it is.
    neutral : `(n,)`, cosine with the prompt that names nobody.
    own : per attribute, `(n,)`: cosine with the prompt that names the image's own group.
    group : per attribute, the group of each image.
    cluster : `(n,)`, identity or photograph.
    seen : the perception behind it.
    """

    raw: pd.DataFrame
    words: np.ndarray
    dimension: np.ndarray
    neutral: np.ndarray
    own: Mapping[str, np.ndarray]
    group: Mapping[str, pd.Categorical]
    cluster: np.ndarray
    seen: vb.Perception

    def __len__(self) -> int:
        return len(self.neutral)


def looked(seen: vb.Perception, named: vb.Perception, roles: Roles) -> Looked:
    """One set under the words of the dimensions and under the names of the groups.

    Of a generated set only the series over age is used, prototypes included, as in the released
    code.

    Parameters
    ----------
    seen, named : the same images, once with the dimensions' words, once with the groups' names.

    Raises
    ------
    ValueError : an image of a group that the paper does not compare.
    """
    table = seen.table
    series = (
        table["subset"].isin(["prototype", "age"]).to_numpy()
        if "subset" in table
        else np.zeros(len(table), bool)
    )
    if series.any():
        seen, named = seen.where(series), named.where(series)
    group, own, texts = {}, {}, ~seen.words["neutral"].to_numpy()
    for axis, levels in CAUSALFACE.groups.items():
        called = [roles.called[level] for level in levels]
        codes = pd.Index(called).get_indexer(seen.table[axis])
        if (codes < 0).any():
            other = seen.table[axis].to_numpy()[codes < 0][0]
            raise ValueError(
                f"{axis} {other!r} is not among {', '.join(called)}; give the set that the paper"
                " uses"
            )
        group[axis] = pd.Categorical.from_codes(codes, called)
        own[axis] = np.column_stack([named.word(name) for name in called])[
            np.arange(len(seen)), codes
        ]
    return Looked(
        seen.raw(),
        seen.cosines[:, texts],
        seen.words.loc[texts, "dimension"].to_numpy(str),
        named.neutral(),
        own,
        group,
        seen.table["seed"].to_numpy(),
        seen,
    )


# --- who is in a list -----------------------------------------------------------------------------


def sample(faces: pd.DataFrame, rule: str, roles: Roles, *, seed: int) -> np.ndarray:
    """Which of the images that the paper uses are in a list, as row numbers among these.

    Parameters
    ----------
    faces : every image of a set, other races and children included: race, gender, and where not all
        are used, years. Used are the paper's races, of `ADULT` years or older.
    rule : "all"; "equal": as many of each race × gender as the rarest has; "quota", the released
        scripts' draw: from each race × gender a sixth of all images of these races or the whole
        cell, if it has fewer, and only then those of `ADULT` years or older.
    seed : of the draw.

    Raises
    ------
    ValueError : an unknown rule.
    """
    if rule not in RULES:
        raise ValueError(f"rule={rule!r}; there are {', '.join(RULES)}")
    cell = pd.Index(roles.groups).get_indexer(faces["race"] + " " + faces["gender"])
    grown = (faces["years"] >= ADULT).to_numpy() if "years" in faces else np.ones(len(faces), bool)
    used = (cell >= 0) & grown
    if rule == "all":
        return np.arange(used.sum())
    pool = np.flatnonzero(cell >= 0 if rule == "quota" else used)
    sizes = np.bincount(cell[pool], minlength=len(roles.groups))
    most = len(pool) // len(roles.groups) if rule == "quota" else sizes.min()
    mixed = np.random.default_rng(seed).permutation(pool)
    chosen = mixed[pd.Series(mixed).groupby(cell[mixed]).cumcount().to_numpy() < most]
    return np.searchsorted(np.flatnonzero(used), np.sort(chosen[used[chosen]]))


# --- Table S.1 ------------------------------------------------------------------------------------


def sc_weat(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    r"""SC-WEAT of every text (Eq. 5).

    .. math:: d = \frac{\bar a - \bar b}{s}, \quad s \text{ over both sets together, ddof 1}

    Parameters
    ----------
    first, second : cosines, `(images, texts)`.

    Returns
    -------
    `(texts,)`
    """
    return (first.mean(axis=0) - second.mean(axis=0)) / np.concatenate([first, second]).std(
        axis=0, ddof=1
    )


def ranked(raw: pd.DataFrame, groups: Any, k: int) -> pd.DataFrame:
    """Skew@k of each group, MaxSkew and NDKL with uniform desired shares, one row per query (column
    of `raw`).

    A group with nobody among the first k counts as if it had half an image there.
    """
    lists = vb.rankings(raw, groups)
    skew = lists.skew_at_k(k, zero=float(np.log(len(lists.shares) / 2 / k)))
    return skew.assign(MaxSkew=skew.max(axis=1), NDKL=lists.ndkl())


def table_s1(
    one: Looked,
    roles: Roles,
    *,
    lists: np.ndarray,
    pairs: np.ndarray,
    k: int,
    unmatched: str = "",
    times: np.ndarray | None = None,
) -> pd.Series:
    """One column of Table S.1, indexed by metric and subject as the ledger names them.

    Parameters
    ----------
    lists, pairs : row numbers of the images that are ranked, and of those that SC-WEAT compares.
    k : top of a ranking.
    unmatched : attribute whose labels match no image: its markedness is coded 0, as the released
        code does.
    times : `(n,)`, how often each image counts; by default once.
    """
    times = np.ones(len(one), int) if times is None else times
    rows, pairs, lists = (
        np.repeat(part, times[part]) for part in (np.arange(len(one)), pairs, lists)
    )
    positive, found = one.raw[list(CAUSALFACE.positive)].to_numpy().mean(axis=1), {}
    for axis, levels in CAUSALFACE.groups.items():
        own = one.group[axis].codes
        for code, level in enumerate(levels):
            inside = rows[own[rows] == code]
            share = (
                0.0
                if axis == unmatched
                else vb.markedness(one.neutral[inside], one.own[axis][inside])
            )
            found |= {
                ("markedness", level): share,
                ("cosine", level): 100 * positive[inside].mean(),
            }
        for first, second in (pair for pair in PAIRS if pair[0] in levels):
            d = sc_weat(
                *(one.words[pairs[own[pairs] == levels.index(level)]] for level in (first, second))
            )
            found["sc_weat", f"{first}_{second}"] = (
                pd.Series(d).groupby(one.dimension).mean().mean()
            )
        mean = ranked(one.raw.iloc[lists], one.group[axis][lists], k).mean()
        found |= {("skew", level): mean[roles.called[level]] for level in levels}
        found |= {("maxskew", axis): mean["MaxSkew"], ("ndkl", axis): mean["NDKL"]}
    return pd.Series(found)


def resampled(one: Looked, roles: Roles, *, n: int, seed: Any, **chosen: Any) -> pd.DataFrame:
    """`table_s1` with identities or photographs drawn anew, one row per draw; `chosen` as there."""
    weights = vb.cluster_weights(one.cluster, n_resamples=n, seed=seed)
    return pd.DataFrame([table_s1(one, roles, times=times, **chosen) for times in weights])


# --- alike, or not shown to differ ----------------------------------------------------------------


def differences(
    values: pd.DataFrame, draws: Mapping[str, pd.DataFrame], *, reference: str
) -> pd.DataFrame:
    """The reference set minus each other set, with 95 % percentile intervals; sets are resampled
    apart.

    Parameters
    ----------
    values : (metric, subject) × set.
    draws : per set, as from `resampled`.

    Returns
    -------
    metric, subject, set, gap, low, high, clear (the interval excludes zero).
    """
    rows = []
    for name in [name for name in values if name != reference]:
        low, high = (draws[reference] - draws[name]).quantile([0.025, 0.975]).to_numpy()
        gap = (
            (values[reference] - values[name])
            .rename_axis(["metric", "subject"])
            .rename("gap")
            .reset_index()
        )
        rows.append(gap.assign(set=name, low=low, high=high, clear=(low > 0) | (high < 0)))
    return pd.concat(rows, ignore_index=True)


def two_p_values(
    first: np.ndarray, second: np.ndarray, dimension: np.ndarray, *, n: int, seed: int
) -> pd.DataFrame:
    """The paper's p-value, over images, and the released code's, over texts.

    Parameters
    ----------
    first, second : cosines of two groups, `(images, texts)`.
    dimension : `(texts,)`
    n, seed : of the sign flips.

    Returns
    -------
    One row per dimension: texts, gap (of mean cosines), p_images (one-sided, images re-split at
    random), p_texts (two-sided, signs of the texts' gaps flipped), and floor, the smallest p that
    so many texts allow.
    """
    rows = []
    for name in dict.fromkeys(dimension):
        a, b = first[:, dimension == name], second[:, dimension == name]
        texts = a.mean(axis=0) - b.mean(axis=0)
        flips = stats.permutation_test(
            (texts,), np.mean, permutation_type="samples", n_resamples=n, rng=seed
        )
        p = saddlepoint_tail(np.concatenate([a, b]).mean(axis=1), len(a))
        rows.append(
            {
                "dimension": name,
                "texts": len(texts),
                "gap": texts.mean(),
                "p_images": p,
                "p_texts": flips.pvalue,
                "floor": 2 / 2 ** len(texts),
            }
        )
    return pd.DataFrame(rows)


# --- what the paper says --------------------------------------------------------------------------

NAMES_NO_GROUP = frozenset({"ndkl-nonnegative", "race-over-gender", "appendix.race-over-gender"})
_APPENDIX = {
    "race-over-gender": "race-over-gender",
    "skew-asian": "skew-asian",
    "skew-black": "skew-black",
    "skew-white": "skew-white-causalface",
}  # of the earlier version: the same statements


def claims(values: pd.DataFrame) -> dict[str, bool]:
    """What the paper reads off Table S.1, by the claim's id without "metrics.": does it hold here?

    Parameters
    ----------
    values : (metric, subject) × set, the subjects by the names that the ledger has for them.
    """
    marked, cosine, skew, d = (
        values.loc[metric] for metric in ("markedness", "cosine", "skew", "sc_weat")
    )
    over = [
        values.loc[metric].loc["race"] > values.loc[metric].loc["gender"]
        for metric in ("maxskew", "ndkl")
    ]
    found = {
        "ndkl-nonnegative": (values.loc["ndkl"] >= 0).all(axis=None),
        "race-over-gender": pd.concat(over).all(),
        "white-marked": (marked.loc["white"] > marked.drop("white")).all(axis=None),
        "black-asian-marked": (marked.loc[["black", "asian"]] < 50).all(axis=None),
        "white-default": (marked.loc["white"] > marked.loc[["black", "asian"]]).all(axis=None),
        "white-preferred": (marked.loc["white"] > 50).all(),
        "white-middle": marked.loc["white"].median() == marked.loc["white", "CausalFace"],
        "cosine-order": (
            (cosine.loc[["asian", "white", "black"]].diff().iloc[1:] < 0).all(axis=None)
        ),
        "sc_weat.utkface-lower": d.loc["male_female"].idxmin() == "UTKFace",
        "skew-asian": (skew.loc["asian"] > 0).sum() >= 2,
        "skew-black": (skew.loc["black"] < 0).all(),
        "skew-white-causalface": skew.loc["white", "CausalFace"] < 0,
    }
    found |= {f"appendix.{new}": found[old] for new, old in _APPENDIX.items()}
    return {claim: bool(holds) for claim, holds in found.items()}
