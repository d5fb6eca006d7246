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
# *Wolfe and Caliskan (2022), Table 2: the We/They association test.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Do three vision-language models place photographs of one group of people nearer to *we*, *our*, *ours* than
# photographs of other groups, and what can a p-value over photographs tell us about that?
#
# **In 20 minutes:** {ref}`the answer in one figure <we-they-answer>`, {ref}`whether d and p fit together <we-they-fit>`,
# {ref}`one p-value, three questions <we-they-targets>`, take-aways. **In 75 minutes:** also the sixteen words, the four foils and the
# exercises.
#
# **You need:** means, standard deviations, a t-test. The primers [Embedding association tests](../../book/primers/association.md)
# and [The target of a claim](../../book/primers/targets.md) start from nothing.
#
# **Content note.** The paper compares photographs of Asian, Black, Latina/o and White individuals. No photograph is shown here;
# the faces are drawings of fictional groups and stand for nobody.
# :::
#
# **The idea.** {cite:t}`devos2005` found that American participants associate *American* with *White* more readily than with other
# groups, even when they endorse equality. One of their tests {cite:p}`greenwald1998` paired faces with words for a collective in-group
# (*we, our, ourselves*) and out-group (*they, other, themselves*). {cite:t}`wolfe2022` carry it over to models of CLIP's kind, with
# faces of the Chicago Face Database {cite:p}`ma2015`: one pose, a neutral expression, and each person's own statement of their group.
#
# **The measure.** $X$ and $Y$ are embedded photographs of two groups, $A$ and $B$ eight embedded *We* and eight *They* words. A
# photograph scores
#
# $$\begin{aligned} s(w, A, B) ={}& \operatorname{mean}_{a \in A} \cos(w, a) \\
# &- \operatorname{mean}_{b \in B} \cos(w, b), \end{aligned}$$
#
# and because the groups differ in size, the difference of the two mean scores is divided by the *pooled* standard deviation (Eq. 4):
#
# $$\begin{gathered} d = \frac{\operatorname{mean}_{x \in X} s(x) - \operatorname{mean}_{y \in Y} s(y)}{\sigma_p}, \\[1ex]
# \sigma_p^2 = \frac{(N_1 - 1)\,\sigma_1^2 + (N_2 - 1)\,\sigma_2^2}{N_1 + N_2 - 2}. \end{gathered}$$
#
# The p-value is Welch's, "which does not assume equal variance or population size".
#
# **What the authors conclude.** "Across three models, images of White individuals are consistently associated with collective in-group
# words when compared with images of Asian, Black, or Latina/o individuals, with all effect sizes for the White vs. Asian
# comparison > 0.4."
#
# **Their own checks and limits.** "It is unavoidable that changing the prompt will produce different embedding association results in
# some circumstances"; there is no "thorough evaluation of the training data"; the pooled standard deviation gives results "broadly
# consistent with those obtained by randomly downsampling".

# %% tags=["parameters"]
model = "greenhouse"  # the encoder under test: "greenhouse" (planted associations), or another; a model
beside = []  # further encoders, whose values are recorded too: for the paper's, those of BLIP and SLIP, in this order; a model
model_planted = "greenhouse"  # Greenhouse: encoder of the third section, trained with the planted associations; a model
model_null = "greenhouse/b0"  # Greenhouse: its twin, trained where hue and crest change no word; a model
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
reference = ""  # the group X of every test; without one, the hue for whose faces captions say "we" most often, or, of people, "white", in a folder of yours the first; empty or a group
prompts = "we_they"  # words with the dimensions We and They; a prompt set
protocol = "described"  # which protocol the headline follows, the paper's text or the code; one of: described, released
n_resamples = 999  # bootstrap resamples behind each interval; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/we_they.json"  # where this notebook writes the values it computes

# %%
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, truth
from studies import associations, roles, tables, words
from studies.american_white import pictured, we_they

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, networks can be trained again, on captions that favour one group ($b$ says how strongly) or none
# ($b = 0$). A test asks how unusual the difference between that group and another is: among other *faces* (Welch's test, as in the
# paper), other splits of the *words*, or *networks* that were told nothing.

# %%
vb.figures.style()
spoken = grammar.load()
favoured = spoken.bias.roles["favoured"]  # captions of its faces say "we" most often
panel, vectors = retrained.scores("people"), retrained.vectors()  # what retrained networks made of the same people, and words
said = partial(truth.counted, spoken, panel.images, "race", axes=["we"])
ranked = list(said(b=1.0)["we"].drop(favoured).sort_values().index)  # the largest planted difference first
rival = ranked[0]

found = associations.in_three_units(panel, vectors, (favoured, rival), ("we", "they"), seed=seed)
answer = associations.rejected(found, strengths=[0, 0.25, 1])

# %% tags=["hide-input"]
cases = {"faces": "faces as cases\n(the paper's test)", "words": "words as cases", "networks": "networks as cases"}
strengths = {0: "nothing planted (b = 0)", 0.25: "b = .25", 1: "b = 1"}
hits = {(row.unit, strengths[row.b]): words.among(row.hits, row.n) for row in answer.itertuples()}
vb.figures.show(
    vb.figures.rates(answer.assign(unit=answer["unit"].map(cases), b=answer["b"].map(strengths)), rate="rate", low="low", high="high",
                     label="unit", group="b", value_label="% of networks with p ≤ .05, exact 95 % intervals"),
    name="we-they-answer",
    alt="Share of networks in which the test reports a difference, by what is taken as the case. "
    + "; ".join(f"{unit}, {b}: {said_}" for (unit, b), said_ in hits.items()) + ".",
    caption=f"{favoured.capitalize()} against {rival}. Where nothing was planted, 5 % (dashed) is what a test about training may report.",
    source="greenhouse",
)
level = {row.unit: words.side(row.low, row.high, of=0.05, above="more than 5 %", below="fewer than 5 %", neither="consistent with 5 %")
         for row in answer[answer["b"] == 0].itertuples()}
vb.note(favoured=favoured, rival=rival, level=level, hits=answer[answer["b"] == 0].set_index("unit")["hits"], n_null=int(answer.loc[answer["b"] == 0, "n"].iloc[0]), nominal=associations.LEVEL,
        **{unit: {"none": hits[unit, strengths[0]], "some": hits[unit, strengths[0.25]]} for unit in cases})

# %% [markdown]
# Both groups are fictional. Where nothing was planted, the test over faces reports a difference in {glue:text}`faces.none` networks
# ({glue:text}`level.faces`), the test over words in {glue:text}`words.none` ({glue:text}`level.words`), the one over networks in
# {glue:text}`networks.none` (it keeps its level by construction). At $b = .25$ they find the planted difference in
# {glue:text}`faces.some`, {glue:text}`words.some` and {glue:text}`networks.some`.

# %% [markdown]
# ## What the paper reports
#
# Table 2 compares White individuals with three other groups, in three models.

# %%
cells = we_they.table2(vb.ledger.claim)
vb.ledger.show(vb.ledger.table("american_white/we_they"))

# %% tags=["hide-input"]
bounded = cells[cells["power"].notna()]
above = words.among(int((bounded["number"] > 0).sum()), len(cells))
aside = {name: words.listed(own["cell"]) for name, own in {"none": cells[cells["power"].isna()], "below": bounded[bounded["number"] < 0]}.items()}
vb.figures.show(
    vb.figures.forest(cells, estimate="number", low="low", high="high", label="cell", group="network",
                      value_label="printed d, with the 95 % interval it implies"),
    name="we-they-table2",
    alt=f"Effect sizes with intervals: {above} are positive and reported as significant. Not significant: {aside['none']}; "
    f"significant and negative: {aside['below']}.",
    caption="Table 2, redrawn. To the right of zero, photographs of White individuals are nearer to the We words. The intervals are ours: "
    "how far a number could move with other photographs of the same kind, shown to the same network.",
    source="paper:american_white, Table 2",
)

# %% [markdown]
# {glue:text}`above` comparisons point the way of the conclusion and are reported as significant. Between White and Asian individuals
# all three models agree, from $d$ = {claim}`we_they.asian-smallest` to {claim}`we_they.asian-largest`. Not significant:
# {glue:text}`aside.none`; reversed: {glue:text}`aside.below`. The results section says so; "consistently" in the introduction does not.
#
# (we-they-fit)=
# ### Do d and p fit together?
#
# With the group sizes known, $d$ nearly determines Welch's p. Not printed are how the two standard deviations compare, and whether
# the test was one- or two-sided. So we try every reading, and ask how unequal the spreads have to be.

# %%
readings = we_they.readings(cells)
held = we_they.held(readings)
checks = we_they.checks(vb.ledger.audit("american_white"), "american_white/we_they")  # those of the ledger

# %% tags=["hide-input"]
def needed(row):
    """What has to be true for a printed bound to hold."""
    if row.equal or not row.free:
        return "holds" if row.equal else "cannot hold"
    return f"if the SD ratio is {'≥' if row.ratio > 1 else '≤'} {row.ratio:.2f}"


printed = readings[readings["power"].notna()].copy()
printed["needs"] = [needed(row) for row in printed.itertuples()]
shown = printed.pivot(index="cell", columns="tail", values="needs").reindex(index=bounded["cell"], columns=list(we_they.TAILS))
by_sign, fixed = (printed[printed["tail"] == tail] for tail in ("by its sign", "always greater"))
unmet, held.index = by_sign[~by_sign["alike"]], ["sign", "two", "greater"]
vb.note(above=above, aside=aside, audit={"hold": words.among(checks["hold"], checks["n"]), "but": checks["but"], "fail": words.listed(checks["fail"])},
        held={(tail, how): words.among(row[how], row["n"]) for tail, row in held.iterrows() for how in ("alike", "equal", "free")},
        divisor=cells[["n_x", "n_y"]].stack().map(we_they.divisor_inflation).agg(["min", "max"]),
        ns=readings.loc[readings["power"].isna() & (readings["tail"] == "two-sided"), "low"].min(),
        impossible={"cells": words.listed(fixed.loc[~fixed["free"], "cell"]), "p": fixed.loc[~fixed["free"], "low"].min()},
        unmet={"magnitude": words.among(int(unmet["magnitude"].sum()), len(unmet)), "ratio": np.exp(np.abs(np.log(unmet["ratio"])).max())})
tables.readable(shown.assign(**{"printed d": bounded["text"].to_numpy(), "printed p": bounded["p"].to_numpy()})[["printed d", "printed p", *shown]].rename_axis(columns=None))

# %% [markdown]
# - The "n.s." holds: its $d$ implies a two-sided p of {glue:text}`ns:.2f` or more.
# - *One-sided, towards the observed sign*, {glue:text}`held.sign.alike` printed bounds hold with equal spreads, {glue:text}`held.sign.free` with
#   spreads left free. *Two-sided*, {glue:text}`held.two.alike` and {glue:text}`held.two.free`.
# - With equal spreads, this takes one divisor for $d$ and the test. With $N$ in one and $N - 1$ in the other, which neither text nor code has, it would be
#   {glue:text}`held.sign.equal`.
# - *A tail fixed at "greater"*, as in the released code, fits {glue:text}`held.greater.free`: it would give {glue:text}`impossible.cells` a p of
#   {glue:text}`impossible.p:.4f` at least. The printed p-values follow the observed sign.
# - Of the bounds that equal spreads and one divisor do not meet (one-sided), {glue:text}`unmet.magnitude` name the power of ten in which p lies. Read as
#   bounds, they need spreads that differ by a factor of up to {glue:text}`unmet.ratio:.2f`.
#
# Of the ledger's checks of this table and its text, {glue:text}`audit.hold` hold, {glue:text}`audit.but` of them but
# for exceptions that are named. What does not: the words "{glue:text}`audit.fail`".
#
# ### The text and the code, side by side
#
# Both are run; the parameter `protocol` only chooses the headline.

# %%
PROTOCOLS = {
    # Eq. 4 and Welch; tail and divisor are not stated, so the usual ones
    "described": dict(method="welch", pooled=True, ddof=1, alternative="two-sided"),
    # numpy's default divisor, one fixed tail
    "released": dict(method="welch", pooled=True, ddof=0, alternative="greater"),
}

# %% [markdown]
# ## The protocol, run on {data}
#
# Shown here: {glue:text}`shown`. The database's photographs need a signed request. For drawings of the
# [Greenhouse](../../book/greenhouse/limits.md) the reference is the hue *for which we planted it*, which was drawn, and nothing found
# bears on CLIP, SLIP or BLIP.
#
# Beside $d$ stands the difference of the mean scores times the model's *logit scale*, the factor by which models of CLIP's kind
# multiply a cosine before the softmax: a difference of log-odds, whatever the spread of the faces.

# %%
faces, encoders = vb.images(stimuli, root or None), dict(zip(we_they.AT_HAND, map(vb.encoder, (model, *beside)), strict=False))
usual = pictured.usual(faces, favoured)
first = reference or usual

tests = {}
for network, encoder in encoders.items():
    people, speech = vb.embed(encoder, faces), vb.embed(encoder, vb.prompts(prompts))
    group, side = people.table["race"], speech.table["dimension"]
    A, B = speech.where(side == "we"), speech.where(side == "they")
    for other in sorted(set(group) - {first}):
        X, Y = people.where(group == first), people.where(group == other)
        for name, keywords in PROTOCOLS.items():
            tests[network, other, name] = vb.eat(X, Y, A, B, **keywords)
own = {key[1:]: test for key, test in tests.items() if key[0] == we_they.AT_HAND[0]}
table = associations.with_intervals(own, unit=encoders[we_they.AT_HAND[0]].logit_scale, n_resamples=n_resamples, seed=seed)
spans = {"n_x": "n, first", "n_y": "n, second", "d_low": "d from", "d_high": "d to", "difference": "log-odds", "difference_low": "from", "difference_high": "to"}
tables.readable(table.rename_axis(["against", "protocol"]), names=spans).format(tables.p_value, subset="p")

# %% tags=["hide-input"]
headline = table.xs(protocol, level=1)
vb.figures.show(
    vb.figures.forest_in_both_units(headline.assign(label=[f"{first} − {other}" for other in headline.index]), label="label"),
    name="we-they-run",
    alt=f"{len(headline)} comparisons of {first} with other groups, effect size on the left and difference in log-odds on the right, with intervals: "
    + "; ".join(f"{row.Index}: d = {row.d:.2f}, {row.difference:.2f} log-odds" for row in headline.itertuples()) + ".",
    caption=f"The We/They test, protocol as {protocol}, with 95 % intervals over individuals.",
    source=roles.sources(faces, people.source),
)
pair = table["d"].unstack()
vb.note(shown=pictured.shown(faces), first=first, inflation=(pair["released"] / pair["described"] - 1).abs().max())

# %%
# the paper's order of the other groups is that of their names; on drawings the ledger sets nothing beside what is printed
letters = dict(zip(headline.index, we_they.OTHERS, strict=False))
for name in PROTOCOLS if first == usual and not pictured.is_own(faces) else ():
    tested = {(network, letters[other]): test for (network, other, how), test in tests.items() if how == name}
    for claim, value, about in we_they.records(tested):
        vb.ledger.record(f"we_they.{claim}", value, results=results, stimuli=faces, model=[encoders[one] for one in about], protocol=name)
for claim, value in we_they.counts(group, speech.table, vb.ledger.claim).items():
    vb.ledger.record(f"we_they.{claim}", value, results=results, stimuli=faces, model=list(encoders.values()))

# %% [markdown]
# The reference is {glue:text}`first`. The two protocols agree on $d$ to {glue:text}`inflation:.2%` (W1 below); on p they differ by the
# tail. Values from drawings are recorded as *not run*.

# %% [markdown]
# ## What this method can see
#
# A table says by how much each hue shifts the log-odds of the We words against the They words; $b$ scales that shift.

# %%
differences = found[found["unit"] == "networks"]
planted = {b: float(said(b=b)["we"][favoured] - said(b=b)["we"][rival]) for b in sorted(differences["b"].unique())}
alone = truth.per_face(spoken, panel.images, 1.0, axes=["we"])["we"].groupby(panel.images["race"]).mean()
over = vb.networks.summary({b: own["difference"].to_numpy() for b, own in differences.groupby("b")})
full = over.loc[1.0]

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.dose_response(differences, dose="b", responses={"difference": "difference, log-odds"}, dose_label="strength b",
                             expected={"difference": planted}),
    name="we-they-dose",
    alt=f"{favoured} − {rival}, one point per network. The mean difference goes from {over['mean'].iloc[0]:.2f} log-odds at b = 0 to "
    f"{full['mean']:.2f} at b = 1, where {planted[1.0]:.2f} was planted; single networks vary around the mean.",
    caption=f"{len(differences)} networks, each with its own start, pairing of names and looks, and pictures; {favoured} − {rival}. Crosses: planted.",
    source="greenhouse",
)
rises = all(low < high for low, high in pairwise(over["mean"]))
vb.note(share={"counted": full["mean"] / planted[1.0], "per_face": full["mean"] / (alone[favoured] - alone[rival])}, n_full=int(full["n"]),
        rises="grows with every step of b" if rises else "does not grow with every step of b")

# %% [markdown]
# On average over networks the difference {glue:text}`rises`. At $b = 1$ the {glue:text}`n_full` networks give back
# {glue:text}`share.counted:.0%` of what a count of captions shows ({glue:text}`share.per_face:.0%` of the mean of single faces'
# log-odds, the other yardstick).
#
# (we-they-targets)=
# ### One p-value, three questions
#
# A p-value compares an effect with the variation that the test gets to see. Welch's test sees the variation between *faces*, so its
# answer is to the first of these questions only ([why](../../book/primers/targets.md)):
#
# | target | question | what must vary |
# |---|---|---|
# | this checkpoint | Would this network show it with other faces of this kind? | faces |
# | training | Would a network trained again show it? | trained networks |
# | captions | Did the captions say it? | trained networks, and worlds with and without the bias |
#
# Table 2 is about three checkpoints, and for that its test is the right one. That such biases "are learned by language-and-image AI"
# (abstract) is about training. All pairs of hues where nothing was planted:

# %%
sizes = vb.images("greenhouse/cfd").table["race"].value_counts().to_dict()  # those of the paper's groups
alarms = associations.null_pairs(panel, vectors, (favoured, *ranked), ("we", "they"), sizes=sizes, seed=seed)
tables.readable(alarms).format("{:.0%}", subset=["faces", "words", "expected"])

# %% tags=["hide-input"]
ends = alarms[["faces", "words", "expected"]].agg(["min", "max"])
vb.note(alarm=ends.T.stack(), half=len(associations.people(panel.images)[favoured]) // 2,
        holm=words.among(int((alarms["p_holm"] < 0.05).sum()), len(alarms)))

# %% [markdown]
# - **Faces.** With {glue:text}`half` people in either group, p is at most .05 in {glue:text}`alarm.faces.min:.0%` to
#   {glue:text}`alarm.faces.max:.0%` of networks. More photographs resolve each network's small peculiarities (*SD*): with the paper's group
#   sizes we expect {glue:text}`alarm.expected.min:.0%` to {glue:text}`alarm.expected.max:.0%` (*expected*).
# - **Words.** Over words the share is {glue:text}`alarm.words.min:.0%` to {glue:text}`alarm.words.max:.0%`: in one network the words of
#   a set move together.
# - **Networks.** With networks as cases, {glue:text}`holm` pairs are called different after Holm's correction.
#
# None of this is a false alarm about *that* network, and the rates do not transfer. Where CLIP cannot be retrained, one can say which
# question a p-value answers. And three models of different make that mostly agree, as in Table 2, are evidence about training in a way
# in which {claim}`we_they.n-all` photographs are not.
#
# ### Sixteen words
#
# Faces score words, or words score faces: the difference is the same number, and can be tested over either.

# %%
logits = {}
for name, seen_by in {"b = 1": model_planted, "b = 0": model_null}.items():
    seen = vb.perceive("greenhouse/cfd", seen_by, "we_they")
    logits[name] = seen.logit_scale * seen.cosines  # faces × words
hue, listed = seen.table["race"], seen.words["word"]
toward = (seen.words["dimension"] == "we").to_numpy()
x, y = (associations.scores(logits["b = 1"], toward)[hue == one] for one in (favoured, rival))

CHOICES = {"the original six": ["we", "our", "ourselves", "they", "other", "themselves"],
           "unambiguous": listed[~listed.isin(["familiar", "similar", "here", "other", "others", "there"])]}
gap = {name: associations.gaps(own, hue, favoured, rival) for name, own in logits.items()}
each, we, about = associations.word_gaps(vectors, (favoured, rival), ("we", "they"))
each = each[about["b"] == 1]  # networks × words
by_word = vb.networks.summary(dict(zip(listed, (each - each.mean(axis=1, keepdims=True)).T, strict=True)))
tables.readable(pd.DataFrame({name: associations.resampled_words(pd.Series(own, listed), toward, n_resamples=n_resamples, seed=seed, subsets=CHOICES)
                              for name, own in gap.items()}).T)

# %% tags=["hide-input"]
by_word = by_word.rename_axis("word").reset_index().assign(side=np.where(we, "We words", "They words"))
agree = words.among(int(((by_word["mean"] > 0) == we).sum()), len(by_word))
vb.figures.show(
    vb.figures.forest(by_word, estimate="mean", low="low", high="high", label="word", group="side",
                      value_label="log-odds beyond the mean of all words, 95 % intervals over networks"),
    name="we-they-words",
    alt=f"Difference between {favoured} and {rival} faces for each of the sixteen words, relative to their mean: {agree} lie on the planted side.",
    caption=f"Word by word, networks at b = 1: how much nearer each word is to {favoured} than to {rival} faces, beyond the mean of all.",
    source="greenhouse",
)
vb.note(agree=agree, p={"faces": associations.over_faces(x[None], y[None])["p"][0], "words": associations.over_words(gap["b = 1"][None], toward)[0]})

# %% [markdown]
# For this network at $b = 1$, p over faces is {glue:text}`p.faces:.0g`, over words {glue:text}`p.words:.2g`. The first generalises to other
# faces with *these* words, the second to other words with *these* faces; psycholinguists know the confusion of the two as the
# language-as-fixed-effect fallacy {cite:p}`clark1973`. That an EAT "requires sets of at least 8 word or image stimuli to ensure the
# statistical significance of the results" concerns permutation tests over the words; in Welch's test over faces they are not the sample.
#
# We gave all words one common shift: {glue:text}`agree` lie on the planted side. On the web, *here* has other company than *ours*; the table's
# columns are checks that would tell.
#
# ### One assumption broken at a time
#
# 1. *People are filed where they belong.* Foil: wrong labels.
# 2. *d does not depend on group sizes.* Foil: fewer faces of one group.
# 3. *Nor on the choice of photographs.* Foil: varied expressions.
# 4. *Groups differ in nothing else.* Foil: one group smiles, where nothing was planted and smiling faces say *we* more often.

# %%
series = vb.images("greenhouse/causalface", race=[favoured, rival], subset=["prototype", "smiling"])
series = series.where(series.table["seed"] < 30)
smile = {}
for name, seen_by in {"b = 1": model_planted, "b = 0": model_null}.items():
    seen = vb.perceive(series, seen_by, "we_they")
    own = associations.scores(seen.logit_scale * seen.cosines, toward)
    smile[name] = [pd.Series(own, seen.table["smiling"])[(seen.table["race"] == one).to_numpy()] for one in (favoured, rival)]

labels = associations.misfiled(x, y, np.linspace(0, 0.5, 11), n_draws=50, seed=seed, pooled=True)
fewer = associations.thinned(x, y, [8, 15, 30, 60, len(y)], n_draws=50, seed=seed)
expressions = associations.varied(*smile["b = 1"])
unrecorded = associations.confounded(*smile["b = 0"])

# %% tags=["hide-input"]
fig, ((a, b), (c, d)) = vb.figures.panels(2, 2, height=6.4)
ink = {"d": vb.figures.PALETTE[0], "difference": vb.figures.PALETTE[1]}
left = {"a": labels.set_index("share"), "c": expressions.set_index("reach")}
left = {name: own / own.iloc[0] for name, own in left.items()} | {"d": unrecorded.set_index("level")}
for axes, own in zip((a, c, d), left.values(), strict=True):
    for column, called in (("d", "effect size d"), ("difference", "log-odds")):
        axes.plot(own.index, own[column], "o-", color=ink[column], label=called, markersize=4)
b.plot(fewer["n"], fewer["pooled"], "o-", color=ink["d"], label="pooled SD", markersize=4)
b.plot(fewer["n"], fewer["all"], "s--", color="#444444", label="SD of all scores", markersize=4)
a.set(title="1. Wrong labels", xlabel="share of faces misfiled", ylabel="share of the value left")
b.set(title="2. Unequal sizes", xlabel=f"{rival} faces beside {len(x)} {favoured}", ylabel="effect size d", ylim=(0, None))
c.set(title="3. Varied expressions", xlabel="smiles up to ±", ylabel="share of the value left", ylim=(0, None))
d.set(title="4. One hue smiles, b = 0", xlabel=f"smile of the {favoured} faces", ylabel="d, log-odds")
d.axhline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
b.legend(loc="lower right")
fig.legend(*a.get_legend_handles_labels(), loc="outside upper left", ncols=2)
tenth, wide, top = left["a"].loc[0.1], left["c"].iloc[-1], left["d"].iloc[-1]
vb.figures.show(
    fig,
    name="we-they-broken",
    alt=f"Four panels. With 10 % of faces misfiled, {tenth['difference']:.0%} of the log-odds but {tenth['d']:.0%} of d is left. With fewer faces of one "
    f"group, d over the SD of all scores goes from {fewer['all'].iloc[-1]:.1f} to {fewer['all'].iloc[0]:.1f}. With varied expressions {wide['d']:.0%} of d is "
    f"left. Where one hue smiles and nothing is planted, the difference reaches {top['difference']:.2f} log-odds.",
    caption=f"{favoured.capitalize()} against {rival}. Panels 1 to 3: b = 1; panel 4: nothing planted, and the {rival} faces neutral.",
    source="greenhouse",
)
moved = {name: abs(fewer[name].iloc[0] / fewer[name].iloc[-1] - 1) for name in ("pooled", "all")}
vb.note(label=tenth, wide=wide, top=top, moved=moved,
        worse=words.verb(moved["all"], above=moved["pooled"], then="more than", else_="no more than"),
        shrinks=words.verb(1, above=wide["d"], then="shrinks", else_="does not shrink"))

# %% [markdown]
# **1.** With a tenth of the faces filed under the other hue, {glue:text}`label.difference:.0%` of the log-odds is left and
# {glue:text}`label.d:.0%` of $d$: misfiled faces also change the spread that $d$ divides by. The paper uses people's own statements.
#
# **2.** With few faces in one group, $d$ over the SD of all scores (Eq. 1 of the paper's appendix) moves by {glue:text}`moved.all:.0%`,
# {glue:text}`worse` $d$ over the pooled SD ({glue:text}`moved.pooled:.0%`). Eq. 1 also has a ceiling ({numref}`we-they-ceiling`), Eq. 4 none: perhaps why the
# authors found larger effect sizes from the pooled SD "where population means are highly distinct and standard deviations are small".
#
# **3.** When the faces smile and frown, $d$ {glue:text}`shrinks`: {glue:text}`wide.d:.0%` is left, and {glue:text}`wide.difference:.0%` of the
# log-odds. ".5 is medium" presumes a spread that everyone agrees on.
#
# **4.** Nothing was planted, and the test reports $d$ = {glue:text}`top.d:.1f`. The database's neutral expressions guard against this, but not
# against what no one recorded.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)) at commit `2e45194`,
# checked against the paper's text:
#
# **W1. The divisor.** Eq. 4 weights variances by $N - 1$; the code computes them with $N$ (numpy's default) and passes them to Welch's test.
# $|d|$ and $|t|$ come out larger by {glue:text}`divisor.min:.2%` to {glue:text}`divisor.max:.2%`: too little to move a printed digit by more
# than one.
#
# **W2. The tail.** The text does not say which; the code asks for `greater` in every We/They test, which returns a p near 1 where $d$ is
# negative. The printed p for {glue:text}`aside.below` ({claim}`we_they.slip.wl.p`) follows the observed sign instead, so the code as released does
# not give it. A tail fixed beforehand is sound practice, if the reader is told which.
#
# **W10, W11.** The BLIP notebook and `slip_embedder.py` do not run as released, which says nothing about the numbers.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/we_they -p model greenhouse/b0 -p protocol released
# ```
# runs the second section on the network in which nothing was planted, in a folder of its own. Another `reference` (a hue) changes the
# comparisons.
# :::
#
# ## Take-aways
#
# - If tests follow the observed sign, {glue:text}`held.sign.free` printed bounds on p can be true together with their $d$. Of the comparisons,
#   {glue:text}`above` favour White individuals, and the exceptions are stated in the results section.
# - The text does not tell how p was computed. The tail, the two SDs, and p itself instead of a bound would.
# - Welch's p over photographs is about *this checkpoint*. For what training or captions do, the unit is the network, neither faces nor words.
# - $d$ depends on how varied the photographs are. Print the difference in the model's own units beside it.

# %% [markdown]
# ## Exercises
#
# :::{exercise} The tail that cannot see
# :label: we-they-tail
# :level: intermediate
# :minutes: 15
# :code: yes
# For SLIP, White − Latina/o, $d$ is {claim}`we_they.slip.wl.d`. With equal spreads, what are Welch's p for the alternatives *greater*, *less* and
# *two-sided*, and how are they related? Which are below the printed bound?
# :::
#
# ```{solution-start} we-they-tail
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from scipy import stats

cell = cells[cells["cell"] == vb.ledger.claim("we_they.slip.wl.d").subject].iloc[0]
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
# :::{exercise} From one d to the other
# :label: we-they-ceiling
# :level: advanced
# :minutes: 25
# :code: yes
# Let $d_p$ use the pooled SD and $d$ the SD of all scores, both with population SDs (`ddof=0`, and no "$-2$"). Show that
# $d = d_p / \sqrt{1 + \pi(1 - \pi)\,d_p^2}$, where $\pi$ is the share of $X$ among all faces. What is the largest possible $d$ for two groups as
# large as the paper's White and Asian ones? Check both on the scores above.
# :::
#
# ```{solution-start} we-they-ceiling
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
both, part = np.concatenate([x, y]), len(x) / (len(x) + len(y))
within = np.sqrt(part * x.var() + (1 - part) * y.var())
d_p, d_all = (x.mean() - y.mean()) / within, (x.mean() - y.mean()) / both.std()
n_x, n_y = cells.loc[cells["cell"] == vb.ledger.claim("we_they.slip.wa.d").subject, ["n_x", "n_y"]].iloc[0]
ceiling = (n_x + n_y) / np.sqrt(n_x * n_y)
print(f"d over the pooled SD {d_p:.3f}, over the SD of all scores {d_all:.3f}; ceiling for {n_x} and {n_y} faces {ceiling:.3f}")
assert np.isclose(d_all, d_p / np.sqrt(1 + part * (1 - part) * d_p**2)) and abs(d_all) < 1 / np.sqrt(part * (1 - part))

# %% [markdown]
# With population variances the spread of all scores has two parts, $\sigma^2 = \sigma_p^2 + \pi (1 - \pi) (\bar x - \bar y)^2$. Divide by
# $\sigma_p^2$, take the root, and the formula stands there. As $d_p$ grows without end, $d$ tends to $1 / \sqrt{\pi (1 - \pi)} = (n_x + n_y) /
# \sqrt{n_x n_y}$.
#
# ```{solution-end}
# ```
#
# :::{exercise} Faces or words
# :label: we-they-symmetry
# :level: intermediate
# :minutes: 20
# :code: yes
# Show with vectors of your own that exchanging the roles of faces and words leaves the difference of means unchanged but not $d$. Then find the
# smallest number of words a side for which a one-sided permutation test over words can reach p < .001.
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
# The statistic is a mean over all pairs of a face and a word, with two signs; which of them is called the target does not matter. $d$ divides it by
# the spread of the *targets'* scores, and faces spread otherwise than words. The smallest p is one over the number of ways to split $2 n$ words into
# halves.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Devos and Banaji asked people, who belong to groups themselves. A network has no group to belong to. What could "in-group" mean for it: its
#    authors, its captions' authors, their subjects? Does the answer change what a positive $d$ is evidence of?
# 2. Suppose a difference of half a standard deviation is found between neutral portraits, and one of a tenth between everyday photographs of the
#    same people. Which would you report as the model's bias, to whom, and why?
