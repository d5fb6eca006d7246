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
# # Upstream factors: one regression on 131 models
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figures 3 and 6: which properties of 131 models predict their effect sizes in 26
# association tests.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Data families differ "significantly", architectures do not. How many observations is that: 3,406 effect sizes, or 131 models?
#
# **In 20 minutes:** {ref}`the answer in one figure <upstream-answer>`, {ref}`the printed table <upstream-printed>`,
# {ref}`five standard errors of one coefficient <upstream-methods>`, take-aways. **In 75 minutes:** also the reference level, labels assigned anew, both exercises.
#
# **You need:** regression with dummy variables, standard errors, the idea of a random effect. Before this page:
# [effect sizes](effect_sizes.ipynb).
#
# **Content note.** The page prints numbers about tests of race, gender and age, and none of their stimuli.
# :::
#
# **The idea.** Each model gives 26 effect sizes $d$. A linear mixed model explains them by the model's number of parameters, architecture family,
# data family and size of data. A random intercept and two random slopes let the 20 combinations of modality order and category (*groups* $j$) differ:
#
# $$\begin{aligned} d_{ij} ={}& \beta_0 + \beta_1 \log \text{param}_i + \beta_2\, \text{arch}_i \\
# &+ \beta_3\, \text{data}_i + \beta_4 \log \text{size}_i \\
# &+ u_{0j} + u_{1j} \log \text{param}_i \\
# &+ u_{2j} \log \text{size}_i + \varepsilon_{ij} \end{aligned}$$
#
# Everything on the right is a property of a *model*, but for $u$ and $\varepsilon$. That the 26 errors $\varepsilon$ of one model are independent is what lets 26
# tests count as 26 observations of its data family.
#
# **What the authors conclude.** "We demonstrate that the choice of training dataset significantly impacts intrinsic bias, independent of other upstream factors such as
# model architecture or parameter count." "Filtering methods driven by automated neural network decisions … tend to exacerbate societal biases even
# further." "None of the architectural families demonstrated a significant impact".
#
# **Their own checks and limits.** Families replace single data sets and architectures because the larger model did not converge; random slopes improve the
# log-likelihood. "Further empirical studies are needed to compare a broader range of datasets and model configurations to provide a more robust statistical basis".

# %% tags=["parameters"]
shared = 0.25  # share of the noise in a simulated model's effect sizes that its 26 tests have in common; from 0 to 1
n_resamples = 1_000  # bootstrap resamples of models; at least 20
n_permutations = 2_000  # permutations of what the families are asked to explain; at least 20
n_draws = 500  # how often whole models' results are dealt out anew; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/upstream.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import fleet_table
from studies import tables, words
from studies.pretraining import downstream, effect_sizes, twin, upstream
from vlmbias.external import study_table

vb.figures.style()
ledger = vb.ledger.load("pretraining")
printed = upstream.printed(ledger)

# %% [markdown]
# ## The answer in one figure
#
# The released table of effect sizes is not shipped with this book. In its place stands a *twin*: 131 simulated models with the published families, sizes, means,
# standard deviations, correlations and regression coefficients, all else drawn. One thing that nothing printed tells is a dial: which share of the
# noise in a model's effect sizes its 26 tests have in common, as they would if a model that is a little off in one test were off in others, too.

# %%
SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
STEPS = {0.0: "nothing", 0.1: "tenth", 0.25: "quarter"}


def simulated(share):
    cells, r = effect_sizes.cells(ledger), downstream.printed(ledger)["r"].to_dict()
    return upstream.prepared(twin.generate(cells, r, shared=share, seed=seed))


twins = {share: simulated(share) for share in SHARES}
rows, besides, alike = [], {}, {}
for share, table in twins.items():
    as_published = upstream.fitted(table)
    besides[f"twin, share {share:g}"] = upstream.beside_printed(as_published)
    alike[share] = upstream.share_of_models(upstream.fitted(table, ["model"]))  # correlation of a model's rows in a group
    fits = {"26 rows a model, as published": as_published.coefficients,
            "one row per model": vb.clustered.least_squares(*upstream.one_row(table))}
    for how, fit in fits.items():
        data = fit[fit.index.str.startswith("dataset[")]
        rows.append({"share": share, "how": how, "p < .01, of 9 data families": (data["p"] < upstream.ALPHA).sum(), **data.loc["dataset[dfn]", ["coef", "se"]]})
dial = pd.DataFrame(rows).rename(columns={"se": "standard error of DFN"})

# %% tags=["hide-input"]
FAMILIES, ERROR = "p < .01, of 9 data families", "standard error of DFN"
at = dial.pivot(index="share", columns="how", values=[FAMILIES, ERROR])
rows_name, models_name = dial["how"].unique()
drawn = dial.melt(["share", "how"], [FAMILIES, ERROR], "panel", "value")
vb.figures.show(
    vb.figures.levels(drawn, level="share", value="value", group="how", panel="panel", points=drawn, heavy=[rows_name, models_name], columns=1,
                      level_label="share of the noise that a model's tests have in common", value_label=" "),
    name="upstream-answer",
    alt="Data families that differ from CC12M at .01, of nine, in simulated tables that have the printed coefficients. As published: "
    + ", ".join(f"{n:.0f} at share {share:g}" for share, n in at[FAMILIES, rows_name].items()) + ". One row per model: "
    + ", ".join(f"{n:.0f} at {share:g}" for share, n in at[FAMILIES, models_name].items()) + ".",
    caption="How many data families are significant at .01 against CC12M, and the standard error of one, in six simulated tables with the same printed results, under two analyses.",
    source="simulated",
)
vb.note(count=words.listed(f"{n:.0f}" for n in sorted(set(at[FAMILIES, rows_name]))), first=int(at[FAMILIES, models_name].iloc[0]), last=int(at[FAMILIES, models_name].iloc[-1]),
        counts={name: f"{at[FAMILIES, models_name][share]:.0f}" for share, name in STEPS.items()}, tenth=alike[0.1],
        dfn=dial["coef"].mean(), se={"rows": at[ERROR, rows_name].max(), "models": at[ERROR, models_name].iloc[0], "models_high": at[ERROR, models_name].iloc[-1]})

# %% [markdown]
# All six tables have the printed coefficients: that of DFN is {glue:text}`dfn:.3f` in each. The published analysis counts {glue:text}`count`
# significant families whatever the dial says.
#
# With models as the cases, the count is {glue:text}`counts.nothing` only where tests share exactly nothing beyond what performance brings along. At a tenth of the noise it is
# {glue:text}`counts.tenth`, at a quarter {glue:text}`counts.quarter`. How much is a tenth? A model's rows then correlate by {glue:text}`tenth:.2f` within a group of tests. In two fleets of our own networks it is
# {glue:text}`own.null:.2f` and {glue:text}`own.recipe:.2f` ([Stress](stress.ipynb)); no share carries over to CLIP.
#
# The standard error of DFN is between {glue:text}`se.models:.2f` and {glue:text}`se.models_high:.2f` instead of {glue:text}`se.rows:.2f`.
# **The printed table is compatible with every share.** Which it is can be read off the released rows; measuring the models again tells it, too.
#
# ### How good is the twin?
#
# Much of what the regression prints was not built in. Beside the printed values, the smallest and the largest of the six twins:

# %%
own = {}  # how much the rows of one network repeat each other, in two fleets with known training
for name, fleet in {"null": fleet_table.read("null"), "recipe": fleet_table.read("planted").query("dataset == 'common'")}.items():
    own[name] = upstream.share_of_models(upstream.fitted(upstream.prepared(fleet).assign(dataset="one"), ["model"]))
said = upstream.printed_beside(ledger)
twins_say = pd.DataFrame(besides)
quality = pd.DataFrame({"printed": said, "least, twins": twins_say.min(axis=1), "most, twins": twins_say.max(axis=1)})
tables.readable(quality, precision=3).format(lambda n: tables.number(n, precision=0), subset=pd.IndexSlice[["log-likelihood"], :])

# %% tags=["hide-input"]
off = quality[["least, twins", "most, twins"]].sub(quality["printed"], axis=0).div(quality["printed"], axis=0).abs().max(axis=1)
off = off.drop("log-likelihood")
vb.note(own=own, near=words.listed(off[off < 0.1].index), moved=words.listed(off[off >= 0.1].index))

# %% [markdown]
# Every twin comes within a tenth of the printed {glue:text}`near`. It misses by more, in some twin: {glue:text}`moved`. The printed fit is not at the boundary (its smallest eigenvalue
# is computed below), the twins are. So the twin is a good stand-in for how the analysis works, and no evidence for any of the shares.

# %% [markdown]
# ## What the paper reports

# %%
vb.ledger.show(vb.ledger.table("pretraining/upstream"))

# %%
FACTORS = {"dataset": "data, against CC12M", "architecture": "architecture, against CoCa", "log": "per standard deviation"}
drawn = printed.drop("intercept").reset_index()
drawn["factor"] = drawn["term"].str.extract(r"^(dataset|architecture|log)", expand=False)
drawn["said"] = np.where(drawn["p"] < upstream.ALPHA, "p < .01", "not significant at .01")
drawn["line"] = drawn["term"].str.replace(r"^(dataset|architecture)\.", "", regex=True) + drawn["factor"].map({"dataset": " (data)", "architecture": "", "log": ""})
drawn = drawn.sort_values(["factor", "coef"], key=lambda own: own.map(list(FACTORS).index) if own.name == "factor" else -own)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(drawn, estimate="coef", low="low", high="high", label="line", group="said", value_label="coefficient (units of d) with its 95 % interval"),
    name="upstream-printed",
    alt=f"Printed coefficients. Data families lie between {printed.filter(like='dataset.', axis=0)['coef'].min():.2f} and {printed.filter(like='dataset.', axis=0)['coef'].max():.2f}, "
    f"architectures between {printed.filter(like='architecture.', axis=0)['coef'].min():.2f} and {printed.filter(like='architecture.', axis=0)['coef'].max():.2f}.",
    caption="Figure 3, redrawn from the table of Figure 6. Data families are compared with CC12M (one model), architectures with CoCa (four models).",
    source="paper:pretraining, Figure 6",
)

# %% [markdown]
# ### Do the printed numbers agree with each other?

# %%
checks = vb.ledger.audit("pretraining").query("notebook == 'pretraining/upstream' and rule != ''")
table_checks = checks[checks["rule"] == "coefficient"]
held = checks["verdict"].str.startswith("consistent")
covariance = upstream.printed_covariance(ledger)
smallest = np.linalg.eigvalsh(covariance)[0]
intercepts = covariance.loc["intercept", "intercept"]
by_counting = intercepts * np.sqrt(2 / (20 - 1))  # standard error of a variance from 20 normal values
scale = float(ledger.set_index("id").loc["upstream.scale", "value"])

# %% tags=["hide-input"]
between = printed.loc[printed["p"].between(upstream.ALPHA, 0.05)].index
vb.note(checks=len(checks), held=int(held.sum()), printed_rows=words.among(int(table_checks["verdict"].str.startswith("consistent").sum()), len(table_checks)),
        failed=words.listed(checks.loc[~held, "claim"].str.removeprefix("upstream.")), between=words.listed(between), smallest=smallest, by_counting=by_counting,
        times=np.sqrt(scale) * 0.342)

# %% [markdown]
# Of {glue:text}`checks` checks {glue:text}`held` hold, among them {glue:text}`printed_rows` rows of coefficient, standard error, $z$, $p$ and interval. Not: {glue:text}`failed`. The text counts
# {claim}`upstream.combinations` combinations where the regression has {claim}`upstream.groups` (G6). The level decides about words: between .01 and .05 lie {glue:text}`between` (G13).
# "Marginal associations" of CC12M cannot be observed: it is the reference and has no coefficient.
#
# Two more things can be told from the table. The software warned that the fit may be "on the boundary"; the smallest eigenvalue of the printed covariance of random
# effects is {glue:text}`smallest:.4f`, not zero. And the printed standard errors of (co)variances are in no unit: statsmodels prints those of the covariance over $\sigma^2$, times $\sigma$.
# For the intercepts {claim}`upstream.random.intercept.intercept.se` is printed; times $\sigma$ once more it is {glue:text}`times:.3f`, and a variance of 20 values has {glue:text}`by_counting:.3f`.

# %% [markdown]
# ## The protocol, run on {data}
#
# The published specification with the published software, by two optimisers instead of one, on the twin with the dial at `shared`:

# %%
table = upstream.prepared(twin.generate(effect_sizes.cells(ledger), downstream.printed(ledger)["r"].to_dict(), shared=shared, seed=seed))
fit = upstream.published(table)
beside = fit.coefficients[["coef", "se"]].set_axis(fit.coefficients.index.map(upstream.claim_of)).add_suffix(", twin")
compared = printed[["coef", "se"]].add_suffix(", printed").join(beside)
tables.readable(fit.tried)

# %% tags=["hide-output"]
tables.readable(compared, precision=3, names={name: name.removeprefix("architecture.").removeprefix("dataset.") + (" (data)" if name.startswith("dataset.") else "") for name in compared.index} | {"coef, printed": "printed", "se, printed": "SE, printed", "coef, twin": "twin", "se, twin": "SE, twin"})

# %% tags=["hide-input"]
away = np.abs(compared["se, twin"] / compared["se, printed"] - 1)
vb.note(remarks="; ".join(fit.remarks) or "nothing to remark", away=away[away.index.str.startswith(("dataset", "architecture"))].max())

# %% [markdown]
# Coefficients of the families agree because the twin is built so. Standard errors were not built in, and those of the families come within {glue:text}`away:.1%` of the printed ones:
# they depend on the design and the residual variance, not on how a model's tests hang together. An optimiser's "converged" is its own opinion; the record of a fit compares two, and
# asks whether the likelihood still rises where they stopped. Of this fit it says: {glue:text}`remarks`. (For this page's other fits an engine of our own is
# used, penalised least squares {cite:p}`bates2015`; it gives lme4's values on four simulated sets.)
#
# With the released table, the same lines give the paper's digits; beside them, data families as the text describes them (G3, G4), without the NLLB-CLIP models, whose data it does not
# state: a family of their own would be the same four models as their architecture.

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
    print("share of the variance within groups that is the models':", f"{share_of:.0%}")
    methods = upstream.remedies(own, n_resamples=n_resamples, seed=seed)
    display(tables.readable(upstream.significant_counts(methods).assign(method=lambda one: one["method"].map(upstream.METHODS))).hide(axis="index"))

# %% [markdown]
# ## What this method can see
#
# That data matter and architecture does not rests on five assumptions. Each has a counter-example.
#
# 1. *A model's 26 errors are independent.* Counter-example: the same coefficients with models as the cases.
# 2. *The reference level is a neutral zero.* Counter-example: every other family in its place.
# 3. *Significant here and not there means more here than there.* Counter-example: one test of each factor as a whole.
# 4. *With nothing to find, one family in a hundred alarms.* Counter-example: whole models' results assigned anew.
# 5. *A coefficient is about captions.* Counter-example: networks whose captions we wrote.
#
# ### Models as the cases
#
# Five analyses of one table. *Sandwich* and *bootstrap* keep all rows and let those of a model depend on each other; an *effect of each model* is a second random
# effect, crossed with the groups; *one row per model* is least squares on 131 means.

# %%
methods = upstream.remedies(table, n_resamples=n_resamples, seed=seed)
effect = upstream.fitted(table, ["model"])
family = upstream.fitted(table, ["dataset", "model"])
parts = {"model": upstream.variance_shares(effect), "family": upstream.variance_shares(family)}
alarms = upstream.significant_counts(methods).pivot(index="method", columns="factor", values="below").reindex(list(upstream.METHODS)).dropna()

# %% tags=["hide-input"]
SHOWN = ["dataset[dfn]", "dataset[commonpool]", "dataset[laion]", "dataset[yfcc15m]", "architecture[NLLB-CLIP Models]"]
five = methods[methods["term"].isin(SHOWN)].sort_values(["term", "method"], key=lambda one: one.map((SHOWN + list(upstream.METHODS)).index))
five = five.assign(how=five["method"].map(upstream.METHODS), line=five["term"].map(upstream.claim_of).str.partition(".")[2].where(five["method"] == "published", " "))
vb.figures.show(
    vb.figures.forest(five, estimate="coef", low="low", high="high", label="line", group="how", value_label="coefficient (units of d) with its 95 % interval"),
    name="upstream-methods",
    alt="Intervals of five coefficients under five analyses. For DFN the standard errors are " + ", ".join(
        f"{row.se:.2f} ({row.how})" for row in five[five["term"] == "dataset[dfn]"].itertuples()) + ".",
    caption=f"Four data families (against CC12M) and one architecture family (against CoCa) under five analyses of one simulated table, with the dial at {shared:g}.",
    source="simulated",
)
se = methods.pivot(index="term", columns="method", values="se")
told = methods[methods["method"] == "bootstrap"].set_index("term")["identified"]
vb.note(ratio=(se["one-row"] / se["published"]).loc[SHOWN[0]], same=np.abs(se["model"] / se["one-row"] - 1).filter(like="[").max(), yfcc=se.loc["dataset[yfcc15m]"].to_dict(),
        told=told["dataset[dfn]"], alarms=words.listed(f"{int(row['dataset'])} ({upstream.METHODS[name]})" for name, row in alarms.iterrows()), towers=int(alarms["architecture"].max()),
        share=upstream.share_of_models(effect), family=parts["family"]["dataset"] / (parts["family"]["dataset"] + parts["family"]["model"]))

# %% [markdown]
# As every model took every test, the coefficients of the families are those of a regression on 131 means, whatever the analysis; what changes is how well they are known.
# One row per model gives standard errors {glue:text}`ratio:.1f` times the published ones, and an effect of each model the same to {glue:text}`same:.1%`: it finds that
# {glue:text}`share:.0%` of the variance within groups is the models'. Families significant at .01: {glue:text}`alarms`; architectures: at most {glue:text}`towers` in any analysis. With data families as a random
# effect *above* the models, they hold {glue:text}`family:.0%` of the variance between models.
#
# Sandwich and bootstrap can be *too sure*. A family of one or two models is fitted almost without residual, and neither sees a spread that is not in the sample: for YFCC15M (two
# models) against CC12M (one) they give {glue:text}`yfcc.sandwich:.2f` and {glue:text}`yfcc.bootstrap:.2f`, one row per model {glue:text}`yfcc.one-row:.2f`. And only {glue:text}`told:.0%` of the resamples hold the CC12M model at all. No analysis of these 131
# models can tell CC12M's data from that one network.
#
# ### Another reference

# %%
references = upstream.by_reference(table)
tables.readable(references, precision=3, names={"rows": "p < .01, rows", "cases": "p < .01, models", "se_rows": "SE, rows", "se_cases": "SE, models"}).hide(axis="index")

# %% tags=["hide-input"]
by = references.set_index("reference")
others = by.drop("cc12m")
vb.note(differ=int(by.loc["cc12m", "rows"]), others=words.listed(sorted(set(others["rows"]))), cases=int(by["cases"].max()),
        most=words.extreme(list(others["rows"]), list(others.index)), widest=words.extreme(list(by["se_rows"]), list(by.index)),
        narrowest=words.extreme(list(by["se_rows"]), list(by.index), largest=False))

# %% [markdown]
# Against CC12M {glue:text}`differ` of nine families differ at .01 as published; against the other families {glue:text}`others` do (most: {glue:text}`most`), and at most {glue:text}`cases` with one row
# per model. Contrasts with {glue:text}`widest` have the largest standard errors, those with {glue:text}`narrowest` the smallest. That eight families exceed CC12M is close to one statement,
# not eight: that the RN50 trained on CC12M lies low (G2). It is one of the few networks in which batch normalisation was left in train mode (G1; [a chapter on that](train_mode.ipynb)). What one network's mode moves, moves all nine
# coefficients by the same amount and no standard error ({numref}`upstream-shift`).
#
# ### Both factors asked alike

# %%
asked = upstream.joint(table, n_permutations=n_permutations, seed=seed)
tables.readable(asked, names={"df_rest": "df, rest", "p_permuted": "p, permuted"}).format(tables.p_value, subset=["p", "p_permuted"]).hide(axis="index")

# %% tags=["hide-input"]
p = asked.set_index(["factor", "cases"])
LIMIT = upstream.ALPHA
vb.note(data={"rows": p.loc[("dataset", "rows"), "p"], "models": p.loc[("dataset", "models"), "p_permuted"]},
        towers={"rows": p.loc[("architecture", "rows"), "p"], "models": p.loc[("architecture", "models"), "p_permuted"]})

# %% [markdown]
# A factor as a whole does not depend on any reference. Data families: $p$ = {glue:text}`data.rows:.1e` with rows as cases, {glue:text}`data.models:.3f` with models (labels permuted over models).
# Architecture: {glue:text}`towers.rows:.2f` and {glue:text}`towers.models:.2f`. A factor that is not significant is not a factor without influence: the printed interval of Specialized ViTs reaches from
# {claim}`upstream.architecture.specialized-vit.low` to {claim}`upstream.architecture.specialized-vit.high`, which holds zero and most of the differences between data families.
#
# ### Nothing to find
#
# Give each model's 26 results, together, to another model. Then no upstream factor can matter, and models still differ as they did. How often does some family alarm?

# %%
draws = {share: upstream.exchanged_results(twins[share], n=n_draws, seed=seed) for share in (0.0, 0.5)}
alarmed = {(share, factor, cases): own["single"].to_numpy(bool) for share, table_of in draws.items() for (factor, cases), own in table_of.groupby(["factor", "cases"])}
rates = vb.networks.rates(alarmed).rename_axis(["share", "factor", "cases"]).reset_index().sort_values("cases", ascending=False, kind="stable")

# %% tags=["hide-input"]
rates["line"] = rates["factor"].map({"dataset": "data", "architecture": "architecture"}) + rates["share"].map(", share {:g}".format)
rates["how"] = rates["cases"].map({"rows": "26 rows a model", "models": "one row per model"})
vb.figures.show(
    vb.figures.rates(rates, rate="rate", low="low", high="high", label="line", group="how", nominal=None, value_label="% of draws with some family at p < .01, exact 95 % interval"),
    name="upstream-dealt",
    alt="How often some family alarms where nothing upstream matters: " + "; ".join(f"{row.line}, {row.how}: {row.rate:.0%}" for row in rates.itertuples()) + ".",
    caption="Results of whole models assigned anew over models of the simulated table: how often at least one coefficient of a factor has p below .01.",
    source="simulated",
)
of = rates.set_index(["cases", "factor", "share"])["rate"]
vb.note(rows={"data": of["rows", "dataset", 0.0], "towers": of["rows", "architecture", 0.0], "half": of["rows", "dataset", 0.5]}, models=of["models"].max())

# %% [markdown]
# With rows as cases some data family alarms in {glue:text}`rows.data:.0%` of draws although tests share no noise but what comes with performance, and in {glue:text}`rows.half:.0%` if they share half;
# some *architecture* alarms in {glue:text}`rows.towers:.0%`. With models as cases, {glue:text}`models:.0%` at most: nine (seven) questions at .01 each. These rates are properties of the twin, no estimate for CLIP.
#
# (upstream-fleet-section)=
# ### Known effects: the fleet
#
# In the Greenhouse 131 networks of eight architecture families were trained on captions of ten data families, which filter, garble, rename or weaken what is said, or leave it as it is
# (`common`, the reference here). What each does to the odds of a pleasant word was counted; architecture changes no caption. For tests of pictures against words the raw gap has the captions'
# unit, log odds. Only networks that passed their gates are used here, which leaves out {glue:text}`rejected`; [Stress](stress.ipynb) and [Performance](downstream.ipynb) keep all.

# %%
fleet = upstream.prepared(fleet_table.read("planted").query("accepted"))
known = upstream.recovered(fleet, fleet_table.truth(), "common").sort_values("planted", ascending=False)
outcomes = {outcome: upstream.remedies(fleet, outcome=outcome, references={"dataset": "common"}, n_resamples=n_resamples, seed=seed) for outcome in ("effect_size", "gap")}
both = pd.concat({outcome: upstream.significant_counts(own).set_index(["method", "factor"])["below"] for outcome, own in outcomes.items()}, axis=1).unstack()
tables.readable(both.rename(index=upstream.METHODS, columns={"effect_size": "d, 26 tests", "gap": "raw gap, 26 tests"}).rename_axis(index=None, columns=[None, "families with p < .01"]))

# %% tags=["hide-input"]
ends = pd.concat([known.assign(how="shown, one row per model", value=known["coef"]), known.assign(how="in the captions", value=known["planted"], low=known["planted"], high=known["planted"])])
ends = ends.sort_values(["planted", "how"], ascending=False, kind="stable", ignore_index=True).assign(line=lambda own: own["dataset"].where(own["how"].str.startswith("shown"), " "))
told_apart = words.listed(known.loc[known["found"], "dataset"])
vb.figures.show(
    vb.figures.forest(ends, estimate="value", low="low", high="high", label="line", group="how", value_label="raw gap against common, log odds, 95 % interval"),
    name="upstream-fleet",
    alt="Coefficients of nine data families of the fleet beside what their captions say: " + "; ".join(f"{row.dataset} {row.coef:.2f} ({row.planted:.2f})" for row in known.itertuples()) + ".",
    caption="Greenhouse networks: how much more pictures of the first groups are called pleasant than those of the second, against the family with plain captions; five tests.",
    source="greenhouse",
)
strong = {outcome: own.assign(factor=upstream.factor_of(own["term"])).query("p < @upstream.ALPHA and factor == 'dataset'") for outcome, own in outcomes.items()}
named = {outcome: {method: words.listed(own.loc[own["method"] == method, "term"].map(upstream.claim_of).str.partition(".")[2]) for method in ("published", "one-row")} for outcome, own in strong.items()}
towers = both.xs("architecture", axis=1, level="factor")
vb.note(networks=fleet["model"].nunique(), rejected=int((~fleet_table.models("planted")["accepted"]).sum()), covered=words.among(int(known["covered"].sum()), len(known)), found=told_apart, d=named["effect_size"], gap=named["gap"],
        arch={"d": int(towers.loc["published", "effect_size"]), "gap": int(towers.loc["published", "gap"]), "models": int(towers.loc["one-row"].max())})

# %% [markdown]
# With one row for each of {glue:text}`networks` networks the interval holds what the captions say for {glue:text}`covered` families; told from `common` at .01, with the right sign: {glue:text}`found`.
# Over all 26 tests, as published, $d$ makes these significant: {glue:text}`d.published`; with one row per model: {glue:text}`d.one-row`. The raw gap: {glue:text}`gap.published`; with one row: {glue:text}`gap.one-row`.
# Architectures significant as published: {glue:text}`arch.d` ($d$) and {glue:text}`arch.gap` (gap); with one row per model at most {glue:text}`arch.models`. Renaming two groups changes no
# picture's caption odds, only whose names they are, so that tests of names turn. False alarms and references at scale: [the chapter on stress](stress.ipynb).
#
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `8dffa18`; each point was checked against its notebook and scripts.
#
# | | paper | code, or the arithmetic above | here |
# |---|---|---|---|
# | mode (G1) | not mentioned | the scripts that measure effect sizes never call `.eval()`; the one for retrieval does | [a chapter of its own](train_mode.ipynb) |
# | cases (G2) | "3,406 observations" | 26 rows a model, no effect of the model; CC12M is one model, DFN four | five analyses |
# | families (G3) | CommonPool, filtered in several ways | the first keyword found counts, `laion` before `commonpool`: `commonpool_xl_laion_filtered` is LAION | both, with the released table |
# | groups (G6) | 16 combinations | 20 | 20 |
# | sizes of data (G10) | 12 million to 5 billion | 1.4 million to 13 billion, recovered from the notebook's output | as in the code |
# | level (G13) | "no significant" architecture or size | .01; NLLB-CLIP .041, data size .037 | both levels named |
# | reference | CC12M, "chosen because we hypothesized …" | the first in alphabetical order, for both factors | every family |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias sources fetch clip-bias-results
# .venv/bin/vlmbias run pretraining/upstream
# .venv/bin/vlmbias run pretraining/upstream -p shared 0.5
# ```
# The first line fetches the released table; the second then sets every coefficient beside the printed one.
# :::
#
# ## Take-aways
#
# - Predictors that belong to models need models as cases: a random effect for each, or one row per model. Where all took the same tests, both give the same coefficients and standard errors.
# - A printed table with 3,406 rows says nothing about how much the rows of one model repeat each other. Print the variance between models.
# - A reference level of one model makes every contrast a statement about that model. Print contrasts with a large family, or test the factor as a whole.
# - Few cases in a level: sandwich and bootstrap come out too small, not too large.
# - Report each optimiser's log-likelihood. "Converged" is the optimiser's opinion.
#
# ## Exercises
#
# :::{exercise} One network's mode
# :label: upstream-shift
# :level: intermediate
# :minutes: 15
# :code: yes
# Suppose evaluation mode raises all effect sizes of the CC12M model by 0.3. Without refitting: what happens to the coefficients of the nine data families, of architectures, and to their standard errors, with one row per model? Then refit.
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
# The CC12M model has a data family of its own, so the regression fits its row exactly. That family is the reference: the change enters the intercept
# and, with the other sign, all nine contrasts. Residuals and predictors of all other rows stay as they were, and with them the architectures and
# every standard error.
#
# ```{solution-end}
# ```
#
# :::{exercise} The design effect
# :label: upstream-design-effect
# :level: advanced
# :minutes: 25
# :code: yes
# Each of 40 models takes 26 tests; the errors of a model correlate with ρ. A property that half of the models have does not matter. By which factor are standard errors from 1,040 independent rows too small? How often does |z| exceed 1.96 at ρ = 0.2? Derive, then simulate.
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
# The mean of $k$ errors that correlate with ρ has the variance $(1 + (k - 1) ρ) / k$ instead of $1/k$. Rows taken as independent leave out the second
# term, so standard errors are too small, and $z$ too large, by its root. A property of models has as many cases as there are models.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Models of one laboratory share code, data and people. If even 131 models are not 131 independent cases, what would be?
# 2. The paper's reference was chosen by hypothesis, and is the first in the alphabet. Does it matter which of the two came first?
