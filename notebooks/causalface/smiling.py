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
# # A smile changes the judgement. Do light and pose?
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 3 and S.1, Table S.2; Table B.1 and Figure B.2 of an earlier
# version: smile, light and pose, each varied alone.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** With more light, the words "trustworthy" and "untrustworthy" both fit a face better. Has the judgement changed, or is the face only easier to read?
#
# **Answer in short.** A correlation of two opposite traits near +1 cannot tell. It says that the two move together, but not whether one gains on the other. (A correlation near −1 can tell: one rises as the other falls.) So look at their *difference*: by how much does it change?
# Whether light and pose change the judgement is open until that is done.
#
# **In 20 minutes:** {ref}`the printed correlations <smiling-printed-r>`, what one may doubt, {ref}`correlation and difference side by side <smiling-answer>`, take-aways.
# **In 75 minutes:** everything, with both exercises.
#
# **You need:** a correlation, a straight line fitted to points. The primer
# "[Δcos and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper says that a model judges one group, Black women, by other rules than the rest. The drawn faces
# on this page belong to invented groups; they stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
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

# %% tags=["hide-input"]
from functools import partial

import numpy as np
import pandas as pd
import statsmodels.api as sm

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import intersections, smiling, smiling_claims, smiling_lines, smiling_words
from vlmbias.papers import CAUSALFACE

vb.figures.style()
planted_for = " ".join(grammar.load().bias.outlier.values())  # drawn faces: the group whose smile works otherwise

# %% [markdown]
# ## What the paper reports: light and pose move opposite traits together
#
# Collections of photographs do not record whether people smile, how the light falls, or where they look. {cite:t}`hausladen2025` vary each of the three alone, on
# computer-generated faces. There are ten smiles, eight lights and five poses; we call them *levels*.
#
# A judgement is a score, Δcos. It says how much nearer a face is to a sentence such as "a photo of a trustworthy person" than to the *neutral sentence*, "a photo of a person". For each level, the authors average these
# scores over all faces.
#
# Three traits have two opposite sides: Agency (words such as *powerful* and *powerless*), Belief (*liberal* and *conservative*) and Communion (*trustworthy* and
# *untrustworthy*). For each trait, the authors correlate the scores of the two sides over the levels. If more light makes a face look both more trustworthy and more untrustworthy, r is near +1. If a smile makes it
# look more trustworthy and less untrustworthy, r is near −1. These are the printed numbers:

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/smiling")
printed = claims.set_index("claim")["printed"]
table_s2 = smiling_lines.correlations(printed)
wide = table_s2.set_index(["attribute", "pair"]).loc[("pose", "belief")]
fig = vb.figures.forest(table_s2.assign(label=table_s2["attribute"] + ", " + table_s2["pair"]), estimate="r", low="low", high="high", label="label",
                        group="attribute", value_label="r between opposite traits; bars: 95 % intervals that we computed")
fig.axes[0].set_xticks([-1, -0.5, 0, 0.5, 1])
vb.figures.show(
    fig,
    name="smiling-printed-r",
    alt=f"Nine printed correlations with intervals. For pose and belief, r = {wide['r']:.2f} over five levels, the interval "
    f"reaches from {wide['low']:.2f} to {wide['high']:.2f}. Smiling has one strongly positive and one strongly negative value.",
    caption="Table S.2: correlation of opposite traits over the means of ten, eight or five levels. The bars show how uncertain an r over so few levels is.",
    source="paper:causalface, Table S.2",
)

# %% [markdown]
# The authors conclude that a smile changes the judgement: "As a face transitions from a frowning expression to a smile, it is perceived as more
# positive, more Progressive (Belief), and less negative." Light and pose "do not significantly alter social perception but instead affect "legibility"": they make a face easier or harder to read.
#
# A second finding is about groups. Figure 3 of the paper has a panel for each of eight traits. In each panel, there is one curve over the smile for each group. The curve of Black women is {claim}`smiling.steepest` in {claim}`smiling.steepest-panels` of the {claim}`smiling.panels` panels. The authors write: "Our findings
# suggest that Black women are an outlier group by CLIP."
#
# **Their own limits.** Smiling pictures were corrected for brightness; without the correction, there were "only minor differences". Levels of light "are not inherently linear, so curve slopes are not
# central to our analysis". A turned face is "more distant from the "person" mode", which makes changes hard to interpret.
#
# ### Do the printed numbers agree?
#
# In Table S.2 they do: every correlation fits its p-value. In a table of an earlier version of the paper, some numbers do not fit the text (details below).

# %%
vb.ledger.show(claims)

# %% tags=["hide-input"]
of_z = table_s2.groupby("attribute", sort=False)["r"].agg(smiling_lines.mean_of_z)
fixed = table_s2[table_s2["fitting"].map(len) > 0]
audit_b1 = smiling_lines.audit(printed)
lit = audit_b1.set_index("row").loc["lighting"]
counter = smiling_lines.rms(range(lit["n"]))
vb.note(of_z=of_z["smiling"], belief=wide[["low", "high"]], counter=counter, fits="within" if lit["rms_low"] <= counter <= lit["rms_high"] else "outside",
        frowns=smiling_lines.rms([level for level in smiling_lines.SMILES if level <= 0]),
        sizes=words.listed(f"{' or '.join(map(str, row.fitting))} for {row.attribute} and {row.pair}" for row in fixed.itertuples()))

# %% [markdown]
# One printed number says less than it seems. "The opposing valences" (the two sides of a trait) "are negatively correlated" with the smile, r = {claim}`smiling.table_s2.smiling.average`. This is the mean of three correlations:
# {claim}`smiling.table_s2.smiling.agency.r`, {claim}`smiling.table_s2.smiling.belief.r` and {claim}`smiling.table_s2.smiling.communion.r`. The first is as the sentence says, the second is the *opposite*, and
# the third is not significant. A mean does not describe three such numbers.
#
# :::{dropdown} Details: over how many levels, and what Table B.1 was computed from
# The paper does not say over how many means it correlates. Its p-values do, where they are printed as numbers: {glue:text}`sizes`. The eight levels of light are our inference.
#
# Table B.1 of the earlier version fits straight lines to scores: over the smile, over light, and over each half of the pose. The slopes are printed with standard errors (se) and R². With $t$, the slope divided by its se, these tell how many rows $n$ a line was
# fitted to, and how large its predictor was (rms: root of the mean square):
#
# $$\begin{gathered} R^2 = \frac{t^2}{t^2 + n - 2}, \\[1ex]
# \frac{\mathrm{se}(\text{constant})}{\mathrm{se}(\text{slope})} = \mathrm{rms}. \end{gathered}$$
#
# 1. *The rows are not of one kind.* The smile was fitted to a few means of levels, light and pose to every image and word. So the R² of different lines cannot be compared.
# 2. *The smile was not split.* The text says that frowns (levels up to 0) and smiles were fitted apart. The printed errors belong to all ten levels; frowns alone would have an rms of {glue:text}`frowns:.2f`.
# 3. *For light, the predictor is not the level of light.* Its rms is as large as if the rows had been numbered and their *numbers* taken: that would be {glue:text}`counter:,.0f`, {glue:text}`fits` what the printed errors allow. The code is not published, so we can only guess at a
#    slip.
#
# For pose, table and text disagree. The text says that perceptions "rise when moving from a left tilt … to a frontal stance". In the table, the slope on the left is negative ({claim}`smiling.table_b1.pose_left.coef`): scores fall towards the front. On the right it is
# {claim}`smiling.table_b1.pose_right.coef`.
# :::

# %% tags=["hide-cell"]
tables.readable(audit_b1, names={"n_low": "n from", "n_high": "n to", "rms_low": "rms from", "rms_high": "rms to", "n": "n of the design", "rms": "rms of the levels", "n_fits": "n fits"}).format("{:,.0f}", subset=["n_low", "n_high"]).hide(
    axis="index"
).set_caption("What the printed standard errors and R² of Table B.1 allow, beside the design")

# %% [markdown]
# ### What one may doubt
#
# **Does r near +1 mean that the judgement stays the same?** No, it means that two curves rise and fall *together*. Here is an example with made-up scores, at three levels of light:

# %%
light = pd.DataFrame(
    {"trustworthy": [1.0, 2.0, 3.0], "untrustworthy": [1.0, 1.5, 2.0]},
    index=["dim", "middle", "bright"],
)
light["difference"] = light["trustworthy"] - light["untrustworthy"]
r = np.corrcoef(light["trustworthy"], light["untrustworthy"])[0, 1]
assert np.isclose(r, 1)
tables.readable(light, precision=1)

# %% [markdown]
# The correlation is exactly 1. And yet the judgement changes. In dim light, both words fit equally well. In bright light, "trustworthy" fits better than "untrustworthy", because the *difference* grows from 0 to 1. This difference
# is what counts for a system that ranks faces.
#
# **How much is known from five levels?** Not much. For pose and Belief, the printed r is compatible with values from {glue:text}`belief.low:.2f` to {glue:text}`belief.high:.2f`.
#
# **What was subtracted?** From every score, the authors subtract that of a neutral sentence (see [the neutral prompt](neutral_prompt.ipynb)). The same number is subtracted from both sides of a trait. This changes r, but it
# does not change the difference.
#
# **Is the steepest group an outlier?** Not for that reason alone. Among six groups, one is always the steepest.
#
# ## The protocol, run on {data}
#
# We now do what the paper does, and compute the difference of the two sides as well.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has a *hue* (teal, amber or violet) where the paper has race, and a
# *crest* (budded or eared) where it has gender. [What the faces and captions look like](../../book/greenhouse/limits.md), and what this world can and cannot show, is one click away.

# %%
PROTOCOLS = {  # the text and the code spell one word and one sentence differently
    "described": dict(words=prompts),
    "released": dict(words=prompts_released),
}
looks = {}
for name, choice in PROTOCOLS.items():
    looks[name] = vb.perceive(stimuli, model, **choice, root=root, cosines=cosines)
seen = looks[protocol]
draw = dict(n=n_resamples, seed=seed)

# level means, and the same with people drawn anew many times
delta = {}
for attribute in smiling.VARIED:
    delta[attribute] = smiling.trajectory(100 * seen.delta(), seen.table, attribute, **draw)
pairs = smiling.poles(delta)

# one pair by hand: light and Communion
pictures = seen.table["subset"].isin(["lighting", "prototype"])
levels = (100 * seen.delta())[pictures].groupby(seen.table["lighting"][pictures]).mean()
good, bad = levels["positive_communion"], levels["negative_communion"]
r, difference = np.corrcoef(good, bad)[0, 1], np.ptp(good - bad)
by_hand = pairs.set_index(["attribute", "pair"]).loc[("lighting", "communion")]
assert np.allclose([r, difference], by_hand[["r", "range"]])

# %% tags=["hide-input"]
who = roles.of(seen, CAUSALFACE)
if planted_for in who.groups:  # drawn faces: follow the group for which a smile of its own was planted
    who = who.with_outlier(planted_for)
reach = pairs.groupby("attribute")["range"].max()
vb.note(drawn=made_here.of_ours(seen), hand={"r": r, "difference": difference, "levels": len(levels)}, reach=reach, widest=words.extreme(reach, reach.index),
        changed=words.among(int((pairs["p_constant_holm"] < 0.05).sum()), len(pairs)))
shown_pairs = pairs[["attribute", "pair", "n", "r", "low", "high", "range", "p_constant_holm"]]
tables.readable(shown_pairs, names={"attribute": "what is varied", "pair": "trait", "n": "levels", "low": "r from", "high": "r to", "range": "change of the difference", "p_constant_holm": "p, corrected (Holm)"}).format(tables.p_value, subset="p_constant_holm").hide(axis="index").set_caption(
    "r of the two sides, with its 95 % interval over people; change of their difference, from its lowest level to its highest, in Δcos × 100; p of the test that the difference does not change")

# %% [markdown]
# Each row is a trait, under one of the three variations. Take light and Communion: over {glue:text}`hand.levels` levels, r is {glue:text}`hand.r:.2f`. The difference of the two sides changes by {glue:text}`hand.difference:.2f`
# between its lowest and its highest level.
#
# Whether light or pose changes the judgement is a question about these differences. Here, {glue:text}`changed` change significantly. But with so many pictures of one model, even small changes are significant. So compare their *size*. The largest change is
# {glue:text}`reach.smiling:.2f` with the smile, {glue:text}`reach.lighting:.2f` with light and {glue:text}`reach.pose:.2f` with pose. Such a comparison is possible because differences have a unit. Correlations have none.
#
# ### The smile, group by group
#
# As in Figure 3 of the paper, we fit a parabola to the ten means of each group. The heavy line is the group that we follow.
#
# {.if-run}
# In the Greenhouse, we *planted* something for this group: in the captions, its smile works differently from that of all others.

# %%
by_group = smiling.trajectory(
    100 * seen.delta(), seen.table, "smiling", groups=who.groups, **draw
)
tested = smiling.excess(by_group, who)  # slope of one group minus the mean of the others

# %% tags=["hide-input"]
lines, dots = smiling.figure_data(by_group)
source = roles.sources(seen)
won = smiling.steepest(smiling.slopes(by_group))[0, who.groups.index(who.outlier)]
vb.figures.show(
    vb.figures.levels(lines, level="level", value="value", group="group", panel="panel", points=dots, colours=who.colours, heavy=[who.outlier],
                      dashed=who.having("male"), level_label="smiling", value_label="Δcos × 100"),
    name="smiling-groups",
    alt=f"Eight panels of Δcos against smiling for six groups. {who.outlier.capitalize()}, in a heavy line, is steepest in {won} of 8 panels.",
    caption=f"As Figure 3: means per level and parabolas through them; {who.outlier} in a heavy line, {who.called['male']} dashed.",
    source=source,
)
differ = tested[tested["p_holm"] < 0.05]
vb.note(outlier=who.outlier, resamples=n_resamples, clear=words.among(len(differ), len(tested)), any=words.among(int((tested["p_alike_holm"] < 0.05).sum()), len(tested)))

# %% [markdown]
# The paper takes orders from such curves: which group is highest, and which is steepest. But an order has no margin of error. So we test one number: the slope of {glue:text}`outlier`, minus the mean slope of the other groups. (The slope is that of the parabola, at the middle level.)
#
# For its margin of error, we draw people at random, with replacement, {glue:text}`resamples` times (the bootstrap). The slope differs significantly in {glue:text}`clear` traits. This says what *this model* would do with new faces. It says nothing about other models.
#
# :::{dropdown} Details: honesty and dishonesty, three ways to subtract, and the lines of Table B.1
# *Honesty.* The paper finds no gender difference for *honest*, and one for *dishonest*. If the two words were opposites, a change of one would be minus the change of the other, and the two would add up to 0. The last row of the second table is this sum.
#
# *Three ways to subtract.* Figure S.1 shows Δcos by level, Figure B.2 the scores without the subtraction. Over pose, the raw scores {glue:text}`swing` Δcos. The sign of r depends on what is subtracted: nothing, the neutral sentence, or the mean over all adjectives. For {glue:text}`flips` pairs, the
# three do not agree on the sign.
#
# *The lines of Table B.1.* The slope is the same whether a line goes through level means or through every image and word; standard errors and R² follow the number of rows. With standard errors over people, those of light, smile and pose are {glue:text}`ratio.least:.2f` to {glue:text}`ratio.most:.2f` times as large as
# those over images and words. They are smaller, since everybody is seen at every level: what is peculiar to a person cancels.
# :::

# %% tags=["hide-cell"]
kept = tested[["dimension", "value", "low", "high", "p_holm", "p_alike_holm"]]
tables.readable(kept, signed=True, names={"dimension": "trait", "value": "slope less others’", "p_alike_holm": "p that all six are alike, Holm"}).format(tables.p_value, subset=["p_holm", "p_alike_holm"]).hide(axis="index")

# %% tags=["hide-cell"]
in_words = smiling.gap_in_words(seen, who, **draw)
tables.readable(in_words, signed=True).hide(axis="index").set_caption("Smiling slope of women minus that of men, Δcos × 100")

# %% tags=["hide-cell"]
raw = {attribute: smiling.trajectory(100 * seen.raw(), seen.table, attribute) for attribute in smiling.VARIED}
three = smiling.read_three_ways(seen)
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
vb.note(swing=words.verb(swing["raw"], above=swing["delta"], then="move more than", else_="do not move more than"), flips=words.among(flips, len(three)))
tables.readable(three, signed=True).hide(axis="index").set_caption("r between opposite traits: raw scores, Δcos, and scores less the mean over all adjectives")

# %% tags=["hide-cell"]
fits = {name: smiling_lines.lines(look) for name, look in looks.items()}
for name, look in looks.items():
    of_all, of_people = smiling_claims.of(look, who, fits[name], **draw)
    # statements that name groups of people are recorded where the faces show people
    for claim, value in (of_all if look.source == "greenhouse" else of_all | of_people).items():
        vb.ledger.record(f"smiling.{claim}", value, results=results, stimuli=look, model=look, protocol=name)
ratio = fits[protocol].query("unit == 'images × words'").eval("clustered / se")
vb.note(ratio={"least": ratio.min(), "most": ratio.max()})
columns = ["row", "unit", "n", "coef", "r2", "se", "clustered"]
tables.readable(fits[protocol][columns], names={"r2": "R²", "coef": "slope", "clustered": "SE over people"}).format(tables.short, subset=columns[3:]).hide(axis="index").set_caption("The lines of Table B.1 on these faces")

# %% [markdown]
# ## What this method can see: movement together, not change
#
# In the [Greenhouse](../../book/greenhouse/limits.md) we wrote the captions, so we know what smile, light and pose do to every word. Small networks learn from drawn faces and these captions. Here we take
# {glue:text}`null` networks whose captions speak of all groups alike (*null networks*), because the first question is not about groups.
#
# In these captions, more light makes all words of Communion more frequent. It does so more for *trustworthy* than for *untrustworthy*. Scores are in *logits* (units of log-odds). One tenth of a logit more means that
# the odds of a word are about 10 % higher.

# %%
portraits = retrained.scores("grid")  # what every network made of the same pictures
usual = portraits.networks["condition"] == "none"
null = usual & (portraits.networks["b"] == 0)
shown = {}
for attribute in smiling.VARIED:
    shown[attribute] = smiling.of_networks(portraits, attribute, null)
found = smiling.poles_by_network(shown)  # r and difference of each pair, in each network

# %% tags=["hide-input"]
faces = portraits.images.query("set == 'grid'")
said = partial(truth.counted, grammar.load(), axes=CAUSALFACE.dimensions)  # what a count of captions shows
spoken = {
    attribute: (pd.DataFrame({"b": [0.0]}), smiling.of_truth(faces, partial(said, by=attribute, b=0.0), attribute))
    for attribute in smiling.VARIED
}
beside = smiling.beside_counts(found, smiling.poles_by_network(spoken))
fig, axes = vb.figures.panels(1, 2, height=4.8, share_y=True)
blue, orange = vb.figures.COLOURS["recomputed"], vb.figures.COLOURS["planted"]
for axis, (value, label) in zip(axes[0], {"r": "r between opposite traits", "range": "change of their difference"}.items(), strict=True):
    for k, row in enumerate(beside[::-1].itertuples()):
        own = found.loc[(found["attribute"] == row.attribute) & (found["pair"] == row.pair), value]
        axis.plot(own, k + np.linspace(-0.28, 0.28, len(own)), "o", color=blue, alpha=0.5, ms=3.5, mew=0, label="a null network" if k == 0 else None)
    known = beside if value == "range" else beside[beside["apart"]]
    axis.plot(known[f"counted_{value}"], len(beside) - 1 - known.index, "x", color=orange, ms=10, mew=2.2, label="in the captions")
    axis.set(yticks=range(len(beside)), yticklabels=(beside["attribute"] + ", " + beside["pair"])[::-1], title=label, xlabel={"r": "r", "range": "logits"}[value])
    axis.grid(axis="y")
axes[0, 0].axvline(0, color="0.6", lw=1)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False)
cell = beside.set_index(["attribute", "pair"])
still, light = beside[~beside["apart"]], cell.loc[("lighting", "communion")]
pose = cell.loc[("pose", "agency")]
vb.figures.show(
    fig,
    name="smiling-answer",
    alt=f"Left, r between opposite traits in {found['b'].size // len(beside)} networks for nine pairs; right, by how much their difference changes. For light and communion the median r "
    f"is {light['r']:.2f} and the difference changes by {light['range']:.2f} logits; where captions set the two sides apart at no level, r has p below .05 in {still['rate'].mean():.0%} of the networks.",
    caption="Table S.2 in null networks. A cross near 0 on the right: in the captions, the difference is nearly the same at all levels. For these pairs, the left panel has no cross.",
    source="greenhouse",
)
vb.note(null=int(null.sum()), pose=pose[["counted_range", "range"]], seen=words.verb(pose["range"], above=2 * still["range"].max(), then="show it", else_="hardly show it"),
        light=light[["r", "range"]],
        of_null=still["rate"].mean(), times=light["range"] / still["range"].max(), most=still["range"].max(),
        parallel=words.verb(light["r"], above=0.9, then="rise and fall together", else_="do not rise and fall together"),
        also=words.verb(light["range"], above=2 * still["range"].max(), then="come apart", else_="hardly come apart"))

# %% tags=["hide-input"]
tables.readable(beside[["attribute", "pair", "r", "range", "counted_range"]], names={"attribute": "what is varied", "pair": "trait", "r": "r in networks", "range": "change in networks", "counted_range": "change in captions"}).hide(axis="index").set_caption("Medians over null networks; change of the difference between its highest and lowest level, logits")

# %% [markdown]
# **A correlation near 1, and a judgement that changes.** With more light, the two sides of Communion {glue:text}`parallel` in the median network (r = {glue:text}`light.r:.2f`). And they
# {glue:text}`also`, by {glue:text}`light.range:.2f` logits. Someone who knows only r would say that light affects legibility, and not the judgement.
#
# **A significant correlation, and no change in the captions.** In some rows of the table, the last column is almost 0: at every level, captions use the words of the two sides equally often, or with the same difference. Yet r is significant in {glue:text}`of_null:.0%` of the networks. So a significant r does not show that the
# difference changes, either. One reason is that neighbouring levels resemble each other, so that two curves easily run alike (exercise 2).
#
# **The difference is not free of chance either, but it can be compared.** In the same rows, the difference changes by up to {glue:text}`most:.2f` logits in the median network. So a change of this size need not come from the captions. The change for light and Communion is {glue:text}`times:.1f` times as large.
#
# **What a model does not show may still be in its captions.** In the captions, turning the head changes the difference of *powerful* and *powerless* by {glue:text}`pose.counted_range:.2f` logits. The networks {glue:text}`seen` ({glue:text}`pose.range:.2f`).
#
# ### Some group is always the steepest
#
# Is it improbable that one of six groups is the steepest in four of eight panels? It would be if the panels were independent. But they are not, as they share words and pictures.
#
# So we count panels in networks for which we know the answer. In null networks, no group's smile is special. In {glue:text}`full` other networks, the smile of {glue:text}`group` is special: their captions say so, at the full strength of planted bias.

# %%
world = roles.greenhouse_roles(CAUSALFACE).with_outlier(planted_for)
networks, smiles = smiling.of_networks(portraits, "smiling", usual, groups=world.groups)
b, slopes = networks["b"].to_numpy(), smiling.slopes(smiles)
won = smiling.steepest(slopes) >= smiling.FOUR  # networks × groups
by_count = {
    "some group is steepest in 4 panels,\nnothing planted": won[b == 0].any(axis=1),
    "the planted group is, planted": won[b == 1, world.groups.index(planted_for)],
}

# %% tags=["hide-input"]
planted = intersections.kinds(grammar.load().bias, CAUSALFACE.dimensions, "smiling")
counted = smiling.of_truth(faces, partial(said, by=["race", "gender", "smiling"], b=1.0), "smiling", groups=world.groups)
gap = smiling.beyond(slopes, world.groups, planted_for)
signs = np.sign(smiling.beyond(smiling.slopes(counted), world.groups, planted_for)[0])
exceeds = pd.DataFrame(smiling.detected(gap, b, signs), columns=list(planted))
events = by_count | {f"named beforehand:\n{name.replace('_', ' ')}": exceeds.loc[b == 1, name] for name in planted if planted[name] == "three-way"}
often = vb.networks.rates(events).rename_axis("event").reset_index()
vb.figures.show(
    vb.figures.rates(often, rate="rate", low="low", high="high", label="event", value_label="% of networks, exact 95 % intervals"),
    name="smiling-found",
    alt=f"Share of networks in which some group is steepest in four panels: {often['rate'][0]:.0%} with nothing planted. Named beforehand, the planted slopes are distinguished from "
    f"null networks in {often['rate'][2:].min():.0%} to {often['rate'][2:].max():.0%}.",
    caption="How often counting panels, or naming a group and a trait beforehand, reports a group. Only the first line is about networks in which nothing was planted. Dashed: 5 %.",
    source="greenhouse",
)
named = {name: int(exceeds.loc[b == 1, name].sum()) for name in planted if planted[name] == "three-way"}
two_way = next(name for name in planted if planted[name] == "two-way")
vb.note(group=planted_for, full=int((b == 1).sum()), some=often["rate"][0], own_four=words.among(int(often["hits"][1]), int(often["n"][1])), named=smiling_words.by_trait(named, int((b == 1).sum())),
        two=two_way.replace("_", " "), mistaken=words.among(int(exceeds.loc[b == 1, two_way].sum()), int((b == 1).sum())))

# %% [markdown]
# We begin with the networks in which nothing was planted. In {glue:text}`some:.0%` of them, some group is nevertheless the steepest in four panels or more. Now take the networks in which we planted something for {glue:text}`group`. This
# group is the steepest in four panels or more in {glue:text}`own_four` networks. Counting panels finds groups that are not special, and can miss the one that is.
#
# It helps to name the group and the trait beforehand. We call the slope of {glue:text}`group` *found* if it exceeds the mean of the others by more than it does in 95 % of the null networks. By this rule, it is found {glue:text}`named`.
#
# Even then, a caution remains. A group is a hue and a crest. In the trait {glue:text}`two`, we planted nothing for this group alone, only something for everybody with its *crest*, whatever the hue. The same test reports the group in {glue:text}`mistaken` networks.
# To show that hue *and* crest matter together, one needs another test: see [intersections](intersections.ipynb).
#
# ### What this means for the paper
#
# A smile changes the judgement of CLIP at least in Agency: there r is near −1, so one side rises as the other falls. The design supports this well, since nothing but the smile differs between the pictures. It has not been shown that light and pose leave the judgement as it is, because positive correlations cannot show that.
#
# The authors' scores can answer the question. For each trait, report the change of the difference of its two sides, with an interval over people. From the same scores, each group's slope gets an interval, too.

# %% [markdown]
# ## Where paper and code differ
#
# The list is for readers who check the analysis or rerun it.
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `a2daa85`; the rows on Table B.1 follow from its numbers.
#
# | | what the paper says | what the code or the table does | here |
# |---|---|---|---|
# | curves (H13) | "a second-degree polynomial is fit to the means" | it fits ten means here, and single images in Figure 5 | means; for images see the chapter on [age](age.ipynb) |
# | sentences (H15) | "likeable" in Warmth; a full stop after the fourth sentence | "likable"; no full stop | both protocols. Warmth has no opposite, so its spelling changes no number of Table S.2; the full stop can change some |
# | average (H16) | "opposing valences are negatively correlated" | it is the plain mean of three r | each pair by itself |
# | brightness (H17) | smiling pictures were corrected | the correction must be switched off to *build* the corrected pictures | only corrected pictures are read; this changes no number on drawings, whose brightness does not depend on the smile |
# | Table B.1 | the smile was split at 0 | one line goes through all levels | computed from the standard errors |
# | Table B.1, pose (H18) | perception rises towards the front | Δcos falls towards the front | Δcos, as in the table; raw scores in the details |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/smiling -p protocol released -p n_resamples 2000
# ```
# With the authors' released scores, no image and no model is needed: `-p stimuli causalface -p cosines path/to/results -p prompts social_perception/released`.
# :::

# %% [markdown]
# ## Take-aways
#
# - Two scores can rise together while one gains on the other. To learn whether a judgement changes, look at how much their difference changes.
# - Ask what a correlation was computed from. It may be ten means, or thousands of values from a hundred people.
# - A mean of correlations with opposite signs describes none of them.
# - Some group is always the steepest. Name the group and the trait beforehand.

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
