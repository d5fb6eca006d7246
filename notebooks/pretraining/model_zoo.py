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
# # What is in a family of models?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Section 3 and Appendix A.1: how 131 models were put into the families that the regression
# compares.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** The paper sorts training data into families, and models of some families show more bias. Can one tell from this that the way of *filtering* the data matters?
#
# **Answer in short.** Not yet. One family can hold models trained on unfiltered data and models trained on filtered data. Its result then belongs to no single filter. What the paper says about filtering by a network rests on the few models of one family.
#
# **In 20 minutes:** {ref}`What the paper reports <zoo-found>`, {ref}`What one may doubt, and the answer in one figure <zoo-answer>`,
# {ref}`What this means <zoo-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means, and what a regression coefficient is. The chapter on [effect sizes](effect_sizes.ipynb) explains what is measured on each model.
#
# **Content note.** This chapter counts models.
# :::
#
# **The idea.** A model of CLIP's kind learns from pairs of a picture and a caption, taken from the Internet. Most data sets are *filtered*: only the better pairs are kept. Some filters
# are simple rules, for example on the length of a caption. Others ask a trained network whether a picture and its caption fit together. Does the choice of the filter change the bias of the models?
#
# **The comparison.** {cite:t}`ghate2025` gave association tests to {claim}`effect_sizes.models` models that others had trained. A test asks which of two groups, for example young and old people, a model
# places nearer to pleasant things. Its result is an effect size $d$, which is zero where the groups do not differ. A regression then relates $d$ to properties of the models.
#
# The authors sorted the training data into ten *families*, by keywords in the names of data sets. For
# example, every name that contains "commonpool" belongs to the family CommonPool. The regression compares each family with one of them, CC12M.
#
# **What the authors conclude.** "Datasets curated using sophisticated filtering techniques … tend to
# be associated with higher levels of intrinsic bias"; "filtering methods driven by automated neural network decisions (Fang et al., 2023b), … tend to exacerbate societal
# biases even further". (*Intrinsic bias* is what an association test measures in a model.)
#
# **Their own checks and limits.** The authors say why they chose families: "initial attempts to fit the model with individual dataset and architecture categories led to
# convergence issues". That is, the computation found no stable result. (An *architecture* is a type of network.) They also name what is left to do: "an in-depth examination of dataset composition could offer more insights".

# %% tags=["parameters", "hide-input"]
release = "2.24.0"  # the release of open_clip whose list is filtered; one of: 2.16.0, 2.23.0, 2.24.0, 2.26.1
frozen = "kept"  # the model with a frozen image tower, which the script drops and the counts need; one of: kept, dropped
results = "_build/results/pretraining/model_zoo.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd

import vlmbias as vb
from studies import tables, words
from studies.pretraining import upstream
from studies.pretraining import model_zoo as study
from vlmbias.external import facts, registry
from vlmbias.external.study_table import KEYWORDS, architecture_family, dataset_family

vb.figures.style()

# %% [markdown]
# (zoo-found)=
# ## What the paper reports: families of data differ, and one filtered by a network lies highest
#
# A *coefficient* says by how much the effect size $d$ of a family's models lies
# above that of the family CC12M, if models have the same architecture and the same sizes. Three families (a p-value of 0.000 means less than half a thousandth):

# %%
families = upstream.printed(vb.ledger.load("pretraining"))
families = families[families.index.str.startswith("dataset.")]
families = families.rename(index=lambda name: name.removeprefix("dataset."))
called = {"coef": "coefficient", "se": "standard error"}
three = families.loc[["commonpool", "datacomp", "dfn"], ["coef", "se", "p"]]
tables.readable(three, names=called, precision=3)

# %% [markdown]
# Look at which family lies farthest to the right.

# %% tags=["hide-input"]
printed = vb.ledger.load("pretraining").set_index("id")["value"]
CALLED = {"commonpool": "CommonPool", "datacomp": "DataComp", "dfn": "DFN", "laion": "LAION", "merged2b": "Merged-2B", "metaclip": "MetaCLIP",
          "openai-wit": "OpenAI's data", "webli": "WebLI", "yfcc15m": "YFCC15M", "cc12m": "CC12M"}
size_of = {name: int(printed[f"model_zoo.rows.{name}"]) // 26 for name in CALLED}  # 26 results a model
lines = families.assign(line=[f"{CALLED[name]} ({size_of[name]} models)" for name in families.index]).sort_values("coef", ascending=False)
largest = lines.index[0]
vb.figures.show(
    vb.figures.forest(lines, estimate="coef", low="low", high="high", label="line", value_label="difference in d from CC12M, printed 95 % interval"),
    name="zoo-printed",
    alt="Printed coefficients of nine data families against CC12M. " + "; ".join(f"{row.line}: {row.coef:.2f}" for row in lines.itertuples()) + ".",
    caption=f"The printed regression, redrawn: how much larger d is than with CC12M ({size_of['cc12m']} model). Numbers of models: the authors' notebook.",
    source="paper:pretraining, Table of Figure 6",
)
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/model_zoo") & (checks["rule"] != "")]
failed, of = checks["verdict"] == "inconsistent", vb.ledger.tally(checks)
vb.note(held=words.among(of["hold"], of["n"]), largest=CALLED[largest], n_largest=size_of[largest],
        findings=words.listed(checks.loc[failed, "finding"].str[0].str.lower() + checks.loc[failed, "finding"].str[1:]) if failed.any() else None)
vb.note(n_families=len(families))

# %%
place = families["coef"].rank(ascending=False).astype(int)  # 1: the largest
two = place[["datacomp", "laion"]]
vb.note(place=two.to_dict())
vb.holds(
    all_larger=bool((families["coef"] > 0).all()),
    not_largest=bool(two.min() > len(families) / 2),
)

# %% [markdown]
# [Every family has a larger $d$ than CC12M.]{.holds #all_larger} The largest coefficient belongs to {glue:text}`largest`, a family of {glue:text}`n_largest` models. DFN is short for *data filtering networks*: a network chose its data (this is the work of Fang et al.). The authors call the filters of other families, such as CommonPool and DataComp, "heuristic": filters that follow simple rules.
#
# The paper does not test whether {glue:text}`largest` differs from families other than CC12M, which is a single model. In [a simulated table that has the printed results](upstream.ipynb), it does: from {result}`pretraining/upstream::references.dfn_once` of nine, if each model counts once and its results have as much in common as they may have in real models. This speaks for the authors.
#
# **Do the printed numbers agree with each other?** {glue:text}`held` checks hold. [The one that fails does not concern families: {glue:text}`findings`.]{.if-run}

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("pretraining/model_zoo"))

# %% [markdown]
# (zoo-answer)=
# ## What one may doubt, and the answer in one figure
#
# The conclusion is about *filters*, but the regression compares *families*. Does a family stand for one filter? We look into CommonPool {cite:p}`gadre2023`, whose coefficient is the second largest.
#
# **In real models,** one group, which we chose after we had seen the results, comes too often to the top of a ranking with CommonPool, and too rarely with DataComp-1B, which was selected from it ([Same architecture, another recipe](../real/other_data.ipynb)). Yet both misjudge gender in nearly the same groups. And they also differ in how often each picture was seen, so the filter may not be the reason.
#
# Who is in the family? Most of the authors' models are from the public list of open_clip, a software that offers trained models. Here are six models of CommonPool. Their
# *tag* is the name under which the list holds them:

# %%
listed = study.kept(registry.listed(release), keep_frozen=frozen == "kept")
models = listed[listed["left_out"] == ""]
models = pd.concat([models, study.cherti()], ignore_index=True)  # the models of a scaling study
models = models.fillna({"tag": "", "filter": ""})
models["family"] = models["data"].map(dataset_family)
commonpool = models[models["family"] == "commonpool"]
commonpool[["tag", "filter", "data"]].head(6)

# %% [markdown]
# The tag says which filter was used. The authors' families, however, are read from the name of the *data*, which is the same for all six models.
#
# We speak of filtering *by a network* if a network judges how well a picture and its caption fit together, as in the filters "clip" and "laion". (A network also helps to find the groups of similar pictures that "image" keeps. But it does not judge the captions, so we count "image" with the rules.) A tag without a filter means unfiltered data.

# %%
kind_of = {
    "": "not filtered",
    "basic": "by simple rules",
    "text": "by simple rules",  # by words
    "image": "by simple rules",  # by groups of similar pictures
    "clip": "by a network",
    "laion": "by a network",  # as for the LAION data
}
inside = commonpool["filter"].map(kind_of).value_counts()

# %% [markdown]
# CommonPool is three things in one. Of its {glue:text}`in_commonpool` models, {glue:text}`inside.none` learned from unfiltered data, {glue:text}`inside.rules` from data filtered by simple rules, and
# {glue:text}`inside.network` from data filtered by a network.

# %% tags=["hide-input"]
order = ["not filtered", "by simple rules", "by a network"]
inside = inside.reindex(order, fill_value=0)
fig, ((axis,),) = vb.figures.panels(height=2.2)
axis.barh(order[::-1], inside[order[::-1]], color=[vb.figures.PALETTE[1], vb.figures.COLOURS["reference"], vb.figures.COLOURS["pale"]])
axis.set(xlabel="models of the family CommonPool", xticks=range(0, 11, 2))
vb.figures.show(
    fig,
    name="zoo-answer",
    alt="Models of CommonPool by filter: " + "; ".join(f"{kind} {inside[kind]}" for kind in order) + ".",
    caption="What is in one family: the models of CommonPool (Gadre et al., 2023) in open_clip's list, by how their data were filtered.",
    source="published:open_clip_zero_shot",
)
vb.note(inside={"none": int(inside["not filtered"]), "rules": int(inside["by simple rules"]), "network": int(inside["by a network"])}, in_commonpool=len(commonpool))

# %% [markdown]
# A mixed family has a mixed coefficient. CommonPool holds two kinds of filters, and unfiltered data. So its coefficient does not say what either of the filters does.
#
# This does not show that the authors' conclusion is wrong. DFN is a pure family: a network filtered the data of all {glue:text}`n_largest` models (two of them are one architecture at two picture sizes, and perhaps one training continued), and its coefficient is the largest. The authors cite the work on DFN, so they seem to mean networks that
# were made for filtering.
#
# For LAION and DataComp, a CLIP model also judged the pairs, as the paper's appendix says. [But their coefficients are not among the largest: of {glue:text}`n_families`, counted from the largest, DataComp has number {glue:text}`place.datacomp`, and LAION number {glue:text}`place.laion`.]{.holds #not_largest} So the conclusion rests on the few models of DFN.
#
# (zoo-counts)=
# ## The protocol, run on open_clip's list of models
#
# The authors took nine models of OpenAI, 29 of {cite:t}`cherti2023`, and 93 of open_clip's list. We took the same, sorted them as they did, and compare our counts with those that their notebook prints.

# %%
claims = vb.ledger.load("pretraining").set_index("id")
counts = claims[claims.index.str.startswith("model_zoo.rows.")][["subject", "value"]]
counts["printed"] = counts["value"].astype(int) // 26  # 26 results a model
kinds = models["architecture"].map(architecture_family)
ours = pd.concat([kinds, models["family"]]).value_counts()
counts["found"] = counts["subject"].map(ours).fillna(0).astype(int)
counts["missing"] = counts["printed"] - counts["found"]

# %% tags=["hide-cell"]
heads = {"printed": "models, authors' notebook", "found": "models found by us", "missing": "notebook − found"}
tables.readable(counts.set_index("subject")[list(heads)], names=heads)

# %% tags=["hide-input"]
architectures, datasets = (set(printed[f"model_zoo.{name}"].split(", ")) for name in ("architectures", "datasets"))
lost = listed[(listed["left_out"] != "") & listed["data"].str.startswith("laion") & listed["architecture"].map(architecture_family).eq("ViT Models")]
by_claim = (26 * counts["found"]).to_dict()
by_claim["model_zoo.convolutional"] = int(kinds.isin(["ResNet Models", "ConvNeXt Models"]).sum())
by_claim["model_zoo.openai-wit"] = int(models["tag"].eq("openai").sum())
for claim, value in by_claim.items():
    vb.ledger.record(claim, value, results=results, stimuli="open_clip", model="none")
vb.note(equal=words.among(int((counts["missing"] == 0).sum()), len(counts)),
        printed_commonpool=size_of["commonpool"], candidates=len(lost),
        alike=int(models.duplicated(["architecture", "data"], keep=False).sum()))
off = counts.loc[counts["missing"] != 0, "subject"]
of_data = set(off[~off.str.contains("Models")])
vb.holds(same_data=set(models["data"]) == datasets,
         laion_missing=bool(of_data == {"laion"} and (counts["missing"] >= 0).all()))

# %% [markdown]
# Of the families, {glue:text}`equal` have the number of models that the authors' notebook prints. For CommonPool, it prints {glue:text}`printed_commonpool` and we find {glue:text}`in_commonpool`. [We also find the same sets of data as it prints.]{.holds #same_data}
# [Where the numbers differ, we miss models that were trained on LAION data.]{.holds #laion_missing}
#
# :::{dropdown} Details: assumptions, keywords, releases
# Codes such as G4 are the numbers in [the full list](../../book/differences.md) of differences between papers and code.
#
# - *Models that we miss.* They are of the architecture ViT and were trained on LAION data. The released script leaves out {glue:text}`candidates` models of this kind. Perhaps an earlier version of the script left out fewer of them.
# - *Four models that continue from others* (G4). The NLLB-CLIP models continue the training of models of OpenAI and of SigLIP, with other data. Our counts agree with those of the notebook if these four count as trained on OpenAI's
#   data and on SigLIP's. The text of the paper counts {claim}`model_zoo.openai-wit` models on OpenAI's data.
# - *The order of the keywords* (G3). A data set belongs to the first keyword that is found in its name. For one name the order decides: {glue:text}`undecided` goes to {glue:text}`goes_to`.
# - *Filters that get lost.* The CommonPool data come in several sizes, called pools. Of {glue:text}`pools` models on such pools, {glue:text}`raw` learned from unfiltered data. For another {glue:text}`nameless`, the tag names a filter and
#   the name of the data does not. They are counted as if they had learned from the whole pool.
# - *The release* (G5). The paper names open_clip {claim}`model_zoo.release`. This release lists {glue:text}`stated` of the {glue:text}`measured` architectures that the authors' notebook prints. Of the releases that we compared, the oldest
#   that lists all of them is {glue:text}`first`.
# :::

# %% tags=["hide-cell"]
lists = {one: registry.listed(one) for one in registry.RELEASES}
known = pd.DataFrame({one: {"weights": len(own), "architectures": own["architecture"].nunique(), "of those measured": len(architectures & set(own["architecture"]))} for one, own in lists.items()}).T
stated = known.loc["2.16.0", "of those measured"]
first = next(one for one in known.index if known.loc[one, "of those measured"] == len(architectures))
vb.ledger.record("model_zoo.release", bool(stated == len(architectures)), results=results, stimuli="open_clip", model="none")

undecided = [name for name in sorted(datasets) if sum(word in name for word in KEYWORDS) > 1]
pools = models[models["tag"].str.startswith("commonpool")]
vb.note(stated=int(stated), measured=len(architectures), first=first,
        undecided=", ".join(undecided), goes_to=", ".join(map(dataset_family, undecided)),
        pools=len(pools), raw=int(pools["filter"].eq("").sum()),
        nameless=int((pools["filter"].ne("") & ~pools["data"].str.contains("filtered")).sum()))
tables.readable(known)

# %% [markdown]
# (zoo-size)=
# ## What this method can see: a filter can look like an effect of size
#
# The regression also has a coefficient for the *size* of the data: {claim}`upstream.log-dataset-size.coef`, with a p-value of {claim}`upstream.log-dataset-size.p`. A filter makes data smaller, so each data set has two sizes, before filtering and after it. The printed regression has no variable for the filter. So it cannot separate an effect of size from one of filtering, in either direction.
#
# Models may also resemble each other more than their families say: in our list, {glue:text}`alike` models share architecture and data with another one ({numref}`zoo-copies`).
#
# (zoo-means)=
# ## What this means
#
# **For the paper.** The training data may well matter for bias. But ten families do not tell *which property* of the data matters. The sentence about filtering by a network rests on the {glue:text}`n_largest` models
# of one family. It could be tested on the authors' table of effect sizes, which was not at hand: sort the models by filter, and record the size of the data before and after filtering.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text and open_clip's own releases.
#
# | | paper | code, or the counts above | here |
# |---|---|---|---|
# | filtered pools (G3) | raw and filtered data are described as different | one keyword for both; names of data often lack the filter; one filtered pool counts as LAION | counted by filter |
# | OpenAI's data (G4) | nine models | eleven models | nine of OpenAI's own, and two that continue from them |
# | software (G5) | open_clip 2.16.0 | some of the models are only in later releases (SigLIP, MetaCLIP, CLIPA, NLLB-SigLIP) | releases compared |
# | models left out (G5) | models with identical effect sizes, and two more | eight models by name, seven that repeat others, those saved after 31 epochs, the largest ConvNeXt | the same as in the code |
# | sizes (G10) | 12 million to 5 billion | 1.4 million to 13 billion, as we worked out from the notebook's output | the appendix, too, names larger data sets |
# :::

# %% tags=["hide-cell"]
runs = facts.table("scaling_laws").query("quantity == 'number'").set_index("of")["value"]  # counted by us
print(f"{runs['models among the runs']:.0f} of the {len(study.cherti())} models of Cherti et al. are in their table of {runs['runs']:.0f} runs")
sizes = facts.table("open_clip_zero_shot")[["architecture", "tag", "parameters"]]
joined = models.merge(sizes, on=["architecture", "tag"])
print(f"Parameters, by open_clip's table, of {len(joined)}: {joined['parameters'].min():,.0f} to {joined['parameters'].max():,.0f} million")

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/model_zoo -p release=2.26.1
# .venv/bin/vlmbias run pretraining/model_zoo -p frozen=dropped
# ```
# :::
#
# ## Take-aways
#
# - A family may hold very different things: CommonPool holds unfiltered data, data filtered by simple rules, and data filtered by a network.
# - Before you look at any result, sort models one by one by what was done to their data, and publish the table.
# - Record the size of the data *and* the filter; otherwise, one cannot tell which of them did something.
#
# ## Exercises
#
# :::{exercise} Another order
# :label: zoo-order
# :level: intermediate
# :minutes: 15
# :code: yes
# The authors' script goes through a list of keywords, and a data set belongs to the first keyword that its name contains. Put "commonpool" before "laion" in the list of keywords (`KEYWORDS`). How many of our models change their family? How many change it if a new keyword, "clip", stands first in the list?
# :::
#
# ```{solution-start} zoo-order
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def first_of(keywords):
    return models["data"].map(lambda name: next((one for one in keywords if one in name), name))


usual = first_of(KEYWORDS)
changed = {word: int((first_of((word, *KEYWORDS)) != usual).sum()) for word in ("commonpool", "clip")}
print(changed)
# "clip" is in metaclip, too
assert release != "2.24.0" or (changed["commonpool"] == 1 and changed["clip"] > 1)
assert (usual == models["data"].map(dataset_family)).all()

# %% [markdown]
# A model belongs to the first keyword that is found in the name of its data, so the order of the list is a decision. A keyword may also be part of a
# longer word. "clip" is part of "metaclip", and so it takes in models that have nothing to do with the filter "clip".
#
# ```{solution-end}
# ```
#
# :::{exercise} How many observations are four copies
# :label: zoo-copies
# :level: intermediate
# :minutes: 10
# :code: no
# Some models of the list are almost copies of each other: same architecture, same data. Suppose that such copies correlate with $\rho = 0.96$. Five networks are listed $k$ times each, so that there are $n = 5 k$ rows. For a mean, these rows are worth $n / (1 + (k - 1) \rho)$ independent observations. How many is that
# for $k$ = 1, 2 and 4? By how much is the standard error too small at $k = 4$ if all rows count as independent?
# :::
#
# ```{solution-start} zoo-copies
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rho = 0.96
worth = {k: 5 * k / (1 + (k - 1) * rho) for k in (1, 2, 4)}
too_small = np.sqrt(5 * 4 / worth[4])
print({k: round(one, 2) for k, one in worth.items()}, f"standard error too small by a factor of {too_small:.2f}")
assert 5 == worth[1] < worth[2] < worth[4] < 5.2 and 1.9 < too_small < 2

# %% [markdown]
# Four copies that agree almost completely repeat one observation, so twenty rows are worth little more than five observations. The standard error that
# counts all rows is too small by the root of rows over observations.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A data set is filtered by a network that was itself trained on another data set. Whose family does a model trained on it belong to?
# 2. Which of the paper's sentences about filtering would you want to see tested, and on which models?
