"""The neutral prompt: Hausladen et al. (2025), Appendix E, and what subtracting it does.

Comes in: what a model makes of prototypes; logits of retrained networks; levels and shifts of the
truth.
Goes out: tests between groups, correlations over seeds, spreads, predicates of claims, and gaps by
three readings. May not: name a fictional group, or know at which strength something was planted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.roles import Roles

ALPHA = 0.01  # at which the paper tests
READINGS = ("raw", "Δcos", "centred")
EXPECTED = {
    "raw": "trait",
    "Δcos": "delta",
    "centred": "centred",
    "neutral": "neutral",
}  # columns of a shift

Contrast = tuple[str, str, str]  # column of the images (race or gender), one level, another


# --- prototypes of one model ----------------------------------------------------------------------


def groups_of(faces: pd.DataFrame) -> pd.Series:
    """Each face's group, such as "white female"."""
    return faces["race"].astype(str) + " " + faces["gender"].astype(str)


def places(faces: pd.DataFrame) -> pd.DataFrame:
    """The row number of each identity's face in each group, `(identities × groups)`; only
    identities that are in all.

    `faces` has one face per seed, race and gender, such as prototypes.
    """
    rows = pd.DataFrame(
        {
            "seed": faces["seed"].to_numpy(),
            "group": groups_of(faces).to_numpy(),
            "row": np.arange(len(faces)),
        }
    )
    return rows.pivot(index="seed", columns="group", values="row").dropna().astype(int)


def by_identity(values: Any, faces: pd.DataFrame) -> pd.DataFrame:
    """Values of faces as `(identities × groups)`."""
    at = places(faces)
    return pd.DataFrame(np.asarray(values)[at.to_numpy()], index=at.index, columns=at.columns)


def unlike_all(p: Any, differences: Any, groups: int, *, alpha: float = ALPHA) -> np.ndarray:
    """Which groups differ from all others in one direction, each time with a p of at most `alpha`.

    Parameters
    ----------
    p, differences : `(..., pairs)`, pairs as `itertools.combinations` orders them; differences are
        first − second.

    Returns
    -------
    `(..., groups)`: 1 where a group is above all others, −1 where it is below, else 0.
    """
    p, differences = np.asarray(p), np.asarray(differences)
    signs = np.zeros((*p.shape[:-1], groups))
    for pair, (first, second) in enumerate(combinations(range(groups), 2)):
        side = np.where(p[..., pair] <= alpha, np.sign(differences[..., pair]), 0)
        signs[..., first] += side
        signs[..., second] -= side
    return np.where(np.abs(signs) == groups - 1, np.sign(signs), 0).astype(int)


def extremes(tests: pd.DataFrame, p: str = "p", *, alpha: float = ALPHA) -> dict[str, list[str]]:
    """The groups that are above, and those that are below, all others in the paired tests of
    `vb.networks.paired`."""
    names = list(dict.fromkeys([*tests["first"], *tests["second"]]))
    side = unlike_all(tests[p], tests["mean"], len(names), alpha=alpha)
    return {
        "above": [name for name, one in zip(names, side, strict=True) if one > 0],
        "below": [name for name, one in zip(names, side, strict=True) if one < 0],
    }


def correlations(wide: pd.DataFrame) -> pd.DataFrame:
    """Pearson's r over identities of every pair of groups: first, second, r, low, high (95 %,
    Fisher)."""
    rows = []
    for first, second in combinations(wide.columns, 2):
        test: Any = stats.pearsonr(wide[first], wide[second])
        rows.append((first, second, float(test.statistic), *test.confidence_interval()))
    return pd.DataFrame(rows, columns=["first", "second", "r", "low", "high"])


def nearest(scores: Mapping[str, np.ndarray], own: Any) -> float:
    """The share of images whose own label, `(n,)`, scores highest; `scores` has `(n,)` by label."""
    labels = np.array(list(scores), dtype=object)
    return float(
        (
            labels[np.stack(list(scores.values()), axis=1).argmax(axis=1)]
            == np.asarray(own, object)
        ).mean()
    )


def own_label(named: vb.Perception, column: str, *, beyond_neutral: bool) -> float:
    """`nearest` for the labels of one column of the faces (race or gender), by raw or by
    delta-cos."""
    words = [
        word
        for word in named.words["word"].astype(object).unique()
        if word and word in set(named.table[column])
    ]
    less = named.neutral() if beyond_neutral else 0.0
    return (
        nearest({word: named.word(word) - less for word in words}, named.table[column])
        if words
        else np.nan
    )


def within(values: pd.DataFrame, faces: pd.DataFrame) -> pd.DataFrame:
    """Values less their group's mean."""
    return values - values.groupby(groups_of(faces).to_numpy()).transform("mean")


def narrowing(seen: vb.Perception, *, n: int, seed: int) -> pd.DataFrame:
    r"""What subtracting does to the spread within groups, dimension by dimension.

    With W the words and N the neutral prompt, Δcos is narrower exactly if
    :math:`\beta = \operatorname{Cov}(N, W) / \operatorname{Var}(N) > 1/2`.

    Parameters
    ----------
    n, seed : bootstrap resamples of the identities, and their seed.

    Returns
    -------
    Indexed by dimension: slope (β), low, high (95 % over identities), and the standard deviation
    relative to the raw one of "Δcos", "relative Δcos" (divided by the neutral cosine) and
    "centred".
    """
    raw = within(seen.raw(), seen.table)
    baseline = within(pd.DataFrame({"neutral": seen.neutral()}), seen.table)["neutral"].to_numpy()
    product, square = raw.to_numpy() * baseline[:, None], baseline**2
    weights = vb.cluster_weights(seen.table["seed"], n_resamples=n, seed=seed)
    low, high = np.quantile(weights @ product / (weights @ square)[:, None], [0.025, 0.975], axis=0)
    found = pd.DataFrame(
        {"slope": product.sum(axis=0) / square.sum(), "low": low, "high": high}, index=raw.columns
    )
    others = {
        "Δcos": seen.delta(),
        "relative Δcos": seen.delta(relative=True),
        "centred": seen.centred(),
    }
    spread = {name: within(values, seen.table).std() / raw.std() for name, values in others.items()}
    spread["relative Δcos"] *= (
        seen.neutral().mean() / 100
    )  # from per cent of the neutral cosine to a cosine
    return found.join(pd.DataFrame(spread))


def transfer(neutral: Any, words: Any) -> np.ndarray:
    """Least-squares slope of the groups' means of the words on those of the neutral prompt;
    `(..., groups)` each."""
    n, w = (own - own.mean(axis=-1, keepdims=True) for own in map(np.asarray, (neutral, words)))
    return (n * w).sum(axis=-1) / (n**2).sum(axis=-1)


def adjectives(seen: vb.Perception) -> np.ndarray:
    """Mean cosine with all distinct adjectives, `(n,)`: what centring subtracts."""
    return (seen.raw() - seen.centred()).mean(axis=1).to_numpy()


OF_PEOPLE = frozenset(
    {"asian-women", "s13-asian-women", "black-men", "s13-black-men", "p", "s13-p", "removed"}
)


def claims(seen: vb.Perception, named: vb.Perception, who: Roles) -> dict[str, bool | float]:
    """What Appendix E says, by the claim's id without "neutral_prompt."; those of `OF_PEOPLE` name
    groups.

    Parameters
    ----------
    seen : prototypes and the dimensions' words.
    named : the same prototypes and the groups' labels.
    """
    wide = by_identity(100 * seen.neutral(), seen.table)
    tests, r = vb.networks.paired(wide), correlations(wide)["r"]
    high, low = who.group("asian female"), who.group("black male")
    theirs = float(tests.loc[tests[["first", "second"]].isin([high, low]).any(axis=1), "p"].max())
    unlike, gaps = extremes(tests), []
    for values in (seen.raw(), seen.delta()):
        means = values.groupby(groups_of(seen.table).to_numpy()).mean()
        gaps.append(float((means.loc[high] - means.loc[low]).abs().mean()))
    ratio = within(seen.delta(), seen.table).std() / within(seen.raw(), seen.table).std()
    right = [own_label(named, column, beyond_neutral=False) for column in ("race", "gender")]
    return {
        "asian-women": high in unlike["above"],
        "s13-asian-women": high in unlike["above"],
        "black-men": low in unlike["below"],
        "s13-black-men": low in unlike["below"],
        "p": theirs,
        "s13-p": theirs,
        "tests": float(len(tests)),
        "n": float(len(wide)),
        "s12-n": float(len(wide)),
        "groups": float(wide.shape[1]),
        "bias": bool((tests["p_holm"] <= 0.05).any()),
        "across-images": bool(seen.neutral().std() > 1e-4),
        "narrower": bool((ratio < 1).all()),
        "classifies": bool(min(right) > 0.9),
        "removed": gaps[1] < gaps[0],
        "small-bias": bool(tests["mean"].abs().max() < np.sqrt(wide.var().mean())),
        "r.smallest": float(r.min()),
        "r.largest": float(r.max()),
        "notable-seed": bool(r.min() > 0 and r.max() < 0.7),
    }


# --- retrained networks ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Shown:
    """What retrained networks make of pictures, before anything is subtracted.

    Attributes
    ----------
    networks, images : one row per network, one per picture.
    dimensions : names of the last axis of `raw`.
    raw : `(networks, images, dimensions)`: scale × mean cosine with a dimension's words.
    neutral, adjectives : `(networks, images)`: the same of the neutral prompts, and of all
        adjectives.
    """

    networks: pd.DataFrame
    images: pd.DataFrame
    dimensions: tuple[str, ...]
    raw: np.ndarray
    neutral: np.ndarray
    adjectives: np.ndarray

    def reading(self, name: str) -> np.ndarray:
        """One of `READINGS`, or "neutral" alone, `(networks, images, dimensions or 1)`."""
        if name == "neutral":
            return self.neutral[..., None]
        less = {"raw": 0.0, "Δcos": self.neutral[..., None], "centred": self.adjectives[..., None]}
        return self.raw - less[name]

    def where(self, networks: Any) -> "Shown":
        """The networks where a mask, `(networks,)`, is True."""
        kept = np.flatnonzero(networks)
        return Shown(
            self.networks.iloc[kept].reset_index(drop=True),
            self.images,
            self.dimensions,
            self.raw[kept],
            self.neutral[kept],
            self.adjectives[kept],
        )

    def of_groups(self, values: np.ndarray) -> np.ndarray:
        """Values of pictures, `(networks, images)`, as `(networks, identities, groups)`."""
        return values[:, places(self.images).to_numpy()]


def shown(portraits: Any, dimensions: Sequence[str], images: Any) -> Shown:
    """What all retrained networks make of the chosen pictures.

    Parameters
    ----------
    portraits : networks (with logit_scale), images, scores `(networks, images, columns)`, columns
        (the dimensions, "neutral" and "adjectives" among them).
    images : boolean mask over its images.
    """
    columns, chosen = list(portraits.columns), np.flatnonzero(images)
    scale = portraits.networks["logit_scale"].to_numpy()[:, None, None]
    logits = scale * np.asarray(portraits.scores)[:, chosen].astype(float)
    faces = portraits.images.iloc[chosen].reset_index(drop=True)
    raw = logits[..., [columns.index(name) for name in dimensions]]
    neutral, every = (logits[..., columns.index(name)] for name in ("neutral", "adjectives"))
    return Shown(portraits.networks, faces, tuple(dimensions), raw, neutral, every)


def paired_in_each(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Paired t-tests of all pairs of groups in each network: `(networks, identities, groups)` → p
    and mean difference, each `(networks, pairs)`."""
    first, second = np.array(list(combinations(range(values.shape[2]), 2))).T
    test: Any = stats.ttest_rel(values[..., first], values[..., second], axis=1)
    return test.pvalue, (values[..., first] - values[..., second]).mean(axis=1)


def gap(values: np.ndarray, images: pd.DataFrame, contrast: Contrast) -> np.ndarray:
    """Mean difference between two groups in each network: `(networks, images, ...)` →
    `(networks, ...)`."""
    column, one, other = contrast
    means = [values[:, (images[column] == level).to_numpy()].mean(axis=1) for level in (one, other)]
    return means[0] - means[1]


def by_condition(
    one: Shown,
    contrasts: Mapping[str, Contrast],
    names: Sequence[str],
    shift: Callable[[pd.DataFrame, Mapping[str, float]], pd.DataFrame],
) -> pd.DataFrame:
    """What each reading shows of a contrast, by arm and strength, averaged over dimensions.

    Parameters
    ----------
    one : prototypes as all networks see them; `networks` has b, arm and arm_strength. Those with b
        = 0 are used; arm "none" stands for every arm's strength 0.
    names : of the arms.
    shift : images and {arm: strength} → by how much the captions' shares shift each picture's
        logits: the columns of `EXPECTED`.

    Returns
    -------
    One row per arm, strength, contrast and reading (`READINGS` and "neutral"): the columns of
    `vb.networks.summary` over networks, rms (root mean square over networks and dimensions),
    negative (dimensions whose mean gap is below zero) and planted.
    """
    rows = []
    for arm in names:
        used = (one.networks["b"] == 0) & one.networks["condition"].isin([arm, "none"])
        for strength in np.sort(one.networks.loc[used, "condition_strength"].unique()):
            part = one.where(used & (one.networks["condition_strength"] == strength))
            called = shift(one.images, {arm: float(strength)}) if strength else None
            for name, contrast in contrasts.items():
                for reading, column in EXPECTED.items():
                    found = gap(part.reading(reading), part.images, contrast)
                    planted = (
                        0.0
                        if called is None
                        else gap(called[column].to_numpy()[None], part.images, contrast)[0]
                    )
                    rows.append(
                        {
                            "condition": arm,
                            "strength": float(strength),
                            "contrast": name,
                            "reading": reading,
                            **vb.networks.summary(found.mean(axis=1)).loc["all"],
                            "planted": float(planted),
                            "rms": float(np.sqrt((found**2).mean())),
                            "negative": int((found.mean(axis=0) < 0).sum()),
                        }
                    )
    return pd.DataFrame(rows)
