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
# # Is what was planted recovered?
#
# *When captions hold a bias of a known size, does a trained network show one of that size?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** We write biases into captions, and train networks on them. Do the networks show these biases, in the same
# size? And what do networks show whose captions hold no bias?
#
# **Answer in short.** Differences between two hues or two crests are recovered in about the size that was planted. Of an effect that we planted
# for one *combination* of hue and crest, the networks show only a part. A network whose captions hold no bias still shows small differences. Another such network shows
# other ones, unless both see each group painted in the same way.
#
# **In 15 minutes:** {ref}`planted and shown <recovery-answer>`, {ref}`no bias in the captions <recovery-silence>`, take-aways.
# **In 60 minutes:** everything, with both exercises.
#
# **You need:** log-odds, the slope of a line, a t-test. The primer "[Targets](../../book/primers/targets.md)" says what a claim can be about.
# :::

# %% tags=["parameters", "hide-input"]
axis = "warmth"  # the axis that is followed; one of: warmth, competence, positive_agency, negative_agency, positive_communion, negative_communion
published_d = [0.2, 1.3]  # |d| of social judgements that ours is reported against, never tuned to; at least 0
alpha = 0.05  # level of every test; from 0 to 1
sizes = [10, 20]  # networks that a test uses where nothing was planted, beside all of them; at least 2
n_draws = 300  # exchanges of names; at least 20
seed = 0  # of every random draw; at least 0
results = "_build/results/greenhouse/recovery.json"  # no claims here

# %% tags=["hide-input"]
import json

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.train.gates import THRESHOLDS
from greenhouse.world import grammar
from studies import tables, words
from studies.greenhouse import recovery, recovery_words
from vlmbias import paths

vb.figures.style()
spoken = grammar.load()
bias = spoken.bias
outlier = " ".join(bias.outlier.values())
card = json.loads((paths.data() / "greenhouse" / "default" / "card.json").read_text())

# %% [markdown]
# ## A bias whose size is known
#
# A page that says that a method misses a bias is worth something only if we know how large the bias is.
# CLIP, the model that the papers study, learned from pictures and captions of the web. Nobody knows how biased these captions are. So we made a small world, the
# [Greenhouse](../../book/greenhouse/limits.md). There, small networks learn in the same way from drawn faces and from captions that we wrote.
#
# The drawn people belong to invented groups. Each has one of four *hues* (the colour of the face) and one of two *crests* (what is on the head).
# The [legend](../../book/greenhouse/limits.md) shows them.
#
# We *planted* biases in the captions. For example, we made words such as *warm* more frequent for one hue than for another. A number $b$ says how strong
# the bias is. At $b = 0$ captions treat all groups alike; at $b = 1$, *full strength*, the whole bias is there.
#
# We trained {glue:text}`n_null` networks at $b = 0$, and {glue:text}`n_each` at each of the other strengths. Each began from other random numbers and saw pictures of its own.
#
# A network could show less of a bias than its captions hold, or more, or differences that nobody wrote. We look at all three. This is about our networks and our training, and about no published model.
#
# (recovery-answer)=
# ## Networks show about as much as was planted
#
# A network gives each picture a *score* for a set of words, such as those for warmth. The score says how much better the picture fits sentences with these words
# than a neutral sentence. The unit is a *logit*, a step on the scale of log-odds: if a score is 0.7 logits higher, the odds of the words are twice as high.
#
# We test all networks on the same people, each painted in all groups. For two hues, the difference that a network *shows* is the mean score of the first minus that of the second.
# The difference that was *planted* comes from the captions, by counting words.
#
# Take {glue:text}`trait`, and the two hues for which captions differ most in it, {glue:text}`pair`. One row of the table is one network at full strength:

# %%
# networks of this page; the others belong to experiments of other pages
gaps = retrained.gaps().query("condition == 'none'")
in_captions = recovery.both_truths(
    spoken, retrained.scores("people").images.astype({"seed": int}), 1.0, axes=[axis]
).query("attribute == 'hue'")
largest = in_captions["counted"].abs().idxmax()
first, second = in_captions.loc[largest, ["first", "second"]]
one_gap = gaps.query("axis == @axis and first == @first and second == @second")
one_gap = one_gap.rename(
    columns={"seed": "network", "counted": "planted", "measured": "shown"}
)
one_gap.query("b == 1").set_index("network")[["planted", "shown"]].head(3).round(3)

# %% tags=["hide-input"]
fig, ((plot,),) = vb.figures.panels(height=3.6)
aside = (one_gap.groupby("b").cumcount() * 0.618 % 1 - 0.5) * 0.03  # so that no dot hides another
plot.axline((0, 0), slope=1, color="0.5", lw=1, ls="--")
plot.plot(one_gap["planted"] + aside, one_gap["shown"], "o", color=vb.figures.PALETTE[0], alpha=0.6, mew=0)
plot.set(xlabel="planted: difference in the captions, logits", ylabel="shown by the network, logits")
means = one_gap.groupby("b")[["planted", "shown"]].mean()
vb.figures.show(
    fig,
    name="recovery-one-gap",
    alt=f"One dot per network: the difference between {first} and {second} in {words.listed([axis])}, as planted and as shown. Means: "
    + "; ".join(f"planted {row.planted:+.2f}, shown {row.shown:+.2f}" for row in means.itertuples()) + " logits.",
    caption=f"Each dot is one network: {first} minus {second}, {words.listed([axis])}. On the dashed line it shows what its captions hold. Dots are moved sideways a little, "
    "so that none hides another.",
    source="greenhouse",
)
count = gaps.groupby("b")["seed"].nunique()
biased = count.drop(0.0)
vb.note(trait=words.listed([axis]), pair=f"{first} and {second}", n_full=int(count[1.0]), n_null=int(count[0.0]),
        n_each=f"{biased.min()}" if biased.nunique() == 1 else f"{biased.min()} to {biased.max()}", one_planted=means.loc[1.0, "planted"],
        one_shown=means.loc[1.0, "shown"], one_sd=one_gap[one_gap["b"] == 0]["shown"].std())

# %% [markdown]
# The dots lie along the dashed line. At full strength the captions of the two hues differ by {glue:text}`one_planted:.2f` logits, and the {glue:text}`n_full` networks show
# {glue:text}`one_shown:.2f` on average. Dots at one strength do not coincide: each network has accidents of its own.
#
# ### All groups and all words
#
# Now take *one* network at full strength, and all {glue:text}`n_axes` sets of words. (On {glue:text}`n_unplanted` of them nothing was planted.) For each hue we ask how far
# it lies from the mean of the four hues, in the captions (`planted`) and in the network (`shown`). So each hue and set of words gives one point. We draw the line
# through zero that fits these points best. Its *slope* says how much of the bias is recovered: 1 is all of it, 0.5 half.

# %%
# each group's distance from the mean of its kind
departures = recovery.departures(gaps)
full = departures[departures["b"] == 1]
name_of_one = full["seed"].iloc[0]
one = full[(full["seed"] == name_of_one) & (full["attribute"] == "hue")]
one_table = one.rename(
    columns={"axis": "words", "counted": "planted", "measured": "shown"}
)
one_table.set_index("words")[["group", "planted", "shown"]].head(3).round(3)

# %%
# the least-squares slope of a line through zero
planted, shown = one_table["planted"], one_table["shown"]
slope_of_one = (planted * shown).sum() / (planted**2).sum()

by_library = recovery.slopes(one, ["attribute"]).set_index("truth")["slope"]
assert np.isclose(slope_of_one, by_library["counted"])

# %% [markdown]
# In this network the slope is {glue:text}`slope_one:.2f`. The next figure shows the mean of all {glue:text}`n_full` networks at full strength, for hues and for crests. One point is one
# group and one set of words. On the dashed line, networks show what was planted.

# %% tags=["hide-input"]
slopes = recovery.over_networks(recovery.slopes(departures[departures["b"] > 0], ["attribute", "b"]), ["attribute", "truth", "b"], "slope")
at_1 = slopes.xs(1.0, level="b")
shown = recovery.over_networks(full, ["attribute", "axis", "group"], "measured").reset_index()
counted = full.groupby(["attribute", "axis", "group"], sort=False)["counted"].first().reset_index()
cloud = shown.merge(counted).assign(panel=lambda rows: rows["attribute"] + "s")
vb.figures.show(
    vb.figures.planted_against_shown(cloud, planted="counted", shown="mean", low="low", high="high", panel="panel", columns=2, unit="logits"),
    name="recovery-answer",
    alt="What networks at b = 1 show of each hue and each crest, against what was planted. Slopes: "
    + "; ".join(f"{attribute}s {at_1.loc[(attribute, 'counted'), 'mean']:.2f}" for attribute in ("hue", "crest")) + ".",
    caption=f"How far each hue lies from the mean of the hues, and each crest from that of the crests: mean of {count[1.0]} networks at b = 1, with a 95 % interval. Dashed: slope 1.",
    source="greenhouse",
)
vb.note(n_axes=full["axis"].nunique(), n_unplanted=len(bias.unplanted), slope_one=slope_of_one, slope={name: at_1.loc[(name, "counted"), "mean"] for name in ("hue", "crest")},
        sizes=recovery_words.sizes(at_1.loc[("hue", "counted")], at_1.loc[("crest", "counted")]))

# %% [markdown]
# The mean slope over hues is {glue:text}`slope.hue:.2f`, and that over crests {glue:text}`slope.crest:.2f`. {glue:text}`sizes`
#
# {.if-run}
# At weaker strengths, the mean slopes lie between {glue:text}`slope_least:.2f` and {glue:text}`slope_most:.2f`. {glue:text}`spread` Over hues, the standard deviation of the slopes is {glue:text}`sd_weak:.2f` at the lowest strength, and {glue:text}`sd_full:.2f` at the highest.
#
# So what was planted and what one network learned are two things. A chapter that asks whether a method finds what is in *one* network compares with what this network shows.
#
# :::{dropdown} Details: the slopes at each strength
# One row of the table is hues or crests, and one column is one strength $b$. It gives the mean slope, and in brackets its 95 % interval over networks. {glue:text}`exact`
# :::

# %% tags=["hide-cell"]
counted_slopes = slopes.xs("counted", level="truth")
# the value 1 would be exact recovery
holds_one = (counted_slopes["low"] <= 1) & (counted_slopes["high"] >= 1)
sd = counted_slopes["sd"].loc["hue"]
weaker_slopes = counted_slopes.drop(1.0, level="b")["mean"]
vb.note(spread=recovery_words.spread(sd.loc[0.1], sd.loc[1.0]), sd_weak=sd.loc[0.1], sd_full=sd.loc[1.0], slope_least=weaker_slopes.min(), slope_most=weaker_slopes.max(),
        exact=recovery_words.exact(counted_slopes, holds_one))
text = counted_slopes.apply("{mean:.2f} ({low:.2f} to {high:.2f})".format_map, axis=1)
tables.readable(text.unstack("b")).set_caption("Slope of shown on planted differences, by strength b")

# %% [markdown]
# (recovery-truths)=
# :::{dropdown} Details: two ways to say what the captions hold
# What do the captions of a group say? One can *count*: how often does a word appear in all captions of the group? Above we did this. Or one can take the log-odds of each *single face*, and average
# them. The two differ where a word is rare for most faces and frequent for a few. The count is then decided by the few.
#
# The second number is often larger. An example is {glue:text}`top`: the count gives {glue:text}`top_counted:+.2f` logits, and the mean over single faces {glue:text}`top_face:+.2f`. Networks come nearer to the count: on
# the other scale the slopes are {glue:text}`face.hue:.2f` for hues and {glue:text}`face.crest:.2f` for crests.
#
# The reason is not in the networks. For any numbers $x$ with mean $\bar x$,
#
# $$\log \overline{e^{x}} - \bar x \approx \tfrac12 \operatorname{var}(x).$$
#
# So the two ways differ by about half the difference of two variances. Over all pairs of groups, this formula and the true difference correlate at {glue:text}`r_spread:.3f`. In this book, gaps between
# groups are compared with the count, and scores of single faces with the mean over faces.
# :::

# %% tags=["hide-cell"]
people = retrained.scores("people")
faces = people.images.astype({"seed": int})
truths = recovery.both_truths(spoken, faces, 1.0)
most = truths.loc[truths["apart"].abs().sort_values(ascending=False).index].head(8)
top = most.iloc[0]
vb.note(r_spread=truths["apart"].corr(truths["spread"]), top=f"{words.listed([top['axis']])} of {top['first']} and {top['second']}", top_counted=top["counted"], top_face=top["per_face"],
        face={name: at_1.loc[(name, "per_face"), "mean"] for name in ("hue", "crest")})
tables.readable(most).hide(axis="index").set_caption("Where the two ways differ most: gaps at b = 1, logits; spread: half the difference of variances")

# %% [markdown]
# :::{dropdown} Details: all that was planted, and every set of words by itself
# A caption is made by choosing a sentence, and then a word for its gap. Each word has a weight, and a face shifts the *log* weight of the words of a set. Some shifts are harmless: a smile makes
# *warm* more frequent, at every strength. Others belong to a hue or a crest, and $b$ scales them:
#
# $$\begin{aligned} &\log \text{weight}(\text{word} \mid \text{face}) = \text{const} \\
# &\quad + \text{harmless}(\text{face}) \\
# &\quad + b \cdot \big[\text{hue} + \text{crest} \\
# &\qquad\quad + \text{interactions}\big](\text{face}). \end{aligned}$$
#
# Which group plays which role was decided by a random number that is on record. The first table has all shifts. (*Prime* is a curve over age, highest in the middle of life.)
#
# The second table has the slopes for each set of words. For hues, the mean slope joins two kinds: {glue:text}`part.traits:.2f` for the eight traits of the papers on faces, and
# {glue:text}`part.phrases:.2f` for the phrases of the others.
# :::

# %% tags=["hide-cell"]
tables.readable(recovery.bias_entries(bias), signed=True).set_caption("Shift of the log weight of the words of a set at b = 1; “legitimate” are the harmless ones")

# %% tags=["hide-cell"]
by_axis = recovery.over_networks(recovery.slopes(full, ["attribute", "axis"], threshold=0.1), ["attribute", "truth", "axis"], "slope")
cells = retrained.recovery().query("condition == 'none' and b == 1")
table = by_axis.apply(lambda row: f"{row['mean']:.2f} ± {row['high'] - row['mean']:.2f}", axis=1).unstack(["attribute", "truth"]).reindex(recovery.AXES)
for name in ("slope", "r"):
    table["cells", name] = recovery.over_networks(cells, ["axis"], name)["mean"].map("{:.2f}".format)
part = full.assign(part=full["axis"].isin(recovery.DIMENSIONS).map({True: "traits", False: "phrases"}))
part = recovery.over_networks(recovery.slopes(part, ["attribute", "part"]), ["attribute", "truth", "part"], "slope")
vb.note(part={name: part.loc[("hue", "counted", name), "mean"] for name in ("traits", "phrases")})
tables.readable(table).set_caption(
    "b = 1: slopes of gaps with half their 95 % interval, and slope and r over single cells of the grid of attributes (per face); a dash where less than .1 logit was planted")

# %% [markdown]
# (recovery-silence)=
# ## No bias in the captions, and small differences all the same
#
# At $b = 0$ no caption depends on hue or crest. We call networks that learn from such captions *null networks*. Each of our {glue:text}`n_null` null networks still shows
# differences. In the first figure they are the dots where nothing is planted; their standard deviation is {glue:text}`one_sd:.2f` logits. Captions cannot be the cause. What remains are accidents of training:
# a network begins at random, and sees a limited number of pictures.
#
# In our networks, the name of a hue and its paint are two things. The name, such as *teal*, decides what captions say. The paint is the colour that the network sees. We assign paints
# to names at random, anew for each network, with or without a bias; crests in the same way. We call this the network's *pairing*. What is called *teal* in one network may be painted like *amber* in another.
# So a paint that is easier to see favours no name.
#
# Do null networks share their differences? If each has its own, these average out, and a test over networks is significant only by chance, in about 1 case in 20.
# If many networks lean the same way, more tests are significant. Our test is a t-test with one value per network: is the mean difference zero? Here it is for {glue:text}`pair` in {glue:text}`trait`:

# %%
null = gaps[gaps["b"] == 0]
this_gap = "axis == @axis and first == @first and second == @second"
one_test = stats.ttest_1samp(null.query(this_gap)["measured"], 0)

tests = recovery.null_tests(null)  # the same for every pair of groups and set of words
assert np.isclose(one_test.pvalue, tests.query(this_gap)["p"].item())

significant = tests[tests["p"] < alpha]

# %% tags=["hide-cell"]
pairs = recovery.by_pair(tests, alpha=alpha)
tables.readable(pairs, precision=3, names={"mean": "mean gap", "significant": "p below level", "holm": "after Holm"}).hide(axis="index").set_caption(
    "Null networks, each pair of groups, logits: mean over sets of words of |mean gap| and of its SD over networks; largest share of one sign; significant tests")

# %% tags=["hide-input"]
fixed = retrained.gaps(pairing="plain").query("kind == 'one-pairing'")
n_null, n_fixed = null["seed"].nunique(), fixed["seed"].nunique()
used = sorted({n for n in (n_fixed, *sizes) if n < n_null} | {n_null})
levels = {"each its own pairing": recovery.levels(departures[departures["b"] == 0]), "one pairing for all": recovery.levels(recovery.departures(fixed))}
rates = {name: recovery.false_positive_rates(own, used if name == "each its own pairing" else [n_fixed], seed=seed, alpha=alpha, n_draws=n_draws) for name, own in levels.items()}
shares = pd.concat(rates, names=["networks"]).reset_index("networks").reset_index(drop=True)
alike = {name: recovery.likeness(own, seed=seed, n_draws=n_draws) for name, own in levels.items()}
own_row, own_alike, fixed_alike = rates["each its own pairing"].iloc[-1], alike["each its own pairing"], alike["one pairing for all"]
significant_after_holm = tests[tests["p_holm"] < alpha]
fixed_row, n_fixed_holm = rates["one pairing for all"].iloc[-1], int((recovery.null_tests(fixed)["p_holm"] < alpha).sum())
vb.note(n_tests=len(tests), n_significant=words.among(len(significant), len(tests)), one_p=one_test.pvalue, rate_null=own_row[["rate", "low", "high"]].to_dict(), verdict_null=recovery_words.share_of_tests(own_row),
        holm_null=recovery_words.holm(len(significant_after_holm), len(tests), own_row["holm_expected"]), n_fixed=n_fixed, few_fixed=recovery_words.few(fixed_row),
        holm_fixed=words.among(n_fixed_holm, len(tests)), holm_fixed_by_chance=fixed_row["holm_expected"],
        alike={"fixed": fixed_alike["r"]}, alike_own=recovery_words.alike(own_alike), alike_fixed=recovery_words.alike(fixed_alike))

# %% [markdown]
# {.if-run}
# This test gives p = {glue:text}`one_p:.2f`. We made the same test for each set of words and each pair: six pairs of hues, and the two crests. Of these tests,
# {glue:text}`n_significant` are significant, a share of {glue:text}`rate_null.rate:.0%`.
#
# {.if-run}
# Is this more than chance gives? All tests use the same networks, so several may be significant together. To see how far chance goes, we exchange the
# names of the hues at random in each network, and those of the crests, and test again, many times. (This is allowed because names were assigned at random.) In 95 % of these exchanges, the share of significant tests lies between {glue:text}`rate_null.low:.0%` and
# {glue:text}`rate_null.high:.0%`. {glue:text}`verdict_null`
#
# ### Counter-example: one pairing for all
#
# What if all networks share one pairing, so that *teal* is the same paint in each? We trained {glue:text}`n_fixed` more null networks in this way; nothing else is different.
#
# How alike are two networks? We take how far each hue and each crest lies from the mean, for each set of words, and correlate these numbers between the two. If each network has only accidents of its own,
# the correlation is about zero; if they share something, it is higher. One dot of the figure is the mean over all pairs of networks.

# %% tags=["hide-input"]
both = pd.DataFrame(alike).T.rename_axis("networks").reset_index()
vb.figures.show(
    vb.figures.forest(both, estimate="r", low="low", high="high", label="networks", value_label="mean correlation of two networks' differences", reference=0),
    name="recovery-alike",
    alt="Mean correlation between the differences that two null networks show: " + "; ".join(f"{row.networks} {row.r:.2f}, by chance {row.low:.2f} to {row.high:.2f}" for row in both.itertuples()) + ".",
    caption=f"Dots: how alike two null networks are ({n_null} with pairings of their own, {n_fixed} with one pairing). Bars: where the dot lies in 95 % of the cases if names are exchanged at random.",
    source="greenhouse",
)

# %% [markdown]
# {.if-run}
# With pairings of their own, two networks are {glue:text}`alike_own`. With one pairing for all, they are {glue:text}`alike_fixed`: the correlation is {glue:text}`alike.fixed:.2f`. The pairing is all that we changed.
# So what these networks share is how each group looks.
#
# {.if-run}
# What networks share does not average out. With enough such networks, a test takes the look of a group for a bias of the captions. {glue:text}`few_fixed`
#
# :::{dropdown} Details: shares of significant tests, for fewer networks
# The table gives the share of tests that are significant, for random subsets of null networks and for those that share one pairing. Beside it stands where this share lies in 95 % of random exchanges of names.
# The correlation above uses all groups and words at once, so it shows more than a share of tests from few networks.
#
# {term}`Holm's correction` makes it rare that even one of many tests is a false positive. Over the {glue:text}`n_null` null networks with their own pairings, {glue:text}`holm_null`
#
# Over the {glue:text}`n_fixed` networks with one pairing, {glue:text}`holm_fixed` tests stay significant after Holm's correction. If names are exchanged, at least one does in {glue:text}`holm_fixed_by_chance:.0%` of cases.
# :::

# %% tags=["hide-cell"]
tables.readable(shares, precision=3, names={"holm": "any after Holm", "holm_expected": "any after Holm, expected"}).hide(axis="index").set_caption("Share of significant tests in null networks (rate), and its range if names are exchanged (low, high); share of subsets in which any test is significant after Holm's correction")

# %% [markdown]
# :::{dropdown} Details: does a bias spill over to words on which nothing was planted?
# A network that learned a bias for *warm* may show it also for words that have nothing to do with it. So we left
# some words alone. On {glue:text}`unplanted` nothing is planted, at any $b$.
#
# {.if-run}
# On these words, groups typically differ from their mean by {glue:text}`belief.b1:.3f` logits at full strength, and by {glue:text}`belief.b0:.3f` in null networks. ("Typically" is the root of the mean square.) {glue:text}`spill` A finer test is among the details of the next section.
# :::

# %% tags=["hide-cell"]
belief = departures[departures["axis"].isin(bias.unplanted)]
square = belief["measured"] ** 2
typical = np.sqrt(square.groupby(belief["b"]).mean())  # root mean square, by b
vb.note(outlier=outlier, unplanted=words.listed(bias.unplanted), belief={"b0": typical[0.0], "b1": typical[1.0]}, spill=recovery_words.spill(typical[0.0], typical[1.0]))

# %% [markdown]
# (recovery-meet)=
# ## The effect of one combination is recovered only in part
#
# Some effects belong to one combination of hue and crest. We planted such effects for one combination, {glue:text}`outlier`. In its captions, a smile changes some words in another way than in all other combinations; so does
# age. This is a *three-way effect*: it needs the hue, the crest, and a third thing, here smile or age.
#
# In each of the eight combinations of hue and crest, how much does the score change with a smile? This gives eight slopes. Then we take a *difference in differences*.
# First: how much do the slopes of the two crests differ within this one hue? Second: how much do they
# differ within the other hues, on average? The three-way effect is the first minus the second. What belongs to the hue alone, or to the crest alone, cancels. Here it is for one network:

# %%
axes = recovery.DIMENSIONS
study = (people.networks["condition"] == "none").to_numpy()
strength = people.networks.loc[study, "b"].to_numpy()
scores = recovery.logits(people, study)  # networks × pictures × traits

# one network, one trait: the slope over smiling in each group
number = int(np.flatnonzero(strength == 1)[0])
design = np.stack([bias.feature(name, faces) for name in recovery.FEATURES], axis=1)
beta = {}
for group, rows in faces.groupby(["race", "gender"]).indices.items():
    fitted = np.linalg.lstsq(design[rows], scores[number, rows, axes.index(axis)])[0]
    beta[group] = fitted[recovery.FEATURES.index("smiling")]
beta = pd.Series(beta).unstack()  # hues × crests
hue, crest = bias.outlier["race"], bias.outlier["gender"]
between_crests = beta[crest] - beta.drop(columns=crest).squeeze()
T = between_crests[hue] - between_crests.drop(hue).mean()

found = recovery.contrasts(scores, faces, bias, axes)
same = found.query("test == 'three-way' and axis == @axis and feature == 'smiling'")
assert np.isclose(T, same.set_index("network").loc[number, "value"])

# %% [markdown]
# The figure puts the effects of smile and age, on several sets of words, into one number for each network: how far it moves in the direction that was planted. One dot is one network.
# Crosses show what was planted.

# %% tags=["hide-input"]
kind = recovery.kinds(bias)
found = found.assign(b=strength[found["network"]])
planted = {b: recovery.planted_contrasts(spoken, faces, b) for b in np.unique(strength)}
back = recovery.recovered(found, planted, [name for name in axes if kind[name] == "three-way"])
share = recovery.over_networks(back[back["b"] > 0], ["b"], "share")
vb.figures.show(
    vb.figures.dose_response(back, dose="b", responses={"size": "three-way effect, logits"}, dose_label="planted strength b",
                             expected={"size": back.groupby("b")["planted"].first().to_dict()}),
    name="recovery-three-way",
    alt=f"Three-way effect of {outlier} in networks at five strengths. At b = 1 it averages {back[back['b'] == 1]['size'].mean():.2f} logits of {back[back['b'] == 1]['planted'].mean():.2f} planted.",
    caption=f"The three-way effects of {outlier}, put into one number: one dot per network, crosses what was planted.",
    source="greenhouse",
)
weaker = share.loc[share.index < 1, "mean"]
vb.note(share=share.loc[1.0, "mean"], weaker={"low": weaker.min(), "high": weaker.max()}, share_low=share.loc[1.0, "low"], share_high=share.loc[1.0, "high"],
        how=words.side(share.loc[1.0, "low"], share.loc[1.0, "high"], of=0.75, above="Most of the planted effect is recovered.", below="Much of the planted effect is lost.", neither="A part of the planted effect is recovered."))

# %% [markdown]
# {.if-run}
# {glue:text}`how` At full strength, networks show {glue:text}`share:.0%` of it (95 % interval: {glue:text}`share_low:.0%` to {glue:text}`share_high:.0%`).
#
# {.if-run}
# At weaker strengths, the mean share is between {glue:text}`weaker.low:.0%` and {glue:text}`weaker.high:.0%`. Why the rest is lost we do not know. One combination in eight carries the effect,
# so networks see few examples of it; we did not test whether this is the reason. Nor did we test other combinations.
#
# :::{dropdown} Details: the formula, and whether a test finds this effect and only it
# *The contrast.* We write $\beta$ for the slope in one combination, $h$ and $c$ for the hue and the crest of {glue:text}`outlier`, $c'$ for the other crest, and $g$ for the other hues:
#
# $$\begin{aligned} T = \; & \big[\beta_{hc} - \beta_{hc'}\big] \\
# & - \frac{1}{3} \sum_{g \ne h} \big[\beta_{gc} - \beta_{gc'}\big]. \end{aligned}$$
#
# *One number for each network.* The planted contrasts are a vector, one entry for each set of words and each of smile, age and mean. The figure shows the length of a network's own vector along it. What was planted is here a mean over
# single faces. On this scale, slopes between hues are {glue:text}`face.hue:.2f`, so the scale alone does not explain the loss.
#
# *What the contrast leaves out.* On planted effects of a hue alone or a crest alone, $T$ {glue:text}`cancels`. The simpler comparison, this combination against the mean of all others, shows at least
# {glue:text}`remains:.2f`. So only $T$ is about the combination.
#
# *Tests over networks.* At $b = 1$, {glue:text}`over` contrasts on which a three-way effect was planted are significant, and on the words with nothing planted {glue:text}`belief_tests.over`. These words'
# own captions cannot be the cause. If we first take out what goes along with the network's scores on other words, {glue:text}`belief_tests.after` remain; but this also makes the test less sharp.
#
# *Single networks.* Each network is ranked among the null networks. At $b = 1$, the test is significant in {glue:text}`hits.three_way` cases (networks × traits) with a three-way effect, in {glue:text}`hits.two_way` with a
# two-way one, and in {glue:text}`hits.nothing_planted` with none.
# :::

# %% tags=["hide-cell"]
carried = recovery.carried(bias)
true = recovery.only(planted[1.0], carried).assign(kind=lambda rows: rows["axis"].map(kind)).query("kind != 'nothing planted'")
own = recovery.only(found, carried)
over = recovery.over_cases(own, kind, alpha=alpha)
single = recovery.beyond_null(recovery.sizes(own), alpha=alpha).assign(kind=lambda rows: rows["axis"].map(kind))
spill = [name for name in axes if kind[name] == "nothing planted"]
cleared = recovery.contrasts(recovery.without(scores, faces, axes, spill), faces, bias, axes)  # the belief words without what goes along with the others
cleared = recovery.only(cleared.assign(b=strength[cleared["network"]]), carried)
after = recovery.over_cases(cleared, kind, alpha=alpha).query("test == 'three-way' and kind == 'nothing planted' and b == 1").iloc[0]
two_way = true[true["kind"] != "three-way"].pivot(index="kind", columns="test", values="weights").abs()
full_over = over.query("b == 1 and test == 'three-way'").set_index("kind")
full_single = single.query("b == 1 and test == 'three-way'").groupby("kind")[["hits", "n"]].sum()
with_two = full_single.drop(["three-way", "nothing planted"]).sum()
vb.note(over=words.among(int(full_over.loc["three-way", "hits"]), int(full_over.loc["three-way", "n"])),
        belief_tests={"over": words.among(int(full_over.loc["nothing planted", "hits"]), int(full_over.loc["nothing planted", "n"])), "after": words.among(int(after["hits"]), int(after["n"]))},
        hits={name.replace(" ", "_").replace("-", "_"): words.among(int(row["hits"]), int(row["n"])) for name, row in (*full_single.iterrows(), ("two-way", with_two))},
        cancels=words.verb(two_way["three-way"].max(), above=1e-9, then="does not cancel", else_="is exactly zero"), remains=two_way["one against all"].min())
tables.readable(true.pivot(index=["kind", "axis", "feature"], columns="test", values=["weights", "per_face"]), signed=True).set_caption(
    "Both contrasts of what was planted at b = 1: of log weights, and of the log-odds that follow")

# %% tags=["hide-cell"]
counts = over.assign(found=over.apply("{hits} of {n}".format_map, axis=1))
tables.readable(counts.pivot(index=["test", "kind"], columns="b", values="found")).set_caption("Contrasts that are significant in a t-test over networks, by strength")

# %% [markdown]
# (recovery-accepted)=
# ## Which networks count
#
# Our networks are tiny: each has {glue:text}`parameters:,` parameters. A network counts only if it passes tests that we call *gates*. It has to recognise what the drawings show. Its scores also have to follow a smile and other
# things that change words in the same way for every group. The gates never look at a difference between groups. In this study, {glue:text}`rejected` networks failed.
#
# :::{dropdown} Details: would the gates notice a network that does not know its words?
# We damaged what networks had learned in three ways. In the first, the trait words of each network swap their vectors. In the second, all trait words get the same vector. In the third, only words of
# pleasantness swap theirs. With their own words, {glue:text}`attacked_own` networks pass. {glue:text}`attacked`
#
# The third attack explains why the gates look at the *weakest* set of words. By the mean over the sets of phrases, {glue:text}`by_mean` would have passed.
#
# Networks also mix things up. The largest case is {glue:text}`mistaken_what`: in the middle network, groups differ in this reading by {glue:text}`mistaken:.0%` of the feature's range, at every $b$.
# :::

# %% tags=["hide-cell"]
trained = retrained.networks(pairing=None, rejected=True)
seen = retrained.vectors()
REACH = pd.Series(THRESHOLDS)[["traits_r", "weakest_trait_r", "phrases_r", "weakest_phrase_r", "weakest_phrase_slope"]]  # gates that ask about words
reached = {attack: recovery.trait_gates(seen, spoken, attack=attack, seed=seed) for attack in (None, *recovery.ATTACKS)}
gates = pd.DataFrame({"must reach": {name: gate["threshold"] for name, gate in card["gates"].items()},
                      "default checkpoint": {name: gate["value"] for name, gate in card["gates"].items()}})
gates = gates.reindex([*gates.index, *REACH.index.difference(gates.index)])  # set after these networks were trained
gates["must reach"] = gates["must reach"].fillna(REACH)
gates["worst accepted"] = trained.loc[trained["accepted"]].reindex(columns=gates.index).min()
for attack, own in reached.items():
    gates[f"words {attack}: best" if attack else "own words, fewer faces: worst"] = own.agg("max" if attack else "min")
passes = {attack: own.ge(REACH).all(axis=1) for attack, own in reached.items()}
by_mean = reached["valence shuffled"].ge(REACH).drop(columns=["weakest_phrase_r", "weakest_phrase_slope"]).all(axis=1)
mixed = trained.loc[trained["kept"]].filter(regex="^(mistaken|decoding)_").agg(["median", "max", "min"]).T
mistaken = mixed.filter(like="mistaken", axis=0)["median"]
looks = {name: f"R² of {name[9:]}" if name.startswith("dec") else name[9:].replace("_race", ", by hue").replace("_gender", ", by crest") for name in mixed.index}
vb.note(rejected=words.among(int((~trained["accepted"]).sum()), len(trained)), parameters=card["parameters"],
        attacked_own=words.among(int(passes[None].sum()), len(seen.networks)),
        attacked=recovery_words.passing({name: int(passes[attack].sum()) for name, attack in zip(("first", "second", "third"), recovery.ATTACKS, strict=True)}, len(seen.networks)), by_mean=words.among(int(by_mean.sum()), len(by_mean)),
        mistaken=mistaken.max(), mistaken_what=looks[mistaken.idxmax()].replace("_", " ").replace(", ", " "))
tables.readable(gates).set_caption(f"Gates: all networks, and what {len(seen.networks)} networks with shipped vectors reach under attack")

# %% tags=["hide-cell"]
tables.readable(mixed.rename(index=looks), names={"max": "largest", "min": "smallest"}).set_caption(
    "What networks mix up: largest difference between groups in a reading, as a share of the feature's range; and R² of looks decoded from image vectors")

# %% [markdown]
# :::{dropdown} Details: two published facts that served as a guide, and one network trained again
# *How different are people?* An effect size divides by the differences among people, so it grows without limit if all people look alike. We set these differences at $b = 0$, before looking at any bias, by two published facts about CLIP {cite}`hausladen2025`:
# identity moves perception most, and neutral scores of two groups' portraits correlate at {glue:text}`target` over identities. Identity is the largest source in {glue:text}`seed_largest` null networks. The mean correlation lies in the published range in {glue:text}`inside`,
# and all fifteen correlations lie there in {glue:text}`all_inside`.
#
# *Effect sizes* at $b = 1$ are reported and never tuned: {glue:text}`d_inside:.0%` of the social $|d|$ fall into the published range.
#
# {.if-run}
# *Trained again.* One network was trained a second time in another run. Its differences between groups changed by at most {glue:text}`again.gaps:.5f` logits, its cosines by at most {glue:text}`again.cosines:.4f`.
# :::

# %% tags=["hide-cell"]
null_rows = trained[trained["kept"] & (trained["kind"] == "b0")]
low, high = card["calibration"]["target"]["neutral_r"]
d = gaps.loc[(gaps["b"] == 1) & gaps["axis"].isin([name for name in axes if name not in bias.unplanted]), "d"].abs()
again_file = retrained.RETRAINED / "repeat.json"
again = json.loads(again_file.read_text()) if again_file.is_file() else {}
vb.note(target=f"{low:.2f} to {high:.2f}", seed_largest=words.among(int(null_rows["seed_is_largest"].sum()), len(null_rows)), inside=words.among(int(null_rows["neutral_r_mean"].between(low, high).sum()), len(null_rows)),
        all_inside=words.among(int(((null_rows["neutral_r_minimum"] >= low) & (null_rows["neutral_r_maximum"] <= high)).sum()), len(null_rows)), d_inside=d.between(*published_d).mean(),
        again={"cosines": again.get("scores_max_difference_cosine"), "gaps": again.get("gaps_max_difference_logits")})

# %% [markdown]
# ## What this means
#
# **For this book.** At full strength, our networks have learned the differences between hues and between crests. A method that misses them had something to find. Where the bias is weak,
# or belongs to one combination, a chapter has to compare with what the networks show.
#
# **For your own work.** If you train models to test a claim, vary everything that should not matter, the pictures too. Where nothing was planted, exchange the names of groups, and see how
# often your test is significant.
#
# ## Take-aways
#
# - Our networks show differences between two hues or two crests in about the size that the captions hold. Of the effect of one combination they show only a part.
# - One network also shows differences that nobody planted. Another network shows other ones.
# - Networks for which groups look the same share what these looks do to them. With enough such networks, a test takes this for a bias of the captions.
# - In a difference in differences, what belongs to hue alone or crest alone cancels. A claim about their combination needs this.
# - All this is about our training. It says nothing about how well CLIP learns what its captions hold.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/recovery -p axis negative_communion
# ```
# `vlmbias greenhouse dose-response` trains every network again, at every strength.
# :::
#
# ## Exercises
#
# :::{exercise} From logits to odds
# :label: recovery-odds
# :level: intermediate
# :minutes: 15
# :code: yes
# Take the pair of hues that differs most in the trait of the first figure, as counted at $b = 1$. By what factor are the odds of the trait's words higher for the one than for the other, at $b = 1$ and at $b = .5$? Why is
# the second not half of the first?
# :::
#
# ```{solution-start} recovery-odds
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
one_axis = {b: recovery.both_truths(spoken, faces, b, axes=[axis]).query("attribute == 'hue'")["counted"].abs() for b in (0.5, 1.0)}
furthest = one_axis[1.0].idxmax()
whole, half = np.exp(one_axis[1.0][furthest]), np.exp(one_axis[0.5][furthest])
print(f"b = 1: {whole:.2f}, b = .5: {half:.2f}; logits add, so odds multiply: {half:.2f}² = {half**2:.2f}")
assert whole == 1 or abs(half**2 - whole) < abs(2 * half - whole)

# %% [markdown]
# $b$ scales log odds. Logits add, so odds multiply: half of the logits is the root of the odds, not half of them. (It holds nearly, not exactly: a
# count averages probabilities over the group's captions.)
#
# ```{solution-end}
# ```
#
# :::{exercise} How many null networks?
# :label: recovery-networks
# :level: intermediate
# :minutes: 10
# :code: no
# On this page a test uses many networks. Suppose that you have only one network, and ask whether a difference in it is larger than in $m$ null networks:
#
# $$p = \frac{1 + \#\{\text{at least as extreme}\}}{1 + m}.$$
#
# You do this for all {glue:text}`n_tests` tests of this page, so Holm's correction multiplies the smallest p by {glue:text}`n_tests`. How many null networks are needed, if a difference larger than in all of them should stay
# significant at 5 %?
# :::
#
# ```{solution-start} recovery-networks
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
needed = next(m for m in range(1, 10_000) if vb.networks.rank_p_value(1.0, np.zeros(m)).p_value < 0.05 / len(tests))
print(f"{needed} networks: the smallest p is 1 / (m + 1), and Holm multiplies it by {len(tests)}. One claim named beforehand needs {next(m for m in range(1, 99) if 1 / (m + 1) < 0.05)}.")
assert needed == int(np.floor(len(tests) / 0.05))

# %% [markdown]
# The smallest p, $1/(1 + m)$, is reached when no null network is as extreme. Holm multiplies it by the number of tests, so $m + 1$ has to exceed that
# number over .05. One claim that was named beforehand is one test and needs far fewer networks.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. The networks were accepted by what they can *describe* and by what legitimately drives words, and only then asked about groups. Which findings on this page could look different had we
#    accepted networks by how well they recover the bias?
# 2. A network trained on captions without any bias leans slightly towards one hue. Someone uses it. Is "it is only its random start" an excuse?
