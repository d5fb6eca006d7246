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
# # What moves CLIP's judgement of a face most?
#
# *Hausladen, Knott, Camerer and Perona (2025), Figure 2, and their earlier appendix, Table B.2 and Figure B.3: how much a
# judgement changes when one thing about a face changes.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Change only the light on a face, or only its smile, its age or its race. What changes CLIP's judgement of the face most,
# and what does the size of the change tell us about bias?
#
# **Answer in short.** In the paper: the identity most of all, the smile more than age, and light as much as age. Such an order is about one model, and about the range of
# smiles or ages that was shown. It says nothing about bias: the size of a change is above zero even where nothing was learnt. To see bias, keep the sign.
#
# **In 20 minutes:** what the paper reports, {ref}`the boxes <variation-boxes>`, {ref}`a change without a cause <variation-floor>`,
# {ref}`the same changes with signs <variation-signed>`, take-aways. **In 75 minutes:** everything, with both exercises.
#
# **You need:** a median, and what a p-value and a 95 % interval are. The primer
# "[Δcos and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Content note.** The paper studies race and gender as a model sees them. The drawn faces on this page belong to invented
# groups; they stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # faces with columns seed, race, gender, age, smiling, lighting, pose; an image set
root = ""  # folder of the images, where a set has one; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model; empty or a folder
model = "greenhouse"  # encoder that looks at it; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
prompts_released = "social_perception/released"  # the same, as the authors' code spells it; a prompt set
labels = "greenhouse/labels"  # race, gender and age words ("labels" for people); a prompt set
protocol = "described"  # whose protocol gives the headline: the paper's text or the authors' code; one of: described, released
n_pairs = 1_000  # pairs of images per attribute, as in the paper; at least 2
min_gap = 1.1  # smallest difference in age or smiling within a pair, on the scale of the stimuli; at least 0
n_resamples = 500  # bootstrap resamples of the identities; at least 2
seed = 42  # seed of every random draw (the authors' code uses 42, too); at least 0
results = "_build/results/causalface/variation.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import made_here, roles, tables, words
from studies.causalface import variation, variation_words
from studies.shown import shown
from vlmbias.papers import CAUSALFACE

vb.figures.style()
draw = partial(variation.pairs, n=n_pairs, seed=seed, min_gap=min_gap)  # pairs of pictures that differ in one attribute

# %% [markdown]
# ## What the paper reports: identity first, then the smile
#
# {cite:t}`hausladen2025` ask CLIP for judgements that people make at a glance: is this face warm, competent, powerful, trustworthy? They take
# {claim}`variation.dimensions` such *traits* from social psychology {cite}`fiske2002,koch2016`. A judgement is a score, Δcos: how much nearer the face is to "a photo of a warm person", say, than to "a
# photo of a person".
#
# The faces are computer-generated, so that *one* attribute can be changed while all others stay: age, smile, light, pose, race, gender, or
# the person (the *identity*). For each of these seven attributes, the authors take {claim}`variation.draws` pairs of pictures that differ in it
# alone. What the attribute does is the size of the change, without its sign; the authors call it AbsDiff:
#
# $$\mathrm{AbsDiff}(i_1, i_2, D) = \left|\Delta\cos(i_1, D) - \Delta\cos(i_2, D)\right|$$
#
# for two pictures $i_1, i_2$ and a trait $D$. Figure 2 shows these changes as boxes. It prints no numbers; the text says the order:

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/variation")
printed = claims.set_index("claim")["printed"]
ORDER = {"identity, compared with each other attribute": "seed", "smile, compared with age": "smiling", "light, compared with age": "lighting"}
WORDS = {"seed": "seed-largest", "smiling": "smiling-over-age", "lighting": "lighting-as-age"}
said_of = {
    what: {"the text says": printed[f"variation.{WORDS[name]}"], "p (rank-sum test)": printed[f"variation.{name}-p"]}
    for what, name in ORDER.items()
}
tables.readable(pd.DataFrame(said_of).T).set_caption("What the text says of the size of changes")

# %% [markdown]
# The authors conclude: "In other words, protected and non-protected attributes cause comparable amounts of variation." (Protected
# attributes are those on which unequal treatment is often forbidden by law, such as race, gender and age.) A study of bias that lets smiles and light vary "may
# reach the wrong conclusions".
#
# **Their own limits.** One model was studied, on synthetic faces. Nine raters for each attribute checked that the pictures change as they should, and the
# authors report small differences in brightness.
#
# ### Do the printed numbers agree?
#
# They do, but for slips of wording: the number of variations per face is printed as {claim}`variation.variations` and as
# {claim}`variation.variations-again`, and one plot is called a violin and a box plot.

# %%
vb.ledger.show(claims)

# %% [markdown]
# :::{dropdown} Details: the t-tests that an earlier version prints
# Table B.2 of the earlier appendix compares means, for positive and for negative traits apart. Of {claim}`variation.table_b2.pairs` comparisons
# it prints those that were *not* significant. Each t fits its p. One thing is odd: pose and gender have
# t = {claim}`variation.table_b2.positive.pose_gender.t` for positive and t = {claim}`variation.table_b2.negative.pose_gender.t` for negative traits. For smile and gender,
# too, both t are equal. Positive and negative traits have different words, so two such pairs of equal numbers are unlikely. We do not know their cause.
#
# How large a difference could hide behind "not significant"? The number of values is not printed. If it is {glue:text}`n_negative` on each side (1,000 pairs, three negative traits), the largest of these t
# on negative traits stands for {glue:text}`b2_largest:.2f` standard deviations, which is little.
# :::
#
# ### What one may doubt
#
# **Does p = {claim}`variation.lighting-p` show "as much"?** A p-value above .05 says that no difference was *shown*. It does not say that there is none.
# From p and the number of values one can compute more: how often a random change of light exceeds a random change of age, with an interval. Equality is 50 %.

# %%
n_values = int(printed["variation.values"].replace(",", ""))
p = float(printed["variation.lighting-p"])
# if all values were independent
exceeds, low, high = variation.superiority(p, n_values)

# %% tags=["hide-input"]
not_significant = [float(value) for name, value in printed.items() if ".table_b2.negative" in name and name.endswith(".t")]
n_negative = int(printed["variation.draws"].replace(",", "")) * len(variation.VALENCE["negative"])
vb.note(b2_largest=variation.standardised(max(map(abs, not_significant)), n_negative), n_negative=f"{n_negative:,}", exceeds={"middle": exceeds, "low": low, "high": high})

# %% [markdown]
# If all values were independent, it would be {glue:text}`exceeds.middle:.1%` (95 % interval {glue:text}`exceeds.low:.1%` to {glue:text}`exceeds.high:.1%`). This would be very near to "as much".
#
# But the {claim}`variation.values` values are *not* independent. They come from {claim}`variation.seeds` people, and each pair is used for eight traits that
# share words. So the true interval is wider, and nobody has computed it.
#
# **Would the order be another if the attributes were varied in another way?** A range of smiles is compared with a range of ages. Who says
# that the two ranges are equally wide?
#
# **What does the size of a change say about bias?** A size has no direction. It cannot tell whether a judgement moves up for one group and
# down for another.
#
# ## The protocol, run on {data}
#
# We now do what the paper does. {glue:text}`n_identities` people are shown in every group, with all levels of age, smile, light and pose.
#
# {.if-run}
# In this edition, what is shown comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. A group has
# a *hue* (teal, amber or violet) where the paper has race, and a *crest* (budded or eared) where it has gender. [Pictures](../greenhouse/gallery.ipynb) of the
# faces, and [what this world can and cannot show](../../book/greenhouse/limits.md), are one click away. Tables and boxes keep the names of the code: hue is called race, crest gender, and the identity seed.

# %%
PROTOCOLS = {  # the text and the code differ in two things
    "described": dict(words=prompts, copies=1),
    "released": dict(words=prompts_released, copies=4),
}
look = partial(vb.perceive, stimuli, model, root=root, cosines=cosines)
looks = {name: look(words=chosen["words"]) for name, chosen in PROTOCOLS.items()}
seen = looks[protocol]
faces, perception = seen.table, seen.delta()  # one row per picture; Δcos per trait
copies = PROTOCOLS[protocol]["copies"]
pairs = draw(faces, copies=copies)  # attribute → row numbers of two pictures
headline = variation.differences(faces, perception, pairs)

# %% [markdown]
# ### One pair by hand
#
# Here is the first of the pairs that differ in the smile alone, with its scores for Warmth (Δcos × 100).

# %%
first, second = pairs["smiling"][0]
columns = ["seed", "race", "gender", "age", "smiling", "lighting", "pose"]
two = faces.loc[[first, second], columns].assign(warmth=100 * perception["warmth"])
change = abs(two["warmth"].loc[first] - two["warmth"].loc[second])
of_smiles = headline[headline["attribute"] == "smiling"]
assert np.isclose(change, of_smiles["difference"].iloc[0])
tables.readable(two).format("{:.3f}", subset="warmth")

# %% tags=["hide-input"]
vb.note(change=change, n_identities=int(faces["seed"].nunique()), drawn=made_here.of_ours(seen))

# %% [markdown]
# The two pictures differ in the smile alone. Warmth changes by {glue:text}`change:.3f`: one of the values behind the boxes below, which show all
# pairs and all traits.

# %% tags=["hide-input"]
source = roles.sources(seen)
ranked = variation.medians(headline).sort_values(ascending=False)
vb.figures.show(
    vb.figures.box_by_attribute(headline, value="difference", attribute="attribute", kinds=variation.ATTRIBUTES, value_label="|difference of Δcos| × 100"),
    name="variation-boxes",
    alt=f"Boxes of absolute differences in Δcos for seven attributes, ordered by median: {words.listed(ranked.index)}.",
    caption=f"What one attribute changes, {len(headline) // len(variation.ATTRIBUTES):,} values per attribute (protocol as {protocol}). Boxes by median; triangles are means.",
    source=source,
)
vb.note(order=words.listed(ranked.index), ours="For drawn faces, the order is not comparable with the paper's." if seen.source == "greenhouse" else None)

# %% [markdown]
# Here the order is {glue:text}`order`.
#
# {.if-run}
# {glue:text}`ours` It depends on how far apart we drew the levels, and on what we wrote into the captions. That identity comes first was part of our design.
#
# ### The order depends on how far each attribute is varied
#
# What if people smiled a little less? Here smiles go from {glue:text}`smile.low:g` to {glue:text}`smile.high:g`, and the paper takes only pairs whose smiles differ by more than {claim}`variation.gap`. First we keep the
# inner half of the smiles, and draw pairs again. Then we also allow smaller differences.

# %%
half = variation.inner_half(faces["smiling"])
ranges = {
    "whole": {},
    "half": dict(smiles=half),
    "step": dict(smiles=half, min_gap=None),
}
smiles = {}
for name, chosen in ranges.items():
    again = draw(faces, attributes=["smiling"], **chosen)
    changes = variation.differences(faces, perception, again)
    smiles[name] = changes["difference"].median()
rivals = ranked.drop("smiling")
place = {name: 1 + int((rivals > value).sum()) for name, value in smiles.items()}

# %% tags=["hide-input"]
vb.note(smile={"low": faces["smiling"].min(), "high": faces["smiling"].max()}, place=place, places=variation_words.places(**place), half=smiles["half"] / smiles["whole"], step=smiles["step"] / smiles["whole"])
fig, ((axis,),) = vb.figures.panels(height=3.4)
rows = list(ranked.index.astype(str))[::-1]
axis.plot([ranked[name] for name in rows if name != "smiling"], [rows.index(name) for name in rows if name != "smiling"], "o", color="0.5")
for (name, value), mark in zip(smiles.items(), "ods", strict=True):
    label = {"whole": "all smiles", "half": "inner half of the smiles", "step": "inner half, small differences as well"}[name]
    axis.plot(value, rows.index("smiling"), mark, color=vb.figures.PALETTE[1], ms=8, label=label)
    axis.axvline(value, color=vb.figures.PALETTE[1], lw=0.8, ls=":")
axis.set(yticks=range(len(rows)), yticklabels=rows, xlim=(0, None), xlabel="median |difference of Δcos| × 100")
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=3)
vb.figures.show(
    fig,
    name="variation-range",
    alt=f"Medians of seven attributes; that of smiling for three ranges of smiles. Its place among the seven: {place['whole']}, {place['half']} and {place['step']}.",
    caption="The median change by each attribute (grey), and by smiling if it is varied less and less.",
    source=source,
)

# %% [markdown]
# With the inner half, the median change falls to {glue:text}`half:.0%` of what it was; with small differences as well, to {glue:text}`step:.0%`. In the order of the seven attributes,
# smiling {glue:text}`places`. Nothing about the model or the faces has changed. So a ranking of attributes is a
# ranking of *the ranges that were rendered*.
#
# ### How sure is the order? Count people, not values
#
# {claim}`variation.values` values per attribute sound like much. But they come from {claim}`variation.seeds` people. Other people would give
# other medians. To see how different, we draw people at random, with replacement, each with all values that belong to them. Then we
# compare with what one gets if single values are drawn.

# %%
boot = variation.resampled(headline, n=n_resamples, seed=seed)
lines = variation.intervals(headline, boot)
# "as much" means here: between 0.8 and 1.25 times as much
equal = variation.equivalence(boot, "lighting", "age", margin=(0.8, 1.25))

# %% tags=["hide-input"]
factor = variation.widening(lines)
shares = lines.assign(**{end: 100 * (lines[end] / lines["median"] - 1) for end in ("low", "high", "median")})
shares["attribute"] = shares["attribute"].astype(str).where(~shares["attribute"].duplicated(), "")  # one name for both lines
vb.figures.show(
    vb.figures.forest(shares, estimate="median", low="low", high="high", label="attribute", group="resampled", value_label="95 % interval, % of the median"),
    name="variation-intervals",
    alt=f"Medians with two intervals per attribute. Drawing identities anew gives intervals {factor.median():.1f} times as wide as drawing values anew, "
    f"for the median attribute, and {factor.max():.1f} times for {factor.idxmax()}.",
    caption="How far each median is known, in per cent of itself: where single values are drawn anew, and where people (identities) are.",
    source=source,
)
# %% tags=["remove-cell"]
# for a slide: the two attributes of the question, lighting over age
two = lines[lines["attribute"].astype(str).isin(["age", "lighting"])]
two = two.assign(**{end: 100 * (two[end] / two["median"] - 1) for end in ("low", "high", "median")}, attribute=two["attribute"].astype(str).where(~two["attribute"].duplicated(), ""))
vb.figures.show(
    vb.figures.forest(two, estimate="median", low="low", high="high", label="attribute", group="resampled", value_label="95 % interval, % of the median"),
    name="variation-intervals-slide",
    alt=f"The medians of age and lighting, each with two intervals. Drawing identities anew gives intervals {factor['age']:.1f} and {factor['lighting']:.1f} times as wide as drawing values anew.",
    caption="How far two medians are known: where single values are drawn anew, and where identities are.",
    source=source,
)

# %% tags=["hide-input"]
vb.note(wider={"middle": factor.median(), "most": factor.max(), "name": factor.idxmax()}, ratio=ranked["lighting"] / ranked["age"],
        band=equal.loc["identities", ["low", "high"]], equal="lies" if equal.loc["identities", "equal"] else "does not lie")

# %% [markdown]
# For the median of the seven attributes, the interval over people is {glue:text}`wider.middle:.1f` times as wide as that over values. For {glue:text}`wider.name` it is {glue:text}`wider.most:.1f` times as wide.
#
# When may one say "as much"? One says beforehand what counts as equal. We take 0.8 to 1.25 times as much, as is common in medicine {cite}`lakens2017`. Then the whole interval of the ratio has to
# lie between these two numbers.
#
# On our faces, light moves judgements {glue:text}`ratio:.2f` times as much as age (90 % interval over people {glue:text}`band.low:.2f` to {glue:text}`band.high:.2f`), so the interval
# {glue:text}`equal` inside. For CLIP, the same can be computed from the authors' scores.
#
# :::{dropdown} Details: the tests as published, and three choices of the code
# The paper compares attributes by rank-sum tests, and does not correct for their number. Below, Holm's correction stands beside each p. Table B.2
# counts every value as independent; the paired columns below take one mean per person.
#
# Text and code differ in small things. The code has each neutral face four times, spells a word and a sentence in another way, and takes pictures in
# the order of the file system. On our faces, the first changes a median by at most {glue:text}`moves.copies:.1%`, the second by
# {glue:text}`moves.spelling:.1%`, the third by {glue:text}`moves.order:.1%`.
#
# The boxes pool eight traits. Trait by trait, the largest median belongs to {glue:text}`leaders` (Figure B.3 of the earlier version, below). Attributes also
# move the score with the neutral sentence, which Δcos subtracts from all traits alike: see [the chapter on the neutral prompt](neutral_prompt.ipynb).
# :::

# %% tags=["hide-cell"]
both = {}
for spelled in PROTOCOLS:
    for copied, chosen in PROTOCOLS.items():
        both[spelled, copied] = variation.differences(faces, looks[spelled].delta(), draw(faces, copies=chosen["copies"]))
order = np.random.default_rng(seed).permutation(len(faces))
elsewhere = variation.differences(faces.iloc[order], perception.iloc[order], draw(faces.iloc[order], copies=copies))
medians = pd.DataFrame({choice: variation.medians(table) for choice, table in both.items()})
text = medians["described", "described"]
vb.note(moves={
    "spelling": variation.largest_change(text, medians["released", "described"]), "copies": variation.largest_change(text, medians["described", "released"]),
    "order": variation.largest_change(variation.medians(headline), variation.medians(elsewhere))})
tables.readable(variation.rank_sums(headline)).format("{:.1%}", subset="exceeds").format(tables.p_value, subset=["p", "p_holm"]).hide(axis="index").set_caption("The rank-sum tests of the paper")

# %% tags=["hide-cell"]
earlier = variation.t_tests(headline)
for name in PROTOCOLS:
    held = variation.counts(faces, headline, n=n_pairs, min_gap=min_gap) if name == "described" else {"images": variation.stacked(faces)}
    for claim, value in (held | variation.claims(both[name, name])).items():
        vb.ledger.record(f"variation.{claim}", value, results=results, stimuli=looks[name], model=looks[name], protocol=name)
tables.readable(earlier, signed=True, names={"paired_t": "paired t", "paired_p": "paired p", "paired_p_holm": "paired p, corrected (Holm)"}).format(
    tables.p_value, subset=["p", "paired_p", "p_holm", "paired_p_holm"]).set_caption("Table B.2 on these faces; paired: one mean per person")

# %% tags=["hide-cell"]
named = look(words=labels)
labelled = named.words.loc[~named.words["neutral"], "word"].unique()
raw = pd.DataFrame({"neutral": named.neutral()} | {word: named.word(word) for word in labelled})
of_labels = variation.differences(faces, raw, pairs)
first = variation.leaders(headline)
fig, axes = vb.figures.panels(4, 2, height=8.4, share_x=True, share_y=True)
upwards = list(variation.ATTRIBUTES)[::-1]
for axis, (dimension, part) in zip(axes.flat, headline.groupby("dimension", observed=True), strict=True):
    values = [part.loc[part["attribute"] == name, "difference"] for name in upwards]
    boxes = axis.boxplot(values, orientation="horizontal", widths=0.65, showfliers=False, showmeans=False, patch_artist=True, manage_ticks=False, medianprops={"color": "black"})["boxes"]
    for box, name in zip(boxes, upwards, strict=True):
        box.set(facecolor=vb.figures.COLOURS[variation.ATTRIBUTES[name]], alpha=0.75)
    axis.set(title=words.listed([dimension]), yticks=range(1, len(upwards) + 1), yticklabels=upwards)
fig.supxlabel("|difference of Δcos| × 100", fontsize=12)
vb.figures.show(
    fig,
    name="variation-panels",
    alt="Boxes per attribute in eight panels, one per dimension. Largest median: " + "; ".join(f"{words.listed([dimension])}: {name}" for dimension, name in first.items()) + ".",
    caption=f"The boxes of Figure 2, dimension by dimension (protocol as {protocol}): identity grey, protected orange, non-protected purple.",
    source=source,
)
vb.note(leaders=words.listed(f"{name} ({count} of {len(first)})" for name, count in first.value_counts().items()))
tables.readable(of_labels.groupby(["attribute", "dimension"], observed=True)["difference"].median().unstack(), names={"dimension": "prompt"}).set_caption(
    "The same for raw cosines with the neutral prompt and with prompts that name a group: median |difference of cosine| × 100"
)

# %% [markdown]
# ## What this method can see: how far a judgement moves, not where to
#
# What would AbsDiff be if nothing had been learnt about an attribute? In the [Greenhouse](../../book/greenhouse/limits.md) we can ask. There, small networks
# learn from captions that we wrote, such as "a photo of a warm teal person". In the captions of {glue:text}`null` *null networks*, hue and crest do not change how often a word like "warm" is used (b = 0). In the
# captions of {glue:text}`told` others they do (b = 1). Smile, age, light, pose, and a person's clothes and hair change the captions of all networks.
#
# Changes are in logits, steps on the scale of log-odds: 0.1 logits more mean that the odds of a word are about 10 % higher. So they can be compared with the captions, whose odds we know.
#
# ### A change without a cause

# %%
portraits = retrained.scores("grid")  # what every network made of every picture
usual = portraits.networks["condition"] == "none"  # leaves out two experiments of other pages
on_grid = portraits.images["set"] == "grid"
series = shown(portraits, CAUSALFACE.dimensions, networks=usual, images=on_grid)
chosen = draw(series.images, min_gap=variation.PAPER_GAP)
moved = variation.medians_by_network(series, chosen)

# one null network by hand: the median change by hue, over all pairs and traits
number = moved.index[moved["b"] == 0][0]
one, other = series.logits[number][chosen["race"]].swapaxes(0, 1)  # pairs × traits
assert np.isclose(np.median(abs(one - other)), moved.loc[number, "race"])

# %% tags=["hide-input"]
said = partial(truth.per_face, grammar.load(), axes=CAUSALFACE.dimensions)
planted = {b: variation.differences(series.images, said(series.images, b), chosen, scale=1) for b in (0.0, 1.0)}
planted = pd.DataFrame({b: variation.medians(table) for b, table in planted.items()})
names, means = list(variation.ATTRIBUTES), moved[moved["b"].isin(planted)].groupby("b").mean().T
fig, axes = vb.figures.panels(1, 2, height=4.0, share_x=True, share_y=True)
readable = {"race": "hue", "gender": "crest", "seed": "identity"}
for axis, (b, title) in zip(axes[0], {0.0: "hue and crest change nothing", 1.0: "hue and crest change captions"}.items(), strict=True):
    place_ = np.arange(len(names))[::-1]
    axis.plot(moved.loc[moved["b"] == b, names].T, place_, "o", color=vb.figures.COLOURS["recomputed"], alpha=0.3, mew=0, ms=5)
    axis.plot(planted.loc[names, b], place_, "x", color=vb.figures.COLOURS["planted"], ms=9, mew=2)
    axis.set(yticks=place_, yticklabels=[readable.get(name, name) for name in names], title=f"{title}\n(b = {b:g}, {(moved['b'] == b).sum()} networks)")
axes[0, 0].set_xlim(left=-0.02)
fig.supxlabel("median |difference|, logits", fontsize=12)
fig.legend([axes[0, 0].lines[0], axes[0, 0].lines[-1]], ["seen, one dot per network", "in the captions"], loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="variation-floor",
    alt="Median absolute difference per attribute in networks, beside what captions call for. At b = 0 they call for nothing of hue and crest; "
    f"the networks show {means.loc['race', 0]:.2f} and {means.loc['gender', 0]:.2f} logits on average.",
    caption="What an attribute changes in networks (dots), and in the captions that they learnt from (crosses): same pairs, eight traits. A logit is a step on the scale of log-odds.",
    source="greenhouse",
)
beyond = variation.beyond_null(moved, ["race", "gender"])
hits = {(name, f"b{b:g}"): words.among(int(row["hits"]), int(row["n"])) for (name, b), row in beyond.iterrows()}
below = [name for name in variation.ATTRIBUTES if planted.loc[name, 0] > 0 and means.loc[name, 0] < means.loc["race", 0]]
vb.note(beyond=hits, null=int((moved["b"] == 0).sum()), told=int((moved["b"] == 1).sum()), floor=means.loc[["race", "gender"], 0],
        hue={"planted": planted.loc["race", 1], "seen": means.loc["race", 1]}, below=words.listed(below) if below else None)

# %% [markdown]
# Look at hue and crest in the left panel. In these captions, hue and crest change nothing (crosses at 0). And yet every network shows a change:
# {glue:text}`floor.race:.2f` logits for hue, on average, where {glue:text}`hue.planted:.2f` were planted in the right panel. A network puts different pictures in different places, and a size without a sign cannot cancel
# out. So AbsDiff has a *floor* above zero.
#
# {.if-run}
# The floor is not small. In null networks, hue moves judgements more than {glue:text}`below`, which do change the captions.
#
# So a large AbsDiff is a fact about the model that was tested. By itself it is no evidence of what the captions said. Compared with null networks, it can be: where hue changes the captions (b = 1), it moves
# {glue:text}`beyond.race.b1` networks further than it moves 95 % of the null networks.
#
# ### With signs, what was planted is found
#
# A bias has a *direction*: a group is judged warmer, or less warm. So we keep the sign. For each person we subtract the score in one hue from that in another
# and average over people; likewise for the two crests.

# %%
neutral_faces = on_grid & (portraits.images["subset"] == "prototype")
prototypes = shown(
    portraits, CAUSALFACE.dimensions, networks=usual, images=neutral_faces
)
null, told = (prototypes.where(prototypes.networks["b"] == b) for b in (0, 1))
gaps = {b: variation.signed_gaps(one) for b, one in ((0, null), (1, told))}

# beside each mean difference over networks: what a count of the captions says
spoken = partial(
    truth.counted, grammar.load(), prototypes.images, b=1.0, axes=CAUSALFACE.dimensions
)
captions = {column: spoken(column) for column in variation.GROUPED_BY}
truths = {"captions": captions}
over = {b: variation.beside_truth(own, truths) for b, own in gaps.items()}
there = over[1]["planted"].abs() > 0.05  # logits
found = (over[1]["p_holm"] < 0.05) & (over[1]["mean"] * over[1]["planted"] > 0)

# %% tags=["hide-input"]
back = {"r": over[1][["planted", "mean"]].corr().iloc[0, 1], "slope": np.polyfit(over[1]["planted"], over[1]["mean"], 1)[0]}
vb.figures.show(
    vb.figures.planted_against_shown(over[1], planted="planted", shown="mean", low="low", high="high", panel="yardstick", unit="logits"),
    name="variation-signed",
    alt=f"Signed differences between groups in {len(told.networks)} networks at b = 1 against what the captions say, eight traits: r = {back['r']:.2f}, slope {back['slope']:.2f}.",
    caption=f"Mean signed difference between groups over {len(told.networks)} networks, with 95 % intervals, against a count of the captions; {gaps[1].cells['pair'].nunique()} pairs of groups × eight traits.",
    source="greenhouse",
)
vb.note(back=back, recovered=words.verb(back["r"], above=0.5, then="is recovered", else_="is hardly recovered"), found=words.among(int((found & there).sum()), int(there.sum())),
        signed_null=(variation.sign_tests(gaps[0]) < 0.05).mean(), null_found=words.among(int((over[0]["p"] < 0.05).sum()), len(over[0])), sd=over[0]["sd"].mean())

# %% [markdown]
# What was planted {glue:text}`recovered`. Every dot is a difference between two groups in one trait; on the dashed line, networks show exactly what the captions say.
# The line through the dots has the slope {glue:text}`back.slope:.2f`.
#
# ### Which test speaks about training?
#
# Null networks have differences with a sign, too. Take one such network and test each difference over its people: {glue:text}`signed_null:.0%` of these tests are
# significant. (Where nothing differs, 1 test in 20 comes out significant by chance.) The tests are not wrong. The differences are real, in that one network, and other people would show
# them again. But no caption spoke of them, and in the next network they are different.
#
# A test with *networks* as its unit of analysis asks whether networks agree. In the null networks, it finds {glue:text}`null_found` differences significant (four pairs of groups, eight traits). In the networks at b = 1, it finds
# {glue:text}`found` that were planted, with the right sign. (We count a difference as planted if it exceeds 0.05 logits.)
#
# :::{dropdown} Details: the rank-sum test of the paper in null networks
# Suppose one compares the AbsDiff of hue with that of crest. Where neither changes the captions, a test that speaks about captions should find a
# difference in 5 % of networks. The rank-sum test finds one in {glue:text}`in_null.rank:.0%` of the null networks, and a paired test over people in
# {glue:text}`in_null.identities:.0%`. Both ask whether hue and crest move *this* network equally far. There is no reason why they should: a colour and a crest are different changes of the picture, whatever the captions say.
# :::

# %% tags=["hide-cell"]
tested = variation.race_against_gender(null, draw(null.images, attributes=variation.GROUPED_BY))
in_null = vb.networks.rates(tested < 0.05)
vb.note(in_null={"rank": in_null["rate"].iloc[0], "identities": in_null["rate"].iloc[-1]})
tables.readable(in_null, names={"hits": "networks with p < .05", "n": "networks"}).format("{:.0%}", subset=["rate", "low", "high"]).set_caption(
    "AbsDiff of hue against that of crest: null networks with p < .05, exact 95 % intervals"
)

# %% [markdown]
# ### What this means for the paper
#
# The design is strong for what the paper says of Figure 2: how far the judgements of *this* CLIP model move if one thing changes. Three points limit what
# follows. "As much" may be true, but p = {claim}`variation.lighting-p` does not show it; an interval over people can. The order belongs to the ranges
# of the pictures. And the size of a change is no measure of bias: for that, the sign is needed. Other figures of the paper keep it (see
# [smiling](smiling.ipynb) and [age](age.ipynb)).
#
# For CLIP, nobody has null networks. So nobody knows its floor, and a size without a sign can only be compared with other sizes in the same model.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`:
#
# | | what the paper says | what the code does | here |
# |---|---|---|---|
# | independent values (H9) | a "bootstrap distribution" of 8,000 values | it draws 1,000 pairs, and uses each for eight traits that share words | intervals over values and over people |
# | images (H10) | "18,000 unique images" | it stacks four tables, 19,800 rows, with the neutral face in each | `copies`; changes in the details above |
# | words (H15) | "likeable"; four sentences with full stops | "likable"; three with full stops | `prompts_released`; changes above |
# | order of rows (H17) | not mentioned | it takes the order of the file system | rows shuffled; changes above |
# | test | in 2025 a rank-sum test of "independent samples"; earlier, t-tests | a two-sided rank-sum test without correction, printed only where p > .001; no code for the t-tests | both tests, with and without correction |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/variation -p protocol released -p n_pairs 5000
# ```
# With CausalFace or the authors' tables of scores: `-p stimuli causalface -p labels labels -p cosines FOLDER`. Any open_clip model can look,
# such as `-p model ViT-B-32-quickgelu/openai`; on drawings its perception of people means nothing.
# :::

# %% [markdown]
# ## Take-aways
#
# - To learn what moves a model's judgement, change one thing at a time.
# - A size without a sign is above zero even where nothing was learnt. To speak of bias, average *with* sign.
# - A ranking of attributes is a ranking of the ranges that were shown. Report the ranges, and try a smaller one.
# - Count people, not pairs. And to claim "as much", say beforehand what counts as equal, and show an interval that lies inside.
# - Networks in which nothing was planted have differences, too. To speak of training, compare several networks.

# %% [markdown]
# ## Exercises
#
# :::{exercise} What a median of absolute values hides
# :label: variation-folded
# :level: intermediate
# :minutes: 10
# :code: yes
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
# A shift of the mean moves one side of the distribution away from zero and the other side towards it. Absolute values mix the two, and in the median
# they nearly cancel. So AbsDiff hardly reacts to a bias that a mean *with* sign would show at once.
#
# ```{solution-end}
# ```
#
# :::{exercise} More pairs from the same identities
# :label: variation-pairs
# :level: intermediate
# :minutes: 20
# :code: yes
# In the null networks, compare the AbsDiff of race and of gender with 30, 100 and 1,000 pairs from the same 100 identities, by rank-sum test. In how many networks is p below .05?
# What can be learned from more pairs, and what cannot?
# :::
#
# ```{solution-start} variation-pairs
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
growing = {n: variation.race_against_gender(null, draw(null.images, n=n, attributes=variation.GROUPED_BY)) for n in (30, 100, 1_000)}
growing = {n: float((own.iloc[:, 0] < 0.05).mean()) for n, own in growing.items()}
print({n: f"{rate:.0%}" for n, rate in growing.items()})
print("More pairs tell ever finer differences of this network apart. Nothing was planted in any: about captions they say nothing.")
assert growing[30] < growing[1_000]

# %% [markdown]
# The test takes every pair as new evidence, while the identities stay a hundred. A difference that this network makes is found ever more surely;
# no number of pairs tells whether other networks make it, too, or whether the captions do.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper's third finding warns that studies which ignore facial expression "may reach the wrong conclusions on bias". Does the size of the
#    smile's effect matter for that warning, or only its correlation with group in the photographs at hand?
# 2. Identity moves the model most. Is a judgement that depends on *whose* face it is fairer than one that does not?
