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
# # Does a model know that "powerful" and "powerless" are opposites?
#
# *The earlier version of Hausladen, Knott, Camerer and Perona (2025), Appendix C: Figure C.4, Table C.3 and Figure C.5.*
#
# The published paper no longer has this part, and none of its claims rests on it. The chapter stays for readers who ask what such a comparison of words can show.
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A model like CLIP turns words into vectors. Opposite words can get vectors that point in almost the same direction. Does the model take opposites for the same?
#
# **Answer in short.** A high similarity of two opposites does not show it, since all adjectives may have much in common. One has to compare: are opposites *less* alike than words of similar meaning? In our own networks they are. For CLIP, the authors find no
# significant difference. But with so few words, a difference is easily missed. This edition does without CLIP, so for CLIP the question stays open.
#
# **In 20 minutes:** {ref}`What the paper reports <text-geometry-found>`, {ref}`What one may doubt <text-geometry-doubt>`,
# {ref}`What this method can see <text-geometry-centred>`, {ref}`Take-aways <text-geometry-take>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** the cosine of two vectors, a t-test, and what a 95 % interval is. The primer "[Δcos and social perception](../../book/primers/perception.md)" explains how a model's scores of a face are made.
#
# **Content note.** The adjectives include belittling ones ("low-status", "powerless"). Our networks learnt from drawn faces of invented groups, which stand for nobody.
# :::

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # faces for Figure C.5, with seed, race, gender, subset; without them, words only; empty or an image set
root = ""  # folder of the images, where a set has one; empty or a folder
cosines = ""  # folder of the authors' released cosine tables, instead of images and model for Figure C.5; empty or a folder
model = "greenhouse"  # encoder whose text side is looked at; a model
prompts = "social_perception"  # dimensions, words, templates, neutral prompts; a prompt set
protocol = "described"  # which reading of Table C.3 gives the headline; one of: described, Welch, pairs both ways, with itself, per template
n_resamples = 400  # bootstrap resamples of the identities; at least 1
seed = 42  # seed of every random draw; at least 0
results = "_build/results/causalface/text_geometry.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import tables, words
from studies.causalface import text_geometry
from vlmbias.inference import holm
from vlmbias.papers import CAUSALFACE

vb.figures.style()
SHORT = dict(zip(text_geometry.POLES, ["A+", "A−", "B+", "B−", "C+", "C−"], strict=True))  # Agency, Belief, Communion
CORRECTED = {"p_holm": "p, corrected (Holm)"}
WAYS = {"raw": "raw", "delta": "Δcos", "centred": "centred"}

# %% [markdown]
# (text-geometry-found)=
# ## What the paper reports: opposites are close
#
# CLIP has two parts: one turns pictures into vectors (lists of numbers), the other turns texts into vectors. To describe a face, the authors compare its vector with those of words. They do so for three traits, and each trait has words on two opposite sides (which they also score as two traits): *powerful* and *powerless* for Agency, *liberal* and
# *conservative* for Belief (the overview calls the first progressive), *trustworthy* and *untrustworthy* for Communion. The side named first is called positive here. If the model cannot distinguish the two sides, such a comparison means little.
#
# In an earlier version of their paper, the authors check this before they use the words. They compare the vectors of two words by their cosine, which is 1 if the vectors point in the same direction. There is a reason for concern: opposites often
# occur in the same sentences, and so get similar vectors {cite}`mohammad2013`.
#
# The authors compare two kinds of pairs. In one, both words are on the *same* side (powerful, dominating). In the other, they are on *opposite* sides (powerful, powerless). If the model distinguishes the sides, cosines on the same side should be larger. A one-sided t-test (it looks only for *larger* cosines on the same side) compares
# the pairs within one side with the pairs across the two sides. Each row of the table is a trait, and each p-value belongs to one of its sides:

# %% tags=["hide-input"]
claims = vb.ledger.table("causalface/text_geometry")
printed = claims.set_index("claim")["printed"].to_dict()
table_c3 = {(name, sign): float(printed[f"text_geometry.table_c3.{name}.{sign}"]) for name in text_geometry.DIMENSIONS for sign in text_geometry.SIGNS}
wide = pd.Series({key: printed[f"text_geometry.table_c3.{key[0]}.{key[1]}"] for key in table_c3}).unstack()[list(text_geometry.SIGNS)]
tables.readable(wide.rename(columns={"pos": "positive side", "neg": "negative side"}).loc[list(text_geometry.DIMENSIONS)]).set_caption("Table C.3: one-sided p, “same side exceeds opposite sides”")

# %% [markdown]
# None of them is below .05, so no difference is significant. The authors call the two sides "valences" and conclude: "positive and negative valences are close in space". In their Figure C.4, which plots the words' vectors and cosines, they see the same. From this they
# expect that, over images, the scores of the two sides of a trait "are positively correlated". Figure C.5 shows these correlations, and they call them "high".
#
# **Their own limits.** The section is itself a check, and stands in the earlier version only. Of pairs of opposites, both versions say that "their antonymic relationship in CLIP’s embedding space remains unconfirmed". (*Antonymic* means opposite.) "Given this uncertainty", one of their measures, SC-WEAT, does without such pairs.
#
# ### Do the printed numbers agree?
#
# Yes, with one exception, which concerns a word list. A sentence of the earlier version takes *conservative* and *liberal* for words of Communion, but the table lists them under Belief. Figures C.4 and C.5 print no numbers that we could check.

# %%
vb.ledger.show(claims)

# %% [markdown]
# (text-geometry-doubt)=
# ### What one may doubt
#
# **Does "not significant" mean close?** No, it means that no difference was shown. How large could the difference be? The paper does not print it, but it can be computed back from the p-value and the number of pairs. We express it as a *standardised difference* d: the mean cosine on the same side minus that on opposite sides,
# divided by the standard deviation of cosines.
#
# How many pairs are there? Each of the six tests takes the pairs within *one* side, and the pairs across. We assume that each pair of different words counts once. A side of Agency or Communion has six words, which make 15 pairs; 36 pairs lie across. A side of Belief has only four words. Here is the test of Agency's positive side:

# %%
p = table_c3["agency", "pos"]
n_same, n_across = 15, 36  # pairs
t = stats.t.isf(p, n_same + n_across - 2)  # the t that has this p
d = t * np.sqrt(1 / n_same + 1 / n_across)
print(f"p = {p}, so t = {t:.2f} and d = {d:.2f}")

n_words = {"agency": 6, "belief": 4, "communion": 6}  # on each side
implied = text_geometry.implied(table_c3, n_words)  # the same for all six
assert np.isclose(d, implied["d"].iloc[0])

# %% tags=["hide-input"]
names = {"pos": "positive side", "neg": "negative side"}
fig = vb.figures.forest(implied.assign(label=[f"{row.dimension}, {names[row.sign]}" for row in implied.itertuples()]), estimate="d", low="low", high="high", label="label",
                        value_label="d: same side minus opposite sides, standard deviations")
vb.figures.show(
    fig,
    name="text-geometry-implied",
    alt="Six standardised differences that follow from the printed p-values, with 95 % intervals; these reach up to " + f"{implied['high'].max():.2f}.",
    caption="The differences that follow from the printed p-values, with 95 % intervals as if pairs were independent. Each row is one test. Right of zero: words on the same side are more alike than words on opposite sides.",
    source="paper:causalface, Table C.3 of the earlier version",
)
vb.note(back={"large": words.among(int((implied["high"] > 0.5).sum()), len(implied))})

# %% [markdown]
# The intervals are wide; see how far they reach to the right. In {glue:text}`back.large` tests, the interval reaches beyond half a standard deviation, which is not small. So the table does not show that the two sides are close. It does not show that they differ, either.
#
# **Are the pairs independent?** No, since every word is in many pairs. Only twelve words make all pairs of Agency. So the true intervals are likely to be wider still.
#
# **Is a large cosine a sign of closeness?** Not if all adjectives have much in common. Here are four words of Agency with made-up vectors. In each vector, the first number is what all words have in common, the
# second is the side, and the third is what else the word means:

# %%
powerful, dominating = np.array([[10, 1, 0.5], [10, 1, -0.5]])
powerless, meek = np.array([[10, -1, 0.5], [10, -1, -0.5]])


def cosine(x, y):
    return x @ y / np.linalg.norm(x) / np.linalg.norm(y)


mean_word = (powerful + dominating + powerless + meek) / 4
for label, other in {"same side": dominating, "opposite sides": powerless}.items():
    plain = cosine(powerful, other)
    centred = cosine(powerful - mean_word, other - mean_word)
    print(f"{label}: cosine {plain:.2f}; with the mean word subtracted {centred:.2f}")

# %% [markdown]
# Before the subtraction, both cosines are nearly 1. Then we subtract the mean word from each word (this is called *centring*), and the common part is gone. Words on the same side are still alike, and opposites are now opposed.
#
# So the *height* of a cosine can come from the common part alone, and "close in space" is about this height. The authors' test does better, since it compares two kinds of pairs: what all words have in common raises both.
#
# ## The protocol, run on {data}
#
# We now compare the same two kinds of pairs in another model. If it does not distinguish the two sides, both kinds should have about the same cosines. If it does, those on the same side should be larger, even where all are high.
#
# [In this edition, the model comes from our laboratory, the *Greenhouse*: {glue:text}`drawn`. [What this world can and cannot show](../../book/greenhouse/limits.md) is one click away.]{.if-run}
#
# Agency by hand:

# %%
prompt_set, encoder = vb.prompts(prompts), vb.encoder(model)
texts = vb.embed(encoder, prompt_set)
adjectives = text_geometry.adjectives(texts)

# one vector of length 1 per word: six positive and six negative words
high = adjectives.mean("positive_agency")
low = adjectives.mean("negative_agency")
one_pair_each = np.triu_indices(len(high), 1)
same = np.append((high @ high.T)[one_pair_each], (low @ low.T)[one_pair_each])
across = high @ low.T  # 6 × 6 cosines

similar = text_geometry.similarities(adjectives)  # all traits, one row per pair
agency = similar[similar["dimension"] == "agency"]
by_kind = agency.groupby("kind")["cosine"].mean()
assert np.allclose([same.mean(), across.mean()], by_kind[["within", "across"]])

# %% tags=["hide-input"]
# only the words are printed: what is plotted are vectors of this model
source = "greenhouse" if texts.source == "greenhouse" else [f"model:{encoder.name}", "paper:causalface, Table 2 (the words alone)"]
fig, ((axis,),) = vb.figures.panels(height=3.6)
strips = similar.assign(strip=similar["pole"].map(SHORT).fillna(similar["dimension"].str[0].str.upper() + "±"))
axis.axhline(similar["cosine"].median(), color=vb.figures.COLOURS["reference"], linewidth=1)
for place, strip in enumerate([*SHORT.values(), "A±", "B±", "C±"]):
    values = strips.loc[strips["strip"] == strip, "cosine"].to_numpy()
    axis.scatter(place + (np.arange(len(values)) * 0.618 % 1 - 0.5) * 0.5, values, 14, color=vb.figures.PALETTE[0] if "±" not in strip else vb.figures.PALETTE[1], alpha=0.6, linewidth=0)
    axis.vlines(place, *np.quantile(values, [0.25, 0.75]), color=vb.figures.COLOURS["muted"], linewidth=3)
    axis.plot(place, values.mean(), "o", color="black", markersize=6)
axis.set(xticks=range(9), xticklabels=[*SHORT.values(), "A±", "B±", "C±"], ylabel="cosine of two adjectives")
middle = similar.groupby("kind")["cosine"].mean()
vb.figures.show(
    fig,
    name="text-geometry-pairs",
    alt=f"Cosines of pairs of adjectives: mean {middle['within']:.3f} on the same side, {middle['across']:.3f} on opposite sides.",
    caption="One point is one pair of words of Agency (A), Belief (B) or Communion (C). Blue: both words on the same side, positive (A+) or negative (A−). Orange: one word from each side (A±). Black dot: mean; bar: middle half of the pairs; grey line: median of all pairs in the figure.",
    source=source,
)
drawn = {"greenhouse": "a small network that we trained on drawn faces of invented groups and on captions that we wrote"}
no_clip = {"greenhouse": "We do not know, because this edition does without CLIP: its weights are a large download"}
vb.note(drawn=drawn.get(texts.source), no_clip=no_clip.get(texts.source), hand={"same": same.mean(), "across": across.mean()})

# %% [markdown]
# For Agency, the mean cosine is {glue:text}`hand.same:.3f` on the same side, and {glue:text}`hand.across:.3f` on opposite sides. In the figure, compare the blue strips with the orange ones.
#
# Could such a difference arise by chance? Each word is in many pairs, so we take the *word* as our unit of analysis. If the sides did not matter, any six of the twelve words of Agency could have been called positive. We go through every
# possible choice of six words, and compute the difference for each. The p-value is the share of choices whose difference is at least as large as the real one.
#
# Each row of the table is one trait, with both sides together. Belief has fewer words, so fewer choices. Three tests have more chances of a false positive than one. So the last column corrects p-values by Holm's method, which makes them larger:

# %%
word_tests = text_geometry.word_tests(adjectives)
whole = word_tests[word_tests["pole"] == "both"].drop(columns="pole")
whole["p_holm"] = holm(whole["p"])  # corrected for three tests
significant = whole[whole["p_holm"] < 0.05]
heads = {"dimension": "trait", "difference": "same − opposite", "relabellings": "choices"}
whole_table = tables.readable(whole, precision=3, names=heads | CORRECTED)
whole_table.format(tables.p_value, subset=["p", "p_holm"]).hide(axis="index")

# %% tags=["hide-input"]
vb.note(words_significant=words.among(len(significant), len(whole)), words_smallest=words.among(int(np.isclose(whole["p"], 2 / whole["relabellings"]).sum()), len(whole)))

# %% [markdown]
# In this model, the two sides are significantly different for {glue:text}`words_significant` traits. For {glue:text}`words_smallest`, p is the smallest that is possible: only the real choice, and the one with the two sides exchanged, have so large a difference.
#
# Where the difference is significant, a model distinguishes the two sides, however high the cosines of opposites are. Does CLIP? [{glue:text}`no_clip`.]{.if-run}
#
# [**And over images?** The authors also find that scores of the two sides rise together over images. The folded part repeats this with our model. {glue:text}`hidden`]{.if-run}
#
# :::{dropdown} Details: the same over images (Figure C.5)
# Over images, too, something in common could hide the opposition. Each adjective is given to the model in a sentence, such as "A photo of a powerful person." Suppose that one picture fits all such sentences better than another picture does, for whatever reason. It then gets higher scores on both sides, and the two sides correlate positively.
#
# We look at this in our model. The score of a side is the mean cosine of an image with the words of that side. For each group of images, we correlate the scores of the two sides over images. We use three kinds of scores. *Raw* scores may be those of Figure C.5; the appendix does not say. For *Δcos*, we subtract the score of a neutral sentence, such as "A photo of a person." Both versions of the paper use it for faces. For *centred* scores, we subtract the mean score of all adjectives.
#
# In the figure below, each panel shows one trait with one kind of score. Each cell is a group of images.
# :::

# %% tags=["hide-cell"]
seen = None
if stimuli:
    seen = vb.perceive(stimuli, model, prompts, root=root, cosines=cosines)
if seen:
    r = text_geometry.correlations(seen)
    weights = vb.cluster_weights(seen.table["seed"], n_resamples=n_resamples, seed=seed)
    order = text_geometry.highest(r, text_geometry.correlations(seen, weights))
    terms = text_geometry.covariances(seen)
else:
    display(Markdown("*Not run here: Figure C.5 needs images, and none were given.*"))

# %% tags=["hide-cell"]
if seen:
    who = CAUSALFACE.groups if seen.source != "greenhouse" else {key: list(dict.fromkeys(r[key])) for key in ("race", "gender")}
    fig, axes = vb.figures.panels(3, 3, height=5.4, share_x=True, share_y=True)
    for axis, ((way, dimension), own) in zip(axes.flat, r.groupby(["way", "dimension"], sort=False), strict=True):
        square = own.pivot(index="gender", columns="race", values="r").loc[list(who["gender"]), list(who["race"])]
        axis.imshow(square, cmap="PuOr", vmin=-1, vmax=1, aspect="auto")
        for (i, j), value in np.ndenumerate(square.to_numpy()):
            axis.text(j, i, f"{value:.2f}", ha="center", va="center", color="white" if abs(value) > 0.72 else "black", fontsize=12)
        axis.set(title=f"{dimension}, {WAYS[way]}", xticks=range(len(square.columns)), xticklabels=square.columns, yticks=range(len(square)), yticklabels=square.index)
        axis.grid(False)
    mean_r = r.groupby(["way", "dimension"], sort=False)["r"].mean()
    vb.figures.show(
        fig,
        name="text-geometry-heatmaps",
        alt="Correlations of the two sides over images, per group; mean " + ", ".join(f"{dimension}, {WAYS[way]} {value:.2f}" for (way, dimension), value in mean_r.items()) + ".",
        caption=f"As Figure C.5: Pearson's r of the two sides over the images of each group ({len(seen):,} images in all), scored in three ways.",
        source="greenhouse" if seen.source == "greenhouse" else f"real:{seen.stimuli}",
    )
    raw_order = order[order["way"] == "raw"]
    named = " (invented groups, named by their hue, a colour, and their crest)" if seen.source == "greenhouse" else ""
found = (words.listed(terms.loc[terms["delta"] < terms["raw"], "dimension"]), raw_order["same"].min(), words.listed(raw_order["group"].unique()) + named) if seen else [None] * 3
vb.note(hidden=text_geometry.hidden(r) if seen else None)
vb.note(**dict(zip(("removes", "sure", "first"), found, strict=True)))

# %% [markdown]
# :::{dropdown} Details: what a subtraction does, Figure C.4, and other readings of the test
# *Subtracting the same thing from both.* Let $x$ and $y$ be the scores of the two sides, and $n$ that of the neutral sentence. How strongly the two sides vary together after subtracting $n$ depends on four terms:
#
# $$\begin{aligned} \operatorname{cov}(x - n, y - n) ={}& \operatorname{cov}(x, y) - \operatorname{cov}(x, n) \\
# &- \operatorname{cov}(y, n) + \operatorname{var}(n). \end{aligned}$$
#
# The middle two terms remove what each side shares with $n$; the last adds the variance of $n$. So the covariance can become smaller or larger. [Here, Δcos makes it smaller in: {glue:text}`removes`.]{.if-run} A correlation can fall in other traits, too, since it also
# depends on the variances.
#
# *The group with the highest r.* In Figure C.5, it is Asian men in every trait. [Here, over the three traits, we find {glue:text}`first`. How sure is that? We resampled the people many times. For the least certain trait, the same group came out highest in {glue:text}`sure:.0%` of the resamples; full certainty would be 100 %.]{.if-run}
# [Without images, no group is highest here.]{.if-not-run}
#
# *Figure C.4* plots the words on three principal components. Here these hold {glue:text}`pc_share:.0%` of the variance. The *silhouette* says how well a word's place tells its side: 1 if the sides are tight and far apart, 0 if they overlap. Here it is {glue:text}`cloud:.2f`.
#
# *Other readings of the test.* The paper's text leaves three things open. Words are said in four sentences: are their vectors averaged, or compared sentence by sentence? Does a pair count once, or both ways, or also a word with itself? Are variances taken as equal? We computed all six p-values
# under five sets of answers. Whether p is below .05 depends on the answers for {glue:text}`reading_flips` p-values. Under the reading that we use on this page, the t-test is significant for {glue:text}`ours_significant` in this model, and for {glue:text}`printed_significant` in the paper's table.
#
# *How we evaluate the paper's words on a model.* We read "closely clustered" as a silhouette below 0.25. We read "close" as six p-values above .05. This repeats the authors' criterion, though it does not show closeness. What the paper says of its groups is evaluated only on its own faces.
# :::

# %% tags=["hide-cell"]
if seen:
    display(tables.readable(terms.set_index("dimension").mul(1e4), names={"less_positive": "less: positive, neutral", "less_negative": "less: negative, neutral", "neutral_variance": "plus: neutral, neutral", "delta": "Δcos"}).set_caption("Covariance of the two sides over all images × 10⁴: raw, what subtracting the neutral sentence adds, and the result"))

# %% tags=["hide-cell"]
cloud, share = text_geometry.cloud(adjectives)
names = tuple(f"PC {k + 1} ({share[k]:.0%})" for k in range(3))
shown = cloud.assign(pole=cloud["pole"].map(SHORT | {"": "SCM only"})).sort_values("pole", kind="stable", ignore_index=True)
shown = shown.rename(columns=dict(zip(["pc1", "pc2", "pc3"], names, strict=True)))
apart = text_geometry.silhouette(cloud)
fig, ((left, right),) = vb.figures.panels(1, 2, height=4.2)
for axis, second in ((left, names[1]), (right, names[2])):
    for pole, colour in vb.figures.colours_for(shown["pole"]).items():
        own = shown.loc[shown["pole"] == pole, [names[0], second]]
        mark = "o" if pole.endswith("+") else "s" if pole in SHORT.values() else "x"
        axis.plot(*own.T.to_numpy(), mark, color=colour, alpha=0.8, label=pole)
        if pole in SHORT.values():
            centre = np.tile(own.mean().to_numpy(), (len(own), 1))
            axis.plot(*np.stack([own, centre]).transpose(2, 0, 1), color=colour, alpha=0.35, linewidth=0.8)
    axis.set(xlabel=names[0], ylabel=second)
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=4, handletextpad=0, columnspacing=0.6)
vb.figures.show(
    fig,
    name="text-geometry-cloud",
    alt=f"The vectors of {len(cloud)} adjectives, first against second and first against third principal component, which hold {share[:3].sum():.0%} of the variance; thin lines tie each to the middle of its side. Silhouette by side {apart:.2f}.",
    caption="As Figure C.4: the adjectives' vectors on their first three principal components, two at a time. Thin lines lead to the middle of each side. Colour: Agency (A), Belief (B), Communion (C); circles positive, squares negative; crosses: words of Warmth or Competence alone.",
    source=source,
)
vb.note(pc_share=share[:3].sum(), cloud=apart)

# %% tags=["hide-cell"]
READINGS = {
    "described": dict(average=True, pairs="once", welch=False),
    "Welch": dict(average=True, pairs="once", welch=True),
    "pairs both ways": dict(average=True, pairs="both ways", welch=False),
    "with itself": dict(average=True, pairs="with itself", welch=False),
    "per template": dict(average=False, pairs="once", welch=False),
}
readings = text_geometry.readings(adjectives, READINGS)
flips = int(((readings < 0.05).any() & (readings > 0.05).any()).sum())
vb.note(reading_flips=words.among(flips, readings.shape[1]),
        ours_significant=words.among(int((readings.loc[protocol] < 0.05).sum()), readings.shape[1]), printed_significant=words.among(sum(value < 0.05 for value in table_c3.values()), len(table_c3)))
tables.readable(pd.concat([readings, pd.DataFrame(table_c3, index=["printed, for CLIP"])]).set_axis(list(SHORT.values()), axis=1)).format(lambda p: tables.p_value(p, smallest=1e-300)).set_caption(
    "One-sided p (same side > opposite sides) under each reading, and as printed"
)

# %% tags=["hide-cell"]
tables.readable(word_tests, precision=3, names=heads | CORRECTED | {"pole": "side"}).format(tables.p_value, subset=["p", "p_holm"]).hide(axis="index").set_caption("Same side − opposite sides, both together and each side by itself, with every possible choice of words; corrected for nine tests")

# %% tags=["hide-cell"]
counted = text_geometry.counts(adjectives)
for claim, value in counted.items():
    vb.ledger.record(f"text_geometry.{claim}", value, results=results, stimuli=prompt_set.name, model="none")
for claim, value in text_geometry.of_words(readings.loc[protocol], apart).items():
    vb.ledger.record(f"text_geometry.{claim}", value, results=results, stimuli=prompt_set.name, model=encoder)
if seen:  # what is said of the paper's groups is not evaluated on drawings
    for claim, value in text_geometry.of_images(r, groups_named=seen.source != "greenhouse").items():
        vb.ledger.record(f"text_geometry.{claim}", value, results=results, stimuli=seen, model=seen)

# %% [markdown]
# (text-geometry-centred)=
# ## What this method can see: opposites, if cosines are compared with each other
#
# In the [Greenhouse](../../book/greenhouse/limits.md) we know how opposite two words are, because we wrote the captions from which networks learn. "Powerful" and "powerless" stand in sentences of the same form, so they have something in common. (In real language, opposites may have other things in common.) But a face that is often called powerful
# is seldom called powerless.
#
# *How* opposite are two sides? For every face, we know how likely its captions are to use the words of each side. We correlate the two sides over faces. A negative correlation means that they are opposites.
#
# Do networks learn this? We look at {glue:text}`networks` networks, each trained anew. The captions of some treat all groups of faces alike; the captions of others favour some groups. In all of them, the two sides of a trait are opposites.
#
# The table shows the first of these networks (not the model of the section above). Its first row compares the two sides of Agency. The second row is a check: positive Agency and positive Communion go *together* in the captions. If centring made any two words look opposite, their cosine would become negative, too.

# %%
spoken, trained = grammar.load(), retrained.vectors()
people = truth.population(2_000)


def expected(faces, b):
    """How likely each face's captions use the words of each trait (log odds)."""
    return truth.per_face(spoken, faces, b, axes=CAUSALFACE.dimensions)


of_captions = {b: expected(people, b).corr() for b in trained.networks["b"].unique()}
rows = {}
for name in CAUSALFACE.dimensions:
    rows[name] = trained.words_of(name, slot=spoken.slot_of(name))
sides = text_geometry.text_sides(trained, rows, of_captions)

# the first network by hand: plain cosines, and with the mean adjective subtracted
vectors = trained.word_vectors[0].astype(float)
every = np.unique(np.concatenate(list(rows.values())))  # each adjective once
mean_adjective = vectors[every].mean(axis=0)


def mean_cosine(one, other, less=0):
    """Mean cosine of the words of two sides, with `less` subtracted from each."""
    moved = vectors - less
    unit = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    return (unit[rows[one]] @ unit[rows[other]].T).mean()


in_captions = of_captions[trained.networks["b"].iloc[0]]
pairs = {
    "powerful … and powerless …": ("positive_agency", "negative_agency"),
    "powerful … and trustworthy …": ("positive_agency", "positive_communion"),
}
by_hand = pd.DataFrame(
    {
        "r in the captions": {name: in_captions.loc[pair] for name, pair in pairs.items()},
        "plain cosine": {name: mean_cosine(*pair) for name, pair in pairs.items()},
        "centred cosine": {
            name: mean_cosine(*pair, less=mean_adjective) for name, pair in pairs.items()
        },
    }
)
of_one = sides.query("network == 0 and dimension == 'agency'")["across"]  # plain, centred
assert np.allclose(by_hand.iloc[0, 1:].astype(float), of_one)
assert by_hand["centred cosine"].iloc[0] < 0 < by_hand["centred cosine"].iloc[1]
tables.readable(by_hand.rename_axis("words").reset_index()).hide(axis="index")

# %% [markdown]
# Plain cosines are high in both rows, but opposites have the lower one. With the mean adjective subtracted, opposites have a negative cosine, and words that go together still a positive one. So centring does not make any two words look opposite.
#
# Is this so in all networks? In the figure, one dot is one network; compare the grey dots with the coloured ones:

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 3, height=3.8, share_y=True)
planted = dict(color=vb.figures.COLOURS["planted"], markersize=9, markeredgewidth=2)
for axis, (dimension, own) in zip(axes[0], sides.groupby("dimension", sort=False), strict=True):
    for is_centred, colour, label in ((False, vb.figures.COLOURS["reference"], "plain cosine"), (True, vb.figures.COLOURS["recomputed"], "centred cosine")):
        part = own[own["centred"] == is_centred]
        axis.plot(part["b"] + (np.arange(len(part)) * 0.618 % 1 - 0.5) * 0.06, part["across"], "o", color=colour, alpha=0.4, markersize=4, label=label)
    known = own.groupby("b")["expected"].first()
    axis.plot(known.index, known, "x", label="in the captions: r over faces", **planted)
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.set(title=dimension)
axes[0, 0].set_ylabel("cosine, or r, of opposite sides")
axes[0, 1].set_xlabel("how differently captions treat groups (0: all alike)")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, handletextpad=0.1, columnspacing=0.8)
typical = sides.groupby("centred")[["across", "expected"]].mean().unstack()
vb.figures.show(
    fig,
    name="text-geometry-centred",
    alt=f"Cosines of opposite words in every network: on average {typical['across', False]:.2f} plain and {typical['across', True]:.2f} centred; r in the captions is {typical['expected', False]:.2f}.",
    caption=f"Mean cosine of opposite words in {len(trained.networks)} networks, before and after subtracting the mean adjective (one dot per network), and how opposite the words are in the captions (crosses).",
    source="greenhouse",
)
plain, moved = (sides[sides["centred"] == is_centred] for is_centred in (False, True))
lower = (plain["across"] < plain["within"]).groupby(plain["network"]).all()  # for every trait
below = (moved["across"] < 0).groupby(moved["network"]).all()
vb.note(networks=len(trained.networks), adjectives=len(every), across={"plain": plain["across"].mean(), "centred": moved["across"].mean()},
        agreement={"plain": plain["agreement"].mean(), "centred": moved["agreement"].mean()},
        lower=words.among(int(lower.sum()), len(lower)), below=words.among(int(below.sum()), len(below)), learnt=words.verb((lower & below).mean(), above=0.9, then="is learnt", else_="is not always learnt"))

# %% [markdown]
# The grey dots are plain cosines of opposites, {glue:text}`across.plain:.2f` on average. The coloured dots are the same cosines after centring, {glue:text}`across.centred:z.2f` on average. In {glue:text}`below` networks, they are below zero for every trait.
#
# Plain cosines hold this information, too, if they are compared *with each other*. In {glue:text}`lower` networks, opposites have a lower plain cosine than words on the same side, for every trait. So centring is not needed to see the difference; it changes the sign.
#
# So in these networks, the opposition {glue:text}`learnt`, and the height of a plain cosine does not show it. The mean that we subtracted comes from {glue:text}`adjectives` adjectives. How many are enough, we do not know. Two are too few: with their own mean subtracted, any two words look opposite.
#
# :::{dropdown} Details: all pairs of lists, and the same over images
# *Do cosines say how opposite two sides are?* There are eight lists of adjectives: the six sides, and two more traits, Warmth and Competence. We compared every list with every other, as in the table. The more two lists go together in the captions, the higher is their cosine. Over all pairs of lists, the two numbers correlate at
# r = {glue:text}`agreement.plain:.2f` for plain cosines, and at {glue:text}`agreement.centred:.2f` for centred ones (mean over networks).
#
# *Over images,* the result differs. We take neutral faces, all of the same age, light and pose. For these, the two sides of a trait correlate at {glue:text}`called:.2f` in the captions, on average. (Further up, the faces also differ in smile, age, light and pose. This is one reason why the correlation there is weaker.)
# The raw scores of the networks correlate at {glue:text}`image.raw:.2f`, Δcos at {glue:text}`image.delta:.2f`, and centred scores at {glue:text}`image.centred:.2f`. The closest to the captions are the {glue:text}`nearest` scores.
#
# Does this speak against centring? It shows when centring is needed. The *words* had so much in common that opposites looked alike, and subtracting it brought the opposition to light. In the *images* of these networks, the opposition shows in raw scores already.
#
# What does centring do where it is not needed? Centred scores of a face sum to zero over all traits. They cannot all rise together, so their correlations become more negative on average. The same happens in the captions: if we subtract, for each face, the mean over
# all traits, the correlation there moves from {glue:text}`called:.2f` to {glue:text}`called_centred:.2f`. This arithmetic is one part of the difference; we did not look for the others.
#
# In another model, images may have more in common, and raw scores of true opposites can correlate positively. We do not know whether this explains the result for CLIP. So report raw and centred results side by side, and say what you subtracted.
# :::

# %% tags=["hide-cell"]
panel = retrained.scores("grid")
prototypes = (panel.images["set"] == "grid") & (panel.images["subset"] == "prototype")
sights = text_geometry.image_sides(panel, panel.networks["condition"] == "none", prototypes, expected)
fig, axes = vb.figures.panels(1, 3, height=3.8, share_y=True)
for axis, (dimension, part) in zip(axes[0], sights.groupby("dimension", sort=False), strict=True):
    for (way, label), colour, aside in zip(WAYS.items(), (vb.figures.COLOURS["reference"], *vb.figures.PALETTE[2:5:2]), (-0.05, 0, 0.05), strict=True):
        own = part[part["way"] == way]
        axis.plot(own["b"] + aside, own["r"], "o", color=colour, alpha=0.5, markersize=4, label=label)
    wanted = part.groupby("b")["expected"].first()
    axis.plot(wanted.index, wanted, "x", label="captions", **planted)
    axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
    axis.set(title=dimension)
axes[0, 0].set(ylabel="r of the two sides over faces", ylim=(-1.05, 1.05))
axes[0, 1].set_xlabel("how differently captions treat groups (0: all alike)")
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=4, handletextpad=0.1, columnspacing=0.8)
image, called = sights.groupby("way", sort=False)["r"].mean(), sights["expected"].mean()
vb.figures.show(
    fig,
    name="text-geometry-images",
    alt=f"Correlation of the two sides over {int(prototypes.sum())} neutral faces in every network: mean " + ", ".join(f"{image[way]:.2f} {label}" for way, label in WAYS.items()) + f"; in the captions it is {called:.2f}.",
    caption="Correlation of the two sides over neutral faces, one dot per network and way of scoring; crosses: in the captions.",
    source="greenhouse",
)
off = (sights["r"] - sights["expected"]).abs().groupby(sights["way"]).mean()
vb.note(called_centred=sights["expected_centred"].mean(), image=image, called=called, nearest=words.extreme([off[way] for way in WAYS], list(WAYS.values()), largest=False))

# %% [markdown]
# ### What this means for the paper
#
# The authors were right to examine their words before they used them, and to compare two kinds of pairs. But with so few words, the comparison may have missed a difference. And high cosines of opposites say little about whether CLIP distinguishes them. The command below computes the difference for CLIP, and tests it with words as the unit of analysis.
#
# Does Δcos help, which both versions use for faces? It subtracts the score of a neutral sentence. This removes what all sentences have in common, if the neutral sentence has it, too. Where it does not, the subtraction itself puts something in common into both sides, as Exercise 1 shows.

# %% [markdown]
# ## Where paper and code differ
#
# The list is for readers who check the analysis or rerun it.
#
# :::{dropdown} The differences, point by point
# | | earlier appendix | here |
# |---|---|---|
# | code of Table C.3 and Figures C.4, C.5 | not in the authors' repository (commit `a2daa85`) | written from the text; every reading above |
# | the images of Figure C.5 | not said | all images of `stimuli` |
# | spelling of a word of Warmth | "likeable" in its Table A.2 and the paper's Table 2, "likable" in its text and in the code | "likeable"; with `prompts` = `social_perception/released`, "likable" |
# | belief and communion | "belief demonstrates the strongest correlation, whereas communion exhibits the weakest … This latter finding aligns with expectations, given that communion adjectives are more akin to political dichotomies, like conservative versus liberal" | the paper's Table 2 lists "conservative" and "liberal" under Belief, not Communion. The reason given may have been meant for Belief, which has the strongest correlation |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/text_geometry -p model ViT-B-32-quickgelu/openai -p stimuli ""
# ```
# This runs the page on CLIP's own words, without images. The weights of CLIP are downloaded by open_clip when first used.
# :::

# %% [markdown]
# (text-geometry-take)=
# ## Take-aways
#
# - A high cosine between two words can come from what all words of that kind have in common. Compare it with other cosines, or subtract the mean of many words first.
# - "Not significant" is not "close". Report the difference and its interval.
# - Pairs share words, so pairs are not independent. Make the word the unit of analysis.

# %% [markdown]
# ## Exercises
#
# :::{exercise} A baseline in common
# :label: text-geometry-baseline
# :level: intermediate
# :minutes: 10
# :code: no
# Let two scores $x, y$ and a baseline $n$ be independent, with variances 1, 1 and $v$. What is the correlation of $x - n$ and $y - n$, and what is it at $v = 1/2$? (The solution checks it by simulation.)
# :::
#
# ```{solution-start} text-geometry-baseline
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
draw = np.random.default_rng(seed)
x, y, n = draw.normal(size=(3, 100_000)) * np.sqrt([[1], [1], [0.5]])
found = np.corrcoef(x - n, y - n)[0, 1]
print(f"{found:.3f}; by the formula v / (1 + v) = {0.5 / 1.5:.3f}")
assert abs(found - 0.5 / 1.5) < 0.01

# %% [markdown]
# $\operatorname{Cov}(x - n, y - n) = \operatorname{Var}(n) = v$, and each difference has the variance $1 + v$. Two scores that have nothing in
# common correlate at $v / (1 + v)$, because the same baseline was taken from both.
#
# ```{solution-end}
# ```
#
# :::{exercise} How often does the t-test over pairs find a difference where there is none?
# :label: text-geometry-false-positives
# :level: advanced
# :minutes: 20
# :code: yes
# Draw 12 random word vectors that differ in how close they are to a common direction, and call six of them positive at random. Compare the cosines of the positive words with those across the two sides, in a one-sided t-test over pairs. How often is it significant
# at 5 %?
# :::
#
# ```{solution-start} text-geometry-false-positives
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
found = []
for _ in range(1_000):
    pull = draw.uniform(0.5, 2.5, size=(12, 1))
    drawn = np.hstack([pull, draw.normal(size=(12, 30)) / np.sqrt(30)])
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    gram = drawn @ drawn.T
    found.append(stats.ttest_ind(gram[:6, :6][np.triu_indices(6, 1)], gram[:6, 6:].ravel(), alternative="greater").pvalue < 0.05)
print(f"{np.mean(found):.0%} in place of 5 %")
assert np.mean(found) > 0.08

# %% [markdown]
# Every word takes part in many pairs: one that lies near the common direction raises all of its pairs. The t-test counts each pair as independent,
# and so sees more evidence than twelve words hold. Assign the labels to words at random, not to pairs.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Should "competent" and "incompetent" be close in a space that is meant to *describe* pictures? Which uses of the model want them close, which apart?
# 2. The published paper drops this appendix, and keeps to differences from a neutral sentence. Which of the appendix's worries do these answer, and which not?
