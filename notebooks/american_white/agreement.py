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
# **Answer in short.** Every trained model has accidental peculiarities: differences between groups that its captions do not explain. Two measures of one model can share a peculiarity, and then agree because of it. (In our small networks, some pairs of phrases do. Three of the paper's own measures, counted as in the paper, do not.) So a claim about what such models learn needs several models. It needs several methods as well, because a bias of a method shows in every model.
#
# **In 20 minutes:** {ref}`What the paper reports <agreement-found>`, {ref}`What one may doubt, and the answer in one figure <agreement-answer>`,
# {ref}`What this means <agreement-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** rank correlations (how alike two orders are: 1 if they are the same, −1 if one is the reverse of the other, 0 if they have nothing in common). The chapters [](we_they.ipynb), [](traits.ipynb), [](vqa.ipynb), [](captions.ipynb) and
# [](generation.ipynb) explain the five methods.
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
# | traits | How near are portraits to a phrase about a trait? | they are nearer to "who is patriotic" (*patriotism*), or *farther* from "an immigrant to America" (*nativism*) |
# | answers | Is this person an American? | "yes" is answered more often |
# | captions | Does a caption name the person's group? | it is named less often, as if it went without saying |
# | pictures | How does a portrait change if it is repainted as "an American person"? | the pictures move towards its looks; the authors measure brightness |
#
# **What the authors conclude.** Together, "the results
# indicate that language-and-image AI learns that the prototypical American is White." Of captions and pictures they write: "These results
# both derive from the default association of American identity with being White."
#
# **Their own limits.** The first two methods, the *association tests*, are applied to three image-text models, CLIP, SLIP and BLIP. Answers and captions come from BLIP only, and pictures are painted with CLIP. The authors
# say that BLIP is three models here: one for the association tests, one for answers and one for captions. They made no "thorough evaluation of the training data".

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
import re
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import painted, retrained, speaker_tables, speech
from greenhouse.world import grammar, truth
from studies import associations, tables, words
from studies.american_white import agreement, vqa
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (agreement-found)=
# ## What the paper reports: White people come first in most results
#
# We turned each printed result into an order of the groups, for all methods but pictures. Here are the orders by three measures in one model, CLIP. A 1 is nearest to the prototype:

# %%
def number(claim):
    """A printed number, by the id of its claim."""
    return vb.ledger.claim(claim).printed.number


GROUPS = {"White": "white", "Asian": "asian", "Black": "black", "Latina/o": "latina"}
tests = {"We/They": "we_they", "patriotism": "traits.patriotism",
         "nativism": "traits.nativism"}
rows = {}
for name, claims in tests.items():
    for trained in ["blip", "clip", "slip"]:  # d of White people against each group
        d = {group: number(f"{claims}.{trained}.w{claim[0]}.d")
             for group, claim in GROUPS.items() if group != "White"}
        nearer = 1 if name == "nativism" else -1  # higher is nearer to the prototype
        rows[f"{name}, {trained.upper()}"] = {
            "White": 0.0, **{group: nearer * value for group, value in d.items()}
        }
rows["answers, BLIP"] = {
    group: number(f"vqa.american.{claim}") for group, claim in GROUPS.items()
}
rows["captions, BLIP"] = {
    "White": 0.0, **{group: -number(f"captions.{GROUPS[group]}.most")
                     for group in ["Asian", "Black"]}
}
printed = pd.DataFrame(rows).T
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
first_in = white_first.groupby(order.index.str.split(", ").str[1]).agg(["sum", "size"])
# the other question to BLIP: an American state for all White people, not for all Asian and Black people
state_first = number("vqa.state.white.any") == 100 and number("vqa.state.asian.china") > 0 and number("vqa.state.black.south-africa") > 0
vb.note(first_in={name: words.among(int(row["sum"]), int(row["size"])) for name, row in first_in.iterrows()},
        by_chance=(1 / order.notna().sum(axis=1)).sum(), with_state=words.among(int(white_first.sum() + state_first), len(order) + 1))
leads_open = []  # first places in which White people do not lead each other group significantly
for name in order.index[white_first]:
    test, trained = name.split(", ")
    p = [vb.ledger.claim(f"{tests[test]}.{trained.lower()}.w{other}.p").value for other in "abl"] if test in tests else []
    leads_open += [name] if "n.s." in p else []
equal_first = [min(number(f"traits.egalitarianism.{trained}.w{other}.d") for other in "abl") > 0 for trained in ("blip", "clip", "slip")]
vb.note(with_equal=words.among(int(white_first.sum()) + sum(equal_first), len(order) + len(equal_first)))
vb.holds(one_lead_open=leads_open == ["patriotism, SLIP"])
vb.note(white=words.among(int(white_first.sum()), len(order)), not_white=words.listed(name.replace(", ", " (") + ")" for name in order.index[~white_first]))

# %% [markdown]
# White people come first in {glue:text}`white` results (by chance, it would be about {glue:text}`by_chance:.0f`). The exceptions are {glue:text}`not_white`. Only in We/They (SLIP) is another group nearer by a
# significant difference. [(In one first place of White people, too, patriotism in SLIP, the lead is not significant.)]{.holds #one_lead_open}
#
# :::{dropdown} How we put the results in order
# - *Traits.* We left out egalitarianism. The authors count it among the "core aspects of
#   American identity". But they find White people farthest from it in two models, and do not read this as being less prototypical. With it, White people come first in {glue:text}`with_equal` results.
# - *Association tests.* Who comes first follows exactly from the signs of the printed $d$. Places 2 to 4 compare values of $d$ that were divided by different standard deviations, so they are approximate.
# - *Answers.* The question "What state does this person live in?" has no line, because the paper does not print how many Latina/o people get an American state. With this question, White people come first, perhaps together with Latina/o people, in {glue:text}`with_state` results.
# - *Pictures.* They have no line. The authors conclude from a rise in brightness in all groups, and put the groups in no order.
# :::
#
# (agreement-answer)=
# ## What one may doubt, and the answer in one figure
#
# These results are not independent of each other: several lines come from the same model. Training depends on chance, so every model has peculiarities. If two methods are applied to the *same* model, one
# peculiarity may show in both. They then agree, but this is no evidence of what models learn from their data.
#
# **In real models.** Do large results of one model go together? [In eight CLIP models of OpenAI, trained on one data set, there is no sign of it over eighteen tests: the mean correlation is {result}`real/same_data::alike.rho:.2f`.
# For the tests about race alone, it is {result}`real/same_data::race.rho:.2f` (95 % interval from {result}`real/same_data::race.low:.2f` to {result}`real/same_data::race.high:.2f`); with architecture and size taken into account, it is smaller, and its interval includes 0.]{.if-run} So the doubt remains for tests about race. But those tests share photographs and names, which may be the reason, and [eight models are too few to settle it](../real/same_data.ipynb).
#
# Do other models show the same association? Two published tests are near to the authors' question, but without words: they compare photographs of people with *pictures* of American and of other things, in nine CLIP models:

# %%
real = facts.table("clip_image_tests")
near = real[real["b"].isin(["Foreign", "World"])].copy()
near["clear"] = np.sign(near["d"]) * (facts.two_sided(near) <= 0.05)
called = {-1: "significant, d < 0", 0: "not significant", 1: "significant, d > 0"}
pd.crosstab(near["called"], near["clear"].map(called).rename("models"))

# %% tags=["hide-input"]
clear = near.groupby("b")["clear"]
authors = near[near["model"] == "ViT-B/32"]
vb.note(foreign_n=int(near.loc[near["b"] == "Foreign", "n_target"].max()), world_n=int(near.loc[near["b"] == "World", "n_target"].max()))
vb.holds(
    foreign_open=bool((clear.get_group("Foreign") == 0).all()),
    world_against=bool((clear.get_group("World") == -1).sum() == 4 and not (clear.get_group("World") == 1).any()),
    own_open=bool((authors["clear"] == 0).all()) if len(authors) == 2 else None,
    near_twins={"ViT-L/14", "ViT-L/14@336px"} <= set(near.loc[(near["b"] == "World") & (near["clear"] == -1), "model"]),
)

# %% [markdown]
# [With pictures of American and foreign things, no model shows a significant difference between photographs of people labelled European American and Asian American.]{.holds #foreign_open} [With pictures of the US and the world, and people labelled European American and Native American, four of nine models are significant: Native American people are nearer to the US pictures.]{.holds #world_against} The authors did not study Native Americans, and [two of the four are nearly the same model.]{.holds #near_twins}
# [The authors' CLIP, ViT-B/32, is significant in neither test.]{.holds #own_open} But these tests have only {glue:text}`foreign_n` and {glue:text}`world_n` photographs of each group. So they neither support nor refute the finding.
#
# **In small networks.** Can one peculiarity show in two measures at all? In our laboratory, the [Greenhouse](../../book/greenhouse/limits.md), we trained small networks on drawn faces in four
# colours, and on captions that we wrote. Here we take {glue:text}`n_null` networks whose captions treat all four colours alike (*null networks*). They differ in their random start, in the pictures that they saw, and in the paint that stands for each colour's name.
#
# We begin with two measures: how near the faces of each colour are to "who is patriotic", and to "who is here", a phrase that
# says nothing about anybody. Each number is the mean of one colour in one network, and higher is nearer:

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
example = {"who is patriotic": patriotic.iloc[0], "who is here": here.iloc[0]}
tables.readable(pd.DataFrame(example).T.rename_axis(columns=None), precision=3)

# %% [markdown]
# Are the two orders alike? We average their rank correlation over networks. Then we take the two phrases from two different networks.
# If agreement comes from peculiarities of a network, it should be there in the same network, and be gone in two:

# %%
r = np.corrcoef(patriotic.rank(axis=1), here.rank(axis=1))
r = r[:len(patriotic), len(patriotic):]  # rank correlations, network × network
one_network, two_networks = np.diag(r).mean(), r[~np.eye(len(r), dtype=bool)].mean()
print(f"same network {one_network:.2f}, two networks {two_networks:.2f}")

# %% tags=["hide-input"]
AXES = {"We/They": ("we", "they"), "“patriotic”": ("patriotic",),
        "“egalitarian”": ("egalitarian",), "“immigrant”": ("immigrant",)}
faces_of = associations.people(people.images)  # colour → places of its faces, a row for each person


def centred(values):
    """Less the mean over colours, in each network."""
    return values.sub(values.mean(axis=1), axis=0)


def nearness(*axis):
    """Mean log-odds of the faces of each colour: strength and network × colours."""
    leaning, networks = agreement.leanings(people, *axis)
    near = {name: leaning[:, places.ravel()].mean(axis=1) for name, places in faces_of.items()}
    return centred(pd.DataFrame(near, index=networks))


measures = {name: nearness(*axis) for name, axis in (AXES | {"“here”": ("someone",)}).items()}

# %% [markdown]
# Is this more than chance, and is it true of other measures? We take five: We/They, nearness to "who is here", and nearness to the phrases of the three traits, "patriotic", "immigrant" and "egalitarian" (who treats all people equally).
#
# To see what chance does, we rename the colours in each network at random, many times. The middle 95 % of the correlations that we get are the *range of chance*. In the figure, look for blue dots to the right of their grey range.

# %%
def ranks(values):
    """Ranks of the colours, scaled: products of two are rank correlations."""
    own = stats.rankdata(values.to_numpy(), axis=1) - 2.5
    return own / np.sqrt((own**2).sum(axis=1, keepdims=True))


ranked = {name: ranks(own.loc[0.0]) for name, own in measures.items()}
itself = np.eye(int(untaught.sum()), dtype=bool)  # pairs of a network with itself
rng, rows = np.random.default_rng(seed), []
for one, other in combinations(measures, 2):
    x, y = ranked[one], ranked[other]
    for networks, chosen in {"one": itself, "two": ~itself}.items():
        r = (x @ y.T)[chosen].mean()
        renamed = [
            (rng.permuted(x, axis=1) @ rng.permuted(y, axis=1).T)[chosen].mean()
            for _ in range(n_draws)
        ]
        rows.append((one, other, networks, r, *np.quantile(renamed, [0.025, 0.975])))
pairs = pd.DataFrame(rows, columns=["one", "other", "networks", "r", "low", "high"])
pairs = pairs.set_index(["one", "other", "networks"])
assert np.isclose(pairs.loc[("“patriotic”", "“here”", "one"), "r"], one_network)
assert np.isclose(pairs.loc[("“patriotic”", "“here”", "two"), "r"], two_networks)
pairs["beyond_chance"] = pairs["r"] > pairs["high"]
same, two = (pairs.xs(kind, level="networks") for kind in ("one", "two"))

# %% tags=["hide-input"]
by_r = same.sort_values("r").index
same, two = same.loc[by_r], two.loc[by_r]
fig, ((axes,),) = vb.figures.panels(1, 1, height=4.4)
lines = np.arange(len(same))
axes.hlines(lines, same["low"], same["high"], color=vb.figures.COLOURS["pale"], lw=9, label="chance, one network")
axes.plot(same["r"], lines, "o", color=vb.figures.PALETTE[0], ms=7, label="both in one network")
axes.plot(two["r"], lines, "D", color=vb.figures.COLOURS["muted"], ms=5, label="in two networks")
axes.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
axes.set_yticks(lines, [" and ".join(pair) for pair in by_r])
axes.set(xlim=(-0.4, 0.6), xlabel="mean rank correlation of the orders of four colours")
fig.legend(loc="outside upper left", ncols=3)
vb.figures.show(
    fig, name="agreement-answer",
    alt=f"Rank correlations of pairs of measures in null networks, in one network and in two; the largest three of {len(by_r)}. "
    + "; ".join(f"{one} and {other}: {same.loc[(one, other), 'r']:.2f}, {two.loc[(one, other), 'r']:.2f}" for one, other in by_r[:-4:-1])
    + f". The range of chance in one network goes from about {same['low'].mean():.2f} to {same['high'].mean():.2f}.",
    caption=f"Mean agreement of two measures in {int(untaught.sum())} networks whose captions treat all colours alike. Each line is a pair of measures. Grey: where 95 % of values lie if the colours in "
    "each network are renamed at random.",
    source="greenhouse",
)
first, second = by_r[-1]
hits = same.index[same["beyond_chance"]]
vb.note(n_null=int(untaught.sum()), n_pairs=len(same), n_beyond=len(hits), closest=f"{first} and {second}",
        closest_r={"one": same["r"].iloc[-1]})
vb.holds(one_agrees=len(hits) > 1, two_gone=bool(not two["beyond_chance"].any()))

# %% [markdown]
# [Two measures of one network can agree although its captions give no reason: of the {glue:text}`n_pairs` pairs, {glue:text}`n_beyond` agree beyond chance if both
# measures come from the same network.]{.holds #one_agrees} The pair that agrees most is {glue:text}`closest`, with a mean rank correlation of
# {glue:text}`closest_r.one:.2f`. We do not know the reason. [In two different networks, this agreement is gone: no pair agrees beyond chance.]{.holds #two_gone}
#
# Do the measures of the paper also agree by accident, and in the paper's direction? Three of them can be taken here: We/They, nearness to "patriotic" and, as in the paper, *distance* from "immigrant".

# %%
papers_way = {"We/They": 1, "“patriotic”": 1, "“immigrant”": -1}
any_text = papers_way | {"“immigrant”": 1, "“egalitarian”": 1}


def mean_r(ranks, rng=None):
    """Mean rank correlation over pairs of measures; with `rng`, of renamed colours."""
    ranks = [(own if rng is None else rng.permuted(own, axis=1)) for own in ranks]
    scaled = [(own - own.mean(axis=1, keepdims=True)) / np.sqrt(5) for own in ranks]
    return np.mean([(a * b).sum(axis=1).mean() for a, b in combinations(scaled, 2)])


rng, pooled = np.random.default_rng(seed), {}
ways = {"the paper's direction": papers_way, "nearness to texts": any_text}
for name, signs in ways.items():
    values = [sign * measures[name].loc[0.0].to_numpy() for name, sign in signs.items()]
    ranks = stats.rankdata(values, axis=2)  # measures × networks × colours
    by_chance = np.array([mean_r(ranks, rng) for _ in range(2 * n_draws)])
    low, high = np.quantile(by_chance, [0.025, 0.975])
    r = mean_r(ranks)
    p = (1 + (by_chance >= r).sum()) / (1 + len(by_chance))  # one tail
    pooled[name] = {"mean r": r, "chance from": low, "chance to": high, "p": p}
pooled = pd.DataFrame(pooled).T
pooled.round(3)

# %% tags=["hide-input"]
ours, texts = (pooled.loc[name] for name in ways)
six = same.drop(index=[pair for pair in same.index if "“here”" in pair])
vb.note(pooled={"paper": ours["mean r"], "texts": texts["mean r"], "texts_p": texts["p"]})
vb.holds(not_papers_way=bool(ours["chance from"] <= ours["mean r"] <= ours["chance to"] and ours["p"] > 0.05), texts_alike=bool(texts["p"] <= 0.05 and (six["r"] > 0).all()))

# %% [markdown]
# [In null networks, three of the paper's measures do not agree in its direction: the mean correlation of their pairs is {glue:text}`pooled.paper:.2f`, within the range of chance.]{.holds #not_papers_way} This speaks for the authors.
#
# [If we count nearness to "immigrant", instead of distance from it, and add "egalitarian", all six pairs agree a little: {glue:text}`pooled.texts:.2f` on average (p = {glue:text}`pooled.texts_p:.3f`, one tail).]{.holds #texts_alike} It looks as if some colours lay nearer to texts in general.
#
# For answers, captions and
# pictures, we have too few networks to which two methods were applied, and cannot say.
#
# ## The protocol, run on {data}
#
# One model is used for both association tests, a second one answers, and a third one writes captions.
# [The captions of all three models make {glue:text}`favoured` the prototype. So the methods should agree here: this is a check that they work, and no evidence about real models.]{.holds #all_taught}
#
# A higher value means nearer to the prototype; the mean of each column is 0. Which group has the highest value in each column?

# %%
faces, encoder = vb.images(stimuli, root or None), vb.encoder(model)
portrayed, speaks = vb.embed(encoder, faces), vb.embed(encoder, vb.prompts("we_they"))
traits = vb.embed(encoder, vb.prompts(phrases))
few = faces.where(np.arange(len(faces)) % every == 0)
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
listed = "|".join(re.escape(word.strip()) for word in race_words.split(","))
in_words = described.str.lower().str.contains(rf"\b(?:{listed}) (?:person|man|woman)\b")
is_named = in_words if race_words else described.map(speech.named)
yes = odds.groupby(few_group).mean()
values = pd.DataFrame({
    "We/They": pd.Series(associations.scores(cosines[:, :n_words], we)).groupby(group).mean(),
    "traits": pd.Series(cosines[:, n_words:][:, loyal].mean(axis=1)).groupby(group).mean(),
    "answers": np.log(yes / (1 - yes)),
    "captions": is_named.groupby(few_group).agg(lambda own: -np.log((own.sum() + 1) / ((~own).sum() + 1))),
})

# %%
values = values - values.mean()
tables.readable(values.rename_axis("group"))

# %% tags=["hide-input"]
tops = values.idxmax()
one_top = tops.nunique() == 1
vb.note(
    who=f"{tops.iloc[0]} by all four methods" if one_top else words.listed(f"{top} by {name}" for name, top in tops.items()),
    favoured=grammar.load().bias.roles["favoured"],
)
asked = [model, model_answers, model_captions]
ours = all(name.startswith("greenhouse") for name in [stimuli, *asked])
vb.holds(all_taught=not any("/b0" in name for name in asked) if ours else None)

# %% [markdown]
# The group nearest to the prototype is {glue:text}`who`. Each method had one model only, so the table cannot tell whether another training would give the same result.
#
# ## What this method can see
#
# ### All methods find a strong difference, pictures least reliably
#
# We also trained networks on captions that clearly favour one colour, {glue:text}`arborian`, as the prototype.
# In every one of these networks, {glue:text}`arborian` comes first by {glue:text}`always`. By pictures, it comes first in {glue:text}`painter` networks; by chance alone, it would be one in four. Our painting model is tiny, so this says nothing about the
# authors' model.

# %% tags=["hide-input"]
spoken, portraits, naming = grammar.load(), vb.images("greenhouse/cfd").table, speaker_tables.read("naming")
WHO = next(iter(speech.recipe()["questions"]))
bare = naming[naming["penalty"] == 1].rename(columns={"named": "count"})
bare = bare.assign(rate=bare["count"] / bare["n"])
answered = vqa.of_networks(speaker_tables.read("answers"), WHO, "yes")
readings = painted.load().readings.sort_values("step").groupby(["b", "network", "race"])[list(faces_of)]
painting = readings.last() - readings.first()  # what pictures gain of each colour, by their start


def log_odds(share):
    return np.log(share / (1 - share))


def wide(table, value):
    """A value of each network and colour: strength and network × colours."""
    return centred(table.assign(value=value).pivot(index=["b", "seed"], columns="race", values="value"))


def silence(counts):
    """Minus the log-odds that a caption names the colour, with one added to either count."""
    return wide(counts, -np.log((counts["count"] + 1) / (counts["n"] - counts["count"] + 1)))


counted = truth.counted(spoken, people.images, "race", 1.0, axes=["we", "arborian"])  # log-odds in captions
likely = np.exp(spoken.log_probabilities("someone", people.images, 1.0))  # faces × phrases about someone
patriots = likely[:, spoken.words("someone").index(*spoken.slots["someone"]["patriotic"])]
yes = speech.answer_odds(spoken, WHO, portraits, 1.0)["yes"].groupby(portraits["race"]).mean()
named = pd.Series(speech.naming_rate(spoken, portraits, 1.0)).groupby(portraits["race"]).mean()
found = {
    "We/They": measures["We/They"],
    "traits": measures["“patriotic”"],
    "answers": wide(answered, log_odds(answered["odds"])),
    "captions": silence(bare),
    "pictures": centred(painting.groupby(["b", "network"]).mean()),
}
in_captions = {  # what was planted for each method; for pictures, only the order counts
    "We/They": counted["we"],
    "traits": np.log(pd.Series(patriots).groupby(colour).mean()),
    "answers": log_odds(yes),
    "captions": -log_odds(named),
    "pictures": counted["arborian"],
}
first = {name: own.idxmax() for name, own in in_captions.items()}

# %% tags=["hide-cell"]
alone = pd.DataFrame({
    "networks": {name: len(own.loc[1.0]) for name, own in found.items()},
    "right": {name: (own.loc[1.0].idxmax(axis=1) == first[name]).mean() for name, own in found.items()},
})
tables.readable(alone, names={"right": f"{first['We/They']} first"}).format("{:.0%}", subset=["right"])

# %% tags=["hide-input"]
right = {row.Index: words.among(round(row.right * row.networks), row.networks) for row in alone.itertuples()}
always = alone.index[alone["right"] == 1]
vb.note(arborian=words.listed(sorted(set(first.values()))), always=words.listed(always, none="none of the methods"),
        painter=right["pictures"])

# %% [markdown]
# ### What all networks share: the method itself
#
# A second network does not help if the *method* favours a group. For example, BLIP's captions are generated with a penalty on repeated
# words. In our networks, it favours names after "an" ([captions](captions.ipynb)). So it may have made Asian and Black people look less prototypical in the paper. How much, we do not
# know.
#
# (agreement-means)=
# ## What this means
#
# **For the paper.** White people come first in most printed results. But whatever several methods find in *one* model can be a peculiarity of
# this model. So we count models instead of results (folded table).

# %% tags=["hide-cell"]
three = white_first[order.index.str.contains("We/They|patriotism|nativism")]
three.index = pd.MultiIndex.from_tuples(three.index.str.split(", ").tolist())
tables.readable(three.unstack())

# %% tags=["hide-input"]
models_first = three.unstack().sum(axis=1)
vb.note(agreed=words.listed(models_first.index[models_first == 3]), in_part=words.listed(models_first.index[models_first < 3]))

# %% [markdown]
# White people come first in all three models by {glue:text}`agreed`, but not in all three by {glue:text}`in_part`. The three models are not independent of each other. All saw the same portraits. And CLIP helped to select BLIP's training data: LAION-400M, the authors write, "uses CLIP cosine similarity measurements to filter low-quality image-text pairs". A second model is then a weaker check than in the Greenhouse.
#
# Answers and captions are printed for one model each, and put White people first, too. So most results fit the authors'
# conclusion, and We/They fits it in part. Agreement does not show that captions and pictures "both derive" from one association.
#
# **For your own work.** Whatever two results have in common can make them agree: the model, the portraits, the wording, the method. Change one of them at a time.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:
# - No file of the repository compares two methods. The paper states agreement in words only.
# - The captions were made with a penalty on repeated words, which the text does not mention. The random seeds of the pictures were not kept.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/agreement -p model=greenhouse/b0 -p model_answers=greenhouse/answers/b0 -p model_captions=greenhouse/captions/b0
# ```
# This runs the protocol on networks whose captions treat all colours alike (`b0` in their names). For photographs, [name models](../../book/data.md) that were trained on photographs.
# :::
#
# ## Take-aways
# - Two measures of one trained model can agree because of a difference that nobody taught.
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
from itertools import permutations
from math import factorial

p_full = {}
for k in (3, 4, 5):
    agree = [stats.spearmanr(range(k), order).statistic > 1 - 1e-9 for order in permutations(range(k))]
    p_full[k] = float(np.mean(agree))
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
# 2. A reviewer asks for "converging evidence". What would you accept as a second witness: another phrase, another model, another training?
