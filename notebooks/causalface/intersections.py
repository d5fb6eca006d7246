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
# separate clusters, does one stand apart from the pattern, and what does an ellipse say about either?
#
# **In 20 minutes:** {ref}`the figure <intersections-figure>`, {ref}`three ellipses around the same group <intersections-three>`,
# {ref}`how often a course of its own is found <intersections-rates>`, take-aways. **In 75 minutes:** also the comparison at equal n, what
# stands out to the eye, both exercises.
#
# **You need:** covariance, the bootstrap, a permutation test, main effects and interactions.
#
# **Content note.** The paper is about race, gender and age as seen by a model. The faces on this page are drawings in invented hues
# with two kinds of crest; they stand for nobody.
# :::
#
# **The idea.** People judge others on a few dimensions, among them *Agency*, *Belief* and *Communion* {cite}`koch2016`, each with two
# poles. Intersectionality theory says that a group defined by two attributes is not the sum of the two {cite}`crenshaw1989`.
# {cite:t}`hausladen2025` therefore look at all six combinations of race and gender at once. Each marker is the mean of one group at one
# age; around the ten markers of a group $g$ they draw the *covariance ellipse*
#
# $$\{x : (x - \bar m_g)^\top S_g^{-1} (x - \bar m_g) = 2^2\}, \qquad S_g = \tfrac{1}{A - 1} \sum_{a=1}^{A} (m_{ga} - \bar m_g)(m_{ga} - \bar m_g)^\top .$$
#
# **What the authors conclude.** "CausalFace reveals clear intersectional clusters for race, gender, and age": most groups "are clearly
# separated", with "an almost perfect order" of the ages within each; in FairFace and UTKFace, where smiling, lighting and pose are not held
# constant, the distinction "is less clear". In this and the two neighbouring figures, "Black women are an outlier among intersectional groups".
#
# **Their own checks and limits.** They offer the loss of control as the likely reason ("Most likely"), not as a tested one. They had
# nine raters per attribute check the manipulations, measured brightness between groups (Appendix D), and say that ages vary at one
# expression, one light and one pose only, and that findings "refer to one specific CLIP variant".

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # the controlled set: columns seed, race, gender, age, subset
fairface = "greenhouse/fairface"  # the first observational set, with years and age_bin; NAME/all holds every race and age
utkface = "greenhouse/utkface"  # the second observational set
root = ""  # folder of the controlled images; empty: none needed
fairface_root = ""  # folder of FairFace; empty: none needed
utkface_root = ""  # folder of UTKFace; empty: none needed
cosines = ""  # folder of the authors' released cosine tables, instead of images and model
model = "greenhouse"  # encoder that looks at the images
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
protocol = "described"  # whose protocol gives the headline: "described" (the paper's text) or "released" (the authors' code)
n_resamples = 400  # bootstrap resamples of the identities
n_draws = 20  # draws of the controlled set at another set's size
n_permutations = 299  # permutations of the group labels within identities
seed = 42  # seed of every random draw (the authors' code uses 42, too)
results = "_build/results/causalface/intersections.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.path import Path
from myst_nb import glue
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import balanced_accuracy_score, silhouette_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from statsmodels.stats.multitest import multipletests

import vlmbias as vb

POLES = {
    "Agency": ["positive_agency", "negative_agency"],
    "Belief": ["progressive_belief", "conservative_belief"],
    "Communion": ["positive_communion", "negative_communion"],
}
poles = [pole for pair in POLES.values() for pole in pair]
decades = [20, 30, 40, 50, 60, 70, np.inf]  # FairFace's age bins from twenty up
claims = vb.ledger.table("causalface/intersections")


def faces_of(seen, relative=False):
    """One row per face: its group, age level, age and identity, and Δcos × 100 (or percent of neutral) per pole."""
    table, value = seen.table, seen.delta(relative=relative)[poles]
    wild = "years" in table
    level = pd.cut(table["years"], decades, right=False, labels=False) if wild else table["age"]
    used = level.notna() & (wild | table["subset"].isin(["age", "prototype"]))
    keys = {"race": table["race"], "gender": table["gender"], "level": level, "age": table["age"], "identity": table["seed"]}
    found = pd.DataFrame(keys | {"group": table["race"] + " " + table["gender"]}, index=value.index)
    return found.join(value * (1 if relative else 100))[used.to_numpy()].reset_index(drop=True)


def means_of(faces):
    """The mean of every group at every age level: the markers of Figure 4."""
    keys = ["race", "gender", "group", "level"]
    return faces.groupby(keys, sort=False, observed=True)[poles].mean().reset_index()


def cube(faces, columns):
    """Values `(identities, groups, ages, columns)`, groups as they first appear; incomplete identities left out."""
    wide = faces.pivot(index="identity", columns=["group", "level"], values=columns).dropna()
    found = list(dict.fromkeys(faces["group"])), np.sort(faces["level"].unique())
    shape = (-1, len(columns), *map(len, found))
    return wide[pd.MultiIndex.from_product([columns, *found])].to_numpy().reshape(shape).transpose(0, 2, 3, 1)


def overlapping(table, pair):
    """Share of the pairs of groups whose 2σ ellipses overlap."""
    drawn = [Path(vb.figures.covariance_ellipse(own[pair]).get_verts()) for _, own in table.groupby("group")]
    return np.mean([one.intersects_path(other) for one, other in combinations(drawn, 2)])


def guessed(points, group, left_out, folds=10):
    """Share of rows whose group a linear discriminant guesses right, each group counting the same."""
    chance = np.full(group.nunique(), 1 / group.nunique())
    rule, cv = LinearDiscriminantAnalysis(priors=chance), GroupKFold(min(folds, left_out.nunique()))
    guess = cross_val_predict(rule, points, group, groups=left_out, cv=cv)
    return balanced_accuracy_score(group, guess)

# %% [markdown]
# ## What the paper reports
#
# Figures 4 and S.2 print no numbers. What can be recorded is what the text says of them: how many points there are, and statements about their order
# and separation.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# One thing can be said before any data. Around a single number, two standard deviations hold 95 % of a normal distribution. Around a point in the
# plane they hold less:

# %%
inside = 1 - np.exp(-(2**2) / 2)
needed = np.sqrt(stats.chi2.ppf(0.95, df=2))
glue("inside", float(100 * inside), display=False)
glue("needed", float(needed), display=False)
print(f"2σ in the plane: {inside:.1%}. For 95 %: {needed:.2f}σ.")

# %% [markdown]
# ## The protocol, run on {data}
#
# Text and code differ in three places, and each is a choice in what follows. The text defines the measure as a difference (Eq. 2); the code divides that
# difference by the neutral cosine. The text says three races; the code reads UTKFace without that filter. And of FairFace the code keeps an equal quota
# per group that the text does not mention, worked out over *six* races and with an age test on text.

# %%
PROTOCOLS = {
    "described": dict(relative=False, every_race=False, quotas=False),
    "released": dict(relative=True, every_race=True, quotas=True),
}

# %% tags=["hide-input"]
roots = {stimuli: root, fairface: fairface_root, utkface: utkface_root}
look = {
    name + whole: vb.perceive(
        name + whole, model, prompts, root=roots[name], cosines=cosines
    )
    for name in roots
    for whole in ("", "/all")
    if name != stimuli or not whole
}
three = set(look[stimuli].table["race"])


def within_quotas(seen):
    """The released draw from FairFace: a text comparison of ages, one quota per group over all races there are."""
    table = seen.table
    adult = table["age_bin"].replace("more than 70", ">70") >= "20-29"  # as text, so that "3-9" passes, too
    quota = adult.sum() // (table.loc[adult, "race"].nunique() * table["gender"].nunique())
    groups = table[adult].groupby(["race", "gender"])
    drawn = [own.sample(min(quota, len(own)), random_state=seed).index for _, own in groups]
    return seen.where(table.index.isin(np.concatenate(drawn)) & table["race"].isin(three).to_numpy())


def read(*, relative, every_race, quotas):
    """The faces of the three sets under a protocol."""
    fair = within_quotas(look[f"{fairface}/all"]) if quotas else look[fairface]
    utk = look[f"{utkface}/all"] if every_race else look[utkface]
    return {name: faces_of(seen, relative) for name, seen in ((stimuli, look[stimuli]), (fairface, fair), (utkface, utk))}


# %%
faces = {name: read(**choices) for name, choices in PROTOCOLS.items()}
means = {
    name: pd.concat([means_of(own).assign(set=which) for which, own in sets.items()])
    for name, sets in faces.items()
}
headline = means[protocol].reset_index(drop=True)

# %% tags=["hide-input"]
unit = "percent of neutral" if PROTOCOLS[protocol]["relative"] else "Δcos × 100"
from_greenhouse = all(seen.source == "greenhouse" for seen in look.values())
source = "greenhouse" if from_greenhouse else [f"real:{name}" for name in roots]
fig = vb.figures.ellipses(
    headline, x="positive_agency", y="negative_agency", colour="race", shape="gender", panel="set", size="level",
    columns=2, x_label=f"positive Agency, {unit}", y_label=f"negative Agency, {unit}",
)  # fmt: skip
counts = headline.groupby("set", sort=False).size()
vb.figures.show(
    fig,
    name="intersections-figure",
    alt=f"Positive against negative Agency, a marker per group and age, an ellipse per group, one panel each for {', '.join(counts.index)}; "
    f"{', '.join(map(str, counts))} markers.",
    caption=f"Positive against negative Agency, one marker per group and age (larger is older), 2σ covariance ellipses; protocol as {protocol}. "
    "Dotted: positive = negative.",
    source=source,
)

# %% [markdown]
# Figure S.2 does the same for the other two dimensions of the ABC model. In the Greenhouse, hue and crest change nothing about Belief at any strength.

# %% tags=["hide-input"]
rows = [
    headline.rename(columns=dict(zip(pair, ("plus", "minus"), strict=True))).assign(panel=lambda t, d=dimension: d + ", " + t["set"].str.removeprefix("greenhouse/"))
    for dimension, pair in list(POLES.items())[1:]
]
both = pd.concat([one[one["set"] == name] for name in counts.index for one in rows])
fig = vb.figures.ellipses(
    both[["race", "gender", "level", "panel", "plus", "minus"]], x="plus", y="minus", colour="race", shape="gender",
    panel="panel", size="level", columns=2, x_label=f"positive pole, {unit}", y_label=f"negative pole, {unit}",
)  # fmt: skip
vb.figures.show(
    fig,
    alt="Belief (progressive against conservative) and Communion (positive against negative), a marker per group and age, for the three sets of images.",
    caption="Belief (left) and Communion (right) for the three sets, drawn as the figure above. Every panel has its own range.",
    source=source,
)

# %% [markdown]
# ### What each choice changes
#
# One choice at a time, then all three. The *silhouette* {cite}`rousseeuw1987` says how much closer a marker is to its own group's markers than to those of the
# nearest other group: 1 for tight, distant clusters, 0 where they run into each other. It has no unit, so it can be compared between plain and
# relative differences.

# %% tags=["hide-input", "scroll-output"]
one_at_a_time = {
    "as described": {},
    "relative difference": {"relative": True},
    "UTKFace with every race": {"every_race": True},
    "FairFace within quotas": {"quotas": True},
    "as released": PROTOCOLS["released"],
}


def summary(own):
    """Faces, groups, markers, their largest distance, and how far apart the groups are."""
    table = means_of(own)
    spread = np.ptp(table[POLES["Agency"]].to_numpy(), axis=0).max()
    apart = silhouette_score(table[POLES["Agency"]], table["group"])
    return {"faces": len(own), "groups": table["group"].nunique(), "markers": len(table), "range": spread, "silhouette": apart}


effect = pd.DataFrame(
    [
        {"choice": choice, "set": name, **summary(own)}
        for choice, change in one_at_a_time.items()
        for name, own in read(**PROTOCOLS["described"] | change).items()
    ]
)
wide = effect.set_index(["set", "choice"])
fold = wide.loc[(stimuli, "relative difference"), "range"] / wide.loc[(stimuli, "as described"), "range"]
level_neutral = float(look[stimuli].neutral().mean())
for key, value in {
    "fold": fold,
    "neutral": level_neutral,
    "one-over": 1 / level_neutral,
    "neutral-low": min(seen.neutral().min() for seen in look.values()),
    "utk-groups": wide.loc[(utkface, "UTKFace with every race"), "groups"],
    "fair-before": wide.loc[(fairface, "as described"), "faces"],
    "fair-after": wide.loc[(fairface, "FairFace within quotas"), "faces"],
    "largest-shift": (wide["silhouette"] - wide["silhouette"].xs("as described", level="choice").reindex(wide.index, level="set")).abs().max(),
}.items():
    glue(key, value.item() if hasattr(value, "item") else value, display=False)
changed = effect["choice"].eq("as described") | effect.apply(
    lambda row: row["silhouette"] != wide.loc[(row["set"], "as described"), "silhouette"], axis=1
)
effect[changed].sort_values("set", kind="stable").style.format(
    {"range": "{:.2f}", "silhouette": "{:.2f}", "faces": "{:,}"}
).hide(axis="index").set_caption("Agency under each choice that changes anything for a set; range: the widest of the markers on either axis")

# %% [markdown]
# Dividing by the neutral cosine multiplies every difference by about one over that cosine. For CLIP it is about .23, so that the numbers on the axes of
# Figure 4 are about four times those that Equation 2 would give. Our network's neutral cosine is {glue:text}`neutral:.3f` on average (one over it:
# {glue:text}`one-over:.1f`), and the range of the markers grows {glue:text}`fold:.1f`-fold. And the relative form is only
# readable while every neutral cosine is well above zero (the lowest here: {glue:text}`neutral-low:.3f`). Without the filter UTKFace has
# {glue:text}`utk-groups` groups in place of six, and the quotas keep {glue:text}`fair-after:,` of FairFace's {glue:text}`fair-before:,` faces. The largest change of a
# silhouette by any of these is {glue:text}`largest-shift:.2f`.

# %% [markdown]
# ### What an ellipse is an ellipse of
#
# A covariance ellipse around ten *age means* describes how a group's mean moves with age. It is not the uncertainty of the group's place, and not
# the spread of its faces. Here are all three for the same six groups: the paper's; the means under resampling of the identities (each
# drawn with all six of its versions); and the single faces.

# %% tags=["hide-input"]
controlled = faces["described"][stimuli]
groups, ages = list(dict.fromkeys(controlled["group"])), np.sort(controlled["level"].unique())
agency = cube(controlled, POLES["Agency"])
times = vb.cluster_weights(np.arange(len(agency)), n_resamples=n_resamples, seed=seed)
resampled = np.einsum("ri,igd->rgd", times / len(agency), agency.mean(axis=2))
kinds = {
    "ten ages (Fig. 4)": agency.mean(axis=0).swapaxes(0, 1),
    "mean, resampled": resampled,
    "single faces": agency.swapaxes(1, 2).reshape(-1, len(groups), 2),
}
colours = vb.figures.colours_for(group.rsplit(" ", 1)[0] for group in groups)
with vb.figures.style():
    fig, axes = vb.figures.panels(1, 3, height=3.8, share_x=True, share_y=True)
    for axis, (kind, points) in zip(axes[0], kinds.items(), strict=True):
        for g, group in enumerate(groups):
            colour, marker = colours[group.rsplit(" ", 1)[0]], "os"[group.endswith(groups[1].rsplit(" ", 1)[1])]
            thinned = points[:: max(1, len(points) // 60), g]
            axis.plot(*thinned.T, marker, color=colour, markersize=2.5, alpha=0.4, label=group)
            axis.add_patch(vb.figures.covariance_ellipse(points[:, g], facecolor=colour, alpha=0.2, edgecolor=colour))
        axis.set(title=kind, xlabel="positive Agency")
    axes[0, 0].set_ylabel("negative Agency, Δcos × 100")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, markerscale=2, handletextpad=0.1)
size = {kind: float(np.mean([np.linalg.det(np.cov(points[:, g].T)) ** 0.25 for g in range(len(groups))])) for kind, points in kinds.items()}
by_age, by_chance, by_face = size.values()
vb.figures.show(
    fig,
    name="intersections-three",
    alt=f"Three ellipses around the same six groups: over ages, of the resampled mean, over single faces; typical radii at one sigma {by_age:.2f}, {by_chance:.2f} and {by_face:.2f}.",
    caption="The same groups on the same two axes, three meanings of a 2σ ellipse; of resamples and faces some are drawn.",
    source="greenhouse" if look[stimuli].source == "greenhouse" else f"real:{stimuli}",
)
for key, value in {"by-age": by_age, "by-chance": by_chance, "by-face": by_face}.items():
    glue(key, value, display=False)

# %% [markdown]
# The typical radius (one σ, in Δcos × 100) is {glue:text}`by-age:.2f` over ages, {glue:text}`by-chance:.2f` for the uncertainty of the mean, and
# {glue:text}`by-face:.2f` for single faces. Ellipses that do not touch in the first sense may overlap almost wholly in the third. To say that groups differ,
# look at the second; to say that a face of one group is *judged* unlike a face of another, at the third.
#
# ### "Clearly separated", as a number
#
# Four numbers for the three sets. How many of the pairs of ellipses overlap. The silhouette of the markers. How often the group of a *marker* is guessed from its place (linear discriminant analysis,
# fitted without the markers of that age). And how often the group of a *single face* is (fitted without that identity). Chance is one in six.


# %%
def separation(own, pair=POLES["Agency"], faces_too=True):
    table = means_of(own)
    found = {
        "ellipses that overlap": overlapping(table, pair),
        "silhouette of markers": silhouette_score(table[pair], table["group"]),
        "markers guessed": guessed(table[pair], table["group"], table["level"]),
    }
    if faces_too:
        found["faces guessed"] = guessed(own[pair], own["group"], own["identity"])
    return found


described = faces["described"].items()
apart = pd.DataFrame({name: separation(own) for name, own in described}).T

# %% tags=["hide-input"]
for name, short in ((stimuli, "grid"), (fairface, "fair"), (utkface, "utk")):
    for column, key in (("silhouette of markers", "silhouette"), ("markers guessed", "markers"), ("faces guessed", "faces")):
        scale = 1 if key == "silhouette" else 100
        glue(f"{short}-{key}", float(scale * apart.loc[name, column]), display=False)
apart.style.format({"ellipses that overlap": "{:.0%}", "silhouette of markers": "{:.2f}", "markers guessed": "{:.0%}", "faces guessed": "{:.0%}"})

# %% [markdown]
# In the controlled set {glue:text}`grid-markers:.0f` % of the markers but {glue:text}`grid-faces:.0f` % of the single faces are put in the right group. In the
# observational sets it is {glue:text}`fair-markers:.0f` and {glue:text}`utk-markers:.0f` % of the markers, {glue:text}`fair-faces:.0f` and
# {glue:text}`utk-faces:.0f` % of the faces.
#
# ### Lost for want of control, or for want of faces?
#
# A marker of CausalFace is the mean of 100 faces, and these are the *same* 100 identities in every group and at every age: what is peculiar to them cancels
# from every comparison. A marker of FairFace is the mean of however many faces that group and age bin happen to have, all different people. So two things
# change at once: what varies in the pictures, and what the averaging removes. The fair comparison gives the controlled set the other set's number of faces, cell by
# cell (at most 100), at six of its ages, with identities drawn anew for each cell.


# %%
def equal_n(own, other, rng):
    """The controlled faces, as many per group and age as another set has, drawn per cell."""
    at = other.groupby("level")["age"].mean()
    near = np.quantile(ages, np.linspace(0, 1, len(at)), method="nearest")
    if from_greenhouse:  # both sets measure age on one scale
        near = [ages[np.abs(ages - age).argmin()] for age in at]
    chosen, parts = dict(zip(at.index, near, strict=True)), []
    for (group, level), cell in other.groupby(["group", "level"]):
        same = own[(own["group"] == group) & (own["level"] == chosen[level])]
        drawn = same.sample(min(len(cell), len(same)), random_state=rng)
        parts.append(drawn.assign(level=level))
    return pd.concat(parts)


def at_most(other, most, rng):
    """Another set with no more than `most` faces per group and age."""
    return other.sample(frac=1, random_state=rng).groupby(["group", "level"]).head(most)


# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
most, whole, pair = controlled["identity"].nunique(), apart.loc[stimuli, "silhouette of markers"], POLES["Agency"]
lines, cost = [{"label": f"{stimuli}, as it is", "silhouette": whole, "low": whole, "high": whole}], {}
for name, short in ((fairface, "fair"), (utkface, "utk")):
    other = faces["described"][name]
    ways = {f"{stimuli}, n as {name}": lambda other=other: equal_n(controlled, other, rng), name: lambda other=other: at_most(other, most, rng)}
    for label, draw in ways.items():
        drawn = [means_of(draw()) for _ in range(n_draws)]
        low, middle, high = np.quantile([silhouette_score(table[pair], table["group"]) for table in drawn], [0.025, 0.5, 0.975])
        lines.append({"label": label, "silhouette": middle, "low": low, "high": high})
        cost[short, "wild" if label == name else "thin"] = float(middle)
lines = pd.DataFrame(lines)
lines["label"] = lines["label"].str.replace("greenhouse/", "")
fig = vb.figures.forest(lines, estimate="silhouette", low="low", high="high", label="label", value_label="silhouette of the Agency markers, 95 % of draws")
vb.figures.show(
    fig,
    name="intersections-equal-n",
    alt="Silhouettes: " + "; ".join(f"{row.label} {row.silhouette:.2f}" for row in lines.itertuples()) + ".",
    caption=f"How separate the markers are: the controlled set as it is; with another set's number of faces per group and age ({n_draws} draws); that set itself.",
    source=source,
)
glue("whole", float(whole), display=False)
for (short, kind), value in cost.items():
    glue(f"{short}-{kind}", value, display=False)
    if kind == "thin":
        glue(f"{short}-n", float(whole - value), display=False)
    else:
        glue(f"{short}-pictures", float(cost[short, "thin"] - value), display=False)

# %% [markdown]
# The controlled set has a silhouette of {glue:text}`whole:.2f`; with FairFace's number of faces, all different, {glue:text}`fair-thin:.2f`; FairFace itself
# {glue:text}`fair-wild:.2f`. So {glue:text}`fair-n:.2f` are lost to fewer and unpaired faces alone, and {glue:text}`fair-pictures:.2f` to what else differs (a minus sign: nothing is
# lost). For UTKFace it is {glue:text}`utk-n:.2f` and {glue:text}`utk-pictures:.2f`. The paper's comparison adds the two; its own data would let them be told apart. And neither is
# control alone: the ellipses of a set that spans fewer years are shorter, so the *range of ages* moves the silhouette, too.
#
# ### "An almost perfect order"
#
# Project a group's markers on the longest axis of its own ellipse and compare their order with the order of the ages: Kendall's τ, exact p-values,
# Holm's correction over the groups.

# %% tags=["hide-input"]
ordered = []
for (name, group), own in headline.groupby(["set", "group"], sort=False):
    points = own[POLES["Agency"]].to_numpy()
    axis = np.linalg.eigh(np.cov(points.T))[1][:, -1]
    test = stats.kendalltau(points @ axis, own["level"])
    ordered.append({"set": name, "group": group, "markers": len(own), "|τ|": abs(test.statistic), "p": test.pvalue})
ordered = pd.DataFrame(ordered)
ordered["p (Holm)"] = ordered.groupby("set")["p"].transform(lambda p: multipletests(p, method="holm")[1])
order_of = ordered.groupby("set", sort=False).agg(
    **{"mean |τ|": ("|τ|", "mean"), "lowest |τ|": ("|τ|", "min"), "groups": ("group", "size"), "p < .05 (Holm)": ("p (Holm)", lambda p: int((p < 0.05).sum()))}
)
for name, short in ((stimuli, "grid"), (fairface, "fair"), (utkface, "utk")):
    glue(f"{short}-tau", float(order_of.loc[name, "mean |τ|"]), display=False)
glue("lowest-tau", float(order_of.loc[stimuli, "lowest |τ|"]), display=False)
order_of.style.format({"mean |τ|": "{:.2f}", "lowest |τ|": "{:.2f}"})

# %% [markdown]
# The mean |τ| is {glue:text}`grid-tau:.2f` in the controlled set (lowest {glue:text}`lowest-tau:.2f`), {glue:text}`fair-tau:.2f` and {glue:text}`utk-tau:.2f` in the
# others. Two cautions. Neighbouring markers of the controlled set are the *same* faces at neighbouring ages, so any smooth response puts them in
# order, biased or not. And a trajectory that turns round (a U, as the paper describes for one group) is out of order along every line, however regular it is.

# %% [markdown]
# ### "Systematically impact"
#
# That age, gender and race move the model's judgements at all is the abstract's second finding. On the same faces, averaged over the other two attributes within each
# identity: rank tests for repeated measures (Friedman; Wilcoxon for the two genders), Holm over all 18, and the range of the means.

# %% tags=["hide-input"]
values = cube(controlled, poles)
labels = {"race": [group.rsplit(" ", 1)[0] for group in groups], "gender": [group.rsplit(" ", 1)[1] for group in groups]}
levels = {key: np.stack([values[:, [one == name for one in own]].mean(axis=(1, 2)) for name in dict.fromkeys(own)], axis=1) for key, own in labels.items()}
levels["age"] = values.mean(axis=1)
moved = []
for attribute, by_level in levels.items():
    for k, pole in enumerate(poles):
        columns_ = by_level[..., k].T
        p = stats.wilcoxon(*columns_).pvalue if len(columns_) == 2 else stats.friedmanchisquare(*columns_).pvalue
        moved.append({"attribute": attribute, "pole": pole.replace("_", " "), "range": np.ptp(columns_.mean(axis=1)), "p": p})
moved = pd.DataFrame(moved)
moved["p (Holm)"] = multipletests(moved["p"], method="holm")[1]
impact = moved.groupby("attribute", sort=False).agg(
    **{"poles with p < .05 (Holm), of 6": ("p (Holm)", lambda p: int((p < 0.05).sum())), "smallest range": ("range", "min"), "largest range": ("range", "max")}
)
impact.style.format({"smallest range": "{:.2f}", "largest range": "{:.2f}"}).set_caption("Ranges of the level means, Δcos × 100")

# %% tags=["hide-input"]
shown = {name: look[name].stimuli for name in roots}  # what was seen, whatever its folder is called
every, two = ", ".join(shown.values()), ", ".join(shown[name] for name in (fairface, utkface))
for name, sets in faces.items():
    found = pd.DataFrame({which: separation(own, faces_too=False) for which, own in sets.items()}).T
    wild = found.loc[[fairface, utkface]]
    own = found.loc[stimuli]
    held = {
        "intersections.ages": (sets[stimuli]["level"].nunique(), stimuli),
        "intersections.groups": (sets[stimuli]["group"].nunique(), stimuli),
        "intersections.sigma": (2, every),
        "intersections.separated": (own["ellipses that overlap"] < 0.5, stimuli),
        "intersections.less-clear": ((wild["silhouette of markers"] < own["silhouette of markers"]).all(), every),
        "intersections.title": ((wild["silhouette of markers"] < own["silhouette of markers"]).all(), every),
        "intersections.caption": ((wild["ellipses that overlap"] > own["ellipses that overlap"]).all(), every),
        "intersections.no-longer": ((wild["ellipses that overlap"] >= 0.5).all(), two),
        "intersections.axes": (not PROTOCOLS[name]["relative"], stimuli),
    }
    for claim, (value, of) in held.items():
        value = value if isinstance(value, int) else bool(value)
        vb.ledger.record(claim, value, results=results, stimuli=shown.get(of, of), model=look[stimuli].model, protocol=name)
tau = order_of["mean |τ|"]
radius = headline.groupby(["set", "group"])[POLES["Agency"]].apply(lambda own: np.linalg.det(np.cov(own.T)) ** 0.25).groupby("set").mean()
larger = (radius[[fairface, utkface]] > radius[stimuli]).all() and (apart["ellipses that overlap"].iloc[1:] > apart["ellipses that overlap"].iloc[0]).all()
for claim, value, of in (
    ("intersections.age-order", tau[stimuli] > 0.9, stimuli),
    ("intersections.order-less-evident", (tau[[fairface, utkface]] < tau[stimuli]).all(), every),
    ("intersections.systematic", (impact.iloc[:, 0] >= 3).all(), stimuli),
    ("intersections.larger-ellipses", larger, every),
):
    vb.ledger.record(claim, bool(value), results=results, stimuli=shown.get(of, of), model=look[stimuli].model, protocol=protocol)

# %% [markdown]
# For the ledger, "clearly separated" is read as: fewer than half of the pairs of ellipses overlap; "less clear" and "distinct … not so" as a lower silhouette; "almost
# perfect order" as a mean |τ| above 0.9; "systematically impact" as p < .05 (Holm) for at least half of the poles. Why the groups are separate cannot be read off these sets.

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse the captions are known. Hue and crest are planted; on top, *one* group, {glue:text}`odd`, has a course over age and over smiling that no other has: a three-way
# effect, on {glue:text}`three.age` (age) and {glue:text}`three.smiling` (smiling). On other dimensions stand two-way effects of comparable size, one hue that ages otherwise
# ({glue:text}`two.age`), one crest whose smile counts for more ({glue:text}`two.smiling`): a test for intersections must not answer to them. At $b = 0$ all of this is absent.
#
# Two yardsticks, in logits: `counted`, what a count of a group's captions shows, for means of groups; `per_face`, what a network that had learnt every face's odds would show, for courses.

# %%
from greenhouse import retrained
from greenhouse.world import bias, grammar, truth
from studies import words
from studies.causalface import intersections
from vlmbias.papers import CAUSALFACE

spoken = grammar.load()
main_effects = replace(
    spoken,
    bias=replace(
        spoken.bias,
        axes={name: {part: own for part, own in parts.items() if part != "interactions"} for name, parts in spoken.bias.axes.items()},
    ),
)
order = dict(hues=bias.LEVELS["race"], crests=bias.LEVELS["gender"])
place = order["hues"].index(spoken.bias.outlier["race"]), order["crests"].index(spoken.bias.outlier["gender"])
odd = " ".join(spoken.bias.outlier.values())
DIMENSIONS = retrained.COLUMNS[:8]
planted = {attribute: intersections.kinds(spoken.bias, DIMENSIONS, attribute) for attribute in ("age", "smiling")}

# %% tags=["hide-input"]
vb.note(odd=odd, **{key: {attribute: words.listed(name for name, own in kind.items() if own == which) for attribute, kind in planted.items()}
                    for key, which in (("three", "three-way"), ("two", "two-way"))})  # fmt: skip


def counted(table, b, level="age", by=spoken):
    """What a count of the captions of every group and level shows, as markers."""
    found = truth.counted(by, table, ["race", "gender", level], b, axes=poles).reset_index(names=["race", "gender", "level"])
    return found.assign(group=found["race"] + " " + found["gender"])


worlds, told, markers = {}, {}, {}
for b, name in ((1.0, "greenhouse"), (0.0, "greenhouse/b0")):
    seen = vb.perceive("greenhouse/causalface", name)
    rows = faces_of(seen, relative=False)
    table = seen.table[seen.table["subset"].isin(["age", "prototype"])].reset_index(drop=True)
    worlds[b] = rows.assign(**rows[poles] / 100 * seen.logit_scale)
    told[b] = rows.assign(**truth.per_face(spoken, table, b, axes=poles))
    markers[f"captions, b = {b:g}"], markers[f"network, b = {b:g}"] = counted(table, b), means_of(worlds[b])
markers["captions, hue + crest only"] = counted(table, 1.0, by=main_effects)
groups = list(dict.fromkeys(worlds[1.0]["group"]))

# %% tags=["hide-input"]
shown = pd.concat([view.assign(view=name) for name, view in markers.items() if "only" not in name])
fig = vb.figures.ellipses(
    shown, x="positive_agency", y="negative_agency", colour="race", shape="gender", panel="view", size="level", columns=2,
    x_label="positive Agency, logits", y_label="negative Agency, logits",
)  # fmt: skip
silhouettes = {name: silhouette_score(view[POLES["Agency"]], view["group"]) for name, view in markers.items() if name != "captions, b = 0"}
right = {b: guessed(markers[f"network, b = {b:g}"][POLES["Agency"]], *(markers[f"network, b = {b:g}"][key] for key in ("group", "level"))) for b in worlds}
right_faces = {b: guessed(world[POLES["Agency"]], world["group"], world["identity"]) for b, world in worlds.items()}
reach = {name: float(np.ptp(view.groupby("group")[POLES["Agency"]].mean().to_numpy(), axis=0).max()) for name, view in markers.items()}
vb.figures.show(
    fig,
    name="intersections-said",
    alt="Positive against negative Agency as counts of captions have it and as the networks see it, with and without planted associations. Without, counts of all "
    f"groups agree (within {reach['captions, b = 0']:.2f} logits); the network's group means differ by up to {reach['network, b = 0']:.2f}.",
    caption="Group and age in logits: counts of captions, and a network trained on them, with the associations planted (b = 1) and without (b = 0).",
    source="greenhouse",
)
vb.note(marker={"null": 100 * right[0.0], "full": 100 * right[1.0]}, face={"null": 100 * right_faces[0.0], "full": 100 * right_faces[1.0]},
        reach={"null": reach["network, b = 0"], "full": reach["network, b = 1"]},
        silhouette={"null": silhouettes["network, b = 0"], "full": silhouettes["network, b = 1"]})  # fmt: skip

# %% [markdown]
# ### Separation where nothing was planted
#
# With nothing planted, counts of captions put all six groups in one place. The network puts their means up to {glue:text}`reach.null:.2f` logits apart (with everything planted: {glue:text}`reach.full:.2f`);
# {glue:text}`marker.null:.0f` % of the markers and {glue:text}`face.null:.0f` % of single faces are put in the right group ({glue:text}`marker.full:.0f` and {glue:text}`face.full:.0f` %; chance is 17 %),
# and the silhouette is {glue:text}`silhouette.null:.2f` ({glue:text}`silhouette.full:.2f`). That is one network; further down, retrained networks are asked the same.
#
# ### What lack of control does to separation
#
# In our two observational sets smiles, light and ages go with hue and crest. Here is the silhouette of the Agency markers as counts of captions have it, for the sets as they are and with the
# smile, light and pose of every face set to neutral; and as the network has it, as it is and after regression on the three (and their squares) within groups and ages.

# %% tags=["hide-input"]
def adjusted(rows, table):
    """The poles less what smile, light and pose explain within groups and ages."""
    known = table[["smiling", "lighting", "pose"]].to_numpy(float)
    known = np.hstack([known, known**2]) - np.hstack([known, known**2]).mean(axis=0)
    cells = pd.get_dummies(rows["group"] + rows["level"].astype(str)).to_numpy(float)
    return rows[poles] - known @ np.linalg.lstsq(np.hstack([cells, known]), rows[poles].to_numpy(), rcond=None)[0][cells.shape[1] :]


wild = {}
for name in ("fairface", "utkface"):
    seen = vb.perceive(f"greenhouse/{name}", "greenhouse")
    rows = faces_of(seen)
    table = seen.table.assign(level=pd.cut(seen.table["years"], decades, right=False, labels=False)).dropna(subset="level").reset_index(drop=True)
    neutral = table.assign(smiling=0.0, lighting=2.0, pose=0.0)
    views = {"captions": counted(table, 1.0, "level"), "captions, held neutral": counted(neutral, 1.0, "level"),
             "network": means_of(rows), "network, adjusted": means_of(rows.assign(**adjusted(rows, table)))}  # fmt: skip
    wild[name] = {kind: silhouette_score(view[POLES["Agency"]], view["group"]) for kind, view in views.items()}
wild = pd.DataFrame(wild).T
vb.note(wild=dict(zip(("said", "held", "net", "adjusted"), wild.mean(), strict=True)))
wild.style.format("{:.2f}")

# %% [markdown]
# On average over the two sets the captions give {glue:text}`wild.said:.2f` as they are and {glue:text}`wild.held:.2f` with everything held neutral; the network {glue:text}`wild.net:.2f` and, adjusted,
# {glue:text}`wild.adjusted:.2f`. What goes *with* the group moves whole clusters; only what varies *within* a group blurs them, and a mean over enough faces removes that. Clear
# clusters are no sign that a set is free of confounds.
#
# ### What stands out to the eye
#
# The eye takes the group that lies furthest out for the odd one. But main effects alone put *some* group in a corner.

# %% tags=["hide-input"]
def outermost(view, pair):
    """The group furthest from the mean of the others; "none" where all lie in one place."""
    middle = view.groupby("group", sort=False)[pair].mean()
    away = np.linalg.norm(middle - (middle.sum() - middle) / (len(middle) - 1), axis=1)
    return middle.index[away.argmax()] if away.max() > 1e-9 else "none"


furthest = pd.DataFrame({view: {dimension: outermost(own, pair) for dimension, pair in POLES.items()} for view, own in markers.items()})
vb.note(corner=words.among(int(furthest["captions, hue + crest only"].ne("none").sum()), len(furthest)),
        corner_odd=words.among(int(furthest["captions, b = 1"].eq(odd).sum()), len(furthest)))  # fmt: skip
furthest[["captions, hue + crest only", "captions, b = 1", "network, b = 1", "network, b = 0"]]

# %% [markdown]
# In the column "hue + crest only" every interaction is switched off, and still a group is outermost in {glue:text}`corner` dimensions. The group whose course *is* its own, {glue:text}`odd`, is outermost in
# {glue:text}`corner_odd` by the captions themselves. To lie at an extreme is not to be an outlier *among intersections*.
#
# ### A test for a course of its own
#
# What would count? A group whose course over age differs from what hue, crest and age add up to. Write $y_{ig}(a)$ for the perception of identity $i$ in group $g$
# at age $a$, and take each course from its own mean, $c_{ig}(a) = y_{ig}(a) - \bar y_{ig}$: what hue and crest do at all ages drops out. The first statistic, `apart`, is the root mean square over ages of
#
# $$d_g(a) = \bar c_{\cdot g}(a) - \tfrac{1}{G - 1} \sum_{h \ne g} \bar c_{\cdot h}(a),$$
#
# its null distribution that of the *largest* of the groups when labels are permuted within identities. (The *level* of a group cannot be used this way: with only two crests, "this hue's eared lie
# too high" and "its budded too low" are the same interaction. Exercise 1.)

# %%
rng = np.random.default_rng(seed)
tested = []
for b, world in worlds.items():
    own = intersections.course(cube(world, poles).transpose(0, 3, 1, 2))
    said = intersections.course(cube(told[b], poles).transpose(0, 3, 1, 2)).mean(axis=0)
    for k, pole in enumerate(poles):
        one = own[:, k].reshape(len(own), 3, 2, -1)
        sizes = intersections.apart(one.mean(axis=0)).ravel()
        p = intersections.permutation_p(one, rng, n=n_permutations)
        called = intersections.apart(said[k].reshape(3, 2, -1)).ravel()[groups.index(odd)]
        tested.append({"b": b, "pole": pole.replace("_", " "), "most deviant": groups[sizes.argmax()], "deviation": sizes.max(), f"planted for {odd}": called, "p": p})
tested = pd.DataFrame(tested)
tested["p (Holm)"] = tested.groupby("b")["p"].transform(lambda p: multipletests(p, method="holm")[1])

# %% tags=["hide-input"]
significant = {b: own["p (Holm)"] < 0.05 for b, own in tested.groupby("b")}
vb.note(one={"full": int(significant[1.0].sum()), "null": int(significant[0.0].sum()), "first": int((tested.loc[tested["b"] == 1, "most deviant"] == odd).sum())})
tested.style.format({"b": "{:g}"} | dict.fromkeys(["deviation", f"planted for {odd}"], "{:.2f}") | dict.fromkeys(["p", "p (Holm)"], "{:.3f}")).hide(
    axis="index").set_caption("One network each: deviation from the other groups' course, logits; planted: `per_face`")  # fmt: skip

# %% [markdown]
# At b = 1 the test is significant for {glue:text}`one.full` of 6 poles and the most deviant group is {glue:text}`odd` in {glue:text}`one.first`. At
# b = 0, where the captions gave no group a course of its own, it is significant for {glue:text}`one.null` of 6. Its target is **this network**. To speak of what *training data* do, one
# needs to know how far courses differ in networks trained on data that treat groups alike.
#
# ### Against retrained networks
#
# So the statistic again, now set against networks retrained at b = 0, in which the names of groups are exchangeable: a network answers if its largest deviation, of whichever group, ranks among the largest 5 % of
# theirs, itself counted. And a second statistic, `interaction`, which asks every hue whether its two crests differ in another way than those of the other hues. Whatever a hue, or a crest, does by itself cancels from
# it. All dimensions of one kind are asked together, so that each network gives one answer.
#
# Both are asked in two ways. *Looked up*: does any group depart, in whatever way, as one searches a figure? *By name*: does one group, named beforehand, depart in the shape that the paper reads off its own figures, a bend over age and a
# slope over smiling, in opposite directions on positive and negative dimensions? The reference is then the same group in the networks at b = 0.

# %%
scores = retrained.scores("grid")
chosen = (scores.networks["arm"] == "none").to_numpy()
on_grid = (scores.images["set"] == "grid").to_numpy()
grid_faces = scores.images[on_grid].reset_index(drop=True)
strengths = scores.networks["b"].to_numpy()[chosen]
logits = np.stack([scores.delta(name)[np.ix_(chosen, on_grid)] for name in DIMENSIONS], axis=-1)

levels = {attribute: intersections.means(logits, grid_faces, attribute, **order) for attribute in planted}
courses = {attribute: intersections.course(own) for attribute, own in levels.items()}
shapes = {"age": "bend", "smiling": "slope"}
at_levels = {name: np.sort(grid_faces.loc[intersections.series(grid_faces, name, order["hues"]), name].unique()) for name in shapes}
answers = pd.concat(
    {
        name: intersections.rates(own, planted[name], strengths, place, levels=at_levels[name], shape=shapes[name], positive=CAUSALFACE.positive)
        for name, own in courses.items()
    },
    names=["attribute"],
)
single = pd.concat({attribute: intersections.panels(own, planted[attribute], strengths, place) for attribute, own in courses.items()}, names=["attribute"])

# %% tags=["hide-input"]
strongest = strengths.max()
answers, single = answers.reset_index("attribute"), single.reset_index("attribute")
drawn = answers[(answers["event"] == np.where((answers["planted"] == "three-way") | (answers["asked"] == "by name"), "the outlier", "some group"))]
drawn = drawn[(drawn["planted"] == "three-way") | (drawn["b"] == strongest)]
drawn = drawn.assign(label=drawn["attribute"] + ", " + drawn["planted"] + drawn["b"].map(", b = {:g}".format), way=drawn["statistic"] + ", " + drawn["asked"])
rate = answers.set_index(["attribute", "asked", "statistic", "planted", "event", "b"]).sort_index()


def in_words(*key):
    """Hits of networks, with the exact interval."""
    row = rate.loc[key]
    return f"{words.among(int(row['hits']), int(row['n']))} ({100 * row['low']:.0f}–{100 * row['high']:.0f} %)"


def by_attribute(kind, event, asked, *at):
    """The same for both attributes and statistics, and strengths where several are given."""
    return {name: {statistic: {f"b{b:g}": in_words(name, asked, statistic, kind, event, b) for b in at} for statistic in ("apart", "interaction")} for name in planted}


vb.figures.show(
    vb.figures.rates(drawn, rate="rate", low="low", high="high", label="label", group="way", value_label="percent of networks that answer, exact 95 % interval"),
    name="intersections-rates",
    alt="How often networks answer to a three-way effect, to a two-way effect and to nothing, by two statistics asked in two ways. At the strongest bias, by name: "
    + "; ".join(f"{statistic}, {name}: three-way {in_words(name, 'by name', statistic, 'three-way', 'the outlier', strongest)}, "
                f"two-way {in_words(name, 'by name', statistic, 'two-way', 'the outlier', strongest)}" for statistic in ("apart", "interaction") for name in planted) + ".",
    caption="Three-way, and by name: the planted outlier is found. Two-way and none, looked up: some group is reported. Dashed: the level of the test.",
    source="greenhouse",
)  # fmt: skip
planted_at = [b for b in np.unique(strengths) if b > 0]
vb.note(
    yardstick=int((strengths == 0).sum()), hit=by_attribute("three-way", "the outlier", "by name", *planted_at), looked=by_attribute("three-way", "the outlier", "looked up", strongest),
    foil=by_attribute("two-way", "the outlier", "by name", strongest), sought=by_attribute("two-way", "some group", "looked up", strongest),
    alarm=by_attribute("three-way", "the outlier", "by name", 0.0), found=by_attribute("three-way", "some group", "looked up", 0.0),
    only=single[(single["planted"] == "three-way") & (single["b"] == strongest) & (single["statistic"] == "apart")].groupby("attribute")["only"].mean(),
)  # fmt: skip

# %% [markdown]
# **The three-way effect**, by name: by `apart`, {glue:text}`odd` is found over age in {glue:text}`hit.age.apart.b1` networks at b = 1, in {glue:text}`hit.age.apart.b0.5` at .5 and in {glue:text}`hit.age.apart.b0.25` at .25; over smiling in
# {glue:text}`hit.smiling.apart.b1`, {glue:text}`hit.smiling.apart.b0.5` and {glue:text}`hit.smiling.apart.b0.25`. By `interaction`, at b = 1, in {glue:text}`hit.age.interaction.b1` (age) and {glue:text}`hit.smiling.interaction.b1` (smiling).
# Looked up, at b = 1: by `apart` in {glue:text}`looked.age.apart.b1` and {glue:text}`looked.smiling.apart.b1`, by `interaction` in {glue:text}`looked.age.interaction.b1` and {glue:text}`looked.smiling.interaction.b1`.
#
# **The two-way foils**, b = 1. Where only one hue ages otherwise, `apart` answers in {glue:text}`foil.age.apart.b1` networks by name and reports some group in {glue:text}`sought.age.apart.b1` when looked up, `interaction` in
# {glue:text}`foil.age.interaction.b1` and {glue:text}`sought.age.interaction.b1`. Where only one crest's smile counts for more: `apart` in {glue:text}`foil.smiling.apart.b1` and {glue:text}`sought.smiling.apart.b1`, `interaction` in
# {glue:text}`foil.smiling.interaction.b1` and {glue:text}`sought.smiling.interaction.b1`.
#
# **Nothing planted** (b = 0, judged among themselves, so at the level by construction), by name: over age {glue:text}`alarm.age.apart.b0` and {glue:text}`alarm.age.interaction.b0`, over smiling {glue:text}`alarm.smiling.apart.b0` and
# {glue:text}`alarm.smiling.interaction.b0`.
#
# **Panel by panel**, as one reads a figure: the outlier is found and *no other group* is, by `apart` looked up at b = 1, in {glue:text}`only.age:.0%` of the panels in which it was
# planted over age, and in {glue:text}`only.smiling:.0%` over smiling.

# %% tags=["hide-input", "hide-output"]
by_panel = single.groupby(["attribute", "statistic", "planted", "dimension", "b"], sort=False)[["found", "another", "only"]].mean()
by_panel.loc[lambda own: own.index.get_level_values("b").isin([0, strongest])].unstack("b").style.format("{:.0%}").format_index(
    lambda one: f"{one:g}" if isinstance(one, float) else str(one).replace("_", " "), axis=1).set_caption("Share of networks, one dimension at a time")  # fmt: skip

# %% [markdown]
# And Figure 4 itself? For every retrained network (ten identities each): how often do fewer than half of the 15 pairs of ellipses overlap, so that most groups look separate, and how often is {glue:text}`odd` the outermost group?

# %% tags=["hide-input"]
keys = pd.MultiIndex.from_product([*order.values(), range(levels["age"].shape[-1])], names=["race", "gender", "level"]).to_frame(index=False)
keys["group"] = keys["race"] + " " + keys["gender"]
looks = []
for m in np.flatnonzero(np.isin(strengths, [0, strongest])):
    view = keys.assign(**{pole: levels["age"][m, DIMENSIONS.index(pole)].ravel() for pole in poles})
    looks += [{"dimension": dimension, "b": strengths[m], "overlap": overlapping(view, pair), "outermost": outermost(view, pair) == odd} for dimension, pair in POLES.items()]
looks = pd.DataFrame(looks).assign(separate=lambda own: own["overlap"] < 0.5)
by_b = looks.groupby(["dimension", "b"])[["overlap", "separate", "outermost"]].mean().unstack("b")
some_bias = looks[looks["dimension"] != "Belief"].groupby("b")[["separate", "outermost"]].mean()
vb.note(separate={"full": some_bias.loc[strongest, "separate"], "null": some_bias.loc[0.0, "separate"]},
        eye={"full": some_bias.loc[strongest, "outermost"], "null": some_bias.loc[0.0, "outermost"]})  # fmt: skip
by_b.style.format("{:.0%}").format_index(lambda one: f"b = {one:g}" if isinstance(one, float) else one, axis=1).set_caption(
    f"Pairs of ellipses that overlap; networks in which fewer than half do; in which {odd} is outermost")

# %% [markdown]
# In Agency and Communion the groups look clearly separate in {glue:text}`separate.full:.0%` of the cases at b = 1 and in {glue:text}`separate.null:.0%` at b = 0; {glue:text}`odd` is outermost in {glue:text}`eye.full:.0%` and
# {glue:text}`eye.null:.0%` (one group in six: 17 %). Figure 4 shows where a group *lies*, not whether its *course* is its own.
#
# ### How much of the planted course comes back
#
# The same courses over age, point by point: what is planted for a group beyond the other five, and what the networks of each strength make of it on average.

# %% tags=["hide-input"]
used = grid_faces[intersections.series(grid_faces, "age", order["hues"])]
three_way = [k for k, kind in enumerate(planted["age"].values()) if kind == "three-way"]


def beyond(means):
    """Courses beyond the other groups', of the dimensions with a three-way effect: `(dimensions, hues, crests, ages)`."""
    return intersections.beyond(intersections.course(means)).mean(axis=0)[three_way]


said, back = {}, {}
for b in (strongest, 0.5, 0.0):
    said[b] = {"per_face": intersections.means(truth.per_face(spoken, grid_faces, b, axes=DIMENSIONS).to_numpy()[None], grid_faces, "age", **order),
               "counted": intersections.of_groups(truth.counted(spoken, used, ["race", "gender", "age"], b, axes=DIMENSIONS), **order)}  # fmt: skip
    seen_back = beyond(levels["age"][strengths == b])
    back[b] = {which: intersections.recovery(beyond(own)[:, place[0], place[1]], seen_back[:, place[0], place[1]]) for which, own in said[b].items()}
with vb.figures.style():
    fig, axes = vb.figures.panels(1, len(said), height=3.8, share_x=True, share_y=True)
    for axis, b in zip(axes[0], said, strict=True):
        x, y = beyond(said[b]["per_face"]), beyond(levels["age"][strengths == b])
        axis.axline((0, 0), slope=1, color=vb.figures.COLOURS["reference"], linewidth=1)
        mine = np.zeros(x.shape, bool)
        mine[:, place[0], place[1]] = True
        for kind, which, colour in (("the five others", ~mine, "#8C8C8C"), (odd, mine, vb.figures.COLOURS["planted"])):
            axis.plot(x[which], y[which], "o", markersize=4, alpha=0.7, color=colour, label=kind)
        axis.set(title=f"b = {b:g}", xlabel="planted (per face), logits")
    axes[0, 0].set_ylabel("seen, logits")
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    alt=f"Each group's course beyond the other five: what the networks see against what was planted. For {odd} at the strongest bias the slope is {back[strongest]['per_face']['slope']:.2f} "
    f"and r = {back[strongest]['per_face']['r']:.2f}.",
    caption="A group's course over age beyond the mean of the other five: mean over retrained networks against `per_face`; one point per group, dimension with a three-way effect and age.",
    source="greenhouse",
)
vb.note(back=back[strongest])

# %% [markdown]
# At b = 1 the networks return {glue:text}`back.per_face.slope:.2f` of the planted course of {glue:text}`odd` by the yardstick `per_face` (r = {glue:text}`back.per_face.r:.2f`); by `counted`, {glue:text}`back.counted.slope:.2f`.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85` (`analysis/fig_4+s2.py`), checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | measure | Δcos, Eq. 2 | Δcos divided by the neutral cosine, in per cent (axes say "Rel.") | `relative` |
# | UTKFace | White, Black and Asian | every race in the files | `every_race` |
# | FairFace | age 20 and older | a comparison of text, which "3-9" passes; these rows fall out later, after the quotas were worked out | `quotas` |
# | FairFace | no sampling mentioned for this figure | one quota per group, over six races, before the three are selected | `quotas` |
# | UTKFace ages | not said | FairFace's bins | the same bins |
#
# What each changes stands in the table under the second figure.
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
# - An ellipse around means over age shows how a group *moves with age*. For uncertainty resample identities; for what a judge of faces would meet, plot faces.
# - Means over the same 100 identities carry almost no noise. Report distances in raw units, and how far single faces overlap, beside any picture of separate clusters.
# - Control and sample size differ between the sets. Compare them at equal n before saying which of the two did it.
# - The outermost group need not be an outlier: main effects have corners. Test the departure from what they add up to.
# - A test over identities speaks of *this network*. Retrained networks say whether its training data treat a group differently.
# - One group set against the rest also answers to what a whole hue or a whole crest does. An intersection is what is left when both are taken out.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Which of the two is the odd one?
# :label: intersections-which
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
# ```{solution-end}
# ```
#
# :::{exercise} Two sigmas in the plane
# :label: intersections-sigmas
# Draw many samples of ten points from a normal distribution in the plane. What share of *new* points falls into the 2σ ellipse of such a sample? Why is it less than
# the share computed above?
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
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A model places the groups in clearly separate regions, a few thousandths of a cosine apart. When is that harmless, and in which use would it not be?
# 2. The paper finds the strongest patterns where images are controlled, and warns of noise where they are not. A user of the model meets uncontrolled images. Which
#    of the two measures the bias that matters?
