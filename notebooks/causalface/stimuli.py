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
# # Is the manipulation clean?
#
# *Hausladen, Knott, Camerer and Perona (2025), Section 2.2 and Appendices C and D: the pictures, how they are cropped and corrected, and what
# else differs between two of them.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** An experiment on pictures varies one thing at a time. Does it? Which leak would the paper's checks find, and which would nobody's
# check find?
#
# **In 20 minutes:** {ref}`the answer in one figure <stimuli-answer>`, {ref}`the brightness maps beside maps of chance <stimuli-maps>`,
# {ref}`a leak planted on purpose <stimuli-leak>`, take-aways. **In 75 minutes:** also the crops, the photographs, both exercises.
#
# **You need:** means, a sign test, the idea of a permutation. The primer
# [Permutation tests](../../book/primers/permutation.md) explains sign flips.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings of
# fictional groups; they stand for nobody.
# :::
#
# **The idea.** In photographs found on the web, who smiles and who is well lit depends on who took the picture and
# why. {cite:t}`hausladen2025` therefore study faces that a generative network drew
# {cite}`liang2023`: the same hundred "seeds" in every combination of three races and two genders, each of these prototypes varied in age, smile,
# light and pose. "Thus, our findings are experimental rather than observational." That holds as far as the manipulation does.
#
# **The checks.** A manipulation can fail to do what it should, or do something else as well. For the second, the authors
# compare brightness: per level of smiling, and position by position between groups (their Appendix D),
#
# $$\begin{gathered} X_P = \frac{1}{n} \sum_{i} x_{P,i}, \\[1ex] x_{P,i} = \operatorname{sign}\left(Y_{P,i,a} - Y_{P,i,b}\right), \end{gathered}$$
#
# where $Y_{P,i,a}$ is the grey value at position $P$ of the picture of seed $i$ in group $a$.
#
# **What the authors conclude.** The property that matters "is that face attributes are manipulated systematically and independently, enabling an
# experimental approach and supporting causal interpretation of the results".
#
# **Their own checks and limits.** Nothing on this page can replace them: the makers of the set "visually inspected whether
# manipulating one attribute induces unwanted changes in other attributes", and "collected nine human annotations per attribute to ensure that the
# apparent ID of the face was not changing"; the averages "suggest that the manipulations are equally effective across demographic groups". The
# authors found two leaks themselves: "a slight spurious correlation between facial expression ("Smiling") and the average image brightness", which
# they corrected, and small differences in brightness between prototypes, of which they say that "future research is needed to test for this
# potential confounder and, if necessary, correct any biases".

# %% tags=["parameters"]
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

# %%
import numpy as np
import pandas as pd
from scipy import stats

import vlmbias as vb
from greenhouse.world import faces, grid
from studies import roles, tables, words
from studies.causalface import leaks
from studies.causalface import stimuli as pictures
from vlmbias.papers import CAUSALFACE

# %% [markdown]
# ## The answer in one figure
#
# In our laboratory, the Greenhouse, one and the same set of prototypes is changed in four ways. Does the paper's map of grey values show the change, and does a network notice it?

# %%
encoder = vb.encoder("greenhouse")
judged = leaks.perceiver(encoder, vb.prompts("social_perception"))

drawn = grid.causalface(max(n_seeds, n_leak_seeds))  # the laboratory's own faces, as a table
hue, crest = drawn["race"].unique(), drawn["gender"].unique()
one_group = drawn.query("subset == 'prototype' and race == @hue[0] and gender == @crest[0]")
original = faces.render(one_group)
changes = {
    "another hue, equal grey": faces.render(one_group.assign(race=hue[-1])),
    "the other crest": faces.render(one_group.assign(gender=crest[-1])),
    "moved by 3 pixels": np.roll(original, 3, axis=2),
    "brighter by 2 %": np.clip(original * 1.02 + 0.5, 0, 255).astype(np.uint8),
}
answer = leaks.noticed(original, changes, judged, n=n_resamples, seed=seed)

# %% tags=["hide-input"]
vb.figures.style()
fig, axes = vb.figures.panels(1, 2, height=2.9, share_y=True)
for axis, name, factor, label in zip(axes[0], ["map", "network"], [100, 1], ["map: % of positions\nbeyond chance", "network: mean change\nof Δcos, logits"], strict=True):
    axis.barh(answer["change"], factor * answer[name], color=vb.figures.COLOURS["planted" if name == "map" else "recomputed"])
    axis.set_xlabel(label)
axes[0, 0].invert_yaxis()
by_change = answer.set_index("change")
vb.figures.show(
    fig,
    name="stimuli-answer",
    alt="Two bar charts over four changes of the same drawings. " + "; ".join(f"{name}: {row['map']:.0%} of the map, {row['network']:.2f} logits" for name, row in by_change.iterrows()) + ".",
    caption="Four changes: how much of the brightness map lies beyond what chance gives anywhere in a picture, and how far the network's judgement moves.",
    source="greenhouse",
)
vb.note(
    map_most=words.extreme(by_change["map"], by_change.index),
    network_most=words.extreme(by_change["network"], by_change.index),
    hue_map=by_change["map"].iloc[0],
    hue_network=by_change["network"].iloc[0],
    moved_pixels=by_change["pixels"].iloc[2],
    moved_map=by_change["map"].iloc[2],
    order=words.verb(stats.spearmanr(by_change["map"], by_change["network"]).statistic, above=0.99, then="the same order as", else_="another order than"),
)

# %% [markdown]
# The map is fullest for *{glue:text}`map_most`*; the network is moved most by *{glue:text}`network_most`*. When the whole face takes on another hue, the judgement moves by
# {glue:text}`hue_network:.2f` logits and {glue:text}`hue_map:.1%` of the map is beyond chance: our hues have equal grey by design. Moving the picture changes
# {glue:text}`moved_pixels:.0%` of its pixels; the map shows it on {glue:text}`moved_map:.0%` of positions, along outlines that all seeds share. The map puts the four changes in
# {glue:text}`order` the network does. Neither follows from the other in general: **a blank map is no certificate, and a full one is no proof of harm.**

# %% [markdown]
# ## What the paper reports

# %%
claims = vb.ledger.table("causalface/stimuli")
vb.ledger.show(claims)

# %% [markdown]
# **How large is "small"?** The caption of Figure S.10 calls the differences in background and clothes small: {claim}`stimuli.gender-size` "in brightness", either way. Equation 13 keeps the
# *sign* of a difference and drops its size, so the map cannot show per cent of brightness; if the number was read off the map's scale, it is a surplus of seeds in which one group is
# brighter. With $n$ independent pairs that are as often brighter as darker, $|X_P|$ stays below $1.96/\sqrt n$ at 95 of 100 positions:

# %%
bound = 1.96 / np.sqrt(pd.Series({"seeds": 100, "pairs": 3_000}))  # the paper's n, and the pairs that the code compares
vb.note(bound=bound)

# %% [markdown]
# With one pair per seed the bound is {glue:text}`bound.seeds:.2f`; a surplus of the printed size would be lost in chance. With the pairs that the code compares it is
# {glue:text}`bound.pairs:.3f`, *if* these were independent. They are thirty from each of a hundred seeds. Below, seeds are what is flipped.

# %% [markdown]
# ## The protocol, run on {data}
#
# ### The grid

# %%
images = vb.images(stimuli, root or None)
table = images.table
who = roles.greenhouse_roles(CAUSALFACE) if images.source == "greenhouse" else roles.named(CAUSALFACE, {})
source = "greenhouse" if images.source == "greenhouse" else f"real:{images.name}"
for claim, value in pictures.grid_claims(images).items():
    vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=images, model="none")
vb.note(n_images=len(table), n_rows=pictures.stacked(table), n_identities=table["seed"].nunique())
tables.readable(table.groupby("subset", sort=False).size().to_frame("pictures").T)

# %% [markdown]
# {glue:text}`n_identities` seeds × 6 prototypes × 30 pictures = {glue:text}`n_images` distinct pictures. The authors' code reads four tables, one per varied
# attribute, and each brings its own copy of the prototype: {glue:text}`n_rows` rows. Which of the two is resampled changes
# [how often a prototype is drawn](variation.ipynb).

# %% tags=["hide-input"]
shown = pictures.examples(table)
large = images.render(shown, 160) if images.render else pictures.decoded(images, shown.index)
groups = shown.loc[shown["subset"] == "prototype", "label"].str.replace("\n", " ").unique()
vb.figures.show(
    vb.figures.contact_sheet(list(large), list(shown["label"].str.replace("-", "−")), columns=6),
    name="stimuli-sheet",
    alt=f"First row: prototypes of one seed ({', '.join(groups[: len(who.groups)])}), with the same features, garment and background. Below, one of them at three levels of age, smiling, lighting and pose.",
    caption="One seed: its prototypes (neutral expression, frontal, evenly lit), and one of them at the lowest, a middle and the highest level of each attribute.",
    source=source,
)

# %% [markdown]
# ### Brightness, position by position: Figures S.10 and S.11
#
# The text compares "the male and female prototype within a seed"; the released code compares all ten ages (H14). Both, for the two genders and the three pairs of races:

# %%
PROTOCOLS = {
    "described": dict(subsets=["prototype"]),
    "released": dict(subsets=["prototype", "age"]),
}
chosen = table["seed"].unique()[:n_seeds]
maps = {name: pictures.seed_maps(images, seeds=chosen, **choices) for name, choices in PROTOCOLS.items()}

# %% [markdown]
# By chance, if neither group is systematically brighter, each seed's whole map may as well have the opposite sign {cite}`phipson2010`. Toss a coin per seed and average again:
# that is one map of chance, with the spatial structure that pictures have.

# %%
read = {name: pictures.readings(found, n=n_resamples, seed=seed) for name, found in maps.items()}
chance = {name: pictures.by_chance(one.signs, n=n_resamples, seed=seed) for name, one in maps[protocol].items()}

for name, found in maps.items():
    for claim, value in pictures.map_claims(found, table, who).items():
        vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=images, model="none", protocol=name)

# %% tags=["hide-input"]
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
    caption=f"Above: mean sign of the grey difference (Eq. 12 and 13), protocol as {protocol}. Below: the same with each seed's sign drawn by coin. "
    "Red: the first-named group is more often brighter; full colour: more than chance gives anywhere.",
    source=source,
)

# %% tags=["hide-input", "hide-output"]
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
tables.readable(pd.concat(read, names=["protocol"]).reset_index(), precision=3).hide(axis="index")

# %% [markdown]
# The folded table sets each map against three bounds: every pair an independent fact, whole seeds flipped, and more than chance gives *anywhere* in the picture. Under the
# released protocol the pairs would allow only {glue:text}`bound_pairs:.3f`; seeds allow about {glue:text}`bound_seeds:.2f`, and
# **no number of ages narrows that by itself**, because the ten ages of a seed share nearly everything. Counting pairs, up to {glue:text}`by_pairs:.0f` % of the picture
# {glue:text}`none` between two races; counting seeds, {glue:text}`by_seed:.0f` %.
#
# *Chance has the shape of a face*, as the lower row shows: what is drawn in one colour shares one sign. A pattern with outlines is no evidence against chance.
#
# ### Brightness and smiling

# %%
smiles = table[table["subset"].isin(["prototype", "smiling"]) & table["seed"].isin(chosen)]
change = pictures.relative(smiles, pictures.brightness(images, smiles.index))
level = pictures.per_level(smiles, change)

# %% tags=["hide-input"]
vb.figures.show(
    vb.figures.levels(level.assign(group="whole picture"), level="smiling", value="value", group="group", low="low", high="high",
                      level_label="smiling", value_label="brightness, % of prototype's"),
    name="stimuli-smiles",
    alt=f"Mean brightness per smiling level, relative to smiling 0: between {level['value'].min():.2f} and {level['value'].max():.2f} per cent.",
    caption="Mean grey value of the whole picture per smiling level, relative to the prototype; the band is a 95 % interval over seeds.",
    source=source,
)
largest = level.loc[level["value"].abs().idxmax()]
vb.note(smile=largest["value"], smile_at=largest["smiling"])

# %% [markdown]
# The largest mean change is {glue:text}`smile:+.2f` % (at smiling {glue:text}`smile_at:.1f`). On drawings without a leak this is the mouth itself, dark when it opens
# and light when teeth show. A check of brightness cannot tell a leak from the thing that was meant to change.
#
# ### The photographs
#
# In the grid every group has the same pictures of everything. In photographs attributes come with people. How much of each attribute's variance lies between groups (η²):

# %%
collections = {}
for name, folder in zip(observed, observed_roots, strict=True):
    short, used, everyone = name.split("/")[-1], vb.images(name, folder or None), vb.images(f"{name}/all", folder or None)
    collections[short] = used.table
    for claim, value in pictures.collection_claims(short, everyone.table, used.table).items():
        vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=used, model="none")
comes_with = pictures.comes_with({"the grid": table} | collections)
tables.readable(comes_with, precision=1).hide(axis="index").format("{:.1%}", subset=list(pictures.SERIES), na_rep="not recorded").set_caption(
    "η² of each attribute; unevenness: the largest group over the smallest")

# %% tags=["hide-input"]
eta = comes_with.iloc[1:].set_index("set")[list(pictures.SERIES)].stack()
vb.note(eta=eta.max(), eta_of=" in ".join(eta.idxmax()[::-1]), uneven=comes_with["unevenness"].iloc[1:].max())

# %% [markdown]
# The largest share is {glue:text}`eta:.0%` ({glue:text}`eta_of`), and the largest group is {glue:text}`uneven:.1f` times the smallest. **FairFace and UTKFace record race, gender and age;
# not smile, light or pose**, nor who photographed whom and why. The drawings in their place do, because we wrote down what a camera would have caught. The confounder of which the paper warns is what an analyst of the real sets cannot see.

# %% [markdown]
# ## What this method can see
#
# Three assumptions, a counter-example for each. *A crop does nothing of its own*: the same drawing, cut by two windows. *What a correction takes out is the leak*: pictures that leak by a known
# amount, or not at all. *What a map does not show is not there*: the four changes of the first figure.
#
# ### What the crop does
#
# The pictures of CausalFace measure 512 pixels; the authors keep a window of 432, and another one for turned heads "to ensure that faces are centered in the image".

# %%
few = drawn[drawn["seed"] < n_leak_seeds]
turned = few.query("subset in ['prototype', 'pose'] and race == @hue[0] and gender == @crest[-1]").sort_values(["pose", "seed"])
turned = turned.reset_index(drop=True)
whole = faces.render(turned, 256)
windows = leaks.crops(turned, whole, judged)
extreme = windows[windows["pose"].abs() == windows["pose"].abs().max()]
off = extreme.groupby("window")["off_centre"].mean()
own = extreme[extreme["window"] == "own"]

# %% tags=["hide-input"]
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
vb.note(kept=windows.loc[windows["window"] == "own", "kept"].mean(), off=off, window_moves=own["moved"].mean(), pose_moves=own["turned"].mean(),
        farther=words.verb(off["own"], above=off["frontal"], then="put the head farther off the centre", else_="do not put the head farther off the centre"))

# %% [markdown]
# The windows keep {glue:text}`kept:.0%` of the figure; what goes is shoulder and garment. Our drawings turn their features and leave the skull where it is. At their extreme poses the
# windows for turned heads {glue:text}`farther`: by {glue:text}`off.own:.1f` % of the width, of {glue:text}`off.frontal:.1f` % under the frontal window; generated heads move aside
# when they turn. So the drawings test what a window alone does: between two cuts of one picture the judgement moves by {glue:text}`window_moves:.3f` logits on average; turning
# the head, under one window, moves it by {glue:text}`pose_moves:.3f`. **Where a crop depends on the varied attribute, its effect is the attribute's and the crop's together.**
#
# ### A leak planted on purpose
#
# The Greenhouse can draw smiles that also brighten the picture: by $10\lambda$ % per unit of smiling. The authors' correction scales each picture by $1/(1+\delta)$, where $\delta$ is how
# much brighter its foreground is, on average, than that of its prototype.

# %%
STRENGTHS = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0]
leaky = leaks.leaked(few[few["subset"].isin(["prototype", "smiling"])].reset_index(drop=True), STRENGTHS, judged, perceive_at=[0.0, 0.3, 1.0])
at = {state: own.set_index("strength") for state, own in leaky.groupby("state")}
distortion = {state: own["distortion"] for state, own in at.items()}

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=3.4)
for axis, name, label in zip(axes[0], ["slope", "distortion"], ["brightness, % per unit of smiling", "mean change in Δcos, logits"], strict=True):
    for (state, own), colour in zip(at.items(), (vb.figures.COLOURS["planted"], vb.figures.COLOURS["recomputed"]), strict=True):
        axis.plot(own[name].dropna(), "o-", color=colour, label=state)
    axis.set_xlabel("planted leak λ")
    axis.set_title(label, fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="stimuli-leak",
    alt=f"Left: brightness changes by {at['as drawn'].loc[1, 'slope']:.1f} per cent per unit of smiling at λ = 1 as drawn, by {at['corrected'].loc[1, 'slope']:.2f} when corrected. "
    f"Right: the judgement moves by {distortion['as drawn'][1]:.2f} logits at λ = 1 as drawn, by {distortion['corrected'][1]:.2f} when corrected.",
    caption="What a planted leak does to brightness and to the model's judgement (mean absolute change from pictures without leak), before and after the correction.",
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
# **The check of brightness.** Without a leak, brightness changes by {glue:text}`mouth:+.3f` % per unit of smiling: the mouth. The smallest planted
# leak that stands clear of this is λ = {glue:text}`clear:.2f`.
#
# **The correction** brings the judgement closer to that of pictures without leak at: {glue:text}`helps`. At λ = 0.3 the distortion of {glue:text}`bare.some:.3f` logits becomes
# {glue:text}`mended.some:.3f`; at λ = 1, {glue:text}`bare.full:.3f` becomes {glue:text}`mended.full:.3f`: a pixel that the leak drove to white stays flat whatever it is divided by. Where *nothing*
# leaked, correcting moves judgements by {glue:text}`mended.none:.3f` logits, since it takes the mouth's own brightness for a leak. The authors "observed only minor differences" between adjusted
# and unadjusted pictures; that bounds what the correction did, not what a leak of another kind would do.
#
# **The map of groups cannot see this leak.** It compares groups at smiling 0, where nothing leaks. In a map of *the highest smile against 0*,
# {glue:text}`agree.none:.0%` of positions have one sign in most pictures without a leak, {glue:text}`agree.little:.0%` at λ = 0.01. A sign says how *often*, never how *much*.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | images (H10) | "18,000 unique images" | four stacked tables, the prototype in each | both counted above |
# | FairFace (H11) | "It includes 108,501 face images" | reads the training labels only | moves no number: the size enters no computation. The ledger sets what is read beside what is quoted |
# | corrected smiles (H17) | corrected pictures | as shipped, the loader looks for corrected files only, so the script that makes them finds none | moves no number: a switch to turn. Missing files are named by `vlmbias sources check causalface PATH` |
# | order of files (H17) | – | as the file system lists them, so a seeded draw differs between machines | no draw here; [age](age.ipynb) shows what it moves |
# | brightness maps (H14) | prototypes | all ten ages, thirty times the pairs for gender | both, {ref}`above <stimuli-maps>` |
# | foreground | "binary masks for faces" | grey below 255 once the background is white | both: with planted leaks, δ differs by at most {glue:text}`mask:.2f` points |
#
# Captions and Equation 13 agree if red stands for positive values and the male prototype comes first; so it is drawn.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/stimuli -p protocol released -p n_seeds 50
# ```
# With the real pictures: `-p stimuli causalface -p root PATH`.
# :::

# %% [markdown]
# ## Take-aways
#
# - A grid makes attributes independent of each other by design. Whether the *pictures* differ in nothing else is a second question, and needs its own checks.
# - A map of signs says how often, not how much; and the unit is the seed, however many pictures each seed has.
# - Chance has the shape of a face. Compare a map with maps of chance, and ask for more than chance gives anywhere in the picture.
# - A correction of brightness cannot tell the leak from the part of the change that was meant, nor bring back what was clipped.
# - What no check looked for (position, hue at equal grey, texture) is not shown to be absent. Show the model at hand the leak alone.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How many seeds for a surplus of .04?
# :label: stimuli-seeds
# :level: intermediate
# :minutes: 10
# :code: no
# One pair per seed, and at some position the first group is brighter in 52 % of seeds, darker in 48 %: $X_P = .04$. How many seeds would be needed for $1.96/\sqrt n$ to be that
# small? And if one asks for the largest of 4,096 positions (Bonferroni)?
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
