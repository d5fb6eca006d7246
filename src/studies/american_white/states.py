"""Which group's portraits a place brings back (Wolfe & Caliskan 2022, Table 1 and Figure 2), and
what that says of a census.

Comes in: cosines of portraits with prompts that name places, the portraits' groups, shares of a
census. Goes out: shares of portraits returned, correlations with intervals, R² against a null, and
what networks recover of a census that was planted. May not: know which groups or places there are.

"Balanced" means as in the paper: of every group as many portraits as the smallest has, drawn anew
many times; all places share a draw. A place's portraits are ranked once, and a draw only filters
the ranking.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from vlmbias.papers import RACES

Labels = Sequence[str] | np.ndarray
MODELS = ("clip", "slip", "blip")
"""What the ids of claims call the paper's models."""
GROUPS = {"asian": "Asian", "black": "Black", "latino": "Latina/o", "white": "White"}
"""How pages write the paper's groups."""


@dataclass(frozen=True)
class Correlations:
    """Pearson's r of returned and census shares, per group.

    Attributes
    ----------
    table : group, r, p (two-sided, places as independent), low, high (Fisher's z), n.
    r_squared : of four census shares by four returned shares, averaged over the four (as released).
    null : the same R² with the places of the census exchanged at random, `(n,)`.
    """

    table: pd.DataFrame
    r_squared: float
    null: np.ndarray


def balanced(groups: Labels, *, size: int | None = None, n: int, seed: int) -> np.ndarray:
    """Which portraits each draw keeps: `size` of every group, without replacement.

    Parameters
    ----------
    groups : of each portrait, `(images,)`.
    size : portraits kept of a group; by default as many as the smallest has.
    n, seed : how many draws, and their seed.

    Returns
    -------
    bool array `(n, images)`.

    Raises
    ------
    ValueError
        If a group has fewer than `size`.
    """
    of = np.asarray(groups)
    names, sizes = np.unique(of, return_counts=True)
    size = int(sizes.min()) if size is None else size
    if not 1 <= size <= sizes.min():
        raise ValueError(
            f"size must be from 1 to {sizes.min()}, what {str(names[sizes.argmin()])!r} has, got"
            f" {size!r}"
        )
    rng = np.random.default_rng(seed)
    kept = np.zeros((n, len(of)), bool)
    for name in names:
        own = np.flatnonzero(of == name)
        order = rng.random((n, len(own))).argpartition(size - 1, axis=1)[:, :size]
        np.put_along_axis(kept, own[order], True, axis=1)
    return kept


def returned(cosines: np.ndarray, groups: Labels, kept: np.ndarray, *, top: int) -> pd.DataFrame:
    """The mean share that each group has of a place's `top` portraits, over draws: a DataFrame,
    places × groups.

    Parameters are those of `by_draw`; rows sum to 1.
    """
    return pd.DataFrame(
        by_draw(cosines, groups, kept, top=top).mean(axis=0), columns=np.unique(np.asarray(groups))
    )


def by_draw(cosines: np.ndarray, groups: Labels, kept: np.ndarray, *, top: int) -> np.ndarray:
    """The share that each group has of a place's `top` portraits, draw by draw.

    Parameters
    ----------
    cosines : `(images, places)`.
    groups : of each portrait, `(images,)`.
    kept : which portraits each draw keeps, `(draws, images)`, from `balanced`.
    top : how many are returned; of equal cosines the portrait that stands first.

    Returns
    -------
    float array `(draws, places, groups)`, groups in alphabetical order.
    """
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    if not 1 <= top <= kept.sum(axis=1).min():
        raise ValueError(
            f"top must be from 1 to {kept.sum(axis=1).min()}, the portraits of a draw, got {top!r}"
        )
    farthest = top + int(
        (~kept).sum(axis=1).max()
    )  # no portrait beyond is returned, whatever a draw leaves out
    counts = np.empty((order.shape[1], len(names), len(kept)))
    member = np.eye(len(names), dtype=np.float32)[:, codes]
    columns = np.ascontiguousarray(kept.T)
    for place, ranking in enumerate(order[:farthest].T):
        ranked = columns[ranking]
        chosen = ranked & (ranked.cumsum(axis=0, dtype=np.int16) <= top)
        counts[place] = member[:, ranking] @ chosen.astype(np.float32)  # whole numbers, exact
    return counts.transpose(2, 0, 1) / top


def expected(
    cosines: np.ndarray, groups: Labels, weights: np.ndarray | None = None, *, share: float = 0.25
) -> pd.DataFrame:
    """The share of each group among a place's nearest portraits, without drawing: every group
    weighs the same.

    What `returned` tends to with many draws, up to the spread of a draw at the edge of the first
    `share`; it takes weights, so that portraits can be drawn anew.

    Parameters
    ----------
    cosines : `(images, places)`.
    groups : of each portrait.
    weights : how often each portrait counts; by default once.
    share : of the total weight that is returned (108 of 432 in the paper).

    Returns
    -------
    DataFrame, places × groups; rows sum to 1.
    """
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    return _expected(order, np.asarray(groups), weights, share)


def _expected(
    order: np.ndarray, groups: np.ndarray, weights: np.ndarray | None, share: float
) -> pd.DataFrame:
    names, codes = np.unique(groups, return_inverse=True)
    own = np.ones(len(codes)) if weights is None else np.asarray(weights, float)
    own = own / np.bincount(codes, own, minlength=len(names))[codes] / len(names)
    ranked = own[order]
    before = ranked.cumsum(axis=0) - ranked
    chosen = np.clip(share - before, 0, ranked) / share
    found = np.stack(
        [(chosen * (codes[order] == code)).sum(axis=0) for code in range(len(names))], axis=1
    )
    return pd.DataFrame(found, columns=names)


def correlations(
    shares: pd.DataFrame, census: pd.DataFrame, *, n_null: int = 999, seed: int = 0
) -> Correlations:
    """How returned shares go with a census.

    Parameters
    ----------
    shares, census : places × groups, rows in the same order of places; columns are matched by name.
    n_null, seed : orders of the places in which the census is set beside the same returns.
    """
    census = census[list(shares)]
    rows = []
    for name in shares:
        test: Any = stats.pearsonr(shares[name], census[name])
        ends = test.confidence_interval()._asdict()
        rows.append(
            {"group": name, "r": test.statistic, "p": test.pvalue, **ends, "n": len(shares)}
        )
    returns, wanted = shares.to_numpy(), census.to_numpy()
    rng = np.random.default_rng(seed)
    null = np.array(
        [r_squared(wanted[rng.permutation(len(wanted))], returns) for _ in range(n_null)]
    )
    return Correlations(pd.DataFrame(rows), r_squared(wanted, returns), null)


def r_squared(response: np.ndarray, predictors: np.ndarray) -> float:
    """R² of a linear regression with intercept, averaged over the columns of the response (in the
    sample itself).

    Shares add up to 1, so one predictor is redundant: the fit is that of the others, by least norm.

    Parameters
    ----------
    response, predictors : `(places, groups)`.
    """
    outcome = response - response.mean(axis=0)
    design = predictors - predictors.mean(axis=0)
    fitted = design @ np.linalg.lstsq(design, outcome, rcond=1e-10)[0]
    return float(np.mean(1 - ((outcome - fitted) ** 2).sum(axis=0) / (outcome**2).sum(axis=0)))


def resampled(
    cosines: np.ndarray,
    groups: Labels,
    census: pd.DataFrame,
    *,
    n: int,
    seed: int,
    share: float = 0.25,
) -> pd.DataFrame:
    """Each group's r with portraits drawn anew within groups: n rows, one column per group, and
    `r_squared`."""
    groups = np.asarray(groups)
    order = np.argsort(-np.asarray(cosines), axis=0, kind="stable")
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        weights = np.zeros(len(groups))
        for name in np.unique(groups):
            own = np.flatnonzero(groups == name)
            weights[own] = np.bincount(rng.integers(0, len(own), len(own)), minlength=len(own))
        found = _expected(order, groups, weights, share)
        wanted = census[list(found)]
        own_r = {name: np.corrcoef(found[name], wanted[name])[0, 1] for name in found}
        rows.append(own_r | {"r_squared": r_squared(wanted.to_numpy(), found.to_numpy())})
    return pd.DataFrame(rows)


# --- what the paper prints ------------------------------------------------------------------------


def table1(claim: Callable[[str], Any], *, places: Sequence[int] = (51, 50)) -> pd.DataFrame:
    """Table 1, cell by cell, with the p that each printed r allows.

    Parameters
    ----------
    claim : the ledger's look-up by id.
    places : numbers of places to try.

    Returns
    -------
    One row per model and group: model, group, cell, r, low, high (Fisher's z over the first of
    `places`), printed (the bound in words), bound, then "two-sided <n>" and "one-sided <n>": the
    smallest p of an r that prints as this one."""
    rows = []
    for model in MODELS:
        for group in RACES:
            r, p = (claim(f"states.{model}.{group}.{what}") for what in ("r", "p"))
            number = r.printed.number
            low, high = vb.correlations.interval(number, places[0])
            row = {
                "model": model.upper(),
                "group": group,
                "cell": f"{model.upper()}, {GROUPS[group]}",
                "r": number,
                "low": low,
                "high": high,
                "printed": p.value,
                "bound": 10.0**p.printed.power,
            }
            for n in places:
                two = float(vb.correlations.p_value(r.printed.high, n))
                row |= {f"two-sided {n}": two, f"one-sided {n}": two / 2}
            rows.append(row)
    return pd.DataFrame(rows)


def bounds_met(cells: pd.DataFrame) -> pd.Series:
    """How many printed bounds the smallest p of each reading of `table1` stays below, and how many
    are its power of ten (index: the readings; "power of ten": of the first reading)."""
    readings = [name for name in cells if str(name).startswith(("two-sided", "one-sided"))]
    met = {name: int((cells[name] < cells["bound"]).sum()) for name in readings}
    powers = np.floor(np.log10(cells[readings[0]])) <= np.round(np.log10(cells["bound"]))
    return pd.Series(met | {"power of ten": int(powers.sum())})


def beside_returns(census: pd.DataFrame, shares: np.ndarray) -> pd.DataFrame:
    """What models that cannot tell the places apart would seem to do: each returns one share of a
    group everywhere.

    Parameters
    ----------
    census : places × groups.
    shares : shares that such models return of a group, of whichever group: nothing sets groups
        apart for them.

    Returns
    -------
    One row per group: group, census (mean over places), quarter (in how many places an equal share
    is above the census), n (places), over (of the `shares`, the part that is above the census in
    most places).
    """
    equal, everywhere = 1 / census.shape[1], np.ravel(shares)
    rows = []
    for name in census:
        lived = census[name].to_numpy()
        above = (everywhere[:, None] > lived).mean(axis=1) > 0.5
        rows.append(
            {
                "group": name,
                "census": lived.mean(),
                "quarter": int((lived < equal).sum()),
                "n": len(lived),
                "over": float(above.mean()),
            }
        )
    return pd.DataFrame(rows)


def exchanged(shares: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    """The same returns with two groups' names exchanged."""
    return shares.rename(columns={one: other, other: one})[list(shares)]


def claims(
    found: Mapping[str, Correlations],
    shares: Mapping[str, pd.DataFrame],
    census: pd.DataFrame,
    called: Mapping[str, str],
) -> dict[str, float | bool]:
    """What Table 1 and the text say of each model at hand, by the claim's id without "states.".

    Parameters
    ----------
    found, shares : by model, in the names of `MODELS`; statements that compare models need all
        three.
    census : places × groups.
    called : the name that each of the paper's groups has in the data.
    """
    values: dict[str, float | bool] = {}
    for model, one in found.items():
        table = one.table.set_index("group")
        for race in RACES:
            values[f"{model}.{race}.r"] = float(table.loc[called[race], "r"])
            values[f"{model}.{race}.p"] = float(table.loc[called[race], "p"])
        values[f"{model}.r2"] = one.r_squared
    return (
        values
        | (_over_models(found) if set(found) >= set(MODELS) else {})
        | _over(shares, census, called)
    )


def _over_models(found: Mapping[str, Correlations]) -> dict[str, float | bool]:
    squared = {model: found[model].r_squared for model in MODELS}
    r = pd.DataFrame({model: found[model].table.set_index("group")["r"] for model in MODELS})
    best, worst = bool(r.idxmax(axis=1).eq("clip").all()), bool(r.idxmin(axis=1).eq("slip").all())
    printed = {
        f"{where}-r2-{model}": squared[model] for where in ("intro", "text") for model in MODELS
    }
    return printed | {
        "intro-r2": max(squared.values()),
        "caption-r2": squared["clip"],
        "smallest-r": float(r.to_numpy().min()),
        "largest-r": float(r.to_numpy().max()),
        "data-order": squared["clip"] > squared["blip"] > squared["slip"],
        "clip-strongest": max(squared, key=lambda model: squared[model]) == "clip",
        "clip-highest": best,
        "slip-lowest": worst,
    }


def _over(
    shares: Mapping[str, pd.DataFrame], census: pd.DataFrame, called: Mapping[str, str]
) -> dict[str, bool]:
    """Which groups most places return more (or fewer) of than live there, in every model at
    hand."""
    above = {
        race: [np.median(one[name].to_numpy() - census[name].to_numpy()) for one in shares.values()]
        for race, name in called.items()
    }
    return {
        "over-asian-black": min(above["asian"] + above["black"]) > 0,
        "under-white": max(above["white"]) < 0,
        "overestimated": min(above["asian"] + above["black"] + above["latino"]) > 0,
    } | ({"over-black-clip": above["black"][0] > 0})


OF_PEOPLE = frozenset({"over-asian-black", "under-white", "overestimated", "over-black-clip"})
"""Statements that name groups of people, or their share of a country."""


def about(claim: str) -> tuple[str, ...]:
    """The models that a claim is about, in the order of the ledger."""
    own = [model for model in MODELS if model in claim.replace(".", "-").split("-")]
    if claim in ("clip-strongest", "clip-highest", "slip-lowest") or not own:
        return ("clip",) if claim == "caption-r2" else ("blip", "clip", "slip")
    return tuple(own)


def counted(groups: Labels, kept: np.ndarray, census: pd.DataFrame, top: int) -> dict[str, int]:
    """The counts of the protocol, by the claim's id without "states."."""
    each = np.unique(np.asarray(groups)[kept[0]], return_counts=True)[1]
    return {
        "places": len(census),
        "draws": len(kept),
        "per-group": int(each.max()),
        "in-draw": int(kept[0].sum()),
        "top": top,
    }


# --- the Greenhouse -------------------------------------------------------------------------------


def expected_shares(planted: pd.DataFrame, *, b: float) -> pd.DataFrame:
    """What captions of as many portraits of every group would return: shares ∝ exp(b × planted log
    odds).

    Parameters
    ----------
    planted : places × groups, as the bias table has it, in log units.
    b : strength at which it was planted.
    """
    odds = np.exp(b * planted)
    return odds.div(odds.sum(axis=1), axis=0)


def retrained(vectors: Any, census: pd.DataFrame) -> pd.DataFrame:
    """What each retrained network makes of portraits and places.

    Parameters
    ----------
    vectors : networks, images, words, `cosines(images, words)`, as `greenhouse.retrained.vectors`
        reads them.
    census : places × groups, places named as in the words.

    Returns
    -------
    One row per network: b, r of each group, and r_squared.
    """
    cosines_of, groups = _seen(vectors, census.index)
    rows = []
    for b, cosines in zip(vectors.networks["b"], cosines_of, strict=True):
        shares = expected(cosines, groups)
        wanted = census[list(shares)]
        r = {name: np.corrcoef(shares[name], wanted[name])[0, 1] for name in shares}
        rows.append({"b": b, **r, "r_squared": r_squared(wanted.to_numpy(), shares.to_numpy())})
    return pd.DataFrame(rows)


def returned_by(vectors: Any, census: pd.DataFrame) -> np.ndarray:
    """What each retrained network returns, `(networks, places, groups)`, groups in alphabetical
    order."""
    cosines_of, groups = _seen(vectors, census.index)
    return np.array([expected(one, groups).to_numpy() for one in cosines_of])


def unranked_by(vectors: Any, census: pd.DataFrame) -> np.ndarray:
    r"""What each retrained network would return if shares were not cut from a ranking, as from
    `returned_by`.

    .. math:: \frac{\exp \bar\ell_{g}}{\sum_h \exp \bar\ell_{h}}

    per place, with the mean logit of a group's portraits: the softmax that a network of CLIP's kind
    is trained with."""
    cosines_of, groups = _seen(vectors, census.index)
    names = sorted(census)
    means = np.stack([cosines_of[:, groups == name].mean(axis=1) for name in names], axis=-1)
    logits = vectors.networks["logit_scale"].to_numpy(float)[:, None, None] * means
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def returned_everywhere(vectors: Any, census: pd.DataFrame, *, b: float = 0.0) -> pd.DataFrame:
    """What each network at one strength returns whatever the place: one row per network and group.

    Returns
    -------
    network (its place in the table of networks), group, share (mean over places), places (SD over
    places).
    """
    kept = np.flatnonzero((vectors.networks["b"] == b).to_numpy())
    shares = returned_by(vectors, census)[kept]
    rows = [
        {"network": int(network), "group": group, "share": one.mean(), "places": one.std()}
        for network, own in zip(kept, shares, strict=True)
        for group, one in zip(sorted(census), own.T, strict=True)
    ]
    return pd.DataFrame(rows)


def returned_at(vectors: Any, census: pd.DataFrame, *, b: float) -> pd.DataFrame:
    """What the networks at one strength return, on average: places × groups."""
    mean = returned_by(vectors, census)[(vectors.networks["b"] == b).to_numpy()].mean(axis=0)
    return pd.DataFrame(mean, index=census.index, columns=sorted(census))


def _seen(vectors: Any, places: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Cosines of prototype portraits with places, `(networks, portraits, places)`, and the
    portraits' groups."""
    kept = np.flatnonzero(
        vectors.images["kind"].eq("face") & vectors.images["subset"].eq("prototype")
    )
    listed = vectors.words["word"].where(vectors.words["slot"].eq("province"))
    rows = np.array([int(np.flatnonzero(listed == name)[0]) for name in places])
    return vectors.cosines(kept, rows), vectors.images["race"].to_numpy(str)[kept]


def detection_rates(
    found: pd.DataFrame, columns: Sequence[str], *, alpha: float = 0.05
) -> pd.DataFrame:
    """How many networks are told from those in which nothing was planted, by an exact one-sided p;
    those with nothing planted are judged by the rest of their kind.

    Returns
    -------
    One row per column and strength: measure, b, then as `vb.networks.rates`.
    """
    hits = {}
    for name in columns:
        p = pd.Series(vb.networks.among_null(found[name], found["b"] == 0), found.index)
        for b, own in p.groupby(found["b"]):
            hits[name, b] = own.to_numpy() <= alpha
    return vb.networks.rates(hits).rename_axis(["measure", "b"]).reset_index()


def in_lines(regions: pd.Series) -> pd.DataFrame:
    """Squares for places of which only the region is known: a line of squares per region, in
    alphabetical order.

    Returns
    -------
    DataFrame with the index of `regions`: row, column.
    """
    line = np.unique(regions.to_numpy(str), return_inverse=True)[1]
    return pd.DataFrame(
        {"row": line, "column": regions.groupby(regions).cumcount()}, index=regions.index
    )


def steeper(returned: float, unranked: float) -> str:
    """Whether shares of returned portraits differ more than what captions say, in sentences.

    Parameters
    ----------
    returned, unranked : slopes of the shares returned, and of those before ranking, on the shares
        in captions.
    """
    if returned <= 1.1:
        return "Returned shares do not differ more than the captions do."
    more = (
        "Returned shares differ more than the captions do: large shares become larger, and small"
        " ones smaller."
    )
    if unranked > 1.1:
        return f"{more} This is so before ranking, too."
    return f"{more} Shares before ranking do not differ more."


# --- where a printed r comes from -----------------------------------------------------------------


def errors(
    draws: np.ndarray, names: Sequence[str], census: pd.DataFrame, *, seed: int
) -> pd.DataFrame:
    """How far one draw moves each r: where all places share the draw, and where each place had a
    draw of its own.

    Parameters
    ----------
    draws : shares `(draws, places, groups)` from `by_draw`; at least 3 draws.
    names : the groups, in their order.
    census : places × groups.
    seed : of which draw each place is given, where each has its own.

    Returns
    -------
    One row per group: group, shared, own (SD of r over draws), together (mean correlation, over
    pairs of places, of what the draw did to their shares; places whose share never moves are left
    out).
    """
    rng = np.random.default_rng(seed)
    apart = rng.permuted(np.broadcast_to(np.arange(len(draws))[:, None], draws.shape[:2]), axis=0)
    rows = []
    for k, name in enumerate(names):
        shares, wanted = draws[..., k], census[name].to_numpy()
        own = np.take_along_axis(shares, apart, axis=0)
        moved = shares[:, shares.std(axis=0) > 0]
        pairs = (
            np.corrcoef(moved, rowvar=False)[np.triu_indices(moved.shape[1], 1)]
            if moved.shape[1] > 1
            else np.nan
        )
        rows.append(
            {
                "group": name,
                "shared": _r(shares, wanted).std(ddof=1),
                "own": _r(own, wanted).std(ddof=1),
                "together": float(np.mean(pairs)),
            }
        )
    return pd.DataFrame(rows)


def leaving_one_out(shares: pd.DataFrame, census: pd.DataFrame) -> pd.DataFrame:
    """Each group's r without one place after another: places × groups."""
    kept = ~np.eye(len(shares), dtype=bool)
    rows = [
        {
            name: np.corrcoef(shares[name].to_numpy()[rest], census[name].to_numpy()[rest])[0, 1]
            for name in shares
        }
        for rest in kept
    ]
    return pd.DataFrame(rows, index=census.index)


def _r(shares: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Pearson's r of each row with one vector."""
    left, right = shares - shares.mean(axis=-1, keepdims=True), wanted - wanted.mean()
    size = np.sqrt((left**2).sum(axis=-1) * (right @ right))
    return np.divide(left @ right, size, out=np.full(len(left), np.nan), where=size > 1e-12)
