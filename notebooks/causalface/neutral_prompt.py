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
# *Hausladen, Knott, Camerer and Perona (2025), Appendix E: the neutral prompt, its bias, and why perception is measured as a difference from it.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Some faces lie nearer to "a photo of a person" than others. Subtracting that closeness from every judgement: when does it remove a
# bias, and when does it move the bias into every trait?
#
# **In 20 minutes:** {ref}`the answer in one figure <neutral_prompt-arms>`, {ref}`the fifteen tests <neutral_prompt-tests>`,
# {ref}`networks with nothing planted <neutral_prompt-silence>`, take-aways.
# **In 75 minutes:** also seeds, densities, {ref}`the condition for narrowing <neutral_prompt-narrowing>`, which arm a model resembles, both exercises.
#
# **You need:** paired t-tests, variance of a difference, correlation. The primer
# [Cosines, neutral prompts and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings in
# invented hues; they stand for nobody.
# :::
#
# **The idea.** CLIP's cosine of a face with *any* sentence about a person depends on the face: on its pose, its light, its background, and on group.
# {cite:t}`hausladen2025` show the model a sentence without an adjective, and take what it says as the zero of every judgement,
#
# $$\Delta\cos(i, D) = \underbrace{W_D(i)}_{\text{words of } D} - \underbrace{N(i)}_{\text{no adjective}}.$$
#
# Three things follow from this line alone, whatever the model.
#
# 1. **Between groups**, $\operatorname{gap}_\Delta(D) = \operatorname{gap}_W(D) - \operatorname{gap}_N$: *one and the same number* is subtracted in all eight dimensions.
# 2. **Within groups**, $\operatorname{Var}(\Delta) < \operatorname{Var}(W)$ exactly if the slope of $W$ on $N$ exceeds one half.
# 3. **Within one image**, the order of the words does not change.
#
# **What the authors conclude.** "We conclude that there exists a bias towards the concept of "person" that needs to be accounted for when assessing social biases": in their data,
# Asian women lie {claim}`neutral_prompt.asian-women`, Black men {claim}`neutral_prompt.black-men` than all other groups (p {claim}`neutral_prompt.p`). The bias "is removed" when
# it is subtracted, and the "Δ cosine similarities result in narrower densities and tighter confidence intervals".
#
# **Their own checks and limits.** They call the bias "small", show that much of it belongs to the seed and not to the group (correlations from {claim}`neutral_prompt.r.smallest` to
# {claim}`neutral_prompt.r.largest`), and conclude that background, hairstyle and face geometry influence the cosine with a neutral "and, thus, likely also with a valenced text prompt".

# %% tags=["parameters"]
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

# %%
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import roles, tables, words
from studies.causalface import neutral_prompt as study
from vlmbias.papers import CAUSALFACE

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, we can plant a bias of the neutral prompt and nothing else. In both arms of the experiment the **odds of every trait word are the same for all groups**.
#
# - Arm *neutral*: for some groups, more captions are just "a photo of a person", and fewer name hue or crest (in place of race and gender).
# - Arm *marking*: for the same groups hue or crest is named less often, so that *both* neutral and trait captions are more frequent.
#
# Many networks were trained on each; gaps are in logits, cosine × the network's scale.

# %%
spoken, portraits = grammar.load(), retrained.scores("grid")
is_prototype = (portraits.images["set"] == "grid") & (portraits.images["subset"] == "prototype")
everyone = study.shown(portraits, CAUSALFACE.dimensions, is_prototype)

hues = [spoken.bias.roles[part] for part in ("favoured", "middle", "disfavoured")]
crests = tuple(spoken.bias.roles[part] for part in ("first", "second"))
contrasts = {f"{one} − {other}": ("race", one, other) for one, other in combinations(hues, 2)}
most = f"{hues[0]} − {hues[2]}"  # what the arms shift most
contrasts[f"{crests[0]} − {crests[1]}"] = ("gender", *crests)
found = study.by_condition(everyone, {most: contrasts[most]}, ["neutral", "marking"], partial(truth.arm_shift, spoken))

# %% tags=["hide-input"]
drawn = found[found["reading"] != "neutral"].assign(condition="condition " + found["condition"])
strongest = found[found["strength"] == found["strength"].max()].set_index(["condition", "reading"])
vb.figures.show(
    vb.figures.levels(drawn, level="strength", value="mean", low="low", high="high", group="reading", panel="condition", points=drawn.assign(mean=drawn["planted"]),
                      level_label="strength of the arm", value_label=f"trait gap, {most}, logits"),
    name="neutral_prompt-arms",
    alt=f"Mean gap over eight traits between {most} against the strength of each arm, by reading. At full strength: "
    + "; ".join(f"arm {arm}, {reading} {row['mean']:+.2f}" for (arm, reading), row in strongest.iterrows() if reading != "neutral") + " logits.",
    caption="No trait gap was planted. Lines: mean over eight traits and over retrained networks, with 95 % intervals; dots: what the shares of captions call for.",
    source="greenhouse",
)
side = {"above": "a gap of the same sign", "below": "a gap of the opposite sign", "neither": "no gap that can be told from zero"}
vb.note(favoured=hues[0], disfavoured=hues[2], least=int(strongest["n"].min()), negative=words.among(int(strongest.loc[("neutral", "Δcos"), "negative"]), len(CAUSALFACE.dimensions)),
        shown={(arm, name): strongest.loc[(arm, reading), "mean"] for arm in ("neutral", "marking") for name, reading in (("raw", "raw"), ("delta", "Δcos"), ("centred", "centred"), ("baseline", "neutral"))},
        planted=strongest.loc[("neutral", "neutral"), "planted"], side={(arm, name): words.side(row["low"], row["high"], **side) for arm in ("neutral", "marking")
        for name, reading in (("raw", "raw"), ("delta", "Δcos")) for row in [strongest.loc[(arm, reading)]]})

# %% [markdown]
# In arm *neutral* captions shift the neutral prompt towards {glue:text}`favoured` and away from {glue:text}`disfavoured` by {glue:text}`planted:.2f` logits. Raw cosines with traits show
# {glue:text}`side.neutral.raw` ({glue:text}`shown.neutral.raw:+z.2f`). Δcos shows {glue:text}`side.neutral.delta`, {glue:text}`shown.neutral.delta:+.2f`, negative in {glue:text}`negative` traits: a group that is
# more often just "a person" then looks less warm *and* less cold. In arm *marking* raw cosines show {glue:text}`side.marking.raw` ({glue:text}`shown.marking.raw:+.2f`), and Δcos
# {glue:text}`side.marking.delta` ({glue:text}`shown.marking.delta:+z.2f`). Centring, the distance from the mean of all adjectives, needs no neutral prompt; its mean over traits is about zero whatever happens.
# Intervals are over {glue:text}`least` networks or more.

# %% [markdown]
# ## What the paper reports
#
# Appendix E prints three figures and few numbers; most of its claims are orderings and verdicts.

# %%
claims = vb.ledger.table("causalface/neutral_prompt")
vb.ledger.show(claims)

# %% [markdown]
# Two remarks on the logic. The fifteen paired tests are uncorrected: with Holm's correction the
# smallest p would have to be below .01/15. And the sentence that CLIP can classify faces by gender and race, "right column, rows 1–4", holds of the centre column as well: subtracting the same number from all labels of an image cannot change which is nearest.
#
# How much is known of a correlation from a hundred pairs of pictures?

# %%
printed = claims.set_index("claim")["printed"]
for which in ("smallest", "largest"):
    r = float(printed[f"neutral_prompt.r.{which}"])
    low, high = study.fisher(r, int(printed["neutral_prompt.n"]))
    print(f"printed r = {r:.2f}: 95 % interval {low:.2f} to {high:.2f}")

# %% [markdown]
# ## The protocol, run on {data}

# %%
released = {name: name.removesuffix("/released") + "/released" for name in (prompts, labels)}
PROTOCOLS = {
    "described": dict(words=prompts, names=labels),
    "released": dict(words=released[prompts], names=released[labels]),
}
shown = stimuli
if not cosines:  # no need to look at the other pictures
    images = vb.images(stimuli, root or None)
    shown = images.where(images.table["subset"] == "prototype")
look = partial(vb.perceive, shown, model, cosines=cosines)
looks = {name: [look(words=one) for one in chosen.values()] for name, chosen in PROTOCOLS.items()}
looks = {name: [one.where(one.table["subset"] == "prototype") for one in own] for name, own in looks.items()}
seen, named = looks[protocol]

neutral = study.by_identity(100 * seen.neutral(), seen.table)
tests = vb.networks.paired(neutral)  # the cases are identities here
r = study.correlations(neutral)

# %% tags=["hide-input"]
source = roles.sources(seen)
clear = np.where(tests["p_holm"] <= 0.05, "p ≤ .05 after Holm", "p > .05")
labelled = tests.assign(pair=tests["first"] + " − " + tests["second"], clear=clear)
vb.figures.show(
    vb.figures.forest(labelled, estimate="mean", low="low", high="high", label="pair", group="clear", value_label="difference × 100, 95 % interval"),
    name="neutral_prompt-tests",
    alt=f"Fifteen paired differences between six groups in the cosine with the neutral prompt, {(tests['p_holm'] <= 0.05).sum()} of them different from zero after Holm's correction.",
    caption=f"Figure S.13: paired differences in the cosine with the neutral prompt, {len(neutral)} prototypes per group.",
    source=source,
)
kinds = {name: {side: words.listed(own) for side, own in study.extremes(tests, p).items()} for name, p in (("plain", "p"), ("holm", "p_holm"))}
vb.note(unlike=kinds, hits=words.among(int((tests["p"] <= study.ALPHA).sum()), len(tests)), held=words.among(int((tests["p_holm"] <= study.ALPHA).sum()), len(tests)),
        largest=tests["mean"].abs().max(), spread=np.sqrt(neutral.var().mean()), r={"low": r["r"].min(), "high": r["r"].max()}, positive=words.among(int((r["low"] > 0).sum()), len(r)))

# %% [markdown]
# For every seed there is one prototype of each group, so groups are compared within seeds. {glue:text}`hits` differences have p ≤ .01, {glue:text}`held` after Holm. Unlike all five others: above,
# {glue:text}`unlike.plain.above`; below, {glue:text}`unlike.plain.below` (after Holm: {glue:text}`unlike.holm.above`;
# {glue:text}`unlike.holm.below`). The largest difference is {glue:text}`largest:.2f` hundredths, the spread between prototypes of one group {glue:text}`spread:.2f`. On our faces this pattern means nothing
# beyond this network.
#
# ### Seeds: Figure S.14

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(r.assign(pair=r["first"] + " − " + r["second"]).sort_values("r"), estimate="r", low="low", high="high", label="pair", value_label="r over seeds, 95 % interval"),
    name="neutral_prompt-seeds",
    alt=f"Fifteen correlations over seeds of the neutral cosine between groups, from {r['r'].min():.2f} to {r['r'].max():.2f}.",
    caption="Figure S.14 as numbers: correlation of the neutral cosine of two prototypes of one seed, in order.",
    source=source,
)

# %% [markdown]
# Correlations run from {glue:text}`r.low:.2f` to {glue:text}`r.high:.2f`; intervals are so wide that neighbours among the fifteen cannot be
# ordered. {glue:text}`positive` intervals lie above zero: what the seed brings along (garment, hair, background) moves the neutral cosine whatever the group.
#
# ### "Narrower densities and tighter confidence intervals": Figure S.12
#
# By the second property, that depends on the slope of $W$ on $N$ within groups: above one half, Δcos is narrower; at exactly 1 no multiple of $N$ would do better. Beside Δcos stand *relative* Δcos
# (divided by the neutral cosine, as in one of the authors' figures), and *centring*. The third property is tried on the labels of race and gender.

# %%
narrow = study.narrowing(seen, n=n_resamples, seed=seed)
ends = [narrow["slope"].idxmin(), narrow["slope"].idxmax()]
right = {column: [study.own_label(named, column, beyond_neutral=less) for less in (False, True)] for column in ("race", "gender")}
tables.readable(narrow).set_caption(
    "Slope of W on N with its 95 % interval, and the standard deviation within groups relative to the raw cosine's"
)

# %% tags=["hide-input"]
vb.figures.style()
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
wide = {name: words.among(int((narrow[name] < 1).sum()), len(narrow)) for name in ("Δcos", "centred")}
vb.figures.show(
    fig,
    name="neutral_prompt-narrowing",
    alt=f"Densities for six groups of the neutral cosine, the mean cosine with a dimension's words, and their difference, for the dimensions with the smallest and the largest slope "
    f"({words.listed(ends)}). Δcos is narrower than the raw cosine within groups in {wide['Δcos']} dimensions.",
    caption="As Figure S.12, for two of its rows: the dimension with the smallest slope of W on N (above) and with the largest (below); each row on one scale.",
    source=source,
)
means = [study.by_identity(100 * values, seen.table).mean() for values in (seen.neutral(), study.adjectives(seen))]
vb.note(narrower={"delta": wide["Δcos"], "centred": wide["centred"]}, better=words.among(int((narrow["Δcos"] < narrow["centred"]).sum()), len(narrow)), here=float(study.transfer(*means)),
        right={column: own[0] for column, own in right.items()}, same={column: "the same" if np.isclose(*own) else "another share" for column, own in right.items()})

# %% [markdown]
# Here Δcos is narrower than the raw cosine in {glue:text}`narrower.delta` dimensions, centring in {glue:text}`narrower.centred`; Δcos is the narrower of the two in {glue:text}`better`. The nearest label of race is the right one for
# {glue:text}`right.race:.0%` of prototypes by raw cosine ({glue:text}`same.race` by Δcos), of gender for {glue:text}`right.gender:.0%` ({glue:text}`same.gender`).
# **Narrower is not nearer to the truth.** A spread within groups bears on the standard error of a group mean, not on what that mean means.
#
# For the means, the first property sets the question: does the trait gap contain the neutral gap? Over our six group means, the slope of $W$, averaged over all adjectives, on $N$ is {glue:text}`here:.2f`.
# If it is 1 because of what captions share, subtracting takes a bias out of the average trait; at 0 it puts one in. What this slope is worth is asked below.

# %% tags=["hide-input"]
who = roles.of(seen, CAUSALFACE)
for name, (own, own_names) in looks.items():
    for claim, value in study.claims(own, own_names, who).items():
        if claim not in study.OF_PEOPLE or own.source != "greenhouse":
            vb.ledger.record(f"neutral_prompt.{claim}", value, results=results, stimuli=own, model=own, protocol=name)

# %% [markdown]
# Statements that name groups of people are computed and recorded where the faces show people; on drawings they are *not evaluated*.

# %% [markdown]
# ## What this method can see
#
# The method rests on assumptions, each with its foil: that traits share the neutral prompt's bias (the two arms of the first figure), that narrower is better (the slope above), that a gap found in one network tells of its captions,
# and that one can see which arm a model resembles.
#
# ### Silence: nothing planted
#
# In these networks every face has the same chance of a neutral caption, whatever its hue and crest. *Target: the captions.* How often does the paper's analysis find a difference?

# %%
arm = everyone.networks["condition"]
silent, told = (everyone.where((arm == "none") & (everyone.networks["b"] == b)) for b in (0, 1))
values = silent.of_groups(silent.neutral)
alarms = study.null_rejections(values)
outliers = study.unlike_all(*study.paired_in_each(values), 6).any(axis=1)
over = vb.networks.paired(pd.DataFrame(values.mean(axis=1), columns=study.places(silent.images).columns))
tables.readable(alarms, names={"holm": "after Holm"}).format("{:.0%}", subset=["uncorrected", "holm"]).set_caption(
    "Share of tests with p ≤ .01, by what is taken for the cases; nothing was planted"
)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, len(contrasts), height=3.6, share_y=True)
excluded = []
for axis, (name, contrast) in zip(axes[0], contrasts.items(), strict=True):
    each = study.gaps_over_identities(silent.neutral, silent.images, contrast)
    mean, places = vb.networks.summary(each["mean"]).loc["all"], range(len(each))
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.vlines(places, each["low"], each["high"], color=vb.figures.COLOURS["recomputed"], lw=1)
    axis.plot(places, each["mean"], "o", color=vb.figures.COLOURS["recomputed"], ms=3, label="one network, 95 % over seeds")
    axis.axhspan(mean["low"], mean["high"], color=vb.figures.COLOURS["planted"], alpha=0.3, label="mean of networks, 95 %")
    axis.set(xticks=[])
    axis.set_title(name, fontsize=10)
    excluded.append((each["low"] > 0) | (each["high"] < 0))
axes[0, 0].set_ylabel("difference, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="neutral_prompt-silence",
    alt=f"Differences in the neutral cosine between hues and between crests in {len(silent.networks)} networks with nothing planted; {np.mean(excluded):.0%} of the intervals over seeds exclude zero.",
    caption="Nothing was planted: the neutral gap of each pair of hues, and of the crests, network by network, in order.",
    source="greenhouse",
)
paired = alarms.loc["identities, paired"]
vb.note(alarm=paired["uncorrected"], alarm_holm=paired["holm"], outlier=outliers.mean(), networks=len(silent.networks), excluded=np.mean(excluded), mean=over["mean"].abs().max(), sd=over["sd"].mean(),
        alarmed=words.among(int((over["p"] <= study.ALPHA).sum()), len(over)))

# %% [markdown]
# In {glue:text}`networks` networks with nothing planted, {glue:text}`alarm:.0%` of the fifteen paired tests have p ≤ .01 ({glue:text}`alarm_holm:.0%` after Holm), and in {glue:text}`outlier:.0%` of the networks
# some group is "significantly" above or below *all five* others, the pattern that the paper reports for two groups. As {glue:text}`excluded:.0%` of the intervals
# exclude zero, nearly each is right about its network. As evidence about *captions* each is a false alarm, and Holm cannot help: it corrects for fifteen tests, not for one network. Over networks, in which names of
# groups are exchangeable, no mean difference exceeds {glue:text}`mean:.2f` logits (standard deviation in one network: {glue:text}`sd:.2f`), and {glue:text}`alarmed` tests have p ≤ .01.
#
# So a "ground bias" of the neutral prompt is a fact about one model. That is the claim the paper makes, and all that subtracting it needs. It does not say that some people are more of "a person" in the training data.

# %% tags=["hide-output"]
tables.readable(over).format("{:.0%}", subset=["one_sign"]).hide(axis="index").set_caption(
    "All pairs of groups, networks as cases: differences of the neutral cosine, logits"
)

# %% [markdown]
# ### Which arm is a model of unknown training?
#
# By the captions, the slope of the group means of $W$ on $N$ should be near 1 in arm *marking* and near 0 in arm *neutral*. It is tempting to read an unknown model by it. But what is it where nothing was planted?

# %%
full = everyone.networks["condition_strength"] == found["strength"].max()
named_arms = {"nothing planted": silent} | {f"arm {name}": everyone.where((arm == name) & full) for name in ("neutral", "marking")}
slopes = {
    name: study.transfer(*(one.of_groups(values).mean(axis=1) for values in (one.neutral, one.adjectives)))
    for name, one in named_arms.items()
}
high = vb.networks.rates({name: own > 0.5 for name, own in slopes.items()})
diagnostic = vb.networks.summary(slopes).assign(above_half=high["rate"])
tables.readable(diagnostic.drop(columns="one_sign"), names={"above_half": "share above .5"}).set_caption(
    "Slope of W on N over six groups, networks as cases: mean with 95 % interval, SD, share above .5"
)

# %% tags=["hide-input"]
quiet, often = diagnostic.loc["nothing planted"], high.loc["nothing planted"]
vb.note(slope={"marking": diagnostic.loc["arm marking", "mean"], "neutral": diagnostic.loc["arm neutral", "mean"], "silent": quiet["mean"], "sd": quiet["sd"], "above": often["rate"]},
        says=words.verb(quiet["mean"], above=0.5, then="nearer to 1 than to 0, so a slope near 1 is no sign of arm “marking”", else_="nearer to 0 than to 1, so a slope near 0 is no sign of arm “neutral”"))

# %% [markdown]
# It averages {glue:text}`slope.marking:.2f` in arm *marking* and {glue:text}`slope.neutral:.2f` in arm *neutral*. In networks with nothing planted it averages {glue:text}`slope.silent:.2f` (standard deviation {glue:text}`slope.sd:.2f`),
# {glue:text}`says`; {glue:text}`slope.above:.0%` of these have one above one half. What moves all sentences alike, a picture's place in the space, makes such a slope without any caption. It can be read only beside
# networks that were told nothing.
#
# ### What each subtraction costs
#
# Without any planted bias, how far do group gaps of single networks stray from zero? And where trait gaps *are* planted ($b = 1$), does each reading recover them?

# %%
single = truth.per_face(spoken, told.images, 1.0, axes=told.dimensions)
truths = {
    "counted": {column: truth.counted(spoken, told.images, column, 1.0, axes=told.dimensions) for column in ("race", "gender")},
    "per_face": {column: single.groupby(told.images[column]).mean() for column in ("race", "gender")},
}
cost = study.cost(silent, told, contrasts, truths)
tables.readable(cost, names={"slope_counted": "slope, counted", "slope_per_face": "slope, per face"}).set_caption(
    "Logits: root mean square gap at b = 0; slope on what was planted, r and root mean square error at b = 1"
)

# %% tags=["hide-input"]
smallest, second = cost["error"].nsmallest(2)
vb.note(least_stray=words.extreme(cost["stray"], cost.index, largest=False), least_error=words.extreme(cost["error"], cost.index, largest=False), error={"least": smallest, "second": second},
        near=words.verb(second, above=1.1 * smallest, then="clearly less than the next", else_="too little less than the next to say which is best: no interval was computed"))

# %% [markdown]
# Least astray with nothing planted is: {glue:text}`least_stray`. The smallest error against counts of captions has: {glue:text}`least_error` ({glue:text}`error.least:.2f` beside {glue:text}`error.second:.2f`, {glue:text}`near`). Centring pays for its immunity: a bias that all traits share, for instance
# because positive and negative words are not balanced, is taken out with the rest, so it answers "which trait more than the others?", never "how much of any trait?".

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | prototypes | "prototype images" | rows with smiling 0 | the prototype of each seed and group, once |
# | tests | "paired *t*-tests", p ≤ 0.01 | 15 pairs, uncorrected | Holm beside uncorrected |
# | templates (H15) | the fourth is capitalised and ends in a full stop | lower-case, no full stop (CLIP lower-cases; the stop matters) | both |
# | Δcos | difference (Equation 2) | relative difference in the figure of intersections, difference elsewhere | both in the table of spreads |
# | neutral prompt | no adjective inserted | the double space that remains is collapsed | collapsed |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/neutral_prompt -p protocol released
# ```
# Without the faces, the authors' released cosine tables do: `-p stimuli causalface -p labels labels -p cosines FOLDER`.
# :::

# %% [markdown]
# ## Take-aways
#
# - Δcos subtracts *one* number per image from all traits. It can only remove what all traits share with the neutral prompt; what they do not share, it adds to all of them with the opposite sign.
# - It narrows distributions where the slope of trait on neutral exceeds one half. Narrow is not unbiased.
# - A neutral gap in one network is a fact about that network; corrected tests cannot make it a fact about captions. Nor can the slope of traits on the neutral prompt: silent networks have one, too.
# - Report raw, Δcos and centred values side by side. If a group is low in *every* trait by Δcos, look at the neutral prompt first.

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
# $\operatorname{Var}(W - \beta N)$ $= 1 + \beta^2 \operatorname{Var}(N)$ $- 2 \beta r \operatorname{SD}(N)$ is a parabola in $\beta$. At
# $\beta = 1$ it is below 1 where $r > \operatorname{SD}(N)/2$; it is lowest at $\beta = r / \operatorname{SD}(N)$, the slope of $W$ on $N$.
#
# With SD 2 even a correlation of .99 is not enough: the baseline is too noisy to be subtracted whole.
#
# ```{solution-end}
# ```
#
# :::{exercise} Find the arm
# :label: neutral_prompt-arm
# :level: intermediate
# :minutes: 10
# :code: no
# You know by how much captions shift the neutral prompt's gap and the trait gap, but not the arm. Which one number tells the arms apart? What would it have to be for Δcos to be right?
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
