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
# # Who lives where, according to a ranking
#
# *Wolfe & Caliskan (2022), Table 1: portraits that the names of places bring back, beside a census.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** A model ranks portraits by how well they fit "a photo of someone who lives in the state of …". If the groups it returns
# go with the census, what has it learnt about places, and does it exaggerate?
#
# **In 20 minutes:** {ref}`the answer in one figure <states-answer>`, {ref}`what a model returns that cannot tell places apart
# <states-nothing>`, {ref}`what was planted and what came back <states-planted>`, take-aways. **In 75 minutes:** also where the uncertainty comes from, the
# R² with four responses, both exercises.
#
# **You need:** Pearson's r, a linear regression. The primer [on rankings](../../book/primers/ranking.md) explains what a ranking can say.
#
# **Content note.** The paper sorts portraits of Asian, Black, Latina/o and White individuals. The faces on this page are drawings of
# fictional groups, and the places belong to a fictional country.
# :::
#
# **The idea.** {cite:t}`wolfe2022` take the 597 neutral portraits of the Chicago Face Database {cite:p}`ma2015`. In each of
# {claim}`states.draws` draws every group keeps as many portraits as the smallest has ({claim}`states.per-group`). For each place the
# {claim}`states.top` portraits nearest to its sentence are counted by group, the counts are averaged over draws, and the average is set
# beside the group's share in the census of 2019.
#
# **What the authors conclude.** "Strong correlations exist between the race or ethnicity of the highest ranked images for each state […]
# and the demographics of that state"; "images of Asian and Black individuals are generally over-represented […] while White individuals are
# under-represented". From this they read that associations of places "are not the straightforward result of 'learning' the
# population of a state, but reflect biases expressed in human descriptions".
#
# **Their own checks and limits.** Balancing the portraits, and many draws "to adjust for the effects of randomly downsampling". The paper
# does not evaluate the models' training data.

# %% tags=["parameters"]
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
models = ["greenhouse"]  # encoders, in the order CLIP, SLIP, BLIP; a model
places = "arboria"  # the places and their census: fictional, or the shares that the authors released; one of: arboria, released
protocol = "released"  # the sentence: "lives in …" (the paper's Approach) or "lives in the state of …" (its code); one of: described, released
n_draws = 1000  # balanced draws of the portraits; at least 3
n_resamples = 400  # resamples of the portraits, and of the order of places; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/states.json"  # where this notebook writes the values it computes

# %%
import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.american_white import pictured, placeless, states
from studies.overviews import played
from vlmbias.external import america
from vlmbias.papers import RACES
from vlmbias.stimuli.reader_folders import NAMES

vb.figures.style()

# %% [markdown]
# ## The answer in one figure
#
# Our laboratory has a country, Arboria, with provinces and a census. Captions of its networks say which hue lives where, in
# proportion to the census, and in the provinces of one region they speak of one hue more than the census does. So both are
# known: what can be recovered, and what exaggeration was planted.

# %%
spoken = grammar.load().bias
arboria = spoken.provinces.set_index("province")
hues = sorted(NAMES[race] for race in RACES)
census, favoured = arboria[hues], spoken.roles["favoured"]
coast = (arboria["region"] == "coast").to_numpy()  # where captions speak of the favoured hue more than the census does
planted = pd.DataFrame({name: spoken.axes[name]["planted"]["race"] for name in arboria.index}).T[hues]

networks = retrained.vectors()
came_back = states.returned_at(networks, census, b=1.0)
told = states.expected_shares(planted, b=1.0)

# %% tags=["hide-input"]
squares = states.in_lines(arboria["region"])
maps = {"census": census, "captions, b = 1": told, "returned, b = 1": came_back}
tiles = pd.concat([squares.assign(share=100 * one[favoured], map=name) for name, one in maps.items()])
r_census = {name: float(np.corrcoef(one[favoured], census[favoured])[0, 1]) for name, one in maps.items()}
empty = {"none": int((came_back[favoured] < 0.01).sum()), "all": int((came_back[favoured] > 0.99).sum())}
vb.figures.show(
    vb.figures.tiles(tiles, row="row", column="column", value="share", panel="map", columns=1,
                     value_label=f"{favoured}, % of the census, of captions, or of portraits returned"),
    name="states-answer",
    alt=f"Three maps of {len(census)} provinces as squares, one line per region, coloured by the share of {favoured}: in the census, in captions and among "
    f"the portraits returned. The portraits' shares reach from {came_back[favoured].min():.0%} to {came_back[favoured].max():.0%}, the census's from "
    f"{census[favoured].min():.0%} to {census[favoured].max():.0%}.",
    caption=f"A line of squares per region; in line {1 + int(squares.loc[coast, 'row'].iloc[0])}, the coast, captions exaggerate. Returned: mean of "
    f"{int((networks.networks['b'] == 1).sum())} networks.",
    source="greenhouse",
)
vb.note(favoured=favoured, r=r_census["returned, b = 1"], empty=empty, provinces=len(census), range_census=np.ptp(census[favoured]),
        range_returned=np.ptp(came_back[favoured]))

# %% [markdown]
# The last map has the pattern of the first (r = {glue:text}`r:.2f` for {glue:text}`favoured`), and not its size:
# {glue:text}`empty.none` of {glue:text}`provinces` provinces return practically no portrait of this hue, {glue:text}`empty.all` practically
# no other. A correlation sees the pattern only. The share returned is not an estimate of a share.

# %% [markdown]
# ## What the paper reports

# %%
claims = vb.ledger.table("american_white/states")
vb.ledger.show(claims)

# %% tags=["hide-output"]
cells = states.table1(vb.ledger.claim, places=(51, 50))
met = states.bounds_met(cells)
tables.readable(met.to_frame("printed bounds that can hold, of 12").T)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(cells, estimate="r", low="low", high="high", label="cell", group="model", value_label="Pearson's r, 95 % interval (Fisher's z, 51 places)"),
    name="states-table1",
    alt="Twelve correlations with intervals, four groups in three models: highest for CLIP, lowest for SLIP, all above zero.",
    caption="Table 1 with the intervals that 51 places would give, if places were independent.",
    source="paper:american_white, Table 1",
)
overlap = int(((cells.query("model == 'CLIP'")["low"].to_numpy()) < (cells.query("model == 'BLIP'")["high"].to_numpy())).sum())
vb.note(two=met["two-sided 51"], one=met["one-sided 51"], fifty=met["two-sided 50"], powers=met["power of ten"], cells=len(cells), overlap=words.among(overlap, 4))

# %% [markdown]
# **r and p.** Nothing says which tail was tested, or over 50 or 51 places. If all places are used and p is two-sided, as in the released code,
# {glue:text}`two` of {glue:text}`cells` bounds can hold; one-sided {glue:text}`one`; over 50 places, two-sided, {glue:text}`fifty`. As orders of magnitude,
# $10^{-9}$ for $2 \cdot 10^{-9}$, {glue:text}`powers` do (W4). No conclusion depends on it.
#
# **Text and table.** R² of SLIP is {claim}`states.slip.r2` in the table and {claim}`states.text-r2-slip` in the text, twice: no value is rounded to both
# (W12). "CLIP again achieving the highest correlations" holds in the sample; between CLIP and BLIP the intervals overlap for {glue:text}`overlap`
# groups, and both are over the same places and portraits.
#
# (states-nothing)=
# ### What a model returns that cannot tell the places apart
#
# Such a model returns the same portraits for every place. Every group has as many portraits in a draw, but nothing makes the returned ones a
# quarter of each: one group's portraits may be nearer to "someone who lives in …", whatever follows. In our networks at $b = 0$ captions say
# nothing about who lives where. What do they return?

# %%
alike = states.returned_everywhere(networks, census)  # b = 0: a row per network and hue
one = alike[alike["network"] == alike["network"].min()]  # a single network
tables.readable(one.set_index("group")[["share", "places"]], names={
    "share": "returned, mean over places", "places": "SD over places"})

# %% tags=["hide-input"]
by_network, by_hue = alike.groupby("network")["share"], alike.groupby("group")["share"]
fig, ((axes,),) = vb.figures.panels(height=3.0)
for place, (_, own) in enumerate(by_hue):
    axes.plot(100 * own, np.full(len(own), place), "o", color=vb.figures.PALETTE[0], ms=5, alpha=0.45)
axes.axvline(25, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
axes.set_yticks(range(len(hues)), sorted(hues))
axes.set(xlim=(0, 60), xlabel="% of the portraits returned, mean over all provinces", ylim=(-0.6, len(hues) - 0.4))
extent = {"least": alike["share"].min(), "most": alike["share"].max()}
vb.figures.show(
    fig, name="states-nothing",
    alt=f"Shares of four hues among the portraits that {len(by_network)} networks with nothing planted return: from {extent['least']:.0%} to "
    f"{extent['most']:.0%}, scattered around a quarter for every hue.",
    caption=f"Nothing planted: {len(by_network)} networks, one dot each per hue. Dashed: a quarter.", source="greenhouse")
uneven = int(((alike["share"] - 0.25).abs() > 0.05).groupby(alike["network"]).any().sum())
vb.note(null=extent | {"n": len(by_network), "uneven": words.among(uneven, len(by_network)), "networks": alike["share"].std(),
                       "places": alike["places"].mean(), "low": by_hue.mean().min(), "high": by_hue.mean().max()})

# %% [markdown]
# A quarter is right on average over {glue:text}`null.n` networks: {glue:text}`null.low:.0%` to {glue:text}`null.high:.0%`, by hue. One network can be far
# from it. The least returned hue has {glue:text}`null.least:.0%` of the portraits in one network, the most returned {glue:text}`null.most:.0%` in another.
# Some hue has less than 20 % or more than 30 % in {glue:text}`null.uneven` networks.
#
# They do not know places: between the places of one network a share varies little (SD {glue:text}`null.places:.2f`), between networks more
# ({glue:text}`null.networks:.2f`). So before "more than the census" is called an exaggeration, it stands beside what such models return.

# %%
shares_of_null = alike["share"].to_numpy()
nothing = states.beside_returns(america.released_census(), shares_of_null)
called_so = {"white": "White", "black": "Black", "asian": "Asian",
             "latino": "Latina/o", "census": "census, mean", "n": "places",
             "quarter": "places where a quarter is more",
             "over": "null shares that are more in most places"}
tables.readable(nothing, names=called_so).format(
    "{:.0%}", subset=["census", "over"]).hide(axis="index")

# %% tags=["hide-input"]
vb.note(states=int(nothing["n"].iloc[0]), **nothing.set_index("group")[["quarter", "over"]].to_dict())

# %% [markdown]
# The census shares are those that the authors released. A quarter is more than the Black share in {glue:text}`quarter.black` of {glue:text}`states`
# places, and more than the White share in {glue:text}`quarter.white`. The shares that our networks return say the same: {glue:text}`over.black:.0%` of them
# are above the Black share in most places, and {glue:text}`over.white:.0%` above the White one.
#
# So the reported over- and under-representation has the sign that a model without any knowledge of places shows. It may say whose portraits lie
# nearest to "someone who lives in". It is no evidence of "biases expressed in human descriptions", nor against them.

# %% tags=["hide-input"]
still = played.places(placeless.returned(networks, census), arboria["region"], america.released_census(), ("black", "white"))
vb.figures.show(still.figure, name="states-placeless", alt=still.alt, caption=still.caption, source=still.source)

# %% [markdown]
# The figure sets one such network beside two columns of the census. [The page of this paper](../../book/american_white.md) has all of them.
#
# **Who is counted.** The census file that the paper names (sc-est2019-alldata5) counts a race "Alone or in Combination", as its key says. Whoever
# reports two races is in two groups there. Latina/o individuals, whom the code sums over five races, can be in one group twice. The file itself was
# not at hand; the shares are used here as they were released.

# %% tags=["needs-census"]
if vb.sources.at_hand("census"):
    gap = (america.census(vb.sources.supplied("census")) - america.released_census()).abs().to_numpy().max()
    print(f"largest difference between the census file and the released shares: {gap:.1e}")

# %% [markdown]
# ## The protocol, run on {data}
#
# Shown here: {glue:text}`shown`.

# %%
people = vb.images(stimuli)
called = pictured.groups(people)
people = people.where(people.table["race"].isin(called.values()))
groups = people.table["race"].to_numpy(str)
arborian = census.rename(columns={NAMES[race]: race for race in RACES})
lived = {"arboria": lambda: arborian, "released": america.released_census}[places]().rename(columns=called)
SENTENCES = {"described": "a photo of someone who lives in {}", "released": "a photo of someone who lives in the state of {}"}
asked = {name: america.sentences(protocol=name) if places == "released" else [sentence.format(place) for place in lived.index]
         for name, sentence in SENTENCES.items()}

kept = states.balanced(groups, n=n_draws, seed=seed)
size = int(kept[0].sum()) // len(called)  # of each group in a draw, and how many are returned
encoders = {name: vb.encoder(given) for name, given in zip(states.MODELS, models, strict=False)}
cosines = {(name, how): vb.embed(encoder, people).vectors @ vb.embed(encoder, sentences).vectors.T
           for name, encoder in encoders.items() for how, sentences in asked.items()}
draws = {key: states.by_draw(one, groups, kept, top=size) for key, one in cosines.items()}
shares = {key: pd.DataFrame(one.mean(axis=0), lived.index, np.unique(groups)) for key, one in draws.items()}
found = {key: states.correlations(one, lived, n_null=n_resamples, seed=seed) for key, one in shares.items()}
first = states.MODELS[0], protocol
tables.readable(found[first].table, precision=3).format(tables.p_value, subset="p").hide(axis="index")

# %% tags=["hide-input"]
land = america.tiles() if places == "released" else squares.assign(letters="")
shown = called["black"]  # the group of the paper's Figure 2, or the hue that is filed in its place
maps = {"census": lived, "returned": shares[first]}
vb.figures.show(
    vb.figures.tiles(pd.concat([land.assign(share=100 * one[shown], map=name) for name, one in maps.items()]), row="row", column="column", value="share",
                     panel="map", label="letters", columns=1, value_label=f"{shown}, % of the census or of portraits returned"),
    name="states-map",
    alt=f"Two maps of {len(lived)} places as squares, coloured by the share of {shown} in the census (mean {lived[shown].mean():.0%}) and among the portraits "
    f"returned (mean {shares[first][shown].mean():.0%}).",
    caption=f"As in the paper's Figure 2 one scale for both, here per cent on both maps (W15): {shown}, {protocol} sentences.",
    source="greenhouse" if people.source == "greenhouse" else [f"real:{people.source}", "published:census_shares"],
)

# %% [markdown]
# ### Three sources of chance
#
# The {glue:text}`n_draws` draws are the same for all places. So places are not independent in what a draw does to them; but r compares places, and what
# moves all of them together moves no r. The portraits behind all draws are another matter: they are one sample of people.

# %%
anew = states.resampled(cosines[first], groups, lived, n=n_resamples, seed=seed)
chance = states.errors(draws[first], np.unique(groups), lived, seed=seed)
chance = chance.assign(all_draws=chance["shared"] / np.sqrt(n_draws), portraits=anew[chance["group"]].std().to_numpy())
without = states.leaving_one_out(shares[first], lived)

# %% tags=["hide-input"]
by_places = found[first].table[["group", "r", "low", "high"]].assign(over="places")
spread = anew[by_places["group"]].quantile([0.025, 0.975])
by_people = by_places.assign(low=spread.iloc[0].to_numpy(), high=spread.iloc[1].to_numpy(), over="portraits")
both = pd.concat([by_places, by_people]).sort_values("group", kind="stable", ignore_index=True).assign(label=lambda t: t["group"] + ", " + t["over"])
vb.figures.show(
    vb.figures.forest(both, estimate="r", low="low", high="high", label="label", group="over", value_label="Pearson's r with the census, 95 % interval"),
    name="states-chance",
    alt="Correlation of returned and census shares of four groups, each with the interval over places and the interval over portraits.",
    caption=f"One network: the same r, with places as the sample (Fisher's z) and with portraits drawn anew within groups; {protocol} sentences.",
    source="greenhouse" if people.source == "greenhouse" else f"real:{people.source}",
)
mean = chance[["shared", "own", "together", "all_draws", "portraits"]].mean()
drop = (without - found[first].table.set_index("group")["r"]).abs()
most = drop.max(axis=1).idxmax()
vb.note(shown=pictured.shown(people), n_draws=n_draws, chance=mean, ratio=mean["portraits"] / mean["all_draws"], dropped={"place": str(most), "by": drop.max(axis=1).max()},
        shared_draw=words.verb(abs(mean["own"] / mean["shared"] - 1), above=0.25, then="matters", else_="hardly matters"))

# %% [markdown]
# One draw moves r by {glue:text}`chance.shared:.3f` (standard deviation, mean over groups); it would be {glue:text}`chance.own:.3f` if each place had draws of its own, so sharing a
# draw {glue:text}`shared_draw`. Averaged over all draws, {glue:text}`chance.all_draws:.5f` is left. Drawing the *portraits* anew moves it by {glue:text}`chance.portraits:.3f`,
# {glue:text}`ratio:.0f` times as much, and no number of draws takes that away. Neither speaks of other networks.
#
# **50 or 51 places.** Without one place, r changes by at most {glue:text}`dropped.by:.3f` ({glue:text}`dropped.place`). In the United States the District of Columbia,
# with the largest Black share, has most leverage; where it is left out is a choice to be stated (W6).
#
# ### R²: which side responds, and what it forgives
#
# R² comes from "fitting a multivariate linear regression". The code predicts four census shares from four returned ones. Shares add up to one, so one of
# four predictors says nothing new. In the sample itself, R² is above zero even if places are exchanged at random:

# %%
one, other = np.unique(groups)[:2]
returned, wanted = shares[first], lived[list(shares[first])]
swapped = states.exchanged(returned, one, other)
squares_of = pd.Series({
    "census by returns (released)": states.r_squared(wanted.to_numpy(), returned.to_numpy()),
    "returns by census": states.r_squared(returned.to_numpy(), wanted.to_numpy()),
    "places exchanged at random, mean": found[first].null.mean(),
    "places exchanged at random, 95th percentile": np.quantile(found[first].null, 0.95),
    f"{one} and {other} exchanged": states.r_squared(wanted.to_numpy(), swapped.to_numpy()),
})
tables.readable(squares_of.to_frame("R²"), precision=3)

# %% tags=["hide-input"]
swapped_r = states.correlations(swapped, lived, n_null=1).table.set_index("group").loc[[one, other], "r"]
by_sentence = {how: found[states.MODELS[0], how].r_squared for how in SENTENCES}
vb.note(null=found[first].null.mean(), swapped={"r2": squares_of.iloc[4], "r": swapped_r.mean(), "one": one, "other": other},
        before=found[first].table.set_index("group").loc[[one, other], "r"].mean(), sides={"census": squares_of.iloc[0], "returns": squares_of.iloc[1]},
        sentence=by_sentence)

# %% [markdown]
# Exchanged places give R² = {glue:text}`null:.3f` on average; three predictors and {glue:text}`provinces` places promise $3/50$. With the
# sides exchanged R² is {glue:text}`sides.returns:.3f` instead of {glue:text}`sides.census:.3f`. And it forgives: call every returned {glue:text}`swapped.one` portrait
# {glue:text}`swapped.other` and the reverse, and the mean r of the two goes from {glue:text}`before:.2f` to {glue:text}`swapped.r:.2f`, while R² stays at
# {glue:text}`swapped.r2:.3f`. The regression lets the census adjust to whatever is returned: it asks whether the places can be told apart, not whether the right people are
# found there. The four r ask that.
#
# **The sentence** (W5). With the paper's "lives in …" R² is {glue:text}`sentence.described:.3f`, with the code's "lives in the state of …" {glue:text}`sentence.released:.3f`.

# %%
for how in SENTENCES:
    own = {name: found[name, how] for name in encoders}
    values = states.claims(own, {name: shares[name, how] for name in encoders}, lived, called)
    for claim, value in values.items():
        if people.source == "greenhouse" and claim in states.OF_PEOPLE:
            continue  # a sentence about real groups is not evaluated on drawings
        about = [encoders[name] for name in states.about(claim)]
        vb.ledger.record(f"states.{claim}", value, results=results, stimuli=people, model=about, protocol=how)
    for claim, count in states.counted(groups, kept, lived, size).items():
        vb.ledger.record(f"states.{claim}", count, results=results, stimuli=people, model="none", protocol=how)

# %% [markdown]
# ## What this method can see
#
# Is the census recovered, and is the exaggeration of the coast told from nothing? Each retrained network is one case. The
# exaggeration is measured twice: in the shares that are returned, and before any ranking, in the logits of portraits and places.

# %%
seen = states.retrained(networks, census, favoured, coast)
detected = states.detection_rates(seen, ["r_squared", "distortion", "logits"])
over_networks = pd.concat({b: vb.networks.summary(own.drop(columns="b")) for b, own in seen.groupby("b")}, names=["b"])
strengths = sorted(seen["b"].unique())
in_captions = {b: states.expected_shares(planted, b=b) for b in strengths}
truth = {
    "r_squared": {b: states.r_squared(census.to_numpy(), one.to_numpy()) for b, one in in_captions.items() if b},
    "distortion": {b: states.distortion(one, census, favoured, coast) for b, one in in_captions.items()},
    "logits": {b: states.distortion_in_logits(states.beyond_others(b * planted), census, favoured, coast) for b in strengths},
}

# %% tags=["hide-input"]
full = over_networks.loc[1.0]
vb.figures.show(
    vb.figures.dose_response(seen, dose="b", dose_label="b", expected=truth,
                             responses={"distortion": "coast, log of shares returned", "logits": "coast, logits"}),
    name="states-planted",
    alt=f"Two measures of the coast's exaggeration against b. At b = 1 the returned shares show {full.loc['distortion', 'mean']:.2f}, the logits "
    f"{full.loc['logits', 'mean']:.2f}; captions show {truth['distortion'][1.0]:.2f} and {truth['logits'][1.0]:.2f}.",
    caption=f"Each dot a network: how much more of {favoured} the coast has than its census explains, in portraits returned and before any ranking. Crosses: captions.",
    source="greenhouse",
)
hits = {(row.measure, row.b): words.among(row.hits, row.n) for row in detected.itertuples()}
vb.note(full=full["mean"], planted={name: own[1.0] for name, own in truth.items()}, mean_r=full.loc[hues, "mean"].mean(), half=over_networks.loc[0.5].loc[hues, "mean"].mean(),
        quarter={name: hits[name, 0.25] for name in truth}, one={name: hits[name, 1.0] for name in truth}, none={name: hits[name, 0.0] for name in truth},
        nothing=over_networks.loc[0.0].loc["r_squared", "mean"])
tables.readable(over_networks["mean"].unstack().loc[:, [*hues, "r_squared", "distortion", "logits", "full"]], names={"distortion": "coast, shares", "logits": "coast, logits", "full": "full or empty cells"})

# %% [markdown]
# **The census is recovered.** Mean r over the four hues is {glue:text}`mean_r:.2f` at $b = 1$, and {glue:text}`half:.2f` at half that strength. Where nothing was planted R² averages {glue:text}`nothing:.3f`, the value of places exchanged at random. Told
# from networks with nothing planted, by an exact p of at most .05: {glue:text}`quarter.r_squared` at $b = .25$, {glue:text}`none.r_squared` at $b = 0$.
#
# **The exaggeration is found, and its size depends on where it is read.** Captions at $b = 1$ speak of {glue:text}`favoured` on the coast by
# {glue:text}`planted.logits:.2f` log units more than the census has. The logits show {glue:text}`full.logits:.2f`. The returned shares show
# {glue:text}`full.distortion:.2f`, where shares that followed the captions would show {glue:text}`planted.distortion:.2f`: the nearest quarter is filled from the top, and
# {glue:text}`full.full:.0%` of all cells are full or empty. An exaggeration measured in returned portraits says that there is one, not how large. At $b = .25$ the
# logits tell {glue:text}`quarter.logits` networks from nothing, the shares {glue:text}`quarter.distortion`.
#
# **The assumptions, and what each looks like when it fails.** *R² above zero means the places are told apart*: exchanged places have an R², too. *A high R² means
# the right people*: two groups exchanged leave it as it is. *More than the census means bias*: models that cannot tell places apart return more than
# the census, too. *A share returned is a share*: ranking and cutting make a larger one. *Draws and places are the sample*: portraits and
# networks are.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `2e45194`, checked against the code:
#
# | | paper | code | here |
# |---|---|---|---|
# | sentence (W5) | "lives in [STATE]" in the Approach, "in the state of [state]" in the introduction | "in the state of", and "Washington, D.C." for the District | both protocols |
# | places (W6) | "fifty U.S. states and the District of Columbia" | 51 in the ranking; the table of letters has 50, so that the script stops at the District where IAT means and maps need it | all, and without each |
# | draws | "repeated 1,000 times for each state" | one draw for all states, no seed | one draw for all, seeded |
# | R² | "a multivariate linear regression" | four census shares as responses, mean of four R², in the sample | both directions, and a null |
# | census | "2019 U.S. census" | estimates of 2019 in which a race is counted alone *or in combination*; White, Black and Asian not Hispanic, Latina/o summed over five races; others are left out of the denominator | as released |
# | p (W4) | bounds | two-sided | both tails |
# | maps of Fig. 2 (W15) | one scale, "{claim}`states.scale`" | mean counts out of 108 images, and census per cent, on that scale | shares |
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/states -p models '[greenhouse/b0]' -p protocol described
# ```
# :::

# %% [markdown]
# ## Take-aways
#
# - Correlations with a census show that places are told apart. They do not show that shares are right: compare r at full and at half strength above.
# - Compare "more than the census" with what models return that know nothing of places. One model without that knowledge may return hardly any
#   portrait of a group, or half of all.
# - Give R² its null, say which side responds, and look at the four r: R² does not notice when groups are mixed up.
# - A thousand draws remove the chance of drawing. The portraits and the network remain one sample each.
# - To measure an exaggeration, use the similarities before they are cut into ranks.

# %% [markdown]
# ## Exercises
#
# :::{exercise} R² of nothing
# :label: states-null
# :level: intermediate
# :minutes: 15
# :code: yes
# Three independent predictors of pure noise, n places: what is the expected R² in the sample? Check it with 51 places by simulation.
# :::
#
# ```{solution-start} states-null
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rng = np.random.default_rng(seed)
noise = np.mean([states.r_squared(rng.normal(size=(51, 4)), rng.normal(size=(51, 3))) for _ in range(400)])
print(f"{noise:.3f}, expected k / (n − 1) = {3 / 50:.3f}")
assert abs(noise - 3 / 50) < 0.006

# %% [markdown]
# Once the mean is taken out, pure noise spreads evenly over $n - 1$ directions. Three predictors cover three of these, whatever they measure. So $k /
# (n - 1)$ is what explains nothing, and an R² is to be compared with it.
#
# ```{solution-end}
# ```
#
# :::{exercise} How far can one place carry a correlation?
# :label: states-leverage
# :level: introductory
# :minutes: 10
# :code: yes
# Fifty places have census shares and returns that have nothing to do with each other. Add one place that lies ten standard deviations out on both. What
# is r with and without it?
# :::
#
# ```{solution-start} states-leverage
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
fifty = rng.normal(size=(50, 2))
with_it = np.vstack([fifty, [10, 10]])
r_without, r_with = (np.corrcoef(one.T)[0, 1] for one in (fifty, with_it))
print(f"without {r_without:.2f}, with {r_with:.2f}")
assert abs(r_without) < 0.4 < 0.55 < r_with

# %% [markdown]
# The added place brings $10 \cdot 10 = 100$ to the sum of products and to either sum of squares; the fifty others bring about 50 to each sum of
# squares and about nothing to the products. So $r \approx 100 / (50 + 100)$: the correlation describes one place.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A model returns people as the census has them. Another returns a quarter of everybody. Which would you call biased, for which use?
# 2. Captions of photographs from a state are not a sample of its population: who is photographed, by whom, and who is described by where they live?
