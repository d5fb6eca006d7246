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
# # What does the regression find where the truth is known?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025): the regression over 131 models and 26 tests, given to networks whose training we know.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** The published regression says that families of training data differ in their effect sizes. Would it also find differences where there are none? And where families do differ, would it
# find them?
#
# **In short.** In our networks, the regression often finds families that do nothing, because it counts every network 26 times. Counting each network once repairs this. But both ways miss families
# that do differ. One reason is that all families are compared with a single network.
#
# **In 20 minutes:** {ref}`What the paper reports <stress-found>`, {ref}`What one may doubt, and the answer in one figure <stress-answer>`,
# {ref}`What this means <stress-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** a regression with groups as predictors, p-values. The chapter [Upstream factors](upstream.ipynb) goes through the paper's regression step by step.
#
# **Content note.** Everything measured here is about drawn faces in invented colours, flowers, insects and the like. The faces stand for nobody.
# :::
#
# **The idea.** {cite:t}`ghate2025` gave 26 [association tests](../../book/primers/association.md) to {claim}`effect_sizes.models` CLIP models, networks that compare pictures with texts. Each test has an
# *effect size* $d$: how much nearer a model places one group to pleasant things than another group, in standard deviations. Which properties of a model go with a larger $d$? The authors sort the
# models into ten *data families*, by what they were trained on, and into eight families of architectures.
#
# **The regression.** It explains $d$ by four things: the model's data family, its architecture, its number of parameters, and the size of its training data. All data
# families are compared with one of them, the *reference*. This is CC12M, a family with a single model. The regression has {claim}`upstream.rows` rows, 26 for each model.
# It takes the 26 results of a model as *independent*, as if one of them said nothing about the next.
#
# **What the authors conclude** (the part that this chapter is about). "Several dataset families … showed significant positive
# associations … with intrinsic bias effect size with respect to the reference dataset of 'CC12m'".
#
# **Their own checks and limits.** The regression allows for differences between combinations of groups (such as race) and of what is shown as words or pictures. The authors ask for further studies "to provide a more robust statistical basis".

# %% tags=["parameters", "hide-input"]
n_assignments = 400  # how often families are assigned at random over the null networks; at least 20
n_refits = 3  # on how many of these assignments the published specification is fitted anew; at least 2
n_resamples = 1000  # draws of networks, for intervals, and permutations; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/stress.json"  # where this notebook would write values of recorded claims; it has none

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats

import vlmbias as vb
from greenhouse import fleet_table
from studies import tables, words
from studies.overviews import authors
from studies.pretraining import shuffle, stress, stress_words, upstream, upstream_words
from vlmbias.inference import clustered

vb.figures.style()

# %% [markdown]
# (stress-found)=
# ## What the paper reports: most data families differ from the reference
#
# Each line of the figure is a data family. Its coefficient says how much larger $d$ is there than in CC12M:

# %% tags=["hide-cell"]
printed = authors.coefficients()
printed[printed["factor"].str.startswith("training data")].round(3)

# %% tags=["hide-input"]
families_printed = printed[printed["factor"].str.startswith("training data")]
vb.figures.show(
    vb.figures.forest(families_printed.assign(said=np.where(families_printed["p"] < stress.ALPHA, "p < .01", "not significant at .01")), estimate="coef", low="low", high="high",
                      label="name", group="said", value_label="difference of d from CC12M, printed 95 % interval"),
    name="stress-printed",
    alt="Printed coefficients of nine data families: " + ", ".join(f"{row.name} {row.coef:.2f}" for row in families_printed.itertuples(index=False)) + ".",
    caption=f"From Figure 6. Architecture and sizes are held equal. Not significant: {words.listed(families_printed.loc[families_printed['p'] >= stress.ALPHA, 'name'])}.",
    source="paper:pretraining, Figure 6",
)
architectures = printed.loc[printed["factor"].str.startswith("architecture"), "p"]
vb.note(printed_towers=upstream_words.differ(architectures < stress.ALPHA, "architecture families", "CoCa"), printed=upstream_words.differ(families_printed["p"] < stress.ALPHA, "data families", "CC12M", families_printed["coef"]))

# %% [markdown]
# {glue:text}`printed` {glue:text}`printed_towers` CoCa is the reference of the architectures. On this page, *significant* means p below .01, as in the paper.
#
# (stress-answer)=
# ## What one may doubt, and the answer in one figure
#
# If the 26 results of a model are not independent, the regression counts the same evidence many times. Does it then find differences that do not exist?
#
# For CLIP models, nobody knows which families truly differ. So we use networks of our own, from our laboratory, the [Greenhouse](../../book/greenhouse/limits.md). They are small, and learned from drawn faces and
# from captions that we wrote. We have two sets in which data families do *not* differ:
#
# - {glue:text}`fleet` *null networks*: their captions treat all groups alike;
# - {glue:text}`recipe` networks with the *same bias* in their captions.
#
# Within each set, the networks differ only in architecture, in size, in the pictures that they saw, and by chance. Each took counterparts of the paper's 26 tests.

# %% tags=["hide-cell"]
null, planted, extra = (fleet_table.read(name) for name in ("null", "planted", "extra"))
sizes = planted.drop_duplicates("model")["dataset"].value_counts().sort_index().to_dict()
first, largest = next(iter(sizes)), max(sizes, key=sizes.get)  # reference; largest family
same_bias = planted[planted["dataset"] == largest]
null[["model", "architecture", "test", "effect_size"]].round(2).head(3)

# %% [markdown]
# Now we invent ten data families, in the paper's proportions, and assign the networks to them at random. We call one such random assignment a *shuffle*. (It is what the button does in
# [a figure that you can play with](../../book/pretraining.md).) One family, the reference, has a single network.
#
# An invented family cannot matter, so every significant family is a *false positive*. We shuffle {glue:text}`assignments` times for each set, and count the shuffles with at least one significant family.
#
# How many would chance give? Nine families are compared with the reference, each with a false positive in 1 of 100 shuffles. Together, this makes at most 9 of 100.
#
# We fit the regression in two ways. The *published regression* takes the 26 results of each network as independent. The other counts *each network once*: its one row is the mean of its 26 results.

# %%
SETS = {"null networks": null, "networks with the same bias": same_bias}
weights, fits, assigned = {}, {}, {}
for name, networks in SETS.items():
    weights[name], fits[name] = stress.weights_of(upstream.prepared(networks))
    assigned[name] = stress.random_assignments(
        weights[name], sizes, n_assignments=n_assignments, seed=seed
    )
false = {name: stress.false_positive_rates(own) for name, own in assigned.items()}

# %% [markdown]
# Here is one shuffle, the first in which the published regression finds something. We count each network once with ordinary tools, and
# check the p-values of our own function.

# %%
trials = assigned["null networks"]
hits = trials[(trials["rule"] == "published") & (trials["p"] < 0.01)]
number = hits["assignment"].min()

rng = np.random.default_rng(seed)
for _ in range(number + 1):  # the same random numbers as above
    rows = weights["null networks"]["published"].rows
    families, _ = stress.assign_families(rows, sizes, first, rng=rng)

table = upstream.prepared(null).assign(family=lambda own: own["model"].map(families))
sums = {"effect_size": "mean", "family": "first", "architecture": "first"}
means = table.groupby("model").agg(
    sums | {"log_params": "first", "log_dataset_size": "first"}
)
by_hand = smf.ols(
    "effect_size ~ family + architecture + log_params + log_dataset_size", means
).fit()

one_row = trials[(trials["assignment"] == number) & (trials["rule"] == "one-row")]
p = one_row.set_index("term")["p"]
for family in ("common", "curated"):  # names that mean nothing here
    assert np.isclose(by_hand.pvalues[f"family[T.{family}]"], p[f"dataset[{family}]"])

# %% tags=["hide-cell"]
one = trials[trials["assignment"] == number].pivot(index="term", columns="rule", values="p")
one = one[["published", "one-row"]].set_axis(["p, published", "p, each once"], axis=1)
one = one.rename(index=lambda term: term[8:-1]).rename_axis("family").rename_axis(columns=None)
one.round(3)

# %% tags=["hide-input"]
vb.note(one_assignment=stress_words.one_assignment(int((one["p, published"] < stress.ALPHA).sum()), int((one["p, each once"] < stress.ALPHA).sum())))

# %% [markdown]
# {glue:text}`one_assignment`
#
# The next figure has all shuffles. A point is the share of shuffles with at least one false positive. To the right of the dashed line, a regression finds more than chance may give:

# %% tags=["hide-input"]
CALLED = {"published": "26 results of each, as independent", "one-row": "each network once"}
shown = pd.concat(false, names=["set"]).rename_axis(["set", "rule"]).reset_index().query("rule in @CALLED")
n_models = {name: len(own["published"].models) for name, own in weights.items()}
shown = shown.assign(line=shown["rule"].map(CALLED), set=shown["set"].map({name: f"{n} {name}" for name, n in n_models.items()}))
vb.figures.show(
    vb.figures.rates(shown, rate="rate", low="low", high="high", label="line", group="set", nominal=(len(sizes) - 1) * stress.ALPHA,
                     value_label="% of shuffles with at least one significant family, 95 % interval"),
    name="stress-answer",
    alt="How often families that do nothing are called significant. " + "; ".join(f"{row['set']}, {row['line']}: {row['rate']:.1%}" for row in shown.to_dict("records")) + ".",
    caption=f"{n_assignments} shuffles of each set of networks. Dashed: {len(sizes) - 1} %, the most that {len(sizes) - 1} comparisons at the level of .01 may give by chance.",
    source="greenhouse",
)
silent = weights["null networks"]
anything = stress.false_positive_rates(stress.random_assignments(silent, sizes, n_assignments=n_assignments, seed=seed, everything=True))
agree = stress.agreement(upstream.prepared(null), silent["published"], sizes, assignments=n_refits, seed=seed + 1)
verdicts = agree.groupby("assignment")[["z", "z_quick"]].agg(lambda z: (2 * stats.norm.sf(z.abs()) < stress.ALPHA).any())
own, second = false.values()
share = {name: upstream.share_of_models(fit) for name, fit in fits.items()}
n_printed = int((families_printed["p"] < stress.ALPHA).sum())  # so many families, or more, in a shuffle:
as_many = {name: float(own[own["rule"] == "published"].groupby("assignment")["p"].agg(lambda p: (p < stress.ALPHA).sum() >= n_printed).mean()) for name, own in assigned.items()}
vb.note(rate=own["rate"], low=own["low"], high=own["high"], needed=own["needed"], positive=own["positive"], several=own["several"], model_share=share["null networks"], second_share=share["networks with the same bias"],
        n_printed=n_printed, as_many=as_many["null networks"], second_as_many=as_many["networks with the same bias"], second={"rate": second["rate"], "low": second["low"], "high": second["high"]}, recipe=n_models["networks with the same bias"],
        same=words.among(int((verdicts["z"] == verdicts["z_quick"]).sum()), len(verdicts)),
        any=anything["rate"], assignments=n_assignments, fleet=n_models["null networks"], contrasts=len(sizes) - 1, nominal=stress.ALPHA,
        too_much=stress_words.too_much(own["rate"]["published"], second["rate"]["published"], (len(sizes) - 1) * stress.ALPHA))

# %% [markdown]
# {glue:text}`too_much` In null networks, at least one family is significant in {glue:text}`rate.published:.0%` of the shuffles. If each
# network counts once, it is {glue:text}`rate.one-row:.1%`.
#
# In the networks with the same bias, the two numbers are {glue:text}`second.rate.published:.0%` and {glue:text}`second.rate.one-row:.1%`.
#
# The paper finds not one significant family, but {glue:text}`n_printed`. The published regression finds so many, or more, in {glue:text}`as_many:.1%` of the shuffles of null networks, and in
# {glue:text}`second_as_many:.1%` with the same bias. All nine families are compared with the same network. If it is unusual, all nine may look different.
#
# **The reason.** The results of one network resemble each other. One network has a slightly larger $d$ in all its tests, another a slightly smaller one. So two results of a network, in tests of the same combination (of groups, and of words or pictures), correlate: in null networks by {glue:text}`model_share:.2f`.
# We say that they have {glue:text}`model_share:.0%` of their variance *in common*. This seems little. But it does not average out, however many tests there are
# ({numref}`stress-share` does the calculation).
#
# It is as with pupils and marks: 26 marks of one pupil say less about a school than one mark of each of 26 pupils.
#
# To test this reason, we keep the networks and change their numbers by calculation. We make the part in common smaller or larger, and the rest larger or smaller, so that the total stays the same.
# If the reason is right, the false positives must go away where nothing is in common:

# %% tags=["hide-input"]
shares, played = shuffle.figure()
vb.figures.show(played.figure, name="stress-shuffle", alt=played.alt, caption=played.caption, source=played.source)

# %% tags=["hide-cell"]
vb.note(nothing=stress_words.at_nothing(shares), shuffles=shuffle.SHUFFLES)
shares = shares.rename(columns={"own": "as measured"})
shares[["share", "as measured", "published", "networks"]]

# %% [markdown]
# {glue:text}`nothing` (These are {glue:text}`shuffles` other shuffles, so the numbers differ a little from those above.)
#
# :::{dropdown} Details
# - *At most nine of 100.* It may be fewer, because comparisons that share a reference tend to go wrong together. With few shuffles, a rate also moves by chance.
# - *Each network once, in the second figure.* Its line is flat because moving all means together or apart changes no p-value.
# - *Intervals* (in the first figure). They say how far a rate could move with other shuffles of the same networks, not with other networks.
# - *An effect of each network.* One can also keep all rows, and tell the regression that all results of a network may lie higher or lower together (a *random intercept*). Then the rates are {glue:text}`rate.model:.1%` and {glue:text}`second.rate.model:.1%`.
# - *Sandwich.* This common correction of standard errors for rows that belong together makes it worse here: the rates are {glue:text}`rate.sandwich:.0%` and {glue:text}`second.rate.sandwich:.0%`. It estimates the spread within a family from the networks of this family, and most families are small. If only families of two networks and more count, the first rate is {glue:text}`several.sandwich:.0%`.
# - *In common.* The networks with the same bias have {glue:text}`second_share:.0%` in common. Counted is the variance within a combination, after architecture and sizes.
# - *Quick fits.* To save time, we estimated the variances once and not for each shuffle. Where we estimated them anew, {glue:text}`same` shuffles have the same verdict.
# - *Largest z.* z is a coefficient divided by its standard error. In null networks, the largest of the nine exceeds {glue:text}`needed.published:.1f` in one shuffle of 100. So this would be the limit for a level of .01 for all nine together.
# - *Positive.* At least one family is significantly above the reference in {glue:text}`positive.published:.0%` of the shuffles.
# - *Everything at random.* If architectures and sizes are assigned at random, too, some coefficient is significant in {glue:text}`any.published:.0%`.
# :::
#
# ## The protocol, run on networks with known families
#
# Now the opposite question: where families do differ, does the regression find them? We trained a third set of {glue:text}`n_known` networks, in ten real data families with the paper's numbers of models.
#
# We wrote the captions, so we know what each family does to them. In the largest family, *{glue:text}`base`*, captions are biased by *hue* (the colour of a face), by *crest* (what a face wears on its head) and by age. Four others treat groups differently:
#
# - *faint*: differences between hues and between crests are half as large;
# - *garbled*: a quarter of the captions belong to other pictures, so all differences are smaller;
# - *curated*: an earlier, biased network chose the pairs of picture and caption, so differences are larger;
# - *renamed*: two hues exchange their names. This changes the tests that use these names, and no others.
#
# A fifth family, *{glue:text}`base_name`*, treats groups as *{glue:text}`base`* does. It has a single network, and is the reference, as CC12M is in the paper. The other families are in the folded part.
#
# The program below decides which families differ. It uses counts of the captions: how much more frequent pleasant words are for one group than for another.

# %%
models, truth = fleet_table.models("planted"), fleet_table.truth()
counted = truth.pivot(index="dataset", columns="category", values="counted")
counted = counted.loc[list(sizes), ["race", "gender", "age"]]
counted.columns = ["hue", "crest", "age"]
changed = (counted - counted.loc[first]).abs().mean(axis=1) > 0.1
swapped = truth.groupby("dataset")["names"].min() < 0  # two hues exchange names
differs = changed | swapped[changed.index]
print(words.listed(differs.index[differs]))

# %% tags=["hide-cell"]
counted.assign(networks=sizes, differs=differs).round(2)  # log-odds of pleasant words

# %% [markdown]
# (stress-remedies)=
# We fit the regression in both ways, with *{glue:text}`base_name`* as the reference:

# %%
fleet = upstream.prepared(planted)
remedies = upstream.remedies(fleet, n_resamples=n_resamples, seed=seed)
found = {
    factor: stress.significant(remedies, factor) for factor in ("dataset", "architecture")
}

# %% tags=["hide-cell"]
order = {name: CALLED[name] for name in ("published", "one-row")}
chosen = remedies[remedies["method"].isin(order) & (upstream.factor_of(remedies["term"]) == "dataset")]
chosen = chosen.assign(family=chosen["term"].str[8:-1], method=chosen["method"].map(order)).sort_values(["family", "method"], ascending=[True, True])
width = (chosen["high"] - chosen["low"]).groupby(chosen["method"]).mean()
wider = width[order["one-row"]] / width[order["published"]]
names = [f"{name} (differs)" if differs[name] else name for name in chosen["family"]]
chosen["label"] = np.where(chosen["method"] == order["published"], names, "")  # one name for both lines
vb.figures.show(
    vb.figures.forest(chosen.reset_index(drop=True), estimate="coef", low="low", high="high", label="label", group="method",
                      value_label=f"difference of d from the family “{first}”, 95 % interval"),
    name="stress-remedies",
    alt=f"Coefficients of nine data families with known captions, and the published interval; with each network counted once, intervals are {wider:.1f} times as wide. " + "; ".join(
        f"{row.family} {row.coef:.2f} ({row.low:.2f} to {row.high:.2f})" for row in chosen[chosen["method"] == order["published"]].itertuples()) + ".",
    caption=f"{len(models)} networks in ten families, compared with a family of one network. Lines: 95 % intervals. For p below .01, a line must keep some distance from zero.",
    source="greenhouse",
)
counts = {factor: {name: words.among(int(row["found"]), int(row["of"])) for name, row in part.iterrows()} for factor, part in found.items()}
vb.note(base_name=first, base=largest, towers=counts["architecture"], n_known=len(models), log_odds=counted.loc[largest, "hue"], odds=np.exp(counted.loc[largest, "hue"]), rejected=stress_words.rejected(int((~models["accepted"]).sum())),
        single=stress_words.misses(int(found["dataset"].loc["published", "found"]), int(found["dataset"].loc["one-row", "found"]), int(differs.sum())))

# %% [markdown]
# {glue:text}`single`
#
# Does this depend on the reference? We now take *{glue:text}`base`*, which has the most networks:

# %%
against = {
    "published": upstream.fitted(fleet, references={"dataset": largest}).coefficients,
    "each network once": clustered.least_squares(
        *upstream.one_row(fleet, references={"dataset": largest})
    ),
}
for name, fit in against.items():
    data = fit[fit.index.str.startswith("dataset[")]
    print(f"{name}: {words.listed(data.index[data['p'] < 0.01].str[8:-1])}")

# %% tags=["hide-input"]
hits = {name: fit.index[fit.index.str.startswith("dataset[") & (fit["p"] < stress.ALPHA)].str[8:-1].tolist() for name, fit in against.items()}
alone = chosen.loc[chosen["p"] < stress.ALPHA, "family"].tolist()  # found against the reference of one network
known = differs.index[differs].tolist()
vb.note(larger=stress_words.with_large_reference(hits["published"], hits["each network once"], known), missed=stress_words.still_missed(alone, hits["published"] + hits["each network once"], known), power=stress_words.power(len({*hits["each network once"]} & {*known}), len(known)))

# %% [markdown]
# {glue:text}`larger` {glue:text}`power`
#
# {glue:text}`missed` One coefficient stands for all 26 tests, and $d$ divides a difference by a standard deviation ({numref}`stress-ceiling`). So a change of the captions may not show.
#
# *Marked* is a doubtful case. Its captions name hue or crest less often for some groups than for others. We do not know whether $d$ should differ for this reason.

# %% tags=["hide-cell"]
flowers = planted[planted["category"] == "flower-insect"].groupby("dataset")[["gap", "effect_size"]].mean()
ratio = flowers.loc["garbled"] / flowers.loc["common"]
vb.note(hidden={name: flowers[name][["common", "garbled"]] for name in flowers}, divided=stress_words.divided(ratio["gap"], ratio["effect_size"]))
flowers.round(2)

# %% tags=["hide-cell"]
joint = upstream.joint(fleet, n_permutations=n_resamples, seed=seed)
joint = joint.set_index(["factor", "cases"])["p_permuted"].xs("models", level="cases")
joint.round(3)

# %% tags=["hide-input"]
vb.note(joint=joint, whole=stress_words.as_a_whole(joint["dataset"], joint["architecture"], stress.ALPHA))

# %% [markdown]
# :::{dropdown} Which networks are in this set, and what the other families do
# *Networks.* All that we trained for it. {glue:text}`rejected` What we asked for was a mean over several kinds of words. So a network can pass although, among faces of one group, it no longer connects words of pleasantness with the
# right pictures. `planted-028` is such a network, and a limit that was set later would reject it. How many others are like it cannot be seen from the table.
#
# *All families together.* Another test needs no reference: it asks of all data families together whether they matter (an F-test that counts each network once). {glue:text}`whole` (The p-values are {glue:text}`joint.dataset:.3f` and {glue:text}`joint.architecture:.2f`.)
#
# *Architectures.* Of their coefficients, {glue:text}`towers.published` are significant. Architecture changes no caption, so this is as it should be.
#
# *The numbers of captions* are log-odds. The {glue:text}`log_odds:.2f` of *{glue:text}`base`* mean that the odds of a pleasant word are {glue:text}`odds:.1f` times as high for one hue as for the other. *Renamed* has the numbers of *{glue:text}`base`*, because only names are exchanged.
#
# *What $d$ does not show.* The tests of flowers and insects are an example. Before the division, their mean difference is {glue:text}`hidden.gap.common:.2f` in *{glue:text}`base`* and {glue:text}`hidden.gap.garbled:.2f` in *garbled*. The mean $d$ is {glue:text}`hidden.effect_size.common:.2f` and {glue:text}`hidden.effect_size.garbled:.2f`. {glue:text}`divided`
#
# *Other families.* In *balanced*, all words of one kind are about equally frequent. In *lopsided*, some hues are more frequent than others. In *marked*, captions name hue or crest less often for some groups than for others. In *selected*,
# faces that do not smile are left out. In *unnamed*, captions say just "a person" more often for some groups than for others.
#
# *Did the networks learn what their captions say?* On average over the families, they show {glue:text}`holds_one`. (*Curated* is left out of this average, because filtering by a biased network did more than its captions tell.) The next folded part has the comparison.
# :::
#
# ## What this method can see
#
# (stress-reference)=
# **How much hangs on one network?** In the paper, the reference is one model, and nobody can train another. We can. Two more networks learned from the captions of *{glue:text}`base_name`*, from other random
# starts. Each takes the place of the first in turn. A row is a reference: the network's mean $d$ over its 26 tests, and the number of significant families.

# %%
reference = stress.references(planted, extra).rename(
    columns={"rows": "published", "cases": "each network once", "mean": "mean d"}
)
reference[["mean d", "published", "each network once"]].round(2)

# %% tags=["hide-input"]
vb.note(by_seed=stress_words.by_seed(reference["published"]), lowest=reference["mean d"].min(), highest=reference["mean d"].max())

# %% [markdown]
# {glue:text}`by_seed`
#
# The captions of these networks are of one kind, but their mean $d$ is between {glue:text}`lowest:.2f` and {glue:text}`highest:.2f`. A table of results cannot show how much of a comparison is due to the data of the reference, and how much to how this one network turned out.

# %% tags=["hide-cell"]
recovered = stress.recovered(models, truth, largest, n_resamples=n_resamples, seed=seed)
recovered["category"] = recovered["category"].replace({"race": "hue", "gender": "crest"})
several = recovered[recovered["models"] > 2]
several[["dataset", "category", "planted", "shown"]].round(2)

# %% tags=["hide-cell"]
FILTERED = "curated"  # pairs kept that an earlier network liked
again = dict(n_resamples=n_resamples, seed=seed)
lines = pd.DataFrame({
    "all families of three networks or more": stress.line(models, truth, largest, **again),
    "without the filtered family": stress.line(models, truth, largest, without=[FILTERED], **again),
}).T
inside = several["low"].le(several["planted"]) & several["high"].ge(several["planted"])
vb.figures.show(
    vb.figures.planted_against_shown(several, planted="planted", shown="shown", unit="log-odds",
                                     panel="category", low="low", high="high"),
    name="stress-planted",
    alt="Differences of data families from the largest one, in log-odds of pleasant words: what networks show against what captions say (planted). " + "; ".join(
        f"{row['dataset']}, {row['category']}: planted {row['planted']:.2f}, shown {row['shown']:.2f}" for row in several.to_dict("records")) + ".",
    caption=f"Each point is a family against “{largest}”; families of three networks or more. Planted: what the captions say. Shown: what the networks show. Lines: 95 %, networks resampled. Diagonal: both are equal.",
    source="greenhouse",
)
human = recovered.groupby("dataset")["planted"].mean()
alike = pd.concat({"all families": stress.outcomes(fleet, human, largest), "without the filtered family": stress.outcomes(fleet, human, largest, without=[FILTERED])})
ends = alike.xs("all families").set_axis(["gap", "d"])
every, without = lines.to_dict("records")
vb.note(inside=words.among(int(inside.sum()), len(several)), line=every, without=without, of_gap=ends.loc["gap"], of_d=ends.loc["d"], n_families=int(ends.loc["d", "families"]),
        holds_one=words.side(without["slope_low"], without["slope_high"], of=1.0, above="more than their captions say", below="less than their captions say", neither="about what their captions say"),
        overlap=words.verb(ends.loc["d", "high"], above=ends.loc["gap", "low"], then="The intervals overlap, because the families are few.", else_="The intervals do not overlap."))
tables.readable(lines[["families", "points", "slope", "slope_low", "slope_high", "r"]]).format(lambda n: f"{n:.0f}", subset=["families", "points"])

# %% [markdown]
# :::{dropdown} What captions say and what networks show
# For each family, we compare what its captions say (*planted*) with what its networks show (*shown*), both as a difference from *{glue:text}`base`*, and in log-odds of pleasant words.
#
# The slope says how much more the networks show if the captions say one unit more. Without *curated*, it is {glue:text}`without.slope:.2f`, with a wide interval; with *curated*, it is {glue:text}`line.slope:.2f`. Of the points of
# the figure, {glue:text}`inside` have an interval that contains what is planted. So single families may deviate.
#
# The networks of *curated* show more than its captions say. So filtering by a biased network did more here than a count of the captions can tell. Why, we did not test. It is one filtered family only; on filters in the paper, see [Models and families](model_zoo.ipynb).
#
# Does $d$ show these differences as well as the log-odds do? ($d$ divides a difference by a standard deviation; {numref}`stress-ceiling` shows a consequence.) Over {glue:text}`n_families` families and all 26 tests, the coefficients of the log-odds
# correlate by {glue:text}`of_gap.r:.2f` with what was planted, and those of $d$ by {glue:text}`of_d.r:.2f`. {glue:text}`overlap`
# :::
#
# (stress-means)=
# ## What this means
#
# **For the paper.** A regression that takes the results of one model as independent can find families that do nothing. A reference of one model makes all comparisons depend on this model.
# We saw both in small networks. In the first two sets, they are also fewer than the paper's models, and only one set has families that differ.
#
# Whether it matters for the {claim}`effect_sizes.models` CLIP models depends on how much the results of a model have in common. We do not know this. The authors' public table can show it, but could not be fetched for this edition.
# Our results do not say that the finding is wrong.
#
# **For your own work.** Keep a null: shuffle the labels of whole models many times, and repeat your analysis. It costs seconds, and tells you how often you would find something where there is nothing. Count
# each model once; expect to find less. Choose a reference that has many models.

# %% [markdown]
# ## Where paper and code differ
#
# The paper takes CC12M as the reference "because we hypothesized its curation strategy would lead to the lowest levels of intrinsic bias". The code sets no
# reference, and did not need to. Without a setting, the first family in the alphabet is taken, which is CC12M.
#
# :::{dropdown} All points, from the audit of the authors' repository
# | | the paper says | the code does | we |
# |---|---|---|---|
# | reference (G2) | CC12M, "because we hypothesized" low bias | the first family in the alphabet | take the first, other networks of it, and the largest family |
# | unit of analysis (G2; a choice that the paper states) | "3,406 observations" | the same: 26 rows for each model, as independent | compare it with each network counted once |
# | mode (G1) | not mentioned | models are measured in the mode that is meant for training | use the other one; [a chapter on it](train_mode.ipynb) |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/stress -p n_assignments 2000
# .venv/bin/vlmbias fleet
# ```
# The first line repeats this page with more shuffles. The second trains the networks anew, if you change `data/greenhouse/fleet.yaml`.
# :::
#
# ## Take-aways
#
# - Results of one model resemble each other. Taken as independent, they can give many false positives, even if their correlation is small.
# - Counting each model once is the careful choice. It has a price: more true differences are missed.
# - Keep a null: the same analysis, with the labels of whole models shuffled.
# - A reference with one model compares everything with one training run.
#
# ## Exercises
#
# :::{exercise} A model's own effect
# :label: stress-share
# :level: intermediate
# :minutes: 15
# :code: yes
# Simulate 20 models with 26 tests each. A tenth of the variance belongs to the model: this part is the same in all of its tests. The models form two equal
# families, between which nothing differs.
#
# Suppose all rows are taken as independent. How often is the difference of the families significant at .01? Use 2,000 simulations.
# :::
#
# ```{solution-start} stress-share
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rng = np.random.default_rng(seed)
rows = np.sqrt(0.1) * rng.standard_normal((2000, 20, 1)) + np.sqrt(0.9) * rng.standard_normal((2000, 20, 26))
difference = rows[:, :10].mean(axis=(1, 2)) - rows[:, 10:].mean(axis=(1, 2))
z = difference / np.sqrt(2 / 260 * rows.var(axis=(1, 2)))
print(f"{(np.abs(z) > 2.576).mean():.0%} instead of 1 %")
assert (np.abs(z) > 2.576).mean() > 0.05

# %% [markdown]
# The part that belongs to a model is the same in all of its 26 rows, so it does not average out over them. A family has ten values of it, and the test counts
# 260. A small share of variance is enough, because it is divided by ten, and all the rest by 260.
#
# ```{solution-end}
# ```
#
# :::{exercise} A bound on d
# :label: stress-ceiling
# :level: introductory
# :minutes: 10
# :code: no
# An effect size $d$ is a gap between two groups, divided by a standard deviation over both. Take two groups of equal size. The gap grows without end while the spread within groups stays. What does $d$ tend to?
# :::
#
# ```{solution-start} stress-ceiling
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
sizes = np.array(50), np.array(50)
growing = [float(stress.from_parts(np.array(gap), np.array(1.0), *sizes)) for gap in (0.5, 2, 8, 1e6)]
print(", ".join(f"{one:.2f}" for one in growing))
assert abs(growing[-1] - np.sqrt(100 * 99 / 2500)) < 1e-6

# %% [markdown]
# As the gap grows, nearly all spread of the scores is the gap itself. Each score then lies half a gap from the middle. So the standard deviation tends to half a gap,
# and $d$ tends to 2. (With the divisor $N - 1$, multiply by $\sqrt{(N-1)/N}$.) Near that bound $d$ hardly moves, however much the gap does.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A data family has one model, and nobody can train another. What may be said of it?
# 2. Would you rather have 131 models of ten families, or ten models that differ in nothing but chance?
