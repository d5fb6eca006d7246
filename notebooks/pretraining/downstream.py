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
# # Effect sizes and performance
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figure 4: do models with larger effect sizes perform better?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Over 131 models, effect sizes and performance correlate. How many of the twenty correlations remain when models, not rows,
# are the cases, and what do they mean when size and data decide performance?
#
# **In 20 minutes:** {ref}`the answer in one figure <downstream-answer>`, {ref}`the printed correlations <downstream-printed>`,
# {ref}`what predicts performance <downstream-explained>` (real results), take-aways. **In 75 minutes:** also the protocol, what partial
# correlations can see, the exercises.
#
# **You need:** correlations, their p-values, the bootstrap. Primer: [The target of a claim](../../book/primers/targets.md). First read
# [Effect sizes across models](effect_sizes.ipynb).
#
# **Content note.** Categories named here, such as race and gender, are those of the paper's tests. No stimulus is shown.
# :::
#
# **The idea.** If training that makes a model better also makes its associations stronger, then over many models the effect size $d$ of
# an association test and performance should go together. Performance is VTAB+, a mean over
# {claim}`downstream.tasks` zero-shot tasks {cite:p}`schuhmann2022`.
#
# **What the authors conclude.** "Intrinsic bias is often significantly correlated with downstream performance ($0.3 \leq r \leq
# 0.8$), suggesting that models optimized for performance inadvertently learn to amplify representational biases"; "higher intrinsic bias
# levels correlate with increased performance in downstream tasks across unimodal and crossmodal settings".
#
# **Their own checks and limits.** Non-human categories are shown beside the social ones. "Further empirical studies are needed … to provide a
# more robust statistical basis for our observations."

# %% tags=["parameters"]
given = ["log_params", "log_dataset_size"]  # what is held constant in the second section; one of: log_params, log_dataset_size, architecture, dataset
n_resamples = 1_000  # bootstrap resamples of data families, or of models, behind each interval; at least 20
draws = 400  # simulated cells behind each rate of false alarms; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/downstream.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import fleet_table
from studies import tables, words
from studies.pretraining import downstream, effect_sizes, twin
from studies.pretraining.effect_sizes import CATEGORIES, NOT_HUMAN, ORDERS
from vlmbias.external import study_table
from vlmbias.external import facts, zero_shot

vb.figures.style()
printed = downstream.printed(vb.ledger.load("pretraining"))
CELLS = pd.MultiIndex.from_product([ORDERS, CATEGORIES]).swaplevel()

# %% [markdown]
# ## The answer in one figure
#
# Take as many models of as many families as in the paper, and let $d$ and performance have *nothing to do with each other*. Both differ between
# models, and models of one data family may have something in common. How often is the correlation significant at .05?

# %%
family = twin.models()["dataset"]
SHARED = (0.0, 0.3, 0.6)  # of the variance of d, and of performance, between models
rates = pd.DataFrame([
    {"shared": shared, **downstream.false_positive_rate(family, shared=shared, n_tests=3, draws=draws, seed=seed)}
    for shared in SHARED
])
rates = rates.melt("shared", var_name="cases", value_name="rate")

# %% tags=["hide-input"]
exact = [stats.binomtest(round(one * draws), draws).proportion_ci() for one in rates["rate"]]
called = {"rows": "rows (three tests a model)", "models": "models", "families": "models, bootstrap of families"}
drawn = rates.assign(low=[one.low for one in exact], high=[one.high for one in exact], group=rates["cases"].map(called),
                     line=rates["shared"].map("families share {:.0%}\nof the variance".format))
at = rates.set_index(["cases", "shared"])["rate"]
vb.figures.show(
    vb.figures.rates(drawn, rate="rate", low="low", high="high", label="line", group="group", nominal=0.05,
                     value_label="% of cells with a significant r, nothing to find; exact 95 % intervals"),
    name="downstream-answer",
    alt="How often a correlation is significant where there is none. " + "; ".join(
        f"{called[case]}: " + ", ".join(f"{at[case, share]:.0%}" for share in SHARED) for case in called) + " as families share more.",
    caption="Nothing to find: share of simulated cells with a significant correlation, by what counts as a case. Dashed: 5 %.",
    source="simulated",
)
vb.note(models=len(family), families=family.nunique(), largest=int(family.value_counts().iloc[0]), rate={f"{case}{10 * share:.0f}": at[case, share] for case, share in at.index})

# %% [markdown]
# The paper pools the tests of a cell: {glue:text}`models` models give up to three rows each. Rows as cases find something in
# {glue:text}`rate.rows0:.0%` of empty cells, models in {glue:text}`rate.models0:.0%`. Where families share most of what
# differs, models are no independent cases either: {glue:text}`rate.models6:.0%`. There are {glue:text}`families` families, the largest with
# {glue:text}`largest` models. Drawing *families* anew gives {glue:text}`rate.families6:.0%`; where they share nothing, ten unequal families are few
# for a bootstrap ({glue:text}`rate.families0:.0%`).

# %% [markdown]
# ## What the paper reports

# %%
alone = downstream.corrected(printed).loc[CELLS]
lost = alone[alone["starred"] & (alone["p_holm"] >= 0.05)]
vb.ledger.show(vb.ledger.table("pretraining/downstream"))

# %% tags=["hide-input"]
line = [f"{CATEGORIES[category]}, {ORDERS[order]}" for category, order in alone.index]
group = np.where(~alone["starred"], "no asterisk", np.where(alone["p_holm"] < 0.05, "asterisk, also after Holm", "asterisk, not after Holm"))
vb.figures.show(
    vb.figures.forest(alone.assign(line=line, group=group), estimate="r", low="low", high="high", label="line", group="group",
                      value_label="r of d and VTAB+; 95 % interval for 131 models"),
    name="downstream-printed",
    alt=f"Twenty printed correlations from {alone['r'].min():.2f} to {alone['r'].max():.2f}. {alone['starred'].sum()} have an asterisk, "
    f"{(alone['starred'] & (alone['r'] < 0)).sum()} of them below zero.",
    caption="The printed correlations with Fisher intervals for 131 independent models.",
    source="paper:pretraining, Figure 4",
)
star = alone["starred"]
names = [f"{CATEGORIES[category]} in {ORDERS[order]}" for category, order in alone.index[star & (alone["r"] < 0)]]
human = alone[~alone.index.get_level_values("category").isin(NOT_HUMAN) & star]
vb.note(star=int(star.sum()), negative=words.listed(names), n_negative=len(names), lost=words.listed(f"{CATEGORIES[c]} in {ORDERS[o]}" for c, o in lost.index),
        human={"of": len(human), "positive": words.among(int((human["r"] > 0).sum()), len(human))})

# %% [markdown]
# Of {glue:text}`star` asterisks, {glue:text}`n_negative` stand over negative bars: {glue:text}`negative`. The text names two of these, and its range
# "$0.3 \leq r \leq 0.8$" none. Of the social categories' bars with an asterisk, {glue:text}`human.positive` is positive. "Higher intrinsic bias …
# correlate[s] with increased performance" is thus about flowers, insects, instruments and weapons, the tests that a capable model should
# pass. Holm's correction over the twenty cells takes the asterisk from {glue:text}`lost`.
#
# Do the asterisks fit the printed $r$, and the text the figure?

# %%
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/downstream") & (checks["rule"] != "")]
asterisks = checks[checks["rule"] == "r_p"]
held_up = {
    "asterisks": words.among(int((asterisks["verdict"] == "consistent").sum()), len(asterisks)),
    "all": words.among(int((checks["verdict"] == "consistent").sum()), len(checks)),
}
but = checks.loc[checks["verdict"] != "consistent", "claim"]
vb.note(held_up=held_up, but=words.listed(but.str.removeprefix("downstream.")))

# %% [markdown]
# Given the number of rows, {glue:text}`held_up.asterisks` fit a two-sided test without correction. Of the checks in the table {glue:text}`held_up.all` hold
# without exception; the others: {glue:text}`but`.
#
# The caption says "effect size magnitude"; the code correlates $d$ *with its sign*. For Age over images the mean $d$ is negative
# ({claim}`effect_sizes.new.age.all-image.mean`): a negative $r$ may there mean a *larger* amount. The aggregates
# {claim}`downstream.aggregate.flower-insect` and {claim}`downstream.aggregate.instrument-weapon` are within rounding the means
# of four bars; the notebooks compute none.

# %% [markdown]
# ## The protocol, run on {data}
#
# The released table holds the real values. Where it is not at hand, a **simulated twin** stands in its place: its models, counts, families, means,
# deviations and printed correlations are the paper's by construction, everything else is drawn. What it gives beyond them shows how the analysis works,
# and says nothing about CLIP.

# %%
table = twin.generate(effect_sizes.cells(vb.ledger.load("pretraining")), printed["r"].to_dict(), seed=seed)

# %% tags=["needs-clip-bias-results"]
if vb.sources.at_hand("clip-bias-results"):
    table = study_table.released()

# %%
rows = downstream.over_rows(table).loc[CELLS]
bootstrap = {"n_resamples": n_resamples, "seed": seed}  # of data families
models = downstream.over_models(table, **bootstrap).loc[CELLS]
held = downstream.over_models(table, given=given, **bootstrap).loc[CELLS]
tables.readable(downstream.surviving(rows, models, held)).hide(axis="index")

# %% tags=["hide-input"]
behind = study_table.behind(table)
source = "simulated" if behind["model"] == study_table.SIMULATED else f"real:{study_table.KEY}"
fig, axes = vb.figures.panels(2, 2, height=6.2, share_x=True, share_y=True)
LOOKS = {"as it is": (models, 0.13, "#222222"), "size and data held constant": (held, -0.13, "white")}
for (order, title), axis in zip(ORDERS.items(), axes.flat, strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    for label, (found, aside, fill) in LOOKS.items():
        own, place = found.xs(order, level=1).loc[list(CATEGORIES)], aside - np.arange(len(CATEGORIES))
        axis.hlines(place, own["low"], own["high"], color="0.55", linewidth=1.4)
        axis.plot(own["r"], place, "o", color="#222222", markerfacecolor=fill, label=label)
    axis.set(title=title, yticks=-np.arange(len(CATEGORIES)), yticklabels=CATEGORIES.values(), xlim=(-1, 1))
fig.supxlabel("r of d and performance over models", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
steps = downstream.surviving(rows, models, held).set_index("step")
vb.figures.show(
    fig, name="downstream-models",
    alt=f"Correlations over models in twenty cells, as they are and with size and data held constant. Intervals of data families exclude zero in "
    f"{steps.loc['bootstrap of data families', ['positive', 'negative']].sum()} cells, and in "
    f"{steps.loc['size and data held: bootstrap', ['positive', 'negative']].sum()} with size and data held.",
    caption="Correlations over models, with 95 % intervals of data families drawn anew; open: parameters and data size held constant.",
    source=source,
)
turned = rows[(np.sign(rows["magnitude"]) != np.sign(rows["r"])) & (rows["r"].abs() > 0.1)]
vb.note(seen=words.verb(float(source != "simulated"), above=0.5, then="the released table", else_="the simulated twin"),
        turned=words.listed(f"{CATEGORIES[c]} in {ORDERS[o]}" for c, o in turned.index),
        step={key: f"{steps.loc[name, 'positive']} positive and {steps.loc[name, 'negative']} negative"
              for key, name in (("rows", "rows as cases"), ("families", "bootstrap of data families"), ("held", "size and data held: bootstrap"))})

# %%
for claim, value in downstream.claims(table).items():
    vb.ledger.record(f"downstream.{claim}", value, results=results, protocol="released", **behind)

# %% [markdown]
# In {glue:text}`seen`, rows as cases give {glue:text}`step.rows` correlations; with families drawn anew {glue:text}`step.families` intervals exclude zero; with
# size and data held constant {glue:text}`step.held`. Taking $|d|$, as the caption says, in place of $d$ turns the sign in: {glue:text}`turned`.
#
# ## What predicts performance? Real results
#
# Performance is no property that models are given at random. Zero-shot results of open_clip's models, and of the 29 models of
# {cite:t}`cherti2023`, are public. How much of the variance of performance do data family, architecture family, data size and parameters explain?
#
# The data sizes of open_clip's models are those of the paper's regression. A filtered pool has the size of the *pool* there, not of what was trained on, which
# [Models and families](model_zoo.ipynb) advises against; and the sizes of WebLI and Merged-2B are assumed. So "data size" is a rough measure here, and the family takes up some of what it misses.

# %%
open_clip = zero_shot.open_clip()
open_clip["size"] = np.log(open_clip["dataset_name"].map(twin.SIZES))
open_clip["width"] = np.log(open_clip["parameters"])
FAMILIES = {"data family": ["dataset"], "architecture family": ["architecture"]}
AMOUNTS = {"data size": ["size"], "parameters": ["width"]}
bootstrap = {"n_resamples": n_resamples // 5, "seed": seed}  # of models
everywhere = downstream.explained(open_clip, FAMILIES | AMOUNTS, **bootstrap)
laws = facts.table("scaling_laws")  # what we computed of the 29 models: their results do not ship

# %% tags=["needs-scaling-laws"]
if vb.sources.at_hand("scaling-laws"):
    laws = downstream.of_scaling_laws(zero_shot.scaling_laws(), **bootstrap)

# %%
one_family = downstream.scales_explained(laws)
every = pd.concat({"open_clip": everywhere, "scaling laws": one_family}, names=["models"]).droplevel(1)
tables.readable(every.reset_index(), names={"open_clip": "open_clip", "alone": "R² alone", "unique": "R² beyond the others", "unique_low": "from", "unique_high": "to"}).hide(axis="index")

# %% tags=["hide-input"]
of_laws = laws.set_index(["of", "quantity"])["value"]
n_laws, n_tasks = (int(of_laws[what, "number"]) for what in ("models", "tasks"))
both = pd.concat({f"{len(open_clip)} open_clip models": everywhere, f"{n_laws} models of one data family": one_family}, names=["set"]).reset_index()
both = both[both["factor"] != "all"]
vb.figures.show(
    vb.figures.forest(both.assign(line=both["factor"] + both["set"].str.extract(r"^(\d+)", expand=False).map(" ({})".format)), estimate="unique",
                      low="unique_low", high="unique_high", label="line", group="set",
                      value_label="share of the variance that only this explains, 95 % interval"),
    name="downstream-explained",
    alt="What R squared loses without each factor. " + "; ".join(f"{row.set}, {row.factor}: {row.unique:.2f}" for row in both.itertuples()) + ".",
    caption="Published zero-shot performance: what R² loses when one factor is left out. Intervals: models drawn anew.",
    source=["published:open_clip_zero_shot", "published:scaling_laws"],
)
whole = {key: own.set_index("factor").loc["all", "alone"] for key, own in (("open", everywhere), ("laws", one_family))}
parts = everywhere.set_index("factor")
for protocol, number in (("described", n_tasks), ("released", n_tasks - 1)):
    vb.ledger.record("downstream.tasks", number, results=results, stimuli="none", model="none", protocol=protocol)
vb.note(whole=whole, n_open=len(open_clip), leading=words.extreme(parts["unique"].drop("all"), parts.index.drop("all")), alone=parts.loc["data family", "alone"],
        unique=parts.loc["data family", "unique"],
        predictors=int(parts.loc["all", "df"]),
        adjusted=downstream.adjusted(whole["open"], n=len(open_clip), df=int(parts.loc["all", "df"])),
        average={"mean": of_laws["released average", "mean difference"], "sd": of_laws["released average", "sd of the difference"], "r": of_laws["released average", "r"]},
        exact=words.verb(of_laws["described average", "largest difference"], above=1e-9, then="differ from", else_="equal"))

# %% [markdown]
# In {glue:text}`n_open` open_clip models the four factors explain {glue:text}`whole.open:.0%` of the variance of performance (mean of the tasks of VTAB+ that
# are public); by itself, most is explained by {glue:text}`leading`. They are {glue:text}`predictors` predictors, and as many columns of noise explain something, too:
# less what that would be, {glue:text}`adjusted:.0%` are left. For the same reason no loss of R² is below zero, and no interval of one can reach zero. Data family explains {glue:text}`alone:.0%` alone, and {glue:text}`unique:.0%` beyond
# the others: the small data sets are all CommonPool's, DataComp's, CC12M or YFCC15M. Where the data family is one, size, parameters and
# pairs seen explain {glue:text}`whole.laws:.0%`. The same factors are the predictors of $d$ in the paper's regression. A correlation of $d$ with performance
# is therefore first of all a question about them, and what it says beyond them rests on the small rest of performance that they leave.
#
# *Two averages under one name.* The means over 35 accuracies {glue:text}`exact` the published VTAB+ of the 29 models. The authors' code for open_clip's models
# lists one dSprites task twice and one SmallNORB task not at all. On the 29 models this shifts the mean by {glue:text}`average.mean:.4f` (SD
# {glue:text}`average.sd:.4f`); the two correlate {glue:text}`average.r:.4f`. It moves one group of models against the other, and little.

# %% [markdown]
# ## What this method can see
#
# A correlation over models rests on four assumptions, each with a counter-example.
#
# 1. *Rows are cases.* Counter-example: three tests of one model, {ref}`above <downstream-answer>`.
# 2. *Models are cases.* Counter-example: families that share something, in the same figure.
# 3. *$d$ is an amount.* Counter-example: $|d|$ in the place of $d$, in the second section.
# 4. *The two meet in training, not before.* Counter-example: a size that drives both, here.

# %%
strong, weak = 0.9, 0.5  # correlation of size with performance
causes = pd.DataFrame({
    f"size and performance r = {through}, direct effect {direct}":
        downstream.common_cause(through=through, direct=direct, draws=draws, seed=seed)
    for through in (weak, strong)
    for direct in (0.0, 0.5)
}).T
tables.readable(causes, names={"held": "r, size held constant"})

# %% tags=["hide-input"]
vb.note(cause={"raw": causes["r"].iloc[2], "held": causes["held"].iloc[2], "weak": causes["held"].iloc[1], "strong": causes["held"].iloc[3]})

# %% [markdown]
# Means over simulated sets of 131 models (no model was measured). Where size makes both, $r$ is {glue:text}`cause.raw:.2f` without any connection, and
# {glue:text}`cause.held:.2f` with size held constant. A direct effect stays, {glue:text}`cause.weak:.2f`, but the better size predicts performance, the less of it
# can be seen: {glue:text}`cause.strong:.2f`. Where size and data explain most of performance, observed models can hardly answer the question;
# networks trained for it, with the same size and data and another dose of bias, can.
#
# ### Two fleets of networks
#
# Our laboratory, the Greenhouse, trained as many small networks as the paper has models, on data families of ten kinds with known captions
# ([Stress](stress.ipynb)), and others on captions that say nothing about groups. Performance is the mean of their own zero-shot tasks. Counted are
# cells with a significant correlation (where the data family is one, the bootstrap draws networks):

# %%
fleets = {"planted": fleet_table.read("planted"), "nothing planted": fleet_table.read("null")}
survived = downstream.in_fleets(fleets, given=given, n_resamples=n_resamples, seed=seed)
tables.readable(survived).hide(axis="index")

# %% tags=["hide-input"]
by_step = survived.set_index(["fleet", "step"])
count = {key: {short: words.among(int(by_step.loc[(fleet, step), ["positive", "negative"]].sum()), int(by_step.loc[(fleet, step), "of"]))
               for short, step in (("rows", "rows as cases"), ("models", "models as cases"), ("holm", "Holm over the cells"))}
         for key, fleet in (("planted", "planted"), ("null", "nothing planted"))}
rejected = sum(int((~fleet_table.models(fleet)["accepted"]).sum()) for fleet in ("planted", "null"))
vb.note(count=count, rejected=rejected, networks={key: own["model"].nunique() for key, own in zip(("planted", "null"), fleets.values(), strict=True)},
        spread={key: own.drop_duplicates("model")["performance"].std() for key, own in zip(("planted", "null"), fleets.values(), strict=True)})

# %% [markdown]
# Among {glue:text}`networks.planted` networks {glue:text}`count.planted.rows` cells are significant over rows, {glue:text}`count.planted.models` over networks and
# {glue:text}`count.planted.holm` after Holm's correction; among {glue:text}`networks.null` with nothing planted about groups {glue:text}`count.null.rows`,
# {glue:text}`count.null.models` and {glue:text}`count.null.holm`. (All networks of both fleets are here, also {glue:text}`rejected` that failed their gates.) These networks differ little in performance (SD {glue:text}`spread.planted:.3f` and
# {glue:text}`spread.null:.3f`), and no rate carries over to CLIP; but a count of asterisks over rows is no evidence that training for performance planted anything.
#
# ## Where paper and code differ
#
# From the paper's text and the authors' repository at commit `8dffa18`.
#
# | | paper | code | here |
# |---|---|---|---|
# | what is correlated (G11) | "effect size magnitude" | $d$ with its sign | both |
# | negative correlations (G11) | two of Gender named | six significant | all shown |
# | cases | models | rows, up to three per model | both, and families |
# | correction | not mentioned | none | Holm over twenty |
# | aggregate $r$ (G11) | given for two categories | not computed | means of four, audited |
# | VTAB+ (G15) | 35 tasks | for open_clip's models one task twice, one not at all | both averages |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/downstream -p given '["log_params", "log_dataset_size", "dataset"]'
# ```
# With the released table: `.venv/bin/vlmbias sources fetch clip-bias-results`.
# :::
#
# ## Take-aways
#
# - Several tests of one model are one case, not several; models of one data family are fewer cases than models.
# - Count and name *all* significant correlations, in both directions, after correcting for twenty.
# - Positive correlations of control categories say that capable models know what flowers are; they are no evidence about social ones.
# - Data and size explain most of performance; a correlation with performance inherits them.
# - Say whether a signed effect size or its amount is meant.
#
# ## Exercises
#
# :::{exercise} One asterisk, two sizes
# :label: downstream-smallest
# :level: intermediate
# :minutes: 10
# :code: yes
# How large must $|r|$ be for a two-sided p below .05 over 131 models, and over the 393 rows of three tests each? A printed $r = -.12$
# over 393 rows: with an asterisk or without, and how over 131 models?
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
# From $t = r \sqrt{(n-2)/(1-r^2)}$ the smallest significant $|r|$ falls about as $1/\sqrt n$. Three tests of one model are three rows and one model,
# so the same printed r earns its asterisk only where rows are counted as cases.
#
# ```{solution-end}
# ```
#
# :::{exercise} From three correlations to one
# :label: downstream-partial
# :level: intermediate
# :minutes: 15
# :code: no
# Suppose $d$ and performance correlate .55, $d$ and log size .60, performance and log size .80. What is the correlation of $d$ and performance
# with size held constant? For which correlation of $d$ and size would it vanish? (The solution checks the first on data that have these correlations.)
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
# 1. A model without any notion of flowers and insects has $d = 0$. Is its growth to $d = 1.8$ "bias amplification"? What would you call it for Race?
# 2. Which set of models, trained by whom and how, would show whether optimising for performance changes social associations?
