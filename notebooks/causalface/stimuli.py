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
# **Question.** An experiment changes one thing in its pictures, such as a smile. How would one notice that something else changes, too?
#
# **Answer in short.** A check finds only the kind of change that it measures: a map of brightness says nothing about colour, or about the model. So give the model pairs of pictures that differ in the suspected change alone, and see how far its scores move.
#
# **In 20 minutes:** {ref}`What the paper reports <stimuli-found>`, {ref}`What one may doubt, and the answer in one figure <stimuli-answer>`,
# {ref}`What this means <stimuli-means>`. **In 75 minutes:** everything, with one of the exercises.
#
# **You need:** means. The primer "[Permutation tests](../../book/primers/permutation.md)" explains how tossing coins
# shows what chance can do.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings of
# fictional groups; they stand for nobody.
# :::
#
# **The idea.** In photographs from the web, some groups may stand in better light. If a model judges two groups differently, it may be the light. {cite:t}`hausladen2025` therefore use artificial faces, made by a network that generates pictures {cite}`liang2023`. A hundred invented people (*seeds*) are each shown as six *prototypes*: in every combination of three races and two genders. Each prototype is varied in age, smile, light and pose. "Thus, our findings are experimental rather than observational."
#
# This holds if the pictures differ in nothing else. We call an unwanted change that comes along with a wanted one a *leak*.
#
# **What the authors conclude.** The property that matters "is that face attributes are manipulated systematically and independently, enabling an
# experimental approach and supporting causal interpretation of the results".
#
# **Their own limits.** The makers of the pictures looked for "unwanted changes in other attributes", but "do not investigate image color". The authors checked brightness, and still write that "future research is needed to test for this
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
from studies import roles
from studies.causalface import leaks
from studies.causalface import stimuli as pictures
from vlmbias.papers import CAUSALFACE

vb.figures.style()

# %% [markdown]
# (stimuli-found)=
# ## What the paper reports: ratings, and two checks of brightness
#
# *Ratings.* For each picture and attribute, the makers collected nine people's judgements. These suggest that the changes are "equally effective across demographic groups, i.e., no manipulation bias was found" (Section 2.2).
#
# *Smiles and brightness.* The authors report "a slight spurious correlation between facial expression ("Smiling") and the average image brightness". They do not say how large it was. They scaled each smiling picture to the brightness of its prototype. Without this correction, they "observed only minor differences" in the scores of their model (CLIP, a network that says how well a text fits a picture). So, by their account, this leak mattered little.
#
# *Groups and brightness.* Here they made *brightness maps* (Figures S.10 and S.11). Take one position of the picture, and the same person as a man and as a woman. In which of the two pictures is it brighter? The map averages the answers over all people:
#
# $$\begin{gathered} X_P = \frac{1}{n} \sum_{i} x_{P,i}, \\[1ex] x_{P,i} = \operatorname{sign}\left(Y_{P,i,a} - Y_{P,i,b}\right). \end{gathered}$$
#
# Here $Y_{P,i,a}$ is the grey value at position $P$ in the picture of person $i$ as a member of group $a$. If group $a$ is brighter there in all people, $X_P$ is 1. If both groups are brighter equally often, it is 0.
#
# Between women and men, the strongest differences are in hair and beard, which the authors count as part of gender. Background and clothes also differ, by {claim}`stimuli.gender-size` "in brightness". They call this small. Between races, the background differs, too.
#
# Is so small a difference chance? If it is one of brightness, we cannot tell, because the maps keep only signs. If it is a surplus of people ($X_P = .04$), chance can explain it: with a hundred people, $|X_P|$ stays below {glue:text}`bound:.2f` in 95 % of cases at a single position.
#
# The printed numbers that can be checked agree.

# %% tags=["hide-cell"]
claims = vb.ledger.table("causalface/stimuli")
of_maps = claims[claims["where"].str.contains("S.10|S.11")]
of_maps[["subject", "quantity", "printed"]].head(7)

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% tags=["hide-cell"]
bound = 1.96 / np.sqrt(100)  # the paper's number of people
vb.note(bound=bound)
bound

# %% [markdown]
# (stimuli-answer)=
# ## What one may doubt, and the answer in one figure
#
# What counts in the end is the *model*: does the leak change its scores?
#
# Nobody knows all that differs in the authors' pictures. So we use our laboratory, the [Greenhouse](../../book/greenhouse/limits.md): drawn faces of invented people, and small networks that learnt from such drawings with captions. Here we can change exactly one thing. We changed the drawings of {glue:text}`n_people` people in four ways:
#
# - *Warmer light.* All colours get a little more red and less blue. The grey values stay the same, except for rounding.
# - *Moved by 3 pixels*, sideways; the picture is 64 pixels wide.
# - *Brighter by 2 %*, the whole picture.
# - *The widest smile*, a wanted change, for comparison.
#
# If the map is a good guide, the changes that fill it also move the scores of one of our networks most.
#
# A score says how much better a picture fits "a photo of a warm person", say, than "a photo of a person". The unit is *log-odds*: 0.1 more means that the odds of the first sentence against the second are about 10 % higher. We average the sizes of the changes, without their signs.

# %%
encoder = vb.encoder("greenhouse")
perceive = leaks.perceiver(encoder, vb.prompts("social_perception"))  # gives the scores

people = grid.causalface(max(n_seeds, n_leak_seeds))  # our own faces, as a table
hue, crest = people["race"].unique(), people["gender"].unique()
one_group = people.query(
    "subset == 'prototype' and race == @hue[0] and gender == @crest[0]"
)
widest = people["smiling"].max()

# %%
original = faces.render(one_group)
red = np.random.default_rng(seed).uniform(6, 10, len(original))  # of 255, per person
blue = -red * pictures.GREY[0] / pictures.GREY[2]  # as much less as keeps the grey
tint = np.stack([red, 0 * red, blue], axis=-1)[:, None, None]
changes = {
    "warmer light": np.clip((original + tint).round(), 0, 255).astype(np.uint8),
    "moved by 3 pixels": np.roll(original, 3, axis=2),
    "brighter by 2 %": np.clip(original * 1.02 + 0.5, 0, 255).astype(np.uint8),
    "the widest smile": faces.render(one_group.assign(smiling=widest)),
}
answer = leaks.noticed(original, changes, perceive, n=n_resamples, seed=seed)

# %% [markdown]
# *What would the map show by chance?* If neither picture is systematically brighter, it does not matter which one we call the first {cite}`phipson2010`.
# So we toss a coin for each person, and exchange the two pictures if it shows heads. The average over people is one of many maps of chance. A position of the true map is *beyond chance* if its $|X_P|$ is above the largest $|X_P|$ of 95 % of these maps.
#
# For one of the changes:

# %%
signs = np.sign(pictures.grey(original) - pictures.grey(changes["moved by 3 pixels"]))
often = signs.mean(axis=0)  # the map: height × width

coins = np.random.default_rng(seed).choice([-1, 1], (n_resamples, len(signs)))
largest = [np.abs(np.tensordot(coin, signs, 1) / len(signs)).max() for coin in coins]
bound = np.quantile(largest, 0.95)
share = (np.abs(often) > bound + 1e-6).mean()  # of positions, beyond chance
assert np.isclose(
    share, answer.set_index("change").loc["moved by 3 pixels", "map"], atol=0.005
)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=2.9, share_y=True)
for axis, name, factor, label in zip(axes[0], ["map", "network"], [100, 1], ["the map: % of positions\nbeyond chance", "the network: change\nof scores, log-odds"], strict=True):
    axis.barh(answer["change"], factor * answer[name], xerr=answer["margin"] if name == "network" else None, color=vb.figures.COLOURS["planted" if name == "map" else "recomputed"])
    axis.set_xlabel(label)
axes[0, 0].invert_yaxis()
by_change = answer.set_index("change")
vb.figures.show(
    fig,
    name="stimuli-answer",
    alt="Two bar charts over four changes of the same drawings. " + "; ".join(f"{name}: {row['map']:.0%} of the map, {row['network']:.2f} log-odds" for name, row in by_change.iterrows()) + ".",
    caption=f"Four changes of the drawings of {len(one_group)} invented people. Left: how much of the brightness map lies beyond chance. Right: how far the scores of one small network move, on average over people and traits; the lines are 95 % intervals over people.",
    source="greenhouse",
)
vb.note(
    n_people=len(one_group),
    map_most=by_change["map"].idxmax(),
    network_most=by_change["network"].idxmax(),
    warm={name: by_change.loc["warmer light", name] for name in by_change[["map", "network"]]},
    bright={name: by_change.loc["brighter by 2 %", name] for name in by_change[["map", "network"]]},
)
vb.holds(other_order=bool(stats.spearmanr(by_change["map"], by_change["network"]).statistic <= 0.99))

# %% [markdown]
# [The map puts the four changes in another order than the network does.]{.holds #other_order} The change "{glue:text}`map_most`" fills most of the map. The network is moved most by "{glue:text}`network_most`".
#
# In warmer light, {glue:text}`warm.map:.1%` of the map is beyond chance, yet the scores move by {glue:text}`warm.network:.2f` log-odds. With a little more light, it is {glue:text}`bright.map:.0%` of the map, and the scores move by {glue:text}`bright.network:.2f`.
#
# So a blank map does not show that pictures are clean, and a full map does not show harm.
#
# How strong we made each change was our choice, and we looked at one network, whose captions give it a reason to use colour. What CLIP notices in the authors' pictures, our drawings cannot tell.
#
# ## The protocol, run on {data}
#
# We make the authors' maps from our own drawings, in which nothing leaks. The colour of a face stands for race, buds or ears on its head for gender.

# %% tags=["hide-cell"]
images = vb.images(stimuli, root or None)
table = images.table
table[["seed", "race", "gender", "subset", "smiling", "pose"]].head(3)

# %% tags=["hide-input"]
who = roles.greenhouse_roles(CAUSALFACE) if images.source == "greenhouse" else roles.named(CAUSALFACE, {})
source = "greenhouse" if images.source == "greenhouse" else f"real:{images.name}"
series = ["age", "smiling", "lighting", "pose"]  # varied in steps around each prototype
varied = sum(table[name].nunique() > 1 for name in ["race", "gender", *series])
grid_claims = {
    "attributes": varied, "attributes-again": varied, "groups": len(table[["race", "gender"]].drop_duplicates()), "gender-values": table["gender"].nunique(), "smiling-values": table["smiling"].nunique(),
    "more-per-seed": bool(table.groupby("seed").size().median() > 120),  # as many had the makers' own study (footnote 2)
    "crop.size": images.decode(0).size[0],
}
for claim, value in grid_claims.items():
    vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=images, model="none")
n_rows = sum(table["subset"].isin(["prototype", name]).sum() for name in series)  # each series brings a copy of the prototypes
vb.note(n_images=len(table), n_rows=int(n_rows), n_identities=table["seed"].nunique())

# the prototypes of one person, then one of them at three levels of each attribute
person = table[table["seed"] == table["seed"].iloc[0]]
shown = [person[person["subset"] == "prototype"].assign(label=lambda one: one["race"] + "\n" + one["gender"])]
groups = shown[0]["label"].str.replace("\n", " ").unique()
one = person[(person["race"] == person["race"].iloc[0]) & (person["gender"] == person["gender"].iloc[0])]
for name in series:
    steps = one[one["subset"].isin(["prototype", name])].sort_values(name)
    steps = steps.iloc[np.linspace(0, len(steps) - 1, min(3, len(steps))).round().astype(int)]
    shown.append(steps.assign(label=[f"{name} {value:g}" for value in steps[name]]))
shown = pd.concat(shown)
large = images.render(shown, 160) if images.render else [np.asarray(picture) for picture in images.decode(list(shown.index))]
vb.figures.show(
    vb.figures.contact_sheet(list(large), list(shown["label"].str.replace("-", "−")), columns=6),
    name="stimuli-sheet",
    alt=f"First row: prototypes of one person ({', '.join(groups[: len(who.groups)])}). Below, one of them at three levels of age, smiling, lighting and pose.",
    caption="One invented person: the six prototypes (neutral expression, frontal, evenly lit), and one of them at three levels of each attribute.",
    source=source,
)

# %% [markdown]
# (stimuli-maps)=
# ### Brightness maps: chance has outlines, too
#
# Each column of the next figure compares two groups.

# %%
chosen = table["seed"].unique()[:n_seeds]
maps = {
    "described": pictures.seed_maps(images, seeds=chosen, subsets=["prototype"]),
    "released": pictures.seed_maps(images, seeds=chosen, subsets=["prototype", "age"]),
}
chance, read = {}, {}
for name, found in maps.items():
    chance[name], rows = {}, {}
    for pair, one in found.items():
        null = pictures.by_chance(one.signs, n=n_resamples, seed=seed)
        size = np.abs(one.seen)  # |X| at each position
        rows[pair] = {
            "largest": size.max(),
            "beyond anywhere": (size > null.anywhere + 1e-6).mean(),
        }
        chance[name][pair] = null
    read[name] = pd.DataFrame(rows).T

# %% tags=["hide-input"]
def corners(values):
    """The mean over both upper corners (a quarter of the height, an eighth of the width each): background."""
    height, width = values.shape[0] // 4, values.shape[1] // 8
    return float(np.concatenate([values[:height, :width], values[:height, -width:]]).mean())


def foot(values):
    """The mean over the middle half of the lowest tenth: clothes."""
    height, width = values.shape[0] // 10, values.shape[1] // 4
    return float(values[-height:, width:-width].mean())


columns = pictures.comparisons(table)
for name, found in maps.items():  # what the captions of Figures S.10 and S.11 say; men come first, as in the figure
    lighter = {}
    for pair, (column, first, second) in columns.items():
        if column == "race":
            for group, sign in ((first, 1), (second, -1)):
                lighter[group] = lighter.get(group, 0.0) + sign * corners(found[pair].seen)
        else:
            men, sign = found[pair], 1 if first == who.called["male"] else -1
    said = {
        "gender-background": sign * corners(men.seen) > 0,
        "gender-clothing": sign * foot(men.seen) < 0,
        "gender-size": 100 * max(abs(corners(men.size)), abs(foot(men.size))) / 255,  # per cent of white
        "race-lightest": max(lighter, key=lighter.get) == who.called["asian"],
        "race-darkest": min(lighter, key=lighter.get) == who.called["white"],
    }
    for claim, value in said.items():
        vb.ledger.record(f"stimuli.{claim}", value, results=results, stimuli=images, model="none", protocol=name)
chance = chance[protocol]
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
    alt="Brightness maps, above maps of chance. Positions beyond chance: "
    + "; ".join(f"{name}, {row['beyond anywhere']:.0%} of the map, largest |X| {row['largest']:.2f}" for name, row in beyond.iterrows()) + ".",
    caption=f"Above: brightness maps of {'the prototypes' if protocol == 'described' else 'all ten ages'}. Below: the same pictures, with each person's sign tossed by coin. "
    "Red: the first-named group is more often brighter; blue: more often darker; full colour: beyond chance.",
    source=source,
)
by_race = [name for name, (column, *_) in columns.items() if column == "race"]
coloured = beyond.loc[by_race, "beyond anywhere"].max()
vb.holds(colours_blank=bool(coloured == 0))

# %% [markdown]
# Budded and eared faces differ where the buds and the ears are, as they should. [Between colours, no position is beyond chance;]{.holds #colours_blank} we planted no difference in grey between them.
#
# Chance shows a face, too: skin that is brighter in one picture is so at many positions at once, and the coin reverses these together. So outlines in a map are no sign of a true difference.

# %% tags=["hide-cell"]
for name, folder in zip(observed, observed_roots, strict=True):  # what the paper counts in them
    short, used, everyone = name.split("/")[-1], vb.images(name, folder or None), vb.images(f"{name}/all", folder or None)
    counted = {"all": len(everyone.table), "subset": len(used.table), "age": float(used.table["years"].min())}
    if short == "fairface":
        counted |= {"races": everyone.table["race"].nunique(), "genders": everyone.table["gender"].nunique()}
    for claim, value in counted.items():
        vb.ledger.record(f"stimuli.{short}.{claim}", value, results=results, stimuli=used, model="none")

# %% [markdown]
# (stimuli-leak)=
# ## What this method can see: the leak that one looks for
#
# Suppose that smiles do brighten the pictures. Would the check find it, and the authors' correction repair the scores? We planted such leaks in our drawings, weak and strong (folded figure; the strongest: 10 % more light with each unit of smiling).

# %% tags=["hide-cell"]
STRENGTHS = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0]  # 1: 10 % per unit of smiling
few = people[people["seed"] < n_leak_seeds]
smiling = few[few["subset"].isin(["prototype", "smiling"])].reset_index(drop=True)
leaky = leaks.leaked(smiling, STRENGTHS, perceive, perceive_at=[0.0, 0.3, 1.0])

# %% tags=["hide-cell"]
at = {state: own.set_index("strength") for state, own in leaky.groupby("state")}
distortion = {state: own["distortion"] for state, own in at.items()}
fig, axes = vb.figures.panels(1, 2, height=3.4)
for axis, name, label in zip(axes[0], ["slope", "distortion"], ["brightness, % per unit of smiling", "mean change in scores, log-odds"], strict=True):
    for (state, own), colour in zip(at.items(), (vb.figures.COLOURS["planted"], vb.figures.COLOURS["recomputed"]), strict=True):
        axis.plot(10 * own[name].dropna().index, own[name].dropna(), "o-", color=colour, label=state)
    axis.set_xlabel("planted leak, % per unit of smiling")
    axis.set_title(label, fontsize=11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="stimuli-leak",
    alt=f"Left: brightness changes by {at['as drawn'].loc[1, 'slope']:.1f} per cent per unit of smiling with the strongest leak as drawn, by {at['corrected'].loc[1, 'slope']:.2f} when corrected. "
    f"Right: the scores move by {distortion['as drawn'][1]:.2f} log-odds with the strongest leak as drawn, by {distortion['corrected'][1]:.2f} when corrected.",
    caption=f"Drawings of {n_leak_seeds} invented people. What a planted leak does to brightness (left) and to one network's scores (right), before and after the correction.",
    source="greenhouse",
)
vb.note(
    clear=10 * leaks.first_clear(leaky),
    bare=distortion["as drawn"][1],
    mended=distortion["corrected"][1],
    mask=100 * leaky["mask"].max(),
)
vb.holds(weakest=bool(leaks.first_clear(leaky) <= STRENGTHS[1]))

# %% [markdown]
# **The check.** It finds even {glue:text}`clear:.1f` % more light per unit of smiling ([we planted no weaker leak]{.holds #weakest}). But we have the same drawings without a leak. The authors have no such pictures, and so cannot distinguish a small leak from the mouth, which was meant to change.
#
# **The correction.** With the strongest leak, the scores move by {glue:text}`bare:.3f` log-odds before the correction, and by
# {glue:text}`mended:.3f` after it. It repairs brightness only, not a shift or the colour of the light.
#

# %% [markdown]
# (stimuli-means)=
# ## What this means
#
# **For the paper.** Its pictures are a real gain: they set smile, light and pose, which FairFace and UTKFace, the photographs used for comparison, do not even record. The authors looked for leaks of brightness, and printed what they found. For smiles, they also compared CLIP's scores with and without the correction, as we recommend here. For the differences between groups, they did not, so it is open whether CLIP cares about them. And the maps do not exclude leaks of another kind, such as colour.
#
# **For your own work.** Show your model the leak *alone*: the same pictures, changed only in what you suspect. Measure how far its scores move for the leak, and how far for the change that you study. If the first is nearly as far as the second, correct the leak, or report the results with and without it. This covers only the leaks that one thinks of.

# %% [markdown]
# ## Where paper and code differ
#
# :::{dropdown} The list
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text.
#
# | | paper | code | here |
# |---|---|---|---|
# | images (H10) | "18,000 unique images" | reads four tables, one for each varied attribute; each brings its own copy of the prototypes | {glue:text}`n_images:,d` distinct pictures of {glue:text}`n_identities` people; {glue:text}`n_rows:,d` rows in four tables. [Variation](variation.ipynb) shows what this changes |
# | brightness maps (H14) | prototypes | all ten ages | both, {ref}`above <stimuli-maps>` |
# | face without background | "binary masks for faces" | grey below 255 once the background is white | both; with planted leaks, they give brightness that differs by at most {glue:text}`mask:.2f` percentage points |
# :::
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/stimuli -p protocol=released -p n_seeds=50
# ```
# With the real pictures: `-p stimuli=causalface -p root=PATH`.
# :::
#
# ## Take-aways
#
# - In controlled pictures, attributes are independent by design; whether the *pictures* differ in nothing else is a second question.
# - Show the model the leak alone: a check sees only the kind of leak that it looks for.
# - A brightness map says how often, not how much; chance has outlines, too, so compare with maps made by coin.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How many seeds for a surplus of .04?
# :label: stimuli-seeds
# :level: intermediate
# :minutes: 10
# :code: no
# There is one pair for each person (seed). At some position the first group is brighter in 52 % of people and darker in 48 %, so $X_P = .04$. How many people would be needed for $1.96/\sqrt n$ to be that
# small? And for the largest of 4,096 positions? (Bonferroni: divide the 5 % by the number of positions.)
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
# If neither group is brighter, a mean of $n$ signs varies with a standard deviation of $1/\sqrt n$; solving $1.96/\sqrt n = .04$ for $n$ gives the first number. The largest of many positions has to pass a stricter limit, and $n$ grows with the square of that limit. A hundred seeds can settle neither question.
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
# The mean over six groups shows it, but at a sixth of its size. The correction removes it, because each picture is compared with its own prototype. So only the *check* has to be made for each group.
#
# ```{solution-end}
# ```

# %% [markdown]
# ## Questions to discuss
#
# 1. The authors attribute differences in hair and beard "to gender-specific attributes rather than unwanted confounds". Who decides which difference is part of the
#    attribute, and does the answer change what "the effect of gender on perception" means?
# 2. A drawing program knows what it drew; a generative network does not. What would you ask its raters?
