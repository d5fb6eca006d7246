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
# # Do better models have more bias?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figure 4: effect sizes and performance.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** The paper concludes that models with more bias often perform better. Is this so, and does making a model better give it more bias?
#
# **In short.** Some of the paper's correlations are positive, some negative, and none shows a cause. Data, architecture and size predict much of how well real models perform, and they may bring about bias, too.
#
# **In 20 minutes:** {ref}`What the paper reports <downstream-found>`, {ref}`What one may doubt <downstream-answer>`,
# {ref}`Data, architecture and size predict the performance of real models <downstream-explained>`, {ref}`What this means <downstream-means>`.
# **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** a correlation and its p-value. See the primer "[The target of a claim](../../book/primers/targets.md)".
#
# **Content note.** Some of the paper's tests are about race, gender and age. No picture or word of them is shown here.
# :::
#
# **The idea.** A model of CLIP's kind scores how well a picture and a sentence fit. It can be
# good or bad at its tasks, and it can connect some groups more with pleasant words than others. If training for better performance makes these
# connections stronger, better models should have more bias.
#
# **The measurements.** {cite:t}`ghate2025` gave *association tests* to {claim}`effect_sizes.models` models. A test asks whether a model places one
# group nearer to pleasant things than another group. Its result is an *effect size* $d$: zero where the
# groups do not differ, and positive where the model shows the association that people usually have.
#
# Performance is measured on {claim}`downstream.tasks` tasks, called VTAB+ {cite:p}`schuhmann2022`: for example, to find the right name for what a
# picture shows. The paper does not print for how many models performance was available. We take {claim}`effect_sizes.models`, all models of the paper, which is the most it can be.
#
# The tests are about five pairs of groups: flowers and insects, instruments and weapons, and groups by race, gender and age. Groups and pleasant things can
# each be shown as pictures or as words, which makes four *forms* of each test ([effect sizes](effect_sizes.ipynb)). For each of the twenty combinations of pair and form, the authors correlate $d$ with performance over the models.
#
# **What the authors conclude.** "Intrinsic bias is often significantly correlated with downstream performance ($0.3 \leq r \leq
# 0.8$), suggesting that models optimized for performance inadvertently learn to amplify representational biases." (*Downstream performance* is performance in other tasks.) Section 7 is more careful: it speaks of "the possibility that performance
# optimization can inadvertently amplify certain intrinsic biases".
#
# **Their own checks and limits.** They also show tests that are not about people, for comparison. "Further empirical studies are needed … to provide a
# more robust statistical basis for our observations."

# %% tags=["parameters", "hide-input"]
given = ["log_params", "log_dataset_size"]  # what is held constant in the second section; one of: log_params, log_dataset_size, architecture, dataset
n_resamples = 1_000  # bootstrap resamples of data families, or of models, behind each interval; at least 20
draws = 10_000  # simulated sets of models behind each mean and each rate of false positives; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/downstream.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies import tables, words
from studies.pretraining import downstream, effect_sizes, twin
from studies.pretraining.effect_sizes import CATEGORIES, NOT_HUMAN, ORDERS
from vlmbias.external import facts, study_table, zero_shot
from vlmbias.inference import correlations, holm

vb.figures.style()

# %% [markdown]
# (downstream-found)=
# ## What the paper reports: positive for flowers and weapons, often negative for people
#
# Figure 4 prints one correlation for each of the twenty combinations. An asterisk marks those that are significant at 5 % (so says the authors' code). (Where nothing goes together, 1 test in 20
# comes out significant by chance.) Compare the two upper pairs of groups with the three below.

# %% tags=["hide-cell"]
printed = downstream.printed(vb.ledger.load("pretraining"))
CELLS = pd.MultiIndex.from_product([ORDERS, CATEGORIES]).swaplevel()
printed[["r", "n", "starred"]].loc[CELLS].head(3)

# %% tags=["hide-input"]
p_alone = correlations.p_value(printed["r"].to_numpy(), 131)  # each model counted once
low, high = correlations.interval(printed["r"].to_numpy(), 131)
alone = printed.assign(low=low, high=high, p=p_alone, p_holm=holm(p_alone)).loc[CELLS]
name_of = {cell: f"{CATEGORIES[cell[0]]}, {ORDERS[cell[1]]}" for cell in alone.index}
group = np.where(alone["starred"], "asterisk", "no asterisk")
by_category = alone.assign(line=[name_of[cell] for cell in alone.index], group=group).loc[
    pd.MultiIndex.from_product([CATEGORIES, ORDERS])]
vb.figures.show(
    vb.figures.forest(by_category, estimate="r", low="low", high="high", label="line", group="group",
                      value_label="r of d and performance, 95 % interval if 131 models are independent"),
    name="downstream-printed",
    alt=f"Twenty printed correlations from {alone['r'].min():.2f} to {alone['r'].max():.2f}. {alone['starred'].sum()} have an asterisk, "
    f"{(alone['starred'] & (alone['r'] < 0)).sum()} of them below zero.",
    caption="Figure 4, redrawn. To the right of zero, models with larger d perform better; to the left, models with smaller d. "
    "We added 95 % intervals, as if there were 131 independent models; the paper prints no number of models.",
    source="paper:pretraining, Figure 4",
)

# %% [markdown]
# We count the significant correlations, of tests about people and of the others:

# %%
star = alone["starred"]
of_people = ~alone.index.get_level_values("category").isin(NOT_HUMAN)
human, others = alone[of_people & star], alone[~of_people & star]
below = alone[star & (alone["r"] < 0)]
print("people:", len(human), "significant,", (human["r"] > 0).sum(), "positive")
print("others:", len(others), "significant,", (others["r"] > 0).sum(), "positive")

# %% tags=["hide-cell"]
mean_d = (
    effect_sizes.cells(vb.ledger.load("pretraining"))
    .query("stimuli == 'new'")
    .set_index(["category", "order"])["mean"]
)
reverse = [name_of[cell] for cell in below.index[(mean_d.loc[below.index] < 0).to_numpy()]]
several = alone[alone["n"] > alone["n"].min()]
still = words.among(int((alone.loc[star, "p"] < 0.05).sum()), int(star.sum()))
about = words.listed(
    [CATEGORIES[one].lower() for one in CATEGORIES if one in below.index.get_level_values("category")]
)
n_up = int((human["r"] > 0).sum())
human_which = "; ".join(name_of[cell] for cell in human.index[human["r"] > 0])
strict = alone[alone["p"] < 0.01]
vb.note(
    strict={"n": len(strict), "negative": int((strict["r"] < 0).sum())},
    star=int(star.sum()),
    n_negative=len(below),
    reverse="; ".join(reverse) or "none of them",
    about=about,
    several=len(several),
    still=still,
    human=words.among(n_up, len(human)),
    human_which=human_which,
    others=words.among(int((others["r"] > 0).sum()), len(others)),
)
vb.holds(one_positive=n_up == 1)

# %% [markdown]
# In the tests of flowers and insects, and of instruments and weapons,
# {glue:text}`others` significant correlations are positive. [In the tests of race, gender and age, {glue:text}`human` significant correlations is positive ({glue:text}`human_which`).]{.holds #one_positive}
#
# The negative correlations are about {glue:text}`about`. They mean that $d$ is *lower* in better models.
# Where $d$ is above zero, this means less bias. Where $d$ is below zero, a lower $d$ means more bias, against the usual direction. (On average over the models, $d$ is below zero in {glue:text}`reverse`.)
#
# The abstract (quoted above) leaves out the {glue:text}`n_negative` negative correlations that have an asterisk. The paper's
# text names two of them, both about gender, and reads a smaller $d$ as men coming nearer to pleasant things.
#
# So "higher intrinsic bias levels correlate with increased performance" describes mostly flowers, insects, instruments and weapons. The introduction says
# so: "for non-human associations". There, a large $d$ may be part of doing well: a model that does not know what a flower is cannot find it pleasant.
#
# **Do the printed numbers agree with each other?** Yes. In {glue:text}`held_up.asterisks` combinations, the asterisk or its absence fits $r$.

# %% tags=["hide-cell"]
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/downstream") & (checks["rule"] != "")]
asterisks = checks[checks["rule"] == "r_p"]
held_up = {
    name: words.among(of["hold"], of["n"])
    for name, of in (("asterisks", vb.ledger.tally(asterisks)), ("all", vb.ledger.tally(checks)))
}
but = [
    f"“{vb.ledger.claim(claim).value}”" for claim in checks.loc[checks["verdict"] != "consistent", "claim"]
]
lost = [name_of[cell] for cell in alone.index[star & (alone["p_holm"] >= 0.05)]]
vb.note(held_up=held_up, but=words.listed(but), lost=words.listed(lost))

# %% [markdown]
# :::{dropdown} Details of this check
# {glue:text}`held_up.all` checks of the printed numbers hold. The others are about phrases that leave out negative correlations, name only two of them, or pass over bars without an asterisk: {glue:text}`but`.
#
# - *Twenty tests.* Nothing in the paper says that $p$ was corrected for their number. After Holm's correction, with each model counted once, no
#   longer significant: {glue:text}`lost`. At the level of .01, which the paper uses for its regression, {glue:text}`strict.n` would be significant, {glue:text}`strict.negative` of them negative.
# - *Several tests of one model.* In {glue:text}`several` combinations, each model has two or three tests, and the authors' code counts each result.
#   With every model counted once and the printed $r$, {glue:text}`still` asterisks stay.
# - *Sign or size?* The caption of Figure 4 says "effect size magnitude". Section 4 ("EAT effect size d") and the code correlate $d$ with its sign.
# - *Which tasks?* Section 4 speaks of "zero-shot classification and captioning tasks relevant to each modality"; the released code uses the same mean of tasks for every form of test.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("pretraining/downstream"))

# %% [markdown]
# (downstream-answer)=
# ## What one may doubt: a common cause may bring both
#
# Suppose $d$ and performance do go together. A third thing may cause both. The paper itself names a candidate, the training data. It says that models from *filtered* data (a network chose which pairs to keep) perform better, and that such filters "tend to exacerbate societal biases even further".
#
# (downstream-explained)=
# ### Data, architecture and size predict the performance of real models
#
# A common cause must act on performance and on $d$. For performance we can look. We take {glue:text}`n_open` models that come with open_clip {cite:p}`ilharco2021`, the
# library from which the authors took most of theirs. It lists how they do in the evaluation of {cite:t}`gadre2023`. Performance is here the mean over the {glue:text}`n_tasks` tasks of VTAB+ that are in it. We predict it from the four things that the authors use to predict $d$: *data family* (such as LAION), *architecture family* (such as ViT), *data size* (pairs of picture and text) and *model size* (adjustable numbers in the network).

# %%
open_clip = zero_shot.open_clip()
open_clip["log_data"] = np.log(open_clip["dataset_name"].map(twin.SIZES))
open_clip["log_params"] = np.log(open_clip["parameters"])
factors = {
    "data family": ["dataset"],
    "architecture family": ["architecture"],
    "data size": ["log_data"],
    "model size": ["log_params"],
}
bootstrap = {"n_resamples": n_resamples // 5, "seed": seed}  # of models
everywhere = downstream.explained(open_clip, factors, **bootstrap)

# %% [markdown]
# If one knows only a model's data family, the best guess is the mean of this family. $R^2$ is the share of the variance that these guesses explain:

# %%
actual = open_clip["performance"]
predicted = actual.groupby(open_clip["dataset"]).transform("mean")
share = 1 - ((actual - predicted) ** 2).sum() / ((actual - actual.mean()) ** 2).sum()
assert np.isclose(share, everywhere.set_index("factor").loc["data family", "alone"])

# %% tags=["hide-input"]
bars = everywhere.set_index("factor").rename({"all": "all together"})["alone"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=2.6)
axes.barh(
    bars.index[::-1],
    100 * bars[::-1],
    color=[vb.figures.PALETTE[int(name == "all together")] for name in bars.index[::-1]],
)
axes.set(xlim=(0, 100), xlabel="% of the variance of performance explained")
vb.figures.show(
    fig,
    name="downstream-explained",
    alt="Share of the variance of performance explained: "
    + "; ".join(f"{name}: {one:.0%}" for name, one in bars.items())
    + ".",
    caption=f"Published performance of {len(open_clip)} CLIP models in the evaluation of Gadre et al. (2023). The four overlap, so their shares do not add up.",
    source="published:open_clip_zero_shot",
)
parts = everywhere.set_index("factor")
whole = {"open": parts.loc["all", "alone"]}
is_small = open_clip["dataset_name"].str.contains(r"_[sml]$")  # the small pools of CommonPool and DataComp
rest = downstream.explained(open_clip[~is_small], factors, **bootstrap).set_index("factor").loc["all"]
two = {"data": ["dataset", "log_data"], "network": ["architecture", "log_params"]}  # what it learned from; how it is built
halves = {
    name: downstream.explained(own, two).set_index("factor")["alone"].drop("all")
    for name, own in (("open", open_clip), ("rest", open_clip[~is_small]))
}
adjusted = {  # R² less what as many columns explain of noise
    name: 1 - (1 - own["alone"]) * (n - 1) / (n - own["df"] - 1)
    for name, own, n in (("open", parts.loc["all"], len(open_clip)), ("rest", rest, int((~is_small).sum())))
}
alone_each = parts["alone"].drop("all")
vb.note(
    whole=whole,
    n_open=len(open_clip),
    n_tasks=len(zero_shot.TASKS),
    of_family=parts.loc["data family", "alone"],
    predictors=int(parts.loc["all", "df"]),
    adjusted=adjusted,
    halves=halves,
    small={"n": int(is_small.sum()), "rest": int((~is_small).sum()), "whole": rest["alone"]},
)
vb.holds(
    much_explained=bool(min(adjusted.values()) > 0.6),
    without_less=bool(rest["alone"] < whole["open"]),
    size_leads=alone_each.idxmax() == "data size",
    network_leads=bool(
        halves["open"]["data"] > halves["open"]["network"]
        and halves["rest"]["data"] < halves["rest"]["network"]
    ),
)

# %% [markdown]
# [Together, the four explain {glue:text}`whole.open:.0%` of the variance of performance.]{.holds #much_explained} [Of the four, data size explains most by itself.]{.holds #size_leads}
#
# A part of this comes from {glue:text}`small.n` models of small data sets, which perform badly. [Without them, the four explain {glue:text}`small.whole:.0%` in {glue:text}`small.rest` models.]{.holds #without_less} [Then data (family and size) explain less than the model itself (architecture and its size): {glue:text}`halves.rest.data:.0%` against {glue:text}`halves.rest.network:.0%`. With all models, it is the other way round.]{.holds #network_leads}
#
# If any of the four affects $d$, too, then $d$ and performance can correlate, even if neither
# affects the other. The authors' own regression says that the data do ([Upstream factors](upstream.ipynb)).
#
# :::{dropdown} Details: how this was computed
# - *Noise.* The four are {glue:text}`predictors` columns, because families are columns. They are fitted and judged on the same models, and noise would explain something, too. Corrected for this (adjusted $R^2$), it is {glue:text}`adjusted.open:.0%` of the variance, and {glue:text}`adjusted.rest:.0%` without the small data sets.
# - *The sizes are those of the paper's regression.* A filtered data set has the size of the collection it was filtered from, which
#   [Models and families](model_zoo.ipynb) advises against. The sizes of two data sets, WebLI and Merged-2B, are assumed. The family takes up some of what this misses.
# - *What performance is.* In most tasks, it is the share of pictures that get the right label. In Caltech-101, Oxford-IIIT Pet, Oxford Flowers-102 and FGVC Aircraft, this share is taken for each kind of thing, and then the mean over kinds (*mean per-class recall*).
# - *A result that stands twice.* In open_clip's list, one small model of CommonPool has the same results as one of DataComp, in every column. On another page of open_clip, its ImageNet result is higher. So we leave it out. (For two more small models of CommonPool, too, the two pages differ. Their results are their own, and we keep them.)
#
# The table shows how much each factor explains *beyond the others*, with intervals over models.
# :::

# %% tags=["hide-cell"]
tables.readable(
    everywhere[everywhere["factor"] != "all"].drop(columns="df"),
    names={"alone": "R² alone", "unique": "R² beyond the others", "unique_low": "from", "unique_high": "to"},
).hide(axis="index")

# %% [markdown]
# ### What a common cause can bring about
#
# We simulate 131 models. Better data raise $d$, and they raise performance. Nothing else connects the two. (We chose both
# effects so strong that the correlation becomes as large as those for flowers.)

# %%
rng = np.random.default_rng(seed)
data = rng.normal(size=131)  # quality of the training data, the same scale for all
strength = 0.9  # correlation of data and performance, chosen by us
performance = strength * data + np.sqrt(1 - strength**2) * rng.normal(size=131)
d = strength * data + rng.normal(size=131)  # performance does not appear here

# %% [markdown]
# The usual remedy is to *hold the data constant*: from $d$ and from performance we subtract what the data predict, and correlate what is left:

# %%
def left_over(values):
    """What is left of the values when the data are accounted for."""
    slope, start = np.polyfit(data, values, 1)
    return values - (start + slope * data)


left_d, left_performance = left_over(d), left_over(performance)
by_hand = np.corrcoef(left_d, left_performance)[0, 1]
ours = downstream.r_given(d[:, None], performance, data[:, None], np.ones((1, 131)))
assert np.isclose(by_hand, ours.item())

# %% tags=["hide-input"]
raw = np.corrcoef(d, performance)[0, 1]
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.5)
thirds = pd.qcut(data, 3, labels=["weak data", "medium", "strong data"])
for shade, third in zip(
    (vb.figures.PALETTE[0], vb.figures.COLOURS["reference"], vb.figures.PALETTE[1]),
    thirds.categories,
    strict=True,
):
    of = np.asarray(thirds == third)
    left.plot(performance[of], d[of], "o", color=shade, ms=4, alpha=0.8, label=third)
    right.plot(left_performance[of], left_d[of], "o", color=shade, ms=4, alpha=0.8)
left.set(title=f"as they are: r = {raw:.2f}", xlabel="performance", ylabel="effect size d")
right.set(
    title=f"data held constant: r = {by_hand:.2f}",
    xlabel="performance, what is left",
    ylabel="d, what is left",
)
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    name="downstream-answer",
    alt=f"Two clouds of 131 simulated models. On the left d rises with performance, r = {raw:.2f}, and models with strong data lie at the top right. "
    f"On the right, with the data held constant, r = {by_hand:.2f}.",
    caption="131 simulated models. Training data affect d and performance, and neither affects the other. Axes in standard deviations.",
    source="simulated",
)

# %% [markdown]
# Where the data are held constant, the connection is gone. So a correlation like those for flowers can come about without any effect of performance on bias. A negative correlation can come about in the same
# way: where better data *lower* $d$. The remedy has a price: where data predict performance well, as in real models, even a true effect of performance would leave a smaller correlation, because the correction removes what performance shares with the data.

# %% [markdown]
# ## The protocol, run on {data}
#
# The authors released a table with every effect size and every model's performance. Where it is at hand, the next cells repeat their analysis on it, count each model once, correct for the twenty combinations,
# take families of data as observations, and hold the sizes of model and data constant.

# %% tags=["needs-clip-bias-results", "hide-output"]
if vb.sources.at_hand("clip-bias-results"):
    table = study_table.released()
    rows = downstream.over_rows(table).loc[CELLS]
    bootstrap = {"n_resamples": n_resamples, "seed": seed}  # of data families
    models = downstream.over_models(table, **bootstrap).loc[CELLS]
    held = downstream.over_models(table, given=given, **bootstrap).loc[CELLS]
    apart = {  # whether an interval excludes zero
        name: (own["low"] > 0) | (own["high"] < 0)
        for name, own in (("models", models), ("held", held))
    }
    steps = {
        "each result counts": (rows, rows["p"] < 0.05),
        "each model counts once": (models, models["p"] < 0.05),
        "… corrected for the number of cells": (models, models["p_holm"] < 0.05),
        "interval over data families": (models, apart["models"]),
        "sizes held, corrected": (held, held["p_holm"] < 0.05),
        "sizes held, interval over data families": (held, apart["held"]),
    }
    surviving = pd.DataFrame([
        {"step": step, "positive": (hit & (own["r"] > 0)).sum(),
         "negative": (hit & (own["r"] < 0)).sum(), "of": len(own)}
        for step, (own, hit) in steps.items()
    ])
    display(tables.readable(surviving).hide(axis="index"))
    about = study_table.behind(table)
    for claim, value in downstream.claims(table).items():
        vb.ledger.record(
            f"downstream.{claim}", value, results=results, protocol="released", **about
        )

# %% [markdown]
# (downstream-sees)=
# ## What this method can see: how many observations there are
#
# Models of one data family learned from similar data, so they may resemble each other. Then significant results come too easily. We simulated models in the paper's {glue:text}`families` data families, *without* any connection of $d$ and performance. A correct test is then significant in 5 % of simulations. [If families differ strongly (they explain 60 % of the variance), it is {glue:text}`rate.models6:.0%`.]{.holds #models_err}
#
# How strongly real families differ in $d$ is not known here. So an asterisk of Figure 4 may be worth less than it seems, above all where $r$ is small.
#
# :::{dropdown} Details of the simulation of families
# The folded figure shows three ways to count. The family explains none, 30 % or 60 % of the variance of $d$ and of performance .
# Each model has three tests, which measure its $d$ with error. For the performance of the {glue:text}`n_open` real models, the family explains {glue:text}`of_family:.0%`.
#
# - *Each of three results counts*, as in the authors' code where a model has three tests: [{glue:text}`rate.rows0:.0%` are significant even if models are independent.]{.holds #rows_err}
# - *Each model counts once*: [right if models are independent.]{.holds #models_right}
# - *Interval over families*: we draw whole families again and again, each with all its models. [This helps where families
#   explain most of the variance ({glue:text}`rate.families6:.0%`). Where models are independent, it errs more often ({glue:text}`rate.families0:.0%`)]{.holds #families_help}: the families are few, and their sizes differ much.
# :::

# %% tags=["hide-cell"]
family = twin.models()["dataset"]
SHARED = (0.0, 0.3, 0.6)  # share of the variance that a family's models have in common
codes = pd.factorize(family)[0]
redrawn = downstream.families(family, n_resamples=200, seed=seed)  # how often each model counts
redrawn = redrawn / redrawn.sum(axis=1, keepdims=True)


def pearson(one, other):
    """The correlation in each simulated set, which is a column."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    squares = (one**2).sum(axis=0) * (other**2).sum(axis=0)
    return (one * other).sum(axis=0) / np.sqrt(squares)


def significant(shared, n_tests=3, alike=0.5):
    """How often r is significant where d and performance have nothing to do with each other, by what is counted."""
    rng = np.random.default_rng(seed)

    def drawn():
        common, own = rng.normal(size=(codes.max() + 1, draws))[codes], rng.normal(size=(len(codes), draws))
        return np.sqrt(shared) * common + np.sqrt(1 - shared) * own

    d, performance = drawn(), drawn()
    tests = np.sqrt(alike) * d[:, None] + np.sqrt(1 - alike) * rng.normal(size=(len(codes), n_tests, draws))
    means = tests.mean(axis=1)
    of_rows = pearson(tests.reshape(-1, draws), np.repeat(performance, n_tests, axis=0))
    mean, other = (
        redrawn @ means,
        redrawn @ performance,
    )  # of each draw of families, `(draws of families, draws)`
    spread = (redrawn @ means**2 - mean**2) * (redrawn @ performance**2 - other**2)
    again = np.where(
        spread > 1e-12,
        (redrawn @ (means * performance) - mean * other) / np.sqrt(np.maximum(spread, 1e-12)),
        np.nan,
    )
    low, high = np.nanquantile(again, [0.025, 0.975], axis=0)
    return {
        "rows": (correlations.p_value(of_rows, len(codes) * n_tests) < 0.05).mean(),
        "models": (correlations.p_value(pearson(means, performance), len(codes)) < 0.05).mean(),
        "families": ((low > 0) | (high < 0)).mean(),
    }


rates = pd.DataFrame([{"shared": shared} | significant(shared) for shared in SHARED])

# %% tags=["hide-cell"]
long = rates.melt("shared", var_name="unit", value_name="rate")
exact = [stats.binomtest(round(one * draws), draws).proportion_ci() for one in long["rate"]]
unit_name = {
    "rows": "each of 3 results counts",
    "models": "each model counts once",
    "families": "interval over families",
}
plotted = long.assign(
    low=[one.low for one in exact],
    high=[one.high for one in exact],
    group=long["unit"].map(unit_name),
    line=long["shared"].map("families explain {:.0%}\nof the variance".format),
)
at = long.set_index(["unit", "shared"])["rate"]
vb.figures.show(
    vb.figures.rates(
        plotted,
        rate="rate",
        low="low",
        high="high",
        label="line",
        group="group",
        nominal=0.05,
        value_label="% of correlations that are significant, 95 % intervals",
    ),
    name="downstream-observations",
    alt="How often a correlation is significant where there is none. "
    + "; ".join(
        f"{unit_name[unit]}: " + ", ".join(f"{at[unit, share]:.0%}" for share in SHARED) for unit in unit_name
    )
    + " as families explain more.",
    caption="Simulated models, no connection of d and performance. Dashed: 1 in 20, what a correct test gives.",
    source="simulated",
)
vb.note(
    families=family.nunique(), rate={f"{unit}{10 * share:.0f}": at[unit, share] for unit, share in at.index}
)
vb.holds(
    models_right=bool(abs(at["models", 0.0] - 0.05) < 3 * np.sqrt(0.05 * 0.95 / draws)),
    models_err=bool(at["models", 0.6] > 2 * 0.05),
    rows_err=bool(at["rows", 0.0] > 2 * 0.05),
    families_help=bool(
        at["families", 0.6] < at["models", 0.6] / 2
        and at["families", 0.0] > max(at["models", 0.0], at["families", 0.6])
    ),
)

# %% [markdown]
# (downstream-means)=
# ## What this means
#
# **For the paper.** The authors printed all correlations, also those that do not fit their conclusion. Two parts of the summary go further than the
# figure. [First, a positive range does not describe the tests about people: there, {glue:text}`human` significant correlations is positive.]{.holds #one_positive} Second, the summary suggests a cause: optimising for performance. The figure cannot show a cause. Data, architecture and size predict much of performance, and they may have caused the correlations as well.
#
# Which correlations remain in the authors' models when data and sizes are held constant is not known here. Their released table can tell.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From the paper's text and the authors' repository at commit `8dffa18`.
#
# | | paper | code | here |
# |---|---|---|---|
# | what is correlated (G11) | the caption of Figure 4: "effect size magnitude"; Section 4: "EAT effect size d" | $d$ with its sign | $d$ with its sign |
# | which tasks | Section 4: "relevant to each modality" | one mean for all | one mean |
# | how many models | "for models that have performance data available" (Section 3); no number | those with performance | {claim}`effect_sizes.models` |
# | negative correlations (G11) | the figure has all; the text names two, of gender | {glue:text}`n_negative` are significant | all are shown |
# | what counts as one observation | not stated | a result, up to three per model | both, and families |
# | correction for twenty tests | not mentioned | none | Holm's |
# | aggregate $r$ (G11) | given for two categories | not computed | means of four, checked |
# | VTAB+ (G15) | 35 tasks | one task twice, one not at all | both averages |
#
# For {glue:text}`n_laws` models, the results of all {claim}`downstream.tasks` tasks were published {cite:p}`cherti2023`. [There, the average of the code correlates with that of all tasks by {glue:text}`average.r:.4f`, so G15 hardly matters.]{.holds #average_same}
# :::

# %% tags=["hide-cell"]
laws = facts.table("scaling_laws").set_index(["of", "quantity"])[
    "value"
]  # computed by us: the models' results do not ship
n_laws, n_tasks = (int(laws[what, "number"]) for what in ("models", "tasks"))
agree = laws["released average", "r"]

# %% tags=["needs-scaling-laws", "hide-cell"]
if vb.sources.at_hand("scaling-laws"):
    results_of = zero_shot.scaling_laws()
    tasks = results_of.iloc[:, 6:]  # what stands before describes the model
    tasks = tasks.loc[:, [tasks[name].between(0, 1).all() for name in tasks]]
    n_laws, n_tasks = tasks.shape
    once = tasks.drop(
        columns="vtab/smallnorb_label_elevation"
    )  # the code's list has not this one, and one twice
    agree = (
        once.assign(again=tasks["vtab/dsprites_label_x_position"])
        .mean(axis=1)
        .corr(results_of["published"])
    )

# %% tags=["hide-cell"]
for protocol, number in (("described", n_tasks), ("released", n_tasks - 1)):
    vb.ledger.record(
        "downstream.tasks", number, results=results, stimuli="none", model="none", protocol=protocol
    )
vb.note(n_laws=n_laws, average={"r": agree})
vb.holds(average_same=bool(agree > 0.99))

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/downstream -p given='["log_params", "log_dataset_size", "dataset"]'
# ```
# With the released table: `.venv/bin/vlmbias sources --fetch clip-bias-results`.
# :::
#
# ## Take-aways
#
# - In the paper's tests of flowers and weapons, better models have larger effect sizes; in its tests about people, most significant correlations are negative.
# - A correlation over models does not show a cause: what predicts much of performance may cause differences in bias, too.
# - To learn whether optimising for performance changes bias, train models that differ in nothing else.
# - Count each model once, and show negative correlations as you show positive ones.
#
# ## Exercises
#
# :::{exercise} One asterisk, two sizes
# :label: downstream-smallest
# :level: intermediate
# :minutes: 10
# :code: yes
# How large must $|r|$ be for a two-sided $p$ below .05 over 131 models? And over 393 results, if each model took three tests? Does $r = -.12$ have an
# asterisk over 393 results, and over 131 models?
# :::
#
# ```{solution-start} downstream-smallest
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def smallest(n):
    t = stats.t.isf(0.025, n - 2)
    return t / np.sqrt(t**2 + n - 2)


print({n: round(float(smallest(n)), 3) for n in (131, 393)})
assert smallest(393) < 0.12 < smallest(131)  # with one over rows, without one over models
assert abs(smallest(131) - 0.1716) < 5e-4

# %% [markdown]
# From $t = r \sqrt{(n-2)/(1-r^2)}$ the smallest significant $|r|$ falls about as $1/\sqrt n$. Three tests of one model are three results and one model,
# so the same printed $r$ has an asterisk only if each result counts as an observation.
#
# ```{solution-end}
# ```
#
# :::{exercise} From three correlations to one
# :label: downstream-partial
# :level: intermediate
# :minutes: 15
# :code: no
# Suppose $d$ and performance correlate .55, $d$ and log size .60, performance and log size .80 (size: the number of pairs in the training data). What is the correlation of $d$ and performance
# with size held constant? For which correlation of $d$ and size would it vanish?
# :::
#
# ```{solution-start} downstream-partial
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
r, with_d, with_p = 0.55, 0.60, 0.80
partial = (r - with_d * with_p) / np.sqrt((1 - with_d**2) * (1 - with_p**2))
print(f"held constant: {partial:.3f}; it vanishes where d and size correlate {r / with_p:.3f}")
noise = np.random.default_rng(seed).normal(size=(131, 3))
noise = np.linalg.qr(noise - noise.mean(axis=0))[0]  # uncorrelated columns
d, performance, size = (noise @ np.linalg.cholesky([[1, r, with_d], [r, 1, with_p], [with_d, with_p, 1]]).T).T
assert np.allclose(downstream.r_given(d[:, None], performance, size[:, None], np.ones((1, 131))), partial)

# %% [markdown]
# Holding size constant takes from $r$ the product of the two correlations with size, and rescales what is left. Here that product is most of $r$:
# what $d$ and performance have in common is mostly size. It would be all where the correlation of $d$ and size is $r$ over that of performance and
# size.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A model without any notion of flowers and insects has $d = 0$. Is its growth to $d = 1.8$ "bias amplification"? What would you call it for race?
# 2. Which set of models, trained by whom and how, would show whether optimising for performance changes social associations?
