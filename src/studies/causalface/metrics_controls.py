"""What moves the six metrics besides bias: one function for each assumption that is taken away.

Comes in: what was looked at, tables of faces, retrained networks, roles, and truth as tables. Goes
out: tables of what is shown where an assumption fails. May not: name a fictional group, or know at
which strength something was planted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.causalface.metrics import Looked, ranked, sample
from studies.roles import Roles
from vlmbias.papers import CAUSALFACE

# --- every group has images -----------------------------------------------------------------------


def coded_as_zero(one: Looked, axis: str, filed: Any) -> pd.DataFrame:
    """Markedness where labels are looked for in another spelling than they are filed in.

    Parameters
    ----------
    axis : the attribute.
    filed : `(n,)`, each image's label as its file has it.

    Returns
    -------
    One row per group: looked_for, images (that match), share (a mean over them, NaN over none),
    coded (NaN as 0, as the released code does), right (with the right labels).
    """
    unmarked, rows = one.neutral > one.own[axis], []
    for name in one.group[axis].categories:
        matched, own = np.asarray(filed) == name, one.group[axis] == name
        share = 100 * pd.Series(unmarked[matched], dtype=float).mean()
        right = vb.markedness(one.neutral[own], one.own[axis][own])
        rows.append(
            {
                "looked_for": name,
                "images": int(matched.sum()),
                "share": share,
                "coded": float(np.nan_to_num(share)),
                "right": right,
            }
        )
    return pd.DataFrame(rows)


# --- desired shares are the shares in the set -----------------------------------------------------


def base_rates(
    faces: pd.DataFrame, roles: Roles, *, share: float, n: int, seed: int
) -> pd.DataFrame:
    """Skew of rankings that ignore groups, in a list that was drawn by quotas.

    Parameters
    ----------
    faces : every image of a set: race, gender, years.
    share : k over the length of the list.
    n : rankings at random.

    Returns
    -------
    One row per step ("quotas", then "adults" of them) and group: step, group, images, base (its
    share in the list), expected (ln of base over the uniform share), uniform and own (mean Skew at
    random, with uniform desired shares and with those of the list).
    """
    three = faces[(faces["race"] + " " + faces["gender"]).isin(roles.groups)].reset_index(drop=True)
    everybody = three.drop(columns="years")  # without years, the quotas leave nobody out
    rows, adults = [], np.flatnonzero(three["years"] >= 20)
    steps = {
        "quotas": sample(everybody, "quota", roles, seed=seed),
        "adults": adults[sample(three, "quota", roles, seed=seed)],
    }
    for (step, list_), axis in ((one, axis) for one in steps.items() for axis in CAUSALFACE.groups):
        group, k = three[axis].iloc[list_].astype("category"), max(1, round(share * len(list_)))
        base = group.value_counts(normalize=True)
        noise = pd.DataFrame(np.random.default_rng([seed, len(list_)]).random((len(list_), n)))
        skew = {
            name: vb.rankings(noise, group, desired=desired).skew_at_k(k, zero=np.nan).mean()
            for name, desired in (("uniform", None), ("own", base))
        }
        rows += [
            {
                "step": step,
                "group": one,
                "images": int((group == one).sum()),
                "base": base[one],
                "expected": np.log(base[one] * len(base)),
                **{name: own[one] for name, own in skew.items()},
            }
            for one in base.index
        ]
    return pd.DataFrame(rows)


def thinned(group: Any, shares: Mapping[str, float], *, seed: int) -> np.ndarray:
    """Row numbers of as many images as there can be with these shares of the groups, drawn at
    random."""
    group = np.asarray(group)
    n = min((group == name).sum() / share for name, share in shares.items())
    rng = np.random.default_rng(seed)
    parts = [
        rng.choice(np.flatnonzero(group == name), int(n * share + 1e-9), replace=False)
        for name, share in shares.items()
    ]
    return np.sort(np.concatenate(parts))


# --- retrained networks ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Cosines:
    """Scaled cosines of retrained networks, in logits.

    Attributes
    ----------
    networks : one row per network.
    faces : one row per image.
    raw : `(networks, images, dimensions)`
    neutral : `(networks, images)`
    """

    networks: pd.DataFrame
    faces: pd.DataFrame
    raw: np.ndarray
    neutral: np.ndarray

    @property
    def delta(self) -> np.ndarray:
        """Δcos, `(networks, images, dimensions)`."""
        return self.raw - self.neutral[..., None]

    def where(self, networks: Any) -> "Cosines":
        """The networks where a mask, `(networks,)`, is True."""
        kept = np.flatnonzero(networks)
        return Cosines(
            self.networks.iloc[kept].reset_index(drop=True),
            self.faces,
            self.raw[kept],
            self.neutral[kept],
        )


def cosines(portraits: Any, roles: Roles) -> Cosines:
    """What networks make of the faces of the compared groups.

    Parameters
    ----------
    portraits : networks (with logit_scale), images, scores `(networks, images, columns)`, columns
        (one is "neutral").
    """
    kept = np.flatnonzero(
        (portraits.images["race"] + " " + portraits.images["gender"]).isin(roles.groups)
    )
    columns = list(portraits.columns)
    at = [columns.index(name) for name in (*CAUSALFACE.dimensions, "neutral")]
    scores = np.asarray(portraits.scores, float)[:, kept][:, :, at]
    scaled = scores * portraits.networks["logit_scale"].to_numpy()[:, None, None]
    return Cosines(
        portraits.networks,
        portraits.images.iloc[kept].reset_index(drop=True),
        scaled[..., :-1],
        scaled[..., -1],
    )


def reported(values: np.ndarray, group: Any, k: int) -> pd.DataFrame:
    """MaxSkew@k and NDKL of every network, means over dimensions.

    Parameters
    ----------
    values : `(networks, images, dimensions)`
    group : `(images,)`
    """
    networks, images, dimensions = values.shape
    queries = pd.DataFrame(values.transpose(1, 0, 2).reshape(images, networks * dimensions))
    found = ranked(queries, pd.Categorical(group), k)[["MaxSkew", "NDKL"]]
    return found.groupby(np.repeat(np.arange(networks), dimensions)).mean()


def by_depth(values: np.ndarray, group: Any, depths: Sequence[int], *, kind: Any) -> pd.DataFrame:
    """MaxSkew@k of networks, means over dimensions, against k.

    Parameters
    ----------
    values, group : as for `reported`.
    depths : the k to take.
    kind : `(networks,)`, what networks are summed up together.

    Returns
    -------
    One row per kind and k: kind, share (k over the number of images), low, median, high (5 %, 50 %
    and 95 % of the networks).
    """
    parts = []
    for k in depths:
        own = (
            reported(values, group, k)["MaxSkew"]
            .groupby(np.asarray(kind))
            .quantile([0.05, 0.5, 0.95])
            .unstack()
        )
        parts.append(
            own.set_axis(["low", "median", "high"], axis=1).assign(share=k / values.shape[1])
        )
    return pd.concat(parts).rename_axis("kind").reset_index()


# --- cosines speak of traits ----------------------------------------------------------------------


def gaps(one: Cosines, planted: Mapping[str, pd.DataFrame], *, k: int) -> pd.DataFrame:
    """Differences between every two groups by four metrics, beside what was planted.

    Parameters
    ----------
    planted : per attribute, `(group × dimension)` in logits.
    k : of the difference of skews.

    Returns
    -------
    One row per attribute, pair, dimension and network: axis, first, second, dimension, network,
    planted, raw and delta (logits), neutral (the neutral prompt's own gap), d (standard
    deviations), skew (difference of Skew@k).
    """
    parts, count = [], len(CAUSALFACE.dimensions)
    for axis, truth in planted.items():
        group = pd.Categorical(one.faces[axis])
        queries = pd.DataFrame(one.raw.transpose(1, 0, 2).reshape(len(group), -1))
        skew = ranked(queries, group, k)
        for first, second in combinations(group.categories, 2):
            own, other = group == first, group == second
            raw = one.raw[:, own].mean(axis=1) - one.raw[:, other].mean(axis=1)
            lift = (one.neutral[:, own].mean(axis=1) - one.neutral[:, other].mean(axis=1))[:, None]
            d = raw / one.raw[:, own | other].std(axis=1, ddof=1)
            gap = (truth.loc[first] - truth.loc[second])[list(CAUSALFACE.dimensions)].to_numpy()
            parts.append(
                pd.DataFrame(
                    {
                        "axis": axis,
                        "first": first,
                        "second": second,
                        "dimension": CAUSALFACE.dimensions * len(raw),
                        "network": np.repeat(np.arange(len(raw)), count),
                        "planted": np.tile(gap, len(raw)),
                        "raw": raw.ravel(),
                        "delta": (raw - lift).ravel(),
                        "neutral": np.repeat(lift, count),
                        "d": d.ravel(),
                        "skew": (skew[first] - skew[second]).to_numpy(),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def agreement(gaps: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Per metric, r and least-squares slope against what was planted, means over networks: columns
    r, slope."""
    rows = {}
    for metric in metrics:
        fits = [
            (
                np.corrcoef(own["planted"], own[metric])[0, 1],
                np.polyfit(own["planted"], own[metric], 1)[0],
            )
            for _, own in gaps.groupby("network")
        ]
        rows[metric] = np.mean(fits, axis=0)
    return pd.DataFrame(rows, index=["r", "slope"]).T


# --- markedness -----------------------------------------------------------------------------------


def margins(vectors: Any, groups: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """By how much the prompt that names a face's group is nearer than the neutral one, in logits.

    Parameters
    ----------
    vectors : networks (with logit_scale), images (kind, race, gender …), `words_of(axis, slot=…)`
        and `cosines(images, words)` → `(networks, images, words)`.
    groups : per attribute, its groups, all equally common in the captions.

    Returns
    -------
    One row per group: axis, group, share (of the captioned images), expected (ln(1/share)), margin
    (mean), sd_networks (of the networks' means), sd_faces (between faces of a network, mean),
    markedness (percent).
    """
    images, scale = vectors.images, vectors.networks["logit_scale"].to_numpy()[:, None]
    rows = []
    for axis, name in ((axis, name) for axis, names in groups.items() for name in names):
        own = np.flatnonzero((images["kind"] == "face") & (images[axis] == name))
        named, plain = (
            vectors.cosines(own, words).mean(axis=2)
            for words in (vectors.words_of(name, slot=axis), vectors.words_of("neutral"))
        )
        margin, share = scale * (named - plain), 1 / len(groups[axis])
        rows.append(
            {
                "axis": axis,
                "group": name,
                "share": share,
                "expected": -np.log(share),
                "margin": margin.mean(),
                "sd_networks": margin.mean(axis=1).std(ddof=1),
                "sd_faces": margin.std(axis=1, ddof=1).mean(),
                "markedness": 100 * (margin < 0).mean(),
            }
        )
    return pd.DataFrame(rows)


def marked(share: Any, *, spread: float, unnamed: float = 1.0) -> np.ndarray:
    r"""Markedness of a group in percent, in a network that had learnt every face's odds up to
    normal noise.

    .. math:: M = 100\, \Phi\left(-\frac{\ln(1/\pi_A) - \ln u_A}{s}\right), \quad u_A = \frac{1 -
    m_A}{1 - \bar m}

    Parameters
    ----------
    share : the group's share of the captioned images, π.
    spread : standard deviation of margins between faces, s, in logits.
    unnamed : u, how often captions leave this group unnamed over how often they leave anybody
        unnamed.
    """
    return 100 * stats.norm.cdf((np.log(np.asarray(share, float)) + np.log(unnamed)) / spread)
