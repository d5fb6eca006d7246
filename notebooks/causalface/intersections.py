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
# # Where the groups lie
#
# *Hausladen, Knott, Camerer and Perona (2025), Figure 4 and Figure S.2: six groups, ten ages, two poles of a trait,
# and an ellipse around each group.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Set the positive pole of a trait against its negative pole, a point for every group and age: are the groups
# separate, is one of them an outlier among intersections, and what does an ellipse say about either?
#
# **In 20 minutes:** {ref}`the answer in one figure <intersections-rates>`, {ref}`the paper's figure <intersections-figure>`,
# {ref}`three ellipses <intersections-three>`, take-aways. **In 75 minutes:** also {ref}`equal numbers of faces <intersections-equal-n>`, the tests for a course of its own, exercises.
#
# **You need:** covariance, the bootstrap, a permutation test, main effects and interactions.
#
# **Content note.** The paper is about race, gender and age as seen by a model. The faces on this page are drawings of fictional groups; they stand for nobody.
# :::
#
# **The idea.** People judge others on *Agency*, *Belief* and *Communion* {cite}`koch2016`, each with two
# poles. Intersectionality theory says that a group defined by two attributes is not the sum of the two {cite}`crenshaw1989`.
# {cite:t}`hausladen2025` therefore look at all six combinations of race and gender. Each marker is the mean of one group at one
# age; around the ten markers of a group $g$ they draw the *covariance ellipse*
#
# $$\begin{gathered} \{x : (x - \bar m_g)^\top S_g^{-1} (x - \bar m_g) = 2^2\}, \\[1ex]
# S_g = \tfrac{1}{A - 1} \sum_{a=1}^{A} (m_{ga} - \bar m_g)(m_{ga} - \bar m_g)^\top . \end{gathered}$$
#
# **What the authors conclude.** "CausalFace reveals clear intersectional clusters for race, gender, and age": most groups "are clearly
# separated", with "an almost perfect order" of the ages within each; in FairFace and UTKFace, where smiling, lighting and pose are not held
# constant, the distinction "is less clear". In this and the two neighbouring figures, "Black women are an outlier among intersectional groups".
#
# **Their own checks and limits.** The loss of control is their likely reason ("Most likely"), not a tested one. Nine raters per attribute checked the manipulations. Ages vary at one
# expression, light and pose only; findings "refer to one specific CLIP variant".

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # the controlled set: columns seed, race, gender, age, subset; an image set
fairface = "greenhouse/fairface"  # the first observational set, with years and age_bin; NAME/all holds every race and age; an image set
utkface = "greenhouse/utkface"  # the second observational set; an image set
root = ""  # folder of the controlled images; empty or a folder
fairface_root = ""  # folder of FairFace; empty or a folder
utkface_root = ""  # folder of UTKFace; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at the images; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
protocol = "described"  # whose protocol gives the headline: the paper's text or the authors' code; one of: described, released
n_resamples = 400  # bootstrap resamples of the identities; at least 2
n_draws = 20  # draws of the controlled set at another set's size; at least 1
n_permutations = 299  # permutations of the group labels within identities; at least 1
seed = 42  # seed of every random draw (the authors' code uses 42, too); at least 0
results = "_build/results/causalface/intersections.json"  # where this notebook writes the values it recomputes

# %%
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import bias, grammar, truth
from studies import roles, tables, words
from studies.causalface import clusters, intersections
from studies.shown import shown
from vlmbias.papers import CAUSALFACE

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, captions are known. Hue and crest are planted; on top, *one* group has a course over age and over
# smiling that no other has, a three-way effect: an outlier among intersections. On other dimensions stand *foils*, two-way effects of comparable size: one hue that ages
# otherwise, one crest whose smile counts for more.
#
# Networks were trained on such captions at several strengths $b$; at $b = 0$ they were told nothing of hue and crest, and names of groups are exchangeable. Take each
# group's course from its own mean. The statistic `apart` is by how much a group's course differs from the mean of the five others', `interaction` by how much the two
# crests of a hue differ in another way than those of the other hues: what a hue or a crest does by itself cancels. A network answers if
# its statistic is among the largest 5 % of those at $b = 0$.

# %%
spoken, portraits = grammar.load(), retrained.scores("grid")
world = dict(hues=bias.LEVELS["race"], crests=bias.LEVELS["gender"])
odd = " ".join(spoken.bias.outlier.values())
networks = shown(portraits, CAUSALFACE.dimensions, networks=portraits.networks["condition"] == "none", images=portraits.images["set"] == "grid")

SHAPES = {"age": "bend", "smiling": "slope"}  # what the paper reads off its figures
courses = {name: intersections.trajectories_of(networks, name, spoken.bias, **world) for name in SHAPES}
answers = {name: intersections.rates(own, shape=SHAPES[name], positive=CAUSALFACE.positive) for name, own in courses.items()}
single = {name: intersections.panels(own) for name, own in courses.items()}

# %% tags=["hide-input"]
rate = pd.concat(answers, names=["attribute"]).reset_index("attribute").set_index(["attribute", "asked", "statistic", "planted", "event", "b"]).sort_index()
strongest, silent = max(networks.networks["b"]), int((networks.networks["b"] == 0).sum())
planted_at = sorted(b for b in networks.networks["b"].unique() if b > 0)
rows = {("by name", "three-way", "the outlier", b): f"its own course, b = {b:g}" for b in planted_at}
rows[("looked up", "two-way", "some group", strongest)] = f"foil, searched, b = {strongest:g}"
keys = [(name, asked, statistic, *rest) for name in SHAPES for asked, *rest in rows for statistic in ("apart", "interaction")]
drawn = rate.loc[keys].reset_index().assign(label=[f"{key[0]}: {rows[key[1], *key[3:]]}" for key in keys])


def in_words(*key):
    """Hits of networks, with the exact interval."""
    row = rate.loc[key]
    return f"{words.among(int(row['hits']), int(row['n']))} ({100 * row['low']:.0f}–{100 * row['high']:.0f} %)"


def each(asked, kind, event, *strengths):
    """The same by attribute, statistic and strength."""
    return {(name, statistic, f"b{b:g}"): in_words(name, asked, statistic, kind, event, b)
            for name in SHAPES for statistic in ("apart", "interaction") for b in strengths}


hit, sought = each("by name", "three-way", "the outlier", *planted_at), each("looked up", "two-way", "some group", strongest)
vb.figures.show(
    vb.figures.rates(drawn, rate="rate", low="low", high="high", label="label", group="statistic", value_label="% of networks, exact 95 % interval"),
    name="intersections-rates",
    alt=f"How often networks answer, by attribute, strength and statistic. At b = {strongest:g} {odd} is found over age in {hit['age', 'apart', f'b{strongest:g}']} networks by apart and in "
    f"{hit['age', 'interaction', f'b{strongest:g}']} by interaction; the foil over age is reported in {sought['age', 'apart', f'b{strongest:g}']} and {sought['age', 'interaction', f'b{strongest:g}']}.",
    caption=f"A course of its own, planted for {odd}, asked by name with its shape stated beforehand; foils, searched for any group that departs in any way. Dashed: the level of the test.",
    source="greenhouse",
)
only = {name: own.query("planted == 'three-way' and b == @strongest and statistic == 'apart'")["only"].mean() for name, own in single.items()}
kinds = {kind: {name: words.listed(dimension for dimension, one in own.planted.items() if one == kind) for name, own in courses.items()} for kind in ("three-way", "two-way")}
vb.note(odd=odd, three=kinds["three-way"], two=kinds["two-way"], hit=hit, sought=sought, only=only, yardstick=silent,
        looked=each("looked up", "three-way", "the outlier", strongest), foil=each("by name", "two-way", "the outlier", strongest))

# %% [markdown]
# *By name*: the group, and the shape that the paper reads off its figures (a bend over age, a slope over smiling, opposite on positive and negative
# dimensions), are stated beforehand. By `apart`, {glue:text}`odd` is found over age in {glue:text}`hit.age.apart.b1` networks at $b = 1$, in {glue:text}`hit.age.apart.b0.5` at .5
# and in {glue:text}`hit.age.apart.b0.25` at .25; over smiling in {glue:text}`hit.smiling.apart.b1`, {glue:text}`hit.smiling.apart.b0.5` and {glue:text}`hit.smiling.apart.b0.25`. By `interaction`, at $b = 1$: {glue:text}`hit.age.interaction.b1`
# (age) and {glue:text}`hit.smiling.interaction.b1` (smiling).
#
# *The foils* at $b = 1$: searching for any group that departs, `apart` reports one in {glue:text}`sought.age.apart.b1` networks where only a hue ages otherwise and in {glue:text}`sought.smiling.apart.b1` where
# only a crest smiles otherwise, `interaction` in {glue:text}`sought.age.interaction.b1` and {glue:text}`sought.smiling.interaction.b1`. By name, `apart` answers to them in {glue:text}`foil.age.apart.b1` and {glue:text}`foil.smiling.apart.b1`.
#
# *Panel by panel*, as one reads a figure, `apart` finds the outlier *and no other group* in {glue:text}`only.age:.0%` of the panels in which it was planted over age, and in {glue:text}`only.smiling:.0%` over smiling.

# %% [markdown]
# ## What the paper reports
#
# Figures 4 and S.2 print no numbers. What can be recorded is what the text says of them.

# %%
vb.ledger.show(vb.ledger.table("causalface/intersections"))

# %% [markdown]
# Around a single number, two standard deviations hold 95 % of a normal distribution. Around a point in the plane they hold less:

# %%
inside = 1 - np.exp(-(2**2) / 2)
needed = np.sqrt(stats.chi2.ppf(0.95, df=2))
print(f"2σ in the plane: {inside:.1%}. For 95 %: {needed:.2f}σ.")

# %% [markdown]
# ## The protocol, run on {data}
#
# Text and code differ in the measure (H2), in UTKFace's races (H3) and in how FairFace is drawn (H4). Each is a choice here; the table below
# says how.

# %%
PROTOCOLS = {
    "described": dict(relative=False, every_race=False, quotas=False),
    "released": dict(relative=True, every_race=True, quotas=True),
}
look = partial(vb.perceive, model=model, words=prompts, cosines=cosines)
seen = {"CausalFace": look(stimuli, root=root)}
for name, own, folder in (("FairFace", fairface, fairface_root), ("UTKFace", utkface, utkface_root)):
    seen |= {name: look(own, root=folder), f"{name}/all": look(f"{own}/all", root=folder)}

sets = {name: clusters.protocol(seen, **choices, seed=seed) for name, choices in PROTOCOLS.items()}
markers = {name: {which: clusters.markers(own) for which, own in found.items()} for name, found in sets.items()}
figure_4 = {
    name: vb.figures.ellipses(
        clusters.by_dimension(pd.concat(own, names=["set"]).reset_index("set"), ["agency"]),
        x="positive", y="negative", colour="race", shape="gender", size="level", panel="set", columns=2,
        x_label="positive Agency", y_label="negative Agency",
    )
    for name, own in markers.items()
}
figure_s2 = {
    name: vb.figures.ellipses(
        clusters.by_dimension(own["CausalFace"], ["belief", "communion"]),
        x="positive", y="negative", colour="race", shape="gender", size="level", panel="dimension", columns=2,
        x_label="positive pole", y_label="negative pole",
    )
    for name, own in markers.items()
}

# %% tags=["hide-input"]
unit = "per cent of neutral" if PROTOCOLS[protocol]["relative"] else "Δcos × 100"
from_greenhouse = all(one.source == "greenhouse" for one in seen.values())
source, alone = (roles.sources(seen["CausalFace"]), roles.sources(seen["CausalFace"])) if from_greenhouse else ([f"real:{seen[name].stimuli}" for name in clusters.SETS], f"real:{seen['CausalFace'].stimuli}")
drawn_as = f"{unit}, one marker per group and age (larger is older), 2σ covariance ellipses; protocol as {protocol}. Dotted: positive = negative."
vb.figures.show(
    figure_4[protocol],
    name="intersections-figure",
    alt="Positive against negative Agency, an ellipse per group; " + ", ".join(f"{name}: {len(own)} markers" for name, own in markers[protocol].items()) + ".",
    caption=f"As Figure 4: Agency, {drawn_as}",
    source=source,
)

# %% tags=["hide-input"]
vb.figures.show(
    figure_s2[protocol],
    name="intersections-s2",
    alt="Belief (progressive against conservative) and Communion (positive against negative) in the controlled set, a marker per group and age, an ellipse per group.",
    caption=f"As Figure S.2, the controlled set: Belief and Communion, {drawn_as}",
    source=alone,
)

# %% [markdown]
# ### What each choice changes
#
# One choice at a time, then all. The *silhouette* {cite}`rousseeuw1987` says how much closer a marker lies to those of its own group than to those of the
# nearest other: 1 for tight, distant clusters, 0 where they run into each other. It has no unit.

# %%
choices = {
    "as described": {}, "relative difference": {"relative": True}, "UTKFace, every race": {"every_race": True},
    "FairFace, quotas": {"quotas": True}, "as released": PROTOCOLS["released"],
}
tried = {name: clusters.protocol(seen, **PROTOCOLS["described"] | change, seed=seed) for name, change in choices.items()}
effect = pd.DataFrame({(which, name): clusters.sizes(own) for name, found in tried.items() for which, own in found.items()}).T

# %% tags=["hide-input"]
plain, neutral = effect.xs("as described", level=1), {name: one.neutral() for name, one in seen.items()}
shift = effect["silhouette"] - plain["silhouette"].reindex(effect.index, level=0)
vb.note(fold=effect.loc[("CausalFace", "relative difference"), "range"] / plain.loc["CausalFace", "range"], one_over=1 / neutral["CausalFace"].mean(),
        neutral_low=min(own.min() for own in neutral.values()), utk_groups=int(effect.loc[("UTKFace", "UTKFace, every race"), "groups"]),
        fair=plain.loc["FairFace", "faces"], fair_quota=effect.loc[("FairFace", "FairFace, quotas"), "faces"], largest_shift=shift.abs().max())
moved = effect[(effect.index.get_level_values(1) == "as described") | (shift != 0)]
tables.readable(moved.sort_index(level=0, sort_remaining=False)).format("{:.1f}", subset="range").format("{:,.0f}", subset=["faces", "groups", "markers"]).set_caption(
    "Agency under each choice that changes anything; range: of the markers, on the wider axis")

# %% [markdown]
# Dividing by the neutral cosine multiplies differences by about one over that cosine: for CLIP, about 1/.23, so that Figure 4's axes show about four times what
# Equation 2 gives; here {glue:text}`one_over:.1f`, and the range of the markers grows {glue:text}`fold:.1f`-fold. The form is only
# readable while every neutral cosine is well above zero (lowest here: {glue:text}`neutral_low:.3f`). Without the filter UTKFace has
# {glue:text}`utk_groups` groups, not six; the quotas keep {glue:text}`fair_quota:,.0f` of {glue:text}`fair:,.0f` FairFace faces. The largest change of a
# silhouette by any of these is {glue:text}`largest_shift:.2f`.

# %% [markdown]
# ### What an ellipse is an ellipse of
#
# Around ten *age means*, it describes how a group's mean moves with age: neither the uncertainty of the group's place nor
# the spread of its faces. Here are all three.

# %%
controlled = sets["described"]["CausalFace"]
groups = list(dict.fromkeys(controlled["group"]))
meanings = clusters.meanings(controlled, groups, n=n_resamples, seed=seed)
radius = {kind: np.mean([clusters.radius(points[:, g]) for g in range(len(groups))]) for kind, points in meanings.items()}

# %% tags=["hide-input"]
vb.figures.style()
fig, axes = vb.figures.panels(1, 3, height=4.0, share_x=True, share_y=True)
race = [group.split()[0] for group in groups]
colours, forms = vb.figures.colours_for(race), dict(zip(dict.fromkeys(group.split()[1] for group in groups), "os", strict=True))
for axis, (kind, points) in zip(axes[0], meanings.items(), strict=True):
    for g, group in enumerate(groups):
        axis.plot(*points[:: max(1, len(points) // 60), g].T, forms[group.split()[1]], color=colours[race[g]], markersize=2.5, alpha=0.4, label=group)
        axis.add_patch(vb.figures.covariance_ellipse(points[:, g], facecolor=colours[race[g]], alpha=0.2, edgecolor=colours[race[g]]))
    axis.set_title({"ages": "ten ages (Fig. 4)", "resampled": "mean, resampled", "faces": "single faces"}[kind])
fig.supxlabel("positive Agency, Δcos × 100", fontsize=12)
axes[0, 0].set_ylabel("negative Agency, Δcos × 100")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, markerscale=2, handletextpad=0.1)
vb.figures.show(
    fig,
    name="intersections-three",
    alt=f"Three ellipses around the same groups; typical radii at one sigma: over ages {radius['ages']:.2f}, of the resampled mean {radius['resampled']:.2f}, over single faces {radius['faces']:.2f}.",
    caption="The same groups on the same two axes, three meanings of a 2σ ellipse; of resamples and faces some are drawn.",
    source=alone,
)
separation = pd.DataFrame({name: clusters.separation(own) for name, own in sets["described"].items()}).T
vb.note(radius=radius, guessed=separation["markers_guessed"], faces_guessed=separation["faces_guessed"], order=separation["order"])

# %% [markdown]
# The typical radius (one σ, Δcos × 100) is {glue:text}`radius.ages:.2f` over ages, {glue:text}`radius.resampled:.2f` for the uncertainty of the mean and
# {glue:text}`radius.faces:.2f` for single faces. To say that groups differ, look at the second; that their single faces are *judged* unlike, at the third.
#
# ### "Clearly separated", as numbers

# %%
tables.readable(separation).format("{:.0%}", subset=["overlap", "markers_guessed", "faces_guessed"]).set_caption(
    "Share of pairs of ellipses that overlap; silhouette; group guessed from a marker's and from a face's place; mean |τ| of markers with age"
)

# %% [markdown]
# The group of a *marker* is guessed (linear discriminant analysis without the markers of that age) in {glue:text}`guessed.CausalFace:.0%` of cases in the controlled set, that of a *single face*
# (without that identity) in {glue:text}`faces_guessed.CausalFace:.0%`; chance is one in six. "Almost perfect order": along the long axis of its own ellipse, the mean |Kendall's τ| of a group's markers with age is {glue:text}`order.CausalFace:.2f`.
# But these are the *same* faces at neighbouring ages, so any smooth response puts them in order; a U is out of order along every line.
#
# ### Lost for want of control, or for want of faces?
#
# A marker of CausalFace is the mean of the *same* 100 identities in every group and at every age: what is peculiar to them cancels. A marker of FairFace is the mean of however many
# different people that cell happens to have. So two things change at once: what varies in the pictures, and what averaging removes. The foil gives the controlled set
# the other set's number of faces, cell by cell, with identities drawn anew for each.

# %%
equal_n = clusters.at_equal_n(sets["described"], n_draws=n_draws, seed=seed, same_scale=from_greenhouse)

# %% tags=["hide-input"]
called = {"paired": "CausalFace, as it is", "same n": "CausalFace, n as {}", "itself": "{} itself"}
labelled = equal_n.assign(label=[called[row.drawn].format(row.set) for row in equal_n.itertuples()])
vb.figures.show(
    vb.figures.forest(labelled, estimate="silhouette", low="low", high="high", label="label", value_label="silhouette of the Agency markers, 95 % of draws"),
    name="intersections-equal-n",
    alt="Silhouettes: " + "; ".join(f"{row.label} {row.silhouette:.2f}" for row in labelled.itertuples()) + ".",
    caption=f"How separate the markers are: the controlled set as it is; with another set's number of faces per group and age ({n_draws} draws); that set itself.",
    source=source,
)
middle = equal_n.set_index(["set", "drawn"])["silhouette"]
vb.note(whole=middle["CausalFace", "paired"], steps={name: {"faces": middle[name, "same n"] - middle["CausalFace", "paired"], "pictures": middle[name, "itself"] - middle[name, "same n"]}
                                                     for name in clusters.SETS[1:]})

# %% [markdown]
# Fewer and unpaired faces alone change the silhouette of {glue:text}`whole:.2f` by {glue:text}`steps.FairFace.faces:+.2f` (FairFace) and {glue:text}`steps.UTKFace.faces:+.2f` (UTKFace); what else differs, by
# {glue:text}`steps.FairFace.pictures:+.2f` and {glue:text}`steps.UTKFace.pictures:+.2f`. The paper's comparison adds the two. And what else differs is not
# control alone: a set that spans fewer years has shorter ellipses.

# %%
for name, found in sets.items():
    held = clusters.claims(found)
    held |= dict.fromkeys(["sigma", "sigma-caption"], float(clusters.sigmas(figure_4[name]).mean()))
    held["sigma-s2"] = float(clusters.sigmas(figure_s2[name]).mean())
    held["axes"] = clusters.shows_differences(figure_s2[name], seen["CausalFace"], [CAUSALFACE.poles["belief"], CAUSALFACE.poles["communion"]])
    for claim, value in held.items():
        of = [seen[which] for which in clusters.about(claim)]
        vb.ledger.record(f"intersections.{claim}", value, results=results, stimuli=of, model=seen["CausalFace"], protocol=name)

# %% [markdown]
# In the ledger, "clearly separated" is read as: fewer than half of the pairs of ellipses overlap; "no longer apparent" as: at least half do; "less clear" as a lower silhouette; "almost
# perfect order" as a mean |τ| above 0.9; "systematically impact" as p < .05 (Friedman or Wilcoxon, Holm) for at least half of the poles. *Why* groups are separate cannot be read off these sets.

# %% [markdown]
# ## What this method can see
#
# Planted are courses of {glue:text}`odd` on {glue:text}`three.age` (age) and {glue:text}`three.smiling` (smiling), with
# two-way foils on {glue:text}`two.age` (age) and {glue:text}`two.smiling` (smiling). Means of groups are compared with counts of captions (`counted`), courses with what a network that had learnt every
# face's odds would show (`per_face`).
#
# ### Clusters where nothing was planted, corners where no interaction was

# %%
looks = {b: vb.perceive("greenhouse/causalface", name) for b, name in ((1.0, "greenhouse"), (0.0, "greenhouse/b0"))}
worlds = {b: clusters.faces(one, scale=one.logit_scale) for b, one in looks.items()}
people = looks[1.0].table[clusters.used(looks[1.0])].reset_index(drop=True)

by_group = dict(by=["race", "gender", "age"], b=1.0, axes=clusters.POLES)
main_effects = replace(spoken, bias=intersections.main_effects(spoken.bias))
views = {
    "captions, hue + crest only": clusters.of_counts(truth.counted(main_effects, people, **by_group)),
    "captions, b = 1": clusters.of_counts(truth.counted(spoken, people, **by_group)),
    "network, b = 1": clusters.markers(worlds[1.0]),
    "network, b = 0": clusters.markers(worlds[0.0]),
}
furthest = pd.DataFrame({name: {key: clusters.outermost(own, pair) for key, pair in CAUSALFACE.poles.items()} for name, own in views.items()})
tables.readable(furthest).set_caption("The group that lies furthest from the mean of the five others")

# %% tags=["hide-input"]
apart = {name: clusters.separation(own) | {"reach": clusters.reach(clusters.markers(own))} for name, own in (("null", worlds[0.0]), ("full", worlds[1.0]))}
by_network = intersections.figures_of(courses["age"], [f"{hue} {crest}" for hue in world["hues"] for crest in world["crests"]], odd,
                                      {name: CAUSALFACE.poles[name] for name in ("agency", "communion")})
eye = by_network.groupby("b")[["separate", "outermost"]].mean().rename({0.0: "null", strongest: "full"})
corner, corner_odd = (words.among(int(count), len(furthest)) for count in (furthest["captions, hue + crest only"].ne("none").sum(), furthest["captions, b = 1"].eq(odd).sum()))
vb.note(apart=apart, eye=eye.loc[["null", "full"]].stack(), corner=corner, corner_odd=corner_odd,
        tells=words.verb(eye.loc["full", "separate"] - eye.loc["null", "separate"], above=0.5, then="tells", else_="does not tell"))

# %% [markdown]
# With nothing planted, counts of captions put all six groups in one place. One network at $b = 0$ puts their means up to {glue:text}`apart.null.reach:.2f` logits apart ({glue:text}`apart.full.reach:.2f` at $b = 1$) and
# {glue:text}`apart.null.markers_guessed:.0%` of the markers are put in the right group. In retrained networks, Agency and Communion, the groups look clearly separate in {glue:text}`eye.full.separate:.0%` of the cases at $b = 1$ and in
# {glue:text}`eye.null.separate:.0%` at $b = 0$: Figure 4 {glue:text}`tells` whether groups are treated differently.
#
# Whether one is an outlier among intersections is another question. With every interaction switched off, main effects still put some group outermost in {glue:text}`corner` dimensions; {glue:text}`odd`, whose course *is* its own, is
# outermost in {glue:text}`corner_odd` by the captions themselves, and in {glue:text}`eye.full.outermost:.0%` of the retrained cases.
#
# ### A test over identities
#
# Write $y_{ig}(a)$ for the perception of identity $i$ in group $g$ at age $a$, and $c_{ig}(a) = y_{ig}(a) - \bar y_{ig}$ for its course. Then `apart` is the root mean square over ages of
#
# $$d_g(a) = \bar c_{\cdot g}(a) - \tfrac{1}{G - 1} \sum_{h \ne g} \bar c_{\cdot h}(a).$$
#
# (The *level* of a group cannot be used so: {numref}`intersections-which`.) For one network, permute labels within identities and take the *largest*.

# %%
rng = np.random.default_rng(seed)
tested = {b: intersections.of_one_network(own, rng=rng, **world, n=n_permutations) for b, own in worlds.items()}

# %% tags=["hide-input", "hide-output"]
significant = {name: int((tested[b]["p_holm"] < 0.05).sum()) for name, b in (("null", 0.0), ("full", 1.0))}
fewer, lost = (sum(float(np.subtract(*(rate.loc[(name, "looked up", statistic, kind, event, strongest), "hits"] for statistic in ("apart", "interaction")))) for name in SHAPES)
               for kind, event in (("two-way", "some group"), ("three-way", "the outlier")))
vb.note(guards=words.verb(fewer, above=0, then="reports fewer foils", else_="does not report fewer foils"),
        costs=words.verb(lost, above=0, then="finds the outlier less often", else_="does not find the outlier less often"))
vb.note(one=significant | {"first": words.among(int((tested[1.0]["most_deviant"] == odd).sum()), len(tested[1.0]))}, poles=len(clusters.POLES))
tables.readable(pd.concat(tested, names=["b"]).reset_index("b"), precision=3).format("{:g}", subset="b").hide(axis="index").set_caption(
    "One network each: largest deviation from the other groups' course, logits")

# %% [markdown]
# At $b = 1$ the test is significant for {glue:text}`one.full` of {glue:text}`poles` poles, and the most deviant group is {glue:text}`odd` in {glue:text}`one.first`. At
# $b = 0$, where captions gave no group a course of its own, it is significant for {glue:text}`one.null`. Its target is **this network**. To speak of what *training data* do, one
# needs networks whose data treat groups alike: the {glue:text}`yardstick` at $b = 0$ behind the first figure. How often these answer themselves cannot be read off: ranked
# among each other, as many exceed the level as the level says, whatever they show.
#
# Searched without a name at $b = 1$, the outlier is found by `apart` in {glue:text}`looked.age.apart.b1` (age) and {glue:text}`looked.smiling.apart.b1` (smiling), by `interaction` in
# {glue:text}`looked.age.interaction.b1` and {glue:text}`looked.smiling.interaction.b1`. Over both attributes, taking out hue and crest {glue:text}`guards` and {glue:text}`costs`.

# %% tags=["hide-input", "hide-output"]
by_panel = pd.concat(single, names=["attribute"]).query("b in [0, @strongest]").groupby(["attribute", "statistic", "planted", "dimension", "b"], sort=False)
tables.readable(by_panel[["found", "another", "only"]].mean().unstack("b")).format("{:.0%}").set_caption("Share of networks, one dimension at a time, searched")

# %% [markdown]
# ### How much of the planted course comes back

# %%
grid_faces, dims = networks.images, list(CAUSALFACE.dimensions)
shown_at = planted_at[-2:]
said = {b: intersections.means(truth.per_face(spoken, grid_faces, b, axes=dims).to_numpy()[None], grid_faces, "age", **world) for b in shown_at}
back = intersections.returned(courses["age"], said)

series = grid_faces[intersections.series(grid_faces, "age", world["hues"])]
counts = intersections.of_groups(truth.counted(spoken, series, ["race", "gender", "age"], strongest, axes=dims), **world)
by_count = intersections.returned(courses["age"], {strongest: counts})

# %% tags=["hide-input"]
found = {name: intersections.recovery(own["planted"], own["shown"]) for name, own in (("per_face", back[back["b"] == strongest]), ("counted", by_count))}
vb.figures.show(
    vb.figures.planted_against_shown(back.assign(strength="b = " + back["b"].map("{:g}".format)), planted="planted", shown="shown", panel="strength", unit="logits"),
    name="intersections-course",
    alt=f"The course of {odd} beyond the other five: what networks show against what was planted. At b = {strongest:g} the slope is {found['per_face']['slope']:.2f} and r = {found['per_face']['r']:.2f}.",
    caption=f"The course of {odd} over age beyond the mean of the other five groups: mean over retrained networks against what was planted (per face); one point per dimension and age. Dashed: all of it.",
    source="greenhouse",
)
vb.note(back=found)

# %% [markdown]
# At $b = 1$ the networks return {glue:text}`back.per_face.slope:.2f` of the planted course of {glue:text}`odd` by `per_face` ({glue:text}`back.counted.slope:.2f` by `counted`), with r = {glue:text}`back.per_face.r:.2f`.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85` (`analysis/fig_4+s2.py`):
#
# | | paper | code | here |
# |---|---|---|---|
# | measure (H2) | Δcos, Eq. 2 | Δcos divided by the neutral cosine, in per cent (axes say "Rel.") | `relative` |
# | UTKFace (H3) | White, Black and Asian | every race in the files | `every_race` |
# | FairFace (H4) | age 20 and older | a comparison of text, which "3-9" passes; these rows fall out later, after the quotas were worked out | `quotas` |
# | FairFace (H4) | no sampling mentioned for this figure | one quota per group, over six races, before the three are selected | `quotas` |
# | UTKFace ages | not said | FairFace's bins | the same bins |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/intersections -p protocol released
# ```
# With the authors' released tables in a folder: `-p cosines FOLDER -p stimuli causalface -p fairface fairface -p utkface utkface`.
# :::

# %% [markdown]
# ## Take-aways
#
# - An ellipse around means over age shows how a group *moves with age*. For uncertainty resample identities; for judgements of faces, plot faces.
# - Control and number of faces differ between the sets. Compare at equal n before blaming either.
# - The outermost group need not be an outlier: main effects have corners. Test the departure from what they add up to.
# - A test over identities speaks of *this network*. Networks whose data treat groups alike say what to expect by chance.
# - One group against the rest also answers to what a whole hue or crest does. An intersection is what is left when both are taken out.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Which of the two is the odd one?
# :label: intersections-which
# :level: advanced
# :minutes: 20
# :code: yes
# Let six group means be $\text{hue} + \text{crest}$, with 1 added for one group only. Leave out each group in turn, fit hue + crest to the five others, and
# predict the one left out. By how much does each miss? Can the levels alone say which group was odd?
# :::
#
# ```{solution-start} intersections-which
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
cells = [(hue, crest) for hue in range(3) for crest in range(2)]
design = np.array([[1, hue == 1, hue == 2, crest] for hue, crest in cells], float)
level_means = design @ [0.3, 1.0, -0.5, 0.7] + np.array([cell == (2, 1) for cell in cells])
misses = []
for k in range(6):
    rest = np.arange(6) != k
    beta = np.linalg.lstsq(design[rest], level_means[rest], rcond=None)[0]
    misses.append(level_means[k] - design[k] @ beta)
print(dict(zip(cells, np.round(misses, 2).tolist(), strict=True)))  # the other crest of that hue misses by as much
assert np.isclose(misses[5], 1) and np.isclose(misses[4], -1) and np.allclose(np.abs(misses[:4]), 0.5)

# %% [markdown]
# Leave out the odd group: the five others fit exactly, and it misses by the 1 that was added. Leave out the other crest of its hue: that hue's level
# is then known from the odd group alone, so the prediction is too high by 1. The four others miss by half. Raising the one group or lowering the
# other gives the same six misses: the levels show *that* hue and crest do not add up, not which of the two groups is odd.
#
# ```{solution-end}
# ```
#
# :::{exercise} Two sigmas in the plane
# :label: intersections-sigmas
# :level: intermediate
# :minutes: 20
# :code: yes
# Draw many samples of ten points from a normal distribution in the plane. What share of *new* points falls into the 2σ ellipse of such a sample, and why less than
# computed above?
# :::
#
# ```{solution-start} intersections-sigmas
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
draw = np.random.default_rng(seed)
samples, new = draw.normal(size=(2_000, 10, 2)), draw.normal(size=(2_000, 50, 2))
off = new - samples.mean(axis=1, keepdims=True)
inverse = np.linalg.inv([np.cov(one.T) for one in samples])
caught = (np.einsum("nki,nij,nkj->nk", off, inverse, off) <= 4).mean()
print(f"{caught:.1%} of new points, against {inside:.1%} with mean and covariance known")
assert 0.65 < caught < inside

# %% [markdown]
# An ellipse estimated from ten points has, by chance, its centre and its axes a little wrong, in the way that suits those ten points best. New points
# know nothing of that. With more points per marker the share would come nearer to the one computed above.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A model places the groups in separate regions, a few thousandths of a cosine apart. When is that harmless, and in which use would it not be?
# 2. The paper finds the strongest patterns where images are controlled. A user of the model meets uncontrolled images. Which of the two measures the bias that matters?
