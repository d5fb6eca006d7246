"""One figure for each page on the methods, of made-up numbers small enough to follow."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse.world import groups
from studies.overviews.illustration import Illustration
from vlmbias.figures import COLOURS, PALETTE, panels, style
from vlmbias.measures.association import effect_size

# scores of two groups of nine: the gap between their means, and their spread around them
GROUPS = ((0.10, 0.05), (0.01, 0.005), (0.10, 0.15))
FACES = pd.DataFrame(
    {"neutral": [0.20, 0.23, 0.22, 0.26], "friendly": [0.22, 0.235, 0.21, 0.25]}, index=list("ABCD")
)
TWO = groups.HUES[:2]
RANKED = pd.DataFrame(
    {
        "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
        "group": [TWO[0], TWO[0], TWO[1], TWO[0], TWO[1], TWO[1]],
    }
)
SCORES = ((0.31, 0.27, 0.24, 0.30, 0.22, 0.28), (0.23, 0.26, 0.20, 0.25, 0.19, 0.21))
NETWORKS, LEAN, NOISE, FEW, MANY = 12, 0.02, 0.05, 20, 500


def spread(gap: float, sd: float, n: int = 9) -> tuple[np.ndarray, np.ndarray]:
    """Two groups of scores with means that lie `gap` apart, evenly spaced, each with this SD
    (divisor n − 1)."""
    even = np.linspace(-1, 1, n)
    even *= sd / even.std(ddof=1)
    return even + gap / 2, even - gap / 2


def association() -> Illustration:
    """The same gap or the same effect size: what d is free of."""
    figure, ((axes,),) = panels(height=3.2)
    labels, sizes = [], []
    for row, (gap, sd) in enumerate(GROUPS):
        first, second = spread(gap, sd)
        sizes.append(float(effect_size(first, second)))
        labels.append(f"gap {gap:.2f}\nSD inside {sd:.3f}\nd = {sizes[-1]:.2f}")
        for scores, colour, lift, name in (
            (first, PALETTE[0], -0.12, "group X"),
            (second, PALETTE[1], 0.12, "group Y"),
        ):
            label = None if row else name
            axes.plot(
                scores, np.full(len(scores), row + lift), "o", color=colour, alpha=0.7, label=label
            )
            axes.plot(scores.mean(), row + lift, "|", color=colour, markersize=16)
    axes.set_yticks(range(len(GROUPS)), labels)
    axes.set_ylim(len(GROUPS) - 0.5, -0.5)
    axes.set_xlabel("score s(w)")
    figure.legend(loc="outside upper right", ncols=2)
    alike = [
        f"{one + 1} and {other + 1}"
        for one, other in combinations(range(len(sizes)), 2)
        if abs(sizes[one] - sizes[other]) < 0.005
    ]
    found = zip(GROUPS, sizes, strict=True)
    listed = ", ".join(
        f"gap {gap:.2f} with SD {sd:.3f} inside each group gives d = {d:.2f}"
        for (gap, sd), d in found
    )
    return Illustration(
        figure,
        f"Three pairs of groups of nine scores on one scale: {listed}.",
        "Three pairs of groups, one pair a row. Each dot is one score, each bar the mean of its"
        " group. As above, d divides the gap by the SD of all scores of its row. Rows"
        f" {', '.join(alike)} have the same effect size, though one gap is"
        f" {GROUPS[0][0] / GROUPS[1][0]:.0f} times the other. Rows 1 and 3 have the same gap.",
        "example",
    )


def perception() -> Illustration:
    """Cosines of four faces with two prompts, and what is left when one is subtracted."""
    figure, ((left, right),) = panels(1, 2, height=3.0)
    delta = FACES["friendly"] - FACES["neutral"]
    for column, colour, marker in (
        ("neutral", COLOURS["reference"], "s"),
        ("friendly", PALETTE[0], "o"),
    ):
        left.plot(FACES[column], FACES.index, marker, color=colour, label=column)
    left.set(xlabel="cosine", title="two prompts", ylabel="face")
    right.barh(FACES.index, delta, color=PALETTE[0])
    right.axvline(0, color=COLOURS["reference"], linewidth=1)
    right.set(xlabel="Δcos, friendly − neutral", title="the difference")
    for axes in (left, right):
        axes.margins(y=0.15)
        axes.invert_yaxis()
    figure.legend(loc="outside upper left", ncols=2)
    nearest, most = FACES["friendly"].idxmax(), delta.idxmax()
    listed = "; ".join(
        f"{face}: {row.neutral:.3f} and {row.friendly:.3f}, Δcos {delta[face]:+.3f}"
        for face, row in FACES.iterrows()
    )
    return Illustration(
        figure,
        f"Cosines of four faces with a neutral prompt and with “friendly”. {listed}.",
        f"Four faces. Face {nearest} lies nearest to “friendly”, and near to any sentence about a"
        f" person; its Δcos is {delta[nearest]:+.3f}. The largest Δcos, {delta[most]:+.3f}, is that"
        f" of face {most}.",
        "example",
    )


def ranking() -> Illustration:
    """Skew of the page's six faces at every k."""
    figure, ((axes,),) = panels(height=3.0)
    depths = range(1, len(RANKED) + 1)
    skews = pd.DataFrame({k: vb.skew_at_k(RANKED["score"], RANKED["group"], k) for k in depths}).T
    seen = skews.where(np.isfinite(skews))
    for group in TWO:
        axes.plot(depths, seen[group], "o-", color=COLOURS[group], label=group)
    absent = [k for k in depths if not np.isfinite(skews.loc[k, TWO[1]])]
    floor = float(seen.min().min()) - 0.25
    axes.plot(
        absent,
        [floor] * len(absent),
        "v",
        color=COLOURS[TWO[1]],
        label=f"{TWO[1]}: nobody yet, −∞",
    )
    axes.axhline(0, color=COLOURS["reference"], linewidth=1)
    axes.set(xlabel="k, faces taken from the top", ylabel="Skew@k")
    figure.legend(loc="outside upper left", ncols=3)
    skew = skews.map("{:+.3f}".format).where(np.isfinite(skews), "minus infinity")
    listed = "; ".join(
        f"k = {k}: " + ", ".join(f"{group} {skew.loc[k, group]}" for group in TWO) for k in depths
    )
    return Illustration(
        figure,
        f"Skew at every depth of a ranking of six. {listed}.",
        "Skew@k of both groups in the ranking of six, with equal shares desired. Its size depends"
        f" on k. At k = {len(RANKED)}, only the shares of the collection are left.",
        "example",
    )


def permutation() -> Illustration:
    """Every way to assign the labels of twelve scores, and where the observed one lies."""
    x, y = map(np.array, SCORES)
    everyone, n = np.concatenate([x, y]), len(x)
    total = everyone.sum()
    sums = np.array([everyone[list(chosen)].sum() for chosen in combinations(range(2 * n), n)])
    differences, observed = (2 * sums - total) / n, x.mean() - y.mean()
    reached = int((differences >= observed - 1e-12).sum())
    figure, ((axes,),) = panels(height=3.0)
    bins = np.linspace(-0.0805, 0.0805, 24)
    _, edges, _ = axes.hist(differences, bins=bins, color=COLOURS["reference"])
    axes.hist(
        differences[differences >= observed - 1e-12],
        bins=edges,
        color=PALETTE[1],
        label=f"at least as large: {reached}",
    )
    axes.axvline(observed, color=PALETTE[1], linestyle="--", label=f"observed: {observed:.3f}")
    axes.set(xlabel="mean of X − mean of Y", ylabel="ways to label them")
    figure.legend(loc="outside upper left", ncols=2)
    share = reached / len(differences)
    return Illustration(
        figure,
        f"A histogram of the difference of means over all {len(differences)} ways to assign the "
        f"labels of twelve scores; {reached} of them reach the observed {observed:.3f}.",
        f"Twelve scores, six a group. Of the {len(differences)} ways to assign the labels,"
        f" {reached} give a difference of at least {observed:.3f}; the observed labels are one of"
        f" them. p = {share:.4f}.",
        "example",
    )


def leans() -> pd.DataFrame:
    """Networks in which nothing was planted: each one's own lean, and its interval from few and
    from many images."""
    rng = np.random.default_rng(0)
    rows = []
    for network, lean in enumerate(rng.normal(0, LEAN, NETWORKS)):
        for n in (FEW, MANY):
            gaps = rng.normal(lean, NOISE, n)
            half = 1.96 * gaps.std(ddof=1) / np.sqrt(n)
            mean = gaps.mean()
            rows.append(
                {"network": network, "n": n, "mean": mean, "low": mean - half, "high": mean + half}
            )
    return pd.DataFrame(rows)


def targets() -> Illustration:
    """More images narrow what is known about each network, and leave networks apart."""
    table = leans()
    figure, grid = panels(1, 2, height=3.6, share_x=True, share_y=True)
    counts = {}
    for axes, n in zip(grid[0], (FEW, MANY), strict=True):
        own = table[table["n"] == n]
        apart = (own["low"] > 0) | (own["high"] < 0)
        counts[n] = int(apart.sum())
        axes.axvline(0, color=COLOURS["reference"], linewidth=1)
        for rows, colour in ((own[apart], PALETTE[1]), (own[~apart], PALETTE[0])):
            axes.hlines(rows["network"], rows["low"], rows["high"], color=colour)
            axes.plot(rows["mean"], rows["network"], "o", color=colour)
        axes.set(
            title=f"{n} pairs of images each",
            xlabel="difference of the groups",
            yticks=range(0, NETWORKS, 2),
            xticks=[-0.05, 0, 0.05],
        )
    grid[0, 0].set_ylabel("network")
    return Illustration(
        figure,
        f"Differences of two groups in {NETWORKS} invented networks that differ only by accident,"
        f" with 95 % intervals over images. With {FEW} pairs of images, {counts[FEW]} intervals"
        f" leave out zero; with {MANY}, {counts[MANY]}.",
        f"{NETWORKS} invented networks that differ only by accident. A point is the mean difference"
        " of one network between two groups, a line its 95 % interval over pairs of images. With"
        f" {FEW} pairs, {counts[FEW]} of the intervals leave out zero (orange); with {MANY} pairs,"
        f" {counts[MANY]} do.",
        "example",
    )


def figure(name: str) -> Illustration:
    """The figure of a page, in the house style."""
    with style():
        return FIGURES[name]()


FIGURES: dict[str, Callable[[], Illustration]] = {
    "association": association,
    "perception": perception,
    "ranking": ranking,
    "permutation": permutation,
    "targets": targets,
}
