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
# **Question.** Some faces fit "a photo of a person" better than others. The authors subtract this score from every score for a trait. When
# does the subtraction remove a bias, and when does it make one?
#
# **Answer in short.** It removes a bias that all sentences share. It makes a bias where only the neutral sentence is biased. The scores of a single
# model do not safely tell which is the case. [In networks whose captions treat all groups alike, it makes accidental differences a little smaller,]{.holds #smaller} which is what the authors want. So report scores with and without the subtraction.
#
# **In 20 minutes:** {ref}`What the paper reports <neutral_prompt-found>`, {ref}`What this method can see <neutral_prompt-see>`,
# {ref}`One subtraction, two results <neutral_prompt-two>`, {ref}`Take-aways <neutral_prompt-take>`. **In 75 minutes:** everything, with both
# exercises.
#
# **You need:** a paired t-test, a slope. The primer
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

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import neutral_prompt as study
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (neutral_prompt-found)=
# ## What the paper reports: some faces fit "a person" better
#
# CLIP gives a number (a cosine) for how well a face fits a sentence. {cite:t}`hausladen2025` notice that faces also differ in how well they fit a sentence that says nothing
# in particular: "a photo of a person". This is the *neutral sentence* (in the paper: neutral prompt). The authors take this fit as the zero. For a face $i$ and a *trait* $D$,
# such as warmth, they compute the *score*, Δcos:
#
# $$\Delta\cos(i, D) = \underbrace{W_D(i)}_{\text{"a photo of a warm person"}} - \underbrace{N(i)}_{\text{"a photo of a person"}}.$$
#
# Here $W$ is the *raw score* of the trait, and $N$ is the *neutral score*. The paper has eight traits, each a mean over several adjectives. Two of them are opposites: positive agency (such as "powerful") and negative agency (such as "powerless").
#
# The faces are made by a computer. So one invented person can be shown six times, in three races and two genders. The authors
# compare the neutral scores of these six groups, with {claim}`neutral_prompt.n` faces in each. Two groups deviate from the others: Asian women have
# {claim}`neutral_prompt.asian-women` scores than all other groups, Black men {claim}`neutral_prompt.black-men` ones (p {claim}`neutral_prompt.s13-p`). The size of the differences is not printed.

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
axis.set(xlim=(-1.5, 1.5), ylim=(-1, 1), yticks=[], xticks=[-1, 0, 1], xticklabels=["lower\nneutral score", "", "higher\nneutral score"])
vb.figures.show(
    fig,
    name="neutral_prompt-sketch",
    alt="A sketch of what the caption says: Asian women have higher neutral scores than all other groups, Black men lower ones, the four others are between them.",
    caption="What the caption of Figure S.13 says. Only the order is the paper's; the distances are ours.",
    source="paper:causalface, Figure S.13",
)

# %% [markdown]
# "We conclude that there exists a bias towards the concept of "person" that needs to be accounted for when assessing social biases." This bias "is removed",
# they write, when the neutral score is subtracted. They add that Δcos varies less than the raw score.
#
# **Their own limits.** They call the bias "small". They also show that the neutral score depends on the invented person, and not only on the group. A person with a high score in one group
# tends to have a high score in another group, too (r from {claim}`neutral_prompt.r.smallest` to {claim}`neutral_prompt.r.largest`). The authors conclude that background, hairstyle and shape of the face
# influence the neutral score, and "likely also" the scores of traits.
#
# ### Do the printed numbers agree?
#
# The few printed numbers agree with each other. Most claims of Appendix E are words, and nothing else in print can be compared with them.

# %%
vb.ledger.show(claims)

# %% [markdown]
# ### What one may doubt
#
# **Is the bias removed?** For each face, the same number is subtracted from all traits. Suppose two groups have equal raw scores for "powerful" and for "powerless". They differ only in the
# neutral score. We made up such scores; a row of the table is a group.

# %%
scores = pd.DataFrame(
    {"powerful person": [26, 26], "powerless person": [24, 24], "person": [28, 27]},
    index=["group A", "group B"],
)
for trait in ("powerful", "powerless"):
    scores[f"Δcos, {trait}"] = scores[f"{trait} person"] - scores["person"]
tables.readable(scores).set_caption("Made-up scores of two groups, before and after the subtraction")

# %% [markdown]
# After the subtraction, A looks less powerful *and* less powerless than B, only because its neutral score is higher.
# Had A been one point higher in *all* sentences, the subtraction would have taken this point away, as the authors intend. The paper does not test which of the two is the case for CLIP.
#
# **Is less variation better?** Scores that vary less make a mean more precise. They do not make it right.
#
# **Whose bias is it?** The tests are about one model. In another, trained in the same way, another group may have the highest neutral scores.
#
# ## The protocol, run on {data}
#
# {.if-run}
# The authors' faces and scores are not part of this edition. What we show comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has a *hue* (teal, amber or violet) where the paper has race, and a
# *crest* (budded or eared) where it has gender. [What the faces and captions look like](../../book/greenhouse/limits.md), and what this world can and cannot show, is one click away.
#
# Do groups differ in the neutral score? We repeat the authors' tests. As in the paper, every invented person is shown once in each of six groups, unsmiling and from the front. Each of the fifteen tests
# compares the same people in two groups.

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
narrow = study.narrowing(seen, n=n_resamples, seed=seed)  # one row per trait
kinds = {name: {side: words.listed(own) for side, own in study.extremes(tests, p).items()} for name, p in (("plain", "p"), ("holm", "p_holm"))}
printed_r = {which: vb.correlations.interval(float(printed[f"neutral_prompt.r.{which}"]), int(printed["neutral_prompt.n"])) for which in ("smallest", "largest")}
fisher = {"high": printed_r["smallest"][1], "low": printed_r["largest"][0]}
vb.note(fisher=fisher, drawn=made_here.of_ours(seen), unlike=kinds, hits=words.among(int(differ.sum()), len(tests)), held=words.among(int(with_holm.sum()), len(tests)),
        narrower=words.among(int((narrow["Δcos"] < 1).sum()), len(narrow)))

# %% [markdown]
# {glue:text}`hits` pairs of groups differ with p ≤ .01, the paper's criterion. Higher than all five others:
# {glue:text}`unlike.plain.above`. Lower than all five: {glue:text}`unlike.plain.below`. Which groups these are says nothing about CLIP or about people.
#
# :::{dropdown} Details: when does Δcos vary less? And people, groups and labels
# - *Figure S.12.* Δcos varies less than the raw score of a trait if the slope of the raw score on the neutral score, within a group, is above one half (exercise 1). On our faces, it varies less in {glue:text}`narrower` traits. So this is not a property of the subtraction alone.
# - *Figure S.14.* The paper's correlations rest on {claim}`neutral_prompt.n` pairs each. The 95 % interval of the smallest ends at {glue:text}`fisher.high:.2f`, that of the largest begins at {glue:text}`fisher.low:.2f`.
# - *Figure S.13.* The authors make fifteen tests. With Holm's correction for this number, {glue:text}`held` pairs have p ≤ .01 on our faces.
# - *Labels.* CLIP tells race and gender as well without the subtraction: the same number is taken from all labels of a face, so the nearest label stays the nearest.
# :::

# %% tags=["hide-cell"]
who = roles.of(seen, CAUSALFACE)
for name, (own, own_names) in looks.items():
    for claim, value in study.claims(own, own_names, who).items():
        # statements that name groups of people are recorded where the faces show people
        if claim not in study.OF_PEOPLE or own.source != "greenhouse":
            vb.ledger.record(f"neutral_prompt.{claim}", value, results=results, stimuli=own, model=own, protocol=name)

# %% [markdown]
# (neutral_prompt-see)=
# ## What this method can see: it removes a bias, or makes one
#
# When does the subtraction help? To test this, one has to know the right answer. In the Greenhouse we know it, because we wrote the captions.
# The more often captions say a sentence of some faces, the higher these faces score for it.
#
# We trained networks in two conditions. In both, {glue:text}`favoured` faces are called powerful *rather than powerless* as often as {glue:text}`disfavoured` ones.
# So **the right difference between {glue:text}`favoured` and {glue:text}`disfavoured` is zero**, and the same holds for every trait.
#
# - *Neutral sentence only.* Captions say "a photo of a person" more often of {glue:text}`favoured` faces than of {glue:text}`disfavoured` faces. All sentences with a trait are equally frequent for both.
# - *All sentences.* Captions say "a photo of a person" more often of {glue:text}`favoured` faces. They also say "a photo of a powerful person", "a photo of a powerless person" and all other traits more often of them, by the same factor.
#
# At full strength, a biased sentence is said {glue:text}`times:.2f` times as often of {glue:text}`favoured` faces. We give scores in *logits*. In this unit, a factor becomes a difference: its natural
# logarithm. So we expect a difference of {glue:text}`planted:.2f` logits.
#
# The figure has one panel for each condition. From left to right, captions differ more, up to the full strength (1). Above zero, {glue:text}`favoured` faces score higher in the traits.
# A measure that is always right would stay at zero in both panels.
#
# :::{dropdown} Details: captions and logits
# Every face has the same number of captions. So where captions say a sentence more often of {glue:text}`favoured` faces, these faces get fewer captions that name hue, crest or looks. The third hue lies between the two.
# A *logit* is the cosine times a number that the network has learnt.
# :::

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
    caption="Lines: means over networks; bands: 95 % intervals; dots: the difference to expect from the captions.",
    source="greenhouse",
)
side = {"above": f"higher scores for {most[1]} faces", "below": f"lower scores for {most[1]} faces", "neither": "no difference that can be distinguished from zero"}
vb.note(favoured=most[1], disfavoured=most[2], trained={arm: int(strongest.loc[(arm, "raw"), "n"]) for arm in ("neutral", "marking")}, negative=words.among(int(strongest.loc[("neutral", "Δcos"), "negative"]), len(CAUSALFACE.dimensions)),
        shown={(arm, name): strongest.loc[(arm, reading), "mean"] for arm in ("neutral", "marking") for name, reading in (("raw", "raw"), ("delta", "Δcos"), ("centred", "centred"), ("baseline", "neutral"))},
        planted=strongest.loc[("neutral", "neutral"), "planted"], times=np.exp(strongest.loc[("neutral", "neutral"), "planted"]), side={(arm, name): words.side(row["low"], row["high"], **side) for arm in ("neutral", "marking")
        for name, reading in (("raw", "raw"), ("delta", "Δcos")) for row in [strongest.loc[(arm, reading)]]})

# %% [markdown]
# (neutral_prompt-two)=
# ### One subtraction, two results
#
# We compare the two hues at full strength, over {glue:text}`trained.neutral` networks in the first condition and {glue:text}`trained.marking` in the second.
#
# **Neutral sentence only.** Here {glue:text}`favoured` faces have higher neutral scores, by {glue:text}`shown.neutral.baseline:.2f` logits on average. (Why this is not exactly the expected difference, we did not examine.)
# The raw scores, taken over all traits, show {glue:text}`side.neutral.raw`. This is right.
#
# Δcos shows {glue:text}`side.neutral.delta`: {glue:text}`shown.neutral.delta:+.2f` logits on average, and below zero in {glue:text}`negative` traits. So {glue:text}`favoured` faces look less
# powerful *and* less powerless. The subtraction has made a bias.
#
# **All sentences.** Now the raw scores show {glue:text}`side.marking.raw`: {glue:text}`shown.marking.raw:+.2f` logits, as a mean over the traits. These faces seem more powerful *and* more powerless. Δcos shows {glue:text}`side.marking.delta`
# ({glue:text}`shown.marking.delta:+z.2f`). This is what the authors want: the subtraction has removed a bias.
#
# :::{dropdown} Details: a third measure, without a neutral sentence
# One can also subtract the mean score of all adjectives from the score of each trait. This *centred* score differs between the two hues by almost nothing on average ({glue:text}`shown.neutral.centred:+.3f` and
# {glue:text}`shown.marking.centred:+.3f` logits). The reason is arithmetic: for every face, its mean over all adjectives is zero, whatever the captions say. So it tells which traits fit a face better than others, and never
# how much of a trait.
# :::
#
# ### Can one see which condition a model is in?
#
# For CLIP, we do not know how often its captions say each sentence of each group. Can the scores of the model tell? Suppose a group is one point higher than another in the neutral score.
# How many points higher is it in the mean of all traits? We call this number the *slope*: it is the slope of a line through six points, one for each group. The slope should be near 0 if only the neutral sentence
# is biased, and near 1 if all sentences are.
#
# For comparison we take *null networks*, which learnt from captions that treat all groups alike. If they have such slopes, too, then the slope does not tell what the captions were.

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
    alt="A dot for each network: slope of the six groups' mean raw scores on their neutral scores. Means: " + ", ".join(f"{name} {mean:.2f}" for name, mean in average.items()) + ".",
    caption="A dot is a network. The slope is computed over the six groups. Dashed line: one half.",
    source="greenhouse",
)
in_null = average["null networks"]
vb.note(slope={"marking": average[TITLES["marking"]], "neutral": average[TITLES["neutral"]], "silent": in_null}, null=len(null.networks),
        above_half=words.among(int(above_half.sum()), len(by_chance)), as_low=words.among(int(as_low.sum()), len(by_chance)))

# %% [markdown]
# The slope does separate our two conditions: its mean is {glue:text}`slope.neutral:.2f` in *neutral sentence only*, and {glue:text}`slope.marking:.2f` in *all sentences*.
#
# But a high slope does not tell what the captions were. [The {glue:text}`null` null networks have a mean slope of {glue:text}`slope.silent:.2f`, and {glue:text}`above_half` are above one half.]{.holds #null_slopes} Their captions did not
# favour any group. Accidents of training can make groups differ; why *all* sentences then rise together, they do not explain. A possible reason is that the sentences share their words: "a photo of a … person". We did not test it.
#
# These slopes lean towards the authors' assumption: what raises the neutral score of a group mostly raises its other scores, too. [So in null networks, the subtraction makes accidental differences between two groups smaller:]{.holds #smaller} typically {glue:text}`stray.raw:.2f` logits in a raw score, and {glue:text}`stray.delta:.2f` in Δcos. (The right difference is zero.)
#
# And a low slope? In {glue:text}`as_low` null networks, the slope is as low as the highest one in *neutral sentence only*. So a low slope is a hint at most.
#
# :::{dropdown} Details: the paper's tests in null networks
# We repeat the fifteen tests in each null network; {glue:text}`alarm:.0%` have p ≤ .01, where chance alone would give 1 %. Each result is true of the one network that was tested. But its captions did not cause the difference. In {glue:text}`one_of_each:.0%` of the null networks, one group is above all five others and another below, as in the paper.
# With each network counted as one observation, {glue:text}`alarmed` tests have p ≤ .01.
# :::

# %% tags=["hide-cell"]
values = null.of_groups(null.neutral)  # networks × people × groups
p, difference = study.paired_in_each(values)  # fifteen tests in each network
beyond_all = study.unlike_all(p, difference, groups=6)  # 1: above all, −1: below all
one_of_each = (beyond_all == 1).any(axis=1) & (beyond_all == -1).any(axis=1)
six_groups = study.places(null.images).columns
group_means = pd.DataFrame(values.mean(axis=1), columns=six_groups)
over = vb.networks.paired(group_means)  # the same tests, with networks as observations

# typical (root mean square) difference between two hues, or the two crests, where none is right
crests = tuple(spoken.bias.roles[part] for part in ("first", "second"))
contrasts = [("race", *pair) for pair in combinations(hues, 2)] + [("gender", *crests)]
stray = {}
for name, reading in (("raw", "raw"), ("delta", "Δcos")):
    each = [study.gap(null.reading(reading), null.images, pair) for pair in contrasts]
    stray[name] = float(np.sqrt(np.mean(np.square(np.hstack(each)))))

# %% tags=["hide-input"]
vb.note(alarm=(p <= study.ALPHA).mean(), one_of_each=one_of_each.mean(), stray=stray, alarmed=words.among(int((over["p"] <= study.ALPHA).sum()), len(over)))
vb.holds(smaller=bool(stray["delta"] < stray["raw"]), null_slopes=bool(above_half.mean() > 0.5))

# %% [markdown]
# ### What this means for the paper
#
# That the neutral score differs between groups is well shown, for this one model. The authors claim no more: they say nothing about the captions from which CLIP learnt. In our null networks, {glue:text}`alarm:.0%` of the same tests
# have p ≤ .01, although their captions treat all groups alike.
#
# That the subtraction *removes* a bias is an assumption. It holds if the traits share the bias of the neutral sentence. In our null networks they mostly do, which speaks for the authors; whether they do in CLIP is not known.
#
# The authors' own scores, which we {ref}`did not have <causalface-not-run>`, can show how much the subtraction matters. Print each trait twice, raw and as Δcos. If a group is low in *every* trait by Δcos only, the neutral sentence
# may be the reason. If it is high in *every* trait by raw scores only, a bias of all sentences may be the reason. These are hints, not proofs.

# %% [markdown]
# ## Where paper and code differ
#
# We compared the authors' repository, at commit `a2daa85`, with the paper's text. One difference touches the subtraction: for the figure of intersections, the code divides Δcos by the neutral score. [The chapter on intersections](intersections.ipynb) shows what this changes.
#
# Two more touch the records: the fourth sentence ends in a full stop in the paper only (H15; `protocol` chooses), and the code's fifteen tests are not corrected for their number.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/neutral_prompt -p protocol released
# ```
# Without the faces, the authors' released tables of scores are enough: `-p stimuli causalface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# (neutral_prompt-take)=
# ## Take-aways
#
# - The subtraction removes a bias that the neutral sentence shares with the traits. If only the neutral sentence is biased, all traits get this bias with the opposite sign.
# - Scores that vary less are not nearer to the truth.
# - Report raw scores and Δcos side by side. If a group is low in *every* trait by Δcos only, look at the neutral sentence first.
# - A difference in one model's neutral score is about that model. Networks whose captions treat all groups alike have such differences, too.

# %% [markdown]
# ## Exercises
#
# :::{exercise} When does subtracting narrow?
# :label: neutral_prompt-narrow
# :level: intermediate
# :minutes: 15
# :code: no
# $N$ and $W$ have standard deviations 1 and 1 and correlate at $r$. For which $r$ does $W - N$ vary less than $W$? And if $N$ has standard deviation 2? Which multiple $\beta N$ would it be best to subtract?
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
# Suppose that you know the captions of a model. They let you expect two differences between two groups: one in the neutral score, and one in the raw scores of the traits. Which single number, computed from
# these two differences, shows the condition? Which value must it have for Δcos to be right?
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
# 2. Instead of the neutral score, one can subtract a face's mean score for all adjectives (*centring*). This answers a different question from Δcos. Which of the paper's conclusions need "how much", and which only "more than other traits"?
