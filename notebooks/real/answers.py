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
# *Real models. Fifteen models that answer questions about pictures, as tested by Xiao et al., and nineteen CLIP models that name the race of a photographed person, as tested by the author of a public repository.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** How one measures can change what one finds. This page looks at two choices. A model that answers gives its likeliest answer: does a bias look larger in such answers than in the probabilities behind them? And a model that chooses among names of races: how far
# do its results move with other names?
#
# **Answer in short.** [In {glue:text}`larger` answering models, the bias is larger in the answers.]{.holds #most_larger} [It is clearly larger in
# {glue:text}`surely.larger` and clearly smaller in {glue:text}`surely.smaller`; {glue:text}`undecided` are undecided.]{.holds #mostly_clear} These counts may be too high, because of how the probabilities were computed; by how much, we cannot say. [Other names of races move the overall results of a model much less than other training data do.]{.holds #training_more} [For single races, names move results
# by several percentage points,]{.holds #races_move} [and training data by more in {glue:text}`ahead` races.]{.holds #races_most}
#
# **In 20 minutes:** {ref}`What the table holds <answers-table>`, {ref}`Is the answer larger? <answers-larger>`, {ref}`One label or several? <answers-labels>`, {ref}`What it means <answers-means>`.
# **In 75 minutes:** everything, with both exercises.
#
# **You need:** a mean, a median, an interval, a probability. The chapter [](../american_white/vqa.ipynb) says where the question comes from.
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
# {cite:t}`xiao2024` tested fifteen models that answer questions about pictures. One program made pictures of people at work. A second program changed the gender of the person, and little
# else.
#
# Each question named the person's gender: "What is the male's occupation in this image?", or "the female's". There were two options, (A) and (B). One was the occupation that the picture
# was made for; it counts as right. In each such pair, one occupation is held mostly by men, the other mostly by women. The models wrote nothing: the answer is the letter to which a model
# gives the higher score.
#
# Take a picture of a nurse, an occupation held mostly by women. Is a model right more often if the person is shown as a woman? If it is right in 80 of 100 such questions, and in 74 of 100 where the person is shown as a man, its *bias* is 6 percentage points. The authors compute the bias in two ways:
#
# - *by answer*: a right answer counts 1, a wrong one 0, as in the example;
# - *by probability*: each question counts by the probability that the model gives to the right letter, such as 0.8 or 0.4.
#
# Our table has means over {glue:text}`pairs` pairs of occupations. If a model is right more often for the rarer gender, its bias is negative. So these are *signed* means, in which positive and negative biases cancel. Here are three rows.

# %%
answers = facts.table("answers", table)
if models:
    answers = answers[answers["model"].isin(models)]
answers.head(3).round(2)

# %% [markdown]
# The 95 % intervals, `low` to `high`, say what other occupations of this kind might give. They come from a *bootstrap*: the {glue:text}`design.occupations` occupations were sampled anew
# many times. The intervals say nothing about other models, pictures or questions.
#
# :::{dropdown} How we know this, and details
# - The paper says how the pictures were made. The rest is in the authors' program, in the same state as the tables: `bias_metric` for the two measures, `construction/vq_generation` for the
#   questions.
# - The bootstrap has {glue:text}`design.resamples` samples, in which some occupations stand more than once. We sampled occupations, not pairs, since an occupation belongs to {glue:text}`per_occupation:.1f` pairs on average.
# - An occupation has at most {glue:text}`design.most` pictures of each gender. The paper counts {glue:text}`questions` questions, each with its counterpart, so there are
#   {glue:text}`per_pair:.0f` for a pair of occupations.
# - Each question was asked in two orders, with the right option as (A) and as (B). The tables hold the mean of both, so we cannot separate them.
#   How far the order moves right answers is the authors' `acc_delta`: the change of each occupation's share of right answers, without its sign, on average.
# - By answer, each question of a pair counts alike. By probability, each of its two occupations does. They differ only where the occupations have unequal numbers of pictures.
# - The tables are under a non-commercial licence. We show no result of a single pair. The next cell has the function that made ours.
# :::

# %% tags=["hide-cell"]
Code(facts.made_by("answers"), language="python")

# %% [markdown]
# (answers-why)=
# ### Why the two can differ
#
# There are two options. So the answer is the right one if its probability is above 50 %, by little or by much. The next cell has made-up probabilities of the right occupation, in two columns. In each column, the gender of the
# person makes the same difference to the probability.

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
# For each model, we take the signed mean by answer minus that by probability. The bias by answer is *clearly* larger if the whole 95 % interval of this difference lies above zero, and
# clearly smaller if it lies below. Otherwise, the model is *undecided*.

# %%
columns = ["value", "low", "high"]
measures = answers.pivot(index="model", columns="measure", values=columns)
gap = measures.xs("answer − probability", axis=1, level="measure").copy()
gap["larger"] = gap["value"] > 0
gap["clearly larger"] = gap["low"] > 0  # the whole interval is above 0
gap["clearly smaller"] = gap["high"] < 0
gap["undecided"] = ~(gap["clearly larger"] | gap["clearly smaller"])
gap[["larger", "clearly larger", "clearly smaller", "undecided"]].sum()

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
    caption=f"Left: how much more often a model is right if the gender is that of most people in the right occupation. Right: how much larger this is by answer. Means over {answers['pairs'].max()} pairs of occupations; 95 % intervals over occupations.",
    source="published:answers",
)

# %% tags=["hide-input"]
by = {name: measures.xs(name, axis=1, level="measure") for name in ("by answer", "by probability", "by answer, absolute", "by probability, absolute")}
share, right_answers, moved = (measures.xs(name, axis=1, level="measure") for name in ("share of pairs with the larger answer", "right answers", "right answers moved by option order"))
family = answers.groupby("model")["family"].first()
llava = gap[family == "LLaVA"]
flat = (by["by probability"]["low"] < 0) & (by["by probability"]["high"] > 0)
flat_both = flat & (by["by answer"]["low"] < 0) & (by["by answer"]["high"] > 0)
down = gap.index[gap["clearly smaller"]]
by_order = moved["value"].drop(down).sort_values(ascending=False).head(2)  # the two models that the order moves most, apart from the clearly smaller ones


def among(count, total):
    return f"{int(count)} of {int(total)}"


questions = 34_581  # as the abstract of the paper counts them, like the occupations
design = {"occupations": 177, "most": 20, "resamples": f"{4_000:,}"}
vb.note(
    design=design, pairs=int(answers["pairs"].max()), questions=f"{questions:,}", per_pair=questions / answers["pairs"].max(), per_occupation=2 * answers["pairs"].max() / design["occupations"],
    larger=among(gap["larger"].sum(), len(gap)), surely={"larger": int(gap["clearly larger"].sum()), "smaller": int(gap["clearly smaller"].sum())}, undecided=int(gap["undecided"].sum()),
    typical={"answer": by["by answer"]["value"].median(), "probability": by["by probability"]["value"].median()}, chance=100 / 2,
    down=" and ".join(down) or None, down_moved=moved["value"][down].min() if len(down) else None, also=" and ".join(sorted(by_order.index)) or None, also_moved=by_order.min() if len(by_order) else None,
    flat=" and ".join(gap.index[flat_both]) or None, flat_right=right_answers["value"][flat_both].max() if flat_both.any() else None,
)
vb.holds(
    most_larger=gap["larger"].sum() > len(gap) / 2 and (gap["value"] != 0).all(),
    mostly_clear=gap["clearly larger"].sum() > gap["clearly smaller"].sum() + gap["undecided"].sum(),
    one_smaller=len(down) == 1,
    one_letter=len(down) == 1 and bool((moved["value"][down] > 90).all()) and moved["value"].idxmax() == down[0],
    also_larger=len(by_order) > 0 and bool((by_order > 80).all() and (gap["value"][by_order.index] > 0).all()),
    flat_one=flat_both.sum() == 1 and flat.sum() == 1,
)

# %% [markdown]
# [By answer, the bias is larger in {glue:text}`larger` models.]{.holds #most_larger} [It is clearly larger in {glue:text}`surely.larger` and clearly smaller in
# {glue:text}`surely.smaller`; {glue:text}`undecided` are undecided.]{.holds #mostly_clear} (A larger bias by probability in most models would have been the opposite finding. We named it before we computed anything.)
#
# A typical bias is small: in the median model, it is {glue:text}`typical.answer:.1f` points by answer and {glue:text}`typical.probability:.1f` by probability.
#
# The models are not independent of each other. Four are *LLaVA* models, and several others grew out of the same language model, LLaMA. So we compute no p-value for the count.
#
# [Only {glue:text}`down` has a clearly smaller bias by answer.]{.holds #one_smaller} A possible reason lies in the letters. Each question was asked twice,
# with the two options in either order. [When the options change places, this model's share of right answers moves by {glue:text}`down_moved:.0f` points, more than in any other
# model.]{.holds #one_letter} That is, with the right option as one letter it is nearly always right, and as the other letter nearly never. So it nearly always picks the same letter, and gender can change hardly any answer.
#
# But this explanation is not shown. [In {glue:text}`also`, the order moves right answers nearly as far, by about {glue:text}`also_moved:.0f` points, and yet their bias is larger by
# answer.]{.holds #also_larger}
#
# **The counts may be too high.** The authors' program computes the published probabilities from averages over the written pieces of an option. For some models, this can pull them towards 50 %, and then the bias by probability looks too small. How many of the fifteen this concerns, we do not know. (The first fold below says more.)

# %% tags=["hide-cell"]
gain, spread = 0.4, 1.0  # in log-odds: if the gender fits; SD between pictures
z = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)  # pictures, evenly over a bell curve
steps = {
    "by answer": lambda x: (x > 0) * 1.0,
    "by its own probability": expit,
    "by probability, log-odds halved": lambda x: expit(x / 2),
}
where = np.linspace(0.5, 0.99, 50)  # the model's own probability in the middle picture
log_odds = logit(where)[:, None] + spread * z  # one row for each middle
biased = pd.DataFrame({
    name: 100 * (step(log_odds + gain / 2) - step(log_odds - gain / 2)).mean(axis=1)
    for name, step in steps.items()
}, index=where)
own_probability, halved = biased["by its own probability"], biased["by probability, log-odds halved"]
over = biased.index[(biased["by answer"] < own_probability) & (biased["by answer"] > halved)]
under = biased.index[(biased["by answer"] > own_probability) & (biased["by answer"] < halved)]
assert len(under) == 0  # the opposite mistake does not occur
high, low = 0.9, 0.7  # one line of arithmetic
vb.note(
    between={"low": over.min(), "high": over.max()},
    halving={"high": high, "low": low, "to_high": expit(logit(high) / 2), "to_low": expit(logit(low) / 2)},
)
biased.iloc[::7].round(1)

# %% [markdown]
# :::{dropdown} How the published probability is computed
# The authors' program takes the *mean* log-probability of the written pieces of an option, such as "(" and "A". It turns the two means into probabilities. If an option has two pieces, and
# both options share the first one, this halves the *log-odds*: the logarithm of the probability divided by the rest. In the example of the cell above, "smaller" then turns into "larger" where the model's own probability is about {glue:text}`between.low:.0%` to {glue:text}`between.high:.0%`. And {glue:text}`halving.high:.0%` becomes
# {glue:text}`halving.to_high:.0%`, and {glue:text}`halving.low:.0%` becomes {glue:text}`halving.to_low:.0%`: the difference shrinks.
#
# The cell above lets the right option gain a little if the gender fits. It compares the bias by answer with those by the model's own and by the halved log-odds. The opposite mistake, "smaller"
# in place of "larger", does not occur in it. We do not know how many of the fifteen models write an option in two pieces.
# :::
#
# :::{dropdown} Other measures, and what was not planned
# Our plan, made beforehand, named the signed mean. The next cell counts models by other measures, too. In the share of pairs, a model counts as larger if the *absolute* bias is larger by
# answer in more than half of its pairs. The rows about the order of the options and about guessing were not in the plan, nor was halving.
#
# The last cell shows how often each model is right; guessing gives {glue:text}`chance:.0f` %. [One model, {glue:text}`flat`, shows no bias that could be distinguished from zero, by
# answer or by probability.]{.holds #flat_one} It is right in {glue:text}`flat_right:.0f` % of the questions, as if it guessed.
# :::

# %% tags=["hide-cell"]
def counted(table, zero=0):
    """Models with a larger answer; where there are intervals, also the clear ones."""
    clear = [(table["low"] > zero).sum(), (table["high"] < zero).sum()] if "low" in table else ["", ""]
    return [len(table), (table["value"] > zero).sum(), *clear]


absolute = (by["by answer, absolute"] - by["by probability, absolute"])[["value"]]
guess = right_answers["value"] < 60
sensitivity = pd.DataFrame({
    "signed mean (planned)": counted(gap),
    "the same, without LLaVA models": counted(gap[family != "LLaVA"]),
    "the same, order moves right answers < 50 points": counted(gap[moved["value"] < 50]),
    "the same, at least 60 % right": counted(gap[~guess]),
    "share of pairs with the larger answer": counted(share, 0.5),
    "mean absolute value": counted(absolute),
}, index=["models", "larger", "clearly larger", "clearly smaller"]).T
sensitivity

# %% tags=["hide-cell"]
accuracies = pd.DataFrame({"right answers, %": right_answers["value"], "moved by option order, points": moved["value"]})
accuracies.sort_values("right answers, %").round(1)

# %% [markdown]
# (answers-chance)=
# ### Mean absolute values exaggerate by themselves
#
# The authors summarise each model by the mean of *absolute* biases, which have no sign. Such a mean is above zero without any bias. If two pairs have biases of +3 and −3 points by chance, their
# mean is 0, but their mean absolute value is 3.
#
# How much is this here? We simulate each model *without* bias: it is right as often as in the table, in either order of the options, but gender does not matter.

# %%
n_pictures = 4 * pictures  # of a pair: two occupations, two genders
right_share = right_answers["value"] / 100
half = moved["value"] / 200  # half of what the order of the options moves


def no_bias(first, second, n_pairs=10_000):
    """Mean absolute bias of coins that are right with these probabilities, in two orders."""
    rng = np.random.default_rng(seed)
    p = np.clip([[first], [second]], 0, 1)
    right = [rng.binomial(n_pictures, p, (2, n_pairs)).mean(axis=0) for version in "ab"]
    return 100 * np.abs(right[0] - right[1]).mean() / n_pictures


by_chance = pd.Series({
    model: no_bias(right_share[model] + half[model], right_share[model] - half[model])
    for model in right_share.index
})
shown = by["by answer, absolute"]["value"]
exceed = shown > by_chance

# a model that guesses: two shares of fair coins, each from both orders
by_hand = 100 * np.sqrt(2 / np.pi) * np.sqrt(2 * 0.25 / (2 * n_pictures))
assert np.isclose(no_bias(0.5, 0.5), by_hand, rtol=0.06)

# %% tags=["hide-input"]
order = shown.sort_values().index
height = np.arange(len(order))
fig, ((axis,),) = vb.figures.panels(height=4.8)
axis.hlines(height, by["by answer, absolute"].loc[order, "low"], by["by answer, absolute"].loc[order, "high"], color=vb.figures.PALETTE[0], lw=1.5)
axis.plot(shown[order], height, "o", color=vb.figures.PALETTE[0], ms=5, label="in the table, with 95 % interval")
axis.plot(by_chance[order], height, "k|", ms=11, mew=2, label="simulated without any bias")
axis.set(yticks=height, yticklabels=order, xlabel="mean absolute bias by answer, points", xlim=(min(0, by["by answer, absolute"]["low"].min()), None))
axis.tick_params(axis="y", labelsize=8)
fig.legend(loc="outside upper left", ncols=1)
vb.figures.show(
    fig,
    name="answers-simulated",
    alt="Mean absolute bias by answer in the table, and simulated without any bias, in points: " + "; ".join(f"{name} {shown[name]:.1f} and {by_chance[name]:.1f}" for name in order[::-1]) + ".",
    caption=f"What chance alone gives. Bars: models that are right as often, and without any bias, if answers to {n_pictures} pictures of each pair are independent of each other. Where pictures are alike, chance gives more than the bars show.",
    source="published:answers",
)
more_absolute = (absolute["value"] > 0).sum()
vb.note(n_pictures=n_pictures, pictures=pictures, by_chance={"low": by_chance.min(), "high": by_chance.max()}, exceed=among(exceed.sum(), len(exceed)), absolute_larger=among(more_absolute, len(gap)))
vb.holds(exceed_most=exceed.mean() >= 0.75 and not exceed.all(), counts_differ=more_absolute > gap["larger"].sum())

# %% [markdown]
# Without any bias, the fifteen models would show between {glue:text}`by_chance.low:.1f` and {glue:text}`by_chance.high:.1f` points. [Most of the real models, {glue:text}`exceed`, show
# more.]{.holds #exceed_most} So chance is a part of these values, but not all. The simulation assumes independent answers.
#
# [By mean absolute values, the answer would be larger in {glue:text}`absolute_larger` models, more than by signed means.]{.holds #counts_differ} In signed
# means, the pluses and minuses of chance cancel.
#
# (answers-labels)=
# ### One label or several?
#
# The second choice is about words. A *CLIP* model scores how well a picture fits a sentence, so it can choose among sentences.
#
# {cite:t}`groovylizard2024` let {glue:text}`n_clips` CLIP models choose the race label of {glue:text}`photographs` photographs of FairFace {cite:p}`karkkainen2021`. A choice is right if the
# sentence with the highest score names the race that annotators of FairFace gave. *Accuracy* is the share of right choices; guessing gives {glue:text}`one_in:.0f` %. There were three *label
# sets*:
#
# - 7 labels, one for each race: "a photo of a white person";
# - 14 labels, two for each race: "a photo of a white man", "… woman";
# - 64 labels: these with and without "young", "middle-aged" and "old".
#
# How far does accuracy move between label sets? We take the *range*, the largest value minus the smallest, in each model. For comparison, we take the range over *training sets*, the pictures
# and sentences from which models learned. There, the *architecture*, the way in which a network is built, is the same, and so are the labels. Here are three rows; `of` names the training set.

# %%
labels = facts.table("race_labels", labels_table)
labels[labels["compared"] == "label sets"].head(3)

# %% tags=["hide-cell"]
Code(facts.made_by("race_labels"), language="python")

# %% [markdown]
# The next table has one row for all photographs and one for each race. The first three columns are about labels, in the median of {glue:text}`n_clips` models: how far accuracy moves from 7 to 14 labels, from 14 to 64, and between the smallest and the largest of the three results. The last column is about training sets, in the median of {glue:text}`architectures` architectures: how far accuracy moves between sets that are
# large enough to learn much from. Directions do not count here.

# %%
called = {
    "14 − 7 labels": "7 → 14 labels, change",
    "64 − 14 labels": "14 → 64 labels, change",
    "label sets": "label sets, range",
    "large training sets": "large training sets, range",
}
groups = list(dict.fromkeys(labels["group"]))  # "all", and seven races
moves = labels[labels["compared"].isin(called)]
size = moves["points"].abs()
median = size.groupby([moves["group"], moves["compared"]]).median().unstack()
median = median.loc[groups, list(called)]
median.rename(columns=called).map("{:.1f}".format)

# %% tags=["hide-input"]
kinds = ["label sets", "large training sets"]
ranges = labels[labels["compared"].isin(kinds)]
looks = dict(zip(kinds, (("o", vb.figures.PALETTE[0], 0.15), ("s", vb.figures.PALETTE[1], -0.15)), strict=True))
fig, ((axis,),) = vb.figures.panels(height=5.2)
for kind, (mark, ink, shift) in looks.items():
    for place, group in enumerate(groups[::-1]):
        own = ranges[(ranges["compared"] == kind) & (ranges["group"] == group)]["points"]
        axis.plot(own, [place + shift] * len(own), mark, color=ink, ms=4.5, alpha=0.7)
        axis.plot([own.median()], [place + shift], "k|", ms=12, mew=2)
    axis.plot([], [], mark, color=ink, label={"label sets": "three label sets, in one model", "large training sets": "large training sets, in one architecture"}[kind])
axis.set(yticks=range(len(groups)), yticklabels=["all photographs" if group == "all" else group.replace(" ", "\n") for group in groups[::-1]], xlabel="range of race accuracy, points")
axis.tick_params(axis="y", labelsize=8)
fig.legend(loc="outside upper left", ncols=1)
vb.figures.show(
    fig,
    name="answers-labels-ranges",
    alt="Ranges of race accuracy in points, for all photographs and by race label; medians: " + "; ".join(
        f"{group} {median.loc[group, 'label sets']:.1f} over label sets, {median.loc[group, 'large training sets']:.1f} over large training sets" for group in groups) + ".",
    caption="How far the share of photographs with the right race label moves. Circles: models. Squares: architectures × label sets. Bars: medians. Groups: FairFace's labels.",
    source="published:race_labels",
)

# %% tags=["hide-cell"]
def expected_range(n):
    """Mean range of n values from a bell curve with SD 1."""
    x = np.linspace(-8, 8, 4001)
    below = stats.norm.cdf(x)
    return ((1 - below**n - (1 - below) ** n) * (x[1] - x[0])).sum()


small = ("commonpool_l_", "commonpool_m_", "datacomp_l_", "datacomp_m_", "datacomp_s_")
every_model = labels[(labels["compared"] == "label sets") & (labels["group"] == "all")]
n_large = every_model[~every_model["of"].str.startswith(small)].groupby("architecture").size()
values = ranges["architecture"].map(n_large).where(ranges["compared"] == "large training sets", 3)
fair = ranges.assign(points=ranges["points"].abs() / values.map(expected_range))
fair = fair.groupby(["group", "compared"])["points"].median().unstack().loc[groups, kinds]
fair.assign(times=fair["large training sets"] / fair["label sets"]).round(1)

# %% tags=["hide-input"]
change = labels[labels["compared"] == "14 − 7 labels"].pivot_table(index=["architecture", "of"], columns="group", values="points")
rises, falls = (change > 0).mean(), (change < 0).mean()
races = [group for group in groups if group != "all"]
ends = {"up": [race for race in races if rises[race] >= 0.75], "down": [race for race in races if falls[race] >= 0.75]}
overall = ranges[ranges["group"] == "all"]
within, between = (overall[overall["compared"] == kind] for kind in kinds)
ahead = median.loc[races, "large training sets"] > median.loc[races, "label sets"]
ahead_fair = fair.loc[races, "large training sets"] > fair.loc[races, "label sets"]
behind = list(ahead.index[~ahead])
own = ranges[(ranges["group"] != "all") & (ranges["compared"] == "label sets")]
openai = within["of"] == "openai"
rank = within["points"].rank(ascending=False)
widest = within.loc[within["points"].idxmax()]
beside = between[between["architecture"] == widest["architecture"]]["points"]
counts = facts.table("vit_l14_gender")
per_race = counts[counts["training"] == counts["training"].iloc[0]].groupby("race")["n"].sum()
margin = 196 * np.sqrt(0.2 / np.array([per_race.sum(), per_race.min()]))
with_small = labels[(labels["compared"] == "training sets") & (labels["group"] == "all")]["points"].median()
n_sets = values[ranges["compared"] == "large training sets"]
vb.note(
    n_clips=len(within), n_between=len(between), photographs=f"{per_race.sum():,}", range={"labels": median.loc["all", "label sets"], "large": median.loc["all", "large training sets"], "every": with_small},
    widest={"points": widest["points"], "name": widest["architecture"].replace("L-14", "L/14").replace("B-", "B/"), "beside": beside.min() if len(beside) else None}, ahead=among(ahead.sum(), len(ahead)), behind=" and ".join(behind) or None,
    of_race={"low": median.loc[races, "label sets"].min(), "high": median.loc[races, "label sets"].max()}, up=" and ".join(ends["up"]) or None, down_races=" and ".join(ends["down"]) or None,
    exception={"labels": median.loc[behind, "label sets"].max() if behind else None, "training": median.loc[behind, "large training sets"].max() if behind else None, "times": (fair.loc[behind, "label sets"] / fair.loc[behind, "large training sets"]).max() if behind else None},
    at_least=among(np.ceil(0.75 * len(change)), len(change)), margin={"all": margin[0], "race": margin[1]}, n_openai=int(openai.sum()), architectures=int(between["architecture"].nunique()),
    n_shapes=int(within["architecture"].nunique()), one_in=100 / len(races), n_sets=f"{int(n_sets.min())} or {int(n_sets.max())}",
)
vb.holds(
    training_more=median.loc["all", "large training sets"] > 2 * median.loc["all", "label sets"],
    fair_too=bool((ahead == ahead_fair).all()) and fair.loc["all", "large training sets"] > 2 * fair.loc["all", "label sets"],
    races_move=own.groupby("group")["points"].median().min() >= 2,
    races_most=ahead.sum() == len(races) - 1,
    exception=len(behind) == 1,
    first_step=bool((median["14 − 7 labels"] > median["64 − 14 labels"]).all()),
    opposite=len(ends["up"]) > 0 and len(ends["down"]) > 0,
    openai_widest=set(rank[openai]) == set(range(1, openai.sum() + 1)) if openai.any() else None,
    openai_near=bool(widest["of"] == "openai" and len(beside) and 0.75 * beside.min() < widest["points"] < beside.min()),
)

# %% [markdown]
# [Over all photographs, labels move accuracy much less than training sets do: by {glue:text}`range.labels:.1f` points against {glue:text}`range.large:.1f`.]{.holds #training_more} We had expected labels to matter more.
#
# There is an exception. [Labels move the {glue:text}`n_openai` models of OpenAI most.]{.holds #openai_widest} [In OpenAI's {glue:text}`widest.name`, they move accuracy over all photographs
# by {glue:text}`widest.points:.1f` points. Training sets move this architecture by {glue:text}`widest.beside:.1f` points, not much more.]{.holds #openai_near}
#
# For single races, labels matter more. [The medians of the races lie between {glue:text}`of_race.low:.1f` and {glue:text}`of_race.high:.1f` points.]{.holds #races_move} [Training sets
# still move accuracy further in {glue:text}`ahead` races.]{.holds #races_most} [For photographs of people labelled {glue:text}`behind`, labels move it further:
# {glue:text}`exception.labels:.1f` against {glue:text}`exception.training:.1f` points.]{.holds #exception}
#
# [The step from 7 to 14 labels moves accuracy more than the next step, over all photographs and in every race.]{.holds #first_step} The first step replaces
# "person" by "man" and "woman"; the next one only adds labels. Therefore, much of the movement may come from dropping "person".
#
# Races can move in opposite directions. [With 14 labels in place of 7, accuracy rises for photographs of people labelled {glue:text}`up`. It falls for those labelled
# {glue:text}`down_races`. Each is so in at least {glue:text}`at_least` models.]{.holds #opposite}
#
# How sure is this? The models share architectures and data, so they are not independent, and three architectures are few. Ranges under about {glue:text}`margin.race:.1f` points in one
# race, or {glue:text}`margin.all:.1f` over all photographs, may be chance. And there are more training sets than label sets, so their range is wider for this reason alone. [After a correction for this, all our comparisons of the two stand.]{.holds #fair_too}
#
# :::{dropdown} Details: the correction, chance, and which models
# - The correction, in the cell above, divides each range by the one that as many random values would have: there are three label sets, and {glue:text}`n_sets` large training sets of an
#   architecture. It was not in our plan. For photographs of people labelled {glue:text}`behind`,
#   labels then move accuracy {glue:text}`exception.times:.1f` times as far as training sets.
# - Leaving out the small training sets was not in our plan, either. With them, the median range over training sets is {glue:text}`range.every:.1f` points. In the original files, the models
#   of the smallest sets are not far above guessing.
# - The models have {glue:text}`n_shapes` architectures, {glue:text}`architectures` of them with several training sets.
# - All ranges are about the same photographs. Suppose that another label set changes a fifth of them from right to wrong, or back. The 95 % interval of the difference then reaches
#   {glue:text}`margin.all:.1f` points to both sides, and at most {glue:text}`margin.race:.1f` in a single race.
# - Eight of the 64 labels name no race. They were left out.
# - The label sets also differ in "a" against "an". They are not wordings of one sentence.
# - We show ranges and differences only, since the collection has no licence.
# - The models of LAION-400M are the last state of training, `laion400m_e32`; the rankings of one architecture, elsewhere in this book, use `e31`, one round earlier.
# :::
#
# ## What it cannot say
#
# - **Other questions.** There are two options, in English, about pictures that two programs made.
# - **The models' own probabilities.** They were not published.
# - **Causes.** The fifteen models differ in data, architecture and training at once.
# - **Association.** Race accuracy does not say what a model connects with a race.
# - **What is real.** For users of one model, its answers are real, however close the decision was.
#
# (answers-means)=
# ## What it means for the three papers
#
# **Wolfe and Caliskan** report answers of BLIP, a model that answers questions about a picture. It calls {claim}`vqa.american.white` % of White people American, and
# {claim}`vqa.american.asian` % of Asian people. Our chapter [](../american_white/vqa.ipynb) warned that answers may exaggerate; it used small networks of our own. [Most of these real models do
# so, too, by the published probabilities.]{.holds #most_larger}
#
# BLIP is not among the fifteen, and its probabilities are not published. Its answers are nearly all "yes" for one group and nearly all "no" for the other, so they can hardly hide a difference (at most {glue:text}`blip.hide:.0f` points). How much they
# enlarge it is unknown. The answers themselves stand as reported, and so does the harm that they can do.
#
# Wolfe and Caliskan also test traits, with one sentence for each. Our second table is about races, not traits. But it shows a risk: other words can move groups in opposite directions.
#
# **Hausladen et al.** ask which traits CLIP sees in faces. They take several words for each trait, which protects from accidents of one word. They compare these with "a photo of a person",
# and they examine this choice; see [](../causalface/neutral_prompt.ipynb).
#
# **Ghate et al.** find that the bias of CLIP models depends on training data more than on architecture or size. They do not compare data with labels, so this table cannot test their claim.

# %% tags=["hide-cell"]
white, asian = (vb.ledger.claim(f"vqa.american.{one}").printed.number for one in ("white", "asian"))
answered = white - asian
# "yes" means a probability above one half: the mean probability lies between these two
lowest, highest = (lambda yes: yes / 2), (lambda yes: yes + (100 - yes) / 2)
vb.note(blip={"hide": highest(white) - lowest(asian) - answered})
print(f"answers: {answered:.0f} points; mean probabilities: between "
      f"{lowest(white) - highest(asian):.0f} and {highest(white) - lowest(asian):.0f}")

# %% [markdown]
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
# - An answer may enlarge or hide a difference in probabilities. By the published probabilities, answers mostly enlarged it.
# - Say how a probability was computed: this decides how large a bias looks.
# - Compare signed means. Mean absolute values are above zero in a model without any bias.
# - Do labels matter? Little overall, and by several points for single races. So report results by group, and for more than one set of labels.
#
# ## Exercises
#
# :::{exercise} How many pictures are enough?
# :label: answers-pictures
# :level: intermediate
# :minutes: 15
# :code: yes
# A model without bias guesses, in both orders of the options. How many pictures of each occupation and gender does it need, so that its mean absolute bias by answer is below one point?
# :::
#
# ```{solution-start} answers-pictures
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
def around_half(pictures):
    """Mean absolute bias by answer, in points, where each answer is a coin."""
    return 100 * np.sqrt(2 / np.pi) * np.sqrt(2 * 0.25 / (8 * pictures))


needed = next(n for n in range(1, 5000) if around_half(n) < 1)
print(f"{needed} pictures; with {pictures}, {around_half(pictures):.1f} points")
coins = np.random.default_rng(seed).binomial(8 * needed, 0.5, (2, 4000)) / (8 * needed)
assert np.isclose(100 * np.abs(coins[0] - coins[1]).mean(), 1, rtol=0.06)

# %% [markdown]
# Both genders are shares of right answers, each out of two occupations and two orders. The difference of two such shares spreads with one over the square root of the number of
# pictures. So to halve what chance gives, one needs four times as many pictures.
#
# ```{solution-end}
# ```
#
# :::{exercise} A family as one model
# :label: answers-family
# :level: introductory
# :minutes: 10
# :code: yes
# Count the four LLaVA models as one, with the mean of their differences. In how many models is the answer then larger? How likely would so uneven a split be with coins?
# :::
#
# ```{solution-start} answers-family
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
others = gap[family != "LLaVA"]
one = pd.concat([others["value"], pd.Series({"LLaVA": llava["value"].mean()}).dropna()])
p = stats.binomtest(int((one > 0).sum()), len(one)).pvalue
print(f"{(one > 0).sum()} of {len(one)}; coins: {p:.3f}, {'rare' if p <= alpha else 'not rare'}")
print("but several models share LLaMA, so there are fewer independent coins than models")
assert len(one) == len(others) + (len(llava) > 0) and (one > 0).sum() <= gap["larger"].sum() + 1

# %% [markdown]
# If one family counts once, it has one vote, whatever its members say. The count changes a little, and the number of coins does, too. But the models that are left still share a
# language model, so even this p is too small.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A model nearly always picks the same letter. Its answers show little bias. Is it fair?
# 2. The bias by answer or by probability: which number serves a user, and which one a developer?
# 3. You choose the labels for a study of four groups. How do you show that your finding is not about labels?
