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
# # Who is just "a person"?
#
# *Hausladen, Knott, Camerer and Perona (2025), Appendix E: why every judgement is measured as a difference from a neutral sentence.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Some faces are nearer to "a photo of a person" than others. The authors subtract this nearness from every judgement. When
# does that remove a bias, and when does it make one?
#
# **Answer in short.** It removes a bias that all sentences share. It makes one where only the neutral sentence is biased. The scores of a single
# model do not safely tell which is the case. So report judgements with and without the subtraction.
#
# **In 20 minutes:** what the paper reports, {ref}`the fifteen tests <neutral_prompt-tests>`,
# {ref}`one subtraction, two results <neutral_prompt-arms>`, take-aways. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a paired t-test, a correlation, a slope. The primer
# "[Cosines, neutral prompts and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper studies race and gender as a model sees them. The drawn faces on this page belong to invented
# groups; they stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # faces with columns seed, race, gender, subset; an image set
root = ""  # folder of its images, where a set has one; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at it; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
labels = "greenhouse/labels"  # the groups' own labels; a prompt set
protocol = "described"  # whose templates give the headline: the paper's or the authors' code; one of: described, released
n_resamples = 500  # bootstrap resamples of the identities; at least 2
seed = 42  # seed of every random draw; at least 0
results = "_build/results/causalface/neutral_prompt.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import neutral_prompt as study
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# ## What the paper reports: some faces are nearer to "a person"
#
# CLIP gives a score (a cosine) for how well a face fits a sentence. {cite:t}`hausladen2025` notice that scores also differ for a sentence that says nothing
# in particular, the *neutral prompt*: "a photo of a person". They therefore take this score as the zero. The judgement of a face $i$ on a *trait* $D$,
# such as warmth, is
#
# $$\Delta\cos(i, D) = \underbrace{W_D(i)}_{\text{"a photo of a warm person"}} - \underbrace{N(i)}_{\text{"a photo of a person"}}.$$
#
# The faces are made by a computer. So one invented person can be shown six times, in three races and two genders. The authors
# compare the neutral scores of these six groups, with {claim}`neutral_prompt.n` faces in each. Two groups stand apart: Asian women have
# {claim}`neutral_prompt.asian-women` scores than all other groups, Black men {claim}`neutral_prompt.black-men` ones (p {claim}`neutral_prompt.s13-p`).

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/neutral_prompt")
printed = claims.set_index("claim")["printed"]
PLACE = {"significantly higher": 1, "significantly lower": -1}
said = {"Asian women": PLACE[printed["neutral_prompt.s13-asian-women"]], "Black men": PLACE[printed["neutral_prompt.s13-black-men"]]}
fig, ((axis,),) = vb.figures.panels(height=1.6)
axis.axvspan(-0.4, 0.4, color="0.9")
axis.text(0, 0, "the four other groups:\nwhich is where is not said", ha="center", va="center", color="0.35")
for group, place in said.items():
    axis.plot(place, 0, "o", color=vb.figures.PALETTE[1], ms=11)
    axis.text(place, 0.35, group, ha="center", va="bottom")
axis.set(xlim=(-1.5, 1.5), ylim=(-1, 1), yticks=[], xticks=[-1, 0, 1], xticklabels=["further from\n“a person”", "", "nearer to\n“a person”"])
vb.figures.show(
    fig,
    name="neutral_prompt-sketch",
    alt="A sketch of what the caption says: Asian women are nearer to the neutral sentence than all other groups, Black men further away, the four others between them.",
    caption="What the caption of Figure S.13 says. Only the order is the paper's; the distances are ours.",
    source="paper:causalface, Figure S.13",
)

# %% [markdown]
# "We conclude that there exists a bias towards the concept of "person" that needs to be accounted for when assessing social biases." This bias "is removed",
# they write, when the neutral score is subtracted; and with the subtraction come "narrower densities and tighter confidence intervals".
#
# **Their own limits.** They call the bias "small". They also show that part of it comes with the person and not with the group. The same person,
# shown in two groups, has neutral scores that correlate, with r from {claim}`neutral_prompt.r.smallest` to {claim}`neutral_prompt.r.largest`. So background, hair and shape of the face
# matter for the neutral sentence "and, thus, likely also" for sentences with a trait.
#
# ### Do the printed numbers agree?
#
# The few printed numbers agree with each other. Most claims of Appendix E are words, such as "narrower", and nothing else in print can be compared with them.

# %%
vb.ledger.show(claims)

# %% [markdown]
# ### What one may doubt
#
# **Is the bias removed?** For each face, the same number is subtracted from all traits. Take two groups with equal scores for "warm" and for "cold", which differ only in the
# neutral sentence. We made up such scores, and subtract:

# %%
scores = pd.DataFrame(
    {"a warm person": [26, 26], "a cold person": [24, 24], "a person": [28, 27]},
    index=["group A", "group B"],
)
for trait in ("warm", "cold"):
    scores[f"Δcos, {trait}"] = scores[f"a {trait} person"] - scores["a person"]
tables.readable(scores).set_caption("Made-up scores of two groups, before and after subtracting “a person”")

# %% [markdown]
# After the subtraction, A looks less warm *and* less cold than B, only because it is nearer to "a person".
# Had A been one point higher in *all* sentences, the subtraction would have taken this point away, as the authors intend. Which of the two is the case for CLIP is not tested.
#
# **Is narrower better?** A narrower distribution makes a mean more precise. It does not make it right.
#
# **Whose bias is it?** The tests are about one model. Other models, trained in the same way, may have another group nearest to "a person".
#
# ## The protocol, run on {data}
#
# Do groups differ in the neutral score? We repeat Figure S.13. As in the paper, every person is shown once in each of six groups, unsmiling and from the front. A paired test
# then compares each person with the same person in another group.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has a *hue* (teal, amber or violet) where the paper has race, and a
# *crest* (budded or eared) where it has gender. [What the faces and captions look like](../../book/greenhouse/limits.md), and what this world can and cannot show, is one click away.

# %% tags=["hide-cell"]
released = {}
for name in (prompts, labels):
    released[name] = name.removesuffix("/released") + "/released"
PROTOCOLS = {  # the text and the code differ in how sentences are written
    "described": dict(words=prompts, names=labels),
    "released": dict(words=released[prompts], names=released[labels]),
}
shown = stimuli
if not cosines:  # no need to look at the other pictures
    images = vb.images(stimuli, root or None)
    shown = images.where(images.table["subset"] == "prototype")
look = partial(vb.perceive, shown, model, cosines=cosines)
looks = {}
for name, chosen in PROTOCOLS.items():
    both = [look(words=one) for one in chosen.values()]
    looks[name] = [one.where(one.table["subset"] == "prototype") for one in both]
seen, named = looks[protocol]

# %%
# one row per person, one column per group: cosine with the neutral sentence × 100
neutral = study.by_identity(100 * seen.neutral(), seen.table)
tests = vb.networks.paired(neutral)  # paired t-tests over people
differ = tests["p"] <= study.ALPHA  # .01, as in the paper
with_holm = tests["p_holm"] <= study.ALPHA  # corrected for the number of tests

# %% tags=["hide-input"]
source = roles.sources(seen)
clear = np.where(differ, "p ≤ .01", "p > .01")
labelled = tests.assign(pair=tests["first"] + " − " + tests["second"], clear=clear)
vb.figures.show(
    vb.figures.forest(labelled, estimate="mean", low="low", high="high", label="pair", group="clear", value_label="difference × 100, 95 % interval"),
    name="neutral_prompt-tests",
    alt=f"Fifteen paired differences between six groups in the neutral score, {differ.sum()} of them with p ≤ .01.",
    caption=f"A row is a pair of groups: the mean difference in the neutral score (cosine × 100) over {len(neutral)} people, with its 95 % interval.",
    source=source,
)
r_people = study.correlations(neutral)
kinds = {name: {side: words.listed(own) for side, own in study.extremes(tests, p).items()} for name, p in (("plain", "p"), ("holm", "p_holm"))}
printed_r = {which: study.fisher(float(printed[f"neutral_prompt.r.{which}"]), int(printed["neutral_prompt.n"])) for which in ("smallest", "largest")}
fisher = {"high": printed_r["smallest"][1], "low": printed_r["largest"][0]}
fisher["says"] = words.verb(fisher["low"], above=fisher["high"], then="The two intervals do not overlap", else_="The two intervals overlap")
vb.note(fisher=fisher, drawn=made_here.of_ours(seen), unlike=kinds, hits=words.among(int(differ.sum()), len(tests)), held=words.among(int(with_holm.sum()), len(tests)),
        largest=tests["mean"].abs().max(), spread=np.sqrt(neutral.var().mean()), r={"low": r_people["r"].min(), "high": r_people["r"].max()}, positive=words.among(int((r_people["low"] > 0).sum()), len(r_people)))

# %% [markdown]
# {glue:text}`hits` pairs of groups differ with p ≤ .01, the paper's criterion. Nearer to "a person" than all five others:
# {glue:text}`unlike.plain.above`. Further away than all five: {glue:text}`unlike.plain.below`. On drawn faces this pattern means nothing beyond this one network.
#
# ### When is Δcos narrower?
#
# The paper also reports that Δcos varies less than the raw score of a trait. Arithmetic tells when: if, among faces of one group, the trait's score rises by more than half a point
# for each point of the neutral score.
#
# On these faces Δcos is narrower in {glue:text}`narrower.delta` traits. So "narrower" is not a property of the subtraction; it depends on the model and on the trait.
#
# :::{dropdown} Details: when Δcos is narrower, trait by trait (Figure S.12)
# Take the faces of one group, and plot each face's score for a trait ($W$) against its neutral score ($N$). The *slope* of the line through the points is by how much $W$ rises
# if $N$ rises by one. Δcos varies less than $W$ exactly if this slope is above one half. For warmth the slope is {glue:text}`slope_here:.2f`, and the spread shrinks to {glue:text}`narrower_here:.0%`.
# How sure is this? The 95 % interval of the slope excludes one half in {glue:text}`sure` traits.
#
# A row of the table is one of the paper's eight traits. *Low* and *high* are the ends of the interval of the slope. The last columns give the spread within groups, divided by that of the
# raw score: below 1 is narrower. *Relative Δcos* is Δcos divided by the neutral score. *Centred* is the score for a trait minus the mean score for all adjectives; it is narrower in
# {glue:text}`narrower.centred` traits.
# :::

# %% tags=["hide-cell"]
narrow = study.narrowing(seen, n=n_resamples, seed=seed)  # one row per trait

# one trait by hand: deviations from each group's mean, then the slope of W on N
group = study.groups_of(seen.table).to_numpy()
both = pd.DataFrame({"N": seen.neutral(), "W": seen.raw()["warmth"]})
both = both - both.groupby(group).transform("mean")
slope, start = np.polyfit(both["N"], both["W"], 1)
assert np.isclose(slope, narrow.loc["warmth", "slope"])
narrower = (both["W"] - both["N"]).std() / both["W"].std()
assert np.isclose(narrower, narrow.loc["warmth", "Δcos"])
tables.readable(narrow, names={"dimension": "trait"}).set_caption(
    "Slope of W on N with its 95 % interval, and spread within groups, divided by that of the raw score"
)

# %% tags=["hide-input"]
right = {column: [study.own_label(named, column, beyond_neutral=less) for less in (False, True)] for column in ("race", "gender")}
wide = {name: words.among(int((narrow[name] < 1).sum()), len(narrow)) for name in ("Δcos", "centred")}
vb.note(slope_here=slope, narrower_here=narrower, narrower={"delta": wide["Δcos"], "centred": wide["centred"]}, sure=words.among(int(((narrow["low"] > 0.5) | (narrow["high"] < 0.5)).sum()), len(narrow)),
        right={column: own[0] for column, own in right.items()}, same={column: "the same" if np.isclose(*own) else "another share" for column, own in right.items()})

# %% tags=["hide-cell"]
ends = [narrow["slope"].idxmin(), narrow["slope"].idxmax()]
six, at = study.groups_of(seen.table).to_numpy(), np.linspace(-1, 1, 200)
shades, dashes = vb.figures.colours_for(seen.table["race"]), dict(zip(dict.fromkeys(seen.table["gender"]), ("-", "--"), strict=True))
fig, axes = vb.figures.panels(2, 3, height=4.6)
for line, dimension in zip(axes, ends, strict=True):
    parts = {"neutral": seen.neutral(), dimension: seen.raw()[dimension], f"Δ {dimension}": seen.delta()[dimension]}
    parts = {name: 100 * np.asarray(values) for name, values in parts.items()}
    reach = 0.6 * max(np.ptp(values) for values in parts.values())  # one scale per row: widths can be compared
    for axis, (title, values) in zip(line, parts.items(), strict=True):
        place = values.min() / 2 + values.max() / 2 + reach * at
        for (race, gender), _ in seen.table.groupby(["race", "gender"]):
            axis.plot(place, stats.gaussian_kde(values[six == f"{race} {gender}"])(place), color=shades[race], ls=dashes[gender], lw=1.4, label=f"{race} {gender}")
        axis.set(yticks=[])
        axis.set_title(words.listed([title]), fontsize=10)
fig.supxlabel("cosine × 100", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    name="neutral_prompt-narrowing",
    alt=f"Densities for six groups of the neutral cosine, the mean cosine with a dimension's words, and their difference, for the dimensions with the smallest and the largest slope "
    f"({words.listed(ends)}). Δcos is narrower than the raw cosine within groups in {wide['Δcos']} dimensions.",
    caption="As Figure S.12, for two of its rows: the dimension with the smallest slope of W on N (above) and with the largest (below); each row on one scale.",
    source=source,
)

# %% [markdown]
# :::{dropdown} Details: people and groups (Figures S.13 and S.14)
# *The same person in two groups.* The paper's correlations rest on {claim}`neutral_prompt.n` pairs each. The 95 % interval of the smallest ends at {glue:text}`fisher.high:.2f`, that of the largest
# begins at {glue:text}`fisher.low:.2f`. {glue:text}`fisher.says`. In our faces the correlations run from {glue:text}`r.low:.2f` to {glue:text}`r.high:.2f`, and {glue:text}`positive` intervals lie
# above zero. What a person brings along (garment, hair, background) moves the neutral score in every group.
#
# *Groups.* The largest difference between groups is {glue:text}`largest:.2f`, in cosine × 100; within a group, people spread by {glue:text}`spread:.2f`. *Holm's correction* takes into account that
# there are fifteen tests. With it, {glue:text}`held` pairs have p ≤ .01. Above all five others is then: {glue:text}`unlike.holm.above`; below all five: {glue:text}`unlike.holm.below`.
#
# *Labels.* The paper notes that CLIP can tell race and gender by Δcos. It can as well without the subtraction: the same number is taken from all labels of a face, so the nearest label stays
# the nearest. Here the label of race is right for {glue:text}`right.race:.0%` of faces ({glue:text}`same.race` by Δcos), of gender for {glue:text}`right.gender:.0%` ({glue:text}`same.gender`).
# :::

# %% tags=["hide-cell"]
vb.figures.show(
    vb.figures.forest(r_people.assign(pair=r_people["first"] + " − " + r_people["second"]).sort_values("r"), estimate="r", low="low", high="high", label="pair", value_label="r over people, 95 % interval"),
    name="neutral_prompt-seeds",
    alt=f"Fifteen correlations over people of the neutral cosine between groups, from {r_people['r'].min():.2f} to {r_people['r'].max():.2f}.",
    caption="Figure S.14 as numbers: correlation of the neutral cosine of one person shown in two groups, in order.",
    source=source,
)

# %% tags=["hide-cell"]
who = roles.of(seen, CAUSALFACE)
for name, (own, own_names) in looks.items():
    for claim, value in study.claims(own, own_names, who).items():
        # statements that name groups of people are recorded where the faces show people
        if claim not in study.OF_PEOPLE or own.source != "greenhouse":
            vb.ledger.record(f"neutral_prompt.{claim}", value, results=results, stimuli=own, model=own, protocol=name)

# %% [markdown]
# ## What this method can see: it removes a bias, or makes one
#
# When does the subtraction help? In the [Greenhouse](../../book/greenhouse/limits.md) we can test this, because we wrote the captions. A network learns to give a sentence a higher score for faces of which it is said more often.
# So we trained networks in two conditions. In both, **no trait is linked to a group**: among captions with a trait, each trait is equally frequent in all groups. A good measure should find no difference between groups in any trait.
#
# - *Neutral sentence only.* Captions say just "a photo of a person" more often of {glue:text}`favoured` faces than of {glue:text}`disfavoured` ones. So only the neutral sentence is biased.
# - *All sentences.* Captions say "a photo of a person" more often of {glue:text}`favoured` faces. By the same factor, they also say more often "a photo of a warm person", or a cold one, or any other trait. So all our sentences are biased alike.
#
# Every face has the same number of captions. So {glue:text}`favoured` faces get fewer captions that name hue, crest or looks. The third hue lies between the two.
#
# We give scores in *logits*: the cosine times a number that the network has learnt. At full strength, captions say a biased sentence {glue:text}`times:.1f` times as often of {glue:text}`favoured` faces
# as of {glue:text}`disfavoured` ones. This lets us expect a difference of {glue:text}`planted:.2f` logits.

# %%
spoken, portraits = grammar.load(), retrained.scores("grid")
pictures = portraits.images
neutral_faces = (pictures["set"] == "grid") & (pictures["subset"] == "prototype")
everyone = study.shown(portraits, CAUSALFACE.dimensions, neutral_faces)
condition = everyone.networks["condition"]
strength = everyone.networks["condition_strength"]

hues = [spoken.bias.roles[part] for part in ("favoured", "middle", "disfavoured")]
most = ("race", hues[0], hues[2])  # the two hues that the captions set furthest apart
found = study.by_condition(
    everyone,
    {"most": most},
    ["neutral", "marking"],
    partial(truth.arm_shift, spoken),
)

# one network by hand: neutral sentence only, at full strength
one = everyone.where((condition == "neutral") & (strength == strength.max()))
first, second = ((one.images["race"] == hue).to_numpy() for hue in most[1:])
trait, person = one.raw[0].mean(axis=1), one.neutral[0]  # one value per picture
in_traits = trait[first].mean() - trait[second].mean()
in_person = person[first].mean() - person[second].mean()
delta = study.gap(one.reading("Δcos"), one.images, most)[0].mean()
assert np.isclose(in_traits - in_person, delta)

# %% tags=["hide-input"]
TITLES = {"neutral": "neutral sentence only", "marking": "all sentences"}
NAMES = {"raw": "raw score", "Δcos": "Δcos"}
plotted = found[found["reading"].isin(list(NAMES))].assign(condition=found["condition"].map(TITLES), reading=found["reading"].map(NAMES))
strongest = found[found["strength"] == found["strength"].max()].set_index(["condition", "reading"])
vb.figures.show(
    vb.figures.levels(plotted, level="strength", value="mean", low="low", high="high", group="reading", panel="condition", points=plotted.assign(mean=plotted["planted"]),
                      level_label="how strongly captions differ (1: full strength)", value_label=f"{most[1]} − {most[2]}, mean of eight traits, logits"),
    name="neutral_prompt-arms",
    alt=f"Mean difference over eight traits between {most[1]} and {most[2]} against how strongly captions differ, by measure. At full strength: "
    + "; ".join(f"{TITLES[arm]}, {NAMES[reading]} {row['mean']:+z.2f}" for (arm, reading), row in strongest.iterrows() if reading in NAMES) + " logits.",
    caption="No difference between groups was planted in any trait. Lines: means over networks; bands: 95 % intervals; dots: the difference to expect from the captions.",
    source="greenhouse",
)
side = {"above": f"a difference in favour of {most[1]}", "below": f"a difference against {most[1]}", "neither": "no difference that can be distinguished from zero"}
vb.note(favoured=most[1], disfavoured=most[2], least=int(strongest["n"].min()), negative=words.among(int(strongest.loc[("neutral", "Δcos"), "negative"]), len(CAUSALFACE.dimensions)),
        shown={(arm, name): strongest.loc[(arm, reading), "mean"] for arm in ("neutral", "marking") for name, reading in (("raw", "raw"), ("delta", "Δcos"), ("centred", "centred"), ("baseline", "neutral"))},
        planted=strongest.loc[("neutral", "neutral"), "planted"], times=np.exp(strongest.loc[("neutral", "neutral"), "planted"]), side={(arm, name): words.side(row["low"], row["high"], **side) for arm in ("neutral", "marking")
        for name, reading in (("raw", "raw"), ("delta", "Δcos")) for row in [strongest.loc[(arm, reading)]]})

# %% [markdown]
# ### One subtraction, two results
#
# **Neutral sentence only.** Here {glue:text}`favoured` faces are nearer to "a person" than {glue:text}`disfavoured` ones, by {glue:text}`shown.neutral.baseline:.2f` logits (mean over {glue:text}`least` networks).
# The raw scores for traits show {glue:text}`side.neutral.raw`, as they should.
#
# Δcos shows {glue:text}`side.neutral.delta`: {glue:text}`shown.neutral.delta:+.2f` logits on average, and below zero in {glue:text}`negative` traits. So {glue:text}`favoured` faces look less warm
# *and* less cold, less powerful *and* less powerless. The subtraction has made a bias.
#
# **All sentences.** Now the raw scores show {glue:text}`side.marking.raw` in all traits together ({glue:text}`shown.marking.raw:+.2f` logits). Δcos shows {glue:text}`side.marking.delta`
# ({glue:text}`shown.marking.delta:+z.2f`). This is what the authors want: the subtraction has removed a bias.
#
# :::{dropdown} Details: a third measure, without a neutral sentence
# One can also subtract the mean score of all adjectives from the score of each trait. This *centred* score shows hardly any difference in either condition ({glue:text}`shown.neutral.centred:+.3f` and
# {glue:text}`shown.marking.centred:+.3f` logits). The reason is arithmetic: for every face, its mean over all adjectives is zero, whatever the captions say. So it tells which traits fit a face better than others, and never
# how much of a trait.
# :::
#
# ### Can one see which condition a model is in?
#
# One could look at the scores of the model itself. Suppose a group is one point higher than another on the neutral sentence. How many points higher is it on the mean of all adjectives?
# This number, the *slope* over the six groups, should be near 0 if only the neutral sentence is biased, and near 1 if all sentences are.

# %%
full = strength == strength.max()
usual = condition == "none"
null = everyone.where(usual & (everyone.networks["b"] == 0))  # captions treat all alike
kinds_of = {"null networks": null}
for name in ("neutral", "marking"):
    kinds_of[TITLES[name]] = everyone.where((condition == name) & full)
slopes = {}
for name, own in kinds_of.items():
    person, adjectives = own.of_groups(own.neutral), own.of_groups(own.adjectives)
    slopes[name] = study.transfer(person.mean(axis=1), adjectives.mean(axis=1))
by_chance = slopes["null networks"]
above_half = by_chance > 0.5
as_low = by_chance <= slopes[TITLES["neutral"]].max()

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=2.6)
for place, (name, own) in enumerate(reversed(slopes.items())):
    axis.plot(own, place + 0.5 * (np.arange(len(own)) * 0.618 % 1 - 0.5), "o", color="0.5" if name == "null networks" else vb.figures.COLOURS["planted"], ms=5, alpha=0.8)
axis.axvline(0.5, color="0.6", ls="--", lw=1)
axis.set(yticks=range(len(slopes)), yticklabels=list(slopes)[::-1], ylim=(-0.5, len(slopes) - 0.5), xlabel="slope over the six groups")
average = {name: float(np.mean(own)) for name, own in slopes.items()}
vb.figures.show(
    fig,
    name="neutral_prompt-slopes",
    alt="A dot for each network: slope of the six groups' mean scores for all adjectives on their neutral scores. Means: " + ", ".join(f"{name} {mean:.2f}" for name, mean in average.items()) + ".",
    caption="A dot is a network. Null networks learnt from captions that treat all groups alike. Dashed line: one half.",
    source="greenhouse",
)
in_null = average["null networks"]
vb.note(slope={"marking": average[TITLES["marking"]], "neutral": average[TITLES["neutral"]], "silent": in_null}, null=len(null.networks),
        above_half=words.among(int(above_half.sum()), len(by_chance)), as_low=words.among(int(as_low.sum()), len(by_chance)))

# %% [markdown]
# The slope does separate our two conditions. Its mean is {glue:text}`slope.neutral:.2f` in *neutral sentence only*, and {glue:text}`slope.marking:.2f` in *all sentences*.
#
# But what is it where captions treat all groups alike? In {glue:text}`null` such *null networks* it averages {glue:text}`slope.silent:.2f` and is above one half in {glue:text}`above_half`,
# although no caption made it so. The random start of training can leave some groups nearer to all sentences, and this alone makes a slope.
#
# A slope near 0 is rarer. In {glue:text}`as_low` null networks, it is as low as in the first condition. So a low slope says something, but a high one does not tell what the captions were.
#
# ### Null networks have a "person" bias, too
#
# How often do the paper's tests find a group difference in the neutral score where nothing was planted?

# %%
values = null.of_groups(null.neutral)  # networks × people × groups
p, difference = study.paired_in_each(values)  # fifteen tests in each network
beyond_all = study.unlike_all(p, difference, groups=6)  # 1: above all, −1: below all
one_of_them = (beyond_all != 0).any(axis=1)
one_of_each = (beyond_all == 1).any(axis=1) & (beyond_all == -1).any(axis=1)
six_groups = study.places(null.images).columns
group_means = pd.DataFrame(values.mean(axis=1), columns=six_groups)
over = vb.networks.paired(group_means)  # the same tests, with networks as observations

# %% tags=["hide-input"]
contrasts = {f"{one} − {other}": ("race", one, other) for one, other in combinations(hues, 2)}
crests = tuple(spoken.bias.roles[part] for part in ("first", "second"))
contrasts[f"{crests[0]} − {crests[1]}"] = ("gender", *crests)
fig, axes = vb.figures.panels(1, len(contrasts), height=3.6, share_y=True)
excluded = []
for axis, (name, contrast) in zip(axes[0], contrasts.items(), strict=True):
    each = study.gaps_over_identities(null.neutral, null.images, contrast)
    mean, places = vb.networks.summary(each["mean"]).loc["all"], range(len(each))
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.vlines(places, each["low"], each["high"], color=vb.figures.COLOURS["recomputed"], lw=1)
    axis.plot(places, each["mean"], "o", color=vb.figures.COLOURS["recomputed"], ms=3, label="one network, 95 % over people")
    axis.axhspan(mean["low"], mean["high"], color=vb.figures.COLOURS["planted"], alpha=0.3, label="mean of networks, 95 %")
    axis.set(xticks=[])
    axis.set_title(name, fontsize=10)
    excluded.append((each["low"] > 0) | (each["high"] < 0))
axes[0, 0].set_ylabel("difference, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="neutral_prompt-silence",
    alt=f"Differences in the neutral score between hues and between crests in {len(null.networks)} null networks; {np.mean(excluded):.0%} of the intervals over people exclude zero.",
    caption="A dot is a null network, in order: its difference in the neutral score between two hues, or the two crests, with the 95 % interval over people. Band: mean of all networks, 95 %.",
    source="greenhouse",
)
vb.note(alarm=(p <= study.ALPHA).mean(), outlier=one_of_them.mean(), one_of_each=one_of_each.mean(),
        alarmed=words.among(int((over["p"] <= study.ALPHA).sum()), len(over)))

# %% [markdown]
# In the null networks, {glue:text}`alarm:.0%` of the paired tests over people have p ≤ .01; chance alone would give 1 %. In {glue:text}`outlier:.0%` of the networks, some group is above *all five* others or below them.
# In {glue:text}`one_of_each:.0%`, one group is above and another below, as in the paper. Such a result is right about the one network that was tested. But no caption made it, and in the next network it may be another group.
#
# With each network counted as one observation, {glue:text}`alarmed` tests have p ≤ .01.
#
# The paper's result, too, is about one model, and its authors claim no more: nothing about the captions from which CLIP learnt.
#
# :::{dropdown} Details: all tests, and what each subtraction costs
# Holm's correction does not help: it corrects for fifteen tests, not for having only one network. The first table counts the tests by what is taken as one observation.
#
# Which measure is best, then? The second table has two answers. Where nothing was planted, differences of single networks stray least from zero with: {glue:text}`least_stray`.
# Where trait differences were planted, the measure nearest to the captions is: {glue:text}`least_error`, with a typical error of {glue:text}`error.least:.3f` logits. The next one has {glue:text}`error.second:.3f`, {glue:text}`near`.
# :::

# %% tags=["hide-cell"]
alarms = study.null_rejections(values)
tables.readable(alarms, names={"holm": "after Holm"}).format("{:.0%}", subset=["uncorrected", "holm"]).set_caption(
    "Share of tests with p ≤ .01 in null networks, by what is taken as one observation"
)

# %% tags=["hide-cell"]
told = everyone.where(usual & (everyone.networks["b"] == 1))
single = truth.per_face(spoken, told.images, 1.0, axes=told.dimensions)
truths = {
    "counted": {column: truth.counted(spoken, told.images, column, 1.0, axes=told.dimensions) for column in ("race", "gender")},
    "per_face": {column: single.groupby(told.images[column]).mean() for column in ("race", "gender")},
}
cost = study.cost(null, told, contrasts, truths)
smallest, second_best = cost["error"].nsmallest(2)
vb.note(least_stray=words.extreme(cost["stray"], cost.index, largest=False), least_error=words.extreme(cost["error"], cost.index, largest=False), error={"least": smallest, "second": second_best},
        near=words.verb(second_best, above=1.1 * smallest, then="clearly more", else_="too little more to say which is best"))
tables.readable(cost, names={"slope_counted": "slope on counts of captions", "slope_per_face": "slope on single faces"}).set_caption(
    "Logits: typical difference in null networks (stray); slope on what was planted, r and typical error in networks with planted differences"
)

# %% [markdown]
# ### What this means for the paper
#
# That the model's neutral score differs between groups is well shown, for this model. That the subtraction *removes* a bias is an assumption: it holds if the traits share the bias of the neutral sentence. The
# authors' own scores can show how much the subtraction matters: print each judgement twice, raw and as Δcos. If a group is low in *every* trait by Δcos only, the neutral sentence may be the reason.
# If it is high in *every* trait by raw scores only, a bias of all sentences may be the reason.

# %% [markdown]
# ## Where paper and code differ
#
# We compared the authors' repository, at commit `a2daa85`, with the paper's text. One difference touches the subtraction: for one figure, the code divides the difference by the neutral score.
#
# :::{dropdown} Details: five differences
# | | what the paper says | what the code does | here |
# |---|---|---|---|
# | faces | "prototype images" | it takes the rows without a smile (smiling 0) | the unsmiling face of each person and group, once |
# | tests | "paired *t*-tests", p ≤ 0.01 | it makes 15 tests and does not correct for their number | with and without Holm's correction |
# | sentences (H15) | the fourth sentence begins with a capital and ends in a full stop | its fourth sentence has neither (CLIP ignores capitals; the full stop matters) | both versions |
# | Δcos | a difference (Equation 2) | the difference divided by the neutral score, in the figure of intersections; the difference elsewhere | both in the table of spreads |
# | neutral sentence | no adjective is inserted | the double space that remains is made a single one | single |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/neutral_prompt -p protocol released
# ```
# Without the faces, the authors' released tables of scores do: `-p stimuli causalface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# ## Take-aways
#
# - A subtraction takes *one* number per face from all traits. A bias that the neutral sentence shares with the traits is removed. A bias of the neutral sentence alone is added to all traits, with the opposite sign.
# - Narrower is not nearer to the truth.
# - Report raw scores and Δcos side by side. If a group is low in *every* trait by Δcos, look at the neutral sentence first.
# - A difference in one model's neutral score is about that model. Networks in which nothing was planted have such differences, too.

# %% [markdown]
# ## Exercises
#
# :::{exercise} When does subtracting narrow?
# :label: neutral_prompt-narrow
# :level: intermediate
# :minutes: 15
# :code: no
# $N$ and $W$ have standard deviations 1 and 1 and correlate at $r$. For which $r$ is $W - N$ narrower than $W$? And if $N$ has standard deviation 2? Which multiple $\beta N$ would it be best to subtract?
# :::
#
# ```{solution-start} neutral_prompt-narrow
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def spread_of(r, sd_n, beta=1.0):
    """Standard deviation of W − βN, with SD(W) = 1."""
    return np.sqrt(1 + beta**2 * sd_n**2 - 2 * beta * r * sd_n)


for sd_n in (1.0, 2.0):
    limit = sd_n / 2  # Var(N) < 2 Cov(N, W) = 2 r SD(N)
    print(f"SD(N) = {sd_n:g}: narrower for r > {limit:g}; best β = r / {sd_n:g}")
best = min(np.linspace(0, 2, 2_001), key=lambda beta: spread_of(0.7, 1.0, beta))
assert spread_of(0.51, 1.0) < 1 < spread_of(0.49, 1.0) and spread_of(0.99, 2.0) > 1 and abs(best - 0.7) < 2e-3

# %% [markdown]
# The variance after the subtraction is a parabola in $\beta$:
#
# $$\operatorname{Var}(W - \beta N) = 1 + \beta^2 \operatorname{Var}(N) - 2 \beta r \operatorname{SD}(N)$$
#
# At $\beta = 1$ it is below 1 where $r > \operatorname{SD}(N)/2$. It is lowest at $\beta = r / \operatorname{SD}(N)$, the slope of $W$ on $N$.
#
# With SD 2 even a correlation of .99 is not enough: the baseline is too noisy to be subtracted whole.
#
# ```{solution-end}
# ```
#
# :::{exercise} Find the condition
# :label: neutral_prompt-arm
# :level: intermediate
# :minutes: 10
# :code: no
# You know how large a difference between two groups the captions make in the neutral score, and how large a one in the trait scores. You do not know the condition. Which one number tells the conditions apart? What would it have to be for Δcos to be right?
# :::
#
# ```{solution-start} neutral_prompt-arm
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
called = strongest["planted"]
share = {name: float(called[name, "raw"] / called[name, "neutral"]) for name in ("neutral", "marking")}
print({TITLES[name]: round(value, 2) + 0.0 for name, value in share.items()}, "of the neutral difference is in the raw trait difference")
assert abs(share["neutral"]) < 0.05 and abs(share["marking"] - 1) < 0.05

# %% [markdown]
# The ratio of the trait difference to the neutral difference: 0 if only the neutral sentence is biased, 1 if all sentences are. Δcos assumes that it is 1. If the ratio lies between 0 and 1, subtract the ratio times $N$.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If group labels are mentioned for some people and left out for others ("a doctor", "a woman doctor"), is the neutral prompt the right zero, a biased one, or the finding itself?
# 2. Centring (subtracting the mean of all adjectives) answers a different question from Δcos. Which of the paper's conclusions need "how much", and which only "more than other traits"?
