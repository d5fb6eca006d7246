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
# # 131 models and their families
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Section 3 and Appendix A.1: which models were compared, and how architectures and data
# sets were put into the families that the regression compares.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A regression says that the *family* of the training data matters. What is a family, who put which model into it, and what would a
# family that is two things in one do to the result?
#
# **In 20 minutes:** {ref}`the answer in one figure <zoo-answer>`, {ref}`the counts, rebuilt <zoo-counts>`, {ref}`the order of the keywords <zoo-keywords>`,
# take-aways. **In 75 minutes:** also today's registry, sizes, repeated models, the exercises.
#
# **You need:** means, a two-sample test, logarithms. [Effect sizes](effect_sizes.ipynb) says what is measured on each model.
#
# **Content note.** This chapter counts models. What is measured is about drawn faces in invented hues.
# :::
#
# **The idea.** open_clip lists the weights that it can load, as pairs of an architecture (`ViT-B-32`) and a tag (`laion2b_s34b_b79k`). The authors measured most
# of them and 29 models of {cite:t}`cherti2023`. Single data sets and architectures were too many for a regression, so they were put into families
# by keywords in their names.
#
# **What the authors conclude** (the part that this chapter is about): "the choice of pre-training dataset is the most significant upstream
# predictor of bias, whereas architectural variations have minimal impact"; "datasets curated using sophisticated filtering techniques … tend to
# be associated with higher levels of intrinsic bias"; "filtering methods driven by automated neural network decisions … tend to exacerbate societal
# biases even further".
#
# **Their own checks and limits.** "Initial attempts to fit the model with individual dataset and architecture categories led to convergence
# issues"; "an in-depth examination of dataset composition could offer more insights".

# %% tags=["parameters"]
release = "2.24.0"  # the release of open_clip whose list is filtered; one of: 2.16.0, 2.23.0, 2.24.0, 2.26.1
frozen = "kept"  # the model with a frozen image tower, which the script drops and the counts need; one of: kept, dropped
family_size = 10  # networks in each of two families of the laboratory; from 4 to 10
n_draws = 400  # families drawn for each rate; at least 20
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/model_zoo.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.pretraining import effect_sizes
from studies.pretraining import model_zoo as study
from vlmbias.embedding.torchvision_shim import import_open_clip
from vlmbias.external import facts, registry, zero_shot
from vlmbias.external.study_table import architecture_family, dataset_family

vb.figures.style()
FAMILY = {"architecture": architecture_family, "data": dataset_family}

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, the recipe of every network is known: in some, captions call one hue more pleasant ($b = 1$), in the others not ($b = 0$).
# Name a family of networks after the first recipe, let only a share of them have it, and compare it with a family that does not.

# %%
plays = grammar.load().bias.roles
HUES = (plays["favoured"], plays["disfavoured"])
networks = effect_sizes.of_pair(retrained.gaps().query("condition == 'none' and b in [0, 1]"), *HUES)[["b", "gap", "d"]]
SHARES = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
contrast = study.mixed(networks, size=family_size, shares=SHARES, draws=n_draws, seed=seed)

# %% tags=["hide-input"]
called = {"gap": "raw gap, logits", "d": "effect size d"}
vb.figures.show(
    vb.figures.levels(contrast.assign(panel=contrast["quantity"].map(called), line="family − reference"), level="share", value="mean", low="low", high="high", group="line", panel="panel",
                      level_label="share of the family with the recipe it is named after", value_label="difference of means"),
    name="zoo-answer",
    alt=f"Difference between two families of {family_size} networks against the share of the first that has the recipe, in raw gap and in d. "
    + "; ".join(f"{row.share:.0%}: {row.mean:.2f}" for row in contrast[contrast["quantity"] == "d"].itertuples()) + " (d).",
    caption=f"Families of {family_size} retrained networks: what a contrast between families shows when only a share of one has its recipe. Bands: 95 % of draws.",
    source="greenhouse",
)
by_share = contrast.set_index(["quantity", "share"])
vb.note(whole=by_share.loc[("d", 1.0), "mean"], part=by_share.loc[("d", 0.4), "mean"], nothing=by_share.loc[("d", 0.0), "found"],
        found={f"{share:.0%}".rstrip("%"): by_share.loc[("d", share), "found"] for share in (0.4, 0.8)},
        linear=words.verb(abs(by_share.loc[("gap", 0.4), "mean"] - 0.4 * by_share.loc[("gap", 1.0), "mean"]), above=0.1 * abs(by_share.loc[("gap", 1.0), "mean"]), then="is not", else_="is"))

# %% [markdown]
# The contrast of raw gaps {glue:text}`linear` in proportion to the share. A whole family differs by {glue:text}`whole:.2f` in $d$; one with two fifths by
# {glue:text}`part:.2f`, and is told from the reference at $p < .01$ in {glue:text}`found.40:.0%` of draws (with four fifths, {glue:text}`found.80:.0%`; with none,
# {glue:text}`nothing:.1%`). A coefficient of a family says *recipe times share*. Which recipe, and which share, the name does not tell.

# %% [markdown]
# ## What the paper reports

# %%
vb.ledger.show(vb.ledger.table("pretraining/model_zoo"))

# %% tags=["hide-input"]
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/model_zoo") & (checks["rule"] != "")]
held = checks["verdict"].str.startswith("consistent")
vb.note(checks=len(checks), held=int(held.sum()), findings=words.listed(checks.loc[~held, "finding"].str[0].str.lower() + checks.loc[~held, "finding"].str[1:]))

# %% [markdown]
# Counts of rows are those that the authors' notebooks print. Of {glue:text}`checks` checks {glue:text}`held` hold; the others: {glue:text}`findings`.
#
# ## The protocol, run on open_clip's list of weights
#
# The paper names open_clip {claim}`model_zoo.release`. Does that release list what was measured? And the later ones?

# %%
printed = vb.ledger.load("pretraining").set_index("id")["value"]
architectures, datasets = (set(printed[f"model_zoo.{name}"].split(", ")) for name in ("architectures", "datasets"))
lists = {one: registry.listed(one) for one in registry.RELEASES}
known = pd.DataFrame({one: {"weights": len(own), "architectures": own["architecture"].nunique(), "of those measured": len(architectures & set(own["architecture"]))} for one, own in lists.items()}).T

open_clip = import_open_clip()
today = pd.DataFrame(open_clip.list_pretrained(), columns=["architecture", "tag"])
known.loc[open_clip.__version__] = [len(today), today["architecture"].nunique(), len(architectures & set(today["architecture"]))]
tables.readable(known)

# %% tags=["hide-input"]
stated = known.loc["2.16.0", "of those measured"]
first = next(one for one in known.index if known.loc[one, "of those measured"] == len(architectures))
vb.ledger.record("model_zoo.release", bool(stated == len(architectures)), results=results, stimuli="open_clip", model="none")
vb.note(stated=int(stated), measured=len(architectures), first=first, now=open_clip.__version__)

# %% [markdown]
# The stated release lists {glue:text}`stated` of the {glue:text}`measured` architectures that the authors' notebook prints; the first looked at that lists all of them is
# {glue:text}`first` (G5).
#
# (zoo-counts)=
# ### The counts, rebuilt
#
# Take that release's list, leave out what the authors' script leaves out, read each tag's data set, add the 29 models, and count.

# %%
filtered = study.kept(registry.listed(release), keep_frozen=frozen == "kept")
models = pd.concat([filtered[filtered["left_out"] == ""], study.cherti()], ignore_index=True).fillna({"tag": "", "filter": ""})
rows = {"architecture": ["ViT", "Specialized ViT", "ConvNeXt", "ResNet", "EVA", "NLLB-CLIP", "CoCa", "Hybrid"],
        "data": ["laion", "commonpool", "datacomp", "openai_wit", "webli", "metaclip", "dfn", "merged2b", "yfcc15m", "cc12m"]}


def counted(column):
    of = {name: int(printed[f"model_zoo.rows.{name.lower().replace(' ', '-').replace('_', '-')}"]) for name in rows[column]}
    full = {name if column == "data" else f"{name} Models" + " with Text Encoders" * (name == "Hybrid"): n for name, n in of.items()}
    return study.families(models, full, FAMILY[column], column, tests=26)


counts = pd.concat({column: counted(column) for column in FAMILY}, names=["", "family"])
tables.readable(counts.rename_axis(index=[None, None]))

# %% tags=["hide-input"]
off = counts[counts["missing"] != 0]
lost = filtered[(filtered["left_out"] != "") & filtered["data"].str.startswith("laion") & filtered["architecture"].map(architecture_family).eq("ViT Models")]
same = study.alike(models)
for claim, value in study.claims(models, *FAMILY.values(), tests=26).items():
    vb.ledger.record(f"model_zoo.{claim}", value, results=results, stimuli="open_clip", model="none")
vb.note(here=len(models), named={"architectures": models["architecture"].nunique(), "datasets": models["data"].nunique()}, equal=words.among(len(counts) - len(off), len(counts)),
        off=words.listed(f"{family} ({row['missing']:+d})" for (_, family), row in off.iterrows()), candidates=len(lost), alike=int(same["models"]), groups=int(same["groups"]),
        sets=words.verb(float(set(models["data"]) == datasets), above=0.5, then="the same", else_="not the same"))

# %% [markdown]
# That gives {glue:text}`here` models with {glue:text}`named.architectures` architectures on {glue:text}`named.datasets` data sets, {glue:text}`sets` data sets that the authors' notebook prints.
# {glue:text}`equal` families have the printed number of models; off are {glue:text}`off` (printed − here). Which LAION ViTs the difference is cannot be
# known from the names: the filters leave out {glue:text}`candidates` that it could be.
#
# Two counts hold only with an assumption of ours (G4): the four NLLB-CLIP models, which continue from models of OpenAI and of SigLIP with other data, count as trained on
# OpenAI's and on SigLIP's. The text counts {claim}`model_zoo.openai-wit` models on OpenAI's data.
#
# (zoo-keywords)=
# ### The order of the keywords
#
# A data set's family is the first keyword that its name contains. For which names does the order decide? And what is in the family of the pools?

# %%
undecided = study.ambiguous(sorted(datasets))
pools = models[models["tag"].str.startswith("commonpool")]
kinds = pools.assign(family=pools["data"].map(dataset_family), filter=pools["filter"].replace("", "none")).groupby(["filter", "family"]).size().unstack(fill_value=0)
tables.readable(kinds.rename_axis(index="filter of the pool", columns=None))

# %% tags=["hide-input"]
FILTERS = {"clip": "by a network's judgement of picture and caption", "laion": "by LAION's rules, which use a network too", "image": "by clusters of pictures", "text": "by words", "basic": "by simple rules"}
networked = pools["filter"].isin(["clip", "laion"])
vb.note(undecided=", ".join(undecided["name"]), goes_to=", ".join(undecided["first"].unique()), pools=len(pools), raw=int(pools["filter"].eq("").sum()),
        nameless=int((pools["filter"].ne("") & ~pools["data"].str.contains("filtered")).sum()), networked=int(networked.sum()), simple=words.listed(FILTERS[one] for one in ("image", "text", "basic")))

# %% [markdown]
# One: {glue:text}`undecided` goes to {glue:text}`goes_to` (G3). More happens before: of {glue:text}`pools` pools of DataComp {glue:text}`raw` are unfiltered. The others are filtered by
# a network ({glue:text}`networked`, with LAION's rules among them), {glue:text}`simple`. {glue:text}`nameless` of them lose their filter on the way from the tag to the data set's name; they are
# counted as the pool itself and, as the regression's standard errors imply, with the pool's size. So the families do not contrast "raw", "filtered by heuristics" and "filtered by
# a network": *commonpool* holds all three, *datacomp* and *dfn* are filtered by networks, *laion* was filtered by one.
#
# ### The same rules on today's list

# %%
now = study.kept(today).assign(architecture_family=today["architecture"].map(architecture_family))
new = now[~(now["architecture"] + now["tag"]).isin(registry.listed("2.24.0").eval("architecture + tag"))]
unread = new[new["data"] == ""]
tables.readable(new.groupby("architecture_family").agg(weights=("tag", "size"), examples=("architecture", lambda own: ", ".join(own.unique()[:4]))).sort_values("weights", ascending=False), names={"architecture_family": "family"})

# %% tags=["hide-input"]
called_vit = new[new["architecture_family"] == "ViT Models"]["architecture"]
vb.note(new=len(new), unread=len(unread), tags=", ".join(sorted(unread["tag"].unique())[:5]), vitamin=int(called_vit.str.startswith("ViTamin").sum()))

# %% [markdown]
# {glue:text}`new` weights have come since, and none has gone. {glue:text}`vitamin` are *ViT*amins, a mixture of convolutions and attention that the rules call a ViT because of its name. Of {glue:text}`unread` the tag tells
# no data set that the paper knows (such as {glue:text}`tags`). Keywords age; a table that names data, filter and size of each model by hand does not.

# %%
runs = facts.table("scaling_laws").query("quantity == 'number'").set_index("of")["value"]  # counted by us

# %% tags=["needs-scaling-laws"]
if vb.sources.at_hand("scaling-laws"):
    runs = study.among_runs(zero_shot.scaling_runs())

# %%
print(f"{runs['models among the runs']:.0f} of the {len(study.cherti())} models of Cherti et al. are in their table of {runs['runs']:.0f} runs")
sizes = facts.table("open_clip_zero_shot")[["architecture", "tag", "parameters"]]
joined = models.merge(sizes, on=["architecture", "tag"])
print(f"Parameters, by open_clip's table, of {len(joined)}: {joined['parameters'].min():,.0f} to {joined['parameters'].max():,.0f} million")

# %% [markdown]
# ## What this method can see
#
# A contrast between families rests on four assumptions. Each has a counter-example; the networks are those of the first figure.
#
# 1. *A family is one recipe.* Counter-example: a family of two, above.
# 2. *Its label is right.* Counter-example: single networks under the wrong name.
# 3. *The recorded size is that of the data trained on.* Counter-example: filtered pools with the size of the pool.
# 4. *Models are different models.* Counter-example: each network listed several times.
#
# ### One wrong label, in a small family and in a large one
#
# `commonpool_xl_laion_filtered` is one model. Moved into a family of 58, it hardly matters; in a family of four, one wrong label is a quarter.

# %%
SIZES = {"dfn (4 models)": 4, "commonpool (20 models)": 20, "laion (58 models)": 58}
full, none = (networks.loc[networks["b"] == b, "d"].mean() for b in (1.0, 0.0))
wrong = pd.DataFrame({name: {"share of the contrast that is left": 1 - 1 / n, "d, one wrong label": full - (full - none) / n, "d, all right": full} for name, n in SIZES.items()}).T

# %% [markdown]
# ### The wrong size
#
# Pools of three sizes, which differ in nothing else. Half of each pool's networks are raw, half filtered, and the filter leaves three tenths. Two analysts regress on the
# logarithm of size: one records the pool's, as the regression does, the other what was left.

# %%
size_effect = study.wrong_size(networks, left=0.3, pools=[12.8, 128, 1280], per_pool=10, draws=n_draws, seed=seed)

# %% tags=["hide-input"]
forest = size_effect.assign(line="recorded: the size " + size_effect["recorded"])
vb.figures.show(
    vb.figures.forest(forest[forest["quantity"] == "d"], estimate="slope", low="low", high="high", label="line", value_label="slope of d per tenfold size: mean and 95 % of draws"),
    name="zoo-size",
    alt="Slope of d on the logarithm of size, where size does nothing, by which size is recorded: "
    + "; ".join(f"{row.recorded}: {row.slope:.2f} ({row.low:.2f} to {row.high:.2f})" for row in size_effect[size_effect["quantity"] == "d"].itertuples()) + ".",
    caption="Where size does nothing and filtering does: what size seems to do, by the size that is recorded.",
    source="greenhouse",
)
of = size_effect[size_effect["quantity"] == "d"].set_index("recorded")
side = {name: words.side(row["low"], row["high"], above="rises with size", below="falls with size", neither="does not depend on size") for name, row in of.iterrows()}
vb.note(slope={"pool": of.loc["of the pool", "slope"], "left": of.loc["of what was left", "slope"]}, says={"pool": side["of the pool"], "left": side["of what was left"]}, quarter=wrong.loc["dfn (4 models)"], most=wrong.loc["laion (58 models)"])

# %% [markdown]
# One wrong label leaves {glue:text}`quarter.share of the contrast that is left:.0%` of a contrast of four models and {glue:text}`most.share of the contrast that is left:.0%` of one of 58. In the second regression, with the true sizes, $d$
# {glue:text}`says.left` ({glue:text}`slope.left:.2f` per tenfold); in the first it {glue:text}`says.pool` ({glue:text}`slope.pool:.2f`). Neither is a property of size: where the filter is not in the
# model, the recorded size decides where its effect goes.
#
# ### Models that are listed several times
#
# In the rebuilt list {glue:text}`alike` models share architecture and data with another ({glue:text}`groups` groups): other numbers of samples, another fine-tuning, weights averaged
# differently. Two families of five networks with nothing planted, each network listed once, twice or four times, its copies a fifth of the spread apart:

# %%
silent = networks[networks["b"] == 0][["gap", "d"]]
alarms = study.repeated(silent, size=5, copies=[1, 2, 4], noise=0.2, draws=n_draws, seed=seed)
rates = alarms.pivot(index="copies", columns="quantity", values="found")

# %% tags=["hide-input"]
vb.note(alarm={f"x{copies}": rates.loc[copies, "d"] for copies in rates.index})

# %% [markdown]
# The test at .01 alarms in {glue:text}`alarm.x1:.1%` of draws with each network once, {glue:text}`alarm.x2:.0%` with each twice, {glue:text}`alarm.x4:.0%` with each four times. What is new in a copy is
# little; what is counted is a whole case. The 26 tests of one model are copies in the same sense, which the chapter on the regression takes up.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text and open_clip's own releases.
#
# | | paper | code, or the counts above | here |
# |---|---|---|---|
# | filtered pools (G3) | a family each for raw and filtered data in the text | one keyword each; filters of small pools lose their names; one pool counts as LAION | counted by filter |
# | OpenAI's data (G4) | nine models | eleven; eleven on WebLI | nine and two, by architecture |
# | software (G5) | open_clip 2.16.0 | SigLIP, MetaCLIP, CLIPA and NLLB-SigLIP are in later releases | four releases compared |
# | models left out (G5) | those with identical effect sizes, and two | eight by name, seven QuickGELU repeats, 31 epochs, the largest ConvNeXt | listed with reasons |
# | sizes (G10) | 12 million to 5 billion | 1.4 million to 13 billion | audit above |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/model_zoo -p release 2.26.1
# .venv/bin/vlmbias run pretraining/model_zoo -p frozen dropped -p family_size 6
# ```
# :::
#
# ## Take-aways
#
# - A coefficient of a family is a recipe times the share of the family that has it.
# - Classify by what was done (pool, filter, size), model by model, before looking at results; publish the table.
# - Record the size of what was trained on. Put the filter into the model, or size will speak for it.
# - List models that share data and architecture as one case, or model their likeness.
# - Name the release from which a list of models was taken; it can be checked.
#
# ## Exercises
#
# :::{exercise} Another order
# :label: zoo-order
# :level: intermediate
# :minutes: 15
# :code: yes
# Put "commonpool" before "laion" in the list of keywords (`study.KEYWORDS`). How many of the rebuilt models change their family? And if "clip" were a keyword in front?
# :::
#
# ```{solution-start} zoo-order
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def first_of(keywords):
    return models["data"].map(lambda name: next((one for one in keywords if one in name), name))


usual = first_of(study.KEYWORDS)
changed = {word: int((first_of((word, *study.KEYWORDS)) != usual).sum()) for word in ("commonpool", "clip")}
print(changed)
assert changed["commonpool"] == 1 and changed["clip"] > 1  # "clip" is in metaclip, too
assert (usual == models["data"].map(dataset_family)).all()

# %% [markdown]
# A model belongs to the first keyword that is found in the name of its data, so the order of the list is a decision. A word that is part of other
# words takes in models that have nothing to do with it.
#
# ```{solution-end}
# ```
#
# :::{exercise} How many cases are four copies
# :label: zoo-copies
# :level: intermediate
# :minutes: 10
# :code: no
# Copies of a network correlate with $\rho = 1 / (1 + 0.2^2)$. How many independent cases are five networks, each listed $k$ times, worth for a mean: $n / (1 + (k - 1) \rho)$ with $n = 5 k$?
# By how much is the standard error too small at $k = 4$ if all are counted?
# :::
#
# ```{solution-start} zoo-copies
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rho = 1 / (1 + 0.2**2)
worth = {k: 5 * k / (1 + (k - 1) * rho) for k in (1, 2, 4)}
too_small = np.sqrt(5 * 4 / worth[4])
print({k: round(one, 2) for k, one in worth.items()}, f"standard error too small by a factor of {too_small:.2f}")
assert 5 == worth[1] < worth[2] < worth[4] < 5.2 and 1.9 < too_small < 2

# %% [markdown]
# Four copies that agree almost completely repeat one observation, so twenty rows are worth little more than five cases. The standard error that
# counts all rows is too small by the root of rows over cases.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A data set is filtered by a network that was itself trained on another data set. Whose family does a model trained on it belong to?
# 2. Which of the paper's sentences about filtering would you want to see tested with the counts of this page at hand, and on which models?
