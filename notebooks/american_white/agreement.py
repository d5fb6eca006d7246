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
# # Five methods agree: is that five pieces of evidence?
#
# *Wolfe and Caliskan (2022), all methods together.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** The authors conclude from five methods that White people are the prototype of an American. When is a second method a second piece of evidence?
#
# **Answer in short.** Every trained model has accidental peculiarities, which do not come from its captions. Two measures of one model can share a peculiarity, and then agree because of it. We found few such pairs. In a model
# that is trained anew, their agreement is gone. So a claim about what such models learn needs several models. It needs several methods as well, because a bias of a method shows in every model.
#
# **In 20 minutes:** {ref}`what the authors found <agreement-found>`, {ref}`the answer in one figure <agreement-answer>`,
# {ref}`what this means <agreement-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** rank correlations (how alike two orders are: 1 if they are the same, −1 if one is the reverse of the other). The chapters [](we_they.ipynb), [](traits.ipynb), [](vqa.ipynb), [](captions.ipynb) and
# [](generation.ipynb) explain the five methods; here each gets one line.
#
# **Content note.** The paper compares Asian, Black, Latina/o and White people. No photograph is shown here. Our own faces are drawings in
# invented colours, and stand for nobody.
# :::
#
# **The idea.** A finding is more credible if several methods agree, each with weaknesses of its own. {cite:t}`wolfe2022` ask whom image-text models take for a typical American, the *prototype*. They use five methods:
#
# | method | question | a group is nearer to the prototype if … |
# |---|---|---|
# | *We/They* test | How near are portraits to words such as *we*, minus how near they are to words such as *they*? | this difference is larger |
# | traits | How near are portraits to a phrase? | they are nearer to "who is patriotic" (*patriotism*); they are farther from "an immigrant to America" (*nativism*) |
# | answers | Is this person an American? | "yes" is answered more often |
# | captions | Does a caption name the person's group? | it is named less often, as if it went without saying |
# | pictures | How does a portrait change if it is repainted as "an American person"? | the pictures move towards its looks; the authors measure brightness |
#
# **What the authors conclude.** In their results, White people are nearer to words such as *we*, and answers leave the other groups out of American identity. Together, "the results
# indicate that language-and-image AI learns that the prototypical American is White." Of captions and pictures they write: "These results
# both derive from the default association of American identity with being White."
#
# **Their own checks and limits.** The first two methods, the *association tests*, are applied to three image-text models, which are called CLIP, SLIP and BLIP. Answers and captions come from BLIP only, and pictures are painted with CLIP. The authors report every
# method by itself. They state agreement in words, and do not compute it. They did not examine the training data.

# %% tags=["parameters", "hide-input"]
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

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import painted, retrained, speaker_tables, speech
from greenhouse.world import grammar, truth
from studies import associations, tables, words
from studies.american_white import agreement, captions, false_positives, vqa

vb.figures.style()

# %% [markdown]
# (agreement-found)=
# ## What the paper reports: White people come first in most results
#
# The paper prints no number for agreement. But each result can be turned into an order of the groups: who is nearest to the prototype, who comes second, and so on.
# We took these orders from the printed tables and sentences, for all methods but pictures. Here are one model's orders by three measures, in which 1 is nearest to the prototype:

# %%
printed = agreement.printed(vb.ledger.claim)
order = printed.rank(axis=1, ascending=False)
white_first = order["White"] == 1
tables.readable(order[order.index.str.contains("CLIP")].astype(int))

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=4.6)
lines = np.arange(len(order))[::-1]
for ink, mark, (group, own) in zip((vb.figures.COLOURS["ink"], *vb.figures.PALETTE), "Dos^", order.items(), strict=False):
    axes.plot(own, lines, mark, color=ink, label=group, ms=7)
axes.set_yticks(lines, order.index)
axes.set(xlim=(0.5, 4.5), xticks=[1, 2, 3, 4], xlabel="place in the order; 1 is nearest to the prototype")
fig.legend(loc="outside upper left", ncols=4)
vb.figures.show(
    fig, name="agreement-printed",
    alt=f"Places of four groups in {len(order)} printed results. White people are first in all but " + words.listed(name.replace(", ", " (") + ")" for name in order.index[~white_first]) + ".",
    caption="The printed results in order, one line for each method and model. For captions, nothing is printed for Latina/o people.",
    source="paper:american_white, Tables 2, 3 and 5, Figures 3 and 5, Section 5",
)
vb.note(white=words.among(int(white_first.sum()), len(order)), not_white=words.listed(name.replace(", ", " (") + ")" for name in order.index[~white_first]))

# %% [markdown]
# White people come first in {glue:text}`white` results. The exceptions are {glue:text}`not_white`. The order of the other three groups
# changes from result to result.
#
# :::{dropdown} How we put the results in order
# Some of this is our reading.
# - *Traits.* The paper has tables for patriotism, nativism and egalitarianism. We left out egalitarianism, because the authors do not use it as a sign of the
#   prototype. They find White people farthest from it in two models, and say that this fits findings of psychology.
# - *Captions.* The group that is named less often is nearer to the prototype.
# - *Pictures.* They have no line. The authors conclude from a rise in brightness in all groups, and put the groups in no order.
# :::
#
# (agreement-answer)=
# ## What one may doubt, and the answer in one figure
#
# These results are not independent of each other. All of them are about the same {claim}`we_they.n-all` portraits, and CLIP, SLIP and BLIP fill
# several lines each.
#
# Does that matter? The training of a model begins with random numbers. So every model has small *peculiarities*: differences between groups that its captions do not explain; [Who is "we"?](we_they.ipynb) shows some. Suppose now that two methods are applied to the *same* model. One
# peculiarity may show in both of them. The two methods then agree, but this is no evidence of what models learn from their data.
#
# We try this out in our laboratory, the [Greenhouse](../../book/greenhouse/limits.md). It has small networks that we trained on drawn faces in four
# colours, and on captions that we wrote. Here we take {glue:text}`n_null` networks whose captions treat all four colours alike (*null networks*).
# Nothing in these captions makes one colour the prototype.
#
# We begin with two measures. One is how near the faces of each colour are to the phrase "who is patriotic". The other is how near they are to "who is here", a phrase that
# says nothing about anybody. Each row of the table is one network. The numbers are mean cosines with "who is patriotic" (higher is nearer):

# %%
people = retrained.scores("people")  # cosines: networks × faces × phrases
colour = people.images["race"].to_numpy()
network = people.networks
untaught = ((network["b"] == 0) & (network["condition"] == "none")).to_numpy()


def by_colour(phrase):
    """How near the faces of each colour are to a phrase, in each null network."""
    own = people.scores[untaught][:, :, people.columns.index(phrase)]
    return pd.DataFrame(own.T.astype(float)).groupby(colour).mean().T


patriotic, here = by_colour("patriotic"), by_colour("someone")

# %% [markdown]
# So each network puts the four colours in some order. Do the two phrases give the *same* order? We take the rank correlation of the two orders, and average it over networks. Then we take the first phrase from one network and the second phrase from another,
# and average over all such pairs of networks:

# %%
one_network = patriotic.corrwith(here, axis=1, method="spearman").mean()
two_networks = np.mean([
    patriotic.iloc[i].corr(here.iloc[j], method="spearman")
    for i in range(len(patriotic)) for j in range(len(here)) if i != j
])
print(f"same network {one_network:.2f}, two networks {two_networks:.2f}")

# %% tags=["hide-input"]
spoken, portraits = grammar.load(), vb.images("greenhouse/cfd").table
naming, WHO = speaker_tables.read("naming"), next(iter(speech.recipe()["questions"]))
counted = truth.counted(spoken, people.images, "race", 1.0, axes=["we", "arborian"])  # log-odds in captions
likely = np.exp(spoken.log_probabilities("someone", people.images, 1.0))  # faces × phrases, how likely each phrase about someone is
AXES = {"We/They": ("we", "they"), "“patriotic”": ("patriotic",), "“egalitarian”": ("egalitarian",), "“immigrant”": ("immigrant",)}
measures = {"We/They": agreement.tower(people, "we", "they", counted["we"], seed=seed)}
for name, (axis, *_) in list(AXES.items())[1:]:
    (phrase,) = spoken.slots["someone"][axis]
    share = pd.Series(likely[:, spoken.words("someone").index(phrase)]).groupby(colour).mean()
    measures[name] = agreement.tower(people, axis, "", np.log(share), seed=seed)
measures["“here”"] = agreement.tower(people, "someone", "", counted["we"] * 0, seed=seed)  # nothing is ever taught for it

# %% [markdown]
# In the same network, the two orders tend to agree; in two networks, they do not. Is that more than chance? And is it true of other measures? We take five measures: We/They, nearness to three phrases as in the paper ("patriotic", "immigrant" and "egalitarian", none of them reversed), and nearness to "who is here". For each pair of measures, we
# compute the mean rank correlation.
#
# To see what chance does, we rename the colours in each network at random, many times. The middle 95 % of the correlations that we get are the *range of chance*. A correlation above this range is *beyond chance*.

# %%
pairs = agreement.agreement(
    measures, rng=np.random.default_rng(seed), b=0.0,
    together=[list(measures)], n_draws=n_draws,
).set_index(["one", "other", "networks"])
assert np.isclose(pairs.loc[("“patriotic”", "“here”", "one"), "r"], one_network)
assert np.isclose(pairs.loc[("“patriotic”", "“here”", "two"), "r"], two_networks)
pairs["beyond_chance"] = pairs["r"] > pairs["high"]
same, two = (pairs.xs(kind, level="networks") for kind in ("one", "two"))

# %% tags=["hide-input"]
ranked = same.sort_values("r").index
same, two = same.loc[ranked], two.loc[ranked]
fig, ((axes,),) = vb.figures.panels(1, 1, height=4.4)
lines = np.arange(len(same))
axes.hlines(lines, same["low"], same["high"], color=vb.figures.COLOURS["pale"], lw=9, label="chance, one network")
axes.plot(same["r"], lines, "o", color=vb.figures.PALETTE[0], ms=7, label="both in one network")
axes.plot(two["r"], lines, "D", color=vb.figures.COLOURS["muted"], ms=5, label="in two networks")
axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
axes.set_yticks(lines, [" and ".join(pair) for pair in ranked])
axes.set(xlim=(-0.4, 0.6), xlabel="mean rank correlation of the orders of four colours")
fig.legend(loc="outside upper left", ncols=3)
vb.figures.show(
    fig, name="agreement-answer",
    alt="Rank correlations of pairs of measures in null networks. "
    + "; ".join(f"{one} and {other}: {same.loc[(one, other), 'r']:.2f} in one network, {two.loc[(one, other), 'r']:.2f} in two" for one, other in ranked) + ".",
    caption=f"Mean agreement of two measures in {int(untaught.sum())} networks in which nothing was taught about colours. Each line is a pair of measures. Grey: where 95 % of values lie if the colours in "
    "each network are renamed at random.",
    source="greenhouse",
)
first, second = ranked[-1]
vb.note(n_null=int(untaught.sum()), n_pairs=len(same),
        hits={"one": agreement.pairs_beyond(same["beyond_chance"]), "two": agreement.pairs_beyond(two["beyond_chance"])}, closest=f"{first} and {second}",
        closest_r={"one": same["r"].iloc[-1], "two": two["r"].iloc[-1]},
        own=agreement.own_measures(same[["“here”" not in pair for pair in ranked]]["beyond_chance"]),
        cancels=agreement.cancels(same[[("We/They" in pair) for pair in ranked]]["beyond_chance"]))

# %% [markdown]
# Two measures of one network can agree although nothing was taught. Of the {glue:text}`n_pairs` pairs, {glue:text}`hits.one` beyond chance if both
# measures come from the same network. By chance alone, about one pair in 40 lies above the range. The pair that agrees most is {glue:text}`closest`, with a mean rank correlation of
# {glue:text}`closest_r.one:.2f`.
#
# In two different networks, this agreement is gone. For the same pair, the correlation is then {glue:text}`closest_r.two:z.2f`. Of all pairs, {glue:text}`hits.two`
# beyond chance.
#
# A possible reason is that "who is here" says little more than what such phrases have in common. What a network happens to do with this common part can show in both measures, and another network does
# something else with it. {glue:text}`cancels`
#
# How much does this say about the paper? Not much. The phrase "who is here" is ours. {glue:text}`own` For answers, captions and
# pictures, we have too few networks to which two methods were applied, and cannot say.
#
# ## The protocol, run on {data}
#
# This section compares four methods, as you would do it with models of your own (pictures would take days on a GPU). One model is used for both association tests, a second one answers, and a third one writes captions.
# {glue:text}`taught`
#
# In the table, a higher value means that the group is nearer to the prototype. The unit is the log-odds: 0.7 more means that the odds about double. For each method, the mean over groups is 0.

# %%
faces, encoder = vb.images(stimuli, root or None), vb.encoder(model)
portrayed, speaks = vb.embed(encoder, faces), vb.embed(encoder, vb.prompts("we_they"))
traits, few = vb.embed(encoder, vb.prompts(phrases)), faces.where(np.arange(len(faces)) % every == 0)
group, few_group = portrayed.table["race"], few.table["race"]
texts = np.vstack([np.asarray(speaks), np.asarray(traits)])
cosines = encoder.logit_scale * np.asarray(portrayed) @ texts.T
we, n_words = (speaks.table["dimension"] == "we").to_numpy(), len(speaks.table)
loyal = (traits.table["dimension"] == "patriotism").to_numpy()
odds = vb.answerer(model_answers).odds(few, question, ["yes", "no"])["yes"]
described = vb.captioner(model_captions).captions(
    few, top_p=1, top_k=0, penalty=1.0, seed=seed, batch_size=100
)["caption"]

# %% tags=["hide-input"]
listed = [word.strip() for word in race_words.split(",")]
is_named = described.map(speech.named) if not race_words else described.map(lambda text: captions.bounded(text, listed))
values = pd.DataFrame({
    "We/They": pd.Series(associations.scores(cosines[:, :n_words], we)).groupby(group).mean(),
    "traits": pd.Series(cosines[:, n_words:][:, loyal].mean(axis=1)).groupby(group).mean(),
    "answers": agreement.logit(odds.groupby(few_group).mean()),
    "captions": is_named.groupby(few_group).agg(lambda own: -np.log((own.sum() + 1) / ((~own).sum() + 1))),
})

# %%
values = values - values.mean()
tables.readable(values.rename_axis("group"))

# %% tags=["hide-input"]
between = [agreement.rank_r(values[x], values[y]) for k, x in enumerate(values) for y in list(values)[k + 1 :]]
tops = values.idxmax()
vb.note(who=f"{tops.iloc[0]} by all four methods" if tops.nunique() == 1 else words.listed(f"{top} by {name}" for name, top in tops.items()), here={"min": min(between), "n": len(few)},
        taught=agreement.taught([model, model_answers, model_captions], counted["arborian"].idxmax()) if stimuli.startswith("greenhouse") else "")

# %% [markdown]
# The group nearest to the prototype is {glue:text}`who`. Do the methods agree on the whole order? For any two of them, the rank correlation is {glue:text}`here.min:.1f` or more. Answers and captions were collected for
# {glue:text}`here.n` portraits. Each method had one model only, so the table cannot tell whether another training would give the same order.
#
# ## What this method can see
#
# ### All methods find a strong difference, except pictures
#
# A method is useful if it finds a difference that is really there. We also have networks whose captions clearly favour one colour, {glue:text}`arborian`, as the *Arborian*. (Arboria is the country in these
# captions.) In how many of these networks does each method put the taught colour first? And how large is the difference that it finds, in per cent of the taught one? (For pictures, only an order was taught.) The table has as many networks as we trained for each method:

# %% tags=["hide-input"]
answered = vqa.of_networks(speaker_tables.read("answers"), WHO, "yes")
yes = speech.answer_odds(spoken, WHO, portraits, 1.0)["yes"].groupby(portraits["race"]).mean()
named = pd.Series(speech.naming_rate(spoken, portraits, 1.0)).groupby(portraits["race"]).mean()
METHODS = {
    "We/They": measures["We/They"],
    "traits": measures["“patriotic”"],
    "answers": agreement.answering(answered, yes),
    "captions": agreement.describing(naming[naming["penalty"] == 1], named),
    "pictures": agreement.painting(painted.load().readings, counted["arborian"]),
}
TOGETHER = [("We/They", "traits", "pictures"), ("answers", "captions")]  # the same networks; the same starts

# %%
alone = agreement.beside_truth(METHODS, rng=np.random.default_rng(seed))
heads = {"n": "networks", "right": "taught colour first", "size": "size of difference found"}
table = tables.readable(alone[list(heads)].infer_objects(), names=heads)
table.format("{:.0%}", subset=["right", "size"], na_rep="–")

# %% tags=["hide-input"]
fig, grid_ = vb.figures.panels(3, 2, height=8.4)
for axes, (name, own) in zip(grid_.flat, METHODS.items(), strict=False):
    in_order = np.argsort(own.truth)
    for b, ink, shift, called in ((0.0, vb.figures.COLOURS["reference"], -0.2, "null networks"), (1.0, vb.figures.PALETTE[0], 0.12, "one colour favoured")):
        for place, k in enumerate(in_order):
            axes.plot(own.at(b)[:, k], np.full(len(own.at(b)), place + shift), "o", color=ink, ms=4, alpha=0.55, label=called if not place else None)
    if own.in_log_odds:
        axes.plot(own.truth[in_order], np.arange(len(in_order)) + 0.12, "k|", ms=17, mew=2, label="taught")
    axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axes.set_yticks(range(len(in_order)), own.values.columns[in_order])
    axes.set(title=name, xlabel="log-odds" if own.in_log_odds else "reading of the pictures", ylim=(-0.6, len(in_order) - 0.4))
grid_[-1, -1].set_axis_off()
fig.legend(*grid_[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3, markerscale=0.8)
right = {name: words.among(round(row["right"] * row["n"]), int(row["n"])) for name, row in alone.iterrows()}
vb.figures.show(
    fig, name="agreement-methods",
    alt="Five panels, one for each method; colours from the most prototypical as taught, above, to the least. The taught colour has the highest value in "
    + "; ".join(f"{name}: {hit} networks" for name, hit in right.items()) + ". In null networks values lie around zero.",
    caption="Each dot is a network and a colour. Colours in the taught order of each method, the prototype on top. For pictures only an order was taught, no size.",
    source="greenhouse")
always = [name for name in METHODS if alone.loc[name, "right"] == 1]
sizes = alone["size"].dropna()
vb.note(arborian=words.listed(sorted({own.values.columns[own.truth.argmax()] for own in METHODS.values()})), always=words.listed(always, none="none of the methods"),
        painter=right["pictures"], size=sizes.agg(["min", "max"]), not_always=words.listed(name for name in METHODS if name not in always))

# %% [markdown]
# In every network, the taught colour comes first by {glue:text}`always`. These methods also find about the right size: {glue:text}`size.min:.0%` to
# {glue:text}`size.max:.0%` of what was taught. With pictures, the taught colour comes first in {glue:text}`painter` networks. Our painting model is tiny, so this says nothing about the
# authors' model.
#
# Were these differences too easy to find? For the association tests, we also have networks that were taught weaker differences (the next cell has a table). With a quarter of the strength, the taught colour still comes first in {glue:text}`quarter.min:.0%` to
# {glue:text}`quarter.max:.0%` of the networks, depending on the measure. With a tenth of it, this is {glue:text}`tenth.min:.0%` to {glue:text}`tenth.max:.0%`.

# %% tags=["hide-cell"]
towers = {name: measures[name] for name in AXES}
strengths = agreement.by_strength(towers, [0.1, 0.25, 0.5, 1.0])
strengths["d"] = [agreement.effect_sizes(people, *AXES[row.method], b=row.b).abs().median() for row in strengths.itertuples()]
called = {"b": "strength of taught difference", "n": "networks", "right": "taught colour first", "lead": "lead of that colour, in SDs of null networks", "size": "size of difference found", "d": "median effect size of pairs of colours"}
vb.note(**{name: strengths.loc[strengths["b"] == b, "right"].agg(["min", "max"]) for name, b in {"quarter": 0.25, "tenth": 0.1}.items()})
tables.readable(strengths, names=called).format("{:.0%}", subset=["right", "size"]).hide(axis="index")

# %% [markdown]
# (agreement-nothing)=
# ### Two networks seldom agree on a difference that nobody taught
#
# We return to the null networks. For each method there is a test that compares two colours in one network, for example a t-test over faces. We apply it to every pair of colours.
# How often is it significant at 5 %? And how often are two methods, *each in a network of its own*, both significant in the same direction? The table shows the three pairs of methods in which this is most frequent. If the two were independent, it would be the product
# of the shares of both methods, divided by two for the direction:

# %%
single, both = agreement.alone_and_together(METHODS, b=0.0, together=TOGETHER)
apart = both[both["networks"] == "two"].sort_values("both", ascending=False)
shown = apart[["one", "other", "both", "expected"]].head(3)
for place, method in ((2, "one"), (3, "other")):
    shown.insert(place, f"{method} alone", shown[method].map(single))
shown.columns = ["method", "other method", "method significant", "other significant",
                 "both, same direction", "if independent"]
shares = list(shown.columns[2:])
tables.readable(shown).format("{:.1%}", subset=shares).hide(axis="index")

# %% tags=["hide-input"]
vb.note(alone={"min": 100 * single.min(), "max": 100 * single.max(), "least": words.extreme(single, single.index, largest=False), "most": words.extreme(single, single.index)},
        both=100 * apart["both"].iloc[0], expected=100 * apart["expected"].iloc[0], pair=f"{apart['one'].iloc[0]} and {apart['other'].iloc[0]}")

# %% [markdown]
# A single method often finds a difference, although nobody taught one. This happens most with {glue:text}`alone.most`, in {glue:text}`alone.max:.0f` % of the comparisons. Why more than 5 %? A test in one network
# also finds the peculiarities of that network.
#
# Two methods, each in a network of its own, seldom find the same difference. It is most frequent with {glue:text}`pair`, in {glue:text}`both:.1f` % of the comparisons. If these two were independent, one would expect
# {glue:text}`expected:.1f` %. So the peculiarities of one network do not return in the next, and a second network is a strong check.
#
# With more portraits every method finds more. At the same number of portraits, the shares of single methods go from {glue:text}`equal.min:.0%` ({glue:text}`equal.least`) to {glue:text}`equal.max:.0%` ({glue:text}`equal.most`), as the next cell shows.

# %% tags=["hide-cell"]
ONE_SIZE = 50  # of each colour: half of the people whom towers saw in every colour
in_paper = portraits["race"].value_counts().to_dict()  # the sizes of the paper's groups
naming_counts = naming[naming["penalty"] == 1].rename(columns={"named": "count"})
rates = {name: {
    f"{ONE_SIZE} of each colour": false_positives.of_faces(people, *axes, size=ONE_SIZE, draws=20, seed=seed),
    "group sizes of the paper": false_positives.expected_of_faces(people, *axes, sizes=in_paper)} for name, axes in AXES.items()}
rates["answers"] = {f"{ONE_SIZE} of each colour": false_positives.of_counts(answered, size=ONE_SIZE), "group sizes of the paper": single["answers"]}
rates["captions"] = {f"{ONE_SIZE} of each colour": false_positives.of_counts(naming_counts, size=ONE_SIZE)}
equal = pd.DataFrame(rates).T[f"{ONE_SIZE} of each colour"].astype(float)
vb.note(equal={"min": equal.min(), "max": equal.max(), "least": words.extreme(equal, equal.index, largest=False), "most": words.extreme(equal, equal.index)})
tables.readable(pd.DataFrame(rates).T).format("{:.1%}", na_rep="–")

# %% [markdown]
# ### What all networks share: the method itself
#
# A second network does not help if the *method* favours a group. Here is an example. BLIP's captions are generated with a *penalty on repeated
# words*: a word that is already there becomes less likely. We let null networks describe faces without this penalty (1.0 in the table) and with it (above 1.0). Then we count in which share of captions each colour is named:

# %%
by_name = naming[naming["b"] == 0].assign(rate=naming["named"] / naming["n"])
by_name = by_name.groupby(["penalty", "race"])["rate"].mean().unstack()
tables.readable(by_name.rename_axis(columns=None), precision=3)

# %% tags=["hide-input"]
penalised = agreement.describing(naming[naming["penalty"] > 1], named)
p_any = {"with": agreement.favours(penalised.at(0.0), rng=np.random.default_rng(seed)), "without": alone.loc["captions", "p_any"]}
ratio = by_name.loc[by_name.index.max()] / by_name.loc[1.0]
vb.note(favours=agreement.named_more(ratio.idxmax(), ratio.max()), leads=agreement.leads(p_any["with"], p_any["without"]))

# %% [markdown]
# {glue:text}`favours` {glue:text}`leads`
#
# So a method in which names are *said* can favour one of them. Training more networks does not help. What helps is to change the setting, as we did, or to use a second method in which
# no name is said.
#
# In the paper, the penalty makes "an Asian man" and "an African American man" more likely, but not "a white man". So it may have raised the shares of captions that name Asian and Black people's race, and made these groups look less prototypical. How much, we do not
# know. The chapter [](captions.ipynb) asks whether it can also be why White people's race is never named.
#
# (agreement-means)=
# ## What this means
#
# **For the paper.** White people come first in most printed results. How strong is this evidence? Its limit is the number of models. Whatever several methods find in *one* model can be a peculiarity of
# this model. For each of the three association
# measures, this table says in which models White people come first:

# %%
three = white_first[order.index.str.contains("We/They|patriotism|nativism")]
three.index = pd.MultiIndex.from_tuples(three.index.str.split(", ").tolist())
tables.readable(three.unstack())

# %% tags=["hide-input"]
models_first = three.unstack().sum(axis=1)
vb.note(three=words.listed(f"{words.among(int(hits), 3)} by {name}" for name, hits in models_first.sort_values(ascending=False).items()))

# %% [markdown]
# How many of the three models put White people first? It is {glue:text}`three`. So three separately trained models agree on patriotism,
# and only in part on the other two measures. All three saw the same portraits, and we do not know how much of their training data they share.
#
# Answers and captions are printed for one model each, and put White people first, too. Pictures become brighter for all groups. All this fits the authors'
# conclusion. It does not show that captions and pictures, as they write, "both derive" from one association.
#
# **For your own work.** Whatever two methods have in common can make them agree: the model, the portraits, the sentence, the way in which words are chosen. A second phrase shows whether a result hangs on the wording. A second, independently trained model shows whether it hangs on the model. A different method shows whether it hangs on the method.
#
# ## Where paper and code differ
#
# The list is for readers who check the analysis or rerun it.
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:
#
# - No file of the repository compares two methods. Agreement is stated in words only.
# - What the paper calls BLIP is three models: one for retrieval (finding pictures by text), one for answers and one for captions. Each was trained further for its own task. If they agree, it
#   may be because of what they have in common, such as the training before that.
# - The captions were made with a penalty on repeated words, which the text does not mention. The random seeds of the pictures were not kept.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/agreement -p model greenhouse/b0 -p model_answers greenhouse/answers/b0 -p model_captions greenhouse/captions/b0
# ```
# This runs the section "The protocol" on networks whose captions treat all colours alike (`b0` in their names): do the methods still agree?
# :::
#
# ## Take-aways
#
# - Two measures can agree in one model because of its peculiarities. In our networks few pairs did, and none across two networks.
# - Two methods in two independently trained models seldom agree on a difference that nobody taught.
# - If a method itself favours a group, it does so in every model. Change its settings, or use a second method.
# - A claim about what models learn needs several models, however many methods agree in one of them.

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
# One of the $k!$ orders agrees fully, so p is $1/k!$. With three or four groups no agreement can reach .01, however perfect. The number of groups
# sets the limit, and not the number of pictures.
#
# ```{solution-end}
# ```
#
# :::{exercise} Two witnesses
# :label: agreement-witnesses
# :level: intermediate
# :minutes: 15
# :code: yes
# There is no difference between two groups. Still, each of two methods finds a significant one with the probability .15, in either direction equally often. How often
# do both methods find one in the same direction if they are independent? How often if their scores correlate at .8? Simulate normal scores to find out.
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
# If the methods are independent, both find a difference with the probability $.15^2$, and in half of these cases in the same direction. If their scores
# are strongly correlated, a false difference in one method often comes with the same false difference in the other. The .8 is invented. In our networks, the pair of measures that agrees most has a rank correlation of {glue:text}`closest_r.one:.2f`.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A model answers "yes" most often for one group. Its captions name this group most often, too. Is the group the prototype? Which of the five methods would you call a measure of
#    prototypicality, and which shows a consequence of it?
# 2. A reviewer asks for "converging evidence". What would you accept as a second witness: another phrase, another prompt, another model, another training?
