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
# # Do training data predict the effect size?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figures 3 and 6: one regression on 131 models.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Do the data on which a model was trained predict its effect sizes? The paper's regression says yes, but it counts every model 26 times. What
# remains if every model counts once?
#
# **In short.** That depends on how alike the 26 results of a model are. The paper does not print it; the authors' public table can tell.
#
# **In 20 minutes:** {ref}`What the paper reports <upstream-found>`, {ref}`What one may doubt, and the answer in one figure <upstream-answer>`,
# {ref}`What this means <upstream-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** a regression with groups as predictors, a standard error, a p-value. The primer
# "[The target of a claim](../../book/primers/targets.md)" says what counts as one observation.
#
# **Content note.** The page prints numbers about tests of race, gender and age. It shows none of the words and pictures.
# :::
#
# **The idea.** A CLIP model scores how well a picture fits a text. {cite:t}`ghate2025` gave 26
# [association tests](../../book/primers/association.md) to {claim}`effect_sizes.models` such models. Each test gives an *effect size* $d$. It is zero where
# the model treats two groups alike, and positive where it shows the association that people usually have. Which models have a larger $d$?
#
# The authors consider four *upstream factors*, which are fixed before a model is used: the data on which it was trained, its architecture, its number of parameters,
# and the number of its training pairs (of picture and text). Similar data sets form a *data family*. There are ten, of very different sizes: LAION has
# {glue:text}`sizes.laion` models, and CC12M has {glue:text}`sizes.cc12m`.
#
# **The regression.** All {claim}`upstream.rows` effect sizes go into one regression, 26 for each model. All data families are compared with one of them, the *reference*. This is CC12M. The *coefficient* of
# a family says how much larger $d$ is than in CC12M, if the other factors are equal. Architectures are compared with the family CoCa.
#
# The 26 tests differ in two ways: they are about race, gender, age or other things, and use words or pictures. The regression lets $d$
# differ between these *combinations* (it is a *mixed model*). But it has nothing for the single model. If two models are alike in the four factors, any difference between their $d$ counts as chance, and as new chance in each of the 26 tests.
#
# :::{dropdown} The same as a formula
# For model $i$ and a test of combination $j$ (one of {claim}`upstream.groups`, of words or pictures and category):
#
# $$\begin{aligned} d_{ij} ={}& \beta_0 + \beta_1 \log \text{param}_i + \beta_2\, \text{arch}_i \\
# &+ \beta_3\, \text{data}_i + \beta_4 \log \text{size}_i \\
# &+ u_{0j} + u_{1j} \log \text{param}_i \\
# &+ u_{2j} \log \text{size}_i + \varepsilon_{ij} \end{aligned}$$
#
# The $u$ are random effects of the combination. The $\varepsilon$ are taken as independent, also those of one model.
# :::
#
# **What the authors conclude.** "We demonstrate that the choice of training dataset significantly impacts intrinsic bias, independent of other upstream factors such as
# model architecture or parameter count." "None of the architectural families demonstrated a significant impact".
#
# **Their own checks and limits.** They use families because a regression with single data sets and architectures did not converge. The fit improved when the regression let the number of
# parameters and the size of the data act differently in each combination. The authors suppose that CC12M brings less bias because names of people were replaced in it, but "the full impact of hypernymization is still unclear". They ask for
# "a broader range of datasets and model configurations".

# %% tags=["parameters", "hide-input"]
shared = 0.25  # share of the noise in a simulated model's effect sizes that its 26 tests have in common; from 0 to 1
n_resamples = 1_000  # bootstrap resamples of models; at least 20
n_permutations = 2_000  # permutations of what the families are asked to explain; at least 20
n_draws = 500  # how often whole models' results are given to other models at random; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/upstream.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

import vlmbias as vb
from greenhouse import fleet_table
from studies import tables, words
from studies.overviews import authors
from studies.pretraining import downstream, effect_sizes, twin, upstream, upstream_words
from vlmbias.external import study_table

vb.figures.style()

# %% [markdown]
# (upstream-found)=
# ## What the paper reports: data families differ, architectures do not
#
# The figure has the paper's coefficients for data families, for families of architectures, and for the two sizes:

# %% tags=["hide-cell"]
ledger = vb.ledger.load("pretraining")
printed = upstream.printed(ledger)
data = printed[printed.index.str.startswith("dataset.")]
architectures = printed[printed.index.str.startswith("architecture.")]
data[["coef", "se", "p", "low", "high"]]

# %% tags=["hide-input"]
found = authors.regression()
vb.figures.show(found.figure, name="upstream-printed", alt=found.alt, source="paper:pretraining, Figure 6",
                caption="Figure 3, redrawn from the table of Figure 6: how much larger d is than in the reference, with the printed 95 % intervals.")

# %% [markdown]
# The authors call a result significant if p is below .01. The count:

# %%
significant = data["p"] < 0.01
print(f"data families: {significant.sum()} of {len(data)}")
print(f"architectures: {(architectures['p'] < 0.01).sum()} of {len(architectures)}")

# %% tags=["hide-cell"]
checks = vb.ledger.audit("pretraining").query("notebook == 'pretraining/upstream' and rule != ''")
rows_of_table = checks[checks["rule"] == "coefficient"]
held = checks["verdict"].str.startswith("consistent")
between = printed[printed["p"].between(upstream.ALPHA, 0.05)]
name_of = {claim: authors.NAMES[claim.rpartition(".")[2]] for claim in printed.index.drop("intercept")}
vb.note(families=upstream_words.differ(significant, "data families", "CC12M", data["coef"]), towers_printed=upstream_words.differ(architectures["p"] < upstream.ALPHA, "architecture families", "CoCa"),
        checks=len(checks), held=int(held.sum()), printed_rows=words.among(int(rows_of_table["verdict"].str.startswith("consistent").sum()), len(rows_of_table)),
        between=words.listed(between.index.map(name_of)))

# %% [markdown]
# {glue:text}`families` The largest coefficient is that of DFN, {claim}`upstream.dataset.dfn.coef`. Its data were filtered by a neural network.
# {glue:text}`towers_printed`
#
# **Do the printed numbers agree with each other?** In the table, yes. Coefficient, standard error, $p$ and interval fit each other in {glue:text}`printed_rows`
# rows (the intercept is one of them). Elsewhere, a few numbers and words that describe the data do not.
#
# :::{dropdown} Details of this check
# Of {glue:text}`checks` checks, {glue:text}`held` hold. These do not:
#
# - The text counts {claim}`upstream.combinations` combinations; the regression has {claim}`upstream.groups`.
# - The text gives {claim}`upstream.size-largest` billion pairs as the largest size of a data set; the appendix lists larger ones.
# - The text speaks of "marginal associations" of CC12M. CC12M is the reference, so it has no coefficient that could show them.
#
# The significance level decides about words. Significant at .05, but not at .01, would be: {glue:text}`between`.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("pretraining/upstream"))

# %% [markdown]
# (upstream-answer)=
# ## What one may doubt, and the answer in one figure
#
# A data family is a property of a *model*. There are {claim}`effect_sizes.models` models, but {claim}`upstream.rows` rows in the regression, one for each model and test.
# Does one model give 26 observations of its data family, or one?
#
# Think of a study that compares two ways of teaching. Forty pupils solve 26 exercises each. A pupil who does well in one exercise often does well in others. So
# 26 exercises of one pupil say less about teaching than one exercise of each of 26 pupils. If all exercises count as independent, standard errors come out too small, and too much comes out significant.
#
# It is the same with models, if the results of one model have something in common. A model may have a rather large $d$ in all its tests, for reasons of its own:
# its random start, or details of its training. The published regression leaves no room for this. How much it matters depends on how much the results of one model have
# in common, and the paper does not print that.
#
# So we tried out several amounts. The authors' table of effect sizes is public, but could not be fetched for this edition. In its place we made six *simulated tables*.
# Each has 131 invented models, with the families and sizes of the real ones. Coefficients are those that the paper prints; means and standard deviations are read off its figures.
#
# The six tables differ in one thing. A model's effect sizes deviate from what its family and its tests would lead one to expect; we call this the *noise*. A *share* of the noise is common to all
# 26 tests of a model: for example, all its effect sizes are a little too large. The rest differs from test to test. This share is not the correlation between two results
# of a model, which [](stress.ipynb) and the overview call *in common*: here, a share of a tenth is a correlation of {glue:text}`alike.tenth:.2f`.

# %% tags=["hide-cell"]
SHARES = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0]
cells = effect_sizes.cells(ledger)  # means and SDs, read off the bars of the figures
r = downstream.printed(ledger)["r"].to_dict()


def simulated(share):
    return upstream.prepared(twin.generate(cells, r, shared=share, seed=seed))


twins = {share: simulated(share) for share in SHARES}
a_quarter = twins[0.25]
a_quarter[["model", "dataset", "architecture", "test", "effect_size"]].head(3)

# %% [markdown]
# Counting every model once is simple: one takes the mean of its 26 effect sizes, and fits the same regression to these 131 means. With ordinary tools, for the table with a share of a quarter:

# %%
factors = ["dataset", "architecture", "log_params", "log_dataset_size"]
means = a_quarter.groupby("model").agg(
    {"effect_size": "mean"} | dict.fromkeys(factors, "first")
)
by_hand = smf.ols("effect_size ~ " + " + ".join(factors), means).fit()
dfn = by_hand.params["dataset[T.dfn]"], by_hand.bse["dataset[T.dfn]"]
print("DFN: coefficient {:.3f}, standard error {:.3f}".format(*dfn))
once = vb.clustered.least_squares(*upstream.one_row(a_quarter))
assert np.allclose(dfn, once.loc["dataset[dfn]", ["coef", "se"]].tolist())

# %% [markdown]
# Now all six tables: how many data families are significant in the published regression, and how many if every model counts once?

# %%
counted = []
for share, simulation in twins.items():
    published = upstream.fitted(simulation).coefficients
    once = vb.clustered.least_squares(*upstream.one_row(simulation))
    counted.append({
        "share in common": share,
        "26 rows": (published.filter(like="dataset[", axis=0)["p"] < 0.01).sum(),
        "one row": (once.filter(like="dataset[", axis=0)["p"] < 0.01).sum(),
        "SE of DFN, 26 rows": published.loc["dataset[dfn]", "se"],
        "SE of DFN, one row": once.loc["dataset[dfn]", "se"],
    })
counted = pd.DataFrame(counted).set_index("share in common")

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.3)
looks = {"26 rows": ("26 rows for each model, as published", "s", vb.figures.PALETTE[1]), "one row": ("one row for each model", "o", vb.figures.PALETTE[0])}
for column, (called, mark, ink) in looks.items():
    axes.plot(100 * counted.index, counted[column], mark + "-", color=ink, label=called, ms=7)
axes.set(xlabel="% of the noise that the 26 results of a model have in common", ylabel="significant data\nfamilies (of 9)", ylim=(-0.5, 9.5))
fig.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="upstream-answer",
    alt="Data families that differ from CC12M with p < .01, of nine, in six simulated tables. With 26 rows for each model: "
    + ", ".join(f"{n} at {share:.0%}" for share, n in counted["26 rows"].items()) + ". With one row for each model: "
    + ", ".join(f"{n} at {share:.0%}" for share, n in counted["one row"].items()) + ".",
    caption="Data families with p < .01 against CC12M, in six simulated tables that all have the printed coefficients.",
    source="simulated",
)
alike = {share: upstream.share_of_models(upstream.fitted(own, ["model"])) for share, own in twins.items()}
known = {"null": fleet_table.read("null"), "recipe": fleet_table.read("planted").query("dataset == 'common'")}
own = {name: upstream.share_of_models(upstream.fitted(upstream.prepared(fleet).assign(dataset="one"), ["model"])) for name, fleet in known.items()}
vb.note(placed=upstream_words.placed(list(own.values()), pd.Series(alike), counted["one row"]), sizes=twins[0.25].groupby("dataset")["model"].nunique(), count=words.listed(sorted({str(n) for n in counted["26 rows"]})), first=int(counted["one row"].iloc[0]), last=int(counted["one row"].iloc[-1]),
        counts={name: str(counted.loc[share, "one row"]) for share, name in {0.0: "nothing", 0.1: "tenth", 0.25: "quarter"}.items()},
        in_each=upstream_words.in_each(counted["26 rows"]), once=upstream_words.counted_once(counted["one row"]), alike={"tenth": alike[0.1], "quarter": alike[0.25]}, own=own,
        se={"rows": counted["SE of DFN, 26 rows"].max(), "models": counted["SE of DFN, one row"].iloc[0], "models_high": counted["SE of DFN, one row"].iloc[-1]})

# %%
counted.join(pd.Series(alike, name="correlation")).round(3)

# %% [markdown]
# {glue:text}`in_each` It cannot do otherwise, because it does not ask how alike the results of a model are. {glue:text}`once`
#
# The coefficients are the same in all of this. What changes is how well they are known. The standard error of DFN (SE in the table) is
# {glue:text}`se.rows:.2f` in the published regression, however much is in common. With one row for each model, it grows up to {glue:text}`se.models_high:.2f`.
#
# **How much do real results have in common?** For the paper's 131 models, we do not know it. In eight CLIP models of OpenAI, [nothing measurable](../real/same_data.ipynb): the mean correlation is {result}`real/same_data::alike.rho:.2f`, with an interval up to {result}`real/same_data::alike.high:.2f`. In two sets of [small networks that we trained](stress.ipynb), two results of one network, in tests of the same combination, correlate
# {glue:text}`own.null:.2f` and {glue:text}`own.recipe:.2f`. For the simulated tables, the same correlation stands in the last column of the table. {glue:text}`placed`
#
# So the printed numbers fit two worlds. In one, training data matter much. In the other, the differences between families are what chance gives. **The print does not show which of them is ours.** The
# authors' table can, because it tells how alike the results of a model are. It cannot tell what is due to the one reference model.
#
# :::{dropdown} How good are the simulated tables?
# The correlation between two results of one model is a little smaller than the share: after the share was set, each table was adjusted to the printed results.
#
# Some of what the regression prints was not built into them. The table below has it beside the smallest and the largest value of the six. Within a tenth of the printed value
# in every table: {glue:text}`near`. Further away in some: {glue:text}`moved`. These belong to the sizes of models and data, not to the families. So the tables can show how the analysis of families works. They are no evidence for any share.
# :::

# %% tags=["hide-cell"]
others = pd.DataFrame({share: upstream.beside_printed(upstream.fitted(own)) for share, own in twins.items()})
quality = pd.DataFrame({"printed": upstream.printed_beside(ledger), "smallest, twins": others.min(axis=1), "largest, twins": others.max(axis=1)})
off = quality.drop(columns="printed").sub(quality["printed"], axis=0).div(quality["printed"], axis=0).abs().max(axis=1).drop("log-likelihood")
vb.note(near=words.listed(off[off < 0.1].index), moved=words.listed(off[off >= 0.1].index))
tables.readable(quality, precision=3).format(lambda n: tables.number(n, precision=0), subset=pd.IndexSlice[["log-likelihood"], :])

# %% [markdown]
# ## The protocol, run on {data}
#
# The authors' table of effect sizes is public; one command fetches it (see the box at the end), and this section then runs their regression on it. Here, it ran on a simulated table in which {glue:text}`percent:.0f` % of the noise are in
# common. So it shows that the analysis runs, and nothing about CLIP. The rest of the page uses this table, too.
#
# We did not build the printed standard errors of families into the table. Still, those of our regression come within {glue:text}`away:.1%` of
# the printed ones, and they did so in all six tables. So printed standard errors do not reveal how much the results of a model have in common.
#
# :::{dropdown} Did the program find the best fit?
# The authors' software looks for the best fit with a program called an *optimiser*. An optimiser that says "converged" may be wrong. So we run two, lbfgs (which the authors used) and powell, and compare their *log-likelihoods*: the higher, the better the fit. {glue:text}`remarks`
#
# For the other fits of this page we use an engine of our own, penalised least squares {cite:p}`bates2015`. On four simulated sets it gives the values of R's lme4.
# :::

# %% tags=["hide-cell"]
table = simulated(shared)
fit = upstream.published(table)
tables.readable(fit.tried)

# %% tags=["hide-cell"]
beside = fit.coefficients[["coef", "se"]].set_axis(fit.coefficients.index.map(upstream.claim_of)).add_suffix(", twin")
compared = printed[["coef", "se"]].add_suffix(", printed").join(beside)
away = np.abs(compared["se, twin"] / compared["se, printed"] - 1)
vb.note(percent=100 * shared, remarks=upstream_words.about_fit(fit.tried["log_likelihood"], fit.remarks), away=away[away.index.str.startswith(("dataset", "architecture"))].max())
tables.readable(compared, precision=3, names=name_of | {"coef, printed": "printed", "se, printed": "SE, printed", "coef, twin": "twin", "se, twin": "SE, twin"})

# %% tags=["needs-clip-bias-results", "hide-output"]
if vb.sources.at_hand("clip-bias-results"):
    FILE = vb.sources.path("clip-bias-results", study_table.FILES["nrc-oasis"])
    real = {rules: upstream.prepared(study_table.read(FILE, rules=rules).query("dataset != 'not stated'")) for rules in ("released", "described")}
    real_fits = {rules: upstream.published(own) for rules, own in real.items()}
    for claim, value in upstream.claims(real_fits["released"], real["released"]).items():
        vb.ledger.record(f"upstream.{claim}", value, results=results, stimuli=real["released"]["stimuli"].iloc[0], model="131 CLIP models", protocol="released")
    display(tables.readable(pd.concat({rules: own.coefficients[["coef", "se"]] for rules, own in real_fits.items()}, axis=1), precision=3))

# %% tags=["needs-clip-bias-results", "hide-output"]
if vb.sources.at_hand("clip-bias-results"):
    own = real["released"]
    share_of = upstream.share_of_models(upstream.fitted(own, ["model"]))
    by_rows, by_models = (frame.filter(like="dataset[", axis=0)["p"] < upstream.ALPHA
                          for frame in (real_fits["released"].coefficients, vb.clustered.least_squares(*upstream.one_row(own))))
    print(f"data families below .01, of {len(by_rows)}: {by_rows.sum()} with 26 rows a model, {by_models.sum()} with one row per model")
    print("correlation between two results of one model in tests of the same kind:", f"{share_of:.2f}")
    methods = upstream.remedies(own, n_resamples=n_resamples, seed=seed)
    display(tables.readable(upstream.significant_counts(methods).assign(method=lambda one: one["method"].map(upstream.METHODS))).hide(axis="index"))

# %% [markdown]
# ## What this method can see
#
# The published regression takes for granted that the results of one model are independent. What happens if they are not, and what can one do?
#
# ### If nothing mattered, how often would something be significant?
#
# We make tables in which no upstream factor matters. First, we take out of each model's results what the four factors explain, so that only noise
# remains. Then each model gets what is left of another model, chosen at random, in all 26 tests. Now whatever is significant is a *false positive*. We do this
# {glue:text}`n_draws` times:

# %%
def noise(table):
    """The table without what the four factors explain of a model's mean."""
    means, design = upstream.one_row(table)
    explained = design @ vb.clustered.least_squares(means, design)["coef"]
    rest = table["effect_size"] - table["model"].map(explained)
    return table.assign(effect_size=rest)


exchanged = pd.concat({
    share: upstream.exchanged_results(noise(twins[share]), n=n_draws, seed=seed)
    for share in (0.0, 0.25, 0.5)
}, names=["share"])
exchanged = exchanged.rename(columns={"cases": "unit", "single": "significant"})
keys = ["share", "factor", "unit"]  # unit: what counts as one observation
false_positives = exchanged.groupby(keys)["significant"].mean()

# %% tags=["hide-input"]
single = {key: own.to_numpy(bool) for key, own in exchanged.groupby(keys)["significant"]}
rates = vb.networks.rates(single).rename_axis(keys).reset_index().sort_values("unit", ascending=False, kind="stable")
rates["line"] = rates["factor"].map({"dataset": "data", "architecture": "architecture"}) + rates["share"].map(", {:.0%} in common".format)
rates["how"] = rates["unit"].map({"rows": "26 rows for each model", "models": "one row for each model"})
vb.figures.show(
    vb.figures.rates(rates, rate="rate", low="low", high="high", label="line", group="how", nominal=None, value_label="% of draws with at least one significant family, exact 95 % interval"),
    name="upstream-exchanged",
    alt="How often at least one family is significant where no upstream factor matters: " + "; ".join(f"{row.line}, {row.how}: {row.rate:.0%}" for row in rates.itertuples()) + ".",
    caption="Simulated tables, the noise of whole models given to other models at random: how often at least one family has p < .01.",
    source="simulated",
)
vb.note(n_draws=n_draws, none=false_positives[0.0, "dataset", "rows"], quarter=false_positives[0.25, "dataset", "rows"], half=false_positives[0.5, "dataset", "rows"],
        grows=upstream_words.grows(false_positives[0.0, "dataset", "rows"], false_positives[0.5, "dataset", "rows"]),
        keeps=upstream_words.rarely(false_positives.xs("models", level="unit").max(), 9, upstream.ALPHA))

# %% [markdown]
# {glue:text}`grows` With nothing in common, the published regression finds at least one significant data family in {glue:text}`none:.0%` of the draws.
# With a quarter of the noise in common, it does so in {glue:text}`quarter:.0%`, and with half of it in {glue:text}`half:.0%`.
#
# {glue:text}`keeps` Nine families are compared, each at the level of .01. So up to 9 in 100 draws may have a false positive by chance. (These rates hold for the simulated tables. They say nothing about how often CLIP models mislead.)
#
# ### What can one do? Five analyses of one table
#
# One row for each model is the simplest remedy. There are others, which keep all rows:
#
# - an *effect of each model*: the mixed model is told that a model may deviate in all its tests (a second random effect);
# - the *sandwich*: the usual regression, with standard errors that allow the rows of a model to be alike;
# - the *bootstrap*: models are sampled anew, with all their rows, and the regression is repeated.

# %%
methods = upstream.remedies(table, n_resamples=n_resamples, seed=seed)
families = methods[methods["term"].str.startswith("dataset[")].dropna(subset="p")
families.assign(significant=families["p"] < 0.01).groupby("method")["significant"].sum()

# %% tags=["hide-input"]
SHOWN = ["dataset[dfn]", "dataset[laion]", "dataset[yfcc15m]"]
five = methods[methods["term"].isin(SHOWN)].sort_values(["term", "method"], key=lambda one: one.map((SHOWN + list(upstream.METHODS)).index))
five = five.assign(how=five["method"].map(upstream.METHODS), line=five["term"].map(upstream.claim_of).map(name_of).where(five["method"] == "published", " "))
vb.figures.show(
    vb.figures.forest(five, estimate="coef", low="low", high="high", label="line", group="how", value_label="coefficient (units of d) with its 95 % interval"),
    name="upstream-methods",
    alt="Intervals of three coefficients under five analyses. For DFN the standard errors are " + ", ".join(
        f"{row.se:.2f} ({row.how})" for row in five[five["term"] == "dataset[dfn]"].itertuples()) + ".",
    caption=f"Three data families (against CC12M) under five analyses of one simulated table, in which {shared:.0%} of the noise is in common.",
    source="simulated",
)
se = methods.pivot(index="term", columns="method", values="se")
has_reference = methods[methods["method"] == "bootstrap"].set_index("term")["identified"]["dataset[dfn]"]
vb.note(ratio=(se["one-row"] / se["published"]).loc[SHOWN[0]], yfcc=se.loc["dataset[yfcc15m]"].to_dict(), with_reference=has_reference,
        same=upstream_words.same_errors(se["model"].filter(like="["), se["one-row"].filter(like="[")))

# %% [markdown]
# {glue:text}`same` For DFN it is {glue:text}`ratio:.1f` times the published one. So here nothing is lost by taking means. (A difference in one combination only would be hidden by the mean.)
#
# Sandwich and bootstrap can be *too sure*. They estimate from the table how much models of a family vary. But CC12M is one model and YFCC15M two, and one or two models do not show how much a family varies.
# For YFCC15M these methods give standard errors of {glue:text}`yfcc.sandwich:.2f` and {glue:text}`yfcc.bootstrap:.2f`; one row for each model gives {glue:text}`yfcc.one-row:.2f`.
#
# ### Is it the reference?
#
# CC12M, with which all data families are compared, is a single model. If this one model has a low $d$ for reasons of its own, all other families seem to have a high one. So
# the finding that families differ from CC12M is close to a single observation. What if another family were the reference? The table says how many of the other families differ significantly
# from each, in the published regression (*26 rows*) and with one row for each model:

# %%
references = upstream.by_reference(table).rename(
    columns={"rows": "26 rows", "cases": "one row"}
)

# %% tags=["hide-input"]
by = references.set_index("reference")
families_called = {family: authors.NAMES[family.replace("_", "-")] for family in by.index}
vb.note(references=upstream_words.references(by["26 rows"], "cc12m", families_called), once_references=upstream_words.any_reference(by["one row"]))
tables.readable(references[["reference", "models", "26 rows", "one row"]].assign(reference=references["reference"].map(families_called))).hide(axis="index")

# %% [markdown]
# {glue:text}`references` {glue:text}`once_references`
#
# :::{dropdown} A further point about this model
# Such a network can be run in two ways, for training and for use. The released scripts measure it in the way that is meant for training
# ([a chapter on this](train_mode.ipynb)). If this changes its $d$, all nine coefficients change by the same amount ({numref}`upstream-shift`).
# :::
#
# ### Do data matter at all, whatever the reference?
#
# The paper compares two lists of tests, of data and of architectures, each with its own reference. It is fairer to ask both factors the same question: does the
# factor as a whole explain more than chance? This is one test for each factor (an F-test), and needs no reference.

# %%
joint = upstream.joint(table, n_permutations=n_permutations, seed=seed)
joint = joint.set_index(["cases", "factor"])

# %% [markdown]
# The p-value of each factor as a whole, with one row for each model, in each of the six tables (here from the F-distribution):

# %%
by_share = pd.DataFrame({
    share: upstream.joint(own).set_index(["cases", "factor"])["p"]["models"]
    for share, own in twins.items()
}).T.rename_axis(index="share in common", columns=None)
names = {"dataset": "p, data as a whole", "architecture": "p, architecture as a whole"}
by_share.rename(columns=names)[list(names.values())].round(4)

# %% tags=["hide-input"]
LIMIT = upstream.ALPHA
vb.note(joint={"rows": tables.p_value(joint.loc[("rows", "dataset"), "p"]), "models": joint.loc[("models", "dataset"), "p_permuted"]},
        over_shares=upstream_words.over_shares(by_share["dataset"], upstream.ALPHA), whole={"tenth": by_share.loc[0.1].to_dict()}, verdict=upstream_words.whole_factor(joint.loc[("models", "dataset"), "p_permuted"], upstream.ALPHA))

# %% [markdown]
# {glue:text}`over_shares` With a tenth in common, p is {glue:text}`whole.tenth.dataset:.3f` for data and {glue:text}`whole.tenth.architecture:.3f` for architecture. The share was our choice, so the answer was, too. This is what the authors' table would settle.
#
# The paper says more: of the factors, data are "the most significant". A smaller p does not mean that a factor matters more. Which matters more, we did not test.
#
# In the table of this page, training data as a whole are significant with 26 rows for each model (p {glue:text}`joint.rows`). With one row for each, p is {glue:text}`joint.models:.2f` by permutation. {glue:text}`verdict`
#
# "Not significant" is not "no difference", here as in the paper. The printed interval of one architecture family, Specialized ViT, reaches from
# {claim}`upstream.architecture.specialized-vit.low` to {claim}`upstream.architecture.specialized-vit.high`. So the difference may be zero, or as large as many differences between data families. In the same way, one row for each model can miss a difference that is there.
#
# All this was about simulated tables. The chapter [Stress](stress.ipynb) repeats this with networks that we trained, in which we know what matters.
#
# (upstream-means)=
# ## What this means
#
# **For the paper.** The printed numbers of the table fit each other, and the conclusion may be right. But the p-values alone cannot support it, because they count every model 26 times. The standard errors would be right only if the results of
# one model had nothing in common, apart from the four factors and the combination. This can be checked: the authors publish the table of all effect sizes, and one command on this page repeats the regression with models as
# observations. A second weakness cannot be removed by any analysis: the reference is one model. It would take several models trained on CC12M to separate what is due to these data from what is
# due to this model.
#
# **For your own work.** Ask of every predictor: of what is it a property? A property of models has as many observations as there are models. If you keep several rows for each, give the
# model an effect of its own. Choose a reference with many models, or test the factor as a whole.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `8dffa18`; each point was checked against its notebook and scripts.
#
# | | the paper says | the code does, or arithmetic shows | we |
# |---|---|---|---|
# | mode (G1) | not mentioned | the scripts that measure effect sizes never call `.eval()`; the one for retrieval does | wrote [a chapter on it](train_mode.ipynb) |
# | unit of analysis (G2; a choice that the paper states) | "3,406 observations" | the same: 26 rows for each model, and no effect of the model; CC12M is one model, DFN four | compare five analyses |
# | families (G3) | CommonPool, filtered in several ways | the first keyword in a name decides, and `laion` comes before `commonpool`: `commonpool_xl_laion_filtered` counts as LAION | run both, with the released table |
# | combinations (G6) | 16 | 20 | use 20 |
# | sizes of data (G10) | 12 million to 5 billion pairs | 1.4 million to 13 billion, as we worked out from the notebook's output | use these sizes |
# | level (G13; printed) | architecture had "no statistically significant impact", sizes no "significant effects" | significant means p < .01, as Figure 3 says; NLLB-CLIP has .041, data size .037 | name both levels |
# | reference | CC12M, "chosen because we hypothesized …" | the first in the alphabet, for both factors | try every family |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias sources fetch clip-bias-results
# .venv/bin/vlmbias run pretraining/upstream
# .venv/bin/vlmbias run pretraining/upstream -p shared 0.5
# ```
# The first line fetches the authors' table. The second then sets every coefficient beside the printed one. The third uses a simulated table in which half of the noise is in common.
# :::
#
# ## Take-aways
#
# - A property of models has as many observations as there are models, however many tests each took.
# - Two remedies gave the same standard errors where all models took the same tests: one row for each model, or an effect of each model.
# - A printed table with thousands of rows does not show how alike the rows of one model are. Print this number.
# - With a reference of one model, every comparison is also a statement about that one model.
# - Where a family has one or two models, sandwich and bootstrap give standard errors that are too small.
#
# ## Exercises
#
# :::{exercise} One model's switch
# :label: upstream-shift
# :level: intermediate
# :minutes: 15
# :code: yes
# The authors' program may have measured the CC12M model in a wrong mode. Suppose that in the right one, all its effect sizes are larger by 0.3. Use one row for each model, and think before you compute: what happens to the
# coefficients of the nine data families, to those of architectures, and to the standard errors? Then fit the regression again.
# :::
#
# ```{solution-start} upstream-shift
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
raised = table.assign(effect_size=table["effect_size"] + 0.3 * (table["dataset"] == "cc12m"))
before, after = (vb.clustered.least_squares(*upstream.one_row(one)) for one in (table, raised))
moved = (after["coef"] - before["coef"]).groupby(upstream.factor_of(after.index.to_series())).agg(["min", "max"])
print(moved.round(3))
# the model has a level of its own, so that it is fitted exactly: the change goes into the intercept and out of nine contrasts
assert np.allclose(moved.loc["dataset"], -0.3) and np.allclose(moved.loc["architecture"], 0) and np.allclose(before["se"], after["se"])

# %% [markdown]
# The CC12M model is the only one of its family, so the regression fits its row exactly. This family is the reference. So the change goes into the intercept
# and, with the other sign, into all nine comparisons. All other rows are fitted as before. So architectures and standard errors stay as they were.
#
# ```{solution-end}
# ```
#
# :::{exercise} How much too small is the standard error?
# :label: upstream-design-effect
# :level: advanced
# :minutes: 25
# :code: yes
# Each of 40 models takes 26 tests. Half of the models have some property, which does not matter. Two errors of one model correlate by ρ.
#
# Suppose all rows are taken as independent. By which factor is the standard error too small? How often is |z| above 1.96 if ρ = 0.2? Derive, then simulate.
# :::
#
# ```{solution-start} upstream-design-effect
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rho, k, n = 0.2, 26, 40
rng, half = np.random.default_rng(seed), np.arange(n) % 2 == 0
errors = np.sqrt(rho) * rng.normal(size=(4_000, n, 1)) + np.sqrt(1 - rho) * rng.normal(size=(4_000, n, k))
difference = errors[:, half].mean(axis=(1, 2)) - errors[:, ~half].mean(axis=(1, 2))
rows_se = np.sqrt(errors.var(axis=(1, 2)) * 4 / (n * k))
factor = np.sqrt(1 + (k - 1) * rho)  # variance of a mean of k with correlation ρ: (1 + (k − 1) ρ) / k
print(f"factor {factor:.2f}, simulated {difference.std() / rows_se.mean():.2f}; |z| above 1.96: {(np.abs(difference / rows_se) > 1.96).mean():.0%}")
assert abs(difference.std() / rows_se.mean() / factor - 1) < 0.05 and (np.abs(difference / rows_se) > 1.96).mean() > 0.3

# %% [markdown]
# Take $k$ errors with a variance of one that correlate by ρ. Their mean has the variance
#
# $$\frac{1 + (k - 1)\,\rho}{k}$$
#
# If rows are taken as independent, the term with ρ is left out. So standard errors are too small, and $z$ too large, by the root of the numerator.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Models of one laboratory share code, data and people. If even 131 models are not 131 independent observations, what would be?
# 2. The authors chose their reference by a hypothesis, and it is also the first in the alphabet. Does it matter which of the two came first?
