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
# # Found faces, made faces
#
# *A page of the laboratory: what photographs show where smile, age and clothes go together with the group, what statistics can repair, and what an
# experiment needs.*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** In photographs that somebody found, many attributes go together. Do such photographs show differences between groups that no caption
# taught? Can statistics repair this? And how good does an experiment have to be, to do better?
#
# **Answer in short.** In our laboratory, photographs show differences between groups that nobody put into the captions. Regression and matching help against what was *recorded*, such as
# the smile. They do not help against what was not recorded: in our pictures, the clothes. An experiment that changes one attribute at a time avoids both problems. It goes wrong if the change is not clean, for
# example if a broader smile also makes the picture brighter.
#
# **In 15 minutes:** {ref}`the answer in one figure <confounds-answer>`, {ref}`what statistics can repair <confounds-gaps>`, take-aways. **In 60 minutes:** everything, with
# both exercises.
#
# **You need:** regression, and what a confounder is (something that goes along with the group and also with the result).
#
# **Limits.** How strongly things go together here is our invention. No number holds for a real collection of photographs.
# :::

# %% tags=["parameters", "hide-input"]
sample = "fairface"  # the collection that is shown; the folded tables have both; one of: fairface, utkface
trait = "warmth"  # the trait of the first figure; one of: warmth, competence, positive_agency, negative_agency, positive_communion, negative_communion
youngest = 20  # the paper leaves out who is younger, in years; from 0 to 60
level = 0.95  # of the intervals over retrained networks; from 0.5 to 0.999
seed = 0  # of every random draw; this page makes none of its own; at least 0
results = "_build/results/greenhouse/confounds.json"  # no claims here

# %% tags=["hide-input"]
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import faces, grammar, grid
from studies import tables, words
from studies.greenhouse import confounds, confounds_words
from studies.shown import shown

vb.figures.style()
spoken = grammar.load()

# %% [markdown]
# ## What the authors say: in photographs, attributes go together
#
# {cite:t}`hausladen2025` ask whether a model judges groups of people differently. They made faces by computer, and changed one attribute at a time: age,
# smile, light, pose. They give this reason:
#
# > "Independently and systematically manipulating face attributes allows us to study the effect of each on social perception and
# > avoids confounds that can occur in wild-collected data due to uncontrolled systematic correlations between attributes."
#
# *Wild-collected* photographs are those that somebody found and gathered, for example on the web. The authors warn that "studies that do not control for
# unprotected visual attributes may reach the wrong conclusions on bias". (An unprotected attribute is one such as the smile, on which the law does not forbid
# unequal treatment.)
#
# ### What one may doubt
#
# **Is an experiment needed?** Researchers who have photographs rarely take them as they are. They adjust by regression, or they compare each face with a similar
# one. Perhaps this is enough.
#
# **Is an experiment safe?** It is right only if the program that changes one attribute changes nothing else. The authors looked for this, and found "a slight
# spurious correlation between facial expression ('Smiling') and the average image brightness". They corrected it.
#
# With a published model nobody can settle this, because nobody knows the right answer. So we ask where we know it.
#
# ## Photographs and an experiment, in our laboratory
#
# The [Greenhouse](../../book/greenhouse/limits.md) is a small world of drawn faces. Small networks of CLIP's kind learn from such drawings and from captions
# that we wrote. A face has a *hue* (teal, amber, violet) in place of a race, and a *crest* (buds or ears) in place of a gender. The [gallery](gallery.ipynb) has pictures.
#
# A caption is a sentence such as "a photo of a warm person". A difference is *planted* if we use words such as *warm* more often for one group than for another. *Null networks* learn from captions in which nothing is planted: these use
# such words for all groups alike.

# %% tags=["hide-input"]
seen = confounds.everything(retrained.scores("grid"), spoken.bias)  # networks × pictures × traits
samples = {kind: confounds.sample(seen.images, kind, youngest=youngest) for kind in grid.OBSERVED}
found = seen.images[samples[sample]].rename(columns={"race": "hue", "gender": "crest", "warm_garment": "red clothes"})
experiment = seen.images[seen.images["set"].eq("grid") & seen.images["subset"].eq("prototype")]
drawn = found[found["hue"].isin([grid.HUES[0], grid.HUES[2]])].groupby(["hue", "crest"]).head(1).sort_values(["hue", "crest"])
same = experiment[experiment["seed"] == experiment["seed"].iloc[0]].iloc[[0, 1, 4, 5]]
painted = drawn.rename(columns={"hue": "race", "crest": "gender"}).astype({"photo": int})
labels = [f"{row.race}, {row.gender}" for part in (painted, same) for row in part.itertuples()]
pictures = [*faces.render(painted, 96), *faces.render(same.drop(columns="photo"), 96)]
vb.figures.show(
    vb.figures.contact_sheet(pictures, labels, columns=4), name="confounds-sample",
    alt="Two rows of drawn faces. Above, four photographs: four persons who differ in hue, crest, age, smile, light, pose and clothes at once. Below, one person four times, in two hues and with both crests; nothing else differs.",
    caption="Above: four photographs of the collection. Below: the experiment, one person in other groups.", source="greenhouse",
)
vb.note(people=len(found), persons=experiment["seed"].nunique(), n={"full": int((seen.networks["b"] == 1).sum()), "null": int((seen.networks["b"] == 0).sum())}, trait=words.listed([trait]))

# %% [markdown]
# We made two sets of pictures, and showed both to the same {glue:text}`n.null` null networks.
#
# - **"Photographs".** {glue:text}`people` different persons, one picture each. These are drawings, too. We drew them so that attributes go together, as they may in a found collection.
# - **An experiment.** {glue:text}`persons` persons, each painted in every hue and with both crests. Nothing else changes. (Further series change age or smile alone.)
#
# How do attributes go together in the photographs? The table has the mean of each group.

# %%
attributes = ["age", "smiling", "lighting", "red clothes"]
by_crest = found.groupby("crest")[attributes].mean()
by_hue = found.groupby("hue")[attributes].mean()
scales = {
    name: "{} ({:g} to {:g})".format(name, *grid.RANGES[name]).replace("-", "−")
    for name in attributes[:3]
}
scales["red clothes"] = "red clothes (about −1 to 1)"
means = pd.concat([by_crest, by_hue]).rename_axis("group").rename(columns=scales)
tables.readable(means).set_caption("Photographs: mean of each group (in brackets: the scale)")

# %% tags=["hide-input"]
unlike = by_hue["red clothes"].sort_values()
hues = next(name for name, (_, *two) in confounds.pairs().items() if {*two} == {unlike.index[0], unlike.index[-1]})
crests = list(confounds.pairs())[-1]
merry, grave = by_crest["smiling"].idxmax(), by_crest["smiling"].idxmin()
vb.note(traits=words.listed([name.replace("_", " ") for name in confounds.DIMENSIONS]), step=0.25, chance=1 / (1 + np.exp(-0.25)), hues=hues.replace(" − ", " and "), crests=crests.replace(" − ", " and "), merry=merry, grave=grave, warmest=unlike.index[-1], coldest=unlike.index[0])

# %% [markdown]
# We suppose that age, smile, light and pose (the turn of the head, not in this table) are *recorded*: an analyst has a column for each. So an analyst can see that
# {glue:text}`merry` faces smile more than {glue:text}`grave` ones, or that light differs between hues.
#
# The colour of the *clothes* is not recorded. No column of the analyst holds it; the table above has it only because we drew the pictures. Clothes differ most between the hues: people with {glue:text}`warmest` skin wear the reddest
# clothes, people with {glue:text}`coldest` skin the least red. Between the crests they differ less.
#
# In the captions, red clothes and smiles make words such as *warm* more frequent, whoever wears them. This is no bias: captions treat all groups alike. But a group that smiles more, or wears more red, may look as if it
# were judged differently.
#
# ## Four ways to estimate a difference
#
# What does a network make of two groups? Its *score* for {glue:text}`trait` says how much better a picture fits sentences with such words than a neutral sentence. The unit is the *logit*: at 0, both fit
# equally well, and a network would choose either with a chance of one half. A score of {glue:text}`step:.2f` logits makes this chance {glue:text}`chance:.0%`.
#
# We compare the scores of two groups in four ways.
#
# - **Naive:** the mean of one group's photographs minus that of the other.
# - **Adjusted:** a regression that holds everything recorded constant.
# - **Matched:** each photograph is compared with the most similar one of the other group, by what is recorded.
# - **Controlled:** the experiment. The mean of the same persons in one group minus that in the other.
#
# **What is the right answer?** In the captions of null networks groups do not differ, so the right answer is zero. A single network may still differ a little from zero, by an accident of its training. Such accidents have no direction:
# over many networks their mean should be near zero.
#
# Here are three of the four ways by hand, for one null network (matching takes a longer program). First, three of the photographs:

# %%
is_null = (seen.networks["b"] == 0).to_numpy()
one_network = np.flatnonzero(is_null)[0]
column = seen.dimensions.index(trait)
photos = found.assign(score=seen.logits[one_network, samples[sample], column])
photos[["hue", "crest", "age", "smiling", "lighting", "score"]].head(3).round(2)

# %%
first, second = grid.CRESTS
mean = photos.groupby("crest")["score"].mean()
naive = mean[first] - mean[second]

# regression: the group, and everything that is recorded
known = pd.get_dummies(photos["hue"], drop_first=True, dtype=float)
known["group"] = (photos["crest"] == first).astype(float)
known["light"], known["turned"] = photos["lighting"], photos["pose"].abs()
for name in ("age", "smiling"):
    known[name], known[f"{name} squared"] = photos[name], photos[name] ** 2
known["constant"] = 1.0
coefficients = np.linalg.lstsq(known.to_numpy(), photos["score"].to_numpy(), rcond=None)[0]
adjusted = coefficients[list(known).index("group")]

# the experiment: the same persons in both groups (crest is "gender" in the code)
shown_faces = seen.logits[one_network, experiment.index, column]
mean = pd.Series(shown_faces).groupby(experiment["gender"].to_numpy()).mean()
controlled = mean[first] - mean[second]
by_hand = pd.Series({"naive": naive, "adjusted": adjusted, "controlled": controlled})
by_hand.round(2)

# %% tags=["hide-input"]
# other persons, the same in all groups, for the folded tables at the end
portraits = retrained.scores("people")  # other persons, the same in all groups
of_study = portraits.networks["seed"].isin(seen.networks["seed"])
of_study &= portraits.networks["shows"] & (portraits.networks["condition"] == "none")
every_picture = np.ones(len(portraits.images), bool)
people = shown(portraits, confounds.DIMENSIONS, images=every_picture, networks=of_study)
differences = confounds.gaps(seen, people, spoken, samples)

# %%
# the project's function does this for every network, pair and trait: is it the same here?
here = differences[(differences["sample"] == sample) & (differences["b"] == 0)]
one = here[(here["network"] == 0) & (here["dimension"] == trait) & (here["pair"] == crests)]
one = one.set_index("method")["estimate"]
assert np.allclose(by_hand, one[by_hand.index])

# %% tags=["hide-input"]
vb.note(one=by_hand, one_case=confounds_words.one_case(naive - controlled, adjusted - controlled))

# %% [markdown]
# {.if-run}
# In photographs as they are, this network shows a difference of {glue:text}`one.naive:+.2f` logits between the crests. In the experiment it shows {glue:text}`one.controlled:+.2f`. There,
# nothing but the crest differs, so this is the accident of this one network. {glue:text}`one_case` The next network has another accident. So we look at all of them.
#
# (confounds-answer)=
# ## The answer in one figure: what is not recorded stays
#
# The figure has all {glue:text}`n.null` null networks. On the left are the crests, whose clothes differ less. On the right are the two hues whose clothes differ most. Each small dot is a network with its accident. The mean of a good estimate
# is near zero.

# %% tags=["hide-input"]
INK = vb.figures.COLOURS
show_trait = here[here["dimension"] == trait]
fig, axes = vb.figures.panels(1, 2, height=3.6, share_x=True, share_y=True)
for panel, pair in zip(axes[0], (crests, hues), strict=True):
    panel.axvline(0, color="0.2", linewidth=1.5, linestyle="--", label="planted: nothing")
    for place, method in enumerate(confounds.METHODS[1:] + confounds.METHODS[:1]):
        own = show_trait[(show_trait["pair"] == pair) & (show_trait["method"] == method)]["estimate"]
        panel.plot(own, np.full(len(own), -place), "o", color=INK[method], alpha=0.5, mew=0, label="one null network" if place == 0 else None)
        panel.plot(own.mean(), -place, "D", color=INK[method], ms=8, label="mean" if place == 0 else None)
    panel.set(title=pair, yticks=range(-3, 1), ylim=(-3.5, 0.5), yticklabels=["controlled", "matched", "adjusted", "naive"])
fig.supxlabel(f"difference in {words.listed([trait])}, logits", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
middle = show_trait.groupby(["pair", "method"])["estimate"].mean()
vb.figures.show(
    fig, name="confounds-first",
    alt="One dot per null network: the difference between two groups by four estimates. Means: "
        + "; ".join(f"{pair}: " + ", ".join(f"{method} {middle[pair, method]:+.2f}" for method in ("naive", "adjusted", "matched", "controlled")) for pair in (crests, hues)) + ".",
    caption=f"Difference in {words.listed([trait])} where nothing was planted: {crests} and {hues}. Dashed: the right answer.",
    source="greenhouse",
)

# %% tags=["hide-input"]
gap_off = confounds.errors(differences, ["pair", "b", "sample", "method"])
null_off = gap_off[(gap_off["sample"] == sample) & (gap_off["b"] == 0) & (gap_off["target"] == "planted")]
gap_error = null_off.groupby(["pair", "method"], sort=False)["error"].mean().unstack("method")
part = {"crests": crests, "hues": hues}
repairs = {name: confounds_words.repaired(*gap_error.loc[pair, ["naive", "adjusted", "matched"]]) for name, pair in part.items()}
vb.note(repairs=repairs, middle={name: {method: middle[pair, method] for method in confounds.METHODS} for name, pair in part.items()})

# %% [markdown]
# **As they are, photographs are far off.** The naive means are {glue:text}`middle.crests.naive:+.2f` logits between the crests and {glue:text}`middle.hues.naive:+.2f`
# between the hues, and nothing was planted. In the experiment, the same networks show {glue:text}`middle.crests.controlled:+.2f` and {glue:text}`middle.hues.controlled:+.2f`.
#
# (confounds-gaps)=
# ### Statistics repair what is recorded
#
# One trait may be an accident. So we ask for all eight traits of the paper: {glue:text}`traits`. The *error* of an estimate is its typical distance from the right answer, here zero (the root mean square over the eight
# traits, and then the mean over networks). It is never quite zero, because it holds the accidents of the networks.

# %%
columns = ["naive", "adjusted", "matched", "controlled", "all known"]
tables.readable(
    gap_error.loc[[crests, hues], columns].rename_axis(index=None, columns="groups"),
    names={"all known": "adjusted, clothes known"},
).set_caption("Where nothing was planted: error in logits, eight traits")

# %% tags=["hide-input"]
before, after = gap_error.loc[hues, "adjusted"], gap_error.loc[hues, "all known"]
in_experiment = here[here["method"] == "controlled"].groupby(["pair", "dimension"])["estimate"]
cells = vb.networks.summary({key: own.to_numpy() for key, own in in_experiment}, confidence_level=level)
missing = int(((cells["low"] > 0) | (cells["high"] < 0)).sum())
vb.note(misses=confounds_words.misses(missing, len(cells), level), clothes={"gap": confounds_words.with_clothes(before, after), "gap_cause": confounds_words.cause(before, after), "before": before, "after": after})

# %% [markdown]
# {.if-run}
# **Crests.** What differs between them is mostly recorded. Here {glue:text}`repairs.crests`.
#
# {.if-run}
# **Hues.** Their clothes differ, and no column says so. Here {glue:text}`repairs.hues`.
#
# {.if-run}
# Is it really the clothes? In our world we can find out, since we know what everybody wears. The last column of the table adjusts for them.
# {glue:text}`clothes.gap`: between the hues, it is {glue:text}`clothes.before:.2f` logits if we adjust for the recorded attributes only, and {glue:text}`clothes.after:.2f` if we also adjust for the clothes. {glue:text}`clothes.gap_cause`.
# An analyst who has only the recorded columns cannot compute this, and does not see from them that something is missing.
#
# ### Try it: make one group smile more
#
# The slider decides how strongly smiling goes along with a group in the photographs.

# %% tags=["hide-input"]
from studies.greenhouse import collection  # the same as below, where scripts run: readers move the smiles

stops, played = collection.figure()
vb.figures.show(played.figure, name="confounds-dial", alt=played.alt, caption=played.caption, source=played.source)

# %% [markdown]
# ```{collection} play
# ```
#
# The right answer stands still. So an estimate that follows the slider says something about the collection, and not about the networks. With the slider at zero, the groups still differ in age and clothes; so the naive estimate need not
# be right there. And an estimate can stand still in a wrong place: matching compares faces that are similar, not equal.
#
# :::{dropdown} Details: which photographs, what the slider changes, and the numbers
# ```{collection} numbers
# ```
# :::
#
# (confounds-effects)=
# ## Clothes also disturb what age and smile seem to do
#
# So far the question was about groups. The authors also ask about attributes: how does a score change with age, or with a smile? We now take {glue:text}`n.full` other networks. Their captions hold the *whole planted bias*: judging words are
# used more often for some groups ([what is planted](gallery.ipynb)). The four ways are the same, with an attribute in place of the group. The naive way, for example, is a regression of the score on age alone.
#
# **The right answer is now another one.** A network need not learn exactly what its captions hold. We ask what it did learn. For this we show it other persons, one at a time, and change only their age or only their smile. What its score then does is
# the right answer.

# %%
# an effect: logits from the middle of an attribute's scale to its end
estimates = confounds.effects(seen, spoken, samples)
off = confounds.errors(estimates, ["effect", "b", "sample", "method"])
full = off[(off["b"] == 1) & (off["sample"] == sample)]
effect_error = full.groupby(["target", "effect", "method"], sort=False)["error"].mean()
effect_error = effect_error.unstack("method")
tables.readable(
    effect_error.loc["own", columns].rename_axis(index=None, columns="effect of"),
    names={"all known": "adjusted, clothes known"},
).set_caption("Error of an effect, in logits, eight traits")

# %% tags=["hide-input"]
own_error, caption_error = effect_error.loc["own"], effect_error.loc["planted"]
EFFECTS = confounds.EFFECTS
vb.note(effect_repairs=confounds_words.of_both(*(confounds_words.repaired(*own_error.loc[name, ["naive", "adjusted", "matched"]]) for name in EFFECTS)),
        effect_clothes=confounds_words.clothes_of_both(*(confounds_words.with_clothes(*own_error.loc[name, ["adjusted", "all known"]]) for name in EFFECTS)),
        control={name: own_error.loc[name, "controlled"] for name in EFFECTS},
        garment={name: found[name].corr(found["red clothes"]) for name in EFFECTS})

# %% [markdown]
# {.if-run}
# {glue:text}`effect_repairs` Clothes go along with both attributes: red clothes correlate with age ({glue:text}`garment.age:+.2f`) and with smiling ({glue:text}`garment.smiling:+.2f`).
#
# {.if-run}
# Suppose now that clothes were recorded as well. {glue:text}`effect_clothes` What is left is mostly chance: hair and the brightness of clothes also move words, and among {glue:text}`people` persons they go along a little with age by
# accident ({ref}`Exercise 2 <confounds-proxy>`).
#
# The experiment has an error of {glue:text}`control.age:.2f` logits for age and of {glue:text}`control.smiling:.2f` for the smile. But our right answer comes from an experiment, too, with other persons. This may favour the
# experiment. So we also use another right answer: the captions.
#
# (confounds-targets)=
# ### An estimate can be near the captions for a wrong reason
#
# We wrote the rules by which captions choose their words. So we can compute the log-odds of a trait's words for every face, and how they would change if it were a little older or smiled a little more. This is in logits, too. How far
# are the estimates from it?

# %%
tables.readable(
    effect_error.loc["planted", columns].rename_axis(index=None, columns="effect of"),
    names={"all known": "adjusted, clothes known"},
).set_caption("Distance from the captions, in logits, eight traits")

# %% tags=["hide-cell"]
leaking = confounds.errors(confounds.leaks(seen, spoken), ["effect", "leak"])
curves = {key: own.pivot(index="network", columns="leak", values="error") for key, own in leaking.groupby(["effect", "target"], sort=False)}
goals = {key: own.set_index("network")["error"] for key, own in off[off["b"] == 1].groupby(["effect", "target", "sample", "method"], sort=False)}
crossed = {key: confounds.crossings(curves[key[:2]], goal) for key, goal in goals.items() if key[3] in ("naive", "adjusted", "matched")}
against = {key[:2]: one for key, one in crossed.items() if key[2:] == (sample, "adjusted")}
n_networks = len(against["age", "own"])
worse = {key: int((one == 0).sum()) for key, one in against.items()}
smile_before, smile_after = caption_error.loc["smiling", ["adjusted", "all known"]]
vb.note(captions={name: confounds_words.photographs_nearer(worse[name, "planted"], n_networks, name) for name in EFFECTS},
        pushed=confounds_words.pushed(smile_before, smile_after) if worse["smiling", "planted"] else None, smile={"adjusted": smile_before, "known": smile_after, "further": words.among(int((goals["smiling", "planted", sample, "all known"] > goals["smiling", "planted", sample, "adjusted"]).sum()), n_networks)})
count = pd.DataFrame({"experiment nearer at every leak": {key: words.among(int(np.isinf(one).sum()), len(one)) for key, one in crossed.items()},
                      "experiment further off without a leak": {key: words.among(int((one == 0).sum()), len(one)) for key, one in crossed.items()}})
count.rename_axis(["effect", "target", "sample", "against"]).pipe(tables.readable, names={"planted": "captions", "own": "the network's own", "target": "compared with", "sample": "collection", "against": "photographs"}).set_caption(
    "The leaking experiment against each estimate from photographs, network by network")

# %% [markdown]
# {.if-run}
# {glue:text}`captions.age` {glue:text}`captions.smiling`
#
# {.if-run}
# Is adjustment the better method for smiles, then? If it were, it should come still nearer when the clothes are known as well. Its mean distance from the
# captions is {glue:text}`smile.adjusted:.2f` logits without them and {glue:text}`smile.known:.2f` with them; it is larger with them in {glue:text}`smile.further` networks. {glue:text}`pushed`
#
# How can an error bring an estimate nearer to the captions? Suppose that a network learned four fifths of an effect that its captions hold. A right estimate then says four fifths, and seems a fifth too low. An estimate that errs upwards by
# a fifth seems perfect.
#
# (confounds-leak)=
# ## An experiment is right as long as it leaks little
#
# What if the experiment is not clean? We say that a manipulation *leaks* if it also changes something else. We made two leaks. In the first, a
# face that is made older also changes its skin, from red to blue. In the second, a smile also brightens the picture: this is the leak that the authors found, and corrected.
#
# The number λ says how strong the leak is, from 0 (clean) to {glue:text}`strongest:.0f`, the strongest that we tried. At the strongest, the oldest skin is blue and the youngest red; and a broad smile brightens the picture by two fifths.
#
# As an example, we take the first network with the whole planted bias. How does its score for {glue:text}`trait` change with age? The unit is logits from the middle of the ages to the oldest (half of the range):

# %%
# one network: its effect of age, without a leak and with the strongest
in_full = np.flatnonzero(seen.networks["b"] == 1)[0]
of_age = spoken.bias.features["age"]
effect_of_age = {}
for leak in (0.0, 1.0):
    series = confounds.series(seen.images, "age", leak=leak)
    half_ranges = (seen.images.loc[series, "age"] - of_age["centre"]) / of_age["half_range"]
    scores = seen.logits[in_full, series, column]
    effect_of_age[leak] = np.polyfit(half_ranges, scores, 1)[0]
pd.Series(effect_of_age).rename_axis("leak").rename("effect of age").round(2)

# %%
by_library = confounds.leaks(seen, spoken).query(
    "effect == 'age' and network == 0 and dimension == @trait"
)
by_library = by_library.set_index("leak")["estimate"]
assert np.allclose(pd.Series(effect_of_age), by_library[[0.0, 1.0]])

# %% tags=["hide-input"]
leaks_with = {"age": "the skin changes, too", "smiling": "the picture brightens"}
fig, axes = vb.figures.panels(1, 2, height=3.9, share_x=True, share_y=True)
for panel, name in zip(axes[0], EFFECTS, strict=True):
    for method in ("naive", "adjusted"):
        own = vb.networks.summary(goals[name, "own", sample, method].to_numpy(), confidence_level=level).iloc[0]
        panel.axhspan(own["low"], own["high"], color=INK[method], alpha=0.12, linewidth=0)
        panel.axhline(own["mean"], color=INK[method], linewidth=1.5, linestyle="--", label=f"photographs, {method}")
    own = vb.networks.summary(curves[name, "own"], confidence_level=level)
    panel.fill_between(own.index.astype(float), own["low"], own["high"], color=INK["controlled"], alpha=0.2, linewidth=0)
    panel.plot(own.index.astype(float), own["mean"], "o-", color=INK["controlled"], markersize=4, label="experiment that leaks")
    panel.set_title(f"effect of {name}:\n{leaks_with[name]}")
    panel.set_ylim(bottom=0)
fig.supxlabel("strength of the leak, λ", fontsize=12)
fig.supylabel("error, logits", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
strongest = max(curves["age", "own"].columns)
always = {key: words.among(int(np.isinf(one).sum()), len(one)) for key, one in against.items()}
vb.figures.show(
    fig, name="confounds-leaking",
    alt="Error of an experiment by the strength of its leak, with the errors of naive and of adjusted photographs as levels. "
        + "; ".join(f"{name}: {curves[name, 'own'][0.0].mean():.2f} without a leak, {curves[name, 'own'][strongest].mean():.2f} with the strongest, adjusted photographs {own_error.loc[name, 'adjusted']:.2f}" for name in EFFECTS) + ".",
    caption=f"How far estimates are from the network's own effect: {n_networks} networks with the whole planted bias, means and {100 * level:.0f} % intervals. Dashed: photographs, which have no leak.",
    source="greenhouse",
)
ends = {name: (curves[name, "own"][0.0].mean(), curves[name, "own"][strongest].mean()) for name in EFFECTS}
vb.note(strongest=strongest, always=always, leak_one={"none": effect_of_age[0.0], "strongest": effect_of_age[1.0]}, leaky=confounds_words.leaky([int(np.isinf(against[name, "own"]).sum()) for name in EFFECTS], n_networks),
        clean={name: low for name, (low, _) in ends.items()}, leaked={name: high for name, (_, high) in ends.items()},
        grows={name: confounds_words.grows(*pair) for name, pair in ends.items()},
        gives_way=confounds_words.first_leak([value for name in EFFECTS for value in against[name, "own"]]))

# %% [markdown]
# {.if-run}
# **Error and leak go together.** As the leak gets stronger, the error in the effect of age {glue:text}`grows.age`: it is {glue:text}`clean.age:.2f` logits without a leak, and {glue:text}`leaked.age:.2f` with the strongest.
# The error in the effect of a smile {glue:text}`grows.smiling`: {glue:text}`clean.smiling:.2f` and {glue:text}`leaked.smiling:.2f`.
#
# {.if-run}
# {glue:text}`leaky` For the effect of age, the experiment is nearer in {glue:text}`always.age.own` networks, however strong the leak that we tried. For the effect of a smile, this is so in {glue:text}`always.smiling.own` networks. (The right answer is here what the network itself does. Against the captions it is, for the smile, {glue:text}`always.smiling.planted` networks, as the section before explains.)
#
# {.if-run}
# {glue:text}`gives_way`
#
# How much a leak hurts depends on two things: how far it changes the picture, and what the network makes of this change. Nobody in our captions cares about brightness. A network that does would suffer more
# from the second leak. So these strengths hold for our leaks and our networks only.
#
# There is one more difference. For a leak, there is a place to look: the same person before and after the change. One still has to think of what to compare. The authors compared brightness in this way, and found one. For an unrecorded confounder, somebody must first think of it. Then it may
# be measured from the pictures ({ref}`Exercise 2 <confounds-proxy>`).
#
# :::{dropdown} Details: both collections, both strengths of bias, both right answers
# The tables below this box have the errors of all estimates. They add a second collection of photographs. The first, used above, imitates the published collection FairFace or UTKFace (the parameters of this page say which); the second imitates the other.
# Each error is given for two right answers: what the captions hold, and what the same network shows in a clean experiment on other persons ("the network's own"). Errors are averaged over networks.
#
# {.if-run}
# *Is the experiment exact?* We ask where nothing was planted. For every pair of groups and every trait, we take the mean over networks and its interval. {glue:text}`misses`
# :::

# %% tags=["hide-cell"]
HEADS = {"b": "strength of planted bias", "sample": "collection", "pair": "groups", "planted": "captions", "own": "the network's own", "all known": "adjusted, clothes known", "target": "compared with"}
order = [(target, method) for target in confounds.TARGETS for method in columns]
gap_table = gap_off.groupby(["pair", "b", "sample", "target", "method"], sort=False)["error"].mean().unstack(["target", "method"])[order]
gap_table.pipe(tables.readable, names=HEADS).set_caption("Error of a difference between groups, logits: root mean square over eight traits, mean over networks")

# %% tags=["hide-cell"]
effect_table = off.groupby(["effect", "b", "sample", "target", "method"], sort=False)["error"].mean().unstack(["target", "method"])[order]
effect_table.pipe(tables.readable, names=HEADS).set_caption("Error of an effect, logits: root mean square over eight traits, mean over networks")

# %% tags=["hide-cell"]
together = pd.concat({kind: confounds.correlations(seen.images[rows], spoken.bias) for kind, rows in samples.items()}, names=["sample", "with"])
tables.readable(together.rename(columns={confounds.UNRECORDED: "red clothes (not recorded)"}), signed=True, names={"sample": "collection"}).set_caption(
    "Correlations in both collections, after the paper's filters")

# %% [markdown]
# ## What this means
#
# **For the paper.** The authors' reason for an experiment is a good one. In our laboratory, photographs show differences that were never planted, and careful statistics do not remove those that come from something
# unrecorded. The authors also did what an experiment needs: they looked for a leak. This does not say how far off studies of real photographs are.
#
# **For your own work.** If you use photographs, record as much as you can: light, pose, expression, clothes, background. Adjust for it. Then ask what might go along with the group and stand in no column. If you make
# pictures, measure what else your program changes, and report it.
#
# ## Take-aways
#
# - Where smile, age and clothes go along with the group, photographs can show differences that were never planted.
# - Regression and matching can repair what was recorded. What was not recorded stays, and the recorded columns do not say how much it is.
# - An experiment avoids this. It goes wrong as far as its manipulation leaks, and for a leak, the same face can be compared before and after the change.
# - An estimate can be near the captions for a wrong reason. Say what the right answer is, before you compare methods.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/confounds -p sample utkface -p youngest 0
# ```
# :::
#
# ## Exercises
#
# :::{exercise} Without the unrecorded
# :label: confounds-without
# :level: advanced
# :minutes: 25
# :code: yes
# Leave out the networks. Take as the outcome the log-odds that follow from the captions themselves (`confounds.log_odds`), at a planted bias of zero. How far is the adjusted effect of smiling on *warmth* from the
# one in the captions? Use a sample of 2,000, once with the unrecorded clothes at full strength, and once without them (`grid.fairface(2_000, unrecorded=0)`). What does the rest come from?
# :::
#
# ```{solution-start} confounds-without
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
missed = {}
for strength in (1.0, 0.0):
    rows = spoken.bias.with_looks(grid.fairface(2_000, unrecorded=strength))
    rows = rows[rows["race"].isin(confounds.HUES) & (rows["years"] >= youngest)]
    outcome = confounds.log_odds(spoken, rows, 0.0)[None]
    adjusted = confounds.effect_estimates(outcome, rows, spoken.bias, "smiling")["adjusted"][0]
    missed[strength] = float((adjusted - confounds.planted_effect(spoken, rows, "smiling", 0.0))[confounds.DIMENSIONS.index("warmth")])
    print(f"unrecorded {strength:g}: the adjusted effect is off by {missed[strength]:+.2f} logits")
print("The rest: a straight line through log odds that bend, and two thousand individuals.")
assert abs(missed[0.0]) < 0.4 * abs(missed[1.0])

# %% [markdown]
# Adjustment takes out what is recorded. Without the unrecorded clothes, most of the error goes. What stays has two causes. The attribute that is asked about, here the smile, enters the regression as a straight line, while log-odds
# bend. And the sample has only two thousand people.
#
# ```{solution-end}
# ```
#
# :::{exercise} Recording it after all
# :label: confounds-proxy
# :level: advanced
# :minutes: 30
# :code: yes
# The clothes are in no column, but they are in the picture. Measure their colour: for example red minus blue, in the middle of the lowest eight rows of pixels. Adjust for it, too. How does the error of the effect of age change, again
# with the log-odds of the captions as the outcome? Take the whole planted bias. How near does this come to knowing the clothes? What is still missing? (Take a larger sample, `grid.fairface(20_000)`.)
# :::
#
# ```{solution-start} confounds-proxy
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rows = seen.images[samples[sample]]
garment = spoken.bias.feature(confounds.UNRECORDED, rows)
patch = faces.render(rows.astype({"photo": int}), 64)[:, 56:, 20:44].astype(float).mean(axis=(1, 2))
colour = (patch[:, 0] - patch[:, 2]) / 255
known = [spoken.bias.feature("age", rows), *confounds.groups(rows), *confounds.covariates(rows, spoken.bias, but="age")]
outcome, goal = confounds.log_odds(spoken, rows, 1.0)[None], confounds.planted_effect(spoken, rows, "age", 1.0)
size = {what: float(np.sqrt(((confounds.slope(outcome, [*known, *more]) - goal) ** 2).mean()))
        for what, more in {"recorded attributes only": [], "also the colour of the pixels": [colour], "also the clothes": [garment]}.items()}
large = spoken.bias.with_looks(grid.fairface(20_000))
large = large[large["race"].isin(confounds.HUES) & (large["years"] >= youngest)]
found_large = confounds.effect_estimates(confounds.log_odds(spoken, large, 1.0)[None], large, spoken.bias, "age")["all known"]
rest = float(np.sqrt(((found_large - confounds.planted_effect(spoken, large, "age", 1.0)) ** 2).mean()))
print(f"The colour of the pixels correlates with that of the clothes at {np.corrcoef(colour, garment)[0, 1]:.2f}. Error if we adjust for:")
print(*(f"  {what}: {value:.2f}" for what, value in size.items()), f"  also the clothes, in a large sample: {rest:.2f}", sep="\n")
# The pixels hold other things, too: a confounder measured with error is adjusted for in part.
assert size["also the colour of the pixels"] < size["recorded attributes only"] and rest < size["also the clothes"] / 2

# %% [markdown]
# Somebody who thinks of the clothes can measure them from the pixels, and repairs a large part of the error. The pixels also show the light and the collar. So they measure the confounder with some error, and adjustment leaves a part of it.
#
# Even with the clothes known, an error is left. In a large sample, most of it goes: it was chance. Other looks, such as hair, also move words, and in a small sample they go along with age by accident.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A collection of photographs shows what the world looks like. An experiment shows what it could look like. For which questions about a model is the number from photographs, with all that goes along, the right one?
# 2. The authors looked for a leak from smiling into brightness, found one and corrected it. Which leaks would nobody think of looking for?
