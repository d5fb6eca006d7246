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
# **Question.** In photographs that somebody found, many attributes go together. Do such photographs show differences between groups that were never
# planted? Can statistics repair this? And how good does an experiment have to be, to do better?
#
# **Answer in short.** In our laboratory, photographs show differences that nobody planted. Regression and matching help against what was *recorded*, such as
# the smile. They do not help against what was not recorded: in our pictures, the clothes. An experiment that changes one attribute at a time avoids both. It goes wrong to the degree that it changes something else
# as well.
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
# that we wrote. A face has a *hue* (teal, amber, violet) and a *crest* (buds or ears) where the paper has race and gender
# ([pictures](gallery.ipynb)). A difference is *planted* if captions speak of one group in other words than of another. Captions of *null networks* speak of all groups alike: nothing
# is planted.

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
# - **Photographs.** {glue:text}`people` different persons, one picture each. Attributes go together, as they may in a found collection.
# - **An experiment.** {glue:text}`persons` persons, each painted in every hue and with both crests. Nothing else changes. (Further series change age or smile alone.)
#
# How do attributes go together in the photographs? The table has the mean of each group.

# %%
attributes = ["age", "smiling", "lighting", "red clothes"]
by_crest = found.groupby("crest")[attributes].mean()
by_hue = found.groupby("hue")[attributes].mean()
tables.readable(pd.concat([by_crest, by_hue]).rename_axis("group"), signed=True).set_caption(
    "Photographs: mean of each group, on the scale of each attribute"
)

# %% tags=["hide-input"]
unlike = by_hue["red clothes"].sort_values()
hues = next(name for name, (_, *two) in confounds.pairs().items() if {*two} == {unlike.index[0], unlike.index[-1]})
crests = list(confounds.pairs())[-1]
merry, grave = by_crest["smiling"].idxmax(), by_crest["smiling"].idxmin()
vb.note(hues=hues.replace(" − ", " and "), crests=crests.replace(" − ", " and "), merry=merry, grave=grave, warmest=unlike.index[-1], coldest=unlike.index[0])

# %% [markdown]
# We suppose that age, smile, light and pose are *recorded*: each stands in a column of the data. The two crests differ mainly in such things. For example,
# {glue:text}`merry` faces smile more than {glue:text}`grave` ones.
#
# The hues also differ in something that no column holds: the colour of the *clothes* (in the table: how much redder than blue). It is reddest in {glue:text}`warmest` people and least red in
# {glue:text}`coldest` people.
#
# In the captions, red clothes and smiles make words such as *warm* more frequent, whoever wears them. This is no bias: captions treat all groups alike. But a group that smiles more, or wears more red, may look as if it
# were judged differently.
#
# ## Four ways to estimate a difference
#
# What does a network make of two groups? We take its score for {glue:text}`trait`, in *logits* (steps on the scale of log-odds), and compare the groups in four ways.
#
# - **Naive:** the mean of one group's photographs minus that of the other.
# - **Adjusted:** a regression that holds everything recorded constant.
# - **Matched:** each photograph is compared with the most similar one of the other group, by what is recorded.
# - **Controlled:** the experiment. The mean of the same persons in one group minus that in the other.
#
# Here is the whole calculation for one null network. These are three of its photographs:

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

# the experiment: the same persons in both groups
shown_faces = seen.logits[one_network, experiment.index, column]
mean = pd.Series(shown_faces).groupby(experiment["gender"].to_numpy()).mean()
controlled = mean[first] - mean[second]
by_hand = pd.Series({"naive": naive, "adjusted": adjusted, "controlled": controlled})
by_hand.round(2)

# %%
# the same for all networks, pairs of groups and traits
portraits = retrained.scores("people")  # other persons, the same in all groups
of_study = portraits.networks["seed"].isin(seen.networks["seed"])
of_study &= portraits.networks["shows"] & (portraits.networks["condition"] == "none")
every_picture = np.ones(len(portraits.images), bool)
people = shown(portraits, confounds.DIMENSIONS, images=every_picture, networks=of_study)
differences = confounds.gaps(seen, people, spoken, samples)

here = differences[(differences["sample"] == sample) & (differences["b"] == 0)]
one = here[(here["network"] == 0) & (here["dimension"] == trait) & (here["pair"] == crests)]
one = one.set_index("method")["estimate"]
assert np.allclose(by_hand, one[by_hand.index])

# %% tags=["hide-input"]
vb.note(one=by_hand, one_case=confounds_words.one_case(naive - controlled, adjusted - controlled))

# %% [markdown]
# {.if-run}
# In photographs as they are, this network shows a difference of {glue:text}`one.naive:+.2f` logits between the crests. In the experiment it shows {glue:text}`one.controlled:+.2f`: a
# small accident of this one network, which comes from its own training. {glue:text}`one_case` The next network has another accident. So we look at all of them.
#
# (confounds-answer)=
# ## The answer in one figure: what is not recorded stays
#
# The figure has all {glue:text}`n.null` null networks. On the left are the crests, which differ mainly in what is recorded. On the right are the two hues whose clothes differ most. Nothing was planted, so the right mean is zero.
# Single networks scatter around it by accident.

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
# One trait may be an accident. So we ask for all eight traits of the paper. The *error* of an estimate is its typical distance from the right answer (the root mean square over the eight
# traits, and then the mean over networks).

# %%
columns = ["naive", "adjusted", "matched", "controlled", "all known"]
tables.readable(
    gap_error.loc[[crests, hues], columns],
    names={"all known": "adjusted, clothes known", "pair": "groups"},
).set_caption("Where nothing was planted: error in logits, eight traits")

# %% tags=["hide-input"]
before, after = gap_error.loc[hues, "adjusted"], gap_error.loc[hues, "all known"]
in_experiment = here[here["method"] == "controlled"].groupby(["pair", "dimension"])["estimate"]
cells = vb.networks.summary({key: own.to_numpy() for key, own in in_experiment}, confidence_level=level)
missing = int(((cells["low"] > 0) | (cells["high"] < 0)).sum())
vb.note(misses=confounds_words.misses(missing, len(cells), level), clothes={"gap": confounds_words.with_clothes(before, after), "gap_cause": confounds_words.cause(before, after), "before": before, "after": after})

# %% [markdown]
# {.if-run}
# **Crests.** They differ mainly in what is recorded. Here {glue:text}`repairs.crests`.
#
# {.if-run}
# **Hues.** Their clothes differ, and no column says so. Here {glue:text}`repairs.hues`.
#
# {.if-run}
# Is it really the clothes? In our world we can find out, since we know what everybody wears. The last column of the table adjusts for the clothes, too.
# {glue:text}`clothes.gap`: {glue:text}`clothes.before:.2f` without the clothes, {glue:text}`clothes.after:.2f` with them. {glue:text}`clothes.gap_cause`. With real photographs, nobody could have computed this column, and nothing in the data
# would have shown that it was needed.
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
# The right answer stands still. So an estimate that follows the slider says something about the collection, and not about the networks.
#
# :::{dropdown} Details: which photographs, what the slider changes, and the numbers
# ```{collection} numbers
# ```
# :::
#
# (confounds-effects)=
# ## The same holds for what age and smile do
#
# So far the question was about groups. The authors also ask about attributes: how does a judgement change with age, or with a smile? We now take the {glue:text}`n.full` networks whose captions
# hold the whole planted bias.
#
# What is the right answer here? A network need not learn exactly what its captions hold. So we take the effect that *this network* shows in clean series of other persons, in which only the age or only the smile changes.

# %%
estimates = confounds.effects(seen, spoken, samples)  # logits, per half of the attribute's range
off = confounds.errors(estimates, ["effect", "b", "sample", "method"])
full = off[(off["b"] == 1) & (off["sample"] == sample)]
effect_error = full.groupby(["target", "effect", "method"], sort=False)["error"].mean()
effect_error = effect_error.unstack("method")
tables.readable(
    effect_error.loc["own", columns],
    names={"all known": "adjusted, clothes known", "effect": "effect of"},
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
# Suppose now that clothes were recorded as well. {glue:text}`effect_clothes`
#
# The experiment has an error of {glue:text}`control.age:.2f` logits for age and of {glue:text}`control.smiling:.2f` for the smile. But our right answer comes from an experiment, too, with other persons. This may favour the
# experiment. So we also use another right answer: the captions.
#
# (confounds-targets)=
# ### An estimate can be near the captions for a wrong reason
#
# From the captions one can compute how the words would change if every face were a little older, or smiled a little more. How far are the estimates from this?

# %%
tables.readable(
    effect_error.loc["planted", columns],
    names={"all known": "adjusted, clothes known", "effect": "effect of"},
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
        pushed=confounds_words.pushed(smile_before, smile_after) if worse["smiling", "planted"] else None, smile={"adjusted": smile_before, "known": smile_after})
count = pd.DataFrame({"experiment nearer at every leak": {key: words.among(int(np.isinf(one).sum()), len(one)) for key, one in crossed.items()},
                      "experiment further off without a leak": {key: words.among(int((one == 0).sum()), len(one)) for key, one in crossed.items()}})
count.rename_axis(["effect", "target", "sample", "against"]).pipe(tables.readable, names={"planted": "captions", "own": "the network's own", "target": "compared with", "sample": "collection", "against": "photographs"}).set_caption(
    "The leaking experiment against each estimate from photographs, network by network")

# %% [markdown]
# {.if-run}
# {glue:text}`captions.age` {glue:text}`captions.smiling`
#
# {.if-run}
# Is adjustment the better method for smiles, then? Look at what happens if the clothes are known as well. This repairs a fault of the analysis. The distance from the
# captions was {glue:text}`smile.adjusted:.2f` logits, and is then {glue:text}`smile.known:.2f`. {glue:text}`pushed`
#
# A network may have learned only a part of what its captions hold. Then a right estimate of what *it* does falls short of the captions, and an error in the right direction makes up for it.
#
# (confounds-leak)=
# ## An experiment is right as long as it leaks little
#
# What if the experiment is not clean? We say that a manipulation *leaks* if it also changes something else. We made two leaks. In the first, a
# face that is made older also changes its skin, from red to blue. In the second, a smile also brightens the picture: this is the leak that the authors found, and corrected.
#
# The number λ says how strong the leak is, from 0 (clean) to {glue:text}`strongest:.0f`, the strongest that we tried. There, the oldest skin is blue and the youngest red; and a broad smile brightens the picture by two fifths.
#
# The first network with the full planted bias, for example. We estimate how its score for {glue:text}`trait` changes with age (in logits for half the range of ages):

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
    caption=f"Error against the network's own effect, in {n_networks} networks with the whole planted bias: means and {100 * level:.0f} % intervals. Dashed: photographs, which have no leak.",
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
# {glue:text}`leaky` It is nearer at every leak that we tried in {glue:text}`always.age.own` networks for age, and in {glue:text}`always.smiling.own` networks for the smile.
#
# {.if-run}
# At some leak, adjusted photographs become nearer in the other networks. {glue:text}`gives_way` (The folded tables have the second collection and the captions.)
#
# How much a leak hurts depends on two things: how far it changes the picture, and what the network makes of this change. Nobody in our captions cares about brightness. A network that does would suffer more
# from the second leak. So these strengths hold for our leaks and our networks only.
#
# There is one more difference. A leak can be looked for: the authors compared the brightness of their pictures, and found one. A confounder that nobody recorded cannot be found in the data.
#
# :::{dropdown} Details: both collections, both strengths of bias, both right answers
# The tables have the errors of all estimates. *Collection*: one imitates FairFace, the other UTKFace; they differ in who is in them. *Captions*: compared with what captions hold. *The network's own*: compared with what the
# same network shows in a clean experiment on other persons. Every estimate of a network is compared with its own right answer; then errors are averaged over networks.
#
# {.if-run}
# *Is the experiment exact?* We take its mean for every pair of groups and every trait where nothing was planted, with an interval. {glue:text}`misses`
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
# - Regression and matching can repair what was recorded. What was not recorded stays, and nothing in the data says how much it is.
# - An experiment avoids this. It goes wrong as far as its manipulation leaks, and leaks can be looked for.
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
# Leave out the networks. Take the *planted* log-odds of the captions themselves as the outcome (`confounds.log_odds`), where no group is treated differently. How far is the adjusted effect of smiling on *warmth* from the
# planted one? Use a sample of 2,000, once with the unrecorded clothes at full strength, and once without them (`grid.fairface(2_000, unrecorded=0)`). What does the rest come from?
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
# Adjustment takes out what is recorded. Without the unrecorded clothes, most of the error goes. What stays has two causes: a straight line is laid
# through log-odds that bend, and the sample has only two thousand people.
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
# with the planted log-odds as the outcome? Take the full planted bias. Why is this not as good as knowing the clothes?
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
        for what, more in {"recorded only": [], "and the pixels": [colour], "and the garment": [garment]}.items()}
print(f"pixels and garment correlate at {np.corrcoef(colour, garment)[0, 1]:.2f}; " + ", ".join(f"{what}: {value:.2f}" for what, value in size.items()))
# Exposure, tint, collar and trim are in the pixels, too: a confounder measured with error is adjusted for in part.
assert size["and the pixels"] < size["recorded only"]

# %% [markdown]
# The pixels show the clothes, but also the exposure, the tint, the collar and the trim. So they measure the confounder with error. Adjustment then removes a part of it,
# and what the measurement misses stays in the estimate.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. A collection of photographs shows what the world looks like. An experiment shows what it could look like. For which questions about a model is the number from photographs, with all that goes along, the right one?
# 2. The authors looked for a leak from smiling into brightness, found one and corrected it. Which leaks would nobody think of looking for?
