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
# # Who is "we"?
#
# *Wolfe and Caliskan (2022), Table 2: are White faces nearer to "we" than other faces?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Three models place photographs of White people nearer to words such as *we* than photographs of other people, in most
# comparisons. The p-values are tiny. What are they about: these three models, or the way in which such models are trained?
#
# **In 20 minutes:** {ref}`What the paper reports <we-they-found>`, {ref}`What one may doubt, and the answer in one figure <we-they-answer>`,
# {ref}`What this means <we-they-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means, standard deviations, a t-test. The primers "[Embedding association tests](../../book/primers/association.md)"
# and "[The target of a claim](../../book/primers/targets.md)" help.
#
# **Content note.** The paper compares photographs of Asian, Black, Latina/o and White people. No photograph is shown here. Our own
# faces are drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** People in the United States connect *American* with *White* more readily than with other groups, even if they endorse
# equality {cite:p}`devos2005`. One way to test this is to let them pair faces with words such as *we* and *they*. {cite:t}`wolfe2022` carry this test over to models.
#
# **The test.** The authors give {claim}`we_they.n-all` portraits to three models: CLIP, SLIP and BLIP. The people in the portraits said
# themselves whether they are Asian, Black, Latina/o or White {cite:p}`ma2015`. A model turns every portrait and every word into a list of
# numbers. The cosine of two lists says how near a portrait and a word lie. A portrait's *score* is its mean cosine with eight *We* words (such
# as *we, ours, us*), minus its mean cosine with eight *They* words (such as *they, theirs, others*).
#
# The authors compare the mean scores of two groups. The difference, divided by the standard deviation within the groups, is the effect size
# $d$. Where it is positive, White faces are nearer to *we*. The *p*-value comes from Welch's t-test, which compares the difference of the
# groups with the variation between portraits.
#
# :::{dropdown} All words, and the same as formulas
# *We*: {claim}`we_they.words-we`. *They*: {claim}`we_they.words-they`.
#
# With embedded portraits $X$ and $Y$ of two groups, and embedded words $A$ (*We*) and $B$ (*They*), a portrait $w$ has the score
#
# $$\begin{aligned} s(w, A, B) ={}& \operatorname{mean}_{a \in A} \cos(w, a) \\
# &- \operatorname{mean}_{b \in B} \cos(w, b). \end{aligned}$$
#
# The groups differ in size. So the difference is divided by the *pooled* standard deviation (Eq. 4):
#
# $$\begin{gathered} d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}{\sigma_p}, \\[1ex]
# \sigma_p^2 = \frac{(N_1 - 1)\,\sigma_1^2 + (N_2 - 1)\,\sigma_2^2}{N_1 + N_2 - 2}. \end{gathered}$$
#
# As a check, the authors also used groups of equal size. The results were "broadly consistent".
# :::
#
# **What the authors conclude.** "Across three models, images of White individuals are consistently associated with collective in-group
# words when compared with images of Asian, Black, or Latina/o individuals, with all effect sizes for the White vs. Asian
# comparison > 0.4." In the abstract they conclude from all their experiments that such biases "are learned by language-and-image AI".
#
# **Their own limits.** They made no "thorough evaluation of the training data". And changing the prompt, the text around the words, "will
# produce different embedding association results in some circumstances".

# %% tags=["parameters", "hide-input"]
model = "greenhouse"  # the encoder under test: "greenhouse" (planted associations), or another; a model
beside = []  # further encoders, whose values are recorded too: for the paper's, those of BLIP and SLIP, in this order; a model
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
reference = ""  # the group X of every test; without one, the hue for whose faces captions say "we" most often, or, of people, "white", in a folder of yours the first; empty or a group
prompts = "we_they"  # words with the dimensions We and They; a prompt set
protocol = "described"  # which protocol the headline follows, the paper's text or the code; one of: described, released
n_resamples = 999  # bootstrap resamples behind each interval; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/we_they.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import associations, roles, tables, words
from studies.american_white import agreement, claimed, false_positives, pictured, we_they
from studies.shown import shown
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (we-they-found)=
# ## What the paper reports: White faces are nearer to *we*, with two exceptions
#
# Table 2 compares White people with three other groups, in three models:

# %% tags=["hide-cell"]
printed = we_they.printed_cells(vb.ledger.claim, "we_they")
printed[["cell", "text", "p", "n_x", "n_y"]].rename(columns={"text": "d"})

# %% tags=["hide-input"]
bounded = printed[printed["power"].notna()]
above = words.among(int((bounded["number"] > 0).sum()), len(printed))
aside = {"none": words.listed(printed.loc[printed["power"].isna(), "cell"]), "below": words.listed(bounded.loc[bounded["number"] < 0, "cell"])}
vb.figures.show(
    vb.figures.forest(printed, estimate="number", low="low", high="high", label="cell", group="network",
                      value_label="printed d, with the 95 % interval it implies"),
    name="we-they-table2",
    alt=f"Effect sizes with intervals: {above} are positive and reported as significant. Not significant: {aside['none']}; "
    f"significant and negative: {aside['below']}.",
    caption="Table 2, redrawn. To the right of zero, photographs of White people are nearer to the We words. The intervals are ours: "
    "how far d could move with other photographs and the same model.",
    source="paper:american_white, Table 2",
)
vb.note(above=above, aside=aside)

# %% [markdown]
# In {glue:text}`above` comparisons, White faces are nearer to *we*, and the difference is reported as significant. White and Asian faces differ most consistently:
# $d$ lies between {claim}`we_they.asian-smallest` and {claim}`we_they.asian-largest` in all three models.
#
# Two comparisons do not fit. One is not significant ({glue:text}`aside.none`), and one is reversed ({glue:text}`aside.below`). The results
# section reports both; the introduction, quoted above, does not mention them.
#
# **Do the printed numbers agree with each other?** They can. The table does not print p itself, only a bound above it, such as 10⁻⁵. Of
# the bounds, {glue:text}`held.sign.free` are possible if p counts only differences in the observed direction (one tail), and if scores vary more in
# some groups than in others. The authors do not print how much scores vary, and do not say which tail they used.

# %% tags=["hide-cell"]
def needed(row):
    """What has to be true for a printed bound to hold."""
    if row.equal or not row.free:
        return ("possible" if row.alike else "possible if d and the test divide differently (W1)") if row.equal else "impossible"
    return f"if the first group varies {'more' if row.ratio > 1 else 'less'}: SD ratio {'≥' if row.ratio > 1 else '≤'} {row.ratio:.2f}"


readings = we_they.readings(printed)
audit = vb.ledger.audit("american_white")  # the checks of the ledger
audit = audit[(audit["notebook"] == "american_white/we_they") & (audit["rule"] != "")]
failed = audit.loc[~audit["verdict"].str.startswith("consistent"), "printed"]
tested = readings[readings["power"].notna()].copy()
tested["needs"] = [needed(row) for row in tested.itertuples()]
possible = tested.groupby("tail", sort=False)[["alike", "free"]].sum()  # how many bounds can be true
possible.index = ["sign", "two", "greater"]
by_tail = tested.pivot(index="cell", columns="tail", values="needs").reindex(index=bounded["cell"], columns=list(we_they.TAILS))
by_sign, fixed = (tested[tested["tail"] == tail] for tail in ("by its sign", "always greater"))
unmet = by_sign[~by_sign["alike"]]
sizes = printed[["n_x", "n_y"]].stack()
vb.note(held={key: words.among(hits, len(bounded)) for key, hits in possible.stack().items()},
        audit={"fail": words.listed(failed)},
        divisor=(np.sqrt(sizes / (sizes - 1)) - 1).agg(["min", "max"]),
        impossible={"cells": words.listed(fixed.loc[~fixed["free"], "cell"]), "p": np.floor(100 * fixed.loc[~fixed["free"], "low"].min()) / 100},
        unmet={"magnitude": words.among(int(unmet["magnitude"].sum()), len(unmet)), "ratio": np.exp(np.abs(np.log(unmet["ratio"])).max())})
tails = {"by its sign": "one tail, on the side of d", "two-sided": "two tails", "always greater": "one tail, always White"}
tables.readable(by_tail.assign(**{"printed d": bounded["text"].to_numpy(), "printed p": bounded["p"].to_numpy()})[["printed d", "printed p", *by_tail]].rename_axis(columns=None), names=tails)

# %% [markdown]
# :::{dropdown} Details of this check
# The folded table above asks of every printed bound: can p be so small, with the printed $d$ and the sizes of the groups? How much scores vary in each group
# is not printed, so we try all ratios of the two standard deviations (SD).
#
# - *One tail, on the side of $d$.* With equal SDs {glue:text}`held.sign.alike` bounds are possible, with some ratio of SDs {glue:text}`held.sign.free`. The
#   ratios need not go beyond {glue:text}`unmet.ratio:.2f`. Of those not possible with equal SDs, {glue:text}`unmet.magnitude` are right if "< 10⁻⁵" stands for a p such as 2 · 10⁻⁵.
# - *Two tails.* With some ratio, {glue:text}`held.two.free`.
# - *One tail, always on the side of White faces*, as in the released code: {glue:text}`held.greater.free`. For {glue:text}`impossible.cells`, p would be
#   above {glue:text}`impossible.p:.2f`.
#
# Of the statements, "{glue:text}`audit.fail`" does not hold.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/we_they"))

# %% [markdown]
# (we-they-answer)=
# ## What one may doubt, and the answer in one figure
#
# The p-values of Table 2 are tiny, down to p {claim}`we_they.slip.wa.p`. But Welch's test sees that *portraits* vary, not that *models* vary, because each of the nine tests is made with one model. There are at least two questions:
#
# | the question is about | question | what has to vary |
# |---|---|---|
# | this model | Would this model show the difference with other portraits of the same kind? | portraits |
# | training | Would a model that is trained again, in the same way, show it? | models |
#
# Table 2 answers the first question. The authors also write that biases "are learned". One can read this as
# an answer to the second.
#
# (we-they-real)=
# ### In nine real models: the same portraits, other words
#
# We know of no published We/They tests of other models. But nine CLIP models of OpenAI, trained on one data set, scored the same portraits with 25 pleasant and 25 unpleasant words {cite:p}`ghate2025`. The test has the same form: pleasant minus unpleasant, instead of *We* minus *They*. With the authors' groups, we get $d$ and Welch's p (two tails) for each model, among them the authors' CLIP, ViT-B/32. Three rows:

# %%
valence = we_they.white_minus(facts.table("cfd_valence"), "cosine")
valence = valence[~valence["model"].str.startswith("mean of")]
valence.head(3).round(3)

# %%
over_nine = valence.pivot(index="model", columns="against", values="d")
clear = valence.assign(side=np.sign(valence["d"]) * (valence["p"] <= 0.05))
summary = over_nine.agg(["min", "max"]).T
eight = over_nine.drop(index="ViT-L/14@336px", errors="ignore")
summary["SD over eight models"] = eight.std()
for side, called in ((-1, "significant, d < 0"), (1, "significant, d > 0")):
    summary[called] = (clear["side"] == side).groupby(clear["against"]).sum()
summary.round(2)

# %% tags=["hide-input"]
errors = [(high - low) / (2 * stats.norm.isf(0.025)) for low, high in map(we_they.implied, valence["d"], valence["n_x"], valence["n_y"])]  # of d, over portraits
asian = valence[(valence["against"] == "Asian") & valence["model"].isin(eight.index)].sort_values("p")
own = over_nine.reindex(["ViT-B/32"]).iloc[0]
clip = {race: vb.ledger.claim(f"we_they.clip.w{letter}.d").printed.number for race, letter in (("Asian", "a"), ("Latino", "l"))}
spread = summary["SD over eight models"]
whole = over_nine.shape == (9, 3) and not over_nine.isna().any(axis=None)
ends = {"least": ("p", 0), "first": ("model", 0), "largest": ("p", -1), "last": ("model", -1)}
vb.note(models={name: asian[column].iloc[place] if whole else None for name, (column, place) in ends.items()},
        real_sd={"low": spread.min(), "error": max(errors)},
        clear_below={race: f"{n} of {len(over_nine)}" for race, n in summary["significant, d < 0"].items()})
vb.holds(
    models_differ=bool(asian["p"].iloc[0] < 1e-6 and asian["p"].iloc[-1] > 0.2) if whole else None,
    none_reversed=bool((summary["significant, d > 0"] == 0).all() and (summary["significant, d < 0"] > 0).all()) if whole else None,
    not_pleasant=bool(all(own[race] < 0 < value for race, value in clip.items())) if whole else None,
    models_more=bool(spread.min() > max(errors)) if whole else None,
)

# %% [markdown]
# **p does not say how large the difference is in the next model.** We leave out one of the nine, a near copy of another. [For White − Asian, p is {glue:text}`models.least:.0e` in {glue:text}`models.first`, and {glue:text}`models.largest:.2f` in {glue:text}`models.last`, which learned from the same pictures.]{.holds #models_differ}
# [Over the eight, the standard deviation of $d$ is {glue:text}`real_sd.low:.2f` or more in each comparison. Other portraits would move a single $d$ less: its standard error is {glue:text}`real_sd.error:.2f` at most.]{.holds #models_more}
#
# **But in this test, no model contradicts another.** [Compared with Asian, Black and Latina/o people, White people's portraits have a significantly lower valence (fit to pleasant words minus fit to unpleasant words) in {glue:text}`clear_below.Asian`, {glue:text}`clear_below.Black` and {glue:text}`clear_below.Latino` models. In no comparison is a model significant in the other direction.]{.holds #none_reversed} This speaks for the authors. These models share data and maker. SLIP and BLIP differ in more, and [they do contradict each other in one comparison of Table 2, White − Latina/o (there, CLIP agrees with BLIP).]{.holds #paper_reversed}
#
# **And pleasant words do not explain "we",** which speaks for the authors, too. [In their CLIP, White people's portraits are nearer to *we* than those of Asian and Latina/o people, but do not lean more to pleasant than to unpleasant words.]{.holds #not_pleasant} ([More about these portraits](../real/faces.ipynb).)
#
# ### In small networks: where no difference was taught
#
# We cannot train CLIP again. So in our laboratory, the [Greenhouse](../../book/greenhouse/limits.md), we trained small networks
# on drawn faces in four colours, and on captions that we wrote. Here we use {glue:text}`n_null` *null networks*: their captions say *we*
# and *they* equally often for every colour.
#
# A null network may still place faces of one colour nearer to *we*. Then its training has left this by accident. How often does the authors' test call such an accident significant? A valid
# test about training would do so in about 1 of 20 tests, with few faces or with many.
#
# We make the authors' test in each null network, with {glue:text}`half` faces of one colour and {glue:text}`half` of another, all of different
# people:

# %%
spoken = grammar.load()
portraits = retrained.scores("people")  # what many networks make of the same people
said = partial(truth.counted, spoken, portraits.images, "race", axes=["we"])
# the colours whose captions say "we" most and least often, in other networks
favoured = spoken.bias.roles["favoured"]
other = said(b=1.0)["we"].drop(favoured).idxmin()

every = np.ones(len(portraits.images), bool)
trained_alike = portraits.networks["condition"] == "none"
seen = shown(portraits, ["we", "they"], networks=trained_alike, images=every)
b = seen.networks["b"]  # how strongly captions favour a colour
untaught = (b == 0).to_numpy()  # networks whose captions treat all colours alike
scores = seen.logits[..., 0] - seen.logits[..., 1]  # "we" − "they": networks × faces
people = associations.people(seen.images)  # of each colour: people × faces of each


def two_groups(scores, first, second, seed):
    """Half of the people in one colour, half in another: networks × faces, twice."""
    rng = np.random.default_rng(seed)
    return associations.different_people(scores, people[first], people[second], rng=rng)


x, y = two_groups(scores, favoured, other, seed)
welch = associations.over_faces(x, y)  # Welch's test in each network
tests = welch[untaught]

# %% [markdown]
# The colours are {glue:text}`favoured` and {glue:text}`rival`. The test with the smallest p, by hand:

# %%
network = tests["p"].idxmin()
one, another = x[network], y[network]
difference = one.mean() - another.mean()
error = np.sqrt(one.var(ddof=1) / len(one) + another.var(ddof=1) / len(another))
p = stats.ttest_ind(one, another, equal_var=False).pvalue
t = difference / error
print(f"difference {difference:.2f}, error {error:.2f}, t = {t:.2f}, p = {p:.3f}")
assert np.isclose(difference, tests.loc[network, "difference"])
assert np.isclose(p, tests.loc[network, "p"])
significant = tests[tests["p"] <= 0.05]

# %% tags=["hide-input"]
vb.note(favoured=favoured, rival=other, half=x.shape[1], n_null=len(tests), significant=words.among(len(significant), len(tests)))

# %% [markdown]
# The test is significant in {glue:text}`significant` networks; by chance alone, we expect 1 in 20.
#
# ### More faces, more significant accidents
#
# More faces make a test more precise. We drew only 100 people, but each of them in every colour. So we can make a precise test in another way:
# we compare each person with themselves, in two colours (a paired t-test).
#
# We repeat both tests with fewer and more people, and with all pairs of colours:

# %%
null, half = scores[untaught], x.shape[1]  # the most faces of different people


def gaps(first, second, seed):
    """How much higher each person scores in the first colour: networks × people."""
    order = np.random.default_rng(seed).permutation(len(people[first]))
    one, another = (null[:, people[hue][order]] for hue in (first, second))
    return one.mean(axis=-1) - another.mean(axis=-1)


rows, pairs = [], list(combinations(people, 2))
spreads = [associations.Spread.of(null, people[one], people[two]) for one, two in pairs]
for (first, second), spread in zip(pairs, spreads, strict=True):
    for draw in range(20):  # 20 times, other people are chosen
        groups = two_groups(null, first, second, seed + draw)
        for n in (10, 25, half):
            p = associations.over_faces(*(own[:, :n] for own in groups))["p"]
            rows.append(("different people", n, n, (p <= 0.05).mean()))
        gap = gaps(first, second, seed + draw)
        for n in (10, 25, 50, 100):
            p = stats.ttest_1samp(gap[:, :n], 0, axis=1).pvalue
            error = gap[:, :n].var(axis=1, ddof=1).mean() / n
            as_many = (spread.first**2 + spread.second**2) / error  # equally precise
            rows.append(("same people", n, as_many, (p <= 0.05).mean()))
by_size = pd.DataFrame(rows, columns=["kind", "people", "n", "rate"])
by_size = by_size.groupby(["kind", "people"], sort=False).mean().reset_index()
by_size["expected"] = [
    np.mean([spread.false_positive_rate(n, n) for spread in spreads])
    for n in by_size["n"]
]

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.3)
for (kind, own), look in zip(by_size.groupby("kind", sort=False), ("o", "D"), strict=True):
    axes.plot(own["people"], 100 * own["rate"], f"{look}-", label={"same people": "same people in both colours"}.get(kind, kind), ms=7)
sizes = vb.images("greenhouse/cfd").table["race"].value_counts().to_dict()  # those of the paper's groups
at_paper = false_positives.expected_of_faces(portraits, "we", "they", sizes=sizes)
mean_size = np.mean([2 / (1 / a + 1 / b) for a, b in combinations(sizes.values(), 2)])  # two groups of this size are as precise, on average
axes.plot([mean_size], [100 * at_paper], "kx", ms=9, mew=2, label="the paper's sizes")
axes.axhline(100 * associations.ALPHA, color=vb.figures.COLOURS["reference"], lw=1, ls=":", label="1 in 20")
axes.set(ylim=(0, None), xlabel="people of each colour", ylabel="% of tests that\nare significant", xticks=[10, 25, 50, 100, 150])
fig.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="we-they-answer",
    alt="Share of tests that are significant where no difference was taught. "
    + "; ".join(f"{row.people} {row.kind}: {row.rate:.0%}" for row in by_size.itertuples()) + f"; with the paper's sizes {at_paper:.0%} are expected.",
    caption=f"{len(tests)} null networks, all {len(pairs)} pairs of colours. Dots: different people, as in "
    "the paper, but fewer. Diamonds: each person is compared with themselves. Cross: expected with groups as "
    "large as the paper's.",
    source="greenhouse",
)
rate = by_size.set_index(["kind", "people"])["rate"]
null_d = agreement.effect_sizes(portraits, "we", "they", b=0).abs()  # networks × pairs
n_white, n_asian = printed.loc[printed["cell"].str.endswith("Asian"), ["n_x", "n_y"]].iloc[0]
error = np.sqrt(1 / n_white + 1 / n_asian)  # of d, chance among portraits
chance = error * np.random.default_rng(seed).normal(size=(null_d.size, 2_000))
blurred = np.abs(null_d.to_numpy(float).ravel()[:, None] + chance)
with_portraits = blurred.max(axis=0).mean()  # the largest, on average
smallest_asian = bounded.loc[bounded["cell"].str.endswith("Asian"), "number"].min()
two_ways = bounded.assign(group=bounded["cell"].str.split("− ").str[1]).groupby("group")["number"].agg(["min", "max"])
vb.holds(sizes_beyond=bool(bounded["number"].abs().min() > null_d.max(axis=None)), some_within=bool((bounded["number"].abs() < with_portraits).any()),
         paper_reversed=list(two_ways.index[(two_ways["min"] < 0) & (two_ways["max"] > 0)]) == ["Latina/o"] and set(bounded.loc[bounded["number"] < 0, "network"]) == {"SLIP"},
         grows=bool(rate["same people", 100] > rate["different people", half]))
vb.note(rate={"hundred": rate["same people", 100], "paper": at_paper},
        null_size=null_d.max(axis=None), null_tests=null_d.size, with_portraits=with_portraits,
        smallest_asian=smallest_asian, reach=(blurred >= smallest_asian).mean())

# %% tags=["hide-cell"]
by_size[["kind", "people", "n", "rate", "expected"]].round(2)

# %% [markdown]
# [The more precise test is significant more often.]{.holds #grows} With groups as large as the paper's, {glue:text}`rate.paper:.0%` of the tests would be significant. With 100 people in both
# colours, {glue:text}`rate.hundred:.0%` are. (With other words and other
# sets of faces, [other chapters](../greenhouse/sensitivity.ipynb) have other shares.)
#
# In which direction do the networks differ? We take the same two colours as before:

# %%
gap = gaps(favoured, other, seed)  # networks × people
p_paired = stats.ttest_1samp(gap, 0, axis=1).pvalue
clear = gap.mean(axis=1)[p_paired <= 0.05]  # mean differences that are significant
n_first, n_second = (clear > 0).sum(), (clear < 0).sum()

# %% tags=["hide-input"]
vb.note(clear=words.among(len(clear), len(p_paired)), nearer={"favoured": n_first, "rival": n_second})
vb.holds(both_sides=bool(n_first > 0 and n_second > 0))

# %% [markdown]
# With all people in both colours, the test is significant in {glue:text}`clear` null networks. [In {glue:text}`nearer.favoured` of them {glue:text}`favoured` faces are nearer to “we”, in {glue:text}`nearer.rival` of them {glue:text}`rival` faces are.]{.holds #both_sides}
#
# Every network has small peculiarities, left by its training, and a more precise test shows them more clearly. A significant result can be
# true of its own network. But said of training, it would be false, because other networks have other peculiarities.
#
# **How large are they?** [In {glue:text}`null_tests` comparisons of two colours, the largest $d$ is {glue:text}`null_size:.2f`. All significant results of Table 2 are larger.]{.holds #sizes_beyond} This speaks for the authors.
#
# [But we compared the *same* people in two colours. Different people in each group add chance. With groups as large as the paper's White and Asian ones, the largest would be about {glue:text}`with_portraits:.2f`. Some significant results of Table 2 are smaller.]{.holds #some_within} Still, only {glue:text}`reach:.1%` of such comparisons would reach {glue:text}`smallest_asian:.2f`, the smallest $d$ of White − Asian, and all three models do.
#
# Neither sizes nor shares carry over from our small networks to models like CLIP.
#
# ## The protocol, run on {data}
#
# {glue:text}`shown` {glue:text}`first` faces are compared with each of the other
# groups. {glue:text}`network` The figure is folded. Its right panel has the difference of the mean scores in *log-odds*: at 1, the odds of a
# *We* word are about 2.7 times as high.

# %% tags=["hide-cell"]
PROTOCOLS = {
    # as the text says: Eq. 4 and Welch's test; the text leaves the tails open, so two
    "described": dict(method="welch", pooled=True, ddof=1, alternative="two-sided"),
    # as the released code has it: variances divided by N, one fixed tail
    "released": dict(method="welch", pooled=True, ddof=0, alternative="greater"),
}

# %%
faces = vb.images(stimuli, root or None)
given = zip(we_they.AT_HAND, (model, *beside), strict=False)
encoders = {network: vb.encoder(name) for network, name in given}
usual = pictured.usual(faces, favoured)
first = reference or usual

found = {}
for network, encoder in encoders.items():
    embedded, speech = vb.embed(encoder, faces), vb.embed(encoder, vb.prompts(prompts))
    group, side = embedded.table["race"], speech.table["dimension"]
    A, B = speech.where(side == "we"), speech.where(side == "they")
    for another in sorted(set(group) - {first}):
        X, Y = embedded.where(group == first), embedded.where(group == another)
        for name, keywords in PROTOCOLS.items():
            found[network, another, name] = vb.eat(X, Y, A, B, **keywords)

# %% tags=["hide-cell"]
own = {key[1:]: test for key, test in found.items() if key[0] == we_they.AT_HAND[0]}
table = associations.with_intervals(own, scale=encoders[we_they.AT_HAND[0]].logit_scale, n_resamples=n_resamples, seed=seed)
headline = table.xs(protocol, level=1)
vb.figures.show(
    vb.figures.forest_in_both_units(headline.assign(label=[f"{first} − {another}" for another in headline.index]), label="label"),
    name="we-they-run",
    alt=f"Comparisons of {first} with each other group, effect size on the left and difference in log-odds on the right, with intervals: "
    + "; ".join(f"{row.Index}: d = {row.d:.2f}, {row.difference:.2f} log-odds" for row in headline.itertuples()) + ".",
    caption=f"The We/They test, protocol as {protocol}, with 95 % intervals over individuals.",
    source=roles.sources(faces, embedded.source),
)
known = {
    "greenhouse": "The network is not one of those above: its captions say “we” most often of "
    f"{favoured} faces. So the result shows that the program runs, and nothing about CLIP, SLIP or BLIP.",
    "greenhouse/b0": "The network was taught no difference.",
}
runs = known.get(model, f"The model is {model}.")
vb.note(shown=pictured.shown(faces), first=first.capitalize(), network=runs)

# %% tags=["hide-cell"]
tables.readable(headline.rename_axis(f"{first} minus")).format(tables.p_value, subset="p")

# %% tags=["hide-cell"]
# the paper's order of the other groups is that of their names; on drawings the ledger sets nothing beside what is printed
letters = dict(zip(headline.index, we_they.OTHERS, strict=False))
for name in PROTOCOLS if first == usual and not pictured.is_own(faces) else ():
    by_claim = {(network, letters[another]): test for (network, another, how), test in found.items() if how == name}
    d_of = {key: float(test.effect_size) for key, test in by_claim.items()}
    p_of = {key: float(test.p_value) for key, test in by_claim.items()}
    values = claimed.we_they(d_of, p_of) if len(encoders) == len(we_they.NETWORKS) else {}
    values |= {f"{network}.w{letter}.d": value for (network, letter), value in d_of.items()}
    values |= {f"{network}.w{letter}.p": value for (network, letter), value in p_of.items()}
    for claim, value in values.items():
        about = [encoders[one] for one in claimed.about(f"we_they.{claim}")]
        claim = f"we_they.{claim}"
        vb.ledger.record(claim, value, results=results, stimuli=faces, model=about, protocol=name)
listed = {side: list(own["word"]) for side, own in speech.table.groupby("dimension")}
counts = {"n-all": len(group), "words": len(listed["we"])}
for called, there in {"asian": "asian", "black": "black", "latina": "latino", "white": "white"}.items():
    counts |= {f"n-{called}": int((group == there).sum())} if (group == there).any() else {}
for side in ("we", "they"):  # a reader's words may have more
    counts[f"words-{side}"] = ", ".join(listed[side]) == vb.ledger.claim(f"we_they.words-{side}").value
for claim, value in counts.items():
    models = list(encoders.values())
    vb.ledger.record(f"we_they.{claim}", value, results=results, stimuli=faces, model=models)

# %% [markdown]
# ## What this method can see
#
# ### With networks as observations, a test finds what was taught
#
# Can *networks* be the observations? Such a test is useful only if it finds a
# difference that *was* taught. So we also trained networks whose captions say *we* more often of {glue:text}`favoured` faces, at full *strength* or less. Each network has
# one value: how much nearer to *we* its {glue:text}`favoured` faces are than its {glue:text}`rival` faces. We call it significant if it differs more, in either direction, than nearly all null networks (p ≤ .05):

# %%
one, another = (scores[:, people[hue].ravel()] for hue in (favoured, other))
difference = one.mean(axis=1) - another.mean(axis=1)  # one for each network

# %%
vectors = retrained.vectors()
vectors = vectors.where(vectors.networks["condition"] == "none")
colour = vectors.images["race"].where(vectors.images["subset"] == "prototype")
sets = [vectors.words_of(axis) for axis in ("we", "they")]
cosines = [
    vectors.cosines(np.flatnonzero(colour == hue), np.concatenate(sets)).mean(axis=1)
    for hue in (favoured, other)
]
scale = vectors.networks["logit_scale"].to_numpy()[:, None]
gap = scale * (cosines[0] - cosines[1])  # networks × words
we = np.arange(gap.shape[1]) < len(sets[0])

p = {
    "faces": pd.Series(welch["p"].to_numpy(), b),
    "words": pd.Series(associations.over_words(gap, we), vectors.networks["b"]),
    "networks": pd.Series(
        vb.networks.among_null(difference, untaught, alternative="two-sided"), b
    ),
}
three = pd.concat(p, names=["unit", "b"]).rename("p").reset_index()
answer = associations.rejected(three, strengths=[0, 0.25, 1])  # how often p ≤ .05

# %% tags=["hide-cell"]
units = {"faces": "faces\n(the paper's test)", "words": "words", "networks": "networks"}
strengths = {0: "no difference taught", 0.25: "a quarter of the strength", 1: "full strength"}
hits = {(row.unit, strengths[row.b]): words.among(row.hits, row.n) for row in answer.itertuples()}
vb.figures.show(
    vb.figures.rates(answer.assign(unit=answer["unit"].map(units), b=answer["b"].map(strengths)), rate="rate", low="low", high="high",
                     label="unit", group="b", value_label="% of networks with p ≤ .05, exact 95 % intervals"),
    name="we-they-units",
    alt="Share of networks in which the test is significant, by what is the unit of analysis. "
    + "; ".join(f"{unit}, {b}: {hit}" for (unit, b), hit in hits.items()) + ".",
    caption=f"{favoured.capitalize()} against {other}. Dashed line: 1 network in 20, what chance gives where no difference was taught.",
    source="greenhouse",
)
vb.note(**{unit: {"none": hits[unit, strengths[0]], "some": hits[unit, strengths[0.25]]} for unit in units},
        hits=answer[answer["b"] == 0].set_index("unit")["hits"].to_dict(), nominal=associations.ALPHA,  # drawn by studies.summary
        chance=round(associations.ALPHA * int(answer.loc[answer["b"] == 0, "n"].iloc[0])))

# %% [markdown]
# Already at a quarter of the strength, {glue:text}`networks.some` networks are significant. Among the null networks, it is {glue:text}`networks.none`,
# as the rule picks only the most extreme. Where nobody can train a model again, as with CLIP, one can only ask whether several models agree.
#
# :::{dropdown} And with words as observations?
# The folded figure compares three *units of analysis*, that is, what a test counts as one observation: faces, words or networks. The test over words
# divides the sixteen words into two sets of eight in many ways, and asks how often the difference is as large as with *We* and *They*.
# Among the null networks, it is significant in {glue:text}`words.none`; chance would give about {glue:text}`chance`.
# So words seem not to be independent observations. ([More on this](../../book/primers/targets.md).)
# :::

# %% [markdown]
# (we-they-means)=
# ## What this means
#
# **For the paper.** In CLIP, SLIP and BLIP, White faces lie nearer to *we* in most comparisons, and other portraits of this kind would very
# likely show it. The test is the right one for this question.
#
# Whether *training* leads to this is another question, and no number of portraits can answer it. White − Latina/o shows why. All three
# models give a significant difference, but in SLIP it is reversed.
#
# Three models of different make agree on White − Asian. This supports a claim about training, in a way that more portraits cannot. It is weak support:
# the models are few, and two of them are not independent (CLIP helped to choose BLIP's training data, as Section 3 of the paper says).
#
# **For your own work.** Ask what your claim is about, and let that vary in the test.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)) at commit `2e45194`,
# checked against the paper's text.
#
# **W1. The divisor.** Eq. 4 weights variances by $N - 1$. The code computes them with $N$ (numpy's default) and passes them to Welch's test.
# So $|d|$ and $|t|$ come out larger by {glue:text}`divisor.min:.2%` to {glue:text}`divisor.max:.2%`. At most, this moves the last printed digit of $d$ by
# one.
#
# **W2. The tail.** The text does not say which; the code asks for `greater` in every We/They test, which returns a p near 1 where $d$ is
# negative. The printed p for {glue:text}`aside.below` ({claim}`we_they.slip.wl.p`) follows the observed sign instead. So it was not computed by
# the code as released.
#
# **W10, W11.** The BLIP notebook and `slip_embedder.py` do not run as released. So they were run in another version. This says nothing against the
# numbers.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/we_they -p model=greenhouse/b0 -p protocol=released
# ```
# runs the protocol on a null network instead.
# :::
#
# ## Take-aways
#
# - A p-value over portraits is about *this model*. If you can only test one model, say so.
# - Where no difference was taught, a precise test still finds one in most of our networks. It belongs to that network.
# - For a claim about training, the observations are independently trained networks. No number of faces can take their place.
# - Say how p was computed: one tail or two, and p itself instead of a bound.

# %% [markdown]
# ## Exercises
#
# :::{exercise} The tail that cannot see
# :label: we-they-tail
# :level: intermediate
# :minutes: 15
# :code: yes
# For SLIP, White − Latina/o, $d$ is {claim}`we_they.slip.wl.d`, from {claim}`we_they.n-white` and {claim}`we_they.n-latina` portraits. Suppose that scores vary equally in both
# groups. What are Welch's p for the alternatives *greater*, *less* and *two-sided*, and how are they related? Which of them are below the printed bound, {claim}`we_they.slip.wl.p`?
# :::
#
# ```{solution-start} we-they-tail
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
cell = printed[printed["cell"] == vb.ledger.claim("we_they.slip.wl.d").subject].iloc[0]
summary = (cell["number"], 1, cell["n_x"], 0, 1, cell["n_y"])  # means, SDs and sizes of both groups, in units of the SD
p = {tail: stats.ttest_ind_from_stats(*summary, equal_var=False, alternative=tail).pvalue for tail in ("greater", "less", "two-sided")}
print({tail: float(value) for tail, value in p.items()})
assert np.isclose(p["greater"] + p["less"], 1) and np.isclose(p["two-sided"], 2 * min(p["greater"], p["less"]))
assert p["less"] < p["two-sided"] < 10.0 ** cell["power"] < p["greater"]

# %% [markdown]
# All three come from one $t$: *greater* and *less* add up to one, and *two-sided* is twice the smaller. Here $d$ is negative, so the upper tail gives
# a p near one. The printed bound can be met by the lower tail or by both, never by the upper one.
#
# ```{solution-end}
# ```
#
# :::{exercise} Faces or words
# :label: we-they-symmetry
# :level: intermediate
# :minutes: 20
# :code: yes
# Make vectors for some faces and words, and exchange their roles, so that words are scored by faces. Show that the difference of means stays
# the same, but $d$ does not. Then think of a test that divides the words at random into two sets of equal size, again and again (a permutation
# test). How many words must a set have, so that this test with one tail can reach p < .001?
# :::
#
# ```{solution-start} we-they-symmetry
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from math import comb

sets = np.split(np.random.default_rng(seed).normal(size=(24, 5)), [7, 16, 20])
by_faces, by_words = vb.eat(*sets), vb.eat(*sets[2:], *sets[:2])
fewest = next(n for n in range(1, 20) if 1 / comb(2 * n, n) < 0.001)
print(f"{fewest} words a side: smallest p = 1/{comb(2 * fewest, fewest)}")
assert np.isclose(by_faces.statistic, by_words.statistic) and not np.isclose(by_faces.effect_size, by_words.effect_size)
assert 1 / comb(2 * fewest, fewest) < 0.001 <= 1 / comb(2 * fewest - 2, fewest - 1)

# %% [markdown]
# The statistic is a difference of differences of mean cosines, over all pairs of a face and a word. It does not matter which of them is called the target. But $d$ divides the
# statistic by the spread of the *targets'* scores, and the scores of faces vary in another way than those of words. The smallest p is one over the number of ways to split $2 n$ words into
# halves.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. People belong to groups; a network does not. What could *we* mean for it: its authors, those who wrote its captions, those whom they
#    describe?
# 2. Suppose that two groups of people differ by $d = 0.5$ in neutral portraits, and by $d = 0.1$ in everyday photographs. Which would you report as the model's bias?
