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
# # Found faces, made faces
#
# *When groups, ages, smiles and clothes go together in a collection of pictures, which analysis still finds what was planted, and how much
# may an experiment leak?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** {cite:t}`hausladen2025` vary one attribute at a time, because in found photographs attributes go together. Do the same analyses
# go wrong on found photographs? Do adjustment or matching repair them? And if the experiment leaks, how much may it leak?
#
# **In 20 minutes:** {ref}`the answer in one figure <confounds-answer>`, {ref}`the leak <confounds-leak>`, take-aways. **In 75 minutes:** also
# {ref}`one effect, four estimates <confounds-effects>`, {ref}`the gaps between groups <confounds-gaps>`, both exercises.
#
# **You need:** regression, confounding. The primer "[Targets](../../book/primers/targets.md)" says what a claim can be about; the
# [recovery page](recovery.ipynb) says how well networks learn what is planted.
# :::
#
# **The premise.** "Independently and systematically manipulating face attributes allows us to study the effect of each on social perception and
# avoids confounds that can occur in wild-collected data due to uncontrolled systematic correlations between attributes." One of the authors'
# findings is a prediction: "studies that do not control for unprotected visual attributes may reach the wrong conclusions on bias." Here the truth
# is known, so that the premise and the prediction can be tried out.
#
# **What this cannot say.** How strongly things go together in FairFace, UTKFace or on the web. Every dependence below is our invention; only its *kind* is
# borrowed. A method that fails here *can* fail; how much it fails elsewhere is not answered.

# %% tags=["parameters"]
sample = "fairface"  # the uncontrolled sample that is drawn; the tables have both; one of: fairface, utkface
youngest = 20  # the paper leaves out who is younger, in years; from 0 to 60
level = 0.95  # of the intervals over retrained networks; from 0.5 to 0.999
seed = 0  # of every random draw; this page makes none of its own; at least 0
results = "_build/results/greenhouse/confounds.json"  # no claims here

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import faces, grammar, grid
from studies import tables, words
from studies.greenhouse import confounds
from studies.shown import shown

spoken = grammar.load()
seen = confounds.everything(retrained.scores("grid"), spoken.bias)  # 20 networks, half of them at b = 1, half at b = 0
samples = {kind: confounds.sample(seen.images, kind, youngest=youngest) for kind in grid.OBSERVED}

# %% [markdown]
# ## The answer in one figure
#
# Two collections, `grid.fairface` and `grid.utkface`, draw individuals, one photograph each. Hues differ in number, age and light; crests differ in age and smiling; the older smile
# less. All of that is *recorded*: a column tells. One thing is not. The colour of the garment goes along with hue, age and smiling, and a warm
# garment makes communion words likelier in captions, in every world, at every strength of bias. No column tells.
#
# The **controlled** counterpart is the grid: the same identity at every level of one attribute, everything else equal. The same networks look at all of them. Three ways to analyse a collection stand beside it: as it is
# (**naive**), by regression on everything recorded (**adjusted**), and by comparing each face with the nearest of the other side (**matched**).
#
# How far off is an estimate? That depends on its target.
#
# - **Planted**: what the *captions* say. For an effect, by how much log odds change if every face of the set were a little older (or smiled more) and nothing else (`per_face`); for a gap, a count of captions (`counted`).
# - **Own**: what *this network* shows for other identities, in clean controlled pictures. It has learnt a part of what was planted.

# %%
estimates = confounds.effects(seen, spoken, samples)  # of age and of smiling, in logits per half the attribute's range

portraits = retrained.scores("people")  # other identities, the same in all groups
people = shown(portraits, confounds.DIMENSIONS, images=np.ones(len(portraits.images), bool),
               networks=portraits.networks["seed"].isin(seen.networks["seed"]) & portraits.networks["shows"] & (portraits.networks["condition"] == "none"))
differences = confounds.gaps(seen, people, spoken, samples)  # between hues and between crests, in logits

off = confounds.errors(estimates, ["effect", "b", "sample", "method"])
gap_off = confounds.errors(differences, ["pair", "b", "sample", "method"])

# %% tags=["hide-input"]
vb.figures.style()
asked = pd.concat([off.rename(columns={"effect": "question"}), gap_off.rename(columns={"pair": "question"})])
keys = ["question", "b", "sample", "target", "method"]
mean_error = vb.networks.summary({key: own["error"].to_numpy() for key, own in asked.groupby(keys, sort=False)}, confidence_level=level).rename_axis(keys)
naive_gap = mean_error.xs((0.0, sample, "planted", "naive"), level=("b", "sample", "target", "method"))["mean"]
crests, hues = list(confounds.pairs())[-1], naive_gap[list(confounds.pairs())[:-1]].idxmax()
panels_of = {"effect of age, b = 1": ("age", 1.0), "effect of smiling, b = 1": ("smiling", 1.0), f"{hues}, b = 0": (hues, 0.0), f"{crests}, b = 0": (crests, 0.0)}
fig, axes = vb.figures.panels(2, 2, height=5.4, share_x=True, share_y=True)
for panel, (title, (question, b)) in zip(axes.flat, panels_of.items(), strict=True):
    for target, colour, aside in (("planted", vb.figures.COLOURS["planted"], 0.14), ("own", vb.figures.COLOURS["recomputed"], -0.14)):
        own = mean_error.loc[[(question, b, sample, target, method) for method in confounds.METHODS]]
        places = -np.arange(len(own)) + aside
        panel.hlines(places, own["low"], own["high"], color=colour, linewidth=2)
        panel.plot(own["mean"], places, "o", color=colour, markersize=5, label={"planted": "against what was planted", "own": "against the network's own"}[target])
    panel.set(title=title, yticks=-np.arange(len(confounds.METHODS)), yticklabels=confounds.METHODS, xlim=(0, None))
fig.supxlabel("error, logits", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
error = {(question, target): mean_error.loc[[(question, b, sample, target, method) for method in confounds.METHODS], "mean"].droplevel(keys[:-1])
         for question, b in panels_of.values() for target in confounds.TARGETS}
best = {key: set(own.index[own.round(2) == own.round(2).min()]) for key, own in error.items()}  # errors that read alike tie
order = {key: words.listed(f"{method} ({value:.2f})" for method, value in own.sort_values().items()) for key, own in error.items()}
vb.figures.show(
    fig, name="confounds-answer",
    alt="Error of four estimates by two targets, four panels. From nearest to furthest: " + "; ".join(f"{question}, by the {target} one: {told}" for (question, target), told in order.items()) + ".",
    caption=f"Root mean square over eight dimensions: mean and {100 * level:.0f} % interval over networks. Above: effects, b = 1. Below: gaps where nothing was planted.",
    source="greenhouse",
)
part = {name: {"hues": hues, "crests": crests}.get(name, name) for name in ("age", "smiling", "hues", "crests")}
vb.note(order={(name, target): order[question, target] for name, question in part.items() for target in confounds.TARGETS}, hues=hues, crests=crests,
        n={"full": int((seen.networks["b"] == 1).sum()), "null": int((seen.networks["b"] == 0).sum())},
        least={target: words.listed(sorted(best["smiling", target])) for target in confounds.TARGETS},
        agree=words.listed([name for name, question in part.items() if best[question, "planted"] & best[question, "own"]], none="none of the four"))

# %% [markdown]
# {glue:text}`n.full` networks were trained at $b = 1$, {glue:text}`n.null` at $b = 0$. From nearest to furthest, with errors in logits:
#
# | question | against what was planted | against the network's own |
# |---|---|---|
# | effect of age | {glue:text}`order.age.planted` | {glue:text}`order.age.own` |
# | effect of smiling | {glue:text}`order.smiling.planted` | {glue:text}`order.smiling.own` |
# | {glue:text}`hues`, nothing planted | {glue:text}`order.hues.planted` | {glue:text}`order.hues.own` |
# | {glue:text}`crests`, nothing planted | {glue:text}`order.crests.planted` | {glue:text}`order.crests.own` |
#
# Both targets agree on a best estimate for: {glue:text}`agree`. For the effect of **smiling** the nearest to the captions is {glue:text}`least.planted`, the nearest to the network {glue:text}`least.own`. Where the two differ, the network has not learnt all
# that was planted. A correct estimate of what *it* does then falls short of the captions, which counts as an error of the method if the captions are the target; a confounder that pushes the same way makes up for it. Two errors
# that cancel are not a method.
#
# ## Two collections of found faces

# %%
together = pd.concat({kind: confounds.correlations(seen.images[rows], spoken.bias) for kind, rows in samples.items()}, names=["sample", "with"])
tables.readable(together.rename(columns={confounds.UNRECORDED: "garment (not recorded)"}), signed=True).set_caption("Correlations in the two samples, as the paper would filter them")

# %% tags=["hide-input"]
drawn = seen.images[samples[sample]].groupby(["race", "gender"]).head(2).sort_values(["race", "gender"])
labels = [f"{row.race}, {row.gender}\nage {row.age:.1f}, smile {tables.number(row.smiling, precision=1)}" for row in drawn.itertuples()]
vb.figures.show(
    vb.figures.contact_sheet(list(faces.render(drawn.astype({"photo": int}), 64)), labels, columns=4), name="confounds-sample",
    alt=f"{len(drawn)} faces of the uncontrolled sample in three hues with two crests. They differ in age, smile, light, pose and clothes at once.",
    caption="A few individuals of the sample. Everything differs at once.", source="greenhouse",
)
own = together.loc[sample]
vb.note(people=int(samples[sample].sum()), age_smiling=own.loc["age", "smiling"], garment={name: own.loc[name, confounds.UNRECORDED] for name in confounds.EFFECTS})

# %% [markdown]
# In the sample drawn here ({glue:text}`people` individuals after the paper's filters) age and smiling correlate at {glue:text}`age_smiling:.2f`, the garment with age at {glue:text}`garment.age:.2f` and with smiling at {glue:text}`garment.smiling:.2f`.
#
# ## One effect, four estimates
#
# **Counter-example:** *all known*, the adjusted estimate if one could adjust for the garment, too. It tells what the unrecorded confounder does from what is wrong with a straight line.

# %%
everything = [*confounds.METHODS, "all known"]
off.groupby(["effect", "b", "sample", "target", "method"], sort=False)["error"].mean().unstack(["target", "method"])[
    [(target, method) for target in confounds.TARGETS for method in everything]].pipe(tables.readable).set_caption("Error of an effect, logits: root mean square over eight dimensions, mean over networks")

# %% tags=["hide-input"]
INK = vb.figures.COLOURS
at_1 = estimates[(estimates["b"] == 1) & (estimates["sample"] == sample)]
fig, axes = vb.figures.panels(1, 2, height=5.6, share_y=True)
for panel, name in zip(axes[0], confounds.EFFECTS, strict=True):
    panel.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    for j, method in enumerate(confounds.METHODS):
        cells = at_1[(at_1["effect"] == name) & (at_1["method"] == method)].groupby("dimension", sort=False)
        own = vb.networks.summary({dimension: one["estimate"].to_numpy() for dimension, one in cells}, confidence_level=level)
        places = np.arange(len(own))[::-1] + 0.3 - 0.2 * j
        panel.hlines(places, own["low"], own["high"], color=INK[method], linewidth=2)
        panel.plot(own["mean"], places, "o", color=INK[method], markersize=4.5, label=method)
        panel.plot(cells["planted"].first(), places, "x", color="0.2", markersize=5, label="planted" if method == "matched" else None)
    panel.set(title=f"effect of {name}", xlabel="logits per half range", yticks=range(len(own)), yticklabels=[words.listed([one]) for one in own.index[::-1]])
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig, name="confounds-effects",
    alt="Effects of age and of smiling on eight dimensions, in logits, by four estimates, beside what was planted. Error for age: " + order["age", "planted"] + "; for smiling: " + order["smiling", "planted"] + ".",
    caption=f"Networks at b = 1: means and {100 * level:.0f} % intervals over networks. Crosses: what was planted, for the faces that the estimate is about.",
    source="greenhouse",
)
wrong = confounds.wrong_signs(at_1, ["effect", "method"], threshold=0.15)
known = mean_error.xs((1.0, sample, "planted"), level=("b", "sample", "target"))["mean"]
vb.note(wrong=wrong, garment_matters={name: words.verb(known[name, "adjusted"], above=known[name, "all known"], then="brings the adjusted estimate nearer to what was planted",
                                                       else_="does not bring the adjusted estimate nearer to what was planted") for name in confounds.EFFECTS})

# %% [markdown]
# Of the effects of **age** with more than a trace planted, the naive estimate has the wrong sign in {glue:text}`wrong.age.naive:.0%` of networks and dimensions, the adjusted in {glue:text}`wrong.age.adjusted:.0%`, the matched in {glue:text}`wrong.age.matched:.0%`,
# the controlled in {glue:text}`wrong.age.controlled:.0%`. For **smiling** it is {glue:text}`wrong.smiling.naive:.0%`, {glue:text}`wrong.smiling.adjusted:.0%`, {glue:text}`wrong.smiling.matched:.0%` and {glue:text}`wrong.smiling.controlled:.0%`. Knowing the garment
# {glue:text}`garment_matters.age` for age, and {glue:text}`garment_matters.smiling` for smiling: a confounder can also push an estimate towards the captions.
#
# ## Gaps between groups
#
# The paper's concern is bias: differences between groups. With $b = 0$ there is none in the captions. What do found faces show?

# %% tags=["hide-input"]
from studies.greenhouse import collection  # the same as below, where scripts run: readers move the smiles

stops, played = collection.figure()
vb.figures.show(played.figure, name="confounds-dial", alt=played.alt, caption=played.caption, source=played.source)

# %% [markdown]
# Try it: let smiling go along with a group in the photographs, and see which estimates follow.
#
# ```{collection} play
# ```
#
# The truth stands still. So an estimate that follows the slider tells something about the collection, and not about the networks.
#
# :::{dropdown} Which photographs, what the slider changes, and the numbers
# ```{collection} numbers
# ```
# :::

# %% tags=["hide-output"]
gap_off.groupby(["pair", "b", "sample", "target", "method"], sort=False)["error"].mean().unstack(["target", "method"])[
    [(target, method) for target in confounds.TARGETS for method in everything]].pipe(tables.readable).set_caption("Error of a gap, logits: root mean square over eight dimensions, mean over networks")

# %% tags=["hide-input"]
at_0 = differences[(differences["b"] == 0) & (differences["sample"] == sample)]
gap = {key: own["estimate"].to_numpy() for key, own in at_0.groupby(["pair", "method", "dimension"], sort=False)}
gap = vb.networks.summary(gap, confidence_level=level).rename_axis(["pair", "method", "dimension"]).sort_index()
fig, axes = vb.figures.panels(2, 2, height=9.0, share_x=True, share_y=True)
for panel, pair in zip(axes.flat, confounds.pairs(), strict=True):
    panel.axvline(0, color=vb.figures.COLOURS["planted"], linewidth=1.2, label="planted: nothing")
    for j, method in enumerate(confounds.METHODS):
        own = gap.loc[(pair, method)].reindex(confounds.DIMENSIONS)
        places = np.arange(len(own))[::-1] + 0.3 - 0.2 * j
        panel.hlines(places, own["low"], own["high"], color=INK[method], linewidth=2)
        panel.plot(own["mean"], places, "o", color=INK[method], markersize=4.5, label=method)
    panel.set(title=pair, yticks=range(len(own)), yticklabels=[words.listed([one]) for one in own.index[::-1]])
fig.supxlabel("gap at b = 0, logits", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig, name="confounds-gaps",
    alt="Gaps between groups at b = 0, where nothing is planted, by four estimates on eight dimensions. From nearest to nothing to furthest: "
        + "; ".join(f"{pair}: {order[pair, 'planted']}" for pair in (hues, crests)) + ".",
    caption=f"Networks trained without any bias: gaps between groups in the uncontrolled sample and in the grid. Means and {100 * level:.0f} % intervals over networks.",
    source="greenhouse",
)
of_hues = gap.drop(crests, level="pair")["mean"].unstack("method")
worst = of_hues["naive"].abs().idxmax()
repaired = {name: words.verb(error[question, "planted"]["naive"], above=2 * error[question, "planted"]["adjusted"], then="more than halves", else_="does not halve") for name, question in part.items()}
vb.note(worst=f"{words.listed([worst[1]])} ({worst[0]})", at_worst=of_hues.loc[worst], repaired=repaired)

# %% [markdown]
# The hues for which the naive gap is furthest off are {glue:text}`hues`, and there adjustment {glue:text}`repaired.hues` the error. What is left for the balanced grid is what one random start does. The largest single mean is *{glue:text}`worst`*: {glue:text}`at_worst.naive:+.2f` naive,
# {glue:text}`at_worst.adjusted:+.2f` adjusted, {glue:text}`at_worst.controlled:+.2f` controlled. Garments go along with hue, no column says so, and no adjustment for age, smile, light or pose can know. Between the crests ({glue:text}`crests`), which differ mostly in what *is*
# recorded, adjustment {glue:text}`repaired.crests` the error.
#
# ## When the control leaks
#
# An experiment is only as good as its manipulation. Suppose that the generator that makes a face older also turns its skin (`age_hue`), or that smiling also brightens the picture, as the authors found and
# corrected (`smiling_brightness`). At λ = 1 the oldest skin is blue and the youngest red, and a broad smile brightens the picture by two fifths. Is there a λ, among those tried, at which an uncontrolled estimate is nearer to the target?

# %%
leaking = confounds.errors(confounds.leaks(seen, spoken), ["effect", "leak"])
curves = {key: own.pivot(index="network", columns="leak", values="error") for key, own in leaking.groupby(["effect", "target"], sort=False)}
goals = {key: own.set_index("network")["error"] for key, own in off[off["b"] == 1].groupby(["effect", "target", "sample", "method"], sort=False)}
crossed = {key: confounds.crossings(curves[key[:2]], goal) for key, goal in goals.items() if key[3] in ("naive", "adjusted", "matched")}

# %% tags=["hide-input"]
called = {"planted": "against what was planted", "own": "against the network's own"}
fig, axes = vb.figures.panels(2, 2, height=6.4, share_x=True, share_y=True)
for panel, (name, target) in zip(axes.flat, [(name, target) for target in confounds.TARGETS for name in confounds.EFFECTS], strict=True):
    for method in ("naive", "adjusted"):
        own = vb.networks.summary(goals[name, target, sample, method].to_numpy(), confidence_level=level).iloc[0]
        panel.axhspan(own["low"], own["high"], color=INK[method], alpha=0.12, linewidth=0)
        panel.axhline(own["mean"], color=INK[method], linewidth=1.5, linestyle="--", label=f"uncontrolled, {method}")
    own = vb.networks.summary(curves[name, target], confidence_level=level)
    panel.fill_between(own.index.astype(float), own["low"], own["high"], color=INK["controlled"], alpha=0.2, linewidth=0)
    panel.plot(own.index.astype(float), own["mean"], "o-", color=INK["controlled"], markersize=4, label="controlled, leaking")
    panel.set_title(f"{name},\n{called[target]}")
    panel.set_ylim(bottom=0)
fig.supxlabel("leak λ", fontsize=12)
fig.supylabel("error, logits", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
strongest = max(curves["age", "own"].columns)
always, never = ({key: words.among(int(hit(one).sum()), len(one)) for key, one in crossed.items()} for hit in (np.isinf, lambda one: one == 0))
median = {key: "no λ tried" if np.isinf(one.median()) else "no leak at all" if one.median() == 0 else f"λ = {one.median():.2f}" for key, one in crossed.items()}
told = {key: f"{always[key]} (middle network: {median[key]})" for key in crossed}
vb.figures.show(
    fig, name="confounds-leak",
    alt="Error of the leaking controlled series by λ, with the errors of the naive and of the adjusted uncontrolled estimates as levels. Controlled nearer than adjusted at every λ: "
        + "; ".join(f"{name}, {called[target]}: {always[name, target, sample, 'adjusted']} networks" for name, target in curves) + ".",
    caption=f"Networks at b = 1: root mean square over eight dimensions, mean and {100 * level:.0f} % interval over networks. Dashed: the uncontrolled sample.",
    source="greenhouse",
)
vb.note(strongest=strongest, told={key[:2] + key[3:]: value for key, value in told.items() if key[2] == sample},
        always={(name, target): always[name, target, sample, "adjusted"] for name, target in curves},
        worse={(name, target): never[name, target, sample, "adjusted"] for name, target in curves})

# %% tags=["hide-output"]
pd.DataFrame({"control nearer at every λ": always, "control further off without a leak": never, "crossed in the middle network at": median}).rename_axis(
    ["effect", "target", "sample", "against"]).pipe(tables.readable).set_caption("The leaking controlled series against each uncontrolled estimate, network by network")

# %% [markdown]
# Network by network: in how many is the controlled series nearer to the target than the other estimate, at *every* λ tried, and from which λ on is it not, in the middle network?
#
# | effect | target | than the naive | than the adjusted | than the matched |
# |---|---|---|---|---|
# | age | own | {glue:text}`told.age.own.naive` | {glue:text}`told.age.own.adjusted` | {glue:text}`told.age.own.matched` |
# | age | planted | {glue:text}`told.age.planted.naive` | {glue:text}`told.age.planted.adjusted` | {glue:text}`told.age.planted.matched` |
# | smiling | own | {glue:text}`told.smiling.own.naive` | {glue:text}`told.smiling.own.adjusted` | {glue:text}`told.smiling.own.matched` |
# | smiling | planted | {glue:text}`told.smiling.planted.naive` | {glue:text}`told.smiling.planted.adjusted` | {glue:text}`told.smiling.planted.matched` |
#
# Against what was planted, adjustment is nearer than the controlled series even without a leak in {glue:text}`worse.smiling.planted` networks for smiling, and in {glue:text}`worse.age.planted` for age; against the network's own, in {glue:text}`worse.smiling.own` and
# {glue:text}`worse.age.own`. Strengths up to λ = {glue:text}`strongest:.0f` were tried; nothing is said of stronger ones. These λ belong to the strength of *our* confounders and of *our* networks. A leak hurts by what it changes in the picture times what
# the network makes of that; here nobody in the captions cares about brightness, and hue matters only as far as bias was planted on it.
#
# ## Take-aways
#
# - Where smile, age and clothes go along with group, an uncontrolled sample can report gaps that were never planted.
# - Adjustment and matching can repair what was recorded. What was not recorded stays, and nothing in the data says how much it is.
# - A leak is found by looking at the manipulation; a confounder that nobody recorded is not.
# - An estimate can be near the captions for a wrong reason. Ask which target it is compared with: the captions, or the network.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/confounds -p sample utkface -p youngest 0
# ```
# :::
#
# ## Exercises
#
# :::{exercise} Without the unrecorded
# :label: confounds-without
# :level: advanced
# :minutes: 25
# :code: yes
# Leave out the networks: take the *planted* log odds of the captions themselves as the outcome, at $b = 0$. How far is the adjusted effect of smiling on *warmth* from the planted one in a sample of 2,000, with the unrecorded confounder at full strength and without it
# (`grid.fairface(2_000, unrecorded=0)`)? What does the rest come from?
# :::
#
# ```{solution-start} confounds-without
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
missed = {}
for strength in (1.0, 0.0):
    rows = spoken.bias.with_looks(grid.fairface(2_000, unrecorded=strength))
    rows = rows[rows["race"].isin(confounds.HUES) & (rows["years"] >= youngest)]
    outcome = confounds.log_odds(spoken, rows, 0.0)[None]
    adjusted = confounds.effect_estimates(outcome, rows, spoken.bias, "smiling")["adjusted"][0]
    missed[strength] = float((adjusted - confounds.planted_effect(spoken, rows, "smiling", 0.0))[confounds.DIMENSIONS.index("warmth")])
    print(f"unrecorded {strength:g}: the adjusted effect is off by {missed[strength]:+.2f} logits")
print("The rest: a straight line through log odds that bend, and two thousand individuals.")
assert abs(missed[0.0]) < 0.4 * abs(missed[1.0])

# %% [markdown]
# Adjusting takes out what is recorded. Without the unrecorded confounder most of the error goes; what stays comes from drawing a straight line
# through log odds that bend, and from a sample of two thousand.
#
# ```{solution-end}
# ```
#
# :::{exercise} Recording it after all
# :label: confounds-proxy
# :level: advanced
# :minutes: 30
# :code: yes
# The garment is in no column, but it is in the picture. Measure its colour (red minus blue, say, in the middle of the lowest eight rows of pixels), adjust for it too, and compare the error of the effect of age at $b = 1$, again with the planted log odds as the outcome. Why is it
# not as good as knowing the garment?
# :::
#
# ```{solution-start} confounds-proxy
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rows = seen.images[samples[sample]]
garment = spoken.bias.feature(confounds.UNRECORDED, rows)
patch = faces.render(rows.astype({"photo": int}), 64)[:, 56:, 20:44].astype(float).mean(axis=(1, 2))
colour = (patch[:, 0] - patch[:, 2]) / 255
known = [spoken.bias.feature("age", rows), *confounds.groups(rows), *confounds.covariates(rows, spoken.bias, but="age")]
outcome, goal = confounds.log_odds(spoken, rows, 1.0)[None], confounds.planted_effect(spoken, rows, "age", 1.0)
size = {what: float(np.sqrt(((confounds.slope(outcome, [*known, *more]) - goal) ** 2).mean()))
        for what, more in {"recorded only": [], "and the pixels": [colour], "and the garment": [garment]}.items()}
print(f"pixels and garment correlate at {np.corrcoef(colour, garment)[0, 1]:.2f}; " + ", ".join(f"{what}: {value:.2f}" for what, value in size.items()))
# Exposure, tint, collar and trim are in the pixels, too: a confounder measured with error is adjusted for in part.
assert size["and the pixels"] < size["recorded only"]

# %% [markdown]
# The patch of pixels holds the garment, and also exposure, tint, collar and trim. A confounder that is measured with error is adjusted for in part,
# and what the measurement misses stays in the estimate.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A photograph collection is what the world looks like, an experiment is what it could look like. For which questions about a model is the confounded number the right one?
# 2. The authors looked for a leak of smiling into brightness, found one and corrected it. Which leaks could nobody have looked for?
