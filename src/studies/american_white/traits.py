"""Three traits by single-category association tests: Wolfe & Caliskan (2022), Tables 3 to 5.

Comes in: printed cells as `we_they.printed_cells` reads them; cosines of faces with phrases;
retrained networks. Goes out: the smallest p that a printed d allows, the paper's statements as
predicates, and what tests over faces, phrases or networks report. May not: name a group or a
phrase, or know what was planted.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from audit.rules import welch_p
from studies import associations
from studies.american_white import we_they
from studies.words import listed

TRAITS = ("patriotism", "egalitarianism", "nativism")  # in the order of Tables 3, 4 and 5
NETWORKS = ("clip", "blip", "slip")  # in the order in which a reader is likely to have them
TAILS = {
    "by its sign": ("less", "greater"),
    "two-sided": ("two-sided",) * 2,
    "always less": ("less",) * 2,
}
LARGE, MEDIUM = 0.8, 0.5  # Cohen's large and medium effect, as the paper quotes them
ONE_NETWORK = {
    "egalitarianism-slip": ("slip",),
    "nativism-black-blip": ("blip",),
}  # statements about one of the three


# --- what is printed ------------------------------------------------------------------------------


def tables(claim: Callable[[str], Any]) -> pd.DataFrame:
    """The 27 cells of Tables 3 to 5: trait, then as `we_they.printed_cells`."""
    parts = {trait: we_they.printed_cells(claim, f"traits.{trait}") for trait in TRAITS}
    return pd.concat(parts, names=["trait"]).reset_index(level="trait").reset_index(drop=True)


def smallest_p(d: float, n_x: int, n_y: int) -> float:
    r"""A bound that Welch's p, one-sided, cannot fall below, given d over the pooled SD and
    whatever the two SDs are.

    With :math:`v_i = \sigma_i^2/\sigma_p^2`, Eq. 4 says
    :math:`(n_x-1)\,v_x + (n_y-1)\,v_y = n_x+n_y-2`, and

    .. math:: t^2 = \frac{d^2}{v_x/n_x + v_y/n_y} \le d^2\,\frac{\max_i n_i(n_i-1)}{n_x+n_y-2},
    \qquad
              \mathrm{df} \le n_x+n_y-2:

    the denominator is linear in the share of the sum of squares that a group holds, and smallest
    where the larger group holds all of it. p falls with both t and df, so p at both largest values
    is a lower bound. No ratio attains it, since df is largest elsewhere. Two-sided, twice as much.

    Parameters
    ----------
    d : over the pooled SD, with the divisors of the test.
    """
    df = n_x + n_y - 2
    t = abs(d) * np.sqrt(max(n_x * (n_x - 1), n_y * (n_y - 1)) / df)
    return float(stats.t.sf(t, df))


def floors(cells: pd.DataFrame, *, ratios: Any) -> pd.DataFrame:
    """How small the p of each printed bound can be, whatever the SDs of its groups.

    Parameters
    ----------
    cells : as from `tables`.
    ratios : SDs of the first group over that of the second, searched one by one.

    Returns
    -------
    One row per cell with a bound: the columns of `cells`; equal (the smallest p with one SD for
    both groups), searched (the smallest p over the ratios), least (`smallest_p`), each one-sided
    and with all that rounding of d and the choice of divisors leave open; possible (least lies
    below the printed bound).
    """
    rows = []
    for row in cells[cells["bound"].notna()].itertuples():
        tail, smaller = "greater" if row.number > 0 else "less", min(row.n_x, row.n_y)
        (equal,), _ = welch_p(row.d, row.n_x, row.n_y, tail=tail)
        searched = welch_p(row.d, row.n_x, row.n_y, tail=tail, ratios=ratios)[0].min()
        largest = max(abs(row.d.low), abs(row.d.high)) * np.sqrt(smaller / (smaller - 1))
        rows.append(
            {"equal": equal, "searched": searched, "least": smallest_p(largest, row.n_x, row.n_y)}
        )
    found = pd.DataFrame(rows, index=cells.index[cells["bound"].notna()])
    return cells.join(found, how="inner").assign(possible=lambda one: one["least"] < one["bound"])


# --- the paper's statements -----------------------------------------------------------------------


def claims(
    d: Mapping[tuple[str, str, str], float], p: Mapping[tuple[str, str, str], float]
) -> dict[str, Any]:
    """What the paper's text says of the three traits, by the claim's id without its prefix.

    Parameters
    ----------
    d, p : by trait, network and letter of the other group, for all 27 comparisons.

    Returns
    -------
    True or False for a statement; a number for the smallest and the largest significant d.
    """
    size, tail = pd.Series(dict(d)), pd.Series(dict(p))
    significant = tail < associations.ALPHA

    def each(
        test: pd.Series, trait: str, networks: Sequence[str] = NETWORKS, letters: str = "abl"
    ) -> bool:
        return bool(all(test[key] for key in product([trait], networks, letters)))

    above, below, strong = size > 0, size < 0, size <= -LARGE
    patriotic, native, equal = (
        each(test, trait)
        for test, trait in ((above, "patriotism"), (below, "nativism"), (below, "egalitarianism"))
    )
    others = significant["patriotism"].drop(("slip", "l"))
    sure = size["patriotism"][significant["patriotism"]]
    return {
        **dict.fromkeys(
            ("abstract-patriotism", "intro-patriotism", "results-patriotism", "patriotism"),
            patriotic,
        ),
        **dict.fromkeys(("abstract-nativism", "intro-nativism", "results-nativism"), native),
        **dict.fromkeys(
            ("abstract-egalitarianism", "intro-egalitarianism", "results-egalitarianism"), equal
        ),
        "without-exception": patriotic,
        "patriotism-one": bool(others.all() and not significant["patriotism", "slip", "l"]),
        "patriotism-smallest": float(sure.min()),
        "patriotism-largest": float(sure.max()),
        "egalitarianism": each(below, "egalitarianism", ("blip", "clip")),
        "egalitarianism-strongly": each(strong, "egalitarianism", ("blip", "clip")),
        "egalitarianism-slip": each(above, "egalitarianism", ("slip",)),
        "egalitarianism-caption": each(below & significant, "egalitarianism", ("blip", "clip")),
        "nativism": each(strong, "nativism", letters="al"),
        "nativism-black-blip": each(below & significant, "nativism", ("blip",), "b"),
        "nativism-black": each(size.abs() < LARGE, "nativism", ("clip", "slip"), "b"),
        "nativism-caption": each(below & significant, "nativism", letters="al"),
        "nativism-small": each(size.abs() < MEDIUM, "nativism", ("clip", "slip"), "b"),
    }


def records(
    tests: Mapping[tuple[str, str, str], vb.AssociationTest],
) -> list[tuple[str, Any, list[str]]]:
    """What the tests say of each claim: its id without its prefix, the value, and the networks it
    is about.

    `tests` is keyed by trait, network and letter of the other group. Statements need all of
    `NETWORKS`.
    """
    d, p = (
        {key: getattr(test, part) for key, test in tests.items()}
        for part in ("effect_size", "p_value")
    )
    networks = sorted({network for _, network, _ in tests})  # as the ledger names them
    found = [
        (f"{trait}.{network}.w{letter}.{quantity}", values[trait, network, letter], [network])
        for trait, network, letter in tests
        for quantity, values in (("d", d), ("p", p))
    ]
    if len(networks) == len(NETWORKS):
        found += [
            (name, value, list(ONE_NETWORK.get(name, networks)))
            for name, value in claims(d, p).items()
        ]
    return found


# --- tests over faces, phrases and networks -------------------------------------------------------


def effect_sizes(values: np.ndarray, group: Any, first: Any, second: Any) -> np.ndarray:
    """d over the pooled SD by each phrase, `(…, phrases)`.

    Parameters
    ----------
    values : `(…, faces, phrases)`, cosines or logits.
    group : `(faces,)`.
    """
    names = np.asarray(group)
    x, y = (np.swapaxes(values[..., names == one, :], -1, -2) for one in (first, second))
    return vb.effect_size(x, y, pooled=True)


def among_phrases(
    values: np.ndarray,
    group: Any,
    pairs: Sequence[tuple[str, str]],
    phrases: Sequence[Any],
    plain: Any,
) -> pd.DataFrame:
    """Each phrase's d between two groups, among those by phrases that should tell no group from
    another.

    Parameters
    ----------
    values : `(faces, phrases)`, cosines or logits of one network.
    group : `(faces,)`.
    pairs : of groups, first and second.
    phrases : names of the columns.
    plain : `(phrases,)`, True for those others.

    Returns
    -------
    One row per pair and phrase in question: first, second, phrase, d, p_faces (Welch's, two-sided),
    p_phrases (`associations.over_phrases`)."""
    other, rows = np.asarray(plain, bool), []
    for first, second in pairs:
        table = each_phrase(values, group, first, second)
        d = table["d"].to_numpy()
        rows += [
            {
                "first": first,
                "second": second,
                "phrase": phrases[k],
                "d": d[k],
                "p_faces": table.loc[k, "p"],
                "p_phrases": associations.over_phrases(d[k : k + 1], d[None, other])[0],
            }
            for k in range(len(other))
            if not other[k]
        ]
    return pd.DataFrame(rows)


def each_phrase(values: np.ndarray, group: Any, first: str, second: str) -> pd.DataFrame:
    """Every phrase's d between two groups, and Welch's two-sided p over faces.

    Parameters
    ----------
    values : `(faces, phrases)`, cosines or logits of one network.
    group : `(faces,)`.
    """
    names = np.asarray(group)
    test: Any = stats.ttest_ind(values[names == first], values[names == second], equal_var=False)
    return pd.DataFrame({"d": effect_sizes(values, names, first, second), "p": test.pvalue})


def outliers(p: pd.Series, smallest: float) -> str:
    """Which traits lie farther out than every plain phrase, as the end of a sentence.

    Parameters
    ----------
    p : of each trait, its rank among the plain phrases.
    smallest : the smallest p that there can be.
    """
    out = [str(trait) for trait, value in p.items() if value <= smallest * (1 + 1e-9)]
    if len(out) == len(p):
        return f"all {len(p)} traits lie farther out than every plain phrase."
    if not out:
        return "no trait lies farther out than every plain phrase."
    rest = [str(trait) for trait in p.index if str(trait) not in out]
    verb, other = ("lies" if len(out) == 1 else "lie"), ("does" if len(rest) == 1 else "do")
    return f"{listed(out)} {verb} farther out than every plain phrase; {listed(rest)} {other} not."


def phrase_logits(portraits: Any, axis: str) -> tuple[np.ndarray, pd.DataFrame]:
    """What a phrase's own cosine with each face is worth in log-odds, `(networks, faces)`, and the
    networks.

    Nothing is subtracted, as in a single-category test. `portraits` is of
    `greenhouse.retrained.scores("people")`; only networks without an arm of the study are taken.
    """
    kept = (portraits.networks["condition"] == "none").to_numpy()
    table = portraits.networks[kept].reset_index(drop=True)
    cosines = np.asarray(portraits.scores)[kept][:, :, list(portraits.columns).index(axis)]
    return table["logit_scale"].to_numpy()[:, None] * cosines, table


def in_two_units(vectors: Any, pair: tuple[str, str], axis: str, plain: Any) -> pd.DataFrame:
    """One phrase's d between two groups in retrained networks, with faces or phrases as the unit.

    Parameters
    ----------
    vectors : of `greenhouse.retrained`; of its faces, the prototypes.
    pair : the two groups.
    axis : the phrase, alone under its axis.
    plain : rows of the words that tell no group from another.

    Returns
    -------
    As `associations.by_unit`, of the units "faces" and "phrases"; `difference` is d.
    """
    kept = vectors.where(vectors.networks["condition"] == "none")
    faces, group = prototypes(kept)
    (own,) = kept.words_of(axis)
    cosines = kept.cosines(faces, np.r_[own, np.asarray(plain, int)])
    d, first = effect_sizes(cosines, group, *pair), cosines[:, :, 0]
    test: Any = stats.ttest_ind(*(first[:, group == one] for one in pair), axis=1, equal_var=False)
    p, b = associations.over_phrases(d[:, 0], d[:, 1:]), kept.networks["b"]
    return associations.by_unit({"faces": (b, d[:, 0], test.pvalue), "phrases": (b, d[:, 0], p)})


def prototypes(vectors: Any) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the faces that differ in nothing but person and group, and each one's group."""
    faces = np.flatnonzero(vectors.images["subset"] == "prototype")
    return faces, vectors.images["race"].to_numpy(str)[faces]


def false_positive_rates(
    vectors: Any, pairs: Sequence[tuple[str, str]], plain: Any, *, b: float = 0.0
) -> pd.DataFrame:
    """Of phrases that captions say of all groups alike, the share with p ≤ .05 over faces, network
    by network.

    Parameters
    ----------
    vectors : of `greenhouse.retrained`; of its faces, the prototypes.
    pairs : of groups, first and second.
    plain : rows of the words; each is one phrase.
    b : the networks' strength.

    Returns
    -------
    One row per network and pair: network, first, second, n (faces of a group, the smaller number),
    share.
    """
    kept = vectors.where((vectors.networks["condition"] == "none") & (vectors.networks["b"] == b))
    faces, group = prototypes(kept)
    cosines, rows = kept.cosines(faces, np.asarray(plain, int)), []
    for first, second in pairs:
        x, y = cosines[:, group == first], cosines[:, group == second]
        p: Any = np.asarray(stats.ttest_ind(x, y, axis=1, equal_var=False).pvalue)
        n = min(x.shape[1], y.shape[1])
        rows += [
            {"network": network, "first": first, "second": second, "n": n, "share": share}
            for network, share in enumerate((p <= associations.ALPHA).mean(axis=1))
        ]
    return pd.DataFrame(rows)


def recovered(
    portraits: Any,
    pairs: Sequence[tuple[str, str]],
    axes: Sequence[str],
    planted: Mapping[tuple[str, str], float],
    *,
    beyond: str = "",
    b: float = 1.0,
) -> pd.DataFrame:
    """What was planted beside the mean over networks of one strength, by axis and pair.

    Parameters
    ----------
    portraits : of `greenhouse.retrained.scores("people")`.
    pairs : of groups, first and second.
    axes : of the phrases.
    planted : by axis and pair, in log-odds.
    beyond : an axis whose cosine is subtracted first; empty: none, as in a single-category test.
    b : the strength.

    Returns
    -------
    One row per axis and pair: planted, then as `vb.networks.one_sample` of the networks'
    differences.
    """
    rows, found = associations.people(portraits.images), {}
    for axis in axes:
        values, table = phrase_logits(portraits, axis)
        values = values - phrase_logits(portraits, beyond)[0] if beyond else values
        kept = values[(table["b"] == b).to_numpy()]
        means = {group: kept[:, own.ravel()].mean(axis=1) for group, own in rows.items()}
        found |= {
            (axis, f"{first} − {second}"): means[first] - means[second] for first, second in pairs
        }
    table = vb.networks.one_sample(found)
    return table.assign(planted=[planted[key] for key in found]).rename_axis(["axis", "pair"])
