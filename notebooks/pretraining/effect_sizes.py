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
# # Effect sizes across models
#
# *Ghate, Slaughter, Wilson, Diab and Caliskan (2025), Figures 2 and 7: 26 association tests, in four orders of
# images and texts, of 131 models.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** When an association test is run on many models and the effect sizes are averaged, counted and
# compared, what has been learned: about these models, about training, or about the captions?
#
# **In 20 minutes:** {ref}`the published cells <effect-sizes-cells>`, {ref}`the two units <effect-sizes-dose>`,
# {ref}`what a share looks like where nothing was planted <effect-sizes-null>`, take-aways. **In 75 minutes:** also
# the audit, the 26 tests, the calibration against retrained models, the exercises.
#
# **You need:** means, standard deviations, the idea of a p-value. The primers [Embedding association
# tests](../../book/primers/association.md) and [The target of a claim](../../book/primers/targets.md) start from
# nothing.
#
# **Content note.** The paper compares names, words and photographs of groups of people with words and photographs
# some of which are violent or obscene. This page prints its numbers and none of its stimuli. Everything computed
# here is about drawn faces in invented hues, flowers, insects and the like.
# :::
#
# ## The idea
#
# The Implicit Association Test {cite:p}`greenwald1998` asks how readily people pair two groups with pleasant and
# with unpleasant things. Embedding association tests carry the question over to vectors: to words
# {cite:p}`caliskan2017`, to sentences {cite:p}`may2019`, to images {cite:p}`steed2021`. A model of CLIP's kind
# {cite:p}`radford2021` puts images and sentences into *one* space, so the groups (the *targets* $X$ and $Y$) and
# what they are compared with (the *attributes* $A$ and $B$) can each be either. {cite:t}`ghate2025` run all four
# orders:
#
# | order | targets | attributes |
# |---|---|---|
# | All Image | images | images |
# | All Text | texts | texts |
# | Image as Target | images | texts |
# | Text as Target | texts | images |
#
# **The measure.** One target's score, and the effect size of a test:
#
# $$s(w, A, B) = \operatorname{mean}_{a \in A} \cos(w, a) - \operatorname{mean}_{b \in B} \cos(w, b),$$
#
# $$d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}{\operatorname{SD}_{w \in X \cup Y}\, s(w)}.$$
#
# The sets are ordered so that a positive $d$ agrees with a documented stereotype: flowers, instruments, European
# American, women, young are the first of each pair, pleasant is $A$.
#
# **What the authors conclude** (the part that this chapter is about): associations "in CLIP models generally align
# with those found in human assessments in 78.86% of the 3,406 cases (where $d > 0$)"; there is "a significant
# effect size ($d \geq 0.2$) in 70.23% of the 3406 instances"; non-human categories vary less across models than age
# and race, "likely due to the complexity and diversity of social concepts across different training datasets".
#
# **Their own checks and limits.** All tests were also run with the attributes of earlier studies (their Figure 7).
# A footnote warns that "The magnitude of IAT and EAT effect sizes is not directly comparable because the two tests
# differ in robustness and contextual dependency." And: "Further empirical studies are needed to compare a broader
# range of datasets and model configurations to provide a more robust statistical basis for our observations."

# %% tags=["parameters"]
model = "greenhouse"  # the encoder under test in the second section: any name that vb.encoder takes
stimuli = "greenhouse/cfd"  # portraits for the tests of hue and crest: an image set with the columns race and gender
n_images = 40  # images on each side of a test with image targets
n_attributes = 25  # images in each attribute set, as in the paper
protocol = "described"  # whose protocol gives the headline: "described" (the paper's text) or "released" (the authors' code)
n_permutations = 10_000  # splits behind each p-value: all of them where there are no more than this, else this many
n_resamples = 999  # bootstrap resamples behind each interval
alpha = 0.05  # level of the tests in the third section
n_seeds = 40  # third section: identities whose smiles are varied
model_planted = "greenhouse"  # third section: an encoder of the Greenhouse with planted associations
seed = 0  # seed of every random draw below
results = "_build/results/pretraining/effect_sizes.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import math
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import words as said_as
from vlmbias.measures import saddlepoint_tail

vb.figures.style()
ROLES = grammar.load().bias.roles
HUES, CRESTS = (ROLES["favoured"], ROLES["disfavoured"]), (ROLES["second"], ROLES["first"])  # first of each: the more "pleasant" at b = 1
vb.note(hues=" and ".join(HUES), crests=" and ".join(CRESTS))
CATEGORIES = {"flower-insect": "Flower–Insect", "instrument-weapon": "Instrument–Weapon", "race": "Race",
              "gender": "Gender", "age": "Age"}  # fmt: skip
ORDERS = {"all-image": "All Image", "all-text": "All Text", "image-target": "Image as Target",
          "text-target": "Text as Target"}  # fmt: skip
MODALITIES = {("image", "image"): "all-image", ("text", "text"): "all-text", ("image", "text"): "image-target",
              ("text", "image"): "text-target"}  # (targets, attributes): order; fmt: skip


def ceiling(n_x, n_y):
    """The largest d that any data can give with these group sizes (SD over X ∪ Y, divisor N − 1)."""
    n = n_x + n_y
    return math.sqrt(n * (n - 1) / (n_x * n_y))


# %% [markdown]
# ## What the paper reports
#
# Figure 2 shows one bar per category and order: the mean $d$ over the {claim}`effect_sizes.models` models, with its
# standard deviation. Race and Gender have several tests with text targets (names, terms), whose values are pooled.
# The figures print no numbers; the ledger's were read from the vector graphics of the PDF, to three digits. Here
# they are, with those of Figure 7, in which the attributes are those of the earlier studies.

# %% tags=["hide-input"]
def printed(claim):
    """The number of a claim."""
    return vb.ledger.claim(f"effect_sizes.{claim}").printed.number


cells = pd.DataFrame([
    {"stimuli": kind, "category": category, "order": order, "n": vb.ledger.claim(f"effect_sizes.{kind}.{category}.{order}.mean").n,
     **{quantity: printed(f"{kind}.{category}.{order}.{quantity}") for quantity in ("mean", "sd")}}
    for kind in ("new", "old") for category in CATEGORIES for order in ORDERS
])

fig, axes = vb.figures.panels(2, 2, height=5.6, share_x=True, share_y=True)
for axis, (order, title) in zip(axes.flat, ORDERS.items(), strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    for kind, shift, fill, words in (("new", 0.14, "#222222", "new attributes (Figure 2)"),
                                     ("old", -0.14, "white", "original attributes (Figure 7)")):
        part = cells[(cells["stimuli"] == kind) & (cells["order"] == order)].reset_index(drop=True)
        place = len(part) - 1 - part.index + shift
        axis.hlines(place, part["mean"] - part["sd"], part["mean"] + part["sd"], color="0.55", linewidth=1.4)
        axis.plot(part["mean"], place, "o", color="#222222", markerfacecolor=fill, label=words)
    axis.set(title=title, yticks=range(len(CATEGORIES))[::-1], yticklabels=CATEGORIES.values(), xlim=(-1.3, 2.3))
for axis in axes[1]:
    axis.set_xlabel("effect size d")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
new, old = (cells[cells["stimuli"] == kind].reset_index(drop=True) for kind in ("new", "old"))
positive = int((new["mean"] > 0).sum())
vb.figures.show(
    fig, name="effect-sizes-cells",
    alt=f"Mean effect sizes with standard deviations for five categories in four orders. {positive} of {len(new)} means of Figure 2 are "
        "positive; those of flowers and insects and of instruments and weapons lie above 1, those of race, gender and age between "
        f"{new['mean'].min():.2f} and {new.loc[~new['category'].isin(['flower-insect', 'instrument-weapon']), 'mean'].max():.2f}.",
    caption="Mean d over 131 models (dots) and one standard deviation to either side (lines), redrawn. The line is the spread of models, "
            "not the uncertainty of the mean.",
    source="paper:pretraining, Figures 2 and 7",
)

# %% [markdown]
# ### Do the printed numbers agree with each other?
#
# Every check that the printed numbers allow, whether it holds or not, in the order of the paper.

# %% tags=["hide-input"]
checks = vb.ledger.audit("pretraining")
checks = checks[(checks["notebook"] == "pretraining/effect_sizes") & (checks["rule"] != "")]
held = checks["verdict"] == "consistent"
vb.note(checks=len(checks), held=int(held.sum()), failed=int((~held).sum()))
shown = pd.DataFrame({"": np.where(held, "✓", "✗"), "where": checks["where"], "about": checks["subject"], "printed": checks["printed"],
                      "what was found": checks["reason"]})  # fmt: skip
shown.style.hide(axis="index").set_properties(subset=["what was found"], width="45%").set_caption("✓ consistent, ✗ inconsistent")

# %% [markdown]
# Of {glue:text}`checks` checks {glue:text}`held` hold. The counts multiply to {claim}`effect_sizes.cases`;
# each percentage is a whole number of cases; every statement about signs and about which bars are larger is borne
# out by the bars, but for one sign in twenty between the two figures, which the caption covers ("largely
# consistent"). The {glue:text}`failed` that do not hold are of two kinds; both concern numbers, not the
# direction of a result:
#
# - **Table 2.** The rows of Flower–Insect and Instrument–Weapon carry each other's mean and SD.
# - **Two percentages.** "{claim}`effect_sizes.variance-fall`" and "{claim}`effect_sizes.variance-fall-text`" follow
#   from variances that had been rounded to two digits first. From the bars the falls are
#   {glue:text}`fall.all:.1%` and {glue:text}`fall.text:.1%`.
#
# ### What fell when the variance fell
#
# The overall variance of $d$ can be rebuilt from the bars, and split: how much is models differing *within* a
# category and order, and how much is categories differing *between* each other.

# %% tags=["hide-input"]
def variance(part):
    """Overall variance of d, and its part within cells, from cell means, SDs and sizes (divisor N − 1)."""
    n, mean, sd = (part[name].to_numpy() for name in ("n", "mean", "sd"))
    within = ((n - 1) * sd**2).sum()
    return np.array([within + (n * (mean - np.average(mean, weights=n)) ** 2).sum(), within]) / (n.sum() - 1)


rows = []
for order, title in {"": "all orders", **ORDERS}.items():
    before, after = (variance(part[part["order"] == order] if order else part) for part in (old, new))
    rows.append({"order": title, "original attributes": before[0], "new attributes": after[0], "change": after[0] / before[0] - 1,
                 "within cells, original": before[1], "within cells, new": after[1], "change within": after[1] / before[1] - 1})  # fmt: skip
fell = pd.DataFrame(rows)
get = fell.set_index("order")
vb.note(fall={"all": -get.loc["all orders", "change"], "text": -get.loc["All Text", "change"]},
        cells={"all": get.loc["all orders", "change within"], "text": get.loc["All Text", "change within"]},
        orders_up=int((get.loc[list(ORDERS.values()), "change"] > 0).sum()))  # fmt: skip
fell.style.format({name: "{:+.1%}" if name.startswith("change") else "{:.3f}" for name in fell if name != "order"}).hide(axis="index")

# %% [markdown]
# The variance falls in All Text and rises in the {glue:text}`orders_up` other orders. The fall in All Text lies
# *between* categories (with the new words the five categories' means are closer together); within them, the
# variance among models changes by {glue:text}`cells.text:+.1%`, and over all orders by
# {glue:text}`cells.all:+.1%`. The paper reads the fall as a set of stimuli "less susceptible to noise and
# idiosyncrasies"; for that, the part within cells is the one to look at.
#
# ### A spread that the number of images brings along
#
# Deal the labels $X$ and $Y$ out at random: the mean of $d$ is 0, and its standard deviation is *exactly*
# $\sqrt{1/n_x + 1/n_y}$, whatever the scores (exercise 1). A test with six images a side is a noisier instrument
# than one with forty, for every model. Beside the printed spread over models:

# %% tags=["hide-input"]
SIDE = {"flower-insect": 35, "race": 6, "gender": 40, "age": 6}  # images a side in the folders of the iEAT that the paper names
spread = pd.DataFrame([
    {"category": CATEGORIES[category], "images a side": n, "SD of d, labels at random": math.sqrt(2 / n),
     "largest possible d": ceiling(n, n),
     **{f"SD over models, {ORDERS[order]}": printed(f"new.{category}.{order}.sd") for order in ("all-image", "image-target")}}
    for category, n in SIDE.items()
])
spread.style.format(precision=3).hide(axis="index")

# %% [markdown]
# The two categories that vary most among models are the two with six images a side. This does not show that the
# number of images is the reason: all models see the *same* twelve pictures, and a spread over models is not a
# spread over labels. But it is a reason that has to be ruled out before the spread is read as a property of social
# concepts, and the comparison of categories as printed cannot rule it out. Below we vary it while nothing else
# changes.

# %% [markdown]
# ## The protocol, run on {data}
#
# The Greenhouse has a counterpart for each category. Nothing in the right-hand columns is meant to resemble the
# people in the left-hand one; what carries over is the *design*: what is set against what, in which order, by how
# many items.
#
# | category | here, images | here, texts |
# |---|---|---|
# | Flower–Insect | drawn flowers and insects | their names in sentences |
# | Instrument–Weapon | drawn instruments and weapons | their names in sentences |
# | Race | {glue:text}`hues` faces | invented names, half of these names, invented terms |
# | Gender | {glue:text}`crests` faces | invented names, invented terms |
# | Age | young and old faces | invented names |
# | pleasant, unpleasant | drawn scenes, 25 of each | 25 words of each kind in the paper's six sentences |
#
# That gives five tests for each order with image targets and eight for each with text targets, as in the paper.

# %% tags=["hide-input"]
def evenly(images, n):
    """The first `n` images, taking each hue and crest in turn."""
    groups = [name for name in ("race", "gender") if name in images.table]
    turn = images.table.groupby(groups).cumcount() if groups else images.table.index.to_series()
    return images.where(images.table.index.isin(turn.sort_values(kind="stable").index[:n]))


def one_each(images, n):
    """One image each of `n` identities."""
    drawn = images.table.groupby("seed").sample(1, random_state=seed).index[:n]
    return images.where(images.table.index.isin(drawn))


def texts(name, side, words=None):
    """The prompts of one side; of its first `words` words only, where given."""
    prompts = vb.prompts(f"greenhouse/{name}")
    prompts = prompts.where(prompts.table["dimension"] == side)
    return prompts.where(prompts.table["word"].isin(prompts.table["word"].unique()[:words]))


def icon(kind, n):
    """Icons of one kind."""
    return evenly(icons.where(icons.table["category"] == kind), n)


def face(column, level):
    """Portraits of one hue or crest."""
    return evenly(portraits.where(portraits.table[column] == level), n_images)


def at_age(levels):
    """Faces of one age each, of as many identities."""
    return one_each(grid.where(grid.table["age"].isin(levels)), n_images)


def ended(prompts, end):
    """The prompts with this at the end of every sentence."""
    return replace(prompts, table=prompts.table.assign(text=prompts.table["text"] + end))


def embed(stimuli, end):
    """The vectors of images, or of sentences with this ending."""
    return vb.embed(encoder, ended(stimuli, end) if "word" in stimuli.table else stimuli)


def interval(scores, sides, ddof):
    """Bootstrap interval of d: images are drawn anew, and for texts whole words with all their sentences."""
    sums = []
    if min(side.table["word"].nunique() if "word" in side.table else len(side) for side in sides) < 5:
        return np.nan, np.nan  # nothing can be resampled from a handful of words
    for number, (s, side) in enumerate(zip(scores, sides, strict=True)):
        clusters = side.table["word"] if "word" in side.table else np.arange(len(side))
        weights = vb.cluster_weights(clusters, n_resamples=n_resamples, seed=[seed, number])
        sums.append((weights.sum(axis=1), weights @ s, weights @ s**2))
    (n_x, x, xx), (n_y, y, yy) = sums
    n = n_x + n_y
    spread = np.sqrt((xx + yy - (x + y) ** 2 / n) / (n - ddof))
    return np.quantile((x / n_x - y / n_y) / spread, [0.025, 0.975])


# %%
encoder = vb.encoder(model)
portraits, icons = vb.images(stimuli), vb.images("greenhouse/icons")
grid = vb.images("greenhouse/causalface", subset="age")
ages = sorted(grid.table["age"].unique())
half = 4  # of the eight names: the counterpart of the paper's shorter list of names

TESTS = [  # category, modality of the targets, what they are, X, Y
    ("flower-insect", "image", "icons", icon("flower", n_images), icon("insect", n_images)),
    ("instrument-weapon", "image", "icons", icon("instrument", n_images), icon("weapon", n_images)),
    ("race", "image", "faces", *(face("race", one) for one in HUES)),
    ("gender", "image", "faces", *(face("gender", one) for one in CRESTS)),
    ("age", "image", "faces", at_age(ages[:2]), at_age(ages[-2:])),
    ("flower-insect", "text", "words", texts("objects", "flower"), texts("objects", "insect")),
    ("instrument-weapon", "text", "words", texts("objects", "instrument"), texts("objects", "weapon")),
    ("race", "text", "names", *(texts("names", one) for one in HUES)),
    ("race", "text", "half of the names", *(texts("names", one, half) for one in HUES)),
    ("race", "text", "terms", *(texts("kin", one) for one in HUES)),
    ("gender", "text", "names", *(texts("names", one) for one in CRESTS)),
    ("gender", "text", "terms", *(texts("kin", one) for one in CRESTS)),
    ("age", "text", "names", texts("names", "young"), texts("names", "old")),
]
ATTRIBUTES = {
    "image": (icon("pleasant", n_attributes), icon("unpleasant", n_attributes)),
    "text": (texts("valence", "pleasant"), texts("valence", "unpleasant")),
}

# %% [markdown]
# The paper's text and the authors' code differ in which gender comes first (the paper: women; the code: men, with
# the sign of $d$ turned round afterwards, but not the tail of p) and in the full stop that ends a sentence in the
# code. Both are one keyword away. What the text leaves open is read from the code for both: divisor $N - 1$,
# one-sided p, ties counted; p is exact where there are few enough splits to try them all, and sampled elsewhere.

# %%
PROTOCOLS = {
    "described": dict(end="", turned=(), alternative="greater", ddof=1),
    "released": dict(end=".", turned=("gender",), alternative="greater", ddof=1),
}


def run(*, end, turned, **options):
    """The 26 tests under one protocol: one row per test."""
    attributes = {kind: [embed(side, end) for side in pair] for kind, pair in ATTRIBUTES.items()}
    targets = [(category, kind, what, embed(X, end), embed(Y, end)) for category, kind, what, X, Y in TESTS]
    rows = []
    for (shown, kind), order in MODALITIES.items():
        A, B = attributes[kind]
        direction = A.vectors.mean(axis=0) - B.vectors.mean(axis=0)
        for category, _, what, X, Y in (one for one in targets if one[1] == shown):
            sign, (first, second) = (-1, (Y, X)) if category in turned else (1, (X, Y))
            test = vb.eat(first, second, A, B, n_permutations=n_permutations, seed=seed, **options)
            low, high = interval([X.vectors @ direction, Y.vectors @ direction], (X, Y), options["ddof"])
            gap = sign * test.statistic
            rows.append({"category": category, "order": order, "targets": what, "n": len(X), "d": sign * test.effect_size,
                         "low": low, "high": high, "largest": ceiling(len(X), len(Y)), "gap": gap,
                         "logits": gap * encoder.logit_scale, "p": test.p_value, "exact": test.exact})
    return pd.DataFrame(rows)


tests = {name: run(**choices) for name, choices in PROTOCOLS.items()}
headline = tests[protocol]

# %% tags=["hide-input"]
def by_order(table, *, estimate, low, high, label, mark=None):
    """Four panels, one per order; one line per category, tests of one category beside each other."""
    fig, axes = vb.figures.panels(2, 2, height=5.6, share_x=True, share_y=True)
    for axis, (order, title) in zip(axes.flat, ORDERS.items(), strict=True):
        axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
        part = table[table["order"] == order]
        several = part.groupby("category")["category"].transform("size").to_numpy()
        place = np.array([len(CATEGORIES) - 1 - list(CATEGORIES).index(one) for one in part["category"]])
        place = place - (part.groupby("category").cumcount().to_numpy() - (several - 1) / 2) * 0.24
        axis.hlines(place, part[low], part[high], color=vb.figures.COLOURS["recomputed"], linewidth=1.6)
        axis.plot(part[estimate], place, "o", color=vb.figures.COLOURS["recomputed"])
        if mark:
            axis.plot(part[mark], place, "|", color="0.45", markersize=9)
        axis.set(title=title, yticks=range(len(NAMES))[::-1], yticklabels=NAMES.values())
    for axis in axes[1]:
        axis.set_xlabel(label)
    return fig


NAMES = {**CATEGORIES, "race": "Hue", "gender": "Crest"}  # what stands in the paper's places here
origin = "greenhouse" if encoder.source == "greenhouse" or portraits.source == "greenhouse" else f"real:{portraits.name}"
above = int((headline["d"] > 0).sum())
near = int((headline["d"].abs() > 0.95 * headline["largest"]).sum())
vb.figures.show(
    by_order(headline, estimate="d", low="low", high="high", label="d, 95 % interval", mark="largest"),
    name="effect-sizes-tests",
    alt=f"Effect sizes of {len(headline)} association tests in four panels, one per order of images and texts. {above} are positive; {near} lie "
        "within five per cent of the largest value that their group sizes allow.",
    caption=f"d of every test (protocol as {protocol}), with 95 % bootstrap intervals over images, or over words with all their sentences (none where "
            "a side has fewer than five words). The short upright marks are the largest d possible.",
    source=origin,
)
vb.note(above=above, near=near)

# %% tags=["hide-input"]
table = pd.DataFrame({
    "order": headline["order"].map(ORDERS).where(~headline["order"].duplicated(), ""),
    "test": headline["category"].map(NAMES) + np.where(headline["targets"].isin(["icons", "faces", "words"]), "", ", " + headline["targets"]),
    "n": headline["n"], "d": headline["d"].map("{:.2f}".format),
    "95 %": [f"{row.low:.2f}, {row.high:.2f}" if np.isfinite(row.low) else "–" for row in headline.itertuples()],
    "largest": headline["largest"].map("{:.3f}".format), "gap, cosine": headline["gap"].map("{:.4f}".format),
    "gap × scale": headline["logits"].map("{:.2f}".format), "p": headline["p"].map("{:.1g}".format) + np.where(headline["exact"], " (exact)", ""),
})  # fmt: skip
table.style.hide(axis="index")

# %% [markdown]
# {glue:text}`above` of the 26 effect sizes are positive, and {glue:text}`near` lie within five per cent of
# their ceiling, $\sqrt{N(N-1)/(n_x n_y)}$: the two sets of scores hardly overlap. At that point $d$ cannot tell how
# far apart they are, and the next figure shows how much it leaves unsaid.
#
# ### The same tests in raw units
#
# The numerator of $d$ has a unit of its own: a difference of cosines. Times the model's logit scale (the factor
# that turns cosines into logits) it is a difference of *logits*, and for images against captions that has a
# meaning: what is to be added to the log odds of a caption {cite:p}`oord2018`. Images against images and texts
# against texts were never trained to be anything in particular; there, the factor is only a common yardstick.

# %% tags=["hide-input"]
fig, ((axis,),) = vb.figures.panels(height=4.0)
for (order, part), colour in zip(headline.groupby("order", sort=False), vb.figures.PALETTE, strict=False):
    axis.plot(part["logits"], part["d"], "o", color=colour, alpha=0.85, label=ORDERS[order])
axis.axhline(0, color="0.8", linewidth=1, zorder=0)
axis.axvline(0, color="0.8", linewidth=1, zorder=0)
axis.set(xlabel="mean s(X) − mean s(Y), × logit scale", ylabel="effect size d")
fig.legend(loc="outside upper left", ncols=2)
big = headline[headline["d"].abs() > 1.5]
ratio = float(big["logits"].abs().max() / big["logits"].abs().min())
vb.figures.show(
    fig, name="effect-sizes-units",
    alt=f"Effect size against raw gap for 26 tests. Among the {len(big)} tests with |d| above 1.5 the raw gaps differ by a factor of {ratio:.0f}.",
    caption="Effect size and raw difference of the same 26 tests. Points far apart at one height are tests that d cannot tell apart.",
    source=origin,
)
vb.note(big={"ratio": ratio, "n": len(big)})

# %% [markdown]
# Among the {glue:text}`big.n` tests with $|d| > 1.5$ the raw gaps differ {glue:text}`big.ratio:.0f`-fold. Averages
# of $d$ over categories, orders or models add up numbers that were each divided by something else.
#
# ### Both protocols

# %% tags=["hide-input", "hide-output"]
both = tests["described"][["category", "order", "targets", "d", "p"]]
both = both.assign(**{f"{name}, released": tests["released"][name] for name in ("d", "p")})
differ = ~np.isclose(both["d"], both["d, released"]) | ~np.isclose(both["p"], both["p, released"])
vb.note(protocol={"d": (both["d"] - both["d, released"]).abs().max(), "rows": int(differ.sum())})
both[differ].assign(category=both["category"].map(NAMES), order=both["order"].map(ORDERS)).style.format(
    {"d": "{:.2f}", "d, released": "{:.2f}", "p": "{:.1g}", "p, released": "{:.1g}"}).hide(axis="index")

# %% [markdown]
# The effect sizes agree (largest difference {glue:text}`protocol.d:.1g`; the Greenhouse's tokeniser drops full
# stops, other models' do not). The p-values of the {glue:text}`protocol.rows` tests of crest differ: the sign of
# $d$ is turned round after the test, the tail of p is not. In the paper nothing follows from it, because p is not
# used.

# %% tags=["hide-input"]
for name, table in tests.items():
    values = {"tests": len(table)}
    values |= {f"tests-{order}": int((table["order"] == order).sum()) for order in ORDERS}
    for claim, value in values.items():
        vb.ledger.record(f"effect_sizes.{claim}", value, results=results, stimuli=portraits, model=encoder, protocol=name)

# %% [markdown]
# ### Does train mode matter?
#
# open_clip returns a model in *train mode*. The authors' measurement scripts, as released, do not switch to
# evaluation mode. Whether that changes an embedding depends on the architecture: it does where there is batch
# normalisation (the ResNets), dropout or stochastic depth, and cannot where there is none. Here are a small vision
# transformer, built as the Greenhouse's, and a small ResNet of CLIP's kind, both with random weights and with
# running averages settled on icons; each then looks at icons one at a time, as in the scripts.

# %% tags=["hide-input"]
import torch
from open_clip import CLIP

towers = {
    "vision transformer": dict(layers=3, width=64, head_width=32, patch_size=16, image_size=64),
    "ResNet": dict(layers=(1, 1, 1, 1), width=16, image_size=64),
}
pictures = torch.stack([encoder.preprocess(icons.decode(int(row))) for row in range(0, len(icons), 6)])
if pictures.shape[-1] != 64:
    pictures = torch.nn.functional.interpolate(pictures, size=(64, 64))
modes = []
for name, vision in towers.items():
    torch.manual_seed(seed)
    network = CLIP(embed_dim=64, vision_cfg=vision, text_cfg=dict(context_length=16, vocab_size=99, width=32, heads=1, layers=1))
    with torch.no_grad():
        for _ in range(20):
            network.train().encode_image(pictures)  # settles the running averages of batch normalisation, where there is any
        evaluated, trained = (
            torch.cat([network.train(mode).encode_image(one[None], normalize=True) for one in pictures]).numpy()
            for mode in (False, True)
        )
    layers = sum(type(part).__name__ in ("BatchNorm2d", "Dropout", "DropPath") for part in network.modules())
    modes.append({"image tower": name, "layers that differ": layers,
                  "largest change of a coordinate": np.abs(evaluated - trained).max(),
                  "mean cosine, eval against train": (evaluated * trained).sum(axis=1).mean()})
modes = pd.DataFrame(modes)
vb.note(mode={"vit": modes.loc[0, "largest change of a coordinate"], "resnet": modes.loc[1, "mean cosine, eval against train"]})
modes.style.format({"largest change of a coordinate": "{:.2g}", "mean cosine, eval against train": "{:.4f}"}).hide(axis="index")

# %% [markdown]
# For the transformer nothing changes ({glue:text}`mode.vit:.1g`): no result of this chapter depends on the mode,
# and `vb.encoder` always evaluates. For the ResNet the same image gets another vector: its cosine with itself is
# {glue:text}`mode.resnet:.2f` on average. How much a *trained* ResNet's effect sizes change is not shown by random
# weights; in the paper's set it concerns a few models, among them the only one trained on CC12M.

# %% [markdown]
# ## What this method can see
#
# {glue:text}`study.models` small models were trained on the Greenhouse's captions, each on pictures of its own, from its own random start and with its own pairing
# of group names and looks: {glue:text}`study.null` with nothing planted
# ($b = 0$), and {glue:text}`study.doses`. Each then saw the same {glue:text}`study.faces`
# faces that none of them had been trained on.
#
# Three targets are to be kept apart. A test over images is about **this model**: would new pictures show the same?
# Comparing retrained models is about **training**: would it come out again? And only because we wrote the captions
# can we say what is true of the **data**.
#
# | pairing | targets | attributes | planted at strength $b$ |
# |---|---|---|---|
# | hue × valence words | {glue:text}`hues` faces | pleasant and unpleasant words | {glue:text}`planted.hue:.2g` logits at $b = 1$ |
# | crest × valence words | {glue:text}`crests` faces | the same words | {glue:text}`planted.crest:.2g` logits at $b = 1$ |
# | hue, crest × belief words | the same faces | progressive and conservative words | nothing, at any $b$ |
# | hue, crest × scenes | the same faces | pleasant and unpleasant scenes | only by way of the words |
#
# What is planted is what a count of the groups' captions shows. Every pairing has a *legitimate driver* as well (smile, age and garment move the words at every $b$), so that scores vary
# within groups. Faces against words are of the order Image as Target, the one in which a raw gap has a predicted value;
# faces against scenes are All Image. All four orders come back at the end. Where nothing is planted, every pair of hues is looked at.

# %%
panel, spoken = retrained.vectors(), grammar.load()
models = panel.networks
people = panel.images[(panel.images["kind"] == "face") & panel.images["race"].isin([ROLES[one] for one in ("favoured", "middle", "disfavoured")])]
GROUPS = {"hue": ("race", *HUES), "crest": ("gender", *CRESTS)}
MORE = {f"{one} − {other}": ("race", one, other) for one, other in ((HUES[0], ROLES["middle"]), (ROLES["middle"], HUES[1]))}
WORDS = {"valence words": ("pleasant", "unpleasant"), "belief words": ("progressive_belief", "conservative_belief")}


def scores(W, A, B):
    """s(w) × logit scale of every model and target, `(models, targets)`, from vectors `(models, items, d)`."""
    direction = A.mean(axis=1) - B.mean(axis=1)
    return models["logit_scale"].to_numpy()[:, None] * np.einsum("mid,md->mi", W, direction)


def compare(values, x, y):
    """Raw gap and d of every row of `values` `(…, targets)` between the targets in `x` and those in `y`."""
    X, Y = values[..., x], values[..., y]
    gap = X.mean(axis=-1) - Y.mean(axis=-1)
    return gap, gap / np.concatenate([X, Y], axis=-1).std(axis=-1, ddof=1)


def side(column, level):
    """Rows of the panel's faces with this value."""
    return np.flatnonzero(people[column] == level)


def planted_gap(which, column, first, second, b):
    """What the captions say: one axis's words against the other's, a group less the other, by one of both truths."""
    axes = ["pleasant"] if which == "valence words" else list(WORDS[which])
    faces = truth.per_face(spoken, people, b, axes=axes).groupby(people[column]).mean()
    both = {"counted": truth.counted(spoken, people, column, b, axes=axes), "per_face": faces}
    one_axis = {name: own[axes[0]] - (own[axes[1]] if len(axes) > 1 else 0) for name, own in both.items()}
    return {name: own[first] - own[second] for name, own in one_axis.items()}


attributes = {name: [panel.word_vectors[:, panel.words_of(axis)] for axis in axes] for name, axes in WORDS.items()}
attributes["scenes"] = [panel.image_vectors[:, np.flatnonzero(panel.images["category"] == one)] for one in ("pleasant", "unpleasant")]
seen = {name: scores(panel.image_vectors[:, people.index], *sets) for name, sets in attributes.items()}
PAIRINGS = [(group, name) for name in seen for group in (*GROUPS, *MORE)]
rows = []
for group, name in PAIRINGS:
    column, *levels = (GROUPS | MORE)[group]
    x, y = (side(column, level) for level in levels)
    gap, d = compare(seen[name], x, y)
    p = [saddlepoint_tail(np.concatenate([one[x], one[y]]), len(x), alternative="two-sided") for one in seen[name]]
    rows.append(models[["b", "seed"]].assign(pairing=f"{group} × {name}", group=group, words=name, gap=gap, d=d, p=p))
table = pd.concat(rows, ignore_index=True)
null = table[table["b"] == 0]
n_null, doses = int((models["b"] == 0).sum()), models.loc[models["b"] > 0, "b"].value_counts().sort_index()

# %% tags=["hide-input"]
truths = {(group, b): planted_gap("valence words", *own, b) for group, own in GROUPS.items() for b in sorted(models["b"].unique())}
vb.note(study={"models": len(models), "null": n_null, "faces": len(people), "doses": said_as.listed(f"{n} at b = {b:g}" for b, n in doses.items())},
        planted={group: truths[group, 1.0]["counted"] for group in GROUPS})  # fmt: skip

# %% [markdown]
# ### Two units, one dial
#
# Turn $b$ up, and compare what the two units make of it.

# %% tags=["hide-input"]
responses = []
for group, (_, first, second) in GROUPS.items():
    name = f"{group} × valence words"
    part = table[table["pairing"] == name]
    means = part.groupby("b")[["gap", "d"]].mean()
    counted = {b: truths[group, b]["counted"] for b in means.index}
    rise, zero = means - means.iloc[0], part[part["b"] == 0]
    at_one = truths[group, 1.0]
    responses.append({"group": group, "gap": rise.loc[0.5, "gap"] / rise.loc[1.0, "gap"], "d": rise.loc[0.5, "d"] / rise.loc[1.0, "d"],
                      **{f"slope_{which}": rise.loc[1.0, "gap"] / value for which, value in at_one.items()},
                      "null_gap": zero["gap"].abs().max(), "null_d": zero["d"].abs().max()})
    at = {quantity: [f"{means.loc[b, quantity]:.2f}" for b in (0.0, 0.5, 1.0)] for quantity in means}
    vb.figures.show(
        vb.figures.dose_response(part, dose="b", responses={"gap": f"gap {first} − {second}, logits", "d": "effect size d"},
                                 dose_label="planted strength b", expected={"gap": counted}),
        name="effect-sizes-dose" if group == "hue" else None,
        alt=f"{name}: raw gap and effect size of {len(part)} models against b. At b = 0, 0.5 and 1 the mean gap is "
            f"{', '.join(at['gap'])} logits (planted: {', '.join(f'{counted[b]:.2f}' for b in (0.0, 0.5, 1.0))}), mean d {', '.join(at['d'])}.",
        caption=f"{name.capitalize()}: one dot per model, dashes at the means, crosses at what was planted.",
        source="greenhouse",
    )  # fmt: skip
responses = pd.DataFrame(responses).set_index("group")
vb.note(half=responses[["gap", "d"]].stack(), slope=responses[["slope_counted", "slope_per_face"]].stack(), silent=responses[["null_gap", "null_d"]].stack())

# %% [markdown]
# A response in proportion to $b$ would have covered half of its rise at $b = 0.5$. The raw gap has covered
# {glue:text}`half.hue.gap:.0%` of it for hue and {glue:text}`half.crest.gap:.0%` for crest, and at $b = 1$ has
# risen by {glue:text}`slope.hue.slope_counted:.2f` and {glue:text}`slope.crest.slope_counted:.2f` of what a count of captions shows
# ({glue:text}`slope.hue.slope_per_face:.2f` and {glue:text}`slope.crest.slope_per_face:.2f` of the mean over single faces).
# The effect size has covered {glue:text}`half.hue.d:.0%` and {glue:text}`half.crest.d:.0%`. Being
# bounded, it must bend sooner or later, and where it bends depends on what else varies, as the next section shows.
# Two effect sizes cannot be compared as amounts, and a regression of $d$ on properties of models inherits the bend.
#
# At $b = 0$ single models have gaps of up to {glue:text}`silent.hue.null_gap:.2f` and
# {glue:text}`silent.crest.null_gap:.2f` logits, and $|d|$ up to {glue:text}`silent.hue.null_d:.2f` and
# {glue:text}`silent.crest.null_d:.2f`. Nothing was planted there. We come back to these.
#
# ### Saturation is about what else varies
#
# $d$ divides by a standard deviation that contains the gap itself. With equal groups and a standard deviation
# $\sigma$ within them,
#
# $$d \approx \frac{g}{\sqrt{\sigma^2 + g^2 / 4}},$$
#
# so it depends on how much the pictures vary *in other respects*. Take one trained model ($b = 1$) and leave it
# alone, but choose the faces. For the test of crest: faces of one hue only, or of several; for the test of hue:
# faces of one crest, or both. And always the same identities, with middling smiles only, with all, or with nothing
# but deep frowns and broad grins. A smile, and the other attribute, move the words in both groups alike.

# %%
planted = vb.encoder(model_planted)
grid = vb.images("greenhouse/causalface", subset=["prototype", "smiling"])
grid = grid.where(grid.table["seed"] < n_seeds)
said_words = vb.embed(planted, vb.prompts("greenhouse/valence"))
A, B = (said_words.where(said_words.table["dimension"] == one) for one in WORDS["valence words"])
values = planted.logit_scale * vb.embed(planted, grid).vectors @ (A.vectors.mean(axis=0) - B.vectors.mean(axis=0))
smiles = np.sort(grid.table["smiling"].unique())
smiles = smiles[np.argsort(np.abs(smiles - smiles[[0, -1]].mean()), kind="stable")]  # from the middle of their range outwards
SMILES = {"middling": smiles[:4], "all": smiles, "extreme": smiles[-4:]}
OTHERS = {"hue": ("gender", [[CRESTS[0]], list(CRESTS)]),
          "crest": ("race", [[ROLES["middle"]], [*HUES, ROLES["middle"]], list(HUES)])}
rows = []
for group, (column, *levels) in GROUPS.items():
    other, choices = OTHERS[group]
    for kept in choices:
        for name, shown in SMILES.items():
            chosen = grid.table[other].isin(kept) & grid.table["smiling"].isin(shown)
            x, y = (np.flatnonzero((grid.table[column] == level) & chosen) for level in levels)
            gap, d = compare(values, x, y)
            within = np.sqrt((values[x].var(ddof=1) + values[y].var(ddof=1)) / 2)
            rows.append({"group": group, "faces": " and ".join(kept), "smiles": name, "within": within, "gap": gap, "d": d})
widened = pd.DataFrame(rows)

# %% tags=["hide-input"]
COLOUR = dict(zip((*GROUPS, *MORE), vb.figures.PALETTE, strict=False))
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.7)
for group, part in widened.groupby("group", sort=False):
    left.plot(part["within"], part["gap"], "o", color=COLOUR[group], label=group)
    right.plot(part["within"], part["d"], "o", color=COLOUR[group])
    sigma, mean = np.linspace(part["within"].min(), part["within"].max()), part["gap"].mean()
    left.plot(sigma, np.full_like(sigma, mean), color=COLOUR[group], linewidth=1)
    right.plot(sigma, mean / np.sqrt(sigma**2 + mean**2 / 4), color=COLOUR[group], linewidth=1)
left.set(xlabel="SD within groups, logits", title="raw gap, logits", ylim=(0, None))
right.set(xlabel="SD within groups, logits", title="effect size d", ylim=(0, 2.05))
for axis in (left, right):
    axis.grid(axis="y")
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=2)
ends = {group: part.sort_values("within").iloc[[0, -1]] for group, part in widened.groupby("group")}
vb.figures.show(
    fig, name="effect-sizes-within",
    alt="Raw gap and effect size of one model against the standard deviation within groups, for several choices of faces. " + " ".join(
        f"{group.capitalize()}: the gap goes from {two['gap'].iloc[0]:.2f} to {two['gap'].iloc[1]:.2f} logits, d from {two['d'].iloc[0]:.2f} to {two['d'].iloc[1]:.2f}."
        for group, two in ends.items()),
    caption="One model, the same identities, different choices of faces. Lines: the mean gap, and the formula above with it.",
    source="greenhouse",
)
vb.note(within={group: {quantity: {"low": two[quantity].iloc[0], "high": two[quantity].iloc[1]} for quantity in ("gap", "d")} for group, two in ends.items()})

# %% [markdown]
# One network, one bias. For crest the raw gap is {glue:text}`within.crest.gap.low:.2f` logits among the most alike
# faces and {glue:text}`within.crest.gap.high:.2f` among the most varied, and $d$ goes from
# {glue:text}`within.crest.d.low:.2f` to {glue:text}`within.crest.d.high:.2f`; for hue $d$ goes from
# {glue:text}`within.hue.d.low:.2f` to {glue:text}`within.hue.d.high:.2f`. So a difference in $d$ between two
# stimulus sets, two categories or two orders can come from the denominator. The paper's "more controlled" stimuli
# aim at it; the raw gap beside $d$ would show which of the two has changed.
#
# ### Tests over images, where nothing was planted
#
# Now only the {glue:text}`study.null` models with $b = 0$. For each, for every pair of groups and each set of attributes, a two-sided permutation
# test over the faces: how often is p below {glue:text}`alpha`? Each count is over separately trained models, so the
# share has an exact (Clopper–Pearson) interval.

# %%
def share(hits):
    """Share of True, with its exact 95 % interval."""
    exact = stats.binomtest(int(np.sum(hits)), len(hits)).proportion_ci(method="exact")
    return {"hits": int(np.sum(hits)), "of": len(hits), "share": float(np.mean(hits)), "low": exact.low, "high": exact.high}


is_null = (models["b"] == 0).to_numpy()
SIZES = (6, 12, 24, min(len(side(column, level)) for column, *levels in GROUPS.values() for level in levels))
rng = np.random.default_rng(seed)
rows = []
for group, name in PAIRINGS:
    for n in SIZES:
        hits = []
        for values in seen[name][is_null]:  # other faces for every model
            x, y = (rng.choice(side((GROUPS | MORE)[group][0], level), n, replace=False) for level in (GROUPS | MORE)[group][1:])
            hits.append(saddlepoint_tail(np.concatenate([values[x], values[y]]), n, alternative="two-sided") < alpha)
        rows.append({"group": group, "words": name, "faces a side": n, **share(hits)})
alarms = pd.DataFrame(rows)

# %% tags=["hide-input"]
CALLED = {group: f"{group}: {first} − {second}" if group in GROUPS else group for group, (_, first, second) in (GROUPS | MORE).items()}
fig, axes = vb.figures.panels(1, 3, height=3.9, share_y=True)
for axis, (name, part) in zip(axes[0], alarms.groupby("words", sort=False), strict=True):
    for shift, (group, line) in zip((0.91, 0.97, 1.03, 1.09), part.groupby("group", sort=False), strict=True):
        axis.vlines(line["faces a side"] * shift, line["low"], line["high"], color=COLOUR[group], linewidth=1.4)
        axis.plot(line["faces a side"] * shift, line["share"], "o-", color=COLOUR[group], label=CALLED[group])
    axis.axhline(alpha, color="0.4", linestyle=":")
    axis.set(xscale="log", xlabel="faces a side", title=name, ylim=(-0.03, 1.03))
    axis.set_xticks(SIZES, SIZES)
    axis.minorticks_off()
axes[0, 0].set_ylabel(f"share with p < {alpha:g}")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
most = alarms[alarms["faces a side"] == SIZES[-1]]
vb.figures.show(
    fig, name="effect-sizes-alarms",
    alt=f"Share of {n_null} models without planted association whose image-level test gives p below {alpha:g}, against the number of faces. With "
        f"{SIZES[-1]} a side: " + ", ".join(f"{row.group} × {row.words} {row.share:.0%}" for row in most.itertuples()) + ".",
    caption=f"How often a test over images says 'significant' in {n_null} models in which nothing was planted, with exact 95 % intervals. "
            f"Dotted: {alpha:.0%}.",
    source="greenhouse",
)
halves = []
for group, name in PAIRINGS:
    x, y = (side((GROUPS | MORE)[group][0], level) for level in (GROUPS | MORE)[group][1:])
    one, other = (compare(seen[name][is_null], x[k::2], y[k::2])[0] for k in (0, 1))
    loud = table.loc[(table["pairing"] == f"{group} × {name}") & (table["b"] == 0), "p"].to_numpy() < alpha
    halves += (np.sign(one) == np.sign(other))[loud].tolist()
over = vb.networks.one_sample({pairing: own["gap"].to_numpy() for pairing, own in null.groupby("pairing", sort=False)})
by_words = {name.split()[0]: over[over.index.str.endswith(name)] for name in seen}
vb.note(halves=np.mean(halves), alpha=f"{alpha:g}".lstrip("0"), alarm_n=SIZES[-1], pairs=len(CALLED),
        alarm={name.split()[0]: {"low": own["share"].min(), "high": own["share"].max()} for name, own in most.groupby("words")},
        sign={name: {"low": own["one_sign"].min(), "high": own["one_sign"].max()} for name, own in by_words.items()},
        over=said_as.among(int((over["p"] < 0.05).sum()), len(over)), holm=said_as.among(int((over["p_holm"] < 0.05).sum()), len(over)))  # fmt: skip

# %% [markdown]
# With {glue:text}`alarm_n` faces a side the test is significant in {glue:text}`alarm.valence.low:.0%` to {glue:text}`alarm.valence.high:.0%` of the models
# for faces against valence words, depending on which of the {glue:text}`pairs` pairs of groups is compared; on the belief words,
# of which no model at any $b$ was taught a difference, in {glue:text}`alarm.belief.low:.0%` to {glue:text}`alarm.belief.high:.0%`;
# and where faces meet scenes, in {glue:text}`alarm.scenes.low:.0%` to {glue:text}`alarm.scenes.high:.0%`.
#
# - About **this model** chance gives 5 %; what goes beyond is a property of the model. Where the test is significant, split the faces in two halves:
#   the gap has the same sign in both in {glue:text}`halves:.0%` of cases.
# - About **training** and about the **captions** each is one. With models as cases {glue:text}`over` pairings differ from zero at .05, {glue:text}`holm` after Holm's
#   correction; the more common sign of a pairing is found in {glue:text}`sign.valence.low:.0%` to {glue:text}`sign.valence.high:.0%` of the models (valence words).
#
# Images against images are a case of their own. Contrastive training pulls images towards *captions*; how far two
# images lie from each other is not trained for. There the more common sign is found in {glue:text}`sign.scenes.low:.0%` to
# {glue:text}`sign.scenes.high:.0%` of the models.
#
# The p-value is not broken; it answers the first question, and grows surer with every picture. In the paper no
# p-value enters the claims; they rest on $d$, averaged and counted over models.
#
# ### Against retrained models
#
# For a claim about training, the unit is a trained network. Set each model with $b > 0$ against the
# {glue:text}`study.null` at $b = 0$:
#
# $$p = \frac{1 + \#\{\text{null models with } |t_0| \geq |t|\}}{1 + m},$$
#
# where $t$ is the model's raw gap (or its $d$), $t_0$ a null model's, and $m$ the number of null models.
#
# No p can then be smaller than {glue:text}`least:.3f`; with five null models none below {glue:text}`five:.3f`.

# %%
def calibrated(values, null_values):
    """p of each value against the null models' values, two-sided: (1 + at least as large) / (1 + m)."""
    return (1 + (np.abs(null_values)[None, :] >= np.abs(np.asarray(values))[:, None]).sum(axis=1)) / (1 + len(null_values))


rows = []
for (group, name), part in table[table["group"].isin(list(GROUPS))].groupby(["group", "words"], sort=False):
    for statistic in ("gap", "d"):
        zero = part.loc[part["b"] == 0, statistic].to_numpy()
        for b, own in part[part["b"] > 0].groupby("b"):
            hits = calibrated(own[statistic], zero) <= alpha
            rows.append({"group": group, "words": name, "statistic": statistic, "b": b, **share(hits)})
power = pd.DataFrame(rows)

# %% tags=["hide-input"]
STATISTIC = {"gap": ("raw gap", vb.figures.PALETTE[2]), "d": ("effect size d", vb.figures.PALETTE[3])}
fig, axes = vb.figures.panels(2, 3, height=5.2, share_x=True, share_y=True)
for axis, ((group, name), part) in zip(axes.T.flat, power.groupby(["words", "group"], sort=False), strict=True):
    for shift, (statistic, own) in zip((-0.015, 0.015), part.groupby("statistic", sort=False), strict=True):
        label, colour = STATISTIC[statistic]
        axis.vlines(own["b"] + shift, own["low"], own["high"], color=colour, linewidth=1.4)
        axis.plot(own["b"] + shift, own["share"], "o-", color=colour, label=label)
    axis.axhline(alpha, color="0.4", linestyle=":")
    axis.set(title=f"{name} × {group.split()[0]}", ylim=(-0.03, 1.03))
for axis in axes[1]:
    axis.set_xlabel("strength b")
for axis in axes[:, 0]:
    axis.set_ylabel(f"share with p ≤ {alpha:g}")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
found = power.set_index(["group", "words", "statistic", "b"])["share"].sort_index()
vb.figures.show(
    fig, name="effect-sizes-power",
    alt=f"Share of models with a calibrated p of at most {alpha:g} against planted strength, for raw gap and effect size, in six panels. By raw gap, at b = "
        + said_as.listed(f"{b:g}" for b in doses.index) + ": "
        + "; ".join(f"{group} × {name} " + ", ".join(f"{one:.0%}" for one in found[group, name, "gap"]) for group, name in PAIRINGS if group in GROUPS) + ".",
    caption=f"How often retrained models with a planted bias stand out from the {n_null} without: {said_as.listed(f'{n} at b = {b:g}' for b, n in doses.items())}; exact 95 % intervals.",
    source="greenhouse",
)
quarter = table[(table["pairing"] == "crest × valence words") & (table["b"] == 0.25)]
belief = power[power["words"] == "belief words"].groupby("statistic")[["hits", "of"]].sum()
by_b = {group: {"gap": {f"b{100 * b:.0f}": one for b, one in found[group, "valence words", "gap"].items()}} for group in GROUPS}
vb.note(least=1 / (1 + n_null), five=1 / 6, power=by_b, over_images=(quarter["p"] < alpha).mean(), per_dose=said_as.listed(sorted(set(doses.astype(int)))),
        scenes={group: found[group, "scenes", "gap", 1.0] for group in GROUPS}, belief=belief.loc["gap", "hits"] / belief.loc["gap", "of"])  # fmt: skip

# %% [markdown]
# By its raw gap, hue × valence words stands out in {glue:text}`power.hue.gap.b10:.0%` of the models at $b = 0.1$,
# {glue:text}`power.hue.gap.b25:.0%` at 0.25, {glue:text}`power.hue.gap.b50:.0%` at 0.5 and
# {glue:text}`power.hue.gap.b100:.0%` at 1. For
# crest it is {glue:text}`power.crest.gap.b10:.0%`, {glue:text}`power.crest.gap.b25:.0%`, {glue:text}`power.crest.gap.b50:.0%` and
# {glue:text}`power.crest.gap.b100:.0%`; the figure has the same by $d$. For
# the belief words the captions are the same at every $b$; there the calibrated test is significant in
# {glue:text}`belief:.0%` of the models, all strengths
# together. And where faces meet scenes,
# {glue:text}`scenes.hue:.0%` (hue) and {glue:text}`scenes.crest:.0%` (crest) stand out at
# $b = 1$. With {glue:text}`per_dose` models per strength
# intervals are wide; the figure shows them.
#
# The two kinds of test need not agree. At $b = 0.25$ a test over images calls the crest's gap significant in
# {glue:text}`over_images:.0%` of the models; among retrained models it stands out in
# {glue:text}`power.crest.gap.b25:.0%`. The spread between models with nothing planted is what a claim
# about training has to overcome.
#
# ### What an average and a share say at $b = 0$
#
# The paper's summary statements are about many effect sizes together: a mean per category and order, the share
# above zero, the share above 0.2. What do such summaries look like over models with nothing planted?

# %%
of_d = vb.networks.one_sample({name: own["d"].to_numpy() for name, own in null.groupby("pairing", sort=False)})
beyond = null.groupby("pairing", sort=False)["d"].agg(**{"d > 0.2": lambda d: (d > 0.2).mean(), "|d| > 0.2": lambda d: (d.abs() > 0.2).mean()})
n_a_side = {f"{group} × {name}": min(len(side((GROUPS | MORE)[group][0], level)) for level in (GROUPS | MORE)[group][1:]) for group, name in PAIRINGS}
summary = of_d.assign(**{"faces a side": pd.Series(n_a_side)}, **beyond)[["faces a side", "mean", "low", "high", "sd", "one_sign", "p", "p_holm", "d > 0.2", "|d| > 0.2"]]
off = int((of_d["p"] < 0.05).sum())
vb.note(means_off=said_as.among(off, len(of_d)), means_holm=said_as.among(int((of_d["p_holm"] < 0.05).sum()), len(of_d)), null_d=null["d"].abs().max(),
        mean_d=of_d["mean"].abs().mean(), sd_d=of_d["sd"].mean(), one_sign=of_d["one_sign"].median())  # fmt: skip
summary.style.format({"faces a side": "{:.0f}"} | {name: "{:.0%}" for name in ("one_sign", "d > 0.2", "|d| > 0.2")}, precision=2)

# %% tags=["hide-input"]
NAMED = list(null["pairing"].unique())
fig, axes = vb.figures.panels(1, 2, height=6.4, share_y=True)
jitter = np.random.default_rng(seed).uniform(-0.24, 0.24, n_null)
for axis, statistic, label in zip(axes[0], ("gap", "d"), ("raw gap × logit scale", "effect size d"), strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    for place, name in enumerate(reversed(NAMED)):
        own = null.loc[null["pairing"] == name, statistic]
        axis.plot(own, place + jitter, "o", color=vb.figures.COLOURS["recomputed"], alpha=0.5, markeredgewidth=0)
        axis.plot([own.mean()] * 2, [place - 0.38, place + 0.38], color="black")
    axis.set(xlabel=label, yticks=range(len(NAMED)), yticklabels=NAMED[::-1])
axes[0, 1].axvline(0.2, color=vb.figures.COLOURS["planted"], linewidth=1.2, linestyle=":")
axes[0, 1].set_xlim(-2.05, 2.05)
vb.figures.show(
    fig,
    alt=f"Raw gaps and effect sizes of {n_null} models with nothing planted, for {len(NAMED)} pairings. Effect sizes spread from "
        f"{null['d'].min():.2f} to {null['d'].max():.2f}; {(null['d'] > 0.2).mean():.0%} exceed 0.2.",
    caption=f"{n_null} models with nothing planted, one dot each; black: their mean. Dotted: d = 0.2.",
    source="greenhouse",
)

# %% [markdown]
# Single models reach $|d|$ = {glue:text}`null_d:.2f`, and $d$ varies between models with a standard deviation of {glue:text}`sd_d:.2f` on average over the pairings. Their *average* is
# {glue:text}`mean_d:.2f` from zero: the names of groups were drawn apart from looks, model by model, and cancel. In {glue:text}`means_off` pairings the mean differs from zero at .05,
# in {glue:text}`means_holm` after Holm's correction; the more common sign is found in {glue:text}`one_sign:.0%` of the models (median). Had all models shared one pairing of names and looks, they would
# share what their pictures, their architecture and their warm start make of it ([recovery](../greenhouse/recovery.ipynb) shows such models). Averaging over models removes only what differs between them.
#
# And here is the counterpart of the paper's Figure 2: its 26 tests on the panel, mean and standard deviation over
# models, once for the models with nothing planted and once for those with $b = 1$.

# %%
def pictures(column, level, kind="prototype"):
    """Rows of the panel's pictures with this value; of faces, the neutral ones."""
    rows = panel.images[column] == level
    return np.flatnonzero(rows & (panel.images["subset"] == kind) if column != "category" else rows)


def spoken_of(slot, *axes, first=None):
    """Rows of the panel's words of two axes, of each the first few where asked for."""
    return [panel.words_of(axis, slot=slot)[:first] for axis in axes]


youngest, oldest = people["age"].min(), people["age"].max()
SETS = [
    ("flower-insect", "image", "icons", [pictures("category", one) for one in ("flower", "insect")]),
    ("instrument-weapon", "image", "icons", [pictures("category", one) for one in ("instrument", "weapon")]),
    ("race", "image", "faces", [pictures("race", one) for one in HUES]),
    ("gender", "image", "faces", [pictures("gender", one) for one in CRESTS]),
    ("age", "image", "faces", [pictures("age", one, kind="age") for one in (youngest, oldest)]),
    ("flower-insect", "text", "words", spoken_of("object", "flower", "insect")),
    ("instrument-weapon", "text", "words", spoken_of("object", "instrument", "weapon")),
    ("race", "text", "names", spoken_of("race_name", *(f"{one}_name" for one in HUES))),
    ("race", "text", "half of the names", spoken_of("race_name", *(f"{one}_name" for one in HUES), first=4)),
    ("race", "text", "terms", spoken_of("race_kin", *HUES)),
    ("gender", "text", "names", spoken_of("gender_name", *(f"{one}_name" for one in CRESTS))),
    ("gender", "text", "terms", spoken_of("gender_kin", *CRESTS)),
    ("age", "text", "names", spoken_of("age_name", "young_name", "old_name")),
]
VECTORS = {"image": panel.image_vectors, "text": panel.word_vectors}
VALENCE = {"image": attributes["scenes"], "text": attributes["valence words"]}
rows = []
for (targets, against), order in MODALITIES.items():
    for category, shown, what, (x, y) in SETS:
        if shown == targets:
            values = scores(VECTORS[shown][:, np.concatenate([x, y])], *VALENCE[against])
            gap, d = compare(values, np.arange(len(x)), np.arange(len(x), len(x) + len(y)))
            rows.append(models[["b", "seed"]].assign(category=category, order=order, targets=what, n=min(len(x), len(y)), gap=gap, d=d))
fleet = pd.concat(rows, ignore_index=True)
fleet_cells = fleet.groupby(["b", "category", "order"])["d"].agg(["mean", "std"])
sizes = fleet.groupby(["category", "order"])["n"].agg(lambda n: said_as.listed(sorted(set(n)))).unstack().loc[list(CATEGORIES), list(ORDERS)]

# %% tags=["hide-input"]
LABELS = {**CATEGORIES, "race": "Hue", "gender": "Crest"}
fig, axes = vb.figures.panels(2, 2, height=5.8, share_x=True, share_y=True)
for axis, (order, title) in zip(axes.flat, ORDERS.items(), strict=True):
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    for b, shift, colour in ((1.0, 0.14, vb.figures.COLOURS["planted"]), (0.0, -0.14, vb.figures.COLOURS["recomputed"])):
        part = fleet_cells.loc[b].xs(order, level="order").loc[list(CATEGORIES)]
        place = np.arange(len(part))[::-1] + shift
        axis.hlines(place, part["mean"] - part["std"], part["mean"] + part["std"], color=colour, linewidth=1.6, alpha=0.6)
        axis.plot(part["mean"], place, "o", color=colour, label=f"b = {b:g}")
    axis.set(title=title, yticks=range(len(LABELS))[::-1], yticklabels=LABELS.values(), xlim=(-2.1, 2.1))
for axis in axes[1]:
    axis.set_xlabel("effect size d")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
zero = fleet_cells.loc[0.0]["mean"]
vb.figures.show(
    fig, name="effect-sizes-null",
    alt="Mean effect sizes with standard deviations over models, for five categories in four orders, at b = 0 and b = 1. "
        + "; ".join(f"{LABELS[one]} at b = 0: {zero[one].min():.2f} to {zero[one].max():.2f}" for one in CATEGORIES) + ".",
    caption=f"The paper's Figure 2, in the Greenhouse: mean and SD of d over {n_null} models with nothing planted (b = 0) and {doses[1.0]} with b = 1. "
    "Items a side: the table below.",
    source="greenhouse",
)

# %% tags=["hide-input"]
KINDS = {"flower-insect": "non-human", "instrument-weapon": "non-human", "race": "hue and crest", "gender": "hue and crest",
         "age": "age"}  # fmt: skip
rows = []
for b in (0.0, 1.0):
    own = fleet[fleet["b"] == b].assign(kind=lambda t: t["category"].map(KINDS))
    for kind, part in [("all 26 tests", own), *own.groupby("kind", sort=False)]:
        rows.append({"b": b, "tests": kind, "effect sizes": len(part), "d > 0": (part["d"] > 0).mean(),
                     "d > 0.2": (part["d"] > 0.2).mean(), "mean d": part["d"].mean()})
    for few, part in own.groupby(own["n"] <= 8):
        rows.append({"b": b, "tests": "8 items a side or fewer" if few else "more than 8 items a side", "effect sizes": len(part), "d > 0": (part["d"] > 0).mean(),
                     "d > 0.2": (part["d"] > 0.2).mean(), "mean d": part["d"].mean()})
shares = pd.DataFrame(rows)
pick, silent = shares.set_index(["b", "tests"]), fleet[fleet["b"] == 0]
kinds = {"all": "all 26 tests", "social": "hue and crest", "nonhuman": "non-human"}
vb.note(share={key: {f"b{b}": pick.loc[(b, kind), "d > 0.2"] for b in (0, 1)} for key, kind in kinds.items()}, positive=pick.loc[(0, "all 26 tests"), "d > 0"],
        few=(silent["n"] <= 8).mean(), fewest=int(silent["n"].min()))  # fmt: skip
shares.style.format({"b": "{:g}", "effect sizes": "{:,}", "d > 0": "{:.0%}", "d > 0.2": "{:.0%}", "mean d": "{:.2f}"}).hide(axis="index")

# %% tags=["hide-input"]
sizes.rename(index=LABELS, columns=ORDERS).style.set_caption("Items a side of the tests in each cell")

# %% tags=["hide-input"]
ours = fleet[fleet["b"] == 1]
values = {"congruent": 100 * (ours["d"] > 0).mean(), "significant-new": 100 * (ours["d"] > 0.2).mean(),
          "positive-cells": int((fleet_cells.loc[1.0, "mean"] > 0).sum()), "variance-new": ours["d"].var(),
          "models": int((models["b"] == 1).sum()), "cases": len(ours)}  # fmt: skip
for (category, order), row in fleet_cells.loc[1.0].iterrows():
    values |= {f"new.{category}.{order}.mean": row["mean"], f"new.{category}.{order}.sd": row["std"]}
for claim, value in values.items():
    vb.ledger.record(f"effect_sizes.{claim}", value, results=results, stimuli="greenhouse/panel",
                     model="greenhouse/retrained, b = 1")  # fmt: skip

# %% [markdown]
# Of the {glue:text}`study.null` × 26 effect sizes with nothing planted, {glue:text}`share.all.b0:.0%` exceed 0.2
# and {glue:text}`positive:.0%` are above zero. The share is made of unlike parts:
# {glue:text}`share.nonhuman.b0:.0%` of the non-human tests, where the captions do say that flowers are pleasant
# and weapons are not, and {glue:text}`share.social.b0:.0%` of the tests of hue and crest, where they say nothing.
# With full planting the latter becomes {glue:text}`share.social.b1:.0%`, and the overall share
# {glue:text}`share.all.b1:.0%`; of the non-human tests it is {glue:text}`share.nonhuman.b1:.0%`. And {glue:text}`few:.0%` of these effect sizes rest on eight items a side or fewer (the
# fewest: {glue:text}`fewest`), where $d$ spreads most.
#
# So the published shares, {claim}`effect_sizes.significant-new` with $d > 0.2$ and {claim}`effect_sizes.congruent`
# with $d > 0$, need something beside them before they speak about social groups: the same share over the social
# categories alone, and what it would be if there were nothing to find. **Our numbers are no estimate of the latter
# for CLIP**; no rate carries over from the Greenhouse. Figure 2 of the paper, read category by category, is closer
# to the question than the pooled share, and a mean over many models averages out what one random start does, as far
# as those models do not share data, stimuli and code.
#
# ### Few images, once more
#
# Back to the spread over models and the number of images. The same {glue:text}`study.null` models, the same words,
# only fewer faces:

# %% tags=["hide-input"]
rng = np.random.default_rng(seed)
rows = []
for group, name in ((group, name) for group, name in PAIRINGS if group in GROUPS):
    row, (column, *levels) = {"pairing": f"{group} × {name}"}, GROUPS[group]
    for n in SIZES:
        draws = ([rng.choice(side(column, level), n, replace=False) for level in levels] for _ in range(200))
        spreads = [compare(seen[name][is_null], x, y)[1].std(ddof=1) for x, y in draws]
        row[f"{n} a side"] = np.sqrt(np.mean(np.square(spreads)))
    rows.append(row)
fewer = pd.DataFrame(rows).set_index("pairing")
fewer.loc["labels at random"] = [math.sqrt(2 / n) for n in SIZES]
vb.note(spread={"six": fewer.iloc[:-1, 0].mean(), "all": fewer.iloc[:-1, -1].mean()})
fewer.style.format("{:.2f}").set_caption("SD of d over the models with b = 0 (mean over 200 draws of faces, the same faces for all models)")

# %% [markdown]
# With six faces a side the models spread by {glue:text}`spread.six:.2f` on average over the pairings, with all by
# {glue:text}`spread.all:.2f`. Part of a spread over models is the number of images; how large a part depends on how
# differently the models see the same pictures.
#
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `8dffa18`, checked against the paper's text. None of these
# could be rerun here: the repository's tables are pointers to files that are not public, and the images of
# instruments were not released.
#
# | | paper | code, or the arithmetic above | here |
# |---|---|---|---|
# | mode | not mentioned | scripts do not switch from train to evaluation mode; in train mode, batch normalisation, dropout or stochastic depth act in a few of the 131 models | always evaluation; section above |
# | software | open_clip 2.16.0, timm 0.6.12 | several of the models studied first appeared in later versions of open_clip | pinned in the lock |
# | tests | {claim}`effect_sizes.textual` textual and {claim}`effect_sizes.image` image tests in one place, {claim}`effect_sizes.tests-all-text` and {claim}`effect_sizes.tests-all-image` in another; "16 different combinations" | eight and five per order, 20 combinations | eight and five |
# | Table 2 | Flower–Insect {claim}`effect_sizes.table2.flower-insect.mean` ± {claim}`effect_sizes.table2.flower-insect.sd`, Instrument–Weapon {claim}`effect_sizes.table2.instrument-weapon.mean` ± {claim}`effect_sizes.table2.instrument-weapon.sd` | the other way round | audit above |
# | variance | falls by {claim}`effect_sizes.variance-fall`, All Text by {claim}`effect_sizes.variance-fall-text` | from the bars {glue:text}`fall.all:.1%` and {glue:text}`fall.text:.1%`; rises in {glue:text}`orders_up` orders | audit above |
# | "significant" | $d \geq 0.2$ | $d > 0.2$, with its sign; no test enters | both, and a calibrated test |
# | old stimuli | direction "largely consistent" | Race, All Text changes sign | first figure |
# | gender | women are the first group | men first, sign of $d$ turned afterwards, p as computed | `turned` |
# | templates | without a full stop | with one | `end` |
# | Table 1 | a row called "Race Words" | the negative images | – |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run pretraining/effect_sizes -p protocol released -p n_images 6
# ```
# Any open_clip model can take the second section's tests: `-p model ViT-B-32-quickgelu/openai` (its weights are
# downloaded by open_clip when first used; drawn faces and invented names mean nothing to it, flowers and weapons
# may).
# :::
#
# ## Take-aways
#
# - $d$ has a ceiling that the group sizes set, and a denominator that the choice of pictures sets. Print the raw
#   gap beside it.
# - A raw gap in logits has an expected size; $d$ is bounded and must bend. Averages and regressions of $d$
#   inherit the bend.
# - A test over images is about one trained model. Where the captions say nothing it can still be significant in more models
#   than its level ({ref}`above <effect-sizes-null>`).
# - For a claim about training, retrain. With $m$ null models no p falls below $1/(m+1)$.
# - A share of tests with $d > 0.2$ needs a comparison: the same share where nothing is to be found.
#
# ## Exercises
#
# :::{exercise} The spread of a meaningless test
# :label: effect-sizes-random
# Twelve scores, six a side. Hand the labels out in all 924 ways and compute $d$ (divisor $N - 1$) for each. What
# are its mean and its standard deviation (over all 924, divisor 924)? Try other scores. Why does the answer not
# depend on them?
# :::
#
# ```{solution-start} effect-sizes-random
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from itertools import combinations

w = np.random.default_rng(seed).exponential(size=12)
every = []
for chosen in combinations(range(12), 6):
    inside = np.isin(np.arange(12), chosen)
    every.append((w[inside].mean() - w[~inside].mean()) / w.std(ddof=1))
print(f"mean {np.mean(every):.3f}, SD {np.std(every):.6f}; √(1/6 + 1/6) = {math.sqrt(1 / 3):.6f}")
# drawn without replacement, the mean of six of twelve has variance S² (1/6 − 1/12); the other mean mirrors it, so their
# difference has four times that: S² (1/6 + 1/6)
assert abs(np.mean(every)) < 1e-12 and math.isclose(np.std(every), math.sqrt(1 / 3))

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} How many null models?
# :label: effect-sizes-models
# You can afford to retrain a model $m$ times with the association removed. What is the smallest $m$ for which the
# calibrated p can reach .05? And .01? And .05 for each of the paper's 20 combinations of category and order with
# Bonferroni's correction? Then take five of our null models, and compute the smallest p that any model in the study
# can have.
# :::
#
# ```{solution-start} effect-sizes-models
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
needed = {level: math.ceil(round(1 / level, 9)) - 1 for level in (0.05, 0.01, 0.05 / 20)}
print({f"{level:g}": m for level, m in needed.items()})
part = table[table["pairing"] == "hue × valence words"]
smallest = calibrated(part["gap"], part.loc[part["b"] == 0, "gap"].to_numpy()[:5]).min()
print(f"with five null models: {smallest:.4f}")
assert needed == {0.05: 19, 0.01: 99, 0.05 / 20: 399} and math.isclose(smallest, 1 / 6)

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} From d back to the gap
# :label: effect-sizes-inverse
# Solve $d = g / \sqrt{\sigma^2 + g^2 / 4}$ for $g$. By how many $\sigma$ does $g$ grow when $d$ goes from 0.2 to
# 0.3, and when it goes from 1.8 to 1.9?
# :::
#
# ```{solution-start} effect-sizes-inverse
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
def gap_in_sd(d):
    return d / np.sqrt(1 - d**2 / 4)  # g / σ


low, high = (gap_in_sd(end) - gap_in_sd(start) for start, end in ((0.2, 0.3), (1.8, 1.9)))
print(f"0.2 → 0.3: {low:.2f} σ; 1.8 → 1.9: {high:.2f} σ")
g = gap_in_sd(1.9)
assert math.isclose(g / math.sqrt(1 + g**2 / 4), 1.9) and high > 15 * low

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Two models have the same raw gap between two groups, and one has twice the $d$ because it sees the pictures
#    within each group as more alike. Which of the two would you rather have in use, and for
#    what use?
# 2. 131 models share data sets, architectures and authors. If we want to say how *vision-language models* see
#    people, what is the population, and is this a sample of it?
