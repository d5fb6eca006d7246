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
# *Hausladen, Knott, Camerer and Perona (2025), Appendix E: why every judgement is measured as a difference from a neutral sentence. At the end, Appendix C of an earlier version: do opposite words look opposite?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Some faces fit "a photo of a person" better than others. The authors subtract this score from every score for a trait. When
# does the subtraction remove a bias, and when does it make one?
#
# **Answer in short.** It removes a bias that all sentences share. It makes a bias where only the neutral sentence is biased. The scores of a single
# model do not safely tell which is the case. [In networks that we trained on captions that treat all groups alike, groups still differ by accident; the subtraction makes these differences a little smaller,]{.holds #smaller} which is what the authors want. So report scores with and without the subtraction.
#
# **In 20 minutes:** {ref}`What the paper reports <neutral_prompt-found>`, {ref}`What this method can see <neutral_prompt-see>`,
# {ref}`One subtraction, two results <neutral_prompt-two>`, {ref}`Take-aways <neutral_prompt-take>`. **In 75 minutes:** everything, with both
# exercises.
#
# **You need:** a paired t-test, a slope. The primer
# "[Cosines, neutral prompts and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper studies race and gender as a model sees them. The drawn faces on this page belong to invented
# groups; they stand for nobody. The adjectives include belittling ones ("low-status", "powerless").
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # faces with columns seed, race, gender, subset; an image set
root = ""  # folder of its images, where a set has one; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at it; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
labels = "greenhouse/labels"  # the groups' own labels; a prompt set
text_model = "greenhouse"  # Words: encoder whose opposite words are compared; a model
protocol = "described"  # whose templates give the headline: the paper's or the authors' code; one of: described, released
seed = 42  # seed of every random draw; at least 0
results = "_build/results/causalface/neutral_prompt.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from scipy import stats
from sklearn.metrics import silhouette_score

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import neutral_prompt as study
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

vb.figures.style()
SIDES = {"pos": "positive side", "neg": "negative side"}

# %% [markdown]
# (neutral_prompt-found)=
# ## What the paper reports: some faces fit "a person" better
#
# CLIP gives a number (a cosine) for how well a face fits a sentence. {cite:t}`hausladen2025` notice that faces also differ in how well they fit a *neutral sentence* (in the paper: neutral prompt), "a photo of a person". The authors take this fit as the zero. For a face $i$ and a *trait* $D$, they compute the *score*, Δcos:
#
# $$\Delta\cos(i, D) = \underbrace{W_D(i)}_{\text{"a photo of a warm person"}} - \underbrace{N(i)}_{\text{"a photo of a person"}}.$$
#
# Here $W$ is the *raw score* of the trait, and $N$ is the *neutral score*. There are eight traits, such as warmth, positive agency ("powerful") and negative agency ("powerless"), each the mean over several adjectives.
#
# The faces are made by a computer: each invented person is shown in six groups, of three races and two genders. The authors compare the neutral scores of these groups, with {claim}`neutral_prompt.n` faces in each. Asian women have
# {claim}`neutral_prompt.asian-women` scores than all other groups, Black men {claim}`neutral_prompt.black-men` ones (p {claim}`neutral_prompt.s13-p`). The size of the differences is not printed.

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/neutral_prompt")
printed = claims.set_index("claim")["printed"]
of_words = claims["where"].str.contains("Table|C.1")  # of the word lists, and of the earlier version's check of words
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
# "We conclude that there exists a bias towards the concept of "person" that needs to be accounted for when assessing social biases." This bias "is removed", they write, when the neutral score is subtracted. They add that Δcos varies less than the raw score.
#
# **Their own limits.** They call the bias "small". They also show that the neutral score depends on the invented person, not only on the group: persons with a high score in one group tend to have one in another, too (r from {claim}`neutral_prompt.r.smallest` to {claim}`neutral_prompt.r.largest`).
#
# ### Do the printed numbers agree?
#
# The few printed numbers agree. Most claims of Appendix E are words.

# %%
vb.ledger.show(claims[~of_words])

# %% [markdown]
# ### What one may doubt
#
# **Is the bias removed?** For each face, the same number is subtracted from all traits. Suppose that two groups differ only in the neutral score, as in these made-up scores:

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
# What we show comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A *hue* (teal, amber or violet) stands for race, a *crest* (budded or eared) for gender ([what this world can and cannot show](../../book/greenhouse/limits.md)).
#
# We repeat the authors' fifteen tests of the neutral score. Each compares the same people in two of the six groups.

# %% tags=["hide-cell"]
released = {}
for name in (prompts, labels):
    released[name] = name.removesuffix("/released") + "/released"
PROTOCOLS = {  # the text and the code differ in how sentences are written
    "described": dict(words=prompts, names=labels),
    "released": dict(words=released[prompts], names=released[labels]),
}
look = partial(vb.perceive, stimuli, model, root=root, cosines=cosines)
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
group = study.groups_of(seen.table).to_numpy()
spread = {name: (own - own.groupby(group).transform("mean")).std() for name, own in (("raw", seen.raw()), ("Δcos", seen.delta()))}  # within groups, by trait
kinds = {side: words.listed(own) for side, own in study.extremes(tests).items()}
vb.note(drawn=made_here.of_ours(seen), unlike=kinds, hits=words.among(int(differ.sum()), len(tests)),
        narrower=words.among(int((spread["Δcos"] / spread["raw"] < 1).sum()), len(spread["raw"])))
vb.holds(not_always_narrower=bool((spread["Δcos"] >= spread["raw"]).any()))

# %% [markdown]
# {glue:text}`hits` pairs of groups differ with p ≤ .01, the paper's criterion. Higher than all five others:
# {glue:text}`unlike.above`. Lower than all five: {glue:text}`unlike.below`.
#
# :::{dropdown} Details: when does Δcos vary less?
# Δcos varies less than the raw score of a trait if the slope of the raw score on the neutral score, within a group, is above one half (exercise 1). [On our faces, it varies less in {glue:text}`narrower` traits. So this is not a property of the subtraction alone.]{.holds #not_always_narrower}
# :::

# %% tags=["hide-cell"]
who = roles.of(seen, CAUSALFACE)
for name, (own, own_names) in looks.items():
    for claim, value in study.claims(own, own_names, who).items():
        # statements that name groups of people are recorded where the faces show people
        if claim not in study.OF_PEOPLE or own.source != "greenhouse":
            vb.ledger.record(f"neutral_prompt.{claim}", value, results=results, stimuli=own, model=own, protocol=name)

# Figure C.5 of the earlier version: r of the two sides of a trait over all images of a group, raw scores
whole = look(words=prompts)
agree = pd.DataFrame({
    group: {trait: own[list(pair)].corr().iloc[0, 1] for trait, pair in CAUSALFACE.poles.items()}
    for group, own in whole.raw().groupby([whole.table["race"].to_numpy(), whole.table["gender"].to_numpy()], sort=False)
})
of_sides = {"correlated": (agree > 0).all(axis=None), "belief-strongest": agree.mean(axis=1).idxmax() == "belief", "communion-weakest": agree.mean(axis=1).idxmin() == "communion"}
if whole.source != "greenhouse":
    of_sides |= {"asian-men": all(group == ("asian", "male") for group in agree.idxmax(axis=1)), "white-lower": (agree.T.groupby(level=0).mean().idxmin() == "white").all()}
for claim, value in of_sides.items():
    vb.ledger.record(f"neutral_prompt.{claim}", bool(value), results=results, stimuli=whole, model=whole)

# %% [markdown]
# (neutral_prompt-see)=
# ## What this method can see: it removes a bias, or makes one
#
# When does the subtraction help? In the Greenhouse we know the right answer, because we wrote the captions. The more often captions say a sentence of some faces, the higher these faces score for it.
#
# We trained networks in two conditions. In both, {glue:text}`favoured` faces are called powerful *rather than powerless* as often as {glue:text}`disfavoured` ones.
# So **the right difference between {glue:text}`favoured` and {glue:text}`disfavoured` is zero**, and the same holds for every trait.
#
# - *Neutral sentence only.* Captions say "a photo of a person" more often of {glue:text}`favoured` faces than of {glue:text}`disfavoured` faces. All sentences with a trait are equally frequent for both.
# - *All sentences.* Captions say "a photo of a person" more often of {glue:text}`favoured` faces. They also say all traits, such as "a photo of a powerful person" and "a photo of a powerless person", more often of them, by the same factor.
#
# At full strength (1), this factor is {glue:text}`times:.2f`. Scores are in *logits* (the cosine times a number that the network has learnt), in which a factor becomes a difference: its natural logarithm.
#
# Above zero, {glue:text}`favoured` faces score higher in the traits. A measure that is always right would stay at zero in both conditions.

# %%
spoken, portraits = grammar.load(), retrained.scores("grid")
networks, pictures = portraits.networks, portraits.images
neutral_faces = (pictures["set"] == "grid") & (pictures["subset"] == "prototype")
faces = pictures[neutral_faces].reset_index(drop=True)
scale = networks["logit_scale"].to_numpy()[:, None, None]
logits = scale * portraits.scores[:, neutral_faces].astype(float)
at = list(portraits.columns).index
raw = logits[..., [at(name) for name in CAUSALFACE.dimensions]]
person, adjectives = logits[..., [at("neutral")]], logits[..., [at("adjectives")]]
# each: networks × pictures × traits
scores = {"raw": raw, "Δcos": raw - person, "neutral": person}

hues = [spoken.bias.roles[part] for part in ("favoured", "middle", "disfavoured")]
most = ("race", hues[0], hues[2])  # the two hues that the captions set furthest apart


def gap(values, column, one, other):
    """Mean of one group's pictures minus that of another's: networks × traits."""
    first, second = ((faces[column] == level).to_numpy() for level in (one, other))
    return values[:, first].mean(axis=1) - values[:, second].mean(axis=1)


EXPECTED = {"raw": "trait", "Δcos": "delta", "neutral": "neutral"}
condition, strength = networks["condition"], networks["condition_strength"]
rows = []
for arm in ("neutral", "marking"):
    used = (networks["b"] == 0) & condition.isin([arm, "none"])
    for level in np.sort(strength[used].unique()):
        # by how much captions shift the logits of each picture
        shift = truth.arm_shift(spoken, faces, {arm: level}) if level else None
        for reading, column in EXPECTED.items():
            gaps = gap(scores[reading][used & (strength == level)], *most)
            row = {"condition": arm, "strength": level, "reading": reading, "planted": 0.0}
            if level:
                row["planted"] = gap(shift[[column]].to_numpy()[None], *most).item()
            row |= vb.networks.summary(gaps.mean(axis=1)).loc["all"].to_dict()
            rows.append(row | {"negative": (gaps.mean(axis=0) < 0).sum()})
found = pd.DataFrame(rows)

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
vb.note(favoured=most[1], disfavoured=most[2], trained={arm: int(strongest.loc[(arm, "raw"), "n"]) for arm in ("neutral", "marking")}, negative=words.among(int(strongest.loc[("neutral", "Δcos"), "negative"]), len(CAUSALFACE.dimensions)),
        shown={(arm, name): strongest.loc[(arm, reading), "mean"] for arm in ("neutral", "marking") for name, reading in (("raw", "raw"), ("delta", "Δcos"))},
        times=np.exp(strongest.loc[("neutral", "neutral"), "planted"]))
low, high = strongest["low"], strongest["high"]
vb.holds(neutral_higher=low["neutral", "neutral"] > 0, raw_right=low["neutral", "raw"] <= 0 <= high["neutral", "raw"], made=high["neutral", "Δcos"] < 0,
         raw_shared=low["marking", "raw"] > 0, removed=low["marking", "Δcos"] <= 0 <= high["marking", "Δcos"])

# %% [markdown]
# (neutral_prompt-two)=
# ### One subtraction, two results
#
# We compare the two hues at full strength, over {glue:text}`trained.neutral` networks in the first condition and {glue:text}`trained.marking` in the second.
#
# **Neutral sentence only.** [Here {glue:text}`favoured` faces have higher neutral scores.]{.holds #neutral_higher}
# [The raw scores, taken over all traits, show no difference that can be distinguished from zero.]{.holds #raw_right} This is right.
# [Δcos shows lower scores for {glue:text}`favoured` faces: {glue:text}`shown.neutral.delta:+.2f` logits on average, and below zero in {glue:text}`negative` traits. So {glue:text}`favoured` faces look less
# powerful *and* less powerless.]{.holds #made} The subtraction has made a bias.
#
# **All sentences.** [Now the raw scores show higher scores for {glue:text}`favoured` faces: {glue:text}`shown.marking.raw:+.2f` logits, as a mean over the traits.]{.holds #raw_shared} [Δcos shows no difference that can be distinguished from zero
# ({glue:text}`shown.marking.delta:+z.2f`).]{.holds #removed} As the authors want, the subtraction has removed a bias.
#
# ### Can one see which condition a model is in?
#
# For CLIP, we do not know how often its captions say each sentence of each group. Can its scores tell? If a group is one point higher than another in the neutral score, how many points higher is it in the mean of all traits? This *slope* (of a line through six points, one for each group) should be near 0 if only the neutral sentence is biased, and near 1 if all sentences are.
#
# For comparison we take *null networks*, which learnt from captions that treat all groups alike.

# %%
full = strength == strength.max()
null = (condition == "none") & (networks["b"] == 0)  # captions treat all alike
kinds_of = {"null networks": null}
kinds_of |= {TITLES[arm]: (condition == arm) & full for arm in ("neutral", "marking")}
places = study.places(faces)  # people × groups: the row of each picture
slopes = {}
for name, kept in kinds_of.items():
    # networks × groups: mean over people, less the mean over groups
    n, w = (own[kept][:, places.to_numpy(), 0].mean(axis=1) for own in (person, adjectives))
    n, w = (own - own.mean(axis=1, keepdims=True) for own in (n, w))
    slopes[name] = (n * w).sum(axis=1) / (n**2).sum(axis=1)  # least squares
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
vb.note(slope={"marking": average[TITLES["marking"]], "neutral": average[TITLES["neutral"]], "silent": in_null}, null=int(null.sum()),
        above_half=words.among(int(above_half.sum()), len(by_chance)), as_low=words.among(int(as_low.sum()), len(by_chance)))

# %% [markdown]
# [The slope does separate our two conditions: its mean is {glue:text}`slope.neutral:.2f` in *neutral sentence only*, and {glue:text}`slope.marking:.2f` in *all sentences*.]{.holds #slope_separates}
#
# But a high slope does not tell what the captions were. [The {glue:text}`null` null networks have a mean slope of {glue:text}`slope.silent:.2f`, and {glue:text}`above_half` are above one half.]{.holds #null_slopes} (A possible reason, not tested: the sentences share their words.)
#
# [So in null networks, the subtraction makes accidental differences between two groups smaller:]{.holds #smaller} typically {glue:text}`stray.raw:.2f` logits in a raw score, and {glue:text}`stray.delta:.2f` in Δcos.
#
# [In {glue:text}`as_low` null networks, the slope is as low as in *neutral sentence only*. So a low slope is a hint at most.]{.holds #low_by_accident}

# %% tags=["hide-cell"]
first, second = np.array(list(combinations(range(6), 2))).T


def fifteen(values):
    """The p of all tests in each network, and whether one group is above all others, one below."""
    p = stats.ttest_rel(values[..., first], values[..., second], axis=1).pvalue
    difference = (values[..., first] - values[..., second]).mean(axis=1)
    beyond_all = study.unlike_all(p, difference, groups=6)  # 1: above all, −1: below all
    return p, (beyond_all == 1).any(axis=1) & (beyond_all == -1).any(axis=1)


neutral_of = person[:, places.to_numpy(), 0]  # networks × people × groups
values = neutral_of[null]
p, one_of_each = fifteen(values)
pattern = {"null": one_of_each}  # and at two strengths of both conditions
for name, level in (("full", 1), ("half", 0.5)):
    pattern[name] = fifteen(neutral_of[condition.isin(TITLES) & (strength == level)])[1]

# typical (root mean square) difference between two hues, or the two crests, where none is right
crests = tuple(spoken.bias.roles[part] for part in ("first", "second"))
contrasts = [("race", *pair) for pair in combinations(hues, 2)] + [("gender", *crests)]
stray = {}
for name, reading in (("raw", "raw"), ("delta", "Δcos")):
    each = [gap(scores[reading][null], *pair) for pair in contrasts]
    stray[name] = float(np.sqrt(np.mean(np.square(np.hstack(each)))))

# %% tags=["hide-input"]
vb.note(alarm=(p <= study.ALPHA).mean(), one_of_each={name: words.among(int(own.sum()), len(own)) for name, own in pattern.items()}, stray=stray)
often = vb.networks.rates(pattern)
vb.holds(pattern_tells=bool(often.loc["full", "low"] > often.loc["null", "high"]), smaller=bool(stray["delta"] < stray["raw"]), null_slopes=bool(above_half.mean() > 0.5),
         low_by_accident=bool(as_low.mean() > 0.05), slope_separates=bool(slopes[TITLES["neutral"]].max() < slopes[TITLES["marking"]].min()))

# %% [markdown]
# ### What this means for the paper
#
# That the neutral score differs between groups is well shown, for this one model. The authors claim no more. In our null networks, {glue:text}`alarm:.0%` of the same fifteen tests have p ≤ .01.
#
# [But the authors' pattern, one group above all others and one below, occurs in only {glue:text}`one_of_each.null` null networks, and in {glue:text}`one_of_each.full` networks whose captions favour a hue in neutral sentences.]{.holds #pattern_tells} (At half the strength, it is {glue:text}`one_of_each.half`.) So this pattern is hardly such an accident, which speaks for the authors.
#
# That the subtraction *removes* a bias is an assumption. It holds if the traits share the bias of the neutral sentence. In our null networks, they mostly do, which speaks for the authors; whether they do in CLIP is not known.
#
# The authors' own scores, which we {ref}`did not have <causalface-not-run>`, can give hints. If a group is low in *every* trait by Δcos only, the neutral sentence may be the reason. If it is high in *every* trait by raw scores only, it may be a bias of all sentences.

# %% [markdown]
# (neutral_prompt-words)=
# ## Are opposite words opposites for a model?
#
# An earlier version of the paper checks the words before it uses them (its Appendix C). The published paper does not, and none of its claims rests on it.
#
# Opposites often occur in the same sentences, and so get similar vectors {cite}`mohammad2013`. If a model distinguishes them, cosines of pairs on the *same* side (powerful, dominating) should be larger than those of pairs on *opposite* sides (powerful, powerless). The table has the p-values of the authors' one-sided t-tests, which look only for this:

# %% tags=["hide-input"]
table_c3 = pd.DataFrame({side: {trait: printed[f"neutral_prompt.table_c3.{trait}.{sign}"] for trait in CAUSALFACE.poles} for sign, side in SIDES.items()})
tables.readable(table_c3).set_caption("Table C.3: one-sided p, “same side exceeds opposite sides”")

# %% [markdown]
# None of them is below .05. The authors call the two sides "valences" and conclude: "positive and negative valences are close in space".
#
# **Their own limits.** Of pairs of opposites, both versions say that "their antonymic relationship in CLIP’s embedding space remains unconfirmed" (*antonymic* means opposite).
#
# The printed numbers agree, with one exception: the text takes *conservative* and *liberal* for words of Communion, the table lists them under Belief.

# %%
vb.ledger.show(claims[of_words])

# %% [markdown]
# **Does "not significant" mean close?** No, it means that no difference was shown; how large it may be is not printed. Nor are pairs independent, since every word is in many pairs (exercise 2).
#
# ### The same comparison in another model
#
# [The model is {glue:text}`text_model`.]{.if-run}
#
# We take the *word* as our unit of analysis. If the sides did not matter, any six of the twelve words of Agency could have been called positive. The p-value is the share of such choices whose difference is at least as large as the real one. The last column is corrected for three tests (Holm):

# %% tags=["hide-input"]
try:
    prompt_set, encoder = vb.prompts(prompts.removesuffix("/released")), vb.encoder(text_model)
    adjectives = vb.embed(encoder, prompt_set)
except FileNotFoundError as missing:  # the weights of a published model
    adjectives = None
    display(Markdown(f"*Not run here: {missing}*"))


def unit(vectors):
    """Vectors made as long as 1."""
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def of_side(name):
    """One vector of length 1 per word: its mean over the sentences in which it is said."""
    listed = adjectives.table.reset_index(drop=True).query("dimension == @name and not neutral")
    sentences = listed.assign(row=listed.index).pivot(index="word", columns="template", values="row")
    sentences = sentences.loc[listed["word"].unique()]
    return sentences.index, unit(unit(np.asarray(adjectives, float))[sentences.to_numpy()].mean(axis=1))


# %%
def compared(similar, positive):
    """Mean cosine on the same side, and on opposite sides."""
    same = []
    for side in (positive, ~positive):
        own = similar[np.ix_(side, side)]
        same.append(own[np.triu_indices(len(own), 1)].mean())  # each pair once
    return np.mean(same), similar[np.ix_(positive, ~positive)].mean()


rows = []
for trait, (plus, minus) in CAUSALFACE.poles.items() if adjectives is not None else ():
    vectors = np.vstack([of_side(plus)[1], of_side(minus)[1]])  # a word each
    similar, n = vectors @ vectors.T, len(of_side(plus)[1])
    differences = []
    for chosen in combinations(range(len(vectors)), n):  # the real choice comes first
        same, across = compared(similar, np.isin(np.arange(len(vectors)), chosen))
        differences.append(same - across)
    same, across = compared(similar, np.arange(len(vectors)) < n)
    p = np.mean(np.array(differences) >= differences[0] - 1e-12)
    rows.append((trait, same, across, same - across, len(differences), p))
columns = ["trait", "same side", "opposite sides", "difference", "choices", "p"]
whole = pd.DataFrame(rows, columns=columns)
whole["p, corrected"] = holm(whole["p"])  # for three tests
by_trait = tables.readable(whole, precision=3).hide(axis="index")
by_trait.format(tables.p_value, subset=["p", "p, corrected"])

# %% tags=["hide-cell"]
if adjectives is not None:
    record = partial(vb.ledger.record, results=results, stimuli=prompt_set.name)
    every, listed = {}, adjectives.table[~adjectives.table["neutral"].astype(bool)]
    poles = {pole: of_side(pole) for pair in CAUSALFACE.poles.values() for pole in pair}
    for pole, (own, vectors) in (poles | {name: of_side(name) for name in listed["dimension"].unique() if name not in poles}).items():
        for word, vector in zip(own, vectors, strict=True):
            every.setdefault(word, (pole, vector))
    counts = {f"words.{'-'.join(reversed(pole.split('_')))}": len(own) for pole, (own, _) in poles.items()}
    counts |= {name: listed["template"].nunique() for name in ("templates", "appendix.templates")}
    counts |= {"dimensions": listed["dimension"].nunique(), "words.all": len(listed[["dimension", "word"]].drop_duplicates()), "words.distinct": listed["word"].nunique(), "words.abc": sum(counts[f"words.{'-'.join(reversed(pole.split('_')))}"] for pole in poles)}
    counts |= {f"words.{name}": len(of_side(name)[0]) for name in ("warmth", "competence")}
    for claim, value in counts.items():
        record(f"neutral_prompt.{claim}", value, model="none")

    # Table C.3, and the silhouette of the sides on three principal components (Figure C.4)
    own_c3 = {}
    for trait, pair in CAUSALFACE.poles.items():
        for sign, (pole, other) in zip(SIDES, (pair, pair[::-1]), strict=True):
            one, across = poles[pole][1], poles[pole][1] @ poles[other][1].T
            same = (one @ one.T)[np.triu_indices(len(one), 1)]
            own_c3[f"table_c3.{trait}.{sign}"] = float(stats.ttest_ind(same, across.ravel(), alternative="greater").pvalue)
    points, sides = np.stack([vector for _, vector in every.values()]), np.array([pole for pole, _ in every.values()])
    left, strength, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    in_poles = np.isin(sides, list(poles))
    apart = silhouette_score((left * strength)[in_poles, :3], sides[in_poles])
    close = min(own_c3.values()) > 0.05  # the authors' criterion, though it does not show closeness
    for claim, value in (own_c3 | dict.fromkeys(["never-lower", "caption", "close"], close) | {"clustered": bool(apart < 0.25)}).items():
        record(f"neutral_prompt.{claim}", value, model=encoder)

# %% tags=["remove-cell"]
ours = adjectives is not None and adjectives.source == "greenhouse"
significant = words.among(int((whole["p, corrected"] < 0.05).sum()), len(whole)) if len(whole) else None
vb.note(words_significant=significant, hand=dict(zip(("same", "across"), whole.iloc[0, 1:3], strict=True)) if len(whole) else {"same": None, "across": None},
        text_model="a small network that we trained on drawn faces of invented groups and on captions that we wrote" if ours else f"`{text_model}`" if len(whole) else None,
        no_clip="We do not know, because this edition does without CLIP: its weights are a large download" if ours else None)

# %% [markdown]
# [For Agency, the mean cosine is {glue:text}`hand.same:.3f` on the same side, and {glue:text}`hand.across:.3f` on opposite sides. In this model, the two sides are significantly different for {glue:text}`words_significant` traits.]{.if-run}
#
# Where the difference is significant, a model distinguishes the two sides, however high the cosines of opposites are. Does CLIP? [{glue:text}`no_clip`.]{.if-run} With `-p text_model=ViT-B-32-quickgelu/openai`, this page makes the test for CLIP.
#
# **For the paper.** The authors were right to compare two kinds of pairs. But with so few words, the comparison may have missed a difference.

# %% [markdown]
# ## Where paper and code differ
#
# In the authors' repository, at commit `a2daa85`, one difference touches the subtraction: for the figure of intersections, the code divides Δcos by the neutral score ([Intersections](intersections.ipynb)). Two smaller ones: a sentence ends in a full stop in the paper only (H15; `protocol` chooses), and the fifteen tests are not corrected for their number. For the check of words, there is no code: ours is written from the text.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/neutral_prompt -p protocol=released
# ```
# Without the faces, the authors' released tables of scores are enough: `-p stimuli=causalface -p labels=labels -p cosines=FOLDER`. CLIP's weights are downloaded by open_clip when first used.
# :::

# %% [markdown]
# (neutral_prompt-take)=
# ## Take-aways
#
# - The subtraction removes a bias that all sentences share; if only the neutral sentence is biased, all traits get this bias with the opposite sign.
# - Scores that vary less are not nearer to the truth.
# - Report raw scores and Δcos side by side.
# - A difference in one model's neutral score is about that model: null networks have such differences, too.
# - "Not significant" is not "close": report the difference and its interval, with the word as the unit of analysis.

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
# With SD 2 even a correlation of .99 is not enough.
#
# ```{solution-end}
# ```
#
# :::{exercise} How often does the t-test over pairs find a difference where there is none?
# :label: neutral_prompt-false-positives
# :level: advanced
# :minutes: 20
# :code: yes
# Draw 12 random word vectors that differ in how close they are to a common direction, and call six of them positive at random. Compare the cosines of the positive words with those across the two sides, in a one-sided t-test over pairs. How often is it significant
# at 5 %?
# :::
#
# ```{solution-start} neutral_prompt-false-positives
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
draw, found = np.random.default_rng(seed), []
for _ in range(1_000):
    pull = draw.uniform(0.5, 2.5, size=(12, 1))
    drawn = np.hstack([pull, draw.normal(size=(12, 30)) / np.sqrt(30)])
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    gram = drawn @ drawn.T
    found.append(stats.ttest_ind(gram[:6, :6][np.triu_indices(6, 1)], gram[:6, 6:].ravel(), alternative="greater").pvalue < 0.05)
print(f"{np.mean(found):.0%} in place of 5 %")
assert np.mean(found) > 0.08

# %% [markdown]
# A word that lies near the common direction raises all of its pairs. The t-test counts each pair as independent, and so sees more evidence than twelve words hold. Assign the labels to words at random, not to pairs.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If group labels are mentioned for some people and left out for others ("a doctor", "a woman doctor"), is the neutral prompt the right zero, a biased one, or the finding itself?
# 2. Instead of the neutral score, one can subtract a face's mean score for all adjectives (*centring*). Which of the paper's conclusions need "how much", and which only "more than other traits"?
