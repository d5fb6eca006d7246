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
# # What moves perception
#
# *Hausladen, Knott, Camerer and Perona (2025), Figure 2, and their earlier appendix, Table B.2 and Figure B.3: how much a
# judgement of a face changes when one thing about it changes.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Change only the light on a face, or only its smile, its age, its race: what moves CLIP's social
# perception of it most, and how would we know?
#
# **In 20 minutes:** {ref}`the boxes <variation-boxes>`, {ref}`what is left when nothing is planted
# <variation-floor>`, take-aways. **In 75 minutes:** also "p = .06", the t-tests, the retrained models, both exercises.
#
# **You need:** medians, a rank test and a t-test, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings in
# teal, amber and violet; they stand for nobody.
# :::
#
# **The idea.** Social psychology knows what people read into a face at a glance: warmth, competence, and their
# kin {cite}`fiske2002,koch2016`. {cite:t}`hausladen2025` ask a vision-language model for the same judgements, and they
# ask about *synthetic* faces, in which age, smile, light, pose, race and gender are varied one at a time. What a
# photograph collection confounds, such a set holds apart.
#
# **The measure.** The model's perception of image $i$ on dimension $D$ is the cosine with the dimension's words beyond
# that with a neutral prompt (their Eq. 2),
#
# $$\Delta\cos(i, D) = \operatorname{mean}_{w \in D,\,t}\left[\cos(i, t(w)) - \cos(i, t(\varnothing))\right],$$
#
# and what an attribute does is the absolute difference between two images that agree in everything else:
#
# $$\mathrm{AbsDiff}(i_1, i_2, D) = \left|\Delta\cos(i_1, D) - \Delta\cos(i_2, D)\right|.$$
#
# **What the authors conclude.** Identity moves perception most: the {claim}`variation.seed-largest` variation. Smiling introduces
# {claim}`variation.smiling-over-age` than age, and lighting {claim}`variation.lighting-as-age` as age. "In other words, protected and non-protected
# attributes cause comparable amounts of variation."
#
# **Their own checks and limits.** The manipulations were inspected by eye and by nine raters per attribute; small
# differences in brightness between prototypes were measured and reported (their Appendix D); the faces are synthetic and one
# model was studied.

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # image set with columns seed, race, gender, age, smiling, lighting, pose
root = ""  # folder of the images; empty: none needed, or its usual place
cosines = ""  # folder of the authors' released cosine tables, instead of images and model
model = "greenhouse"  # encoder that looks at it
model_null = "greenhouse/b0"  # its twin, trained on captions in which hue and crest change nothing
prompts = "social_perception"  # prompt set: dimensions, words, templates, neutral prompts
prompts_released = "social_perception/released"  # the same, as the authors' code spells it
labels = "greenhouse/labels"  # prompt set of race, gender and age words ("labels" for people)
protocol = "described"  # whose protocol gives the headline: "described" (the paper's text) or "released" (the authors' code)
n_pairs = 1_000  # pairs of images per attribute, as in the paper
portraits_folder = "data/greenhouse/portraits"  # what retrained networks make of a grid of faces
min_gap = 1.1  # smallest difference in age or smiling within a pair, on the scale of the stimuli
n_resamples = 500  # bootstrap resamples of the identities
seed = 42  # seed of every random draw (the authors' code uses 42, too)
results = "_build/results/causalface/variation.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
import pingouin as pg
from myst_nb import glue
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from vlmbias import paths

claims = vb.ledger.table("causalface/variation")
printed = claims.set_index("claim")["printed"]
ATTRIBUTES = {"seed": "seed", "race": "protected", "gender": "protected", "age": "protected",
              "smiling": "unprotected", "lighting": "unprotected", "pose": "unprotected"}
VALENCE = {"positive": ["warmth", "competence", "positive_agency", "progressive_belief", "positive_communion"],
           "negative": ["negative_agency", "conservative_belief", "negative_communion"]}


def variation(table, values, *, prototype_copies=1, n=n_pairs, only=tuple(ATTRIBUTES), gap=min_gap, smiling_range=None):
    """AbsDiff × 100 of random pairs: one row per attribute, pair and column of `values` (n images × columns)."""
    found, prototypes = [], np.flatnonzero(table["subset"] == "prototype") if "subset" in table else []
    for attribute in only:
        rows = np.arange(len(table))
        if attribute in ("seed", "race", "gender"):
            rows = np.concatenate([rows, *[prototypes] * (prototype_copies - 1)]).astype(int)
        if smiling_range is not None and attribute == "smiling":
            rows = rows[table["smiling"].iloc[rows].between(*smiling_range)]
        pairs = vb.one_apart(table.iloc[rows], by=attribute, n=n, seed=[seed, list(ATTRIBUTES).index(attribute)],
                             min_gap=gap if attribute in ("age", "smiling") else None)
        first, second = rows[pairs["first"]], rows[pairs["second"]]
        difference = 100 * np.abs(values.to_numpy()[first] - values.to_numpy()[second])
        identity, repeats = table["seed"].to_numpy(), difference.shape[1]
        found.append(pd.DataFrame({
            "attribute": attribute, "dimension": np.tile(values.columns, n), "difference": difference.ravel(),
            "first": np.repeat(identity[first], repeats), "second": np.repeat(identity[second], repeats),
        }))
    return pd.concat(found, ignore_index=True)


def small(p):
    """A p-value for a table: what is too small for a float is a bound."""
    return f"{p:.2g}" if p > 1e-300 else "under 1e-300"


# %% [markdown]
# ## What the paper reports
#
# Figure 2 prints no numbers, so what can be recorded is what the text says of it: counts, orderings, and three p-values. The
# earlier version's Table B.2 prints five t-tests, those that were *not* significant.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# The counts agree with one another. The sentence that carries the paper's third finding rests on one p-value:
# lighting against age, p = {claim}`variation.lighting-p`. What does that number say, given that each group holds
# {claim}`variation.values` values?

# %%
n_values = 8_000
p_lighting = float(printed["variation.lighting-p"])
standard_error = np.sqrt(
    (2 * n_values + 1) / (12 * n_values**2)
)  # of P(first > second) under no difference
off_half = 100 * stats.norm.isf(p_lighting / 2) * standard_error
margin = 100 * stats.norm.isf(0.025) * standard_error
low, high = 50 + off_half - margin, 50 + off_half + margin
print(
    f"If the values were independent, p = {p_lighting} would mean that a random\n"
    f"lighting pair differs more than a random age pair (or less) in\n"
    f"{50 + off_half:.2f} % of comparisons; 95 % interval {low:.2f} to {high:.2f} %."
)

# %% tags=["hide-input"]
glue("printed-low", float(low), display=False)
glue("printed-high", float(high), display=False)
largest_t = max(abs(float(value)) for name, value in printed.items() if ".table_b2.negative" in name and name.endswith(".t"))
glue("b2-d-largest", float(largest_t * np.sqrt(2 / 3_000)), display=False)

# %% [markdown]
# Read as an *interval*, the number is more informative than as a verdict: a rank-sum test on twice 8,000 independent values
# can place the chance that one exceeds the other within about a percentage point. p = .06 does not show equality (no p-value
# does); the interval would bound the difference tightly, from {glue:text}`printed-low:.2f` to {glue:text}`printed-high:.2f` %.
# *If the values were independent.* They are not: 1,000 pairs come from 100 identities, each pair is used for eight dimensions,
# and the dimensions share words. What that costs can only be seen by resampling identities, which we do below.
#
# The earlier version compared means instead of ranks, by valence. In its Table B.2 pose and gender differ with
# t = {claim}`variation.table_b2.positive.pose_gender.t` on positive and t = {claim}`variation.table_b2.negative.pose_gender.t` on negative words, smiling and
# gender with {claim}`variation.table_b2.positive.smiling_gender.t` and {claim}`variation.table_b2.negative.smiling_gender.t`: t and p are the same for both
# valences, which two sets of different words would hardly give twice. Lighting and age, p = {claim}`variation.table_b2.negative.lighting_age.p`, are
# listed for negative words only. With 3,000 values a side (the number is not printed; three negative dimensions times 1,000 pairs),
# the largest of these t stands for a standardised difference of {glue:text}`b2-d-largest:.2f`: not significant here means *very* small, by a
# test that counts every value as a fact of its own.

# %% [markdown]
# ## The protocol, run on {data}
#
# The Greenhouse renders the design of CausalFace: 100 identities × three hues × two crests, each varied in age (10 levels),
# smiling (10), lighting (8) and pose (5) around one neutral prototype. Text and code differ in two things that touch the numbers.
# The paper speaks of 18,000 unique images; the code stacks four tables (one per varied attribute), each with its own copy of the
# prototype, so a pair that differs in identity, race or gender is more often a pair of prototypes. And the code spells "likeable"
# as "likable" and one template without its full stop.

# %%
PROTOCOLS = {
    "described": dict(words=prompts, prototype_copies=1),
    "released": dict(words=prompts_released, prototype_copies=4),
}
read = dict(root=root, cosines=cosines)
looks = {
    name: vb.perceive(stimuli, model, choice["words"], **read)
    for name, choice in PROTOCOLS.items()
}
seen = looks[protocol]
perception = seen.delta()
perception.agg(["mean", "std", "min", "max"]).T.style.format("{:.4f}")

# %% tags=["hide-input"]
source = "greenhouse" if seen.source == "greenhouse" else "real:causalface"
draws = {
    (choice["words"], copies): variation(looks[name].table, looks[name].delta(), prototype_copies=copies)
    for name, choice in PROTOCOLS.items() for copies in (1, 4)
}
by_protocol = {name: draws[choice["words"], choice["prototype_copies"]] for name, choice in PROTOCOLS.items()}
headline = by_protocol[protocol]
order = headline.groupby("attribute")["difference"].median().sort_values(ascending=False)
fig = vb.figures.box_by_attribute(
    headline, value="difference", attribute="attribute", kinds=ATTRIBUTES, value_label="absolute difference of Δcos × 100"
)
vb.figures.show(
    fig,
    name="variation-boxes",
    alt=f"Boxes of absolute differences in Δcos for seven attributes, ordered by median: {', '.join(order.index)}.",
    caption=f"What one attribute changes, {len(headline) // len(ATTRIBUTES):,} values per attribute (protocol as {protocol}). Boxes by median; "
    "triangles are means.",
    source=source,
)
medians = pd.DataFrame({choice: table.groupby("attribute")["difference"].median() for choice, table in draws.items()}).loc[order.index]
plain = medians[prompts, 1]
glue("order", ", ".join(order.index), display=False)
glue("spelling-moves", float(100 * (medians[prompts_released, 1] / plain - 1).abs().max()), display=False)
glue("copies-move", float(100 * (medians[prompts, 4] / plain - 1).abs().max()), display=False)
medians.rename_axis(columns=["words", "copies of a prototype"]).style.format("{:.3f}").set_caption(
    "Median AbsDiff × 100; the first column is the text, the last the code"
)

# %% [markdown]
# On our faces the order is {glue:text}`order`. It is *not* comparable with the paper's: it depends on how far apart we chose to draw the
# levels and on what we planted for hue and crest. One thing was fitted to the paper beforehand, on a network with nothing planted, before any bias
# was looked at: that identity moves perception most, so that judgements vary *within* groups as they do in CLIP. Copying prototypes moves a
# median by at most {glue:text}`copies-move:.1f` %, the spelling by at most {glue:text}`spelling-moves:.1f` %.
#
# ### The tests, as published and corrected
#
# The paper compares attributes by two-sided rank-sum tests on the 8,000 values each, uncorrected. Beside each p-value
# stands Holm's correction, and the quantity that the test is about: how often a value of the first exceeds one of the second.

# %% tags=["hide-input"]
COMPARED = [("seed", other) for other in ATTRIBUTES if other != "seed"] + [("smiling", "age"), ("lighting", "age")]


def rank_sums(table):
    """Two-sided rank-sum tests of the comparisons in the text."""
    values = {name: part["difference"].to_numpy() for name, part in table.groupby("attribute")}
    rows = []
    for one, other in COMPARED:
        test = stats.mannwhitneyu(values[one], values[other], alternative="two-sided")
        rows.append({"first": one, "second": other, "first exceeds": test.statistic / len(values[one]) / len(values[other]),
                     "p": test.pvalue})
    rows = pd.DataFrame(rows)
    return rows.assign(**{"p (Holm)": multipletests(rows["p"], method="holm")[1]})


rank_sums(headline).style.format({"first exceeds": "{:.1%}", "p": small, "p (Holm)": small}).hide(axis="index")

# %% [markdown]
# ### The tests of the earlier version: Table B.2
#
# The same question by Student's t, for every non-protected against every protected attribute and each valence. A t-test of two *independent*
# samples compares means, and takes every value as a draw of its own: 5,000 (positive) or 3,000 (negative) per attribute. The last
# columns keep the question and change the unit: one mean AbsDiff per identity and attribute, and a paired t-test over identities.

# %% tags=["hide-input"]
UNPROTECTED, PROTECTED = (tuple(name for name, kind in ATTRIBUTES.items() if kind == which) for which in ("unprotected", "protected"))


def t_tests(table):
    """Two-sided t-tests of non-protected against protected attributes by valence: over values, and over identities."""
    rows = []
    for valence, own in VALENCE.items():
        part = table[table["dimension"].isin(own)]
        values = {name: rows["difference"].to_numpy() for name, rows in part.groupby("attribute")}
        identities = part.pivot_table(index="first", columns="attribute", values="difference", observed=True)
        for one in UNPROTECTED:
            for other in PROTECTED:
                over_values = pg.ttest(values[one], values[other], correction=False).iloc[0]
                both = identities[[one, other]].dropna()
                over_identities = pg.ttest(both[one], both[other], paired=True).iloc[0]
                rows.append({"valence": valence, "pair": f"{one} − {other}", "difference": values[one].mean() - values[other].mean(),
                             "t": over_values["T"], "p": over_values["p_val"], "paired t": over_identities["T"], "its p": over_identities["p_val"]})
    rows = pd.DataFrame(rows).set_index(["valence", "pair"])
    for column in ("p", "its p"):
        rows.insert(rows.columns.get_loc(column) + 1, column + " (Holm)", multipletests(rows[column], method="holm")[1])
    return rows


earlier = t_tests(headline)
over, alone = (int((earlier[column] > 0.05).sum()) for column in ("its p", "p"))
for key, value in {"b2-all": len(earlier), "b2-open": alone, "b2-open-identities": over,
                   "b2-share": float((earlier["paired t"] / earlier["t"]).abs().median())}.items():
    glue(key, value, display=False)
earlier.style.format({"difference": "{:+.3f}", "t": "{:.1f}", "paired t": "{:.1f}"} | {name: small for name in earlier if "p" in name.split()}).set_caption(
    "Mean AbsDiff × 100, non-protected − protected: t over values as in the earlier version, and paired over identities"
)

# %% [markdown]
# Of {glue:text}`b2-all` comparisons {glue:text}`b2-open` are "not significant" (p > .05, uncorrected) over values and {glue:text}`b2-open-identities` over
# identities. The median |t| over identities is {glue:text}`b2-share:.2f` times that over values: far fewer units, but each its own control, so an honest count
# need not cost power. Of the other assumptions, normality and equal variances matter little with so many values. Meaning does: AbsDiff is folded at zero
# and skewed, so means and ranks answer different questions and may order attributes differently.

# %% tags=["hide-input"]
table = seen.table
held = {}
if "subset" in table:
    kinds, seeds = table["subset"].value_counts(), table["seed"].nunique()
    held = {"seeds": seeds, "prototypes": kinds["prototype"] / seeds, "races": table["race"].nunique(), "genders": table["gender"].nunique(),
            "variations": (len(table) - kinds["prototype"]) / kinds["prototype"], "per-prototype": len(table) / kinds["prototype"],
            "per-seed": len(table) / seeds, "images": len(table), "draws": n_pairs, "dimensions": perception.shape[1],
            "attributes": len(ATTRIBUTES), "values": len(headline) / len(ATTRIBUTES), "gap": min_gap}
    held |= {f"{name}-levels": kinds[name] / kinds["prototype"] for name in ("age", "smiling", "lighting", "pose")}
    held = {"described": held, "released": {"images": len(table) + 3 * kinds["prototype"]}}
for name, rows in by_protocol.items():
    tested, middle = rank_sums(rows).set_index(["first", "second"])["p"], rows.groupby("attribute")["difference"].median()
    larger, alike = bool(middle["smiling"] > middle["age"]), bool(tested["lighting", "age"] > 0.05)
    found = held.get(name, {}) | {
        "seed-largest": bool((middle.drop("seed") < middle["seed"]).all()), "seed-within": bool((middle[["race", "gender"]] < middle["seed"]).all()),
        "seed-p": tested["seed"].max(), "smiling-p": tested["smiling", "age"], "lighting-p": tested["lighting", "age"],
        **dict.fromkeys(("smiling-over-age", "abstract-smiling", "discussion-smiling"), larger),
        **dict.fromkeys(("lighting-as-age", "abstract-lighting", "discussion-lighting"), alike),
    }
    b2 = t_tests(rows)
    named = {f"table_b2.{v}.{p}": (v, p.replace("_", " − ")) for v in VALENCE for p in ("pose_gender", "smiling_gender", "lighting_age")}
    named.pop("table_b2.positive.lighting_age")
    found |= {f"{key}.{what}": b2.loc[place, what] for key, place in named.items() for what in ("t", "p")}
    found |= {"table_b2.pairs": len(b2), "table_b2.not-significant": min(b2.loc[place, "p"] for place in named.values()),
              "table_b2.others": bool((b2["p"].drop(list(named.values())) < 0.05).all())}
    for key, value in found.items():
        value = value if isinstance(value, bool) else float(value)
        vb.ledger.record(f"variation.{key}", value, results=results, stimuli=seen, model=seen, protocol=name)

# %% [markdown]
# ### Panel by panel: Figure B.3
#
# The boxes pool eight dimensions. The earlier version also shows each by itself, and the same for the *raw* cosine with the neutral prompt and with
# prompts that name a race, a gender or an age.

# %% tags=["hide-input"]
copies = PROTOCOLS[protocol]["prototype_copies"]


def panel_boxes(drawn, *, columns, label):
    """One panel per column of what was measured: boxes per attribute, on one scale."""
    fig, axes = vb.figures.panels(int(np.ceil(len(columns) / 2)), 2, height=8.4, share_x=True, share_y=True)
    for axis, column in zip(axes.flat, columns, strict=True):
        values = [drawn.loc[(drawn["attribute"] == name) & (drawn["dimension"] == column), "difference"] for name in list(ATTRIBUTES)[::-1]]
        boxes = axis.boxplot(values, tick_labels=list(ATTRIBUTES)[::-1], orientation="horizontal", widths=0.65, showfliers=False, patch_artist=True,
                             medianprops={"color": "black"})["boxes"]
        for box, name in zip(boxes, list(ATTRIBUTES)[::-1], strict=True):
            box.set(facecolor=vb.figures.COLOURS[ATTRIBUTES[name]], alpha=0.75)
        axis.set(title=column.replace("_", " "))
    for axis in axes[-1]:
        axis.set_xlabel(label)
    return fig


def leaders(drawn):
    """The attribute with the largest median, per column."""
    return drawn.groupby(["dimension", "attribute"], observed=True)["difference"].median().unstack().idxmax(axis=1)


first = leaders(headline)
fig = panel_boxes(headline, columns=list(perception.columns), label="|difference of Δcos| × 100")
vb.figures.show(
    fig,
    alt="Boxes per attribute in eight panels, one per dimension. Largest median: "
    + "; ".join(f"{dimension.replace('_', ' ')}: {name}" for dimension, name in first.items()) + ".",
    caption=f"The boxes of the first figure, dimension by dimension (protocol as {protocol}): identity grey, protected orange, non-protected purple.",
    source=source,
)
named = vb.perceive(stimuli, model, labels, **read)
words = list(dict.fromkeys(named.words.loc[~named.words["neutral"], "word"]))
of_labels = variation(named.table, pd.DataFrame({"neutral": named.neutral()} | {word: named.word(word) for word in words}), prototype_copies=copies)
second = leaders(of_labels)
fig = panel_boxes(of_labels, columns=["neutral", *words], label="|difference of cosine| × 100")
vb.figures.show(
    fig,
    alt="Boxes per attribute for the raw cosine with the neutral prompt and seven prompts that name a group. Largest median: "
    + "; ".join(f"{word}: {name}" for word, name in second.items()) + ".",
    caption="The same for raw cosines with the neutral prompt and with prompts that name a race, a gender or an age (another scale).",
    source=source,
)
neutral_moves = of_labels[of_labels["dimension"] == "neutral"].groupby("attribute")["difference"].median()
glue("leaders", "; ".join(f"{name} in {count}" for name, count in first.value_counts().items()), display=False)
glue("neutral-first", neutral_moves.idxmax(), display=False)
glue("neutral-median", float(neutral_moves.max()), display=False)

# %% [markdown]
# Of the eight dimensions, the largest median belongs to {glue:text}`leaders`: a pooled box hides which judgement an attribute moves. The neutral prompt itself moves,
# most with {glue:text}`neutral-first` (median {glue:text}`neutral-median:.2f`); Δcos subtracts this from every dimension alike, which is what
# [the chapter on the neutral prompt](neutral_prompt.ipynb) is about.
#
# ### Whose uncertainty? Resampling identities
#
# The p-values above treat 8,000 values as 8,000 independent facts. Draw the 100 *identities* anew instead, with every value
# that belongs to them, and the medians move by what they owe to these particular identities.


# %% tags=["hide-input"]
def intervals(table):
    """Bootstrap medians per attribute: resampling values, and resampling identities (the same draw for all attributes)."""
    boot = {"values": {}, "identities": {}}
    for attribute, part in table.groupby("attribute", sort=False):
        alone = vb.cluster_weights(np.arange(len(part)), n_resamples=n_resamples, seed=seed)
        seeds = part[["first", "second"]] if attribute == "seed" else part["first"]
        together = vb.cluster_weights(seeds, n_resamples=n_resamples, seed=seed)
        boot["values"][attribute] = vb.weighted_medians(part["difference"], alone)
        boot["identities"][attribute] = vb.weighted_medians(part["difference"], together)
    return boot


boot = intervals(headline)
lines = pd.DataFrame([
    {"attribute": attribute, "resampled": unit, "median": order[attribute],
     "low": np.quantile(boot[unit][attribute], 0.025), "high": np.quantile(boot[unit][attribute], 0.975)}
    for attribute in order.index for unit in boot
])
width = lines.assign(width=lines["high"] - lines["low"]).pivot(index="attribute", columns="resampled", values="width")
ratio = float((width["identities"] / width["values"]).median())
fig = vb.figures.forest(lines, estimate="median", low="low", high="high", label="attribute", group="resampled",
                        value_label="median AbsDiff × 100, 95 % interval", reference=None)
vb.figures.show(
    fig,
    alt=f"Medians with two intervals per attribute. Resampling identities gives intervals about {ratio:.1f} times as wide as resampling values.",
    caption="The same medians, with the interval that resampling single values gives and the one that resampling identities gives.",
    source=source,
)
glue("interval-ratio", ratio, display=False)

# %% [markdown]
# Resampling identities widens the intervals, {glue:text}`interval-ratio:.1f`-fold in the middle case. Now "lighting as much as age" can be
# put as a question with an answer: is the *ratio* of the two medians within a band that one would call equal? We use 0.8 to 1.25, the
# band of bioequivalence studies; choose another before looking {cite}`lakens2017`.

# %%
equivalence = pd.DataFrame(
    {
        unit: np.quantile(boot[unit]["lighting"] / boot[unit]["age"], [0.05, 0.95])
        for unit in boot
    },
    index=["low", "high"],
).T
inside = (equivalence["low"] > 0.8) & (equivalence["high"] < 1.25)
equivalence.assign(equivalent=inside).style.format(precision=2).set_caption(
    "Ratio of medians, lighting over age, 90 % interval"
)

# %% tags=["hide-input"]
glue("ratio", float(order["lighting"] / order["age"]), display=False)
glue("ratio-low", float(equivalence.loc["identities", "low"]), display=False)
glue("ratio-high", float(equivalence.loc["identities", "high"]), display=False)
levels = np.sort(seen.table["smiling"].dropna().unique())
centre, half = (levels.max() + levels.min()) / 2, (levels.max() - levels.min()) / 4
inner = (centre - half, centre + half)
choices = {"whole": dict(), "half": dict(smiling_range=inner), "step": dict(smiling_range=inner, gap=None)}
for key, choice in choices.items():
    value = variation(seen.table, perception, only=["smiling"], **choice)["difference"].median()
    glue(f"smiling-{key}", float(value), display=False)
    glue(f"place-{key}", 1 + int((order.drop("smiling") > value).sum()), display=False)

# %% [markdown]
# On our faces lighting moves perception {glue:text}`ratio:.2f` times as much as age (90 % interval over identities
# {glue:text}`ratio-low:.2f` to {glue:text}`ratio-high:.2f`). Two 5 % one-sided tests ask whether that interval lies inside the band: this is
# what it takes to *show* equality, and a p-value above .05 is not it.
#
# **The order depends on the range.** "Smiling moves perception more than age" compares a particular range of smiles with a particular range of
# ages. Keep only the inner half of the smiles, and the median goes from {glue:text}`smiling-whole:.2f` (place {glue:text}`place-whole` of seven) to
# {glue:text}`smiling-half:.2f` (place {glue:text}`place-half`); drop the threshold of {claim}`variation.gap` as well, and it is {glue:text}`smiling-step:.2f` (place
# {glue:text}`place-step`). A ranking of attributes is a ranking of *the ranges and steps that were rendered*: 1.1 in age and 1.1 in smiling are both
# "1.1" on scales that have nothing else in common.

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse we know what the captions said. For every face we can work out the log probability of every word, hence what a perfect
# student of the captions would perceive: in logit units (cosine × the model's logit scale), a difference between two faces equals the
# difference of their log odds. Smiles, age, light and pose change captions, and so do an identity's garment and hair: these drivers are
# legitimate, they work at every strength. **Hue and crest change nothing at $b = 0$.**

# %% tags=["hide-input"]
from greenhouse import study
from greenhouse.world import grammar, truth

spoken = grammar.load()


worlds = {}
for strength, name in ((1.0, "greenhouse"), (0.0, model_null)):
    look = vb.perceive("greenhouse/causalface", name)  # the laboratory's own, whatever was studied above
    faces, dimensions = look.table, look.dimensions
    worlds[strength] = {"seen": look.delta() * look.logit_scale, "planted": truth.said(spoken, dimensions, faces, strength)}

# %% [markdown]
# ### A difference where nothing was planted
#
# *Target: this model.* AbsDiff takes absolute values, so it cannot be zero on average unless the network is perfectly indifferent. Here are the same
# pairs, once as the network sees them and once as the captions describe them.

# %% tags=["hide-input"]
floor = pd.concat([
    variation(faces, values).groupby("attribute")["difference"].median().div(100).rename("median").reset_index().assign(b=strength, kind=kind)
    for strength, world in worlds.items() for kind, values in world.items()
])
names, top = list(ATTRIBUTES)[::-1], floor["median"].max() * 1.08
fig, axes = vb.figures.panels(1, 2, height=4.0, share_y=True)
marks = {"planted": dict(marker="x", markersize=8, markeredgewidth=2, label="said by the captions"),
         "seen": dict(marker="o", label="seen by the network")}
hues = {"planted": vb.figures.COLOURS["planted"], "seen": vb.figures.COLOURS["recomputed"]}
for axis, strength in zip(axes[0], sorted(worlds), strict=True):
    part = floor[floor["b"] == strength].pivot(index="attribute", columns="kind", values="median").loc[names]
    place = np.arange(len(part))
    axis.hlines(place, part["planted"], part["seen"], color="0.75", linewidth=2)
    for kind, mark in marks.items():
        axis.plot(part[kind], place, linestyle="", color=hues[kind], **mark)
    axis.set(yticks=place, yticklabels=part.index, xlim=(-0.05 * top, top), title=f"b = {strength:g}", xlabel="median |difference|, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
get = floor.set_index(["b", "kind", "attribute"])["median"]
vb.figures.show(
    fig,
    name="variation-floor",
    alt="Median absolute differences per attribute for the network without and with planted associations, beside what the captions say. "
    f"At b = 0 the captions say nothing of race or gender, yet the network's medians are {get[0.0, 'seen', 'race']:.2f} and "
    f"{get[0.0, 'seen', 'gender']:.2f} logits.",
    caption="What the captions say an attribute changes (crosses) and what the network's AbsDiff shows (dots), in logit units, same pairs.",
    source="greenhouse",
)
for key, place in {"floor-race": (0.0, "seen", "race"), "floor-gender": (0.0, "seen", "gender"),
                   "planted-race": (1.0, "planted", "race"), "seen-race": (1.0, "seen", "race")}.items():
    glue(key, float(get[place]), display=False)

# %% [markdown]
# In the network trained on captions that never tied a trait to hue or crest (b = 0), changing the hue still moves perception by
# {glue:text}`floor-race:.2f` logits in the median and changing the crest by {glue:text}`floor-gender:.2f`, where the captions call for exactly 0. With
# hue planted at full strength the captions call for {glue:text}`planted-race:.2f` and the network shows {glue:text}`seen-race:.2f`. The difference
# between the two networks is the planted bias; the rest is a *floor*: pictures differ, and a network that puts different pictures in different spots
# makes absolute differences of everything. So a large AbsDiff of an attribute is a fact about **this model** ("its judgements move when this
# changes"), which is the claim the paper makes. It is not evidence that the *training data* tied perception to that attribute.
#
# ### The same question, with signs
#
# *Target: this model, set beside its captions.* What distinguishes a bias from jitter is its **direction**: jitter has none in common across identities.
# Take the 100 identities, subtract the perception of each one's violet prototype from that of its teal prototype, and average *with* sign.

# %% tags=["hide-input"]
prototypes = faces[faces["subset"] == "prototype"]
rng = np.random.default_rng(seed)


def teal_minus_violet(table, values):
    """Difference of each identity's teal and violet prototypes, mean over crests: `(identities, columns)`."""
    means = values.groupby([table["race"].to_numpy(), table["seed"].to_numpy()]).mean()
    return means.loc["teal"] - means.loc["violet"]


signed = []
for strength, world in worlds.items():
    found, called = (teal_minus_violet(prototypes, world[kind].iloc[prototypes.index]) for kind in ("seen", "planted"))
    for dimension in dimensions:
        each = (found[dimension].to_numpy(),)
        interval = stats.bootstrap(each, np.mean, n_resamples=n_resamples, rng=rng, method="percentile").confidence_interval
        signed.append({"b": strength, "dimension": dimension.replace("_", " "), "seen": each[0].mean(), "low": interval.low, "high": interval.high,
                       "planted": called[dimension].mean()})
signed = pd.DataFrame(signed)
fig, axes = vb.figures.panels(1, 2, height=4.2, share_y=True)
for axis, strength in zip(axes[0], sorted(worlds), strict=True):
    part = signed[signed["b"] == strength].iloc[::-1].reset_index(drop=True)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.hlines(part.index, part["low"], part["high"], color=hues["seen"])
    for kind, mark in marks.items():
        axis.plot(part[kind], part.index, linestyle="", color=hues[kind], **mark)
    axis.set(yticks=part.index, yticklabels=part["dimension"], title=f"b = {strength:g}", xlabel="teal − violet, logits")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
full, clear = (signed[signed["b"] == strength] for strength in (1.0, 0.0))
slope = float(np.polyfit(full["planted"], full["seen"], 1)[0])
agreement = float(np.corrcoef(full["planted"], full["seen"])[0, 1])
excluded = int(((clear["low"] > 0) | (clear["high"] < 0)).sum())
vb.figures.show(
    fig,
    alt=f"Signed differences between teal and violet prototypes for eight dimensions. At b = 1 they follow what was planted (r = {agreement:.2f}); "
    f"at b = 0 {excluded} of {len(clear)} intervals still exclude zero.",
    caption="Mean signed difference teal − violet over 100 identities (dots, 95 % intervals) and what the captions say (crosses).",
    source="greenhouse",
)
for key, value in {"signed-r": agreement, "signed-slope": slope, "null-excluded": excluded, "null-all": len(clear),
                   "null-largest": float(clear["seen"].abs().max()), "full-largest": float(full["seen"].abs().max())}.items():
    glue(key, value, display=False)

# %% [markdown]
# With signs, what was planted comes back: r = {glue:text}`signed-r:.2f` with the captions over the eight dimensions, slope {glue:text}`signed-slope:.2f`.
# And where nothing was planted, {glue:text}`null-excluded` of {glue:text}`null-all` intervals *still* exclude zero, though the largest difference
# is {glue:text}`null-largest:.2f` logits against {glue:text}`full-largest:.2f` at b = 1. Each such interval is right about **this network** and would be
# a false alarm about its captions. An interval over identities cannot tell the two apart, because every identity is seen by the same network;
# only retrained networks can.
#
# ### How often do the tests speak where nothing was said?
#
# *Target: retrained networks, and their captions.* Here are networks trained anew on captions in which neither hue nor crest changes any trait word.
# In each, the papers' tests compare the AbsDiff of race with that of gender among prototypes, and a signed test asks whether teal and violet differ on a
# dimension. A test that speaks about captions should call a difference in 5 % of the networks.

# %% tags=["hide-input"]
portraits = study.portraits(paths.root() / portraits_folder)
grid = np.flatnonzero((portraits.images["set"] == "grid") & (portraits.images["subset"] == "prototype"))
pictures = portraits.images.iloc[grid].reset_index(drop=True)
silent = np.flatnonzero((portraits.models["arm"] == "dose") & (portraits.models["b"] == 0))
column = list(portraits.columns)
said = [column.index(dimension) for dimension in dimensions]
verdicts, directions, ratios = [], [], []
for one in silent:
    scores = portraits.scores[one][grid]
    delta = pd.DataFrame(scores[:, said] - scores[:, [column.index("neutral")]], columns=dimensions)
    drawn = variation(pictures, delta, only=["race", "gender"])
    race, gender = (drawn.loc[drawn["attribute"] == name] for name in ("race", "gender"))
    of_pairs = [rows.groupby(np.arange(len(rows)) // len(dimensions))["difference"].mean() for rows in (race, gender)]
    of_identities = pd.concat([rows.groupby("first")["difference"].mean() for rows in (race, gender)], axis=1).dropna()
    difference = teal_minus_violet(pictures, delta)
    verdicts.append({
        f"rank-sum, {len(race):,} values (as in 2025)": stats.mannwhitneyu(race["difference"], gender["difference"]).pvalue,
        f"t, {len(race):,} values (as earlier)": stats.ttest_ind(race["difference"], gender["difference"]).pvalue,
        f"rank-sum, {n_pairs:,} pairs": stats.mannwhitneyu(*of_pairs).pvalue,
        f"paired t, {len(of_identities)} identities": stats.ttest_rel(*of_identities.to_numpy().T).pvalue,
        **{f"signed {name}": p for name, p in zip(dimensions, stats.ttest_1samp(difference, 0).pvalue, strict=True)},
    })
    directions.append(difference.mean())
    ratios.append(np.log(race["difference"].median() / gender["difference"].median()))
verdicts, directions = pd.DataFrame(verdicts), pd.DataFrame(directions)


def rate(called):
    """How many of some verdicts call a difference, with a 95 % interval over networks where each counts once."""
    called = np.asarray(called)
    interval = stats.binomtest(int(called.sum()), called.size).proportion_ci(method="wilson")
    return {"called different": f"{int(called.sum())} of {called.size}", "share": called.mean(), "95 % interval": f"{interval.low:.0%} to {interval.high:.0%}"}


unsigned = [name for name in verdicts if not name.startswith("signed")]
rows = [{"asked": "race against gender, AbsDiff", "test": name, **rate(verdicts[name] < 0.05)} for name in unsigned]
each = (verdicts.drop(columns=unsigned) < 0.05).to_numpy()
rows.append({"asked": "teal − violet, per dimension", "test": f"t, {len(difference)} identities", **rate(each), "95 % interval": "–"})
over = stats.ttest_1samp(directions, 0).pvalue
rows.append({"asked": "teal − violet, per dimension", "test": f"t, {len(silent)} networks", **rate(over < 0.05), "95 % interval": "–"})
agree = stats.ttest_1samp(ratios, 0)
for key, value in {"silent-models": len(silent), "silent-rank": float((verdicts.iloc[:, 0] < 0.05).mean()), "silent-t": float((verdicts.iloc[:, 1] < 0.05).mean()),
                   "silent-identities": float((verdicts.iloc[:, 3] < 0.05).mean()), "silent-signed": float(each.mean()), "silent-over": int((over < 0.05).sum()),
                   "race-over-gender": float(np.exp(np.mean(ratios))), "race-larger": int((np.array(ratios) > 0).sum()), "race-p": float(agree.pvalue)}.items():
    glue(key, value, display=False)
pd.DataFrame(rows).style.format({"share": "{:.0%}"}).hide(axis="index").set_caption(f"Significant at .05 (uncorrected) in {len(silent)} networks with b = 0")

# %% [markdown]
# In {glue:text}`silent-models` silent networks the rank-sum test calls race and gender different in {glue:text}`silent-rank:.0%`, the t-test in
# {glue:text}`silent-t:.0%`, one value per identity in {glue:text}`silent-identities:.0%`. Counting better does not make these tests speak of captions.
# They ask whether a change of hue and a change of crest move *this* network equally far, and pictures that differ in different ways need not, whatever
# was said of them: the median of race is {glue:text}`race-over-gender:.2f` times that of gender on average, the larger one in {glue:text}`race-larger` networks
# (p = {glue:text}`race-p:.1g` over networks). The signed question is answered "different" in {glue:text}`silent-signed:.0%` of network–dimension pairs over
# identities, and over networks for {glue:text}`silent-over` of eight dimensions. Only the last is a test about training.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text and the earlier appendix:
#
# | | paper | code | here |
# |---|---|---|---|
# | draws | a "bootstrap distribution" of 8,000 values | 1,000 pairs, each used for eight dimensions that share words | both intervals above |
# | images | "18,000 unique images" | four stacked tables, 19,800 rows, the prototype in each | `prototype_copies` |
# | words | "likeable"; four full stops | "likable", three | `prompts_released` |
# | threshold | 1.1 for age and smiling | strictly more than 1.1 | `min_gap`, strict |
# | test | 2025: Wilcoxon rank-sum, "independent samples"; earlier: pairwise t-tests | two-sided Mann–Whitney, uncorrected; prints only p > .001; no code for the t-tests | both, corrected beside uncorrected |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/variation -p protocol released -p n_pairs 5000
# ```
# With CausalFace or the authors' cosine tables: `-p stimuli causalface -p labels labels -p cosines FOLDER`. Any open_clip model can look:
# `-p model ViT-B-32-quickgelu/openai` (its weights are downloaded by open_clip when first used; on drawings its perception of people means nothing).
# :::

# %% [markdown]
# ## Take-aways
#
# - Varying one attribute at a time answers "what moves *this* model's judgement", free of the confounds of photograph collections.
# - AbsDiff has a floor. It says how far judgements move, not whether in one direction; average with sign before speaking of bias.
# - Pairs are not independent: resample identities. And p > .05 is not equality: bring a band and an interval.
# - A ranking of attributes ranks the ranges that were rendered.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What a median of absolute values hides
# :label: variation-folded
# If the difference in perception between two images were normal with mean $\mu$ and standard deviation $\sigma$, what is the median of its absolute
# value at $\mu = 0$? At $\mu = \sigma / 2$? By how many per cent does a bias of half a standard deviation raise the median?
# :::
#
# ```{solution-start} variation-folded
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
at_zero, at_half = stats.foldnorm(0).median(), stats.foldnorm(0.5).median()
print(f"{at_zero:.3f} σ and {at_half:.3f} σ: {at_half / at_zero - 1:.0%} more")
assert abs(at_zero - stats.norm.ppf(0.75)) < 1e-9 and 0.05 < at_half / at_zero - 1 < 0.2

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} More pairs from the same identities
# :label: variation-pairs
# In the network with b = 0, compare the AbsDiff of race and of gender by rank-sum test with 10, 100 and 1,000 pairs from the same 100 identities. How do
# the p-value and the share of comparisons in which race exceeds gender change? What limits what can be learned?
# :::
#
# ```{solution-start} variation-pairs
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
growing = []
for n in (10, 100, 1_000):
    drawn = variation(faces, worlds[0.0]["seen"], n=n, only=["race", "gender"]).groupby("attribute")["difference"]
    test = stats.mannwhitneyu(drawn.get_group("race"), drawn.get_group("gender"))
    growing.append({"pairs": n, "race exceeds": test.statistic / drawn.size().prod(), "p": test.pvalue})
growing = pd.DataFrame(growing)
print(growing.to_string(index=False, float_format="{:.2g}".format))
print("The share settles while p falls: the number of draws is ours to choose. The identities, and for training the networks, limit what can be learned.")
assert growing["p"].iloc[-1] < growing["p"].iloc[0] and abs(growing["race exceeds"].diff().iloc[-1]) < 0.1

# %% [markdown]
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper's third finding warns that studies which ignore facial expression "may reach the wrong conclusions on bias". Does the size of the
#    smile's effect matter for that warning, or only its correlation with group in the photographs at hand?
# 2. Identity moves the model most. Is a judgement that depends on *whose* face it is, beyond age, race and gender, fairer than one that does not?
