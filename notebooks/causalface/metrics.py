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
# **Question.** Six metrics have similar values on generated faces and on photographs. Does the model treat both alike?
#
# **Answer in short.** Not necessarily. Such metrics also move with things that are not bias: how many images each group has, how long a ranking is, and even how a label is spelled. Values of two sets can be
# compared only if these are alike.
#
# **In 20 minutes:** {ref}`the printed table <metrics-printed>`, {ref}`a zero that is no result <metrics-empty>`, what one may doubt, {ref}`what else moves the metric <metrics-answer>`, take-aways.
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
n_permutations = 10_000  # sign flips in the released test; at least 100
n_resamples = 100  # bootstrap resamples of identities (generated faces) or images (photographs); at least 20
n_draws = 200  # random rankings behind a floor; at least 2
seed = 1  # seed of every random draw (the authors' code uses 1 here, too); at least 0
results = "_build/results/causalface/metrics.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from functools import partial

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, grid, truth
from studies import made_here, roles, tables, words
from studies.causalface import metrics, metrics_controls, metrics_printed
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# ## What the paper reports: six metrics, three sets, similar values
#
# The faces of {cite:t}`hausladen2025` are computer-generated; the set is called CausalFace. Would their results hold for photographs? The authors compute six common metrics on their faces and on two collections of photographs,
# FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`. Two of the metrics are enough to follow this page:
#
# - *Markedness* {cite:p}`wolfe2022markedness` asks whether a group goes without saying. It is the share of white faces, say, that are nearer to "a photo of a person" than to "a photo of a *white* person". A *high* value means that the group goes without saying: it is unmarked.
# - *Skew@k* {cite:p}`geyik2019` asks who comes first. All faces are ranked by how near they are to a text, and one looks at the first k. Skew is the logarithm of a group's share among them, divided by a desired share. Here, equal shares are
#   desired. It is 0 if the group has exactly that, above 0 if it has more.
#
# (metrics-printed)=
# These are the printed values:

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/metrics")
printed = metrics_printed.table(claims.set_index("claim")["printed"])
published = metrics_printed.numbers(printed)
fig, axes = vb.figures.panels(1, 2, height=3.2, share_y=True)
people = [name for levels in CAUSALFACE.groups.values() for name in levels]
for axis, (metric, label) in zip(axes[0], {"markedness": "markedness, % of the group", "skew": "Skew@1000, mean of eight traits"}.items(), strict=True):
    for (name, colour), shift, mark in zip(vb.figures.colours_for(published.columns).items(), (0.2, 0, -0.2), "os^", strict=True):
        axis.plot(published.loc[metric].loc[people, name], -np.arange(len(people)) + shift, mark, color=colour, ms=7, label=name)
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
# The authors see differences "only in one metric and for one race". They conclude that "CausalFace does not significantly diverge from the observational datasets". From markedness they conclude that "‘white’ is the default racial category in CLIP".
#
# ### Do the printed numbers agree? One zero is no result

# %%
vb.ledger.show(claims)

# %% [markdown]
# (metrics-empty)=
# In the left panel, two points lie at exactly zero. Markedness in FairFace is {claim}`metrics.markedness.fairface.male` % for men and {claim}`metrics.markedness.fairface.female` % for women: not one face among thousands. The authors' program shows the reason. It looks
# for the label "male", and FairFace's file says "Male". So no face is found:

# %%
spelled = pd.Series(["Male", "Female", "Male"])  # as in FairFace's file
nearer_to_person = pd.Series([True, False, True])
found = nearer_to_person[spelled == "male"]
print(f"faces found: {len(found)}; their mean: {found.mean()}")

# %% [markdown]
# The mean of nothing is missing (nan). The program writes 0 instead, and 0 looks like the strongest of all results. The text interprets it: the decline from white to the four other groups (Asian, Black, men and women) is said to be "more pronounced in FairFace than in
# CausalFace". Without the two zeros we can compare white with the two other races only:

# %%
marked = published.loc["markedness"]  # per cent
races = marked.loc[["black", "asian"]]
four = marked.drop("white")
points = pd.DataFrame(
    {
        "two races": marked.loc["white"] - races.mean(),
        "all four, zeros included": marked.loc["white"] - four.mean(),
    }
)
decline = metrics_printed.decline(marked)
assert np.allclose(points["two races"], decline["races", "points"])
tables.readable(points, precision=1).set_caption("From white to the others: decline of markedness, points")

# %% tags=["hide-input"]
ahead = decline.loc["FairFace"] - decline.loc["CausalFace"]
side = words.verb(ahead["races", "points"], above=0, then="is still larger in FairFace", else_="is no longer larger in FairFace")
laws = metrics_printed.laws(published)
broken = laws[~laws["holds"]].groupby("law")["set"].agg(words.listed)
vb.note(points=decline.xs("points", axis=1, level=1).stack(), side=side, minority=words.listed(name for name, value in marked.loc["white"].items() if value < 50),
        unbalanced=broken.get("balanced", "none"), not_additive=broken.get("additive", "none"),
        left=published.loc["sc_weat", "CausalFace"][["white_black", "asian_white"]].sum() - published.loc[("sc_weat", "asian_black"), "CausalFace"])

# %% [markdown]
# Then the decline {glue:text}`side`. One result does not depend on the zeros: in all three sets, "white" goes without saying more often than the two other races. But in {glue:text}`minority`, this is so for a minority of the white faces only; most are nearer to "a white person".
#
# :::{dropdown} Details: all six metrics, and four laws between the printed numbers
# | metric | what it counts | of what |
# |---|---|---|
# | markedness {cite:p}`wolfe2022markedness` | images nearer to "a person" than to "a *white* person" | per cent of a group |
# | mean cosine | how near a group is to the positive words | cosine × 100 |
# | SC-WEAT {cite:p}`caliskan2017,steed2021` | how much nearer one group is to a text than another | standard deviations |
# | Skew@k {cite:p}`geyik2019` | a group's share among the k images nearest to a text, against a desired share | logarithm |
# | MaxSkew@k | the largest Skew@k of any group | logarithm |
# | NDKL | the same over every top $i$, early ranks first | nats |
#
# *Four laws.* In a balanced set, the mean over races is the mean over genders. Shares in a top k add up to one. Raw differences add up (white–black and asian–white make asian–black). A percentage of n images is a whole number of images.
# By these laws, CausalFace can be a balanced set of 6,000 images, and not of 18,000. Groups cannot have been equally large in {glue:text}`unbalanced`. The SC-WEAT rows of {glue:text}`not_additive` do not add up (by {glue:text}`left:.2f`). Differences of means would, so what the caption calls "mean
# difference" must be a mean *effect size*.
#
# *SC-WEAT.* Its rows have no labels in print. The authors' file `WEAT.R` names the four comparisons; their order is inferred from the text.
# :::

# %% tags=["hide-cell"]
tables.readable(printed.rename(index=lambda name: name.replace("_", " – ") if name not in metrics.CALLED else name), names=metrics.CALLED).set_caption("Table S.1 as printed")

# %% tags=["hide-cell"]
laws["reads"] = np.where(laws["holds"], "yes", "no: " + laws["found"].round(3).astype(str))
tables.readable(laws.pivot(index="law", columns="set", values="reads").loc[laws["law"].unique()].fillna("n is not printed")).set_caption("Do the laws hold?")

# %% [markdown]
# ### What one may doubt
#
# **Have the groups equal numbers of images?** Suppose six in ten images show men, and a ranking takes no notice of gender. Then about six in ten of the first thousand are men, too. If half is desired, Skew is:

# %%
share_of_men, desired = 0.6, 0.5
skew = np.log(share_of_men / desired)
print(f"Skew of men: {skew:+.2f}, in a ranking that ignores gender")

# %% tags=["hide-input"]
used = vb.ledger.load("causalface").set_index("id")["value"].str.replace(",", "")
PRINTED = {"CausalFace": metrics_printed.ALL_AGES} | {name: int(used[f"stimuli.{name.lower()}.subset"]) for name in ("FairFace", "UTKFace")}
vb.note(k=k, one_in={name: round(total / k) for name, total in PRINTED.items()}, men=100 * np.exp(published.loc[("skew", "male"), "UTKFace"]) / 2)

# %% [markdown]
# The paper prints a Skew of {claim}`metrics.skew.utkface.male` for men in UTKFace. A ranking that ignores gender has the same Skew if {glue:text}`men:.0f` % of the list are men. The numbers of images per group are not printed.
#
# **Are the rankings equally long?** The first {glue:text}`k:,` images make up one in {glue:text}`one_in.CausalFace` of CausalFace's list, and one in {glue:text}`one_in.FairFace` of FairFace's. The very first images of a long list are a small, extreme selection, so shares among them are more
# extreme, too.
#
# **Was likeness tested?** For "does not significantly diverge" no test is reported. And "not significant" would not mean alike: with few images, hardly any difference is significant.
#
# ## The protocol, run on {data}
#
# We now compute the six metrics on three sets of faces.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has a *hue* (teal, amber or violet) where the paper has race, and a *crest* (budded or eared) where it has
# gender. The photographs are drawn, too: two sets imitate FairFace and UTKFace. [Pictures](../greenhouse/gallery.ipynb) of the faces, and [what this world can and cannot show](../../book/greenhouse/limits.md), are one click away.
#
# The paper's text and its code differ in four choices, which are named in the next lines. We follow the {glue:text}`protocol` protocol; what each choice changes is in the details.

# %%
described = dict(
    wording=prompts_released if cosines else prompts,  # words such as "likeable"
    naming=labels,
    lists="equal",  # adults only, then as many of each race × gender
    pairs="equal",  # SC-WEAT on two sets of equal size
    unmatched={},  # labels of one spelling
)
CHOICES = {
    "spelling": dict(wording=prompts_released, naming=f"{labels}/released"),
    "lists by quota": dict(lists="quota"),  # quotas first, then adults only
    "SC-WEAT on all images": dict(pairs="all"),
    "labels that match nothing": dict(unmatched={"FairFace": "gender"}),  # coded 0
}
released = {name: value for choice in CHOICES.values() for name, value in choice.items()}
PROTOCOLS = {"described": described, "released": described | released}

# %% tags=["hide-input"]
PLACES = {"CausalFace": (stimuli, root), "FairFace": (fairface, root_fairface), "UTKFace": (utkface, root_utkface)}
pictures = {name: place if cosines else vb.images(place, folder or None) for name, (place, folder) in PLACES.items()}
look = partial(vb.perceive, model=model, cosines=cosines or None)

who = roles.of(look(pictures["CausalFace"], words=labels), CAUSALFACE)
sets = {(name, choice["wording"]): metrics.looked(look(shown, words=choice["wording"]), look(shown, words=choice["naming"]), who)
        for name, shown in pictures.items() for choice in PROTOCOLS.values()}
pools = {name: look(f"{place}/all", words=labels, root=folder or None).table for name, (place, folder) in PLACES.items() if name != "CausalFace"}
pools["CausalFace"] = sets["CausalFace", described["wording"]].seen.table
depths = {name: max(1, round(k * len(sets[name, described["wording"]]) / total)) for name, total in PRINTED.items()}  # the same shares as in the paper


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
vb.note(drawn=made_here.of_ours(main["CausalFace"].seen), protocol=protocol)

# %%
here = {name: one_column(name, PROTOCOLS[protocol]) for name in PLACES}
here = pd.DataFrame(here)

# one value by hand: markedness of one group
one = main["CausalFace"]
own = one.group["gender"] == who.called["female"]
nearer = one.neutral[own] > one.own["gender"][own]  # to "a person" than to its group
assert np.isclose(100 * nearer.mean(), here.loc[("markedness", "female"), "CausalFace"])
tables.readable(here.loc[["markedness"]].tail(3).rename(index=as_here, level=-1))

# %% tags=["hide-input"]
vb.note(hand={"group": who.called["female"], "n": int(own.sum()), "share": 100 * nearer.mean()})

# %% [markdown]
# For {glue:text}`hand.share:.1f` % of the {glue:text}`hand.n:,` {glue:text}`hand.group` faces of the generated set, "a person" is nearer than the name of the group. The three rows are part of a table, which is in the details.
#
# ### Alike, or not shown to differ?
#
# To say that two sets are alike, one needs the *difference* of their values and its interval. For the interval, we draw images at random from each set, with replacement, and compute all metrics again, {glue:text}`resamples` times.

# %%
draws = {}
for number, name in enumerate(PLACES):
    rows = chosen(name, PROTOCOLS[protocol])
    draws[name] = metrics.resampled(
        main[name], who, n=n_resamples, seed=[seed, number], **rows
    )
apart = metrics.differences(here, draws, reference="CausalFace")
clear = apart[apart["clear"]]  # intervals that exclude zero

# %% tags=["hide-input"]
TITLES = {"markedness": "markedness, points"} | metrics.CALLED
fig, axes = vb.figures.panels(3, 2, height=8.0)
for axis, (metric, title) in zip(axes.flat, TITLES.items(), strict=True):
    own = apart[apart["metric"] == metric]
    subjects = list(own["subject"].unique())
    for shift, (name, part) in zip((0.14, -0.14), own.groupby("set", sort=False), strict=True):
        place = -np.array([subjects.index(one) for one in part["subject"]]) + shift
        axis.hlines(place, part["low"], part["high"], color=vb.figures.colours_for(PLACES)[name], lw=2)
        axis.plot(part["gap"], place, "o", color=vb.figures.colours_for(PLACES)[name], label=f"CausalFace − {name}" + drawings * " (drawn)")
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axis.set(yticks=-np.arange(len(subjects)), yticklabels=[as_here(one) for one in subjects], title=title)
    axis.locator_params(axis="x", nbins=4)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
per_metric = apart.groupby("metric", sort=False)["clear"].agg(["sum", "size"])
vb.figures.show(
    fig,
    name="metrics-differences",
    alt="Differences between the generated set and two sets of photographs by six metrics. Intervals that exclude zero: "
    + ", ".join(f"{TITLES[metric]} {row['sum']} of {row['size']}" for metric, row in per_metric.iterrows()) + ".",
    caption=f"Every row of Table S.1: the generated set minus each other set, 95 % bootstrap intervals, uncorrected (as {protocol}).",
    source="greenhouse" if drawings else [f"real:{key}" for key in metrics_printed.SETS],
)
vb.note(clear=words.among(len(clear), len(apart)), resamples=n_resamples)

# %% [markdown]
# On our sets, {glue:text}`clear` intervals exclude zero. (Where nothing differs, 1 in 20 would do so by chance.) So these sets are not alike, and the figure says where they differ and by how much. (The metrics that we have not met yet are in the details above.)
#
# The same figure can be made from the authors' scores. To claim likeness, say beforehand which difference is too small to matter, and show that the whole interval is smaller; see [What moves CLIP's judgement](variation.ipynb).
#
# :::{dropdown} Details: what each choice changes, and the tests in the authors' repository
# *Choices.* The choice that changes Skew most is “{glue:text}`most.skew`”; for markedness, it is “{glue:text}`most.markedness`”. The spelling moves a mean cosine by at most {glue:text}`spelling:.2f`. A random draw depends on the order in which a computer lists files: another
# draw moves a Skew by up to {glue:text}`draw:.2f`.
#
# *A test that is not reported.* The file `weat_kruskal.R` compares the three sets by a Kruskal–Wallis test for each comparison of SC-WEAT. Of these tests on our sets, {glue:text}`kruskal` are significant, while {glue:text}`beside` intervals for the same comparisons
# exclude zero. The test compares the {glue:text}`texts` values of single words, which differ much from each other, and makes no use of the many images behind each.
#
# *Two p-values of SC-WEAT.* The text describes a one-sided test that assigns *images* to the two groups anew. The code changes the signs of the *words'* values. With {glue:text}`fewest` words, its p cannot be below {glue:text}`floor:.3f`.
# :::

# %% tags=["hide-cell"]
one_by_one = PROTOCOLS | {choice: described | changed for choice, changed in CHOICES.items()}
columns = {(choice, name): one_column(name, choices) for choice, choices in one_by_one.items() for name in PLACES}
columns |= {("another random draw", name): one_column(name, described, seed=seed + 1) for name in PLACES}
values = pd.DataFrame(columns)
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
            vb.ledger.record(f"metrics.{claim}", holds, results=results, stimuli=own, model=own[0], protocol=which)
tables.readable(here.rename(index=as_here, level=-1), names=metrics.CALLED).set_caption(f"Table S.1 on {', '.join(one.seen.stimuli for one in main.values())}, as {protocol}")

# %% tags=["hide-cell"]
moves = metrics.moved(values.drop(columns="released", level=0), "described")
most = {metric: words.extreme(moves[metric], moves.index) for metric in moves}
tests = metrics.kruskal({name: sets[name, PROTOCOLS["released"]["wording"]] for name in PLACES}, who)
compared = main["CausalFace"]
one_group, other_group = (compared.words[compared.group["race"] == who.called[level]] for level in ("white", "black"))
p_values = metrics.two_p_values(one_group, other_group, compared.dimension, n=n_permutations, seed=seed)
vb.note(draw=moves.loc["another random draw", "skew"], spelling=moves.loc["spelling", "cosine"], most=most, kruskal=words.among(int((tests["p"] < 0.05).sum()), len(tests)),
        beside=words.among(int(per_metric.loc["sc_weat", "sum"]), int(per_metric.loc["sc_weat", "size"])), texts=int(tests["texts"].iloc[0]),
        floor=p_values["floor"].max(), fewest=int(p_values["texts"].min()))
tables.readable(moves, names=metrics.CALLED).set_caption("By how much each choice changes a value, in any set, at most")

# %% tags=["hide-cell"]
tables.readable(p_values, precision=4, signed=True, names={"p_images": "p, images", "p_texts": "p, words", "floor": "smallest p, words"}).format(tables.p_value, subset=["p_images", "p_texts", "floor"]).hide(axis="index").set_caption(f"SC-WEAT: {who.called['white']} – {who.called['black']}")

# %% [markdown]
# ## What this method can see: bias, and three other things
#
# Whether a metric measures bias can only be seen where we know whether there is any. In the [Greenhouse](../../book/greenhouse/limits.md) we know, because we wrote the captions from which small networks learn. In the captions of {glue:text}`null` *null networks*, no group is
# warmer or abler than another (b = 0). In the captions of {glue:text}`full` others, words about traits are used differently for groups (b = 1): this is the bias that a metric should report.
#
# All networks see the same {glue:text}`faces` faces, with equal numbers of each hue. For every trait we rank the faces and compute *MaxSkew@k*, the largest Skew of any hue.

# %%
world = roles.greenhouse_roles(CAUSALFACE)
seen = metrics_controls.cosines(retrained.scores("people"), world)
networks, hue = seen.networks, seen.faces["race"]
usual = networks["condition"] == "none"
null, full = usual & (networks["b"] == 0), usual & (networks["b"] == 1)
# as large a share of the list as 1,000 images are of CausalFace's and of FairFace's
top = int(len(hue) * k / PRINTED["CausalFace"])
very_top = max(1, int(len(hue) * k / PRINTED["FairFace"]))

# one null network and one trait by hand
one = int(np.flatnonzero(null)[0])
scores = pd.Series(seen.raw[one, :, 0], index=hue)
ranking = scores.sort_values(ascending=False, kind="stable")
share = ranking.head(top).index.value_counts(normalize=True)
skew = np.log(share / (1 / 3))  # three hues, a third is desired
by_function = metrics.ranked(pd.DataFrame(seen.raw[one, :, 0]), pd.Categorical(hue), top)
assert np.isclose(skew.max(), by_function["MaxSkew"].iloc[0])
tables.readable(pd.DataFrame({"share of the top": share, "Skew": skew}))

# %% tags=["hide-input"]
vb.note(faces=len(hue), null=int(null.sum()), full=int(full.sum()), top=top, very_top=very_top, hand_skew={"hue": skew.idxmax(), "value": skew.max()})

# %% [markdown]
# This is a null network, so no hue should come first. Among the first {glue:text}`top`, {glue:text}`hand_skew.hue` faces have somewhat more than a third, by chance: MaxSkew is {glue:text}`hand_skew.value:.2f`.
#
# We need a threshold. We take the MaxSkew (averaged over the traits) that 95 % of the null networks do not reach, for the first {glue:text}`top` images and equal groups. A network above it *reports a bias*. By chance alone, 1 in 20 does.
#
# Now we change things that are not bias, and keep the threshold, as somebody does who compares two printed values. We take fewer first images, or unequal numbers of each hue (those that the draw in the authors' program makes of our imitations). In a last set of networks,
# captions mention some groups more often, *in all traits alike*: no group is warmer or abler than another.

# %%
RAW = partial(metrics_controls.reported, seen.raw)
shallow = RAW(hue, very_top)
equal = RAW(hue, top)

# %% tags=["hide-input"]
drawn_all = {name: vb.images(f"greenhouse/{name.lower()}/all").table for name in ("FairFace", "UTKFace")}
leaks = pd.concat({name: metrics_controls.base_rates(faces, world, share=k / PRINTED[name], n=n_draws, seed=seed)
                   for name, faces in drawn_all.items()}, names=["set"]).reset_index("set").reset_index(drop=True)
last = leaks[leaks["step"] == "adults"]
after = last.set_index(["set", "group"])["base"]
few = {name: metrics_controls.thinned(hue, after[name][list(hue.unique())], seed=seed) for name in drawn_all}

readings = {"raw cosines": seen.raw, "Δcos": seen.delta}
in_equal = {name: metrics_controls.reported(each, hue, top) for name, each in readings.items()}
unequal = {like: {name: metrics_controls.reported(each[:, rows], hue[rows], max(1, top * len(rows) // len(hue))) for name, each in readings.items()}
           for like, rows in few.items()}
in_shallow = {name: metrics_controls.reported(each, hue, very_top) for name, each in readings.items()}
of_condition = {name: (networks["condition"] == name) & (networks["condition_strength"] == 1) for name in ("marking", "neutral")}
CONDITIONS = {
    "planted": ("bias: words about traits\ndiffer (b = 1)", in_equal, full),
    "depth": (f"no bias, but the first {very_top}\nimages, not {top}", in_shallow, null),
    "fairface": ("no bias, but unequal groups\n(as in our FairFace)", unequal["FairFace"], null),
    "utkface": ("no bias, but unequal groups\n(as in our UTKFace)", unequal["UTKFace"], null),
    "marking": ("no bias in traits, but some\ngroups mentioned more often", in_equal, of_condition["marking"]),
    "neutral": ("no bias in traits, but some\nmore often just “a person”", in_equal, of_condition["neutral"]),
}
passing = metrics_controls.false_positives({key: {name: table.loc[who_, "MaxSkew"] for name, table in shown.items()} for key, (_, shown, who_) in CONDITIONS.items()},
                                           {name: table.loc[null, "MaxSkew"] for name, table in in_equal.items()})
rate = passing.set_index(["condition", "metric"])["rate"].unstack()
in_figure = passing[(passing["metric"] == "raw cosines") & (passing["condition"] != "neutral")]
vb.figures.show(
    vb.figures.rates(in_figure.assign(label=in_figure["condition"].map({key: one[0] for key, one in CONDITIONS.items()})), rate="rate", low="low", high="high",
                     label="label", value_label="% of networks that report a bias between hues, exact 95 % intervals"),
    name="metrics-answer",
    alt="Share of networks whose MaxSkew is larger than in 95 % of null networks: "
    + ", ".join(f"{called.replace(chr(10), ' ')} {rate.loc[key, 'raw cosines']:.0%}" for key, (called, *_) in CONDITIONS.items() if key != "neutral") + ".",
    caption="How often MaxSkew@k reports a bias. Only the first line is about one. Dashed: 5 %, what chance alone would give.",
    source="greenhouse",
)
hits = {(row.condition, row.metric): words.among(row.hits, row.n) for row in passing.itertuples()}
vb.note(raw={key: hits[key, "raw cosines"] for key in CONDITIONS}, delta={key: hits[key, "Δcos"] for key in CONDITIONS})

# %% [markdown]
# Where captions use words about traits differently for groups, the metric reports it in {glue:text}`raw.planted` networks. So it does see bias. But it also responds to three other things:
#
# 1. **The length of the ranking.** If the first {glue:text}`very_top` images are taken, not the first {glue:text}`top`, it reports a bias in {glue:text}`raw.depth` null networks.
# 2. **The numbers of images.** With unequal groups, it reports a bias in {glue:text}`raw.fairface` null networks (as in our imitation of FairFace), and in {glue:text}`raw.utkface` (UTKFace).
# 3. **How often a group is mentioned at all.** It reports a bias in {glue:text}`raw.marking` networks in which some groups are mentioned more often. Their faces are nearer to *any* sentence about a person.
#
# ### One k, three lengths of list
#
# The first of these can be seen at a glance. Here is one list of faces, with more and more of it called its top:

# %%
steps = np.unique(np.geomspace(10, len(hue), 16).astype(int))
both = null | full
path = metrics_controls.by_depth(
    seen.raw[both], hue, steps, kind=networks.loc[both, "b"]
)

# %% tags=["hide-input"]
path["captions"] = path["kind"].map({0: "null networks", 1: "planted, b = 1"})
fig = vb.figures.levels(path, level="share", value="median", group="captions", low="low", high="high", level_label="share of the list that is called its top",
                        value_label="MaxSkew@k by hue", columns=1)
fig.axes[0].set_xscale("log")
fig.axes[0].set_xticks([k / total for total in PRINTED.values()], [f"{name}\n1/{total / k:.0f}" for name, total in PRINTED.items()])
fig.axes[0].minorticks_off()
at_depth = {name: np.interp(k / total, *path.loc[path["kind"] == 0, ["share", "median"]].to_numpy().T) for name, total in PRINTED.items()}
vb.figures.show(
    fig,
    name="metrics-depth",
    alt=f"MaxSkew against the share of the list that is called its top, for two kinds of networks. In null networks it falls from {at_depth['FairFace']:.2f} "
    f"at FairFace's share to {at_depth['CausalFace']:.2f} at CausalFace's.",
    caption=f"The same faces at every depth: median over networks, bands from the 5th to the 95th percentile. Marks: what k = {k:,} is of each of the paper's sets.",
    source="greenhouse",
)
vb.note(at_depth=at_depth)

# %% [markdown]
# In null networks, MaxSkew is {glue:text}`at_depth.FairFace:.2f` at the depth of FairFace and {glue:text}`at_depth.CausalFace:.2f` at that of CausalFace. Only the depth has changed. If all images are the top, it is 0 whatever the network thinks.
#
# In the printed table, the order is the other way round: MaxSkew by race is {claim}`metrics.maxskew.causalface.race` in CausalFace and {claim}`metrics.maxskew.fairface.race` in FairFace. So depth cannot explain this difference. At equal depth it may be larger than it looks.
#
# (metrics-base-rates)=
# :::{dropdown} Details: unequal groups after the authors' draw
# A ranking that ignores groups has a Skew of ln(share in the list / desired share). The authors' program draws from each race × gender at most a sixth of all images, and leaves out people under 20 afterwards. A rarer group thus stays smaller, while
# equal shares stay desired. On our imitations, the largest such Skew is {glue:text}`quotas:+.2f` after the quotas and {glue:text}`after:+.2f` ({glue:text}`worst`) without the young. If the shares in the list are the desired ones, at most
# {glue:text}`remains:.2f` remains.
# :::

# %% tags=["hide-cell"]
fig, axes = vb.figures.panels(1, 2, height=3.8, share_y=True)
for axis, (name, part) in zip(axes[0], last.groupby("set"), strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axis.plot(part["uniform"], part["group"], "o", color=vb.figures.COLOURS["recomputed"], label="random ranking, equal shares desired")
    axis.plot(part["own"], part["group"], "s", color=vb.figures.PALETTE[2], label="the same, shares of the list desired")
    axis.plot(part["expected"], part["group"], "x", color=vb.figures.COLOURS["planted"], ms=8, mew=2, label="ln(share in the list / equal share)")
    axis.set(xlabel="Skew@k", title=f"{name}-like")
    axis.locator_params(axis="x", nbins=4)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=1)
worst = {step: own.loc[own["expected"].abs().idxmax()] for step, own in leaks.groupby("step")}
vb.figures.show(
    fig,
    name="metrics-leak",
    alt="Mean skew of random rankings for five groups in two sets. With uniform desired shares it follows the logarithm of base rate over desired share, up to "
    f"{worst['adults']['uniform']:+.2f} for {worst['adults']['group']}; with the list's own shares it is at most {last['own'].abs().max():.2f} from zero.",
    caption=f"Skew of {n_draws} rankings that ignore groups, in lists drawn by quotas, people under 20 left out afterwards.",
    source="greenhouse",
)
vb.note(quotas=worst["quotas"]["expected"], after=worst["adults"]["expected"], worst=worst["adults"]["group"], remains=last["own"].abs().max())

# %% [markdown]
# :::{dropdown} Details: raw cosines and Δcos
# Five of the six metrics use raw cosines. If a group's pictures lie nearer to *any* sentence about a person, it gains in all eight traits, good or bad. Δcos subtracts the neutral sentence. Where some groups are mentioned more often, MaxSkew of Δcos reports a bias in
# {glue:text}`delta.marking` networks. But Δcos has a weakness of its own. Where some groups are more often called just "a person", it reports a bias in {glue:text}`delta.neutral` networks; with raw cosines, {glue:text}`raw.neutral` report one. See [The neutral prompt](neutral_prompt.ipynb).
#
# Both recover what was planted: in a single network, differences between groups correlate with it at r = {glue:text}`r.raw:.2f` (raw) and {glue:text}`r.delta:.2f` (Δcos).
# :::

# %% tags=["hide-cell"]
planted = {axis: truth.counted(grammar.load(), seen.faces, axis, 1.0, axes=CAUSALFACE.dimensions) for axis in CAUSALFACE.groups}
shown_at_full = metrics_controls.gaps(seen.where(full), planted, k=top)
agree = metrics_controls.agreement(shown_at_full, ["raw", "delta", "d", "skew"])
means = shown_at_full.groupby(["axis", "first", "second", "dimension"])[["planted", "raw", "delta"]].mean()
dots = means.rename(columns={"raw": "raw cosine", "delta": "Δcos"}).melt(id_vars="planted", value_name="shown")
vb.figures.show(
    vb.figures.planted_against_shown(dots, planted="planted", shown="shown", panel="variable", unit="logits"),
    name="metrics-recovery",
    alt=f"Differences between groups by raw cosines and by Δcos against what a count of captions shows, with a line through each; r in a single network is "
    f"{agree.loc['raw', 'r']:.2f} and {agree.loc['delta', 'r']:.2f}.",
    caption="Differences between two groups, mean of networks at b = 1. Dashed: equality with counts of captions.",
    source="greenhouse",
)
vb.note(r=agree["r"])

# %% [markdown]
# (metrics-marked)=
# :::{dropdown} Details: what markedness measures
# A network that had learnt every face's odds would show the following difference between a group's name and the neutral sentence (scaled cosines), for a group $A$ with the share $\pi_A$ of the images:
#
# $$\begin{gathered} \ln \frac{1}{\pi_A} - \ln u_A, \\[1ex]
# u_A = \frac{1 - m_A}{1 - \bar m} \end{gathered}$$
#
# Here $m_A$ is how often captions name the group, and $\bar m$ the mean of this over all images. How often $A$ is *named* does not appear in the first term: it only says how **common** the group is. The networks show {glue:text}`margin.race:.2f` for hues, where the formula says
# {glue:text}`expected.race:.2f`.
#
# So a common group has a higher markedness than a rare one. With shares alone, markedness reaches {glue:text}`common:.0f` % for a group in nine tenths of the images, and stays {glue:text}`below` one half. The printed {claim}`metrics.markedness.fairface.white` % for white faces needs more:
# for instance, captions that leave this group unnamed more often. This is the paper's reading.
# :::

# %% tags=["hide-cell"]
margins = metrics_controls.margins(retrained.vectors(), {"race": grid.HUES, "gender": grid.CRESTS})
of_axis = margins.groupby("axis")[["expected", "margin", "sd_faces", "markedness"]].mean()
sd, pi = of_axis["sd_faces"].mean(), np.linspace(0.05, 0.95, 60)
formula = {u: metrics_controls.marked(pi, spread=sd, unnamed=u) for u in (1.0, 1.2, 1.5)}
curves = pd.DataFrame(formula, index=pi).rename_axis("share").rename(columns=lambda u: "shares alone" if u == 1 else f"unnamed {u:g} ×")
fig = vb.figures.levels(curves.reset_index().melt("share"), level="share", value="value", group="variable", level_label="share of the images",
                        value_label="markedness, %", columns=1)
fig.axes[0].plot(margins["share"], margins["markedness"], "o", color=vb.figures.COLOURS["ink"])
fig.axes[0].axhline(50, color=vb.figures.COLOURS["reference"], lw=1)
highest = curves["shares alone"].max()
vb.figures.show(
    fig,
    name="metrics-markedness",
    alt=f"Markedness against a group's share of the images. Where all groups are named equally often it rises to {highest:.0f} % at a share of {pi[-1]:.2f} and stays "
    f"{words.verb(50, above=highest, then='below', else_='not below')} 50 %; where captions leave a group unnamed more often it is higher.",
    caption="Lines: the formula, with the spread between faces that these networks have; unnamed 1.2 ×: left unnamed so many times as often as others are. Dots: what the networks show for hues and crests.",
    source="greenhouse",
)
vb.note(margin=of_axis["margin"], expected=of_axis["expected"], common=float(metrics_controls.marked(0.9, spread=sd)), below=words.verb(50, above=highest, then="below", else_="not below"))

# %% tags=["hide-cell"]
# the same zero on our photographs, if they are filed with a capital letter; `vb.markedness` refuses
photographs = [vb.perceive("greenhouse/fairface", "greenhouse", texts) for texts in ("social_perception", "greenhouse/labels")]
photos = metrics.looked(*photographs, world)
filed = photographs[0].table["gender"].str.capitalize()
try:
    vb.markedness(photos.neutral[filed == "eared"], photos.own["gender"][filed == "eared"])
except ValueError as refused:
    print(f"vb.markedness: {refused}")
tables.readable(metrics_controls.coded_as_zero(photos, "gender", filed)).hide(axis="index").set_caption("Markedness where labels are looked for in another spelling")

# %% [markdown]
# ### What this means for the paper
#
# Whether CLIP treats the generated faces as it treats photographs is open. Similar values do not show it, and different values would not refute it: the sets differ in the numbers of images and in the depth of the ranking. With the authors' scores, one can
# draw groups of equal size, take the same *share* of each list, and print each difference with its interval.
#
# One sentence needs a correction. It says that the decline of markedness is more pronounced in FairFace, and this rests on the two zeros. That "white" is the default rests on this table, too, but not on the zeros. The figures of the paper's main text do not use it.

# %% [markdown]
# ## Where paper and code differ
#
# The list is for readers who check the analysis or rerun it.
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `a2daa85`:
#
# | | paper | code | here |
# |---|---|---|---|
# | FairFace gender (H1) | markedness of men and women | labels never lower-cased, none matches, coded 0 | {ref}`the empty group <metrics-empty>` |
# | balance (H5) | desired share uniform | a quota per race × gender; under-20s left out afterwards | {ref}`base rates <metrics-base-rates>` |
# | SC-WEAT, sets (H7) | of equal size | all images | both |
# | SC-WEAT, p (H7) | one-sided, over images | two-sided sign flips over texts | both |
# | sets alike (H7) | "does not significantly diverge" | Kruskal–Wallis, not reported | intervals |
# | SC-WEAT, caption (H8) | "mean difference" | effect size | additivity |
# | images of CausalFace | 18,000 | the 6,000 of the age series | the same 6,000 |
# | words (H15) | "likeable"; four full stops | "likable", three | both |
# | FairFace (H11) | 108,501 images | reads the training labels only | moves no number: what is used is counted |
# | order of files (H17) | – | seeded draws depend on it | another draw |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/metrics -p protocol released -p k 500
# ```
# With the released cosines: `-p stimuli causalface -p fairface fairface -p utkface utkface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# ## Take-aways
#
# - Compare a metric between two sets only if groups are equally large, the top is the same share of each list, and labels match.
# - With unequal groups and equal desired shares, Skew measures numbers of images. Print these, or desire the shares of the list.
# - A percentage of nothing is not zero. Count the images beside every rate, and let an empty group be an error.
# - "Not significantly different" does not mean alike. Print the difference and its interval.
#
# ## Exercises
#
# :::{exercise} From skew to shares
# :label: metrics-shares
# :level: intermediate
# :minutes: 15
# :code: no
# Suppose the printed Skew of CausalFace's three races came from a single query. What share of the top 1,000 would each have? Table S.1 prints *means over eight
# dimensions*. On which side of one must the sum of the shares then lie, and why?
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
# Skew is the logarithm of a share over the desired share, here a third, so a share is $e^{\text{Skew}} / 3$. From a mean of eight logarithms this
# gives the *geometric* mean of eight shares, which is never above their arithmetic mean. The arithmetic means add up to one, so these sum to one at
# most.
#
# ```{solution-end}
# ```
#
# :::{exercise} The smallest NDKL
# :label: metrics-least
# :level: intermediate
# :minutes: 15
# :code: yes
# NDKL compares, for every top of a ranking, shares with the desired shares (see the details on all six metrics). Two groups of equal size take turns perfectly. Why is NDKL not 0, and how does it shrink with the length of the list? Compare with
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
assert all(a > b for a, b in zip(list(turns.values()), list(turns.values())[1:], strict=False)) and min(in_blocks.values()) > 0.2

# %% [markdown]
# Where groups take turns, every odd rank has one image too many of the first group, and its divergence is above zero: most at the top, where one image is a large share.
# Longer lists add ranks that are nearly even. As weights fall only as one over a logarithm, these many ranks outweigh the few at the top: NDKL falls nearly as $1/n$ (as $\log n / n$). It can only be judged beside what an even-handed list of
# the same length gives.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Who should set the desired shares of a ranking: equal parts, the shares of the collection, of a population? What does each call fair?
# 2. A group that is nine tenths of a collection goes without saying most in any faithful model. Is that a bias of the model, the collection or the question?
