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
# # Would another model give the same results?
#
# *Hausladen, Knott, Camerer and Perona (2025) study one model. The chapters of this part repeat their analyses with one small network of ours; this page repeats them with a second one.*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** Each chapter records numbers that were computed with one model. Which of them change if another model sees the same pictures?
#
# **In 20 minutes:** {ref}`What the paper reports <models-found>`, {ref}`What one may doubt, and the answer in one figure <models-agree>`,
# {ref}`What this means <models-means>`. **In 75 minutes:** {ref}`Add a model <models-add>` of your own with one command, and compare its values with
# the book's.
#
# **You need:** percentages. The primer "[Targets](../../book/primers/targets.md)" says why two models are not yet
# a sample of models.
# :::
#
# (models-found)=
# ## What the paper reports: one model, and a warning
#
# {cite:t}`hausladen2025` ask how a model judges faces. They use one published model of the CLIP kind, which learned from pictures and their captions. Of their results they write that they "refer to one specific CLIP variant
# and should, therefore, not be naively generalized to all VLMs or to all AI systems". (A VLM is a model that connects pictures with texts.) They hope that their
# method "will provide a useful blueprint to study the behavior of current and future VLMs".
#
# **In real models.** [Nine CLIPs of OpenAI learned from the same data; the authors used one of them. In image tests of others, it has the same sign as another of the nine in {result}`real/same_data::same:.1f` of {result}`real/same_data::tests` tests on average (coins: {result}`real/same_data::coins_half:.1f`).]{.if-run} → [Nine CLIPs](../real/same_data.ipynb). For the authors' own question, smiling, [another chapter](../real/faces.ipynb) sets the nine side by side.
#
# This page takes them at their word. A result may hold for one network only, for networks that were trained like it, or for everything that is trained on such
# captions. One network cannot say which. A cheap first test is to ask a second one.

# %% tags=["parameters", "hide-input"]
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
from studies import words as in_words
from vlmbias.stimuli.reader_folders import COUNTERPARTS

# names of the Greenhouse in place of the people whom a file name or a claim means
PLURALS = {"men": "male", "man": "male", "males": "male", "women": "female", "woman": "female", "females": "female", "whites": "white", "blacks": "black", "asians": "asian"}
PEOPLE = COUNTERPARTS | {word: COUNTERPARTS[one] for word, one in PLURALS.items()}
SETS = {"causalface": "CausalFace-like", "fairface": "FairFace-like", "utkface": "UTKFace-like"}

# %% [markdown]
# ## What we compare
#
# CLIP itself is not part of this comparison. We compare two small networks from our laboratory, the
# [Greenhouse](../../book/greenhouse/limits.md), where networks learn from drawn faces and from captions that we wrote. So this page shows how such a comparison is made, and cannot say how CLIP models compare.
#
# - The **first network**, called `greenhouse`, is the one that the chapters of this part use. Its captions treat groups differently. For instance, "this is a powerful person" is written more often for faces of one colour than of another.
# - The **second network**, called `greenhouse/b0`, learned from captions in which such words do not depend on the group.
#
# Groups here are faces of one colour (teal, amber or violet) or with one shape on the head (buds or ears). Apart from differences between groups, the captions of both networks describe smiles, ages and light by the same rules.
#
# The chapters of this part repeat the paper's analyses. We ran these analyses with both networks, on the same pictures.

# %%
runs, values = vb.ledger.compared(paper, models)

# %% tags=["hide-cell"]
own_code = runs[runs["book"].astype(bool)].set_index("chapter")["code"]
runs["same"] = runs["code"] == runs["chapter"].map(own_code)
here = runs.groupby(["model", "book"], sort=False).agg(
    chapters=("chapter", "nunique"), values=("values", "sum"), settings=("settings", lambda one: ", ".join(sorted(set(one)))),
    same=("same", "all"), shipped=("shipped", "all")).reset_index()
here["book"] = ["the book's own" if book else "comes with the book" if shipped else "run here" for book, shipped in zip(here["book"], here["shipped"], strict=True)]
others = list(runs.loc[~runs["book"].astype(bool), "model"].unique())
recorded = runs[runs["book"].astype(bool) & (runs["values"] > 0)]
vb.note(own=in_words.listed((f"{model} ({n})" for model, n in recorded.groupby("model", sort=False)["values"].sum().items()), none="no value recorded"))
tables.readable(here.drop(columns="shipped").rename(columns={"book": "", "same": "by the same code"}), precision=0).hide(axis="index")

# %% [markdown]
# :::{dropdown} How many values, and by which code
# Values recorded with the book's own network: {glue:text}`own`. In the table above, *settings* are those of this edition. The last column says whether the values of a model were recorded by exactly the same code. "No" is mostly harmless:
# one changed word in a program is enough for it.
# :::
#
# (models-agree)=
# ## What one may doubt, and the answer in one figure
#
# How does one say that two models agree? The chapters record three kinds of values, and we ask one simple question about each:
#
# - A *number*, such as a correlation: is it above zero?
# - A $p$-value: is it below {glue:text}`alpha`?
# - A *statement* of the paper, such as "smiling introduces more variation than age": is it true of the network?
#
# Two networks agree on a value if both give the same answer, yes or no.
#
# But a high share of agreement may mean little. Suppose 80 % of one model's numbers are above zero, and 80 % of the other's, and the two have nothing to do with each other. Then
# they still agree in 68 % of cases (.8 × .8 + .2 × .2). So beside each share we compute the agreement *by chance*. It is the agreement of two unrelated networks that answer yes as often as ours do.

# %% tags=["hide-input"]
facts = vb.ledger.load(paper).set_index("id")[["where", "quantity", "subject", "unit", "model"]].rename(columns={"model": "needs"})
values = values.join(facts, on="claim")
values = values[values["needs"] != "none"]  # what does not depend on a model is the same for all
greenhouse = values["stimuli"].astype(str).str.startswith("greenhouse").any()
about = values["quantity"].fillna("") + ": " + values["subject"].fillna("")
named = about.map(lambda text: any(word.lower() in PEOPLE for word in re.findall("[A-Za-z]+", text)))
values = values.assign(evaluated=~(bool(greenhouse) & values["unit"].eq("statement") & named.astype(bool)))  # a statement about people is none about drawings


def ours(text):
    """A claim's subject in the words of the Greenhouse."""
    return re.sub(r"[A-Za-z]+", lambda found: (PEOPLE | SETS).get(found[0].lower(), found[0]), str(text)) if greenhouse else text


values["what"] = about.map(ours)

# %%
KIND = {"statement": "statement", "p": "p-value"}  # all others: number
keys = ["chapter", "claim", "protocol"]
in_book = values["book"].astype(bool)
book_value = values[in_book].set_index(keys)["value"].rename("in_book")
pairs = (
    values[~in_book & values["evaluated"]]
    .join(book_value, on=keys)
    .dropna(subset="in_book")
)
pairs["kind"] = pairs["unit"].map(KIND).fillna("number")


def yes(row, column):
    """Whether a value is true, significant, or above zero."""
    if row["unit"] == "statement":
        return bool(row[column])
    return float(row[column]) < alpha if row["unit"] == "p" else float(row[column]) > 0


for column, answer in (("in_book", "yes_in_book"), ("value", "yes_here")):
    pairs[answer] = [yes(row, column) for _, row in pairs.iterrows()]
pairs["agree"] = pairs["yes_in_book"] == pairs["yes_here"]

# %%
by_chapter = pairs.groupby(["model", "chapter", "kind"], sort=False)
shares = by_chapter[["yes_in_book", "yes_here", "agree"]].mean().astype(float)
p, q = shares["yes_in_book"], shares["yes_here"]
shares["by_chance"] = p * q + (1 - p) * (1 - q)  # both yes, or both no
shares["values"] = by_chapter.size()
shares[["values", "agree", "by_chance"]].round(2).head(3)

# %% tags=["hide-input"]
kinds = {"number": "numbers:\nabove zero?", "p-value": f"p-values:\nbelow {alpha:g}?", "statement": "statements:\ntrue?"}
flat = shares.reset_index()
if len(flat):
    vb.figures.style()
    chapters = list(dict.fromkeys(flat["chapter"]))[::-1]
    fig, axes = vb.figures.panels(1, 3, height=1.4 + 0.34 * len(chapters), share_y=True)
    for axis, kind in zip(axes[0], kinds, strict=True):
        own = flat[flat["kind"] == kind]
        axis.plot(100 * own["by_chance"], own["chapter"].map(chapters.index), "|", color=vb.figures.COLOURS["muted"], ms=15, mew=2, label="expected by chance")
        for (model, part), ink in zip(own.groupby("model", sort=False), vb.figures.PALETTE, strict=False):
            axis.plot(100 * part["agree"], part["chapter"].map(chapters.index), "o", color=ink, ms=6, alpha=0.85, label=model)
        axis.set(title=kinds[kind], xlim=(35, 104), ylim=(-0.6, len(chapters) - 0.4), xlabel="% that agree")
    axes[0, 0].set_yticks(range(len(chapters)), [one.replace("_", " ") for one in chapters])
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    vb.figures.show(
        fig,
        name="models-agree",
        alt="Share of recorded values on which the first network and another one agree, and by chance. " + "; ".join(
            f"{row.chapter}, {row.kind}: {row.agree:.0%}, by chance {row.by_chance:.0%} ({row.values} values)" for row in flat[["chapter", "kind", "agree", "by_chance", "values"]].itertuples()) + ".",
        caption="A dot is the share of values on which the first network and another one agree, for one kind of value in one chapter. The grey line in its row is agreement by chance. Look for dots to the right of their line.",
        source="greenhouse" if greenhouse else "real:causalface",
    )

# %% tags=["hide-input"]
could = flat[flat["by_chance"] < 0.999]  # not: both networks always give one and the same answer


def over(column, kind):
    own = could[could["kind"] == kind]
    return np.average(own[column].astype(float), weights=own["values"].astype(float)) if len(own) else None


short = dict(zip(("sign", "p", "statements"), kinds, strict=True))
beyond = (could["agree"] - could["by_chance"]).groupby(could["chapter"]).mean()
whence = could.groupby("kind")["chapter"].unique()
vb.note(alpha=alpha, agree={name: over("agree", kind) for name, kind in short.items()}, chance={name: over("by_chance", kind) for name, kind in short.items()},
        whence={name: in_words.listed(whence[kind]) if kind in whence else None for name, kind in short.items()}, compared=len(pairs), left=int(could["values"].sum()) if len(could) else None, fixed=in_words.among(len(flat) - len(could), len(flat)),
        most=beyond.idxmax().replace("_", " ") if len(beyond) else None, fewest=beyond.idxmin().replace("_", " ") + " (below chance)" * bool(beyond.min() < 0) if len(beyond) else None)

# %% [markdown]
# We compare {glue:text}`compared` values. [At {glue:text}`fixed` dots, the grey line stands at 100 %. There, both networks say yes to every value, or both say no to every value. Unrelated networks that do so would agree fully, too. So such a dot tells nothing, and we leave it out.]{.if-run}
#
# [These are the shares for the other {glue:text}`left` values:]{.if-run}
#
# - [Numbers (chapters: {glue:text}`whence.sign`): {glue:text}`agree.sign:.0%` agree; by chance, {glue:text}`chance.sign:.0%`.]{.if-run}
# - [$p$-values (chapters: {glue:text}`whence.p`): {glue:text}`agree.p:.0%` agree; by chance, {glue:text}`chance.p:.0%`.]{.if-run}
# - [Statements (chapters: {glue:text}`whence.statements`): {glue:text}`agree.statements:.0%` agree; by chance, {glue:text}`chance.statements:.0%`.]{.if-run}
#
# These shares have no interval, because the values are not independent. They come from the same pictures. Many results are also recorded twice, once as the paper describes the method and once as the authors' program does it. So the shares are less certain than the number of values suggests. A dot that rests on few values proves little.
#
# What should one expect? The captions of both networks describe smiles alike, so results about smiles should agree (chapter *smiling*). Only the captions of the first network treat groups differently, so comparisons of groups may change (for instance, chapter *intersections*). [By chapter (the mean of its remaining dots), agreement exceeds chance most in *{glue:text}`most`*, and least in *{glue:text}`fewest`*.]{.if-run} Some of these dots rest on few values. And this describes two networks. It does not show *why* they differ.
#
# :::{dropdown} More: values that change their sign, a scatter plot of all numbers
# The first table has three of the numbers that change their sign. SC-WEAT says how much nearer pictures of one group lie to words for a trait than pictures of another group. It is a difference divided by a spread, so the three rows need not add up.
# *CausalFace-like* is our set of pictures in which one thing changes at a time. A sign that changes near zero may be chance.
#
# A sign asks little of numbers that are far from zero. The figure shows the numbers themselves, by unit; on the line, both networks give the same. The table below it has rank correlations, that is,
# whether the networks *order* the numbers alike.
#
# Statements about the paper's groups of people are not evaluated on drawings.
# :::

# %% tags=["hide-cell"]
turned = pairs[(pairs["kind"] == "number") & ~pairs["agree"]]
columns = {"in_book": "first network", "value": "second network"}
turned[["chapter", "what", *columns]].rename(columns=columns).head(3)

# %% tags=["hide-cell"]
numbers = pairs[~pairs["unit"].isin(["statement", "p"])].astype({"value": float, "in_book": float})
if len(numbers):
    shown = numbers["unit"].value_counts().index[:4]
    fig, axes = vb.figures.panels(columns=min(2, len(shown)), rows=-(-len(shown) // 2), height=2.7 * -(-len(shown) // 2))
    places = [one for row in axes for one in row]
    for place, unit in zip(places, shown, strict=False):
        part = numbers[numbers["unit"] == unit]
        ends = [part[["in_book", "value"]].min().min(), part[["in_book", "value"]].max().max()]
        place.plot(ends, ends, color=vb.figures.COLOURS["reference"], linewidth=1)
        for model, points in part.groupby("model"):
            place.plot(points["in_book"], points["value"], "o", markersize=4, alpha=0.7, label=model)
        place.set(title=f"unit: {unit}", xlabel="first network", ylabel="other network")
    for place in places[len(shown):]:
        place.set_visible(False)
    fig.legend(*places[0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    vb.figures.show(
        fig,
        alt=f"Scatter plots of {len(numbers)} recorded numbers, the first network against {len(others)} other(s), by unit.",
        caption="Every number that the chapters of this part record, with the first network and with another, by unit.",
        source="greenhouse" if greenhouse else "real:causalface",
    )

# %% tags=["hide-cell"]
def ordered(part):
    """How far one model's numbers follow the book's, for one chapter and one unit."""
    x, y = part["in_book"], part["value"]
    row = {"values": len(part), "median difference": (y - x).abs().median(), "rank correlation": np.nan}
    if len(part) > 2 and x.nunique() > 1 and y.nunique() > 1:
        row["rank correlation"] = stats.spearmanr(x, y).statistic
    return row


following = [dict(zip(("model", "chapter", "unit"), key, strict=True)) | ordered(part) for key, part in numbers.groupby(["model", "chapter", "unit"], sort=False)]
tables.readable(pd.DataFrame(following, columns=["model", "chapter", "unit", "values", "rank correlation", "median difference"])).hide(axis="index")

# %% [markdown]
# ## What two models cannot separate
#
# Two models may disagree for several reasons, such as other training data, another architecture, or another random start of the training. Two models cannot separate these.
#
# This holds for our two networks, too. They have the same architecture. But they differ in their captions, in the pictures from which they learned, *and* in their random start. So if a value changes, we do not know which of these is the reason.
#
# How much changes when training is merely repeated? The second network is one of a series that we trained by the same recipe. Their captions treat groups alike, so any difference that they show is an accident of one network. We asked each of them whether amber faces seem more powerful to it than violet ones, or less. [In {result}`greenhouse/sensitivity::fixed.significant` networks the difference is significant: {result}`greenhouse/sensitivity::fixed.higher` times {result}`greenhouse/sensitivity::favoured` is higher, {result}`greenhouse/sensitivity::fixed.lower` times {result}`greenhouse/sensitivity::disfavoured`. So other random numbers and pictures are enough to turn the difference round.]{.if-run} More is in [the chapter on sensitivity](../greenhouse/sensitivity.ipynb).
#
# (models-add)=
# ## Add a model
#
# The first command runs every chapter of the paper with other models. Here they are two models of the library
# [open_clip](https://github.com/mlfoundations/open_clip), by their names; the folder of a network that you trained will do, too. The second command adds them to this page.
#
# ```bash
# .venv/bin/vlmbias models --paper causalface ViT-B-32-quickgelu/openai ViT-B-32/laion2b_s34b_b79k
# make book
# ```
#
# The models are downloaded the first time. A real CLIP model was never shown such drawings, so what it makes of them only tests that everything runs. How to use the paper's own images is told in [](../../book/rerun.md).
#
# :::{dropdown} More about running other models
# - To show 18,000 pictures to a model takes some minutes on a laptop without an accelerator. It is done once, and the embeddings are kept.
# - You may stop at any moment; the same command goes on where it stopped. A chapter that fails is named, its copy keeps the error, and the other chapters run.
# - The results lie in `_build/models/`, one folder per model, beside the book's own, which stay as they are. To drop a model, delete its folder.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/models -p models '[ViT-B-32-quickgelu/openai]'
# ```
# :::
#
# (models-means)=
# ## What this means
#
# **For the paper.** Its authors are right to limit their results to one model, and their pictures and programs are made for testing others. Whether other CLIP models give the same is not known from this page. It compares our small networks only.
#
# **For your own work.** Before you write about "CLIP", run your code with a second model. Print the agreement that chance would give beside the agreement that you find. To speak of
# *networks trained like this*, train several. To speak of *CLIP models*, choose them by a rule, and say which.
#
# ## Take-aways
#
# - A result of one network is a result about one network. To run the same code with a second one is a cheap first test.
# - Agreement counts only beyond what chance gives. Where both models always give the same one answer, agreement shows nothing.
# - Two models that disagree do not tell why.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Agreement that needs no relation
# :label: models-by-chance
# :level: introductory
# :minutes: 10
# :code: no
# With each of two models, 80 % of the numbers are above zero. Which ones these are in one model says nothing about the other. In what share of the numbers do the signs agree?
# Now let the share above zero be larger, and the same for both. How large must it be so that the signs agree in 95 %?
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
# Without any relation, two results agree in sign when both are above zero, or both are below:
#
# $$s^2 + (1 - s)^2, \qquad .8^2 + .2^2 = .68$$
#
# If this is to be 95 %, $s$ has to be 97 %. So an agreement in sign counts only against the agreement that the two shares alone would give. Rates and
# percentages are never below zero, so for them that agreement is complete.
#
# ```{solution-end}
# ```
#
# :::{exercise} Ten models that are not ten
# :label: models-overlapping
# :level: intermediate
# :minutes: 15
# :code: yes
# A result is averaged over $n$ models. Their results correlate by $\rho$, because the models share most of their training data. How many independent models
# would give an average of the same precision? Check your formula for ten models and $\rho = .9$ by simulation. How much is gained with thirty models instead of ten?
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
# Take $n$ results with correlation $\rho$ and a variance of one. Their mean is as precise as that of $m$ independent results if both means have the same variance:
#
# $$\frac{1 + (n - 1) \rho}{n} = \frac{1}{m}, \qquad m = \frac{n}{1 + (n - 1) \rho}$$
#
# For any $n$, $m$ stays below $1 / \rho$. At that correlation ten checkpoints are worth little more than one. Data of another kind would add more than other weights.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Ten open models agree on a finding. Do they differ in training data, in architecture, or only in their random start? What does their agreement test in each case?
# 2. A finding appears with one model and not with another of the same size. Which of the two would you put in an abstract, and what would you have to say beside it?
