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
# # Do five methods agree on who is prototypical?
#
# *Wolfe and Caliskan (2022), all methods side by side.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Association tests, answers, captions and painted pictures are all said to show who is the prototype. Do they agree, in order
# and in size, and what does each of them report when nothing is there?
#
# **In 20 minutes:** {ref}`the answer in one figure <agreement-answer>`, {ref}`what each method is judged by <agreement-truth>`,
# {ref}`at less than full strength <agreement-dose>`, {ref}`where nothing was planted <agreement-nothing>`, take-aways. **In 75 minutes:** also the printed orders, the foils and the exercises.
#
# **You need:** the chapters [](we_they.ipynb), [](traits.ipynb), [](vqa.ipynb), [](captions.ipynb) and [](generation.ipynb), or at least their
# answers. The primer [The target of a claim](../../book/primers/targets.md) says why networks are the cases here.
#
# **Content note.** The paper compares Asian, Black, Latina/o and White individuals. No photograph is shown here; the faces are drawings of
# fictional groups and stand for nobody.
# :::
#
# **The idea.** A finding is more credible if several methods with different weaknesses agree on it. {cite:t}`wolfe2022` use five: a
# two-category association test (EAT), single-category ones (SC-EAT), answers to questions, captions, and guided pictures.
#
# **What the authors conclude.** "From biases associating White individuals with in-group words in visual semantic embedding spaces to the
# unambiguous exclusion of Asian, Latina/o, and Black individuals from American identity in visual question answering tasks, the results
# indicate that language-and-image AI learns that the prototypical American is White." Of captions and pictures: "These results both derive
# from the default association of American identity with being White."
#
# **Their own checks and limits.** Three models for the association tests, one for each other task. Every method is reported by itself:
# agreement is stated in words. The training data were not examined.

# %% tags=["parameters"]
model = "greenhouse"  # the encoder of both association tests, or another; a model
model_answers = "greenhouse/answers"  # the model that answers, or another; a model that answers
model_captions = "greenhouse/captions"  # the model that describes, or another; a model that describes
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
phrases = "greenhouse/traits"  # phrases, with the dimension "patriotism" among others; a prompt set
question = "is this person an arborian?"  # answered with yes or no; a text
race_words = ""  # words for groups that captions are searched for, with commas between; without any, the hues of the Greenhouse; empty or a text
every = 4  # every which portrait is answered about and described; 1 for all; at least 1
n_draws = 500  # draws of names behind each null; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/agreement.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import painted, retrained, speaker_tables, speech
from greenhouse.world import grammar, truth
from scipy import stats
from studies import associations, tables, words
from studies.american_white import agreement, captions, false_positives, vqa
from vlmbias.inference.corrections import holm

vb.figures.style()

# %% [markdown]
# (agreement-answer)=
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, networks are trained again, on captions and answers that favour one hue as the Arborian ($b = 1$), or
# none ($b = 0$). Each method is applied to networks of both kinds. Its value for a hue is higher the nearer the hue is to the prototype, and has
# the mean 0 over hues: log-odds for four methods, the reading of a judge that saw neither captions nor paintings for the fifth.

# %%
spoken, portraits = grammar.load(), vb.images("greenhouse/cfd").table
panel, naming = retrained.scores("people"), speaker_tables.read("naming")  # what towers make of the same people; what captions name
hue, WHO = panel.images["race"], next(iter(speech.recipe()["questions"]))

# log-odds in captions; and faces × phrases, how likely each phrase about someone is
counted = truth.counted(spoken, panel.images, "race", 1.0, axes=["we", "arborian"])
phrases_said = np.exp(spoken.log_probabilities("someone", panel.images, 1.0))
TRAITS = {}
for axis in ("patriotic", "egalitarian", "immigrant"):  # the paper's three, each alone
    (phrase,) = spoken.slots["someone"][axis]
    column = phrases_said[:, spoken.words("someone").index(phrase)]
    log_share = np.log(pd.Series(column).groupby(hue).mean())
    TRAITS[f"SC-EAT, {axis}"] = agreement.tower(panel, axis, "", log_share, seed=seed)
answered = vqa.of_networks(speaker_tables.read("answers"), WHO, "yes")
yes = speech.answer_odds(spoken, WHO, portraits, 1.0)["yes"].groupby(portraits["race"]).mean()
named = pd.Series(speech.naming_rate(spoken, portraits, 1.0)).groupby(portraits["race"]).mean()

METHODS = {
    "EAT": agreement.tower(panel, "we", "they", counted["we"], seed=seed),
    "SC-EAT": TRAITS["SC-EAT, patriotic"],
    "answers": agreement.answering(answered, yes),
    "captions": agreement.describing(naming[naming["penalty"] == 1], named),
    "pictures": agreement.painting(painted.load().readings, counted["arborian"]),
}
TOGETHER = [("EAT", "SC-EAT", "pictures"), ("answers", "captions")]  # the same networks; the same starts
alone = agreement.beside_truth(METHODS, rng=np.random.default_rng(seed))
each_trait = agreement.beside_truth(TRAITS, rng=np.random.default_rng(seed))

# %% tags=["hide-input"]
units = {name: "log-odds" if own.in_log_odds else "judge's reading" for name, own in METHODS.items()}
fig, grid_ = vb.figures.panels(3, 2, height=8.4)
for axes, (name, own) in zip(grid_.flat, METHODS.items(), strict=False):
    order = np.argsort(own.truth)
    for b, ink, mark, shift, called in ((0.0, "#8a8a8a", "o", -0.2, "b = 0"), (1.0, vb.figures.PALETTE[0], "o", 0.12, "b = 1")):
        for place, k in enumerate(order):
            axes.plot(own.at(b)[:, k], np.full(len(own.at(b)), place + shift), mark, color=ink, ms=4, alpha=0.55, label=called if not place else None)
    if own.in_log_odds:
        axes.plot(own.truth[order], np.arange(len(order)) + 0.12, "k|", ms=17, mew=2, label="planted (b = 1)")
    axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axes.set_yticks(range(len(order)), own.values.columns[order])
    axes.set(title=f"{name} ({alone.loc[name, 'n_null']} and {alone.loc[name, 'n']})", xlabel=units[name], ylim=(-0.6, len(order) - 0.4))
grid_[-1, -1].set_axis_off()
fig.legend(*grid_[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, markerscale=0.8)
first = {name: own.values.columns[own.truth.argmax()] for name, own in METHODS.items()}
right = {name: words.among(round(row["right"] * row["n"]), int(row["n"])) for name, row in alone.iterrows()}
vb.figures.show(
    fig, name="agreement-answer",
    alt="Five panels, one for each method; hues from the most prototypical as planted, above, to the least. At b = 1 the hue that is planted as first has "
    "the highest value in " + "; ".join(f"{name}: {said_} networks" for name, said_ in right.items()) + ". At b = 0 values lie around zero.",
    caption="One mark per network and hue; in brackets how many networks at b = 0 and 1. Hues in the planted order of each method, the prototype on top. "
    "Pictures have no planted size, only an order.", source="greenhouse")
sizes = alone["size"].dropna()
every_size = pd.concat([sizes.drop("SC-EAT"), each_trait["size"]])  # of the SC-EAT all three phrases
always = [name for name in METHODS if alone.loc[name, "right"] == 1]
vb.note(arborian=words.listed(sorted(set(first.values()))), always=words.listed(always), sized=len(sizes), size=every_size.agg(["min", "max"]),
        not_always=words.listed([f"{name} ({right[name]} networks)" for name in METHODS if name not in always]))

# %% [markdown]
# The Arborian is {glue:text}`arborian`, as it was drawn. At $b = 1$ every network ranks this hue first by {glue:text}`always`. Not every one by
# {glue:text}`not_always`. The {glue:text}`sized` methods in log-odds recover {glue:text}`size.min:.0%` to {glue:text}`size.max:.0%` of what was planted for
# them, all three phrases of the SC-EAT counted. (The figure shows the SC-EAT of patriotism.)
#
# These networks are far from the paper's effects: a first hue that leads so clearly cannot be missed. {ref}`Weaker networks <agreement-dose>` come below.

# %% [markdown]
# ## What the paper reports
#
# No claim is about agreement as a number. But the printed results can be put in order.

# %%
printed = agreement.printed(vb.ledger.claim)
order = printed.rank(axis=1, ascending=False)  # 1: nearest to the prototype
tables.readable(order, precision=0)

# %% tags=["hide-input"]
white_first, asian_last = order["White"] == 1, order["Asian"] == order.max(axis=1)
against_yes = {name: agreement.rank_r(row, printed.loc["answers, BLIP"]) for name, row in printed.dropna().iterrows() if name != "answers, BLIP"}
vb.note(white=words.among(int(white_first.sum()), len(order)), not_white=words.listed(order.index[~white_first]),
        asian=words.among(int(asian_last.sum()), len(order)), second=words.listed(order.columns[(order == 2).any()]),
        to_yes={"min": min(against_yes.values()), "max": max(against_yes.values())})

# %% [markdown]
# White individuals are first in {glue:text}`white` rows; not first in {glue:text}`not_white`. Asian individuals are last in {glue:text}`asian`. Second are, in one
# row or another, {glue:text}`second`. With the order of the answers, the other orders of four groups correlate by
# {glue:text}`to_yes.min:.1f` to {glue:text}`to_yes.max:.1f` (four groups allow no exact p below 1/24).
#
# Some of this is our reading. For captions nothing is printed for Latina/o individuals, whose race "is only noted" when mistaken for another. For
# pictures the paper concludes from a rise in brightness in all groups; the only order in these
# numbers is whose skin changes least, and the paper does not draw it. Egalitarianism (Table 4) is left out: the authors find White individuals farthest
# from it in BLIP and CLIP, as surveys of people do. And the rows are not independent: all are of the same {claim}`we_they.n-all` portraits, and each of
# three networks fills three of them.

# %% [markdown]
# ## The protocol, run on {data}
#
# One encoder, one model that answers, one that describes. The EAT and the SC-EAT give differences of cosines times the logit scale; a model
# that answers is asked for its odds of "yes"; captions are sampled from all words, without a cut and *without a penalty*
# ([why](captions-answer)), and searched for names of groups. Pictures take days on a GPU and are not painted here.

# %%
faces, encoder = vb.images(stimuli, root or None), vb.encoder(model)
people, speaks = vb.embed(encoder, faces), vb.embed(encoder, vb.prompts("we_they"))
traits, few = vb.embed(encoder, vb.prompts(phrases)), faces.where(np.arange(len(faces)) % every == 0)
group, few_group = people.table["race"], few.table["race"]
cosines = encoder.logit_scale * np.asarray(people) @ np.vstack([np.asarray(speaks), np.asarray(traits)]).T
we, rest = (speaks.table["dimension"] == "we").to_numpy(), len(speaks.table)
patriotic = (traits.table["dimension"] == "patriotism").to_numpy()
odds = vb.answerer(model_answers).odds(few, question, ["yes", "no"])["yes"]
texts = vb.captioner(model_captions).captions(few, top_p=1, top_k=0, penalty=1.0, seed=seed, batch_size=100)["caption"]
listed = [word.strip() for word in race_words.split(",")]
names = texts.map(speech.named) if not race_words else texts.map(lambda text: captions.bounded(text, listed))
here = pd.DataFrame({
    "EAT": pd.Series(associations.scores(cosines[:, :rest], we)).groupby(group).mean(),
    "SC-EAT": pd.Series(cosines[:, rest:][:, patriotic].mean(axis=1)).groupby(group).mean(),
    "answers": agreement.logit(odds.groupby(few_group).mean()),
    "captions": names.groupby(few_group).agg(lambda own: -np.log((own.sum() + 1) / ((~own).sum() + 1))),
})
here = here - here.mean()
tables.readable(here, signed=True)

# %% tags=["hide-input"]
pairwise = [agreement.rank_r(here[x], here[y]) for k, x in enumerate(here) for y in list(here)[k + 1 :]]
vb.note(who=words.listed(f"{one} ({name})" for name, one in here.idxmax().items()), here={"min": min(pairwise), "n": len(few)})

# %% [markdown]
# First are {glue:text}`who`. Of two methods, the orders of the groups correlate by {glue:text}`here.min:.1f` or more. This is one
# network for each method, and {glue:text}`here.n` portraits for answers and captions. Whether another training would give the same, it cannot tell.

# %% [markdown]
# ## What this method can see
#
# (agreement-truth)=
# ### Five truths, not one
#
# Nothing in the Greenhouse is "prototypicality". Each method meets another entry of its tables of planted odds, and is judged by that one:
#
# - **EAT**: *we* against *they* words in captions. Truth: the log-odds that a count of a hue's captions shows.
# - **SC-EAT**: the phrase "who is patriotic", alone, among the phrases about someone. Truth: the log of its share in a hue's captions, with
#   what the other phrases take from it.
# - **Answers**: "yes" against "no", planted by the words *arborian* and *foreign*. Truth: the log-odds of the planted mean probability.
# - **Captions**: whether a caption names the hue; planted by itself, in the recipe of the models that describe. Truth: minus the log-odds of
#   the planted rate, as who needs no name is the prototype.
# - **Pictures**: the prompt "an arborian person", so *arborian* again. A picture has no planted size. Truth: the order only.

# %%
planted = pd.DataFrame({name: pd.Series(own.truth, own.values.columns) for name, own in METHODS.items()})
tables.readable(planted, signed=True)

# %% [markdown]
# ### In size
#
# Four methods have the unit of their truth. Slopes near 1 mean that what was planted for a method is recovered. Truth and unit: log-odds in captions or
# answers; cases: networks ({glue:text}`sized_n`).

# %% tags=["hide-output"]
gaps = agreement.pairs(METHODS, b=1.0).set_index(["first", "second", "method"])
d = {name: agreement.effect_sizes(panel, *axes) for name, axes in (("EAT", ("we", "they")), ("SC-EAT", ("patriotic",)))}
gaps["d"] = pd.DataFrame(d).rename_axis(["first", "second"]).stack().rename_axis(["first", "second", "method"])  # as the paper prints
tables.readable(gaps[["planted", "mean", "low", "high", "in_sds", "d"]].sort_index(), names={"in_sds": "in SDs"})

# %% tags=["hide-input"]
by_hue = agreement.groups(METHODS, b=1.0)
vb.figures.show(
    vb.figures.planted_against_shown(by_hue[by_hue["planted"].notna()], planted="planted", shown="mean", low="low", high="high", unit="log-odds",
                                     panel="method", label="group", columns=2),
    name="agreement-size",
    alt="Values of hues, planted and shown, for four methods. Share of the planted that is shown: "
    + "; ".join(f"{name} {alone.loc[name, 'size']:.2f}" for name in sizes.index) + ".",
    caption="Hues at b = 1: means over networks with 95 % intervals, against what was planted for each method. Dashed: as planted.", source="greenhouse")
sized = pd.concat([alone.loc[sizes.index].drop("SC-EAT"), each_trait])
apart_from = {name: words.side(row["low"], row["high"], of=1, above="more than planted", below="less than planted", neither="") for name, row in sized.iterrows()}
vb.note(lines=words.listed(f"{name} {row['size']:.2f} ({row['low']:.2f} to {row['high']:.2f})" for name, row in sized.iterrows()),
        differ=words.listed([f"{name} ({how})" for name, how in apart_from.items() if how]),
        sized_n=words.listed(f"{name} {int(alone.loc[name, 'n'])}" for name in sizes.index),
        d=gaps["d"].abs().groupby("method").max().rename({"EAT": "eat", "SC-EAT": "sc"}).dropna(), lead=alone["lead"].agg(["min", "max"]),
        weakest=words.extreme(alone["lead"], alone.index, largest=False))

# %% [markdown]
# Shown of the planted, with 95 % intervals over networks: {glue:text}`lines`. The interval leaves out 1 for: {glue:text}`differ`. One method, three phrases: what
# holds of a phrase need not hold of the method.
#
# Sizes in log-odds have one unit across methods. Sizes in $d$ have not: the largest difference of two hues is {glue:text}`d.eat:.1f` by the EAT and {glue:text}`d.sc:.1f` by
# the SC-EAT, in units of how varied these drawn faces happen to be.
#
# A unit that all five methods have is what networks do by themselves: the SD over networks and hues at $b = 0$. In it, the first hue leads the
# others by {glue:text}`lead.min:.1f` to {glue:text}`lead.max:.1f`, by least in {glue:text}`weakest`. (The table has all pairs of hues: *in SDs* is in this unit.)
#
# (agreement-dose)=
# ### At less than full strength
#
# At $b = 1$ no method in log-odds can fail to find the first hue: it leads by many null SDs. The paper's $d$ are near .5. Networks of the association tests were
# trained at weaker strengths, too; those that answer, describe and paint at 0 and 1 only.

# %%
towers = {"EAT": METHODS["EAT"]} | TRAITS
AXES = {"EAT": ("we", "they"), "SC-EAT, patriotic": ("patriotic",),
        "SC-EAT, egalitarian": ("egalitarian",), "SC-EAT, immigrant": ("immigrant",)}
strengths = agreement.by_strength(towers, [0.1, 0.25, 0.5, 1.0])
strengths["d"] = [  # the median of the six pairs of hues
    agreement.effect_sizes(panel, *AXES[row.method], b=row.b).abs().median()
    for row in strengths.itertuples()]
called = {"n": "networks", "right": "hue first", "lead": "lead, null SDs",
          "size": "recovered", "d": "d, median of pairs"}
tables.readable(strengths, names=called).format(
    "{:.0%}", subset=["right", "size"]).hide(axis="index")

# %% tags=["hide-input"]
quarter = strengths[strengths["b"] == 0.25].set_index("method")
vb.note(quarter={"d_low": quarter["d"].min(), "d_high": quarter["d"].max(),
                 "first": words.listed(f"{words.among(round(row['right'] * row['n']), int(row['n']))} ({name})" for name, row in quarter.iterrows()),
                 "lead_low": quarter["lead"].min(), "lead_high": quarter["lead"].max()})

# %% [markdown]
# At $b = .25$ the median difference of two hues is $d$ = {glue:text}`quarter.d_low:.2f` to {glue:text}`quarter.d_high:.2f`, nearer to what the paper prints. The planted hue
# then comes first in so many networks: {glue:text}`quarter.first`. It leads by {glue:text}`quarter.lead_low:.1f` to {glue:text}`quarter.lead_high:.1f` null SDs. So at
# such sizes one phrase of one network can name another hue as the prototype.
#
# ### In order
#
# A network of one method beside a network of another: how do their orders of four hues correlate? Methods with one table of networks (EAT, SC-EAT,
# pictures) or one start (answers, captions) are compared with two different networks first.

# %%
by_b = {b: agreement.agreement(METHODS, rng=np.random.default_rng(seed), b=b, together=TOGETHER, n_draws=n_draws) for b in (0.0, 1.0)}
apart = {b: own[own["networks"] == "two"].reset_index(drop=True) for b, own in by_b.items()}
means = agreement.of_means(METHODS, b=1.0)
table = means.assign(networks=apart[1.0]["r"], first=apart[1.0]["first"], r_null=apart[0.0]["r"], first_null=apart[0.0]["first"])
tables.readable(table, names={"r_null": "networks, b = 0", "first_null": "first, b = 0"}).format("{:.0%}", subset=["first", "first_null"]).hide(axis="index")

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(height=5.2)
lines = np.arange(len(table))[::-1]
axes.hlines(lines, apart[0.0]["low"], apart[0.0]["high"], color="#c8c8c8", lw=9, label="95 % of renamings, b = 0")
axes.plot(apart[0.0]["r"], lines, "o", color="#444444", ms=5, label="b = 0")
axes.plot(apart[1.0]["r"], lines, "o", color=vb.figures.PALETTE[0], ms=6, label="b = 1")
axes.plot(table["planted"], lines, "k|", ms=15, mew=2, label="the two truths")
axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
axes.set_yticks(lines, table["one"] + " – " + table["other"])
axes.set(xlim=(-1.05, 1.05), xticks=[-1, -0.5, 0, 0.5, 1], xlabel="rank correlation of four hues", ylim=(-0.6, len(table) - 0.4))
fig.legend(loc="outside upper left", ncols=2)
vb.figures.show(
    fig, name="agreement-order",
    alt="Rank correlations of pairs of methods. At b = 1: " + "; ".join(f"{row.one} and {row.other} {row.networks:.2f}" for row in table.itertuples()) + ".",
    caption="Mean over pairs of different networks. Grey: what renaming hues at random gives, valid where no name is said (all but captions).", source="greenhouse")
told = table[~table["other"].eq("pictures")]
painted_ = table[table["other"].eq("pictures")]
silent = ~apart[0.0][["one", "other"]].eq("captions").any(axis=1)  # renaming is no null for a method that says names
outside = ((apart[0.0]["r"] < apart[0.0]["low"]) | (apart[0.0]["r"] > apart[0.0]["high"]))[silent]
by_null = METHODS["pictures"].at(0.0).argmax(axis=1) == METHODS["pictures"].truth.argmax()
by_one = METHODS["pictures"].at(1.0).argmax(axis=1) == METHODS["pictures"].truth.argmax()
first_null = int(by_null.sum()), len(by_null)
first_p = float(stats.fisher_exact([[own.sum(), (~own).sum()] for own in (by_one, by_null)]).pvalue)
found_first = vb.networks.rates(METHODS["pictures"].at(1.0).argmax(axis=1) == METHODS["pictures"].truth.argmax()).iloc[0]
vb.note(told=told["networks"].min(), drawn=painted_["networks"].max(), truths=table["planted"].min(), firsts="all" if told["first"].min() == 1 else f"at least {told['first'].min():.0%} of",
        chance=table["first_null"].agg(["min", "max"]), outside=words.among(int(outside.sum()), len(outside)), order_p=alone.loc["pictures", "p_order"],
        painter=right["pictures"], better=words.side(found_first["low"], found_first["high"], of=0.25, above="more than the one in four that is chance",
                                                     below="less than one in four", neither="consistent with one in four"),
        first_null=words.among(*first_null), first_p=first_p, against=words.verb(0.05, above=first_p, then="differs from", else_="is not clearly more than"),
        ordered=words.verb(0.05, above=alone.loc["pictures", "p_order"], then="follow", else_="cannot be seen to follow"))

# %% [markdown]
# The five truths do not have one order: two of them correlate by {glue:text}`truths:.1f` or more, and two methods that agreed fully would be wrong for one of
# them. At $b = 1$ the first four methods correlate by {glue:text}`told:.2f` or more with one another, and {glue:text}`firsts` pairs of networks have the same
# hue first. So strong a planting leaves them no other choice.
#
# With pictures they correlate by {glue:text}`drawn:.2f` at most. Pictures find the Arborian in {glue:text}`painter` networks. That {glue:text}`against` what networks with
# nothing planted do, {glue:text}`first_null` of which paint this hue first (Fisher's p = {glue:text}`first_p:.2f`). Over all hues they {glue:text}`ordered` the
# planted order ($p$ = {glue:text}`order_p:.2f`, Page's test, exact). In the table, `r` and `p` are of means over networks: of four hues, no p can be below 1/24.
#
# (agreement-nothing)=
# ### Where nothing was planted
#
# Each method has a test of one network: Welch's over faces, Fisher's over answers or captions, a paired t over the four starts of pictures. It is applied to
# every pair of hues at $b = 0$. What such a test is about is the one network; of training, a significant result is a false positive.
#
# More portraits give more false positives, whatever the method ([why](we_they.ipynb)). So methods are compared at one number: {glue:text}`at_one` faces, answers or
# captions of each hue. Beside it stands what the shipped numbers give.

# %%
ONE_SIZE = 50  # of each hue: half of the people whom towers saw in every hue
in_paper = portraits["race"].value_counts().to_dict()  # the sizes of the paper's groups
rates = {}
for name, axes in AXES.items():
    rates[name] = {
        "at one size": false_positives.of_faces(
            panel, *axes, size=ONE_SIZE, draws=20, seed=seed),
        "paper's sizes": false_positives.expected_of_faces(
            panel, *axes, sizes=in_paper)}
naming_counts = naming[naming["penalty"] == 1].rename(columns={"named": "count"})
rates["answers"] = {"at one size": false_positives.of_counts(answered, size=ONE_SIZE)}
rates["captions"] = {
    "at one size": false_positives.of_counts(naming_counts, size=ONE_SIZE)}
rates = pd.DataFrame(rates).T
tables.readable(rates).format("{:.1%}", na_rep="–")

# %% tags=["hide-input"]
alarm, pairs_ = agreement.alone_and_together(METHODS, b=0.0, together=TOGETHER)
rates.loc["answers", "paper's sizes"] = alarm["answers"]  # the shipped answers are about as many portraits as the paper's
shipped = {"EAT": "50", "SC-EAT, patriotic": "50", "answers": f"{answered['n'].min()} to {answered['n'].max()}",
           "captions": f"{naming_counts['n'].min()} to {naming_counts['n'].max()}", "pictures": "4"}
as_shipped = pd.Series({("SC-EAT, patriotic" if name == "SC-EAT" else name): value for name, value in alarm.items()})
two = pairs_[pairs_["networks"] == "two"]
one_size = rates["at one size"]
quiet = pd.DataFrame({"n of each hue": pd.Series(shipped), "significant": as_shipped, f"at n = {ONE_SIZE}": one_size,
                      "paper's sizes": rates["paper's sizes"]}).reindex([*AXES, "answers", "captions", "pictures"])
leads = pd.DataFrame({"any hue leads, p": alone["p_any"], "planted order, p": alone["p_order_null"]}).rename({"SC-EAT": "SC-EAT, patriotic"})
vb.note(alarm={"min": one_size.min(), "max": one_size.max()}, loudest=words.extreme(one_size, one_size.index), at_one=ONE_SIZE,
        quietest=words.extreme(one_size, one_size.index, largest=False), paper={"min": rates["paper's sizes"].min(), "max": rates["paper's sizes"].max()},
        both=two["both"].max(), leads=words.listed(alone.index[holm(alone["p_any"]) < 0.05]), expected=two["expected"].max())
tables.readable(quiet.join(leads)).format("{:.1%}", subset=list(quiet)[1:], na_rep="–").format("{}", subset="n of each hue", na_rep="50").format(
    tables.p_value, subset=["any hue leads, p", "planted order, p"], na_rep="–")

# %% [markdown]
# With {glue:text}`at_one` items of each hue, one method alone finds a significant difference in {glue:text}`alarm.min:.1%` ({glue:text}`quietest`) to
# {glue:text}`alarm.max:.1%` ({glue:text}`loudest`) of pairs of hues. With as many portraits as in the paper it would be {glue:text}`paper.min:.0%` to
# {glue:text}`paper.max:.0%` by association tests and answers. Pictures have four starts, and no other number to compare.
#
# Two methods, with a network each, both find one *in the same direction* in {glue:text}`both:.1%` at most, at the shipped numbers. If neither knew of the other
# it would be {glue:text}`expected:.1%`. The same hue comes first in {glue:text}`chance.min:.0%` to {glue:text}`chance.max:.0%` of pairs of networks, where a quarter is
# chance. Of the pairs of methods without captions, {glue:text}`outside` lie outside of what renaming gives.
#
# **A method that says names.** Renaming hues is an exact null where nothing is said. Captions say the names, and nothing makes names alike for the models that say them. Over networks with
# nothing planted some hue leads or trails (.05, Holm's correction over five methods) in: {glue:text}`leads`. There {glue:text}`names.most` is named in
# {glue:text}`names.high:.0%` of captions and {glue:text}`names.least` in {glue:text}`names.low:.0%`, where {glue:text}`names.planted:.0%` was planted for all hues.
#
# ### Agreement by construction
#
# **One sentence, one network.** The paper's three traits share a network and most of a sentence. A phrase that says nothing of anyone ("who is here")
# beside "who is patriotic", where neither is planted.

# %%
plain = agreement.tower(panel, "someone", "", counted["we"] * 0, seed=seed)  # blind: nothing is planted for it at any b
shared = {"patriotic": METHODS["SC-EAT"], "plain": plain}
foil = agreement.agreement(shared, rng=np.random.default_rng(seed), b=0.0, together=[list(shared)], n_draws=n_draws).set_index("networks")
_, doubled = agreement.alone_and_together(shared, b=0.0, together=[list(shared)])
blind = agreement.agreement(shared, rng=np.random.default_rng(seed), b=1.0, together=[list(shared)], n_draws=n_draws).set_index("networks")

# %% [markdown]
# **One instrument.** Captions drawn with BLIP's penalty on repeated words, otherwise as before:

# %%
penalised = agreement.describing(naming[naming["penalty"] > 1], named)
by_name = naming.assign(rate=naming["named"] / naming["n"])
by_name = by_name.groupby(["b", "penalty", "race"])["rate"].mean().unstack()
tables.readable(by_name).format("{:.0%}")

# %% tags=["hide-input"]
rng, told_none = np.random.default_rng(seed), METHODS["answers"].values.xs(0.0, level="b")
begun = speaker_tables.networks().query("kind == 'answers' and b == 0").set_index("seed")
looks = begun[[f"paint_of_{name}" for name in told_none]].set_axis(told_none.columns, axis=1)
kin = agreement.kin(told_none, begun["warm_start"], looks)
p_any = agreement.favours(penalised.at(0.0), rng=rng)
doubled = doubled.set_index("networks")
vowel = by_name.loc[(0.0, naming["penalty"].max())].idxmax()
shift = by_name.loc[(0.0, naming["penalty"].max()), vowel] / by_name.loc[(0.0, 1.0), vowel]
without = by_name.loc[(0.0, 1.0)]
vb.note(names={"most": without.idxmax(), "high": without.max(), "least": without.idxmin(), "low": without.min(),
               "planted": float(np.mean(speech.naming_rate(spoken, portraits, 0.0)))})
vb.note(foil={"same": foil.loc["one", "r"], "two": foil.loc["two", "r"]}, doubled={"same": doubled.loc["one", "both"], "two": doubled.loc["two", "both"]},
        outside_names=words.verb(foil.loc["one", "r"], above=foil.loc["one", "high"], then="beyond 97.5 % of", else_="within"),
        blind_first=blind.loc["two", "first"], vowel=vowel, p_any=p_any, shift=shift,
        above=words.verb(0.05, above=p_any, then="some hue leads or trails", else_="no hue leads"),
        above_without=words.verb(0.05, above=alone.loc["captions", "p_any"], then="some hue does, too", else_="none is seen to"),
        starts=int(begun["warm_start"].nunique()), begun=len(begun), kin=kin,
        failed=words.among(int((~speaker_tables.networks(rejected=True)["accepted"]).sum()), len(speaker_tables.networks(rejected=True))))

# %% [markdown]
# In one network the two phrases' orders correlate by {glue:text}`foil.same:.2f` ({glue:text}`outside_names` what renaming gives), in two networks by {glue:text}`foil.two:.2f`. Both
# tests are significant in the same direction in {glue:text}`doubled.same:.1%` of pairs of hues; with two networks, in {glue:text}`doubled.two:.1%`. Three tables of one network are less than three witnesses.
#
# **A method that is blind.** Nothing is planted for the plain phrase at $b = 1$ either; it still orders the hues, and has the same hue first as
# the SC-EAT in {glue:text}`blind_first:.0%` of pairs of networks. An order alone does not tell that a method sees nothing; its size does.
#
# The penalty multiplies the rate at which {glue:text}`vowel` is named by {glue:text}`shift:.1f` at $b = 0$: "an" is not punished for the "a" of the prompt. Over
# networks with nothing planted, {glue:text}`above` ($p$ = {glue:text}`p_any:.1g`; without the penalty, {glue:text}`above_without`). Retraining cannot average out
# what is in the instrument, or in the name.
#
# **One start.** Models that answer and describe begin from {glue:text}`starts` warm starts, which know looks and no names, so {glue:text}`begun` networks at
# $b = 0$ are not quite as many. In orders of *looks* by answers, networks with one start correlate by {glue:text}`kin.within:.2f`, others by
# {glue:text}`kin.between:.2f`. Every network drew anew which look has which name, so what comes with a look does not add up over names. Of all networks that answer
# or describe, {glue:text}`failed` failed a gate and are left out.
#
# ### And the census?
#
# Which hue lives where was planted too. Whether the census comes back, and whether its stated distortion is found, is answered in
# [](states.ipynb), where portraits are ranked by provinces.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:
#
# - No file of the repository compares two methods; agreement is a sentence of the text.
# - What is called BLIP is three checkpoints: those for retrieval, answers and captions were each fine-tuned by themselves. Where they agree, it is
#   about what they share, such as pretraining; that one result brings about another does not follow.
# - Captions were decoded with a penalty that the text does not mention, and pictures with random seeds that were not kept.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/agreement -p model greenhouse/b0 -p model_answers greenhouse/answers/b0 -p model_captions greenhouse/captions/b0
# ```
# runs the second section on networks in which nothing was planted: do they agree?
# :::
#
# ## Take-aways
#
# - Judge a method by its own truth: the five do not have the same one. By theirs, the weakest lead was in {glue:text}`weakest`.
# - Different methods may rightly differ in order, because different things were learnt. Ask each for its size in log-odds first.
# - Two methods with networks of their own are two witnesses; two readings of one network, with one sentence, are not.
# - What an instrument favours, such as a vowel, comes back in every network. Only a second instrument shows it.
# - With four groups, orders agree fully by chance in one of 24. Let networks be the cases.
# - Compare methods at one number of portraits, about one target and in one unit. Otherwise the numbers compare the numbers.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How many groups
# :label: agreement-groups
# :level: introductory
# :minutes: 5
# :code: no
# Two methods agree fully on the order of $k$ groups. What is the exact one-sided p for $k$ = 3, 4 and 5? From how many groups on can it be below .01?
# :::
#
# ```{solution-start} agreement-groups
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
from math import factorial

p_full = {k: agreement.rank_p(range(k), range(k)) for k in (3, 4, 5)}
print({k: round(p, 4) for k, p in p_full.items()})
assert all(np.isclose(p, 1 / factorial(k)) for k, p in p_full.items()) and min(k for k, p in p_full.items() if p < 0.01) == 5

# %% [markdown]
# One of the $k!$ orders agrees fully, so p is $1/k!$. With three or four groups no agreement can reach .01, however perfect: the number of groups
# sets the limit, not the number of pictures.
#
# ```{solution-end}
# ```
#
# :::{exercise} Two witnesses
# :label: agreement-witnesses
# :level: intermediate
# :minutes: 15
# :code: yes
# Two methods each find a significant difference between two groups with the probability .15 although nothing is there, in either direction alike. How often
# do both find one in the same direction if they are independent, and how often if their scores correlate by .8? Draw normal scores and find out.
# :::
#
# ```{solution-start} agreement-witnesses
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
draws, limit = np.random.default_rng(1).normal(size=(2, 200_000)), stats.norm.isf(0.15 / 2)
share = {}
for r in (0.0, 0.8):
    one, other = draws[0], r * draws[0] + np.sqrt(1 - r**2) * draws[1]
    share[r] = float(((np.abs(one) > limit) & (np.abs(other) > limit) & (one * other > 0)).mean())
print(share)
assert np.isclose(share[0.0], 0.15**2 / 2, atol=0.001) and share[0.8] > 5 * share[0.0]

# %% [markdown]
# If independent, both alarm with the probability $.15^2$, and half of these pairs point the same way. Where the scores share most of what makes them,
# one alarm brings the other along. Two methods that look at the same network are closer to one witness than to two.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A group can be first by every method and still be named often in captions, or the other way round. Which of the five would you call a measure of
#    prototypicality, and which a consequence of it?
# 2. A referee asks for "converging evidence". What would you accept as a second witness: another phrase, another prompt, another model, another training?
