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
# # Train mode: what is measured when a switch is left on
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025): the mode in which 131 models were measured, which the paper does not mention and
# the released scripts do not set.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A network is measured in the mode in which it is trained. What then is an effect size about: the network, the batch, or
# chance?
#
# **In 20 minutes:** {ref}`the answer in one figure <train-mode-answer>`, {ref}`which models it can concern <train-mode-census>`,
# {ref}`the company of other pictures <train-mode-company>`, take-aways. **In 75 minutes:** also the tests one by one, chance, the exercises.
#
# **You need:** the idea of a layer, effect sizes ([the chapter on them](effect_sizes.ipynb)), correlation. Primer: [Embedding association
# tests](../../book/primers/association.md).
#
# **Content note.** Everything measured here is about drawn faces in invented hues, flowers, insects and the like.
# :::
#
# **The idea.** Most layers do the same thing whenever they are used. Three kinds do not. *Batch normalisation* rescales its input: in
# training by the mean and the variance of the batch at hand, in evaluation by running averages of all batches seen. *Dropout* and
# *stochastic depth* leave out parts of the network at random, in training only. PyTorch keeps one switch for all of them; open_clip
# returns a model with the switch at training. A script that does not call `model.eval()` measures a network whose vectors may depend on
# the batch, or on chance.
#
# **What the authors conclude** (the part that this chapter is about): "several dataset families … showed significant positive
# associations … with intrinsic bias effect size with respect to the reference dataset of 'CC12m', chosen because we hypothesized its
# curation strategy would lead to the lowest levels of intrinsic bias". One model was trained on CC12M: a ResNet, with batch
# normalisation.
#
# **Their own checks and limits.** "Our analysis focuses on specific dataset families, model architectures, and parameter sizes". The mode is
# not among the checks.

# %% tags=["parameters"]
model = "data/greenhouse/resnet"  # the network under test in the second section; a model
convolutional = "data/greenhouse/resnet"  # Greenhouse: a network with batch normalisation; a model
transformer = "greenhouse"  # Greenhouse: a network without any layer that knows the mode; a model
stimuli = "greenhouse/cfd"  # portraits, with the columns race and gender; an image set
n_images = 16  # pictures on each side of a test, and in each attribute set; at least 4
batch = 16  # pictures per batch, where they are not looked at one by one; at least 2
rate = 0.1  # share that dropout leaves out, as in the text towers in question; from 0 to 1
n_passes = 10  # how often the same sentences are read with dropout; at least 2
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/pretraining/train_mode.json"  # where this notebook would write values of recorded claims; it has none

# %%
from functools import cache, partial

import numpy as np
import pandas as pd
import torch

import vlmbias as vb
from greenhouse import fleet_table
from greenhouse.world import grammar, truth
from studies import tables, words
from studies.pretraining import effect_sizes, train_mode
from studies.pretraining.effect_sizes import ORDERS, Targets
from vlmbias.embedding.embed import Embeddings

torch.set_num_threads(1)  # single small pictures: more threads would wait for each other

# %% [markdown]
# ## The answer in one figure
#
# Two networks of the Greenhouse, our laboratory, were trained on captions with a planted bias: a vision transformer, which has no layer
# that knows the mode, and a small ResNet of CLIP's kind. Both take the same association tests in both modes, one picture at a time, as in
# the scripts.

# %%
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


def loaded(name, train):
    torch.manual_seed(seed)
    encoder = vb.encoder(name, own=True)  # a network of its own: looking in train mode moves its running averages
    encoder.network.train(train)
    return encoder


def look(encoder, stimuli, rows=None):
    """The vectors of a set; of pictures in the batches `rows`, by default one by one."""
    if "text" in stimuli.table:
        return vb.embed(encoder, stimuli, store=False)
    shown = encoder.normalise(np.array([encoder.pixels(one) for one in stimuli.painted_for(encoder.pairing).decode()]))
    vectors = np.empty((len(shown), encoder.dimension), np.float32)
    for own in rows or np.arange(len(shown))[:, None]:
        vectors[own] = encoder.encode_images(shown[own])
    return Embeddings(vectors, stimuli.table, encoder.source, encoder.name)


def run(embed):  # neither p nor intervals are used on this page
    return effect_sizes.run(TARGETS, ATTRIBUTES, embed, end="", turned=(), ddof=1, n_permutations=1, n_resamples=1, seed=seed)


@cache
def both_modes(name):
    return train_mode.compared(*(run(partial(look, loaded(name, train))) for train in (False, True)))


shipped = {"transformer": both_modes(transformer), "ResNet": both_modes(convolutional)}
modes = train_mode.summary(shipped)

# %% tags=["hide-input"]
vb.figures.style()
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
        f"{name}: {row['changed']} of {row['tests']} differ, by up to {row['largest']:.2f}" for name, row in modes.iterrows()) + ".",
    caption="The same association tests of two networks, in both modes, one picture at a time. On the line nothing changes.",
    source="greenhouse",
)
still, row = modes.to_dict("index").values()
vb.note(same=words.among(still["changed"], still["tests"]), changed=words.among(row["changed"], row["tests"]),
        turned=words.among(row["turned"], row["tests"]), shrunk=words.among(row["shrunk"], row["changed"]), typical=row["typical"], largest=row["largest"],
        above={mode: row[f"above, {mode}"] for mode in ("eval", "train")})

# %% [markdown]
# Of the transformer's tests {glue:text}`same` change. Of the ResNet's {glue:text}`changed` do: by {glue:text}`typical:.2f` (root mean square), by up
# to {glue:text}`largest:.2f`, and {glue:text}`turned` turn their sign. Texts have no such layer in either network, so All Text stays. The raw gap is
# nearer to zero in train mode in {glue:text}`shrunk` of those that change, and the share of tests with $d > 0.2$ goes from
# {glue:text}`above.eval:.0%` to {glue:text}`above.train:.0%`. This is one small ResNet; how far it moves says nothing about
# another.

# %% [markdown]
# ## What the paper reports
#
# Nothing about the mode. What it says of architectures: "17 of the 131 models we study use ResNets or ConvNeXts, convolutional
# architectures", and of {claim}`effect_sizes.models` models all "use transformer-based text encoders". From the configurations of the open_clip
# release that this book pins, one can read which weights have a layer that knows the mode:

# %%
import open_clip

configs = {name: open_clip.get_model_config(name) for name in open_clip.list_models()}
weights = open_clip.list_pretrained()
census = train_mode.census(weights, configs)
tables.readable(census)

# %% tags=["hide-input"]
openai = [one for one in weights if one[1] == "openai" and train_mode.of_architecture(configs[one[0]]) == train_mode.BATCH]
reference = [tag for name, tag in weights if tag == "cc12m"]
kinds = {train_mode.of_architecture(configs[name]) for name, tag in weights if tag == "cc12m"}
vb.note(weights=len(weights), batch=int(census.loc[train_mode.BATCH, "weights"]), chance=int(census.loc[train_mode.CHANCE, "weights"]), openai=len(openai),
        cc12m=len(reference), cc12m_has=words.listed(sorted(kinds)))

# %% [markdown]
# (train-mode-census)=
# Of {glue:text}`weights` weights, {glue:text}`batch` have batch normalisation, of which {glue:text}`openai` are OpenAI's, whose loader switches to
# evaluation; {glue:text}`chance` have stochastic depth or a text tower with dropout. Tagged CC12M: {glue:text}`cc12m`, with layers that depend on
# {glue:text}`cc12m_has`. Among the paper's models the audit counts three ResNets, nine ConvNeXts and seven text towers of these kinds, and
# none among the others. But the regression compares every family with the one CC12M model: if *its* effect sizes are off, so is every coefficient of a
# data set.
#
# ## The protocol, run on {data}
#
# The network under test, first in the paper's terms, then as the scripts have it. How many of its layers know the mode, and does a
# picture still find itself?

# %%
PROTOCOLS = {"described": dict(train=False), "released": dict(train=True)}
networks = {name: loaded(model, **chosen) for name, chosen in PROTOCOLS.items()}
layers = train_mode.layers(networks["described"].network.modules())

faces = pictures("race", HUES[0])
vectors = {name: look(one, faces).vectors for name, one in networks.items()}
kept = train_mode.itself(vectors["described"], vectors["released"])
tests = both_modes(model)

# %% tags=["hide-input"]
shown = tests.assign(order=tests["order"].map(ORDERS), test=tests["category"].replace({"race": "hue", "gender": "crest"}) + ", " + tests["targets"])
(one,) = train_mode.summary({"it": tests}).to_dict("records")
vb.note(layers=words.listed(f"{n} that depend on {kind}" for kind, n in layers.items()), kept=kept, mine=words.among(one["changed"], one["tests"]),
        my_turned=words.among(one["turned"], one["tests"]))
tables.readable(shown[["order", "test", "d, eval", "d, train", "gap, eval", "gap, train"]]).format(
    lambda gap: tables.number(gap, precision=4), subset=["gap, eval", "gap, train"]).hide(axis="index")

# %% [markdown]
# The network has layers: {glue:text}`layers`. The cosine of a picture's vector in one mode with its vector in the other is
# {glue:text}`kept.same:.2f` on average; two different pictures in evaluation mode have {glue:text}`kept.other:.2f`. For
# {glue:text}`kept.found:.0%` of the pictures the nearest vector of the other mode is their own. {glue:text}`mine` tests change, {glue:text}`my_turned` turn.
#
# ## What this method can see
#
# Measuring in train mode rests on three assumptions. Each has a counter-example.
#
# 1. *No layer knows the mode.* Counter-example: the transformer above beside the ResNet.
# 2. *A vector depends on its picture alone.* Counter-example: the same pictures in other company.
# 3. *A vector is the same at every look.* Counter-example: dropout in the text tower.
#
# ### The company of other pictures
#
# In train mode batch normalisation takes mean and variance of whatever is looked at together. A picture on its own is normalised by
# itself; in a batch with its own group only, what the group has in common is taken away. The faces of two hues, against valence
# words, in a network that was taught a difference:

# %%
hued = [pictures("race", one) for one in HUES]
both = portraits.where(portraits.table["race"].isin(HUES))
both = effect_sizes.of_kind(both.where(both.table["gender"] == CRESTS[0]), "gender", CRESTS[0], 2 * n_images)
groups = both.table["race"].tolist()
COMPANY = {
    "evaluation": (False, None),
    "train, one by one": (True, None),
    "train, hues mixed": (True, train_mode.batches(groups, batch, sorted_=False, seed=seed)),
    "train, one hue a batch": (True, train_mode.batches(groups, batch, sorted_=True, seed=seed)),
}
good, bad = (look(loaded(convolutional, False), one).vectors.mean(axis=0) for one in ATTRIBUTES["text"])
rows = []
for name, (train, order) in COMPANY.items():
    encoder = loaded(convolutional, train)
    scores = encoder.logit_scale * look(encoder, both, order).vectors @ (good - bad)
    x, y = (scores[[group == hue for group in groups]] for hue in HUES)
    rows.append({"how": name, "gap, logits": x.mean() - y.mean(), "d": vb.measures.effect_size(x, y)})
company = pd.DataFrame(rows).set_index("how")
counted = truth.counted(grammar.load(), both.table, "race", 1.0, axes=["pleasant"])["pleasant"]
planted = counted[HUES[0]] - counted[HUES[1]]

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=3.0)
place = -np.arange(len(company))
axis.barh(place, company["gap, logits"], height=0.55, color=vb.figures.COLOURS["recomputed"])
axis.axvline(planted, color=vb.figures.COLOURS["planted"], linewidth=1.6, linestyle=":", label="planted, in counts of captions")
axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
axis.set(yticks=place, yticklabels=[f"{name}\n(d = {row['d']:.2f})" for name, row in company.iterrows()], xlabel=f"gap {HUES[0]} − {HUES[1]}, logits")
fig.legend(loc="outside upper left")
vb.figures.show(
    fig, name="train-mode-company",
    alt=f"Raw gap between two hues in four ways of looking; planted {planted:.2f} logits. "
    + "; ".join(f"{name}: {row['gap, logits']:.2f} (d {row['d']:.2f})" for name, row in company.iterrows()) + ".",
    caption="One ResNet, the same faces, the same words: what is shown of a planted difference, by the mode and by who is looked at together.",
    source="greenhouse",
)
gap = company["gap, logits"]
vb.note(planted=planted, gap=dict(zip(("eval", "alone", "mixed", "own"), gap, strict=True)), least=words.extreme(gap.abs(), list(company.index), largest=False))

# %% [markdown]
# Where {glue:text}`planted:.2f` logits were planted, evaluation shows {glue:text}`gap.eval:.2f`, train mode {glue:text}`gap.alone:.2f` one by one,
# {glue:text}`gap.mixed:.2f` in mixed batches and {glue:text}`gap.own:.2f` where each batch has one hue. The smallest: {glue:text}`least`. The same network, the
# same pictures: a result in train mode belongs to the script's order of files as much as to the network. And looking *changes* the network: its running
# averages move with every batch, so that a later evaluation differs, too.
#
# Is train mode then nearer to the truth? No. This ResNet overshoots: evaluation shows {glue:text}`over:.1f` times what was planted, which is a property of its training. Train mode takes a part
# away, whatever the truth is, and in this network the rest happens to {glue:text}`lands` what was planted. Other ResNets show it, those of [the fleet](stress.ipynb),
# with and without a filter. Of them d was kept in both modes; it has no planted value, so that the last column is not to be compared with the first.

# %%
every = fleet_table.read("planted").query("architecture == 'resnet' and test == 'race/image-target'")
said = fleet_table.truth().query("category == 'race'").set_index("dataset")["counted"]
others = every.assign(counted=every["dataset"].map(said))[["dataset", "counted", "gap", "effect_size", "effect_size_train"]]
others = others.sort_values(["counted", "gap"], ignore_index=True)
tables.readable(others.rename(columns={"dataset": "data family", "counted": "planted, logits", "gap": "evaluation, logits", "effect_size": "d, evaluation", "effect_size_train": "d, train mode"})).hide(axis="index")

# %% tags=["hide-input"]
ratio = others["gap"] / others["counted"]
kept_d = others["effect_size_train"] / others["effect_size"]
vb.note(over=gap.iloc[0] / planted, resnets=len(others), ratio={"least": ratio.min(), "most": ratio.max()}, kept_d={"least": kept_d.min(), "most": kept_d.max()},
        lands=words.verb(abs(gap.iloc[1] - planted), above=0.25 * planted, then="be far from", else_="come near"),
        fall=words.among(int((others["effect_size_train"] < others["effect_size"]).sum()), len(others)))

# %% [markdown]
# In {glue:text}`fall` ResNets of the fleet d is smaller in train mode. What is left of it is between {glue:text}`kept_d.least:.0%` and {glue:text}`kept_d.most:.0%`, so no rule leads from one mode
# to the other. In evaluation their gaps are {glue:text}`ratio.least:.1f` to {glue:text}`ratio.most:.1f` times what was planted.
#
# ### Chance
#
# The text towers in question drop a tenth of their activations. Put such layers into the transformer's text tower, and read the same
# sentences {glue:text}`passes` times. (A network that was trained with dropout would be more used to it than ours.)

# %%
steady = loaded(transformer, False)
seen = cache(partial(look, steady))  # pictures do not pass through the text tower
dropping = loaded(transformer, True)
for block in dropping.network.transformer.resblocks:
    block.mlp.append(torch.nn.Dropout(rate))

passes = [run(lambda one: look(dropping, one) if "text" in one.table else seen(one)) for _ in range(n_passes)]
plain = run(partial(look, steady))
spread = train_mode.over_passes(passes, plain).query("order != 'all-image'")

# %% tags=["hide-input"]
widest = spread.loc[spread["sd"].idxmax()]
turns = int((np.sign([one["d"] for one in passes]).std(axis=0) > 0).sum())
vb.note(passes=n_passes, sd=spread["sd"].median(), widest=widest["sd"], outside=words.among(int(spread["outside"].sum()), len(spread)),
        turns=words.among(turns, len(plain)))

# %% [markdown]
# Between passes the effect sizes of the tests with texts vary with a standard deviation of {glue:text}`sd:.2f` (median; the largest
# {glue:text}`widest:.2f`); {glue:text}`turns` tests do not keep their sign. In {glue:text}`outside` the value in evaluation mode lies outside all passes. The scripts
# set no seed: nobody can repeat such a number, and one pass is what a table prints.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `8dffa18`. The models could not be measured again here.
#
# | | paper | code | here |
# |---|---|---|---|
# | mode (G1) | not mentioned | measurement scripts never call `.eval()`; open_clip returns train mode, but for OpenAI's loads | both |
# | seed | not mentioned | torch unseeded | `seed` |
# | batch | not mentioned | one image at a time: batch normalisation by the image itself | one by one, and in batches |
# | CC12M | the reference data set | one model, an RN50 | the census above |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/train_mode -p model RN50-quickgelu/cc12m
# ```
# measures the reference model itself in both modes (its weights are downloaded by open_clip when first used), on flowers, insects,
# instruments and weapons that are drawn. `vlmbias greenhouse train resnet --seed 1` makes the ResNet of this page again.
# :::
#
# ## Take-aways
#
# - Call `model.eval()` and say so. Test it: the same picture, alone and in a batch, twice, has to give the same vector.
# - Batch normalisation in train mode takes away what a batch has in common; in a batch of one, the picture's own average and contrast.
# - With dropout or stochastic depth a vector is a draw. Without a seed it cannot be repeated.
# - A switch that concerns few models can still move every coefficient, if one of them is the reference.
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
# A group that is centred by its own mean has the mean zero, and so has the other: what a whole batch has in common is removed, and in sorted batches
# that is the group. Normalised together, both are moved by one mean, and their difference stays, in units of the common spread.
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
def steady_in_batches(encoder, stimuli):
    alone, together = look(encoder, stimuli).vectors, look(encoder, stimuli, [np.arange(len(stimuli))]).vectors
    return np.allclose(alone, together, atol=1e-4)


print({mode: steady_in_batches(loaded(convolutional, train), hued[0]) for mode, train in (("evaluation", False), ("train", True))})
assert steady_in_batches(loaded(convolutional, False), hued[0]) and not steady_in_batches(loaded(convolutional, True), hued[0])

# %% [markdown]
# In evaluation mode a vector depends on its own picture; in train mode batch normalisation lets the neighbours in. Comparing one picture alone and in
# company shows this for any encoder, without knowing its layers, and costs two looks.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Suppose the CC12M model's effect sizes rise by a third in evaluation mode. Which of the paper's sentences would have to change, and which
#    would not?
# 2. A released script differs from a paper's text in a setting that the text does not mention. Is the result reproduced if one runs the
#    script, or the text?
