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
# # What was planted, and how well it is recovered
#
# *The biases of the Greenhouse as numbers, and what its trained models make of them.*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** We wrote the biases into the captions. Do networks trained on those captions show them, in the right
# units, and what do they show where nothing was planted?
#
# **In 20 minutes:** {ref}`the table of what was planted <recovery-planted>`, {ref}`the gaps <recovery-gaps>`,
# {ref}`more bias, more gap <recovery-dose>`, take-aways. **In 75 minutes:** also the anchors, the alarm rates, the group
# that differs only where two things meet, both exercises.
#
# **You need:** log odds, correlation, a regression slope. The primer [Targets](../../book/primers/targets.md) says what
# a claim can be about.
# :::
#
# A chapter of this book that says "this method misses what was planted" leans on two things: that something *was*
# planted, and that the network *learned* it. This page checks the second. It does not examine any paper; and what
# it validates is our training, not CLIP's.

# %% tags=["parameters"]
study_folder = "data/greenhouse/dose_response"  # the dose–response study: trained models, as tables
portraits_folder = "data/greenhouse/portraits"  # what the same models make of whole series of faces
stimuli = "greenhouse/causalface"  # faces for a close look at one model; it was trained on none of them
model = "greenhouse"  # that model: the study's first at full strength
n_seeds = 20  # identities shown to it
axis = "warmth"  # the axis that is followed over all strengths; the first of the table
published_d = [0.2, 1.3]  # |d| of social judgements that the study is reported against, never tuned to
alpha = 0.05  # level of the tests in the section on alarms
seed = 0  # of every random draw; this page makes none of its own
results = "_build/results/greenhouse/recovery.json"  # no claims here

# %% tags=["hide-input"]
import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle
from myst_nb import glue
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import vlmbias as vb
from greenhouse import study as studies
from greenhouse.world import grammar, truth
from vlmbias import paths

folder = paths.root() / study_folder
study = studies.load(folder)  # the accepted models
trained = pd.read_csv(folder / "models.csv")  # the rejected ones, too
spoken = grammar.load()  # words, sentences, and the bias table
bias = spoken.bias
AXES = list(truth.CONTRASTS)
PLANTED = [name for name in AXES if name not in bias.unplanted]
INK = vb.figures.COLOURS


def words(name):
    """An axis as a reader would write it."""
    return name.replace("_", " ")


# %% [markdown]
# ## What was planted
#
# A caption is made by choosing a sentence and then a word for its gap: "a photo of a … person". Each word has a weight, and
# a face shifts the *log* weight of an axis's words. Some shifts are **legitimate**: a smile makes *warm* likelier, in every
# world and at every strength, and so does a garment of a warm colour. Others are **planted**: they belong to a hue or a crest,
# and one dial $b$ between 0 and 1 scales them all:
#
# $$\log \text{weight}(\text{word} \mid \text{face}) = \text{legitimate}(\text{face}) + b \cdot \big[\text{hue} + \text{crest} +
# \text{intersection}\big](\text{face}) + \text{const}.$$
#
# The last term applies to one group only, faces that are violet *and* eared. It has the shape of what {cite:t}`hausladen2025` report for their one outlier: a U over
# age where the others have a gentle inverse U (the feature *prime* is highest in the middle of life), a steeper effect of smiling, and an offset.

# %% tags=["hide-input"]
features = [name for name in bias.features if any(name in bias.axes[one].get("legitimate", {}) for one in AXES)]
columns = ([("planted: hue", "race", one) for one in ("teal", "amber", "violet", "lime")]
           + [("planted: crest", "gender", one) for one in ("budded", "eared")]
           + [("only violet & eared", "intersection", one) for one in ("constant", "prime", "age", "smiling")]
           + [("legitimate: at every b", "legitimate", one) for one in features])


def shift(name, part, level):
    """One entry of the bias table; missing where an axis has none."""
    entry = bias.axes[name]
    if part in ("race", "gender"):
        return entry.get("planted", {}).get(part, {}).get(level, np.nan)
    return entry.get(part, {}).get(level, np.nan)


table = pd.DataFrame([[shift(name, part, level) for _, part, level in columns] for name in AXES], index=AXES)
blocks = list(dict.fromkeys(title for title, _, _ in columns))
place = np.array([k + 0.7 * blocks.index(title) for k, (title, _, _) in enumerate(columns)])
fig, ((panel,),) = vb.figures.panels(height=5.0)
largest = np.nanmax(np.abs(table.to_numpy()))
for row, name in enumerate(AXES):
    for x, value in zip(place, table.loc[name], strict=True):
        colour = "0.96" if np.isnan(value) else mpl.colormaps["PuOr"](0.5 + 0.5 * value / largest)
        panel.add_patch(Rectangle((x - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="white"))
        if not np.isnan(value):
            panel.text(x, row, f"{value:+.1f}".replace("+0.0", "0").replace("-", "−"), ha="center", va="center", fontsize=6.5,
                       color="white" if abs(value) > 0.7 * largest else "0.1")
for title in blocks:
    inside = place[[one == title for one, _, _ in columns]]
    panel.text(inside.mean(), -0.8, title.replace(": ", ":\n").replace("violet &", "violet\n&"), ha="center", va="bottom", fontsize=8, fontweight="bold")
panel.set(xlim=(-0.6, place[-1] + 0.6), ylim=(len(AXES) - 0.5, -0.5), yticks=range(len(AXES)))
panel.set_xticks(place, [words(level) for _, _, level in columns], rotation=60, ha="right", fontsize=8)
panel.set_yticklabels([words(name) for name in AXES], fontsize=8)
panel.tick_params(length=0)
panel.spines[:].set_visible(False)
vb.figures.show(
    fig, name="recovery-planted",
    alt=f"Heat map of {len(AXES)} axes by hue, crest, the violet and eared group, and legitimate drivers. {words(bias.unplanted[0])} and "
        f"{words(bias.unplanted[1])} have legitimate drivers only.",
    caption="Shift of the log weight of an axis's words at b = 1. Hue and crest: for faces of that level. Other columns: for the highest "
            "level of the attribute, the lowest gives the opposite. Pale cells: no effect.",
    source="greenhouse",
)
glue("n-planted", len(PLANTED), display=False)
glue("n-unplanted", len(bias.unplanted), display=False)
glue("unplanted", " and ".join(words(one) for one in bias.unplanted), display=False)

# %% [markdown]
# On {glue:text}`n-planted` axes something is planted. On {glue:text}`n-unplanted` nothing is, at any $b$: {glue:text}`unplanted`.
# They are the poles of one axis of belief, and the control of every chapter. Every axis, theirs too, has legitimate
# drivers, so that faces *vary* in it when nothing is planted.
#
# **In which units does a network show this?** A network of CLIP's kind is trained to give a picture and a caption a high cosine when they
# occur together more often than chance. If it succeeds perfectly, its cosine times its learned scale equals a log probability ratio, up to a
# constant per picture {cite}`oord2018`:
#
# $$\text{scale} \times \big[\cos(\text{face}, \text{word}) - \cos(\text{face}, \text{neutral})\big] \approx
# \log \frac{p(\text{word} \mid \text{face})}{p(\text{word})}.$$
#
# So the truth is not a direction only. It is a number of **logits**, and a slope of 1 between what was planted and what
# a network shows would be perfect recovery.
#
# ## The models
#
# The study trains the same small network again and again, at five strengths. Seeds were fixed beforehand. A network counts only if it passes
# five gates, asked in *descriptions* ("a photo of a teal person"), never in trait words; one that fails is listed and the next seed takes its place.

# %% tags=["hide-input"]
GATES = {"group_accuracy": "hue", "crest_accuracy": "crest", "object_accuracy": "objects", "smiling_r": "smile, r", "age_r": "age, r"}
card = pd.read_json(paths.data() / "greenhouse" / "default" / "card.json", typ="series")
by_b = trained.groupby("b")
gates = by_b.agg(trained=("seed", "size"), rejected=("accepted", lambda one: int((~one.astype(bool)).sum())))
gates["used"] = study.models.groupby("b").size()
for column, label in GATES.items():
    gates[f"{label}: worst used"] = study.models.groupby("b")[column].min()
threshold = {f"{label}: worst used": card["gates"][column]["threshold"] for column, label in GATES.items()}
gates.loc["must reach"] = pd.Series(threshold)
rejected = trained[~trained["accepted"].astype(bool)]
reasons = [f"b = {row.b:g}, seed {row.seed}: " + ", ".join(f"{label} {getattr(row, column):.3f}" for column, label in GATES.items()
                                                          if getattr(row, column) < card["gates"][column]["threshold"] + 5e-5)  # as printed
           for row in rejected.itertuples()]
print("Rejected:", *reasons or ["none"], sep="\n  ")
for key, value in {"n-models": len(study.models), "n-rejected": len(rejected), "n-null": int((study.models["b"] == 0).sum()),
                   "n-full": int((study.models["b"] == 1).sum()), "parameters": int(card["parameters"]),
                   "seconds": float(trained["training_core_seconds"].median()),
                   "minutes": float(trained["training_core_seconds"].sum() / 60)}.items():
    glue(key, value, display=False)
counts = {column: "{:.0f}" for column in ("trained", "rejected", "used")}
gates.style.format_index(lambda b: b if isinstance(b, str) else f"{b:g}").format(counts, na_rep="").format("{:.3f}", subset=list(threshold)).set_caption("Networks per strength, and the worst value of a gate among those used")

# %% [markdown]
# {glue:text}`n-models` networks of {glue:text}`parameters:,` parameters are used and {glue:text}`n-rejected` were rejected. Each took about
# {glue:text}`seconds:.0f` core-seconds; the study ships as tables, so nothing on this page trains anything. (A gate is judged before its value is rounded.)
#
# ### Two anchors, set before any bias was looked at
#
# A cartoon in which all teal faces look alike has no variation within groups, and then any effect size is enormous. So the amount of
# individual variation was fitted on networks with nothing planted, to two published facts about CLIP: identity (seed) moves its perception most, and
# the cosines of two groups' portraits with the neutral prompt correlate moderately over identities {cite}`hausladen2025`. Gates had
# precedence. A third figure, the size of $d$ at $b = 1$, is reported and never tuned.

# %% tags=["hide-input"]
null, full = study.models[study.models["b"] == 0], study.models[study.models["b"] == 1]
low, high = card["calibration"]["target"]["neutral_r"]
sizes = pd.concat([full[f"d_{pair}_{name}"].abs() for pair in ("teal_violet", "budded_eared") for name in PLANTED[:6]])
inside = ((null["neutral_r_minimum"] >= low) & (null["neutral_r_maximum"] <= high)).sum()
achieved = pd.DataFrame([
    {"anchor": "seed moves perception most (b = 0)", "target": "in every network", "achieved": f"in {int(null['seed_is_largest'].sum())} of {len(null)}"},
    {"anchor": "neutral cosines across groups, r: mean of 15 pairs (b = 0)", "target": f"{low:.2f} to {high:.2f}",
     "achieved": f"{null['neutral_r_mean'].min():.2f} to {null['neutral_r_mean'].max():.2f} over networks, {null['neutral_r_mean'].median():.2f} in the middle one"},
    {"anchor": "… lowest pair (b = 0)", "target": f"at least {low:.2f}", "achieved": f"{null['neutral_r_minimum'].median():.2f} in the middle network"},
    {"anchor": "… highest pair (b = 0)", "target": f"at most {high:.2f}", "achieved": f"{null['neutral_r_maximum'].median():.2f} in the middle network"},
    {"anchor": "social |d| (b = 1; reported, not tuned)", "target": f"{published_d[0]} to {published_d[1]} as published",
     "achieved": f"{sizes.quantile(0.05):.2f} to {sizes.quantile(0.95):.2f} (5th to 95th percentile)"},
])
for key, value in {"seed-largest": int(null["seed_is_largest"].sum()), "r-low": low, "r-high": high,
                   "mean-inside": int(null["neutral_r_mean"].between(low, high).sum()), "all-inside": int(inside),
                   "pair-high": float(null["neutral_r_maximum"].median()), "pair-low": float(null["neutral_r_minimum"].median()),
                   "d-inside": 100 * float(sizes.between(*published_d).mean()), "d-above": 100 * float((sizes > published_d[1]).mean()),
                   "d-below": 100 * float((sizes < published_d[0]).mean())}.items():
    glue(key, value, display=False)
achieved.style.hide(axis="index")

# %% [markdown]
# The seed is the largest source in {glue:text}`seed-largest` of {glue:text}`n-null` networks. The *mean* correlation lies in the published range in
# {glue:text}`mean-inside` of them; all fifteen pairs do in {glue:text}`all-inside`: in the middle network they spread from {glue:text}`pair-low:.2f` to
# {glue:text}`pair-high:.2f`, where the paper prints {glue:text}`r-low:.2f` to {glue:text}`r-high:.2f`. With hue and crest planted at full strength,
# {glue:text}`d-inside:.0f` % of the social $|d|$ fall into the published range, {glue:text}`d-above:.0f` % above and {glue:text}`d-below:.0f` % below it.
# Where an anchor is missed it stays missed, and is printed here.
#
# ## Does a network show what was planted?
#
# First a close look at one network. Each dot is a *kind* of face – one hue, one crest, one level of one attribute – averaged over
# identities that the network has never seen; across, what the captions say; up, what the network shows.

# %%
images = vb.images(stimuli, seed=list(range(n_seeds)))
encoder = vb.encoder(model)
faces = vb.embed(encoder, images)
people = bias.with_looks(images.table)
population = bias.with_looks(truth.population(4_000))  # the faces of the training captions


def called_for(name, rows, b):
    """What the captions say of an axis, `(n,)`, in logits."""
    against = truth.CONTRASTS[name]
    value = truth.predicted(spoken, name, rows, b, reference=population)
    return value - truth.predicted(spoken, against, rows, b, reference=population) if against else value


def shown(name):
    """What the network shows of it, `(n,)`, in logits."""
    against = truth.CONTRASTS[name]
    base = truth.prompts(spoken, against) if against else truth.neutral_prompts(spoken)
    direction = encoder.encode_texts(truth.prompts(spoken, name)).mean(axis=0) - encoder.encode_texts(base).mean(axis=0)
    return encoder.logit_scale * (faces.vectors @ direction)


kinds = ["race", "gender", "subset", "age", "smiling", "lighting", "pose"]
cells = pd.concat([images.table[kinds].assign(axis=name, planted=called_for(name, people, 1.0), shown=shown(name)) for name in AXES])
cells = cells.groupby(["axis", *kinds], sort=False)[["planted", "shown"]].mean().reset_index()

# %% tags=["hide-input"]
fig, grid = vb.figures.panels(5, 3, height=9.4)
for panel, name in zip(grid.flat, AXES, strict=False):
    part = cells[cells["axis"] == name]
    for hue, crest in ((hue, crest) for hue in part["race"].unique() for crest in ("budded", "eared")):
        own = part[(part["race"] == hue) & (part["gender"] == crest)]
        panel.plot(own["planted"], own["shown"], "o" if crest == "budded" else "^", color=INK[hue], markersize=3, alpha=0.7, markeredgewidth=0,
                   label=f"{hue}, {crest}")
    line = stats.linregress(part["planted"], part["shown"])
    ends = np.array([part["planted"].min(), part["planted"].max()])
    panel.axline((0, line.intercept), slope=1, color="0.75", linewidth=1, linestyle=":")
    panel.plot(ends, line.intercept + line.slope * ends, color="0.2", linewidth=1.2)
    panel.set_title(f"{words(name)}\nr = {line.rvalue:.2f}, slope {line.slope:.2f}", fontsize=8.5)
    panel.tick_params(labelsize=7.5)
for panel in grid.flat[len(AXES):]:
    panel.set_axis_off()
grid.flat[-1].legend(*grid.flat[0].get_legend_handles_labels(), loc="center", fontsize=8, markerscale=2)
fig.supxlabel("said by the captions, logits", fontsize=10)
fig.supylabel("shown by the network, logits", fontsize=10)
vb.figures.show(
    fig, name="recovery-cells",
    alt=f"{len(AXES)} small scatter plots of what one network shows against what the captions say, per kind of face. All rise; most are flatter than the diagonal.",
    caption="One network at b = 1, held-out identities. Colour: hue; circles budded, triangles eared. Solid: the fitted line; dotted: slope 1.",
    source="greenhouse",
)

# %% [markdown]
# Now all networks at full strength. Each was measured in the same way on its own held-out grid (20 identities, four hues) when it was trained.

# %% tags=["hide-input"]
def span(values):
    """The lowest and the highest of some values, as text."""
    return f"{values.min():.2f} to {values.max():.2f}"


recovery = pd.DataFrame([{
    "axis": words(name), "r": full[f"r_{name}"].mean(), "r, lowest to highest": span(full[f"r_{name}"]),
    "slope": full[f"slope_{name}"].mean(), "slope, SD": full[f"slope_{name}"].std(ddof=1), "slope, lowest to highest": span(full[f"slope_{name}"]),
    "r at b = 0": null[f"r_{name}"].mean(), "slope at b = 0": null[f"slope_{name}"].mean(),
} for name in AXES])
weakest = recovery.sort_values("slope").iloc[0]
for key, value in {"r-mean": float(recovery["r"].mean()), "r-least": float(recovery["r"].min()), "r-most": float(recovery["r"].max()),
                   "slope-mean": float(recovery["slope"].mean()), "slope-least": float(recovery["slope"].min()), "slope-most": float(recovery["slope"].max()),
                   "weakest": weakest["axis"], "weakest-slope": float(weakest["slope"]), "weakest-sd": float(weakest["slope, SD"]),
                   "weakest-r": float(weakest["r"])}.items():
    glue(key, value, display=False)
recovery.style.format(precision=2).background_gradient(cmap="Greens", subset=["r", "slope"], vmin=0, vmax=1.3).hide(axis="index").set_caption(
    f"Recovery per axis: {len(full)} networks at b = 1 (mean, spread over networks) and {len(null)} at b = 0, where only legitimate drivers speak")

# %% [markdown]
# Over the axes, r averages {glue:text}`r-mean:.2f` (from {glue:text}`r-least:.2f` to {glue:text}`r-most:.2f`) and the slope
# {glue:text}`slope-mean:.2f` (from {glue:text}`slope-least:.2f` to {glue:text}`slope-most:.2f`). The ordering of faces comes back; its *size* comes back shrunk,
# and by how much differs between axes and between networks that differ in nothing but a random start.
#
# ### Only what was planted: gaps between groups
#
# The cells above mix planted and legitimate effects. The difference between two hues, or two crests, with everything else balanced is planted alone.

# %% tags=["hide-input"]
PAIRS = {"teal_violet": ("race", "teal", "violet"), "budded_eared": ("gender", "budded", "eared")}
grid_faces = vb.images("greenhouse/causalface", seed=list(range(n_seeds))).table
gaps = []
for pair, (column, first, second) in PAIRS.items():
    for name in AXES:
        said = pd.Series(called_for(name, people, 1.0)).groupby(grid_faces[column].to_numpy()).mean()
        found = full[f"gap_{pair}_{name}"]
        gaps.append({"pair": f"{first} − {second}", "axis": name, "planted": said[first] - said[second], "mean": found.mean(), "sd": found.std(ddof=1),
                     "low": found.min(), "high": found.max(), "at_0": null[f"gap_{pair}_{name}"].mean()})
gaps = pd.DataFrame(gaps)
fig, axes = vb.figures.panels(1, 2, height=4.6, share_y=True)
for panel, (pair, part) in zip(axes[0], gaps.groupby("pair", sort=False), strict=True):
    rows = np.arange(len(part))[::-1]
    panel.axvline(0, color=INK["reference"], linewidth=1)
    panel.hlines(rows, part["low"], part["high"], color=INK["recomputed"], linewidth=2)
    panel.plot(part["mean"], rows, "o", color=INK["recomputed"], label="shown: mean and range of networks")
    panel.plot(part["planted"], rows, "x", color=INK["planted"], markersize=8, markeredgewidth=2, label="planted")
    panel.plot(part["at_0"], rows, "|", color="0.3", markersize=9, label="shown at b = 0, mean")
    panel.set(yticks=rows, yticklabels=[words(name) for name in part["axis"]], title=pair, xlabel="gap at b = 1, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
planted_gaps = gaps[gaps["axis"].isin(PLANTED)]
line = stats.linregress(planted_gaps["planted"], planted_gaps["mean"])
clear = planted_gaps[planted_gaps["planted"].abs() > 0.2]
agree = [(np.sign(full[f"gap_{pair}_{row.axis}"]) == np.sign(row.planted)).mean()
         for pair, (_, first, _) in PAIRS.items() for row in clear[clear["pair"].str.startswith(first)].itertuples()]
vb.figures.show(
    fig, name="recovery-gaps",
    alt=f"Planted and shown gaps for {len(AXES)} axes, between teal and violet and between budded and eared. Shown gaps follow the planted with r = {line.rvalue:.2f} "
        f"and slope {line.slope:.2f}; on the two belief axes both are near zero.",
    caption=f"Planted gaps (crosses) and the gaps of {len(full)} networks at b = 1 (dots; lines from lowest to highest network), in logits.",
    source="greenhouse",
)
for key, value in {"gap-r": float(line.rvalue), "gap-slope": float(line.slope), "gap-sign": 100 * float(np.mean(agree)), "gap-clear": len(clear)}.items():
    glue(key, value, display=False)

# %% [markdown]
# Over axes, the mean gaps follow the planted ones with r = {glue:text}`gap-r:.2f` and a slope of {glue:text}`gap-slope:.2f`. Of the single networks'
# gaps on the {glue:text}`gap-clear` axes and pairs where more than a fifth of a logit was planted, {glue:text}`gap-sign:.0f` % have the planted sign.
#
# ## More bias, more gap
#
# Retrained at five strengths, the gap should grow in proportion to $b$. The effect size $d$ divides it by the spread of the faces' scores,
# the groups' own distance included, so it need not.

# %% tags=["hide-input"]
strengths = sorted(study.models["b"].unique())


def planted_gap(name, pair, b):
    column, first, second = PAIRS[pair]
    said = pd.Series(called_for(name, people, b)).groupby(grid_faces[column].to_numpy()).mean()
    return float(said[first] - said[second])


gap, size = f"gap_teal_violet_{axis}", f"d_teal_violet_{axis}"
fig = vb.figures.dose_response(study.models, dose="b", responses={gap: "gap, logits", size: "effect size d"}, dose_label="planted strength b",
                               expected={gap: {b: planted_gap(axis, "teal_violet", b) for b in strengths}})
mean = study.models.groupby("b")[[gap, size]].mean()
vb.figures.show(
    fig, name="recovery-dose",
    alt=f"{words(axis)}, teal minus violet, in {len(study.models)} networks at five strengths. The gap goes from {mean[gap].iloc[0]:.2f} to {mean[gap].iloc[-1]:.2f} logits, "
        f"d from {mean[size].iloc[0]:.2f} to {mean[size].iloc[-1]:.2f}.",
    caption=f"{words(axis).capitalize()}: teal − violet in raw logits and as effect size d. One dot per network, bars for means, crosses for what was planted.",
    source="greenhouse",
)

# %% tags=["hide-input"]
share = []
for name in PLANTED:
    said, pair = max(((abs(planted_gap(name, pair, 1.0)), pair) for pair in PAIRS), key=lambda one: one[0])
    means = study.models.groupby("b")[[f"gap_{pair}_{name}", f"d_{pair}_{name}"]].mean()
    for quantity in ("gap", "d"):
        own = means[f"{quantity}_{pair}_{name}"]
        share += [{"axis": name, "quantity": quantity, "b": b, "share": own[b] / own[1.0]} for b in strengths]
share = pd.DataFrame(share)
halfway = share.groupby(["quantity", "b"])["share"].median().unstack("quantity")[["gap", "d"]].rename(columns={"gap": "gap, logits", "d": "effect size d"})
for key, (quantity, b) in {"gap-half": ("gap", 0.5), "d-half": ("d", 0.5), "gap-quarter": ("gap", 0.25), "d-quarter": ("d", 0.25)}.items():
    glue(key, 100 * float(share[(share["quantity"] == quantity) & np.isclose(share["b"], b)]["share"].median()), display=False)
glue("d-largest", float(full[[f"d_{pair}_{name}" for pair in PAIRS for name in PLANTED]].abs().max().max()), display=False)
halfway.style.format_index("{:g}").format("{:.0%}").set_caption("Share of the value at b = 1 that is there at a smaller b: median over the planted axes (each axis's larger pair)")

# %% [markdown]
# In the median over axes, $b = 0.5$ gives {glue:text}`gap-half:.0f` % of the gap at $b = 1$ and {glue:text}`d-half:.0f` % of the $d$;
# $b = 0.25$ gives {glue:text}`gap-quarter:.0f` % and {glue:text}`d-quarter:.0f` %. The largest $|d|$ of any network is {glue:text}`d-largest:.2f`, and
# by its definition none can be much above 2. Two networks with nearly the same $d$ can therefore differ a great deal in what they would *say*; beside every $d$ in this book
# stands the raw gap.
#
# ## Where nothing was planted
#
# The belief axis, *progressive* against *conservative* words, is the same for all hues and crests at every strength. What do the networks at $b = 0$ show on it?

# %% tags=["hide-input"]
rows = []
for where, networks in (("null", null), ("full", full)):
    for short, (pair, (_, first, second)) in zip(("hue", "crest"), PAIRS.items(), strict=True):
        values = networks[f"gap_{pair}_{bias.unplanted[0]}"] - networks[f"gap_{pair}_{bias.unplanted[1]}"]
        low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
        rows.append({"b": networks["b"].iloc[0], "groups": f"{first} − {second}", "networks": len(values), "mean": values.mean(),
                     "95 % interval of the mean": f"{low:+.3f} to {high:+.3f}", "SD over networks": values.std(ddof=1),
                     "lowest": values.min(), "highest": values.max()})
        for key, value in {"mean": values.mean(), "sd": values.std(ddof=1), "low": low, "high": high, "largest": values.abs().max()}.items():
            glue(f"{where}-{short}-{key}", float(value), display=False)
glue("typical", float(planted_gaps["planted"].abs().median()), display=False)
pd.DataFrame(rows).style.format(precision=3).format("{:g}", subset=["b"]).hide(axis="index").set_caption("Gap on the unplanted axis, logits")

# %% [markdown]
# On average nothing: {glue:text}`null-hue-mean:.3f` logits between the hues (95 % interval {glue:text}`null-hue-low:.3f` to {glue:text}`null-hue-high:.3f`) and
# {glue:text}`null-crest-mean:.3f` between the crests ({glue:text}`null-crest-low:.3f` to {glue:text}`null-crest-high:.3f`). But *a* network is not the average network: the
# standard deviation over random starts is {glue:text}`null-hue-sd:.3f` and {glue:text}`null-crest-sd:.3f` logits, and the most extreme network is off by
# {glue:text}`null-hue-largest:.2f`. (The median planted gap is {glue:text}`typical:.2f`.)
#
# At $b = 1$ the belief axis is no longer quite clean: the mean gap between the hues is {glue:text}`full-hue-mean:.2f` logits ({glue:text}`full-hue-low:.2f` to
# {glue:text}`full-hue-high:.2f`). The captions still say nothing there; presumably a network that places the hues apart for other words does so for these, too. So the control for "nothing planted" is this axis at $b = 0$; at $b = 1$ it also holds what spills over.
#
# ### How often do tests over images speak up?
#
# Take the portraits of the study's fixed panel, and test each of the networks at $b = 0$ as if it were the only one we had.

# %%
seen = study.images[study.images["kind"] == "face"]
scale = study.models["logit_scale"].to_numpy()[:, None]


def on_panel(name):
    """What every network shows of every face of the panel, `(networks, faces)`, in logits."""
    against = truth.CONTRASTS[name]
    base = study.words_of(against, slot=spoken.slot_of(against)) if against else study.words_of("neutral")
    own = study.word_vectors[:, study.words_of(name, slot=spoken.slot_of(name))].mean(axis=1)
    direction = own - study.word_vectors[:, base].mean(axis=1)
    return scale * np.einsum("mid,md->mi", study.image_vectors[:, seen.index], direction)


panel_values = {name: on_panel(name) for name in AXES}
panel_values["belief"] = panel_values[bias.unplanted[0]] - panel_values[bias.unplanted[1]]
portrait = (seen["subset"] == "prototype").to_numpy()
nothing = np.flatnonzero(study.models["b"] == 0)

# %% tags=["hide-input"]
progressive, conservative = (study.words_of(one) for one in bias.unplanted)


def association(k, x, y):
    """The two-sided permutation p of the association test: faces x and y of network k, progressive and conservative words."""
    pictures, said = study.image_vectors[k][seen.index], study.word_vectors[k]
    return vb.eat(pictures[x], pictures[y], said[progressive], said[conservative], method="saddlepoint", alternative="two-sided").p_value


def over_faces(test):
    """A test of two samples of scores, as a test of network k."""
    return lambda k, x, y: test(panel_values["belief"][k, x], panel_values["belief"][k, y]).pvalue


TESTS = {
    "EAT, permuting faces": association,
    "Welch's t": over_faces(lambda x, y: stats.ttest_ind(x, y, equal_var=False)),
    "rank-sum": over_faces(stats.mannwhitneyu),
    "paired t": over_faces(stats.ttest_rel),
}
rows = []
for column, first, second in PAIRS.values():
    # both groups in the same order: identity, then the other attribute
    sides = [seen[portrait & (seen[column] == level).to_numpy()].sort_values(["seed", "race", "gender"]) for level in (first, second)]
    where = [seen.index.get_indexer(side.index) for side in sides]
    apart = [rows_[side["seed"].to_numpy(int) % 2 == half] for half, rows_, side in zip((0, 1), where, sides, strict=True)]
    trials = {f"{name}, same identities": (test, where) for name, test in TESTS.items()}
    trials["Welch's t, different identities"] = (TESTS["Welch's t"], apart)
    for name, (p_value, which) in trials.items():
        speaks = np.array([p_value(k, *which) < alpha for k in nothing])
        low, high = proportion_confint(speaks.sum(), len(speaks), alpha=0.05, method="beta")
        rows.append({"groups": f"{first} − {second}", "test": name, "faces a side": len(which[0]), "networks with an alarm": f"{speaks.sum()} of {len(speaks)}",
                     "rate": speaks.mean(), "low": low, "high": high})
alarms = pd.DataFrame(rows)
label = alarms["test"]
fig = vb.figures.forest(alarms.assign(label=label), estimate="rate", low="low", high="high", label="label", group="groups",
                        value_label="share of networks with p below the level, exact 95 % interval", reference=alpha)
vb.figures.show(
    fig, name="recovery-alarms",
    alt="Alarm rates at b = 0 on the unplanted axis: " + "; ".join(f"{row.groups}, {row.test}: {row.rate:.0%}" for row in alarms.itertuples()) + ".",
    caption=f"How often a test over faces says 'significant' at {alpha:.0%} (line) on the unplanted axis, in {len(nothing)} networks with nothing planted. Clopper–Pearson intervals.",
    source="greenhouse",
)
glue("alarm-least", 100 * float(alarms["rate"].min()), display=False)
glue("alarm-most", 100 * float(alarms["rate"].max()), display=False)
glue("alarm-level", 100 * alpha, display=False)
alarms.style.format("{:.0%}", subset=["rate", "low", "high"]).hide(axis="index")

# %% [markdown]
# At a level of {glue:text}`alarm-level:.0f` %, the tests speak up in {glue:text}`alarm-least:.0f` to {glue:text}`alarm-most:.0f` % of the networks. Are they broken? It depends on what the
# claim is about.
#
# - **This network, new faces.** The alarm is correct: with these weights, portraits of one group do lie closer to one pole, and new portraits of the same kind
#   would again. The paired test sees it best: the same identities stand on both sides, so what makes them differ cancels in the gap. An unpaired test still counts
#   it as noise, and is therefore cautious here; with different people on each side, as in a collection of photographs, it has that noise in the gap, too.
# - **Networks trained like this one, or the captions.** The alarm is false: the next network may lean the other way, and the mean over networks is near zero. A network is *one*
#   draw, however many faces it is shown, and no test over faces can know how networks differ.
#
# Rates as such belong to our small networks and this panel. That the two targets come apart does not.
#
# ## The group that differs where two things meet
#
# In violet, eared faces, and only there, a smile and age work differently at $b = 1$. No comparison of hues or of crests isolates it. The panel holds, for the same
# identities, a neutral face of middle age, a broad smile, and the youngest and oldest age: enough for an effect of age (oldest less youngest), of a smile (broad less neutral), and of
# the *prime* of life (middle less the mean of the ends).

# %% tags=["hide-input"]
meeting = [(name, change) for name in AXES for change in ("prime", "age", "smiling") if change in bias.axes[name].get("intersection", {})]


def effect(values, change, race, gender):
    """The effect of a change in one group, per network: a difference of means over the identities of the series."""
    group = (seen["race"] == race).to_numpy() & (seen["gender"] == gender).to_numpy()
    aged, smile = (group & (seen["subset"] == name).to_numpy() for name in ("age", "smiling"))
    middle = group & portrait & seen["seed"].isin(seen["seed"][aged]).to_numpy()
    old, young = aged & (seen["age"] > 3).to_numpy(), aged & (seen["age"] < 2).to_numpy()
    after, before = {"age": (old, young), "smiling": (smile, middle), "prime": (middle, aged)}[change]
    return values[..., after].mean(axis=-1) - values[..., before].mean(axis=-1)


others = [(race, gender) for race in ("teal", "amber", "violet") for gender in ("budded", "eared")
          if {"race": race, "gender": gender} != dict(bias.intersection)]
panel_people = bias.with_looks(seen)
found = []
for name, change in meeting:
    said = called_for(name, panel_people, 1.0)
    departs = [effect(one, change, **bias.intersection) - np.mean([effect(one, change, *group) for group in others], axis=0)
               for one in (said, panel_values[name])]
    ours, base = departs[1][study.models["b"] == 1], departs[1][nothing]
    found.append({"effect": f"{words(change)} on {words(name)}", "change": change, "planted": departs[0], "mean": ours.mean(), "low": ours.min(), "high": ours.max(),
                  "right sign": int((np.sign(ours) == np.sign(departs[0])).sum()), "beyond": int((np.abs(ours) > np.abs(base).max()).sum()),
                  "sd at b = 0": base.std(ddof=1)})
found = pd.DataFrame(found)
fig, ((panel,),) = vb.figures.panels(height=4.6)
rows = np.arange(len(found))[::-1]
panel.axvline(0, color=INK["reference"], linewidth=1)
panel.hlines(rows, -2 * found["sd at b = 0"], 2 * found["sd at b = 0"], color="0.85", linewidth=9, label="b = 0: ± 2 SD of networks")
panel.hlines(rows, found["low"], found["high"], color=INK["recomputed"], linewidth=2)
panel.plot(found["mean"], rows, "o", color=INK["recomputed"], label="b = 1: mean and range of networks")
panel.plot(found["planted"], rows, "x", color=INK["planted"], markersize=8, markeredgewidth=2, label="planted")
panel.set(yticks=rows, yticklabels=found["effect"], xlabel="effect in violet, eared faces − effect in the other five groups, logits")
fig.legend(loc="outside upper center", ncols=3)
line = stats.linregress(found["planted"], found["mean"])
vb.figures.show(
    fig, name="recovery-intersection",
    alt=f"{len(found)} departures of the violet, eared group, planted and shown: r = {line.rvalue:.2f}, slope {line.slope:.2f}.",
    caption="By how much an effect of age, of its middle, or of a smile in violet, eared faces departs from that in the other five groups.",
    source="greenhouse",
)
for key, value in {"meet-n": len(found), "meet-r": float(line.rvalue), "meet-slope": float(line.slope), "meet-all": len(found) * len(full),
                   "meet-sign": int(found["right sign"].sum()), "meet-beyond": int(found["beyond"].sum())}.items():
    glue(key, value, display=False)

for change, part in found.groupby("change"):
    glue(f"meet-{change}", float(stats.linregress(part["planted"], part["mean"]).slope) if len(part) > 2 else float("nan"), display=False)

# %% tags=["hide-input"]
whole = studies.portraits(paths.root() / portraits_folder)
faces_of = bias.with_looks(whole.images)
first = [(one, (whole.models["sees_all"].astype(bool) & (whole.models["b"] == one)).to_numpy()) for one in (1.0, 0.0)]
complete = faces_of[faces_of["set"] == "grid"].groupby("seed")["seed"].transform("size") > 6  # the identities with whole series
complete = complete.reindex(faces_of.index, fill_value=False).to_numpy()
dimensions = [name for name in whole.columns[:8] if name not in bias.unplanted]
own_words = whole.scores - whole.scores[..., whole.columns.index("neutral"), None]
in_logits = (own_words * whole.models["logit_scale"].to_numpy()[:, None, None])[..., [whole.columns.index(name) for name in dimensions]]
said_of = np.full((len(faces_of), len(dimensions)), np.nan)
said_of[complete] = np.stack([called_for(name, faces_of[complete], 1.0) for name in dimensions], axis=1)
groups_of = faces_of["race"] + ", " + faces_of["gender"]
GROUPS = [f"{race}, {gender}" for race, gender in [*others, tuple(bias.intersection.values())]]


def course(values, change, group):
    """The means of a group at each level of a series, each dimension about its own mean: `(levels, dimensions)`."""
    rows = complete & faces_of["subset"].isin([change, "prototype"]).to_numpy() & (groups_of == group).to_numpy()
    levels = pd.DataFrame(values[rows]).groupby(faces_of.loc[rows, change].to_numpy()).mean().to_numpy()
    return levels - levels.mean(axis=0)


def apart(values, group):
    """How far a group's courses over age and smiling depart from the mean of the others': root mean square, logits."""
    parts = [course(values, change, group) - np.mean([course(values, change, one) for one in GROUPS if one != group], axis=0) for change in ("age", "smiling")]
    return float(np.sqrt(np.mean(np.concatenate(parts) ** 2)))


departure = pd.DataFrame([{"group": group, "b": b, "network": k, "apart": apart(in_logits[k], group)} for b, chosen in first for k in np.flatnonzero(chosen) for group in GROUPS])
outlier = ", ".join(bias.intersection.values())
fig, axes = vb.figures.panels(1, 2, height=3.6)
panel = axes[0, 0]
for place, group in enumerate(GROUPS[::-1]):
    for b, colour, aside in ((1.0, INK["recomputed"], 0.15), (0.0, INK["reference"], -0.15)):
        values = departure[(departure["group"] == group) & (departure["b"] == b)]["apart"]
        panel.plot(values, np.full(len(values), place + aside), "o", color=colour, alpha=0.5, markersize=4, markeredgewidth=0, label=f"b = {b:g}, one dot per network" if place == 0 else None)
    panel.plot(apart(said_of, group), place, "x", color=INK["planted"], markersize=8, markeredgewidth=2, label="planted" if place == 0 else None)
panel.set(yticks=range(len(GROUPS)), yticklabels=GROUPS[::-1], xlabel="departure of a group's\ncourses, logits")
panel = axes[0, 1]
shown_b1 = in_logits[first[0][1]].mean(axis=0)
ages = np.sort(faces_of.loc[complete, "age"].unique())
one = dimensions.index(axis) if axis in dimensions else 0
for group in GROUPS:
    panel.plot(ages, course(shown_b1, "age", group)[:, one], color=INK[group.split(",")[0]], linewidth=2.4 if group == outlier else 1, linestyle="-" if "eared" in group else "--")
panel.set(xlabel="age", ylabel=f"{words(dimensions[one])}, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
middle = departure.groupby(["b", "group"])["apart"].mean()
others_most = departure[(departure["b"] == 1) & (departure["group"] != outlier)].groupby("network")["apart"].max()
own_apart = departure[(departure["b"] == 1) & (departure["group"] == outlier)].set_index("network")["apart"]
for key, value in {"apart-outlier": float(middle[1.0, outlier]), "apart-others": float(middle[1.0].drop(outlier).max()), "apart-null": float(middle[0.0].max()),
                   "apart-planted": apart(said_of, outlier), "apart-found": int((own_apart > others_most).sum()), "apart-networks": len(own_apart)}.items():
    glue(key, value, display=False)
vb.figures.show(
    fig, name="recovery-outlier",
    alt=f"Left: how far each group's courses over age and smiling depart from the others'. {outlier}: {middle[1.0, outlier]:.2f} logits at b = 1, every other group at most "
        f"{middle[1.0].drop(outlier).max():.2f}. Right: {words(dimensions[one])} over age, mean network at b = 1, one line per group.",
    caption="Left: departure of a group's courses over age and smiling from the mean of the other five, root mean square over six dimensions. Right: one dimension over age in the mean network, each line about "
            f"its own mean; colour: hue, solid: eared, thick: {outlier}.",
    source="greenhouse",
)

# %% [markdown]
# **It is learned in part.** Over the {glue:text}`meet-n` departures the mean network follows what was planted with r = {glue:text}`meet-r:.2f` and a slope of {glue:text}`meet-slope:.2f`; for the middle of life alone the slope is
# {glue:text}`meet-prime:.2f`, for age {glue:text}`meet-age:.2f`, for a smile {glue:text}`meet-smiling:.2f`. In single networks {glue:text}`meet-sign` of {glue:text}`meet-all` departures have the planted sign, and {glue:text}`meet-beyond` exceed, in absolute
# value, what every one of the {glue:text}`n-null` networks at $b = 0$ shows.
#
# **And it is the only one.** Over whole series the courses of the outlier depart from the others' by {glue:text}`apart-outlier:.2f` logits (planted: {glue:text}`apart-planted:.2f`), those of any other group by at most
# {glue:text}`apart-others:.2f` on average, and at $b = 0$ none by more than {glue:text}`apart-null:.2f`. In {glue:text}`apart-found` of {glue:text}`apart-networks` networks the outlier is the group that departs most.
#
# One group in eight has such captions, and a course *within* one group is the finest thing that we planted: a chapter that looks for it in these networks looks for the part that was learned. A first version of the Greenhouse taught next to nothing of it. Its image towers had no feature that
# belonged to one group alone; now the warm start asks for age and smiling within every group, all groups alike (see [what this world can show](../../book/greenhouse/limits.md)).
#
# ## Where recovery is weak, and whether that matters
#
# The weakest axis is *{glue:text}`weakest`*: its slope is {glue:text}`weakest-slope:.2f` on average (SD {glue:text}`weakest-sd:.2f` over networks), with r = {glue:text}`weakest-r:.2f`. Is it what we *planted* that is lost, or
# what was legitimate?

# %% tags=["hide-input"]
parts = []
groups = seen["race"] + seen["gender"]
for name in AXES:
    said, ours = called_for(name, panel_people, 1.0)[portrait], panel_values[name][(study.models["b"] == 1).to_numpy()][:, portrait]
    own = groups[portrait].to_numpy()
    between = pd.DataFrame(np.c_[said, ours.T]).groupby(own).transform("mean").to_numpy()
    within = np.c_[said, ours.T] - between
    slope = {kind: [np.polyfit(part[:, 0], part[:, k], 1)[0] if part[:, 0].std() > 0.05 else np.nan for k in range(1, part.shape[1])]
             for kind, part in (("between", between), ("within", within))}
    parts.append({"axis": words(name), "spread planted between groups": between[:, 0].std(), "slope between": np.mean(slope["between"]),
                  "spread said within groups": within[:, 0].std(), "slope within": np.mean(slope["within"]),
                  "spread shown within groups": within[:, 1:].std(axis=0).mean()})
parts = pd.DataFrame(parts).sort_values("slope within", ignore_index=True)
get = parts.set_index("axis").loc[weakest["axis"]]
for key, column in {"weak-between": "slope between", "weak-within": "slope within"}.items():
    glue(key, float(get[column]), display=False)
glue("all-between", float(parts["slope between"].mean()), display=False)
glue("all-within", float(parts["slope within"].mean()), display=False)
glue("spread-said", float(parts["spread said within groups"].mean()), display=False)
glue("spread-shown", float(parts["spread shown within groups"].mean()), display=False)
parts.style.format(precision=2, na_rep="nothing planted").hide(axis="index").set_caption(
    f"Slopes over the panel's portraits, mean of {len(full)} networks at b = 1: between the eight groups (planted), and between identities within a group (legitimate: garment, hair)")

# %% [markdown]
# Between groups the slopes average {glue:text}`all-between:.2f`, between individuals within a group {glue:text}`all-within:.2f`; for *{glue:text}`weakest`* they are
# {glue:text}`weak-between:.2f` and {glue:text}`weak-within:.2f`. What is lost first is thus what tells individuals apart, a garment's or a hair's shade: the captions call for a spread of
# {glue:text}`spread-said:.2f` logits within groups, and the networks show {glue:text}`spread-shown:.2f`, much of it not in the places called for. Words that several axes share, words
# that compete for one place in a sentence, and a short training may all pull towards zero; we have not separated them.
#
# **Where it does not matter.** A chapter that asks *whether* a method finds an effect, in which direction, or whether it tells $b = 1$ from $b = 0$ compares networks with
# networks: shrinkage is in both.
#
# **Where it does.** What a network learned, not what we planted, is the truth about *that network*. A method that reports half of the planted gap may be exactly right about a network that
# learned half. Chapters therefore set a method's answer beside the network's own gap in logits, and keep claims about captions to comparisons over retrained networks. On an axis with a
# small slope, or with the group above, failing to find a bias is no evidence against a method. And $d$ divides by the spread that networks *show*: had they learned all of the individual variation, $d$ would be smaller at the same gap.
#
# ## Take-aways
#
# - The truth of this world is a number in logits, and networks can be held to it.
# - What was planted for a hue or a crest comes back in order and in sign, and smaller than planted; by how much depends on the axis and on the random start. What was planted for one
#   group alone comes back in part: enough to tell that group from the others, far from its full size.
# - Raw gaps grow with $b$; $d$ need not grow with them.
# - At $b = 1$ even words on which nothing was planted show a gap. With nothing planted, the *average* network shows nothing. A single network does, and tests over faces report it: rightly about that network, wrongly about training.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/recovery -p axis negative_communion -p alpha 0.01
# ```
# `vlmbias greenhouse dose-response` retrains every network (about an hour on two cores).
# :::
#
# ## Exercises
#
# :::{exercise} From logits to odds
# :label: recovery-odds
# By what factor are the odds of the axis's words (against all other captions) higher for a teal than for a violet face: as planted at $b = 1$, as the average network at $b = 1$ shows it, and at
# $b = 0.5$ as planted? Why is the last not half of the first?
# :::
#
# ```{solution-start} recovery-odds
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
whole, half = (np.exp(abs(planted_gap(axis, "teal_violet", b))) for b in (1.0, 0.5))
learned = np.exp(abs(full[gap].mean()))
print(f"planted {whole:.2f}, shown {learned:.2f}, planted at half strength {half:.2f}\nlogits add, so odds multiply: {half:.2f}² = {half**2:.2f}")
assert abs(np.log(half) / np.log(whole) - 0.5) < 0.1 and abs(half**2 - whole) < abs(2 * half - whole)

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} A test whose unit is the network
# :label: recovery-networks
# For a claim about training, compare the gap of one network at $b = 1$ with the gaps of the $m$ networks at $b = 0$: $p = (1 + \#\{\text{at least as large}\}) / (1 + m)$, in absolute value.
# What is the smallest $p$ that $m$ can give? How many of the networks at $b = 1$ does the test pick out at the chosen axis, and on the unplanted one?
# :::
#
# ```{solution-start} recovery-networks
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def retrained(name):
    """p of each network at b = 1 against the networks at b = 0."""
    reference = np.abs(null[f"gap_teal_violet_{name}"].to_numpy())
    return np.array([(1 + (reference >= abs(one)).sum()) / (1 + len(reference)) for one in full[f"gap_teal_violet_{name}"]])


smallest = 1 / (1 + len(null))
picked = {name: int((retrained(name) < alpha).sum()) for name in (axis, *bias.unplanted)}
print(f"smallest p: {smallest:.3f} (five networks: {1 / 6:.2f})\npicked out of {len(full)}: " + ", ".join(f"{words(name)} {n}" for name, n in picked.items()))
print("On the belief words the captions planted nothing: 'trained with biases' is not 'trained with a bias on these words'.")
assert abs(min(retrained(name).min() for name in PLANTED) - smallest) < 1e-12

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. The networks were accepted by what they can *describe*, and only then asked about traits. Which findings on this page could look different had we
#    accepted networks by how well they recover the bias?
# 2. A network trained on captions without any bias leans slightly towards one hue. Someone uses it. Is "it is only its random start" an excuse?
