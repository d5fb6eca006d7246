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
# # Measure your own model
#
# *Twelve rules for asking whether a model treats groups of people differently, each with its reason, a few lines of code, and the mistake that it prevents*
#
# Does a model that connects pictures with texts see two groups of people differently? This page is a template for such a study. Each rule comes from a chapter of this book. {glue:text}`here` The last rule uses small networks from our laboratory, [the Greenhouse](../../book/greenhouse/limits.md). With one command the code runs on your pictures and your model. `vb` is the package of this book.
#
# ## What may you claim?
#
# That depends on what you have. It decides what counts as one observation, so settle it before you measure.
#
# (measure-claims)=
#
# | you have | you may claim, at best | one observation is | rules |
# |---|---|---|---|
# | **one model** that you downloaded | *This model* treats the groups differently, also with other pictures of this kind. | a person in the pictures | 1–10 |
# | **several models** that others published | *This number of these models* do. They differ in many things at once, so you can only guess at the reason. | a model | 1–11 |
# | **the means to train** a model several times | *Training in this way* leads to the difference. | a training run | 1–10, 12 |
#
# One model is enough for useful work: a model that many people use deserves to be tested. But "models learn this bias from the web" is a claim about training (third row).
#
# :::{dropdown} How to run this page on your own pictures and model
# ```bash
# .venv/bin/vlmbias run greenhouse/measure -p stimuli=folder -p root=where/they/are -p model=ViT-B-32-quickgelu/openai
# ```
# With `--seeds 0` it is quicker.
#
# [](../../book/rerun.md) says what the folder has to look like. Of each picture you need to know whom it shows (`seed`) and the group (`race`, which may be any grouping that you like). Both groups may show the same people, or each may show others. Of more than two groups, `-p group=NAME -p other_group=NAME` says which two. Rule 12 still shows networks of ours.
# :::

# %% tags=["parameters"]
model = "greenhouse"  # the model that you want to know something about; a model
stimuli = "greenhouse/causalface"  # pictures with columns seed (whom they show) and race (the group); an image set
root = ""  # folder of the pictures, where a set has one; empty or a folder
group = ""  # the first of the two groups; without one, the first in the table of the pictures; empty or a group
other_group = ""  # the second; without one, the next in that table; empty or a group
other_model = "greenhouse/b0"  # a second model, for the rule about several models; a model
trait = "warmth"  # what is measured; one of: warmth, competence, positive_agency, negative_agency, progressive_belief, conservative_belief, positive_communion, negative_communion
n_draws = 10_000  # random changes of labels; at least 40
seed = 0  # of these; at least 0
results = "_build/results/greenhouse/measure.json"  # no claims here

# %% tags=["hide-input"]
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import expit

import vlmbias as vb
from greenhouse import retrained
from studies import roles, tables, words
from vlmbias.inference import holm
from vlmbias.stimuli.own_folder import two_groups


# %% [markdown]
# ## Before you measure
#
# ### Rule 1. Write down the claim before you look
#
# Write which model, which two groups, which trait, which direction (or that either would count), what counts as one observation, and how large a difference would matter. A difference that you named beforehand is evidence; one that you found by searching many is a hint for the next study
# ([why](../causalface/age.ipynb)). A *trait* is what a set of words stands for, such as warmth.

# %%
faces = vb.images(stimuli, root or None)
first, second = two_groups(faces.table, group, other_group)
claim = {
    "model": model,
    "groups": (first, second),
    "trait": trait,
    "direction": "either",
    "one observation": "a person",
}

# %% [markdown]
# **It prevents:** reporting the one comparison of many that came out, as if it had been the question.
#
# ### Rule 2. Use the model as its makers published it
#
# Load it in evaluation mode, with its own preparation of pictures and its own activation function. In training mode, the result for a picture can change with the other pictures that the model is given at the same time ([how much](../pretraining/train_mode.ipynb)). `vb.encoder` takes care of this, and keeps a checksum of
# the weights for your report.

# %%
encoder = vb.encoder(model)
seen = vb.perceive(faces, encoder)

# %% [markdown]
# **It prevents:** results of a model that nobody else has.
#
# ### Rule 3. Compare pictures that differ in one thing
#
# Photographs of two groups usually differ in much more than the group: age, smile, light, clothes. Best are pictures of the *same* person in which only the group is changed. If you have photographs that somebody found, adjust or match for the other differences that you know, and say that there may be some that you do not know ([what adjusting can and cannot do](confounds.ipynb)).
#
# Each picture gets a score. Which fits it better: a sentence with the trait's words, or a neutral one such as "a photo of a person"? The model would choose the first with some probability. The score is this probability on the scale of *log-odds*: 0 stands for 50 %, and 1 for 73 %.
#
# In this table, `seed` says whom a picture shows, and `race` the group:

# %%
table = seen.table[["seed", "race"]].assign(
    score=seen.delta()[trait] * seen.logit_scale
)
table.head(3)

# %% [markdown]
# First we average the pictures of each person. If most people are in both groups, we keep only these people, and compare each person with themselves. Otherwise somebody who is in both counts in each, as if they were two people:

# %%
def of_people(table, one, other):
    """Each person's mean score, in one group and in another."""
    means = table.pivot_table(index="seed", columns="race", values="score")
    either = means[[one, other]].dropna(how="all")
    both = either.dropna()
    if len(both) > len(either) / 2:  # the same people
        return both[one], both[other]
    return means[one].dropna(), means[other].dropna()


of_first, of_second = of_people(table, first, second)
gap = of_first.mean() - of_second.mean()

# %% tags=["hide-input"]
same_people = of_first.index.equals(of_second.index)
n_people = len(of_first.index.union(of_second.index))
entered = [table["race"].eq(name) & table["seed"].isin(own.index) for name, own in ((first, of_first), (second, of_second))]
drawn = faces.source == "greenhouse"  # whatever the network is
hues = table["race"].unique()
pictures = (
    f"faces that we drew, in {({2: 'two', 3: 'three', 4: 'four'}).get(len(hues), len(hues))} colours ({words.listed(hues)})"
    if drawn
    else "pictures from a folder of the reader's own"
    if roles.is_own(faces)
    else f"the pictures of {faces.name}"
)
network = "a small network that we trained" if encoder.source == "greenhouse" else f"the model {model}"
vb.note(
    here=f"Here it runs on {pictures}, and on {network}.",
    first=first,
    second=second,
    gap=abs(gap),
    people=n_people,
    trait=words.listed([trait]),
    side="higher" if gap > 0 else "lower",
)
in_both = len(of_first.index.intersection(of_second.index))
vb.note(in_both=in_both)
vb.holds(
    same_people=same_people or None,
    other_people=not same_people or None,
    nobody_in_both=in_both == 0 or None,
    some_in_both=0 < in_both < n_people or None,
)

# %% [markdown]
# On average over {glue:text}`people` people, the score for {glue:text}`trait` in the group {glue:text}`first` is {glue:text}`gap:.2f` log-odds {glue:text}`side` than in the group {glue:text}`second`. [Both groups show the same people.]{.holds #same_people} [The groups show different people, so the difference between them may have other reasons than the group.]{.holds #nobody_in_both} [The groups share {glue:text}`in_both` of these people, each of whom the tests take for two. The others are in one group only, so the difference may have other reasons than the group.]{.holds #some_in_both}
#
# **It prevents:** calling a difference in smiles a difference between groups.
#
# ## When you test
#
# ### Rule 4. Count people, not pictures
#
# Ten pictures of one person resemble each other, so a test that takes them for independent observations may be too sure of its result. Average the pictures of each person first ([why](../causalface/variation.ipynb)).

# %%
scores_of = {group: rows["score"] for group, rows in table.groupby("race")}
by_pictures = stats.ttest_ind(scores_of[first], scores_of[second], equal_var=False)


def tested(x, y):
    """A t-test over people, in pairs if they are the same."""
    if x.index.equals(y.index):
        return stats.ttest_rel(x, y)
    return stats.ttest_ind(x, y, equal_var=False)


by_people = tested(of_first, of_second)

# %% tags=["hide-input"]
picture_gap = scores_of[first].mean() - scores_of[second].mean()
vb.note(observations=len(scores_of[first]) + len(scores_of[second]))

# %% [markdown]
# The first of these two tests takes {glue:text}`observations:,` pictures for as many observations, the second {glue:text}`people` people. Only the second says how well we know the difference for *other people*.
#
# **It prevents:** p-values that shrink when you take more pictures of the same people.
#
# ### Rule 5. Shuffle the labels to see what chance gives
#
# [If the group made no difference, it would be an accident which of a person's two scores carries which label. So exchange the labels of each person at random, many times.]{.holds #same_people} [If the group made no difference, it would be an accident which person is in which group. So shuffle whole people between the groups at random, many times.]{.holds #other_people} The p-value is the share of shuffles with a difference as large as yours ([more](../../book/primers/permutation.md)).

# %%
def shuffled(x, y):
    """The difference of means, with labels exchanged at random."""
    rng = np.random.default_rng(seed)
    if x.index.equals(y.index):  # of each person
        signs = rng.choice([-1, 1], size=(n_draws, len(x)))
        return (signs * (x - y).to_numpy()).mean(axis=1)
    people = rng.permuted(np.tile(np.r_[x, y], (n_draws, 1)), axis=1)
    ones, others = people[:, : len(x)], people[:, len(x) :]
    return ones.mean(axis=1) - others.mean(axis=1)


def p_of(gap, by_chance):
    """The share of shuffles with a difference as large."""
    return (1 + (np.abs(by_chance) >= abs(gap)).sum()) / (1 + n_draws)


by_chance = shuffled(of_first, of_second)
p_value = p_of(gap, by_chance)

# %% tags=["hide-input"]
vb.note(
    n_draws=n_draws,
    largest=float(np.abs(by_chance).max()),
    p_bound=1 / (1 + n_draws),
    p_value=p_value,
)

# %% [markdown]
# The largest difference of {glue:text}`n_draws:,` shuffles was {glue:text}`largest:.2f` log-odds; the observed one is {glue:text}`gap:.2f`. So p is {glue:text}`p_value:.2g`. (The observed labels count as one more shuffle. So p cannot be smaller than {glue:text}`p_bound:.2g`.)
#
# [**Other people in each group?** Then whole people are shuffled between the groups. As an example, we now show half of the people in the first group, and the rest in the second:]{.holds #same_people}

# %%
if same_people:
    half, rest = of_first[::2], of_second[1::2]
    half_gap, half_by_chance = half.mean() - rest.mean(), shuffled(half, rest)

# %% tags=["hide-input"]
wider = None
if same_people:  # else the p above is already of whole people, and of all of them
    largest_apart = float(np.abs(half_by_chance).max())
    vb.note(
        apart_gap=abs(half_gap),
        apart_p=p_of(half_gap, half_by_chance),
        apart_largest=largest_apart,
    )
    wider = bool(largest_apart > np.abs(by_chance).max())
vb.holds(wider=wider)

# %% [markdown]
# [The difference is {glue:text}`apart_gap:.2f` log-odds, and p = {glue:text}`apart_p:.2g`.]{.holds #same_people} [The largest difference that shuffling gave is {glue:text}`apart_largest:.2f` log-odds, more than before, because people differ also in other things.]{.holds #wider}
#
# **It prevents:** trusting a formula whose conditions nobody has checked.
#
# ### Rule 6. Give every group the same number of pictures
#
# Some measures depend on how large a group is, even if the model treats all alike. A group with twice as many pictures then fills about twice as many places in a search. For such measures, choose equally many pictures of each group at random, a few times ([an example](../causalface/metrics.ipynb)).

# %%
both = table[table["race"].isin([first, second])]
smallest = both["race"].value_counts().min()
equal = both.groupby("race").sample(smallest, random_state=seed)
equal["race"].value_counts()

# %% [markdown]
# **It prevents:** a "bias" of the collection of pictures that looks like a bias of the model.
#
# ### Rule 7. Show the difference and the spread beside the effect size
#
# The effect size $d$ is a difference divided by a spread, here between people within a group. So $d$ is large if groups differ much, and also if individuals differ little. Print all three ([more](../pretraining/downstream.ipynb)).

# %%
effect_size = vb.effect_size(of_first, of_second, pooled=True)
weights = len(of_first) - 1, len(of_second) - 1  # degrees of freedom
variance = np.average([of_first.var(), of_second.var()], weights=weights)
spread = np.sqrt(variance)
assert np.isclose(effect_size, gap / spread)

# %% tags=["hide-input"]
vb.note(spread=spread, effect_size=effect_size, signed_gap=gap)

# %% [markdown]
# Here a difference of {glue:text}`signed_gap:+.2f` log-odds is divided by a spread of {glue:text}`spread:.2f`, so that $d$ is {glue:text}`effect_size:.1f`.
#
# **It prevents:** comparing effect sizes of pictures that vary much with those of pictures that vary little.
#
# ### Rule 8. Ask in several ways
#
# One sentence is one draw from the many that you could have written. Use several words for the trait, several templates and several neutral sentences, and show how much the answer depends on them ([what a neutral sentence does](../causalface/neutral_prompt.ipynb)).

# %%
def scored(seen, score, one, other):
    """What a score, in cosines, is of each person in two groups."""
    table = seen.table[["seed", "race"]].assign(score=score * seen.logit_scale)
    return of_people(table, one, other)


is_trait = seen.words["dimension"].astype(object) == trait
by_word = {}
for word in seen.words.loc[is_trait, "word"].astype(str):
    x, y = scored(seen, seen.word(word) - seen.neutral(), first, second)
    by_word[word] = x.mean() - y.mean()
by_word = pd.DataFrame({"word": by_word.keys(), "difference": by_word.values()})
by_word.round(2)

# %% tags=["hide-input"]
same_sign = int((np.sign(by_word["difference"]) == np.sign(gap)).sum())
vb.note(
    same_sign=words.among(same_sign, len(by_word)),
    word_low=by_word["difference"].min(),
    word_high=by_word["difference"].max(),
)

# %% [markdown]
# The difference has the same sign with {glue:text}`same_sign` words. It lies between {glue:text}`word_low:+.2f` and {glue:text}`word_high:+.2f` log-odds.
#
# **It prevents:** a result about one word, told as a result about a trait.
#
# ### Rule 9. Report probabilities beside answers
#
# A model that must answer gives the likelier answer every time. A small difference in probability can then become a large difference in answers, or disappear ([how that happens](../american_white/vqa.ipynb)). So report both. Here the model must choose: do words for good relations with others fit a picture better, or words for bad ones?

# %%
sides = seen.raw() * seen.logit_scale
logit = sides["positive_communion"] - sides["negative_communion"]
choice = table.assign(probability=expit(logit), answer=logit > 0)
by_group = choice.groupby("race", sort=False)[["probability", "answer"]].mean()

# %% tags=["hide-input"]
apart = (by_group.loc[first] - by_group.loc[second]).abs()
vb.note(apart=apart)
tables.readable(
    by_group.reset_index().rename(
        columns={
            "race": "group",
            "probability": "mean probability of the positive words",
            "answer": "share of pictures where they are likelier",
        }
    )
).hide(axis="index")

# %% [markdown]
# Between {glue:text}`first` and {glue:text}`second`, mean probabilities differ by {glue:text}`apart.probability:.2f`, and shares of answers by {glue:text}`apart.answer:.2f`.
#
# **It prevents:** "all of one group, none of the other", where the model is nearly undecided.
#
# ### Rule 10. Count all your tests
#
# If nothing differs, one test in twenty is significant at 5 % all the same. So count every comparison that you made, also those that you do not show, and correct for their number. {term}`Holm's correction` holds whether or not the tests are correlated. A claim that you wrote down beforehand is tested by itself.

# %%
delta, tests = seen.delta(), []
for name in seen.dimensions:
    for one, other in combinations(table["race"].unique(), 2):
        x, y = scored(seen, delta[name].to_numpy(), one, other)
        p = tested(x, y).pvalue if min(len(x), len(y)) > 1 else np.nan
        people = len(x.index.union(y.index))
        tests.append((name, f"{one} − {other}", people, x.mean() - y.mean(), p))
tests = pd.DataFrame(
    tests, columns=["trait", "groups", "people", "difference", "p"]
)
tests["significant"] = tests["p"] < 0.05
tests["after Holm"] = holm(tests["p"]) < 0.05  # p that is not defined is no test
made = tests["p"].notna()
tests["p"] = tests["p"].map(tables.p_value)

# %% tags=["hide-cell"]
tests.round({"difference": 2})

# %% tags=["hide-input"]
vb.note(
    tests=int(made.sum()),
    significant=words.among(int(tests["significant"].sum()), int(made.sum())),
    holm=words.among(int(tests["after Holm"].sum()), int(made.sum())),
    undefined=int((~made).sum()),
)
vb.holds(some_undefined=True if not made.all() else None)

# %% [markdown]
# Every pair of groups and every trait give {glue:text}`tests` comparisons, here by a t-test over people; the folded table has them all. [({glue:text}`undefined` more are not defined, because one of the groups shows fewer than two people. They count as no test.)]{.holds #some_undefined} Taken one by one, {glue:text}`significant` are significant; after the correction, {glue:text}`holm`.
#
# The correction does not protect against accidents of training: Rule 12.
#
# **It prevents:** a list of findings of which some are chance, and nobody knows which.
#
# ## When you want to say more
#
# ### Rule 11. With several models, count each model once
#
# {.if-run}
# Nine CLIPs learned from the same data. All nine point the same way in {result}`real/same_data::agree.nine` image tests. But in {result}`real/same_data::turned`, one model shows a significant difference in one direction, and another model in the opposite direction (by chance, about {result}`real/same_data::expected_turned:.1f`; [nine CLIPs](../real/same_data.ipynb)).
#
# Ten tests on each of five models are not fifty observations. Compute one number per model, and count in how many models it has the same sign. Even five equal signs of five may be chance: it happens in 1 of 16 cases. Models that share their data or their makers are not independent either ([what happens otherwise](../pretraining/stress.ipynb)).

# %%
per_model = {}
for name in (model, other_model):
    its = vb.perceive(faces, name)
    x, y = scored(its, its.delta()[trait].to_numpy(), first, second)
    per_model[name] = x.mean() - y.mean()
pd.Series(per_model, name="difference, log-odds")

# %% [markdown]
# **It prevents:** tiny p-values for a statement about "such models" that rests on a handful of them.
#
# ### Rule 12. To speak about training, train again
#
# Train the same model several times, from other random starts. Best is to train it also with captions in which the groups do not differ: then you see how large a difference arises by accident. Otherwise your claim must stay with the model that you tested ([more](../../book/primers/targets.md)).
#
# Some of our small networks were trained on captions that speak differently of two colours, some on captions that treat all colours alike:

# %%
people = retrained.scores("people")  # all networks know the same faces
score, colour = people.delta(trait), people.images["race"]
teal, amber = (score[:, colour == hue].mean(axis=1) for hue in ("teal", "amber"))
networks = people.networks.assign(difference=teal - amber)
networks = networks[networks["condition"] == "none"]
planted = networks.loc[networks["b"] == 1, "difference"]  # captions differ
alike = networks.loc[networks["b"] == 0, "difference"]  # they treat all alike
test = stats.permutation_test(
    (planted, alike),
    lambda x, y: abs(np.mean(x) - np.mean(y)),
    n_resamples=n_draws,
    alternative="greater",
    rng=seed,
)

# %% tags=["hide-input"]
vb.figures.style()
INK = vb.figures.COLOURS
estimates = {
    "other people": (gap, *by_people.confidence_interval()),
    "other pictures": (picture_gap, *by_pictures.confidence_interval()),
}
kinds = {"captions treat all alike": (alike, INK["reference"]), "captions differ": (planted, INK["planted"])}
fig, ((axis,),) = vb.figures.panels(height=3.4)
axis.axvline(0, color=INK["reference"], linewidth=1)
for place, (value, low, high) in enumerate(estimates.values()):
    axis.hlines(-place, low, high, color=INK["recomputed"], linewidth=3)
    axis.plot(value, -place, "o", color=INK["recomputed"], markersize=6)
for place, (own, colour) in enumerate(kinds.values(), len(estimates)):
    aside = (np.arange(len(own)) * 0.618 % 1 - 0.5) * 0.5  # so that no dot hides another
    axis.plot(own, -place + aside, "o", color=colour, alpha=0.6, markersize=5)
labels = [f"this model: {name}" for name in estimates] + [
    f"{len(own)} networks: {name}" for name, (own, _) in kinds.items()
]
axis.set(yticks=-np.arange(len(labels)), yticklabels=labels, xlabel="difference, log-odds")
vb.figures.show(
    fig,
    name="measure-answer",
    alt="The difference between two groups, in log-odds. In the model: "
    + "; ".join(
        f"{name}: {value:+.2f}, from {low:+.2f} to {high:+.2f}"
        for name, (value, low, high) in estimates.items()
    )
    + ". "
    + "; ".join(
        f"{len(own)} networks whose {name}: from {own.min():+.2f} to {own.max():+.2f}"
        for name, (own, _) in kinds.items()
    )
    + ".",
    caption=f"Above: the difference {first} − {second} in the model that was measured, with two 95 % intervals: one if people are counted, one if pictures are. Below: the difference teal − amber in small networks of ours, shown drawn faces, a dot each.",
    source=["greenhouse"] if drawn else [f"real:{faces.source}", "greenhouse"],
)
vb.note(
    alike=len(alike),
    alike_largest=float(alike.abs().max()),
    p_training=float(test.pvalue),
)
vb.holds(all_beyond=bool(planted.abs().min() > alike.abs().max()))

# %% [markdown]
# Look at the grey dots first. The captions of these {glue:text}`alike` networks treat all colours alike, and still each network shows some difference, up to {glue:text}`alike_largest:.2f` log-odds. It is an accident of its training. [Every network whose captions differ shows a larger difference than that, whatever its sign.]{.holds #all_beyond} If we exchange networks between the two kinds at random, p is {glue:text}`p_training:.2g`.
#
# The intervals above the dots belong to one model, and leave such accidents out.
#
# **It prevents:** taking an accident of one training run for something that such models learn.
#
# ## What to report
#
# This table holds what a reader needs to repeat your study, or to judge it:

# %%
low, high = by_people.confidence_interval()
report = pd.Series(
    claim
    | {
        "checksum of the weights": encoder.weights[:12] or "shipped with the book",
        "people": n_people,
        "pictures": int(sum(own.sum() for own in entered)),
        "words": len(by_word),
        "difference, log-odds": round(gap, 3),
        "95 % interval": f"{low:.3f} to {high:.3f}",
        "spread, log-odds": round(spread, 3),
        "d": round(effect_size, 2),
        "p, labels exchanged": p_value,
        "tests made": int(made.sum()),
        "comparisons not defined": int((~made).sum()),
    },
    name="report",
)
report

# %% [markdown]
# **If you found nothing,** report the interval of the difference. It says how large a difference may still be there. A narrow one that holds zero is a result: the difference, if any, is small. A wide one says that you need more people: four times as many make it about half as wide.
#
# :::{dropdown} The list to print
# 1. ☐ The claim is written down: model, groups, trait, direction, observation.
# 2. ☐ Evaluation mode, own preparation of pictures, checksum kept.
# 3. ☐ Pictures differ in one thing, or what else differs is listed.
# 4. ☐ Each person counts once.
# 5. ☐ Labels were shuffled, to see what chance gives.
# 6. ☐ Groups have equal numbers, or it is shown that this does not matter.
# 7. ☐ Difference and spread stand beside $d$.
# 8. ☐ Several words, templates and neutral sentences were tried.
# 9. ☐ Probabilities stand beside answers.
# 10. ☐ All tests are counted, and corrected for.
# 11. ☐ With several models, each counts once.
# 12. ☐ Claims about training rest on several training runs.
# :::
#
# :::{admonition} Take-aways
# :class: tip
#
# - What you have decides what you may claim: one model, several models, or a way of training.
# - What the claim is about decides what counts as one observation.
# - A difference, its spread, its dependence on words and the number of tests belong together in a report.
# :::
#
# ## Exercises
#
# :::{exercise} More pictures of the same people
# :label: measure-more
# :level: introductory
# :minutes: 10
# :code: yes
# Keep one picture of each person in each group, then five, then all. How does the standard error by pictures change, and how the one by people? Which of the two tells how well you know the difference for other people?
# :::
#
# ```{solution-start} measure-more
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
errors = []
fewest = table.groupby(["seed", "race"]).size().min()
for n in (1, 5, None):  # pictures of each person in each group; None: all
    if n and n > fewest:
        continue
    kept = table if n is None else table.groupby(["seed", "race"]).sample(n, random_state=seed)
    x, y = of_people(kept, first, second)
    by_person = (x - y).sem() if same_people else np.hypot(x.sem(), y.sem())
    of_group = kept.groupby("race")["score"]
    by_picture = np.sqrt((of_group.sem() ** 2)[[first, second]].sum())
    errors.append(["all" if n is None else n, by_picture, by_person])
errors = pd.DataFrame(errors, columns=["pictures of each", "by pictures", "by people"])
printed = errors.round(4)
print(printed.to_string(index=False))
# by pictures the error goes on falling as if every picture were somebody new
falls, stays = printed.iloc[-1, 1:] / printed.iloc[0, 1:]
more = bool((table.groupby(["seed", "race"]).size() > 1).any())  # else nothing is added
vb.holds(
    pictures_fall=bool(falls < 1 and printed["by pictures"].is_monotonic_decreasing) if more else None,
    people_less=bool(falls < stays < 1) if more else None,
)
# the error by people is the one behind the test of Rule 4, whose t is the difference divided by it
assert np.isclose(by_people.statistic * errors["by people"].iloc[-1], gap)

# %% [markdown]
# [By pictures, the error falls with every picture that you add, as if it showed somebody new.]{.holds #pictures_fall} [By people, it falls less.]{.holds #people_less} The claim is about other people, so the second is the one to report.
#
# ```{solution-end}
# ```
#
# :::{exercise} How many people?
# :label: measure-people
# :level: introductory
# :minutes: 15
# :code: yes
# Draw ten people at random, then forty, many times, and compute the difference each time. How much does it vary from draw to draw? How many people would you need to know it twice as well as with ten?
# :::
#
# ```{solution-start} measure-people
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rng, varies = np.random.default_rng(seed), {}


def drawn_gap(n):
    """The difference in n people, drawn at random; in n of each group, if they are others."""
    x = of_first.sample(n, replace=True, random_state=rng)
    y = of_second[x.index] if same_people else of_second.sample(n, replace=True, random_state=rng)
    return x.mean() - y.mean()


for n in (10, 40):
    draws = [drawn_gap(n) for _ in range(2_000)]
    varies[n] = np.std(draws)
    print(
        f"{n} people: from draw to draw, the difference varies with a standard deviation of {varies[n]:.3f}"
    )
# four times as many people: half as much
half_as_much = 1.7 < varies[10] / varies[40] < 2.3
vb.holds(half_as_much=bool(half_as_much))
assert half_as_much

# %% [markdown]
# [Four times as many people make it vary half as much.]{.holds #half_as_much} So to know a difference twice as well as with ten people, one needs forty. A small first study tells how much it varies, and with it how many people the real study needs.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A newspaper writes: "The new image search shows women as nurses and men as doctors." You have the model and a day. What is your claim (Rule 1), which pictures would you use (Rule 3), what would you report (Rule 9), and what could you not claim (Rule 12)?
# 2. Which of the twelve rules would cost you most in a study of your own, and what would you claim without it?
# 3. A company says that its model passed all twelve rules for two groups. What does a person of a third group learn from this?
