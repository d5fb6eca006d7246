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
# version.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A face begins to smile, or the lamp beside it moves. Which of the two changes what CLIP makes of the
# person, does it do so for everybody alike, and what can ten averages tell us about it?
#
# **In 20 minutes:** {ref}`ten averages and their correlations <smiling-printed-r>`, {ref}`eight panels
# <smiling-groups>`, {ref}`what was planted <smiling-planted>`, take-aways. **In 75 minutes:** also what Table B.1 was
# computed from, the three ways to take a common shift away, both exercises.
#
# **You need:** correlation, a regression with one predictor, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper says of one group, Black women, that a model judges it by other rules than the rest. The faces
# on this page are drawings in invented hues; they stand for nobody.
# :::
#
# **The idea.** Facial expression, light and pose are what a photograph collection neither labels nor controls. If they move
# a model's judgement, and occur more often in one group's photographs than in another's, they pass for a judgement of the
# group. {cite:t}`hausladen2025` vary each of them alone, on the same synthetic faces, and look at two things: the level of
# Δcos, and whether the *opposite poles* of a dimension (powerful, powerless) go together or apart.
#
# **What the authors conclude.** "As a face transitions from a frowning expression to a smile, it is perceived as more
# positive, more Progressive (Belief), and less negative." Light and pose move both poles in parallel; they "do not significantly
# alter social perception but instead affect “legibility”: the ease with which different social perception dimensions can be
# interpreted or distinguished". And the smile works differently across groups: "Our findings suggest that Black women are an
# outlier group by CLIP."
#
# **Their own checks and limits.** The smiling pictures were corrected for a small change in brightness, with "only minor
# differences" when they were not; lighting levels "are not inherently linear, so curve slopes are not central to our analysis"; of
# pose the authors say that a tilted face is "more distant from the “person” mode", which "makes the interpretation of changes
# induced by adding social adjectives to the text prompt challenging"; and some attribute combinations do not exist in the set.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # image set with columns seed, race, gender, age, smiling, lighting, pose
root = ""  # folder of the images, for a set that has one
cosines = ""  # folder of the authors' released cosine tables, instead of images and model
model = "greenhouse"  # encoder that looks at it
model_null = "greenhouse/b0"  # its twin, trained on captions in which hue and crest change nothing
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
prompts_released = "social_perception/released"  # the same, as the authors' code spells it
protocol = "described"  # whose protocol gives the headline: "described" (the paper's text) or "released" (the authors' code)
n_resamples = 500  # bootstrap resamples of the identities
seed = 42  # seed of every random draw
results = "_build/results/causalface/smiling.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
import statsmodels.api as sm
from myst_nb import glue
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from studies import roles, words
from vlmbias.papers import CAUSALFACE

claims = vb.ledger.table("causalface/smiling")
printed = claims.set_index("claim")["printed"]

# the opposite poles of the ABC model, positive first
POLES = {
    "agency": ("positive_agency", "negative_agency"),
    "belief": ("progressive_belief", "conservative_belief"),
    "communion": ("positive_communion", "negative_communion"),
}
VARIED = ["smiling", "lighting", "pose"]
blue, orange = vb.figures.COLOURS["recomputed"], vb.figures.COLOURS["planted"]


def series(attribute, table):
    """The rows in which one attribute varies and the rest is as in the prototype."""
    rows = table["subset"].isin([attribute, "prototype"]) & table[attribute].notna()
    return np.flatnonzero(rows)


def group_means(values, attribute, table):
    """Mean per level and group: index level, columns (group, dimension)."""
    rows = series(attribute, table)
    own = table.iloc[rows]
    keys = [own[attribute].to_numpy(), (own["race"] + " " + own["gender"]).to_numpy()]
    return values.iloc[rows].groupby(keys).mean().rename_axis(["level", "group"])


def resampled_levels(values, attribute, table, *, n=n_resamples):
    """Level means with identities drawn anew: `(n + 1, levels, dimensions)`, the data themselves first."""
    rows = series(attribute, table)
    identity, names = pd.factorize(table["seed"].iloc[rows])
    level, levels = pd.factorize(table[attribute].iloc[rows], sort=True)
    cell = identity * len(levels) + level
    size, y = len(names) * len(levels), values.iloc[rows].to_numpy()
    sums = np.stack([np.bincount(cell, one, size) for one in y.T], axis=1).reshape(len(names), -1)
    counts = np.bincount(cell, minlength=size).reshape(len(names), -1)
    times = np.random.default_rng(seed).multinomial(len(names), np.full(len(names), 1 / len(names)), n)
    times = np.vstack([np.ones(len(names)), times])
    totals = (times @ sums).reshape(len(times), len(levels), -1)
    return np.asarray(levels), totals / (times @ counts)[:, :, None]


def p_of(r, n):
    """Two-sided p of a correlation over n pairs."""
    return 2 * stats.t.sf(abs(r) * np.sqrt((n - 2) / (1 - r**2)), n - 2)


def poles_r(level_means, columns):
    """r between the poles of each pair, from level means `(..., levels, dimensions)`."""
    found = {}
    for pair, (one, other) in POLES.items():  # not a number where a pole does not move
        x, y = (level_means[..., columns.get_loc(name)] for name in (one, other))
        x, y = x - x.mean(axis=-1, keepdims=True), y - y.mean(axis=-1, keepdims=True)
        size = np.sqrt((x**2).sum(-1) * (y**2).sum(-1))
        found[pair] = np.divide((x * y).sum(-1), size, out=np.full_like(size, np.nan), where=size > 1e-12)
    return found

# %% [markdown]
# ## What the paper reports

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# ### Ten averages, eight, five
#
# Table S.2 correlates the two poles of a dimension over the *level means*: ten for smiling, eight for lighting, five for pose.
# The paper does not say so, its p-values do: where p is printed as a number, no other number of pairs turns r into p. That
# settles the unit of observation, and with it how little each r can say. Here is every printed r with the interval that its n allows (as if
# levels were drawn at random, which they are not: it is the same assumption that the printed p makes).

# %% tags=["hide-input"]
LEVELS = {"smiling": 10, "lighting": 8, "pose": 5}


def fisher(r, n):
    """95 % interval of a correlation, by Fisher's z."""
    return np.tanh(np.arctanh(r) + np.array([-1, 1]) * 1.96 / np.sqrt(n - 3))


table_s2 = []
for attribute, n in LEVELS.items():
    for pair in POLES:
        r = float(printed[f"smiling.table_s2.{attribute}.{pair}.r"])
        low, high = fisher(r, n)
        table_s2.append({
            "label": f"{attribute}, {pair}", "attribute": attribute, "pair": pair, "n": n, "r": r, "low": low, "high": high,
            "printed p": printed[f"smiling.table_s2.{attribute}.{pair}.p"], "p from r and n": p_of(r, n),
        })  # fmt: skip
table_s2 = pd.DataFrame(table_s2)
averages = table_s2.groupby("attribute", sort=False)["r"].agg(
    plain="mean", of_z=lambda r: np.tanh(np.arctanh(r).mean())
)
averages.insert(0, "printed", [printed[f"smiling.table_s2.{name}.average"] for name in averages.index])
fig = vb.figures.forest(
    table_s2, estimate="r", low="low", high="high", label="label", group="attribute",
    value_label="r between the poles, 95 % interval for n = 10, 8, 5 levels",
)  # fmt: skip
fig.axes[0].set_xticks([-1, -0.5, 0, 0.5, 1])
wide = table_s2.set_index("label").loc["pose, belief"]
vb.figures.show(
    fig,
    name="smiling-printed-r",
    alt=f"Nine printed correlations with intervals. For pose and belief, r = {wide['r']:.2f} over five levels, the interval "
    f"reaches from {wide['low']:.2f} to {wide['high']:.2f}. Smiling has one strongly positive and one strongly negative value.",
    caption="Table S.2: correlation of positive and negative pole over level means, with the interval that its n allows.",
    source="paper:causalface, Table S.2",
)
for name, row in averages.iterrows():
    glue(f"plain-{name}", float(row["plain"]), display=False)
    glue(f"of-z-{name}", float(row["of_z"]), display=False)
glue("pose-belief-low", float(wide["low"]), display=False)
glue("pose-belief-high", float(wide["high"]), display=False)
averages.rename(columns={"plain": "mean of three r", "of_z": "mean of z, as r"}).style.format(
    precision=2
)

# %% [markdown]
# The averages are plain means of three r, and they add up. For lighting and pose little hangs on it. For smiling everything does:
# "the opposing valences are negatively correlated (r = {claim}`smiling.table_s2.smiling.average`)" is the mean of
# {claim}`smiling.table_s2.smiling.agency.r`, {claim}`smiling.table_s2.smiling.belief.r` and
# {claim}`smiling.table_s2.smiling.communion.r`. One dimension behaves as described, one does the *opposite* just as strongly, and
# the third is not significant (p = {claim}`smiling.table_s2.smiling.communion.p`). Averaged on Fisher's z, as correlations are, it
# is {glue:text}`of-z-smiling:.2f`; no average describes a −1, a +1 and a perhaps. And the one pair for which pose is not "parallel"
# (belief, r = {claim}`smiling.table_s2.pose.belief.r`) is compatible with anything from {glue:text}`pose-belief-low:.2f` to
# {glue:text}`pose-belief-high:.2f`.
#
# ### What Table B.1 was computed from
#
# The earlier version regresses perception on each attribute. A table that prints coefficient, standard error, p *and* R² gives away
# what its rows were: $R^2 = t^2/(t^2 + n - 2)$ gives the number of rows $n$, and the two standard errors of a regression with one
# predictor give the predictor's root mean square, $\mathrm{se}(\beta_0)/\mathrm{se}(\beta_1) = \sqrt{\operatorname{mean}(x^2)}$.
# We carry the rounding of every printed digit along, and set beside it what the levels of CausalFace and a few readings predict.

# %% tags=["hide-input"]
ROWS = {
    "smile_positive": "10 levels × 2 theories", "smile_negative": "10 levels", "lighting": "4,800 images × 32 words",
    "pose_left": "1,800 images × 32 words", "pose_right": "1,800 images × 32 words",
}  # fmt: skip
SMILING = np.array([-2.5, -1.5, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4])
rms = lambda x: float(np.sqrt(np.mean(np.square(x, dtype=float))))  # noqa: E731
READINGS = {  # rows, and the predictor's values
    "10 levels × 2 theories": (20, SMILING), "10 levels": (10, SMILING),
    "4,800 images × 32 words": (153_600, np.arange(-1, 7)),
    "1,800 images × 32 words": (57_600, np.array([0, 1.5, 3])),
}  # fmt: skip


def rounding(text):
    """The interval of sizes that a printed number may stand for."""
    digits, _, exponent = text.replace("−", "-").partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return np.array([abs(float(text.replace("−", "-"))) - half, abs(float(text.replace("−", "-"))) + half])


def implied(row):
    """Rows and root mean square of the predictor, as intervals, from one line of Table B.1."""
    part = lambda name: rounding(printed[f"smiling.table_b1.{row}.{name}"])  # noqa: E731
    coefficient, error, fit, of_constant = part("coef"), part("se"), part("r2"), part("const.se")
    t = coefficient / error[::-1]
    return t**2 * (1 - fit[::-1]) / fit[::-1] + 2, of_constant / error[::-1], t


audit_b1 = []
for row, reading in ROWS.items():
    n, size, t = implied(row)
    rows, x = READINGS[reading]
    p = 2 * stats.t.sf(t[::-1], rows - 2)
    audit_b1.append({
        "row": row.replace("_", " "), "rows implied": f"{n[0]:,.0f} to {n[1]:,.0f}", "a reading that fits": reading, "n": rows,
        "rows fit": n[0] - 1 <= rows <= n[1] + 1, "p implied": f"{p[0]:.1e} to {p[1]:.1e}",
        "printed p": printed[f"smiling.table_b1.{row}.p"], "RMS implied": f"{size[0]:,.2f} to {size[1]:,.2f}",
        "RMS of the levels": rms(x), "RMS fits": size[0] <= rms(x) <= size[1],
    })  # fmt: skip
audit_b1 = pd.DataFrame(audit_b1)
_, lighting_rms, _ = implied("lighting")
row_number = rms(np.arange(153_600))
glue("lighting-rms-low", float(lighting_rms[0]), display=False)
glue("lighting-rms-high", float(lighting_rms[1]), display=False)
glue("lighting-rms-levels", rms(np.arange(-1, 7)), display=False)
glue("lighting-rms-rows", row_number, display=False)
glue("row-number-fits", "within" if lighting_rms[0] <= row_number <= lighting_rms[1] else "outside", display=False)
glue("rms-below", rms(SMILING[SMILING <= 0]), display=False)
glue("rms-all", rms(SMILING), display=False)
audit_b1.style.format({"RMS of the levels": "{:,.2f}", "n": "{:,}"}).hide(axis="index")

# %% [markdown]
# Three things follow from arithmetic alone.
#
# 1. **The unit differs from row to row.** Smiling was fitted to level means: 10 for the negative pole, 20 for the positive one
#    (levels × two theories fits, since only the ABC model has a negative pole), lighting and pose to every image × word of
#    the ABC model's 32. The p-values of the former are about ten points; those of the latter are about 153,600 rows that stem from 100
#    identities. And each R² is right for its own n and says nothing across rows: averaging a thousand rows into one point takes
#    the noise, not the effect, out of it. (Two lines share one R² because they are the constant and the slope of one fit.)
# 2. **Smiling was not split at 0**, though the text says so twice: the predictor's root mean square is that of all ten levels
#    ({glue:text}`rms-all:.2f`); below 0 it would be {glue:text}`rms-below:.2f`. So the sentence that both valences "diminish" from
#    neutral to cheerful has no counterpart in the table.
# 3. **The predictor of the lighting row is not a lighting level.** Its root mean square is between
#    {glue:text}`lighting-rms-low:,.0f` and {glue:text}`lighting-rms-high:,.0f`; that of the levels −1 to 6 is
#    {glue:text}`lighting-rms-levels:.2f`. The *row number*, 0 to 153,599, has {glue:text}`lighting-rms-rows:,.0f`, {glue:text}`row-number-fits`
#    the interval. We cannot see the code (it is not in the repository); the arithmetic says that a counter was regressed, and that
#    explains a slope of {claim}`smiling.table_b1.lighting.coef` with p = {claim}`smiling.table_b1.lighting.p`.
#
# Pose is where table and prose seem to contradict each other: "social perceptions are found to rise when moving from a left tilt … to
# a frontal stance", yet the slope below 0 is {claim}`smiling.table_b1.pose_left.coef` and above it
# {claim}`smiling.table_b1.pose_right.coef`: lowest at the front. The prose says that it describes the table, so the ledger calls them inconsistent. Both can
# be true, of different quantities: the table's constant is negative, so it is about Δcos; the prose fits the raw cosine of Figure B.2, which is highest at the
# front. We show both below.

# %% [markdown]
# ## The protocol, run on {data}
#
# One look gives everything on this page: what the model makes of every image and word.

# %%
PROTOCOLS = {
    "described": dict(words=prompts),
    "released": dict(words=prompts_released),
}
looks = {
    name: vb.perceive(stimuli, model, **choice, root=root, cosines=cosines)
    for name, choice in PROTOCOLS.items()
}
seen = looks[protocol]
delta = 100 * seen.delta()
seen

# %% tags=["hide-input"]
from_greenhouse = seen.source == "greenhouse"
who = roles.of(seen, CAUSALFACE)  # the paper's groups; of drawings, those whose files take their places in an export
outlier, men, women = who.outlier, who.having("male"), who.having("female")
data_source = "greenhouse" if from_greenhouse else f"real:{seen.stimuli}"
glue("outlier", outlier, display=False)

# %% [markdown]
# ### Eight panels: the smile, group by group
#
# As in Figure 3, a second-degree polynomial is fitted to the ten means of each group; paper and code agree on this. (Figure 5, on age,
# is drawn from fits to single images: see [the chapter on age](age.ipynb).)

# %%
means = group_means(delta, "smiling", seen.table)
level, group = (means.index.get_level_values(name) for name in means.index.names)
fits = vb.trajectories(means, level, group)


# %% tags=["hide-input"]
def draw_groups(means, fits, *, x_label, value_label):
    """Eight panels: group means and their quadratics, one group in a heavy line."""
    fig, axes = vb.figures.panels(4, 2, height=9.6, share_x=True)
    level = means.index.get_level_values("level")
    u = np.linspace(-1, 1, 60)
    x = level.min() + (u + 1) / 2 * (level.max() - level.min())
    for axis, dimension in zip(axes.flat, means.columns, strict=True):
        for one in fits.loc[fits["dimension"] == dimension].itertuples():
            own = means.xs(one.group, level="group")[dimension]
            heavy = one.group == outlier
            axis.plot(own.index, own, "s" if one.group in women else "o", color=who.colours[one.group], ms=5 if heavy else 3.5,
                      fillstyle="full" if one.group in women else "none", label=one.group)
            axis.plot(x, one.middle + one.slope * u + one.curvature * u**2, color=who.colours[one.group],
                      lw=2.4 if heavy else 0.9, ls="-" if one.group in women else "--", zorder=3 if heavy else 2)
        axis.set_title(dimension.replace("_", " "))
        axis.grid(axis="y")
    for axis in axes[-1]:
        axis.set_xlabel(x_label)
    fig.supylabel(value_label, fontsize=11)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
    return fig


steepest = fits.loc[fits.groupby("dimension")["slope"].idxmax()].set_index("dimension")["group"]
vb.figures.show(
    draw_groups(means, fits, x_label="smiling", value_label="Δcos × 100"),
    name="smiling-groups",
    alt=f"Eight panels of Δcos against smiling for six groups. {outlier.capitalize()}, in a heavy line, is steepest in "
    f"{int((steepest == outlier).sum())} of {len(steepest)} panels.",
    caption=f"Perception against smiling, six groups, quadratics through ten means each; {outlier} in a heavy line (open, dashed: "
    f"{who.called['male']}; filled, solid: {who.called['female']}).",
    source=data_source,
)

# %% [markdown]
# What the paper reads off its panels can be put as statements about orderings, each true or false of six curves:

# %% tags=["hide-input"]
POSITIVE = ["warmth", "competence", *[poles[0] for poles in POLES.values()]]
NEGATIVE = [poles[1] for poles in POLES.values()]


def figure3(look):
    """What the paper reads off Figure 3: claim → (in words, value), from the group means and their quadratics."""
    means = group_means(100 * look.delta(), "smiling", look.table)
    level, group = (means.index.get_level_values(name) for name in means.index.names)
    fits = vb.trajectories(means, level, group)
    slope, bend, vertex = (fits.pivot(index="dimension", columns="group", values=name) for name in ("slope", "curvature", "vertex"))
    by = means.unstack("group")
    frown, grin, overall = by.iloc[0].unstack("group"), by.iloc[-1].unstack("group"), by.mean().unstack("group")
    dishonest, lowest = "negative_communion", frown.idxmin(axis=1) == outlier
    place = (-grin).rank(axis=1).loc[:, outlier]
    steep, asian_men = slope.idxmax(axis=1) == outlier, who.group("asian male")
    steepest = steep[["warmth", "positive_communion", "competence", "conservative_belief"]]
    highest = overall.idxmax(axis=1)[["positive_agency", "conservative_belief", dishonest]] == asian_men
    gap = {d: overall.loc[d, list(men)].min() > overall.loc[d, list(women)].max() or overall.loc[d, list(men)].max() < overall.loc[d, list(women)].min()
           for d in ("positive_agency", dishonest)}
    extreme = ((-frown).rank(axis=1)[outlier].isin([1, 6]) | (-grin).rank(axis=1)[outlier].isin([1, 6])).mean() > 0.5
    far = {name: float(((overall[name] - overall.drop(columns=name).mean(axis=1)) ** 2).sum()) for name in overall}
    mixed = (np.sign(slope).nunique(axis=1) > 1)
    white = who.group("white female")
    return {
        "asian-men": ("Asian men highest in Positive Agency, Conservative Belief, Negative Communion", bool(highest.all())),
        "asian-men-dimensions": ("dimensions in which Asian men are highest", int((overall.idxmax(axis=1) == asian_men).sum())),
        "black-women-extremes": ("Black women highest or lowest at an end of most panels", bool(extreme)),
        "frowning-lowest": ("frowning Black women lowest in all panels but Negative Agency",
                            bool(lowest.drop("negative_agency").all() and not lowest["negative_agency"])),
        "steepest": ("Black women steepest in Warmth, Pos. Communion, Competence, Cons. Belief", bool(steepest.all())),
        "steepest-panels": ("panels in which Black women are steepest", int(steep.sum())),
        "smiling-competence": ("most smiling: Black women highest in Competence", bool(place["competence"] == 1)),
        "competence-highest": ("the same, said again", bool(place["competence"] == 1)),
        "smiling-communion": ("most smiling: Black women third in Positive Communion", bool(place["positive_communion"] == 3)),
        "competence-lowest": ("least smiling: Black women lowest in Competence", bool(lowest["competence"])),
        "outlier": ("Black women farthest from the other groups", max(far, key=far.get) == outlier),
        "one-panel": ("only in Negative Communion do slopes differ in sign", list(mixed.index[mixed]) == [dishonest]),
        "men-decrease": ("Negative Communion falls only for men",
                         bool((slope.loc[dishonest, list(men)] < 0).all() and (slope.loc[dishonest, list(women)] >= 0).all())),
        "women-increase": ("Negative Communion rises for Asian and Black women",
                           bool((slope.loc[dishonest, [who.group("asian female"), outlier]] > 0).all())),
        "white-women": ("Negative Communion falls, then rises for White women",
                        bool(bend.loc[dishonest, white] > 0 and level.min() < vertex.loc[dishonest, white] < level.max())),
        "caption-distinct": ("men and women apart in Positive Agency and Negative Communion", all(gap.values())),
        "more-positive": ("smiling raises the mean of the positive dimensions", bool(slope.loc[POSITIVE].mean().mean() > 0)),
        "more-progressive": ("smiling raises Progressive Belief", bool(slope.loc["progressive_belief"].mean() > 0)),
        "less-negative": ("smiling lowers the mean of the negative dimensions", bool(slope.loc[NEGATIVE].mean().mean() < 0)),
        "discussion-smiling": ("more positive and less negative", bool(
            slope.loc[POSITIVE].mean().mean() > 0 > slope.loc[NEGATIVE].mean().mean())),
        "discussion-black-women": ("slope on positive dimensions largest for Black women",
                                   slope.loc[POSITIVE].mean().idxmax() == outlier),
        "discussion-extreme": ("largest changes from frown to smile for Black women",
                               (grin - frown).abs().mean().idxmax() == outlier),
    }  # fmt: skip


ABOUT_ALL = ("more-positive", "more-progressive", "less-negative", "discussion-smiling")  # the others name groups of people
read_off = figure3(seen)
pd.DataFrame(
    [(words_, "not evaluated on drawings" if from_greenhouse and claim not in ABOUT_ALL else value) for claim, (words_, value) in read_off.items()],
    columns=["read off Figure 3 by the paper", "here"],
).style.hide(axis="index")

# %% [markdown]
# Statements about groups of people are computed where the faces show people, and not on drawings. Orderings of six points carry no uncertainty. So here is one statement with its interval: by how much the slope of
# {glue:text}`outlier` exceeds the mean slope of the other five, with identities drawn anew.

# %% tags=["hide-input"]
def group_slopes(values):
    """Smiling slope of every group, one per resample of the identities: {group: (n + 1, k)}."""
    found, groups = {}, (seen.table["race"] + " " + seen.table["gender"]).to_numpy()
    for name in who.groups:
        rows = np.flatnonzero(groups == name)
        levels, drawn = resampled_levels(values.iloc[rows].reset_index(drop=True), "smiling", seen.table.iloc[rows].reset_index(drop=True))
        u = 2 * (levels - levels.min()) / np.ptp(levels) - 1
        found[name] = np.einsum("l,rlk->rk", np.linalg.pinv(np.vander(u, 3, increasing=True))[1], drawn)
    return found


sloping = group_slopes(delta)
excess = sloping[outlier] - np.mean([one for name, one in sloping.items() if name != outlier], axis=0)
low, high = np.quantile(excess[1:], [0.025, 0.975], axis=0)
spread = excess[1:].std(axis=0)
tested = pd.DataFrame({
    "dimension": [name.replace("_", " ") for name in delta.columns], "excess": excess[0], "low": low, "high": high,
    "p": 2 * stats.norm.sf(np.abs(excess[0]) / spread),
})  # fmt: skip
tested["p (Holm)"] = multipletests(tested["p"], method="holm")[1]
vb.figures.show(
    vb.figures.forest(tested, estimate="excess", low="low", high="high", label="dimension",
                      value_label="excess slope, Δcos × 100, 95 % over identities"),
    alt=f"Excess smiling slope of {outlier} over the other groups, eight dimensions with intervals; "
    f"{int(((tested['low'] > 0) | (tested['high'] < 0)).sum())} of 8 exclude zero.",
    caption=f"Slope of {outlier} minus the mean slope of the other five groups.",
    source=data_source,
)  # fmt: skip
tested[["dimension", "excess", "p", "p (Holm)"]].style.format(
    {"excess": "{:+.3f}", "p": "{:.2g}", "p (Holm)": "{:.2g}"}
).hide(axis="index")

# %% [markdown]
# An interval over identities is about **this model**: would the same network say so of new faces?
#
# The paper also contrasts two words: no gender difference in honesty, one in *dishonesty*. A difference that is found beside one that is not found is not
# yet a difference between the two; that needs its own line.

# %% tags=["hide-input"]
named = pd.DataFrame({word: 100 * (seen.word(word) - seen.neutral()) for word in ("honest", "dishonest")})
by_word = group_slopes(named.assign(negative_communion=delta["negative_communion"]))
gender_gap = np.mean([by_word[name] for name in women], axis=0) - np.mean([by_word[name] for name in men], axis=0)
gender_gap = np.column_stack([gender_gap, gender_gap[:, 1] + gender_gap[:, 0]])  # were the words opposites, the last would be 0
low_gap, high_gap = np.quantile(gender_gap[1:], [0.025, 0.975], axis=0)
differs = dict(zip(("honesty", "dishonesty", "caption-women", "sum"), (low_gap > 0) | (high_gap < 0), strict=True))
pd.DataFrame({"smiling slope, women minus men" if not from_greenhouse else f"smiling slope, {who.called['female']} minus {who.called['male']}":
              ["honest", "dishonest", "negative communion", "honest + dishonest"], "difference": gender_gap[0], "low": low_gap,
              "high": high_gap}).style.format(precision=3).hide(axis="index")  # fmt: skip

# %% [markdown]
# ### Smiling, lighting, pose: beyond neutral, and raw
#
# Figure S.1 shows Δcos by level, averaged over groups; Figure B.2 of the earlier version shows the same without the subtraction.

# %% tags=["hide-input"]
concept = {name: pair for pair, poles in POLES.items() for name in poles}
concepts = dict.fromkeys(concept.get(name, name) for name in delta.columns)
tint = dict(zip(concepts, vb.figures.PALETTE, strict=False))
wholes = {"Δcos × 100": delta, "raw cosine × 100": 100 * seen.raw()}
curves = {(attribute, name): values.iloc[series(attribute, seen.table)].groupby(
    seen.table[attribute].iloc[series(attribute, seen.table)].to_numpy()).mean()
    for attribute in VARIED for name, values in wholes.items()}  # fmt: skip
neutral = pd.Series(100 * seen.neutral())
fig, axes = vb.figures.panels(3, 2, height=8.6)
for line, attribute in zip(axes, VARIED, strict=True):
    for axis, name in zip(line, wholes, strict=True):
        for dimension in delta.columns:
            axis.plot(curves[attribute, name][dimension], "--s" if dimension in NEGATIVE else "-o", ms=4, lw=1.4,
                      color=tint[concept.get(dimension, dimension)], label=dimension.replace("_", " "))
        if name.startswith("raw"):
            rows = series(attribute, seen.table)
            axis.plot(neutral.iloc[rows].groupby(seen.table[attribute].iloc[rows].to_numpy()).mean(), color="0.45", lw=2.2,
                      ls=":", label="neutral")
        else:
            axis.axhline(0, color="0.45", lw=2.2, ls=":")
        axis.set(xlabel=attribute, title=name if attribute == VARIED[0] else "")
handles, labels = axes[0, 1].get_legend_handles_labels()
fig.legend(handles, labels, loc="outside upper left", ncols=2)
swing = {key: (curve.max() - curve.min()).mean() for key, curve in curves.items()}
vb.figures.show(
    fig,
    name="smiling-levels",
    alt="Left, Δcos by level of smiling, lighting and pose; right, the raw cosine with the neutral prompt dotted. Over pose the "
    f"raw curves move by {swing['pose', 'raw cosine × 100']:.2f} on average, Δcos by {swing['pose', 'Δcos × 100']:.2f}.",
    caption="Eight dimensions by level (dashed: negative poles; dotted: the neutral prompt). Left as in Figure S.1, right as in Figure B.2.",
    source=data_source,
)
raw_pose, delta_pose = curves["pose", "raw cosine × 100"], curves["pose", "Δcos × 100"]
glue("pose-raw-swing", float(swing["pose", "raw cosine × 100"]), display=False)
glue("pose-delta-swing", float(swing["pose", "Δcos × 100"]), display=False)
glue("raw-frontal", int((raw_pose.idxmax() == 0).sum()), display=False)

# %% [markdown]
# Pose shows what the subtraction does. Raw cosines move by {glue:text}`pose-raw-swing:.2f` on average ({glue:text}`raw-frontal` of eight
# dimensions are highest at the front); the neutral prompt moves with them, and Δcos moves by {glue:text}`pose-delta-swing:.2f`.
#
# ### Three correlations, three ways
#
# Table S.2, recomputed: r between the poles over level means, its p as the paper takes it, and an interval from drawing identities
# anew (the levels stay; what varies is whose faces they are seen on).

# %% tags=["hide-input"]
readings = {"Δcos": delta, "raw": 100 * seen.raw(), "centred": 100 * seen.centred()}
recomputed = []
for name, look in looks.items():
    for attribute in VARIED:
        levels, drawn = resampled_levels(100 * look.delta(), attribute, look.table)
        for pair, r in poles_r(drawn, delta.columns).items():
            low, high = np.quantile(r[1:], [0.025, 0.975])
            recomputed.append({"protocol": name, "attribute": attribute, "pair": pair, "n": len(levels), "r": r[0],
                               "p": p_of(r[0], len(levels)), "low": low, "high": high})  # fmt: skip
recomputed = pd.DataFrame(recomputed)
headline = recomputed[recomputed["protocol"] == protocol].drop(columns="protocol")
headline = headline.assign(**{"p (Holm)": multipletests(headline["p"], method="holm")[1]})
averaged = headline.groupby("attribute", sort=False)["r"].agg(
    **{"mean of three r": "mean", "mean of z, as r": lambda r: np.tanh(np.arctanh(r).mean())}
)
headline.style.format({"r": "{:+.2f}", "low": "{:+.2f}", "high": "{:+.2f}", "p": "{:.2g}", "p (Holm)": "{:.2g}"}).hide(axis="index")

# %% tags=["hide-input"]
averaged.style.format("{:+.2f}")

# %% [markdown]
# ### Is "legibility" a common shift?
#
# Two poles go up and down together whenever *every* word does: a level that moves the image away from all adjectives alike, relative to
# the neutral prompt, makes r = +1 for any pair, opposite or not. That is what the paper calls legibility, and it can be taken
# away instead of named: centre each image's cosines on the mean over all distinct adjectives (`centred`). What is left is how a level
# moves the traits *relative to one another*.

# %% tags=["hide-input"]
three = []
for attribute in VARIED:
    for name, values in readings.items():
        _, drawn = resampled_levels(values, attribute, seen.table, n=2)
        for pair, r in poles_r(drawn[:1], delta.columns).items():
            three.append({"attribute": attribute, "reading": name, "pair": pair, "r": float(r[0])})
three = pd.DataFrame(three)


def common_share(values, attribute):
    """Share of the variance between level means that all eight dimensions have in common."""
    _, drawn = resampled_levels(values, attribute, seen.table, n=2)
    off = drawn[0] - drawn[0].mean(axis=0)
    return float((off.mean(axis=1) ** 2).mean() / (off**2).mean())


shares = pd.DataFrame({name: {attribute: common_share(values, attribute) for attribute in VARIED}
                       for name, values in readings.items()})  # fmt: skip
fig, axes = vb.figures.panels(1, 3, height=3.6, share_y=True)
marks = dict(zip(POLES, "os^", strict=True))
for axis, attribute in zip(axes[0], VARIED, strict=True):
    for pair, own in three[three["attribute"] == attribute].groupby("pair", sort=False):
        axis.plot(own["reading"], own["r"], marks[pair], ls="-", lw=0.8, color=dict(zip(POLES, vb.figures.PALETTE, strict=False))[pair], label=pair)
    axis.axhline(0, color="0.6", lw=1)
    axis.set(title=attribute, ylim=(-1.1, 1.1))
    axis.tick_params(axis="x", rotation=40)
axes[0, 0].set_ylabel("r between the poles")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    alt="Correlation between the poles for Δcos, raw and centred cosines. Raw cosines give "
    f"{int((three[three['reading'] == 'raw']['r'] > 0.5).sum())} of 9 correlations above .5, centred ones "
    f"{int((three[three['reading'] == 'centred']['r'] > 0.5).sum())}.",
    caption="The same level means read three ways: beyond neutral, raw, and centred on all adjectives.",
    source=data_source,
)
for name in readings:
    glue(f"share-pose-{name[-3:]}", float(shares.loc["pose", name]), display=False)
    glue(f"share-lighting-{name[-3:]}", float(shares.loc["lighting", name]), display=False)
shares.style.format("{:.0%}").set_caption("Share of the variance between level means that the eight dimensions have in common")

# %% [markdown]
# The sign of r between the poles depends on what is subtracted. On our faces the common part of lighting is {glue:text}`share-lighting-raw:.0%` of what
# moves in raw cosines and {glue:text}`share-lighting-cos:.0%` in Δcos; of pose, {glue:text}`share-pose-raw:.0%` and {glue:text}`share-pose-cos:.0%`. A
# positive r is thus evidence of a common shift, and of nothing else: it does not show that perception is *unaltered*, since a small
# opposite movement can ride on a large common one. Nor does a negative r after centring show the contrary: what is centred must balance
# out somewhere. The question that was asked, whether light or pose changes perception, is about the **difference of the poles**:

# %% tags=["hide-input"]
contrasts = []
for attribute in VARIED:
    levels, drawn = resampled_levels(delta, attribute, seen.table)
    for pair, (one, other) in POLES.items():
        gap = drawn[..., delta.columns.get_loc(one)] - drawn[..., delta.columns.get_loc(other)]
        gap = gap - gap.mean(axis=1, keepdims=True)
        # Wald test that the contrast is the same at every level, over resampled identities
        covariance = np.cov(gap[1:, :-1], rowvar=False)
        wald = float(gap[0, :-1] @ np.linalg.pinv(covariance, hermitian=True) @ gap[0, :-1])
        contrasts.append({"attribute": attribute, "pair": pair, "n": len(levels), "range of the contrast": np.ptp(gap[0]),
                          "p": stats.chi2.sf(wald, len(levels) - 1)})  # fmt: skip
contrasts = pd.DataFrame(contrasts)
contrasts["p (Holm)"] = multipletests(contrasts["p"], method="holm")[1]
reach = contrasts.groupby("attribute")["range of the contrast"].max()
for name in VARIED:
    glue(f"contrast-{name}", float(reach[name]), display=False)
small = lambda p: f"{p:.1g}" if p > 1e-16 else "< 1e-16"  # noqa: E731
contrasts.style.format({"range of the contrast": "{:.2f}", "p": small, "p (Holm)": small}).hide(axis="index").set_caption(
    "Positive minus negative pole by level: its range in Δcos × 100, and a test that it is constant (over identities)"
)

# %% [markdown]
# On our faces the contrast between the poles ranges over up to {glue:text}`contrast-smiling:.2f` with smiling, {glue:text}`contrast-lighting:.2f` with
# lighting and {glue:text}`contrast-pose:.2f` with pose. Ranges in one unit can be compared; nine correlations cannot.
#
# ### The regressions of Table B.1, in several units
#
# The same slope, fitted to level means, to images, to every image × word: in a balanced design the coefficient stays, while standard error
# and R² follow the number of rows. The last column resamples nothing less than what was drawn: standard errors clustered by identity.

# %% tags=["hide-input"]
ABC = POSITIVE[2:] + NEGATIVE
SPLITS = {  # row of Table B.1 → attribute, dimensions, levels
    "smile_positive": ("smiling", POSITIVE, (-9, 9)), "smile_negative": ("smiling", NEGATIVE, (-9, 9)),
    "lighting": ("lighting", ABC, (-9, 9)), "pose_left": ("pose", ABC, (-9, 0)), "pose_right": ("pose", ABC, (0, 9)),
}  # fmt: skip


def regress(y, x, clusters=None):
    """One line by least squares, as Table B.1 prints it; with the slope's error clustered by identity."""
    fit = sm.OLS(y, sm.add_constant(x)).fit()
    robust = fit.get_robustcov_results("cluster", groups=pd.factorize(clusters)[0]).bse[1] if clusters is not None else np.nan
    values = [len(y), fit.params[1], fit.bse[1], robust, fit.pvalues[1], fit.rsquared, fit.params[0], fit.bse[0], fit.pvalues[0]]
    names = ["n", "coef", "se", "clustered", "p", "r2", "const.coef", "const.se", "const.p"]
    return dict(zip(names, map(float, values), strict=True)) | {"n": len(y)}


word_delta = seen.cosines - seen.neutral()[:, None]
word_dimension = seen.words["dimension"].astype(object)
lines = []
for name, (attribute, chosen, kept) in SPLITS.items():
    rows = series(attribute, seen.table)
    x = pd.Series(seen.table[attribute].to_numpy()[rows], rows).sort_values(kind="stable")
    x = x[x.between(*kept)]
    each, identity = word_delta[np.ix_(x.index, word_dimension.isin(chosen))], seen.table["seed"].to_numpy()[x.index]
    theories = [chosen] if chosen is not POSITIVE else [POSITIVE[:2], POSITIVE[2:]]
    level = pd.concat([seen.delta()[part].mean(axis=1).loc[x.index].groupby(x.to_numpy()).mean() for part in theories])
    fitted = {"level means": regress(level.to_numpy(), level.index.to_numpy()),
              "images": regress(each.mean(axis=1), x.to_numpy(), identity),
              "images × words": regress(each.ravel(), np.repeat(x, each.shape[1]).to_numpy(), np.repeat(identity, each.shape[1]))}
    if name == "lighting":
        fitted["images × words, row number for x"] = regress(
            each.ravel(), np.arange(each.size, dtype=float), np.repeat(identity, each.shape[1]))
    claimed = "level means" if attribute == "smiling" else "images × words"
    lines += [{"row": name.replace("_", " "), "unit": unit, "claim": name if unit == claimed else None, **fit}
              for unit, fit in fitted.items()]
lines = pd.DataFrame(lines)
ratio = lines[lines["unit"] == "images × words"].eval("clustered / se")
glue("cluster-least", float(ratio.min()), display=False)
glue("cluster-most", float(ratio.max()), display=False)
lines[["row", "unit", "n", "coef", "se", "clustered", "p", "r2"]].style.format(
    {"n": "{:,}"} | dict.fromkeys(["coef", "se", "clustered", "p", "r2"], "{:.1e}"), na_rep="–").hide(axis="index")  # fmt: skip

# %% [markdown]
# Clustering by identity changes the image × word errors by factors from {glue:text}`cluster-least:.2f` to {glue:text}`cluster-most:.2f`: below 1
# where each identity is seen at every level, so that what is its own cancels out. And a *line* through a lighting axis whose numbers are
# labels of directions, or through a pose effect shaped like a roof, describes neither.

# %% tags=["hide-input"]
def levels_of(values, attribute, table):
    """Level means, all groups together: index level, one column per dimension."""
    rows = series(attribute, table)
    return values.iloc[rows].groupby(table[attribute].to_numpy()[rows]).mean()


def slope_of(curve):
    """Slope of the straight line through level means, mean over their columns."""
    return float(np.polyfit(curve.index.to_numpy(float), curve.mean(axis=1), 1)[0])


def appendix(look):
    """What text and Appendix B.1 and B.2 read off Figures S.1 and B.2: claim → value."""
    delta, raw = (({a: levels_of(100 * wide, a, look.table) for a in VARIED}) for wide in (look.delta(), look.raw()))
    light, pose = delta["lighting"].mean(axis=1), delta["pose"].mean(axis=1)
    order, sided = list(light.sort_values(ascending=False).index), raw["pose"].mean(axis=1)
    together = {a: delta[a].corr().to_numpy()[~np.eye(8, dtype=bool)].min() > 0 for a in ("lighting", "pose")}
    smile, below = delta["smiling"], lambda curve, low, high: curve.loc[low:high]
    r = {a: {k: float(v) for k, v in poles_r(delta[a].to_numpy(), delta[a].columns).items()} for a in VARIED}
    mean_r = {a: float(np.mean(list(r[a].values()))) for a in VARIED}
    monotone = [abs(stats.spearmanr(delta[a].index, delta[a].mean(axis=1)).statistic) > 0.9 for a in ("lighting", "pose")]
    mirrored = [np.corrcoef(curve, curve[::-1])[0, 1] > 0.9 for curve in delta["pose"].to_numpy().T]
    ends, front = pose.iloc[[0, -1]].mean(), pose.loc[0]
    return {
        "no-trend": not any(monotone), "lighting-order": bool(light.loc[-1] > light.loc[[2, 3]].mean() > light.loc[[5, 6]].mean()),
        "lighting-highest": float(order[0]), "lighting-high": set(order[1:3]) == {2.0, 3.0}, "lighting-lowest": set(order[-2:]) == {5.0, 6.0},
        "lighting-consistent": bool(together["lighting"]), "pose-parallel": bool(together["pose"]),
        "pose-extreme": bool(ends > front), "pose-mirrored": bool(all(mirrored)), "pose-baseline": bool(abs(ends) < abs(front)),
        "pose-raw": bool(sided.idxmax() == 0), "appendix.raw-pose": bool(sided.idxmax() == 0),
        "parallel": min(v for a in ("lighting", "pose") for v in r[a].values()) > 0, "pose-positive": min(r["pose"].values()) > 0,
        "opposed": mean_r["smiling"] < 0, "lighting-r": mean_r["lighting"], "pose-r": mean_r["pose"],
        "smiling-r": mean_r["smiling"], "pose-average": mean_r["pose"],
        "negative-below": bool((delta["pose"][NEGATIVE].mean(axis=1) < delta["pose"][POSITIVE].mean(axis=1)).all()),
        "appendix.grumpy": slope_of(below(smile[POSITIVE], -9, 0)) > 0 > slope_of(below(smile[NEGATIVE], -9, 0)),
        "appendix.cheerful": max(slope_of(below(smile[part], 0, 9)) for part in (POSITIVE, NEGATIVE)) < 0,
        "appendix.lighting-negative": slope_of(delta["lighting"]) < 0,
        "appendix.pose-rise": slope_of(below(raw["pose"], -9, 0)) > 0 > slope_of(below(raw["pose"], 0, 9)),
        "appendix.same-trend": min(v for a in ("lighting", "pose") for v in r[a].values()) > 0,
        "appendix.raw-smiling": slope_of(raw["smiling"][POSITIVE]) > 0 > slope_of(raw["smiling"][NEGATIVE]),
        "appendix.raw-lighting": slope_of(raw["lighting"]) > 0,
    }  # fmt: skip


for name, look in looks.items():
    about = dict(results=results, stimuli=look.stimuli, model=look.model, protocol=name)
    found = {key: value for key, (_, value) in figure3(look).items() if key in ABOUT_ALL or not from_greenhouse} | appendix(look)
    for row in recomputed[recomputed["protocol"] == name].itertuples():
        found[f"table_s2.{row.attribute}.{row.pair}.r"] = float(row.r)
        found[f"table_s2.{row.attribute}.{row.pair}.p"] = float(row.p)
        found[f"table_s2.{row.attribute}.average"] = found[f"{row.attribute}-r"]
    for key, value in found.items():
        vb.ledger.record(f"smiling.{key}", value, **about)
about = dict(results=results, stimuli=seen.stimuli, model=seen.model, protocol=protocol)
unaltered = bool((contrasts[contrasts["attribute"] != "smiling"]["p (Holm)"] > 0.05).all())
if not from_greenhouse:
    of_people = {"honesty": not differs["honesty"], "dishonesty": differs["dishonesty"], "caption-women": differs["caption-women"],
                 "different": (tested["p (Holm)"] < 0.05).any()}  # fmt: skip
    for key, value in of_people.items():
        vb.ledger.record(f"smiling.{key}", bool(value), **about)
for key in ("legibility", "legibility-again"):
    vb.ledger.record(f"smiling.{key}", unaltered, **about)
for row in lines.dropna(subset="claim").to_dict("records"):
    for part in ("coef", "se", "p", "const.coef", "const.se", "const.p", "r2", "n"):
        vb.ledger.record(f"smiling.table_b1.{row['claim']}.{part}", row[part], **about)

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse we know what every level does to every word of the captions. Two yardsticks are used, and named: `counted`, what a count of a group's captions at a level shows, and `per_face`, what a network
# that had learnt every face's odds would show on average. Smiling, lighting and pose are *legitimate* drivers: they work at $b = 0$ and at $b = 1$. The better the light, the oftener a caption
# speaks of communion at all, good or bad, so that both poles rise with it: the paper's "legibility" exists in this world. At $b = 1$ the smile works otherwise for one group,
# {glue:text}`outlier-name`, on {glue:text}`three-way`: a three-way effect. On {glue:text}`two-way` stands a foil: the smile of *all* with one crest counts for more.

# %% tags=["hide-input"]
from greenhouse import retrained
from greenhouse.world import bias, grammar, truth
from studies.causalface import intersections

spoken = grammar.load()
dimensions = list(CAUSALFACE.dimensions)
planted_outlier = " ".join(spoken.bias.outlier.values())
HUES, CRESTS = bias.LEVELS["race"], bias.LEVELS["gender"]
SIX = [f"{race} {gender}" for race in HUES for gender in CRESTS]
planted = intersections.kinds(spoken.bias, dimensions, "smiling")
vb.note(**{"outlier-name": planted_outlier} | {kind: words.listed(name for name, own in planted.items() if own == kind) for kind in ("three-way", "two-way")})


def slopes_of(means):
    """Slope per group and dimension, logits per half range, of means by level and group."""
    level, group = (means.index.get_level_values(name) for name in ("level", "group"))
    return vb.trajectories(means, level, group).pivot(index="group", columns="dimension", values="slope")[dimensions]


def called_for(table, b):
    """Smiling slopes by both yardsticks."""
    faces = table.iloc[series("smiling", table)]
    counts = truth.counted(spoken, faces, ["race", "gender", "smiling"], b, axes=dimensions).reset_index()
    counts.index = pd.MultiIndex.from_arrays([counts["smiling"], counts["race"] + " " + counts["gender"]], names=["level", "group"])
    each = truth.per_face(spoken, table, b, axes=dimensions)
    return {"counted": slopes_of(counts[dimensions]), "per_face": slopes_of(group_means(each, "smiling", table))}


slopes = {}
for strength, name in ((0.0, model_null), (1.0, "greenhouse")):
    look = vb.perceive("greenhouse/causalface", name)
    slopes[strength] = called_for(look.table, strength) | {"seen": slopes_of(group_means(look.logit_scale * look.delta(), "smiling", look.table))}

# %% [markdown]
# ### Is the planted smile found?

# %% tags=["hide-input"]
MARKS = (("counted", "x", orange), ("per_face", "+", "0.35"), ("seen", "o", blue))
fig, axes = vb.figures.panels(1, 2, height=4.3, share_y=True)
place = np.arange(len(dimensions))[::-1]
for axis, (b, own) in zip(axes[0], slopes.items(), strict=True):
    for kind, mark, colour in MARKS:
        axis.plot(own[kind].mean(), place, mark, color=colour, ms=8, mew=2, label=kind)
    axis.axvline(0, color="0.6", lw=1)
    axis.set(yticks=place, yticklabels=[name.replace("_", " ") for name in dimensions], title=f"b = {b:g}", xlabel="logits per half range")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
found = {b: {kind: intersections.recovery(own[kind].mean(), own["seen"].mean()) for kind in ("counted", "per_face")} for b, own in slopes.items()}
vb.figures.show(
    fig,
    name="smiling-planted",
    alt=f"Smiling slopes of eight dimensions, planted and seen. Correlation with counts {found[0.0]['counted']['r']:.2f} at b = 0 and {found[1.0]['counted']['r']:.2f} at b = 1.",
    caption="What a smile does to each dimension, mean of six groups: planted by both yardsticks and seen, for both default networks.",
    source="greenhouse",
)
vb.note(smile={f"b{b:g}": own for b, own in found.items()})

# %% [markdown]
# Over the eight dimensions, seen and planted correlate: against counts r = {glue:text}`smile.b0.counted.r:.2f` at $b = 0$ and {glue:text}`smile.b1.counted.r:.2f` at $b = 1$, with slopes
# {glue:text}`smile.b0.counted.slope:.2f` and {glue:text}`smile.b1.counted.slope:.2f`; against `per_face` the slopes are {glue:text}`smile.b0.per_face.slope:.2f` and {glue:text}`smile.b1.per_face.slope:.2f`.
#
# ### Is the outlier found, and only where it was planted?

# %% tags=["hide-input"]
def beyond(values):
    """Slope of each group minus the mean of the other five, `(group × dimension)`."""
    return values - (values.sum() - values) / (len(values) - 1)


parts = {(b, kind): beyond(value) for b, own in slopes.items() for kind, value in own.items()}
fig, axes = vb.figures.panels(1, 2, height=4.5, share_x=True, share_y=True)
for axis, b in zip(axes[0], slopes, strict=True):
    for name in SIX:
        heavy = name == planted_outlier
        axis.plot(parts[b, "seen"].loc[name], place, "s" if heavy else "o", color=vb.figures.COLOURS[name.split()[0]],
                  ms=7 if heavy else 4, fillstyle="full" if name.endswith(CRESTS[1]) else "none", label=name)
    axis.plot(parts[b, "counted"].loc[planted_outlier], place, "x", color=orange, ms=9, mew=2, label=f"counted, {planted_outlier}")
    axis.axvline(0, color="0.6", lw=1)
    axis.set(yticks=place, yticklabels=[name.replace("_", " ") for name in dimensions], title=f"b = {b:g}", xlabel="excess slope, logits")
fig.legend(*axes[0, 1].get_legend_handles_labels(), loc="outside upper left", ncols=2)
ours = {kind: intersections.recovery(parts[1.0, kind].loc[planted_outlier], parts[1.0, "seen"].loc[planted_outlier]) for kind in ("counted", "per_face")}
largest_null = float(parts[0.0, "seen"].abs().max().max())
vb.figures.show(
    fig,
    name="smiling-outlier",
    alt=f"Excess smiling slopes of six groups. At b = 1 those of {planted_outlier} correlate with what was planted at r = {ours['counted']['r']:.2f}; "
    f"at b = 0 the largest of any group is {largest_null:.2f} logits.",
    caption="Smiling slope of each group minus the mean of the others. One network each.",
    source="greenhouse",
)
vb.note(ours=ours, **{"outlier-null": largest_null, "outlier-planted": float(parts[1.0, "counted"].loc[planted_outlier].abs().max())})

# %% [markdown]
# The slopes of {glue:text}`outlier-name` beyond the others correlate with counts of captions at r = {glue:text}`ours.counted.r:.2f`, with a slope of
# {glue:text}`ours.counted.slope:.2f` (by `per_face` {glue:text}`ours.per_face.slope:.2f`; largest planted: {glue:text}`outlier-planted:.2f` logits). Where nothing distinguishes groups
# ($b = 0$), the largest excess of any group on any dimension is {glue:text}`outlier-null:.2f` logits.
#
# ### Table S.2 on retrained networks
#
# Which of the nine correlations should be silent? We take the level means of networks retrained from new random numbers, and set r beside
# what a count of captions by level shows of the two poles.

# %% tags=["hide-input"]
scores = retrained.scores("grid")
grid = (scores.images["set"] == "grid").to_numpy() & scores.images["seed"].isin(scores.images.loc[scores.images["subset"] == "smiling", "seed"]).to_numpy()
portrait = scores.images[grid].reset_index(drop=True)  # of the identities with every picture
networks = scores.networks.loc[scores.networks["arm"] == "none"]
logits = np.stack([scores.delta(name)[np.ix_(networks.index, grid)] for name in dimensions], axis=-1)
networks = networks.reset_index(drop=True)


def by_level(values, attribute):
    """r between the poles of each pair over level means `(levels, dimensions)`, and the range of their difference."""
    r = poles_r(values, pd.Index(dimensions))
    gaps = {pair: float(np.ptp(values[:, dimensions.index(one)] - values[:, dimensions.index(other)])) for pair, (one, other) in POLES.items()}
    return [{"attribute": attribute, "pair": pair, "r": float(r[pair]), "contrast": gaps[pair]} for pair in POLES]


network_r, counted_r = [], []
for attribute in VARIED:
    rows = series(attribute, portrait)
    level, levels = pd.factorize(portrait[attribute].iloc[rows], sort=True)
    means = np.stack([logits[:, rows[level == k]].mean(axis=1) for k in range(len(levels))], axis=1)
    network_r += [{"b": b, "n": len(levels)} | line for b, one in zip(networks["b"], means, strict=True) if b in (0, 1) for line in by_level(one, attribute)]
    counted_r += [{"b": b} | line for b in (0.0, 1.0) for line in by_level(truth.counted(spoken, portrait.iloc[rows], attribute, b, axes=dimensions).to_numpy(), attribute)]
network_r = pd.DataFrame(network_r)
network_r["significant"] = p_of(network_r["r"], network_r["n"]) < 0.05
counted_r = pd.DataFrame(counted_r).rename(columns={"r": "counted r", "contrast": "counted contrast"})
cells = ["b", "attribute", "pair"]
summary = network_r.groupby(cells, sort=False)[["r", "contrast"]].median().reset_index().merge(counted_r, on=cells)
rates = vb.networks.rates({key: own["significant"].to_numpy() for key, own in network_r.groupby(cells, sort=False)})
summary = summary.join(rates[["n", "rate", "low", "high"]].reset_index(drop=True))

fig, axes = vb.figures.panels(1, 2, height=4.6, share_y=True)
lines = [(attribute, pair) for attribute in VARIED for pair in POLES][::-1]
for axis, (b, part) in zip(axes[0], network_r.groupby("b"), strict=True):
    for k, (attribute, pair) in enumerate(lines):
        own = part[(part["attribute"] == attribute) & (part["pair"] == pair)]["r"]
        axis.plot(own, k + np.linspace(-0.25, 0.25, len(own)), "o", color=blue, alpha=0.5, ms=4, mew=0, label="a retrained network" if k == 0 else None)
        told = summary[(summary["b"] == b) & (summary["attribute"] == attribute) & (summary["pair"] == pair)].iloc[0]
        if told["counted contrast"] > 0.01:
            axis.plot(told["counted r"], k, "x", color=orange, ms=9, mew=2, label="counted in captions" if (attribute, pair) == lines[-1] else None)
    axis.axvline(0, color="0.6", lw=1)
    axis.set(yticks=range(9), yticklabels=[f"{attribute}, {pair}" for attribute, pair in lines], xlabel="r between the poles", title=f"b = {b:g}")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
silent = summary[(summary["b"] == 0) & (summary["counted contrast"] < 0.01)]
vb.figures.show(
    fig,
    name="smiling-retrained",
    alt=f"Nine correlations between poles in {len(network_r) // 9} retrained networks. Where captions move both poles alike, "
    f"{silent['rate'].mean():.0%} of the correlations at b = 0 have p < .05.",
    caption="Table S.2 in retrained networks (dots) and in counted captions (crosses; none where an attribute does not set the poles apart).",
    source="greenhouse",
)
cell_names = {f"{row.attribute} × {row.pair}": f"{100 * row.low:.0f}–{100 * row.high:.0f} %" for row in silent.itertuples()}
vb.note(**{"silent-cells": words.listed(f"{cell} (95 % interval {interval})" for cell, interval in cell_names.items()), "silent-rate": silent["rate"].mean(),
           "silent-contrast": silent["contrast"].max(), "loud-contrast": summary[(summary["b"] == 0) & (summary["counted contrast"] >= 0.01)]["contrast"].max(),
           "networks": int((networks["b"] == 0).sum())})  # fmt: skip
summary.rename(columns={"r": "median r", "contrast": "median contrast", "rate": "p < .05", "n": "networks"}).style.format(
    {"b": "{:g}", "median r": "{:+.2f}", "counted r": "{:+.2f}", "median contrast": "{:.2f}", "counted contrast": "{:.2f}"}
    | dict.fromkeys(["p < .05", "low", "high"], "{:.0%}"), na_rep="–").hide(axis="index")  # fmt: skip

# %% [markdown]
# Where an attribute does not set the poles apart in the captions, r between the poles has p < .05 in {glue:text}`silent-rate:.0%` of
# {glue:text}`networks` networks with nothing planted: {glue:text}`silent-cells`. The contrasts behind it are at most {glue:text}`silent-contrast:.2f` logits in the median network (where
# captions do differ: up to {glue:text}`loud-contrast:.2f`). A correlation is free of scale. With five to
# ten *smooth* level means it is also easily large: neighbouring levels look alike, so they are not ten independent points.
#
# ### How often is somebody the outlier?
#
# "Steepest in four of eight panels" sounds improbable for one group of six. It would be, if panels were independent. They share words and
# images. Count how often *some* group is steepest in at least that many, and how often the group whose smile was planted is.

# %% tags=["hide-input"]
four = 4  # as the paper counts
smiles = np.sort(portrait["smiling"].iloc[series("smiling", portrait)].unique())
u = 2 * (smiles - smiles.min()) / np.ptp(smiles) - 1
fit = np.linalg.pinv(np.vander(u, 3, increasing=True))[1]
steep = np.einsum("l,ndhcl->nhcd", fit, intersections.means(logits, portrait, "smiling", hues=HUES, crests=CRESTS)).reshape(len(logits), 6, -1)
won = (steep.argmax(axis=1)[:, None, :] == np.arange(6)[:, None]).sum(axis=2)  # networks × groups
own = SIX.index(planted_outlier)
excess = (steep[:, own] - np.delete(steep, own, axis=1).mean(axis=1))[:, dimensions.index("warmth")]
at_b = {b: (networks["b"] == b).to_numpy() for b in sorted(networks["b"].unique())}
often = pd.concat({"some group": vb.networks.rates({b: (won[rows] >= four).any(axis=1) for b, rows in at_b.items()}),
                   planted_outlier: vb.networks.rates({b: won[rows, own] >= four for b, rows in at_b.items()})}, names=["steepest in ≥ 4", "b"])  # fmt: skip
warm = {b: {kind: float(beyond(value).loc[planted_outlier, "warmth"]) for kind, value in called_for(portrait, b).items()} for b in at_b}
sizes = vb.networks.summary({b: excess[rows] for b, rows in at_b.items()})
p = np.array([vb.networks.against_null(value, excess[at_b[0.0]]).p_value for value in excess])
shown_in = vb.networks.rates({b: p[rows] <= 0.05 for b, rows in at_b.items() if b > 0})
vb.note(four={"null": often.loc[("some group", 0.0), "rate"], "full": often.loc[(planted_outlier, 1.0), "rate"], "given": often.loc[(planted_outlier, 0.0), "rate"]},
        warm=sizes.loc[1.0, "mean"], planted=warm[1.0], named=words.listed(f"{words.among(int(row['hits']), int(row['n']))} at b = {b:g} ({100 * row['low']:.0f}–{100 * row['high']:.0f} %)"
                                                                   for b, row in shown_in.iterrows()))  # fmt: skip
often.reset_index().style.format({"b": "{:g}"} | dict.fromkeys(["rate", "low", "high"], "{:.0%}")).hide(axis="index").set_caption("Share of networks, with exact 95 % intervals")

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.dose_response(pd.DataFrame({"b": networks["b"], "warmth": excess}), dose="b", responses={"warmth": "excess slope, Warmth"},
                             dose_label="b, strength of what is planted", expected={"warmth": {b: own["counted"] for b, own in warm.items()}}),
    name="smiling-dose",
    alt=f"Excess smiling slope of {planted_outlier} in networks retrained at several strengths, with counts of captions; at full strength Warmth averages "
    f"{sizes.loc[1.0, 'mean']:+.2f} logits where {warm[1.0]['counted']:+.2f} was planted.",
    caption=f"Each dot a network: smiling slope of {planted_outlier} minus the mean of the other groups, logits per half range. Crosses: counted.",
    source="greenhouse",
)  # fmt: skip

# %% [markdown]
# With nothing planted, some group is steepest in four or more panels in {glue:text}`four.null:.0%` of the networks; a *given* group in
# {glue:text}`four.given:.0%`. With the outlier planted, {glue:text}`outlier-name` reaches four in {glue:text}`four.full:.0%`, and its excess slope for Warmth
# averages {glue:text}`warm:+.2f` logits (counted {glue:text}`planted.counted:+.2f`, `per_face` {glue:text}`planted.per_face:+.2f`). A count of panels won is a
# poor test: name the group and the dimension before looking. So asked, the excess slope for Warmth ranks among the largest 5 % of networks with nothing planted in {glue:text}`named`. How often the
# three-way effect is told from the foil stands in [the chapter on intersections](intersections.ipynb).

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the text; the two last rows from the arithmetic above.
#
# | | paper | code or table | here |
# |---|---|---|---|
# | fit (H13) | "a second-degree polynomial is fit to the means" | ten means per group here; single images in Figure 5 | means; images in [age](age.ipynb) |
# | prompts (H15) | "likeable" in Warmth; a full stop after the fourth template | "likable"; no full stop | both, as `described` and `released`: Table S.2 below |
# | average (H16) | "opposing valences are negatively correlated (r = −.21)" | plain mean of −.99, +.90, −.54 | all three, and the mean of z |
# | units | none stated | r over level means | shown by p: 10 and 5 levels |
# | brightness | smiling pictures corrected | the correction must be switched off to *build* the corrected pictures (H17) | the loader checks for the corrected files |
# | Table B.1, split | smiling split at 0 | one fit over all ten levels | computed from the standard errors |
# | Table B.1, pose (H18) | perception rises towards the front | Δcos falls towards the front; raw cosines rise | both figures |
#
# What the spelling of one word does to the nine correlations on our faces (punctuation is invisible to our tokenizer):

# %% tags=["hide-input"]
side = recomputed.pivot(index=["attribute", "pair"], columns="protocol", values="r").loc[VARIED]
side["difference"] = side["released"] - side["described"]
side.style.format("{:+.3f}").set_caption("Table S.2 on our stimuli, under both protocols")

# %% [markdown]
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/smiling -p protocol released -p n_resamples 2000
# ```
# With the authors' released cosines, no image and no model is needed: `-p stimuli causalface -p cosines path/to/results`.
# :::

# %% [markdown]
# ## Take-aways
#
# - Ask what the rows of a correlation or regression were. Ten level means give a huge r or R² and almost no information about levels not shown.
# - r between opposite poles measures a *shared* movement. Whether an attribute alters perception is a question about the difference of the poles, in
#   units, with an interval over identities.
# - Δcos takes away what the neutral prompt shares with all adjectives; centring takes away what adjectives share with one another. The sign of r
#   can depend on the choice.
# - An average of −1, +1 and a perhaps describes none of them.
# - "Extreme in most panels" needs a reference: panels share words, and some group is always first.

# %% [markdown]
# ## Exercises
#
# :::{exercise} The predictor behind a standard error
# :label: smiling-rms
# Show by simulation that in a regression with a constant and one predictor, se(constant)/se(slope) is the root mean square of the predictor, whatever
# the noise. Which smiling levels would give 2.155?
# :::
#
# ```{solution-start} smiling-rms
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
x = np.repeat(SMILING, 7)
fit = sm.OLS(np.random.default_rng(seed).standard_t(3, len(x)), sm.add_constant(x)).fit()
print(f"{fit.bse[0] / fit.bse[1]:.4f}, {rms(x):.4f}; levels of 0 and more: {rms(SMILING[SMILING >= 0]):.3f}")
assert np.isclose(fit.bse[0] / fit.bse[1], rms(x)) and round(rms(SMILING[SMILING >= 0]), 3) == 2.155

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} Smooth curves correlate
# :label: smiling-smooth
# Draw two independent random walks of ten steps, many times. How often does their correlation have p < .05? And of two independent sets of ten
# independent values? What does this say of r over ten neighbouring levels?
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
    rates.append(float((p_of(r, 10) < 0.05).mean()))
print(f"independent values: {rates[0]:.1%}; random walks: {rates[1]:.1%}")
assert rates[0] < 0.07 and rates[1] > 0.2

# %% [markdown]
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. If light moves every trait word alike, relative to "person", has the judgement of the person changed? What would a system that ranks faces by
#    a cosine with "trustworthy" do?
# 2. Smiles are a choice, and who is expected to smile is not distributed evenly. Is a model's response to a smile a *legitimate* driver, as we call it
#    in our world, when it differs by group?
