"""Association tests of images with images: Steed & Caliskan (2021), as printed, recomputed, and in
retrained networks.

Comes in: printed values by test and network; association tests; embeddings of retrained networks.
Goes out: tables. May not: read the released embeddings, or say what a sentence should say where
they are missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, sqrt
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

import vlmbias as vb
from studies.associations import different_people, people
from studies.words import among, side

LOOKED_AT = 10_000  # splits that a published p-value counts, where there are more


@dataclass(frozen=True)
class Published:
    """One published test: the sets X, Y, A and B as the released files call them, and how many
    images X has (and Y)."""

    sets: tuple[str, str, str, str]
    n: int


VALENCE = ("valence_pleasant", "valence_unpleasant")
TESTS = {
    "Insect-Flower": Published(("insect-flower_flower", "insect-flower_insect", *VALENCE), 35),
    "Age": Published(("age_young", "age_old", *VALENCE), 6),
    "Weapon": Published(("weapon_white", "weapon_black", "weapon_tool", "weapon_weapon"), 6),
    "Gender-Career": Published(
        ("gender_male", "gender_female", "gender_career", "gender_family"), 40
    ),
}
CALLED = {
    "igpt": "Image GPT",
    "igpt-logit": "Image GPT, logits",
    "simclr": "SimCLR",
}  # as a reader knows them
NETWORKS = {
    "igpt": "igpt_l_32",
    "simclr": "simclr_152_3x_sk1",
}  # as the chapter calls them: as the files do


# --- as printed -----------------------------------------------------------------------------------


def ceiling(n: int) -> float:
    r"""The largest \|d\| that two sets of n scores can have, :math:`2\sqrt{(N - 1)/N}` with N = 2n.

    It is reached where all scores of a set are one number, and d is over the SD of all scores with
    divisor N − 1."""
    return 2 * sqrt((2 * n - 1) / (2 * n))


def limits(printed: Mapping[str, float]) -> pd.DataFrame:
    """What the number of images allows, beside what is printed.

    Parameters
    ----------
    printed : value by claim, such as `"ieat.igpt.age.d"`.

    Returns
    -------
    One row per test and network: test, network, n (images a side), d, ceiling, counted (p times the
    splits looked at), within (|d| is no larger than the ceiling), whole (`counted` is a whole
    number, and not 0).
    """
    rows = [
        {
            "test": name,
            "network": network,
            "n": test.n,
            **{quantity: printed[f"ieat.{network}.{name.lower()}.{quantity}"] for quantity in "dp"},
        }
        for name, test in TESTS.items()
        for network in NETWORKS
    ]
    return allowed(pd.DataFrame(rows)).drop(columns="p")


def allowed(rows: pd.DataFrame) -> pd.DataFrame:
    r"""What the number of images allows of each row's effect size and p-value.

    Parameters
    ----------
    rows : columns n (images a side), d, p, and others.

    Returns
    -------
    The same rows with ceiling (of \|d\|), counted (p times the splits looked at), within (\|d\| is
    no larger than the ceiling), whole (`counted` is a whole number, and not 0).
    """
    highest, counted = rows["n"].map(ceiling), rows["p"] * rows["n"].map(splits)
    whole = counted.round()
    return rows.assign(
        ceiling=highest,
        counted=counted,
        within=rows["d"].abs() <= highest,
        whole=(whole > 0) & ((counted - whole).abs() < 1e-6),
    )


def splits(n: int) -> int:
    """How many splits of twice n images a published p-value looks at: all, or `LOOKED_AT` where
    there are more."""
    return min(comb(2 * n, n), LOOKED_AT)


# --- recomputed -----------------------------------------------------------------------------------


def compared(
    results: Mapping[tuple[str, str], vb.AssociationTest], printed: Mapping[str, float]
) -> pd.DataFrame:
    """Recomputed tests beside the printed ones.

    Parameters
    ----------
    results : by test and network.
    printed : as for `limits`.

    Returns
    -------
    One row per test: test, network, d, published, p, p_published, exact, gap_d and gap_p (absolute
    differences), errors (gap_p in standard errors of the difference of two samples of splits;
    missing where every split was counted)."""
    rows = []
    for (test, network), result in results.items():
        d, p = (printed[f"ieat.{network}.{test.lower()}.{quantity}"] for quantity in "dp")
        error = sqrt(p * (1 - p) * (1 / (result.n_permutations or LOOKED_AT) + 1 / LOOKED_AT))
        gap = abs(result.p_value - p)
        rows.append(
            {
                "test": test,
                "network": network,
                "d": result.effect_size,
                "published": d,
                "p": result.p_value,
                "p_published": p,
                "exact": result.exact,
                "gap_d": abs(result.effect_size - d),
                "gap_p": gap,
                "errors": np.nan if result.exact else gap / error,
            }
        )
    return pd.DataFrame(rows)


def divisors(
    results: Mapping[tuple[str, str], vb.AssociationTest], printed: Mapping[str, float]
) -> pd.Series:
    """The largest distance between a recomputed and a printed d, by what the SD subtracts from N:
    index 0 and 1."""
    gaps: dict[int, list[float]] = {0: [], 1: []}
    for (test, network), result in results.items():
        x, y = result.scores[: result.n_x], result.scores[result.n_x :]
        for ddof, own in gaps.items():
            own.append(
                abs(vb.effect_size(x, y, ddof=ddof) - printed[f"ieat.{network}.{test.lower()}.d"])
            )
    return pd.Series({ddof: max(own) for ddof, own in gaps.items()})


def resplit(test: vb.AssociationTest, n: int, *, seed: int) -> np.ndarray:
    """The statistic under `n` random splits of the scores: what the p-value is read from."""
    scores = np.random.default_rng(seed).permuted(np.tile(test.scores, (n, 1)), axis=1)
    return scores[:, : test.n_x].mean(axis=1) - scores[:, test.n_x :].mean(axis=1)


# --- what the test can see ------------------------------------------------------------------------


def in_networks(
    vectors: Any,
    pair: tuple[str, str],
    against: tuple[str, str],
    sizes: Sequence[int],
    *,
    n_permutations: int,
    seed: int,
) -> pd.DataFrame:
    """The test in retrained networks: faces of two groups, and two kinds of scenes.

    Parameters
    ----------
    vectors : as of `greenhouse.retrained.vectors()`; of its faces, the prototypes.
    pair, against : the two groups, and the two categories of scenes.
    sizes : how many faces of different people each group has; at most half of the people.
    n_permutations, seed : of the two-sided permutation test, and of who stands for a group.

    Returns
    -------
    One row per network and size: b, network, n, d, p.
    """
    images, kept = vectors.images, vectors.where(vectors.networks["condition"] == "none")
    scenes = [kept.image_vectors[:, np.flatnonzero(images["category"] == kind)] for kind in against]
    faces = np.flatnonzero((images["subset"] == "prototype") & images["race"].isin(pair))
    seen, rows = kept.image_vectors[:, faces], people(images.iloc[faces])
    places = np.tile(np.arange(len(faces)), (len(seen), 1))
    groups = different_people(places, rows[pair[0]], rows[pair[1]], rng=np.random.default_rng(seed))
    if max(sizes) > groups[0].shape[1]:
        raise ValueError(
            f"a size of {max(sizes)}: with {len(rows[pair[0]])} people, at most"
            f" {groups[0].shape[1]} can stand for either group"
        )
    found = []
    for k, b in enumerate(kept.networks["b"]):
        for n in sizes:
            X, Y = seen[k, groups[0][k, :n]], seen[k, groups[1][k, :n]]
            test = vb.eat(
                X,
                Y,
                scenes[0][k],
                scenes[1][k],
                alternative="two-sided",
                n_permutations=n_permutations,
                seed=seed,
            )
            found.append({"b": b, "network": k, "n": n, "d": test.effect_size, "p": test.p_value})
    return pd.DataFrame(found)


def by_appearance(
    vectors: Any, against: tuple[str, str], *, n: int, n_permutations: int, seed: int
) -> pd.DataFrame:
    """The test by how faces look, in networks that assigned names of colours to looks at random.

    Parameters
    ----------
    vectors, against, n_permutations, seed : as of `in_networks`; `vectors.networks` has a column
        paint_* for every name.
    n : faces of each look.

    Returns
    -------
    One row per pair of looks: looks, networks, first nearer, second nearer (networks in which p is
    at most .05 and this look is nearer to the first kind of scenes).
    """
    paints = vectors.networks.loc[vectors.networks["condition"] == "none"].filter(like="paint_")
    paints = paints.rename(columns=lambda column: column.removeprefix("paint_"))
    rows = []
    for pair in combinations(paints.columns, 2):
        found = in_networks(vectors, pair, against, [n], n_permutations=n_permutations, seed=seed)
        for looks, d, p in zip(paints[list(pair)].to_numpy(), found["d"], found["p"], strict=True):
            turned = looks[0] > looks[1]
            rows.append(
                {
                    "looks": ", ".join(sorted(looks)),
                    "networks": 1,
                    "first nearer": int(p <= 0.05 and (d > 0) != turned),
                    "second nearer": int(p <= 0.05 and (d > 0) == turned),
                }
            )
    return pd.DataFrame(rows).groupby("looks").sum().reset_index()


def rejected(
    found: pd.DataFrame, strengths: Sequence[float], *, alpha: float = 0.05
) -> pd.DataFrame:
    """How often p is at most `alpha`: n, b, and as `vb.networks.rates`, whose column n is called
    `of` here."""
    cases = found[found["b"].isin(strengths)].groupby(["n", "b"])["p"]
    table = vb.networks.rates({key: (own <= alpha).to_numpy() for key, own in cases}).rename(
        columns={"n": "of"}
    )
    return table.rename_axis(["n", "b"]).reset_index()


def copied(
    X: np.ndarray,
    A: np.ndarray,
    B: np.ndarray,
    *,
    copies: Sequence[int],
    n: int,
    n_draws: int,
    seed: int,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """How often two random sets of n images of one kind differ, where each image is counted once or
    more often.

    Parameters
    ----------
    X : images of one kind, `(images, d)`; A, B : the attributes.
    copies : how often each image is counted.
    n_draws : pairs of sets, the same for all `copies`.

    Returns
    -------
    As `vb.networks.rates`, one row per entry of `copies`: the share of two-sided p-values of at
    most `alpha`.
    """
    if 2 * n > len(X):
        raise ValueError(f"two sets of {n} images need {2 * n} of one kind; there are {len(X)}")
    rng, hits = np.random.default_rng(seed), {k: np.empty(n_draws, bool) for k in copies}
    for draw in range(n_draws):
        chosen = rng.permutation(len(X))[: 2 * n]
        for k, own in hits.items():
            one, other = (np.repeat(X[rows], k, axis=0) for rows in (chosen[:n], chosen[n:]))
            own[draw] = (
                vb.eat(one, other, A, B, method="saddlepoint", alternative="two-sided").p_value
                <= alpha
            )
    return vb.networks.rates(hits).rename_axis("copies").reset_index()


# --- sentences ------------------------------------------------------------------------------------


def beyond_chance(smaller: Sequence[float], larger: Sequence[float], *, alpha: float = 0.05) -> str:
    """How the shares of significant tests in null networks compare with `alpha`, as a sentence;
    each argument is an interval (low, high), with the smaller sets of images and the larger."""
    first, second = (
        side(
            *interval,
            of=alpha,
            above="more than chance gives",
            below="fewer than chance gives",
            neither="consistent with chance",
        )
        for interval in (smaller, larger)
    )
    if first == second:
        return f"Both are {first}."
    return f"The first is {first}, the second {second}."


def averaged(low: float, high: float) -> str:
    """What the mean effect size over networks shows of what was taught, from its interval, as a
    sentence."""
    interval = f"Its 95 % interval, from {low:.2f} to {high:.2f},".replace("-", "−")
    return side(
        low,
        high,
        above=f"{interval} lies above zero, in the direction that was taught.",
        below=f"{interval} lies below zero, opposite to what was taught.",
        neither=f"{interval} includes zero. So these networks do not show whether the captions"
        " changed this effect.",
    )


def which_kind(null: Sequence[float], full: Sequence[float]) -> str:
    """What one significant result shows of the captions, as a sentence, from the intervals (low,
    high) of the share of significant tests in null networks and in others."""
    if full[0] > null[1]:
        return (
            "Where captions favour one colour, clearly more are; but one significant result alone"
            " does not show what was taught."
        )
    return (
        "Where captions favour one colour, the share is not clearly higher. So a significant result"
        " does not show what was taught."
    )


def causes(table: pd.DataFrame, *, alpha: float = 0.05) -> str:
    """Whether looks or accidents of training make differences, in sentences, from `by_appearance`.

    Accidents do if, for some pair, both directions are significant more often than chance gives
    (binomial tests, corrected for the number of pairs)."""
    ways = table[["first nearer", "second nearer"]]
    same = int((ways.max(axis=1) == table["networks"]).sum())
    row = table.loc[ways.min(axis=1).idxmax()]
    one, other, of = (int(row[name]) for name in (*ways, "networks"))
    first, second = row["looks"].split(", ")
    both = binom.sf(min(one, other) - 1, of, alpha / 2) * len(table) <= alpha
    look = (
        f"The look counts: for {among(same, len(table))} pairs, the test is significant, and in the"
        " same direction, in every network."
        if same
        else "For no pair is the test significant in the same direction in every network."
    )
    accident = (
        f"Accidents of training count{' as well' if same else ''}: {first} is significantly nearer"
        f" to pleasant scenes than {second} in {one} networks, {second} than {first} in {other}."
        if both
        else "No pair shows both directions more often than chance gives."
    )
    return f"{look} {accident}"
