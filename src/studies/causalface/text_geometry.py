"""Are opposite words opposite to a model? The earlier appendix of Hausladen et al. (2025): Table
C.3, Figures C.4, C.5.

Comes in: embeddings of prompts, perceptions of images, printed p-values; retrained networks and
what was planted. Goes out: tables of similarities, tests and correlations, and predicates of
claims. May not: draw, name a fictional group, or compute a truth itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats
from sklearn.metrics import silhouette_score

import vlmbias as vb
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

DIMENSIONS = CAUSALFACE.poles
POLES = tuple(pole for pair in DIMENSIONS.values() for pole in pair)
SIGNS = ("pos", "neg")
WAYS: dict[str, Callable[[vb.Perception], pd.DataFrame]] = {
    "raw": vb.Perception.raw,
    "delta": vb.Perception.delta,
    "centred": vb.Perception.centred,
}


# --- what printed p-values can carry --------------------------------------------------------------


def implied(p: Mapping[tuple[str, str], float], n_words: Mapping[str, int]) -> pd.DataFrame:
    """What a one-sided p of a t-test over pairs of words says of the standardised difference behind
    it.

    A pole of `n` words has `n (n - 1) / 2` pairs, two poles have `n²` pairs across: pairs of
    different words, once.

    Parameters
    ----------
    p : (dimension, sign) → p of "within exceeds across".
    n_words : dimension → words per pole.

    Returns
    -------
    One row per comparison: dimension, sign, p, d (within - across), low, high (95 %, by noncentral
    t).
    """
    import pingouin  # a second or so, so not before it is needed

    rows = []
    for (dimension, sign), value in p.items():
        within, across = n_words[dimension] * (n_words[dimension] - 1) // 2, n_words[dimension] ** 2
        t = stats.t.isf(value, within + across - 2)
        d: Any = pingouin.compute_effsize_from_t(t, nx=within, ny=across)
        low, high = of_noncentral_t(t, within, across)
        rows.append(
            {
                "dimension": dimension,
                "sign": sign,
                "p": value,
                "d": d,
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(rows)


def of_noncentral_t(
    t: float, n_x: int, n_y: int, *, confidence_level: float = 0.95
) -> tuple[float, float]:
    r"""The interval of d behind a t.

    Its ends are the noncentralities under which t lies at the ends, times
    :math:`\sqrt{1/n_x + 1/n_y}`.

    Unlike that of a normal approximation it stays right where groups are small.
    """
    df, ends, far = (
        n_x + n_y - 2,
        [(1 - confidence_level) / 2, (1 + confidence_level) / 2],
        10 + 2 * abs(t),
    )
    high, low = (
        optimize.brentq(lambda own, end=end: stats.nct.cdf(t, df, own) - end, t - far, t + far)
        for end in ends
    )
    width = float(np.sqrt(1 / n_x + 1 / n_y))
    return width * float(low), width * float(high)


# --- words ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Adjectives:
    """The embedded adjectives.

    Attributes
    ----------
    table : one row per text: dimension, word, template; no neutral prompts.
    vectors : `(texts, d)`, unit rows.
    """

    table: pd.DataFrame
    vectors: np.ndarray

    @property
    def templates(self) -> int:
        """How many templates each word is said in."""
        return self.table["template"].nunique()

    def words(self, dimension: str) -> list[str]:
        """The words of a dimension, in the order of the prompts."""
        return list(dict.fromkeys(self.table.loc[self.table["dimension"] == dimension, "word"]))

    def per_template(self, dimension: str) -> np.ndarray:
        """Unit vectors of a dimension's words, `(words, templates, d)`."""
        own = self.table[self.table["dimension"] == dimension]
        rows = own.assign(row=own.index).pivot(index="word", columns="template", values="row")
        return self.vectors[rows.loc[self.words(dimension)].to_numpy()]

    def mean(self, dimension: str) -> np.ndarray:
        """One unit vector per word, `(words, d)`: the mean over templates, renormalised."""
        mean = self.per_template(dimension).mean(axis=1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def adjectives(texts: vb.Embeddings) -> Adjectives:
    """The adjectives among embedded prompts."""
    table = texts.table.reset_index(drop=True)
    kept = ~table["neutral"].to_numpy(bool)
    vectors = np.asarray(texts, dtype=float)[kept]
    return Adjectives(
        table[kept].reset_index(drop=True), vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    )


def cloud(words: Adjectives) -> tuple[pd.DataFrame, np.ndarray]:
    """Every distinct adjective on its first three principal components (Figure C.4).

    Returns
    -------
    One row per word: word, pole (the first of `POLES` that lists it; "" for words of other
    dimensions), pc1, pc2, pc3; and the share of the variance that each component holds.
    """
    every = {}
    for dimension in (*POLES, *words.table["dimension"].unique()):
        for word, vector in zip(words.words(dimension), words.mean(dimension), strict=True):
            every.setdefault(word, (dimension if dimension in POLES else "", vector))
    points = np.stack([vector for _, vector in every.values()])
    left, strength, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    table = pd.DataFrame({"word": list(every), "pole": [pole for pole, _ in every.values()]})
    axes = dict(zip(("pc1", "pc2", "pc3"), (left[:, :3] * strength[:3]).T, strict=True))
    return table.assign(**axes), strength**2 / (strength**2).sum()


def silhouette(table: pd.DataFrame) -> float:
    """Silhouette of the words by pole on the three components of `cloud`; words in no pole left
    out."""
    inside = table[table["pole"] != ""]
    return float(silhouette_score(inside[["pc1", "pc2", "pc3"]], inside["pole"]))


def similarities(words: Adjectives) -> pd.DataFrame:
    """Cosines of pairs of words: within each pole, each pair of different words once; across the
    poles, all pairs.

    Returns
    -------
    One row per pair: dimension, kind ("within", "across"), pole ("" across), one, other (the two
    words), cosine.
    """
    rows = []
    for dimension, (plus, minus) in DIMENSIONS.items():
        vectors = {
            (pole, word): vector
            for pole in (plus, minus)
            for word, vector in zip(words.words(pole), words.mean(pole), strict=True)
        }
        own = {pole: [key for key in vectors if key[0] == pole] for pole in (plus, minus)}
        pairs = [
            *(("within", pole, pair) for pole in own for pair in combinations(own[pole], 2)),
            *(("across", "", pair) for pair in product(own[plus], own[minus])),
        ]
        rows += [
            {
                "dimension": dimension,
                "kind": kind,
                "pole": pole,
                "one": one[1],
                "other": other[1],
                "cosine": float(vectors[one] @ vectors[other]),
            }
            for kind, pole, (one, other) in pairs
        ]
    return pd.DataFrame(rows)


# --- Table C.3 ------------------------------------------------------------------------------------


def t_test(
    words: Adjectives, pole: str, other: str, *, average: bool, pairs: str, welch: bool
) -> float:
    """One-sided p of "cosines within a pole exceed those across the two".

    Parameters
    ----------
    average : whether a word's vectors are averaged over templates first; if not, templates are
        compared one by one.
    pairs : which pairs within the pole count: "once", "both ways", or "with itself" (both ways, and
        each word with itself).
    welch : whether variances may differ.

    Raises
    ------
    ValueError : an unknown choice of pairs.
    """
    one, cross = (
        words.mean(name)[:, None] if average else words.per_template(name) for name in (pole, other)
    )
    n = len(one)
    kept = {
        "once": np.triu(np.ones((n, n), bool), 1),
        "both ways": ~np.eye(n, dtype=bool),
        "with itself": np.ones((n, n), bool),
    }
    if pairs not in kept:
        raise ValueError(f"pairs={pairs!r}; there are {', '.join(kept)}")
    inner = np.einsum("itd,jtd->tij", one, one)[:, kept[pairs]].ravel()
    across = np.einsum("itd,jtd->tij", one, cross).ravel()
    return float(stats.ttest_ind(inner, across, equal_var=not welch, alternative="greater").pvalue)


def readings(words: Adjectives, choices: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Table C.3 under several readings of its test: a row per reading, a column per (dimension,
    sign)."""
    columns = {}
    for dimension, pair in DIMENSIONS.items():
        for sign, ordered in zip(SIGNS, (pair, pair[::-1]), strict=True):
            columns[dimension, sign] = {
                name: t_test(words, *ordered, **choice) for name, choice in choices.items()
            }
    return pd.DataFrame(columns)


def relabelled(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Within minus across under every way of calling `n` of the words of two poles positive, the
    poles' own first.

    Parameters
    ----------
    one, other : unit vectors `(n, d)` and `(m, d)` of the words of both poles.

    Returns
    -------
    `(relabellings, 3)`: of both poles (their mean), of the positive and of the negative one.
    """
    every = np.vstack([one, other])
    similar, n, total = every @ every.T, len(one), len(one) + len(other)
    picks = np.array(list(combinations(range(total), n)))
    positive = np.zeros((len(picks), total))
    np.put_along_axis(positive, picks, 1, axis=1)

    def inner(chosen: np.ndarray) -> np.ndarray:
        size = chosen[0].sum()
        return (((chosen @ similar) * chosen).sum(axis=1) - size) / (size * (size - 1))

    cross = ((positive @ similar) * (1 - positive)).sum(axis=1) / (n * (total - n))
    plus, minus = inner(positive) - cross, inner(1 - positive) - cross
    return np.stack([(plus + minus) / 2, plus, minus], axis=1)


def word_tests(words: Adjectives) -> pd.DataFrame:
    """Exact permutation tests with words as the unit.

    Returns
    -------
    One row per dimension and "both", "pos", "neg": dimension, pole, difference (within - across),
    relabellings, p (the share of relabellings with at least this difference), p_holm (over all
    rows).
    """
    rows = []
    for dimension, pair in DIMENSIONS.items():
        found = relabelled(*(words.mean(pole) for pole in pair))
        for kind, values in zip(("both", *SIGNS), found.T, strict=True):
            p = float(np.mean(values >= values[0] - 1e-12))
            rows.append(
                {
                    "dimension": dimension,
                    "pole": kind,
                    "difference": values[0],
                    "relabellings": len(values),
                    "p": p,
                }
            )
    table = pd.DataFrame(rows)
    return table.assign(p_holm=holm(table["p"]))


# --- Figure C.5 -----------------------------------------------------------------------------------


def correlations(seen: vb.Perception, weights: np.ndarray | None = None) -> pd.DataFrame:
    """Pearson's r of the two poles of a dimension over the images of each group, for three ways to
    read a cosine.

    Parameters
    ----------
    weights : `(resamples, n)`, how often each image counts; by default once.

    Returns
    -------
    One row per way, group and dimension: way, race, gender, dimension, r; with weights, r is an
    array `(resamples,)`."""
    rows, groups = [], seen.table.groupby(["race", "gender"], sort=False).indices
    for way, reading in WAYS.items():
        values = reading(seen)
        for (race, gender), index in groups.items():
            for dimension, pair in DIMENSIONS.items():
                x, y = values[list(pair)].to_numpy()[index].T
                own = np.ones((1, len(x))) if weights is None else weights[:, index]
                r = weighted_r(x, y, own)
                rows.append(
                    {
                        "way": way,
                        "race": race,
                        "gender": gender,
                        "dimension": dimension,
                        "r": r[0] if weights is None else r,
                    }
                )
    return pd.DataFrame(rows)


def weighted_r(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Pearson's r of `x` and `y`, `(n,)`, under each row of weights `(resamples, n)`."""
    share = weights / weights.sum(axis=1, keepdims=True)
    mean_x, mean_y = share @ x, share @ y
    covariance = share @ (x * y) - mean_x * mean_y
    return covariance / np.sqrt((share @ x**2 - mean_x**2) * (share @ y**2 - mean_y**2))


def covariances(seen: vb.Perception) -> pd.DataFrame:
    r"""What subtracting one baseline from both poles does to their covariance over images.

    .. math:: \operatorname{cov}(x - n, y - n) = \operatorname{cov}(x, y) - \operatorname{cov}(x, n)
        - \operatorname{cov}(y, n) + \operatorname{var}(n)

    Returns
    -------
    One row per dimension: dimension, raw, less_positive, less_negative, neutral_variance, delta
    (their sum).
    """
    raw, neutral, rows = seen.raw(), seen.neutral(), []
    for dimension, pair in DIMENSIONS.items():
        found = np.cov(np.stack([*raw[list(pair)].to_numpy().T, neutral]))
        terms = {
            "raw": found[0, 1],
            "less_positive": -found[0, 2],
            "less_negative": -found[1, 2],
            "neutral_variance": found[2, 2],
        }
        rows.append({"dimension": dimension} | terms | {"delta": sum(terms.values())})
    return pd.DataFrame(rows)


def highest(r: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    """Which group has the highest r, and how often it has where the identities are drawn anew.

    Parameters
    ----------
    r, again : `correlations` of the images, and under the weights of resamples.

    Returns
    -------
    One row per way and dimension: way, dimension, group, r, lowest (r of any group), same (share of
    resamples)."""
    rows = []
    for (way, dimension), own in r.groupby(["way", "dimension"], sort=False):
        first = int(own["r"].to_numpy().argmax())
        draws = np.stack(again.loc[own.index, "r"].to_list())
        rows.append(
            {
                "way": way,
                "dimension": dimension,
                "group": " ".join(own[["race", "gender"]].iloc[first]),
                "r": own["r"].max(),
                "lowest": own["r"].min(),
                "same": np.mean(draws.argmax(axis=0) == first),
            }
        )
    return pd.DataFrame(rows)


# --- what the appendix says -----------------------------------------------------------------------


def counts(words: Adjectives) -> dict[str, int]:
    """What can be counted in our copy of the word lists, by the id without "text_geometry."; no
    claims of the paper."""
    every = words.table.drop_duplicates(["dimension", "word"])
    per_pole = {pole: len(words.words(pole)) for pole in POLES}
    named = {
        f"words.{'-'.join(reversed(pole.split('_')))}": number for pole, number in per_pole.items()
    }
    return named | {
        "templates": words.templates,
        "appendix.templates": words.templates,
        "dimensions": int(every["dimension"].nunique()),
        "words.all": len(every),
        "words.distinct": int(every["word"].nunique()),
        "words.abc": sum(per_pole.values()),
        "words.warmth": len(words.words("warmth")),
        "words.competence": len(words.words("competence")),
    }


def of_words(headline: pd.Series, separations: float) -> dict[str, float | bool]:
    """Table C.3 and what is concluded from it: "close" if all six p exceed .05, "clustered" if a
    silhouette by pole is below .25.

    Parameters
    ----------
    headline : p by (dimension, sign), a row of `readings`.
    separations : see `silhouette`.
    """
    close = bool((headline > 0.05).all())
    table = {
        f"table_c3.{dimension}.{sign}": float(headline[dimension, sign])
        for dimension in DIMENSIONS
        for sign in SIGNS
    }
    return (
        table
        | dict.fromkeys(["never-lower", "caption", "close"], close)
        | {"clustered": separations < 0.25}
    )


def of_images(r: pd.DataFrame, *, groups_named: bool) -> dict[str, bool]:
    """What is read off Figure C.5, from raw cosines.

    Parameters
    ----------
    r : see `correlations`.
    groups_named : whether the images show the groups that the appendix names; if not, statements
        about them are left out.
    """
    raw = r[r["way"] == "raw"].pivot(index="dimension", columns=["race", "gender"], values="r")
    found = {
        "correlated": bool((raw > 0).all(axis=None)),
        "belief-strongest": raw.mean(axis=1).idxmax() == "belief",
        "communion-weakest": raw.mean(axis=1).idxmin() == "communion",
    }
    if not groups_named:
        return found
    by_race = raw.T.groupby(level="race").mean()
    return found | {
        "asian-men": all(raw.idxmax(axis=1) == pd.Series([("asian", "male")] * 3, raw.index)),
        "white-lower": bool((by_race.idxmin() == "white").all()),
    }


def hidden(r: pd.DataFrame) -> str:
    """In how many groups and dimensions raw scores of the two sides rise together over images, and
    what follows, as sentences.

    Parameters
    ----------
    r : see `correlations`.
    """
    raw = r.loc[r["way"] == "raw", "r"]
    hits = int((raw > 0).sum())
    if hits == len(raw):
        return (
            "With raw scores, all correlations are positive, as in the paper. If this model takes"
            " the two sides for opposites, what images have in common hides it."
        )
    if hits == 0:
        return (
            "With raw scores, none of the correlations is positive, unlike in the paper. So this"
            " model cannot show why they are positive there."
        )
    verb = "is" if hits == 1 else "are"
    return (
        f"With raw scores, {hits} of the {len(raw)} correlations {verb} positive, as in the paper."
    )


# --- retrained networks ---------------------------------------------------------------------------


def text_sides(
    vectors: Any, rows: Mapping[str, np.ndarray], expected: Mapping[float, pd.DataFrame]
) -> pd.DataFrame:
    """How alike the words of two dimensions are to each retrained network, plain and less the mean
    adjective.

    Parameters
    ----------
    vectors : with networks (column b) and word_vectors `(networks, words, d)`.
    rows : dimension → its words among the columns of word_vectors.
    expected : strength → what captions call for: correlations of the dimensions' log odds over
        faces.

    Returns
    -------
    One row per network, reading and dimension of `DIMENSIONS`: network, b, centred, dimension,
    across (mean cosine of words of its two poles), within (of different words of one pole, mean of
    both), expected, agreement (r over all pairs of the dimensions in `rows`, with what captions
    call for).
    """
    names, found = list(rows), []
    upper = np.triu_indices(len(names), 1)
    for number, b in enumerate(vectors.networks["b"]):
        wanted = expected[b].loc[names, names].to_numpy()
        for centred in (False, True):
            similar = alike(
                vectors.word_vectors[number].astype(float), list(rows.values()), centred=centred
            )
            agreement = np.corrcoef(similar[upper], wanted[upper])[0, 1]
            for dimension, (plus, minus) in (
                (key, map(names.index, pair)) for key, pair in DIMENSIONS.items()
            ):
                within = (similar[plus, plus] + similar[minus, minus]) / 2
                found.append(
                    {
                        "network": number,
                        "b": b,
                        "centred": centred,
                        "dimension": dimension,
                        "within": within,
                        "across": similar[plus, minus],
                        "expected": wanted[plus, minus],
                        "agreement": agreement,
                    }
                )
    return pd.DataFrame(found)


def alike(vectors: np.ndarray, rows: Sequence[np.ndarray], *, centred: bool) -> np.ndarray:
    """Mean cosine of different words of every two dimensions, `(dimensions, dimensions)`.

    Parameters
    ----------
    vectors : `(words, d)`.
    rows : the words of each dimension; a word may be in several.
    centred : whether the mean of all these words is subtracted first.
    """
    used = np.unique(np.concatenate(rows))
    moved = vectors - vectors[used].mean(axis=0) if centred else vectors
    unit = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    similar = unit @ unit.T
    np.fill_diagonal(similar, np.nan)
    return np.array([[np.nanmean(similar[np.ix_(one, other)]) for other in rows] for one in rows])


def image_sides(
    portraits: Any,
    networks: Any,
    images: Any,
    truth: Callable[[pd.DataFrame, float], pd.DataFrame],
) -> pd.DataFrame:
    """Correlation of the two poles over faces in each retrained network, for three ways to read a
    cosine.

    Parameters
    ----------
    portraits : networks, images, columns (with "neutral" and "adjectives") and scores
        `(networks, images, columns)`.
    networks, images : masks.
    truth : faces and strength → log odds of the poles, of each face.

    Returns
    -------
    One row per network, way and dimension: network, b, way, dimension, r, expected (r of the log
    odds), expected_centred (r of the log odds less their mean over all poles of the face).
    """
    columns, faces = list(portraits.columns), portraits.images[images].reset_index(drop=True)
    odds = {b: truth(faces, b) for b in portraits.networks.loc[networks, "b"].unique()}
    rows = []
    for number in np.flatnonzero(networks):
        b, scores = (
            portraits.networks["b"].iloc[number],
            portraits.scores[number][np.asarray(images)].astype(float),
        )
        less = {
            "raw": np.zeros(len(faces)),
            "delta": scores[:, columns.index("neutral")],
            "centred": scores[:, columns.index("adjectives")],
        }
        for dimension, (plus, minus) in DIMENSIONS.items():
            one, other = (scores[:, columns.index(pole)] for pole in (plus, minus))
            expected = np.corrcoef(odds[b][plus], odds[b][minus])[0, 1]
            own = odds[b].sub(odds[b].mean(axis=1), axis=0)
            rows += [
                {
                    "network": number,
                    "b": b,
                    "way": way,
                    "dimension": dimension,
                    "r": np.corrcoef(one - base, other - base)[0, 1],
                    "expected": expected,
                    "expected_centred": np.corrcoef(own[plus], own[minus])[0, 1],
                }
                for way, base in less.items()
            ]
    return pd.DataFrame(rows)
