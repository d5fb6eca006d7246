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
# *Wolfe and Caliskan (2022), Table 1: which portraits a model returns for each state, beside a census.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** For each American state, a model ranks portraits by how well they fit "a photo of someone who lives in the state of …". Do the
# best-ranked portraits show who lives there? And if one group has more of them than the census, does the model exaggerate?
#
# **In 20 minutes,** read four sections: {ref}`what the authors found <states-found>`, {ref}`the answer in one figure <states-answer>`,
# {ref}`a model that knows nothing of places <states-nothing>`, {ref}`what this means <states-means>`. **In 75 minutes:** everything, with one of the
# exercises.
#
# **You need:** Pearson's r, a linear regression. The primer [on rankings](../../book/primers/ranking.md) explains what a ranking can say.
#
# **Content note.** The paper sorts portraits of Asian, Black, Latina/o and White people. Our own faces are drawings in invented colours, and
# our places belong to an invented country.
# :::
#
# **The idea.** Who lives where is no secret: a census counts it. Has a model that learned from pictures and texts of the internet picked it up?
# And does it return some groups more often than they live there? {cite:t}`wolfe2022` ask this of three models that were trained on pictures
# with captions: CLIP, SLIP and BLIP. Their results are quoted here from the paper. What we test is the method, with small networks of our own.
#
# **The experiment.** The portraits come from a database {cite:p}`ma2015`; the people said themselves whether they are Asian, Black, Latina/o
# or White. The authors first make the groups equally large: {claim}`states.per-group` portraits of each, drawn at random.
#
# For every state they take the {claim}`states.top` portraits that lie nearest to its sentence, a quarter of all. The share of a group among these is set
# beside its share in the census of 2019. All this is repeated {claim}`states.draws` times, with other random portraits, and averaged.
#
# **What the authors conclude.** "Strong correlations exist between the race or ethnicity of the highest ranked images for each state […]
# and the demographics of that state." "Images of Asian and Black individuals are generally over-represented […] while White individuals are
# under-represented." From this second finding they conclude: the associations "are not the straightforward result of 'learning' the
# population of a state, but reflect biases expressed in human descriptions".
#
# **Their own checks and limits.** They balance the groups, and repeat the draw "to adjust for the effects of randomly downsampling". They did
# not examine the data on which the models were trained.

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
models = ["greenhouse"]  # encoders, in the order CLIP, SLIP, BLIP; a model
places = "arboria"  # the places and their census: fictional, or the shares that the authors released; one of: arboria, released
protocol = "released"  # the sentence: "lives in …" (the paper's Approach) or "lives in the state of …" (its code); one of: described, released
n_draws = 1000  # balanced draws of the portraits; at least 3
n_resamples = 400  # resamples of the portraits, and of the order of places; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/states.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
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
# (states-found)=
# ## What the paper reports: the more of a group live in a state, the more of it are returned
#
# Table 1 has one correlation for each group and model, over the states:

# %% tags=["hide-cell"]
printed = states.table1(vb.ledger.claim, places=(51, 50))
printed[["model", "group", "r", "printed"]].rename(columns={"printed": "p"}).head(3)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(printed, estimate="r", low="low", high="high", label="cell", group="model", value_label="Pearson's r, 95 % interval (Fisher's z, 51 places)"),
    name="states-table1",
    alt="Twelve correlations with intervals, four groups in three models: highest for CLIP, lowest for SLIP, all above zero.",
    caption="Table 1, redrawn. The intervals are ours; they would be right if places were independent.",
    source="paper:american_white, Table 1",
)
met = states.bounds_met(printed)
overlap = int(((printed.query("model == 'CLIP'")["low"].to_numpy()) < (printed.query("model == 'BLIP'")["high"].to_numpy())).sum())
vb.note(two=met["two-sided 51"], one=met["one-sided 51"], cells=len(printed), overlap=words.among(overlap, 4))

# %% [markdown]
# All correlations are positive, from {claim}`states.slip.black.r` to {claim}`states.clip.black.r`. They are highest for CLIP, the model with the most
# training data, and lowest for SLIP. The authors also give R², one number for each model. It says how well the returned shares of all four groups
# predict a group's census share, on average over the groups: for CLIP, they explain {claim}`states.clip.r2` of its variance.
#
# The second finding is about sizes: Black and Asian people have more of the returned portraits than of the population, White people fewer. The
# numbers behind this sentence are not printed.
#
# **Do the printed numbers agree with each other?** Nearly. For SLIP, R² is {claim}`states.slip.r2` in the table and
# {claim}`states.text-r2-slip` in the text. Some *p*-values are printed as smaller than a bound, although they are a little larger. No conclusion depends on either.
#
# :::{dropdown} Details: r and p, text and table
# - *r and p.* We computed the p that belongs to each printed r, over 51 places. With two tails, as in the released code, {glue:text}`two` of the {glue:text}`cells`
#   printed bounds can be true. In the others, only the power of ten is right, such as "< 10⁻⁹" for 2 · 10⁻⁹. The list of all numbers is milder: the paper does not name
#   the tails, so it also allows one tail. Then {glue:text}`one` can be true, and the list names the others.
# - *R² of SLIP.* There is no number that rounds to both printed values.
# - *CLIP and BLIP.* The printed correlations are highest for CLIP in all groups. The intervals of CLIP and BLIP overlap for {glue:text}`overlap` groups.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/states"))

# %% [markdown]
# (states-answer)=
# ## What one may doubt, and the answer in one figure
#
# A correlation says that two things rise together. It does not say that they are equally large. The authors explain the difference in size by the
# "human descriptions" that a model learned from. So we compare with these, not with a census: if a group has a certain share in the captions that a model
# learned from, does it have the same share among the returned portraits?
#
# To answer this, one has to know the captions. In our laboratory, the [Greenhouse](../../book/greenhouse/limits.md), we do:
# small networks that we trained on drawn faces in four colours, and on captions that we wrote. The captions say who lives where in an
# invented country, Arboria, with {glue:text}`provinces` provinces. Some provinces are described as more amber, others as more teal, and so on. For
# every province and colour, we compare three shares:
#
# - *in captions*: the colour's share of the captions that name the province;
# - *returned*: the colour's share of the nearest quarter of the portraits, as the authors count it;
# - *before ranking*: the probability that the same network gives to the colour, computed from how near all portraits are, not from a nearest quarter.
#
# :::{dropdown} How are shares computed before ranking?
# A model of CLIP's kind is trained to turn similarities into probabilities, and we do the same. How near a portrait lies to the sentence of a province is
# measured by the cosine of the angle between the two vectors. It is multiplied by the *logit scale*, a number that the model learned in training. The mean of these
# products over the portraits of a colour $g$ is called $\bar\ell_g$. Then
#
# $$\text{share of } g = \frac{\exp \bar\ell_g}{\sum_h \exp \bar\ell_h}.$$
#
# The four shares of a province add up to 1. The same can be done with CLIP's similarities and its own logit scale.
# :::

# %%
spoken = grammar.load().bias
arboria = spoken.provinces.set_index("province")
colours = sorted(NAMES[race] for race in RACES)
census = arboria[colours]
taught = pd.DataFrame(
    {name: spoken.axes[name]["planted"]["race"] for name in census.index}
).T[colours]  # log odds: a colour's share of the captions is proportional to exp of this

networks = retrained.vectors()
full = (networks.networks["b"] == 1).to_numpy()  # learned from these captions; others later
shares = {
    "in captions": states.expected_shares(taught, b=1.0),
    "returned": states.returned_at(networks, census, b=1.0),
    "before ranking": pd.DataFrame(
        states.unranked_by(networks, census)[full].mean(axis=0), census.index, colours
    ),
}
compared = pd.concat({name: table.stack() for name, table in shares.items()}, axis=1)
compared.rename_axis(["province", "colour"]).reset_index().round(2).head(4)

# %%
coast = (arboria["region"] == "coast").to_numpy()  # captions exaggerate here: see below
slope = {
    name: np.polyfit(compared["in captions"], compared[name], 1)[0]
    for name in ("returned", "before ranking")
}
inland = [table[~coast].stack() for table in (shares["in captions"], shares["returned"])]
slope["inland"] = np.polyfit(*inland, 1)[0]
r = compared.corr()["in captions"]
largest = states.returned_by(networks, census)[full].max(axis=-1)  # per network and province
alone = (largest == 1).mean()  # all returned portraits have one colour

# %% tags=["hide-input"]
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.8, share_y=True)
for axes, name in ((left, "returned"), (right, "before ranking")):
    for colour, ink in vb.figures.colours_for(colours).items():
        axes.plot(100 * shares["in captions"][colour], 100 * shares[name][colour], "o", ms=4, alpha=0.75, color=ink, label=colour)
    axes.plot([0, 100], [0, 100], color=vb.figures.COLOURS["reference"], lw=1, ls="--")
    axes.set(title=name, xlabel="% in captions", xlim=(-3, 103), ylim=(-3, 103))
left.set_ylabel("% in the network")
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=4)
vb.figures.show(
    fig,
    name="states-answer",
    alt=f"Two scatter plots of {len(compared)} pairs of province and colour. Shares returned rise with shares in captions with a slope of {slope['returned']:.1f}, shares before "
    f"ranking with a slope of {slope['before ranking']:.1f}; the dashed line has slope 1.",
    caption=f"One dot per province and colour, mean of {int(full.sum())} networks. On the dashed line the network gives what captions say.",
    source="greenhouse",
)
vb.note(provinces=len(census), slope=slope, r=r, alone=alone, networks=int(full.sum()),
        exaggerates=states.steeper(slope["returned"], slope["before ranking"]))

# %% [markdown]
# {glue:text}`exaggerates` A colour with ten points more in the captions has {glue:text}`points.returned:.0f` points more among the returned portraits, on
# average. Before ranking it has {glue:text}`points.unranked:.0f` points more. The figure shows means over networks. A single network can be more extreme: in
# {glue:text}`alone:.0%` of the cases, all portraits that it returns for a province have one colour.
#
# A correlation does not notice this: r is {glue:text}`r.returned:.2f` for the returned shares, and {glue:text}`r.before ranking:.2f` before ranking.
#
# The reason lies in the cut. Drawings of one colour are much alike for a network. Where the likeliest colour lies a little nearer to the sentence than the others, nearly all drawings of this colour do. So they fill the nearest quarter. It is like an election in which the winner takes all. Portraits of one group of people
# differ more, so with them the effect may be smaller.
#
# (states-nothing)=
# ### What does a model return that knows nothing of places?
#
# The second doubt is about the words "over-represented" and "under-represented". Suppose a model cannot tell the states apart. Then it returns nearly the
# same portraits for every state: those that lie nearest to "someone who lives in", whatever follows. We trained {glue:text}`null.n` other networks on
# captions that say nothing about who lives where. The first of them:

# %%
alike = states.returned_everywhere(networks, census)  # a row per network and colour
alike[["network", "group", "share", "places"]].rename(
    columns={"group": "colour", "share": "mean share", "places": "SD over provinces"}
).round(2).head(4)

# %% tags=["hide-input"]
by_network, by_colour = alike.groupby("network")["share"], alike.groupby("group")["share"]
fig, ((axes,),) = vb.figures.panels(height=2.8)
for place, (_, own) in enumerate(by_colour):
    axes.plot(100 * own, np.full(len(own), place), "o", color=vb.figures.PALETTE[0], ms=5, alpha=0.45)
axes.axvline(25, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
axes.set_yticks(range(len(colours)), sorted(colours))
axes.set(xlim=(0, 60), xlabel="% of the portraits returned, mean over all provinces", ylim=(-0.6, len(colours) - 0.4))
extent = {"least": alike["share"].min(), "most": alike["share"].max()}
vb.figures.show(
    fig, name="states-nothing",
    alt=f"Shares of four colours among the portraits that {len(by_network)} networks without knowledge of places return: from {extent['least']:.0%} to "
    f"{extent['most']:.0%}, scattered around a quarter for every colour.",
    caption=f"{len(by_network)} networks whose captions say nothing about who lives where, one dot each per colour. Dashed: a quarter.", source="greenhouse")
uneven = int(((alike["share"] - 0.25).abs() > 0.05).groupby(alike["network"]).any().sum())
vb.note(null=extent | {"n": len(by_network), "uneven": words.among(uneven, len(by_network)), "networks": alike["share"].std(),
                       "places": alike["places"].mean(), "low": by_colour.mean().min(), "high": by_colour.mean().max()},
        points={"returned": 10 * slope["returned"], "unranked": 10 * slope["before ranking"], "inland": 10 * slope["inland"]})

# %% [markdown]
# On average over such networks, each colour has about a quarter of the returned portraits, because the four groups are equally large. A single network can be
# far from a quarter: one returns {glue:text}`null.least:.0%` of some colour, another {glue:text}`null.most:.0%`.
#
# Now set a quarter beside the census of the United States. In how many states is it more than the share of a group?

# %%
nothing = states.beside_returns(america.released_census(), alike["share"].to_numpy())
nothing[["group", "census", "quarter", "n"]].rename(
    columns={"census": "mean share in census", "quarter": "states where 1/4 is more", "n": "of"}
).round(2)

# %% tags=["hide-input"]
vb.note(more={row.group: words.among(row.quarter, row.n) for row in nothing.itertuples()}, states=int(nothing["n"].iloc[0]), **nothing.set_index("group")[["quarter", "over"]].to_dict())

# %% [markdown]
# A quarter is more than the Black share in {glue:text}`more.black` (the District of Columbia counted as a state), and more than the White share in
# {glue:text}`more.white`. The table has the other groups. So on average, models that know nothing of places would seem to over-represent Black people and to
# under-represent White people. This is the direction that the authors report. A single model may differ from this average. But the direction alone is no evidence of
# "biases expressed in human descriptions", and none against them. For evidence, one would need CLIP's returned shares, and those for a sentence that names no place.
#
# The figure shows this for one such network. Only the size of a share is carried over to the United States: no colour stands for a group of people. On
# [the overview of this paper](../../book/american_white.md), you can choose another network.

# %% tags=["hide-input"]
still = played.places(placeless.returned(networks, census), arboria["region"], america.released_census(), ("black", "white"))
vb.figures.show(still.figure, name="states-placeless", alt=still.alt, caption=still.caption, source=still.source)

# %% [markdown]
# ## The protocol, run on {data}
#
# This section runs the experiment as a reader would run it on a model of their own. {glue:text}`shown` From them, each draw takes equally many of
# each colour, as in the paper. The sentence is "{glue:text}`asked`".

# %%
people = vb.images(stimuli)
called = pictured.groups(people)
people = people.where(people.table["race"].isin(called.values()))
groups = people.table["race"].to_numpy(str)
arborian = census.rename(columns={NAMES[race]: race for race in RACES})
lived = {"arboria": lambda: arborian, "released": america.released_census}[places]()
lived = lived.rename(columns=called)
SENTENCES = {
    "described": "a photo of someone who lives in {}",
    "released": "a photo of someone who lives in the state of {}",
}
asked = {
    name: america.sentences(protocol=name)
    if places == "released"
    else [sentence.format(place) for place in lived.index]
    for name, sentence in SENTENCES.items()
}
encoders = {name: vb.encoder(given) for name, given in zip(states.MODELS, models, strict=False)}
cosines = {
    (name, how): vb.embed(encoder, people).vectors @ vb.embed(encoder, sentences).vectors.T
    for name, encoder in encoders.items()
    for how, sentences in asked.items()
}  # portraits × places

kept = states.balanced(groups, n=n_draws, seed=seed)  # draws × portraits
size = int(kept[0].sum()) // len(called)  # of each group in a draw, and how many are returned
draws = {key: states.by_draw(one, groups, kept, top=size) for key, one in cosines.items()}

# %% [markdown]
# The ranking for one place, in the first draw, by hand:

# %%
first = states.MODELS[0], protocol
near = pd.DataFrame({"group": groups, "cosine": cosines[first][:, 0]})[kept[0]]
nearest = near.sort_values("cosine", ascending=False, kind="stable").head(size)
share = nearest["group"].value_counts(normalize=True).reindex(np.unique(groups), fill_value=0)
print(lived.index[0], share.round(2).to_dict())
assert np.allclose(share, draws[first][0, 0])

# %%
returned = {key: pd.DataFrame(one.mean(axis=0), lived.index, np.unique(groups)) for key, one in draws.items()}
found = {
    key: states.correlations(one, lived, n_null=n_resamples, seed=seed)
    for key, one in returned.items()
}
tables.readable(found[first].table, precision=3).format(tables.p_value, subset="p").hide(axis="index")

# %% tags=["hide-input"]
arranged = states.in_lines(arboria["region"])
land = america.tiles() if places == "released" else arranged.assign(letters="")
shown = called["black"]  # the group of the paper's Figure 2, or the colour that is filed in its place
maps = {"census": lived, "returned": returned[first]}
vb.figures.show(
    vb.figures.tiles(pd.concat([land.assign(share=100 * one[shown], map=name) for name, one in maps.items()]), row="row", column="column", value="share",
                     panel="map", label="letters", columns=1, value_label=f"{shown}, % of the census or of portraits returned"),
    name="states-map",
    alt=f"Two maps of {len(lived)} places as squares, coloured by the share of {shown} in the census (mean {lived[shown].mean():.0%}) and among the portraits "
    f"returned (mean {returned[first][shown].mean():.0%}).",
    caption=f"One square for each place, coloured by the share of {shown}: in the census, and among the portraits that this one network returns. Both maps have one scale, as in the paper's Figure 2.",
    source="greenhouse" if people.source == "greenhouse" else [f"real:{people.source}", "published:census_shares"],
)
vb.note(shown=pictured.shown(people), n_draws=n_draws, asked=SENTENCES[protocol].format("…"))

# %% tags=["hide-cell"]
for how in SENTENCES:
    own = {name: found[name, how] for name in encoders}
    values = states.claims(own, {name: returned[name, how] for name in encoders}, lived, called)
    for claim, value in values.items():
        if people.source == "greenhouse" and claim in states.OF_PEOPLE:
            continue  # a sentence about real groups is not evaluated on drawings
        about = [encoders[name] for name in states.about(claim)]
        vb.ledger.record(f"states.{claim}", value, results=results, stimuli=people, model=about, protocol=how)
    for claim, count in states.counted(groups, kept, lived, size).items():
        vb.ledger.record(f"states.{claim}", count, results=results, stimuli=people, model="none", protocol=how)

# %% [markdown]
# :::{dropdown} Where does chance come from?
# A draw of portraits, the choice of places, and the people in the portraits all add chance to r. For the network above:
#
# - *Draws of portraits.* From one draw to the next, r varies by {glue:text}`chance.shared:.3f` (standard deviation, mean over groups). In the mean of all
#   {glue:text}`n_draws` draws, the standard deviation is only {glue:text}`chance.all_draws:.5f`. In the code, all places share a draw; giving each place a draw of its own
#   {glue:text}`shared_draw`.
# - *People.* Other portraits of the same kind would move r by {glue:text}`chance.portraits:.3f`. No number of draws takes this away.
# - *Places.* If one place is left out, r changes by at most {glue:text}`dropped.by:.3f` ({glue:text}`dropped.place`). In the United States, the District of Columbia has
#   the largest Black share and so the most weight; a paper should say whether it is counted.
# - *The sentence.* With "lives in …" R² is {glue:text}`sentence.described:.3f`, with "lives in the state of …" {glue:text}`sentence.released:.3f`.
#
# None of this says what another network would return.
# :::

# %% tags=["hide-cell"]
anew = states.resampled(cosines[first], groups, lived, n=n_resamples, seed=seed)
chance = states.errors(draws[first], np.unique(groups), lived, seed=seed)
chance = chance.assign(all_draws=chance["shared"] / np.sqrt(n_draws), portraits=anew[chance["group"]].std().to_numpy())
mean = chance[["shared", "own", "together", "all_draws", "portraits"]].mean()
drop = (states.leaving_one_out(returned[first], lived) - found[first].table.set_index("group")["r"]).abs()
most = drop.max(axis=1).idxmax()
vb.note(chance=mean, dropped={"place": str(most), "by": drop.max(axis=1).max()}, sentence={how: found[states.MODELS[0], how].r_squared for how in SENTENCES},
        shared_draw=words.verb(abs(mean["own"] / mean["shared"] - 1), above=0.25, then="matters", else_="hardly matters"))
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

# %% [markdown]
# :::{dropdown} R² does not notice when groups are mixed up
# R² is meant to say how well the four returned shares go with the four census shares. The code predicts each census share by a regression on all four returned
# shares. Two things are easily overlooked.
#
# - *R² is never zero.* If places are exchanged at random, R² is still {glue:text}`sq.random:.3f` on average. An R² should be compared with this. (The four
#   shares add up to one, so the fourth follows from three. Three predictors of pure noise have an R² of about 3/50 over 51 places: {numref}`states-null`.)
# - *R² is blind to names.* Call every {glue:text}`swapped.one` portrait {glue:text}`swapped.other`, and the reverse. The mean r of the two groups falls from
#   {glue:text}`before:.2f` to {glue:text}`swapped.r:.2f`, and R² stays at {glue:text}`sq.swapped:.3f`. So R² shows only whether census shares can be
#   predicted from the portraits returned, by whatever rule. Whether the right people are returned, only the four r can say.
# :::

# %% tags=["hide-cell"]
one, other = np.unique(groups)[:2]
shares_found, wanted = returned[first], lived[list(returned[first])]
swapped = states.exchanged(shares_found, one, other)  # call one group by the other's name
squares_of = pd.Series({
    "as in the code": states.r_squared(wanted.to_numpy(), shares_found.to_numpy()),
    "places exchanged at random, mean": found[first].null.mean(),
    "two groups exchanged": states.r_squared(wanted.to_numpy(), swapped.to_numpy()),
})
squares_of.round(3).to_frame("R²")

# %% tags=["hide-cell"]
swapped_r = states.correlations(swapped, lived, n_null=1).table.set_index("group").loc[[one, other], "r"]
vb.note(sq=squares_of.set_axis(["code", "random", "swapped"]), swapped={"r": swapped_r.mean(), "one": one, "other": other}, before=found[first].table.set_index("group").loc[[one, other], "r"].mean())

# %% [markdown]
# ## What this method can see
#
# (states-planted)=
# ### The ranking finds who lives where, and makes an exaggeration larger
#
# In one region of Arboria, the coast, captions exaggerate: they speak of one colour ({glue:text}`favoured`) more often than the census of Arboria has it. Does the
# method find this, and with the right size? We ask networks that were trained with several strengths, from 0 (captions say nothing about places) to 1 (as above).
# There are {glue:text}`null.n` networks at strength 0, and {glue:text}`networks` at each of the others.
#
# Take two provinces with the same census share of {glue:text}`favoured`, one on the coast and one elsewhere. How many points more of {glue:text}`favoured` has the one on the coast?

# %%
favoured = spoken.roles["favoured"]
seen = states.retrained(networks, census, favoured, coast)  # one row per network
every = {
    "returned": states.returned_by(networks, census),
    "before ranking": states.unranked_by(networks, census),
}
for name, all_shares in every.items():  # points: from a regression on census share and coast
    tables_of = [pd.DataFrame(one, census.index, colours) for one in all_shares]
    seen[name] = [states.excess(one, census, favoured, coast) for one in tables_of]
strengths = sorted(seen["b"].unique())
in_captions = {b: states.expected_shares(taught, b=b) for b in strengths}
points = {b: states.excess(one, census, favoured, coast) for b, one in in_captions.items()}
means = seen.groupby("b")[["returned", "before ranking"]].mean()
means.insert(0, "in captions", points)
(means.round(1) + 0).rename_axis("strength")  # + 0: no "-0.0"

# %% tags=["hide-input"]
detected = states.detection_rates(seen, ["r_squared", "returned"])
over_networks = pd.concat({b: vb.networks.summary(own.drop(columns="b")) for b, own in seen.groupby("b")}, names=["b"])
at_full, at_half = over_networks.loc[1.0], over_networks.loc[0.5]
vb.figures.show(
    vb.figures.dose_response(seen, dose="b", dose_label="strength", expected={name: points for name in every},
                             responses={name: f"{name}, points" for name in every}),
    name="states-planted",
    alt=f"The coast's exaggeration against strength, in points. At full strength the returned shares show {means.loc[1.0, 'returned']:.0f}, the shares before ranking "
    f"{means.loc[1.0, 'before ranking']:.0f}; captions show {points[1.0]:.0f}.",
    caption=f"Each dot a network: how many points larger the share of {favoured} is on the coast than elsewhere, at the same share in the census. Crosses: in the captions.",
    source="greenhouse",
)
hits = {(row.measure, row.b): words.among(row.hits, row.n) for row in detected.itertuples()}
vb.note(favoured=favoured, full=at_full["mean"], mean_r=at_full.loc[colours, "mean"].mean(), half=at_half.loc[colours, "mean"].mean(),
        quarter={name: hits[name, 0.25] for name in ("r_squared", "returned")}, one={name: hits[name, 1.0] for name in ("r_squared", "returned")},
        weaker={"captions": points[0.5], "unranked": means.loc[0.5, "before ranking"]},
        learned=words.verb(points[0.5] - means.loc[0.5, "before ranking"], above=1, then="learned the weaker link only in part", else_="learned nearly all of it"),
        coast={"captions": points[1.0], "returned": means.loc[1.0, "returned"], "unranked": means.loc[1.0, "before ranking"]})

# %% [markdown]
# Who lives where is found well: r with the census of Arboria is {glue:text}`mean_r:.2f`, on average over the four colours and the networks at full strength. With half the
# strength it is {glue:text}`half:.2f`, nearly as high. So r does not show how strongly captions link places and colours.
#
# The size of the exaggeration depends on where one looks. At full strength, the share of {glue:text}`favoured` in the captions is {glue:text}`coast.captions:.0f` points larger on
# the coast. Before ranking, it is {glue:text}`coast.unranked:.0f` points larger, and among the returned portraits {glue:text}`coast.returned:.0f`. So returned
# portraits can show that there is an exaggeration, but not how large it is.
#
# What the network holds is not always what its captions hold. At half the strength, captions have {glue:text}`weaker.captions:.1f` points more on the coast, and the share before ranking {glue:text}`weaker.unranked:.1f`: the networks {glue:text}`learned`.
#
# A weak exaggeration can be missed. At a quarter of the strength, we compared the returned shares of each network with those of the networks at strength 0. The exaggeration
# was larger than in 95 % of those in {glue:text}`quarter.returned` networks; at full strength, in {glue:text}`one.returned`.
#
# Ranking also makes differences larger where nothing is exaggerated. Outside the coast, captions follow the census. For these provinces alone, ten
# points more in the captions go with {glue:text}`points.inland:.0f` points more among the returned portraits.
#
# (states-means)=
# ## What this means
#
# **For the paper.** Its first finding is consistent in itself: in CLIP, SLIP and BLIP, places are linked with the people who live there, and most in CLIP. Neighbouring
# states are alike, so the correlations may be less certain than the intervals above.
#
# The second finding, that some groups are over-represented, needs a comparison before it says something about bias. Models without any knowledge of places would, on
# average, show the same direction. And where a model does know, returned portraits may make a small exaggeration look large. How large this effect is in CLIP, we do
# not know. CLIP's similarities before the ranking would tell.
#
# **For your own work.** If you rank and cut, the share of a group in the result is no estimate of what the model learned. Save the similarities, and compute
# from them. Run the same ranking with a sentence that names no place ("a photo of someone"), and report both results.
#
# ## Where paper and code differ
#
# The list is for readers who check the analysis or rerun it.
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `2e45194`.
#
# | | paper | code | here |
# |---|---|---|---|
# | sentence (W5) | "lives in [STATE]" in the Approach, "in the state of [state]" in the introduction | "in the state of", and "Washington, D.C." for the District | both protocols |
# | places (W6) | "fifty U.S. states and the District of Columbia" | 51 in the ranking; a later part of the script knows only 50 names and stops at the District | all 51; in a check, each is left out in turn |
# | draws | "repeated 1,000 times for each state" | one draw for all states, no seed | one draw for all, seeded |
# | R² | "a multivariate linear regression" | each census share is predicted from the four returned shares; mean of four R² | as in the code, and with places exchanged |
# | census | "2019 U.S. census" | estimates of 2019, see "Who is counted" below | as released |
# | p (W4) | bounds | two-sided | both tails |
# | maps of Fig. 2 (W15) | one scale, "{claim}`states.scale`" | one map has mean counts out of 108 images, the other per cent of the census, so the counts look slightly larger | per cent in both |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/states -p models '[greenhouse/b0]' -p protocol described
# ```
# :::

# %% [markdown]
# **Who is counted in the census.** The census file that the paper names (sc-est2019-alldata5) counts a race "Alone or in Combination", as its key says. Whoever
# reports two races is counted for both. The code adds up Latina/o people over five races, so a person with two of these races is counted twice as Latina/o. For all results above we
# used the census shares that the authors released. Where the file of the Census Bureau is at hand, the two are compared here.

# %% tags=["needs-census", "hide-input"]
if vb.sources.at_hand("census"):
    gap = (america.census(vb.sources.supplied("census")) - america.released_census()).abs().to_numpy().max()
    print(f"largest difference between the census file and the released shares: {gap:.1e}")

# %% [markdown]
# ## Take-aways
#
# - A correlation with a census shows that places are told apart. It does not show that shares are right.
# - A share of what is returned is not an estimate of a share. Ranking and cutting can make differences much larger.
# - Compare "more than the census" with what a model returns that knows nothing of places.
# - R² does not notice when groups are mixed up; look at the r of each group.
# - To measure what a network exaggerates, use the similarities before they are cut into ranks. They show what the network learned, which can be less than its captions hold.

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
# A regression with $n - 1$ predictors fits $n$ places perfectly, whatever the predictors are. If they are pure noise, each predictor explains,
# on average, an equal part of the variance. So $k$ predictors of pure noise have an R² of $k / (n - 1)$, and an R² is to be compared with this.
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
# The added place brings $10 \cdot 10$ to the sum of products, and as much to either sum of squares. The fifty others bring about 50 to each sum of
# squares, and about nothing to the products. So the correlation describes one place:
#
# $$r \approx \frac{100}{50 + 100}$$
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. A model returns people as the census has them. Another returns a quarter of everybody. Which would you call biased, for which use?
# 2. Captions of photographs from a state are not a sample of its population: who is photographed, by whom, and who is described by where they live?
