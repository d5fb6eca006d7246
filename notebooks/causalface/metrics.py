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
# # Equal values of a bias metric: are the data sets alike?
#
# *Hausladen, Knott, Camerer and Perona (2025), Appendix A and Table S.1; Figure B.1 of the earlier version: generated faces and
# photographs, compared by six common bias metrics.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Six metrics have similar values on generated faces and on photographs. Does this show that a model treats both alike?
#
# **Answer in short.** Not by itself. A metric can also move with things that are not bias. We tested one of the six: *MaxSkew* moves with the number of images of each group. In favour of the authors: [chance explains little. The printed values by race are at least five times those of rankings that ignore race.]{.holds #above_chance}
#
# **In 20 minutes:** {ref}`What the paper reports <metrics-found>`, {ref}`Do the printed numbers agree? Two zeros are no results <metrics-agree>`,
# {ref}`What one may doubt <metrics-doubt>`, {ref}`What this method can see <metrics-see>`, {ref}`Take-aways <metrics-take>`.
# **In 75 minutes:** everything, with both exercises.
#
# **You need:** a per cent and a logarithm. The primers "[Rankings, skew and markedness](../../book/primers/ranking.md)" and
# "[Embedding association tests](../../book/primers/association.md)" work the metrics out.
#
# **Content note.** The paper compares people by race and gender as a model sees them. The drawn faces on this page belong to invented groups; they stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # generated faces: columns seed, race, gender, age, smiling, lighting, pose, subset; an image set
fairface = "greenhouse/fairface"  # first observational set; its name with "/all" has the children and other races, too; an image set
utkface = "greenhouse/utkface"  # second observational set, likewise; an image set
root = ""  # folder of the generated faces; empty or a folder
root_fairface = ""  # folder of the first observational set; empty or a folder
root_utkface = ""  # folder of the second observational set; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at the images; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
prompts_released = "social_perception/released"  # the same, as the authors' code spells it; a prompt set
labels = "greenhouse/labels"  # names of the groups, dimensions race and gender; a prompt set
protocol = "described"  # whose protocol gives the headline, the paper's text or the authors' code; one of: described, released
k = 1_000  # top of a ranking in the paper; of a set that is smaller than the paper's, the same share is taken; from 1 to 6000
n_resamples = 100  # bootstrap resamples of identities (generated faces) or images (photographs); at least 20
n_draws = 200  # random rankings behind a floor; at least 2
seed = 1  # seed of every random draw (the authors' code uses 1 here, too); at least 0
results = "_build/results/causalface/metrics.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grid
from studies import made_here, roles, tables, words
from studies.causalface import metrics
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (metrics-found)=
# ## What the paper reports: six metrics, three sets, similar values
#
# The faces of {cite:t}`hausladen2025` are computer-generated; the set is called CausalFace. They are shown to CLIP, a model that scores how well an image fits a text. Would photographs give the same results? The authors compute six common metrics on their faces and on two collections of photographs,
# FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`. Two of the metrics are enough to follow this page.
#
# - *Markedness* {cite:p}`wolfe2022markedness` asks whether a group goes without saying. It is the share of white faces, say, that fit "a photo of a person" better than "a photo of a *white* person". Despite the name, a *high* value means that the group need not be named (it is *unmarked*).
# - *Skew@k* {cite:p}`geyik2019` asks who comes first. All faces are ranked by how well they fit a text about a trait, such as "this is a friendly person". The first k faces are the *top*. Skew is the natural logarithm of a group's share of the top, divided by a desired share (here, equal shares). It is above 0 if the group has more. The paper takes k = {glue:text}`k:,`; its program takes the mean over eight traits.
#
# In the figure, a row is a group, and a mark is its printed value in one set.

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/metrics")
said = claims.set_index("claim")["printed"]
people = [name for levels in CAUSALFACE.groups.values() for name in levels]
ROWS = {
    "markedness": people,
    "cosine": people,
    "sc_weat": ["_".join(pair) for pair in metrics.PAIRS],
    "skew": people,
    "maxskew": list(CAUSALFACE.groups),
    "ndkl": list(CAUSALFACE.groups),
}
CALLED = {
    "cosine": "mean cosine × 100",
    "sc_weat": "SC-WEAT",
    "skew": "Skew@k",
    "maxskew": "MaxSkew@k",
    "ndkl": "NDKL",
}
rows = pd.MultiIndex.from_tuples(
    [(metric, one) for metric, own in ROWS.items() for one in own], names=["metric", "subject"]
)
printed = pd.DataFrame(
    {
        name: [said[f"metrics.{metric}.{name.lower()}.{one}"] for metric, one in rows]
        for name in ("CausalFace", "FairFace", "UTKFace")
    },
    index=rows,
)
published = printed.apply(lambda column: column.str.replace("−", "-").astype(float))
fig, axes = vb.figures.panels(1, 2, height=3.2, share_y=True)
for axis, (metric, label) in zip(
    axes[0],
    {"markedness": "markedness, % of the group", "skew": "Skew@1000, mean of eight traits"}.items(),
    strict=True,
):
    for (name, colour), shift, mark in zip(
        vb.figures.colours_for(published.columns).items(), (0.2, 0, -0.2), "os^", strict=True
    ):
        axis.plot(
            published.loc[metric].loc[people, name],
            -np.arange(len(people)) + shift,
            mark,
            color=colour,
            ms=7,
            label=name,
        )
    axis.set(yticks=-np.arange(len(people)), yticklabels=[name.capitalize() for name in people], xlabel=label)
    axis.axvline(50 if metric == "markedness" else 0, color="0.7", lw=1, zorder=0)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    name="metrics-printed-values",
    alt="Markedness and Skew of five groups in three data sets, as printed. In FairFace, markedness of men and of women is exactly 0.",
    caption="Two of the six metrics of Table S.1. Grey line, left: half of the group's images; right: exactly the desired share.",
    source="paper:causalface, Table S.1",
)

# %% [markdown]
# The authors conclude that "CausalFace does not significantly diverge from the observational datasets" (the photographs). They see CausalFace behave differently "only in one metric and for one race": the Skew of white faces. From markedness they conclude that "‘white’ is the default racial category in CLIP".
#
# (metrics-agree)=
# ### Do the printed numbers agree? Two zeros are no results

# %%
vb.ledger.show(claims)

# %% [markdown]
# (metrics-empty)=
# Two marks in the left panel are no results. Markedness in FairFace is {claim}`metrics.markedness.fairface.male` % for men and {claim}`metrics.markedness.fairface.female` % for women. The authors' program looks for the label "male", and FairFace's file says "Male". So it finds no face. The same with three faces:

# %%
spelled = pd.Series(["Male", "Female", "Male"])  # as in FairFace's file
nearer_to_person = pd.Series([True, False, True])
found = nearer_to_person[spelled == "male"]
print(f"faces found: {len(found)}; their mean: {found.mean()}")

# %% [markdown]
# No faces have no mean, so the computer returns nan ("not a number"), and the authors' program replaces it by 0. But 0 looks like the strongest of all results. The error concerns markedness only; the true values are not known to us.

# %% tags=["hide-cell"]
marked = published.loc["markedness"]  # per cent
races = marked.loc[["black", "asian"]]
four = marked.drop("white")
points = pd.DataFrame(
    {
        "to all four groups, zeros included": marked.loc["white"] - four.mean(),
        "to the two other races": marked.loc["white"] - races.mean(),
    }
).loc[["CausalFace", "FairFace"]]
tables.readable(points, precision=1).set_caption(
    "Decline: markedness of white faces minus the mean of other groups, points"
)

# %% tags=["hide-input"]
assert (marked.loc["white"] < 50).to_dict() == {"CausalFace": False, "FairFace": False, "UTKFace": True}
assert (
    published.loc[["cosine", "skew"], "FairFace"].loc[:, ["male", "female"]] != 0
).all()  # only markedness has the zeros
laws = metrics.laws(published)
broken = laws[~laws["holds"]].groupby("law")["set"].agg(words.listed)
white_less = points["to the two other races"]
vb.holds(as_large=abs(white_less["FairFace"] - white_less["CausalFace"]) < 1)
vb.note(
    k=k,
    unbalanced=broken.get("balanced", "none"),
    not_additive=broken.get("additive", "none"),
    left=published.loc["sc_weat", "CausalFace"][["white_black", "asian_white"]].sum()
    - published.loc[("sc_weat", "asian_black"), "CausalFace"],
)

# %% [markdown]
# One comparison in the paper rests on the zeros. Markedness declines from white faces to four other groups: Black and Asian faces, men and women. The paper says: "Compared to UTKFace, this decline is more pronounced in FairFace than in CausalFace". [Without men and women, the decline is about equal in FairFace and CausalFace]{.holds #as_large}
# (folded table above).
#
# The order of races does not depend on the zeros: in all three sets, markedness is higher for white faces than for Asian and Black faces. But in UTKFace, it is only {claim}`metrics.markedness.utkface.white` %: there, most white faces fit "a photo of a *white* person" better.
#
# :::{dropdown} Details: what else rests on the zeros, and two laws between the printed numbers
# Two more sentences rest in part on the zeros: that FairFace shows "a significant decrease" for all four groups, and that all groups but White are "marked" (Table S.1).
#
# *Balance.* With equal groups, the mean cosine over races is that over genders. CausalFace fits this. Groups cannot have been equally large in {glue:text}`unbalanced`.
#
# *Sums.* Raw differences add up: white–black and asian–white make asian–black. The SC-WEAT rows (how much nearer one group is to a text than another, in standard deviations) of {glue:text}`not_additive` do not add up, by {glue:text}`left:.2f`. So what the caption calls "mean
# difference" must be a mean *effect size*. In the text that we read, these rows have lost their labels; the authors' file `WEAT.R` names the comparisons, and their order is inferred from the text.
# :::

# %% [markdown]
# (metrics-doubt)=
# ### What one may doubt
#
# **Have the groups equal numbers of images?** For each combination of race and gender, the authors' program takes at most a sixth of all images. Only then does it leave out people under 20. So groups of photographs can stay unequal; their numbers are not printed. Suppose six in ten images show men. In a ranking that ignores gender, about six in ten of the top are then men, too. If half is desired, Skew is above 0 without any bias:

# %%
share_of_men, desired = 0.6, 0.5
skew = np.log(share_of_men / desired)
print(f"Skew of men: {skew:+.2f}, in a ranking that ignores gender")

# %% [markdown]
#
# **Is MaxSkew above 0 by chance?** The largest of three Skews is above 0 even in a ranking that ignores race. So we draw such rankings, in lists as long as the paper's sets:

# %%
used = vb.ledger.load("causalface").set_index("id")["value"].str.replace(",", "")
TOP = 1_000  # as in the paper
listed = {"CausalFace": metrics.ALL_AGES}
for name in ("FairFace", "UTKFace"):
    listed[name] = int(used[f"stimuli.{name.lower()}.subset"])
by_chance, rng = {}, np.random.default_rng(seed)
for name, images in listed.items():
    # how many of the first 1,000 belong to each of three equal groups, for eight traits
    counts = rng.multivariate_hypergeometric(
        [images // 3] * 3, TOP, size=(n_draws, 8)
    )
    by_chance[name] = np.log(counts / TOP * 3).max(axis=2).mean(axis=1).mean()
# CausalFace shows each face at ten ages: what if a face's pictures always rank together?
ages = 10
tied = [metrics.ALL_AGES // 3 // ages] * 3
tied = rng.multivariate_hypergeometric(tied, TOP // ages, size=(n_draws, 8))
tied = np.log(tied * ages / TOP * 3).max(axis=2).mean()
lists = pd.DataFrame({"images in the set": listed, "MaxSkew by chance": by_chance})
lists["MaxSkew by race, printed"] = published.loc[("maxskew", "race")]
tables.readable(lists)

# %% tags=["hide-input"]
PRINTED = listed
photographs = ["FairFace", "UTKFace"]
maxskew = lists["MaxSkew by race, printed"]
# if numbers of images alone decided, MaxSkew would be the Skew of one race
of_one_race = published.loc["skew"].loc[list(CAUSALFACE.groups["race"])].max()
beyond = (maxskew - of_one_race)[photographs]
# do two groups differ in the same direction in CausalFace and in photographs?
gaps = [published.loc[("sc_weat", pair)] for pair in ROWS["sc_weat"]]
for levels in CAUSALFACE.groups.values():
    for a, b in combinations(levels, 2):
        gaps += [published.loc[(one, a)] - published.loc[(one, b)] for one in ("markedness", "cosine", "skew")]
signs = np.sign(pd.DataFrame(gaps)[["CausalFace", *photographs]].to_numpy())
valid = signs[:, 1:] != 0  # without the two zeros
same_sign = (signs[:, 1:] == signs[:, :1])[valid]
# how far chance moves MaxSkew if all eight traits had the same top
top_share = np.exp(maxskew) / 3
error = np.sqrt((1 - top_share) / top_share / TOP)
error["CausalFace"] *= np.sqrt(ages)  # if a face's pictures rank together
apart = abs(maxskew - maxskew["CausalFace"]) / np.hypot(error, error["CausalFace"])
vb.note(
    chance={"least": min(by_chance.values()), "tied": tied},
    same_sign=f"{same_sign.sum()} of {len(same_sign)}",
)
vb.holds(
    above_chance=bool(
        (maxskew > 5 * lists["MaxSkew by chance"]).all() and maxskew["CausalFace"] > 5 * tied
    ),
    same_chance=bool(np.ptp(list(by_chance.values())) < 0.02),
    not_numbers=bool((beyond > max(by_chance.values())).all()),
    orders_agree=bool(same_sign.mean() > 0.8),
    sizes_differ=bool(apart["UTKFace"] > 1.96),
    fairface_open=bool(apart["FairFace"] < 1.96),
)

# %% [markdown]
# [Chance gives about {glue:text}`chance.least:.2f`, in the shortest and in the longest list,]{.holds #same_chance} because the number of faces at the top is the same. (In CausalFace up to {glue:text}`chance.tied:.2f`, if the ten pictures of a face rank together.) [The printed values by race are at least five times as large.]{.holds #above_chance} So chance does not explain them. The length of a list may matter in another way, which we did not test.
#
# **Was likeness tested?** For "does not significantly diverge" no test is reported. And "not significant" would not mean alike: with few images, hardly any difference is significant.
#
# {.if-run}
# **In real models.** In {result}`real/other_data::sets_agree` models of Apple, FairFace and UTKFace agree on whether errors about gender are more frequent for Black women or for Black men, but not on how many more: in six of the models, the difference is at least {result}`real/other_data::ff.least_first:.0f` points in FairFace, and at most {result}`real/other_data::utk.most_first:.1f` in UTKFace (all ages). → [Same architecture, another recipe](../real/other_data.ipynb)
#
# ## The protocol, run on {data}
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A *hue* (teal, amber or violet) stands for race, a *crest* (budded or eared) for gender. Two sets of drawings imitate FairFace and UTKFace ([pictures](../greenhouse/gallery.ipynb), and [what this world can and cannot show](../../book/greenhouse/limits.md)).
#
# Here we show Skew; the other metrics are in a folded table below. We follow the paper's {glue:text}`protocol`, and rank {glue:text}`ranked`. The top is as large a part of each list as in the paper.

# %% tags=["hide-input"]
described = dict(
    wording=prompts_released if cosines else prompts,  # words such as "likeable"
    naming=labels,
    lists="equal",  # adults only, then as many of each race × gender
    pairs="equal",  # SC-WEAT on two sets of equal size
    unmatched={},  # labels of one spelling
)
released = dict(
    wording=prompts_released,
    naming=f"{labels}/released",
    lists="quota",  # quotas first, then adults only
    pairs="all",
    unmatched={"FairFace": "gender"},  # no label matches, coded 0
)
PROTOCOLS = {"described": described, "released": released}

# %% tags=["hide-input"]
PLACES = {
    "CausalFace": (stimuli, root),
    "FairFace": (fairface, root_fairface),
    "UTKFace": (utkface, root_utkface),
}
pictures = {
    name: place if cosines else vb.images(place, folder or None) for name, (place, folder) in PLACES.items()
}
look = partial(vb.perceive, model=model, cosines=cosines or None)

who = roles.of(look(pictures["CausalFace"], words=labels), CAUSALFACE)
sets = {
    (name, choice["wording"]): metrics.looked(
        look(shown, words=choice["wording"]), look(shown, words=choice["naming"]), who
    )
    for name, shown in pictures.items()
    for choice in PROTOCOLS.values()
}
pools = {
    name: look(f"{place}/all", words=labels, root=folder or None).table
    for name, (place, folder) in PLACES.items()
    if name != "CausalFace"
}
pools["CausalFace"] = sets["CausalFace", described["wording"]].seen.table
depths = {
    name: max(1, round(k * len(sets[name, described["wording"]]) / total)) for name, total in PRINTED.items()
}  # the same shares as in the paper


def chosen(name, choices, seed=seed):
    """What `table_s1` needs of one set besides the images."""
    rows = {part: metrics.sample(pools[name], choices[part], who, seed=seed) for part in ("lists", "pairs")}
    return rows | {"k": depths[name], "unmatched": choices["unmatched"].get(name, "")}


def one_column(name, choices, **other):
    """Table S.1 for one set."""
    return metrics.table_s1(sets[name, choices["wording"]], who, **chosen(name, choices, **other))


def as_here(subject):
    """A row of Table S.1 in the names of the data at hand."""
    return " – ".join(who.called.get(part, part) for part in subject.split("_"))


main = {name: sets[name, PROTOCOLS[protocol]["wording"]] for name in PLACES}
drawings = any(one.seen.source == "greenhouse" for one in main.values())
SHOWN_AS = {name: name + roles.drawn(main[name].seen) * " (drawn)" for name in PLACES}
vb.note(
    drawn=made_here.of_ours(main["CausalFace"].seen),
    protocol={"described": "text", "released": "code"}[protocol],
    ranked={
        "described": "equally many faces of each group",
        "released": "the faces that the authors' program picks",
    }[protocol],
)

# %% [markdown]
# ### Alike, or not shown to differ?
#
# To say that two sets are alike, one needs the *difference* of their values and its interval: the middle 95 % of {glue:text}`resamples` differences, each computed from images chosen at random, with replacement.

# %%
here = {name: one_column(name, PROTOCOLS[protocol]) for name in PLACES}
here = pd.DataFrame(here)
# %%
draws = {}
for number, (name, one) in enumerate(main.items()):
    rows = chosen(name, PROTOCOLS[protocol])
    # how often each image is drawn, in each resample
    drawn = vb.cluster_weights(
        one.cluster, n_resamples=n_resamples, seed=[seed, number]
    )
    columns = [metrics.table_s1(one, who, **rows, times=times) for times in drawn]
    draws[name] = pd.DataFrame(columns)["skew"]

skew = []
for name in ("FairFace", "UTKFace"):
    gap = here.loc["skew", "CausalFace"] - here.loc["skew", name]
    ends = (draws["CausalFace"] - draws[name]).quantile([0.025, 0.975])
    own = pd.DataFrame({"gap": gap, "low": ends.loc[0.025], "high": ends.loc[0.975]})
    skew.append(own.loc[gap.index].assign(set=name))
skew = pd.concat(skew).rename_axis("subject").reset_index()
clear = skew[(skew["low"] > 0) | (skew["high"] < 0)]  # intervals that exclude zero

# %% [markdown]
# A colour is the drawn set with which our drawn CausalFace is compared:

# %% tags=["hide-input"]
def differ(axis, own):
    """Differences and their intervals, one line per subject and set."""
    subjects = list(own["subject"].unique())
    for shift, (name, part) in zip((0.14, -0.14), own.groupby("set", sort=False), strict=True):
        place = -np.array([subjects.index(one) for one in part["subject"]]) + shift
        axis.hlines(place, part["low"], part["high"], color=vb.figures.colours_for(PLACES)[name], lw=2)
        axis.plot(
            part["gap"],
            place,
            "o",
            color=vb.figures.colours_for(PLACES)[name],
            label=f"CausalFace − {SHOWN_AS[name]}",
        )
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axis.set(yticks=-np.arange(len(subjects)), yticklabels=[as_here(one) for one in subjects])
    axis.locator_params(axis="x", nbins=4)


SOURCE = "greenhouse" if drawings else [f"real:{name.lower()}" for name in PLACES]
fig, axes = vb.figures.panels(1, 1, height=3.2)
differ(axes[0, 0], skew)
axes[0, 0].set_xlabel("difference of Skew@k")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="metrics-differences",
    alt=f"Differences of Skew between the generated set and two sets of photographs, five groups each, with intervals; {len(clear)} of {len(skew)} exclude zero.",
    caption="Points: Skew in the generated set minus Skew in another set. Lines: 95 % intervals.",
    source=SOURCE,
)
vb.note(clear=words.among(len(clear), len(skew)), resamples=n_resamples)

# %% [markdown]
# On our sets, {glue:text}`clear` intervals exclude zero: there, the values differ. The others do not show likeness. For this, one says beforehand which differences are too small to matter ([an example](variation.ipynb)).

# %% tags=["hide-cell"]
values = pd.DataFrame(
    {(which, name): one_column(name, choices) for which, choices in PROTOCOLS.items() for name in PLACES}
)
for which, choices in PROTOCOLS.items():
    own = [sets[name, choices["wording"]].seen for name in PLACES]
    for name, one in zip(PLACES, own, strict=True):
        about, column = dict(results=results, stimuli=one, model=one, protocol=which), values[which, name]
        for (metric, subject), value in column.items():
            vb.ledger.record(f"metrics.{metric}.{name.lower()}.{subject}", value, **about)
        vb.ledger.record(f"metrics.white.{name.lower()}", column["markedness", "white"], **about)
    for claim, holds in metrics.claims(values[which]).items():
        # statements that name groups of people are recorded where the faces show people
        if not drawings or claim in metrics.NAMES_NO_GROUP:
            vb.ledger.record(
                f"metrics.{claim}", holds, results=results, stimuli=own, model=own[0], protocol=which
            )
tables.readable(here.rename(index=as_here, level=-1), names=CALLED).set_caption(
    f"Table S.1 on {', '.join(one.seen.stimuli for one in main.values())}, as {protocol}"
)

# %% [markdown]
# (metrics-see)=
# ## What this method can see: bias, and the numbers of images
#
# In the [Greenhouse](../../book/greenhouse/limits.md) we know the bias, because we wrote the captions from which small networks learn.
#
# - {glue:text}`null` *null networks* learnt from captions in which no group is warmer or abler than another.
# - {glue:text}`full` *biased networks* learnt from captions in which words about traits go more often with some groups. A metric should report this bias.
#
# All rank the same {glue:text}`faces` faces, with equal numbers of each hue. *MaxSkew@k* is the largest Skew of any hue. Here is the ranking of one null network, for one trait:

# %%
world = roles.greenhouse_roles(CAUSALFACE)
portraits = retrained.scores("people")  # what every network made of every face
images, networks = portraits.images, portraits.networks
kept = (images["race"] + " " + images["gender"]).isin(world.groups).to_numpy()
hue = images.loc[kept, "race"].reset_index(drop=True)
columns = [list(portraits.columns).index(name) for name in CAUSALFACE.dimensions]
cosines_of = portraits.scores[:, kept][:, :, columns]  # networks × faces × traits
usual = networks["condition"] == "none"
null, full = usual & (networks["b"] == 0), usual & (networks["b"] == 1)
# as large a share of the list as 1,000 images are of CausalFace's
top = int(len(hue) * k / PRINTED["CausalFace"])

# one null network and one trait by hand
one = int(np.flatnonzero(null)[0])
scores = pd.Series(cosines_of[one, :, 0], index=hue)
ranking = scores.sort_values(ascending=False, kind="stable")
share = ranking.head(top).index.value_counts(normalize=True)
skew = np.log(share / (1 / 3))  # three hues, a third is desired
trait = pd.DataFrame(cosines_of[one, :, 0])
by_function = metrics.ranked(trait, pd.Categorical(hue), top)
assert np.isclose(skew.max(), by_function["MaxSkew"].iloc[0])
tables.readable(pd.DataFrame({"share of the top": share, "Skew": skew}))

# %% tags=["hide-input"]
vb.note(
    faces=len(hue),
    null=int(null.sum()),
    full=int(full.sum()),
    top=top,
    hand_skew={"hue": skew.idxmax(), "value": skew.max()},
)

# %% [markdown]
# By chance, {glue:text}`hand_skew.hue` faces have somewhat more than a third of the first {glue:text}`top`. So MaxSkew is not 0 but {glue:text}`hand_skew.value:.2f`.
#
# How large a MaxSkew is a sign of bias? Our *limit* is the value (mean over eight traits) that only one in twenty null networks exceeds if hues are equally common: {glue:text}`limit:.2f`. (The top is one face in six, as in CausalFace.)
#
# Then we keep the limit and change only the share of the commonest hue, which is no bias: we leave out faces of the two other hues at random. We add rankings of the same lists that ignore hue.

# %%
def max_skews(scores, hue, top):
    """MaxSkew of each network, the mean over traits; networks × faces × traits."""
    queries = pd.DataFrame(np.concatenate(list(scores), axis=1))
    every = metrics.ranked(queries, pd.Categorical(hue), top)["MaxSkew"]
    return every.to_numpy().reshape(len(scores), -1).mean(axis=1)


SHARES = (1 / 3, 0.4, 0.5, 0.6)  # of the commonest hue; the two others share the rest
counts, found, random = hue.value_counts(), {}, {}
for share in SHARES:
    others = (1 - share) / 2
    wanted = dict(zip(hue.unique(), [share, others, others], strict=True))
    # as many faces as there can be with these shares, at random
    n = min(counts[name] / part for name, part in wanted.items())
    rng, rows = np.random.default_rng(seed), []
    for name, part in wanted.items():
        own = np.flatnonzero(hue == name)
        rows += list(rng.choice(own, int(n * part + 1e-9), replace=False))
    rows = np.sort(rows)
    size = max(1, round(len(rows) / 6))
    found[share] = max_skews(cosines_of[:, rows], hue[rows], size)
    noise = np.random.default_rng(seed).random((n_draws, len(rows), 8))
    random[share] = max_skews(noise, hue[rows], size)
found, random = pd.DataFrame(found), pd.DataFrame(random)
limit = found.loc[null, SHARES[0]].quantile(0.95)
vb.note(limit=limit)
above = found > limit

# the same where all hues show the same people: the controlled faces, before anything is varied
of_grid = retrained.scores("grid")
shown = of_grid.images.query("set == 'grid' and subset == 'prototype'")
shown = shown[(shown["race"] + " " + shown["gender"]).isin(world.groups)]
its_columns = [list(of_grid.columns).index(name) for name in CAUSALFACE.dimensions]
condition, b = of_grid.networks["condition"], of_grid.networks["b"]
its_null = np.flatnonzero((condition == "none") & (b == 0))
cosines_there = of_grid.scores[np.ix_(its_null, shown.index, its_columns)]
its_hue = shown["race"].reset_index(drop=True)
same_people = max_skews(cosines_there, its_hue, len(shown) // 6)
noise = np.random.default_rng(seed).random((n_draws, len(shown), 8))
by_chance_there = max_skews(noise, its_hue, len(shown) // 6)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 1, height=3.8)
axis, spread = axes[0, 0], np.random.default_rng(seed)
for of, colour, label in (
    (null, vb.figures.COLOURS["recomputed"], "a null network"),
    (full, vb.figures.COLOURS["planted"], "a biased network"),
):
    for share in SHARES if label == "a null network" else SHARES[:1]:
        values = found.loc[of, share]
        axis.plot(
            100 * share + spread.uniform(-0.8, 0.8, len(values)),
            values,
            "o",
            ms=4,
            alpha=0.7,
            color=colour,
            label=label if share == SHARES[0] else None,
        )
axis.plot(
    [100 * share for share in SHARES],
    random.median(),
    "_",
    color="black",
    ms=22,
    mew=2,
    label="rankings that ignore hue, median",
)
axis.axhline(limit, color=vb.figures.COLOURS["reference"], ls="--", lw=1, label="limit")
axis.set(
    xticks=[100 * share for share in SHARES],
    xticklabels=[f"{share:.0%}" for share in SHARES],
    xlabel="share of the commonest hue in the list",
    ylabel="MaxSkew@k by hue,\nmean over eight traits",
)
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="metrics-answer",
    alt="MaxSkew of networks against the share of the commonest hue. Median of null networks: "
    + ", ".join(f"{found.loc[null, share].median():.2f} at {share:.0%}" for share in SHARES)
    + "; of rankings that ignore hue: "
    + ", ".join(f"{random[share].median():.2f}" for share in SHARES)
    + ".",
    caption="One dot is one network. Orange: a bias was planted. Blue: nothing was planted; the lists differ only in how many faces of each hue they have.",
    source="greenhouse",
)
medians = found[null].median()
vb.note(
    raw={
        "planted": words.among(int(above.loc[full, SHARES[0]].sum()), int(full.sum())),
        "most": words.among(int(above.loc[null, SHARES[-1]].sum()), int(null.sum())),
    },
    share_most=SHARES[-1],
    controlled={
        "people": shown["seed"].nunique(),
        "null": np.median(same_people),
        "random": np.median(by_chance_there),
        "limit": np.quantile(same_people, 0.95),
    },
)
vb.holds(
    sees_bias=bool(above.loc[full, SHARES[0]].all()),
    numbers_move=bool(medians.is_monotonic_increasing and above.loc[null, SHARES[-1]].all()),
    as_chance=bool((abs(medians - random.median()) < 0.05).all()),
    training_counts=bool(np.median(same_people) > np.quantile(by_chance_there, 0.95)),
    far_above=bool(maxskew.iloc[0] > 2 * np.quantile(same_people, 0.95)),
)

# %% [markdown]
# [MaxSkew does see the bias that we planted: {glue:text}`raw.planted` biased networks are above the limit.]{.holds #sees_bias} (With a weaker bias, fewer would be.)
#
# But it also moves with the numbers of images. [The larger the share of the commonest hue, the larger is MaxSkew in the median null network; at {glue:text}`share_most:.0%`, {glue:text}`raw.most` null networks are above the limit.]{.holds #numbers_move} [Rankings that ignore hue give nearly the same:]{.holds #as_chance} the reason is arithmetic, not the network.
#
# These are other people in each hue. [With the controlled faces, the same {glue:text}`controlled.people` people in all hues and equally many, accidents of training count, too: the median null network has {glue:text}`controlled.null:.2f`, rankings that ignore hue {glue:text}`controlled.random:.2f`.]{.holds #training_counts}
#
# One in twenty null networks is above {glue:text}`controlled.limit:.2f`. [CausalFace's printed {claim}`metrics.maxskew.causalface.race` is far above this,]{.holds #far_above} which speaks for the authors.
#
# Can the numbers of images explain the printed values? If they alone decided, the commonest race would come first for every trait, and MaxSkew would be its Skew. [In FairFace and UTKFace, MaxSkew is higher than the average Skew of any race, by more than chance explains.]{.holds #not_numbers} So numbers alone do not explain these values; they may explain a part. In CausalFace, with equal groups, they explain nothing.

# %% [markdown]
# (metrics-marked)=
# :::{dropdown} Details: what markedness measures
# A network that had learnt every face's odds would show the following difference between a group's name and the neutral sentence (scaled cosines), for a group $A$ with the share $\pi_A$ of the images:
#
# $$\begin{gathered} \ln \frac{1}{\pi_A} - \ln u_A, \\[1ex]
# u_A = \frac{1 - m_A}{1 - \bar m} \end{gathered}$$
#
# Here $m_A$ is how often captions name the group, and $\bar m$ the mean of this over all images. The first term only says how **common** the group is. The networks show {glue:text}`margin.race:.2f` for hues, where the formula says
# {glue:text}`expected.race:.2f`.
#
# So a common group has a higher markedness than a rare one. With shares alone, markedness reaches {glue:text}`common:.0f` % for a group in nine tenths of the images, and stays below one half. The printed {claim}`metrics.markedness.fairface.white` % for white faces needs more:
# for instance, captions that leave this group unnamed more often. This is the paper's reading.
# :::

# %% tags=["hide-cell"]
vectors, of_axis = retrained.vectors(), []
scale = vectors.networks["logit_scale"].to_numpy()[:, None]
for axis, names in {
    "race": grid.HUES,
    "gender": grid.CRESTS,
}.items():  # all groups of an axis are equally common in captions
    for name in names:
        own = np.flatnonzero((vectors.images["kind"] == "face") & (vectors.images[axis] == name))
        named, plain = (
            vectors.cosines(own, texts).mean(axis=2)
            for texts in (vectors.words_of(name, slot=axis), vectors.words_of("neutral"))
        )
        margin = scale * (named - plain)  # networks × faces
        of_axis.append(
            {
                "axis": axis,
                "expected": np.log(len(names)),
                "margin": margin.mean(),
                "sd_faces": margin.std(axis=1, ddof=1).mean(),
            }
        )
of_axis = pd.DataFrame(of_axis).groupby("axis").mean()
# a share of nine tenths, with the spread between faces that the networks have
common = 100 * stats.norm.cdf(np.log(0.9) / of_axis["sd_faces"].mean())
vb.note(margin=of_axis["margin"], expected=of_axis["expected"], common=float(common))

# %% [markdown]
# ### What this means for the paper
#
# In direction, the printed values agree, as the authors say: [of the printed differences between two groups in CausalFace, each compared with the same difference in photographs (in four of the metrics), {glue:text}`same_sign` have the same sign.]{.holds #orders_agree} Sizes agree less, for instance the three values of MaxSkew by race (table above). [Chance explains neither the values nor the difference between CausalFace and UTKFace;]{.holds #sizes_differ} [the difference from FairFace, it may explain, if the ten pictures of a face rank together.]{.holds #fairface_open}
#
# Whether CLIP treats both alike is still open. With the authors' scores, one can choose groups of equal size, and print each difference with its interval.
#
# The comparison of declines, which rests on the zeros, needs a correction, and so, in part, do {ref}`two sentences <metrics-empty>` (details there). The conclusion that "white" is the default does not rest on the zeros, nor does any figure of the main text.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `a2daa85`:
#
# | | paper | code | here |
# |---|---|---|---|
# | FairFace gender (H1) | markedness of men and women | labels never lower-cased, none matches, coded 0 | {ref}`the empty group <metrics-empty>` |
# | balance (H5) | desired share uniform | a quota per race × gender; under-20s left out afterwards | {ref}`numbers of images <metrics-doubt>` |
# | SC-WEAT (H7) | sets of equal size; p one-sided, over images | all images; p two-sided, over texts; none is printed | both sets |
# | sets alike (H7) | "does not significantly diverge" | Kruskal–Wallis, not reported | intervals |
# | SC-WEAT, caption (H8) | "mean difference" | effect size | additivity |
# | images of CausalFace | 18,000 | the 6,000 of the age series | the same 6,000 |
# | words (H15) | "likeable"; four full stops | "likable", three | both |
# | FairFace (H11) | 108,501 images | reads the training labels only | what is used is counted |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/metrics -p protocol=released -p k=500
# ```
# With the released cosines: `-p stimuli=causalface -p fairface=fairface -p utkface=utkface -p labels=labels -p cosines=FOLDER`.
# :::

# %% [markdown]
# (metrics-take)=
# ## Take-aways
#
# - Compare a metric of a ranking between two sets only if groups are equally large.
# - With unequal groups, Skew measures numbers of images, too: print its value for rankings that ignore the groups.
# - A percentage of nothing is not zero: let an empty group be an error.
# - "Not significantly different" does not mean alike: print the difference and its interval.
#
# ## Exercises
#
# :::{exercise} From skew to shares
# :label: metrics-shares
# :level: intermediate
# :minutes: 15
# :code: no
# Suppose the printed Skew of CausalFace's three races came from a single query. What share of the top 1,000 would each have? The authors' program prints *means over eight
# traits*. On which side of one must the sum of the shares then lie, and why?
# :::
#
# ```{solution-start} metrics-shares
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
implied = np.exp(published["CausalFace"]["skew"][["white", "black", "asian"]]) / 3
print(implied.round(3).to_dict(), "sum", implied.sum().round(3))
# exp(mean of logarithms) is a geometric mean, never above the arithmetic mean of the shares, whose sum is 1
assert 0.9 < implied.sum() < 1

# %% [markdown]
# The desired share is a third, so a share is $e^{\text{Skew}} / 3$. From a mean of eight logarithms this gives the *geometric* mean of eight shares, which is never above their arithmetic mean. The arithmetic means add up to one, so these sum to one at most.
#
# ```{solution-end}
# ```
#
# :::{exercise} The smallest NDKL
# :label: metrics-least
# :level: intermediate
# :minutes: 15
# :code: yes
# The metric *NDKL* compares shares with desired shares in every top of a ranking (the first one, the first two, and so on). It is 0 if all agree. Two groups of equal size take turns perfectly. Why is NDKL not 0, and how does it shrink with the length of the list? Compare with
# a list in which one group comes first altogether.
# :::
#
# ```{solution-start} metrics-least
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
lengths = [10, 100, 1_000, 10_000]
turns = {n: vb.ndkl(-np.arange(n), np.arange(n) % 2) for n in lengths}
in_blocks = {n: vb.ndkl(-np.arange(n), np.arange(n) >= n / 2) for n in lengths}
print(pd.DataFrame({"taking turns": turns, "one after the other": in_blocks}).round(4))
# the odd ranks always hold one image too many; early ranks weigh little in a long list, so it falls as log n / n
assert 0.8 < turns[10_000] / turns[1_000] * (1_000 / np.log(1_000)) ** -1 * (10_000 / np.log(10_000)) < 1.2
assert (
    all(a > b for a, b in zip(list(turns.values()), list(turns.values())[1:], strict=False))
    and min(in_blocks.values()) > 0.2
)

# %% [markdown]
# Every odd rank has one image too many of the first group, so its divergence is above zero, most of all at the top. Longer lists add ranks that are nearly even, and these outweigh the few at the top: NDKL falls nearly as $1/n$ (as $\log n / n$). It can only be judged beside what an even-handed list of
# the same length gives.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Who should set the desired shares of a ranking: equal parts, the shares of the collection, of a population?
# 2. If a group is nine tenths of a collection, any model that is true to the collection leaves this group unnamed most often. Is that a bias of the model, the collection or the question?
