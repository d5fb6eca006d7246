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
# # Published numbers, checked: what are they about?
#
# *Calibration. Steed and Caliskan (2021): association tests of images with images.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Can the numbers that a study prints be results of the test that it describes? And if a number is right, what is it about?
#
# **What is checked.** Is every printed number possible? [We also compute eight published tests again from the released embeddings:
# {result}`calibration/ieat::recovered` effect sizes are recovered.]{.if-run} [We do not compute the tests again here: this needs embeddings that the authors released, and they were not downloaded.]{.if-not-run}
#
# **In 20 minutes:** {ref}`What the paper reports <ieat-found>`, {ref}`What one may doubt, and the answer in one figure <ieat-doubt>`,
# {ref}`What this means <ieat-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** means, standard deviations, the idea of a permutation test. The primer
# "[Embedding association tests](../../book/primers/association.md)" assumes no earlier knowledge.
#
# **Content note.** One test pairs photographs of Black and of White people with photographs of weapons and tools. No photograph is shown here.
# The faces on this page are drawings in invented colours, and stand for nobody.
# :::
#
# **The study.** {cite:t}`steed2021` carried a test from psychology over to models that turn a photograph into a list of numbers,
# its *embedding*. They published an effect size and a p-value for every such *embedding association test*.
#
# **The test.** Are photographs of flowers nearer to pleasant scenes, and photographs of insects nearer to unpleasant ones? The *score* of a photograph is its
# mean *cosine* with the pleasant scenes, minus its mean cosine with the unpleasant ones; a cosine is high if two embeddings point in similar directions. The effect size $d$ is the mean score of the flowers minus that of
# the insects, divided by the standard deviation (SD) of all scores.
#
# The p-value comes from a *permutation test*: if flowers and insects are split at random into two halves, how often is the difference
# at least as large as the observed one?
#
# :::{dropdown} The same as formulas
# Let $X$ and $Y$ be the two sets of *targets* (flowers and insects), and $A$ and $B$ the two sets of *attributes* (pleasant and unpleasant scenes).
# An image $w$ has the score
#
# $$\begin{aligned} s(w, A, B) ={}& \operatorname{mean}_{a \in A} \cos(w, a) \\
# &- \operatorname{mean}_{b \in B} \cos(w, b), \end{aligned}$$
#
# and the effect size is ({cite:t}`caliskan2017`)
#
# $$d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}
#            {\operatorname{SD}_{w \in X \cup Y}\; s(w)}.$$
# :::
#
# **What the authors conclude** is the title of their paper: "Image Representations Learned With Unsupervised Pre-Training Contain Human-like
# Biases". *Unsupervised* means that the models learned from photographs alone, without captions.

# %% tags=["parameters", "hide-input"]
models = ["igpt", "simclr"]  # which of the two released encoders, Image GPT and SimCLR; one of: igpt, simclr
ddof = 1  # degrees of freedom subtracted in the SD that d is divided by: 1 as published, 0 for the other habit; from 0 to 1
n_permutations = 10_000  # splits of X ∪ Y: every one where there are no more than this, else this many, observed one included; at least 1
n_draws = 400  # Greenhouse: random pairs of sets behind the figure on copies; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/calibration/ieat.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import math
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import binom

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import associations, tables, words
from studies.calibration import ieat
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (ieat-found)=
# ## What the paper reports: associations, from sets of few images
#
# The authors published {glue:text}`every.tests` tests, each made with two models, SimCLR and Image GPT. (Image GPT gives two embeddings; the second is marked *logits*.) Here are the results for flowers and insects, with the number of images on
# each side, $n$.

# %%
published = facts.table("ieat_results").rename(columns={"n_target": "n"})
flowers = published[published["test"] == "Insect-Flower"]
flowers = flowers.replace({"model": ieat.CALLED})
flowers[["test", "model", "n", "d", "p"]].round(4)

# %% [markdown]
# A $d$ above 0 has the direction that the authors expected. No point can lie beyond the dotted lines; the next section says why.

# %% tags=["hide-input"]
every = ieat.allowed(published)
possible = every[every["within"] & every["whole"]]
fig, ((axis,),) = vb.figures.panels(height=3.6)
sizes = np.arange(3, 43)
for sign in (1, -1):
    axis.plot(sizes, [sign * ieat.ceiling(n) for n in sizes], ls=":", color="0.4")
for aside, (network, own) in zip((-0.6, 0, 0.6), every.groupby("model"), strict=True):
    axis.plot(own["n"] + aside, own["d"], "o", alpha=0.7, label=ieat.CALLED[network])
axis.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
axis.set(xlabel="images on each side", ylabel="published effect size d")
fig.legend(loc="outside upper left", ncols=3)
vb.figures.show(
    fig, name="ieat-published",
    alt=f"{len(every)} published effect sizes over the number of images on each side, in two models (Image GPT with two embeddings), from {every['d'].min():.2f} to {every['d'].max():.2f}. "
    "Dotted lines show the largest that this number of images allows.",
    caption="Every published effect size, by the number of images on each side. Dotted: the largest that is possible.",
    source="published:ieat_results",
)
vb.note(
    every={
        "tests": every["test"].nunique(),
        "held": words.among(len(possible), len(every)),
        "strict": words.among(int((every["n"].map(ieat.splits) < ieat.LOOKED_AT).sum()), len(every)),
        "small": (every["p"] <= 0.05).mean(),
        "results": len(every),
        "p_min": every["p"].min(),
    },
    ceiling=ieat.ceiling(6),
)

# %% [markdown]
# Many tests find an association: p is at most .05 in {glue:text}`every.small:.0%` of the {glue:text}`every.results` results. If there were no associations, about 5 % would be
# that small.
#
# ### Are the printed numbers possible?
#
# Some numbers cannot be results of such a test. Take one with six images on each side:
#
# - *p counts splits.* Twelve images can be split into two halves in 924 ways. So p must be a whole number of splits, divided by 924.
# - *d has a ceiling.* If two sets of scores move apart, their difference grows. But so does the SD of *all* scores, by which $d$ is divided. The largest value of $d$ is {glue:text}`ceiling:.2f`. Near it, $d$ does not say how far apart the two sets are.

# %%
row = published[published["n"] == 6].iloc[0]
n_splits = math.comb(2 * 6, 6)  # ways to split twelve images into six and six
scores = np.repeat([1.0, 0.0], 6)  # d is largest if scores do not vary within a set
largest = (scores[:6].mean() - scores[6:].mean()) / scores.std(ddof=1)
print(f"p = {row['p'] * n_splits:.3f} of {n_splits} splits")
print(f"d = {row['d']:.3f}, at most {largest:.3f}")

assert n_splits == ieat.splits(6) and np.isclose(largest, ieat.ceiling(6))

# %% [markdown]
# We checked every result in this way: {glue:text}`every.held` are possible. This is a weak check, since a misprint can be a possible number, too. For large sets the authors tried 10,000 random splits. Then every printed p is possible, so the check of p can find errors in small sets only: in {glue:text}`every.strict` results.

# %% tags=["hide-input"]
claims = vb.ledger.table("calibration/ieat")
printed = claims.set_index("claim")["printed"].astype(float)
vb.ledger.show(claims)

# %% tags=["hide-cell"]
audit = ieat.limits(printed)
tables.readable(
    audit,
    precision=3,
    names=ieat.CALLED | {"counted": "p as a number of splits", "within": "d possible", "whole": "p possible"},
).format(precision=0, subset="counted").hide(axis="index")

# %% [markdown]
# (ieat-doubt)=
# ## What one may doubt, and the answer in one figure
#
# A p-value compares the real division of these images with random divisions of *the same images*, in *this* network. The title of the
# paper, however, is about what models *learn*. Does a small p show what a network was taught?
#
# We try it in our laboratory, the [Greenhouse](../../book/greenhouse/limits.md): small networks that we trained on drawn faces in four colours, each with
# a caption that we wrote. In some networks, captions speak more pleasantly of faces called {glue:text}`first` than of faces called {glue:text}`second`. In the others, the
# *null networks*, captions treat all colours alike. (The published models learned without captions. So the Greenhouse cannot say where *their* results come from.)
#
# The *names* of colours are assigned at random: faces called {glue:text}`first` may look violet in
# one network, and teal in another. Our p-values, unlike theirs, are two-sided, because in null networks we expect no direction.
#
# If, apart from chance, only captions could make p small, the test would be significant in about one null network in twenty. If it is in many more, a small p does not show what was taught.
#
# Here is the test by hand, in one null network, with six faces of each colour:

# %%
spoken = grammar.load()
pair = spoken.bias.roles["favoured"], spoken.bias.roles["disfavoured"]
vectors = retrained.vectors()  # embeddings of pictures, in networks trained alike
one = int(np.flatnonzero(vectors.networks["b"] == 0)[0])  # the first null network
seen, images = vectors.image_vectors[one].astype(float), vectors.images
one_crest = images["gender"] == images["gender"].iloc[0]
portraits = (images["subset"] == "prototype") & one_crest
X, Y = (seen[portraits & (images["race"] == colour)] for colour in pair)
A, B = (seen[images["category"] == scene] for scene in ("pleasant", "unpleasant"))


def nearness(faces, scenes):
    """The mean cosine of each face with the scenes."""
    lengths = np.linalg.norm(faces, axis=1)[:, None] * np.linalg.norm(scenes, axis=1)
    return (faces @ scenes.T / lengths).mean(axis=1)


twelve = np.vstack([X[:6], Y[6:12]])  # twelve different people
score = nearness(twelve, A) - nearness(twelve, B)
difference = score[:6].mean() - score[6:].mean()
halves = np.array([score[list(half)].mean() for half in combinations(range(12), 6)])
resplit = 2 * (halves - score.mean())  # the difference in each of the 924 splits
p = np.mean(np.abs(resplit) >= abs(difference) - 1e-12)
d = difference / score.std(ddof=1)
print(f"difference {difference:.3f}, d = {d:.2f}, p = {p:.3f}")

test = vb.eat(X[:6], Y[6:12], A, B, alternative="two-sided")
assert np.isclose(p, test.p_value) and np.isclose(difference, test.statistic, rtol=1e-4)

# %% [markdown]
# Now the same test in all networks, each with a new random choice of faces:

# %%
SCENES = ("pleasant", "unpleasant")
options = {"n_permutations": n_permutations, "seed": seed}
found = ieat.in_networks(vectors, pair, SCENES, sizes=[6, 12], **options)

p_values = found[found["b"].isin([0, 1])].groupby(["n", "b"])["p"]
rates = vb.networks.rates({group: (p <= 0.05).to_numpy() for group, p in p_values})
rates = rates.rename(columns={"n": "of"}).rename_axis(["n", "b"]).reset_index()

# %% [markdown]
# Compare the null networks with the dashed line.

# %% tags=["hide-input"]
called = {0: "null networks", 1: "one colour favoured"}
hits = {(row.n, called[row.b]): words.among(row.hits, row.of) for row in rates.itertuples()}
vb.figures.show(
    vb.figures.rates(rates.assign(n=rates["n"].map("{} faces a side".format), b=rates["b"].map(called)), rate="rate", low="low", high="high",
                     label="n", group="b", value_label="% of networks with p ≤ .05, 95 % intervals"),
    name="ieat-answer",
    alt="Share of networks in which the image test is significant. "
    + "; ".join(f"{n} a side, {b}: {hit}" for (n, b), hit in hits.items()) + ".",
    caption=f"Faces called {pair[0]} against faces called {pair[1]}, pleasant against unpleasant scenes. In null networks, captions treat both colours alike. Dashed: 1 network in 20.",
    source="greenhouse",
)
ends = rates.set_index(["n", "b"])
hit = {b: {n: words.among(ends.loc[(n, b), "hits"], ends.loc[(n, b), "of"]) for n in (6, 12)} for b in called}
vb.note(first=pair[0], second=pair[1], null=hit[0], favoured={6: hit[1][6]})
vb.holds(more_than_chance=bool(min(ends.loc[(n, 0), "low"] for n in (6, 12)) > 0.05),
         not_higher=bool(ends.loc[(6, 1), "low"] <= ends.loc[(6, 0), "high"]))

# %% [markdown]
# Even where the captions treat both colours alike, many tests are significant: {glue:text}`null.6` null networks with six faces of each colour, and
# {glue:text}`null.12` with twelve. [Both are more than chance gives.]{.holds #more_than_chance} [Where captions do favour one colour, the share is not clearly higher: with six faces, the test is significant in {glue:text}`favoured.6` networks. So a significant result does not show what was taught.]{.holds #not_higher}
#
# If captions do not make these differences, what does? It may be how the colours look, or an accident of training, such as the random start. So we compare faces in null
# networks by their looks, whatever they are called. If only the look counts, a difference has the same direction in every network. If only accidents
# count, either direction is about as frequent.
#
# Each row is a pair of looks. The last two columns count significant tests: with the first look nearer to pleasant scenes, or the second.

# %%
alike = vectors.networks[["b", "condition"]].eq([0, "none"]).all(axis=1)
null = vectors.where(alike)  # paint_amber: how the faces look that are called amber
names = null.networks.filter(like="paint_").columns.str.removeprefix("paint_")
counted = []
for named in combinations(names, 2):
    tests = ieat.in_networks(null, named, SCENES, sizes=[12], **options)
    look = null.networks[[f"paint_{name}" for name in named]].to_numpy()
    first = (tests["d"] > 0) == (look[:, 0] < look[:, 1])  # first: in the alphabet
    counted.append(pd.DataFrame({
        "looks": [", ".join(sorted(own)) for own in look], "networks": 1,
        "first nearer": (tests["p"] <= 0.05) & first,
        "second nearer": (tests["p"] <= 0.05) & ~first,
    }))
looks = pd.concat(counted).groupby("looks").sum().reset_index()
looks

# %% tags=["hide-input"]
ways = looks[["first nearer", "second nearer"]]
same = int((ways.max(axis=1) == looks["networks"]).sum())
both = looks.loc[ways.min(axis=1).idxmax()]  # the pair of looks with most of both directions
fewer = min(both["first nearer"], both["second nearer"])
first, second = both["looks"].split(", ")
vb.note(
    looks={
        "same": words.among(same, len(looks)),
        "first": first,
        "second": second,
        "one": int(both["first nearer"]),
        "other": int(both["second nearer"]),
    }
)
# accidents count if both directions are more frequent than by chance, corrected for the number of pairs
vb.holds(
    look_counts=same > 0,
    accidents_count=bool(binom.sf(fewer - 1, both["networks"], 0.025) * len(looks) <= 0.05),
)

# %% [markdown]
# [The look counts: for {glue:text}`looks.same` pairs, the test is significant, and in the same direction, in every network.]{.holds #look_counts} [Accidents of training count as well: in {glue:text}`looks.one` networks, {glue:text}`looks.first` is significantly nearer to pleasant scenes than {glue:text}`looks.second`; in {glue:text}`looks.other`, {glue:text}`looks.second` is significantly nearer.]{.holds #accidents_count}
#
# So the test itself makes no mistake: these networks do treat the pictures differently.
#
# ## The protocol, run on the released embeddings
#
# The authors released embeddings of their photographs. From them, four of the published tests can be computed again, each in two models. Their licence is non-commercial,
# so this book does not store them.

# %% tags=["needs-ieat-embeddings"]
if vb.sources.at_hand("ieat-embeddings"):

    @cache
    def released(stem, network):
        """The released embeddings of one set of photographs, `(n, d)`."""
        name = f"embeddings/{stem}_{ieat.NETWORKS[network]}.csv"
        file = vb.sources.path("ieat-embeddings", name)
        return pd.read_csv(file, index_col=0).drop(columns="img").to_numpy(float)

    sets = {
        (name, network): [released(stem, network) for stem in test.sets]
        for network in models
        for name, test in ieat.TESTS.items()
    }
    tests = {key: vb.eat(*own, ddof=ddof, **options) for key, own in sets.items()}
    recomputed = pd.DataFrame(
        [
            {
                "test": name,
                "network": network,
                "d": test.effect_size,
                "published": printed[f"ieat.{network}.{name}.d".lower()],
                "p": test.p_value,
                "p_published": printed[f"ieat.{network}.{name}.p".lower()],
                "exact": test.exact,
            }
            for (name, network), test in tests.items()
        ]
    )
    recomputed["p_saddlepoint"] = [
        vb.eat(*own, ddof=ddof, method="saddlepoint").p_value for own in sets.values()
    ]

# %% tags=["needs-ieat-embeddings", "hide-input"]
if vb.sources.at_hand("ieat-embeddings"):
    shown = recomputed[["test", "network", "published", "d", "p_published", "p", "exact", "p_saddlepoint"]]
    names = ieat.CALLED | {"p_published": "p, published", "p_saddlepoint": "p, saddlepoint"}
    shown = tables.readable(shown, precision=6, names=names).hide(axis="index")
    display(
        shown.format(
            lambda p: f"{p:.4f}" if p >= 1e-4 else tables.p_value(p),
            subset=["p_published", "p", "p_saddlepoint"],
        )
    )

# %% tags=["needs-ieat-embeddings"]
if vb.sources.at_hand("ieat-embeddings"):
    for row in recomputed.itertuples():
        for quantity, value in (("d", row.d), ("p", row.p)):
            vb.ledger.record(
                f"ieat.{row.network}.{row.test.lower()}.{quantity}", value,
                results=results, stimuli="ieat", model=ieat.NETWORKS[row.network],
            )

# %% tags=["needs-ieat-embeddings", "hide-input"]
if vb.sources.at_hand("ieat-embeddings"):
    gap_d = (recomputed["d"] - recomputed["published"]).abs()
    vb.figures.show(
        vb.figures.published_vs_recomputed(
            recomputed.replace({"network": ieat.CALLED}),
            published="published",
            recomputed="d",
            label="test",
            group="network",
            quantity="effect size d",
        ),
        name="ieat-agreement",
        alt=f"{len(recomputed)} recomputed effect sizes against the published ones. The largest difference is "
        f"{gap_d.max():.1e}.",
        caption="Published effect sizes against ours, from the released embeddings, and the difference between the two.",
        source=["real:ieat-embeddings", "paper:calibration"],
    )

# %% tags=["needs-ieat-embeddings", "hide-input"]
if vb.sources.at_hand("ieat-embeddings"):
    p, gap_p = recomputed["p_published"], (recomputed["p"] - recomputed["p_published"]).abs()
    splits = [test.n_permutations or ieat.LOOKED_AT for test in tests.values()]
    errors = gap_p / np.sqrt(
        p * (1 - p) * (1 / np.array(splits) + 1 / ieat.LOOKED_AT)
    )  # of two samples of splits
    exact = gap_p[recomputed["exact"]].max()
    halves = [(test.scores[: test.n_x], test.scores[test.n_x :]) for test in tests.values()]
    apart = pd.Series(
        {
            k: np.abs([vb.effect_size(*own, ddof=k) for own in halves] - recomputed["published"]).max()
            for k in (0, 1)
        }
    )
    own = recomputed[recomputed["exact"]]
    n_splits = np.array(splits)[recomputed["exact"]]
    others = own["p"] * n_splits - 1  # splits at least as extreme, without the observed one
    counted = int(np.isclose(own["p"], own["p_published"], rtol=1e-9).sum())
    not_counted = sum(np.isclose(others / n, own["p_published"], rtol=1e-9) for n in (n_splits, n_splits - 1))
    not_counted = int((not_counted > 0).sum())
    vb.note(
        exactly=exact if np.isnan(exact) else "exactly" if exact <= 1e-12 else f"to {exact:.1e}",
        gap={"d": gap_d.max(), "exact": exact, "sampled": errors[~recomputed["exact"]].max()},
        recovered=words.among(int((gap_d < 1e-6).sum()), len(recomputed)),
        divisor={
            "best": ["N", "N − 1"][int(apart.idxmin())],
            "one": apart[1],
            "zero": apart[0],
            "observed": None if own.empty else "with" if counted > not_counted else "without",
            "counted": words.among(counted, len(own)),
            "not_counted": words.among(not_counted, len(own)),
        },
    )

# %% [markdown] tags=["needs-ieat-embeddings"]
# Our effect sizes agree with the published ones to {glue:text}`gap.d:.1e`. [The p-values that count every split agree {glue:text}`exactly`.]{.if-run} Other
# published p-values are from random splits. Ours use other random splits, so small differences are expected. The largest is {glue:text}`gap.sampled:.2f` standard errors of a difference between two such p-values. (The last column of the
# table needs no random splits: it is the [saddlepoint approximation](../../book/primers/permutation.md) of the same p-value.)
#
# ### One test, opened
#
# Here is the first test in both networks.

# %% tags=["needs-ieat-embeddings", "hide-input"]
if vb.sources.at_hand("ieat-embeddings"):
    rng, named = np.random.default_rng(seed), ("flowers", "insects")
    opened = {network: tests["Insect-Flower", network] for network in models}
    fig, axes = vb.figures.panels(2, len(models), height=5.0)
    for (network, test), top, below in zip(opened.items(), *axes, strict=True):
        for height, values in ((1, test.scores[: test.n_x]), (0, test.scores[test.n_x :])):
            top.plot(values, height + rng.uniform(-0.18, 0.18, len(values)), "o", alpha=0.7)
            top.plot([values.mean()] * 2, [height - 0.33, height + 0.33], color="black", lw=2)
        top.set(
            yticks=[1, 0],
            yticklabels=named if top is axes[0, 0] else [],
            ylim=(-0.5, 1.5),
            xlabel="s(w)",
            title=f"{ieat.CALLED[network]}: d = {test.effect_size:.2f}",
        )
        splits = np.random.default_rng(seed).permuted(np.tile(test.scores, (4_000, 1)), axis=1)
        below.hist(
            splits[:, : test.n_x].mean(axis=1) - splits[:, test.n_x :].mean(axis=1), bins=40, color="0.7"
        )
        below.axvline(test.statistic, color="black", lw=2)
        below.set(xlabel="mean s(X) − mean s(Y)", title=f"p = {test.p_value:.4f}")
        for axis in (top, below):
            axis.locator_params(axis="x", nbins=4)
    axes[1, 0].set_ylabel("random splits")
    vb.figures.show(
        fig,
        name="ieat-opened",
        alt="Top: scores of every flower and insect photograph, with their means; "
        + "; ".join(
            f"d = {test.effect_size:.2f} in {ieat.CALLED[network]}" for network, test in opened.items()
        )
        + ". Bottom: the difference of means over random splits, with the observed difference marked.",
        caption="One association test from the inside. Top: one dot per photograph, bars at the means. Bottom: differences of random splits (grey), observed one (line).",
        source="real:ieat-embeddings",
    )

# %% [markdown]
# ## What this method can see
#
# ### What was taught: a question about many networks
#
# How can one see what captions do? We return to the names {glue:text}`first` and {glue:text}`second`, with twelve faces of each.

# %% tags=["hide-cell"]
larger = found[found["n"] == found["n"].max()]
over = vb.networks.summary({b: own["d"].to_numpy() for b, own in larger.groupby("b")})
over.loc[[0, 1], ["n", "mean", "low", "high", "sd"]].round(2)

# %% [markdown]
# In the figure, *strength* says how much captions favour {glue:text}`first`: not at all at 0 (the null networks), most at 1 ({glue:text}`full_n` networks). Compare the spread of the dots at 0 with the mean at 1.

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.dose_response(larger, dose="b", responses={"d": "effect size d, images with images"}, dose_label="strength with which captions favour one colour"),
    name="ieat-networks",
    alt=f"Effect size of the image test in {len(larger)} networks over the strength. At 0 it varies over networks with an SD of "
    f"{over['sd'].iloc[0]:.1f} around {over['mean'].iloc[0]:.1f}, at 1 with {over['sd'].iloc[-1]:.1f} around {over['mean'].iloc[-1]:.1f}.",
    caption=f"Each dot is a network: d of faces called {pair[0]} against faces called {pair[1]}, with pleasant against unpleasant scenes, {larger['n'].max()} faces a side. Line: means.",
    source="greenhouse",
)
null, full = over.loc[0.0], over.loc[1.0]
vb.note(full_n=int(full["n"]), spread=null["sd"], middle=larger.loc[larger["b"] == 0, "d"].abs().median(),
        shown=full["mean"])
vb.holds(includes_zero=bool(full["low"] <= 0 <= full["high"]))

# %% [markdown]
# Single networks differ a lot. Half of the null networks have an effect size beyond ±{glue:text}`middle:.1f`, some above zero and some below. In a mean over networks, looks and accidents tend to cancel. Where
# captions favour {glue:text}`first` most, the mean $d$ is {glue:text}`shown:.2f`.
# [Its 95 % interval includes zero. So these networks do not show whether the captions changed this effect.]{.holds #includes_zero}
#
# ### When pictures are copied
#
# The test assumes that each picture is counted once. In one null network, we compare two random sets of six faces of one colour, many times. About 5 % of these tests should be significant. Then we count each face several times.

# %%
rng = np.random.default_rng(seed)
small = {times: [] for times in (1, 2, 4, 8)}  # whether p ≤ .05
for _ in range(n_draws):
    chosen = rng.permutation(len(X))[:12]
    for times in small:
        sixes = (np.repeat(X[own], times, axis=0) for own in (chosen[:6], chosen[6:]))
        test = vb.eat(*sixes, A, B, method="saddlepoint", alternative="two-sided")
        small[times].append(test.p_value <= 0.05)
copies = vb.networks.rates({times: np.array(hits) for times, hits in small.items()})
copies = copies.rename_axis("copies").reset_index()

# %% tags=["hide-cell"]
scores = [vb.association_scores(own, A, B) for own in (X, Y)]
shares = np.linspace(0, 0.5, 6)
labels = associations.misfiled(*scores, shares, n_draws=100, seed=seed, pooled=False)
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.4)
left.vlines(copies["copies"], 100 * copies["low"], 100 * copies["high"], color=vb.figures.PALETTE[0])
left.plot(copies["copies"], 100 * copies["rate"], "o-", color=vb.figures.PALETTE[0])
left.axhline(5, color="0.4", ls=":")
left.set(
    title="1. Copies",
    xlabel="times each image is counted",
    ylabel="% with p ≤ .05",
    xticks=copies["copies"],
    ylim=(0, 100),
    yticks=range(0, 101, 20),
)
right.plot(labels["share"], labels["d"], "o-", label="d")
right.plot(
    labels["share"],
    labels["d"].iloc[0] * (1 - 2 * labels["share"]),
    ls=":",
    color="0.4",
    label="d × (1 − 2 share)",
)
right.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
right.set(title="2. Wrong labels", xlabel="share of wrong labels", ylabel="effect size d")
fig.legend(*right.get_legend_handles_labels(), loc="outside upper right", ncols=2)
few, many = copies.iloc[0], copies.iloc[-1]
vb.figures.show(
    fig,
    name="ieat-foils",
    alt=f"Left: two random sets of six faces of one colour differ with p ≤ .05 in {few['rate']:.0%} of tests, and in {many['rate']:.0%} where each face is counted "
    f"eight times. Right: effect size against the share of wrong labels, from {labels['d'].iloc[0]:.2f} to {labels['d'].iloc[-1]:.2f}.",
    caption="Left: tests between two random sets of six faces of one colour, with 95 % intervals; dotted: 5 %. Right: faces of two colours; a share of each is given "
    "the other colour's name.",
    source="greenhouse",
)
vb.note(copied={"1": few["rate"], "8": many["rate"]})
vb.holds(copies_count=bool(many["low"] > few["high"]))

# %% [markdown]
# Of the tests with single faces, {glue:text}`copied.1:.0%` are significant. If each face is counted eight times,
# {glue:text}`copied.8:.0%` are. [Nothing new was seen, yet the p-values fall.]{.holds #copies_count} Ten photographs of one person, too, are weaker evidence than photographs of ten people. This is why later chapters count *people*, and not pictures.
#
# (ieat-means)=
# ## What this means
#
# **For the paper.** Of its printed results, {glue:text}`every.held` are possible. Each p-value speaks of these photographs and of one model. Alone, it does not say
# where a difference comes from: from what the photographs show, from light or colour, or from an accident of training.
#
# ## Where paper and code differ
#
# The equations leave two choices open. [The published results decide both: $d$ comes out with the divisor {result}`calibration/ieat::divisor.best`, and p {result}`calibration/ieat::divisor.observed` the observed split.]{.if-run} [The embeddings that the authors released decide both for the published results: they come out as we assume below. (A test of this book computes it. For this edition, the embeddings were not downloaded.)]{.if-not-run} With either choice, what we call possible remains possible.
#
# :::{dropdown} The two choices, and what we assume
# - Does p count the observed split as one of the splits? We assume that it does. If not, p could be 0. The smallest printed p is {glue:text}`every.p_min:.4f`: this
#   fits our answer, but does not prove it.
# - Does $d$ divide by an SD with $N$ or with $N - 1$, where $N$ is the number of all images? We assume $N - 1$. With $N$, the ceiling of $d$ would be 2
#   for any number of images. {numref}`ieat-divisor` shows how much it matters.
# :::

# %% [markdown] tags=["needs-ieat-embeddings"]
# The published effect sizes come out with {glue:text}`divisor.best`: with $N - 1$ they differ from ours by at most {glue:text}`divisor.one:.1e`, with $N$ by up to
# {glue:text}`divisor.zero:.1e`. [Of the p-values for which every split can be counted, {glue:text}`divisor.counted` come out if the observed split is one of them, and {glue:text}`divisor.not_counted` if it is not.]{.if-run}

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run calibration/ieat -p ddof=0 -p n_permutations=100000
# ```
# [](../../book/rerun.md) says what comes out.
# :::

# %% [markdown]
# ## Take-aways
#
# - A p-value over images is about one network and these images; it can be right, and still say nothing about what was taught.
# - A claim about training needs several networks, with one value from each ([an example](../pretraining/effect_sizes.ipynb)), since a difference can come from how pictures look.
# - An effect size over the SD of all scores has a ceiling, about 2; near it, $d$ does not tell how large a difference is.
# - A picture that is counted twice is no new evidence, so decide what one observation is *before* testing.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What the divisor changes
# :label: ieat-divisor
# :level: introductory
# :minutes: 10
# :code: no
# Without computing anything again: if d uses the SD with $N$ instead of $N - 1$ (in numpy: `ddof=0`), by what factor does it change for six images a side? For 35?
# :::
#
# ```{solution-start} ieat-divisor
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
ratio = vb.eat(X[:6], Y[:6], A, B, ddof=0).effect_size / vb.eat(X[:6], Y[:6], A, B, ddof=1).effect_size
print(f"six a side: {ratio:.4f}; 35 a side: {math.sqrt(70 / 69):.4f}")
assert math.isclose(ratio, math.sqrt(12 / 11), rel_tol=1e-9)

# %% [markdown]
# The numerator does not change. The SD gets smaller by the factor $\sqrt{(N-1)/N}$, and so $d$
# larger by $\sqrt{N/(N-1)}$, where $N$ counts both sets together: twelve, or seventy. With a few dozen images a side nobody would notice.
#
# ```{solution-end}
# ```
#
# :::{exercise} The smallest p that six pictures allow
# :label: ieat-smallest-p
# :level: intermediate
# :minutes: 15
# :code: no
# The scores of two sets of six images do not overlap at all: what is the exact one-sided p-value? A *Bonferroni correction* divides .05 by the number of tests.
# Can any test of six against six survive it, with 100 tests?
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
# Of all ways to split twelve scores into six and six, only one gives a difference as large as that of two sets that do not overlap: the observed one.
# So the smallest p is one over the number of splits, whatever the scores are. Bonferroni asks for less than that: no test of six against six can
# survive it, however strong the association.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A network has read flowers as pleasant and insects as unpleasant. Is that a bias? What would the answer have to
#    say about the use to which the network is put?
# 2. The same statistic is called an *association test* when it is about flowers and *bias* when it is about people.
#    What has to be added to the arithmetic for the second word to be justified?
