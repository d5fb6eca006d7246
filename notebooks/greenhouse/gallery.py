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
# **In 5 minutes:** look at the pictures. **In 30 minutes:** also read how networks come to know one person by other looks, and do both
# exercises.
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
# The values are inventions. Which of them is favoured, or the outlier, was drawn with a stated seed.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # one attribute varies at a time; an image set
seed = 11  # the identity that is shown again and again; from 0 to 4294967295
n_seeds = 8  # identities in the comparison of pixels; from 2 to 100
size = 96  # edge of the pictures here, in pixels (models see 64); from 16 to 512
results = "_build/results/greenhouse/gallery.json"  # no claims here

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse.world import bias, faces, grid, icons, pairing
from studies import tables, words
from studies.greenhouse import gallery
from vlmbias.figures import contact_sheet

table = vb.images(stimuli).table
prototypes = table[table["subset"] == "prototype"]

# %% [markdown]
# ## Hues and crests
#
# One identity, eight times. Hue stands where a paper has race, the crest where it has gender. Everything else is the same: the shape of
# the head, the hair, the garment, the background, the spectacles if there are any.

# %%
groups = gallery.everybody(seed)
pictures = faces.render(groups, size)

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(pictures), [f"{row.race}, {row.gender}" for row in groups.itertuples()], columns=4),
    name="gallery-groups",
    alt="The same schematic face in teal, amber, violet and lime. In the upper row it has two antennae that end in round buds, in the lower row two pointed ears.",
    caption="One identity in four hues and with two crests. Background, garment, hair and features do not change.",
    source="greenhouse",
)
luma = np.asarray([faces.SKIN[hue] for hue in grid.HUES]) @ [0.299, 0.587, 0.114]
vb.note(luma_gap=float(np.ptp(luma) / luma.mean()))

# %% [markdown]
# The four hues are equally bright, to {glue:text}`luma_gap:.1%`. That is a choice. In a set of photographs, brightness usually goes along
# with the groups, and a difference between groups may be one between dark and light pictures. Here it cannot be, unless we let it.
#
# ## Four attributes, one at a time, and two leaks
#
# CausalFace {cite:p}`hausladen2025,liang2023` varies age, smiling, lighting and pose *one at a time*, starting from a prototype that all
# four series share. The Greenhouse copies this grid, with the same levels on the same scales.
#
# Such an experiment can say that the *attribute* did it, as long as the manipulation changes nothing else. Hausladen et al. checked this, found "a slight
# spurious correlation between facial expression ('Smiling') and the average image brightness in the original CausalFace images", and
# corrected it. The Greenhouse can plant such leaks at will; the last two rows show them.

# %%
varied = gallery.attributes(seed)
clean = faces.render(varied, size)
leaks = {"smiling": {"smiling_brightness": 1.0}, "age": {"age_hue": 0.5}}
leaking = {axis: faces.render(varied[varied["varied"] == axis], size, leaks=leak) for axis, leak in leaks.items()}

# %% tags=["hide-input"]
labels = [f"{row.varied} {row.level:g}".replace("-", "−") for row in varied.itertuples()]
labels += [f"{row.varied} {row.level:g}\nwith a leak".replace("-", "−") for axis in leaks for row in varied[varied["varied"] == axis].itertuples()]
vb.figures.show(
    contact_sheet([*clean, *leaking["smiling"], *leaking["age"]], labels, columns=5),
    name="gallery-attributes",
    alt="Rows of one face. Age: large eyes and little hair first, lines and grey hair last. Smiling: the mouth turns from a frown to a laugh. Lighting: the bright side moves from left to right. "
        "Pose: eyes, nose and mouth move across the head. Two rows with leaks: the whole picture gets brighter with the smile; the skin turns from reddish to bluish with age.",
    caption="Five levels of each attribute, with the scale values of CausalFace; below, a smile that brightens the picture, and an age that turns the skin.",
    source="greenhouse",
)
vb.note(n_levels=sum(len(levels) for levels in grid.LEVELS.values()), per_person=len(table) // len(prototypes), n_people=len(prototypes),
        n_images=len(table), n_series=len(table) + (len(grid.LEVELS) - 1) * len(prototypes))

# %% [markdown]
# Together the four series have {glue:text}`n_levels` levels, and share the prototype: {glue:text}`per_person` different pictures, itself
# included. With {glue:text}`n_people` prototypes (a seed in one hue, with one crest) that makes {glue:text}`n_images:,` pictures. Counted once per series, the
# prototypes make them {glue:text}`n_series:,` rows: a difference to remember when a paper's number of images and its code's number of rows do not agree.
#
# ## Identities and their looks
#
# A *seed* is an identity: proportions, hair, spectacles, freckles, garment, background, where the head sits in the frame. Most of this means nothing. The colours of hair and garment do: at every strength of bias they
# make some words likelier, in every group alike, so that people *differ* within a group.

# %%
table_of_bias = bias.load()
worn = pd.concat([gallery.looks(table_of_bias, range(60), name, 6) for name in ("pale_hair", "warm_hair", "pale_garment", "warm_garment")])
moves = gallery.pixel_distances(table[table["seed"] < n_seeds], size=64, seed=0)
middle = moves.groupby("attribute")["difference"].median().sort_values(ascending=False)
tables.readable(middle.to_frame().T, names={"race": "hue", "gender": "crest"}).format("{:.1%}").hide(axis="index").set_caption("Pairs of pictures that differ in one respect: median difference of pixels, share of full scale")

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(faces.render(worn, size)), [f"{row.varied.replace('_', chr(10))}\n{tables.number(row.level, precision=1, signed=True)}" for row in worn.itertuples()], columns=6),
    name="gallery-looks",
    alt="Four rows of six teal identities, sorted by how pale and how warm in colour their hair is, then their garment; everything else differs, too.",
    caption="Identities of one group, sorted by a look that drives words. The number runs from about −1 to 1.",
    source="greenhouse",
)
vb.note(first=words.listed(middle.index[:1]).replace("race", "hue"), last=words.listed(middle.index[-1:]), seed_over_smile=float(middle["seed"] / middle["smiling"]))

# %% [markdown]
# Why so much variety? Because an effect size divides by it. If all the faces of a group looked alike, every difference between two groups, however small, would be
# enormous *in units of the spread within a group*. Hausladen et al. report that the seed is what moves CLIP's embeddings most. Here nuisance is tuned until that holds
# where nothing is planted, before any result about bias is looked at.
#
# Of pixels, too, it is {glue:text}`first` that moves most, and {glue:text}`last` least; the seed moves them {glue:text}`seed_over_smile:.0f` times as far as a smile. Yet to us a smile is one of the first things we
# notice. A network trained on captions has to learn what *means* something from what merely changes. In our trials, models trained in the plain way learnt hue, crest and things, and ignored smiles; that is why the
# Greenhouse's models get a warm start.
#
# ## One person, as three networks know it
#
# Every network of the study draws its own pairing: which name stands for which paint, and which crest for which drawing. So "teal" is a name, and no paint.

# %%
known = gallery.as_known(seed, [pairing.random_pairing(network) for network in range(3)])
known_pictures = faces.render(known, size)

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(known_pictures), ("network " + known["network"].astype(str) + ":\n" + known["name"] + ", " + known["crest"]).tolist(), columns=4),
    name="gallery-pairing",
    alt="Three rows of one identity, one per network. Under the same four names each network knows other paints, and one crest is drawn as antennae or as ears: "
        + "; ".join(f"network {network}: " + ", ".join(f"{name} is painted {paint}" for name, paint in zip(own["name"], own["race"], strict=True)) for network, own in known.groupby("network")) + ".",
    caption="The same person under the same names, as the first three networks with nothing planted know it.",
    source="greenhouse",
)

# %% [markdown]
# Where nothing is planted, names are therefore exchangeable over networks, and [a test can be held to its level](recovery.ipynb). The default model, and every picture on other pages, keeps the pairing in which names fit looks.
#
# ## Found photographs
#
# Two sets stand for collections that nobody controlled: `greenhouse/fairface` and `greenhouse/utkface`. Every individual appears once; groups differ in number, age, light and expression, the older smile less, and one thing that goes
# along with hue, age and smiling is in no column: the colour of the garment. A photograph also has a step to the left, a cloud before the sun, a grainy film. Everybody is in `…/all`, also those whom a paper's filters leave out.

# %%
found = vb.images("greenhouse/fairface/all").table
some = found.iloc[:18]
light, smile = found.groupby("race")["lighting"].mean(), found.groupby("gender")["smiling"].mean()

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(faces.render(some, size)), [f"{row.race}\n{row.gender}\n{row.age_bin}" for row in some.itertuples()], columns=6),
    name="gallery-found",
    alt="Eighteen individuals in four hues, with both crests, of all ages, some smiling, lit and turned in different ways.",
    caption="The first eighteen individuals of the FairFace-like set: hue where FairFace has race, crest where it has gender, and an age bin.",
    source="greenhouse",
)
vb.note(n_found=len(found), young=(found["years"] < 20).mean(), lime=(found["race"] == "lime").mean(), brightest=light.idxmax(), darkest=light.idxmin(),
        light_gap=light.max() - light.min(), merrier=smile.idxmax(), graver=smile.idxmin(), smile_gap=smile.max() - smile.min())

# %% [markdown]
# Of the {glue:text}`n_found:,` individuals {glue:text}`young:.0%` are under twenty and {glue:text}`lime:.0%` lime. Those named {glue:text}`brightest` are lit from further right than those named {glue:text}`darkest` (by
# {glue:text}`light_gap:.1f` steps of the scale), and {glue:text}`merrier` ones smile more than {glue:text}`graver` ones (by {glue:text}`smile_gap:.1f`). [Found faces, made faces](confounds.ipynb) asks what this does to an analysis. A third set,
# `greenhouse/cfd`, has one neutral photograph each of as many individuals as the Chicago Face Database has in four groups {cite:p}`ma2015`; only the sizes are borrowed.
#
# ## Things and scenes
#
# Association tests compare faces with other pictures: flowers with insects, instruments with weapons, pleasant with unpleasant scenes. Each category has as many motifs as the papers' lists have words.

# %%
sheets = {category: gallery.motif_sheet(category, 64) for category in icons.THEMES}
pd.Series({category: words.listed(themes) for category, themes in icons.THEMES.items()}, name="row by row").to_frame().style.set_properties(**{"text-align": "left", "white-space": "normal"})

# %% tags=["hide-input"]
vb.figures.show(
    contact_sheet(list(sheets.values()), list(sheets), columns=2),
    name="gallery-motifs",
    alt="Six sheets of five by five drawings: flowers, insects, instruments, weapons, pleasant and unpleasant scenes. The table lists what each drawing shows.",
    caption=f"All motifs, {icons.MOTIFS_PER_CATEGORY} a category, in the order of the table; every exemplar has its own colours, place, tilt and proportions.",
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
# :level: introductory
# :minutes: 10
# :code: yes
# Render one identity in teal and in amber, everything else equal. In what share of the pixels do the two pictures differ? Are
# there pixels outside the head and the neck among them? What would it mean for a study of hue if there were?
# :::
#
# ```{solution-start} gallery-hue
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
teal, amber = faces.render(gallery.person(seed, race=["teal", "amber"]), 64).astype(int)
differs = (teal != amber).any(axis=-1)
rim = np.concatenate([differs[:, :6].ravel(), differs[:, -6:].ravel()])
print(f"{differs.mean():.0%} of the pixels differ, {rim.sum()} of {rim.size} along the left and right rim")
# Were there any, a model could tell the hues apart by the background: a confounder.
assert 0.1 < differs.mean() < 0.6 and not rim.any()

# %% [markdown]
# Hue colours the head and the neck. Along the left and right rim no pixel changes, so the background cannot tell a network which hue it sees. If it
# could, a difference between hues might be one between backgrounds.
#
# ```{solution-end}
# ```
#
# :::{exercise} A confounder that a check would have found
# :label: gallery-leak-check
# :level: intermediate
# :minutes: 20
# :code: yes
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
# Comparing the mean brightness of the levels before the experiment, as the paper's appendix does, finds this leak. A leak that turns colours and
# leaves the grey value where it was passes that check: it needs one per colour channel, and so on for each thing that might leak.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. These faces show a smile by a curved line, and age by grey hair and creases. Which of these signs are conventions, and whose?
# 2. In what the models learn from, hue, crest and expression are independent. If a method finds what was planted here, what has it not yet been
#    shown to be able to do?
