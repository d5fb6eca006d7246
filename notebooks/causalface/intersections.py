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
# # When is one group an outlier among intersections?
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 4 and S.2: six groups, ten ages, and an ellipse around each
# group.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A paper shows six groups of faces, and one of them stands out. Is there a rule of its own for this group? Or is it the sum of two ordinary differences, of race and of gender?
#
# **Answer in short.** Separate clusters show that groups are judged differently, but not that one is an outlier. Where race and gender each matter, some group lies furthest out. To show more than this sum, subtract both differences, and name the group and its pattern before you look. Even then, you learn only that the two do not add up in one race, not which gender is the unusual one.
#
# **In 20 minutes:** {ref}`What the paper reports <intersections-found>`, {ref}`What one may doubt <intersections-doubt>`,
# {ref}`The protocol <intersections-protocol>`, {ref}`Does an unusual curve tell who is an outlier? <intersections-search>`,
# {ref}`Take-aways <intersections-take>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a mean, a standard deviation, and the idea of a significance test. The primer
# "[Δcos and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper is about race, gender and age as a model sees them, and singles out Black women. The drawn faces on this page belong to invented groups; they stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
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

# %% tags=["hide-input"]
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import bias, grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import clusters, intersections, intersections_words
from studies.shown import shown
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (intersections-found)=
# ## What the paper reports: six clusters, and a group that stands out
#
# {cite:t}`hausladen2025` study CLIP, a model that tells how well a picture fits a text. They show it computer-generated faces of the same people at ten ages, in six groups: women and men who look Asian, Black or White. They call these controlled faces *CausalFace*.
#
# For each face and trait, they compute a score, *Δcos*: how much better does a sentence with a word such as *powerful* fit the face than a neutral sentence? *Powerful* and *powerless* are two opposites, the *sides* of one dimension, Agency {cite}`koch2016`. The authors score each side as a trait of its own, so a face can be high on both.
#
# Their Figure 4 shows both scores. To the right, a face is judged more powerful; upwards, more powerless. Every *marker* is the mean of one group at one age. Around the markers of each group, the authors draw an ellipse. They do the same with two collections of photographs
# from the web, FairFace and UTKFace. The figure prints no numbers; the text says what it shows.

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/intersections")
said = claims.set_index("claim")["printed"]
tables.readable(pd.DataFrame(
    {"controlled faces": [said["intersections.separated"], said["intersections.age-order"], "–"],
     "photographs": [said["intersections.less-clear"], said["intersections.order-less-evident"], said["intersections.larger-ellipses"]]},
    index=["groups", "ages within a group", "ellipses"],
)).set_caption("What the text says of Figure 4")

# %% [markdown]
# The authors conclude: "CausalFace reveals clear intersectional clusters for race, gender, and age." They say that age, gender and race "do systematically impact" CLIP's judgements.
#
# One group stands out to them: "Black women are an outlier among intersectional groups". They see this in other figures, which show curves. Over smiling (Figure 3), Black women "consistently appear at the extremes". Over age (Figure 5), their warmth has "a U-shaped pattern", and their competence declines; here, "white women show a similar pattern".
#
# The word *intersectional* comes from a theory in law {cite}`crenshaw1989`: what happens to Black women is not the sum of what happens to women and what happens to Black people. To the authors, an outlier is a group that stands out, mostly at the extremes. On this page, an *outlier* is more: its place, or its curve, is not the sum of what race does and
# what gender does.
#
# **Their own limits.** That photographs show less clear clusters because smile, light and pose vary is "most likely", not tested. Ages vary at one expression, light and pose only. The findings "refer to one
# specific CLIP variant".
#
# ### Do the statements agree with each other?
#
# What is said twice agrees. Most statements are said once, so there is nothing to compare them with.

# %%
vb.ledger.show(claims)

# %% [markdown]
# (intersections-doubt)=
# ### What one may doubt
#
# **Is a group at an extreme more than a sum?** Here are scores of six groups, made up. What race adds is the same for both genders, and what gender adds is the same for all races:

# %%
race = pd.Series({"A": 0.0, "B": 1.0, "C": 3.0})
gender = pd.Series({"women": 0.0, "men": 1.0})
group = pd.DataFrame({name: race + added for name, added in gender.items()})
from_middle = (group - group.to_numpy().mean()).abs().stack()
gap = group["men"] - group["women"]
assert from_middle.idxmax() == ("C", "men")
tables.readable(group.assign(gap=gap), precision=1, names={"gap": "men − women"})

# %% [markdown]
# Men of race C lie furthest from the middle. But no rule is special to them: their place is the sum of two ordinary differences. The gap between men and women is the same in every race. An outlier would change the gap in its race.
#
# The same holds for curves. If one race and one gender each bend a curve upwards, the group with both has the strongest bend.
#
# **What does an ellipse show?** It goes around a group's means at several ages. So it shows how the mean moves with age, not how certain the mean is, or where single faces lie.
#
# (intersections-protocol)=
# ## The protocol, run on {data}
#
# We now draw the same figure, with three sets of faces and one model. (Photographs come in age bins, so they have fewer markers.)
#
# {.if-run}
# What is shown here comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. In place of race, a face has a *hue* (teal, amber or violet); in place of gender, a *crest* (budded or eared). The captions speak differently of the six groups.
# The photographs are drawn, too: two sets imitate FairFace and UTKFace. [Pictures](../greenhouse/gallery.ipynb) of the faces, and [what this world can and cannot show](../../book/greenhouse/limits.md), are one click away.

# %%
PROTOCOLS = {  # the text and the code differ in three things, see the table below
    "described": dict(relative=False, every_race=False, quotas=False),
    "released": dict(relative=True, every_race=True, quotas=True),
}
look = partial(vb.perceive, model=model, words=prompts, cosines=cosines)
seen = {"CausalFace": look(stimuli, root=root)}
for name, own, folder in (
    ("FairFace", fairface, fairface_root),
    ("UTKFace", utkface, utkface_root),
):
    seen[name] = look(own, root=folder)
    seen[f"{name}/all"] = look(f"{own}/all", root=folder)

sets, markers = {}, {}  # protocol → data set → faces; → means per group and age
for name, choices in PROTOCOLS.items():
    sets[name] = clusters.protocol(seen, **choices, seed=seed)
    markers[name] = {which: clusters.markers(own) for which, own in sets[name].items()}

# one marker by hand: the first group at the first age
faces = sets[protocol]["CausalFace"]
first = markers[protocol]["CausalFace"].iloc[0]
own = faces[(faces["group"] == first["group"]) & (faces["level"] == first["level"])]
marker = own[["positive_agency", "negative_agency"]].mean()
assert np.allclose(marker, first[marker.index].astype(float))

# %% tags=["hide-input"]
figure_4 = {
    name: vb.figures.ellipses(
        clusters.by_dimension(pd.concat(own, names=["set"]).reset_index("set"), ["agency"]),
        x="positive", y="negative", colour="race", shape="gender", size="level", panel="set", columns=2,
        x_label="positive Agency", y_label="negative Agency",
    )
    for name, own in markers.items()
}
from_greenhouse = all(one.source == "greenhouse" for one in seen.values())
source, alone = (roles.sources(seen["CausalFace"]), roles.sources(seen["CausalFace"])) if from_greenhouse else ([f"real:{seen[name].stimuli}" for name in clusters.SETS], f"real:{seen['CausalFace'].stimuli}")
unit = "per cent of neutral" if PROTOCOLS[protocol]["relative"] else "Δcos × 100"
text_or_code = {"described": "text", "released": "code"}[protocol]
drawn_as = f"{unit}, one marker per group and age (larger is older), an ellipse of two standard deviations (2σ) per group; as in the authors' {text_or_code}. Dotted: positive = negative."
vb.figures.show(
    figure_4[protocol],
    name="intersections-figure",
    alt="Positive against negative Agency, an ellipse per group; " + ", ".join(f"{name}: {len(own)} markers" for name, own in markers[protocol].items()) + ".",
    caption=f"As Figure 4: Agency, {drawn_as}",
    source=source,
)
separation = pd.DataFrame({name: clusters.separation(own) for name, own in sets["described"].items()}).T
vb.note(drawn=made_here.of_ours(seen["CausalFace"]), guessed=separation["markers_guessed"], faces_guessed=separation["faces_guessed"], order=separation["order"])

# %% [markdown]
# Are single faces as separate as the means, and does it matter how many photographs there are? See the first fold.
#
# :::{dropdown} Details: single faces, and whether photographs are less clear because they are few
# A marker of the controlled set is a mean of {claim}`variation.seeds` people; a marker of the photographs, of as many as there happen to be. So we took as few faces from the controlled set as each set of photographs has. The controlled clusters are then {glue:text}`fewer` than with all faces, and {glue:text}`remains`. {glue:text}`verdict`
#
# *How we did it.* For each group and age, we draw as many people from the controlled set as the photographs have, at as many ages. How clear clusters are, we measure by the *silhouette* {cite}`rousseeuw1987`: how much nearer a marker is to those of its own group than to those of the nearest other. It is 1 for tight, distant
# clusters, and 0 where they run into each other. We call clusters about as clear if the photographs' silhouette lies within 95 % of the draws (the bars in the second figure below).
#
# *Guessing groups.* From the place of a marker in the first panel, a simple rule guesses its group right in {glue:text}`guessed.CausalFace:.0%` of cases. From the place of a *single face*, it is right in {glue:text}`faces_guessed.CausalFace:.0%`; blind guessing, in one of six. The rule (linear discriminant analysis) has learnt from markers at other ages, or from the faces of other people.
#
# *Three ellipses.* The first figure below has three ellipses around the same groups: over the means at ten ages, as in the paper; over a group's overall mean, if other people are sampled; and over single faces. One standard deviation is {glue:text}`radius.ages:.2f` for the first, {glue:text}`radius.resampled:.2f`
# for the second and {glue:text}`radius.faces:.2f` for the third. To say that *groups differ*, the second is needed; to say how *single faces* are judged, the third.
#
# :::

# %% tags=["hide-cell"]
controlled = sets["described"]["CausalFace"]
groups = list(dict.fromkeys(controlled["group"]))
meanings = clusters.meanings(controlled, groups, n=n_resamples, seed=seed)

# %% tags=["hide-cell"]
radius = {kind: np.mean([clusters.radius(points[:, g]) for g in range(len(groups))]) for kind, points in meanings.items()}
fig, axes = vb.figures.panels(1, 3, height=4.0, share_x=True, share_y=True)
hue_of = [group.split()[0] for group in groups]
colours, forms = vb.figures.colours_for(hue_of), dict(zip(dict.fromkeys(group.split()[1] for group in groups), "os", strict=True))
for axis, (kind, points) in zip(axes[0], meanings.items(), strict=True):
    for g, name in enumerate(groups):
        axis.plot(*points[:: max(1, len(points) // 60), g].T, forms[name.split()[1]], color=colours[hue_of[g]], markersize=2.5, alpha=0.4, label=name)
        axis.add_patch(vb.figures.covariance_ellipse(points[:, g], facecolor=colours[hue_of[g]], alpha=0.2, edgecolor=colours[hue_of[g]]))
    axis.set_title({"ages": "ten ages (Fig. 4)", "resampled": "mean, other people", "faces": "single faces"}[kind])
fig.supxlabel("positive Agency, Δcos × 100", fontsize=12)
axes[0, 0].set_ylabel("negative Agency, Δcos × 100")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, markerscale=2, handletextpad=0.1)
vb.figures.show(
    fig,
    name="intersections-three",
    alt=f"Three ellipses around the same groups; typical radii at one sigma: over ages {radius['ages']:.2f}, of the resampled mean {radius['resampled']:.2f}, over single faces {radius['faces']:.2f}.",
    caption="The same groups on the same two axes, three meanings of a 2σ ellipse; some of the points are shown.",
    source=alone,
)
inside = 1 - np.exp(-(2**2) / 2)  # of a normal distribution in the plane, within two standard deviations
vb.note(radius=radius, inside=inside)

# %% tags=["hide-cell"]
equal_n = clusters.at_equal_n(
    sets["described"], n_draws=n_draws, seed=seed, same_scale=from_greenhouse
)

# %% tags=["hide-cell"]
like = {name: f"imitation of {name}" if from_greenhouse else name for name in clusters.SETS[1:]} | {"CausalFace": ""}
called = {"paired": "controlled set, as it is", "same n": "controlled, as few as {}", "itself": "{} itself"}
labelled = equal_n.assign(label=[called[row.drawn].format(like[row.set]) for row in equal_n.itertuples()])
vb.figures.show(
    vb.figures.forest(labelled, estimate="silhouette", low="low", high="high", label="label", value_label="silhouette of the Agency markers, 95 % of draws"),
    name="intersections-equal-n",
    alt="Silhouettes: " + "; ".join(f"{row.label} {row.silhouette:.2f}" for row in labelled.itertuples()) + ".",
    caption=f"How clear the clusters are: in the controlled set; with as few faces as another set has ({n_draws} draws); in that set itself.",
    source=source,
)
by_set = equal_n[equal_n["set"] != "CausalFace"].assign(called=lambda rows: rows["set"].map(like)).set_index(["drawn", "called"])
whole = equal_n.set_index("drawn").loc["paired", "silhouette"]
vb.note(**intersections_words.why_less_clear(whole, by_set.loc["same n"], by_set.loc["itself", "silhouette"]))

# %% [markdown]
# :::{dropdown} Details: text and code, Figure S.2, and what our records mean
# *What each choice changes.* The code does not plot Δcos, but Δcos divided by the neutral score. This multiplies all differences by about one over that score: here {glue:text}`one_over:.1f` times, for CLIP about four times. The code also keeps all races of
# UTKFace, and draws FairFace by quotas ({glue:text}`fair_quota:,.0f` of {glue:text}`fair:,.0f` faces remain). The largest change of a silhouette by any of these is {glue:text}`largest_shift:.2f`.
#
# *Two sigmas in the plane.* Around a single number, two standard deviations hold 95 % of a normal distribution. Around a point in the plane, they hold {glue:text}`inside:.0%` (exercise 2).
#
# *The order of ages.* Along the long axis of a group's own ellipse, markers follow age with a mean |Kendall's τ| of {glue:text}`order.CausalFace:.2f`. The same people are seen at neighbouring ages, so any smooth change puts
# markers in order; a U cannot be in order along any line.
#
# *Our records* read "clearly separated" as: fewer than half of the pairs of ellipses overlap; "no longer apparent" as: at least half do; "less clear" as a lower silhouette; "almost perfect order" as a mean |τ| above .9; "systematically
# impact" as p < .05 (Friedman or Wilcoxon, Holm) for at least half of the traits' sides.
# :::

# %% tags=["hide-cell"]
choices = {
    "as described": {}, "relative difference": {"relative": True}, "UTKFace, every race": {"every_race": True},
    "FairFace, quotas": {"quotas": True}, "as released": PROTOCOLS["released"],
}
tried = {name: clusters.protocol(seen, **PROTOCOLS["described"] | change, seed=seed) for name, change in choices.items()}
effect = pd.DataFrame({(which, name): clusters.sizes(own) for name, found in tried.items() for which, own in found.items()}).T
plain, neutral = effect.xs("as described", level=1), {name: one.neutral() for name, one in seen.items()}
shift = effect["silhouette"] - plain["silhouette"].reindex(effect.index, level=0)
vb.note(one_over=1 / neutral["CausalFace"].mean(), fair=plain.loc["FairFace", "faces"], fair_quota=effect.loc[("FairFace", "FairFace, quotas"), "faces"], largest_shift=shift.abs().max())
moved = effect[(effect.index.get_level_values(1) == "as described") | (shift != 0)]
tables.readable(moved.sort_index(level=0, sort_remaining=False)).format("{:.1f}", subset="range").format("{:,.0f}", subset=["faces", "groups", "markers"]).set_caption(
    "Agency under each choice that changes anything; range: of the markers, on the wider axis"
)

# %% tags=["hide-cell"]
tables.readable(separation, names={"markers_guessed": "markers guessed", "faces_guessed": "faces guessed", "order": "order of ages, |τ|"}).format("{:.0%}", subset=["overlap", "markers_guessed", "faces_guessed"]).set_caption(
    "Share of pairs of ellipses that overlap; silhouette; group guessed by linear discriminant analysis (left out: an age, or a person); order of ages"
)

# %% tags=["hide-cell"]
figure_s2 = {
    name: vb.figures.ellipses(
        clusters.by_dimension(own["CausalFace"], ["belief", "communion"]),
        x="positive", y="negative", colour="race", shape="gender", size="level", panel="dimension", columns=2,
        x_label="positive pole", y_label="negative pole",
    )
    for name, own in markers.items()
}
vb.figures.show(
    figure_s2[protocol],
    name="intersections-s2",
    alt="Belief (progressive against conservative) and Communion (positive against negative) in the controlled set, a marker per group and age, an ellipse per group.",
    caption=f"As Figure S.2, the controlled set: Belief and Communion, {drawn_as}",
    source=alone,
)

# %% tags=["hide-cell"]
for name, found in sets.items():
    held = clusters.claims(found)
    held |= dict.fromkeys(["sigma", "sigma-caption"], float(clusters.sigmas(figure_4[name]).mean()))
    held["sigma-s2"] = float(clusters.sigmas(figure_s2[name]).mean())
    held["axes"] = clusters.shows_differences(figure_s2[name], seen["CausalFace"], [CAUSALFACE.poles["belief"], CAUSALFACE.poles["communion"]])
    for claim, value in held.items():
        of = [seen[which] for which in clusters.about(claim)]
        vb.ledger.record(f"intersections.{claim}", value, results=results, stimuli=of, model=seen["CausalFace"], protocol=name)

# %% [markdown]
# ## What this method can see: that groups differ, not who is an outlier
#
# Whether a method works can only be seen where the right answer is known. In the [Greenhouse](../../book/greenhouse/limits.md) we know it, because small networks learn from captions that we wrote. In the captions of {glue:text}`null`
# *null networks*, all groups are spoken of alike. In the captions of {glue:text}`full` *biased networks*, hues differ, and crests differ: a word such as "warm" is more frequent for some of them.
#
# ### Clusters do tell whether groups are treated differently

# %%
spoken, portraits = grammar.load(), retrained.scores("grid")
world = dict(hues=bias.LEVELS["race"], crests=bias.LEVELS["gender"])
hue, crest = spoken.bias.outlier["race"], spoken.bias.outlier["gender"]
usual = portraits.networks["condition"] == "none"  # leaves out two experiments of other pages
on_grid = portraits.images["set"] == "grid"
networks = shown(portraits, CAUSALFACE.dimensions, networks=usual, images=on_grid)
over_age = intersections.trajectories_of(networks, "age", spoken.bias, **world)

# Figure 4 as each network would have it: are the clusters separate?
names = [f"{one} {other}" for one in world["hues"] for other in world["crests"]]
traits = {name: CAUSALFACE.poles[name] for name in ("agency", "communion")}
by_network = intersections.figures_of(over_age, names, traits)
eye = by_network.groupby("b")[["separate"]].mean()  # b: 0 in null, 1 in biased networks

# %% tags=["hide-input"]
odd, strongest = f"{hue} {crest}", max(networks.networks["b"])
eye = eye.rename({0.0: "null", strongest: "full"})
b = networks.networks["b"]
two_way = next(name for name, one in over_age.planted.items() if one == "two-way")
special = spoken.bias.axes[two_way]["interactions"][0]["who"]["race"]
kinds = {kind: words.listed(name for name, one in over_age.planted.items() if one == kind) for kind in ("three-way", "two-way")}
vb.note(odd=odd, special=special, null=int((b == 0).sum()), full=int((b == strongest).sum()), three=kinds["three-way"], two=kinds["two-way"], eye=eye.loc[["null", "full"]].stack(),
        rare="rare" if eye.loc["null", "separate"] < 0.1 else "not rare",
        tells=words.verb(eye.loc["full", "separate"] - eye.loc["null", "separate"], above=0.5, then="tells", else_="does not tell"))

# %% [markdown]
# We draw Figure 4 for every network, and the same figure for Communion, another dimension. We call the clusters separate if fewer than half of the pairs of ellipses overlap. In the biased networks, they are separate in {glue:text}`eye.full.separate:.0%` of these figures;
# in the null networks, in {glue:text}`eye.null.separate:.0%`. So the figure {glue:text}`tells` whether groups are treated as differently as here. It does not tell why a group is far from the others: as a sum, or as an outlier.
#
# (intersections-search)=
# ### Does an unusual curve tell who is an outlier?
#
# The authors see their outlier in curves. So the captions of the biased networks have two exceptions over age:
#
# - *An outlier*. For one group, {glue:text}`odd`, we planted a bend over age that no other group has, in {glue:text}`three`.
# - *A special hue*. In {glue:text}`two`, both groups of the hue {glue:text}`special` change with age in another way than the rest. The hue explains this, so neither group is an outlier. This is our *counter-example*: whoever reports one is wrong.
#
# We look for an outlier twice: in the traits where it was planted, and in {glue:text}`two`. We compare two methods.
#
# **The search** works as one reads a figure. It compares the curve of each group with the mean curve of the five others, and takes the group whose curve lies furthest away.
#
# **The test** follows the definition. Before we look, we name the group, {glue:text}`odd`, and the shape, a bend. Each curve becomes one number: in a parabola fitted over age, how far both ends lie above the middle. (A U has a positive bend.) Then we subtract what hue and crest do.
#
# Here is the test for warmth in one biased network. Each row is a hue. (The unit is Δcos times a constant of the network; differences are taken before rounding.)

# %%
# one biased network (b = 1), warmth: the bend of each group
one = int(np.flatnonzero(networks.networks["b"] == 1)[0])
used = intersections.series(networks.images, "age", world["hues"])
score = networks.logits[one][used, networks.dimensions.index("warmth")]
pictures = networks.images[used].assign(score=score)
curve = pictures.pivot_table("score", index="age", columns=["race", "gender"])
u = np.interp(curve.index, [curve.index.min(), curve.index.max()], [-1, 1])
bend = pd.Series(np.polyfit(u, curve.to_numpy(), 2)[0], curve.columns).unstack()
gap = bend["eared"] - bend["budded"]

interaction = gap[hue] - gap.drop(hue).mean()

between = intersections.between_crests(over_age.trajectories)[[one]][:, [0], over_age.outlier[0]]
by_function = intersections.shaped(between, over_age.levels, np.ones(1), "bend")
assert np.isclose(abs(interaction), by_function[0])
bends = bend.assign(gap=gap).rename_axis(index="hue", columns=None)
tables.readable(bends, names={"gap": "eared − budded"})

# %% tags=["hide-input"]
vb.note(interaction=interaction, hue=hue, twin=" ".join([hue, *(name for name in world["crests"] if name != crest)]), in_one=intersections_words.in_one_network(gap, hue))

# %% [markdown]
# The last column is the gap between the two crests. We take the gap in {glue:text}`hue`, the hue of the named group, and subtract the mean gap in the two other hues. The result is {glue:text}`interaction:+.2f`. In the made-up table above, all gaps were equal, so it would be zero.
#
# {glue:text}`in_one` So one network is not enough: training leaves accidental bends in each.
#
# We therefore compare with the null networks. A method *reports* a group in a biased network if its number is larger, in size, than in 95 % of the null networks. The number is the distance (search) or the difference of gaps (test), averaged over the traits. By chance alone, 1 network in 20 has a report.
#
# A good method often reports the planted outlier, and hardly ever a group in the counter-example.

# %%
SHAPES = {"age": "bend", "smiling": "slope"}  # what the paper reads off its figures
courses = {"age": over_age}
courses["smiling"] = intersections.trajectories_of(
    networks, "smiling", spoken.bias, **world
)
rate = {}
for name, own in courses.items():
    passed = intersections.passes(
        own, shape=SHAPES[name], positive=CAUSALFACE.positive
    )
    rate[name] = intersections.rates(passed, own.b)
    if name == "age":
        by_name = passed[own.b == 1]  # for each biased network: is a group reported?
full = rate["age"].query("b == 1").set_index(
    ["question", "statistic", "planted", "event"]
)
full = full.sort_index()

# the rows that the figure shows: the first is right, the second false
search = [
    ("exploratory", "apart", "three-way", "the outlier"),
    ("exploratory", "apart", "two-way", "some group"),
]
test = [
    ("pre-specified", "interaction", "three-way", "the outlier"),
    ("pre-specified", "interaction", "two-way", "the outlier"),
]
hits = full.loc[search + test, ["hits", "n"]]

# %% tags=["hide-input"]
LABELS = ("outlier planted:\nit is reported", "counter-example:\na group is reported (false)")
drawn = full.loc[search + test].assign(label=LABELS * 2, kind=["search"] * 2 + ["test"] * 2)
count = {name: {"right": words.among(*(int(one) for one in hits.loc[keys[0]])), "false": words.among(*(int(one) for one in hits.loc[keys[1]]))} for name, keys in (("search", search), ("test", test))}
vb.figures.show(
    vb.figures.rates(drawn, rate="rate", low="low", high="high", label="label", group="kind", value_label="% of networks, exact 95 % interval"),
    name="intersections-rates",
    alt=f"In how many biased networks a group is reported. The search reports the outlier in {count['search']['right']}; in the counter-example, it reports a group in {count['search']['false']}. The test reports the outlier in {count['test']['right']}; in the counter-example, it reports a group in {count['test']['false']}.",
    caption="In how many of the biased networks each method reports a group. Dashed: what chance alone would give.",
    source="greenhouse",
)
single = {name: intersections.panels(own) for name, own in courses.items()}
only = {name: own.query("planted == 'three-way' and b == @strongest and statistic == 'apart'")["only"].mean() for name, own in single.items()}
vb.note(
    only=only, count=count,
    false={name: intersections_words.beyond_chance(full.loc[keys[1]]) for name, keys in (("search", search), ("test", test))},
    worth={name: intersections_words.worth_of_a_report(full.loc[keys[0]], full.loc[keys[1]]) for name, keys in (("search", search), ("test", test))},
    naming=intersections_words.naming_in_words(*(by_name[question, "interaction", "three-way", "the outlier"] for question in ("pre-specified", "exploratory"))),
)

# %% [markdown]
# **The search.** It reports the outlier in {glue:text}`count.search.right` biased networks. In the counter-example, it reports a group in {glue:text}`count.search.false`: {glue:text}`false.search`. {glue:text}`worth.search`
#
# **The test.** It reports the outlier in {glue:text}`count.test.right` networks. In the counter-example, it reports the named group in {glue:text}`count.test.false`, {glue:text}`false.test`. {glue:text}`worth.test`
#
# **Which part helps?** The test differs from the search in two ways, naming and subtracting. In this counter-example, naming alone avoids the special hue, because the named group has another. The first fold shows what happens if somebody names a group of the special hue.
#
# **What even the test cannot say.** Suppose that the gap in {glue:text}`hue` differs from the other gaps. Then {glue:text}`odd` may bend more than expected, or {glue:text}`twin` less. Both change the gap in the same way (exercise 1). So the test shows that hue and crest do not add up in {glue:text}`hue`. It does not show which crest is unusual.
#
# :::{dropdown} Details: naming and subtracting, one at a time
# The table below has one row per method. "Named" is the group and shape fixed beforehand; "compared with the others" means that hue and crest are not subtracted.
#
# *Subtracting.* In the counter-example, the special hue is {glue:text}`special`; the named group belongs to {glue:text}`hue`. The last rows show what happens if somebody names a group of the special hue, and the shape of its exception: a steady change with age.
#
# *Signs.* The planted bend is upside down in negative traits, so the test turns their sign before it averages. The search needs no sign.
#
# *Naming.* After subtracting, the search looks for the hue with the most unusual gap. It reports the hue of the outlier in {glue:text}`searched` networks; the test, in {glue:text}`count.test.right`. {glue:text}`naming` (Naming fixes the group and the shape; which of the two helps, we did not test.)
# :::

# %% tags=["hide-cell"]
METHODS = {"apart": "compared with the others", "interaction": "hue and crest subtracted"}
by_method = {}
for question, called in {"exploratory": "search", "pre-specified": f"named: {odd}"}.items():
    for statistic, how in METHODS.items():
        own = full.loc[question, statistic]
        other = own.loc["two-way", "some group" if question == "exploratory" else "the outlier"]
        by_method[called, how] = [own.loc["three-way", "the outlier"], other]
its_place = world["hues"].index(special)
for place, name in enumerate(world["crests"]):
    misled = intersections.passes(replace(over_age, outlier=(its_place, place)), shape="slope", positive=CAUSALFACE.positive)
    rows = intersections.rates(misled, over_age.b).query("b == 1 and question == 'pre-specified' and planted == 'two-way'").set_index("statistic")
    by_method |= {(f"named: {special} {name}", how): [None, rows.loc[statistic]] for statistic, how in METHODS.items()}
by_method = pd.DataFrame(
    {key: [f"{one['hits']:.0f} of {one['n']:.0f}" if one is not None else "–" for one in own] for key, own in by_method.items()},
    index=["outlier reported", "counter-example: a group reported (false)"],
).T
vb.note(searched=words.among(*(int(one) for one in full.loc[("exploratory", "interaction", "three-way", "the outlier"), ["hits", "n"]])))
tables.readable(by_method).set_caption("In how many biased networks each method reports a group, over age")

# %% [markdown]
# :::{dropdown} Details: the smile, weaker outliers, one network, and how much was learnt
# *One panel at a time.* All this takes several traits together. In {glue:text}`only.age:.0%` of the single panels (one network and trait, over age), a search against the others reports the outlier and no other group.
#
# *Strength.* In the tables below, b is the strength of what was planted: 0 in null networks, 1 in the biased networks of this page.
#
# *The smile.* We planted a smile of its own for the same group; the first table below has these counts, too, and those for weaker outliers (b < 1).
#
# *A test in one network.* For one network, one can permute the names of groups within each person, and take the largest deviation. At b = 1, this test is significant for {glue:text}`one.full` sides of traits; at b = 0, where captions say nothing
# special of any group, for {glue:text}`one.null`. Such differences are real in *this network*, and new people would show them again. What *training data* do can only be learnt by comparing with null networks.
#
# *How much was learnt.* At b = 1 the networks learnt only a part of what captions say: the slope of shown on planted is {glue:text}`back.per_face.slope:.2f` ({glue:text}`back.counted.slope:.2f` if a count of captions is taken as planted).
# :::

# %% tags=["hide-cell"]
table = pd.concat(rate, names=["attribute"]).reset_index("attribute")
wide = table.query("b > 0")
wide = wide[(wide["question"] == "exploratory") & (wide["planted"] == "two-way") & (wide["event"] == "some group") | (wide["planted"] == "three-way") & (wide["event"] == "the outlier")]
wide = wide.assign(found=wide["hits"].astype(str) + " of " + wide["n"].astype(str), b="b = " + wide["b"].map("{:g}".format))
tables.readable(wide.pivot(index=["attribute", "planted", "question", "statistic"], columns="b", values="found")).set_caption("Networks that pass, over age and over the smile; two-way: any group reported where no outlier was planted")

# %% tags=["hide-cell"]
looks = {1.0: vb.perceive("greenhouse/causalface", "greenhouse"), 0.0: vb.perceive("greenhouse/causalface", "greenhouse/b0")}
worlds = {strength: clusters.faces(own, scale=own.logit_scale) for strength, own in looks.items()}
rng = np.random.default_rng(seed)
tested = {strength: intersections.of_one_network(own, rng=rng, **world, n=n_permutations) for strength, own in sorted(worlds.items(), reverse=True)}
vb.note(one={name: words.among(int((tested[strength]["p_holm"] < 0.05).sum()), len(tested[strength])) for name, strength in (("null", 0.0), ("full", 1.0))})
tables.readable(pd.concat(tested, names=["b"]).reset_index("b"), precision=3, names={"most_deviant": "most deviant"}).format("{:g}", subset="b").hide(axis="index").set_caption(
    "One network each: the group that deviates most from the mean of the others, logits"
)

# %% tags=["hide-cell"]
by_panel = pd.concat(single, names=["attribute"]).query("b in [0, @strongest]").groupby(["attribute", "statistic", "planted", "dimension", "b"], sort=False)
tables.readable(by_panel[["found", "another", "only"]].mean().unstack("b")).format("{:.0%}").set_caption("Share of networks, one trait at a time, exploratory")

# %% tags=["hide-cell"]
grid_faces, dims = networks.images, list(CAUSALFACE.dimensions)
planted_at = sorted(one for one in b.unique() if one > 0)
expected = {strength: intersections.means(truth.per_face(spoken, grid_faces, strength, axes=dims).to_numpy()[None], grid_faces, "age", **world) for strength in planted_at[-2:]}
back = intersections.returned(over_age, expected)
in_series = grid_faces[intersections.series(grid_faces, "age", world["hues"])]
counted = intersections.of_groups(truth.counted(spoken, in_series, ["race", "gender", "age"], strongest, axes=dims), **world)
by_count = intersections.returned(over_age, {strongest: counted})
found = {name: intersections.recovery(own["planted"], own["shown"]) for name, own in (("per_face", back[back["b"] == strongest]), ("counted", by_count))}
vb.figures.show(
    vb.figures.planted_against_shown(back.assign(strength="b = " + back["b"].map("{:g}".format)), planted="planted", shown="shown", panel="strength", unit="logits"),
    name="intersections-course",
    alt=f"The trajectory of {odd} beyond the other five: what networks show against what was planted. At b = {strongest:g} the slope is {found['per_face']['slope']:.2f} and r = {found['per_face']['r']:.2f}.",
    caption=f"The trajectory of {odd} over age beyond the mean of the other five groups: mean over networks against what was planted (per face); one point per trait and age. Dashed: all of it.",
    source="greenhouse",
)
vb.note(back=found)

# %% [markdown]
# ### What this means for the paper
#
# **The clusters.** In our networks, clear clusters are {glue:text}`rare` where groups are spoken of alike. This supports the authors' conclusion that CLIP judges the groups differently, as far as small networks and drawn faces can.
#
# **The outlier.** The authors see Black women at the extremes. This needs no subtraction, and nothing on this page speaks against it. To say more, that race and gender do not just add up, one has to subtract both. The authors do not claim to have done so. Whether anything is then left is not known. Their published scores can tell, but we
# {ref}`did not have them <causalface-not-run>`.
#
# **A next step.** The authors noticed the group in their figures. Now it can be named and tested in other models, with the same pictures. One model is not enough: its gap can be an accident of training.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `a2daa85` (`analysis/fig_4+s2.py`):
#
# | | paper | code | here |
# |---|---|---|---|
# | measure (H2) | Δcos (text, and caption of Figure S.2) | Δcos divided by the neutral cosine, in per cent (axes say "Rel.") | `relative` |
# | UTKFace (H3) | White, Black and Asian | every race in the files | `every_race` |
# | FairFace (H4) | age 20 and older | ages are compared as text, so that "3-9" counts as older than 20; these faces are dropped later, after the quotas were computed | `quotas` |
# | FairFace (H4) | no sampling mentioned for this figure | one quota per group, over six races, before the three are selected | `quotas` |
# | UTKFace ages | not said | FairFace's bins | the same bins |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/intersections -p protocol released
# ```
# With the authors' released tables in a folder: `-p cosines FOLDER -p stimuli causalface -p fairface fairface -p utkface utkface`.
# :::

# %% [markdown]
# (intersections-take)=
# ## Take-aways
#
# - Separate clusters show that groups are judged differently, not who is an outlier.
# - Some group always lies furthest out. To show that race and gender do not just add up, subtract both.
# - Name the group and the shape before you look. A search can report a group that is not special.
# - What is left does not say which gender of a race is unusual.
# - Ask what an ellipse goes around. Around means over age, it shows change with age. For uncertainty, sample other people.

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
# Draw many samples of ten points from a normal distribution in the plane. With mean and covariance known, the 2σ ellipse holds a share of $1 - e^{-2}$ of new points. What share
# of *new* points falls into the ellipse of such a sample, and why less?
# :::
#
# ```{solution-start} intersections-sigmas
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
inside = 1 - np.exp(-2)
draw = np.random.default_rng(seed)
samples, new = draw.normal(size=(2_000, 10, 2)), draw.normal(size=(2_000, 50, 2))
off = new - samples.mean(axis=1, keepdims=True)
inverse = np.linalg.inv([np.cov(one.T) for one in samples])
caught = (np.einsum("nki,nij,nkj->nk", off, inverse, off) <= 4).mean()
print(f"{caught:.1%} of new points, against {inside:.1%} with mean and covariance known")
assert 0.65 < caught < inside

# %% [markdown]
# An ellipse estimated from ten points has, by chance, its centre and its axes a little wrong, in the way that suits those ten points best. New points
# know nothing of that. With more points the share would come nearer to $1 - e^{-2}$.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A model places the groups in separate regions, a few thousandths of a cosine apart. When is that harmless, and in which use would it not be?
# 2. The paper finds the strongest patterns where images are controlled. A user of the model meets uncontrolled images. Which of the two measures the bias that matters?
