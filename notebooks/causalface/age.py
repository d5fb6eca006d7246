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
# # Growing old in three data sets
#
# *Hausladen, Knott, Camerer and Perona (2025), Figures 5 and S.3–S.5: how perception goes up, down and bends with age, group
# by group, where everything else is held constant and where nothing is.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** One group's curve bends the other way. When is that a finding, and why does it vanish in photographs that
# somebody found rather than made?
#
# **In 20 minutes:** {ref}`the curves in three data sets <age-three>`, {ref}`their curvatures with intervals <age-curvature>`,
# {ref}`what was planted and what came back <age-planted>`, take-aways. **In 75 minutes:** also means against images, what the samples
# leave out, both exercises.
#
# **You need:** a parabola, its standard error, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper reports a pattern that singles out Black women and names a stereotype as a possible reading. The
# faces on this page are drawings in teal, amber and violet; they stand for nobody.
# :::
#
# **The idea.** Age is labelled in every collection of faces, so it can be compared across them: a synthetic set in which age
# varies alone (CausalFace), and two of photographs (FairFace, UTKFace), in which smile, light, pose and everything else
# vary along. If a model treats ages differently by group, all three should show it.
#
# **What the authors conclude.** "Black women stand out because of a U-shaped pattern in how warmly they are perceived, the opposite
# of the inverted U-shaped pattern for White women"; the pattern "extends to Positive Agency and Communion"; perceived competence
# "declines with age, most steeply" for Black women. "Intriguingly, the age trends for Black women we see in CausalFace are not evident in
# FairFace nor in UTKFace. This suggests that uncontrolled attributes in FairFace and UTKFace make for noisy measurements and may hide
# interesting phenomena."
#
# **Their own checks and limits.** Age levels exist only for one expression, light and pose. "It would be premature to draw firm
# conclusions on whether CLIP differs significantly in age perception from humans": human studies use fewer categories and "do not control
# for unlabeled potential confounds". And the findings "refer to one specific CLIP variant".

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # image set in which age varies alone: columns seed, race, gender, age …
root = ""  # folder of the images, for a set that has one
fairface = "greenhouse/fairface"  # observational image set with age bins (column years: what stands for the bin)
utkface = "greenhouse/utkface"  # observational image set with ages in years, the paper's three races
utkface_released = "greenhouse/utkface/all"  # the same without the filter on race, as the code takes it
cosines = ""  # folder of the authors' released cosine tables, instead of images and model
model = "greenhouse"  # encoder that looks at them
model_null = "greenhouse/b0"  # its twin, trained on captions in which hue and crest change nothing
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
protocol = "released"  # whose samples give the headline: "described" (the paper's text) or "released" (the authors' code)
min_per_age = 40  # images that an age needs to be used where ages are balanced (the paper's code: 100, of a set six times as large)
n_resamples = 400  # bootstrap resamples of identities or photographs
seed = 42  # seed of every random draw (the authors' code uses 42, too)
results = "_build/results/causalface/age.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb

claims = vb.ledger.table("causalface/age")
blue, orange = vb.figures.COLOURS["recomputed"], vb.figures.COLOURS["planted"]
POSITIVE = ["warmth", "competence", "positive_agency", "progressive_belief", "positive_communion"]


def labels_of(table):
    """The group of every row: race and gender."""
    return (table["race"] + " " + table["gender"]).to_numpy()


def resampled(values, x, groups, clusters, *, n=n_resamples, span=None):
    """Coefficients of every group's quadratic with clusters drawn anew: {group: (n + 1, 3, k)}, the data first.

    What leaves a group fewer than three ages has no curve: not a number.
    """
    x, clusters, span, found = np.asarray(x), np.asarray(clusters), span or (np.min(x), np.max(x)), {}
    shared = len(np.unique(clusters)) < len(clusters)  # identities that occur in all groups are drawn for all at once
    for k, name in enumerate(dict.fromkeys(groups)):
        own = np.flatnonzero(groups == name)
        found[name] = np.full((n + 1, 3, values.shape[1]), np.nan)
        if len(own) < 2:
            continue
        weights = vb.cluster_weights(clusters[own], n_resamples=n, seed=seed if shared else [seed, k])
        weights = np.vstack([np.ones(len(own)), weights])
        ages = (weights @ pd.get_dummies(x[own]).to_numpy(float) > 0).sum(axis=1)
        if (ages > 2).any():
            found[name][ages > 2] = vb.quadratics(values.iloc[own], x[own], weights=weights[ages > 2], span=span)
    return found


def fitted(values, x, groups, *, span=None):
    """`vb.trajectories`, with rows that are not a number for groups of fewer than three ages."""
    ages = pd.Series(x).groupby(groups).nunique()
    few, kept = ages.index[ages < 3], np.isin(groups, ages.index[ages > 2])
    fit = vb.trajectories(values[kept], x[kept], groups[kept], span=span or (np.min(x), np.max(x)))
    none = pd.MultiIndex.from_product([few, values.columns], names=["group", "dimension"]).to_frame(index=False)
    return pd.concat([fit, none], ignore_index=True)


def curved(coefficients, outlier, which=2):
    """One coefficient of the outlier, the mean of the others, and their difference, with 95 % intervals: one row per dimension."""
    own = coefficients[outlier][:, which]
    rest = np.mean([one[:, which] for name, one in coefficients.items() if name != outlier], axis=0)
    parts = {"outlier": own, "others": rest, "difference": own - rest}
    table = {}
    for name, draws in parts.items():
        table[name] = draws[0]
        table[f"{name} low"], table[f"{name} high"] = np.nanquantile(draws[1:], [0.025, 0.975], axis=0)
        table[f"{name} se"] = np.nanstd(draws[1:], axis=0)
    return pd.DataFrame(table)


# %% [markdown]
# ## What the paper reports

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# The figures print no numbers; what can be recorded are shapes and orderings. Three places do not fit together, none of which
# changes a result: the text says that Figure 5 "shows only the results for Agency" and then reads its Warmth and Competence panels, which is
# what its caption names; "Positive Agency and Communion (Fig. S.2)" refers to ellipses, the curves are in Figure S.3; and the
# text contrasts Black women with *White* women, the caption of Figure S.3 with all "other demographic groups".
#
# ### One of six bends the other way: how surprising is that?
#
# Give each group's curvature a sign by tossing a coin. Then some group is alone with its sign, among six, in $2 \cdot 6 / 2^6$ of all panels:

# %%
alone = 2 * 6 / 2**6
given = 2 / 2**6
three_of_eight = stats.binom.sf(2, 8, given) * 6
glue("alone", alone, display=False)
glue("three-of-eight", float(three_of_eight), display=False)
print(f"some group alone in a given panel: {alone:.1%}; a given group: {given:.1%}")
print(f"the same group alone in three or more of eight independent panels: {three_of_eight:.1%}")

# %% [markdown]
# One panel would not be surprising ({glue:text}`alone:.0%`). Three panels with the same group would ({glue:text}`three-of-eight:.1%`), *if* panels were
# independent; Warmth and Positive Communion share most of their words. The coin is a caricature, of course. What a curvature is worth
# depends on its standard error, which the figures do not show. We compute it below.

# %% [markdown]
# ## The protocol, run on {data}
#
# Three sets, one model. Text and code differ in which photographs are used (H3, H4, H6):

# %%
PROTOCOLS = {
    "described": dict(fairface_equal=True, utkface=utkface),
    "released": dict(fairface_equal=False, utkface=utkface_released),
}
grid = vb.perceive(stimuli, model, prompts, root=root, cosines=cosines)
photos = {
    name: vb.perceive(name, model, prompts, cosines=cosines)
    for name in dict.fromkeys([fairface, utkface, utkface_released])
}

# %% tags=["hide-input"]
PAPER = ("white", "asian", "black", "male", "female")
drawn_names = set(grid.table["race"]) & {"teal", "amber", "violet"}
# the paper's groups; in the Greenhouse, the group whose files take that group's place in an export
ROLES = dict(zip(PAPER, ("teal", "amber", "violet", "budded", "eared") if drawn_names else PAPER, strict=True))
WHO = {f"{race} {gender}": f"{ROLES[race]} {ROLES[gender]}" for race in PAPER[:3] for gender in PAPER[3:]}
SIX, outlier, white_women = list(WHO.values()), WHO["black female"], WHO["white female"]
women = [name for name in SIX if name.endswith(ROLES["female"])]
men = [name for name in SIX if name not in women]
shade = vb.figures.colours_for([ROLES[race] for race in PAPER[:3]])
from_greenhouse = grid.source == "greenhouse"
data_source = "greenhouse" if from_greenhouse else [f"real:{one.stimuli}" for one in (grid, photos[fairface], photos[utkface])]
glue("outlier", outlier, display=False)


def equal_per_age(years, *, least):
    """Rows of ages with at least `least` images, each age downsampled to the rarest of them (as pandas' sample does)."""
    counts = years.value_counts()
    kept = counts.index[counts >= least]
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(np.flatnonzero(years == age), counts[kept].min(), replace=False) for age in sorted(kept)]
    return np.sort(np.concatenate(chosen))


def sample(which, *, fairface_equal, utkface):
    """Δcos × 100, age, group and cluster of every image that a protocol uses of one data set."""
    if which == "CausalFace":
        look, rows, age = grid, np.flatnonzero(grid.table["subset"].isin(["age", "prototype"]) & grid.table["age"].notna()), "age"
    else:
        look, age = photos[fairface if which == "FairFace" else utkface], "years"
        adult = np.flatnonzero(look.table["years"] >= 20)
        years = look.table["years"].iloc[adult].reset_index(drop=True)
        if which == "UTKFace":
            rows = adult[equal_per_age(years, least=min_per_age)]
        else:
            rows = adult[equal_per_age(years, least=min_per_age)] if fairface_equal else adult
    table = look.table.iloc[rows].reset_index(drop=True)
    kept = np.isin(labels_of(table), SIX)
    values = (100 * look.delta()).iloc[rows].reset_index(drop=True)
    return {"values": values[kept].reset_index(drop=True), "age": table[age].to_numpy(float)[kept],
            "group": labels_of(table)[kept], "cluster": table["seed"].to_numpy()[kept], "drawn": len(rows)}


SETS = ["CausalFace", "FairFace", "UTKFace"]
samples = {(name, which): sample(which, **choice) for name, choice in PROTOCOLS.items() for which in SETS}
sizes = pd.DataFrame([{"protocol": name, "set": which, "images drawn": one["drawn"], "in the six groups": len(one["age"]), "ages": len(np.unique(one["age"])),
                       **dict(zip(["smallest group", "largest group"], np.sort(np.unique(one["group"], return_counts=True)[1])[[0, -1]], strict=True))}
                      for (name, which), one in samples.items()])
for name in PROTOCOLS:
    for which in SETS[1:]:
        glue(f"n-{which}-{name}", len(samples[name, which]["age"]), display=False)
sizes.style.hide(axis="index")

# %% [markdown]
# "Data was sampled to ensure an equal number of samples for each age range" (Figure S.4) is true of UTKFace in the code, not of FairFace. Taken at its
# word, as the code does for UTKFace, it lets the rarest age decide: {glue:text}`n-FairFace-described` photographs instead of {glue:text}`n-FairFace-released`. And the code balances
# UTKFace's ages over *all* its races, then draws six groups (or ten): where the filter is missing, other people's photographs decide how many of each
# age are kept, and {glue:text}`n-UTKFace-released` instead of {glue:text}`n-UTKFace-described` remain.
#
# ### The curves

# %% tags=["hide-input"]
fits = {key: fitted(one["values"], one["age"], one["group"]) for key, one in samples.items()}


def draw(axis, one, fit, dimension):
    """Group means and quadratics of one dimension."""
    means = one["values"][dimension].groupby([one["group"], one["age"]]).mean()
    low, high = one["age"].min(), one["age"].max()
    u = np.linspace(-1, 1, 60)
    for line in fit[fit["dimension"] == dimension].itertuples():
        heavy, own = line.group == outlier, means.loc[line.group]
        colour = shade[line.group.split()[0]]
        axis.plot(own.index, own, "s" if line.group in women else "o", ms=4 if heavy else 2.4, alpha=1 if heavy else 0.55, color=colour,
                  mew=0.5, fillstyle="full" if line.group in women else "none")
        axis.plot((low + high) / 2 + u * (high - low) / 2, line.middle + line.slope * u + line.curvature * u**2, color=colour,
                  lw=2.4 if heavy else 1, ls="-" if line.group in women else "--", zorder=3 if heavy else 2, label=line.group)
    axis.grid(axis="y")


fig, axes = vb.figures.panels(3, 2, height=8.2)
for line, which in zip(axes, SETS, strict=True):
    for axis, dimension in zip(line, ("warmth", "competence"), strict=True):
        draw(axis, samples[protocol, which], fits[protocol, which], dimension)
        axis.set_title(f"{which}{'-like' if from_greenhouse else ''}: {dimension}")
        axis.set_xlabel("age, rendered level" if which == "CausalFace" else "age, years")
fig.supylabel("Δcos × 100", fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    name="age-three",
    alt=f"Warmth and Competence against age for six groups in three data sets; {outlier} in a heavy line.",
    caption=f"As Figure 5: means per age and quadratics through single images, protocol as {protocol}; {outlier} in a heavy line.",
    source=data_source,
)


# %% tags=["hide-input"]
def eight(which):
    """All eight dimensions of one data set."""
    fig, axes = vb.figures.panels(4, 2, height=9.4, share_x=True)
    for axis, dimension in zip(axes.flat, samples[protocol, which]["values"].columns, strict=True):
        draw(axis, samples[protocol, which], fits[protocol, which], dimension)
        axis.set_title(dimension.replace("_", " "))
    for axis in axes[-1]:
        axis.set_xlabel("age, rendered level" if which == "CausalFace" else "age, years")
    fig.supylabel("Δcos × 100", fontsize=11)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    sign = np.sign(fits[protocol, which].pivot(index="dimension", columns="group", values="curvature"))
    vb.figures.show(
        fig,
        alt=f"Eight dimensions against age in the {which} counterpart; {int((sign[outlier] > 0).sum())} of 8 curves of {outlier} are U-shaped.",
        caption=f"All eight dimensions, {which}{' counterpart' if from_greenhouse else ''} (Figure {dict(zip(SETS, ('S.3', 'S.4', 'S.5'), strict=True))[which]}).",
        source=data_source if from_greenhouse else data_source[SETS.index(which)],
    )


eight("CausalFace")

# %% tags=["hide-input"]
eight("FairFace")
eight("UTKFace")

# %% [markdown]
# ### Curvature, with an interval
#
# The claim "U instead of inverse U" is about the sign of one coefficient, $\beta_2$: how far the mean of both ends lies above the middle of the age range. In
# units of Δcos × 100 it can be compared across sets whose ages have nothing else in common. Identities are drawn anew in the
# controlled set, photographs in the others.

# %% tags=["hide-input"]
drawn = {key: resampled(one["values"], one["age"], one["group"], one["cluster"]) for key, one in samples.items()}
dimensions = list(samples[protocol, "CausalFace"]["values"].columns)
curvature = pd.concat([curved(drawn[key], outlier).assign(protocol=key[0], set=key[1], dimension=dimensions) for key in drawn])
fig, axes = vb.figures.panels(1, 3, height=4.8, share_y=True)
place = np.arange(len(dimensions))[::-1]
for axis, which in zip(axes[0], SETS, strict=True):
    own = curvature[(curvature["protocol"] == protocol) & (curvature["set"] == which)]
    for name, shift, colour in (("outlier", 0.16, shade[ROLES["black"]]), ("others", -0.16, "0.45")):
        axis.hlines(place + shift, own[f"{name} low"], own[f"{name} high"], color=colour, lw=2)
        axis.plot(own[name], place + shift, "s" if name == "outlier" else "o", color=colour, ms=5,
                  label=outlier if name == "outlier" else "mean of the others")
    axis.axvline(0, color="0.6", lw=1)
    axis.set(yticks=place, yticklabels=[name.replace("_", " ") for name in dimensions], title=which)
    axis.margins(x=0.12)
fig.supxlabel("curvature, Δcos × 100 (right: U, left: inverse U)", fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
width = curvature[curvature["protocol"] == protocol].groupby("set")["outlier se"].median()[SETS]
vb.figures.show(
    fig,
    name="age-curvature",
    alt=f"Curvature over age of {outlier} and of the mean of the other groups, eight dimensions, three sets. The standard error is "
    f"{width['FairFace'] / width['CausalFace']:.1f} and {width['UTKFace'] / width['CausalFace']:.1f} times that of the controlled set in the two others.",
    caption=f"Curvature with 95 % intervals over identities (CausalFace) or photographs, protocol as {protocol}.",
    source=data_source,
)
for which in SETS[1:]:
    glue(f"width-{which}", float(width[which] / width["CausalFace"]), display=False)


# %% [markdown]
# As a test: the outlier's curvature is positive *and* that of every other group is negative (the largest of six one-sided p-values), and beside it the
# weaker claim that the outlier's curvature differs from the mean of the others. Uncorrected, as the paper would read it off, and after Holm's
# correction over the eight panels of a set.

# %% tags=["hide-input"]
def shape_test(key):
    """p of "U for the outlier, inverse U for all others", and of "another curvature", per dimension."""
    centre = {name: one[0, 2] for name, one in drawn[key].items()}
    spread = {name: np.nanstd(one[1:, 2], axis=0) for name, one in drawn[key].items()}
    sided = [stats.norm.sf((1 if name == outlier else -1) * centre[name] / spread[name]) for name in centre]
    own = curvature[(curvature["protocol"] == key[0]) & (curvature["set"] == key[1])]
    table = pd.DataFrame({"set": key[1], "dimension": dimensions, "only it is a U, p": np.max(sided, axis=0),
                          "another curvature": own["difference"].to_numpy(),
                          "p": 2 * stats.norm.sf(np.abs(own["difference"] / own["difference se"]))})  # fmt: skip
    for name in ("only it is a U, p", "p"):
        table[f"{name} (Holm)"] = multipletests(table[name], method="holm")[1]
    return table


tests = pd.concat([shape_test((protocol, which)) for which in SETS])
tests["dimension"] = tests["dimension"].str.replace("_", " ")
small = lambda p: f"{p:.2g}" if p > 1e-16 else "< 1e-16"  # noqa: E731
columns = [name for name in tests.columns if " p" in name or name.startswith("p")]
found = tests[tests["only it is a U, p (Holm)"] < 0.05].groupby("set")["dimension"].agg(", ".join).reindex(SETS).fillna("none")
for which in SETS:
    glue(f"u-{which}", found[which], display=False)
tests.style.format({"another curvature": "{:+.3f}"} | dict.fromkeys(columns, small)).hide(axis="index")

# %% [markdown]
# A U for {glue:text}`outlier` alone, after correction: in the CausalFace counterpart for {glue:text}`u-CausalFace`; FairFace: {glue:text}`u-FairFace`; UTKFace:
# {glue:text}`u-UTKFace`. But "not evident" is not "absent": the standard errors of the curvature are {glue:text}`width-FairFace:.1f` and
# {glue:text}`width-UTKFace:.1f` times as large in the observational sets. A comparison of sets needs an interval for the *difference* between
# sets, not one star and two missing ones:

# %% tags=["hide-input"]
between = []
for which in SETS[1:]:
    for k, dimension in enumerate(dimensions):
        one, other = (curvature[(curvature["protocol"] == protocol) & (curvature["set"] == name)].iloc[k] for name in (which, "CausalFace"))
        gap, error = one["difference"] - other["difference"], np.hypot(one["difference se"], other["difference se"])
        between.append({"set": f"{which} − CausalFace", "dimension": dimension.replace("_", " "), "gap": gap, "low": gap - 1.96 * error,
                        "high": gap + 1.96 * error})  # fmt: skip
between = pd.DataFrame(between)
glue("between-excluded", int(((between["low"] > 0) | (between["high"] < 0)).sum()), display=False)
glue("between-all", len(between), display=False)
between.style.format({"gap": "{:+.2f}", "low": "{:+.2f}", "high": "{:+.2f}"}).hide(axis="index").set_caption(
    "The outlier's excess curvature: observational minus controlled set, 95 % interval (Δcos × 100; ages scaled to each set's range)")

# %% [markdown]
# {glue:text}`between-excluded` of {glue:text}`between-all` intervals exclude zero. (The sets differ in the ages they span as well, so even a difference that is
# there may be one of range.)
#
# ### Means against images
#
# Figure 3 fits ten means, Figure 5 single images (H13). In a balanced set both give the same curve, with different standard errors: means judge it
# by how far they stray from a parabola, images by how much faces differ, and neither knows which images are of one identity. Where ages
# are unevenly filled the curves differ too: a fit to means gives the few oldest as much say as the many of thirty.

# %% tags=["hide-input"]
pairs, comparison = [], []
for which in SETS:
    one = samples[protocol, which]
    keys = [one["group"], one["age"]]
    means = one["values"].groupby(keys).mean()
    group, age = (means.index.get_level_values(k).to_numpy() for k in (0, 1))
    of_means = fitted(means.reset_index(drop=True), age, group).set_index(["group", "dimension"])
    of_images = fits[protocol, which].set_index(["group", "dimension"]).loc[of_means.index]
    boot = np.stack([np.nanstd(one[1:, 2], axis=0) for one in drawn[protocol, which].values()]).ravel()
    pairs.append(pd.DataFrame({"set": which, "means": of_means["curvature"], "images": of_images["curvature"]}))
    comparison.append({"set": which, "largest |difference| of curvatures": (of_means["curvature"] - of_images["curvature"]).abs().max(),
                       "signs that differ": int((np.sign(of_means["curvature"]) != np.sign(of_images["curvature"])).sum()),
                       "median se, means": of_means["curvature_se"].median(), "median se, images": of_images["curvature_se"].median(),
                       "median se, bootstrap": np.median(boot)})  # fmt: skip
pairs, comparison = pd.concat(pairs), pd.DataFrame(comparison).set_index("set")
fig, axes = vb.figures.panels(1, 3, height=2.9)
for axis, which in zip(axes[0], SETS, strict=True):
    own = pairs[pairs["set"] == which]
    axis.axline((0, 0), slope=1, color="0.6", lw=1)
    axis.axhline(0, color="0.85", lw=1, zorder=0)
    axis.axvline(0, color="0.85", lw=1, zorder=0)
    axis.plot(own["images"], own["means"], "o", color=blue, alpha=0.6, ms=4, mew=0)
    axis.set(title=which, xlabel="fit to images")
axes[0, 0].set_ylabel("fit to means")
vb.figures.show(
    fig,
    alt=f"Curvatures fitted to means against those fitted to images. In the controlled set they agree; {comparison.loc['FairFace', 'signs that differ']} "
    f"and {comparison.loc['UTKFace', 'signs that differ']} of 48 change sign in the two others.",
    caption="48 curvatures per set (six groups, eight dimensions), Δcos × 100, fitted to means and to images.",
    source=data_source,
)
for which in SETS:
    glue(f"flips-{which}", int(comparison.loc[which, "signs that differ"]), display=False)
glue("se-ratio", float(comparison.loc["CausalFace", "median se, images"] / comparison.loc["CausalFace", "median se, means"]), display=False)
glue("se-boot-ratio", float(comparison.loc["CausalFace", "median se, bootstrap"] / comparison.loc["CausalFace", "median se, means"]), display=False)
comparison.style.format(precision=3)

# %% [markdown]
# In the CausalFace counterpart the standard error from images is {glue:text}`se-ratio:.1f` times that from means, and the bootstrap over identities gives
# {glue:text}`se-boot-ratio:.1f` times: each identity is seen at all ages, so what is its own cancels out of a curvature. In the others
# {glue:text}`flips-FairFace` and {glue:text}`flips-UTKFace` of 48 curvatures change their *sign* with the choice. Neither fit is wrong; they answer for
# different populations of ages.
#
# ### Which photographs: both protocols

# %% tags=["hide-input"]
effect = []
for which in SETS[1:]:
    one, other = (fits[name, which].set_index(["group", "dimension"])["curvature"] for name in PROTOCOLS)
    effect.append({"set": which, "images, described": len(samples["described", which]["age"]), "images, released": len(samples["released", which]["age"]),
                   "r of 48 curvatures": np.corrcoef(one, other.loc[one.index])[0, 1],
                   "signs that differ": int((np.sign(one) != np.sign(other.loc[one.index])).sum()),
                   "outlier's U in, described": int((one[outlier] > 0).sum()), "outlier's U in, released": int((other[outlier] > 0).sum())})  # fmt: skip
effect = pd.DataFrame(effect).set_index("set")
glue("protocol-flips", int(effect["signs that differ"].sum()), display=False)
effect.style.format({"r of 48 curvatures": "{:.2f}"})

# %% [markdown]
# Which photographs are drawn changes {glue:text}`protocol-flips` of 96 signs. That is the size of the uncertainty that the curves in Figures S.4 and S.5 are drawn without.

# %% tags=["hide-input"]
THREE = ["warmth", "positive_agency", "positive_communion"]


def read_off(name):
    """What the paper reads off its figures: claim → value."""
    fit = {which: fits[name, which] for which in SETS}
    bend, lean = ({which: one.pivot(index="dimension", columns="group", values=value) for which, one in fit.items()}
                  for value in ("curvature", "slope"))
    b, s = bend["CausalFace"], lean["CausalFace"]
    at = {u: fit["CausalFace"].assign(y=lambda t, u=u: t["middle"] + t["slope"] * u + t["curvature"] * u**2)
          .pivot(index="dimension", columns="group", values="y") for u in (-1, 0, 1)}
    u_shape = lambda d, g: bool(b.loc[d, g] > 0 and abs(s.loc[d, g]) < 2 * b.loc[d, g])  # noqa: E731
    hill = lambda d, g: bool(b.loc[d, g] < 0 and abs(s.loc[d, g]) < -2 * b.loc[d, g])  # noqa: E731
    to_middle, others = at[0] - at[-1], [g for g in SIX if g != outlier]
    ends = pd.concat([at[u].rank(axis=1)[outlier].isin([1, 6]).rename(u) for u in (-1, 0, 1)], axis=1).any(axis=1)
    falls = s.loc["competence"]
    overall = to_middle.loc[POSITIVE].mean()
    elsewhere = {which: sum(bool(bend[which].loc[d, outlier] > 0) and bool((bend[which].loc[d, others] < 0).all()) for d in THREE) for which in SETS[1:]}
    return {
        "warmth-u": u_shape("warmth", outlier), "caption-u": u_shape("warmth", outlier), "warmth-inverted": hill("warmth", white_women),
        "warmth-black": bool(at[-1].loc["warmth", outlier] > at[0].loc["warmth", outlier] < at[1].loc["warmth", outlier]),
        "warmth-white": bool(at[-1].loc["warmth", white_women] < at[0].loc["warmth", white_women] > at[1].loc["warmth", white_women]),
        "u-extends": u_shape("positive_agency", outlier) and u_shape("positive_communion", outlier),
        "s3-u": all(u_shape(d, outlier) for d in THREE), "s3-others": all(hill(d, g) for d in THREE for g in others),
        "u-not-competence": not u_shape("competence", outlier),
        "competence-women": bool((falls[[white_women, outlier]] < 0).all()),
        "competence-steepest": bool(falls[outlier] < falls[white_women] and falls[outlier] == falls.min()),
        "competence-men": bool((falls[men].abs() < abs(falls[outlier]) / 2).all()), "outlier": bool(ends["competence"]),
        "warmth-decline-black": bool(to_middle.loc["warmth", outlier] < 0), "warmth-decline-white": bool(to_middle.loc["warmth", white_women] >= 0),
        "warmth-men": bool((at[1].loc["warmth", men] > at[-1].loc["warmth", men]).all()),
        "caption-extreme": bool(ends[["warmth", "competence"]].all()), "caption-decrease": bool(falls[outlier] < 0 and not u_shape("competence", outlier)),
        "caption-young": bool(at[-1].loc["competence", outlier] == max(at[u].loc["competence", outlier] for u in at)),
        "s3-extreme": bool(ends[["competence", "negative_communion", "positive_agency", "progressive_belief"]].all()),
        "not-evident": sum(elsewhere.values()) == 0, "caption-less-clear": max(elsewhere.values()) < sum(u_shape(d, outlier) for d in THREE),
        "caption-title": sum(elsewhere.values()) == 0, "noisy": bool((width[SETS[1:]] > width["CausalFace"]).all()),
        "discussion-black": bool(overall[outlier] < 0), "discussion-others": bool((overall[others] > 0).all()),
        "discussion-one-group": bool(overall[outlier] < 0 and (overall[others] > 0).all()),
        "peculiar": bool(all(b.loc[d, outlier] > 0 and (b.loc[d, others] < 0).all() for d in THREE)),
    }  # fmt: skip


OF_THREE = {"caption-title"}
OF_PHOTOS = {"not-evident", "noisy", "caption-less-clear"}
prefix = "greenhouse/" if from_greenhouse else ""
for name in PROTOCOLS:
    for key, value in read_off(name).items():
        about = "causalface, fairface, utkface" if key in OF_THREE else "fairface, utkface" if key in OF_PHOTOS else None
        vb.ledger.record(f"age.{key}", value, results=results, stimuli=f"{prefix}{about}" if about else grid.stimuli, model=grid.model, protocol=name)
    equal = {which: len(set(np.unique(samples[name, which]["age"], return_counts=True)[1])) == 1 for which in SETS[1:]}
    for key, which in (("s4-equal", "FairFace"), ("s5-equal", "UTKFace")):
        vb.ledger.record(f"age.{key}", equal[which], results=results, stimuli=photos[{"FairFace": fairface, "UTKFace": utkface}[which]].stimuli, model=grid.model, protocol=name)
holds = "in the counterpart groups here" if from_greenhouse else "here"
about = claims.set_index("claim")[["subject", "quantity", "printed"]]
pd.DataFrame([{**about.loc[f"age.{key}"], holds: value} for key, value in read_off(protocol).items()]).style.hide(axis="index")

# %% [markdown]
# On our faces this table replicates nothing; it shows how each statement is computed.

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse one group, violet and eared, has a trajectory over age of its own at $b = 1$: a U where the others have a gentle inverse U, on several
# dimensions and not on Belief. At $b = 0$ all six groups have the same curve. So we know which curvatures a perfect student of the captions would show.

# %% tags=["hide-input"]
from functools import partial

from greenhouse import study
from greenhouse.world import grammar, truth
from greenhouse.world import grid as people

spoken = grammar.load()
TRAITS = ["warmth", "competence", "positive_agency", "negative_agency", "progressive_belief", "conservative_belief",
          "positive_communion", "negative_communion"]  # fmt: skip
planted_outlier = " ".join(spoken.bias.intersection[name] for name in ("race", "gender"))
GROUPS = [f"{race} {gender}" for race in ("teal", "amber", "violet") for gender in ("budded", "eared")]
AGES = (0.8, 4.4)  # the span of every curvature below, rendered levels


said = partial(truth.said, spoken, TRAITS)  # of rows, at a strength b


def curvatures(values, table):
    """Curvature over rendered age per group and dimension, logits."""
    fit = vb.trajectories(values, table["age"].to_numpy(float), labels_of(table), span=AGES)
    return fit.pivot(index="group", columns="dimension", values="curvature").loc[GROUPS, TRAITS]


ARMS = {"CausalFace": "greenhouse/causalface", "FairFace": "greenhouse/fairface", "UTKFace": "greenhouse/utkface"}
tables, rows_of = {}, {}
for which, name in ARMS.items():
    table = vb.images(name).table
    rows_of[which] = np.flatnonzero(table["subset"].isin(["age", "prototype", "observational"]))
    tables[which] = table.iloc[rows_of[which]].reset_index(drop=True)
networks = {0.0: model_null, 1.0: "greenhouse"}
seen, spread = {}, {}
for b, name in networks.items():
    for which in ARMS:
        look = vb.perceive(ARMS[which], name)
        values = (look.logit_scale * look.delta()).iloc[rows_of[which]].reset_index(drop=True)[TRAITS]
        seen[b, which] = curvatures(values, tables[which])
        if b == 1.0:
            table = tables[which]
            spread[which] = resampled(values, table["age"].to_numpy(float), labels_of(table), table["seed"].to_numpy(), span=AGES)
NEUTRAL = {"smiling": 0.0, "lighting": 2.0, "pose": 0.0}
called = {(b, which): curvatures(said(tables[which], b), tables[which]) for b in networks for which in ARMS}


def excess(table):
    """The planted outlier's curvature minus the mean of the other five."""
    return table.loc[planted_outlier] - table.drop(index=planted_outlier).mean()


# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 3, height=4.8, share_x=True, share_y=True)
place = np.arange(len(TRAITS))[::-1]
truth = excess(called[1.0, "CausalFace"])
recovery = []
for axis, which in zip(axes[0], ARMS, strict=True):
    table = curved(spread[which], planted_outlier)
    axis.hlines(place, table["difference low"], table["difference high"], color=blue, lw=2)
    axis.plot(table["difference"], place, "o", color=blue, ms=5, label="seen, 95 %")
    axis.plot(truth, place, "x", color=orange, ms=8, mew=2, label="planted")
    axis.axvline(0, color="0.6", lw=1)
    axis.set(yticks=place, yticklabels=[name.replace("_", " ") for name in TRAITS], title="controlled" if which == "CausalFace" else f"{which}-like")
    clear = truth.abs() > 0.2
    right = (np.sign(table["difference"].to_numpy()) == np.sign(truth.to_numpy())) & ((table["difference low"] > 0) | (table["difference high"] < 0)).to_numpy()
    recovery.append({"arm": which, "images": len(tables[which]), "r with planted": np.corrcoef(table["difference"], truth)[0, 1],
                     "gain": np.polyfit(truth, table["difference"], 1)[0], "planted and found": int(right[clear].sum()), "planted": int(clear.sum()),
                     "unplanted, interval excludes 0": int((~clear.to_numpy() & ((table["difference low"] > 0) | (table["difference high"] < 0)).to_numpy()).sum()),
                     "median se": table["difference se"].median()})  # fmt: skip
recovery = pd.DataFrame(recovery).set_index("arm")
fig.supxlabel(f"curvature of {planted_outlier} beyond the others, logits", fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="age-planted",
    alt=f"Excess curvature of {planted_outlier} in three arms against what was planted: r = "
    + ", ".join(f"{recovery.loc[which, 'r with planted']:.2f} ({which})" for which in ARMS) + ".",
    caption="Planted (crosses) and seen (dots, over identities or photographs) at b = 1; ages on one scale in all three arms.",
    source="greenhouse",
)  # fmt: skip
for which in ARMS:
    glue(f"recovered-r-{which}", float(recovery.loc[which, "r with planted"]), display=False)
    glue(f"recovered-gain-{which}", float(recovery.loc[which, "gain"]), display=False)
    glue(f"recovered-found-{which}", int(recovery.loc[which, "planted and found"]), display=False)
glue("planted-count", int(recovery["planted"].iloc[0]), display=False)
recovery.style.format(precision=2)

# %% [markdown]
# Of {glue:text}`planted-count` dimensions with a planted bend of their own, the right sign with an interval that excludes zero appears in
# {glue:text}`recovered-found-CausalFace` in the controlled arm, {glue:text}`recovered-found-FairFace` in the FairFace-like and
# {glue:text}`recovered-found-UTKFace` in the UTKFace-like one; over the eight dimensions r = {glue:text}`recovered-r-CausalFace:.2f`,
# {glue:text}`recovered-r-FairFace:.2f` and {glue:text}`recovered-r-UTKFace:.2f`.
#
# ### What is lost in photographs, and why
#
# Four things can come between a planted curve and a found one. **Recorded confounders**: smile and light go along with age and group, so that the captions
# of photographs bend otherwise than age alone would make them. **Unrecorded ones**: so does, in our samples, the colour of the garment, which no column names.
# **Sampling**: every age is seen on other people. **The network**: it did not learn the curve, or cannot read it off uncontrolled pictures. The paper names
# the first ("uncontrolled attributes … make for noisy measurements"). In our world each has a number; confounding is computed in a sample of
# twenty thousand, in which sampling error is small.

# %% tags=["hide-input"]
def captions_say(kind, *, unrecorded, neutral):
    """The outlier's excess curvature in the captions of a large sample of adults of the three hues."""
    table = people.observational(kind, 20_000, seed, unrecorded=unrecorded)
    table = table[table["race"].isin(["teal", "amber", "violet"]) & (people.years(table["age"]) >= 20)].reset_index(drop=True)
    return excess(curvatures(said(table.assign(**NEUTRAL) if neutral else table, 1.0), table))


def size(one, other):
    """Root mean square difference over the eight dimensions."""
    return float(np.sqrt(((one - other) ** 2).mean()))


steps = []
for which, kind in (("FairFace-like", "fairface"), ("UTKFace-like", "utkface")):
    plain = captions_say(kind, unrecorded=0.0, neutral=True)
    recorded = captions_say(kind, unrecorded=0.0, neutral=False)
    everything = captions_say(kind, unrecorded=1.0, neutral=False)
    arm = which.removesuffix("-like")
    table, error = tables[arm], {}
    for how, rows in (("as they are", table), ("neutral", table.assign(**NEUTRAL))):
        draws = resampled(said(rows, 1.0), rows["age"].to_numpy(float), labels_of(rows), rows["seed"].to_numpy(), span=AGES, n=n_resamples // 2)
        error[how] = curved(draws, planted_outlier)["difference se"]
    sampling = float(np.sqrt((error["as they are"] ** 2).mean()))
    steps.append({"sample": which, "planted": size(truth, 0), "adults only": size(plain, truth), "recorded confounders": size(recorded, plain),
                  "unrecorded confounder": size(everything, recorded), "sampling error": sampling,
                  "of its variance, smile, light, pose": float(1 - ((error["neutral"] / error["as they are"]) ** 2).mean()),
                  "network": size(excess(seen[1.0, arm]), excess(called[1.0, arm]))})  # fmt: skip
steps = pd.DataFrame(steps).set_index("sample")
for which in steps.index:
    for name, key in (("recorded confounders", "recorded"), ("unrecorded confounder", "unrecorded"), ("sampling error", "sampling"),
                      ("of its variance, smile, light, pose", "share"), ("network", "network")):
        glue(f"lost-{key}-{which[:3]}", float(steps.loc[which, name]), display=False)
glue("lost-planted", float(steps["planted"].iloc[0]), display=False)
steps.T.style.format("{:.2f}").set_caption("What changes the outlier's excess curvature: root mean square over eight dimensions, logits")

# %% [markdown]
# Against a planted excess of {glue:text}`lost-planted:.2f` logits (root mean square), the recorded confounders move the captions' curvature by
# {glue:text}`lost-recorded-Fai:.2f` in the FairFace-like and {glue:text}`lost-recorded-UTK:.2f` in the UTKFace-like population, the unrecorded one by
# {glue:text}`lost-unrecorded-Fai:.2f` and {glue:text}`lost-unrecorded-UTK:.2f` (that adults alone are in the samples changes it as well: the first rows of the
# table). Sampling error alone, with captions instead of a network, is
# {glue:text}`lost-sampling-Fai:.2f` and {glue:text}`lost-sampling-UTK:.2f`, of whose variance only {glue:text}`lost-share-Fai:.0%` and
# {glue:text}`lost-share-UTK:.0%` comes from smile, light and pose: the rest is that every age is seen on *other people*. The network, which
# shows only a part of what it was told, is off by {glue:text}`lost-network-Fai:.2f` and {glue:text}`lost-network-UTK:.2f`. So a set that shows the same faces at all ages would be precise even with uncontrolled
# smiles, and a set of single photographs with controlled smiles would not.
#
# When does the controlled set itself go wrong? When the manipulation of age leaks into something else. How much leak it takes until control no longer
# wins is measured in [the chapter on confounds](../greenhouse/confounds.ipynb).
#
# ### Retrained networks: this curve, and only this one?

# %% tags=["hide-input"]
panel = study.portraits()
taught = panel.models[(panel.models["arm"] == "dose") & panel.models["b"].isin([0.0, 1.0])]
columns = list(panel.columns)
at = [columns.index(name) for name in TRAITS]
bent = {}
for arm in ("grid", "fairface", "utkface"):
    chosen = (panel.images["set"] == arm).to_numpy() & panel.images["race"].isin(["teal", "amber", "violet"]).to_numpy()
    if arm == "grid":  # the whole age series of the first identities
        chosen &= panel.images["seed"].isin(panel.images.loc[chosen & (panel.images["subset"] == "age").to_numpy(), "seed"]).to_numpy()
        chosen &= panel.images["subset"].isin(["age", "prototype"]).to_numpy()
    else:
        chosen &= (panel.images["years"] >= 20).to_numpy()
    table = panel.images[chosen].reset_index(drop=True)
    for number, one in taught.iterrows():
        score = panel.scores[number][chosen]
        if np.isfinite(score).all():
            logits = pd.DataFrame(one["logit_scale"] * (score[:, at] - score[:, [columns.index("neutral")]]), columns=TRAITS)
            bent[arm, one["b"], number] = curvatures(logits, table)
truth_all = called[1.0, "CausalFace"]
PLANTED_U = [name for name in TRAITS if truth_all.loc[planted_outlier, name] > 0.2 and (truth_all.drop(index=planted_outlier)[name] < 0).all()]
rates = []
for arm in ("grid", "fairface", "utkface"):
    for b in (0.0, 1.0):
        own = [table[PLANTED_U] for (which, strength, _), table in bent.items() if (which, strength) == (arm, b)]
        if not own:
            continue
        up = np.stack([table.loc[GROUPS] > 0 for table in own])  # networks, groups, dimensions
        mine = GROUPS.index(planted_outlier)
        only = up[:, mine] & (up.sum(axis=1) == 1)
        anyone = (up.sum(axis=1) == 1) | (up.sum(axis=1) == 5)
        gap = np.stack([excess(table) for table in own])
        rates.append({"arm": arm, "b": b, "networks": len(own), "the outlier is a U": up[:, mine].mean(), "only the outlier": only.mean(),
                      "some group alone": anyone.mean(), "in all dimensions at once": only.all(axis=1).mean(),
                      "excess curvature": gap.mean(), "its SD over networks": gap.mean(axis=1).std(ddof=1) if len(own) > 1 else np.nan})  # fmt: skip
rates = pd.DataFrame(rates)
get = rates.set_index(["arm", "b"])
for arm in ("grid", "fairface", "utkface"):
    for b in (0.0, 1.0):
        if (arm, b) in get.index:
            glue(f"only-{arm}-{b:.0f}", float(get.loc[(arm, b), "only the outlier"]), display=False)
for arm in ("grid", "fairface", "utkface"):
    null, full = (float(get.loc[(arm, b), "excess curvature"]) for b in (0.0, 1.0))
    for key, value in {f"photo-0-{arm}": null, f"photo-1-{arm}": full, f"shift-{arm}": full - null}.items():
        glue(key, value, display=False)
    glue(f"u-share-{arm}", float(get.loc[(arm, 1.0), "the outlier is a U"]), display=False)
rest = [table.drop(index=planted_outlier)[PLANTED_U].mean().mean() for (which, b, _), table in bent.items() if (which, b) == ("grid", 1.0)]
glue("others-seen", float(np.mean(rest)), display=False)
glue("others-said", float(truth_all.drop(index=planted_outlier)[PLANTED_U].mean().mean()), display=False)
glue("some-grid-0", float(get.loc[("grid", 0.0), "some group alone"]), display=False)
glue("networks-0", int(get.loc[("grid", 0.0), "networks"]), display=False)
glue("networks-1", int(get.loc[("grid", 1.0), "networks"]), display=False)
glue("planted-name", planted_outlier, display=False)
glue("planted-u", ", ".join(name.replace("_", " ") for name in PLANTED_U), display=False)
share = ["the outlier is a U", "only the outlier", "some group alone", "in all dimensions at once"]
rates.style.format({"b": "{:g}", "excess curvature": "{:+.2f}", "its SD over networks": "{:.2f}"} | dict.fromkeys(share, "{:.0%}"), na_rep="–").hide(axis="index")

# %% tags=["hide-input"]
counted = []
chosen = (panel.images["set"] == "grid").to_numpy() & panel.images["subset"].isin(["age", "prototype"]).to_numpy()
chosen &= panel.images["seed"].isin(panel.images.loc[panel.images["subset"] == "age", "seed"]).to_numpy()
series = panel.images[chosen].reset_index(drop=True)
for number, one in panel.models[panel.models["arm"] == "dose"].iterrows():
    score = panel.scores[number][chosen]
    logits = pd.DataFrame(one["logit_scale"] * (score[:, at] - score[:, [columns.index("neutral")]]), columns=TRAITS)
    counted.append({"b": one["b"], **excess(curvatures(logits, series))[["warmth", "positive_agency"]]})
counted = pd.DataFrame(counted)
expected = {b: excess(curvatures(said(series, b), series)) for b in sorted(counted["b"].unique())}
responses = {"warmth": "excess curvature, Warmth", "positive_agency": "excess curvature, Pos. Agency"}
vb.figures.show(
    vb.figures.dose_response(counted, dose="b", responses=responses, dose_label="b, strength of what is planted",
                             expected={name: {b: float(own[name]) for b, own in expected.items()} for name in responses}),
    name="age-dose",
    alt=f"Excess curvature of {planted_outlier} in networks retrained at several strengths, with the planted values; Warmth averages "
    f"{counted.loc[counted['b'] == 1, 'warmth'].mean():+.2f} logits at b = 1, where {expected[1.0]['warmth']:+.2f} was planted.",
    caption=f"Each dot a network, controlled arm: curvature of {planted_outlier} minus the mean of the other groups, logits.",
    source="greenhouse",
)  # fmt: skip
silence = counted.loc[counted["b"] == 0, "warmth"]
above = {b: float((own["warmth"] > silence.max()).mean()) for b, own in counted.groupby("b") if b > 0}
full = [b for b, share in above.items() if share == 1]
at_least = f"from a planted {expected[min(full)]['warmth']:.2f} logits (b = {min(full):g}) on" if full else "at none of the planted sizes"
glue("found-from", at_least, display=False)
glue("warmth-at-1", float(counted.loc[counted["b"] == 1, "warmth"].mean()), display=False)
glue("warmth-said-1", float(expected[1.0]["warmth"]), display=False)
glue("silence-sd", float(silence.std()) if len(silence) > 1 else float("nan"), display=False)

# %% [markdown]
# Dimensions in which a U was planted for {glue:text}`planted-name` alone: {glue:text}`planted-u`. In {glue:text}`networks-1` retrained networks at $b = 1$ its curve is a U in
# {glue:text}`u-share-grid:.0%` of panels in the controlled arm, {glue:text}`u-share-fairface:.0%` in FairFace-like and {glue:text}`u-share-utkface:.0%` in UTKFace-like
# samples. It is the *only* U in {glue:text}`only-grid-1:.0%`, {glue:text}`only-fairface-1:.0%` and {glue:text}`only-utkface-1:.0%`: the others' curvature, planted at
# {glue:text}`others-said:+.2f` logits, comes back as {glue:text}`others-seen:+.2f`, and the sign of something small is easily lost. At $b = 0$, in {glue:text}`networks-0` networks, the same group is the only U in {glue:text}`only-grid-0:.0%`, and *some* group is alone with its sign in
# {glue:text}`some-grid-0:.0%` of panels: a lone curve is common where nothing was planted, because signs of small curvatures are cheap.
#
# Asked by name, for the outlier's excess curvature in Warmth, the controlled arm gives {glue:text}`warmth-at-1:+.2f` logits at full strength (planted
# {glue:text}`warmth-said-1:+.2f`; standard deviation over networks with nothing planted {glue:text}`silence-sd:.2f`). All networks lie above every one with
# nothing planted {glue:text}`found-from`. And in photographs? With nothing planted, the same contrast averages {glue:text}`photo-0-fairface:+.2f` logits in the
# FairFace-like and {glue:text}`photo-0-utkface:+.2f` in the UTKFace-like sample, in networks that were trained apart: a curve of its own for one group, made by who was
# photographed. At full strength it is {glue:text}`photo-1-fairface:+.2f` and {glue:text}`photo-1-utkface:+.2f`. What is planted shifts all arms by similar amounts
# ({glue:text}`shift-grid:+.2f`, {glue:text}`shift-fairface:+.2f`, {glue:text}`shift-utkface:+.2f`); where they start from is another matter.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | fit (H13) | "a second-degree polynomial is fit" (means in Figure 3) | single images in Figures 5, S.3–S.5 | both; signs and errors above |
# | UTKFace (H3) | White, Black, Asian | not filtered by race in these figures; the others enter the balancing | `utkface`, `utkface_released` |
# | UTKFace ages | "an equal number of samples for each age range" | ages with at least 100 images, each downsampled to the smallest | `min_per_age` |
# | FairFace (H6) | the same | not sampled; bin midpoints, the last bin as 70 | both protocols |
# | FairFace (H4, Figure 4) | 20 and older | a comparison of strings that keeps "3-9", later dropped | no effect on these figures here: `years` is a number |
# | dimensions (H12) | "Fig. 5 shows only the results for Agency" | Warmth and Competence, as its caption says | Warmth and Competence |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/age -p protocol described -p min_per_age 20
# ```
# With the authors' released cosines no image and no model is needed: `-p stimuli causalface -p fairface fairface -p utkface utkface -p utkface_released
# utkface/all -p min_per_age 100 -p cosines path/to/results`.
# :::

# %% [markdown]
# ## Take-aways
#
# - "U instead of inverse U" is a statement about the sign of one coefficient in six groups. Give each an interval, and test the conjunction.
# - A curve that is not evident in a noisier set is not shown to be absent there. Compare sets by the interval of their difference.
# - Fits to means and to images are the same curve only where ages are evenly filled.
# - What is lost in single photographs is, first of all, that each age is shown on other people; controlled smiles alone would not bring it back.
# - A lone sign among six is common by chance. Name the group and the dimension beforehand, or count lone signs in models that learnt nothing of the kind.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How many photographs?
# :label: age-photographs
# The standard error of a curvature falls with the square root of the number of photographs. How many times as many photographs would the UTKFace-like sample need to
# reach the standard error of the controlled set?
# :::
#
# ```{solution-start} age-photographs
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
times = float((recovery.loc["UTKFace", "median se"] / recovery.loc["CausalFace", "median se"]) ** 2)
print(f"about {times:.0f} times as many")
assert times > 1

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} A bend made by a bin
# :label: age-bin
# FairFace calls everybody over 70 "70". Suppose warmth rises steadily with age, by one unit per ten years, up to 100. What curvature does a quadratic over the
# ages 20 to 70 find if all that are older are counted as 70, with as many people of each age?
# :::
#
# ```{solution-start} age-bin
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
true_age = np.arange(20, 101)
straight = vb.quadratics(true_age[:, None] / 10.0, np.minimum(true_age, 70), span=(20, 70))
print(f"curvature {straight[2, 0]:+.2f}: a U out of a straight line")
assert straight[2, 0] > 0.1

# %% [markdown]
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper offers the “strong Black woman” stereotype as a reading of the U-shape, and notes that it does not fit competence. What would count as evidence for or
#    against a reading of this kind, in a model and its captions?
# 2. A synthetic face of sixty is a generator's idea of sixty. Which trajectories belong to the model under study, and which to the model that drew the faces?
