"""Five methods and one question: which group is the prototype? After all tests of Wolfe & Caliskan
(2022).

Comes in: what retrained networks make of faces, answer, say and paint; what was planted for each
method; printed claims. Goes out: per method one value per network and group; its size and order
beside its own truth; how often methods agree, and what they report where nothing is planted. May
not: ask a model, or know which group plays which role.

A *value* is higher the nearer a group is to the prototype, and has the mean 0 over groups in each
network. Where nothing is planted, names of groups are exchangeable for a method that looks at
pictures only, as every network drew which look has which name: renaming the groups in each network
at random gives exact nulls. A method that *says* a name has no exchangeable names: an article or a
spelling can favour one, and `favours` tests just that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies import associations, words
from studies.american_white import vqa
from studies.american_white.we_they import NETWORKS, OTHERS

ALPHA = 0.05
_CASE = ["b", "network"]


@dataclass(frozen=True, eq=False)
class Method:
    """What one method reports of every group, network by network.

    Attributes
    ----------
    values : one row per network, indexed by b and network; one column per group.
    planted : the truth of this method at b = 1, by group.
    found : +1, −1 or 0 per network and pair of groups, (first, second): the method's own test of
        this network finds the first nearer to the prototype, the second, or no difference.
    in_log_odds : whether values and truth have one unit; else only the order of `planted` counts.
    """

    values: pd.DataFrame
    planted: pd.Series
    found: pd.DataFrame
    in_log_odds: bool = True

    def at(self, b: float) -> np.ndarray:
        """Values of the networks of one strength, `(networks, groups)`."""
        return self.values.xs(b, level="b").to_numpy(float)

    @property
    def truth(self) -> np.ndarray:
        """What was planted, in the order of the groups, with the mean 0."""
        own = self.planted.reindex(self.values.columns).to_numpy(float)
        return own - own.mean()

    @property
    def null_sd(self) -> float:
        """SD of the values over networks and groups where nothing was planted."""
        null = self.at(0.0)
        return float(np.sqrt((null**2).sum() / ((null.shape[1] - 1) * len(null))))


# --- from what networks did to values -------------------------------------------------------------


def centred(values: pd.DataFrame) -> pd.DataFrame:
    """Values less their mean over groups, row by row."""
    return values.sub(values.mean(axis=1), axis=0)


def tower(portraits: Any, toward: str, against: str, planted: pd.Series, *, seed: int) -> Method:
    """An association test in retrained networks: logit scale × (cosine with `toward` − cosine with
    `against`).

    Parameters
    ----------
    portraits : of `greenhouse.retrained.scores("people")`; networks without a further condition
        are taken.
    toward, against : of its columns; without `against`, a single-category test.
    planted : by group, log-odds at b = 1.
    seed : of who stands in which group in the test of one network, Welch's over faces
        (`different_people`).
    """
    leaning, cases = leanings(portraits, toward, against)
    rows, rng, found = associations.people(portraits.images), np.random.default_rng(seed), {}
    for first, second in combinations(rows, 2):
        tests = associations.over_faces(
            *associations.different_people(leaning, rows[first], rows[second], rng=rng)
        )
        found[first, second] = np.sign(tests["difference"]) * (tests["p"] < ALPHA)
    values = pd.DataFrame(
        {group: leaning[:, own.ravel()].mean(axis=1) for group, own in rows.items()}, index=cases
    )
    return Method(centred(values), planted, _pairwise(found, cases))


def leanings(portraits: Any, toward: str, against: str = "") -> tuple[np.ndarray, pd.MultiIndex]:
    """Of every face in log-odds, `(networks, faces)`, and the networks; see `tower`."""
    kept = (portraits.networks["condition"] == "none").to_numpy()
    networks, columns = portraits.networks[kept], list(portraits.columns)
    cosines = np.asarray(portraits.scores)[kept]
    leaning = cosines[:, :, columns.index(toward)].astype(float)
    if against:
        leaning = leaning - cosines[:, :, columns.index(against)]
    cases = pd.MultiIndex.from_arrays([networks["b"], networks["seed"]], names=_CASE)
    return networks["logit_scale"].to_numpy()[:, None] * leaning, cases


def effect_sizes(portraits: Any, toward: str, against: str = "", *, b: float) -> pd.DataFrame:
    """d of each network of one strength, in units of the pooled SD of faces, as the paper prints
    it: networks × pairs of groups."""
    leaning, cases = leanings(portraits, toward, against)
    own, rows = leaning[cases.get_level_values("b") == b], associations.people(portraits.images)
    of = {group: own[:, places.ravel()] for group, places in rows.items()}
    return pd.DataFrame(
        {(x, y): vb.effect_size(of[x], of[y], pooled=True) for x, y in combinations(rows, 2)}
    )


def answering(shares: pd.DataFrame, planted: pd.Series) -> Method:
    """Log-odds of an answer; in one network, Fisher's test of the answers given.

    Parameters
    ----------
    shares : as from `vqa.of_networks`: the mean probability `odds`, and `count` of `n`, by b, seed
        and race.
    planted : the planted mean probability by group.
    """
    odds = _wide(shares.assign(value=logit(shares["odds"])))
    return Method(centred(odds), logit(planted), _fisher(shares))


def describing(naming: pd.DataFrame, planted: pd.Series) -> Method:
    r"""Minus the log-odds that a caption names the group: who needs no name is the prototype.

    .. math:: -\log\frac{k + 1}{n - k + 1}

    for k of n captions, one added to either (Laplace); in one network, Fisher's test of k.

    Parameters
    ----------
    naming : b, seed, race, n and named (k).
    planted : the planted rate of naming by group.
    """
    value = -np.log((naming["named"] + 1) / (naming["n"] - naming["named"] + 1))
    shares = naming.assign(count=naming["named"], rate=naming["named"] / naming["n"], value=value)
    return Method(centred(_wide(shares)), -logit(planted), -_fisher(shares))


def painting(readings: pd.DataFrame, planted: pd.Series) -> Method:
    """How much of each group's look pictures gain, from the first kept step to the last, as the
    probe reads them.

    Parameters
    ----------
    readings : b, network, race (of the start), step, and a column for each group, the
        probe's reading.
    planted : by group; of it only the order counts. The test of one network is a paired t over its
        starts.
    """
    groups = sorted(planted.index)
    by_start = readings.sort_values("step").groupby([*_CASE, "race"])[groups]
    change = by_start.last() - by_start.first()
    cases, found = change.groupby(_CASE), {}
    values = cases.mean()
    for first, second in combinations(groups, 2):
        tests = cases.apply(lambda own, x=first, y=second: stats.ttest_rel(own[x], own[y]).pvalue)
        found[first, second] = np.sign(values[first] - values[second]) * (tests < ALPHA)
    return Method(centred(values), planted, _pairwise(found, values.index), in_log_odds=False)


def logit(share: pd.Series) -> pd.Series:
    """The log-odds of a share."""
    return np.log(share / (1 - share))


def _wide(shares: pd.DataFrame) -> pd.DataFrame:
    table = shares.rename(columns={"seed": "network"}).pivot(
        index=_CASE, columns="race", values="value"
    )
    return table.rename_axis(columns=None)


def _fisher(shares: pd.DataFrame) -> pd.DataFrame:
    tests = vqa.pair_tests(shares.sort_values(["b", "seed", "race"]), alpha=ALPHA).rename(
        columns={"seed": "network"}
    )
    signs = np.sign(tests["difference"]) * tests["significant"]
    return (
        tests.assign(sign=signs)
        .pivot(index=_CASE, columns=["first", "second"], values="sign")
        .astype(int)
    )


def _pairwise(found: Mapping[tuple[str, str], Any], cases: pd.Index) -> pd.DataFrame:
    table = pd.DataFrame({pair: np.asarray(signs) for pair, signs in found.items()}, index=cases)
    return table.rename_axis(columns=["first", "second"]).astype(int)


# --- one method beside its own truth --------------------------------------------------------------


def slopes(method: Method, *, b: float = 1.0) -> np.ndarray:
    r"""How much of what was planted each network shows, over groups:
    :math:`\sum_g v_g t_g / \sum_g t_g^2`."""
    return method.at(b) @ method.truth / (method.truth @ method.truth)


def follows(values: np.ndarray, planted: np.ndarray) -> float:
    r"""Page's test, exact: do the networks order the groups as planted? One-sided p.

    .. math:: L = \sum_g R_g \sum_i r_{ig}

    with the ranks of what is planted, R, and of the values in network i, r. Under the null each
    network's groups are renamed at random; ties have their mean rank.

    Parameters
    ----------
    values : `(networks, groups)`.
    planted : `(groups,)`.
    """
    wanted = (2 * stats.rankdata(planted)).astype(int)
    given = (2 * stats.rankdata(values, axis=1)).astype(int)
    orders, p = np.array(list(permutations(range(len(wanted))))), np.ones(1)
    for own in given:
        counts = np.bincount((own[orders] * wanted).sum(axis=1))
        p = np.convolve(p, counts / len(orders))
    return float(min(1.0, p[int((given @ wanted).sum()) :].sum()))


def favours(values: np.ndarray, *, rng: np.random.Generator, n_draws: int = 2_000) -> float:
    r"""Whether some group leads over networks, whichever: the p of :math:`\sum_g \bar v_g^2` among
    renamed networks.

    Parameters
    ----------
    values : `(networks, groups)`; in every draw each network's values change places at random.
    """
    draws = rng.permuted(np.tile(values, (n_draws, 1, 1)), axis=2).mean(axis=1)
    own = (values.mean(axis=0) ** 2).sum()
    return float((1 + ((draws**2).sum(axis=1) >= own * (1 - 1e-12)).sum()) / (n_draws + 1))


def beside_truth(methods: Mapping[str, Method], *, rng: np.random.Generator) -> pd.DataFrame:
    """Each method by itself: one row per method.

    Returns
    -------
    n and n_null (networks at b = 1 and 0), size, low, high (mean of `slopes` and its t interval;
    missing without a common unit), lead (of the first as planted over the mean of the others at b =
    1, in `null_sd`), right (share of networks that rank it first), p_order (`follows` at b = 1),
    p_order_null (at b = 0), p_any (`favours` at b = 0)."""
    rows = {}
    for name, method in methods.items():
        one, null, first = method.at(1.0), method.at(0.0), int(method.truth.argmax())
        over = vb.networks.summary(slopes(method)).iloc[0]
        size = (
            {"size": over["mean"], "low": over["low"], "high": over["high"]}
            if method.in_log_odds
            else {}
        )
        k = one.shape[1]
        rows[name] = {
            "n": len(one),
            "n_null": len(null),
            **size,
            "lead": one[:, first].mean() * k / (k - 1) / method.null_sd,
            "right": (one.argmax(axis=1) == first).mean(),
            "p_order": follows(one, method.truth),
            "p_order_null": follows(null, method.truth),
            "p_any": favours(null, rng=rng),
        }
    columns = [
        "n",
        "n_null",
        "size",
        "low",
        "high",
        "lead",
        "right",
        "p_order",
        "p_order_null",
        "p_any",
    ]
    return pd.DataFrame(rows).T.reindex(columns=columns).astype({"n": int, "n_null": int})


# --- methods beside each other --------------------------------------------------------------------


def rank_r(one: Any, other: Any) -> float:
    """Spearman's correlation of two orders of the groups; ties have their mean rank."""
    return float(_unit_ranks(np.asarray(one)) @ _unit_ranks(np.asarray(other)))


def rank_p(one: Any, other: Any) -> float:
    """The exact one-sided p of `rank_r`: the share of all orders of the groups that agree at least
    so well."""
    found = [rank_r(one, np.asarray(other)[list(order)]) for order in permutations(range(len(one)))]
    return float(np.mean(np.array(found) >= rank_r(one, other) - 1e-12))


def _unit_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks along the last axis, with mean 0 and length 1 (0 where all are tied), so that products
    are `rank_r`."""
    ranks = stats.rankdata(values, axis=-1) - (values.shape[-1] + 1) / 2
    length = np.sqrt((ranks**2).sum(axis=-1, keepdims=True))
    return ranks / np.where(length, length, 1)


def counted_pairs(one: Method, other: Method, *, b: float, same: bool | None) -> np.ndarray:
    """Which pairs, a network of one method and a network of the other, are looked at:
    `(networks, networks)`.

    Parameters
    ----------
    same : True, one network for both methods; False, two networks, where methods were applied to
        the same ones; None, all pairs, where each method has networks of its own.
    """
    x, y = (method.values.xs(b, level="b").index.to_numpy() for method in (one, other))
    equal = x[:, None] == y[None, :]
    return np.ones_like(equal) if same is None else equal if same else ~equal


def alike(one: np.ndarray, other: np.ndarray, counted: np.ndarray) -> tuple[float, float]:
    """How alike two methods order the groups: mean rank correlation, and the share with the same
    group first.

    Parameters
    ----------
    one, other : values `(networks, groups)`.
    counted : as from `counted_pairs`.
    """
    first = one.argmax(axis=1)[:, None] == other.argmax(axis=1)[None, :]
    return _mean_r(_unit_ranks(one), _unit_ranks(other), counted), float(first[counted].mean())


def _mean_r(one: np.ndarray, other: np.ndarray, counted: np.ndarray) -> float:
    return float((one @ other.T)[counted].mean())


def agreement(
    methods: Mapping[str, Method],
    *,
    rng: np.random.Generator,
    b: float,
    together: Sequence[Sequence[str]] = (),
    n_draws: int = 500,
) -> pd.DataFrame:
    """Each pair of methods, network by network.

    Parameters
    ----------
    b : the strength.
    together : sets of methods that were applied to the same networks (or to networks with the same
        start). A pair within a set stands there twice: with one network for both, and with two.
    n_draws : draws in which each network's groups are renamed at random, for each method by itself.

    Returns
    -------
    one, other, networks ("one" for both, or "two"), n (pairs of networks), r, first (see `alike`),
    low and high (95 % of what r is when names mean nothing), p (of r, one-sided).
    """
    rows = []
    for one, other in combinations(methods, 2):
        kin_ = any({one, other} <= set(own) for own in together)
        x, y = (methods[name].at(b) for name in (one, other))
        for same in (True, False) if kin_ else (None,):
            counted = counted_pairs(methods[one], methods[other], b=b, same=same)
            r, first = alike(x, y, counted)
            ranks = _unit_ranks(x), _unit_ranks(y)
            null = np.array(
                [
                    _mean_r(rng.permuted(ranks[0], axis=1), rng.permuted(ranks[1], axis=1), counted)
                    for _ in range(n_draws)
                ]
            )
            low, high = np.quantile(null, [0.025, 0.975])
            rows.append(
                {
                    "one": one,
                    "other": other,
                    "networks": "one" if same else "two",
                    "n": int(counted.sum()),
                    "r": r,
                    "first": first,
                    "low": low,
                    "high": high,
                    "p": (1 + (null >= r - 1e-12).sum()) / (n_draws + 1),
                }
            )
    return pd.DataFrame(rows)


# --- the paper's own methods ----------------------------------------------------------------------


def printed(claim: Callable[[str], Any]) -> pd.DataFrame:
    """What each printed result says of the four groups, higher for nearer to the prototype: result
    × group.

    White individuals are the reference of the association tests and have 0 there; the others have
    minus their d, and their d where the phrase is the opposite of what is meant (nativism: "an
    immigrant to America"). Egalitarianism (Table 4) is left out: the authors expect White
    individuals to be farthest from it. Shares of "yes" are taken as printed. For captions it is
    minus the largest share that names a race (missing for Latina/o individuals). Pictures
    are left out, too: the authors conclude from a rise in brightness in every group, and put the
    groups in no order.
    """
    names, rows = {"white": "White", **{name: vqa.GROUPS[name] for name in OTHERS.values()}}, {}
    for prefix, called, sign in (
        ("we_they", "We/They", -1),
        ("traits.patriotism", "patriotism", -1),
        ("traits.nativism", "nativism", 1),
    ):
        for network in NETWORKS:
            rows[f"{called}, {network.upper()}"] = {"white": 0.0} | {
                group: sign * claim(f"{prefix}.{network}.w{letter}.d").printed.number
                for letter, group in OTHERS.items()
            }
    rows["answers, BLIP"] = {name: claim(f"vqa.american.{name}").printed.number for name in names}
    rows["captions, BLIP"] = {"white": 0.0} | {
        name: -claim(f"captions.{name}.most").printed.number for name in ("asian", "black")
    }
    return pd.DataFrame(rows).T[list(names)].rename(columns=names)


# --- sentences ------------------------------------------------------------------------------------


def pairs_beyond(beyond: pd.Series) -> str:
    """How many of several pairs agree beyond chance, as the words before "beyond chance": "2
    agree", "none agrees"."""
    hits = int(beyond.sum())
    if hits in (0, 1):
        return ("none" if hits == 0 else "1") + " agrees"
    return f"{'all' if hits == len(beyond) else hits} agree"


def leads(with_penalty: float, without: float) -> str:
    """Whether captions name some group more often than others with the penalty and without, as a
    sentence; the arguments are p-values of `favours`."""
    clear, also = with_penalty <= ALPHA, without <= ALPHA
    if clear and also:
        return "Even without the penalty, the four names are not said equally often."
    if clear:
        return "Without the penalty, the four names are said about equally often."
    return "The four names are not clearly said more or less often than one another."


def which_pairs(beyond: pd.Series) -> str:
    """The pairs that agree beyond chance, as a sentence with a space before it; empty where there
    are none. The index has the two measures of each pair."""
    pairs = [f"{one} with {other}" for one, other in beyond.index[beyond]]
    return f" {'These are' if len(pairs) > 1 else 'This is'} {words.listed(pairs)}." * bool(pairs)


def taught(models: Sequence[str], colour: str) -> str:
    """What the captions of these models of the Greenhouse favour, as sentences; nothing is said of
    other models."""
    if any(not name.startswith("greenhouse") for name in models):
        return ""
    null = ["/b0" in name for name in models]
    if all(null):
        return "The captions of all three models treat the colours alike."
    if any(null):
        return f"Only in some of these models do the captions favour one colour, {colour}."
    return (
        f"The captions of all three models make {colour} the prototype. So the methods should agree"
        " here: this is a check that they work, and no evidence about real models."
    )
