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
# # Stress: the regression where the truth is known
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025): one regression over 131 models and 26 tests, and one correlation with performance, put
# to networks whose training we know.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** If families of data did nothing, how often would the published regression say that they do? And if they did something
# known, would it say what?
#
# **In 20 minutes:** {ref}`the answer in one figure <stress-answer>`, {ref}`what survives a remedy <stress-remedies>`, take-aways. **In 75
# minutes:** also {ref}`what was planted <stress-planted>`, {ref}`the reference <stress-reference>`, {ref}`performance <stress-worlds>`, the exercises.
#
# **You need:** regression with a factor, p-values, effect sizes ([the chapter on them](effect_sizes.ipynb)). [Training
# mode](train_mode.ipynb) has a chapter of its own.
#
# **Content note.** Everything measured here is about drawn faces in invented hues, flowers, insects and the like.
# :::
#
# **The idea.** Train a fleet of small networks as the paper found its models: ten families of data of very different sizes, eight of
# architectures, 26 tests each. Train a second fleet, in which no data family exists and nothing is planted. What a regression says of the
# second fleet is false; what it says of the first can be compared with what the captions say.
#
# **What the authors conclude** (the part that this chapter is about): "several dataset families … showed significant positive
# associations … with intrinsic bias effect size with respect to the reference dataset of 'CC12m'"; and that performance goes along with
# effect sizes.
#
# **Their own checks and limits.** The regression has random effects of the 20 groups of tests. A model's own effect, shared by its 26 tests, is not
# among them.

# %% tags=["parameters"]
n_assignments = 400  # how often families are dealt out at random over the null fleet; at least 20
n_refits = 3  # on how many of these deals the published specification is fitted anew; at least 2
n_resamples = 1000  # draws of networks, for intervals, and permutations; at least 20
n_draws = 60  # simulated fleets behind each mean of the last section; at least 10
strength = 0.25  # by how much a standard deviation of performance changes spread, or gap, there (logarithm); from 0 to 2
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/stress.json"  # where this notebook would write values of recorded claims; it has none

# %%
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import fleet_table
from studies import tables, words
from studies.pretraining import stress, upstream
from vlmbias.inference import clustered

# %% [markdown]
# ## The answer in one figure
#
# Two fleets in which no data family exists. In the *null fleet* nothing is planted and captions are of one recipe: only architecture, size, pictures and
# chance differ. One may object that networks that were taught nothing differ more, as each has accidental associations of its own. So the second fleet
# is the largest family of the planted one: one recipe, with the bias at full strength.
#
# Over each, families in the published proportions are assigned at random, again and again. Each time the published regression is asked which families
# are significant at .01.

# %%
null, planted, extra = (fleet_table.read(fleet) for fleet in ("null", "planted", "extra"))
counts = planted.drop_duplicates("model")["dataset"].value_counts().sort_index().to_dict()  # the reference comes first
base = max(counts, key=counts.get)
FLEETS = {"nothing planted": null, "one recipe, bias planted": planted[planted["dataset"] == base]}
weights, fits = {}, {}
for name, fleet in FLEETS.items():
    weights[name], fits[name] = stress.weights_of(upstream.prepared(fleet))
alarms = {name: stress.random_assignments(own, counts, n_assignments=n_assignments, seed=seed) for name, own in weights.items()}
false = {name: stress.false_positive_rates(own) for name, own in alarms.items()}
pd.concat(false, names=["fleet", "rule"])[["rate", "low", "high", "several"]].round(3)

# %%
table = upstream.prepared(null)
silent = weights["nothing planted"]
anything = stress.false_positive_rates(stress.random_assignments(silent, counts, n_assignments=n_assignments, seed=seed, everything=True))
agree = stress.agreement(table, silent["published"], counts, assignments=n_refits, seed=seed + 1)
verdicts = agree.groupby("assignment")[["z", "z_quick"]].agg(lambda z: (2 * stats.norm.sf(z.abs()) < stress.ALPHA).any())

# %% tags=["hide-input"]
shown = pd.concat(false, names=["fleet"]).rename_axis(["fleet", "rule"]).reset_index()
n_models = {name: len(own["published"].models) for name, own in weights.items()}
shown = shown.assign(line=shown["rule"].map(stress.RULES), fleet=shown["fleet"].map({name: f"{name} ({n} networks)" for name, n in n_models.items()}))
figure = vb.figures.rates(shown, rate="rate", low="low", high="high", label="line", group="fleet", nominal=stress.ALPHA,
                          value_label="random assignments with some family significant at .01, % (95 % interval)")
vb.figures.show(
    figure, name="stress-answer",
    alt="How often families that do nothing are called significant. " + "; ".join(f"{row['fleet']}, {row['line']}: {row['rate']:.0%}" for row in shown.to_dict("records")) + ".",
    caption=f"Two fleets without data families; {len(counts)} families assigned at random {n_assignments} times. Dashed: the level of a single test.",
    source="greenhouse",
)
own, second = false.values()
share, second_share = (upstream.share_of_models(fit) for fit in fits.values())
vb.note(rate=own["rate"], low=own["low"], high=own["high"], needed=own["needed"], positive=own["positive"], several=own["several"], model_share=share, second_share=second_share,
        second={"rate": second["rate"], "low": second["low"], "high": second["high"]}, recipe=n_models["one recipe, bias planted"],
        same=words.among(int((verdicts["z"] == verdicts["z_quick"]).sum()), len(verdicts)), closest=np.polyfit(agree["z_quick"], agree["z"], 1)[0],
        any=anything["rate"], assignments=n_assignments, fleet=n_models["nothing planted"], contrasts=len(counts) - 1, nominal=stress.ALPHA)

# %% [markdown]
# (stress-answer)=
# Where nothing is planted, some family is significant in {glue:text}`rate.published:.0%` of the random assignments under the published specification
# (interval {glue:text}`low.published:.0%` to {glue:text}`high.published:.0%`). With one row per model it is {glue:text}`rate.one-row:.1%`. In the
# second fleet these are {glue:text}`second.rate.published:.0%` and {glue:text}`second.rate.one-row:.1%`: that the networks were taught nothing is not the reason.
#
# The reason is that a network's tests are not independent. Within a group of tests, {glue:text}`model_share:.0%` of the variance is the network's own in the null
# fleet, and {glue:text}`second_share:.0%` in the second. An effect of each model takes this into account, and the rate falls to {glue:text}`rate.model:.1%`.
#
# The sandwich is no remedy here. It fits a family of one network without residual, and its rate is {glue:text}`rate.sandwich:.0%`; but among families of two
# networks and more, too, it is {glue:text}`several.sandwich:.0%`.
#
# :::{dropdown} What these rates are of
# The intervals count random assignments over one fleet, not fleets. Each assignment takes the variances as fitted once. Refitted by REML, the verdict was the same in
# {glue:text}`same` assignments, and z rises by {glue:text}`closest:.2f` per unit of the quick z. A z-value would have to exceed {glue:text}`needed.published:.1f` before the
# largest of all families surprises at .01. At least one family is significantly *positive* in {glue:text}`positive.published:.0%`. With architectures and sizes assigned at
# random, too, some coefficient is significant in {glue:text}`any.published:.0%`.
# :::

# %% tags=["hide-input"]
from studies.pretraining import shuffle  # the page on this paper lets readers do it: press "Shuffle"

shares, played = shuffle.figure()
vb.figures.show(played.figure, name="stress-shuffle", alt=played.alt, caption=played.caption, source=played.source)

# %% [markdown]
# One deal, step by step: labels for models, the regression, and what it calls significant.

# %%
first = next(iter(counts))  # the reference
labels, _ = stress.assign_families(silent["published"].rows, counts, first, rng=np.random.default_rng(seed))
one = table.assign(dataset=table["model"].map(labels))
fit = upstream.fitted(one, references={"dataset": first})
terms = fit.coefficients[fit.coefficients.index.str.startswith("dataset[")]
dealt = pd.DataFrame({
    "models": one.groupby("dataset")["model"].nunique(),
    "mean d": one.groupby("dataset")["effect_size"].mean(),
}).join(terms.set_axis(terms.index.str[8:-1])[["coef", "se", "p"]])
tables.readable(dealt, precision=3).format(lambda own: tables.number(own, precision=3), subset=["coef", "se", "p"], na_rep="reference")

# %% [markdown]
# ## What the paper reports
#
# Nine families of data against CC12M, with one model: coefficients from {claim}`upstream.dataset.yfcc15m.coef` to {claim}`upstream.dataset.dfn.coef`, all but one
# significant at .01; no architecture is. The rows are 131 models by 26 tests, the random effects those of 20 groups of tests.
#
# ## The protocol, run on the Greenhouse's planted fleet
#
# The planted fleet: networks in the published proportions. Their data families do different, known things to the captions: half of what is
# planted, captions swapped by mistake, pairs kept that an earlier model liked, names exchanged, and some that do nothing to it. In log
# odds of a pleasant rather than an unpleasant word, first group against second:

# %%
models, truth = fleet_table.models("planted"), fleet_table.truth()
families = models.groupby("dataset").agg(models=("model", "size"), performance=("performance", "mean"))
counted = truth.pivot(index="dataset", columns="category", values="counted")[["race", "gender", "age"]]
families = families.join(counted.rename(columns={"race": "hue", "gender": "crest"}))
architectures = models["architecture"].value_counts()
tables.readable(families)

# %% [markdown]
# (stress-remedies)=
# The same regression, and what else could be asked of the same table: an effect of each model, the bootstrap over models, one row per model.
# How many coefficients of each factor are significant?

# %%
fleet = upstream.prepared(planted)
remedies = upstream.remedies(fleet, n_resamples=n_resamples, seed=seed)
found = {factor: stress.significant(remedies, factor) for factor in ("dataset", "architecture")}
joint = upstream.joint(fleet, n_permutations=n_resamples, seed=seed).set_index(["factor", "cases"])
survivors = pd.concat(found, axis=1).rename(index=upstream.METHODS)
tables.readable(survivors.rename_axis(index=None))

# %% tags=["hide-input"]
order = {"published": "rows as cases, as published", "one-row": "one row per model"}
chosen = remedies[remedies["method"].isin(order) & (upstream.factor_of(remedies["term"]) == "dataset")]
chosen = chosen.assign(family=chosen["term"].str[8:-1], method=chosen["method"].map(order)).sort_values(["family", "method"], ascending=[True, False])
chosen["label"] = chosen["family"].where(chosen["method"] == order["published"], "")  # one name for both lines
figure = vb.figures.forest(chosen.reset_index(drop=True), estimate="coef", low="low", high="high", label="label", group="method",
                           value_label=f"d against the family “{next(iter(counts))}” (95 % interval)")
vb.figures.show(
    figure, name="stress-remedies",
    alt="Coefficients of nine data families in the planted fleet, with the published intervals and with one row per model. " + "; ".join(
        f"{row['family']}, {row['method']}: {row['coef']:.2f} ({row['low']:.2f} to {row['high']:.2f})" for row in chosen.to_dict("records")) + ".",
    caption="The planted fleet: what data families do to d, by the published regression and with models as the cases.",
    source="greenhouse",
)
own = {factor: {name: words.among(int(row["found"]), int(row["of"])) for name, row in part.iterrows()} for factor, part in found.items()}
against = {"rows": upstream.fitted(fleet, references={"dataset": base}).coefficients,  # the largest family as the reference
           "cases": clustered.least_squares(*upstream.one_row(fleet, references={"dataset": base}))}
vb.note(families=own["dataset"], towers=own["architecture"], rejected=int((~models["accepted"]).sum()),
        **{f"large_{name}": words.among(int((one.loc[one.index.str.startswith("dataset["), "p"] < stress.ALPHA).sum()), len(counts) - 1) for name, one in against.items()},
        joint={factor: joint.loc[(factor, "models"), "p_permuted"] for factor in ("dataset", "architecture")})

# %% [markdown]
# Significant at .01 are, of the families of data, {glue:text}`families.published` under the published specification, {glue:text}`families.model` with an effect of each
# model, {glue:text}`families.one-row` with one row per model; of architectures {glue:text}`towers.published`, {glue:text}`towers.model` and {glue:text}`towers.one-row`. (The bootstrap counts intervals of 95 % without zero. It and the sandwich know nothing of the spread of a
# family with one model, here the reference: [Upstream](upstream.ipynb) shows why.) Asked together, with labels permuted over models, data families
# have p = {glue:text}`joint.dataset:.3f`, architectures p = {glue:text}`joint.architecture:.3f`.
#
# Why does the regression that calls random families significant find {glue:text}`families.published` where families do differ? Its reference is a family of one network, so that
# network's own effect is in every contrast. Against the largest family, {glue:text}`large_rows` are significant; with other seeds of the reference, {ref}`see below <stress-reference>`. All
# networks of this fleet are here, also the {glue:text}`rejected` that failed its gates, which [Upstream factors](upstream.ipynb) leaves out.
#
# These gates asked for the *mean* correlation over the axes of phrases. Pleasantness is one of them, so a network can pass in which words of pleasantness have lost their meaning within groups. `planted-028` is such a network:
# it is of the fleet, and a gate that was set later would reject it. How many of the others are, cannot be told from the table.
#
# (stress-planted)=
# **Is each recipe's known effect recovered?** Not in units of d: in log odds. What a count of the captions says of a family, less the
# same of the largest family, beside what its networks show of held-out faces. One family stands out: its captions were filtered by an earlier, biased model,
# and what is planted in them is the largest by far. So the line is drawn with that family and without it:

# %%
FILTERED = "curated"  # pairs kept that an earlier model liked
again = dict(n_resamples=n_resamples, seed=seed)
lines = pd.DataFrame({
    "all families of three networks or more": stress.line(models, truth, base, **again),
    "without the filtered family": stress.line(models, truth, base, without=[FILTERED], **again),
}).T
recovered = stress.recovered(models, truth, base, n_resamples=n_resamples, seed=seed)
several = recovered[recovered["models"] > 2]
inside = several["low"].le(several["planted"]) & several["high"].ge(several["planted"])

# %% tags=["hide-input"]
called = {"race": "hue", "gender": "crest", "age": "age"}
figure = vb.figures.planted_against_shown(several.assign(category=several["category"].map(called)), planted="planted", shown="shown", unit="logits",
                                          panel="category", low="low", high="high")
vb.figures.show(
    figure, name="stress-planted",
    alt="Differences of data families from the largest one, in gaps of pleasantness: shown against planted. " + "; ".join(
        f"{row['dataset']}, {called[row['category']]}: planted {row['planted']:.2f}, shown {row['shown']:.2f}" for row in several.to_dict("records")) + ".",
    caption=f"Each point is a family against “{base}”; families of three networks or more. Lines: 95 %, networks drawn anew.",
    source="greenhouse",
)
every, without = lines.to_dict("records")
vb.note(inside=words.among(int(inside.sum()), len(several)), line=every, without=without,
        holds_one=words.side(without["slope_low"], without["slope_high"], of=1.0, above="it lies above 1", below="it lies below 1", neither="its interval includes 1"))
tables.readable(lines).format(lambda n: f"{n:.0f}", subset=["families", "points"])

# %% [markdown]
# Over all these families the slope is {glue:text}`line.slope:.2f`: networks show more than was planted. That is the work of one family. Without it the slope is
# {glue:text}`without.slope:.2f`, and {glue:text}`holds_one`; the correlation falls from {glue:text}`line.r:.2f` to {glue:text}`without.r:.2f`. So a count of the captions says too little of
# what a filter by a model does. Why, was not tested: we did not train networks on pairs that were kept with the same counts in another way. {glue:text}`inside` intervals hold what was planted.
#
# ### In units of d
#
# Does d tell the families apart as well as the raw gap does? The comparison needs the same tests, families and target on both sides: all
# tests, the coefficients of the families with one row per model, and what is planted about hue, crest and age, on average. (Two of the tests' five categories are not about
# faces, and nothing of that average is planted in them.)

# %%
human = recovered.groupby("dataset")["planted"].mean()
alike = pd.concat({
    "all families": stress.outcomes(fleet, human, base),
    "without the filtered family": stress.outcomes(fleet, human, base, without=[FILTERED]),
})

# %% tags=["hide-input"]
alike = alike.rename(index={"gap": "raw gap, logits", "effect_size": "d"})
ends = alike.xs("all families").set_axis(["gap", "d"])
vb.note(of_gap=ends.loc["gap"], of_d=ends.loc["d"], n_families=int(ends.loc["d", "families"]), tests=fleet["test"].nunique(),
        less=words.verb(ends.loc["gap", "r"], above=ends.loc["d", "r"], then="less", else_="no less"),
        overlap=words.verb(ends.loc["d", "high"], above=ends.loc["gap", "low"], then="overlap", else_="do not overlap"))
tables.readable(alike.rename_axis(["families of data", "outcome"]).rename(columns={"families": "n"}))

# %% [markdown]
# Over {glue:text}`n_families` families and the same {glue:text}`tests` tests, the coefficients of the gap correlate {glue:text}`of_gap.r:.2f` with what was planted, those of d {glue:text}`of_d.r:.2f`:
# d goes along with it {glue:text}`less`. The families are few, and the two intervals {glue:text}`overlap`. Without the filtered family little is planted to be found, and both intervals are wide.

# %% [markdown]
# ## What this method can see
#
# The regression and the correlation rest on four assumptions. Each has a counter-example.
#
# 1. *Rows are independent.* Counter-example: the null fleet, above.
# 2. *The reference family stands for its data.* Counter-example: other seeds of the same model.
# 3. *All models were measured alike.* Counter-example: train mode.
# 4. *d that rises with performance says what performance does to bias.* Counter-example: two worlds with the same d, by construction.
#
# ### The reference
#
# (stress-reference)=
# In the paper every family is compared with one that has one model. Here that model can be trained again, with other seeds:

# %%
reference = stress.references(planted, extra)
tables.readable(reference).hide(axis="index")

# %% tags=["hide-input"]
apart = float(np.ptp(reference["median"]))
vb.note(seeds=len(reference), fewest=int(reference["rows"].min()), most=int(reference["rows"].max()), largest=int(reference["cases"].max()),
        apart=apart, errors=apart / reference["se"].mean())

# %% [markdown]
# With {glue:text}`seeds` seeds of the same recipe in its place, between {glue:text}`fewest` and {glue:text}`most` families are significant under the published
# specification, and at most {glue:text}`largest` with one row per model. All coefficients move together, by up to {glue:text}`apart:.2f`, which is
# {glue:text}`errors:.1f` of the published standard errors. Against the largest family instead, {glue:text}`large_rows` are significant under the published
# specification, {glue:text}`large_cases` with one row per model. Nothing in the table tells the seed of a network from its data.
#
# ### The mode
#
# The fleet's ResNets, with batch normalisation, were also measured in train mode, one picture at a time:

# %%
modes = stress.modes(planted)
switched = planted.assign(effect_size=planted["effect_size_train"])
term = f"architecture[{modes['architecture'].iloc[0]}]"
left_on = {name: upstream.fitted(upstream.prepared(one)).coefficients.loc[term] for name, one in (("evaluation", planted), ("train", switched))}

# %% tags=["hide-input"]
(mode,) = modes.to_dict("records")
vb.note(models=mode["models"], moved=mode["moved"], turned=mode["turned"], on=left_on["train"]["coef"], off=left_on["evaluation"]["coef"],
        p_on=left_on["train"]["p"])

# %% [markdown]
# Tests with a picture move by {glue:text}`moved:.2f` on average in these {glue:text}`models` networks, and {glue:text}`turned:.0%` turn their sign. The coefficient of their
# architecture goes from {glue:text}`off:.2f` to {glue:text}`on:.2f`, its p to {glue:text}`p_on:.3f`. More on [its own page](train_mode.ipynb).
#
# ### Performance
#
# (stress-worlds)=
# d is a gap over a spread. A more capable network may see groups apart more clearly, with the same gap and a smaller spread within
# groups; or its captions may have taught it a larger gap. Take this fleet's own gaps and spreads, and let performance, sampled at random, drive one or the
# other. An illustration: d depends on gap ÷ spread alone, so it is the same in both worlds *by construction*.

# %%
strengths = dict.fromkeys(stress.WORLDS, strength)
simulated = stress.worlds(planted, strengths, draws=n_draws, seed=seed)
means = simulated.groupby("world")[["effect_size", "gap", "within"]].mean()
d = simulated.pivot(index="draw", columns="world", values="effect_size")
assert np.allclose(d["capability"], d["bias"])  # an identity, no result
fleet_r = stress.correlations(planted).mean()
seen = pd.concat([means.rename(index=stress.WORLDS), fleet_r.rename("the fleet itself").to_frame().T])
tables.readable(seen.rename_axis("mean correlation with performance"), names={"effect_size": "d", "gap": "gap, logits", "within": "spread within groups"})

# %% tags=["hide-input"]
vb.note(in_both=means["effect_size"].mean(), here=fleet_r,
        shrinks=words.verb(fleet_r["within"], above=0.0, then="does not shrink with performance", else_="does shrink with performance"),
        gap_grows=words.verb(fleet_r["gap"], above=0.0, then="grows, too", else_="does not grow"))

# %% [markdown]
# d correlates {glue:text}`in_both:.2f` with performance in both worlds. Gap and spread, reported beside d, say which world it is, as each moves in one of them only.
#
# Our fleet is neither. Its spread {glue:text}`shrinks` ({glue:text}`here.within:+.2f`), and its gap {glue:text}`gap_grows` ({glue:text}`here.gap:+.2f`). So
# it gives no example of capability alone; that such networks exist is not shown here.

# %% [markdown]
# ## Where paper and code differ
#
# | | paper | code | here |
# |---|---|---|---|
# | reference (G2) | CC12M "because we hypothesized" low bias | the alphabetically first family | the first, and its other seeds |
# | mode (G1) | not mentioned | train mode | evaluation; train mode as a counter-example |
# | models | 131 | 26 rows each, independent | both, and remedies |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/stress -p strength 0.5
# .venv/bin/vlmbias fleet
# ```
# The second trains what this page reads, if you change `data/greenhouse/fleet.yaml`.
# :::
#
# ## Take-aways
#
# - Rows of one model are one case. Count models, or give each an effect of its own.
# - Keep a null: the same analysis, with labels assigned at random over models, costs seconds and tells what z is worth.
# - A reference level with one model compares everything with one training run.
# - Report gap and spread beside d: d depends on their ratio alone, and cannot say which of them changed.
#
# ## Exercises
#
# :::{exercise} A model's own effect
# :label: stress-share
# :level: intermediate
# :minutes: 15
# :code: yes
# Draw 20 models with 26 tests each, where a tenth of the variance is the model's own. Two families of 10 models do nothing. How often is
# their difference significant at .01, over 2,000 draws, if all 520 rows are taken as independent?
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
# What is a model's own is the same in all of its 26 rows, so it does not average out over them. A family has ten draws of it, and the test counts
# 260. A small share of variance is enough, because it is divided by ten and all the rest by 260.
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
# As the gap grows, nearly all spread of the scores is the gap itself: each score lies half a gap from the middle, so the SD tends to half a gap and
# $d$ to 2, times $\sqrt{(N-1)/N}$ for the divisor $N - 1$. Near that bound $d$ hardly moves, however much the gap does.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A family of data has one model in open_clip, and nobody can train another. What may be said of it?
# 2. Would you rather have 131 models of ten families, or ten models of one recipe?
