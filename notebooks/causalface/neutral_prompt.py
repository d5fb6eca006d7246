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
# model do not tell which is the case. So report judgements with and without the subtraction.
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
# They compare the neutral scores of six groups, with {claim}`neutral_prompt.n` faces in each. Two groups stand apart: Asian women have
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
# **Their own limits.** They call the bias "small". They show that much of it belongs to the person and not to the group: if the same person is shown in two groups, the neutral
# scores correlate, with r from {claim}`neutral_prompt.r.smallest` to {claim}`neutral_prompt.r.largest`. So background, hair and shape of the face
# matter for the neutral sentence "and, thus, likely also" for sentences with a trait.
#
# ### Do the printed numbers agree?
#
# The few numbers agree. Most claims of Appendix E are orders and verdicts, and nothing else in print can be compared with them.

# %%
vb.ledger.show(claims)

# %% tags=["hide-input"]
intervals = {}
for which in ("smallest", "largest"):
    value = float(printed[f"neutral_prompt.r.{which}"])
    intervals[which] = dict(zip(("low", "high"), study.fisher(value, int(printed["neutral_prompt.n"])), strict=True))
vb.note(fisher=intervals)

# %% [markdown]
# How much is known of a correlation from {claim}`neutral_prompt.n` pairs? The 95 % interval of the smallest goes up to {glue:text}`fisher.smallest.high:.2f`, that of the largest
# down to {glue:text}`fisher.largest.low:.2f`. So the order of such correlations is uncertain.
#
# ### What one may doubt
#
# **Is the bias removed?** From one face, the same number is subtracted in all traits. Suppose two groups have equal scores for "warm" and for "cold", and differ only in the
# neutral sentence. Here are such scores, made up:

# %%
scores = pd.DataFrame(
    {"a warm person": [26, 26], "a cold person": [24, 24], "a person": [28, 27]},
    index=["group A", "group B"],
)
subtracted = scores.sub(scores["a person"], axis=0)
assert (subtracted.loc["group A"] <= subtracted.loc["group B"]).all()
tables.readable(subtracted).set_caption("After the subtraction")

# %% [markdown]
# After the subtraction, group A looks less warm *and* less cold than group B. Nothing about warmth or coldness made it so. Had group A been one point higher in *all*
# sentences, the subtraction would have taken this point away, as the authors intend. Which of the two is the case for CLIP is not tested.
#
# **Is narrower better?** A narrower distribution makes a mean more precise. It does not make it right.
#
# **Whose bias is it?** The tests are about one model. Other models, trained in the same way, may have another group nearest to "a person".
#
# ## The protocol, run on {data}
#
# We now do what the paper does, with one neutral face for every person in every group.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has a *hue* (teal, amber or violet) where the paper has race, and a
# *crest* (budded or eared) where it has gender. [What the faces and captions look like](../../book/greenhouse/limits.md), and what this world can and cannot show, is one click away.

# %%
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

# one row per person, one column per group: cosine with the neutral sentence × 100
neutral = study.by_identity(100 * seen.neutral(), seen.table)
tests = vb.networks.paired(neutral)  # paired t-tests over people
tables.readable(neutral.head(3))

# %% tags=["hide-input"]
source = roles.sources(seen)
clear = np.where(tests["p_holm"] <= 0.05, "p ≤ .05 after Holm", "p > .05")
labelled = tests.assign(pair=tests["first"] + " − " + tests["second"], clear=clear)
vb.figures.show(
    vb.figures.forest(labelled, estimate="mean", low="low", high="high", label="pair", group="clear", value_label="difference × 100, 95 % interval"),
    name="neutral_prompt-tests",
    alt=f"Fifteen paired differences between six groups in the cosine with the neutral prompt, {(tests['p_holm'] <= 0.05).sum()} of them different from zero after Holm's correction.",
    caption=f"As Figure S.13: differences between groups in the cosine with the neutral sentence, over {len(neutral)} people.",
    source=source,
)
r_people = study.correlations(neutral)
kinds = {name: {side: words.listed(own) for side, own in study.extremes(tests, p).items()} for name, p in (("plain", "p"), ("holm", "p_holm"))}
vb.note(drawn=made_here.of_ours(seen), unlike=kinds, hits=words.among(int((tests["p"] <= study.ALPHA).sum()), len(tests)), held=words.among(int((tests["p_holm"] <= study.ALPHA).sum()), len(tests)),
        largest=tests["mean"].abs().max(), spread=np.sqrt(neutral.var().mean()), r={"low": r_people["r"].min(), "high": r_people["r"].max()}, positive=words.among(int((r_people["low"] > 0).sum()), len(r_people)))

# %% [markdown]
# {glue:text}`hits` pairs of groups differ with p ≤ .01. (Holm's correction takes into account that there are so many tests; with it, {glue:text}`held` do.) Nearer to "a person" than all five others:
# {glue:text}`unlike.plain.above`. Further away than all: {glue:text}`unlike.plain.below`. On drawn faces this pattern means nothing beyond this one network.
#
# ### When is Δcos narrower?
#
# Take the faces of one group, and draw each face's score for a trait ($W$) against its neutral score ($N$). The line through the points has a *slope*: by how much the trait's score
# rises if the neutral score rises by one. Arithmetic says that Δcos varies less than the trait's score exactly if this slope is above one half.

# %%
narrow = study.narrowing(seen, n=n_resamples, seed=seed)  # one row per trait

# one trait by hand: deviations from each group's mean, then the slope of W on N
group = study.groups_of(seen.table).to_numpy()
both = pd.DataFrame({"N": seen.neutral(), "W": seen.raw()["warmth"]})
both = both - both.groupby(group).transform("mean")
slope, start = np.polyfit(both["N"], both["W"], 1)
assert np.isclose(slope, narrow.loc["warmth", "slope"])
narrower = (both["W"] - both["N"]).std() / both["W"].std()
assert np.isclose(narrower, narrow.loc["warmth", "Δcos"])

# %% tags=["hide-input"]
right = {column: [study.own_label(named, column, beyond_neutral=less) for less in (False, True)] for column in ("race", "gender")}
wide = {name: words.among(int((narrow[name] < 1).sum()), len(narrow)) for name in ("Δcos", "centred")}
means = [study.by_identity(100 * values, seen.table).mean() for values in (seen.neutral(), study.adjectives(seen))]
vb.note(slope_here=slope, narrower_here=narrower, narrower={"delta": wide["Δcos"], "centred": wide["centred"]}, better=words.among(int((narrow["Δcos"] < narrow["centred"]).sum()), len(narrow)), here=float(study.transfer(*means)),
        right={column: own[0] for column, own in right.items()}, same={column: "the same" if np.isclose(*own) else "another share" for column, own in right.items()})
tables.readable(narrow, names={"dimension": "trait"}).set_caption("Slope of W on N with its 95 % interval, and spread within groups, divided by that of the raw score")

# %% [markdown]
# On these faces Δcos is narrower in {glue:text}`narrower.delta` traits. (For warmth the slope is {glue:text}`slope_here:.2f`, and the spread shrinks to {glue:text}`narrower_here:.0%`.) So "narrower" is
# not a property of the subtraction; it depends on the model and on the trait.
#
# The table has a third measure, which needs no neutral sentence: *centred* is the score for a trait minus the mean score for all adjectives. It is narrower in
# {glue:text}`narrower.centred` traits.
#
# :::{dropdown} Details: people and groups (Figures S.12 and S.14)
# If one person is shown in two groups, do the two neutral scores go together? The correlations run from {glue:text}`r.low:.2f` to {glue:text}`r.high:.2f`, and {glue:text}`positive` intervals lie
# above zero. What a person brings along (garment, hair, background) moves the neutral score in every group.
#
# The largest difference between groups is {glue:text}`largest:.2f` hundredths; people of one group spread by {glue:text}`spread:.2f`. With Holm's correction, the group above all others is
# {glue:text}`unlike.holm.above`, the one below all {glue:text}`unlike.holm.below`.
#
# The paper notes that CLIP can tell race and gender by Δcos. It can as well without the subtraction: the same number is taken from all labels of a face, so the nearest label stays
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
# In the [Greenhouse](../../book/greenhouse/limits.md) we know what captions said, because we wrote them. There, small networks learn from drawn faces and captions. We trained two kinds of networks. In both, **every trait
# is said equally often of all groups**. So a good measure should find no difference between groups in any trait.
#
# - *No adjective more often.* Of some groups, captions say just "a photo of a person" more often. Only the neutral sentence is biased.
# - *Group named less often.* Captions of the same groups leave out hue and crest more often ("a warm person", not "a warm teal person"). Then *all* our sentences, neutral or not, fit their
#   faces better.
#
# Scores are in logits, steps on the scale of log-odds: 0.1 logits more mean that the odds of a word are about 10 % higher.

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

# one network by hand: no adjective more often, at full strength
one = everyone.where((condition == "neutral") & (strength == strength.max()))
first, second = ((one.images["race"] == hue).to_numpy() for hue in most[1:])
trait, person = one.raw[0].mean(axis=1), one.neutral[0]  # one value per picture
in_traits = trait[first].mean() - trait[second].mean()
in_person = person[first].mean() - person[second].mean()
delta = study.gap(one.reading("Δcos"), one.images, most)[0].mean()
assert np.isclose(in_traits - in_person, delta)

# %% tags=["hide-input"]
TITLES = {"neutral": "no adjective more often", "marking": "group named less often"}
NAMES = {"raw": "raw score", "Δcos": "Δcos", "centred": "centred"}
plotted = found[found["reading"] != "neutral"].assign(condition=found["condition"].map(TITLES), reading=found["reading"].map(NAMES))
strongest = found[found["strength"] == found["strength"].max()].set_index(["condition", "reading"])
vb.figures.show(
    vb.figures.levels(plotted, level="strength", value="mean", low="low", high="high", group="reading", panel="condition", points=plotted.assign(mean=plotted["planted"]),
                      level_label="how strongly captions differ (1: as planned)", value_label=f"{most[1]} − {most[2]}, mean of eight traits, logits"),
    name="neutral_prompt-arms",
    alt=f"Mean difference over eight traits between {most[1]} and {most[2]} against how strongly captions differ, by measure. At full strength: "
    + "; ".join(f"{TITLES[arm]}, {reading} {row['mean']:+.2f}" for (arm, reading), row in strongest.iterrows() if reading != "neutral") + " logits.",
    caption="No difference between groups was planted in any trait. Lines: means over networks, with 95 % intervals; dots: what the captions make each measure show.",
    source="greenhouse",
)
side = {"above": f"a difference in favour of {most[1]}", "below": f"a difference against {most[1]}", "neither": "no difference that can be distinguished from zero"}
vb.note(favoured=most[1], disfavoured=most[2], least=int(strongest["n"].min()), negative=words.among(int(strongest.loc[("neutral", "Δcos"), "negative"]), len(CAUSALFACE.dimensions)), hand={"traits": in_traits, "person": in_person, "delta": delta},
        shown={(arm, name): strongest.loc[(arm, reading), "mean"] for arm in ("neutral", "marking") for name, reading in (("raw", "raw"), ("delta", "Δcos"), ("centred", "centred"), ("baseline", "neutral"))},
        planted=strongest.loc[("neutral", "neutral"), "planted"], side={(arm, name): words.side(row["low"], row["high"], **side) for arm in ("neutral", "marking")
        for name, reading in (("raw", "raw"), ("delta", "Δcos")) for row in [strongest.loc[(arm, reading)]]})

# %% [markdown]
# ### One subtraction, two results
#
# **No adjective more often.** Here {glue:text}`favoured` faces are nearer to "a person" than {glue:text}`disfavoured` ones. The raw scores for traits show {glue:text}`side.neutral.raw`, as they should. Δcos
# shows {glue:text}`side.neutral.delta`: {glue:text}`shown.neutral.delta:+.2f` logits on average over {glue:text}`least` networks, and below zero in {glue:text}`negative` traits. So {glue:text}`favoured` faces look less warm
# *and* less cold, less powerful *and* less powerless. The subtraction has made a bias.
#
# (In the network that we computed by hand, the neutral score differs by {glue:text}`hand.person:+.2f` and the traits by {glue:text}`hand.traits:+.2f`; the subtraction gives {glue:text}`hand.delta:+.2f`.)
#
# **Group named less often.** Now the raw scores show {glue:text}`side.marking.raw` in all traits together ({glue:text}`shown.marking.raw:+.2f` logits). Δcos shows {glue:text}`side.marking.delta`
# ({glue:text}`shown.marking.delta:+z.2f`). This is what the authors want: the subtraction has removed a bias.
#
# The *centred* score shows no difference in either case. It cannot: whatever happens, its mean over all adjectives is zero for every face. It answers another question, "which trait more than the others?", and never
# "how much of a trait?".
#
# ### Can one see which case a model is in?
#
# It is tempting to look at the model itself. Are the groups that are nearer to "a person" also nearer to sentences with adjectives? Draw the six groups' mean scores for all adjectives against their
# neutral scores. A slope near 1 would speak for the second case, a slope near 0 for the first.

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
often = vb.networks.rates({name: own > 0.5 for name, own in slopes.items()})["rate"]

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=2.6)
for place, (name, own) in enumerate(reversed(slopes.items())):
    axis.plot(own, place + 0.5 * (np.arange(len(own)) * 0.618 % 1 - 0.5), "o", color="0.5" if name == "null networks" else vb.figures.COLOURS["planted"], ms=5, alpha=0.8)
axis.axvline(0.5, color="0.6", ls="--", lw=1)
axis.set(yticks=range(len(slopes)), yticklabels=list(slopes)[::-1], ylim=(-0.5, len(slopes) - 0.5), xlabel="slope of all adjectives on the neutral sentence, over six groups")
average = {name: float(np.mean(own)) for name, own in slopes.items()}
vb.figures.show(
    fig,
    name="neutral_prompt-slopes",
    alt="A dot for each network: slope of the groups' scores for all adjectives on their neutral scores. Means: " + ", ".join(f"{name} {mean:.2f}" for name, mean in average.items()) + ".",
    caption="A dot is a network. Dashed: one half.",
    source="greenhouse",
)
in_null = average["null networks"]
vb.note(slope={"marking": average[TITLES["marking"]], "neutral": average[TITLES["neutral"]], "silent": in_null, "above": often["null networks"]}, null=len(null.networks),
        says=words.verb(in_null, above=0.5, then="nearer to 1 than to 0, although no caption made it so", else_="nearer to 0 than to 1, although no caption made it so"))

# %% [markdown]
# The slope does separate our two conditions. On average it is {glue:text}`slope.marking:.2f` where groups are named less often, and {glue:text}`slope.neutral:.2f` where captions lack an adjective more often.
#
# But what is it where captions treat all groups alike? In {glue:text}`null` such *null networks* it averages {glue:text}`slope.silent:.2f`, {glue:text}`says`.
#
# So the slope of one model does not tell what its captions were. Some pictures lie nearer to all sentences for no reason in the captions, and this alone makes a slope.
#
# ### Null networks have a "person" bias, too
#
# How often does the paper's analysis find a difference in the neutral score where nothing was planted?

# %%
values = null.of_groups(null.neutral)  # networks × people × groups
p, difference = study.paired_in_each(values)  # fifteen tests in each network
beyond_all = study.unlike_all(p, difference, groups=6).any(axis=1)
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
    alt=f"Differences in the neutral cosine between hues and between crests in {len(null.networks)} null networks; {np.mean(excluded):.0%} of the intervals over people exclude zero.",
    caption="Null networks: the difference in the neutral score for each pair of hues, and for the crests, network by network, in order.",
    source="greenhouse",
)
vb.note(alarm=(p <= study.ALPHA).mean(), outlier=beyond_all.mean(), networks=len(null.networks), mean=over["mean"].abs().max(), sd=over["sd"].mean(),
        alarmed=words.among(int((over["p"] <= study.ALPHA).sum()), len(over)))

# %% [markdown]
# Of the paired tests over people, {glue:text}`alarm:.0%` have p ≤ .01, where chance alone gives 1 %. In {glue:text}`outlier:.0%` of the null networks, some group is above or below *all five* others, as the
# paper reports of two groups. Such a result is right about the one network that was tested. But no caption made it, and in the next network it may be another group.
#
# With each network counted as one observation, {glue:text}`alarmed` tests have p ≤ .01. So a "person" bias is a fact about one model. That is what the paper claims. It does not say that some people are more of "a person"
# in the captions that CLIP learnt from.
#
# :::{dropdown} Details: all tests, and what each subtraction costs
# Holm's correction does not help: it corrects for fifteen tests, not for having only one network. The first table counts the tests by what is taken as one observation.
#
# Which measure is best, then? The second table asks how far differences of single networks stray from zero where nothing was planted, and how well planted ones are recovered. Least astray is:
# {glue:text}`least_stray`. The smallest error against the captions has: {glue:text}`least_error` ({glue:text}`error.least:.2f` beside {glue:text}`error.second:.2f`, {glue:text}`near`).
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
        near=words.verb(second_best, above=1.1 * smallest, then="clearly less than the next", else_="too little less than the next to say which is best"))
tables.readable(cost, names={"slope_counted": "slope on counts of captions", "slope_per_face": "slope on single faces"}).set_caption(
    "Logits: typical difference in null networks (stray); slope on what was planted, r and typical error in networks with planted differences"
)

# %% [markdown]
# ### What this means for the paper
#
# That the model's neutral score differs between groups is well shown, for this model. That the subtraction *removes* a bias is an assumption: it holds if the traits share the bias of the neutral sentence. The
# authors' own scores can show how much the subtraction matters: print each judgement twice, raw and as Δcos. If a group is low in *every* trait by Δcos, the neutral sentence may be the reason.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, compared with the paper's text:
#
# | | what the paper says | what the code does | here |
# |---|---|---|---|
# | faces | "prototype images" | it takes rows with smiling 0 | the neutral face of each person and group, once |
# | tests | "paired *t*-tests", p ≤ 0.01 | it makes 15 tests and does not correct for their number | with and without Holm's correction |
# | sentences (H15) | the fourth begins with a capital and ends in a full stop | it has neither (CLIP ignores capitals; the full stop matters) | both |
# | Δcos | a difference (Equation 2) | a relative difference in the figure of intersections, a difference elsewhere | both in the table of spreads |
# | neutral sentence | no adjective is inserted | the double space that remains is made a single one | single |
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
# - A subtraction takes *one* number per face from all traits. What the traits share with the neutral sentence, it removes. What they do not share, it adds to all of them, with the opposite sign.
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
# You know by how much captions shift the neutral prompt's gap and the trait gap, but not the condition. Which one number tells the conditions apart? What would it have to be for Δcos to be right?
# :::
#
# ```{solution-start} neutral_prompt-arm
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
called = strongest["planted"]
share = {name: float(called[name, "raw"] / called[name, "neutral"]) for name in ("neutral", "marking")}
print({name: round(value, 2) + 0.0 for name, value in share.items()}, "of the neutral gap is in the raw trait gap")
assert abs(share["neutral"]) < 0.05 and abs(share["marking"] - 1) < 0.05

# %% [markdown]
# The ratio of the trait gap to the neutral gap: 0 where only neutral captions differ, 1 where both do. Δcos assumes that it is 1; in between, subtract that share of $N$.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If group labels are mentioned for some people and left out for others ("a doctor", "a woman doctor"), is the neutral prompt the right zero, a biased one, or the finding itself?
# 2. Centring answers a different question from Δcos. Which of the paper's conclusions need "how much", and which only "more than other traits"?
