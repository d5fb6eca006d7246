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
# # Do answers exaggerate? And do labels matter?
#
# *Real models. Fifteen models that answer questions, as tested by Xiao et al., and nineteen CLIP models that choose among labels, as tested by groovy-lizard.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A model that answers gives its likeliest answer. Is a bias larger in the answers than in the probabilities behind them? And how far does a result move if a group gets
# several labels in place of one?
#
# **Answer in short.** [In {glue:text}`larger` models, the bias is larger by answer than by the published probability; in the others, it is smaller.]{.holds #most_larger} [Where a clear
# bias is smaller by answer, the model belongs to the LLaVA family.]{.holds #smaller_llava} The published probabilities are not quite the models' own, so the count may be too high. [Labels
# move the overall race accuracy of a model much less than training sets do.]{.holds #training_more} [For single races, labels move it by several points.]{.holds #races_move}
#
# **In 20 minutes:** {ref}`What the table holds <answers-table>`, {ref}`Is the answer larger? <answers-larger>`, {ref}`One label or several? <answers-labels>`, {ref}`What it means <answers-means>`.
# **In 75 minutes:** everything, with both exercises.
#
# **You need:** a mean, an interval, a probability. The chapter [](../american_white/vqa.ipynb) says where the question comes from.
#
# **Content note.** The page is about stereotypes of men's and women's occupations, and about race labels of photographs. No picture is shown. Every number is about models, none about people.
# :::
#
# **We ran no model.** We computed the numbers on this page from results that others published {cite:p}`xiao2024,groovylizard2024`. We thank them for it.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/answers.csv, in its place; empty or a table
labels_table = ""  # a CSV of your own with the columns of data/published/race_labels.csv, in its place; empty or a table
models = []  # which answering models of the table to use; none: all of them; empty or a text
alpha = 0.05  # level of significance, two-sided; from 0.001 to 0.2
pictures = 18  # simulation: pictures of one occupation and gender, each in two versions; at least 1
seed = 0  # of the simulated pictures; at least 0
results = "_build/results/real/answers.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from IPython.display import Code
from scipy import stats
from scipy.special import expit, logit

import vlmbias as vb
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (answers-table)=
# ## What the table holds
#
# {cite:t}`xiao2024` tested fifteen models that answer questions about pictures. One program made pictures of people at work. Another one turned each man into a woman, or each woman into a
# man, and changed little else. The models were asked "What is the male's occupation in this image?", or "the female's". So the gender changes in the picture and in the question. There
# were two options, (A) and (B): the occupation of the picture, which counts as right, and another one. In each such pair, one occupation is held mostly by men, the other mostly by women.
#
# How often is a model right if the person's gender fits the statistics of the right occupation? How often is it right if the gender does not fit? The *bias* is the first minus the second,
# in percentage points. It is 0 if gender does not matter. The authors compute it in two ways:
#
# - *by answer*: the model is right if the right option has the higher score;
# - *by probability*: the probability that the scores give to the right option, on average.
#
# Our table has means over {glue:text}`pairs` pairs of occupations. A bias the other way counts as negative, so these are *signed* means. Here are three rows.

# %%
answers = facts.table("answers", table)
if models:
    answers = answers[answers["model"].isin(models)]
answers.head(3).round(2)

# %% [markdown]
# The intervals, `low` to `high`, come from a *bootstrap*: the {glue:text}`design.occupations` occupations were sampled anew {glue:text}`design.resamples` times, each time with some of
# them more than once. We sampled occupations, not pairs, since an occupation belongs to {glue:text}`per_occupation:.1f` pairs on average. So an interval says what other occupations of
# this kind might give. It says nothing about other models, pictures or questions.
#
# :::{dropdown} How we know this, and details
# - The paper says how the pictures were made. The rest is in the authors' program, in the same state as the tables: `bias_metric` for the two measures, `construction/vq_generation` for the
#   questions.
# - An occupation has at most {glue:text}`design.most` pictures of each gender. The paper counts {glue:text}`questions` questions, each with its counterpart, so there are
#   {glue:text}`per_pair:.0f` for a pair of occupations.
# - Each question was asked in two orders, with the right option as (A) and as (B). The tables hold the mean.
# - By answer, each question of a pair counts alike. By probability, each of its two occupations does. They differ only where the occupations have unequal numbers of pictures.
# - The tables are under a non-commercial licence. We show no result of a single pair. The next cell has the function that made ours.
# :::

# %% tags=["hide-cell"]
Code(facts.made_by("answers"), language="python")

# %% [markdown]
# (answers-why)=
# ### Why the two can differ
#
# An answer only shows on which side of one half a probability lies. The next cell has made-up probabilities of the right occupation. In both columns, they differ by equally much.

# %%
made_up = pd.DataFrame({
    "usual gender": ["man", "man", "woman", "woman"],  # who mostly holds the occupation
    "shown as": ["man", "woman", "man", "woman"],
    "around one half": [0.6, 0.4, 0.4, 0.6],
    "on one side of it": [0.9, 0.7, 0.7, 0.9],
})
fits = made_up["usual gender"] == made_up["shown as"]


def bias(right):
    """Right where the gender fits, minus right where it does not, in points."""
    return 100 * (right[fits].mean() - right[~fits].mean())


kinds = made_up[["around one half", "on one side of it"]]
example = {"by probability": kinds.apply(bias), "by answer": (kinds > 0.5).apply(bias)}
pd.DataFrame(example).round(1)

# %% [markdown]
# Around one half, the answer turns a small difference into the largest possible one. On one side of it, the answer hides the same difference. Which of the two happens more often in real models?
#
# ## What came out
#
# (answers-larger)=
# ### Is the answer larger?
#
# We compare the two signed means of each model, and look at the interval of their difference.

# %%
columns = ["value", "low", "high"]
measures = answers.pivot(index="model", columns="measure", values=columns)
gap = measures.xs("answer − probability", axis=1, level="measure").copy()
gap["family"] = answers.groupby("model")["family"].first()
gap["larger"] = gap["value"] > 0
gap["surely larger"] = gap["low"] > 0  # the whole interval is above 0
gap["surely smaller"] = gap["high"] < 0

counts = gap.groupby("family")[["larger", "surely larger", "surely smaller"]].sum()
counts.insert(0, "models", gap.groupby("family").size())
counts

# %% tags=["hide-input"]
order = gap["value"].sort_values().index
height = np.arange(len(order))
fig, ((left, right),) = vb.figures.panels(1, 2, height=5.4, share_y=True)
for measure, mark, ink, shift in (("by answer", "o", vb.figures.PALETTE[0], 0.16), ("by probability", "s", vb.figures.PALETTE[1], -0.16)):
    own = measures.xs(measure, axis=1, level="measure").loc[order]
    left.hlines(height + shift, own["low"], own["high"], color=ink, lw=1.5)
    left.plot(own["value"], height + shift, mark, color=ink, ms=5, label=measure)
own = gap.loc[order]
right.hlines(height, own["low"], own["high"], color="black", lw=1.5)
right.plot(own["value"], height, "D", color="black", ms=4.5, label="answer − probability")
for axis in (left, right):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.tick_params(axis="y", labelsize=8)
left.set(yticks=height, yticklabels=order, xlabel="bias, points")
right.set(xlabel="difference, points")
fig.legend(loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="answers-models",
    alt=f"Signed mean bias of {len(gap)} models by answer and by probability, and their difference, with 95 % intervals; the differences run from {gap['value'].min():.1f} to {gap['value'].max():.1f} points. "
    + "; ".join(f"{name} {gap.loc[name, 'value']:.1f}" for name in order) + ".",
    caption=f"Left: how much more often a model is right if the person's gender fits the statistics. Right: how much larger this is by answer. Means over {answers['pairs'].max()} pairs of occupations; 95 % intervals over occupations. Names that begin with LLaVA are one family.",
    source="published:answers",
)

# %% [markdown]
# [By answer, the bias is larger in {glue:text}`larger` models.]{.holds #most_larger} [In {glue:text}`surely.larger` of them, the whole interval lies above zero.]{.holds #many_surely} [In
# {glue:text}`surely.smaller` model, the whole interval lies below.]{.holds #one_smaller} (By chance, about one interval in twenty would miss zero.) The opposite finding would have been:
# the probability is larger in most models. We do not see that.
#
# If each model tossed a coin, a split at least as uneven would have a probability of {glue:text}`coin.all:.2f`. But the models are not independent. Four of them are *LLaVA* models: three
# versions, and one that was trained further. Several others grew out of the same language model, LLaMA. So fifteen models are fewer than fifteen observations, and chance gives such a
# split more often than that.

# %%
def coin(larger):
    """Probability that coins give so uneven a split, in either direction."""
    if not len(larger):
        return 1.0
    return stats.binomtest(int(larger.sum()), len(larger)).pvalue


others = gap[gap["family"] != "LLaVA"]
print(f"all {coin(gap['larger']):.3f}; without LLaVA {coin(others['larger']):.3f}")

# %% tags=["hide-input"]
llava = gap[gap["family"] == "LLaVA"]
by = {name: measures.xs(name, axis=1, level="measure") for name in ("by answer", "by probability", "by answer, absolute", "by probability, absolute")}
clear = by["by probability"]["low"] > 0  # a bias in the expected direction
flat = (by["by probability"]["low"] < 0) & (by["by probability"]["high"] > 0)
flat_both = flat & (by["by answer"]["low"] < 0) & (by["by answer"]["high"] > 0)
smaller = gap[clear & (gap["value"] < 0)]
small_llava = llava[llava["value"] < 0]


def among(count, total):
    return f"{int(count)} of {int(total)}"


questions = 34_581  # as the abstract of the paper counts them, like the occupations
design = {"occupations": 177, "most": 20, "resamples": f"{4_000:,}"}
vb.note(
    design=design, pairs=int(answers["pairs"].max()), questions=f"{questions:,}", per_pair=questions / answers["pairs"].max(), per_occupation=2 * answers["pairs"].max() / design["occupations"],
    larger=among(gap["larger"].sum(), len(gap)), surely={"larger": int(gap["surely larger"].sum()), "smaller": int(gap["surely smaller"].sum())},
    coin={"all": coin(gap["larger"]), "others": coin(others["larger"])}, others=among(others["larger"].sum(), len(others)),
    llava={"all": ", ".join(llava.index) or None, "smaller": " and ".join(small_llava.index) or None, "larger": among(llava["larger"].sum(), len(llava))},
    surely_smaller=" and ".join(gap.index[gap["surely smaller"]]) or None, flat=" and ".join(gap.index[flat_both]) or None,
    clear=among((gap["larger"] & clear).sum(), clear.sum()),
)
vb.holds(
    most_larger=gap["larger"].sum() > len(gap) / 2 and (gap["value"] != 0).all(),
    many_surely=gap["surely larger"].sum() > len(gap) / 2,
    one_smaller=gap["surely smaller"].sum() == 1,
    others_larger=coin(others["larger"]) <= alpha and others["larger"].mean() > 0.5,
    smaller_llava=len(smaller) > 0 and (smaller["family"] == "LLaVA").all(),
    llava_split=llava["larger"].sum() == 2 and len(small_llava) == 2,
    llava_clear=not llava["surely larger"].any() and llava["surely smaller"].sum() == 1,
    flat_one=flat_both.sum() == 1 and flat.sum() == 1,
)

# %% [markdown]
# **What about LLaVA?** The four models are {glue:text}`llava.all`. [By answer, the bias is larger in two of them and smaller in two, {glue:text}`llava.smaller`.]{.holds #llava_split}
# [Only {glue:text}`surely_smaller` differs clearly, and its answers show *less* bias than its probabilities.]{.holds #llava_clear} [Of the models outside this family, {glue:text}`others`
# have the larger answer, which is more than coins would give.]{.holds #others_larger}
#
# One more model needs care. [In {glue:text}`flat`, neither mean can be distinguished from zero, so "smaller" has little meaning there.]{.holds #flat_one} Of the models with a clear bias
# by probability, {glue:text}`clear` have the larger answer. [Those with the smaller one belong to the LLaVA family.]{.holds #smaller_llava}
#
# Why would an answer hide a bias? For example, a model may nearly always choose the first option. Then its probabilities lie on one side of one half. The authors' files say how much the
# order of the options matters. Our table does not, so we leave this open.
#
# (answers-chance)=
# ### Mean absolute values exaggerate by themselves
#
# The authors summarise each model by a mean of *absolute* biases of its pairs. There, accidents count as bias, in whichever direction. How large is this number in a model with no
# bias? We can simulate one.
#
# We give each occupation and gender {glue:text}`pictures` pictures, each in two versions. (In the original, there are {glue:text}`per_cell:.0f` on average.) The *log-odds* of the right
# option, a scale for probabilities with 0 at one half, scatter around a common middle. They do so in the same way whether or not the gender fits. We vary the middle and the scatter.

# %%
middles = (0.5, 0.9)  # probability of the right option in the middle picture
spreads = np.array([0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2])  # SD of the log-odds
n_pairs = answers["pairs"].max()
n_pictures = 4 * pictures  # two occupations, two genders


def no_bias(middle, sd):
    """Pairs of occupations in a model without bias, by answer and by probability."""
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(logit(middle), sd, (2, n_pairs, n_pictures))
    p = expit(log_odds)
    answer = p > 0.5
    return pd.DataFrame({
        "by answer": 100 * (answer[0].mean(axis=1) - answer[1].mean(axis=1)),
        "by probability": 100 * (p[0].mean(axis=1) - p[1].mean(axis=1)),
    })


dial = {(one, sd): no_bias(one, sd) for one in middles for sd in spreads}
absolute = pd.DataFrame({place: own.abs().mean() for place, own in dial.items()}).T
signed = pd.DataFrame({place: own.mean() for place, own in dial.items()}).T

# one place in plain arithmetic: around one half, an answer is a coin
by_hand = 100 * np.sqrt(2 / np.pi) * np.sqrt(2 * 0.25 / n_pictures)
assert np.isclose(absolute.loc[(0.5, 0.2), "by answer"], by_hand, rtol=0.15)

# %% [markdown]
# And what would a model *with* a bias show? We let the right option gain a little log-odds if the gender fits, and compute the signed mean. Here we need a third curve, since the published
# probability is not quite the model's own. The authors' program takes the *mean* log-probability of the written pieces of an option, such as "(" and "A", and turns the two means into
# probabilities. If there are two pieces, and the first one is common to both options, the log-odds are *halved*. This moves all probabilities towards one half.

# %%
gain, spread = 0.4, 1.0  # in log-odds: if the gender fits; SD between pictures
z = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)  # pictures, evenly over a bell curve
steps = {
    "by answer": lambda x: (x > 0) * 1.0,
    "by its own probability": expit,
    "by probability, log-odds halved": lambda x: expit(x / 2),
}
where = np.linspace(0.5, 0.99, 50)
log_odds = logit(where)[:, None] + spread * z  # one row for each middle
biased = pd.DataFrame({
    name: 100 * (step(log_odds + gain / 2) - step(log_odds - gain / 2)).mean(axis=1)
    for name, step in steps.items()
}, index=where)

# %% tags=["hide-input"]
fig, ((left, right),) = vb.figures.panels(1, 2, height=4.2)
inks = {"by answer": vb.figures.PALETTE[0], "by probability": vb.figures.PALETTE[1]}
styles = dict(zip(middles, ("-", "--"), strict=True))
for name, ink in inks.items():
    for middle, style in styles.items():
        left.plot(spreads, absolute.loc[middle, name], style, color=ink, marker="o" if name == "by answer" else "s", ms=3.5)
left.set(xscale="log", xticks=[0.1, 0.4, 1.6], xticklabels=["0.1", "0.4", "1.6"], xlabel="scatter (SD of log-odds)", ylabel="mean absolute, points", title="no bias", ylim=(0, None))
left.minorticks_off()
lines = dict(zip(steps, ((inks["by answer"], "-"), ("black", "-."), (inks["by probability"], "-")), strict=True))
for name, (ink, style) in lines.items():
    right.plot(100 * where, biased[name], style, color=ink)
right.set(xlabel="probability in the\nmiddle picture, %", ylabel="signed mean, points", title="with a bias", ylim=(0, None), xticks=[50, 75, 99])
for name, ink in inks.items():
    left.plot([], [], "-", color=ink, label=name + ("*" if name == "by probability" else ""))
left.plot([], [], "-.", color="black", label="by its own probability")
for middle, style in styles.items():
    left.plot([], [], style, color="grey", label=f"left: middle at {middle:.0%}".replace("%", " %"))
fig.legend(loc="outside upper left", ncols=2, fontsize=9)
vb.figures.show(
    fig,
    name="answers-simulated",
    alt=f"Simulated models. Left, no bias: the mean absolute bias by answer is up to {absolute['by answer'].max():.1f} points, by probability up to {absolute['by probability'].max():.1f}. Right, with a bias: by answer from {biased['by answer'].iloc[0]:.1f} "
    f"points at one half to {biased['by answer'].iloc[-1]:.1f} far from it; by probability from {biased['by its own probability'].iloc[0]:.1f} to {biased['by its own probability'].iloc[-1]:.1f}; halved, from {biased.iloc[0, 2]:.1f} to {biased.iloc[-1, 2]:.1f}.",
    caption=f"Left: the mean absolute bias of a model without any bias. Right: the signed mean of a model with a bias of {gain} log-odds, at a scatter of {spread:g}. * On the right, with halved log-odds (see the text).",
    source="example",
)
over = biased.index[(biased["by answer"] < biased["by its own probability"]) & (biased["by answer"] > biased.iloc[:, 2])]
highest = absolute.max()
assert not ((biased["by answer"] > biased["by its own probability"]) & (biased["by answer"] < biased.iloc[:, 2])).any()  # halving never lowers the count
two_orders = highest["by answer"] / np.sqrt(2)  # if the second order of options adds chance of its own
real = {name: by[f"{name}, absolute"]["value"] for name in ("by answer", "by probability")}
more_absolute = (real["by answer"] > real["by probability"]).sum()
vb.note(
    pictures=pictures, per_cell=questions / answers["pairs"].max() / 4, null={"answer": highest["by answer"], "two": two_orders, "probability": highest["by probability"], "signed": signed.abs().max().max()},
    under={"answer": among((real["by answer"] <= highest["by answer"]).sum(), len(gap)), "two": among((real["by answer"] <= two_orders).sum(), len(gap))},
    absolute_larger=among(more_absolute, len(gap)), flat_absolute=real["by answer"][flat_both].max() if flat_both.any() else None,
    between={"low": over.min() if len(over) else None, "high": over.max() if len(over) else None},
)
vb.holds(
    under_half=real["by answer"].between(0, two_orders).mean() > 0.5,
    flat_absolute=flat_both.any() and bool((real["by answer"][flat_both] > 1).all()),
    counts_differ=more_absolute > gap["larger"].sum(),
    large_signed=bool((by["by answer"]["value"][clear] > signed.abs().max().max()).all()) if clear.any() else None,
)

# %% [markdown]
# *Left:* without any bias, the mean absolute bias reaches {glue:text}`null.answer:.1f` points by answer and {glue:text}`null.probability:.1f` by probability. Around one half, each answer
# is a coin, even if all probabilities are nearly the same.
#
# Is this much? The authors ask each question in two orders of the options. If the second order adds chance of its own, the number shrinks to {glue:text}`null.two:.1f` points. [Even so,
# most of the real models, {glue:text}`under.two`, do not exceed it.]{.holds #under_half} [In {glue:text}`flat`, the mean absolute bias by answer is {glue:text}`flat_absolute:.1f` points,
# although the signed mean cannot be distinguished from zero.]{.holds #flat_absolute} This does not show that the other models have no bias. Their signed means do show one.
#
# So mean absolute values cannot decide our question. [By them, {glue:text}`absolute_larger` models would have the larger answer.]{.holds #counts_differ} Signed means are protected from
# this. Without a bias, pluses and minuses cancel over the pairs: in the simulation, no signed mean is further from zero than {glue:text}`null.signed:.1f` points. [In all real models with
# a clear bias, the signed mean by answer is larger.]{.holds #large_signed}
#
# *Right:* signed means are not protected from two other things. The first is where the probabilities lie: near one half, the answer enlarges a bias; far from it, the answer hides it. The
# second is how a probability was computed. Between {glue:text}`between.low:.0%` and {glue:text}`between.high:.0%`, the answer's bias is larger than that by the halved log-odds, but
# smaller than that by the model's own probability. There, we would say "larger" where "smaller" is true. The opposite mistake does not occur in this simulation. So our count of
# {glue:text}`larger` may be too high.
#
# (answers-labels)=
# ### One label or several?
#
# The second table is about another choice: the words. {cite:t}`groovylizard2024` let {glue:text}`n_clips` CLIP models, of {glue:text}`n_shapes` architectures, choose the race label of
# {glue:text}`photographs` photographs of FairFace {cite:p}`karkkainen2021`. A choice is right if it names the race that annotators of FairFace gave. There were three *label sets*:
#
# - 7 labels, one for each race: "a photo of a white person";
# - 14 labels, two for each race: "a photo of a white man", "… woman";
# - 64 labels, with and without "young", "middle-aged" and "old". Eight of these name no race. They were left out, so there are eight for each race.
#
# How far does *accuracy*, the share of right choices, move? A *range* is the largest accuracy minus the smallest: over label sets, in one model; or over training sets, in one architecture
# with one label set. We show ranges and differences only, since the collection has no licence. In the table, `of` is the training set of a model, or the label set.

# %%
labels = facts.table("race_labels", labels_table)
labels.head(3)

# %% tags=["hide-cell"]
Code(facts.made_by("race_labels"), language="python")

# %% [markdown]
# Some training sets are small pools, from which a model learns little. *Large* training sets are without these. The next table has medians.

# %%
kinds = ["label sets", "large training sets", "training sets"]
ranges = labels[labels["compared"].isin(kinds)]
median = ranges.groupby(["group", "compared"])["points"].median().unstack()
median.loc[list(dict.fromkeys(labels["group"]))].round(1)

# %% tags=["hide-input"]
groups = list(dict.fromkeys(labels["group"]))[::-1]
looks = dict(zip(kinds, (("o", vb.figures.PALETTE[0], 0.25), ("s", vb.figures.PALETTE[1], 0), ("x", "grey", -0.25)), strict=True))
fig, ((axis,),) = vb.figures.panels(height=5.6)
for kind, (mark, ink, shift) in looks.items():
    for place, group in enumerate(groups):
        own = ranges[(ranges["compared"] == kind) & (ranges["group"] == group)]["points"]
        axis.plot(own, [place + shift] * len(own), mark, color=ink, ms=4.5, alpha=0.7)
        axis.plot([own.median()], [place + shift], "k|", ms=11, mew=2)
    axis.plot([], [], mark, color=ink, label={"label sets": "three label sets, in one model", "large training sets": "large training sets, in one architecture", "training sets": "all training sets, in one architecture"}[kind])
axis.set(yticks=range(len(groups)), yticklabels=["all photographs" if group == "all" else group.replace(" ", "\n") for group in groups], xlabel="range of race accuracy, points")
axis.tick_params(axis="y", labelsize=8)
fig.legend(loc="outside upper left", ncols=1)
n_architectures = ranges.loc[ranges["compared"] == "training sets", "architecture"].nunique()
vb.figures.show(
    fig,
    name="answers-labels-ranges",
    alt="Ranges of race accuracy in points, for all photographs and by race label; medians: " + "; ".join(
        f"{'all' if group == 'all' else group} {median.loc[group, 'label sets']:.1f} over label sets, {median.loc[group, 'large training sets']:.1f} over large training sets" for group in groups[::-1]) + ".",
    caption=f"How far the share of photographs with the right race label moves. Circles: models. Squares and crosses: architectures × label sets ({n_architectures} architectures have more than one training set). Bars: medians. Groups: FairFace's labels.",
    source="published:race_labels",
)


# %% [markdown]
# Training sets move the result more. But there are more of them in an architecture than label sets, and more values have a wider range. So we divide each range by the one that as many
# random values would have.

# %%
def expected_range(n):
    """Mean range of n values from a bell curve with SD 1."""
    x = np.linspace(-8, 8, 4001)
    below = stats.norm.cdf(x)
    return ((1 - below**n - (1 - below) ** n) * (x[1] - x[0])).sum()


overall = ranges[ranges["group"] == "all"]
within = overall[overall["compared"] == "label sets"]
small = ("commonpool_l_", "commonpool_m_", "datacomp_l_", "datacomp_m_", "datacomp_s_")
n_large = within[~within["of"].str.startswith(small)].groupby("architecture").size()
between = overall[overall["compared"] == "large training sets"]
fair = between["points"] / between["architecture"].map(n_large).map(expected_range)
lead = between["points"].median() / within["points"].median()
fair_lead = lead * fair.median() / between["points"].median() * expected_range(3)
print(f"{lead:.1f} times as far; after division {fair_lead:.1f} times")

# %% tags=["hide-input"]
change = labels[labels["compared"] == "14 − 7 labels"].pivot_table(index=["architecture", "of"], columns="group", values="points")
rises, falls = (change > 0).mean(), (change < 0).mean()
races = [group for group in groups[::-1] if group != "all"]
ends = {"up": [race for race in races if rises[race] >= 0.75], "down": [race for race in races if falls[race] >= 0.75]}
size = change.abs().median()
by_race = ranges[ranges["group"] != "all"]
own = by_race[by_race["compared"] == "label sets"]
ahead = median.loc[races, "large training sets"] > median.loc[races, "label sets"]
behind = list(ahead.index[~ahead])
ratio = median.loc[behind, "label sets"] / median.loc[behind, "large training sets"]
openai = within["of"] == "openai"
rank = within["points"].rank(ascending=False)
counted = facts.table("vit_l14_gender")
per_race = counted[counted["training"] == counted["training"].iloc[0]].groupby("race")["n"].sum()
margin = 196 * np.sqrt(0.2 / np.array([per_race.sum(), per_race.min()]))
vb.note(
    n_clips=len(within), n_shapes=int(within["architecture"].nunique()), photographs=f"{per_race.sum():,}", range={"labels": median.loc["all", "label sets"], "large": median.loc["all", "large training sets"], "every": median.loc["all", "training sets"]},
    widest={"labels": within["points"].max(), "race": own["points"].max()}, narrowest=between["points"].min(), ahead=among(ahead.sum(), len(ahead)), behind=" and ".join(behind) or None,
    of_race={"low": median.loc[races, "label sets"].min(), "high": median.loc[races, "label sets"].max()}, lead={"plain": lead, "fair": fair_lead}, up=" and ".join(ends["up"]) or None, down=" and ".join(ends["down"]) or None,
    at_least=int(np.ceil(0.75 * len(change))), margin={"all": margin[0], "race": margin[1]}, n_openai=int(openai.sum()), architectures=int(between["architecture"].nunique()),
)
vb.holds(
    training_more=median.loc["all", "large training sets"] > 2 * median.loc["all", "label sets"],
    no_overlap=between["points"].min() > within["points"].max(),
    fair_too=fair_lead > lead / 2 and fair_lead > 2,
    races_move=median.loc[races, "label sets"].min() >= 2,
    races_most=ahead.sum() == len(races) - 1,
    exception=len(behind) == 1 and bool((ratio < 1.5).all()),
    opposite=len(ends["up"]) > 0 and len(ends["down"]) > 0,
    overall_least=size["all"] < size[races].min(),
    openai_widest=set(rank[openai]) == set(range(1, openai.sum() + 1)) if openai.any() else None,
)

# %% [markdown]
# Over all photographs, the three label sets move a model's accuracy by {glue:text}`range.labels:.1f` points (median), and large training sets by {glue:text}`range.large:.1f`. [The widest
# range over label sets is below the narrowest one over training sets.]{.holds #no_overlap} With the small pools, training sets move it by {glue:text}`range.every:.1f` points. [The number
# of values explains little of the lead: after division, training sets still move accuracy {glue:text}`lead.fair:.0f` times as far.]{.holds #fair_too} Our plan, made beforehand, named this
# as the finding against our doubt about labels. So over all photographs, labels matter less than training data.
#
# But this hides what happens in single races. [There, the label sets move accuracy by several points: the medians lie between {glue:text}`of_race.low:.1f` and
# {glue:text}`of_race.high:.1f`.]{.holds #races_move} [Large training sets move it further in {glue:text}`ahead` races.]{.holds #races_most} [The exception is photographs of people
# labelled {glue:text}`behind`, where label sets move it about as far.]{.holds #exception} 
#
# How can the overall accuracy hardly move while races do? [They move in opposite directions.]{.holds #opposite} With 14 labels in place of 7, accuracy rises for photographs of people
# labelled {glue:text}`up` in at least {glue:text}`at_least` of {glue:text}`n_clips` models. It falls for those of people labelled {glue:text}`down` in as many. [In the median, the overall
# accuracy changes less than that of any single race.]{.holds #overall_least} A word that gains a photograph takes it from another one.
#
# After looking, we noticed one more thing. [The {glue:text}`n_openai` models of OpenAI are those that the label sets move most.]{.holds #openai_widest} One of them, ViT-B/32, is the model
# of Hausladen et al.
#
# :::{dropdown} Details: what a range can be, and which models
# - The models come from {glue:text}`architectures` architectures with several training sets, and from two with one. So there are few ranges over training sets. The models share
#   architectures and data, so they are not independent.
# - All ranges are about the same photographs. Suppose that another label set changes a fifth of them from right to wrong, or back. The 95 % interval of the difference then reaches
#   {glue:text}`margin.all:.1f` points to both sides, and at most {glue:text}`margin.race:.1f` in a single race. So the smallest ranges may be chance.
# - The label sets differ in more than their number: "person" against "man" and "woman", "a" against "an". They are not wordings of one sentence.
# - The models of LAION-400M are the last state of training, `laion400m_e32`; the rankings of one architecture, elsewhere in this book, use `e31`, one round earlier.
# :::
#
# ## What it cannot say
#
# - **One kind of question.** There are two options, in English, about pictures that two programs made. BLIP, the model of Wolfe and Caliskan, is not among the fifteen.
# - **The models' own probabilities.** Those of the table are about two letters, and probably moved towards one half. The models' own were not published.
# - **Causes.** The fifteen models differ in data, architecture and training at once.
# - **Race accuracy is not association.** The labels are what strangers wrote about a face. Naming the same race says nothing about what a model connects with it.
# - **For a user, answers are real.** Whoever uses one model gets its answers, however close the decision was, and from the labels that somebody chose.
#
# (answers-means)=
# ## What it means for the three papers
#
# **Wolfe and Caliskan** report answers: BLIP nearly always says that White people are American, and nearly never that Asian people are. Our chapter [](../american_white/vqa.ipynb) warned
# that answers may exaggerate. Its networks were small ones of our own. [In most of these real models, answers are larger than the published probabilities, too.]{.holds #most_larger} But
# in some they are smaller. So for BLIP, whose probabilities are not published, even the direction is open. The answers themselves stand as reported, and so does the harm that they can do.
#
# Their claims about traits rest on one sentence for each trait. Our second table is about names of races, not traits. But it shows a risk: other words can move groups in opposite directions.
#
# **Hausladen et al.** take several words for each trait, which protects from accidents of one word. They compare each with "a photo of a person". In our table, "person" against "man" and
# "woman" is one of the changes between label sets, which move single races. It speaks for the authors that they look at this sentence by itself; see [](../causalface/neutral_prompt.ipynb).
#
# **Ghate et al.** find that training data matter most. [Here too, training sets move the overall result much more than labels do.]{.holds #training_more}
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/answers -p pictures 80
# .venv/bin/vlmbias run real/answers -p table my_results.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in `data/published`.
# :::
#
# ## Take-aways
#
# - An answer may enlarge or hide a difference in probabilities. In these models, it mostly enlarged it, by the published probabilities.
# - Say how a probability was computed. Its scale decides how large a bias looks.
# - Compare signed means. Mean absolute values are above zero in a model without any bias.
# - Report results by group for more than one set of labels. A mean can be stable while groups move.
#
# ## Exercises
#
# :::{exercise} How many pictures are enough?
# :label: answers-pictures
# :level: intermediate
# :minutes: 15
# :code: yes
# How many pictures of each occupation and gender would a model without bias need, so that its mean absolute bias by answer is below one point, if its probabilities lie around one half?
# :::
#
# ```{solution-start} answers-pictures
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
def around_half(pictures):
    """Mean absolute bias by answer, in points, where each answer is a coin."""
    return 100 * np.sqrt(2 / np.pi) * np.sqrt(2 * 0.25 / (4 * pictures))


needed = next(n for n in range(1, 5000) if around_half(n) < 1)
print(f"{needed} pictures; with {pictures}, {around_half(pictures):.1f} points")
coins = np.random.default_rng(seed).binomial(4 * needed, 0.5, (2, 4000)) / (4 * needed)
assert np.isclose(100 * np.abs(coins[0] - coins[1]).mean(), 1, rtol=0.05)

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} A family as one model
# :label: answers-family
# :level: introductory
# :minutes: 10
# :code: yes
# Count the LLaVA family as one model, with the mean of its differences. In how many models is the answer then larger, and how likely is this with coins?
# :::
#
# ```{solution-start} answers-family
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
one = pd.concat([others["value"], pd.Series({"LLaVA": llava["value"].mean()}).dropna()])
print(f"{(one > 0).sum()} of {len(one)}; coins: {coin(one > 0):.3f}")
assert len(one) == gap["family"].eq("other").sum() + (len(llava) > 0) and (one > 0).sum() <= gap["larger"].sum() + 1

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A model nearly always chooses the first option. Its answers show little bias. Would you call it fair?
# 2. You may publish one number for each model: the bias by answer or by probability. Which one serves a user, and which one a developer?
# 3. You choose the labels for a study of four groups. How do you show that your finding is not a finding about labels?
