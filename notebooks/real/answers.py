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
# *Two studies of real models, one question: does the way of measuring change the finding?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** First study: is a bias about men's and women's occupations larger in a model's answers than in the probabilities behind them?
# Second study: does a model find the right race label as often with another set of labels?
#
# **Answer in short.** *First study.* [In {glue:text}`larger` models, the bias is larger in the answers than in the probabilities.]{.holds #most_larger} [In {glue:text}`surely.larger` models, it is clearly larger: this is hardly an accident
# of the occupations tested. In {glue:text}`surely.smaller` other, it is clearly smaller.]{.holds #mostly_clear} But too many models may seem to have a larger bias in answers, since the way in which the authors' program computes probabilities can make the bias in these too small. By how much is not known.
#
# *Second study.* [Over all photographs, the share of right labels changes much less with the set of labels than with the training set, the data from which a model learned.]{.holds #training_more} (This is true in the median, and less clear for models of OpenAI.) [For single races, the set of labels still changes this share by several percentage points.]{.holds #races_move} But models with different training sets differ in other ways, too.
#
# **In 20 minutes:** {ref}`What the table holds <answers-table>`, {ref}`Is the bias larger in answers? <answers-larger>`, {ref}`One label or several? <answers-labels>`, {ref}`What it means <answers-means>`.
# **In 75 minutes:** everything, with both exercises.
#
# **You need:** a mean, a median, an interval, a probability.
#
# **Content note.** Stereotypes of occupations; race labels of photographs. No picture is shown. Every number is about models, none about people.
# :::
#
# **We ran no model.** Our numbers come from results that others published {cite:p}`xiao2024,groovylizard2024`. We thank them.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/answers.csv, in its place; empty or a table
changes_table = ""  # a CSV of your own with the columns of data/published/answers_by_change.csv, in its place; empty or a table
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
# **The first study is about answers.** {cite:t}`xiao2024` tested fifteen models that answer questions about pictures of people at work. Programs made each picture twice: once with a woman, once with a man, and with little else changed.
# Each question names the gender, as in "What is the male's occupation in this image?". So the gender changes in the picture and in the question.
#
# The question offers two occupations, (A) and (B): one is held mostly by men, the other mostly by women. Right is the occupation that the picture was made for.
# A model's answer is the letter with the higher probability.
#
# Nurses are mostly women. Suppose that a model gives the right answer to 80 of 100 questions about women who are nurses, and to 74 of 100 about men. Then its *bias* is +6 percentage
# points. For an occupation held mostly by men, a positive bias means that men are recognised more often. The authors compute it in two ways:
#
# - *by answer*: a right answer counts 1 and a wrong one 0, as in this example;
# - *by probability*: each question counts with the probability of the right letter, such as 0.8 or 0.4.
#
# In our table, `mean` is the mean bias over {glue:text}`pairs` pairs of occupations, in points. In this *signed* mean, positive and negative biases cancel.
# `from` and `to` are the ends of its 95 % interval: how far it might move with other occupations, but not with other pictures or questions.

# %%
answers = facts.table("answers", table)
if models:
    answers = answers[answers["model"].isin(models)]
plain = answers.rename(columns={"value": "mean", "low": "from", "high": "to"})
plain[["model", "measure", "mean", "from", "to"]].head(3).round(1)

# %% [markdown]
# :::{dropdown} How we know this, and details
# - The paper says how the pictures were made. The rest is in the authors' program: `bias_metric` for the two measures, `construction/vq_generation` for the questions.
# - The intervals come from a *bootstrap*: the {glue:text}`design.occupations` occupations were sampled anew {glue:text}`design.resamples` times. We sampled occupations, not pairs, since each belongs to several pairs.
# - Each question was asked with the right option as (A) and as (B). The tables hold the mean.
# - By answer, all pictures of a pair count alike. By probability, its two occupations count alike, even if one has fewer pictures. [With all pictures counted alike, the mean by probability changes by {glue:text}`alike:.1f` points at most, and no difference between the two measures changes its sign.]{.holds #alike}
# - The authors made three sets of results: with the gender changed in both picture and question ("VL-Bias"), in the picture only, and in the question only. Our plan had named the first.
# - The tables are under a non-commercial licence, so we show no result of a single pair. The next cell has the function that made ours.
# :::

# %% tags=["hide-cell"]
Code("\n\n\n".join(map(facts.made_by, ("answers", "answers_by_change"))), language="python")

# %% [markdown]
# (answers-why)=
# ### Why the two can differ
#
# An answer is right if the right letter has a probability above one half, by little or by much. Here are two made-up models that see a nurse: their probabilities of the right letter, and their bias in points.

# %%
shown_as = ["shown as a woman", "shown as a man"]
nurse = pd.DataFrame([[0.6, 0.4], [0.9, 0.7]], ["model A", "model B"], shown_as)
right = 1.0 * (nurse > 0.5)  # 1: the answer is right


def bias(table):
    """Right with the usual gender minus right with the other one, in points."""
    return 100 * (table["shown as a woman"] - table["shown as a man"])


both = nurse.assign(**{"bias by probability": bias(nurse), "bias by answer": bias(right)})
assert both["bias by probability"].round(9).nunique() == 1  # the same in both models
both.round(1)

# %% [markdown]
# By probability, the two models have the same bias. By answer, model A is right about the woman only: the largest possible bias. Model B is right both times and shows no bias.
#
# ## What came out
#
# (answers-larger)=
# ### Is the bias larger in answers?
#
# For each model, we take the bias by answer minus the bias by probability. The difference is *clear* if its 95 % interval lies on one side of zero.

# %%
columns = ["value", "low", "high"]
measures = answers.pivot(index="model", columns="measure", values=columns)
gap = measures.xs("answer − probability", axis=1, level="measure").copy()
gap["larger"] = gap["value"] > 0
gap["clearly larger"] = gap["low"] > 0  # the whole interval is above 0
gap["clearly smaller"] = gap["high"] < 0
clear = gap["clearly larger"] | gap["clearly smaller"]
pd.crosstab(
    gap["larger"].map({True: "larger by answer", False: "not larger"}).rename("bias"),
    clear.map({True: "clear", False: "not clear"}).rename("difference"),
)

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
share, right_answers, moved_one = (measures.xs(name, axis=1, level="measure") for name in ("share of pairs with the larger answer", "right answers", "right answers of an occupation moved by option order"))
family = answers.groupby("model")["family"].first()
llava = gap[family == "LLaVA"]
down = gap.index[gap["clearly smaller"]]


def among(count, total):
    return f"{int(count)} of {int(total)}"



changes = facts.table("answers_by_change", changes_table)


def of_change(changed, measure):
    """One measure of each model, with the gender changed in the picture, in the question, or both."""
    rows = changes[(changes["changed"] == changed) & (changes["measure"] == measure)]
    return rows.set_index("model")[columns].reindex(gap.index)


BOTH, ALONE = "picture and word", ("picture only", "word only")
one_change = {changed: of_change(changed, "answer − probability") for changed in ALONE}
mean_bias = {changed: of_change(changed, "by answer")["value"].mean() for changed in (BOTH, *ALONE)}
alike = of_change(BOTH, "answer − probability, pictures weigh equally")
first, second = (of_change(BOTH, f"right answers, right option {place}")["value"] for place in ("first", "second"))
moved = (first - second).abs()
known = bool(moved.notna().all() and all(own["value"].notna().all() for own in one_change.values()))
reweighed = (alike["value"] - gap["value"]).abs()  # also how far the mean by probability moves

# how far the end of an interval can move with other resamples: twice its simulation error
design = {"occupations": 177, "resamples": 4_000}
error = np.sqrt(0.025 * 0.975 / design["resamples"]) / stats.norm.pdf(stats.norm.ppf(0.025))
wobble = 2 * error * (gap["high"] - gap["low"]) / (2 * stats.norm.ppf(0.975))
by_order = moved.drop(down).sort_values(ascending=False).head(2)  # the two models that the order moves most, apart from the clearly smaller ones
border = gap.index[gap[["low", "high"]].abs().min(axis=1) < wobble]

by_accident = 0.025 * len(gap)  # a 95 % interval lies above zero by chance in 2.5 % of cases, and below it in as many
vb.note(
    design=design | {"resamples": f"{design['resamples']:,}"}, pairs=int(answers["pairs"].max()),
    larger=among(gap["larger"].sum(), len(gap)), surely={"larger": int(gap["clearly larger"].sum()), "smaller": int(gap["clearly smaller"].sum())}, undecided=int((~clear).sum()), most=gap["value"].max(),
    chance=100 / 2,
    down=" and ".join(down) or None, down_moved=moved[down].min() if known and len(down) else None, also=" and ".join(sorted(by_order.index)) or None,
    border=" and ".join(border) or None, alike=reweighed.max() if known else None, one_change={changed.split()[0]: among((own["value"] > 0).sum(), own["value"].notna().sum()) for changed, own in one_change.items()},
)
vb.holds(
    most_larger=gap["larger"].sum() > len(gap) / 2 and (gap["value"] != 0).all(),
    mostly_clear=gap["clearly larger"].sum() > gap["clearly smaller"].sum() + (~clear).sum(),
    chance_count=by_accident < 1 and gap["clearly larger"].sum() > 10 * by_accident and stats.binom.sf(len(down) - 1, len(gap), 0.025) > alpha,
    border=len(border) == 1 and bool((gap["low"][border] < 0).all() and (alike["low"][border] > 0).all()) if known else None,
    one_change=all((own["value"] > 0).mean() > 0.5 for own in one_change.values()) if known else None,
    each_alone=min(mean_bias[changed] for changed in ALONE) > 0.8 * mean_bias[BOTH] if known else None,
    alike=bool((reweighed < 0.25).all() and (np.sign(alike["value"]) == np.sign(gap["value"])).all()) if known else None,
    one_letter=len(down) == 1 and bool((moved[down] > 90).all()) and moved.idxmax() == down[0] if known else None,
    also_larger=len(by_order) > 0 and bool((by_order > 80).all() and (gap["value"][by_order.index] > 0).all()) if known else None,
)

# %% [markdown]
# [In {glue:text}`larger` models, the bias is larger by answer than by probability, by {glue:text}`most:.1f` points at most.]{.holds #most_larger} [In {glue:text}`surely.larger` of the fifteen, it is clearly larger, and in {glue:text}`surely.smaller` clearly smaller. In the other {glue:text}`undecided`, the interval of the difference includes zero.]{.holds #mostly_clear} [One of these, {glue:text}`border`, is at the border: small changes in our computation can make its bias clearly larger by answer, too.]{.holds #border}
#
# **Picture or question?** The authors also changed the picture alone, with a question about "the person", or the question alone, with pictures in which the gender is made hard to see. [With only the picture changed, the bias is larger by answer in {glue:text}`one_change.picture` models; with only the question changed, in {glue:text}`one_change.word`.]{.holds #one_change} [Either change alone gives nearly as large a bias by answer, averaged over models, as both together; so the two do not add up.]{.holds #each_alone}
#
# The intervals are not corrected for testing fifteen models. [If the two measures agreed in every model, chance would make the bias clearly larger in fewer than one model on average, and clearly smaller in fewer than one.]{.holds #chance_count} The models are not independent, so we do not test these counts: four are versions of *LLaVA*, and several others share a language model.
#
# **The count of larger biases may be too high.** A model may write "(A)" in pieces, such as "(" and "A". The authors' program takes the mean over the pieces. This moves probabilities towards one half:
# {glue:text}`halving.high:.0%` may become {glue:text}`halving.to_high:.0%`. Then the bias by probability can be too small. We do not know in how many models this happens, so it could change our result.

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
high = 0.9  # one line of arithmetic
vb.note(
    between={"low": over.min(), "high": over.max()},
    halving={"high": high, "to_high": expit(logit(high) / 2)},
)
biased.iloc[::7].round(1)

# %% [markdown]
# :::{dropdown} How the published probability is computed
# The authors' program takes the *mean* log-probability of the pieces of an option, and turns the two means into probabilities. Suppose that an option has two pieces, and
# the first is the same in the two options. Then this halves the *log-odds*: the logarithm of the probability divided by the rest.
#
# The cell above simulates models for which the right option gains a little if the gender fits. In its table, a row is a model's own probability for the middle picture. The columns are the bias in points, by three measures.
# From about {glue:text}`between.low:.0%` to {glue:text}`between.high:.0%`, the bias by answer is smaller than by the model's own probability, but larger than by the halved one. So there, the program would report a larger bias in answers, though the model's own probabilities show a larger one. The opposite mistake does not occur in this simulation.
# :::
#
# :::{dropdown} Other measures, our plan, and the model with a clearly smaller bias
# We had planned the signed mean. A larger bias by probability in most models would have been the opposite finding. The next cell counts by other measures, one a row. Rows about option order, guessing, weights, and single changes were not planned, nor was the halving.
#
# [Only {glue:text}`down` has a clearly smaller bias by answer. When its two options change places, its share of right answers moves by {glue:text}`down_moved:.0f` points, more than in any other model.]{.holds #one_letter}
# So it nearly always picks the same letter, and gender can change few answers. But this may not be the reason: [in {glue:text}`also`, the order also moves right answers far, and yet their bias is larger by answer.]{.holds #also_larger}
#
# The cell after it shows how often each model is right about the pictures before their gender was changed; guessing gives {glue:text}`chance:.0f` %.
# :::

# %% tags=["hide-cell"]
def counted(table, zero=0):
    """Models with a larger bias by answer; where there are intervals, the clear ones."""
    clear = [(table["low"] > zero).sum(), (table["high"] < zero).sum()] if "low" in table else ["", ""]
    return [len(table), (table["value"] > zero).sum(), *clear]


absolute = (by["by answer, absolute"] - by["by probability, absolute"])[["value"]]
guess = right_answers["value"] < 60
sensitivity = pd.DataFrame({
    "signed mean (planned)": counted(gap),
    "the same, without LLaVA models": counted(gap[family != "LLaVA"]),
    "the same, order moves right answers < 50 points": counted(gap[moved < 50]),
    "the same, at least 60 % right": counted(gap[~guess]),
    "the same, all pictures of a pair count alike": counted(alike.dropna()),
    "only the picture changed, not the question": counted(one_change["picture only"].dropna()),
    "only the question changed, not the picture": counted(one_change["word only"].dropna()),
    "absolute bias larger by answer in over half of the pairs": counted(share, 0.5),
    "mean absolute bias": counted(absolute),
}, index=["models", "larger", "clearly larger", "clearly smaller"]).T
sensitivity

# %% tags=["hide-cell"]
accuracies = pd.DataFrame({"right answers, %": right_answers["value"], "right option is (A), %": first, "right option is (B), %": second})
accuracies.sort_values("right answers, %").round(1)

# %% [markdown]
# (answers-chance)=
# ### Mean absolute values exaggerate by themselves
#
# The authors summarise each model by its mean *absolute* bias, without signs. Suppose that chance gives biases of +3 and −3 points. Their signed mean is 0, but their mean absolute value is 3.
#
# :::{dropdown} How much of the absolute values is chance?
# The next cells simulate each model *without* bias: it is right as often as in the table, and the order of the options changes how often as much as in an average occupation, but gender does not matter. The answers are independent of each other. [Chance gives between {glue:text}`by_chance.low:.1f` and {glue:text}`by_chance.high:.1f` points;
# {glue:text}`exceed` real models show more than their simulation.]{.holds #exceed_most} So chance is a part of these values, but not all.
# :::

# %% tags=["hide-cell"]
n_pictures = 4 * pictures  # of a pair: two occupations, two genders
right_share = right_answers["value"] / 100
half = moved_one["value"] / 200  # half of what the order of the options moves in one occupation of a pair


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

# %% tags=["hide-cell"]
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
vb.note(by_chance={"low": by_chance.min(), "high": by_chance.max()}, exceed=among(exceed.sum(), len(exceed)))
vb.holds(exceed_most=exceed.mean() >= 0.75 and not exceed.all())

# %% [markdown]
# (answers-labels)=
# ### One label or several?
#
# **Here the second study begins.** Now, the labels change.
#
# A *CLIP* model finds the sentence that fits a picture best. Lucas Ceschini let {glue:text}`n_clips` CLIP models choose a race label for {glue:text}`photographs` photographs of FairFace, a public collection of faces {cite:p}`groovylizard2024,karkkainen2021`. The author's own report compares the label sets in five of them, before us; a study of gender labels followed {cite:p}`ceschini2025`.
# *Accuracy* is the share of photographs that get the right label: the race that FairFace's annotators chose. There were three *label sets*:
#
# - 7 labels, one for each race: "a photo of a white person";
# - 14 labels, two for each race: "a photo of a white man", "… woman";
# - 64 labels: the 14, each also with "young", "middle-aged" and "old", and a few without a race.
#
# A model's *range* is its largest accuracy with a label set minus its smallest. The table has ranges for all photographs and for those with one race label. The first two columns name the model by its *architecture*, the way in which its network is built, and by its training set.
# Of these models, {glue:text}`n_openai` are OpenAI's. Five of all have the architecture ViT-L/14. They are also in the chapter [Same architecture, another recipe](other_data.ipynb) (there, that of LAION-400M was trained for an epoch less).

# %%
labels = facts.table("race_labels", labels_table)
plain = labels[labels["compared"] == "label sets"].drop(columns="compared")
called = {"of": "training set", "group": "photographs", "points": "range, points"}
plain.rename(columns=called).head(3)

# %% tags=["hide-cell"]
Code(facts.made_by("race_labels"), language="python")

# %% [markdown]
# We compare this range with another one: between models of one architecture, with one label set, that learned from different *large training sets*. These models also differ in who trained them, how, and for how long. We left out small training sets, which we had not planned. [With them, the result would be larger still.]{.holds #small_more}
#
# The table holds median ranges in points. The first column is about label sets ({glue:text}`n_clips` models), the second about training sets ({glue:text}`architectures` architectures).

# %%
kinds = ["label sets", "large training sets"]
groups = list(dict.fromkeys(labels["group"]))  # "all", and seven races
size = labels["points"].abs()  # directions do not count here
median = size.groupby([labels["group"], labels["compared"]]).median().unstack()
median = median.loc[groups]
median[kinds].map("{:.1f}".format)

# %% tags=["hide-input"]
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
    caption="How far the share of photographs with the right race label moves. A circle is one model, a square one architecture with one label set. Bars: medians. Groups: FairFace's labels.",
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
openai = within["of"] == "openai"
rank = within["points"].rank(ascending=False)
widest = within.loc[within["points"].idxmax()]
beside = between[between["architecture"] == widest["architecture"]]["points"]
counts = facts.table("vit_l14_gender")
per_race = counts[counts["training"] == counts["training"].iloc[0]].groupby("race")["n"].sum()
margin = 196 * np.sqrt(0.2 / np.array([per_race.sum(), per_race.min()]))
lead = (median["large training sets"] - median["label sets"])[races]
ahead = lead > margin[1]  # by more than may be chance
ahead_fair = fair.loc[races, "large training sets"] > fair.loc[races, "label sets"]
behind = list(ahead.index[~ahead])
less = median.loc["all", median.columns.str.startswith("large training sets but ")]
least = less.idxmin() if len(less) else None  # the training set without which the range is smallest
left_out = less.min() if least else None
with_small = labels[(labels["compared"] == "training sets") & (labels["group"] == "all")]["points"].median()
n_sets = values[ranges["compared"] == "large training sets"]
vb.note(
    n_clips=len(within), photographs=f"{per_race.sum():,}", range={"labels": median.loc["all", "label sets"], "large": median.loc["all", "large training sets"]},
    ahead=among(ahead.sum(), len(ahead)), behind=" and ".join(behind) or None,
    of_race={"low": median.loc[races, "label sets"].min(), "high": median.loc[races, "label sets"].max()}, up=" and ".join(ends["up"]) or None, down_races=" and ".join(ends["down"]) or None,
    exception={"times": (fair.loc[behind, "label sets"] / fair.loc[behind, "large training sets"]).max() if behind else None},
    at_least=among(np.ceil(0.75 * len(change)), len(change)), margin={"all": margin[0], "race": margin[1]}, architectures=int(between["architecture"].nunique()), n_openai=int(openai.sum()),
    widest={"points": widest["points"], "name": widest["architecture"].replace("L-14", "L/14").replace("B-", "B/"), "beside": beside.median() if len(beside) else None},
    left_out=left_out, n_sets=f"{int(n_sets.min())} or {int(n_sets.max())}",
)
vb.holds(
        openai_widest=set(rank[openai]) == set(range(1, openai.sum() + 1)) if openai.any() else None,
    openai_near=bool(widest["of"] == "openai" and len(beside) and 0.75 * beside.max() < widest["points"] < beside.min()),
    training_more=median.loc["all", "large training sets"] > 2 * median.loc["all", "label sets"],
    left_out=least.endswith("datacomp_xl") and bool(2 * median.loc["all", "label sets"] < left_out < 0.6 * median.loc["all", "large training sets"]) if least else None,
    fair_too=bool(ahead.any() and ahead_fair[ahead].all()) and fair.loc["all", "large training sets"] > 2 * fair.loc["all", "label sets"],
    races_move=median.loc[races, "label sets"].min() >= max(margin[1], median.loc["all", "label sets"]),
    races_most=ahead.sum() == len(races) - 1,
    exception=len(behind) == 1 and bool((-margin[1] < lead[behind]).all() and (lead[behind] < 0).all()),
    small_more=bool(with_small > median.loc["all", "large training sets"]),
    opposite=len(ends["up"]) > 0 and len(ends["down"]) > 0,
)

# %% [markdown]
# [Over all photographs, label sets move accuracy much less than training sets do: by {glue:text}`range.labels:.1f` points against {glue:text}`range.large:.1f` (medians).]{.holds #training_more} [Label sets move the {glue:text}`n_openai` models of OpenAI most,]{.holds #openai_widest} [and {glue:text}`widest.name` by {glue:text}`widest.points:.1f` points; training sets move this architecture by about {glue:text}`widest.beside:.0f`, not much more.]{.holds #openai_near}
#
# [For single races, label sets move accuracy more: the medians lie between {glue:text}`of_race.low:.1f` and {glue:text}`of_race.high:.1f` points.]{.holds #races_move} [Training sets still move it further in {glue:text}`ahead` races.]{.holds #races_most}
# [In the other, {glue:text}`behind`, label sets move accuracy further, but this may be chance.]{.holds #exception}
#
# The models are not independent, and three architectures are few. We also compared more training sets than label sets, which alone widens the range. [Corrected for this, training sets are still ahead over all photographs and in the same {glue:text}`ahead` races.]{.holds #fair_too}
#
# :::{dropdown} Details: the comparison, and chance
# - We compared {glue:text}`n_sets` training sets and three label sets. So we divided each range by the range that equally many random values would have (not planned). Our plan had named much larger ranges over training sets as the opposite of what we expected.
# - [Over all photographs, leaving out one training set, DataComp-XL, lowers the median range over training sets most, to {glue:text}`left_out:.1f` points. This is still much more than over label sets.]{.holds #left_out}
# - After the correction, label sets move accuracy {glue:text}`exception.times:.1f` times as far as training sets for photographs of people labelled {glue:text}`behind`.
# - All ranges are about the same photographs. Suppose that another label set changes a fifth of the answers from right to wrong, or back. The 95 % interval of the difference then reaches {glue:text}`margin.all:.1f` points to either side, and at most {glue:text}`margin.race:.1f` in a single race.
# - [With 14 labels in place of 7, accuracy rises for photographs of people labelled {glue:text}`up`, and falls for those labelled {glue:text}`down_races`, each time in at least {glue:text}`at_least` models.]{.holds #opposite} Much of this may come from the word "person", which only the 7 labels have.
# - Eight of the 64 labels name no race; they were left out. The sets also differ in "a" against "an", and are not wordings of one sentence.
# - We show ranges and differences only, since the collection has no licence. Models of LAION-400M are `e32`; elsewhere in this book, `e31`.
# :::
#
# ## What it cannot say
#
# - **Other questions.** The first study has two options, in English, about pictures that programs made.
# - **Association.** Race accuracy does not say what a model connects with a race.
# - **What users meet.** They see answers, not probabilities: if answers are biased, this is real for them.
#
# (answers-means)=
# ## What it means for the three papers
#
# **Wolfe and Caliskan** asked BLIP, a model that is not among the fifteen, whether the person in a portrait is an American. It says "yes" for {claim}`vqa.american.white` % of the portraits of White people, and
# for {claim}`vqa.american.asian` % of those of Asian people.
#
# [In most of the fifteen models, answers show a larger bias about occupations than the published probabilities do]{.holds #most_larger} (the count may be too high, see above). BLIP's question names no gender. [In the set that comes nearest to it, where only the picture was changed, the bias is larger by answer in {glue:text}`one_change.picture` models.]{.holds #one_change} BLIP's probabilities are not published, so we do not know whether its answers enlarge the difference. The answers stand as reported, and so does the harm that they can do. For our own small networks, see [](../american_white/vqa.ipynb).
#
# :::{dropdown} Could BLIP's answers hide a difference?
# Hardly. If only "yes" and "no" count, an answer is "yes" if its probability is above one half. The two shares of "yes" differ by {glue:text}`blip.answers:.0f` points, and the mean probabilities can differ by {glue:text}`blip.most:.0f` points at most. The next cell computes this.
# :::
#
# **Hausladen et al.** take several words for each trait, which protects from accidents of one word.
#
# **Ghate et al.** compare training data with architecture and size, not with labels. Our table cannot test their claim.

# %% tags=["hide-cell"]
white, asian = (vb.ledger.claim(f"vqa.american.{one}").printed.number for one in ("white", "asian"))
answered = white - asian
# of "yes" and "no", "yes" means a probability above one half: the mean probability lies between these two
lowest, highest = (lambda yes: yes / 2), (lambda yes: yes + (100 - yes) / 2)
vb.note(blip={"answers": answered, "most": highest(white) - lowest(asian)})
print(f"answers: {answered:.0f} points; mean probabilities: between "
      f"{lowest(white) - highest(asian):.0f} and {highest(white) - lowest(asian):.0f}")

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/answers -p pictures=80
# .venv/bin/vlmbias run real/answers -p table=my_results.csv
# ```
# A table of your own needs the columns of the shipped one, in `data/published` ([more](../../book/rerun.md)).
# :::
#
# ## Take-aways
#
# - [In most models here, a bias was larger in the answers than in the published probabilities.]{.holds #most_larger} Say how a probability was computed.
# - Compare signed means. Mean absolute values are above zero even without any bias.
# - [Labels mattered more for single races than over all photographs.]{.holds #races_move} Report results by group, for more than one label set.
#
# ## Exercises
#
# :::{exercise} How many pictures are enough?
# :label: answers-pictures
# :level: intermediate
# :minutes: 15
# :code: yes
# A model without bias guesses, in both orders of the options. How many pictures of each occupation and gender are needed until its mean absolute bias by answer is below one point?
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
# The bias is a difference between two shares of right answers. With four times as many pictures, both shares move half as far by chance.
#
# ```{solution-end}
# ```
#
# :::{exercise} A family as one model
# :label: answers-family
# :level: introductory
# :minutes: 10
# :code: yes
# Count the four LLaVA models as one, with the mean of their differences. In how many models is the bias by answer then larger? How likely would so uneven a split be if each model tossed a coin?
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
# Together, the LLaVA models then have one vote. But other models still share a language model, so even this probability is too small.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A model nearly always picks the same letter. Its answers show little bias. Is it fair?
# 2. The bias by answer or by probability: which number serves a user, and which one a developer?
# 3. You choose the labels for a study of four groups. How do you show that your finding is not about labels?
