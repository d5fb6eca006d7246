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
# # A gallery of the Greenhouse
#
# *The faces and things on which this book plants its biases.*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** What do the pictures look like, what varies in them, and what is kept from varying?
#
# **In 5 minutes:** look at the pictures. **In 30 minutes:** also read how strongly each attribute moves the pixels,
# see a manipulation leak, and do both exercises.
#
# **You need:** nothing.
# :::
#
# To see whether a method finds a bias, we need pictures in which we know everything: who is shown, what differs
# between two pictures, and that nothing else does. Photographs cannot promise that. So the faces here are *drawn by
# formula*: a few ellipses, lines and triangles, coloured in. Each picture is computed from one row of a table, and the
# same row gives the same picture, to the last byte, whichever other pictures are made with it.
#
# **Whom do they show?** Nobody. Skin is teal, amber, violet or lime, colours that no person has. Where the papers have
# two genders, these heads have a *crest*: two budded antennae or two tufted ears. To plant a stereotype about a real
# group, even in a toy, would be to draw and publish it; and a schematic drawing of a real group is a caricature. The
# columns of the table keep the names that the papers use (`race`, `gender`), so that their analyses run unchanged.
# The values are inventions.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # one attribute varies at a time
seed = 11  # the identity whose attributes are shown level by level
n_seeds = 12  # identities in the comparison of pixels
size = 96  # edge of the pictures here, in pixels; models see 64
results = "_build/results/greenhouse/gallery.json"  # no claims here

# %% tags=["hide-input"]
from itertools import product

import numpy as np
import pandas as pd
from myst_nb import glue

import vlmbias as vb
from greenhouse.world import faces, grid, icons

table = vb.images(stimuli).table
prototypes = table[table["subset"] == "prototype"]


def picture(**changes):
    """Table rows for the neutral face of `seed`, changed in the columns given; lists give several rows."""
    row = {"seed": seed, "race": "teal", "gender": "eared", **grid.NEUTRAL} | changes
    n = max((len(value) for value in row.values() if isinstance(value, list)), default=1)
    return pd.DataFrame(row, index=range(n))


def sheet(rows, labels, columns):
    """The rows' pictures with their labels."""
    return vb.figures.contact_sheet(list(faces.render(rows, size)), labels, columns=columns)


# %% [markdown]
# ## Hues and crests
#
# One identity, eight times. Hue stands where a paper has race, the crest where it has gender. Everything else is the
# same: the shape of the head, the hair, the garment, the background, the spectacles if there are any.

# %% tags=["hide-input"]
groups = list(product(grid.CRESTS, grid.HUES))
rows = picture(race=[hue for _, hue in groups], gender=[crest for crest, _ in groups])
vb.figures.show(
    sheet(rows, [f"{hue}, {crest}" for crest, hue in groups], columns=4),
    name="gallery-groups",
    alt="The same schematic face in teal, amber, violet and lime. In the upper row it has two antennae that end in round buds, "
        "in the lower row two pointed ears.",
    caption="One identity in four hues and with two crests. Background, garment, hair and features do not change.",
    source="greenhouse",
)
luma = np.asarray([faces.SKIN[hue] for hue in grid.HUES]) @ [0.299, 0.587, 0.114]
glue("luma-gap", float(np.ptp(luma) / luma.mean()), display=False)

# %% [markdown]
# The four hues are equally bright, to {glue:text}`luma-gap:.1%`. That is a choice. In a set of photographs, brightness
# usually goes along with the groups, and a difference between groups may be one between dark and light pictures.
# Here it cannot be, unless we let it.
#
# ## Four attributes, one at a time
#
# CausalFace {cite:p}`hausladen2025,liang2023` varies age, smiling, lighting and pose *one at a time*, starting from a
# prototype that all four series share. The Greenhouse copies this grid, with the same levels on the same scales.

# %% tags=["hide-input"]
WHAT = {
    "age": ("The youngest have large eyes, little hair and faint brows; with age, hair grows in, greys and recedes, and lines appear.",
            "Age, youngest to oldest."),
    "smiling": ("The mouth's corners turn from far down to far up, and the broadest smiles show teeth.",
                "Smiling, from a frown to a laugh. Nothing but the mouth changes."),
    "lighting": ("The bright side of the face moves from the left to the right.", "Lighting, from the left to the right."),
    "pose": ("Eyes, nose and mouth move from the left of the head to the right, the nose furthest.",
             "Pose: what is nearest to the viewer moves furthest."),
}
for axis, levels in grid.LEVELS.items():
    seen, caption = WHAT[axis]
    labels = [f"{level:g}" + (" (neutral)" if level == grid.NEUTRAL[axis] else "") for level in levels]
    vb.figures.show(
        sheet(picture(**{axis: list(levels)}, race="amber", gender="budded"), labels, columns=4 if axis == "lighting" else 5),
        name=f"gallery-{axis}",
        alt=f"One amber face at the {len(levels)} levels of {axis}. {seen}",
        caption=f"{caption} The numbers are the scale values of CausalFace.",
        source="greenhouse",
    )

per_person = len(table) // len(prototypes)
glue("n-levels", sum(len(levels) for levels in grid.LEVELS.values()), display=False)
glue("per-person", per_person, display=False)
glue("n-people", len(prototypes), display=False)
glue("n-images", len(table), display=False)
glue("n-series", len(table) + (len(grid.LEVELS) - 1) * len(prototypes), display=False)

# %% [markdown]
# Together the four series have {glue:text}`n-levels` levels, and share the prototype: {glue:text}`per-person` different
# pictures, itself included. With {glue:text}`n-people` prototypes (a seed in one hue, with one crest) that makes
# {glue:text}`n-images:,` pictures. Counted once per series, the prototypes make them {glue:text}`n-series:,` rows: a
# difference to remember when a paper's number of images and its code's number of rows do not agree.
#
# ## Identities
#
# A *seed* is an identity. It sets everything that means nothing: proportions, hair, spectacles, freckles, garment,
# background, where the head sits in the frame.

# %% tags=["hide-input"]
shown = list(range(24))
vb.figures.show(
    sheet(picture(seed=shown), [str(number) for number in shown], columns=6),
    name="gallery-identities",
    alt="Twenty-four teal faces with ears, all neutral. They differ in the shape of the head, hair, spectacles, freckles, garment and background.",
    caption="Twenty-four identities of one hue and one crest, all with the same attributes: whatever differs here is nuisance.",
    source="greenhouse",
)

# %% [markdown]
# Why so much variety? Because an effect size divides by it. If all the faces of a group looked alike, every
# difference between two groups, however small, would be enormous *in units of the spread within a group*. Hausladen et
# al. report that the seed is what moves CLIP's embeddings most, more than race, gender or any of the four attributes.
# The nuisance here is tuned until that holds for our models, too, before any result about bias is looked at.
#
# ## How much does each of them move the picture?
#
# Take two pictures that differ in one respect only, and average how far their pixels are apart. How far do the
# *embeddings* of such pairs lie apart? That is a question for a model, and another chapter. Pixels are only where it starts.

# %%
few = table[table["seed"] < n_seeds].reset_index(drop=True)
pixels = faces.render(few, 64).astype(np.float32)
rng = np.random.default_rng(0)
columns = ["seed", "race", "gender", *grid.LEVELS]
rows = []
for varied in columns:
    kept = few[few["subset"].isin(["prototype", varied])]
    for _, alike in kept.groupby([name for name in columns if name != varied]):
        for _ in range(8 if len(alike) > 1 else 0):
            i, j = rng.choice(alike.index, size=2, replace=False)
            rows.append({"attribute": varied, "difference": np.abs(pixels[i] - pixels[j]).mean() / 255})
pairs = pd.DataFrame(rows)
middle = pairs.groupby("attribute")["difference"].median().sort_values(ascending=False)

# %% tags=["hide-input"]
with vb.figures.style():
    fig, ((axes,),) = vb.figures.panels(height=3.4)
    places = np.arange(len(middle))[::-1]
    kinds = {"seed": "seed", "race": "protected", "gender": "protected"}
    for place, name in zip(places, middle.index, strict=True):
        own = pairs.loc[pairs["attribute"] == name, "difference"]
        colour = vb.figures.COLOURS[kinds.get(name, "unprotected")]
        axes.hlines(place, *np.quantile(own, [0.05, 0.95]), color=colour, lw=2)
        axes.plot(own.median(), place, "o", color=colour, markersize=8)
    axes.set(yticks=places, yticklabels=middle.index, xscale="log", xlabel="mean difference of pixels, share of full scale")
    axes.grid(axis="x")
vb.figures.show(
    fig,
    name="gallery-pixels",
    alt=f"Differences of pixels between two pictures, by what differs. {middle.index[0].capitalize()} moves them most, {middle.index[-1]} least; "
        "the scale is logarithmic.",
    caption="Pairs of pictures that differ in one respect: the median, and the range of the middle nine in ten.",
    source="greenhouse",
)
glue("seed-over-smile", float(middle["seed"] / middle["smiling"]), display=False)
assert middle.index[0] == "seed"

# %% [markdown]
# The seed moves the pixels most, {glue:text}`seed-over-smile:.0f` times as far as smiling does. Yet to us a smile is one of the first things
# we notice. How much of a picture an attribute changes says little about how much it *means*, and a network trained on
# captions has to learn the second from the first. In our trials, models trained in the plain way learnt hue, crest and
# things, and ignored smiles. That is why the Greenhouse's models get a warm start.
#
# ## Portraits
#
# One of the papers compares photographs of individuals rather than variants of one face: every individual is
# photographed once. The set `greenhouse/cfd` is its counterpart. No identity occurs twice, all are neutral, and the
# groups have the sizes of the four groups in the Chicago Face Database {cite:p}`ma2015`. Only the sizes are borrowed.

# %%
portraits = vb.images("greenhouse/cfd")
portraits.table.groupby(["race", "gender"], sort=False).size().unstack()

# %% [markdown]
# A photograph differs from the next even if the person and the pose are the same: a step to the left, a cloud before the sun,
# a grainy film. Portraits, and part of what the models are trained on, have such accidents. The grid has none.

# %% tags=["hide-input"]
shots = picture(seed=int(portraits.table["seed"].iloc[0]), race="violet", photo=list(range(10)))
vb.figures.show(
    sheet(shots, [f"photo {number}" for number in shots["photo"]], columns=5),
    name="gallery-photos",
    alt="Ten pictures of one violet face with ears. Position, size, brightness, tint and grain differ slightly.",
    caption="One individual, one pose, ten photos.",
    source="greenhouse",
)

# %% [markdown]
# ## Things and scenes
#
# Association tests compare faces with other pictures: flowers with insects, instruments with weapons, pleasant with
# unpleasant scenes. Their backgrounds and framing are drawn in the same way as those of the faces, except where the scene
# *is* the background.

# %% tags=["hide-input"]
things = grid.icons(6)
vb.figures.show(
    vb.figures.contact_sheet(list(icons.render(things, size)), [f"{row.category}" for row in things.itertuples()], columns=6),
    name="gallery-icons",
    alt="Six rows of six pictures: flowers; beetles, butterflies and wasps; lutes, drums and keyboards; swords, axes and bows; "
        "sunny meadows, rainbows and bays; storms, dead trees and burning houses.",
    caption="Things and scenes: three motifs per category, each in its own colours, place and tilt.",
    source="greenhouse",
)

# %% [markdown]
# ## Found photographs
#
# Two sets stand for collections that nobody controlled: `greenhouse/fairface` and `greenhouse/utkface`. Every individual appears once; groups differ in number, age, light and expression, the older smile less,
# and one thing that goes along with hue, age and smiling is in no column: the colour of the garment. Everybody is in `…/all`, also those whom a paper's filters leave out: a fourth hue, and who is under twenty.

# %% tags=["hide-input"]
found = vb.images("greenhouse/fairface/all").table
few = found.iloc[:18]
vb.figures.show(
    vb.figures.contact_sheet(list(faces.render(few, size)), [f"{row.race}, {row.gender}, {row.age_bin}" for row in few.itertuples()], columns=6),
    name="gallery-found",
    alt="Eighteen individuals in four hues, with both crests, of all ages, some smiling, lit and turned in different ways.",
    caption="The first eighteen individuals of the FairFace-like set, with the labels that FairFace would give: hue for race, crest for gender, an age bin.",
    source="greenhouse",
)
light = found.groupby("race")["lighting"].mean()
smile = found.groupby("gender")["smiling"].mean()
glue("n-found", len(found), display=False)
glue("found-young", 100 * float((found["years"] < 20).mean()), display=False)
glue("found-lime", 100 * float((found["race"] == "lime").mean()), display=False)
glue("found-light", float(light["teal"] - light["violet"]), display=False)
glue("found-smile", float(smile["budded"] - smile["eared"]), display=False)

# %% [markdown]
# Of the {glue:text}`n-found:,` individuals {glue:text}`found-young:.0f` % are under twenty and {glue:text}`found-lime:.0f` % lime. Teal faces are lit from further right than violet ones (by {glue:text}`found-light:.1f` steps of the scale), budded ones smile
# more than eared ones (by {glue:text}`found-smile:.1f`). Age in years is a stretched scale: the lowest level stands for one year, every unit for twenty more. [Found faces, made faces](confounds.ipynb) asks what this does to an analysis.
#
# ## When a manipulation leaks
#
# An experiment in which one attribute varies at a time can say that the *attribute* did it, as long as the manipulation
# changes nothing else. Hausladen et al. checked this, found "a slight spurious correlation between facial expression
# ('Smiling') and the average image brightness in the original CausalFace images", and corrected it. The Greenhouse can
# plant such leaks at will, so that later chapters can ask what a method reports when they go unnoticed.

# %% tags=["hide-input"]
smiles = list(grid.LEVELS["smiling"][::3])
clean = faces.render(picture(smiling=smiles, race="lime"), size)
leaking = faces.render(picture(smiling=smiles, race="lime"), size, leaks={"smiling_brightness": 1.0})
labels = [f"smiling {level:g}" for level in smiles]
vb.figures.show(
    vb.figures.contact_sheet([*clean, *leaking], labels + ["… leaking"] * len(smiles), columns=len(smiles)),
    name="gallery-leak",
    alt="Two rows of a lime face that smiles more from left to right. In the lower row the whole picture also gets brighter.",
    caption="Above: smiling varies, and nothing else. Below: a leak makes smiling faces brighter.",
    source="greenhouse",
)
ages = list(grid.LEVELS["age"][::3])
turned = [faces.render(picture(age=ages, race="violet"), size, leaks={"age_hue": strength}) for strength in (0.0, 0.5)]
vb.figures.show(
    vb.figures.contact_sheet([*turned[0], *turned[1]], [f"age {level:g}" for level in ages] + ["… leaking"] * len(ages), columns=len(ages)),
    name="gallery-leak-age",
    alt="Two rows of a violet face that gets older from left to right. In the lower row the skin of the youngest is reddish and that of the oldest bluish.",
    caption="Above: age varies, and nothing else. Below: a leak turns the skin with age, at half its strength.",
    source="greenhouse",
)

# %% [markdown]
# ## Take-aways
#
# - Every picture is a function of one row of a table: identity, hue, crest, four attributes. Two rows that differ in one column give
#   two pictures that differ in that respect only.
# - In the grid, and in the pictures that the models learn from, hue and crest are independent of everything else, by construction. The world is not like that;
#   CausalFace aims for it, data sets of photographs do not have it, and neither do the two sets of found photographs here.
# - What varies *within* a group decides how large a difference *between* groups looks. Here it is a dial.
# - No hue, crest or trait stands for anybody. What a model learns about them was put there by us.
#
# [What this world can and cannot show](../../book/greenhouse/limits.md) says the rest.
#
# ## Exercises
#
# :::{exercise} Which pixels know the hue?
# :label: gallery-hue
# Render one identity in teal and in amber, everything else equal. In what share of the pixels do the two pictures differ? Are
# there pixels outside the head and the neck among them? What would it mean for a study of hue if there were?
# :::
#
# ```{solution-start} gallery-hue
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
teal, amber = faces.render(picture(race=["teal", "amber"]), 64).astype(int)
differs = (teal != amber).any(axis=-1)
rim = np.concatenate([differs[:, :6].ravel(), differs[:, -6:].ravel()])
print(f"{differs.mean():.0%} of the pixels differ, {rim.sum()} of {rim.size} along the left and right rim")
# Were there any, a model could tell the hues apart by the background: a confounder.
assert 0.1 < differs.mean() < 0.6 and not rim.any()

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} A confounder that a check would have found
# :label: gallery-leak-check
# For the smiling series of twenty individuals, fit how much the mean brightness of the picture changes per unit of smiling, without the leak and
# with `leaks={"smiling_brightness": 1.0}`. Which check before the experiment would have revealed the leak? Would it have found one that
# changes *colour* and not brightness?
# :::
#
# ```{solution-start} gallery-leak-check
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
series = table[table["subset"].isin(["prototype", "smiling"]) & (table["seed"] < 20) & (table["race"] == "teal")
               & (table["gender"] == "eared")]
slopes = {}
for strength in (0.0, 1.0):
    grey = faces.render(series, 64, leaks={"smiling_brightness": strength}) @ np.array([0.299, 0.587, 0.114])
    centred = pd.DataFrame({"smiling": series["smiling"].to_numpy(), "grey": grey.mean(axis=(1, 2))})
    centred -= centred.groupby(series["seed"].to_numpy()).transform("mean")
    slopes[strength] = (centred["smiling"] @ centred["grey"]) / (centred["smiling"] @ centred["smiling"])
    print(f"leak {strength:g}: {slopes[strength]:+.2f} grey levels per unit of smiling")
# Comparing brightness between levels, as the paper's appendix does, finds this leak; one that leaves brightness alone needs another check.
assert abs(slopes[0.0]) < 0.5 and slopes[1.0] > 5

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. These faces show a smile by a curved line, and age by grey hair and creases. Which of these signs are conventions, and whose?
# 2. In what the models learn from, hue, crest and expression are independent. If a method finds what was planted here, what has it not yet been
#    shown to be able to do?
