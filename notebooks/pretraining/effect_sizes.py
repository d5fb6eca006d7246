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
# # Effect sizes across models
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figures 2 and 7: 26 association tests, in four orders of images and texts, of
# 131 models.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Effect sizes of many models are averaged, counted and compared. What has been learned: about these models, about
# training, or about the captions?
#
# **In 20 minutes:** {ref}`the answer in one figure <effect-sizes-answer>`, {ref}`the published cells <effect-sizes-cells>`,
# {ref}`the two units <effect-sizes-dose>`, {ref}`where nothing was planted <effect-sizes-null>`, take-aways. **In 75 minutes:** also
# the audit, the 26 tests, the exercises.
#
# **You need:** means, deviations, p-values. Primers: [Embedding association tests](../../book/primers/association.md), [The target
# of a claim](../../book/primers/targets.md).
#
# **Content note.** Some of the paper's words and photographs are violent or obscene. This page prints its numbers and none of its stimuli.
# What is computed here is about drawn faces in invented hues, flowers, insects and the like.
# :::
#
# **The idea.** The Implicit Association Test {cite:p}`greenwald1998` asks how readily people pair two groups with pleasant and with
# unpleasant things. Embedding association tests ask it of vectors: words {cite:p}`caliskan2017`, sentences {cite:p}`may2019`, images
# {cite:p}`steed2021`. CLIP {cite:p}`radford2021` puts images and sentences into *one* space, so the groups (*targets* $X$, $Y$) and
# what they are compared with (*attributes* $A$, $B$) can each be either. {cite:t}`ghate2025` run all four orders: *All Image*, *All
# Text*, *Image as Target* (texts as attributes) and *Text as Target* (images as attributes). A target's score, and the effect size:
#
# $$\begin{gathered} s(w) = \operatorname{mean}_{a \in A} \cos(w, a) - \operatorname{mean}_{b \in B} \cos(w, b), \\[1ex]
# d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}{\operatorname{SD}_{w \in X \cup Y}\, s(w)}. \end{gathered}$$
#
# A positive $d$ agrees with a documented stereotype: flowers, instruments, European American, women, young are $X$, pleasant is $A$.
#
# **What the authors conclude** (the part that this chapter is about): associations "in CLIP models generally align with those found
# in human assessments in 78.86% of the 3,406 cases (where $d > 0$)"; there is "a significant effect size ($d \geq 0.2$) in 70.23% of
# the 3406 instances"; non-human categories vary less across models than age and race, "likely due to the complexity and diversity
# of social concepts across different training datasets".
#
# **Their own checks and limits.** "The magnitude of IAT and EAT effect sizes is not directly comparable because the two tests differ in robustness
# and contextual dependency" (their footnote 2, beside Table 2). "We only considered monolingual English-based analyses of vision-language models". All tests were also run with the attributes of earlier studies (their Figure 7). "Further empirical
# studies are needed … to provide a more robust statistical basis for our observations."

# %% tags=["parameters"]
model = "greenhouse"  # the encoder under test in the second section; a model
stimuli = "greenhouse/cfd"  # portraits for the tests of hue and crest, with the columns race and gender; an image set
n_images = 40  # images on each side of a test with image targets, or as many as there are; at least 2
n_attributes = 25  # images in each attribute set, as in the paper; at least 1
protocol = "described"  # the paper's text or the authors' code: whose protocol gives the headline; one of: described, released
n_permutations = 10_000  # splits behind each p-value: all of them where there are no more than this, else this many; at least 1
n_resamples = 999  # bootstrap resamples behind each interval; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/effect_sizes.json"  # where this notebook writes the values it computes

# %%
import math
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.pretraining import effect_sizes, released
from studies.pretraining.effect_sizes import CATEGORIES, NOT_HUMAN, ORDERS, Targets
from vlmbias.external import study_table

vb.figures.style()
CALLED = {**CATEGORIES, "race": "Hue", "gender": "Crest"}  # what stands in the paper's places here

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, small models were trained on captions of our own that make hues and crests differ in pleasantness
# ($b = 1$), or say nothing of the kind ($b = 0$). Each took counterparts of the paper's 26 tests. How large is the share with $d > 0.2$, the
# paper's "significant"?

# %%
panel = retrained.vectors()  # what each retrained network made of the same pictures and words
plays = grammar.load().bias.roles
HUES, CRESTS = (plays["favoured"], plays["disfavoured"]), (plays["second"], plays["first"])  # first of each: more "pleasant" at b = 1
found = effect_sizes.by_network(panel, effect_sizes.shown(panel, HUES, CRESTS))

KINDS = {"all 26 tests": list(CATEGORIES), "flowers, instruments": NOT_HUMAN, "age": ["age"], "hue and crest": ["race", "gender"]}
share = effect_sizes.shares(found[found["b"].isin([0, 1])], KINDS)

# %% tags=["hide-input"]
asked = {0.0: "nothing planted (b = 0)", 1.0: "planted for hue and crest (b = 1)"}
drawn = share.assign(strength=share["b"].map(asked), line=share["tests"] + share["b"].map(", b = {:g}".format))
drawn = drawn.sort_values("tests", key=lambda own: own.map(list(KINDS).index), kind="stable")
at = share.set_index(["tests", "b"])
vb.figures.show(
    vb.figures.forest(drawn, estimate="mean", low="low", high="high", label="line", group="strength",
                      value_label="share of tests with d > 0.2, mean over networks, 95 % interval"),
    name="effect-sizes-answer",
    alt="Share of tests with d above 0.2, without and with a planted bias. " + "; ".join(
        f"{kind}: {at.loc[(kind, 0.0), 'mean']:.0%} and {at.loc[(kind, 1.0), 'mean']:.0%}" for kind in KINDS) + ".",
    caption="Retrained networks: how many tests give d > 0.2, where nothing about hues and crests was planted and where it was.",
    source="greenhouse",
)
kinds = dict(zip(("all", "things", "age", "social"), KINDS, strict=True))
vb.note(hues=" and ".join(HUES), crests=" and ".join(CRESTS), null=int(at.loc[("age", 0.0), "n"]), full=int(at.loc[("age", 1.0), "n"]),
        share={key: {f"b{b:.0f}": at.loc[(kind, b), "mean"] for b in asked} for key, kind in kinds.items()},
        apart=words.side(at.loc[("hue and crest", 1.0), "low"], at.loc[("hue and crest", 1.0), "high"], of=at.loc[("hue and crest", 0.0), "high"],
                         above="The two intervals for hue and crest do not overlap", below="The share is lower where something was planted",
                         neither="The two intervals for hue and crest overlap"))

# %% [markdown]
# With nothing planted, {glue:text}`share.all.b0:.0%` of the effect sizes exceed 0.2; with the planted bias, {glue:text}`share.all.b1:.0%`. The
# share is made of unlike parts: in all networks captions say that flowers are pleasant and weapons are not. Of the tests of hue and crest alone it is
# {glue:text}`share.social.b0:.0%` where captions say nothing, {glue:text}`share.social.b1:.0%` where they do. {glue:text}`apart`.

# %% [markdown]
# ## What the paper reports
#
# Figure 2 shows the mean $d$ over {claim}`effect_sizes.models` models and its standard deviation, per category and order. Several
# tests of one cell are pooled. The figures print no numbers; the ledger's were read from the vector graphics of the PDF.

# %%
cells = effect_sizes.cells(vb.ledger.load("pretraining"))

# %% tags=["hide-input"]
KIND = {"new": ("new attributes (Figure 2)", "#222222", 0.14), "old": ("original attributes (Figure 7)", "white", -0.14)}
fig, axes = vb.figures.panels(2, 2, height=5.6, share_x=True, share_y=True)
for (order, kind), part in cells.groupby(["order", "stimuli"]):
    axis, (called, fill, aside) = axes.flat[list(ORDERS).index(order)], KIND[kind]
    place = aside - part["category"].map(list(CATEGORIES).index)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.hlines(place, part["mean"] - part["sd"], part["mean"] + part["sd"], color="0.55", linewidth=1.4)
    axis.plot(part["mean"], place, "o", color="#222222", markerfacecolor=fill, label=called)
    axis.set(title=ORDERS[order], yticks=-np.arange(len(CATEGORIES)), yticklabels=CATEGORIES.values(), xlim=(-1.3, 2.3))
fig.supxlabel("effect size d", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
new = cells[cells["stimuli"] == "new"]
social, things = (new.loc[new["category"].isin(NOT_HUMAN) == kind, "mean"] for kind in (False, True))
vb.figures.show(
    fig, name="effect-sizes-cells",
    alt=f"Mean effect sizes with standard deviations for five categories in four orders. {(new['mean'] > 0).sum()} of {len(new)} means of Figure 2 are "
    f"positive; flowers and instruments have means from {things.min():.2f}, race, gender and age between {social.min():.2f} and {social.max():.2f}.",
    caption="Mean d over 131 models (dots) and one standard deviation to either side (lines), redrawn. The line is the spread of models, "
    "not the uncertainty of the mean.",
    source="paper:pretraining, Figures 2 and 7",
)

# %% [markdown]
# ### Do the printed numbers agree with each other?

# %%
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/effect_sizes") & (checks["rule"] != "")]
held = checks["verdict"].str.startswith("consistent")
vb.ledger.show(vb.ledger.table("pretraining/effect_sizes"))

# %% tags=["hide-input"]
but = checks[checks["verdict"] == "consistent but for"].set_index("claim")
vb.note(checks=len(checks), held=int(held.sum()), failed=int((~held).sum()), findings=words.listed(checks.loc[~held, "finding"].unique()),
        but=words.listed(but.index.str.removeprefix("effect_sizes.")), average=but["reason"].get("effect_sizes.variance-average"),
        lower=checks.loc[~held].set_index("claim")["reason"].get("effect_sizes.lower-variance"))

# %% [markdown]
# Of {glue:text}`checks` checks {glue:text}`held` hold; {glue:text}`failed` do not: {glue:text}`findings`.
# Holding but for an exception: {glue:text}`but`. Two of all these matter below.
#
# - `variance-average`: the variance of $d$ falls "on average by {claim}`effect_sizes.variance-average` across unimodal and cross-modal
#   tests". So it does over all cases at once, not as an average over the four orders ({glue:text}`average`).
# - `lower-variance`: "{claim}`effect_sizes.lower-variance`" for non-human categories than for age and race, taken order by order: {glue:text}`lower`.
#
# ### Variance within and between
#
# The variance of $d$ can be rebuilt from the bars, and split: models differ *within* a category and order, categories and orders
# *between* each other.

# %%
fell = effect_sizes.changes(cells)
tables.readable(fell.rename(index={"all": "all cases", **ORDERS}), precision=3).format("{:+.1%}", subset=[(part, "change") for part in ("overall", "within", "between")])

# %% tags=["hide-input"]
rises = [ORDERS[order] for order in ORDERS if fell.loc[order, ("overall", "change")] > 0]
by_order = {key: fell.loc[order] for key, order in (("all", "all"), ("text", "all-text"))}
spread = new[new["order"].isin(["all-image", "image-target"])].groupby("category")["sd"].mean().nlargest(2)
vb.note(rises=words.listed(rises), widest=words.listed(CATEGORIES[one] for one in spread.index), chance={n: effect_sizes.spread_by_chance(n, n) for n in (6, 40)},
        fall={key: {part: row[part, "change"] for part in ("overall", "within", "between")} for key, row in by_order.items()})

# %% [markdown]
# Changes are shares of the earlier overall variance. It rises in {glue:text}`rises`. The fall in All Text ({glue:text}`fall.text.overall:+.1%`) is a change
# of {glue:text}`fall.text.between:+.1%` *between* categories, whose means are closer together with the new words, and of
# {glue:text}`fall.text.within:+.1%` within them. The paper reads the fall as stimuli "less susceptible to noise and idiosyncrasies"; for that,
# the part within is the one to look at: over all cases it changes by {glue:text}`fall.all.within:+.1%`.
#
# Deal the labels $X$ and $Y$ out at random: the mean of $d$ is 0, and its standard deviation *exactly* $\sqrt{1/n_x + 1/n_y}$, whatever
# the scores ({numref}`effect-sizes-random`). That is {glue:text}`chance.6:.2f` with the six images a side of Race and Age, {glue:text}`chance.40:.2f` with the 40 of
# Gender; the categories that vary most among models over images are {glue:text}`widest`. This does not show that the number of images is the
# reason, as all models see the *same* twelve pictures; but it has to be ruled out before the spread is read as a property of concepts.

# %% [markdown]
# ### From the released table
#
# The authors' table is a Git LFS file: an ordinary download gives a pointer.

# %% tags=["needs-clip-bias-results"]
if vb.sources.at_hand("clip-bias-results"):
    their_tables = {stimuli_: study_table.released(stimuli_) for stimuli_ in study_table.FILES}
    again = released.recomputed(*their_tables.values())
    beside_printed = released.beside({name: {f"effect_sizes.{claim}": value for claim, value in own.items()} for name, own in again.items()}, vb.ledger.claim)
    behind = {old: study_table.behind(their_tables["seat-ieat" if old else "nrc-oasis"]) for old in (False, True)}
    vb.note(stated={"agree": words.among(int(beside_printed["agrees"].sum()), len(beside_printed)), "not": words.listed(beside_printed.loc[~beside_printed["agrees"], "claim"].str.removeprefix("effect_sizes.")),
                    "stimuli": " and ".join(own["stimuli"] for own in behind.values())})
    display(tables.readable(beside_printed).hide(axis="index"))

# %% [markdown] tags=["needs-clip-bias-results"]
# With {glue:text}`stated.stimuli`, {glue:text}`stated.agree` agree with the paper; not: {glue:text}`stated.not`.

# %% [markdown]
# ## The protocol, run on {data}
#
# The Greenhouse has a counterpart for each category: drawn flowers, insects, instruments and weapons; {glue:text}`hues` faces in the places of
# Race, {glue:text}`crests` ones in those of Gender, young and old ones; and texts with their names and invented terms. Nothing resembles
# people; what carries over is the *design*: what is set against what, in which order, by how many items. Portraits of people, where they are given, take
# the places of Race and Gender; the names and terms of drawn groups are then left out.
#
# On drawings that gives five tests per order with image targets, eight with text targets, as in the paper.

# %%
encoder = vb.encoder(model)
portraits, icons, grid = vb.images(stimuli), vb.images("greenhouse/icons"), vb.images("greenhouse/causalface", subset="age")
ages = sorted(grid.table["age"].unique())
drawn_faces = portraits.source == "greenhouse"
PAIRS = {"race": HUES if drawn_faces else ("white", "black"), "gender": CRESTS if drawn_faces else ("female", "male")}
SHOWN_AS = CALLED if drawn_faces else CATEGORIES


def icon(kind, n=n_images):
    return effect_sizes.of_kind(icons, "category", kind, n)


def face(column, level):
    return effect_sizes.of_kind(portraits, column, level, n_images)


def at_age(levels):
    return effect_sizes.of_age(grid, levels, n_images, seed=seed)


def texts(name, side, first=None):
    return effect_sizes.of_side(vb.prompts(f"greenhouse/{name}"), side, first)


TARGETS = [
    Targets("flower-insect", "image", "icons", icon("flower"), icon("insect")),
    Targets("instrument-weapon", "image", "icons", icon("instrument"), icon("weapon")),
    Targets("race", "image", "faces", *(face("race", one) for one in PAIRS["race"])),
    Targets("gender", "image", "faces", *(face("gender", one) for one in PAIRS["gender"])),
    Targets("age", "image", "faces", at_age(ages[:2]), at_age(ages[-2:])),
    Targets("flower-insect", "text", "words", texts("objects", "flower"), texts("objects", "insect")),
    Targets("instrument-weapon", "text", "words", texts("objects", "instrument"), texts("objects", "weapon")),
] + drawn_faces * [  # nothing has these names but drawings
    Targets("race", "text", "names", *(texts("names", one) for one in HUES)),
    Targets("race", "text", "half of the names", *(texts("names", one, 4) for one in HUES)),
    Targets("race", "text", "terms", *(texts("kin", one) for one in HUES)),
    Targets("gender", "text", "names", *(texts("names", one) for one in CRESTS)),
    Targets("gender", "text", "terms", *(texts("kin", one) for one in CRESTS)),
    Targets("age", "text", "names", texts("names", "young"), texts("names", "old")),
]
ATTRIBUTES = {
    "image": (icon("pleasant", n_attributes), icon("unpleasant", n_attributes)),
    "text": (texts("valence", "pleasant"), texts("valence", "unpleasant")),
}

# %% [markdown]
# Text and code differ in which gender comes first (the text: women; the code: men, with the sign of $d$ turned round afterwards, but not
# the tail of p) and in the full stop that ends a sentence in the code.

# %%
PROTOCOLS = {
    "described": dict(end="", turned=(), alternative="greater", ddof=1),
    "released": dict(end=".", turned=("gender",), alternative="greater", ddof=1),
}
look = partial(vb.embed, encoder)
counts = dict(n_permutations=n_permutations, n_resamples=n_resamples, seed=seed)
tests = {name: effect_sizes.run(TARGETS, ATTRIBUTES, look, **chosen, **counts) for name, chosen in PROTOCOLS.items()}
headline = tests[protocol].assign(logits=lambda own: own["gap"] * encoder.logit_scale)

# %% tags=["hide-input"]
pd.DataFrame({
    "order": headline["order"].map(ORDERS), "test": headline["category"].map(SHOWN_AS) + ", " + headline["targets"],
    "n": [f"{row.n}" if row.n == row.units else f"{row.n} ({row.units} words)" for row in headline.itertuples()],
    "d": headline["d"].map("{:.2f}".format), "95 %": [f"{row.low:.2f}, {row.high:.2f}" if np.isfinite(row.low) else "–" for row in headline.itertuples()],
    "largest": headline["largest"].map("{:.2f}".format), "gap × scale": headline["logits"].map("{:.2f}".format),
    "p": headline["p"].map(tables.p_value) + np.where(headline["exact"], " (exact)", ""),
}).style.hide(axis="index").set_caption("n: items a side; 95 %: bootstrap over images, or over words with all their sentences (none of fewer than five)")

# %% tags=["hide-input"]
above = int((headline["d"] > 0).sum())
near = int((headline["d"].abs() > 0.95 * headline["largest"]).sum())
big = headline.loc[headline["d"].abs() > 1.5, "logits"].abs()
fig, ((axis,),) = vb.figures.panels(height=4.0)
for (order, part), colour in zip(headline.groupby("order", sort=False), vb.figures.PALETTE, strict=False):
    axis.plot(part["logits"], part["d"], "o", color=colour, alpha=0.85, label=ORDERS[order])
axis.axhline(0, color="0.8", linewidth=1, zorder=0)
axis.axvline(0, color="0.8", linewidth=1, zorder=0)
axis.set(xlabel="mean s(X) − mean s(Y), × logit scale", ylabel="effect size d")
fig.legend(loc="outside upper left", ncols=2)
vb.figures.show(
    fig, name="effect-sizes-units",
    alt=f"Effect size against raw gap for {len(headline)} tests. Among the {len(big)} tests with |d| above 1.5 the raw gaps differ by a factor of {big.max() / big.min():.0f}.",
    caption=f"Effect size and raw difference of the same tests, protocol as {protocol}. Points far apart at one height are tests that d cannot tell apart.",
    source="greenhouse" if drawn_faces else ["greenhouse", f"real:{portraits.source}"],
)
differ = effect_sizes.that_differ(tests)
vb.note(above=words.among(above, len(headline)), near=near, big={"n": len(big), "ratio": big.max() / big.min() if len(big) else None},
        differ=words.among(len(differ), len(headline)), differ_in=words.listed(SHOWN_AS[one] for one in differ["category"].unique()),
        largest=(differ["d, described"] - differ["d, released"]).abs().max())

# %% [markdown]
# {glue:text}`above` effect sizes are positive, and {glue:text}`near` lie within five per cent of their ceiling, $\sqrt{N(N-1)/(n_x n_y)}$: the two
# sets of scores hardly overlap. There, $d$ cannot tell how far apart they are. Its numerator has a unit of its own: a difference of
# cosines, or, times the model's logit scale, of *logits*; for images against captions, what is to be added to the
# log odds of a caption {cite:p}`oord2018`. Among the {glue:text}`big.n` tests with $|d| > 1.5$ the raw gaps differ
# {glue:text}`big.ratio:.0f`-fold. Averages of $d$ add up numbers that were each divided by something else.
#
# The protocols give {glue:text}`differ` tests another $d$ or p ({glue:text}`differ_in`; largest difference of $d$:
# {glue:text}`largest:.1g`): where groups are exchanged, p is that of the other tail, which the paper does not use. (The Greenhouse's
# tokeniser drops full stops, other models' do not.)

# %%
for name, table in tests.items() if drawn_faces else ():  # else the design is not the paper's, and its sizes are no finding
    sizes = {"tests": len(table)} | {f"tests-{order}": int((table["order"] == order).sum()) for order in ORDERS}
    for claim, value in sizes.items():
        vb.ledger.record(f"effect_sizes.{claim}", value, results=results, stimuli=portraits, model=encoder, protocol=name)

# %% [markdown]
# ## What this method can see
#
# Back to the retrained networks: {glue:text}`null` with $b = 0$, each with pictures, a random start and a pairing of group names and looks of its
# own, and {glue:text}`doses`. All saw the same new pictures. What a test finds can be about **this model**, about **training**,
# which only retrained models can speak of, or about the **captions**, of which we know the truth because we wrote them.
#
# A mean of $d$, or a share, rests on four assumptions. Each has a counter-example here.
#
# 1. *$d$ is an amount.* Counter-example: the same bias at several strengths, in both units.
# 2. *$d > 0.2$ means that something is there.* Counter-example: networks in which nothing was planted.
# 3. *A spread over models is about the models.* Counter-example: the same models, fewer faces.
# 4. *What one random start does, an average over models removes.* Counter-example: models that share more than the captions.
#
# ### Two units, one dial

# %%
dial = effect_sizes.of_pair(retrained.gaps().query("condition == 'none'"), *HUES)  # faces against valence words
level = dial.groupby("b")[["gap", "d", "counted"]].mean()

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.dose_response(dial, dose="b", responses={"gap": f"gap {HUES[0]} − {HUES[1]}, logits", "d": "effect size d"},
                             dose_label="planted strength b", expected={"gap": level["counted"].to_dict()}),
    name="effect-sizes-dose",
    alt="Raw gap and effect size of retrained networks against b. Mean gap and mean d: "
    + "; ".join(f"b = {b:g}: {row['gap']:.2f} logits (planted {row['counted']:.2f}), {row['d']:.2f}" for b, row in level.iterrows()) + ".",
    caption="Faces of two hues against valence words: one dot per network, dashes at the means, crosses at what a count of captions shows.",
    source="greenhouse",
)
doses = dial[dial["b"] > 0].groupby("b").size()
half = {quantity: effect_sizes.covered(dial, quantity) for quantity in ("gap", "d")}
again = effect_sizes.covered_again(dial, ["gap", "d"], n_resamples=n_resamples, seed=seed)
further = again["d"] - again["gap"]
ends = {name: own.quantile([0.025, 0.975]).set_axis(["low", "high"]).to_dict() for name, own in {**again, "further": further}.items()}
vb.note(half_between=ends, doses=words.listed(f"{n} at b = {b:g}" for b, n in doses.items()), half=half, full=level.loc[1.0],
        bends=words.side(ends["further"]["low"], ends["further"]["high"], above="more", below="less", neither="not clearly more"))

# %% [markdown]
# A response in proportion to $b$ would have covered half of its rise at $b = 0.5$. The raw gap has covered {glue:text}`half.gap:.0%`, and at $b = 1$
# stands at {glue:text}`full.gap:.2f` logits, where a count of captions shows {glue:text}`full.counted:.2f`. The effect size has covered
# {glue:text}`half.d:.0%`, {glue:text}`bends` than the gap (difference {glue:text}`half_between.further.low:.0%` to {glue:text}`half_between.further.high:.0%`, 95 %, networks resampled). Being bounded, it must bend sooner or later; where depends on what else varies
# within the groups. Differences of $d$ are no amounts, and a regression of $d$ on properties of models inherits the bend.
#
# ### All pairs, where nothing was planted

# %%
pairs = {"race": list(combinations([plays[one] for one in ("favoured", "middle", "disfavoured")], 2)), "gender": [CRESTS]}
compared = effect_sizes.by_network(panel, effect_sizes.paired(panel, pairs))
silent = compared[compared["b"] == 0]
over = effect_sizes.means(silent)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(2, 2, height=5.8, share_x=True)
sway = np.random.default_rng(seed).uniform(-0.2, 0.2, silent["network"].nunique())
for order, part in over.groupby("order", sort=False):
    axis, own = axes.flat[list(ORDERS).index(order)], silent[silent["order"] == order]
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.axvline(0.2, color=vb.figures.COLOURS["planted"], linewidth=1.2, linestyle=":")
    place = -np.arange(len(part))
    axis.plot(own["d"], np.concatenate([one + sway for one in place]), "o", color=vb.figures.COLOURS["recomputed"], alpha=0.4, markeredgewidth=0, markersize=4)
    axis.hlines(place, part["mean"] - part["sd"], part["mean"] + part["sd"], color="black", linewidth=1.2)
    axis.plot(part["mean"], place, "D", color="black", markersize=5)
    axis.set(title=ORDERS[order], yticks=place, yticklabels=[f"{row.category}\nn = {row.n_x}" for row in part.itertuples()], xlim=(-2.05, 2.05))
fig.supxlabel("effect size d", fontsize=12)
off = {name: words.among(int((over[name] < 0.05).sum()), len(over)) for name in ("p", "p_holm")}
vb.figures.show(
    fig, name="effect-sizes-null",
    alt=f"Effect sizes of networks with nothing planted, for {over['category'].nunique()} pairs of groups in four orders. The means over networks lie between "
    f"{over['mean'].min():.2f} and {over['mean'].max():.2f}, the standard deviations between {over['sd'].min():.2f} and {over['sd'].max():.2f}.",
    caption="Networks with nothing planted, one dot each: d for every pair of groups, with its mean (diamond), one SD to either side, and n, the items a side. "
    "Dotted: d = 0.2.",
    source="greenhouse",
)
vb.note(off=off, mean_d=over["mean"].abs().mean(), sd={"low": over["sd"].min(), "high": over["sd"].max()}, one_sign={"low": over["one_sign"].min(), "high": over["one_sign"].max()},
        away=over["away"].mean())

# %% [markdown]
# {glue:text}`away:.0%` of these effect sizes are beyond 0.2 in one direction or the other: real properties of their networks, none taught.
# Their *means* over networks are {glue:text}`mean_d:.2f` from zero on average, beside standard deviations of
# {glue:text}`sd.low:.2f` to {glue:text}`sd.high:.2f`; {glue:text}`off.p` differ from zero at .05, {glue:text}`off.p_holm` after Holm's correction. The more
# common sign of a pair is found in {glue:text}`one_sign.low:.0%` to {glue:text}`one_sign.high:.0%` of the networks.
#
# ### The paper's Figure 2, with its numbers of items

# %%
figure = effect_sizes.over_networks(found[found["b"].isin([0, 1])])
text = figure.apply(lambda row: f"{row['mean']:.2f} ± {row['sd']:.2f} (n\u00a0{row['n']})", axis=1)
wide = figure.assign(text=text, b=figure["b"].map("b\u00a0=\u00a0{:g}".format)).pivot(index=["category", "b"], columns="order", values="text")
tables.readable(wide.loc[list(CATEGORIES), list(ORDERS)].rename(index=CALLED, columns=ORDERS).rename_axis(index=[None, None], columns=None))

# %% tags=["hide-input"]
named = found.query("b == 0 and category in ['race', 'gender']")[["n_x", "n_y"]].min(axis=1)
fewer = effect_sizes.thinned(panel.where(panel.networks["b"] == 0), effect_sizes.paired(panel, pairs)[::2], 6, draws=100, seed=seed)
gains = fewer["few"] / fewer["all"]
vb.note(few=(named <= 8).mean(), fewest=int(named.min()), wider=words.among(int((gains > 1).sum()), len(gains)),
        gains={"low": gains.min(), "high": gains.max()})

# %% [markdown]
# Of the effect sizes of hue and crest at $b = 0$, {glue:text}`few:.0%` rest on eight words a side or fewer (the fewest: {glue:text}`fewest`), where $d$ spreads
# most. With six faces a side instead of all, the same for every network, the spread over networks is {glue:text}`gains.low:.2f` to
# {glue:text}`gains.high:.2f` times as wide, and wider in {glue:text}`wider` comparisons. How large a part of a spread is the number of images
# depends on how differently models see the same pictures.
#
# ### Models that share more than the captions
#
# The networks above drew their pairing of names and looks anew. Others with nothing planted all have one pairing:

# %%
pleasant = retrained.gaps(pairing=None).query("axis == 'pleasant' and kind in ['b0', 'one-pairing']")
alike = {kind: vb.networks.one_sample({pair: rows["d"].to_numpy() for pair, rows in own.groupby(["first", "second"])})
         for kind, own in pleasant.groupby("kind")}

# %% tags=["hide-input"]
vb.note(alike={key: words.among(int((alike[kind]["p_holm"] < 0.05).sum()), len(alike[kind])) for key, kind in (("own", "b0"), ("shared", "one-pairing"))})
for claim, value in effect_sizes.claims(found[found["b"] == 1]).items():
    vb.ledger.record(f"effect_sizes.{claim}", value, results=results, stimuli="greenhouse/panel", model="greenhouse/retrained, b = 1")

# %% tags=["needs-clip-bias-results"]
if vb.sources.at_hand("clip-bias-results"):
    for row in beside_printed.itertuples():  # after the networks' values, which stand for these claims only where the table is not at hand
        vb.ledger.record(row.claim, row.recomputed, results=results, protocol=row.protocol, **behind[vb.ledger.claim(row.claim).data == "seat-ieat"])

# %% [markdown]
# With pairings of their own, {glue:text}`alike.own` pairs of groups have a mean $d$ (faces, valence words) that differs from zero after Holm's correction;
# with one pairing {glue:text}`alike.shared`. No caption says so: these networks share what their pictures and their warm start make of one
# pairing. An average over models removes only what differs between them; the paper's models share data sets, architectures and stimuli.
#
# So the published shares, {claim}`effect_sizes.significant-new` with $d > 0.2$ and {claim}`effect_sizes.congruent` with $d > 0$, need something beside
# them: the same share over the social categories alone, and what it would be if there were nothing to find. **Our numbers are no
# estimate of the latter for CLIP**; no rate carries over from the Greenhouse.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text.
#
# | | paper | code, or the arithmetic above | here |
# |---|---|---|---|
# | mode (G1) | not mentioned | scripts do not switch from train to evaluation mode | [a chapter of its own](train_mode.ipynb) |
# | software (G5) | open_clip 2.16.0, timm 0.6.12 | several of the models studied first appeared in later versions of open_clip | pinned in the lock |
# | tests (G6) | counted in two ways; "16 different combinations" | eight and five per order, 20 combinations | eight and five |
# | Table 2 (G7) | the non-human rows | exchanged, or exchanged in the figure | audit above |
# | variance (G8) | falls "on average" | falls over all cases; rises in {glue:text}`rises` | audit above |
# | "significant" (G9) | $d \geq 0.2$ | $d > 0.2$, with its sign; no test enters | both |
# | first gender, full stop | women; none | men, sign of $d$ turned; one | both protocols |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/effect_sizes -p protocol released -p n_images 6
# ```
# :::
#
# ## Take-aways
#
# - $d$ has a ceiling that group sizes set, and a denominator that the choice of pictures sets. Print the raw gap and $n$ beside it.
# - A raw gap in logits has an expected size; $d$ must bend, and so do its averages and regressions.
# - Split a variance before explaining it: less noisy stimuli would show within cells.
# - A share of tests with $d > 0.2$ needs a comparison: the same share where nothing is to be found.
# - A mean over models removes only what differs between them.
#
# ## Exercises
#
# :::{exercise} The spread of a meaningless test
# :label: effect-sizes-random
# :level: advanced
# :minutes: 25
# :code: yes
# Twelve scores, six a side. Hand the labels out in all 924 ways and compute $d$ (divisor $N - 1$) for each. What are its mean and its
# standard deviation (divisor 924)? Why does the answer not depend on the scores?
# :::
#
# ```{solution-start} effect-sizes-random
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
scores = np.random.default_rng(seed).exponential(size=12)
every = []
for chosen in combinations(range(12), 6):
    inside = np.isin(np.arange(12), chosen)
    every.append((scores[inside].mean() - scores[~inside].mean()) / scores.std(ddof=1))
print(f"mean {np.mean(every):.3f}, SD {np.std(every):.6f}; √(1/6 + 1/6) = {math.sqrt(1 / 3):.6f}")
# drawn without replacement, the mean of six of twelve has variance S² (1/6 − 1/12); the other mean mirrors it, so their
# difference has four times that: S² (1/6 + 1/6)
assert abs(np.mean(every)) < 1e-12 and math.isclose(np.std(every), effect_sizes.spread_by_chance(6, 6))

# %% [markdown]
# Over all splits every score stands as often in one half as in the other, so the mean is zero. The mean of six scores drawn from twelve without
# replacement has the variance $S^2 (1/6 - 1/12)$; the other half's mean mirrors it, so their difference has four times that, $S^2 (1/6 + 1/6)$. $d$
# divides by $S$, and the scores drop out.
#
# ```{solution-end}
# ```
#
# :::{exercise} From d back to the gap
# :label: effect-sizes-inverse
# :level: intermediate
# :minutes: 10
# :code: no
# With equal groups and a standard deviation $\sigma$ within them, $d \approx g / \sqrt{\sigma^2 + g^2 / 4}$. Solve for $g$. By how many
# $\sigma$ does $g$ grow when $d$ goes from 0.2 to 0.3, and when it goes from 1.8 to 1.9?
# :::
#
# ```{solution-start} effect-sizes-inverse
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def gap_in_sd(d):
    return d / np.sqrt(1 - d**2 / 4)  # g / σ


low, high = (gap_in_sd(end) - gap_in_sd(start) for start, end in ((0.2, 0.3), (1.8, 1.9)))
print(f"0.2 → 0.3: {low:.2f} σ; 1.8 → 1.9: {high:.2f} σ")
g = gap_in_sd(1.9)
assert math.isclose(g / math.sqrt(1 + g**2 / 4), 1.9) and high > 15 * low

# %% [markdown]
# Solving gives $g = \sigma d / \sqrt{1 - d^2/4}$. For small $d$ the root is near one, and $d$ and $g/\sigma$ are nearly the same. Towards 2 the root
# goes to zero: a tenth more of $d$ stands for an ever larger gap.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Two models have the same raw gap, and one has twice the $d$ because it sees the pictures within each group as more alike. Which would
#    you rather have in use, and for what?
# 2. 131 models share data sets, architectures and authors. If we want to say how *vision-language models* see people, what is the
#    population, and is this a sample of it?
