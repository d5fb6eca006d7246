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
# # Do the pictures differ in one thing only?
#
# *Hausladen, Knott, Camerer and Perona (2025), Section 2.2 and Appendices C and D: how the pictures were checked, and what such checks can see.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** An experiment with pictures changes one thing at a time, such as a smile. How would one notice that something else changes, too?
#
# **In 20 minutes:** {ref}`what the authors did and found <stimuli-found>`, {ref}`the answer in one figure <stimuli-answer>`,
# {ref}`what this means <stimuli-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means, and the idea of a permutation. The primer
# "[Permutation tests](../../book/primers/permutation.md)" explains how signs are flipped by coin.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings of
# fictional groups; they stand for nobody.
# :::
#
# **The idea.** In photographs from the web, who smiles and who stands in good light depends on who took the picture, and why. If a model judges two groups differently, it may
# be the light. {cite:t}`hausladen2025` therefore use faces that a generative network made {cite}`liang2023`: a hundred invented people (*seeds*), each as six *prototypes*, that is, in every combination of three
# races and two genders. Each prototype is varied in age, smile, light and pose. "Thus, our findings are experimental rather than observational."
#
# This holds if the pictures differ in nothing else. We call an unwanted change that comes along with a wanted one a *leak*.
#
# **What the authors conclude.** The property that matters "is that face attributes are manipulated systematically and independently, enabling an
# experimental approach and supporting causal interpretation of the results".
#
# **Their own checks and limits.** The makers of the pictures "visually inspected whether
# manipulating one attribute induces unwanted changes in other attributes". They had nine people rate each picture; the ratings "suggest that the manipulations are equally effective across demographic groups".
# Nothing on this page can replace this. Of differences in brightness between prototypes, the authors write that "future research is needed to test for this
# potential confounder and, if necessary, correct any biases".

# %% tags=["parameters", "hide-input"]
stimuli = "greenhouse/causalface"  # faces with columns seed, race, gender, age, smiling, lighting, pose, subset; an image set
root = ""  # folder of its images, where a set has one; empty or a folder
observed = ["greenhouse/fairface", "greenhouse/utkface"]  # collections of photographs to set beside it; an image set
observed_roots = ["", ""]  # their folders, in the same order; empty or a folder
protocol = "described"  # whose maps give the headline: prototypes, or all ten ages; one of: described, released
n_seeds = 100  # seeds in the brightness maps; at least 2
n_leak_seeds = 8  # seeds in the pictures with a planted leak; from 2 to 100
n_resamples = 500  # sign flips; at least 20
seed = 42  # seed of every random draw; at least 0
results = "_build/results/causalface/stimuli.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse.world import faces, grid
from studies import roles, tables, words
from studies.causalface import leaks
from studies.causalface import stimuli as pictures
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (stimuli-found)=
# ## What the paper reports: two leaks, both of brightness, both small
#
# The authors looked for leaks themselves, and found two.
#
# *Smiles are a little brighter.* They report "a slight spurious correlation between facial expression ("Smiling") and the average image brightness". They corrected the pictures: each was scaled to the
# brightness of its prototype. With and without this, they "observed only minor differences" in the model's scores.
#
# *Groups differ in brightness here and there.* For this they made *brightness maps* (Figures S.10 and S.11). At each position of the picture, they compare the two pictures of one invented person: is the man brighter, or the
# woman? The map shows how often, over all people:
#
# $$\begin{gathered} X_P = \frac{1}{n} \sum_{i} x_{P,i}, \\[1ex] x_{P,i} = \operatorname{sign}\left(Y_{P,i,a} - Y_{P,i,b}\right). \end{gathered}$$
#
# Here $Y_{P,i,a}$ is the grey value at position $P$ in the picture of person $i$ as a member of group $a$. If group $a$ is brighter there in all pairs, $X_P$ is 1. If both groups are brighter equally often, it is 0. What the captions say of the maps:

# %%
claims = vb.ledger.table("causalface/stimuli")
of_maps = claims[claims["where"].str.contains("S.10|S.11")]
of_maps[["subject", "quantity", "printed"]].head(7)

# %% [markdown]
# The strongest differences between women and men are in hair and beard. The authors count these as part of gender. Background and clothes differ by {claim}`stimuli.gender-size` "in brightness", which they call
# small.
#
# **Do the printed numbers agree with each other?** Yes, as far as they can be checked: the sizes of the pictures and of the windows that are cut out of them fit together.

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# :::{dropdown} Details: how large is "small"?
# The formula keeps the *sign* of a difference and drops its size. So the map cannot show per cent of brightness. If {claim}`stimuli.gender-size` was read off the map's scale, it says how many more people are brighter in one group than in the other.
#
# Would such a surplus be more than chance? If neither group is brighter, $|X_P|$ stays below $1.96/\sqrt n$ at 95 of 100 positions. With one pair per person, this is {glue:text}`bound.seeds:.2f`, so a surplus of the printed size would be lost in chance. The released code
# compares more pairs, thirty of each person. With these it is {glue:text}`bound.pairs:.3f`, *if* the thirty were independent of each other. They are not; below, we count people.
# :::

# %% tags=["hide-cell"]
bound = 1.96 / np.sqrt(pd.Series({"seeds": 100, "pairs": 3_000}))  # the paper's n, and the pairs that the code compares
vb.note(bound=bound)
bound

# %% [markdown]
# (stimuli-answer)=
# ## What one may doubt, and the answer in one figure
#
# A map of brightness shows brightness. But what counts in the end is the *model*: does the leak change its scores? One can doubt both directions. A model may notice something that is not brightness. And it may not care
# about a brightness that fills the map.
#
# In the authors' pictures, nobody knows all that differs. So we turn to our laboratory, the [Greenhouse](../../book/greenhouse/limits.md): drawn faces in four colours, and small networks that we trained on
# them. There we can change exactly one thing. We take the drawings of {glue:text}`n_people` invented people and change them in four ways:
#
# - The whole face gets another colour. The colours of the Greenhouse were chosen to have equal grey values.
# - What a face has on its head (its *crest*) is exchanged.
# - The picture is moved by 3 pixels.
# - The picture is made brighter by 2 %.
#
# For each change we ask two things. On how much of the map does it show, beyond chance? And how far does it move the scores of one of our networks?

# %%
encoder = vb.encoder("greenhouse")
perceive = leaks.perceiver(encoder, vb.prompts("social_perception"))  # a function

people = grid.causalface(max(n_seeds, n_leak_seeds))  # our own faces, as a table
hue, crest = people["race"].unique(), people["gender"].unique()
one_group = people.query(
    "subset == 'prototype' and race == @hue[0] and gender == @crest[0]"
)
one_group[["seed", "race", "gender", "smiling", "pose"]].head(3)

# %%
original = faces.render(one_group)
changes = {
    "another colour, equal grey": faces.render(one_group.assign(race=hue[-1])),
    "the other crest": faces.render(one_group.assign(gender=crest[-1])),
    "moved by 3 pixels": np.roll(original, 3, axis=2),
    "brighter by 2 %": np.clip(original * 1.02 + 0.5, 0, 255).astype(np.uint8),
}
answer = leaks.noticed(original, changes, perceive, n=n_resamples, seed=seed)

# %% [markdown]
# One of the changes by hand. What would the map show by chance? If neither version is systematically brighter, each person's map may as well have the opposite sign {cite}`phipson2010`. So we toss a coin for each person, many times:

# %%
signs = np.sign(pictures.grey(original) - pictures.grey(changes["moved by 3 pixels"]))
often = signs.mean(axis=0)  # the map: height × width

coins = np.random.default_rng(seed).choice([-1, 1], (n_resamples, len(signs)))
largest = [np.abs(np.tensordot(coin, signs, 1) / len(signs)).max() for coin in coins]
bound = np.quantile(largest, 0.95)  # what chance hardly ever exceeds anywhere in a map
share = (np.abs(often) > bound + 1e-6).mean()
assert np.isclose(
    share, answer.set_index("change").loc["moved by 3 pixels", "map"], atol=0.005
)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=2.9, share_y=True)
for axis, name, factor, label in zip(axes[0], ["map", "network"], [100, 1], ["the map: % of it\nbeyond chance", "the network: change\nof scores, log-odds"], strict=True):
    axis.barh(answer["change"], factor * answer[name], color=vb.figures.COLOURS["planted" if name == "map" else "recomputed"])
    axis.set_xlabel(label)
axes[0, 0].invert_yaxis()
by_change = answer.set_index("change")
vb.figures.show(
    fig,
    name="stimuli-answer",
    alt="Two bar charts over four changes of the same drawings. " + "; ".join(f"{name}: {row['map']:.0%} of the map, {row['network']:.2f} log-odds" for name, row in by_change.iterrows()) + ".",
    caption=f"Four changes of the drawings of {len(one_group)} invented people. Left: how much of the brightness map lies beyond chance. Right: how far one small network's scores move.",
    source="greenhouse",
)
vb.note(
    n_people=len(one_group),
    map_most=words.extreme(by_change["map"], by_change.index),
    network_most=words.extreme(by_change["network"], by_change.index),
    hue_map=by_change["map"].iloc[0],
    hue_network=by_change["network"].iloc[0],
    bright={"map": by_change["map"].iloc[3], "network": by_change["network"].iloc[3]},
    order=words.verb(stats.spearmanr(by_change["map"], by_change["network"]).statistic, above=0.99, then="the same order as", else_="another order than"),
)

# %% [markdown]
# The map puts the four changes in {glue:text}`order` the network does. The map is fullest for *{glue:text}`map_most`*; the network is moved most by *{glue:text}`network_most`*.
#
# Look at the first line. When the whole face takes another colour, {glue:text}`hue_map:.0%` of the map is beyond chance. The network's scores move by {glue:text}`hue_network:.2f` log-odds. Look at the last line: a little more
# light fills {glue:text}`bright.map:.0%` of the map, and moves the scores by {glue:text}`bright.network:.2f`.
#
# So a blank map does not certify that pictures are clean, and a full map does not prove harm. A map says how *often* one group is brighter. It does not say by how *much*, and it cannot say whether a model cares.
# This is a fact about the method, shown with our drawings; what CLIP notices in the authors' pictures, it does not tell.
#
# ## The protocol, run on {data}
#
# This section makes the authors' checks. First the pictures:

# %%
images = vb.images(stimuli, root or None)
table = images.table
table[["seed", "race", "gender", "subset", "smiling", "pose"]].head(3)

# %% tags=["hide-input"]
who = roles.greenhouse_roles(CAUSALFACE) if images.source == "greenhouse" else roles.named(CAUSALFACE, {})
source = "greenhouse" if images.source == "greenhouse" else f"real:{images.name}"
for claim, value in pictures.grid_claims(images).items():
    vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=images, model="none")
vb.note(n_images=len(table), n_rows=pictures.stacked(table), n_identities=table["seed"].nunique())
shown = pictures.examples(table)
large = images.render(shown, 160) if images.render else pictures.decoded(images, shown.index)
groups = shown.loc[shown["subset"] == "prototype", "label"].str.replace("\n", " ").unique()
vb.figures.show(
    vb.figures.contact_sheet(list(large), list(shown["label"].str.replace("-", "−")), columns=6),
    name="stimuli-sheet",
    alt=f"First row: prototypes of one seed ({', '.join(groups[: len(who.groups)])}), with the same features, garment and background. Below, one of them at three levels of age, smiling, lighting and pose.",
    caption="One invented person: the six prototypes (neutral expression, frontal, evenly lit), and one of them at the lowest, a middle and the highest level of each attribute.",
    source=source,
)

# %% [markdown]
# There are {glue:text}`n_images:,d` distinct pictures of {glue:text}`n_identities` people. The authors' code reads four tables, one for each varied attribute, and each brings its own copy of the prototypes. Together they have
# {glue:text}`n_rows:,d` rows. [Variation](variation.ipynb) shows what this changes.
#
# (stimuli-maps)=
# ### Brightness maps: count people, not pictures
#
# The text compares prototypes; the released code compares the pictures of all ten ages. We do both:

# %%
PROTOCOLS = {
    "described": dict(subsets=["prototype"]),
    "released": dict(subsets=["prototype", "age"]),
}
chosen = table["seed"].unique()[:n_seeds]
maps = {
    name: pictures.seed_maps(images, seeds=chosen, **choices)
    for name, choices in PROTOCOLS.items()
}
read = {
    name: pictures.readings(found, n=n_resamples, seed=seed)
    for name, found in maps.items()
}

# %% tags=["hide-input"]
chance = {name: pictures.by_chance(one.signs, n=n_resamples, seed=seed) for name, one in maps[protocol].items()}
for name, found in maps.items():
    for claim, value in pictures.map_claims(found, table, who).items():
        vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=images, model="none", protocol=name)
full = max(one.anywhere for one in chance.values())
fig, axes = vb.figures.panels(2, len(chance), height=3.9)
for column, (name, null) in zip(axes.T, chance.items(), strict=True):
    for axis, values in zip(column, (maps[protocol][name].seen, null.example), strict=True):
        shade = axis.imshow(values, cmap="RdBu_r", vmin=-full, vmax=full)
        axis.set(xticks=[], yticks=[])
    column[0].set_title(name.replace(" − ", "\n− "), fontsize=11)
axes[0, 0].set_ylabel("seen")
axes[1, 0].set_ylabel("chance")
bar = fig.colorbar(shade, ax=axes, location="bottom", shrink=0.6, aspect=40, extend="both")
bar.set_label("X: the first group more often darker … brighter")
beyond = read[protocol][["beyond anywhere", "largest"]]
vb.figures.show(
    fig,
    name="stimuli-maps",
    alt="Maps of the mean sign of the brightness difference, above maps of chance. Positions beyond what chance gives anywhere: "
    + "; ".join(f"{name}, {row['beyond anywhere']:.0%} of the picture, largest |X| {row['largest']:.2f}" for name, row in beyond.iterrows()) + ".",
    caption=f"Above: brightness maps, protocol as {protocol}. Below: the same pictures, with each person's sign tossed by coin. "
    "Red: the first-named group is more often brighter; full colour: more than chance gives anywhere.",
    source=source,
)
released = read["released"]
by_race = [name for name, (column, *_) in pictures.comparisons(table).items() if column == "race"]
naive, by_seed = (100 * released.loc[by_race, name].max() for name in ("beyond pairs", "beyond anywhere"))
vb.note(
    bound_pairs=released.loc[by_race, "bound pairs"].iloc[0],
    bound_seeds=released.loc[by_race, "bound seeds"].median(),
    by_pairs=naive,
    by_seed=by_seed,
    none=words.verb(naive, above=by_seed, then="would lie beyond chance", else_="lie beyond chance just as well"),
)

# %% [markdown]
# *Chance has the shape of a face.* In the lower row the signs are tossed by coin, and still one sees outlines: what is drawn in one colour has one sign. So a pattern with outlines is no evidence against chance.
#
# *More ages do not make the map more certain.* The ten pictures of one person share nearly everything. If one counts each pair of pictures as an observation, up to {glue:text}`by_pairs:.0f` % of the picture
# {glue:text}`none` between two races. If one counts people, it is {glue:text}`by_seed:.0f` %. (In our drawings, no difference in grey is planted between colours.)

# %% tags=["hide-cell"]
tables.readable(pd.concat(read, names=["protocol"]).reset_index(), precision=3).hide(axis="index")

# %% [markdown]
# ### Brightness and smiling
#
# Does a smile make the picture brighter? The mean grey of the whole picture, compared with that of the person's prototype:

# %%
smiles = table[
    table["subset"].isin(["prototype", "smiling"]) & table["seed"].isin(chosen)
]
change = pictures.relative(smiles, pictures.brightness(images, smiles.index))
level = pictures.per_level(smiles, change)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.levels(level.assign(group="whole picture"), level="smiling", value="value", group="group", low="low", high="high",
                      level_label="smiling", value_label="brightness, % of prototype's"),
    name="stimuli-smiles",
    alt=f"Mean brightness per smiling level, relative to smiling 0: between {level['value'].min():.2f} and {level['value'].max():.2f} per cent.",
    caption=f"Mean grey value of the whole picture by level of smiling, relative to the prototype ({len(chosen)} people); the band is a 95 % interval over people.",
    source=source,
)
largest = level.loc[level["value"].abs().idxmax()]
vb.note(smile=largest["value"], smile_at=largest["smiling"])

# %% [markdown]
# The largest mean change is {glue:text}`smile:+.2f` %, at smiling {glue:text}`smile_at:.1f`. In drawings without a leak, this is the mouth itself: dark when it opens,
# light when teeth show. A check of brightness cannot distinguish a leak from the thing that was meant to change.
#
# ### Photographs, for comparison
#
# In the controlled pictures, every group has the same pictures of everything. In photographs, attributes come with people. Where the real photographs are not at hand, drawings stand in their place, as on this page: in them,
# we made smile and light come with groups, and wrote it down. The table shows how much of each attribute's variance lies *between groups* (η², from 0 to 100 %):

# %% tags=["hide-input"]
collections = {}
for name, folder in zip(observed, observed_roots, strict=True):
    short, used, everyone = name.split("/")[-1], vb.images(name, folder or None), vb.images(f"{name}/all", folder or None)
    collections[short] = used.table
    for claim, value in pictures.collection_claims(short, everyone.table, used.table).items():
        vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=used, model="none")
comes_with = pictures.comes_with({"the grid": table} | collections)
eta = comes_with.iloc[1:].set_index("set")[list(pictures.SERIES)].stack()
vb.note(eta=eta.max(), eta_of=" in ".join(eta.idxmax()[::-1]), uneven=comes_with["unevenness"].iloc[1:].max())
tables.readable(comes_with, precision=1).hide(axis="index").format("{:.1%}", subset=list(pictures.SERIES), na_rep="not recorded").set_caption(
    "η² of each attribute; unevenness: the largest group over the smallest")

# %% [markdown]
# In the controlled set nothing comes with a group. In the others, up to {glue:text}`eta:.0%` does ({glue:text}`eta_of`). The real FairFace and UTKFace record race, gender and age, but *not* smile, light or
# pose. So whoever analyses them cannot see this confounder. Here lies the strength of the authors' design.
#
# (stimuli-leak)=
# ## What this method can see: the leak that one looks for
#
# Now we plant a leak on purpose: smiles that also brighten the picture, by $10\lambda$ % per unit of smiling. Two questions: does the authors' check find it, and does their correction repair what it does to the scores? Their correction
# scales each picture so that its person is as bright as in the prototype.

# %%
STRENGTHS = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0]  # λ
few = people[people["seed"] < n_leak_seeds]
smiling = few[few["subset"].isin(["prototype", "smiling"])].reset_index(drop=True)
leaky = leaks.leaked(smiling, STRENGTHS, perceive, perceive_at=[0.0, 0.3, 1.0])
leaky[["strength", "state", "slope", "distortion"]].round(3).head(3)

# %% tags=["hide-input"]
at = {state: own.set_index("strength") for state, own in leaky.groupby("state")}
distortion = {state: own["distortion"] for state, own in at.items()}
fig, axes = vb.figures.panels(1, 2, height=3.4)
for axis, name, label in zip(axes[0], ["slope", "distortion"], ["brightness, % per unit of smiling", "mean change in scores, log-odds"], strict=True):
    for (state, own), colour in zip(at.items(), (vb.figures.COLOURS["planted"], vb.figures.COLOURS["recomputed"]), strict=True):
        axis.plot(own[name].dropna(), "o-", color=colour, label=state)
    axis.set_xlabel("planted leak λ")
    axis.set_title(label, fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="stimuli-leak",
    alt=f"Left: brightness changes by {at['as drawn'].loc[1, 'slope']:.1f} per cent per unit of smiling at λ = 1 as drawn, by {at['corrected'].loc[1, 'slope']:.2f} when corrected. "
    f"Right: the scores move by {distortion['as drawn'][1]:.2f} log-odds at λ = 1 as drawn, by {distortion['corrected'][1]:.2f} when corrected.",
    caption=f"Drawings of {n_leak_seeds} invented people. What a planted leak does to brightness (left) and to one network's scores (right), before and after the correction.",
    source="greenhouse",
)
nothing, helps = at["as drawn"].loc[0], distortion["corrected"] < distortion["as drawn"]
vb.note(
    mouth=nothing["slope"],
    clear=leaks.first_clear(leaky),
    bare={"some": distortion["as drawn"][0.3], "full": distortion["as drawn"][1]},
    mended={"none": distortion["corrected"][0], "some": distortion["corrected"][0.3], "full": distortion["corrected"][1]},
    helps=words.listed([f"λ = {strength:g}" for strength in helps.index[helps]], none="no strength"),
    agree={"none": nothing["agree"], "little": at["as drawn"].loc[0.01, "agree"]},
    mask=100 * leaky["mask"].max(),
)

# %% [markdown]
# **The check of brightness.** The smallest planted leak that stands clear of what the mouth does is λ = {glue:text}`clear:.2f`.
#
# **The correction.** It brings the scores closer to those of clean pictures at {glue:text}`helps`. With the full leak, a change of {glue:text}`bare.full:.3f` log-odds becomes {glue:text}`mended.full:.3f`. Not all can be repaired: what the
# leak drove to white stays white.
#
# Where *nothing* leaked, the correction itself moves the scores by {glue:text}`mended.none:.3f`, because it takes the mouth's own brightness for a leak.
#
# **The map of groups cannot see it.** It compares groups in pictures without a smile, where nothing leaks. Each check finds the leak that it looks for. The authors looked for brightness, and corrected it. Of other leaks, such as position, colour at
# equal grey, or texture, "only minor differences" after this correction say nothing.
#
# :::{dropdown} More: signs and sizes, and what the crop does
# *Signs.* Make a map of the highest smile against no smile. Without a leak, {glue:text}`agree.none:.0%` of positions have one sign in most pictures. With the smallest leak (λ = 0.01), {glue:text}`agree.little:.0%` have. A sign says how often,
# never how much.
#
# *Crops.* The pictures of CausalFace measure {claim}`stimuli.resolution` pixels. The authors keep a window of {claim}`stimuli.crop.size`, and another window for turned heads, "to ensure that faces are centered in the image". Our drawings turn their features and leave the skull where it
# is. At their extreme poses, the windows for turned heads {glue:text}`farther`. So the drawings show what a window does by itself. Between two cuts of one picture, the scores move by
# {glue:text}`window_moves:.2f` log-odds on average; turning the head, in one window, moves them by {glue:text}`pose_moves:.2f`. Where a crop depends on the attribute that is varied, one measures both together.
# :::

# %% tags=["hide-cell"]
turned = few.query("subset in ['prototype', 'pose'] and race == @hue[0] and gender == @crest[-1]").sort_values(["pose", "seed"])
turned = turned.reset_index(drop=True)
whole = faces.render(turned, 256)
windows = leaks.crops(turned, whole, perceive)
extreme = windows[windows["pose"].abs() == windows["pose"].abs().max()]
off = extreme.groupby("window")["off_centre"].mean()
own = extreme[extreme["window"] == "own"]
rows = turned.index[(turned["seed"] == 0) & turned["pose"].isin([turned["pose"].min(), 0, turned["pose"].max()])]
poses = turned.loc[rows, "pose"]
cuts = [leaks.cut(whole[row], pose) for window in (poses, 0 * poses) for row, pose in window.items()]
vb.figures.show(
    vb.figures.contact_sheet(cuts, [f"pose {pose:g}\n{window} window".replace("-", "−") for window in ("its own", "frontal") for pose in poses], columns=3),
    name="stimuli-crops",
    alt=f"Three poses, cut by the window for the pose and by the frontal one. At the extreme poses the head is {off['own']:.1f} and {off['frontal']:.1f} per cent of the width off the centre.",
    caption="The same three drawings, cut by the window that the authors use for the pose (above) and by the frontal one (below).",
    source="greenhouse",
)
vb.note(window_moves=own["moved"].mean(), pose_moves=own["turned"].mean(),
        farther=words.verb(off["own"], above=off["frontal"], then="put the head farther off the centre", else_="do not put the head farther off the centre"))

# %% [markdown]
# (stimuli-means)=
# ## What this means
#
# **For the paper.** Its pictures are a real gain: in photographs, smile, light and pose come with groups and are not even recorded. The authors looked for leaks, found two, and said so. Their maps show that groups differ in brightness at some positions.
# Whether CLIP cares, the maps cannot say. And leaks of another kind are not excluded by them.
#
# **For your own work.** Show your model the leak *alone*: the same pictures, changed only in what you fear, such as brightness. Compare how far its scores move with how far they move for what you study. Count people, not pictures. And compare a map with maps made by
# coin.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text.
#
# | | paper | code | here |
# |---|---|---|---|
# | images (H10) | "18,000 unique images" | four stacked tables, with the prototypes in each | both counted above |
# | FairFace (H11) | "It includes 108,501 face images" | reads the training labels only | moves no number: the size is not used in any computation |
# | corrected smiles (H17) | corrected pictures | as published, the program looks for corrected files only, so the script that makes them finds none | moves no number. Missing files are named by `vlmbias sources check causalface PATH` |
# | order of files (H17) | – | as the file system lists them, so that a seeded draw differs between machines | no draw here; [age](age.ipynb) shows what it moves |
# | brightness maps (H14) | prototypes | all ten ages, thirty times the pairs for gender | both, {ref}`above <stimuli-maps>` |
# | foreground | "binary masks for faces" | grey below 255 once the background is white | both: with planted leaks, they differ by at most {glue:text}`mask:.2f` points |
#
# Captions and formula agree if red stands for positive values and the male prototype comes first; so it is drawn.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/stimuli -p protocol released -p n_seeds 50
# ```
# With the real pictures: `-p stimuli causalface -p root PATH`.
# :::
#
# ## Take-aways
#
# - In controlled pictures, attributes are independent by design. Whether the *pictures* differ in nothing else is a second question.
# - A check finds the leak that it looks for. Show the model the leak alone.
# - A map of signs says how often, not how much. Chance has the shape of a face, so compare with maps made by coin.
# - Count people, however many pictures each person has.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How many seeds for a surplus of .04?
# :label: stimuli-seeds
# :level: intermediate
# :minutes: 10
# :code: no
# There is one pair for each person (seed). At some position the first group is brighter in 52 % of people and darker in 48 %, so $X_P = .04$. How many people would be needed for $1.96/\sqrt n$ to be that
# small? And for the largest of 4,096 positions (Bonferroni)?
# :::
#
# ```{solution-start} stimuli-seeds
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
single, anywhere = ((stats.norm.isf(tail) / 0.04) ** 2 for tail in (0.025, 0.025 / 4_096))
print(f"{np.ceil(single):,.0f} seeds for one position, {np.ceil(anywhere):,.0f} for the largest of 4,096")
assert 2_300 < single < 2_500 and anywhere > 4 * single

# %% [markdown]
# If neither group is brighter, a mean of $n$ signs varies with a standard deviation of $1/\sqrt n$; setting $1.96/\sqrt n$ to .04 and solving for $n$
# gives the first number. The largest of many positions has to pass a stricter limit, and the number of seeds grows with the square of that limit. A
# set of a hundred seeds can settle neither question.
#
# ```{solution-end}
# ```
#
# :::{exercise} A leak that differs between groups
# :label: stimuli-interaction
# :level: intermediate
# :minutes: 15
# :code: yes
# The correction compares every picture with the prototype of its own seed *and group*. Suppose smiling brightened only one group's pictures. Would the mean brightness per smiling level over all groups show it? Would the
# correction remove it? Simulate with the mean brightness of one picture per seed and group.
# :::
#
# ```{solution-start} stimuli-interaction
# :class: dropdown
# ```

# %% tags=["solution", "hide-input"]
rng = np.random.default_rng(seed)
people = rng.normal(150, 20, (100, 6))
factor = np.array([1, 1, 1, 1, 1, 1.12])  # the sixth group's smiles brighten it by 12 %
smiling = people * factor
average, own = 100 * (smiling / people - 1).mean(), 100 * (smiling / people - 1).mean(axis=0)
repaired = smiling / (1 + (smiling / people - 1))
print(f"average over groups {average:.1f} %, the one group {own[-1]:.0f} %; after correction {100 * np.abs(repaired / people - 1).max():.1g} %")
assert abs(average - 2) < 1e-9 and np.allclose(repaired, people)

# %% [markdown]
# It shows, diluted six-fold, and the correction removes it, because each picture is compared with its own prototype. It is the *check* that must be made per group.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The authors attribute differences in hair and beard "to gender-specific attributes rather than unwanted confounds". Who decides which difference is part of the
#    attribute, and does the answer change what "the effect of gender on perception" means?
# 2. A drawing program knows what it drew; a generative network does not. What would you ask its raters, beyond whether the manipulation worked?
