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
# **Answer in short.** Not by itself. A metric can also move with things that are not bias. We tested one of the six: *MaxSkew* moves with the number of images of each group, and with how much of a ranking is called its top. Make these equal before you compare two sets, and print the difference with its interval.
#
# **In 20 minutes:** {ref}`What the paper reports <metrics-found>`, {ref}`Do the printed numbers agree? One zero is no result <metrics-agree>`,
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
from studies.causalface import metrics, metrics_controls, metrics_printed, metrics_words
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (metrics-found)=
# ## What the paper reports: six metrics, three sets, similar values
#
# The faces of {cite:t}`hausladen2025` are computer-generated; the set is called CausalFace. They are shown to CLIP, a model that scores how well an image fits a text. Would photographs give the same results? The authors compute six common metrics on their faces and on two collections of photographs,
# FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`.
#
# Two of the metrics are enough to follow this page. Both ask which images are *nearer* to a text, that is, which fit it better by CLIP's cosine (not by the score Δcos, from which the fit of a neutral sentence is subtracted):
#
# - *Markedness* {cite:p}`wolfe2022markedness` asks whether a group goes without saying. It is the share of white faces, say, that are nearer to "a photo of a person" than to "a photo of a *white* person". A *high* value means that the group goes without saying: it is unmarked.
# - *Skew@k* {cite:p}`geyik2019` asks who comes first. All faces are ranked by how near they are to a text about a trait, such as "this is a friendly person". The first k faces are the *top*. Skew is the natural logarithm of a group's share of the top, divided by a desired share.
#   Here, equal shares are desired. Skew is 0 if the group has exactly that, and above 0 if it has more. The paper takes k = {glue:text}`k:,`; its program takes the mean over eight traits (warmth, competence and six others).
#
# In the figure, a row is a group, and a mark is its printed value in one set. How near are the three marks of a row?

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
# The authors conclude that "CausalFace does not significantly diverge from the observational datasets", that is, from the photographs. They see CausalFace behave differently "only in one metric and for one race". They do not say which; we take it to be the Skew of white faces. It is {claim}`metrics.skew.causalface.white` in CausalFace and near zero in the photographs. From markedness they conclude that "‘white’ is the default racial category in CLIP".
#
# (metrics-agree)=
# ### Do the printed numbers agree? One zero is no result

# %%
vb.ledger.show(claims)

# %% [markdown]
# (metrics-empty)=
# Two marks in the left panel are no results. Markedness in FairFace is {claim}`metrics.markedness.fairface.male` % for men and {claim}`metrics.markedness.fairface.female` % for women: not one face among thousands. The authors' program shows the reason. It looks
# for the label "male", and FairFace's file says "Male". So it finds no face. Here is the same with three faces:

# %%
spelled = pd.Series(["Male", "Female", "Male"])  # as in FairFace's file
nearer_to_person = pd.Series([True, False, True])
found = nearer_to_person[spelled == "male"]
print(f"faces found: {len(found)}; their mean: {found.mean()}")

# %% [markdown]
# No faces have no mean, so the computer returns nan ("not a number"). The authors' program then replaces nan by 0. But 0 looks like the strongest of all results.
#
# The error concerns markedness only: the mean cosines and Skews of these two groups are not zero. Their true markedness is not known to us.

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
decline = metrics_printed.decline(marked)
two_races = decline.loc[points.index, ("races", "points")]
assert np.allclose(points["to the two other races"], two_races)
tables.readable(points, precision=1).set_caption("Decline: markedness of white faces minus the mean of other groups, points")

# %% tags=["hide-input"]
side = metrics_words.larger(decline["races", "points"], "FairFace", "CausalFace")
assert (marked.loc["white"] < 50).to_dict() == {"CausalFace": False, "FairFace": False, "UTKFace": True}
assert (published.loc[["cosine", "skew"], "FairFace"].loc[:, ["male", "female"]] != 0).all()  # only markedness has the zeros
laws = metrics_printed.laws(published)
broken = laws[~laws["holds"]].groupby("law")["set"].agg(words.listed)
vb.note(side=side, k=k,
        unbalanced=broken.get("balanced", "none"), not_additive=broken.get("additive", "none"),
        left=published.loc["sc_weat", "CausalFace"][["white_black", "asian_white"]].sum() - published.loc[("sc_weat", "asian_black"), "CausalFace"])

# %% [markdown]
# One comparison in the paper rests on the zeros. Markedness declines from white faces to four other groups: Black and Asian faces, men and women. The paper says that "this decline is more pronounced in FairFace than in CausalFace". Without men and women, the decline {glue:text}`side`
# (see the folded table above). Two more sentences rest on the zeros in part: that all four groups are marked, and that markedness declines for all four in FairFace, too.
#
# Another result does not depend on the zeros. In all three sets, markedness is higher for white faces than for Asian and Black faces. But in UTKFace, it is only {claim}`metrics.markedness.utkface.white` %. There, most white faces are nearer to "a photo of a *white* person".
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
# *SC-WEAT.* In the text that we read, its rows have lost their labels. The authors' file `WEAT.R` names the four comparisons; their order is inferred from the text.
# :::

# %% tags=["hide-cell"]
tables.readable(printed.rename(index=lambda name: name.replace("_", " – ") if name not in metrics.CALLED else name), names=metrics.CALLED).set_caption("Table S.1 as printed")

# %% tags=["hide-cell"]
laws["reads"] = np.where(laws["holds"], "yes", "no: " + laws["found"].round(3).astype(str))
tables.readable(laws.pivot(index="law", columns="set", values="reads").loc[laws["law"].unique()].fillna("n is not printed")).set_caption("Do the laws hold?")

# %% [markdown]
# (metrics-doubt)=
# ### What one may doubt
#
# **Have the groups equal numbers of images?** The authors' program takes from each race and gender at most a sixth of all images. Only then does it leave out people under 20. So groups of photographs can stay unequal; their numbers are not printed. Suppose six in ten images show men, and a ranking takes no notice of gender. Then about six in ten of the top are men, too. If half is desired, Skew is:

# %%
share_of_men, desired = 0.6, 0.5
skew = np.log(share_of_men / desired)
print(f"Skew of men: {skew:+.2f}, in a ranking that ignores gender")

# %% tags=["hide-input"]
used = vb.ledger.load("causalface").set_index("id")["value"].str.replace(",", "")
PRINTED = {"CausalFace": metrics_printed.ALL_AGES} | {name: int(used[f"stimuli.{name.lower()}.subset"]) for name in ("FairFace", "UTKFace")}
vb.note(one_in={name: round(total / k) for name, total in PRINTED.items()})

# %% [markdown]
# So Skew is above 0 without any bias.
#
# **Is the top the same share of each list?** The first {glue:text}`k:,` images are a much smaller share of FairFace than of CausalFace:

# %% tags=["hide-input"]
lists = pd.DataFrame({"images used": pd.Series(PRINTED).map("{:,}".format), f"the first {k:,} are one in": {name: f"{total / k:.0f}" for name, total in PRINTED.items()}})
tables.readable(lists).set_caption("How long a list is, if all images that the paper uses are ranked")

# %% [markdown]
# The very first images of a long list are an extreme selection. So shares among them can be more extreme, too.
#
# **Was likeness tested?** For "does not significantly diverge" no test is reported. And "not significant" would not mean alike: with few images, hardly any difference is significant.
#
# ## The protocol, run on {data}
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has a *hue* (teal, amber or violet) where the paper has race, and a *crest* (budded or eared) where it has
# gender. The photographs are drawn, too: two sets imitate FairFace and UTKFace. [Pictures](../greenhouse/gallery.ipynb) of the faces, and [what this world can and cannot show](../../book/greenhouse/limits.md), are one click away.
#
# Here we show Skew; the other metrics are in the details below. We follow the paper's {glue:text}`protocol`. We rank {glue:text}`ranked`. The top is the same share of each list as in the table above.

# %% tags=["hide-input"]
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
SHOWN_AS = {name: name + drawings * " (drawn)" for name in PLACES}
vb.note(drawn=made_here.of_ours(main["CausalFace"].seen), protocol={"described": "text", "released": "code"}[protocol],
        ranked={"described": "equally many faces of each group", "released": "the faces that the authors' program picks"}[protocol])

# %% [markdown]
# ### Alike, or not shown to differ?
#
# To say that two sets are alike, one needs the *difference* of their values and its interval. We choose images at random from each set, with replacement, and compute all values again, {glue:text}`resamples` times. The interval holds the middle 95 % of the differences.
#
# An interval that excludes zero shows that the values differ. A wide interval that includes zero shows nothing. Only an interval that is narrow *and* near zero shows that the values are alike.

# %%
here = {name: one_column(name, PROTOCOLS[protocol]) for name in PLACES}
here = pd.DataFrame(here)
# %%
draws = {}
for number, name in enumerate(PLACES):
    rows = chosen(name, PROTOCOLS[protocol])
    draws[name] = metrics.resampled(
        main[name], who, n=n_resamples, seed=[seed, number], **rows
    )
apart = metrics.differences(here, draws, reference="CausalFace")
skew = apart[apart["metric"] == "skew"]
clear = skew[skew["clear"]]  # intervals that exclude zero

# one interval by hand: the first group, CausalFace minus FairFace
first = skew.iloc[0]
by_hand = draws["CausalFace"]["skew", "white"] - draws["FairFace"]["skew", "white"]
assert (first["subject"], first["set"]) == ("white", "FairFace")
assert np.allclose(np.percentile(by_hand, [2.5, 97.5]), first[["low", "high"]].tolist())

# %% [markdown]
# In the figure, a row is a group, and a colour is the set that CausalFace is compared with:

# %% tags=["hide-input"]
def differ(axis, own):
    """Differences and their intervals, one line per subject and set."""
    subjects = list(own["subject"].unique())
    for shift, (name, part) in zip((0.14, -0.14), own.groupby("set", sort=False), strict=True):
        place = -np.array([subjects.index(one) for one in part["subject"]]) + shift
        axis.hlines(place, part["low"], part["high"], color=vb.figures.colours_for(PLACES)[name], lw=2)
        axis.plot(part["gap"], place, "o", color=vb.figures.colours_for(PLACES)[name], label=f"CausalFace − {SHOWN_AS[name]}")
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1)
    axis.set(yticks=-np.arange(len(subjects)), yticklabels=[as_here(one) for one in subjects])
    axis.locator_params(axis="x", nbins=4)


SOURCE = "greenhouse" if drawings else [f"real:{key}" for key in metrics_printed.SETS]
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
vb.note(clear=words.among(len(clear), len(skew)), resamples=n_resamples, not_shown=metrics_words.not_shown(len(skew) - len(clear), len(skew)),
        **metrics_words.widest(skew[~skew["clear"]].replace({"subject": dict(who.called)})))

# %% [markdown]
# On our sets, {glue:text}`clear` intervals exclude zero. [{glue:text}`not_shown` that values are alike.]{.if-run}
#
# [For {glue:text}`widest` faces, one interval goes from {glue:text}`low:.2f` to {glue:text}`high:.2f`. At its far end, the group's share of the top would be {glue:text}`times:.1f` times as large in one set as in the other.]{.if-run}
#
# But different *values* do not show that the network treats two sets differently. Here, the top is a different share of each list. The next section asks whether this alone can move a metric.
#
# To claim likeness, say beforehand which difference is too small to matter. Then show that the whole interval is smaller (as in [What moves CLIP's judgement](variation.ipynb)).
#
# :::{dropdown} Details: what each choice changes, and the tests in the authors' repository
# *Six metrics.* Of all metrics together, {glue:text}`clear_all` intervals exclude zero; where nothing differs, about 1 in 20 would.
#
# *Choices.* The choice that changes Skew most is “{glue:text}`most.skew`”; for markedness, it is “{glue:text}`most.markedness`”. The spelling moves a mean cosine by at most {glue:text}`spelling:.2f`. A random draw depends on the order in which a computer lists files: another
# draw moves a Skew by up to {glue:text}`draw:.2f`.
#
# *A test that is not reported.* The file `weat_kruskal.R` compares the three sets by a Kruskal–Wallis test for each comparison of SC-WEAT. Of these tests on our sets, {glue:text}`kruskal` are significant, while {glue:text}`beside` intervals for the same comparisons
# exclude zero. The test compares the {glue:text}`texts` values of single words, which differ much from each other, and makes no use of the many images behind each.
#
# *Two p-values of SC-WEAT.* The text describes a one-sided test that assigns *images* to the two groups anew. The code changes the signs of the *words'* values. With {glue:text}`fewest` words, its p cannot be below {glue:text}`floor:.3f`. The paper prints no p-value of SC-WEAT, so no printed result depends on this.
# :::

# %% tags=["hide-cell"]
TITLES = {"markedness": "markedness, points"} | metrics.CALLED
per_metric = apart.groupby("metric", sort=False)["clear"].agg(["sum", "size"])
fig, axes = vb.figures.panels(3, 2, height=8.0)
for axis, (metric, title) in zip(axes.flat, TITLES.items(), strict=True):
    differ(axis, apart[apart["metric"] == metric])
    axis.set_title(title)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="metrics-differences-all",
    alt="Differences between the generated set and two sets of photographs by six metrics. Intervals that exclude zero: "
    + ", ".join(f"{TITLES[metric]} {row['sum']} of {row['size']}" for metric, row in per_metric.iterrows()) + ".",
    caption=f"Every row of Table S.1: the generated set minus each other set, 95 % bootstrap intervals, uncorrected (as {protocol}).",
    source=SOURCE,
)
vb.note(clear_all=words.among(int(apart["clear"].sum()), len(apart)))

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
# (metrics-see)=
# ## What this method can see: bias, and two other things
#
# Whether a metric measures bias can only be seen where we know the bias. In the [Greenhouse](../../book/greenhouse/limits.md) we know it: we wrote the captions from which small networks learn.
#
# - {glue:text}`null` *null networks* learnt from captions in which no group is warmer or abler than another.
# - {glue:text}`full` *biased networks* learnt from captions in which words about traits go more often with some groups. This is the bias that a metric should report.
#
# All rank the same {glue:text}`faces` faces, with equal numbers of each hue. *MaxSkew@k* is the largest Skew of any hue. Here is the ranking of one null network, for one trait:

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
trait = pd.DataFrame(seen.raw[one, :, 0])
by_function = metrics.ranked(trait, pd.Categorical(hue), top)
assert np.isclose(skew.max(), by_function["MaxSkew"].iloc[0])
tables.readable(pd.DataFrame({"share of the top": share, "Skew": skew}))

# %% tags=["hide-input"]
vb.note(faces=len(hue), null=int(null.sum()), full=int(full.sum()), top=top, very_top=very_top, hand_skew={"hue": skew.idxmax(), "value": skew.max()})

# %% [markdown]
# In a null network, no hue should come first. By chance, {glue:text}`hand_skew.hue` faces have somewhat more than a third of the first {glue:text}`top`. So MaxSkew is not 0 but {glue:text}`hand_skew.value:.2f`.
#
# How large a MaxSkew is a sign of bias? We take the mean over the eight traits, as the authors' program does. Our *limit* is the value that only one in twenty null networks exceeds, with equal hues and the first {glue:text}`top` as the top. This is one face in {glue:text}`one_in.CausalFace`, as in CausalFace.
#
# Then we keep the limit and change one thing at a time that is not bias:
#
# - *A smaller top:* the first {glue:text}`very_top` faces. This is one in {glue:text}`one_in.FairFace`, as in FairFace.
# - *Unequal groups:* we leave out faces at random until hues are as unequal as in the lists that the authors' program makes of our two sets of photographs. The commonest hue is then {glue:text}`commonest.FairFace:.0f` % of the list (our FairFace) or {glue:text}`commonest.UTKFace:.0f` % (our UTKFace). The top is one in {glue:text}`one_in.CausalFace` again.
#
# If MaxSkew measured bias alone, about one in twenty null networks would exceed the limit each time. In the figure, one point is one network:

# %% tags=["hide-input"]
drawn_all = {name: vb.images(f"greenhouse/{name.lower()}/all").table for name in ("FairFace", "UTKFace")}
leaks = pd.concat({name: metrics_controls.base_rates(faces, world, share=k / PRINTED[name], n=n_draws, seed=seed)
                   for name, faces in drawn_all.items()}, names=["set"]).reset_index("set").reset_index(drop=True)
last = leaks[leaks["step"] == "adults"]
after = last.set_index(["set", "group"])["base"]
few = {name: metrics_controls.thinned(hue, after[name][list(hue.unique())], seed=seed) for name in drawn_all}
vb.note(commonest={name: 100 * hue[rows].value_counts(normalize=True).max() for name, rows in few.items()})

# %%
everybody = np.arange(len(hue))
like_fairface, like_utkface = few["FairFace"], few["UTKFace"]
CONDITIONS = {  # which faces are ranked, and how many of them are the top
    "equal": (everybody, top),
    "smaller top": (everybody, very_top),
    "like FairFace": (like_fairface, top * len(like_fairface) // len(hue)),
    "like UTKFace": (like_utkface, top * len(like_utkface) // len(hue)),
}


def max_skews(values):
    """One row per network: MaxSkew, mean over the traits."""
    columns = {
        name: metrics_controls.reported(values[:, rows], hue[rows], size)["MaxSkew"]
        for name, (rows, size) in CONDITIONS.items()
    }
    return pd.DataFrame(columns)


found = max_skews(seen.raw)
limit = found.loc[null, "equal"].quantile(0.95)
above = found > limit

# %% tags=["hide-input"]
ROWS = {
    f"biased networks\n(equal groups, first {top})": ("equal", full),
    f"null networks\n(equal groups, first {top})": ("equal", null),
    f"null networks, smaller top\n(first {very_top})": ("smaller top", null),
    "null networks, unequal\n(as in our FairFace)": ("like FairFace", null),
    "null networks, unequal\n(as in our UTKFace)": ("like UTKFace", null),
}
fig, axes = vb.figures.panels(1, 1, height=3.6)
spread = np.random.default_rng(seed)
for place, (condition, of) in enumerate(ROWS.values()):
    values = found.loc[of, condition]
    axes[0, 0].plot(values, -place + spread.uniform(-0.2, 0.2, len(values)), "o", ms=4, alpha=0.7, color=vb.figures.COLOURS["recomputed" if place else "planted"])
axes[0, 0].axvline(limit, color=vb.figures.COLOURS["reference"], ls="--", lw=1)
axes[0, 0].set(yticks=-np.arange(len(ROWS)), yticklabels=list(ROWS), xlabel="MaxSkew@k by hue, mean over eight traits")
vb.figures.show(
    fig,
    name="metrics-answer",
    alt="MaxSkew of single networks in five rows. Above the limit: " + ", ".join(f"{above.loc[of, condition].mean():.0%}" for condition, of in ROWS.values()) + ".",
    caption="Dashed: the limit. Only in the first row is there a bias.",
    source="greenhouse",
)
hits = {name: words.among(int(above.loc[null, name].sum()), int(null.sum())) for name in ("smaller top", "like FairFace", "like UTKFace")}
vb.note(raw=dict(zip(("depth", "fairface", "utkface"), hits.values(), strict=True)) | {"planted": words.among(int(above.loc[full, "equal"].sum()), int(full.sum()))},
        median=found[null].median().rename({"smaller top": "small"})[["equal", "small"]])

# %% [markdown]
# MaxSkew does see bias: {glue:text}`raw.planted` biased networks are above the limit. But it also moves with two other things:
#
# 1. **How much of the list is called the top.** With the smaller top, {glue:text}`raw.depth` null networks are above the limit. The median MaxSkew goes from {glue:text}`median.equal:.2f` to {glue:text}`median.small:.2f`.
# 2. **The numbers of images.** With groups as in our FairFace, {glue:text}`raw.fairface` null networks are above the limit; with groups as in our UTKFace, {glue:text}`raw.utkface`.
#
# We tested only MaxSkew in this way, and only in our networks. CLIP's values may move in the same way. Of the other metrics, only Skew depends on which part of a list is called its top.
#
# Does this explain the printed values? MaxSkew by race is {claim}`metrics.maxskew.causalface.race` in CausalFace and {claim}`metrics.maxskew.fairface.race` in FairFace. FairFace has the smaller top. In our networks, a smaller top raises MaxSkew. So, by this alone, FairFace's value should be the larger one, but it is the smaller one. If tops were equal, the two sets
# may differ more than the table shows.
#
# :::{dropdown} Details: one list, and more and more of it called its top
# Here is MaxSkew of the same faces, against the share of the list that is called the top. In the median null network, it is {glue:text}`at_depth.FairFace:.2f` at the share of FairFace and {glue:text}`at_depth.CausalFace:.2f` at that of CausalFace. If all images are the top, it is 0 whatever the network thinks.
# :::

# %% tags=["hide-cell"]
steps = np.unique(np.geomspace(10, len(hue), 16).astype(int))
both = null | full
path = metrics_controls.by_depth(
    seen.raw[both], hue, steps, kind=networks.loc[both, "b"]
)

# %% tags=["hide-cell"]
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
# Five of the six metrics use raw cosines. If a group's pictures lie nearer to *any* sentence about a person, it gains in all eight traits, good or bad. We trained {glue:text}`marking` further networks on captions that mention some groups more often, *in all traits alike*. There, MaxSkew of raw cosines is above the limit in {glue:text}`raw_marking` networks.
# Whether this is a bias is a question of definition; a bias in single traits it is not.
#
# Δcos subtracts the neutral sentence. Then {glue:text}`delta_marking` of these networks are above the limit. But Δcos has a weakness of its own. Where captions more often call some groups just "a person", {glue:text}`delta_neutral` networks are above the limit with Δcos, and {glue:text}`raw_neutral` with raw cosines. See [The neutral prompt](neutral_prompt.ipynb).
#
# Both recover what was planted: in a single network, differences between groups correlate with it at r = {glue:text}`r.raw:.2f` (raw) and {glue:text}`r.delta:.2f` (Δcos).
# :::

# %% tags=["hide-cell"]
delta = max_skews(seen.delta)["equal"]
delta_above = delta > delta[null].quantile(0.95)
for name in ("marking", "neutral"):
    of = (networks["condition"] == name) & (networks["condition_strength"] == 1)
    vb.note(**{f"{kind}_{name}": words.among(int(one[of].sum()), int(of.sum())) for kind, one in {"raw": above["equal"], "delta": delta_above}.items()}, **{name: int(of.sum())})
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
# Whether CLIP treats the generated faces as it treats photographs is open. Similar values of MaxSkew do not show it, and different values would not refute it, while the sets differ in other things. With the authors' scores, one can
# choose groups of equal size, take the same *share* of each list, and print each difference with its interval.
#
# One comparison needs a correction: that the decline of markedness is "more pronounced in FairFace". The conclusion that "white" is the default does not rest on the zeros. No figure of the paper's main text uses Table S.1.

# %% [markdown]
# ## Where paper and code differ
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
# (metrics-take)=
# ## Take-aways
#
# - Compare a metric of a ranking between two sets only if groups are equally large and the top is the same share of each list.
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
