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
# # What is measured when a switch is left on?
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025): the mode in which models were measured, which the paper does not mention and
# the released scripts do not set.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Some networks have a switch, for training or for use. What does an association test measure if it is left on training?
#
# **In short.** In one small ResNet of ours, effect sizes change much with this switch. In the paper, it can concern few models, but one is the reference with which all families of training data are compared. How far its results move was not measured.
#
# **In 20 minutes:** {ref}`What the paper reports <train-mode-found>`, {ref}`What one may doubt, and the answer in one figure <train-mode-answer>`,
# {ref}`It can concern few models, and one of them is the reference <train-mode-census>`, {ref}`What this means <train-mode-means>`.
# **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means and standard deviations, and effect sizes ([the chapter on them](effect_sizes.ipynb)). Primer: "[Embedding association
# tests](../../book/primers/association.md)".
#
# **Content note.** Everything measured here is about drawn faces in invented colours, flowers, insects and the like.
# :::
#
# **The idea.** A few kinds of layers do one thing while a network learns, and another when it is used. PyTorch, the software, has one switch for all of them: *train mode* or *evaluation mode*.
#
# The library from which the authors load most models, open_clip, returns a model with the switch at train mode, except for OpenAI's models. A program that measures the model should first call `model.eval()`. The released programs do not.
#
# **What the authors conclude** (the part that this chapter is about). They compare each family of models that were trained on similar data with one *reference*, the single model that was trained on the data set CC12M: "several dataset families … showed significant positive
# associations … with intrinsic bias effect size with respect to the reference dataset of 'CC12m'". (Association tests measure *intrinsic bias*.)
#
# **Their own checks and limits.** "Our analysis focuses on specific dataset families, model architectures, and parameter sizes …" The paper does not say in which mode the models were measured.

# %% tags=["parameters", "hide-input"]
model = "data/greenhouse/resnet"  # the network under test in the second section; a model
convolutional = "data/greenhouse/resnet"  # Greenhouse: a network with batch normalisation; a model
transformer = "greenhouse"  # Greenhouse: a network without any layer that knows the mode; a model
stimuli = "greenhouse/cfd"  # portraits, with the columns race and gender; an image set
n_images = 16  # pictures on each side of a test, and in each attribute set; at least 4
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/train_mode.json"  # where this notebook would write values of recorded claims; it has none

# %% tags=["hide-input"]
from functools import cache, partial

import numpy as np
import pandas as pd
import torch
from scipy import stats

import vlmbias as vb
from greenhouse import fleet_table
from greenhouse.world import grammar
from studies import tables, words
from studies.pretraining import effect_sizes, model_zoo, upstream
from studies.pretraining.effect_sizes import ORDERS, Targets
from vlmbias.embedding.embed import Embeddings
from vlmbias.embedding.torchvision_shim import import_open_clip
from vlmbias.external import registry

torch.set_num_threads(1)  # single small pictures: more threads would wait for each other
vb.figures.style()

# %% [markdown]
# (train-mode-found)=
# ## What the paper reports: every family is compared with one model
#
# The result of an association test is an effect size $d$: zero if the model
# treats two groups alike, positive if it shows the association that people usually have. A regression compares families of training data. Three of its rows:

# %%
printed = upstream.printed(vb.ledger.load("pretraining"))
families = printed[printed.index.str.startswith("dataset.")]
families = families.rename(index=lambda name: name.removeprefix("dataset."))
families[["coef", "se", "p"]].head(3)

# %% tags=["hide-input"]
lines = families.assign(line=families.index).sort_values("coef", ascending=False)
vb.figures.show(
    vb.figures.forest(lines, estimate="coef", low="low", high="high", label="line", value_label="difference in d from the CC12M model, printed 95 % interval"),
    name="train-mode-printed",
    alt="Printed coefficients of nine families of training data: " + "; ".join(f"{row.line} {row.coef:.2f}" for row in lines.itertuples()) + ".",
    caption="The printed regression, redrawn. The zero line is the ResNet that was trained on CC12M. If its values are wrong, the zero line is in the wrong place for all families.",
    source="paper:pretraining, Table of Figure 6",
)

# %% [markdown]
# Each number is a difference from the same model, a ResNet. If its $d$ came out too small by some amount, each family would lie too high by about this amount. The printed intervals do not include such an error.
#
# (train-mode-answer)=
# ## What one may doubt, and the answer in one figure
#
# The layer that matters is *batch normalisation*, which ResNets have. It moves numbers to a mean of zero and a standard deviation of one. But *whose* mean?
#
# - In evaluation mode, the mean over all pictures of the training.
# - In train mode, the mean over the pictures that are shown together now (the *batch*), be it a single one.
#
# The released programs show one picture at a time, so each is normalised by itself. A tiny example, with invented numbers for a bright picture and a dark one:

# %%
rng = np.random.default_rng(seed)
bright, dark = rng.normal(3, 1, 100), rng.normal(1, 1, 100)  # a layer's numbers
usual_mean, usual_sd = 2.0, 1.4  # over all pictures of the training

evaluation = [((picture - usual_mean) / usual_sd).mean() for picture in (bright, dark)]
train = [
    ((picture - picture.mean()) / picture.std()).mean() for picture in (bright, dark)
]
print(
    "evaluation mode:",
    np.round(evaluation, 2),
    " train mode:",
    np.abs(np.round(train, 2)),
)

layer = torch.nn.BatchNorm1d(1, affine=False, eps=1e-12)  # in train mode
theirs = layer(torch.tensor(bright)[:, None].float()).numpy()[:, 0]
assert np.allclose(theirs, (bright - bright.mean()) / bright.std(), atol=1e-5)

# %% [markdown]
# In train mode both have a mean of zero: what made one brighter than the other is gone.
#
# How much does this change an association test? We cannot measure the CC12M model here. So we take small networks of our laboratory, the [Greenhouse](../../book/greenhouse/limits.md), trained on drawn pictures and on captions that we wrote. Two of them take the same tests in both modes, one picture at a time. One is a ResNet. The other is a transformer, without a layer that knows the mode, so nothing should change in it.

# %% tags=["hide-input"]
plays = grammar.load().bias.roles
HUES, CRESTS = (plays["favoured"], plays["disfavoured"]), (plays["second"], plays["first"])
portraits, icons = vb.images(stimuli), vb.images("greenhouse/icons")


def pictures(column, level):
    return effect_sizes.of_kind(icons if column == "category" else portraits, column, level, n_images)


def texts(name, side):
    return effect_sizes.of_side(vb.prompts(f"greenhouse/{name}"), side)


SETS = [("flower-insect", "category", "objects", ("flower", "insect")), ("instrument-weapon", "category", "objects", ("instrument", "weapon")),
        ("race", "race", "names", HUES), ("gender", "gender", "names", CRESTS)]
TARGETS = [Targets(category, "image", "pictures", *(pictures(column, one) for one in pair)) for category, column, _, pair in SETS]
TARGETS += [Targets(category, "text", "words", *(texts(name, one) for one in pair)) for category, _, name, pair in SETS]
ATTRIBUTES = {"image": tuple(pictures("category", one) for one in ("pleasant", "unpleasant")),
              "text": tuple(texts("valence", one) for one in ("pleasant", "unpleasant"))}


def run(embed):  # neither p nor intervals are used on this page
    return effect_sizes.run(TARGETS, ATTRIBUTES, embed, end="", turned=(), ddof=1, n_permutations=1, n_resamples=1, seed=seed)

# %%
def loaded(name, train):
    """A network with the switch set: a copy, since train mode changes it."""
    torch.manual_seed(seed)
    encoder = vb.encoder(name, own=True)
    encoder.network.train(train)
    return encoder


def seen(encoder, shown, rows=None):
    """The vectors of texts, or of pictures in the batches `rows` (else one by one)."""
    if "text" in shown.table:
        return vb.embed(encoder, shown, store=False)
    files = shown.painted_for(encoder.pairing).decode()
    pixels = encoder.normalise(np.array([encoder.pixels(one) for one in files]))
    vectors = np.empty((len(pixels), encoder.dimension), np.float32)
    for own in rows or np.arange(len(pixels))[:, None]:
        vectors[own] = encoder.encode_images(pixels[own])
    return Embeddings(vectors, shown.table, encoder.source, encoder.name)


@cache
def both_modes(name):
    networks = (loaded(name, train) for train in (False, True))
    evaluated, trained = (run(partial(seen, one)) for one in networks)
    test = ["category", "order", "targets"]
    both = (table[[*test, "d", "gap"]] for table in (evaluated, trained))
    return pd.merge(*both, on=test, suffixes=(", eval", ", train"))


shipped = {"transformer": both_modes(transformer), "ResNet": both_modes(convolutional)}
shipped["ResNet"][["category", "order", "d, eval", "d, train"]].round(2).head(3)

# %% [markdown]
# One of the tests by hand, in train mode: are pictures of flowers nearer to pleasant words than pictures of insects?

# %%
resnet = loaded(convolutional, train=True)
flowers, insects = (
    seen(resnet, pictures("category", one)).vectors for one in ("flower", "insect")
)
pleasant, unpleasant = (
    seen(resnet, one).vectors.mean(axis=0) for one in ATTRIBUTES["text"]
)
x, y = (own @ (pleasant - unpleasant) for own in (flowers, insects))
by_hand = (x.mean() - y.mean()) / np.concatenate([x, y]).std(ddof=1)
test = shipped["ResNet"].query(
    "category == 'flower-insect' and order == 'image-target'"
)
assert np.isclose(by_hand, test["d, train"].item(), atol=1e-3)

# %% [markdown]
# All tests, in both modes:

# %%
def changes(tests):
    """What the mode does to a network's tests together."""
    before, after = tests["d, eval"], tests["d, train"]
    change = (after - before).abs()
    return {
        "tests": len(tests),
        "changed": int((change > 1e-5).sum()),  # less is rounding
        "turned": int((before * after < 0).sum()),  # d changes its sign
        "typical": np.sqrt((change**2).mean()),
        "largest": change.max(),
    }


modes = pd.DataFrame({name: changes(own) for name, own in shipped.items()}).T
modes.round(2)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=3.9, share_x=True, share_y=True)
for axis, (name, own) in zip(axes[0], shipped.items(), strict=True):
    axis.axline((0, 0), slope=1, color=vb.figures.COLOURS["reference"], linewidth=1)
    for (order, part), colour in zip(own.groupby("order", sort=False), vb.figures.PALETTE, strict=False):
        axis.plot(part["d, eval"], part["d, train"], "o", color=colour, alpha=0.85, label=ORDERS[order])
    axis.set(title=name, xlabel="d, evaluation mode", xlim=(-2.1, 2.1), ylim=(-2.1, 2.1))
axes[0, 0].set_ylabel("d, train mode")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig, name="train-mode-answer",
    alt="Effect sizes in train mode against those in evaluation mode. " + "; ".join(
        f"{name}: {row['changed']:.0f} of {row['tests']:.0f} differ, by up to {row['largest']:.2f}" for name, row in modes.iterrows()) + ".",
    caption="The same association tests of two small networks of ours, in both modes, one picture at a time. On the line, nothing changes. Colours: what is shown as pictures, what as words.",
    source="greenhouse",
)
still, row = (changes(own) for own in shipped.values())
vb.note(same=words.among(still["changed"], still["tests"]), changed=words.among(row["changed"], row["tests"]),
        turned=words.among(row["turned"], row["tests"]),
        mean_d=shipped["ResNet"][["d, eval", "d, train"]].mean().rename(lambda name: name[3:]), n_tests=len(shipped["ResNet"]))
before, after = shipped["ResNet"]["d, eval"], shipped["ResNet"]["d, train"]
stays = np.isclose(after, before, atol=1e-5)
vb.holds(mean_falls=bool(after.mean() < before.mean() / 2),
         only_words_stay=bool((stays == (shipped["ResNet"]["order"] == "all-text")).all()))

# %% [markdown]
# In the transformer, {glue:text}`same` tests change. In the ResNet, {glue:text}`changed` do. [Only tests in which everything is words stay as
# they are,]{.holds #only_words_stay} because the layers in question are in the part that reads pictures.
#
# [The mean $d$ over the {glue:text}`n_tests` tests, on which a coefficient of the regression rests, falls from {glue:text}`mean_d.eval:.2f` to {glue:text}`mean_d.train:.2f`.]{.holds #mean_falls} In {glue:text}`turned` tests, $d$ even changes its
# direction.
#
# But this is *one small ResNet of ours*. How far the CC12M model moves, and in which direction, nobody knows until it is measured.
#
# (train-mode-census)=
# ## It can concern few models, and one of them is the reference
#
# Which models have such layers, open_clip's configurations tell. We take the list of the authors' models, as rebuilt in [Models and families](model_zoo.ipynb):

# %%
BATCH, CHANCE = "statistics of the batch", "chance"
open_clip = import_open_clip()


def depends_on(architecture):
    """What a network of an architecture depends on in train mode."""
    config = open_clip.get_model_config(architecture)
    vision, text = config["vision_cfg"], config.get("text_cfg", {})
    if isinstance(vision.get("layers"), list):  # a ResNet: its layers, by stage
        return BATCH
    settings = [*vision.items(), *text.items()]
    drops = any(rate and rate > 0 for name, rate in settings if "drop" in name)
    # text networks of Hugging Face bring their own dropout
    return CHANCE if drops or "hf_model_name" in text else ""


listed = model_zoo.kept(registry.listed("2.24.0"))
listed = listed[listed["left_out"] == ""]
listed["depends on"] = listed["architecture"].map(depends_on)
listed = listed[listed["tag"] != "openai"]  # the library switches these itself
concerned = listed[listed["depends on"] != ""]
concerned.groupby("depends on")["architecture"].agg(["size", "unique"])

# %% tags=["hide-input"]
with_batch = concerned[concerned["depends on"] == BATCH]
with_chance = concerned[concerned["depends on"] == CHANCE]
registered = {name: open_clip.get_pretrained_cfg(*name) or {} for name in zip(listed["architecture"], listed["tag"], strict=True)}
mismatch = [f"{architecture}/{tag}" for (architecture, tag), own in registered.items()
            if own.get("quick_gelu") and not open_clip.get_model_config(architecture).get("quick_gelu")]
vb.note(concerned=len(concerned), with_batch=len(with_batch), with_chance=len(with_chance), n_mismatch=len(mismatch), mismatch=words.listed(mismatch))
vb.holds(most_same=len(concerned) < len(listed) / 2, other_activation="RN50/cc12m" in mismatch)

# %% [markdown]
# Of the models with batch normalisation, {glue:text}`with_batch` are left in train mode. (Others are OpenAI's.) One of them is the reference. The others are the whole family YFCC15M.
#
# {glue:text}`with_chance` more models have layers that leave out parts of the network at random while it learns. In train mode, they give another result each time: the released programs seed numpy, not torch, which draws here. All other models are the same in both modes.
#
# :::{dropdown} Details: today's list
# In the release of open_clip that this book uses, {glue:text}`batch` of {glue:text}`weights` weights have batch normalisation. {glue:text}`openai` of them are OpenAI's, whose loader switches
# to evaluation mode. {glue:text}`chance` have layers that depend on chance. Tagged CC12M: {glue:text}`cc12m` (one model, listed with either activation), with {glue:text}`cc12m_has`.
# :::

# %% tags=["hide-cell"]
weights = pd.DataFrame(open_clip.list_pretrained(), columns=["architecture", "tag"])
weights["depends on"] = weights["architecture"].map(depends_on)
weights["example"] = weights["architecture"] + "/" + weights["tag"]
of_cc12m = weights[weights["tag"] == "cc12m"]
number = weights["depends on"].value_counts()
of_openai = weights[(weights["tag"] == "openai") & (weights["depends on"] == BATCH)]
vb.note(weights=len(weights), batch=int(number[BATCH]), chance=int(number[CHANCE]), openai=len(of_openai),
        cc12m=len(of_cc12m),
        cc12m_has=words.listed(f"layers that depend on {kind}" for kind in sorted(of_cc12m["depends on"].unique())))
census = weights[weights["depends on"] != ""].groupby("depends on").agg(
    weights=("tag", "size"), architectures=("architecture", "nunique"),
    examples=("example", lambda own: ", ".join(own[:3])))
tables.readable(census.loc[[BATCH, CHANCE]])

# %% [markdown]
# ## The protocol, run on {data}
#
# Here, one network is measured in both modes. In the table, *gap* is the difference between the two groups' mean scores, in cosines.

# %%
tests = both_modes(model)

# %% tags=["hide-input"]
both = tests.assign(order=tests["order"].map(ORDERS), test=tests["category"].replace({"race": "hue", "gender": "crest"}) + ", " + tests["targets"])
one = changes(tests)
vb.note(mine=words.among(one["changed"], one["tests"]),
        my_turned=words.among(one["turned"], one["tests"]))
tables.readable(both[["order", "test", "d, eval", "d, train", "gap, eval", "gap, train"]]).format(
    lambda gap: tables.number(gap, precision=4), subset=["gap, eval", "gap, train"]).hide(axis="index")

# %% [markdown]
# Between the modes, {glue:text}`mine` tests change. Their direction changes in {glue:text}`my_turned`.
#
# (train-mode-mates)=
# ## What this method can see: how much changes differs from network to network
#
# How much of $d$ is left in the ResNets of [another set](stress.ipynb)? We take the test of two colours of faces against words:

# %%
resnets = fleet_table.read("planted").query("architecture == 'resnet'")
resnets = resnets.query("test == 'race/image-target'")
left = resnets["effect_size_train"] / resnets["effect_size"]  # share of d that is left
left.round(2).describe()[["count", "min", "max"]]

# %% tags=["hide-input"]
every = fleet_table.read("planted").query("architecture == 'resnet'")
means = every.groupby("model")[["effect_size", "effect_size_train"]].mean()  # over the 26 tests
falls = means["effect_size_train"] < means["effect_size"]
smaller = resnets["effect_size_train"] < resnets["effect_size"]
vb.note(resnets=len(resnets), mean_falls=words.among(int(falls.sum()), len(falls)))
coins = stats.binomtest(int(falls.sum()), len(falls)).pvalue  # as uneven a split, in either direction
vb.note(coins=coins)
vb.holds(direction_open=bool(coins > 0.05), all_smaller=bool(smaller.all()), uneven=bool(left.max() > 2 * left.min()), means_fall=bool(0.5 < falls.mean() < 1))

# %% [markdown]
# [In each of the {glue:text}`resnets` ResNets, $d$ between the colours is smaller in train mode.]{.holds #all_smaller} [But how much of $d$ is left differs very much.]{.holds #uneven} So a number from train mode cannot be corrected, only measured again.
#
# [In most of these ResNets, but not in all, the mean over their tests is smaller in train mode, too: in {glue:text}`mean_falls`.]{.holds #means_fall}

# %% [markdown]
# (train-mode-means)=
# ## What this means
#
# **For the paper.** [Most models are the same in both modes; we counted {glue:text}`concerned` that are not.]{.holds #most_same} But the reference is among these. If its $d$ is off, the coefficients of families are off by about the same amount, and which families differ "from CC12M" may change. (The coefficient of YFCC15M may be off by another amount, since its models are concerned, too.) Differences *between* other families, such as DFN against LAION, hardly depend on it.
#
# How large the error is, is not known; it may be small. [Its direction is open, too: if both were equally likely, a split at least as uneven as in the set of ResNets above would come in {glue:text}`coins:.0%` of cases.]{.holds #direction_open} One command measures what the mode changes:
# `vlmbias run pretraining/train_mode -p model=RN50-quickgelu/cc12m`. (The same weights with the activation of their training; see the next section.)

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `8dffa18`.
#
# | | paper | code | here |
# |---|---|---|---|
# | mode (G1) | not mentioned | programs that measure never call `.eval()`; open_clip returns train mode, except for OpenAI's models | both |
# | seed | not mentioned | numpy's, not torch's | `seed` |
# | batch | not mentioned | one picture at a time, so that each is normalised by itself | one by one |
# | CC12M | the reference | one model, a ResNet | counted above |
# | activation (G16) | not mentioned | `RN50/cc12m`; its program leaves out `RN50-quickgelu/cc12m` | see below |
#
# *Activation.* The weights of CC12M were trained with an activation called QuickGELU, as open_clip marks them today. [The architecture `RN50` has another one, GELU.]{.holds #other_activation} So the authors' reference presumably ran with an activation that it was not trained with. In a ResNet, this concerns the part that reads words. In today's list, it concerns {glue:text}`n_mismatch` of the authors' models:
# {glue:text}`mismatch`. How far it moves $d$ was not measured. Our program refuses such a combination and names the right one. To measure the authors' own, load `RN50/cc12m` with open_clip; then measure `RN50-quickgelu/cc12m`, too.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/train_mode -p model=RN50-quickgelu/cc12m
# ```
# measures the weights of the reference model in both modes, with the activation of their training (they are downloaded by open_clip when first used), on flowers, insects,
# instruments and weapons that are drawn. `vlmbias train resnet --seed 1` makes the ResNet of this page again.
# :::
#
# ## Take-aways
#
# - Call `model.eval()` and say so. Test that a picture has the same vector alone and in a batch (exercise 2).
# - In train mode, some models give another result each time: set a seed.
# - An error in few models can move every comparison, if one of them is the reference.
#
# ## Exercises
#
# :::{exercise} What a batch has in common
# :label: train-mode-batch
# :level: introductory
# :minutes: 10
# :code: no
# Two groups of equal size have the means 0 and 1 and a standard deviation of 1 within each. Normalise each group by its own mean and standard deviation, as
# batch normalisation does in train mode with sorted batches; then, instead, all numbers together by theirs. What is the difference of the groups' means each time?
# :::
#
# ```{solution-start} train-mode-batch
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def normalised(values):
    return (values - values.mean()) / values.std()


zero, unit = (np.random.default_rng(seed).normal(mean, 1, 50) for mean in (0, 1))
together = normalised(np.concatenate([zero, unit]))
sorted_gap, mixed_gap = normalised(unit).mean() - normalised(zero).mean(), together[50:].mean() - together[:50].mean()
print(f"one group a batch: {sorted_gap:.2f}; mixed: {mixed_gap:.2f}")
assert abs(sorted_gap) < 1e-9 < 0.5 < mixed_gap

# %% [markdown]
# A group that is centred by its own mean has the mean zero, and so has the other. Normalised together, both are moved by one mean, and their difference stays, in units of the common spread.
#
# ```{solution-end}
# ```
#
# :::{exercise} A test for a script
# :label: train-mode-test
# :level: intermediate
# :minutes: 20
# :code: yes
# Write a check that a measuring script could run on any encoder before it starts: does the same picture get the same vector alone and in a
# batch? Let it pass for the ResNet in evaluation mode and fail in train mode.
# :::
#
# ```{solution-start} train-mode-test
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def steady_in_batches(encoder, shown):
    alone, together = seen(encoder, shown).vectors, seen(encoder, shown, [np.arange(len(shown))]).vectors
    return np.allclose(alone, together, atol=1e-4)


portraits = pictures("race", HUES[0])
print({mode: steady_in_batches(loaded(convolutional, train), portraits) for mode, train in (("evaluation", False), ("train", True))})
assert steady_in_batches(loaded(convolutional, False), portraits) and not steady_in_batches(loaded(convolutional, True), portraits)

# %% [markdown]
# In evaluation mode a vector depends on its own picture; in train mode batch normalisation lets the other pictures in. The check shows this for any encoder, without knowing its layers.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Suppose the CC12M model's effect sizes rise by a third in evaluation mode. Which of the paper's sentences would have to change, and which
#    would not?
# 2. A released script sets what the paper's text does not mention. Is the result reproduced if one runs the script, or the text?
