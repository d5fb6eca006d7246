"""Association tests of images with images (Steed & Caliskan, 2021): what the number of images
allows, and the test in retrained networks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import Any

import numpy as np
import pandas as pd

import vlmbias as vb
from studies.associations import different_people, people

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
