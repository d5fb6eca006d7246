# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # The instrument, on real data
#
# *Calibration. Eight published association tests on photographs: audited as printed, and recomputed wherever the embeddings
# that their authors released are at hand.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Does the arithmetic of this book agree with published numbers, to the last digit, before it
# says anything about anyone's results?
#
# **In 20 minutes:** read the equations, the recomputation and the take-aways.
# **In 75 minutes:** also open one test, change the divisor, and do both exercises.
#
# **You need:** means, standard deviations, the idea of a permutation test. The primer
# [Embedding association tests](../../book/primers/association.md) starts from nothing.
#
# **Content note.** One test pairs photographs of Black and of White people with photographs of weapons and
# tools. No photograph is shown here.
# :::
#
# Before measuring anything that matters, weigh something whose weight is known. Steed and Caliskan
# {cite}`steed2021` adapted the implicit association test to image embeddings, published an effect size
# and a p-value for each test, *and released the embeddings of the photographs they used*. Their numbers can
# therefore be recomputed exactly, with no model to load and no image to obtain.
#
# **The measure.** Let $X$ and $Y$ be two sets of *targets* (say, flowers and insects) and $A$ and $B$ two sets
# of *attributes* (pleasant and unpleasant scenes), every one of them a vector. One item's differential
# association is
#
# $$s(w, A, B) = \operatorname{mean}_{a \in A} \cos(w, a) - \operatorname{mean}_{b \in B} \cos(w, b),$$
#
# and the test compares the two sets of targets ({cite:t}`caliskan2017`):
#
# $$d = \frac{\operatorname{mean}_{x \in X} s(x, A, B) - \operatorname{mean}_{y \in Y} s(y, A, B)}
#            {\operatorname{SD}_{w \in X \cup Y}\; s(w, A, B)}.$$
#
# The p-value asks how often a random split of $X \cup Y$ into two halves gives a difference at least as large.
# It speaks of *these* images seen by *this* network.
#
# :::{admonition} What this chapter does not do
# :class: important
# It validates our arithmetic. It does not examine any conclusion of the iEAT paper, nor any claim of the three
# papers that this book is about.
# :::

# %% tags=["parameters"]
models = ["igpt", "simclr"]  # which of the two released encoders: "igpt" (Image GPT), "simclr" (SimCLR)
ddof = 1  # degrees of freedom subtracted in the SD that d is divided by: 1 as published, 0 for the other habit
n_permutations = 10_000  # splits of X ∪ Y: every one where there are no more than this, else this many, observed one included
n_draws = 400  # Greenhouse: random tests drawn per group size in the third section
model = "greenhouse"  # Greenhouse: encoder trained with the planted associations
model_null = "greenhouse/b0"  # Greenhouse: its twin, trained with no association of hue or crest
seed = 0  # seed of every random draw below
results = "_build/results/calibration/ieat.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse.world import bias
from studies import words as said_as

claims = vb.ledger.table("calibration/ieat")

# %% [markdown]
# ## What the paper reports
#
# Four of the published tests can be recomputed from the released files, each in two networks: eight rows. The
# ledger holds what is printed for them.

# %% tags=["hide-input"]
# name of the test: (X, Y, A, B) as the released files call them, and the file stem of each side
TESTS = {
    "Insect-Flower": (
        "insect-flower_flower",
        "insect-flower_insect",
        "valence_pleasant",
        "valence_unpleasant",
    ),
    "Age": ("age_young", "age_old", "valence_pleasant", "valence_unpleasant"),
    "Weapon": ("weapon_white", "weapon_black", "weapon_tool", "weapon_weapon"),
    "Gender-Career": ("gender_male", "gender_female", "gender_career", "gender_family"),
}
FILES = {"igpt": "igpt_l_32", "simclr": "simclr_152_3x_sk1"}
TARGETS = {
    "Insect-Flower": 35,
    "Age": 6,
    "Weapon": 6,
    "Gender-Career": 40,
}  # images per target set

vb.ledger.show(claims)

# %% [markdown]
# ### An audit that needs no embedding
#
# A permutation p-value cannot be any number. With $n$ images on each side there are $C(2n, n)$ ways to split
# them, and p is a whole number of splits divided by how many were looked at: all of them where there are no
# more than 10,000, else 9,999 random ones plus the observed. So $p \times 924$ must be a whole number for
# six images a side, and $p \times 10{,}000$ for 35 or 40.
#
# An effect size cannot be any number either. If every score in $X$ were one constant and every score in $Y$
# another, $d$ would be $2\sqrt{(N-1)/N}$ with $N = 2n$ (for the divisor $N - 1$): **no data whatever can give
# a larger one**. With six images a side that ceiling is {glue:text}`ceiling:.3f`. Keep it in mind: an effect
# size near 2 says that two sets of scores do not overlap, not that they are far apart.

# %%
printed = claims.set_index("claim")["printed"].astype(
    float
)  # claim id → the value as printed
rows = []
for test in TESTS:
    for network in FILES:
        n = TARGETS[test]
        splits = math.comb(2 * n, n)
        looked_at = min(splits, 10_000)
        rows.append(
            {
                "test": test,
                "network": network,
                "images a side": n,
                "p × splits looked at": printed[f"ieat.{network}.{test.lower()}.p"]
                * looked_at,
                "|d|": abs(printed[f"ieat.{network}.{test.lower()}.d"]),
                "largest possible |d|": 2 * math.sqrt((2 * n - 1) / (2 * n)),
            }
        )
audit = pd.DataFrame(rows)
audit["a whole number"] = np.isclose(
    audit["p × splits looked at"], audit["p × splits looked at"].round(), atol=1e-6
)
audit["within the ceiling"] = audit["|d|"] <= audit["largest possible |d|"]
held = audit["a whole number"] & audit["within the ceiling"]
vb.note(ceiling=2 * math.sqrt(11 / 12), held=said_as.among(int(held.sum()), len(audit)))
audit.style.format(precision=3).hide(axis="index")

# %% [markdown]
# Both checks are passed by {glue:text}`held` rows.

# %% [markdown]
# ## The protocol, run on the released embeddings
#
# Each file holds one row per photograph. Reading them is the only step that needs the network, once: they
# carry a non-commercial share-alike licence, so this repository names them, verifies their checksums, and
# never stores them.


# %% tags=["needs-ieat-embeddings"]
def released(stem, network):
    """The released embeddings of one set of photographs, `(n, d)`."""
    table = pd.read_csv(
        vb.sources.path("ieat-embeddings", f"embeddings/{stem}_{FILES[network]}.csv"),
        index_col=0,
    )
    return table.drop(columns="img").to_numpy(float)


recomputed, tests = [], {}
for network in models:
    for test, stems in TESTS.items():
        X, Y, A, B = (released(stem, network) for stem in stems)
        result = vb.eat(X, Y, A, B, ddof=ddof, n_permutations=n_permutations, seed=seed)
        tests[test, network] = (X, Y, A, B, result)
        low, high = result.confidence_interval(n_resamples=999, seed=seed)
        recomputed.append(
            {
                "test": test,
                "network": network,
                "d": result.effect_size,
                "p": result.p_value,
                "low": low,
                "high": high,
                "exact": math.comb(len(X) + len(Y), len(X)) <= n_permutations,
                "splits": result.n_permutations,
                "dimensions": X.shape[1],
                "p (saddlepoint)": vb.eat(
                    X, Y, A, B, ddof=ddof, method="saddlepoint"
                ).p_value,
                "d published": printed[f"ieat.{network}.{test.lower()}.d"],
                "p published": printed[f"ieat.{network}.{test.lower()}.p"],
            }
        )
recomputed = pd.DataFrame(recomputed)

# %% tags=["needs-ieat-embeddings", "hide-input"]
gap_d = (recomputed["d"] - recomputed["d published"]).abs()
exact = recomputed["exact"]
gap_p = (recomputed["p"] - recomputed["p published"]).abs()
# standard error of the difference between two independent estimates from n_permutations draws each
noise = np.sqrt(
    2
    * recomputed["p published"]
    * (1 - recomputed["p published"])
    / recomputed["splits"]
)

fig = vb.figures.published_vs_recomputed(
    recomputed.rename(columns={"d published": "published", "d": "recomputed"}),
    published="published",
    recomputed="recomputed",
    label="test",
    group="network",
    quantity="effect size d",
)
vb.figures.show(
    fig,
    name="ieat-agreement",
    alt=f"{len(recomputed)} recomputed effect sizes against the published ones. The largest difference is {gap_d.max():.1e}.",
    caption="Published effect sizes against ours, from the released embeddings, and the difference between the two.",
    source=["real:ieat-embeddings", "paper:calibration"],
)

# %% tags=["needs-ieat-embeddings", "hide-input"]
for row in recomputed.itertuples():
    for quantity, value in (("d", row.d), ("p", row.p)):
        vb.ledger.record(
            f"ieat.{row.network}.{row.test.lower()}.{quantity}",
            value,
            results=results,
            stimuli="ieat",
            model=FILES[row.network],
        )
sampled = (gap_p / noise.where(noise > 0, np.inf))[~exact]
vb.note(gap={"d": gap_d.max(), "exact": gap_p[exact].max(), "sampled": sampled.max()}, recovered=said_as.among(int((gap_d < 1e-6).sum()), len(gap_d)))
shown = recomputed[
    [
        "test",
        "network",
        "d published",
        "d",
        "p published",
        "p",
        "exact",
        "p (saddlepoint)",
    ]
]
shown.style.format(precision=6, subset=["d published", "d"]).format(
    "{:.4g}", subset=["p published", "p", "p (saddlepoint)"]
).hide(axis="index")

# %% [markdown] tags=["needs-ieat-embeddings"]
# The effect sizes agree to {glue:text}`gap.d:.1e`, and the p-values that enumerate every split to
# {glue:text}`gap.exact:.1e`: rounding in the last bits. Where the published p was *drawn*, ours is drawn with
# other random numbers and may differ by Monte Carlo noise; the largest difference is
# {glue:text}`gap.sampled:.2f` standard errors. The last column needs no random numbers and no enumeration: it is
# the [saddlepoint approximation](../../book/primers/permutation.md) of the same permutation p-value.
#
# ### One test, opened
#
# An effect size and a p-value are two numbers from a picture that is worth seeing. Here is the first test in both
# networks: one dot per photograph, and below it the distribution that the p-value is read from.


# %% tags=["needs-ieat-embeddings", "hide-input"]
def scores(W, A, B):
    """s(w, A, B) of every row of W."""
    W, A, B = (M / np.linalg.norm(M, axis=1, keepdims=True) for M in (W, A, B))
    return (W @ A.T).mean(axis=1) - (W @ B.T).mean(axis=1)


opened = next(iter(TESTS))
first, second = opened.split("-")[1].lower() + "s", opened.split("-")[0].lower() + "s"
rng = np.random.default_rng(seed)
fig, axes = vb.figures.panels(2, len(models), height=5.0)
for column, network in enumerate(models):
    X, Y, A, B, result = tests[opened, network]
    sX, sY = scores(X, A, B), scores(Y, A, B)
    axis = axes[0, column]
    for height, values in ((1, sX), (0, sY)):
        axis.plot(
            values, height + rng.uniform(-0.18, 0.18, len(values)), "o", alpha=0.7
        )
        axis.plot(
            [values.mean()] * 2,
            [height - 0.33, height + 0.33],
            color="black",
            linewidth=2,
        )
    axis.set(
        yticks=[0, 1],
        yticklabels=[second, first] if column == 0 else [],
        ylim=(-0.5, 1.5),
        xlabel="s(w)",
        title=f"{network}: d = {result.effect_size:.2f}",
    )
    both, split = np.concatenate([sX, sY]), len(sX)
    orders = (rng.permutation(both) for _ in range(4000))
    axis = axes[1, column]
    axis.hist(
        [order[:split].mean() - order[split:].mean() for order in orders],
        bins=40,
        color="0.7",
    )
    axis.axvline(result.statistic, color="black", linewidth=2)
    axis.set(
        xlabel="mean s(X) − mean s(Y)",
        ylabel="random splits" if column == 0 else "",
        title=f"p = {result.p_value:.4f}",
    )
for axis in axes.flat:
    axis.xaxis.set_major_locator(plt.MaxNLocator(4))
vb.figures.show(
    fig,
    alt="Top: scores of every flower and insect photograph in each network, with their means. Bottom: the difference of means "
    "over 4,000 random splits, with the observed difference marked.",
    caption="One association test from the inside. Top: one dot per photograph, bars at the means. Bottom: differences of "
    "random splits (grey) and the observed one (line).",
    source="real:ieat-embeddings",
)

# %% [markdown]
# ## What this method can see
#
# Agreement with published numbers shows that we compute what others compute. It does not show what the computation
# *means*. For that we need a world in which the truth is known: the [Greenhouse](../greenhouse/gallery.ipynb), where
# networks learn from drawn faces in four hues and captions that we wrote. Nothing below is about people, nor about any real network.
#
# We take the same test, images against images: faces of two hues as targets, pleasant and unpleasant scenes as
# attributes. One network was trained on captions that favour hues (*planted*, $b = 1$), its twin on captions in which
# hue and crest change nothing ($b = 0$).

# %%
faces = vb.images("greenhouse/cfd")
scenes = vb.images(
    "greenhouse/icons", category=["pleasant", "unpleasant", "flower", "insect"]
)
planted, unplanted = vb.encoder(model), vb.encoder(model_null)
vectors = {
    name: (vb.embed(encoder, faces), vb.embed(encoder, scenes))
    for name, encoder in {
        "planted (b = 1)": planted,
        "nothing planted (b = 0)": unplanted,
    }.items()
}
hues = sorted(faces.table["race"].unique())
pairs = [(first, second) for i, first in enumerate(hues) for second in hues[i + 1 :]]


def sides(world, first, second):
    """The four sets of one test: faces of two hues, pleasant and unpleasant scenes."""
    people, places = vectors[world]
    group, kind = people.table["race"].to_numpy(), places.table["category"].to_numpy()
    return (
        people.vectors[group == first],
        people.vectors[group == second],
        places.vectors[kind == "pleasant"],
        places.vectors[kind == "unpleasant"],
    )


# %% [markdown]
# ### More pictures, same network
#
# Draw two random sets of hues, test, repeat; count how often p falls below .05. In a network that learned nothing about
# hue one might expect 5 %.

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
alarm = []
for world in vectors:
    for n in (6, 12, 35, 80):
        for first, second in pairs:
            X, Y, A, B = sides(world, first, second)
            draws = [
                [S[rng.choice(len(S), n, replace=False)] for S in (X, Y)]
                for _ in range(max(20, n_draws // len(pairs)))
            ]
            p_values = [
                vb.eat(
                    *draw, A, B, method="saddlepoint", alternative="two-sided"
                ).p_value
                for draw in draws
            ]
            alarm.append(
                {
                    "world": world,
                    "n": n,
                    "pair": f"{first}–{second}",
                    "share": np.mean(np.less(p_values, 0.05)),
                }
            )
alarm = pd.DataFrame(alarm)

sizes = sorted(alarm["n"].unique())
fig, axes = vb.figures.panels(1, 2, height=3.6, share_y=True)
for axis, (world, part) in zip(
    axes[0], alarm.groupby("world", sort=False), strict=True
):
    for pair, line in part.groupby("pair"):
        axis.plot(line["n"], line["share"], marker="o", label=pair)
    axis.axhline(0.05, color="0.4", linestyle=":")
    axis.set(xscale="log", xlabel="faces per hue", title=world, ylim=(-0.03, 1.03))
    axis.set_xticks(sizes, sizes, minor=False)
    axis.minorticks_off()
axes[0, 0].set_ylabel("share with p < .05")
fig.legend(*axes[0, 1].get_legend_handles_labels(), loc="outside upper left", ncols=3)
by_world = alarm[alarm["n"] == sizes[-1]].groupby("world")["share"]
vb.figures.show(
    fig,
    alt="Share of association tests with p below .05 against the number of faces per hue, one line per pair of hues, for the network "
    "with planted associations and its twin without. In both the share grows with the number of faces.",
    caption="How often the test says 'significant', by number of images. The dotted line is 5 %.",
    source="greenhouse",
)
null = by_world.agg(["min", "max"]).loc["nothing planted (b = 0)"]
vb.note(alarm=null, hues=len(hues), most=int(sizes[-1]))

# %% [markdown]
# At {glue:text}`most` faces per hue the tests on the network with *nothing planted* call between {glue:text}`alarm.min:.0%` and
# {glue:text}`alarm.max:.0%` of comparisons significant, depending on the pair of hues. This is not an error of the
# test. A p-value over images asks about **this network**: would new pictures show the same difference? In a particular
# trained network, two hues practically never sit at *exactly* the same distance from two sets of scenes, and with
# enough pictures any difference is found. What would be a false alarm is to conclude that the *training captions* were
# biased, or that a network trained again would show it. The test never looked at either. The chapter
# [Effect sizes across models](../pretraining/effect_sizes.ipynb) asks those questions with the right unit: networks.
#
# ### Breaking the assumptions, one at a time
#
# A permutation test treats the items as exchangeable pieces of evidence. Two ways in which they are not:

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
world = "nothing planted (b = 0)"
X, _, A, B = sides(world, *pairs[0])
icons = vectors["planted (b = 1)"][1]
flowers, insects = (
    icons.vectors[(icons.table["category"] == kind).to_numpy()]
    for kind in ("flower", "insect")
)
twelve = [rng.choice(len(X), 12, replace=False) for _ in range(n_draws)]
options = dict(method="saddlepoint", alternative="two-sided")
copies = []
for k, who in ((k, who) for k in (1, 2, 4, 8) for who in twelve):
    halves = (np.repeat(X[half], k, axis=0) for half in (who[:6], who[6:]))
    p_value = vb.eat(*halves, A, B, **options).p_value
    copies.append({"copies": k, "alarm": p_value < 0.05})
copies = pd.DataFrame(copies)
copies = copies.groupby("copies", as_index=False)["alarm"].mean()
A, B = (
    icons.vectors[(icons.table["category"] == kind).to_numpy()]
    for kind in ("pleasant", "unpleasant")
)
m, shares = min(len(flowers), len(insects)), np.linspace(0, 0.5, 6)
wrong = []
for share in np.repeat(shares, 20):
    X_, Y_, k = (
        rng.permutation(flowers)[:m],
        rng.permutation(insects)[:m],
        round(share * m),
    )
    swapped = np.concatenate([X_[k:], Y_[:k]]), np.concatenate([Y_[k:], X_[:k]])
    wrong.append(
        {"share": share, "d": vb.eat(*swapped, A, B, method="saddlepoint").effect_size}
    )
wrong = pd.DataFrame(wrong).groupby("share", as_index=False)["d"].mean()

fig, ((left, right),) = vb.figures.panels(1, 2, height=3.4)
left.plot(copies["copies"], copies["alarm"], marker="o")
left.axhline(0.05, color="0.4", linestyle=":")
left.set(
    xscale="log",
    ylim=(-0.03, 1.03),
    xlabel="times each picture is counted",
    ylabel="share with p < .05",
    title="Six against six of one hue",
)
left.set_xticks(copies["copies"], copies["copies"])
left.minorticks_off()
right.plot(wrong["share"], wrong["d"], marker="o", label="d")
right.plot(
    wrong["share"],
    wrong["d"].iloc[0] * (1 - 2 * wrong["share"]),
    linestyle=":",
    color="0.4",
    label="d × (1 − 2 share)",
)
right.set(
    xlabel="share of wrong labels",
    ylabel="effect size d",
    title="Flowers filed as insects",
)
right.legend()
vb.figures.show(
    fig,
    alt=f"Left: of tests between two random halves of twelve faces of one hue, {copies['alarm'].iloc[0]:.0%} have p below .05, and "
    f"{copies['alarm'].iloc[-1]:.0%} when each face is counted eight times. Right: effect size against the share of mislabelled flowers and insects, "
    f"from {wrong['d'].iloc[0]:.2f} to {wrong['d'].iloc[-1]:.2f}.",
    caption="Left: tests between two random halves of twelve faces of one hue, each face counted once or more often; dotted: 5 %. Right: wrong labels shrink d "
    "(mean of 20 random relabellings).",
    source="greenhouse",
)
intact, fifth = wrong["d"].iloc[0], wrong["d"].iloc[2]
falls = said_as.verb(abs(intact), above=abs(fifth), then="shrinks", else_="changes")
vb.note(copied={"1": copies["alarm"].iloc[0], "8": copies["alarm"].iloc[-1]})
vb.note(wrong={"none": intact, "fifth": fifth}, mislabelled=falls)

# %% [markdown]
# **Copies.** Here are two random halves of twelve faces of *one* hue: there is nothing to find. {glue:text}`copied.1:.0%` of such tests fall below .05; with every
# face counted eight times, {glue:text}`copied.8:.0%` do. Nothing new was seen. Several photographs of one person, frames of one film, or
# variations of one generated face are copies in this sense, which is why later chapters resample *identities*.
#
# **Wrong labels.** With a fifth of the flowers and insects filed under the other name, d = {glue:text}`wrong.none:.2f` {glue:text}`mislabelled` to
# {glue:text}`wrong.fifth:.2f`. (Which sign it has is up to this network: pictures against pictures are not what it was trained on.) Random wrong labels hide an association; they do not make one.

# %% [markdown]
# ## Where paper and code differ
#
# Nothing that we could find, for these rows. Two conventions are visible only in the numbers: d divides by the SD
# with $N - 1$ (`ddof=1`), and p counts the observed split as one of those looked at. Exercise 1 shows what the first
# changes; the audit above confirms the second.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run calibration/ieat -p ddof 0 -p n_permutations 100000
# ```
# The rerun goes into its own folder and prints how its numbers differ from the ones on this page.
# :::

# %% [markdown]
# ## Take-aways
#
# - An effect size has a ceiling, just below 2. Near it, d stops telling how large a difference is.
# - A p-value over images speaks of one network and of pictures like these; nothing else.
# - Counting a picture twice is not evidence. Decide what the independent unit is *before* testing.

# %% [markdown] tags=["needs-ieat-embeddings"]
# - The arithmetic is that of the published tests: {glue:text}`recovered` effect sizes are recovered to within 10⁻⁶, the largest difference is {glue:text}`gap.d:.1e`.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What the divisor changes
# :label: ieat-divisor
# Without computing anything again: if d uses the SD with $N$ instead of $N - 1$ (`ddof=0`), by what factor does it
# change for six images a side? For 35? Check it on a Greenhouse test.
# :::
#
# ```{solution-start} ieat-divisor
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
roles = bias.load().roles
X, Y, A, B = (S[:6] for S in sides("planted (b = 1)", roles["favoured"], roles["disfavoured"]))
ratio = vb.eat(X, Y, A, B, ddof=0).effect_size / vb.eat(X, Y, A, B, ddof=1).effect_size
print(f"six a side: {ratio:.4f}; 35 a side: {math.sqrt(70 / 69):.4f}")
assert math.isclose(ratio, math.sqrt(12 / 11), rel_tol=1e-9)

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} The smallest p that six pictures allow
# :label: ieat-smallest-p
# Two sets of six targets whose scores do not overlap at all: what is the exact one-sided p-value? Can any test of six
# against six survive a Bonferroni correction for 100 comparisons at .05? Build such data and test it.
# :::
#
# ```{solution-start} ieat-smallest-p
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
angle = np.concatenate([np.linspace(0.1, 0.2, 6), np.linspace(1.3, 1.4, 6)])
W = np.column_stack([np.cos(angle), np.sin(angle)])
smallest = vb.eat(W[:6], W[6:], np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])).p_value
print(f"p = {smallest:.6f} = 1/{round(1 / smallest)}; Bonferroni asks for {0.05 / 100}")
assert math.isclose(smallest, 1 / math.comb(12, 6)) and smallest > 0.05 / 100

# %% [markdown]
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A network has read flowers as pleasant and insects as unpleasant. Is that a bias? What would the answer have to
#    say about the use to which the network is put?
# 2. The same statistic is called an *association test* when it is about flowers and *bias* when it is about people.
#    What has to be added to the arithmetic for the second word to be justified?
