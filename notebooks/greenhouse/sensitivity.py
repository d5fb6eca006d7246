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
# # Sensitivity and silence
#
# *What do the measures and tests of Hausladen et al. find when something was planted, and what do they say when nothing was?*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Questions.** (a) A smile, an age, a hue or a crest shifts the words of the captions by a known amount. Which measure shows it, in which
# units, and how small can it be? (b) At $b = 0$ hue and crest shift nothing. How often does each test of the paper still call a difference between
# hues or crests "significant"?
#
# **In 20 minutes:** {ref}`the curves of (a) <sensitivity-curves>`, {ref}`the rates of (b) <sensitivity-silence>`, {ref}`three answers to one question <sensitivity-targets>`,
# take-aways. **In 75 minutes:** also the units, the rank measures, the dealt labels, both exercises.
#
# **You need:** Δcos ([primer](../../book/primers/perception.md)), and above all [targets](../../book/primers/targets.md): the same p-value can be right about one
# network and a false alarm about training.
# :::
#
# Both questions are about *retrained networks*: the same kind of captions, another random start. The limits of this laboratory are
# [on a page of their own](../../book/greenhouse/limits.md). In one line: no rate and no threshold on this page transfers to CLIP. What
# transfers is an order of questions, and the knowledge that a method *can* fail in a certain way.

# %% tags=["parameters"]
hue_axis = "positive_agency"  # axis of the hue's dose–response figure; one of: warmth, competence, positive_agency, negative_agency, positive_communion, negative_communion
crest_axis = "positive_agency"  # axis of the crest's; one of: warmth, competence, positive_agency, negative_agency, positive_communion, negative_communion
top = 0.167  # share of a ranking at which skew is read: a sixth, as 1,000 of 6,000 in the paper; from 0.01 to 1
alpha = 0.05  # level of the tests, and of "found"; from 0.001 to 0.5
found_share = 0.5  # share of retrained networks in which an effect must be found to count as visible; from 0.01 to 1
n_permutations = 1_000  # relabellings or sign flips per permutation test; at least 19
n_resamples = 100  # draws of identities, for correlations; at least 10
n_draws = 300  # exchanges of names; at least 10
seed = 0  # of every random draw; at least 0
results = "_build/results/greenhouse/sensitivity.json"  # no claims here

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.greenhouse import null_tests, sensitivity

portraits = retrained.scores("grid")  # what each retrained network makes of every picture
networks = portraits.networks
spoken = grammar.load()
roles = spoken.bias.roles  # who is favoured was drawn from a seed

# %% [markdown]
# ## The answers in two figures
#
# {glue:text}`networks` networks, {glue:text}`null` of them with nothing planted for hue and crest ($b = 0$), the others with strength .1, .25, .5 or 1. Each saw 600 prototypes (100 identities × three
# hues × two crests, everything else equal) and, of ten identities, the complete series of ages, smiles, lights and poses.
#
# **(a)** An effect is a contrast of two sets of pictures that differ in one thing. How large it is, we know. It is **found in a network** if its measure lies further from what is usual where nothing was planted
# than all but {glue:text}`level:.0f` % of the reference networks. In how many networks is it found?

# %%
effects = sensitivity.contrasts(roles)
values = sensitivity.measured(portraits, effects, top=top)
planted = sensitivity.sizes(portraits, spoken, effects)
found = sensitivity.detected(values, planted, alpha=alpha)
limits = sensitivity.limits(found, wanted=found_share)

# %% tags=["hide-input"]
vb.figures.style()
CURVES = ("Δcos", "raw cosine", "SC-WEAT d", "Skew@k", "NDKL")
drawn = sensitivity.curves(found).set_index(["effect", "measure"]).sort_index()
fig, axes = vb.figures.panels(2, 2, height=6.2, share_y=True)
for panel, effect in zip(axes.flat, sensitivity.EFFECTS, strict=True):
    for measure, colour in vb.figures.colours_for(CURVES).items():
        own = drawn.loc[(effect, measure)]
        panel.plot(own["size"], 100 * own["rising"], color=colour, linewidth=2.4 if measure == "Δcos" else 1.2, label=measure)
        if measure == "Δcos":
            panel.vlines(own["size"], 100 * own["low"], 100 * own["high"], color=colour, alpha=0.25)
            panel.plot(own["size"], 100 * own["rate"], "o", markersize=4, color=colour, alpha=0.6)
    panel.axhline(100 * found_share, color=vb.figures.COLOURS["reference"], linewidth=1, linestyle=":")
    panel.set(title=effect, ylim=(-3, 103))
fig.supxlabel("planted, logits (absolute)", fontsize=12)
fig.supylabel("% of networks", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
limits["told"] = [f"{row.limit:.2f} ({row.low:.2f} to {row.high:.2f})".replace("inf", "∞") for row in limits.itertuples()]
told = limits.set_index(["effect", "measure"])["told"]
vb.figures.show(
    fig, name="sensitivity-curves",
    alt="Four panels, one per effect: share of networks in which it is found, against its planted size. By Δcos the dotted line is crossed at "
        + "; ".join(f"{effect} {told[effect, 'Δcos']}" for effect in sensitivity.EFFECTS) + " logits.",
    caption="Points: one dimension at one strength, by Δcos, with exact 95 % intervals. Lines: the best rising curve for each measure. Dotted: the share at which we call an effect visible.",
    source="greenhouse",
)
vb.note(networks=int((networks["condition"] == "none").sum()), null=int(((networks["condition"] == "none") & (networks["b"] == 0)).sum()), level=100 * alpha,
        limit=told, share=100 * found_share, most=vb.networks.rates(np.ones(10, bool))["low"].iloc[0])

# %% [markdown]
# We call an effect **visible** from the size on at which it is found in {glue:text}`share:.0f` % of the networks. By Δcos that is, in logits, {glue:text}`limit.hue.Δcos` for a hue, {glue:text}`limit.crest.Δcos` for a crest,
# {glue:text}`limit.smiling.Δcos` for a smile and {glue:text}`limit.age.Δcos` for an age. In brackets: the same limit read off the upper and the lower ends of exact intervals. They have a width also where all networks agree: of ten networks that all find an
# effect we only know that at least {glue:text}`most:.0%` of such networks would. So ten a strength can settle whether *half* find it, and could not settle whether 80 % do.
#
# **(b)** Now only the networks at $b = 0$, whose captions say nothing about traits that depends on a hue or a crest. Each test of the paper that compares groups, or whose question can be asked of hues and crests, is put to every one of them.

# %%
quiet = null_tests.pictures(portraits, (networks["condition"] == "none") & (networks["b"] == 0))
draws = dict(seed=seed, n_permutations=n_permutations, n_resamples=n_resamples)
answers = null_tests.ask(quiet, **draws)
within = null_tests.within_networks(answers, alpha=alpha)
dealt = null_tests.within_networks(null_tests.ask(quiet.relabelled(rng=np.random.default_rng([seed, 1])), **draws), alpha=alpha)

# %% tags=["hide-input"]
cases = {"picture": "per picture", "identity": "per identity"}
bars = pd.concat([within.assign(cases=within["unit"].map(cases)), dealt[dealt["unit"] == "identity"].assign(cases="per identity, labels at random")])
middle = pd.DataFrame({"real": within.groupby("unit")["significant"].median(), "dealt": dealt.groupby("unit")["significant"].median()})
survive = within.groupby("unit")["rate"].median()
vb.figures.show(
    vb.figures.rates(bars.sort_values("test", key=lambda names: names.map(list(answers).index), kind="stable"), rate="rate", low="low", high="high", label="test", group="cases",
                     nominal=alpha, value_label="% of networks, exact 95 % intervals"),
    name="sensitivity-silence",
    alt=f"Share of networks with nothing planted in which at least one difference between hues or crests is significant after Holm, for {len(answers)} tests: median "
        f"{survive['picture']:.0%} per picture, {survive['identity']:.0%} per identity.",
    caption="Nothing planted for hue or crest: networks in which at least one difference between them is 'significant' after Holm's correction. Dashed: the level.",
    source="greenhouse",
)
# %% tags=["remove-cell"]
# for a slide: of the tests, the one that finds least per picture, the middle one and the one that finds most
ranked = within[within["unit"] == "picture"].sort_values("rate", kind="stable")["test"].tolist()
chosen = [ranked[-1], ranked[len(ranked) // 2], ranked[0]]
vb.figures.show(
    vb.figures.rates(bars[bars["test"].isin(chosen)].sort_values("test", key=lambda names: names.map(chosen.index), kind="stable"), rate="rate", low="low", high="high", label="test",
                     group="cases", nominal=alpha, value_label="% of networks, exact 95 % intervals"),
    name="sensitivity-silence-slide",
    alt=f"Share of networks with nothing planted in which at least one difference is significant after Holm, for {len(chosen)} of {len(ranked)} tests: those that find most, a middle "
        f"share and least per picture. Median of all: {survive['picture']:.0%} per picture, {survive['identity']:.0%} per identity.",
    caption=f"{len(chosen)} of {len(ranked)} tests: most, middle and fewest networks with a 'significant' difference per picture.",
    source="greenhouse",
)

# %% tags=["hide-input"]
span = within.groupby("unit")["significant"].agg(["min", "max"])
vb.note(alarms={unit: 100 * middle.loc[unit, "real"] for unit in cases}, alarms_low=100 * span["min"], alarms_high=100 * span["max"], holm=100 * survive, dealt=100 * middle["dealt"],
        oftener=words.verb(middle.loc["identity", "real"], above=middle.loc["picture", "real"], then="more often", else_="no more often"),
        below=words.verb(alpha, above=middle.loc["picture", "dealt"], then="stay below the level", else_="do not stay below the level"))

# %% [markdown]
# Of all tests, {glue:text}`alarms.picture:.0f` % reject if **pictures** are taken as independent (median over the tests of the paper; from {glue:text}`alarms_low.picture:.0f` to {glue:text}`alarms_high.picture:.0f` %), and {glue:text}`alarms.identity:.0f` % if **identities** are, whose pictures
# are compared with each other (from {glue:text}`alarms_low.identity:.0f` to {glue:text}`alarms_high.identity:.0f` %). After Holm's correction at least one difference survives in {glue:text}`holm.picture:.0f` % and {glue:text}`holm.identity:.0f` % of the networks (medians over tests).
# Holm corrects for the number of questions; nothing is wrong with their number.
#
# ## (a) Sensitivity
#
# ### What is compared
#
# Sizes are in logits: by how much a contrast shifts the log odds of the dimension's words against neutral captions, in a *count* of the captions of each set (`counted`). This is the only yardstick of this page.
#
# | effect | pictures compared | sizes | reference |
# |---|---|---|---|
# | hue | {glue:text}`favoured` and {glue:text}`disfavoured` prototypes | eight dimensions × every $b$ | the same contrast at $b = 0$ |
# | crest | {glue:text}`first` and {glue:text}`second` prototypes of these two hues | eight dimensions × every $b$ | the same contrast at $b = 0$ |
# | smiling | broadest smile, deepest frown | eight dimensions, at $b = 0$ | turned left, turned right |
# | age | oldest, youngest | eight dimensions, at $b = 0$ | turned left, turned right |
#
# The third hue is left out because one of its groups, {glue:text}`odd`, has a course of its own ([Intersections](../causalface/intersections.ipynb)). Smiles and ages shift the captions at every strength, so $b = 0$ is no reference for
# them. Turning to the left or to the right is one: no caption about traits depends on the side. It is a reference for want of a better: smiles and ages that shift a dimension by less than a twentieth of a logit are found in {glue:text}`nothing:.0%` of the networks,
# so limits for them may be read as too small.
#
# ### By which measure?
#
# Skew, MaxSkew and NDKL rank the pictures of a contrast by the raw cosine, with equal desired shares; a group without any picture at the top counts as having half a one.

# %%
tables.readable(limits.pivot(index="measure", columns="effect", values="told").loc[list(sensitivity.UNITS), list(sensitivity.EFFECTS)].rename_axis(columns=None)).set_caption(
    f"(a) Smallest size, in logits, found in {found_share:.0%} of retrained networks; in brackets, off the exact 95 % intervals")

# %% tags=["hide-input"]
size = limits.set_index(["effect", "measure"])["limit"].unstack()[list(sensitivity.UNITS)]
largest = planted.assign(size=planted["planted"].abs()).groupby("effect")["size"].max()
vb.note(favoured=roles["favoured"], disfavoured=roles["disfavoured"], first=roles["first"], second=roles["second"], odd=" ".join(spoken.bias.outlier.values()),
        largest=", ".join(f"{effect} {largest[effect]:.2f}" for effect in sensitivity.EFFECTS),
        best=", ".join(f"{effect}: {words.extreme(size.loc[effect].round(2), list(size.columns), largest=False)}" for effect in sensitivity.EFFECTS),
        finer={name.split()[0]: words.among(int((size[name] < size["raw cosine"]).sum()), len(size)) for name in ("Δcos", "centred cosine")},
        nothing=found[found["effect"].isin(["smiling", "age"]) & (found["measure"] == "Δcos") & (found["planted"].abs() < 0.05)]["rate"].mean(),
        ranked=words.among(int((size[["Skew@k", "MaxSkew@k", "NDKL"]].min(axis=1) > size["Δcos"]).sum()), len(size)))

# %% [markdown]
# The largest sizes planted are {glue:text}`largest`. The measure with the smallest limit is, by effect, {glue:text}`best`. The raw cosine, of which SC-WEAT, Skew and NDKL are made, also holds whatever moves a picture towards all sentences alike.
# Δcos has a smaller limit than it for {glue:text}`finer.Δcos` effects, centring over the adjectives for {glue:text}`finer.centred`. The best of the rank measures needs a larger effect than Δcos for {glue:text}`ranked`. What subtracting can *add* is
# [the neutral prompt's chapter](../causalface/neutral_prompt.ipynb).
#
# A limit of one logit would mean that a dimension's words must be nearly three times as likely for one group as for the other before that share of networks shows it. What sets the limit is not the number of pictures. It is how much
# networks with *nothing* planted differ from each other, and more pictures do not change that.
#
# ### In which units?

# %%
units = sensitivity.worth(values, planted, b=1.0)
tables.readable(units[["measure", "unit", "r", "mean", "sd", "cv"]], names={"cv": "SD / mean"}).hide(axis="index").set_caption(
    "Sixteen contrasts (eight dimensions, hue and crest) at b = 1: r of the mean network with what was planted; what one planted logit is worth, mean and SD over networks, SD by mean")

# %% tags=["hide-input"]
by_measure, scale = units.set_index("measure"), networks.loc[networks["condition"] == "none", "logit_scale"]
logits, cosine = by_measure.loc["Δcos in logits"], by_measure.loc["Δcos"]
part = values[(values["effect"] == "hue") & (values["dimension"] == hue_axis)]
told_hue = planted[(planted["effect"] == "hue") & (planted["dimension"] == hue_axis)].set_index("b")["planted"].to_dict()
vb.figures.show(
    vb.figures.dose_response(part, dose="b", responses={name: name for name in ("Δcos in logits", "SC-WEAT d", "Skew@k")}, dose_label="planted strength b", expected={"Δcos in logits": told_hue}),
    name="sensitivity-hue",
    alt=f"Three measures of {roles['favoured']} against {roles['disfavoured']} on {words.listed([hue_axis])}, for networks at five strengths. At the highest, "
        f"{part[part['b'] == 1]['Δcos in logits'].mean():.2f} logits on average where {told_hue[1.0]:.2f} were planted.",
    caption=f"{roles['favoured'].capitalize()} against {roles['disfavoured']} on {words.listed([hue_axis])}: one point per retrained network, crosses where the planted size has the same unit.",
    source="greenhouse",
)
vb.note(recovered_counted=logits["mean"], recovered_low=logits["low"], recovered_high=logits["high"], scale=scale.mean(), scale_sd=scale.std(), cv={"cosine": cosine["cv"], "logits": logits["cv"]},
        recovered=words.side(logits["low"], logits["high"], of=1, above="more than was planted", below="less than was planted", neither="not told apart from what was planted"))

# %% tags=["hide-input"]
part = values[(values["effect"] == "crest") & (values["dimension"] == crest_axis)]
told_crest = planted[(planted["effect"] == "crest") & (planted["dimension"] == crest_axis)].set_index("b")["planted"].to_dict()
vb.figures.show(
    vb.figures.dose_response(part, dose="b", responses={name: name for name in ("Δcos in logits", "MaxSkew@k", "NDKL")}, dose_label="planted strength b", expected={"Δcos in logits": told_crest}),
    name="sensitivity-crest",
    alt=f"Three measures of {roles['first']} against {roles['second']} on {words.listed([crest_axis])}, for networks at five strengths. At the highest, "
        f"{part[part['b'] == 1]['Δcos in logits'].mean():.2f} logits on average where {told_crest[1.0]:.2f} were planted.",
    caption=f"{roles['first'].capitalize()} against {roles['second']} on {words.listed([crest_axis])}: measures without a sign do not start from zero.",
    source="greenhouse",
)

# %% [markdown]
# Only one of these units can be compared with what was planted. Times the network's own temperature, Δcos is in logits: one logit, as counted in captions, comes back as {glue:text}`recovered_counted:.2f` (95 % interval over networks
# {glue:text}`recovered_low:.2f` to {glue:text}`recovered_high:.2f`), {glue:text}`recovered`. A cosine has no such meaning unless the temperature is known. Within one recipe that matters little: temperatures are {glue:text}`scale:.1f` ± {glue:text}`scale_sd:.1f` (SD), and
# what a planted logit is worth varies over networks by {glue:text}`cv.cosine:.0%` in cosines and by {glue:text}`cv.logits:.0%` in logits. $d$ divides by the spread of the pictures, so it also depends on how different the *individuals* are. Rank measures
# saturate: once every picture at the top is of one group, more bias changes nothing. Nothing on this page comes that far ({ref}`below <sensitivity-averages>`).
#
# (sensitivity-averages)=
# ### Averages over dimensions
#
# The paper's rank measures are averages over all **eight** dimensions, negative ones included. **Counter-example:** the same over the five positive ones.

# %%
ranks = ("Skew@k", "MaxSkew@k", "NDKL")
average = pd.concat({name: sensitivity.averaged(values, chosen, names=ranks, alpha=alpha) for name, chosen in
                     (("all eight", sensitivity.DIMENSIONS), ("five positive", sensitivity.POSITIVE))}, names=["over"]).reset_index("over")
average["told"] = [f"{row.mean:+.2f} ({row.hits}/{row.n})" for row in average.itertuples()]
average.pivot(index=["effect", "measure", "over"], columns="b", values="told").pipe(tables.readable).set_caption(
    "Rank measures averaged over dimensions, by strength b: mean over networks (networks in which the effect is found; at b = 0 each is ranked among the others, so their number is fixed by the level)")

# %% tags=["hide-input"]
full = average[(average["effect"] == "hue") & (average["b"] == 1)].set_index(["measure", "over"])
in_all = {key: words.among(int(row["hits"]), int(row["n"])) for key, row in full.iterrows()}
vb.note(skew={"eight": in_all["Skew@k", "all eight"], "five": in_all["Skew@k", "five positive"]}, maxskew=in_all["MaxSkew@k", "all eight"], ndkl=in_all["NDKL", "all eight"],
        max_skew=full.loc[("MaxSkew@k", "five positive"), "mean"], skew_limit=np.log(2),  # two groups, half of the pictures each
        cancels=words.verb(full.loc[("Skew@k", "five positive"), "rate"], above=full.loc[("Skew@k", "all eight"), "rate"], then="opposite signs cancel", else_="here signs do not cancel"))

# %% [markdown]
# A group that comes early for one kind of word comes late for its opposite. For a hue at full strength, Skew averaged over eight dimensions finds it in {glue:text}`skew.eight` networks, over the five positive ones in {glue:text}`skew.five`: {glue:text}`cancels`. MaxSkew and
# NDKL have no sign to cancel (over eight, they find it in {glue:text}`maxskew` and {glue:text}`ndkl`), and do not say whom the ranking favours. Over the five positive dimensions MaxSkew is {glue:text}`max_skew:.2f` on average at full strength, where {glue:text}`skew_limit:.2f` is possible.
#
# ## (b) Silence
#
# ### Are the tests themselves in order?
#
# **Counter-example: dealt labels.** Deal out the six group labels of every identity at random, anew for every network. Now groups do not differ even for this network, and every alarm is the test's own. Per identity {glue:text}`dealt.identity:.1f` % of the tests reject (median). Those that treat
# pictures of one identity as independent {glue:text}`below` ({glue:text}`dealt.picture:.1f` %): what pictures of one identity share counts as noise there. With real labels, tests per identity reject {glue:text}`oftener` than those per picture: comparing the pictures of one identity takes that noise
# away, so the network's own lean shows. The alarms of the figure are thus not faults of arithmetic. They are answers about one network, in a place where a reader expects an answer about such networks.
#
# ### Networks as cases
#
# So let every **network** be a case, with one number for each question. The names of groups are *exchangeable* over these networks at $b = 0$: each drew for itself which name has which look. Dealing the names out anew in every network therefore says how often such tests may reject.
# **Counter-example:** {glue:text}`n_fixed` networks with nothing planted that all share one pairing of names and looks.

# %%
alone = retrained.scores("grid", pairing="plain")
fixed = null_tests.ask(null_tests.pictures(alone, alone.networks["kind"] == "one-pairing"), **draws)
n_fixed, n_null = (len(next(iter(one.values())).picture) for one in (fixed, answers))
chance = dict(seed=seed, alpha=alpha, n_draws=n_draws)
over = null_tests.over_networks(answers, sorted({n_fixed, n_null}), **chance)
shared = null_tests.over_networks(fixed, [n_fixed], **chance)

# %% tags=["hide-input"]
table = within.pivot(index="test", columns="unit", values="significant").loc[list(answers), list(cases)].rename(columns=cases).map("{:.0%}".format)
parts = {f"{n_null} networks, drawn": over[over["n"] == n_null], f"{n_fixed} networks, drawn": over[over["n"] == n_fixed], f"{n_fixed} networks, one pairing": shared}
for name, part in parts.items():
    table[name] = {row.test: f"{row.rate:.0%} ({row.low:.0%}–{row.high:.0%})" for row in part.itertuples()}
beyond = {name: words.among(int((part["rate"] > part["high"]).sum()), len(part)) for name, part in zip(("all", "few", "fixed"), parts.values(), strict=True)}
rate = {name: 100 * part["rate"].median() for name, part in zip(("all", "few", "fixed"), parts.values(), strict=True)}
vb.note(n_null=n_null, n_fixed=n_fixed, beyond=beyond, rate=rate, tests=len(answers), rate_all=100 * parts[f"{n_null} networks, drawn"]["rate"].agg(["min", "max"]),
        exchange={"low": 100 * parts[f"{n_null} networks, drawn"]["low"].min(), "high": 100 * parts[f"{n_null} networks, drawn"]["high"].max()}, most_fixed=100 * shared["rate"].max(), where=words.extreme(shared["rate"], shared["test"]),
        shared=words.verb(rate["fixed"], above=rate["few"], then="more often", else_="no more often"),
        leans=words.verb(int((shared["rate"] > shared["high"]).sum()), above=1,  # one of them could be chance
                          then="So these networks share a lean that no caption says: how a paint or drawing looks to small networks. Networks as cases protect against the lean of one network, and not against what all of them were shown alike. The networks of this book's first edition shared one pairing, and their alarms over networks were of this kind",
                         else_="In so few networks a shared lean cannot be told from chance"))
tables.readable(table.reset_index()).hide(axis="index").set_caption(
    "(b) Nothing planted: share of tests that reject, by what is taken as a case; in brackets, where it lies in 95 % of the exchanges of names")

# %% [markdown]
# With all {glue:text}`n_null:.0f` networks the rate lies above what exchanging names gives in {glue:text}`beyond.all` tests (median rate {glue:text}`rate.all:.0f` %; it is one rate for each test, of one set of networks, and exchanging names gives between {glue:text}`exchange.low:.0f` and {glue:text}`exchange.high:.0f` %), and with as few as {glue:text}`n_fixed:.0f` in {glue:text}`beyond.few` ({glue:text}`rate.few:.0f` %). Networks that share **one pairing** alarm {glue:text}`shared`:
# {glue:text}`rate.fixed:.0f` % in the median, up to {glue:text}`most_fixed:.0f` % ({glue:text}`where`), above the range in {glue:text}`beyond.fixed`. {glue:text}`leans`.
#
# (sensitivity-targets)=
# ### Three answers to one question
#
# | significant at $b = 0$, tested per … | about this network | about retrained networks | about the captions |
# |---|---|---|---|
# | picture | true, if pictures of one identity were independent | **false alarm** | **false alarm** |
# | identity | true: it would come back with new identities | **false alarm** | **false alarm** |
# | network | (not asked) | chance, at the level of the test | chance, if names and looks were drawn; **false alarm** if all share one pairing |
#
# The first two generalise, if at all, to more pictures by *this* network. Only the third has training as its target. The paper also compares *sizes* of variation, of one attribute against another; what those tests say is
# in [What moves perception](../causalface/variation.ipynb).
#
# ## Take-aways
#
# - Visible is what exceeds the differences between networks that were trained on nothing of the kind. More pictures do not lower that limit.
# - Ten networks that agree are not certainty. Give the exact interval, and ask a question that ten can settle.
# - Only in logits can a size be set against what was planted. Effect sizes and rank measures depend on who else is in the ranking.
# - Averaging a signed rank measure over positive *and* negative dimensions can cancel what it should show.
# - A test over pictures or identities is about one network. It reports that network's lean faithfully, at $b = 0$ as well.
# - A test over networks is about training only if what the networks share is not what is tested.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/sensitivity -p found_share 0.8 -p hue_axis competence
# ```
# :::
#
# ## Exercises
#
# :::{exercise} How many pictures would silence it?
# :label: sensitivity-pictures
# :level: intermediate
# :minutes: 15
# :code: yes
# A network leans by $\delta$ for no reason but its random start. You test with $n$ pairs of pictures whose differences have standard deviation $\sigma$. What happens to the rate of alarms as $n$ grows? Simulate for
# $\delta$ drawn anew for every network with standard deviation $0.3\,\sigma$.
# :::
#
# ```{solution-start} sensitivity-pictures
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from scipy import stats

draw = np.random.default_rng(seed)
lean = draw.normal(0, 0.3, 4_000)
simulated = {n: float((stats.norm.sf(np.abs(lean * np.sqrt(n) + draw.normal(size=4_000))) < alpha / 2).mean()) for n in (10, 100, 1_000, 10_000)}
print({n: f"{share:.0%}" for n, share in simulated.items()}, "– towards every network, since every network leans a little")
assert list(simulated.values()) == sorted(simulated.values())

# %% [markdown]
# More pictures make this network's lean clearer, and every network leans by something, so the rate of alarms goes towards one although nothing was
# planted. About the network each alarm is right. For training, the cases are networks, and pictures add none.
#
# ```{solution-end}
# ```
#
# :::{exercise} A unit for a p-value
# :label: sensitivity-holm
# :level: intermediate
# :minutes: 15
# :code: yes
# In how many of the networks at $b = 0$ does at least one group mean of Δcos differ "significantly" per identity after Holm? How many would the level lead you to expect, and for which target is that expectation wrong?
# :::
#
# ```{solution-start} sensitivity-holm
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from statsmodels.stats.multitest import multipletests

family = answers["group means of Δcos"].identity
corrected = np.array([multipletests(row, alpha, method="holm")[0].any() for row in family])
print(f"{corrected.sum()} of {len(corrected)}; at most about {alpha * len(corrected):.0f} expected if no network leaned. About each network, these may all be true.")
assert corrected.sum() == within.set_index(["test", "unit"]).loc[("group means of Δcos", "identity"), "hits"]

# %% [markdown]
# The level holds if there is nothing to find. For this network as the target there is: its group means do differ, and new identities would show it
# again, so the expectation is wrong there. About training and captions, where nothing was planted, these are false alarms, and a test whose cases are
# identities does not guard against them.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. You may test one released model and cannot retrain it. Which sentences about a significant result can you write, and which can you not?
# 2. The limit of visibility comes from differences between random starts. Is a bias below that limit harmless?
