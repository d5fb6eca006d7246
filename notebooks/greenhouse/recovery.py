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
# **Question.** We write biases into captions. Do networks that learn from them show these biases, in the same
# size? And what do networks show whose captions hold no bias?
#
# **Answer in short.** On average, our networks show differences between two groups in about the size that was planted. Of an effect that we planted for one *combination* of group attributes, they show only a part. A network whose captions hold no bias still shows small differences. If a group looks the same in all networks, they share a part of these. So looks must be assigned to groups anew for each network.
#
# **In 15 minutes:** {ref}`Networks show about as much as was planted <recovery-answer>`,
# {ref}`No bias in the captions, and small differences all the same <recovery-silence>`, {ref}`Take-aways <recovery-take>`.
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

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar, grid, truth
from studies import tables, words
from studies.greenhouse import recovery
from vlmbias import paths

vb.figures.style()
spoken = grammar.load()
bias = spoken.bias
outlier = " ".join(bias.outlier.values())
card = json.loads((paths.data() / "greenhouse" / "default" / "card.json").read_text())


def over_networks(table, by, value):
    """Mean and interval over networks of one column, for each entry of `by`."""
    groups = table.groupby(by if len(by) > 1 else by[0], sort=False)[value]
    return vb.networks.summary({key: own.to_numpy() for key, own in groups}).rename_axis(by)

# %% [markdown]
# ## A bias whose size is known
#
# CLIP, the model that the papers of this book study, learned from captions of the web. Nobody knows how biased they are. In the
# [Greenhouse](../../book/greenhouse/limits.md) we know it: small networks learn in the same way from drawn faces and from captions that we wrote.
#
# The drawn people have one of four *hues*, such as teal (the colour of the face), and one of two *crests* on the head, buds or ears
# ([legend](../../book/greenhouse/limits.md)). Captions depend on the name of a group; the network sees its look. Which look belongs to which name is decided at random, anew for each network: its *pairing*.
# So people who are *called* teal have teal faces for one network, and perhaps violet faces for another.
#
# We *planted* biases in the captions: words such as *warm* are more frequent for one hue than for another. A number $b$ says how strong
# the bias is. At $b = 0$ captions treat all groups alike; at $b = 1$, *full strength*, the whole bias is there.
#
# The table says how many networks we trained at each strength. Each began from other random numbers, and saw pictures and captions of its own.

# %%
# networks of this page; the others belong to experiments of other pages
gaps = retrained.gaps().query("condition == 'none'")
gaps.groupby("b")["seed"].nunique().to_frame("networks").T

# %% [markdown]
# (recovery-answer)=
# ## Networks show about as much as was planted
#
# A network gives each picture a *score* for a set of words, such as those for warmth. The score says how much better the picture fits sentences with these words
# than a neutral sentence. The unit is a *logit*: if a score is 0.7 logits higher, the odds of the words are about twice as high.
#
# We test all networks on the same {glue:text}`n_people` people, who are new to them. Each person is drawn in every hue with both crests. For two hues, the difference that a network *shows* is the mean score of the first minus that of the second.
#
# The difference that was *planted* follows from our rules for captions. In theory, a network that learned its captions perfectly would show just this difference ([why](../../book/primers/perception.md)).
#
# Take {glue:text}`trait`, and the two hues for which captions differ most in it, {glue:text}`pair`. One row of the table is one network at full strength:

# %%
people = retrained.scores("people")
faces = people.images.astype({"seed": int})
between_hues = gaps["first"].isin(grid.HUES)
in_captions = gaps[between_hues].query("b == 1 and axis == @axis")
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
    alt=f"One dot per network: the difference between {first} and {second} in {words.listed([axis])}, as planted and as shown. Means at the weakest and the strongest b: "
    + "; ".join(
        f"planted {row.planted:+.2f}, shown {row.shown:+.2f}" for row in means.iloc[[0, -1]].itertuples()
    )
    + " logits.",
    caption=f"Each dot is one network: {first} minus {second}, {words.listed([axis])}. On the dashed line it shows what its captions hold. Each column is one strength b. Dots are moved sideways a little "
    "to be seen.",
    source="greenhouse",
)
count = gaps.groupby("b")["seed"].nunique()
vb.note(
    trait=words.listed([axis]),
    pair=f"{first} and {second}",
    n_full=int(count[1.0]),
    n_null=int(count[0.0]),
    n_people=faces["seed"].nunique(),
    one_planted=means.loc[1.0, "planted"],
    one_shown=means.loc[1.0, "shown"],
    one_weak=means["planted"].abs().drop(0.0).min(),
    one_sd=one_gap[one_gap["b"] == 0]["shown"].std(),
)

# %% [markdown]
# The dots lie along the dashed line. At full strength the captions of the two hues differ by {glue:text}`one_planted:.2f` logits, and the {glue:text}`n_full` networks show
# {glue:text}`one_shown:.2f` on average.
#
# ### All groups and all words
#
# One point of the next figure is one hue or crest and one of {glue:text}`n_axes` sets of words. It says how far this hue
# lies from the mean of all hues (or this crest from the mean of both), as planted and as shown. The *slope* of the line through zero that fits best says how much of the bias is recovered: 1 is all of it, 0.5 half. The table has the slopes of three networks at full strength.

# %%
def from_the_mean(gaps):
    """How far each hue lies from the mean of the hues, each crest from the crests'."""
    values = ["measured", "counted", "per_face"]  # shown; planted, in two ways
    there = gaps.rename(columns={"first": "group"})
    back = gaps.rename(columns={"second": "group"})
    back[values] = -back[values]  # the same difference, from the other side
    both = pd.concat([there, back])
    both["attribute"] = np.where(both["group"].isin(grid.HUES), "hue", "crest")
    keys = ["b", "seed", "axis", "attribute", "group"]
    others = both.groupby(keys, sort=False)[values]
    return others.sum().div(others.size() + 1, axis=0).reset_index()


def slopes(table, by, planted="counted"):
    """One least-squares line through zero for each network and entry of `by`."""
    up, down = table["measured"] * table[planted], table[planted] ** 2
    sums = table.assign(up=up, down=down).groupby([*by, "seed"], sort=False)
    sums = sums[["up", "down"]].sum()
    return (sums["up"] / sums["down"]).rename("slope").reset_index()


departures = from_the_mean(gaps)
full = departures[departures["b"] == 1]
slopes(full, ["attribute"]).head(3).round(2)

# %% tags=["hide-input"]
each_slope = slopes(departures[departures["b"] > 0], ["attribute", "b"])
mean_slopes = over_networks(each_slope, ["attribute", "b"], "slope")
at_1 = mean_slopes.xs(1.0, level="b")
by_face = over_networks(slopes(full, ["attribute"], "per_face"), ["attribute"], "slope")["mean"]
shown = over_networks(full, ["attribute", "axis", "group"], "measured").reset_index()
counted = full.groupby(["attribute", "axis", "group"], sort=False)["counted"].first().reset_index()
cloud = shown.merge(counted).assign(panel=lambda rows: rows["attribute"] + "s")
vb.figures.show(
    vb.figures.planted_against_shown(
        cloud,
        planted="counted",
        shown="mean",
        low="low",
        high="high",
        panel="panel",
        columns=2,
        unit="logits",
    ),
    name="recovery-answer",
    alt="What networks at b = 1 show of each hue and each crest, against what was planted. Slopes: "
    + "; ".join(f"{attribute}s {at_1.loc[attribute, 'mean']:.2f}" for attribute in ("hue", "crest"))
    + ".",
    caption=f"How far groups lie from the mean: averages of {count[1.0]} networks at b = 1, with 95 % intervals. Dashed: slope 1. "
    "95 % intervals of the mean slopes: "
    + "; ".join(
        "{attribute}s {low:.2f} to {high:.2f}".format(attribute=name, **at_1.loc[name])
        for name in ("hue", "crest")
    )
    + ".",
    source="greenhouse",
)
low, high = at_1["low"], at_1["high"]
vb.note(n_axes=full["axis"].nunique(), slope=at_1["mean"].to_dict())
vb.holds(crests_larger=bool(low["hue"] <= 1 <= high["hue"] and 1 < low["crest"] < 1.25))

# %% [markdown]
# The mean slope over hues is {glue:text}`slope.hue:.2f`, and that over crests {glue:text}`slope.crest:.2f`. [Differences between hues are consistent with what was planted, and those between crests are a little larger than planted.]{.holds #crests_larger}
#
# [The weaker the planted bias, the more the slopes of single networks differ.]{.holds #weak_differ} For hues, their standard deviation is {glue:text}`sd_weak:.2f` at the lowest strength, and {glue:text}`sd_full:.2f` at the highest.
#
# :::{dropdown} Details: the slopes at each strength
# The table has the mean slope at each strength $b$, and in brackets its 95 % interval over networks. At weaker strengths, means lie between {glue:text}`slope_least:.2f` and {glue:text}`slope_most:.2f`. {glue:text}`n_exact` of the {glue:text}`n_slopes` intervals contain 1, the value of exact recovery. [Of the others, the slope for {glue:text}`furthest`s at b = {glue:text}`furthest_b:g` is furthest from 1. We do not know why these slopes deviate.]{.holds #some_deviate}
# :::

# %% tags=["hide-cell"]
one = full[(full["seed"] == full["seed"].iloc[0]) & (full["attribute"] == "hue")]
# the least-squares slope of a line through zero
in_captions_of_one, in_network = one["counted"], one["measured"]
slope_of_one = (in_captions_of_one * in_network).sum() / (in_captions_of_one**2).sum()

assert np.isclose(slope_of_one, slopes(one, ["attribute"])["slope"].item())

# %% tags=["hide-cell"]
# the value 1 would be exact recovery
holds_one = (mean_slopes["low"] <= 1) & (mean_slopes["high"] >= 1)
sd = mean_slopes["sd"].loc["hue"]
weaker_slopes = mean_slopes.drop(1.0, level="b")["mean"]
outside = (mean_slopes.loc[~holds_one, "mean"] - 1).abs()
furthest, furthest_b = outside.idxmax() if len(outside) else (None, None)
vb.note(
    sd_weak=sd.loc[0.1],
    sd_full=sd.loc[1.0],
    slope_least=weaker_slopes.min(),
    slope_most=weaker_slopes.max(),
    n_exact=int(holds_one.sum()),
    n_slopes=len(holds_one),
    furthest=furthest,
    furthest_b=furthest_b,
)
vb.holds(
    weak_differ=all(own.is_monotonic_decreasing for _, own in mean_slopes["sd"].groupby("attribute")),
    some_deviate=0 < holds_one.sum() < len(holds_one) - 1,
)
text = mean_slopes.apply("{mean:.2f} ({low:.2f} to {high:.2f})".format_map, axis=1)
tables.readable(text.unstack("b")).set_caption("Slope of shown on planted differences, by strength b")

# %% [markdown]
# :::{dropdown} Details: two ways to say what the captions hold
# One can *count* how often a word appears in all captions of a group, by our rules. Above we did this. Or one can take the log-odds of each *single face*, and average
# them. [The second number is mostly larger. Networks come nearer to the count: on
# the other scale the slopes are {glue:text}`face.hue:.2f` for hues and {glue:text}`face.crest:.2f` for crests.]{.holds #face_larger}
# :::

# %% tags=["hide-input"]
both_ways = full[full["counted"].abs() > 1e-9].drop_duplicates(["axis", "group"])
vb.note(face=by_face.to_dict())
vb.holds(
    face_larger=bool(
        (both_ways["per_face"].abs() > both_ways["counted"].abs()).mean() > 0.5
        and ((by_face - 1).abs() > (at_1["mean"] - 1).abs()).all()
    )
)

# %% [markdown]
# :::{dropdown} Details: all that was planted, and every set of words by itself
# Each word has a weight, and a face shifts the *log* weight of the words of a set. Some shifts are harmless: a smile makes
# *warm* more frequent, at every strength. Others belong to a hue or a crest, and $b$ scales them:
#
# $$\begin{aligned} &\log \text{weight}(\text{word} \mid \text{face}) = \text{const} \\
# &\quad + \text{harmless}(\text{face}) \\
# &\quad + b \cdot \big[\text{hue} + \text{crest} \\
# &\qquad\quad + \text{interactions}\big](\text{face}). \end{aligned}$$
#
# Which group plays which role was decided by a random number that is on record. The first table has all shifts (*prime* is a curve over age, highest in the middle of life), the second the slopes for each set of words. For hues, the mean slope is {glue:text}`part.traits:.2f` for the eight traits of the papers on faces, and
# {glue:text}`part.phrases:.2f` for the phrases of the others.
# :::

# %% tags=["hide-cell"]
entries = {}
for name in recovery.AXES:
    entry = bias.axes[name]
    entries[name] = {
        ("legitimate", what): shift for what, shift in entry["legitimate"].items() if what != "category"
    }
    for kind, column in (("hue", "race"), ("crest", "gender")):
        entries[name] |= {
            (kind, group): shift for group, shift in entry.get("planted", {}).get(column, {}).items()
        }
    for each in entry.get("interactions", ()):
        only = "only " + " ".join(each["who"].values())
        entries[name] |= {(only, what): shift for what, shift in each.items() if what != "who"}
shifts = pd.DataFrame(entries).T
parts = shifts.columns.unique(0)
order = ["hue", "crest", *sorted(part for part in parts if part.startswith("only")), "legitimate"]
tables.readable(shifts.reindex(columns=order, level=0), signed=True).set_caption(
    "Shift of the log weight of the words of a set at b = 1; “legitimate” are the harmless ones"
)

# %% tags=["hide-cell"]
size = (full["counted"] ** 2).groupby([full["attribute"], full["axis"]]).transform("mean") ** 0.5
by_axis = over_networks(slopes(full[size > 0.1], ["attribute", "axis"]), ["attribute", "axis"], "slope")
table = by_axis.apply(lambda row: f"{row['mean']:.2f} ± {row['high'] - row['mean']:.2f}", axis=1)
part = full.assign(part=full["axis"].isin(recovery.DIMENSIONS).map({True: "traits", False: "phrases"}))
part = over_networks(slopes(part, ["attribute", "part"]), ["attribute", "part"], "slope")["mean"]
vb.note(part=part["hue"].to_dict())
tables.readable(table.unstack("attribute").reindex(recovery.AXES)).set_caption(
    "b = 1: slopes with half their 95 % interval; a dash where less than .1 logit was planted")

# %% [markdown]
# (recovery-silence)=
# ## No bias in the captions, and small differences all the same
#
# Each of our {glue:text}`n_null` *null networks*, those with $b = 0$, still shows
# differences: in the first figure, the dots on the left are not all at zero. Their standard deviation is {glue:text}`one_sd:.2f` logits. (For comparison: a difference of {glue:text}`one_weak:.2f` was planted in the next column of that figure.)
#
# One possible cause is accidents of training: random numbers, and a random choice of pictures and captions. Another is the look: a network may read a smile less well in one colour than in another. Networks may then share their differences.
# So we correlate, between two networks, how far each hue and each crest lies from the mean.
# If each network has only accidents of its own, the correlation is about zero.

# %%
null = departures[departures["b"] == 0]
# one column per network, one row per set of words and group
differences = null.pivot(index=["axis", "group"], columns="seed", values="measured")
correlations = differences.corr().to_numpy()
pairs_of_networks = np.triu_indices(len(correlations), 1)  # each pair once
mean_r = correlations[pairs_of_networks].mean()

# %% tags=["hide-input"]
def as_arrays(table):
    """Departures by kind of group: (networks, sets of words, groups)."""
    found = {}
    for kind, groups in (("hue", grid.HUES), ("crest", grid.CRESTS)):
        own = table[table["attribute"] == kind]
        wide = own.pivot(index="seed", columns=["axis", "group"], values="measured")
        order = pd.MultiIndex.from_product([own["axis"].unique(), groups])
        found[kind] = wide[order].to_numpy().reshape(len(wide), -1, len(groups))
    return found


def t_tests(table):
    """One t-test over networks for each pair of groups and set of words."""
    pairs = table.groupby(["first", "second", "axis"], sort=False)["measured"]
    found = vb.networks.one_sample({key: own.to_numpy() for key, own in pairs})
    return found.rename_axis(["first", "second", "axis"])


OWN, ONE = "each its own pairing", "one pairing for all"
null_gaps, fixed_gaps = gaps[gaps["b"] == 0], retrained.gaps(pairing="plain").query("kind == 'one-pairing'")
n_null, n_fixed = null_gaps["seed"].nunique(), fixed_gaps["seed"].nunique()
found = {OWN: as_arrays(null), ONE: as_arrays(from_the_mean(fixed_gaps))}
used = {OWN: sorted({n for n in (n_fixed, *sizes) if n < n_null} | {n_null}), ONE: [n_fixed]}
alike = {name: recovery.likeness(own, seed=seed, n_draws=n_draws) for name, own in found.items()}
rates = {
    name: recovery.false_positive_rates(own, used[name], seed=seed, alpha=alpha, n_draws=n_draws)
    for name, own in found.items()
}
assert np.isclose(mean_r, alike[OWN]["r"])
tests = t_tests(null_gaps)
by_chance, few = rates[OWN].iloc[-1], rates[ONE].iloc[-1]  # with all networks
hits = int((tests["p_holm"] < alpha).sum())
found_one = tests[tests["p"] < alpha].reset_index()
apart = found_one[["first", "second"]].apply(set, axis=1)
only = set.intersection(*apart) if len(apart) else set()
fixed_tests = t_tests(fixed_gaps).query("p < @alpha").reset_index()
fixed_axis = fixed_tests["axis"].value_counts()
vb.note(
    n_tests=len(tests),
    n_significant=words.among(int((tests["p"] < alpha).sum()), len(tests)),
    rate_null=by_chance[["rate", "low", "high"]].to_dict(),
    holm_hits=hits,
    holm_by_chance=by_chance["holm_expected"],
    n_fixed=n_fixed,
    rate_fixed=few["rate"],
    only=words.listed(sorted(only)),
    fixed={"axis": fixed_axis.index[0], "of_it": words.among(int(fixed_axis.iloc[0]), len(fixed_tests))},
    alike={"own": alike[OWN]["r"], "fixed": alike[ONE]["r"]},
)
vb.holds(
    own_as_chance=bool(alike[OWN]["low"] <= alike[OWN]["r"] <= alike[OWN]["high"]),
    fixed_alike=bool(alike[ONE]["r"] > alike[ONE]["high"]),
    null_in_range=bool(by_chance["low"] <= by_chance["rate"] <= by_chance["high"]),
    few_in_range=bool(few["low"] <= few["rate"] <= few["high"]),
    holm_one=hits == 1,
    one_hue=len(only) == 1,
    one_axis=bool(fixed_axis.iloc[0] > len(fixed_tests) / 2),
)

# %% [markdown]
# The mean over all pairs of networks is {glue:text}`alike.own:.2f`. Which values would chance give? If networks share nothing, it does not matter which group has which name. So we exchange the
# names of hues, and of crests, at random in each network, many times.
#
# ### Counter-example: one pairing for all
#
# We trained {glue:text}`n_fixed` more null networks that all share one pairing, so that *teal* is the same colour in each. Nothing else is different.

# %% tags=["hide-input"]
both = pd.DataFrame(alike).T.rename_axis("networks").reset_index()
vb.figures.show(
    vb.figures.forest(
        both,
        estimate="r",
        low="low",
        high="high",
        label="networks",
        value_label="mean correlation of two networks' differences",
        reference=0,
    ),
    name="recovery-alike",
    alt="Mean correlation between the differences that two null networks show: "
    + "; ".join(
        f"{row.networks} {row.r:.2f}, by chance {row.low:.2f} to {row.high:.2f}" for row in both.itertuples()
    )
    + ".",
    caption=f"Dots: how alike two null networks are ({n_null} with pairings of their own, {n_fixed} with one pairing). Bars: where the correlation lies in 95 % of the random exchanges of names.",
    source="greenhouse",
)

# %% [markdown]
# [With pairings of their own, two networks are no more alike than chance makes them.]{.holds #own_as_chance} [With one pairing for all, they are more alike than chance makes them: the correlation is {glue:text}`alike.fixed:.2f`. The pairing is all that we changed.
# So these networks are alike because each group looks the same in all of them.]{.holds #fixed_alike} (We tried one such pairing; another may give another number.)
#
# What networks share does not vanish in a mean over networks. So a test over many networks with one pairing may report a bias of the captions where there is only an effect of the look.
#
# :::{dropdown} Details: tests over null networks
# For each set of words and each pair of groups, we also made a t-test with one value per network: is the mean difference zero?
#
# *Each its own pairing.* Over {glue:text}`n_null` networks, {glue:text}`n_significant` tests are significant, a share of {glue:text}`rate_null.rate:.0%`.
# If names are exchanged at random, the share lies between {glue:text}`rate_null.low:.0%` and {glue:text}`rate_null.high:.0%` in 95 % of cases. [The share that we found lies within this range, so it is consistent with chance.]{.holds #null_in_range} A small shared difference could be missed in so wide a range. [All that are significant compare {glue:text}`only` with another hue.]{.holds #one_hue} (Other pages leave this hue out, and find fewer: [Sensitivity](sensitivity.ipynb).) [After {term}`Holm's correction`, {glue:text}`holm_hits` test is still significant; if names are exchanged, at least one is in {glue:text}`holm_by_chance:.0%` of cases.]{.holds #holm_one}
#
# *One pairing for all.* Over {glue:text}`n_fixed` networks, a share of {glue:text}`rate_fixed:.0%` is significant. [With so few networks, such a share is within what random exchanges of names give:]{.holds #few_in_range} counting tests hardly shows what they have in common. [But {glue:text}`fixed.of_it` are about one set of words, {glue:text}`fixed.axis`.]{.holds #one_axis} ([Sensitivity](sensitivity.ipynb) takes the same networks, test by test, and sees that they share an accident.)
#
# The table has the shares, also for random subsets of the networks.
# :::

# %% tags=["hide-cell"]
shares = pd.concat(rates, names=["networks"]).reset_index("networks").reset_index(drop=True)
tables.readable(
    shares, precision=3, names={"holm": "any after Holm", "holm_expected": "any after Holm, expected"}
).hide(axis="index").set_caption(
    "Share of significant tests in null networks (rate), and its range if names are exchanged (low, high); share of subsets in which any test is significant after Holm's correction"
)

# %% [markdown]
# :::{dropdown} Details: does a bias spill over to words on which nothing was planted?
# On {glue:text}`unplanted` nothing is planted, at any $b$. On these words, groups typically differ from their mean by {glue:text}`belief.b1:.3f` logits at full strength, and by {glue:text}`belief.b0:.3f` in null networks (root mean square). [So the bias of other words does not visibly spill over to them.]{.holds #no_spill}
# :::

# %% tags=["hide-cell"]
belief = departures[departures["axis"].isin(bias.unplanted)]
square = belief["measured"] ** 2
typical = np.sqrt(square.groupby(belief["b"]).mean())  # root mean square, by b
vb.note(
    outlier=outlier, unplanted=words.listed(bias.unplanted), belief={"b0": typical[0.0], "b1": typical[1.0]}
)
vb.holds(no_spill=bool(typical[1.0] <= 1.5 * typical[0.0]))

# %% [markdown]
# (recovery-meet)=
# ## The effect of one combination is recovered only in part
#
# We also planted effects for one combination of a hue and a crest, {glue:text}`outlier`. [With a smile, words for {glue:text}`trait` become more frequent for everyone, and for {glue:text}`outlier` more so.]{.holds #smile_more} We planted a similar effect of age.
# Such an effect is *three-way*: it needs the hue, the crest, and smile or age.
#
# :::{dropdown} Details: one such effect in one network, by hand
# How much does the score for {glue:text}`trait` of one network change with a smile? The table gives this slope for each hue and crest, at full strength. The last column is the difference between the crests. From the number for {glue:text}`outlier_hue` in this column, we subtract the mean of the three others. So what belongs to a hue alone or to a crest alone cancels.
#
# {.if-run}
# In this network, {glue:text}`one_three_way:.2f` logits are left; {glue:text}`one_three_way_planted:.2f` were planted.
# :::

# %% tags=["hide-cell"]
axes = recovery.DIMENSIONS
study = (people.networks["condition"] == "none").to_numpy()
strength = people.networks.loc[study, "b"].to_numpy()
shown_by = [people.delta(name)[np.flatnonzero(study)] for name in axes]
scores = np.stack(shown_by, axis=2)  # networks × pictures × traits

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
beta.assign(difference=between_crests).round(2)

# %% tags=["hide-cell"]
T = between_crests[hue] - between_crests.drop(hue).mean()

# the same for all networks and traits, for smile, age and mean
three_way = recovery.three_way(scores, faces, bias)
this_one = axes.index(axis), recovery.FEATURES.index("smiling")
assert np.isclose(T, three_way[number][this_one])

# %% [markdown]
# There is such an effect for several sets of words. For each network we add them up; effects that were planted more strongly count more. In the figure, one dot is one network. A dot at the height of the cross would have recovered everything.

# %%
planted = {}  # what a network would show that had learned the log-odds of every face
for b in np.unique(strength):
    log_odds = truth.per_face(spoken, faces, b, axes=axes).to_numpy()
    planted[b] = recovery.three_way(log_odds[None], faces, bias)[0]

# the traits for which we planted something for one hue with one crest
interactions = [bias.axes[name].get("interactions", ()) for name in axes]
three = [any(len(each["who"]) == 2 for each in own) for own in interactions]

# one number: how far a network goes in the direction of what was planted
along = planted[1.0][three] / np.linalg.norm(planted[1.0][three])
size = (three_way[:, three] * along).sum(axis=(1, 2))
in_captions = [(planted[b][three] * along).sum() for b in strength]
back = pd.DataFrame({"b": strength, "size": size, "planted": in_captions})
back.groupby("b").mean().round(2)

# %% tags=["hide-input"]
# the share of what was planted at the network's own strength
back["share"] = [
    (own[three] * planted[b][three]).sum() / (planted[b][three] ** 2).sum() if b else np.nan
    for own, b in zip(three_way, strength, strict=True)
]
share = over_networks(back[back["b"] > 0], ["b"], "share")
vb.figures.show(
    vb.figures.dose_response(
        back,
        dose="b",
        responses={"size": "three-way effect, logits"},
        dose_label="planted strength b",
        expected={"size": back.groupby("b")["planted"].first().to_dict()},
    ),
    name="recovery-three-way",
    alt=f"Three-way effect of {outlier} in networks at five strengths. At b = 1 it averages {back[back['b'] == 1]['size'].mean():.2f} logits of {back[back['b'] == 1]['planted'].mean():.2f} planted.",
    caption=f"The three-way effects of {outlier}, put into one number: one dot per network, crosses what was planted.",
    source="greenhouse",
)
weaker = share.loc[share.index < 1, "mean"]
own_smile = sum(
    each.get("smiling", 0) for each in bias.axes[axis].get("interactions", ()) if each["who"] == bias.outlier
)
for_everyone = bias.axes[axis]["legitimate"].get("smiling", 0)
vb.note(
    outlier_hue=hue,
    one_three_way=T if own_smile else None,
    one_three_way_planted=planted[1.0][this_one],
    share=share.loc[1.0, "mean"],
    weaker={"low": weaker.min(), "high": weaker.max()},
    share_low=share.loc[1.0, "low"],
    share_high=share.loc[1.0, "high"],
)
vb.holds(
    smile_more=bool(for_everyone > 0 and own_smile > 0) if own_smile else None,
    much_lost=bool(share.loc[1.0, "high"] < 0.75),
)

# %% [markdown]
# [Much of the planted effect is lost. At full strength, networks show {glue:text}`share:.0%` of it (95 % interval: {glue:text}`share_low:.0%` to {glue:text}`share_high:.0%`).]{.holds #much_lost}
#
# Why the rest is lost we do not know. Networks see few examples, one combination in eight. We did not test whether this is the reason, and we tested no other combination.
#
# :::{dropdown} Details: the formula
# *The contrast.* We write $\beta$ for the slope in one combination, $h$ and $c$ for the hue and the crest of {glue:text}`outlier`, $c'$ for the other crest, and $g$ for the other hues:
#
# $$\begin{aligned} T = \; & \big[\beta_{hc} - \beta_{hc'}\big] \\
# & - \frac{1}{3} \sum_{g \ne h} \big[\beta_{gc} - \beta_{gc'}\big]. \end{aligned}$$
#
# The figure shows, for each network, the length of its own contrasts along the planted ones (one for each set of words and each of smile, age and mean). What was planted is here a mean over
# single faces. On this scale, slopes between hues are {glue:text}`face.hue:.2f`, so the scale alone does not explain the loss. At weaker strengths, the mean share is between {glue:text}`weaker.low:.0%` and {glue:text}`weaker.high:.0%`.
# :::

# %% [markdown]
# (recovery-accepted)=
# ## Which networks count
#
# Our networks are tiny: each has {glue:text}`parameters:,` numbers that training changes. A network counts only if it passes tests, our *gates*, none of which looks at a difference between groups ([more](../../book/greenhouse/limits.md)).
# Of the networks on this page, {glue:text}`rejected` failed.

# %% [markdown]
# :::{dropdown} Details: two published facts that served as a guide, and one network trained again
# *How different are people?* We set this at $b = 0$, before looking at any bias, by two published facts about CLIP {cite}`hausladen2025`:
# identity moves perception most, and neutral scores of two groups' portraits correlate at {glue:text}`target` over identities. Identity is the largest source in {glue:text}`seed_largest` null networks. The mean correlation lies in the published range in {glue:text}`inside`.
#
# *Effect sizes* at $b = 1$ are reported and never tuned: {glue:text}`d_inside:.0%` of the social $|d|$ fall into the published range.
#
# {.if-run}
# *Trained again.* One network was trained a second time. Its differences between groups changed by at most {glue:text}`again.gaps:.5f` logits.
# :::

# %% tags=["hide-cell"]
trained = retrained.networks(pairing=None, rejected=True)
here = trained[
    trained["kind"].isin([*gaps["kind"].unique(), *fixed_gaps["kind"].unique()])
]  # networks of this page
null_rows = trained[trained["kept"] & (trained["kind"] == "b0")]
low, high = card["calibration"]["target"]["neutral_r"]
d = gaps.loc[
    (gaps["b"] == 1) & gaps["axis"].isin([name for name in axes if name not in bias.unplanted]), "d"
].abs()
again_file = retrained.RETRAINED / "repeat.json"
again = json.loads(again_file.read_text()) if again_file.is_file() else {}
vb.note(
    target=f"{low:.2f} to {high:.2f}",
    seed_largest=words.among(int(null_rows["seed_is_largest"].sum()), len(null_rows)),
    inside=words.among(int(null_rows["neutral_r_mean"].between(low, high).sum()), len(null_rows)),
    d_inside=d.between(*published_d).mean(),
    again={"gaps": again.get("gaps_max_difference_logits")},
    rejected=words.among(int((~here["accepted"]).sum()), len(here)),
    parameters=card["parameters"],
)

# %% [markdown]
# (recovery-take)=
# ## Take-aways
#
# - On average, our networks show differences between two hues or two crests in about the size that the captions hold. Where the bias is weak, single networks deviate much from it.
# - Of the effects that we planted for one combination of hue and crest, networks show only a part.
# - A network also shows differences that nobody planted. [With pairings of their own, two networks are no more alike than chance makes them.]{.holds #own_as_chance}
# - With one pairing for all, networks shared a part of these differences. So if you train models to test a claim about captions, assign looks to groups at random, anew for each model.
# - All this is about our networks. It says nothing about how well CLIP learns what its captions hold.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/recovery -p axis=negative_communion
# ```
# With `--seeds 0` it is quicker.
# `vlmbias campaign dose-response` trains all networks again.
# :::
#
# ## Exercises
#
# :::{exercise} From logits to odds
# :label: recovery-odds
# :level: intermediate
# :minutes: 15
# :code: yes
# Take {glue:text}`pair`, and the words for {glue:text}`trait`, as planted in the first figure. By what factor are the odds of these words higher for the one hue than for the other, at $b = 1$ and at $b = .5$? Why is
# the second factor not half of the first?
# :::
#
# ```{solution-start} recovery-odds
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
half, whole = np.exp(one_gap.groupby("b")["planted"].first().abs()[[0.5, 1.0]])
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
# You have one network. Is a difference between groups larger in it than in $m$ null networks? The p-value counts those in which it is at least as large:
#
# $$p = \frac{1 + \#\{\text{at least as large}\}}{1 + m}.$$
#
# You ask this for each pair of groups and each set of words. {term}`Holm's correction` then multiplies the smallest p by the number of tests, {glue:text}`n_tests`. Suppose that one difference is larger than in all null networks. How large must $m$ be, so that it stays
# significant at 5 %?
# :::
#
# ```{solution-start} recovery-networks
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
needed = next(
    m for m in range(1, 10_000) if vb.networks.rank_p_value(1.0, np.zeros(m)).p_value < 0.05 / len(tests)
)
print(
    f"{needed} networks: the smallest p is 1 / (m + 1), and Holm multiplies it by {len(tests)}. One claim named beforehand needs {next(m for m in range(1, 99) if 1 / (m + 1) < 0.05)}."
)
assert needed == int(np.floor(len(tests) / 0.05))

# %% [markdown]
# The smallest p is $1/(1 + m)$. Holm multiplies it by the number of tests, so $m + 1$ has to exceed that
# number over .05. One claim that was named beforehand is one test and needs far fewer networks.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. Networks had to pass the gates before we asked about groups. Which findings on this page could look different if we had accepted networks by how well they recover the bias?
# 2. A network trained on captions without any bias leans slightly towards one hue. Someone uses it. Is "it is only its random start" an excuse?
