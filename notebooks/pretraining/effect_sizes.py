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
# # Is an effect size above 0.2 a finding?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figure 2: 26 association tests of 131 models.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Most effect sizes of the 131 models are above 0.2, which the authors call significant. Suppose models leaned to neither side on average. How many of these effect sizes would still be above 0.2?
#
# **In short.** [For people alone, about {glue:text}`rough.people:.0%` of the paper's effect sizes are above 0.2. Suppose the models differ from one another as they do, but their mean effect size is zero. Then {glue:text}`rough.zero:.0%` would still be above 0.2.]{.holds #more_than_zero}
# So the share says something, but less than it seems. A mean over many models says more.
#
# **In 20 minutes:** {ref}`What the paper reports <effect-sizes-found>`,
# {ref}`What one may doubt, and the answer in one figure <effect-sizes-answer>`, {ref}`What this means <effect-sizes-means>`.
# **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means, standard deviations, p-values. The primers "[Embedding association tests](../../book/primers/association.md)" and
# "[The target of a claim](../../book/primers/targets.md)" assume no earlier knowledge.
#
# **Content note.** Some of the paper's words and photographs are violent or obscene. This page prints its numbers and none of its words and pictures.
# Our own faces are drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** The Implicit Association Test {cite:p}`greenwald1998` asks how readily people pair two groups, such as flowers and insects, with pleasant and with
# unpleasant things. Embedding association tests put the same question to models, first with words {cite:p}`caliskan2017`, then with pictures {cite:p}`steed2021`.
#
# CLIP {cite:p}`radford2021` says of pictures and texts alike how well they fit. So the two groups (the *targets*) and the pleasant and unpleasant things (the *attributes*)
# can each be shown by pictures or by texts. {cite:t}`ghate2025` make four kinds of test:
#
# | kind | the groups are | pleasant and unpleasant things are |
# |---|---|---|
# | All Image | pictures | pictures |
# | All Text | texts | texts |
# | Image as Target | pictures | texts |
# | Text as Target | texts | pictures |
#
# They made 26 tests with each of {claim}`effect_sizes.models` CLIP models, which gives {claim}`effect_sizes.cases` effect sizes.
#
# **The test.** Take pictures of flowers and of insects. The *cosine* says how near a picture lies to a word: 1 is nearest. A picture's *score* is its mean cosine with the pleasant words, minus its mean cosine with the
# unpleasant ones. The *effect size* $d$ is the mean score of the flowers, minus that of the insects, divided by the standard deviation of all these scores. If it is positive, flowers lie nearer
# to the pleasant words.
#
# The groups are flowers and insects, instruments and weapons, and people of different race, gender and age. In each pair, the authors put first the group that people associate more with pleasant things.
#
# :::{dropdown} The same as formulas
# With targets $X$ and $Y$, and attributes $A$ and $B$:
#
# $$\begin{gathered} s(w) = \operatorname{mean}_{a \in A} \cos(w, a) - \operatorname{mean}_{b \in B} \cos(w, b), \\[1ex]
# d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}{\operatorname{SD}_{w \in X \cup Y}\, s(w)}. \end{gathered}$$
# :::
#
# **What the authors conclude** (the part that this chapter is about). Associations "in CLIP models generally align with those found
# in human assessments in 78.86% of the 3,406 cases (where $d > 0$)".
#
# With their own words and pictures, there is "a significant effect size ($d \geq 0.2$) in 70.23% of the 3406 instances …, while this number is lesser at 67.88%
# using the old stimuli".
#
# **Their own checks and limits.** They ran all tests twice: first with the pleasant and unpleasant words and pictures of earlier studies (Figure 7), then with their own. The sizes of effects in people and in models are "not directly comparable".

# %% tags=["parameters", "hide-input"]
model = "greenhouse"  # the encoder under test in the second section; a model
stimuli = "greenhouse/cfd"  # portraits for the tests of hue and crest, with the columns race and gender; an image set
n_images = 40  # images on each side of a test with image targets, or as many as there are; at least 2
n_attributes = 25  # images in each attribute set, as in the paper; at least 1
protocol = "described"  # the paper's text or the authors' code: whose protocol gives the headline; one of: described, released
n_permutations = 10_000  # splits behind each p-value: all of them where there are no more than this, else this many; at least 1
n_resamples = 999  # bootstrap resamples behind each interval; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/effect_sizes.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import math
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import norm
from scipy.stats import t as t_dist

import vlmbias as vb
from greenhouse import association_tests, retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.pretraining import effect_sizes, released
from studies.pretraining.effect_sizes import CATEGORIES, NOT_HUMAN, ORDERS, Targets
from vlmbias.external import study_table

vb.figures.style()
CALLED = {**CATEGORIES, "race": "Hue", "gender": "Crest"}  # what stands in the paper's places here

# %% [markdown]
# (effect-sizes-found)=
# ## What the paper reports: most effect sizes are positive, and above 0.2
#
# Figure 2 has the mean $d$ over {claim}`effect_sizes.models` models, for five pairs of groups and four kinds of test. (Some of these means take several of the 26 tests together, since some groups are named in more than one way.) The figure prints no numbers; we read them from the
# drawing in the PDF. Look how many dots are right of zero:

# %% tags=["hide-cell"]
cells = effect_sizes.cells(vb.ledger.load("pretraining"))
new = cells[cells["stimuli"] == "new"]  # the authors' own words and pictures
new[["category", "order", "n", "mean", "sd"]].head(3)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(2, 2, height=5.6, share_x=True, share_y=True)
for order, part in new.groupby("order"):
    axis, place = axes.flat[list(ORDERS).index(order)], -part["category"].map(list(CATEGORIES).index)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.hlines(place, part["mean"] - part["sd"], part["mean"] + part["sd"], color="0.55", linewidth=1.4)
    axis.plot(part["mean"], place, "o", color=vb.figures.COLOURS["ink"])
    axis.set(
        title=ORDERS[order],
        yticks=-np.arange(len(CATEGORIES)),
        yticklabels=CATEGORIES.values(),
        xlim=(-1.3, 2.3),
    )
fig.supxlabel("effect size d", fontsize=12)
social, things = (new.loc[new["category"].isin(NOT_HUMAN) == kind, "mean"] for kind in (False, True))
vb.figures.show(
    fig, name="effect-sizes-cells",
    alt=f"Mean effect sizes with standard deviations for five pairs of groups in four kinds of test. {(new['mean'] > 0).sum()} of {len(new)} means are "
    f"positive; flowers and instruments have means from {things.min():.2f}, race, gender and age between {social.min():.2f} and {social.max():.2f}.",
    caption="Figure 2, redrawn: mean d over 131 models (dots) and one standard deviation to either side (lines). The line shows how results differ, not how well the mean is known. Each model has one result in a row, "
    "and two or three where texts name race or gender.",
    source="paper:pretraining, Figure 2",
)
vb.note(positive=words.among(int((new["mean"] > 0).sum()), len(new)))

# %% [markdown]
# Most means are positive: {glue:text}`positive`. They are largest where the groups are no people: flowers and insects, instruments and weapons.
#
# Single models are counted, too. Of all effect sizes, {claim}`effect_sizes.congruent` are positive, and {claim}`effect_sizes.significant-new` are at least 0.2. The authors call those from 0.2
# on significant.
#
# How many would it be for people alone? The paper does not say. But the mean and standard deviation of each row give a rough answer, if we suppose that $d$ is normally distributed in each:

# %%
new = new.assign(above=norm.sf(0.2, new["mean"], new["sd"]))  # share of the models
of_people = ~new["category"].isin(NOT_HUMAN)
new = new.assign(if_zero=norm.sf(0.2, 0, new["sd"]))  # the same, with a mean of zero
new["below"] = norm.cdf(-0.2, new["mean"], new["sd"])
people = new[of_people]
rough = {
    "all": np.average(new["above"], weights=new["n"]),
    "people": np.average(people["above"], weights=people["n"]),
    "zero": np.average(people["if_zero"], weights=people["n"]),
    "below": np.average(people["below"], weights=people["n"]),
}
print({kind: f"{share:.1%}" for kind, share in rough.items()})

# %% tags=["hide-input"]
vb.note(rough=rough)
vb.holds(
    more_than_zero=bool(rough["people"] > rough["zero"] + 0.1),
    half_anyway=bool(rough["zero"] > rough["people"] / 2),
    both_sides=bool(rough["below"] < rough["zero"] - 0.1),
)

# %% [markdown]
# Over all tests, this gives {glue:text}`rough.all:.0%`, close to the printed share. For race, gender and age alone, it gives {glue:text}`rough.people:.0%`.
#
# Is this much? Suppose that in each of these tests, the models lean to neither side on average: the mean $d$ is zero, and they differ from one another as much as in the figure. [Then {glue:text}`rough.zero:.0%` of the effect sizes would be above 0.2, too.]{.holds #more_than_zero}
# So the models do lean to the side that people do. [Below −0.2, there are about {glue:text}`rough.below:.0%`, fewer than without a lean.]{.holds #both_sides} [But more than half of the share above 0.2 would be there even if the models did not lean on average.]{.holds #half_anyway} (Part of how much models vary may come from their training data.)
#
# **Do the printed numbers agree with each other?** Mostly: {glue:text}`checks.hold` of {glue:text}`checks.n` checks hold. Another {glue:text}`checks.but_for` hold but for exceptions, and {glue:text}`checks.fail` do not (see the fold).

# %% tags=["hide-cell"]
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/effect_sizes") & (checks["rule"] != "")]
but = checks[checks["verdict"] == "consistent but for"].set_index("claim")


def parts(own):
    """The variance of d over all cases from the means and SDs of cells, and its parts within and between cells."""
    within, middle = ((own["n"] - 1) * own["sd"] ** 2).sum(), np.average(own["mean"], weights=own["n"])
    between = (own["n"] * (own["mean"] - middle) ** 2).sum()
    return pd.Series({"overall": within + between, "within": within, "between": between}) / (own["n"].sum() - 1)


fell = {}
for order in ("all", *ORDERS):
    own = cells if order == "all" else cells[cells["order"] == order]
    before, after = (parts(own[own["stimuli"] == which]) for which in ("old", "new"))
    fell[order] = pd.concat({"old": before, "new": after, "change": (after - before) / before["overall"]})
columns = [(part, which) for part in ("overall", "within", "between") for which in ("old", "new", "change")]
fell = pd.DataFrame(fell).T.swaplevel(axis=1)[columns]
rises = [ORDERS[order] for order in ORDERS if fell.loc[order, ("overall", "change")] > 0]
vb.note(
    checks=vb.ledger.tally(checks),
    lower=but["reason"].get("effect_sizes.lower-variance"),
    direction=but["reason"].get("effect_sizes.direction"),
    rises=words.listed(rises),
    fall={"text": {"within": fell.loc["all-text", ("within", "change")]}},
)
tables.readable(fell.rename(index={"all": "all cases", **ORDERS}), precision=3).format(
    "{:+.1%}", subset=[(part, "change") for part in ("overall", "within", "between")]
).set_caption(
    "Variance of d with the earlier (old) and the authors' own (new) words and pictures; within and between pairs of groups. Computed from the bars of Figures 2 and 7. Changes are shares of the old overall variance."
)

# %% [markdown]
# :::{dropdown} Details of this check
# - *The number of tests.* One paragraph counts seven tests with texts as targets and four with pictures, another eight and five. Earlier studies had no pictures of instruments and weapons, so four fits them. Seven fits if these are left out of the texts, too.
# - *Two rows.* Table 2 exchanges the rows of flowers and instruments (the released notebook agrees with Figure 2).
# - *Direction.* Section 5 calls the direction of the means "consistent" with that of the earlier words and pictures. Compared pair by pair: {glue:text}`direction`. The caption of Figure 7 says "largely consistent", which fits.
# - *Which results vary more.* "{claim}`effect_sizes.lower-variance`", the authors write of flowers and instruments, compared with age and race. Over all kinds of test, this is so. Kind by kind: {glue:text}`lower`.
# - *Less variance.* With the new words and pictures, the variance of $d$ falls "on average by {claim}`effect_sizes.variance-average` across unimodal and cross-modal
#   tests". Over all results together, it does. Kind by kind, it rises in {glue:text}`rises`. The table above splits it in two: *between* pairs of groups, whose means differ, and *within* a pair.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("pretraining/effect_sizes"))

# %% [markdown]
# The authors' table of all effect sizes is public. Where it is at hand, this cell computes the summaries anew:

# %% tags=["needs-clip-bias-results"]
if vb.sources.at_hand("clip-bias-results"):
    their_tables = {
        stimuli_: study_table.released(stimuli_) for stimuli_ in study_table.FILES
    }
    again = released.recomputed(*their_tables.values())
    beside_printed = released.beside(
        {
            name: {f"effect_sizes.{claim}": value for claim, value in own.items()}
            for name, own in again.items()
        },
        vb.ledger.claim,
    )
    behind = {
        old: study_table.behind(their_tables["seat-ieat" if old else "nrc-oasis"])
        for old in (False, True)
    }
    vb.note(
        stated={
            "agree": words.among(
                int(beside_printed["agrees"].sum()), len(beside_printed)
            ),
            "not": words.listed(
                beside_printed.loc[~beside_printed["agrees"], "claim"].str.removeprefix(
                    "effect_sizes."
                )
            ),
            "stimuli": " and ".join(own["stimuli"] for own in behind.values()),
        }
    )
    display(tables.readable(beside_printed).hide(axis="index"))

# %% [markdown] tags=["needs-clip-bias-results"]
# With {glue:text}`stated.stimuli`, {glue:text}`stated.agree` agree with the paper; not: {glue:text}`stated.not`.

# %% [markdown]
# (effect-sizes-answer)=
# ## What one may doubt, and the answer in one figure
#
# Usually, a result is called significant if chance alone would rarely give one as large. The paper prints no p-value for these effect sizes. An effect size of 0.2 is
# "small" by a convention of psychology. It does not say what chance can give.
#
# If a model had learned no difference between two groups, how often would $d$ be above 0.2? For CLIP nobody knows, because there is no CLIP model that was trained without differences. The calculation above cannot tell whether the spread of real models comes from differences that were learned. So we trained small networks that are taught no differences between some groups, in our laboratory, the
# [Greenhouse](../../book/greenhouse/limits.md). They learn there from drawn faces with captions that we write. The faces have a *hue* (a colour, such as {glue:text}`hues`), where the paper has race. They wear a
# *crest* on the head ({glue:text}`crests`), where the paper has gender.
#
# We compare two sets of networks. For {glue:text}`null` *null networks*, the captions use pleasant and unpleasant words equally often for all hues and crests. For
# {glue:text}`full` others, they use pleasant words more often for one hue and one crest.
#
# If few effect sizes of null networks are above 0.2, such an effect size is a sign of a learned difference. If many are, it is not.
#
# Each network took counterparts of the paper's 26 tests:

# %%
vectors = retrained.vectors()  # what each network made of the same pictures and words
spoken = grammar.load()
role = spoken.bias.roles
HUES = (
    role["favoured"],
    role["disfavoured"],
)  # first: the one with pleasant words, if any
CRESTS = role["second"], role["first"]
good_bad = association_tests.attributes(spoken)  # pleasant and unpleasant scenes, words
tests_ = []
for test in association_tests.tests(spoken):  # X and Y: rows of pictures or of words
    d = effect_sizes.in_networks(
        vectors, (test.kind, test.X, test.Y), (test.against, *good_bad[test.against])
    )
    each = vectors.networks[["b"]].assign(network=range(len(d)), d=d)
    about = dict(category=test.category, order=test.order, targets=test.targets)
    tests_.append(each.assign(**about, n_x=len(test.X), n_y=len(test.Y)))
found = pd.concat(tests_).sort_values("order", kind="stable", ignore_index=True)
found["category"] = found["category"].replace({"race": "hue", "gender": "crest"})

# %% [markdown]
# One of these effect sizes by hand: faces of two hues against words, in one network.

# %%
network = 0
images, texts_ = vectors.image_vectors[network], vectors.word_vectors[network]
pleasant = texts_[vectors.words_of("pleasant", slot="valence")].mean(axis=0)
unpleasant = texts_[vectors.words_of("unpleasant", slot="valence")].mean(axis=0)
score = images @ (pleasant - unpleasant)  # mean cosine with the ones, minus the others

neutral = vectors.images["subset"] == "prototype"
x, y = (score[neutral & (vectors.images["race"] == hue)] for hue in HUES)
d = (x.mean() - y.mean()) / np.std([*x, *y], ddof=1)
print(f"d = {d:.2f}")
test = found.query("network == 0 and category == 'hue' and order == 'image-target'")
assert np.isclose(d, test["d"].item())

# %% [markdown]
# Then we count the tests with $d$ above 0.2 in each network, and average over networks. (In the program, *b* is 0 for null networks, and 1 for the others.) Compare the two dots of the first row of the figure, hue and crest:

# %%
PEOPLE = ["hue", "crest"]
KINDS = {"hue and crest": PEOPLE, "flowers, instruments": list(NOT_HUMAN)}
KINDS["all 26 tests"] = list(found["category"].unique())

found["above"] = found["d"] > 0.2
each_share = {  # one share a network
    (kind, b): found.query("b == @b and category in @categories")
    .groupby("network")["above"].mean()
    for kind, categories in KINDS.items() for b in (0.0, 1.0)
}
share = vb.networks.summary(each_share).rename_axis(["tests", "b"]).reset_index()

alike, differing = (each_share["hue and crest", b] for b in (0, 1))
as_large = int((alike >= differing.mean()).sum())  # null networks
print(f"{as_large} null networks reach the mean of the others")

# %% tags=["hide-input"]
strengths = {0.0: "captions treat hues and crests alike", 1.0: "captions differ between hues and crests"}
lines = share.assign(strength=share["b"].map(strengths), line=np.where(share["b"] == 0, share["tests"], ""))
lines = lines.sort_values(
    ["tests", "b"], key=lambda own: own.map(list(KINDS).index) if own.name == "tests" else own, kind="stable"
)
at = share.set_index(["tests", "b"])
figure = vb.figures.forest(
    lines.assign(**{end: 100 * lines[end] for end in ("mean", "low", "high")}),
    estimate="mean",
    low="low",
    high="high",
    label="line",
    group="strength",
    value_label="% of a network's tests with d > 0.2, mean over networks, 95 % interval",
    reference=None,
)
figure.axes[0].set_xlim(0, 100)
vb.figures.show(
    figure,
    name="effect-sizes-answer",
    alt="Share of tests with d above 0.2, without and with a difference in the captions. " + "; ".join(
        f"{kind}: {at.loc[(kind, 0.0), 'mean']:.0%} and {at.loc[(kind, 1.0), 'mean']:.0%}" for kind in KINDS) + ".",
    caption=f"{int(at.loc[('hue and crest', 0.0), 'n'])} null networks and {int(at.loc[('hue and crest', 1.0), 'n'])} whose captions differ between hues and crests: how many of a network's tests give d > 0.2.",
    source="greenhouse",
)
kinds = dict(zip(("social", "things", "all"), KINDS, strict=True))
null_people = found.query("b == 0 and category in @PEOPLE")
null_sd = null_people.groupby(["category", "order", "targets"])["d"].std().mean()  # per test, over networks
vb.note(
    hues=" and ".join(HUES),
    crests=" and ".join(CRESTS),
    null=int(at.loc[("hue and crest", 0.0), "n"]),
    full=int(at.loc[("hue and crest", 1.0), "n"]),
    share={key: {f"b{b:.0f}": at.loc[(kind, b), "mean"] for b in strengths} for key, kind in kinds.items()},
    as_large=words.among(as_large, len(alike)),
    below=null_people["d"].lt(-0.2).mean(),
    null_sd=null_sd,
)
vb.holds(
    many_above=bool(alike.mean() > 0.25),
    says_little=bool(as_large > 0.1 * len(alike)),
    wider=bool(null_sd > people["sd"].max()),
)

# %% [markdown]
# [Many effect sizes are above 0.2 where no difference was taught.]{.holds #many_above} In tests of hue and crest, it is {glue:text}`share.social.b0:.0%` of them, though the captions treat all hues and crests alike. Where the captions
# do differ, it is {glue:text}`share.social.b1:.0%`.
#
# These rates do not carry over to CLIP. [Our networks differ more from each other: in null networks, $d$ has a standard deviation of {glue:text}`null_sd:.2f` per test, on average, which is more than in any of the paper's tests about people.]{.holds #wider}
# With a smaller spread around zero, fewer effect sizes pass 0.2.
#
# [For a single network, the share says little: {glue:text}`as_large` null networks have a share at least as large as the mean share of the networks whose captions differ.]{.holds #says_little}
#
# What carries over is this: such a share means little, unless the share without any difference stands beside it.
#
# ## The protocol, run on {data}
#
# This section gives the 26 tests to one model, as a reader would with their own. On this site it is a network whose captions differ between hues and crests.
#
# Of the tests, {glue:text}`above` have an effect size above 0.2. The folded table has each test. Its p-values ask whether *this model* would show the difference with other pictures or words of the same kind, not whether another model would. Text and code of the paper differ in two points (see below), and we run both versions.

# %% tags=["hide-cell"]
PROTOCOLS = {
    "described": dict(end="", turned=(), alternative="greater", ddof=1),
    "released": dict(end=".", turned=("gender",), alternative="greater", ddof=1),
}

# %% tags=["hide-input"]
encoder = vb.encoder(model)
portraits, icons, grid = (
    vb.images(stimuli),
    vb.images("greenhouse/icons"),
    vb.images("greenhouse/causalface", subset="age"),
)
ages = sorted(grid.table["age"].unique())
drawn_faces = portraits.source == "greenhouse"
PAIRS = {
    "race": HUES if drawn_faces else ("white", "black"),
    "gender": CRESTS if drawn_faces else ("female", "male"),
}
SHOWN_AS = CALLED if drawn_faces else CATEGORIES


def icon(kind, n=n_images):
    return effect_sizes.of_kind(icons, "category", kind, n)


def face(column, level):
    return effect_sizes.of_kind(portraits, column, level, n_images)


def at_age(levels):
    """One picture each, at one of these ages, of `n_images` people."""
    kept = grid.where(grid.table["age"].isin(levels))
    return kept.where(
        kept.table.index.isin(kept.table.groupby("seed").sample(1, random_state=seed).index[:n_images])
    )


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

# %%
look = partial(vb.embed, encoder)
counts = dict(n_permutations=n_permutations, n_resamples=n_resamples, seed=seed)
tests = {
    name: effect_sizes.run(TARGETS, ATTRIBUTES, look, **chosen, **counts)
    for name, chosen in PROTOCOLS.items()
}
headline = tests[protocol]

# %% tags=["hide-cell"]
shown = headline.assign(
    order=headline["order"].map(ORDERS),
    test=headline["category"].map(SHOWN_AS) + ", " + headline["targets"],
    n=[f"{row.n}" if row.n == row.units else f"{row.n} ({row.units} words)" for row in headline.itertuples()],
    d=headline["d"].map(tables.number),
    interval=[
        f"{tables.number(row.low)}, {tables.number(row.high)}" if np.isfinite(row.low) else "–"
        for row in headline.itertuples()
    ],
    p=headline["p"].map(tables.p_value) + np.where(headline["exact"], " (exact)", ""),
)
tables.readable(
    shown[["order", "test", "n", "d", "interval", "p"]], names={"order": "kind", "interval": "95 %"}
).hide(axis="index").set_caption(
    "n: pictures or sentences in each group. 95 %: interval over other pictures or words of the same kind; none where a group has fewer than five words. Icons: drawings of things. Terms: invented words for a group."
)

# %% tags=["hide-input"]
above = int((headline["d"] > 0.2).sum())
vb.note(above=words.among(above, len(headline)))

# %% tags=["hide-cell"]
for name, table in (
    tests.items() if drawn_faces else ()
):  # else the design is not the paper's, and its sizes are no finding
    sizes = {"tests": len(table)} | {
        f"tests-{order}": int((table["order"] == order).sum()) for order in ORDERS
    }
    for claim, value in sizes.items():
        vb.ledger.record(
            f"effect_sizes.{claim}", value, results=results, stimuli=portraits, model=encoder, protocol=name
        )

# %% [markdown]
# ## What this method can see
#
# Why do null networks have so many effect sizes above 0.2? We look at single networks, at one pair of hues and one pair of crests. Each group is shown by faces or by names. In the figure, each network gives one dot in each row:

# %%
chosen = found.query("category in @PEOPLE and targets in ['faces', 'names']")
over = {}
for b in (0, 1):
    rows = chosen[chosen["b"] == b].groupby(["category", "order"], sort=False)
    over[b] = vb.networks.one_sample({row: d.to_numpy() for row, d in rows["d"]})
    over[b] = over[b].rename_axis(["category", "order"]).reset_index()
nonzero = {b: rows.query("p_holm < .05") for b, rows in over.items()}
print(f"{len(nonzero[0])} of {len(over[0])} means differ from zero in null networks")

# %% tags=["hide-input"]
CAPTIONS = {0: "null", 1: "captions differ"}
fig, axes = vb.figures.panels(2, 2, height=5.8, share_x=True, share_y=True)
rng = np.random.default_rng(seed)
rows = [(category, b) for category in PEOPLE for b in CAPTIONS]
for axis, order in zip(axes.flat, ORDERS, strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.axvline(0.2, color=vb.figures.COLOURS["planted"], linewidth=1.2, linestyle=":")
    for place, (category, b) in enumerate(rows):
        own = chosen.loc[
            (chosen["category"] == category) & (chosen["b"] == b) & (chosen["order"] == order), "d"
        ]
        colour = vb.figures.COLOURS["planted" if b else "recomputed"]
        axis.plot(
            own,
            -place + rng.uniform(-0.2, 0.2, len(own)),
            "o",
            color=colour,
            alpha=0.4,
            markeredgewidth=0,
            markersize=4,
        )
        axis.plot(own.mean(), -place, "D", color="black", markersize=5)
    axis.set(
        title=ORDERS[order],
        yticks=-np.arange(len(rows)),
        yticklabels=[f"{category}, {CAPTIONS[b]}" for category, b in rows],
        xlim=(-2.05, 2.05),
    )
fig.supxlabel("effect size d", fontsize=12)
vb.figures.show(
    fig, name="effect-sizes-null",
    alt="Effect sizes for hue and crest in four kinds of test, one dot for each network. " + " ".join(
        f"{called}: the means over networks lie between {over[b]['mean'].min():.2f} and {over[b]['mean'].max():.2f}." for b, called in ((0, "Null networks"), (1, "Networks whose captions differ"))),
    caption=f"One dot for each network: {chosen.query('b == 0')['network'].nunique()} null networks, {chosen.query('b == 1')['network'].nunique()} whose captions differ between hues and crests. Diamonds: the mean over networks. Dotted: d = 0.2.",
    source="greenhouse",
)
margin = t_dist.ppf(0.975, over[0]["n"] - 1) * over[0]["sd"] / np.sqrt(over[0]["n"])
vb.note(
    one_sign={"low": over[0]["one_sign"].min(), "high": over[0]["one_sign"].max()},
    n_means=len(over[0]),
    n_clear=len(nonzero[1]),
)
vb.holds(
    near_half=bool(over[0]["one_sign"].max() <= 0.65),
    none_off=len(nonzero[0]) == 0,
    wide=bool(margin.max() > 0.2),
    some_found=bool(0 < len(nonzero[1]) < len(over[1]) and nonzero[1]["one_sign"].min() == 1),
)

# %% [markdown]
# ### Every network has differences that nobody taught
#
# In null networks, the effect sizes of hue and crest are large in both directions: {glue:text}`share.social.b0:.0%` are above 0.2, and {glue:text}`below:.0%` are below −0.2. We call them *accidents of training*. The captions do not favour a group, but each network starts from other random numbers,
# sees other pictures, and in ours, each group has a random colour, new in each network. So the next network has other accidents.
#
# ### In a mean over networks, accidents should cancel
#
# In each row of null networks, the dots lie on both sides of zero. [The larger side has {glue:text}`one_sign.low:.0%` to {glue:text}`one_sign.high:.0%` of the networks, which is little more than half.]{.holds #near_half} So accidents should cancel in the mean (the diamond). [In t-tests, none of the {glue:text}`n_means` means over null networks
# differs significantly from zero]{.holds #none_off} (p < .05 after *Holm's correction*, which makes p-values larger where several are computed). [This does not show that they are zero: some intervals are wide.]{.holds #wide}
#
# [Where captions differ, {glue:text}`n_clear` of {glue:text}`n_means` means differ from zero. There, all networks show the same direction.]{.holds #some_found} In the other rows, even the mean does not show the difference.
#
# So the paper's *means* over many models are better evidence than its *share* of effect sizes above 0.2. But this holds on a condition.
#
# ### The condition: networks must not share an accident
#
# Suppose all networks place faces of one colour nearer to pleasant words, although no caption does so. Then the accidents do not cancel. Our null networks cannot share this accident: we assign the colour of a name, such as *amber*, at random for each network.
#
# We also trained null networks in which each name has the same colour in all networks. If the mean $d$ now differs from zero, networks share an accident. We test {glue:text}`n_pairs` pairs: the six pairs of our four hues, and the two crests.

# %%
own_colour = retrained.gaps(pairing=None).query("axis == 'pleasant' and kind == 'b0'")
same_colour = retrained.gaps(pairing=None).query(
    "axis == 'pleasant' and kind == 'one-pairing'"
)
mean_tests = {
    name: vb.networks.one_sample(
        {pair: rows["d"].to_numpy() for pair, rows in own.groupby(["first", "second"])}
    )
    for name, own in {"own colour": own_colour, "same colour": same_colour}.items()
}

# %% tags=["hide-cell"]
vb.note(
    n_pairs=len(mean_tests["same colour"]),
    n_same=int(mean_tests["same colour"]["n"].max()),
    alike={
        key: words.among(int((mean_tests[name]["p_holm"] < 0.05).sum()), len(mean_tests[name]))
        for key, name in (("own", "own colour"), ("shared", "same colour"))
    },
)
own = found[found["b"] == 1].assign(category=found["category"].replace({"hue": "race", "crest": "gender"}))
cell = own.groupby(["category", "order"])["d"].agg(mean="mean", sd="std")
summaries = {
    "models": own["network"].nunique(),
    "cases": len(own),
    "congruent": 100 * (own["d"] > 0).mean(),
    "significant-new": 100 * (own["d"] > 0.2).mean(),
    "positive-cells": int((cell["mean"] > 0).sum()),
    "variance-new": own["d"].var(ddof=1),
    **{
        f"new.{category}.{order}.{quantity}": value
        for (category, order), row in cell.iterrows()
        for quantity, value in row.items()
    },
}
for claim, value in summaries.items():
    vb.ledger.record(
        f"effect_sizes.{claim}",
        value,
        results=results,
        stimuli="greenhouse/panel",
        model="greenhouse/retrained, b = 1",
    )

# %% tags=["needs-clip-bias-results", "hide-cell"]
if vb.sources.at_hand("clip-bias-results"):
    for row in (
        beside_printed.itertuples()
    ):  # after the networks' values, which stand for these claims only where the table is not at hand
        vb.ledger.record(
            row.claim,
            row.recomputed,
            results=results,
            protocol=row.protocol,
            **behind[vb.ledger.claim(row.claim).data == "seat-ieat"],
        )

# %% [markdown]
# We count pairs whose mean differs from zero (after Holm's correction, as above). In networks with random colours, these are {glue:text}`alike.own`. In the {glue:text}`n_same` with the same colours, they are
# {glue:text}`alike.shared`, although the captions treat all groups alike. The mean cannot remove what all networks have in common.
#
# The {claim}`effect_sizes.models` models of the paper share data sets, ways of building a model, and the pictures of the test. So they may share accidents, too. Nobody has measured it.
#
# (effect-sizes-means)=
# ## What this means
#
# **For the paper.** An effect size above 0.2 should not be called significant for that alone: the released table has a *p* for each, and the share does not use it. The share of {claim}`effect_sizes.significant-new` mixes flowers with people. For people alone, it is about {glue:text}`rough.people:.0%`; if the models leaned
# to neither side, it would be {glue:text}`rough.zero:.0%`. So they do lean, as the authors say. The means of Figure 2 are better evidence, if most models agree in direction. But accidents that the models share would remain in them.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text.
#
# | | the paper says | the code does, or arithmetic shows | we |
# |---|---|---|---|
# | mode (G1) | not mentioned | models are measured in the mode that is meant for training | wrote [a chapter on it](train_mode.ipynb) |
# | software (G5) | open_clip 2.16.0, timm 0.6.12 | several of the models first appeared in later versions of open_clip | state every version |
# | tests (G6) | two counts; "16 different combinations" | eight and five tests for each kind, 20 combinations | use eight and five |
# | Table 2 (G7) | two rows, for flowers and for instruments | they are exchanged in Table 2 (the notebook agrees with the figure) | follow the figure |
# | variance (G8) | it falls "on average" | it falls over all cases together; it rises in {glue:text}`rises` | print both |
# | "significant" (G9) | $d \geq 0.2$ | $d > 0.2$, with its sign; the program saves a *p* of each, which this share does not use | use $d > 0.2$ |
# | first gender, full stop | women; none | men, and the sign of $d$ turned round; a full stop | run both |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/effect_sizes -p protocol=released -p n_images=6
# ```
# This runs the section *The protocol* as the released code does, with six pictures in each group.
# :::
#
# ## Take-aways
#
# - An effect size above 0.2 is not a test: null networks have many of them.
# - Do not mix tests about people with tests about flowers in one percentage.
# - If you report a share above a bound, also report this share for models that were taught no difference.
# - A mean over models, and how many agree in direction, says more; but it removes only what differs between models.
#
# ## Exercises
#
# :::{exercise} The spread of a meaningless test
# :label: effect-sizes-random
# :level: advanced
# :minutes: 25
# :code: yes
# Take twelve scores, six on each side. Assign the labels in all 924 ways, and compute $d$ (divisor $N - 1$) for each. What are the mean and the
# standard deviation of these $d$ (divisor 924)? Why does the answer not depend on the scores?
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
assert abs(np.mean(every)) < 1e-12 and math.isclose(np.std(every), math.sqrt(1 / 6 + 1 / 6))

# %% [markdown]
# Over all splits every score stands as often in one half as in the other, so the mean is zero. Six scores are sampled from twelve without replacement.
# Their mean has the variance
#
# $$S^2 \left(\tfrac{1}{6} - \tfrac{1}{12}\right)$$
#
# The mean of the other half mirrors it. So the difference of the two means has four times this variance:
#
# $$S^2 \left(\tfrac{1}{6} + \tfrac{1}{6}\right)$$
#
# As $d$ divides by $S$, the scores drop out.
#
# ```{solution-end}
# ```
#
# :::{exercise} From d back to the gap
# :label: effect-sizes-inverse
# :level: intermediate
# :minutes: 10
# :code: no
# Two groups are equally large, their means lie $g$ apart, and the standard deviation within them is $\sigma$. Then
#
# $$d \approx \frac{g}{\sqrt{\sigma^2 + g^2 / 4}}$$
#
# Solve for $g$. By how many $\sigma$ does $g$ grow when $d$ goes from 0.2 to 0.3, and when it goes from 1.8 to 1.9?
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
# 1. In two models, the mean scores of two groups differ by the same amount. One model has twice the $d$, because it sees the pictures within each group as more alike. Which would
#    you rather have in use, and for what?
# 2. 131 models share data sets, architectures and authors. If we want to say how *models of this kind* see people, what is the
#    population, and is this a sample of it?
