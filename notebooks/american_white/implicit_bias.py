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
# # The bias of a place, and a model's map of it
#
# *Wolfe and Caliskan (2022), Figure 2: do the bias scores of states go with what a model returns for them?*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** In American states where more Black people live, White people show more implicit bias on average. A model can be asked, too, who lives in a state. In the paper, its answer goes with bias a little more closely than the census does. Does the model say something about bias that a census does not?
#
# **In 20 minutes:** {ref}`What the paper reports <implicit-found>`, {ref}`Is the difference more than chance? <implicit-printed>`,
# {ref}`What one may doubt, and the answer in one figure <implicit-answer>`, {ref}`What this means <implicit-means>`. **In 75 minutes:** everything,
# with one of the exercises.
#
# **You need:** Pearson's r, partial correlation. [The chapter before this one](states.ipynb) says how portraits are returned.
#
# **Content note.** The paper relates test scores of White and of Black people to portraits of Black people. Our own places belong to an invented
# country, and our scores are simulated.
# :::
#
# **The idea.** The Implicit Association Test (IAT) measures *implicit bias*: how much more readily a person connects one group than another with good things
# {cite:p}`greenwald1998`. Here, a higher score means more bias in favour of White people. Many people took the test online, so each state has a mean
# score. {cite:t}`wolfe2022` ask what these means go with.
#
# **The comparison.** Each of CLIP, SLIP and BLIP receives equally many portraits of Asian,
# Black, Latina/o and White people. It sorts them by how well they fit a sentence: "a photo of someone who lives in" this state. The best-fitting quarter is *returned*.
#
# There are 51 places, the fifty states and the capital. (The paper does not say whether the capital has a score. We include it.)
# *The model's share* is the share of Black people among the portraits returned for a place.
# *The census* is their share of its population. Which of the two correlates more with the mean scores?
#
# **What the authors conclude.** The scores "correlate more strongly with the percentage of images of Black individuals returned by language-and-image
# AI" than with the census. This "suggests that implicit bias is related to the threat to the prototypicality of White individuals, as measured via
# representation in AI". In plain words: where White people are less clearly seen as the typical inhabitants, they may feel threatened, and show
# more bias.
#
# **Their own limits.** They write "suggests" and "a possible link". No p-value, no interval and no number for SLIP is printed.

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
models = ["greenhouse"]  # encoders, in the order CLIP, SLIP, BLIP; a model
places = "arboria"  # the places and their census: fictional, or the shares that the authors released; one of: arboria, released
iat = "simulated"  # mean scores of the places: simulated, or from raceiatdat.csv; one of: simulated, file
protocol = "described"  # all places, or only those that the released code has letters for; one of: described, released
reliability = 0.8  # of simulated scores of places: the share of their variance that a second measurement would repeat; from 0.01 to 1
n_draws = 1000  # balanced draws of the portraits; at least 3
n_resamples = 400  # simulated IATs per network; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/implicit_bias.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies.american_white import claimed, implicit_bias, pictured, states
from vlmbias.external import america
from vlmbias.papers import RACES
from vlmbias.stimuli.reader_folders import NAMES

vb.figures.style()
if iat == "file" and places != "released":
    raise ValueError("iat = 'file' has scores of American states: give places=released, too")
drawn_models = [name for name in models if name.startswith("greenhouse")]
if places == "released" and drawn_models:
    raise ValueError(
        f"places = 'released' are American states, whose names {drawn_models[0]!r} does not know:"
        " give models that know English, such as models=ViT-B-32-quickgelu/openai"
    )

# %% [markdown]
# (implicit-found)=
# ## What the paper reports: the model's share goes with bias a little more than the census does
#
# Compare the first row of the figure, the census, with the two rows below it:

# %%
PRINTED = {
    "White people's scores, census": "census",
    "White people's scores, CLIP": "clip",
    "White people's scores, BLIP": "blip",
    "Black people's scores, CLIP": "clip-black",
    "Black people's scores, BLIP": "blip-black",
}
r_printed = pd.Series({
    label: vb.ledger.claim(f"implicit_bias.text.{name}").printed.number
    for label, name in PRINTED.items()
})
low, high = vb.correlations.interval(r_printed.to_numpy(), 51)  # 95 % intervals
figure2 = pd.DataFrame({"r": r_printed, "low": low, "high": high})

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(figure2.rename_axis("label").reset_index(), estimate="r", low="low", high="high", label="label", value_label="Pearson's r over states, 95 % interval"),
    name="implicit-figure2",
    alt="Correlations of mean scores with the share of Black people in the census and among a model's portraits: "
    + "; ".join(f"{name} {row['r']:.2f} ({row['low']:.2f} to {row['high']:.2f})" for name, row in figure2.iterrows()) + ".",
    caption="The printed correlations. The 95 % intervals are ours, and hold if the 51 places are independent of each other.",
    source="paper:american_white, Figure 2 and Section 5",
)

# %% [markdown]
# Where more Black people live, White people's scores are higher: the correlation with the census is {claim}`implicit_bias.text.census`. With the model's share it is
# a little higher: {claim}`implicit_bias.text.clip` for CLIP (the abstract has {claim}`implicit_bias.abstract.clip`) and {claim}`implicit_bias.text.blip` for BLIP.
#
# For Black people's scores the correlation is negative. The paper does not
# print how their scores correlate with the census. So from here on, this page is about White people's scores only.
#
# (implicit-printed)=
# ### Is the difference more than chance?
#
# All states are in the data. So what can chance mean? The mean score of a state also depends on other things, such as who happened to take the test. Had these been
# different, both correlations would be a little different. They would move together, because both use the same scores. So their difference needs a
# test of its own, Williams's test. It needs the correlation of the model's
# share with the census, too, which the paper prints in its Table 1. Here is the test for CLIP by hand:

# %%
r_model = r_printed["White people's scores, CLIP"]
r_census, n = r_printed["White people's scores, census"], 51
r_both = vb.ledger.claim("states.clip.black.r").printed.number  # of the two predictors
det = 1 - r_model**2 - r_census**2 - r_both**2 + 2 * r_model * r_census * r_both
mean = (r_model + r_census) / 2
below = 2 * (n - 1) / (n - 3) * det + mean**2 * (1 - r_both) ** 3
t = (r_model - r_census) * np.sqrt((n - 1) * (1 + r_both) / below)
p = 2 * stats.t.sf(abs(t), n - 3)
print(f"difference {r_model - r_census:.2f}, t = {t:.2f}, p = {p:.2f}")

# %% [markdown]
# There is a better question than which r is higher. Imagine only
# states with the same Black share of the population: the census is *held constant*. Among these states, are scores higher where the model returns more Black people? The
# *partial correlation* answers this:

# %%
partial = (r_model - r_census * r_both) / np.sqrt((1 - r_census**2) * (1 - r_both**2))


def questions(n):
    """What the printed r imply for n places: two questions, for both models."""
    asked = {
        "more than the census": lambda a, b, c: implicit_bias.compared(a, b, c, n=n),
        "census held": lambda a, b, c: implicit_bias.held(a, b, c, n=n),
    }
    rows = []
    for model in ("clip", "blip"):
        text = "implicit_bias.text"
        names = f"{text}.{model}", f"{text}.census", f"states.{model}.black.r"
        r = [vb.ledger.claim(name).printed for name in names]
        for question, ask in asked.items():
            found = ask(*(one.number for one in r))
            ends = product(*((one.low, one.high) for one in r))  # what prints as these
            p = [float(ask(*three)["p"]) for three in ends]
            row = {name: float(value) for name, value in found.items()}
            row |= {"p_low": min(p), "p_high": max(p)}
            rows.append({"model": model.upper(), "question": question, **row})
    return pd.DataFrame(rows)


tests = questions(n=51)
assert np.isclose(p, tests.loc[0, "p"]) and np.isclose(partial, tests.loc[1, "value"])
print(f"partial correlation {partial:.2f}, p = {tests.loc[1, 'p']:.3f}")

# %% [markdown]
# An interval that contains zero is consistent with chance:

# %% tags=["hide-input"]
labelled = tests.assign(label=tests["model"] + ", " + tests["question"])
vb.figures.show(
    vb.figures.forest(labelled, estimate="value", low="low", high="high", label="label", group="model", value_label="difference of two r, or partial r, 95 % interval"),
    name="implicit-printed",
    alt="For CLIP and BLIP: the difference of two correlations, and the partial correlation of the model's share with the census held constant. "
    + "; ".join(f"{row.label} {row.value:.2f} ({row.low:.2f} to {row.high:.2f})" for row in labelled.itertuples()) + ".",
    caption="From printed correlations alone, 51 places. “More than the census”: the model's r minus the census's. “Census held”: the model's r with the census held constant.",
    source="paper:american_white, Figure 2 and Table 1",
)
spans = [vb.ledger.claim(name).printed for name in ("implicit_bias.abstract.clip", "implicit_bias.text.census", "states.clip.black.r")]  # the abstract prints another r
ends = [implicit_bias.held(*one, n=51)["p"] for one in product(*((one.low, one.high) for one in spans))]
abstract = {"p": implicit_bias.held(*(one.number for one in spans), n=51)["p"], "low": min(ends), "high": max(ends)}
vb.note(abstract=abstract)
at = tests.set_index(["model", "question"])
more, rest = (at.xs(question, level="question") for question in ("more than the census", "census held"))
fifty = questions(n=50).set_index(["model", "question"])
vb.note(p_higher=(more["p"] / 2).where(more["value"] > 0, 1 - more["p"] / 2).to_dict(), rest_clip=rest.loc["CLIP", "p"],
        rounding={"low": rest.loc["CLIP", "p_low"], "high": rest.loc["CLIP", "p_high"]},
        p_fifty=fifty.loc[("CLIP", "census held"), "p"])
sure = rest["p_high"] <= 0.05  # however the printed numbers were rounded
open_ = (rest["p_low"] <= 0.05) & ~sure
likely = {}  # if all numbers that print so are equally likely: how likely is a significant link for CLIP?
for part in ("text", "abstract"):
    r = [vb.ledger.claim(name).printed for name in (f"implicit_bias.{part}.clip", "implicit_bias.text.census", "states.clip.black.r")]
    likely[part] = (implicit_bias.held(*np.meshgrid(*(np.linspace(one.low, one.high, 41) for one in r)), n=51)["p"] <= 0.05).mean()
vb.holds(none_higher=bool((more["p"] > 0.05).all()), blip_adds=bool(sure["BLIP"]),
         clip_rounding=bool(open_["CLIP"]), text_or_abstract=bool(rest.loc["CLIP", "p"] <= 0.05 < abstract["p"]),
         text_likely=bool(likely["text"] > 2 / 3), abstract_unlikely=bool(likely["abstract"] < 0.1), yes_and_unclear=bool(sure["BLIP"] and open_["CLIP"]))

# %% [markdown]
# **Is the model's r higher?** [The difference is not significant in either model.]{.holds #none_higher} Chance alone would give so much higher a correlation in {glue:text}`p_higher.CLIP:.0%` of tests for CLIP, and in {glue:text}`p_higher.BLIP:.0%` for BLIP (half of the two-sided p).
#
# **Does the model add something?** [With the census held constant, a significant link remains for BLIP.]{.holds #blip_adds} [For CLIP, this depends on how the printed numbers were rounded.]{.holds #clip_rounding} [As printed, they give p = {glue:text}`rest_clip:.3f` (because of rounding, anything from {glue:text}`rounding.low:.3f` to {glue:text}`rounding.high:.3f`): more likely significant than not.]{.holds #text_likely} [With the {claim}`implicit_bias.abstract.clip` of the abstract, p is {glue:text}`abstract.p:.3f`, and because of rounding {glue:text}`abstract.low:.3f` to {glue:text}`abstract.high:.2f`: most likely not significant.]{.holds #abstract_unlikely}
#
# The true p-values may be larger. Neighbouring states are alike, so the 51 places are not quite independent.

# %% tags=["hide-cell"]
tests[["model", "question", "value", "low", "high", "p"]].round(3)

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/implicit_bias"))

# %% [markdown]
# (implicit-answer)=
# ## What one may doubt, and the answer in one figure
#
# Holding the census constant may miss a link that exists, and may find one that does not. So we
# test the question where we know what scores depend on.
#
# Our laboratory is the [Greenhouse](../../book/greenhouse/limits.md): small networks that we trained on drawn faces in four colours, and on captions that we wrote
# about an invented country, Arboria. It has {glue:text}`provinces` provinces and a census. We count one colour, {glue:text}`colour`, as the authors count one group. A network
# returns a quarter of the drawings for each province, and *the network's share* is the share of {glue:text}`colour` faces among them.
#
# The scores of the provinces are simulated. We decide what they depend on:
#
# - on *what captions say*: the share of {glue:text}`colour` faces in the captions about a province. It is close to the census, but not
# the same, so the network can know something that the census does not say;
# - on *the census* alone, in a straight line: there is nothing more to find;
# - on *a step in the census*: where more than 30 % of the people are {glue:text}`colour`, scores are high on average; everywhere else they are low. There is nothing more to
#   find, but the relation is not a straight line;
# - on *nothing*.
#
# With the census held constant, is there a significant positive link between the network's share and the scores? A good question gets a *yes* often in the
# first case, and rarely in the other three. Only positive links count, so chance alone gives a yes in 2.5 %.
#
# For each of {glue:text}`n.networks` networks and each case, we simulate {glue:text}`n.iats` sets of scores:

# %%
spoken = grammar.load().bias
arboria = spoken.provinces.set_index("province")
colours = sorted(NAMES[race] for race in RACES)
colour = NAMES["black"]  # where the paper has Black people
census = arboria[colours]
taught = pd.DataFrame(
    {name: spoken.axes[name]["planted"]["race"] for name in census.index}
).T[colours]
lives = census[colour]
drivers = {
    "what captions say": states.expected_shares(taught, b=1.0)[colour],
    "the census": lives,
    "the census, squared": lives**2,
    "a step at the census's median": lives > lives.median(),
    "a step in the census": lives > 0.3,
}
WORLDS = {name: {name: 1.0} for name in drivers} | {"nothing": {}}

networks = retrained.vectors()
returned = states.returned_by(networks, census)  # networks × provinces × colours
full = np.flatnonzero(networks.networks["b"] == 1)  # those that learned these captions
picks = {int(network): returned[network, :, colours.index(colour)] for network in full}


def how_often(worlds, n, times=1):
    """How often the question gets a yes, by network and world, from n sets of scores.

    Every province stands there so many times.
    """
    known = {name: np.tile(own.astype(float), times) for name, own in drivers.items()}
    lived = np.tile(lives, times)
    kept = {"reliability": reliability, "n": n}
    rows = []
    for k, own in picks.items():
        for world, slopes in worlds.items():
            scores = implicit_bias.simulated(
                known, slopes=slopes, seed=seed + k, **kept
            )
            yes = implicit_bias.links(np.tile(own, times), lived, scores)
            rows.append({"world": world, "beyond": yes})
    return pd.DataFrame(rows)


found = how_often(WORLDS, n_resamples)

# %% tags=["hide-input"]
SHOWN = ["what captions say", "the census", "a step in the census", "nothing"]
BENT = ["the census, squared", "a step at the census's median", "a step in the census"]  # the census and nothing else, but in no straight line
means = found.groupby("world")["beyond"].mean()
rates = vb.networks.summary({world: own["beyond"] for world, own in found.groupby("world", sort=False)})
answer = rates.loc[SHOWN, ["mean", "low", "high"]].clip(0, 1).rename_axis("world").reset_index()
vb.figures.show(
    vb.figures.rates(answer, rate="mean", low="low", high="high", label="world", nominal=0.025,
                     value_label="% of simulated sets of scores with a yes, mean over networks"),
    name="implicit-answer",
    alt="How often a significant link is found with the census held constant, by what the scores depend on: "
    + "; ".join(f"{row.world} {row.mean:.1%} ({row.low:.1%} to {row.high:.1%})" for row in answer.itertuples()) + ".",
    caption=f"What the scores depend on (lines), and how often the question gets a yes. Means over {len(found) // len(WORLDS)} networks with 95 % intervals. "
    "The dashed line is what chance alone gives, 2.5 %.",
    source="greenhouse",
)
said, step = means["what captions say"], rates.loc["a step in the census"]
others = rates.loc[BENT[:2], "mean"]
vb.note(provinces=len(census), captions={"beyond": said}, line=means["the census"],
        n={"networks": len(found) // len(WORLDS), "iats": n_resamples},
        colour=colour, step=step["mean"], others={"low": others.min(), "high": others.max()})
vb.holds(misses_most=bool(said <= 0.5), step_misleads=bool(step["low"] > 0.025))

# %% [markdown]
# **Does it find true links?** [A true link as weak as ours is mostly not found.]{.holds #misses_most} Where scores follow the captions, the question gets a yes in {glue:text}`captions.beyond:.0%` of the simulations. [Over 51 places, a link as strong as BLIP's would be found in about {glue:text}`as_blip.power:.0%` of cases.]{.holds #strong_found}
#
# **Does it find false ones?** Where scores follow the census in a straight line, it gets a yes in {glue:text}`line:.1%`. Where they follow the step, it
# gets a yes in {glue:text}`step:.1%`.
# [This is more often than by chance, although there is nothing to find.]{.holds #step_misleads} The reason: holding the census constant removes a straight line only. (Two other shapes, the census squared and a step at its median, gave
# {glue:text}`others.low:.1%` and {glue:text}`others.high:.1%`.)
#
# **How strong is the evidence for BLIP, then?** We count how often a partial correlation as high as BLIP's occurs in the simulations:

# %%
blip, as_high = float(rest.loc["BLIP", "value"]), {}
for world, slopes in WORLDS.items():
    partials = []
    kept = {"reliability": reliability, "n": n_resamples}
    for k, own in picks.items():
        scores = implicit_bias.simulated(drivers, slopes=slopes, seed=seed + k, **kept)
        partials.append(implicit_bias.beyond(scores, own, lives.to_numpy()[:, None]))
    as_high[world] = float(np.mean(np.concatenate(partials) >= blip))
link, no_link = as_high["what captions say"], max(as_high[world] for world in BENT)
print(f"with what captions say {link:.1%}, with another shape {no_link:.1%}")

# %% tags=["hide-input"]
power = stats.norm.sf(stats.norm.isf(0.025) - np.arctanh(blip) * np.sqrt(51 - 4))  # Fisher's z, one predictor held constant
vb.note(as_blip={"power": power})
vb.holds(strong_found=bool(power > 0.8), no_shape=bool(no_link <= 0.02), no_link_either=bool(link <= 0.02))

# %% [markdown]
# [None of the shapes that we tried makes such a high value likely.]{.holds #no_shape} [But our true link, a weak one, does not make it likely, either.]{.holds #no_link_either} So these simulations cannot say how BLIP's result came about.

# %% [markdown]
# ## The protocol, run on {data}
#
# Here is the paper's comparison for one network. {glue:text}`shown` The scores: {glue:text}`scores`.
# Simulated scores follow the census alone. So with the census held constant, only chance should be left: 95 % of partial r then lie between −{glue:text}`by_chance:.2f` and {glue:text}`by_chance:.2f`.

# %% tags=["hide-cell"]
faces = vb.images(stimuli)
called = pictured.groups(faces)
faces = faces.where(faces.table["race"].isin(called.values()))
arborian = census.rename(columns={NAMES[race]: race for race in RACES})
# the second reads published:census_shares
lived = {"arboria": lambda: arborian, "released": america.released_census}[places]()
lived = lived.rename(columns=called)
group, groups = called["black"], faces.table["race"].to_numpy(str)
sentences = (
    america.sentences()
    if places == "released"
    else [f"a photo of someone who lives in the state of {name}" for name in lived.index]
)
kept = states.balanced(groups, n=n_draws, seed=seed)
size = int(kept[0].sum()) // len(called)  # portraits returned for a place
encoders = {name: vb.encoder(given) for name, given in zip(claimed.MODELS, models, strict=False)}
shares = {}
for name, encoder in encoders.items():
    cosines = vb.embed(encoder, faces).vectors @ vb.embed(encoder, sentences).vectors.T
    by_group = states.by_draw(cosines, groups, kept, top=size).mean(axis=0)
    shares[name] = by_group[:, list(np.unique(groups)).index(group)]
if iat == "file":
    scores = america.implicit(vb.sources.supplied("map-iat"))
else:  # scores that depend on the census and on nothing else
    simulated = implicit_bias.simulated(
        {"census": lived[group]}, slopes={"census": 1.0}, reliability=reliability, n=2, seed=seed
    )
    scores = pd.DataFrame(simulated.T * [1, -1], lived.index, ["white", "black"])
INSIDE = {"described": np.ones(len(lived), bool), "released": lived.index != "District of Columbia"}
inside = INSIDE[protocol]
r_of = {"census": np.corrcoef(scores["white"][inside], lived[group][inside])[0, 1]}
for name, own in shares.items():
    r_of[name] = np.corrcoef(scores["white"][inside], own[inside])[0, 1]
first = next(iter(shares))
between = np.corrcoef(shares[first][inside], lived[group][inside])[0, 1]
one = implicit_bias.held(r_of[first], r_of["census"], between, n=int(inside.sum()))
shown_r = {"census": r_of["census"]}
shown_r |= {f"model {k + 1}": r_of[name] for k, name in enumerate(shares)}
shown_r["model 1, census held constant"] = one["value"]
pd.Series(shown_r, name="r with mean scores").round(2).to_frame()

# %% tags=["hide-input"]
vb.note(shown=pictured.shown(faces), scores=iat, by_chance=np.tanh(1.96 / np.sqrt(inside.sum() - 4)))

# %% tags=["hide-cell"]
for how, kept in INSIDE.items():
    returned_there = {name: own[kept] for name, own in shares.items()}
    known = (own[kept].to_numpy() for own in (lived[group], scores["white"], scores["black"]))
    values = claimed.implicit_bias(returned_there, *known)
    for claim, value in values.items():
        if faces.source == "greenhouse" and claim in claimed.OF_PEOPLE:
            continue  # a sentence about real groups is not evaluated on drawings
        about = [encoders[name] for name in claimed.about(f"implicit_bias.{claim}")]
        seen = [faces, america.source_of("map-iat") if iat == "file" else "greenhouse/iat"]
        vb.ledger.record(f"implicit_bias.{claim}", value, results=results, stimuli=seen, model=about, protocol=how)

# %% [markdown]
# **A check of the census correlation.** The paper's own correlation with the census can be checked only with the scores of the states:

# %% tags=["needs-map-iat", "hide-input"]
if vb.sources.at_hand("map-iat"):
    people_of = america.implicit(vb.sources.supplied("map-iat"))
    lived_in = america.released_census()["black"]
    for how, kept in {"described": slice(None), "released": lived_in.index != "District of Columbia"}.items():
        r = float(np.corrcoef(people_of["white"][kept], lived_in[kept])[0, 1])
        for part in ("abstract", "text", "figure"):
            claim, source = f"implicit_bias.{part}.census", america.source_of("map-iat")
            vb.ledger.record(claim, r, results=results, stimuli=source, model="none", protocol=how)

# %% [markdown]
# ## What this method can see
#
# ### Would more places help?
#
# We repeat every province {glue:text}`times` times, so that chance hardly plays a role, and ask the question again.
#
# [With more provinces, the question finds the true link more often, but it also reports more often a link that does not exist.]{.holds #more_of_both} It gets a yes in {glue:text}`many.link:.0%` of the simulations where scores follow the captions, and in {glue:text}`many.no_link:.0%` where they follow the
# step.

# %% tags=["hide-cell"]
TIMES = 20  # every province, so often
both = ["what captions say", "a step in the census"]
many = how_often({name: WORLDS[name] for name in both}, max(1, n_resamples // 4), TIMES)
yes = {len(lives): found, TIMES * len(lives): many}
more_places = pd.DataFrame({
    f"{n:,} provinces": own.groupby("world")["beyond"].mean()[both] for n, own in yes.items()
})
more_places.rename_axis("scores depend on").round(2)

# %% tags=["hide-input"]
link, no_link = ([own.groupby("world")["beyond"].mean()[name] for own in yes.values()] for name in both)
vb.note(times=TIMES, many={"link": link[1], "no_link": no_link[1]})
vb.holds(more_of_both=bool(link[1] > link[0] + 0.05 and no_link[1] > no_link[0] + 0.05))

# %% tags=["hide-input"]
top = vb.ledger.claim("states.top").printed.number  # portraits returned for a place
share = lives.to_numpy()
vb.note(scale={"count": 65, "percent": 100 * 65 / top})  # the end of Figure 2's scale

# %% [markdown]
# (implicit-means)=
# ## What this means
#
# **For the paper.** Bias scores do go with what CLIP and BLIP return; the printed correlations are far from zero. That they do so *more strongly* than with the
# census is not shown, because the difference may be chance.
#
# Does the model say something about bias that a census does not? [By the printed numbers: yes for BLIP and unclear for CLIP.]{.holds #yes_and_unclear} This speaks for the authors. But it holds only if bias and the census are related in a straight line,
# which we could not check. The scores of the states would show it; they are public, but we did not have them for this book.
#
# Whether *threat* is behind all this, no correlation of states can tell. History, the age of those who take a test online, and much more may play a role.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `2e45194`, checked against the code.
#
# | | paper | code | here |
# |---|---|---|---|
# | states (W6) | not stated | the list of abbreviations has 50 states, without the District of Columbia, so it gets no mean score; the next script needs 51 and stops | both, with and without it: without it, CLIP's p with the census held constant is {glue:text}`p_fifty:.3f` |
# | scores | "mean IAT effect sizes for those states" | unweighted mean of respondents; White and Black by the codes of the data set | the same |
# | model | "percent of images" | mean count over 1,000 draws | the same, as a share |
# | Figure 2 (W15) | one scale, "0-65%" | the map of the model has the mean *count* of 108 portraits, that of the census *per cent*; {glue:text}`scale.count` portraits are {glue:text}`scale.percent:.0f` % | per cent on both maps of [the chapter before](states.ipynb) |
# | CLIP's r (W12) | .63 in the abstract, .64 in text and figure | prints r and a two-sided p | both recorded |
# | test of "more strongly" | none | none | Williams's test, partial correlations |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/implicit_bias -p reliability=0.5
# ```
# :::

# %% [markdown]
# ## Take-aways
#
# - A difference of two correlations needs a test of its own.
# - In your own work, do not stop at "Which r is higher?" Ask what one predictor adds if the other is held constant.
# - Holding a predictor constant removes a straight line only. Try other shapes, too; more places do not replace this.
# - 51 places are few: where no link is found, there may still be one.
# - Means of states are not people: to conclude from places to people is called the *ecological fallacy*.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How close is too close?
# :label: implicit-close
# :level: intermediate
# :minutes: 10
# :code: yes
# Two predictors correlate with an outcome at .64 and .60 over 51 places. How high must their own correlation be for Williams's p to fall below .05?
# :::
#
# ```{solution-start} implicit-close
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
between = np.linspace(0.5, 0.998, 499)  # nearer to 1, no data could have all three correlations
p = implicit_bias.compared(0.64, 0.60, between, n=51)["p"]
needed = between[p < 0.05].min()
print(f"above {needed:.3f}: predictors that are practically the same")
assert needed > vb.ledger.claim("states.clip.black.r").printed.high

# %% [markdown]
# The two predictors would have to be practically the same. Then chance moves both correlations alike, and even a small difference stands out. In the paper the
# predictors correlate less than that. So neither can be called the better one.
#
# ```{solution-end}
# ```
#
# :::{exercise} A weaker measurement
# :label: implicit-reliability
# :level: introductory
# :minutes: 10
# :code: no
# *Reliability* is the share of a score's variance that a second measurement would repeat. What does a reliability of .5 instead of 1 do to the mean r of scores with the
# census, if nothing else changes?
# :::
#
# ```{solution-start} implicit-reliability
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
at_half, at_one = (np.mean(implicit_bias.r_with(implicit_bias.simulated(drivers, slopes={"the census": 1.0}, reliability=own, n=4000, seed=1), share)) for own in (0.5, 1.0))
print(f"{at_half:.2f} instead of {at_one:.2f}: a factor of {at_half / at_one:.2f}, the root of .5 is {np.sqrt(0.5):.2f}")
assert abs(at_half / at_one - np.sqrt(0.5)) < 0.02

# %% [markdown]
# Reliability is the share of a score's variance that is not noise. Noise adds variance and no covariance, so a correlation shrinks by the root of the
# reliability. A weaker correlation may mean a weaker measurement, not a weaker relation.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. Where the model returns more portraits of Black people, the scores of White people are higher. What would you need to know before
#    you call this a response to "threat"?
# 2. Who takes an implicit association test online, and does that differ between states?
