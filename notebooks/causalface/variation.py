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
# perception of it most, and what would be seen if nothing had been learnt about it?
#
# **In 20 minutes:** {ref}`the answer in one figure <variation-floor>`, {ref}`the boxes <variation-boxes>`,
# {ref}`the same question with signs <variation-signed>`, take-aways. **In 75 minutes:** also "p = .06", the t-tests,
# {ref}`whose uncertainty <variation-intervals>`, both exercises.
#
# **You need:** medians, a rank test and a t-test, the bootstrap. The primer
# [Δcos and social perception](../../book/primers/perception.md) explains the measure.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings of
# fictional groups; they stand for nobody.
# :::
#
# **The idea.** People read warmth, competence and their
# kin into a face at a glance {cite}`fiske2002,koch2016`. {cite:t}`hausladen2025` ask a vision-language model for the same judgements of
# *synthetic* faces, in which age, smile, light, pose, race and gender vary one at a time. What photographs confound, such a set holds apart.
#
# **The measure.** The model's perception of image $i$ on dimension $D$ is the cosine with the dimension's words beyond
# that with a neutral prompt, $\Delta\cos(i, D)$ (their Eq. 2). What an attribute does is the absolute difference between two
# images that agree in everything else:
#
# $$\mathrm{AbsDiff}(i_1, i_2, D) = \left|\Delta\cos(i_1, D) - \Delta\cos(i_2, D)\right|.$$
#
# **What the authors conclude.** Identity moves perception most: the {claim}`variation.seed-largest` variation. Smiling introduces
# {claim}`variation.smiling-over-age` than age, and lighting {claim}`variation.lighting-as-age` as age. "In other words, protected and non-protected
# attributes cause comparable amounts of variation."
#
# **Their own checks and limits.** Manipulations were inspected by eye and by nine raters per attribute, small
# differences in brightness reported (their Appendix D); the faces are synthetic, and one model was studied.

# %% tags=["parameters"]
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

# %%
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import roles, tables, words
from studies.causalface import variation
from studies.shown import shown
from vlmbias.papers import CAUSALFACE

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, we know what captions said of every face. Networks were trained anew on captions in which hue and crest
# (in place of race and gender) decide nothing ($b = 0$) or something ($b = 1$). Smile, age, light, pose and an identity's garment and hair
# decide in both. The same pairs of pictures give each network's AbsDiff, and the one that it would have if it had learnt every face's odds.

# %%
portraits = retrained.scores("grid")  # what each retrained network made of every picture
plain = portraits.networks["arm"] == "none"
series = shown(portraits, CAUSALFACE.dimensions, networks=plain, images=portraits.images["set"] == "grid")
draw = partial(variation.pairs, n=n_pairs, seed=seed, min_gap=min_gap)
pairs = draw(series.images, min_gap=variation.PAPER_GAP)  # on these portraits' own scale
moved = variation.medians_by_network(series, pairs)

said = partial(truth.per_face, grammar.load(), axes=CAUSALFACE.dimensions)
planted = {b: variation.differences(series.images, said(series.images, b), pairs, unit=1) for b in (0.0, 1.0)}
planted = pd.DataFrame({b: variation.medians(table) for b, table in planted.items()})

# %% tags=["hide-input"]
vb.figures.style()
names, means = list(variation.ATTRIBUTES), moved[moved["b"].isin(planted)].groupby("b").mean().T
fig, axes = vb.figures.panels(1, 2, height=4.0, share_x=True, share_y=True)
for axis, b in zip(axes[0], planted, strict=True):
    place = np.arange(len(names))[::-1]
    axis.plot(moved.loc[moved["b"] == b, names].T, place, "o", color=vb.figures.COLOURS["recomputed"], alpha=0.3, mew=0, ms=5)
    axis.plot(planted.loc[names, b], place, "x", color=vb.figures.COLOURS["planted"], ms=9, mew=2)
    axis.set(yticks=place, yticklabels=names, title=f"b = {b:g}: {(moved['b'] == b).sum()} networks")
axes[0, 0].set_xlim(left=-0.02)
fig.supxlabel("median |difference|, logits", fontsize=12)
fig.legend([axes[0, 0].lines[0], axes[0, 0].lines[-1]], ["seen, one dot per network", "planted, face by face"], loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="variation-floor",
    alt="Median absolute difference per attribute in retrained networks, beside what captions call for. At b = 0 they call for nothing of race and gender; "
    f"the networks show {means.loc['race', 0]:.2f} and {means.loc['gender', 0]:.2f} logits on average.",
    caption="What an attribute changes in retrained networks (dots) and what it changes in the captions' odds (crosses), in logits, same pairs and eight dimensions.",
    source="greenhouse",
)
told = variation.beyond_null(moved, ["race", "gender"])
hits = {(name, f"b{b:g}"): words.among(int(row["hits"]), int(row["n"])) for (name, b), row in told.iterrows()}
below = [name for name in variation.ATTRIBUTES if planted.loc[name, 0] > 0 and means.loc[name, 0] < means.loc["race", 0]]
vb.note(beyond=hits, least=f"{told.index.get_level_values('b').min():g}", null=int((moved["b"] == 0).sum()), floor=means.loc[["race", "gender"], 0], hue={"planted": planted.loc["race", 1], "seen": means.loc["race", 1]}, below=words.listed(below))

# %% [markdown]
# At $b = 0$ the captions call for a difference of exactly 0 where hue or crest changes. The networks show {glue:text}`floor.race:.2f` and
# {glue:text}`floor.gender:.2f` logits, in the mean of their medians. Attributes that *do* change captions, and yet move these networks less than hue: {glue:text}`below`.
# With hue planted, captions call for {glue:text}`hue.planted:.2f` and networks show {glue:text}`hue.seen:.2f`. So AbsDiff has a *floor*: a network puts different pictures in different spots,
# and absolute values cannot cancel. A large AbsDiff is a fact about **this model**, which is the claim the paper makes. *By itself* it is
# no evidence about training data.
#
# Beside networks that were trained without group differences it can be. Ranked among {glue:text}`null` of these, AbsDiff of hue is significantly larger in {glue:text}`beyond.race.b0.25` networks already at a quarter of the
# planted strength, and in {glue:text}`beyond.race.b1` at full strength; AbsDiff of crest in {glue:text}`beyond.gender.b0.25` and {glue:text}`beyond.gender.b1`.

# %% [markdown]
# ## What the paper reports
#
# Figure 2 prints no numbers; what can be recorded is what the text says of it, and, from the earlier version's Table B.2, the five t-tests that were *not* significant.

# %%
claims = vb.ledger.table("causalface/variation")
vb.ledger.show(claims)

# %% [markdown]
# The paper's third finding rests on one p-value: lighting against age, p = {claim}`variation.lighting-p`, with
# 8,000 values a side. What does that number say?

# %%
printed = claims.set_index("claim")["printed"]
n_values = int(printed["variation.values"].replace(",", ""))
exceeds, low, high = (100 * share for share in variation.superiority(float(printed["variation.lighting-p"]), n_values))
print(
    f"If the values were independent, a random lighting pair would differ more than a random\n"
    f"age pair (or less) in {exceeds:.2f} % of comparisons; 95 % interval {low:.2f} to {high:.2f} %."
)

# %% tags=["hide-input"]
not_significant = [float(value) for name, value in printed.items() if ".table_b2.negative" in name and name.endswith(".t")]
n_negative = int(printed["variation.draws"].replace(",", "")) * len(variation.VALENCE["negative"])
vb.note(b2_largest=variation.standardised(max(map(abs, not_significant)), n_negative), n_negative=f"{n_negative:,}")

# %% [markdown]
# Read as an *interval*, the number is more informative than as a verdict: p = .06 does not show equality, but the interval would bound the difference tightly.
# *If the values were independent.* They are not: 1,000 pairs come from 100 identities, each pair is used for eight dimensions,
# and dimensions share words. What that costs is seen below.
#
# Table B.2 compares means by valence. Pose and gender differ with
# t = {claim}`variation.table_b2.positive.pose_gender.t` on positive and t = {claim}`variation.table_b2.negative.pose_gender.t` on negative words, and for smiling and
# gender, too, both t agree: different words would hardly give the same t and p twice. With {glue:text}`n_negative` values a side (not printed),
# the largest of the t on negative words stands for a standardised difference of {glue:text}`b2_largest:.2f`: "not significant" means *very* small here.

# %% [markdown]
# ## The protocol, run on {data}
#
# The Greenhouse renders the design of CausalFace: 100 identities × three hues × two crests, each varied in age (10 levels),
# smiling (10), lighting (8) and pose (5) around one neutral prototype.
# The paper speaks of 18,000 unique images; the code stacks four tables (one per varied attribute), each with its own copy of the
# prototype, so a pair that differs in identity, race or gender is more often a pair of prototypes. It spells "likeable"
# as "likable" and one template without its full stop. And it takes rows in the order in which a file system lists them: elsewhere the same seed draws
# other pairs.

# %%
PROTOCOLS = {
    "described": dict(words=prompts, copies=1),
    "released": dict(words=prompts_released, copies=4),
}
look = partial(vb.perceive, stimuli, model, root=root, cosines=cosines)
looks = {name: look(words=chosen["words"]) for name, chosen in PROTOCOLS.items()}
seen = looks[protocol]
faces, perception, copies = seen.table, seen.delta(), PROTOCOLS[protocol]["copies"]

drawn = {name: draw(faces, copies=chosen["copies"]) for name, chosen in PROTOCOLS.items()}
both = {
    (spelled, copied): variation.differences(faces, looks[spelled].delta(), drawn[copied])
    for spelled in PROTOCOLS
    for copied in PROTOCOLS
}
headline = both[protocol, protocol]
order = np.random.default_rng(seed).permutation(len(faces))
elsewhere = variation.differences(
    faces.iloc[order], perception.iloc[order], draw(faces.iloc[order], copies=copies)
)
medians = pd.DataFrame({choice: variation.medians(table) for choice, table in both.items()})

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
text = medians["described", "described"]
vb.note(order=words.listed(ranked.index), moves={
    "spelling": variation.largest_change(text, medians["released", "described"]), "copies": variation.largest_change(text, medians["described", "released"]),
    "order": variation.largest_change(variation.medians(headline), variation.medians(elsewhere))})
tables.readable(medians.rename_axis(columns=["words and templates as", "prototypes as"]).loc[ranked.index], precision=3).set_caption("Median AbsDiff × 100")

# %% [markdown]
# On our faces the order is {glue:text}`order`. It is *not* comparable with the paper's: it depends on how far apart we drew the
# levels and on what we planted; that identity comes first was fitted, on a network with nothing planted. Copying prototypes changes a
# median by at most {glue:text}`moves.copies:.1%`, the spelling by at most {glue:text}`moves.spelling:.1%`, another order of the rows by at most {glue:text}`moves.order:.1%`.
#
# ### The tests, as published and corrected
#
# The paper compares attributes by two-sided rank-sum tests on the 8,000 values each, uncorrected. Beside each p stands Holm's
# correction, and what the test is about: how often a value of the first exceeds one of the second.

# %%
tables.readable(variation.rank_sums(headline)).format("{:.1%}", subset="exceeds").format(tables.p_value, subset=["p", "p_holm"]).hide(axis="index")

# %% [markdown]
# Table B.2 compares every non-protected with every protected attribute by Student's t, taking every value as a draw of its own.
# The paired columns (unfold them) change the unit: one mean AbsDiff per identity and attribute.

# %% tags=["hide-output"]
earlier = variation.t_tests(headline)
tables.readable(earlier, signed=True, names={"paired_t": "paired t", "paired_p": "paired p", "paired_p_holm": "paired p, Holm"}).format(
    tables.p_value, subset=["p", "paired_p", "p_holm", "paired_p_holm"])

# %% tags=["hide-input"]
few = {"values": words.among(int((earlier["p"] > 0.05).sum()), len(earlier)), "identities": words.among(int((earlier["paired_p"] > 0.05).sum()), len(earlier))}
vb.note(b2_open=few, b2_share=(earlier["paired_t"] / earlier["t"]).abs().median())
for name in PROTOCOLS:
    held = variation.counts(faces, headline, n=n_pairs, min_gap=min_gap) if name == "described" else {"images": variation.stacked(faces)}
    for claim, value in (held | variation.claims(both[name, name])).items():
        vb.ledger.record(f"variation.{claim}", value, results=results, stimuli=looks[name], model=looks[name], protocol=name)

# %% [markdown]
# Of the comparisons {glue:text}`b2_open.values` have p > .05 over values, {glue:text}`b2_open.identities` over
# identities. The median |t| over identities is {glue:text}`b2_share:.2f` times that over values: far fewer units, but each its own control.
#
# ### Panel by panel: Figure B.3
#
# The boxes pool eight dimensions. The earlier version also shows each by itself, and *raw* cosines with the neutral prompt and with
# prompts that name a race, a gender or an age (folded below the figure).

# %%
named = look(words=labels)
labelled = named.words.loc[~named.words["neutral"], "word"].unique()
raw = pd.DataFrame({"neutral": named.neutral()} | {word: named.word(word) for word in labelled})
of_labels = variation.differences(faces, raw, drawn[protocol])
first, second = (variation.leaders(table) for table in (headline, of_labels))

# %% tags=["hide-input"]
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
neutral = variation.medians(of_labels[of_labels["dimension"] == "neutral"])
vb.note(leaders="; ".join(f"{name} in {count}" for name, count in first.value_counts().items()), neutral=words.extreme(neutral, neutral.index))

# %% tags=["hide-output"]
tables.readable(of_labels.groupby(["attribute", "dimension"], observed=True)["difference"].median().unstack(), names={"dimension": "prompt"}).set_caption(
    "The same for raw cosines with the neutral prompt and with prompts that name a group: median |difference of cosine| × 100"
)

# %% [markdown]
# The largest median of a dimension belongs to {glue:text}`leaders`: a pooled box hides which judgement an attribute moves. The neutral prompt itself moves,
# most with {glue:text}`neutral`; Δcos subtracts this from every dimension alike: see [the chapter on the neutral prompt](neutral_prompt.ipynb).
#
# ### Whose uncertainty? Resampling identities
#
# The method rests on four assumptions; each has its foil, two here and two in the next section.
#
# 1. *Values are independent.* Foil: identities drawn anew, with every value that belongs to them. One draw serves all attributes; a value of two
#    identities counts as often as the product of their draws.
# 2. *A p-value above .05 means "as much".* Foil: a band that one would call equal, chosen before looking, and two one-sided tests {cite}`lakens2017`. Ours is
#    0.8 to 1.25, from studies of bioequivalence.

# %%
boot = variation.resampled(headline, n=n_resamples, seed=seed)
lines = variation.intervals(headline, boot)
equal = variation.equivalence(boot, "lighting", "age", band=(0.8, 1.25))
tables.readable(equal).set_caption("Ratio of medians, lighting over age, 90 % interval, by what is drawn anew")

# %% tags=["hide-input"]
factor = variation.widening(lines)
shares = lines.assign(**{end: 100 * (lines[end] / lines["median"] - 1) for end in ("low", "high", "median")})
shares["attribute"] = shares["attribute"].astype(str).where(~shares["attribute"].duplicated(), "")  # one name for both lines
vb.figures.show(
    vb.figures.forest(shares, estimate="median", low="low", high="high", label="attribute", group="resampled", value_label="95 % interval, % of the median"),
    name="variation-intervals",
    alt=f"Medians with two intervals per attribute. Drawing identities anew gives intervals {factor.median():.1f} times as wide as drawing values anew, "
    f"in the middle case, and {factor.max():.1f} times for {factor.idxmax()}.",
    caption="How far each median is known, in per cent of itself: where single values are drawn anew, and where identities are.",
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
        equal="lies" if equal.loc["identities", "equal"] else "does not lie")

# %% [markdown]
# Where identities are drawn anew the intervals are {glue:text}`wider.middle:.1f` times as wide in the middle case, {glue:text}`wider.most:.1f` times for
# {glue:text}`wider.name`. On our faces lighting moves perception {glue:text}`ratio:.2f` times as much as age; the interval over identities
# {glue:text}`equal` inside the band. That is what it takes to *show* equality.
#
# **The order depends on the range.** "Smiling moves perception more than age" compares one range of smiles with one range of
# ages. Keep the inner half of the smiles; then let pairs differ by less than {claim}`variation.gap`, too:

# %%
half = variation.inner_half(faces["smiling"])
choices = {"whole": {}, "half": dict(smiles=half), "step": dict(smiles=half, min_gap=None)}
smiles = {name: variation.differences(faces, perception, draw(faces, attributes=["smiling"], **chosen)) for name, chosen in choices.items()}
smiles = {name: float(table["difference"].median()) for name, table in smiles.items()}
place = {name: 1 + int((ranked.drop("smiling") > value).sum()) for name, value in smiles.items()}
print("median AbsDiff × 100:", ", ".join(f"{name} {value:.2f}" for name, value in smiles.items()))

# %% tags=["hide-input"]
vb.note(place=place, half=smiles["half"] / smiles["whole"], step=smiles["step"] / smiles["whole"])

# %% [markdown]
# The median becomes {glue:text}`half:.0%`, then {glue:text}`step:.0%` of what it was; of the seven attributes smiling stands at place {glue:text}`place.whole`, then {glue:text}`place.half`, then
# {glue:text}`place.step`. A ranking of attributes is a ranking of *the ranges and steps that were rendered*.

# %% [markdown]
# ## What this method can see
#
# The first figure broke the third assumption: *what was not planted makes no difference*. The fourth is that *tests over one network's faces tell of its captions*.
#
# ### How often do the tests find something where nothing was planted?
#
# *Target: retrained networks, and their captions.* In each network with $b = 0$ the papers' tests compare the AbsDiff of race with that of gender among prototypes. A test that speaks about captions should call a difference in 5 % of them.

# %%
prototypes = (portraits.images["set"] == "grid") & (portraits.images["subset"] == "prototype")
prototypes = shown(portraits, CAUSALFACE.dimensions, networks=plain, images=prototypes)
silent, told = (prototypes.where(prototypes.networks["b"] == b) for b in (0, 1))
tested = variation.race_against_gender(silent, draw(silent.images, attributes=variation.GROUPED_BY))
alarms = vb.networks.rates(tested < 0.05)
tables.readable(alarms, names={"hits": "networks with p < .05", "n": "networks"}).format("{:.0%}", subset=["rate", "low", "high"]).set_caption(
    "Race against gender: networks with p < .05, nothing planted, exact 95 % intervals"
)

# %% tags=["hide-input"]
vb.note(silent=len(silent.networks), alarm={"rank": alarms["rate"].iloc[0], "identities": alarms["rate"].iloc[-1]})

# %% [markdown]
# The published rank-sum test does so in {glue:text}`alarm.rank:.0%` of {glue:text}`silent` networks, one value per identity in {glue:text}`alarm.identities:.0%`.
# They ask whether hue and crest move *this* network equally far; different pictures need not, whatever was said of them.
#
# ### The same question, with signs
#
# What distinguishes a bias from jitter is its **direction**. Subtract the perception of each identity's prototype in one group from that in another and average *with* sign, for every pair of hues and
# for the crests. The truth of a gap between groups is what a *count* of their captions shows. The second yardstick is the mean over single faces of what a network that had learnt every face's odds would show.

# %%
spoken = partial(truth.counted, grammar.load(), prototypes.images, b=1.0, axes=CAUSALFACE.dimensions)
single = said(prototypes.images, 1.0)
truths = {
    "a count of captions": {column: spoken(column) for column in variation.GROUPED_BY},
    "mean over single faces": {column: single.groupby(prototypes.images[column]).mean() for column in variation.GROUPED_BY},
}
gaps = {b: variation.signed_gaps(one) for b, one in ((0, silent), (1, told))}
over = {b: variation.beside_truth(own, truths) for b, own in gaps.items()}

# %% tags=["hide-input"]
back = over[1].groupby("yardstick", sort=False)[["planted", "mean"]].apply(lambda own: pd.Series({"r": own.corr().iloc[0, 1], "slope": np.polyfit(own["planted"], own["mean"], 1)[0]}))
back.index = ["counted", "per_face"]
vb.figures.show(
    vb.figures.planted_against_shown(over[1], planted="planted", shown="mean", low="low", high="high", panel="yardstick", unit="logits"),
    name="variation-signed",
    alt=f"Signed differences between groups in {len(told.networks)} networks at b = 1 against what was planted, eight dimensions: r = {back.loc['counted', 'r']:.2f} with a count of "
    f"captions, slope {back.loc['counted', 'slope']:.2f}.",
    caption=f"b = 1: mean signed difference between groups over {len(told.networks)} networks, with 95 % intervals, by two yardsticks; {gaps[1].cells['pair'].nunique()} pairs of groups × eight "
    "dimensions.",
    source="greenhouse",
)
once = {b: table[table["yardstick"] == "a count of captions"] for b, table in over.items()}
there = once[1]["planted"].abs() > 0.05
found = (once[1]["p_holm"] < 0.05) & (once[1]["mean"] * once[1]["planted"] > 0)
vb.note(back=back.stack(), comes=words.verb(back.loc["counted", "r"], above=0.5, then="comes back", else_="hardly comes back"), found=words.among(int((found & there).sum()), int(there.sum())),
        signed_alarm=(variation.sign_tests(gaps[0]) < 0.05).mean(), alarmed=words.among(int((once[0]["p"] < 0.05).sum()), len(once[0])), holm=words.among(int((once[0]["p_holm"] < 0.05).sum()), len(once[0])),
        mean=once[0]["mean"].abs().mean(), sd=once[0]["sd"].mean())

# %% [markdown]
# With signs, what was planted {glue:text}`comes`: r = {glue:text}`back.counted.r:.2f`, slope {glue:text}`back.counted.slope:.2f` against counts and {glue:text}`back.per_face.slope:.2f` against
# the mean over single faces. Of the gaps of more than 0.05 logits a t-test over networks finds {glue:text}`found`, with the right sign and after Holm's correction.
#
# And at $b = 0$? In one network, tests over *identities* call {glue:text}`signed_alarm:.0%` of all gaps different from zero: right about that network, false about its captions. Tests
# over *networks* fall below .05 for {glue:text}`alarmed` gaps (all pairs of groups, all dimensions), {glue:text}`holm` after correction. A mean gap is {glue:text}`mean:.3f` logits from zero on average; over networks a gap varies with a
# standard deviation of {glue:text}`sd:.2f`. A network with nothing planted is not one without gaps. Whether other networks, each with its own pairing of names and looks,
# share their direction is what a test over networks asks; it alone is about training.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`:
#
# | | paper | code | here |
# |---|---|---|---|
# | draws (H9) | a "bootstrap distribution" of 8,000 values | 1,000 pairs, each used for eight dimensions that share words | both intervals |
# | images (H10) | "18,000 unique images" | four stacked tables, 19,800 rows, the prototype in each | `copies`, medians above |
# | words (H15) | "likeable"; four full stops | "likable", three | `prompts_released`, medians above |
# | order of rows (H17) | – | that of the file system | shuffled above |
# | test | 2025: Wilcoxon rank-sum, "independent samples"; earlier: t-tests | two-sided Mann–Whitney, uncorrected; prints only p > .001; no code for the t-tests | both, corrected beside uncorrected |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/variation -p protocol released -p n_pairs 5000
# ```
# With CausalFace or the authors' cosine tables: `-p stimuli causalface -p labels labels -p cosines FOLDER`. Any open_clip model can look,
# such as `-p model ViT-B-32-quickgelu/openai`; on drawings its perception of people means nothing.
# :::

# %% [markdown]
# ## Take-aways
#
# - Varying one attribute at a time answers "what moves *this* model's judgement", free of the confounds of photograph collections.
# - AbsDiff has a floor. It says how far judgements move, not whether in one direction; average with sign before speaking of bias.
# - Pairs are not independent: draw identities anew. And p > .05 is not equality: bring a band and an interval.
# - A ranking of attributes ranks the ranges that were rendered.
# - A network with nothing planted has gaps, too. Ask several before speaking of training.

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
# In networks with $b = 0$, compare the AbsDiff of race and of gender with 30, 100 and 1,000 pairs from the same 100 identities, by rank-sum test. In how many networks is p below .05?
# What can be learned from more pairs, and what cannot?
# :::
#
# ```{solution-start} variation-pairs
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
growing = {n: variation.race_against_gender(silent, draw(silent.images, n=n, attributes=variation.GROUPED_BY)) for n in (30, 100, 1_000)}
growing = {n: float((own.iloc[:, 0] < 0.05).mean()) for n, own in growing.items()}
print({n: f"{rate:.0%}" for n, rate in growing.items()})
print("More pairs tell ever finer differences of this network apart. Nothing was planted in any: about captions they say nothing.")
assert growing[30] < growing[1_000]

# %% [markdown]
# The test takes every pair as new evidence, while the identities stay a hundred. A difference that this network makes is found ever more surely;
# whether other networks, or the captions, make it too is not asked by any number of pairs.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The paper's third finding warns that studies which ignore facial expression "may reach the wrong conclusions on bias". Does the size of the
#    smile's effect matter for that warning, or only its correlation with group in the photographs at hand?
# 2. Identity moves the model most. Is a judgement that depends on *whose* face it is fairer than one that does not?
