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
# **Question.** For each American state, a model ranks portraits by how well they fit "a photo of someone who lives in the state of …". If a
# group has more of the best-ranked portraits than the census says, is this a bias of the model?
#
# **In 20 minutes,** read four sections: {ref}`What the paper reports <states-found>`,
# {ref}`What one may doubt, and the answer in one figure <states-answer>`,
# {ref}`A model that knows nothing of places "over-represents" small groups, too <states-nothing>`, {ref}`What this means <states-means>`.
# **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** Pearson's r, a linear regression. The primer [on rankings](../../book/primers/ranking.md) explains what a ranking can say.
#
# **Content note.** The paper sorts portraits of Asian, Black, Latina/o and White people. Our own faces are drawings in invented colours that
# stand for nobody, and our places belong to an invented country.
# :::
#
# **The idea.** A census counts who lives where. Has a model picked this up from pictures and texts of the internet?
# {cite:t}`wolfe2022` ask this of CLIP, SLIP and BLIP, three models that were trained on pictures with captions.
#
# **The experiment.** The portraits come from a database {cite:p}`ma2015`; the people said themselves whether they are Asian, Black, Latina/o
# or White. The authors first make the groups equally large: they choose {claim}`states.per-group` portraits of each at random.
#
# A model turns every portrait, and the sentence about a state, into lists of numbers. The *cosine* of two lists says how near they are. The nearest quarter of the portraits is *returned* for the state. The authors compare the share of a group
# among them with its share in the census of 2019. They repeat all this {claim}`states.draws` times, with other random portraits, and average.
#
# **What the authors conclude.** First, "strong correlations exist between the race or ethnicity of the highest ranked images for each state […]
# and the demographics of that state". Second, such AI "tends to overestimate the population of Black, Asian, or Latina/o individuals living in a
# state", while "White individuals are under-represented". From the second finding they conclude: what models associate with places is "not the
# straightforward result of 'learning' the population of a state", but reflects "biases expressed in human descriptions". The results section goes further: "This suggests that biases associating White with American are not the straightforward result of White
# individuals being the most populous U.S. racial group, but also reflect attitudes related to identity, as this research shows."
#
# **Their own limits.** They made no "thorough evaluation of the training data".

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/cfd"  # the portraits: one neutral photo per individual, four groups of unequal size; an image set
models = ["greenhouse"]  # encoders, in the order CLIP, SLIP, BLIP; a model
places = "arboria"  # the places and their census: fictional, or the shares that the authors released; one of: arboria, released
protocol = "released"  # the sentence: "lives in …" (the paper's Approach) or "lives in the state of …" (its code); one of: described, released
n_draws = 1000  # balanced draws of the portraits; at least 3
n_resamples = 400  # random orders of the places; at least 1
seed = 0  # seed of every random draw below; at least 0
results = "_build/results/american_white/states.json"  # where this notebook writes the values it computes

# %% tags=["hide-input"]
from itertools import product

import numpy as np
import pandas as pd

import vlmbias as vb
from greenhouse import retrained
from greenhouse.world import grammar
from studies import tables, words
from studies.american_white import claimed, pictured, states
from vlmbias.external import america
from vlmbias.papers import RACES
from vlmbias.stimuli.reader_folders import NAMES

vb.figures.style()

# %% [markdown]
# (states-found)=
# ## What the paper reports: the more of a group live in a state, the more of it are returned
#
# Table 1 has one correlation over states for each group and model:

# %% tags=["hide-cell"]
rows = []
for model, group in product(claimed.MODELS, RACES):
    r, p = (vb.ledger.claim(f"states.{model}.{group}.{part}") for part in "rp")
    low, high = vb.correlations.interval(r.printed.number, 51)
    p_two = float(vb.correlations.p_value(r.printed.high, 51))  # the smallest, of what prints as this r
    row = {"model": model.upper(), "group": group, "cell": f"{model.upper()}, {states.GROUPS[group]}"}
    row |= {"r": r.printed.number, "low": low, "high": high}
    rows.append(row | {"printed": p.value, "bound": 10.0**p.printed.power, "two": p_two})
printed = pd.DataFrame(rows)
printed[["model", "group", "r", "printed"]].rename(columns={"printed": "p"}).head(3)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.forest(printed, estimate="r", low="low", high="high", label="cell", group="model", value_label="Pearson's r, 95 % interval (Fisher's z, 51 places)"),
    name="states-table1",
    alt="Twelve correlations with intervals, four groups in three models: highest for CLIP, lowest for SLIP, all above zero.",
    caption="Table 1, redrawn. The intervals are ours; they would be right if states were independent of each other.",
    source="paper:american_white, Table 1",
)
two, one = ((tails < printed["bound"]).sum() for tails in (printed["two"], printed["two"] / 2))
vb.note(two=two, one=one, cells=len(printed))
powers = np.floor(np.log10(printed["two"])) <= np.round(np.log10(printed["bound"]))
vb.holds(powers_right=bool(powers.all()))

# %% [markdown]
# All correlations are positive. They are highest for CLIP, and lowest for SLIP.
#
# The second finding is about sizes: Black and Asian people have more of the returned portraits than of the population, White people fewer. The
# introduction adds Latina/o people to the first two groups. The numbers behind these sentences are not printed.
#
# **Do the printed numbers agree with each other?** Nearly. One R² for each model sums up the four groups. For SLIP, it is {claim}`states.slip.r2` in the table and
# {claim}`states.text-r2-slip` in the text. Some *p*-values are a little larger than printed. No conclusion depends on either.
#
# :::{dropdown} Details: r and p
# We computed the p that belongs to each printed r, over 51 places. With two tails, as in the released code, {glue:text}`two` of the {glue:text}`cells`
# printed bounds can be true. [In the others, only the power of ten is right, such as "< 10⁻⁹" for 2 · 10⁻⁹.]{.holds #powers_right} The paper does not name
# the tails. With one tail, {glue:text}`one` can be true.
# :::

# %% tags=["hide-input"]
vb.ledger.show(vb.ledger.table("american_white/states"))

# %% [markdown]
# (states-answer)=
# ## What one may doubt, and the answer in one figure
#
# A correlation says that two things rise together, not that they are equally large. Returned shares and census shares differ in
# size. The authors explain this by the "human descriptions" that a model learned from: by its captions. So we
# ask: **do the returned shares show what the captions say?**
#
# To answer this, one has to know the captions. In our laboratory, the [Greenhouse](../../book/greenhouse/limits.md), we do. There,
# we trained small networks on drawn faces in four colours, and on captions that we wrote. The captions say who lives where in an
# invented country, Arboria, with {glue:text}`provinces` provinces. For every province and colour, we compare three shares:
#
# - *in captions*: the colour's share of the captions that name the province, if all colours have equally many drawings;
# - *returned*: the colour's share of the nearest quarter of the drawings, as the authors count it;
# - *before ranking*: a probability from the same network, without any ranking: how probable it is, of one average drawing of each colour, that this colour's belongs to the sentence about the province. The network was trained to turn cosines into such probabilities.
#
# :::{dropdown} How are shares computed before ranking?
# The cosine of a drawing and the sentence about a province
# is multiplied by the *logit scale*, a number that the network learned in training. The mean of these
# products over the drawings of a colour $g$ is called $\bar\ell_g$. Then
#
# $$\text{share of } g = \frac{\exp \bar\ell_g}{\sum_h \exp \bar\ell_h}.$$
#
# The same can be done with CLIP's cosines and its own logit scale.
# :::
#
# One province as an example:

# %%
spoken = grammar.load().bias
arboria = spoken.provinces.set_index("province")
colours = sorted(NAMES[race] for race in RACES)
census = arboria[colours]
taught = pd.DataFrame(
    {name: spoken.axes[name]["planted"]["race"] for name in census.index}
).T[colours]  # log odds: a colour's share of captions is proportional to exp of this

networks = retrained.vectors()
strengths = networks.networks["b"].to_numpy()  # 1: learned these captions; others later
full = strengths == 1
cosines, hues = states.seen(networks, census.index)  # networks × portraits × provinces
means = [cosines[:, hues == hue].mean(axis=1) for hue in colours]  # average drawing
scale = networks.networks["logit_scale"].to_numpy()[:, None, None]
odds = np.exp(scale * np.stack(means, axis=-1))
found = {
    "returned": states.returned_by(networks, census),
    "before ranking": odds / odds.sum(axis=-1, keepdims=True),
}  # networks × provinces × colours
shares = {"in captions": states.expected_shares(taught, b=1.0)}
for name, one in found.items():
    shares[name] = pd.DataFrame(one[full].mean(axis=0), census.index, colours)
compared = pd.concat({name: table.stack() for name, table in shares.items()}, axis=1)
compared.rename_axis(["province", "colour"]).reset_index().round(2).head(4)

# %%
slope = {
    name: np.polyfit(compared["in captions"], compared[name], 1)[0]
    for name in ("returned", "before ranking")
}
largest = found["returned"][full].max(axis=-1)  # of the colours
alone = (largest == 1).mean()  # all returned drawings have one colour

# %% [markdown]
# Look at how steeply the dots rise, compared with the dashed line.

# %% tags=["hide-input"]
fig, ((left, right),) = vb.figures.panels(1, 2, height=3.8, share_y=True)
for axes, name in ((left, "returned"), (right, "before ranking")):
    for colour, ink in vb.figures.colours_for(colours).items():
        axes.plot(100 * shares["in captions"][colour], 100 * shares[name][colour], "o", ms=4, alpha=0.75, color=ink, label=colour)
    axes.plot([0, 100], [0, 100], color=vb.figures.COLOURS["reference"], lw=1, ls="--")
    axes.set(title=name, xlabel="% in captions", xlim=(-3, 103), ylim=(-3, 103))
left.set_ylabel("share, %")
fig.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=4)
vb.figures.show(
    fig,
    name="states-answer",
    alt=f"Two scatter plots of {len(compared)} pairs of province and colour. Shares returned rise with shares in captions with a slope of {slope['returned']:.1f}, shares before "
    f"ranking with a slope of {slope['before ranking']:.1f}; the dashed line has slope 1.",
    caption=f"One dot per province and colour, mean of {int(full.sum())} networks. Dashed: the share is the same as in the captions.",
    source="greenhouse",
)
vb.note(provinces=len(census), alone=alone,
        points={name.split()[0]: 10 * one for name, one in slope.items()})
vb.holds(enlarges=bool(slope["returned"] > 1.1), even_before=bool(slope["before ranking"] <= 1.1))

# %% [markdown]
# [Returned shares differ more than the captions do: large shares become larger, and small ones smaller.]{.holds #enlarges} [Shares before ranking do not differ more.]{.holds #even_before} A colour with ten points more in the captions has {glue:text}`points.returned:.0f` points more among the returned drawings, on
# average. Before ranking, it has {glue:text}`points.before:.0f` points more.
#
# Both shares come from the same cosines, so the difference lies in the ranking. A possible reason is that drawings of one colour are much alike for a
# network. If amber drawings are a little nearer to a sentence than the others, then nearly all
# of them are, and they fill the nearest quarter. (In {glue:text}`alone:.0%` of all
# pairs of a network and a province, every returned drawing has one colour.) Portraits of people may differ
# more within a group, and the effect may then be smaller.
#
# **Does it depend on how strongly captions link colours and places?** We also trained networks with weaker links. In the folded table, strength 1 is
# that of the figure. A row says by how many points a share rises if the share in captions rises by ten:

# %% tags=["hide-cell"]
ten_points = {}
for b in sorted(set(strengths) - {0}):
    said = states.expected_shares(taught, b=b).to_numpy().ravel()
    ten_points[b] = {}
    for name, one in found.items():
        own = one[strengths == b].mean(axis=0).ravel()
        ten_points[b][name] = 10 * np.polyfit(said, own, 1)[0]
ten_points = pd.DataFrame(ten_points).T.rename_axis("strength of the link")
ten_points.round(1)

# %% tags=["hide-input"]
vb.holds(
    always_enlarges=bool((ten_points["returned"] > 2 * ten_points["before ranking"]).all()),
    not_always_more=bool((ten_points["returned"].loc[[0.5, 1.0]] > 11).all() and (ten_points["returned"].drop([0.5, 1.0]) < 11).all()),
)

# %% [markdown]
# [At every strength, ranking enlarges: returned shares rise more than twice as steeply as shares before ranking.]{.holds #always_enlarges} [With weaker links than half the strength, they are near to the captions or differ less; only with stronger ones do they differ more than the *captions* do.]{.holds #not_always_more} So a returned share can be too large or too small, and alone it does not tell which.
#
# (states-nothing)=
# ### A model that knows nothing of places "over-represents" small groups, too
#
# Suppose that a model cannot tell the states apart. Then it returns nearly the
# same portraits for every state. If even such a model returns a larger share of some groups than their share of the population, the comparison alone says nothing
# about human descriptions.
#
# We trained {glue:text}`null.n` *null networks*, whose captions do not say who lives where. Each dot is the share of one colour
# among the drawings that one of them returns:

# %%
alike = found["returned"][strengths == 0].mean(axis=1)  # mean over provinces
alike = pd.DataFrame(alike, columns=colours)  # a row per null network

# %% tags=["hide-input"]
fig, ((axes,),) = vb.figures.panels(height=2.8)
for place, hue in enumerate(colours):
    axes.plot(100 * alike[hue], np.full(len(alike), place), "o",
              color=vb.figures.PALETTE[0], ms=5, alpha=0.45)
axes.axvline(25, color=vb.figures.COLOURS["reference"], lw=1, ls="--")
axes.set_yticks(range(len(colours)), colours)
axes.set(xlim=(0, 60), xlabel="% of the drawings returned, mean over all provinces", ylim=(-0.6, len(colours) - 0.4))
extent = {"least": alike.min(axis=None), "most": alike.max(axis=None)}
vb.figures.show(
    fig, name="states-nothing",
    alt=f"Shares of four colours among the drawings that {len(alike)} null networks return: from "
    f"{extent['least']:.0%} to "
    f"{extent['most']:.0%}, scattered around a quarter for every colour.",
    caption=f"{len(alike)} null networks, one dot each per colour. Dashed: a quarter.", source="greenhouse")
vb.note(null=extent | {"n": len(alike)})

# %% [markdown]
# On average, each colour has about a quarter, because there are equally many drawings of each.
#
# In how many states (and the capital) is a quarter more than a group's share of the population? (No colour stands for a group of people; we only compare a quarter with shares of the census.) (The shares that the authors released are shares of these four groups together: [in every state, they add up to 1.]{.holds #four_groups} Other people are left out.)

# %%
nothing = states.beside_returns(america.released_census(), alike.to_numpy())
nothing["group"] = nothing["group"].map(states.GROUPS)
nothing[["group", "census", "quarter", "n"]].rename(
    columns={"census": "mean census", "quarter": "a quarter is more in", "n": "of"}
).round(2)

# %% tags=["hide-input"]
vb.holds(four_groups=bool(np.allclose(america.released_census().sum(axis=1), 1, atol=1e-6)))

# %%
most_states = nothing["quarter"] > nothing["n"] / 2  # above the census share
small, large = nothing["group"][most_states], nothing["group"][~most_states]

# %% tags=["hide-input"]
over = nothing.set_index("group")["over"]
vb.note(more={race: words.among(row.quarter, row.n) for race, row in zip(america.released_census(), nothing.itertuples(), strict=True)},
        small=words.listed(small), large=words.listed(large), over={"Black": over["Black"], "White": f"{over['White']:.0%}" if over["White"] else "none"})

# %% [markdown]
# A model that returns a quarter of each group everywhere would, in most states, over-represent {glue:text}`small` people, and under-represent
# {glue:text}`large` people: the direction that the authors report. The single null networks of the figure vary, but {glue:text}`over.Black:.0%` of their dots (all colours) are above the Black share of most states, and {glue:text}`over.White` above the White share of most states.
#
# So the direction alone is no evidence of "biases expressed in human descriptions", and none against them. For evidence, one would need CLIP's
# returned shares, and those for a sentence that names no place.
#
# ## The protocol, run on {data}
#
# Here is the authors' experiment, with one network. {glue:text}`shown` The sentence is "{glue:text}`asked`".

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
given = zip(claimed.MODELS, models, strict=False)
encoders = {name: vb.encoder(one) for name, one in given}
cosines = {
    (name, how): vb.embed(encoder, people).vectors
    @ vb.embed(encoder, sentences).vectors.T
    for name, encoder in encoders.items()
    for how, sentences in asked.items()
}  # portraits × places

kept = states.balanced(groups, n=n_draws, seed=seed)  # draws × portraits
size = int(kept[0].sum()) // len(called)  # of a group in a draw; so many are returned
draws = {
    key: states.by_draw(one, groups, kept, top=size) for key, one in cosines.items()
}

# %% [markdown]
# The ranking for one place, in the first draw, by hand:

# %%
first = "clip", protocol
near = pd.DataFrame({"group": groups, "cosine": cosines[first][:, 0]})[kept[0]]
nearest = near.sort_values("cosine", ascending=False, kind="stable").head(size)
share = nearest["group"].value_counts(normalize=True)
share = share.reindex(np.unique(groups), fill_value=0)
print(lived.index[0], share.round(2).to_dict())
assert np.allclose(share, draws[first][0, 0])

# %% [markdown]
# The shares are averaged over draws. One row is the correlation with the census for one group, with its 95 % interval:

# %%
returned = {
    key: pd.DataFrame(one.mean(axis=0), lived.index, np.unique(groups))
    for key, one in draws.items()
}
r_of = {key: states.correlations(one, lived) for key, one in returned.items()}
of_one = r_of[first].reset_index()[["group", "r", "low", "high"]]
tables.readable(of_one, precision=2).hide(axis="index")

# %% tags=["hide-cell"]
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
    caption=f"One square for each place, coloured by the share of {shown} in the census, and among the portraits that this network returns. Both maps have one scale, as in the paper's Figure 2.",
    source="greenhouse" if people.source == "greenhouse" else [f"real:{people.source}", "published:census_shares"],
)
vb.note(shown=pictured.shown(people), n_draws=n_draws, asked=SENTENCES[protocol].format("…"))

# %% tags=["hide-cell"]
squares = {}  # in the code: each census share is predicted from all returned shares; mean R²
for key, one in returned.items():
    squares[key] = states.r_squared(lived[list(one)].to_numpy(), one.to_numpy())
counts = {"places": len(lived), "draws": len(kept), "in-draw": int(kept[0].sum())}
counts |= {"per-group": size, "top": size}  # a quarter of four equal groups
for how in SENTENCES:
    of_models = ({name: part[name, how] for name in encoders} for part in (r_of, squares, returned))
    for claim, value in claimed.states(*of_models, lived, called).items():
        if people.source == "greenhouse" and claim in claimed.OF_PEOPLE:
            continue  # a sentence about real groups is not evaluated on drawings
        about = [encoders[name] for name in claimed.about(f"states.{claim}")]
        vb.ledger.record(f"states.{claim}", value, results=results, stimuli=people, model=about, protocol=how)
    for claim, count in counts.items():
        vb.ledger.record(f"states.{claim}", count, results=results, stimuli=people, model="none", protocol=how)

# %% [markdown]
# :::{dropdown} R² does not notice when groups are mixed up
# The paper sums up the four groups in one R² per model. The code predicts each census share by a regression on all four returned shares, and averages.
#
# - *R² is never zero.* If places are exchanged at random, R² is still {glue:text}`sq.random:.3f` on average (the four shares add up to one, so only three count; {numref}`states-null` says why). An R² should be compared with this.
# - *R² is blind to names.* Call every {glue:text}`swapped.one` drawing {glue:text}`swapped.other`, and the reverse. The mean r of the two colours falls from
#   {glue:text}`before:.2f` to {glue:text}`swapped.r:.2f`, and R² stays at {glue:text}`sq.swapped:.3f`. So whether the right group is returned, only the four r can say.
# :::

# %% tags=["hide-cell"]
one, other = np.unique(groups)[:2]
shares_found, wanted = returned[first], lived[list(returned[first])].to_numpy()
# call one group by the other's name
swapped = shares_found.rename(columns={one: other, other: one})[list(shares_found)]
rng, orders = np.random.default_rng(seed), []
for _ in range(n_resamples):
    elsewhere = wanted[rng.permutation(len(wanted))]
    orders.append(states.r_squared(elsewhere, shares_found.to_numpy()))
squares_of = pd.Series({
    "as in the code": squares[first],
    "places exchanged at random, mean": np.mean(orders),
    "two groups exchanged": states.r_squared(wanted, swapped.to_numpy()),
})
squares_of.round(3).to_frame("R²")

# %% tags=["hide-cell"]
before, after = (states.correlations(own, lived)["r"][[one, other]] for own in (shares_found, swapped))
vb.note(sq=squares_of.set_axis(["code", "random", "swapped"]), before=before.mean(),
        swapped={"r": after.mean(), "one": one, "other": other})

# %% [markdown]
# ## What this method can see
#
# (states-planted)=
# ### How weak a link between places and groups does it find?
#
# Each network has an R² with the census. We call it *significant* if nearly all null
# networks have a smaller one (p ≤ .05).

# %%
wanted = census[colours].to_numpy()
explained = np.array([states.r_squared(wanted, one) for one in found["returned"]])
p = vb.networks.among_null(explained, strengths == 0)
hits = {b: p[strengths == b] <= 0.05 for b in sorted(set(strengths))}
detected = vb.networks.rates(hits)
by_strength = detected[["n", "hits"]].rename_axis("strength of the link")
by_strength.columns = ["networks", "significant"]
by_strength

# %% tags=["hide-input"]
hits = {row.Index: words.among(row.hits, row.n) for row in detected.itertuples()}
vb.note(quarter={"r_squared": hits[0.25]}, tenth=hits[0.1])
vb.holds(weak_missed=bool(detected.loc[0.1, "rate"] <= 0.5))

# %% [markdown]
# At a quarter of the full strength, {glue:text}`quarter.r_squared` networks are significant; at a tenth, {glue:text}`tenth`. [So very weak links can be missed.]{.holds #weak_missed}

# %% [markdown]
# (states-means)=
# ## What this means
#
# **For the paper.** By the printed numbers, the first finding stands: in CLIP, SLIP and BLIP, places are linked with the people who live there.
#
# The second finding, that some groups are over-represented, needs a comparison before it says something about bias. Models that know nothing of places mostly give small groups a larger share than the census does. And ranking
# changes how large differences are. In a state where most people are White, equal groups might lower the White share, and ranking might raise it. How much of each is in CLIP's shares, we do not know.
#
# **For your own work.** Save the cosines of all portraits, not only the nearest.
# Run the same ranking with a sentence that names no place ("a photo of someone"), and report both results.
#
# ## Where paper and code differ
#
# :::{dropdown} The differences, point by point
# From an audit of the authors' repository at commit `2e45194`.
#
# | | paper | code | here |
# |---|---|---|---|
# | sentence (W5) | "lives in [STATE]" in the Approach, "in the state of [state]" in the introduction | "in the state of", and "Washington, D.C." for the District | both protocols |
# | places (W6) | "fifty U.S. states and the District of Columbia" | 51 in the ranking; a later part of the script knows only 50 names and stops at the District | all 51 |
# | draws | "repeated 1,000 times for each state" | one draw for all states, no seed | one draw for all, seeded |
# | R² | "a multivariate linear regression" | each census share is predicted from the four returned shares; mean of four R² | as in the code, and with places exchanged |
# | census | "2019 U.S. census" | estimates of 2019 | as released |
# | p (W4) | bounds | two-sided | both tails |
# | maps of Fig. 2 (W15) | one scale, "{claim}`states.scale`" | one map has mean counts out of 108 images, the other per cent of the census, so the counts look slightly larger | per cent in both |
#
# *Who is counted in the census.* The census file counts a race "Alone or in Combination": whoever
# reports two races is counted for both. The code adds up Latina/o people over five races, so a person with two of these races is counted twice as Latina/o.
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run american_white/states -p models='[greenhouse/b0]' -p protocol=described
# ```
# :::

# %% [markdown]
# **A check of the census shares.** All results above use the shares that the authors released. Here they can be compared with the Census Bureau's own file:

# %% tags=["needs-census", "hide-input"]
if vb.sources.at_hand("census"):
    gap = (america.census(vb.sources.supplied("census")) - america.released_census()).abs().to_numpy().max()
    print(f"largest difference between the census file and the released shares: {gap:.1e}")

# %% [markdown]
# ## Take-aways
#
# - A correlation with a census shows that a model distinguishes places. It does not show that shares are right.
# - The share of a group among the nearest portraits is no estimate of its share in captions: ranking can make differences much larger.
# - Compare "more than the census" with what a model returns that knows nothing of places.

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
