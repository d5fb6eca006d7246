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
# # How often does a test find what nobody planted?
#
# *A page of the laboratory, after Hausladen, Knott, Camerer and Perona (2025)*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** A test says that a model judges two groups differently. How often does it say so where no difference was planted? And how small a
# planted difference does it find?
#
# **Answer in short.** Each small network that we trained judges groups a little differently, by accident, although nothing was planted. A precise test finds this
# accident, and it is right about *that* network. The next network differs in another way. So as a statement about training, the result is a false positive.
#
# This is common in our laboratory. With each person as one observation, {glue:text}`alarms.identity:.0f` % of the tests of a kind are significant (median over {glue:text}`tests` kinds of test; a single kind, or other faces, can give another share). With each network
# as one observation, {glue:text}`rate.all:.0f` % are. A planted difference is found when it is larger than the accidents.
#
# **In 20 minutes:** {ref}`Each network differs by accident, and the next one differs otherwise <sensitivity-one>`,
# {ref}`Three answers to one question <sensitivity-targets>`, {ref}`How small a planted difference is found? <sensitivity-small>`,
# {ref}`Take-aways <sensitivity-take>`. **In 60 minutes:** everything, with both exercises.
#
# **You need:** a *t*-test, a 95 % interval, a correlation, and odds. The primer "[Δcos and social perception](../../book/primers/perception.md)" explains the measure.
#
# **Limits.** No number on this page holds for CLIP. It shows what *can* happen ([what this laboratory can and cannot show](../../book/greenhouse/limits.md)).
# :::

# %% tags=["parameters", "hide-input"]
hue_axis = "positive_agency"  # the trait of the worked cases; one of: warmth, competence, positive_agency, negative_agency, positive_communion, negative_communion
top = 0.167  # share of a ranking at which skew is read: a sixth, as 1,000 of 6,000 in the paper; from 0.01 to 1
alpha = 0.05  # significance level of the tests, and of "found"; from 0.001 to 0.5
found_share = 0.5  # share of retrained networks in which an effect must be found to count as visible; from 0.01 to 1
n_permutations = 1_000  # relabellings or sign flips per permutation test; at least 19
n_resamples = 100  # random samples of identities, for correlations; at least 10
n_draws = 300  # exchanges of names; at least 10
seed = 0  # of every random number; at least 0
results = "_build/results/greenhouse/sensitivity.json"  # no claims here

# %% tags=["hide-input"]
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import optimize, stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, grid
from studies import tables, words
from studies.greenhouse import null_tests, sensitivity

vb.figures.style()

# %% [markdown]
# ## What one may ask of a significant difference
#
# {cite:t}`hausladen2025` ask whether one model, CLIP, judges faces of several groups differently. A test is *significant* at 5 % if
# its *p*-value lies below .05. Where nothing differs, this happens in 1 test of 20, by chance.
#
# But a sentence about a significant test may speak of *this model*, of *models that are trained like it*, or of the *captions*
# from which they learned. The same *p*-value can be right for the first sentence and wrong for the others (primer on [targets](../../book/primers/targets.md)).
#
# For CLIP nobody knows the right answer. In our laboratory, the *Greenhouse*, we know it: small networks learn from drawn faces and from
# captions that we wrote. A face has a *hue* (teal, amber or violet) and a *crest* (budded or eared) where the paper has race and gender
# ([pictures](gallery.ipynb) of them). A difference is *planted* if the captions use some words more often for one group than for another.
#
# (sensitivity-one)=
# ## Each network differs by accident, and the next one differs otherwise

# %% tags=["hide-input"]
portraits = retrained.scores("grid")  # what each retrained network makes of every picture
networks = portraits.networks
spoken = grammar.load()
roles = spoken.bias.roles  # who is favoured was decided by a random number
is_null = (networks["condition"] == "none") & (networks["b"] == 0)
nulls = null_tests.pictures(portraits, is_null)
people = nulls.prototypes.shape[1]
vb.note(
    null=int(is_null.sum()),
    level=100 * alpha,
    people=people,
    favoured=roles["favoured"],
    disfavoured=roles["disfavoured"],
    trait=words.listed([hue_axis]),
)

# %% [markdown]
# We trained {glue:text}`null` *null networks*: their captions speak of all hues and crests alike. All have the same recipe. Each began from random numbers of
# its own, and learned from pictures of its own. Hues are names: faces that the captions of one network call *amber* may have the colour that the captions of the next call *violet*. So what we find for a name cannot come from one colour.
#
# We show the same {glue:text}`people` people to all networks, each painted in the three hues and with both crests, with all else equal. Does a network judge the same people differently when they are {glue:text}`favoured` and when they are
# {glue:text}`disfavoured`?
#
# The judgement is Δcos for {glue:text}`trait`, one of the eight traits in the paper: how much nearer a picture is to sentences with words for the trait than to *neutral sentences*, which are the same without these words.

# %%
column = list(portraits.columns).index


def judged(shown, hue):
    """Δcos × 100 of every person in one hue: networks × people × crests."""
    seen = shown.prototypes[:, :, 0, null_tests.HUES.index(hue)]
    return 100 * (seen[..., column(hue_axis)] - seen[..., column("neutral")])


first, second = (judged(nulls, roles[role]) for role in ("favoured", "disfavoured"))
differences = (first - second).mean(axis=2)  # networks × people, over both crests
one = {
    roles["favoured"]: first[0].mean(axis=1),
    roles["disfavoured"]: second[0].mean(axis=1),
}
three = (
    pd.DataFrame({**one, "difference": differences[0]}).rename_axis("person").head(3)
)
three.round(2)

# %% [markdown]
# These are three of the people, as the first network judges them (Δcos × 100). For every network, we take the mean of its
# {glue:text}`people` differences. If captions alone decided, all dots of the figure would lie near the line at zero.

# %%
gaps = differences.mean(axis=1)  # one number for each network
p_people = stats.ttest_1samp(differences, 0, axis=1).pvalue
significant = p_people < alpha
higher, lower = (significant & (gaps > 0)).sum(), (significant & (gaps < 0)).sum()

# %% tags=["hide-input"]
half = stats.t.ppf(0.975, people - 1) * differences.std(axis=1, ddof=1) / np.sqrt(people)
over_all = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / np.sqrt(len(gaps))
fig, ((axis,),) = vb.figures.panels(height=4.2)
order = np.argsort(gaps)
places = np.arange(len(gaps))
for chosen, colour, label in (
    (significant[order], vb.figures.PALETTE[1], "one network, significant over people"),
    (~significant[order], "0.6", "one network, not significant"),
):
    axis.errorbar(
        places[chosen],
        gaps[order][chosen],
        half[order][chosen],
        fmt="o",
        ms=4,
        lw=1.5,
        color=colour,
        label=label,
    )
axis.errorbar(
    [len(gaps) + 1.5],
    [gaps.mean()],
    [over_all],
    fmt="D",
    ms=7,
    lw=2.5,
    color="black",
    label="mean over networks",
)
axis.axhline(0, color="0.5", lw=1, zorder=0)
axis.set(
    xticks=[],
    xlabel="null networks, in order of their difference",
    ylabel=f"{roles['favoured']} − {roles['disfavoured']}, Δcos × 100",
)
fig.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=1)
vb.figures.show(
    fig,
    name="sensitivity-one",
    alt=f"Difference between {roles['favoured']} and {roles['disfavoured']} for {words.listed([hue_axis])} in each null network, with intervals. "
    + f"Significant: {higher + lower} of {len(gaps)}; {roles['favoured']} is higher in {higher}, {roles['disfavoured']} in {lower}.",
    caption=f"Nothing was planted. Each dot is a network that saw the same {people} people; bars are 95 % intervals over people (diamond: over networks).",
    source="greenhouse",
)
alone = retrained.scores("grid", pairing="plain")  # networks in which a name is one colour
alike = null_tests.pictures(alone, alone.networks["kind"] == "one-pairing")
people_alike = (judged(alike, roles["favoured"]) - judged(alike, roles["disfavoured"])).mean(axis=2)
gaps_alike, sure = people_alike.mean(axis=1), stats.ttest_1samp(people_alike, 0, axis=1).pvalue < alpha
up, down = int((sure & (gaps_alike > 0)).sum()), int((sure & (gaps_alike < 0)).sum())
vb.note(
    gap=dict(enumerate(gaps)), gap_half=dict(enumerate(half)), gap_mean=gaps.mean(), gap_mean_half=over_all
)
vb.note(
    significant=words.among(int(higher + lower), len(gaps)),
    higher=int(higher),
    lower=int(lower),
    n_fixed=len(gaps_alike),
    fixed={"significant": words.among(up + down, len(gaps_alike)), "higher": up, "lower": down},
)
vb.holds(
    both_ways=bool(min(higher, lower) > 1), fixed_both_ways=min(up, down) > 1
)  # in both directions, more than once

# %% [markdown]
# [In {glue:text}`significant` networks the difference is significant: {glue:text}`higher` times {glue:text}`favoured` is higher, {glue:text}`lower` times {glue:text}`disfavoured`.]{.holds #both_ways}
#
# In each of these networks, the difference is real: with other people, it will most likely
# have the same direction again. But the next network is another dot.
#
# **Do the directions differ only because the colours do?** In {glue:text}`n_fixed` more null networks, a name stands for the same colour each time. If the colour decided, all would differ in one direction.
# [In {glue:text}`fixed.significant` networks the difference is significant: {glue:text}`fixed.higher` times {glue:text}`favoured` is higher, {glue:text}`fixed.lower` times {glue:text}`disfavoured`. So other random numbers and pictures are enough to turn the difference round.]{.holds #fixed_both_ways}
#
# ## Pictures, people or networks: what is one observation?
#
# The answer of a test depends on what it counts as one observation, its *unit of analysis*. Here is the question from above in three ways, the first two about the first network only.

# %%
# 1. each picture is one observation: 200 pictures against 200
p_picture = stats.ttest_ind(first[0].ravel(), second[0].ravel()).pvalue
# 2. each person is one observation: the same person in both hues
p_person = stats.ttest_rel(first[0].mean(axis=1), second[0].mean(axis=1)).pvalue
# 3. each network is one observation: one difference from each
p_network = stats.ttest_1samp(gaps, 0).pvalue
print(
    f"p = {p_picture:.3f} (pictures), {p_person:.6f} (people),"
    f" {p_network:.3f} (networks)"
)

# %% [markdown]
# **Pictures as observations** ({glue:text}`p.picture`). This test takes the differences between people for noise.
#
# **People as observations** ({glue:text}`p.person`). Each person is compared with
# the same person in the other hue, and the accident of this network shows.
#
# **Networks as observations** ({glue:text}`p.network`). [Now the
# accidents are the noise, and the difference is consistent with chance.]{.holds #mean_chance}
#
# ### The same for other kinds of test
#
# We compare groups by {glue:text}`tests` kinds of statistical test: of means, of correlations between traits, of slopes and curves. Of one kind, the paired *t*-test of Figure S.13, the paper prints results. The others test what the paper, or an earlier version, draws or prints.
# Each kind compares, in every null network, all
# pairs of hues, and of crests, for all traits that it is about.

# %%
draws = dict(seed=seed, n_permutations=n_permutations, n_resamples=n_resamples)
answers = null_tests.ask(
    nulls, **draws
)  # kind of test → p-values per picture and per person
within = null_tests.within_networks(answers, alpha=alpha)
rows = within.replace({"unit": {"identity": "person"}}).head(3)
rows = rows[["test", "unit", "tests", "significant", "hits", "n"]]
headings = {"test": "kind of test", "tests": "tests per network", **null_tests.KINDS}
headings |= {"significant": "share significant", "hits": "networks with any", "n": "of"}
tables.readable(rows, names=headings).hide(axis="index")

# %% tags=["hide-input"]
# the worked case is one of these p-values
pair = sorted(null_tests.HUES.index(roles[name]) for name in ("favoured", "disfavoured"))
place = list(combinations(range(3), 2)).index(tuple(pair)) * len(
    sensitivity.DIMENSIONS
) + sensitivity.DIMENSIONS.index(hue_axis)
assert np.isclose(answers["group means of Δcos"].picture[0, place], p_picture)
assert np.isclose(answers["group means of Δcos"].identity[0, place], p_person)
small = {
    name: tables.p_value(p)
    for name, p in {"picture": p_picture, "person": p_person, "network": p_network}.items()
}
vb.note(
    p={name: f"p {p}" if p.startswith("<") else f"p = {p}" for name, p in small.items()}, tests=len(answers)
)
vb.holds(mean_chance=bool(p_network > alpha))

# %% [markdown]
# *Share significant* counts the tests of all networks. *Networks with any* counts networks in which at least one test stays significant after {term}`Holm's correction`. The figure shows this count for all kinds. If only chance were at work, the bars would end near the dashed line.

# %%
at_random = nulls.relabelled(
    rng=np.random.default_rng([seed, 1])
)  # group labels by lot
within_random = null_tests.within_networks(
    null_tests.ask(at_random, **draws), alpha=alpha
)

# %% tags=["hide-input"]
called = {"picture": "picture", "identity": "person"}
bars = pd.concat(
    [
        within.assign(unit=within["unit"].map(called)),
        within_random[within_random["unit"] == "identity"].assign(unit="person, labels at random"),
    ]
)
bars["test"] = bars["test"].map(null_tests.KINDS)
middle = pd.DataFrame(
    {
        "real": within.groupby("unit")["significant"].median(),
        "random": within_random.groupby("unit")["significant"].median(),
    }
)
shares = within.pivot(index="test", columns="unit", values="significant")
survive = within.groupby("unit")["rate"].median()
span = within.groupby("unit")["significant"].agg(["min", "max"])


def alarms(tests):
    """Shares of null networks with a significant difference, for these kinds of test in this order."""
    rows = bars[bars["test"].isin(tests)].sort_values(
        "test", key=lambda names: names.map(tests.index), kind="stable"
    )
    return vb.figures.rates(
        rows,
        rate="rate",
        low="low",
        high="high",
        label="test",
        group="unit",
        nominal=alpha,
        value_label="% of null networks, exact 95 % intervals",
    )


vb.figures.show(
    alarms(list(null_tests.KINDS.values())),
    name="sensitivity-silence",
    alt=f"Share of null networks in which at least one difference between hues or crests is significant after Holm's correction, for {len(answers)} kinds of test: median "
    f"{survive['picture']:.0%} per picture, {survive['identity']:.0%} per person.",
    caption="Null networks in which at least one difference is significant after Holm's correction, by what counts as one observation. Dashed: what chance alone allows.",
    source="greenhouse",
)
vb.note(
    alarms={unit: 100 * middle.loc[unit, "real"] for unit in called},
    alarms_low=100 * span["min"],
    alarms_high=100 * span["max"],
    holm=100 * survive,
    at_random=100 * middle["random"],
    more=words.among(int((shares["identity"] > shares["picture"]).sum()), len(shares)),
)
vb.holds(
    tests_sound=bool(middle.loc["identity", "random"] <= 1.2 * alpha),  # the median of few is not exact
    people_finer=bool((shares["identity"] > shares["picture"]).mean() > 0.5),
    not_number=bool(survive[list(called)].min() > 2 * alpha),
)

# %% tags=["remove-cell"]
# for a slide: of the tests, the one that finds least per picture, the middle one and the one that finds most
ranked = within[within["unit"] == "picture"].sort_values("rate", kind="stable")["test"].tolist()
chosen = [null_tests.KINDS[ranked[place]] for place in (-1, len(ranked) // 2, 0)]
vb.figures.show(
    alarms(chosen),
    name="sensitivity-silence-slide",
    alt=f"Share of null networks in which at least one difference is significant after Holm's correction, for {len(chosen)} of {len(ranked)} kinds of test: those that find most, a middle "
    f"share and least per picture. Median of all: {survive['picture']:.0%} per picture, {survive['identity']:.0%} per person.",
    caption=f"{len(chosen)} of {len(ranked)} kinds of test: most, middle and fewest null networks with a significant difference per picture.",
    source="greenhouse",
)

# %% [markdown]
# These tests find the accidents. With pictures as observations, {glue:text}`alarms.picture:.0f` % of the tests are significant; with people, {glue:text}`alarms.identity:.0f` % (medians over kinds). [The test with people is more precise: it finds more than the test with pictures in {glue:text}`more` kinds.]{.holds #people_finer}
#
# **Are there too many tests?** [This is not the cause. Holm's correction allows for their number. Still, with people as observations, {glue:text}`holm.identity:.0f` % of the null networks keep a significant
# difference (median over kinds of test).]{.holds #not_number}
#
# **Is something wrong with the tests?** As a check, we shuffled the group labels among the six pictures of each person. About {glue:text}`level:.0f` % of the tests may then be significant by chance. With people as observations, {glue:text}`at_random.identity:.1f` % are (median). [So the fault is not in these tests.]{.holds #tests_sound}
#
# ### With networks as observations, the accidents are the noise

# %% [markdown]
# The first two columns count the tests within networks. In the last column, each question is one *t*-test over all {glue:text}`n_null:.0f` null networks.

# %%
chance = dict(seed=seed, alpha=alpha, n_draws=n_draws)
over = null_tests.over_networks(answers, [is_null.sum()], **chance)

# %% tags=["hide-input"]
fixed = null_tests.ask(alike, **draws)
n_fixed, n_null = (len(next(iter(one.values())).picture) for one in (fixed, answers))
few = null_tests.over_networks(answers, [n_fixed], **chance)
shared = null_tests.over_networks(fixed, [n_fixed], **chance)
parts = {"all": over, "few": few, "fixed": shared}
beyond = {
    name: words.among(int((part["rate"] > part["high"]).sum()), len(part)) for name, part in parts.items()
}
rate = {name: 100 * part["rate"].median() for name, part in parts.items()}
summary = (
    within.pivot(index="test", columns="unit", values="significant")
    .loc[list(answers), list(called)]
    .rename(columns=called)
)
summary["network"] = over.set_index("test")["rate"]
vb.note(
    n_null=n_null,
    beyond=beyond,
    rate=rate,
    rate_all=100 * over["rate"].agg(["min", "max"]),
    most_fixed=100 * shared["rate"].max(),
    where=null_tests.KINDS[shared.loc[shared["rate"].idxmax(), "test"]],
)
vb.holds(
    share_accident=bool((shared["rate"] > shared["high"]).sum() > 1),  # one kind alone may be chance
    as_rare=bool((over["rate"] <= over["high"]).all() and over["rate"].median() <= alpha),
)
tables.readable(summary.map("{:.0%}".format).reset_index(), names=headings).hide(axis="index").set_caption(
    "Null networks: share of tests that are significant, by what counts as one observation"
)

# %% [markdown]
# [With networks as observations, false positives are as rare as they should be. The median is {glue:text}`rate.all:.0f` %, and no kind has more than {glue:text}`rate_all.max:.0f` %.]{.holds #as_rare} Chance allows about
# {glue:text}`level:.0f` %.
#
# This needs networks that do not share an accident. Over the {glue:text}`n_fixed` networks in which a name is always the same colour, {glue:text}`rate.fixed:.0f` % of the tests are significant (median).
#
# :::{dropdown} Details: do networks with the same colours share an accident?
# In the {glue:text}`n_fixed` networks with the same colours, most tests are significant for {glue:text}`where`: {glue:text}`most_fixed:.0f` %. Is this more than chance? We exchanged the names of the groups at random, many times, and counted each time how many tests are significant. [These networks exceed the range of such exchanges in {glue:text}`beyond.fixed` kinds of test. So they share an accident: how a colour looks to small networks.]{.holds #share_accident}
#
# We did the same with {glue:text}`n_fixed` null networks that have their own colours. Of their tests, {glue:text}`rate.few:.0f` % are significant (median). They exceed the range in {glue:text}`beyond.few` kinds.
# :::
#
# (sensitivity-targets)=
# ### Three answers to one question
#
# Suppose that a test is significant in null networks. The columns are three sentences that one may write about the result.
#
# | one observation is a … | "this network judges the groups differently" | "networks trained like it do" | "the captions treat the groups differently" |
# |---|---|---|---|
# | picture | true, but many differences are missed | **false positive** | **false positive** |
# | person | true: other people would show it again | **false positive** | **false positive** |
# | network | (not asked) | rare: about {glue:text}`level:.0f` % | rare: about {glue:text}`level:.0f` %, if each network has its own colours |
#
# (sensitivity-small)=
# ## How small a planted difference is found?
#
# Now we plant something. In the captions of further networks, some words are more likely for one hue or crest than for another. The strength *b* is .1, .25, .5 or 1, with ten networks each.
#
# How large is a planted difference? We count in the captions how much more likely a trait's words are for one group than for another, in *logits*. (A tenth
# of a logit more means that the odds of a word are about 10 % higher.)
#
# A difference is **found** in a network if it is larger than accidents. How far is its Δcos from the median of the null networks? If at most {glue:text}`allowed` of the {glue:text}`null` null networks are as far away, *p* is
# at most {glue:text}`alpha:.2f`, and the difference is found. For one network with *b* = .5:

# %% tags=["hide-input"]
def ends(attribute):
    """Its largest and its smallest value: what a contrast compares."""
    return grid.LEVELS[attribute][-1], grid.LEVELS[attribute][0]


compare = sensitivity.Contrast
effects = {
    "hue": compare("prototype", "race", roles["favoured"], roles["disfavoured"], roles["middle"]),
    "crest": compare("prototype", "gender", roles["first"], roles["second"], roles["middle"]),
    **{name: compare(name, name, *ends(name)) for name in ("smiling", "age")},
    "side": compare("pose", "pose", *ends("pose")),  # of which no caption speaks
}
values = sensitivity.measured(portraits, effects, top=top)
strengths = sorted(networks.loc[networks["condition"] == "none", "b"].unique())
# hues and crests at every strength; captions name smiles and ages at every strength, so one is enough
when = {"hue": strengths, "crest": strengths, "smiling": strengths[:1], "age": strengths[:1]}
shown_images = portraits.images[portraits.images["set"] == "grid"].reset_index(drop=True)
planted = pd.concat(
    {
        (name, b): sensitivity.planted(spoken, shown_images, effects[name], b)
        for name, bs in when.items()
        for b in bs
    }
)
planted = planted.rename_axis(["effect", "b", "dimension"]).rename("planted").reset_index()

# %%
table = values.query("effect == 'hue' and dimension == @hue_axis")
null_values = table.query("b == 0")["Δcos"]
value = table.query("b == 0.5")["Δcos"].iloc[0]  # the first network with b = 0.5
distance = abs(value - null_values.median())
as_far = (abs(null_values - null_values.median()) >= distance).sum()
p = (1 + as_far) / (1 + len(null_values))
print(f"{as_far} of {len(null_values)} null networks lie as far out: p = {p:.3f}")
rule = sensitivity.departs(np.array([value]), null_values.to_numpy(), alpha=alpha)
assert rule[0] == (p <= alpha)

# %% [markdown]
# We use this rule for all eight traits, for hues and for crests. Here are three rows for {glue:text}`trait`, {glue:text}`favoured` against {glue:text}`disfavoured`:

# %%
every = values.set_index(["effect", "dimension", "b"]).sort_index()
rows, is_found = [], {}
for one in planted.query("b > 0 or effect in ['smiling', 'age']").to_dict("records"):
    own = every.loc[(one["effect"], one["dimension"], one["b"])]
    turned = one["effect"] in ("smiling", "age")  # compared with turning to a side
    null = every.loc[("side" if turned else one["effect"], one["dimension"], 0.0)]
    for measure in sensitivity.MEASURES:
        shown, among = own[measure].to_numpy(), null[measure].to_numpy()
        is_found[len(rows)] = sensitivity.departs(shown, among, alpha=alpha)
        rows.append({**one, "measure": measure})
found = pd.DataFrame(rows).join(vb.networks.rates(is_found))

rows = found[(found["measure"] == "Δcos") & (found["dimension"] == hue_axis)]
headings = {"effect": "difference in", "b": "strength b", "n": "of networks"}
headings |= {"planted": "planted (logits)", "hits": "found in"}
rows = rows[["effect", "b", "planted", "hits", "n"]].head(3)
tables.readable(rows, names=headings).hide(axis="index")

# %% [markdown]
# In the figure, every such row is a dot. Where the line crosses the dotted one, {glue:text}`share:.0f` % of the networks show the difference. From this size on we call it **visible**.

# %%
limits = []
for (effect, measure), own in found.groupby(["effect", "measure"], sort=False):
    limit = {"effect": effect, "measure": measure}
    for name, column in (("limit", "rate"), ("low", "high"), ("high", "low")):
        limit[name] = sensitivity.smallest(
            own["planted"].abs(), own[column], own["n"], wanted=found_share
        )
    limits.append(limit)  # the interval is read off the ends of the exact intervals
limits = pd.DataFrame(limits)

# %% tags=["hide-input"]
SHOWN = ("hue", "crest")
plotted = (
    found[found["measure"] == "Δcos"].assign(size=found["planted"].abs()).sort_values("size", kind="stable")
)
fig, axes = vb.figures.panels(1, 2, height=4.0, share_y=True)
for panel, effect in zip(axes.flat, SHOWN, strict=True):
    own, colour = plotted[plotted["effect"] == effect], vb.figures.PALETTE[0]
    rising = optimize.isotonic_regression(own["rate"], weights=own["n"]).x
    panel.plot(own["size"], 100 * rising, color=colour, linewidth=2.4)
    panel.vlines(own["size"], 100 * own["low"], 100 * own["high"], color=colour, alpha=0.25)
    panel.plot(own["size"], 100 * own["rate"], "o", markersize=4, color=colour, alpha=0.6)
    panel.axhline(100 * found_share, color=vb.figures.COLOURS["reference"], linewidth=1, linestyle=":")
    panel.set(title=effect, ylim=(-3, 103))
fig.supxlabel("planted in the captions, logits (without sign)", fontsize=12)
fig.supylabel("% of networks in which it is found", fontsize=12)
limits["shown"] = [
    f"{row.limit:.2f} ({row.low:.2f} to {row.high:.2f})".replace("inf", "∞") for row in limits.itertuples()
]
by_effect = limits.set_index(["effect", "measure"])
shown, ends = by_effect["shown"], by_effect[["low", "high"]].unstack()
allowed = int(alpha * (1 + is_null.sum()) + 1e-9) - 1  # null networks that may be as far
size = by_effect["limit"].unstack()
vb.figures.show(
    fig,
    name="sensitivity-curves",
    alt="Two panels, for hues and for crests: share of networks in which a difference is found, against its size in the captions. The dotted line is crossed at "
    + "; ".join(f"{effect} {shown[effect, 'Δcos']}" for effect in SHOWN)
    + " logits (in brackets, the range of the intervals).",
    caption="Dots: one trait at one strength, with exact 95 % intervals. Line: the curve nearest to the dots that never falls. Dotted: from here on, a difference is visible.",
    source="greenhouse",
)
nothing = found[
    found["effect"].isin(["smiling", "age"])
    & (found["measure"] == "Δcos")
    & (found["planted"].abs() < 0.05)
]["rate"].mean()
vb.note(
    from_size=size["Δcos"].to_dict(),
    share=100 * found_share,
    most=vb.networks.rates(np.ones(10, bool))["low"].iloc[0],
    finer=words.among(int((size["Δcos"] < size["raw cosine"]).sum()), len(size)),
    ranked=words.among(
        int((size[["Skew@k", "MaxSkew@k", "NDKL"]].min(axis=1) > size["Δcos"]).sum()), len(size)
    ),
    sure=words.among(int((ends["high"]["Δcos"] < ends["low"]["raw cosine"]).sum()), len(size)),
    allowed=allowed,
    alpha=alpha,
    spread=values.query("effect == 'hue' and dimension == @hue_axis and b == 0")["Δcos in logits"].std(),
    nothing=nothing,
    first=roles["first"],
    second=roles["second"],
    odd=" ".join(spoken.bias.outlier.values()),
)
(hue_low, crest_low), (hue_high, crest_high) = (ends[end]["Δcos"][list(SHOWN)] for end in ("low", "high"))
vb.holds(
    both_visible=bool(np.isfinite(size["Δcos"][list(SHOWN)]).all()),
    limits_overlap=bool(hue_low <= crest_high and crest_low <= hue_high),
    limits_small=bool(nothing > alpha),
)

# %% [markdown]
# The smallest differences are lost among the accidents; larger ones stand out. [A hue is visible from {glue:text}`from_size.hue:.2f` logits on, and a crest from {glue:text}`from_size.crest:.2f` logits on.]{.holds #both_visible} [Both limits are rough: their ranges overlap, so we do not know which of the two is lower.]{.holds #limits_overlap}
#
# The accidents set these limits. For {glue:text}`favoured` against {glue:text}`disfavoured` and {glue:text}`trait`, the differences of the null networks have a standard deviation of {glue:text}`spread:.2f` logits. More pictures would not make them smaller.
#
# Ten networks settle only rough questions. If all ten show a difference, we only know that at least {glue:text}`most:.0%` of such networks would (95 % interval).
#
# :::{dropdown} Details: smiles and ages, and other measures
# | contrast | pictures compared | sizes | compared with |
# |---|---|---|---|
# | hue | {glue:text}`favoured` and {glue:text}`disfavoured` | eight traits at every *b* | the same contrast in null networks |
# | crest | {glue:text}`first` and {glue:text}`second`, of these two hues | eight traits at every *b* | the same contrast in null networks |
# | smiling | broadest smile, deepest frown | eight traits, null networks | turned left, turned right |
# | age | oldest, youngest | eight traits, null networks | turned left, turned right |
#
# The third hue is left out, because the captions speak of one of its groups, {glue:text}`odd`, in a way of their own. Smiles and ages change the captions
# in all networks, so we compare them with turning to the left or right, of which no caption speaks. [This is not perfect: smiles and ages that shift a trait by less than a
# twentieth of a logit are found in {glue:text}`nothing:.0%` of the networks. Their limits may thus be too small.]{.holds #limits_small}
#
# The table below has all measures. The *raw cosine* does not subtract the score of a neutral sentence. *Skew* and other rank measures sort the
# pictures by it ([primer](../../book/primers/ranking.md)). For {glue:text}`finer` contrasts, Δcos has a lower limit than the raw cosine; in {glue:text}`sure`, the two ranges do not overlap. For {glue:text}`ranked`, it has a lower limit than
# the rank measures.
# :::

# %% tags=["hide-cell"]
tables.readable(
    limits.pivot(index="measure", columns="effect", values="shown")
    .loc[list(sensitivity.MEASURES), list(when)]
    .rename_axis(columns=None)
).set_caption(
    f"Smallest size, in logits, that {found_share:.0%} of the networks show; in brackets, read off the exact 95 % intervals"
)

# %% [markdown]
# [Is what was planted recovered?](recovery.ipynb) asks whether the size of a difference is right, too.
#
# ## What this means
#
# **For the paper.** Its results are about one CLIP model, and its authors say so: the findings "refer to one specific CLIP variant". With the same people in all groups, as in the authors' design, such a test is well suited
# for that sentence. A sentence about how CLIP-like models are trained needs several models. This page cannot say how large the accidents of CLIP are.
#
# **For your own work.** Decide first what the sentence is about. Then let that vary: people, if it is about one model; models, if it is about training. With a few models, their spread shows how many you
# need: the standard error of their mean is the spread divided by the square root of their number.
#
# (sensitivity-take)=
# ## Take-aways
#
# - Each network in our laboratory differs between groups by accident. A precise test finds that, and is right about this network.
# - More pictures, or a correction for many tests, do not turn a test of one network into a test of training. More networks do.
# - A planted difference is visible when it exceeds the accidents of networks in which nothing was planted.
# - Ten networks that agree are not certainty. Give the interval.
# - Networks that share something, such as a colour for each name, can share an accident. A test over networks then takes it for an effect of the captions.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/sensitivity -p found_share=0.8 -p hue_axis=competence
# ```
# With `--seeds 0` it is quicker.
# :::
#
# ## Exercises
#
# :::{exercise} Would more people help?
# :label: sensitivity-pictures
# :level: intermediate
# :minutes: 15
# :code: yes
# A null network differs between two groups by $\delta$, by accident. You test it with $n$ people, whose differences have standard deviation $\sigma$. How many null networks are significant as $n$ grows? Simulate 4,000 networks, with
# $\delta$ from a normal distribution with standard deviation $0.3\,\sigma$.
# :::
#
# ```{solution-start} sensitivity-pictures
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rng = np.random.default_rng(seed)
accident = rng.normal(0, 0.3, 4_000)  # in units of σ
simulated = {}
for n in (10, 100, 1_000, 10_000):
    z = accident * np.sqrt(n) + rng.normal(size=4_000)
    simulated[n] = (2 * stats.norm.sf(np.abs(z)) < alpha).mean()
print({n: f"{share:.0%}" for n, share in simulated.items()})
assert list(simulated.values()) == sorted(simulated.values())

# %% [markdown]
# The share goes towards 100 %, although nothing was planted: more people make each network's accident clearer. About
# the network, each significant result is right. For a sentence about training, networks are the observations, and people add none.
#
# ```{solution-end}
# ```
#
# :::{exercise} Holm's correction, and still significant
# :label: sensitivity-holm
# :level: intermediate
# :minutes: 15
# :code: yes
# In how many null networks does at least one group mean of Δcos differ significantly per person, after Holm's correction? How many would you expect if nothing differed? The result may be written as a sentence about this network, or about its training. For which of these sentences is the expectation wrong?
# :::
#
# ```{solution-start} sensitivity-holm
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from statsmodels.stats.multitest import multipletests

family = answers["group means of Δcos"].identity
corrected = np.array([multipletests(row, alpha, method="holm")[0].any() for row in family])
print(
    f"{corrected.sum()} of {len(corrected)}; at most about {alpha * len(corrected):.0f} expected if no network differed"
)
assert corrected.sum() == within.set_index(["test", "unit"]).loc[("group means of Δcos", "identity"), "hits"]

# %% [markdown]
# The expectation is right if there is nothing to find. In each of these networks there is: its group means do differ, and other people would show it
# again. So as a sentence about *this network*, the expectation is wrong, and the results are true. As sentences about training and captions, where nothing was planted, they are false
# positives. A test with people as observations does not guard against them.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. You may test one released model and cannot retrain it. Which sentences about a significant result can you write, and which can you not?
# 2. A difference is visible only if it exceeds the accidents of training. Is a smaller one harmless?
