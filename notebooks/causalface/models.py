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
# # The same chapters, other models
#
# *What of a paper's results belongs to the images and the method, and what to the one network that looked?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** Run every chapter of this part again with another model, and nothing else changed. What stays?
#
# **In 20 minutes:** {ref}`the picture and the table below it <models-agree>`. **In 75 minutes:** add a model of your
# own with the command at the end, and read the two pages side by side.
#
# **You need:** rank correlation. The primer [Targets](../../book/primers/targets.md) says why one model more is still not
# a sample.
# :::
#
# {cite:t}`hausladen2025` study one model, and name that among their limits. A result of theirs can hold for that network, for networks
# trained like it, or for what such networks are trained on; one network cannot tell these apart. This page sets beside
# each other what the chapters of this part *recorded* with different models: the same numbers, computed by the same code on the
# same images.
#
# The book's own runs, in this edition: {glue:text}`own`. `greenhouse` is a checkpoint of the Greenhouse whose captions tie words to hue and crest ($b = 1$). The checkpoint `greenhouse/b0` saw captions that do
# not: where the two agree, planted biases were not needed for the result. `greenhouse/b0-restart-1` to `-4` saw captions of the same kind. They differ
# from `greenhouse/b0` in more than the random start: each saw pictures of its own, began from another warm start, and drew which name has which look, where `greenhouse/b0` has the plain pairing. So
# how far they differ is what training once more does, with all of this. What a model recorded is shipped with the book, as numbers, where the table says so;
# what you run yourself takes its place.

# %% tags=["parameters"]
paper = "causalface"  # the folder of notebooks/ whose chapters are compared; one of: causalface, american_white, pretraining
models = []  # models to set beside the book's own, by name; empty: every one at hand
alpha = 0.05  # level at which two p-values are on the same side; from 0 to 1
results = "_build/results/causalface/models.json"  # no claims here: other pages record them

# %% tags=["hide-input"]
import re

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from studies import tables
from studies import words as said_as
from vlmbias.stimuli.reader_folders import COUNTERPARTS

# names of the Greenhouse in place of the people whom a file name or a claim means
PLURALS = {"men": "male", "man": "male", "males": "male", "women": "female", "woman": "female", "females": "female", "whites": "white", "blacks": "black", "asians": "asian"}
PEOPLE = COUNTERPARTS | {word: COUNTERPARTS[one] for word, one in PLURALS.items()}
SETS = {"causalface": "CausalFace-like", "fairface": "FairFace-like", "utkface": "UTKFace-like"}

# %% [markdown]
# ## Which models are here
#
# A run for another model executes each chapter up to its second section, the paper's protocol. What the third section shows is the laboratory's own.

# %%
runs, values = vb.ledger.compared(paper, models)

# %% tags=["hide-input"]
own_code = runs[runs["book"].astype(bool)].set_index("chapter")["code"]
runs["same"] = runs["code"] == runs["chapter"].map(own_code)
here = runs.groupby(["model", "book"], sort=False).agg(
    chapters=("chapter", "nunique"), values=("values", "sum"), settings=("settings", lambda one: ", ".join(sorted(set(one)))),
    same=("same", "all"), shipped=("shipped", "all"), seconds=("seconds", "sum")).reset_index()
here["book"] = ["the book's own" if book else "shipped with the book" if shipped else "run here" for book, shipped in zip(here["book"], here["shipped"], strict=True)]
others = list(runs.loc[~runs["book"].astype(bool), "model"].unique())
recorded = runs[runs["book"].astype(bool) & (runs["values"] > 0)]
vb.note(others=said_as.listed(others), own=said_as.listed((f"{model} ({n})" for model, n in recorded.groupby("model", sort=False)["values"].sum().items()), none="no value recorded"))
tables.readable(here.drop(columns="shipped").rename(columns={"book": "", "same": "same code"}), precision=0).hide(axis="index")

# %% [markdown]
# Models beside the book's own: {glue:text}`others`. *Same code*: whether a model's values were recorded by the code that recorded the book's. A chapter that failed for a model is missing from its count; the command below
# names it.
#
# (models-agree)=
# ## Do they agree?
#
# Each point is one number that a chapter recomputes with both models: a correlation, a coefficient, a bias metric. On the line, the
# second model gives what the first gives.

# %% tags=["hide-input"]
vb.figures.style()
facts = vb.ledger.load(paper).set_index("id")[["where", "quantity", "subject", "unit", "model"]].rename(columns={"model": "needs"})
values = values.join(facts, on="claim")
values = values[values["needs"] != "none"]  # what no model enters is the same for all
greenhouse = values["stimuli"].astype(str).str.startswith("greenhouse").any()
about = values["quantity"].fillna("") + ": " + values["subject"].fillna("")
named = about.map(lambda text: any(word.lower() in PEOPLE for word in re.findall("[A-Za-z]+", text)))
values = values.assign(evaluated=~(bool(greenhouse) & values["unit"].eq("statement") & named.astype(bool)))  # a statement about people is none about drawings
keys = ["chapter", "claim", "protocol"]
base = values[values["book"].astype(bool)].set_index(keys)["value"].rename("ours")
both = values[~values["book"].astype(bool) & values["evaluated"]].join(base, on=keys).dropna(subset=["ours"])
numbers = both[~both["unit"].isin(["statement", "p"])].assign(value=lambda t: t["value"].astype(float), ours=lambda t: t["ours"].astype(float))

if len(numbers):
    shown = numbers["unit"].value_counts().index[:4]
    fig, axes = vb.figures.panels(columns=min(2, len(shown)), rows=-(-len(shown) // 2), height=2.7 * -(-len(shown) // 2))
    flat = [one for row in axes for one in row]
    for place, unit in zip(flat, shown, strict=False):
        part = numbers[numbers["unit"] == unit]
        ends = [part[["ours", "value"]].min().min(), part[["ours", "value"]].max().max()]
        place.plot(ends, ends, color=vb.figures.COLOURS["reference"], linewidth=1)
        for model, points in part.groupby("model"):
            place.plot(points["ours"], points["value"], "o", markersize=4, alpha=0.7, label=model)
        place.set(title=f"unit: {unit}", xlabel="the book's model", ylabel="the other model")
    for place in flat[len(shown):]:
        place.set_visible(False)
    fig.legend(*flat[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    overall = {unit: float(stats.spearmanr(part["ours"], part["value"]).statistic) for unit, part in numbers.groupby("unit") if len(part) > 2}
    vb.figures.show(
        fig,
        alt=f"Scatter plots of {len(numbers)} recorded numbers, the book's model against {len(others)} other(s). Rank correlations: "
            + ", ".join(f"{unit} {rho:.2f}" for unit, rho in overall.items()) + ".",
        caption="Every number that the chapters of this part record, with the book's model and with another, by unit.",
        source="greenhouse" if greenhouse else "real:causalface",
    )

# %% tags=["hide-input"]
def agreement(part):
    """How far one model's values follow the book's, for one chapter and one unit."""
    unit = part["unit"].iloc[0]
    if unit == "statement":
        return {"agree in": "yes or no", "values": len(part), "share": float((part["value"] == part["ours"]).mean())}
    ours, value = part["ours"].astype(float), part["value"].astype(float)
    if unit == "p":
        return {"agree in": f"p < {alpha:g}", "values": len(part), "share": float(((ours < alpha) == (value < alpha)).mean())}
    row = {"agree in": "sign", "values": len(part), "share": float((np.sign(ours) == np.sign(value)).mean())}
    row["median difference"] = float((value - ours).abs().median())
    if len(part) > 2 and ours.nunique() > 1 and value.nunique() > 1:
        row["rank correlation"] = float(stats.spearmanr(ours, value).statistic)
    return row


columns = ["model", "chapter", "unit", "agree in", "values", "share", "rank correlation", "median difference"]
agreed = pd.DataFrame([dict(zip(("model", "chapter", "unit"), key, strict=True)) | agreement(part)
                       for key, part in both.groupby(["model", "chapter", "unit"], sort=False)], columns=columns)
kinds = {"sign": "sign", "p": f"p < {alpha:g}", "statements": "yes or no"}
parts = {kind: agreed[agreed["agree in"] == name] for kind, name in kinds.items()}
vb.note(agree={kind: np.average(part["share"].astype(float), weights=part["values"]) if len(part) else None for kind, part in parts.items()}, compared=len(both))
tables.readable(agreed).format("{:.0%}", subset="share").format(lambda gap: "–" if pd.isna(gap) else "0" if abs(gap) < 1e-9 else f"{gap:.2g}", subset="median difference").hide(axis="index")

# %% [markdown]
# Values recorded with the book's model and with another: {glue:text}`compared`.
# [Of the numbers, {glue:text}`agree.sign:.0%` have the sign they have in the book.]{.if-run}
# [Of the p-values, {glue:text}`agree.p:.0%` stand on the same side of the level.]{.if-run}
# [Of the statements, {glue:text}`agree.statements:.0%` come out alike.]{.if-run}
# Statements about the paper's groups are not evaluated on drawings.
#
# **How to read this.** Agreement on a *sign* asks little of numbers that are far from zero for any model, such as a rate or a percentage; the rank correlation asks whether the
# models order them alike. Disagreement has three possible reasons: other training data, another architecture, or only another random start. Two models cannot
# separate them. How far results move from random start to random start *alone* is measured on [the page on sensitivity and silence](../greenhouse/sensitivity.ipynb).
#
# ### Every value

# %% tags=["hide-input", "scroll-output"]
def ours(text):
    """A claim's subject in the words of the Greenhouse."""
    return re.sub(r"[A-Za-z]+", lambda found: (PEOPLE | SETS).get(found[0].lower(), found[0]), str(text)) if greenhouse else text


evaluated = values["evaluated"].to_numpy()
table = values.assign(what=about.map(ours).where(evaluated, "a statement about people: " + values["where"].astype(str)))
table["value"] = ["not evaluated on drawings" if not own else one if isinstance(one, bool) else f"{one:.4g}" for own, one in zip(evaluated, table["value"], strict=True)]
wide = table.pivot_table(index=["chapter", "what", "protocol"], columns="model", values="value", aggfunc="first", sort=False, fill_value="–")
wide.reset_index().style.hide(axis="index").set_caption(
    "The chapters' recorded values. With the Greenhouse's images, its own names stand where a claim names people." if greenhouse else "The chapters' recorded values.")

# %% [markdown]
# ### From readers who have the data
#
# Values that readers contributed: {glue:text}`contributed`. They come from other pictures than the book's, so they are not set beside the values above; each one's verdict is on
# [the scorecard](../../book/scorecard.md).

# %% tags=["hide-input"]
theirs = vb.ledger.contributed(paper)
vb.note(contributed=len(theirs))
theirs = theirs.assign(verdict=theirs["verdict"].str.replace(" \\(because.*", "", regex=True))
if len(theirs):
    display(theirs.value_counts(["by", "commit", "model", "verdict"], sort=False).rename("values").reset_index().style.format(escape="html").hide(axis="index"))

# %% [markdown]
# ## Add a model
#
# One command runs every chapter of the paper with another model. It takes any name that `vb.encoder` takes: an
# [open_clip](https://github.com/mlfoundations/open_clip) architecture with its weights, or the folder of a checkpoint.
#
# ```bash
# .venv/bin/vlmbias models --paper causalface ViT-B-32-quickgelu/openai ViT-B-32/laion2b_s34b_b79k
# make book
# ```
#
# - The weights are downloaded the first time. Looking at 18,000 pictures then takes some minutes per model on a laptop without an accelerator; it is done once, and the
#   embeddings are kept.
# - You may stop at any moment; the same command goes on where it stopped. A chapter that fails is named, its copy keeps the error, and the other chapters run.
# - The results lie in `_build/models/`, one folder per model, beside the book's own, which stay as they are. `make book` adds what it finds there to this page; to drop a
#   model, delete its folder.
# - `.venv/bin/vlmbias keep-models --paper causalface` and the model's name write what was found, numbers only, into `data/comparisons/`: a file that you can
#   pass on.
# - With the papers' own images: add `--settings paper` to both, see [](../../book/rerun.md).
# - A real network that looks at our drawings tests that everything runs, and nothing else: it was never shown such a face.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/models -p models '[ViT-B-32-quickgelu/openai]'
# ```
# :::
#
# ## Take-aways
#
# - A result of one network is a result about one network. The same code with a second one is the cheapest test that it is more.
# - What two checkpoints trained with and without planted biases agree on needs no planted bias to appear.
# - To speak of *networks trained like this*, retrain; to speak of *CLIP models*, sample them, and say how.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Agreement that needs no relation
# :label: models-by-chance
# :level: introductory
# :minutes: 10
# :code: no
# Of one model's numbers 80 % are above zero, and of another's 80 %, and which are above zero in one says nothing about the other. In what share do the signs agree?
# What share above zero makes two such models agree in 95 %?
# :::
#
# ```{solution-start} models-by-chance
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def by_chance(share):
    """How often two unrelated signs agree if each is above zero in this share."""
    return share**2 + (1 - share) ** 2


needed = (1 + np.sqrt(2 * 0.95 - 1)) / 2  # the larger root of 2 s² − 2 s + 1 = .95
print(f"80 % each: {by_chance(0.8):.0%} agree; 95 % agree from {needed:.1%} above zero on")
rng = np.random.default_rng(0)
tossed = rng.random((2, 100_000)) < 0.8
assert abs((tossed[0] == tossed[1]).mean() - by_chance(0.8)) < 0.01 and np.isclose(by_chance(needed), 0.95) and np.isclose(by_chance(0.8), 0.68)

# %% [markdown]
# Both above zero happens in a share of $.8^2$, both below in $.2^2$: together 68 %, without any relation. With $s^2 + (1 - s)^2 = .95$, $s$ is 97 %. So an agreement
# in sign counts only against the agreement that the two shares alone would give; for rates and percentages, which are never below zero, that is 100 %.
#
# ```{solution-end}
# ```
#
# :::{exercise} Ten models that are not ten
# :label: models-overlapping
# :level: intermediate
# :minutes: 15
# :code: yes
# A result is averaged over $n$ models. Their results correlate by $\rho$, because the models share most of their training data. By which number of independent models
# would the average be as certain? Check your formula for ten models and $\rho = .9$ by simulation. What do twenty models more bring?
# :::
#
# ```{solution-start} models-overlapping
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def independent(n, rho):
    """How many independent models an average over n that correlate by rho is worth."""
    return n / (1 + (n - 1) * rho)


shared, own = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 10))
of_ten = (np.sqrt(0.9) * shared + np.sqrt(0.1) * own).mean(axis=1)
print(f"10 models are worth {independent(10, 0.9):.2f} (simulated: {1 / of_ten.var():.2f}), 30 are worth {independent(30, 0.9):.2f}; never more than {1 / 0.9:.2f}")
assert np.isclose(1 / of_ten.var(), independent(10, 0.9), rtol=0.03) and independent(30, 0.9) - independent(10, 0.9) < 0.03

# %% [markdown]
# The variance of the mean of $n$ results with variance 1 and correlation $\rho$ is $(1 + (n - 1) \rho) / n$, that of $m$ independent ones $1 / m$. Equal, they give
# $m = n / (1 + (n - 1) \rho)$, which stays below $1 / \rho$ for any $n$. At that correlation ten checkpoints are worth little more than one, and data of another kind would add more than other
# weights.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Ten open models agree on a finding. Which of the three reasons for disagreement on this page have they tested, and which not?
# 2. A finding appears with one model and not with another of the same size. Which of the two would you put in an abstract, and what would you have to say beside it?
