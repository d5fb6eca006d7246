"""Worked examples of the pages on methods: what the definitions make of made-up numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, exp, sqrt

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import rel_entr

import vlmbias as vb
from studies import primers
from vlmbias.measures import permutation_tail, saddlepoint_tail
from vlmbias.measures.association import effect_size

# cosines of six images, three of flowers and three of insects, with two words of each kind
PLEASANT, UNPLEASANT = ["love", "peace"], ["pain", "dirt"]
COSINES = pd.DataFrame(
    {
        "rose": [0.27, 0.25, 0.20, 0.22],
        "tulip": [0.25, 0.25, 0.22, 0.24],
        "daisy": [0.24, 0.26, 0.23, 0.23],
        "wasp": [0.20, 0.22, 0.24, 0.24],
        "fly": [0.22, 0.22, 0.22, 0.24],
        "moth": [0.24, 0.22, 0.22, 0.22],
    },
    index=[*PLEASANT, *UNPLEASANT],
).T
FLOWERS, INSECTS = ["rose", "tulip", "daisy"], ["wasp", "fly", "moth"]
LOGIT_SCALE = 100  # of the CLIP models that OpenAI released
DEPTH = 4  # of the example of Skew@k
FEW, MANY = 500, 100_000  # labellings of the example of permutation, the observed one among them
FORTY = ((0, 0.25), (1, 0.22))  # seed and mean of each half of the forty scores
NULL_NETWORKS = (5, 10, 39, 99)
MARKED = pd.DataFrame(
    {"neutral": [0.24, 0.22, 0.25], "naming": [0.23, 0.22, 0.26]},
    index=["first", "second", "third"],
)


@dataclass(frozen=True)
class Example:
    """What a page prints: values by name, and tables whose cells are text."""

    values: Mapping[str, float]
    tables: Mapping[str, pd.DataFrame]


def association() -> Example:
    """Six images and four words: scores, and d by each convention."""
    pleasant, unpleasant = COSINES[PLEASANT].mean(axis=1), COSINES[UNPLEASANT].mean(axis=1)
    score = pleasant - unpleasant
    x, y = score[FLOWERS], score[INSECTS]
    everyone = COSINES.map("{:.2f}".format).assign(
        mean_pleasant=pleasant.map("{:.2f}".format),
        mean_unpleasant=unpleasant.map("{:.2f}".format),
        score=score.map("{:+.2f}".format),
    )
    everyone.index = [f"{name} ({'X' if name in FLOWERS else 'Y'})" for name in everyone.index]
    everyone.columns = [
        *(f"*{word}*" for word in COSINES),
        "mean, pleasant",
        "mean, unpleasant",
        "score *s*",
    ]
    everyone = everyone.rename_axis("image")
    sizes = {
        (pooled, ddof): float(effect_size(x, y, pooled=pooled, ddof=ddof))
        for pooled in (False, True)
        for ddof in (1, 0)
    }
    conventions = pd.DataFrame(
        [[f"{sizes[pooled, ddof]:.2f}" for ddof in (1, 0)] for pooled in (False, True)],
        index=["all scores together: $d$", "inside the groups: $d_p$"],
        columns=["variance over $n - 1$", "variance over $n$"],
    ).rename_axis("SD of")
    love = COSINES["love"]
    n = len(COSINES)
    values = {
        "x": x.mean(),
        "y": y.mean(),
        "difference": x.mean() - y.mean(),
        "sd": score.std(ddof=1),
        "d": sizes[False, 1],
        "smallest": min(sizes.values()),
        "largest": max(sizes.values()),
        "rose.pleasant": pleasant["rose"],
        "rose.unpleasant": unpleasant["rose"],
        "rose.score": score["rose"],
        "love.difference": love[FLOWERS].mean() - love[INSECTS].mean(),
        "love.d": float(effect_size(love[FLOWERS], love[INSECTS])),
        "divisor.six": 100 * (sqrt(n / (n - 1)) - 1),
        "divisor.many": 100 * (sqrt(200 / 199) - 1),
    }
    return Example(values, {"scores": everyone, "conventions": conventions})


def perception() -> Example:
    """Two faces of the figure: what their difference would mean in a perfect network."""
    faces = primers.FACES
    delta = faces["friendly"] - faces["neutral"]
    gap = delta["A"] - delta["B"]
    values = {
        "a.friendly": faces.loc["A", "friendly"],
        "a.neutral": faces.loc["A", "neutral"],
        "a": delta["A"],
        "b": delta["B"],
        "a.relative": 100 * delta["A"] / faces.loc["A", "neutral"],
        "gap": gap,
        "scale": LOGIT_SCALE,
        "logits": LOGIT_SCALE * gap,
        "times": exp(LOGIT_SCALE * gap),
    }
    return Example(values, {})


def ranking() -> Example:
    """The ranking of six: skews and divergences by hand, and NDKL among all orders."""
    score, group = primers.RANKED["score"], primers.RANKED["group"]
    first, second = primers.TWO
    n = len(group)
    skew = vb.skew_at_k(score, group, DEPTH)
    count = group.head(DEPTH).value_counts()
    six = pd.DataFrame(
        [score.map("{:.1f}".format).to_list(), group.to_list()],
        index=["cosine", "group"],
        columns=range(1, n + 1),
    ).rename_axis("rank")
    at_depth = pd.DataFrame(
        [[f"{count[name]}/{DEPTH}", "1/2", f"{skew[name]:+.3f}"] for name in primers.TWO],
        index=list(primers.TWO),
        columns=[f"share among the first {DEPTH}", "desired share", f"Skew@{DEPTH}"],
    ).rename_axis("group")
    share = (group == first).cumsum() / np.arange(1, n + 1)
    divergence = [rel_entr([one, 1 - one], 0.5).sum() for one in share]  # 0 · ln 0 counts as 0
    weight = 1 / np.log2(np.arange(1, n + 1) + 1)
    steps = pd.DataFrame(
        [
            share.map("{:.2f}".format).to_list(),
            (1 - share).map("{:.2f}".format).to_list(),
            [f"{one:.3f}" for one in divergence],
            [f"{one:.3f}" for one in weight],
        ],
        index=[f"share of {first}", f"share of {second}", "divergence $K_i$", "weight"],
        columns=range(1, n + 1),
    ).rename_axis("depth $i$")
    own, orders = float(vb.ndkl(score, group)), every_order(n, int((group == first).sum()))
    lowest, highest = min(orders, key=orders.__getitem__), max(orders, key=orders.__getitem__)
    found = np.array(list(orders.values()))
    among = pd.DataFrame(
        [
            [in_words(lowest, n), f"{found.min():.3f}"],
            ["mean over all orders", f"{found.mean():.3f}"],
            [", ".join(group), f"{own:.3f}"],
            [in_words(highest, n), f"{found.max():.3f}"],
        ],
        index=["lowest", "random", "our example", "highest"],
        columns=["order, from the top", "NDKL"],
    )
    values = {
        "first": skew[first],
        "second": skew[second],
        "times": exp(skew[first]),
        "max": float(vb.max_skew_at_k(score, group, DEPTH)),
        "sum": float(np.dot(divergence, weight)),
        "weights": float(weight.sum()),
        "ndkl": own,
        "orders": len(found),
        "reached": int((found >= own - 1e-12).sum()),
        "markedness": float(vb.markedness(MARKED["neutral"], MARKED["naming"])),
    }
    nearer = (MARKED["neutral"] > MARKED["naming"]).map({True: "yes", False: "no"})
    nearer[MARKED["neutral"] == MARKED["naming"]] = "no, a tie does not count"
    marked = MARKED.map("{:.2f}".format).assign(nearer=nearer).rename_axis("face")
    marked.columns = [
        "cosine with the neutral prompt",
        "cosine with the naming prompt",
        "neutral one nearer?",
    ]
    tables = {
        "six": six,
        "skew": at_depth,
        "ndkl": steps,
        "orders": among,
        "markedness": marked,
    }
    return Example(values, tables)


def every_order(n: int, size: int) -> dict[tuple[int, ...], float]:
    """NDKL of every order of n images, by the places of the `size` images of the first group."""
    score = np.arange(n, 0, -1)
    return {
        chosen: vb.ndkl(score, [rank in chosen for rank in range(n)])
        for chosen in combinations(range(n), size)
    }


def in_words(chosen: tuple[int, ...], n: int) -> str:
    """An order, from the top, by the names of the groups."""
    return ", ".join(primers.TWO[rank not in chosen] for rank in range(n))


def permutation() -> Example:
    """Twelve scores and forty: p by every method."""
    x, y = (np.array(group) for group in primers.SCORES)
    twelve, n = np.concatenate([x, y]), len(x)
    listed = pd.DataFrame(
        [[*map("{:.2f}".format, group), f"{group.mean():.3f}"] for group in (x, y)],
        index=["$X$, smiling", "$Y$, not smiling"],
        columns=[*(f"score {i}" for i in range(1, n + 1)), "mean"],
    ).rename_axis("images")
    first, second = (
        np.random.default_rng(seed).normal(mean, 0.05, 20).round(4) for seed, mean in FORTY
    )
    forty = np.concatenate([first, second])

    def tried(scores: np.ndarray, how_many: int, seed: int) -> str:
        size = len(scores) // 2
        return f"{tail(scores, size, n_permutations=how_many, seed=seed):.4f}"

    tail, formula = permutation_tail, saddlepoint_tail
    exact = tail(twelve, n)
    methods = pd.DataFrame(
        [
            [f"{exact:.4f}", f"too many: {comb(40, 20) / 1e9:.0f} billion ways"],
            *([tried(one, FEW, seed) for one in (twelve, forty)] for seed in (0, 1)),
            ["not needed", tried(forty, MANY, 0)],
            [f"{formula(one, len(one) // 2):.4f}" for one in (twelve, forty)],
            [
                f"{stats.ttest_ind(*two, equal_var=False, alternative='greater').pvalue:.4f}"
                for two in ((x, y), (first, second))
            ],
        ],
        index=[
            "count them all",
            *(f"{FEW - 1:,} at random, seed {seed}" for seed in (0, 1)),
            f"{MANY - 1:,} at random, seed 0",
            "saddlepoint formula",
            "Welch’s t-test",
        ],
        columns=["twelve scores", "forty scores"],
    ).rename_axis("method")
    ways = comb(2 * n, n)
    values = {
        "x": x.mean(),
        "y": y.mean(),
        "difference": x.mean() - y.mean(),
        "ways": ways,
        "reached": round(exact * ways),
        "p": exact,
        "both": round(tail(twelve, n, alternative="two-sided") * ways),
        "p_both": tail(twelve, n, alternative="two-sided"),
    }
    return Example(values, {"scores": listed, "methods": methods})


def targets() -> Example:
    """What a number of networks can show at best."""
    needed = pd.DataFrame(
        [
            [f"{stats.t.ppf(0.975, m - 1) / sqrt(m):.2f}", f"1/{m + 1} = {1 / (m + 1):.3f}"]
            for m in NULL_NETWORKS
        ],
        index=list(NULL_NETWORKS),
        columns=[
            "smallest mean that is significant at 5 %, in standard deviations over networks",
            "smallest possible p, with these as null networks",
        ],
    ).rename_axis("networks")
    return Example({}, {"needed": needed})


@cache
def example(page: str) -> Example:
    """The example of a page."""
    return EXAMPLES[page]()


EXAMPLES: dict[str, Callable[[], Example]] = {
    "association": association,
    "perception": perception,
    "ranking": ranking,
    "permutation": permutation,
    "targets": targets,
}
