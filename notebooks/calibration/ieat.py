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
# *Calibration. Eight published association tests on photographs: audited as printed, and recomputed wherever the embeddings that their authors
# released are at hand.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Does the arithmetic of this book agree with published numbers, to the last digit, before it says anything about anyone's results? And
# what does a number that agrees tell us?
#
# **In 20 minutes:** {ref}`the answer in one figure <ieat-answer>`, the equations, the audit, the take-aways. **In 75 minutes:** also open one test, break
# two assumptions, and do both exercises.
#
# **You need:** means, standard deviations, the idea of a permutation test. The primer
# [Embedding association tests](../../book/primers/association.md) starts from nothing.
#
# **Content note.** One test pairs photographs of Black and of White people with photographs of weapons and tools. No photograph is shown here. The faces
# on this page are drawings of fictional groups; they stand for nobody.
# :::
#
# Before measuring anything that matters, weigh something whose weight is known. {cite:t}`steed2021` adapted the implicit association test to image
# embeddings, published an effect size and a p-value for each test, *and released the embeddings of the photographs they used*. Their numbers can therefore
# be recomputed exactly, with no model to load and no image to obtain.
#
# **The measure.** Let $X$ and $Y$ be two sets of *targets* (say, flowers and insects) and $A$ and $B$ two sets of *attributes* (pleasant and unpleasant
# scenes), every one of them a vector. One item's differential association is
#
# $$\begin{aligned} s(w, A, B) ={}& \operatorname{mean}_{a \in A} \cos(w, a) \\
# &- \operatorname{mean}_{b \in B} \cos(w, b), \end{aligned}$$
#
# and the test compares the two sets of targets ({cite:t}`caliskan2017`):
#
# $$d = \frac{\operatorname{mean}_{x \in X} s(x, A, B) - \operatorname{mean}_{y \in Y} s(y, A, B)}
#            {\operatorname{SD}_{w \in X \cup Y}\; s(w, A, B)}.$$
#
# The p-value asks how often a random split of $X \cup Y$ into two halves gives a difference at least as large. It speaks of *these* images seen by *this*
# network.
#
# :::{admonition} What this chapter does not do
# :class: important
# Where the authors' released vectors are at hand, it validates our arithmetic; where they are not, nothing of theirs is recomputed. It does not examine any conclusion of the iEAT paper, nor any claim of the three papers that this book is about.
# :::

# %% tags=["parameters"]
models = ["igpt", "simclr"]  # which of the two released encoders, Image GPT and SimCLR; one of: igpt, simclr
ddof = 1  # degrees of freedom subtracted in the SD that d is divided by: 1 as published, 0 for the other habit; from 0 to 1
n_permutations = 10_000  # splits of X ∪ Y: every one where there are no more than this, else this many, observed one included; at least 1
n_draws = 400  # Greenhouse: random pairs of sets behind the figure on copies; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/calibration/ieat.json"  # where this notebook writes the values it recomputes

# %%
import math
from functools import cache

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import associations, tables, words
from studies.calibration import ieat
from vlmbias.external import facts

# %% [markdown]
# ## The answer in one figure
#
# A test that is computed right may still be read wrong. In our laboratory, the [Greenhouse](../greenhouse/gallery.ipynb), networks learn from drawings and
# from captions that we wrote, and can be trained again. In some worlds captions favour one group of faces ($b = 1$), in others they say nothing about any
# ($b = 0$). We put the test to each network: faces of two groups against pleasant and unpleasant scenes.

# %%
vb.figures.style()
spoken = grammar.load()
pair = spoken.bias.roles["favoured"], spoken.bias.roles["disfavoured"]
vectors = retrained.vectors()  # of pictures and words, in networks trained alike
found = ieat.in_networks(
    vectors, pair, ("pleasant", "unpleasant"), sizes=[6, 12], n_permutations=n_permutations, seed=seed)
alarms = ieat.rejected(found, strengths=[0, 1])

# %% tags=["hide-input"]
called = {0: "nothing planted (b = 0)", 1: "planted (b = 1)"}
hits = {(row.n, called[row.b]): words.among(row.hits, row.of) for row in alarms.itertuples()}
vb.figures.show(
    vb.figures.rates(alarms.assign(n=alarms["n"].map("{} faces a side".format), b=alarms["b"].map(called)), rate="rate", low="low", high="high",
                     label="n", group="b", value_label="% of networks with p ≤ .05, exact 95 % intervals"),
    name="ieat-answer",
    alt="Share of networks in which the image test reports a difference between two groups of faces. "
    + "; ".join(f"{n} a side, {b}: {said}" for (n, b), said in hits.items()) + ".",
    caption=f"{pair[0].capitalize()} against {pair[1]} faces, pleasant against unpleasant scenes. Dashed: 5 %.",
    source="greenhouse",
)
ends = alarms.set_index(["n", "b"])
vb.note(null={n: words.among(ends.loc[(n, 0), "hits"], ends.loc[(n, 0), "of"]) for n in (6, 12)},
        full=words.among(ends.loc[(6, 1), "hits"], ends.loc[(6, 1), "of"]),
        beyond={n: words.side(*ends.loc[(n, 0), ["low", "high"]], of=0.05, above="more than 5 %", below="fewer than 5 %",
                              neither="not to be told from 5 %") for n in (6, 12)})

# %% [markdown]
# Six images a side, as in half of the published tests. With nothing planted the test reports a difference in {glue:text}`null.6` networks
# ({glue:text}`beyond.6`), with twelve in {glue:text}`null.12` ({glue:text}`beyond.12`); with a planted association and six in {glue:text}`full`. Each p
# is exact for the images of its network. What it is *about* is the subject of the third section.

# %% [markdown]
# ## What the paper reports
#
# Four of the published tests can be recomputed from the released files, each in two networks: eight rows. The ledger holds what is printed for them.

# %%
claims = vb.ledger.table("calibration/ieat")
printed = claims.set_index("claim")["printed"].astype(float)
vb.ledger.show(claims)

# %% [markdown]
# ### An audit that needs no embedding
#
# A permutation p-value cannot be any number. With $n$ images on each side there are $C(2n, n)$ ways to split them, and p is a whole number of splits divided
# by how many were looked at: all of them where there are no more than 10,000, else 9,999 random ones plus the observed. So $p \times 924$ must be a whole
# number for six images a side, and $p \times 10{,}000$ for 35 or 40 (*p × splits* in the table).
#
# An effect size cannot be any number either. If every score in $X$ were one constant and every score in $Y$ another, $d$ would be $2\sqrt{(N-1)/N}$ with
# $N = 2n$ (for the divisor $N - 1$): **no data whatever can give a larger one**. With six images a side that ceiling is {glue:text}`ceiling:.3f`. An effect
# size near 2 says that two sets of scores do not overlap, not that they are far apart.

# %%
audit = ieat.limits(printed)
vb.note(ceiling=ieat.ceiling(6), held=words.among(int((audit["within"] & audit["whole"]).sum()), len(audit)),
        nearest=audit.loc[(audit["d"].abs() / audit["ceiling"]).idxmax(), ["test", "network"]].replace(ieat.CALLED))
tables.readable(audit, precision=3, names=ieat.CALLED | {"counted": "p × splits", "within": "d within", "whole": "p whole"}).format(precision=0, subset="counted").hide(axis="index")

# %% [markdown]
# Both checks are passed by {glue:text}`held` rows. Nearest to its ceiling is {glue:text}`nearest.test` in {glue:text}`nearest.network`.
#
# ### Every row that was published
#
# The authors published more than these: {glue:text}`every.tests` tests, each in {glue:text}`every.networks` networks. Their effect sizes and p-values
# are small facts that travel with this book. So both questions can be put to every row. Three of them:

# %%
every = ieat.allowed(facts.table("ieat_results").rename(columns={"n_target": "n"}))
possible = every[every["within"] & every["whole"]]
shown = every[["test", "model", "n", "d", "p", "ceiling", "counted"]].head(3)
tables.readable(shown, precision=3, names=ieat.CALLED | {"counted": "p × splits"}).hide(axis="index")

# %% tags=["hide-input"]
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
    alt=f"{len(every)} published effect sizes over the number of images on each side, in three networks, from {every['d'].min():.2f} to {every['d'].max():.2f}. "
    "Dotted lines show the largest that this number of images allows.",
    caption="Every published effect size by the number of images on each side. Dotted: the ceiling.",
    source="published:ieat_results",
)
vb.note(every={"rows": len(every), "tests": every["test"].nunique(), "networks": every["model"].nunique(), "held": words.among(len(possible), len(every)),
               "fewest": int(every["n"].min()), "least": 1 / ieat.splits(int(every["n"].min()))})

# %% [markdown]
# The numbers of {glue:text}`every.held` rows are possible: $d$ is below its ceiling, and p is a whole number of splits. The smallest test has
# {glue:text}`every.fewest` images a side. Its p cannot fall below {glue:text}`every.least:.3f`, whatever the images show.

# %% [markdown]
# ## The protocol, run on the released embeddings
#
# Each file holds one row per photograph. Fetching them is the only step that needs a connection, once: they carry a non-commercial share-alike licence, so
# this repository names them, verifies their checksums, and never stores them.


# %% tags=["needs-ieat-embeddings"]
if vb.sources.at_hand("ieat-embeddings"):
    @cache
    def released(stem, network):
        """The released embeddings of one set of photographs, `(n, d)`."""
        file = vb.sources.path("ieat-embeddings", f"embeddings/{stem}_{ieat.NETWORKS[network]}.csv")
        return pd.read_csv(file, index_col=0).drop(columns="img").to_numpy(float)


    sets = {(name, network): [released(stem, network) for stem in test.sets]
            for network in models for name, test in ieat.TESTS.items()}
    tests = {key: vb.eat(*own, ddof=ddof, n_permutations=n_permutations, seed=seed) for key, own in sets.items()}
    recomputed = ieat.compared(tests, printed)
    recomputed["p_saddlepoint"] = [vb.eat(*own, ddof=ddof, method="saddlepoint").p_value for own in sets.values()]
    counted = recomputed[recomputed["exact"]]
    apart = ieat.divisors(tests, printed)
    shown = recomputed[["test", "network", "published", "d", "p_published", "p", "exact", "p_saddlepoint"]]
    display(tables.readable(shown, precision=6, names=ieat.CALLED | {"p_published": "p, published", "p_saddlepoint": "p, saddlepoint"}).format(lambda p: f"{p:.4f}" if p >= 1e-4 else tables.p_value(p), subset=["p_published", "p", "p_saddlepoint"]).hide(axis="index"))

# %% tags=["needs-ieat-embeddings"]
if vb.sources.at_hand("ieat-embeddings"):
    for row in recomputed.itertuples():
        for quantity, value in (("d", row.d), ("p", row.p)):
            vb.ledger.record(f"ieat.{row.network}.{row.test.lower()}.{quantity}", value, results=results, stimuli="ieat",
                             model=ieat.NETWORKS[row.network])

# %% tags=["needs-ieat-embeddings"]
if vb.sources.at_hand("ieat-embeddings"):
    vb.figures.show(
        vb.figures.published_vs_recomputed(
            recomputed.replace({"network": ieat.CALLED}), published="published", recomputed="d", label="test", group="network", quantity="effect size d"),
        name="ieat-agreement",
        alt=f"{len(recomputed)} recomputed effect sizes against the published ones. The largest difference is "
        f"{recomputed['gap_d'].max():.1e}.",
        caption="Published effect sizes against ours, from the released embeddings, and the difference between the two.",
        source=["real:ieat-embeddings", "paper:calibration"],
    )

# %% tags=["needs-ieat-embeddings", "hide-input"]
if vb.sources.at_hand("ieat-embeddings"):
    vb.note(exactly=words.verb(counted["gap_p"].max(), above=1e-12, then=f"to {counted['gap_p'].max():.1e}", else_="exactly"),
            gap={"d": recomputed["gap_d"].max(), "exact": counted["gap_p"].max(), "sampled": recomputed["errors"].max()},
            recovered=words.among(int((recomputed["gap_d"] < 1e-6).sum()), len(recomputed)),
            divisor={"best": ["N", "N − 1"][int(apart.idxmin())], "one": apart[1], "zero": apart[0]})

# %% [markdown] tags=["needs-ieat-embeddings"]
# The effect sizes agree to {glue:text}`gap.d:.1e`. [The p-values that count every split agree {glue:text}`exactly`.]{.if-run} Where the published p was *drawn*,
# ours is drawn with other random numbers and may differ by Monte Carlo noise; the largest difference is {glue:text}`gap.sampled:.2f` standard errors. The last
# column needs no random numbers and no counting: it is the [saddlepoint approximation](../../book/primers/permutation.md) of the same p-value.
#
# ### One test, opened
#
# An effect size and a p-value are two numbers from a picture that is worth seeing. Here is the first test in both networks: one dot per photograph, and below
# it the distribution that the p-value is read from.

# %% tags=["needs-ieat-embeddings", "hide-input"]
if vb.sources.at_hand("ieat-embeddings"):
    rng, named = np.random.default_rng(seed), ("flowers", "insects")
    opened = {network: tests["Insect-Flower", network] for network in models}
    fig, axes = vb.figures.panels(2, len(models), height=5.0)
    for (network, test), top, below in zip(opened.items(), *axes, strict=True):
        for height, values in ((1, test.scores[: test.n_x]), (0, test.scores[test.n_x :])):
            top.plot(values, height + rng.uniform(-0.18, 0.18, len(values)), "o", alpha=0.7)
            top.plot([values.mean()] * 2, [height - 0.33, height + 0.33], color="black", lw=2)
        top.set(yticks=[1, 0], yticklabels=named if top is axes[0, 0] else [], ylim=(-0.5, 1.5), xlabel="s(w)", title=f"{ieat.CALLED[network]}: d = {test.effect_size:.2f}")
        below.hist(ieat.resplit(test, 4_000, seed=seed), bins=40, color="0.7")
        below.axvline(test.statistic, color="black", lw=2)
        below.set(xlabel="mean s(X) − mean s(Y)", title=f"p = {test.p_value:.4f}")
        for axis in (top, below):
            axis.locator_params(axis="x", nbins=4)
    axes[1, 0].set_ylabel("random splits")
    vb.figures.show(
        fig,
        name="ieat-opened",
        alt="Top: scores of every flower and insect photograph, with their means; "
        + "; ".join(f"d = {test.effect_size:.2f} in {ieat.CALLED[network]}" for network, test in opened.items())
        + ". Bottom: the difference of means over random splits, with the observed difference marked.",
        caption="One association test from the inside. Top: one dot per photograph, bars at the means. Bottom: differences of random splits (grey), observed one (line).",
        source="real:ieat-embeddings",
    )

# %% [markdown]
# ## What this method can see
#
# Recomputing a number shows that we compute what others compute. It does not show what the number *means*. In the Greenhouse the truth is known: $b$ scales by
# how much captions of {glue:text}`first` faces are pleasanter than those of {glue:text}`second` faces. Nothing below is about people, nor about any real network.
#
# ### What was planted, and what comes back

# %%
networks = found[found["n"] == found["n"].max()]
said = truth.counted(spoken, vectors.images[vectors.images["kind"] == "face"], "race", 1.0, axes=["pleasant"])["pleasant"]
planted = float(said[pair[0]] - said[pair[1]])
over = vb.networks.summary({b: own["d"].to_numpy() for b, own in networks.groupby("b")})

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.dose_response(networks, dose="b", responses={"d": "effect size d, images with images"}, dose_label="strength b"),
    name="ieat-networks",
    alt=f"Effect size of the image test in {len(networks)} networks over the planted strength. At b = 0 it varies over networks with an SD of "
    f"{over['sd'].iloc[0]:.1f} around {over['mean'].iloc[0]:.1f}, at b = 1 with {over['sd'].iloc[-1]:.1f} around {over['mean'].iloc[-1]:.1f}.",
    caption=f"Each dot a network: d of {pair[0]} against {pair[1]} faces with pleasant against unpleasant scenes, {networks['n'].max()} faces a side. Line: means.",
    source="greenhouse",
)
null, full = over.loc[0.0], over.loc[1.0]
vb.note(first=pair[0], second=pair[1], planted=planted, spread=null["sd"], middle=networks.loc[networks["b"] == 0, "d"].abs().median(),
        shown=full["mean"], lean=words.side(full["low"], full["high"], above="is above zero", below="is below zero", neither="cannot be told from zero"))

# %% [markdown]
# At $b = 1$ the captions of the two groups differ by {glue:text}`planted:.2f` log-odds of pleasant against unpleasant words; the mean over networks of the
# *image* test's $d$, {glue:text}`shown:.2f`, {glue:text}`lean`. And where nothing was planted, half of the networks have a $|d|$ above
# {glue:text}`middle:.2f`, and the standard deviation over networks is {glue:text}`spread:.2f`.
#
# This is not an error of the test. A p-value over images asks about **this network**: would new pictures show the same difference? In a trained network two
# groups of faces practically never sit at *exactly* the same distance from two sets of scenes, and training pulls pictures towards captions, not towards each
# other. What would be a false alarm is to conclude that the *training captions* were biased, or that a network trained again would show it: the test looked at
# neither. [Effect sizes across models](../pretraining/effect_sizes.ipynb) asks those questions with the right unit, networks.
#
# ### Breaking the assumptions, one at a time
#
# In one network in which nothing was planted:
#
# 1. *Every image is a new piece of evidence.* Counter-example: the same image counted more than once.
# 2. *Every image is filed where it belongs.* Counter-example: wrong labels.

# %%
one = int(np.flatnonzero(vectors.networks["b"] == 0)[0])  # a network in which nothing was planted
seen, images = vectors.image_vectors[one], vectors.images
everybody = (images["subset"] == "prototype") & (images["gender"] == images["gender"].iloc[0])  # one face of each person
X, Y = (seen[everybody & (images["race"] == name)] for name in pair)
A, B = (seen[images["category"] == scene] for scene in ("pleasant", "unpleasant"))

copies = ieat.copied(X, A, B, copies=[1, 2, 4, 8], n=6, n_draws=n_draws, seed=seed)
scores = [vb.association_scores(own, A, B) for own in (X, Y)]
shares = np.linspace(0, 0.5, 6)
labels = associations.misfiled(*scores, shares, n_draws=100, seed=seed, pooled=False)

# %% tags=["hide-input"]
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.4)
left.vlines(copies["copies"], 100 * copies["low"], 100 * copies["high"], color=vb.figures.PALETTE[0])
left.plot(copies["copies"], 100 * copies["rate"], "o-", color=vb.figures.PALETTE[0])
left.axhline(5, color="0.4", ls=":")
left.set(title="1. Copies", xlabel="times each image is counted", ylabel="% with p ≤ .05", xticks=copies["copies"], ylim=(0, 100), yticks=range(0, 101, 20))
right.plot(labels["share"], labels["d"], "o-", label="d")
right.plot(labels["share"], labels["d"].iloc[0] * (1 - 2 * labels["share"]), ls=":", color="0.4", label="d × (1 − 2 share)")
right.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
right.set(title="2. Wrong labels", xlabel="share of wrong labels", ylabel="effect size d")
fig.legend(*right.get_legend_handles_labels(), loc="outside upper right", ncols=2)
few, many = copies.iloc[0], copies.iloc[-1]
intact, fifth = labels["d"].iloc[0], labels["d"].iloc[2]
vb.figures.show(
    fig,
    name="ieat-foils",
    alt=f"Left: two random halves of twelve faces of one hue differ with p ≤ .05 in {few['rate']:.0%} of tests, and in {many['rate']:.0%} where each face is counted "
    f"eight times. Right: effect size against the share of wrong labels, from {intact:.2f} to {labels['d'].iloc[-1]:.2f}.",
    caption=f"Left: tests between random halves of twelve {pair[0]} faces, with exact 95 % intervals; dotted: 5 %. Right: {pair[0]} and {pair[1]} faces, a share of either filed "
    "under the other name.",
    source="greenhouse",
)
vb.note(copied={"1": few["rate"], "8": many["rate"]}, wrong={"none": intact, "fifth": fifth},
        grows=words.verb(many["low"], above=few["high"], then="Nothing new was seen, and the p-values fall", else_="Here the p-values do not clearly fall"),
        mislabelled=words.verb(abs(intact), above=abs(fifth), then="shrinks", else_="does not shrink"))

# %% [markdown]
# **1.** Two random halves of twelve faces of *one* hue: there is nothing to find. {glue:text}`copied.1:.0%` of such tests fall to .05 or below; with every face
# counted eight times, {glue:text}`copied.8:.0%` do. {glue:text}`grows`. Several photographs of one person, frames of one film, or variations of one generated face
# are copies in this sense, which is why later chapters resample *identities*.
#
# **2.** With a fifth of the faces filed under the other name, $d$ = {glue:text}`wrong.none:.2f` {glue:text}`mislabelled` (to {glue:text}`wrong.fifth:.2f`). Random
# wrong labels hide an association; they do not make one.

# %% [markdown]
# ## Where paper and code differ
#
# Two conventions cannot be read off the equations. That p counts the observed split as one of those looked at is what the audit above tests. What $d$ divides by,
# an SD with $N$ or with $N - 1$, is told by the embeddings alone; {numref}`ieat-divisor` shows how much it matters.

# %% [markdown] tags=["needs-ieat-embeddings"]
# The published effect sizes come out with {glue:text}`divisor.best`: with $N - 1$ they differ from ours by at most {glue:text}`divisor.one:.1e`, with $N$ by up to
# {glue:text}`divisor.zero:.1e`.

# %% [markdown]
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
# - The arithmetic is that of the published tests: {glue:text}`recovered` effect sizes are recovered to within 10⁻⁶.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What the divisor changes
# :label: ieat-divisor
# :level: introductory
# :minutes: 10
# :code: no
# Without computing anything again: if d uses the SD with $N$ instead of $N - 1$ (`ddof=0`), by what factor does it change for six images a side? For 35? (The
# solution checks it on a Greenhouse test.)
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
# The numerator does not change. Dividing the sum of squares by $N$ instead of $N - 1$ makes the SD smaller by the factor $\sqrt{(N-1)/N}$, and so $d$
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
# Two sets of six targets whose scores do not overlap at all: what is the exact one-sided p-value? Can any test of six
# against six survive a Bonferroni correction for 100 comparisons at .05? (The solution builds such data and tests it.)
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
