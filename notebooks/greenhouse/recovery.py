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
# # What was planted, and how well it is recovered
#
# *Does the laboratory speak where something was planted, and is it silent where nothing was?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** We wrote the biases into the captions. Do networks trained on those captions show them, in the right units? And do networks
# that were told nothing show nothing?
#
# **In 20 minutes:** {ref}`the answer in one figure <recovery-answer>`, {ref}`two truths <recovery-truths>`,
# {ref}`where nothing was planted <recovery-silence>`, take-aways. **In 75 minutes:** also
# {ref}`the group in which two things meet <recovery-meet>`, {ref}`gates and what passes them <recovery-accepted>`, both exercises.
#
# **You need:** log odds, a regression slope, a t-test. The primer [Targets](../../book/primers/targets.md) says what a claim can be about.
# :::
#
# A chapter of this book that says "this method misses what was planted" leans on three things: that something *was* planted, that networks
# *learned* it, and that networks which were told nothing show no more than chance. This page checks all three. It examines no paper, and
# what it validates is our training, not CLIP's.

# %% tags=["parameters"]
axis = "warmth"  # the axis that the exercises follow; one of: warmth, competence, positive_agency, negative_agency, progressive_belief, conservative_belief, positive_communion, negative_communion
published_d = [0.2, 1.3]  # |d| of social judgements that ours is reported against, never tuned to; at least 0
alpha = 0.05  # level of every test; from 0 to 1
sizes = [10, 20]  # networks that a test uses where nothing was planted, beside all of them; at least 2
n_draws = 300  # exchanges of names; at least 20
seed = 0  # of every random draw; at least 0
results = "_build/results/greenhouse/recovery.json"  # no claims here

# %%
import json

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.train.gates import THRESHOLDS
from greenhouse.world import grammar
from studies import tables, words
from studies.greenhouse import recovery
from vlmbias import paths

spoken = grammar.load()
bias = spoken.bias
outlier = " ".join(bias.outlier.values())

# %% [markdown]
# ## The answer in one figure
#
# Every network of the study draws which name has which look, and sees pictures of its own. All of them then look at the same hundred people, each drawn
# in all eight groups. How far does each hue lie from the mean of the hues, and each crest from the mean of both?

# %%
gaps = retrained.gaps().query("condition == 'none'")
apart = recovery.departures(gaps)
full = apart[apart["b"] == 1]
slopes = recovery.over_networks(recovery.slopes(apart[apart["b"] > 0], ["attribute", "b"]), ["attribute", "truth", "b"], "slope")

# %% tags=["hide-input"]
shown = recovery.over_networks(full, ["attribute", "axis", "group"], "measured").reset_index()
said = full.groupby(["attribute", "axis", "group"], sort=False)[list(recovery.TRUTHS)].first().reset_index()
both = shown.merge(said).melt(["attribute", "axis", "group", "mean", "low", "high"], recovery.TRUTHS, "truth", "said")
both["panel"] = both["attribute"] + "s, " + both["truth"].map({"counted": "counted", "per_face": "per face"})
at_1 = slopes.xs(1.0, level="b")
dimensions = full["axis"].isin(recovery.DIMENSIONS).map({True: "eight", False: "six"})  # the judgements of faces; phrases
parts = recovery.over_networks(recovery.slopes(full.assign(part=dimensions), ["attribute", "part"]), ["attribute", "truth", "part"], "slope")
vb.figures.show(
    vb.figures.planted_against_shown(both, planted="said", shown="mean", low="low", high="high", panel="panel", columns=2, unit="logits"),
    name="recovery-answer",
    alt="What networks at b = 1 show of each hue and crest against what was planted, by two truths. Slopes: "
    + "; ".join(f"{attribute}, {truth.replace('_', ' ')}: {row['mean']:.2f}" for (attribute, truth), row in at_1.iterrows()) + ".",
    caption="Departure of each group from the mean of its kind, 14 axes, b = 1: mean of networks with 95 % intervals, against both truths. Dashed: slope 1.",
    source="greenhouse",
)
size = {"above": "larger than planted", "below": "smaller than planted", "neither": "not told apart from what was planted"}
vb.note(slope={f"{attribute}_{truth}": row["mean"] for (attribute, truth), row in at_1.iterrows()},
        size={f"{attribute}_{truth}": words.side(row["low"], row["high"], of=1, **size) for (attribute, truth), row in at_1.iterrows()},
        part={f"{attribute}_{part}": row["mean"] for (attribute, truth, part), row in parts.iterrows() if truth == "counted"},
        part_size={f"{attribute}_{part}": words.side(row["low"], row["high"], of=1, **size) for (attribute, truth, part), row in parts.iterrows() if truth == "counted"},
        n_full=int(at_1["n"].max()))

# %% [markdown]
# In {glue:text}`n_full:.0f` networks at full strength, gaps between hues come back with a slope of {glue:text}`slope.hue_counted:.2f` on a count of captions
# ({glue:text}`size.hue_counted`), gaps between crests with {glue:text}`slope.crest_counted:.2f` ({glue:text}`size.crest_counted`). Against the odds of
# single faces the former are {glue:text}`size.hue_per_face`, the latter {glue:text}`size.crest_per_face`.
#
# For hues this is a mean of two kinds of axes. On the eight dimensions, which the chapters on faces use, the slope is {glue:text}`part.hue_eight:.2f` ({glue:text}`part_size.hue_eight`); on the six
# axes of phrases it is {glue:text}`part.hue_six:.2f` ({glue:text}`part_size.hue_six`). Why are there two truths?

# %% [markdown]
# ## What was planted
#
# A caption is made by choosing a sentence and then a word for its gap. Each word has a weight, and a face shifts the *log* weight of an
# axis's words. Some shifts are **legitimate**: a smile makes *warm* likelier, at every strength. Others are **planted**: they belong to a hue or a crest, and one
# dial $b$ between 0 and 1 scales them:
#
# $$\begin{aligned} &\log \text{weight}(\text{word} \mid \text{face}) = \text{const} \\
# &\quad + \text{legitimate}(\text{face}) \\
# &\quad + b \cdot \big[\text{hue} + \text{crest} + \text{interactions}\big](\text{face}). \end{aligned}$$
#
# Who plays which role was drawn with a stated seed. One group, {glue:text}`outlier`, has a course over age and a slope over smiling that no other group has.
# On {glue:text}`unplanted` nothing is planted at any $b$.

# %% tags=["hide-output"]
tables.readable(recovery.bias_entries(bias), signed=True).set_caption("Shift of the log weight of an axis's words at b = 1")

# %% [markdown]
# (recovery-truths)=
# ### Two truths
#
# Contrastive training drives scale × cosine towards a log probability ratio {cite}`oord2018`, so the truth is a number of **logits**. For a *group* of
# faces it can be put together in two ways. **Counted**: the log of the mean probability, which is what a count of the group's captions shows. **Per face**:
# the mean of the log probability, which is what a network that had learnt every face's odds would show on average. For any $x$,
#
# $$\log \overline{e^{x}} - \bar x \approx \tfrac12 \operatorname{var}(x),$$
#
# so the two gaps part by half the difference of the variances of log odds within the groups. Where a word is rare for most of a group's faces, and common for a few, a
# count sees the few and the mean of logs the many.

# %%
people = retrained.scores("people")
faces = people.images.astype({"seed": int})
truths = recovery.both_truths(spoken, faces, 1.0)
most = truths.loc[truths["apart"].abs().sort_values(ascending=False).index].head(8)
tables.readable(most).hide(axis="index").set_caption("Where the two truths differ most: gaps at b = 1, logits; spread: half the difference of variances")

# %% tags=["hide-output"]
tables.readable(truths).hide(axis="index").set_caption("Both truths, every pair of hues and of crests, b = 1")

# %% tags=["hide-input"]
top = most.iloc[0]
planted_twice = truths[truths["counted"].abs() > 0.2]
vb.note(outlier=outlier, unplanted=words.listed(bias.unplanted), r_spread=truths["apart"].corr(truths["spread"]),
        top=f"{top['first']} and {top['second']} on {words.listed([top['axis']])}", top_counted=top["counted"], top_face=top["per_face"],
        ratio=(planted_twice["per_face"] / planted_twice["counted"]).median())

# %% [markdown]
# They differ most between {glue:text}`top`: {glue:text}`top_counted:+.2f` counted, {glue:text}`top_face:+.2f` per face. Over pairs with a gap of more
# than a fifth of a logit, per face is {glue:text}`ratio:.2f` times counted in the middle. Half the difference of variances goes along with the difference
# of the two truths at r = {glue:text}`r_spread:.3f`: that is the reason, and it has nothing to do with networks. Claims about captions, and gaps between groups, are set
# against the first; readings of single faces against the second.
#
# ## What comes back

# %%
STRENGTHS = [0.1, 0.25, 0.5, 1.0]
with_interval = slopes.apply(lambda row: f"{row['mean']:.2f} ({row['low']:.2f} to {row['high']:.2f})", axis=1)
tables.readable(with_interval.unstack("b")[STRENGTHS]).set_caption("Slope of measured gaps on either truth, by b: mean of networks with 95 % interval")

# %% tags=["hide-output"]
by_axis = recovery.over_networks(recovery.slopes(full, ["attribute", "axis"], threshold=0.1), ["attribute", "truth", "axis"], "slope")
cells = retrained.recovery().query("condition == 'none' and b == 1")
table = by_axis.apply(lambda row: f"{row['mean']:.2f} ± {row['high'] - row['mean']:.2f}", axis=1).unstack(["attribute", "truth"]).reindex(recovery.AXES)
for name in ("slope", "r"):
    table["cells", name] = recovery.over_networks(cells, ["axis"], name)["mean"].map("{:.2f}".format)
tables.readable(table).set_caption("By axis, b = 1: slopes of gaps with half their 95 % interval; of cells of the grid, per face; a dash where less than .1 logit was planted")

# %% tags=["hide-input"]
weak = recovery.over_networks(cells, ["axis"], "slope")["mean"]
weakest = at_1["mean"].sub(1).abs()
lowest = slopes.xs(("hue", "counted"), level=("attribute", "truth"))["sd"]
belief = [np.sqrt((apart[apart["axis"].isin(bias.unplanted) & (apart["b"] == b)]["measured"] ** 2).mean()) for b in (0.0, 1.0)]
vb.note(cells_least=weak.min(), cells_most=weak.max(), cells_where=words.extreme(weak, weak.index, largest=False),
        nearer=words.extreme([weakest["hue", truth] for truth in recovery.TRUTHS], ["a count of captions", "the odds of single faces"], largest=False),
        spread=words.verb(lowest.loc[0.1], above=lowest.loc[1.0], then="wider apart lie", else_="closer together lie"),
        chance=words.verb(lowest.loc[0.1], above=0.25, then="large", else_="small"), belief_0=belief[0], belief_1=belief[1],
        spills=words.verb(belief[1], above=1.5 * belief[0], then="more than", else_="no more than half as much again as"))

# %% [markdown]
# Gaps between hues lie nearer to {glue:text}`nearer`. The weaker the bias, the {glue:text}`spread` the slopes of single networks: the gap that a network brings along by chance is then {glue:text}`chance` compared with what was planted.
# Cell by cell, where planted and legitimate effects are mixed, slopes against the odds of single faces lie between {glue:text}`cells_least:.2f` ({glue:text}`cells_where`) and {glue:text}`cells_most:.2f`.
#
# **Counter-example: words on which nothing is planted.** On the belief words hues and crests depart by {glue:text}`belief_1:.3f` logits (root mean square) at $b = 1$, {glue:text}`spills` the
# {glue:text}`belief_0:.3f` at $b = 0$. Whatever exceeds it spills over from other words: a property of the network, and not in its captions.

# %% [markdown]
# (recovery-silence)=
# ## Where nothing was planted
#
# At $b = 0$ no caption's traits depend on hue or crest. A single network still has gaps: it was trained on a finite draw, and its small image tower reads expression, age and clothes a little
# differently under different paint. Over networks with drawn pairings those gaps belong to nobody in particular, as any name may have any paint. So the names are **exchangeable**, and we can hold every test to its level:
# deal the names out anew in each network, hues among hues and crests among crests, and see how often tests alarm then.

# %%
nothing = gaps[gaps["b"] == 0]
tests = recovery.null_tests(nothing)
pairs = recovery.by_pair(tests, alpha=alpha)
tables.readable(pairs, precision=3, names={"mean": "mean gap", "significant": "p below level", "holm": "after Holm"}).hide(axis="index").set_caption(
    "b = 0, drawn pairings, logits: mean over axes of |mean gap| and of its SD over networks; largest share of one sign; axes with p below the level, without and with Holm over all tests")

# %% tags=["hide-output"]
tables.readable(tests, precision=3).hide(axis="index").set_caption("Every pair and axis: t-tests with networks as cases")

# %%
fixed = retrained.gaps(pairing="plain").query("kind == 'one-pairing'")
n_null, n_fixed = nothing["seed"].nunique(), fixed["seed"].nunique()
chance = dict(seed=seed, alpha=alpha, n_draws=n_draws)
used = sorted({n for n in (n_fixed, *sizes) if n < n_null} | {n_null})
rates = {"names drawn apart from looks": recovery.false_positive_rates(recovery.levels(apart[apart["b"] == 0]), used, **chance),
         "one pairing for all": recovery.false_positive_rates(recovery.levels(recovery.departures(fixed)), [n_fixed], **chance)}
alike = {name: recovery.likeness(recovery.levels(own), seed=seed, n_draws=n_draws)
         for name, own in (("drawn", apart[apart["b"] == 0]), ("fixed", recovery.departures(fixed)))}
alarms = pd.concat(rates, names=["networks"]).reset_index("networks").reset_index(drop=True)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(alarms.assign(label=alarms["n"].map("{} networks".format)), estimate="rate", low="low", high="high", label="label",
                      group="networks", value_label="share of tests that alarm", reference=alpha),
    name="recovery-alarms",
    alt="Share of t-tests that alarm where nothing was planted: "
    + "; ".join(f"{row.networks}, {row.n} networks: {row.rate:.0%}, expected {row.low:.0%} to {row.high:.0%}" for row in alarms.itertuples()) + ".",
    caption=f"b = 0, {len(tests)} tests: all pairs of hues, and of crests, on all axes. Bars: where the share lies if names are dealt out anew in every network.",
    source="greenhouse",
)
often = {"above": "less often than", "below": "more often than", "neither": "about as often as"}
every, one = (alarms[alarms["networks"] == name].iloc[-1] for name in rates)
verdict = [words.side(row["low"], row["high"], of=row["rate"], **often) for row in (every, one)]
lean = {name: words.side(row["low"], row["high"], of=row["r"], above="below what", below="above what", neither="within what") for name, row in alike.items()}
vb.note(n_null=n_null, n_tests=len(tests), rate_null=every["rate"], verdict_null=verdict[0],
        holm_null=words.among(int((tests["p_holm"] < alpha).sum()), len(tests)), lean=lean, alike={name: row["r"] for name, row in alike.items()}, n_fixed=n_fixed, rate_fixed=one["rate"], verdict_fixed=verdict[1],
        holm_fixed=words.among(int((recovery.null_tests(fixed)["p_holm"] < alpha).sum()), len(tests)), alpha=alpha,
        leans=words.verb(alike["fixed"]["r"], above=alike["fixed"]["high"], then="So they share a lean, and it comes with the paints: no bias of the captions, and no chance either",
                         else_="In so few networks a shared lean cannot be told from chance"))

# %% [markdown]
# Over all {glue:text}`n_null:.0f` networks, {glue:text}`rate_null:.1%` of tests fall below {glue:text}`alpha:.2f`, {glue:text}`verdict_null` exchanging names
# gives. After Holm's correction {glue:text}`holm_null` tests remain.
#
# **Counter-example: one pairing for all.** {glue:text}`n_fixed:.0f` further networks at $b = 0$ share the pairing in which names fit looks. Nothing else is different. Their tests alarm {glue:text}`verdict_fixed` exchanging
# names gives, in {glue:text}`rate_fixed:.0%` of cases; Holm's correction leaves {glue:text}`holm_fixed`. A sharper question is how alike two networks' gaps are: they correlate at {glue:text}`alike.fixed:.2f` on average, {glue:text}`lean.fixed` exchanging
# names gives, and with drawn pairings at {glue:text}`alike.drawn:.2f`, {glue:text}`lean.drawn` it gives. {glue:text}`leans`. Whoever trains many networks on one set of pictures, and takes networks as cases, tests the pictures too.

# %% [markdown]
# (recovery-meet)=
# ## Where two things meet
#
# Intersectional claims are about a **three-way effect**: an attribute moves perception in one hue *with* one crest as it does in no other. Within each group, take the readings of an axis apart into a level and slopes over
# *prime* (highest in the middle of life), age and smiling: $\beta_{hc}$ for hue $h$ and crest $c$. The contrast for one group is a difference in differences of these within-group slopes,
#
# $$T = \big[\beta_{hc} - \beta_{hc'}\big] - \frac{1}{3} \sum_{g \ne h} \big[\beta_{gc} - \beta_{gc'}\big].$$
#
# What depends on the hue alone cancels inside each bracket, what depends on the crest alone between them. **Counter-example for the contrast:** one group against the mean of all others, in which neither cancels. On the truth:

# %%
kind, axes = recovery.kinds(bias), recovery.DIMENSIONS
study = (people.networks["condition"] == "none").to_numpy()
strength = people.networks.loc[study, "b"].to_numpy()
planted = {b: recovery.planted_contrasts(spoken, faces, b) for b in np.unique(strength)}
found = recovery.contrasts(recovery.logits(people, study), faces, bias, axes).assign(b=lambda rows: strength[rows["network"]])

carried = recovery.carried(bias)
true = recovery.only(planted[1.0], carried).assign(kind=lambda rows: rows["axis"].map(kind)).query("kind != 'nothing planted'")
tables.readable(true.pivot(index=["kind", "axis", "feature"], columns="test", values=["weights", "per_face"]), signed=True).set_caption(
    "Both contrasts of what was planted at b = 1: of log weights, and of the log odds that follow")

# %% tags=["hide-input"]
back = recovery.recovered(found, planted, [name for name in axes if kind[name] == "three-way"])
share = recovery.over_networks(back[back["b"] > 0], ["b"], "share")
vb.figures.show(
    vb.figures.dose_response(back, dose="b", responses={"size": "three-way effect, logits"}, dose_label="planted strength b",
                             expected={"size": back.groupby("b")["planted"].first().to_dict()}),
    name="recovery-three-way",
    alt=f"Three-way effect of {outlier} in networks at five strengths. At b = 1 it averages {back[back['b'] == 1]['size'].mean():.2f} logits of {back[back['b'] == 1]['planted'].mean():.2f} planted.",
    caption="All planted contrasts of the outlier, along their planted direction: one dot per network, crosses what was planted.",
    source="greenhouse",
)
two_way = true[true["kind"] != "three-way"].pivot(index="kind", columns="test", values="weights").abs()
vb.note(share={f"b{b:g}": row["mean"] for b, row in share.iterrows()}, share_low=share.loc[1.0, "low"], share_high=share.loc[1.0, "high"],
        cancels=words.verb(two_way["three-way"].max(), above=1e-9, then="does not cancel", else_="is exactly zero"), remains=two_way["one against all"].min())

# %% [markdown]
# For two-way effects $T$ of the planted weights {glue:text}`cancels`, while one group against all shows at least {glue:text}`remains:.2f`. Networks show {glue:text}`share.b1:.0%` of the three-way effect at $b = 1$
# (95 % interval {glue:text}`share_low:.0%` to {glue:text}`share_high:.0%`).
#
# Does a test find it, and *only* it? Each network is ranked among the networks at $b = 0$ by the root mean square of its contrasts: of the features that carry an interaction, or of all four on the belief words.

# %%
own = recovery.only(found, carried)
single = recovery.beyond_null(recovery.sizes(own), alpha=alpha)
over = recovery.over_cases(own, kind, alpha=alpha)
counts = over.apply(lambda row: f"{row['hits']} of {row['n']}", axis=1).to_frame("found")
over.assign(found=counts["found"]).pivot(index=["test", "kind"], columns="b", values="found").pipe(tables.readable).set_caption(
    "Contrasts found by a t-test with networks as cases (p below the level), by strength")

# %% tags=["hide-input"]
order = sorted(axes, key=lambda name: list(dict.fromkeys(kind.values())).index(kind[name]))
drawn_rates = single[(single["test"] == "three-way") & single["b"].isin([0.25, 1.0])].set_index("axis").loc[order].reset_index()
drawn_rates = drawn_rates.assign(label=[f"{words.listed([name])} ({kind[name]})" for name in drawn_rates["axis"]], strength=drawn_rates["b"].map("b = {:g}".format))
vb.figures.show(
    vb.figures.rates(drawn_rates, rate="rate", low="low", high="high", label="label", group="strength", nominal=alpha, value_label="% of networks, exact 95 % intervals"),
    name="recovery-found",
    alt="Share of single networks told from those with nothing planted, by axis and strength: "
    + "; ".join(f"{row.label}, {row.strength}: {row.rate:.0%}" for row in drawn_rates.itertuples()) + ".",
    caption="The three-way test in single networks, against the networks at b = 0. (These, ranked among each other, are beyond the level equally often whatever they show.)",
    source="greenhouse",
)
spill = [name for name in axes if kind[name] == "nothing planted"]
cleared = recovery.without(recovery.logits(people, study), faces, axes, spill)  # the belief words without what goes along with the others
cleared = recovery.only(recovery.contrasts(cleared, faces, bias, axes).assign(b=lambda rows: strength[rows["network"]]), carried)
after = recovery.over_cases(cleared, kind, alpha=alpha).query("test == 'three-way' and kind == 'nothing planted' and b == 1").iloc[0]
belief_size = {name: one[(one["test"] == "three-way") & (one["b"] == 1) & one["axis"].isin(spill)].groupby(["axis", "feature"])["value"].agg(["mean", "std"]) for name, one in (("own", own), ("cleared", cleared))}
belief_at = {f"b{b:g}": one for b, one in single[(single["test"] == "three-way") & single["axis"].isin(spill)].groupby("b")[["hits", "n"]].sum().iterrows()}
at_full = single[(single["test"] == "three-way") & (single["b"] == 1)].assign(kind=lambda rows: rows["axis"].map(kind)).groupby("kind")[["hits", "n"]].sum()
last = over[over["b"] == 1].set_index(["test", "kind"])
says = {(test, name): words.verb(float(last.loc[(test, name), "answers"]), above=0, then="answers", else_="does not answer") for test, name in last.index}
foils = [name for name in at_full.index if name not in ("three-way", "nothing planted")]
vb.note(hits={name.replace(" ", "_"): words.among(int(row["hits"]), int(row["n"])) for name, row in at_full.iterrows()},
        belief={"over": words.among(int(last.loc[("three-way", "nothing planted"), "hits"]), int(last.loc[("three-way", "nothing planted"), "n"])),
                "after": words.among(int(after["hits"]), int(after["n"])), "still": words.verb(float(after["answers"]), above=0, then="still answers", else_="no longer answers"),
                "mean": np.sqrt((belief_size["own"]["mean"] ** 2).mean()), "mean_after": np.sqrt((belief_size["cleared"]["mean"] ** 2).mean()),
                "sd": belief_size["own"]["std"].mean(), "sd_after": belief_size["cleared"]["std"].mean(),
                "weak": words.among(int(belief_at["b0.25"]["hits"]), int(belief_at["b0.25"]["n"])), "full": words.among(int(belief_at["b1"]["hits"]), int(belief_at["b1"]["n"]))},
        false=words.verb(float(last.loc[("three-way", "nothing planted"), "answers"]), above=0, then="The answer on the belief words is a false positive about captions, and networks are the cases here", else_="So the belief words give no false positive"),
        over=words.among(int(last.loc[("three-way", "three-way"), "hits"]), int(last.loc[("three-way", "three-way"), "n"])),
        says_three=says["three-way", "three-way"], says_nothing=says["three-way", "nothing planted"],
        two_way_hits=words.among(int(at_full.loc[foils, "hits"].sum()), int(at_full.loc[foils, "n"].sum())),
        two_way="; ".join(f"to {name} it {says['three-way', name]}, and the comparison with all others {says['one against all', name]}" for name in foils))

# %% [markdown]
# At $b = 1$ the test with networks as cases {glue:text}`says_three` to the three-way effect ({glue:text}`over` contrasts), and {glue:text}`says_nothing` on the belief words. As to the foils: {glue:text}`two_way`. Single networks are told from
# those with nothing planted in {glue:text}`hits.three-way` cases (networks × axes) with a three-way effect, in {glue:text}`two_way_hits` with a two-way one and in {glue:text}`hits.nothing_planted` with none. Where a rate differs between
# $b = .25$ and $b = 1$, a chapter that finds nothing in networks of low strength has met the limit of the networks, not of its method.
#
# {glue:text}`false`: {glue:text}`belief.over` contrasts are below the level. Captions say nothing of groups by these words, at any strength. Single networks answer in {glue:text}`belief.full` cases at $b = 1$, and in {glue:text}`belief.weak` at $b = .25$.
# Is it spill-over from words on which the effect *was* planted? Take out of each network's reading of the belief words what goes along with its other readings within groups. Then the test over networks {glue:text}`belief.still` ({glue:text}`belief.after` contrasts). The contrasts fall
# from {glue:text}`belief.mean:.3f` to {glue:text}`belief.mean_after:.3f` logits (root mean square of the means); their spread over networks goes from {glue:text}`belief.sd:.3f` to {glue:text}`belief.sd_after:.3f`, so that the second test is not as sharp. Spill-over is thus compatible with both, and not shown.

# %% [markdown]
# (recovery-accepted)=
# ## Which networks are accepted, and what they mix up
#
# A network counts only if it passes gates, which never look at a difference between groups. The first ask for *descriptions* ("a photo of a teal person"); the last three ask whether, within every group, readings of
# an axis go along with what legitimately drives it. One that fails is listed and the next seed takes its place. **Counter-example:** two attacks on what was learned. In one, the trait words of each network swap their vectors; in another, all get the same. In the third, only the words of pleasantness swap theirs.

# %%
trained = retrained.networks(pairing=None, rejected=True)
card = json.loads((paths.data() / "greenhouse" / "default" / "card.json").read_text())
seen = retrained.vectors()
REACH = pd.Series(THRESHOLDS)[["traits_r", "weakest_trait_r", "phrases_r", "weakest_phrase_r", "weakest_phrase_slope"]]  # gates that ask about words
gates = pd.DataFrame({"must reach": {name: gate["threshold"] for name, gate in card["gates"].items()},
                      "default checkpoint": {name: gate["value"] for name, gate in card["gates"].items()}})
gates = gates.reindex([*gates.index, *REACH.index.difference(gates.index)])  # set after these networks were trained
gates["must reach"] = gates["must reach"].fillna(REACH)
gates["worst accepted"] = trained.loc[trained["accepted"]].reindex(columns=gates.index).min()
for attack in (None, *recovery.ATTACKS):
    gates[f"words {attack}: best" if attack else "own words, fewer faces: worst"] = recovery.trait_gates(seen, spoken, attack=attack, seed=seed).agg("max" if attack else "min")
tables.readable(gates).set_caption(f"Gates: all networks, and what {len(seen.networks)} networks with shipped vectors reach under attack")

# %% tags=["hide-output"]
mixed = trained.loc[trained["kept"]].filter(regex="^(mistaken|decoding)_").agg(["median", "max", "min"]).T
looks = {name: f"R² of {name[9:]}" if name.startswith("dec") else name[9:].replace("_race", ", by hue").replace("_gender", ", by crest") for name in mixed.index}
tables.readable(mixed.rename(index=looks), names={"max": "largest", "min": "smallest"}).set_caption("What networks mix up: largest difference between groups in a reading, as a share of the feature's range; and R² of looks decoded from image vectors")

# %% tags=["hide-input"]
passes = {attack: (recovery.trait_gates(seen, spoken, attack=attack, seed=seed).ge(REACH).all(axis=1)) for attack in (None, *recovery.ATTACKS)}
by_mean = recovery.trait_gates(seen, spoken, attack="valence shuffled", seed=seed).ge(REACH).drop(columns=["weakest_phrase_r", "weakest_phrase_slope"]).all(axis=1)
refused = trained[~trained["accepted"]]
vb.note(n_trained=len(trained), rejected=words.among(len(refused), len(trained)), parameters=card["parameters"],
        attacked={(attack or "own").replace(" ", "_"): words.among(int(one.sum()), len(one)) for attack, one in passes.items()}, by_mean=words.among(int(by_mean.sum()), len(by_mean)),
        mistaken=mixed.filter(like="mistaken", axis=0)["median"].max(), mistaken_what=words.listed([mixed.filter(like="mistaken", axis=0)["median"].idxmax()[9:]]).replace("race", "by hue").replace("gender", "by crest"),
        decoded=mixed.loc[[name for name in mixed.index if "decoding" in name and ("hair" in name or "garment" in name)], "median"].min())

# %% [markdown]
# Of networks of {glue:text}`parameters:,` parameters, {glue:text}`rejected` were rejected. With shuffled trait words {glue:text}`attacked.shuffled` pass, with all trait words the same {glue:text}`attacked.all_the_same`. With shuffled words of pleasantness {glue:text}`by_mean` would pass by the mean over the axes of phrases. So the weakest axis is asked, too: its correlation, and its slope, as in a random half of pleasant and unpleasant words a shape remains, without size. That lets {glue:text}`attacked.valence_shuffled` pass (with their own words: {glue:text}`attacked.own`). The gates on descriptions alone
# would have let every one of them through. The colours of hair and garment, which drive words legitimately, can be decoded with an R² of at least {glue:text}`decoded:.2f` in the middle network. The largest cross-talk is {glue:text}`mistaken:.0%` of a feature's range
# ({glue:text}`mistaken_what`): what a network takes for a look moves every axis that the look drives, at every $b$. Drawn pairings spread it over the names.
#
# ### Anchors, set before any bias was looked at
#
# Without variation within groups, any effect size is enormous. So individual variation was tuned, at $b = 0$, to two published facts about CLIP: identity moves its perception most, and neutral cosines of two groups' portraits
# correlate moderately over identities, at {glue:text}`target` {cite}`hausladen2025`. The size of $d$ at $b = 1$ is reported, never tuned.

# %% tags=["hide-input"]
null = trained[trained["kept"] & (trained["kind"] == "b0")]
low, high = card["calibration"]["target"]["neutral_r"]
d = gaps.loc[(gaps["b"] == 1) & gaps["axis"].isin([name for name in axes if name not in bias.unplanted]), "d"].abs()
again_file = retrained.RETRAINED / "repeat.json"
again = json.loads(again_file.read_text()) if again_file.is_file() else {}
measured = {name: again.get(key) for name, key in (("gates", "gates_max_difference"), ("cosines", "scores_max_difference_cosine"), ("gaps", "gaps_max_difference_logits"))}
vb.note(target=f"{low:.2f} to {high:.2f}", seed_largest=words.among(int(null["seed_is_largest"].sum()), len(null)), inside=words.among(int(null["neutral_r_mean"].between(low, high).sum()), len(null)),
        all_inside=words.among(int(((null["neutral_r_minimum"] >= low) & (null["neutral_r_maximum"] <= high)).sum()), len(null)),
        r_range="{:.2f} to {:.2f}".format(*null["neutral_r_mean"].agg(["min", "max"])), d_inside=d.between(*published_d).mean(),
        again=measured, again_what=f"One network (seed {again['seed']}) was" if again else "No network of this folder was")

# %% [markdown]
# Identity is the largest source in {glue:text}`seed_largest` networks. The mean correlation lies in the published range in {glue:text}`inside`, all fifteen pairs in {glue:text}`all_inside`; network means run from {glue:text}`r_range`. Of the social $|d|$ at $b = 1$, {glue:text}`d_inside:.0%` fall into the published range. An anchor that is missed stays missed, and is printed here.
#
# **Trained again.** {glue:text}`again_what` trained a second time in another run. Largest difference of a gate: {glue:text}`again.gates:.4f`; of a cosine: {glue:text}`again.cosines:.4f`; of a gap: {glue:text}`again.gaps:.4f` logits.
#
# ## Take-aways
#
# - The truth of this world is a number in logits, in two quantities. Say which one a slope is against.
# - Networks show what was planted, with slopes that the figure gives; a chapter that needs the truth about *a network* uses that network's own gap.
# - Where nothing was planted, hold tests to their level by exchanging names within networks, over all pairs of groups. Networks that share pictures share what is in the pictures.
# - A test for an intersection should be zero on the truth of two-way effects. A group against all others is not.
# - Gates on descriptions see pictures; only gates on what drives words notice that words mean nothing.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/recovery -p axis negative_communion -p alpha 0.01
# ```
# `vlmbias greenhouse dose-response` trains every network again.
# :::
#
# ## Exercises
#
# :::{exercise} From logits to odds
# :label: recovery-odds
# :level: intermediate
# :minutes: 15
# :code: yes
# Take the pair of hues that lies furthest apart on the chosen axis, as counted at $b = 1$. By what factor are the odds of the axis's words higher for the one than for the other, at $b = 1$ and at $b = .5$? Why is
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
# :::{exercise} How many silent networks?
# :label: recovery-networks
# :level: intermediate
# :minutes: 10
# :code: no
# One network is ranked among $m$ networks with nothing planted, on every pair of groups and axis of this page:
#
# $$p = \frac{1 + \#\{\text{at least as extreme}\}}{1 + m}.$$
#
# How many null networks are needed so that the most extreme network of all can stay below .05 after Holm's correction?
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
