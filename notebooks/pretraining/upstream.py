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
# **In short.** That depends on how much the results of a model go together. The paper does not print it. In eight real models of one data set, we find no sign that they do on average. If this holds for the paper's models, too, all its significant families of data remain. At the upper end of our 95 % interval, half of them remain; with architecture and size held constant, as in the regression, {result}`real/same_data::after.families` do. The authors' public table can tell.
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
# **The idea.** {cite:t}`ghate2025` gave 26
# [association tests](../../book/primers/association.md) to {claim}`effect_sizes.models` CLIP models. Each test gives an *effect size* $d$. It is zero where
# the model treats two groups alike, and positive where it shows the association that people usually have. Which models have a larger $d$?
#
# The authors consider four *upstream factors*: training data, architecture, number of parameters,
# and number of training pairs (of picture and text). Similar data sets form a *data family*. There are ten: LAION has
# {glue:text}`sizes.laion` models, and CC12M has {glue:text}`sizes.cc12m`.
#
# **The regression.** All {claim}`upstream.rows` effect sizes go into one regression, 26 for each model. All data families are compared with one of them, the *reference*. This is CC12M. The *coefficient* of
# a family says how much larger $d$ is than in CC12M, if the other factors are equal. Architectures are compared with the family CoCa.
#
# The regression lets $d$ differ between *combinations* of what a test is about and how it is shown (it is a *mixed model*). But it has nothing for the single model: differences between models that are alike in the four factors count as new chance in each of the 26 tests.
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
# **Their own checks and limits.** They use families because a regression with single data sets and architectures did not converge. The authors suppose that CC12M brings less bias because names of people were replaced in it, but "the full impact of hypernymization is still unclear". They ask for
# "a broader range of datasets and model configurations".

# %% tags=["parameters", "hide-input"]
shared = 0.03  # share of the noise in a simulated model's effect sizes that its 26 tests have in common, in the later sections; from 0 to 1
n_resamples = 1_000  # bootstrap resamples of models; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/upstream.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy.stats import norm

import vlmbias as vb
from studies import tables, words
from studies.overviews import authors
from studies.pretraining import downstream, effect_sizes, twin, upstream
from studies.pretraining.effect_sizes import NOT_HUMAN
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
of, of_rows = vb.ledger.tally(checks), vb.ledger.tally(rows_of_table)
between = printed[printed["p"].between(upstream.ALPHA, 0.05)]
name_of = {claim: authors.NAMES[claim.rpartition(".")[2]] for claim in printed.index.drop("intercept")}
reach = {"highest_tower": architectures["high"].max(), "smallest_data": data.loc[significant, "coef"].min()}
vb.note(n_data=len(data), n_significant=int(significant.sum()), checks=of["n"], held=of["hold"], printed_rows=words.among(of_rows["hold"], of_rows["n"]),
        between=words.listed(between.index.map(name_of)), reach=reach)
vb.holds(data_larger=bool(significant.sum() == 8 and (data.loc[significant, "coef"] > 0).all()), no_tower=bool((architectures["p"] >= upstream.ALPHA).all()), towers_below=bool(reach["highest_tower"] < reach["smallest_data"]))

# %% [markdown]
# [Of {glue:text}`n_data` data families, {glue:text}`n_significant` differ significantly from CC12M; their $d$ is larger.]{.holds #data_larger} The largest coefficient is that of DFN, whose data were filtered by a neural network.
#
# [No architecture family differs significantly from CoCa.]{.holds #no_tower} The intervals say more: [even the highest value in the interval of any architecture, {glue:text}`reach.highest_tower`, is below the smallest
# significant coefficient of a data family, {glue:text}`reach.smallest_data`.]{.holds #towers_below} (The margin is small, and would close if a model's results went together even a little. The two lists have different references, and a smaller difference is possible.)
#
# **Do the printed numbers agree with each other?** In the table, yes: coefficient, standard error, $p$ and interval fit each other in {glue:text}`printed_rows` rows.
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
# A data family is a property of a *model*. Does one model give 26 observations of its data family, or one?
#
# Think of a study that compares two ways of teaching. If pupils who do well in one exercise do well in others, 26 exercises of one pupil say less than one exercise of each of 26 pupils.
#
# It is the same with models, *if* the results of one model go together. How much it matters depends on ρ: roughly, take two tests, correlate their $d$ over the models, and average over all pairs of tests. The paper does not print ρ.
#
# **In eight real models, we find no sign that results go together, on average over pairs of tests.** In eight CLIP models of OpenAI and earlier versions of {result}`real/same_data::n_tests` of the paper's tests, ρ is {result}`real/same_data::alike.rho:.2f`, with a 95 % interval from
# {result}`real/same_data::alike.low:.2f` to {result}`real/same_data::alike.high:.2f` ([the chapter on it](../real/same_data.ipynb)). This speaks for the authors. But eight models of one data set do not show how much models of *different* data vary, and none learned from CC12M. And in tests of race alone, results may go together, though not clearly once architecture and size are held constant.
#
# Which ρ would change the finding? The authors' table of effect sizes is public, but could not be fetched for this edition. In its place we made {glue:text}`n_twins` *simulated tables*
# of 131 invented models, with the families and sizes of the real ones. Coefficients are those that the paper prints; means and standard deviations are read off its figures.
#
# The tables differ in one thing. A model's effect sizes deviate from what its family and its tests would lead one to expect; this deviation is the *noise*. A *share* of the noise is common to all
# 26 tests of a model; the rest differs from test to test. From each table we compute the correlation ρ that this leads to. (It is smaller than the share. In the shuffle on the paper's page, the share is of the whole variance, and equals ρ.)

# %% tags=["hide-cell"]
SHARES = [0.0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5]
cells = effect_sizes.cells(ledger)  # means and SDs, read off the bars of the figures
r = downstream.printed(ledger)["r"].to_dict()


def simulated(share):
    return upstream.prepared(twin.generate(cells, r, shared=share, seed=seed))


twins = {share: simulated(share) for share in SHARES}
one = twins[0.03]
one[["model", "dataset", "architecture", "test", "effect_size"]].head(3)

# %% [markdown]
# Counting every model once is simple: one takes the mean of its 26 effect sizes, and fits the same regression to these 131 means. With ordinary tools, for the table with a share of 3 %:

# %%
factors = ["dataset", "architecture", "log_params", "log_dataset_size"]
means = one.groupby("model").agg(
    {"effect_size": "mean"} | dict.fromkeys(factors, "first")
)
by_hand = smf.ols("effect_size ~ " + " + ".join(factors), means).fit()
dfn = by_hand.params["dataset[T.dfn]"], by_hand.bse["dataset[T.dfn]"]
print("DFN: coefficient {:.3f}, standard error {:.3f}".format(*dfn))

ways = upstream.both_ways(one)  # as published, and with each model once
assert np.allclose(dfn, ways["networks"].loc["dfn", ["coef", "se"]].tolist())

# %% [markdown]
# Now all tables: how many data families are significant in the published regression, and how many if every model counts once?

# %%
counted = []
for share, simulation in twins.items():
    ways = upstream.both_ways(simulation)
    published, once = ways["published"], ways["networks"]
    counted.append({
        "share": share,
        "rho": upstream.share_of_models(upstream.fitted(simulation, ["model"])),
        "26 rows": (published["p"] < 0.01).sum(),
        "one row": (once["p"] < 0.01).sum(),
        "SE of DFN, 26 rows": published.loc["dfn", "se"],
        "SE of DFN, one row": once.loc["dfn", "se"],
    })
counted = pd.DataFrame(counted).set_index("share")

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.3)
looks = {"26 rows": ("26 rows for each model, as published", "s", vb.figures.PALETTE[1]), "one row": ("one row for each model", "o", vb.figures.PALETTE[0])}
places = range(len(counted))  # one place a table: values of ρ from thousandths to tenths
for column, (called, mark, ink) in looks.items():
    axes.plot(places, counted[column], mark + "-", color=ink, label=called, ms=7)
axes.set(xticks=places, xticklabels=[f"{rho:.3f}" for rho in counted["rho"]], xlabel="ρ: correlation of two results of a model", ylabel="significant data\nfamilies (of 9)", ylim=(-0.5, 9.5))
axes.tick_params(axis="x", labelsize=9)
fig.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="upstream-answer",
    alt="Data families that differ from CC12M with p < .01, of nine, in simulated tables. With 26 rows for each model: "
    + ", ".join(f"{n} at ρ = {rho:.3f}" for rho, n in zip(counted["rho"], counted["26 rows"], strict=True)) + ". With one row for each model: "
    + ", ".join(f"{n} at ρ = {rho:.3f}" for rho, n in zip(counted["rho"], counted["one row"], strict=True)) + ".",
    caption=f"Data families with p < .01 against CC12M, in {len(counted)} simulated tables that all have the printed coefficients. The value of eight real models lies left of the first point.",
    source="simulated",
)
named = {0.0: "none", 0.02: "low", 0.03: "upper", 0.05: "twentieth", 0.1: "tenth"}
at = {key: counted.loc[share] for share, key in named.items()}
vb.note(n_twins=len(counted), sizes=twins[0.0].groupby("dataset")["model"].nunique(), counts={key: int(row["one row"]) for key, row in at.items()}, alike={key: row["rho"] for key, row in at.items()})
under = -0.02  # about half of the eight models' value; 26 results of a model cannot correlate by less than −0.04
z = printed["coef"] / printed["se"] / np.sqrt(1 + 25 * under)
found_below = z.abs() > norm.ppf(1 - upstream.ALPHA / 2)
vb.note(under={"rho": under, "data": int(found_below[data.index].sum()), "towers": int(found_below[architectures.index].sum())})
vb.holds(under_more=bool(found_below[data.index].sum() > significant.sum() and found_below[architectures.index].sum() == 1))
rows, once = counted["26 rows"], counted["one row"]
vb.holds(rows_same=bool((rows == significant.sum()).all()), once_all=bool(once.iloc[0] == significant.sum()), once_falls=bool(once.is_monotonic_decreasing and once.iloc[-1] < once.iloc[0]), se_grows=bool(counted["SE of DFN, one row"].is_monotonic_increasing))

# %%
counted.round(3)

# %% [markdown]
# [The published regression finds {glue:text}`n_significant` significant families in each of the {glue:text}`n_twins` tables.]{.holds #rows_same}
#
# [If every model counts once, all remain in the table in which a model's results have nothing in common (a share of 0).]{.holds #once_all} [The larger ρ, the fewer remain: with {glue:text}`alike.tenth:.3f`, it is {glue:text}`counts.tenth`.]{.holds #once_falls}
# The value of the eight real models is a little below 0. We count this as 0; then the finding stays as printed. With the upper end of its interval, about half of the families are left. With architecture and size held constant, as for the ρ of our tables, it is {result}`real/same_data::after.families`; other ways to compute this interval leave {result}`real/same_data::others.few` to {result}`real/same_data::others.many` ([details there](../real/same_data.ipynb)).
#
# The coefficients are the same in all of this; [their standard errors grow with ρ.]{.holds #se_grows}
#
# **For some tests, the paper gives a lower limit of ρ.** If $d$ of several tests rises with performance, these tests go together to some degree. The paper's Figures 2 and 4 say how much, if they cover all 131 models:

# %%
bars = cells.query("stimuli == 'new'").set_index(["category", "order"])
bars["r"] = pd.Series(r)  # of d and performance, Figure 4
at_least = {}
for name, own in {"things": bars.loc[list(NOT_HUMAN)], "all": bars}.items():
    tests = own["n"] / 131  # tests of each combination
    with_performance = (tests * own["sd"] * own["r"]).sum()  # of the sum of all d
    apart = (tests * own["sd"] ** 2).sum()  # at most: its variance if ρ were zero
    # the sum varies at least as much as performance predicts
    at_least[name] = (with_performance**2 / apart - 1) / (tests.sum() - 1)
print({name: round(rho, 2) for name, rho in at_least.items()})

# %% tags=["hide-input"]
vb.note(at_least=at_least)
vb.holds(things_alike=bool(at_least["things"] > 0.3), all_open=bool(at_least["all"] < 0))

# %% [markdown]
# [In the eight tests of flowers and of instruments, ρ is then at least about {glue:text}`at_least.things:.2f`.]{.holds #things_alike} [Over all 26 tests, ρ may be zero, or even a little below.]{.holds #all_open} But performance goes with data, architecture and size, which the regression holds constant. How much of ρ is left then, the print does not show.
#
# So the printed numbers fit a world in which training data matter much, and one in which the differences between families are what chance gives. The eight real models, of one data set, are like the first. The
# authors' table can decide.
#
# :::{dropdown} How good are the simulated tables? And if ρ is below 0?
# Some of what the regression prints was not built into them. Within a tenth of the printed value in every table: {glue:text}`near`. Further away in some: {glue:text}`moved`. The latter belong to the sizes of models and data, not to the families. So the tables can show how the
# analysis of families works. They are no evidence for any ρ.
#
# [If ρ were really below 0, the printed standard errors would be too large, also those of architectures: with {glue:text}`under.rho:z.2f`, {glue:text}`under.data` data families and {glue:text}`under.towers` architecture family would be significant.]{.holds #under_more}
# :::

# %% tags=["hide-cell"]
BESIDE = {"scale": "residual variance"}  # claim → what it is called here
for i, effect in enumerate(upstream.RANDOM):
    for other in upstream.RANDOM[: i + 1]:
        called = f"variance of {effect}" if effect == other else f"covariance of {other} with {effect}"
        BESIDE[f"random.{effect}.{other}"] = called
BESIDE |= {f"{name}.se": f"standard error of {name}" for name in ("log-params", "log-dataset-size")}
BESIDE["log-likelihood"] = "log-likelihood"
others = pd.DataFrame({share: upstream.estimates(upstream.fitted(own)) for share, own in twins.items()})
ends = others.loc[list(BESIDE)].agg(["min", "max"], axis=1).set_axis(["smallest, twins", "largest, twins"], axis=1)
paper = pd.Series({name: vb.ledger.claim(f"upstream.{name}").printed.number for name in BESIDE})
quality = ends.assign(printed=paper)[["printed", *ends]].rename(index=BESIDE)
off = quality.drop(columns="printed").sub(quality["printed"], axis=0).div(quality["printed"], axis=0).abs().max(axis=1).drop("log-likelihood")
vb.note(near=words.listed(off[off < 0.1].index), moved=words.listed(off[off >= 0.1].index))
tables.readable(quality, precision=3).format(lambda n: tables.number(n, precision=0), subset=pd.IndexSlice[["log-likelihood"], :])

# %% [markdown]
# ## The protocol, run on {data}
#
# With the authors' table (see the box at the end), this section runs their regression, computes ρ, and counts every model once. Where we did not have it, this section is empty, and the rest of the page uses
# a simulated table with a share of {glue:text}`percent:.0f` %, where ρ is near the upper end of the real interval (architecture and size not held constant).

# %% tags=["hide-cell"]
table = simulated(shared)
vb.note(percent=100 * shared)

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
    by_rows = real_fits["released"].coefficients.filter(like="dataset[", axis=0)["p"] < upstream.ALPHA
    by_models = upstream.both_ways(own)["networks"]["p"] < upstream.ALPHA
    print(f"data families below .01, of {len(by_rows)}: {by_rows.sum()} with 26 rows a model, {by_models.sum()} with one row per model")
    print("correlation between two results of one model in tests of the same kind:", f"{share_of:.2f}")

# %% [markdown]
# ## What this method can see
#
# How often the regression finds families that do nothing, for each ρ, is the subject of [Stress](stress.ipynb). Here we ask what hangs on the reference.
#
# :::{dropdown} Other analyses than one row for each model
# Three analyses keep all rows: an *effect of each model* (a second random effect), the *sandwich* (standard errors that allow the rows of a model to be alike), and the *bootstrap* (models are sampled anew, with all their rows). The next cell has their standard errors for two families.
#
# [An effect of each model and one row for each model give the same standard errors here.]{.holds #same_errors} [For YFCC15M, sandwich and bootstrap give much smaller ones.]{.holds #too_sure} They estimate from the table how much models of a family vary. But CC12M is one model and YFCC15M two, and one or two models do not show this.
# :::

# %% tags=["hide-cell"]
def analyses(table):
    """The coefficients of a table, by method."""
    X, d, models = upstream.design(table), table["effect_size"], table["model"]
    draws = vb.clustered.bootstrap(d, X, models, n_resamples=n_resamples, seed=seed)
    return {
        "published": upstream.fitted(table).coefficients,
        "sandwich": vb.clustered.least_squares(d, X, clusters=models),
        "bootstrap": vb.clustered.intervals(draws),  # no p
        "effect of each model": upstream.fitted(table, ["model"]).coefficients,
        "one row for each model": vb.clustered.least_squares(*upstream.one_row(table)),
    }


se = pd.DataFrame({method: fit["se"] for method, fit in analyses(table).items()})
se.loc[["dataset[dfn]", "dataset[yfcc15m]"]].round(3)

# %% tags=["hide-input"]
yfcc, one_row = se.loc["dataset[yfcc15m]"], se["one row for each model"]
apart = (se["effect of each model"] / one_row - 1).filter(like="[").abs().max()
vb.holds(same_errors=bool(apart < 0.02),
         too_sure=bool(max(yfcc["sandwich"], yfcc["bootstrap"]) < 0.9 * yfcc["one row for each model"]))

# %% tags=["needs-clip-bias-results", "hide-output"]
if vb.sources.at_hand("clip-bias-results"):
    counts = {method: (fit["p"] < upstream.ALPHA).groupby(lambda name: name.partition("[")[0]).sum()
              for method, fit in analyses(real["released"]).items() if "p" in fit}
    display(tables.readable(pd.DataFrame(counts).T[["architecture", "dataset"]]))

# %% [markdown]
# ### Is it the reference?
#
# If the one model of CC12M has a low $d$ for reasons of its own, all other families seem to have a high one. What if another family were the reference? We fit the published regression to the simulated table, with each family in turn as the reference, and count how many others then differ significantly:

# %%
reference, against = {}, {}
for family, models in table.groupby("dataset")["model"].nunique().items():
    against[family] = upstream.both_ways(table, {"dataset": family})
    significant_here = (against[family]["published"]["p"] < 0.01).sum()
    reference[family] = {"models": models, "significant": significant_here}
reference = pd.DataFrame(reference).T

# %% tags=["hide-input"]
ends, rest = reference.loc[["cc12m", "dfn"], "significant"], reference["significant"].drop(["cc12m", "dfn"])
against_dfn = against["dfn"]["networks"]
vb.note(references={"own": int(ends["cc12m"]), "dfn": int(ends["dfn"]), "dfn_once": int((against_dfn["p"] < upstream.ALPHA).sum())})
vb.holds(two_ends=bool(ends.min() > 2 * rest.max()), dfn_once=bool(((against_dfn["p"] < upstream.ALPHA) & (against_dfn["coef"] < 0)).sum() > len(against_dfn) / 2))
reference.rename(index=lambda family: authors.NAMES[family.replace("_", "-")])

# %% [markdown]
# [With CC12M as the reference, {glue:text}`references.own` families differ significantly, and with DFN, {glue:text}`references.dfn` do. With each of the eight others, it is fewer than half as many.]{.holds #two_ends} So the regression mainly says that CC12M,
# a single model, lies lower than the others, and that DFN lies higher. [The second remains largely if each model counts once: against DFN, {glue:text}`references.dfn_once` families have a significantly smaller $d$.]{.holds #dfn_once} (So it is in this simulated table; the printed one does not give these comparisons.)
#
# The released scripts measure this one model in the mode that is meant for training ([a chapter on this](train_mode.ipynb)). If this changes its $d$, all nine coefficients change by the same amount ({numref}`upstream-shift`).
#
# ### Do data matter at all, whatever the reference?
#
# Does each factor as a whole explain more than chance? This is one test for each factor (an F-test), and needs no reference. With one row for each model, in each of the simulated tables:

# %%
by_share = pd.DataFrame({
    rho: upstream.joint(own)["p"]
    for rho, own in zip(counted["rho"].round(3), twins.values(), strict=True)
}).T.rename_axis(index="rho", columns=None)
names = {"dataset": "p, data as a whole", "architecture": "p, architecture as a whole"}
by_share.rename(columns=names)[list(names.values())].round(4)

# %% tags=["hide-input"]
p = by_share.set_axis(SHARES)
vb.note(whole={key: p.loc[share].to_dict() for share, key in named.items()})
vb.holds(data_whole=bool((p.loc[:0.03, "dataset"] < upstream.ALPHA).all()), data_open=bool(p.loc[0.1, "dataset"] > upstream.ALPHA), tower_never=bool((p.loc[:0.03, "architecture"] > 0.05).all()))

# %% [markdown]
# [With a ρ of up to {glue:text}`alike.upper:.3f`, near the upper end for the real models, data as a whole are significant,]{.holds #data_whole} [and architectures as a whole are not.]{.holds #tower_never} This is what the paper says. [With {glue:text}`alike.tenth:.3f`, data as a whole are
# not significant at .01, either (p = {glue:text}`whole.tenth.dataset:.3f`).]{.holds #data_open}
#
# The paper says more: of the factors, data are "the most significant". A smaller p does not mean that a factor matters more, which we did not test.
#
# (upstream-means)=
# ## What this means
#
# **For the paper.** Eight real models of one data set speak for the
# printed *p*, but they are few, and do not test the finding itself; the print alone cannot support it, because it does not give ρ. One command on this page computes ρ from the authors' public table. A second weakness cannot be removed by any analysis: the reference is one model. It would take several models trained on CC12M to separate what is due to these data from what is
# due to this model.
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
# .venv/bin/vlmbias sources --fetch clip-bias-results
# .venv/bin/vlmbias run pretraining/upstream
# .venv/bin/vlmbias run pretraining/upstream -p shared=0.5
# ```
# The first line fetches the authors' table. The second then sets every coefficient beside the printed one. The third uses a simulated table in which half of the noise is in common in the later sections.
# :::
#
# ## Take-aways
#
# - Ask of every predictor of what it is a property: a property of models has as many observations as there are models, unless the results of a model do not go together on average.
# - A printed table with thousands of rows does not show how alike the rows of one model are, so print ρ.
# - If you keep several rows for each model, give the model an effect of its own.
# - With a reference of one model, every comparison is also a statement about that one model: choose one with many models, or test the factor as a whole.
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
moved = (after["coef"] - before["coef"]).groupby(lambda name: name.partition("[")[0]).agg(["min", "max"])
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
# 2. The authors chose their reference by a hypothesis. What else could a reference be chosen by, and what would each choice cost?
