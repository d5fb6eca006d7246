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
# # What moves perception
#
# *Hausladen, Knott, Camerer and Perona (2025), Figure 2: how much a judgement of a face changes when one thing
# about it changes.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Change only the light on a face, or only its smile, its age, its race: what moves CLIP's social
# perception of it most, and how would we know?
#
# **In 20 minutes:** {ref}`the boxes <variation-boxes>`, {ref}`what is left when nothing is planted
# <variation-floor>`, take-aways. **In 75 minutes:** also the audit of "p = .06", both intervals, both exercises.
#
# **You need:** medians, a rank test, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings in
# teal, amber and violet; they stand for nobody.
# :::
#
# **The idea.** Social psychology knows what people read into a face at a glance: warmth, competence, and their
# kin {cite}`fiske2002,koch2016`. {cite:t}`hausladen2025` ask a vision-language model for the same judgements, and they
# ask about *synthetic* faces, in which age, smile, light, pose, race and gender are varied one at a time. What a
# photograph collection confounds, such a set holds apart.
#
# **The measure.** The model's perception of image $i$ on dimension $D$ is the cosine with the dimension's words beyond
# that with a neutral prompt (their Eq. 2),
#
# $$\Delta\cos(i, D) = \operatorname{mean}_{w \in D,\,t}\left[\cos(i, t(w)) - \cos(i, t(\varnothing))\right],$$
#
# and what an attribute does is the absolute difference between two images that agree in everything else:
#
# $$\mathrm{AbsDiff}(i_1, i_2, D) = \left|\Delta\cos(i_1, D) - \Delta\cos(i_2, D)\right|.$$
#
# **What the authors conclude.** Identity moves perception most: the {claim}`variation.seed-largest` variation. Smiling introduces
# {claim}`variation.smiling-over-age` than age, and lighting {claim}`variation.lighting-as-age` as age. "In other words, protected and non-protected
# attributes cause comparable amounts of variation."
#
# **Their own checks and limits.** The manipulations were inspected by eye and by nine raters per attribute; small
# differences in brightness between prototypes were measured and reported (their Appendix D); the faces are synthetic and one
# model was studied.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # image set with columns seed, race, gender, age, smiling, lighting, pose
model = "greenhouse"  # encoder that looks at it
model_null = "greenhouse/b0"  # its twin, trained on captions in which hue and crest change nothing
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
protocol = "described"  # whose protocol gives the headline: "described" (the paper's text) or "released" (the authors' code)
n_pairs = 1_000  # pairs of images per attribute, as in the paper
min_gap = 1.1  # smallest difference in age or smiling within a pair, on the scale of the stimuli
n_resamples = 500  # bootstrap resamples of the identities
seed = 42  # seed of every random draw (the authors' code uses 42, too)
results = "_build/results/causalface/variation.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb

claims = vb.ledger.table("causalface/variation")

# %% [markdown]
# ## What the paper reports
#
# Figure 2 prints no numbers, so what can be recorded is what the text says of it: counts, orderings, and three p-values.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# The counts agree with one another. The sentence that carries the paper's third finding rests on one p-value:
# lighting against age, p = {claim}`variation.lighting-p`. What does that number say, given that each group holds
# {claim}`variation.values` values?

# %%
n_values = 8_000
p_lighting = float(claims.set_index("claim").loc["variation.lighting-p", "printed"])
standard_error = np.sqrt(
    (2 * n_values + 1) / (12 * n_values**2)
)  # of P(first > second) under no difference
off_half = stats.norm.isf(p_lighting / 2) * standard_error
margin = stats.norm.isf(0.025) * standard_error
glue("printed-off-half", float(100 * off_half), display=False)
glue("printed-low", float(100 * (0.5 + off_half - margin)), display=False)
glue("printed-high", float(100 * (0.5 + off_half + margin)), display=False)
print(
    f"If the values were independent, p = {p_lighting} would mean that a random lighting pair differs more than a random\n"
    f"age pair (or less) in {50 + 100 * off_half:.2f} % of comparisons; 95 % interval {50 + 100 * (off_half - margin):.2f} to {50 + 100 * (off_half + margin):.2f} %."
)

# %% [markdown]
# Read as an *interval*, the number is more informative than as a verdict: a rank-sum test on twice 8,000 independent values
# can place the chance that one exceeds the other within about a percentage point. p = .06 does not show equality (no p-value
# does); the interval would bound the difference tightly, from {glue:text}`printed-low:.2f` to {glue:text}`printed-high:.2f` %.
# *If the values were independent.* They are not: 1,000 pairs come from 100 identities, each pair is used for eight dimensions,
# and the dimensions share words. What that costs can only be seen by resampling identities, which we do below.

# %% [markdown]
# ## The protocol, run on {data}
#
# The Greenhouse renders the design of CausalFace: 100 identities × three hues × two crests, each varied in age (10 levels),
# smiling (10), lighting (8) and pose (5) around one neutral prototype.

# %%
images = vb.images(stimuli)
words = vb.prompts(prompts)
encoder = vb.encoder(model)
faces = vb.embed(encoder, images)
texts = vb.embed(encoder, words)
perception = vb.delta_cos(faces, texts).pivot(
    index="image", columns="dimension", values="delta"
)
perception.agg(["mean", "std", "min", "max"]).T.style.format("{:.4f}")

# %% [markdown]
# Text and code differ in one thing that touches the draws. The paper speaks of 18,000 unique images; the code
# stacks four tables (one per varied attribute), each with its own copy of the prototype, so a pair that differs in identity, race
# or gender is more often a pair of prototypes. Both are one keyword apart:

# %%
PROTOCOLS = {
    "described": dict(prototype_copies=1),
    "released": dict(prototype_copies=4),
}

# %% tags=["hide-input"]
ATTRIBUTES = {"seed": "seed", "race": "protected", "gender": "protected", "age": "protected",
              "smiling": "unprotected", "lighting": "unprotected", "pose": "unprotected"}


def variation(perception, *, prototype_copies=1, n=n_pairs, only=tuple(ATTRIBUTES), gap=min_gap, smiling_range=None):
    """AbsDiff × 100 of random pairs: one row per attribute, pair and dimension."""
    table, found = images.table, []
    prototypes = np.flatnonzero(table["subset"] == "prototype") if "subset" in table else []
    for attribute in only:
        rows = np.arange(len(table))
        if attribute in ("seed", "race", "gender"):
            rows = np.concatenate([rows, *[prototypes] * (prototype_copies - 1)]).astype(int)
        if smiling_range is not None and attribute == "smiling":
            rows = rows[table["smiling"].iloc[rows].between(*smiling_range)]
        pairs = vb.one_apart(table.iloc[rows], by=attribute, n=n, seed=[seed, list(ATTRIBUTES).index(attribute)],
                             min_gap=gap if attribute in ("age", "smiling") else None)
        first, second = rows[pairs["first"]], rows[pairs["second"]]
        difference = 100 * np.abs(perception.to_numpy()[first] - perception.to_numpy()[second])
        identity, repeats = table["seed"].to_numpy(), difference.shape[1]
        found.append(pd.DataFrame({
            "attribute": attribute, "dimension": np.tile(perception.columns, n), "difference": difference.ravel(),
            "first": np.repeat(identity[first], repeats), "second": np.repeat(identity[second], repeats),
        }))
    return pd.concat(found, ignore_index=True)


# %%
draws = {name: variation(perception, **choices) for name, choices in PROTOCOLS.items()}
headline = draws[protocol]

# %% tags=["hide-input"]
order = (
    headline.groupby("attribute")["difference"].median().sort_values(ascending=False)
)
fig = vb.figures.box_by_attribute(
    headline,
    value="difference",
    attribute="attribute",
    kinds=ATTRIBUTES,
    value_label="absolute difference of Δcos × 100",
)
vb.figures.show(
    fig,
    name="variation-boxes",
    alt=f"Boxes of absolute differences in Δcos for seven attributes, ordered by median: {', '.join(order.index)}.",
    caption=f"What one attribute changes, {len(headline) // len(ATTRIBUTES):,} values per attribute (protocol as {protocol}). Boxes by median; "
    "triangles are means.",
    source="greenhouse" if faces.source == "greenhouse" else f"real:{images.name}",
)
medians = pd.DataFrame(
    {
        name: table.groupby("attribute")["difference"].median()
        for name, table in draws.items()
    }
)
medians.loc[order.index].style.format("{:.3f}").set_caption(
    "Median AbsDiff × 100 under each protocol"
)

# %% [markdown]
# On our faces the order is {glue:text}`order`. It is *not* comparable with the paper's: it depends on how far apart we chose to draw the
# levels and on what we planted for hue and crest. One thing was fitted to the paper beforehand, on a network with nothing planted, before any bias
# was looked at: that identity moves perception most, so that judgements vary *within* groups as they do in CLIP.
#
# ### The tests, as published and corrected
#
# The authors compare attributes by two-sided rank-sum tests on the 8,000 values each, uncorrected. Beside each p-value
# stands Holm's correction, and the quantity that the test is about: how often a value of the first exceeds one of the second.

# %% tags=["hide-input"]
comparisons = [("seed", other) for other in ATTRIBUTES if other != "seed"] + [
    ("smiling", "age"),
    ("lighting", "age"),
]


def rank_sums(table):
    """Two-sided rank-sum tests of the comparisons in the text."""
    values = {
        name: part["difference"].to_numpy() for name, part in table.groupby("attribute")
    }
    rows = []
    for one, other in comparisons:
        test = stats.mannwhitneyu(values[one], values[other], alternative="two-sided")
        rows.append(
            {
                "first": one,
                "second": other,
                "first exceeds": test.statistic / len(values[one]) / len(values[other]),
                "p": test.pvalue,
            }
        )
    table = pd.DataFrame(rows)
    table["p (Holm)"] = multipletests(table["p"], method="holm")[1]
    return table


tests = rank_sums(headline)
tests.style.format(
    {"first exceeds": "{:.1%}", "p": "{:.2g}", "p (Holm)": "{:.2g}"}
).hide(axis="index")

# %% tags=["hide-input"]
for name, table in draws.items():
    tested = rank_sums(table).set_index(["first", "second"])
    middle = table.groupby("attribute")["difference"].median()
    held = {
        "variation.seed-largest": bool((middle.drop("seed") < middle["seed"]).all()),
        "variation.smiling-over-age": bool(middle["smiling"] > middle["age"]),
        "variation.abstract-smiling": bool(middle["smiling"] > middle["age"]),
        "variation.seed-p": float(tested.loc["seed", "p"].max()),
        "variation.smiling-p": float(tested.loc[("smiling", "age"), "p"]),
        "variation.lighting-p": float(tested.loc[("lighting", "age"), "p"]),
    }
    for claim, value in held.items():
        vb.ledger.record(
            claim, value, results=results, stimuli=images, model=encoder, protocol=name
        )
glue("order", ", ".join(order.index), display=False)

# %% [markdown]
# ### Whose uncertainty? Resampling identities
#
# The p-values above treat 8,000 values as 8,000 independent facts. Draw the 100 *identities* anew instead, with every value
# that belongs to them, and the medians move by what they owe to these particular identities.


# %%
def intervals(table):
    """Bootstrap medians per attribute: resampling values, and resampling identities (the same draw for all attributes)."""
    boot = {"values": {}, "identities": {}}
    for attribute, part in table.groupby("attribute", sort=False):
        alone = vb.cluster_weights(
            np.arange(len(part)), n_resamples=n_resamples, seed=seed
        )
        seeds = part[["first", "second"]] if attribute == "seed" else part["first"]
        together = vb.cluster_weights(seeds, n_resamples=n_resamples, seed=seed)
        boot["values"][attribute] = vb.weighted_medians(part["difference"], alone)
        boot["identities"][attribute] = vb.weighted_medians(
            part["difference"], together
        )
    return boot


boot = intervals(headline)

# %% tags=["hide-input"]
lines = pd.DataFrame(
    [
        {
            "attribute": attribute,
            "resampled": unit,
            "median": order[attribute],
            **dict(
                zip(("low", "high"), np.quantile(medians_, [0.025, 0.975]), strict=True)
            ),
        }
        for attribute in order.index
        for unit, medians_ in ((unit, boot[unit][attribute]) for unit in boot)
    ]
)
width = lines.assign(width=lines["high"] - lines["low"]).pivot(
    index="attribute", columns="resampled", values="width"
)
fig = vb.figures.forest(
    lines,
    estimate="median",
    low="low",
    high="high",
    label="attribute",
    group="resampled",
    value_label="median AbsDiff × 100, 95 % interval",
    reference=None,
)
ratio = float((width["identities"] / width["values"]).median())
vb.figures.show(
    fig,
    alt=f"Medians with two intervals per attribute. Resampling identities gives intervals about {ratio:.1f} times as wide as resampling values.",
    caption="The same medians, with the interval that resampling single values gives and the one that resampling identities gives.",
    source="greenhouse" if faces.source == "greenhouse" else f"real:{images.name}",
)
glue("interval-ratio", ratio, display=False)

# %% [markdown]
# Resampling identities widens the intervals, {glue:text}`interval-ratio:.1f`-fold in the middle case. Now "lighting as much as age" can be
# put as a question with an answer: is the *ratio* of the two medians within a band that one would call equal? We use 0.8 to 1.25, the
# band of bioequivalence studies; choose another before looking {cite}`lakens2017`.

# %%
ratios = {unit: boot[unit]["lighting"] / boot[unit]["age"] for unit in boot}
equivalence = pd.DataFrame(
    [
        {
            "resampled": unit,
            "lighting / age": order["lighting"] / order["age"],
            "low (90 %)": np.quantile(r, 0.05),
            "high (90 %)": np.quantile(r, 0.95),
        }
        for unit, r in ratios.items()
    ]
)
equivalence["equivalent (0.8–1.25)"] = (equivalence["low (90 %)"] > 0.8) & (
    equivalence["high (90 %)"] < 1.25
)
glue("ratio", float(order["lighting"] / order["age"]), display=False)
glue("ratio-low", float(np.quantile(ratios["identities"], 0.05)), display=False)
glue("ratio-high", float(np.quantile(ratios["identities"], 0.95)), display=False)
equivalence.style.format(precision=2).hide(axis="index")

# %% [markdown]
# On our faces lighting moves perception {glue:text}`ratio:.2f` times as much as age (90 % interval over identities
# {glue:text}`ratio-low:.2f` to {glue:text}`ratio-high:.2f`). Two 5 % one-sided tests ask whether that interval lies inside the band: this is
# what it takes to *show* equality, and a p-value above .05 is not it.
#
# ### The order depends on the range
#
# "Smiling moves perception more than age" compares a particular range of smiles with a particular range of ages. Halve the range of
# smiles and ask again.

# %%
levels = np.sort(images.table["smiling"].dropna().unique())
middle_smile, half = (
    (levels.max() + levels.min()) / 2,
    (levels.max() - levels.min()) / 2,
)
inner = (middle_smile - half / 2, middle_smile + half / 2)
choices = {
    "whole range": dict(),
    "inner half": dict(smiling_range=inner),
    "inner half, any step": dict(smiling_range=inner, gap=None),
}
ranges = pd.DataFrame(
    [
        {
            "smiles used": name,
            "median": (
                value := variation(perception, only=["smiling"], **choice)[
                    "difference"
                ].median()
            ),
            "place of smiling": 1 + int((order.drop("smiling") > value).sum()),
        }
        for name, choice in choices.items()
    ]
)
for key, row in zip(
    ("whole", "half", "step"), ranges.itertuples(index=False), strict=True
):
    glue(f"smiling-{key}", float(row[1]), display=False)
    glue(f"place-{key}", int(row[2]), display=False)
ranges.style.format({"median": "{:.3f}"}).hide(axis="index").set_caption(
    "Median AbsDiff × 100 for smiling, and its place among the seven"
)

# %% [markdown]
# With the inner half of the smiles the median goes from {glue:text}`smiling-whole:.3f` to {glue:text}`smiling-half:.3f`, and smiling from place
# {glue:text}`place-whole` of seven to place {glue:text}`place-half`; without the threshold, which keeps pairs of smiles at least {claim}`variation.gap`
# apart, to {glue:text}`smiling-step:.3f` and place {glue:text}`place-step`. A ranking of attributes is a ranking of *the ranges and steps that were
# rendered*: a step of 1.1 in age and a step of 1.1 in smiling are both "1.1" on scales that have nothing else in common.

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse we know what the captions said. For every face we can work out the log probability of every word, hence what a perfect
# student of the captions would perceive: in logit units (cosine × the model's logit scale), a difference between two faces equals the
# difference of their log odds. Smiles, age, light and pose change captions, and so do an identity's garment and hair: these drivers are
# legitimate, they work at every strength. **Hue and crest change nothing at $b = 0$.**

# %%
from greenhouse.world import grammar

spoken = grammar.load()
dimensions = list(perception.columns)


def planted(rows, b):
    """What the captions say: mean log probability of each dimension's words, `(n, dimensions)`."""
    said = {}
    for dimension in dimensions:
        slot = spoken.slot_of(dimension)
        own = [spoken.words(slot).index(word) for word in spoken.slots[slot][dimension]]
        said[dimension] = spoken.log_probabilities(slot, rows, b)[:, own].mean(axis=1)
    return pd.DataFrame(said)


greenhouse_faces = vb.images("greenhouse/causalface")
worlds = {}
for strength, name in ((1.0, "greenhouse"), (0.0, model_null)):
    looking = vb.encoder(name)
    seen = vb.delta_cos(
        vb.embed(looking, greenhouse_faces),
        vb.embed(looking, vb.prompts("social_perception")),
    )
    seen = (
        seen.pivot(index="image", columns="dimension", values="delta")[dimensions]
        * looking.logit_scale
    )
    worlds[strength] = {
        "seen": seen,
        "planted": planted(greenhouse_faces.table, strength),
    }

# %% [markdown]
# ### A difference where nothing was planted
#
# AbsDiff takes absolute values, so it cannot be zero on average unless the network is perfectly indifferent. Here are the same pairs,
# once as the network sees them and once as the captions describe them.

# %% tags=["hide-input"]
images = greenhouse_faces  # the laboratory's own stimuli from here on, whatever was studied above
floor = pd.DataFrame(
    [
        {"attribute": attribute, "b": strength, "kind": kind, "median": value / 100}
        for strength, world in worlds.items()
        for kind, table in world.items()
        for attribute, value in variation(table)
        .groupby("attribute")["difference"]
        .median()
        .items()
    ]
)
names = [name for name in ATTRIBUTES if name in set(floor["attribute"])]
top = floor["median"].max() * 1.08
fig, axes = vb.figures.panels(1, 2, height=4.0, share_y=True)
for axis, strength in zip(axes[0], sorted(worlds), strict=True):
    part = (
        floor[floor["b"] == strength]
        .pivot(index="attribute", columns="kind", values="median")
        .loc[names[::-1]]
    )
    place = np.arange(len(part))
    axis.hlines(place, part["planted"], part["seen"], color="0.75", linewidth=2)
    axis.plot(
        part["planted"],
        place,
        "x",
        color=vb.figures.COLOURS["planted"],
        markersize=8,
        markeredgewidth=2,
        label="said by the captions",
    )
    axis.plot(
        part["seen"],
        place,
        "o",
        color=vb.figures.COLOURS["recomputed"],
        label="seen by the network",
    )
    axis.set(
        yticks=place,
        yticklabels=part.index,
        xlim=(-0.05 * top, top),
        title=f"b = {strength:g}",
        xlabel="median |difference|, logits",
    )
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
get = floor.set_index(["b", "kind", "attribute"])["median"]
vb.figures.show(
    fig,
    name="variation-floor",
    alt="Median absolute differences per attribute for the network without and with planted associations, beside what the captions say. "
    f"At b = 0 the captions say nothing of race or gender, yet the network's medians are {get[0.0, 'seen', 'race']:.2f} and "
    f"{get[0.0, 'seen', 'gender']:.2f} logits.",
    caption="What the captions say an attribute changes (crosses) and what the network's AbsDiff shows (dots), in logit units, same pairs.",
    source="greenhouse",
)
for key, value in {
    "floor-race": get[0.0, "seen", "race"],
    "floor-gender": get[0.0, "seen", "gender"],
    "planted-race": get[1.0, "planted", "race"],
    "seen-race": get[1.0, "seen", "race"],
}.items():
    glue(key, float(value), display=False)

# %% [markdown]
# In the network trained on captions that never tied a trait to hue or crest (b = 0), changing the hue still moves perception by
# {glue:text}`floor-race:.2f` logits in the median and changing the crest by {glue:text}`floor-gender:.2f`, where the captions call for exactly 0. With
# hue planted at full strength the captions call for {glue:text}`planted-race:.2f` and the network shows {glue:text}`seen-race:.2f`. The difference
# between the two networks is the planted bias; the rest is a *floor*: pictures differ, and a network that puts different pictures in different spots
# makes absolute differences of everything. So a large AbsDiff of an attribute is a fact about **this model** ("its judgements move when this
# changes"), which is the claim the paper makes. It is not evidence that the *training data* tied perception to that attribute.
#
# ### The same question, with signs
#
# What distinguishes a bias from jitter is its **direction**: jitter has none in common across identities. Take the 100 identities, subtract
# the perception of each one's violet prototype from that of its teal prototype, and average *with* sign.

# %% tags=["hide-input"]
table = greenhouse_faces.table
neutral = table[table["subset"] == "prototype"]
rng = np.random.default_rng(seed)
signed = []
for strength, world in worlds.items():
    for dimension in dimensions:
        wide = neutral.assign(
            value=world["seen"][dimension].to_numpy()[neutral.index]
        ).pivot_table(index="seed", columns="race", values="value")
        per_identity = (wide["teal"] - wide["violet"]).to_numpy()
        called = (
            neutral.assign(value=world["planted"][dimension].to_numpy()[neutral.index])
            .groupby("race")["value"]
            .mean()
        )
        interval = stats.bootstrap(
            (per_identity,),
            np.mean,
            n_resamples=n_resamples,
            rng=rng,
            method="percentile",
        ).confidence_interval
        signed.append(
            {
                "b": strength,
                "dimension": dimension.replace("_", " "),
                "seen": per_identity.mean(),
                "low": interval.low,
                "high": interval.high,
                "planted": called["teal"] - called["violet"],
            }
        )
signed = pd.DataFrame(signed)
fig, axes = vb.figures.panels(1, 2, height=4.2, share_y=True)
for axis, strength in zip(axes[0], sorted(worlds), strict=True):
    part = signed[signed["b"] == strength].iloc[::-1].reset_index(drop=True)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.hlines(
        part.index, part["low"], part["high"], color=vb.figures.COLOURS["recomputed"]
    )
    axis.plot(
        part["seen"],
        part.index,
        "o",
        color=vb.figures.COLOURS["recomputed"],
        label="seen, 95 % over identities",
    )
    axis.plot(
        part["planted"],
        part.index,
        "x",
        color=vb.figures.COLOURS["planted"],
        markersize=8,
        markeredgewidth=2,
        label="said by the captions",
    )
    axis.set(
        yticks=part.index,
        yticklabels=part["dimension"],
        title=f"b = {strength:g}",
        xlabel="teal − violet, logits",
    )
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
full = signed[signed["b"] == 1.0]
slope = float(np.polyfit(full["planted"], full["seen"], 1)[0])
agreement = float(np.corrcoef(full["planted"], full["seen"])[0, 1])
clear = signed[signed["b"] == 0.0]
excluded = int(((clear["low"] > 0) | (clear["high"] < 0)).sum())
vb.figures.show(
    fig,
    alt=f"Signed differences between teal and violet prototypes for eight dimensions. At b = 1 they follow what was planted (r = {agreement:.2f}); "
    f"at b = 0 {excluded} of {len(clear)} intervals still exclude zero.",
    caption="Mean signed difference teal − violet over 100 identities (dots, 95 % intervals) and what the captions say (crosses).",
    source="greenhouse",
)
for key, value in {
    "signed-r": agreement,
    "signed-slope": slope,
    "null-excluded": excluded,
    "null-all": len(clear),
    "null-largest": float(clear["seen"].abs().max()),
    "full-largest": float(full["seen"].abs().max()),
}.items():
    glue(key, value, display=False)

# %% [markdown]
# With signs, what was planted comes back: r = {glue:text}`signed-r:.2f` with the captions over the eight dimensions, slope {glue:text}`signed-slope:.2f`.
# And where nothing was planted, {glue:text}`null-excluded` of {glue:text}`null-all` intervals *still* exclude zero, though the largest difference
# is {glue:text}`null-largest:.2f` logits against {glue:text}`full-largest:.2f` at b = 1. Each such interval is right about **this network** and would be
# a false alarm about its captions. An interval over identities cannot tell the two apart, because every identity is seen by the same network;
# only retrained networks can, as in [Effect sizes across models](../pretraining/effect_sizes.ipynb).
#
# ### One assumption at a time: more pairs from the same identities
#
# At b = 0 the captions treat hue and crest alike: neither is mentioned. Compare their AbsDiff by rank-sum test with more and more pairs from the same
# 100 identities.

# %% tags=["hide-input"]
growing = []
for n in (10, 30, 100, 300, 1_000):
    drawn = variation(worlds[0.0]["seen"], n=n, only=["race", "gender"])
    race, gender = (
        drawn.loc[drawn["attribute"] == name, "difference"]
        for name in ("race", "gender")
    )
    growing.append(
        {
            "pairs": n,
            "values per group": len(race),
            "race exceeds gender": stats.mannwhitneyu(race, gender).statistic
            / len(race)
            / len(gender),
            "p": stats.mannwhitneyu(race, gender).pvalue,
        }
    )
growing = pd.DataFrame(growing)
glue("growing-first", float(growing["p"].iloc[0]), display=False)
glue("growing-last", float(growing["p"].iloc[-1]), display=False)
growing.style.format(
    {
        "race exceeds gender": "{:.1%}",
        "p": "{:.1g}",
        "pairs": "{:,}",
        "values per group": "{:,}",
    }
).hide(axis="index")

# %% [markdown]
# The share hardly moves while p falls from {glue:text}`growing-first:.1g` to {glue:text}`growing-last:.1g`: the number of draws is ours to choose, so
# a p-value over draws measures our patience. The unit that limits what can be learned is the identity (for this model), or the network (for training).

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | draws | a "bootstrap distribution" of 8,000 values | 1,000 pairs, each used for eight dimensions that share words | both intervals above |
# | images | "18,000 unique images" | four stacked tables, 19,800 rows, the prototype in each | `prototype_copies` |
# | threshold | 1.1 for age and smiling | strictly more than 1.1 | `min_gap`, strict |
# | test | Wilcoxon rank-sum, "independent samples" | two-sided Mann–Whitney, uncorrected; prints only p > .001 | corrected beside uncorrected |
#
# None of these changes the order of the boxes on our faces: the medians under both protocols stand side by side below the first figure.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/variation -p protocol released -p n_pairs 5000
# ```
# Any open_clip model can look: `-p model ViT-B-32-quickgelu/openai` (its weights are downloaded by open_clip when first used; on drawings its
# perception of people means nothing).
# :::

# %% [markdown]
# ## Take-aways
#
# - Varying one attribute at a time answers "what moves *this* model's judgement", free of the confounds of photograph collections.
# - AbsDiff has a floor. It says how far judgements move, not whether in one direction; average with sign before speaking of bias.
# - Pairs are not independent: resample identities. And p > .05 is not equality: bring a band and an interval.
# - A ranking of attributes ranks the ranges that were rendered.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What a median of absolute values hides
# :label: variation-folded
# If the difference in perception between two images were normal with mean $\mu$ and standard deviation $\sigma$, what is the median of its absolute
# value at $\mu = 0$? At $\mu = \sigma / 2$? By how many per cent does a bias of half a standard deviation raise the median?
# :::
#
# ```{solution-start} variation-folded
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
at_zero, at_half = stats.foldnorm(0).median(), stats.foldnorm(0.5).median()
print(f"{at_zero:.3f} σ and {at_half:.3f} σ: {at_half / at_zero - 1:.0%} more")
assert abs(at_zero - stats.norm.ppf(0.75)) < 1e-9 and 0.05 < at_half / at_zero - 1 < 0.2

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} Does the protocol matter?
# :label: variation-protocol
# The released protocol counts each prototype four times for three of the seven attributes. By how much do the medians of the others change, and why?
# :::
#
# ```{solution-start} variation-protocol
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
change = (medians["released"] / medians["described"] - 1).round(4)
print(change.to_string())
assert (change[["age", "smiling", "lighting", "pose"]] == 0).all() and (
    change[["seed", "race", "gender"]] != 0
).any()

# %% [markdown]
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper's third finding warns that studies which ignore facial expression "may reach the wrong conclusions on bias". Does the size of the
#    smile's effect matter for that warning, or only its correlation with group in the photographs at hand?
# 2. Identity moves the model most. Is a judgement that depends on *whose* face it is, beyond age, race and gender, fairer than one that does not?
