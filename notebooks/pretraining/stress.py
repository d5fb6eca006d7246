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
# **Question.** The published regression says that families of training data differ in their effect sizes. Would it say so if they did not? And if some do, would it
# say which?
#
# **In short.** In our networks it does both things wrong. It finds families that do nothing, because it counts every network 26 times. And it misses families that do something, because it
# compares all of them with a single network.
#
# **In 20 minutes:** {ref}`what the authors found <stress-found>`, {ref}`the answer in one figure <stress-answer>`, {ref}`what this means <stress-means>`.
# **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** a regression with groups as predictors, p-values. [Upstream factors](upstream.ipynb) goes through the paper's regression step by step;
# this page stands on its own feet.
#
# **Content note.** Everything measured here is about drawn faces in invented colours, flowers, insects and the like. The faces stand for nobody.
# :::
#
# **The idea.** {cite:t}`ghate2025` gave 26 [association tests](../../book/primers/association.md) to {claim}`effect_sizes.models` CLIP models. Each test has an *effect size* $d$: how much nearer a
# model places one group to pleasant things than another group. The authors ask which properties of a model go with a larger $d$. They sort the models into ten *data families*, by
# what they were trained on, and into eight families of architectures.
#
# **The regression.** All {claim}`upstream.rows` effect sizes, 26 for each model, are explained by four things: the model's data family, its architecture, its number of parameters, and the size of its training data. All data
# families are compared with one of them, the *reference*. This is CC12M, a family with a single model. The regression allows for differences between kinds of test. Apart from that, it takes the 26 results of a model as
# independent.
#
# **What the authors conclude** (the part that this chapter is about). "Several dataset families … showed significant positive
# associations … with intrinsic bias effect size with respect to the reference dataset of 'CC12m'".
#
# **Their own checks and limits.** The regression allows for differences between the {claim}`upstream.groups` kinds of test. The authors ask for further studies "to provide a more robust
# statistical basis".

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
# Three rows of the printed regression:

# %%
printed = authors.coefficients()
printed[printed["factor"].str.startswith("training data")].round(3).head(3)

# %% tags=["hide-input"]
families_printed = printed[printed["factor"].str.startswith("training data")]
vb.figures.show(
    vb.figures.forest(families_printed.assign(said=np.where(families_printed["p"] < stress.ALPHA, "p < .01", "not significant at .01")), estimate="coef", low="low", high="high",
                      label="name", group="said", value_label="difference of d from CC12M, printed 95 % interval"),
    name="stress-printed",
    alt="Printed coefficients of nine data families: " + ", ".join(f"{row.name} {row.coef:.2f}" for row in families_printed.itertuples(index=False)) + ".",
    caption="From Figure 6: how much larger d is than in CC12M, if architecture and sizes are equal.",
    source="paper:pretraining, Figure 6",
)
architectures = printed.loc[printed["factor"].str.startswith("architecture"), "p"]
vb.note(printed_towers=upstream_words.differ(architectures < stress.ALPHA, "architecture families", "CoCa"), printed=upstream_words.differ(families_printed["p"] < stress.ALPHA, "data families", "CC12M", families_printed["coef"]))

# %% [markdown]
# {glue:text}`printed` {glue:text}`printed_towers` (Significant means here: p below .01.) The printed numbers agree with each other;
# [Upstream factors](upstream.ipynb) has the check.
#
# (stress-answer)=
# ## What one may doubt, and the answer in one figure
#
# The regression takes the 26 results of a model as independent. If they are not, it counts the same evidence many times, and finds too much. Does it?
#
# One can only know where the truth is known. So we need networks whose data families do *not* differ. How often does the regression find a difference all the same? The
# networks are from our laboratory, the [Greenhouse](../../book/greenhouse/limits.md): small networks that we trained on drawn faces and on captions that we wrote. We use two sets:
#
# - {glue:text}`fleet` *null networks*: their captions treat all groups alike;
# - {glue:text}`recipe` networks with the *same* bias in their captions.
#
# Within each set, all networks learned from captions of one kind. They differ in architecture, in size, in the pictures that they saw, and by chance. Each took counterparts
# of the paper's 26 tests. Three rows:

# %%
null, planted, extra = (fleet_table.read(name) for name in ("null", "planted", "extra"))
sizes = planted.drop_duplicates("model")["dataset"].value_counts().sort_index().to_dict()
first, largest = next(iter(sizes)), max(sizes, key=sizes.get)  # reference; largest family
same_bias = planted[planted["dataset"] == largest]
null[["model", "architecture", "test", "effect_size"]].round(2).head(3)

# %% [markdown]
# Now we assign invented data families to the networks at random. There are ten, in the paper's proportions, and one of them, the reference, has a single network. A family that is assigned at
# random cannot matter, so every significant family is a false positive. Then we fit the regression, and look whether it calls at least one family significant. We do this {glue:text}`assignments` times for each set.
#
# How many false positives are to be expected? Nine families are compared with the reference, each at the level of .01. So up to 9 in 100 assignments may have one by chance. (It may be fewer, because comparisons that share a reference tend to go wrong together.)
#
# The regression is made in two ways. The published one takes all results as independent: 26 of each network. The other takes one row for each network, the mean of its 26 results.

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
# One of these assignments by hand. It is the first in which the published regression finds something. With ordinary tools, we fit the same regression to one mean for each network. (The names of the families belong to a set of networks that comes later. Here they are mere labels.)

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
for family in ("common", "curated"):
    assert np.isclose(by_hand.pvalues[f"family[T.{family}]"], p[f"dataset[{family}]"])

# %%
one = trials[trials["assignment"] == number].pivot(index="term", columns="rule", values="p")
one = one[["published", "one-row"]].set_axis(["p, 26 rows", "p, one row"], axis=1)
one = one.rename(index=lambda term: term[8:-1]).rename_axis("family").rename_axis(columns=None)
one.round(3)

# %% tags=["hide-input"]
vb.note(one_assignment=stress_words.one_assignment(int((one["p, 26 rows"] < stress.ALPHA).sum()), int((one["p, one row"] < stress.ALPHA).sum())))

# %% [markdown]
# {glue:text}`one_assignment` (Significant means p < .01.) The labels mean nothing, so each of them is a false positive. Over all assignments:

# %% tags=["hide-input"]
shown = pd.concat(false, names=["set"]).rename_axis(["set", "rule"]).reset_index()
n_models = {name: len(own["published"].models) for name, own in weights.items()}
shown = shown.assign(line=shown["rule"].map(stress.RULES), set=shown["set"].map({name: f"{n} {name}" for name, n in n_models.items()}))
vb.figures.show(
    vb.figures.rates(shown, rate="rate", low="low", high="high", label="line", group="set", nominal=(len(sizes) - 1) * stress.ALPHA,
                     value_label="% of random assignments with at least one significant family, 95 % interval"),
    name="stress-answer",
    alt="How often families that do nothing are called significant. " + "; ".join(f"{row['set']}, {row['line']}: {row['rate']:.0%}" for row in shown.to_dict("records")) + ".",
    caption=f"Families assigned at random, {n_assignments} times for each set of networks. Dashed: {len(sizes) - 1} %, what {len(sizes) - 1} comparisons at the level of .01 may give.",
    source="greenhouse",
)
silent = weights["null networks"]
anything = stress.false_positive_rates(stress.random_assignments(silent, sizes, n_assignments=n_assignments, seed=seed, everything=True))
agree = stress.agreement(upstream.prepared(null), silent["published"], sizes, assignments=n_refits, seed=seed + 1)
verdicts = agree.groupby("assignment")[["z", "z_quick"]].agg(lambda z: (2 * stats.norm.sf(z.abs()) < stress.ALPHA).any())
own, second = false.values()
share, second_share = (upstream.share_of_models(fit) for fit in fits.values())
vb.note(rate=own["rate"], low=own["low"], high=own["high"], needed=own["needed"], positive=own["positive"], several=own["several"], model_share=share, second_share=second_share,
        second={"rate": second["rate"], "low": second["low"], "high": second["high"]}, recipe=n_models["networks with the same bias"],
        same=words.among(int((verdicts["z"] == verdicts["z_quick"]).sum()), len(verdicts)), closest=np.polyfit(agree["z_quick"], agree["z"], 1)[0],
        any=anything["rate"], assignments=n_assignments, fleet=n_models["null networks"], contrasts=len(sizes) - 1, nominal=stress.ALPHA,
        too_much=stress_words.too_much(own["rate"]["published"], second["rate"]["published"], (len(sizes) - 1) * stress.ALPHA))

# %% [markdown]
# {glue:text}`too_much` In null networks, the published regression finds at least one significant family in {glue:text}`rate.published:.0%` of the assignments. With one row for
# each network, it is {glue:text}`rate.one-row:.1%`.
#
# Is this because null networks learned no bias? In the second set, all networks learned one. There, the two numbers are {glue:text}`second.rate.published:.0%` and {glue:text}`second.rate.one-row:.1%`.
#
# The reason is that the results of a network resemble each other. Two results of one network, in tests of the same kind, correlate by {glue:text}`model_share:.2f` in the null networks. This does not
# seem much. But what belongs to the network as a whole is the same in all its results. It does not average out, however many tests there are. The published regression believes that it does
# ({numref}`stress-share` does the calculation).
#
# It is as with pupils and marks: 26 marks of one pupil say less about a school than one mark of each of 26 pupils.
#
# Could something else be the reason? For the next figure, we moved the networks' means closer together or further apart, by computer, and left everything else as it was. So only what the results of a network have in common is changed:

# %% tags=["hide-input"]
shares, played = shuffle.figure()
vb.figures.show(played.figure, name="stress-shuffle", alt=played.alt, caption=played.caption, source=played.source)

# %%
shares = shares.rename(columns={"own": "as measured"})
shares[["share", "as measured", "published", "networks"]].head(3)

# %% tags=["hide-input"]
vb.note(nothing=stress_words.at_nothing(shares))

# %% [markdown]
# (*published* and *networks*: in how many of {glue:text}`shuffles` assignments a family is significant, with 26 rows for each network and with one.)
#
# {glue:text}`nothing` (The numbers differ a little from those above, because here
# {glue:text}`shuffles` other assignments are used. On [the page of this paper](../../book/pretraining.md), you can press *Shuffle* and move the slider yourself.)
#
# An *effect of each model* is as good a remedy as one row for each: the regression is told that a network may deviate in all its tests. (In a mixed model, this is a random intercept for each model.) The rate falls
# to {glue:text}`rate.model:.1%`.
#
# The *sandwich*, a common correction of standard errors for rows that belong together, is no remedy here. It takes the spread within a family from the data, and a family of one network shows none.
#
# :::{dropdown} Details
# - *Intervals.* They say how far a rate could move with other random assignments to the same networks, not with other networks.
# - *Quick fits.* To save time, we estimated the variances once and not for each assignment. Where we estimated them anew, {glue:text}`same` assignments have the same verdict.
# - *Largest z.* The largest z of all families would have to exceed {glue:text}`needed.published:.1f` to be significant at .01 in this set.
# - *Positive.* At least one family is significantly above the reference in {glue:text}`positive.published:.0%`.
# - *Everything at random.* If architectures and sizes are assigned at random, too, some coefficient is significant in {glue:text}`any.published:.0%`.
# - *Sandwich.* Its rate is {glue:text}`rate.sandwich:.0%`. In families of two networks
#   and more alone, it is {glue:text}`several.sandwich:.0%`.
# :::
#
# ## The protocol, run on networks with known families
#
# Now the opposite question: if families do differ, does the regression find them? For this we trained a third set of networks, in ten real data families with the published numbers of models. What each family does
# to the captions is known. Four of the families change how pleasant the captions make the groups:
#
# - *faint*: the difference between groups is half as large;
# - *garbled*: a quarter of the captions belong to other pictures;
# - *curated*: an earlier, biased network saw all pairs of picture and caption, and only those that it liked were kept. This makes the difference larger;
# - *renamed*: two hues exchange their names. This changes tests with names, and no others.
#
# The other families change something else, or nothing (*common*). For every family we counted what its captions say. The table has it in log-odds of pleasant against unpleasant words, for one hue against another, one *crest* (what a face wears on its head) against the other, and young against
# old:

# %%
models, truth = fleet_table.models("planted"), fleet_table.truth()
counted = truth.pivot(index="dataset", columns="category", values="counted")
counted = counted.loc[list(sizes), ["race", "gender", "age"]]
counted.columns = ["hue", "crest", "age"]
differs = (counted - counted.loc[first]).abs().mean(axis=1) > 0.1
counted.assign(models=sizes, differs=differs).round(2)

# %% [markdown]
# (*differs*: on average by more than 0.1 from *{glue:text}`base_name`*, which is the reference. *Renamed* changes only whose names they are, so it cannot differ here. Like CC12M in the paper, it is the first in the alphabet, and has one network.)
#
# (stress-remedies)=
# The published regression, and the same with one row for each network:

# %%
fleet = upstream.prepared(planted)
remedies = upstream.remedies(fleet, n_resamples=n_resamples, seed=seed)
found = {
    factor: stress.significant(remedies, factor) for factor in ("dataset", "architecture")
}
found["dataset"].loc[["published", "one-row"]]

# %% tags=["hide-input"]
order = {"published": "26 rows for each network, as published", "one-row": "one row for each network"}
chosen = remedies[remedies["method"].isin(order) & (upstream.factor_of(remedies["term"]) == "dataset")]
chosen = chosen.assign(family=chosen["term"].str[8:-1], method=chosen["method"].map(order)).sort_values(["family", "method"], ascending=[True, True])
names = [f"{name} (differs)" if differs[name] else name for name in chosen["family"]]
chosen["label"] = np.where(chosen["method"] == order["published"], names, "")  # one name for both lines
vb.figures.show(
    vb.figures.forest(chosen.reset_index(drop=True), estimate="coef", low="low", high="high", label="label", group="method",
                      value_label=f"difference of d from the family “{first}”, 95 % interval"),
    name="stress-remedies",
    alt="Coefficients of nine data families with known captions, with the published intervals and with one row for each network. " + "; ".join(
        f"{row['family']}, {row['method']}: {row['coef']:.2f} ({row['low']:.2f} to {row['high']:.2f})" for row in chosen.to_dict("records")) + ".",
    caption=f"{len(models)} networks in ten families, compared with a family of one network.",
    source="greenhouse",
)
counts = {factor: {name: words.among(int(row["found"]), int(row["of"])) for name, row in part.iterrows()} for factor, part in found.items()}
vb.note(base_name=first, base=largest, families=counts["dataset"], towers=counts["architecture"], known=words.among(int(differs.sum()), len(differs) - 1), rejected=stress_words.rejected(int((~models["accepted"]).sum())),
        single=stress_words.misses(int(found["dataset"].loc["published", "found"]), int(found["dataset"].loc["one-row", "found"]), int(differs.sum()) + 1), shuffles=shuffle.SHUFFLES)

# %% [markdown]
# {glue:text}`single` Of the architectures, {glue:text}`towers.published` are significant, which is right: architecture changes no caption.
#
# Why is so little found? All comparisons are with the reference, and the reference is one network. How this one network happened to turn out is in every comparison. So we take the largest family, *{glue:text}`base`*, as the
# reference:

# %%
against = {
    "26 rows": upstream.fitted(fleet, references={"dataset": largest}).coefficients,
    "one row": clustered.least_squares(
        *upstream.one_row(fleet, references={"dataset": largest})
    ),
}
for name, fit in against.items():
    data = fit[fit.index.str.startswith("dataset[")]
    print(f"{name}: {words.listed(data.index[data['p'] < 0.01].str[8:-1])}")

# %% [markdown]
# {glue:text}`larger` {glue:text}`power`
#
# We also ask whether data families as a whole matter, in one test that needs no reference (an F-test with one row for each network; its p-value comes from assigning families at random):

# %%
joint = upstream.joint(fleet, n_permutations=n_resamples, seed=seed)
joint = joint.set_index(["factor", "cases"])["p_permuted"].xs("models", level="cases")
joint.round(3)

# %% tags=["hide-input"]
hits = {name: fit.index[fit.index.str.startswith("dataset[") & (fit["p"] < stress.ALPHA)].str[8:-1].tolist() for name, fit in against.items()}
vb.note(joint=joint, larger=stress_words.with_large_reference(hits["26 rows"], hits["one row"], [*differs.index[differs], "renamed"]), power=stress_words.power(len(set(hits["one row"]) & {*differs.index[differs], "renamed"}), int(differs.sum()) + 1), whole=stress_words.as_a_whole(joint["dataset"], joint["architecture"], stress.ALPHA))

# %% [markdown]
# {glue:text}`whole` (For data families, p is {glue:text}`joint.dataset:.3f`; for architectures, {glue:text}`joint.architecture:.2f`.)
#
# :::{dropdown} Which networks are in this set
# All networks that we trained for it. {glue:text}`rejected` The limit is on the *mean* over several kinds of words. So a network can pass although it no longer connects words of pleasantness with the right pictures, within a group. `planted-028` is such a network, and a limit that was set later would reject it. How many others are like it cannot be seen from the table.
# :::
#
# ## What this method can see
#
# ### How much hangs on one network?
#
# (stress-reference)=
# In the paper, the reference is one model, and nobody can train another. We can. Two more networks of the reference family, trained in the same way from other random starts, take its place in turn:

# %%
reference = stress.references(planted, extra).rename(
    columns={"rows": "26 rows", "cases": "one row", "median": "median coefficient"}
)
reference[["model", "26 rows", "one row", "median coefficient"]].round(2)

# %% tags=["hide-input"]
apart = float(np.ptp(reference["median coefficient"]))
vb.note(seeds=len(reference), apart=apart, errors=apart / reference["se"].mean(), by_seed=stress_words.by_seed(reference["26 rows"]))

# %% [markdown]
# (*26 rows* and *one row* count significant families; the coefficients are those of the published regression.)
#
# {glue:text}`by_seed`
#
# All coefficients move together, by up to {glue:text}`apart:.2f`. That is {glue:text}`errors:.1f` times the standard error that the published regression gives them. A table of results cannot show
# how much of a comparison is due to the reference's data, and how much to how this one network turned out.
#
# (stress-planted)=
# ### Do the networks show what the captions say?
#
# One may ask whether the networks learned the differences at all. For each family, we compare what its captions say with what its networks show, as a difference from *{glue:text}`base`*. Both are in log-odds. (The effect size $d$ is this difference divided by
# a standard deviation.)

# %%
recovered = stress.recovered(models, truth, largest, n_resamples=n_resamples, seed=seed)
recovered["category"] = recovered["category"].replace({"race": "hue", "gender": "crest"})
several = recovered[recovered["models"] > 2]
several[["dataset", "category", "planted", "shown"]].round(2).head(3)

# %% tags=["hide-input"]
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
    alt="Differences of data families from the largest one, in gaps of pleasantness: shown against planted. " + "; ".join(
        f"{row['dataset']}, {row['category']}: planted {row['planted']:.2f}, shown {row['shown']:.2f}" for row in several.to_dict("records")) + ".",
    caption=f"Each point is a family against “{largest}”; families of three networks or more. Lines: 95 %, networks resampled. Diagonal: what is planted.",
    source="greenhouse",
)
human = recovered.groupby("dataset")["planted"].mean()
alike = pd.concat({"all families": stress.outcomes(fleet, human, largest), "without the filtered family": stress.outcomes(fleet, human, largest, without=[FILTERED])})
ends = alike.xs("all families").set_axis(["gap", "d"])
every, without = lines.to_dict("records")
vb.note(inside=words.among(int(inside.sum()), len(several)), line=every, without=without, of_gap=ends.loc["gap"], of_d=ends.loc["d"], n_families=int(ends.loc["d", "families"]),
        holds_one=words.side(without["slope_low"], without["slope_high"], of=1.0, above="more than what is planted", below="less than what is planted", neither="about what is planted"),
        overlap=words.verb(ends.loc["d", "high"], above=ends.loc["gap", "low"], then="The intervals overlap, because the families are few.", else_="The intervals do not overlap."))
tables.readable(lines[["families", "points", "slope", "slope_low", "slope_high", "r"]]).format(lambda n: f"{n:.0f}", subset=["families", "points"])

# %% [markdown]
# Apart from one family, the networks show {glue:text}`holds_one`: for one unit in the captions, they show {glue:text}`without.slope:.2f`. The exception is *curated*, whose networks show more than its captions say. With it, the number is
# {glue:text}`line.slope:.2f`. So filtering by a biased network does more than a count of the captions can tell. Why, we did not test.
#
# The paper concludes that filtering by a network goes with more bias. In our networks, it does, too.
#
# :::{dropdown} In units of d
# Does $d$ show these differences as well as the log-odds do? Over {glue:text}`n_families` families and all 26 tests, the coefficients of the log-odds correlate by {glue:text}`of_gap.r:.2f` with what was planted, and those of $d$ by
# {glue:text}`of_d.r:.2f`. {glue:text}`overlap`
# :::
#
# (stress-means)=
# ## What this means
#
# **For the paper.** The published regression can find families that do nothing, and miss families that do something. The first happens because it counts every network 26 times; the second because
# everything is compared with one network. This is true of our small networks. Whether it matters for the {claim}`effect_sizes.models` CLIP models depends on how much the results of a model have in common, which the authors' public table can show.
# Our results do not say that the finding is wrong.
#
# **For your own work.** Keep a null: assign the labels to whole models at random, many times, and repeat your analysis. It costs seconds, and tells you how often you would find something where there is nothing. Give a
# model one row, or an effect of its own. Test a factor as a whole, and choose a reference that has many models.

# %% [markdown]
# ## Where paper and code differ
#
# From the audit of the authors' repository.
#
# | | the paper says | the code does | we |
# |---|---|---|---|
# | reference (G2) | CC12M, "because we hypothesized" low bias | the first family in the alphabet | take the first, other networks of it, and the largest family |
# | unit of analysis (G2) | 131 models | 26 rows for each, as independent | compare it with one row for each |
# | mode (G1) | not mentioned | models are measured in the mode that is meant for training | use the other one; [a chapter on it](train_mode.ipynb) |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/stress -p n_assignments 2000
# .venv/bin/vlmbias fleet
# ```
# The second trains the networks that this page reads, if you change `data/greenhouse/fleet.yaml`.
# :::
#
# ## Take-aways
#
# - All results of one model are one observation of its training. Give it one row, or an effect of its own.
# - Keep a null: the same analysis, with labels assigned to whole models at random.
# - A reference with one model compares everything with one training run.
# - A small correlation between the results of a model is enough, if there are many results.
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
# Two groups of equal size. The gap grows without end while the spread within groups stays. What does d tend to?
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
# 1. A data family has one model in open_clip, and nobody can train another. What may be said of it?
# 2. Would you rather have 131 models of ten families, or ten models of one recipe?
