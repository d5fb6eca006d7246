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
# **Question.** Of six groups of faces, one stands out. Is there a rule of its own for this group? Or is it the sum of two ordinary differences, of race and of gender?
#
# **Answer in short.** Separate clusters show that groups differ by more than age changes them, but not that one is an outlier. Some group always lies furthest out, where race and gender each matter. To show more than the sum of the two, subtract both differences, and name the group and its pattern before you look. Even then, you do not learn which gender of a race is unusual.
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
seed = 42  # seed of every random draw (the authors' code uses 42, too); at least 0
results = "_build/results/causalface/intersections.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import bias, grammar
from studies import made_here, roles, tables, words
from studies.causalface import clusters, intersections
from studies.shown import shown
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (intersections-found)=
# ## What the paper reports: six clusters, and a group that stands out
#
# {cite:t}`hausladen2025` study CLIP, a model that tells how well a picture fits a text. They show it computer-generated faces of the same people at ten ages, in six groups: women and men who look Asian, Black or White. These faces are called *CausalFace*.
#
# For each face and trait, they compute a score, *Δcos*: how much better does a sentence with a word such as *powerful* fit the face than a neutral sentence? *Powerful* and *powerless* are the two *sides* of one dimension, Agency {cite}`koch2016`. The authors score each side by itself, so a face can be high on both.
#
# Figure 4 shows both scores. Every *marker* is the mean of one group at one age; an ellipse goes around the markers of each group. The authors do the same with photographs from the web, FairFace and UTKFace. The figure prints no numbers.

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/intersections")
said = claims.set_index("claim")["printed"]
tables.readable(
    pd.DataFrame(
        {
            "controlled faces": ["most " + said["intersections.separated"], said["intersections.age-order"], "–"],
            "photographs": [
                said["intersections.less-clear"],
                said["intersections.order-less-evident"],
                said["intersections.larger-ellipses"],
            ],
        },
        index=["groups", "ages within a group", "ellipses"],
    )
).set_caption("What the text says of Figure 4")

# %% [markdown]
# The authors conclude: "CausalFace reveals clear intersectional clusters for race, gender, and age."
#
# In other figures, which show curves, one group stands out to the authors: "Black women are an outlier among intersectional groups". Over smiling (Figure 3), Black women "consistently appear at the extremes". Over age (Figure 5), their warmth has "a U-shaped pattern", and their competence declines "most steeply"; here, "white women show a similar pattern".
#
# The word *intersectional* comes from a theory in law {cite}`crenshaw1989`: what happens to Black women is not the sum of what happens to women and what happens to Black people. To the authors, an outlier is a group that stands out, mostly at the extremes. On this page, an *outlier* is more: its place, or its curve, is not the sum of what race and gender do.
#
# {.if-run}
# **In real models.** Nine CLIPs scored portraits of the same people with and without a smile. When a face smiles, its *valence* rises (pleasant minus unpleasant words). Is this rise for Black women more than the sum of what race and gender do? Counted from a neutral face, it is below the sum in {result}`real/faces::sum_below` models, but the mean of these models is not clearly below it. Counted from an angry face (nearer to the frown that the authors used), race and gender do not just add up in the mean (clearly in {result}`real/faces::sum_clear` models); which group is unusual, this cannot say. → [A smile in nine CLIPs](../real/faces.ipynb)
#
# **Their own limits.** That photographs show less clear clusters because smile, light and pose vary is "most likely", not tested. Ages vary at one expression, light and pose only. The findings "refer to one
# specific CLIP variant".
#
# ### Do the statements agree with each other?
#
# What is said twice agrees. Most is said once.

# %%
vb.ledger.show(claims)

# %% [markdown]
# (intersections-doubt)=
# ### What one may doubt
#
# **Is a group at an extreme more than a sum?** In these made-up scores, what race adds is the same for both genders, and what gender adds is the same for all races:

# %%
race = pd.Series({"A": 0.0, "B": 1.0, "C": 3.0})
gender = pd.Series({"women": 0.0, "men": 1.0})
group = pd.DataFrame({name: race + added for name, added in gender.items()})
from_middle = (group - group.to_numpy().mean()).abs().stack()
gap = group["men"] - group["women"]
assert from_middle.idxmax() == ("C", "men")
tables.readable(group.assign(gap=gap), precision=1, names={"gap": "men − women"})

# %% [markdown]
# Men of race C lie furthest from the middle. But no rule is special to them: the gap between men and women is the same in every race. An outlier would change the gap in its race. The same holds for curves.
#
# **What does an ellipse show?** It goes around a group's means at several ages. So it shows how the mean moves with age, not how certain the mean is, or where single faces lie.
#
# (intersections-protocol)=
# ## The protocol, run on {data}
#
# The same figure, with three sets of faces and one model.
#
# {.if-run}
# What is shown here comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A *hue* (teal, amber or violet) stands for race, a *crest* (budded or eared) for gender. The captions speak differently of the six groups.
# Two sets of drawings imitate FairFace and UTKFace ([pictures](../greenhouse/gallery.ipynb), and [what this world can and cannot show](../../book/greenhouse/limits.md)).

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
races = sorted(seen["CausalFace"].table["race"].unique())
for name, choices in PROTOCOLS.items():
    chosen = {which: seen[which] for which in ("CausalFace", "FairFace", "UTKFace")}
    if choices["quotas"]:
        every = seen["FairFace/all"]
        chosen["FairFace"] = clusters.within_quotas(every, races, seed=seed)
    if choices["every_race"]:
        chosen["UTKFace"] = seen["UTKFace/all"]
    sets[name] = {
        which: clusters.faces(one, relative=choices["relative"])
        for which, one in chosen.items()
    }
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
        x="positive",
        y="negative",
        colour="race",
        shape="gender",
        size="level",
        panel="set",
        columns=2,
        x_label="positive Agency",
        y_label="negative Agency",
    )
    for name, own in markers.items()
}
from_greenhouse = all(one.source == "greenhouse" for one in seen.values())
source, alone = (
    (roles.sources(seen["CausalFace"]), roles.sources(seen["CausalFace"]))
    if from_greenhouse
    else ([f"real:{seen[name].stimuli}" for name in clusters.SETS], f"real:{seen['CausalFace'].stimuli}")
)
unit = "per cent of neutral" if PROTOCOLS[protocol]["relative"] else "Δcos × 100"
text_or_code = {"described": "text", "released": "code"}[protocol]
drawn_as = f"{unit}, one marker per group and age (larger is older), an ellipse of two standard deviations (2σ) per group; as in the authors' {text_or_code}. Dotted: positive = negative."
vb.figures.show(
    figure_4[protocol],
    name="intersections-figure",
    alt="Positive against negative Agency, an ellipse per group; "
    + ", ".join(f"{name}: {len(own)} markers" for name, own in markers[protocol].items())
    + ".",
    caption=f"As Figure 4: Agency, {drawn_as}",
    source=source,
)
controlled, sides = sets["described"]["CausalFace"], list(CAUSALFACE.poles["agency"])
groups = list(dict.fromkeys(controlled["group"]))
values = clusters.cube(controlled, groups, sides)  # people × groups × ages × sides
drawn = vb.cluster_weights(np.arange(len(values)), n_resamples=n_resamples, seed=seed) / len(values)
clouds = {  # points × groups × sides
    "ages": values.mean(axis=0).swapaxes(0, 1),
    "resampled": np.einsum("ri,igd->rgd", drawn, values.mean(axis=2)),
    "faces": values.swapaxes(1, 2).reshape(-1, len(groups), 2),
}
radius = {
    kind: np.mean([clusters.radius(points[:, g]) for g in range(len(groups))])
    for kind, points in clouds.items()
}
vb.note(drawn=made_here.of_ours(seen["CausalFace"]), radius=radius)

# %% [markdown]
# :::{dropdown} Details: three kinds of ellipse, and what our records mean
# One standard deviation is {glue:text}`radius.ages:.2f` over the ten ages (as in the paper), {glue:text}`radius.resampled:.2f` over a group's mean if other people are sampled, and {glue:text}`radius.faces:.2f` over single faces.
#
# Our records read "clearly separated" as: fewer than half of the pairs of ellipses overlap; "no longer apparent" (biases, in photographs) as: at least half do; "less clear" as a lower silhouette {cite}`rousseeuw1987`; "almost perfect order" as a mean |Kendall's τ| above .9; "systematically impact" as p < .05 (Friedman or Wilcoxon, Holm) for at least half of the traits' sides.
#
# Below: Figure S.2 on these faces.
# :::

# %% tags=["hide-cell"]
figure_s2 = {
    name: vb.figures.ellipses(
        clusters.by_dimension(own["CausalFace"], ["belief", "communion"]),
        x="positive",
        y="negative",
        colour="race",
        shape="gender",
        size="level",
        panel="dimension",
        columns=2,
        x_label="positive pole",
        y_label="negative pole",
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
    difference = clusters.markers(clusters.faces(seen["CausalFace"]))  # Δcos × 100
    held["axes"] = clusters.shows(
        figure_s2[name], difference, [CAUSALFACE.poles["belief"], CAUSALFACE.poles["communion"]]
    )
    for claim, value in held.items():
        of = [seen[which] for which in clusters.about(claim)]
        vb.ledger.record(
            f"intersections.{claim}",
            value,
            results=results,
            stimuli=of,
            model=seen["CausalFace"],
            protocol=name,
        )

# %% [markdown]
# ## What this method can see: that groups differ, not who is an outlier
#
# In the [Greenhouse](../../book/greenhouse/limits.md), we know the right answer: small networks learn from captions that we wrote. In the captions of {glue:text}`null`
# *null networks*, all groups are spoken of alike. In the captions of {glue:text}`full` *biased networks*, hues differ, and crests differ: a word such as "warm" is more frequent for some of them.

# %%
spoken, portraits = grammar.load(), retrained.scores("grid")
world = dict(hues=bias.LEVELS["race"], crests=bias.LEVELS["gender"])
hue, crest = spoken.bias.outlier["race"], spoken.bias.outlier["gender"]
# leaves out two experiments of other pages
usual = portraits.networks["condition"] == "none"
on_grid = portraits.images["set"] == "grid"
networks = shown(portraits, CAUSALFACE.dimensions, networks=usual, images=on_grid)
b = networks.networks["b"].to_numpy()  # how strongly captions speak, 0 or more
used = intersections.series(networks.images, "age", world["hues"])
levels = np.unique(networks.images.loc[used, "age"])
# networks × traits × hues × crests × ages
means = intersections.means(networks.logits, networks.images, "age", **world)
middle = means.mean(axis=-1, keepdims=True)  # of each group, over all ages
names = [f"{one} {other}" for one in world["hues"] for other in world["crests"]]

# %% tags=["hide-input"]
odd, strongest = f"{hue} {crest}", max(b)
planted = intersections.kinds(
    spoken.bias, networks.dimensions, "age"
)  # trait → what was planted besides a hue's or a crest's own share
two_way = next(name for name, one in planted.items() if one == "two-way")
special = spoken.bias.axes[two_way]["interactions"][0]["who"]["race"]
kinds = {
    kind: words.listed(name for name, one in planted.items() if one == kind)
    for kind in ("three-way", "two-way")
}
vb.note(
    odd=odd,
    special=special,
    null=int((b == 0).sum()),
    full=int((b == strongest).sum()),
    three=kinds["three-way"],
    two=kinds["two-way"],
)

# %% [markdown]
# (intersections-search)=
# ### Does an unusual curve tell who is an outlier?
#
# In the captions of the biased networks, we planted two special patterns of change with age:
#
# - *An outlier*. For one group, {glue:text}`odd`, we planted a bend over age that no other group has, in {glue:text}`three`.
# - *A special hue*. In {glue:text}`two`, both groups of the hue {glue:text}`special` change in another way than the rest. The hue explains this, so neither group is an outlier. This is our *counter-example*.
#
# We look for an outlier in both kinds of traits, by two methods.
#
# **The search** compares, as one reads a figure, the curve of each group with the mean curve of the five others. It takes the group whose curve lies furthest away.
#
# **The test**: before we look, we name the group, {glue:text}`odd`, and the shape, a bend. Each curve becomes one number: how far both ends of a fitted parabola lie above the middle. Then we subtract what hue and crest do.
#
# Here is the test for warmth in one biased network. (The unit is Δcos times a constant of the network; differences are taken before rounding.)

# %%
# one biased network (b = 1), warmth: the bend of each group
one = int(np.flatnonzero(b == 1)[0])
score = networks.logits[one][used, networks.dimensions.index("warmth")]
pictures = networks.images[used].assign(score=score)
curve = pictures.pivot_table("score", index="age", columns=["race", "gender"])
u = np.interp(curve.index, [curve.index.min(), curve.index.max()], [-1, 1])
bend = pd.Series(np.polyfit(u, curve.to_numpy(), 2)[0], curve.columns).unstack()
gap = bend["eared"] - bend["budded"]

interaction = gap[hue] - gap.drop(hue).mean()

paths = means - middle
gaps = intersections.between_crests(paths)  # of each hue, less the mean of the others
own = gaps[[one]][:, [0], world["hues"].index(hue)]
by_function = intersections.shaped(own, levels, np.ones(1), "bend")
assert np.isclose(abs(interaction), by_function[0])
bends = bend.assign(gap=gap).rename_axis(index="hue", columns=None)
tables.readable(bends, names={"gap": "eared − budded"})

# %% tags=["hide-input"]
off = gap - (gap.sum() - gap) / (len(gap) - 1)
vb.note(
    interaction=interaction,
    hue=hue,
    twin=" ".join([hue, *(name for name in world["crests"] if name != crest)]),
    rival=off.drop(hue).abs().idxmax(),
)
vb.holds(rival_gap=bool((off.drop(hue).abs() >= 0.8 * abs(off[hue])).any()))

# %% [markdown]
# The last column is the gap between the two crests. The gap in {glue:text}`hue`, the hue of the named group, minus the mean gap in the two other hues is {glue:text}`interaction:+.2f`. If hue and crest just added up, it would be zero.
#
# [But the gap in {glue:text}`rival` deviates about as far, though no outlier was planted there:]{.holds #rival_gap} training leaves accidental bends.
#
# So we compare with the null networks. Each method gives one number per network, averaged over the traits: the distance (search) or the difference of gaps (test). It *reports* a group if this number, without its sign, is larger than in 95 % of the null networks. By chance alone, 1 network in 20 has a report. (All networks saw the same people.)

# %%
def report(size):
    """In which networks a number is larger than in 95 % of the null networks."""
    return vb.networks.among_null(size, b == 0) <= 0.05


exception = np.array([planted[name] for name in networks.dimensions])
# a bend is expected in opposite directions on good and bad traits
signs = np.where(np.isin(networks.dimensions, CAUSALFACE.positive), 1, -1)
apart = intersections.beyond(paths)  # of each group, less the mean of the others
h, c = world["hues"].index(hue), world["crests"].index(crest)  # the named group
METHODS = ["search", "named, not subtracted", "test: named and subtracted"]
reported = {}
for report_is, what in {"right": "three-way", "false": "two-way"}.items():
    own = exception == what
    # how far each group is, over all ages of these traits
    far = np.sqrt((apart[:, own] ** 2).mean(axis=(1, -1))).reshape(len(b), -1)
    search = report(far.max(axis=1))
    if report_is == "right":  # it must be the outlier that is furthest
        search = search & (far.argmax(axis=1) == names.index(odd))
    named = intersections.shaped(apart[:, own, h, c], levels, signs[own], "bend")
    subtracted = intersections.shaped(gaps[:, own, h], levels, signs[own], "bend")
    reports = [search, report(named), report(subtracted)]
    by_network = pd.DataFrame(dict(zip(METHODS, reports, strict=True)))
    # networks of 10, by how strongly captions speak (b)
    reported[report_is] = by_network.groupby(b).sum().drop(index=0).unstack()
reported = pd.DataFrame(reported).rename_axis(["method", "b"])

# %% tags=["hide-input"]
of = int((b == 1).sum())
fig, axes = vb.figures.panels(1, 2, height=3.4, share_y=True)
for axis, (kind, title) in zip(
    axes[0],
    {
        "right": "outlier planted:\nit is reported",
        "false": "counter-example:\na group is reported (false)",
    }.items(),
    strict=True,
):
    for (method, own), colour, mark in zip(
        reported.groupby(level="method", sort=False), vb.figures.PALETTE, "os^", strict=False
    ):
        values = own.droplevel("method")[kind]
        axis.plot(range(len(values)), values, mark + "-", color=colour, label=method)
    axis.axhline(0.05 * of, color=vb.figures.COLOURS["reference"], ls="--", lw=1)
    axis.set(
        title=title,
        xticks=range(len(values)),
        xticklabels=[f"{b:g}" for b in values.index],
        xlabel="how strongly captions speak, b",
        ylim=(-0.4, of + 0.4),
    )
axes[0, 0].set_ylabel(f"networks of {of}")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=1)
at = reported.xs(1.0, level="b")
half = reported.xs(0.5, level="b")
vb.figures.show(
    fig,
    name="intersections-rates",
    alt=f"In how many of {of} networks a group is reported, at four strengths. At full strength, rightly and falsely: "
    + "; ".join(f"{method} {row['right']:.0f} and {row['false']:.0f}" for method, row in at.iterrows())
    + ".",
    caption="In how many networks each method reports a group, by how strongly captions speak of what was planted (1: full strength). Dashed: what chance alone would give.",
    source="greenhouse",
)
by_search = stats.binomtest(int(at.loc["search", "false"]), of, 0.05, alternative="greater").pvalue
vb.note(
    of=of,
    count={
        f"{name}_{kind}": words.among(int(at.loc[method, kind]), of)
        for name, method in (("search", METHODS[0]), ("test", METHODS[2]))
        for kind in ("right", "false")
    },
    half={
        "test": int(half.loc["test: named and subtracted", "right"]),
        "search": int(half.loc["search", "right"]),
    },
)
named, test = (at.loc[method] for method in list(METHODS)[1:])
vb.holds(
    search_misleads=bool(by_search < 0.001 and at.loc["search", "right"] > of / 2),
    test_finds=bool(test["right"] > of / 2 and test["false"] <= 2),
    naming_enough=bool(named["right"] >= test["right"] and named["false"] <= test["false"]),
    only_strong=bool(
        half.loc["test: named and subtracted", "right"] <= 1
        and half.loc["search", "right"] <= 1
        and half.loc["search", "false"] <= 1
    ),
)

# %% [markdown]
# **The search.** [At full strength, it reports the outlier in {glue:text}`count.search_right` networks. In the counter-example, it reports a group in {glue:text}`count.search_false`: far more than chance gives.]{.holds #search_misleads} So its report does not tell whether there is an outlier.
#
# **The test.** [At full strength, it reports the outlier in {glue:text}`count.test_right` networks, and the named group in the counter-example in {glue:text}`count.test_false`, which chance can explain.]{.holds #test_finds}
#
# **It depends on how much we planted.** [At half the strength, search and test find the outlier in {glue:text}`half.search` and {glue:text}`half.test` of {glue:text}`of` networks. The search then makes no false reports beyond chance, either.]{.holds #only_strong}
#
# **Which part helps?** [Here, naming without subtracting does no worse than the test.]{.holds #naming_enough} So we advise to subtract because of what the word *outlier* means here, and not because of these counts.
#
# **What even the test cannot say.** Suppose that the gap in {glue:text}`hue` differs from the other gaps. Then {glue:text}`odd` may bend more than expected, or {glue:text}`twin` less. Both change the gap in the same way (exercise 1). So the test does not show which crest is unusual.

# %% [markdown]
# ### What this means for the paper
#
# **The clusters.** They show that this CLIP judges most groups differently ("most" are "clearly separated", the authors write), by more than age changes its scores. How often clusters are separate by an accident of training, our networks cannot say.
#
# **The outlier.** The authors see Black women at the extremes, and nothing on this page speaks against it. To say more, that race and gender do not just add up, one has to subtract both. The authors do not claim to have done so. Whether anything is then left, their published scores can tell, but we
# {ref}`did not have them <causalface-not-run>`.
#
# **A next step.** The authors noticed the group in their figures. Now it can be named and tested in other models, with the same pictures.

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
# | FairFace (H4) | age 20 and older; no sampling mentioned | ages are compared as text, so that "3-9" counts as older than 20, and is dropped only after the quotas; one quota per group, over six races, before the three are selected | `quotas` |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/intersections -p protocol=released
# ```
# With the authors' released tables in a folder: `-p cosines=FOLDER -p stimuli=causalface -p fairface=fairface -p utkface=utkface`.
# :::

# %% [markdown]
# (intersections-take)=
# ## Take-aways
#
# - Separate clusters show that groups differ by more than age changes them, not who is an outlier.
# - Some group always lies furthest out: to show that race and gender do not just add up, subtract both.
# - Name the group and the shape before you look, because a search can report a group that is not special.
# - What is left does not say which gender of a race is unusual.
# - Ask what an ellipse goes around: around means over age, it shows change with age, not uncertainty.

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
print(
    dict(zip(cells, np.round(misses, 2).tolist(), strict=True))
)  # the other crest of that hue misses by as much
assert np.isclose(misses[5], 1) and np.isclose(misses[4], -1) and np.allclose(np.abs(misses[:4]), 0.5)

# %% [markdown]
# Leave out the odd group: it misses by the 1 that was added. Leave out the other crest of its hue: that hue's level is then known from the odd group alone, so the prediction is too high by 1. The four others miss by half. Raising the one group or lowering the other gives the same six misses: the levels show *that* hue and crest do not add up, not which group is odd.
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
# An ellipse estimated from ten points suits those ten points best, and new points less. With more points the share would come nearer to $1 - e^{-2}$.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A model places the groups in separate regions, a few thousandths of a cosine apart. In which use would that not be harmless?
# 2. The paper finds the strongest patterns where images are controlled. A user of the model meets uncontrolled images. Which of the two measures the bias that matters?
