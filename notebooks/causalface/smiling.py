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
# # What a smile changes, and light and pose do not
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 3 and S.1, Table S.2; Table B.1 and Figure B.2 of the earlier
# version: smile, light and pose, each varied alone.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A face begins to smile, or the lamp beside it moves. Which of the two changes what CLIP makes of the
# person, and does it do so for everybody alike?
#
# **In 20 minutes:** {ref}`the answer in one figure <smiling-answer>`, {ref}`the printed correlations <smiling-printed-r>`,
# {ref}`eight panels <smiling-groups>`, take-aways. **In 75 minutes:** also Table B.1,
# {ref}`with and without subtraction <smiling-levels>`, {ref}`what was planted <smiling-planted>`, both exercises.
#
# **You need:** correlation, a regression with one predictor, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper says of one group, Black women, that a model judges it by other rules than the rest. The faces
# on this page are drawings of fictional groups; they stand for nobody.
# :::
#
# **The idea.** Photograph collections neither label nor control expression, light and pose. If these move a model's
# judgement, and occur more often with one group, they pass for a judgement of the group. {cite:t}`hausladen2025`
# vary each alone and ask whether the *opposite poles* of a dimension (powerful, powerless) go together or apart.
#
# **The authors conclude:** "As a face transitions from a frowning expression to a smile, it is perceived as more
# positive, more Progressive (Belief), and less negative." Light and pose move both poles in parallel; they "do not significantly
# alter social perception but instead affect “legibility”". And the smile works differently across groups: "Our findings suggest that
# Black women are an outlier group by CLIP."
#
# **Their own checks and limits.** The smiling pictures were corrected for brightness, with "only minor differences" when they were not;
# lighting levels "are not inherently linear, so curve slopes are not central to our analysis"; a turned face is "more distant from the
# “person” mode", which makes changes by adjectives hard to interpret.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # faces with columns seed, race, gender, age, smiling, lighting, pose; an image set
root = ""  # folder of the images, where a set has one; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at it; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
prompts_released = "social_perception/released"  # the same, as the authors' code spells it; a prompt set
protocol = "described"  # whose prompts give the headline: the paper's text, or the authors' code; one of: described, released
n_resamples = 500  # bootstrap resamples of the identities; at least 50
seed = 42  # seed of every random draw; at least 0
results = "_build/results/causalface/smiling.json"  # where this notebook writes the values it recomputes

# %%
from functools import partial

import numpy as np
import pandas as pd
import statsmodels.api as sm

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import roles, tables, words
from studies.causalface import intersections, smiling, smiling_claims, smiling_lines
from vlmbias.papers import CAUSALFACE

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, we know how smile, light and pose go with every word of the captions. For networks that
# were trained on them, with nothing planted about groups, we compute what the paper computes for CLIP, r between the poles over level means, and beside it
# the *difference* of the poles, in logits: its highest level minus its lowest.

# %%
portraits = retrained.scores("grid")  # what each retrained network made of the same pictures
faces = portraits.images.query("set == 'grid'")
plain = portraits.networks["condition"] == "none"
said = partial(truth.counted, grammar.load(), axes=CAUSALFACE.dimensions)  # what a count of captions shows

silent = plain & (portraits.networks["b"] == 0)
shown = {attribute: smiling.of_networks(portraits, attribute, silent) for attribute in smiling.VARIED}
spoken = {
    attribute: (pd.DataFrame({"b": [0.0]}), smiling.of_truth(faces, partial(said, by=attribute, b=0.0), attribute))
    for attribute in smiling.VARIED
}
found = smiling.poles_by_network(shown)
beside = smiling.beside_counts(found, smiling.poles_by_network(spoken))

# %% tags=["hide-input"]
vb.figures.style()
fig, axes = vb.figures.panels(1, 2, height=4.8, share_y=True)
blue, orange = vb.figures.COLOURS["recomputed"], vb.figures.COLOURS["planted"]
for axis, (value, label) in zip(axes[0], {"r": "r between the poles", "range": "their difference"}.items(), strict=True):
    for k, row in enumerate(beside[::-1].itertuples()):
        own = found.loc[(found["attribute"] == row.attribute) & (found["pair"] == row.pair), value]
        axis.plot(own, k + np.linspace(-0.28, 0.28, len(own)), "o", color=blue, alpha=0.5, ms=3.5, mew=0, label="a retrained network" if k == 0 else None)
    known = beside if value == "range" else beside[beside["apart"]]
    axis.plot(known[f"counted_{value}"], len(beside) - 1 - known.index, "x", color=orange, ms=10, mew=2.2, label="counted in captions")
    axis.set(yticks=range(len(beside)), yticklabels=(beside["attribute"] + ", " + beside["pair"])[::-1], title=label, xlabel={"r": "r", "range": "logits"}[value])
    axis.grid(axis="y")
axes[0, 0].axvline(0, color="0.6", lw=1)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False)
cell = beside.set_index(["attribute", "pair"])
still, light = beside[~beside["apart"]], cell.loc[("lighting", "communion")]
vb.figures.show(
    fig,
    name="smiling-answer",
    alt=f"Left, r between the poles in {found['b'].size // len(beside)} networks for nine pairs; right, how far the poles come apart. For light and communion the median r "
    f"is {light['r']:.2f} and the poles come apart by {light['range']:.2f} logits; where captions say nothing of the poles, r has p below .05 in {still['rate'].mean():.0%} of the networks.",
    caption="Table S.2 in networks with nothing planted about groups. A cross at 0 on the right: captions do not set these poles apart; no r is drawn for them.",
    source="greenhouse",
)
vb.note(light=light[["r", "range"]], still=words.listed(f"{row.attribute} × {row.pair}" for row in still.itertuples()),
        alarm=still["rate"].mean(), most=still["range"].max(),
        parallel=words.verb(light["r"], above=0.9, then="rise and fall together", else_="do not rise and fall together"),
        also=words.verb(light["range"], above=2 * still["range"].max(), then="come apart", else_="hardly come apart"))

# %% [markdown]
# r misleads in both directions. With more light, these captions speak more of communion, good or bad, and the more of the good. In the median network
# the two poles {glue:text}`parallel` with the light (r = {glue:text}`light.r:.2f`), the paper's
# "legibility", *and* {glue:text}`also`, by {glue:text}`light.range:.2f` logits. Where captions do not set the poles apart
# ({glue:text}`still`), r has p < .05 in {glue:text}`alarm:.0%` of the networks, though the difference ranges over at most {glue:text}`most:.2f` logits in the median one.

# %% [markdown]
# ## What the paper reports

# %%
claims = vb.ledger.table("causalface/smiling")
printed = claims.set_index("claim")["printed"]
vb.ledger.show(claims)

# %% [markdown]
# ### Ten averages, eight, five
#
# Table S.2 correlates the poles over *level means*: ten for smiling, eight for lighting, five for pose. The paper does not say so; its
# p-values do, where printed as numbers. Here is every r with the interval that its n allows (as if levels were random, like
# the printed p).

# %%
table_s2 = smiling_lines.correlations(printed)
of_z = table_s2.groupby("attribute", sort=False)["r"].agg(smiling_lines.mean_of_z)

# %% tags=["hide-input"]
wide = table_s2.set_index(["attribute", "pair"]).loc[("pose", "belief")]
fig = vb.figures.forest(table_s2.assign(label=table_s2["attribute"] + ", " + table_s2["pair"]), estimate="r", low="low", high="high", label="label",
                        group="attribute", value_label="r between the poles, 95 % interval for 10, 8, 5 levels")
fig.axes[0].set_xticks([-1, -0.5, 0, 0.5, 1])
vb.figures.show(
    fig,
    name="smiling-printed-r",
    alt=f"Nine printed correlations with intervals. For pose and belief, r = {wide['r']:.2f} over five levels, the interval "
    f"reaches from {wide['low']:.2f} to {wide['high']:.2f}. Smiling has one strongly positive and one strongly negative value.",
    caption="Table S.2: correlation of positive and negative pole over level means, with the interval that its n allows.",
    source="paper:causalface, Table S.2",
)
fixed = table_s2[table_s2["fitting"].map(len) > 0]
vb.note(of_z=of_z["smiling"], belief=wide[["low", "high"]],
        sizes=words.listed(f"{' or '.join(map(str, row.fitting))} for {row.attribute} × {row.pair}" for row in fixed.itertuples()))

# %% [markdown]
# Up to a thousand, only these numbers of pairs turn r into a p that is printed as a number: {glue:text}`sizes`. The eight of lighting are our inference.
#
# "The opposing valences are negatively correlated (r = {claim}`smiling.table_s2.smiling.average`)" is the plain mean of
# {claim}`smiling.table_s2.smiling.agency.r`, {claim}`smiling.table_s2.smiling.belief.r` and
# {claim}`smiling.table_s2.smiling.communion.r`: one pair as described, one the *opposite* almost as strongly, and
# one that is not significant. On Fisher's z the mean is
# {glue:text}`of_z:.2f`; neither describes three such numbers. The one weak r for pose, of belief,
# is compatible with {glue:text}`belief.low:.2f` and with {glue:text}`belief.high:.2f`.
#
# ### What Table B.1 was computed from
#
# The earlier version regresses perception on each attribute. A table that prints coefficient, standard error and R² gives away
# its rows: $R^2 = t^2/(t^2 + n - 2)$ gives their number, and the two standard errors of a line give the
# predictor's root mean square, $\mathrm{se}(\beta_0)/\mathrm{se}(\beta_1) = \sqrt{\operatorname{mean}(x^2)}$.

# %%
audit_b1 = smiling_lines.audit(printed)
tables.readable(audit_b1, names={"n_low": "n from", "n_high": "n to", "rms_low": "rms from", "rms_high": "rms to", "n": "n of the design", "rms": "rms of the levels", "n_fits": "n fits"}).format("{:,.0f}", subset=["n_low", "n_high"]).hide(
    axis="index"
)

# %% tags=["hide-input"]
lit = audit_b1.set_index("row").loc["lighting"]
counter = smiling_lines.rms(range(lit["n"]))
vb.note(counter=counter, fits="within" if lit["rms_low"] <= counter <= lit["rms_high"] else "outside",
        frowns=smiling_lines.rms([level for level in smiling_lines.SMILES if level <= 0]))

# %% [markdown]
# 1. **The unit differs from row to row.** Smiling was fitted to level means: ten for the negative pole, twenty for the positive one (two theories have
#    positive words); lighting and pose to every image × word. So the p-values of the former are about ten points, those of the latter about
#    rows that stem from 100 identities, and no R² can be compared with another.
# 2. **Smiling was not split at 0**, though the text says so: the predictor's root mean square is that of all ten levels;
#    up to 0 it would be {glue:text}`frowns:.2f`.
# 3. **The predictor of the lighting row is not a lighting level.** Its root mean square is that of a *row number*, which for this many rows has
#    {glue:text}`counter:,.0f`, {glue:text}`fits` the interval. The code is not in the
#    repository; a counter for a predictor would explain a slope of {claim}`smiling.table_b1.lighting.coef`.
#
# For pose, table and prose disagree: perceptions "rise when moving from a left tilt … to a frontal stance", yet the slope below 0 is
# {claim}`smiling.table_b1.pose_left.coef` and above it {claim}`smiling.table_b1.pose_right.coef`. The negative constants show
# that the table is about Δcos; the prose fits the raw cosine of Figure B.2.

# %% [markdown]
# ## The protocol, run on {data}

# %%
PROTOCOLS = {"described": dict(words=prompts), "released": dict(words=prompts_released)}
looks = {name: vb.perceive(stimuli, model, **choice, root=root, cosines=cosines) for name, choice in PROTOCOLS.items()}
draw = dict(n=n_resamples, seed=seed)
seen = looks[protocol]
who = roles.of(seen, CAUSALFACE)

# %% [markdown]
# ### Eight panels: the smile, group by group
#
# As in Figure 3, a quadratic goes through the ten means of each group.

# %%
by_group = smiling.trajectory(100 * seen.delta(), seen.table, "smiling", groups=who.groups, **draw)
lines, dots = smiling.figure_data(by_group)
tested = smiling.excess(by_group, who)

# %% tags=["hide-input"]
source = roles.sources(seen)
won = smiling.steepest(smiling.slopes(by_group))[0, who.groups.index(who.outlier)]
vb.figures.show(
    vb.figures.levels(lines, level="level", value="value", group="group", panel="panel", points=dots, colours=who.colours, heavy=[who.outlier],
                      dashed=who.having("male"), level_label="smiling", value_label="Δcos × 100"),
    name="smiling-groups",
    alt=f"Eight panels of Δcos against smiling for six groups. {who.outlier.capitalize()}, in a heavy line, is steepest in {won} of 8 panels.",
    caption=f"As Figure 3: means per level and quadratics through them; {who.outlier} in a heavy line, {who.called['male']} dashed.",
    source=source,
)
differ = tested[tested["p_holm"] < 0.05]
vb.note(outlier=who.outlier, clear=words.among(len(differ), len(tested)), any=words.among(int((tested["p_alike_holm"] < 0.05).sum()), len(tested)))

# %% [markdown]
# The paper reads orderings off six curves. They are recorded where faces show people; on drawings they are *not evaluated*. An ordering
# has no uncertainty. So here is the slope of {glue:text}`outlier` minus the mean of the others, with identities drawn anew, and a Wald test that all six slopes are equal
# (*p alike*); Holm's method corrects for eight dimensions.

# %%
kept = tested[["dimension", "value", "low", "high", "p_holm", "p_alike_holm"]]
tables.readable(kept, signed=True, names={"value": "slope less others’", "p_alike_holm": "p alike, Holm"}).format(tables.p_value, subset=["p_holm", "p_alike_holm"]).hide(axis="index")

# %% [markdown]
# The group differs in {glue:text}`clear` dimensions, some groups in {glue:text}`any`: a statement about **this model** on new faces.
#
# The paper finds no gender difference in honesty and one in *dishonesty*. To find one and not the other is not yet to find a difference between the two:
# the last row adds both up, and would be 0 if the words were opposites.

# %% tags=["hide-output"]
in_words = smiling.gap_in_words(seen, who, **draw)
tables.readable(in_words, signed=True).hide(axis="index")

# %% [markdown]
# ### Beyond neutral, and raw
#
# Figure S.1 shows Δcos by level; Figure B.2 the same without the subtraction.

# %%
delta = {attribute: smiling.trajectory(100 * seen.delta(), seen.table, attribute, **draw) for attribute in smiling.VARIED}
raw = {attribute: smiling.trajectory(100 * seen.raw(), seen.table, attribute) for attribute in smiling.VARIED}
table = smiling.poles(delta)
three = smiling.read_three_ways(seen)

# %% tags=["hide-input"]
neutral = pd.DataFrame({"neutral": 100 * seen.neutral()})
parts = []
for attribute in smiling.VARIED:
    prompt = smiling.trajectory(neutral, seen.table, attribute).mean()
    for name, own in (("Δcos", delta[attribute].mean().assign(neutral=0.0)), ("raw", raw[attribute].mean().join(prompt))):
        long = own.rename_axis("level").reset_index().melt("level", var_name="dimension")
        parts.append(long.assign(panel=f"{attribute}, {name}"))
curves = pd.concat(parts, ignore_index=True)
pair_of = {name: pair for pair, both in CAUSALFACE.poles.items() for name in both}
tints = dict(zip(dict.fromkeys(pair_of.get(name, name) for name in curves["dimension"].unique()), vb.figures.PALETTE, strict=False))
curves["label"] = curves["dimension"].str.replace("_", " ")
swing = {name: float(np.ptp(own["pose"].mean().to_numpy(), axis=0).mean()) for name, own in (("raw", raw), ("delta", delta))}
vb.figures.show(
    vb.figures.levels(curves, level="level", value="value", group="label", panel="panel", level_label="level", value_label="cosine × 100",
                      colours={label: tints[pair_of.get(name, name)] for name, label in zip(curves["dimension"], curves["label"], strict=True)} | {"neutral": "0.6"},
                      heavy=["neutral"], dashed=[name.replace("_", " ") for name in smiling_lines.NEGATIVE]),
    name="smiling-levels",
    alt="Left, Δcos by level of smiling, lighting and pose; right, the raw cosine, with the neutral prompt in a heavy line. Over pose the "
    f"raw curves move by {swing['raw']:.2f} on average, Δcos by {swing['delta']:.2f}.",
    caption="Eight dimensions by level (dashed: negative poles; heavy: the neutral prompt). Left as in Figure S.1, right as in Figure B.2.",
    source=source,
)
flips = int((np.sign(three[["raw", "delta", "centred"]]).nunique(axis=1) > 1).sum())
reach = table.groupby("attribute")["range"].max()
vb.note(swing=words.verb(swing["raw"], above=swing["delta"], then="move more than", else_="do not move more than"), flips=words.among(flips, len(three)),
        reach=reach, widest=words.extreme(reach, reach.index))

# %% [markdown]
# Over pose, raw cosines {glue:text}`swing` Δcos: the neutral prompt moves along, and is taken away.
#
# ### Is "legibility" a common shift?
#
# Two poles go up and down together whenever *every* word does. What words share can be taken away with the neutral prompt (Δcos) or with the mean over all adjectives
# (`centred`). r depends on that choice. The *difference* of the poles does not: whatever is subtracted from both cancels. So beside r stands the range of the difference
# over the levels, in cosine × 100, with a Wald test over identities that it is constant.

# %%
wanted = ["attribute", "pair", "raw", "delta", "low", "high", "p_holm", "centred", "range", "p_constant_holm"]
wide = three.merge(table, on=["attribute", "pair"])[wanted].rename(columns={"delta": "r, Δcos", "raw": "r, raw", "centred": "r, centred"})
tables.readable(wide, signed=True, names={"p_constant_holm": "p constant, Holm"}).format("{:.2f}", subset="range").format(tables.p_value, subset=["p_holm", "p_constant_holm"]).hide(axis="index")

# %% [markdown]
# The sign of r differs between the three readings in {glue:text}`flips` pairs. A positive r shows a common shift, on which a smaller movement apart can ride; a
# negative r after centring shows as little, since what is centred must balance out somewhere. Whether light or pose changes perception is a question about the difference:
# it ranges over up to {glue:text}`reach.smiling:.2f` with smiling, {glue:text}`reach.lighting:.2f` with lighting and {glue:text}`reach.pose:.2f` with pose (widest: {glue:text}`widest`).
# Ranges in one unit can be compared; nine correlations cannot.
#
# ### The regressions of Table B.1, in several units
#
# In a balanced design the slope stays, while standard error and R² follow the number of rows. The last column is clustered by identity.

# %%
fits = {name: smiling_lines.lines(look) for name, look in looks.items()}
columns = ["row", "unit", "n", "coef", "r2", "se", "clustered"]
tables.readable(fits[protocol][columns], names={"r2": "R²", "coef": "slope"}).format(tables.short, subset=columns[3:]).hide(axis="index")

# %%
for name, look in looks.items():
    of_all, of_people = smiling_claims.of(look, who, fits[name], **draw)
    for claim, value in (of_all if look.source == "greenhouse" else of_all | of_people).items():
        vb.ledger.record(f"smiling.{claim}", value, results=results, stimuli=look, model=look, protocol=name)

# %% tags=["hide-input"]
ratio = fits[protocol].query("unit == 'images × words'").eval("clustered / se")
vb.note(ratio={"least": ratio.min(), "most": ratio.max()})

# %% [markdown]
# Clustering multiplies the errors of image × word rows by {glue:text}`ratio.least:.2f` to {glue:text}`ratio.most:.2f`: where each identity is seen at every
# level, what is its own cancels.

# %% [markdown]
# ## What this method can see
#
# The method rests on four assumptions; each has a counter-example in the Greenhouse, where smile, light and pose move words at every $b$.
#
# 1. *What moves both poles alike leaves perception as it is.* Counter-example: light and communion, in the first figure.
# 2. *A large r is a movement.* Counter-example: pairs that captions do not set apart, in the same figure.
# 3. *What a model does not show is not there.* Counter-example: pose.
# 4. *The steepest of six curves is an outlier.* Counter-examples: networks with nothing planted, and a smile that counts more with one *crest*, whatever the hue.
#
# At $b = 1$ a smile works otherwise for one group, hue and crest together, on some dimensions, and for one crest on another.

# %%
outlier = " ".join(grammar.load().bias.outlier.values())
world = roles.greenhouse_roles(CAUSALFACE).with_outlier(outlier)
planted = intersections.kinds(grammar.load().bias, CAUSALFACE.dimensions, "smiling")
networks, smiles = smiling.of_networks(portraits, "smiling", plain, groups=world.groups)
b, slopes = networks["b"].to_numpy(), smiling.slopes(smiles)
counted = smiling.of_truth(faces, partial(said, by=["race", "gender", "smiling"], b=1.0), "smiling", groups=world.groups)
recovered = smiling.beside_planted(slopes[b == 1], counted, world.groups, outlier)

# %% tags=["hide-input"]
labels = recovered["dimension"].map(planted).map({"two-way": "its crest's"}).where(recovered["of"] == outlier).fillna("")
vb.figures.show(
    vb.figures.planted_against_shown(recovered.assign(label=labels, of=recovered["of"].replace({outlier: f"{outlier}, beyond the others"})), planted="planted",
                                     shown="shown", low="low", high="high", panel="of", unit="logits per half range", label="label"),
    name="smiling-planted",
    alt=f"Smiling slopes of eight dimensions, counted in captions against shown by {int((b == 1).sum())} networks: mean of six groups, and {outlier} beyond the others.",
    caption="Smiling slopes at b = 1, counted in captions and shown: mean of the retrained networks with its 95 % interval. Dashed: as planted.",
    source="greenhouse",
)
own = recovered.assign(kind=recovered["dimension"].map(planted)).query("of == @outlier").groupby("kind")[["planted", "shown"]].agg(lambda one: one.abs().mean())
pose = beside.set_index(["attribute", "pair"]).loc[("pose", "agency")]
vb.note(group=outlier, three=words.listed(name for name in planted if planted[name] == "three-way"), two=words.listed(name for name in planted if planted[name] == "two-way"),
        own=own.loc["three-way"], pose=pose[["counted_range", "range"]],
        seen=words.verb(pose["range"], above=2 * still["range"].max(), then="show it", else_="hardly show it"))

# %% [markdown]
# The group is {glue:text}`group`, its dimensions are {glue:text}`three`; the crest's is {glue:text}`two`. Of the group's own excess slope, {glue:text}`own.planted:.2f` logits on average, networks show
# {glue:text}`own.shown:.2f`.
#
# **Pose.** In captions, turning sets the poles of agency apart by {glue:text}`pose.counted_range:.2f` logits; the networks {glue:text}`seen` ({glue:text}`pose.range:.2f` in the first figure). What is
# true of the model need not be true of the captions that it learnt from.
#
# ### How often is somebody the outlier?
#
# "Steepest in four of eight panels" sounds improbable for one of six groups. It would be if panels were independent; they share words and images.

# %%
gap, place = smiling.beyond(slopes, world.groups, outlier), world.groups.index(outlier)
won = smiling.steepest(slopes) >= smiling.FOUR
signs = np.sign(smiling.beyond(smiling.slopes(counted), world.groups, outlier)[0])
told = pd.DataFrame(smiling.detected(gap, b, signs), columns=list(planted))
events = {
    "some group steepest in 4 panels,\nnothing planted": won[b == 0].any(axis=1),
    "a given group, nothing planted": won[b == 0, place],
    "the planted group": won[b == 1, place],
} | {f"by name, {name.replace('_', ' ')}": told.loc[b == 1, name] for name in planted if planted[name] != "none"}
often = vb.networks.rates(events)

# %% tags=["hide-input"]
often = often.rename_axis("event").reset_index()
often["planted"] = ["", "", ""] + [kind for kind in planted.values() if kind != "none"]
often["label"] = often["event"].where(often["planted"] != "two-way", often["event"] + "\n(planted for its crest)")
vb.figures.show(
    vb.figures.rates(often, rate="rate", low="low", high="high", label="label", value_label="% of networks, exact 95 % intervals"),
    name="smiling-found",
    alt=f"Share of networks in which some group is steepest in four panels: {often['rate'][0]:.0%} with nothing planted. Asked by name, the planted slopes are told from "
    f"networks with nothing planted in {often['rate'][3:].min():.0%} to {often['rate'][3:].max():.0%}.",
    caption="Counting panels, and asking for one group and one dimension beforehand: its excess slope beyond 19 of 20 networks with nothing planted.",
    source="greenhouse",
)
hits = often.assign(said=[words.among(row.hits, row.n) for row in often.itertuples()])
vb.note(some=often["rate"][0], given=often["rate"][1], own_four=hits["said"][2], named=words.listed(f"{row.event.removeprefix('by name, ')} ({row.said})" for row in hits[hits["planted"] == "three-way"].itertuples()),
        mistaken=hits.loc[hits["planted"] == "two-way", "said"].iloc[0])

# %% [markdown]
# With nothing planted, some group is steepest in four panels or more in {glue:text}`some:.0%` of the networks, a *given* group in {glue:text}`given:.0%`; with its smile planted, {glue:text}`group` is so in
# {glue:text}`own_four` networks. Asked by name, its slope is told from networks with nothing planted in {glue:text}`named`. The effect of its crest passes the same test in {glue:text}`mistaken`: an
# excess over the others does not show that hue *and* crest matter together. A test that does is in [the chapter on intersections](intersections.ipynb).

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`; the rows on Table B.1 from the arithmetic above.
#
# | | paper | code or table | here |
# |---|---|---|---|
# | fit (H13) | "a second-degree polynomial is fit to the means" | ten means per group here; single images in Figure 5 | means; images in [age](age.ipynb) |
# | prompts (H15) | "likeable" in Warmth; a full stop after the fourth template | "likable"; no full stop | both protocols. Warmth has no opposite: the spelling moves no number of Table S.2; the full stop can, where a tokenizer sees it |
# | average (H16) | "opposing valences are negatively correlated" | plain mean of three r | each pair; the mean of z |
# | brightness (H17) | smiling pictures corrected | the correction must be switched off to *build* the corrected pictures | the loader reads corrected pictures only; moves no number on drawings, whose brightness does not depend on the smile |
# | Table B.1 | smiling split at 0 | one fit over all levels | computed from the standard errors |
# | Table B.1, pose (H18) | perception rises towards the front | Δcos falls towards the front | Δcos, as the table; raw cosines in the figure |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/smiling -p protocol released -p n_resamples 2000
# ```
# With the authors' released cosines, no image and no model is needed: `-p stimuli causalface -p cosines path/to/results -p prompts social_perception/released`.
# :::

# %% [markdown]
# ## Take-aways
#
# - Ask what the rows of a correlation or regression were: ten level means, or 153,600 values of 100 identities.
# - r between opposite poles measures a *shared* movement, and depends on what is subtracted. Whether perception changes is a question about the difference of the
#   poles, in units.
# - Parallel is not unaltered: both poles can rise while one gains on the other.
# - An average of −1, +1 and a perhaps describes none of them.
# - Some group is always steepest. Name the group and the dimension beforehand.

# %% [markdown]
# ## Exercises
#
# :::{exercise} The predictor behind a standard error
# :label: smiling-rms
# :level: intermediate
# :minutes: 15
# :code: yes
# Show by simulation that with one predictor se(constant)/se(slope) is its root mean square, whatever the noise. What is it for levels of 0 and more in
# `smiling_lines.SMILES`, and does Table B.1's audit allow that?
# :::
#
# ```{solution-start} smiling-rms
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
x = np.repeat(smiling_lines.SMILES, 7)
fit = sm.OLS(np.random.default_rng(seed).standard_t(3, len(x)), sm.add_constant(x)).fit()
upwards = smiling_lines.rms([level for level in smiling_lines.SMILES if level >= 0])
print(f"{fit.bse[0] / fit.bse[1]:.4f}, {smiling_lines.rms(x):.4f}; levels of 0 and more: {upwards:.3f}")
allowed = audit_b1.set_index("row").loc["smile_positive", ["rms_low", "rms_high"]]
print(f"Table B.1 allows {allowed.iloc[0]:.2f} to {allowed.iloc[1]:.2f}")
assert np.isclose(fit.bse[0] / fit.bse[1], smiling_lines.rms(x)) and upwards > allowed.iloc[1]

# %% [markdown]
# With residual spread $s$, $\mathrm{se}(\text{slope}) = s / \sqrt{\sum (x - \bar x)^2}$, and $\mathrm{se}(\text{constant})$ is $\sqrt{\sum x^2 / n}$ times
# as large. In the ratio the noise cancels; what is left belongs to the predictor alone. So two printed
# standard errors tell which levels cannot have been used.
#
# ```{solution-end}
# ```
#
# :::{exercise} Smooth curves correlate
# :label: smiling-smooth
# :level: intermediate
# :minutes: 20
# :code: yes
# Draw two independent random walks of ten steps, many times. How often does their correlation have p < .05? And of two independent sets of ten
# independent values? What does this say of r over ten neighbouring levels? (`smiling.p_of` gives the p of a correlation.)
# :::
#
# ```{solution-start} smiling-smooth
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
steps = np.random.default_rng(seed).normal(size=(2, 4_000, 10))
rates = []
for pairs in (steps, steps.cumsum(axis=2)):
    off = pairs - pairs.mean(axis=2, keepdims=True)
    r = (off[0] * off[1]).sum(axis=1) / np.sqrt((off**2).sum(axis=2).prod(axis=0))
    rates.append(float((smiling.p_of(r, 10) < 0.05).mean()))
print(f"independent values: {rates[0]:.1%}; random walks: {rates[1]:.1%}")
assert rates[0] < 0.07 and rates[1] > 0.2

# %% [markdown]
# A random walk remembers where it was, so ten neighbouring levels hold fewer than ten independent values, and the formula for p counts ten. Two
# smooth curves correlate strongly by chance, in either direction. An r over neighbouring levels needs a yardstick made of curves that are as smooth.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If light moves every trait word alike, relative to "person", has the judgement changed? What would a system that ranks faces by
#    "trustworthy" do?
# 2. Not everybody is expected to smile alike. Is a model's response to a smile a *legitimate* driver, as we call it
#    in our world, when it differs by group?
