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
# # Do a smile, light and pose change how a face is judged?
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 3 and S.1, Table S.2; Table B.1 of an earlier
# version: smile, light and pose, each varied alone.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** With more light, the words "trustworthy" and "untrustworthy" both fit a face better. Has the judgement changed, or is the face only easier to read?
#
# **Answer in short.** The paper supports its curves with a correlation. This says whether the two words move in the same direction, but not whether one gains on the other. Their *difference* says that, and the paper prints no number for its change. So it is still open how much light and pose change CLIP's judgement. With the smile, the authors see two things for Black women: in many panels, they score lowest when frowning, and their scores rise most. [In networks in which no group is special, both together are rare.]{.holds #both_rare} [But in networks whose captions do treat groups differently (one group's smile is steeper in two traits only), the two together are no more frequent.]{.holds #biased_rare}
#
# **In 20 minutes:** {ref}`What the paper reports <smiling-reports>`, {ref}`What one may doubt <smiling-doubt>`,
# {ref}`What this method can see <smiling-see>`, {ref}`Take-aways <smiling-take>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a correlation, a straight line fitted to points. The primer
# "[Δcos and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper reports that a model's scores for one group, Black women, are extreme. The drawn faces
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
import numpy as np
import pandas as pd
import statsmodels.api as sm

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import smiling
from vlmbias.papers import CAUSALFACE

vb.figures.style()
planted_for = " ".join(
    grammar.load().bias.outlier.values()
)  # drawn faces: the group whose smile works otherwise

# %% [markdown]
# (smiling-reports)=
# ## What the paper reports: light and pose move most opposite words together
#
# CLIP is a network that scores how well a picture fits a sentence. {cite:t}`hausladen2025` vary smile, light and pose, each alone, on computer-generated faces. There are ten smiles, eight lights and five poses; we call them *levels*.
#
# The authors' *score* is Δcos: how much better a face fits a sentence such as "a photo of a trustworthy person" than the *neutral sentence*, "a photo of a person". They average it over all faces at each level.
#
# Three *traits* have two opposite *sides*, each scored by itself: Agency (words such as *powerful* and *powerless*), Belief (*liberal*, called Progressive, and *conservative*) and Communion (*trustworthy* and
# *untrustworthy*). For each trait, the authors correlate the scores of the two sides over the levels: r is near +1 if both rise and fall together, and near −1 if one rises as the other falls.
#
# The figure shows the nine printed correlations, with intervals that we computed. With few levels, they are wide.

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/smiling")
printed = claims.set_index("claim")["printed"]
table_s2 = []
for attribute, n in {"smiling": 10, "lighting": 8, "pose": 5}.items():
    for trait in CAUSALFACE.poles:
        r, p = (printed[f"smiling.table_s2.{attribute}.{trait}.{part}"] for part in ("r", "p"))
        low, high = vb.correlations.interval(float(r), n)
        fitting = (
            () if p.startswith("<") else tuple(smiling.cases_that_fit(r, p))
        )  # numbers of levels that turn r into p
        table_s2.append(
            {
                "attribute": attribute,
                "pair": trait,
                "n": n,
                "r": float(r),
                "low": low,
                "high": high,
                "fitting": fitting,
            }
        )
table_s2 = pd.DataFrame(table_s2)
SPOKEN = {"smiling": "smile", "lighting": "light"} | {
    trait: trait.capitalize() for trait in CAUSALFACE.poles
}  # as the text calls them
shown_r = table_s2.replace({"attribute": SPOKEN, "pair": SPOKEN})
shown_r["label"] = [
    f"{row.attribute}, {row.pair}: {row.r:.2f}".replace("-", "−") for row in shown_r.itertuples()
]
others = table_s2[table_s2["attribute"] != "smiling"]
vb.note(together=words.among(int((others["r"] > 0.85).sum()), len(others)))
fig = vb.figures.forest(
    shown_r,
    estimate="r",
    low="low",
    high="high",
    label="label",
    group="attribute",
    value_label="r between the two sides of a trait, over levels; 95 % intervals",
)
fig.axes[0].set_xticks([-1, -0.5, 0, 0.5, 1])
vb.figures.show(
    fig,
    name="smiling-printed-r",
    alt=f"Nine printed correlations with intervals: {words.listed(shown_r['label'])}.",
    caption="Table S.2: correlation of the two sides of a trait, over ten smiles, eight lights or five poses.",
    source="paper:causalface, Table S.2",
)

# %% [markdown]
# **Light and pose.** In curves of the scores over light, the authors see "a consistent pattern across all dimensions", and over pose "a parallel trend" (Figure S.1). (Their *dimensions* are the eight traits that they score: warmth, competence and the six sides.) Over pose, "negative valence is consistently ranked lower than positive valence, unaffected by head position" (Appendix B.1). The correlations "support visual patterns": for {glue:text}`together` points, r is close to +1.
#
# To the authors, this "suggests that" light and pose "do not significantly alter social perception but instead affect “legibility”: the ease with which different social perception dimensions can be interpreted or distinguished". They call CLIP "relatively insensitive to viewpoint and lighting" (Section 4).
#
# **The smile.** Here the authors conclude that the judgement changes: "As a face transitions from a frowning expression to a smile, it is perceived as more
# positive, more Progressive (Belief), and less negative."
#
# **Groups.** Figure 3 of the paper has {claim}`smiling.panels` panels, one for each dimension, and a curve over the smile for each of {claim}`smiling.groups` groups. In all but {claim}`smiling.lowest-but` panel, frowning Black women have the lowest score. In {claim}`smiling.steepest-panels` panels, their curve is also the steepest. The authors write: "Our findings
# suggest that Black women are an outlier group by CLIP."
#
# **Their own limits.** Levels of light "are not inherently linear, so curve slopes are not
# central to our analysis". A turned face fits even the neutral sentence less well, which makes changes over the pose hard to interpret.
#
# ### Do the printed numbers agree?
#
# In Table S.2 they do: every correlation fits its p-value. In a table of an earlier version, some numbers do not fit the text (details below).

# %%
vb.ledger.show(claims)

# %% tags=["hide-input"]
fixed = table_s2[table_s2["fitting"].map(len) > 0]
audit_b1 = pd.DataFrame({row: smiling.implied(printed, row) for row in smiling.LINES}).T
vb.note(
    sizes=words.listed(
        f"{' or '.join(map(str, row.fitting))} for {SPOKEN.get(row.attribute, row.attribute)} and {SPOKEN[row.pair]}"
        for row in fixed.itertuples()
    )
)

# %% [markdown]
# Of the smile, the authors write that "the opposing valences" (the two sides of a trait) "are negatively correlated", and print r = {claim}`smiling.table_s2.smiling.average`. This is a mean of three r (figure): Agency is as the sentence says, Belief is the *opposite*, and Communion is not significant.
#
# :::{dropdown} Details: over how many levels, and a table of the earlier version
# Section 2.2 prints nine smiles, seven lights and four poses beside the first picture of each face: ten, eight and five levels. The p-values fit, where they are printed as numbers: {glue:text}`sizes`.
#
# Table B.1 of the earlier version fits straight lines to scores. The text says that frowns and smiles were fitted apart; the standard errors belong to all ten levels (exercise 1).
# For pose, the text says that perceptions "rise when moving from a left tilt … to a frontal stance". In the table, the slope on the left is {claim}`smiling.table_b1.pose_left.coef`: scores fall towards the front.
# :::

# %% [markdown]
# (smiling-doubt)=
# ### What one may doubt
#
# **Does r near +1 mean that the judgement stays the same?** By *judgement* we mean which side of a trait fits a face better, and by how much. (The authors do not define a change of the judgement; part of a larger difference, they could call better legibility.) An example with made-up scores, a row for each level of light:

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
# The correlation is exactly 1. And yet the judgement changes. In dim light, both words fit equally well. In bright light, "trustworthy" fits better: the *difference* grows from 0 to 1.
#
# {.if-run}
# **In real models.** Nine CLIPs scored portraits of the same people with and without a smile. *Valence* is the score with pleasant words minus the score with unpleasant words. From a neutral face to a smile, this difference clearly rises in all nine models. Yet of {result}`real/faces::results_all` results (nine models, four groups), the score with pleasant words alone clearly rises in only {result}`real/faces::halves.pleasant_up`, and clearly falls in {result}`real/faces::halves.pleasant_down` (from an angry face: {result}`real/faces::from_angry.pleasant_up` and {result}`real/faces::from_angry.pleasant_down`). So the difference shows
# what the single scores hide. → [A smile in nine CLIPs](../real/faces.ipynb)
#
# ## The protocol, run on {data}
#
# Beside r, we compute the difference of the two sides. If r told how much a judgement changes, the difference would change more in a trait with r near −1 than in one with r near +1.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A *hue* (teal, amber or violet) stands for race, a *crest* (budded or eared) for gender ([what this world can and cannot show](../../book/greenhouse/limits.md)).

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
    delta[attribute] = smiling.trajectory(
        100 * seen.delta(), seen.table, attribute, **draw
    )
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
other = pairs.set_index(["attribute", "pair"]).loc[("lighting", "belief")]
vb.note(
    drawn=made_here.of_ours(seen),
    hand={"r": r, "difference": difference, "levels": len(levels)},
    other=other[["r", "range"]],
)
vb.holds(less_change=bool(other["range"] < difference and other["r"] < r))
named_pairs = pairs.replace({"attribute": SPOKEN, "pair": SPOKEN})
NAMES = {
    "attribute": "what is varied",
    "pair": "trait",
    "n": "levels",
    "range": "change of the difference",
}
tables.readable(named_pairs[["attribute", "pair", "n", "r", "range"]], names=NAMES).hide(
    axis="index"
).set_caption("r of the two sides over the levels, and the change of their difference (Δcos × 100)")

# %% [markdown]
# The *change of the difference* is its largest value minus its smallest. For light and Communion, over {glue:text}`hand.levels` levels, it is {glue:text}`hand.difference:.2f`, and r is {glue:text}`hand.r:.2f`. (None of these r need resemble that of CLIP.)
#
# **How much the judgement changes is not seen from r.** [For light and Belief, r is lower: {glue:text}`other.r:.2f`. There the difference changes by {glue:text}`other.range:.2f`, less than for light and Communion.]{.holds #less_change}
#
# :::{dropdown} Details: the smile, group by group
# As in Figure 3, we fit a parabola to the ten means of each group. The heavy line below is {glue:text}`outlier`. In the Greenhouse, we *planted* something for this group: in the captions, its smile works differently from that of all others, and is steeper in two traits. (In further panels, it can be the steepest by accident.)
# :::

# %% tags=["hide-cell"]
by_group = smiling.trajectory(100 * seen.delta(), seen.table, "smiling", groups=who.groups, **draw)
slope = smiling.slopes(by_group)[0]  # groups × traits
won = int((slope.argmax(axis=0) == who.groups.index(who.outlier)).sum())
lines, dots, u = {}, {}, np.linspace(-1, 1, 40)
for group in who.groups:
    means = dots[group] = by_group.mean(group)
    drawn_at = np.interp(u, [-1, 1], [means.index.min(), means.index.max()])
    lines[group] = pd.DataFrame(
        np.vander(u, 3, increasing=True) @ vb.quadratics(means, means.index), drawn_at, means.columns
    )
lines, dots = (
    pd.concat(part, names=["group", "level"])
    .melt(var_name="panel", ignore_index=False)
    .reset_index()
    .replace({"panel": {"_": " "}}, regex=True)
    for part in (lines, dots)
)
source = roles.sources(seen)
vb.figures.show(
    vb.figures.levels(
        lines,
        level="level",
        value="value",
        group="group",
        panel="panel",
        points=dots,
        colours=who.colours,
        heavy=[who.outlier],
        dashed=who.having("male"),
        level_label="smiling",
        value_label="Δcos × 100",
    ),
    name="smiling-groups",
    alt=f"Eight panels of Δcos against smiling for six groups. {who.outlier.capitalize()}, in a heavy line, is steepest in {won} of 8 panels.",
    caption=f"As Figure 3: means per level and parabolas through them; {who.outlier} in a heavy line, {who.called['male']} dashed.",
    source=source,
)
vb.note(outlier=who.outlier)

# %% tags=["hide-cell"]
for name, look in looks.items():
    of_all, of_people = smiling.claims(look, who, **draw)
    # statements that name groups of people are recorded where the faces show people
    for claim, value in (of_all if look.source == "greenhouse" else of_all | of_people).items():
        vb.ledger.record(f"smiling.{claim}", value, results=results, stimuli=look, model=look, protocol=name)
# %% [markdown]
# (smiling-see)=
# ## What this method can see: that two sides move together, not that one gains
#
# The table above comes from one network, whose captions treat one group differently. We now look at {glue:text}`null` *null networks*: their captions, which we wrote, speak of all groups alike.
#
# In these captions, more light makes both sides of Communion more frequent, but *trustworthy* more so. For Belief, light changes nothing. A good measure should distinguish Communion from Belief.

# %%
portraits = retrained.scores("grid")  # what every network made of the same pictures
usual = portraits.networks["condition"] == "none"
null = usual & (portraits.networks["b"] == 0)
faces = portraits.images.query("set == 'grid'")
found, counted = [], []
for attribute in smiling.VARIED:
    # mean scores per level, in each network
    means = smiling.of_networks(portraits, attribute, null)
    r, change = smiling.correlations(means), smiling.ranges(means)
    # the same in a count of captions, with nothing planted for a group (b = 0)
    used = faces[smiling.series(faces, attribute)]
    said = truth.counted(
        grammar.load(), used, by=attribute, b=0.0, axes=CAUSALFACE.dimensions
    )
    for trait, (good, bad) in CAUSALFACE.poles.items():
        own = pd.DataFrame({"r": r[trait], "range": change[trait]})
        found.append(own.assign(attribute=attribute, pair=trait))
        counted.append(np.ptp(said[good] - said[bad]))
found = pd.concat(found, ignore_index=True)  # one row per network
cases = found.groupby(["attribute", "pair"], sort=False)
beside = cases[["r", "range"]].median().assign(counted_range=counted).reset_index()

# %% tags=["hide-input"]
named_rows = beside.replace({"attribute": SPOKEN, "pair": SPOKEN})
rows = named_rows["attribute"] + ", " + named_rows["pair"]
fig, axes = vb.figures.panels(1, 2, height=4.8, share_y=True)
blue, orange = vb.figures.COLOURS["recomputed"], vb.figures.COLOURS["planted"]
for axis, (value, label) in zip(
    axes[0], {"r": "r between the two sides", "range": "change of the difference"}.items(), strict=True
):
    for k, row in enumerate(beside[::-1].itertuples()):
        own = found.loc[(found["attribute"] == row.attribute) & (found["pair"] == row.pair), value]
        axis.plot(
            own,
            k + np.linspace(-0.28, 0.28, len(own)),
            "o",
            color=blue,
            alpha=0.5,
            ms=3.5,
            mew=0,
            label="a null network" if k == 0 else None,
        )
    if value == "range":
        axis.plot(
            beside["counted_range"],
            range(len(beside))[::-1],
            "x",
            color=orange,
            ms=10,
            mew=2.2,
            label="in the captions",
        )
    axis.set(
        yticks=range(len(beside)),
        yticklabels=rows[::-1],
        title=label,
        xlabel={"r": "r", "range": "logits"}[value],
    )
    axis.grid(axis="y")
axes[0, 0].axvline(0, color="0.6", lw=1)
fig.legend(*axes[0, 1].get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False)
cell = beside.set_index(["attribute", "pair"])
still, light, plain = (
    beside[beside["counted_range"] <= 0.01],
    cell.loc[("lighting", "communion")],
    cell.loc[("lighting", "belief")],
)
pose = cell.loc[("pose", "agency")]
vb.figures.show(
    fig,
    name="smiling-answer",
    alt=f"Left, r between the two sides in {len(found) // len(beside)} networks, for nine pairs of a variation and a trait; right, by how much the difference changes. For light and Communion the "
    f"median r is {light['r']:.2f} and the difference changes by {light['range']:.2f} logits; for light and Belief {plain['r']:.2f} and {plain['range']:.2f}.",
    caption="Each blue dot is one null network. Left: r of the two sides over the levels. Right: change of their difference; the cross is the change in the captions.",
    source="greenhouse",
)
vb.note(
    null=int(null.sum()),
    pose=pose[["counted_range", "range"]],
    light=light[["r", "range", "counted_range"]],
    plain=plain[["r", "range", "counted_range"]],
    most=still["range"].max(),
    most_single=found.merge(still[["attribute", "pair"]])["range"].max(),
    smile=cell.loc[("smiling", "communion"), ["range"]],
)
vb.holds(
    both_positive=bool(min(light["r"], plain["r"]) > 0),
    distinguishes=bool(light["range"] > 2 * plain["range"]),
    pose_missed=bool(pose["range"] < 2 * still["range"].max() and pose["counted_range"] > 3 * pose["range"]),
    light_smaller=bool(cell.loc[("smiling", "communion"), "range"] > 2 * light["range"]),
)

# %% [markdown]
# Compare the rows *light, Communion* and *light, Belief*. On the right, the first has its cross at {glue:text}`light.counted_range:.2f`, the second at {glue:text}`plain.counted_range:.2f`. (The unit is the *logit*: a tenth more makes the odds of a word about 10 % higher.)
#
# **The correlation is positive for both.** [In the median network, r is {glue:text}`light.r:.2f` for Communion and {glue:text}`plain.r:.2f` for Belief.]{.holds #both_positive} So a positive r does not tell that *trustworthy* gains.
#
# **The difference distinguishes the two rows.** [In the median network, it changes by {glue:text}`light.range:.2f` logits for Communion and by {glue:text}`plain.range:.2f` for Belief.]{.holds #distinguishes} [With the smile, Communion changes by {glue:text}`smile.range:.2f` logits, more than with light.]{.holds #light_smaller} These sizes come from the captions that we wrote. For CLIP, the paper prints no sizes.
#
# **The difference has limits, too.** Even where the captions change nothing (crosses at 0), it changes by up to {glue:text}`most:.2f` logits in the median network, and by up to {glue:text}`most_single:.2f` in a single one. A change as small as this need not come from the captions.
#
# Nor does a small change show that the captions are neutral. [In the captions, turning the head changes the difference of *powerful* and *powerless* by {glue:text}`pose.counted_range:.2f` logits. The networks hardly show it ({glue:text}`pose.range:.2f`).]{.holds #pose_missed}

# %% [markdown]
# (smiling-groups)=
# ### Some group rises most in about a quarter of the networks; hardly ever is it the lowest, too
#
# In Figure 3, frowning Black women are the lowest in seven of eight panels. And in four panels their score "increases more dramatically than for other gender-race groups". How often does *some* group of a null network show this, where no group's smile is special?

# %%
world = roles.greenhouse_roles(CAUSALFACE).with_outlier(planted_for)


def pattern(chosen):
    """Per network: does some group show each half of what the authors see, and both?"""
    smiles = smiling.of_networks(portraits, "smiling", chosen, groups=world.groups)
    slopes = smiling.slopes(smiles)  # networks × groups × panels
    frowning = smiles.values[:, :, 0, :]  # the mean at the strongest frown
    six = np.arange(slopes.shape[1])[:, None]
    first = slopes.argmax(axis=1)[:, None] == six
    rises_most = (first & (slopes > 0)).sum(axis=2)  # panels, per group
    lowest = (frowning.argmin(axis=1)[:, None] == six).sum(axis=2)
    found = {
        "rises most in four panels or more": rises_most >= 4,
        "lowest when frowning in seven or more": lowest >= 7,
        "both, the same group": (rises_most >= 4) & (lowest >= 7),
    }
    return pd.DataFrame({name: own.any(axis=1) for name, own in found.items()})


often = vb.networks.rates(pattern(null))
biased = pattern(usual & (portraits.networks["b"] > 0))["both, the same group"]
shown = tables.readable(often, names={"hits": "null networks", "n": "of"})
shown.format("{:.0%}", subset=["rate", "low", "high"])

# %% tags=["hide-input"]
hits = often["hits"]
vb.note(
    some=often["rate"].iloc[0],
    lowest={"hits": words.among(int(hits.iloc[1]), int(null.sum()))},
    both={"hits": words.among(int(hits.iloc[2]), int(null.sum())), "high": often["high"].iloc[2]},
    biased=words.among(int(biased.sum()), len(biased)),
)
vb.holds(
    some_steepest=bool(0.15 < often["rate"].iloc[0] < 0.35),
    lowest_rare=bool(often["rate"].iloc[1] <= 0.05),
    both_rare=bool(often["rate"].iloc[2] <= 0.05),
    biased_rare=bool(biased.mean() <= often["rate"].iloc[2]),
)

# %% [markdown]
# **Rising most is common.** [In {glue:text}`some:.0%` of the null networks, some group rises most in four panels or more.]{.holds #some_steepest}
#
# **Being lowest in seven panels is rare.** [A group is the lowest at the strongest frown in seven panels or more in {glue:text}`lowest.hits` null networks.]{.holds #lowest_rare} [Both together, for the same group, occur in {glue:text}`both.hits`]{.holds #both_rare} (95 % interval: up to {glue:text}`both.high:.0%`; all networks saw the same people).
#
# **Rare is not yet evidence.** Two things together are rarer than each, whatever their cause. So we also ask networks whose captions do treat groups differently, at four strengths, with a smile of its own for {glue:text}`outlier`. [Both together occur in {glue:text}`biased` of them.]{.holds #biased_rare} (Our captions let this group's score rise more steeply in two traits only, less than what the authors see.)

# %% [markdown]
# ### What this means for the paper
#
# **Light and pose.** The authors show that most opposites move together, and that over pose the positive sides stay ahead. For the change of the difference between opposites, the paper prints no number. So it is open how much light and pose change CLIP's judgement.
#
# **The smile.** In Agency, a smile changes the judgement: one side rises as the other falls (r near −1). By how much, r does not say. In Belief, r near +1 leaves open whether one side gains. In Communion, r is not significant.
#
# **The group.** The whole pattern is rare in our null networks and in our biased ones, so its rarity is no evidence yet, for or against an accident of training. The nine CLIPs from above, with other faces and words and no Asian people, {ref}`fit the pattern only in part <hausladen-claim-2>`.
#
# **A next step.** The authors' published scores, which we {ref}`did not have <causalface-not-run>`, can answer the first two questions for their model: for each trait, report the change of the difference with an interval over people. For light and pose in other models, we know of no scores.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `a2daa85`; the rows on Table B.1 follow from its numbers.
#
# | | what the paper says | what the code or the table does | here |
# |---|---|---|---|
# | curves (H13) | "a second-degree polynomial is fit to the means" | it fits ten means here, and single images in Figure 5 | means; for images see the chapter on [age](age.ipynb) |
# | sentences (H15) | "likeable" in Warmth; a full stop after the fourth sentence | "likable"; no full stop | both protocols |
# | average (H16) | "opposing valences are negatively correlated" | it is the plain mean of three r | each pair by itself |
# | brightness (H17) | smiling pictures were corrected | the correction must be switched off to *build* the corrected pictures | only corrected pictures are read |
# | Table B.1 | the smile was split at 0 | one line goes through all levels | computed from the standard errors |
# | Table B.1, pose (H18) | perception rises towards the front | Δcos falls towards the front | Δcos, as in the table |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/smiling -p protocol=released -p n_resamples=2000
# ```
# With the authors' released scores, no image and no model is needed: `-p stimuli=causalface -p cosines=path/to/results -p prompts=social_perception/released`.
# :::

# %% [markdown]
# (smiling-take)=
# ## Take-aways
#
# - Two scores can rise together while one gains on the other: look at how much their difference changes.
# - A difference that hardly changes in a network does not show that the captions are neutral.
# - A mean of correlations with opposite signs describes none of them.
# - Some group is always the steepest. By accident, one group can be the steepest in half of the panels.
# - That a whole pattern is rare by accident is evidence only if it is more frequent where there is a bias.

# %% [markdown]
# ## Exercises
#
# :::{exercise} The predictor behind a standard error
# :label: smiling-rms
# :level: intermediate
# :minutes: 15
# :code: yes
# A straight line is fitted to scores over some levels. Slope and constant have standard errors (se). Show by simulation that se(constant)/se(slope) is the root mean square of the levels, whatever the noise.
# Table B.1 of the earlier version prints both errors of a line over the smile, but not its levels. Can they be those of 0 and more in `smiling.SMILES`? (`audit_b1` holds what the errors allow.)
# :::
#
# ```{solution-start} smiling-rms
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
x = np.repeat(smiling.SMILES, 7)
fit = sm.OLS(np.random.default_rng(seed).standard_t(3, len(x)), sm.add_constant(x)).fit()
upwards = smiling.rms([level for level in smiling.SMILES if level >= 0])
print(f"{fit.bse[0] / fit.bse[1]:.4f}, {smiling.rms(x):.4f}; levels of 0 and more: {upwards:.3f}")
allowed = audit_b1.loc["smile_positive"]  # rms_low, rms_high
print(f"Table B.1 allows {allowed.iloc[0]:.2f} to {allowed.iloc[1]:.2f}")
assert np.isclose(fit.bse[0] / fit.bse[1], smiling.rms(x)) and upwards > allowed.iloc[1]

# %% [markdown]
# With residual spread $s$, $\mathrm{se}(\text{slope}) = s / \sqrt{\sum (x - \bar x)^2}$, and $\mathrm{se}(\text{constant})$ is $\sqrt{\sum x^2 / n}$ times
# as large. In the ratio the noise cancels. So two printed standard errors tell which levels cannot have been used.
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
# independent values? What does this say of r over ten neighbouring levels? (`vb.correlations.p_value` gives the p of a correlation.)
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
    rates.append(float((vb.correlations.p_value(r, 10) < 0.05).mean()))
print(f"independent values: {rates[0]:.1%}; random walks: {rates[1]:.1%}")
assert rates[0] < 0.07 and rates[1] > 0.2

# %% [markdown]
# A random walk remembers where it was, so ten neighbouring levels hold fewer than ten independent values, and the formula for p counts ten. An r over neighbouring levels needs a yardstick made of curves that are as smooth.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If light moves every trait word alike, relative to "person", has the judgement changed? What would a system that ranks faces by
#    "trustworthy" do?
# 2. Not everybody is expected to smile alike. When a model's response to a smile differs by group, is this a bias?
