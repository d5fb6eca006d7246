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
# *Wolfe & Caliskan (2022), Figure 2: whether mean IAT scores of states go with what a model returns for them.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Mean implicit bias scores of fifty states correlate with a model's portraits of these states a little more than with the
# census. Does the model know something of the bias that the census does not?
#
# **In 20 minutes:** {ref}`the answer in one figure <implicit-answer>`, {ref}`why a true link is missed <implicit-missed>`, {ref}`three correlations beside one another <implicit-printed>`, take-aways.
# **In 75 minutes:** also {ref}`what aggregation does <implicit-people>`, the counter-examples, both exercises.
#
# **You need:** Pearson's r, partial correlation. [The chapter before this one](states.ipynb) says how portraits are returned.
#
# **Content note.** The paper relates test scores of White and of Black respondents to portraits of Black individuals. Everything computed by
# default on this page is about a fictional country and simulated scores.
# :::
#
# **The idea.** The Implicit Association Test {cite:p}`greenwald1998` has been taken online by very many people, whose state is known.
# {cite:t}`wolfe2022` correlate the mean scores of each state's White respondents with the share of portraits of Black individuals that a model
# returns for the state, and with the Black share of its population.
#
# **What the authors conclude.** Scores "correlate more strongly with the percentage of images of Black individuals returned by language-and-image AI" (r =
# {claim}`implicit_bias.text.clip` in CLIP, {claim}`implicit_bias.text.blip` in BLIP) "than with the proportion of state population which is Black according to
# census figures" ({claim}`implicit_bias.text.census`); this "suggests that implicit bias is related to the threat to the prototypicality of White individuals, as
# measured via representation in AI".
#
# **Their own limits.** The paper says "suggests" and "a possible link". It prints no p and no interval for these correlations.

# %% tags=["parameters"]
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

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.american_white import implicit_bias, pictured, states
from vlmbias.external import america
from vlmbias.papers import RACES
from vlmbias.stimuli.reader_folders import NAMES

vb.figures.style()

# %% [markdown]
# ## The answer in one figure
#
# In Arboria we decide what scores depend on. An IAT is simulated for each province: it follows what captions say, or the census alone, in a straight
# line or in one of three bent ones, or nothing. Ten retrained networks return portraits. Then the paper's comparison is made, and two stricter ones.

# %%
spoken = grammar.load().bias
arboria = spoken.provinces.set_index("province")
hues, hue = sorted(NAMES[race] for race in RACES), NAMES["black"]  # the hue that is filed where the paper looks at Black individuals
census = arboria[hues]
planted = pd.DataFrame({name: spoken.axes[name]["planted"]["race"] for name in arboria.index}).T[hues]
lives = census[hue]
drivers = {"what captions say": states.expected_shares(planted, b=1.0)[hue], "the census": lives, "its square": lives**2,
           "above its median": lives > lives.median(), "above 30 %": lives > 0.3}
WORLDS = {name: {name: 1.0} for name in drivers} | {"nothing": {}}
BENT = ("its square", "above its median", "above 30 %")  # the census and nothing else, but in no straight line

networks = retrained.vectors()
returned = states.returned_by(networks, census)  # networks × places × hues
unranked = states.unranked_by(networks, census)  # the same, before portraits are ranked
strength = networks.networks["b"].to_numpy()
rows, readers = [], {}
for network in np.flatnonzero(np.isin(strength, (0, 1))):
    readers[network] = {"returned": returned[network, :, hues.index(hue)],
                        "before the ranking": unranked[network, :, hues.index(hue)],
                        "what captions say": drivers["what captions say"]}
    asked = implicit_bias.in_worlds(
        readers[network], lives, arboria["region"], drivers, worlds=WORLDS,
        reliability=reliability, n=n_resamples, seed=seed + int(network))
    rows.append(asked.assign(b=strength[network]))
every = pd.concat(rows, ignore_index=True)
found = every[every["reader"] == "returned"].drop(columns="reader")  # as in the paper

# %% tags=["hide-input"]
QUESTIONS = {"higher": "r above that with the census", "significant": "… and the difference significant (p ≤ .05)", "beyond": "census held (p ≤ .05)"}
answers = []
for name, called in QUESTIONS.items():
    table = vb.networks.summary({world: own[name] for world, own in found[found["b"] == 1].groupby("world", sort=False)})
    ends = table[["mean", "low", "high"]].clip(0, 1)
    answers.append(ends.assign(world=table.index, question=called))
answer = pd.concat(answers, ignore_index=True)
mean = found[found["b"] == 1].groupby("world")[[*QUESTIONS, "beyond_region", "returned", "census"]].mean()
vb.figures.show(
    vb.figures.rates(answer, rate="mean", low="low", high="high", label="world", group="question", nominal=None,
                     value_label="% of simulated IATs, mean over ten networks with 95 % interval"),
    name="implicit-answer",
    alt="How often a network's returns seem to say more of an IAT than the census, by what the IAT depends on: "
    + "; ".join(f"{world}: {row['higher']:.0%} higher, {row['significant']:.0%} significantly, {row['beyond']:.0%} with the census held" for world, row in mean.iterrows()) + ".",
    caption=f"What the scores depend on, and how often three comparisons speak for the network: {hue}, b = 1, {len(census)} provinces. Where nothing is to be found, a test is significant in 2.5 % in this direction.",
    source="greenhouse",
)
captions = mean.loc["what captions say"]
bends = answer[answer["question"].eq(QUESTIONS["beyond"]) & answer["world"].isin(BENT)].set_index("world")
bend = {how: words.listed(f"{world} ({row['mean']:.1%})" for world, row in bends.iterrows()
                          if words.side(row["low"], row["high"], of=0.025, above="more", below="fewer", neither="same") == how)
        for how in ("more", "fewer", "same")}
vb.note(captions=captions, line=mean.loc["the census"], nothing=mean.loc["nothing"], n={"networks": int((found["b"] == 1).sum()) // len(WORLDS), "iats": n_resamples},
        bent={"low": bends["mean"].min(), "high": bends["mean"].max()}, bend=bend, misleads=words.verb(
            captions["higher"], above=mean.loc["nothing", "higher"], then="more often than", else_="less often than"))

# %% [markdown]
# The paper's comparison misleads here. Where scores follow what captions say, the network's r is the higher one in {glue:text}`captions.higher:.0%` of
# IATs, and significantly so in {glue:text}`captions.significant:.1%`. That is {glue:text}`misleads` where scores follow nothing ({glue:text}`nothing.higher:.0%`).
#
# Holding the census constant is better, and not safe. Where scores follow *only the census* in a straight line, the network keeps a link in
# {glue:text}`line.beyond:.1%` of IATs, as chance has it. Where the line is bent (the census's square, or a step), it depends on the bend. A
# link is found more often than by chance for: {glue:text}`bend.more`; less often for: {glue:text}`bend.fewer`; as often for: {glue:text}`bend.same`.
#
# (implicit-missed)=
# ### Why a true link is missed
#
# Are there too few places? Or is what the network returns a worse record of the captions than the census is? Both can be switched off: places can
# be repeated, and the network can be replaced by its own logits, or by a model that returns exactly what captions say.

# %%
full = np.flatnonzero(strength == 1)  # the networks at b = 1
said = drivers["what captions say"]
by_captions = {name: [np.corrcoef(said, readers[k][name])[0, 1] for k in full]
               for name in readers[full[0]]}
r_census = np.corrcoef(said, lives)[0, 1]
print(f"r with what captions say: the census {r_census:.3f}, returns of ten networks",
      np.round(by_captions["returned"], 3))

# %%
TIMES = 20  # every place, so often: what the number of places does is gone
many = pd.concat([implicit_bias.in_worlds(
    readers[k], lives, arboria["region"], drivers, times=TIMES, reliability=reliability,
    worlds={"what captions say": WORLDS["what captions say"]},
    n=max(1, n_resamples // 4), seed=seed + int(k)) for k in full])

# %% tags=["hide-input"]
few = every[(every["b"] == 1) & (every["world"] == "what captions say")].groupby("reader", sort=False)["higher"].mean()
lots = many.groupby("reader", sort=False)["higher"].mean()
r = {name: np.mean(own) for name, own in by_captions.items()}
why = pd.DataFrame({"r": r, "few": few, "many": lots})
ends, cut = np.array(by_captions["returned"]), returned[full][:, :, hues.index(hue)]
vb.note(wins={name: {"few": why.loc[reader, "few"], "many": why.loc[reader, "many"]}
              for name, reader in {"net": "returned", "logits": "before the ranking", "perfect": "what captions say"}.items()},
        times=TIMES, r_captions={"census": r_census, "low": ends.min(), "high": ends.max(), "logits": r["before the ranking"],
                                 "below": words.among(int((ends < r_census).sum()), len(ends))},
        full=float(((cut < 0.01) | (cut > 0.99)).mean()))
tables.readable(why, names={"r": "r with captions", "few": f"higher, {len(census)} places", "many": f"higher, {TIMES} × as many"}).format(
    "{:.0%}", subset=["few", "many"])

# %% [markdown]
# Few places are not the reason. With {glue:text}`times` times as many, the network's r is the higher one in {glue:text}`wins.net.many:.0%`, and that of a
# model which returns what captions say in {glue:text}`wins.perfect.many:.0%` ({glue:text}`wins.perfect.few:.0%` with 51 places).
#
# The census is the better record of the captions. It correlates with them by {glue:text}`r_captions.census:.2f`; in {glue:text}`r_captions.below` networks
# the returns correlate less ({glue:text}`r_captions.low:.2f` to {glue:text}`r_captions.high:.2f`). More places only make that surer.
#
# Much of this is the ranking's doing: it fills or empties {glue:text}`full:.0%` of the places with this hue. Before portraits are ranked, the same
# networks' shares correlate with captions by {glue:text}`r_captions.logits:.2f` and win in {glue:text}`wins.logits.few:.0%`. So the comparison can speak
# against a model that knows more than the census, because of what was done to its scores.

# %% [markdown]
# ## What the paper reports

# %%
claims = vb.ledger.table("american_white/implicit_bias")
vb.ledger.show(claims)

# %% [markdown]
# The abstract has {claim}`implicit_bias.abstract.clip` for CLIP, text and figure {claim}`implicit_bias.text.clip`: no value is rounded to both
# (W12). No figure is given for SLIP.
#
# (implicit-printed)=
# ### Three correlations beside one another
#
# Two correlations with the same scores over the same states are not independent. How much they can differ by chance depends on a third one: that of
# the two predictors, which is the Black cell of Table 1 ({claim}`states.clip.black.r`, {claim}`states.blip.black.r`). So the printed numbers suffice for the test
# of the conclusion:

# %%
tests = implicit_bias.printed(vb.ledger.claim, n=51)
tables.readable(tests, precision=3, names={"p_low": "p from", "p_high": "p to"}).format(tables.p_value, subset=["p_low", "p_high", "p"]).hide(axis="index")

# %% tags=["hide-input"]
drawn = tests.assign(label=tests["model"] + ", " + tests["question"])
vb.figures.show(
    vb.figures.forest(drawn, estimate="value", low="low", high="high", label="label", group="model", value_label="difference of two r, or partial r, 95 % interval"),
    name="implicit-printed",
    alt="For CLIP and BLIP: the difference of two correlations, and the partial correlation of each predictor with the other held. "
    + "; ".join(f"{row.label} {row.value:.2f} ({row.low:.2f} to {row.high:.2f})" for row in drawn.itertuples()) + ".",
    caption="From printed correlations alone, 51 places: the model's r minus the census's; the model with the census held; the census with the model held.",
    source="paper:american_white, Figure 2 and Table 1",
)
at = tests.set_index(["model", "question"])
more, rest = (at.xs(question, level="question") for question in ("more than the census", "census held"))
vb.note(p={name: row["p"] for name, row in more.iterrows()},
        lean={name: words.side(row["low"], row["high"], above="is above zero", below="is below zero", neither="is consistent with zero") for name, row in more.iterrows()},
        rest={name: row["value"] for name, row in rest.iterrows()}, rest_p=rest.loc["BLIP", "p"],
        rounding={"low": rest.loc["CLIP", "p_low"], "high": rest.loc["CLIP", "p_high"]})

# %% [markdown]
# In CLIP the difference {glue:text}`lean.CLIP` (Williams's p = {glue:text}`p.CLIP:.2f`), in BLIP it {glue:text}`lean.BLIP` (p = {glue:text}`p.BLIP:.2f`). "More strongly" is true of the sample. With the census held constant, in a straight line, the
# model's returns keep r = {glue:text}`rest.CLIP:.2f` in CLIP (p from {glue:text}`rounding.low:.3f` to {glue:text}`rounding.high:.3f`, as the three numbers may have been rounded) and
# {glue:text}`rest.BLIP:.2f` in BLIP (p = {glue:text}`rest_p:.4f`). That is the better evidence for a link beyond the census, and it rests on the straight line.

# %% tags=["needs-map-iat"]
if vb.sources.at_hand("map-iat"):
    people_of = america.implicit(vb.sources.supplied("map-iat"))
    lived_in = america.released_census()["black"]
    for how, kept in {"described": slice(None), "released": lived_in.index != "District of Columbia"}.items():
        for claim, value in implicit_bias.from_census(people_of["white"][kept].to_numpy(), lived_in[kept].to_numpy()).items():
            vb.ledger.record(f"implicit_bias.{claim}", value, results=results, stimuli=america.source_of("map-iat"), model="none", protocol=how)

# %% [markdown]
# ## The protocol, run on {data}
#
# Shown here: {glue:text}`shown`.

# %%
faces = vb.images(stimuli)
called = pictured.groups(faces)
faces = faces.where(faces.table["race"].isin(called.values()))
arborian = census.rename(columns={NAMES[race]: race for race in RACES})
lived = {"arboria": lambda: arborian, "released": america.released_census}[places]().rename(columns=called)
group, groups = called["black"], faces.table["race"].to_numpy(str)
sentences = america.sentences() if places == "released" else [f"a photo of someone who lives in the state of {name}" for name in lived.index]
drawn_portraits = states.balanced(groups, n=n_draws, seed=seed)
size = int(drawn_portraits[0].sum()) // len(called)
encoders = {name: vb.encoder(given) for name, given in zip(states.MODELS, models, strict=False)}
shares = {name: states.returned(vb.embed(one, faces).vectors @ vb.embed(one, sentences).vectors.T, groups, drawn_portraits, top=size)[group].to_numpy()
          for name, one in encoders.items()}
if iat == "file":
    scores = america.implicit(vb.sources.supplied("map-iat"))
else:
    drawn_scores = implicit_bias.simulated({"census": lived[group]}, slopes={"census": 1.0}, reliability=reliability, n=2, seed=seed)
    scores = pd.DataFrame(drawn_scores.T * [1, -1], lived.index, ["white", "black"])
INSIDE = {"described": np.ones(len(lived), bool), "released": lived.index != "District of Columbia"}
inside = INSIDE[protocol]
r_of = {"census": np.corrcoef(scores["white"][inside], lived[group][inside])[0, 1],
        **{name: np.corrcoef(scores["white"][inside], own[inside])[0, 1] for name, own in shares.items()}}
tables.readable(pd.Series(r_of).to_frame("r with mean scores"), names={"clip": "CLIP", "blip": "BLIP", "slip": "SLIP"})

# %% tags=["hide-input"]
land = america.tiles() if places == "released" else states.in_lines(arboria["region"]).assign(letters="")
first = next(iter(shares))
scaled = {name: 100 * (own - own.min()) / np.ptp(own) for name, own in
          {"census": lived[group], "returned": pd.Series(shares[first], lived.index), "mean score": scores["white"]}.items()}
vb.figures.show(
    vb.figures.tiles(pd.concat([land.assign(value=own, map=name) for name, own in scaled.items()]), row="row", column="column", value="value", panel="map",
                     label="letters", columns=1, value_label="% of the way from the lowest to the highest place"),
    name="implicit-maps",
    alt=f"Three maps of {len(lived)} places as squares: the share of {group} in the census, among the portraits returned, and the mean score of each place.",
    caption=f"Each map from its lowest to its highest value; in the paper's Figure 2 only that of the scores is. Scores: {iat}.",
    source="greenhouse" if faces.source == "greenhouse" else [f"real:{faces.source}", "real:map-iat", "published:census_shares"],
)
one = implicit_bias.held(r_of[first], r_of["census"], np.corrcoef(shares[first][inside], lived[group][inside])[0, 1], n=int(inside.sum()))
apart = implicit_bias.compared(r_of[first], r_of["census"], np.corrcoef(shares[first][inside], lived[group][inside])[0, 1], n=int(inside.sum()))
vb.note(shown=pictured.shown(faces), here={"census": r_of["census"], "model": r_of[first], "held": one["r"], "low": apart["low"], "high": apart["high"]}, scores=iat)

# %% [markdown]
# Scores ({glue:text}`scores`) correlate with the census at {glue:text}`here.census:.2f` and with the first model's returns at {glue:text}`here.model:.2f`; the difference lies between
# {glue:text}`here.low:+.2f` and {glue:text}`here.high:+.2f`. With the census held, {glue:text}`here.held:.2f` is left of the model's. Simulated scores depend on the census and nothing else.

# %%
for how, kept in INSIDE.items():
    values = implicit_bias.claims({name: own[kept] for name, own in shares.items()}, lived[group][kept].to_numpy(),
                                  scores["white"][kept].to_numpy(), scores["black"][kept].to_numpy())
    for claim, value in values.items():
        if faces.source == "greenhouse" and claim in implicit_bias.OF_PEOPLE:
            continue  # a sentence about real groups is not evaluated on drawings
        about = [encoders[name] for name in (("blip", "clip") if claim in implicit_bias.OF_PEOPLE else (implicit_bias.about(claim),))]
        seen = [faces, america.source_of("map-iat") if iat == "file" else "greenhouse/iat"]
        vb.ledger.record(f"implicit_bias.{claim}", value, results=results, stimuli=seen, model=about, protocol=how)

# %% [markdown]
# ## What this method can see
#
# The first figure asked it: the paper's comparison, a test of it, and the census held. Region held as well, a link beyond the census is found in
# {glue:text}`captions.beyond_region:.0%` of the IATs that follow captions, instead of {glue:text}`captions.beyond:.0%`: captions exaggerate one region, and region takes that away. Where scores depend on nothing, the
# network's r is the higher one in {glue:text}`nothing.higher:.0%`, as a coin decides.

# %% tags=["hide-output"]
tables.readable(found.groupby(["b", "world"], sort=False).mean(), names={"world": "scores depend on", "returned": "r, returned", "census": "r, census", "significant": "significantly", "beyond_region": "beyond region"})

# %% [markdown]
# (implicit-people)=
# ### What aggregation does
#
# A correlation of places says nothing of that size about people. Let each province have 300 people, whose scores scatter around its mean as
# widely as scores of persons do, about thirteen times as widely as means of places. Means of places hide that scatter:

# %%
BETWEEN, WITHIN = 0.03, 0.4  # SD of means over places and of people within one: of the order of published IAT scores
truth = implicit_bias.simulated(drivers, slopes={"the census": 1.0}, reliability=1.0, n=1, seed=seed)[0]
means = BETWEEN * truth / truth.std()
everybody = implicit_bias.people(means, within=WITHIN, n_each=300, seed=seed)
share = census[hue].to_numpy()
over_places = np.corrcoef(everybody.mean(axis=1), share)[0, 1]
over_people = np.corrcoef(everybody.ravel(), np.repeat(share, everybody.shape[1]))[0, 1]
expected = implicit_bias.among_people(np.corrcoef(means, share)[0, 1], between=BETWEEN, within=WITHIN)

# %% tags=["hide-input"]
top = vb.ledger.claim("states.top").printed.number  # portraits returned for a place
vb.note(scale={"count": 65, "percent": 100 * 65 / top})  # the end of Figure 2's scale
vb.note(over={"places": over_places, "people": over_people, "expected": expected})

# %% [markdown]
# Over provinces r is {glue:text}`over.places:.2f`, over people {glue:text}`over.people:.3f` (expected: {glue:text}`over.expected:.3f`): the same link. "The bias of White individuals who live in that region" is a statement about
# a mean. Within a place, people who think of it as the model does may have higher scores, lower ones or the same; no correlation of means can tell (the ecological fallacy).
#
# **The assumptions, and what each looks like when it fails.** *A higher r means more is known*: the difference has a width, and it is
# wide; and a record that was cut may lose against one that was not. *Holding the census removes the census*: only its straight line, as the bent ones show. *Places are many*: 51, some of them neighbours. *A mean speaks for people*: by
# what share is computed above. What scores depend on besides, such as history, respondents' age, or who takes a test online, is in none of the columns.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `2e45194`, checked against the code:
#
# | | paper | code | here |
# |---|---|---|---|
# | states (W6) | not stated | the list of letters has 50 states, so that there is no IAT mean for the District of Columbia; the next script asks for 51 and stops | all, and without it |
# | scores | "mean IAT effect sizes for those states" | unweighted mean of respondents; White and Black by `raceomb` 6 and 5 | the same |
# | model | "percent of images" | mean count over 1,000 draws | the same, as a share |
# | Figure 2 (W15) | one scale, "0-65%" | 0 to 65 for the mean *count* of 108 portraits, beside *per cent* of the census: {glue:text}`scale.count` portraits are {glue:text}`scale.percent:.0f` % | per cent on both maps |
# | CLIP's r (W12) | .63 in the abstract, .64 in text and figure | prints r and a two-sided p | both recorded |
# | test of "more strongly" | none | none | Williams's test, partial correlations |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/implicit_bias -p reliability 0.5
# ```
# :::

# %% [markdown]
# ## Take-aways
#
# - Test the difference of two correlations as a difference; the correlation between the predictors decides its width.
# - The printed numbers allow that test. They support a link between scores and what models return, and not that it is stronger than the link with the census.
# - A predictor that was ranked and cut may lose against one that was not, even if more was known before the cut. Compare like with like.
# - A partial correlation removes a straight line. Ask what a bent one would leave, and try more than one.
# - Fifty aggregates are few cases, and means of places are not people.

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
# Both correlations come from the same places. A difference this small can only be distinguished from chance where the two predictors rise and fall together
# almost perfectly, so that chance moves both alike. The printed correlation of the model's scores with the census is lower than that: neither can be
# called the better predictor.
#
# ```{solution-end}
# ```
#
# :::{exercise} A weaker measurement
# :label: implicit-reliability
# :level: introductory
# :minutes: 10
# :code: no
# What does a reliability of .5 instead of 1 do to the mean r of scores with the census, if nothing else changes?
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
# 1. The same portraits, asked for by state, go with scores of White respondents upwards and with those of Black respondents downwards. What would you need to know before calling the first a response to "threat"?
# 2. Who takes an implicit association test online, and does that differ between states?
