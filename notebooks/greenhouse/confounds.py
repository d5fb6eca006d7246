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
# **In 20 minutes:** {ref}`three estimates of one effect <confounds-effects>`, {ref}`the leak <confounds-leak>`, take-aways. **In 75 minutes:** also
# {ref}`the gaps between groups <confounds-gaps>`, both exercises.
#
# **You need:** regression, confounding. The primer [Targets](../../book/primers/targets.md) says what a claim can be about; the
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
sample = "fairface"  # the uncontrolled sample that is drawn: "fairface" or "utkface"; the tables have both
youngest = 20  # the paper leaves out who is younger, in years
level = 0.95  # of the intervals over retrained models
seed = 0  # of every random draw; this page makes none of its own
results = "_build/results/greenhouse/confounds.json"  # no claims here

# %% tags=["hide-input"]
from itertools import combinations

import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import stats
from scipy.spatial import cKDTree

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import faces, grammar, grid, truth
from studies import words as wording

study = retrained.scores("grid")
spoken = grammar.load()
bias = spoken.bias
DIMENSIONS = list(study.columns[:8])
SAMPLES = list(grid.OBSERVED)
INK = {"controlled": "#0072B2", "naive": "#D55E00", "adjusted": "#7A6BB0", "matched": "#14807A", "all known": "#8C8C8C"}
HALF = {"age": bias.features["age"]["half_range"], "smiling": bias.features["smiling"]["half_range"]}
EFFECTS = list(HALF)
images = bias.with_looks(study.images)  # and what every face wears, which no data set records
MODELS = {b: (study.networks["shows"] & (study.networks["b"] == b) & (study.networks["arm"] == "none")).to_numpy() for b in (1.0, 0.0)}
shown = np.stack([study.delta(name) for name in DIMENSIONS], axis=-1)  # logits


def words(name):
    """An axis as a reader would write it."""
    return name.replace("_", " ")


def planted(rows, b):
    """What a network that had learnt every face's odds would show (`per_face`), `(n, 8)`, in logits."""
    return truth.per_face(spoken, rows, b, axes=DIMENSIONS).to_numpy()


def feature(rows, name):
    """An attribute in units of half its range, from about -1 to 1."""
    return bias.feature(name, rows)


def mean_interval(values):
    """Mean over models, and its t interval at `level`."""
    half = stats.t.ppf(0.5 + level / 2, len(values) - 1) * stats.sem(values, axis=0) if len(values) > 1 else np.nan
    return values.mean(axis=0), values.mean(axis=0) - half, values.mean(axis=0) + half


counts = [int(chosen.sum()) for chosen in MODELS.values()]
for key, value in {"n-full": counts[0], "n-null": counts[1], "level": 100 * level}.items():
    glue(key, value, display=False)

# %% [markdown]
# ## Two collections of found faces
#
# `grid.fairface` and `grid.utkface` draw individuals, one photograph each. Hues differ in number, age and light; crests differ in age and smiling; the older smile
# less. All of that is *recorded*: a column tells. One thing is not. The colour of the garment goes along with hue, age and smiling, and a warm
# garment makes communion words likelier in captions, in every world, at every strength of bias. No column tells.

# %% tags=["hide-input"]
def in_sample(kind):
    """Rows of a sample that the paper would use: three hues, nobody younger than `youngest`."""
    return ((images["set"] == kind) & (images["race"] != "lime") & (images["years"] >= youngest)).to_numpy()


people = images[in_sample(sample)]
drawn = people.groupby(["race", "gender"]).head(2).sort_values(["race", "gender"])
labels = [f"{row.race}, {row.gender}\nage {row.age:.1f}, smile {row.smiling:.1f}" for row in drawn.itertuples()]
vb.figures.show(
    vb.figures.contact_sheet(list(faces.render(drawn.astype({"photo": int}), 64)), labels, columns=4), name="confounds-sample",
    alt="Twelve faces of the uncontrolled sample in three hues with two crests. They differ in age, smile, light, pose and clothes at once.",
    caption="A few individuals of the sample. Everything differs at once.", source="greenhouse")
table = []
for kind in SAMPLES:
    rows = images[in_sample(kind)]
    told = {name: rows[name] for name in ("age", "smiling", "lighting")} | {
        level: (rows[column] == level).astype(float) for column, level in (*(("race", hue) for hue in grid.HUES[:3]), ("gender", grid.CRESTS[1]))}  # fmt: skip
    table += [{"sample": kind, "individuals": len(rows), "garment (not recorded)": rows["warm_garment"].corr(values), "smiling": rows["smiling"].corr(values),
               "age": rows["age"].corr(values), "with": name} for name, values in told.items()]
table = pd.DataFrame(table).set_index(["sample", "individuals", "with"])[["age", "smiling", "garment (not recorded)"]]
glue("garment-age", float(people["warm_garment"].corr(people["age"])), display=False)
glue("garment-smiling", float(people["warm_garment"].corr(people["smiling"])), display=False)
glue("age-smiling", float(people["age"].corr(people["smiling"])), display=False)
glue("n-people", len(people), display=False)
table.style.format("{:+.2f}").set_caption("Correlations in the two samples, as the paper would filter them")

# %% [markdown]
# In the sample drawn here ({glue:text}`n-people` individuals after the paper's filters) age and smiling correlate at {glue:text}`age-smiling:.2f`, the garment
# with age at {glue:text}`garment-age:.2f` and with smiling at {glue:text}`garment-smiling:.2f`.
#
# The **controlled** counterpart is the grid: the same identity at every level of one attribute, everything else equal. {glue:text}`n-full` networks trained at $b = 1$ and
# {glue:text}`n-null` at $b = 0$ saw all of it. An **effect** of age (of smiling) is the change of a dimension per *half the range* of the attribute, in logits. Its
# target has two versions, and they are not the same.
#
# - **Planted**: by how much log odds of captions change if every face of the set had been a little older (smiled a little more) and nothing else, averaged over faces (`per_face`). It asks about the *captions*.
# - **Own**: the effect that the same network shows in clean controlled series of *other* identities. It asks about *this network*, which learned a part of what was planted.

# %%
def slope(values, columns):
    """Least squares: the coefficient of the first column, `(models, 8)`."""
    design = np.column_stack([*columns, np.ones(len(columns[0]))])
    return np.einsum("n,mnd->md", np.linalg.pinv(design)[0], values)


def recorded(rows, *, but):
    """What a careful analyst adjusts for: group, and every recorded attribute except one."""
    group = pd.get_dummies(rows["race"] + rows["gender"], drop_first=True)
    others = [feature(rows, name) for name in EFFECTS if name != but]
    return [*group.to_numpy(float).T, *others, *[one**2 for one in others], feature(rows, "lighting"), feature(rows, "turned")]


def pairs(high, low, strata, near):
    """Nearest neighbours with replacement, each way, within strata: places of the high and of the low one."""
    near = near / near.std(axis=0)
    found = []
    for stratum in np.unique(strata):
        a, b = (np.flatnonzero(side & (strata == stratum)) for side in (high, low))
        if len(a) and len(b):
            found += [(a, b[cKDTree(near[b]).query(near[a])[1]]), (a[cKDTree(near[a]).query(near[b])[1]], b)]
    return tuple(np.concatenate(side) for side in zip(*found, strict=True))


def matched(values, rows, name):
    """The oldest (most smiling) third against the youngest, matched on group and the other recorded attributes."""
    x = feature(rows, name)
    near = np.column_stack([feature(rows, one) for one in (*EFFECTS, "lighting", "turned") if one != name])
    up, down = pairs(x > np.quantile(x, 2 / 3), x < np.quantile(x, 1 / 3), (rows["race"] + rows["gender"]).to_numpy(), near)
    return (values[:, up] - values[:, down]).mean(axis=1) / (x[up] - x[down]).mean()


def estimates(values, rows, name):
    """Every estimate of an effect from an uncontrolled sample."""
    x, known = feature(rows, name), recorded(rows, but=name)
    return {"naive": slope(values, [x]), "adjusted": slope(values, [x, *known]), "matched": matched(values, rows, name),
            "all known": slope(values, [x, *known, rows["warm_garment"].to_numpy()])}


# %% tags=["hide-input"]
def target(rows, name, b, step=0.05):
    """The planted effect: the average over the rows of what a small change of one attribute changes."""
    more, less = (rows.assign(**{name: rows[name] + sign * step * HALF[name]}) for sign in (1, -1))
    return ((planted(more, b) - planted(less, b)) / (2 * step)).mean(axis=0)


clean = images["set"] == "grid"
identities = np.sort(images.loc[clean & (images["subset"] == "age"), "seed"].unique())
leaky = np.sort(images.loc[images["set"] == "leak", "seed"].unique())
others = np.setdiff1d(identities, leaky)  # whose series say what a network's own effects are


def series(name, who, leak=0.0):
    """Rows of a controlled series; with its prototypes."""
    rows = images["seed"].isin(who) & images["subset"].isin([name, "prototype"])
    return (rows & (clean if leak == 0 else (images["set"] == "leak") & np.isclose(images["leak"], leak))).to_numpy()


def controlled(name, who, b, leak=0.0):
    """The effect in a controlled series, `(models, 8)`."""
    rows = series(name, who, leak)
    return slope(shown[MODELS[b]][:, rows], [feature(images[rows], name)])


found = {}  # (sample, effect, b) -> estimate -> (models, 8)
aims = {}  # (set, effect, b) -> (8,) planted
own = {(name, b): controlled(name, others, b) for name in EFFECTS for b in MODELS}
for name in EFFECTS:
    for b, chosen in MODELS.items():
        aims["grid", name, b] = target(images[series(name, leaky)], name, b)
        for kind in SAMPLES:
            rows = in_sample(kind)
            aims[kind, name, b] = target(images[rows], name, b)
            found[kind, name, b] = estimates(shown[chosen][:, rows], images[rows], name) | {"controlled": controlled(name, leaky, b)}


def aim(kind, name, b, method):
    """The planted effect that an estimate is about: that of its own faces."""
    return aims["grid" if method == "controlled" else kind, name, b]


# %% [markdown]
# ## Three estimates of one effect

# %% tags=["hide-input"]
METHODS = ("controlled", "naive", "adjusted", "matched")
fig, axes = vb.figures.panels(1, 2, height=5.2, share_y=True)
for panel, name in zip(axes[0], EFFECTS, strict=True):
    panel.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    for k in range(len(DIMENSIONS)):
        for j, method in enumerate(METHODS):
            mean, low, high = mean_interval(found[sample, name, 1.0][method][:, k])
            y = len(DIMENSIONS) - 1 - k + 0.3 - 0.17 * j
            panel.hlines(y, low, high, color=INK[method], linewidth=2)
            panel.plot(mean, y, "o", color=INK[method], markersize=4.5, label=method if k == 0 and name == EFFECTS[0] else None)
            panel.plot(aim(sample, name, 1.0, method)[k], y, "x", color="0.2", markersize=5, label="planted" if k == j == 0 and name == EFFECTS[0] else None)
    panel.set(title=f"effect of {name}", xlabel="logits per half range", yticks=range(len(DIMENSIONS)), yticklabels=[words(one) for one in DIMENSIONS[::-1]])
fig.legend(loc="outside upper left", ncols=3)


def wrong_sign(kind, name, b, method, least=0.15):
    """Share of networks × dimensions, with a planted effect beyond `least`, in which the estimate has the other sign."""
    planted_one = aim(kind, name, b, method)
    clear = np.abs(planted_one) > least
    return float((np.sign(found[kind, name, b][method][:, clear]) != np.sign(planted_one[clear])).mean())


def error(kind, name, b, method, own_target=False):
    """Root mean squared error over the eight dimensions, per network, in logits."""
    goal = own[name, b] if own_target else aim(kind, name, b, method)
    return np.sqrt(((found[kind, name, b][method] - goal) ** 2).mean(axis=1))


rows = [{"effect of": name, "sample": kind, "b": f"{b:g}", "estimate": method, "against the planted": error(kind, name, b, method).mean(),
         "against the network's own": error(kind, name, b, method, own_target=True).mean(), "wrong sign": 100 * wrong_sign(kind, name, b, method)}
        for name in EFFECTS for b in MODELS for kind in SAMPLES for method in (*METHODS, "all known")]
errors = pd.DataFrame(rows)
vb.figures.show(
    fig, name="confounds-effects",
    alt="Effects of age and of smiling on eight dimensions, in logits, by four estimates, beside what was planted. Mean error over dimensions for age: "
        + ", ".join(f"{method} {error(sample, 'age', 1.0, method).mean():.2f}" for method in METHODS) + "; for smiling: "
        + ", ".join(f"{method} {error(sample, 'smiling', 1.0, method).mean():.2f}" for method in METHODS) + ".",
    caption=f"{counts[0]} networks at b = 1: means and {100 * level:.0f} % intervals over networks. Crosses: what was planted, for the faces that the estimate is about.",
    source="greenhouse")
wide = errors.pivot_table(index=["effect of", "b", "sample"], columns="estimate", values=["against the planted", "against the network's own"], sort=False)
for name in EFFECTS:
    for method in (*METHODS, "all known"):
        for short, own_target in (("planted", False), ("own", True)):
            glue(f"{name}-{method.replace(' ', '-')}-{short}", float(error(sample, name, 1.0, method, own_target=own_target).mean()), display=False)
    for short, own_target in (("planted", False), ("own", True)):
        glue(f"order-{name}-{short}", wording.listed(sorted(METHODS, key=lambda one, n=name, o=own_target: error(sample, n, 1.0, one, own_target=o).mean())), display=False)
    glue(f"{name}-naive-sign", 100 * wrong_sign(sample, name, 1.0, "naive"), display=False)
    glue(f"{name}-adjusted-sign", 100 * wrong_sign(sample, name, 1.0, "adjusted"), display=False)
    glue(f"{name}-controlled-sign", 100 * wrong_sign(sample, name, 1.0, "controlled"), display=False)
wide.style.format("{:.2f}").set_caption("Error of an estimate, logits: root mean square over eight dimensions, mean over networks. All known: adjusted for the garment, too, as nobody could")

# %% [markdown]
# **Age.** Against the planted effects, the controlled series err by {glue:text}`age-controlled-planted:.2f` logits, the naive regression by {glue:text}`age-naive-planted:.2f`, after adjusting for
# everything that is recorded {glue:text}`age-adjusted-planted:.2f`; could one adjust for the garment, {glue:text}`age-all-known-planted:.2f`.
# From nearest to furthest: {glue:text}`order-age-planted`. Against the network's *own* effects: {glue:text}`order-age-own` (controlled {glue:text}`age-controlled-own:.2f`, naive {glue:text}`age-naive-own:.2f`,
# adjusted {glue:text}`age-adjusted-own:.2f`). Of the effects with more than a trace planted, the naive estimate has the wrong sign in {glue:text}`age-naive-sign:.0f` % of networks and dimensions, the adjusted in
# {glue:text}`age-adjusted-sign:.0f` %, the controlled in {glue:text}`age-controlled-sign:.0f` %.
#
# **Smiling.** Against the planted effects, from nearest to furthest: {glue:text}`order-smiling-planted` (controlled {glue:text}`smiling-controlled-planted:.2f`, naive {glue:text}`smiling-naive-planted:.2f`, adjusted
# {glue:text}`smiling-adjusted-planted:.2f`); against the network's own: {glue:text}`order-smiling-own` ({glue:text}`smiling-controlled-own:.2f`, {glue:text}`smiling-naive-own:.2f`, {glue:text}`smiling-adjusted-own:.2f`).
#
# Where the two orders differ, the network has not learnt all that was planted. A correct estimate of what *it* does then falls short of the captions, which counts as an error of the arm if the planted effect is the target;
# a confounder that pushes the same way makes up for it. Two errors that cancel are not a method.

# %% tags=["hide-input"]
people_shown = retrained.scores("people")  # other identities, the same in all groups: a network's own gaps
own_faces = np.stack([people_shown.delta(name) for name in DIMENSIONS], axis=-1)


def planted_gap(rows, column, first, second, b):
    """What a count of captions shows if everybody were of one group, less if everybody were of the other, `(8,)`."""
    both = pd.concat([rows.assign(**{column: group}) for group in (first, second)])
    table = truth.counted(spoken, both, column, b, axes=DIMENSIONS)
    return (table.loc[first] - table.loc[second]).to_numpy()


def mean_difference(values, rows, column, first, second):
    """Means of two groups compared, `(models, 8)`."""
    one, other = (values[:, (rows[column] == group).to_numpy()].mean(axis=1) for group in (first, second))
    return one - other


HUE_PAIRS = [f"{one} − {other}" for one, other in combinations(grid.HUES[:3], 2)]
CREST_PAIR = " − ".join(grid.CRESTS)
GAPS = {pair: ("race", *pair.split(" − ")) for pair in HUE_PAIRS} | {CREST_PAIR: ("gender", *grid.CRESTS)}


def gap_estimates(values, rows, column, first, second):
    """Every estimate of the difference between two groups, `(models, 8)`."""
    here = rows[column].isin([first, second]).to_numpy()
    rows, values = rows[here], values[:, here]
    one = (rows[column] == first).to_numpy()
    other = "gender" if column == "race" else "race"
    attributes = [feature(rows, name) for name in (*EFFECTS, "lighting", "turned")]
    near = np.column_stack(attributes)
    known = [*pd.get_dummies(rows[other], drop_first=True).to_numpy(float).T, *attributes, attributes[0] ** 2, attributes[1] ** 2]
    up, down = pairs(one, ~one, rows[other].to_numpy(), near)
    return {"naive": values[:, one].mean(axis=1) - values[:, ~one].mean(axis=1), "adjusted": slope(values, [one.astype(float), *known]),
            "matched": (values[:, up] - values[:, down]).mean(axis=1),
            "all known": slope(values, [one.astype(float), *known, rows["warm_garment"].to_numpy()])}


prototypes = (clean & (images["subset"] == "prototype")).to_numpy()
gap_rows = []
for pair, (column, first, second) in GAPS.items():
    for b, chosen in MODELS.items():
        grid_rows = images[prototypes]
        made = mean_difference(shown[chosen][:, prototypes], grid_rows, column, first, second)
        own_gap = mean_difference(own_faces[chosen], people_shown.images, column, first, second)
        for kind in SAMPLES:
            rows = in_sample(kind)
            estimated = {"controlled": made} | gap_estimates(shown[chosen][:, rows], images[rows], column, first, second)
            for method, values in estimated.items():
                goal = planted_gap(grid_rows if method == "controlled" else images[rows], column, first, second, b)
                gap_rows += [{"pair": pair, "b": b, "sample": kind, "method": method, "network": k, "dimension": one, "gap": values[k, j], "planted": goal[j],
                              "own": own_gap[k, j]} for k in range(len(values)) for j, one in enumerate(DIMENSIONS)]
gaps = pd.DataFrame(gap_rows)

# %% [markdown]
# ## Gaps between groups
#
# The paper's concern is bias: differences between groups. With $b = 0$ there is none in the captions. What do found faces show? Planted gaps are counts of captions (`counted`); a network's own gap is
# that of other identities, the same in all groups.

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(2, 2, height=9.0, share_x=True, share_y=True)
for panel, (pair, part) in zip(axes.flat, gaps[(gaps["b"] == 0) & (gaps["sample"] == sample)].groupby("pair", sort=False), strict=True):
    panel.axvline(0, color=vb.figures.COLOURS["planted"], linewidth=1.2, label="planted: nothing" if pair == next(iter(GAPS)) else None)
    for j, method in enumerate(METHODS):
        for k, one in enumerate(DIMENSIONS):
            mean, low, high = mean_interval(part[(part["method"] == method) & (part["dimension"] == one)]["gap"].to_numpy())
            y = len(DIMENSIONS) - 1 - k + 0.3 - 0.17 * j
            panel.hlines(y, low, high, color=INK[method], linewidth=2)
            panel.plot(mean, y, "o", color=INK[method], markersize=4.5, label=method if k == 0 and pair == next(iter(GAPS)) else None)
    panel.set(title=pair, xlabel="gap at b = 0, logits", yticks=range(len(DIMENSIONS)), yticklabels=[words(one) for one in DIMENSIONS[::-1]])
fig.legend(loc="outside upper left", ncols=3)
gap_error = gaps.assign(planted_error=(gaps["gap"] - gaps["planted"]) ** 2, own_error=(gaps["gap"] - gaps["own"]) ** 2)
gap_error = np.sqrt(gap_error.groupby(["pair", "b", "sample", "method", "network"], sort=False)[["planted_error", "own_error"]].mean())
gap_error = gap_error.groupby(["pair", "b", "sample", "method"], sort=False).mean()
mean_gap = gaps.groupby(["pair", "b", "sample", "method", "dimension"], sort=False)["gap"].mean()
at_null = gap_error["planted_error"].xs((0.0, sample), level=("b", "sample")).unstack("method")
furthest = at_null.loc[HUE_PAIRS, "naive"].idxmax()  # the pair of hues with the largest naive error
for short, pair in (("race", furthest), ("crest", CREST_PAIR)):
    for method in METHODS:
        glue(f"{short}-{method}", float(at_null.loc[pair, method]), display=False)
    for target_name in ("planted", "own"):
        errors_1 = gap_error[f"{target_name}_error"].xs((pair, 1.0, sample), level=("pair", "b", "sample"))
        glue(f"order-{short}-{target_name}", wording.listed(f"{method} ({errors_1[method]:.2f})" for method in errors_1.loc[list(METHODS)].sort_values().index), display=False)
at_worst = mean_gap.loc[:, 0.0, sample].unstack("method").loc[[*HUE_PAIRS, CREST_PAIR]]
worst = at_worst["naive"].abs().idxmax()
vb.note(**{"furthest-pair": furthest, "crest-pair": CREST_PAIR, "worst": f"{words(worst[1])} ({worst[0]})"} | {f"worst-{method}": at_worst.loc[worst, method] for method in METHODS})
vb.figures.show(
    fig, name="confounds-gaps",
    alt="Gaps between groups at b = 0, where nothing is planted. Root mean squared error over dimensions: "
        + "; ".join(f"{pair}: " + ", ".join(f"{method} {at_null.loc[pair, method]:.2f}" for method in METHODS) for pair in GAPS) + ".",
    caption=f"{counts[1]} networks trained without any bias: gaps between groups in the uncontrolled sample and in the grid. Means and {100 * level:.0f} % intervals over networks.",
    source="greenhouse")
gap_error.rename(columns={"planted_error": "against the planted", "own_error": "against the network's own"}).unstack("method").style.format("{:.2f}").format_index(
    lambda one: f"{one:g}" if isinstance(one, float) else one).set_caption("Error of a gap, logits: root mean square over eight dimensions, mean over networks")

# %% [markdown]
# With nothing planted, the naive gap of the found faces is off by {glue:text}`race-naive:.2f` logits (over dimensions) between the hues for which it is largest ({glue:text}`furthest-pair`), the adjusted by {glue:text}`race-adjusted:.2f`, the matched by
# {glue:text}`race-matched:.2f`; the balanced grid by {glue:text}`race-controlled:.2f`, which is what one random start does. The largest single mean is *{glue:text}`worst`*: {glue:text}`worst-naive:+.2f` naive, {glue:text}`worst-adjusted:+.2f` adjusted,
# {glue:text}`worst-controlled:+.2f` controlled. Garments go along with hue, no column says so, and no adjustment for age, smile, light or pose can know. Between the crests ({glue:text}`crest-pair`), which differ only in what *is* recorded, it is
# {glue:text}`crest-naive:.2f` naive and {glue:text}`crest-adjusted:.2f` adjusted (grid: {glue:text}`crest-controlled:.2f`).
#
# With bias planted ($b = 1$) the target matters again. For {glue:text}`furthest-pair`, from nearest to furthest (error in logits): against counts of captions {glue:text}`order-race-planted`; against the network's own gaps
# {glue:text}`order-race-own`. Between the crests: {glue:text}`order-crest-planted`; {glue:text}`order-crest-own`. An error against the captions holds what the network did not learn as well as what the sample confounds.
#
# ## When the control leaks
#
# An experiment is only as good as its manipulation. Suppose that the generator that makes a face older also turns its skin (`age_hue`), or that smiling also brightens the picture, as the authors found and
# corrected (`smiling_brightness`). At λ = 1 the oldest skin is blue and the youngest red, and a broad smile brightens the picture by two fifths. Is there a λ, among those tried, at which an uncontrolled estimate is nearer to the target?

# %% tags=["hide-input"]
STRENGTHS = [0.0, *np.sort(images.loc[images["set"] == "leak", "leak"].unique())]
targets = {"the planted effect": False, "the network's own effect": True}
fig, axes = vb.figures.panels(2, 2, height=6.6, share_x=True, share_y=True)
crossings = []
for line, (title, own_target) in zip(axes, targets.items(), strict=True):
    for panel, name in zip(line, EFFECTS, strict=True):
        curve = []
        for strength in STRENGTHS:
            goal = own[name, 1.0] if own_target else aims["grid", name, 1.0]
            curve.append(np.sqrt(((controlled(name, leaky, 1.0, strength) - goal) ** 2).mean(axis=1)))
        curve = np.stack(curve, axis=1)  # networks × strengths
        mean, low, high = mean_interval(curve)
        panel.fill_between(STRENGTHS, low, high, color=INK["controlled"], alpha=0.2, linewidth=0)
        panel.plot(STRENGTHS, mean, "o-", color=INK["controlled"], markersize=4, label="controlled, leaking")
        for kind in SAMPLES:
            for method in ("naive", "adjusted", "matched"):
                goal = error(kind, name, 1.0, method, own_target=own_target)
                beaten = curve > goal[:, None]
                place = []
                for k in range(len(curve)):
                    step = int(np.argmax(beaten[k])) if beaten[k].any() else -1
                    if step > 0:  # between two strengths: a straight line
                        before, after = curve[k, step - 1] - goal[k], curve[k, step] - goal[k]
                        place.append(STRENGTHS[step - 1] + (STRENGTHS[step] - STRENGTHS[step - 1]) * -before / (after - before))
                    else:
                        place.append(0.0 if step == 0 else np.inf)
                crossings.append({"effect of": name, "target": title, "sample": kind, "against": method, "control always wins": int(np.isinf(place).sum()),
                                  "never": int((np.array(place) == 0).sum()), "networks": len(place), "middle λ": float(np.median(place))})
                if kind == sample and method != "matched":
                    mean, low, high = mean_interval(goal)
                    panel.axhspan(low, high, color=INK[method], alpha=0.12, linewidth=0)
                    panel.axhline(mean, color=INK[method], linewidth=1.5, linestyle="--", label=f"uncontrolled, {method}")
        panel.set_title(f"{name}: against {title}", fontsize=9)
        panel.set_ylim(bottom=0)
for panel in axes[-1]:
    panel.set_xlabel("leak λ")
for line in axes:
    line[0].set_ylabel("error, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
crossings = pd.DataFrame(crossings)
at = crossings.set_index(["effect of", "target", "sample", "against"])


def describe(value):
    """A λ in words: the strengths tried end at the largest."""
    return f"at no λ up to {STRENGTHS[-1]:g}" if np.isinf(value) else "even without a leak" if value == 0 else f"from λ = {value:.2f}"


vb.figures.show(
    fig, name="confounds-leak",
    alt="Error of the leaking controlled series by λ, with the errors of the naive and of the adjusted uncontrolled estimates as levels. " + " ".join(
        f"{name}, against {title}: further off than the adjusted estimate {describe(at.loc[(name, title, sample, 'adjusted'), 'middle λ'])} (median λ over networks)."
        for title in targets for name in EFFECTS),
    caption=f"Networks at b = 1: root mean squared error over eight dimensions, mean and {100 * level:.0f} % interval over networks. Dashed: the uncontrolled sample.",
    source="greenhouse")
for name in EFFECTS:
    for method in ("naive", "adjusted"):
        for short, title in (("planted", "the planted effect"), ("own", "the network's own effect")):
            place = at.loc[(name, title, sample, method)]
            glue(f"cross-{name}-{method}-{short}", describe(place["middle λ"]), display=False)
            glue(f"wins-{name}-{method}-{short}", wording.among(int(place["control always wins"]), int(place["networks"])), display=False)
glue("strongest", float(STRENGTHS[-1]), display=False)
crossings.assign(**{"middle λ": crossings["middle λ"].map(describe)}).set_index(["effect of", "target", "sample", "against"]).style.set_caption(
    "From which λ an uncontrolled estimate is nearer to the target than the leaking controlled one, network by network")

# %% [markdown]
# In the middle network, the leaking experiment is further off than an uncontrolled estimate
#
# | effect | target | than the naive | than the adjusted | control nearer than the adjusted at every λ tried |
# |---|---|---|---|---|
# | age | the network's own | {glue:text}`cross-age-naive-own` | {glue:text}`cross-age-adjusted-own` | {glue:text}`wins-age-adjusted-own` |
# | age | planted | {glue:text}`cross-age-naive-planted` | {glue:text}`cross-age-adjusted-planted` | {glue:text}`wins-age-adjusted-planted` |
# | smiling | the network's own | {glue:text}`cross-smiling-naive-own` | {glue:text}`cross-smiling-adjusted-own` | {glue:text}`wins-smiling-adjusted-own` |
# | smiling | planted | {glue:text}`cross-smiling-naive-planted` | {glue:text}`cross-smiling-adjusted-planted` | {glue:text}`wins-smiling-adjusted-planted` |
#
# Strengths up to λ = {glue:text}`strongest:.0f` were tried; nothing is said of stronger ones. These λ belong to the strength of *our* confounders and of *our* networks. A leak hurts by what it changes in the picture times what the network makes of that;
# here nobody in the captions cares about brightness, and hue matters only as far as bias was planted on it.
#
# ## Take-aways
#
# - Where smile, age and clothes go along with group, an uncontrolled sample can report gaps that were never planted, in the direction of what goes along.
# - Adjustment and matching can repair what was recorded. What was not recorded stays, and nothing in the data says how much it is.
# - A leak is found by looking at the manipulation; a confounder that nobody recorded is not.
# - An estimate can be near the planted truth for a wrong reason. Ask which target it is compared with: the captions, or the network.
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
# Leave out the networks: take the *planted* log odds of the captions themselves as the outcome, at $b = 0$. How far is the adjusted effect of smiling on *warmth* from the planted one in a sample of 2,000, with the unrecorded confounder at full strength and without it
# (`grid.fairface(2_000, unrecorded=0)`)? What does the rest come from?
# :::
#
# ```{solution-start} confounds-without
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
off = {}
for strength in (1.0, 0.0):
    rows = bias.with_looks(grid.fairface(2_000, unrecorded=strength))
    rows = rows[(rows["race"] != "lime") & (rows["years"] >= youngest)]
    said = planted(rows, 0.0)[None]
    adjusted = slope(said, [feature(rows, "smiling"), *recorded(rows, but="smiling")])[0]
    off[strength] = float((adjusted - target(rows, "smiling", 0.0))[DIMENSIONS.index("warmth")])
    print(f"unrecorded {strength:g}: the adjusted effect is off by {off[strength]:+.2f} logits")
print("The rest: a straight line through log odds that bend, and two thousand individuals.")
assert abs(off[0.0]) < 0.4 * abs(off[1.0])

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} Recording it after all
# :label: confounds-proxy
# The garment is in no column, but it is in the picture. Measure its colour (red minus blue, say, in the middle of the lowest eight rows of pixels), adjust for it too, and compare the error of the effect of age at $b = 1$, again with the planted log odds as the outcome. Why is it
# not as good as knowing the garment?
# :::
#
# ```{solution-start} confounds-proxy
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rows = images[in_sample(sample)]
patch = faces.render(rows.astype({"photo": int}), 64)[:, 56:, 20:44].astype(float).mean(axis=(1, 2))
colour = (patch[:, 0] - patch[:, 2]) / 255
x, known = feature(rows, "age"), recorded(rows, but="age")
said, goal = planted(rows, 1.0)[None], aims[sample, "age", 1.0]
size = {what: float(np.sqrt(((slope(said, [x, *known, *more]) - goal) ** 2).mean(axis=1)).mean())
        for what, more in {"recorded only": [], "and the pixels": [colour], "and the garment": [rows["warm_garment"].to_numpy()]}.items()}
print(f"pixels and garment correlate at {np.corrcoef(colour, rows['warm_garment'])[0, 1]:.2f}; " + ", ".join(f"{what}: {value:.2f}" for what, value in size.items()))
# Exposure, tint, collar and trim are in the pixels, too: a confounder measured with error is adjusted for in part.
assert size["and the pixels"] < size["recorded only"]

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A photograph collection is what the world looks like, an experiment is what it could look like. For which questions about a model is the confounded number the right one?
# 2. The authors looked for a leak of smiling into brightness, found one and corrected it. Which leaks could nobody have looked for?
