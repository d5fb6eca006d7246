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
# *A page of the laboratory, after Hausladen, Knott, Camerer and Perona (2025)*
#
# :::{admonition} This page at a glance
# :class: note
#
# **Question.** In photographs that somebody found, smile, age and clothes go along with the group. Can a model seem to judge groups differently there, although its captions taught no difference? Can statistics repair this? Does an experiment do better?
#
# **Answer in short.** In our laboratory, this happens. Regression and matching can repair what comes from *recorded* attributes, such as
# the smile. They cannot repair what comes from an attribute that is not recorded, such as clothes, unless recorded attributes account for it. An experiment changes one attribute and holds all others constant. It is right
# as far as its change is clean.
#
# **In 15 minutes:** {ref}`The answer in one figure <confounds-answer>`, {ref}`Statistics repair what is recorded <confounds-gaps>`,
# {ref}`Take-aways <confounds-take>`. **In 60 minutes:** everything, with both exercises.
#
# **You need:** regression; a *confounder* is something that goes along with the group and also with the result.
#
# **Limits.** We invented how strongly attributes go together here, and how much clothes matter in the captions. No number holds for a real collection of photographs.
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
from studies.greenhouse import confounds
from studies.shown import shown

vb.figures.style()
spoken = grammar.load()

# %% [markdown]
# ## What the authors say: in photographs, attributes go together
#
# {cite:t}`hausladen2025` made faces by computer, and changed one attribute at a time: age,
# smile, light, pose. Their reason:
#
# > "Independently and systematically manipulating face attributes allows us to study the effect of each on social perception and
# > avoids confounds that can occur in wild-collected data due to uncontrolled systematic correlations between attributes."
#
# *Wild-collected* photographs are those that somebody found and gathered, for example on the web. The authors warn that "studies that do not control for
# unprotected visual attributes may reach the wrong conclusions on bias". (A smile is such an attribute: no law forbids treating people differently because of it.)
#
# ### What one may doubt
#
# **Is an experiment needed?** Perhaps it is enough to adjust by regression, or to compare each face with a similar one.
#
# **Is an experiment safe?** Only if the program that changes one attribute changes nothing else. The authors looked for this, and found "a slight
# spurious correlation between facial expression ('Smiling') and the average image brightness". They corrected it, and "observed only minor differences" between results with and without the correction.
#
# With a published model nobody can settle this, because nobody knows the right answer.
#
# ## Photographs and an experiment, in our laboratory
#
# In the [Greenhouse](../../book/greenhouse/limits.md), small networks learn which drawn face goes with which caption. A drawn face has a *hue* (teal, amber or violet) in place of a race, and a *crest* in place of a gender: it is *budded* or *eared* ([more pictures](gallery.ipynb)).
#
# A difference is *planted* if captions use words such as *warm* more often for one group than for another. *Null networks* learn from captions that use
# such words for all groups alike.

# %% tags=["hide-input"]
seen = confounds.everything(retrained.scores("grid"), spoken.bias)  # networks × pictures × traits
samples = {kind: confounds.sample(seen.images, kind, youngest=youngest) for kind in grid.OBSERVED}
found = seen.images[samples[sample]].rename(
    columns={"race": "hue", "gender": "crest", "warm_garment": "red clothes"}
)
experiment = seen.images[seen.images["set"].eq("grid") & seen.images["subset"].eq("prototype")]
drawn = (
    found[found["hue"].isin([grid.HUES[0], grid.HUES[2]])]
    .groupby(["hue", "crest"])
    .head(1)
    .sort_values(["hue", "crest"])
)
same = experiment[experiment["seed"] == experiment["seed"].iloc[0]].iloc[[0, 1, 4, 5]]
painted = drawn.rename(columns={"hue": "race", "crest": "gender"}).astype({"photo": int})
labels = [f"{row.race}, {row.gender}" for part in (painted, same) for row in part.itertuples()]
pictures = [*faces.render(painted, 96), *faces.render(same.drop(columns="photo"), 96)]
vb.figures.show(
    vb.figures.contact_sheet(pictures, labels, columns=4),
    name="confounds-sample",
    alt="Drawn faces. Above, four persons who differ in hue, crest, age, smile, light, pose and clothes at once. Below, one person in two hues and with both crests; nothing else differs.",
    caption="Above: four photographs of the collection. Below: the experiment, one person in other groups.",
    source="greenhouse",
)
vb.note(
    people=len(found),
    persons=experiment["seed"].nunique(),
    n={"full": int((seen.networks["b"] == 1).sum()), "null": int((seen.networks["b"] == 0).sum())},
    trait=words.listed([trait]),
)

# %% [markdown]
# We made two sets of pictures, and showed both to the same {glue:text}`n.null` null networks.
#
# - **"Photographs".** {glue:text}`people` different persons, one picture each. We drew them so that attributes go together, as they may in a found collection.
# - **An experiment.** {glue:text}`persons` persons, each painted in every hue and with both crests. Nothing else changes.
#
# In the table, a larger number means older, a broader smile, or redder clothes.

# %%
attributes = ["age", "smiling", "red clothes"]
by_crest = found.groupby("crest")[attributes].mean()
by_hue = found.groupby("hue")[attributes].mean()
scales = {
    name: "{} ({:g} to {:g})".format(name, *grid.RANGES[name]).replace("-", "−")
    for name in attributes[:2]
}
scales["red clothes"] = "red clothes (about −1 to 1)"
means = pd.concat([by_crest, by_hue]).rename_axis("group").rename(columns=scales)
tables.readable(means).set_caption(
    "Photographs: mean of each group (in brackets: the scale)"
)

# %% tags=["hide-input"]
unlike = by_hue["red clothes"].sort_values()
hues = next(
    name for name, (_, *two) in confounds.pairs().items() if {*two} == {unlike.index[0], unlike.index[-1]}
)
crests = list(confounds.pairs())[-1]
vb.note(
    traits=words.listed([name.replace("_", " ") for name in confounds.DIMENSIONS]),
    step=0.25,
    chance=1 / (1 + np.exp(-0.25)),
    warmest=unlike.index[-1],
    coldest=unlike.index[0],
)

# %% [markdown]
# We suppose that an analyst has a column for age, smile, the direction of light, and pose. These attributes are *recorded*.
# The colour of the *clothes* is not; the table has it only because we drew the pictures. People with {glue:text}`warmest` skin wear the reddest clothes,
# people with {glue:text}`coldest` skin the least red.
#
# In the captions, red clothes and smiles make words such as *warm* more frequent, whoever the person is. Age and light do so a little. This is no bias. But a group that smiles more, or wears redder clothes, may look as if it
# were judged differently.
#
# ## Four ways to estimate a difference
#
# A network's *score* for {glue:text}`trait` says how much better a picture fits sentences with such words than a neutral sentence. The unit is the *logit*: at {glue:text}`step:.2f` logits, the network would choose such a sentence with a chance of {glue:text}`chance:.0%`; at 0, with one half.
# We compare the scores of two groups in four ways:
#
# - **Naive:** the mean of one group's photographs minus that of the other.
# - **Adjusted:** a regression of the score on the group and on everything recorded (also on the hue if crests are compared, and on the crest if hues are).
# - **Matched:** each photograph is compared with the one of the other group that is most similar in what is recorded.
# - **Controlled:** in the experiment, the mean of the same persons in one group minus that in the other.
#
# **What is the right answer?** For null networks, it is zero. A single network may still learn a small difference, by an accident of its training. Accidents have no direction: over many networks their mean should be near zero.
#
# Here are three of the four ways by hand, for one null network and the crests. First, three of the photographs:

# %%
is_null = (seen.networks["b"] == 0).to_numpy()
one_network = np.flatnonzero(is_null)[0]
column = seen.dimensions.index(trait)
photos = found.assign(score=seen.logits[one_network, samples[sample], column])
photos[["hue", "crest", "age", "smiling", "score"]].head(3).round(2)

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
coefficients = np.linalg.lstsq(
    known.to_numpy(), photos["score"].to_numpy(), rcond=None
)[0]
adjusted = coefficients[list(known).index("group")]

# the experiment: the same persons in both groups (crest is "gender" in the code)
shown_faces = seen.logits[one_network, experiment.index, column]
mean = pd.Series(shown_faces).groupby(experiment["gender"].to_numpy()).mean()
controlled = mean[first] - mean[second]
by_hand = pd.Series({"naive": naive, "adjusted": adjusted, "controlled": controlled})
by_hand.round(2)

# %% tags=["hide-input"]
portraits = retrained.scores("people")  # other persons, the same in all groups
of_study = portraits.networks["seed"].isin(seen.networks["seed"])
of_study &= portraits.networks["shows"] & (portraits.networks["condition"] == "none")
every_picture = np.ones(len(portraits.images), bool)
people = shown(portraits, confounds.DIMENSIONS, images=every_picture, networks=of_study)
assert (people.networks["seed"] == seen.networks["seed"]).all()


def between(logits, images, column, first, second):
    """First group minus second, for each network and trait."""
    return logits[:, images[column] == first].mean(axis=1) - logits[:, images[column] == second].mean(axis=1)


def beside(estimates, planted, own, **labels):
    """One row for each way, network and trait, with both right answers: the captions', the network's own."""
    n, names = len(own), confounds.DIMENSIONS
    rows = [
        pd.DataFrame(
            {
                **labels,
                "method": method,
                "network": np.repeat(range(n), len(names)),
                "dimension": names * n,
                "estimate": values.ravel(),
                "planted": np.tile(planted[method], n),
                "own": own.ravel(),
            }
        )
        for method, values in estimates.items()
    ]
    return pd.concat(rows, ignore_index=True)


by_strength = {b: seen.where(seen.networks["b"] == b) for b in (1.0, 0.0)}
differences = []
for pair, groups in confounds.pairs().items():
    for b, part in by_strength.items():
        own = between(people.where(people.networks["b"] == b).logits, people.images, *groups)
        made = {"controlled": between(part.logits[:, experiment.index], experiment, *groups)}
        aim = {"controlled": confounds.planted_gap(spoken, experiment, *groups, b)}
        for kind, chosen in samples.items():
            photographs = part.images[chosen]
            ways = confounds.gap_estimates(part.logits[:, chosen], photographs, spoken.bias, *groups)
            aims = dict.fromkeys(ways, confounds.planted_gap(spoken, photographs, *groups, b))
            differences.append(beside(made | ways, aim | aims, own, pair=pair, b=b, sample=kind))
differences = pd.concat(differences, ignore_index=True)

# %%
# the same for every network, pair and trait: is it the same here?
here = differences[(differences["sample"] == sample) & (differences["b"] == 0)]
one = here[
    (here["network"] == 0) & (here["dimension"] == trait) & (here["pair"] == crests)
]
one = one.set_index("method")["estimate"]
assert np.allclose(by_hand, one[by_hand.index])

# %% tags=["hide-input"]
vb.note(one=by_hand)
vb.holds(nearer_here=bool(abs(adjusted - controlled) < abs(naive - controlled) / 2))

# %% [markdown]
# In the experiment, this network shows a difference of {glue:text}`one.controlled:+.2f` logits, its accident. In photographs it shows {glue:text}`one.naive:+.2f`, and after adjustment {glue:text}`one.adjusted:+.2f`. [Adjustment brings the estimate much nearer to that of the experiment.]{.holds #nearer_here}
#
# (confounds-answer)=
# ## The answer in one figure: what is not recorded stays
#
# If knowing what is recorded is enough, the adjusted mean and the matched mean are as near to zero as the mean of the experiment. A diamond is a mean over networks, with its {glue:text}`level:.0%` interval. On the left are the crests, on the right the hues whose clothes differ most.

# %% tags=["hide-input"]
INK = vb.figures.COLOURS
show_trait = here[here["dimension"] == trait]
fig, axes = vb.figures.panels(1, 2, height=3.6, share_x=True, share_y=True)
intervals = {}
for panel, pair in zip(axes[0], (crests, hues), strict=True):
    panel.axvline(0, color="0.2", linewidth=1.5, linestyle="--", label="planted: nothing")
    for place, method in enumerate(confounds.METHODS[1:] + confounds.METHODS[:1]):
        own = show_trait[(show_trait["pair"] == pair) & (show_trait["method"] == method)]["estimate"]
        panel.plot(
            own,
            np.full(len(own), -place),
            "o",
            color=INK[method],
            alpha=0.5,
            mew=0,
            label="one null network" if place == 0 else None,
        )
        ends = vb.networks.summary(own.to_numpy(), confidence_level=level).iloc[0]
        panel.plot([ends["low"], ends["high"]], [-place, -place], color=INK[method], linewidth=2)
        panel.plot(
            own.mean(),
            -place,
            "D",
            color=INK[method],
            ms=8,
            label="mean and interval" if place == 0 else None,
        )
        intervals[pair, method] = ends["low"], ends["high"]
    panel.set(
        title=pair,
        yticks=range(-3, 1),
        ylim=(-3.5, 0.5),
        yticklabels=["controlled", "matched", "adjusted", "naive"],
    )
fig.supxlabel(f"difference in {words.listed([trait])}, logits", fontsize=12)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=3)
middle = show_trait.groupby(["pair", "method"])["estimate"].mean()
vb.figures.show(
    fig,
    name="confounds-first",
    alt="One dot per null network: the difference between two groups by four estimates. Means: "
    + "; ".join(
        f"{pair}: "
        + ", ".join(
            f"{method} {middle[pair, method]:+.2f}"
            for method in ("naive", "adjusted", "matched", "controlled")
        )
        for pair in (crests, hues)
    )
    + ".",
    caption=f"Difference in {words.listed([trait])} where nothing was planted: {crests} and {hues}. Dashed: the right answer.",
    source="greenhouse",
)

# %% tags=["hide-input"]
def errors(table, by):
    """Root mean square over traits of estimates less each right answer, for each network."""
    squares = table.assign(**{name: (table["estimate"] - table[name]) ** 2 for name in ("planted", "own")})
    roots = squares.groupby([*by, "network"], sort=False)[["planted", "own"]].mean() ** 0.5
    return roots.rename_axis(columns="target").stack().rename("error").reset_index()


gap_off = errors(differences, ["pair", "b", "sample", "method"])
null_off = gap_off[(gap_off["sample"] == sample) & (gap_off["b"] == 0) & (gap_off["target"] == "planted")]
gap_error = null_off.groupby(["pair", "method"], sort=False)["error"].mean().unstack("method")
part = {"crests": crests, "hues": hues}
left = gap_error[["adjusted", "matched"]].div(gap_error["naive"], axis=0)  # share of the error that is left
in_experiment = here[here["method"] == "controlled"].groupby(["pair", "dimension"])["estimate"]
cells = vb.networks.summary({key: own.to_numpy() for key, own in in_experiment}, confidence_level=level)
missing = int(((cells["low"] > 0) | (cells["high"] < 0)).sum())
vb.holds(
    misses_rare=missing <= (1 - level) * len(cells),
    naive_off=all(low > 0 or high < 0 for low, high in (intervals[pair, "naive"] for pair in (crests, hues))),
    crests_repaired=bool((left.loc[crests] < 0.5).all()),
    hues_not=bool(((left.loc[hues] - 1).abs() <= 0.1).all()),
)
vb.note(
    missing=words.among(missing, len(cells)),
    level=level,
    middle={
        name: {method: middle[pair, method] for method in confounds.METHODS} for name, pair in part.items()
    },
)

# %% [markdown]
# **As they are, photographs are far off.** The naive means are {glue:text}`middle.crests.naive:+.2f` logits between the crests and {glue:text}`middle.hues.naive:+.2f`
# between the hues, although nothing was planted. [Neither interval contains zero.]{.holds #naive_off}
#
# **The experiment is near zero.** The same networks show {glue:text}`middle.crests.controlled:+.2f` and {glue:text}`middle.hues.controlled:+.2f`. [Over all pairs of groups and all traits, the interval of the experiment misses zero in {glue:text}`missing` cases, no more often than chance allows.]{.holds #misses_rare}
#
# (confounds-gaps)=
# ### Statistics repair what is recorded
#
# One trait may be an accident. So we take all eight traits that the authors study. The *error* of an estimate is its typical distance from the right answer, here zero (the root mean square over the
# traits, then the mean over networks).

# %%
columns = ["naive", "adjusted", "matched", "controlled", "all known"]
tables.readable(
    gap_error.loc[[crests, hues], columns].rename_axis(index=None, columns="groups"),
    names={"all known": "adjusted, clothes known"},
).set_caption("Where nothing was planted: error in logits, eight traits")

# %% tags=["hide-input"]
before, after = gap_error.loc[hues, "adjusted"], gap_error.loc[hues, "all known"]
in_controlled = gap_error.loc[hues, "controlled"]
vb.note(clothes={"before": before, "after": after})
vb.holds(clothes_cause=bool(after < before / 2), as_near=bool(after <= 1.25 * in_controlled))

# %% [markdown]
# [Between the crests, adjustment and matching both remove more than half of the error.]{.holds #crests_repaired} [Between the hues, the error stays nearly as large, both after adjustment and after matching.]{.holds #hues_not}
#
# Why does adjustment work for crests and fail for hues? Clothes go along with age and smile, which are recorded. Perhaps these account for the clothes of the crests, and not for those of the hues. How much redder are the clothes of one group if
# everything recorded is held constant?

# %%
rows = seen.images[samples[sample]]
redness = found["red clothes"].to_numpy()[None, :, None]  # as of one network, one trait
constant = "everything recorded held constant"
clothes = {}
for pair in (crests, hues):
    two_groups = confounds.pairs()[pair]
    estimate = confounds.gap_estimates(redness, rows, spoken.bias, *two_groups)
    clothes[pair] = {
        "as they are": estimate["naive"].item(),
        constant: estimate["adjusted"].item(),
    }

# by hand, for the crests: the columns `known` of the regression above
coefficients = np.linalg.lstsq(known.to_numpy(), redness.ravel(), rcond=None)[0]
assert np.isclose(coefficients[list(known).index("group")], clothes[crests][constant])
tables.readable(pd.DataFrame(clothes).T.rename_axis(columns="groups")).set_caption(
    "Difference in red clothes between two groups of the photographs"
)

# %% tags=["hide-input"]
kept = {pair: abs(own[constant] / own["as they are"]) for pair, own in clothes.items()}
vb.holds(clothes_gone=kept[crests] < 0.25, clothes_stay=kept[hues] >= 0.75)

# %% [markdown]
# [Between the crests, almost nothing is left of the difference. So whoever adjusts for the recorded attributes takes care of the clothes, too, without knowing them.]{.holds #clothes_gone} [Between the hues, the difference is still there. Adjustment cannot reach it.]{.holds #clothes_stay}
#
# Are clothes really the cause? We know what everybody wears, and the last column of the table of errors adjusts for it.
# Between the hues, the error is {glue:text}`clothes.before:.2f` logits without the clothes, and {glue:text}`clothes.after:.2f` with them. [So most of this error came from the clothes.]{.holds #clothes_cause} [With the clothes known, the error is about that of the experiment.]{.holds #as_near}
#
# An analyst who has only the recorded columns does not see that something is missing.
#
# ### Try it: make one group smile more
#
# The slider decides how strongly smiling goes along with a group in the photographs. The networks stay the same.

# %% tags=["hide-input"]
from studies.greenhouse import collection  # the same as below, where scripts run: readers move the smiles

stops, played = collection.figure()
vb.figures.show(
    played.figure, name="confounds-dial", alt=played.alt, caption=played.caption, source=played.source
)

# %% [markdown]
# ```{play} collection
# ```
#
# An estimate that follows the slider says something about the collection, and not about the networks.
#
# :::{dropdown} Details: which photographs, what the slider changes, and the numbers
# ```{play} collection numbers
# ```
# :::
#
# (confounds-leak)=
# ## An experiment is right as far as its change is clean
#
# A change *leaks* if it also changes something else. We made an experiment that leaks as the authors found it: a smile also brightens the picture.
# The number λ says how strong the leak is, from 0 (clean) to {glue:text}`strongest:.0f`, where a broad smile brightens the picture by two fifths.
#
# We ask the same null networks: how much does the score change when the smile goes from the middle of its scale to the end? The typical size of this *effect* is {glue:text}`size.smiling:.2f` logits. The right answer is what the same network shows in a clean
# experiment with other persons.
#
# Photographs can estimate the effect, too: by a regression of the score on the smile alone (naive), or with everything recorded held constant (adjusted). But a part of the effect of the clothes then counts as an effect of the smile.
#
# For one network, the effect of a smile on its score for {glue:text}`trait`:

# %%
# one network: its effect of a smile, without a leak and with the strongest
of_smile = spoken.bias.features["smiling"]
effect_of_smile = {}
for leak in (0.0, 1.0):
    series = confounds.series(seen.images, "smiling", leak=leak)
    smiles = seen.images.loc[series, "smiling"]
    half_ranges = (smiles - of_smile["centre"]) / of_smile["half_range"]
    scores = seen.logits[one_network, series, column]
    effect_of_smile[leak] = np.polyfit(half_ranges, scores, 1)[0]
pd.Series(effect_of_smile).rename_axis("leak").rename("effect of a smile").round(2)

# %% [markdown]
# Where the line of the figure is below the dashed ones, the experiment is nearer to the right answer than photographs.

# %% tags=["hide-input"]
# effects from photographs and from the clean experiment, and from experiments that leak
EFFECTS, strengths = (
    confounds.EFFECTS,
    [0.0, *np.sort(seen.images.loc[seen.images["set"] == "leak", "leak"].unique())],
)


def of_series(part, name, **which):
    """The effect in a series, for each network and trait."""
    chosen = confounds.series(part.images, name, **which)
    return confounds.slope(part.logits[:, chosen], [spoken.bias.feature(name, part.images[chosen])])


estimates, leaking = [], []
for name in EFFECTS:
    clean = seen.images[confounds.series(seen.images, name)]
    for b, part in by_strength.items():
        own, aim = (
            of_series(part, name, others=True),
            {"controlled": confounds.planted_effect(spoken, clean, name, b)},
        )
        for leak in strengths:
            made = {"controlled": of_series(part, name, leak=float(leak))}
            leaking.append(beside(made, aim, own, effect=name, b=b, leak=float(leak)))
        for kind, chosen in samples.items():
            photographs = part.images[chosen]
            ways = confounds.effect_estimates(part.logits[:, chosen], photographs, spoken.bias, name)
            aims = dict.fromkeys(ways, confounds.planted_effect(spoken, photographs, name, b))
            estimates.append(
                beside(
                    {"controlled": of_series(part, name), **ways},
                    aim | aims,
                    own,
                    effect=name,
                    b=b,
                    sample=kind,
                )
            )
estimates, leaking = pd.concat(estimates, ignore_index=True), pd.concat(leaking, ignore_index=True)
by_hand = leaking.query("b == 0 and effect == 'smiling' and network == 0 and dimension == @trait").set_index(
    "leak"
)["estimate"]
assert np.allclose(pd.Series(effect_of_smile), by_hand[[0.0, 1.0]])

# %% tags=["hide-input"]
off = errors(estimates, ["effect", "b", "sample", "method"])
goals = {
    key: own.set_index("network")["error"]
    for key, own in off[off["sample"] == sample].groupby(["b", "effect", "target", "method"], sort=False)
}
error = {key: own.mean() for key, own in goals.items()}
of_null = estimates[
    (estimates["b"] == 0) & (estimates["sample"] == sample) & (estimates["method"] == "controlled")
]
size = (
    of_null["own"]
    .pow(2)
    .groupby([of_null["effect"], of_null["network"]])
    .mean()
    .pow(0.5)
    .groupby("effect")
    .mean()
)
leak_off = errors(leaking, ["b", "effect", "leak"]).query("target == 'own'")
curves = {
    key: own.pivot(index="network", columns="leak", values="error")
    for key, own in leak_off.groupby(["b", "effect"], sort=False)
}
ahead = {
    key: own.sub(goals[*key, "own", "adjusted"], axis=0) for key, own in curves.items()
}  # above zero: photographs are nearer

# %% tags=["hide-input"]
strongest = max(strengths)
leaks_with = {"age": "the skin changes, too", "smiling": "the picture brightens"}
of_leak, says = {}, {}
for effect in EFFECTS:
    of_leak[effect], axes = vb.figures.panels(1, 1, height=3.6)
    panel, curve = axes[0, 0], curves[0.0, effect]
    for method in ("naive", "adjusted"):
        own = vb.networks.summary(goals[0.0, effect, "own", method].to_numpy(), confidence_level=level).iloc[
            0
        ]
        panel.axhspan(own["low"], own["high"], color=INK[method], alpha=0.12, linewidth=0)
        panel.axhline(
            own["mean"], color=INK[method], linewidth=1.5, linestyle="--", label=f"photographs, {method}"
        )
    own = vb.networks.summary(curve, confidence_level=level)
    panel.fill_between(
        own.index.astype(float), own["low"], own["high"], color=INK["controlled"], alpha=0.2, linewidth=0
    )
    panel.plot(
        own.index.astype(float),
        own["mean"],
        "o-",
        color=INK["controlled"],
        markersize=4,
        label="experiment that leaks",
    )
    panel.set(
        title=f"effect of {effect}: {leaks_with[effect]}",
        xlabel="strength of the leak, λ",
        ylabel="error, logits",
    )
    panel.set_ylim(bottom=0)
    of_leak[effect].legend(*panel.get_legend_handles_labels(), loc="outside upper left", ncols=2)
    says[effect] = {
        "alt": f"Error of an experiment by the strength of its leak, for the effect of {effect}: {curve[0.0].mean():.2f} without a leak, {curve[strongest].mean():.2f} with the strongest. "
        f"Errors of photographs as levels: naive {error[0.0, effect, 'own', 'naive']:.2f}, adjusted {error[0.0, effect, 'own', 'adjusted']:.2f}.",
        "caption": f"How far estimates are from the network's own effect: {len(curve)} null networks, means and {100 * level:.0f} % intervals. Dashed: photographs, which have no leak.",
    }
vb.figures.show(
    of_leak["smiling"],
    name="confounds-leaking",
    alt=says["smiling"]["alt"],
    caption=says["smiling"]["caption"],
    source="greenhouse",
)

# %% tags=["hide-input"]
ends = {key: (own[0.0].mean(), own[strongest].mean()) for key, own in curves.items()}
always = {name: (ahead[0.0, name] <= 0).all(axis=1) for name in EFFECTS}
overtaken = ahead[1.0, "age"][(ahead[1.0, "age"] > 0).any(axis=1)]
first_leak = []  # of each network: where the error of the experiment passes that of photographs
for row in overtaken.to_numpy():
    place = int(np.argmax(row > 0))
    first_leak.append(
        np.interp(0, row[place - 1 : place + 1], strengths[place - 1 : place + 1]) if place else 0.0
    )
n_full = len(curves[1.0, "age"])
vb.note(
    strongest=strongest,
    size={"smiling": size["smiling"]},
    nearer={name: words.among(int(own.sum()), len(own)) for name, own in always.items()},
    clean={name: ends[0.0, name][0] for name in EFFECTS},
    leaked={name: ends[0.0, name][1] for name in EFFECTS},
    leaked_full=ends[1.0, "age"][1],
    overtaken=words.among(len(overtaken), n_full),
    from_leak=min(first_leak, default=None),
)
vb.holds(
    error_grows=bool(ends[0.0, "smiling"][0] < ends[0.0, "smiling"][1]),
    age_grows=bool(ends[0.0, "age"][0] < ends[0.0, "age"][1]),
    always_nearer=bool(always["smiling"].all()),
    age_nearer=bool(always["age"].all()),
    hurts_more=bool(ends[1.0, "age"][1] > ends[0.0, "age"][1]),
    gives_way=bool(0 < len(overtaken) < n_full and min(first_leak) >= 0.5),
)

# %% tags=["hide-input"]
photographs_nearer = {
    (b, name): goals[b, name, "planted", "controlled"] > goals[b, name, "planted", "adjusted"]
    for b in (0.0, 1.0)
    for name in EFFECTS
}
with_clothes = {name: goals[1.0, "smiling", "planted", name] for name in ("adjusted", "all known")}
smile_before, smile_after = (own.mean() for own in with_clothes.values())
count = {key: words.among(int(own.sum()), len(own)) for key, own in photographs_nearer.items()}
vb.note(
    captions={
        "null": count[0.0, "smiling"],
        "full": count[1.0, "smiling"],
        "experiment": words.among(int((~photographs_nearer[1.0, "age"]).sum()), n_full),
    },
    smile={
        "adjusted": smile_before,
        "known": smile_after,
    },
)
vb.holds(pushed=bool(smile_after > smile_before and photographs_nearer[1.0, "smiling"].any()))

# %% [markdown]
# **Error and leak go together.** [As the leak gets stronger, the error grows: it is {glue:text}`clean.smiling:.2f` logits without a leak, and {glue:text}`leaked.smiling:.2f` with the strongest.]{.holds #error_grows}
# [Even then, the experiment is nearer than adjusted photographs in {glue:text}`nearer.smiling` networks.]{.holds #always_nearer}
#
# **Another leak, other networks.** We showed an experiment on age that leaks into the colour of the skin to {glue:text}`n.full` networks whose captions do treat these colours differently. [In {glue:text}`overtaken`, adjusted photographs are nearer if the leak is strong (λ = {glue:text}`from_leak:.2f` or more).]{.holds #gives_way}
#
# **Our right answer may favour the experiment**, because it was measured in another experiment. If we take what was planted in the captions instead, adjusted photographs are nearer than the clean experiment in {glue:text}`captions.null` null networks, and in {glue:text}`captions.full` networks with planted differences.
# A box below shows how an estimate can be near the captions for a wrong reason.
#
# :::{dropdown} Details: a leak into the colour of the skin
# In this experiment, a face that is made older also changes its skin, from red to blue. Hues mean nothing to null networks.
#
# [In null networks, the error in the effect of age grows, from {glue:text}`clean.age:.2f` logits to {glue:text}`leaked.age:.2f` (figure below these boxes).]{.holds #age_grows} [Even then, the experiment is nearer than adjusted photographs in {glue:text}`nearer.age` networks.]{.holds #age_nearer}
#
# To {glue:text}`n.full` other networks the colour of the skin means something: we planted differences between hues in their captions. [The strongest leak into the skin hurts them more: their error in the effect of age is {glue:text}`leaked_full:.2f` logits.]{.holds #hurts_more}
# :::
#
# :::{dropdown} Details: an estimate can be near the captions for a wrong reason
# For every face we can compute the log-odds that a caption has a word of a trait, and how they would change if the face smiled a little more. How far are estimates from this, in the {glue:text}`n.full` networks with planted differences?
#
# For age, the experiment is nearer to the captions in {glue:text}`captions.experiment` networks. For smiling, adjusted photographs are nearer in {glue:text}`captions.full`.
#
# Is adjustment the better method for smiles, then? If it were, it should come still nearer when the clothes are known as well. But its mean distance from the
# captions is {glue:text}`smile.adjusted:.2f` logits without the clothes and {glue:text}`smile.known:.2f` with them. [This suggests that the unrecorded clothes had pushed the estimate towards the captions.]{.holds #pushed}
#
# Suppose that the captions hold an effect of 1 logit, and that a network learned only 0.8 of it. A right estimate then seems too low; one that is 0.2 too high seems perfect. So one must say what the right answer is, before one compares methods.
# :::
#
# :::{dropdown} Details: both collections, both kinds of networks, both right answers
# The tables below these boxes have the errors of all estimates (means over networks). They add a second collection of photographs: one imitates FairFace, the other UTKFace.
# Each error is given for two right answers: what the captions hold, and what the same network shows in a clean experiment on other persons ("the network's own"). The eight traits are {glue:text}`traits`.
# :::

# %% tags=["hide-cell"]
vb.figures.show(
    of_leak["age"],
    name="confounds-leaking-age",
    alt=says["age"]["alt"],
    caption=says["age"]["caption"],
    source="greenhouse",
)

# %% tags=["hide-cell"]
HEADS = {
    "b": "strength of planted bias",
    "sample": "collection",
    "pair": "groups",
    "planted": "captions",
    "own": "the network's own",
    "all known": "adjusted, clothes known",
    "target": "compared with",
}
order = [(target, method) for target in ("planted", "own") for method in columns]


def typical(errors, of, called):
    """The mean error over networks, a column for each right answer and method."""
    means = errors.groupby([of, "b", "sample", "target", "method"], sort=False)["error"].mean()
    caption = f"Error of {called}, logits: root mean square over eight traits, mean over networks"
    return tables.readable(means.unstack(["target", "method"])[order], names=HEADS).set_caption(caption)


typical(gap_off, "pair", "a difference between groups")

# %% tags=["hide-cell"]
typical(off, "effect", "an effect")

# %% [markdown]
# ## What this means
#
# **For the paper.** The authors' reason for an experiment is a good one: statistics do not remove what comes from something unrecorded, unless what is recorded accounts for it. They also looked for a leak.
# Our laboratory does not show how far off studies of real photographs are.
#
# **For your own work.** With photographs, record and adjust for as much as you can: light, pose, expression, clothes, background. Then ask what else might go along with the group, and whether the pictures show it ({ref}`Exercise 2 <confounds-proxy>`). With
# pictures that you make, report what else your change has changed.
#
# (confounds-take)=
# ## Take-aways
#
# - Where smile, age and clothes go along with the group, photographs can show differences that were never planted.
# - Regression and matching can repair what is recorded, and what goes along with it. Differences from anything else stay, and the recorded columns do not show how large they are.
# - An experiment holds everything else constant, recorded or not. It is right as far as its change is clean.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run greenhouse/confounds -p sample=utkface -p youngest=0
# ```
# With `--seeds 0` it is quicker.
# :::
#
# ## Exercises
#
# :::{exercise} Without the unrecorded
# :label: confounds-without
# :level: advanced
# :minutes: 25
# :code: yes
# Leave out the networks. Take as the outcome, for every face, the log-odds that its caption has a word of *warmth* (`confounds.log_odds`; nothing planted). How far is the adjusted effect of smiling from the
# one in the captions? Draw 2,000 persons twice: with clothes that go along with the smile, and without (`grid.fairface(2_000, unrecorded=0)`). What does the rest come from?
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
    missed[strength] = float(
        (adjusted - confounds.planted_effect(spoken, rows, "smiling", 0.0))[
            confounds.DIMENSIONS.index("warmth")
        ]
    )
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
# The clothes are in no column, but they are in the picture. Measure their colour (red minus blue, in the middle of the lowest eight rows of pixels), and adjust for it. The outcome is again the log-odds of the captions, with planted differences. How does the error of the effect of age change?
# How near does this come to knowing the clothes? What is still missing? (Take a larger sample, `grid.fairface(20_000)`.)
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
known = [
    spoken.bias.feature("age", rows),
    *confounds.groups(rows),
    *confounds.covariates(rows, spoken.bias, but="age"),
]
outcome, goal = (
    confounds.log_odds(spoken, rows, 1.0)[None],
    confounds.planted_effect(spoken, rows, "age", 1.0),
)
size = {
    what: float(np.sqrt(((confounds.slope(outcome, [*known, *more]) - goal) ** 2).mean()))
    for what, more in {
        "recorded attributes only": [],
        "also the colour of the pixels": [colour],
        "also the clothes": [garment],
    }.items()
}
large = spoken.bias.with_looks(grid.fairface(20_000))
large = large[large["race"].isin(confounds.HUES) & (large["years"] >= youngest)]
found_large = confounds.effect_estimates(
    confounds.log_odds(spoken, large, 1.0)[None], large, spoken.bias, "age"
)["all known"]
rest = float(np.sqrt(((found_large - confounds.planted_effect(spoken, large, "age", 1.0)) ** 2).mean()))
print(
    f"The colour of the pixels correlates with that of the clothes at {np.corrcoef(colour, garment)[0, 1]:.2f}. Error if we adjust for:"
)
print(
    *(f"  {what}: {value:.2f}" for what, value in size.items()),
    f"  also the clothes, in a large sample: {rest:.2f}",
    sep="\n",
)
# The pixels hold other things, too: a confounder measured with error is adjusted for in part.
assert (
    size["also the colour of the pixels"] < size["recorded attributes only"]
    and rest < size["also the clothes"] / 2
)

# %% [markdown]
# Somebody who thinks of the clothes can measure them from the pixels, and repairs a large part of the error. But the pixels also show the light and the collar, so adjustment leaves a part of it.
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
