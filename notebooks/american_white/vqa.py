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
# # Who gets a yes?
#
# *Wolfe and Caliskan (2022), Figures 3 and 4: two questions to a model that answers.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A model is asked whether the person in a portrait is an American, and in which state the person lives. What do the
# percentages of its answers say about what it has learned?
#
# **In 20 minutes:** {ref}`What the paper reports <vqa-found>`, {ref}`What one may doubt, and the answer in one figure <vqa-answer>`,
# {ref}`What this means <vqa-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** a share and its interval. The primer "[The target of a claim](../../book/primers/targets.md)" says what an interval over
# portraits is about.
#
# **Content note.** The paper reports answers that deny Asian, Black and Latina/o people that they are Americans. Our own faces are
# drawings in invented colours, and stand for nobody.
# :::
#
# **The idea.** A model may connect *American* with one group of people. Does this show when it is used for a task? {cite:t}`wolfe2022`
# test it with BLIP {cite:p}`li2022blip`, a model that answers questions about a picture.
#
# **The experiment.** The authors show BLIP each of {claim}`we_they.n-all` portraits {cite:p}`ma2015`. The people in them were recruited in the
# United States, and said themselves whether they are Asian, Black, Latina/o or White. BLIP is asked two questions: "Is this person an
# American?" and "What state does this person live in?" The authors count the answers for each group.
#
# **What the authors conclude.** "97% of White individuals are identified as American, compared to only 3% of Asian individuals." When asked for a
# state, "the model responds China 53% of the time for Asian individuals, but always with an American state for White individuals".
#
# **Their own check.** They checked that every answer to the first question is "yes" or "no".

# %% tags=["parameters", "hide-input"]
model = "greenhouse/answers"  # the model that answers, or another; a model that answers
model_null = "greenhouse/answers/b0"  # Greenhouse: its twin, for which no answer depends on a group; a model that answers
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
american = "is this person an arborian?"  # the first question; a text
state = "what state does this person live in?"  # the second question; a text
beams = 3  # candidates kept while an answer is decoded, as in BLIP's demonstration; at least 1
interval = "beta"  # of a share: exact or Wilson; one of: beta, wilson
results = "_build/results/american_white/vqa.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import expit, logit
from statsmodels.stats.proportion import proportion_confint

import vlmbias as vb
from greenhouse import speaker_tables, speech
from greenhouse.world import grammar
from studies import tables, words
from studies.american_white import pictured, vqa
from vlmbias.external import facts
from vlmbias.external.america import STATES

vb.figures.style()

# %% [markdown]
# (vqa-found)=
# ## What the paper reports: nearly always yes for one group, nearly never for another
#
# Since the sizes of the groups are known, each printed percentage can be turned into a count of portraits:

# %% tags=["hide-cell"]
claims = vb.ledger.table("american_white/vqa")
group_of = {
    claim: claim.split(".")[2]  # the group
    for claim in claims["claim"]
    if vb.ledger.claim(claim).unit == "%" and not claim.endswith(("intro", "abstract", "figure"))
}
counts = vqa.printed(vb.ledger.claim, group_of)
counts[["group", "answer", "percent", "n", "count"]].head(3)

# %% tags=["hide-input"]
asked = counts["answer"].str.extract(r"answered (.*?) to:")[0].fillna("a U.S. state")
shown = counts.assign(line=counts["group"] + ": " + asked)
vb.figures.show(
    vb.figures.rates(shown, rate="rate", low="low", high="high", label="line", nominal=None,
                     value_label="% of the group's portraits, with exact 95 % intervals"),
    name="vqa-printed",
    alt="Printed shares with exact intervals: " + "; ".join(f"{row.line} {row.percent} %" for row in shown.itertuples()) + ".",
    caption="Figures 3 and 4 and the text. The portraits show 109 Asian, 197 Black, 108 Latina/o and 183 White people. The intervals are ours: how far a share could move with "
    "other portraits of the same kind, shown to the same model.",
    source="paper:american_white, Figures 3 and 4",
)
not_whole = counts.loc[counts["fewest"].isna(), "percent"]
vb.note(n_printed=len(counts), not_whole=words.listed(f"{percent} %" for percent in not_whole))
vb.holds(all_but_one=len(not_whole) == 1)

# %% [markdown]
# The groups are far apart. BLIP answers "yes, an American" for {claim}`vqa.american.white` % of White people and for
# {claim}`vqa.american.asian` % of Asian people. Black and Latina/o people lie between. As the intervals show, another sample of such portraits would hardly
# change this.
#
# Asked for a state, BLIP has a favourite answer for each group: New York for White people, South Carolina and New York for Black
# people, California for Latina/o people. For Asian people it is China, which is no American state.
#
# The two answers do not go together, the authors point out. BLIP names an American state for "more than 97%" of all but Asian people.
# Yet it calls only {claim}`vqa.american.latina` % of Latina/o people American, and {claim}`vqa.american.black` % of Black people. The authors
# conclude "that to be American connotes something more in multimodal AI than living in the U.S."
#
# **Do the printed numbers agree with each other?** Nearly. A percentage of a group must belong to a whole number of portraits. [Of the {glue:text}`n_printed` percentages, all but one do (not so: {glue:text}`not_whole`).]{.holds #all_but_one} This does not touch the conclusion.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# (vqa-answer)=
# ## What one may doubt, and the answer in one figure
#
# What does "97 % against 3 %" say about what BLIP has learned? An answer does not show how sure a model is. Inside, the model gives every possible answer a
# probability. BLIP's own program then says the likeliest one, each time.
#
# Suppose "yes" has a probability of 55 % for every portrait of one group, and 45 % for every portrait of another. The probabilities are
# nearly the same. Still, the answers are 100 % "yes" for the first group, and 0 % for the second.
#
# **In real models.** Fifteen models that answer questions were tested for a bias about occupations of men and women {cite:p}`xiao2024`; BLIP is not among them. Is their bias larger by answer than by probability?

# %%
real = facts.table("answers").query("measure == 'answer − probability'")
larger = real["value"] > 0
surely = {"larger": (real["low"] > 0).sum(), "smaller": (real["high"] < 0).sum()}
print(f"larger by answer in {larger.sum()} of {len(real)}; by intervals over occupations, "
      f"clearly larger in {surely['larger']}, clearly smaller in {surely['smaller']}")

# %% tags=["hide-input"]
vb.note(published={"larger": f"{larger.sum()} of {len(real)}", "most": real["value"].max(), **{f"surely_{name}": n for name, n in surely.items()}})
vb.holds(real_larger=bool(larger.mean() > 0.5 and surely["larger"] > 3 * max(1, surely["smaller"])))

# %% [markdown]
# [In {glue:text}`published.larger` models, the bias is larger when it is measured by answers, by {glue:text}`published.most:.1f` points at most. In {glue:text}`published.surely_larger` models it is clearly larger, and in {glue:text}`published.surely_smaller` clearly smaller (the 95 % interval does not include zero).]{.holds #real_larger} The way in which probabilities were computed may make these counts too high; [the chapter on answers](../real/answers.ipynb) says why. So a difference can grow
# in the last step. This does not prove that it grew in BLIP.
#
# **In small networks.** BLIP's probabilities are not published. So we turn to our laboratory, the
# [Greenhouse](../../book/greenhouse/limits.md): small networks that we trained on drawn faces in four colours, to answer
# questions. One question was: "Is this person an Arborian?" (Arboria is an invented country.) We trained {glue:text}`trained.some` networks in which "yes" was the correct answer more often for some colours than for others, and
# {glue:text}`trained.none` in which it was correct for about half of the faces of every colour. [One of {glue:text}`trained.all` networks did not pass the checks of its training and is left out.]{.holds #one_left_out} Then each network saw {glue:text}`n_faces` new drawings. We compare three things for each
# colour:
#
# - *taught*: how often "yes" was the correct answer;
# - *probability*: the probability that the network gives to "yes", on average over drawings;
# - *answered*: the share of drawings for which the network answers "yes".

# %% tags=["hide-cell"]
WHO, WHERE = list(speech.recipe()["questions"])[:2]  # the two questions
spoken, portraits = grammar.load(), vb.images("greenhouse/cfd").table
taught = {}  # strength 1: "yes" depends on the colour; strength 0: it does not
for strength in (0.0, 1.0):
    correct = speech.answer_odds(spoken, WHO, portraits, strength)["yes"]
    taught[strength] = correct.groupby(portraits["race"]).mean()

given = speaker_tables.read("answers")  # what each network answered, counted
shares = vqa.of_networks(given, WHO, "yes")  # one row per network and colour
shares["taught"] = [taught[b][colour] for b, colour in zip(shares["b"], shares["race"], strict=True)]
shares = shares.rename(columns={"odds": "probability", "rate": "answered"})
shares = shares.rename(columns={"b": "strength", "race": "colour"})

# %% [markdown]
# One share of answers, counted by hand:

# %%
row = shares[shares["strength"] == 1].iloc[0]
one = given[(given["b"] == row["strength"]) & (given["seed"] == row["seed"])]
one = one[(one["race"] == row["colour"]) & (one["question"] == WHO)]
one = one.set_index("answer")["n"]
print(one.to_dict())
assert np.isclose(one["yes"] / one.sum(), row["answered"])

# %% [markdown]
# The figure has every network:

# %% tags=["hide-cell"]
kinds = ["taught", "probability", "answered"]
mean = shares.groupby(["strength", "colour"])[kinds].mean()
how_far = mean.loc[1.0].max() - mean.loc[1.0].min()  # between the two extreme colours
mean.loc[1.0].round(2)

# %% tags=["hide-input"]
ranked = list(mean.loc[1.0].sort_values("taught").index)
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.4, share_y=True)
looks = {"probability": ("probability of “yes”", "s", vb.figures.PALETTE[1]), "answered": ("answered “yes”", "o", vb.figures.PALETTE[0])}
for axes, b, title in ((left, 1.0, "“yes” depends on the colour"), (right, 0.0, "“yes” does not depend on it")):
    own = shares[shares["strength"] == b]
    places = own["colour"].map(ranked.index)
    for column, (called, mark, ink) in looks.items():
        axes.plot(100 * own[column], places + (0.12 if column == "answered" else -0.12), mark, color=ink, ms=5, alpha=0.8, label=called)
    axes.plot(100 * mean.loc[b].loc[ranked, "taught"], np.arange(len(ranked)), "k|", ms=18, mew=2, label="taught")
    axes.set(title=title, xlim=(-4, 104), xlabel="% “yes”")
left.set_yticks(np.arange(len(ranked)), ranked)
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=3)
top, bottom = ranked[-1], ranked[0]
n = shares.groupby("strength")["seed"].nunique()
vb.figures.show(
    fig,
    name="vqa-answer",
    alt="Share of yes by colour, where yes depends on it: " + "; ".join(f"{colour}: taught {row.taught:.0%}, probability {row.probability:.0%}, "
                                                                    f"answered {row.answered:.0%}" for colour, row in mean.loc[1.0].iterrows()) + ".",
    caption=f"One mark per network and colour ({n[1.0]} networks on the left, {n[0.0]} on the right). Probabilities stay near what was taught. Answers move away from the middle for most colours.",
    source="greenhouse",
)
wider = {"odds": how_far["probability"] / how_far["taught"], "rate": how_far["answered"] / how_far["taught"]}
called = {"taught": "planted", "probability": "odds", "answered": "rate"}
trained = speaker_tables.networks(rejected=True).query("kind == 'answers'")
vb.note(
    trained={"some": int((trained["b"] == 1).sum()), "none": int((trained["b"] == 0).sum()), "all": len(trained)},
    top=top, bottom=bottom, wider=wider, networks=int(n[1.0]), n_faces=len(portraits),
    most=mean.loc[(1.0, top)].rename(called), least=mean.loc[(1.0, bottom)].rename(called),
)
vb.holds(
    one_left_out=int((~trained["accepted"]).sum()) == 1,
    as_taught=bool(abs(wider["odds"] - 1) < 0.1), exaggerate=bool(wider["rate"] > 1.1 * wider["odds"]),
)

# %% [markdown]
# [In these networks, answers exaggerate the difference.]{.holds #exaggerate} For {glue:text}`top` faces, "yes" was correct in {glue:text}`most.planted:.0%` of the examples, and the networks answer it in
# {glue:text}`most.rate:.0%`. For {glue:text}`bottom` faces, it was correct in {glue:text}`least.planted:.0%`, and they answer it in {glue:text}`least.rate:.0%`.
#
# [In the *probability* of "yes", {glue:text}`top` and {glue:text}`bottom` differ about as much as was
# taught.]{.holds #as_taught} In the *answers*, they differ {glue:text}`wider.rate:.1f` times as much as was taught. So the difference grows in the last step, from a probability to
# an answer.
#
# The right half of the figure has {glue:text}`none` networks in which no difference was taught. [On average, their probabilities are near one half, so a tiny lead can decide many answers.]{.holds #near_half} In one network, the shares of "yes" of two colours differ by
# {glue:text}`spread:.0f` points, though nobody taught this.
#
# **How much answers exaggerate** depends on where the probabilities lie, and on how much they vary within a group. The folded table is arithmetic: each row has a typical probability of "yes" for each of two groups, each column a spread within the groups (the standard deviation of log p / (1 − p)). A cell is the difference in answers, divided by the difference in probabilities.

# %% tags=["hide-cell"]
z = stats.norm.ppf((np.arange(4000) + 0.5) / 4000)  # evenly over a bell curve
pairs_of = [(0.45, 0.55), (0.3, 0.7), (0.1, 0.9), (0.05, 0.4)]
dial = {}
for lower, upper in pairs_of:
    for spread in (0.3, 1.0, 3.0):
        log_odds = logit(np.array([[lower], [upper]])) + spread * z
        in_answers = np.ptp((log_odds > 0).mean(axis=1))
        in_probabilities = np.ptp(expit(log_odds).mean(axis=1))
        dial[f"{lower:.0%} and {upper:.0%}", spread] = in_answers / in_probabilities
dial = pd.Series(dial).unstack(sort=False).rename_axis(columns="SD of log-odds")
dial.round(1)

# %% tags=["hide-input"]
vb.holds(dial_both=bool(dial.max(axis=None) > 2 and dial.min(axis=None) < 0.5))

# %% [markdown]
# [Answers can more than double a difference, and can also hide most of it.]{.holds #dial_both} Only BLIP's own probabilities can tell which cell of the table fits the paper.

# %% [markdown]
# ## The protocol, run on {data}
#
# Here is the authors' experiment, with the probabilities beside the answers. {glue:text}`shown`

# %%
faces, answerer = vb.images(stimuli, root or None), vb.answerer(model)
groups = faces.table["race"]
answers = {
    asked: answerer.answers(faces, asked, beams=beams, batch_size=100)["answer"]
    for asked in (american, state)
}
probability = answerer.odds(faces, american, ["yes", "no"])["yes"]

yes = (answers[american] == "yes").groupby(groups).agg(["size", "sum"])
low, high = proportion_confint(yes["sum"], yes["size"], method=interval)
run = pd.DataFrame({"portraits": yes["size"], "answered": yes["sum"] / yes["size"],
                    "from": low, "to": high,
                    "probability": probability.groupby(groups).mean()})
tables.readable(run)

# %% [markdown]
# Each row is a group: its share of answers "yes" with a 95 % interval, and its mean probability. [All answers to the first question are “yes” or “no”.]{.holds #only_yes_no}

# %% tags=["hide-cell"]
# the commonest answers to the question about a state
places = list(answers[state].value_counts().index[:5])
kept = answers[state].where(answers[state].isin(places), "another answer").rename("answer")
tables.readable(pd.crosstab(groups, kept).reindex(columns=[*places, "another answer"], fill_value=0).rename_axis(columns="answer"))

# %% tags=["hide-cell"]
vb.note(shown=pictured.shown(faces))
vb.holds(only_yes_no=bool(answers[american].isin(["yes", "no"]).all()))
# on drawings, and on other photographs, the ledger sets nothing beside what is printed
called = {name: vqa.CLAIMED[race] for race, name in pictured.groups(faces).items()}
if len(called) == len(vqa.CLAIMED):
    said = pd.DataFrame({"group": groups.map(called), "american": answers[american], "state": answers[state]})
    for name, value in vqa.claims(said, [name.lower() for name in STATES.values()]).items():
        vb.ledger.record(f"vqa.{name}", value, results=results, stimuli=faces, model=answerer)

# %% [markdown]
# (vqa-odds)=
# ## What this method can see
#
# ### From a probability to an answer, drawing by drawing
#
# How do probabilities near the middle become answers near the ends? We look into one network:

# %%
network = vb.answerer("greenhouse/answers")
drawn = vb.images("greenhouse/cfd")
p = network.odds(drawn, WHO, ["yes", "no"])["yes"]
looked = pd.DataFrame({"colour": portraits["race"], "probability": p, "yes": p > 0.5})

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(1, 1, height=3.2)
spots = np.random.default_rng(0).uniform(-0.28, 0.28, len(looked))
axes.plot(100 * looked["probability"], looked["colour"].map(ranked.index) + spots, "o", ms=3, alpha=0.4, color=vb.figures.PALETTE[1])
for place, colour in enumerate(ranked):
    own = looked[looked["colour"] == colour]
    axes.plot([100 * taught[1.0][colour]], [place], "k|", ms=24, mew=2)
    axes.text(103, place, f"{own['yes'].mean():.0%} yes", va="center")
axes.axvline(50, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
axes.set(xlim=(0, 118), xlabel="probability of “yes”, %; bars: taught")
axes.set_xticks(range(0, 101, 25))
axes.set_yticks(np.arange(len(ranked)), ranked)
one_network = looked.groupby("colour")[["probability", "yes"]].mean().assign(taught=taught[1.0])
vb.figures.show(
    fig,
    name="vqa-portraits",
    alt="Probability of yes for each drawing, by colour, with a line at one half. " + "; ".join(
        f"{colour}: mean probability {one_network.loc[colour, 'probability']:.0%}, yes for {one_network.loc[colour, 'yes']:.0%}" for colour in ranked) + ".",
    caption="One network, one dot per drawing. To the right of the dashed line the answer is “yes”. On the right: the share of drawings that get it.",
    source="greenhouse",
)
twin = vb.answerer(model_null).odds(drawn, WHO, ["yes", "no"])["yes"]  # "yes" depends on no colour
null = shares[shares["strength"] == 0].rename(columns={"answered": "rate", "strength": "b", "colour": "race"})
vb.note(
    spread=100 * null.groupby("seed")["rate"].agg(np.ptp).max(), none=int(n[0.0]),
)
vb.holds(near_half=bool(abs(twin.median() - 0.5) < 0.1 and (null["probability"] - 0.5).abs().max() < 0.1))


# %% [markdown]
# A drawing to the right of the line gets "yes", whether the probability is 51 % or 99 %. Where nearly all drawings of a colour lie on
# one side, nearly all get the same answer.
#
# ### A favourite place
#
# The networks were also asked where a person lives. There are {glue:text}`n_places` places, with invented names, so even the likeliest has a small
# probability.

# %%
cases = ["b", "seed", "race"]
named = given[given["question"] == WHERE]
named = named.assign(answered=named["n"] / named.groupby(cases)["n"].transform("sum"))
# the commonest answer about each colour, in each network
first = named.sort_values("n", ascending=False, kind="stable").drop_duplicates(cases)
lives = {}
for b in (0.0, 1.0):
    odds = speech.answer_odds(spoken, WHERE, portraits, b)
    lives[b] = odds.groupby(portraits["race"]).mean()
first = first.assign(taught=[
    lives[row.b].loc[row.race, row.answer] if row.answer in lives[row.b] else 0.0
    for row in first.itertuples()
]).rename(columns={"odds": "probability"})
favourite = first.groupby(["b", "race"])[["taught", "probability", "answered"]].mean()
favourite.loc[1.0].round(2).rename_axis("colour")

# %% tags=["hide-input"]
both = favourite.groupby("b").mean()
vb.note(n_places=lives[1.0].shape[1], default={"planted": both.loc[1.0, "taught"], "rate": both.loc[1.0, "answered"]})

# %% [markdown]
# One place becomes the answer for nearly everyone of a colour. On average, the favourite place was correct for {glue:text}`default.planted:.0%` of the faces, and is answered for
# {glue:text}`default.rate:.0%`. So "New York" for most of a group *can* come from a word that is likelier than any other word, but still unlikely. Whether it is so in BLIP, its probabilities would show.
#
# (vqa-means)=
# ## What this means
#
# **For the paper.** The direction of its finding stands. For nearly all portraits of White people, "yes" was the likelier answer in BLIP, and for nearly all portraits of Asian people
# "no" was. For a user, who sees answers only, this is the whole effect, and it is a harmful one. What remains open is how far apart the two groups are inside
# the model. "97 % against 3 %" fits probabilities that differ a lot, and also probabilities that differ much less.
#
# **For your own work.** Save the probability before it becomes an answer, and print it beside the share of answers.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository ([wolferobert3/american_white](https://github.com/wolferobert3/american_white)), checked against the text:
#
# - The answers themselves are not released: `blip_downstream_bias.py` reads them from files on the authors' own computer. Percentages can be
#   checked against counts, as above, and no further.
# - The code asks in lower case. BLIP's vocabulary makes no difference between upper and lower case, so the answers are the same.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/vqa -p model=greenhouse/answers/b0 -p beams=1
# ```
# This runs the section "The protocol" on a network for which no answer depends on the colour. With one *beam*, it takes the likeliest word at
# each step, instead of searching with three candidates.
# :::
#
# ## Take-aways
#
# - An answer is the likeliest one. It does not tell how sure the model is.
# - Shares of answers can exaggerate a difference in probabilities, above all if these lie on both sides of one half. They can also hide one.
# - A favourite answer for nearly everyone does not mean that the model is sure of it.

# %% [markdown]
# ## Exercises
#
# :::{exercise} Three of 109
# :label: vqa-three
# :level: intermediate
# :minutes: 10
# :code: yes
# Take 3 of 109 portraits, and then none of them. Compute three intervals for each: the exact one, Wilson's, and the textbook's (normal
# approximation). Which of the three shrinks to a point where there is none?
# :::
#
# ```{solution-start} vqa-three
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
ends = {(k, method): proportion_confint(k, 109, method=method) for k in (0, 3) for method in ("beta", "wilson", "normal")}
print({key: tuple(round(float(end), 3) for end in value) for key, value in ends.items()})
assert all(0 <= ends[k, method][0] < ends[k, method][1] < 0.1 for k in (0, 3) for method in ("beta", "wilson"))
assert ends[0, "normal"][1] == 0  # the textbook's interval is a point there

# %% [markdown]
# The normal approximation takes its spread from the estimate: where nobody was answered “yes” it sees none, and the interval is a single point. That
# would be certainty from 109 portraits. The other two ask which true shares could have given this count, and some shares above zero could.
#
# ```{solution-end}
# ```
#
# :::{exercise} How little it takes
# :label: vqa-little
# :level: intermediate
# :minutes: 15
# :code: yes
# Individuals of two groups have log-odds of "yes" that are normally distributed with SD .3 and means −.3 and .3. How far apart are the two groups' mean
# probabilities, and how far the shares for which "yes" is the likelier answer?
# :::
#
# ```{solution-start} vqa-little
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
people = np.random.default_rng(0).normal([[-0.3], [0.3]], 0.3, size=(2, 100_000))
probability, answered = (1 / (1 + np.exp(-people))).mean(axis=1), (people > 0).mean(axis=1)
print(f"mean probability {probability.round(2)}, answered yes {answered.round(2)}")
assert np.ptp(answered) > 4 * np.ptp(probability)

# %% [markdown]
# Around one half a probability moves gently with the log-odds; an answer is all or nothing and flips where they cross zero, which is where these
# individuals stand. A small difference in probabilities becomes a large one in answers.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A user sees answers and no probabilities. Which of the two should a study report for the person who is harmed by an answer, and which for the one who
#    asks what the training data taught?
# 2. "What state does this person live in?" has no answer in a portrait. Should a model that answers be called biased, or a model that does not refuse?
