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
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings of
# fictional groups; they stand for nobody.
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
min_gap = 1.1  # smallest difference in age or smiling within a pair, on the scale of the stimuli
n_resamples = 500  # bootstrap resamples of the identities
seed = 42  # seed of every random draw (the authors' code uses 42, too)
results = "_build/results/causalface/variation.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from itertools import combinations

import numpy as np
import pandas as pd
import pingouin as pg
from scipy import stats
from statsmodels.stats.multitest import multipletests

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import words as said_as

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
largest_t = max(abs(float(value)) for name, value in printed.items() if ".table_b2.negative" in name and name.endswith(".t"))
vb.note(printed={"low": low, "high": high}, b2_largest=largest_t * np.sqrt(2 / 3_000))

# %% [markdown]
# Read as an *interval*, the number is more informative than as a verdict: a rank-sum test on twice 8,000 independent values
# can place the chance that one exceeds the other within about a percentage point. p = .06 does not show equality; the interval would bound the difference tightly, from {glue:text}`printed.low:.2f` to {glue:text}`printed.high:.2f` %.
# *If the values were independent.* They are not: 1,000 pairs come from 100 identities, each pair is used for eight dimensions,
# and the dimensions share words. What that costs can only be seen by resampling identities, which we do below.
#
# The earlier version compared means instead of ranks, by valence. In its Table B.2 pose and gender differ with
# t = {claim}`variation.table_b2.positive.pose_gender.t` on positive and t = {claim}`variation.table_b2.negative.pose_gender.t` on negative words, smiling and
# gender with {claim}`variation.table_b2.positive.smiling_gender.t` and {claim}`variation.table_b2.negative.smiling_gender.t`: t and p are the same for both
# valences, which two sets of different words would hardly give twice. Lighting and age, p = {claim}`variation.table_b2.negative.lighting_age.p`, are
# listed for negative words only. With 3,000 values a side (the number is not printed; three negative dimensions times 1,000 pairs),
# the largest of these t stands for a standardised difference of {glue:text}`b2_largest:.2f`: not significant here means *very* small, by a
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
moves = {"spelling": (medians[prompts_released, 1] / plain - 1).abs().max(), "copies": (medians[prompts, 4] / plain - 1).abs().max()}
vb.note(order=", ".join(order.index), moves=moves)
medians.rename_axis(columns=["words", "copies of a prototype"]).style.format("{:.3f}").set_caption(
    "Median AbsDiff × 100; the first column is the text, the last the code"
)

# %% [markdown]
# On our faces the order is {glue:text}`order`. It is *not* comparable with the paper's: it depends on how far apart we chose to draw the
# levels and on what we planted for hue and crest. That identity moves perception most was fitted
# beforehand, on a network with nothing planted. Copying prototypes moves a
# median by at most {glue:text}`moves.copies:.1%`, the spelling by at most {glue:text}`moves.spelling:.1%`.
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
vb.note(b2=len(earlier), b2_open={"values": alone, "identities": over}, b2_share=(earlier["paired t"] / earlier["t"]).abs().median())
earlier.style.format({"difference": "{:+.3f}", "t": "{:.1f}", "paired t": "{:.1f}"} | {name: small for name in earlier if "p" in name.split()}).set_caption(
    "Mean AbsDiff × 100, non-protected − protected: t over values as in the earlier version, and paired over identities"
)

# %% [markdown]
# Of {glue:text}`b2` comparisons {glue:text}`b2_open.values` are "not significant" (p > .05, uncorrected) over values and {glue:text}`b2_open.identities` over
# identities. The median |t| over identities is {glue:text}`b2_share:.2f` times that over values: far fewer units, but each its own control, so an honest count
# need not cost power.

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
vb.note(leaders="; ".join(f"{name} in {count}" for name, count in first.value_counts().items()), neutral={"first": neutral_moves.idxmax(), "median": neutral_moves.max()})

# %% [markdown]
# Of the eight dimensions, the largest median belongs to {glue:text}`leaders`: a pooled box hides which judgement an attribute moves. The neutral prompt itself moves,
# most with {glue:text}`neutral.first` (median {glue:text}`neutral.median:.2f`); Δcos subtracts this from every dimension alike, which is what
# [the chapter on the neutral prompt](neutral_prompt.ipynb) is about.
#
# ### Whose uncertainty? Resampling identities
#
# The p-values above treat 8,000 values as 8,000 independent facts. Draw the 100 *identities* anew instead, with every value
# that belongs to them, and the medians move by what they owe to these particular identities.


# %% tags=["hide-input"]
def intervals(table):
    """Bootstrap medians per attribute: resampling values, and resampling identities (the same draw for all attributes)."""
    pool, parts = np.unique(table[["first", "second"]]), dict(list(table.groupby("attribute", sort=False)))
    times = vb.cluster_weights(pool, n_resamples=n_resamples, seed=seed)  # how often each identity is drawn
    ends = {name: [times[:, np.searchsorted(pool, part[end])] for end in ("first", "second")] for name, part in parts.items()}
    drawn = {name: first * second if name == "seed" else first for name, (first, second) in ends.items()}
    full = np.all([weights.any(axis=1) for weights in drawn.values()], axis=0)  # few identities may leave out an attribute
    values = {name: vb.cluster_weights(np.arange(len(part)), n_resamples=n_resamples, seed=seed) for name, part in parts.items()}
    return {unit: {name: vb.weighted_medians(parts[name]["difference"], one) for name, one in weights.items()}
            for unit, weights in (("values", values), ("identities", {name: one[full] for name, one in drawn.items()}))}


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
vb.note(wider=ratio)

# %% [markdown]
# Where identities are resampled the intervals are {glue:text}`wider:.1f` times as wide, in the middle case. Now "lighting as much as age" can be
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
vb.note(ratio={"is": order["lighting"] / order["age"], "low": equivalence.loc["identities", "low"], "high": equivalence.loc["identities", "high"]},
        equal="lies" if inside["identities"] else "does not lie")  # fmt: skip
levels = np.sort(seen.table["smiling"].dropna().unique())
centre, half = (levels.max() + levels.min()) / 2, (levels.max() - levels.min()) / 4
inner = (centre - half, centre + half)
choices = {"whole": dict(), "half": dict(smiling_range=inner), "step": dict(smiling_range=inner, gap=None)}
smiles = {key: variation(seen.table, perception, only=["smiling"], **choice)["difference"].median() for key, choice in choices.items()}
vb.note(smiles=smiles, place={key: 1 + int((order.drop("smiling") > value).sum()) for key, value in smiles.items()})

# %% [markdown]
# On our faces lighting moves perception {glue:text}`ratio.is:.2f` times as much as age (90 % interval over identities
# {glue:text}`ratio.low:.2f` to {glue:text}`ratio.high:.2f`). Two 5 % one-sided tests ask whether that interval lies inside the band, and here it
# {glue:text}`equal` there: this is what it takes to *show* equality, and a p-value above .05 is not it.
#
# **The order depends on the range.** "Smiling moves perception more than age" compares a particular range of smiles with a particular range of
# ages. Keep only the inner half of the smiles, and the median goes from {glue:text}`smiles.whole:.2f` (place {glue:text}`place.whole` of seven) to
# {glue:text}`smiles.half:.2f` (place {glue:text}`place.half`); drop the threshold of {claim}`variation.gap` as well, and it is {glue:text}`smiles.step:.2f` (place
# {glue:text}`place.step`). A ranking of attributes is a ranking of *the ranges and steps that were rendered*.

# %% [markdown]
# ## What this method can see
#
# In the Greenhouse we know what the captions said. For every face we can work out the log probability of every word, hence what a network that had
# learnt every face's odds would perceive: in logit units (cosine × the model's logit scale), a difference between two faces equals the
# difference of their log odds. Smiles, age, light and pose change captions, and so do an identity's garment and hair: these drivers are
# legitimate, they work at every strength. **Hue and crest change nothing at $b = 0$.**

# %%
spoken, worlds = grammar.load(), {}
for strength, name in ((1.0, "greenhouse"), (0.0, model_null)):
    look = vb.perceive("greenhouse/causalface", name)  # the laboratory's own, whatever was studied above
    faces, dimensions = look.table, look.dimensions
    worlds[strength] = {"seen": look.delta() * look.logit_scale, "planted": truth.per_face(spoken, faces, strength, axes=dimensions)}

# %% [markdown]
# ### A difference where nothing was planted
#
# *Target: this model.* AbsDiff takes absolute values, so it cannot be zero on average unless the network is perfectly indifferent. Here are the same
# pairs, once as the network sees them and once as its captions' odds have it, face by face.

# %% tags=["hide-input"]
floor = pd.concat([
    variation(faces, values).groupby("attribute")["difference"].median().div(100).rename("median").reset_index().assign(b=strength, kind=kind)
    for strength, world in worlds.items() for kind, values in world.items()
])
names, top = list(ATTRIBUTES)[::-1], floor["median"].max() * 1.08
fig, axes = vb.figures.panels(1, 2, height=4.0, share_y=True)
marks = {"planted": dict(marker="x", markersize=8, markeredgewidth=2, label="planted, face by face"),
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
vb.note(floor={"race": get[0.0, "seen", "race"], "gender": get[0.0, "seen", "gender"]}, hue={kind: get[1.0, kind, "race"] for kind in ("planted", "seen")})

# %% [markdown]
# In the network trained on captions that never tied a trait to hue or crest (b = 0), changing the hue still moves perception by
# {glue:text}`floor.race:.2f` logits in the median and changing the crest by {glue:text}`floor.gender:.2f`, where the captions call for exactly 0. With
# hue planted at full strength the captions call for {glue:text}`hue.planted:.2f` and the network shows {glue:text}`hue.seen:.2f`. The difference
# between the two networks is the planted bias; the rest is a *floor*: pictures differ, and a network that puts different pictures in different spots
# makes absolute differences of everything. So a large AbsDiff of an attribute is a fact about **this model** ("its judgements move when this
# changes"), which is the claim the paper makes. It is no evidence about *training data*.
#
# ### The same question, with signs
#
# *Target: this model, set beside its captions.* What distinguishes a bias from jitter is its **direction**: jitter has none in common across identities.
# Take the 100 identities, subtract the perception of each one's prototype in one group from that in another, and average *with* sign, for every pair of hues and
# for the crests. The truth of a gap between groups is what a count of their captions shows.

# %%
PAIRS = [(column, *pair) for column in ("race", "gender") for pair in combinations(sorted(faces[column].unique()), 2)]


def signed_gaps(table, values):
    """Difference between two groups' prototypes of each identity: (first, second) → `(identities, dimensions)`."""
    means = {column: values.groupby([table[column].to_numpy(), table["seed"].to_numpy()]).mean() for column in ("race", "gender")}
    return {(first, second): means[column].loc[first] - means[column].loc[second] for column, first, second in PAIRS}


# %% tags=["hide-input"]
prototypes = faces[faces["subset"] == "prototype"]
signed = []
for strength, world in worlds.items():
    found = signed_gaps(prototypes, world["seen"].iloc[prototypes.index])
    called = {column: truth.counted(spoken, prototypes, column, strength, axes=dimensions) for column in ("race", "gender")}
    alone = {column: world["planted"].iloc[prototypes.index].groupby(prototypes[column].to_numpy()).mean() for column in ("race", "gender")}
    for column, first, second in PAIRS:
        each = found[first, second]
        half = stats.t.ppf(0.975, len(each) - 1) * each.sem()
        gap = {name: one[column].loc[first] - one[column].loc[second] for name, one in (("counted", called), ("per_face", alone))}
        signed.append(pd.DataFrame({"b": strength, "pair": f"{first} − {second}", "dimension": dimensions, "seen": each.mean(), "low": each.mean() - half,
                                    "high": each.mean() + half, "counted": gap["counted"], "per_face": gap["per_face"]}))
signed = pd.concat(signed, ignore_index=True)
full, clear = (signed[signed["b"] == strength] for strength in (1.0, 0.0))
slopes = {yardstick: float(np.polyfit(full[yardstick], full["seen"], 1)[0]) for yardstick in ("counted", "per_face")}
agreement = float(np.corrcoef(full["counted"], full["seen"])[0, 1])
excluded = int(((clear["low"] > 0) | (clear["high"] < 0)).sum())
called = {"counted": "a count of a group's captions", "per_face": "mean over single faces"}
yardsticks = pd.concat([full.assign(planted=full[name], yardstick=title) for name, title in called.items()])
vb.figures.show(
    vb.figures.planted_against_shown(yardsticks, planted="planted", shown="seen", low="low", high="high", panel="yardstick", unit="logits"),
    alt=f"Signed differences between groups for eight dimensions and {len(PAIRS)} pairs at b = 1, against what was planted: r = {agreement:.2f} with what a count "
    f"of captions shows, slope {slopes['counted']:.2f}.",
    caption=f"b = 1: mean signed difference between groups over {prototypes['seed'].nunique()} identities, with 95 % intervals, against what was planted, by two "
    f"yardsticks; {len(PAIRS)} pairs × eight dimensions.",
    source="greenhouse",
)
vb.note(signed_r=agreement, back=said_as.verb(agreement, above=0.5, then="comes back", else_="hardly comes back"), slopes=slopes, excluded=said_as.among(excluded, len(clear)))

# %% [markdown]
# With signs, what was planted {glue:text}`back`: r = {glue:text}`signed_r:.2f` over all pairs and dimensions, slope {glue:text}`slopes.counted:.2f` against what a count of captions
# shows and {glue:text}`slopes.per_face:.2f` against the mean of single faces' log odds.
# And where nothing was planted, {glue:text}`excluded` intervals *still* exclude zero. Each such interval is right about **this network** and would be
# a false alarm about its captions.
#
# ### How often do the tests find something where nothing was planted?
#
# *Target: retrained networks, and their captions.* Here are networks trained anew on captions in which neither hue nor crest changes any trait word.
# Each drew its own pairing of names and looks, so that no name is favoured over networks.
# In each, the papers' tests compare the AbsDiff of race with that of gender among prototypes, and a signed test asks, for every pair of groups and every
# dimension, whether the two differ. A test that speaks about captions should call a difference in 5 % of the networks.

# %%
shown = retrained.scores("grid")
prototype = ((shown.images["set"] == "grid") & (shown.images["subset"] == "prototype")).to_numpy()
silent = (shown.networks["arm"].eq("none") & shown.networks["b"].eq(0)).to_numpy()
pictures = shown.images[prototype].reset_index(drop=True)
delta = np.stack([shown.delta(dimension)[silent][:, prototype] for dimension in dimensions], axis=2)  # logits

verdicts, gaps, alarms = [], [], []
for values in (pd.DataFrame(network, columns=dimensions) for network in delta):
    drawn = variation(pictures, values, only=["race", "gender"])
    race, gender = (drawn.loc[drawn["attribute"] == name] for name in ("race", "gender"))
    pairs = [rows.groupby(np.arange(len(rows)) // len(dimensions))["difference"].mean() for rows in (race, gender)]
    both = pd.concat([rows.groupby("first")["difference"].mean() for rows in (race, gender)], axis=1).dropna()
    verdicts.append({
        f"rank-sum, {len(race):,} values (as in 2025)": stats.mannwhitneyu(race["difference"], gender["difference"]).pvalue,
        f"t, {len(race):,} values (as earlier)": stats.ttest_ind(race["difference"], gender["difference"]).pvalue,
        f"rank-sum, {n_pairs:,} pairs": stats.mannwhitneyu(*pairs).pvalue,
        f"paired t, {len(both)} identities": stats.ttest_rel(*both.to_numpy().T).pvalue,
    })  # fmt: skip
    signed_of = signed_gaps(pictures, values)
    gaps.append(pd.concat({f"{first} − {second}": each.mean() for (first, second), each in signed_of.items()}))
    alarms.append(np.concatenate([stats.ttest_1samp(each, 0).pvalue for each in signed_of.values()]) < 0.05)

# %% tags=["hide-input"]
gaps, called = pd.DataFrame(gaps), pd.DataFrame(verdicts) < 0.05
over = vb.networks.one_sample(gaps)
rows = vb.networks.rates(called).assign(asked="race against gender, AbsDiff").rename_axis("test").reset_index()
unit = {f"t, {pictures['seed'].nunique()} identities": np.concatenate(alarms), f"t, {len(gaps)} networks": (over["p"] < 0.05).to_numpy()}
more = [{"asked": f"{len(PAIRS)} pairs of groups × {len(dimensions)} dimensions, signed", "test": name, "n": len(hit), "hits": int(hit.sum()), "rate": hit.mean()}
        for name, hit in unit.items()]  # fmt: skip
vb.note(null=len(gaps), alarm=dict(zip(("rank", "t", "pairs", "identities"), rows["rate"], strict=True)), signed_alarm=np.concatenate(alarms).mean(),
        over=said_as.among(int((over["p"] < 0.05).sum()), len(over)), holm=said_as.among(int((over["p_holm"] < 0.05).sum()), len(over)),
        mean=over["mean"].abs().mean(), sd=over["sd"].mean(), one_sign=over["one_sign"].median())  # fmt: skip
pd.concat([rows, pd.DataFrame(more)])[["asked", "test", "n", "hits", "rate", "low", "high"]].style.format(
    {one: "{:.0%}" for one in ("rate", "low", "high")}, na_rep="–").hide(axis="index").set_caption(
    f"Significant at .05 (uncorrected) in {len(gaps)} networks with b = 0; exact 95 % intervals where each network counts once")

# %% [markdown]
# In {glue:text}`null` networks with nothing planted the rank-sum test calls race and gender different in {glue:text}`alarm.rank:.0%`, one value per identity in
# {glue:text}`alarm.identities:.0%`.
# They ask whether a change of hue and a change of crest move *this* network equally far, and pictures that differ in different ways need not, whatever
# was said of them.
#
# The signed question is answered "different" in {glue:text}`signed_alarm:.0%` of all networks, pairs and dimensions by tests over identities. Over networks {glue:text}`over` tests
# fall below .05, {glue:text}`holm` after Holm's correction. A mean gap over networks is {glue:text}`mean:.2f` logits from zero on average; in one network a gap varies with a
# standard deviation of {glue:text}`sd:.2f`, and the more common sign of a gap is found in {glue:text}`one_sign:.0%` of the networks (median). A network with nothing planted is not one without gaps;
# whether the next one shares their direction is what the test over networks asks. It alone is about training.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text and the earlier appendix:
#
# | | paper | code | here |
# |---|---|---|---|
# | draws | a "bootstrap distribution" of 8,000 values | 1,000 pairs, each used for eight dimensions that share words | both intervals above |
# | images | "18,000 unique images" | four stacked tables, 19,800 rows, the prototype in each | `prototype_copies` |
# | words (H15) | "likeable"; four full stops | "likable", three | `prompts_released` |
# | order of rows (H17) | – | that of the file system, so seeded draws differ between machines | fixed |
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
