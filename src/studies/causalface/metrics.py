"""Six bias metrics on three data sets: Hausladen et al. (2025), Appendix A and Table S.1."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.roles import Roles
from vlmbias.papers import CAUSALFACE

RULES = ("all", "equal", "quota")
ADULT = 20  # years
PAIRS = (("white", "black"), ("asian", "black"), ("asian", "white"), ("male", "female"))
HALF = 0.005  # half a unit of the last digit that Table S.1 prints
ALL_AGES = 6_000  # images of CausalFace in the table, as many in each of six groups


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
    if "subset" in table and (series := table["subset"].isin(["prototype", "age"])).any():
        seen, named = seen.where(series.to_numpy()), named.where(series.to_numpy())
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
        each = np.column_stack([named.word(name) for name in called])
        own[axis] = each[np.arange(len(seen)), codes]
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

    `first`, `second` : cosines, `(images, texts)`.
    """
    spread = np.concatenate([first, second]).std(axis=0, ddof=1)
    return (first.mean(axis=0) - second.mean(axis=0)) / spread


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
            found["markedness", level] = (
                0.0
                if axis == unmatched
                else vb.markedness(one.neutral[inside], one.own[axis][inside])
            )
            found["cosine", level] = 100 * positive[inside].mean()
        for pair in (pair for pair in PAIRS if pair[0] in levels):
            both = (one.words[pairs[own[pairs] == levels.index(level)]] for level in pair)
            d = pd.Series(sc_weat(*both)).groupby(one.dimension).mean()
            found["sc_weat", "_".join(pair)] = d.mean()
        mean = ranked(one.raw.iloc[lists], one.group[axis][lists], k).mean()
        found |= {("skew", level): mean[roles.called[level]] for level in levels}
        found |= {("maxskew", axis): mean["MaxSkew"], ("ndkl", axis): mean["NDKL"]}
    return pd.Series(found)


# --- what must hold between the printed numbers ---------------------------------------------------


def laws(values: pd.DataFrame) -> pd.DataFrame:
    r"""What must hold between the numbers, whatever the model saw, up to rounding.

    "balanced": in a set of equal groups the mean over races is the mean over genders.
    "shares race", "shares gender": shares among the first k add up to one, so the mean over groups
    of :math:`e^{\mathrm{Skew}}` is 1 for one query with uniform desired shares, and at most 1 for
    means over queries.
    "additive": differences of means add up, white − black plus asian − white is asian − black;
    standardised ones need not.
    "counts": a percentage of n images is a whole number of images; only where n is known.

    Parameters
    ----------
    values : Table S.1 as numbers, (metric, subject) × set.

    Returns
    -------
    One row per law and set: law, set, found (what should be 0, or at most 1 for the shares), limit
    (what rounding allows), holds.
    """
    race, gender = (list(levels) for levels in CAUSALFACE.groups.values())
    rows = []
    for name, own in values.items():
        cosine, skew, d = own["cosine"], own["skew"], own["sc_weat"]
        summed = d["white_black"] + d["asian_white"]
        rows += [
            ("balanced", name, cosine[race].mean() - cosine[gender].mean(), 2 * HALF),
            ("shares race", name, np.exp(skew[race] - HALF).mean(), 1.0),
            ("shares gender", name, np.exp(skew[gender] - HALF).mean(), 1.0),
            ("additive", name, summed - d["asian_black"], 3 * HALF),
        ]
    share = values["CausalFace"]["markedness"] / 100
    images = pd.Series({one: ALL_AGES / len(own) for own in (race, gender) for one in own})
    off = 100 * (share - (share * images).round() / images)
    rows.append(("counts", "CausalFace", off.abs().max(), HALF))
    table = pd.DataFrame(rows, columns=["law", "set", "found", "limit"])
    return table.assign(holds=table["found"].abs() <= table["limit"] + 1e-9)


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
