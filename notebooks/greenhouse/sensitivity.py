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
# # Sensitivity and silence
#
# *What do the measures and tests of Hausladen et al. find when something was planted, and what do they say when nothing was?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Questions.** (a) A smile, an age, a hue or a crest shifts the words of the captions by a known amount. Which measure shows it, in which
# units, and how small can it be? (b) Hue and crest shift nothing. How often does each test of the paper still call a difference between hues or crests
# "significant"?
#
# **In 20 minutes:** {ref}`the curves of (a) <sensitivity-curves>` and the table after them, {ref}`the rates of (b) <sensitivity-silence>` and the table
# after them, take-aways. **In 75 minutes:** also the dose–response figures, the shuffled labels, both exercises.
#
# **You need:** Δcos ([primer](../../book/primers/perception.md)), and above all [targets](../../book/primers/targets.md): the same p-value can be right about one
# network and a false alarm about training.
# :::
#
# Both questions are about *retrained networks*: the same captions, another random start. The limits of this laboratory are
# [on a page of their own](../../book/greenhouse/limits.md). In one line: no rate and no threshold on this page transfers to CLIP. What
# transfers is an order of questions, and the knowledge that a method *can* fail in a certain way.

# %% tags=["parameters"]
hue_axis = "positive_agency"  # axis of the hue's dose–response figures
crest_axis = "positive_agency"  # axis of the crest's
top = 0.167  # share of a ranking at which skew is read: a sixth, as 1,000 of 6,000 in the paper
alpha = 0.05  # level of the tests, and of "found"
found_share = 0.8  # share of retrained networks in which an effect must be found to count as visible
n_pairs = 1_000  # pairs per attribute in the tests on absolute differences, as in the paper
n_permutations = 1_000  # relabellings or sign flips per permutation test
n_resamples = 400  # bootstrap resamples
seed = 0  # seed of every random draw
results = "_build/results/greenhouse/sensitivity.json"  # no claims here

# %% tags=["hide-input"]
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
from myst_nb import glue
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import bias, grammar, truth

portraits = retrained.scores("grid")
dose = (portraits.networks["arm"] == "none").to_numpy()
models = portraits.networks[dose].reset_index(drop=True)
shown = (portraits.images["set"] == "grid").to_numpy()
images = portraits.images[shown].reset_index(drop=True)
scores = portraits.scores[np.ix_(dose, shown)].astype(np.float64)
column = {name: place for place, name in enumerate(portraits.columns)}
DIMENSIONS = [name for name in portraits.columns if name not in ("neutral", "adjectives")]
POSITIVE = ["warmth", "competence", "positive_agency", "progressive_belief", "positive_communion"]
spoken = grammar.load()
ROLES = spoken.bias.roles
HUES, CRESTS = bias.LEVELS["race"], bias.LEVELS["gender"]
null = (models["b"] == 0).to_numpy()
strengths = sorted(models["b"].unique())[1:]
glue("n-networks", len(models), display=False)
glue("n-null", int(null.sum()), display=False)
glue("n-each", int((models["b"] == strengths[-1]).sum()), display=False)
vb.note(favoured=ROLES["favoured"], disfavoured=ROLES["disfavoured"], first=ROLES["first"], second=ROLES["second"], middle=ROLES["middle"], odd=" ".join(spoken.bias.outlier.values()))
models.groupby("b").size().rename("networks").to_frame().T

# %% [markdown]
# {glue:text}`n-networks` networks, {glue:text}`n-null` of them with nothing planted for hue and crest ($b = 0$). Each saw 600 prototypes (100 identities × three hues × two
# crests, everything else equal) and, of ten identities, the complete series of ages, smiles, lights and poses.
#
# ## (a) Sensitivity
#
# ### What counts as found
#
# An effect is a contrast of two sets of pictures that differ in one thing. Its size is known, in logits: by how much it shifts the log odds of the dimension's words
# against neutral captions, in a *count* of the captions of each set (`counted`). An effect is **found in a network** if its measure departs from what is usual where nothing was planted: further than all but (at most) {glue:text}`found-alpha:.0f` %
# of the reference networks, itself among them. It is **visible** if it is found in at least {glue:text}`found-percent:.0f` % of the networks retrained with it.
#
# | effect | pictures compared | sizes | reference |
# |---|---|---|---|
# | hue | {glue:text}`favoured` and {glue:text}`disfavoured` prototypes | eight dimensions × every $b$ | the same contrast at $b = 0$ |
# | crest | {glue:text}`first` and {glue:text}`second` prototypes of these two hues | eight dimensions × every $b$ | the same contrast at $b = 0$ |
# | smiling | broadest smile, deepest frown | eight dimensions, at $b = 0$ | turned left, turned right |
# | age | oldest, youngest | eight dimensions, at $b = 0$ | turned left, turned right |
#
# The third hue is left out because one of its groups, {glue:text}`odd`, has a course of its own, which [another chapter](../causalface/intersections.ipynb) is about. Smiles and ages shift the captions at every strength, so $b = 0$ is no reference for them. Turning to the left or to the right is one: no caption about traits depends on the side.

# %%
CONTRASTS = {
    "hue": ("prototype", "race", ROLES["favoured"], ROLES["disfavoured"]),
    "crest": ("prototype", "gender", ROLES["first"], ROLES["second"]),
    "smiling": ("smiling", "smiling", 4.0, -2.5),
    "age": ("age", "age", 4.4, 0.8),
    "side": ("pose", "pose", 3.0, -3.0),
}


def members(effect):
    """Which pictures have the first level of a contrast, and which the second."""
    subset, attribute, one, other = CONTRASTS[effect]
    rows = images["subset"].eq(subset)
    if effect in ("hue", "crest"):
        rows &= images["race"].ne(ROLES["middle"])
    return [np.flatnonzero(rows & images[attribute].eq(level)) for level in (one, other)]


# %% [markdown]
# Every measure of the paper is computed on the same pictures and the same networks. Skew, MaxSkew and NDKL rank the pictures of a contrast by the raw cosine, with equal
# desired shares; a group without any picture in the ranking counts as having half a one, which keeps the logarithm finite.


# %%
def measures(effect, dimension, which):
    """Every measure of one contrast on one dimension, one value per network of `which`."""
    first, second = members(effect)
    seen, scale = scores[which], models["logit_scale"].to_numpy()[which]
    raw, neutral, adjectives = (
        seen[..., column[name]] for name in (dimension, "neutral", "adjectives")
    )

    def gap(values):
        return values[:, first].mean(axis=1) - values[:, second].mean(axis=1)

    both = np.concatenate([first, second])
    found = {
        "Δcos": 100 * gap(raw - neutral),
        "Δcos in logits": scale * gap(raw - neutral),
        "relative Δcos": 100 * gap((raw - neutral) / neutral),
        "raw cosine": 100 * gap(raw),
        "centred cosine": 100 * gap(raw - adjectives),
        "SC-WEAT d": gap(raw) / raw[:, both].std(axis=1, ddof=1),
    }
    attribute, level = CONTRASTS[effect][1:3]
    ranked = np.sort(both)
    groups = images[attribute].iloc[ranked].astype(str).astype("category")
    length = round(top * len(ranked))
    none = np.log(0.5 / length * 2)
    skews = [vb.skew_at_k(row, groups, length, zero=none) for row in raw[:, ranked]]
    found["Skew@k"] = np.array([skew[str(level)] for skew in skews])
    found["MaxSkew@k"] = np.array([skew.max() for skew in skews])
    found["NDKL"] = np.array([vb.ndkl(row, groups) for row in raw[:, ranked]])
    return found


UNITS = {"Δcos": "cosine × 100", "Δcos in logits": "logits", "relative Δcos": "percent of neutral", "raw cosine": "cosine × 100",
         "centred cosine": "cosine × 100", "SC-WEAT d": "standard deviations", "Skew@k": "log ratio", "MaxSkew@k": "log ratio",
         "NDKL": "nats"}  # fmt: skip

# %% tags=["hide-input"]
glue("found-percent", 100 * found_share, display=False)
glue("found-alpha", 100 * alpha, display=False)


def called_for(effect, b):
    """The sizes of a contrast in every dimension, in logits: counted captions of both sets, and the mean of single faces' odds."""
    first, second = members(effect)
    both = images.iloc[np.concatenate([first, second])].assign(side=np.repeat([1, -1], [len(first), len(second)]))
    counts = truth.counted(spoken, both, "side", b, axes=DIMENSIONS)
    faces = truth.per_face(spoken, both, b, axes=DIMENSIONS).groupby(both["side"]).mean()
    return {"counted": counts.loc[1] - counts.loc[-1], "per_face": faces.loc[1] - faces.loc[-1]}


CALLED_FOR = {(effect, b): called_for(effect, b) for effect in ("hue", "crest", "smiling", "age") for b in ((0.0, *strengths) if effect in ("hue", "crest") else (0.0,))}


def planted(effect, dimension, b, yardstick="counted"):
    """The size of a contrast, in logits."""
    return CALLED_FOR[effect, b][yardstick][dimension]


def departs(values, reference):
    """Which values lie further from the middle of the reference than all but at most `alpha` of it (and of the value itself)."""
    middle = np.median(reference)
    as_far = (np.abs(reference - middle) >= np.abs(values - middle)[:, None]).sum(axis=1)
    return (1 + as_far) / (1 + len(reference)) <= alpha


cells, table = [], []
for dimension in DIMENSIONS:
    side = measures("side", dimension, null)
    for effect in ("hue", "crest", "smiling", "age"):
        every = measures(effect, dimension, np.ones(len(models), bool) if effect in ("hue", "crest") else null)
        for measure, values in every.items():
            if effect in ("smiling", "age"):
                cells.append((effect, dimension, 0.0, measure, planted(effect, dimension, 0.0), values, departs(values, side[measure])))
                continue
            for b in strengths:
                own = values[models["b"] == b]
                cells.append((effect, dimension, b, measure, planted(effect, dimension, b), own, departs(own, values[null])))
        if effect in ("hue", "crest"):
            table.append(pd.DataFrame(every).assign(effect=effect, dimension=dimension, b=models["b"], network=models["seed"]))
cells = pd.DataFrame(cells, columns=["effect", "dimension", "b", "measure", "planted", "values", "found"])
table = pd.concat(table, ignore_index=True)

# %% [markdown]
# ### More planted, more shown: in which units?

# %% tags=["hide-input"]
for effect, dimension in (("hue", hue_axis), ("crest", crest_axis)):
    part = table[(table["effect"] == effect) & (table["dimension"] == dimension)]
    expected = {"Δcos in logits": {b: float(planted(effect, dimension, b)) for b in (0.0, *strengths)}}
    one, other = CONTRASTS[effect][2:]
    means = part[part["b"] == strengths[-1]]["Δcos in logits"].mean()
    for names in (("Δcos", "Δcos in logits", "SC-WEAT d"), ("Skew@k", "MaxSkew@k", "NDKL")):
        fig = vb.figures.dose_response(part, dose="b", responses={name: {"Δcos": "Δcos × 100"}.get(name, name) for name in names},
                                       dose_label="planted strength b", expected=expected)  # fmt: skip
        vb.figures.show(
            fig, name=f"sensitivity-{effect}-{names[0].split('@')[0].lower().replace('δ', 'd')}",
            alt=f"{', '.join(names)} of {one} against {other} on {dimension.replace('_', ' ')} for {len(part)} networks at five strengths. "
                f"At the highest, {means:.2f} logits on average where {planted(effect, dimension, strengths[-1]):.2f} were planted.",
            caption=f"{one.capitalize()} against {other} on {dimension.replace('_', ' ')}: one point per retrained network, crosses where the "
                    "planted size has the same unit.",
            source="greenhouse",
        )  # fmt: skip

# %% tags=["hide-input"]
at_full = cells[(cells["b"] == strengths[-1]) & cells["effect"].isin(["hue", "crest"])]
rows = []
for measure in UNITS:
    part = at_full[at_full["measure"] == measure]
    middle, size = np.array([one.mean() for one in part["values"]]), part["planted"].to_numpy()
    size = np.abs(size) if measure in ("MaxSkew@k", "NDKL") else size
    own = np.stack(list(part["values"]), axis=1)  # networks × cells
    slopes = np.array([np.polyfit(size, one, 1)[0] for one in own])
    rows.append({"measure": measure, "unit": UNITS[measure], "r with planted": float(stats.pearsonr(size, middle)[0]),
                 "per planted logit": slopes.mean(), "± SD over networks": slopes.std(ddof=1), "CV": slopes.std(ddof=1) / abs(slopes.mean())})
    glue(f"slope-{measure}", float(slopes.mean()), display=False)
    glue(f"r-{measure}", rows[-1]["r with planted"], display=False)
units = pd.DataFrame(rows)
logit_cells = at_full[at_full["measure"] == "Δcos in logits"]
single_faces = [planted(row.effect, row.dimension, row.b, "per_face") for row in logit_cells.itertuples()]
glue("slope-per-face", float(np.polyfit(single_faces, [one.mean() for one in logit_cells["values"]], 1)[0]), display=False)
glue("scale-mean", float(models["logit_scale"].mean()), display=False)
units.style.format(precision=2).hide(axis="index").set_caption(
    f"Sixteen contrasts (eight dimensions, hue and crest) at b = {strengths[-1]:g}: does the mean network order them as planted, and what is one planted logit worth?")

# %% [markdown]
# Only one of these units can be compared with what was planted. Multiplied by the network's own temperature (here {glue:text}`scale-mean:.1f` on average), Δcos is in logits, and one logit planted, as counted in captions, comes back as {glue:text}`slope-Δcos in logits:.2f` (by `per_face`: {glue:text}`slope-per-face:.2f`). A cosine difference without the
# temperature has no such meaning: the same 0.01 is a large effect in one network and a small one in another. $d$ divides by the spread of the pictures, so it also depends on how different the
# *individuals* are. Rank measures saturate: once every picture at the top is of one group, more bias changes nothing.
#
# ### How small can it be?

# %% tags=["hide-input"]
def smallest(part, rng=None):
    """The smallest planted size from which on at least `found_share` of the networks have it; infinite where there is none."""
    shares, weight = (np.array([count(one) for one in part["found"]]) for count in (np.mean, len))
    if rng is not None:  # what the shares may be, given so few networks: 10 of 10 is not certainty (Jeffreys' prior)
        shares = rng.beta(shares * weight + 0.5, (1 - shares) * weight + 0.5)
    size = np.abs(part["planted"].to_numpy())
    order = np.argsort(size)
    rising = optimize.isotonic_regression(shares[order], weights=weight[order]).x
    if rising[-1] < found_share:
        return np.inf
    place = int(np.argmax(rising >= found_share))
    if place == 0 or rising[place] == rising[place - 1]:
        return size[order][place]
    below, above = size[order][place - 1 : place + 1]
    return below + (above - below) * (found_share - rising[place - 1]) / (rising[place] - rising[place - 1])


rng = np.random.default_rng(seed)
limits = {}
for (effect, measure), part in cells.groupby(["effect", "measure"], sort=False):
    boot = np.array([smallest(part, rng) for _ in range(n_resamples)])
    limits[effect, measure] = (smallest(part), *np.quantile(boot, [0.025, 0.975], method="nearest"))

CURVES = ["Δcos", "raw cosine", "SC-WEAT d", "Skew@k", "NDKL"]
fig, axes = vb.figures.panels(2, 2, height=5.6, share_y=True)
inks = dict(zip(CURVES, vb.figures.styling.PALETTE, strict=False))
for panel, effect in zip(axes.ravel(), ("hue", "crest", "smiling", "age"), strict=True):
    for measure in CURVES:
        part = cells[(cells["effect"] == effect) & (cells["measure"] == measure)].assign(size=lambda t: t["planted"].abs()).sort_values("size")
        shares, weight = np.array([one.mean() for one in part["found"]]), np.array([len(one) for one in part["found"]])
        rising = optimize.isotonic_regression(shares, weights=weight).x
        panel.plot(part["size"], shares, "o", markersize=3.5, alpha=0.45, color=inks[measure])
        panel.plot(part["size"], rising, color=inks[measure], label=measure)
    panel.axhline(found_share, color=vb.figures.COLOURS["reference"], linewidth=1, linestyle=":")
    panel.set(title=effect, ylim=(-0.03, 1.03))
for panel in axes[-1]:
    panel.set_xlabel("planted, logits (absolute)")
for panel in axes[:, 0]:
    panel.set_ylabel("share of networks")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig, name="sensitivity-curves",
    alt="Four panels, share of networks in which an effect is found against its planted size, rising. "
        + "; ".join(f"{effect} by Δcos from {limits[effect, 'Δcos'][0]:.2f} logits" for effect in ("hue", "crest", "smiling", "age")) + ".",
    caption="Points: one dimension at one strength. Lines: the best rising curve. Dotted: the share at which we call an effect visible.",
    source="greenhouse",
)  # fmt: skip


# %% tags=["hide-input"]
def told(limit):
    """A limit with its interval, as text."""
    estimate, low, high = (f"{one:.2f}" if np.isfinite(one) else "∞" for one in limit)
    return f"{estimate} ({low}–{high})" if estimate != "∞" else f"not visible ({low}–∞)" if low != "∞" else "not visible"


remember_a = pd.DataFrame(
    [{"measure": measure, **{effect: told(limits[effect, measure]) for effect in ("hue", "crest", "smiling", "age")}} for measure in UNITS])
for measure in UNITS:
    for effect in ("hue", "crest", "smiling", "age"):
        glue(f"limit-{effect}-{measure}", told(limits[effect, measure]), display=False)
finite = [limits[effect, "Δcos"][0] for effect in ("hue", "crest") if np.isfinite(limits[effect, "Δcos"][0])]
odds = float(np.exp(max(finite))) if len(finite) == 2 else float("nan")
glue("odds-visible", odds, display=False)
largest = {effect: float(cells[cells["effect"] == effect]["planted"].abs().max()) for effect in ("hue", "crest", "smiling", "age")}
glue("largest", ", ".join(f"{effect} {size:.2f}" for effect, size in largest.items()), display=False)
best = {}
for effect in ("hue", "crest", "smiling", "age"):
    name = min(UNITS, key=lambda one, effect=effect: limits[effect, one][0])
    best[effect] = name if np.isfinite(limits[effect, name][0]) else "none"
glue("best", ", ".join(f"{effect}: {name}" for effect, name in best.items()), display=False)
remember_a.style.hide(axis="index").set_caption(
    f"(a) The smallest planted size, in logits, that is found in {found_share:.0%} of retrained networks, with a 95 % interval")

# %% [markdown]
# **The answer to (a).** The largest sizes planted are, in logits: {glue:text}`largest`. The smallest visible size by Δcos (brackets: 95 % interval; what so few networks leave open about each share is drawn from its Beta distribution) is, for a hue: {glue:text}`limit-hue-Δcos`; for a
# crest: {glue:text}`limit-crest-Δcos`; for a smile: {glue:text}`limit-smiling-Δcos`; for an age: {glue:text}`limit-age-Δcos`. The most sensitive measures are {glue:text}`best`. A limit of one logit would mean that the words of a dimension must be nearly three times as likely for one group as
# for the other before that share of networks shows it beyond doubt. What sets the limit is not the number of pictures. It is how much networks with *nothing* planted differ from each
# other, and more pictures do not change that.
#
# **By which measure?** Multiplying by the temperature, or dividing by the neutral cosine, changes little in *what* is found; it changes what the number means. What is subtracted matters more. The raw cosine, which the paper's
# SC-WEAT, Skew and NDKL are made of, also holds whatever moves a picture towards all sentences alike. By it a hue is visible from {glue:text}`limit-hue-raw cosine`, a crest from {glue:text}`limit-crest-raw cosine`, a smile
# from {glue:text}`limit-smiling-raw cosine`, an age from {glue:text}`limit-age-raw cosine`. Centring over the adjectives gives {glue:text}`limit-hue-centred cosine`, {glue:text}`limit-crest-centred cosine`,
# {glue:text}`limit-smiling-centred cosine` and {glue:text}`limit-age-centred cosine`; SC-WEAT's $d$ {glue:text}`limit-hue-SC-WEAT d`, {glue:text}`limit-crest-SC-WEAT d`,
# {glue:text}`limit-smiling-SC-WEAT d` and {glue:text}`limit-age-SC-WEAT d`. What subtracting can *add* is [the neutral prompt's chapter](../causalface/neutral_prompt.ipynb).
#
# And the paper's rank measures are averages over all **eight** dimensions, negative ones included:

# %% tags=["hide-input"]
rows = []
for effect in ("hue", "crest"):
    for measure in ("Skew@k", "MaxSkew@k", "NDKL"):
        for name, chosen in (("mean of 8", DIMENSIONS), ("mean of 5 positive", POSITIVE)):
            part = table[(table["effect"] == effect) & table["dimension"].isin(chosen)]
            values = part.groupby(["network", "b"])[measure].mean().reset_index()
            reference = values.loc[values["b"] == 0, measure].to_numpy()
            row = {"effect": effect, "measure": measure, "averaged": name, "b = 0": reference.mean()}
            for b in strengths:
                own = values.loc[values["b"] == b, measure].to_numpy()
                row |= {f"found at {b:g}": departs(own, reference).mean(), f"b = {b:g}": own.mean()}
            rows.append(row)
averaged = pd.DataFrame(rows)
get = averaged.set_index(["effect", "measure", "averaged"])
last = f"{strengths[-1]:g}"
for name, which in (("eight", "mean of 8"), ("five", "mean of 5 positive")):
    glue(f"skew-{name}", float(get.loc[("hue", "Skew@k", which), f"b = {last}"]), display=False)
    glue(f"skew-{name}-found", 100 * float(get.loc[("hue", "Skew@k", which), f"found at {last}"]), display=False)
glue("maxskew-found", 100 * float(get.loc[("hue", "MaxSkew@k", "mean of 8"), f"found at {last}"]), display=False)
glue("ndkl-found", 100 * float(get.loc[("hue", "NDKL", "mean of 8"), f"found at {last}"]), display=False)
averaged[["effect", "measure", "averaged", "b = 0", f"b = {last}", *[f"found at {b:g}" for b in strengths]]].style.format(
    {"b = 0": "{:.2f}", f"b = {last}": "{:.2f}", **{f"found at {b:g}": "{:.0%}" for b in strengths}}).hide(axis="index").set_caption(
    "Rank measures averaged over dimensions: mean over networks, and share of networks in which the effect is found")

# %% [markdown]
# A group that comes early for one kind of word comes late for another. For a hue at full strength the average Skew over eight dimensions is
# {glue:text}`skew-eight:.2f` and found in {glue:text}`skew-eight-found:.0f` % of networks, that over the five positive ones {glue:text}`skew-five:.2f`, found in {glue:text}`skew-five-found:.0f` %: signs cancel. MaxSkew and NDKL have
# no sign to cancel (averaged over eight they are found in {glue:text}`maxskew-found:.0f` and {glue:text}`ndkl-found:.0f` %), and do not say whom the ranking favours.
#
# **Markedness** asks something else, whether the prompt that names a group fits worse than one that names none. It is not about trait words, and should not move with $b$.

# %% tags=["hide-input"]
study = retrained.vectors()
faces = study.images["kind"].eq("face") & study.images["subset"].eq("prototype")
rows = []
neutral_word = study.words.index[study.words["slot"].eq("neutral")][0]
for label, attribute in (*((hue, "race") for hue in HUES), *((crest, "gender") for crest in CRESTS)):
    pictures = np.flatnonzero(faces & study.images[attribute].eq(label) & study.images["race"].isin(HUES))
    seen = study.cosines(pictures, [neutral_word, study.words_of(label)[0]])
    rows += [{"group": label, "b": b, "marked": vb.markedness(*one.T)} for b, one in zip(study.networks["b"], seen, strict=True)]
marked = pd.DataFrame(rows)
summary = marked.groupby(["group", "b"], sort=False)["marked"].agg(["mean", "std"]).round(1)
wide = summary.apply(lambda row: f"{row['mean']:.0f} ± {row['std']:.0f}", axis=1).unstack("b")
slope = marked.groupby("group").apply(lambda part: stats.linregress(part["b"], part["marked"]).pvalue, include_groups=False)
glue("marked-moves", int((multipletests(slope, method="holm")[1] < alpha).sum()), display=False)
glue("marked-n", int(faces.sum()), display=False)
wide.reset_index().style.hide(axis="index").set_caption("Markedness in percent, mean ± SD over networks, by strength b")

# %% [markdown]
# In {glue:text}`marked-moves` of the five groups it changes with $b$ (a line over networks, corrected). The Greenhouse's captions name hues and crests of everybody
# alike, so no group goes unsaid. What happens when they do not is [the neutral prompt's chapter](../causalface/neutral_prompt.ipynb).
#
# ## (b) Silence
#
# Now only the networks with $b = 0$. Their captions say nothing about traits that depends on a hue or a crest. Each test of the paper that can be put as a question about a hue or a crest is run on every one of them, with three
# different ideas of what was sampled:
#
# - **per picture**: pictures are independent, as in most of the paper's tests;
# - **per identity**: the 100 identities (ten in the series) are; the pictures of one are compared with each other;
# - **per network**: the networks are, in groups of {glue:text}`group-size:.0f`; a network contributes one number.
#
# The first two generalise, if at all, to more pictures by *this* network. A significant result there can be true: a network with nothing planted still has its own lean. As a statement about training or about captions it is a **false alarm**. Only the
# third has training as its target.

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
quiet = scores[null]


def block(subset, levels_of=None, identities=None):
    """Scores as networks × identities × levels × hues × crests × columns; one level, the prototype, without `levels_of`."""
    rows = images[images["subset"].eq("prototype") | (images["subset"].eq(subset))]
    if identities is not None:
        rows = rows[rows["seed"].isin(identities)]
    if levels_of is None:
        rows = rows[rows["subset"].eq("prototype")].assign(level=0.0)
    else:
        rows = rows.assign(level=rows[levels_of])
    rows = rows.assign(race=pd.Categorical(rows["race"], HUES), gender=pd.Categorical(rows["gender"], CRESTS)).sort_values(["seed", "level", "race", "gender"])
    shape = rows["seed"].nunique(), rows["level"].nunique(), 3, 2
    return quiet[:, rows.index].reshape(len(quiet), *shape, -1), np.sort(rows["level"].unique())


with_series = images.loc[images["subset"].ne("prototype"), "seed"].unique()
portrait, _ = block("prototype")
series = {name: block(name, name, with_series) for name in ("smiling", "age", "lighting", "pose")}
third = int(null.sum()) // 3
glue("group-size", third, display=False)
D = [column[name] for name in DIMENSIONS]
PAIRS = [("positive_agency", "negative_agency"), ("progressive_belief", "conservative_belief"), ("positive_communion", "negative_communion")]


def shuffled(values, rng):
    """The same, with the six group labels of every identity dealt out anew for every network, alike at all levels."""
    flat = values.reshape(*values.shape[:3], 6, -1)
    order = np.argsort(rng.random((*values.shape[:2], 6)), axis=2)
    return np.take_along_axis(flat, order[:, :, None, :, None], axis=3).reshape(values.shape)


def sides(values):
    """The four contrasts: three pairs of hues, and the crests; each as two arrays networks × identities × levels × repeats × …"""
    for one, other in combinations(range(3), 2):
        yield values[:, :, :, one], values[:, :, :, other]
    yield values[:, :, :, :, 0], values[:, :, :, :, 1]


def over_networks(differences):
    """p of t-tests over disjoint groups of networks, from one number per network and question, `(networks, …)`."""
    parts = [differences[start : start + third] for start in range(0, 3 * third, third)]
    return np.concatenate([np.ravel(stats.ttest_1samp(part, 0, axis=0).pvalue) for part in parts])


def t_tests(values):
    """Group means: unpaired over pictures, paired over identities, over networks; values without levels."""
    found = {"picture": [], "identity": [], "network": []}
    for one, other in sides(values):
        one, other = one[:, :, 0], other[:, :, 0]  # networks × identities × repeats × questions
        flat = [side.reshape(len(side), -1, side.shape[-1]) for side in (one, other)]
        found["picture"].append(stats.ttest_ind(*flat, axis=1).pvalue)
        found["identity"].append(stats.ttest_rel(one.mean(axis=2), other.mean(axis=2), axis=1).pvalue)
        found["network"].append((one - other).mean(axis=(1, 2)))
    return found


def finish(found):
    """Arrays of p per unit: networks × questions, and a flat one for the tests over networks."""
    joined = {unit: np.concatenate(parts, axis=1) for unit, parts in found.items()}
    return {**joined, "network": over_networks(joined["network"])}


# %% [markdown]
# The tests, each in a few lines. Where the paper's own test is not about groups, we ask its question *of* groups: do two hues, or the two crests, differ in it?


# %% tags=["hide-input"]
def means(portrait, series, rng):
    """Group means of Δcos in eight dimensions (t-tests)."""
    return finish(t_tests(portrait[..., D] - portrait[..., [column["neutral"]]]))


def neutral_pairs(portrait, series, rng):
    """S.13: neutral cosines of the fifteen pairs of groups (paired t-tests)."""
    groups = portrait[:, :, 0, :, :, column["neutral"]].reshape(*portrait.shape[:2], 6)
    found = {"picture": [], "identity": [], "network": []}
    for one, other in combinations(range(6), 2):
        pair = groups[:, :, [one]], groups[:, :, [other]]
        found["picture"].append(stats.ttest_ind(*pair, axis=1).pvalue)
        found["identity"].append(stats.ttest_rel(*pair, axis=1).pvalue)
        found["network"].append((pair[0] - pair[1]).mean(axis=1))
    return finish(found)


def differences(portrait, rng, dimensions):
    """AbsDiff of random pairs that differ in hue or in crest: networks × pairs × dimensions, and the pairs' identities."""
    delta = 100 * (portrait[:, :, 0][..., dimensions] - portrait[:, :, 0][..., [column["neutral"]]])
    person, hue, crest, step = (rng.integers(0, top, n_pairs) for top in (portrait.shape[1], 3, 2, 2))
    by_hue = np.abs(delta[:, person, hue, crest] - delta[:, person, (hue + 1 + step) % 3, crest])
    other, hue = rng.integers(0, portrait.shape[1], n_pairs), rng.integers(0, 3, n_pairs)
    by_crest = np.abs(delta[:, other, hue, 0] - delta[:, other, hue, 1])
    return (by_hue, person), (by_crest, other)


def by_identity(values, person, people):
    """Mean per identity of values networks × pairs × …; identities that were drawn for both attributes only."""
    sums = np.zeros((len(values), people, values.shape[2]))
    np.add.at(sums, (slice(None), person), values)
    return sums / np.maximum(np.bincount(person, minlength=people), 1)[None, :, None]


def sizes(portrait, rng, dimensions, test, paired):
    """Does hue vary perception by another amount than crest does?"""
    (hue, one), (crest, other) = differences(portrait, rng, dimensions)
    people = portrait.shape[1]
    common = np.intersect1d(one, other)
    own = [by_identity(values, person, people)[:, common].mean(axis=2) for values, person in ((hue, one), (crest, other))]
    return {"picture": test(hue.reshape(len(hue), -1), crest.reshape(len(crest), -1), axis=1).pvalue[:, None],
            "identity": paired(*own, axis=1).pvalue[:, None],
            "network": over_networks((hue.mean(axis=(1, 2)) - crest.mean(axis=(1, 2)))[:, None])}  # fmt: skip


def figure_2(portrait, series, rng):
    """Fig. 2: rank-sum test of AbsDiff, hue against crest."""
    return sizes(portrait, rng, D, stats.mannwhitneyu, stats.wilcoxon)


def table_b2(portrait, series, rng):
    """Table B.2: t-tests of AbsDiff by valence, hue against crest."""
    valences = [name for name in DIMENSIONS if name in POSITIVE], [name for name in DIMENSIONS if name not in POSITIVE]
    both = [sizes(portrait, rng, [column[name] for name in names], stats.ttest_ind, stats.ttest_rel) for names in valences]
    return {unit: np.concatenate([one[unit] for one in both], axis=-1) for unit in both[0]}


def sc_weat(portrait, series, rng):
    """Table S.1: SC-WEAT with a permutation p, on five positive dimensions."""
    found = {"picture": [], "identity": [], "network": []}
    for one, other in sides(portrait[..., [column[name] for name in POSITIVE]]):
        one, other = one[:, :, 0], other[:, :, 0]
        pooled = np.concatenate([side.reshape(len(side), -1, 5) for side in (one, other)], axis=1)
        half = pooled.shape[1] // 2
        labels = np.sign(np.arange(2 * half) - half + 0.5)
        draws = np.stack([rng.permutation(labels) for _ in range(n_permutations)])
        flips = rng.choice([-1.0, 1.0], (n_permutations, one.shape[1]))
        paired = (one - other).mean(axis=2)
        for unit, weights, values, seen in (("picture", draws, pooled, labels), ("identity", flips, paired, np.ones(one.shape[1]))):
            drawn, real = np.abs(np.tensordot(weights, values, (1, 1))), np.abs(np.tensordot(seen, values, (0, 1)))
            found[unit].append((1 + (drawn >= real - 1e-12).sum(axis=0)) / (1 + n_permutations))
        found["network"].append(paired.mean(axis=1))
    return finish(found)


def correlate(x, y, axis):
    """Fisher's z of Pearson's r along an axis."""
    x, y = x - x.mean(axis=axis, keepdims=True), y - y.mean(axis=axis, keepdims=True)
    return np.arctanh(np.clip((x * y).sum(axis=axis) / np.sqrt((x**2).sum(axis=axis) * (y**2).sum(axis=axis)), -0.999999, 0.999999))


def compare_correlations(z, n, drawn, people):
    """Two-sided p of differences of Fisher's z: by formula for n independent cases, and by the spread over resampled people."""
    difference = z[0] - z[1]
    spread = (drawn[0] - drawn[1]).std(axis=0, ddof=1)
    return 2 * stats.norm.sf(np.abs(difference) / np.sqrt(2 / (n - 3))), 2 * stats.t.sf(np.abs(difference) / spread, people - 1), difference


def correlations(values, rng, *, of_levels):
    """Positive with negative words of three axes: over pictures (C.5) or over the means of levels (Table S.2)."""
    x, y = (values[..., [column[pair[end]] for pair in PAIRS]] for end in (0, 1))
    if of_levels:
        x, y = (side - values[..., [column["neutral"]]] for side in (x, y))
    people = values.shape[1]
    weights = [np.bincount(rng.integers(0, people, people), minlength=people) / people for _ in range(n_resamples // 4)]
    found = {"picture": [], "identity": [], "network": []}
    for x_pair, y_pair in zip(sides(x), sides(y), strict=True):
        z, drawn, n = [], [], 0
        for xs, ys in zip(x_pair, y_pair, strict=True):
            if of_levels:  # networks × identities × levels × axes
                xs, ys, n = xs.mean(axis=3), ys.mean(axis=3), xs.shape[2]
                z.append(correlate(xs.mean(axis=1), ys.mean(axis=1), 1))
                drawn.append(np.stack([correlate(np.tensordot(xs, w, (1, 0)), np.tensordot(ys, w, (1, 0)), 1) for w in weights]))
                continue
            xs, ys = xs[:, :, 0], ys[:, :, 0]  # networks × identities × repeats × axes
            n = xs.shape[1] * xs.shape[2]
            z.append(correlate(xs.reshape(len(xs), n, 3), ys.reshape(len(ys), n, 3), 1))
            moments = np.stack([xs, ys, xs * ys, xs**2, ys**2]).mean(axis=3)  # moment × networks × identities × axes
            mx, my, mxy, mxx, myy = np.moveaxis(np.tensordot(np.stack(weights), moments, (1, 2)), 1, 0)
            drawn.append(np.arctanh(np.clip((mxy - mx * my) / np.sqrt((mxx - mx**2) * (myy - my**2)), -0.999999, 0.999999)))
        for unit, p in zip(("picture", "identity", "network"), compare_correlations(z, n, drawn, people), strict=True):
            found[unit].append(p)
    return finish(found)


def figure_c5(portrait, series, rng):
    """C.5: correlations of positive with negative words over pictures, between groups."""
    return correlations(portrait, rng, of_levels=False)


def table_s2(portrait, series, rng):
    """Table S.2: correlations of positive with negative words over level means, between groups."""
    parts = [correlations(series[name][0], rng, of_levels=True) for name in ("smiling", "lighting", "pose")]
    return {unit: np.concatenate([one[unit] for one in parts], axis=-1) for unit in parts[0]}


def coefficients(values, levels, order):
    """The highest coefficient of polynomials over levels, compared between groups."""
    design = np.vander(levels, order + 1)
    inverse = np.linalg.pinv(design)
    found = {"picture": [], "identity": [], "network": []}
    for pair in sides(values):
        own, error = [], 0.0
        for side in pair:  # networks × identities × levels × repeats × questions
            middle = np.tensordot(inverse, side.mean(axis=(1, 3)), (1, 1)).transpose(1, 0, 2)  # networks × coefficients × questions
            whole = np.tensordot(design, middle, (1, 1)).transpose(1, 0, 2)[:, None, :, None]
            cases = side.shape[1] * side.shape[3]
            residual = ((side - whole) ** 2).sum(axis=(1, 2, 3)) / (cases * len(levels) - order - 1)
            error = error + residual * (inverse[0] ** 2).sum() / cases
            own.append(np.tensordot(inverse[0], side.mean(axis=3), (0, 2)))  # networks × identities × questions
        difference = (own[0] - own[1]).mean(axis=1)
        cases = 2 * (pair[0].shape[1] * pair[0].shape[3] * len(levels) - order - 1)
        found["picture"].append(2 * stats.t.sf(np.abs(difference) / np.sqrt(error), cases))
        found["identity"].append(stats.ttest_rel(*own, axis=1).pvalue)
        found["network"].append(difference)
    return finish(found)


def table_b1(portrait, series, rng):
    """Table B.1: slopes of Δcos over smiles, lights and poses, between groups."""
    parts = []
    for name, low, high in (("smiling", -9, 0), ("smiling", 0, 9), ("lighting", -9, 9), ("pose", -9, 0), ("pose", 0, 9)):
        values, levels = series[name]
        kept = (levels >= low) & (levels <= high)
        delta = values[..., D] - values[..., [column["neutral"]]]
        positive = np.array([dimension in POSITIVE for dimension in DIMENSIONS])
        valence = np.stack([delta[..., positive].mean(axis=-1), delta[..., ~positive].mean(axis=-1)], axis=-1)
        parts.append(coefficients(valence[:, :, kept], levels[kept], 1))
    return {unit: np.concatenate([one[unit] for one in parts], axis=-1) for unit in parts[0]}


def figure_5(portrait, series, rng):
    """Fig. 5: quadratic coefficients of Δcos over age, between groups."""
    values, levels = series["age"]
    return coefficients(values[..., D] - values[..., [column["neutral"]]], levels, 2)


TESTS = {"group means of Δcos": means, "S.13 neutral cosines": neutral_pairs, "Table S.1 SC-WEAT": sc_weat, "C.5 correlations": figure_c5,
         "Table S.2 correlations": table_s2, "Table B.1 slopes": table_b1, "Fig. 5 quadratics": figure_5,
         "Fig. 2 rank-sum": figure_2, "Table B.2 t": table_b2}  # fmt: skip

# %%
with warnings.catch_warnings():
    warnings.simplefilter("ignore", RuntimeWarning)  # a permutation test of identical values
    said = {name: test(portrait, series, rng) for name, test in TESTS.items()}

# %% tags=["hide-input"]
UNITS_OF = ("picture", "identity", "network")


rows = []
for name, found in said.items():
    for unit in UNITS_OF:
        p = found[unit]
        flat = p.ravel()
        low, high = proportion_confint(int((flat < alpha).sum()), flat.size, alpha=0.05, method="beta")
        row = {"test": name, "unit": unit, "tests": flat.size, "alarms": (flat < alpha).mean(), "low": low, "high": high}
        if p.ndim == 2:
            any_, corrected = (p < alpha).any(axis=1), p.min(axis=1) * p.shape[1] < alpha  # Holm's first step: all that "any" needs
            row |= {"per network": p.shape[1], "networks with any": any_.mean(), "after Holm": corrected.mean()}
            row["Holm low"], row["Holm high"] = proportion_confint(int(corrected.sum()), len(corrected), alpha=0.05, method="beta")
        rows.append(row)
rates = pd.DataFrame(rows)

fig = vb.figures.forest(
    rates.assign(estimate=100 * rates["alarms"], left=100 * rates["low"], right=100 * rates["high"],
                 label=[test if unit == "identity" else " " * (1 + (unit == "network")) for test, unit in zip(rates["test"], rates["unit"], strict=True)]),
    estimate="estimate", low="left", high="right", label="label", group="unit", reference=100 * alpha,
    value_label=f"percent of tests with p < {alpha:g}, 95 % interval",
)  # fmt: skip
overall = rates.groupby("unit", sort=False)["alarms"].median()
vb.figures.show(
    fig, name="sensitivity-silence",
    alt=f"Share of significant tests for {len(said)} tests by unit, with nothing planted. Median per picture {overall['picture']:.0%}, per identity "
        f"{overall['identity']:.0%}, per network {overall['network']:.0%}.",
    caption="Nothing planted for hue or crest: how often is a difference between them 'significant'? Line: the level of the tests. The last two compare sizes of variation, see the text.",
    source="greenhouse",
)  # fmt: skip

# %% tags=["hide-input"]
wide = rates.pivot(index="test", columns="unit", values="alarms").loc[list(TESTS), list(UNITS_OF)]
one = rates[rates["unit"] == "picture"].set_index("test")
two = rates[rates["unit"] == "identity"].set_index("test")
remember_b = wide.assign(**{
    "tests in a network": one["per network"].astype(int),
    "networks with any, per picture": one["networks with any"], "after Holm": one["after Holm"],
    "95 % interval": [f"{low:.0%}–{high:.0%}" for low, high in zip(one["Holm low"], one["Holm high"], strict=True)],
    "after Holm, per identity": two["after Holm"],
}).reset_index()  # fmt: skip
GROUP_TESTS = [name for name in TESTS if name not in ("Fig. 2 rank-sum", "Table B.2 t")]
for unit in UNITS_OF:
    part = rates[(rates["unit"] == unit) & rates["test"].isin(GROUP_TESTS)]
    glue(f"alarms-{unit}", 100 * float(part["alarms"].median()), display=False)
    glue(f"alarms-{unit}-low", 100 * float(part["alarms"].min()), display=False)
    glue(f"alarms-{unit}-high", 100 * float(part["alarms"].max()), display=False)
delta = models["logit_scale"].to_numpy()[null][:, None, None, None, None, None] * (portrait[..., D] - portrait[..., [column["neutral"]]])
exchanged = {}
for place, dimension in enumerate(DIMENSIONS):
    prototypes = delta[:, :, 0, ..., place].mean(axis=1).reshape(len(delta), -1)  # networks × six groups
    exchanged[dimension] = vb.networks.relabelled(prototypes, [f"{hue} {crest}" for hue in HUES for crest in CRESTS], rng, n_draws=n_permutations, level=alpha)
exchanged = pd.concat(exchanged, names=["dimension"]).groupby(level=1)[["n", "hits"]].sum()
quiet_gaps = {kind: retrained.gaps(pairing=kind).query("b == 0 and arm == 'none'").groupby(["axis", "first", "second"])["measured"] for kind in ("drawn", "plain")}
over = {kind: vb.networks.one_sample({key: own.to_numpy() for key, own in parts}) for kind, parts in quiet_gaps.items()}
vb.note(one_pairing={"share": 100 * float((over["plain"]["p"] < alpha).mean()), "networks": int(over["plain"]["n"].min())}, contrasts=len(over["drawn"]),
        drawn={"share": 100 * float((over["drawn"]["p"] < alpha).mean()), "largest": float(over["drawn"]["mean"].abs().max()), "sd": float(over["drawn"]["sd"].median())},
        exchanged={key.split()[0]: f"{100 * hits / n:.1f} % ({100 * ends[0]:.1f}–{100 * ends[1]:.1f} %)" for key, n, hits in exchanged.itertuples()
                   for ends in [proportion_confint(hits, n, method="beta")]})  # fmt: skip
part = remember_b[remember_b["test"].isin(GROUP_TESTS)]
glue("holm-median", 100 * float(part["after Holm"].median()), display=False)
glue("holm-identity-median", 100 * float(part["after Holm, per identity"].median()), display=False)
remember_b.columns = ["test", "per picture", "per identity", "per network", *remember_b.columns[4:]]
remember_b.style.format({name: "{:.0%}" for name in remember_b.columns if name not in ("test", "tests in a network", "95 % interval")}).hide(axis="index").set_caption(
    f"(b) Nothing planted: share of tests with p < {alpha:g} by unit; share of networks with at least one, uncorrected and after Holm (with its 95 % interval)")

# %% [markdown]
# **The answer to (b).** Over the tests that compare groups, the share of "significant" hue or crest differences has a median of {glue:text}`alarms-picture:.0f` % per picture (from
# {glue:text}`alarms-picture-low:.0f` to {glue:text}`alarms-picture-high:.0f` %) and {glue:text}`alarms-identity:.0f` % per identity (from {glue:text}`alarms-identity-low:.0f` to {glue:text}`alarms-identity-high:.0f` %). After Holm's
# correction at least one survives in {glue:text}`holm-median:.0f` % of the networks per picture, and in {glue:text}`holm-identity-median:.0f` % per identity (medians over tests). It is not meant to remove these: it corrects for the number of questions, and nothing is wrong with their number. With networks as the unit the
# median is {glue:text}`alarms-network:.0f` % (from {glue:text}`alarms-network-low:.0f` to {glue:text}`alarms-network-high:.0f` %); the level is {glue:text}`found-alpha:.0f` %.
#
# Over these networks names of groups are exchangeable: each drew for itself which name has which look. Of the gaps between all pairs of hues, and of crests, on all axes, {glue:text}`drawn.share:.0f` % are "significant" over networks; the largest mean is
# {glue:text}`drawn.largest:.2f` logits, where single networks stray by {glue:text}`drawn.sd:.2f` (median standard deviation). With the six names dealt out anew in every network, tests of one pair alarm in
# {glue:text}`exchanged.one`, of any of the fifteen pairs after Holm in {glue:text}`exchanged.any` of the draws. And networks that all share *one* pairing? In {glue:text}`one_pairing.networks` of these, {glue:text}`one_pairing.share:.0f` % of the same gaps are "significant".
# What they share may be how one paint or drawing looks to small networks, which no caption said. Several networks protect against a network's own lean, not against what all were shown alike.
#
# | significant at $b = 0$, tested per … | about this network | about retrained networks | about the captions |
# |---|---|---|---|
# | picture | true, if pictures of one identity were independent | **false alarm** | **false alarm** |
# | identity | true: it would come back with new identities | **false alarm** | **false alarm** |
# | network | (not asked) | chance, at the level of the test | chance, if names and looks were drawn; **false alarm** if all share one pairing |
#
# (The Clopper–Pearson intervals of the figure count tests, and those of one network are not independent; the intervals in the table count networks, which are.)
#
# Counting identities in place of pictures is right, and does not help here: pairing removes what identities have in common, so the network's own lean shows the more clearly. The two tests at the end of the table compare
# *sizes* of variation, of hue against crest. Nothing planted does not mean equally visible, so even over networks they may rightly differ: an
# absolute difference counts every lean, planted or not, as variation.
#
# ### Are the tests themselves in order?
#
# One check tells a lean of the network from a fault of the test: deal out the six group labels of every identity at random, anew for every network. Now there is no difference between groups even for this network, and every alarm is the test's own.

# %% tags=["hide-input"]
dealt = np.random.default_rng([seed, 1])
with warnings.catch_warnings():
    warnings.simplefilter("ignore", RuntimeWarning)
    fair = {name: TESTS[name](shuffled(portrait, dealt), {key: (shuffled(values, dealt), levels) for key, (values, levels) in series.items()}, rng)
            for name in GROUP_TESTS}  # fmt: skip
own = pd.DataFrame([{"test": name, **{f"per {unit}": (found[unit] < alpha).mean() for unit in ("picture", "identity")}} for name, found in fair.items()])
glue("fair-picture", 100 * float(own["per picture"].median()), display=False)
glue("fair-identity", 100 * float(own["per identity"].median()), display=False)
own.style.format({"per picture": "{:.1%}", "per identity": "{:.1%}"}).hide(axis="index").set_caption("Labels dealt out at random: share of tests below the level")

# %% [markdown]
# With dealt labels the median is {glue:text}`fair-picture:.1f` % per picture and {glue:text}`fair-identity:.1f` % per identity. Tests that treat pictures of one identity as independent tend to stay *below* the level: what pictures of one identity share is counted as noise. The alarms above are
# thus not faults of arithmetic. They are answers to a question about one network, in a place where a reader expects an answer about such networks.
#
# ## Take-aways
#
# - Visible is what exceeds the differences between networks that were trained on nothing of the kind. More pictures do not lower that limit; more networks do.
# - Logits are the unit in which sizes can be compared across networks. Effect sizes and rank measures order groups, and depend on who else is in the ranking.
# - Measures that first subtract what all words share, Δcos and centring, found smaller effects here than those made of raw cosines.
# - Averaging a signed rank measure over positive *and* negative dimensions cancels what it should show.
# - A test over pictures or identities is about one network. It reports that network's lean faithfully, at $b = 0$ as well.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/sensitivity -p found_share 0.5 -p hue_axis competence
# ```
# :::
#
# ## Exercises
#
# :::{exercise} How many pictures would silence it?
# :label: sensitivity-pictures
# A network leans by $\delta$ for no reason but its random start. You test with $n$ pairs of pictures whose differences have standard deviation $\sigma$. What happens to the rate of alarms as $n$ grows? Simulate for
# $\delta$ drawn anew for every network with standard deviation $0.3\,\sigma$.
# :::
#
# ```{solution-start} sensitivity-pictures
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
draw = np.random.default_rng(0)
lean = draw.normal(0, 0.3, 4_000)
simulated = {n: float((stats.norm.sf(np.abs(lean * np.sqrt(n) + draw.normal(size=4_000))) < alpha / 2).mean()) for n in (10, 100, 1_000, 10_000)}
print({n: f"{share:.0%}" for n, share in simulated.items()}, "– towards every network, since every network leans a little")
assert list(simulated.values()) == sorted(simulated.values()) and simulated[10_000] > 0.9

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} A unit for a p-value
# :label: sensitivity-holm
# In how many of the networks at $b = 0$ does at least one group mean of Δcos differ "significantly" per identity after Holm? How many would the level lead you to expect, and for which target is that expectation wrong?
# :::
#
# ```{solution-start} sensitivity-holm
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
family = said["group means of Δcos"]["identity"]
corrected = np.array([multipletests(row, alpha, method="holm")[0].any() for row in family])
print(f"{corrected.sum()} of {len(corrected)}; at most about {alpha * len(corrected):.0f} expected if no network leaned. About each network, these may all be true.")
assert corrected.mean() == two.loc["group means of Δcos", "after Holm"]

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. You may test one released model and cannot retrain it. Which sentences about a significant result can you write, and which can you not?
# 2. The limit of visibility comes from differences between random starts. Is a bias below that limit harmless?
