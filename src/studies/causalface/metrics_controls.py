"""What moves the six metrics besides bias: one function for each assumption that is taken away.

Comes in: what was looked at, tables of faces, retrained networks, roles, and truth as tables. Goes
out: tables of what is shown where an assumption fails. May not: name a fictional group, or know at
which strength something was planted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies.causalface.metrics import ranked, sample
from studies.roles import Roles
from vlmbias.papers import CAUSALFACE

# --- every group has images -----------------------------------------------------------------------


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


# --- cosines speak of traits ----------------------------------------------------------------------


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
